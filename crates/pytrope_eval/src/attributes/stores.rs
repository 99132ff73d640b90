//! Storing and deleting attributes: data descriptors first, then the object's own.

use std::sync::Arc;

use crate::escape::ForeignEffect;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::declarations::{is_abstract, is_placeholder};
use crate::object::{Instance, Object, Slot};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};

impl Interp<'_> {
    pub fn set_attribute(&mut self, object: &Value, name: Name, value: Value) -> Flow<()> {
        self.for_each_alternative(object, |interp, object| {
            interp.set_attribute_of_one(object, name, value.clone())?;
            Ok(Value::None)
        })?;
        Ok(())
    }

    fn set_attribute_of_one(&mut self, object: &Value, name: Name, value: Value) -> Flow<()> {
        self.store_attribute(object, name, value, true)
    }

    /// As `object.__setattr__` stores: descriptors are asked, a `__setattr__` of the class is not.
    pub(crate) fn store_without_hook(&mut self, object: &Value, name: Name, value: Value) -> Flow<()> {
        self.store_attribute(object, name, value, false)
    }

    /// Instances of builtin types take no attributes: `count.total = 1` on an integer.
    fn require_writable(&mut self, object: &Value, name: Name) -> Flow<()> {
        let is_builtin = match object {
            Value::Obj(addr) => {
                matches!(
                    self.object_at(*addr),
                    Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_)
                )
            }
            other => other.is_scalar_constant(),
        };
        if !is_builtin || name.is_dunder() || self.in_model() {
            return Ok(());
        }
        let Some(kind) = self.exact_type_name(object) else { return Ok(()) };
        let message = format!("'{kind}' object has no attribute '{name}'");
        self.raise_error("missing-attribute", "AttributeError", message).map(|_| ())
    }

    fn store_attribute(&mut self, object: &Value, name: Name, value: Value, asks_hook: bool) -> Flow<()> {
        if let Value::Method(method) = object {
            self.forget_method(&method.receiver.clone(), method.name);
        }
        self.require_writable(object, name)?;
        let Value::Obj(addr) = object else {
            self.havoc_reachable(&value);
            if object.is_unknown() {
                self.havoc_escaped_objects(ForeignEffect::Attribute(&name));
            }
            return Ok(());
        };
        let addr = *addr;
        match self.object_at(addr).clone() {
            Object::Instance(mut instance) => {
                if name == Name::DICT {
                    self.havoc_reachable(&value);
                    self.havoc_reachable(object);
                    return Ok(());
                }
                if name == Name::CLASS {
                    let changed = Arc::make_mut(&mut instance);
                    changed.class = value;
                    changed.attrs.open = true;
                    self.write_object(addr, Object::Instance(instance));
                    return Ok(());
                }
                // `BaseException.__init__` fills a slot of its own, whatever a class below calls `args`.
                if name == Name::ARGS && &*self.current_code().name == "builtins" {
                    self.store_plain(object, name, value);
                    return Ok(());
                }
                if let Some(class) = instance.class.addr() {
                    if self.is_data_descriptor(class, name) {
                        if self.store_in_descriptor(class, name, object, &value)? {
                            return Ok(());
                        }
                        // What its `__set__` makes of the value is not followed.
                        self.havoc_reachable(&value);
                        self.havoc_stored_attribute(addr, name);
                        return Ok(());
                    }
                    if let Some(setter) = self.property_setter(class, name) {
                        self.call_value(&setter, CallArgs::of(vec![object.clone(), value]))?;
                        return Ok(());
                    }
                    if (!instance.attrs.open || self.is_property_of_all(class, name))
                        && let Some(message) = self.refused_store(class, name)
                    {
                        // A library keeps its values under names of its own (`Signature._parameters`).
                        if self.in_model() {
                            self.store_plain(object, name, value);
                            return Ok(());
                        }
                        self.raise_error("missing-attribute", "AttributeError", message)?;
                        return Ok(());
                    }
                    if let Some((hook, _)) = self.find_in_mro(class, Name::SETATTR).filter(|_| asks_hook) {
                        let is_function =
                            hook.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Function(_)));
                        if self.is_stored_by_primitive(&hook, object, name, &value)? {
                            return Ok(());
                        }
                        if is_function {
                            self.call_value(
                                &hook,
                                CallArgs::of(vec![object.clone(), Value::Str(Arc::clone(name.shared())), value]),
                            )?;
                        } else {
                            self.havoc_reachable(&value);
                            self.havoc_stored_attribute(addr, name);
                        }
                        return Ok(());
                    }
                }
                if let Some(class) = instance.class.addr()
                    && self.has_field_hints(class)
                {
                    let value = self.heed_field(object, class, name, value)?;
                    self.store_plain(object, name, value);
                    return Ok(());
                }
                if self.is_attribute_of_unread_base(object, &instance, name) {
                    self.havoc_reachable(&value);
                    self.change_instance(addr, |instance| {
                        instance.attrs.set(name, Value::Unknown(Reason::Lookup(name)));
                    });
                    return Ok(());
                }
                // Without a second owner the instance is changed in place.
                drop(instance);
                self.change_instance(addr, |instance| instance.attrs.set(name, value));
            }
            Object::Array(mut array) => {
                if let Some(class) = array.class.addr()
                    && let Some(setter) = self.property_setter(class, name)
                {
                    self.call_value(&setter, CallArgs::of(vec![object.clone(), value]))?;
                    return Ok(());
                }
                Arc::make_mut(&mut array).attrs.set(name, value);
                self.write_object(addr, Object::Array(array));
            }
            Object::Class(class) => {
                let mut class = (*class).clone();
                class.attrs.set(name, value);
                self.write_object(addr, Object::Class(Arc::new(class)));
            }
            // What such an assignment makes of its parameters and its body is not followed.
            Object::Function(_) if matches!(name.text(), "__defaults__" | "__kwdefaults__" | "__code__") => {
                self.write_object(addr, Object::Unknown);
            }
            Object::Function(function) => {
                let mut function = (*function).clone();
                function.attrs.set(name, value);
                self.write_object(addr, Object::Function(Arc::new(function)));
            }
            Object::Module(module) => {
                // Every importer of the module may use it, unless nothing runs beside the entry.
                if !self.analysis.program.closed_world {
                    self.havoc_reachable(&value);
                }
                if let Some(scope) = module.scope {
                    self.bind_in(scope, name, value);
                }
            }
            _ => self.havoc_reachable(&value),
        }
        Ok(())
    }

    /// Whether the primitive that a model's `__setattr__` names has stored the attribute: it is asked before the method is called.
    ///
    /// ```python
    /// Module.__setattr__.stored_by = (set_module_attr, Module, Parameter)
    /// ```
    fn is_stored_by_primitive(&mut self, hook: &Value, object: &Value, name: Name, value: &Value) -> Flow<bool> {
        let Some(Object::Function(function)) = hook.addr().map(|addr| self.object_at(addr)) else { return Ok(false) };
        if !function.code.is_model {
            return Ok(false);
        }
        let Some(Slot { value: Value::Tuple(Seq::Exact(said)), .. }) = function.attrs.get(Name::STORED_BY) else {
            return Ok(false);
        };
        let Some((Value::Native(primitive), given)) = said.split_first() else { return Ok(false) };
        let mut positional = vec![object.clone(), Value::Str(Arc::clone(name.shared())), value.clone()];
        positional.extend_from_slice(given);
        let primitive = *primitive;
        self.consume_step()?;
        Ok((primitive.call)(self, &CallArgs::of(positional))? == Value::TRUE)
    }

    /// Something is stored on a method that a class has without writing it (`Point.__new__.__defaults__ = …`): how the class is
    /// constructed is not known any more.
    fn forget_method(&mut self, receiver: &Value, name: Name) {
        let Some(addr) = receiver.addr() else { return };
        let Some(class) = self.class_at(addr).filter(|class| !class.features.is_model || class.kind.is_none()) else {
            return;
        };
        let mut class = (**class).clone();
        let changed = if matches!(name, Name::NEW | Name::INIT) { vec![Name::NEW, Name::INIT] } else { vec![name] };
        for name in changed {
            class.attrs.set(name, Value::Unknown(Reason::Changed));
        }
        self.write_object(addr, Object::Class(Arc::new(class)));
    }

    /// An attribute whose name is computed is stored: it may be any, also the shape of an array.
    pub(crate) fn forget_attributes(&mut self, object: &Value) {
        self.havoc_reachable(object);
        if let Some(addr) = object.addr() {
            self.open_class(addr);
            if matches!(self.object_at(addr), Object::Array(_)) {
                self.write_object(addr, Object::Unknown);
            }
        }
    }

    /// Stores without asking hooks or descriptors.
    pub(crate) fn store_plain(&mut self, object: &Value, name: Name, value: Value) {
        if let Some(addr) = object.addr() {
            self.change_instance(addr, |instance| instance.attrs.set(name, value));
        }
    }

    /// Whether code outside a class stores an attribute that none of the class's own methods stores, and the class has a base that
    /// is not read: it is the base that gives the attribute its meaning, perhaps by a property that converts what is stored.
    ///
    /// ```python
    /// class Worker(threading.Thread): ...
    /// worker.name = 5    # `worker.name` is "5"
    /// ```
    fn is_attribute_of_unread_base(&self, object: &Value, instance: &Instance, name: Name) -> bool {
        if self.analysis.program.closed_world || self.current_frame().first_argument.as_ref() == Some(object) {
            return false;
        }
        let Some(class) = instance.class.addr() else { return false };
        let Some(found) = self.class_at(class) else { return false };
        let has_unread_base = self.mro_of(class).iter().any(|base| {
            self.class_at(*base).is_some_and(|base| !base.features.is_model && base.bases.iter().any(Value::is_unknown))
        });
        has_unread_base && !self.analysis.program.is_stored_by_class(Name::new(&found.name), name)
    }

    /// Something unknown stores an attribute, and decides where: `self.size = n` may set `self._size`, and fill in what
    /// has been set to None so far.
    fn havoc_stored_attribute(&mut self, addr: Addr, name: Name) {
        self.change_instance(addr, |instance| {
            let is_changed = |other: &Name, value: &Value| *value == Value::None || other.text().contains(name.text());
            let changed: Vec<Name> = instance
                .attrs
                .iter()
                .filter(|(other, slot)| is_changed(other, &slot.value))
                .map(|(other, _)| other)
                .collect();
            for other in changed {
                instance.attrs.set(other, Value::Unknown(Reason::Lookup(other)));
            }
            instance.attrs.open = true;
            instance.attrs.set(name, Value::Unknown(Reason::Lookup(name)));
        });
    }

    /// Whether a class has an attribute of its own that may take over assignments to instances: an object with
    /// `__set__`, or one of which too little is known.
    fn is_data_descriptor(&self, class: Addr, name: Name) -> bool {
        let slot = self.mro_of(class).iter().find_map(|base| {
            let base = self.class_at(*base).filter(|base| !base.features.is_model)?;
            base.attrs.get(name)
        });
        let Some(value) = slot.map(|slot| &slot.value) else { return false };
        match value {
            Value::Unknown(_) | Value::UnknownNotNone(_) => true,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Instance(instance) => instance.class.addr().is_none_or(|of| {
                    self.find_in_mro(of, Name::SET).is_some() || self.class_at(of).is_none_or(|of| of.open)
                }),
                // An unknown base may make a descriptor of a class that is named as a field, as libraries of traits do.
                Object::Class(named) => named.open && self.class_at(class).is_none_or(|class| class.open),
                _ => false,
            },
            _ => false,
        }
    }

    /// What Python says of storing an attribute that instances of a class cannot take: a property without a setter, or a name that
    /// `__slots__` does not list. None where they can, or may.
    fn refused_store(&self, class: Addr, name: Name) -> Option<String> {
        let of = self.class_at(class)?;
        if of.open || of.features.enumeration || self.find_in_mro(class, Name::SETATTR).is_some() {
            return None;
        }
        let shown = &of.name;
        if let Some((value, owner)) = self.find_in_mro(class, name) {
            let is_own = self.class_at(owner).is_some_and(|owner| !owner.features.is_model && !owner.open);
            // A slot of a class below the property's takes its place.
            let below = self.mro_of(class).iter().take_while(|below| **below != owner);
            let has_slots =
                |below: &Addr| self.class_at(*below).is_some_and(|class| class.attrs.get(Name::SLOTS).is_some());
            let is_own = is_own && !below.into_iter().any(has_slots);
            let is_refused = match self.object_at(value.addr()?) {
                Object::Property(property) => is_own && property.set == Value::None && self.is_function(&property.get),
                _ => false,
            };
            return is_refused.then(|| format!("property '{name}' of '{shown}' object has no setter"));
        }
        for base in self.mro_of(class) {
            let base = self.class_at(*base)?;
            if base.kind == Some(BuiltinType::Object) {
                continue;
            }
            if base.open || base.features.is_model || base.kind.is_some() || base.metaclass.is_some() {
                return None;
            }
            let listed = base.attrs.get(Name::new("__slots__")).filter(|slot| slot.definite)?;
            let names = match &listed.value {
                Value::Str(one) => vec![Value::Str(Arc::clone(one))],
                Value::Tuple(Seq::Exact(names)) => names.to_vec(),
                Value::Obj(addr) => match self.object_at(*addr) {
                    Object::List(Seq::Exact(names)) => names.to_vec(),
                    _ => return None,
                },
                _ => return None,
            };
            for listed in &names {
                let listed = listed.as_str()?;
                // Private names are listed as they are written and stored under the name of the class.
                if listed == "__dict__" || name.text() == listed || name.text().ends_with(listed) {
                    return None;
                }
            }
        }
        Some(format!("'{shown}' object has no attribute '{name}'"))
    }

    /// Whether instances of subclasses have the property that a class has: no other class of the program binds the name, nothing
    /// stores it from outside, and the property is not there for subclasses to replace.
    fn is_property_of_all(&self, class: Addr, name: Name) -> bool {
        let program = self.analysis.program;
        let Some((Value::Obj(found), _)) = self.find_in_mro(class, name) else { return false };
        let Object::Property(property) = self.object_at(found) else { return false };
        let getter = property.get.addr().map(|addr| self.object_at(addr));
        matches!(getter, Some(Object::Function(getter)) if !is_placeholder(getter) && !is_abstract(getter))
            && !program.is_named_twice(name)
            && !program.is_defined_twice(name)
            && !program.is_stored_from_outside(name)
            && !program.opens_builtin_types()
    }

    fn property_setter(&self, class: Addr, name: Name) -> Option<Value> {
        let (value, _) = self.find_in_mro(class, name)?;
        match self.object_at(value.addr()?) {
            Object::Property(property) if property.set != Value::None => Some(property.set.clone()),
            _ => None,
        }
    }

    pub fn delete_attribute(&mut self, object: &Value, name: Name) -> Flow<()> {
        if let Some(class) = self.instance_of(object).and_then(|instance| instance.class.addr())
            && let Some((value, _)) = self.find_in_mro(class, name)
            && let Some(Object::Property(property)) = value.addr().map(|addr| self.object_at(addr))
        {
            // A property is deleted by its own function, which may change anything of the instance.
            let delete = property.delete.clone();
            if delete == Value::None {
                let shown = self.class_at(class).map(|class| Arc::clone(&class.name)).unwrap_or_default();
                let is_closed = self.instance_of(object).is_some_and(|instance| !instance.attrs.open);
                if is_closed && self.refused_store(class, name).is_some() {
                    let message = format!("property '{name}' of '{shown}' object has no deleter");
                    self.raise_error("missing-attribute", "AttributeError", message)?;
                }
                self.havoc_reachable(object);
            } else {
                self.call_value(&delete, CallArgs::of(vec![object.clone()]))?;
            }
            return Ok(());
        }
        if let Value::Union(_) = object {
            self.havoc_reachable(object);
            return Ok(());
        }
        if object.is_unknown() {
            self.havoc_escaped_objects(ForeignEffect::Attribute(&name));
        }
        if let Some(addr) = object.addr() {
            if let Object::Class(class) = self.object_at(addr) {
                let mut class = (**class).clone();
                class.attrs.remove(name);
                self.write_object(addr, Object::Class(Arc::new(class)));
            } else {
                self.change_instance(addr, |instance| instance.attrs.remove(name));
            }
        }
        Ok(())
    }
}
