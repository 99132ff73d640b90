//! Elementwise operations as a whole: operands seen as arrays, broadcast, their element type, small known elements.

use pytrope_dims::ThreeValued;
use pytrope_dims::{Cmp, Dim};
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::object::{Key, Object};
use pytrope_eval::value::{Seq, Value};
use pytrope_source::Span;

use super::array_like::{Described, describe_operand};
use super::broadcast::broadcast_together;
use super::demand::{DemandFailure, DemandStep, ErrorClass, fail_operation, finish_primitive};
use super::promote::{common_dtype, strong_name};
use super::sizes::{SizesArgument, birth_place, exact_items, is_true, last_sizes, nothing_known, shape_value};

/// How many elements are computed.
const ELEMENTS: usize = 32;

/// `elementwise(base, rule, op, operands)`: `(shape, dtype, values)` of the result, or Unknown when an operand may be
/// anything or is an array of another library (whose class does not derive from `base`).
pub(super) fn elementwise(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let result = run(interp, args);
    finish_primitive(result)
}

fn run(interp: &mut Interp<'_>, args: &CallArgs) -> DemandStep<Value> {
    let [base, rule, op, operands] = args.positional.as_slice() else { return Ok(nothing_known("an operation")) };
    let (Some(rule), Some(operands)) = (rule.as_str(), exact_items(interp, operands)) else {
        return Ok(nothing_known("an operation on unknown operands"));
    };
    let mut shapes = Vec::with_capacity(operands.len());
    let mut names = Vec::with_capacity(operands.len());
    let mut elements = Vec::with_capacity(operands.len());
    let mut open = false;
    let mut endings = Vec::new();
    for operand in &operands {
        let foreign = |interp: &mut Interp<'_>, value: &Value| {
            interp.array_of(value).is_some() && interp.is_instance(value, base) != ThreeValued::True
        };
        if operand.alternatives().iter().any(|alternative| foreign(interp, alternative)) {
            return Ok(nothing_known("an operation with an array of another library"));
        }
        let Described::Array { shape, dtype, values } = describe_operand(interp, operand)? else {
            return Ok(nothing_known("an operation on an unknown operand"));
        };
        match shape {
            SizesArgument::Known(dims) => shapes.push((dims, birth_place(interp, operand))),
            SizesArgument::Open => {
                open = true;
                if let Some(dims) = last_sizes(interp, operand) {
                    endings.push((dims, birth_place(interp, operand)));
                }
            }
        }
        names.push(dtype);
        elements.push(values);
    }
    let class = ErrorClass::builtin_class(interp, "ValueError");
    let shape = if open {
        last_axes_fit(interp, &shapes, endings, &class)?;
        None
    } else if let [(dims, _)] = shapes.as_slice() {
        Some(dims.clone())
    } else {
        Some(broadcast_together(interp, &shapes, &class, "broadcast-mismatch")?)
    };
    let dtype = result_type(interp, rule, &names)?;
    let values = match (op.as_str(), &shape) {
        (Some(op), Some(dims)) => computed(interp, op, &shapes, &elements, dims),
        _ => None,
    };
    let shape = if let Some(dims) = shape {
        shape_value(dims)
    } else {
        let size = interp.any_natural();
        Value::Tuple(interp.open_seq(size))
    };
    let dtype = dtype.map_or_else(|| nothing_known("an unknown dtype"), |name| Value::str(&name));
    Ok(Value::tuple(vec![shape, dtype, values.map_or(Value::None, Value::tuple)]))
}

/// Where ranks are open, the axes that are known at the end of each operand must still broadcast.
fn last_axes_fit(
    interp: &mut Interp<'_>,
    shapes: &[(Vec<Dim>, Option<Span>)],
    endings: Vec<(Vec<Dim>, Option<Span>)>,
    class: &ErrorClass,
) -> DemandStep<()> {
    let Some(common) = endings.iter().map(|(dims, _)| dims.len()).min() else { return Ok(()) };
    let mut ends = endings;
    ends.extend(shapes.iter().cloned());
    for (dims, _) in &mut ends {
        dims.drain(..dims.len().saturating_sub(common));
    }
    broadcast_together(interp, &ends, class, "broadcast-mismatch").map(|_| ())
}

/// `result_dtype(rule, dtypes)`: the element type a ufunc of the rule yields.
pub(super) fn result_dtype(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let (Some(rule), Some(names)) = (args.positional.first().and_then(Value::as_str), args.positional.get(1)) else {
        return Ok(nothing_known("an unknown dtype"));
    };
    let Some(names) = exact_items(interp, names) else { return Ok(nothing_known("an unknown dtype")) };
    let names: Vec<Option<&'static str>> =
        names.iter().map(|name| name.as_str().and_then(super::array_like::known_name)).collect();
    let result = result_type(interp, rule, &names);
    finish_primitive(
        result.map(|name| name.map_or_else(|| nothing_known("an unknown dtype"), |name| Value::str(&name))),
    )
}

fn result_type(interp: &mut Interp<'_>, rule: &str, names: &[Option<&'static str>]) -> DemandStep<Option<String>> {
    if rule == "compare" {
        return Ok(Some("bool".to_owned()));
    }
    let Some(known) = names.iter().copied().collect::<Option<Vec<&str>>>() else { return Ok(None) };
    if rule == "test" {
        return Ok(Some("bool".to_owned()));
    }
    let Some(name) = common_dtype(&known) else { return Ok(None) };
    let name = strong_name(&name).to_owned();
    let is_bool = name == "bool";
    let is_complex = name.starts_with("complex");
    let is_float = name.starts_with("float");
    let refuse = |interp: &mut Interp<'_>, what: &str| -> DemandStep<Option<String>> {
        let class = ErrorClass::builtin_class(interp, "TypeError");
        fail_operation(interp, &class, DemandFailure::new("bad-operand", format!("{what} is not defined for {name}")))
    };
    let single = |name: &str| match name {
        "bool" | "int8" | "uint8" => "float16".to_owned(),
        "int16" | "uint16" => "float32".to_owned(),
        other if other.starts_with("int") || other.starts_with("uint") => "float64".to_owned(),
        other => other.to_owned(),
    };
    Ok(Some(match rule {
        "arithmetic" => name,
        "subtract" if is_bool => return refuse(interp, "subtraction"),
        "numeric" if is_bool => return refuse(interp, "the operation"),
        "subtract" | "numeric" => name,
        "divide" => {
            if is_float || is_complex {
                name
            } else {
                "float64".to_owned()
            }
        }
        "float" => single(&name),
        "real float" | "rounding" | "ordered" if is_complex => return refuse(interp, "the operation"),
        "real float" => single(&name),
        "rounding" => name,
        "ordered" | "power" | "shift" if is_bool => "int8".to_owned(),
        "ordered" | "power" => name,
        "magnitude" => match name.as_str() {
            "complex64" => "float32".to_owned(),
            "complex128" => "float64".to_owned(),
            _ => name,
        },
        "integer" | "shift" if is_float || is_complex => return refuse(interp, "a bitwise operation"),
        "integer" | "shift" => name,
        "divisor" if is_float || is_complex || is_bool => return refuse(interp, "the operation"),
        "divisor" => name,
        "wide" => if is_complex { "complex128" } else { "float64" }.to_owned(),
        _ => return Ok(None),
    }))
}

/// The elements of a result, where all operands are integers that are known, of the result's shape or single.
fn computed(
    interp: &mut Interp<'_>,
    op: &str,
    shapes: &[(Vec<Dim>, Option<pytrope_source::Span>)],
    elements: &[Option<Vec<Value>>],
    result: &[Dim],
) -> Option<Vec<Value>> {
    let count = usize::try_from(Dim::product(result)?.as_const()?).ok().filter(|count| *count <= ELEMENTS)?;
    if is_logical(op) {
        return decide_mask(interp, op, shapes, elements, result.len(), count);
    }
    let mut columns: Vec<Vec<Dim>> = Vec::new();
    for ((dims, _), values) in shapes.iter().zip(elements) {
        let values = values.as_ref()?;
        if values.len() != 1 && (values.len() != count || dims.len() != result.len()) {
            return None;
        }
        let numbers: Option<Vec<Dim>> =
            values.iter().map(|value| if matches!(value, Value::Bool(_)) { None } else { value.as_dim() }).collect();
        columns.push(numbers?);
    }
    (0..count)
        .map(|place| {
            let at = |column: &Vec<Dim>| if column.len() == 1 { column[0].clone() } else { column[place].clone() };
            let a = at(columns.first()?);
            let b = columns.get(1).map(at);
            compute_one(interp, op, &a, b.as_ref()).map(Value::dim)
        })
        .collect()
}

/// Comparisons, and operations between truth values.
fn is_logical(op: &str) -> bool {
    comparison_operator(op).is_some() || matches!(op, "bitwise_and" | "bitwise_or" | "bitwise_xor" | "invert")
}

fn comparison_operator(op: &str) -> Option<Cmp> {
    Some(match op {
        "less" => Cmp::Lt,
        "less_equal" => Cmp::Le,
        "greater" => Cmp::Gt,
        "greater_equal" => Cmp::Ge,
        "equal" => Cmp::Eq,
        "not_equal" => Cmp::Ne,
        _ => return None,
    })
}

/// The elements of a mask, if all of them are decided.
fn decide_mask(
    interp: &Interp<'_>,
    op: &str,
    shapes: &[(Vec<Dim>, Option<pytrope_source::Span>)],
    elements: &[Option<Vec<Value>>],
    rank: usize,
    count: usize,
) -> Option<Vec<Value>> {
    let mut columns: Vec<&Vec<Value>> = Vec::new();
    for ((dims, _), values) in shapes.iter().zip(elements) {
        let values = values.as_ref()?;
        if values.len() != 1 && (values.len() != count || dims.len() != rank) {
            return None;
        }
        columns.push(values);
    }
    (0..count)
        .map(|place| {
            let at = |column: &&Vec<Value>| if column.len() == 1 { column[0].clone() } else { column[place].clone() };
            let (a, b) = (at(columns.first()?), columns.get(1).map(at));
            decide_element(interp, op, &a, b.as_ref()).map(Value::Bool)
        })
        .collect()
}

fn decide_element(interp: &Interp<'_>, op: &str, a: &Value, b: Option<&Value>) -> Option<bool> {
    if let Some(cmp) = comparison_operator(op) {
        // Between an integer and a float the comparison is not exact for large numbers: only alike kinds are compared.
        let (Value::Int(_) | Value::Dim(_), Some(Value::Int(_) | Value::Dim(_))) = (a, b) else { return None };
        return match interp.compare_dims(&a.as_dim()?, cmp, &b?.as_dim()?) {
            ThreeValued::True => Some(true),
            ThreeValued::False => Some(false),
            ThreeValued::Open(_) => None,
        };
    }
    match (op, a, b) {
        ("invert", Value::Bool(a), None) => Some(!a),
        ("bitwise_and", Value::Bool(a), Some(Value::Bool(b))) => Some(a & b),
        ("bitwise_or", Value::Bool(a), Some(Value::Bool(b))) => Some(a | b),
        ("bitwise_xor", Value::Bool(a), Some(Value::Bool(b))) => Some(a ^ b),
        _ => None,
    }
}

fn compute_one(interp: &Interp<'_>, op: &str, a: &Dim, b: Option<&Dim>) -> Option<Dim> {
    let divisor = |b: &Dim| is_true(interp, b, Cmp::Gt, &Dim::ZERO);
    match (op, b) {
        ("add", Some(b)) => a.plus(b),
        ("subtract", Some(b)) => a.minus(b),
        ("multiply", Some(b)) => a.times(b),
        ("floor_divide", Some(b)) if divisor(b) => a.floor_div(b),
        ("remainder", Some(b)) if divisor(b) => a.modulo(b),
        ("maximum", Some(b)) => a.greater(b),
        ("minimum", Some(b)) => a.lesser(b),
        ("negative", None) => a.negated(),
        ("positive", None) => Some(a.clone()),
        ("square", None) => a.times(a),
        _ => None,
    }
}

/// `make(array_class, scalar_classes, shape, dtype, values)`: an array, or at rank 0 a scalar of the class that
/// the dictionary has for the dtype; an element of unknown type is Unknown.
pub(super) fn make_result(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [class, scalars, shape, dtype, values] = args.positional.as_slice() else {
        return Ok(nothing_known("an array"));
    };
    let read = SizesArgument::read(interp, shape);
    let values = match values {
        Value::Tuple(Seq::Exact(values)) => Some(values.to_vec()),
        _ => None,
    };
    let (class, dims) = match read {
        SizesArgument::Open => {
            return Ok(interp.new_array(class.clone(), pytrope_eval::object::Shape::unknown(), dtype.clone(), None));
        }
        SizesArgument::Known(dims) if dims.is_empty() => {
            let Some(name) = dtype.as_str() else { return Ok(nothing_known("an element of unknown type")) };
            let entry = match scalars.addr().map(|addr| interp.object_at(addr)) {
                Some(Object::Dict(mapping)) => {
                    mapping.entries.get(&Key::Str(name.into())).map(|entry| entry.value.clone())
                }
                _ => None,
            };
            match entry {
                Some(class) => (class, dims),
                None => return Ok(nothing_known("an element of unknown type")),
            }
        }
        SizesArgument::Known(dims) => (class.clone(), dims),
    };
    Ok(interp.new_array(class, pytrope_eval::object::Shape::known(dims), dtype.clone(), values))
}
