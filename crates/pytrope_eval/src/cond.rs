//! Undecided conditions over symbolic integers, as boolean combinations of constraints.

use pytrope_dims::{Constraint, Formula, Negate};

/// What an undecided truth value means.
#[derive(Clone, Default, PartialEq, Debug)]
pub enum Cond {
    /// Nothing is known but that it is a bool.
    #[default]
    Opaque,
    Atom(Constraint),
    All(Vec<Cond>),
    Any(Vec<Cond>),
}

impl Cond {
    /// The condition as a formula; none where a part of it is opaque.
    pub fn formula(&self) -> Option<Formula> {
        match self {
            Self::Opaque => None,
            Self::Atom(constraint) => Some(Formula::from(constraint.clone())),
            Self::All(parts) => parts.iter().map(Self::formula).collect::<Option<Vec<_>>>().map(Formula::and),
            Self::Any(parts) => parts.iter().map(Self::formula).collect::<Option<Vec<_>>>().map(Formula::or),
        }
    }

    /// The opposite; `Opaque` where it cannot be written.
    pub fn negated(&self) -> Self {
        match self {
            Self::Opaque => Self::Opaque,
            Self::Atom(constraint) => constraint.negated().map_or(Self::Opaque, Self::Atom),
            Self::All(parts) => Self::Any(parts.iter().map(Self::negated).collect()),
            Self::Any(parts) => Self::All(parts.iter().map(Self::negated).collect()),
        }
    }
}

impl Negate for Cond {
    fn negated(&self) -> Self {
        Self::negated(self)
    }
}
