//! Elements of small tensors, computed as the library computes them: integers exactly, floats in their own precision.
//!
//! Sums, products and quotients of floats are rounded as IEEE 754 says, so they are known to the last bit. Logarithms and
//! powers are not: each library has its own last digits. Their results are kept as a pair of bounds, and become plain
//! numbers again when rounding leaves one integer between the bounds.

use pytrope_dims::ThreeValued;
use pytrope_dims::{Cmp, Dim};
use pytrope_eval::interp::{Flow, Interp};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::{Seq, Value};

use super::sizes::SizesArgument;

/// How many elements are computed.
const ELEMENTS: usize = 64;

/// By how many units in the last place a library's logarithm or power may be off.
const SLACK: i32 = 8;

/// `elements(op, dtype, shape, *operands)`: the elements of a result, or None where one of them is not known.
pub(super) fn elements(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(compute_elements(interp, args).map_or(Value::None, Value::tuple))
}

fn compute_elements(interp: &mut Interp<'_>, args: &CallArgs) -> Option<Vec<Value>> {
    let [op, dtype, shape, operands @ ..] = args.positional.as_slice() else { return None };
    // Most tensors are large: nothing is read before that is known.
    let is_open = |operand: &Value| interp.array_of(operand).is_some_and(|array| array.values.is_none());
    if operands.iter().any(is_open) {
        return None;
    }
    let (op, format) = (op.as_str()?, ElementFormat::named(dtype.as_str()?)?);
    let SizesArgument::Known(result) = SizesArgument::read(interp, shape) else { return None };
    let count = usize::try_from(Dim::product(&result)?.as_const()?).ok().filter(|count| *count <= ELEMENTS)?;
    let mut columns = Vec::with_capacity(operands.len());
    for operand in operands {
        let column = match interp.array_of(operand) {
            Some(array) => array.values.as_ref()?.iter().map(ElementNumber::read).collect::<Option<Vec<_>>>()?,
            None => vec![ElementNumber::read(operand)?],
        };
        let is_alike = interp.array_of(operand).is_some_and(|array| array.shape.rank() == Some(result.len()));
        if column.len() != 1 && (column.len() != count || !is_alike) {
            return None;
        }
        columns.push(column);
    }
    (0..count)
        .map(|place| {
            let at = |column: &Vec<ElementNumber>| column[if column.len() == 1 { 0 } else { place }].clone();
            let a = at(columns.first()?);
            match columns.get(1) {
                Some(column) => eval_binary(interp, op, format, &a, &at(column)),
                None => eval_unary(op, format, &a),
            }
        })
        .collect()
}

/// What an element is stored as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementFormat {
    Bool,
    /// The least and the greatest integer.
    Int(i64, i64),
    Single,
    Double,
}

impl ElementFormat {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bool" => Self::Bool,
            "uint8" => Self::Int(0, 255),
            "int8" => Self::Int(i64::from(i8::MIN), i64::from(i8::MAX)),
            "int16" => Self::Int(i64::from(i16::MIN), i64::from(i16::MAX)),
            "int32" => Self::Int(i64::from(i32::MIN), i64::from(i32::MAX)),
            "int64" => Self::Int(i64::MIN, i64::MAX),
            "float32" => Self::Single,
            "float64" => Self::Double,
            _ => return None,
        })
    }

    fn round_value(self, value: f64) -> f64 {
        match self {
            Self::Single => f64::from(value as f32),
            Self::Bool | Self::Int(..) | Self::Double => value,
        }
    }

    /// Bounds around a value that is only nearly right.
    fn bounds_around(self, value: f64) -> ElementNumber {
        let unit = match self {
            Self::Single => f64::from(f32::EPSILON),
            Self::Bool | Self::Int(..) | Self::Double => f64::EPSILON,
        };
        let slack = value.abs() * unit * f64::from(SLACK) + f64::from(f32::MIN_POSITIVE);
        ElementNumber::Float(value - slack, value + slack)
    }

    fn can_hold(self, value: &Dim) -> bool {
        match (self, value.as_const()) {
            (Self::Int(least, most), Some(value)) => (i128::from(least)..=i128::from(most)).contains(&value),
            (Self::Int(..), None) => true,
            (Self::Bool | Self::Single | Self::Double, _) => false,
        }
    }
}

/// One element.
#[derive(Clone)]
enum ElementNumber {
    Bool(bool),
    Int(Dim),
    /// Between these; equal where it is known.
    Float(f64, f64),
}

impl ElementNumber {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Float(value) if value.is_finite() => Some(Self::Float(*value, *value)),
            Value::Tuple(Seq::Exact(pair)) => match pair.as_slice() {
                [Value::Float(low), Value::Float(high)] => Some(Self::Float(*low, *high)),
                _ => None,
            },
            other => other.as_dim().map(Self::Int),
        }
    }

    fn value(self) -> Option<Value> {
        match self {
            Self::Bool(value) => Some(Value::Bool(value)),
            Self::Int(value) => Some(Value::dim(value)),
            Self::Float(low, high) if !low.is_finite() || !high.is_finite() => None,
            Self::Float(low, high) if low.to_bits() == high.to_bits() => Some(Value::Float(low)),
            Self::Float(low, high) => Some(Value::tuple(vec![Value::Float(low), Value::Float(high)])),
        }
    }

    fn integer(&self) -> Option<Dim> {
        match self {
            Self::Bool(value) => Some(Dim::constant(i128::from(*value))),
            Self::Int(value) => Some(value.clone()),
            Self::Float(..) => None,
        }
    }

    /// The bounds, in the precision the operation works in.
    fn floats(&self, format: ElementFormat) -> Option<(f64, f64)> {
        match self {
            Self::Float(low, high) => Some((format.round_value(*low), format.round_value(*high))),
            Self::Bool(_) | Self::Int(_) => {
                let value = format.round_value(self.integer()?.as_const()? as f64);
                Some((value, value))
            }
        }
    }
}

fn eval_unary(op: &str, format: ElementFormat, a: &ElementNumber) -> Option<Value> {
    if op == "cast" {
        return cast_element(format, a)?.value();
    }
    if let (Some(integer), ElementFormat::Int(..)) = (a.integer(), format) {
        let result = match op {
            "neg" => integer.negated()?,
            "abs" => Dim::constant(integer.as_const()?.checked_abs()?),
            "round" | "floor" | "ceil" | "trunc" => integer,
            _ => return None,
        };
        return format.can_hold(&result).then(|| Value::dim(result));
    }
    let (low, high) = a.floats(format)?;
    let monotone = |f: fn(f64) -> f64| ElementNumber::Float(format.round_value(f(low)), format.round_value(f(high)));
    match op {
        "neg" => ElementNumber::Float(-high, -low),
        "abs" if low >= 0.0 => ElementNumber::Float(low, high),
        "abs" if high <= 0.0 => ElementNumber::Float(-high, -low),
        "round" => whole_result(f64::round_ties_even, low, high)?,
        "floor" => whole_result(f64::floor, low, high)?,
        "ceil" => whole_result(f64::ceil, low, high)?,
        "trunc" => whole_result(f64::trunc, low, high)?,
        "sqrt" if low >= 0.0 => monotone(f64::sqrt),
        "log" if low > 0.0 => spread_bounds(format, low.ln(), high.ln()),
        "log2" if low > 0.0 => spread_bounds(format, low.log2(), high.log2()),
        "exp" => spread_bounds(format, low.exp(), high.exp()),
        _ => return None,
    }
    .value()
}

/// A function with whole results: known if both bounds give the same.
fn whole_result(round: fn(f64) -> f64, low: f64, high: f64) -> Option<ElementNumber> {
    let (low, high) = (round(low), round(high));
    // Both are whole and in order.
    (high <= low).then_some(ElementNumber::Float(low, low))
}

/// The bounds of an increasing function that libraries compute nearly right.
fn spread_bounds(format: ElementFormat, low: f64, high: f64) -> ElementNumber {
    let (ElementNumber::Float(low, _), ElementNumber::Float(_, high)) =
        (format.bounds_around(low), format.bounds_around(high))
    else {
        return format.bounds_around(low);
    };
    ElementNumber::Float(low, high)
}

fn cast_element(format: ElementFormat, a: &ElementNumber) -> Option<ElementNumber> {
    Some(match (format, a) {
        (ElementFormat::Bool, ElementNumber::Bool(value)) => ElementNumber::Bool(*value),
        (ElementFormat::Bool, ElementNumber::Int(value)) => ElementNumber::Bool(value.as_const()? != 0),
        (ElementFormat::Bool, ElementNumber::Float(low, high)) if *low > 0.0 || *high < 0.0 => {
            ElementNumber::Bool(true)
        }
        (ElementFormat::Bool, ElementNumber::Float(low, high)) if *low == 0.0 && *high == 0.0 => {
            ElementNumber::Bool(false)
        }
        (ElementFormat::Bool, ElementNumber::Float(..)) => return None,
        (ElementFormat::Int(..), ElementNumber::Float(low, high)) => {
            let ElementNumber::Float(value, _) = whole_result(f64::trunc, *low, *high)? else { return None };
            // Beyond this, what a conversion gives is not defined.
            if value.abs() >= 9.0e15 {
                return None;
            }
            let value = Dim::constant(value as i128);
            format.can_hold(&value).then_some(ElementNumber::Int(value))?
        }
        (ElementFormat::Int(..), other) => {
            let value = other.integer()?;
            format.can_hold(&value).then_some(ElementNumber::Int(value))?
        }
        (ElementFormat::Single | ElementFormat::Double, other) => {
            let (low, high) = other.floats(format)?;
            ElementNumber::Float(low, high)
        }
    })
}

fn eval_binary(
    interp: &Interp<'_>,
    op: &str,
    format: ElementFormat,
    a: &ElementNumber,
    b: &ElementNumber,
) -> Option<Value> {
    if let Some(cmp) = comparison(op) {
        return compare_elements(interp, cmp, a, b).map(Value::Bool);
    }
    if let (Some(x), Some(y), ElementFormat::Int(..)) = (a.integer(), b.integer(), format) {
        let result = eval_integers(interp, op, &x, &y)?;
        return format.can_hold(&result).then(|| Value::dim(result));
    }
    let ((a0, a1), (b0, b1)) = (a.floats(format)?, b.floats(format)?);
    let corners = |f: fn(f64, f64) -> f64| {
        let all = [f(a0, b0), f(a0, b1), f(a1, b0), f(a1, b1)].map(|value| format.round_value(value));
        let low = all.iter().copied().fold(f64::INFINITY, f64::min);
        ElementNumber::Float(low, all.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    };
    match op {
        "add" => corners(|x, y| x + y),
        "sub" => corners(|x, y| x - y),
        "mul" => corners(|x, y| x * y),
        "div" if b0 > 0.0 || b1 < 0.0 => corners(|x, y| x / y),
        "maximum" => ElementNumber::Float(a0.max(b0), a1.max(b1)),
        "minimum" => ElementNumber::Float(a0.min(b0), a1.min(b1)),
        // Of a positive base, a power is monotone in both.
        "pow" if a0 > 0.0 => match (exact_power(format, (a0, a1), (b0, b1)), corners(f64::powf)) {
            (Some(value), _) => ElementNumber::Float(value, value),
            (None, ElementNumber::Float(low, high)) => spread_bounds(format, low, high),
            (None, other) => other,
        },
        _ => return None,
    }
    .value()
}

/// A whole power that can be written exactly: libraries err by less than the last digit, so they give just that.
fn exact_power(format: ElementFormat, base: (f64, f64), exponent: (f64, f64)) -> Option<f64> {
    let is_known = |(low, high): (f64, f64)| low.to_bits() == high.to_bits();
    if !is_known(base) || !is_known(exponent) || exponent.0.fract() != 0.0 || !(0.0..=32.0).contains(&exponent.0) {
        return None;
    }
    let mut product = 1.0_f64;
    for _ in 0..exponent.0 as u32 {
        let next = product * base.0;
        // The fused operation has the rounding error of the product, if there is one.
        if product.mul_add(base.0, -next) != 0.0 {
            return None;
        }
        product = next;
    }
    (format.round_value(product).to_bits() == product.to_bits()).then_some(product)
}

fn eval_integers(interp: &Interp<'_>, op: &str, a: &Dim, b: &Dim) -> Option<Dim> {
    let is_positive = |b: &Dim| interp.compare_dims(b, Cmp::Gt, &Dim::ZERO) == ThreeValued::True;
    match op {
        "add" => a.plus(b),
        "sub" => a.minus(b),
        "mul" => a.times(b),
        "floor_divide" if is_positive(b) => a.floor_div(b),
        "remainder" if is_positive(b) => a.modulo(b),
        "maximum" => a.greater(b),
        "minimum" => a.lesser(b),
        "pow" => {
            let (base, power) = (a.as_const()?, u32::try_from(b.as_const()?).ok()?);
            base.checked_pow(power).map(Dim::constant)
        }
        _ => None,
    }
}

fn comparison(op: &str) -> Option<Cmp> {
    Some(match op {
        "eq" => Cmp::Eq,
        "ne" => Cmp::Ne,
        "lt" => Cmp::Lt,
        "le" => Cmp::Le,
        "gt" => Cmp::Gt,
        "ge" => Cmp::Ge,
        _ => return None,
    })
}

fn compare_elements(interp: &Interp<'_>, cmp: Cmp, a: &ElementNumber, b: &ElementNumber) -> Option<bool> {
    if let (Some(a), Some(b)) = (a.integer(), b.integer()) {
        return match interp.compare_dims(&a, cmp, &b) {
            ThreeValued::True => Some(true),
            ThreeValued::False => Some(false),
            ThreeValued::Open(_) => None,
        };
    }
    // In which precision a library compares depends on both operands; bounds that are well apart need no answer.
    let ((a0, a1), (b0, b1)) = (a.floats(ElementFormat::Double)?, b.floats(ElementFormat::Double)?);
    let gap = (a0.abs().max(b0.abs())) * f64::from(f32::EPSILON) * 4.0;
    let (below, above) = (a1 + gap < b0, a0 > b1 + gap);
    match cmp {
        Cmp::Lt | Cmp::Le if below => Some(true),
        Cmp::Lt | Cmp::Le if above => Some(false),
        Cmp::Gt | Cmp::Ge if above => Some(true),
        Cmp::Gt | Cmp::Ge if below => Some(false),
        Cmp::Eq if below || above => Some(false),
        Cmp::Ne if below || above => Some(true),
        _ => None,
    }
}
