//! Arithmetic of int, bool, float and complex; `%` on strings.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pytrope_dims::{Cmp, Dim};
use pytrope_source::tree::BinaryOperator;

use crate::constants::{Computed, Const, ConstantError, floats, integers, percent};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::value::{BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    /// Arithmetic between numbers of builtin types; `None` if an operand is none.
    pub(super) fn number_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Flow> {
        let (x, y) = (numeric_kind(a)?, numeric_kind(b)?);
        if op == BinaryOperator::MatMult {
            return None;
        }
        if x == BuiltinType::Complex || y == BuiltinType::Complex {
            return match op {
                BinaryOperator::Add
                | BinaryOperator::Sub
                | BinaryOperator::Mult
                | BinaryOperator::Div
                | BinaryOperator::Pow => Some(Ok(eval_complex(op, a, b))),
                _ => None,
            };
        }
        if x == BuiltinType::Float || y == BuiltinType::Float {
            return self.float_binary(op, a, b);
        }
        if x == BuiltinType::Bool
            && y == BuiltinType::Bool
            && matches!(op, BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor)
        {
            return Some(Ok(match (a, b) {
                (Value::Bool(p), Value::Bool(q)) => Value::Bool(match op {
                    BinaryOperator::BitAnd => p & q,
                    BinaryOperator::BitOr => p | q,
                    _ => p ^ q,
                }),
                (Value::Bool(false), _) | (_, Value::Bool(false)) if op == BinaryOperator::BitAnd => Value::FALSE,
                (Value::Bool(true), _) | (_, Value::Bool(true)) if op == BinaryOperator::BitOr => Value::TRUE,
                (Value::SymbolicBool(p), Value::SymbolicBool(q)) if op != BinaryOperator::BitXor => {
                    let parts = vec![(**p).clone(), (**q).clone()];
                    let cond = if op == BinaryOperator::BitAnd {
                        crate::cond::Cond::All(parts)
                    } else {
                        crate::cond::Cond::Any(parts)
                    };
                    Value::SymbolicBool(Arc::new(cond))
                }
                _ => Value::SymbolicBool(Arc::new(crate::cond::Cond::Opaque)),
            }));
        }
        Some(self.integer_binary(op, a, b))
    }

    fn raise_computed(&mut self, raised: ConstantError) -> Flow {
        let rule = if raised.class == "ZeroDivisionError" { "zero-division" } else { "other-error" };
        self.raise_error(rule, raised.class, raised.message)
    }

    fn integer_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Flow {
        if let (Some(x), Some(y)) = (as_big(a), as_big(b)) {
            let result = match op {
                BinaryOperator::Add => integers::add(&x, &y),
                BinaryOperator::Sub => integers::sub(&x, &y),
                BinaryOperator::Mult => integers::mul(&x, &y),
                BinaryOperator::FloorDiv => integers::floor_div(&x, &y),
                BinaryOperator::Mod => integers::modulo(&x, &y),
                BinaryOperator::Pow => {
                    if y.sign() == num_bigint::Sign::Minus {
                        let (Some(x), Some(y)) = (x.to_f64(), y.to_f64()) else {
                            return Ok(Value::Top(BuiltinType::Float));
                        };
                        return self.float_result(floats::pow(x, y));
                    }
                    integers::pow(&x, &y)
                }
                BinaryOperator::LShift => integers::shift_left(&x, &y),
                BinaryOperator::RShift => integers::shift_right(&x, &y),
                BinaryOperator::BitAnd => Computed::Value(x & y),
                BinaryOperator::BitOr => Computed::Value(x | y),
                BinaryOperator::BitXor => Computed::Value(x ^ y),
                BinaryOperator::Div => return self.float_result(integers::true_div(&x, &y)),
                BinaryOperator::MatMult => return Ok(Value::Unknown(Reason::Operand)),
            };
            return match result {
                Computed::Value(value) => Ok(Value::big(value)),
                Computed::Raises(raised) => self.raise_computed(raised),
                Computed::TooBig => Ok(self.any_int()),
            };
        }
        let (Some(x), Some(y)) = (a.as_dim(), b.as_dim()) else {
            return Ok(match op {
                BinaryOperator::Div => Value::Top(BuiltinType::Float),
                _ => self.any_int(),
            });
        };
        let divides = matches!(op, BinaryOperator::FloorDiv | BinaryOperator::Mod | BinaryOperator::Div);
        if divides {
            match self.compare_dims(&y, Cmp::Eq, &Dim::ZERO) {
                ThreeValued::True => {
                    let message = if op == BinaryOperator::Div {
                        "division by zero"
                    } else {
                        "integer division or modulo by zero"
                    };
                    return self.raise_error("zero-division", "ZeroDivisionError", message);
                }
                ThreeValued::False => {}
                ThreeValued::Open(cond) => {
                    // What follows only runs if the divisor was not zero.
                    self.assume_condition(&cond.negated());
                }
            }
        }
        let result = match op {
            BinaryOperator::Add => x.plus(&y),
            BinaryOperator::Sub => x.minus(&y),
            BinaryOperator::Mult => x.times(&y),
            BinaryOperator::FloorDiv => x.floor_div(&y),
            BinaryOperator::Mod => x.modulo(&y),
            BinaryOperator::Pow => {
                y.as_const().and_then(|y| u32::try_from(y).ok()).filter(|y| *y <= 4).and_then(|y| x.power(y))
            }
            BinaryOperator::Div => return Ok(Value::Top(BuiltinType::Float)),
            _ => None,
        };
        if op == BinaryOperator::Pow && result.is_none() {
            let natural = self.compare_dims(&y, Cmp::Ge, &Dim::ZERO) == ThreeValued::True;
            return Ok(if natural { self.any_int() } else { Value::Unknown(Reason::Operand) });
        }
        Ok(match result {
            Some(dim) => Value::dim(dim),
            None => self.any_int(),
        })
    }

    fn float_result(&mut self, result: Computed<f64>) -> Flow {
        match result {
            Computed::Value(value) => Ok(Value::Float(value)),
            Computed::Raises(raised) => self.raise_computed(raised),
            Computed::TooBig => Ok(Value::Unknown(Reason::Operand)),
        }
    }

    fn float_binary(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Flow> {
        let arithmetic = matches!(
            op,
            BinaryOperator::Add
                | BinaryOperator::Sub
                | BinaryOperator::Mult
                | BinaryOperator::Div
                | BinaryOperator::FloorDiv
                | BinaryOperator::Mod
                | BinaryOperator::Pow
        );
        if !arithmetic {
            return None;
        }
        let divides = matches!(op, BinaryOperator::Div | BinaryOperator::FloorDiv | BinaryOperator::Mod);
        let (x, y) = match (to_float(a), to_float(b)) {
            (Some(Ok(x)), Some(Ok(y))) => (x, y),
            (Some(Err(raised)), _) | (_, Some(Err(raised))) => return Some(self.raise_computed(raised)),
            (_, Some(Ok(0.0))) if divides => {
                return Some(self.raise_error("zero-division", "ZeroDivisionError", "float division by zero"));
            }
            _ if op == BinaryOperator::Pow => {
                // Of a negative number a root is complex.
                let is_root = a.as_dim().is_some_and(|base| {
                    self.analysis.assumes || self.compare_dims(&base, Cmp::Ge, &Dim::ZERO) == ThreeValued::True
                });
                let is_float = is_root && b.kind() == Some(BuiltinType::Float);
                return Some(Ok(if is_float {
                    Value::Top(BuiltinType::Float)
                } else {
                    Value::Unknown(Reason::Operand)
                }));
            }
            _ => return Some(Ok(Value::Top(BuiltinType::Float))),
        };
        Some(match op {
            BinaryOperator::Add => Ok(Value::Float(x + y)),
            BinaryOperator::Sub => Ok(Value::Float(x - y)),
            BinaryOperator::Mult => Ok(Value::Float(x * y)),
            BinaryOperator::Div => match floats::div(x, y) {
                Ok(value) => Ok(Value::Float(value)),
                Err(raised) => self.raise_computed(raised),
            },
            BinaryOperator::FloorDiv | BinaryOperator::Mod => match floats::div_mod(x, y) {
                Ok((quotient, remainder)) => {
                    Ok(Value::Float(if op == BinaryOperator::Mod { remainder } else { quotient }))
                }
                Err(raised) => self.raise_computed(raised),
            },
            _ => self.float_result(floats::pow(x, y)),
        })
    }

    /// `'template' % arguments`.
    pub(super) fn format_percent(&mut self, template: &str, arguments: &Value) -> Flow {
        self.havocs_unseen_methods(arguments, &[Name::STR, Name::REPR]);
        let pieces = match percent::parse(template) {
            Ok(pieces) => pieces,
            Err(raised) => return self.raise_error("other-error", raised.class, raised.message),
        };
        let items: Vec<Value> = match arguments {
            Value::Tuple(Seq::Exact(items)) => items.to_vec(),
            Value::Tuple(Seq::Open(_)) => return Ok(Value::Top(BuiltinType::Str)),
            other => vec![other.clone()],
        };
        if let (Value::Tuple(_), Some(count)) = (arguments, percent::argument_count(&pieces))
            && items.len() != count
        {
            let message = if items.len() < count {
                "not enough arguments for format string"
            } else {
                "not all arguments converted during string formatting"
            };
            return self.raise_error("other-error", "TypeError", message);
        }
        let constants: Option<Vec<Const>> = items.iter().map(to_const).collect();
        let Some(constants) = constants else { return Ok(Value::Top(BuiltinType::Str)) };
        match percent::apply(&pieces, &constants) {
            Computed::Value(text) => Ok(Value::str(&text)),
            Computed::Raises(raised) => self.raise_error("other-error", raised.class, raised.message),
            Computed::TooBig => Ok(Value::Top(BuiltinType::Str)),
        }
    }
}

fn numeric_kind(value: &Value) -> Option<BuiltinType> {
    match value.kind() {
        Some(kind @ (BuiltinType::Int | BuiltinType::Bool | BuiltinType::Float | BuiltinType::Complex)) => Some(kind),
        _ => None,
    }
}

/// The integer a constant stands for.
pub(crate) fn as_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(value) => Some(BigInt::from(*value)),
        Value::Bool(value) => Some(BigInt::from(u8::from(*value))),
        Value::Big(value) => Some((**value).clone()),
        _ => None,
    }
}

fn to_float(value: &Value) -> Option<Result<f64, ConstantError>> {
    match value {
        Value::Float(value) => Some(Ok(*value)),
        other => as_big(other).map(|value| integers::to_float(&value)),
    }
}

/// The constant behind a value.
pub fn to_const(value: &Value) -> Option<Const> {
    Some(match value {
        Value::None => Const::None,
        Value::Bool(value) => Const::Bool(*value),
        Value::Int(value) => Const::Int(BigInt::from(*value)),
        Value::Big(value) => Const::Int((**value).clone()),
        Value::Float(value) => Const::Float(*value),
        Value::Str(text) => Const::Str(Arc::clone(text)),
        Value::Tuple(Seq::Exact(items)) => Const::Tuple(items.iter().map(to_const).collect::<Option<_>>()?),
        _ => return None,
    })
}

/// The value of a constant.
pub fn from_const(constant: Const) -> Value {
    match constant {
        Const::None => Value::None,
        Const::Bool(value) => Value::Bool(value),
        Const::Int(value) => Value::big(value),
        Const::Float(value) => Value::Float(value),
        Const::Str(text) => Value::Str(text),
        Const::Tuple(items) => Value::tuple(items.into_iter().map(from_const).collect()),
    }
}

fn eval_complex(op: BinaryOperator, a: &Value, b: &Value) -> Value {
    let parts = |value: &Value| match value {
        Value::Complex(value) => Some(**value),
        Value::Float(value) => Some((*value, 0.0)),
        other => as_big(other).and_then(|value| value.to_f64()).map(|value| (value, 0.0)),
    };
    let (Some(x), Some(y)) = (parts(a), parts(b)) else { return Value::Top(BuiltinType::Complex) };
    match op {
        BinaryOperator::Add => Value::Complex(Arc::new((x.0 + y.0, x.1 + y.1))),
        BinaryOperator::Sub => Value::Complex(Arc::new((x.0 - y.0, x.1 - y.1))),
        BinaryOperator::Mult => Value::Complex(Arc::new((x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0))),
        _ => Value::Top(BuiltinType::Complex),
    }
}
