//! Decided conditional expressions, and decided operands of `and` and `or`.

use pytrope_source::TextRange;
use pytrope_source::tree::{BoolOperator, ExprId, ExprKind, List, Parent, StmtKind};

use super::super::shape_names::child_expressions;
use super::Rewriter;

impl Rewriter<'_> {
    /// Outer expressions first: what they drop is not looked at again.
    pub(super) fn rewrite_expressions(&mut self) {
        let tree = &self.parsed.tree;
        let mut parents: Vec<ExprId> = Vec::new();
        for test in self.decisions.decided.keys() {
            if let Parent::Expr(parent) = tree[*test].parent
                && !parents.contains(&parent)
            {
                parents.push(parent);
            }
        }
        parents.sort_by_key(|id| (tree[*id].range.start, std::cmp::Reverse(tree[*id].range.end)));
        for parent in parents {
            if self.is_deleted(tree[parent].range) {
                continue;
            }
            match tree[parent].kind {
                ExprKind::IfExp { test, body, orelse } => self.conditional_expression(parent, test, body, orelse),
                ExprKind::BoolOp { op, values } => self.rewrite_operands(parent, op, values),
                _ => {}
            }
        }
    }

    /// How an operand or a test that can go without a trace is decided.
    fn plain_decision(&self, test: ExprId) -> Option<bool> {
        self.test_decision(test).filter(|(_, effects)| effects.is_empty()).map(|(decided, _)| decided)
    }

    fn conditional_expression(&mut self, whole: ExprId, test: ExprId, body: ExprId, orelse: ExprId) {
        let tree = &self.parsed.tree;
        let Some(decided) = self.plain_decision(test) else { return };
        let (chosen, dropped) = if decided { (body, orelse) } else { (orelse, body) };
        if self.binds_or_suspends(dropped) {
            return;
        }
        let outer = tree[whole].range;
        let inner = self.with_parentheses(tree[chosen].range, outer);
        self.replace_range(outer.start, inner.start, String::new());
        self.replace_range(inner.end, outer.end, String::new());
        self.gone.push(test);
    }

    fn rewrite_operands(&mut self, whole: ExprId, op: BoolOperator, values: List<ExprId>) {
        let tree = &self.parsed.tree;
        let values = tree[values].to_vec();
        let neutral = op == BoolOperator::And;
        let truth_only = self.is_truth_only(whole);
        let mut kept: Vec<usize> = Vec::new();
        let mut gone: Vec<ExprId> = Vec::new();
        for (place, value) in values.iter().enumerate() {
            match self.plain_decision(*value) {
                // A last operand gives the value; where only its truth counts, what came before says it all.
                Some(decided) if decided == neutral && (place + 1 < values.len() || truth_only && !kept.is_empty()) => {
                    gone.push(*value);
                }
                Some(decided) if decided != neutral => {
                    // Nothing after it is ever evaluated.
                    kept.push(place);
                    break;
                }
                _ => kept.push(place),
            }
        }
        let Some(last) = kept.last().copied() else { return };
        let dropped: Vec<ExprId> =
            (0..values.len()).filter(|place| !kept.contains(place)).map(|place| values[place]).collect();
        if dropped.is_empty() || dropped.iter().any(|value| self.binds_or_suspends(*value)) {
            return;
        }
        let outer = tree[whole].range;
        let ranges: Vec<TextRange> = values.iter().map(|v| self.with_parentheses(tree[*v].range, outer)).collect();
        for place in 0..last {
            if !kept.contains(&place) {
                self.delete_range(ranges[place].start, ranges[place + 1].start);
            }
        }
        self.delete_range(ranges[last].end, outer.end.max(ranges[values.len() - 1].end));
        self.gone.extend(gone);
    }

    /// Whether nothing but the truth of an expression is used.
    fn is_truth_only(&self, id: ExprId) -> bool {
        let tree = &self.parsed.tree;
        match tree[id].parent {
            Parent::Stmt(stmt) => match tree[stmt].kind {
                StmtKind::If { test, clauses, .. } => {
                    test == id || tree[clauses].iter().any(|clause| clause.test == Some(id))
                }
                StmtKind::While { test, .. } | StmtKind::Assert { test, .. } => test == id,
                _ => false,
            },
            Parent::Expr(parent) => match tree[parent].kind {
                ExprKind::IfExp { test, .. } => test == id,
                ExprKind::UnaryOp { op: pytrope_source::tree::UnaryOperator::Not, .. } => true,
                ExprKind::BoolOp { .. } => self.is_truth_only(parent),
                _ => false,
            },
            Parent::Module => false,
        }
    }

    /// Whether dropping an expression would drop a binding or a point of suspension.
    fn binds_or_suspends(&self, id: ExprId) -> bool {
        let tree = &self.parsed.tree;
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if matches!(
                tree[id].kind,
                ExprKind::Named { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } | ExprKind::Await { .. }
            ) {
                return true;
            }
            stack.extend(child_expressions(tree, id));
        }
        false
    }

    /// A range with the parentheses around it, as far as they lie within another.
    fn with_parentheses(&self, range: TextRange, within: TextRange) -> TextRange {
        let text = self.text();
        let mut grown = range;
        loop {
            let before = text[within.start as usize..grown.start as usize].trim_end_matches(is_space);
            let after = &text[grown.end as usize..within.end as usize];
            let skipped = after.len() - after.trim_start_matches(is_space).len();
            if !before.ends_with('(') || !after[skipped..].starts_with(')') {
                return grown;
            }
            grown = TextRange { start: within.start + before.len() as u32 - 1, end: grown.end + skipped as u32 + 1 };
        }
    }

    /// Whether an edit covers a range, or removes what it lies in.
    fn is_deleted(&self, range: TextRange) -> bool {
        self.edits.iter().any(|edit| edit.range.start <= range.start && range.end <= edit.range.end)
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\\'
}
