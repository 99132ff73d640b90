//! Primitives about shapes, which the models of array libraries stand on.
//!
//! Each works on symbolic sizes: what is certain to fail becomes a finding that shows the shapes, where they were
//! made and which axis fails; what is open becomes a fact.

#![expect(clippy::unnecessary_wraps, reason = "primitives share one signature")]

mod array_like;
mod broadcast;
mod demand;
mod einsum;
mod elements;
mod elementwise;
mod index;
mod matmul;
mod operand_fixes;
mod promote;
mod reshape;
mod sizes;
mod slices;
mod store;

use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::{CallArgs, Native};
use pytrope_eval::object::Object;
use pytrope_eval::value::{Seq, Value};

use sizes::{SizesArgument, nothing_known};

/// The primitives of this module, by the names model files import them under.
pub static PRIMITIVES: &[Native] = &[
    Native::new("array_like", array_like::array_like),
    Native::new("nested_shape", array_like::array_like),
    Native::new("alike", array_like::alike_rows),
    Native::new("broadcast", broadcast::broadcast),
    Native::new("matmul_shape", matmul::matmul_shape),
    Native::new("reshape_shape", reshape::reshape_shape),
    Native::new("index_shape", index::index_shape),
    Native::new("store_check", store::store_check),
    Native::new("einsum_shape", einsum::einsum_shape),
    Native::new("elements", elements::elements),
    Native::new("elementwise", elementwise::elementwise),
    Native::new("result_dtype", elementwise::result_dtype),
    Native::new("make", elementwise::make_result),
    Native::new("promote", promote::promote),
    Native::new("product", shape_product),
    Native::new("has_rank", has_rank),
    Native::new("ranked", is_ranked),
    Native::new("repeat", repeat_item),
];

/// `product(shape)`: the number of elements.
fn shape_product(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(shape) = args.first() else { return Ok(nothing_known("the product of nothing")) };
    Ok(match SizesArgument::read(interp, shape) {
        SizesArgument::Known(dims) => match pytrope_dims::Dim::product(&dims) {
            Some(count) => Value::dim(count),
            None => nothing_known("a product of sizes that is too large to follow"),
        },
        SizesArgument::Open => nothing_known("the product of an unknown shape"),
    })
}

/// `has_rank(shape)`: whether the number of axes is known; always decided.
fn has_rank(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let known = args.first().is_some_and(|shape| match shape {
        Value::Tuple(seq) => seq.as_exact().is_some(),
        Value::Range(parts) => parts.iter().all(|part| matches!(part, Value::Int(_))),
        Value::Obj(addr) => matches!(interp.object_at(*addr), Object::List(Seq::Exact(_))),
        _ => false,
    });
    if !known {
        interp.tell_passed_over(|_| "the rank is not known".to_owned());
    }
    Ok(Value::Bool(known))
}

/// `ranked(a)`: whether `a` is an array whose number of axes is known; always decided.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
fn is_ranked(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let array = args.first().and_then(|value| interp.array_of(value));
    let known = array.is_some_and(|array| array.shape.rank().is_some());
    if !known {
        interp.tell_passed_over(|_| "the rank is not known".to_owned());
    }
    Ok(Value::Bool(known))
}

/// How many equal items are listed one by one.
const LISTED: i64 = 24;

/// `repeat(item, length)`: a list of equal items, whose length may be symbolic.
fn repeat_item(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let (Some(item), Some(length)) = (args.positional.first(), args.positional.get(1)) else {
        return Ok(nothing_known("a repetition"));
    };
    let seq = match length {
        Value::Int(count) if (0..=LISTED).contains(count) => Seq::exact(vec![item.clone(); *count as usize]),
        Value::Int(_) | Value::Dim(_) => Seq::open(Vec::new(), item.clone(), length.clone()),
        _ => interp.open_seq(item.clone()),
    };
    Ok(interp.new_object(Object::List(seq)))
}
