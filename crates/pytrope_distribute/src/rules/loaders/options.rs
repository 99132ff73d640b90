//! Loaders whose options come from a dictionary, `DataLoader(data, **options)`, are given a changed one.
//!
//! ```python
//! loader = DataLoader(data, **options)
//! # options["batch_size"] = max(1, options["batch_size"] // dist.get_world_size())
//! # options["sampler"] = DistributedSampler(data, shuffle=options.pop("shuffle", False))
//! # loader = DataLoader(data, **options)
//! ```

use pytrope_source::tree::{ExprId, ExprKind};

use crate::rewrite::{Rewrite, Target};
use crate::rules::collective::distributed_sampler;
use crate::trace::{ExprPlace, call_arguments, keyword_argument};

/// Change the options that a loader is given by `**`, where they may hold its order or batch; `false` if there are none.
pub fn spread_options(rw: &mut Rewrite, loader: ExprPlace, dataset: &str, trains: bool) -> bool {
    let (module, call) = loader;
    let tree = rw.trace.tree(module);
    let Some(given) = call_arguments(tree, call) else { return false };
    let Some(options) = tree[given.keywords].iter().find(|k| k.name.is_none()).map(|k| k.value) else { return false };
    let explicit = |name| keyword_argument(tree, given, name).is_some();
    let orders = !explicit("shuffle") && may_hold(rw, (module, options), "shuffle");
    let sizes = trains
        && !explicit("batch_size")
        && tree[given.positional].len() < 2
        && may_hold(rw, (module, options), "batch_size");
    if !orders && !sizes {
        return false;
    }
    let (Some(stmt), Some(_)) = (rw.stmt_of(loader), tree.dotted(options)) else { return false };
    let text = rw.text((module, options)).to_owned();
    let size = rw.size_text(module);
    let mut lines = Vec::new();
    // A dictionary that serves one loader may be changed; another one is copied.
    let spreads = tree
        .expr_ids()
        .filter_map(|e| call_arguments(tree, e))
        .flat_map(|a| &tree[a.keywords])
        .filter(|k| k.name.is_none() && rw.trace.text((module, k.value)) == text)
        .count();
    let name = if spreads == 1 {
        text
    } else {
        let name = rw.edits[module].fresh_name("loader_options");
        lines.push(format!("{name} = dict({text})"));
        rw.edits[module].replace_range(tree[options].range, name.clone());
        name
    };
    if sizes {
        lines.push(format!("{name}[\"batch_size\"] = max(1, {name}.get(\"batch_size\", 1) // {size})"));
    }
    if rw.target == Target::Accelerate && trains {
        rw.edits[module].insert_before(stmt, &lines.join("\n"));
        return true;
    }
    let shuffle = match keyword_argument(tree, given, "shuffle") {
        Some(shuffle) => {
            rw.remove_keyword(loader, "shuffle");
            rw.text((module, shuffle)).to_owned()
        }
        None => format!("{name}.pop(\"shuffle\", False)"),
    };
    if trains {
        let sampler = distributed_sampler(rw, module, dataset, &format!(", shuffle={shuffle}"));
        lines.push(format!("{name}[\"sampler\"] = {sampler}"));
    } else {
        let rank = rw.rank_text(module);
        lines.push(format!("{name}.pop(\"shuffle\", None)"));
        lines.push(format!("{name}[\"sampler\"] = range({rank}, len({dataset}), {size})"));
    }
    rw.edits[module].insert_before(stmt, &lines.join("\n"));
    true
}

/// Whether a dictionary may have a key: it is written out without it, and never changed, or else it may.
fn may_hold(rw: &Rewrite, options: ExprPlace, key: &str) -> bool {
    let (module, expr) = options;
    let text = rw.text(options);
    let tree = rw.trace.tree(module);
    let changed = tree.expr_ids().any(|e| match tree[e].kind {
        ExprKind::Call { .. } => rw
            .trace
            .called_method((module, e))
            .is_some_and(|(receiver, m)| matches!(m, "update" | "setdefault") && rw.text((module, receiver)) == text),
        ExprKind::Subscript { value, context, .. } => {
            matches!(context, pytrope_source::tree::Context::Store) && rw.text((module, value)) == text
        }
        _ => false,
    });
    changed || rw.trace.value_roots((module, expr)).iter().any(|root| holds_key(rw, (root.module, root.expr), key))
}

fn holds_key(rw: &Rewrite, (module, expr): ExprPlace, key: &str) -> bool {
    let tree = rw.trace.tree(module);
    let is_key = |e: ExprId| !matches!(tree[e].kind, ExprKind::Str(s) if tree.text(s) != key);
    match tree[expr].kind {
        ExprKind::Dict { items } => tree[items].iter().any(|item| item.key.is_none_or(is_key)),
        ExprKind::Call { arguments: given, .. }
            if rw.trace.called_api((module, expr)).as_deref() == Some("builtins.dict") =>
        {
            !given.positional.is_empty()
                || tree[given.keywords].iter().any(|k| k.name.is_none_or(|n| tree.text(n.name) == key))
        }
        _ => true,
    }
}
