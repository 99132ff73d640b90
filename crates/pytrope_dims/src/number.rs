//! Small integer arithmetic shared by the modules: gcd, rounding divisions.

/// The greatest common divisor, never negative; `gcd(0, 0) = 0`.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        // Divisions of 128 bits are slow, and numbers of programs are small.
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return i128::from(small_gcd(x, y));
        }
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `⌊a/b⌋` for `b > 0`.
pub(crate) fn floor(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    }
}

/// `⌈a/b⌉` for `b > 0`.
pub(crate) fn ceil(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)) + i128::from(a.rem_euclid(b) != 0),
        _ => a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0),
    }
}
