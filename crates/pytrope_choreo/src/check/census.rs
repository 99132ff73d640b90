//! Families: roles that any number of processes play, and the stars and meshes between them.
//!
//! A family is one role to the checker. A value at it is a value of each member, and nothing says that members have equal ones;
//! a value at the family and another role is equal at all of them. What a member decides by its own value concerns it alone, so
//! a message that all members take part in must not depend on such a decision.

use std::rc::Rc;

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, StmtId, StmtKind};

use super::{Checker, LocatedValue};
use crate::facts::{Action, CensusOperation};
use crate::located::{Channel, ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Checker<'_> {
    /// A method of a star or a mesh.
    pub(super) fn on_family_channel(
        &mut self,
        expr: ExprId,
        channel_expr: ExprId,
        channel: Channel,
        name: &str,
        argument: ExprId,
    ) -> LocatedValue {
        if name == "select" && channel.shape == ChannelShape::Star {
            return self.check_selection(expr, channel_expr, Channel { directed: true, ..channel }, argument);
        }
        let pattern = CensusOperation::from_method_name(name)
            .filter(|pattern| pattern.is_on_mesh() == (channel.shape == ChannelShape::Mesh));
        let Some(pattern) = pattern else {
            let (what, known) = match channel.shape {
                ChannelShape::Mesh => ("mesh", "allgather, alltoall and shift"),
                ChannelShape::Star | ChannelShape::Pair => {
                    ("star", "broadcast, scatter, share, gather, first and select")
                }
            };
            self.report_error(ChoreoRule::BadChannel, self.expr_range(expr), format!("a {what} has no method {name}"))
                .add_help(format!("a {what} has {known}"));
            return LocatedValue::of_unknown();
        };
        let (sender, receiver) = match pattern {
            CensusOperation::Gather | CensusOperation::First => (channel.to, channel.from),
            _ => (channel.from, channel.to),
        };
        let value = self.check_expr(argument);
        let plain = match value.located.as_plain() {
            Some(plain) if plain.is_at(sender) => plain,
            _ => {
                if value.located != Located::Unknown {
                    let found = self.describe_location(&value.located);
                    let (from, to) = (self.role_name(sender).to_owned(), self.role_name(receiver).to_owned());
                    let message = format!("{name} goes from {from} to {to}, found {found}");
                    self.report_error(ChoreoRule::BadChannel, self.expr_range(argument), message);
                }
                return LocatedValue::of_unknown();
            }
        };
        if channel.shape == ChannelShape::Mesh {
            self.joined_by_all_members(expr, RoleSet::of_role(channel.to));
        }
        let action = Action::Com { channel: channel_expr, sender, receiver, value: argument, pattern };
        self.facts.table_mut(self.unit.id).actions.insert(expr, action);
        let sent = Traits { ordered: true, ..plain.traits() };
        let (roles, traits) = match pattern {
            CensusOperation::Share => (channel.ends(), sent),
            CensusOperation::Scatter => (RoleSet::of_role(receiver), sent.of_items()),
            CensusOperation::Gather | CensusOperation::AllGather => (RoleSet::of_role(receiver), sent.of_container()),
            CensusOperation::AllToAll => (RoleSet::of_role(receiver), Traits { frozen: false, ..sent }),
            CensusOperation::Point | CensusOperation::Broadcast | CensusOperation::First | CensusOperation::Shift => {
                (RoleSet::of_role(receiver), sent)
            }
        };
        LocatedValue::newly_created(Located::at(roles, traits))
    }

    /// Refuses a communication of all members where each of them decides for itself whether to take part.
    pub(super) fn joined_by_all_members(&mut self, expr: ExprId, roles: RoleSet) {
        if roles.intersection(self.class.families).is_empty() {
            return;
        }
        let unit = Rc::clone(&self.unit);
        let mut at = unit.tree.stmt_of(expr);
        while let Some(stmt) = at {
            if let Some(test) = self.member_decision(stmt) {
                let family = self.recorded_info(test).located.roles().describe_roles(&self.class.roles);
                let span = unit.span(unit.tree[test].range);
                self.report_error(
                    ChoreoRule::MisplacedCommunication,
                    self.expr_range(expr),
                    format!(
                        "all members of {family} take part in this, but each decides for itself whether to come here"
                    ),
                )
                .annotate_span(span, format!("decided by each member of {family}"))
                .add_help("decide by a value that all of them have: share(…) on a star gives one");
                return;
            }
            at = unit.tree.enclosing(stmt);
        }
    }

    /// The condition of a statement that each member of a family decides by a value of its own.
    fn member_decision(&self, stmt: StmtId) -> Option<ExprId> {
        let tree = &self.unit.tree;
        let test = match tree[stmt].kind {
            StmtKind::If { test, .. } | StmtKind::While { test, .. } => test,
            StmtKind::Match { subject, .. } => subject,
            StmtKind::For { iter, .. } => iter,
            _ => return None,
        };
        let roles = self.recorded_info(test).located.roles();
        (!roles.is_empty() && roles.is_subset(self.class.families)).then_some(test)
    }

    /// A member that returns or leaves a loop by its own decision would miss what all members do afterwards.
    pub(super) fn refuse_early_exits(&mut self) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        if self.class.families.is_empty() || !self.communicates {
            return;
        }
        let joint = unit.exprs_within(tree[self.method.stmt].range).filter(|&expr| self.joins_members(expr));
        let Some(last) = joint.max_by_key(|&expr| tree[expr].range.start) else { return };
        for node in tree.suite_nodes(self.method.function.body) {
            let Node::Stmt(stmt) = node else { continue };
            let Some(test) = self.member_decision(stmt) else { continue };
            let leaves = tree.descendants(Node::Stmt(stmt)).find_map(|node| match node {
                Node::Stmt(inner) => {
                    let kind = tree[inner].kind;
                    matches!(kind, StmtKind::Return { .. } | StmtKind::Break | StmtKind::Continue).then_some(inner)
                }
                Node::Expr(_) => None,
            });
            let Some(leaves) =
                leaves.filter(|_| self.is_in_loop(stmt) || tree[stmt].range.end <= tree[last].range.start)
            else {
                continue;
            };
            let family = self.recorded_info(test).located.roles().describe_roles(&self.class.roles);
            let span = unit.span(tree[last].range);
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                tree[leaves].range,
                format!("a member of {family} that leaves here would miss a message that all members take part in"),
            )
            .annotate_span(span, "all members take part in this")
            .add_help("decide by a value that all of them have: share(…) on a star gives one");
            return;
        }
    }

    /// Whether all members of a family take part in an expression, each waiting for the others.
    fn joins_members(&self, expr: ExprId) -> bool {
        match self.facts.file_table(self.unit.id).action_of(expr) {
            Some(Action::Com { pattern, .. }) => pattern.is_on_mesh(),
            Some(Action::Invoke { .. } | Action::Apply { .. }) => {
                let info = self.recorded_info(expr);
                info.communicates && !info.acts.intersection(self.class.families).is_empty()
            }
            _ => false,
        }
    }

    fn is_in_loop(&self, stmt: StmtId) -> bool {
        let tree = &self.unit.tree;
        let mut at = tree.enclosing(stmt);
        while let Some(outer) = at {
            if matches!(tree[outer].kind, StmtKind::While { .. } | StmtKind::For { .. }) {
                return true;
            }
            at = tree.enclosing(outer);
        }
        false
    }
}
