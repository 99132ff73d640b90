//! Small integer arithmetic shared by the modules: gcd, rounding divisions.

/// The greatest common divisor, never negative; `gcd(0, 0) = 0`.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

/// `⌊a/b⌋` for `b > 0`.
pub(crate) fn floor(a: i128, b: i128) -> i128 {
    a.div_euclid(b)
}

/// `⌈a/b⌉` for `b > 0`.
pub(crate) fn ceil(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}
