//! The shape after a reshape, where one size may be left out as -1.

use pytrope_dims::{Cmp, Constraint, Dim};
use pytrope_eval::cond::Cond;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;

use super::demand::{
    DemandFailure, DemandStep, ErrorClass, demand_condition, demand_equal, fail_operation, finish_primitive,
};
use super::sizes::{
    SizesArgument, birth_place, exact_items, is_true, nothing_known, shape_value, show_shape, show_size,
};

/// `reshape_shape(old, new, error=ValueError, any_negative=False)`: `old` may be an array. NumPy takes any negative size for -1.
pub(super) fn reshape_shape(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "ValueError");
    let (Some(from), Some(to)) = (args.positional.first(), args.positional.get(1)) else {
        return Ok(nothing_known("a reshape of unknowns"));
    };
    let Some(mut wanted) = exact_items(interp, to) else {
        return Ok(nothing_known("a reshape to an unknown shape"));
    };
    for size in &mut wanted {
        *size = interp.resolve_lazy(size.clone());
        *size = interp.expect_integer(size, None).unwrap_or_else(|| size.clone());
    }
    let old = SizesArgument::read(interp, from);
    let born = birth_place(interp, from);
    let asked: Vec<Option<Dim>> = wanted.iter().map(Value::as_dim).collect();
    let text = format!(
        "({}{})",
        asked
            .iter()
            .map(|size| size.as_ref().map_or_else(|| "?".to_owned(), |size| show_size(interp, size)))
            .collect::<Vec<_>>()
            .join(", "),
        if asked.len() == 1 { "," } else { "" }
    );
    let fail = |interp: &Interp<'_>, message: String, help: Option<String>| {
        let shown = match &old {
            SizesArgument::Known(dims) => show_shape(interp, dims),
            SizesArgument::Open => "?".to_owned(),
        };
        DemandFailure::new("reshape-mismatch", message).with_birth(born.clone(), &shown).with_help(help)
    };
    let describe = |interp: &Interp<'_>, detail: String, help: Option<String>| {
        let message = match &old {
            SizesArgument::Known(dims) => {
                format!("cannot reshape {} into {text}: {detail}", show_shape(interp, dims))
            }
            SizesArgument::Open => format!("cannot reshape into {text}: {detail}"),
        };
        fail(interp, message, help)
    };
    let any_negative = args.keyword("any_negative") == Some(&Value::TRUE);
    let mut missing = None;
    // The sizes that are certainly sizes: a symbolic one that may be -1 says nothing.
    let mut exact = true;
    for (position, size) in asked.iter().enumerate() {
        let constant = size.as_ref().and_then(Dim::as_const);
        match constant.map(|size| if any_negative { size.max(-1) } else { size }) {
            Some(-1) if missing.is_some() => {
                let failure = describe(interp, "only one size can be left out as -1".to_owned(), None);
                return fail_operation(interp, &class, failure);
            }
            Some(-1) => missing = Some(position),
            Some(constant) if constant < 0 => {
                let failure = describe(interp, "sizes may not be negative".to_owned(), None);
                return fail_operation(interp, &class, failure);
            }
            Some(_) => {}
            None => {
                // Where shapes are shown, a size with a name is a size.
                if interp.analysis.assumes
                    && let Some(size) = size
                {
                    interp.assume_at_least(&Value::Dim(size.clone()), 0);
                }
                exact &= size.as_ref().is_some_and(|size| is_true(interp, size, Cmp::Ge, &Dim::ZERO));
            }
        }
    }
    let mut result: Vec<Dim> = Vec::with_capacity(asked.len());
    for (position, size) in asked.iter().enumerate() {
        let known =
            size.as_ref().filter(|size| Some(position) != missing && is_true(interp, size, Cmp::Ge, &Dim::ZERO));
        result.push(match known {
            Some(size) => size.clone(),
            None => interp.fresh_dim(None, Some(0)),
        });
    }
    let SizesArgument::Known(dims) = &old else { return Ok(shape_value(result)) };
    let Some(total) = Dim::product(dims) else { return Ok(shape_value(result)) };
    if !exact {
        return Ok(shape_value(result));
    }
    let others = result.iter().enumerate().filter(|(position, _)| Some(*position) != missing).map(|(_, size)| size);
    let Some(given) = Dim::product(others) else { return Ok(shape_value(result)) };
    let shown_total = show_size(interp, &total);
    let shown_given = show_size(interp, &given);
    match missing {
        None => {
            demand_equal(interp, &total, &given, &class, |interp| {
                let from = show_shape(interp, dims);
                let takes = format!("its {shown_total} elements cannot fill shape {text}, which has {shown_given}");
                fail(interp, format!("cannot reshape {from}: {takes}"), right_size(interp, &total, &result))
            })?;
        }
        Some(position) => {
            if given.as_const() == Some(0) {
                let failure =
                    describe(interp, "the size left out as -1 is not determined when another is 0".to_owned(), None);
                return fail_operation(interp, &class, failure);
            }
            if let Some(quotient) = total.exact_quotient(&given) {
                result[position] = quotient;
            } else {
                let divisible = Constraint::divisible(&total, &given).map_or(Cond::Opaque, Cond::Atom);
                demand_condition(interp, &divisible, &class, |interp| {
                    describe(interp, format!("{shown_total} elements are not divisible by {shown_given}"), None)
                })?;
                if let Some(quotient) = total.floor_div(&given) {
                    result[position] = quotient;
                }
            }
        }
    }
    Ok(shape_value(result))
}

/// What one size would have to be for the reshape to fit.
fn right_size(interp: &Interp<'_>, total: &Dim, wanted: &[Dim]) -> Option<String> {
    for (position, _) in wanted.iter().enumerate().rev() {
        let others = wanted.iter().enumerate().filter(|(other, _)| *other != position).map(|(_, size)| size);
        let given = Dim::product(others)?;
        if given.as_const() == Some(0) {
            return None;
        }
        if let Some(size) = total.exact_quotient(&given)
            && (given.as_const().is_some() || given == *total)
        {
            let mut fixed = wanted.to_vec();
            fixed[position] = size;
            return Some(format!("{} has as many elements; -1 computes a size", show_shape(interp, &fixed)));
        }
    }
    None
}
