//! A loss that is a sum over the samples: the engine averages the ranks' gradients, which are those of parts of the sum.
//!
//! ```python
//! loss = F.mse_loss(out, y, reduction="sum")    # loss = F.mse_loss(out, y, reduction="sum")
//! loss.backward()                               # # Gradients are averaged over the ranks, and this loss is a sum.
//!                                               # (loss * dist.get_world_size()).backward()
//! ```

use pytrope_source::tree::{ExprId, StmtKind};

use super::scale::{Scale, Scales};
use crate::index::{loops_around, parameter_names, scope_of};
use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::rules::accelerate::steps_by_closure;

const RULE: &str = "sum-gradients";

/// Multiplies losses that are sums by the number of ranks before their backward pass.
///
/// `divided` names arrays of which this rank has its own rows.
pub fn sum_gradients(rw: &mut Rewrite, divided: &[String]) {
    for step in rw.training.steps.clone() {
        let (module, call) = step;
        let Some((receiver, "backward")) = rw.trace.called_method(step) else { continue };
        let is_proved = rw.corrections.sums.contains(&(module, rw.trace.tree(module)[call].range.start));
        if !is_proved && !is_summed(rw, module, receiver, divided) || !rw.done.insert((module, receiver)) {
            continue;
        }
        let tree = rw.trace.tree(module);
        if steps_by_closure(rw) {
            let message = "this loss is a sum over the samples, and the optimizer decides on its value";
            rw.refuse_at(
                "untraceable-model",
                module,
                tree[call].range,
                message,
                "divide the loss by its number of samples",
            );
            continue;
        }
        let Some(stmt) = tree.stmt_of(call) else { continue };
        let size = rw.size_text(module);
        rw.edits[module].insert_before(stmt, "# Gradients are averaged over the ranks, and this loss is a sum.");
        if rw.target == Target::Accelerate {
            rw.summed_losses.push((module, receiver));
        } else {
            rw.wrap_text((module, receiver), "(", &format!(" * {size})"));
        }
        rw.log_change(RULE, module, tree[call].range, "gradients of a sum over the samples are added up");
    }
}

fn is_summed(rw: &Rewrite, module: ModuleId, loss: ExprId, divided: &[String]) -> bool {
    let tree = rw.trace.tree(module);
    let Some(stmt) = tree.stmt_of(loss) else { return false };
    let of_loss = |looped, parameters: &[(String, Scale)]| {
        Scales { rw, module, looped, reduced: &[], divided, parameters }.of_loss(loss) == Scale::Sum
    };
    let loops = loops_around(tree, stmt);
    if loops.iter().any(|&l| of_loss(l, &[])) {
        return true;
    }
    // A function that takes one step is given the samples.
    let Some(function) = scope_of(tree, stmt).filter(|_| loops.is_empty()) else { return false };
    let StmtKind::FunctionDef(def) = tree[function].kind else { return false };
    let given: Vec<(String, Scale)> =
        parameter_names(tree, &def.parameters).iter().map(|name| ((*name).to_owned(), Scale::Batch)).collect();
    of_loss(function, &given)
}
