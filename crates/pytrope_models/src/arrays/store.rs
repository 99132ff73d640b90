//! Storing into a part of an array: the value must broadcast into what the index selects.

use pytrope_dims::{Cmp, Dim};
use pytrope_eval::cond::Cond;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;
use pytrope_source::Span;

use super::array_like::{self, Described};
use super::demand::{DemandFailure, DemandStep, ErrorClass, compare_sizes, demand_condition, finish_primitive};
use super::index::{Selected, select_shape};
use super::sizes::{SizesArgument, birth_place, nothing_known, show_shape, show_size};

/// `store_check(shape, key, value_shape, error=ValueError, value=…)`: `value_shape` may be an array; with `value`, its shape
/// is that of any array-like. As NumPy does, the form of the index comes first, then the value, then the elements of index arrays.
pub(super) fn store_check(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "ValueError");
    let [shape, key, value] = args.positional.as_slice() else {
        return Ok(nothing_known("a store"));
    };
    let shape = SizesArgument::read(interp, shape);
    let index_class = ErrorClass::builtin_class(interp, "IndexError");
    let Selected::Shape { dims: target, mask } = select_shape(interp, &shape, key, &index_class, false)? else {
        return Ok(Value::None);
    };
    let stored = args.keyword("value");
    let given = match stored {
        Some(stored) => match array_like::describe_value(interp, stored)? {
            Described::Array { shape, .. } => shape,
            Described::Leading(dims) if is_whole_shape(&dims, &target, mask) => SizesArgument::Known(dims),
            Described::Leading(_) | Described::Unknown => SizesArgument::Open,
        },
        None => SizesArgument::read(interp, value),
    };
    if let SizesArgument::Known(given) = given {
        let born = birth_place(interp, stored.unwrap_or(value));
        let whole = if let SizesArgument::Known(dims) = &shape { dims.as_slice() } else { &target };
        demand_fit(interp, (&target, whole), &given, mask, born.as_ref(), &class)?;
    }
    select_shape(interp, &shape, key, &index_class, true)?;
    Ok(Value::None)
}

/// Whether a value that begins with these sizes fits only if it has no others: `column[:] = [x, y]` with anything for `x` and `y`. With
/// more axes than the target it would need a first size of 1.
fn is_whole_shape(dims: &[Dim], target: &[Dim], mask: bool) -> bool {
    !mask && dims.len() == target.len() && dims.first().and_then(Dim::as_const).is_some_and(|first| first > 1)
}

/// Requires a value of shape `given` to broadcast into the `target` that is selected of the whole.
fn demand_fit(
    interp: &mut Interp<'_>,
    (target, whole): (&[Dim], &[Dim]),
    given: &[Dim],
    mask: bool,
    born: Option<&Span>,
    class: &ErrorClass,
) -> DemandStep<()> {
    if mask {
        // A mask over the whole array takes a number or exactly as many elements as it chooses.
        if let [size] = given {
            let fits =
                Cond::Any(vec![compare_sizes(size, Cmp::Eq, &target[0]), compare_sizes(size, Cmp::Eq, &Dim::ONE)]);
            demand_condition(interp, &fits, class, |interp| {
                let message = format!(
                    "{} values for {} true elements of the mask",
                    show_size(interp, size),
                    show_size(interp, &target[0])
                );
                DemandFailure::new("store-mismatch", message)
            })?;
        }
        return Ok(());
    }
    let offset = given.len().saturating_sub(target.len());
    for (axis, size) in given.iter().enumerate() {
        // Axes that the target lacks must have one element.
        let place = axis.checked_sub(offset).map(|axis| axis + target.len() - (given.len() - offset));
        let one = compare_sizes(size, Cmp::Eq, &Dim::ONE);
        let cond = match place {
            Some(place) if *size == target[place] => continue,
            Some(place) => Cond::Any(vec![compare_sizes(size, Cmp::Eq, &target[place]), one]),
            None => one,
        };
        demand_condition(interp, &cond, class, |interp| {
            let (x, y) = (show_shape(interp, given), show_shape(interp, target));
            let detail = match place {
                Some(place) => {
                    format!("axis {place} has {} ≠ {}", show_size(interp, size), show_size(interp, &target[place]))
                }
                None => format!("rank {} does not fit in rank {}", given.len(), target.len()),
            };
            let of = if target == whole { String::new() } else { format!(" of shape {}", show_shape(interp, whole)) };
            DemandFailure::new("store-mismatch", format!("cannot store shape {x} where {y} is selected{of}: {detail}"))
                .with_birth(born.cloned(), &x)
        })?;
    }
    Ok(())
}
