//! What the text of code shows of its effects, without running it.

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, List, StmtId, StmtKind};

use super::library;
use crate::code::Code;
use crate::object::Function;

/// Whether a suite does more than naming things.
pub(crate) fn may_raise_in(code: &Code, suite: List<StmtId>) -> bool {
    code.tree.suite_nodes(suite).any(|node| match node {
        Node::Stmt(stmt) => !matches!(
            code.tree[stmt].kind,
            StmtKind::Pass | StmtKind::Assign { .. } | StmtKind::Expr { .. } | StmtKind::If { .. }
        ),
        Node::Expr(expr) => !matches!(
            code.tree[expr].kind,
            ExprKind::Name { .. }
                | ExprKind::Attribute { .. }
                | ExprKind::None
                | ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Str(_)
        ),
    })
}

/// Whether a function's text shows that it changes nothing: it stores to its own names only and calls nothing that might.
pub(crate) fn changes_nothing(function: &Function) -> bool {
    let code = &function.code;
    let info = code.scope_info(function.id);
    let Some(stmt) = info.stmt else { return false };
    let is_read = |id: ExprId| !matches!(code.tree[id].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. });
    info.globals.is_empty()
        && info.nonlocals.is_empty()
        && !info.is_generator
        && code.tree.descendants(Node::Stmt(stmt)).all(|node| match node {
            Node::Expr(id) => match &code.tree[id].kind {
                ExprKind::Call { function, .. } => match code.tree[*function].kind {
                    ExprKind::Name { name, .. } => library::function(code.tree.text(name)).changes_nothing(),
                    _ => false,
                },
                _ => true,
            },
            Node::Stmt(id) => match &code.tree[id].kind {
                StmtKind::FunctionDef(_) => id == stmt,
                StmtKind::Return { .. } | StmtKind::If { .. } | StmtKind::Expr { .. } | StmtKind::Pass => true,
                StmtKind::Raise { .. } | StmtKind::Assert { .. } => true,
                StmtKind::Assign { targets, .. } => code.tree[*targets].iter().copied().all(is_read),
                _ => false,
            },
        })
}

/// Whether a function's text leaves it open that it returns something true; an `__exit__` that does keeps the exception to itself.
pub(crate) fn may_return_true(function: &Function) -> bool {
    let code = &function.code;
    let Some(stmt) = code.scope_info(function.id).stmt else { return true };
    code.tree.descendants(Node::Stmt(stmt)).any(|node| match node {
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::Return { value: Some(value) } => {
                !matches!(code.tree[value].kind, ExprKind::None | ExprKind::Bool(false))
            }
            _ => false,
        },
        Node::Expr(_) => false,
    })
}
