//! What NumPy makes of a value: arrays, numbers, and nested sequences of them.

use pytrope_dims::{Cmp, Dim};
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::object::{Object, Shape as HeapShape};
use pytrope_eval::value::{BuiltinType, OpenSeq, Seq, Value};

use super::demand::{DemandFailure, DemandStep, ErrorClass, demand_equal, fail_operation, finish_primitive};
use super::promote::{common_dtype, strong_name};
use super::sizes::{SizesArgument, is_true, nothing_known, shape_value, show_shape};

/// How many elements are followed.
const ELEMENTS: usize = 256;

/// How deep sequences are nested that are looked into.
const NESTING: u32 = 8;

/// How deep sequences are followed that are known item by item, and how many items of them in all; NumPy's arrays have at
/// most 64 axes.
const DEPTH: u32 = 65;
const ITEMS: u32 = 1 << 20;

/// What is known of a value seen as an array.
pub(super) enum Described {
    Array {
        shape: SizesArgument,
        /// The dtype's name; `None` when it is not known or not a number's.
        dtype: Option<&'static str>,
        values: Option<Vec<Value>>,
    },
    /// An array whose first sizes are these; what its items are is not known.
    Leading(Vec<Dim>),
    /// It may be anything.
    Unknown,
}

/// `array_like(x)`: `(shape, dtype, values)`; the shape is Unknown when `x` may be anything.
pub(super) fn array_like(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let Some(value) = args.first() else { return Ok(nothing_known("nothing")) };
    // An array's own parts are passed on as they are.
    if let Some(array) = interp.array_of(value) {
        let (shape, dtype) = (array.shape.clone(), array.dtype.clone());
        let values = array.exact_values().cloned();
        let shape = match shape {
            HeapShape::Known(dims) => shape_value(dims.to_vec()),
            HeapShape::Prefix(_) | HeapShape::Suffix(_) => crate::primitives::open_shape_of(interp, value),
        };
        let values = values.map_or(Value::None, |values| Value::Tuple(Seq::Exact(values)));
        return Ok(Value::tuple(vec![shape, dtype, values]));
    }
    Ok(match describe_operand(interp, value)? {
        Described::Array { shape, dtype, values } => {
            let shape = match shape {
                SizesArgument::Known(dims) => shape_value(dims),
                SizesArgument::Open => {
                    let element = interp.any_natural();
                    Value::Tuple(interp.open_seq(element))
                }
            };
            let dtype = dtype.map_or_else(|| nothing_known("a dtype"), Value::str);
            Value::tuple(vec![shape, dtype, values.map_or(Value::None, Value::tuple)])
        }
        Described::Leading(dims) => {
            let (element, rank) = (interp.any_natural(), interp.fresh_dim(None, Some(dims.len() as i128)));
            let first = dims.into_iter().map(Value::dim).collect();
            let shape = Value::Tuple(Seq::open(first, element, Value::dim(rank)));
            Value::tuple(vec![shape, nothing_known("a dtype"), Value::None])
        }
        Described::Unknown => {
            let unknown = nothing_known("a value that is not known to be an array");
            Value::tuple(vec![unknown.clone(), unknown, Value::None])
        }
    })
}

/// A dtype's name, of those that numbers have.
pub(super) fn known_name(name: &str) -> Option<&'static str> {
    const NAMES: [&str; 17] = [
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "float32",
        "float64",
        "complex64",
        "complex128",
        "int",
        "float",
        "complex",
    ];
    NAMES.into_iter().find(|known| *known == name)
}

fn describe_scalar(dtype: Option<&'static str>, value: &Value) -> Described {
    Described::Array { shape: SizesArgument::Known(Vec::new()), dtype, values: Some(vec![value.clone()]) }
}

/// Sees an operand as an array; None, strings and dictionaries make arrays only inside sequences.
pub(super) fn describe_operand(interp: &mut Interp<'_>, value: &Value) -> DemandStep<Described> {
    Ok(match describe_value(interp, value)? {
        Described::Array { shape: SizesArgument::Known(dims), dtype: None, .. }
            if dims.is_empty() && interp.array_of(value).is_none() && !matches!(value, Value::Union(_)) =>
        {
            Described::Unknown
        }
        described => described,
    })
}

/// How far nested sequences are followed: lists may hold themselves, and share what they hold.
struct Room {
    depth: u32,
    items: u32,
}

/// Sees a value as an array; ragged sequences fail.
pub(super) fn describe_value(interp: &mut Interp<'_>, value: &Value) -> DemandStep<Described> {
    describe_within(interp, value, &mut Room { depth: DEPTH, items: ITEMS })
}

fn describe_within(interp: &mut Interp<'_>, value: &Value, room: &mut Room) -> DemandStep<Described> {
    Ok(match value {
        Value::Bool(_) | Value::SymbolicBool(_) | Value::Top(BuiltinType::Bool) => describe_scalar(Some("bool"), value),
        Value::Int(_) | Value::Dim(_) | Value::Top(BuiltinType::Int) => describe_scalar(Some("int"), value),
        Value::Float(_) | Value::Top(BuiltinType::Float) => describe_scalar(Some("float"), value),
        Value::Complex(_) | Value::Top(BuiltinType::Complex) => describe_scalar(Some("complex"), value),
        Value::Big(_)
        | Value::None
        | Value::Str(_)
        | Value::Bytes(_)
        | Value::Top(BuiltinType::Str | BuiltinType::Bytes) => {
            Described::Array { shape: SizesArgument::Known(Vec::new()), dtype: None, values: None }
        }
        Value::Tuple(seq) => describe_sequence(interp, seq, room)?,
        Value::Range(parts) => describe_range(interp, parts),
        Value::Obj(addr) => match interp.object_at(*addr) {
            Object::List(seq) => {
                let seq = seq.clone();
                describe_sequence(interp, &seq, room)?
            }
            Object::Array(array) => {
                let shape = match &array.shape {
                    HeapShape::Known(dims) => SizesArgument::Known(dims.to_vec()),
                    HeapShape::Prefix(_) | HeapShape::Suffix(_) => SizesArgument::Open,
                };
                let dtype = array.dtype.as_str().and_then(known_name);
                Described::Array { shape, dtype, values: array.exact_values().map(|values| values.to_vec()) }
            }
            Object::Dict(_) => Described::Array { shape: SizesArgument::Known(Vec::new()), dtype: None, values: None },
            _ => Described::Unknown,
        },
        Value::Unknown(_)
        | Value::UnknownNotNone(_)
        | Value::Ellipsis
        | Value::NotImplemented
        | Value::Top(_)
        | Value::Slice(_)
        | Value::Native(_)
        | Value::Bound(_)
        | Value::Method(_) => Described::Unknown,
        Value::Union(alternatives) => describe_alternatives(interp, alternatives)?,
    })
}

/// One of several values: an array if all have one shape, of a dtype they share.
fn describe_alternatives(interp: &mut Interp<'_>, alternatives: &[Value]) -> DemandStep<Described> {
    let mut so_far: Option<(Vec<Dim>, Option<&'static str>)> = None;
    for alternative in alternatives {
        // A sequence may be ragged, and that would be certain for this alternative only.
        let plain = interp.array_of(alternative).is_some() || !matches!(alternative, Value::Obj(_) | Value::Tuple(_));
        if !plain {
            return Ok(Described::Unknown);
        }
        let Described::Array { shape: SizesArgument::Known(dims), dtype: Some(dtype), .. } =
            describe_value(interp, alternative)?
        else {
            return Ok(Described::Unknown);
        };
        so_far = match so_far {
            None => Some((dims, Some(dtype))),
            Some((first, _)) if first != dims => return Ok(Described::Unknown),
            Some((first, shared)) => Some((first, shared.filter(|shared| *shared == dtype))),
        };
    }
    Ok(match so_far {
        Some((dims, dtype)) => Described::Array { shape: SizesArgument::Known(dims), dtype, values: None },
        None => Described::Unknown,
    })
}

fn describe_range(interp: &mut Interp<'_>, parts: &[Value; 3]) -> Described {
    let [Value::Int(start), Value::Int(stop), Value::Int(step)] = parts else {
        let length = interp.fresh_dim(None, Some(0));
        return Described::Array { shape: SizesArgument::Known(vec![length]), dtype: Some("int64"), values: None };
    };
    let length = match step.signum() {
        1 if stop > start => (i128::from(*stop) - i128::from(*start) + i128::from(*step) - 1) / i128::from(*step),
        -1 if stop < start => (i128::from(*start) - i128::from(*stop) - i128::from(*step) - 1) / -i128::from(*step),
        _ => 0,
    };
    let values = (length <= ELEMENTS as i128)
        .then(|| (0..length as i64).map(|place| Value::Int(start + place * step)).collect());
    Described::Array { shape: SizesArgument::Known(vec![Dim::constant(length)]), dtype: Some("int64"), values }
}

/// Numbers in a sequence are as strong as arrays.
fn strong_dtype(name: &'static str) -> &'static str {
    known_name(strong_name(name)).unwrap_or(name)
}

fn describe_sequence(interp: &mut Interp<'_>, seq: &Seq, room: &mut Room) -> DemandStep<Described> {
    if room.depth == 0 {
        return Ok(Described::Unknown);
    }
    room.depth -= 1;
    let described = sequence_within(interp, seq, room);
    room.depth += 1;
    described
}

fn sequence_within(interp: &mut Interp<'_>, seq: &Seq, room: &mut Room) -> DemandStep<Described> {
    let items = match seq {
        Seq::Exact(items) => items,
        Seq::Open(open) => return Ok(open_sequence(interp, open)),
    };
    if items.is_empty() {
        return Ok(Described::Array {
            shape: SizesArgument::Known(vec![Dim::ZERO]),
            dtype: Some("float64"),
            values: Some(Vec::new()),
        });
    }
    // Whatever is not known must fit to what is, or NumPy refuses the whole as ragged.
    let mut first: Option<(usize, Vec<Dim>)> = None;
    let mut leading: Option<Vec<Dim>> = None;
    let mut dtype = None;
    let mut values: Option<Vec<Value>> = Some(Vec::new());
    for (position, item) in items.iter().enumerate() {
        if room.items == 0 {
            return Ok(Described::Unknown);
        }
        room.items -= 1;
        let (dims, own, own_values) = match describe_within(interp, item, room)? {
            Described::Array { shape: SizesArgument::Known(dims), dtype, values } => (dims, dtype, values),
            described => {
                let begins = if let Described::Leading(begins) = described { begins } else { Vec::new() };
                leading = Some(match leading {
                    None if position == 0 => begins,
                    Some(so_far) if so_far == begins => begins,
                    None | Some(_) => Vec::new(),
                });
                values = None;
                continue;
            }
        };
        match &first {
            None => {
                first = Some((position, dims));
                dtype = own.map(strong_dtype);
            }
            Some((place, expected)) => {
                same_row(interp, (*place, expected), (position, &dims))?;
                dtype = match (dtype, own) {
                    (Some(a), Some(b)) if a == strong_dtype(b) => Some(a),
                    (Some(a), Some(b)) => common_dtype(&[a, strong_dtype(b)]).as_deref().and_then(known_name),
                    _ => None,
                };
            }
        }
        values = match (values, own_values) {
            (Some(mut so_far), Some(own)) if so_far.len() + own.len() <= ELEMENTS => {
                so_far.extend(own);
                Some(so_far)
            }
            _ => None,
        };
    }
    let mut dims = vec![Dim::constant(items.len() as i128)];
    let Some((_, rest)) = first else {
        dims.extend(leading.unwrap_or_default());
        return Ok(Described::Leading(dims));
    };
    dims.extend(rest);
    let dtype = dtype.filter(|_| leading.is_none());
    Ok(Described::Array { shape: SizesArgument::Known(dims), dtype, values })
}

/// A sequence of unknown length: it has its length, and its items' sizes unless it may be empty.
fn open_sequence(interp: &mut Interp<'_>, open: &OpenSeq) -> Described {
    let length = match open.len.as_dim() {
        Some(length) => length,
        None => interp.fresh_dim(None, Some(0)),
    };
    let Some((dims, dtype)) = alike_items(interp, &open.prefix, &open.element, NESTING) else {
        return Described::Leading(vec![length]);
    };
    let is_filled = !open.prefix.is_empty() || is_true(interp, &length, Cmp::Ge, &Dim::ONE);
    // An empty list is a vector of float64, whatever it would have held.
    if !is_filled && !dims.is_empty() {
        return Described::Leading(vec![length]);
    }
    let dtype = dtype.map(strong_dtype).filter(|dtype| is_filled || *dtype == "float64");
    let mut all = vec![length];
    all.extend(dims);
    Described::Array { shape: SizesArgument::Known(all), dtype, values: None }
}

/// What the items of a sequence have in common, if all are arrays of one rank; sizes that may differ get symbols.
fn alike_items(
    interp: &mut Interp<'_>,
    prefix: &[Value],
    element: &Value,
    depth: u32,
) -> Option<(Vec<Dim>, Option<&'static str>)> {
    let mut so_far: Option<(Vec<Dim>, Option<&'static str>)> = None;
    for item in prefix.iter().chain([element]) {
        let (dims, dtype) = quiet_shape(interp, item, depth)?;
        so_far = Some(match so_far {
            None => (dims, dtype),
            Some((first, shared)) => {
                if first.len() != dims.len() {
                    return None;
                }
                let sizes = first.into_iter().zip(dims);
                let sizes = sizes.map(|(a, b)| if a == b { a } else { interp.fresh_dim(None, Some(0)) }).collect();
                (sizes, shared.filter(|_| shared == dtype))
            }
        });
    }
    so_far
}

/// The shape and the dtype of a value of which they are certain; nothing is required of it.
fn quiet_shape(interp: &mut Interp<'_>, value: &Value, depth: u32) -> Option<(Vec<Dim>, Option<&'static str>)> {
    if depth == 0 {
        return None;
    }
    let seq = match value {
        Value::Tuple(seq) => seq.clone(),
        Value::Union(alternatives) => {
            let (last, rest) = alternatives.split_last()?;
            return alike_items(interp, rest, last, depth - 1);
        }
        Value::Obj(addr) => match interp.object_at(*addr) {
            Object::List(seq) => seq.clone(),
            Object::Array(array) => {
                let HeapShape::Known(dims) = &array.shape else { return None };
                return Some((dims.to_vec(), array.dtype.as_str().and_then(known_name)));
            }
            _ => return None,
        },
        _ => {
            return match describe_value(interp, value) {
                Ok(Described::Array { shape: SizesArgument::Known(dims), dtype, .. }) => Some((dims, dtype)),
                _ => None,
            };
        }
    };
    let Seq::Exact(items) = seq else { return None };
    // Whatever is not known must fit to what is, as in [`sequence`].
    let mut shapes: Vec<(Vec<Dim>, Option<&'static str>)> =
        items.iter().filter_map(|item| quiet_shape(interp, item, depth - 1)).collect();
    let (dims, dtype) = shapes.pop()?;
    let dtype = dtype.filter(|_| shapes.len() + 1 == items.len());
    // Rows of different lengths may be ragged: that is for others to say.
    if shapes.iter().any(|(other, _)| *other != dims) {
        return None;
    }
    let shared = shapes.iter().all(|(_, other)| *other == dtype);
    let mut all = vec![Dim::constant(items.len() as i128)];
    all.extend(dims);
    Some((all, dtype.filter(|_| shared)))
}

/// `alike(xs)`: `(shape, dtype, length)` of the items of a list or tuple whose length is not known, if they are arrays
/// of one rank.
pub(super) fn alike_rows(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let unknown = || Ok(nothing_known("arrays that are not alike"));
    let seq = match args.first() {
        Some(Value::Tuple(seq)) => seq.clone(),
        Some(Value::Obj(addr)) => match interp.object_at(*addr) {
            Object::List(seq) => seq.clone(),
            _ => return unknown(),
        },
        _ => return unknown(),
    };
    let Seq::Open(open) = seq else { return unknown() };
    let Some((dims, dtype)) = alike_items(interp, &open.prefix, &open.element, NESTING) else { return unknown() };
    let length = match open.len.as_dim() {
        Some(length) => Value::dim(length),
        None => interp.any_natural(),
    };
    let dtype = dtype.map_or_else(|| nothing_known("a dtype"), |dtype| Value::str(strong_dtype(dtype)));
    Ok(Value::tuple(vec![shape_value(dims), dtype, length]))
}

/// Two items, each with its place, must have one shape.
fn same_row(
    interp: &mut Interp<'_>,
    (place, expected): (usize, &[Dim]),
    (position, dims): (usize, &[Dim]),
) -> DemandStep<()> {
    let class = ErrorClass::builtin_class(interp, "ValueError");
    let describe = |interp: &Interp<'_>| {
        let (x, y) = (show_shape(interp, expected), show_shape(interp, dims));
        let message =
            format!("the nested sequence is ragged: item {place} has shape {x}, item {position} has shape {y}");
        DemandFailure::new("ragged-array", message)
            .with_help(Some("give all items the same shape, or use dtype=object".to_owned()))
    };
    if expected.len() != dims.len() {
        let failure = describe(interp);
        return fail_operation(interp, &class, failure);
    }
    for (a, b) in expected.iter().zip(dims) {
        demand_equal(interp, a, b, &class, describe)?;
    }
    Ok(())
}
