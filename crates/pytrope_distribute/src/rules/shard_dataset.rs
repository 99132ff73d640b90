//! tf.data pipelines: each rank reads its own samples, and all ranks equally many.
//!
//! ```python
//! Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
//! # Dataset.from_tensor_slices((x, y))
//! #     .take(len(x) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank()).shuffle(100).batch(32)
//! ```

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::data::{Chain, gives_batches};
use crate::index::{Kind, expr_scope};
use crate::rewrite::Rewrite;
use crate::rules::shard_arrays;
use crate::trace::{ExprPlace, argument_of, call_arguments};

const RULE: &str = "shard-dataset";

/// Operations after which a pipeline has another number of elements, unknown before it runs.
const COUNTLESS: &[&str] = &["interleave", "flat_map", "filter", "unbatch", "take_while", "unique"];

/// Shard the pipelines that train. `evaluated` are the pipelines that something else reads too.
pub fn shard_chains(rw: &mut Rewrite, trained: &[Chain], evaluated: &[Chain]) {
    for chain in trained {
        let Some(before) = shard_one(rw, chain, evaluated) else { continue };
        // What is taken before the cut is taken for all ranks together.
        for (call, method) in &chain.operations[before..] {
            if method == "take" {
                let tree = rw.trace.tree(call.0);
                if let Some(count) = argument_of(tree, call.1, "count", 0) {
                    rw.divide_count(RULE, (call.0, count));
                }
            }
        }
    }
}

/// Cut one pipeline; the answer is how many of its operations come before the cut.
fn shard_one(rw: &mut Rewrite, chain: &Chain, evaluated: &[Chain]) -> Option<usize> {
    same_files(rw, chain.source);
    let shared: Vec<&Chain> = evaluated.iter().filter(|other| other.source == chain.source).collect();
    if shared.is_empty() {
        return cut_own(rw, chain);
    }
    // The same function builds the pipeline for training and for evaluation: its arrays are cut where it is called to train.
    let through = chain.through.iter().rev().find(|call| !shared.iter().any(|other| other.through.contains(call)));
    if let Some(&call) = through {
        return cut_call(rw, chain, call);
    }
    // Both split off one pipeline: the training part is cut after the split.
    let mut shuffled = false;
    let mut batched = rw.trace.called_api(chain.source).is_some_and(|api| gives_batches(&api));
    for (i, (call, method)) in chain.operations.iter().enumerate() {
        if shared.iter().any(|other| other.operations.iter().any(|(place, _)| place == call)) {
            shuffled |= method == "shuffle";
            batched = batched && method != "unbatch" || matches!(method.as_str(), "batch" | "padded_batch");
            continue;
        }
        if shuffled {
            let range = rw.range(*call);
            rw.refuse_at(
                "untraceable-data",
                call.0,
                range,
                "training and evaluation data are split after a shuffle, which differs on every rank",
                "split before shuffling",
            );
            return None;
        }
        if rw.done.insert(*call) {
            if batched {
                shard_batches(rw, *call);
            } else {
                unknown_length(rw, *call);
            }
        }
        return Some(i + 1);
    }
    // Trained and evaluated on the same pipeline: evaluation sees this rank's part.
    cut_own(rw, chain)
}

/// Cut a pipeline that only training reads: at its source, or where the number of its samples is settled.
fn cut_own(rw: &mut Rewrite, chain: &Chain) -> Option<usize> {
    let Some(last) = settled_operation(chain) else {
        if rw.done.insert(chain.source) {
            at_source(rw, chain.source);
        }
        return Some(0);
    };
    let at = chain.operations[last].0;
    let range = rw.range(at);
    let ordered = |method: &str| matches!(method, "shuffle" | "repeat" | "shuffle_and_repeat");
    if chain.operations[..last].iter().any(|(_, method)| ordered(method)) {
        let message = "samples are chosen after they were shuffled, and ranks that shuffle differently would overlap";
        rw.refuse_at("untraceable-data", at.0, range, message, "choose the samples before shuffling them");
        return None;
    }
    if rw.done.insert(at) {
        let tree = rw.trace.tree(at.0);
        let whole = |e: ExprId| matches!(tree[e].kind, ExprKind::Bool(true));
        if chain.operations[last].1 == "batch" && !argument_of(tree, at.1, "drop_remainder", 1).is_some_and(whole) {
            shard_batches(rw, at);
        } else {
            unknown_length(rw, at);
        }
    }
    Some(last + 1)
}

/// The operation after which the samples of a pipeline are what they will be: the last that changes their number, or
/// the first of two batches, which makes sequences of elements whose order matters.
fn settled_operation(chain: &Chain) -> Option<usize> {
    let is = |words: &[&str], method: &String| words.contains(&method.as_str());
    let countless = chain.operations.iter().rposition(|(_, method)| is(COUNTLESS, method));
    let batched: Vec<usize> = (0..chain.operations.len())
        .filter(|&i| is(&["batch", "padded_batch", "window"], &chain.operations[i].1))
        .collect();
    let sequences = match batched[..] {
        [first, _, ..] if !chain.operations[..first].iter().any(|(_, m)| is(&["shuffle"], m)) => Some(first),
        _ => None,
    };
    countless.max(sequences)
}

/// Files must come in one order on every rank.
fn same_files(rw: &mut Rewrite, source: ExprPlace) {
    let (name, place, default) = match rw.trace.called_api(source).as_deref() {
        Some("tf.data.Dataset.list_files") => ("shuffle", 1, true),
        Some("tensorflow_datasets.load") => ("shuffle_files", usize::MAX, false),
        _ => return,
    };
    let tree = rw.trace.tree(source.0);
    match argument_of(tree, source.1, name, place) {
        Some(given) if matches!(tree[given].kind, ExprKind::Bool(false)) => return,
        Some(given) => {
            if rw.done.insert((source.0, given)) {
                rw.edits[source.0].replace_range(tree[given].range, "False");
            }
        }
        None if default && rw.ordered.insert(source) => rw.add_argument(source, &format!("{name}=False")),
        None => return,
    }
    let range = rw.range(source);
    rw.log_change(RULE, source.0, range, "all ranks read the files in one order");
}

/// Cut what a function gives to the training, and not what it gives to others.
fn cut_call(rw: &mut Rewrite, chain: &Chain, call: ExprPlace) -> Option<usize> {
    if !rw.done.insert(call) || shard_arrays::at_call(rw, call, chain.source) {
        return Some(0);
    }
    // What the function gives may still be cut, as long as it is neither shuffled nor batched yet.
    let inside = rw.trace.project_callee(call);
    let within = |(module, place): ExprPlace| {
        let tree = rw.trace.tree(module);
        let mut scope = expr_scope(tree, place);
        let mut found = false;
        while let Some(function) = scope {
            found |= inside == Some((module, function));
            scope = crate::index::scope_of(tree, function);
        }
        found
    };
    let before = chain.operations.iter().filter(|(place, _)| within(*place)).count();
    let has = |words: &[&str]| {
        chain.operations.iter().any(|(place, method)| within(*place) && words.contains(&method.as_str()))
    };
    if has(&["repeat"]) {
        let range = rw.range(call);
        rw.refuse_at(
            "untraceable-data",
            call.0,
            range,
            "this function makes the training and the evaluation data, and its samples are not arrays given to it",
            "give the training data a function of its own",
        );
        return None;
    }
    let source = rw.trace.called_api(chain.source).is_some_and(|api| gives_batches(&api));
    if source || has(&["batch", "padded_batch"]) {
        same_shuffle(rw, inside);
        shard_batches(rw, call);
    } else if has(&["shuffle"]) {
        let range = rw.range(call);
        let message = "this function shuffles the training and the evaluation data, and ranks would overlap";
        rw.refuse_at("untraceable-data", call.0, range, message, "give the training data a function of its own");
        return None;
    } else {
        unknown_length(rw, call);
    }
    Some(before)
}

/// Batches that are dealt out after a shuffle must be the same batches on all ranks.
fn same_shuffle(rw: &mut Rewrite, maker: Option<crate::trace::Def>) {
    let Some((module, function)) = maker else { return };
    let tree = rw.trace.tree(module);
    for expr in crate::index::exprs_in(tree, function) {
        let shuffles = rw.trace.called_method((module, expr)).is_some_and(|(_, m)| m == "shuffle");
        if !shuffles || argument_of(tree, expr, "seed", 1).is_some() || !rw.done.insert((module, expr)) {
            continue;
        }
        rw.add_argument((module, expr), "seed=0");
        rw.log_change(
            RULE,
            module,
            tree[expr].range,
            "all ranks shuffle in the same order, because each then takes every n-th batch",
        );
    }
}

/// Finished batches, the last of which may be smaller, are dealt out whole.
fn shard_batches(rw: &mut Rewrite, at: ExprPlace) {
    let (module, call) = at;
    let tree = rw.trace.tree(module);
    let range = rw.range(at);
    let Some(stmt) = tree.stmt_of(call) else { return };
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let name = match tree[stmt].kind {
        StmtKind::Assign { targets, value } if value == call => first_name(rw, (module, tree[targets][0])),
        _ => None,
    };
    let dealt = |name: &str| format!("{name}.take(len({name}) // {size} * {size}).shard({size}, {rank})");
    if let Some(name) = name {
        let line = format!("{name} = {}", dealt(&name));
        rw.edits[module].insert_after(stmt, &line);
    } else {
        let name = rw.edits[module].fresh_name("batches");
        let text = rw.text(at).to_owned();
        rw.edits[module].insert_before(stmt, &format!("{name} = {text}"));
        rw.edits[module].replace_range(range, dealt(&name));
    }
    rw.log_change(RULE, module, range, "each rank reads every n-th batch, all ranks equally many");
}

fn at_source(rw: &mut Rewrite, source: ExprPlace) {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let api = rw.trace.called_api(source).unwrap_or_default();
    let length = match api.as_str() {
        "tf.data.Dataset.from_tensor_slices" => {
            argument_of(tree, call, "tensors", 0).and_then(|data| length_of(rw, (module, data)))
        }
        "tf.data.Dataset.range" => {
            let one = call_arguments(tree, call).is_some_and(|a| a.positional.len() == 1);
            argument_of(tree, call, "", 0).filter(|_| one).map(|n| rw.text((module, n)).to_owned())
        }
        _ => None,
    };
    let Some(length) = length else {
        if api == "tensorflow_datasets.load" || gives_batches(&api) {
            shard_loaded(rw, source);
        } else {
            unknown_length(rw, source);
        }
        return;
    };
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let dense = format!(".take({length} // {size} * {size}).shard({size}, {rank})");
    rw.wrap_text(source, "", &dense);
    let range = rw.range(source);
    rw.log_change(RULE, module, range, "each rank reads every n-th sample, all ranks equally many");
}

/// `len(x)` for the first array of what a dataset is made of.
fn length_of(rw: &Rewrite, data: ExprPlace) -> Option<String> {
    let (module, expr) = data;
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::Tuple { elements, .. } => length_of(rw, (module, *tree[elements].first()?)),
        ExprKind::Dict { items } => length_of(rw, (module, tree[items].first()?.value)),
        ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
            let composed = rw.trace.value_roots(data).iter().any(|r| {
                matches!(
                    rw.trace.tree(r.module)[r.expr].kind,
                    ExprKind::Dict { .. } | ExprKind::DictComp { .. } | ExprKind::Tuple { .. }
                ) || rw
                    .trace
                    .called_api((r.module, r.expr))
                    .is_some_and(|api| matches!(api.as_str(), "builtins.dict" | "builtins.tuple" | "tf.placeholder"))
            });
            (!composed).then(|| format!("len({})", rw.text(data)))
        }
        ExprKind::Subscript { value, .. } if tree.dotted(value).is_some() => Some(format!("len({})", rw.text(data))),
        _ => None,
    }
}

/// Files and generators do not know their length: groups of one sample per rank are formed, and the last incomplete one dropped.
fn unknown_length(rw: &mut Rewrite, at: ExprPlace) {
    let module = at.0;
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    rw.wrap_text(at, "", &format!(".batch({size}, drop_remainder=True).unbatch().shard({size}, {rank})"));
    let range = rw.range(at);
    rw.log_change(RULE, module, range, "each rank reads every n-th sample; an incomplete last group is dropped");
}

/// A loader that gives a finished dataset: it is cut after the statement that binds it.
fn shard_loaded(rw: &mut Rewrite, source: ExprPlace) {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let range = rw.range(source);
    let Some(stmt) = tree.stmt_of(call) else { return };
    let name = match tree[stmt].kind {
        StmtKind::Assign { targets, value } if value == call => first_name(rw, (module, tree[targets][0])),
        _ => None,
    };
    let Some(name) = name else {
        rw.refuse_at(
            "untraceable-data",
            module,
            range,
            "the loaded dataset has no name of its own",
            "assign it to a name first",
        );
        return;
    };
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    // What is shuffled before it is dealt out must be shuffled alike.
    let given = |name| crate::data::keyword_of(rw.trace, source, name);
    let ordered = given("shuffle").is_some_and(|s| matches!(tree[s].kind, ExprKind::Bool(false)));
    if rw.trace.called_api(source).is_some_and(|api| api.ends_with("_from_directory"))
        && given("seed").is_none()
        && !ordered
    {
        rw.add_argument(source, "seed=0");
    }
    let mut lines = format!("{name} = {name}.take(len({name}) // {size} * {size}).shard({size}, {rank})");
    // What the loader wrote on its dataset, a cut dataset does not have.
    for attribute in ["class_names", "file_paths"] {
        let text = format!("{name}.{attribute}");
        if tree.expr_ids().any(|e| rw.trace.text((module, e)) == text) {
            let kept = rw.edits[module].fresh_name(&format!("kept_{attribute}"));
            lines = format!("{kept} = {text}\n{lines}\n{text} = {kept}");
        }
    }
    rw.edits[module].insert_after(stmt, &lines);
    rw.log_change(RULE, module, range, "each rank reads every n-th element, all ranks equally many");
}

fn first_name(rw: &Rewrite, (module, target): ExprPlace) -> Option<String> {
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
pub fn parameter_of(rw: &Rewrite, (module, expr): ExprPlace) -> Option<(pytrope_source::tree::StmtId, usize)> {
    let tree = rw.trace.tree(module);
    let name = tree.text(tree.as_name(expr)?);
    let scope = expr_scope(tree, expr);
    let (found, bindings) = rw.project.modules[module].index.lookup_name(tree, scope, name)?;
    bindings.iter().find_map(|b| match b.kind {
        Kind::Parameter(i) => found.map(|f| (f, i)),
        _ => None,
    })
}

/// The arrays that a `from_tensor_slices` call is given, as expressions.
pub fn array_parts(rw: &Rewrite, source: ExprPlace) -> Vec<ExprId> {
    let (module, call) = source;
    let tree = rw.trace.tree(module);
    let Some(data) = argument_of(tree, call, "tensors", 0) else { return Vec::new() };
    match tree[data].kind {
        ExprKind::Tuple { elements, .. } => tree[elements].to_vec(),
        ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
        _ => vec![data],
    }
}
