//! What functions and methods of the library make of the samples of a batch: reductions, what leaves every row where it is, losses,
//! tensors that are made for a batch.

use pytrope_source::tree::{BinaryOperator, ExprKind};

use super::batches::BatchAxis;
use super::calls::CallArguments;
use super::{AbstractObject, Constant, FlowRun, FlowValue};
use crate::trace::{ExprPlace, keyword_argument};

/// Which axis a reduction takes away.
#[derive(Clone, Copy, PartialEq)]
enum ReducedAxis {
    /// All are taken away.
    All,
    Samples,
    /// The second, which is not the samples' where the first is.
    Second,
    /// The last or a later one.
    Inner,
    NotKnown,
}

/// What is known of a value, and where it depends on a whole batch.
type AxisFound = (BatchAxis, Option<ExprPlace>);

/// Counts of values: sums over the samples of what each adds.
const COUNTS: &str = "\
    bincount histc count_nonzero";
/// Reductions that are not linear.
const STATISTICS: &str = "\
    std var max min amax amin norm prod median quantile logsumexp argmax argmin";
/// What chooses samples by their rank in the batch.
const SELECTIONS: &str = "\
    topk sort msort kthvalue argsort";
/// What takes the axis along which it goes over.
const ALONG_AXIS: &str = "softmax log_softmax softmin normalize cumsum cumprod gumbel_softmax glu flip";
/// Functions of one number that are not linear.
const CURVED: &str = "\
    sqrt rsqrt exp expm1 log log2 log10 log1p pow square abs clamp clamp_min clamp_max clip relu sigmoid \
    tanh reciprocal softplus logsigmoid erf sin cos tan atan sign floor ceil round logit hardtanh sqrt_ \
    exp_ log_ pow_ clamp_ relu_ relu6 sigmoid_ tanh_ silu mish softsign hardsigmoid hardswish leaky_relu \
    gelu elu selu celu prelu rrelu digamma lgamma nan_to_num remainder fmod";
/// Methods and functions that leave every element where it is, and give it in another form.
const FORMS: &str = "\
    to cuda cpu float double half bfloat16 long int type clone contiguous detach requires_grad_ neg \
    type_as asarray as_tensor tensor from_numpy array numpy tolist item Variable FloatTensor LongTensor \
    Tensor DoubleTensor IntTensor squeeze squeeze_ detach_ data retain_grad is_floating_point";
/// Methods and functions that give a row for every row.
const KEEPS_ROWS: &str = "\
    flatten dropout dropout2d view_as reshape_as masked_fill masked_fill_ one_hot embedding linear \
    bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d max_pool1d max_pool2d avg_pool1d \
    avg_pool2d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool2d interpolate upsample pad \
    batch_norm layer_norm group_norm instance_norm rms_norm cosine_similarity pairwise_distance \
    grid_sample affine_grid unfold fold pixel_shuffle scaled_dot_product_attention gather scatter \
    scatter_ scatter_add_ take_along_dim bmm baddbmm view reshape tril triu lerp fill_ zero_ uniform_ \
    normal_ random_ bernoulli_ copy_ where repeat_interleave expand_as logical_and logical_or \
    logical_not logical_xor maximum minimum atan2 hypot complex stft istft fft rfft irfft fft2 ifft2 \
    unflatten imag real angle";
/// Comparisons, which give a truth value for each element.
const COMPARISONS: &str = "\
    eq ne lt le gt ge isnan isinf isfinite isclose bool";
/// Tensors that are made of sizes.
const MADE_OF_SIZES: &str = "\
    zeros ones full empty rand randn randint normal bernoulli new_zeros new_ones new_full new_empty \
    Tensor FloatTensor LongTensor DoubleTensor uniform random choice standard_normal random_sample";
/// Tensors of the shape of another.
const MADE_LIKE: &str = "zeros_like ones_like full_like empty_like rand_like randn_like randint_like";

impl FlowRun<'_> {
    /// `tensor.method(…)`
    pub(super) fn batch_of_method(
        &self,
        at: ExprPlace,
        name: &str,
        receiver: &FlowValue,
        given: &CallArguments,
    ) -> AxisFound {
        let op = match name {
            "sub" | "sub_" => BinaryOperator::Sub,
            "add" | "add_" => BinaryOperator::Add,
            "mul" | "mul_" => BinaryOperator::Mult,
            "div" | "div_" => BinaryOperator::Div,
            _ => return self.batch_of_call(at, name, receiver, given, 0),
        };
        given.get("other", 0).map_or((receiver.batch, None), |other| self.batch_of_operator(at, op, receiver, other))
    }

    /// `torch.function(tensor, …)`
    pub(super) fn batch_of_function(&self, at: ExprPlace, name: &str, given: &CallArguments) -> AxisFound {
        if let Some(loss) = self.batch_of_loss(name, at, given) {
            return loss;
        }
        let sides = || Some((given.get("input", 0)?, given.get("other", 1)?));
        let op = match name {
            "sub" => Some(BinaryOperator::Sub),
            "add" => Some(BinaryOperator::Add),
            "mul" | "multiply" => Some(BinaryOperator::Mult),
            "div" | "divide" | "true_divide" => Some(BinaryOperator::Div),
            "matmul" | "mm" => Some(BinaryOperator::MatMult),
            _ => None,
        };
        if let (Some(op), Some((left, right))) = (op, sides()) {
            return self.batch_of_operator(at, op, left, right);
        }
        let made = self.batch_of_made(name, given);
        if made != BatchAxis::Unknown {
            return (made, None);
        }
        match name {
            "where" => (self.rows_of_all(given), None),
            "cat" | "concat" | "concatenate" | "stack" | "vstack" | "hstack" => {
                (self.batch_of_joined(name, given), None)
            }
            "einsum" => (self.batch_of_einsum(given), None),
            // The gradients of a value by a batch have its rows.
            "grad" => {
                let inputs = given.get("inputs", 1).and_then(|value| self.axis_of(value));
                let is_batch = inputs.is_some_and(|axis| axis.with_rows() == BatchAxis::Rows);
                (if is_batch { BatchAxis::Handed } else { BatchAxis::Unknown }, None)
            }
            _ => match given.get("input", 0) {
                Some(tensor) => self.batch_of_call(at, name, tensor, given, 1),
                None => (BatchAxis::Unknown, None),
            },
        }
    }

    /// A tensor that is made of sizes: `torch.zeros(len(x), 1)`, `torch.randperm(len(x))`.
    pub(super) fn batch_of_made(&self, name: &str, given: &CallArguments) -> BatchAxis {
        let all = given.positional.iter().chain(given.keywords.iter().map(|(_, value)| value));
        if matches!(name, "arange" | "randperm" | "permutation") {
            let is_count = |value: &FlowValue| value.batch == BatchAxis::Count;
            return if given.positional.last().is_some_and(is_count) { BatchAxis::Order } else { BatchAxis::Unknown };
        }
        if !is_among(name, MADE_OF_SIZES) {
            return BatchAxis::Unknown;
        }
        // The sizes in order, whether they stand in a tuple or not.
        let mut sizes: Vec<BatchAxis> = Vec::new();
        for value in all {
            if value.batch == BatchAxis::Sizes {
                return BatchAxis::Rows;
            }
            match value.objects[..] {
                [object] if matches!(self.objects[object as usize], AbstractObject::Items { .. }) => {
                    sizes = self.item_fields(object).map(|size| size.batch).collect();
                    break;
                }
                _ => sizes.push(value.batch),
            }
        }
        match sizes.iter().position(|&size| size == BatchAxis::Count) {
            Some(0) => BatchAxis::Rows,
            Some(_) if name == "randint" => BatchAxis::Rows,
            Some(_) => BatchAxis::Scattered,
            None => BatchAxis::Unknown,
        }
    }

    /// What is computed for each row of all that is given.
    fn rows_of_all(&self, given: &CallArguments) -> BatchAxis {
        let mut joined: Option<BatchAxis> = None;
        for axis in given.positional.iter().filter_map(|value| self.axis_of(value)) {
            let axis = axis.with_rows();
            joined = Some(joined.map_or(axis, |known| known.join(axis)));
        }
        joined.filter(|axis| matches!(axis, BatchAxis::Rows | BatchAxis::Scattered)).unwrap_or_default()
    }

    /// `torch.cat([a, b])`, `torch.stack(losses)`
    fn batch_of_joined(&self, name: &str, given: &CallArguments) -> BatchAxis {
        let Some(list) = given.positional.first() else { return BatchAxis::Unknown };
        let Some(axis) = self.axis_of(list) else { return BatchAxis::Unknown };
        let dim = given.get("dim", 1).or_else(|| given.get("axis", 1));
        let is_first = dim.is_none_or(|dim| Self::known_int(Some(dim)) == Some(0)) && name != "hstack";
        match axis.with_rows() {
            BatchAxis::Rows if is_first && matches!(name, "stack" | "vstack") => BatchAxis::Scattered,
            BatchAxis::Rows => BatchAxis::Rows,
            // One for each sample.
            BatchAxis::Sample if is_first && self.part_of_length(list).is_some() => BatchAxis::Rows,
            BatchAxis::Sample => BatchAxis::Unknown,
            axis => axis,
        }
    }

    /// `torch.einsum("bi,ij->bj", x, w)`: rows stay rows where their letter comes first.
    fn batch_of_einsum(&self, given: &CallArguments) -> BatchAxis {
        let equation = given.positional.first().and_then(FlowValue::as_text);
        let Some(equation) = equation else { return BatchAxis::Unknown };
        let Some((operands, result)) = equation.split_once("->") else { return BatchAxis::Unknown };
        let first = |text: &str| text.trim().chars().next();
        let kept = operands.split(',').zip(&given.positional[1..]).all(|(operand, value)| match self.axis_of(value) {
            None | Some(BatchAxis::Weights) => !operand.contains(first(result).unwrap_or(' ')),
            Some(axis) => axis.with_rows() == BatchAxis::Rows && first(operand) == first(result),
        });
        if kept { BatchAxis::Rows } else { BatchAxis::Unknown }
    }

    /// `tensor.method(…)`, or `torch.function(tensor, …)` with `place` 1 for what follows the tensor.
    fn batch_of_call(
        &self,
        at: ExprPlace,
        name: &str,
        tensor: &FlowValue,
        given: &CallArguments,
        place: usize,
    ) -> AxisFound {
        use BatchAxis::{Chosen, Column, Mask, Mean, Quotient, Rows, Sample, Scattered, Sum, Unknown, Weights};
        let mixed = Some(at).filter(|_| self.within.is_none());
        if is_among(name, MADE_LIKE) {
            return (self.axis_of(tensor).map_or(Unknown, BatchAxis::with_rows), None);
        }
        let Some(axis) = self.axis_of(tensor) else {
            // A whole tensor: made of sizes, or taken by what a batch holds.
            let made = self.batch_of_made(name, given);
            let rows = self.rows_of_all(given);
            return match () {
                () if made != Unknown => (made, None),
                () if matches!(
                    name,
                    "embedding"
                        | "gather"
                        | "index_select"
                        | "where"
                        | "expand_as"
                        | "view_as"
                        | "maximum"
                        | "minimum"
                        | "type_as"
                ) =>
                {
                    (rows, None)
                }
                () => (Unknown, None),
            };
        };
        if name.starts_with("new_") {
            return (self.batch_of_made(name, given), None);
        }
        if axis == BatchAxis::Order && matches!(name, "to" | "cuda" | "cpu" | "long" | "clone" | "numpy" | "tolist") {
            return (axis, None);
        }
        if axis == Column {
            match () {
                () if is_among(name, SELECTIONS) => return (Unknown, mixed),
                () if is_among(name, CURVED) || is_among(name, FORMS) || is_among(name, KEEPS_ROWS) => {
                    return (Column, None);
                }
                () => {}
            }
        }
        if axis == Mask
            && matches!(
                name,
                "to" | "cuda" | "cpu" | "squeeze" | "detach" | "clone" | "view" | "reshape" | "all" | "any"
            )
        {
            let is_whole = matches!(name, "all" | "any") && Self::written_axis(given, place).is_none();
            return if is_whole { (Unknown, mixed) } else { (Mask, None) };
        }
        let axis = axis.with_rows();
        let is_form = is_among(name, FORMS);
        let is_linear = matches!(name, "mean" | "sum" | "nanmean" | "nansum");
        let total = if name.ends_with("mean") { Mean } else { Sum };
        match axis {
            Weights => (Weights, None),
            BatchAxis::Total | BatchAxis::Share if is_form => (axis, None),
            Mean | Sum | Quotient if is_among(name, CURVED) => (Unknown, mixed),
            Mean | Sum | Quotient if is_linear || is_form || is_among(name, KEEPS_ROWS) => (axis, None),
            Rows | Chosen | Scattered | Sample if is_among(name, COMPARISONS) => {
                (if axis == Rows { Mask } else { axis }, None)
            }
            Rows | Chosen | Scattered | Sample if is_form || is_among(name, CURVED) => (axis, None),
            Rows | Scattered if matches!(name, "masked_select" | "nonzero") => (Chosen, None),
            Rows | Scattered | Chosen if is_among(name, COUNTS) => (Sum, None),
            Rows if matches!(name, "transpose" | "swapaxes" | "permute" | "movedim" | "t") => {
                (Self::batch_of_permuted(given, place, name), None)
            }
            Scattered
                if matches!(name, "transpose" | "swapaxes" | "permute" | "t" | "unsqueeze" | "chunk" | "split") =>
            {
                (Scattered, None)
            }
            Rows if matches!(name, "unsqueeze" | "unsqueeze_") => {
                let dim = Self::known_int(given.get("dim", place));
                (if matches!(dim, None | Some(0)) { Scattered } else { Rows }, None)
            }
            // Rows of both halves, or both halves of every row.
            Rows if matches!(name, "chunk" | "split" | "tensor_split" | "unbind") => {
                let dim = given.get("dim", if name == "unbind" { place } else { place + 1 });
                let is_inner = Self::known_int(dim).is_some_and(|dim| dim != 0);
                (if is_inner { BatchAxis::Handed } else { Unknown }, None)
            }
            Rows if matches!(name, "expand" | "repeat" | "tile") => (Rows, None),
            Rows if matches!(name, "index_select" | "take") => (self.rows_selected(given, place), None),
            Rows | Scattered | Chosen if is_among(name, ALONG_AXIS) => match self.reduced_axis(given, place) {
                ReducedAxis::Samples => (Unknown, mixed),
                ReducedAxis::NotKnown => (Unknown, None),
                ReducedAxis::Second if axis == Scattered => (Unknown, None),
                _ => (axis, None),
            },
            Rows | Scattered | Chosen if is_linear => {
                Self::batch_of_total(axis, total, self.reduced_axis(given, place))
            }
            Sample if is_linear => (Sample, None),
            Rows | Scattered | Chosen if is_among(name, STATISTICS) => {
                // `x.norm(2, dim=1)`, `x.clamp(…).max(other)`
                let place = if matches!(name, "norm" | "quantile") { place + 1 } else { place };
                let compares = matches!(name, "max" | "min")
                    && given.get("other", place).is_some_and(|value| value.batch.with_rows() == axis);
                match self.reduced_axis(given, place) {
                    _ if compares => (axis, None),
                    ReducedAxis::All | ReducedAxis::Samples => (Unknown, mixed),
                    ReducedAxis::Second if axis == Scattered => (Unknown, None),
                    ReducedAxis::NotKnown => (Unknown, None),
                    ReducedAxis::Second | ReducedAxis::Inner => (axis, None),
                }
            }
            Rows if is_among(name, SELECTIONS) => (Rows, None),
            Rows | Scattered | Chosen | Sample if is_among(name, KEEPS_ROWS) => {
                // What meets another value element by element has that of both.
                let others = given.positional.iter().skip(place).filter_map(|value| self.axis_of(value));
                let fits = |other: BatchAxis| {
                    other.with_rows() == axis || matches!(other, Weights | BatchAxis::Count | BatchAxis::Sizes)
                };
                (if others.into_iter().all(fits) { axis } else { Unknown }, None)
            }
            _ => (Unknown, None),
        }
    }

    fn batch_of_total(axis: BatchAxis, total: BatchAxis, reduced: ReducedAxis) -> AxisFound {
        use BatchAxis::{Chosen, Mean, Quotient, Scattered, Unknown};
        match (axis, reduced) {
            // Ranks choose different numbers of rows.
            (Chosen, ReducedAxis::All | ReducedAxis::Samples) if total == Mean => (Quotient, None),
            (_, ReducedAxis::All | ReducedAxis::Samples) if axis != Scattered || reduced == ReducedAxis::All => {
                (total, None)
            }
            (Scattered, ReducedAxis::Second | ReducedAxis::Samples) | (_, ReducedAxis::NotKnown) => (Unknown, None),
            _ => (axis, None),
        }
    }

    /// `x.transpose(1, 2)` and `x.permute(0, 2, 1)` leave the first axis where it is.
    fn batch_of_permuted(given: &CallArguments, place: usize, name: &str) -> BatchAxis {
        let dims: Vec<Option<i64>> =
            given.positional.iter().skip(place).map(|value| Self::known_int(Some(value))).collect();
        let kept = match name {
            "permute" => dims.first() == Some(&Some(0)),
            _ => dims.len() == 2 && dims.iter().all(|dim| dim.is_some_and(|dim| dim != 0)),
        };
        if kept { BatchAxis::Rows } else { BatchAxis::Scattered }
    }

    fn rows_selected(&self, given: &CallArguments, place: usize) -> BatchAxis {
        if Self::known_int(given.get("dim", place)).is_some_and(|dim| dim != 0) {
            return BatchAxis::Rows;
        }
        match given.get("index", place + 1).and_then(|index| self.axis_of(index)) {
            Some(BatchAxis::Order) => BatchAxis::Rows,
            Some(_) => BatchAxis::Chosen,
            None => BatchAxis::Unknown,
        }
    }

    /// A function of `torch.nn.functional` that is a loss, or a loss of `torch.nn` made at `options`, where its options are.
    pub(super) fn batch_of_loss(&self, name: &str, options: ExprPlace, given: &CallArguments) -> Option<AxisFound> {
        use BatchAxis::{Apart, Chosen, Column, Mean, Quotient, Rows, Sample, Scattered, Sum, Unknown};
        let is_loss = name.ends_with("Loss")
            || name.ends_with("_loss")
            || name.contains("cross_entropy")
            || matches!(name, "kl_div");
        if !is_loss {
            return None;
        }
        let tree = self.trace.tree(options.0);
        let ExprKind::Call { arguments, .. } = tree[options.1].kind else { return None };
        let option = |name| keyword_argument(tree, arguments, name);
        let reduction = match option("reduction") {
            Some(value) => match tree[value].kind {
                ExprKind::Str(text) => match tree.text(text) {
                    "none" => Some(Column),
                    "sum" => Some(Sum),
                    "mean" | "batchmean" | "elementwise_mean" => Some(Mean),
                    _ => None,
                },
                _ => None,
            },
            None => match (option("size_average"), option("reduce")) {
                (None, None) => Some(Mean),
                (Some(average), None) => match tree[average].kind {
                    ExprKind::Bool(false) => Some(Sum),
                    ExprKind::Bool(true) => Some(Mean),
                    _ => None,
                },
                _ => None,
            },
        };
        // The mean of a loss of classes is divided by the weights of its samples, and by those that count.
        let is_set = |name| option(name).is_some_and(|value| !matches!(tree[value].kind, ExprKind::None));
        let of_classes = matches!(name, "CrossEntropyLoss" | "NLLLoss" | "cross_entropy" | "nll_loss" | "NLLLoss2d");
        let is_divided = of_classes && (is_set("weight") || is_set("ignore_index") || self.ignores_labels);
        let values = given.positional.iter().chain(given.keywords.iter().map(|(_, value)| value));
        let axes: Vec<BatchAxis> = values.filter_map(|value| self.axis_of(value)).collect();
        let has = |axis: BatchAxis| axes.iter().any(|other| other.with_rows() == axis);
        // A loss of means, or one that is weighted by what is computed from the batch.
        let of_totals = has(Mean) || has(Sum) || has(Quotient);
        let mixed = Some(options).filter(|_| (of_totals || has(Apart) && has(Rows)) && self.within.is_none());
        let has_rows = has(Rows) || has(Scattered) || has(Chosen);
        let batch = match reduction {
            _ if has(Unknown) || of_totals => Unknown,
            Some(_) if has(Sample) && !has_rows => Sample,
            _ if has(Sample) => Unknown,
            Some(Mean) if has(Chosen) && has(Rows) => Unknown,
            Some(Mean) if has(Chosen) || is_divided && has_rows => Quotient,
            Some(Column) if has(Chosen) => Chosen,
            Some(reduction) if has_rows => reduction,
            _ => Unknown,
        };
        Some((batch, mixed))
    }

    fn written_axis(given: &CallArguments, place: usize) -> Option<&FlowValue> {
        ["dim", "axis"].iter().find_map(|name| given.get(name, place))
    }

    fn reduced_axis(&self, given: &CallArguments, place: usize) -> ReducedAxis {
        let Some(axis) = Self::written_axis(given, place) else {
            return if given.spread.is_some() { ReducedAxis::NotKnown } else { ReducedAxis::All };
        };
        let of = |value: &FlowValue| match value.constant {
            Some(Constant::Int(0)) => ReducedAxis::Samples,
            Some(Constant::Int(1)) => ReducedAxis::Second,
            Some(Constant::Int(_)) => ReducedAxis::Inner,
            _ => ReducedAxis::NotKnown,
        };
        if axis.constant.is_some() {
            return of(axis);
        }
        let &[object] = &axis.objects[..] else { return ReducedAxis::NotKnown };
        if !matches!(self.objects[object as usize], AbstractObject::Items { count: Some(_) }) {
            return ReducedAxis::NotKnown;
        }
        let axes: Vec<ReducedAxis> = self.item_fields(object).map(of).collect();
        [ReducedAxis::Samples, ReducedAxis::NotKnown, ReducedAxis::Second]
            .into_iter()
            .find(|axis| axes.contains(axis))
            .unwrap_or(ReducedAxis::Inner)
    }
}

/// What the loss is that a model of the transformers library computes of labels: over samples, or over the tokens that count.
pub(super) fn batch_of_model_loss(api: &str) -> Option<BatchAxis> {
    let model = api.strip_prefix("transformers.")?;
    match () {
        () if ["ForSequenceClassification", "ForImageClassification", "ForMultipleChoice", "ForQuestionAnswering"]
            .iter()
            .any(|kind| model.contains(kind)) =>
        {
            Some(BatchAxis::Mean)
        }
        () if model.contains("For") || model.contains("LMHead") => Some(BatchAxis::Quotient),
        () => None,
    }
}

/// Whether a layer gives a tuple of an output and a state or weights.
pub(super) fn gives_pair(api: &str) -> bool {
    matches!(api, "torch.nn.RNN" | "torch.nn.LSTM" | "torch.nn.GRU" | "torch.nn.MultiheadAttention")
}

/// Whether a list of names, with spaces between them, has a name.
fn is_among(name: &str, names: &str) -> bool {
    names.split_ascii_whitespace().any(|other| other == name)
}

/// What a layer gives for a batch.
pub(super) fn batch_of_layer(api: &str, axis: Option<BatchAxis>) -> BatchAxis {
    let is_sequence = api.strip_prefix("torch.nn.Transformer").is_some();
    match axis.map(BatchAxis::with_rows) {
        // Its axes may be in another order.
        Some(BatchAxis::Rows) if is_sequence => BatchAxis::Scattered,
        Some(BatchAxis::Rows) if api == "torch.nn.LSTMCell" => BatchAxis::Handed,
        Some(axis @ (BatchAxis::Rows | BatchAxis::Scattered | BatchAxis::Chosen | BatchAxis::Sample)) => axis,
        _ => BatchAxis::Unknown,
    }
}
