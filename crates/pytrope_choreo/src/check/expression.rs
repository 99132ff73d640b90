//! The place of expressions: names, fields, operators, displays, and local code.

use std::rc::Rc;

use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::FxHashSet;

use super::{Checker, LocatedValue};
use crate::effects::{self, Cause};
use crate::facts::{Action, Local};
use crate::located::{Free, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Checker<'_> {
    /// Checks an expression and records what was learned about it.
    pub(super) fn check_expr(&mut self, expr: ExprId) -> LocatedValue {
        let value = self.expr_kind(expr);
        self.record_info(expr, &value);
        value
    }

    /// Records where an expression lives and who acts in it; its parts were recorded before.
    pub(super) fn record_info(&mut self, expr: ExprId, value: &LocatedValue) {
        let unit = Rc::clone(&self.unit);
        let mut acts = RoleSet::EMPTY;
        let mut communicates = false;
        let mut rewritten = false;
        for child in unit.tree.children(Node::Expr(expr)) {
            if let Node::Expr(child) = child {
                let info = self.recorded_info(child);
                acts = acts.union(info.acts);
                communicates |= info.communicates;
                rewritten |= info.rewritten;
            }
        }
        match self.facts.file_table(unit.id).action_of(expr).cloned() {
            None | Some(Action::Locate { .. } | Action::Recover) => {}
            Some(Action::NameClass { .. }) => rewritten = true,
            Some(Action::Apply { roles, .. }) => {
                acts = acts.union(roles);
                communicates = true;
                rewritten = true;
            }
            Some(Action::Com { sender, receiver, .. } | Action::Select { sender, receiver, .. }) => {
                acts.insert(sender);
                acts.insert(receiver);
                communicates = true;
                rewritten = true;
            }
            Some(Action::Construct { class, roles, .. }) => {
                acts = acts.union(roles.iter().copied().collect());
                let init = self.world.find_method(class, "__init__");
                communicates |= init
                    .and_then(|(owner, _, _)| self.facts.method_facts(owner, "__init__"))
                    .is_some_and(|init| init.communicates);
                rewritten = true;
            }
            Some(Action::Invoke { class, method, roles, .. }) => {
                if let Some(facts) = self.facts.method_facts(class, &method) {
                    acts = acts.union(facts.involved.substitute_roles(&roles));
                    communicates |= facts.communicates;
                }
                rewritten = true;
            }
        }
        if matches!(unit.tree[expr].kind, ExprKind::Tuple { .. }) && matches!(value.located, Located::Tuple(_)) {
            rewritten = true;
        }
        self.involve_roles(acts);
        self.communicates |= communicates;
        let info = self.info_mut(expr);
        info.located = value.located.clone();
        info.acts = acts;
        info.communicates = communicates;
        info.rewritten = rewritten;
        info.holders = value.holders;
    }

    fn expr_kind(&mut self, expr: ExprId) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        match tree[expr].kind {
            ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Ellipsis => LocatedValue::of_constant(),
            ExprKind::Name { .. } | ExprKind::Attribute { .. } if let Some(class) = self.named_function(expr) => {
                self.function_as_value(expr, class)
            }
            ExprKind::Name { name, .. } => self.check_name(expr, tree.text(name)),
            ExprKind::Attribute { value, attribute, .. } => {
                if let Some((class, given)) = self.instantiated_class(value) {
                    let name = tree.text(attribute.name);
                    return self.class_attribute(expr, value, (class, given.as_deref()), name);
                }
                let owner = self.check_expr(value);
                self.check_attribute(expr, value, &owner, tree.text(attribute.name))
            }
            ExprKind::Subscript { value, index, .. } => {
                let owner = self.check_expr(value);
                let key = self.check_expr(index);
                if let Some(value) = self.subscript_operator(expr, (value, &owner), (index, &key)) {
                    return value;
                }
                if let Located::Tuple(parts) = &owner.located {
                    let at = match tree[index].kind {
                        ExprKind::Int(at) => usize::try_from(at).ok(),
                        _ => None,
                    };
                    if let Some(part) = at.and_then(|at| parts.get(at)) {
                        return LocatedValue::of_held_object(part.clone());
                    }
                }
                self.check_subscript(expr, (value, owner), (index, key))
            }
            ExprKind::BinOp { left, op: BinaryOperator::MatMult, right } if self.marker_roles(right).is_some() => {
                self.check_placement(expr, left, right)
            }
            ExprKind::BinOp { left, op, right } => {
                let operands = [(left, self.check_expr(left)), (right, self.check_expr(right))];
                if let Some(value) = self.binary_operator(expr, op, &operands) {
                    return value;
                }
                let mut value = self.meet_locations(expr, &operands, &format!("the operator {}", op.symbol()), true);
                if self.effects.gives_number(&unit, left, op, right) {
                    value = as_frozen(value);
                }
                if effects::makes_view_set(&unit, expr) {
                    value.located.set_traits(Traits { ordered: false, ..Traits::CONTAINER });
                }
                if op == BinaryOperator::Mod && matches!(tree[left].kind, ExprKind::Str(_)) {
                    self.doubt_text(&mut value, &operands, self.expr_range(expr));
                }
                value
            }
            ExprKind::UnaryOp { operand, op } => {
                let value = self.check_expr(operand);
                if let Some(value) = self.unary_operator(expr, op, (operand, &value)) {
                    return value;
                }
                self.meet_locations(expr, &[(operand, value)], "this operator", true)
            }
            ExprKind::Compare { left, comparators, ops } => {
                let mut operands = vec![(left, self.check_expr(left))];
                for (at, &comparator) in tree[comparators].iter().enumerate() {
                    let value = if at == 0 {
                        self.check_expr(comparator)
                    } else {
                        self.check_behind_barrier(
                            "a chained comparison, whose later parts may not be evaluated",
                            |checker| checker.check_expr(comparator),
                        )
                    };
                    operands.push((comparator, value));
                }
                if let Some(value) = self.check_comparison(expr, &tree[ops], &operands) {
                    return value;
                }
                let mut value = as_frozen(self.meet_locations(expr, &operands, "this comparison", true));
                if effects::compares_identity(&unit, expr) {
                    let range = self.expr_range(expr);
                    let what = "compares identities, which copies do not share".to_owned();
                    self.mark_uncertain(&mut value, Cause { unit: unit.id, range, what }, range);
                }
                value
            }
            ExprKind::BoolOp { values, .. } => {
                let mut operands = Vec::new();
                for (at, &operand) in tree[values].iter().enumerate() {
                    let value = if at == 0 {
                        self.check_expr(operand)
                    } else {
                        self.check_behind_barrier("a short-circuit operand, which may not be evaluated", |checker| {
                            checker.check_expr(operand)
                        })
                    };
                    operands.push((operand, value));
                }
                self.meet_locations(expr, &operands, "this short-circuit operator", false)
            }
            ExprKind::IfExp { test, body, orelse } => {
                let mut operands = Vec::new();
                for part in [test, body, orelse] {
                    let value =
                        self.check_behind_barrier("a conditional expression", |checker| checker.check_expr(part));
                    operands.push((part, value));
                }
                self.meet_locations(expr, &operands, "this conditional expression", false)
            }
            ExprKind::FString { .. } | ExprKind::TString { .. } => {
                let mut operands = Vec::new();
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        operands.push((child, self.check_expr(child)));
                    }
                }
                let mut value = as_frozen(self.meet_locations(expr, &operands, "this f-string", true));
                self.doubt_text(&mut value, &operands, self.expr_range(expr));
                value
            }
            ExprKind::Tuple { elements, context: Context::Load, .. } => {
                let mut operands = Vec::new();
                for &element in &tree[elements] {
                    operands.push((element, self.check_expr(element)));
                }
                self.check_tuple(expr, &operands)
            }
            ExprKind::List { .. }
            | ExprKind::Set { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Starred { .. }
            | ExprKind::Tuple { .. } => {
                let mut operands = Vec::new();
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        operands.push((child, self.check_expr(child)));
                    }
                }
                let mut value = self.meet_locations(expr, &operands, "this display", false);
                let parts = value.located.traits();
                value.located.set_traits(match tree[expr].kind {
                    ExprKind::Slice { .. } => Traits::FROZEN,
                    ExprKind::Starred { .. } => parts.of_items(),
                    ExprKind::Tuple { .. } => Traits { frozen_items: parts.frozen, ..parts },
                    // The order of a set differs from process to process.
                    ExprKind::Set { .. } => Traits { ordered: false, ..parts.of_container() },
                    _ => parts.of_container(),
                });
                if let ExprKind::Starred { .. } = tree[expr].kind {
                    self.doubt_unordered(&mut value, &operands, self.expr_range(expr));
                }
                value
            }
            ExprKind::Lambda { .. } => self.local_code(expr, self.expr_range(expr), "a lambda"),
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => self.local_code(expr, self.expr_range(expr), "a comprehension"),
            ExprKind::Named { target, value } => {
                let found = self.check_behind_barrier("an assignment expression", |checker| checker.check_expr(value));
                self.bind_target(target, &found, value);
                LocatedValue::of_held_object(found.located)
            }
            ExprKind::Await { .. } => {
                self.report_error(
                    ChoreoRule::Unsupported,
                    self.expr_range(expr),
                    "a choreography cannot await: the order of its messages would depend on the event loop",
                );
                LocatedValue::of_unknown()
            }
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {
                self.report_error(
                    ChoreoRule::Unsupported,
                    self.expr_range(expr),
                    "a choreographic method cannot be a generator: the other roles could not resume it",
                )
                .add_help("send each value with com, or yield in plain helper code");
                LocatedValue::of_unknown()
            }
            ExprKind::Call { function, arguments } => self.check_call(expr, function, arguments),
            ExprKind::IpyEscape(_) => LocatedValue::of_unknown(),
        }
    }

    /// Checks something that messages may not be part of.
    pub(super) fn check_behind_barrier<T>(&mut self, barrier: &'static str, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.barrier.replace(barrier);
        let result = check(self);
        self.barrier = outer;
        result
    }

    /// The place where values meet: the roles that have all of them.
    pub(super) fn meet_locations(
        &mut self,
        expr: ExprId,
        operands: &[(ExprId, LocatedValue)],
        what: &str,
        fresh: bool,
    ) -> LocatedValue {
        let mut roles: Option<(RoleSet, ExprId)> = None;
        let mut certain = true;
        let mut traits = Traits::FROZEN;
        let mut holders = RoleSet::EMPTY;
        let mut unknown = false;
        for (operand, value) in operands {
            let plain = match value.located.as_plain() {
                Some(plain) => plain,
                None if value.located == Located::Unknown => {
                    unknown = true;
                    continue;
                }
                None => {
                    let found = self.describe_location(&value.located);
                    let range = self.expr_range(*operand);
                    let wanted = match &value.located {
                        Located::Tuple(_) => "values at one role",
                        _ => "plain values",
                    };
                    self.report_error(ChoreoRule::MixedRoles, range, format!("{what} takes {wanted}, found {found}"));
                    unknown = true;
                    continue;
                }
            };
            // What is made new holds what its operands hold; otherwise it may be one of them.
            let own = plain.traits();
            if if fresh { !own.frozen_items } else { !own.frozen } {
                holders = holders.union(value.holders);
            }
            traits = traits.both(own);
            match plain {
                Located::Free(free) => certain &= free.certain,
                Located::At(at) => match roles {
                    None => roles = Some((at.roles, *operand)),
                    Some((before, first)) => {
                        let meet = before.intersection(at.roles);
                        if meet.is_empty() {
                            self.check_mixed_places(expr, first, before, *operand, at.roles, what);
                            return LocatedValue::of_unknown();
                        }
                        roles = Some((meet, first));
                    }
                },
                _ => unknown = true,
            }
        }
        match roles {
            _ if unknown => LocatedValue::of_unknown(),
            None => LocatedValue { located: Located::Free(Free { certain, traits }), holders },
            Some((roles, _)) => {
                if roles.len() > 1 && !certain {
                    let names = roles.describe_roles(&self.class.roles);
                    self.report_error(
                        ChoreoRule::UnequalCopies,
                        self.expr_range(expr),
                        format!("{names} each compute this, and may get different values"),
                    )
                    .add_help("compute it at one role and send it to the others");
                    self.explain_cause(expr);
                }
                LocatedValue { located: Located::at(roles, traits), holders }
            }
        }
    }

    /// `owner[index]`: a part of the owner, or a copy of some of its parts.
    fn check_subscript(
        &mut self,
        expr: ExprId,
        owner: (ExprId, LocatedValue),
        index: (ExprId, LocatedValue),
    ) -> LocatedValue {
        let sliced = matches!(self.unit.tree[index.0].kind, ExprKind::Slice { .. });
        let traits = owner.1.located.traits();
        let holders = if traits.frozen_items { RoleSet::EMPTY } else { owner.1.holders };
        let key = LocatedValue::newly_created(index.1.located);
        let mut value = self.meet_locations(expr, &[owner, (index.0, key)], "this subscript", false);
        value.located.set_traits(if sliced { traits } else { traits.of_items() });
        value.holders = holders;
        value
    }

    fn check_mixed_places(
        &mut self,
        expr: ExprId,
        first: ExprId,
        before: RoleSet,
        second: ExprId,
        now: RoleSet,
        what: &str,
    ) {
        let unit = Rc::clone(&self.unit);
        let (before_names, now_names) =
            (before.describe_roles(&self.class.roles), now.describe_roles(&self.class.roles));
        let from = Located::at(now, Traits::FROZEN);
        let help = self.suggest_transport(&from, &Located::at(before, Traits::FROZEN));
        let range = self.expr_range(expr);
        let finding = self
            .report
            .add_error(
                ChoreoRule::MixedRoles,
                &unit,
                range,
                format!("{what} mixes roles: {before_names} and {now_names}"),
            )
            .annotate_span(unit.span(unit.tree[first].range), format!("at {before_names}"))
            .annotate_span(unit.span(unit.tree[second].range), format!("at {now_names}"));
        if let Some(help) = help {
            finding.add_help(help);
        }
    }

    fn check_tuple(&mut self, expr: ExprId, operands: &[(ExprId, LocatedValue)]) -> LocatedValue {
        if operands.iter().any(|(_, value)| value.located == Located::Unknown) {
            return LocatedValue::of_unknown();
        }
        let places: FxHashSet<u64> = operands
            .iter()
            .filter(|(_, value)| !matches!(value.located, Located::Free(_)))
            .map(|(_, value)| value.located.roles().iter().fold(0, |bits, role| bits | (1 << role.0)))
            .collect();
        let simple = operands.iter().all(|(_, value)| matches!(value.located, Located::Free(_) | Located::At(_)));
        if simple && places.len() <= 1 {
            let mut value = self.meet_locations(expr, operands, "this tuple", false);
            let traits = value.located.traits();
            value.located.set_traits(Traits { frozen_items: traits.frozen, ..traits });
            return value;
        }
        let parts = operands.iter().map(|(_, value)| value.located.clone()).collect();
        let holders = operands
            .iter()
            .filter(|(_, value)| !value.located.traits().frozen)
            .fold(RoleSet::EMPTY, |holders, (_, value)| holders.union(value.holders));
        LocatedValue { located: Located::Tuple(parts), holders }
    }

    /// Whether an expression is an iterator that can be gone through once.
    pub(super) fn is_used_up(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Generator { .. } => true,
            ExprKind::Call { function, .. } => {
                let text = self.unit.expr_text(function);
                matches!(text, "map" | "filter" | "zip" | "enumerate" | "reversed" | "iter")
                    || text.starts_with("itertools.")
            }
            _ => false,
        }
    }

    /// Gives a variable a value.
    pub(super) fn bind_variable(&mut self, name: &str, range: TextRange, value: &LocatedValue, expr: ExprId) {
        let located = self.with_stored_contents(Some(name), value.located.clone());
        match self.locals.get(name).cloned() {
            Some(local) if local.annotated => {
                let span = self.unit.span(local.range);
                self.check_required(expr, value, &local.located, name, span);
            }
            Some(local) => {
                let joined = self.join_locations(&local.located, &located);
                let first = local.range;
                self.locals.insert(name.to_owned(), Local { located: joined.clone(), annotated: false, range: first });
                if !self.report.quiet {
                    let before = self.report.findings.len();
                    let fits = self.check_assignable(expr, value, &joined, &format!("the variable {name}"));
                    if let (false, Some(local)) = (fits, self.locals.get_mut(name)) {
                        // One complaint is enough: nothing is said about uses of a variable without a place.
                        local.located = Located::Unknown;
                    }
                    if self.report.findings.len() > before && first != range {
                        let span = self.unit.span(first);
                        let message = format!("{name} is first bound here");
                        let finding = self.report.findings.last_mut().expect("a finding was added");
                        finding.annotate_span(span, message);
                        if matches!((&local.located, &value.located), (Located::At(_), Located::At(_))) {
                            finding.add_help("a variable lives at one role: use another name for this value");
                        }
                    }
                }
            }
            None => {
                if !self.report.quiet {
                    self.check_assignable(expr, value, &located, name);
                }
                self.locals.insert(name.to_owned(), Local { located, annotated: false, range });
            }
        }
    }
}

fn as_frozen(mut value: LocatedValue) -> LocatedValue {
    value.located.set_traits(Traits::FROZEN);
    value.holders = RoleSet::EMPTY;
    value
}

pub(super) fn parameter_names(tree: &pytrope_source::Tree, parameters: pytrope_source::tree::Parameters) -> Vec<&str> {
    let mut names = Vec::new();
    for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
        names.extend(tree[list].iter().map(|parameter| tree.text(parameter.name.name)));
    }
    for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
        names.push(tree.text(spread.name.name));
    }
    names
}
