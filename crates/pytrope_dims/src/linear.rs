//! The linear procedure (stub: refutes nothing yet).

use std::collections::BTreeSet;

use crate::constraint::Constraint;
use crate::interval::Interval;
use crate::symbol::Sym;

pub(crate) fn refute<'a>(
    _constraints: impl Iterator<Item = &'a Constraint>,
    _symbols: &BTreeSet<Sym>,
    _bounds: &dyn Fn(Sym) -> Interval,
    _budget: u32,
) -> bool {
    false
}
