//! What evaluating a test may do besides giving a truth value, and what must therefore stay when the test goes.

use pytrope_eval::effects::library;
use pytrope_models::effects::SIZE_METHODS;
use pytrope_source::tree::{ExprId, ExprKind};
use pytrope_source::{SourceFile, TextRange, Tree};

use super::shape_names::child_expressions;

/// What the run has shown about evaluating one expression, its parts aside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationEvidence {
    /// It may raise, or does something.
    Needed,
    /// Only models ran for it that change nothing, and all they required was proved.
    Proved,
    /// Only models ran for it that change nothing, but they required nothing: too little is known of what they were given.
    Unproved,
    /// Only a shape was read.
    Query,
    /// Nothing ran that the analysis can see.
    None,
}

/// The parts of a test that must still be evaluated, as source text; `None` if the test cannot be taken apart.
pub fn remaining_effects(
    file: &SourceFile,
    tree: &Tree,
    test: ExprId,
    evidence: &dyn Fn(TextRange) -> EvaluationEvidence,
) -> Option<Vec<String>> {
    let mut found = Vec::new();
    collect_effects(tree, test, evidence, &mut found)
        .then(|| found.into_iter().map(|id| expression_statement(file, tree, id)).collect())
}

/// An expression as a statement: over several lines only within parentheses.
fn expression_statement(file: &SourceFile, tree: &Tree, id: ExprId) -> String {
    if let ExprKind::Named { target, value } = tree[id].kind {
        let (name, value) = (file.slice(tree[target].range), file.slice(tree[value].range));
        return if value.contains('\n') { format!("{name} = ({value})") } else { format!("{name} = {value}") };
    }
    let text = file.slice(tree[id].range);
    if text.contains('\n') { format!("({text})") } else { text.to_owned() }
}

/// Gathers impure parts in evaluation order; false where taking the expression apart would change what is evaluated.
fn collect_effects(
    tree: &Tree,
    id: ExprId,
    evidence: &dyn Fn(TextRange) -> EvaluationEvidence,
    found: &mut Vec<ExprId>,
) -> bool {
    let seen = evidence(tree[id].range);
    match tree[id].kind {
        ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => false,
        // `(n := x.shape[0]) > 2` leaves `n = x.shape[0]`.
        ExprKind::Named { .. } => {
            found.push(id);
            true
        }
        ExprKind::BoolOp { .. } | ExprKind::IfExp { .. } => {
            // Later operands are evaluated only sometimes, so the whole stays if any part has an effect.
            let mut inner = Vec::new();
            child_expressions(tree, id).into_iter().all(|child| collect_effects(tree, child, evidence, &mut inner)) && {
                if !inner.is_empty() || seen == EvaluationEvidence::Needed {
                    found.push(id);
                }
                true
            }
        }
        ExprKind::Compare { comparators, .. } if comparators.len() > 1 => {
            // A chain stops at the first comparison that fails.
            let mut inner = Vec::new();
            child_expressions(tree, id).into_iter().all(|child| collect_effects(tree, child, evidence, &mut inner)) && {
                if !inner.is_empty() || seen == EvaluationEvidence::Needed {
                    found.push(id);
                }
                true
            }
        }
        ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. }
        | ExprKind::FString { .. }
        | ExprKind::TString { .. } => {
            found.push(id);
            true
        }
        ExprKind::Call { function, arguments } => {
            let harmless = match seen {
                EvaluationEvidence::Needed | EvaluationEvidence::Unproved => false,
                EvaluationEvidence::Proved => true,
                // `x.size(3)` may not have that many axes.
                EvaluationEvidence::Query => arguments.positional.is_empty() && arguments.keywords.is_empty(),
                EvaluationEvidence::None => is_pure_builtin(tree, function),
            };
            if harmless {
                return child_expressions(tree, id)
                    .into_iter()
                    .all(|child| collect_effects(tree, child, evidence, found));
            }
            keep_whole(tree, id, found)
        }
        _ if matches!(seen, EvaluationEvidence::Needed | EvaluationEvidence::Unproved) => keep_whole(tree, id, found),
        _ => child_expressions(tree, id).into_iter().all(|child| collect_effects(tree, child, evidence, found)),
    }
}

/// Keeps an expression as it is; false if it suspends the function.
fn keep_whole(tree: &Tree, id: ExprId, found: &mut Vec<ExprId>) -> bool {
    let mut stack = vec![id];
    while let Some(id) = stack.pop() {
        if matches!(tree[id].kind, ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. }) {
            return false;
        }
        stack.extend(child_expressions(tree, id));
    }
    found.push(id);
    true
}

/// Functions and methods of builtin types, and of the shapes that are such values, that read values and change nothing.
fn is_pure_builtin(tree: &Tree, function: ExprId) -> bool {
    match tree[function].kind {
        ExprKind::Attribute { attribute, .. } => {
            let name = tree.text(attribute.name);
            library::method(name).only_reads() || SIZE_METHODS.contains(&name)
        }
        ExprKind::Name { name, .. } => library::function(tree.text(name)).only_reads(),
        _ => false,
    }
}
