//! Integer intervals with open ends, and the interval of an expression.

use std::cell::Cell;

use crate::dim::{Atom, Dim, Monomial, python_floor_div};
use crate::number::{ceil, floor};
use crate::symbol::Sym;

/// `lo ..= hi`, where `None` is unbounded. May be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    pub lo: Option<i128>,
    pub hi: Option<i128>,
}

impl Interval {
    pub const ALL: Self = Self { lo: None, hi: None };

    pub fn exactly(value: i128) -> Self {
        Self { lo: Some(value), hi: Some(value) }
    }

    pub fn at_least(value: i128) -> Self {
        Self { lo: Some(value), hi: None }
    }

    pub fn new(lo: i128, hi: i128) -> Self {
        Self { lo: Some(lo), hi: Some(hi) }
    }

    pub fn is_empty(&self) -> bool {
        matches!((self.lo, self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    pub fn as_const(&self) -> Option<i128> {
        self.lo.filter(|lo| self.hi == Some(*lo))
    }

    pub fn contains(&self, value: i128) -> bool {
        self.lo.is_none_or(|lo| lo <= value) && self.hi.is_none_or(|hi| value <= hi)
    }

    pub fn intersect(&self, other: &Self) -> Self {
        let either = |a: Option<i128>, b: Option<i128>, pick: fn(i128, i128) -> i128| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a, b)),
            (bound, None) | (None, bound) => bound,
        };
        Self { lo: either(self.lo, other.lo, i128::max), hi: either(self.hi, other.hi, i128::min) }
    }

    /// The smallest interval that holds both.
    pub fn hull(&self, other: &Self) -> Self {
        Self { lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)), hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)) }
    }

    pub fn plus(&self, other: &Self) -> Self {
        let add = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Self { lo: add(self.lo, other.lo), hi: add(self.hi, other.hi) }
    }

    pub fn negated(&self) -> Self {
        Self { lo: self.hi.and_then(i128::checked_neg), hi: self.lo.and_then(i128::checked_neg) }
    }

    pub fn scaled(&self, factor: i128) -> Self {
        if factor == 0 {
            return Self::exactly(0);
        }
        let times = |end: Option<i128>| end.and_then(|end| end.checked_mul(factor));
        let (lo, hi) = if factor > 0 { (self.lo, self.hi) } else { (self.hi, self.lo) };
        Self { lo: times(lo), hi: times(hi) }
    }

    pub fn times(&self, other: &Self) -> Self {
        let ends = [
            (End::low(self.lo), End::low(other.lo)),
            (End::low(self.lo), End::high(other.hi)),
            (End::high(self.hi), End::low(other.lo)),
            (End::high(self.hi), End::high(other.hi)),
        ]
        .map(|(a, b)| a.times(b));
        let mut lo = End::Above;
        let mut hi = End::Below;
        for end in ends {
            lo = lo.min(end);
            hi = hi.max(end);
        }
        Self { lo: lo.finite(), hi: hi.finite() }
    }

    fn power(&self, exponent: u32) -> Self {
        let product = (1..exponent).fold(*self, |product, _| product.times(self));
        if exponent.is_multiple_of(2) { product.intersect(&Self::at_least(0)) } else { product }
    }

    /// Values of `a // b` for a nonzero `b`.
    pub fn floor_div(&self, divisor: &Self) -> Self {
        // Zero is no divisor, so an end of zero moves inwards.
        let divisor = Self {
            lo: divisor.lo.map(|lo| if lo == 0 { 1 } else { lo }),
            hi: divisor.hi.map(|hi| if hi == 0 { -1 } else { hi }),
        };
        match (divisor.lo, divisor.hi) {
            (Some(lo), _) if lo >= 1 => self.floor_div_positive(lo, divisor.hi),
            (_, Some(hi)) if hi <= -1 => match hi.checked_neg() {
                Some(lo) => self.negated().floor_div_positive(lo, divisor.lo.and_then(i128::checked_neg)),
                None => Self::ALL,
            },
            // The divisor may be of either sign: the quotient is no larger than the numerator.
            _ => match (self.lo, self.hi) {
                (Some(lo), Some(hi)) => {
                    let size = lo.unsigned_abs().max(hi.unsigned_abs());
                    i128::try_from(size).map_or(Self::ALL, |size| Self::new(-size, size))
                }
                _ => Self::ALL,
            },
        }
    }

    fn floor_div_positive(&self, lo: i128, hi: Option<i128>) -> Self {
        let low = self.lo.and_then(|n| {
            if n >= 0 { hi.map_or(Some(0), |hi| python_floor_div(n, hi)) } else { python_floor_div(n, lo) }
        });
        let high = self.hi.and_then(|n| {
            if n >= 0 { python_floor_div(n, lo) } else { hi.map_or(Some(-1), |hi| python_floor_div(n, hi)) }
        });
        Self { lo: low, hi: high }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Below,
    At(i128),
    Above,
}

impl End {
    fn low(bound: Option<i128>) -> Self {
        bound.map_or(Self::Below, Self::At)
    }

    fn high(bound: Option<i128>) -> Self {
        bound.map_or(Self::Above, Self::At)
    }

    fn sign(self) -> i128 {
        match self {
            Self::Below => -1,
            Self::At(value) => value.signum(),
            Self::Above => 1,
        }
    }

    fn times(self, other: Self) -> Self {
        if let (Self::At(a), Self::At(b)) = (self, other)
            && let Some(product) = a.checked_mul(b)
        {
            return Self::At(product);
        }
        match self.sign() * other.sign() {
            0 => Self::At(0),
            1 => Self::Above,
            _ => Self::Below,
        }
    }

    fn finite(self) -> Option<i128> {
        match self {
            Self::At(value) => Some(value),
            Self::Below | Self::Above => None,
        }
    }
}

/// The interval of an expression, given those of its symbols.
pub(crate) fn bounds(dim: &Dim, of: &dyn Fn(Sym) -> Interval) -> Interval {
    Bounding { of, fuel: Cell::new(FUEL) }.bounds(dim)
}

/// Terms that may be visited for the sake of trading divisions away, which else grows without measure.
const FUEL: usize = 250;

struct Bounding<'a> {
    of: &'a dyn Fn(Sym) -> Interval,
    fuel: Cell<usize>,
}

impl Bounding<'_> {
    fn bounds(&self, dim: &Dim) -> Interval {
        let plain = self.naive(dim);
        if plain.as_const().is_some() {
            return plain;
        }
        plain.intersect(&self.without_floors(dim, 4))
    }

    fn naive(&self, dim: &Dim) -> Interval {
        dim.terms().iter().fold(Interval::exactly(dim.constant_term()), |sum, (monomial, coefficient)| {
            sum.plus(&self.monomial(monomial).scaled(*coefficient))
        })
    }

    fn monomial(&self, monomial: &Monomial) -> Interval {
        if let Some(atom) = monomial.as_atom() {
            return self.atom(atom);
        }
        monomial
            .factors()
            .iter()
            .fold(Interval::exactly(1), |product, (atom, exponent)| product.times(&self.atom(atom).power(*exponent)))
    }

    fn atom(&self, atom: &Atom) -> Interval {
        match atom {
            Atom::Sym(sym) => (self.of)(*sym),
            Atom::Floor(parts) => self.bounds(&parts.0).floor_div(&self.bounds(&parts.1)),
            Atom::Min(choices) => least_interval(choices.iter().map(|choice| self.bounds(choice))),
            Atom::Max(choices) => least_interval(choices.iter().map(|choice| self.bounds(choice).negated())).negated(),
        }
    }

    /// With `d*⌊n/d⌋ = n - r` and `0 <= r < d`, a division can be traded for its numerator, which
    /// sees what the plain intervals lose: `x - x//2 >= 0`, `0 <= x % d < d`.
    fn without_floors(&self, dim: &Dim, depth: u32) -> Interval {
        let mut best = Interval::ALL;
        if depth == 0 {
            return best;
        }
        for (monomial, coefficient) in dim.terms() {
            let Some(Atom::Floor(parts)) = monomial.as_atom() else {
                continue;
            };
            let Some(d) = parts.1.as_const().filter(|d| *d >= 2) else {
                continue;
            };
            let cost = dim.terms().len() + parts.0.terms().len();
            let Some(left) = self.fuel.get().checked_sub(cost) else {
                return best;
            };
            self.fuel.set(left);
            let trade = || -> Option<Interval> {
                let floor_part = monomial.to_dim().times_const(*coefficient)?;
                let rest = dim.minus(&floor_part)?.times_const(d)?;
                let traded = rest.plus(&parts.0.times_const(*coefficient)?)?;
                let inner = self.naive(&traded).intersect(&self.without_floors(&traded, depth - 1));
                let scaled = inner.plus(&Interval::new(0, d - 1).scaled(*coefficient).negated());
                Some(Interval { lo: scaled.lo.map(|lo| ceil(lo, d)), hi: scaled.hi.map(|hi| floor(hi, d)) })
            };
            if let Some(interval) = trade() {
                best = best.intersect(&interval);
            }
        }
        best
    }
}

/// The interval of the least of several numbers.
fn least_interval(all: impl Iterator<Item = Interval>) -> Interval {
    all.reduce(|a, b| Interval { lo: a.lo.zip(b.lo).map(|(a, b)| a.min(b)), hi: a.hi.into_iter().chain(b.hi).min() })
        .unwrap_or(Interval::ALL)
}
