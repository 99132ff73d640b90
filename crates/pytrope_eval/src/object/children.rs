//! What values and objects refer to: the one traversal of an object's children.
//!
//! Escape, recency, joins and dependencies all ask which addresses something mentions; each writes its own test and shares
//! this walk. Tuples and unions share their parts, so the walk counts its steps and, past a few, visits a shared part once:
//! `x = (x, x)` in a loop doubles the paths and not the parts.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Array, Class, Function, Instance, Iter, IterSource, Key, Mapping, Object, Slots};
use crate::interp::Dependency;
use crate::value::{Addr, Seq, Value};

/// Walks below this number of parts do not remember what they have visited.
const SMALL_WALK: u32 = 64;

/// A search for an address that passes a test.
struct AddressSearch<'t> {
    test: &'t mut dyn FnMut(Addr) -> bool,
    steps: u32,
    visited: FxHashSet<usize>,
}

impl AddressSearch<'_> {
    /// Whether a shared part is met for the first time, as far as that is remembered.
    fn enter_shared<T: ?Sized>(&mut self, part: &Arc<T>) -> bool {
        self.steps += 1;
        self.steps < SMALL_WALK || self.visited.insert(Arc::as_ptr(part).cast::<()>() as usize)
    }

    fn in_values<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> bool {
        values.into_iter().any(|value| self.in_value(value))
    }

    fn in_addresses<'a>(&mut self, addresses: impl IntoIterator<Item = &'a Addr>) -> bool {
        addresses.into_iter().any(|addr| (self.test)(*addr))
    }

    fn in_value(&mut self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => (self.test)(*addr),
            Value::Tuple(seq) => self.in_seq(seq),
            Value::Bound(bound) => self.in_value(&bound.receiver) || self.in_value(&bound.function),
            Value::Method(method) => self.in_value(&method.receiver),
            Value::Union(values) => self.enter_shared(values) && self.in_values(values.iter()),
            Value::Range(parts) | Value::Slice(parts) => self.in_values(parts.iter()),
            Value::Unknown(reason) | Value::UnknownNotNone(reason) => {
                reason.lazy_address().is_some_and(&mut *self.test)
            }
            Value::None
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Bool(_)
            | Value::SymbolicBool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Dim(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Bytes(_)
            | Value::Top(_)
            | Value::Native(_) => false,
        }
    }

    fn in_seq(&mut self, seq: &Seq) -> bool {
        match seq {
            Seq::Exact(items) => self.enter_shared(items) && self.in_values(items.iter()),
            Seq::Open(open) => {
                self.enter_shared(open) && (self.in_values(&open.prefix) || self.in_value(&open.element))
            }
        }
    }

    fn in_slots(&mut self, slots: &Slots) -> bool {
        self.in_values(slots.values())
    }

    fn in_mapping(&mut self, mapping: &Mapping) -> bool {
        mapping.entries.values().any(|entry| self.in_value(&entry.value) || self.in_value(&entry.key))
            || mapping.open.as_ref().is_some_and(|open| self.in_value(&open.0) || self.in_value(&open.1))
    }

    fn in_object(&mut self, object: &Object) -> bool {
        match object {
            Object::Scope(slots) => self.in_slots(slots),
            Object::List(seq) => self.in_seq(seq),
            Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => self.in_mapping(mapping),
            Object::Instance(instance) => {
                let Instance { class, attrs, content } = &**instance;
                self.in_value(class) || self.in_slots(attrs) || self.in_values(content)
            }
            Object::Class(class) => {
                let Class { mro, attrs, bases, metaclass, .. } = &**class;
                self.in_addresses(mro) || self.in_slots(attrs) || self.in_values(bases.iter().chain(metaclass))
            }
            Object::Function(function) => {
                // What `lifting` names are functions of the model's own module, which the scopes hold.
                let Function { scopes, class, attrs, defaults, .. } = &**function;
                self.in_addresses(scopes.iter().chain(class))
                    || self.in_slots(attrs)
                    || self.in_values(defaults.iter().map(|(_, value)| value))
            }
            Object::Module(module) => self.in_addresses(&module.scope),
            Object::Array(array) => {
                let Array { class, dtype, attrs, values, memory, may_equal, .. } = &**array;
                self.in_values([class, dtype].into_iter().chain(memory).chain(may_equal))
                    || self.in_slots(attrs)
                    || self.in_values(values.iter().flat_map(|values| values.iter()))
            }
            Object::Iter(iter) => self.in_iterator(iter),
            Object::Property(property) => self.in_values([&property.get, &property.set, &property.delete]),
            Object::StaticMethod(value) | Object::ClassMethod(value) => self.in_value(value),
            Object::Super { class, receiver } => (self.test)(*class) || self.in_value(receiver),
            Object::Coroutine { function, scope } => (self.test)(*function) || (self.test)(*scope),
            Object::Unknown => false,
        }
    }

    fn in_iterator(&mut self, iter: &Iter) -> bool {
        let source = match &iter.source {
            IterSource::Items(seq) | IterSource::View(seq) => self.in_seq(seq),
            IterSource::Generator { function, scope } => (self.test)(*function) || (self.test)(*scope),
            IterSource::Refused(_) | IterSource::Unknown => false,
        };
        source || iter.watched.iter().any(|watched| self.in_dependency(watched))
    }

    fn in_key(&mut self, key: &Key) -> bool {
        match key {
            Key::Object(addr) => (self.test)(*addr),
            Key::Tuple(keys) => keys.iter().any(|key| self.in_key(key)),
            Key::None
            | Key::Ellipsis
            | Key::Int(_)
            | Key::Big(_)
            | Key::Float(_)
            | Key::Str(_)
            | Key::Bytes(_)
            | Key::Native(_) => false,
        }
    }

    fn in_dependency(&mut self, dependency: &Dependency) -> bool {
        match dependency {
            Dependency::Object(addr, object) => (self.test)(*addr) || self.in_object(object),
            Dependency::Keys(addr, keys) => (self.test)(*addr) || keys.iter().any(|key| self.in_key(key)),
            Dependency::Name(scope, _, value) => (self.test)(*scope) || self.in_value(value),
        }
    }
}

fn search(test: &mut dyn FnMut(Addr) -> bool) -> AddressSearch<'_> {
    AddressSearch { test, steps: 0, visited: FxHashSet::default() }
}

impl Value {
    /// Whether some address in the value passes a test.
    pub fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        search(test).in_value(self)
    }
}

impl Seq {
    /// Whether some address among the items passes a test.
    pub fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        search(test).in_seq(self)
    }
}

impl Object {
    /// Whether some address in the object passes a test.
    pub fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        search(test).in_object(self)
    }
}

impl Dependency {
    pub(crate) fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        search(test).in_dependency(self)
    }
}
