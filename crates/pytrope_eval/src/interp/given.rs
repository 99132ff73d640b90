//! Objects in the hands of unknown code: it may change them whenever it runs, not only when it is given them.
//!
//! `queue = []; listen(queue); queue.clear(); wait(); queue[0]` works if `listen` has kept the list. What an operation of the
//! program makes known of such an object holds until unknown code runs again. An object that disappears into an Unknown
//! is in the same position: what is stored through the Unknown may be stored in it.

use std::sync::Arc;

use pytrope_trie::Trie;
use rustc_hash::FxHashSet;

use super::Interp;
use crate::names::Name;
use crate::object::{Object, Shape};
use crate::value::{Addr, Reason, Seq, Value};

/// The objects that unknown code has been given.
#[derive(Clone, Default)]
pub(crate) struct Given {
    objects: FxHashSet<Addr>,
    /// The heap as unknown code has left it the last time: what is as it was then is as unknown as it was.
    left: Option<Trie<Object>>,
}

/// What unknown code does with the objects that it has.
#[derive(Clone, Copy)]
pub(crate) enum ForeignEffect<'a> {
    /// Anything. Attributes that hold arrays, instances, classes or functions are assumed to hold them still, as arrays
    /// keep their shapes; what these hold may change.
    Anything,
    /// It stores an attribute of this name.
    Attribute(&'a Name),
    /// It changes the contents of a container.
    Contents,
}

impl Interp<'_> {
    /// Unknown code has this object from now on, and has just done with it what it wants.
    pub(super) fn give(&mut self, addr: Addr) {
        self.run.given.objects.insert(addr);
    }

    /// What unknown code has of an object it has of the one that stands for it from now on.
    pub(super) fn extend_given_to_summary(&mut self, addr: Addr, many: Addr) {
        if self.run.given.objects.contains(&addr) {
            self.run.given.objects.insert(many);
        }
    }

    /// Unknown code runs, or something is stored through an Unknown.
    pub(crate) fn use_given(&mut self, doing: ForeignEffect<'_>) {
        if self.run.given.objects.is_empty() {
            return;
        }
        let nothing = Trie::default();
        let mut pending: Vec<Addr> = Vec::new();
        self.run.given.left.as_ref().unwrap_or(&nothing).for_each_difference(&self.run.state.heap, &mut |key, _| {
            if self.run.given.objects.contains(&Addr(key)) {
                pending.push(Addr(key));
            }
        });
        let mut seen = FxHashSet::default();
        while let Some(addr) = pending.pop() {
            if seen.insert(addr) {
                self.give(addr);
                self.use_one(addr, doing, &mut pending);
            }
        }
        if matches!(doing, ForeignEffect::Anything) {
            self.run.given.left = Some(self.run.state.heap.clone());
        }
    }

    fn use_one(&mut self, addr: Addr, doing: ForeignEffect<'_>, pending: &mut Vec<Addr>) {
        match (self.object(addr), doing) {
            (Object::List(_) | Object::Dict(_) | Object::Set(_), ForeignEffect::Anything | ForeignEffect::Contents)
                if !self.is_forgotten(addr) =>
            {
                self.havoc(&Value::Obj(addr));
            }
            (Object::Instance(instance), ForeignEffect::Anything) => {
                let mut changed: Vec<Name> = Vec::new();
                for (name, slot) in instance.attrs.iter() {
                    match &slot.value {
                        Value::Unknown(_) => {}
                        Value::Obj(held) => pending.push(*held),
                        Value::Bound(_) | Value::Method(_) | Value::Native(_) => {}
                        _ => changed.push(name),
                    }
                }
                let held: Vec<Value> = changed
                    .iter()
                    .filter_map(|name| instance.attrs.get(*name).map(|slot| slot.value.clone()))
                    .filter(|value| matches!(value, Value::Tuple(_) | Value::Union(_)))
                    .collect();
                if !changed.is_empty() || !instance.attrs.open {
                    self.change_instance(addr, |instance| {
                        instance.attrs.open = true;
                        for name in changed {
                            instance.attrs.set(name, Value::Unknown(Reason::Changed));
                        }
                    });
                }
                for value in held {
                    self.havoc(&value);
                }
            }
            (Object::Instance(instance), ForeignEffect::Attribute(name))
                if instance.attrs.get(*name).is_some_and(|slot| !slot.value.is_unknown()) =>
            {
                self.change_instance(addr, |instance| instance.attrs.set(*name, Value::Unknown(Reason::Changed)));
            }
            (Object::Class(class), ForeignEffect::Attribute(name)) => {
                let has_it = class.attrs.get(*name).is_some_and(|slot| !slot.value.is_unknown());
                if has_it && !class.features.is_model && class.kind.is_none() {
                    let mut class = (**class).clone();
                    class.attrs.set(*name, Value::Unknown(Reason::Changed));
                    self.write(addr, Object::Class(Arc::new(class)));
                }
            }
            (Object::Array(_), ForeignEffect::Attribute(name)) if matches!(name.text(), "shape" | "dtype") => {
                self.update_array(&Value::Obj(addr), |array| {
                    array.shape = Shape::unknown();
                    array.dtype = Value::Unknown(Reason::Changed);
                });
            }
            (Object::Array(array), ForeignEffect::Anything | ForeignEffect::Contents) if array.values.is_some() => {
                self.forget_values(&Value::Obj(addr));
            }
            _ => {}
        }
    }

    /// Whether nothing is known of the contents of a container.
    fn is_forgotten(&self, addr: Addr) -> bool {
        match self.object(addr) {
            Object::List(Seq::Exact(_)) => false,
            Object::List(Seq::Open(open)) => open.prefix.is_empty() && open.element.is_unknown(),
            Object::Dict(mapping) | Object::Set(mapping) => {
                mapping.entries.is_empty()
                    && mapping.open.as_ref().is_some_and(|open| open.0.is_unknown() && open.1.is_unknown())
            }
            _ => true,
        }
    }
}
