//! What the functions of a module give one another, where shapes are shown: a function that is not called from outside is
//! taken to be called as its own module calls it. `lazy::given` records and reads them.

use rustc_hash::FxHashMap;

use crate::code::ScopeId;
use crate::names::Name;
use crate::value::Value;

/// The arrays that calls inside one module have given to parameters.
#[derive(Default)]
pub struct GivenArrays {
    pub(crate) by_parameter: FxHashMap<(ScopeId, Name), GivenArray>,
}

/// What all calls so far have given to one parameter.
#[derive(Clone)]
pub(crate) struct GivenArray {
    /// The class of the arrays; nothing once a call has given something else.
    pub(crate) class: Option<Value>,
    pub(crate) rank: GivenRank,
    pub(crate) or_none: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GivenRank {
    Open,
    One(usize),
    Several,
}

impl GivenRank {
    pub(crate) fn join_rank(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, known) | (known, Self::Open) => known,
            (a, b) if a == b => a,
            _ => Self::Several,
        }
    }
}
