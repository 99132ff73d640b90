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
            (None, [_, _, _], [equation, left, right])
                if name == "torch.einsum" && equation.as_text().is_some_and(|equation| pairs_rows(&equation)) =>
            {
                self.note_pairs(at, left, right);
            }
            (None, _, [left, right, ..]) if name == "torch.cdist" => self.note_pairs(at, left, right),
            (None, &[a, b], [left, right]) if PRODUCTS.contains(&name) => self.note_product(at, [a, b], left, right),
            (Some(left), &[b], [right]) if matches!(name, "mm" | "matmul") => {
                if let ExprKind::Attribute { value, .. } = self.trace.tree(at.0)[function].kind {
                    self.note_product(at, [value, b], left, right);
                }
            }
            _ => {}
        }
    }

    /// Every row of one value meets every row of the other.
    fn note_pairs(&mut self, at: ExprPlace, left: &FlowValue, right: &FlowValue) {
        if !left.passes.is_empty() && !right.passes.is_empty() && self.grad && self.within.is_none() {
            let mut passes = left.clone();
            passes.add(right);
            self.record_event(at, EventKind::MixesSamples { passes: passes.passes });
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

/// Whether an equation of `einsum` has a row and a column for the first axes of both operands: `id,jd->ij`.
fn pairs_rows(equation: &str) -> bool {
    let equation: String = equation.chars().filter(|c| !c.is_whitespace()).collect();
    let Some((operands, result)) = equation.split_once("->") else { return false };
    let firsts: Vec<Option<char>> = operands.split(',').map(|operand| operand.chars().next()).collect();
    match firsts[..] {
        [Some(a), Some(b)] => a != b && result.contains(a) && result.contains(b),
        _ => false,
    }
}
