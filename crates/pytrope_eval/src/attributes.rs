//! Attribute access: instances, classes with their MRO, modules, arrays, builtin types; properties and methods bind here.

mod presence;
mod stores;

use std::sync::Arc;

use pytrope_source::tree::StmtKind;

use crate::builtin_types;
use crate::code::{ScopeId, ScopeKind};
use crate::effects::library;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Class, Function, Instance, Module, Object, Property, Slots};
use crate::value::{Addr, BoundMethod, BuiltinType, NativeMethod, Reason, Value};

/// What is known of something that a module may have: that it is of the standard library, or else a reason.
pub(crate) fn standard_or(module: &str, reason: Reason) -> Reason {
    let top = module.split('.').next().unwrap_or(module);
    if library::leaves_exceptions(top) { Reason::Standard } else { reason }
}

impl Interp<'_> {
    pub fn read_attribute(&mut self, object: &Value, name: Name) -> Flow {
        self.for_each_alternative(object, |interp, object| interp.attribute_of_one(object, name))
    }

    fn attribute_of_one(&mut self, object: &Value, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        match object {
            Value::Unknown(Reason::Standard) => Ok(object.clone()),
            Value::Unknown(_) | Value::UnknownNotNone(_) => Ok(unknown),
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::Instance(instance) => {
                    let value = self.instance_attribute(object, &instance, name)?;
                    let by_hint = if value.is_unknown() { self.field_by_hint(object, name) } else { None };
                    Ok(by_hint.unwrap_or(value))
                }
                Object::Array(array) => {
                    let instance = Instance { class: array.class.clone(), attrs: array.attrs.clone(), content: None };
                    self.instance_attribute(object, &instance, name)
                }
                Object::Class(class) => self.class_attribute(*addr, &class, name),
                Object::Module(module) => self.module_attribute(&module, name),
                Object::Function(function) => Ok(match function.attrs.get(name) {
                    Some(slot) if slot.definite => slot.value.clone(),
                    // Who has had a function in hand may have named it anew, as `functools.wraps` does.
                    _ if function.attrs.open => unknown,
                    _ if name == Name::NAME => Value::Str(Arc::clone(function.name.shared())),
                    _ if name == Name::QUALNAME => Value::str(&qualified_name(&function)),
                    _ => unknown,
                }),
                Object::Property(_) => match name.text() {
                    "setter" | "getter" | "deleter" | "fget" | "fset" => Ok(Value::Method(Arc::new(NativeMethod {
                        receiver: object.clone(),
                        kind: BuiltinType::Property,
                        name,
                    }))),
                    _ => Ok(unknown),
                },
                Object::Super { class, receiver } => self.super_attribute(class, &receiver, name),
                Object::List(_) => self.builtin_attribute(object, BuiltinType::List, name),
                Object::Dict(_) => self.builtin_attribute(object, BuiltinType::Dict, name),
                Object::Set(_) => self.builtin_attribute(object, BuiltinType::Set, name),
                Object::FrozenSet(_) => self.builtin_attribute(object, BuiltinType::FrozenSet, name),
                Object::StaticMethod(inner) | Object::ClassMethod(inner) if name == Name::FUNC => Ok(inner),
                Object::StaticMethod(_) | Object::ClassMethod(_) => Ok(unknown),
                Object::Iter(_) => Ok(Value::Method(Arc::new(NativeMethod {
                    receiver: object.clone(),
                    kind: BuiltinType::Iterator,
                    name,
                }))),
                Object::Scope(_) | Object::Coroutine { .. } | Object::Unknown => Ok(unknown),
            },
            Value::Bound(bound) => match name {
                Name::BOUND_SELF => Ok(bound.receiver.clone()),
                Name::FUNC => Ok(bound.function.clone()),
                _ => self.read_attribute(&bound.function, name),
            },
            Value::Native(native) => {
                // Primitives stand for functions and types of libraries: what else they have is not known.
                Ok(if name == Name::NAME { Value::str(native.name) } else { unknown })
            }
            Value::Method(_) => Ok(unknown),
            other => match other.kind() {
                Some(kind) => self.builtin_attribute(other, kind, name),
                None => Ok(unknown),
            },
        }
    }

    fn builtin_attribute(&mut self, receiver: &Value, kind: BuiltinType, name: Name) -> Flow {
        if let Some(value) = builtin_types::constant_attribute(self, receiver, kind, name) {
            return Ok(value);
        }
        if name == Name::CLASS {
            return Ok(Value::Obj(Addr::of_builtin(kind)));
        }
        match builtin_types::has_attribute(kind, name.text()) {
            Some(true) => Ok(Value::Method(Arc::new(NativeMethod { receiver: receiver.clone(), kind, name }))),
            // A size that came from somewhere unknown may be an integer of another library.
            Some(false) if matches!(receiver, Value::Dim(_)) => Ok(Value::Unknown(Reason::Lookup(name))),
            Some(false) if self.analysis.program.opens_builtin_types() => Ok(Value::Unknown(Reason::Lookup(name))),
            Some(false) => {
                let message = format!("'{}' object has no attribute '{name}'", kind.name());
                self.raise_error("missing-attribute", "AttributeError", message)
            }
            None => Ok(Value::Unknown(Reason::Lookup(name))),
        }
    }

    fn instance_attribute(&mut self, receiver: &Value, instance: &Instance, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        let Some(class) = instance.class.addr() else { return Ok(unknown) };
        if let Some(hook) = self.attribute_hook(class, name) {
            return self.call_value(&hook, CallArgs::of(vec![receiver.clone(), Value::Str(Arc::clone(name.shared()))]));
        }
        self.plain_attribute(receiver, instance, name)
    }

    /// Whether the program stores an attribute of a method's name on instances of the class, or may.
    fn may_be_hidden(&self, class: Addr, name: Name) -> bool {
        let program = self.analysis.program;
        let Some(class) = self.class_at(class).filter(|class| !class.features.is_model) else { return false };
        !self.in_model()
            && (program.is_stored_from_outside(name) || program.is_stored_by_class(Name::new(&class.name), name))
    }

    /// A `__getattribute__` of the program, unless it is the one that runs.
    fn attribute_hook(&self, class: Addr, name: Name) -> Option<Value> {
        // What a model class derives from is modelled too.
        if name.is_dunder() || self.class_at(class).is_some_and(|class| class.features.is_model) {
            return None;
        }
        let (hook, _) = self.find_in_mro(class, Name::GETATTRIBUTE)?;
        let addr = hook.addr()?;
        let is_function = matches!(self.object_at(addr), Object::Function(function) if !function.code.is_model);
        (is_function && !self.run.frames.iter().any(|frame| frame.function == Some(addr))).then_some(hook)
    }

    /// An attribute without asking `__getattribute__`, as `object.__getattribute__` finds it.
    pub(crate) fn plain_attribute(&mut self, receiver: &Value, instance: &Instance, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        let Some(class) = instance.class.addr() else { return Ok(unknown) };
        let found = self.find_in_mro(class, name);
        if let Some((Value::Obj(addr), _)) = &found
            && let Object::Property(property) = self.object_at(*addr)
        {
            let getter = property.get.clone();
            // `size = abstractproperty()` is a declaration: subclasses give it a getter.
            if getter == Value::None {
                return Ok(unknown);
            }
            return self.call_value(&getter, CallArgs::of(vec![receiver.clone()]));
        }
        match instance.attrs.get(name) {
            Some(slot) if slot.definite => {
                let value = slot.value.clone();
                let one = self.read_through_summary(receiver.addr(), value.clone());
                if let Some(addr) = receiver.addr().filter(|addr| !addr.is_summary())
                    && one != value
                {
                    self.change_instance(addr, |instance| instance.attrs.set(name, one.clone()));
                }
                return Ok(one);
            }
            // Where it is not there, the class's is found, or that path raises.
            Some(slot) => {
                let own = self.read_through_summary(receiver.addr(), slot.value.clone());
                let Some(rest) = self.behind_instance(receiver, instance, name, found) else { return Ok(own) };
                return Ok(self.join_loose(&own, &rest));
            }
            None if instance.attrs.open
                // What models keep for themselves, no program stores.
                && !name.text().starts_with("_pytrope")
                // An instance attribute may hide the class's. Methods are hidden only where the program stores one of that name.
                && !found.as_ref().is_some_and(|(value, _)| {
                    self.is_function(value) && !self.may_be_hidden(class, name)
                }) =>
            {
                return Ok(unknown);
            }
            None => {}
        }
        if name == Name::CLASS {
            // An instance that was not seen made may be one of a subclass.
            let exact = !instance.attrs.open || self.in_model();
            return Ok(if exact { instance.class.clone() } else { unknown });
        }
        if name == Name::DICT {
            // Who has the dictionary can give the instance any attribute.
            self.havoc_reachable(receiver);
            return Ok(unknown);
        }
        match found {
            Some((value, owner)) if value.is_unknown() && self.is_decorated_method(owner, name) => {
                // A descriptor that a decorator has made of a method (`@cached_property`) runs it now.
                self.havoc_mutable_fields(receiver);
                self.havoc_escaped_closures();
                return Ok(unknown);
            }
            Some((value, owner)) => {
                let open = self.class_at(class).is_none_or(|class| class.open);
                let value = self.settle_class_attribute(value, owner, name, open);
                let may_derive =
                    instance.attrs.open && !receiver.addr().is_some_and(|addr| self.run.exact.contains(&addr));
                if may_derive && self.may_be_overridden(&value, name) {
                    return Ok(unknown);
                }
                // An instance that was not seen made may be one of a subclass, which a class method is then given.
                let own_class = if instance.attrs.open && self.analysis.uncalled_entry && !self.in_model() {
                    Value::Unknown(Reason::Lookup(Name::CLASS))
                } else {
                    Value::Obj(class)
                };
                return self.bind_to(value, receiver, own_class, owner);
            }
            // `x.__setattr__("name", value)` is `x.name = value`.
            None if name == Name::SETATTR => {
                let kind = BuiltinType::Object;
                return Ok(Value::Method(Arc::new(NativeMethod { receiver: receiver.clone(), kind, name })));
            }
            None if self.class_at(class).is_none_or(|class| class.open) || instance.attrs.open => return Ok(unknown),
            None => {}
        }
        if let Some((hook, _)) = self.find_in_mro(class, Name::GETATTR) {
            let is_model = self.class_at(class).is_some_and(|class| class.features.is_model);
            if is_model || self.in_model() {
                return self
                    .call_value(&hook, CallArgs::of(vec![receiver.clone(), Value::Str(Arc::clone(name.shared()))]));
            }
            return Ok(unknown);
        }
        if let Some((hook, _)) = self.find_in_mro(class, Name::GETATTRIBUTE) {
            // A hook that was followed asks for the plain attribute itself.
            let followed =
                hook.addr().is_some_and(|addr| self.run.frames.iter().any(|frame| frame.function == Some(addr)));
            if !followed {
                return Ok(unknown);
            }
        }
        let Some(class_object) = self.class_at(class).cloned() else { return Ok(unknown) };
        if name.is_dunder() || !self.is_complete_for(class, name) || self.analysis.program.opens_builtin_types() {
            return Ok(unknown);
        }
        if self.analysis.uncalled_entry && self.analysis.program.is_stored_attribute(name) {
            return Ok(unknown);
        }
        let message = format!("'{}' object has no attribute '{name}'", class_object.name);
        self.raise_error("missing-attribute", "AttributeError", message)
    }

    /// Whether everything a class has is known: classes of the program are, those of models only if they say so.
    fn is_complete_for(&self, class: Addr, name: Name) -> bool {
        self.mro_of(class).iter().all(|addr| match self.class_at(*addr) {
            Some(class) if class.kind == Some(BuiltinType::Object) => true,
            Some(class) if class.features.is_model => {
                class.attrs.get(Name::COMPLETE).is_some() || self.is_absent(*addr, name)
            }
            Some(class) => !class.open && !class.features.enumeration,
            None => false,
        })
    }

    /// Whether a model class lists a name in `__absent__`: what it lacks though it does not say all it has.
    fn is_absent(&self, class: Addr, name: Name) -> bool {
        let Some((Value::Tuple(names), _)) = self.find_in_mro(class, Name::new("__absent__")) else { return false };
        names
            .as_exact()
            .is_some_and(|names| names.iter().any(|listed| listed.as_str().is_some_and(|text| Name::new(text) == name)))
    }

    /// Looks a name up in the classes of an MRO; `None` if none has it (which says nothing if one is open).
    pub fn find_in_mro(&self, class: Addr, name: Name) -> Option<(Value, Addr)> {
        for addr in self.mro_of(class) {
            let Some(class) = self.class_at(*addr) else { return Some((Value::Unknown(Reason::Lookup(name)), *addr)) };
            if let Some(slot) = class.attrs.get(name) {
                let value = if slot.definite { slot.value.clone() } else { Value::Unknown(Reason::Lookup(name)) };
                return Some((value, *addr));
            }
            if class.attrs.open {
                return Some((Value::Unknown(Reason::Lookup(name)), *addr));
            }
            if let Some(kind) = class.kind
                && kind != BuiltinType::Object
                && builtin_types::has_attribute(kind, name.text()) == Some(true)
            {
                return Some((Value::Unknown(Reason::Lookup(name)), *addr));
            }
        }
        None
    }

    /// A class attribute as code that runs at any time may find it: an unknown metaclass may have replaced it, and others may
    /// have assigned to it or changed what it holds.
    fn settle_class_attribute(&mut self, value: Value, owner: Addr, name: Name, open: bool) -> Value {
        let settled = self.settled_value(value.clone(), owner, name, open);
        if settled.is_unknown() && self.is_known_container(&value) {
            // It may still be the same object, and what works on the one changes the other.
            self.havoc_reachable(&value);
        }
        settled
    }

    fn settled_value(&self, value: Value, owner: Addr, name: Name, open: bool) -> Value {
        let Some(class) = self.class_at(owner) else { return Value::Unknown(Reason::Lookup(name)) };
        // Tests replace methods while they run, `@patch.object(Client, "send")`.
        if class.features.is_model || self.is_function(&value) && !self.analysis.program.is_patched(name) {
            return value;
        }
        let fixed = match &value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Property(_) | Object::Class(_) => true,
                Object::Instance(_) => class.features.enumeration,
                _ => !self.analysis.uncalled_entry,
            },
            _ => true,
        };
        if open
            && !matches!(&value, Value::Obj(addr) if matches!(self.object_at(*addr), Object::Property(_) | Object::Class(_)))
        {
            return Value::Unknown(Reason::Lookup(name));
        }
        let reassigned = self.analysis.uncalled_entry
            && !class.features.enumeration
            && self.analysis.program.is_assigned_attribute(name);
        if fixed && !reassigned { value } else { Value::Unknown(Reason::Lookup(name)) }
    }

    /// Whether the body of a class defines a method of a name, so that an unknown value of it comes from a decorator.
    fn is_decorated_method(&self, class: Addr, name: Name) -> bool {
        let Some((code, stmt)) = self.class_at(class).and_then(|class| class.code.as_ref()) else { return false };
        let StmtKind::ClassDef(definition) = code.tree[*stmt].kind else { return false };
        !code.is_model
            && code.tree[definition.body].iter().any(|&stmt| match code.tree[stmt].kind {
                StmtKind::FunctionDef(method) => code.tree.text(method.name.name) == name.text(),
                _ => false,
            })
    }

    /// Whether a method found through an instance of unknown make may be another one.
    fn may_be_overridden(&self, value: &Value, name: Name) -> bool {
        let Value::Obj(addr) = value else { return false };
        match self.object_at(*addr) {
            Object::Function(function) => {
                is_stub(function) || !function.code.is_model && self.analysis.program.is_defined_twice(name)
            }
            Object::ClassMethod(inner) | Object::StaticMethod(inner) => self.may_be_overridden(inner, name),
            _ => false,
        }
    }

    /// What access through an instance makes of a class attribute.
    pub(crate) fn bind_to(&mut self, value: Value, receiver: &Value, class: Value, owner: Addr) -> Flow {
        if let Value::Union(_) = &value {
            return self.for_each_alternative(&value, |interp, value| {
                interp.bind_to(value.clone(), receiver, class.clone(), owner)
            });
        }
        let Value::Obj(addr) = &value else {
            if value.is_unknown()
                && let Some(kind) = self.class_at(owner).and_then(|class| class.kind)
            {
                // A method of a builtin type, taken from an instance of a subclass.
                let _ = kind;
            }
            return Ok(value);
        };
        Ok(match self.object_at(*addr).clone() {
            // A function that the class only mentions, as the default of a field: instances may have it as it is.
            Object::Function(function)
                if function.class.is_none()
                    && !function.code.is_model
                    && self.class_at(owner).is_some_and(|owner| owner.open || owner.features.dataclass) =>
            {
                Value::Unknown(Reason::Lookup(function.name))
            }
            Object::Function(_) => Value::Bound(Arc::new(BoundMethod { receiver: receiver.clone(), function: value })),
            Object::ClassMethod(inner) => self.bound_class_method(class, inner),
            Object::StaticMethod(inner) => inner,
            Object::Property(property) if property.get == Value::None => Value::Unknown(Reason::Lookup(Name::GET)),
            Object::Property(property) => {
                return self.call_value(&property.get.clone(), CallArgs::of(vec![receiver.clone()]));
            }
            Object::Instance(instance) => {
                let descriptor =
                    instance.class.addr().is_some_and(|class| self.find_in_mro(class, Name::GET).is_some());
                if descriptor
                    || instance.class.addr().is_none_or(|class| self.class_at(class).is_none_or(|class| class.open))
                {
                    // Its `__get__` is not followed, and what it returns may work on it.
                    self.havoc_known(&value);
                    Value::Unknown(Reason::Lookup(Name::GET))
                } else {
                    value
                }
            }
            _ => value,
        })
    }

    /// What a class method is when it is taken from a class; one that wraps another descriptor is not followed.
    fn bound_class_method(&self, class: Value, inner: Value) -> Value {
        let is_function = inner.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Function(_)));
        if is_function || matches!(inner, Value::Native(_)) {
            Value::Bound(Arc::new(BoundMethod { receiver: class, function: inner }))
        } else {
            Value::Unknown(Reason::Lookup(Name::GET))
        }
    }

    fn class_attribute(&mut self, addr: Addr, class: &Arc<Class>, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        match name {
            Name::NAME | Name::QUALNAME => return Ok(Value::Str(Arc::clone(&class.name))),
            Name::CLASS => {
                return Ok(class.metaclass.clone().unwrap_or(Value::Obj(Addr::of_builtin(BuiltinType::Type))));
            }
            Name::MRO if !class.open => {
                return Ok(Value::tuple(class.mro.iter().map(|addr| Value::Obj(*addr)).collect()));
            }
            Name::BASES if !class.open && class.bases.is_empty() => {
                return Ok(Value::tuple(vec![Value::Obj(Addr::of_builtin(BuiltinType::Object))]));
            }
            Name::BASES if !class.open => return Ok(Value::tuple(class.bases.clone())),
            _ => {}
        }
        if let Some(kind) = class.kind
            && kind != BuiltinType::Object
            && class.attrs.get(name).is_none()
        {
            if kind == BuiltinType::Type && matches!(name, Name::SETATTR | Name::DELATTR) {
                let receiver = Value::Obj(addr);
                return Ok(Value::Method(Arc::new(NativeMethod { receiver, kind: BuiltinType::Type, name })));
            }
            return Ok(match builtin_types::has_attribute(kind, name.text()) {
                // `str.join`, `dict.fromkeys`: the receiver comes as the first argument.
                Some(true) => {
                    Value::Method(Arc::new(NativeMethod { receiver: Value::Obj(addr), kind: BuiltinType::Type, name }))
                }
                _ => unknown,
            });
        }
        let found = self.find_in_mro(addr, name);
        if matches!(name, Name::NEW | Name::INIT)
            && class.kind.is_none()
            && !self.in_model()
            && (found.as_ref().is_none_or(|(value, _)| value.is_unknown()) || self.has_generated_new(addr, name))
        {
            // A constructor that nothing written defines remembers whose it is: storing to it changes the class.
            let receiver = Value::Obj(addr);
            return Ok(Value::Method(Arc::new(NativeMethod { receiver, kind: BuiltinType::Type, name })));
        }
        if let Some((value, owner)) = found {
            let value = self.settle_class_attribute(value, owner, name, class.open);
            let Value::Obj(found) = &value else { return Ok(value) };
            return Ok(match self.object_at(*found).clone() {
                Object::ClassMethod(inner) => self.bound_class_method(Value::Obj(addr), inner),
                Object::Function(_) if matches!(name, Name::INIT_SUBCLASS | Name::CLASS_GETITEM) => {
                    Value::Bound(Arc::new(BoundMethod { receiver: Value::Obj(addr), function: value }))
                }
                Object::StaticMethod(inner) => inner,
                Object::Instance(instance) if !class.features.enumeration => {
                    let _ = owner;
                    let descriptor =
                        instance.class.addr().is_some_and(|class| self.find_in_mro(class, Name::GET).is_some());
                    if descriptor {
                        self.havoc_known(&value);
                        unknown
                    } else {
                        value
                    }
                }
                _ => value,
            });
        }
        if class.open
            || class.metaclass.is_some()
            || class.features.enumeration
            || name.is_dunder()
            || name.text() == "mro"
            // Each slot is a descriptor of the class.
            || self.find_in_mro(addr, Name::SLOTS).is_some()
        {
            return Ok(unknown);
        }
        // Tests patch classes in ways that are not seen.
        let is_patched = self.run.frames.iter().any(|frame| frame.code.is_test);
        if is_patched || !self.is_complete_for(addr, name) || self.analysis.program.is_stored_attribute(name) {
            return Ok(unknown);
        }
        let message = format!("type object '{}' has no attribute '{name}'", class.name);
        self.raise_error("missing-attribute", "AttributeError", message)
    }

    /// Whether a class gets its `__new__` from the fields that it declares as a named tuple.
    fn has_generated_new(&self, class: Addr, name: Name) -> bool {
        let is_named_tuple = |base: &Addr| {
            self.class_at(*base).is_some_and(|base| base.features.is_model && &*base.name == "NamedTuple")
        };
        let is_written = self.class_at(class).is_some_and(|class| class.attrs.get(Name::NEW).is_some());
        name == Name::NEW && !is_written && self.mro_of(class).iter().any(is_named_tuple)
    }

    fn module_attribute(&mut self, module: &Module, name: Name) -> Flow {
        let unknown = Value::Unknown(standard_or(&module.name, Reason::Lookup(name)));
        let submodule = |interp: &mut Self| {
            let dotted = format!("{}.{name}", module.name);
            if !interp.analysis.program.exists(&dotted) {
                return None;
            }
            // A package in the middle of its own import may still bind the name to something else.
            if interp.analysis.program.binds_global(&module.name, name.text()) {
                return Some(Value::Unknown(Reason::Lookup(name)));
            }
            Some(interp.module_value(&dotted))
        };
        let Some(scope) = module.scope else { return Ok(submodule(self).unwrap_or(unknown)) };
        // A module in the middle of its import has no scope yet.
        let Object::Scope(slots) = self.object_at(scope) else { return Ok(submodule(self).unwrap_or(unknown)) };
        if let Some(slot) = slots.get(name) {
            // Other modules see what the program has made of a global by now, this one what it makes of it itself.
            let own = self.run.state.get(scope).is_some();
            let settled = slot.definite
                && (own
                    || self
                        .analysis
                        .program
                        .evaluated_module(scope.module())
                        .is_none_or(|frozen| self.analysis.program.is_settled(&frozen.code, name, &slot.value)));
            return Ok(if settled { slot.value.clone() } else { unknown });
        }
        let complete = slots.get(Name::COMPLETE).is_some() && !slots.open;
        let from_model = self.in_model();
        if let Some(value) = submodule(self) {
            return Ok(value);
        }
        if complete && !name.is_dunder() && !self.analysis.program.is_stored_from_outside(name) {
            let shown = crate::modules::shown_name(&module.name);
            let message = format!("module '{shown}' has no attribute '{name}'");
            return self.raise_error("missing-attribute", "AttributeError", message);
        }
        if from_model {
            self.model_bug(&format!("module `{}` has no attribute `{name}`", module.name));
        }
        Ok(unknown)
    }

    fn super_attribute(&mut self, class: Addr, receiver: &Value, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        let (start, is_known) = match receiver.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Instance(instance)) => (instance.class.addr(), true),
            Some(Object::Array(array)) => (array.class.addr(), true),
            Some(Object::Class(_)) => (receiver.addr(), true),
            _ => (None, false),
        };
        let start = start.unwrap_or(class);
        let mro = self.mro_of(start).to_vec();
        let Some(position) = mro.iter().position(|addr| *addr == class) else { return Ok(unknown) };
        for addr in &mro[position + 1..] {
            let Some(found) = self.class_at(*addr).cloned() else { return Ok(unknown) };
            if let Some(slot) = found.attrs.get(name) {
                if !slot.definite {
                    return Ok(unknown);
                }
                let value = slot.value.clone();
                if name == Name::NEW {
                    return Ok(value);
                }
                let is_class = matches!(receiver.addr().map(|addr| self.object_at(addr)), Some(Object::Class(_)));
                if is_class {
                    return Ok(match value.addr().map(|addr| self.object_at(addr).clone()) {
                        Some(Object::ClassMethod(inner)) => {
                            Value::Bound(Arc::new(BoundMethod { receiver: receiver.clone(), function: inner }))
                        }
                        Some(Object::StaticMethod(inner)) => inner,
                        _ => value,
                    });
                }
                // A receiver that may be a class, as in `__new__`, leaves a method as it is.
                if !is_known && self.is_function(&value) {
                    return Ok(unknown);
                }
                let class_value = Value::Obj(start);
                return self.bind_to(value, receiver, class_value, *addr);
            }
            if name == Name::INIT && found.features.generated_init && !found.open {
                let target = Value::tuple(vec![Value::Obj(*addr), receiver.clone()]);
                return Ok(Value::Bound(Arc::new(BoundMethod {
                    receiver: target,
                    function: Value::Native(&crate::calls::DATACLASS_INIT),
                })));
            }
            if found.open || found.attrs.open {
                return Ok(unknown);
            }
            if let Some(kind) = found.kind
                && kind != BuiltinType::Object
            {
                return Ok(unknown);
            }
        }
        if self.class_at(start).is_none_or(|class| class.open) {
            return Ok(unknown);
        }
        // What `object` has: the constructor does nothing, the rest is not followed.
        Ok(match name {
            Name::INIT | Name::INIT_SUBCLASS => Value::Native(&crate::builtins::DO_NOTHING),
            Name::NEW => Value::Native(&crate::builtins::OBJECT_NEW),
            Name::SETATTR | Name::GETATTRIBUTE => {
                Value::Method(Arc::new(NativeMethod { receiver: receiver.clone(), kind: BuiltinType::Object, name }))
            }
            _ => unknown,
        })
    }

    /// A special method of a value's class, bound; for values with classes written in Python.
    pub fn python_method(&self, value: &Value, name: Name) -> Option<Value> {
        let class = match self.object_at(value.addr()?) {
            Object::Instance(instance) => instance.class.addr()?,
            Object::Array(array) => array.class.addr()?,
            _ => return None,
        };
        let (function, _) = self.find_in_mro(class, name)?;
        self.bound_special(value, class, function)
    }

    /// What a class holds under the name of a special method, bound; one of several where its body has a choice.
    fn bound_special(&self, value: &Value, class: Addr, function: Value) -> Option<Value> {
        match function {
            Value::Unknown(_) | Value::UnknownNotNone(_) | Value::None => None,
            Value::Union(choice) => {
                let bound: Option<Vec<Value>> =
                    choice.iter().map(|function| self.bound_special(value, class, function.clone())).collect();
                Some(Value::Union(Arc::new(bound?)))
            }
            Value::Obj(addr) if matches!(self.object_at(addr), Object::Function(_)) => {
                Some(Value::Bound(Arc::new(BoundMethod { receiver: value.clone(), function })))
            }
            Value::Obj(addr) => match self.object_at(addr) {
                Object::StaticMethod(inner) => Some(inner.clone()),
                Object::ClassMethod(inner) => {
                    Some(Value::Bound(Arc::new(BoundMethod { receiver: Value::Obj(class), function: inner.clone() })))
                }
                // A descriptor or another callable: what it makes of the access is not followed.
                _ => None,
            },
            other => Some(other),
        }
    }

    /// Like [`Self::python_method`], also for classes of which only part is known.
    pub(crate) fn special_method(&self, value: &Value, name: Name) -> Option<Value> {
        self.python_method(value, name)
    }

    /// Whether a value's class may have unknown methods.
    pub(crate) fn has_open_class(&self, value: &Value) -> bool {
        let Some(addr) = value.addr() else { return false };
        let class = match self.object_at(addr) {
            Object::Instance(instance) if instance.attrs.open => return true,
            Object::Instance(instance) => &instance.class,
            Object::Array(array) => &array.class,
            Object::Unknown | Object::Super { .. } | Object::Coroutine { .. } => return true,
            Object::Class(class) => {
                return class.open || class.metaclass.is_some() || class.features.is_model || class.kind.is_some();
            }
            _ => return false,
        };
        match class.addr().and_then(|addr| self.class_at(addr)) {
            Some(class) => class.open || class.features.enumeration,
            None => true,
        }
    }

    /// Whether a value is an instance of a subclass of a builtin type other than object.
    pub(crate) fn has_builtin_layout(&self, value: &Value) -> bool {
        let Some(instance) = self.instance_of(value) else { return false };
        let Some(class) = instance.class.addr() else { return true };
        self.mro_of(class).iter().any(|addr| {
            self.class_at(*addr).is_some_and(|class| class.kind.is_some_and(|kind| kind != BuiltinType::Object))
        })
    }

    /// The class of a value, where exactly known.
    pub fn class_of(&self, value: &Value) -> Option<Addr> {
        match value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Instance(instance) => instance.class.addr(),
                Object::Array(array) => array.class.addr(),
                Object::Class(class) => match &class.metaclass {
                    Some(metaclass) => metaclass.addr(),
                    None if class.open => None,
                    None => Some(Addr::of_builtin(BuiltinType::Type)),
                },
                Object::List(_) => Some(Addr::of_builtin(BuiltinType::List)),
                Object::Dict(_) => Some(Addr::of_builtin(BuiltinType::Dict)),
                Object::Set(_) => Some(Addr::of_builtin(BuiltinType::Set)),
                Object::FrozenSet(_) => Some(Addr::of_builtin(BuiltinType::FrozenSet)),
                Object::Function(_) => Some(Addr::of_builtin(BuiltinType::Function)),
                // A module that is not read, or whose names others write, may have put something else in its place.
                Object::Module(module) => module
                    .scope
                    .and_then(|scope| self.scope_slots(scope))
                    .filter(|slots| !slots.open)
                    .map(|_| Addr::of_builtin(BuiltinType::Module)),
                Object::Property(_) => Some(Addr::of_builtin(BuiltinType::Property)),
                Object::StaticMethod(_) => Some(Addr::of_builtin(BuiltinType::StaticMethod)),
                Object::ClassMethod(_) => Some(Addr::of_builtin(BuiltinType::ClassMethod)),
                _ => None,
            },
            Value::Native(_) | Value::Method(_) | Value::Bound(_) => None,
            other => other.kind().map(Addr::of_builtin),
        }
    }

    /// The name of a value's class, where exactly known.
    pub(crate) fn exact_type_name(&self, value: &Value) -> Option<Arc<str>> {
        let class = self.class_of(value)?;
        self.class_at(class).map(|class| Arc::clone(&class.name))
    }

    /// Whether a value certainly has no such special method.
    pub(crate) fn lacks_method(&self, value: &Value, name: Name) -> bool {
        if self.analysis.program.is_stored_from_outside(name) {
            // Some module attaches such a method to a class.
            return false;
        }
        if self.instance_of(value).is_some_and(|instance| instance.attrs.open) {
            // It may be an instance of a subclass.
            return false;
        }
        match self.class_of(value) {
            None => false,
            Some(class) => {
                let Some(object) = self.class_at(class) else { return false };
                if let Some(kind) = object.kind {
                    return builtin_types::has_attribute(kind, name.text()) == Some(false);
                }
                if object.open || object.features.is_model || object.features.enumeration || object.features.dataclass {
                    return false;
                }
                self.find_in_mro(class, name).is_none()
                    && self.mro_of(class).iter().all(|addr| {
                        self.class_at(*addr).is_some_and(|class| match class.kind {
                            Some(kind) => kind == BuiltinType::Object,
                            None => !class.features.is_model && !class.features.dataclass,
                        })
                    })
            }
        }
    }

    /// A new property object.
    pub(crate) fn new_property(&mut self, get: Value, set: Value, delete: Value) -> Value {
        self.new_object(Object::Property(Arc::new(Property { get, set, delete })))
    }

    /// A fresh instance without attributes.
    pub fn new_instance(&mut self, class: Addr, open: bool) -> Value {
        let attrs = Slots { open, ..Slots::default() };
        self.new_object(Object::Instance(Arc::new(Instance { class: Value::Obj(class), attrs, content: None })))
    }
}

/// Whether a function only says what others should do: a docstring, `pass`, `...`, `raise NotImplementedError`.
fn is_stub(function: &crate::object::Function) -> bool {
    use pytrope_source::tree::{ExprKind, StmtKind};
    let code = &function.code;
    let Some(body) = code.scope_info(function.id).body else { return false };
    code.tree[body].iter().all(|&stmt| match code.tree[stmt].kind {
        StmtKind::Pass => true,
        StmtKind::Expr { value } => matches!(code.tree[value].kind, ExprKind::Str(_) | ExprKind::Ellipsis),
        StmtKind::Raise { exception: Some(exception), .. } => {
            code.file.slice(code.tree[exception].range).starts_with("NotImplemented")
        }
        _ => false,
    })
}

/// The `__qualname__` of a function: the classes and functions around its definition, then its name.
fn qualified_name(function: &Function) -> String {
    let code = &function.code;
    let mut name = function.name.text().to_string();
    let mut at = code.scope_info(function.id).parent;
    while at != ScopeId::MODULE {
        let info = code.scope_info(at);
        let own = info.name.map_or("<lambda>", |name| code.tree.text(name));
        match info.kind {
            ScopeKind::Class => name = format!("{own}.{name}"),
            ScopeKind::Function | ScopeKind::Lambda => name = format!("{own}.<locals>.{name}"),
            ScopeKind::Comprehension | ScopeKind::Module => {}
        }
        at = info.parent;
    }
    name
}
