//! What an expression says by its form: comparisons of identities, and operations on the keys of dictionaries, which give sets.
//!
//! Two roles that hold equal values need not agree on which of them are one object.
//!
//! ```python
//! n is m  # true at the role that has sent `m`, false at the one that has received a copy
//! ```

use pytrope_source::tree::{BinaryOperator, Comparison, ExprId, ExprKind, StmtKind};

use crate::declaration::{Meaning, Unit};

/// Whether a comparison asks for identity of more than members of enums, `None`, truth values, classes and functions.
pub(crate) fn compares_identity(unit: &Unit, comparison: ExprId) -> bool {
    let tree = &unit.tree;
    let ExprKind::Compare { left, comparators, ops } = tree[comparison].kind else { return false };
    let mut before = left;
    tree[comparators].iter().zip(&tree[ops]).any(|(&now, op)| {
        let asks =
            matches!(op, Comparison::Is | Comparison::IsNot) && !is_single(unit, before) && !is_single(unit, now);
        before = now;
        asks
    })
}

/// Whether an expression stands for an object of which every process has one.
fn is_single(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::None | ExprKind::Bool(_) | ExprKind::Ellipsis => true,
        ExprKind::Name { .. } => {
            let is_bound_outside =
                unit.names.owner_of_use(expr).is_none_or(|owner| owner == pytrope_semantic::ScopeId::MODULE);
            is_bound_outside
                && match unit.binding(expr) {
                    Some(Meaning::Function(_) | Meaning::PlainClass(_) | Meaning::Enum) => true,
                    Some(_) => false,
                    None => pytrope_semantic::is_predefined(unit.expr_text(expr)),
                }
        }
        ExprKind::Attribute { value, .. } => unit.binding(value) == Some(&Meaning::Enum),
        // `type(x) is int`
        ExprKind::Call { function, .. } => {
            tree.as_name(function).is_some_and(|name| tree.text(name) == "type") && unit.binding(function).is_none()
        }
        _ => false,
    }
}

/// `a.keys() & b.keys()`, also by names of variables that hold keys or items: a set, whose order differs between processes.
pub(crate) fn makes_view_set(unit: &Unit, expr: ExprId) -> bool {
    let ExprKind::BinOp { left, op, right } = unit.tree[expr].kind else { return false };
    matches!(op, BinaryOperator::BitOr | BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::Sub)
        && (may_be_view(unit, left) || may_be_view(unit, right))
}

fn may_be_view(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].kind {
        ExprKind::Call { function, .. } => match tree[function].kind {
            ExprKind::Attribute { attribute, .. } => matches!(tree.text(attribute.name), "items" | "keys"),
            _ => false,
        },
        ExprKind::Name { .. } => {
            let Some(owner) = unit.names.owner_of_use(expr) else { return false };
            unit.names.definitions_of(owner, unit.expr_text(expr)).iter().any(|&id| {
                match tree[unit.names.definition(id).stmt].kind {
                    StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => {
                        value != expr && matches!(tree[value].kind, ExprKind::Call { .. }) && may_be_view(unit, value)
                    }
                    _ => false,
                }
            })
        }
        _ => false,
    }
}
