//! Calls: of plain code at one place, of choreographic classes and methods at several.

use std::rc::Rc;

use pytrope_source::tree::{Arguments, ExprId, ExprKind};
use pytrope_source::{Span, TextRange};

use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::declaration::{ClassId, Meaning, MethodKind, ParameterKind, Unit};
use crate::facts::{Action, Argument};
use crate::located::{Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};
use crate::surface;

/// A parameter as a caller sees it.
struct ParameterSlot {
    name: String,
    located: Located,
    required: bool,
    kind: ParameterKind,
    span: Span,
}

impl Checker<'_> {
    pub(super) fn check_call(&mut self, expr: ExprId, function: ExprId, arguments: Arguments) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        if let Some((class, given)) = self.instantiated_class(function) {
            return self.check_construction(expr, function, class, given.as_deref(), arguments);
        }
        if let Some(class) = self.named_function(function) {
            return self.call_function(expr, function, class, arguments);
        }
        if let Some(value) = self.builtin_operator(expr, function, arguments) {
            return value;
        }
        let mut callee = None;
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind {
            let name = tree.text(attribute.name);
            if let Some((class, given)) = self.instantiated_class(value) {
                return self.call_on_class(expr, function, value, (class, given.as_deref()), arguments);
            }
            if self.is_super(value) {
                return self.call_super(expr, name, attribute.range, arguments);
            }
            let owner = self.check_expr(value);
            match &owner.located {
                Located::Channel(channel) => return self.on_channel(expr, value, *channel, name, arguments),
                Located::Object { class, roles } => {
                    let (class, roles) = (*class, roles.clone());
                    if let Some((defined, formal, method)) = self.world.find_method(class, name)
                        && !method.plain
                        && method.kind != MethodKind::Property
                    {
                        let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
                        return self.check_invocation(expr, Some(value), defined, name, &actual, arguments);
                    }
                }
                _ => {}
            }
            let found = self.check_attribute(function, value, &owner, name);
            self.record_info(function, &found);
            callee = Some(found);
        }
        let callee = callee.unwrap_or_else(|| self.check_expr(function));
        if let Located::Object { class, roles } = &callee.located
            && let Some((defined, formal, method)) = self.world.find_method(*class, "__call__")
            && !method.plain
        {
            let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
            return self.check_invocation(expr, Some(function), defined, "__call__", &actual, arguments);
        }
        if let Located::Function { parameters, returns } = &callee.located {
            let (parameters, returns) = (parameters.clone(), (**returns).clone());
            return self.apply_function(expr, function, &parameters, returns, arguments);
        }
        self.plain_call(expr, function, callee, arguments)
    }

    /// `Cls` or `Cls[B, C, A]` as a callee; `cls` in a class method.
    pub(super) fn instantiated_class(&self, function: ExprId) -> Option<(ClassId, Option<Vec<ExprId>>)> {
        let tree = &self.unit.tree;
        let (head, given) = match tree[function].kind {
            ExprKind::Subscript { value, index, .. } => (value, Some(surface::subscript_elements(&self.unit, index))),
            _ => (function, None),
        };
        let first = *tree.dotted(head)?.first()?;
        if self.locals.contains_key(first) {
            return None;
        }
        if self.is_own_class(head) {
            return Some((self.class_id(), None));
        }
        match self.unit.binding(head)? {
            Meaning::Choreography(class) => Some((*class, given)),
            _ => None,
        }
    }

    /// `cls` in a class method.
    fn is_own_class(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        self.method.kind == MethodKind::Class
            && tree.as_name(expr).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref())
    }

    fn is_super(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Call { function, .. } => tree.as_name(function).is_some_and(|name| tree.text(name) == "super"),
            _ => false,
        }
    }

    fn check_construction(
        &mut self,
        expr: ExprId,
        function: ExprId,
        class: ClassId,
        given: Option<&[ExprId]>,
        arguments: Arguments,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let annotations = Annotations::new(self.world, &unit, self.class);
        let Some(roles) = annotations.instance_roles(class, given, function, self.report) else {
            self.check_arguments(arguments);
            return LocatedValue::of_unknown();
        };
        let slots = self.constructor_slots(class);
        let declared = self.world.class(class).name.clone();
        if self.world.class(class).protocol {
            self.report_error(
                ChoreoRule::BadCall,
                self.expr_range(expr),
                format!("{declared} is a protocol and has no instances"),
            )
            .add_help(format!("make one of a class that has the methods of {declared}"));
        }
        let bound = self.bind_arguments(expr, &declared, &slots, &roles, arguments);
        let communicates = self
            .world
            .find_method(class, "__init__")
            .and_then(|(owner, _, _)| self.facts.method_facts(owner, "__init__"))
            .is_some_and(|init| init.communicates);
        if communicates {
            self.forbid_behind_barrier(expr);
        }
        let may_raise = self
            .world
            .find_method(class, "__init__")
            .and_then(|(owner, _, _)| self.facts.method_facts(owner, "__init__"))
            .is_some_and(|init| init.may_raise);
        if may_raise {
            self.raise_point(self.expr_range(expr), Some(&declared));
        }
        if let Some(arguments) = bound {
            let callee = self.is_own_class(function).then_some(function);
            let action = Action::Construct { class, roles: roles.clone(), arguments, callee };
            self.facts.table_mut(unit.id).actions.insert(expr, action);
        }
        LocatedValue::newly_created(Located::Object { class, roles })
    }

    /// The parameters of a class's constructor: of `__init__`, or the fields of a dataclass.
    fn constructor_slots(&self, class: ClassId) -> Vec<ParameterSlot> {
        if let Some((owner, formal, method)) = self.world.find_method(class, "__init__") {
            let unit = self.world.unit(self.world.class(owner).unit);
            return caller_slots(unit, &method.parameters, &formal, self.world.class(class).role_set());
        }
        let mut found: Vec<ParameterSlot> = Vec::new();
        for (base, formal) in self.world.lineage(class).into_iter().rev() {
            let declared = self.world.class(base);
            if !declared.dataclass {
                continue;
            }
            for (name, attribute) in &declared.attributes {
                if attribute.annotation.is_none() {
                    continue;
                }
                let slot = ParameterSlot {
                    name: name.clone(),
                    located: attribute.located.seen_from(&formal, self.world.class(class).role_set()),
                    required: attribute.value.is_none(),
                    kind: ParameterKind::Regular,
                    span: self.world.unit(declared.unit).span(attribute.range),
                };
                found.retain(|known| known.name != slot.name);
                found.push(slot);
            }
        }
        found
    }

    fn call_super(&mut self, expr: ExprId, name: &str, range: TextRange, arguments: Arguments) -> LocatedValue {
        let lineage = self.world.lineage(self.class_id());
        let found = lineage.into_iter().skip(1).find(|(class, _)| self.world.class(*class).methods.contains_key(name));
        match found {
            Some((class, roles)) => {
                if self.world.class(class).methods[name].plain {
                    return self.plain_super(expr, arguments);
                }
                self.check_invocation(expr, None, class, name, &roles, arguments)
            }
            None if name == "__init__" => {
                self.check_arguments(arguments);
                LocatedValue::newly_created(Located::Nothing)
            }
            None => {
                let class = self.class.name.clone();
                self.report_error(ChoreoRule::UnknownMember, range, format!("no base of {class} has a method {name}"));
                LocatedValue::of_unknown()
            }
        }
    }

    fn plain_super(&mut self, expr: ExprId, arguments: Arguments) -> LocatedValue {
        let operands = self.check_arguments(arguments);
        self.meet_locations(expr, &operands, "this call", true)
    }

    pub(super) fn check_invocation(
        &mut self,
        expr: ExprId,
        receiver: Option<ExprId>,
        class: ClassId,
        name: &str,
        roles: &[RoleId],
        arguments: Arguments,
    ) -> LocatedValue {
        let world = self.world;
        let method = &world.class(class).methods[name];
        let slots = caller_slots(
            world.unit(world.class(class).unit),
            &method.parameters,
            &(0..world.class(class).roles.len() as u8).map(RoleId).collect::<Vec<_>>(),
            world.class(class).role_set(),
        );
        let shown = world.class(class).method_title(name);
        let bound = self.bind_arguments(expr, &shown, &slots, roles, arguments);
        self.finish_invoke(expr, receiver, (class, name, roles), bound)
    }

    /// What a call of a choreographic method does, its arguments being bound.
    pub(super) fn finish_invoke(
        &mut self,
        expr: ExprId,
        receiver: Option<ExprId>,
        (class, name, roles): (ClassId, &str, &[RoleId]),
        bound: Option<Vec<Argument>>,
    ) -> LocatedValue {
        let shown = self.world.class(class).method_title(name);
        let facts = self.facts.method_facts(class, name).expect("every method has facts").clone();
        // Also without messages the others would take their part whether this is evaluated or not.
        if facts.communicates || facts.involved.len() > 1 {
            self.forbid_behind_barrier(expr);
        }
        self.recovers |= facts.recovers;
        if facts.communicates {
            self.joined_by_all_members(expr, facts.involved.substitute_roles(roles));
        }
        if facts.may_raise {
            self.raise_point(self.expr_range(expr), Some(&shown));
        }
        if let Some(arguments) = bound {
            let action = Action::Invoke { receiver, class, method: name.to_owned(), roles: roles.to_vec(), arguments };
            self.facts.table_mut(self.unit.id).actions.insert(expr, action);
        }
        if facts.returns == Located::Unknown && !self.report.quiet {
            self.report_error(
                ChoreoRule::NoRole,
                self.expr_range(expr),
                format!("the place of the result of {shown} is not known"),
            )
            .add_help("annotate its result: -> At[T, Role]");
        }
        // What a method returns may be part of the state of its object.
        LocatedValue::of_held_object(facts.returns.seen_from(roles, self.all_roles()))
    }

    pub(super) fn forbid_behind_barrier(&mut self, expr: ExprId) {
        if let Some(barrier) = self.barrier {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                self.expr_range(expr),
                format!("this call concerns several roles, and stands inside {barrier}"),
            );
        }
    }

    /// Arguments in source order: positional and keyword ones may be interleaved only with `*`, which is refused where order matters.
    pub(super) fn check_arguments(&mut self, arguments: Arguments) -> Vec<(ExprId, LocatedValue)> {
        let unit = Rc::clone(&self.unit);
        let mut all: Vec<ExprId> = unit.tree[arguments.positional].to_vec();
        all.extend(unit.tree[arguments.keywords].iter().map(|keyword| keyword.value));
        all.sort_by_key(|&argument| unit.tree[argument].range.start);
        all.into_iter().map(|argument| (argument, self.check_expr(argument))).collect()
    }

    fn bind_arguments(
        &mut self,
        expr: ExprId,
        callee: &str,
        slots: &[ParameterSlot],
        roles: &[RoleId],
        arguments: Arguments,
    ) -> Option<Vec<Argument>> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let mut filled = vec![false; slots.len()];
        let mut bound = Vec::new();
        let mut fits = true;
        let positional: Vec<usize> = (0..slots.len())
            .filter(|&at| matches!(slots[at].kind, ParameterKind::PositionalOnly | ParameterKind::Regular))
            .collect();
        let spread = slots.iter().position(|slot| slot.kind == ParameterKind::Spread);
        let mut given: Vec<(ExprId, Option<String>, Option<usize>)> = Vec::new();
        for (at, &argument) in tree[arguments.positional].iter().enumerate() {
            if matches!(tree[argument].kind, ExprKind::Starred { .. }) {
                self.report_error(
                    ChoreoRule::BadCall,
                    self.expr_range(argument),
                    format!(
                        "{callee} is a choreography: its arguments are written out, so that each role finds its own"
                    ),
                );
                fits = false;
                continue;
            }
            let slot = positional.get(at).copied().or(spread);
            if slot.is_none() {
                self.report_error(
                    ChoreoRule::BadCall,
                    self.expr_range(argument),
                    format!(
                        "{callee} takes {} positional argument(s), found {}",
                        positional.len(),
                        arguments.positional.len()
                    ),
                );
                fits = false;
            }
            given.push((argument, None, slot));
        }
        for keyword in &tree[arguments.keywords] {
            let Some(name) = keyword.name else {
                self.report_error(
                    ChoreoRule::BadCall,
                    keyword.range,
                    format!(
                        "{callee} is a choreography: its arguments are written out, so that each role finds its own"
                    ),
                );
                fits = false;
                continue;
            };
            let name = tree.text(name.name);
            let slot = slots.iter().position(|slot| slot.name == name && slot.kind != ParameterKind::PositionalOnly);
            if slot.is_none() {
                let known: Vec<&str> = slots.iter().map(|slot| slot.name.as_str()).collect();
                let near = pytrope_diagnostics::nearest(name, known.iter().copied()).map(str::to_owned);
                let finding =
                    self.report_error(ChoreoRule::BadCall, keyword.range, format!("{callee} has no parameter {name}"));
                if let Some(near) = near {
                    finding.add_help(format!("did you mean {near}?"));
                }
                fits = false;
            }
            given.push((keyword.value, Some(name.to_owned()), slot));
        }
        given.sort_by_key(|(argument, _, _)| tree[*argument].range.start);
        for (argument, keyword, slot) in given {
            self.wanted = slot.map(|slot| (argument, slots[slot].located.seen_from(roles, self.all_roles())));
            let value = match self.checked_ahead.remove(&argument) {
                Some(value) => value,
                None => self.check_expr(argument),
            };
            let Some(slot) = slot else { continue };
            if filled[slot] && slots[slot].kind != ParameterKind::Spread {
                self.report_error(
                    ChoreoRule::BadCall,
                    self.expr_range(argument),
                    format!("{callee} got {} twice", slots[slot].name),
                );
                fits = false;
            }
            filled[slot] = true;
            let located = slots[slot].located.seen_from(roles, self.all_roles());
            let what = format!("the parameter {} of {callee}", slots[slot].name);
            self.check_required(argument, &value, &located, &what, slots[slot].span.clone());
            bound.push(Argument { value: argument, keyword, located });
        }
        for (slot, filled) in slots.iter().zip(&filled) {
            if slot.required && !filled {
                self.report_error(
                    ChoreoRule::BadCall,
                    self.expr_range(expr),
                    format!("{callee} is missing its argument {}", slot.name),
                );
                fits = false;
            }
        }
        fits.then_some(bound)
    }

    /// A call of code that knows no roles: it runs where its arguments are.
    pub(super) fn plain_call(
        &mut self,
        expr: ExprId,
        function: ExprId,
        callee: LocatedValue,
        arguments: Arguments,
    ) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let outer = self.unused.take();
        let mut operands = vec![(function, callee)];
        operands.extend(self.check_arguments(arguments));
        self.unused = outer;
        self.facts.table_mut(unit.id).writes.remove(&expr);
        let is_local = |name: &str| self.locals.contains_key(name) || Some(name) == self.receiver.as_deref();
        let traits = |value: ExprId| self.recorded_info(value).located.traits();
        let effect = self.call_effect(expr, function, arguments, &is_local, &traits);
        if tree.dotted(function).is_some_and(|parts| !is_local(parts[0]))
            && matches!(operands[0].1.located, Located::Free(_))
            && !self.reads_open_member(function)
        {
            // Whether what the module calls by this name gives every role the same is part of the effect.
            operands[0].1 = LocatedValue::of_constant();
        }
        let mut value = self.meet_locations(expr, &operands, "this call", true);
        let held = |checker: &Self, part: ExprId| match operands.iter().find(|(operand, _)| *operand == part) {
            Some((_, value)) => value.clone(),
            // The object of a method that is handed on.
            None if !tree[function].range.contains_range(tree[part].range) => {
                let info = checker.recorded_info(part);
                LocatedValue { located: info.located.clone(), holders: info.holders }
            }
            // The receiver, which the callee is an attribute of.
            None => operands[0].1.with_location(checker.recorded_info(part).located.clone()),
        };
        let at = match &value.located {
            Located::At(at) => Some(at.roles),
            _ => None,
        };
        let known = self.report.findings.len();
        for &changed in &effect.changed {
            let holder = held(self, changed);
            self.note_change(expr, changed, &holder, at);
            // Once is enough for a call.
            if self.report.findings.len() > known {
                break;
            }
        }
        for &marked in &effect.marked {
            let holder = held(self, marked);
            self.refuse_marked(expr, marked, &holder, at);
        }
        for &(container, stored) in &effect.stored {
            self.note_stored(container, stored);
        }
        let found = effect.traits.unwrap_or(Traits::OPAQUE);
        value.located.set_traits(found);
        value.holders = if found.frozen {
            RoleSet::EMPTY
        } else {
            let whole =
                effect.returned.iter().map(|&part| held(self, part)).filter(|part| !part.located.traits().frozen);
            let items = effect
                .returned_items
                .iter()
                .filter(|_| !found.frozen_items)
                .map(|&part| held(self, part))
                .filter(|part| !part.located.traits().frozen_items);
            whole.chain(items).fold(RoleSet::EMPTY, |holders, part| holders.union(part.holders))
        };
        // Several roles may print, each for itself: nothing comes of it that could differ.
        let harmless = self.unused == Some(expr)
            && at.is_some()
            && effect.changed.iter().all(|&changed| held(self, changed).located.traits().frozen);
        if let (Some(cause), false) = (effect.varies, harmless) {
            self.mark_uncertain(&mut value, cause, self.expr_range(expr));
        }
        value
    }
}

fn caller_slots(
    unit: &Unit,
    parameters: &[crate::declaration::MethodParameter],
    formal: &[RoleId],
    all: RoleSet,
) -> Vec<ParameterSlot> {
    parameters
        .iter()
        .map(|parameter| ParameterSlot {
            name: parameter.name.clone(),
            located: parameter.located.seen_from(formal, all),
            required: parameter.default.is_none()
                && !matches!(parameter.kind, ParameterKind::Spread | ParameterKind::KeywordSpread),
            kind: parameter.kind,
            span: unit.span(parameter.range),
        })
        .collect()
}
