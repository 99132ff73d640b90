//! Settings of libraries: what a call changes for all that run after it, such as the mode of gradients or the default device.
//!
//! They are no objects of a module, so that a block which sets one and sets it back leaves no trace. Invariant: a setting that
//! has its default is not listed; the value of a listed one is never absent, and Unknown where paths disagree.

use std::sync::Arc;

use crate::names::Name;
use crate::value::{Reason, Value};

/// The settings that differ from their defaults. Copies are O(1).
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Settings(Option<Arc<Vec<(Name, Value)>>>);

impl Settings {
    pub fn are_default(&self) -> bool {
        self.0.is_none()
    }

    /// The value of a setting; none where it has its default.
    pub fn find_setting(&self, name: Name) -> Option<&Value> {
        self.listed_settings().iter().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// Changes a setting; none gives it its default back.
    pub fn change_setting(&mut self, name: Name, value: Option<Value>) {
        let others = self.listed_settings().iter().filter(|(other, _)| *other != name).cloned();
        let mut listed: Vec<(Name, Value)> = others.collect();
        listed.extend(value.map(|value| (name, value)));
        listed.sort_by_key(|(name, _)| *name);
        self.0 = (!listed.is_empty()).then(|| Arc::new(listed));
    }

    /// What holds on both of two paths.
    #[must_use]
    pub fn join_settings(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let mut joined = self.clone();
        for (name, _) in self.listed_settings().iter().chain(other.listed_settings()) {
            if self.find_setting(*name) != other.find_setting(*name) {
                joined.change_setting(*name, Some(Value::Unknown(Reason::Changed)));
            }
        }
        joined
    }

    fn listed_settings(&self) -> &[(Name, Value)] {
        self.0.as_ref().map_or(&[], |listed| listed.as_slice())
    }
}
