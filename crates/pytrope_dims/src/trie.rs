//! A persistent radix trie keyed by `u64`: O(1) copies, joins that skip shared subtrees, iteration in key order.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

/// How many bits of a key one branch looks at: wide enough that paths are short, narrow enough that copying one is cheap.
const BITS: u32 = 2;
const WIDTH: usize = 1 << BITS;

/// A map from `u64` to `V` whose copies share structure.
pub struct Trie<V> {
    root: Option<Child<V>>,
}

enum Child<V> {
    Leaf(Arc<Leaf<V>>),
    Branch(Arc<Branch<V>>),
}

struct Leaf<V> {
    key: u64,
    value: V,
}

/// All keys below agree above the digit at `shift`; at least two digits are taken.
struct Branch<V> {
    /// What is above the digit.
    prefix: u64,
    shift: u32,
    children: [Option<Child<V>>; WIDTH],
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

impl<V> Clone for Child<V> {
    #[inline]
    fn clone(&self) -> Self {
        match self {
            Self::Leaf(leaf) => Self::Leaf(Arc::clone(leaf)),
            Self::Branch(branch) => Self::Branch(Arc::clone(branch)),
        }
    }
}

impl<V: Clone> Clone for Leaf<V> {
    fn clone(&self) -> Self {
        Self { key: self.key, value: self.value.clone() }
    }
}

impl<V> Clone for Branch<V> {
    fn clone(&self) -> Self {
        Self { prefix: self.prefix, shift: self.shift, children: self.children.clone() }
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

fn same<V: PartialEq>(left: Option<&Child<V>>, right: Option<&Child<V>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(Child::Leaf(l)), Some(Child::Leaf(r))) => Arc::ptr_eq(l, r) || (l.key == r.key && l.value == r.value),
        (Some(Child::Branch(l)), Some(Child::Branch(r))) => {
            Arc::ptr_eq(l, r)
                || (l.prefix == r.prefix
                    && l.shift == r.shift
                    && l.children.iter().zip(&r.children).all(|(l, r)| same(l.as_ref(), r.as_ref())))
        }
        _ => false,
    }
}

impl<V> Branch<V> {
    #[inline]
    fn covers(&self, key: u64) -> bool {
        (key >> self.shift) >> BITS == self.prefix
    }

    #[inline]
    fn digit(&self, key: u64) -> usize {
        (key >> self.shift) as usize % WIDTH
    }

    fn least(&self) -> u64 {
        (self.prefix << BITS) << self.shift
    }

    fn greatest(&self) -> u64 {
        self.least() | (u64::MAX >> (u64::BITS - BITS - self.shift))
    }
}

impl<V> Child<V> {
    fn leaf(key: u64, value: V) -> Self {
        Self::Leaf(Arc::new(Leaf { key, value }))
    }

    /// The least key that may be in it.
    fn least(&self) -> u64 {
        match self {
            Self::Leaf(leaf) => leaf.key,
            Self::Branch(branch) => branch.least(),
        }
    }

    fn greatest(&self) -> u64 {
        match self {
            Self::Leaf(leaf) => leaf.key,
            Self::Branch(branch) => branch.greatest(),
        }
    }

    /// The position of the digit it looks at, past that of a leaf.
    fn height(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Branch(branch) => branch.shift + 1,
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf(a), Self::Leaf(b)) => Arc::ptr_eq(a, b),
            (Self::Branch(a), Self::Branch(b)) => Arc::ptr_eq(a, b),
            (Self::Leaf(_), Self::Branch(_)) | (Self::Branch(_), Self::Leaf(_)) => false,
        }
    }

    /// A branch of two whose keys differ.
    fn parting(a: Self, b: Self) -> Self {
        let (x, y) = (a.least(), b.least());
        let shift = (x ^ y).ilog2() / BITS * BITS;
        let mut branch = Branch { prefix: (x >> shift) >> BITS, shift, children: [const { None }; WIDTH] };
        let (at_x, at_y) = (branch.digit(x), branch.digit(y));
        branch.children[at_x] = Some(a);
        branch.children[at_y] = Some(b);
        Self::Branch(Arc::new(branch))
    }

    fn each<'a>(&'a self, visit: &mut impl FnMut(u64, &'a V)) {
        match self {
            Self::Leaf(leaf) => visit(leaf.key, &leaf.value),
            Self::Branch(branch) => branch.children.iter().flatten().for_each(|child| child.each(visit)),
        }
    }

    fn any_outside(&self, range: &Range<u64>, test: &mut dyn FnMut(u64) -> bool) -> bool {
        match self {
            Self::Leaf(leaf) => !range.contains(&leaf.key) && test(leaf.key),
            Self::Branch(branch) => {
                let inside = range.contains(&branch.least()) && range.contains(&branch.greatest());
                !inside && branch.children.iter().flatten().any(|child| child.any_outside(range, test))
            }
        }
    }

    fn insert(&mut self, key: u64, value: V) {
        match self {
            Self::Leaf(leaf) if leaf.key == key => match Arc::get_mut(leaf) {
                Some(leaf) => leaf.value = value,
                None => *leaf = Arc::new(Leaf { key, value }),
            },
            Self::Branch(branch) if branch.covers(key) => {
                let at = branch.digit(key);
                match &mut Arc::make_mut(branch).children[at] {
                    Some(child) => child.insert(key, value),
                    empty @ None => *empty = Some(Self::leaf(key, value)),
                }
            }
            Self::Leaf(_) | Self::Branch(_) => *self = Self::parting(self.clone(), Self::leaf(key, value)),
        }
    }

    /// Takes out a key that is there; true when nothing remains.
    fn remove(&mut self, key: u64) -> bool {
        let Self::Branch(branch) = self else { return true };
        let at = branch.digit(key);
        let branch = Arc::make_mut(branch);
        let child = &mut branch.children[at];
        if child.as_mut().is_some_and(|child| child.remove(key)) {
            *child = None;
            let mut left = branch.children.iter_mut().filter(|child| child.is_some());
            if let (Some(last), None) = (left.next(), left.next())
                && let Some(last) = last.take()
            {
                *self = last;
            }
        }
        false
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
                    Child::Branch(branch) => stack.extend(branch.children.iter().rev().flatten()),
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
        differences(self.root.as_ref(), other.root.as_ref(), visit);
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
        Self { root: join.children(a.root.as_ref(), b.root.as_ref()) }
    }
}

struct Join<'a, V> {
    shared: &'a Range<u64>,
    both: &'a mut dyn FnMut(u64, &V, &V) -> Option<V>,
    single: &'a mut dyn FnMut(u64, &V) -> Option<V>,
}

impl<V: Clone> Join<'_, V> {
    fn children(&mut self, left: Option<&Child<V>>, right: Option<&Child<V>>) -> Option<Child<V>> {
        match (left, right) {
            (None, None) => None,
            (Some(child), None) | (None, Some(child)) => Some(self.alone(child)),
            (Some(left), Some(right)) => Some(self.nodes(left, right)),
        }
    }

    /// A subtree that only one map has.
    fn alone(&mut self, child: &Child<V>) -> Child<V> {
        if self.shared.contains(&child.least()) && self.shared.contains(&child.greatest()) {
            return child.clone();
        }
        match child {
            Child::Leaf(leaf) => match (self.single)(leaf.key, &leaf.value) {
                Some(value) => Child::leaf(leaf.key, value),
                None => child.clone(),
            },
            Child::Branch(branch) => self.rebuilt(child, branch, |join, _, own| own.map(|own| join.alone(own))),
        }
    }

    fn nodes(&mut self, l: &Child<V>, r: &Child<V>) -> Child<V> {
        if l.is(r) {
            return l.clone();
        }
        match (l, r) {
            (Child::Leaf(x), Child::Leaf(y)) if x.key == y.key => match (self.both)(x.key, &x.value, &y.value) {
                Some(value) => Child::leaf(x.key, value),
                None => l.clone(),
            },
            (Child::Branch(x), Child::Branch(y)) if x.prefix == y.prefix && x.shift == y.shift => {
                self.rebuilt(l, x, |join, digit, own| join.children(own, y.children[digit].as_ref()))
            }
            (Child::Branch(x), _) if l.height() > r.height() && x.covers(r.least()) => {
                let at = x.digit(r.least());
                self.rebuilt(l, x, |join, digit, own| join.children(own, (digit == at).then_some(r)))
            }
            (_, Child::Branch(y)) if r.height() > l.height() && y.covers(l.least()) => {
                let at = y.digit(l.least());
                self.rebuilt(r, y, |join, digit, own| join.children((digit == at).then_some(l), own))
            }
            _ => {
                let (a, b) = (self.alone(l), self.alone(r));
                Child::parting(a, b)
            }
        }
    }

    /// A branch with its children made anew; itself if none has changed.
    fn rebuilt(
        &mut self,
        child: &Child<V>,
        branch: &Branch<V>,
        mut make: impl FnMut(&mut Self, usize, Option<&Child<V>>) -> Option<Child<V>>,
    ) -> Child<V> {
        let children: [Option<Child<V>>; WIDTH] =
            std::array::from_fn(|digit| make(self, digit, branch.children[digit].as_ref()));
        let unchanged = children.iter().zip(&branch.children).all(|(new, old)| match (new, old) {
            (None, None) => true,
            (Some(new), Some(old)) => new.is(old),
            _ => false,
        });
        if unchanged {
            return child.clone();
        }
        Child::Branch(Arc::new(Branch { prefix: branch.prefix, shift: branch.shift, children }))
    }
}

fn differences<'a, V>(
    left: Option<&'a Child<V>>,
    right: Option<&'a Child<V>>,
    visit: &mut impl FnMut(u64, Pair<'a, V>),
) {
    let (l, r) = match (left, right) {
        (None, None) => return,
        (Some(l), None) => return l.each(&mut |k, v| visit(k, Pair::Left(v))),
        (None, Some(r)) => return r.each(&mut |k, v| visit(k, Pair::Right(v))),
        (Some(l), Some(r)) => (l, r),
    };
    if l.is(r) {
        return;
    }
    match (l, r) {
        (Child::Leaf(x), Child::Leaf(y)) if x.key == y.key => visit(x.key, Pair::Both(&x.value, &y.value)),
        (Child::Branch(x), Child::Branch(y)) if x.prefix == y.prefix && x.shift == y.shift => {
            for (l, r) in x.children.iter().zip(&y.children) {
                differences(l.as_ref(), r.as_ref(), visit);
            }
        }
        (Child::Branch(x), _) if l.height() > r.height() && x.covers(r.least()) => {
            let at = x.digit(r.least());
            for (digit, own) in x.children.iter().enumerate() {
                differences(own.as_ref(), (digit == at).then_some(r), visit);
            }
        }
        (_, Child::Branch(y)) if r.height() > l.height() && y.covers(l.least()) => {
            let at = y.digit(l.least());
            for (digit, own) in y.children.iter().enumerate() {
                differences((digit == at).then_some(l), own.as_ref(), visit);
            }
        }
        _ if l.least() < r.least() => {
            differences(Some(l), None, visit);
            differences(None, Some(r), visit);
        }
        _ => {
            differences(None, Some(r), visit);
            differences(Some(l), None, visit);
        }
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
    fn the_whole_range_of_keys_is_taken() {
        let keys = [0, 1, 2, 3, 4, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 62, 1 << 32, (5 << 32) + 999];
        let mut trie = Trie::new();
        for key in keys {
            trie.insert(key, key);
        }
        assert!(keys.iter().all(|key| trie.get(*key) == Some(key)));
        let other = trie.clone();
        for key in keys {
            trie.remove(key);
            assert_eq!(trie.get(key), None);
        }
        assert!(trie.is_empty());
        assert_eq!(other.len(), keys.len());
        let joined = Trie::join(&trie, &other, &(0..0), &mut |_, _, _| None, &mut |_, value| Some(*value));
        assert!(joined == other);
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
