//! Relevance: which statements concern a role, and which shared variables it needs for them.

use pytrope_source::Node as TreeNode;
use pytrope_source::tree::{Context, ExprId, ExprKind, StmtId, StmtKind};

use super::Projector;
use crate::facts::Action;
use crate::located::Located;

impl Projector<'_> {
    /// Whether a statement leaves anything in this role's program.
    pub(super) fn is_relevant(&self, stmt: StmtId) -> bool {
        self.concerns_role(stmt, self.loops > 0)
    }

    /// Whether this role has anything to do in the body of a loop.
    pub(super) fn takes_part(&self, body: &[StmtId]) -> bool {
        body.iter().any(|&stmt| self.concerns_role(stmt, false))
    }

    fn role_acts_in(&self, expr: ExprId) -> bool {
        self.table.info_of(expr).acts.contains(self.role) || self.writes_kept(self.expr_range(expr))
    }

    /// Whether this role takes part in finding out what is assigned to: `xs[self.ch.com(i)] = 0`.
    pub(super) fn acts_in_target(&self, target: ExprId) -> bool {
        self.unit.exprs_within(self.expr_range(target)).any(|part| self.role_acts_in(part))
    }

    fn is_here(&self, expr: ExprId) -> bool {
        self.table.info_of(expr).located.roles().contains(self.role)
    }

    /// `control`: whether `break` and `continue` matter, which they do in loops this role runs.
    fn concerns_role(&self, stmt: StmtId, control: bool) -> bool {
        let tree = &self.unit.tree;
        let any = |list: &[StmtId], control: bool| list.iter().any(|&stmt| self.concerns_role(stmt, control));
        // Whatever changes this role's copies concerns it.
        if tree.suites(stmt).is_empty() && self.writes_kept(tree[stmt].range) {
            return true;
        }
        match tree[stmt].kind {
            StmtKind::Expr { value } => {
                if matches!(tree[value].kind, ExprKind::Str(_) | ExprKind::Ellipsis) {
                    return false;
                }
                self.role_acts_in(value) || self.is_here(value) || self.writes_kept(tree[value].range)
            }
            StmtKind::Assign { targets, value } => {
                self.role_acts_in(value)
                    || tree[targets].iter().any(|&target| self.keeps_target(target) || self.acts_in_target(target))
            }
            StmtKind::AnnAssign { target, value, .. } => value.is_some_and(|value| {
                self.role_acts_in(value) || self.keeps_target(target) || self.acts_in_target(target)
            }),
            StmtKind::AugAssign { target, value, .. } => {
                self.role_acts_in(value) || self.keeps_target(target) || self.acts_in_target(target)
            }
            StmtKind::Return { .. } => true,
            StmtKind::If { test, body, clauses } => {
                self.role_acts_in(test)
                    || self.is_here(test)
                    || any(&tree[body], control)
                    || tree[clauses].iter().any(|clause| {
                        clause.test.is_some_and(|test| self.role_acts_in(test) || self.is_here(test))
                            || any(&tree[clause.body], control)
                    })
            }
            StmtKind::While { test, body, orelse } => {
                self.role_acts_in(test) || self.is_here(test) || any(&tree[body], false) || any(&tree[orelse], control)
            }
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.keeps_target(target)
                    || self.role_acts_in(iter)
                    || self.is_here(iter)
                    || any(&tree[body], false)
                    || any(&tree[orelse], control)
            }
            StmtKind::Match { subject, cases } => {
                self.role_acts_in(subject)
                    || self.is_here(subject)
                    || tree[cases].iter().any(|case| any(&tree[case.body], control))
            }
            StmtKind::With { items, body, .. } => {
                tree[items].iter().any(|item| self.is_here(item.context)) || any(&tree[body], control)
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                any(&tree[body], control)
                    || any(&tree[orelse], control)
                    || any(&tree[finalbody], control)
                    || tree[handlers].iter().any(|handler| any(&tree[handler.body], control))
            }
            StmtKind::Raise { .. } => self.raises_here(stmt),
            StmtKind::Assert { test, .. } => self.table.info_of(test).located.is_at(self.role),
            StmtKind::Delete { targets } => tree[targets].iter().any(|&target| self.keeps_target(target)),
            StmtKind::FunctionDef(function) => self.keeps_name(tree.text(function.name.name)),
            StmtKind::ClassDef(class) => self.keeps_name(tree.text(class.name.name)),
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => tree[names].iter().any(|alias| {
                let bound = alias.asname.unwrap_or(alias.name);
                self.needed.contains(tree.text(bound.name).split('.').next().unwrap_or_default())
            }),
            StmtKind::Break | StmtKind::Continue => control,
            StmtKind::Pass
            | StmtKind::Global { .. }
            | StmtKind::Nonlocal { .. }
            | StmtKind::TypeAlias { .. }
            | StmtKind::IpyEscape(_) => false,
        }
    }

    /// Whether a `raise` is this role's: by what is raised, or by who decided to come here.
    pub(super) fn raises_here(&self, stmt: StmtId) -> bool {
        let tree = &self.unit.tree;
        let StmtKind::Raise { exception, cause } = tree[stmt].kind else {
            return false;
        };
        let placed = [exception, cause]
            .into_iter()
            .flatten()
            .map(|part| self.table.info_of(part).located.roles())
            .find(|roles| !roles.is_empty());
        if let Some(roles) = placed {
            return roles.contains(self.role);
        }
        let mut at = tree.enclosing(stmt);
        while let Some(outer) = at {
            let test = match tree[outer].kind {
                StmtKind::If { test, .. } | StmtKind::While { test, .. } => Some(test),
                StmtKind::Match { subject, .. } => Some(subject),
                StmtKind::For { iter, .. } => Some(iter),
                StmtKind::FunctionDef(_) => return true,
                _ => None,
            };
            if matches!(tree[outer].kind, StmtKind::Try { .. } | StmtKind::With { .. }) {
                let roles = self.table.roles_in(self.unit, tree[outer].range);
                if !roles.is_empty() {
                    return roles.contains(self.role);
                }
            }
            if let Some(roles) =
                test.map(|test| self.table.info_of(test).located.roles()).filter(|roles| !roles.is_empty())
            {
                return roles.contains(self.role);
            }
            at = tree.enclosing(outer);
        }
        true
    }

    pub(super) fn keeps_name(&self, name: &str) -> bool {
        match self.known.locals.get(name).map(|local| &local.located) {
            Some(Located::Free(_)) | None => self.needed.contains(name),
            Some(located) => located.roles().contains(self.role),
        }
    }

    /// Whether an assignment target exists in this role's program.
    pub(super) fn keeps_target(&self, target: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[target].kind {
            ExprKind::Name { name, .. } => self.keeps_name(tree.text(name)),
            ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => {
                match &self.table.info_of(target).located {
                    // State that other names lead to is everyone's, whatever this role calls it.
                    Located::Free(_) if self.is_shared_write(target) => true,
                    Located::Free(_) => match root_name(tree, value) {
                        // A part of a shared variable goes with the variable; a shared field is everyone's.
                        Some(name) if self.known.locals.contains_key(name) => self.keeps_name(name),
                        _ => true,
                    },
                    located => located.roles().contains(self.role),
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                tree[elements].iter().any(|&element| self.keeps_target(element))
            }
            ExprKind::Starred { value, .. } => self.keeps_target(value),
            _ => false,
        }
    }

    /// Finds the shared variables this role needs, to a fixpoint.
    pub(super) fn learn_needed(&mut self) {
        let has_shared = self.known.locals.values().any(|local| matches!(local.located, Located::Free(_)));
        if !has_shared {
            return;
        }
        let body = self.unit.tree[self.method.function.body].to_vec();
        loop {
            let before = self.needed.len();
            for &stmt in &body {
                self.learn_from(stmt);
            }
            if self.needed.len() == before {
                return;
            }
        }
    }

    fn learn_from(&mut self, stmt: StmtId) {
        if !self.concerns_role(stmt, true) {
            return;
        }
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::Expr { value } => self.note_reads(value, true),
            StmtKind::Assign { targets, value } => {
                let kept = tree[targets].iter().any(|&target| self.keeps_target(target));
                self.note_reads(value, kept);
                for &target in &tree[targets] {
                    self.reads_target(target);
                }
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.note_reads(value, self.keeps_target(target));
                self.reads_target(target);
            }
            StmtKind::AugAssign { target, value, .. } => {
                if let Some(name) = tree.as_name(target).filter(|_| self.is_shared_write(target)) {
                    self.needed.insert(tree.text(name).to_owned());
                }
                self.note_reads(value, self.keeps_target(target));
                self.reads_target(target);
            }
            StmtKind::Return { value: Some(value) } => {
                let kept = self.known.returns.is_at(self.role);
                self.note_reads(value, kept);
            }
            StmtKind::If { test, clauses, .. } => {
                self.note_reads(test, self.deciding_roles(test).contains(self.role));
                for clause in &tree[clauses] {
                    if let Some(test) = clause.test {
                        self.note_reads(test, self.deciding_roles(test).contains(self.role));
                    }
                }
            }
            StmtKind::While { test: head, .. }
            | StmtKind::For { iter: head, .. }
            | StmtKind::Match { subject: head, .. } => {
                self.note_reads(head, self.deciding_roles(head).contains(self.role));
            }
            StmtKind::With { .. }
            | StmtKind::Try { .. }
            | StmtKind::Raise { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Delete { .. }
            | StmtKind::FunctionDef(_)
            | StmtKind::ClassDef(_) => {
                for expr in unit.exprs_within(tree[stmt].range) {
                    self.reads_name(expr);
                }
            }
            _ => {}
        }
        for suite in tree.suites(stmt) {
            for &inner in &tree[suite] {
                self.learn_from(inner);
            }
        }
        if let StmtKind::Match { cases, .. } = tree[stmt].kind {
            for case in &tree[cases] {
                if let Some(guard) = case.guard {
                    self.note_reads(guard, true);
                }
            }
        }
    }

    fn reads_target(&mut self, target: ExprId) {
        match self.unit.tree[target].kind {
            // A role that only sends for the target reads what it sends.
            ExprKind::Subscript { value, index, .. } => {
                let keeps = self.keeps_target(target);
                self.note_reads(value, keeps);
                self.note_reads(index, keeps);
            }
            ExprKind::Attribute { value, .. } => self.note_reads(value, self.keeps_target(target)),
            _ => {}
        }
    }

    fn reads_name(&mut self, expr: ExprId) {
        let tree = &self.unit.tree;
        if let ExprKind::Name { name, context: Context::Load } = tree[expr].kind {
            let name = tree.text(name);
            if self.known.locals.get(name).is_some_and(|local| matches!(local.located, Located::Free(_))) {
                self.needed.insert(name.to_owned());
            }
        }
    }

    /// Notes the shared variables in an expression; `wanted`: its value is used at this role.
    fn note_reads(&mut self, expr: ExprId, wanted: bool) {
        let unit = self.unit;
        let info = self.table.info_of(expr);
        let wanted = wanted && info.located.is_at(self.role);
        if !info.rewritten {
            if wanted || self.writes_kept(unit.tree[expr].range) {
                for inner in unit.exprs_within(unit.tree[expr].range) {
                    self.reads_name(inner);
                }
            }
            return;
        }
        match self.table.action_of(expr).cloned() {
            Some(Action::Com { sender, value, .. }) => self.note_reads(value, sender == self.role),
            Some(Action::Select { .. }) => {}
            Some(Action::NameClass { .. } | Action::Recover) => {}
            Some(
                Action::Construct { arguments, .. }
                | Action::Invoke { arguments, .. }
                | Action::Apply { arguments, .. },
            ) => {
                for argument in arguments {
                    let wanted = argument.located.is_at(self.role);
                    self.note_reads(argument.value, wanted);
                }
            }
            Some(Action::Locate { value }) => self.note_reads(value, wanted),
            None => {
                for child in unit.tree.children(TreeNode::Expr(expr)) {
                    if let TreeNode::Expr(child) = child {
                        let wanted = wanted || matches!(info.located, Located::Tuple(_));
                        self.note_reads(child, wanted);
                    }
                }
            }
        }
    }
}

/// The name at the bottom of `name.a[0].b`.
pub(super) fn root_name(tree: &pytrope_source::Tree, expr: ExprId) -> Option<&str> {
    match tree[expr].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name)),
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => root_name(tree, value),
        _ => None,
    }
}
