//! Gradient accumulation: ranks exchange gradients only in passes that a step follows.
//!
//! ```python
//! for i, (x, y) in enumerate(loader):      # for i, (x, y) in enumerate(loader):
//!     loss = f(model(x), y) / 4            #     with contextlib.nullcontext() if (i + 1) % 4 == 0 else model.no_sync():
//!     loss.backward()                      #         loss = f(model(x), y) / 4
//!                                          #         loss.backward()
//!     if (i + 1) % 4 == 0:                 #     if (i + 1) % 4 == 0:
//!         optimizer.step()                 #         optimizer.step()
//! ```
//!
//! Results are the same without this rule; it saves messages, so where anything is in doubt nothing is done.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use crate::identify::assigned_names;
use crate::index::{exprs_in, loops_around};
use crate::project::ModuleId;
use crate::rewrite::{GradientReduction, Rewrite, Target};
use crate::rules::ddp::{Wrapped, is_wrapped};
use crate::trace::ExprPlace;

const RULE: &str = "accumulate-locally";

/// A pass over one part of a batch: its first and last statement, the module that it calls, and when a step follows.
struct AccumulatedPass {
    module: ModuleId,
    first: StmtId,
    last: StmtId,
    model: String,
    condition: String,
}

pub fn accumulate_locally(rw: &mut Rewrite, wrapped: &[Wrapped]) {
    if rw.reduction == GradientReduction::Hooks {
        return;
    }
    for step in rw.training.steps.clone() {
        let Some(pass) = find_pass(rw, wrapped, step) else { continue };
        let AccumulatedPass { module, first, last, model, condition } = pass;
        match rw.target {
            Target::Fsdp2 => {
                rw.edits[module].insert_before(first, &format!("{model}.set_requires_gradient_sync({condition})"));
            }
            target => {
                let apart = if target == Target::Accelerate {
                    format!("{}.no_sync({model})", rw.engine_name(module))
                } else {
                    format!("{model}.no_sync()")
                };
                rw.add_import(module, "import contextlib");
                let header = format!("with contextlib.nullcontext() if {condition} else {apart}:");
                rw.edits[module].wrap_statements(first, last, &header);
            }
        }
        let range = rw.trace.tree(module)[first].range;
        rw.log_change(RULE, module, range, "gradients are exchanged only where a step follows");
    }
}

fn find_pass(rw: &Rewrite, wrapped: &[Wrapped], (module, backward): ExprPlace) -> Option<AccumulatedPass> {
    let tree = rw.trace.tree(module);
    let last = tree.stmt_of(backward)?;
    let innermost = *loops_around(tree, last).first()?;
    let StmtKind::For { body, .. } = tree[innermost].kind else { return None };
    let suite = &tree[body];
    let at = suite.iter().position(|&stmt| stmt == last)?;
    let (condition, step_stmt) = suite[at + 1..].iter().find_map(|&stmt| match tree[stmt].kind {
        StmtKind::If { test, .. } if takes_step(rw, module, stmt) => Some((test, stmt)),
        _ => None,
    })?;
    let steps = exprs_in(tree, innermost).filter(|&e| is_step(rw, (module, e)));
    if !steps.into_iter().all(|e| tree[step_stmt].range.contains_range(tree[e].range)) {
        return None;
    }
    let mut models: Vec<&str> = Vec::new();
    let mut first = None;
    for (i, &stmt) in suite[..=at].iter().enumerate() {
        for e in exprs_in(tree, stmt) {
            let ExprKind::Call { function, .. } = tree[e].kind else { continue };
            if is_wrapped(rw, wrapped, (module, function), 6) {
                first = first.or(Some(i));
                let text = rw.text((module, function));
                if !models.contains(&text) {
                    models.push(text);
                }
            }
        }
    }
    let [model] = models[..] else { return None };
    let first = suite[first?];
    let region = tree[first].range.cover(tree[last].range);
    let rewritten = rw.edits[module].list().iter().any(|e| region.contains_range(e.range) && e.text.contains('\n'));
    let until = TextRange::new(region.start, tree[step_stmt].range.start);
    if rewritten || !is_known_before(rw, module, condition, until) {
        return None;
    }
    let condition = rw.text((module, condition)).to_owned();
    Some(AccumulatedPass { module, first, last, model: model.to_owned(), condition })
}

/// `optimizer.step()`, `scaler.step(optimizer)`.
fn is_step(rw: &Rewrite, place: ExprPlace) -> bool {
    let optimizer = |at: ExprPlace| {
        rw.trace.value_roots(at).iter().any(|root| rw.training.optimizers.contains(&(root.module, root.expr)))
    };
    rw.trace.called_method(place).is_some_and(|(receiver, method)| {
        method == "step"
            && (optimizer((place.0, receiver))
                || crate::trace::argument_of(rw.trace.tree(place.0), place.1, "optimizer", 0)
                    .is_some_and(|given| optimizer((place.0, given))))
    })
}

fn takes_step(rw: &Rewrite, module: ModuleId, stmt: StmtId) -> bool {
    exprs_in(rw.trace.tree(module), stmt).any(|e| is_step(rw, (module, e)))
}

/// Whether a condition has the same value before the pass as where the script computes it: counters that nothing in
/// between changes, numbers and `len`.
fn is_known_before(rw: &Rewrite, module: ModuleId, condition: ExprId, until: TextRange) -> bool {
    let tree = rw.trace.tree(module);
    if rw.text((module, condition)).contains('\n') {
        return false;
    }
    let mut names: Vec<&str> = Vec::new();
    for node in tree.descendants(Node::Expr(condition)) {
        let Node::Expr(e) = node else { return false };
        match tree[e].kind {
            ExprKind::Name { name, .. } => names.push(tree.text(name)),
            ExprKind::BinOp { .. }
            | ExprKind::BoolOp { .. }
            | ExprKind::UnaryOp { .. }
            | ExprKind::Compare { .. }
            | ExprKind::Attribute { .. }
            | ExprKind::Int(_) => {}
            ExprKind::Call { function, .. } if tree.as_name(function).is_some_and(|n| tree.text(n) == "len") => {}
            _ => return false,
        }
    }
    tree.stmt_ids()
        .filter(|&stmt| until.contains_range(tree[stmt].range))
        .all(|stmt| assigned_names(rw.trace, module, stmt).iter().all(|name| !names.contains(name)))
}
