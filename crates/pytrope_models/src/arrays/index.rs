//! Indexing: integers, slices, None, Ellipsis, masks and index arrays, in any mixture.

use pytrope_dims::{Cmp, Dim};
use pytrope_eval::cond::Cond;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::object::Object;
use pytrope_eval::value::{BuiltinType, Value};

use super::array_like::{self, Described};
use super::broadcast::broadcast_together;
use super::demand::{
    DemandFailure, DemandStep, ErrorClass, compare_sizes, demand_condition, demand_equal, fail_operation,
    finish_primitive,
};
use super::sizes::{SizesArgument, nothing_known, shape_value, show_shape, show_size};
use super::slices::slice_length;

/// One part of an index.
enum Part {
    /// An integer; `None` when nothing is known of its value.
    Integer(Option<Dim>),
    Slice([Value; 3]),
    NewAxis,
    Ellipsis,
    /// A boolean that is not an array: an axis of size 1 or 0.
    Flag(bool),
    /// An array of integers, with its elements when they are known.
    Integers {
        dims: Vec<Dim>,
        values: Option<Vec<Value>>,
    },
    /// A mask, with the number of its true elements when that is known.
    Mask {
        dims: Vec<Dim>,
        count: Option<usize>,
    },
}

/// What an index selects.
pub(super) enum Selected {
    /// An array (or element) of this shape; `mask` when the index is one mask over all axes.
    Shape {
        dims: Vec<Dim>,
        mask: bool,
    },
    /// An array whose rank is not known.
    OpenArray,
    Unknown,
}

/// `index_shape(shape, key, error=IndexError)`: the shape of what the key selects.
pub(super) fn index_shape(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "IndexError");
    let (Some(shape), Some(key)) = (args.positional.first(), args.positional.get(1)) else {
        return Ok(nothing_known("an index"));
    };
    let shape = SizesArgument::read(interp, shape);
    Ok(match select_shape(interp, &shape, key, &class, true)? {
        Selected::Shape { dims, .. } => shape_value(dims),
        Selected::OpenArray => {
            let element = interp.any_natural();
            Value::Tuple(interp.open_seq(element))
        }
        Selected::Unknown => nothing_known("an index that is not known"),
    })
}

/// What a key selects from a shape, after checking that it can; `elements` says whether those of index arrays are checked.
pub(super) fn select_shape(
    interp: &mut Interp<'_>,
    shape: &SizesArgument,
    key: &Value,
    class: &ErrorClass,
    elements: bool,
) -> DemandStep<Selected> {
    let keys = match key {
        Value::Tuple(seq) => match seq.as_exact() {
            Some(items) => items.to_vec(),
            None => return Ok(Selected::Unknown),
        },
        other => vec![other.clone()],
    };
    let mut parts = Vec::with_capacity(keys.len());
    for key in &keys {
        match read_key_part(interp, key, class)? {
            Some(Part::Integers { dims, .. }) if !elements => parts.push(Part::Integers { dims, values: None }),
            Some(part) => parts.push(part),
            None => return Ok(Selected::Unknown),
        }
    }
    if parts.iter().filter(|part| matches!(part, Part::Ellipsis)).count() > 1 {
        let message = "an index can only have a single ellipsis ('...')".to_owned();
        return fail_operation(interp, class, DemandFailure::new("too-many-indices", message));
    }
    let SizesArgument::Known(dims) = shape else {
        let keeps_axes = parts.iter().all(|part| matches!(part, Part::Slice(_) | Part::NewAxis | Part::Ellipsis));
        return Ok(if keeps_axes { Selected::OpenArray } else { Selected::Unknown });
    };
    let used: usize = parts.iter().map(axes_used).sum();
    if used > dims.len() {
        let message = format!(
            "too many indices: shape {} has rank {}, but {used} were indexed",
            show_shape(interp, dims),
            dims.len()
        );
        return fail_operation(interp, class, DemandFailure::new("too-many-indices", message));
    }
    if !parts.iter().any(|part| matches!(part, Part::Ellipsis)) {
        parts.push(Part::Ellipsis);
    }
    let whole_mask =
        matches!(parts.as_slice(), [Part::Mask { dims: own, .. }, Part::Ellipsis] if own.len() == dims.len());
    let selected = apply_key(interp, dims, &parts, dims.len() - used, class)?;
    Ok(Selected::Shape { dims: selected, mask: whole_mask })
}

fn axes_used(part: &Part) -> usize {
    match part {
        Part::Integer(_) | Part::Slice(_) | Part::Integers { .. } => 1,
        Part::Mask { dims, .. } => dims.len(),
        Part::NewAxis | Part::Ellipsis | Part::Flag(_) => 0,
    }
}

/// Reads one part of a key; `None` when it may be anything.
fn read_key_part(interp: &mut Interp<'_>, key: &Value, class: &ErrorClass) -> DemandStep<Option<Part>> {
    Ok(Some(match key {
        Value::Int(_) | Value::Big(_) | Value::Dim(_) => Part::Integer(key.as_dim()),
        Value::Top(BuiltinType::Int) => Part::Integer(None),
        Value::Bool(flag) => Part::Flag(*flag),
        Value::None => Part::NewAxis,
        Value::Ellipsis => Part::Ellipsis,
        Value::Slice(bounds) => Part::Slice((**bounds).clone()),
        Value::Top(BuiltinType::Slice) => return Ok(None),
        // Fields of structured arrays.
        Value::Str(_) | Value::Top(BuiltinType::Str) => return Ok(None),
        Value::Float(_)
        | Value::Complex(_)
        | Value::Bytes(_)
        | Value::Top(BuiltinType::Float | BuiltinType::Complex) => {
            let message =
                "only integers, slices, ellipsis, newaxis and integer or boolean arrays are indices".to_owned();
            return fail_operation(interp, class, DemandFailure::new("bad-operand", message));
        }
        Value::Obj(_) | Value::Tuple(_) | Value::Range(_) => {
            let is_list = !matches!(key, Value::Obj(addr) if !matches!(interp.object_at(*addr), Object::List(_)));
            if interp.array_of(key).is_none() && !is_list {
                return Ok(None);
            }
            let Described::Array { shape: SizesArgument::Known(dims), dtype, values } =
                array_like::describe_value(interp, key)?
            else {
                return Ok(None);
            };
            let Some(dtype) = dtype else { return Ok(None) };
            return from_array(interp, dims, dtype, values, is_list, class);
        }
        Value::Unknown(_)
        | Value::UnknownNotNone(_)
        | Value::NotImplemented
        | Value::SymbolicBool(_)
        | Value::Top(_)
        | Value::Native(_)
        | Value::Bound(_)
        | Value::Method(_)
        | Value::Union(_) => return Ok(None),
    }))
}

fn from_array(
    interp: &mut Interp<'_>,
    dims: Vec<Dim>,
    dtype: &str,
    values: Option<Vec<Value>>,
    is_list: bool,
    class: &ErrorClass,
) -> DemandStep<Option<Part>> {
    if dtype == "bool" {
        let count = values.and_then(|values| {
            values.iter().try_fold(0, |count, value| match value {
                Value::Bool(flag) => Some(count + usize::from(*flag)),
                Value::Int(number) => Some(count + usize::from(*number != 0)),
                _ => None,
            })
        });
        return Ok(match (dims.is_empty(), count) {
            (true, Some(count)) => Some(Part::Flag(count == 1)),
            (true, None) => None,
            (false, count) => Some(Part::Mask { dims, count }),
        });
    }
    let integral = dtype.starts_with("int") || dtype.starts_with("uint");
    let empty_list = is_list && dims.iter().any(|dim| dim.as_const() == Some(0));
    if !integral && !empty_list {
        let message = format!("arrays used as indices must be of integer or boolean type, not {dtype}");
        return fail_operation(interp, class, DemandFailure::new("bad-operand", message));
    }
    if dims.is_empty() {
        let value = values.as_ref().and_then(|values| values.first()).and_then(Value::as_dim);
        return Ok(Some(Part::Integer(value)));
    }
    Ok(Some(Part::Integers { dims, values }))
}

fn apply_key(
    interp: &mut Interp<'_>,
    dims: &[Dim],
    parts: &[Part],
    spare: usize,
    class: &ErrorClass,
) -> DemandStep<Vec<Dim>> {
    let fancy = parts.iter().any(|part| matches!(part, Part::Integers { .. } | Part::Mask { .. } | Part::Flag(_)));
    let mut result: Vec<Dim> = Vec::new();
    // Index arrays, integers among them: their common shape replaces them.
    let mut arrays: Vec<(Vec<Dim>, Option<pytrope_source::Span>)> = Vec::new();
    let mut place: Option<usize> = None;
    let mut last_array: Option<usize> = None;
    let mut together_at = true;
    let mut axis = 0;
    for (position, part) in parts.iter().enumerate() {
        let joins =
            fancy && matches!(part, Part::Integer(_) | Part::Integers { .. } | Part::Mask { .. } | Part::Flag(_));
        if joins {
            place.get_or_insert(result.len());
            together_at &= last_array.is_none_or(|last| last + 1 == position);
            last_array = Some(position);
        }
        match part {
            Part::Integer(index) => {
                if let Some(index) = index {
                    check_bounds(interp, index, dims, axis, class)?;
                }
                if fancy {
                    arrays.push((Vec::new(), None));
                }
                axis += 1;
            }
            Part::Slice(bounds) => {
                let length = slice_length(interp, bounds, &dims[axis])?;
                result.push(length);
                axis += 1;
            }
            Part::NewAxis => result.push(Dim::ONE),
            Part::Ellipsis => {
                result.extend_from_slice(&dims[axis..axis + spare]);
                axis += spare;
            }
            Part::Flag(flag) => arrays.push((vec![Dim::constant(i128::from(*flag))], None)),
            Part::Integers { dims: own, values } => {
                let empty = own.iter().any(|dim| dim.as_const() == Some(0));
                for value in values.iter().flatten().filter(|_| !empty) {
                    if let Some(index) = value.as_dim() {
                        check_bounds(interp, &index, dims, axis, class)?;
                    }
                }
                arrays.push((own.clone(), None));
                axis += 1;
            }
            Part::Mask { dims: own, count } => {
                // NumPy takes a mask without elements for any array.
                let is_empty = own.iter().any(|dim| dim.as_const() == Some(0));
                for (offset, side) in own.iter().enumerate().filter(|_| !is_empty) {
                    demand_equal(interp, side, &dims[axis + offset], class, |interp| {
                        let (mask, shape) = (show_shape(interp, own), show_shape(interp, dims));
                        let (p, q) = (show_size(interp, side), show_size(interp, &dims[axis + offset]));
                        let message = format!(
                            "a mask of shape {mask} does not fit shape {shape}: axis {} has {q} ≠ {p}",
                            axis + offset
                        );
                        DemandFailure::new("index-out-of-bounds", message)
                    })?;
                }
                let length = match count {
                    Some(count) => Dim::constant(*count as i128),
                    None => chosen_count(interp, own),
                };
                arrays.push((vec![length], None));
                axis += own.len();
            }
        }
    }
    if fancy {
        let common = broadcast_together(interp, &arrays, class, "broadcast-mismatch")?;
        let at = if together_at { place.unwrap_or(0) } else { 0 };
        result.splice(at..at, common);
    }
    Ok(result)
}

/// The unknown number of true elements of a mask.
fn chosen_count(interp: &mut Interp<'_>, mask: &[Dim]) -> Dim {
    if mask.iter().any(|dim| dim.as_const() == Some(0)) {
        return Dim::ZERO;
    }
    let length = interp.fresh_dim(None, Some(0));
    if let Some(most) = Dim::product(mask) {
        interp.assume_condition(&compare_sizes(&length, Cmp::Le, &most));
    }
    length
}

fn check_bounds(interp: &mut Interp<'_>, index: &Dim, dims: &[Dim], axis: usize, class: &ErrorClass) -> DemandStep<()> {
    let size = &dims[axis];
    let Some(least) = size.negated() else { return Ok(()) };
    let inside = Cond::All(vec![compare_sizes(index, Cmp::Lt, size), compare_sizes(index, Cmp::Ge, &least)]);
    demand_condition(interp, &inside, class, |interp| {
        let (index, size) = (show_size(interp, index), show_size(interp, size));
        let message = format!(
            "index {index} is out of bounds for axis {axis} of size {size}, shape {}",
            show_shape(interp, dims)
        );
        DemandFailure::new("index-out-of-bounds", message)
    })
}
