//! Sets of definitions as bits: the state of the reaching-definitions analysis.

/// The definitions that may hold at a point, by number within one activation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct DefinitionSet {
    words: Vec<u64>,
}

impl DefinitionSet {
    pub fn insert(&mut self, bit: usize) {
        let at = bit / 64;
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        self.words[at] |= 1 << (bit % 64);
    }

    pub fn remove(&mut self, bit: usize) {
        if let Some(word) = self.words.get_mut(bit / 64) {
            *word &= !(1 << (bit % 64));
        }
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }

    pub fn union(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    pub fn subtract(&mut self, other: &Self) {
        for (word, less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    pub fn intersection(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect() }
    }

    /// Whether another set adds nothing.
    pub fn includes(&self, other: &Self) -> bool {
        other.words.iter().enumerate().all(|(at, word)| word & !self.words.get(at).copied().unwrap_or(0) == 0)
    }

    /// The bits in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words
            .iter()
            .enumerate()
            .flat_map(|(at, &word)| (0..64).filter(move |bit| word & (1u64 << bit) != 0).map(move |bit| at * 64 + bit))
    }
}

/// A state where paths meet; `None` is unreachable.
pub(crate) fn join_into(into: &mut Option<DefinitionSet>, state: &DefinitionSet) {
    match into {
        Some(found) => found.union(state),
        None => *into = Some(state.clone()),
    }
}
