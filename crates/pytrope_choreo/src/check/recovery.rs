//! `try` with messages from which all roles recover: the handler communicates, or messages follow.
//!
//! Roles may have come to different points when one of them fails, so they have to agree. Each tells its peers how its part has
//! ended, over all named channels between the roles of the statement, as often as the roles are channels apart; then all of them
//! enter the handler or none does, and the channels are clean: what was on its way is passed over (`Attempt` of the runtime).

use std::rc::Rc;

use pytrope_source::tree::{Context, ExprId, ExprKind, Handler, List, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use super::Checker;
use super::attempt::{catches_failures, unnamed_call};
use crate::facts::{Action, Recovery};
use crate::located::{Channel, ChannelShape, Located};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};

/// The parts of a `try` statement.
#[derive(Clone, Copy)]
pub(super) struct TryParts<'a> {
    pub stmt: StmtId,
    pub body: List<StmtId>,
    pub handlers: &'a [Handler],
    pub finalbody: List<StmtId>,
}

impl Checker<'_> {
    /// Whether an earlier round has found that the roles of a `try` recover together.
    pub(super) fn is_recovery(&self, stmt: StmtId) -> bool {
        self.facts.file_table(self.unit.id).recoveries.contains_key(&stmt)
    }

    /// Checks a `try` from which all of its roles recover, and notes how they agree.
    pub(super) fn recover_together(&mut self, parts: TryParts<'_>) {
        let unit = Rc::clone(&self.unit);
        let range = unit.tree[parts.stmt].range;
        self.recovers = true;
        let &[handler] = parts.handlers else {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                range,
                "all roles recover in the same handler, and this has several",
            )
            .add_help("write one handler: `except (ValueError, ChoreoError):`");
            return;
        };
        let Some(class) = handler.class.filter(|&class| catches_failures(&unit, class)) else {
            let at = handler.class.map_or(handler.range, |class| self.expr_range(class));
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                at,
                "messages pass inside a try statement, and only the role that fails would handle this",
            )
            .add_help(
                "catch ChoreoError too (from pytrope.choreo), through which the other roles learn of the failure",
            );
            return;
        };
        if self.refuse_around_agreement(parts) {
            return;
        }
        let roles = self.facts.file_table(unit.id).roles_in(&unit, range);
        let channels = self.channels_between(roles);
        let Some(channels) = self.covered_channels(range, channels) else { return };
        let Some(rounds) = self.channel_distance(range, roles, &channels) else { return };
        self.refuse_half_done(parts, handler);
        let recovery = Recovery { channels, rounds, class };
        let table = self.facts.table_mut(unit.id);
        table.recoveries.insert(parts.stmt, recovery);
        table.actions.insert(class, Action::Recover);
    }

    /// What would leave the statement before its roles agree, or agree twice.
    fn refuse_around_agreement(&mut self, parts: TryParts<'_>) -> bool {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let leaves = tree.suite_nodes(parts.body).into_iter().find_map(|node| match node {
            Node::Stmt(stmt) => {
                let leaves = match tree[stmt].kind {
                    StmtKind::Return { .. } => true,
                    StmtKind::Break | StmtKind::Continue => !crate::unroll::innermost_loop(&unit, stmt)
                        .is_some_and(|inner| tree[parts.stmt].range.contains_range(tree[inner].range)),
                    _ => false,
                };
                leaves.then_some(stmt)
            }
            Node::Expr(_) => None,
        });
        if let Some(stmt) = leaves {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                tree[stmt].range,
                "this leaves the try statement before its roles have agreed that none of them failed",
            )
            .add_help("keep the result in a variable, and return after the statement");
            return true;
        }
        let nested = unit.tree.enclosing(parts.stmt).is_some_and(|outer| self.is_in_attempt(outer));
        let inner = unit
            .exprs_within(tree[parts.stmt].range)
            .find(|&expr| self.calls_recovery(expr))
            .map(|expr| tree[expr].range);
        if nested || inner.is_some() {
            let at = inner.unwrap_or(tree[parts.stmt].range);
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                at,
                "one try statement from which all roles recover cannot stand inside another one",
            )
            .add_help("recover in the outer one only");
            return true;
        }
        let last = tree[parts.finalbody].iter().find_map(|&stmt| self.first_message(stmt));
        if let Some(message) = last {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                self.expr_range(message),
                "no message may pass inside a finally clause",
            );
            return true;
        }
        let unnamed = tree[parts.body].iter().find_map(|&stmt| unnamed_call(self.world, self.facts, &unit, stmt));
        if let Some(call) = unnamed {
            self.report_error(
                ChoreoRule::MisplacedCommunication,
                self.expr_range(call),
                "this call communicates on channels that have no name here, so the roles could not agree over them",
            )
            .add_help("put the try statement into the method that has the channels");
            return true;
        }
        false
    }

    fn is_in_attempt(&self, stmt: StmtId) -> bool {
        let tree = &self.unit.tree;
        let mut at = Some(stmt);
        while let Some(outer) = at {
            if matches!(tree[outer].kind, StmtKind::Try { body, .. } if self.communicates_in(body)) {
                return true;
            }
            at = tree.enclosing(outer);
        }
        false
    }

    fn communicates_in(&self, body: List<StmtId>) -> bool {
        self.unit.tree[body].iter().any(|&stmt| self.first_message(stmt).is_some())
    }

    /// A call of a method in which roles recover together.
    pub(super) fn calls_recovery(&self, expr: ExprId) -> bool {
        match self.facts.file_table(self.unit.id).action_of(expr) {
            Some(Action::Invoke { class, method, .. }) => {
                self.facts.method_facts(*class, method).is_some_and(|facts| facts.recovers)
            }
            _ => false,
        }
    }

    /// The channels with a name here that join two of some roles, both ways.
    fn channels_between(&self, roles: RoleSet) -> Vec<(String, RoleId, RoleId)> {
        let mut found: Vec<(String, Located)> = Vec::new();
        for parameter in &self.method.parameters {
            found.push((parameter.name.clone(), parameter.located.clone()));
        }
        let receiver = self.receiver.as_deref().unwrap_or("self");
        for (base, formal) in self.world.lineage(self.class_id()) {
            for (name, field) in &self.facts.fields[base.0 as usize] {
                found.push((format!("{receiver}.{name}"), field.located.substitute_roles(&formal)));
            }
        }
        let mut channels = Vec::new();
        while let Some((name, located)) = found.pop() {
            match located {
                Located::Tuple(parts) => {
                    found.extend(parts.into_iter().enumerate().map(|(at, part)| (format!("{name}[{at}]"), part)));
                }
                Located::Channel(Channel { from, to, directed: false, shape: ChannelShape::Pair })
                    if roles.contains(from) && roles.contains(to) =>
                {
                    channels.push((name, from, to));
                }
                _ => {}
            }
        }
        channels.sort();
        channels.dedup();
        channels
    }

    /// The channels, if every message of the statement passes over one of them.
    fn covered_channels(
        &mut self,
        range: TextRange,
        channels: Vec<(String, RoleId, RoleId)>,
    ) -> Option<Vec<(String, RoleId, RoleId)>> {
        let unit = Rc::clone(&self.unit);
        let table = self.facts.file_table(unit.id);
        let foreign = unit.exprs_within(range).find_map(|expr| match table.action_of(expr) {
            Some(Action::Com { channel, .. } | Action::Select { channel, .. }) => {
                let text = unit.expr_text(*channel);
                (!channels.iter().any(|(name, _, _)| name == text)).then_some(*channel)
            }
            _ => None,
        });
        let Some(channel) = foreign else { return Some(channels) };
        self.report_error(
            ChoreoRule::MisplacedCommunication,
            self.expr_range(channel),
            "roles recover together over channels of two roles, both ways, that are parameters or fields",
        )
        .add_help("use a Channel[…], or end the method after the try statement");
        None
    }

    /// How many channels the farthest two roles are apart.
    fn channel_distance(
        &mut self,
        range: TextRange,
        roles: RoleSet,
        channels: &[(String, RoleId, RoleId)],
    ) -> Option<usize> {
        let mut farthest = 1;
        for start in roles.iter() {
            let mut reached = RoleSet::of_role(start);
            let mut steps = 0;
            while !roles.is_subset(reached) {
                let before = reached;
                for (_, from, to) in channels {
                    if before.contains(*from) || before.contains(*to) {
                        reached.insert(*from);
                        reached.insert(*to);
                    }
                }
                if reached == before {
                    let others = roles.without(reached).describe_roles(&self.class.roles);
                    let message = format!(
                        "{} cannot agree with {others} to recover: no channels both ways lead there",
                        self.role_name(start)
                    );
                    self.report_error(ChoreoRule::MisplacedCommunication, range, message);
                    return None;
                }
                steps += 1;
            }
            farthest = farthest.max(steps);
        }
        Some(farthest)
    }

    /// What the body assigns may be done at one role and not at another when a third fails.
    fn refuse_half_done(&mut self, parts: TryParts<'_>, handler: Handler) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let range = |suite: List<StmtId>| match &tree[suite] {
            [first, .., last] => TextRange::new(tree[*first].range.start, tree[*last].range.end),
            [only] => tree[*only].range,
            [] => TextRange::at(0),
        };
        let body = range(parts.body);
        self.refuse_writes_around_failure(body);
        let own = tree[parts.stmt].range;
        let method = tree[self.method.stmt].range;
        let in_loop = crate::unroll::innermost_loop(&unit, parts.stmt).is_some();
        let leaves = tree[handler.body]
            .last()
            .is_some_and(|&last| matches!(tree[last].kind, StmtKind::Return { .. } | StmtKind::Raise { .. }));
        let named = |range: TextRange, stored: bool| {
            let unit = Rc::clone(&unit);
            unit.exprs_within(range)
                .filter_map(|expr| match unit.tree[expr].kind {
                    ExprKind::Name { name, context } if (context == Context::Store) == stored => {
                        Some((unit.tree.text(name).to_owned(), expr))
                    }
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        let assigned: Vec<String> = named(body, true).into_iter().map(|(name, _)| name).collect();
        let top_level: Vec<String> = tree[handler.body]
            .iter()
            .filter(|&&stmt| matches!(tree[stmt].kind, StmtKind::Assign { .. } | StmtKind::AnnAssign { .. }))
            .flat_map(|&stmt| named(tree[stmt].range, true))
            .map(|(name, _)| name)
            .collect();
        let handled = range(handler.body);
        let read = named(method, false).into_iter().find(|(name, expr)| {
            let at = tree[*expr].range;
            let inside = own.contains_range(at);
            let behind = !inside && !leaves && (at.start >= own.end || in_loop);
            let in_handler = handled.contains_range(at);
            assigned.contains(name) && (behind || in_handler) && !top_level.contains(name)
        });
        if let Some((name, expr)) = read {
            let message =
                format!("`{name}` is assigned in the try statement, which may have been left before or after that");
            self.report_error(ChoreoRule::MisplacedCommunication, self.expr_range(expr), message)
                .add_help(format!("assign {name} in the handler too, or use it in the else clause"));
        }
    }
}
