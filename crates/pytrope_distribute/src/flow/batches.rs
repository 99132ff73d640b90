//! What a value has to do with the samples of a batch, so that a loss is one that ranks can compute on their parts and average.
//!
//! ```python
//! loss = ((model(x) - y) ** 2).mean()             # a mean over the samples: the mean of the ranks' means
//! loss = torch.sqrt(criterion(model(x), y))       # another number than the mean of the ranks' roots
//! x = (x - x.mean(0)) / x.std(0)                  # a rank would take the mean of its part
//! ```
//!
//! Only values whose first axis is known to be the samples' are judged. Quotients of two sums are left alone: a loss that is divided by
//! the sum of weights, or by the length of what is not padding, is computed on each part (docs/distribute.md, "PyTorch"). So is
//! what a module computes in its forward pass, as the statistics of a batch normalisation are.

use pytrope_source::tree::{BinaryOperator, ExprKind};

use super::calls::CallArguments;
use super::{AbstractObject, Constant, FlowRun, FlowValue};
use crate::trace::{ExprPlace, keyword_argument};

/// What is known of a value's axis of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BatchAxis {
    #[default]
    Unknown,
    /// What a loader hands out: a tensor of rows, or such tensors in a tuple or dictionary.
    Handed,
    /// The first axis is that of the samples.
    Rows,
    /// One row.
    Sample,
    /// One number for each sample, such as its loss.
    Column,
    /// A mean or a sum over the samples, or a number that is linear in such.
    Reduced,
    /// A quotient by such a number.
    Quotient,
    /// A number of samples of this rank, or of something that was divided by the number of ranks.
    Count,
    /// The number of ranks.
    Ranks,
    /// The sizes of such a value: the first is its number of samples.
    Sizes,
    /// Positions of batches in this rank's samples.
    Positions,
    /// The name of a sample's class.
    Named,
    /// The number of a loader's batches that are smaller than those of one process.
    Batches,
    /// A stretch of something whole, by positions in this rank's samples: other samples than those at these positions.
    Apart,
}

impl BatchAxis {
    /// A column has rows too; numbers have no axis.
    fn with_rows(self) -> Self {
        match self {
            Self::Column | Self::Handed => Self::Rows,
            Self::Sample => Self::Unknown,
            Self::Count | Self::Ranks | Self::Sizes | Self::Positions | Self::Batches | Self::Named | Self::Apart => {
                Self::Unknown
            }
            other => other,
        }
    }
}

/// Which axis a reduction takes away.
#[derive(Clone, Copy, PartialEq)]
enum ReducedAxis {
    Samples,
    Other,
    NotKnown,
}

/// Reductions that are linear in the samples.
const LINEAR: &[&str] = &["mean", "sum"];
/// Counts of values: sums over the samples of what each adds.
const COUNTS: &[&str] = &["bincount", "histc"];
/// Reductions that are not.
const STATISTICS: &[&str] =
    &["std", "var", "max", "min", "amax", "amin", "norm", "prod", "median", "quantile", "logsumexp"];
/// What chooses samples by their rank in the batch.
const SELECTIONS: &[&str] = &["topk", "sort", "msort", "kthvalue", "argsort"];
/// Functions of one number that are not linear.
const CURVED: &[&str] = &[
    "sqrt",
    "rsqrt",
    "exp",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "square",
    "abs",
    "clamp",
    "clamp_min",
    "clamp_max",
    "relu",
    "sigmoid",
    "tanh",
    "reciprocal",
    "softplus",
    "logsigmoid",
];
/// Methods and functions that leave every row where it is.
const KEEPS_ROWS: &[&str] = &[
    "to",
    "cuda",
    "cpu",
    "float",
    "double",
    "half",
    "long",
    "int",
    "bool",
    "type",
    "clone",
    "contiguous",
    "detach",
    "requires_grad_",
    "flatten",
    "softmax",
    "log_softmax",
    "neg",
    "dropout",
    "leaky_relu",
    "gelu",
    "elu",
    "selu",
    "normalize",
    "one_hot",
    "view_as",
    "type_as",
    "masked_fill",
];

impl FlowRun<'_> {
    /// `left op right`.
    pub(super) fn batch_of_operator(
        &self,
        at: ExprPlace,
        op: BinaryOperator,
        left: &FlowValue,
        right: &FlowValue,
    ) -> (BatchAxis, Option<ExprPlace>) {
        use BatchAxis::{Column, Quotient, Reduced, Rows, Unknown};
        let mixed = Some(at).filter(|_| self.within.is_none());
        if [(left, right), (right, left)]
            .iter()
            .any(|(a, b)| a.batch.with_rows() == Rows && b.batch == BatchAxis::Apart)
        {
            return (Rows, mixed);
        }
        if left.batch == Column && matches!(right.batch, Column | Unknown | BatchAxis::Count | BatchAxis::Ranks) {
            return (Column, None);
        }
        match (left.batch.with_rows(), op, right.batch.with_rows()) {
            (Reduced, BinaryOperator::Pow, _) | (Reduced, BinaryOperator::Mult, Reduced) => (Unknown, mixed),
            (Rows, BinaryOperator::Sub | BinaryOperator::Mult | BinaryOperator::Div, Reduced)
            | (Reduced, BinaryOperator::Sub | BinaryOperator::Mult | BinaryOperator::Div, Rows) => (Rows, mixed),
            (Rows, BinaryOperator::Add, Reduced) | (Reduced, BinaryOperator::Add, Rows) => (Unknown, None),
            // Each sample is weighted by what is computed from all of the batch.
            (Rows, BinaryOperator::Mult | BinaryOperator::Div, Quotient) | (Quotient, BinaryOperator::Mult, Rows) => {
                (Rows, mixed)
            }
            // A quotient of two sums.
            (_, BinaryOperator::Div, Reduced) => (Quotient, None),
            (Quotient, BinaryOperator::Pow, _) => (Unknown, mixed),
            (
                Quotient,
                BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mult | BinaryOperator::Div,
                Unknown,
            )
            | (Unknown | Reduced, BinaryOperator::Add | BinaryOperator::Sub, Quotient)
            | (Unknown, BinaryOperator::Mult, Quotient)
            | (Quotient, BinaryOperator::Add | BinaryOperator::Sub, Reduced | Quotient) => (Quotient, None),
            (Reduced, BinaryOperator::Add | BinaryOperator::Sub, Reduced) => (Reduced, None),
            (_, BinaryOperator::MatMult, _) => (if left.batch == Rows { Rows } else { Unknown }, None),
            (Rows, _, _) | (_, _, Rows) => (Rows, None),
            (
                Reduced,
                BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mult | BinaryOperator::Div,
                Unknown,
            )
            | (Unknown, BinaryOperator::Add | BinaryOperator::Sub | BinaryOperator::Mult, Reduced) => (Reduced, None),
            _ => (Unknown, None),
        }
    }

    /// `tensor.method(…)`
    pub(super) fn batch_of_method(
        &self,
        at: ExprPlace,
        name: &str,
        receiver: &FlowValue,
        given: &CallArguments,
    ) -> (BatchAxis, Option<ExprPlace>) {
        let op = match name {
            "sub" => BinaryOperator::Sub,
            "add" => BinaryOperator::Add,
            "mul" => BinaryOperator::Mult,
            "div" => BinaryOperator::Div,
            _ => return self.batch_of_call(at, name, receiver, given, 0),
        };
        given.get("other", 0).map_or((receiver.batch, None), |other| self.batch_of_operator(at, op, receiver, other))
    }

    /// `torch.function(tensor, …)`
    pub(super) fn batch_of_function(
        &self,
        at: ExprPlace,
        name: &str,
        given: &CallArguments,
    ) -> (BatchAxis, Option<ExprPlace>) {
        if let Some(loss) = self.batch_of_loss(name, at, given) {
            return loss;
        }
        given
            .get("input", 0)
            .map_or((BatchAxis::Unknown, None), |tensor| self.batch_of_call(at, name, tensor, given, 1))
    }

    /// `tensor.method(…)`, or `torch.function(tensor, …)` with `place` 1 for what follows the tensor.
    fn batch_of_call(
        &self,
        at: ExprPlace,
        name: &str,
        tensor: &FlowValue,
        given: &CallArguments,
        place: usize,
    ) -> (BatchAxis, Option<ExprPlace>) {
        use BatchAxis::{Quotient, Reduced, Rows, Sample, Unknown};
        let mixed = Some(at).filter(|_| self.within.is_none());
        let is_column = tensor.batch == BatchAxis::Column;
        if is_column && SELECTIONS.contains(&name) {
            return (Unknown, mixed);
        }
        if is_column && (CURVED.contains(&name) || KEEPS_ROWS.contains(&name)) {
            return (tensor.batch, None);
        }
        match tensor.batch.with_rows() {
            // All of a tensor is taken together, whichever axis its samples have.
            Unknown
                if tensor.part.is_some()
                    && tensor.batch != Sample
                    && LINEAR.contains(&name)
                    && !Self::has_axis(given, place) =>
            {
                (Reduced, None)
            }
            Quotient if KEEPS_ROWS.contains(&name) || is_plain(name) => (Quotient, None),
            Quotient if CURVED.contains(&name) => (Unknown, mixed),
            Quotient => (Unknown, None),
            Reduced if CURVED.contains(&name) => (Unknown, mixed),
            Reduced if LINEAR.contains(&name) || KEEPS_ROWS.contains(&name) || is_plain(name) => (Reduced, None),
            Reduced => (Unknown, None),
            Rows if LINEAR.contains(&name) => match self.reduced_axis(given, place) {
                ReducedAxis::Samples => (Reduced, None),
                ReducedAxis::Other => (Rows, None),
                ReducedAxis::NotKnown => (Unknown, None),
            },
            Rows if COUNTS.contains(&name) => (Reduced, None),
            Rows if STATISTICS.contains(&name) => {
                // `x.norm(2, dim=1)`, `x.clamp(…).max(other)`
                let place = if matches!(name, "norm" | "quantile") { place + 1 } else { place };
                let compares = matches!(name, "max" | "min")
                    && given.get("other", place).is_some_and(|value| value.batch.with_rows() == Rows);
                match self.reduced_axis(given, place) {
                    _ if compares => (Rows, None),
                    ReducedAxis::Samples => (Unknown, mixed),
                    ReducedAxis::Other => (Rows, None),
                    ReducedAxis::NotKnown => (Unknown, None),
                }
            }
            Rows if CURVED.contains(&name) || KEEPS_ROWS.contains(&name) => (Rows, None),
            Rows if matches!(name, "view" | "reshape") => (Rows, None),
            _ => (Unknown, None),
        }
    }

    /// A function of `torch.nn.functional` that is a loss, or a loss of `torch.nn` made at `options`, where its options are.
    pub(super) fn batch_of_loss(
        &self,
        name: &str,
        options: ExprPlace,
        given: &CallArguments,
    ) -> Option<(BatchAxis, Option<ExprPlace>)> {
        let is_loss = name.ends_with("Loss")
            || name.ends_with("_loss")
            || name.contains("cross_entropy")
            || matches!(name, "kl_div");
        if !is_loss {
            return None;
        }
        let tree = self.trace.tree(options.0);
        let ExprKind::Call { arguments, .. } = tree[options.1].kind else { return None };
        let is_reduced = match keyword_argument(tree, arguments, "reduction") {
            Some(value) => match tree[value].kind {
                ExprKind::Str(text) => Some(tree.text(text) != "none"),
                _ => None,
            },
            None => keyword_argument(tree, arguments, "reduce").is_none().then_some(true),
        };
        let of_rows = given.positional.iter().any(|value| value.batch.with_rows() == BatchAxis::Rows);
        // A loss of means, or one that is weighted by what is computed from the batch.
        let of_totals = given
            .positional
            .iter()
            .chain(given.keywords.iter().map(|(_, value)| value))
            .any(|value| matches!(value.batch, BatchAxis::Reduced | BatchAxis::Quotient));
        let of_others = given.positional.iter().any(|value| value.batch == BatchAxis::Apart)
            && given.positional.iter().any(|value| value.batch.with_rows() == BatchAxis::Rows);
        let mixed = Some(options).filter(|_| (of_totals || of_others) && self.within.is_none());
        let batch = match is_reduced {
            Some(true) if of_rows => BatchAxis::Reduced,
            Some(false) if of_rows => BatchAxis::Column,
            _ => BatchAxis::Unknown,
        };
        Some((batch, mixed))
    }

    fn has_axis(given: &CallArguments, place: usize) -> bool {
        given.spread.is_some() || ["dim", "axis"].iter().any(|name| given.get(name, place).is_some())
    }

    /// An item of a batch keeps the rows where it is a column of them, or a part of a tuple.
    pub(super) fn keeps_rows(&self, (module, expr): ExprPlace) -> bool {
        let tree = self.trace.tree(module);
        let ExprKind::Subscript { index, .. } = tree[expr].kind else { return false };
        match tree[index].kind {
            ExprKind::Int(_) | ExprKind::Str(_) => true,
            ExprKind::Tuple { elements, .. } => tree[elements].first().is_some_and(|&first| {
                matches!(tree[first].kind, ExprKind::Slice { lower: None, upper: None, .. } | ExprKind::Ellipsis)
            }),
            _ => false,
        }
    }

    fn reduced_axis(&self, given: &CallArguments, place: usize) -> ReducedAxis {
        let written = ["dim", "axis"].iter().find_map(|name| given.get(name, place));
        let Some(axis) = written else { return ReducedAxis::Samples };
        let of = |value: &FlowValue| match value.constant {
            Some(Constant::Int(0)) => ReducedAxis::Samples,
            Some(Constant::Int(_)) => ReducedAxis::Other,
            _ => ReducedAxis::NotKnown,
        };
        if axis.constant.is_some() {
            return of(axis);
        }
        let &[object] = &axis.objects[..] else { return ReducedAxis::NotKnown };
        if !matches!(self.objects[object as usize], AbstractObject::Items { count: Some(_) }) {
            return ReducedAxis::NotKnown;
        }
        let axes: Vec<ReducedAxis> = self.fields_of(object).map(of).collect();
        match () {
            () if axes.contains(&ReducedAxis::Samples) => ReducedAxis::Samples,
            () if axes.contains(&ReducedAxis::NotKnown) => ReducedAxis::NotKnown,
            () => ReducedAxis::Other,
        }
    }
}

/// What a layer gives for a batch.
pub(super) fn batch_of_layer(api: &str, given: &CallArguments) -> BatchAxis {
    let is_layer = api.strip_prefix("torch.nn.").is_some_and(|name| {
        !["RNN", "LSTM", "GRU", "Transformer", "MultiheadAttention"].iter().any(|other| name.starts_with(other))
    });
    let is_known = is_layer || api.starts_with("torchvision.models.");
    given
        .positional
        .first()
        .map_or(BatchAxis::Unknown, |value| if is_known { value.batch.with_rows() } else { BatchAxis::Unknown })
}

/// Methods that give the same number in another form.
fn is_plain(method: &str) -> bool {
    matches!(method, "squeeze" | "item" | "numpy" | "tolist")
}
