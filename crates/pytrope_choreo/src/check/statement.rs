//! Statements: who decides, who stores, and what may interrupt whom.

use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, List, PatternId, StmtId, StmtKind};

use super::{Checker, LocatedValue, SuiteFrame};
use crate::declaration::{Meaning, Surface};
use crate::effects::summary_parameters;
use crate::facts::{Action, Local};
use crate::located::{Located, Traits};
use crate::report::{ChoreoRule, Extend, WITHOUT_ELSE};
use crate::role::RoleSet;

/// Where no message may pass, since the others could not tell its turn.
pub(super) const ONE_OF_SEVERAL: &str = "one of several targets";

impl Checker<'_> {
    pub(super) fn check_suite(&mut self, body: List<StmtId>, is_loop: bool) {
        let unit = Rc::clone(&self.unit);
        self.frames.push(SuiteFrame { body, at: 0, is_loop });
        for (at, &stmt) in unit.tree[body].iter().enumerate() {
            if let Some(frame) = self.frames.last_mut() {
                frame.at = at;
            }
            self.check_stmt(stmt);
        }
        self.frames.pop();
    }

    /// Checks a part on its own: the roles that act in it, and whether messages pass in it.
    pub(super) fn check_scoped(&mut self, check: impl FnOnce(&mut Self)) -> (RoleSet, bool) {
        let (involved, communicates) = (self.involved, self.communicates);
        self.involved = RoleSet::EMPTY;
        self.communicates = false;
        check(self);
        let inner = (self.involved, self.communicates);
        self.involved = self.involved.union(involved);
        self.communicates |= communicates;
        inner
    }

    fn check_stmt(&mut self, stmt: StmtId) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let range = tree[stmt].range;
        match tree[stmt].kind {
            StmtKind::Expr { value } => self.expression_statement(value),
            StmtKind::Assign { targets, value } => {
                let mut found = self.check_expr(value);
                if self.is_used_up(value) && !self.effects.is_gone_through(self.world, &unit, value) {
                    // An iterator is empty once it was gone through, at the role that did so.
                    found.located.set_traits(Traits::UNKNOWN);
                }
                match &tree[targets] {
                    &[target] => self.bind_target(target, &found, value),
                    several => {
                        for &target in several {
                            self.check_behind_barrier(ONE_OF_SEVERAL, |checker| {
                                checker.bind_target(target, &found, value);
                            });
                        }
                    }
                }
            }
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                self.check_annotated_assignment(target, annotation, value);
            }
            StmtKind::AugAssign { target, value, op } => {
                let present = self.check_expr(target);
                let before = LocatedValue::newly_created(present.located.clone());
                if let Located::Object { .. } = before.located {
                    self.refuse_augmented(range, target, op.symbol(), value);
                    return;
                }
                let found = self.check_expr(value);
                let added = found.located.traits().of_items();
                let ordered = present.located.traits().ordered;
                let combined = self.meet_locations(
                    value,
                    &[(target, before), (value, found.clone())],
                    &format!("the operator {}=", op.symbol()),
                    true,
                );
                if tree.as_name(target).is_some() {
                    // `ys += [1]` changes a list that other names may lead to.
                    let at = match &combined.located {
                        Located::At(at) => Some(at.roles),
                        _ => None,
                    };
                    self.note_change(target, target, &present, at);
                    self.note_stored(present.located.traits(), added);
                }
                let mut combined = LocatedValue::newly_created(combined.located);
                if ordered {
                    // A list takes the items of a set in the order that they have in the process.
                    self.doubt_unordered(&mut combined, &[(value, found)], range);
                }
                self.bind_target(target, &combined, value);
            }
            StmtKind::Return { value } => self.return_value(range, value),
            StmtKind::If { test, body, clauses } => {
                self.check_condition(test);
                self.check_suite(body, false);
                for clause in &tree[clauses] {
                    if let Some(test) = clause.test {
                        self.check_condition(test);
                    }
                    self.check_suite(clause.body, false);
                }
            }
            StmtKind::While { test, body, orelse } => {
                self.check_condition(test);
                let (_, communicates) = self.check_scoped(|checker| {
                    checker.check_suite(body, true);
                    checker.check_suite(orelse, false);
                });
                if communicates && !orelse.is_empty() {
                    self.report_error(
                        ChoreoRule::Unsupported,
                        range,
                        "a loop with messages in it cannot have an else clause",
                    )
                    .add_help(WITHOUT_ELSE);
                }
            }
            StmtKind::For { target, iter, body, orelse, is_async } => {
                if is_async {
                    self.report_error(ChoreoRule::Unsupported, range, "a choreography cannot use async for");
                }
                self.for_loop(stmt, target, iter, body, orelse);
            }
            StmtKind::Match { subject, cases } => {
                let value = self.check_expr(subject);
                let roles = self.deciding_roles(subject, &value);
                for case in &tree[cases] {
                    self.check_pattern(case.pattern, &value.located, subject);
                    if let Some(guard) = case.guard {
                        let found =
                            self.check_behind_barrier("the guard of a case", |checker| checker.check_expr(guard));
                        self.meet_locations(guard, &[(subject, value.clone()), (guard, found)], "this guard", true);
                    }
                    self.check_suite(case.body, false);
                }
                self.involve_roles(roles);
            }
            StmtKind::With { items, body, is_async } => {
                if is_async {
                    self.report_error(ChoreoRule::Unsupported, range, "a choreography cannot use async with");
                }
                let mut entered: Vec<(ExprId, LocatedValue)> = Vec::new();
                let (roles, communicates) = self.check_scoped(|checker| {
                    for item in &tree[items] {
                        let value = checker.check_behind_barrier("the head of a with statement", |checker| {
                            checker.check_expr(item.context)
                        });
                        checker.involve_roles(value.located.roles());
                        entered.push((item.context, value.clone()));
                        if let Some(target) = item.target {
                            let value = LocatedValue::newly_created(value.located);
                            if let (Located::Free(_), Some(name)) = (&value.located, tree.as_name(target)) {
                                let name = tree.text(name).to_owned();
                                checker.locals.entry(name).or_insert(Local {
                                    located: Located::OPEN,
                                    annotated: false,
                                    range: tree[target].range,
                                });
                            } else {
                                checker.bind_target(target, &value, item.context);
                            }
                        }
                    }
                    checker.check_suite(body, false);
                });
                for (context, value) in entered {
                    // Entering and leaving an object change it.
                    self.note_change(context, context, &value, (!roles.is_empty()).then_some(roles));
                }
                self.one_place(range, roles, communicates, "a with statement");
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.try_statement(stmt, body, &tree[handlers], orelse, finalbody);
            }
            StmtKind::Raise { exception, cause } => {
                let mut roles = RoleSet::EMPTY;
                for part in [exception, cause].into_iter().flatten() {
                    let value = self.check_behind_barrier("a raise statement", |checker| checker.check_expr(part));
                    roles = roles.union(value.located.roles());
                }
                if roles.is_empty() {
                    roles = self.innermost_decider(stmt);
                }
                self.involve_roles(roles);
                // What a handler passes on was raised before; nothing more is interrupted by it.
                let passed_on = self.is_passed_on(stmt);
                if !roles.is_empty() && roles != self.all_roles() && !passed_on {
                    self.raise_point(range, None);
                }
                let abstract_body = tree[self.method.function.body].len() <= 2 && self.frames.len() == 1;
                self.may_raise |= !abstract_body && !passed_on;
            }
            StmtKind::Assert { test, message } => {
                let mut operands = Vec::new();
                for part in [Some(test), message].into_iter().flatten() {
                    let value = self.check_behind_barrier("an assert statement", |checker| checker.check_expr(part));
                    operands.push((part, value));
                }
                let value = self.meet_locations(test, &operands, "this assertion", true);
                self.involve_roles(value.located.roles());
            }
            StmtKind::Delete { targets } => {
                for &target in &tree[targets] {
                    self.check_behind_barrier("a del statement", |checker| checker.check_deletion(target));
                }
            }
            StmtKind::FunctionDef(function) => {
                let name = tree.text(function.name.name).to_owned();
                if self.has_located_signature(function) {
                    let message = format!("{name} is defined inside a method, and its signature has roles");
                    self.report_error(ChoreoRule::Unsupported, function.name.range, message)
                        .add_help("make it a method, or a function of the module");
                    return;
                }
                self.local_definition(name, range, "a nested function");
            }
            StmtKind::ClassDef(class) => {
                let name = tree.text(class.name.name).to_owned();
                self.local_definition(name.clone(), range, "a nested class");
                if let Some(local) = self.locals.get_mut(&name) {
                    // What its body binds can change, and so can the attributes that are set on it.
                    local.located.set_traits(Traits { shown: false, ..Traits::OPAQUE });
                }
            }
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    let bound = alias.asname.unwrap_or(alias.name);
                    let name = tree.text(bound.name).split('.').next().unwrap_or_default().to_owned();
                    let local = Local { located: Located::CONSTANT, annotated: false, range: alias.range };
                    self.locals.insert(name, local);
                }
            }
            StmtKind::Global { .. } | StmtKind::Nonlocal { .. } => {
                self.report_error(
                    ChoreoRule::Unsupported,
                    range,
                    "a choreographic method cannot rebind names outside it: every role has its own copy",
                )
                .add_help("keep the state in a field with a role: self.x: At[T, Role]");
            }
            StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::TypeAlias { .. }
            | StmtKind::IpyEscape(_) => {}
        }
    }

    fn has_located_signature(&self, function: FunctionDefinition) -> bool {
        let unit = &self.unit;
        let parameters = summary_parameters(unit, function).into_iter().filter_map(|parameter| parameter.annotation);
        parameters.chain(function.returns).any(|annotation| {
            let mut parts = unit.exprs_within(unit.tree[annotation].range);
            parts.any(|part| matches!(unit.binding(part), Some(Meaning::Surface(Surface::At))))
        })
    }

    fn expression_statement(&mut self, value: ExprId) {
        if matches!(self.unit.tree[value].kind, ExprKind::Str(_) | ExprKind::Ellipsis) {
            return;
        }
        self.unused = Some(value);
        let found = self.check_expr(value);
        self.unused = None;
        self.involve_roles(found.located.roles());
        if let Located::Free(free) = found.located
            && !free.certain
        {
            let help = self.placed_call(value);
            let message = self.no_role_message("do");
            self.report_error(ChoreoRule::NoRole, self.expr_range(value), message).add_help(help);
            self.explain_cause(value);
        }
    }

    /// How a call without a role could be given one.
    fn placed_call(&self, value: ExprId) -> String {
        let tree = &self.unit.tree;
        let role = self.innermost_decider(tree.stmt_of(value).unwrap_or(self.method.stmt)).iter().next();
        let place = self.place_marker(role.unwrap_or(crate::role::RoleId(0)));
        if let ExprKind::Call { function, arguments } = tree[value].kind {
            let function = self.unit.expr_text(function);
            match &tree[arguments.positional] {
                [first, ..] if self.unit.expr_text(*first).len() < 30 => {
                    return format!(
                        "give one argument a role: `{function}({} @ {place}, …)`",
                        self.unit.expr_text(*first)
                    );
                }
                [] => return format!("give it a role: `{function}() @ {place}`"),
                _ => {}
            }
        }
        format!("give one argument a role: `value @ {place}`")
    }

    fn return_value(&mut self, range: TextRange, value: Option<ExprId>) {
        let Some(value) = value else {
            if matches!(self.returns, Located::At(_) | Located::Tuple(_) | Located::Object { .. })
                && self.method.returns.is_some()
            {
                let required = self.describe_location(&self.returns.clone());
                self.report_error(
                    ChoreoRule::RoleMismatch,
                    range,
                    format!("the result requires {required}, found nothing"),
                );
            }
            return;
        };
        let found = self.check_expr(value);
        if let Some(declared) = &self.method.returns {
            let declared = declared.clone();
            if found.located == Located::Nothing && declared == Located::Nothing {
                return;
            }
            let returns = self.method.function.returns.map_or(range, |returns| self.expr_range(returns));
            let span = self.unit.span(returns);
            self.check_required(value, &found, &declared, "the result", span);
        } else {
            let plain = match &found.located {
                Located::Free(free) if !free.certain => Located::OPEN,
                other => other.clone(),
            };
            self.returns = self.join_locations(&self.returns.clone(), &plain);
            let joined = self.returns.clone();
            if !self.report.quiet && joined != Located::Nothing {
                self.check_assignable(value, &found, &joined, "the result");
            }
        }
        self.involve_roles(self.returns.roles());
    }

    /// A condition: the roles that can decide it.
    fn check_condition(&mut self, test: ExprId) {
        let value = self.check_expr(test);
        let roles = self.deciding_roles(test, &value);
        self.involve_roles(roles);
    }

    fn deciding_roles(&mut self, test: ExprId, value: &LocatedValue) -> RoleSet {
        match value.located.as_plain() {
            Some(Located::At(at)) => at.roles,
            Some(Located::Free(free)) => {
                if !free.certain {
                    let message = self.no_role_message("decide");
                    self.report_error(ChoreoRule::NoRole, self.expr_range(test), message)
                        .add_help("compute the condition at a role: `c: At[bool, A] = …`");
                    self.explain_cause(test);
                }
                RoleSet::EMPTY
            }
            _ => {
                if value.located != Located::Unknown {
                    let found = self.describe_location(&value.located);
                    self.report_error(
                        ChoreoRule::MixedRoles,
                        self.expr_range(test),
                        format!("a condition is a plain value, found {found}"),
                    );
                }
                RoleSet::EMPTY
            }
        }
    }

    fn for_loop(&mut self, stmt: StmtId, target: ExprId, iter: ExprId, body: List<StmtId>, orelse: List<StmtId>) {
        if self.loops_over_channels(stmt, target, iter) {
            return;
        }
        let range = self.unit.tree[stmt].range;
        let mut value = self.check_expr(iter);
        if matches!(value.located, Located::Free(_)) {
            let operand = [(iter, value.clone())];
            self.doubt_unordered(&mut value, &operand, self.expr_range(iter));
        }
        let roles = self.deciding_roles(iter, &value);
        self.involve_roles(roles);
        let item = match value.located.as_plain() {
            // Who decides such a loop was asked already.
            Some(Located::Free(free)) if !free.certain => Located::Unknown,
            Some(plain) => plain,
            None => Located::Unknown,
        };
        let traits = value.located.traits();
        let mut item = item;
        item.set_traits(if self.has_frozen_items(iter) { Traits::FROZEN } else { traits.of_items() });
        let mut item = value.with_location(item);
        if traits.frozen_items {
            item.holders = RoleSet::EMPTY;
        }
        self.check_behind_barrier("the target of a loop", |checker| checker.bind_target(target, &item, iter));
        let (_, communicates) = self.check_scoped(|checker| {
            checker.check_suite(body, true);
            checker.check_suite(orelse, false);
        });
        if !communicates {
            return;
        }
        if !orelse.is_empty() {
            self.report_error(ChoreoRule::Unsupported, range, "a loop with messages in it cannot have an else clause")
                .add_help(WITHOUT_ELSE);
        }
        match value.located {
            Located::At(at) if at.roles.len() > 1 && !at.traits.ordered => {
                let roles = at.roles.describe_roles(&self.class.roles);
                self.report_error(
                    ChoreoRule::UnequalCopies,
                    self.expr_range(iter),
                    format!("the loops at {roles} may differ: it has no order that is the same in every process"),
                )
                .add_help("loop over a tuple, a list or sorted(…)");
            }
            _ => {}
        }
    }

    /// Whether what a loop goes over has items that cannot be changed: a range, constants, or these counted or paired.
    fn has_frozen_items(&self, iter: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[iter].kind {
            ExprKind::Call { function, arguments } => match self.unit.expr_text(function) {
                "range" => true,
                "enumerate" | "zip" | "reversed" | "sorted" => {
                    arguments.keywords.is_empty()
                        && tree[arguments.positional].iter().all(|&argument| self.has_frozen_items(argument))
                }
                _ => false,
            },
            _ => crate::scan::is_immutable(&self.unit, iter),
        }
    }

    fn check_pattern(&mut self, pattern: PatternId, subject: &Located, expr: ExprId) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        for value in tree.pattern_exprs(pattern) {
            self.check_expr(value);
        }
        let located = subject.as_plain().unwrap_or(Located::Unknown);
        for name in tree.pattern_captures(pattern) {
            let mut located = located.clone();
            located.set_traits(located.traits().of_items());
            let value = LocatedValue::of_held_object(located);
            self.bind_variable(tree.text(name.name), name.range, &value, expr);
        }
    }

    /// `try` and `with` run at one role and neither enclose nor interrupt messages.
    pub(super) fn one_place(&mut self, range: TextRange, roles: RoleSet, communicates: bool, what: &str) {
        if communicates {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                range,
                format!("messages pass inside {what}: if it is left early at one role, the others wait forever"),
            )
            .add_help("compute the value inside the block and communicate after it");
        } else if roles.len() > 1 {
            let names = roles.describe_roles(&self.class.roles);
            self.report_error(
                ChoreoRule::MixedRoles,
                range,
                format!("{what} belongs to one role, but this one concerns {names}"),
            )
            .add_help("write one for each role");
        }
    }

    /// The roles that decided the branch a statement stands in; none outside branches.
    fn innermost_decider(&self, stmt: StmtId) -> RoleSet {
        let tree = &self.unit.tree;
        let mut at = tree.enclosing(stmt);
        while let Some(outer) = at {
            let test = match tree[outer].kind {
                StmtKind::If { test, .. } | StmtKind::While { test, .. } => Some(test),
                StmtKind::Match { subject, .. } => Some(subject),
                StmtKind::For { iter, .. } => Some(iter),
                StmtKind::FunctionDef(_) => return RoleSet::EMPTY,
                _ => None,
            };
            let roles = match tree[outer].kind {
                // What belongs to one role belongs to it with all that is inside.
                StmtKind::Try { .. } | StmtKind::With { .. } => {
                    self.facts.file_table(self.unit.id).roles_in(&self.unit, tree[outer].range)
                }
                _ => test.map_or(RoleSet::EMPTY, |test| self.recorded_info(test).located.roles()),
            };
            if !roles.is_empty() {
                return roles;
            }
            at = tree.enclosing(outer);
        }
        RoleSet::EMPTY
    }

    /// Something may be raised here at one role: no message may follow.
    pub(super) fn raise_point(&mut self, range: TextRange, callee: Option<&str>) {
        let what = match callee {
            Some(callee) => format!("{callee} may raise at one role or be left early"),
            None => "this is raised at one role".to_owned(),
        };
        self.no_message_follows(range, &what, "tell the others first with a select, and let all of them end there");
    }

    /// Messages behind a point that one role may not reach would be waited for in vain.
    pub(super) fn no_message_follows(&mut self, range: TextRange, what: &str, help: &str) {
        let unit = Rc::clone(&self.unit);
        let Some(message) = self.following_message() else { return };
        let span = unit.span(unit.tree[message].range);
        self.report_error(
            ChoreoRule::InterruptedCommunication,
            range,
            format!("{what}, and the others would wait for messages that never come"),
        )
        .annotate_span(span, "a message that would be missing")
        .add_help(help);
    }

    /// A message that follows, in this statement's suites or the next turn of a loop; what is behind a `try` from which all
    /// roles recover is not missed by any of them.
    pub(super) fn following_message(&self) -> Option<ExprId> {
        let unit = &self.unit;
        for (depth, frame) in self.frames.iter().enumerate().rev() {
            if self.attempts.contains(&depth) {
                return None;
            }
            let body = &unit.tree[frame.body];
            let from = if frame.is_loop { 0 } else { frame.at + 1 };
            let follows = body[from..].iter().find_map(|&stmt| self.first_message(stmt));
            if follows.is_some() {
                return follows;
            }
        }
        None
    }

    pub(super) fn first_message(&self, stmt: StmtId) -> Option<ExprId> {
        let table = self.facts.file_table(self.unit.id);
        self.unit.exprs_within(self.unit.tree[stmt].range).find(|&expr| {
            table.info_of(expr).communicates
                && matches!(
                    table.action_of(expr),
                    Some(
                        Action::Com { .. }
                            | Action::Select { .. }
                            | Action::Invoke { .. }
                            | Action::Construct { .. }
                            | Action::Apply { .. }
                    )
                )
        })
    }
}
