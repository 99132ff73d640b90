//! Broadcasting: shapes aligned at the right, where equal sizes and ones fit.

use pytrope_dims::ThreeValued;
use pytrope_dims::{Cmp, Dim};
use pytrope_eval::cond::Cond;
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::Value;
use pytrope_source::Span;

use super::demand::{
    DemandFailure, DemandStep, ErrorClass, compare_sizes, demand_condition, fail_operation, finish_primitive,
    observe_requirement, report_doubt,
};
use super::operand_fixes::{Adjustment, ChangedOperand, OperandEdit, Suggestion};
use super::sizes::{SizesArgument, birth_place, nothing_known, shape_value, show_shape, show_size};

/// `broadcast(shape, …, error=ValueError, out=None)`: the common shape of shapes or arrays.
/// With `out`, the result must fit that shape exactly.
pub(super) fn broadcast(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let class = ErrorClass::of(interp, args, "ValueError");
    let out = args.keyword("out").cloned().filter(|out| !matches!(out, Value::None));
    if !args.is_exact() {
        return Ok(nothing_known("a broadcast of unknown shapes"));
    }
    let mut operands = Vec::new();
    for value in &args.positional {
        match SizesArgument::read(interp, value) {
            SizesArgument::Known(dims) => operands.push((dims, birth_place(interp, value))),
            SizesArgument::Open => return Ok(nothing_known("a broadcast with an unknown shape")),
        }
    }
    if let Some(out) = out {
        let SizesArgument::Known(target) = SizesArgument::read(interp, &out) else {
            return Ok(nothing_known("a broadcast into an unknown shape"));
        };
        for (dims, born) in &operands {
            broadcast_into(interp, &target, dims, born.as_ref(), &class)?;
        }
        return Ok(shape_value(target));
    }
    let dims = broadcast_together(interp, &operands, &class, "broadcast-mismatch")?;
    Ok(shape_value(dims))
}

/// The common shape of operands, each with the place where it was made.
pub(super) fn broadcast_together(
    interp: &mut Interp<'_>,
    operands: &[(Vec<Dim>, Option<Span>)],
    class: &ErrorClass,
    rule: &'static str,
) -> DemandStep<Vec<Dim>> {
    let Some(((first, _), rest)) = operands.split_first() else { return Ok(Vec::new()) };
    let mut result = first.clone();
    for (position, (dims, _)) in rest.iter().enumerate() {
        let rank = result.len().max(dims.len());
        let mut merged = Vec::with_capacity(rank);
        for axis in 0..rank {
            let left = aligned_size(&result, rank, axis);
            let right = aligned_size(dims, rank, axis);
            let size = match (left, right) {
                (Some(a), Some(b)) => {
                    let explain =
                        |interp: &Interp<'_>| broadcast_mismatch(interp, operands, position + 1, &result, axis, rule);
                    let Some(size) = merge_or_doubt(interp, a, b, class, explain) else {
                        let failure = broadcast_mismatch(interp, operands, position + 1, &result, axis, rule);
                        return fail_operation(interp, class, failure);
                    };
                    size
                }
                (Some(only), None) | (None, Some(only)) => only.clone(),
                (None, None) => Dim::ONE,
            };
            merged.push(size);
        }
        result = merged;
    }
    Ok(result)
}

fn aligned_size(dims: &[Dim], rank: usize, axis: usize) -> Option<&Dim> {
    (axis + dims.len()).checked_sub(rank).map(|own| &dims[own])
}

/// As [`merge`]; observers and `--possible` are told about sizes that may not fit.
pub(super) fn merge_or_doubt(
    interp: &mut Interp<'_>,
    a: &Dim,
    b: &Dim,
    class: &ErrorClass,
    failure: impl Fn(&Interp<'_>) -> DemandFailure,
) -> Option<Dim> {
    if !interp.asks_what_may_fail() {
        return merge_sizes(interp, a, b);
    }
    let fits =
        [compare_sizes(a, Cmp::Eq, b), compare_sizes(a, Cmp::Eq, &Dim::ONE), compare_sizes(b, Cmp::Eq, &Dim::ONE)];
    let ThreeValued::Open(open) = interp.decide_condition(&Cond::Any(fits.to_vec())) else {
        return merge_sizes(interp, a, b);
    };
    report_doubt(interp, &open, class, &failure);
    let failure = failure(interp);
    let possible: Vec<bool> = fits.iter().map(|fit| interp.decide_condition(fit) != ThreeValued::False).collect();
    let size = merge_sizes(interp, a, b);
    let condition = match size.as_ref().and_then(Dim::as_symbol) {
        // The size is a new symbol: what it is depends on why the two fit.
        Some(sym) if size.as_ref() != Some(a) && size.as_ref() != Some(b) => {
            if interp.is_dynamic_size(a) || interp.is_dynamic_size(b) {
                interp.run.dynamic.insert(sym);
            }
            let own = Dim::symbol(sym);
            let ways = fits.into_iter().zip([a, b, a]).zip(possible).filter(|(_, possible)| *possible);
            Cond::Any(ways.map(|((fit, size), _)| Cond::All(vec![fit, compare_sizes(&own, Cmp::Eq, size)])).collect())
        }
        _ => open,
    };
    observe_requirement(interp, &condition, &ThreeValued::Open(condition.clone()), class, &failure);
    size
}

/// The size two sizes broadcast to; `None` if they certainly do not.
pub(super) fn merge_sizes(interp: &mut Interp<'_>, a: &Dim, b: &Dim) -> Option<Dim> {
    if a == b || b.as_const() == Some(1) {
        return Some(a.clone());
    }
    if a.as_const() == Some(1) {
        return Some(b.clone());
    }
    let prefer = |a: &Dim, b: &Dim| if b.as_const().is_some() { b.clone() } else { a.clone() };
    let equal = interp.compare_dims(a, Cmp::Eq, b);
    if equal == ThreeValued::True {
        return Some(prefer(a, b));
    }
    let a_is_one = interp.compare_dims(a, Cmp::Eq, &Dim::ONE);
    let b_is_one = interp.compare_dims(b, Cmp::Eq, &Dim::ONE);
    match (&equal, &a_is_one, &b_is_one) {
        (_, ThreeValued::True, _) => Some(b.clone()),
        (_, _, ThreeValued::True) => Some(a.clone()),
        (ThreeValued::False, ThreeValued::False, ThreeValued::False) => None,
        // One of the two is 1, and it is not this one.
        (ThreeValued::False, ThreeValued::False, ThreeValued::Open(one)) => {
            interp.assume_condition(one);
            Some(a.clone())
        }
        (ThreeValued::False, ThreeValued::Open(one), ThreeValued::False) => {
            interp.assume_condition(one);
            Some(b.clone())
        }
        (ThreeValued::Open(same), ThreeValued::False, ThreeValued::False) => {
            interp.assume_condition(same);
            Some(prefer(a, b))
        }
        (ThreeValued::Open(_), ThreeValued::False, ThreeValued::Open(_)) => Some(a.clone()),
        (ThreeValued::Open(_), ThreeValued::Open(_), ThreeValued::False) => Some(b.clone()),
        (_, ThreeValued::Open(_), ThreeValued::Open(_)) => Some(interp.fresh_dim(None, Some(0))),
        (ThreeValued::True, _, _) => Some(prefer(a, b)),
    }
}

fn broadcast_mismatch(
    interp: &Interp<'_>,
    operands: &[(Vec<Dim>, Option<Span>)],
    at: usize,
    so_far: &[Dim],
    axis: usize,
    rule: &'static str,
) -> DemandFailure {
    let (right, right_born) = &operands[at];
    let (left, left_born) = if at == 1 { (operands[0].0.as_slice(), operands[0].1.clone()) } else { (so_far, None) };
    let rank = so_far.len().max(right.len());
    let from_end = axis as i64 - rank as i64;
    let (a, b) = (aligned_size(so_far, rank, axis), aligned_size(right, rank, axis));
    let pair = match (a, b) {
        (Some(a), Some(b)) => format!("{} ≠ {}", show_size(interp, a), show_size(interp, b)),
        _ => String::new(),
    };
    let (x, y) = (show_shape(interp, left), show_shape(interp, right));
    DemandFailure::new(rule, format!("shapes {x} and {y} do not broadcast together: axis {from_end} has {pair}"))
        .with_birth(left_born, &x)
        .with_birth(right_born.clone(), &y)
        .with_suggestion(suggest_adjustment(interp, left, right))
}

/// A way to make two shapes broadcast, where one is evident.
fn suggest_adjustment(interp: &Interp<'_>, left: &[Dim], right: &[Dim]) -> Option<Suggestion> {
    let fits = |a: &[Dim], b: &[Dim]| {
        a.iter().rev().zip(b.iter().rev()).all(|(a, b)| a == b || a.as_const() == Some(1) || b.as_const() == Some(1))
    };
    for (operand, one, other) in [(ChangedOperand::Right, right, left), (ChangedOperand::Left, left, right)] {
        if let Some(column) = column_beside(interp, one, other) {
            let edit = Some(OperandEdit { operand, adjustment: Adjustment::Column });
            return Some(Suggestion { help: format!("the {} operand {column}", operand.name()), edit });
        }
        if one.len() == 2 && one.len() <= other.len() {
            let turned: Vec<Dim> = one.iter().rev().cloned().collect();
            if fits(&turned, other) {
                let turned = show_shape(interp, &turned);
                return Some(Suggestion {
                    help: format!("the {} operand fits transposed: .T has shape {turned}", operand.name()),
                    edit: Some(OperandEdit { operand, adjustment: Adjustment::Transposed }),
                });
            }
        }
    }
    None
}

/// Says that a vector fits as a column: a statistic of rows that lost its axis, (n,) beside (n, m).
fn column_beside(interp: &Interp<'_>, vector: &[Dim], matrix: &[Dim]) -> Option<String> {
    let ([size], [first, _]) = (vector, matrix) else { return None };
    let column = show_shape(interp, &[size.clone(), Dim::ONE]);
    (size == first).then(|| format!("fits as a column, {column}: use keepdims=True where it is reduced, or [:, None]"))
}

/// Requires a shape to fit into a target: each size is the target's, or 1.
fn broadcast_into(
    interp: &mut Interp<'_>,
    target: &[Dim],
    dims: &[Dim],
    born: Option<&Span>,
    class: &ErrorClass,
) -> DemandStep<()> {
    let describe = |interp: &Interp<'_>, axis: Option<usize>| {
        let (x, y) = (show_shape(interp, dims), show_shape(interp, target));
        let detail = axis.map_or_else(
            || format!("rank {} does not fit in rank {}", dims.len(), target.len()),
            |axis| {
                let own = &dims[axis + dims.len() - target.len()];
                format!("axis {axis} has {} ≠ {}", show_size(interp, own), show_size(interp, &target[axis]))
            },
        );
        let column = column_beside(interp, dims, target).map(|column| Suggestion {
            help: format!("the value {column}"),
            edit: Some(OperandEdit { operand: ChangedOperand::Right, adjustment: Adjustment::Column }),
        });
        DemandFailure::new("broadcast-mismatch", format!("shape {x} does not fit into shape {y}: {detail}"))
            .with_birth(born.cloned(), &x)
            .with_suggestion(column)
    };
    if dims.len() > target.len() {
        let failure = describe(interp, None);
        return fail_operation(interp, class, failure);
    }
    let offset = target.len() - dims.len();
    for (position, own) in dims.iter().enumerate() {
        let wanted = &target[position + offset];
        if own == wanted || own.as_const() == Some(1) {
            continue;
        }
        let cond = Cond::Any(vec![compare_sizes(own, Cmp::Eq, wanted), compare_sizes(own, Cmp::Eq, &Dim::ONE)]);
        demand_condition(interp, &cond, class, |interp| describe(interp, Some(position + offset)))?;
    }
    Ok(())
}
