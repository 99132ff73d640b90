//! A new order every epoch: the sampler learns which one it is before a loop over its loader.
//!
//! ```python
//! for x, y in tqdm(loader):            # loader.sampler.set_epoch(epoch)
//!                                      # for x, y in tqdm(loader):
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{ExprKind, StmtId, StmtKind};

use super::{RULE, loaders_of};
use crate::data::{is_passing, strip_passing};
use crate::index::{Kind, expr_scope, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::trace::{Def, ExprPlace, argument_of};

pub fn set_epochs(rw: &mut Rewrite, module: ModuleId, l: StmtId, trained: &[ExprPlace]) {
    let tree = rw.trace.tree(module);
    // A loader that Accelerate prepared counts its epochs.
    if rw.target == Target::Accelerate {
        return;
    }
    let StmtKind::For { iter, .. } = tree[l].kind else { return };
    let (at, made) = behind_progress(rw, strip_passing(rw.trace, (module, iter)));
    if at.0 != module || !is_repeatable(rw, at) {
        return;
    }
    let reached = loaders_of(rw, at);
    // A sampler that keeps the order has nothing to learn.
    if !reached.iter().any(|&loader| shuffles_samples(rw, loader)) {
        return;
    }
    if let Some(class) = rw.trace.class_of(at) {
        in_wrapper(rw, class, trained);
        return;
    }
    let loader = rw.text(at).to_owned();
    let epoch = outer_epoch(rw, module, l).unwrap_or_else(|| format!("{loader}.sampler.epoch + 1"));
    // `enumerate(loader)` and workers begin to draw where they are made, not where the loop begins.
    let place = made.filter(|&made| tree.enclosing(made) == tree.enclosing(l)).unwrap_or(l);
    rw.edits[module].insert_before(place, &format!("{loader}.sampler.set_epoch({epoch})"));
    let range = rw.range(at);
    rw.log_change(RULE, module, range, "the order of samples changes every epoch");
}

/// `bar = tqdm(loader)` is iterated in the loader's place; also the statement that makes it.
fn behind_progress(rw: &Rewrite, at: ExprPlace) -> (ExprPlace, Option<StmtId>) {
    let tree = rw.trace.tree(at.0);
    let Some(name) = tree.as_name(at.1) else { return (at, None) };
    let index = &rw.project.modules[at.0].index;
    match index.lookup_name(tree, expr_scope(tree, at.1), tree.text(name)) {
        Some((scope, [binding])) if scope == expr_scope(tree, at.1) => match binding.kind {
            Kind::Value(value) if rw.trace.called_api((at.0, value)).is_some_and(|api| is_passing(&api)) => {
                (strip_passing(rw.trace, (at.0, value)), Some(binding.stmt))
            }
            _ => (at, None),
        },
        _ => (at, None),
    }
}

fn is_repeatable(rw: &Rewrite, (module, expr): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    tree.dotted(expr).is_some()
        || matches!(tree[expr].kind, ExprKind::Subscript { value, .. } if tree.dotted(value).is_some())
}

fn shuffles_samples(rw: &Rewrite, (module, call): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    match argument_of(tree, call, "shuffle", 2) {
        Some(given) => !matches!(tree[given].kind, ExprKind::Bool(false)),
        // It may be among the options that are handed on.
        None => {
            crate::trace::call_arguments(tree, call).is_some_and(|a| tree[a.keywords].iter().any(|k| k.name.is_none()))
        }
    }
}

/// A class of the project that hands on a loader's batches: its own loop over the loader tells the sampler.
fn in_wrapper(rw: &mut Rewrite, class: Def, trained: &[ExprPlace]) {
    let Some((module, method)) = rw.trace.method_of(class, "__iter__", 8) else { return };
    let tree = rw.trace.tree(module);
    let loops: Vec<StmtId> = tree
        .descendants(Node::Stmt(method))
        .filter_map(|node| match node {
            Node::Stmt(stmt) if matches!(tree[stmt].kind, StmtKind::For { .. }) => Some(stmt),
            _ => None,
        })
        .collect();
    for l in loops {
        let StmtKind::For { iter, .. } = tree[l].kind else { continue };
        let at = strip_passing(rw.trace, (module, iter));
        let reached = loaders_of(rw, at);
        if reached.is_empty() || !is_repeatable(rw, at) || !rw.done.insert(at) {
            continue;
        }
        let loader = rw.text(at).to_owned();
        let line = format!("{loader}.sampler.set_epoch({loader}.sampler.epoch + 1)");
        let line = if reached.iter().all(|loader| trained.contains(loader)) {
            line
        } else {
            rw.add_import(module, "from torch.utils.data.distributed import DistributedSampler");
            format!("if isinstance({loader}.sampler, DistributedSampler):\n    {line}")
        };
        rw.engine_name(module);
        rw.edits[module].insert_before(l, &line);
        let range = rw.range(at);
        rw.log_change(RULE, module, range, "the order of samples changes every epoch");
    }
}

/// The number of the epoch: the counter of a loop around this one, or a parameter that is called so.
fn outer_epoch(rw: &Rewrite, module: ModuleId, l: StmtId) -> Option<String> {
    let tree = rw.trace.tree(module);
    for outer in loops_around(tree, l).into_iter().filter(|&o| o != l) {
        if let StmtKind::For { target, iter, .. } = tree[outer].kind
            && rw.trace.called_api(strip_passing(rw.trace, (module, iter))).as_deref() == Some("builtins.range")
            && let ExprKind::Name { name, .. } = tree[target].kind
            && tree.text(name) != "_"
        {
            return Some(tree.text(name).to_owned());
        }
    }
    let function = scope_of(tree, l)?;
    let index = &rw.project.modules[module].index;
    let (scope, bindings) = index.lookup_name(tree, Some(function), "epoch")?;
    (scope == Some(function) && bindings.iter().any(|b| matches!(b.kind, Kind::Parameter(_))))
        .then(|| "epoch".to_owned())
}
