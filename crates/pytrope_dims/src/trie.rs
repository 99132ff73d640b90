//! A persistent Patricia trie keyed by `u64`: O(1) copies, joins that skip shared subtrees, iteration in key order.

use std::ops::Range;
use std::sync::Arc;

/// A map from `u64` to `V` whose copies share structure.
pub struct Trie<V> {
    root: Option<Arc<Node<V>>>,
}

enum Node<V> {
    Leaf {
        key: u64,
        value: V,
    },
    /// All keys below agree above `bit`; `left` has the bit clear, `right` has it set.
    Branch {
        prefix: u64,
        bit: u64,
        left: Arc<Node<V>>,
        right: Arc<Node<V>>,
    },
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
        same(self.root.as_ref(), other.root.as_ref())
    }
}

fn same<V: PartialEq>(left: Option<&Arc<Node<V>>>, right: Option<&Arc<Node<V>>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => {
            Arc::ptr_eq(left, right)
                || match (&**left, &**right) {
                    (Node::Leaf { key: k1, value: v1 }, Node::Leaf { key: k2, value: v2 }) => k1 == k2 && v1 == v2,
                    (
                        Node::Branch { prefix: p1, bit: b1, left: l1, right: r1 },
                        Node::Branch { prefix: p2, bit: b2, left: l2, right: r2 },
                    ) => p1 == p2 && b1 == b2 && same(Some(l1), Some(l2)) && same(Some(r1), Some(r2)),
                    _ => false,
                }
        }
        _ => false,
    }
}

/// What both sides of a join hold under one key.
pub enum Pair<'a, V> {
    Left(&'a V),
    Right(&'a V),
    Both(&'a V, &'a V),
}

const fn prefix_of(key: u64, bit: u64) -> u64 {
    key & !(bit | (bit - 1))
}

const fn highest_difference(a: u64, b: u64) -> u64 {
    1 << (a ^ b).ilog2()
}

impl<V> Node<V> {
    fn prefix(&self) -> u64 {
        match self {
            Node::Leaf { key, .. } => *key,
            Node::Branch { prefix, .. } => *prefix,
        }
    }
}

fn branch<V>(a_prefix: u64, a: Arc<Node<V>>, b_prefix: u64, b: Arc<Node<V>>) -> Arc<Node<V>> {
    let bit = highest_difference(a_prefix, b_prefix);
    let (left, right) = if a_prefix & bit == 0 { (a, b) } else { (b, a) };
    Arc::new(Node::Branch { prefix: prefix_of(a_prefix, bit), bit, left, right })
}

impl<V> Trie<V> {
    pub fn iter(&self) -> impl Iterator<Item = (u64, &V)> {
        let mut stack: Vec<&Node<V>> = self.root.as_deref().into_iter().collect();
        std::iter::from_fn(move || {
            loop {
                match stack.pop()? {
                    Node::Leaf { key, value } => return Some((*key, value)),
                    Node::Branch { left, right, .. } => {
                        stack.push(right);
                        stack.push(left);
                    }
                }
            }
        })
    }
}

impl<V: Clone> Trie<V> {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    pub fn get(&self, key: u64) -> Option<&V> {
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Leaf { key: k, value } => return (*k == key).then_some(value),
                Node::Branch { prefix, bit, left, right } => {
                    if prefix_of(key, *bit) != *prefix {
                        return None;
                    }
                    node = if key & bit == 0 { left } else { right };
                }
            }
        }
    }

    pub fn insert(&mut self, key: u64, value: V) {
        match &mut self.root {
            None => self.root = Some(Arc::new(Node::Leaf { key, value })),
            Some(root) => insert(root, key, value),
        }
    }

    /// The value to change in place; parts that are shared are copied first.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        self.get(key)?;
        let mut node = self.root.as_mut()?;
        loop {
            match Arc::make_mut(node) {
                Node::Leaf { value, .. } => return Some(value),
                Node::Branch { bit, left, right, .. } => {
                    node = if key & *bit == 0 { left } else { right };
                }
            }
        }
    }

    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_none() {
            return;
        }
        if let Some(root) = &mut self.root
            && remove(root, key)
        {
            self.root = None;
        }
    }

    pub fn len(&self) -> usize {
        self.iter().count()
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
        let root = match (&a.root, &b.root) {
            (None, None) => None,
            (Some(node), None) | (None, Some(node)) => Some(join.alone(node)),
            (Some(l), Some(r)) => Some(join.nodes(l, r)),
        };
        Self { root }
    }

    /// Whether some key outside a range passes a test.
    pub fn any_outside(&self, range: &Range<u64>, test: &mut dyn FnMut(u64) -> bool) -> bool {
        self.root.as_deref().is_some_and(|root| any_outside(root, range, test))
    }

    /// Keys where the two maps may differ, in order: shared subtrees are skipped.
    pub fn for_each_difference<'a>(&'a self, other: &'a Self, visit: &mut impl FnMut(u64, Pair<'a, V>)) {
        differences(self.root.as_ref(), other.root.as_ref(), visit);
    }
}

impl<V: Clone> Clone for Node<V> {
    fn clone(&self) -> Self {
        match self {
            Node::Leaf { key, value } => Node::Leaf { key: *key, value: value.clone() },
            Node::Branch { prefix, bit, left, right } => {
                Node::Branch { prefix: *prefix, bit: *bit, left: Arc::clone(left), right: Arc::clone(right) }
            }
        }
    }
}

struct Join<'a, V> {
    shared: &'a Range<u64>,
    both: &'a mut dyn FnMut(u64, &V, &V) -> Option<V>,
    single: &'a mut dyn FnMut(u64, &V) -> Option<V>,
}

impl<V: Clone> Join<'_, V> {
    /// A subtree that only one map has.
    fn alone(&mut self, node: &Arc<Node<V>>) -> Arc<Node<V>> {
        let (least, greatest) = match &**node {
            Node::Leaf { key, .. } => (*key, *key),
            Node::Branch { prefix, bit, .. } => (*prefix, prefix | bit | (bit - 1)),
        };
        if self.shared.contains(&least) && self.shared.contains(&greatest) {
            return Arc::clone(node);
        }
        match &**node {
            Node::Leaf { key, value } => match (self.single)(*key, value) {
                Some(value) => Arc::new(Node::Leaf { key: *key, value }),
                None => Arc::clone(node),
            },
            Node::Branch { prefix, bit, left, right } => {
                let (l, r) = (self.alone(left), self.alone(right));
                if Arc::ptr_eq(&l, left) && Arc::ptr_eq(&r, right) {
                    return Arc::clone(node);
                }
                Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left: l, right: r })
            }
        }
    }

    fn nodes(&mut self, l: &Arc<Node<V>>, r: &Arc<Node<V>>) -> Arc<Node<V>> {
        if Arc::ptr_eq(l, r) {
            return Arc::clone(l);
        }
        match (&**l, &**r) {
            (Node::Leaf { key: k1, value: v1 }, Node::Leaf { key: k2, value: v2 }) if k1 == k2 => {
                match (self.both)(*k1, v1, v2) {
                    Some(value) => Arc::new(Node::Leaf { key: *k1, value }),
                    None => Arc::clone(l),
                }
            }
            (
                Node::Branch { prefix: p1, bit: b1, left: l1, right: r1 },
                Node::Branch { prefix: p2, bit: b2, left: l2, right: r2 },
            ) if p1 == p2 && b1 == b2 => {
                let (left, right) = (self.nodes(l1, l2), self.nodes(r1, r2));
                if Arc::ptr_eq(&left, l1) && Arc::ptr_eq(&right, r1) {
                    return Arc::clone(l);
                }
                Arc::new(Node::Branch { prefix: *p1, bit: *b1, left, right })
            }
            (Node::Branch { prefix, bit, left, right }, other)
                if prefix_of(other.prefix(), *bit) == *prefix && covers(*bit, other) =>
            {
                let (left, right) = if other.prefix() & bit == 0 {
                    (self.nodes(left, r), self.alone(right))
                } else {
                    (self.alone(left), self.nodes(right, r))
                };
                Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left, right })
            }
            (other, Node::Branch { prefix, bit, left, right })
                if prefix_of(other.prefix(), *bit) == *prefix && covers(*bit, other) =>
            {
                let (left, right) = if other.prefix() & bit == 0 {
                    (self.nodes(l, left), self.alone(right))
                } else {
                    (self.alone(left), self.nodes(l, right))
                };
                Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left, right })
            }
            _ => {
                let (a, b) = (self.alone(l), self.alone(r));
                branch(l.prefix(), a, r.prefix(), b)
            }
        }
    }
}

fn insert<V: Clone>(node: &mut Arc<Node<V>>, key: u64, value: V) {
    let (outside, at) = match &**node {
        Node::Leaf { key: k, .. } => (*k != key, *k),
        Node::Branch { prefix, bit, .. } => (prefix_of(key, *bit) != *prefix, *prefix),
    };
    if outside {
        let old = Arc::clone(node);
        *node = branch(key, Arc::new(Node::Leaf { key, value }), at, old);
        return;
    }
    match Arc::make_mut(node) {
        Node::Leaf { value: old, .. } => *old = value,
        Node::Branch { bit, left, right, .. } => insert(if key & *bit == 0 { left } else { right }, key, value),
    }
}

/// Takes a key out below a branch that has it; true when the whole node is to go.
fn remove<V: Clone>(node: &mut Arc<Node<V>>, key: u64) -> bool {
    let other = match Arc::make_mut(node) {
        Node::Leaf { .. } => return true,
        Node::Branch { bit, left, right, .. } => {
            let (side, other) = if key & *bit == 0 { (left, right) } else { (right, left) };
            if !remove(side, key) {
                return false;
            }
            Arc::clone(other)
        }
    };
    *node = other;
    false
}

fn any_outside<V>(node: &Node<V>, range: &Range<u64>, test: &mut dyn FnMut(u64) -> bool) -> bool {
    match node {
        Node::Leaf { key, .. } => !range.contains(key) && test(*key),
        Node::Branch { prefix, bit, left, right } => {
            let inside = range.contains(prefix) && range.contains(&(prefix | bit | (bit - 1)));
            !inside && (any_outside(left, range, test) || any_outside(right, range, test))
        }
    }
}

fn each<'a, V>(node: &'a Node<V>, visit: &mut impl FnMut(u64, &'a V)) {
    match node {
        Node::Leaf { key, value } => visit(*key, value),
        Node::Branch { left, right, .. } => {
            each(left, visit);
            each(right, visit);
        }
    }
}

fn differences<'a, V>(
    left: Option<&'a Arc<Node<V>>>,
    right: Option<&'a Arc<Node<V>>>,
    visit: &mut impl FnMut(u64, Pair<'a, V>),
) {
    let (l, r) = match (left, right) {
        (None, None) => return,
        (Some(l), None) => return each(l, &mut |k, v| visit(k, Pair::Left(v))),
        (None, Some(r)) => return each(r, &mut |k, v| visit(k, Pair::Right(v))),
        (Some(l), Some(r)) => (l, r),
    };
    if Arc::ptr_eq(l, r) {
        return;
    }
    match (&**l, &**r) {
        (Node::Leaf { key: k1, value: v1 }, Node::Leaf { key: k2, value: v2 }) if k1 == k2 => {
            visit(*k1, Pair::Both(v1, v2));
        }
        (
            Node::Branch { prefix: p1, bit: b1, left: l1, right: r1 },
            Node::Branch { prefix: p2, bit: b2, left: l2, right: r2 },
        ) if p1 == p2 && b1 == b2 => {
            differences(Some(l1), Some(l2), visit);
            differences(Some(r1), Some(r2), visit);
        }
        (Node::Branch { prefix, bit, left: l1, right: r1 }, other)
            if prefix_of(other.prefix(), *bit) == *prefix && covers(*bit, other) =>
        {
            if other.prefix() & bit == 0 {
                differences(Some(l1), Some(r), visit);
                differences(Some(r1), None, visit);
            } else {
                differences(Some(l1), None, visit);
                differences(Some(r1), Some(r), visit);
            }
        }
        (other, Node::Branch { prefix, bit, left: l2, right: r2 })
            if prefix_of(other.prefix(), *bit) == *prefix && covers(*bit, other) =>
        {
            if other.prefix() & bit == 0 {
                differences(Some(l), Some(l2), visit);
                differences(None, Some(r2), visit);
            } else {
                differences(None, Some(l2), visit);
                differences(Some(l), Some(r2), visit);
            }
        }
        _ => {
            if l.prefix() < r.prefix() {
                differences(Some(l), None, visit);
                differences(None, Some(r), visit);
            } else {
                differences(None, Some(r), visit);
                differences(Some(l), None, visit);
            }
        }
    }
}

fn covers<V>(bit: u64, other: &Node<V>) -> bool {
    match other {
        Node::Leaf { .. } => true,
        Node::Branch { bit: below, .. } => *below < bit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn random(seed: &mut u64) -> u64 {
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        *seed
    }

    #[test]
    fn behaves_as_a_sorted_map() {
        let mut seed = 42;
        let mut trie = Trie::new();
        let mut map = BTreeMap::new();
        for _ in 0..4000 {
            let key = random(&mut seed) % 600;
            if random(&mut seed).is_multiple_of(3) {
                trie.remove(key);
                map.remove(&key);
            } else {
                let value = random(&mut seed);
                trie.insert(key, value);
                map.insert(key, value);
            }
            assert_eq!(trie.get(key), map.get(&key));
        }
        let pairs: Vec<_> = trie.iter().map(|(k, v)| (k, *v)).collect();
        assert_eq!(pairs, map.into_iter().collect::<Vec<_>>());
    }

    #[test]
    fn a_join_has_the_entries_of_both() {
        let mut seed = 99;
        for _ in 0..50 {
            let mut base = Trie::new();
            for _ in 0..100 {
                base.insert(random(&mut seed) % 500, 1u64);
            }
            let (mut a, mut b) = (base.clone(), base);
            for _ in 0..20 {
                a.insert(random(&mut seed) % 500, 2);
                b.insert(random(&mut seed) % 500, 4);
            }
            let joined = Trie::join(&a, &b, &(250..500), &mut |_, x, y| Some(x | y), &mut |_, x| Some(x + 100));
            for key in 0..500 {
                let expected = match (a.get(key), b.get(key)) {
                    (Some(x), Some(y)) => Some(x | y),
                    (Some(x), None) | (None, Some(x)) => Some(*x),
                    (None, None) => None,
                };
                let found = joined.get(key).map(|value| value % 100);
                assert_eq!(found, expected, "{key}");
            }
        }
    }

    #[test]
    fn differences_are_all_seen() {
        let mut seed = 7;
        for _ in 0..50 {
            let mut base = Trie::new();
            for _ in 0..200 {
                base.insert(random(&mut seed) % 1000, 0u64);
            }
            let (mut a, mut b) = (base.clone(), base);
            for i in 0..20 {
                a.insert(random(&mut seed) % 1000, i);
                b.insert(random(&mut seed) % 1000, i + 100);
                b.remove(random(&mut seed) % 1000);
            }
            let mut expected = BTreeMap::new();
            for key in 0..1000 {
                if a.get(key) != b.get(key) {
                    expected.insert(key, (a.get(key).copied(), b.get(key).copied()));
                }
            }
            let mut seen = BTreeMap::new();
            a.for_each_difference(&b, &mut |key, pair| {
                let pair = match pair {
                    Pair::Left(v) => (Some(*v), None),
                    Pair::Right(v) => (None, Some(*v)),
                    Pair::Both(v, w) => (Some(*v), Some(*w)),
                };
                if pair.0 != pair.1 {
                    seen.insert(key, pair);
                }
            });
            assert_eq!(seen, expected);
        }
    }
}
