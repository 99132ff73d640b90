//! What the operation of a finding works on.

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

/// What an operation works on.
pub(super) fn operands_of_finding(code: &Code, finding: &Finding, read: ExprId) -> Vec<ExprId> {
    let tree = &code.tree;
    if finding.rule.id == "unpack-count" {
        return vec![unpacked_value(code, read)];
    }
    match tree[read].kind {
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } if finding.rule.id != "not-iterable" => {
            vec![value]
        }
        ExprKind::Call { function, .. } if finding.rule.id == "not-callable" => vec![function],
        ExprKind::Call { function, arguments } if finding.rule.id != "not-iterable" => {
            let of_method = match tree[function].kind {
                ExprKind::Attribute { value, .. } => Some(value),
                _ => None,
            };
            of_method.into_iter().chain(tree[arguments.positional].iter().copied()).collect()
        }
        ExprKind::BinOp { left, right, .. } => vec![left, right],
        ExprKind::UnaryOp { operand, .. } => vec![operand],
        ExprKind::Compare { left, comparators, .. } => {
            std::iter::once(left).chain(tree[comparators].iter().copied()).collect()
        }
        _ => vec![read],
    }
}

/// What is unpacked, where its targets stand: `spans` in `(first,) = spans`.
fn unpacked_value(code: &Code, target: ExprId) -> ExprId {
    let tree = &code.tree;
    let value = tree.stmt_ids().find_map(|id| match tree[id].kind {
        StmtKind::Assign { targets, value } => tree[targets].contains(&target).then_some(value),
        StmtKind::For { target: bound, iter, .. } => (bound == target).then_some(iter),
        _ => None,
    });
    value.unwrap_or(target)
}
