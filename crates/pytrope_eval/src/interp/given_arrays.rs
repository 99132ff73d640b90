//! What the functions of a module give one another, where shapes are shown: a function that is not called from outside is
//! taken to be called as its own module calls it. And what they take: a function that needs a parameter to have three axes is
//! taken to be given an array that has them. `lazy::given` records and reads both.

use rustc_hash::FxHashMap;

use crate::code::ScopeId;
use crate::names::Name;
use crate::value::Value;

/// The arrays that calls inside one module have given to parameters.
#[derive(Default)]
pub struct GivenArrays {
    pub(crate) by_parameter: FxHashMap<(ScopeId, Name), GivenArray>,
    /// The ranks that functions of the module, read by themselves, need their parameters to have.
    pub(crate) taken: FxHashMap<(ScopeId, Name), usize>,
    /// Those ranks are being found out, and what calls give is not recorded.
    pub(crate) is_learning: bool,
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
