//! tf.distribute: models are made and compiled under a `MultiWorkerMirroredStrategy`, and Keras does the rest.
//!
//! ```python
//! model = keras.Sequential([...])      # with strategy.scope():
//! model.compile("adam", "mse")         #     model = keras.Sequential([...])
//!                                      #     model.compile("adam", "mse")
//! model.fit(x, y, batch_size=64)       # model.fit(x, y, batch_size=64, verbose=1 if worker == 0 else 0)
//! model.save("m.keras")                # model.save("m.keras" if worker == 0 else os.path.join(tempfile.mkdtemp(), "m.keras"))
//! ```
//!
//! The batch is the global one, so steps and learning rate keep their meaning. Workers read the same data in the same order
//! and keep their parts of each batch; for that, all workers shuffle in the same order. Every worker must take part in saving.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::data::DataFinder;
use crate::identify::{is_keras_model, roots_call};
use crate::index::{exprs_in, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::fit::is_writing_callback;
use crate::rules::prelude::{self, PreludeFacts};
use crate::trace::{ExprPlace, argument_of};

const RULE: &str = "strategy-scope";

/// Start the strategy after the imports: it must be made before TensorFlow has computed anything.
pub fn start_strategy(rw: &mut Rewrite, facts: &PreludeFacts) {
    keep_keras_two(rw);
    let imports = prelude::entry_imports(rw, facts);
    let tf = rw.import_alias(0, "tensorflow");
    let import = if tf.is_none() { "import tensorflow as tf\n" } else { "" };
    let tf = tf.unwrap_or_else(|| "tf".to_owned());
    let (strategy, worker) = (strategy_name(rw), rw.engine.clone());
    let mut start = format!(
        "{strategy} = {tf}.distribute.MultiWorkerMirroredStrategy()\n\
         {worker} = {strategy}.cluster_resolver.task_id or 0  # one process has no TF_CONFIG"
    );
    if !sets_seed(rw) {
        start.push_str(&format!("\n{tf}.keras.utils.set_random_seed(0)  # all workers shuffle in the same order"));
    }
    let gap = if imports.is_empty() && import.is_empty() { "\n" } else { "\n\n" };
    prelude::after_imports(rw, facts, 0, &format!("{import}{imports}{gap}{start}"));
    rw.log_change("initialise", 0, TextRange::at(0), "the strategy is made from TF_CONFIG");
}

/// TensorFlow 2.16 and later take `tf.keras` from Keras 3 unless they are told otherwise before they are imported.
fn keep_keras_two(rw: &mut Rewrite) {
    let tree = rw.trace.tree(0);
    let is_import = |stmt: StmtId| match tree[stmt].kind {
        StmtKind::Import { .. } => true,
        StmtKind::ImportFrom { module: Some(from), .. } => tree.text(from.name) != "__future__",
        _ => false,
    };
    let Some(first) = tree[tree.body()].iter().copied().find(|&stmt| is_import(stmt)) else { return };
    let setting = "os.environ[\"TF_USE_LEGACY_KERAS\"] = \"1\"";
    let lines = format!(
        "import os\n\n# Keras 3 does not train on several workers; Keras 2 is `pip install tf_keras`.\n{setting}\n"
    );
    rw.imports[0].retain(|line| line != "import os");
    rw.edits[0].insert_before(first, &lines);
}

/// How a module besides the entry learns which worker it is.
pub fn worker_line(rw: &mut Rewrite, module: ModuleId) -> String {
    let tf = rw.import_alias(module, "tensorflow").unwrap_or_else(|| {
        rw.add_import(module, "import tensorflow as tf");
        "tf".to_owned()
    });
    format!("{} = {tf}.distribute.cluster_resolver.TFConfigClusterResolver().task_id or 0", rw.engine)
}

/// The package `keras` is Keras 3, whose `fit` fails under a strategy of several workers (seen with Keras 3.15 on TensorFlow
/// 2.21: it reduces scalars over an axis). `tf.keras` can be Keras 2, which does train so.
fn refuse_keras_three(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for stmt in tree.stmt_ids() {
            let is_keras = |name: &str| name == "keras" || name.starts_with("keras.");
            let imports = match tree[stmt].kind {
                StmtKind::Import { names } => tree[names].iter().any(|alias| is_keras(tree.text(alias.name.name))),
                StmtKind::ImportFrom { module: Some(from), level: 0, .. } => is_keras(tree.text(from.name)),
                _ => false,
            };
            if imports {
                let message =
                    "the package `keras` is Keras 3, which does not train on several workers of tf.distribute";
                let help = "import `tensorflow.keras`, which the output runs as Keras 2, or use `--to horovod`";
                rw.refuse_at("wrong-engine", module, tree[stmt].range, message, help);
                return;
            }
        }
    }
}

fn strategy_name(rw: &Rewrite) -> String {
    rw.free_everywhere("strategy")
}

fn sets_seed(rw: &Rewrite) -> bool {
    (0..rw.project.modules.len()).any(|module| {
        rw.trace.tree(module).expr_ids().any(|e| {
            rw.trace
                .called_api((module, e))
                .is_some_and(|api| matches!(api.as_str(), "tf.random.set_seed" | "tf.keras.utils.set_random_seed"))
        })
    })
}

pub fn distribute_models(rw: &mut Rewrite) {
    refuse_keras_three(rw);
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let place = (module, call);
            if !matches!(tree[call].kind, ExprKind::Call { .. }) {
                continue;
            }
            if let Some((receiver, method)) = rw.trace.called_method(place) {
                let of_model = is_keras_model(rw.trace, (module, receiver));
                match method {
                    "fit" | "evaluate" if of_model => {
                        check_data(rw, place);
                        silence_workers(rw, place, method == "fit");
                    }
                    "predict" if of_model => refuse_predict(rw, place),
                    "save" | "save_weights" if of_model => save_apart(rw, place, "filepath"),
                    "shuffle" => seed_shuffle(rw, place),
                    _ => {}
                }
            }
            let api = rw.trace.called_api(place).unwrap_or_default();
            if is_writing_callback(&api) {
                rewrite_callback(rw, place, &api);
            } else if api == "builtins.float" {
                read_rate(rw, place);
            } else if api.ends_with("models.save_model") {
                divert_path(rw, place, "filepath", 1);
            }
        }
    }
}

/// Keras divides arrays and pipelines of tf.data among the workers; a generator's batches it cannot.
fn check_data(rw: &mut Rewrite, call: ExprPlace) {
    let (module, expr) = call;
    let tree = rw.trace.tree(module);
    let Some(x) = argument_of(tree, expr, "x", 0) else { return };
    let at = (module, x);
    let is_given = |name, place| {
        argument_of(tree, expr, name, place).is_some_and(|value| !matches!(tree[value].kind, ExprKind::None))
    };
    let is_known = is_given("y", 1)
        || !DataFinder::dataset_chains(rw.trace, at).is_empty()
        || DataFinder::new(rw.trace).is_array(at, None);
    if !is_known {
        let message =
            "what is read here is neither arrays nor a tf.data pipeline, so Keras cannot divide it among workers";
        rw.refuse_at(
            "wrong-engine",
            module,
            tree[x].range,
            message,
            "use `--to horovod`, or give arrays or a tf.data pipeline",
        );
    }
}

/// Only worker 0 shows progress.
fn silence_workers(rw: &mut Rewrite, call: ExprPlace, is_fit: bool) {
    let (module, expr) = call;
    let tree = rw.trace.tree(module);
    let rank = rw.rank_text(module);
    match argument_of(tree, expr, "verbose", if is_fit { 4 } else { 3 }) {
        Some(given) if matches!(tree[given].kind, ExprKind::Int(0)) => {}
        Some(given) => rw.wrap_text((module, given), "", &format!(" if {rank} == 0 else 0")),
        None => rw.add_argument(call, &format!("verbose=1 if {rank} == 0 else 0")),
    }
}

/// `float(optimizer.learning_rate)`: under a strategy the rate is a variable of many replicas, which `float` does not read.
fn read_rate(rw: &mut Rewrite, (module, call): ExprPlace) {
    let tree = rw.trace.tree(module);
    let Some(value) = argument_of(tree, call, "", 0) else { return };
    let text = rw.text((module, value));
    if text.ends_with("optimizer.learning_rate") || text.ends_with("optimizer.lr") {
        rw.wrap_text((module, value), "", ".numpy()");
        rw.log_change("read-rate", module, tree[call].range, "the learning rate of a strategy's optimizer is read");
    }
}

fn refuse_predict(rw: &mut Rewrite, call: ExprPlace) {
    let range = rw.range(call);
    let message = "under a strategy of many workers, `predict` gives each worker its own part of the results";
    rw.refuse_at("wrong-engine", call.0, range, message, "predict in a script of its own, from the saved model");
}

/// A shuffle whose order differs between workers would give them overlapping samples.
fn seed_shuffle(rw: &mut Rewrite, call: ExprPlace) {
    let (module, expr) = call;
    let tree = rw.trace.tree(module);
    let Some((receiver, _)) = rw.trace.called_method(call) else { return };
    let is_dataset = !DataFinder::dataset_chains(rw.trace, (module, receiver)).is_empty();
    if is_dataset && argument_of(tree, expr, "seed", 1).is_none() {
        rw.add_argument(call, "seed=0");
        let range = rw.range(call);
        rw.log_change("same-shuffle", module, range, "all workers shuffle in the same order");
    }
}

/// Every worker writes what needs all of them, but only worker 0 to where it is wanted.
fn save_apart(rw: &mut Rewrite, call: ExprPlace, name: &str) {
    divert_path(rw, call, name, 0);
}

fn divert_path(rw: &mut Rewrite, call: ExprPlace, name: &str, at: usize) {
    let (module, expr) = call;
    let tree = rw.trace.tree(module);
    rw.done.insert(call);
    let Some(path) = argument_of(tree, expr, name, at) else { return };
    let rank = rw.rank_text(module);
    let mut import = |name: &str| {
        rw.import_alias(module, name).unwrap_or_else(|| {
            rw.add_import(module, &format!("import {name}"));
            name.to_owned()
        })
    };
    let (os, tempfile) = (import("os"), import("tempfile"));
    let text = rw.text((module, path)).to_owned();
    let elsewhere = format!("{os}.path.join({tempfile}.mkdtemp(), {os}.path.basename({text}))");
    rw.wrap_text((module, path), "", &format!(" if {rank} == 0 else {elsewhere}"));
    let range = rw.range(call);
    rw.log_change("rank-zero-files", module, range, "all workers save, worker 0 to the path that the script names");
}

fn rewrite_callback(rw: &mut Rewrite, call: ExprPlace, api: &str) {
    match api.rsplit('.').next() {
        Some("ModelCheckpoint") => divert_path(rw, call, "filepath", 0),
        Some("BackupAndRestore") => {
            rw.done.insert(call);
        }
        _ => {
            let (module, expr) = call;
            let tree = rw.trace.tree(module);
            let in_list = crate::index::parent_expr(tree, expr)
                .is_some_and(|parent| matches!(tree[parent].kind, ExprKind::List { .. }));
            if in_list {
                let rank = rw.rank_text(module);
                rw.wrap_text(call, "*([", &format!("] if {rank} == 0 else [])"));
                rw.done.insert(call);
            } else {
                let range = rw.range(call);
                let message = "a callback that writes files is created outside of a list of callbacks";
                rw.refuse_at("untraceable-data", module, range, message, "create it in the list of callbacks");
            }
        }
    }
}

/// Nothing in tf.distribute lets the other workers wait for a file of worker 0.
pub fn refuse_wait(rw: &mut Rewrite, module: ModuleId, range: TextRange) {
    let message = "a file is saved and read again in one run, and workers cannot wait for each other";
    rw.refuse_at("wrong-engine", module, range, message, "use `--to horovod`, or read it in a script of its own");
}

/// Put the making and compiling of models under the strategy's scope. What is guarded inside splits a scope in two.
pub fn write_scopes(rw: &mut Rewrite) {
    let mut written: Vec<StmtId> = Vec::new();
    for (module, compile) in rw.training.compiles.clone() {
        let tree = rw.trace.tree(module);
        let Some(last) = tree.stmt_of(compile) else { continue };
        if module != 0 {
            let range = tree[compile].range;
            let message =
                "the model is compiled in another module than the one that is run, where the strategy is made";
            rw.refuse_at(
                "wrong-engine",
                module,
                range,
                message,
                "use `--to horovod`, or compile the model in the script that is run",
            );
            continue;
        }
        write_scope(rw, Some(compile), last, &mut written);
        // A model that is given to the function that compiles it is made elsewhere, under the strategy too.
        let receiver = rw.trace.called_method((module, compile)).map(|(receiver, _)| receiver);
        for root in receiver.map_or_else(Vec::new, |receiver| rw.trace.value_roots((module, receiver))) {
            let makes = rw.trace.called_api((root.module, root.expr)).is_some()
                || rw.trace.project_callee((root.module, root.expr)).is_some();
            if root.module == module
                && makes
                && let Some(stmt) = tree.stmt_of(root.expr).filter(|&stmt| rw.is_simple(module, stmt))
            {
                write_scope(rw, None, stmt, &mut written);
            }
        }
        rw.log_change(RULE, module, tree[compile].range, "the model is made and compiled under the strategy");
    }
}

/// Put the statements that make a model, up to the last of them or to its `compile`, under the strategy.
fn write_scope(rw: &mut Rewrite, compile: Option<ExprId>, last: StmtId, written: &mut Vec<StmtId>) {
    let module = 0;
    let strategy = strategy_name(rw);
    let tree = rw.trace.tree(module);
    let (suite, end) = tree.siblings(last);
    let suite = tree[suite].to_vec();
    let first = suite[..=end].iter().position(|&stmt| makes_model(rw, compile, stmt)).unwrap_or(end);
    // A fit in between belongs to an earlier model, whose scope ends before it.
    let first =
        suite[first..end].iter().rposition(|&stmt| statement_trains(rw, module, stmt)).map_or(first, |i| first + i + 1);
    let mut run: Option<(StmtId, StmtId)> = None;
    for &stmt in suite[first..=end].iter().chain([&StmtId(u32::MAX)]) {
        let inside = stmt != StmtId(u32::MAX)
            && !rw.guarded[module].contains(&stmt)
            && !is_definition(rw, module, stmt)
            && !written.contains(&stmt)
            && !written.iter().any(|&outer| tree[outer].range.contains_range(tree[stmt].range));
        match (inside, run) {
            (true, None) => run = Some((stmt, stmt)),
            (true, Some((start, _))) => run = Some((start, stmt)),
            (false, Some((start, stop))) => {
                rw.edits[module].wrap_statements(start, stop, &format!("with {strategy}.scope():"));
                run = None;
            }
            (false, None) => {}
        }
        if inside {
            written.push(stmt);
        }
    }
}

fn is_definition(rw: &Rewrite, module: ModuleId, stmt: StmtId) -> bool {
    matches!(
        rw.trace.tree(module)[stmt].kind,
        StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) | StmtKind::Import { .. } | StmtKind::ImportFrom { .. }
    )
}

fn statement_trains(rw: &Rewrite, module: ModuleId, stmt: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    rw.training.steps.iter().any(|&(m, step)| m == module && tree[stmt].range.contains_range(tree[step].range))
}

/// Whether a statement makes a layer, a model or an optimizer, or binds the name that is compiled.
fn makes_model(rw: &Rewrite, compile: Option<ExprId>, stmt: StmtId) -> bool {
    let module = 0;
    let tree = rw.trace.tree(module);
    if is_definition(rw, module, stmt) {
        return false;
    }
    let binds = compile.is_some_and(|compile| {
        let compiled = rw.trace.called_method((module, compile)).map(|(receiver, _)| rw.text((module, receiver)));
        crate::identify::assigned_names(rw.trace, module, stmt).iter().any(|name| Some(*name) == compiled)
            && scope_of(tree, stmt) == crate::index::expr_scope(tree, compile)
    });
    let keras = |api: &str| {
        ["layers.", "models.", "Sequential", "Model", "Input", "applications.", "optimizers.", "metrics."]
            .iter()
            .any(|part| api.strip_prefix("tf.keras.").is_some_and(|name| name.starts_with(part)))
            && !api.ends_with("preprocess_input")
    };
    let makes = |e: ExprId| {
        matches!(tree[e].kind, ExprKind::Call { .. })
            && (rw.trace.called_api((module, e)).is_some_and(|api| keras(&api))
                || roots_call(rw.trace, (module, e), &keras))
    };
    binds || exprs_in(tree, stmt).any(makes)
}
