//! What containers come to hold after they were made.
//!
//! ```python
//! rows = []          # holds nothing yet that could change
//! rows.append([1])
//! row = rows[0]      # leads to a part of `rows` that can change
//! ```
//!
//! The traits of a container say what it holds where it is made. Where something is put into a container that its traits exclude,
//! every container whose type is not declared may hold such values, since other names may lead to the one that was changed. Variables
//! that are only looked at keep their traits.
//!
//! Invariant: `LocationFacts::stored` only gets weaker, so that inference ends.

use pytrope_source::tree::{Context, ExprKind};

use super::Checker;
use crate::effects;
use crate::located::{Located, Traits};

/// Methods that put the items of what they are given into their receiver.
const TAKING_ITEMS: &[&str] = &[
    "difference_update",
    "extend",
    "extendleft",
    "intersection_update",
    "subtract",
    "symmetric_difference_update",
    "update",
];

/// What a changing method puts into its receiver.
pub(super) fn stored_by_method(name: &str, given: impl Iterator<Item = Traits>) -> Traits {
    let taken = given.fold(Traits::FROZEN, Traits::both);
    if TAKING_ITEMS.contains(&name) { taken.of_items() } else { taken }
}

impl Checker<'_> {
    /// Something is put into a container.
    pub(super) fn note_stored(&mut self, container: Traits, stored: Traits) {
        let excluded = container.frozen_items && !stored.frozen || container.ordered && !stored.ordered;
        if excluded {
            self.facts.stored = self.facts.stored.both(stored);
        }
    }

    /// What a variable or a field of no declared type holds, by all that is put into containers.
    pub(super) fn with_stored_contents(&self, name: Option<&str>, mut located: Located) -> Located {
        let (known, stored) = (located.traits(), self.facts.stored);
        let excluded = known.frozen_items && !stored.frozen || known.ordered && !stored.ordered;
        if !known.frozen && excluded && !name.is_some_and(|name| self.is_only_read(name)) {
            located.set_traits(Traits {
                frozen_items: known.frozen_items && stored.frozen,
                ordered: known.ordered && stored.ordered,
                ..known
            });
        }
        located
    }

    /// Whether no use of a variable changes what it holds or gives it another name.
    fn is_only_read(&self, name: &str) -> bool {
        let tree = &self.unit.tree;
        self.unit.exprs_within(tree[self.method.stmt].range).all(|expr| match tree[expr].kind {
            ExprKind::Name { name: found, context } if tree.text(found) == name => {
                context == Context::Store || effects::is_reading_use(&self.unit, expr)
            }
            _ => true,
        })
    }
}
