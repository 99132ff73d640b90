//! Attributes of classes, modules and `super()`: what holds other objects by name and is no instance.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::standard_or;
use crate::builtin_types;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::{Class, Entries, Entry, Function, Key, Mapping, Module, Object, Slots};
use crate::value::{Addr, BoundMethod, BuiltinType, NativeMethod, Reason, Value};

impl Interp<'_> {
    pub(super) fn class_attribute(&mut self, addr: Addr, class: &Arc<Class>, name: Name) -> Flow {
        let unknown = Value::Unknown(Reason::Lookup(name));
        match name {
            Name::NAME | Name::QUALNAME => return Ok(Value::Str(Arc::clone(&class.name))),
            Name::MODULE
                if self.analysis.program.closed_world
                    && let Some((code, _)) = &class.code
                    && !code.is_model
                    && class.attrs.get(name).is_none() =>
            {
                return Ok(Value::str(&code.name));
            }
            Name::MODULE if !class.open => return Ok(Value::Top(BuiltinType::Str)),
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
        if name == Name::DICT && self.analysis.program.closed_world && !class.open && !class.attrs.open {
            return Ok(self.class_namespace(class));
        }
        if name == Name::INIT
            && self.analysis.program.closed_world
            && !class.open
            && let Some(owner) = self.generated_init(addr)
        {
            return Ok(generated_constructor(owner));
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
                // The metaclass of a base that is not read may bind it: `def alloc(cls)` below an Objective-C class.
                Object::Function(function) if class.open && takes_class(&function) => unknown,
                Object::Instance(instance) if !class.features.enumeration => {
                    let _ = owner;
                    let descriptor =
                        instance.class.addr().is_some_and(|class| self.find_in_mro(class, Name::GET).is_some());
                    if descriptor {
                        if let Some(value) = self.follow_descriptor(&value, Value::None, Value::Obj(addr))? {
                            return Ok(value);
                        }
                        self.havoc_known(&value);
                        unknown
                    } else {
                        value
                    }
                }
                _ => value,
            });
        }
        if class.features.enumeration && self.lacks_member(addr, class, name) {
            let message = format!("type object '{}' has no attribute '{name}'", class.name);
            return self.raise_error("missing-attribute", "AttributeError", message);
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

    /// Whether an enumeration certainly has no member or method of a name: its body is all that gives it one.
    fn lacks_member(&self, addr: Addr, class: &Class, name: Name) -> bool {
        let is_listed = |base: &Addr| {
            self.class_at(*base).is_some_and(|base| {
                !base.open && !base.attrs.open && base.metaclass.is_none() && base.attrs.get(Name::GETATTR).is_none()
            })
        };
        // What every enumeration has, and what only its metaclass has.
        let is_inherited = name.text().starts_with('_') || matches!(name.text(), "mro" | "name" | "value");
        let program = self.analysis.program;
        !is_inherited
            && !class.open
            && self.mro_of(addr).iter().all(is_listed)
            && !self.run.frames.iter().any(|frame| frame.code.is_test)
            && !program.is_stored_attribute(name)
            && !program.is_put_into_namespaces(name)
    }

    /// The data class whose generated constructor makes instances of a class, if no written one comes before it.
    pub(crate) fn generated_init(&self, class: Addr) -> Option<Addr> {
        for base in self.mro_of(class) {
            let object = self.class_at(*base)?;
            if object.attrs.get(Name::INIT).is_some() || object.attrs.open {
                return None;
            }
            if object.features.generated_init {
                return Some(*base);
            }
        }
        None
    }

    /// `dir(x)`: the names of a class or of an instance and all its classes, where nothing is hidden.
    pub(crate) fn listed_names(&mut self, object: &Value) -> Value {
        let unknown = Value::Unknown(Reason::Call);
        let (class, own) = match object.addr().map(|addr| (addr, self.object_at(addr))) {
            Some((addr, Object::Class(_))) => (Some(addr), None),
            Some((_, Object::Instance(instance))) => (instance.class.addr(), Some(&instance.attrs)),
            _ => (None, None),
        };
        let Some(class) = class.filter(|_| self.analysis.program.closed_world) else { return unknown };
        let mut names: BTreeSet<&str> = builtin_types::OF_OBJECTS.iter().copied().collect();
        let mut add_names = |slots: &Slots| {
            names.extend(slots.iter().map(|(name, _)| name.text()));
            !slots.open && slots.iter().all(|(_, slot)| slot.definite)
        };
        let is_listed = own.is_none_or(&mut add_names)
            && self.mro_of(class).iter().all(|base| {
                self.class_at(*base).is_some_and(|base| {
                    let is_object = base.kind == Some(BuiltinType::Object);
                    let is_whole =
                        !base.open && !base.features.is_model && base.kind.is_none() && base.metaclass.is_none();
                    is_object || is_whole && add_names(&base.attrs)
                })
            });
        if !is_listed {
            return unknown;
        }
        let names = names.into_iter().map(Value::str).collect();
        self.new_list(names)
    }

    /// `C.__dict__`: what the class itself holds now. It is a copy, for nothing can be stored in the original.
    fn class_namespace(&mut self, class: &Class) -> Value {
        let entries = class.attrs.iter().map(|(name, slot)| {
            let entry = Entry { key: Value::str(name.text()), value: slot.value.clone(), definite: slot.definite };
            (Key::Str(name.text().into()), entry)
        });
        let entries: Entries = entries.collect();
        self.new_dict(Mapping { entries: Arc::new(entries), open: None })
    }

    /// Whether a class gets its `__new__` from the fields that it declares as a named tuple.
    fn has_generated_new(&self, class: Addr, name: Name) -> bool {
        let is_named_tuple = |base: &Addr| {
            self.class_at(*base).is_some_and(|base| base.features.is_model && &*base.name == "NamedTuple")
        };
        let is_written = self.class_at(class).is_some_and(|class| class.attrs.get(Name::NEW).is_some());
        name == Name::NEW && !is_written && self.mro_of(class).iter().any(is_named_tuple)
    }

    pub(super) fn module_attribute(&mut self, module: &Module, name: Name) -> Flow {
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
        let Some(scope) = module.scope else {
            return match submodule(self) {
                Some(value) => Ok(value),
                None if self.lacks_standard_name(&module.name, name)
                    || self.lacks_listed_global(&module.name, name) =>
                {
                    self.missing_global(module, name)
                }
                None => Ok(unknown),
            };
        };
        // A module in the middle of its import has no scope yet.
        let Object::Scope(slots) = self.object_at(scope) else { return Ok(submodule(self).unwrap_or(unknown)) };
        if let Some(slot) = slots.get(name) {
            // Other modules see what the program has made of a global by now, this one what it makes of it itself.
            // What this run has stored in another module is seen by that module's functions, which may store something else.
            let is_own_module = scope.module() == self.current_frame().code.module;
            let own = self.run.state.get(scope).is_some() && (is_own_module || self.analysis.program.closed_world);
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
        let is_absent = complete && !name.is_dunder() && !self.analysis.program.is_stored_from_outside(name);
        if is_absent || self.lacks_standard_name(&module.name, name) || self.lacks_listed_global(&module.name, name) {
            return self.missing_global(module, name);
        }
        if from_model {
            self.model_bug(&format!("module `{}` has no attribute `{name}`", module.name));
        }
        Ok(unknown)
    }

    fn missing_global(&mut self, module: &Module, name: Name) -> Flow {
        let shown = crate::modules::shown_name(&module.name);
        let message = format!("module '{shown}' has no attribute '{name}'");
        if self.in_model() {
            return self.raise_error("missing-attribute", "AttributeError", message);
        }
        let near = self.analysis.program.provider.nearest_name(&module.name, name.text());
        self.raise_missing(message, near.map(str::to_owned))
    }

    pub(crate) fn super_attribute(&mut self, class: Addr, receiver: &Value, name: Name) -> Flow {
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
                if self.is_replaced_by_test(&found, name)
                    || name == Name::INIT && self.has_patched_constructor(*addr, &found)
                {
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
                        Some(Object::Function(_)) if name == Name::INIT_SUBCLASS => {
                            Value::Bound(Arc::new(BoundMethod { receiver: receiver.clone(), function: value }))
                        }
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
}

/// `C.__init__` of a data class as a function: the object is its first argument.
fn generated_constructor(owner: Addr) -> Value {
    let function = Value::Native(&crate::calls::DATACLASS_INIT_OF_CLASS);
    Value::Bound(Arc::new(BoundMethod { receiver: Value::Obj(owner), function }))
}

/// Whether the first parameter of a function is named as a class method's is.
fn takes_class(function: &Function) -> bool {
    let tree = &function.code.tree;
    function.code.scope_info(function.id).parameters.is_some_and(|parameters| {
        let mut named = tree[parameters.positional_only].iter().chain(&tree[parameters.regular]);
        named.next().is_some_and(|first| tree.text(first.name.name) == "cls")
    })
}
