//! What a value has to do with the samples of a batch, so that a loss is one that ranks can compute on their parts and average.
//!
//! ```python
//! loss = ((model(x) - y) ** 2).mean()             # a mean over the samples: the mean of the ranks' means
//! loss = torch.sqrt(criterion(model(x), y))       # another number than the mean of the ranks' roots
//! x = (x - x.mean(0)) / x.std(0)                  # a rank would take the mean of its part
//! loss = (each * mask).sum() / mask.sum()         # a rank would divide by the length of its part of the mask
//! ```
//!
//! A loss is accepted where it is known to be a mean over the samples, or a sum of them that is multiplied by the number of ranks; what is
//! not known to be one is refused (`proof`). What a module computes in its forward pass is its own affair, as the statistics of a batch
//! normalisation are: it is taken to give a row for each row.

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, UnaryOperator};

use super::calls::CallArguments;
use super::{AbstractObject, Constant, FlowRun, FlowValue, ObjectId};
use crate::trace::ExprPlace;

/// What is known of a value's axis of samples. It says nothing of values that are no part (`FlowValue::part`).
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
    /// One truth value for each sample, or for each element of it.
    Mask,
    /// Positions of all samples, in some order.
    Order,
    /// Elements of rows, each as often as in them; which axis is the samples' is not known.
    Scattered,
    /// Some of the rows; which, and how many, is a matter of what the samples are.
    Chosen,
    /// A mean over the samples, or a number that is linear in such.
    Mean,
    /// A sum over the samples, or a number that is linear in such.
    Sum,
    /// A quotient by such a number, or a mean over chosen rows.
    Quotient,
    /// A sum or mean over the samples of all ranks.
    Total,
    /// This rank's share of such a total, times the number of ranks.
    Share,
    /// Computed from parameters of modules and from nothing else.
    Weights,
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
    pub(super) fn with_rows(self) -> Self {
        match self {
            Self::Column | Self::Handed | Self::Mask | Self::Order => Self::Rows,
            other => other,
        }
    }

    /// A number that is linear in a mean or a sum over the samples.
    pub(super) fn is_reduced(self) -> bool {
        matches!(self, Self::Mean | Self::Sum)
    }

    /// What two ways leave.
    pub(super) fn join(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (a, b) if a.with_rows() == Self::Rows && b.with_rows() == Self::Rows => Self::Rows,
            (Self::Quotient, Self::Mean | Self::Sum) | (Self::Mean | Self::Sum, Self::Quotient) => Self::Quotient,
            _ => Self::Unknown,
        }
    }
}

impl FlowValue {
    /// What an operation at a place makes of the samples, and where it depends on a whole batch.
    pub(super) fn set_axis(&mut self, (batch, mixed): (BatchAxis, Option<ExprPlace>), at: ExprPlace) {
        self.batch = batch;
        self.mixed = self.mixed.or(mixed);
        self.blurred = match batch {
            BatchAxis::Unknown | BatchAxis::Quotient if self.part.is_some() => self.blurred.or(Some(at)),
            _ => None,
        };
    }
}

impl FlowRun<'_> {
    /// What a value has to do with the samples; `None` where it is the same on all ranks. Of a container, what all its items have.
    pub(super) fn axis_of(&self, value: &FlowValue) -> Option<BatchAxis> {
        self.axis_within(value, 3)
    }

    fn axis_within(&self, value: &FlowValue, depth: u32) -> Option<BatchAxis> {
        let is_items = |&o: &ObjectId| matches!(self.objects[o as usize], AbstractObject::Items { .. });
        let mut joined: Option<BatchAxis> = None;
        if depth > 0 && value.objects.iter().any(is_items) {
            for &object in value.objects.iter().filter(|o| is_items(o)) {
                for item in self.item_fields(object) {
                    joined = match (joined, self.axis_within(item, depth - 1)) {
                        (Some(known), Some(other)) => Some(known.join(other)),
                        (known, other) => known.or(other),
                    };
                }
            }
            return joined;
        }
        let is_parameter = |&o: &ObjectId| matches!(self.objects[o as usize], AbstractObject::Parameters { .. });
        if value.objects.iter().any(is_parameter) {
            return Some(BatchAxis::Weights);
        }
        match value.batch {
            BatchAxis::Total | BatchAxis::Weights => Some(value.batch),
            axis => value.part.map(|_| axis),
        }
    }

    /// `left op right`.
    pub(super) fn batch_of_operator(
        &self,
        at: ExprPlace,
        op: BinaryOperator,
        left: &FlowValue,
        right: &FlowValue,
    ) -> (BatchAxis, Option<ExprPlace>) {
        use BatchAxis::{
            Chosen, Column, Count, Mask, Mean, Quotient, Ranks, Rows, Sample, Scattered, Share, Sum, Total, Unknown,
            Weights,
        };
        use BinaryOperator::{Add, BitAnd, BitOr, BitXor, Div, MatMult, Mult, Pow, Sub};
        let mixed = Some(at).filter(|_| self.within.is_none());
        let (a, b) = (self.axis_of(left), self.axis_of(right));
        if let (Some(Mask), Some(Mask) | None) | (None, Some(Mask)) = (a, b)
            && matches!(op, BitAnd | BitOr | BitXor)
        {
            return (Mask, None);
        }
        // A loss for each sample stays one.
        if a == Some(Column) && matches!(b, None | Some(Column | Weights)) && op != MatMult {
            return (Column, None);
        }
        let (a, b) = (a.map(BatchAxis::with_rows), b.map(BatchAxis::with_rows));
        if [(a, b), (b, a)].iter().any(|(x, y)| *x == Some(Rows) && *y == Some(BatchAxis::Apart)) {
            return (Rows, mixed);
        }
        match (a, op, b) {
            (None, _, None) => (Unknown, None),
            (Some(Weights), _, None | Some(Weights)) | (None, _, Some(Weights)) => (Weights, None),
            // What has rows, with what is the same on all ranks.
            (Some(axis @ (Rows | Scattered | Chosen | Sample)), _, None | Some(Weights)) if op != MatMult => {
                (axis, None)
            }
            (None | Some(Weights), _, Some(axis @ (Rows | Scattered | Chosen | Sample))) if op != MatMult => {
                (axis, None)
            }
            (Some(Rows), MatMult, _) => (Rows, None),
            (_, MatMult, _) => (Unknown, None),
            (Some(Rows), _, Some(Rows)) => (Rows, None),
            (Some(Rows | Scattered), _, Some(Rows | Scattered)) => (Scattered, None),
            (Some(Chosen), _, Some(Chosen)) => (Chosen, None),
            (Some(Sample), _, Some(Sample)) => (Sample, None),
            // Each sample is changed by what is computed from all of the batch.
            (Some(Rows | Scattered | Chosen), Sub | Mult | Div, Some(Mean | Sum | Quotient))
            | (Some(Mean | Sum | Quotient), Sub | Mult | Div, Some(Rows | Scattered | Chosen)) => (Rows, mixed),
            (Some(Mean | Sum | Quotient), Pow, _) | (Some(Mean | Sum | Quotient), Mult, Some(Mean | Sum)) => {
                (Unknown, mixed)
            }
            (Some(Mean), Add | Sub, None | Some(Mean | Weights | Total))
            | (None | Some(Weights | Total), Add | Sub, Some(Mean))
            | (Some(Mean), Mult | Div, None | Some(Weights))
            | (None | Some(Weights), Mult, Some(Mean)) => (Mean, None),
            // A sum over the samples is multiplied by the number of ranks before gradients are averaged; a penalty would be too.
            (Some(Sum), Add | Sub, None | Some(Sum)) | (None, Add | Sub, Some(Sum)) => (Sum, None),
            (Some(Sum), Mult | Div, None | Some(Weights)) | (None | Some(Weights), Mult, Some(Sum)) => (Sum, None),
            (Some(Mean), Mult, Some(Count)) | (Some(Count), Mult, Some(Mean)) => (Sum, None),
            (Some(Sum), Div, Some(Count)) | (Some(Sum), Mult, Some(Ranks)) | (Some(Ranks), Mult, Some(Sum)) => {
                (Mean, None)
            }
            (Some(Mean | Sum), Div, Some(Total)) => (Share, None),
            (Some(Mean | Quotient), Mult, Some(Share)) | (Some(Share), Mult, Some(Mean | Quotient)) => (Mean, None),
            // A quotient of two sums.
            (_, Div, Some(Mean | Sum)) => (Quotient, None),
            (Some(Quotient), Add | Sub, Some(Mean | Sum | Quotient | Weights | Total) | None)
            | (Some(Mean | Sum | Weights | Total) | None, Add | Sub, Some(Quotient))
            | (Some(Quotient), Mult | Div, None | Some(Weights | Count))
            | (None | Some(Weights), Mult, Some(Quotient)) => (Quotient, None),
            _ => (Unknown, None),
        }
    }

    /// What an item of a value has to do with the samples: `x[:, 0]`, `x[mask]`, `table[labels]`, `rows[i:i + size]`.
    pub(super) fn axis_of_item(&self, (module, expr): ExprPlace, base: &FlowValue, index: &FlowValue) -> BatchAxis {
        use BatchAxis::{
            Chosen, Column, Count, Handed, Mask, Mean, Order, Quotient, Rows, Sample, Scattered, Sum, Unknown,
        };
        let tree = self.trace.tree(module);
        let ExprKind::Subscript { index: written, .. } = tree[expr].kind else { return Unknown };
        let is_whole_slice = |e: ExprId| {
            matches!(tree[e].kind, ExprKind::Slice { lower: None, upper: None, step: None } | ExprKind::Ellipsis)
        };
        let is_int = |e: ExprId| match tree[e].kind {
            ExprKind::Int(_) => true,
            ExprKind::UnaryOp { op: UnaryOperator::Minus, operand } => matches!(tree[operand].kind, ExprKind::Int(_)),
            _ => false,
        };
        let (first, first_value) = match tree[written].kind {
            ExprKind::Tuple { elements, .. } => {
                let value = index.objects.first().and_then(|&o| self.field_value(o, "0"));
                (tree[elements].first().copied(), value)
            }
            _ => (Some(written), Some(index)),
        };
        let Some(first) = first else { return Unknown };
        let chooses = first_value.and_then(|value| self.axis_of(value));
        match self.axis_of(base) {
            // This rank's stretch of something whole.
            None if index.varies && !index.random && matches!(tree[first].kind, ExprKind::Slice { .. }) => Rows,
            None => match chooses {
                Some(Rows | Column | Order | Handed) => Rows,
                Some(axis @ (Sample | Chosen)) => axis,
                _ => Unknown,
            },
            Some(Handed) if is_int(first) || matches!(tree[first].kind, ExprKind::Str(_)) => Rows,
            Some(axis @ (Rows | Column | Handed | Mask | Order)) => match tree[first].kind {
                _ if is_whole_slice(first) => axis.with_rows(),
                _ if is_int(first) => Sample,
                ExprKind::Str(_) => Rows,
                ExprKind::None => Scattered,
                // A stretch that is as long as a rank's part of the batch is.
                ExprKind::Slice { lower, upper, .. } => {
                    let is_part = chooses.is_some() && (lower.is_some() || upper.is_some());
                    match (is_part, chooses) {
                        (false, _) => Unknown,
                        (true, Some(Sample)) => Sample,
                        (true, _) if axis == Order => Order,
                        (true, _) => Rows,
                    }
                }
                _ => match chooses {
                    Some(Order) => Rows,
                    Some(Mask | Rows | Column | Handed | Chosen) => Chosen,
                    Some(Count | BatchAxis::Positions | Sample) => Sample,
                    _ => Unknown,
                },
            },
            Some(Scattered) if is_whole_slice(first) => Scattered,
            Some(Chosen) if is_whole_slice(first) || matches!(tree[first].kind, ExprKind::Str(_)) => Chosen,
            Some(axis @ (Mean | Sum | Quotient)) => axis,
            Some(Sample) => Sample,
            Some(_) => Unknown,
        }
    }

    /// What a module gives for rows, where nothing says how it computes: a row for each.
    pub(super) fn rows_of_module(&self, given: &CallArguments) -> BatchAxis {
        let axes: Vec<BatchAxis> = given
            .positional
            .iter()
            .chain(given.keywords.iter().map(|(_, value)| value))
            .chain(&given.spread)
            .filter_map(|value| self.axis_of(value))
            .map(BatchAxis::with_rows)
            .collect();
        match () {
            () if axes.contains(&BatchAxis::Chosen) => BatchAxis::Chosen,
            () if axes.contains(&BatchAxis::Sample) => BatchAxis::Sample,
            () if axes.contains(&BatchAxis::Rows) && !axes.contains(&BatchAxis::Scattered) => BatchAxis::Rows,
            () if axes.contains(&BatchAxis::Scattered) || axes.contains(&BatchAxis::Unknown) => BatchAxis::Scattered,
            () => BatchAxis::Unknown,
        }
    }

    /// The items of a container, without what is noted of the container itself.
    pub(super) fn item_fields(&self, object: ObjectId) -> impl Iterator<Item = &FlowValue> {
        let names = self.fields.get(&object).map_or(&[][..], Vec::as_slice);
        names
            .iter()
            .filter(|&&name| !self.spelled[name as usize].starts_with('<'))
            .filter_map(move |&name| self.cells.get(&(object, name)))
    }

    /// Whether a value is a list, tuple or dictionary whose items are known.
    pub(super) fn is_container(&self, value: &FlowValue) -> bool {
        value.objects.iter().any(|&o| matches!(self.objects[o as usize], AbstractObject::Items { .. }))
    }

    /// The number that an argument gives, where it is written.
    pub(super) fn known_int(value: Option<&FlowValue>) -> Option<i64> {
        match value?.constant {
            Some(Constant::Int(i)) => Some(i),
            _ => None,
        }
    }
}
