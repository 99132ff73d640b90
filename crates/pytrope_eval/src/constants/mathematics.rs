//! The functions of `math` on constants, with Python's domain and range errors.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::integers::{self, MAX_BITS};
use super::{Computed, Const, ConstantError, floats};

type MathAnswer = Option<Computed<Const>>;

/// `math.NAME(args…)`; `None` for a function or an argument list that is not computed here.
pub fn call(name: &str, args: &[Const]) -> MathAnswer {
    integer_function(name, args).or_else(|| match args {
        [x] => apply_to_one(name, x),
        [x, y] => apply_to_two(name, x, y),
        _ => None,
    })
}

fn float(value: f64) -> Computed<Const> {
    Computed::Value(Const::Float(value))
}

fn int(value: BigInt) -> Computed<Const> {
    if value.bits() > MAX_BITS { Computed::TooBig } else { Computed::Value(Const::Int(value)) }
}

fn domain_error() -> Computed<Const> {
    Computed::raises("ValueError", "math domain error")
}

fn range_error() -> Computed<Const> {
    Computed::raises("OverflowError", "math range error")
}

/// The float an argument stands for; strings and None are a TypeError in Python.
fn number_of(value: &Const) -> Result<f64, ConstantError> {
    match value {
        Const::Float(x) => Ok(*x),
        other => match other.as_int() {
            Some(n) => integers::to_float(&n),
            None => Err(ConstantError::new("TypeError", format!("must be real number, not {}", other.type_name()))),
        },
    }
}

#[expect(clippy::float_cmp, reason = "the domain ends exactly there")]
fn apply_to_one(name: &str, arg: &Const) -> MathAnswer {
    let known = [
        "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "fabs", "floor", "ceil", "trunc", "isnan", "isinf",
        "isfinite", "degrees", "radians", "cbrt",
    ];
    if !known.contains(&name) {
        return None;
    }
    if let (Some(n), "floor" | "ceil" | "trunc") = (arg.as_int(), name) {
        return Some(int(n));
    }
    if let (Some(n), "log" | "log2" | "log10") = (arg.as_int(), name)
        && !n.is_positive()
    {
        return Some(domain_error());
    }
    let x = match number_of(arg) {
        Ok(x) => x,
        // Logarithms of integers beyond floats exist, but are not worth the code.
        Err(raised) if raised.class == "OverflowError" => return Some(Computed::TooBig),
        Err(raised) => return Some(Computed::Raises(raised)),
    };
    let whole = |x: f64| match floats::to_int(x) {
        Ok(n) => int(n),
        Err(raised) => Computed::Raises(raised),
    };
    let truth = |value: bool| Computed::Value(Const::Bool(value));
    Some(match name {
        "floor" => whole(x.floor()),
        "ceil" => whole(x.ceil()),
        "trunc" => whole(x),
        "isnan" => truth(x.is_nan()),
        "isinf" => truth(x.is_infinite()),
        "isfinite" => truth(x.is_finite()),
        "log" | "log2" | "log10" if x <= 0.0 => domain_error(),
        "log1p" if x <= -1.0 => domain_error(),
        "atanh" if x.abs() == 1.0 => domain_error(),
        _ => check_result(x, elementary(name, x)?),
    })
}

fn elementary(name: &str, x: f64) -> Option<f64> {
    Some(match name {
        "sqrt" => x.sqrt(),
        "cbrt" => x.cbrt(),
        "exp" => x.exp(),
        "exp2" => x.exp2(),
        "expm1" => x.exp_m1(),
        "log" => x.ln(),
        "log2" => x.log2(),
        "log10" => x.log10(),
        "log1p" => x.ln_1p(),
        "sin" => x.sin(),
        "cos" => x.cos(),
        "tan" => x.tan(),
        "asin" => x.asin(),
        "acos" => x.acos(),
        "atan" => x.atan(),
        "sinh" => x.sinh(),
        "cosh" => x.cosh(),
        "tanh" => x.tanh(),
        "asinh" => x.asinh(),
        "acosh" => x.acosh(),
        "atanh" => x.atanh(),
        "fabs" => x.abs(),
        "degrees" => x * (180.0 / std::f64::consts::PI),
        "radians" => x * (std::f64::consts::PI / 180.0),
        _ => return None,
    })
}

/// A NaN out of a number is a domain error; an infinity out of a finite number a range error.
fn check_result(x: f64, result: f64) -> Computed<Const> {
    if result.is_nan() && !x.is_nan() {
        domain_error()
    } else if result.is_infinite() && x.is_finite() {
        range_error()
    } else {
        float(result)
    }
}

#[expect(clippy::float_cmp, reason = "the logarithm of exactly one is zero")]
fn apply_to_two(name: &str, first: &Const, second: &Const) -> MathAnswer {
    if !["atan2", "copysign", "pow", "fmod", "hypot", "log", "remainder"].contains(&name) {
        return None;
    }
    let (x, y) = match (number_of(first), number_of(second)) {
        (Ok(x), Ok(y)) => (x, y),
        (Err(raised), _) | (_, Err(raised)) => return Some(Computed::Raises(raised)),
    };
    Some(match name {
        "atan2" => float(x.atan2(y)),
        "copysign" => float(x.copysign(y)),
        "hypot" => float(x.hypot(y)),
        "fmod" if x.is_infinite() || y == 0.0 => domain_error(),
        "fmod" => float(x % y),
        "log" if x <= 0.0 || y <= 0.0 => domain_error(),
        "log" if y == 1.0 => Computed::raises("ZeroDivisionError", "float division by zero"),
        "log" => float(x.ln() / y.ln()),
        "pow" if x == 0.0 && y < 0.0 && y.is_finite() => domain_error(),
        "pow" if x < 0.0 && x.is_finite() && y.is_finite() && y.fract() != 0.0 => domain_error(),
        "pow" => {
            let value = x.powf(y);
            if value.is_infinite() && x.is_finite() && y.is_finite() { range_error() } else { float(value) }
        }
        _ => return None,
    })
}

fn integer_function(name: &str, args: &[Const]) -> MathAnswer {
    if !["gcd", "lcm", "factorial", "isqrt", "comb", "perm"].contains(&name) {
        return None;
    }
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        match arg.as_int() {
            Some(value) => values.push(value),
            None => {
                let message = format!("'{}' object cannot be interpreted as an integer", arg.type_name());
                return Some(Computed::raises("TypeError", message));
            }
        }
    }
    Some(match (name, values.as_slice()) {
        ("gcd", values) => int(values.iter().fold(BigInt::zero(), |a, b| a.gcd(b))),
        ("lcm", values) => int(values.iter().fold(BigInt::one(), |a, b| a.lcm(b))),
        ("factorial", [n]) => factorial(n),
        ("isqrt", [n]) if n.is_negative() => Computed::raises("ValueError", "isqrt() argument must be nonnegative"),
        ("isqrt", [n]) => int(n.sqrt()),
        ("comb" | "perm", [n, k]) if n.is_negative() || k.is_negative() => {
            Computed::raises("ValueError", format!("{name}() arguments must be non-negative integers"))
        }
        ("comb", [n, k]) => falling_product(n, &k.clone().min(n - k), true),
        ("perm", [n, k]) => falling_product(n, k, false),
        ("perm", [n]) => factorial(n),
        _ => return None,
    })
}

fn factorial(n: &BigInt) -> Computed<Const> {
    if n.is_negative() {
        return Computed::raises("ValueError", "factorial() not defined for negative values");
    }
    falling_product(n, n, false)
}

/// `n (n-1) … (n-k+1)`, divided by `k!` on the way for combinations; zero when `k > n`, that is for a negative `k` here.
fn falling_product(n: &BigInt, k: &BigInt, combinations: bool) -> Computed<Const> {
    if k.is_negative() || k > n {
        return int(BigInt::zero());
    }
    let Some(k) = k.to_u32().filter(|&k| k <= 5_000) else { return Computed::TooBig };
    let mut value = BigInt::one();
    for i in 0..k {
        value *= n - BigInt::from(i);
        if combinations {
            value /= BigInt::from(i + 1);
        }
        if value.bits() > MAX_BITS {
            return Computed::TooBig;
        }
    }
    int(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(value: i64) -> Const {
        Const::Int(BigInt::from(value))
    }

    fn class(answer: MathAnswer) -> &'static str {
        match answer {
            Some(Computed::Raises(raised)) => raised.class,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn values() {
        assert_eq!(call("sqrt", &[n(9)]), Some(float(3.0)));
        assert_eq!(call("floor", &[Const::Float(-2.5)]), Some(int(BigInt::from(-3))));
        assert_eq!(call("gcd", &[n(12), n(-18)]), Some(int(BigInt::from(6))));
        assert_eq!(call("comb", &[n(5), n(2)]), Some(int(BigInt::from(10))));
        assert_eq!(call("comb", &[n(2), n(5)]), Some(int(BigInt::from(0))));
        assert_eq!(call("factorial", &[n(5)]), Some(int(BigInt::from(120))));
        assert_eq!(call("log", &[n(8), n(2)]), Some(float(8f64.ln() / 2f64.ln())));
        assert_eq!(call("nonsense", &[n(1)]), None);
    }

    #[test]
    fn errors() {
        assert_eq!(class(call("sqrt", &[n(-1)])), "ValueError");
        assert_eq!(class(call("log", &[n(0)])), "ValueError");
        assert_eq!(class(call("exp", &[n(1000)])), "OverflowError");
        assert_eq!(class(call("sqrt", &[Const::Str("a".into())])), "TypeError");
        assert_eq!(class(call("factorial", &[n(-1)])), "ValueError");
        assert_eq!(class(call("gcd", &[Const::Float(2.0)])), "TypeError");
        assert_eq!(class(call("floor", &[Const::Float(f64::NAN)])), "ValueError");
        assert_eq!(class(call("fmod", &[n(1), n(0)])), "ValueError");
    }
}
