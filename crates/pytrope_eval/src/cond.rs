//! Undecided conditions over symbolic integers, as boolean combinations of constraints.

use pytrope_dims::Constraint;

/// What an undecided truth value means.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// Nothing is known but that it is a bool.
    Opaque,
    Atom(Constraint),
    All(Vec<Cond>),
    Any(Vec<Cond>),
}

impl Cond {
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
