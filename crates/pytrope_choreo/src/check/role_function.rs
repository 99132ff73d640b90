//! Calls of functions over roles, and such functions as values.
//!
//! Roles that a function has as type parameters are found by comparing the places of its parameters with those of the arguments;
//! of a function that is passed on, with the type that is asked for.

use std::rc::Rc;

use pytrope_source::tree::{Arguments, ExprId};

use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::declaration::{ClassId, Meaning, ParameterKind};
use crate::facts::Action;
use crate::located::{ChannelShape, Located};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};

/// The one method of the class that stands for a function.
const CALL: &str = "__call__";

/// Which role of the caller plays each role of a function, as far as known.
struct RoleAssignment<'a> {
    checker: &'a Checker<'a>,
    roles: Vec<Option<RoleId>>,
}

impl RoleAssignment<'_> {
    fn assign(&mut self, formal: RoleId, actual: RoleId) {
        let known = &mut self.roles[formal.index()];
        *known = known.or(Some(actual));
    }

    fn assign_sets(&mut self, formal: RoleSet, actual: RoleSet) {
        let open: Vec<RoleId> = formal.iter().filter(|role| self.roles[role.index()].is_none()).collect();
        let known: RoleSet = formal.iter().filter_map(|role| self.roles[role.index()]).collect();
        // A copy of a value that several roles have does not say which of them is meant.
        if let ([open], true) = (open.as_slice(), actual.len() == formal.len())
            && let Some(left) = actual.without(known).iter().next()
        {
            self.assign(*open, left);
        }
    }

    /// Learns from one parameter; `directions`: also which end of a channel is which, by the order of its roles.
    fn match_types(&mut self, formal: &Located, actual: &Located, directions: bool) {
        match (formal, actual) {
            (Located::At(formal), Located::At(actual)) => self.assign_sets(formal.roles, actual.roles),
            (Located::Tuple(formal), Located::Tuple(actual)) => {
                for (formal, actual) in formal.iter().zip(actual) {
                    self.match_types(formal, actual, directions);
                }
            }
            (Located::Tuple(formal), actual @ Located::At(_)) => {
                for formal in formal {
                    self.match_types(formal, actual, directions);
                }
            }
            (Located::Channel(formal), Located::Channel(actual)) => {
                let fixed = formal.directed || formal.shape != ChannelShape::Pair;
                let known = |assignment: &Self, role: RoleId| assignment.roles[role.index()];
                match (known(self, formal.from), known(self, formal.to)) {
                    (Some(from), None) if !fixed => self.assign(formal.to, actual.other_end(from)),
                    (None, Some(to)) if !fixed => self.assign(formal.from, actual.other_end(to)),
                    _ if fixed || directions => {
                        self.assign(formal.from, actual.from);
                        self.assign(formal.to, actual.to);
                    }
                    _ => {}
                }
            }
            (Located::Object { class: wanted, roles: formal }, Located::Object { class, roles: actual }) => {
                let lineage = self.checker.world.lineage(*class);
                let Some((_, through)) = lineage.iter().find(|(base, _)| base == wanted) else { return };
                for (&formal, role) in formal.iter().zip(through) {
                    self.assign(formal, actual[role.index()]);
                }
            }
            (
                Located::Function { parameters: formal, returns: formal_result },
                Located::Function { parameters: actual, returns: actual_result },
            ) => {
                for (formal, actual) in formal.iter().zip(actual) {
                    self.match_types(formal, actual, directions);
                }
                self.match_types(formal_result, actual_result, directions);
            }
            _ => {}
        }
    }
}

impl Checker<'_> {
    /// The function over roles that a callee or a value names.
    pub(super) fn named_function(&self, expr: ExprId) -> Option<ClassId> {
        let first = *self.unit.tree.dotted(expr)?.first()?;
        if self.locals.contains_key(first) {
            return None;
        }
        match self.unit.binding(expr)? {
            Meaning::RoleFunction(class) => Some(*class),
            _ => None,
        }
    }

    /// `hop(self.ch, x)`.
    pub(super) fn call_function(
        &mut self,
        expr: ExprId,
        function: ExprId,
        class: ClassId,
        arguments: Arguments,
    ) -> LocatedValue {
        let mut pairs = Vec::new();
        if self.world.class(class).role_positions.is_some() {
            let given = self.check_ahead(arguments);
            pairs = self.match_arguments(class, arguments, &given);
            self.checked_ahead.extend(given);
        }
        let Some(roles) = self.roles_of_function(function, class, &pairs) else {
            if pairs.is_empty() {
                self.check_arguments(arguments);
            }
            self.checked_ahead.clear();
            return LocatedValue::of_unknown();
        };
        self.name_function(function, class, &roles);
        self.check_invocation(expr, Some(function), class, CALL, &roles, arguments)
    }

    /// Arguments whose places say who plays the roles of the callee. What depends on these roles itself, a function that has type
    /// parameters too, is looked at when they are known.
    fn check_ahead(&mut self, arguments: Arguments) -> Vec<(ExprId, LocatedValue)> {
        let unit = Rc::clone(&self.unit);
        let mut all: Vec<ExprId> = unit.tree[arguments.positional].to_vec();
        all.extend(unit.tree[arguments.keywords].iter().map(|keyword| keyword.value));
        all.sort_by_key(|&argument| unit.tree[argument].range.start);
        let depends = |checker: &Self, argument: ExprId| {
            let function = checker.named_function(argument);
            function.is_some_and(|class| checker.world.class(class).role_positions.is_some())
        };
        all.retain(|&argument| !depends(self, argument));
        all.into_iter().map(|argument| (argument, self.check_expr(argument))).collect()
    }

    /// A function over roles that is not called here; `wanted` is the type that is asked for.
    pub(super) fn function_as_value(&mut self, expr: ExprId, class: ClassId) -> LocatedValue {
        let wanted = self.wanted.take().filter(|(wanted, _)| *wanted == expr).map(|(_, located)| located);
        let mut pairs = Vec::new();
        if let Some(Located::Function { parameters, returns }) = wanted {
            let method = &self.world.class(class).methods[CALL];
            let formal = method.parameters.iter().map(|parameter| parameter.located.clone());
            pairs.extend(formal.zip(parameters));
            pairs.extend(method.returns.clone().map(|formal| (formal, *returns)));
        }
        let Some(roles) = self.roles_of_function(expr, class, &pairs) else { return LocatedValue::of_unknown() };
        self.name_function(expr, class, &roles);
        self.method_value(expr, class, CALL, &roles)
    }

    /// Each parameter's place with that of its argument.
    fn match_arguments(
        &self,
        class: ClassId,
        arguments: Arguments,
        given: &[(ExprId, LocatedValue)],
    ) -> Vec<(Located, Located)> {
        let tree = &self.unit.tree;
        let parameters = &self.world.class(class).methods[CALL].parameters;
        let value_of = |argument: ExprId| given.iter().find(|(known, _)| *known == argument).map(|(_, value)| value);
        let mut positional = parameters
            .iter()
            .filter(|parameter| matches!(parameter.kind, ParameterKind::PositionalOnly | ParameterKind::Regular));
        let mut pairs = Vec::new();
        for &argument in &tree[arguments.positional] {
            let spread = || parameters.iter().find(|parameter| parameter.kind == ParameterKind::Spread);
            if let (Some(parameter), Some(value)) = (positional.next().or_else(spread), value_of(argument)) {
                pairs.push((parameter.located.clone(), value.located.clone()));
            }
        }
        for keyword in &tree[arguments.keywords] {
            let Some(name) = keyword.name else { continue };
            let name = tree.text(name.name);
            let parameter = parameters.iter().find(|parameter| parameter.name == name);
            if let (Some(parameter), Some(value)) = (parameter, value_of(keyword.value)) {
                pairs.push((parameter.located.clone(), value.located.clone()));
            }
        }
        pairs
    }

    /// Who plays the roles of a function: by name, or as the places of what it is given say.
    fn roles_of_function(&mut self, expr: ExprId, class: ClassId, pairs: &[(Located, Located)]) -> Option<Vec<RoleId>> {
        let declared = self.world.class(class);
        if declared.role_positions.is_none() {
            let unit = Rc::clone(&self.unit);
            return Annotations::new(self.world, &unit, self.class).instance_roles(class, None, expr, self.report);
        }
        let mut assignment = RoleAssignment { checker: &*self, roles: vec![None; declared.roles.len()] };
        // A channel says by the order of its roles who plays what, unless something else does, or may do so in a later round.
        let later = self.report.quiet && pairs.iter().any(|(_, actual)| *actual == Located::Unknown);
        for directions in [false, false, !later] {
            for (formal, actual) in pairs {
                assignment.match_types(formal, actual, directions);
            }
        }
        let found = assignment.roles;
        if let Some(open) = found.iter().position(Option::is_none) {
            if self.report.quiet {
                return None;
            }
            let message = format!(
                "which role plays {} in {} does not follow from the arguments",
                declared.roles[open], declared.name
            );
            self.report_error(ChoreoRule::BadRoles, self.expr_range(expr), message)
                .add_help("pass it a channel or a value of that role, or give it the roles of the module by name");
            return None;
        }
        let roles: Vec<RoleId> = found.into_iter().flatten().collect();
        for (at, role) in roles.iter().enumerate() {
            if roles[..at].contains(role) {
                let message =
                    format!("role {} must be played once in {}, found twice", self.role_name(*role), declared.name);
                self.report_error(ChoreoRule::BadRoles, self.expr_range(expr), message);
                return None;
            }
            if declared.families.contains(RoleId(at as u8)) != self.class.families.contains(*role) {
                let kind = if self.class.families.contains(*role) { "a family" } else { "one role" };
                let message = format!(
                    "{} is {kind}, and the role {} of {} is not",
                    self.role_name(*role),
                    declared.roles[at],
                    declared.name
                );
                self.report_error(ChoreoRule::BadRoles, self.expr_range(expr), message);
                return None;
            }
        }
        Some(roles)
    }

    /// Notes that a name stands for the caller's part of a function.
    fn name_function(&mut self, expr: ExprId, class: ClassId, roles: &[RoleId]) {
        let action = Action::NameClass { class, roles: roles.to_vec() };
        self.facts.table_mut(self.unit.id).actions.insert(expr, action);
        self.record_info(expr, &LocatedValue::newly_created(Located::Object { class, roles: roles.to_vec() }));
    }
}
