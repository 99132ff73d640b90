//! Maps from symbols whose copies share structure: two stores of one path differ in few symbols, and only those cost.

use crate::symbol::Sym;
use pytrope_trie::{Pair, Trie};

/// A map from symbols, in their order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SymMap<V>(Trie<V>);

impl<V> Default for SymMap<V> {
    fn default() -> Self {
        Self(Trie::default())
    }
}

const fn key(sym: Sym) -> u64 {
    sym.0 as u64
}

const fn sym(key: u64) -> Sym {
    Sym(key as u32)
}

impl<V: Clone> SymMap<V> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, sym: Sym) -> Option<&V> {
        self.0.get(key(sym))
    }

    pub fn contains(&self, sym: Sym) -> bool {
        self.get(sym).is_some()
    }

    pub fn insert(&mut self, sym: Sym, value: V) {
        self.0.insert(key(sym), value);
    }

    pub fn remove(&mut self, sym: Sym) -> Option<V> {
        let value = self.get(sym).cloned();
        if value.is_some() {
            self.0.remove(key(sym));
        }
        value
    }

    pub fn iter(&self) -> impl Iterator<Item = (Sym, &V)> {
        self.0.iter().map(|(key, value)| (sym(key), value))
    }

    pub fn keys(&self) -> impl Iterator<Item = Sym> {
        self.iter().map(|(sym, _)| sym)
    }

    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    pub fn retain(&mut self, keep: impl Fn(Sym, &V) -> bool) {
        let gone: Vec<Sym> = self.iter().filter(|(sym, value)| !keep(*sym, value)).map(|(sym, _)| sym).collect();
        for sym in gone {
            self.0.remove(key(sym));
        }
    }
}

impl<V: Clone + PartialEq> SymMap<V> {
    /// Entries of both maps; `both` is asked where they differ.
    pub fn union(a: &Self, b: &Self, both: impl Fn(&V, &V) -> V) -> Self {
        let mut one = |_: u64, x: &V, y: &V| (x != y).then(|| both(x, y));
        Self(Trie::join(&a.0, &b.0, &(0..u64::MAX), &mut one, &mut |_, _| None))
    }

    /// The entries that are the same in both maps, and the symbols of all others, in order.
    pub fn common(a: &Self, b: &Self) -> (Self, Vec<Sym>) {
        let mut others = Vec::new();
        a.0.for_each_difference(&b.0, &mut |key, pair| match pair {
            Pair::Both(x, y) if x == y => {}
            Pair::Both(..) | Pair::Left(_) | Pair::Right(_) => others.push(sym(key)),
        });
        let mut common = a.clone();
        for sym in &others {
            common.0.remove(key(*sym));
        }
        (common, others)
    }
}
