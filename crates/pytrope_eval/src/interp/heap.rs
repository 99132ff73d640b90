//! Creating and reading heap objects.

use std::sync::Arc;

use super::Interp;
use crate::names::Name;
use crate::object::{AllocSpan, Array, Class, Instance, Iter, IterSource, Mapping, Object, Shape, Slots};
use crate::value::{Addr, Reason, Seq, Value};

impl Interp<'_> {
    pub fn new_object(&mut self, object: Object) -> Value {
        Value::Obj(self.allocate_object(object))
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
        let array = Array {
            class,
            shape,
            rank: None,
            dtype,
            values,
            attrs: Slots::default(),
            memory: None,
            may_equal: None,
            born,
        };
        self.new_object(Object::Array(Arc::new(array)))
    }

    pub fn array_of(&self, value: &Value) -> Option<&Array> {
        match self.object_at(value.addr()?) {
            Object::Array(array) => Some(array),
            _ => None,
        }
    }

    pub fn update_array(&mut self, value: &Value, change: impl FnOnce(&mut Array)) {
        let Some(addr) = value.addr() else { return };
        if let Object::Array(array) = self.object_at(addr) {
            let mut array = Array::clone(array);
            let before = array.shape.clone();
            change(&mut array);
            if array.shape != before {
                array.rank = None;
            }
            self.write_object(addr, Object::Array(Arc::new(array)));
        }
    }

    /// Says that an array looks at the memory of another: what is written to one of them is seen in both.
    pub fn share_memory(&mut self, view: &Value, base: &Value) {
        let (Some(from), Some(_)) = (self.array_of(base), self.array_of(view)) else { return };
        if from.values.is_none() {
            return;
        }
        let memory = from.memory.clone().unwrap_or_else(|| base.clone());
        for array in [base, view] {
            self.update_array(array, |array| array.memory = Some(memory.clone()));
        }
    }

    /// The methods of an array are not replaced; attributes that were set on it may be set to something else.
    pub(crate) fn havoc_array_attrs(&mut self, addr: Addr) {
        self.update_array(&Value::Obj(addr), |array| {
            let set: Vec<Name> = array.attrs.iter().map(|(name, _)| name).collect();
            for name in set {
                array.attrs.set(name, Value::Unknown(Reason::Changed));
            }
        });
    }

    /// The elements of an array have changed, and with them those of every array that shares its memory.
    pub fn forget_values(&mut self, value: &Value) {
        let memory = self.array_of(value).and_then(|array| array.memory.clone());
        if self.array_of(value).is_some_and(|array| array.values.is_some()) {
            self.update_array(value, |array| array.values = None);
        }
        let origin = self.array_of(value).and_then(|array| array.may_equal.clone());
        if let Some(origin) = origin.filter(|origin| self.array_of(origin).is_some_and(|array| array.values.is_some()))
        {
            self.forget_values(&origin);
        }
        let Some(memory) = memory else { return };
        let sharing: Vec<Addr> = self
            .run
            .state
            .heap
            .iter()
            .filter(|(_, object)| {
                matches!(object, Object::Array(array)
                    if array.memory.as_ref().is_some_and(|shared| *shared == memory || shared.is_unknown()))
            })
            .map(|(key, _)| Addr(key))
            .collect();
        for addr in sharing {
            self.update_array(&Value::Obj(addr), |array| {
                array.values = None;
                array.memory = None;
            });
        }
    }

    pub fn class_at(&self, addr: Addr) -> Option<&Arc<Class>> {
        match self.object_at(addr) {
            Object::Class(class) => Some(class),
            _ => None,
        }
    }

    pub fn mro_of(&self, class: Addr) -> &[Addr] {
        self.class_at(class).map_or(&[], |class| &class.mro)
    }

    pub fn instance_of(&self, value: &Value) -> Option<&Instance> {
        match self.object_at(value.addr()?) {
            Object::Instance(instance) => Some(instance),
            _ => None,
        }
    }

    /// Changes an instance; in place where only the current state has it.
    pub fn change_instance(&mut self, addr: Addr, change: impl FnOnce(&mut Instance)) {
        if addr.is_summary() {
            if let Object::Instance(instance) = self.object_at(addr) {
                let mut instance = Instance::clone(instance);
                change(&mut instance);
                self.write_object(addr, Object::Instance(Arc::new(instance)));
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

    pub(crate) fn is_function(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => {
                matches!(self.object_at(*addr), Object::Function(_) | Object::StaticMethod(_) | Object::ClassMethod(_))
            }
            Value::Native(_) => true,
            _ => false,
        }
    }
}
