//! The shape of matrix products.

use pytrope_dims::Dim;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;

use super::broadcast::broadcast_together;
use super::demand::{DemandFailure, DemandStep, ErrorClass, demand_equal, fail_operation, finish_primitive};
use super::operand_fixes::{Adjustment, ChangedOperand, OperandEdit, Suggestion};
use super::sizes::{SizesArgument, birth_place, last_sizes, nothing_known, shape_value, show_shape, show_size};

/// `matmul_shape(a, b, error=ValueError)`: the shape of `a @ b` for shapes or arrays.
pub(super) fn matmul_shape(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "ValueError");
    let (Some(left), Some(right)) = (args.positional.first(), args.positional.get(1)) else {
        return Ok(nothing_known("a product of unknown shapes"));
    };
    let (SizesArgument::Known(a), SizesArgument::Known(b)) =
        (SizesArgument::read(interp, left), SizesArgument::read(interp, right))
    else {
        inner_sizes(interp, left, right, &class)?;
        return Ok(nothing_known("a product with an unknown shape"));
    };
    let births = [birth_place(interp, left), birth_place(interp, right)];
    let (x, y) = (show_shape(interp, &a), show_shape(interp, &b));
    for dims in [&a, &b] {
        if dims.is_empty() {
            let message =
                format!("matrix product of {x} and {y}: an operand of rank 0 has no axis to multiply along, use *");
            return fail_operation(interp, &class, DemandFailure::new("matmul-mismatch", message));
        }
    }
    let inner = &a[a.len() - 1];
    let outer = if b.len() == 1 { &b[0] } else { &b[b.len() - 2] };
    demand_equal(interp, inner, outer, &class, |interp| {
        let [left_born, right_born] = births;
        let (p, q) = (show_size(interp, inner), show_size(interp, outer));
        DemandFailure::new("matmul-mismatch", format!("matrix product of {x} and {y}: {p} ≠ {q}"))
            .with_birth(left_born, &x)
            .with_birth(right_born, &y)
            .with_suggestion(suggest_transposition(interp, &a, &b))
    })?;
    let operands = [(batch_dims(&a), None), (batch_dims(&b), None)];
    let mut result = broadcast_together(interp, &operands, &class, "matmul-mismatch")?;
    if a.len() > 1 {
        result.push(a[a.len() - 2].clone());
    }
    if b.len() > 1 {
        result.push(b[b.len() - 1].clone());
    }
    Ok(shape_value(result))
}

/// Where a rank is open, the axes that are multiplied along may still be known.
fn inner_sizes(interp: &mut Interp<'_>, left: &Value, right: &Value, class: &ErrorClass) -> DemandStep<()> {
    let (Some(a), Some(b)) = (last_sizes(interp, left), last_sizes(interp, right)) else { return Ok(()) };
    // The last axis of the right operand is multiplied along only if it is a vector.
    let outer = match (b.as_slice(), SizesArgument::read(interp, right)) {
        ([only], SizesArgument::Known(_)) => only,
        ([.., outer, _], _) => outer,
        _ => return Ok(()),
    };
    let Some(inner) = a.last() else { return Ok(()) };
    demand_equal(interp, inner, outer, class, |interp| {
        let (p, q) = (show_size(interp, inner), show_size(interp, outer));
        DemandFailure::new("matmul-mismatch", format!("matrix product along axes of {p} and {q}: {p} ≠ {q}"))
            .with_birth(birth_place(interp, left), &format!("ending in {p}"))
    })
}

fn batch_dims(dims: &[Dim]) -> Vec<Dim> {
    dims[..dims.len().saturating_sub(2)].to_vec()
}

/// Transpositions that would make the product fit, or what is needed on the right.
fn suggest_transposition(interp: &Interp<'_>, a: &[Dim], b: &[Dim]) -> Option<Suggestion> {
    let inner = a.last()?;
    let fits = |operand: ChangedOperand, adjustment: Adjustment, turned: &[Dim]| {
        let (side, suffix) = (operand.name(), adjustment.suffix());
        Some(Suggestion {
            help: format!("the {side} operand fits transposed: {suffix} has shape {}", show_shape(interp, turned)),
            edit: Some(OperandEdit { operand, adjustment }),
        })
    };
    if b.len() == 2 && b[1] == *inner {
        return fits(ChangedOperand::Right, Adjustment::Transposed, &[b[1].clone(), b[0].clone()]);
    }
    if a.len() == 2 {
        let first = if b.len() == 1 { &b[0] } else { &b[b.len() - 2] };
        if a[0] == *first {
            return fits(ChangedOperand::Left, Adjustment::Transposed, &[a[1].clone(), a[0].clone()]);
        }
    }
    // `mT` transposes the last two axes and leaves the batch alone (NumPy 2, PyTorch).
    if let ([batch @ .., rows, columns], [.., _, _]) = (b, a)
        && columns == inner
        && batch.len() <= a.len() - 2
        && a[..a.len() - 2].ends_with(batch)
    {
        let turned = [batch, &[columns.clone(), rows.clone()]].concat();
        return fits(ChangedOperand::Right, Adjustment::MatrixTransposed, &turned);
    }
    let needed = show_size(interp, inner);
    let help = match b.len() {
        1 => format!("a vector of {needed} elements is needed on the right"),
        _ => format!("({needed}, …) is needed on the right"),
    };
    Some(Suggestion { help, edit: None })
}
