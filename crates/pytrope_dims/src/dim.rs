//! `Dim`: an exact integer expression over symbols in canonical form.

mod display;
mod division;
mod poly;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::symbol::Sym;

pub use division::{python_floor_div, python_mod};
pub(crate) use poly::Poly;
pub use poly::{Atom, Monomial};

/// A canonical polynomial over symbols and `//`, `min`, `max` atoms, with checked `i128` coefficients.
///
/// Equality is structural, and structurally equal dimensions are equal integers; the converse
/// holds for plain polynomials, and for the rest [`crate::Store::decide`] knows more. Cloning is cheap.
/// Operations return `None` when the result has no representation: overflow, division by zero,
/// or an expression past the size limits.
#[derive(Clone, Debug)]
pub struct Dim(Repr);

#[derive(Clone, Debug)]
enum Repr {
    Const(i64),
    /// A constant beyond `i64`: values hold dimensions, so they are kept small and aligned as pointers are.
    Large(Box<i128>),
    /// Never constant: at least one term.
    Poly(Arc<Poly>),
}

impl Dim {
    pub const ZERO: Self = Self(Repr::Const(0));
    pub const ONE: Self = Self(Repr::Const(1));

    pub fn constant(value: i128) -> Self {
        Self(match i64::try_from(value) {
            Ok(small) => Repr::Const(small),
            Err(_) => Repr::Large(Box::new(value)),
        })
    }

    pub fn symbol(sym: Sym) -> Self {
        Self::atom(Atom::Sym(sym))
    }

    pub(crate) fn atom(atom: Atom) -> Self {
        Self(Repr::Poly(Arc::new(Poly::from_atom(atom))))
    }

    /// `None` past the size limits.
    pub(crate) fn from_poly(poly: Poly) -> Option<Self> {
        match poly.as_const() {
            Some(value) => Some(Self::constant(value)),
            None if poly.within_limits() => Some(Self(Repr::Poly(Arc::new(poly)))),
            None => None,
        }
    }

    pub(crate) fn to_poly(&self) -> Poly {
        self.as_poly().into_owned()
    }

    fn as_poly(&self) -> Cow<'_, Poly> {
        match &self.0 {
            Repr::Const(value) => Cow::Owned(Poly::from_const(i128::from(*value))),
            Repr::Large(value) => Cow::Owned(Poly::from_const(**value)),
            Repr::Poly(poly) => Cow::Borrowed(poly),
        }
    }

    pub(crate) fn weight(&self) -> u32 {
        match &self.0 {
            Repr::Const(_) | Repr::Large(_) => 1,
            Repr::Poly(poly) => poly.weight(),
        }
    }

    pub fn as_const(&self) -> Option<i128> {
        match &self.0 {
            Repr::Const(value) => Some(i128::from(*value)),
            Repr::Large(value) => Some(**value),
            Repr::Poly(_) => None,
        }
    }

    /// The symbol, if the expression is one symbol and nothing else.
    pub fn as_symbol(&self) -> Option<Sym> {
        match (self.terms(), self.constant_term()) {
            ([(monomial, 1)], 0) => monomial.as_symbol(),
            _ => None,
        }
    }

    /// The terms other than the constant one, in canonical order.
    pub fn terms(&self) -> &[(Monomial, i128)] {
        match &self.0 {
            Repr::Const(_) | Repr::Large(_) => &[],
            Repr::Poly(poly) => poly.terms(),
        }
    }

    pub fn constant_term(&self) -> i128 {
        match &self.0 {
            Repr::Const(value) => i128::from(*value),
            Repr::Large(value) => **value,
            Repr::Poly(poly) => poly.constant(),
        }
    }

    pub fn plus(&self, other: &Self) -> Option<Self> {
        match (self.as_const(), other.as_const()) {
            (Some(a), Some(b)) => a.checked_add(b).map(Self::constant),
            (Some(0), None) => Some(other.clone()),
            (None, Some(0)) => Some(self.clone()),
            _ => Self::from_poly(self.as_poly().plus_scaled(&other.as_poly(), 1)?),
        }
    }

    pub fn minus(&self, other: &Self) -> Option<Self> {
        match (self.as_const(), other.as_const()) {
            (Some(a), Some(b)) => a.checked_sub(b).map(Self::constant),
            (None, Some(0)) => Some(self.clone()),
            _ => Self::from_poly(self.as_poly().plus_scaled(&other.as_poly(), -1)?),
        }
    }

    pub fn times(&self, other: &Self) -> Option<Self> {
        match (&self.0, &other.0) {
            (Repr::Poly(a), Repr::Poly(b)) => Self::from_poly(a.times(b)?),
            (Repr::Poly(poly), Repr::Const(_) | Repr::Large(_)) => match other.constant_term() {
                1 => Some(self.clone()),
                k => Self::from_poly(poly.scaled(k)?),
            },
            (Repr::Const(_) | Repr::Large(_), Repr::Poly(_)) => other.times(self),
            (Repr::Const(_) | Repr::Large(_), Repr::Const(_) | Repr::Large(_)) => {
                self.constant_term().checked_mul(other.constant_term()).map(Self::constant)
            }
        }
    }

    pub fn plus_const(&self, value: i128) -> Option<Self> {
        self.plus(&Self::constant(value))
    }

    pub fn times_const(&self, value: i128) -> Option<Self> {
        self.times(&Self::constant(value))
    }

    pub fn negated(&self) -> Option<Self> {
        self.times_const(-1)
    }

    pub fn power(&self, exponent: u32) -> Option<Self> {
        let mut result = Self::ONE;
        for _ in 0..exponent {
            result = result.times(self)?;
        }
        Some(result)
    }

    /// The product of all factors (1 for none): the element count of a shape.
    pub fn product<'a>(factors: impl IntoIterator<Item = &'a Self>) -> Option<Self> {
        factors.into_iter().try_fold(Self::ONE, |product, factor| product.times(factor))
    }

    /// Python's `//`. The result means something only where the divisor is not zero:
    /// who divides by an expression must know, or assume in its store, that it is not.
    pub fn floor_div(&self, divisor: &Self) -> Option<Self> {
        division::floor_div(self, divisor)
    }

    /// Python's `%`, as `a - b * (a // b)`.
    pub fn modulo(&self, divisor: &Self) -> Option<Self> {
        if let (Some(a), Some(b)) = (self.as_const(), divisor.as_const()) {
            return python_mod(a, b).map(Self::constant);
        }
        self.minus(&divisor.times(&self.floor_div(divisor)?)?)
    }

    /// Division rounded up: `-(-a // b)`.
    pub fn ceil_div(&self, divisor: &Self) -> Option<Self> {
        self.negated()?.floor_div(divisor)?.negated()
    }

    /// The quotient, if `divisor` divides this expression as a polynomial.
    pub fn exact_quotient(&self, divisor: &Self) -> Option<Self> {
        let (quotient, remainder) = self.as_poly().divide(&divisor.as_poly())?;
        (remainder.as_const() == Some(0)).then(|| Self::from_poly(quotient))?
    }

    /// `min(a, b)`; named so because `Ord::min` compares structure.
    pub fn lesser(&self, other: &Self) -> Option<Self> {
        self.extremum(other, Ordering::Less)
    }

    /// `max(a, b)`.
    pub fn greater(&self, other: &Self) -> Option<Self> {
        self.extremum(other, Ordering::Greater)
    }

    fn extremum(&self, other: &Self, wanted: Ordering) -> Option<Self> {
        if let Some(difference) = self.minus(other)?.as_const() {
            let self_wins = difference == 0 || difference.cmp(&0) == wanted;
            return Some(if self_wins { self.clone() } else { other.clone() });
        }
        let mut choices: Vec<Self> = Vec::new();
        for side in [self, other] {
            match side.as_atom() {
                Some(Atom::Min(inner)) if wanted == Ordering::Less => {
                    choices.extend(inner.iter().cloned());
                }
                Some(Atom::Max(inner)) if wanted == Ordering::Greater => {
                    choices.extend(inner.iter().cloned());
                }
                _ => choices.push(side.clone()),
            }
        }
        choices.sort();
        choices.dedup();
        // Of two choices that differ by a constant only one can win.
        let mut kept: Vec<Self> = Vec::new();
        for choice in choices {
            match kept.iter_mut().find_map(|old| Some((choice.minus(old)?.as_const()?, old))) {
                Some((difference, old)) if difference.cmp(&0) == wanted => *old = choice,
                Some(_) => {}
                None => kept.push(choice),
            }
        }
        kept.sort();
        if kept.len() == 1 {
            return kept.pop();
        }
        let atom = match wanted {
            Ordering::Less => Atom::Min(kept.into()),
            Ordering::Greater | Ordering::Equal => Atom::Max(kept.into()),
        };
        Self::from_poly(Poly::from_atom(atom))
    }

    /// The atom, if the expression is one atom and nothing else.
    pub fn as_atom(&self) -> Option<&Atom> {
        match (self.terms(), self.constant_term()) {
            ([(monomial, 1)], 0) => monomial.as_atom(),
            _ => None,
        }
    }

    /// Replaces symbols, and normalises what comes out; `None` keeps a symbol as it is.
    pub fn substitute(&self, replacement: &dyn Fn(Sym) -> Option<Self>) -> Option<Self> {
        if !self.any_symbol(&mut |sym| replacement(sym).is_some()) {
            return Some(self.clone());
        }
        // Linear expressions, the common case, need no products.
        if self.terms().iter().all(|(m, _)| m.as_symbol().is_some()) {
            let mut sum = Poly::from_const(self.constant_term());
            for (monomial, coefficient) in self.terms() {
                let term = match monomial.as_symbol().and_then(replacement) {
                    Some(dim) => dim.to_poly(),
                    None => Poly::from_term(monomial.clone(), 1),
                };
                sum = sum.plus_scaled(&term, *coefficient)?;
            }
            return Self::from_poly(sum);
        }
        self.map_atoms(&mut |atom| match atom {
            Atom::Sym(sym) => Some(replacement(*sym).unwrap_or_else(|| Self::symbol(*sym))),
            Atom::Floor(_) | Atom::Min(_) | Atom::Max(_) => atom.rebuild(&mut |inner| inner.substitute(replacement)),
        })
    }

    /// Rebuilds the polynomial with each of its own atoms (not those nested in atoms) replaced.
    pub(crate) fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Option<Self>) -> Option<Self> {
        let mut sum = Self::constant(self.constant_term());
        for (monomial, coefficient) in self.terms() {
            let mut product = Self::constant(*coefficient);
            for (atom, exponent) in monomial.factors() {
                product = product.times(&f(atom)?.power(*exponent)?)?;
            }
            sum = sum.plus(&product)?;
        }
        Some(sum)
    }

    /// The value for given symbols; `None` if one is missing, on overflow, or on division by zero.
    pub fn eval(&self, value: &dyn Fn(Sym) -> Option<i128>) -> Option<i128> {
        let mut sum = self.constant_term();
        for (monomial, coefficient) in self.terms() {
            let mut product = *coefficient;
            for (atom, exponent) in monomial.factors() {
                let base = atom.eval(value)?;
                product = product.checked_mul(base.checked_pow(*exponent)?)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Whether `test` holds of some symbol, those inside atoms included.
    pub fn any_symbol(&self, test: &mut dyn FnMut(Sym) -> bool) -> bool {
        self.terms().iter().any(|(monomial, _)| monomial.factors().iter().any(|(atom, _)| atom.any_symbol(test)))
    }

    pub fn mentions(&self, sym: Sym) -> bool {
        self.any_symbol(&mut |other| other == sym)
    }

    pub fn symbols(&self) -> BTreeSet<Sym> {
        let mut found = BTreeSet::new();
        self.collect_symbols(&mut found);
        found
    }

    pub fn collect_symbols(&self, found: &mut BTreeSet<Sym>) {
        self.any_symbol(&mut |sym| {
            found.insert(sym);
            false
        });
    }
}

impl PartialEq for Dim {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Const(a), Repr::Const(b)) => a == b,
            (Repr::Large(a), Repr::Large(b)) => a == b,
            (Repr::Poly(a), Repr::Poly(b)) => Arc::ptr_eq(a, b) || a == b,
            (Repr::Const(_) | Repr::Large(_) | Repr::Poly(_), _) => false,
        }
    }
}

impl Eq for Dim {}

impl Ord for Dim {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Poly(a), Repr::Poly(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
            (Repr::Poly(a), Repr::Poly(b)) => a.cmp(b),
            (Repr::Const(_) | Repr::Large(_), Repr::Poly(_)) => Ordering::Less,
            (Repr::Poly(_), Repr::Const(_) | Repr::Large(_)) => Ordering::Greater,
            (Repr::Const(_) | Repr::Large(_), Repr::Const(_) | Repr::Large(_)) => {
                self.constant_term().cmp(&other.constant_term())
            }
        }
    }
}

impl PartialOrd for Dim {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Dim {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Repr::Const(value) => value.hash(state),
            Repr::Large(value) => value.hash(state),
            Repr::Poly(poly) => poly.hash(state),
        }
    }
}

impl From<i128> for Dim {
    fn from(value: i128) -> Self {
        Self::constant(value)
    }
}

impl From<Sym> for Dim {
    fn from(sym: Sym) -> Self {
        Self::symbol(sym)
    }
}
