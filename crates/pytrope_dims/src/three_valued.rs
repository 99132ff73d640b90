//! Truth in three values (Kleene): true, false, or open, where an open answer may carry the condition it depends on.

/// The answer to a question about every state that is described.
///
/// Constraint stores answer with a plain `Open(())`; the interpreter's conditions stay with the open answer, so that a
/// branch can assume them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreeValued<C = ()> {
    True,
    False,
    /// Not known, or both are possible.
    Open(C),
}

/// What has an opposite.
pub trait Negate {
    fn negated(&self) -> Self;
}

impl Negate for () {
    fn negated(&self) -> Self {}
}

impl<C> ThreeValued<C> {
    pub fn of(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl<C: Default> ThreeValued<C> {
    /// An open answer that depends on nothing that can be expressed.
    pub fn opaque() -> Self {
        Self::Open(C::default())
    }
}

impl<C: Negate> ThreeValued<C> {
    pub fn negated(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Open(condition) => Self::Open(condition.negated()),
        }
    }
}
