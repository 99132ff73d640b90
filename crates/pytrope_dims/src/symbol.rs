//! Names of unknown integers, and tags that say where a fact came from.

/// An unknown integer. Who makes symbols keeps their names; this crate only compares ids.
///
/// A symbol denotes one integer of one activation. A larger id is younger: when an equality
/// can eliminate either of two symbols, the younger one goes, so that older names survive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sym(pub u32);

impl Sym {
    /// Symbols with this bit are never negative, declared or not: an interpreter makes many, and few are ever reasoned about.
    pub const NATURAL: u32 = 1 << 31;

    /// Symbols with this bit stand for many integers at once, one in each of many objects: what is learned of one of them is
    /// not learned of all, so that nothing but their declared bounds is ever known.
    pub const SUMMARY: u32 = 1 << 30;

    pub const fn is_natural(self) -> bool {
        self.0 & Self::NATURAL != 0
    }

    pub const fn is_summary(self) -> bool {
        self.0 & Self::SUMMARY != 0
    }

    /// The number of the symbol, without what its bits say.
    pub const fn number(self) -> u32 {
        self.0 & !(Self::NATURAL | Self::SUMMARY)
    }
}

/// Where a fact came from: an opaque tag that is given back in explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactReason(pub u32);
