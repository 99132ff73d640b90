//! The polynomials behind `Dim`: sorted terms, monomials, and the atoms they are made of.

use std::cmp::Ordering;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::{Dim, python_floor_div};
use crate::symbol::Sym;

/// Past these an expression is given up (`None`), so that loops cannot grow one without end.
const MAX_TERMS: usize = 96;
const MAX_DEGREE: u32 = 16;
const MAX_WEIGHT: u32 = 320;

/// What a polynomial is made of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    Sym(Sym),
    /// `numerator // divisor`, where normal forms could not remove the division.
    Floor(Arc<(Dim, Dim)>),
    /// At least two choices, sorted.
    Min(Arc<[Dim]>),
    /// At least two choices, sorted.
    Max(Arc<[Dim]>),
}

impl Atom {
    fn weight(&self) -> u32 {
        match self {
            Self::Sym(_) => 1,
            Self::Floor(parts) => parts.0.weight().saturating_add(parts.1.weight()),
            Self::Min(choices) | Self::Max(choices) => {
                choices.iter().fold(1, |sum, choice| sum.saturating_add(choice.weight()))
            }
        }
    }

    pub(super) fn any_symbol(&self, test: &mut dyn FnMut(Sym) -> bool) -> bool {
        match self {
            Self::Sym(sym) => test(*sym),
            Self::Floor(parts) => parts.0.any_symbol(test) || parts.1.any_symbol(test),
            Self::Min(choices) | Self::Max(choices) => choices.iter().any(|choice| choice.any_symbol(test)),
        }
    }

    /// Makes the atom again from mapped parts, through the normalising constructors.
    pub(crate) fn rebuild(&self, f: &mut dyn FnMut(&Dim) -> Option<Dim>) -> Option<Dim> {
        match self {
            Self::Sym(sym) => Some(Dim::symbol(*sym)),
            Self::Floor(parts) => f(&parts.0)?.floor_div(&f(&parts.1)?),
            Self::Min(choices) => {
                let first = f(choices.first()?)?;
                choices[1..].iter().try_fold(first, |best, choice| best.lesser(&f(choice)?))
            }
            Self::Max(choices) => {
                let first = f(choices.first()?)?;
                choices[1..].iter().try_fold(first, |best, choice| best.greater(&f(choice)?))
            }
        }
    }

    pub(super) fn eval(&self, value: &dyn Fn(Sym) -> Option<i128>) -> Option<i128> {
        match self {
            Self::Sym(sym) => value(*sym),
            Self::Floor(parts) => python_floor_div(parts.0.eval(value)?, parts.1.eval(value)?),
            Self::Min(choices) => {
                let first = choices.first()?.eval(value)?;
                choices[1..].iter().try_fold(first, |best, choice| Some(best.min(choice.eval(value)?)))
            }
            Self::Max(choices) => {
                let first = choices.first()?.eval(value)?;
                choices[1..].iter().try_fold(first, |best, choice| Some(best.max(choice.eval(value)?)))
            }
        }
    }
}

/// A product of powers of atoms, sorted by atom; never empty inside a polynomial.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monomial(Factors);

/// Most monomials are one symbol.
type Factors = SmallVec<[(Atom, u32); 1]>;

impl Monomial {
    pub fn factors(&self) -> &[(Atom, u32)] {
        &self.0
    }

    pub fn degree(&self) -> u32 {
        self.0.iter().map(|(_, exponent)| exponent).sum()
    }

    pub fn as_symbol(&self) -> Option<Sym> {
        match self.as_atom() {
            Some(Atom::Sym(sym)) => Some(*sym),
            Some(Atom::Floor(_) | Atom::Min(_) | Atom::Max(_)) | None => None,
        }
    }

    /// The atom, if the monomial is a single one to the first power.
    pub fn as_atom(&self) -> Option<&Atom> {
        match self.0.as_slice() {
            [(atom, 1)] => Some(atom),
            _ => None,
        }
    }

    pub(crate) fn to_dim(&self) -> Dim {
        Dim::from_poly(Poly { terms: vec![(self.clone(), 1)], constant: 0 })
            .expect("a monomial of a polynomial is within the limits of polynomials")
    }

    fn one() -> Self {
        Self(Factors::new())
    }

    fn times(&self, other: &Self) -> Self {
        let mut result = Factors::with_capacity(self.0.len() + other.0.len());
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            match a.0.cmp(&b.0) {
                Ordering::Less => result.extend(left.next().cloned()),
                Ordering::Greater => result.extend(right.next().cloned()),
                Ordering::Equal => {
                    result.push((a.0.clone(), a.1.saturating_add(b.1)));
                    left.next();
                    right.next();
                }
            }
        }
        result.extend(left.cloned());
        result.extend(right.cloned());
        Self(result)
    }

    fn quotient(&self, other: &Self) -> Option<Self> {
        let mut result = self.0.clone();
        for (atom, exponent) in &other.0 {
            let position = result.iter().position(|(mine, _)| mine == atom)?;
            let left = result[position].1.checked_sub(*exponent)?;
            if left == 0 {
                result.remove(position);
            } else {
                result[position].1 = left;
            }
        }
        Some(Self(result))
    }

    fn common(&self, other: &Self) -> Self {
        let mut result = Factors::new();
        for (atom, exponent) in &self.0 {
            if let Some((_, theirs)) = other.0.iter().find(|(mine, _)| mine == atom) {
                result.push((atom.clone(), *exponent.min(theirs)));
            }
        }
        Self(result)
    }
}

/// Graded lexicographic order, greatest first, so that terms sort as people write them.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> Ordering {
        other.degree().cmp(&self.degree()).then_with(|| {
            for (a, b) in self.0.iter().zip(&other.0) {
                let order = a.0.cmp(&b.0).then(b.1.cmp(&a.1));
                if order != Ordering::Equal {
                    return order;
                }
            }
            other.0.len().cmp(&self.0.len())
        })
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A sum of terms with nonzero coefficients, sorted by monomial, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Poly {
    terms: Vec<(Monomial, i128)>,
    constant: i128,
}

impl Poly {
    pub(crate) fn from_const(constant: i128) -> Self {
        Self { terms: Vec::new(), constant }
    }

    pub(crate) fn from_atom(atom: Atom) -> Self {
        Self { terms: vec![(Monomial(smallvec![(atom, 1)]), 1)], constant: 0 }
    }

    pub(crate) fn as_const(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub(crate) fn terms(&self) -> &[(Monomial, i128)] {
        &self.terms
    }

    pub(crate) fn constant(&self) -> i128 {
        self.constant
    }

    pub(crate) fn weight(&self) -> u32 {
        self.terms.iter().fold(1, |sum, (monomial, _)| {
            monomial.0.iter().fold(sum, |sum, (atom, _)| sum.saturating_add(atom.weight()))
        })
    }

    pub(crate) fn within_limits(&self) -> bool {
        self.terms.len() <= MAX_TERMS
            && self.terms.iter().all(|(m, _)| m.degree() <= MAX_DEGREE)
            && self.weight() <= MAX_WEIGHT
    }

    /// `self + factor * other`.
    pub(crate) fn plus_scaled(&self, other: &Self, factor: i128) -> Option<Self> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let order = match (left.peek(), right.peek()) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => break,
            };
            let from_left = (order != Ordering::Greater).then(|| left.next()).flatten();
            let from_right = (order != Ordering::Less).then(|| right.next()).flatten();
            let scaled = match from_right {
                Some((_, coefficient)) => coefficient.checked_mul(factor)?,
                None => 0,
            };
            let sum = from_left.map_or(0, |(_, coefficient)| *coefficient).checked_add(scaled)?;
            if let (Some((monomial, _)), true) = (from_left.or(from_right), sum != 0) {
                terms.push((monomial.clone(), sum));
            }
        }
        Some(Self { terms, constant })
    }

    pub(crate) fn scaled(&self, factor: i128) -> Option<Self> {
        Self::from_const(0).plus_scaled(self, factor)
    }

    pub(crate) fn times(&self, other: &Self) -> Option<Self> {
        if self.terms.len() * other.terms.len() > 4 * MAX_TERMS {
            return None;
        }
        let mut sum = self.scaled(other.constant)?;
        for (monomial, coefficient) in &other.terms {
            sum = sum.plus_scaled(&self.times_monomial(monomial), *coefficient)?;
        }
        Some(sum)
    }

    fn times_monomial(&self, factor: &Monomial) -> Self {
        let mut terms: Vec<_> =
            self.terms.iter().map(|(monomial, coefficient)| (monomial.times(factor), *coefficient)).collect();
        let mut constant = self.constant;
        if constant != 0 && !factor.0.is_empty() {
            terms.push((factor.clone(), constant));
            constant = 0;
        }
        // Multiplying keeps an admissible order, but the moved constant may stand anywhere.
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        Self { terms, constant }
    }

    fn leading(&self) -> (Monomial, i128) {
        self.terms.first().cloned().unwrap_or((Monomial::one(), self.constant))
    }

    /// `(q, r)` with `self = q * divisor + r`: long division, on integer coefficients. `None` for a zero divisor.
    pub(crate) fn divide(&self, divisor: &Self) -> Option<(Self, Self)> {
        let (lead, lead_coefficient) = divisor.leading();
        if lead_coefficient == 0 {
            return None;
        }
        let mut rest = self.clone();
        let mut quotient = Self::from_const(0);
        let mut remainder = Self::from_const(0);
        while rest.as_const() != Some(0) {
            let (monomial, coefficient) = rest.leading();
            let shares = monomial.quotient(&lead).map(|q| (q, coefficient / lead_coefficient));
            match shares {
                Some((factor, share)) if share != 0 => {
                    let step = Self::from_term(factor, share);
                    rest = rest.plus_scaled(&divisor.times(&step)?, -1)?;
                    quotient = quotient.plus_scaled(&step, 1)?;
                }
                _ => {
                    let moved = Self::from_term(monomial, coefficient);
                    rest = rest.plus_scaled(&moved, -1)?;
                    remainder = remainder.plus_scaled(&moved, 1)?;
                }
            }
            if rest.terms.len() > MAX_TERMS {
                return None;
            }
        }
        Some((quotient, remainder))
    }

    pub(crate) fn from_term(monomial: Monomial, coefficient: i128) -> Self {
        if coefficient == 0 {
            Self::from_const(0)
        } else if monomial.0.is_empty() {
            Self::from_const(coefficient)
        } else {
            Self { terms: vec![(monomial, coefficient)], constant: 0 }
        }
    }

    /// The greatest monomial that divides every term (empty when there is a constant).
    pub(crate) fn monomial_content(&self) -> Monomial {
        if self.constant != 0 {
            return Monomial::one();
        }
        let mut terms = self.terms.iter();
        let Some((first, _)) = terms.next() else {
            return Monomial::one();
        };
        terms.fold(first.clone(), |common, (monomial, _)| common.common(monomial))
    }

    /// Removes a factor that divides every term.
    pub(crate) fn without_factor(&self, factor: &Monomial) -> Option<Self> {
        if factor.0.is_empty() {
            return Some(self.clone());
        }
        let mut result = Self::from_const(0);
        if self.constant != 0 {
            return None;
        }
        for (monomial, coefficient) in &self.terms {
            let term = Self::from_term(monomial.quotient(factor)?, *coefficient);
            result = result.plus_scaled(&term, 1)?;
        }
        Some(result)
    }

    pub(crate) fn common_monomial(&self, other: &Self) -> Monomial {
        if self.as_const() == Some(0) {
            return other.monomial_content();
        }
        self.monomial_content().common(&other.monomial_content())
    }
}
