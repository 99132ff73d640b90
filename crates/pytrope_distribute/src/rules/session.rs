//! TF1 sessions: distributed optimizers, one device per rank, rank 0's variables after initialisation.
//!
//! ```python
//! with tf.Session() as sess:           # config = tf.ConfigProto()
//!     sess.run(init)                   # config.gpu_options.visible_device_list = str(hvd.local_rank())
//!                                      # with tf.Session(config=config) as sess:
//!                                      #     sess.run(init)
//!                                      #     sess.run(hvd.broadcast_global_variables(0))
//! ```

use pytrope_source::tree::ExprKind;

use crate::identify::roots_call;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

pub fn distribute_sessions(rw: &mut Rewrite) {
    distribute_optimizers(rw);
    for session in rw.training.sessions.clone() {
        configure_session(rw, session, 2);
    }
    broadcast_after_start(rw);
}

/// Wrap every TF1 optimizer where it is made.
pub fn distribute_optimizers(rw: &mut Rewrite) {
    for optimizer in rw.training.optimizers.clone() {
        let api = rw.trace.called_api(optimizer).unwrap_or_default();
        let range = rw.range(optimizer);
        if !api.starts_with("tf.train.") {
            rw.refuse_at(
                "untraceable-optimizer",
                optimizer.0,
                range,
                "a Keras optimizer in TF1 code is not averaged by Horovod",
                "use the optimizer of `tf.compat.v1.train`",
            );
            continue;
        }
        let engine = rw.engine_name(optimizer.0);
        rw.wrap_text(optimizer, &format!("{engine}.DistributedOptimizer("), ")");
        rw.log_change("distributed-optimizer", optimizer.0, range, "the optimizer averages gradients over the ranks");
    }
    if rw.training.optimizers.is_empty() {
        let range = rw.trace.tree(rw.training.home)[rw.training.at].range;
        rw.refuse_at(
            "untraceable-optimizer",
            rw.training.home,
            range,
            "the optimizer that this training uses cannot be found",
            "make it by a call that names its class",
        );
    }
}

/// The namespace that TF1 names are spelled in at a call: `tf` or `tf.compat.v1`.
pub fn v1_namespace(rw: &mut Rewrite, (module, call): ExprPlace) -> String {
    let tree = rw.trace.tree(module);
    if let ExprKind::Call { function, .. } = tree[call].kind
        && let Some(parts) = tree.dotted(function)
        && parts.len() > 1
    {
        let text = rw.text((module, function));
        let base = text.rsplit_once('.').map_or(text, |(base, _)| base);
        let base = base.strip_suffix(".train").or_else(|| base.strip_suffix(".estimator")).unwrap_or(base);
        let origin = rw.import_alias(module, "tensorflow");
        // `tf.estimator` lives in TF2's namespace too, where `ConfigProto` does not.
        let is_v2 = origin.as_deref() == Some(base) && text.contains(".estimator.");
        return if is_v2 { format!("{base}.compat.v1") } else { base.to_owned() };
    }
    if let Some(v1) = rw.import_alias(module, "tensorflow.compat.v1") {
        return v1;
    }
    let tf = rw.import_alias(module, "tensorflow").unwrap_or_else(|| {
        rw.add_import(module, "import tensorflow as tf");
        "tf".to_owned()
    });
    format!("{tf}.compat.v1")
}

/// Give a session the device of its rank.
pub fn configure_session(rw: &mut Rewrite, session: ExprPlace, place: usize) {
    let (module, call) = session;
    let tree = rw.trace.tree(module);
    let Some(stmt) = rw.stmt_of(session) else { return };
    let engine = rw.engine_name(module);
    let range = rw.range(session);
    let device = |name: &str| format!("{name}.gpu_options.visible_device_list = str({engine}.local_rank())");
    match argument_of(tree, call, "config", place).filter(|&c| !matches!(tree[c].kind, ExprKind::None)) {
        Some(config) if tree.dotted(config).is_some() => {
            let text = rw.text((module, config)).to_owned();
            rw.edits[module].insert_before(stmt, &device(&text));
        }
        Some(config) => {
            let name = rw.edits[module].fresh_name("session_config");
            let text = rw.text((module, config)).to_owned();
            rw.edits[module].insert_before(stmt, &format!("{name} = {text}\n{}", device(&name)));
            rw.edits[module].replace_range(tree[config].range, name);
        }
        None => {
            let name = rw.edits[module].fresh_name("session_config");
            let v1 = v1_namespace(rw, session);
            rw.edits[module].insert_before(stmt, &format!("{name} = {v1}.ConfigProto()\n{}", device(&name)));
            rw.add_argument(session, &format!("config={name}"));
        }
    }
    rw.log_change("pin-device", module, range, "each rank uses the GPU of its local rank");
}

fn is_initializer(api: &str) -> bool {
    matches!(
        api,
        "tf.global_variables_initializer" | "tf.initialize_all_variables" | "tf.initializers.global_variables"
    )
}

fn broadcast_after_start(rw: &mut Rewrite) {
    let mut found = false;
    for module in 0..rw.project.modules.len() {
        for expr in rw.trace.tree(module).expr_ids() {
            let Some((receiver, "run")) = rw.trace.called_method((module, expr)) else { continue };
            let engine = rw.engine.clone();
            let text = if initialises_variables(rw, module, receiver) {
                format!("{engine}.broadcast_global_variables(0).run()")
            } else if let Some(fetches) = argument_of(rw.trace.tree(module), expr, "fetches", 0)
                && initialises_variables(rw, module, fetches)
            {
                format!("{}.run({engine}.broadcast_global_variables(0))", rw.text((module, receiver)))
            } else {
                continue;
            };
            let Some(stmt) = rw.stmt_of((module, expr)) else { continue };
            rw.engine_name(module);
            rw.edits[module].insert_after(stmt, &text);
            let range = rw.range((module, expr));
            rw.log_change(
                "broadcast-variables",
                module,
                range,
                "after initialisation every rank takes rank 0's variables",
            );
            found = true;
        }
    }
    if !found {
        let range = rw.trace.tree(rw.training.home)[rw.training.at].range;
        rw.refuse_at(
            "untraceable-model",
            rw.training.home,
            range,
            "no run of `global_variables_initializer` is found, after which variables could be broadcast",
            "initialise the variables by `sess.run(tf.global_variables_initializer())`",
        );
    }
}

fn initialises_variables(rw: &Rewrite, module: ModuleId, expr: pytrope_source::tree::ExprId) -> bool {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
            tree[elements].iter().any(|&e| initialises_variables(rw, module, e))
        }
        _ => {
            roots_call(rw.trace, (module, expr), &is_initializer)
                || rw.trace.value_roots((module, expr)).iter().any(|r| {
                    rw.trace.called_api((r.module, r.expr)).as_deref() == Some("tf.group")
                        && crate::trace::call_arguments(rw.trace.tree(r.module), r.expr).is_some_and(|a| {
                            rw.trace.tree(r.module)[a.positional]
                                .iter()
                                .any(|&e| initialises_variables(rw, r.module, e))
                        })
                })
        }
    }
}
