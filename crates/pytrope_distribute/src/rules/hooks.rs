//! Hooks and directories of monitored sessions and estimators.
//!
//! ```python
//! MonitoredTrainingSession(checkpoint_dir="c", hooks=[StopAtStepHook(last_step=1000)])
//! # MonitoredTrainingSession(checkpoint_dir="c" if hvd.rank() == 0 else None,
//! #     hooks=[hvd.BroadcastGlobalVariablesHook(0), StopAtStepHook(last_step=1000 // hvd.size())])
//! ```

use pytrope_source::tree::{ExprId, ExprKind};

use crate::data::keyword_of;
use crate::identify::roots_call;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

/// Monitored sessions: their configuration, hooks and directory.
pub fn distribute_monitored(rw: &mut Rewrite) {
    for session in rw.training.sessions.clone() {
        super::session::configure_session(rw, session, usize::MAX);
        add_hook(rw, session, usize::MAX);
        for name in ["checkpoint_dir", "summary_dir"] {
            if let Some(directory) = keyword_of(rw.trace, session, name) {
                only_rank_zero(rw, (session.0, directory));
            }
        }
    }
    stop_hooks(rw);
}

/// `X` becomes `X if hvd.rank() == 0 else None`.
pub fn only_rank_zero(rw: &mut Rewrite, place: ExprPlace) {
    let tree = rw.trace.tree(place.0);
    if matches!(tree[place.1].kind, ExprKind::None) || !rw.done.insert(place) {
        return;
    }
    let rank = rw.rank_text(place.0);
    rw.wrap_text(place, "", &format!(" if {rank} == 0 else None"));
    let range = rw.range(place);
    rw.log_change("rank-zero-files", place.0, range, "only rank 0 writes there");
}

pub fn add_hook(rw: &mut Rewrite, call: ExprPlace, place: usize) {
    let (module, expr) = call;
    let tree = rw.trace.tree(module);
    let hook = format!("{}.BroadcastGlobalVariablesHook(0)", rw.engine_name(module));
    let range = rw.range(call);
    match argument_of(tree, expr, "hooks", place).filter(|&h| !matches!(tree[h].kind, ExprKind::None)) {
        None => rw.add_argument(call, &format!("hooks=[{hook}]")),
        Some(given) => {
            if let ExprKind::List { elements, .. } = tree[given].kind {
                let comma = if elements.is_empty() { "" } else { ", " };
                rw.edits[module].insert(tree[given].range.start + 1, format!("{hook}{comma}"));
                guard_elements(rw, module, &tree[elements]);
            } else {
                for root in rw.trace.value_roots((module, given)) {
                    if let ExprKind::List { elements, .. } = rw.trace.tree(root.module)[root.expr].kind
                        && rw.done.insert((root.module, root.expr))
                    {
                        guard_elements(rw, root.module, &rw.trace.tree(root.module)[elements]);
                    }
                }
                let lists = rw
                    .trace
                    .value_roots((module, given))
                    .iter()
                    .all(|r| matches!(rw.trace.tree(r.module)[r.expr].kind, ExprKind::List { .. }));
                if lists {
                    rw.wrap_text((module, given), &format!("[{hook}] + "), "");
                } else {
                    rw.wrap_text((module, given), &format!("[{hook}] + list("), " or [])");
                }
            }
        }
    }
    rw.log_change("broadcast-variables", module, range, "a hook gives every rank the variables of rank 0");
}

/// Hooks that log or save belong to rank 0.
fn guard_elements(rw: &mut Rewrite, module: ModuleId, elements: &[ExprId]) {
    const WRITING: &[&str] =
        &["LoggingTensorHook", "CheckpointSaverHook", "SummarySaverHook", "StepCounterHook", "ProfilerHook"];
    for &element in elements {
        let writes = roots_call(rw.trace, (module, element), &|api: &str| {
            (api.starts_with("tf.train.") || api.starts_with("tf.estimator."))
                && WRITING.iter().any(|name| api.ends_with(name))
        });
        if writes && rw.done.insert((module, element)) {
            let rank = rw.rank_text(module);
            rw.wrap_text((module, element), "*([", &format!("] if {rank} == 0 else [])"));
        }
    }
}

fn stop_hooks(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            if rw.trace.called_api((module, call)).is_some_and(|api| api.ends_with(".StopAtStepHook")) {
                let steps =
                    argument_of(tree, call, "num_steps", 0).filter(|&s| !matches!(tree[s].kind, ExprKind::None));
                for steps in [steps, argument_of(tree, call, "last_step", 1)].into_iter().flatten() {
                    rw.divide_number("divide-steps", (module, steps));
                }
            }
        }
    }
}
