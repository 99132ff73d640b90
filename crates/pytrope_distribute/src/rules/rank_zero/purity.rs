//! Which calls inside a guarded statement must run on every rank, and so are computed before it.

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use rustc_hash::FxHashSet;

use crate::index::exprs_in;
use crate::rewrite::{Rewrite, Target};
use crate::rules::ddp::is_wrapped;
use crate::trace::{Def, ExprPlace, call_arguments};

/// Give names to the parts of a call's arguments that every rank must compute.
pub fn hoist_call(rw: &mut Rewrite, call: ExprPlace, stmt: StmtId) {
    let module = call.0;
    let tree = rw.trace.tree(module);
    let Some(given) = call_arguments(tree, call.1) else { return };
    let values: Vec<ExprId> =
        tree[given.positional].iter().copied().chain(tree[given.keywords].iter().map(|k| k.value)).collect();
    for value in values {
        let mut todo = vec![(value, false)];
        let mut hoisted: Vec<ExprId> = Vec::new();
        let mut conditional = false;
        while let Some((expr, guarded)) = todo.pop() {
            if is_shared(rw, (module, expr)) {
                conditional |= guarded;
                hoisted.push(expr);
                continue;
            }
            let opens = matches!(
                tree[expr].kind,
                ExprKind::IfExp { .. }
                    | ExprKind::BoolOp { .. }
                    | ExprKind::Lambda { .. }
                    | ExprKind::ListComp { .. }
                    | ExprKind::Generator { .. }
            );
            for child in tree.children(Node::Expr(expr)).into_iter().rev() {
                if let Node::Expr(child) = child {
                    todo.push((child, guarded || opens));
                }
            }
        }
        if hoisted.is_empty() {
            continue;
        }
        if conditional {
            hoisted = vec![match tree[value].kind {
                ExprKind::Starred { value, .. } => value,
                _ => value,
            }];
        }
        for expr in hoisted {
            let text = rw.text((module, expr)).to_owned();
            let base = if text.ends_with(".state_dict()") { "state" } else { "result" };
            let name = rw.edits[module].fresh_name(base);
            rw.edits[module].insert_before(stmt, &format!("{name} = {text}"));
            rw.edits[module].replace_range(tree[expr].range, name);
            let range = tree[expr].range;
            rw.log_change("hoist-from-guard", module, range, format!("`{text}` runs on every rank"));
        }
    }
}

/// Whether a call takes part in training or reads data, so that leaving it out on one rank would part the ranks.
fn is_shared(rw: &Rewrite, place: ExprPlace) -> bool {
    if !matches!(rw.trace.tree(place.0)[place.1].kind, ExprKind::Call { .. }) {
        return false;
    }
    // A wrapped module's forward pass may wait for the other ranks.
    if let ExprKind::Call { function, .. } = rw.trace.tree(place.0)[place.1].kind
        && is_wrapped(rw, &rw.wrapped, (place.0, function), 6)
    {
        return true;
    }
    if let Some(def) = rw.trace.project_callee(place) {
        return matches!(rw.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
            && (rw.target.is_torch() || touches_state(rw, def, &mut FxHashSet::default()));
    }
    has_effects(rw, place)
}

fn has_effects(rw: &Rewrite, place: ExprPlace) -> bool {
    if rw.trace.called_api(place).is_some_and(|api| api == "builtins.next" || api == "builtins.input") {
        return true;
    }
    rw.trace.called_method(place).is_some_and(|(receiver, method)| {
        // The state of a sharded module is gathered by all ranks together.
        rw.target == Target::Fsdp2 && method == "state_dict"
            || matches!(
                method,
                "fit"
                    | "train"
                    | "run"
                    | "evaluate"
                    | "predict"
                    | "apply_gradients"
                    | "minimize"
                    | "gradient"
                    | "backward"
                    | "step"
                    | "get_next"
                    | "train_on_batch"
                    | "test_on_batch"
                    | "next_batch"
            ) && rw.trace.origin((place.0, receiver)).is_none_or(|origin| origin.starts_with("builtins."))
    })
}

fn touches_state(rw: &Rewrite, def: Def, seen: &mut FxHashSet<Def>) -> bool {
    if !seen.insert(def) {
        return false;
    }
    let tree = rw.trace.tree(def.0);
    exprs_in(tree, def.1).any(|e| {
        if !matches!(tree[e].kind, ExprKind::Call { .. }) {
            return false;
        }
        has_effects(rw, (def.0, e))
            || rw.trace.project_callee((def.0, e)).is_some_and(|inner| {
                matches!(rw.trace.tree(inner.0)[inner.1].kind, StmtKind::FunctionDef(_))
                    && touches_state(rw, inner, seen)
            })
    })
}
