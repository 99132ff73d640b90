//! Products of a batch with a batch: every sample of it meets every other one, which a rank with a part of the batch cannot do.
//!
//! ```python
//! features = F.normalize(model(images), dim=1)
//! similarity = features @ features.T          # one row and one column per sample: a rank has a square on the diagonal
//! ```
//!
//! Only products with a transposed matrix are recorded: `.T` and `.t()` are of two axes, the first of which is the samples'. What a
//! module computes inside its forward pass is its own affair, as the statistics of a batch normalisation are.

use pytrope_source::tree::{ExprId, ExprKind};

use super::calls::CallArguments;
use super::{EventKind, FlowRun, FlowValue};
use crate::trace::ExprPlace;

/// Functions that multiply two matrices.
const PRODUCTS: &[&str] = &["torch.mm", "torch.matmul"];

impl FlowRun<'_> {
    /// `left @ right`, with the values of both.
    pub(super) fn note_product(&mut self, at: ExprPlace, sides: [ExprId; 2], left: &FlowValue, right: &FlowValue) {
        let of_batches = !left.passes.is_empty() && !right.passes.is_empty();
        let transposed = sides.iter().any(|&side| self.is_transposed((at.0, side)));
        if of_batches && transposed && self.grad && self.within.is_none() {
            let mut passes = left.clone();
            passes.add(right);
            self.record_event(at, EventKind::MixesSamples { passes: passes.passes });
        }
    }

    /// `torch.mm(left, right)` and `left.mm(right)`.
    pub(super) fn note_product_call(
        &mut self,
        at: ExprPlace,
        name: &str,
        receiver: Option<&FlowValue>,
        given: &CallArguments,
    ) {
        let ExprKind::Call { function, arguments } = self.trace.tree(at.0)[at.1].kind else { return };
        let written = &self.trace.tree(at.0)[arguments.positional];
        match (receiver, written, &given.positional[..]) {
            (None, &[a, b], [left, right]) if PRODUCTS.contains(&name) => self.note_product(at, [a, b], left, right),
            (Some(left), &[b], [right]) if matches!(name, "mm" | "matmul") => {
                if let ExprKind::Attribute { value, .. } = self.trace.tree(at.0)[function].kind {
                    self.note_product(at, [value, b], left, right);
                }
            }
            _ => {}
        }
    }

    /// `x.T`, `x.t()`
    fn is_transposed(&self, (module, expr): ExprPlace) -> bool {
        let tree = self.trace.tree(module);
        match tree[expr].kind {
            ExprKind::Attribute { attribute, .. } => tree.text(attribute.name) == "T",
            ExprKind::Call { .. } => self.trace.called_method((module, expr)).is_some_and(|(_, method)| method == "t"),
            _ => false,
        }
    }
}
