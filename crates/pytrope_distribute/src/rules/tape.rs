//! Gradient tapes: gradients are averaged over the ranks.
//!
//! ```python
//! with tf.GradientTape() as tape:      # with tf.GradientTape() as tape:
//!     loss = ...                       #     loss = ...
//!                                      # tape = hvd.DistributedGradientTape(tape)
//! ```

use pytrope_source::tree::{ExprKind, StmtId};

use crate::identify::Tape;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::argument_of;

const RULE: &str = "distributed-gradient-tape";

pub fn distribute_tapes(rw: &mut Rewrite) {
    let tapes = rw.training.tapes.clone();
    let mut after: Vec<(ModuleId, StmtId, Vec<String>)> = Vec::new();
    for tape in &tapes {
        list_sources(rw, tape);
        let engine = rw.engine_name(tape.module);
        let range = rw.trace.tree(tape.module)[tape.with].range;
        if !tape.other.is_empty() {
            // The tape also serves gradients that must stay local: only the trained calls are wrapped.
            for &call in &tape.trained {
                let tree = rw.trace.tree(tape.module);
                let ExprKind::Call { function, .. } = tree[call].kind else { continue };
                let ExprKind::Attribute { value, .. } = tree[function].kind else { continue };
                rw.wrap_text((tape.module, value), &format!("{engine}.DistributedGradientTape("), ")");
            }
            rw.log_change(RULE, tape.module, range, format!("gradients of `{}` that train are averaged", tape.name));
        } else if tape.inside {
            rw.wrap_text((tape.module, tape.context), &format!("{engine}.DistributedGradientTape("), ")");
            rw.log_change(
                RULE,
                tape.module,
                range,
                format!("`{}` averages its gradients, taken inside its own with", tape.name),
            );
        } else {
            let line = format!("{0} = {engine}.DistributedGradientTape({0})", tape.name);
            match after.iter_mut().find(|(m, with, _)| *m == tape.module && *with == tape.with) {
                Some((_, _, lines)) => lines.push(line),
                None => after.push((tape.module, tape.with, vec![line])),
            }
            rw.log_change(RULE, tape.module, range, format!("`{}` averages its gradients", tape.name));
        }
    }
    for (module, with, lines) in after {
        rw.edits[module].insert_after(with, &lines.join("\n"));
    }
}

/// Horovod's tape wants its sources in a list: `tape.gradient(loss, w)` becomes `tape.gradient(loss, [w])[0]`.
fn list_sources(rw: &mut Rewrite, tape: &Tape) {
    let tree = rw.trace.tree(tape.module);
    for &call in &tape.trained {
        let Some(sources) = argument_of(tree, call, "sources", 1) else { continue };
        let at = (tape.module, sources);
        let is_variable = |place| {
            rw.trace
                .value_roots(place)
                .iter()
                .all(|r| rw.trace.called_api((r.module, r.expr)).as_deref() == Some("tf.Variable"))
        };
        match tree[sources].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } if is_variable(at) => {
                rw.wrap_text(at, "[", "]");
                rw.wrap_text((tape.module, call), "", "[0]");
                let range = rw.range(at);
                rw.log_change(RULE, tape.module, range, "a single source is given as a list");
            }
            ExprKind::Dict { .. } => {
                let range = rw.range(at);
                rw.refuse_at(
                    "untraceable-model",
                    tape.module,
                    range,
                    "Horovod's tape takes its sources as a list, not as a dictionary",
                    "give the dictionary's values as a list",
                );
            }
            _ => {}
        }
    }
}
