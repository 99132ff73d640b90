//! Walking two tries at once: the join of two maps, and the keys where they may differ.

use std::ops::Range;

use triomphe::Arc;

use crate::Pair;
use crate::node::{BranchNode, Child, WIDTH, is_same_child};

/// What becomes of one child of a branch.
pub(crate) enum JoinedChild<V> {
    /// It stays the node that it is.
    Kept,
    Made(Option<Child<V>>),
}

/// A join under way; see [`crate::Trie::join`].
pub(crate) struct Join<'a, V> {
    pub(crate) shared: &'a Range<u64>,
    pub(crate) both: &'a mut dyn FnMut(u64, &V, &V) -> Option<V>,
    pub(crate) single: &'a mut dyn FnMut(u64, &V) -> Option<V>,
}

impl<V: Clone> Join<'_, V> {
    pub(crate) fn join_children(&mut self, left: Option<&Child<V>>, right: Option<&Child<V>>) -> Option<Child<V>> {
        match (left, right) {
            (None, None) => None,
            (Some(child), None) | (None, Some(child)) => Some(self.join_single(child)),
            (Some(left), Some(right)) => Some(self.join_nodes(left, right)),
        }
    }

    /// A subtree that only one map has.
    pub(crate) fn join_single(&mut self, child: &Child<V>) -> Child<V> {
        if self.shared.contains(&child.least_key()) && self.shared.contains(&child.greatest_key()) {
            return child.clone();
        }
        match child {
            Child::Leaf(leaf) => match (self.single)(leaf.key, &leaf.value) {
                Some(value) => Child::leaf(leaf.key, value),
                None => child.clone(),
            },
            Child::Branch(branch) => self.rebuild_branch(child, branch, |join, _, own| {
                own.map_or(JoinedChild::Kept, |own| JoinedChild::Made(Some(join.join_single(own))))
            }),
        }
    }

    pub(crate) fn join_nodes(&mut self, l: &Child<V>, r: &Child<V>) -> Child<V> {
        if l.is_same_node(r) {
            return l.clone();
        }
        match (l, r) {
            (Child::Leaf(x), Child::Leaf(y)) if x.key == y.key => match (self.both)(x.key, &x.value, &y.value) {
                Some(value) => Child::leaf(x.key, value),
                None => l.clone(),
            },
            (Child::Branch(x), Child::Branch(y)) if x.prefix == y.prefix && x.shift == y.shift => {
                self.rebuild_branch(l, x, |join, digit, own| {
                    let other = y.children[digit].as_ref();
                    if is_same_child(own, other) {
                        JoinedChild::Kept
                    } else {
                        JoinedChild::Made(join.join_children(own, other))
                    }
                })
            }
            (Child::Branch(x), _) if l.height() > r.height() && x.covers(r.least_key()) => {
                let at = x.digit(r.least_key());
                self.rebuild_branch(l, x, |join, digit, own| {
                    JoinedChild::Made(join.join_children(own, (digit == at).then_some(r)))
                })
            }
            (_, Child::Branch(y)) if r.height() > l.height() && y.covers(l.least_key()) => {
                let at = y.digit(l.least_key());
                self.rebuild_branch(r, y, |join, digit, own| {
                    JoinedChild::Made(join.join_children((digit == at).then_some(l), own))
                })
            }
            _ => {
                let (a, b) = (self.join_single(l), self.join_single(r));
                Child::branch_of_two(a, b)
            }
        }
    }

    /// A branch with its children made anew; itself if none has changed.
    pub(crate) fn rebuild_branch(
        &mut self,
        child: &Child<V>,
        branch: &BranchNode<V>,
        mut make: impl FnMut(&mut Self, usize, Option<&Child<V>>) -> JoinedChild<V>,
    ) -> Child<V> {
        let mut is_kept = true;
        let mut joined: [JoinedChild<V>; WIDTH] = std::array::from_fn(|digit| {
            let own = branch.children[digit].as_ref();
            match make(self, digit, own) {
                JoinedChild::Made(new) if !is_same_child(new.as_ref(), own) => {
                    is_kept = false;
                    JoinedChild::Made(new)
                }
                _ => JoinedChild::Kept,
            }
        });
        if is_kept {
            return child.clone();
        }
        let children = std::array::from_fn(|digit| match std::mem::replace(&mut joined[digit], JoinedChild::Kept) {
            JoinedChild::Made(new) => new,
            JoinedChild::Kept => branch.children[digit].clone(),
        });
        Child::Branch(Arc::new(BranchNode { prefix: branch.prefix, shift: branch.shift, children }))
    }
}

/// Visits the keys where two subtrees may differ, in order; shared subtrees are skipped.
#[inline]
pub(crate) fn visit_differences<'a, V>(
    left: Option<&'a Child<V>>,
    right: Option<&'a Child<V>>,
    visit: &mut impl FnMut(u64, Pair<'a, V>),
) {
    match (left, right) {
        (None, None) => {}
        (Some(l), None) => l.for_each_entry(&mut |k, v| visit(k, Pair::Left(v))),
        (None, Some(r)) => r.for_each_entry(&mut |k, v| visit(k, Pair::Right(v))),
        (Some(l), Some(r)) if l.is_same_node(r) => {}
        (Some(l), Some(r)) => visit_node_differences(l, r, visit),
    }
}

/// As [`visit_differences`], for two nodes that are not the same.
fn visit_node_differences<'a, V>(l: &'a Child<V>, r: &'a Child<V>, visit: &mut impl FnMut(u64, Pair<'a, V>)) {
    match (l, r) {
        (Child::Leaf(x), Child::Leaf(y)) if x.key == y.key => visit(x.key, Pair::Both(&x.value, &y.value)),
        (Child::Branch(x), Child::Branch(y)) if x.prefix == y.prefix && x.shift == y.shift => {
            for (l, r) in x.children.iter().zip(&y.children) {
                let (l, r) = (l.as_ref(), r.as_ref());
                if !is_same_child(l, r) {
                    visit_differences(l, r, visit);
                }
            }
        }
        (Child::Branch(x), _) if l.height() > r.height() && x.covers(r.least_key()) => {
            let at = x.digit(r.least_key());
            for (digit, own) in x.children.iter().enumerate() {
                visit_differences(own.as_ref(), (digit == at).then_some(r), visit);
            }
        }
        (_, Child::Branch(y)) if r.height() > l.height() && y.covers(l.least_key()) => {
            let at = y.digit(l.least_key());
            for (digit, own) in y.children.iter().enumerate() {
                visit_differences((digit == at).then_some(l), own.as_ref(), visit);
            }
        }
        _ if l.least_key() < r.least_key() => {
            visit_differences(Some(l), None, visit);
            visit_differences(None, Some(r), visit);
        }
        _ => {
            visit_differences(None, Some(r), visit);
            visit_differences(Some(l), None, visit);
        }
    }
}
