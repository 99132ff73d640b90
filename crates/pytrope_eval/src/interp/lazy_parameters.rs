//! The lazy parameters of a run: what tells them apart. What they turn out to be is part of the state (`crate::lazy`).

use pytrope_dims::Sym;
use pytrope_source::tree::BinaryOperator;
use rustc_hash::FxHashMap;

use crate::names::Name;
use crate::value::{Addr, Reason, Value};

/// The lazy parameters of a run, by the address that each one reserves.
pub(crate) type LazyParameters = FxHashMap<Addr, LazyParameter>;

/// The parts of lazy parameters that were read, by the parameter and the attribute.
pub(crate) type LazyParts = FxHashMap<(Addr, Name), Addr>;

#[derive(Clone, Debug, Default)]
pub(crate) struct LazyParameter {
    /// The parameter's own name; none of what is computed from parameters.
    pub name: Option<Name>,
    /// What its symbol is called otherwise: the expression that reads it, of a part of another lazy parameter (`config.hidden_size`),
    /// or the name that it was bound to.
    pub part: Option<Name>,
    /// Why nothing was known of it, of what was bound to a name; none of parameters.
    pub reason: Option<Reason>,
    /// The operator and the operands that it is the result of.
    pub computed: Option<(BinaryOperator, Value, Value)>,
    /// The integer that the parameter is, on each path that requires one.
    pub symbol: Option<Sym>,
    /// Some operation has given the array another shape in place: it did not have the shape it has now from the start.
    pub reshaped: bool,
}
