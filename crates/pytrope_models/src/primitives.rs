//! The module `_pytrope`: what model files can ask of the interpreter. Shapes proper are in [`crate::arrays`].

mod classes;
mod copies;
mod documents;
mod functions;
mod lifting;
mod members;
mod named_classes;
mod patterns;
mod refining;
mod regex_groups;
mod regexes;
mod requirements;
mod settings;

use std::sync::Arc;

use pytrope_dims::Dim;
use pytrope_dims::ThreeValued;
use pytrope_eval::IntoValue;
use pytrope_eval::constants::{self, Computed};
use pytrope_eval::{
    BuiltinType, CallArgs, Cond, Flow, Interp, Name, Native, Object, Reason, Seq, Shape, Value, from_const, to_const,
};

/// The primitives of this module.
pub static PRIMITIVES: &[Native] = &[
    Native::new("array", make_array),
    Native::new("shape_of", shape_of),
    Native::new("last_sizes_of", last_sizes_of),
    Native::new("set_last_sizes", set_last_sizes),
    Native::new("dtype_of", dtype_of),
    Native::new("values_of", values_of),
    Native::new("has_values", has_values),
    Native::new("set_shape", set_shape),
    Native::new("set_dtype", set_dtype),
    Native::new("set_values", set_values),
    Native::new("view_of", view_of),
    Native::new("perhaps_same", perhaps_same),
    Native::new("is_array", is_array),
    Native::new("array_test", named_classes::array_test),
    Native::new("array_maker", named_classes::array_maker),
    Native::new("array_arg", refining::array_arg),
    Native::new("size_arg", refining::size_arg),
    Native::new("learn_last_sizes", refining::learn_last_sizes),
    Native::new("learn_rank", refining::learn_rank),
    Native::new("assume_rank", refining::assume_rank),
    Native::new("share_rank", refining::share_rank),
    Native::new("relate_rank", refining::relate_rank),
    Native::new("count_axes", refining::count_axes),
    Native::new("is_assuming", refining::is_assuming),
    Native::new("open_broadcast", refining::open_broadcast),
    Native::new("unknown", unknown),
    Native::new("is_unknown", is_unknown),
    Native::new("is_constant", is_constant),
    Native::new("fresh", fresh_size),
    Native::new("some", some_instance),
    Native::new("compute", compute_constant),
    Native::new("proved", requirements::proved),
    Native::new("refuted", requirements::refuted),
    Native::new("require", requirements::require).idle_if_true(),
    Native::new("warn", requirements::warn),
    Native::new("dataclass", classes::dataclass),
    Native::new("fields_of", classes::fields_of),
    Native::new("loaded_module", classes::loaded_module),
    Native::new("closed_world", classes::closed_world),
    Native::new("setting", settings::read_setting),
    Native::new("set_setting", settings::change_setting),
    Native::new("is_uncalled", settings::is_uncalled),
    Native::new("is_untracked", settings::is_untracked),
    Native::new("pattern_tokens", patterns::pattern_tokens),
    Native::new("regex_matches", regexes::regex_matches),
    Native::new("regex_groups", regex_groups::regex_groups),
    Native::new("json_problem", documents::json_problem),
    Native::new("lifted", lifting::lifted),
    Native::new("compiled", functions::compiled_function),
    Native::new("call_back", functions::call_back),
    Native::new("leaves_exceptions", functions::leaves_exceptions),
    Native::new("standard", standard_value),
    Native::new("havoc", havoc_argument),
    Native::new("may_hold", copies::may_hold),
    Native::new("set_attrs", members::set_attrs),
    Native::new("own_attributes", members::own_attributes),
    Native::new("update_own_attributes", members::update_own_attributes),
    Native::new("delete_own_attribute", members::delete_own_attribute),
    Native::new("plain_mapping", members::plain_mapping),
    Native::new("set_module_attr", members::set_module_attr),
    Native::new("parameters_of", functions::parameters_of),
    Native::new("deep_copy", copies::deep_copy),
    Native::new("copy_of_other_member", copies::copy_of_other_member),
    Native::new("shallow_copy", functions::shallow_copy),
];

/// `standard()`: something of the standard library; as a manager it leaves exceptions alone.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
fn standard_value(_: &mut Interp<'_>, _: &CallArgs) -> Flow {
    Ok(Value::Unknown(Reason::Standard))
}

fn unknown_because(why: &str) -> Value {
    Value::Unknown(Reason::Model(Name::new(why)))
}

/// A shape from what a model passes: a sequence of sizes, an open one, or anything.
fn shape_from(interp: &mut Interp<'_>, value: &Value) -> Shape {
    let seq = match value {
        Value::Unknown(_) | Value::UnknownNotNone(_) => return Shape::unknown(),
        other => interp.iterate_quietly(other),
    };
    let sizes = |interp: &mut Interp<'_>, items: &[Value]| -> Vec<Dim> {
        items
            .iter()
            .map(|item| {
                let item = interp.resolve_lazy(item.clone());
                let size = interp.as_index(&item).or_else(|| interp.expect_integer(&item, Some(0)));
                size.and_then(|size| size.as_dim()).unwrap_or_else(|| interp.fresh_dim(None, Some(0)))
            })
            .collect()
    };
    match seq {
        Some(Seq::Exact(items)) => Shape::known(sizes(interp, &items)),
        Some(Seq::Open(open)) => Shape::Prefix(Arc::new(sizes(interp, &open.prefix))),
        None => Shape::unknown(),
    }
}

fn values_from(interp: &mut Interp<'_>, value: Option<&Value>) -> Option<Vec<Value>> {
    let value = value?;
    if *value == Value::None || value.is_unknown() {
        return None;
    }
    interp.exact_items(value)
}

/// `array(cls, shape, dtype=None, values=None)`.
fn make_array(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(class) = args.get(0, "cls").cloned() else { return Ok(unknown_because("array() without a class")) };
    Ok(make_array_of(interp, class, args))
}

/// An array of a class, by the arguments behind it.
fn make_array_of(interp: &mut Interp<'_>, class: Value, args: &CallArgs) -> Value {
    let Some(shape) = args.get(1, "shape").cloned() else { return unknown_because("array() without a shape") };
    // An array as a shape: its own, as far as it is known.
    let like = interp.array_of(&shape).map(|array| array.shape.clone()).map(|known| (known, shape.clone()));
    let sizes = shape.clone();
    let shape = like.as_ref().map_or_else(|| shape_from(interp, &shape), |(known, _)| known.clone());
    let is_counted = like.is_none() && matches!(shape, Shape::Prefix(_));
    let dtype = match args.get(2, "dtype") {
        None | Some(Value::None) => unknown_because("no dtype"),
        Some(dtype) => dtype.clone(),
    };
    let values = values_from(interp, args.get(3, "values"));
    let made = interp.new_array(class, shape, dtype, values);
    if let Some((_, of)) = like {
        interp.share_rank(&made, &of);
    }
    if is_counted && let Some(count) = interp.iterate_quietly(&sizes).as_ref().and_then(Seq::count_integers) {
        interp.count_axes(&made, &count);
    }
    made
}

/// `shape_of(a)`: a tuple, open if the rank is.
fn shape_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(unknown_because("the shape of nothing")) };
    let Some(array) = interp.array_of(value) else {
        return Ok(unknown_because("the shape of something that is not an array"));
    };
    let shape = array.shape.clone();
    Ok(match shape {
        Shape::Known(dims) => Value::tuple(dims.iter().map(|dim| Value::dim(dim.clone())).collect()),
        Shape::Prefix(_) | Shape::Suffix(_) => open_shape_of(interp, value),
    })
}

/// The shape of an array of open rank: a tuple whose first sizes may be known, and whose length is the array's rank.
pub(crate) fn open_shape_of(interp: &mut Interp<'_>, array: &Value) -> Value {
    let prefix = match interp.array_of(array).map(|array| &array.shape) {
        Some(Shape::Prefix(dims)) => dims.iter().map(|dim| Value::dim(dim.clone())).collect(),
        _ => Vec::new(),
    };
    let size = interp.any_natural();
    match interp.rank_symbol(array) {
        Some(rank) => Value::Tuple(Seq::open(prefix, size, Value::dim(rank))),
        None => Value::Tuple(interp.open_seq(size)),
    }
}

/// `last_sizes_of(a)`: what is known at the end of a shape whose rank is open.
fn last_sizes_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let dims = match args.first().and_then(|value| interp.array_of(value)).map(|array| &array.shape) {
        Some(Shape::Suffix(dims) | Shape::Known(dims)) => dims.iter().map(|dim| Value::dim(dim.clone())).collect(),
        Some(Shape::Prefix(_)) | None => Vec::new(),
    };
    Ok(Value::tuple(dims))
}

/// `set_last_sizes(a, sizes)`: the rank stays open, the last sizes are these.
fn set_last_sizes(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [array, sizes] = args.positional.as_slice()
        && let Shape::Known(dims) = shape_from(interp, sizes)
    {
        interp.update_array(array, |array| array.shape = Shape::ending(dims.to_vec()));
        interp.record_reshaped(array);
        interp.reshaped_in_place(array);
    }
    Ok(Value::None)
}

fn dtype_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(args
        .first()
        .and_then(|value| interp.array_of(value))
        .map_or_else(|| unknown_because("no array"), |array| array.dtype.clone()))
}

/// `values_of(a)`: all elements, or None if one of them is not known exactly.
fn values_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let values = args.first().and_then(|value| interp.array_of(value)).and_then(|array| array.exact_values().cloned());
    Ok(values.map_or(Value::None, |values| Value::Tuple(Seq::Exact(values))))
}

/// `has_values(*operands)`: whether something is known of the elements of every array among them; always decided.
fn has_values(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let mut arrays = args.positional.iter().filter_map(|operand| interp.array_of(operand)).peekable();
    Ok(Value::Bool(arrays.peek().is_some() && arrays.all(|array| array.values.is_some())))
}

fn set_shape(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [array, shape] = args.positional.as_slice() {
        let shape = shape_from(interp, shape);
        interp.update_array(array, |array| array.shape = shape);
        interp.record_reshaped(array);
        interp.reshaped_in_place(array);
    }
    Ok(Value::None)
}

fn set_dtype(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [array, dtype] = args.positional.as_slice() {
        let dtype = dtype.clone();
        interp.update_array(array, |array| array.dtype = dtype);
        interp.reshaped_in_place(array);
    }
    Ok(Value::None)
}

/// `view_of(view, base)`: the two share their memory; gives the view.
fn view_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [view, base] = args.positional.as_slice() else { return Ok(unknown_because("no view")) };
    interp.share_memory(view, base);
    Ok(view.clone())
}

/// `perhaps_same(result, x)`: the result may be `x` itself, if that is an array like it; gives the result.
fn perhaps_same(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [result, other] = args.positional.as_slice() else { return Ok(unknown_because("no array")) };
    if let (Some(made), Some(given)) = (interp.array_of(result), interp.array_of(other)) {
        let ranks_differ = matches!((made.shape.rank(), given.shape.rank()), (Some(a), Some(b)) if a != b);
        let dtypes_differ = matches!((&made.dtype, &given.dtype), (Value::Str(a), Value::Str(b)) if a != b);
        if !ranks_differ && !dtypes_differ {
            interp.share_memory(result, other);
            interp.mark_may_alias(&[other.clone(), result.clone()]);
        }
    }
    Ok(result.clone())
}

fn set_values(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let Some(array) = args.first() {
        let values = values_from(interp, args.positional.get(1)).filter(|values| values.len() <= 256).map(Arc::new);
        interp.forget_values(array);
        if values.is_some() && !array.addr().is_some_and(|addr| interp.may_alias(addr)) {
            interp.update_array(array, |array| array.values = values);
        }
    }
    Ok(Value::None)
}

/// `is_array(x, cls=None)`: decided for everything but Unknown.
fn is_array(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::FALSE) };
    let class = args.get(1, "cls").filter(|class| **class != Value::None);
    Ok(is_array_of(interp, value, class))
}

fn is_array_of(interp: &Interp<'_>, value: &Value, class: Option<&Value>) -> Value {
    let mut verdict: Option<ThreeValued<Cond>> = None;
    for alternative in value.alternatives() {
        let tri = match alternative {
            Value::Unknown(_) | Value::UnknownNotNone(_) => ThreeValued::opaque(),
            other => match interp.array_of(other) {
                None => match other.addr().map(|addr| interp.object_at(addr)) {
                    Some(Object::Unknown) => ThreeValued::opaque(),
                    _ => ThreeValued::False,
                },
                Some(_) => match class {
                    None => ThreeValued::True,
                    Some(class) => interp.is_instance(other, class),
                },
            },
        };
        verdict = Some(match verdict {
            None => tri,
            Some(so_far) if so_far == tri => so_far,
            Some(_) => ThreeValued::Open(Cond::Opaque),
        });
    }
    verdict.unwrap_or(ThreeValued::False).into_value()
}

fn unknown(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(unknown_because(args.first().and_then(Value::as_str).unwrap_or("not modelled")))
}

fn is_unknown(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let reason = args.first().filter(|value| value.is_unknown()).and_then(Value::reason);
    if let Some(reason) = reason {
        // A model asks this to leave out a rule that needs the value.
        interp.tell_passed_over(|_| reason.reason_text());
    }
    Ok(Value::Bool(reason.is_some()))
}

fn is_constant(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(Value::Bool(args.first().is_some_and(|value| interp.is_constant(value))))
}

/// `fresh("what it is")`: a size without a name, shown as `?` until the program binds it to one.
#[expect(clippy::unnecessary_wraps, reason = "primitives share one signature")]
fn fresh_size(interp: &mut Interp<'_>, _: &CallArgs) -> Flow {
    Ok(interp.any_natural())
}

/// `some(cls, name=None)`: any instance of a builtin class; an integer is shown by the name.
fn some_instance(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let kind = args.first().and_then(Value::addr).and_then(|addr| interp.class_at(addr)).and_then(|class| class.kind);
    let Some(kind) = kind else { return Ok(unknown_because("some instance")) };
    let value = interp.top_of(kind);
    if let (Some(name), Value::Dim(dim)) = (args.positional.get(1).and_then(Value::as_str), &value)
        && let Some(sym) = dim.as_symbol()
    {
        interp.name_symbol(sym, Name::new(name));
    }
    Ok(value)
}

/// `compute(name, *args)`: a pure function of the standard library on constants.
fn compute_constant(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some((name, rest)) = args.positional.split_first() else { return Ok(unknown_because("compute")) };
    let Some(name) = name.as_str() else { return Ok(unknown_because("compute")) };
    let top = Value::Top(BuiltinType::Float);
    let constants: Option<Vec<_>> = rest.iter().map(to_const).collect();
    let Some(constants) = constants else { return Ok(top) };
    match constants::compute(name, &constants) {
        Some(Computed::Value(value)) => Ok(from_const(value)),
        Some(Computed::Raises(raised)) => interp.raise_error("other-error", raised.class, raised.message),
        Some(Computed::TooBig) => Ok(unknown_because("too big")),
        None => Ok(unknown_because("not computed")),
    }
}

/// `havoc(x)`: the library may change what it is given in ways that are not modelled.
fn havoc_argument(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    for value in args.values() {
        interp.havoc_reachable(value);
    }
    Ok(Value::None)
}
