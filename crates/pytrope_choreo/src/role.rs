//! Roles of a choreography, as positions in its class, and sets of them.

use std::fmt;

/// A formal role of a class: its position in the class's list of roles.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RoleId(pub u8);

impl RoleId {
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of roles of one class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct RoleSet(u64);

impl RoleSet {
    pub const EMPTY: Self = Self(0);
    /// How many roles a class may have.
    pub const LIMIT: usize = 64;

    pub const fn of_role(role: RoleId) -> Self {
        Self(1 << role.0)
    }

    /// The first `count` roles.
    pub const fn first_roles(count: usize) -> Self {
        if count >= Self::LIMIT { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    pub const fn contains(self, role: RoleId) -> bool {
        self.0 & (1 << role.0) != 0
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn insert(&mut self, role: RoleId) {
        self.0 |= 1 << role.0;
    }

    pub fn iter(self) -> impl Iterator<Item = RoleId> {
        (0..Self::LIMIT as u8).map(RoleId).filter(move |&role| self.contains(role))
    }

    /// The set seen from a user of the class, who gave it `actual` roles.
    pub fn substitute_roles(self, actual: &[RoleId]) -> Self {
        self.iter().filter_map(|role| actual.get(role.index()).copied()).collect()
    }

    /// `A`, or `A | B`.
    pub fn describe_roles(self, names: &[String]) -> String {
        let names: Vec<&str> = self.iter().filter_map(|role| names.get(role.index()).map(String::as_str)).collect();
        names.join(" | ")
    }
}

impl FromIterator<RoleId> for RoleSet {
    fn from_iter<T: IntoIterator<Item = RoleId>>(roles: T) -> Self {
        let mut set = Self::EMPTY;
        for role in roles {
            set.insert(role);
        }
        set
    }
}

impl fmt::Debug for RoleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|role| role.0)).finish()
    }
}
