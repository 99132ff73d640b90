//! Python's floats: shortest representation, floor division, powers, rounding, parsing.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Pow, ToPrimitive, Zero};

use super::{Computed, ConstantError, integers};

/// `repr(x)`: the shortest digits that read back as the same float.
pub fn repr(x: f64) -> String {
    if x.is_nan() {
        return "nan".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.into();
    }
    let scientific = format!("{x:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if (-4..16).contains(&exponent) {
        format!("{sign}{}", fixed(&digits, exponent))
    } else {
        let rest = &digits[1..];
        let point = if rest.is_empty() { "" } else { "." };
        let mark = if exponent < 0 { '-' } else { '+' };
        format!("{sign}{}{point}{rest}e{mark}{:02}", &digits[..1], exponent.abs())
    }
}

/// Digits with the point after the first one moved by an exponent.
fn fixed(digits: &str, exponent: i32) -> String {
    if exponent < 0 {
        return format!("0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let whole = exponent as usize + 1;
    if digits.len() <= whole {
        format!("{digits}{}.0", "0".repeat(whole - digits.len()))
    } else {
        format!("{}.{}", &digits[..whole], &digits[whole..])
    }
}

pub fn div(a: f64, b: f64) -> Result<f64, ConstantError> {
    if b == 0.0 {
        return Err(ConstantError::new("ZeroDivisionError", "float division by zero"));
    }
    Ok(a / b)
}

/// `divmod(a, b)`, as CPython computes it.
pub fn div_mod(a: f64, b: f64) -> Result<(f64, f64), ConstantError> {
    if b == 0.0 {
        return Err(ConstantError::new("ZeroDivisionError", "float divmod()"));
    }
    let mut modulo = a % b;
    let mut quotient = (a - modulo) / b;
    if modulo == 0.0 {
        modulo = 0f64.copysign(b);
    } else if (b < 0.0) != (modulo < 0.0) {
        modulo += b;
        quotient -= 1.0;
    }
    let quotient = if quotient == 0.0 {
        0f64.copysign(a / b)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 { floor + 1.0 } else { floor }
    };
    Ok((quotient, modulo))
}

/// `a ** b`; a negative base with a fractional exponent is complex, which is not computed.
pub fn pow(a: f64, b: f64) -> Computed<f64> {
    if a == 0.0 && b < 0.0 && b.is_finite() {
        return Computed::raises("ZeroDivisionError", "0.0 cannot be raised to a negative power");
    }
    if a < 0.0 && a.is_finite() && b.is_finite() && b.fract() != 0.0 {
        return Computed::TooBig;
    }
    let value = a.powf(b);
    if value.is_infinite() && a.is_finite() && b.is_finite() {
        return Computed::raises("OverflowError", "(34, 'Numerical result out of range')");
    }
    Computed::Value(value)
}

/// `round(x)`: to the nearest integer, half to even.
pub fn round_to_int(x: f64) -> Result<BigInt, ConstantError> {
    to_int(x.round_ties_even())
}

/// `round(x, digits)`.
pub fn round(x: f64, digits: i64) -> Computed<f64> {
    if !x.is_finite() || digits > 330 {
        return Computed::Value(x);
    }
    if digits >= 0 {
        let text = format!("{x:.*}", digits as usize);
        return text.parse().map_or(Computed::TooBig, Computed::Value);
    }
    if digits < -310 {
        return Computed::Value(0f64.copysign(x));
    }
    let unit = Pow::pow(BigInt::from(10), (-digits) as u32);
    // Twice the value is an integer or its fraction lies strictly between halves, which is all that rounding asks.
    let whole = integers::from_float(x.abs().trunc()).unwrap_or_default();
    let above = x.abs().fract() > 0.0;
    let (quotient, remainder) = whole.div_rem(&unit);
    let twice: BigInt = remainder * 2;
    let up = twice > unit || (twice == unit && (above || quotient.is_odd()));
    let rounded = (quotient + BigInt::from(u8::from(up))) * unit;
    match rounded.to_f64() {
        Some(value) if value.is_finite() => Computed::Value(value.copysign(x)),
        _ => Computed::raises("OverflowError", "rounded value too large to represent"),
    }
}

/// `int(x)`: towards zero.
pub fn to_int(x: f64) -> Result<BigInt, ConstantError> {
    if x.is_nan() {
        return Err(ConstantError::new("ValueError", "cannot convert float NaN to integer"));
    }
    if x.is_infinite() {
        return Err(ConstantError::new("OverflowError", "cannot convert float infinity to integer"));
    }
    Ok(integers::from_float(x.trunc()).unwrap_or_else(BigInt::zero))
}

/// `float(text)`; `None` where only Unicode tables could tell.
pub fn parse(text: &str) -> Option<Result<f64, ConstantError>> {
    let trimmed = text.trim_matches(super::strings::is_space);
    if !trimmed.is_ascii() {
        return None;
    }
    let fail = || {
        let shown = super::formatting::repr_str(text);
        Some(Err(ConstantError::new("ValueError", format!("could not convert string to float: {shown}"))))
    };
    let lower = trimmed.to_ascii_lowercase();
    let unsigned = lower.strip_prefix(['+', '-']).unwrap_or(&lower);
    let negative = lower.starts_with('-');
    let special = match unsigned {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(f64::NAN),
        _ => None,
    };
    if let Some(value) = special {
        return Some(Ok(if negative { -value } else { value }));
    }
    let bytes = unsigned.as_bytes();
    let misplaced = bytes.iter().enumerate().any(|(i, &b)| {
        let digit = |j: Option<usize>| j.and_then(|j| bytes.get(j)).is_some_and(u8::is_ascii_digit);
        b == b'_' && !(digit(i.checked_sub(1)) && digit(Some(i + 1)))
    });
    let known = bytes.iter().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-' | b'_'));
    if misplaced || !known || !bytes.iter().any(u8::is_ascii_digit) {
        return fail();
    }
    match lower.replace('_', "").parse::<f64>() {
        Ok(value) => Some(Ok(value)),
        Err(_) => fail(),
    }
}

/// `x.is_integer()`.
pub fn is_integer(x: f64) -> bool {
    x.is_finite() && x.fract() == 0.0
}

/// Whether an integer and a float are equal.
pub fn equals_int(x: f64, n: &BigInt) -> bool {
    integers::compare_float(n, x) == Some(std::cmp::Ordering::Equal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn representation_is_cpythons() {
        for (x, want) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (1e15, "1000000000000000.0"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (-0.0, "-0.0"),
            (1.234_567_890_123_456_7e100, "1.2345678901234567e+100"),
            (5e-324, "5e-324"),
            (123.456, "123.456"),
        ] {
            assert_eq!(repr(x), want);
        }
    }

    #[test]
    fn floor_division_and_modulo() {
        assert_eq!(div_mod(-7.0, 2.0), Ok((-4.0, 1.0)));
        assert_eq!(div_mod(7.5, -2.0), Ok((-4.0, -0.5)));
        assert_eq!(div_mod(1.0, 0.1).map(|pair| pair.0), Ok(9.0));
        assert!(div_mod(1.0, 0.0).is_err());
    }

    #[test]
    fn rounding() {
        assert_eq!(round(2.675, 2), Computed::Value(2.67));
        assert_eq!(round(2.5, 0), Computed::Value(2.0));
        assert_eq!(round(1250.0, -2), Computed::Value(1200.0));
        assert_eq!(round(1250.5, -2), Computed::Value(1300.0));
        assert_eq!(round_to_int(0.5), Ok(BigInt::zero()));
        assert!(round_to_int(f64::NAN).is_err());
    }

    #[test]
    fn parsing() {
        assert_eq!(parse(" 1_0.5e3 "), Some(Ok(10500.0)));
        assert_eq!(parse("-Infinity"), Some(Ok(f64::NEG_INFINITY)));
        for bad in ["", "1__0", "e5", "0x10", "1.2.3", "infinit"] {
            assert!(matches!(parse(bad), Some(Err(_))), "{bad}");
        }
    }
}
