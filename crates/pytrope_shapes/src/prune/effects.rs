//! What evaluating a test may do besides giving a truth value, and what must therefore stay when the test goes.

use pytrope_source::tree::{ExprId, ExprKind};
use pytrope_source::{SourceFile, TextRange, Tree};

use super::shape_names::children;

/// The parts of a test that must still be evaluated, as source text; `None` if the test cannot be taken apart.
///
/// `proved` tells for a range of the source whether everything that is required in it was shown to hold.
pub fn effects(
    file: &SourceFile,
    tree: &Tree,
    test: ExprId,
    proved: &dyn Fn(TextRange) -> bool,
) -> Option<Vec<String>> {
    let mut found = Vec::new();
    collect(tree, test, proved, &mut found)
        .then(|| found.into_iter().map(|id| file.slice(tree[id].range).to_owned()).collect())
}

/// Gathers impure parts in evaluation order; false where taking the expression apart would change what is evaluated.
fn collect(tree: &Tree, id: ExprId, proved: &dyn Fn(TextRange) -> bool, found: &mut Vec<ExprId>) -> bool {
    match tree[id].kind {
        ExprKind::Named { .. } | ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => false,
        ExprKind::BoolOp { .. } | ExprKind::IfExp { .. } => {
            // Later operands are evaluated only sometimes, so the whole stays if any part has an effect.
            let mut inner = Vec::new();
            children(tree, id).into_iter().all(|child| collect(tree, child, proved, &mut inner)) && {
                if !inner.is_empty() {
                    found.push(id);
                }
                true
            }
        }
        ExprKind::Call { function, .. } => {
            if is_shape_query(tree, function) || proved(tree[id].range) {
                return children(tree, id).into_iter().all(|child| collect(tree, child, proved, found));
            }
            found.push(id);
            true
        }
        ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. }
        | ExprKind::FString { .. } => {
            found.push(id);
            true
        }
        _ => children(tree, id).into_iter().all(|child| collect(tree, child, proved, found)),
    }
}

/// Calls that read a tensor or a value and change nothing.
fn is_shape_query(tree: &Tree, function: ExprId) -> bool {
    match tree[function].kind {
        ExprKind::Attribute { attribute, .. } => {
            matches!(
                tree.text(attribute.name),
                "size" | "dim" | "numel" | "nelement" | "ndimension" | "is_floating_point"
            )
        }
        ExprKind::Name { name, .. } => {
            matches!(
                tree.text(name),
                "len"
                    | "isinstance"
                    | "int"
                    | "min"
                    | "max"
                    | "abs"
                    | "tuple"
                    | "list"
                    | "hasattr"
                    | "callable"
                    | "bool"
                    | "sum"
            )
        }
        _ => false,
    }
}
