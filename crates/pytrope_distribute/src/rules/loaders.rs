//! PyTorch's data: a DistributedSampler for training loaders, the batch divided, a new order every epoch.
//!
//! ```python
//! DataLoader(data, batch_size=64, shuffle=True)
//! # DataLoader(data, batch_size=max(1, 64 // dist.get_world_size()), sampler=DistributedSampler(data, shuffle=True))
//! ```

mod arrays;
mod batch;
mod cut;
mod epoch;
mod metrics;
mod numbers;
mod options;
mod proved_numbers;
mod scale;
mod sizes;
mod summed_loss;
mod weighted;
mod weighted_loss;
pub mod whole;

pub use numbers::is_mean_over_samples;
pub use proved_numbers::reduce_proved;
use pytrope_source::tree::{ExprKind, StmtId, StmtKind};

use crate::data::{ArrayName, Data, DataFinder, is_loader, strip_passing};
use crate::index::exprs_in;
use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::rules::collective::distributed_sampler;
use crate::rules::ddp::Wrapped;
use crate::rules::train_data;
use crate::rules::train_data::find_data;
use crate::trace::{ExprPlace, argument_of};

const RULE: &str = "distributed-sampler";

pub fn distribute_loaders(rw: &mut Rewrite, wrapped: &[Wrapped]) {
    let found = find_data(rw);
    let mut loaders: Vec<ExprPlace> = Vec::new();
    for data in &found.data {
        if let Data::Loader(at) = data {
            loaders.push(*at);
        }
    }
    if loaders.is_empty() {
        let mut arrays: Vec<ArrayName> =
            found.data.iter().filter_map(|d| if let Data::Array(a) = d { Some(a.clone()) } else { None }).collect();
        if arrays.iter().any(|a| a.batched) {
            arrays.retain(|a| a.batched);
        }
        if arrays.is_empty() {
            train_data::divide_data(rw);
        } else {
            arrays::divide_arrays(rw, &found, &arrays);
        }
        return;
    }
    for &loader in &loaders {
        add_sampler(rw, loader, true);
    }
    summed_loss::sum_gradients(rw, &[]);
    weighted_loss::weight_losses(rw, &found.loops);
    for &(module, l) in &found.loops {
        epoch::set_epochs(rw, module, l, &loaders);
        if over_samples(rw, module, l, &loaders) || draws_samples(rw, module, l, &loaders) {
            numbers::reduce_numbers(rw, module, l, &[]);
        }
    }
    let evaluations = metrics::evaluation_loops(rw, &found.loops);
    metrics::undo_division(rw, &evaluations, &loaders, wrapped);
    // What is evaluated on a training loader is evaluated on each rank's part of it.
    for module in 0..rw.project.modules.len() {
        for l in rw.trace.tree(module).stmt_ids().collect::<Vec<_>>() {
            let part = !found.loops.contains(&(module, l)) && !whole::reads_whole(rw, module, l);
            if part && over_samples(rw, module, l, &loaders) {
                numbers::reduce_numbers(rw, module, l, &[]);
            }
        }
    }
    sizes::show_whole_sizes(rw, &loaders);
    metrics::divide_evaluation(rw, &evaluations, &loaders, wrapped);
}

/// The function that adds a number up over the ranks, written into a module once.
pub fn sum_over_ranks(rw: &mut Rewrite, module: ModuleId) -> String {
    rw.engine_name(module);
    let name = rw.free_everywhere("sum_over_ranks");
    rw.helpers[module].sum = Some(name.clone());
    name
}

/// Give a loader a sampler that divides its samples; a training loader's batch is divided too.
fn add_sampler(rw: &mut Rewrite, loader: ExprPlace, trains: bool) {
    if !rw.done.insert(loader) {
        return;
    }
    let (module, call) = loader;
    let tree = rw.trace.tree(module);
    let range = rw.range(loader);
    if read_subset(rw, loader) || trains && weighted::divide_draws(rw, loader) {
        return;
    }
    for name in ["sampler", "batch_sampler"] {
        if super::ddp::has_keyword(rw, loader, name) {
            rw.refuse_at(
                "untraceable-data",
                module,
                range,
                "the training loader has a sampler of its own",
                "choose samples by `torch.utils.data.Subset(data, indices)`, and leave their order to the loader's `shuffle`",
            );
            return;
        }
    }
    let Some(dataset) = argument_of(tree, call, "dataset", 0) else { return };
    let iterable = rw.trace.value_roots((module, dataset)).iter().any(|r| {
        rw.trace
            .project_callee((r.module, r.expr))
            .is_some_and(|def| rw.trace.descends_from(def, &|api| api.ends_with("utils.data.IterableDataset")))
    });
    if iterable {
        rw.refuse_at(
            "untraceable-data",
            module,
            range,
            "an IterableDataset cannot be divided by a sampler",
            "use a dataset with a length and an index",
        );
        return;
    }
    let text = rw.text((module, dataset)).to_owned();
    let repeatable = |e| {
        tree.dotted(e).is_some()
            || matches!(tree[e].kind, ExprKind::Subscript { value, .. } if tree.dotted(value).is_some())
    };
    let name = if repeatable(dataset) {
        text
    } else {
        let name = rw.edits[module].fresh_name(if trains { "train_dataset" } else { "eval_dataset" });
        let Some(stmt) = rw.stmt_of(loader) else { return };
        rw.edits[module].insert_before(stmt, &format!("{name} = {text}"));
        rw.edits[module].replace_range(tree[dataset].range, name.clone());
        name
    };
    rw.engine_name(module);
    if rw.target == Target::Fsdp2 && trains && is_shared(rw, loader) {
        let message = "a function makes the loaders of training and evaluation, and an evaluation that is divided would need other ranks";
        rw.refuse_at(
            "untraceable-data",
            module,
            range,
            message,
            "create the training and evaluation loaders in separate functions",
        );
        return;
    }
    if rw.target == Target::Accelerate && trains {
        prepare_loader(rw, loader, &name);
        return;
    }
    if options::spread_options(rw, loader, &name, trains) {
        rw.log_change(RULE, module, range, "each rank reads its own samples, all ranks equally many");
        return;
    }
    let shuffle = argument_of(tree, call, "shuffle", 2);
    let shuffled = shuffle.map_or("False".to_owned(), |s| rw.text((module, s)).to_owned());
    // Every sample counts once in a metric, so nothing may be repeated to make the parts equally long.
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let each = format!("range({rank}, len({name}), {size})");
    let decides = shuffle.is_some_and(|s| !matches!(tree[s].kind, ExprKind::Bool(_)));
    let sampler = if trains {
        if decides && is_shared(rw, loader) {
            format!("sampler={} if {shuffled} else {each}", distributed_sampler(rw, module, &name, ""))
        } else {
            format!("sampler={}", distributed_sampler(rw, module, &name, &format!(", shuffle={shuffled}")))
        }
    } else {
        format!("sampler={each}")
    };
    let keyword_range = crate::trace::call_arguments(tree, call).and_then(|a| {
        tree[a.keywords].iter().find(|k| k.name.is_some_and(|n| tree.text(n.name) == "shuffle")).map(|k| k.range)
    });
    match (keyword_range, shuffle) {
        (Some(keyword), _) => rw.edits[module].replace_range(keyword, sampler),
        // By place, and last: a keyword may follow.
        (None, Some(given))
            if crate::trace::call_arguments(tree, call).is_some_and(|a| tree[a.positional].last() == Some(&given)) =>
        {
            rw.edits[module].replace_range(tree[given].range, sampler);
        }
        (None, Some(_)) => {
            rw.refuse_at("untraceable-data", module, range, "`shuffle` is given by position", "give it as `shuffle=`");
            return;
        }
        (None, None) => rw.add_argument(loader, &sampler),
    }
    if let Some(size) = argument_of(tree, call, "batch_size", 1).filter(|_| trains) {
        batch::divide_batch(rw, (module, size));
    }
    rw.log_change(RULE, module, range, "each rank reads its own samples, all ranks equally many");
}

/// Accelerate divides the samples of a loader that it prepares, and keeps its sampler and order.
fn prepare_loader(rw: &mut Rewrite, loader: ExprPlace, dataset: &str) {
    let (module, call) = loader;
    let range = rw.range(loader);
    if is_shared(rw, loader) {
        let message = "a function makes the loaders of training and evaluation, and Accelerate would divide both";
        let help = "create the training and evaluation loaders in separate functions";
        rw.refuse_at("untraceable-data", module, range, message, help);
        return;
    }
    options::spread_options(rw, loader, dataset, true);
    if let Some(size) = argument_of(rw.trace.tree(module), call, "batch_size", 1) {
        batch::divide_batch(rw, (module, size));
    }
    super::accelerate::prepare_call(rw, loader, "each rank reads its own samples, all ranks equally many");
}

/// Whether a function that several callers call makes a loader, for training and for more.
fn is_shared(rw: &Rewrite, (module, call): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    crate::index::expr_scope(tree, call).is_some_and(|function| {
        let constructed = crate::index::self_of(tree, function)
            .map_or(0, |(_, class)| rw.trace.construction_calls((module, class)).len());
        rw.trace.calls_of((module, function)).len() > 1 || constructed > 1
    })
}

/// A loader of some samples in random order reads a shuffled subset.
fn read_subset(rw: &mut Rewrite, loader: ExprPlace) -> bool {
    let (module, call) = loader;
    let tree = rw.trace.tree(module);
    let Some(given) = crate::trace::call_arguments(tree, call) else { return false };
    let is_sampler = |name: pytrope_source::tree::Identifier| tree.text(name.name) == "sampler";
    let Some(keyword) = tree[given.keywords].iter().find(|k| k.name.is_some_and(is_sampler)) else { return false };
    let roots = rw.trace.value_roots((module, keyword.value));
    let chooses = |place| rw.trace.called_api(place).is_some_and(|api| api.ends_with(".SubsetRandomSampler"));
    if roots.is_empty() || !roots.iter().all(|r| chooses((r.module, r.expr))) {
        return false;
    }
    let (Some(dataset), Some(stmt)) = (argument_of(tree, call, "dataset", 0), rw.stmt_of(loader)) else { return false };
    let indices = match argument_of(tree, keyword.value, "indices", 0) {
        Some(indices) => rw.text((module, indices)).to_owned(),
        None if tree.dotted(keyword.value).is_some() => format!("{}.indices", rw.text((module, keyword.value))),
        None => return false,
    };
    rw.engine_name(module);
    rw.add_import(module, "from torch.utils.data import Subset");
    let name = rw.edits[module].fresh_name("train_dataset");
    let text = rw.text((module, dataset)).to_owned();
    rw.edits[module].insert_before(stmt, &format!("{name} = Subset({text}, {indices})"));
    rw.edits[module].replace_range(tree[dataset].range, name.clone());
    let sampler = distributed_sampler(rw, module, &name, ", shuffle=True");
    rw.edits[module].replace_range(keyword.range, format!("sampler={sampler}"));
    if let Some(size) = argument_of(tree, call, "batch_size", 1) {
        batch::divide_batch(rw, (module, size));
    }
    let range = rw.range(loader);
    rw.log_change(RULE, module, range, "each rank reads its own samples, all ranks equally many");
    true
}

/// The loaders that an expression's value may be, or hand on.
fn loaders_of(rw: &Rewrite, at: ExprPlace) -> Vec<ExprPlace> {
    let mut finder = DataFinder::new(rw.trace);
    finder.visit_value(at, true);
    if let Some(class) = rw.trace.class_of(at)
        && finder.found.is_empty()
        && let Some((module, method)) = rw.trace.method_of(class, "__iter__", 8)
    {
        // A class of the project that iterates what it was given.
        let tree = rw.trace.tree(module);
        for stmt in tree.descendants(pytrope_source::Node::Stmt(method)) {
            if let pytrope_source::Node::Stmt(stmt) = stmt
                && let StmtKind::For { iter, .. } = tree[stmt].kind
            {
                finder.visit_value((module, iter), true);
            }
        }
    }
    finder
        .found
        .iter()
        .filter_map(|data| match data {
            Data::Loader(loader) if rw.trace.called_api(*loader).is_some_and(|api| is_loader(&api)) => Some(*loader),
            _ => None,
        })
        .collect()
}

/// Whether a loop of steps takes its batches one by one, `next(batches)`.
fn draws_samples(rw: &Rewrite, module: ModuleId, l: StmtId, trained: &[ExprPlace]) -> bool {
    let tree = rw.trace.tree(module);
    exprs_in(tree, l).any(|e| {
        rw.trace.called_api((module, e)).as_deref() == Some("builtins.next")
            && argument_of(tree, e, "", 0)
                .is_some_and(|drawn| loaders_of(rw, (module, drawn)).iter().any(|loader| trained.contains(loader)))
    })
}

/// Whether a loop goes over the batches of a training loader.
fn over_samples(rw: &Rewrite, module: ModuleId, l: StmtId, trained: &[ExprPlace]) -> bool {
    let StmtKind::For { iter, .. } = rw.trace.tree(module)[l].kind else { return false };
    let at = strip_passing(rw.trace, (module, iter));
    loaders_of(rw, at).iter().any(|loader| trained.contains(loader))
}
