//! A persistent radix trie keyed by `u64`: O(1) copies, joins that skip shared subtrees, iteration in key order.
//!
//! Heaps, scopes and constraint stores are made of it. An abstract interpreter copies its state at every branch and
//! joins the copies behind it; the copies differ in the few entries that a branch changed, and only those cost.
//!
//! Invariants: a branch has at least two children, and all keys below it agree above its digit, so that equal maps
//! have equal shapes whatever the order of insertion; a subtree that an operation does not change is shared, never copied.
//!
//! ```
//! use pytrope_trie::Trie;
//! let mut before = Trie::new();
//! before.insert(1, "x");
//! let mut branch = before.clone();
//! branch.insert(2, "y");
//! let joined = Trie::join(&before, &branch, &(0..0), &mut |_, _, _| None, &mut |_, _| None);
//! assert_eq!(joined.get(2), Some(&"y"));
//! assert_eq!(before.get(2), None);
//! ```
#![forbid(unsafe_code)]

mod join;
mod node;

use std::ops::Range;

use smallvec::SmallVec;
use triomphe::Arc;

use crate::join::{Join, visit_differences};
use crate::node::{Child, subtrees_equal};

/// A map from `u64` to `V` whose copies share structure.
pub struct Trie<V> {
    root: Option<Child<V>>,
}

/// What both sides of a join hold under one key.
pub enum Pair<'a, V> {
    Left(&'a V),
    Right(&'a V),
    Both(&'a V, &'a V),
}

impl<V> Clone for Trie<V> {
    fn clone(&self) -> Self {
        Self { root: self.root.clone() }
    }
}

impl<V> Default for Trie<V> {
    fn default() -> Self {
        Self { root: None }
    }
}

impl<V: std::fmt::Debug> std::fmt::Debug for Trie<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<V: PartialEq> PartialEq for Trie<V> {
    fn eq(&self, other: &Self) -> bool {
        subtrees_equal(self.root.as_ref(), other.root.as_ref())
    }
}

impl<V> Trie<V> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&V> {
        let mut child = self.root.as_ref()?;
        loop {
            match child {
                Child::Leaf(leaf) => return (leaf.key == key).then_some(&leaf.value),
                Child::Branch(branch) => {
                    if !branch.covers(key) {
                        return None;
                    }
                    child = branch.children[branch.digit(key)].as_ref()?;
                }
            }
        }
    }

    pub fn insert(&mut self, key: u64, value: V) {
        match &mut self.root {
            None => self.root = Some(Child::leaf(key, value)),
            Some(root) => root.insert(key, value),
        }
    }

    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        if let Some(root) = &mut self.root
            && root.remove(key)
        {
            self.root = None;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let mut stack: SmallVec<[&Child<V>; 16]> = self.root.as_ref().into_iter().collect();
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Child::Leaf(leaf) => return Some((leaf.key, &leaf.value)),
                    Child::Branch(branch) => {
                        for child in branch.children.iter().rev().flatten() {
                            stack.push(child);
                        }
                    }
                }
            }
        })
    }

    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether some key outside a range passes a test.
    pub fn any_outside(&self, range: &Range<u64>, test: &mut dyn FnMut(u64) -> bool) -> bool {
        self.root.as_ref().is_some_and(|root| root.any_outside(range, test))
    }

    /// Keys where the two maps may differ, in order: shared subtrees are skipped.
    pub fn for_each_difference<'a>(&'a self, other: &'a Self, visit: &mut impl FnMut(u64, Pair<'a, V>)) {
        visit_differences(self.root.as_ref(), other.root.as_ref(), visit);
    }
}

impl<V: Clone> Trie<V> {
    /// The value to change in place; parts that are shared are copied first.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.get(key)?;
        let mut child = self.root.as_mut()?;
        loop {
            match child {
                Child::Leaf(leaf) => return Some(&mut Arc::make_mut(leaf).value),
                Child::Branch(branch) => {
                    let at = branch.digit(key);
                    child = Arc::make_mut(branch).children[at].as_mut()?;
                }
            }
        }
    }

    /// All entries of both maps. Entries under one key go through `both` and those of one map through `single`
    /// (where `None` keeps the entry); whole subtrees of one map within `shared` are taken as they are.
    pub fn join(
        a: &Self,
        b: &Self,
        shared: &Range<u64>,
        both: &mut dyn FnMut(u64, &V, &V) -> Option<V>,
        single: &mut dyn FnMut(u64, &V) -> Option<V>,
    ) -> Self {
        let mut join = Join { shared, both, single };
        Self { root: join.join_children(a.root.as_ref(), b.root.as_ref()) }
    }
}
