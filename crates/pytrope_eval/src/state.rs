//! What is known at one point of one path: the heap and the facts about symbolic integers.

use pytrope_dims::Store;

use crate::object::Object;
use crate::settings::Settings;
use crate::value::{Addr, Value};
use pytrope_trie::{Pair, Trie};

/// Copies are O(1).
#[derive(Clone, Default)]
pub struct State {
    pub heap: Trie<Object>,
    pub store: Store,
    /// What lazy parameters have turned out to be on this path, by the address each one reserves.
    pub refined: Trie<Value>,
    /// How many operations on this path raise for certain: behind the first one only the analysis goes on.
    pub certain_raises: u32,
    /// What the program has set of libraries.
    pub settings: Settings,
}

impl State {
    #[inline]
    pub fn get(&self, addr: Addr) -> Option<&Object> {
        self.heap.get(addr.0)
    }

    /// Whether an object that was there before has been written since.
    pub fn changes_since(&self, before: &Self) -> bool {
        let mut changes = false;
        before.heap.for_each_difference(&self.heap, &mut |_, pair| changes |= !matches!(pair, Pair::Right(_)));
        changes
    }

    /// What lazy parameters are on both of two paths.
    pub fn common_refinements(&self, other: &Self) -> Trie<Value> {
        let mut common = self.refined.clone();
        self.refined.for_each_difference(&other.refined, &mut |key, pair| match pair {
            Pair::Both(a, b) if a == b => {}
            Pair::Both(..) | Pair::Left(_) => common.remove(key),
            Pair::Right(_) => {}
        });
        common
    }

    /// What either state knows of lazy parameters and the other does not contradict.
    pub fn all_refinements(&self, other: &Self) -> Trie<Value> {
        let mut all = self.refined.clone();
        self.refined.for_each_difference(&other.refined, &mut |key, pair| match pair {
            Pair::Both(a, b) if a == b => {}
            Pair::Both(..) => all.remove(key),
            Pair::Left(_) => {}
            Pair::Right(value) => all.insert(key, value.clone()),
        });
        all
    }

    pub fn set(&mut self, addr: Addr, object: Object) {
        self.heap.insert(addr.0, object);
    }
}
