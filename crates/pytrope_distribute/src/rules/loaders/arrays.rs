//! PyTorch loops without a loader, on tensors that a step uses whole or cuts its batches from.
//!
//! Rows are divided, so rows must be samples: arrays whose first axis may be time, samples that are written out in the script,
//! and samples that are drawn anew in every step are refused.

use pytrope_source::tree::{ExprId, ExprKind, StmtId};

use super::{cut, numbers, summed_loss};
use crate::data::ArrayName;
use crate::data::literals::written_samples;
use crate::index::{exprs_in, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::broadcast::step_statements;
use crate::rules::ddp::under_no_grad;
use crate::rules::shard_arrays;
use crate::rules::train_data::FoundData;
use crate::trace::ExprPlace;

/// Divide the rows of the arrays that the steps read.
pub fn divide_arrays(rw: &mut Rewrite, found: &FoundData, arrays: &[ArrayName]) {
    // What is made after the loops, such as points to predict, is not trained on.
    let is_later = |array: &ArrayName| {
        let tree = rw.trace.tree(array.module);
        let begins = tree[array.bound[0]].range.start;
        let ends_before = |&(m, l): &(ModuleId, StmtId)| {
            m == array.module && scope_of(tree, l) == array.scope && tree[l].range.end < begins
        };
        !found.loops.is_empty() && found.loops.iter().all(ends_before)
    };
    let is_trained_on = |array: &&ArrayName| !is_later(array) && !is_only_evaluated(rw, array, &found.loops);
    let arrays: Vec<ArrayName> = arrays.iter().filter(is_trained_on).cloned().collect();
    let arrays = arrays.as_slice();
    let is_whole = !arrays.iter().any(|a| a.batched);
    if let Some(draw) = is_whole.then(|| drawn_in_step(rw, &found.loops)).flatten() {
        let message = "each step draws samples at random and also uses whole arrays: which arrays hold one item per \
                       sample is not known";
        let help = "draw the samples into a dataset, and read it by a `DataLoader`";
        return refuse_arrays(rw, draw, message, help);
    }
    if let Some((place, count)) = arrays.iter().find_map(|array| written_samples(rw.trace, array)) {
        let message = format!("the {count} training samples are written as literals: too few to divide among ranks");
        return refuse_arrays(rw, place, &message, "train on one process");
    }
    if let Some(place) = arrays.iter().find_map(|array| turned_in_step(rw, array, &found.loops)) {
        let message = format!(
            "`{}` turns an array in a step: its first axis may not be that of the samples",
            rw.trace.text(place)
        );
        return refuse_arrays(rw, place, &message, "turn it before the loop, so that its rows are samples");
    }
    if let Some(layer) = is_whole.then(|| layer_over_sequences(rw)).flatten() {
        let message = "each step uses whole arrays, and with this layer their first axis may be time: which axis holds \
                       the samples is not known";
        return refuse_arrays(rw, layer, message, "read the samples by a `DataLoader`");
    }
    if !shard_arrays::before_loop(rw, arrays, &found.loops, is_whole) {
        shard_arrays::at_binding(rw, arrays);
    }
    // Sequences are cut into stretches, of which a step takes one window after the other.
    if !is_whole && !arrays.iter().any(|a| a.windows) {
        let loops = cut::cutting_loops(rw, &found.loops);
        cut::divide_batches(rw, &loops, arrays);
    }
    let divided: Vec<String> = arrays.iter().map(|a| a.text.clone()).collect();
    summed_loss::sum_gradients(rw, &divided);
    let mut reduced: Vec<(ModuleId, StmtId)> = Vec::new();
    for &step in &found.steps {
        for (module, stmt) in step_statements(rw, step) {
            if let Some(&l) = loops_around(rw.trace.tree(module), stmt).first()
                && !reduced.contains(&(module, l))
            {
                reduced.push((module, l));
                numbers::reduce_numbers(rw, module, l, &divided);
            }
        }
    }
}

/// Whether the loops read an array only where no gradients are kept: test samples whose predictions have the name that those
/// of the training have too.
fn is_only_evaluated(rw: &Rewrite, array: &ArrayName, loops: &[(ModuleId, StmtId)]) -> bool {
    let module = array.module;
    let tree = rw.trace.tree(module);
    let is_read = |e: &ExprId| {
        rw.trace.text((module, *e)) == array.text
            && loops.iter().any(|&(m, l)| m == module && tree[l].range.contains_range(tree[*e].range))
    };
    let reads: Vec<ExprId> = tree.expr_ids().filter(is_read).collect();
    !reads.is_empty() && reads.iter().all(|&read| under_no_grad(rw, module, read))
}

/// Where the loops read an array with its axes exchanged: `model(table.T)`.
fn turned_in_step(rw: &Rewrite, array: &ArrayName, loops: &[(ModuleId, StmtId)]) -> Option<ExprPlace> {
    let module = array.module;
    let tree = rw.trace.tree(module);
    let turned = |e: ExprId| match tree[e].kind {
        ExprKind::Attribute { value, attribute, .. } => {
            matches!(tree.text(attribute.name), "T" | "mT").then_some(value)
        }
        ExprKind::Call { .. } => rw
            .trace
            .called_method((module, e))
            .filter(|(_, method)| matches!(*method, "t" | "transpose" | "permute" | "swapaxes" | "movedim"))
            .map(|(receiver, _)| receiver),
        _ => None,
    };
    loops.iter().filter(|l| l.0 == module).find_map(|&(_, l)| {
        exprs_in(tree, l)
            .find(|&e| turned(e).is_some_and(|value| rw.trace.text((module, value)) == array.text))
            .map(|e| (module, e))
    })
}

fn refuse_arrays(rw: &mut Rewrite, place: ExprPlace, message: &str, help: &str) {
    let range = rw.range(place);
    rw.refuse_at("untraceable-data", place.0, range, message, help);
}

/// A layer of the project whose input has a time axis, which comes first by default.
fn layer_over_sequences(rw: &Rewrite) -> Option<ExprPlace> {
    (0..rw.project.modules.len()).find_map(|module| {
        rw.trace.tree(module).expr_ids().map(|e| (module, e)).find(|&place| {
            rw.trace.called_api(place).is_some_and(|api| {
                api.strip_prefix("torch.nn.").is_some_and(|name| {
                    matches!(name, "RNN" | "LSTM" | "GRU" | "RNNCell" | "LSTMCell" | "GRUCell" | "MultiheadAttention")
                        || name.starts_with("Transformer")
                })
            }) && !super::super::ddp::has_keyword(rw, place, "batch_first")
        })
    })
}

/// A call inside the training loops, or in a function that they call, that draws random numbers.
fn drawn_in_step(rw: &Rewrite, loops: &[(ModuleId, StmtId)]) -> Option<ExprPlace> {
    let mut todo: Vec<(ModuleId, StmtId)> = loops.to_vec();
    let mut seen: Vec<(ModuleId, StmtId)> = Vec::new();
    while let Some((module, stmt)) = todo.pop() {
        if seen.contains(&(module, stmt)) {
            continue;
        }
        seen.push((module, stmt));
        let tree = rw.trace.tree(module);
        for e in exprs_in(tree, stmt) {
            if rw.trace.called_api((module, e)).is_some_and(|api| {
                api.starts_with("np.random.")
                    && !matches!(&api[10..], "shuffle" | "permutation" | "choice" | "seed" | "randint")
                    || matches!(
                        api.as_str(),
                        "torch.rand" | "torch.randn" | "torch.normal" | "random.random" | "random.uniform"
                    )
            }) {
                return Some((module, e));
            }
            todo.extend(rw.trace.project_callee((module, e)));
        }
    }
    None
}
