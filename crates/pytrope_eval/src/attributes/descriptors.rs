//! Descriptors that a program writes: objects in a class whose own methods are run when the attribute is read or stored.

use std::sync::Arc;

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::Object;
use crate::value::{Addr, BoundMethod, BuiltinType, Value};

impl Interp<'_> {
    /// Whether reading a class attribute through an instance runs a `__get__` of the program, or may.
    pub(super) fn runs_when_read(&self, value: &Value) -> bool {
        let Some(Object::Instance(instance)) = value.addr().map(|addr| self.object_at(addr)) else { return false };
        let Some(class) = instance.class.addr() else { return true };
        self.find_in_mro(class, Name::GET).is_some() || self.class_at(class).is_none_or(|class| class.open)
    }

    /// The method of a descriptor that the program writes, where an entry is the whole program: elsewhere others may have put
    /// another one there.
    fn descriptor_method(&self, descriptor: &Value, method: Name) -> Option<Value> {
        if !self.analysis.program.closed_world {
            return None;
        }
        let Object::Instance(instance) = self.object_at(descriptor.addr()?) else { return None };
        let (found, _) = self.find_in_mro(instance.class.addr()?, method)?;
        matches!(self.object_at(found.addr()?), Object::Function(_)).then_some(found)
    }

    /// Whether a value in a class is such a descriptor, and its class has another method beside `__get__`.
    pub(super) fn is_followed_descriptor(&self, value: &Value, beside: Name) -> bool {
        self.descriptor_method(value, Name::GET).is_some()
            && self
                .instance_of(value)
                .and_then(|instance| instance.class.addr())
                .is_some_and(|class| self.find_in_mro(class, beside).is_some())
    }

    /// What the `__get__` of a descriptor gives for an instance, or for None where the class is asked; None where it is not followed.
    pub(super) fn follow_descriptor(
        &mut self,
        descriptor: &Value,
        instance: Value,
        class: Value,
    ) -> Flow<Option<Value>> {
        let Some(function) = self.descriptor_method(descriptor, Name::GET) else { return Ok(None) };
        let bound = Value::Bound(Arc::new(BoundMethod { receiver: descriptor.clone(), function }));
        self.call_value(&bound, CallArgs::of(vec![instance, class])).map(Some)
    }

    /// Stores through the `__set__` of a descriptor; false where it is not followed.
    pub(super) fn store_in_descriptor(
        &mut self,
        class: Addr,
        name: Name,
        instance: &Value,
        value: &Value,
    ) -> Flow<bool> {
        let Some((descriptor, _)) = self.find_in_mro(class, name) else { return Ok(false) };
        let Some(function) = self.descriptor_method(&descriptor, Name::SET) else { return Ok(false) };
        let bound = Value::Bound(Arc::new(BoundMethod { receiver: descriptor, function }));
        self.call_value(&bound, CallArgs::of(vec![instance.clone(), value.clone()]))?;
        Ok(true)
    }

    /// What `property.__init__` stores in an instance of a class that derives from `property` and has no constructor of its own;
    /// false for other classes.
    ///
    /// ```python
    /// class classproperty(property):
    ///     def __get__(self, instance, owner): return self.fget(owner)
    /// ```
    pub(crate) fn construct_property(&mut self, class: Addr, instance: &Value, args: &CallArgs) -> bool {
        let is_property =
            |base: &Addr| self.class_at(*base).is_some_and(|base| base.kind == Some(BuiltinType::Property));
        if !self.analysis.program.closed_world || !args.is_exact() || !self.mro_of(class).iter().any(is_property) {
            return false;
        }
        for (place, name) in ["fget", "fset", "fdel"].into_iter().enumerate() {
            let name = Name::new(name);
            let keyword = args.keywords.iter().find(|(given, _)| *given == name).map(|(_, value)| value.clone());
            let value = args.positional.get(place).cloned().or(keyword).unwrap_or(Value::None);
            self.store_plain(instance, name, value);
        }
        true
    }
}
