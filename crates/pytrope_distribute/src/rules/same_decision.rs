//! Leaving a training loop early: all ranks do as rank 0 decides, or those that go on would wait forever.
//!
//! ```python
//! if stopper.stop:                     # if hvd.broadcast_object(stopper.stop, root_rank=0):
//!     break                            #     break
//! ```
//!
//! Of a PyTorch loop, a mean over this rank's samples that decides is the mean over all.

use pytrope_source::tree::{ExprKind, StmtKind};
use pytrope_source::{Node, TextRange};

use super::loaders::{is_mean_over_samples, sum_over_ranks};
use crate::identify::TrainingPattern;
use crate::index::scope_of;
use crate::restrict::{Exit, early_exits};
use crate::rewrite::{Rewrite, Target};

const RULE: &str = "same-decision";

pub fn agree_on_exits(rw: &mut Rewrite) {
    for exit in early_exits(rw) {
        if can_agree(rw, &exit) {
            decide_by_rank_zero(rw, &exit);
        } else if rw.target == Target::Horovod || reads_a_batch(rw, &exit) {
            // Where nothing of a batch is read, the proof of the output decides whether ranks may differ.
            let finding = exit.make_finding(rw);
            rw.refusals.push(finding);
        }
    }
}

/// Whether a condition calls a method on a value, as `loss.item()` and `torch.isnan(loss).any()` do.
fn reads_a_batch(rw: &Rewrite, exit: &Exit) -> bool {
    let tree = rw.trace.tree(exit.module);
    tree.descendants(Node::Expr(exit.test))
        .any(|node| matches!(node, Node::Expr(e) if rw.trace.called_method((exit.module, e)).is_some()))
}

/// Whether every rank comes to the decision, and may tell the others there.
fn can_agree(rw: &Rewrite, exit: &Exit) -> bool {
    let tree = rw.trace.tree(exit.module);
    let eager = matches!(rw.training.pattern, TrainingPattern::Tape | TrainingPattern::Torch)
        && !scope_of(tree, exit.stmt).is_some_and(|f| rw.trace.is_compiled((exit.module, f)));
    // A batch that is skipped on rank 0's word may still be bad on another rank.
    let leaves = !exit.step && !matches!(tree[exit.stmt].kind, StmtKind::Continue);
    let reached = match tree[exit.decider].kind {
        StmtKind::If { body, .. } => {
            tree[body].iter().any(|&stmt| tree[stmt].range.contains_range(tree[exit.stmt].range))
        }
        StmtKind::While { .. } => rw.target == Target::Horovod,
        _ => false,
    };
    eager && leaves && reached && !exit.nested
}

fn decide_by_rank_zero(rw: &mut Rewrite, exit: &Exit) {
    let module = exit.module;
    if !rw.done.insert((module, exit.test)) {
        return;
    }
    let range = rw.trace.tree(module)[exit.test].range;
    let engine = rw.engine_name(module);
    match rw.target {
        Target::Horovod => {
            rw.wrap_text((module, exit.test), &format!("{engine}.broadcast_object("), ", root_rank=0)");
        }
        Target::Ddp | Target::Fsdp2 | Target::Accelerate => {
            let name = rw.edits[module].fresh_name("decision");
            let text = decided_value(rw, exit);
            let broadcast = super::collective::broadcast_list(rw, module, &name);
            let lines = format!("{name} = [{text}]\n{broadcast}  # as rank 0 decides");
            rw.edits[module].insert_before(exit.decider, &lines);
            rw.edits[module].replace_range(range, format!("{name}[0]"));
        }
        // Keras leaves its loops by callbacks, which every worker runs on the same metrics.
        Target::TfDistribute => {}
    }
    rw.log_change(RULE, module, range, "all ranks leave the loop when rank 0 does");
}

/// The text of a condition in which means over a batch are those of all ranks; reducing one twice changes nothing.
fn decided_value(rw: &mut Rewrite, exit: &Exit) -> String {
    let module = exit.module;
    let tree = rw.trace.tree(module);
    let whole = tree[exit.test].range;
    let mut means: Vec<TextRange> = Vec::new();
    for node in tree.descendants(Node::Expr(exit.test)) {
        let Node::Expr(e) = node else { continue };
        let range = tree[e].range;
        let is_operand =
            matches!(tree[e].kind, ExprKind::Name { .. } | ExprKind::Call { .. } | ExprKind::Attribute { .. });
        if is_operand && !means.iter().any(|mean| mean.contains_range(range)) && is_mean_over_samples(rw, module, e) {
            means.push(range);
        }
    }
    let mut text = rw.text((module, exit.test)).to_owned();
    means.sort_by_key(|range| std::cmp::Reverse(range.start));
    for range in means {
        let (function, size) = (sum_over_ranks(rw, module), rw.size_text(module));
        let place = (range.start - whole.start) as usize..(range.end - whole.start) as usize;
        let mean = format!("{function}({}) / {size}", &text[place.clone()]);
        text.replace_range(place, &mean);
    }
    text
}
