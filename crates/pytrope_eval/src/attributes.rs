//! Attribute access: instances, classes with their MRO, modules, arrays, builtin types; properties and methods bind here.

mod descriptors;
mod instance_dicts;
mod listed;
mod namespaces;
mod presence;
mod replaced;
mod special;
mod stores;

use std::sync::Arc;

use pytrope_source::tree::StmtKind;

use crate::builtin_types;
use crate::code::{ScopeId, ScopeKind};
use crate::effects::library;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::declarations::is_placeholder;
use crate::object::{Class, Function, Instance, Object, Property, Slots};
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

    /// An attribute of an object that nothing is known of may be a method that changes the object.
    fn tell_unmodelled_attribute(&mut self, value: &Value) {
        if let Value::Unknown(Reason::Lookup(name)) = value
            && !self.in_model()
        {
            self.tell_passed_over(|_| format!("attribute `{name}` is unknown"));
        }
    }

    fn attribute_of_one(&mut self, object: &Value, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        match object {
            Value::Unknown(Reason::Standard) => Ok(object.clone()),
            // That an error came before says more than that the attribute is not known.
            Value::Unknown(Reason::Finding) | Value::UnknownNotNone(Reason::Finding) => {
                Ok(Value::Unknown(Reason::Finding))
            }
            Value::Unknown(_) | Value::UnknownNotNone(_) => match self.assumed_by_attribute(object, name) {
                Some(array) => self.attribute_of_one(&array, name),
                None => Ok(self.part_of_lazy(object, name).unwrap_or(unknown)),
            },
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::Instance(instance) => {
                    let value = self.instance_attribute(object, &instance, name)?;
                    let by_hint = if value.is_unknown() { self.field_by_hint(object, name) } else { None };
                    let value = by_hint.unwrap_or(value);
                    self.tell_unmodelled_attribute(&value);
                    Ok(value)
                }
                Object::Array(array) => {
                    let instance = Instance { class: array.class.clone(), attrs: array.attrs.clone(), content: None };
                    let value = self.instance_attribute(object, &instance, name)?;
                    self.tell_unmodelled_attribute(&value);
                    Ok(value)
                }
                Object::Class(class) => self.class_attribute(*addr, &class, name),
                Object::Module(module) => self.module_attribute(&module, name),
                Object::Function(function) => Ok(match function.attrs.get(name) {
                    // A placeholder that another function, here or in another module, fills in.
                    Some(slot) if slot.value == Value::None && self.analysis.uncalled_entry => unknown,
                    Some(slot) if slot.definite => slot.value.clone(),
                    // Who has had a function in hand may have named it anew, as `functools.wraps` does.
                    _ if function.attrs.open => unknown,
                    _ if name == Name::NAME => Value::Str(Arc::clone(function.name.shared())),
                    _ if name == Name::QUALNAME => Value::str(&qualified_name(&function)),
                    // A program that is run has another name for its module than one that is imported.
                    _ if name == Name::MODULE && !function.code.is_model && self.analysis.program.closed_world => {
                        Value::str(&function.code.name)
                    }
                    _ if name == Name::MODULE => Value::Top(BuiltinType::Str),
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
            Some(false) if self.analysis.program.provider.subclass_methods(kind).contains(&name.text()) => {
                Ok(Value::Unknown(Reason::Lookup(name)))
            }
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
        let is_of_class =
            |interp: &Self| instance.attrs.get(name).is_none() && interp.find_in_mro(class, name).is_none();
        if name == Name::MODULE && self.analysis.program.closed_world && is_of_class(self) {
            return self.read_attribute(&instance.class, name);
        }
        if let Some(hook) = self.attribute_hook(class, name) {
            return self.call_value(&hook, CallArgs::of(vec![receiver.clone(), Value::Str(Arc::clone(name.shared()))]));
        }
        self.plain_attribute(receiver, instance, name)
    }

    /// Whether the program stores an attribute of a method's name on instances of the class, or may. Where shapes are shown, methods are
    /// taken to be those that classes define: a wrapper that others put in the place of one calls it (`cls.forward = with_checkpoints`).
    fn may_be_hidden(&self, class: Addr, name: Name) -> bool {
        if self.analysis.assumes {
            return false;
        }
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
        // What is unpacked from the `shape` of an array are sizes; an attribute of that name in the program may hold anything.
        let is_data = name == Name::SHAPE
            && instance
                .class
                .addr()
                .and_then(|class| self.class_at(class))
                .is_none_or(|class| !class.features.is_model);
        let unknown = Value::Unknown(if is_data { Reason::Operand } else { Reason::Lookup(name) });
        let Some(class) = instance.class.addr() else { return Ok(unknown) };
        let found = self.find_in_mro(class, name);
        if let Some((Value::Obj(addr), owner)) = &found
            && let Object::Property(property) = self.object_at(*addr)
        {
            let getter = property.get.clone();
            // `size = abstractproperty()` is a declaration: subclasses give it a getter.
            if getter == Value::None || self.class_at(*owner).is_some_and(|owner| self.is_replaced_by_test(owner, name))
            {
                return Ok(unknown);
            }
            return self.call_value(&getter, CallArgs::of(vec![receiver.clone()]));
        }
        if let Some((value, _)) = &found
            && self.is_followed_descriptor(value, Name::SET)
            && let Some(value) = self.follow_descriptor(value, receiver.clone(), Value::Obj(class))?
        {
            return Ok(value);
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
                && !found.as_ref().is_some_and(|(value, owner)| {
                    self.is_function(value) && self.is_method_of(*owner, name) && !self.may_be_hidden(class, name)
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
            if let Some(view) = self.instance_dict(receiver)? {
                return Ok(view);
            }
            // Who has the dictionary can give the instance any attribute.
            self.havoc_reachable(receiver);
            return Ok(unknown);
        }
        match found {
            Some((value, owner)) if value.is_unknown() && self.is_decorated_method(owner, name) => {
                // A descriptor that a decorator has made of a method (`@cached_property`) runs it now, and may keep what it gives
                // on the instance under a name of its own.
                self.havoc_mutable_fields(receiver);
                if let Some(addr) = receiver.addr() {
                    self.change_instance(addr, |instance| instance.attrs.open = true);
                }
                self.havoc_escaped_closures();
                return Ok(unknown);
            }
            Some((value, _)) if self.runs_when_read(&value) => {
                if let Some(value) = self.follow_descriptor(&value, receiver.clone(), Value::Obj(class))? {
                    return Ok(value);
                }
                // Its `__get__` is not followed: it is given the instance, and what it returns may work on both.
                self.havoc_known(&value);
                self.havoc_given(receiver);
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
        if self.lacks_listed_attribute(receiver, instance, class, name) {
            return self.missing_listed(instance, class, name);
        }
        if let Some((hook, _)) = self.find_in_mro(class, Name::GETATTR) {
            let is_model = self.class_at(class).is_some_and(|class| class.features.is_model);
            // What lists its attributes whole (`_pytrope_whole`) has besides them what the program stores anywhere.
            let may_be_given = !self.in_model()
                && self.find_in_mro(class, Name::new("_pytrope_whole")).is_some()
                && (self.analysis.program.is_stored_attribute(name) || self.analysis.program.is_patched(name));
            if may_be_given {
                return Ok(unknown);
            }
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
        if name.is_dunder() && !self.is_absent(class, name)
            || !self.is_complete_for(class, name)
            || self.analysis.program.opens_builtin_types()
        {
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
        if self.may_replace_methods(class) || self.is_replaced_by_test(class, name) {
            return Value::Unknown(Reason::Lookup(name));
        }
        let is_method = self.is_function(&value)
            && (self.analysis.assumes
                || self.is_decorated_method(owner, name)
                || !self.analysis.program.is_assigned_attribute(name));
        let is_own = |interp: &Self| interp.analysis.assumes || !interp.analysis.program.is_patched(name);
        if class.features.is_model || is_method && is_own(self) {
            return value;
        }
        let fixed = match &value {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Property(_) | Object::Class(_) => true,
                Object::Instance(_) => class.features.enumeration || self.analysis.program.closed_world,
                _ => !self.analysis.uncalled_entry,
            },
            _ => true,
        };
        if open
            && !matches!(&value, Value::Obj(addr) if matches!(self.object_at(*addr), Object::Property(_) | Object::Class(_)))
        {
            return Value::Unknown(Reason::Lookup(name));
        }
        // Another module's class has the attributes that the program gave it since, unless this run wrote them itself.
        let is_foreign = owner.module() != self.analysis.module && self.run.state.get(owner).is_none();
        let reassigned = !self.analysis.program.closed_world
            && (self.analysis.uncalled_entry || is_foreign)
            && !class.features.enumeration
            && self.analysis.program.is_assigned_attribute(name);
        if fixed && !reassigned { value } else { Value::Unknown(Reason::Lookup(name)) }
    }

    /// Whether a metaclass may put descriptors of its own in the places of methods: part of it is not read, or it stores attributes by
    /// computed names, and its module defines descriptors.
    fn may_replace_methods(&self, class: &Class) -> bool {
        if class.features.is_model || self.analysis.assumes || self.analysis.program.closed_world {
            return false;
        }
        let Some(metaclass) = &class.metaclass else { return false };
        let Some(metaclass) = metaclass.addr().and_then(|addr| self.class_at(addr)) else {
            return metaclass.is_unknown();
        };
        let has_descriptors = || metaclass.code.as_ref().is_none_or(|(code, _)| code.str_of("__get__").is_some());
        !metaclass.features.is_model
            && (metaclass.open || self.analysis.program.opens_class(&metaclass.name) && has_descriptors())
    }

    /// Whether the body of a class defines a method of a name, so that an unknown value of it comes from a decorator.
    fn is_decorated_method(&self, class: Addr, name: Name) -> bool {
        let Some((code, stmt)) = self.class_at(class).and_then(|class| class.code.as_ref()) else { return false };
        let StmtKind::ClassDef(definition) = code.tree[*stmt].kind else { return false };
        let name = name.text();
        !code.is_model
            && code.tree[definition.body].iter().any(|&stmt| match code.tree[stmt].kind {
                StmtKind::FunctionDef(method) => code.tree.text(method.name.name) == name,
                _ => false,
            })
    }

    /// Whether a class defines a method of a name. A function that its body assigns may be the default of a field:
    /// `rule: Callable = lambda x: x` in a dataclass.
    fn is_method_of(&self, class: Addr, name: Name) -> bool {
        self.class_at(class).is_none_or(|class| class.features.is_model) || self.is_decorated_method(class, name)
    }

    /// Whether a method found through an instance of unknown make may be another one.
    pub(crate) fn may_be_overridden(&self, value: &Value, name: Name) -> bool {
        let Value::Obj(addr) = value else { return false };
        match self.object_at(*addr) {
            Object::Function(function) => {
                is_placeholder(function) || !function.code.is_model && self.analysis.program.is_defined_twice(name)
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
            Object::Instance(_) if self.runs_when_read(&value) => {
                if let Some(value) = self.follow_descriptor(&value, receiver.clone(), class)? {
                    return Ok(value);
                }
                self.havoc_known(&value);
                self.havoc_given(receiver);
                Value::Unknown(Reason::Lookup(Name::GET))
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
