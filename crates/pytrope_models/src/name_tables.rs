//! Tables of names: a line is a module or class and what it has.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

/// The names of one module or class: as they are listed, and as a set once they are asked about.
struct ListedNames {
    text: &'static str,
    set: OnceLock<FxHashSet<&'static str>>,
}

/// What modules and classes have, by their dotted names.
pub(crate) struct NameTable(FxHashMap<&'static str, ListedNames>);

impl NameTable {
    pub fn of_lines(text: &'static str) -> NameTable {
        let lines = text.lines().filter_map(|line| line.split_once(' '));
        NameTable(lines.map(|(owner, text)| (owner, ListedNames { text, set: OnceLock::new() })).collect())
    }

    /// Whether something is listed and lacks a name.
    pub fn lacks_name(&self, owner: &str, name: &str) -> bool {
        let Some(listed) = self.0.get(owner) else { return false };
        !listed.set.get_or_init(|| listed.text.split(' ').collect()).contains(name)
    }

    /// The name under which something is listed.
    pub fn listed_key(&self, owner: &str) -> Option<&'static str> {
        self.0.get_key_value(owner).map(|(key, _)| *key)
    }

    /// All names of what is listed; none for what is not.
    pub fn names_of(&self, owner: &str) -> impl Iterator<Item = &'static str> {
        self.0.get(owner).into_iter().flat_map(|listed| listed.text.split(' '))
    }
}
