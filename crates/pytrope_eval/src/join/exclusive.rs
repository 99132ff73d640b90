//! Arrays that only one of two joined states still uses.
//!
//! `if x.ndim == 1: x = x[:, None]` leaves the old array behind on one path, where it has one axis; on the other path the
//! name still holds it, and there it has not. The old array is unreachable on the first path, so what is known
//! of its shape is what the second path knows.

use std::sync::Arc;

use crate::object::{Array, Mapping, Object, Slots};
use crate::state::State;
use crate::value::{Addr, Value};

use super::Joiner;

impl Joiner<'_> {
    /// Of two versions of an array that differ in rank, the one of the only state in which it is reachable.
    pub(super) fn only_holder<'o>(&self, addr: Addr, a: &'o Arc<Array>, b: &'o Arc<Array>) -> Option<&'o Arc<Array>> {
        let (first, second) = self.sides?;
        if !self.settled || addr.is_summary() || self.widening.is_some() || a.shape.rank() == b.shape.rank() {
            return None;
        }
        let held = |state: &State, brought: Option<&Value>| {
            brought.is_some_and(|value| value_mentions(value, addr))
                || state.heap.iter().any(|(key, object)| Addr(key) != addr && object_holds(object, addr))
        };
        let (x, y) = self.brought.map_or((None, None), |(x, y)| (Some(x), Some(y)));
        match (held(first, x), held(second, y)) {
            (true, false) => Some(a),
            (false, true) => Some(b),
            (true, true) | (false, false) => None,
        }
    }
}

/// Whether a value refers to an object, by itself or in a tuple.
fn value_mentions(value: &Value, addr: Addr) -> bool {
    value.any_address(&mut |other| other == addr)
}

fn in_slots(slots: &Slots, addr: Addr) -> bool {
    slots.values().any(|value| value_mentions(value, addr))
}

fn in_mapping(mapping: &Mapping, addr: Addr) -> bool {
    mapping.entries.values().any(|entry| value_mentions(&entry.value, addr) || value_mentions(&entry.key, addr))
        || mapping.open.as_ref().is_some_and(|open| value_mentions(&open.0, addr) || value_mentions(&open.1, addr))
}

/// Whether an object refers to another; what is not easily seen through counts as if it did. That two arrays share their
/// memory says nothing about their shapes.
fn object_holds(object: &Object, addr: Addr) -> bool {
    match object {
        Object::Scope(slots) => in_slots(slots, addr),
        Object::List(seq) => seq.any_address(&mut |other| other == addr),
        Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => in_mapping(mapping, addr),
        Object::Instance(instance) => {
            in_slots(&instance.attrs, addr)
                || instance.content.as_ref().is_some_and(|content| value_mentions(content, addr))
        }
        Object::Class(class) => in_slots(&class.attrs, addr),
        Object::Function(function) => {
            in_slots(&function.attrs, addr) || function.defaults.iter().any(|(_, value)| value_mentions(value, addr))
        }
        Object::Array(array) => in_slots(&array.attrs, addr),
        Object::StaticMethod(value) | Object::ClassMethod(value) => value_mentions(value, addr),
        Object::Super { receiver, .. } => value_mentions(receiver, addr),
        Object::Module(_) => false,
        Object::Iter(_) | Object::Property(_) | Object::Coroutine { .. } | Object::Unknown => true,
    }
}
