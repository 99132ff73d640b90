//! How many elements a slice picks.

use pytrope_dims::{Cmp, Dim};
use pytrope_eval::interp::Interp;
use pytrope_eval::value::Value;

use super::demand::{DemandFailure, DemandStep, ErrorClass, fail_operation};
use super::sizes::{at_least_zero, is_true, lesser_size};

/// One bound of a slice.
enum SliceBound {
    Absent,
    /// From the start.
    Front(Dim),
    /// From the end: the size minus this.
    Back(Dim),
    /// Nothing is known of it, or not even its sign.
    Open,
}

impl SliceBound {
    fn read(interp: &Interp<'_>, value: &Value) -> Self {
        let dim = match value {
            Value::None => return Self::Absent,
            Value::Obj(_) => match interp.array_of(value).and_then(|array| array.values.clone()) {
                Some(values) if values.len() == 1 => values[0].as_dim(),
                _ => None,
            },
            other => other.as_dim(),
        };
        let Some(dim) = dim else { return Self::Open };
        if is_true(interp, &dim, Cmp::Ge, &Dim::ZERO) {
            Self::Front(dim)
        } else if is_true(interp, &dim, Cmp::Lt, &Dim::ZERO) {
            dim.negated().map_or(Self::Open, Self::Back)
        } else {
            Self::Open
        }
    }
}

/// The length of `[start:stop:step]` along an axis of the given size.
pub(super) fn slice_length(interp: &mut Interp<'_>, parts: &[Value; 3], size: &Dim) -> DemandStep<Dim> {
    for part in parts {
        if let Value::Float(number) = part {
            let class = ErrorClass::builtin_class(interp, "TypeError");
            let message = format!("a bound of a slice must be an integer, not {number}");
            return fail_operation(interp, &class, DemandFailure::new("bad-operand", message));
        }
    }
    let [start, stop, step] = parts;
    let step = match step {
        Value::None => 1,
        other => match other.as_dim().and_then(|step| step.as_const()) {
            Some(step) => step,
            None => return Ok(open_length(interp, size)),
        },
    };
    if step == 0 {
        let class = ErrorClass::builtin_class(interp, "ValueError");
        return fail_operation(
            interp,
            &class,
            DemandFailure::new("index-out-of-bounds", "the step of a slice may not be zero".to_owned()),
        );
    }
    let (start, stop) = (SliceBound::read(interp, start), SliceBound::read(interp, stop));
    if step < 0 {
        return Ok(backward_length(interp, &start, &stop, step, size));
    }
    let length = forward_length(interp, &start, &stop, size);
    if step == 1 {
        return Ok(length);
    }
    Ok(length.ceil_div(&Dim::constant(step)).unwrap_or_else(|| open_length(interp, size)))
}

/// Any length up to the size.
fn open_length(interp: &mut Interp<'_>, size: &Dim) -> Dim {
    if size.as_const() == Some(0) {
        return Dim::ZERO;
    }
    let length = interp.fresh_dim(None, Some(0));
    let within = super::demand::compare_sizes(&length, Cmp::Le, size);
    interp.assume_condition(&within);
    length
}

fn forward_length(interp: &mut Interp<'_>, start: &SliceBound, stop: &SliceBound, size: &Dim) -> Dim {
    match (start, stop) {
        (SliceBound::Open, _) | (_, SliceBound::Open) => open_length(interp, size),
        (SliceBound::Absent, SliceBound::Absent) => size.clone(),
        (SliceBound::Absent, SliceBound::Front(stop)) => lesser_size(interp, stop, size),
        (SliceBound::Absent, SliceBound::Back(back)) => at_least_zero(interp, size.minus(back)),
        (SliceBound::Front(start), SliceBound::Absent) => at_least_zero(interp, size.minus(start)),
        (SliceBound::Back(back), SliceBound::Absent) => lesser_size(interp, back, size),
        (SliceBound::Front(start), SliceBound::Front(stop)) => {
            let stop = lesser_size(interp, stop, size);
            at_least_zero(interp, stop.minus(start))
        }
        (SliceBound::Front(start), SliceBound::Back(back)) => {
            let left = size.minus(back).and_then(|left| left.minus(start));
            at_least_zero(interp, left)
        }
        (SliceBound::Back(from), SliceBound::Back(back)) => {
            let stop = at_least_zero(interp, size.minus(back));
            let start = at_least_zero(interp, size.minus(from));
            at_least_zero(interp, stop.minus(&start))
        }
        (SliceBound::Back(from), SliceBound::Front(stop)) => {
            let stop = lesser_size(interp, stop, size);
            let start = at_least_zero(interp, size.minus(from));
            at_least_zero(interp, stop.minus(&start))
        }
    }
}

/// With a negative step only what is constant, or the whole, is followed.
fn backward_length(interp: &mut Interp<'_>, start: &SliceBound, stop: &SliceBound, step: i128, size: &Dim) -> Dim {
    if let (SliceBound::Absent, SliceBound::Absent) = (start, stop) {
        return match size.ceil_div(&Dim::constant(-step)) {
            Some(length) => length,
            None => open_length(interp, size),
        };
    }
    let Some(size_constant) = size.as_const() else { return open_length(interp, size) };
    let place = |bound: &SliceBound, absent: i128| match bound {
        SliceBound::Absent => Some(absent),
        SliceBound::Front(dim) => dim.as_const().map(|at| at.min(size_constant - 1)),
        SliceBound::Back(dim) => dim.as_const().map(|back| (size_constant - back).max(-1)),
        SliceBound::Open => None,
    };
    match (place(start, size_constant - 1), place(stop, -1)) {
        (Some(start), Some(stop)) if start > stop => Dim::constant((start - stop + (-step) - 1) / -step),
        (Some(_), Some(_)) => Dim::ZERO,
        _ => open_length(interp, size),
    }
}
