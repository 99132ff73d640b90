//! Uses of names that neither change what they hold nor give it another name.

use pytrope_source::tree::{Context, ExprId, ExprKind, Parent, StmtKind};

use super::tables;
use crate::declaration::Unit;

/// Whether an expression is only looked at where it stands: `len(xs)`, `xs[0]`, `for x in xs:`, `xs.index(x)`.
pub(crate) fn is_reading_use(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].parent {
        Parent::Stmt(stmt) => match tree[stmt].kind {
            StmtKind::For { iter, .. } => iter == expr,
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Assert { .. } => true,
            _ => false,
        },
        Parent::Expr(parent) => match tree[parent].kind {
            ExprKind::Subscript { value, context, .. } => value == expr && context == Context::Load,
            ExprKind::Attribute { value, attribute, .. } => {
                value == expr && tables::is_reading_method(tree.text(attribute.name))
            }
            ExprKind::Call { function, arguments } => {
                let name = tree.as_name(function).map(|name| tree.text(name)).unwrap_or_default();
                tree[arguments.positional].contains(&expr)
                    && tables::is_pure_builtin(name)
                    && !unit.meanings.contains(name)
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => tree[generators].iter().any(|generator| generator.iter == expr),
            ExprKind::Compare { .. } | ExprKind::FString { .. } => true,
            _ => false,
        },
        Parent::Module => false,
    }
}
