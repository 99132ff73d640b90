//! Making, reading and forgetting heap objects.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Interp;
use crate::names::Name;
use crate::object::{AllocSpan, Array, Class, Instance, Iter, IterSource, Mapping, Object, Shape, Slots};
use crate::value::{Addr, Reason, Seq, Value};

impl Interp<'_> {
    pub fn new_object(&mut self, object: Object) -> Value {
        Value::Obj(self.alloc(object))
    }

    pub fn new_list(&mut self, items: Vec<Value>) -> Value {
        self.new_object(Object::List(Seq::exact(items)))
    }

    pub fn new_dict(&mut self, mapping: Mapping) -> Value {
        self.new_object(Object::Dict(mapping))
    }

    pub fn new_iter(&mut self, items: Seq) -> Value {
        self.new_object(Object::Iter(Iter {
            source: IterSource::Items(items),
            taken: Some(0),
            watched: Arc::default(),
        }))
    }

    pub fn unknown_iter(&mut self) -> Value {
        self.new_object(Object::Iter(Iter { source: IterSource::Unknown, taken: None, watched: Arc::default() }))
    }

    /// A sequence of which only the length's name is known.
    pub fn open_seq(&mut self, element: Value) -> Seq {
        let len = self.any_natural();
        Seq::open(Vec::new(), element, len)
    }

    pub fn new_array(&mut self, class: Value, shape: Shape, dtype: Value, values: Option<Vec<Value>>) -> Value {
        let born = Some(AllocSpan(self.user_span()));
        let values = values.filter(|values| values.len() <= 256).map(Arc::new);
        let array = Array { class, shape, rank: None, dtype, values, attrs: Slots::default(), born };
        self.new_object(Object::Array(Arc::new(array)))
    }

    pub fn array(&self, value: &Value) -> Option<&Array> {
        match self.object(value.addr()?) {
            Object::Array(array) => Some(array),
            _ => None,
        }
    }

    pub fn update_array(&mut self, value: &Value, change: impl FnOnce(&mut Array)) {
        let Some(addr) = value.addr() else { return };
        if let Object::Array(array) = self.object(addr) {
            let mut array = Array::clone(array);
            let before = array.shape.clone();
            change(&mut array);
            if array.shape != before {
                array.rank = None;
            }
            self.write(addr, Object::Array(Arc::new(array)));
        }
    }

    /// Says that an array looks at the memory of another: what is written to one of them is seen in both.
    pub fn share_memory(&mut self, view: &Value, base: &Value) {
        let (Some(from), Some(_)) = (self.array(base), self.array(view)) else { return };
        if from.values.is_none() {
            return;
        }
        let memory = from.attrs.get(Name::MEMORY).map_or_else(|| base.clone(), |slot| slot.value.clone());
        for array in [base, view] {
            self.update_array(array, |array| array.attrs.set(Name::MEMORY, memory.clone()));
        }
    }

    /// The elements of an array have changed, and with them those of every array that shares its memory.
    pub fn forget_values(&mut self, value: &Value) {
        let memory = self.array(value).and_then(|array| array.attrs.get(Name::MEMORY)).map(|slot| slot.value.clone());
        if self.array(value).is_some_and(|array| array.values.is_some()) {
            self.update_array(value, |array| array.values = None);
        }
        let origin = self.array(value).and_then(|array| array.attrs.get(Name::ORIGIN)).map(|slot| slot.value.clone());
        if let Some(origin) = origin.filter(|origin| self.array(origin).is_some_and(|array| array.values.is_some())) {
            self.forget_values(&origin);
        }
        let Some(memory) = memory else { return };
        let sharing: Vec<Addr> = self
            .run.state
            .heap
            .iter()
            .filter(|(_, object)| {
                matches!(object, Object::Array(array)
                    if array.attrs.get(Name::MEMORY).is_some_and(|slot| slot.value == memory || slot.value.is_unknown()))
            })
            .map(|(key, _)| Addr(key))
            .collect();
        for addr in sharing {
            self.update_array(&Value::Obj(addr), |array| {
                array.values = None;
                array.attrs.remove(Name::MEMORY);
            });
        }
    }

    pub fn class(&self, addr: Addr) -> Option<&Arc<Class>> {
        match self.object(addr) {
            Object::Class(class) => Some(class),
            _ => None,
        }
    }

    pub fn mro(&self, class: Addr) -> &[Addr] {
        self.class(class).map_or(&[], |class| &class.mro)
    }

    pub fn instance(&self, value: &Value) -> Option<&Instance> {
        match self.object(value.addr()?) {
            Object::Instance(instance) => Some(instance),
            _ => None,
        }
    }

    /// Changes an instance; in place where only the current state has it.
    pub fn change_instance(&mut self, addr: Addr, change: impl FnOnce(&mut Instance)) {
        if addr.is_summary() {
            if let Object::Instance(instance) = self.object(addr) {
                let mut instance = Instance::clone(instance);
                change(&mut instance);
                self.write(addr, Object::Instance(Arc::new(instance)));
            }
            return;
        }
        match self.run.state.heap.get_mut(addr.0) {
            Some(Object::Instance(instance)) => change(Arc::make_mut(instance)),
            Some(_) => {}
            None => {
                if let Some(Object::Instance(instance)) = self.analysis.program.frozen_object(addr) {
                    let mut instance = Instance::clone(instance);
                    change(&mut instance);
                    self.run.state.set(addr, Object::Instance(Arc::new(instance)));
                }
            }
        }
    }

    /// Unknown code has had its hands on a value: what can change in everything it reaches is no longer known.
    /// The shapes of arrays stay, which is an assumption clients can see.
    pub fn havoc(&mut self, value: &Value) {
        self.havoc_except(value, &|_, _| false);
    }

    /// As [`Self::havoc`], but leaves some objects, and what only they reach, as they are.
    pub(crate) fn havoc_except(&mut self, value: &Value, stays: &dyn Fn(&Self, Addr) -> bool) {
        // Most values reach nothing that can change.
        if !matches!(value, Value::Obj(_) | Value::Tuple(_) | Value::Bound(_) | Value::Method(_) | Value::Union(_)) {
            return;
        }
        let mut seen = FxHashSet::default();
        let mut pending = vec![value.clone()];
        while let Some(value) = pending.pop() {
            match value {
                Value::Obj(addr) if stays(self, addr) => {}
                Value::Obj(addr) if seen.insert(addr) => {
                    self.give(addr);
                    self.havoc_object(addr, &mut pending);
                }
                Value::Tuple(seq) => push_seq(&seq, &mut pending),
                Value::Bound(bound) => {
                    self.hold_receiver(&bound);
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
    fn havoc_activation(&self, function: Addr, scope: Addr, pending: &mut Vec<Value>) {
        pending.push(Value::Obj(function));
        if let Object::Scope(slots) = self.object(scope) {
            pending.extend(slots.iter().map(|(_, slot)| slot.value.clone()));
        }
    }

    fn havoc_object(&mut self, addr: Addr, pending: &mut Vec<Value>) {
        let unknown = Value::Unknown(Reason::Changed);
        let object = self.object(addr).clone();
        match object {
            Object::List(seq) => {
                push_seq(&seq, pending);
                let seq = self.open_seq(unknown);
                self.run.state.set(addr, Object::List(seq));
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
            Object::Array(array) if array.values.is_none() && array.attrs.map.is_empty() => {}
            Object::Array(_) => {
                self.forget_values(&Value::Obj(addr));
                let Object::Array(array) = self.object(addr).clone() else { return };
                // Nobody replaces the methods of an array; what was set on it may be set to something else.
                let mut attrs = array.attrs.clone();
                for (name, _) in array.attrs.iter() {
                    attrs.set(name, unknown.clone());
                }
                let array = Array { values: None, attrs, ..Array::clone(&array) };
                self.run.state.set(addr, Object::Array(Arc::new(array)));
            }
            Object::Iter(iter) => {
                match &iter.source {
                    IterSource::Items(seq) | IterSource::View(seq) => push_seq(seq, pending),
                    IterSource::Generator { function, scope } => self.havoc_activation(*function, *scope, pending),
                    IterSource::Unknown => {}
                }
                if !matches!(iter.source, IterSource::View(_)) && iter.taken.is_some() {
                    self.run.state.set(addr, Object::Iter(Iter { taken: None, ..iter }));
                }
            }
            Object::Function(function) => {
                // Who has a function may call it: what it captured and may rebind is no longer known.
                if !function.attrs.map.is_empty() {
                    let mut changed = (*function).clone();
                    for (_, slot) in function.attrs.iter() {
                        pending.push(slot.value.clone());
                    }
                    changed.attrs = Slots { open: true, ..Slots::default() };
                    self.run.state.set(addr, Object::Function(Arc::new(changed)));
                }
                pending.extend(self.captured_by(&function));
                pending.extend(function.defaults.iter().map(|(_, value)| value.clone()));
                self.forget_rebound(&function);
            }
            Object::StaticMethod(value) | Object::ClassMethod(value) => pending.push(value),
            // Who has a class, or an instance of it, may call its methods.
            Object::Class(class) => pending.extend(self.methods_with_variables(addr, &class)),
            Object::Property(property) => {
                pending.extend([property.get.clone(), property.set.clone(), property.delete.clone()]);
            }
            Object::Super { receiver, .. } => pending.push(receiver),
            // Who has a coroutine may run it.
            Object::Coroutine { function, scope } => self.havoc_activation(function, scope, pending),
            Object::Scope(_) | Object::FrozenSet(_) | Object::Module(_) | Object::Unknown => {}
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
