//! PyTorch's data: a DistributedSampler for training loaders, the batch divided, a new order every epoch.
//!
//! ```python
//! DataLoader(data, batch_size=64, shuffle=True)
//! # DataLoader(data, batch_size=max(1, 64 // dist.get_world_size()), sampler=DistributedSampler(data, shuffle=True))
//! ```

mod metrics;

use pytrope_source::tree::{ExprKind, StmtId, StmtKind};

use crate::data::{ArrayName, Data, DataFinder, is_loader, strip_passing};
use crate::index::{Kind, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::train_data::find;
use crate::rules::{shard_arrays, train_data};
use crate::trace::{Place, argument};

const RULE: &str = "distributed-sampler";

pub fn distribute(rw: &mut Rewrite) {
    let found = find(rw);
    let mut loaders: Vec<Place> = Vec::new();
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
            train_data::distribute(rw);
        } else {
            shard_arrays::at_binding(rw, &arrays);
        }
        return;
    }
    for &loader in &loaders {
        sampler(rw, loader, true);
    }
    for &(module, l) in &found.loops {
        epoch(rw, module, l);
        metrics::phases(rw, module, l);
    }
    metrics::evaluation(rw, &found.loops, &loaders);
}

/// Give a loader a sampler that divides its samples; a training loader's batch is divided too.
fn sampler(rw: &mut Rewrite, loader: Place, trains: bool) {
    if !rw.done.insert(loader) {
        return;
    }
    let (module, call) = loader;
    let tree = rw.trace.tree(module);
    let range = rw.range(loader);
    for name in ["sampler", "batch_sampler"] {
        if super::ddp::has_keyword(rw, loader, name) {
            rw.refuse(
                "untraceable-data",
                module,
                range,
                "the training loader has a sampler of its own",
                "leave the order of samples to the loader's `shuffle`",
            );
            return;
        }
    }
    let Some(dataset) = argument(tree, call, "dataset", 0) else { return };
    let iterable = rw.trace.roots((module, dataset)).iter().any(|r| {
        rw.trace
            .callee((r.module, r.expr))
            .is_some_and(|def| rw.trace.descends(def, &|api| api.ends_with("utils.data.IterableDataset")))
    });
    if iterable {
        rw.refuse(
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
        rw.edits[module].replace(tree[dataset].range, name.clone());
        name
    };
    let shuffle = argument(tree, call, "shuffle", 2);
    let shuffled = shuffle.map_or("False".to_owned(), |s| rw.text((module, s)).to_owned());
    let sampler = format!("sampler=DistributedSampler({name}, shuffle={shuffled})");
    rw.add_import(module, "from torch.utils.data.distributed import DistributedSampler");
    rw.engine(module);
    let keyword_range = crate::trace::arguments(tree, call).and_then(|a| {
        tree[a.keywords].iter().find(|k| k.name.is_some_and(|n| tree.text(n.name) == "shuffle")).map(|k| k.range)
    });
    match (keyword_range, shuffle) {
        (Some(keyword), _) => rw.edits[module].replace(keyword, sampler),
        (None, Some(_)) => {
            rw.refuse("untraceable-data", module, range, "`shuffle` is given by place", "give it as `shuffle=`");
            return;
        }
        (None, None) => rw.add_argument(loader, &sampler),
    }
    if let Some(batch) = argument(tree, call, "batch_size", 1).filter(|_| trains) {
        rw.divide("divide-batch", (module, batch));
    }
    rw.log(RULE, module, range, "each rank reads its own samples, all ranks equally many");
}

/// Before a loop over a training loader, the sampler learns which epoch it is.
fn epoch(rw: &mut Rewrite, module: ModuleId, l: StmtId) {
    let tree = rw.trace.tree(module);
    let StmtKind::For { iter, .. } = tree[l].kind else { return };
    let at = strip_passing(rw.trace, (module, iter));
    let is_entry = matches!(tree[at.1].kind, ExprKind::Subscript { value, .. } if tree.dotted(value).is_some());
    if (tree.dotted(at.1).is_none() && !is_entry) || !reaches_loader(rw, at) {
        return;
    }
    let loader = rw.text(at).to_owned();
    let epoch = outer_epoch(rw, module, l).unwrap_or_else(|| format!("{loader}.sampler.epoch + 1"));
    rw.edits[module].insert_before(l, &format!("{loader}.sampler.set_epoch({epoch})"));
    let range = rw.range(at);
    rw.log(RULE, module, range, "the order of samples changes every epoch");
}

fn reaches_loader(rw: &Rewrite, at: Place) -> bool {
    let mut finder = DataFinder::new(rw.trace);
    finder.visit(at, true);
    finder.found.iter().any(|d| matches!(d, Data::Loader(l) if rw.trace.called(*l).is_some_and(|api| is_loader(&api))))
}

/// The number of the epoch: the counter of a loop around this one, or a parameter that is called so.
fn outer_epoch(rw: &Rewrite, module: ModuleId, l: StmtId) -> Option<String> {
    let tree = rw.trace.tree(module);
    for outer in loops_around(tree, l).into_iter().filter(|&o| o != l) {
        if let StmtKind::For { target, iter, .. } = tree[outer].kind
            && rw.trace.called(strip_passing(rw.trace, (module, iter))).as_deref() == Some("builtins.range")
            && let ExprKind::Name { name, .. } = tree[target].kind
            && tree.text(name) != "_"
        {
            return Some(tree.text(name).to_owned());
        }
    }
    let function = scope_of(tree, l)?;
    let index = &rw.project.modules[module].index;
    let (scope, bindings) = index.lookup(tree, Some(function), "epoch")?;
    (scope == Some(function) && bindings.iter().any(|b| matches!(b.kind, Kind::Parameter(_))))
        .then(|| "epoch".to_owned())
}
