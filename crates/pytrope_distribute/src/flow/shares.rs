//! Values that are a matter of this rank's samples, and the places that only the values of one process may reach.
//!
//! A rank has its part of the samples, so what it computes of them is its own: [`FlowValue::part`] says since where. Such a value
//! may be a loss (gradients are averaged), may be reduced over the ranks by a collective call, and may stay on its rank. Shown,
//! written to a file, or deciding whether something is, it would be rank 0's number where people expect that of one process:
//!
//! ```python
//! print(max(losses))                 # the highest loss of this rank's batches
//! if loss.item() < best:             # rank 0's batch decides what is saved
//!     torch.save(model.state_dict(), path)
//! ```
//!
//! The number of ranks is followed alike: a batch size that is divided by it is no longer that of the script. What a computation
//! does with a part is not asked: whatever it gives is a part, until it is reduced. Progress bars are rank 0's own
//! (docs/distribute.md, "PyTorch").

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, UnaryOperator};

use super::batches::BatchAxis;
use super::calls::CallArguments;
use super::{AbstractObject, Constant, EventKind, FlowRun, FlowValue, ObjectId, Reduction};
use crate::outputs::{OutputEffect, effect_of_call};
use crate::trace::{ExprPlace, calls_rank};

/// The cell of a container whose number of items is a matter of this rank's samples.
const LENGTH: &str = "<length>";
/// The cell of the entry's frame that says whether rank 0 may still be writing a file.
const UNWRITTEN: &str = "<unwritten>";
/// Libraries whose calls draw what they are given.
const DRAWING: &[&str] = &["matplotlib.", "seaborn.", "plotly."];

impl FlowValue {
    /// This rank's number of samples, or one process's number of something divided by the number of ranks.
    fn as_count(&self) -> Self {
        Self { part: self.part, batch: BatchAxis::Count, ..Self::default() }
    }

    fn is_count(&self) -> bool {
        self.batch == BatchAxis::Count || self.constant == Some(Constant::Int(0))
    }
}

/// Since where the result of `left op right` is a part, and what it is of the samples where that is a count.
pub(super) fn part_of_operator(
    op: BinaryOperator,
    left: &FlowValue,
    right: &FlowValue,
) -> (Option<ExprPlace>, Option<BatchAxis>) {
    use BatchAxis::{Count, Ranks};
    let either = left.part.or(right.part);
    match (left.batch, op, right.batch) {
        // A sum over the ranks is divided by their number; a size that was divided is multiplied again.
        (Count, BinaryOperator::Mult, Ranks) => (None, None),
        // A sum over all batches, divided by their number.
        (_, BinaryOperator::Div, BatchAxis::Batches) => (left.part, None),
        (_, BinaryOperator::Mult | BinaryOperator::Div, Ranks) => (left.part, None),
        (_, _, Ranks) => (either, Some(Count)),
        // The number of batches is that of one process.
        (Count, BinaryOperator::Div | BinaryOperator::FloorDiv | BinaryOperator::Mod, Count) => (None, None),
        (Count, BinaryOperator::Add | BinaryOperator::Sub, _)
        | (_, BinaryOperator::Add | BinaryOperator::Sub, Count)
            if left.is_count() && right.is_count() =>
        {
            (either, Some(Count))
        }
        (Count, BinaryOperator::Mult | BinaryOperator::FloorDiv, _) | (_, BinaryOperator::Mult, Count)
            if left.part.is_none() || right.part.is_none() =>
        {
            (either, Some(Count))
        }
        _ => (either, None),
    }
}

/// Since where a comparison is a part: two counts stand to each other as in one process.
pub(super) fn part_of_comparison(first: &FlowValue, rest: &[FlowValue]) -> Option<ExprPlace> {
    if first.is_count() && rest.iter().all(FlowValue::is_count) {
        return None;
    }
    rest.iter().fold(first.part, |part, value| part.or(value.part))
}

/// A condition that this rank's samples decide.
#[derive(Clone, Copy)]
pub(super) struct SampleDecision {
    pub at: ExprPlace,
    /// Ranks may decide it differently.
    pub varies: bool,
}

impl FlowRun<'_> {
    /// The condition around the current point that this rank's samples decide.
    pub(super) fn deciding_part(&self) -> Option<ExprPlace> {
        self.deciding.last().map(|decision| decision.at)
    }

    /// Run something that a condition decides; what it binds is a part where the condition is.
    pub(super) fn run_decided<T>(&mut self, decision: Option<SampleDecision>, way: impl FnOnce(&mut Self) -> T) -> T {
        self.deciding.extend(decision);
        let result = way(self);
        if decision.is_some() {
            self.deciding.pop();
        }
        result
    }

    /// What a condition decides, where it is a part.
    pub(super) fn decision_of(condition: &FlowValue, at: ExprPlace) -> Option<SampleDecision> {
        condition.part.map(|_| SampleDecision { at, varies: condition.varies })
    }

    /// Since where a value itself is a part; a loader is no number.
    fn own_part(&self, value: &FlowValue) -> Option<ExprPlace> {
        let is_loader = !value.objects.is_empty() && value.objects.iter().all(|&object| self.is_loader(object));
        value.part.filter(|_| !is_loader)
    }

    /// Whether a container holds texts that are all known: the names of classes, by which samples may be shown.
    pub(super) fn holds_names(&self, value: &FlowValue) -> bool {
        let &[object] = &value.objects[..] else { return false };
        let mut fields = self.fields_of(object).peekable();
        matches!(self.objects[object as usize], AbstractObject::Items { .. })
            && fields.peek().is_some()
            && fields.all(|field| field.part.is_none() && matches!(field.constant, Some(Constant::Str(_))))
    }

    /// Whether a picture is of samples as they were read, `plt.imshow(images[0])`: those of rank 0 are as good as any others.
    fn is_pictured(&self, at: ExprPlace, value: &FlowValue) -> bool {
        let is_read = |since: ExprPlace| {
            self.trace
                .called_api(since)
                .is_some_and(|api| api.ends_with(".DistributedSampler") || api == "torch.utils.data.DataLoader")
        };
        self.trace.called_method(at).is_some_and(|(_, method)| method == "imshow") && value.part.is_some_and(is_read)
    }

    /// Something was stored into what an expression names, or it was changed in place: it is a part from now on.
    pub(super) fn mark_changed(&mut self, frame: usize, target: ExprId, change: &FlowValue) {
        if change.part.or(self.deciding_part()).is_none() {
            return;
        }
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        let part = Some((module, target));
        match tree[target].kind {
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                let known = self.eval_expr(frame, target);
                if known.objects.is_empty() {
                    let varies = known.varies || change.varies;
                    self.assign_target(frame, target, FlowValue { part, varies, constant: None, ..known });
                }
            }
            ExprKind::Subscript { value, .. } => self.mark_changed(frame, value, change),
            _ => {}
        }
    }

    fn is_loader(&self, object: ObjectId) -> bool {
        matches!(&self.objects[object as usize], AbstractObject::Made { api, .. } if api == "torch.utils.data.DataLoader")
    }

    /// The number of items of a container is a matter of this rank's samples from now on.
    pub(super) fn mark_length(&mut self, object: ObjectId, part: Option<ExprPlace>) {
        if part.is_some()
            && (matches!(self.objects[object as usize], AbstractObject::Items { .. }) || self.is_loader(object))
        {
            self.write_cell(object, LENGTH, FlowValue { part, ..FlowValue::default() });
        }
    }

    /// A container has so many items more as a rank has samples; what else makes its length a part makes it no count.
    pub(super) fn mark_count(&mut self, object: ObjectId, part: Option<ExprPlace>) {
        let known = self.field_value(object, LENGTH);
        let is_count = self.deciding.is_empty()
            && known.is_none_or(|length| length.part.is_none() || length.batch == BatchAxis::Count);
        self.mark_length(object, part);
        if is_count
            && part.is_some()
            && let Some(length) = self.read_cell(object, LENGTH)
        {
            self.write_cell(object, LENGTH, FlowValue { batch: BatchAxis::Count, ..length });
        }
    }

    /// Since where the number of items of a value is a part.
    pub(super) fn part_of_length(&self, value: &FlowValue) -> Option<ExprPlace> {
        if value.objects.is_empty() {
            // What a loader hands out has parts.
            let has_other = matches!(value.batch, BatchAxis::Positions | BatchAxis::Sizes | BatchAxis::Handed);
            return value.part.filter(|_| !has_other);
        }
        value.objects.iter().find_map(|&object| match &self.objects[object as usize] {
            AbstractObject::Items { .. } => self.field_value(object, LENGTH).and_then(|length| length.part),
            AbstractObject::Made { .. } if self.is_loader(object) => None,
            AbstractObject::Made { .. } => value.part,
            _ => None,
        })
    }

    /// `len(value)`
    pub(super) fn length_of(&mut self, value: &FlowValue, at: ExprPlace) -> FlowValue {
        for &object in &value.objects {
            if let AbstractObject::Instance { class } = self.objects[object as usize]
                && self.trace.method_of(class, "__len__", 8).is_some()
            {
                return self.call_method(object, "__len__", at, CallArguments::default());
            }
        }
        // A loader of all samples whose batches are smaller has more of them.
        if let &[loader] = &value.objects[..]
            && self.is_loader(loader)
            && let Some(length) = self.field_value(loader, LENGTH)
        {
            return FlowValue { part: length.part, batch: BatchAxis::Batches, ..FlowValue::default() };
        }
        match self.part_of_length(value) {
            Some(at) if self.is_container(value) => {
                let is_count = value.objects.iter().all(|&object| {
                    self.field_value(object, LENGTH).is_some_and(|length| length.batch == BatchAxis::Count)
                });
                let batch = if is_count { BatchAxis::Count } else { BatchAxis::Unknown };
                FlowValue { part: Some(at), batch, ..FlowValue::default() }
            }
            Some(at) if value.batch == BatchAxis::Chosen => {
                FlowValue { part: Some(at), batch: BatchAxis::Sum, ..FlowValue::default() }
            }
            Some(at) => FlowValue { part: Some(at), ..FlowValue::default() }.as_count(),
            None => FlowValue::default(),
        }
    }

    /// `range(…)`: positions in this rank's part, as many as one process has where they are a divided size apart.
    pub(super) fn range_axis(given: &CallArguments) -> BatchAxis {
        match &given.positional[..] {
            [_, stop, step] if stop.batch == BatchAxis::Count && step.batch == BatchAxis::Count => BatchAxis::Positions,
            _ => BatchAxis::Unknown,
        }
    }

    /// `tensor.size()`, `tensor.size(dim)`, `tensor.numel()`
    pub(super) fn size_of_tensor(tensor: &FlowValue, name: &str, given: &CallArguments) -> FlowValue {
        if tensor.part.is_none() || name == "dim" || tensor.batch == BatchAxis::Sample {
            return FlowValue::default();
        }
        match given.get("dim", 0).map(|dim| &dim.constant) {
            // The number of rows that were chosen is a sum over the samples.
            _ if tensor.batch == BatchAxis::Chosen => FlowValue { batch: BatchAxis::Sum, ..tensor.as_count() },
            None if name == "size" => FlowValue { batch: BatchAxis::Sizes, ..tensor.as_count() },
            Some(Some(Constant::Int(dim))) if *dim != 0 => FlowValue::default(),
            _ => tensor.as_count(),
        }
    }

    /// `tensor.shape[index]`
    pub(super) fn item_of_sizes(&self, sizes: &FlowValue, (module, expr): ExprPlace) -> FlowValue {
        let tree = self.trace.tree(module);
        let ExprKind::Subscript { index, .. } = tree[expr].kind else { return sizes.as_count() };
        let is_other = |e: ExprId| match tree[e].kind {
            ExprKind::Int(i) => i != 0,
            ExprKind::UnaryOp { op: UnaryOperator::Minus, .. } => true,
            _ => false,
        };
        let is_whole = match tree[index].kind {
            ExprKind::Slice { lower: Some(lower), .. } => is_other(lower),
            _ => is_other(index),
        };
        if is_whole { FlowValue::default() } else { sizes.as_count() }
    }

    /// Since where a value, or something in it that is read with it, is a part.
    pub(super) fn part_within(&self, value: &FlowValue) -> Option<ExprPlace> {
        if let Some(part) = self.own_part(value) {
            return Some(part);
        }
        let mut todo: Vec<ObjectId> = value.objects.clone();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(object) = todo.pop() {
            if !seen.insert(object) {
                continue;
            }
            match &self.objects[object as usize] {
                AbstractObject::Items { .. } => {}
                AbstractObject::Made { given, .. }
                    if !self.is_loader(object) && !self.is_plain_module(object) && !self.holds_parameters(given) =>
                {
                    if let Some(part) = given.part {
                        return Some(part);
                    }
                    todo.extend(&given.objects);
                }
                AbstractObject::Instance { class } if !self.is_module(object) => {
                    let shows = |name: &&str| self.trace.method_of(*class, name, 8).is_some();
                    if !["__str__", "__repr__", "__format__"].iter().any(shows) {
                        continue;
                    }
                }
                _ => continue,
            }
            for field in self.fields_of(object) {
                if let Some(part) = self.own_part(field) {
                    return Some(part);
                }
                todo.extend(&field.objects);
            }
        }
        None
    }

    /// Whether an attribute of a library's object is a part where the object is; of a loader, the size of its batches.
    pub(super) fn has_part_named(&self, base: &FlowValue, name: &str) -> bool {
        base.part.is_some()
            && base.objects.iter().any(|&object| match &self.objects[object as usize] {
                AbstractObject::Made { .. } => !self.is_loader(object) || name == "batch_size",
                _ => false,
            })
    }

    /// Whether rows of an array that was divided are taken by numbers that do not follow from its length: `order[i:i + n]` of
    /// `order = np.arange(96)`.
    pub(super) fn is_numbered_apart(&self, at: ExprPlace, base: &FlowValue, index: &FlowValue) -> bool {
        let tree = self.trace.tree(at.0);
        let ExprKind::Subscript { index: written, .. } = tree[at.1].kind else { return false };
        let is_moving = |e: ExprId| matches!(tree[e].kind, ExprKind::Name { .. } | ExprKind::BinOp { .. });
        let takes_rows = match tree[written].kind {
            ExprKind::Name { .. } | ExprKind::Call { .. } | ExprKind::Subscript { .. } => true,
            ExprKind::Slice { lower: Some(lower), upper: Some(_), .. } => is_moving(lower),
            _ => false,
        };
        takes_rows
            && !self.tensorflow
            && base.objects.is_empty()
            && base.batch == BatchAxis::Rows
            && base.part.is_some_and(|since| self.is_shard_index(since))
            && (index.part.is_none() || index.batch == BatchAxis::Apart)
            && index.constant.is_none()
            && index.unknown.is_none()
            && !index.varies
    }

    /// All ranks have met: what rank 0 wrote before is there.
    pub(super) fn note_meeting(&mut self) {
        self.write_cell(0, UNWRITTEN, FlowValue::default());
    }

    /// A call that writes a file, or that reads what may be one that was written.
    pub(super) fn note_files(&mut self, at: ExprPlace, callee: &FlowValue) {
        if self.tensorflow || callee.objects.is_empty() {
            return;
        }
        let trace = self.trace;
        let (writes, reads) = *self.file_calls.entry(at).or_insert_with(|| {
            let writes = effect_of_call(trace, at) == Some(OutputEffect::Writes);
            (writes, crate::outputs::reads_saved(trace, at))
        });
        if writes {
            self.write_cell(0, UNWRITTEN, FlowValue { uneven: true, ..FlowValue::default() });
        }
        if reads && self.read_cell(0, UNWRITTEN).is_some_and(|cell| cell.uneven) {
            self.record_event(at, EventKind::ReadsUnwritten);
        }
    }

    /// A call that shows or writes what it is given.
    pub(super) fn note_output(&mut self, frame: usize, at: ExprPlace, callee: &FlowValue, given: &CallArguments) {
        if self.tensorflow || !self.is_output(at, callee) {
            return;
        }
        if let Some(condition) = self.deciding_part() {
            self.record_event(at, EventKind::Output { condition: Some(condition), shown: at, reduces: None });
            return;
        }
        let tree = self.trace.tree(at.0);
        let ExprKind::Call { arguments, .. } = tree[at.1].kind else { return };
        let written =
            tree[arguments.positional].iter().copied().chain(tree[arguments.keywords].iter().map(|k| k.value));
        let written: Vec<ExprId> = written.collect();
        let values: Vec<&FlowValue> =
            given.positional.iter().chain(given.keywords.iter().map(|(_, v)| v)).chain(&given.spread).collect();
        let exact = written.len() == values.len();
        for (i, value) in values.into_iter().enumerate() {
            if self.part_within(value).is_some() && !self.is_pictured(at, value) {
                if !exact {
                    self.record_event(at, EventKind::Output { condition: None, shown: at, reduces: None });
                    continue;
                }
                let together = self.divergent.iter().all(|&condition| calls_rank(self.trace, condition));
                for (part, reduces) in self.shown_parts(frame, written[i]) {
                    let reduces = reduces.filter(|_| together);
                    self.record_event(at, EventKind::Output { condition: None, shown: (at.0, part), reduces });
                }
            }
        }
    }

    /// `round(x, 2)`, `str(x)`, `"{}".format(x)`
    fn is_formatting_call(&self, call: ExprPlace) -> bool {
        let api = self.trace.called_api(call).unwrap_or_default();
        matches!(
            api.as_str(),
            "builtins.round" | "builtins.str" | "builtins.format" | "builtins.float" | "builtins.int"
        ) || api.starts_with("math.")
            || self.trace.called_method(call).is_some_and(|(_, method)| method == "format")
    }

    /// How the ranks' values of an expression make that of one process.
    fn reduction_of(&self, value: &FlowValue) -> Option<Reduction> {
        match self.axis_of(value).filter(|_| value.objects.is_empty() && value.mixed.is_none())? {
            BatchAxis::Mean => Some(Reduction::Mean),
            BatchAxis::Sum | BatchAxis::Count => Some(Reduction::Sum),
            _ => None,
        }
    }

    /// The innermost parts of what is shown that are parts, down to those that can be reduced.
    fn shown_parts(&mut self, frame: usize, expr: ExprId) -> Vec<(ExprId, Option<Reduction>)> {
        let value = self.eval_expr(frame, expr);
        let reduces = self.reduction_of(&value);
        if reduces.is_some() {
            return vec![(expr, reduces)];
        }
        let at = self.frames[frame].module;
        let tree = self.trace.tree(at);
        let inner: Vec<ExprId> = match tree[expr].kind {
            ExprKind::FString { parts } => tree.interpolated_values(parts).collect(),
            ExprKind::BinOp { left, right, .. } => vec![left, right],
            ExprKind::UnaryOp { operand, .. } => vec![operand],
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].to_vec(),
            ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
            ExprKind::Call { arguments, .. } if self.is_formatting_call((at, expr)) => {
                let keywords = tree[arguments.keywords].iter().map(|k| k.value);
                tree[arguments.positional].iter().copied().chain(keywords).collect()
            }
            _ => Vec::new(),
        };
        let mut found: Vec<(ExprId, Option<Reduction>)> = Vec::new();
        for part in inner {
            let value = self.eval_expr(frame, part);
            if self.part_within(&value).is_some() {
                found.extend(self.shown_parts(frame, part));
            }
        }
        if found.is_empty() { vec![(expr, None)] } else { found }
    }

    fn is_output(&mut self, at: ExprPlace, callee: &FlowValue) -> bool {
        let known = self.output_calls.get(&at).copied();
        let written = known.unwrap_or_else(|| {
            let api = self.trace.called_api(at).unwrap_or_default();
            !crate::outputs::is_picture(self.trace, at) && effect_of_call(self.trace, at).is_some()
                || crate::outputs::is_shown(self.trace, at)
                || crate::outputs::is_writer(&api) && !crate::outputs::is_picture(self.trace, at)
                || DRAWING.iter().any(|library| api.starts_with(library))
                || crate::outputs::writes_text(self.trace, at)
        });
        self.output_calls.insert(at, written);
        written
            || callee.objects.iter().any(|&object| match &self.objects[object as usize] {
                AbstractObject::Method { receiver, .. } => receiver.objects.iter().any(|&o| {
                    matches!(&self.objects[o as usize], AbstractObject::Made { api, .. }
                        if DRAWING.iter().any(|library| api.starts_with(library)))
                }),
                _ => false,
            })
    }
}
