//! Normal forms of floor division: what can be divided is, and one canonical atom remains.

use std::sync::Arc;

use super::Dim;
use super::poly::{Atom, Poly};
use crate::number::gcd;

/// Python's `//` on integers; `None` for a zero divisor or overflow.
pub fn python_floor_div(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    let inexact = a.checked_rem(b)? != 0;
    if inexact && ((a < 0) != (b < 0)) { quotient.checked_sub(1) } else { Some(quotient) }
}

/// Python's `%` on integers; `None` for a zero divisor.
pub fn python_mod(a: i128, b: i128) -> Option<i128> {
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    if remainder != 0 && ((remainder < 0) != (b < 0)) { remainder.checked_add(b) } else { Some(remainder) }
}

pub(super) fn floor_div(numerator: &Dim, divisor: &Dim) -> Option<Dim> {
    match (numerator.as_const(), divisor.as_const()) {
        (_, Some(0)) => None,
        (Some(a), Some(b)) => python_floor_div(a, b).map(Dim::constant),
        (_, Some(1)) => Some(numerator.clone()),
        (_, Some(d)) if d < 0 => by_constant(&numerator.negated()?, d.checked_neg()?),
        (_, Some(d)) => by_constant(numerator, d),
        (Some(0), None) => Some(Dim::ZERO),
        (_, None) => by_expression(numerator, divisor),
    }
}

/// Division by `d >= 2`.
fn by_constant(numerator: &Dim, d: i128) -> Option<Dim> {
    // Whole multiples of d come out of each term.
    let mut outside = Poly::from_const(0);
    let mut inside = Poly::from_const(0);
    for (monomial, coefficient) in numerator.terms() {
        let whole = coefficient / d;
        outside = outside.plus_scaled(&Poly::from_term(monomial.clone(), whole), 1)?;
        inside = inside.plus_scaled(&Poly::from_term(monomial.clone(), coefficient % d), 1)?;
    }
    let constant = numerator.constant_term();
    let whole = constant.div_euclid(d);
    outside = outside.plus_scaled(&Poly::from_const(whole), 1)?;
    if inside.terms().is_empty() {
        return Dim::from_poly(outside);
    }
    let mut constant = constant.rem_euclid(d);

    // ⌊-y/d⌋ = -⌊(y + d - 1)/d⌋: the leading coefficient is positive inside an atom.
    let flipped = inside.terms().first().is_some_and(|(_, c)| *c < 0);
    if flipped {
        inside = inside.scaled(-1)?;
        constant = d - 1 - constant;
    }

    // ⌊(g·y + c)/(g·e)⌋ = ⌊(y + ⌊c/g⌋)/e⌋.
    let g = inside.terms().iter().fold(d, |g, (_, c)| gcd(g, *c));
    let mut d = d;
    if g > 1 {
        let mut reduced = Poly::from_const(0);
        for (monomial, coefficient) in inside.terms() {
            reduced = reduced.plus_scaled(&Poly::from_term(monomial.clone(), coefficient / g), 1)?;
        }
        inside = reduced;
        constant /= g;
        d /= g;
    }
    let inside = Dim::from_poly(inside.plus_scaled(&Poly::from_const(constant), 1)?)?;
    let floor = if d == 1 {
        inside
    } else if let Some((num, den)) = merge_nested(&inside, d) {
        by_constant(&num, den)?
    } else {
        floor_atom(inside, Dim::constant(d))?
    };
    Dim::from_poly(outside.plus_scaled(&floor.to_poly(), if flipped { -1 } else { 1 })?)
}

/// `⌊(⌊y/s⌋ + p)/t⌋ = ⌊(y + s·p)/(s·t)⌋` for constants `s, t >= 1` and any integer `p`,
/// when exactly one division stands in the numerator with coefficient 1.
fn merge_nested(numerator: &Dim, t: i128) -> Option<(Dim, i128)> {
    let mut found = None;
    for (monomial, coefficient) in numerator.terms() {
        let Some(Atom::Floor(parts)) = monomial.as_atom() else {
            continue;
        };
        if found.is_some() || *coefficient != 1 {
            return None;
        }
        found = Some((monomial, parts));
    }
    let (monomial, parts) = found?;
    let s = parts.1.as_const().filter(|s| *s >= 1)?;
    let rest = numerator.minus(&monomial.to_dim())?;
    Some((parts.0.plus(&rest.times_const(s)?)?, s.checked_mul(t)?))
}

fn by_expression(numerator: &Dim, divisor: &Dim) -> Option<Dim> {
    let (mut n, mut d) = (numerator.to_poly(), divisor.to_poly());
    // A common factor cancels: the divisor is not zero, so neither is the factor.
    let common = n.common_monomial(&d);
    n = n.without_factor(&common)?;
    d = d.without_factor(&common)?;
    // The whole part of a polynomial division comes out: ⌊(q·d + r)/d⌋ = q + ⌊r/d⌋.
    let (quotient, remainder) = n.divide(&d)?;
    if remainder.as_const() == Some(0) {
        return Dim::from_poly(quotient);
    }
    let (mut n, mut d) = (remainder, d);
    let common = n.common_monomial(&d);
    n = n.without_factor(&common)?;
    d = d.without_factor(&common)?;
    if d.terms().first().is_some_and(|(_, c)| *c < 0) {
        n = n.scaled(-1)?;
        d = d.scaled(-1)?;
    }
    let g = n.terms().iter().chain(d.terms()).fold(gcd(n.constant(), d.constant()), |g, (_, c)| gcd(g, *c));
    let divide_by = |poly: &Poly| -> Option<Dim> {
        let mut sum = Poly::from_const(poly.constant() / g);
        for (monomial, coefficient) in poly.terms() {
            sum = sum.plus_scaled(&Poly::from_term(monomial.clone(), coefficient / g), 1)?;
        }
        Dim::from_poly(sum)
    };
    let (n, d) = (divide_by(&n)?, divide_by(&d)?);
    let floor = match d.as_const() {
        Some(_) => floor_div(&n, &d)?,
        None => floor_atom(n, d)?,
    };
    Dim::from_poly(quotient.plus_scaled(&floor.to_poly(), 1)?)
}

fn floor_atom(numerator: Dim, divisor: Dim) -> Option<Dim> {
    Dim::from_poly(Poly::from_atom(Atom::Floor(Arc::new((numerator, divisor)))))
}
