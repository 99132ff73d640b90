//! `abs`, `round`, `divmod`, `pow`, `min`, `max`, `sum`.

use num_traits::Signed;
use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::{BinaryOperator, Comparison};

use crate::constants::{Computed, floats, integers};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::operators::as_big;
use crate::value::{BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

pub(super) fn abs(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    interp.for_each_alternative(value, |interp, value| {
        if let Some(integer) = as_big(value) {
            return Ok(Value::big(integer.abs()));
        }
        match value {
            Value::Float(value) => Ok(Value::Float(value.abs())),
            Value::Complex(value) => Ok(Value::Float(value.0.hypot(value.1))),
            Value::Top(BuiltinType::Float | BuiltinType::Complex) => Ok(Value::Top(BuiltinType::Float)),
            Value::Dim(dim) => {
                if interp.compare_dims(dim, Cmp::Ge, &Dim::ZERO) == ThreeValued::True {
                    return Ok(value.clone());
                }
                Ok(interp.any_natural())
            }
            _ => match interp.python_method(value, Name::ABS) {
                Some(method) => interp.call_value(&method, CallArgs::none()),
                None if matches!(value, Value::Str(_) | Value::None | Value::Tuple(_)) => {
                    let name = interp.exact_type_name(value).unwrap_or_default();
                    interp.raise_error("bad-operand", "TypeError", format!("bad operand type for abs(): '{name}'"))
                }
                None => Ok(Value::Unknown(Reason::Operand)),
            },
        }
    })
}

pub(super) fn round(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    let digits = args.get(1, "ndigits").cloned().unwrap_or(Value::None);
    interp.for_each_alternative(value, |interp, value| match (value, &digits) {
        (Value::Float(x), Value::None) => match floats::round_to_int(*x) {
            Ok(value) => Ok(Value::big(value)),
            Err(raised) => interp.raise_error("other-error", raised.class, raised.message),
        },
        (Value::Float(x), Value::Int(digits)) => match floats::round(*x, *digits) {
            Computed::Value(value) => Ok(Value::Float(value)),
            Computed::Raises(raised) => interp.raise_error("other-error", raised.class, raised.message),
            Computed::TooBig => Ok(Value::Top(BuiltinType::Float)),
        },
        (Value::Int(_) | Value::Big(_) | Value::Bool(_) | Value::Dim(_), Value::None) => Ok(match value {
            Value::Bool(value) => Value::Int(i64::from(*value)),
            other => other.clone(),
        }),
        (Value::Int(_) | Value::Big(_) | Value::Bool(_), Value::Int(digits)) => {
            let (Some(value), digits) = (as_big(value), num_bigint::BigInt::from(*digits)) else {
                return Ok(Value::Unknown(Reason::Operand));
            };
            Ok(match integers::round(&value, &digits) {
                Computed::Value(value) => Value::big(value),
                Computed::Raises(_) | Computed::TooBig => interp.any_int(),
            })
        }
        (Value::Top(BuiltinType::Float), Value::None) => Ok(interp.any_int()),
        (Value::Top(BuiltinType::Float), _) => Ok(Value::Top(BuiltinType::Float)),
        _ => match interp.python_method(value, Name::ROUND) {
            Some(method) => {
                let rest = if digits == Value::None { CallArgs::none() } else { CallArgs::of(vec![digits.clone()]) };
                interp.call_value(&method, rest)
            }
            None => Ok(Value::Unknown(Reason::Operand)),
        },
    })
}

pub(super) fn divmod(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [a, b] = args.positional.as_slice() else { return Ok(Value::Unknown(Reason::Call)) };
    if a.kind().is_none() || b.kind().is_none() {
        // Methods of their own decide (`__divmod__`, `__rdivmod__`); arrays have those of `//` and `%`.
        let is_own = |value: &Value| interp.array_of(value).is_none();
        if is_own(a) && a.kind().is_none() || is_own(b) && b.kind().is_none() {
            return Ok(Value::Unknown(Reason::Operand));
        }
    }
    let quotient = interp.eval_binary(BinaryOperator::FloorDiv, a, b)?;
    let remainder = interp.eval_binary(BinaryOperator::Mod, a, b)?;
    Ok(Value::tuple(vec![quotient, remainder]))
}

pub(super) fn pow(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    match args.positional.as_slice() {
        [a, b] => interp.eval_binary(BinaryOperator::Pow, a, b),
        [a, b, m] => match (as_big(a), as_big(b), as_big(m)) {
            (Some(a), Some(b), Some(m)) => match integers::pow_mod(&a, &b, &m) {
                Computed::Value(value) => Ok(Value::big(value)),
                Computed::Raises(raised) => interp.raise_error("other-error", raised.class, raised.message),
                Computed::TooBig => Ok(interp.any_int()),
            },
            _ => Ok(Value::Unknown(Reason::Operand)),
        },
        _ => Ok(Value::Unknown(Reason::Call)),
    }
}

pub(super) fn extreme(interp: &mut Interp<'_>, args: &CallArgs, least: bool) -> Flow {
    let name = if least { "min" } else { "max" };
    let by_key = args.keyword("key").is_some_and(|key| *key != Value::None);
    let items = match args.positional.as_slice() {
        [] => return Ok(Value::Unknown(Reason::Call)),
        [iterable] => match interp.iterate_value(iterable)? {
            Some(Seq::Exact(items)) => items.to_vec(),
            Some(seq) if !by_key && args.keyword("default").is_none() => {
                let element = interp.element_of(&seq);
                return Ok(match element.kind() {
                    Some(BuiltinType::Int) => interp.any_int(),
                    Some(BuiltinType::Float) => Value::Top(BuiltinType::Float),
                    _ => Value::Unknown(Reason::Operand),
                });
            }
            _ => return Ok(Value::Unknown(Reason::Operand)),
        },
        several => several.to_vec(),
    };
    interp.refuse_key(args, &Seq::exact(items.clone()))?;
    if !args.is_exact() {
        return Ok(Value::Unknown(Reason::Operand));
    }
    let Some((first, rest)) = items.split_first() else {
        return match args.keyword("default") {
            Some(default) => Ok(default.clone()),
            None => interp.raise_error("other-error", "ValueError", format!("{name}() iterable argument is empty")),
        };
    };
    if by_key {
        return Ok(interp.any_of(&items));
    }
    let mut best = first.clone();
    for item in rest {
        if let (Some(x), Some(y)) = (best.as_dim(), item.as_dim())
            && (x.as_const().is_none() || y.as_const().is_none())
        {
            let ordered = interp.compare_dims(&x, Cmp::Le, &y);
            best = match (ordered, least) {
                (ThreeValued::True, true) | (ThreeValued::False, false) => Value::dim(x),
                (ThreeValued::True, false) | (ThreeValued::False, true) => Value::dim(y),
                (ThreeValued::Open(_), _) => match if least { x.lesser(&y) } else { x.greater(&y) } {
                    Some(dim) => Value::dim(dim),
                    None => interp.any_int(),
                },
            };
            continue;
        }
        let op = if least { Comparison::Lt } else { Comparison::Gt };
        let better = interp.compare_values(op, item, &best)?;
        best = match interp.truth_of(&better)? {
            ThreeValued::True => item.clone(),
            ThreeValued::False => best,
            ThreeValued::Open(_) => interp.join_loose(&best, item),
        };
    }
    Ok(best)
}

pub(super) fn sum(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(iterable) = args.first() else { return Ok(Value::Unknown(Reason::Call)) };
    let start = args.get(1, "start").cloned().unwrap_or(Value::Int(0));
    let Some(seq) = interp.iterate_value(iterable)? else { return Ok(Value::Unknown(Reason::Operand)) };
    match seq {
        Seq::Exact(items) => {
            let mut total = start;
            for item in items.iter() {
                interp.consume_step()?;
                total = interp.eval_binary(BinaryOperator::Add, &total, item)?;
            }
            Ok(total)
        }
        Seq::Open(open) => Ok(match (open.element.kind(), open.prefix.is_empty(), start.kind()) {
            (Some(BuiltinType::Int | BuiltinType::Bool), true, Some(BuiltinType::Int)) => interp.any_int(),
            _ => Value::Unknown(Reason::Operand),
        }),
    }
}
