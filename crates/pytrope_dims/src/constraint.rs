//! Constraints: an expression that is zero, not zero, or not negative.

use std::fmt;

use crate::dim::{Atom, Dim};
use crate::number::{ceil, floor, gcd};
use crate::symbol::Sym;

/// A comparison as a program writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cmp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Cmp {
    pub fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
        }
    }

    pub fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }
}

/// How a constraint's expression stands to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `expression == 0`
    Zero,
    /// `expression != 0`
    NonZero,
    /// `expression >= 0`
    NonNegative,
}

/// `dim == 0`, `dim != 0` or `dim >= 0`, with common factors of the coefficients removed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Constraint {
    pub relation: Relation,
    pub dim: Dim,
}

impl Constraint {
    pub fn new(relation: Relation, dim: Dim) -> Self {
        Self { relation, dim }.reduced()
    }

    pub const fn truth(value: bool) -> Self {
        Self { relation: Relation::Zero, dim: if value { Dim::ZERO } else { Dim::ONE } }
    }

    /// `a cmp b`; `None` when the difference has no representation.
    pub fn compare(a: &Dim, cmp: Cmp, b: &Dim) -> Option<Self> {
        let (relation, dim) = match cmp {
            Cmp::Eq => (Relation::Zero, a.minus(b)?),
            Cmp::Ne => (Relation::NonZero, a.minus(b)?),
            Cmp::Le => (Relation::NonNegative, b.minus(a)?),
            Cmp::Lt => (Relation::NonNegative, b.minus(a)?.plus_const(-1)?),
            Cmp::Ge => (Relation::NonNegative, a.minus(b)?),
            Cmp::Gt => (Relation::NonNegative, a.minus(b)?.plus_const(-1)?),
        };
        Some(Self::new(relation, dim))
    }

    pub fn equal(a: &Dim, b: &Dim) -> Option<Self> {
        Self::compare(a, Cmp::Eq, b)
    }

    pub fn at_least(a: &Dim, least: i128) -> Option<Self> {
        Self::compare(a, Cmp::Ge, &Dim::constant(least))
    }

    /// `number % divisor == 0`, for a divisor that is not zero.
    pub fn divisible(number: &Dim, divisor: &Dim) -> Option<Self> {
        Some(Self::new(Relation::Zero, number.modulo(divisor)?))
    }

    pub fn negated(&self) -> Option<Self> {
        Some(match self.relation {
            Relation::Zero => Self::new(Relation::NonZero, self.dim.clone()),
            Relation::NonZero => Self::new(Relation::Zero, self.dim.clone()),
            Relation::NonNegative => Self::new(Relation::NonNegative, self.dim.negated()?.plus_const(-1)?),
        })
    }

    /// The truth, where the expression is constant.
    pub fn as_const(&self) -> Option<bool> {
        self.dim.as_const().map(|value| self.relation.holds(value))
    }

    pub fn substitute(&self, replacement: &dyn Fn(Sym) -> Option<Dim>) -> Option<Self> {
        Some(Self::new(self.relation, self.dim.substitute(replacement)?))
    }

    /// `a*(p // d) + b >= 0` with a positive `d` says something about `p` itself: `p >= m*d`, or `p < m*d + d`.
    pub(crate) fn without_floor(&self) -> Option<Self> {
        let (Relation::NonNegative, [(monomial, a)]) = (self.relation, self.dim.terms()) else { return None };
        let [(Atom::Floor(parts), 1)] = monomial.factors() else { return None };
        let divisor = parts.1.as_const().filter(|divisor| *divisor > 0)?;
        let b = self.dim.constant_term();
        let dim = if *a > 0 {
            // p // d >= m
            let m = ceil(b.checked_neg()?, *a);
            parts.0.plus_const(m.checked_mul(divisor)?.checked_neg()?)?
        } else {
            // p // d <= m
            let m = floor(b, a.checked_neg()?);
            parts.0.negated()?.plus_const(m.checked_add(1)?.checked_mul(divisor)?.checked_sub(1)?)?
        };
        Some(Self::new(Relation::NonNegative, dim))
    }

    pub fn eval(&self, value: &dyn Fn(Sym) -> Option<i128>) -> Option<bool> {
        Some(self.relation.holds(self.dim.eval(value)?))
    }

    /// Divides by the common factor of the coefficients (rounding the constant of an inequality
    /// is exact on integers), and gives equations a positive leading coefficient.
    fn reduced(self) -> Self {
        let g = self.dim.terms().iter().fold(0, |g, (_, c)| gcd(g, *c));
        let constant = self.dim.constant_term();
        let lead_negative = self.dim.terms().first().is_some_and(|(_, c)| *c < 0);
        let (divisor, flip) = match self.relation {
            Relation::Zero | Relation::NonZero => {
                if g > 1 && constant % g != 0 {
                    // No integer multiple of g is the constant: the gcd test.
                    return Self::truth(self.relation == Relation::NonZero);
                }
                (g.max(1), lead_negative)
            }
            Relation::NonNegative => (g.max(1), false),
        };
        if divisor == 1 && !flip {
            return self;
        }
        let sign = if flip { -1 } else { 1 };
        let rebuild = || {
            let mut sum = Dim::constant(floor(constant, divisor).checked_mul(sign)?);
            for (monomial, coefficient) in self.dim.terms() {
                sum = sum.plus(&monomial.to_dim().times_const((coefficient / divisor).checked_mul(sign)?)?)?;
            }
            Some(sum)
        };
        match rebuild() {
            Some(dim) => Self { relation: self.relation, dim },
            None => self,
        }
    }
}

impl Relation {
    pub fn holds(self, value: i128) -> bool {
        match self {
            Self::Zero => value == 0,
            Self::NonZero => value != 0,
            Self::NonNegative => value >= 0,
        }
    }
}

impl Constraint {
    /// The constraint as people write it, with what is subtracted on the other side: `2*n >= m + 1`.
    pub fn display_with(&self, name: &dyn Fn(Sym) -> String) -> String {
        let relation = match self.relation {
            Relation::Zero => "==",
            Relation::NonZero => "!=",
            Relation::NonNegative => ">=",
        };
        let (left, right) = self.sides().unwrap_or((self.dim.clone(), Dim::ZERO));
        format!("{} {relation} {}", left.display(name), right.display(name))
    }

    /// What is added and what is subtracted; none on overflow.
    fn sides(&self) -> Option<(Dim, Dim)> {
        let constant = self.dim.constant_term();
        let mut left = Dim::constant(constant.max(0));
        let mut right = Dim::constant(constant.min(0).checked_neg()?);
        for (monomial, coefficient) in self.dim.terms() {
            let term = monomial.to_dim().times_const(coefficient.checked_abs()?)?;
            let side = if *coefficient > 0 { &mut left } else { &mut right };
            *side = side.plus(&term)?;
        }
        Some((left, right))
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = match self.relation {
            Relation::Zero => "==",
            Relation::NonZero => "!=",
            Relation::NonNegative => ">=",
        };
        write!(f, "{} {relation} 0", self.dim)
    }
}
