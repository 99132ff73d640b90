//! Special methods: looked up on the class of a value, never on the value itself.

use std::sync::Arc;

use crate::builtin_types;
use crate::interp::Interp;
use crate::names::Name;
use crate::object::Object;
use crate::value::{Addr, BoundMethod, BuiltinType, Value};

impl Interp<'_> {
    /// A special method of a value's class, bound; for values with classes written in Python.
    pub fn python_method(&self, value: &Value, name: Name) -> Option<Value> {
        let addr = value.addr()?;
        let (class, may_derive) = match self.object_at(addr) {
            Object::Instance(instance) => {
                (instance.class.addr()?, instance.attrs.open && !self.run.exact.contains(&addr))
            }
            Object::Array(array) => (array.class.addr()?, false),
            _ => return None,
        };
        let (function, _) = self.find_in_mro(class, name)?;
        // `self - 1` in an abstract class runs what a subclass defines.
        if may_derive && self.may_be_overridden(&function, name) {
            return None;
        }
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
                // A module that is not read, or whose names others write, may have put something else in its place
                // (`sys.modules["q"] = q`).
                Object::Module(module) => module
                    .scope
                    .filter(|scope| self.scope_slots(*scope).is_some_and(|slots| !slots.open))
                    .filter(|scope| !self.analysis.program.is_open_module(scope.module()))
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
}
