//! Estimators: the optimizer inside `model_fn`, one model directory, fewer steps, a broadcast hook.
//!
//! ```python
//! est = tf.estimator.Estimator(model_fn, model_dir="m")    # model_dir="m" if hvd.rank() == 0 else None
//! est.train(input_fn, steps=1000)                          # steps=1000 // hvd.size(), hooks=[hvd.Broadcast…Hook(0)]
//! ```

use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::data::{Chain, DataFinder, keyword_of};
use crate::rewrite::Rewrite;
use crate::rules::hooks::{add_hook, only_rank_zero};
use crate::rules::session::v1_namespace;
use crate::rules::{shard_arrays, shard_dataset};
use crate::trace::{ExprPlace, argument_of};

pub fn distribute_estimators(rw: &mut Rewrite) {
    super::session::distribute_optimizers(rw);
    for estimator in rw.training.sessions.clone() {
        configure_estimator(rw, estimator);
    }
    let mut trained: Vec<Chain> = Vec::new();
    let mut evaluated: Vec<Chain> = Vec::new();
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let at = (module, call);
            let api = rw.trace.called_api(at).unwrap_or_default();
            let is_train =
                rw.training.steps.contains(&at) && rw.trace.called_method(at).is_some_and(|(_, m)| m == "train");
            if is_train || api == "tf.estimator.TrainSpec" {
                // train(input_fn, hooks, steps, max_steps) and TrainSpec(input_fn, max_steps, hooks).
                let places = if is_train { [2, 3, 1] } else { [usize::MAX, 1, 2] };
                for (name, place) in [("steps", places[0]), ("max_steps", places[1])] {
                    if let Some(steps) =
                        argument_of(tree, call, name, place).filter(|&s| !matches!(tree[s].kind, ExprKind::None))
                    {
                        rw.divide_number("divide-steps", (module, steps));
                    }
                }
                add_hook(rw, at, places[2]);
                if let Some(input) = argument_of(tree, call, "input_fn", 0) {
                    input_chains(rw, (module, input), true, &mut trained);
                }
            } else if (api == "tf.estimator.EvalSpec"
                || rw.trace.called_method(at).is_some_and(|(_, m)| m == "evaluate" || m == "predict"))
                && let Some(input) = argument_of(tree, call, "input_fn", 0)
            {
                input_chains(rw, (module, input), false, &mut evaluated);
            }
        }
    }
    shard_dataset::shard_chains(rw, &trained, &evaluated);
}

fn configure_estimator(rw: &mut Rewrite, estimator: ExprPlace) {
    let (module, call) = estimator;
    let tree = rw.trace.tree(module);
    if let Some(directory) = argument_of(tree, call, "model_dir", if is_plain(rw, estimator) { 1 } else { usize::MAX })
    {
        only_rank_zero(rw, (module, directory));
    }
    let v1 = v1_namespace(rw, estimator);
    let engine = rw.engine_name(module);
    let range = rw.range(estimator);
    let Some(stmt) = rw.stmt_of(estimator) else { return };
    let proto = rw.edits[module].fresh_name("session_config");
    let lines =
        format!("{proto} = {v1}.ConfigProto()\n{proto}.gpu_options.visible_device_list = str({engine}.local_rank())");
    match argument_of(tree, call, "config", if is_plain(rw, estimator) { 2 } else { usize::MAX }) {
        None => {
            let text = rw.text((module, call)).to_owned();
            let namespace =
                text.split(".estimator.").next().filter(|_| text.contains(".estimator.")).unwrap_or("tf").to_owned();
            rw.edits[module].insert_before(stmt, &lines);
            rw.add_argument(estimator, &format!("config={namespace}.estimator.RunConfig(session_config={proto})"));
        }
        Some(config) => {
            for root in rw.trace.value_roots((module, config)) {
                let at = (root.module, root.expr);
                if rw.trace.called_api(at).as_deref() != Some("tf.estimator.RunConfig") {
                    continue;
                }
                if let Some(directory) = keyword_of(rw.trace, at, "model_dir") {
                    only_rank_zero(rw, (at.0, directory));
                }
                if keyword_of(rw.trace, at, "session_config").is_none()
                    && let Some(home) = rw.stmt_of(at)
                {
                    rw.engine_name(at.0);
                    rw.edits[at.0].insert_before(home, &lines);
                    rw.add_argument(at, &format!("session_config={proto}"));
                }
            }
        }
    }
    rw.log_change("pin-device", module, range, "each rank uses the GPU of its local rank");
}

/// `Estimator` itself takes its directory second; the canned ones do not.
fn is_plain(rw: &Rewrite, estimator: ExprPlace) -> bool {
    rw.trace.called_api(estimator).as_deref() == Some("tf.estimator.Estimator")
}

/// The pipelines behind an input function; arrays of a `numpy_input_fn` are cut on the way.
fn input_chains(rw: &mut Rewrite, input: ExprPlace, trains: bool, chains: &mut Vec<Chain>) {
    let (module, expr) = input;
    let tree = rw.trace.tree(module);
    if let ExprKind::Lambda { body, .. } = tree[expr].kind {
        chains.extend(DataFinder::dataset_chains(rw.trace, (module, body)));
        return;
    }
    if let Some(def) = rw.trace.callable_definition(input, true)
        && matches!(rw.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
    {
        for value in rw.trace.returned_values(def) {
            chains.extend(DataFinder::dataset_chains(rw.trace, (def.0, value)));
        }
        if chains.is_empty() && trains {
            refuse_input(rw, input);
        }
        return;
    }
    if !trains {
        return;
    }
    for root in rw.trace.value_roots(input) {
        let at = (root.module, root.expr);
        if rw.trace.called_api(at).is_some_and(|api| api.ends_with("numpy_input_fn")) {
            let root_tree = rw.trace.tree(at.0);
            let mut values: Vec<ExprId> = Vec::new();
            for given in
                [argument_of(root_tree, at.1, "x", 0), argument_of(root_tree, at.1, "y", 1)].into_iter().flatten()
            {
                match root_tree[given].kind {
                    ExprKind::Dict { items } => values.extend(root_tree[items].iter().map(|item| item.value)),
                    _ => values.push(given),
                }
            }
            if shard_arrays::in_place(rw, at, &values) {
                return;
            }
        }
    }
    refuse_input(rw, input);
}

fn refuse_input(rw: &mut Rewrite, input: ExprPlace) {
    let range = rw.range(input);
    rw.refuse_at(
        "untraceable-data",
        input.0,
        range,
        "the samples of this input function cannot be followed to a dataset or to arrays",
        "return a tf.data pipeline from a function of the project",
    );
}
