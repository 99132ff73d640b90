//! Names of unknown integers, and tags that say where a fact came from.

/// An unknown integer. Who makes symbols keeps their names; this crate only compares ids.
///
/// A symbol denotes one integer of one activation. A larger id is younger: when an equality
/// can eliminate either of two symbols, the younger one goes, so that older names survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(pub u32);

/// Where a fact came from: an opaque tag that is given back in explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason(pub u32);
