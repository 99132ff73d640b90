//! Where an operation lifts its arguments: what it takes alone, a parameter of code that is not called turns out to be.

use pytrope_dims::{Cmp, Dim, ThreeValued};
use pytrope_eval::{CallArgs, Flow, Interp, Seq, Shape, Value};

use super::{shape_from, unknown_because};

/// `array_arg(x, cls)`: an operation takes arrays of a class alone.
pub(super) fn array_arg(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let (Some(value), Some(class)) = (args.get(0, "x"), args.get(1, "cls")) else {
        return Ok(unknown_because("array_arg() without a class"));
    };
    Ok(interp.expect_array(value, class).unwrap_or_else(|| value.clone()))
}

/// `size_arg(x, least=0)`: an operation takes integers alone, or tuples of them.
pub(super) fn size_arg(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.get(0, "x") else { return Ok(unknown_because("size_arg() of nothing")) };
    let least = match args.get(1, "least") {
        Some(Value::Int(least)) => i128::from(*least),
        _ => 0,
    };
    if let Value::Tuple(sizes) = value {
        for size in sizes.as_exact().unwrap_or_default() {
            expect_size(interp, size, least);
        }
        return Ok(value.clone());
    }
    Ok(expect_size(interp, value, least).unwrap_or_else(|| value.clone()))
}

/// What a parameter of code that is not called turns out to be. A size that is computed from one is as large as the operation needs it
/// to be: `nn.Embedding(n, dim)` comes before `nn.Linear(2 * dim, 2)`.
fn expect_size(interp: &mut Interp<'_>, size: &Value, least: i128) -> Option<Value> {
    if matches!(size, Value::Dim(_)) && interp.analysis.uncalled_entry {
        interp.assume_at_least(size, least);
        return None;
    }
    interp.expect_integer(size, Some(least))
}

/// `learn_last_sizes(a, sizes)`: an operation ends normally only if these are the last sizes of an array.
pub(super) fn learn_last_sizes(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [array, sizes] = args.positional.as_slice()
        && let Shape::Known(sizes) = shape_from(interp, sizes)
        && let Some(Shape::Prefix(known)) = interp.array_of(array).map(|array| array.shape.clone())
        && known.is_empty()
    {
        interp.learn_shape(array, Shape::ending(sizes.to_vec()));
    }
    Ok(Value::None)
}

/// `learn_rank(a, rank)`: an operation ends normally only if an array has this many axes.
pub(super) fn learn_rank(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [Value::Obj(addr), Value::Int(rank)] = args.positional.as_slice()
        && let Ok(rank) = usize::try_from(*rank)
        && interp.array_of(&args.positional[0]).is_some_and(|array| array.shape.rank().is_none())
    {
        interp.settle_rank(*addr, rank);
    }
    Ok(Value::None)
}

/// `assume_rank(a, rank)`: where shapes are shown and nothing is reported, an array of open rank has this many axes. That is not said
/// of what one of several layers is given (`nn.Conv2d if use_conv else nn.Linear`).
pub(super) fn assume_rank(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let is_usual = interp.analysis.assumes && !interp.is_in_alternative();
    if is_usual { learn_rank(interp, args) } else { Ok(Value::None) }
}

/// `share_rank(made, x)`: an operation has made an array with as many axes as `x` has; gives what it made.
pub(super) fn share_rank(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [made, of] = args.positional.as_slice() else { return Ok(unknown_because("share_rank() of two arrays")) };
    interp.share_rank(made, of);
    Ok(made.clone())
}

/// `relate_rank(made, x, more=0)`: an operation has made an array with `more` axes than `x` has; gives what it made.
pub(super) fn relate_rank(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let (Some(made), Some(of)) = (args.get(0, "made"), args.get(1, "x")) else {
        return Ok(unknown_because("relate_rank() of two arrays"));
    };
    let more = match args.get(2, "more") {
        Some(Value::Int(more)) => *more,
        None => 0,
        Some(_) => return Ok(made.clone()),
    };
    interp.relate_rank(made, of, more);
    Ok(made.clone())
}

/// `count_axes(made, sizes)`: an operation has made an array with as many axes as there are sizes; gives what it made.
pub(super) fn count_axes(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [made, sizes] = args.positional.as_slice() else {
        return Ok(unknown_because("count_axes() of an array and sizes"));
    };
    if let Some(count) = interp.iterate_quietly(sizes).as_ref().and_then(Seq::count_integers) {
        interp.count_axes(made, &count);
    }
    Ok(made.clone())
}

/// `is_assuming()`: whether shapes are shown, nothing is reported, and what is usual may be taken for granted.
pub(super) fn is_assuming(interp: &mut Interp<'_>, _args: &CallArgs) -> Flow {
    Ok(Value::Bool(interp.analysis.assumes))
}

/// `open_broadcast(made, a, b)`: what is known of the shape of an array that two operands, of which one has an open
/// rank, broadcast to; gives the array.
pub(super) fn open_broadcast(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [made, a, b] = args.positional.as_slice() else {
        return Ok(unknown_because("open_broadcast() of two operands"));
    };
    let rank_of = |interp: &Interp<'_>, value: &Value| interp.array_of(value).and_then(|array| array.rank.clone());
    let sizes_at_end = |interp: &Interp<'_>, value: &Value| match interp.array_of(value).map(|array| &array.shape) {
        Some(Shape::Known(dims) | Shape::Suffix(dims)) => Some(dims.to_vec()),
        Some(Shape::Prefix(_)) => Some(Vec::new()),
        // A number has no axes; what may be anything may be an array of any shape.
        None => value.kind().map(|_| Vec::new()),
    };
    let (Some(left), Some(right)) = (sizes_at_end(interp, a), sizes_at_end(interp, b)) else { return Ok(made.clone()) };
    let is_number =
        |interp: &Interp<'_>, value: &Value| interp.array_of(value).is_none_or(|array| array.shape.rank() == Some(0));
    let (a_is_number, b_is_number) = (is_number(interp, a), is_number(interp, b));
    let same_shape = !a_is_number
        && !b_is_number
        && rank_of(interp, a).is_some()
        && rank_of(interp, a) == rank_of(interp, b)
        && interp.array_of(a).map(|array| &array.shape) == interp.array_of(b).map(|array| &array.shape);
    if same_shape || a_is_number || b_is_number {
        let like = if a_is_number { b } else { a };
        if let Some(shape) = interp.array_of(like).map(|array| array.shape.clone()) {
            interp.learn_shape(made, shape);
            interp.share_rank(made, like);
        }
        return Ok(made.clone());
    }
    let mut merged: Vec<Dim> = Vec::new();
    for (x, y) in left.iter().rev().zip(right.iter().rev()) {
        let size = if interp.compare_dims(x, Cmp::Eq, y) == ThreeValued::True || y.as_const() == Some(1) {
            x.clone()
        } else if x.as_const() == Some(1) {
            y.clone()
        } else {
            break;
        };
        merged.push(size);
    }
    merged.reverse();
    let least = left.len().max(right.len());
    let is_longer = least > merged.len();
    interp.learn_shape(made, Shape::ending(merged));
    if is_longer && let Some(rank) = interp.rank_symbol(made) {
        interp.assume_at_least(&Value::Dim(rank), least as i128);
    }
    if rank_of(interp, a).is_some() && rank_of(interp, a) == rank_of(interp, b) {
        interp.share_rank(made, a);
    }
    Ok(made.clone())
}
