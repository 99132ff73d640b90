//! The conditions that decide whether a node of a function runs.

use pytrope_eval::code::Code;
use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

/// The conditions around a node, innermost first, with their texts without `not`: tests of statements, conditional expressions and
/// loops, and what stands before it in a chain of `and` and `or`.
pub(super) fn conditions_around(code: &Code, node: Node) -> Vec<(ExprId, &str)> {
    let tree = &code.tree;
    let mut found = Vec::new();
    let mut at = node;
    while let Some(parent) = at.parent(tree) {
        let mut tests: Vec<ExprId> = Vec::new();
        match parent {
            Node::Stmt(id) => match tree[id].kind {
                StmtKind::If { test, clauses, .. } => {
                    tests.push(test);
                    tests.extend(tree[clauses].iter().filter_map(|clause| clause.test));
                }
                StmtKind::While { test, .. } => tests.push(test),
                StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => break,
                _ => {}
            },
            Node::Expr(id) => match tree[id].kind {
                ExprKind::IfExp { test, .. } => tests.push(test),
                ExprKind::BoolOp { values, .. } => {
                    tests.extend(tree[values].iter().take_while(|&&value| at != Node::Expr(value)));
                }
                ExprKind::Lambda { .. } => break,
                _ => {}
            },
        }
        let others = tests.into_iter().filter(|&test| at != Node::Expr(test));
        found.extend(others.map(|test| (test, without_negation(code.file.slice(tree[test].range)))));
        at = parent;
    }
    found
}

fn without_negation(text: &str) -> &str {
    text.strip_prefix("not ").map_or(text, str::trim_start)
}
