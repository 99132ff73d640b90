//! Python's integers: floor division, powers, shifts, digits, without bounds but with a limit on size.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};

use super::{Computed, ConstantError};

/// Integers beyond this many bits are not computed.
pub const MAX_BITS: u64 = 1 << 15;

fn limited(value: BigInt) -> Computed<BigInt> {
    if value.bits() > MAX_BITS { Computed::TooBig } else { Computed::Value(value) }
}

pub fn add(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    limited(a + b)
}

pub fn sub(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    limited(a - b)
}

pub fn mul(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    limited(a * b)
}

pub fn floor_div(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    if b.is_zero() {
        return Computed::raises("ZeroDivisionError", "integer division or modulo by zero");
    }
    Computed::Value(a.div_floor(b))
}

pub fn modulo(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    if b.is_zero() {
        return Computed::raises("ZeroDivisionError", "integer modulo by zero");
    }
    Computed::Value(a.mod_floor(b))
}

/// `a ** b` for `b ≥ 0`; a negative exponent is a float's business.
pub fn pow(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    if a.is_zero() || a.is_one() {
        let value = if b.is_zero() { BigInt::one() } else { a.clone() };
        return Computed::Value(value);
    }
    if *a == BigInt::from(-1) {
        return Computed::Value(if b.is_even() { BigInt::one() } else { BigInt::from(-1) });
    }
    match b.to_u64() {
        Some(exponent) if a.bits().saturating_mul(exponent) <= MAX_BITS + a.bits() => limited(Pow::pow(a, exponent)),
        _ => Computed::TooBig,
    }
}

/// `pow(a, b, m)`.
pub fn pow_mod(a: &BigInt, b: &BigInt, m: &BigInt) -> Computed<BigInt> {
    if m.is_zero() {
        return Computed::raises("ValueError", "pow() 3rd argument cannot be 0");
    }
    if b.is_negative() {
        return match a.modinv(&m.abs()) {
            Some(inverse) => pow_mod(&inverse, &-b, m),
            None => Computed::raises("ValueError", "base is not invertible for the given modulus"),
        };
    }
    Computed::Value(a.mod_floor(m).modpow(b, m).mod_floor(m))
}

pub fn shift_left(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    if b.is_negative() {
        return Computed::raises("ValueError", "negative shift count");
    }
    if a.is_zero() {
        return Computed::Value(BigInt::zero());
    }
    match b.to_u64() {
        Some(by) if by <= MAX_BITS => limited(a << by),
        _ => Computed::TooBig,
    }
}

pub fn shift_right(a: &BigInt, b: &BigInt) -> Computed<BigInt> {
    if b.is_negative() {
        return Computed::raises("ValueError", "negative shift count");
    }
    match b.to_u64() {
        // An arithmetic shift rounds down, as Python's does.
        Some(by) if by <= MAX_BITS => Computed::Value(a >> by),
        _ => Computed::Value(if a.is_negative() { BigInt::from(-1) } else { BigInt::zero() }),
    }
}

/// `a / b`, rounded once.
pub fn true_div(a: &BigInt, b: &BigInt) -> Computed<f64> {
    if b.is_zero() {
        return Computed::raises("ZeroDivisionError", "division by zero");
    }
    if a.bits() <= 53 && b.bits() <= 53 {
        let (a, b) = (a.to_f64().unwrap_or(0.0), b.to_f64().unwrap_or(1.0));
        return Computed::Value(a / b);
    }
    let shift = 66 + b.bits() as i64 - a.bits() as i64;
    let scaled = if shift >= 0 { a.abs() << shift as u64 } else { a.abs() >> (-shift) as u64 };
    // Bits that the right shift drops, and a remainder, only matter as "not exact".
    let dropped = shift < 0 && (&scaled << (-shift) as u64) != a.abs();
    let (quotient, remainder) = scaled.div_rem(&b.abs());
    let sticky = (quotient << 1u8) + BigInt::from(u8::from(dropped || !remainder.is_zero()));
    let Some(mantissa) = sticky.to_f64() else { return Computed::TooBig };
    let exponent = -shift - 1;
    if !(-1000..=950).contains(&exponent) {
        return if exponent > 1000 {
            Computed::raises("OverflowError", "integer division result too large for a float")
        } else {
            Computed::TooBig
        };
    }
    let value = mantissa * 2f64.powi(exponent as i32);
    Computed::Value(if a.is_negative() == b.is_negative() { value } else { -value })
}

/// `float(a)`.
pub fn to_float(a: &BigInt) -> Result<f64, ConstantError> {
    match a.to_f64() {
        Some(value) if value.is_finite() => Ok(value),
        _ => Err(ConstantError::new("OverflowError", "int too large to convert to float")),
    }
}

/// `int(text, base)`.
pub fn parse(text: &str, base: u32) -> Computed<BigInt> {
    let fail = || {
        Computed::raises(
            "ValueError",
            format!("invalid literal for int() with base {base}: {}", super::formatting::repr_str(text)),
        )
    };
    if base == 1 || base > 36 {
        return Computed::raises("ValueError", "int() base must be >= 2 and <= 36, or 0");
    }
    let trimmed = text.trim_matches(super::strings::is_space);
    if !trimmed.is_ascii() {
        return Computed::TooBig;
    }
    let (negative, digits) = match trimmed.as_bytes().first() {
        Some(b'-') => (true, &trimmed[1..]),
        Some(b'+') => (false, &trimmed[1..]),
        _ => (false, trimmed),
    };
    let prefix = match digits.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => Some(16),
        Some("0o") => Some(8),
        Some("0b") => Some(2),
        _ => None,
    };
    let (radix, mut body) = match (base, prefix) {
        (0, Some(radix)) => (radix, &digits[2..]),
        (0, None) => (10, digits),
        (base, Some(radix)) if base == radix => (base, &digits[2..]),
        (base, _) => (base, digits),
    };
    let prefixed = body.len() < digits.len();
    if prefixed {
        body = body.strip_prefix('_').unwrap_or(body);
    }
    let well_spaced = !body.starts_with('_') && !body.ends_with('_') && !body.contains("__") && !body.is_empty();
    let leading_zero = base == 0
        && !prefixed
        && body.len() > 1
        && body.starts_with('0')
        && body.bytes().any(|b| !matches!(b, b'0' | b'_'));
    if !well_spaced || leading_zero || body.len() > 4300 {
        return if body.len() > 4300 && well_spaced { Computed::TooBig } else { fail() };
    }
    let digits: String = body.chars().filter(|&c| c != '_').collect();
    if !digits.chars().all(|c| c.is_digit(radix)) {
        return fail();
    }
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(value) => Computed::Value(if negative { -value } else { value }),
        None => fail(),
    }
}

/// `round(a, digits)` for integers: half to even, at a power of ten.
pub fn round(a: &BigInt, digits: &BigInt) -> Computed<BigInt> {
    if !digits.is_negative() {
        return Computed::Value(a.clone());
    }
    let Some(places) = (-digits).to_u32().filter(|&places| places < 5_000) else {
        return Computed::Value(BigInt::zero());
    };
    Computed::Value(round_to_multiple(a, &Pow::pow(BigInt::from(10), places)))
}

fn round_to_multiple(a: &BigInt, unit: &BigInt) -> BigInt {
    let (quotient, remainder) = a.div_mod_floor(unit);
    let twice = &remainder * 2;
    let up = twice > *unit || (twice == *unit && quotient.is_odd());
    (quotient + BigInt::from(u8::from(up))) * unit
}

pub fn bit_length(a: &BigInt) -> u64 {
    a.bits()
}

pub fn bit_count(a: &BigInt) -> u64 {
    a.magnitude().iter_u64_digits().map(|digit| u64::from(digit.count_ones())).sum()
}

/// The sign of `a` compared with a finite or infinite float, exactly; `None` for NaN.
pub fn compare_float(a: &BigInt, b: f64) -> Option<std::cmp::Ordering> {
    if b.is_nan() {
        return None;
    }
    if b.is_infinite() {
        return Some(if b > 0.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater });
    }
    let whole = from_float(b.trunc())?;
    let order = a.cmp(&whole);
    let fraction = b - b.trunc();
    Some(order.then_with(|| 0.0f64.partial_cmp(&fraction).unwrap_or(std::cmp::Ordering::Equal)))
}

/// The integer value of a float without fraction.
pub fn from_float(value: f64) -> Option<BigInt> {
    let bits = value.to_bits();
    if !value.is_finite() || value.trunc().to_bits() != bits {
        return None;
    }
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1075;
    let fraction = bits & ((1 << 52) - 1);
    if exponent + 1075 == 0 {
        return Some(BigInt::zero());
    }
    let mantissa = BigInt::from(fraction | (1 << 52));
    let magnitude = if exponent >= 0 { mantissa << exponent as u64 } else { mantissa >> (-exponent) as u64 };
    let sign = if value.is_sign_negative() { Sign::Minus } else { Sign::Plus };
    Some(BigInt::from_biguint(sign, magnitude.magnitude().clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> BigInt {
        BigInt::from(value)
    }

    #[test]
    fn division_rounds_down() {
        assert_eq!(floor_div(&int(-7), &int(2)), Computed::Value(int(-4)));
        assert_eq!(modulo(&int(-7), &int(2)), Computed::Value(int(1)));
        assert_eq!(modulo(&int(7), &int(-2)), Computed::Value(int(-1)));
        assert!(matches!(modulo(&int(7), &int(0)), Computed::Raises(r) if r.class == "ZeroDivisionError"));
    }

    #[test]
    fn huge_results_are_not_computed() {
        let huge = Pow::pow(BigInt::from(10), 10u32);
        assert_eq!(pow(&int(10), &huge), Computed::TooBig);
        assert_eq!(shift_left(&int(2), &huge), Computed::TooBig);
        assert_eq!(pow(&int(1), &huge), Computed::Value(int(1)));
        assert_eq!(shift_right(&int(-5), &huge), Computed::Value(int(-1)));
    }

    #[test]
    fn true_division_rounds_once() {
        let (a, b) = (Pow::pow(BigInt::from(10), 30u32) + 1, Pow::pow(BigInt::from(10), 10u32) * 3);
        assert_eq!(true_div(&a, &b), Computed::Value(3.333_333_333_333_333e19));
        assert_eq!(true_div(&int(1), &int(3)), Computed::Value(1.0 / 3.0));
    }

    #[test]
    fn literals_parse_as_in_python() {
        assert_eq!(parse(" 1_000 ", 10), Computed::Value(int(1000)));
        assert_eq!(parse("-0x_ff", 0), Computed::Value(int(-255)));
        assert_eq!(parse("ff", 16), Computed::Value(int(255)));
        for (text, base) in [("", 10), ("1__0", 10), ("_1", 10), ("010", 0), ("2", 2), ("1.5", 10)] {
            assert!(matches!(parse(text, base), Computed::Raises(_)), "{text}");
        }
    }

    #[test]
    fn rounding_goes_to_even() {
        assert_eq!(round(&int(25), &int(-1)), Computed::Value(int(20)));
        assert_eq!(round(&int(35), &int(-1)), Computed::Value(int(40)));
        assert_eq!(round(&int(-15), &int(-1)), Computed::Value(int(-20)));
        assert_eq!(compare_float(&int(1), 1.5), Some(std::cmp::Ordering::Less));
        assert_eq!(compare_float(&int(-1), -1.5), Some(std::cmp::Ordering::Greater));
    }
}
