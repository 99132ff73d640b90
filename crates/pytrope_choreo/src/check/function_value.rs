//! Choreographic methods as values, and what classes have without an instance.
//!
//! A method of several roles is a value of the type `Callable[[At[int, A]], At[int, B]]`: each role of the type has its own part of
//! it. A caller of the value knows these roles only, so the method may concern no other one. A method that one role runs on its
//! own is a plain value there.

use std::rc::Rc;

use pytrope_source::tree::{Arguments, ExprId, ExprKind};

use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::declaration::{ClassId, MethodKind, ParameterKind};
use crate::facts::{Action, Argument};
use crate::located::{Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};

impl Checker<'_> {
    /// A function that changes copies when it is called, under a type that does not say so: `note: Callable[[int], None] = xs.append`.
    pub(super) fn refuse_changing_code(&mut self, expr: ExprId, value: &LocatedValue, target: &Located) -> bool {
        let (Located::Free(found), Located::Free(wanted)) = (&value.located, target) else { return false };
        let is_code = wanted.traits == Traits::CODE;
        if !is_code || found.traits.frozen {
            return false;
        }
        let text = self.unit.expr_text(expr).to_owned();
        self.report_error(
            ChoreoRule::UnequalCopies,
            self.expr_range(expr),
            format!("calling `{text}` may change what every role has a copy of, which its declared type hides"),
        )
        .add_help("leave the type out, or give the function a role: At[Callable[…], Role]");
        true
    }

    /// `self.ping` without a call.
    pub(super) fn method_value(&mut self, expr: ExprId, class: ClassId, name: &str, roles: &[RoleId]) -> LocatedValue {
        let Some(facts) = self.facts.method_facts(class, name).cloned() else { return LocatedValue::of_unknown() };
        let involved = facts.involved.substitute_roles(roles);
        if !facts.communicates && !facts.may_raise && involved.len() == 1 {
            return LocatedValue::newly_created(Located::at(involved, Traits::FROZEN));
        }
        let world = self.world;
        let method = &world.class(class).methods[name];
        let named_only = |kind| matches!(kind, ParameterKind::KeywordOnly);
        if let Some(parameter) =
            method.parameters.iter().find(|parameter| named_only(parameter.kind) && parameter.default.is_none())
        {
            let message = format!("{name} needs its argument {} by name, which a value cannot say", parameter.name);
            self.report_error(ChoreoRule::Unsupported, self.expr_range(expr), message);
            return LocatedValue::of_unknown();
        }
        let positional = method
            .parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Regular));
        let parameters = positional
            .filter(|parameter| parameter.default.is_none())
            .map(|parameter| parameter.located.seen_from(roles, self.all_roles()))
            .collect();
        let returns = Box::new(facts.returns.seen_from(roles, self.all_roles()));
        let function = Located::Function { parameters, returns };
        let others = involved.without(function.roles());
        if !others.is_empty() {
            let (others, known) =
                (others.describe_roles(&self.class.roles), function.roles().describe_roles(&self.class.roles));
            let message = format!("{others} takes part in {name}, and a caller of the value knows of {known} only");
            self.report_error(ChoreoRule::Unsupported, self.expr_range(expr), message)
                .add_help(format!("give it a parameter or a result at {others}, or call it by its name"));
            return LocatedValue::of_unknown();
        }
        if facts.may_raise {
            let message = format!("{name} may raise at one role, which a caller of the value does not know");
            self.report_error(ChoreoRule::Unsupported, self.expr_range(expr), message);
            return LocatedValue::of_unknown();
        }
        // A call of the value is awaited in an asyncio projection, so the method is a coroutine whatever it does.
        self.facts.methods[class.0 as usize][name].communicates = true;
        self.communicates |= class == self.class_id() && name == self.method.name;
        LocatedValue::newly_created(function)
    }

    /// The function that an object with `__call__` is.
    pub(super) fn called_as(&mut self, class: ClassId, roles: &[RoleId]) -> Option<Located> {
        let (defined, formal, method) = self.world.find_method(class, "__call__").filter(|found| !found.2.plain)?;
        let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
        let facts = self.facts.method_facts(defined, "__call__")?;
        let all = self.all_roles();
        let parameters = method.parameters.iter().map(|parameter| parameter.located.seen_from(&actual, all)).collect();
        let function = Located::Function { parameters, returns: Box::new(facts.returns.seen_from(&actual, all)) };
        if facts.may_raise || !facts.involved.substitute_roles(&actual).is_subset(function.roles()) {
            return None;
        }
        self.facts.methods[defined.0 as usize]["__call__"].communicates = true;
        Some(function)
    }

    /// A call of a value that is a choreographic method.
    pub(super) fn apply_function(
        &mut self,
        expr: ExprId,
        function: ExprId,
        parameters: &[Located],
        returns: Located,
        arguments: Arguments,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let shown = unit.expr_text(function).to_owned();
        let given = &tree[arguments.positional];
        let starred = given.iter().any(|&argument| matches!(tree[argument].kind, ExprKind::Starred { .. }));
        if starred || !arguments.keywords.is_empty() || given.len() != parameters.len() {
            let message = format!(
                "{shown} is a function of {} argument(s), written out and without names; found {}",
                parameters.len(),
                given.len() + arguments.keywords.len()
            );
            self.report_error(ChoreoRule::BadCall, self.expr_range(expr), message);
            self.check_arguments(arguments);
            return LocatedValue::of_unknown();
        }
        let roles = parameters.iter().fold(returns.roles(), |roles, parameter| roles.union(parameter.roles()));
        let mut bound = Vec::new();
        for (at, (&argument, located)) in given.iter().zip(parameters).enumerate() {
            self.wanted = Some((argument, located.clone()));
            let value = self.check_expr(argument);
            self.check_assignable(argument, &value, located, &format!("argument {} of {shown}", at + 1));
            bound.push(Argument { value: argument, keyword: None, located: located.clone() });
        }
        self.forbid_behind_barrier(expr);
        self.joined_by_all_members(expr, roles);
        let action = Action::Apply { function, roles, arguments: bound };
        self.facts.table_mut(unit.id).actions.insert(expr, action);
        LocatedValue::of_held_object(returns)
    }

    /// `Cls[B, A]` where a member of it is meant: the roles that play in it.
    fn name_class(&mut self, expr: ExprId, class: ClassId, given: Option<&[ExprId]>) -> Option<Vec<RoleId>> {
        let unit = Rc::clone(&self.unit);
        let annotations = Annotations::new(self.world, &unit, self.class);
        let roles = annotations.instance_roles(class, given, expr, self.report)?;
        let action = Action::NameClass { class, roles: roles.clone() };
        self.facts.table_mut(unit.id).actions.insert(expr, action);
        self.record_info(expr, &LocatedValue::newly_created(Located::Object { class, roles: roles.clone() }));
        Some(roles)
    }

    /// A static or class method, or a constant, of a class over roles.
    pub(super) fn class_attribute(
        &mut self,
        expr: ExprId,
        owner: ExprId,
        (class, given): (ClassId, Option<&[ExprId]>),
        name: &str,
    ) -> LocatedValue {
        let Some(roles) = self.name_class(owner, class, given) else { return LocatedValue::of_unknown() };
        let here: RoleSet = roles.iter().copied().collect();
        if let Some((defined, formal, method)) = self.world.find_method(class, name) {
            let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
            match method.kind {
                MethodKind::Static | MethodKind::Class if method.plain => return self.constant_at(here),
                MethodKind::Static | MethodKind::Class => return self.method_value(expr, defined, name, &actual),
                MethodKind::Instance | MethodKind::Property => {}
            }
            self.refuse_unbound(expr, name);
            return LocatedValue::of_unknown();
        }
        match self.facts.field_of_instance(self.world, class, name) {
            Some((field, _)) if matches!(field.located, Located::Free(free) if free.certain && free.traits.frozen) => {
                self.constant_at(here)
            }
            _ => {
                let class = self.world.class(class).name.clone();
                self.report_error(
                    ChoreoRule::UnknownMember,
                    self.expr_range(expr),
                    format!("{class} has no constant {name}"),
                );
                LocatedValue::of_unknown()
            }
        }
    }

    /// What the roles of a class have of it, equal at all of them.
    pub(super) fn constant_at(&self, roles: RoleSet) -> LocatedValue {
        if roles == self.all_roles() {
            LocatedValue::of_constant()
        } else {
            LocatedValue::newly_created(Located::at(roles, Traits::FROZEN))
        }
    }

    /// `Cls[B, A].send(ch, x)`.
    pub(super) fn call_on_class(
        &mut self,
        expr: ExprId,
        function: ExprId,
        owner: ExprId,
        (class, given): (ClassId, Option<&[ExprId]>),
        arguments: Arguments,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let ExprKind::Attribute { attribute, .. } = unit.tree[function].kind else { return LocatedValue::of_unknown() };
        let name = unit.tree.text(attribute.name);
        let found = self.world.find_method(class, name);
        if let Some((defined, formal, method)) = found
            && !method.plain
        {
            if !matches!(method.kind, MethodKind::Static | MethodKind::Class) {
                self.refuse_unbound(expr, name);
                self.check_arguments(arguments);
                return LocatedValue::of_unknown();
            }
            let Some(roles) = self.name_class(owner, class, given) else {
                self.check_arguments(arguments);
                return LocatedValue::of_unknown();
            };
            let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
            return self.check_invocation(expr, Some(owner), defined, name, &actual, arguments);
        }
        let callee = self.class_attribute(function, owner, (class, given), name);
        self.record_info(function, &callee);
        self.plain_call(expr, function, callee, arguments)
    }

    fn refuse_unbound(&mut self, expr: ExprId, name: &str) {
        self.report_error(
            ChoreoRule::Unsupported,
            self.expr_range(expr),
            format!("{name} belongs to an instance, and this names the class"),
        )
        .add_help(format!("make {name} a static method, or call it on an instance; super() reaches a base"));
    }
}
