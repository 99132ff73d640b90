//! Shapes as the primitives receive and return them.

use pytrope_dims::ThreeValued;
use pytrope_dims::{Cmp, Dim};
use pytrope_eval::interp::Interp;
use pytrope_eval::names::Name;
use pytrope_eval::object::{Object, Shape as HeapShape};
use pytrope_eval::value::{Reason, Seq, Value};
use pytrope_source::Span;

/// A shape argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SizesArgument {
    Known(Vec<Dim>),
    /// The rank is not known.
    Open,
}

impl SizesArgument {
    /// Reads a tuple or list of sizes, or an array's own shape; sizes that are not known get symbols.
    pub(super) fn read(interp: &mut Interp<'_>, value: &Value) -> Self {
        if let Some(array) = interp.array_of(value) {
            return match &array.shape {
                HeapShape::Known(dims) => Self::Known(dims.to_vec()),
                HeapShape::Prefix(_) | HeapShape::Suffix(_) => Self::Open,
            };
        }
        match exact_items(interp, value) {
            Some(items) => Self::Known(items.iter().map(|item| size(interp, item)).collect()),
            None => Self::Open,
        }
    }
}

/// The last sizes of an array, all of them or, where the rank is open, those that are known.
pub(super) fn last_sizes(interp: &mut Interp<'_>, value: &Value) -> Option<Vec<Dim>> {
    if let Some(array) = interp.array_of(value)
        && let HeapShape::Suffix(dims) = &array.shape
    {
        return Some(dims.to_vec());
    }
    match SizesArgument::read(interp, value) {
        SizesArgument::Known(dims) => Some(dims),
        SizesArgument::Open => None,
    }
}

/// The items of an exact tuple, list or range of constants.
pub(super) fn exact_items(interp: &Interp<'_>, value: &Value) -> Option<Vec<Value>> {
    match value {
        Value::Tuple(seq) => seq.as_exact().map(<[Value]>::to_vec),
        Value::Obj(addr) => match interp.object_at(*addr) {
            Object::List(Seq::Exact(items)) => Some(items.to_vec()),
            _ => None,
        },
        _ => None,
    }
}

/// One size; a symbol of its own where nothing is known.
pub(super) fn size(interp: &mut Interp<'_>, value: &Value) -> Dim {
    value.as_dim().unwrap_or_else(|| interp.fresh_dim(None, Some(0)))
}

/// A shape as Python sees it.
pub(super) fn shape_value(dims: Vec<Dim>) -> Value {
    Value::tuple(dims.into_iter().map(Value::dim).collect())
}

/// Unknown, with a reason from a model.
pub(super) fn nothing_known(why: &str) -> Value {
    Value::Unknown(Reason::Model(Name::new(why)))
}

/// A shape as Python writes it, with symbols by name.
pub(super) fn show_shape(interp: &Interp<'_>, dims: &[Dim]) -> String {
    let sizes: Vec<String> = dims.iter().map(|dim| show_size(interp, dim)).collect();
    match sizes.as_slice() {
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

/// A size as far as the facts known here determine it.
pub(super) fn show_size(interp: &Interp<'_>, dim: &Dim) -> String {
    interp.run.symbols.show(&interp.run.state.store.simplify(dim))
}

/// Where an array was made, if the value is one.
pub(super) fn birth_place(interp: &Interp<'_>, value: &Value) -> Option<Span> {
    interp.array_of(value)?.born.as_ref().map(|birth| birth.0.clone())
}

pub(super) fn is_true(interp: &Interp<'_>, a: &Dim, cmp: Cmp, b: &Dim) -> bool {
    interp.compare_dims(a, cmp, b) == ThreeValued::True
}

/// The lesser of two sizes, written out only when it is not decided.
pub(super) fn lesser_size(interp: &mut Interp<'_>, a: &Dim, b: &Dim) -> Dim {
    if is_true(interp, a, Cmp::Le, b) {
        return a.clone();
    }
    if is_true(interp, b, Cmp::Le, a) {
        return b.clone();
    }
    a.lesser(b).unwrap_or_else(|| interp.fresh_dim(None, Some(0)))
}

/// The size, or zero if it would be negative.
pub(super) fn at_least_zero(interp: &mut Interp<'_>, a: Option<Dim>) -> Dim {
    let Some(a) = a else { return interp.fresh_dim(None, Some(0)) };
    if is_true(interp, &a, Cmp::Ge, &Dim::ZERO) {
        return a;
    }
    if is_true(interp, &a, Cmp::Le, &Dim::ZERO) {
        return Dim::ZERO;
    }
    a.greater(&Dim::ZERO).unwrap_or_else(|| interp.fresh_dim(None, Some(0)))
}
