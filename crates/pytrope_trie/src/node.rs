//! The nodes of a trie: leaves, and branches that part keys by one digit.

use std::ops::Range;

use triomphe::Arc;

/// How many bits of a key one branch looks at: wide enough that paths are short, narrow enough that copying one is cheap.
pub(crate) const BITS: u32 = 2;
pub(crate) const WIDTH: usize = 1 << BITS;

/// A subtree that is not empty.
pub(crate) enum Child<V> {
    Leaf(Arc<LeafNode<V>>),
    Branch(Arc<BranchNode<V>>),
}

/// One entry.
pub(crate) struct LeafNode<V> {
    pub(crate) key: u64,
    pub(crate) value: V,
}

/// All keys below agree above the digit at `shift`; at least two digits are taken.
pub(crate) struct BranchNode<V> {
    /// What is above the digit.
    pub(crate) prefix: u64,
    pub(crate) shift: u32,
    pub(crate) children: [Option<Child<V>>; WIDTH],
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

impl<V: Clone> Clone for LeafNode<V> {
    fn clone(&self) -> Self {
        Self { key: self.key, value: self.value.clone() }
    }
}

impl<V> Clone for BranchNode<V> {
    fn clone(&self) -> Self {
        Self { prefix: self.prefix, shift: self.shift, children: self.children.clone() }
    }
}

/// Whether two places of a branch hold the same node, or nothing.
#[inline]
pub(crate) fn is_same_child<V>(left: Option<&Child<V>>, right: Option<&Child<V>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => left.is_same_node(right),
        _ => false,
    }
}

/// Whether two subtrees hold the same entries; shared ones are not looked at.
pub(crate) fn subtrees_equal<V: PartialEq>(left: Option<&Child<V>>, right: Option<&Child<V>>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(Child::Leaf(l)), Some(Child::Leaf(r))) => Arc::ptr_eq(l, r) || (l.key == r.key && l.value == r.value),
        (Some(Child::Branch(l)), Some(Child::Branch(r))) => {
            Arc::ptr_eq(l, r)
                || (l.prefix == r.prefix
                    && l.shift == r.shift
                    && l.children.iter().zip(&r.children).all(|(l, r)| subtrees_equal(l.as_ref(), r.as_ref())))
        }
        _ => false,
    }
}

impl<V> BranchNode<V> {
    #[inline]
    pub(crate) fn covers(&self, key: u64) -> bool {
        (key >> self.shift) >> BITS == self.prefix
    }

    #[inline]
    pub(crate) fn digit(&self, key: u64) -> usize {
        (key >> self.shift) as usize % WIDTH
    }

    pub(crate) fn least_key(&self) -> u64 {
        (self.prefix << BITS) << self.shift
    }

    pub(crate) fn greatest_key(&self) -> u64 {
        self.least_key() | (u64::MAX >> (u64::BITS - BITS - self.shift))
    }
}

impl<V> Child<V> {
    pub(crate) fn leaf(key: u64, value: V) -> Self {
        Self::Leaf(Arc::new(LeafNode { key, value }))
    }

    /// The least key that may be in it.
    pub(crate) fn least_key(&self) -> u64 {
        match self {
            Self::Leaf(leaf) => leaf.key,
            Self::Branch(branch) => branch.least_key(),
        }
    }

    pub(crate) fn greatest_key(&self) -> u64 {
        match self {
            Self::Leaf(leaf) => leaf.key,
            Self::Branch(branch) => branch.greatest_key(),
        }
    }

    /// The position of the digit it looks at, past that of a leaf.
    pub(crate) fn height(&self) -> u32 {
        match self {
            Self::Leaf(_) => 0,
            Self::Branch(branch) => branch.shift + 1,
        }
    }

    #[inline]
    pub(crate) fn is_same_node(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Leaf(a), Self::Leaf(b)) => Arc::ptr_eq(a, b),
            (Self::Branch(a), Self::Branch(b)) => Arc::ptr_eq(a, b),
            (Self::Leaf(_), Self::Branch(_)) | (Self::Branch(_), Self::Leaf(_)) => false,
        }
    }

    /// A branch of two whose keys differ.
    pub(crate) fn branch_of_two(a: Self, b: Self) -> Self {
        let (x, y) = (a.least_key(), b.least_key());
        let shift = (x ^ y).ilog2() / BITS * BITS;
        let mut branch = BranchNode { prefix: (x >> shift) >> BITS, shift, children: [const { None }; WIDTH] };
        let (at_x, at_y) = (branch.digit(x), branch.digit(y));
        branch.children[at_x] = Some(a);
        branch.children[at_y] = Some(b);
        Self::Branch(Arc::new(branch))
    }

    pub(crate) fn for_each_entry<'a>(&'a self, visit: &mut impl FnMut(u64, &'a V)) {
        match self {
            Self::Leaf(leaf) => visit(leaf.key, &leaf.value),
            Self::Branch(branch) => branch.children.iter().flatten().for_each(|child| child.for_each_entry(visit)),
        }
    }

    pub(crate) fn any_outside(&self, range: &Range<u64>, test: &mut dyn FnMut(u64) -> bool) -> bool {
        match self {
            Self::Leaf(leaf) => !range.contains(&leaf.key) && test(leaf.key),
            Self::Branch(branch) => {
                let inside = range.contains(&branch.least_key()) && range.contains(&branch.greatest_key());
                !inside && branch.children.iter().flatten().any(|child| child.any_outside(range, test))
            }
        }
    }

    pub(crate) fn insert(&mut self, key: u64, value: V) {
        match self {
            Self::Leaf(leaf) if leaf.key == key => match Arc::get_mut(leaf) {
                Some(leaf) => leaf.value = value,
                None => *leaf = Arc::new(LeafNode { key, value }),
            },
            Self::Branch(branch) if branch.covers(key) => {
                let at = branch.digit(key);
                match &mut Arc::make_mut(branch).children[at] {
                    Some(child) => child.insert(key, value),
                    empty @ None => *empty = Some(Self::leaf(key, value)),
                }
            }
            Self::Leaf(_) | Self::Branch(_) => *self = Self::branch_of_two(self.clone(), Self::leaf(key, value)),
        }
    }

    /// Takes out a key that is there; true when nothing remains.
    pub(crate) fn remove(&mut self, key: u64) -> bool {
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
