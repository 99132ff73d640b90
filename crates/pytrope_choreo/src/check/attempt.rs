//! `try`: local ones belong to one role; around messages every role that takes part handles the failure.

use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, Handler, List, StmtId, StmtKind};

use super::Checker;
use super::recovery::TryParts;
use crate::declaration::{Unit, World};
use crate::facts::{Action, Local, LocationFacts};
use crate::located::{Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Checker<'_> {
    pub(super) fn try_statement(
        &mut self,
        stmt: StmtId,
        body: List<StmtId>,
        handlers: &[Handler],
        orelse: List<StmtId>,
        finalbody: List<StmtId>,
    ) {
        let unit = Rc::clone(&self.unit);
        let range = unit.tree[stmt].range;
        let may_raise = self.may_raise;
        let recovers = self.is_recovery(stmt);
        if recovers {
            self.attempts.push(self.frames.len());
        }
        let (body_roles, body_communicates) = self.check_scoped(|checker| checker.check_suite(body, false));
        if recovers {
            self.attempts.pop();
        }
        let catches_all = handlers.iter().any(|handler| {
            let class = handler.class.map(|class| self.unit.expr_text(class).to_owned());
            matches!(class.as_deref(), None | Some("Exception" | "BaseException"))
        });
        if catches_all || recovers {
            self.may_raise = may_raise;
        }
        let (rest_roles, rest_communicates) = self.check_scoped(|checker| {
            for handler in handlers {
                if let Some(class) = handler.class {
                    checker.check_expr(class);
                }
                if let Some(name) = handler.name {
                    let name_text = checker.unit.tree.text(name.name).to_owned();
                    let located =
                        if body_roles.len() == 1 { Located::at(body_roles, Traits::OPAQUE) } else { Located::OPEN };
                    checker.locals.insert(name_text, Local { located, annotated: false, range: name.range });
                }
                checker.check_suite(handler.body, false);
            }
            checker.check_suite(orelse, false);
        });
        let (last_roles, last_communicates) = self.check_scoped(|checker| checker.check_suite(finalbody, false));
        let rest_communicates = rest_communicates || last_communicates;
        let swallows: Vec<&Handler> = handlers.iter().filter(|handler| !passes_on(&unit, handler.body)).collect();
        if body_communicates && !swallows.is_empty() && (rest_communicates || self.following_message().is_some()) {
            self.recover_together(TryParts { stmt, body, handlers, finalbody });
            return;
        }
        if !body_communicates || rest_communicates {
            let roles = body_roles.union(rest_roles).union(last_roles);
            self.one_place(range, roles, body_communicates || rest_communicates, "a try statement");
            return;
        }
        if let Some(call) = unit.exprs_within(range).find(|&expr| self.calls_recovery(expr)) {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                self.expr_range(call),
                "all roles recover in the method that this calls, and the call stands inside a try statement with messages",
            )
            .add_help("recover in one of the two only");
            return;
        }
        self.handlers_are_reached(body, handlers, rest_roles);
        if swallows.is_empty() {
            // Nothing is swallowed, so no role goes on where another stopped.
            return;
        }
        self.handled_by_all(range, body, &swallows);
        self.refuse_writes_around_failure(range);
    }

    /// A role learns of a failure by the messages that it waits for: without any it would enter no handler.
    fn handlers_are_reached(&mut self, body: List<StmtId>, handlers: &[Handler], roles: RoleSet) {
        let unit = Rc::clone(&self.unit);
        let table = self.facts.file_table(unit.id);
        let acting = unit.tree[body]
            .iter()
            .flat_map(|&stmt| unit.exprs_within(unit.tree[stmt].range))
            .filter(|&expr| table.info_of(expr).communicates)
            .fold(RoleSet::EMPTY, |roles, expr| roles.union(table.info_of(expr).acts));
        let others = roles.without(acting);
        let Some(first) = handlers.first().filter(|_| !others.is_empty()) else { return };
        let names = others.describe_roles(&self.class.roles);
        self.report_error(
            ChoreoRule::MisplacedCommunication,
            first.range,
            format!("{names} takes no part in the messages of this try statement, so it would not learn of a failure"),
        )
        .add_help("handle the failure at the roles that communicate in it");
    }

    /// Messages inside a `try` that goes on after a failure: the others learn of it by a `ChoreoError`, and handle that.
    fn handled_by_all(&mut self, range: TextRange, body: List<StmtId>, swallows: &[&Handler]) {
        let unit = Rc::clone(&self.unit);
        let handled = swallows.iter().any(|handler| handler.class.is_none_or(|class| catches_failures(&unit, class)));
        if !handled {
            let class = swallows.first().and_then(|handler| handler.class);
            let at = class.map_or(range, |class| self.expr_range(class));
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                at,
                "messages pass inside a try statement, and only the role that fails would handle this",
            )
            .add_help(
                "catch ChoreoError too (from pytrope.choreo), through which the other roles learn of the failure",
            );
            return;
        }
        let unnamed = unit.tree[body].iter().find_map(|&stmt| unnamed_call(self.world, self.facts, &unit, stmt));
        if let Some(call) = unnamed {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                self.expr_range(call),
                "this call communicates on channels that have no name here, so a handler could not close them",
            )
            .add_help("put the try statement into the method that has the channels");
            return;
        }
        // To a caller it is as if something might be raised: no message may follow there either.
        self.may_raise = true;
    }

    /// A role that is done before another fails does not enter its handler: what both of them assign may differ.
    pub(super) fn refuse_writes_around_failure(&mut self, range: TextRange) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let written = unit.exprs_within(range).find(|&expr| match tree[expr].kind {
            ExprKind::Name { name, context: pytrope_source::tree::Context::Store } => self
                .locals
                .get(tree.text(name))
                .is_some_and(|local| matches!(local.located, Located::Free(free) if free.certain)),
            _ => self.facts.file_table(unit.id).writes.contains_key(&expr),
        });
        let Some(expr) = written else { return };
        let names: Vec<&str> = self.class.roles.iter().map(String::as_str).take(2).collect();
        let message = format!(
            "`{}` may end up different at {}: a role that has finished its part before another fails does not enter the handler",
            unit.expr_text(expr),
            names.join(" and ")
        );
        self.report_error(ChoreoRule::UnequalCopies, self.expr_range(expr), message)
            .add_help("give the variable a role, or assign it before or after the try statement");
    }

    /// Whether a `raise` only passes on, to all roles alike, what its handler has caught.
    pub(super) fn is_passed_on(&self, stmt: StmtId) -> bool {
        let tree = &self.unit.tree;
        let (Some(outer), StmtKind::Raise { exception, .. }) = (tree.enclosing(stmt), tree[stmt].kind) else {
            return false;
        };
        let StmtKind::Try { body, handlers, .. } = tree[outer].kind else { return false };
        let table = self.facts.file_table(self.unit.id);
        let communicates =
            |stmt: &StmtId| self.unit.exprs_within(tree[*stmt].range).any(|expr| table.info_of(expr).communicates);
        tree[handlers].iter().any(|handler| tree[handler.body].last() == Some(&stmt))
            && (exception.is_none() || tree[body].iter().any(communicates))
    }
}

/// Whether a handler always raises.
pub(crate) fn passes_on(unit: &Unit, body: List<StmtId>) -> bool {
    unit.tree[body].last().is_some_and(|&last| matches!(unit.tree[last].kind, StmtKind::Raise { .. }))
}

/// `ChoreoError`, what includes it, or a tuple with one of these.
pub(super) fn catches_failures(unit: &Unit, class: ExprId) -> bool {
    match unit.tree[class].kind {
        ExprKind::Tuple { elements, .. } => unit.tree[elements].iter().any(|&part| catches_failures(unit, part)),
        _ => unit
            .tree
            .dotted(class)
            .is_some_and(|parts| matches!(parts.last(), Some(&("ChoreoError" | "Exception" | "BaseException")))),
    }
}

/// A call in a statement that communicates on channels of another object.
pub(super) fn unnamed_call(world: &World, facts: &LocationFacts, unit: &Unit, stmt: StmtId) -> Option<ExprId> {
    let table = facts.file_table(unit.id);
    unit.exprs_within(unit.tree[stmt].range).find(|&expr| match table.action_of(expr) {
        Some(Action::Invoke { receiver, class, method, .. }) => {
            let communicates = facts.method_facts(*class, method).is_some_and(|known| known.communicates);
            let own = receiver
                .is_none_or(|receiver| unit.tree.as_name(receiver).is_some_and(|name| unit.tree.text(name) == "self"));
            communicates && !own
        }
        Some(Action::Construct { class, .. }) => {
            let init = world.find_method(*class, "__init__");
            init.and_then(|(owner, _, _)| facts.method_facts(owner, "__init__")).is_some_and(|init| init.communicates)
        }
        Some(Action::Apply { .. }) => true,
        Some(
            Action::Com { .. }
            | Action::Select { .. }
            | Action::Locate { .. }
            | Action::NameClass { .. }
            | Action::Recover,
        )
        | None => false,
    })
}
