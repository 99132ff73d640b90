//! Replicated state: what several roles have a copy of is changed by all of them, or by none.
//!
//! Projection leaves out of a role's program what other roles do. The one rule that keeps copies equal is checked here: what is left
//! out must not change anything that the role has a copy of. Every change of such state is a *write*; the text that is written for
//! the role notes the writes in it, and a write of the role's state that no text has is refused.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Node as TreeNode, TextRange};

use super::Projector;
use crate::facts::ReplicatedWrite;
use crate::located::Located;
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Projector<'_> {
    /// Whether evaluating a range of the source changes state that this role has a copy of.
    pub(super) fn writes_kept(&self, range: TextRange) -> bool {
        !self.table.writes.is_empty() && self.unit.exprs_within(range).any(|expr| self.write_kept(expr).is_some())
    }

    /// What of this role's state an expression changes.
    pub(super) fn write_kept(&self, expr: ExprId) -> Option<String> {
        self.table.writes.get(&expr)?.iter().find_map(|written| match written {
            ReplicatedWrite::Variable(name) => self.keeps_name(name).then(|| name.clone()),
            ReplicatedWrite::Shared(text) => Some(text.clone()),
        })
    }

    /// Whether a target is part of state that other names may lead to.
    pub(super) fn is_shared_write(&self, target: ExprId) -> bool {
        let writes = self.table.writes.get(&target);
        writes.is_some_and(|writes| writes.iter().any(|written| matches!(written, ReplicatedWrite::Shared(_))))
    }

    /// Notes that the text of a range, apart from some parts, is in this role's program.
    pub(super) fn note_emitted(&self, range: TextRange, replaced: &[(TextRange, String)]) {
        let mut emitted = self.emitted.borrow_mut();
        for expr in self.unit.exprs_within(range) {
            let own = self.unit.tree[expr].range;
            if !replaced.iter().any(|(part, _)| part.contains_range(own)) {
                emitted.insert(expr);
            }
        }
    }

    /// Notes statements that are never reached, which change nothing.
    pub(super) fn note_unreached(&self, stmts: &[StmtId]) {
        for &stmt in stmts {
            self.note_emitted(self.unit.tree[stmt].range, &[]);
        }
    }

    /// Refuses the method if something was left out that changes this role's copies.
    pub(super) fn refuse_lost_writes(&mut self, body: &[StmtId]) {
        if self.failed {
            return;
        }
        let unit = self.unit;
        let tree = &unit.tree;
        let lost = body.iter().flat_map(|&stmt| tree.descendants(TreeNode::Stmt(stmt))).find_map(|node| match node {
            TreeNode::Expr(expr) => {
                let target = match tree[expr].kind {
                    ExprKind::Named { target, .. } if !self.is_in_lambda(expr) => Some(target),
                    _ => None,
                };
                let name = target.and_then(|target| self.lost_name(target));
                let state = name.or_else(|| {
                    let state = self.write_kept(expr)?;
                    (!self.emitted.borrow().contains(&expr)).then_some(state)
                })?;
                Some((expr, state))
            }
            TreeNode::Stmt(stmt) => {
                let targets: Vec<ExprId> = match tree[stmt].kind {
                    StmtKind::Assign { targets, .. } | StmtKind::Delete { targets } => tree[targets].to_vec(),
                    StmtKind::AnnAssign { target, value: Some(_), .. }
                    | StmtKind::AugAssign { target, .. }
                    | StmtKind::For { target, .. } => vec![target],
                    StmtKind::With { items, .. } => tree[items].iter().filter_map(|item| item.target).collect(),
                    _ => Vec::new(),
                };
                targets
                    .into_iter()
                    .flat_map(|target| unit.exprs_within(tree[target].range))
                    .find_map(|target| Some((target, self.lost_name(target)?)))
            }
        });
        let Some((expr, state)) = lost else { return };
        let role = self.role_name().to_owned();
        let others = self.executing_roles(expr);
        let doer = if others.is_empty() { "another role".to_owned() } else { others.describe_roles(&self.class.roles) };
        let message = format!("only {doer} would change `{state}` here, and {role} has a copy of it");
        let Some(finding) = self.report_refusal(ChoreoRule::UnequalCopies, self.expr_range(expr), message) else {
            return;
        };
        finding.add_help(format!(
            "give it a role (`{state}: At[T, Role]`), or change it in a statement that every role runs"
        ));
    }

    /// A variable without a role that is assigned at a target which was left out, though this role has the variable.
    fn lost_name(&self, target: ExprId) -> Option<String> {
        let tree = &self.unit.tree;
        let ExprKind::Name { name, context } = tree[target].kind else { return None };
        let name = tree.text(name);
        let is_free = self.known.locals.get(name).is_some_and(|local| matches!(local.located, Located::Free(_)));
        let kept = context != pytrope_source::tree::Context::Load && is_free && self.keeps_name(name);
        (kept && !self.emitted.borrow().contains(&target)).then(|| name.to_owned())
    }

    fn is_in_lambda(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        let mut at = tree[expr].parent;
        while let pytrope_source::tree::Parent::Expr(parent) = at {
            if matches!(tree[parent].kind, ExprKind::Lambda { .. }) {
                return true;
            }
            at = tree[parent].parent;
        }
        false
    }

    /// The roles that run an expression which this role does not.
    fn executing_roles(&self, expr: ExprId) -> RoleSet {
        let tree = &self.unit.tree;
        let mut at = Some(TreeNode::Expr(expr));
        while let Some(node) = at {
            let roles = match node {
                TreeNode::Expr(expr) => match &self.table.info_of(expr).located {
                    Located::At(found) => found.roles,
                    _ => RoleSet::EMPTY,
                },
                TreeNode::Stmt(stmt) => match tree[stmt].kind {
                    StmtKind::Try { .. } | StmtKind::With { .. } => self.table.roles_in(self.unit, tree[stmt].range),
                    StmtKind::If { test, .. } | StmtKind::While { test, .. } => {
                        self.table.info_of(test).located.roles()
                    }
                    StmtKind::For { iter, .. } => self.table.info_of(iter).located.roles(),
                    _ => RoleSet::EMPTY,
                },
            };
            if !roles.is_empty() && !roles.contains(self.role) {
                return roles;
            }
            at = node.parent(tree);
        }
        RoleSet::EMPTY
    }
}
