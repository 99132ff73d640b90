//! Projection: what one role does in one method.
//!
//! A statement becomes the statements the role runs for it, often none. Expressions keep their source text;
//! a message becomes a `send` statement at its sender and a `recv()` in place of the value at its receiver. What
//! stands before a send in evaluation order is put into a variable first, so that every role keeps the order of the source.

mod branch;
mod expression;
mod relevance;
mod replicated;
mod shape_hint;
mod statement;

use std::cell::RefCell;
use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::declaration::{ChoreographicClass, Method, Unit, World};
use crate::endpoint::{Block, EndpointNode, EndpointStmt, OfferCase, never_falls_through};
use crate::facts::{Action, LocationFacts, MethodFacts, Table};
use crate::normalise::{Tail, normalise_block};
use crate::report::{ChoreoRule, Report};
use crate::role::{RoleId, RoleSet};
use crate::site::site_argument;

/// The body of a method in one role's program.
pub(crate) fn project_body(
    world: &World,
    facts: &LocationFacts,
    class: &ChoreographicClass,
    method: &Method,
    role: RoleId,
    report: &mut Report,
) -> Block {
    let unit = Rc::clone(world.unit(class.unit));
    let known = facts.method_facts(class.id, &method.name).expect("every method has facts");
    let mut projector = Projector {
        world,
        facts,
        unit: &unit,
        table: facts.file_table(class.unit),
        class,
        method,
        known,
        role,
        report,
        needed: FxHashSet::default(),
        loops: 0,
        temporaries: 0,
        failed: false,
        emitted: RefCell::default(),
    };
    projector.learn_needed();
    let mut body: Vec<StmtId> = unit.tree[method.function.body].to_vec();
    if method.docstring.is_some() {
        body.remove(0);
    }
    let block = projector.project_block(&body, Tail::Return);
    projector.refuse_lost_writes(&body);
    normalise_block(block, Tail::Return)
}

/// Projects one method to one role.
struct Projector<'a> {
    world: &'a World,
    facts: &'a LocationFacts,
    unit: &'a Unit,
    table: &'a Table,
    class: &'a ChoreographicClass,
    method: &'a Method,
    known: &'a MethodFacts,
    role: RoleId,
    report: &'a mut Report,
    /// Variables of no role whose values this role uses.
    needed: FxHashSet<String>,
    /// How many loops of this role's program enclose the statement at hand.
    loops: usize,
    temporaries: usize,
    /// One refusal per method and role is enough.
    failed: bool,
    /// The expressions of the source whose text is in this role's program.
    emitted: RefCell<FxHashSet<ExprId>>,
}

impl Projector<'_> {
    fn expr_range(&self, expr: ExprId) -> TextRange {
        self.unit.tree[expr].range
    }

    /// The roles that decide a condition: those where it lives, or all for a shared one.
    fn deciding_roles(&self, test: ExprId) -> RoleSet {
        let roles = self.table.info_of(test).located.roles();
        if roles.is_empty() { self.class.role_set() } else { roles }
    }

    fn role_name(&self) -> &str {
        &self.class.roles[self.role.index()]
    }

    fn report_refusal(
        &mut self,
        rule: ChoreoRule,
        range: TextRange,
        message: String,
    ) -> Option<&mut pytrope_diagnostics::Finding> {
        if self.failed {
            return None;
        }
        self.failed = true;
        Some(self.report.add_error(rule, self.unit, range, message))
    }

    /// Statements in order; `tail` says what happens at their end.
    fn project_block(&mut self, stmts: &[StmtId], tail: Tail) -> Block {
        let mut out = Block::new();
        for (at, &stmt) in stmts.iter().enumerate() {
            if !self.is_relevant(stmt) {
                continue;
            }
            let rest = &stmts[at + 1..];
            let before = out.len();
            let done = self.project_stmt(stmt, rest, tail, &mut out);
            self.attach_comments(stmt, &mut out[before..]);
            if done || never_falls_through(&out) {
                self.note_unreached(if done { &[] } else { rest });
                return out;
            }
        }
        let range = stmts.last().map_or(self.unit.tree[self.method.stmt].range, |&last| self.unit.tree[last].range);
        match tail {
            Tail::Next => {}
            Tail::Return => out.push(EndpointStmt::new(EndpointNode::Return(None), TextRange::at(range.end))),
            Tail::Continue => out.push(EndpointStmt::new(EndpointNode::Continue, TextRange::at(range.end))),
        }
        out
    }

    /// One statement; the answer is whether what follows it has been projected too.
    fn project_stmt(&mut self, stmt: StmtId, rest: &[StmtId], tail: Tail, out: &mut Block) -> bool {
        self.temporaries = 0;
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::Expr { value } => {
                if let Some(Action::Select { channel, sender, receiver, label }) = self.table.action_of(value) {
                    let (channel, label) = (self.verbatim_text(self.expr_range(*channel)), label.source_text());
                    let site = site_argument(unit.id, value);
                    if *sender == self.role {
                        let line = self.await_call(format!("{channel}.select({label}, {site})"), false);
                        out.push(EndpointStmt::new(EndpointNode::Line(line.into()), tree[stmt].range));
                    } else if *receiver == self.role {
                        let body = self.project_block(rest, tail);
                        let cases = vec![OfferCase { label, body }];
                        out.push(EndpointStmt::new(
                            EndpointNode::Offer {
                                channel: self.offering_channel(channel).into(),
                                site: site.into(),
                                cases,
                            },
                            tree[stmt].range,
                        ));
                        return true;
                    }
                    false
                } else {
                    self.project_simple_stmt(stmt, out);
                    false
                }
            }
            StmtKind::If { .. } | StmtKind::Match { .. } => self.project_decision(stmt, rest, tail, out),
            StmtKind::While { .. } => self.while_loop(stmt, rest, tail, out),
            StmtKind::Try { .. } | StmtKind::With { .. } if !self.is_inside(stmt) => {
                self.left_elsewhere(stmt, rest, tail, out)
            }
            StmtKind::For { .. } => {
                self.for_loop(stmt, out);
                false
            }
            _ => {
                self.project_simple_stmt(stmt, out);
                false
            }
        }
    }

    /// The channel of an offer; with asyncio the whole call is awaited.
    fn offering_channel(&self, channel: String) -> String {
        if self.facts.asynchronous { format!("await {channel}") } else { channel }
    }

    /// Comments above and behind a statement go with its first and last projected line.
    fn attach_comments(&self, stmt: StmtId, projected: &mut [EndpointStmt]) {
        let comments = crate::comments::comments_around(self.unit, self.unit.tree[stmt].range);
        if let Some(first) = projected.first_mut()
            && first.leading.is_empty()
        {
            first.leading = comments.leading;
        }
        let simple = !matches!(
            self.unit.tree[stmt].kind,
            StmtKind::If { .. }
                | StmtKind::Match { .. }
                | StmtKind::While { .. }
                | StmtKind::For { .. }
                | StmtKind::With { .. }
                | StmtKind::Try { .. }
        );
        if let (Some(last), true) = (projected.last_mut(), simple)
            && last.trailing.is_none()
            && !matches!(last.node, EndpointNode::Offer { .. })
        {
            last.trailing = comments.trailing;
        }
    }
}
