//! Sets of names, as bits by their numbers.

use crate::tree::Str;

/// A set of interned strings of one tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSet {
    bits: Vec<u64>,
}

impl NameSet {
    pub fn insert(&mut self, name: Str) {
        let at = name.index() / 64;
        if at >= self.bits.len() {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (name.index() % 64);
    }

    #[inline]
    pub fn contains(&self, name: Str) -> bool {
        self.bits.get(name.index() / 64).is_some_and(|bits| bits & (1 << (name.index() % 64)) != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// The names in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Str> {
        (0u32..).zip(&self.bits).flat_map(|(at, bits)| {
            let without_lowest = |left: &u64| Some(left & left.wrapping_sub(1));
            let left = std::iter::successors(Some(*bits), without_lowest).take_while(|left| *left != 0);
            left.map(move |left| Str(at * u64::BITS + left.trailing_zeros()))
        })
    }
}

impl Extend<Str> for NameSet {
    fn extend<I: IntoIterator<Item = Str>>(&mut self, names: I) {
        for name in names {
            self.insert(name);
        }
    }
}

impl FromIterator<Str> for NameSet {
    fn from_iter<I: IntoIterator<Item = Str>>(names: I) -> Self {
        let mut set = Self::default();
        set.extend(names);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in_and_nothing_else() {
        let names = [Str(3), Str(64), Str(700)];
        let set: NameSet = names.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), names);
        assert!((0..1000).all(|id| set.contains(Str(id)) == names.contains(&Str(id))));
        assert!(NameSet::default().is_empty() && !set.is_empty());
    }
}
