//! Havoc: forgets what unknown code may have changed in an object and in everything that is reached from it.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::interp::Interp;
use crate::object::{Array, Instance, Iter, IterSource, Mapping, Object, Slots};
use crate::value::{Addr, Reason, Seq, Value};

/// The objects of one walk. Most walks meet a handful, for which a list is faster than a set.
#[derive(Default)]
struct SeenAddresses {
    first: SmallVec<[Addr; SeenAddresses::LISTED]>,
    more: FxHashSet<Addr>,
}

impl SeenAddresses {
    const LISTED: usize = 12;

    /// Adds an object; whether it was not there.
    fn insert_new(&mut self, addr: Addr) -> bool {
        if self.first.contains(&addr) {
            return false;
        }
        if self.first.len() < Self::LISTED {
            self.first.push(addr);
            return true;
        }
        self.more.insert(addr)
    }
}

impl Interp<'_> {
    /// Unknown code has reached a value: what can change in everything it reaches is no longer known.
    /// The shapes of arrays stay, which is an assumption clients can see.
    pub fn havoc_reachable(&mut self, value: &Value) {
        self.havoc_except(value, &|_, _| false);
    }

    /// Unknown code is given a value. Where shapes are shown, it is taken to leave it as it is.
    pub(crate) fn havoc_given(&mut self, value: &Value) {
        if !self.analysis.assumes {
            self.havoc_reachable(value);
        }
    }

    /// As [`Self::havoc_reachable`], but leaves some objects, and what only they reach, as they are.
    pub(crate) fn havoc_except(&mut self, value: &Value, stays: &dyn Fn(&Self, Addr) -> bool) {
        // Most values reach nothing that can change.
        if !matches!(value, Value::Obj(_) | Value::Tuple(_) | Value::Bound(_) | Value::Method(_) | Value::Union(_)) {
            return;
        }
        let mut seen = SeenAddresses::default();
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            match value {
                Value::Obj(addr) if stays(self, addr) => {}
                Value::Obj(addr) if seen.insert_new(addr) => {
                    self.record_escaped_object(addr);
                    self.havoc_object(addr, &mut pending);
                }
                Value::Tuple(seq) => push_seq(&seq, &mut pending),
                Value::Bound(bound) => {
                    self.record_escaped_receiver(&bound);
                    pending.push(bound.receiver.clone());
                    pending.push(bound.function.clone());
                }
                Value::Method(method) => pending.push(method.receiver.clone()),
                Value::Union(values) => pending.extend(values.iter().cloned()),
                _ => {}
            }
        }
    }

    /// What a function that has been called, and not run yet, reaches: its closure and its arguments.
    fn push_activation(&self, function: Addr, scope: Addr, pending: &mut Vec<Value>) {
        pending.push(Value::Obj(function));
        if let Object::Scope(slots) = self.object_at(scope) {
            pending.extend(slots.iter().map(|(_, slot)| slot.value.clone()));
        }
    }

    fn havoc_object(&mut self, addr: Addr, pending: &mut Vec<Value>) {
        let unknown = Value::Unknown(Reason::Changed);
        let object = self.object_at(addr).clone();
        match object {
            Object::List(seq) => {
                push_seq(&seq, pending);
                let seq = self.open_seq(unknown);
                self.run.state.set(addr, Object::List(seq));
                self.record_escaped_list(addr);
            }
            Object::Dict(mapping) => {
                for entry in mapping.entries.values() {
                    pending.push(entry.value.clone());
                    pending.push(entry.key.clone());
                }
                let open = Some(Arc::new((unknown.clone(), unknown)));
                self.run.state.set(addr, Object::Dict(Mapping { entries: Arc::default(), open }));
            }
            Object::Set(_) => {
                let open = Some(Arc::new((unknown.clone(), unknown)));
                self.run.state.set(addr, Object::Set(Mapping { entries: Arc::default(), open }));
            }
            Object::Instance(instance) => {
                for (_, slot) in instance.attrs.iter() {
                    pending.push(slot.value.clone());
                }
                pending.push(instance.class.clone());
                let is_forgotten = instance.attrs.open && instance.attrs.map.is_empty() && instance.content.is_none();
                if !is_forgotten {
                    let attrs = Slots { open: true, ..Slots::default() };
                    let instance = Instance { class: instance.class.clone(), attrs, content: None };
                    self.run.state.set(addr, Object::Instance(Arc::new(instance)));
                }
            }
            Object::Array(array)
                if array.values.is_none()
                    && array.attrs.map.is_empty()
                    && array.memory.is_none()
                    && array.may_equal.is_none() => {}
            Object::Array(_) => {
                self.forget_values(&Value::Obj(addr));
                self.havoc_array_attrs(addr);
                let Object::Array(array) = self.object_at(addr).clone() else { return };
                let memory = array.memory.as_ref().map(|_| unknown.clone());
                let may_equal = array.may_equal.as_ref().map(|_| unknown.clone());
                let array = Array { values: None, memory, may_equal, ..Array::clone(&array) };
                self.run.state.set(addr, Object::Array(Arc::new(array)));
            }
            Object::Iter(iter) => {
                match &iter.source {
                    IterSource::Items(seq) | IterSource::View(seq) => push_seq(seq, pending),
                    IterSource::Generator { function, scope } => self.push_activation(*function, *scope, pending),
                    IterSource::Refused(_) | IterSource::Unknown => {}
                }
                if !matches!(iter.source, IterSource::View(_)) && iter.taken.is_some() {
                    self.run.state.set(addr, Object::Iter(Iter { taken: None, ..iter }));
                }
            }
            Object::Function(function) => {
                // Unknown code may call the function: what it captured and may rebind is no longer known.
                if !function.attrs.map.is_empty() {
                    let mut changed = (*function).clone();
                    for (_, slot) in function.attrs.iter() {
                        pending.push(slot.value.clone());
                    }
                    changed.attrs = Slots { open: true, ..Slots::default() };
                    self.run.state.set(addr, Object::Function(Arc::new(changed)));
                }
                pending.extend(self.captured_values(&function));
                pending.extend(function.defaults.iter().map(|(_, value)| value.clone()));
                self.havoc_rebound_names(&function);
            }
            Object::StaticMethod(value) | Object::ClassMethod(value) => pending.push(value),
            // Unknown code may call the methods of a class that it reaches, directly or through an instance.
            Object::Class(class) => pending.extend(self.escaping_methods(addr, &class)),
            Object::Property(property) => {
                pending.extend([property.get.clone(), property.set.clone(), property.delete.clone()]);
            }
            Object::Super { receiver, .. } => pending.push(receiver),
            // Unknown code may run a coroutine.
            Object::Coroutine { function, scope } => self.push_activation(function, scope, pending),
            Object::Scope(_) | Object::FrozenSet(_) | Object::Module(_) | Object::Unknown => {}
        }
    }

    /// A container that unknown code may change at any time holds unknown values.
    pub(crate) fn havoc_container(&mut self, value: &Value) {
        let holds = value
            .addr()
            .is_some_and(|addr| matches!(self.object_at(addr), Object::List(_) | Object::Dict(_) | Object::Set(_)));
        if holds {
            self.havoc_reachable(value);
        }
    }
}

pub(crate) fn push_seq(seq: &Seq, pending: &mut Vec<Value>) {
    match seq {
        Seq::Exact(items) => pending.extend(items.iter().cloned()),
        Seq::Open(open) => {
            pending.extend(open.prefix.iter().cloned());
            pending.push(open.element.clone());
        }
    }
}
