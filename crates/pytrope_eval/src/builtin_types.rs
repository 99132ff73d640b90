//! The builtin types: which attributes they have, what their methods do, how they are constructed.

mod attributes;
mod collections;
mod construct;
mod formatting;
mod signatures;
mod text;

pub(crate) use attributes::OBJECT as OF_OBJECTS;
use std::sync::Arc;

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::Object;
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, NativeMethod, Reason, Value};

/// Whether instances of a builtin type have an attribute; `None` for types whose attributes are not listed.
pub(crate) fn has_attribute(kind: BuiltinType, name: &str) -> Option<bool> {
    let listed = match kind {
        BuiltinType::Object => attributes::OBJECT,
        BuiltinType::NoneType => attributes::NONE_TYPE,
        BuiltinType::Bool => attributes::BOOL,
        BuiltinType::Int => attributes::INT,
        BuiltinType::Float => attributes::FLOAT,
        BuiltinType::Complex => attributes::COMPLEX,
        BuiltinType::Str => attributes::STR,
        BuiltinType::Bytes => attributes::BYTES,
        BuiltinType::ByteArray => attributes::BYTE_ARRAY,
        BuiltinType::Tuple => attributes::TUPLE,
        BuiltinType::List => attributes::LIST,
        BuiltinType::Dict => attributes::DICT,
        BuiltinType::Set => attributes::SET,
        BuiltinType::FrozenSet => attributes::FROZEN_SET,
        BuiltinType::Range => attributes::RANGE,
        BuiltinType::Slice => attributes::SLICE,
        BuiltinType::Type
        | BuiltinType::Ellipsis
        | BuiltinType::NotImplemented
        | BuiltinType::MemoryView
        | BuiltinType::Function
        | BuiltinType::Method
        | BuiltinType::Builtin
        | BuiltinType::Module
        | BuiltinType::Generator
        | BuiltinType::Iterator
        | BuiltinType::Property
        | BuiltinType::StaticMethod
        | BuiltinType::ClassMethod
        | BuiltinType::Super
        | BuiltinType::Coroutine => return None,
    };
    Some(listed.contains(&name) || attributes::OBJECT.contains(&name))
}

/// Attributes that are no methods.
pub(crate) fn constant_attribute(
    interp: &mut Interp<'_>,
    receiver: &Value,
    kind: BuiltinType,
    name: Name,
) -> Option<Value> {
    let text = name.text();
    match (kind, text) {
        (BuiltinType::Int | BuiltinType::Bool, "real" | "numerator") => Some(match receiver {
            Value::Bool(value) => Value::Int(i64::from(*value)),
            Value::SymbolicBool(_) => interp.any_natural(),
            other => other.clone(),
        }),
        (BuiltinType::Int | BuiltinType::Bool, "imag") => Some(Value::Int(0)),
        (BuiltinType::Int | BuiltinType::Bool, "denominator") => Some(Value::Int(1)),
        (BuiltinType::Float, "real") => Some(receiver.clone()),
        (BuiltinType::Float, "imag") => Some(Value::Float(0.0)),
        (BuiltinType::Complex, "real" | "imag") => Some(match receiver {
            Value::Complex(value) => Value::Float(if text == "real" { value.0 } else { value.1 }),
            _ => Value::Top(BuiltinType::Float),
        }),
        (BuiltinType::Range | BuiltinType::Slice, "start" | "stop" | "step") => match receiver {
            Value::Range(parts) | Value::Slice(parts) => Some(match text {
                "start" => parts[0].clone(),
                "stop" => parts[1].clone(),
                _ => parts[2].clone(),
            }),
            _ => Some(Value::Unknown(Reason::Lookup(name))),
        },
        (_, "__doc__" | "__dict__") => Some(Value::Unknown(Reason::Lookup(name))),
        _ => None,
    }
}

impl Interp<'_> {
    pub(crate) fn call_builtin_method(&mut self, method: &NativeMethod, args: &CallArgs) -> Flow {
        let name = method.name.text();
        let receiver = &method.receiver;
        if name == "__len__" && args.positional.is_empty() && args.is_exact() && method.kind != BuiltinType::Type {
            return Ok(self.length_of(receiver)?.unwrap_or(Value::Unknown(Reason::Call)));
        }
        let result = match method.kind {
            BuiltinType::Str => self.str_method(receiver, name, args)?,
            BuiltinType::List => self.list_method(receiver, name, args)?,
            BuiltinType::Dict => self.dict_method(receiver, name, args)?,
            BuiltinType::Set | BuiltinType::FrozenSet => self.set_method(receiver, name, args)?,
            BuiltinType::Tuple => self.tuple_method(receiver, name, args)?,
            BuiltinType::Float | BuiltinType::Int | BuiltinType::Bool => self.number_method(receiver, name, args)?,
            BuiltinType::Property => self.property_method(receiver, name, args),
            BuiltinType::Type => self.unbound_method(receiver, method.name, args)?,
            BuiltinType::Object if name == "__getattribute__" => {
                match (args.first(), self.instance_of(receiver).cloned()) {
                    (Some(Value::Str(attribute)), Some(instance)) => {
                        let attribute = Name::new(attribute);
                        Some(self.plain_attribute(receiver, &instance, attribute)?)
                    }
                    _ => None,
                }
            }
            BuiltinType::Object if name == "__setattr__" => {
                if let [Value::Str(attribute), value] = args.positional.as_slice() {
                    self.store_without_hook(receiver, Name::new(attribute), value.clone())?;
                    Some(Value::None)
                } else {
                    self.forget_attributes(receiver);
                    None
                }
            }
            _ => None,
        };
        if let Some(value) = result {
            return Ok(value);
        }
        // A method that is not followed: it may change its receiver and its arguments.
        if !matches!(receiver, Value::Str(_) | Value::Top(_) | Value::Int(_) | Value::Float(_)) {
            self.havoc_reachable(receiver);
        }
        for value in args.values() {
            self.havoc_reachable(value);
        }
        Ok(Value::Unknown(Reason::Call))
    }

    fn property_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Option<Value> {
        let Object::Property(property) = self.object_at(receiver.addr()?).clone() else { return None };
        let function = args.first()?.clone();
        Some(match name {
            "setter" => self.new_property(property.get.clone(), function, property.delete.clone()),
            "getter" => self.new_property(function, property.set.clone(), property.delete.clone()),
            "deleter" => self.new_property(property.get.clone(), property.set.clone(), function),
            _ => return None,
        })
    }

    /// `str.upper(x)`, `dict.fromkeys(...)`, `object.__new__(cls)`.
    fn unbound_method(&mut self, class: &Value, name: Name, args: &CallArgs) -> Flow<Option<Value>> {
        let Some(kind) = class.addr().and_then(|addr| self.class_kind(addr)) else { return Ok(None) };
        let text = name.text();
        match (kind, text) {
            (BuiltinType::Dict, "fromkeys") => {
                let Some(keys) = args.first() else { return Ok(None) };
                let value = args.positional.get(1).cloned().unwrap_or(Value::None);
                let keys = self.iterate_value(&keys.clone())?;
                let mut mapping = crate::object::Mapping::default();
                match keys {
                    Some(crate::value::Seq::Exact(items)) => {
                        for key in items.iter() {
                            self.store_entry(&mut mapping, key, value.clone())?;
                        }
                    }
                    _ => mapping.open = Some(Arc::new((Value::Unknown(Reason::Operand), value))),
                }
                return Ok(Some(self.new_dict(mapping)));
            }
            (_, "__new__") => {
                let made = args.first().and_then(Value::addr).map(|addr| self.new_instance(addr, true));
                return Ok(made);
            }
            _ => {}
        }
        let Some((receiver, rest)) = args.positional.split_first() else { return Ok(None) };
        if matches!(name, Name::SETATTR | Name::DELATTR)
            && let Some(addr) = receiver.addr()
            && self.class_at(addr).is_some()
        {
            // The class has, or lacks, what its definition does not show.
            self.open_class(addr);
        }
        let fits = match receiver {
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::List(_) => kind == BuiltinType::List,
                Object::Dict(_) => kind == BuiltinType::Dict,
                Object::Set(_) => kind == BuiltinType::Set,
                _ => false,
            },
            other => other.kind() == Some(kind),
        };
        if !fits {
            return Ok(None);
        }
        let method = NativeMethod { receiver: receiver.clone(), kind, name };
        let rest = CallArgs { positional: rest.to_vec(), ..args.clone() };
        self.call_builtin_method(&method, &rest).map(Some)
    }

    fn number_method(&mut self, receiver: &Value, name: &str, args: &CallArgs) -> Flow<Option<Value>> {
        use crate::constants::{floats, integers};
        Ok(match (receiver, name) {
            (Value::Float(value), "is_integer") => Some(Value::Bool(floats::is_integer(*value))),
            (_, "is_integer") if receiver.kind() == Some(BuiltinType::Int) => Some(Value::TRUE),
            (_, "is_integer") => Some(pytrope_dims::ThreeValued::opaque().into_value()),
            (_, "bit_length") => match crate::operators::as_big(receiver) {
                Some(value) => Some(Value::Int(integers::bit_length(&value) as i64)),
                None => Some(self.any_natural()),
            },
            (_, "conjugate" | "__pos__" | "__trunc__" | "__int__" | "__index__")
                if receiver.kind() == Some(BuiltinType::Int) =>
            {
                Some(receiver.clone())
            }
            (_, "__add__") => match args.first() {
                // A method that does not know the other operand leaves it to the other's.
                Some(other)
                    if other.kind().is_some_and(|kind| {
                        !matches!(
                            kind,
                            BuiltinType::Int | BuiltinType::Bool | BuiltinType::Float | BuiltinType::Complex
                        )
                    }) =>
                {
                    Some(Value::NotImplemented)
                }
                Some(other) if other.kind().is_some() => {
                    Some(self.eval_binary(pytrope_source::tree::BinaryOperator::Add, receiver, &other.clone())?)
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// The class object of a builtin type.
    pub fn kind_class(kind: BuiltinType) -> Value {
        Value::Obj(Addr::of_builtin(kind))
    }
}
