//! `model.fit`: its data, steps, callbacks and verbosity.
//!
//! ```python
//! model.fit(x, y, epochs=3)
//! # shard = slice(hvd.rank(), len(x) // hvd.size() * hvd.size(), hvd.size())
//! # model.fit(x[shard], y[shard], epochs=3, callbacks=[
//! #     hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()],
//! #     verbose=1 if hvd.rank() == 0 else 0)
//! ```

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::data::{Chain, DataFinder, keyword_of};
use crate::identify::is_keras_model;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::train_data::evaluated_chains;
use crate::rules::{shard_arrays, shard_dataset};
use crate::trace::{ExprPlace, argument_of, call_arguments};

pub fn distribute_fits(rw: &mut Rewrite) {
    let fits: Vec<ExprPlace> = rw
        .training
        .steps
        .iter()
        .copied()
        .filter(|&s| rw.trace.called_method(s).is_some_and(|(_, m)| m.starts_with("fit")))
        .collect();
    let mut chains: Vec<Chain> = Vec::new();
    for &fit in &fits {
        divide_fit_data(rw, fit, &mut chains);
        let tree = rw.trace.tree(fit.0);
        if let Some(steps) =
            argument_of(tree, fit.1, "steps_per_epoch", 12).filter(|&s| !matches!(tree[s].kind, ExprKind::None))
        {
            rw.divide_count("divide-steps", (fit.0, steps));
        }
        add_callbacks(rw, fit);
        silence_ranks(rw, fit, true);
    }
    let evaluated = evaluated_chains(rw, &[]);
    shard_dataset::shard_chains(rw, &chains, &evaluated);
    for module in 0..rw.project.modules.len() {
        for expr in rw.trace.tree(module).expr_ids() {
            let Some((receiver, method)) = rw.trace.called_method((module, expr)) else { continue };
            if matches!(method, "evaluate" | "predict") && is_keras_model(rw.trace, (module, receiver)) {
                silence_ranks(rw, (module, expr), false);
            }
        }
    }
}

fn divide_fit_data(rw: &mut Rewrite, fit: ExprPlace, chains: &mut Vec<Chain>) {
    let (module, call) = fit;
    let tree = rw.trace.tree(module);
    let range = rw.range(fit);
    let Some(x) = argument_of(tree, call, "x", 0).or_else(|| keyword_of(rw.trace, fit, "generator")) else {
        rw.refuse_at(
            "untraceable-data",
            module,
            range,
            "the data of this `fit` is given neither by position nor as `x=`",
            "give it as `x=`",
        );
        return;
    };
    let found = DataFinder::dataset_chains(rw.trace, (module, x));
    if !found.is_empty() {
        chains.extend(found);
        return;
    }
    let mut values = Vec::new();
    if let Some(y) = argument_of(tree, call, "y", 1).filter(|&y| !matches!(tree[y].kind, ExprKind::None)) {
        collect_arrays(rw, (module, x), &mut values);
        collect_arrays(rw, (module, y), &mut values);
        if let Some(weights) = keyword_of(rw.trace, fit, "sample_weight") {
            values.push(weights);
        }
        cut_samples(rw, fit, &values);
        return;
    }
    if DataFinder::new(rw.trace).is_array((module, x), None) {
        collect_arrays(rw, (module, x), &mut values);
        cut_samples(rw, fit, &values);
        return;
    }
    for root in rw.trace.value_roots((module, x)) {
        let at = (root.module, root.expr);
        let root_tree = rw.trace.tree(at.0);
        if rw.trace.called_method(at).is_some_and(|(_, m)| m.starts_with("flow_from_")) {
            divide_drawn_images(rw, fit, at, x);
            return;
        }
        let Some(given) = call_arguments(root_tree, at.1) else { continue };
        let maker = rw.trace.project_callee(at).is_some_and(|def| match rw.trace.tree(def.0)[def.1].kind {
            StmtKind::FunctionDef(_) => rw.trace.is_generator(def),
            StmtKind::ClassDef(_) => {
                rw.trace.descends_from(def, &|api| api.ends_with("utils.Sequence") || api.ends_with("PyDataset"))
            }
            _ => false,
        }) || rw.trace.called_method(at).is_some_and(|(_, m)| m == "flow");
        if !maker {
            continue;
        }
        let finder = DataFinder::new(rw.trace);
        let arrays: Vec<ExprId> = root_tree[given.positional]
            .iter()
            .copied()
            .chain(root_tree[given.keywords].iter().map(|k| k.value))
            .filter(|&value| finder.is_array((at.0, value), None))
            .collect();
        if !arrays.is_empty() {
            if rw.done.insert(at) {
                cut_samples(rw, at, &arrays);
            }
            return;
        }
    }
    let x_range = rw.range((module, x));
    rw.refuse_at(
        "untraceable-data",
        module,
        x_range,
        "what this `fit` reads is neither a dataset, nor arrays, nor a generator over arrays",
        "give it arrays or a tf.data pipeline",
    );
}

/// Images drawn from a folder in random order: every rank draws by itself, and fewer times.
fn divide_drawn_images(rw: &mut Rewrite, fit: ExprPlace, flow: ExprPlace, x: ExprId) {
    let module = fit.0;
    let tree = rw.trace.tree(module);
    let range = rw.range(fit);
    let ordered = keyword_of(rw.trace, flow, "shuffle")
        .is_some_and(|s| !matches!(rw.trace.tree(flow.0)[s].kind, ExprKind::Bool(true)));
    if ordered || (tree.dotted(x).is_none() && argument_of(tree, fit.1, "steps_per_epoch", 12).is_none()) {
        let message = "images in a fixed order, or without a name, cannot be divided";
        rw.refuse_at("untraceable-data", module, range, message, "shuffle them, and assign the iterator to a name");
        return;
    }
    if let Some(seed) = keyword_of(rw.trace, flow, "seed") {
        let rank = rw.rank_text(flow.0);
        rw.append_operator((flow.0, seed), &format!(" + {rank}"));
    }
    if argument_of(tree, fit.1, "steps_per_epoch", 12).is_none() {
        let (size, text) = (rw.size_text(module), rw.text((module, x)).to_owned());
        rw.add_argument(fit, &format!("steps_per_epoch=max(1, len({text}) // {size})"));
    }
    rw.log_change("divide-steps", module, range, "every rank draws its own images, and fewer times");
}

/// How the samples of an argument of `fit` are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Array,
    Mapping,
    Sequence,
}

/// A dictionary or a list of arrays is cut array by array.
fn kept_form(rw: &Rewrite, value: ExprPlace) -> Kept {
    let finder = DataFinder::new(rw.trace);
    for root in rw.trace.value_roots(value).iter().filter(|root| root.element.is_none() && !root.iterated) {
        let tree = rw.trace.tree(root.module);
        match tree[root.expr].kind {
            ExprKind::Dict { .. } | ExprKind::DictComp { .. } => return Kept::Mapping,
            ExprKind::Call { .. } => {
                let named = rw.trace.called_api((root.module, root.expr)).as_deref() == Some("builtins.dict");
                if named || rw.trace.called_method((root.module, root.expr)).is_some_and(|(_, m)| m == "to_dict") {
                    return Kept::Mapping;
                }
            }
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. }
                // Rows that are written out are numbers and lists of numbers.
                if tree[elements].iter().any(|&e| {
                    finder.is_array((root.module, e), None)
                        || matches!(tree[e].kind, ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. })
                }) =>
            {
                return Kept::Sequence;
            }
            ExprKind::ListComp { element, .. } if finder.is_array((root.module, element), None) => {
                return Kept::Sequence;
            }
            _ => {}
        }
    }
    Kept::Array
}

/// Cut what is kept in dictionaries and lists where it is given.
fn cut_kept(rw: &mut Rewrite, at: ExprPlace, values: &[(ExprId, Kept)]) {
    let module = at.0;
    let tree = rw.trace.tree(module);
    let Some(stmt) = rw.stmt_of(at) else { return };
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let array = values.iter().find(|(_, kept)| *kept == Kept::Array).or(values.first());
    let Some(&(first, kept)) = array else { return };
    let text = rw.text((module, first)).to_owned();
    let length = match kept {
        Kept::Array => format!("len({text})"),
        Kept::Mapping => format!("len(next(iter({text}.values())))"),
        Kept::Sequence => format!("len({text}[0])"),
    };
    let shard = rw.edits[module].fresh_name("shard");
    rw.edits[module].insert_before(stmt, &format!("{shard} = slice({rank}, {length} // {size} * {size}, {size})"));
    rw.starts_group(module, stmt);
    for &(value, kept) in values {
        let text = rw.text((module, value)).to_owned();
        let cut = match kept {
            Kept::Array => format!("{text}[{shard}]"),
            Kept::Mapping => format!("{{key: rows[{shard}] for key, rows in {text}.items()}}"),
            Kept::Sequence => format!("[rows[{shard}] for rows in {text}]"),
        };
        rw.edits[module].replace_range(tree[value].range, cut);
    }
    let range = rw.range(at);
    rw.log_change("shard-arrays", module, range, "each rank takes its own rows, all ranks equally many");
}

fn cut_samples(rw: &mut Rewrite, at: ExprPlace, values: &[ExprId]) {
    let each: Vec<(ExprId, Kept)> = values.iter().map(|&v| (v, kept_form(rw, (at.0, v)))).collect();
    if each.iter().any(|(_, kept)| *kept != Kept::Array) {
        return cut_kept(rw, at, &each);
    }
    // Whatever is computed in the call itself is given a name first, so that it can be cut.
    let module = at.0;
    let tree = rw.trace.tree(module);
    if shard_arrays::in_place(rw, at, values) {
        return;
    }
    let Some(stmt) = rw.stmt_of(at) else { return };
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let mut names = Vec::new();
    for &value in values {
        if tree.dotted(value).is_some() {
            names.push(rw.text((module, value)).to_owned());
            continue;
        }
        let name = rw.edits[module].fresh_name("samples");
        let text = rw.text((module, value)).to_owned();
        rw.edits[module].insert_before(stmt, &format!("{name} = {text}"));
        names.push(name);
    }
    let shard = rw.edits[module].fresh_name("shard");
    rw.edits[module]
        .insert_before(stmt, &format!("{shard} = slice({rank}, len({}) // {size} * {size}, {size})", names[0]));
    for (&value, name) in values.iter().zip(&names) {
        rw.edits[module].replace_range(tree[value].range, format!("{name}[{shard}]"));
    }
    let range = rw.range(at);
    rw.log_change("shard-arrays", module, range, "each rank takes its own rows, all ranks equally many");
}

/// The arrays in what `fit` is given: a list's or dictionary's parts, or the array itself.
fn collect_arrays(rw: &Rewrite, place: ExprPlace, out: &mut Vec<ExprId>) {
    let (module, expr) = place;
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
            for &element in &tree[elements] {
                collect_arrays(rw, (module, element), out);
            }
        }
        ExprKind::Dict { items } => {
            for item in &tree[items] {
                collect_arrays(rw, (module, item.value), out);
            }
        }
        _ => out.push(expr),
    }
}

/// Broadcast first, average metrics before anything decides on them, and let only rank 0 write files.
fn add_callbacks(rw: &mut Rewrite, fit: ExprPlace) {
    let (module, call) = fit;
    let tree = rw.trace.tree(module);
    rw.engine_name(module);
    let engine = rw.keras_engine.clone();
    let ours =
        format!("{engine}.callbacks.BroadcastGlobalVariablesCallback(0), {engine}.callbacks.MetricAverageCallback()");
    let range = rw.range(fit);
    match argument_of(tree, call, "callbacks", 5).filter(|&c| !matches!(tree[c].kind, ExprKind::None)) {
        None => {
            rw.remove_keyword(fit, "callbacks");
            rw.add_argument(fit, &format!("callbacks=[{ours}]"));
        }
        Some(given) => {
            if let ExprKind::List { elements, .. } = tree[given].kind {
                let text = rw.project.modules[module].parsed.file.text();
                match tree[elements].first().map(|&first| tree[first].range.start) {
                    // A list with its elements on lines of their own goes on so.
                    Some(first) if text[tree[given].range.start as usize..first as usize].contains('\n') => {
                        let line = &text[..first as usize];
                        let indent = &line[line.rfind('\n').map_or(0, |i| i + 1)..];
                        let newline = rw.line_ending(module);
                        let ours = ours.replace(", ", &format!(",{newline}{indent}"));
                        rw.edits[module].insert(first, format!("{ours},{newline}{indent}"));
                    }
                    Some(_) => rw.edits[module].insert(tree[given].range.start + 1, format!("{ours}, ")),
                    None => rw.edits[module].insert(tree[given].range.start + 1, ours.clone()),
                }
                guard_elements(rw, module, &tree[elements]);
            } else {
                let lists: Vec<ExprPlace> = rw
                    .trace
                    .value_roots((module, given))
                    .iter()
                    .map(|r| (r.module, r.expr))
                    .filter(|&(m, e)| matches!(rw.trace.tree(m)[e].kind, ExprKind::List { .. }))
                    .collect();
                let known = !lists.is_empty();
                for (m, list) in lists {
                    if let ExprKind::List { elements, .. } = rw.trace.tree(m)[list].kind
                        && rw.done.insert((m, list))
                    {
                        guard_elements(rw, m, &rw.trace.tree(m)[elements]);
                    }
                }
                if known {
                    rw.wrap_text((module, given), &format!("[{ours}] + "), "");
                } else {
                    rw.wrap_text((module, given), &format!("[{ours}] + list("), " or [])");
                }
            }
        }
    }
    rw.log_change(
        "fit-callbacks",
        module,
        range,
        "variables are broadcast and metrics averaged; rank 0 writes the files",
    );
}

fn guard_elements(rw: &mut Rewrite, module: ModuleId, elements: &[ExprId]) {
    for &element in elements {
        let writes = crate::identify::roots_call(rw.trace, (module, element), &is_writing_callback);
        if writes && rw.done.insert((module, element)) {
            let rank = rw.rank_text(module);
            rw.wrap_text((module, element), "*([", &format!("] if {rank} == 0 else [])"));
        }
    }
}

pub fn is_writing_callback(api: &str) -> bool {
    const WRITING: &[&str] =
        &["ModelCheckpoint", "TensorBoard", "CSVLogger", "BackupAndRestore", "RemoteMonitor", "ProgbarLogger"];
    api.strip_prefix("tf.keras.callbacks.")
        .is_some_and(|name| WRITING.contains(&name.trim_start_matches("experimental.")))
}

fn silence_ranks(rw: &mut Rewrite, call: ExprPlace, is_fit: bool) {
    let module = call.0;
    let tree = rw.trace.tree(module);
    let place = if is_fit { 4 } else { 3 };
    let rank = rw.rank_text(module);
    match argument_of(tree, call.1, "verbose", place) {
        Some(given) if matches!(tree[given].kind, ExprKind::Int(0)) => {}
        Some(given) => rw.wrap_text((module, given), "", &format!(" if {rank} == 0 else 0")),
        None => rw.add_argument(call, &format!("verbose=1 if {rank} == 0 else 0")),
    }
}
