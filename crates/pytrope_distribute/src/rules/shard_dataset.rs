//! tf.data pipelines: each rank reads its own samples, and all ranks equally many.
//!
//! ```python
//! Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
//! # Dataset.from_tensor_slices((x, y))
//! #     .take(len(x) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank()).shuffle(100).batch(32)
//! ```

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::data::Chain;
use crate::index::{Kind, expr_scope};
use crate::rewrite::Rewrite;
use crate::rules::shard_arrays;
use crate::trace::{Place, argument, arguments};

const RULE: &str = "shard-dataset";

/// Shard the pipelines that train. `evaluated` are the pipelines that something else reads too.
pub fn shard(rw: &mut Rewrite, trained: &[Chain], evaluated: &[Chain]) {
    for chain in trained {
        for (call, method) in &chain.operations {
            if method == "take" {
                let tree = rw.trace.tree(call.0);
                if let Some(count) = argument(tree, call.1, "count", 0) {
                    rw.divide(RULE, (call.0, count));
                }
            }
        }
        if !rw.done.contains(&chain.source) {
            shard_one(rw, chain, evaluated);
        }
    }
}

fn shard_one(rw: &mut Rewrite, chain: &Chain, evaluated: &[Chain]) {
    let shared: Vec<&Chain> = evaluated.iter().filter(|other| other.source == chain.source).collect();
    if shared.is_empty() {
        rw.done.insert(chain.source);
        at_source(rw, chain.source);
        return;
    }
    // The same function builds the pipeline for training and for evaluation: its arrays are cut where it is called to train.
    let through = chain.through.iter().rev().find(|call| !shared.iter().any(|other| other.through.contains(call)));
    if let Some(&call) = through {
        if rw.done.insert(call) && !shard_arrays::at_call(rw, call, chain.source) {
            // What the function gives may still be cut, as long as it is neither shuffled nor batched yet.
            let inside = rw.trace.callee(call);
            let settled = chain.operations.iter().any(|((module, place), method)| {
                let home = expr_scope(rw.trace.tree(*module), *place).map(|f| (*module, f));
                home == inside && matches!(method.as_str(), "shuffle" | "batch" | "padded_batch" | "repeat")
            });
            if !settled {
                unknown_length(rw, call);
                return;
            }
            let range = rw.range(call);
            rw.refuse(
                "untraceable-data",
                call.0,
                range,
                "this function makes the training and the evaluation data, and its samples are not arrays given to it",
                "give the training data a function of its own",
            );
        }
        return;
    }
    // Both split off one pipeline: the training part is cut after the split.
    let mut shuffled = false;
    for (call, method) in &chain.operations {
        if shared.iter().any(|other| other.operations.iter().any(|(place, _)| place == call)) {
            shuffled |= method == "shuffle";
            continue;
        }
        if shuffled {
            let range = rw.range(*call);
            rw.refuse(
                "untraceable-data",
                call.0,
                range,
                "training and evaluation data are split after a shuffle, which differs on every rank",
                "split before shuffling",
            );
            return;
        }
        if rw.done.insert(*call) {
            unknown_length(rw, *call);
        }
        return;
    }
    // Trained and evaluated on the same pipeline: evaluation sees this rank's part.
    rw.done.insert(chain.source);
    at_source(rw, chain.source);
}

fn at_source(rw: &mut Rewrite, source: Place) {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let api = rw.trace.called(source).unwrap_or_default();
    let length = match api.as_str() {
        "tf.data.Dataset.from_tensor_slices" => {
            argument(tree, call, "tensors", 0).and_then(|data| length_of(rw, (module, data)))
        }
        "tf.data.Dataset.range" => {
            let one = arguments(tree, call).is_some_and(|a| a.positional.len() == 1);
            argument(tree, call, "", 0).filter(|_| one).map(|n| rw.text((module, n)).to_owned())
        }
        _ => None,
    };
    let Some(length) = length else {
        if api == "tensorflow_datasets.load" || api.ends_with("_dataset_from_directory") {
            loaded(rw, source);
        } else {
            unknown_length(rw, source);
        }
        return;
    };
    let (rank, size) = (rw.rank(module), rw.size(module));
    let dense = format!(".take({length} // {size} * {size}).shard({size}, {rank})");
    rw.wrap(source, "", &dense);
    let range = rw.range(source);
    rw.log(RULE, module, range, "each rank reads every n-th sample, all ranks equally many");
}

/// `len(x)` for the first array of what a dataset is made of.
fn length_of(rw: &Rewrite, data: Place) -> Option<String> {
    let (module, expr) = data;
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::Tuple { elements, .. } => length_of(rw, (module, *tree[elements].first()?)),
        ExprKind::Dict { items } => length_of(rw, (module, tree[items].first()?.value)),
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
            let composed = rw.trace.roots(data).iter().any(|r| {
                matches!(rw.trace.tree(r.module)[r.expr].kind, ExprKind::Dict { .. } | ExprKind::Tuple { .. })
                    || rw.trace.called((r.module, r.expr)).is_some_and(|api| {
                        matches!(api.as_str(), "builtins.dict" | "builtins.tuple" | "tf.placeholder")
                    })
            });
            (!composed).then(|| format!("len({})", rw.text(data)))
        }
        ExprKind::Subscript { value, .. } if tree.dotted(value).is_some() => Some(format!("len({})", rw.text(data))),
        _ => None,
    }
}

/// Files and generators do not know their length: groups of one sample per rank are formed, and the last incomplete one dropped.
fn unknown_length(rw: &mut Rewrite, at: Place) {
    let module = at.0;
    let (rank, size) = (rw.rank(module), rw.size(module));
    rw.wrap(at, "", &format!(".batch({size}, drop_remainder=True).unbatch().shard({size}, {rank})"));
    let range = rw.range(at);
    rw.log(RULE, module, range, "each rank reads every n-th sample; an incomplete last group is dropped");
}

/// A loader that gives a finished dataset: it is cut after the statement that binds it.
fn loaded(rw: &mut Rewrite, source: Place) {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let range = rw.range(source);
    let Some(stmt) = tree.stmt_of(call) else { return };
    let name = match tree[stmt].kind {
        StmtKind::Assign { targets, value } if value == call => first_name(rw, (module, tree[targets][0])),
        _ => None,
    };
    let Some(name) = name else {
        rw.refuse(
            "untraceable-data",
            module,
            range,
            "the loaded dataset has no name of its own",
            "assign it to a name first",
        );
        return;
    };
    let (rank, size) = (rw.rank(module), rw.size(module));
    rw.edits[module]
        .insert_after(stmt, &format!("{name} = {name}.take(len({name}) // {size} * {size}).shard({size}, {rank})"));
    rw.log(RULE, module, range, "each rank reads every n-th element, all ranks equally many");
}

fn first_name(rw: &Rewrite, (module, target): Place) -> Option<String> {
    let tree = rw.trace.tree(module);
    match tree[target].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name).to_owned()),
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
            first_name(rw, (module, *tree[elements].first()?))
        }
        _ => None,
    }
}

/// Whether a name in a function's body is one of its parameters, and which.
pub fn parameter_of(rw: &Rewrite, (module, expr): Place) -> Option<(pytrope_source::tree::StmtId, usize)> {
    let tree = rw.trace.tree(module);
    let name = tree.text(tree.as_name(expr)?);
    let scope = expr_scope(tree, expr);
    let (found, bindings) = rw.project.modules[module].index.lookup(tree, scope, name)?;
    bindings.iter().find_map(|b| match b.kind {
        Kind::Parameter(i) => found.map(|f| (f, i)),
        _ => None,
    })
}

/// The arrays that a `from_tensor_slices` call is given, as expressions.
pub fn array_parts(rw: &Rewrite, source: Place) -> Vec<ExprId> {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let Some(data) = argument(tree, call, "tensors", 0) else { return Vec::new() };
    match tree[data].kind {
        ExprKind::Tuple { elements, .. } => tree[elements].to_vec(),
        ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
        _ => vec![data],
    }
}
