//! Calling a builtin type: `int(x)`, `list(x)`, `type(x)`, `property(f)`.

use std::sync::Arc;

use pytrope_source::TextRange;

use crate::constants::{Computed, floats, integers};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Mapping, Object};
use crate::operators::as_big;
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};

impl Interp<'_> {
    pub(crate) fn construct_builtin(&mut self, kind: BuiltinType, args: &CallArgs) -> Flow {
        if !args.is_exact() {
            return Ok(self.top_of(kind));
        }
        let first = args.first().cloned();
        if let Some(value @ Value::Union(_)) = &first
            && !matches!(
                kind,
                BuiltinType::Property | BuiltinType::StaticMethod | BuiltinType::ClassMethod | BuiltinType::Super
            )
            && !(kind == BuiltinType::Type && args.positional.len() > 1)
        {
            return self.for_each_alternative(value, |interp, alternative| {
                let mut positional = args.positional.clone();
                positional[0] = alternative.clone();
                interp.construct_builtin(kind, &CallArgs { positional, ..args.clone() })
            });
        }
        match kind {
            BuiltinType::Int => self.to_int(args),
            BuiltinType::Float => self.to_float(first.as_ref()),
            BuiltinType::Bool => match &first {
                None => Ok(Value::FALSE),
                Some(value) => Ok(self.truth_of(value)?.into_value()),
            },
            // `str(object=…)`: what it is made from is not by position.
            BuiltinType::Str if !args.keywords.is_empty() => Ok(Value::Top(BuiltinType::Str)),
            BuiltinType::Str => self.to_str(first.as_ref(), args.positional.len()),
            BuiltinType::Complex => Ok(match (&first, args.positional.get(1)) {
                (Some(Value::Float(re)), None) => Value::Complex(Arc::new((*re, 0.0))),
                _ => Value::Top(BuiltinType::Complex),
            }),
            BuiltinType::Bytes | BuiltinType::ByteArray => self.to_bytes(kind, args),
            BuiltinType::Tuple => match &first {
                None => Ok(Value::tuple(Vec::new())),
                Some(value) => Ok(Value::Tuple(self.items_or_open(value)?)),
            },
            BuiltinType::List => {
                let seq = match &first {
                    None => Seq::empty(),
                    Some(value) => self.items_or_open(value)?,
                };
                Ok(self.new_object(Object::List(seq)))
            }
            BuiltinType::Set | BuiltinType::FrozenSet => {
                let seq = match &first {
                    None => Seq::empty(),
                    Some(value) => self.items_or_open(value)?,
                };
                let mapping = self.set_of(&seq)?;
                Ok(self.new_object(if kind == BuiltinType::Set {
                    Object::Set(mapping)
                } else {
                    Object::FrozenSet(mapping)
                }))
            }
            BuiltinType::Dict => self.to_dict(first.as_ref(), args),
            BuiltinType::Range => self.to_range(args),
            BuiltinType::Slice => Ok(match args.positional.as_slice() {
                [stop] => Value::Slice(Arc::new([Value::None, stop.clone(), Value::None])),
                [start, stop] => Value::Slice(Arc::new([start.clone(), stop.clone(), Value::None])),
                [start, stop, step] => Value::Slice(Arc::new([start.clone(), stop.clone(), step.clone()])),
                _ => Value::Unknown(Reason::Call),
            }),
            BuiltinType::Type => match args.positional.as_slice() {
                [value] if self.may_be_scalar(value) => Ok(Value::Unknown(Reason::Call)),
                [value] => Ok(match self.class_of(value) {
                    // An instance that was not seen made may be one of a subclass.
                    Some(_)
                        if self.analysis.uncalled_entry
                            && self.instance_of(value).is_some_and(|made| made.attrs.open) =>
                    {
                        Value::Unknown(Reason::Call)
                    }
                    Some(class) => Value::Obj(class),
                    None => Value::Unknown(Reason::Call),
                }),
                [name, bases, _] => {
                    let text = name.as_str().unwrap_or("type").to_owned();
                    let bases = self
                        .iterate_quietly(bases)
                        .and_then(|seq| seq.as_exact().map(<[Value]>::to_vec))
                        .unwrap_or_default();
                    let attrs = crate::object::Slots { open: true, ..crate::object::Slots::default() };
                    self.make_class(&text, &CallArgs::of(bases), attrs, None)
                }
                _ => Ok(Value::Unknown(Reason::Call)),
            },
            BuiltinType::Object => Ok(self.new_instance(Addr::of_builtin(BuiltinType::Object), false)),
            BuiltinType::Property => {
                let get = args.get(0, "fget").cloned().unwrap_or(Value::None);
                let set = args.get(1, "fset").cloned().unwrap_or(Value::None);
                let delete = args.get(2, "fdel").cloned().unwrap_or(Value::None);
                Ok(self.new_property(get, set, delete))
            }
            BuiltinType::StaticMethod => Ok(match first {
                Some(function) => self.new_object(Object::StaticMethod(function)),
                None => Value::Unknown(Reason::Call),
            }),
            BuiltinType::ClassMethod => Ok(match first {
                Some(function) => self.new_object(Object::ClassMethod(function)),
                None => Value::Unknown(Reason::Call),
            }),
            BuiltinType::Super => Ok(match args.positional.as_slice() {
                [Value::Obj(class), receiver] if self.class_at(*class).is_some() => {
                    self.new_object(Object::Super { class: *class, receiver: receiver.clone() })
                }
                _ => Value::Unknown(Reason::Call),
            }),
            BuiltinType::NoneType => Ok(Value::None),
            BuiltinType::Ellipsis
            | BuiltinType::NotImplemented
            | BuiltinType::MemoryView
            | BuiltinType::Function
            | BuiltinType::Method
            | BuiltinType::Builtin
            | BuiltinType::Module
            | BuiltinType::Generator
            | BuiltinType::Iterator
            | BuiltinType::Coroutine => Ok(Value::Unknown(Reason::Call)),
        }
    }

    /// Any instance of exactly this builtin type.
    pub fn top_of(&mut self, kind: BuiltinType) -> Value {
        match kind {
            BuiltinType::Int => self.any_int(),
            BuiltinType::Bool => pytrope_dims::ThreeValued::opaque().into_value(),
            BuiltinType::List => {
                let seq = self.open_seq(Value::Unknown(Reason::Operand));
                self.new_object(Object::List(seq))
            }
            BuiltinType::Tuple => Value::Tuple(self.open_seq(Value::Unknown(Reason::Operand))),
            BuiltinType::Dict | BuiltinType::Set | BuiltinType::FrozenSet => {
                let open = Some(Arc::new((Value::Unknown(Reason::Operand), Value::Unknown(Reason::Operand))));
                let mapping = Mapping { entries: Arc::default(), open };
                self.new_object(match kind {
                    BuiltinType::Dict => Object::Dict(mapping),
                    BuiltinType::Set => Object::Set(mapping),
                    _ => Object::FrozenSet(mapping),
                })
            }
            BuiltinType::Float
            | BuiltinType::Complex
            | BuiltinType::Str
            | BuiltinType::Bytes
            | BuiltinType::ByteArray => Value::Top(kind),
            BuiltinType::NoneType => Value::None,
            _ => Value::Unknown(Reason::Operand),
        }
    }

    fn items_or_open(&mut self, value: &Value) -> Flow<Seq> {
        match self.iterate_value(value)? {
            Some(seq) => Ok(seq),
            None => {
                let len = self.length_dim(value);
                let seq = self.open_seq(Value::Unknown(Reason::Operand));
                Ok(match (len, seq) {
                    (Some(len), Seq::Open(open)) => Seq::open(Vec::new(), open.element.clone(), Value::dim(len)),
                    (_, seq) => seq,
                })
            }
        }
    }

    fn to_int(&mut self, args: &CallArgs) -> Flow {
        let Some(value) = args.first() else { return Ok(Value::Int(0)) };
        if let Value::Str(text) = value {
            let base = match args.get(1, "base") {
                None => 10,
                Some(Value::Int(base)) if (0..=36).contains(base) => *base as u32,
                Some(_) => return Ok(self.any_int()),
            };
            return match integers::parse(text, base) {
                Computed::Value(value) => Ok(Value::big(value)),
                Computed::Raises(raised) => self.raise_error("other-error", raised.class, raised.message),
                Computed::TooBig => Ok(self.any_int()),
            };
        }
        match value {
            Value::Int(_) | Value::Big(_) | Value::Dim(_) => Ok(value.clone()),
            Value::Bool(value) => Ok(Value::Int(i64::from(*value))),
            Value::Float(value) => match floats::to_int(*value) {
                Ok(value) => Ok(Value::big(value)),
                Err(raised) => self.raise_error("other-error", raised.class, raised.message),
            },
            Value::None | Value::Complex(_) | Value::Tuple(_) | Value::Ellipsis => {
                self.wrong_conversion("int()", value)
            }
            Value::Obj(addr) if matches!(self.object_at(*addr), Object::List(_) | Object::Dict(_) | Object::Set(_)) => {
                self.wrong_conversion("int()", value)
            }
            Value::Obj(_) => {
                for name in [Name::INT, Name::INDEX] {
                    if let Some(method) = self.python_method(value, name) {
                        let result = self.call_value(&method, CallArgs::none())?;
                        return Ok(if result.kind() == Some(BuiltinType::Int) { result } else { self.any_int() });
                    }
                }
                Ok(self.any_int())
            }
            _ => Ok(self.any_int()),
        }
    }

    fn wrong_conversion(&mut self, what: &str, value: &Value) -> Flow {
        let name = self.exact_type_name(value).unwrap_or_default();
        let message = if what == "int()" {
            format!("int() argument must be a string, a bytes-like object or a real number, not '{name}'")
        } else {
            format!("{what} argument must be a string or a real number, not '{name}'")
        };
        self.raise_error("bad-operand", "TypeError", message)
    }

    fn to_float(&mut self, value: Option<&Value>) -> Flow {
        let Some(value) = value else { return Ok(Value::Float(0.0)) };
        if let Some(integer) = as_big(value) {
            return match integers::to_float(&integer) {
                Ok(value) => Ok(Value::Float(value)),
                Err(raised) => self.raise_error("other-error", raised.class, raised.message),
            };
        }
        match value {
            Value::Float(_) => Ok(value.clone()),
            Value::Str(text) => match floats::parse(text) {
                Some(Ok(value)) => Ok(Value::Float(value)),
                Some(Err(raised)) => self.raise_error("other-error", raised.class, raised.message),
                None => Ok(Value::Top(BuiltinType::Float)),
            },
            Value::None | Value::Complex(_) | Value::Tuple(_) | Value::Ellipsis => {
                self.wrong_conversion("float()", value)
            }
            Value::Obj(addr) if matches!(self.object_at(*addr), Object::List(_) | Object::Dict(_) | Object::Set(_)) => {
                self.wrong_conversion("float()", value)
            }
            Value::Obj(_) => {
                if let Some(method) = self.python_method(value, Name::FLOAT) {
                    let result = self.call_value(&method, CallArgs::none())?;
                    return Ok(if result.kind() == Some(BuiltinType::Float) {
                        result
                    } else {
                        Value::Top(BuiltinType::Float)
                    });
                }
                Ok(Value::Top(BuiltinType::Float))
            }
            _ => Ok(Value::Top(BuiltinType::Float)),
        }
    }

    fn to_bytes(&mut self, kind: BuiltinType, args: &CallArgs) -> Flow {
        match args.positional.as_slice() {
            [Value::Str(_) | Value::Top(BuiltinType::Str)] if args.keywords.is_empty() => {
                self.raise_error("wrong-arguments", "TypeError", "string argument without an encoding")
            }
            [Value::Int(count)] if *count < 0 => self.raise_error("other-error", "ValueError", "negative count"),
            [value] => {
                let items = self.iterate_quietly(value);
                let is_outside = |item: &Value| matches!(item, Value::Int(byte) if !(0..256).contains(byte));
                match items.as_ref().and_then(Seq::as_exact) {
                    Some(items) if items.iter().any(is_outside) => {
                        let unit = if kind == BuiltinType::Bytes { "bytes" } else { "byte" };
                        let message = format!("{unit} must be in range(0, 256)");
                        self.raise_error("other-error", "ValueError", message)
                    }
                    _ => Ok(Value::Top(kind)),
                }
            }
            _ => Ok(Value::Top(kind)),
        }
    }

    fn to_str(&mut self, value: Option<&Value>, count: usize) -> Flow {
        Ok(match value {
            None => Value::str(""),
            Some(Value::Str(text)) if count == 1 => Value::Str(Arc::clone(text)),
            Some(value @ (Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) | Value::None))
                if count == 1 =>
            {
                Value::str(&self.show_value(value))
            }
            // In models, texts are for people: abstract values are shown as `reveal_type` does.
            Some(value) if self.in_model() => Value::str(&self.show_value(value)),
            // `__str__` may give an instance of a class derived from `str`.
            Some(value) if self.python_method(value, Name::STR).is_some() || self.has_open_class(value) => {
                Value::Unknown(Reason::Call)
            }
            _ => Value::Top(BuiltinType::Str),
        })
    }

    fn to_dict(&mut self, value: Option<&Value>, args: &CallArgs) -> Flow {
        let mut mapping = Mapping::default();
        if let Some(value) = value {
            let value = &self.plain_mapping(value)?;
            let is_dict = value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Dict(_)));
            if is_dict {
                self.merge_mapping(&mut mapping, value)?;
            } else {
                match self.iterate_value(value)? {
                    Some(Seq::Exact(items)) => {
                        for item in items.iter() {
                            let pair = self.iterate_quietly(item);
                            match pair.as_ref().and_then(Seq::as_exact) {
                                Some([key, value]) => self.store_entry(&mut mapping, &key.clone(), value.clone())?,
                                // What has `keys` is a mapping, whatever it gives one by one.
                                Some(other) if self.exact_builtin_type(value).is_some() => {
                                    let length = other.len();
                                    let message = format!(
                                        "dictionary update sequence element has length {length}; 2 is required"
                                    );
                                    return self.raise_error("other-error", "ValueError", message);
                                }
                                None if item.is_scalar_constant() && self.exact_builtin_type(value).is_some() => {
                                    let message = "cannot convert dictionary update sequence element to a sequence";
                                    return self.raise_error("other-error", "TypeError", message);
                                }
                                _ => return Ok(self.top_of(BuiltinType::Dict)),
                            }
                        }
                    }
                    _ => return Ok(self.top_of(BuiltinType::Dict)),
                }
            }
        }
        for (name, value) in &args.keywords {
            self.store_entry(&mut mapping, &Value::Str(Arc::clone(name.shared())), value.clone())?;
        }
        Ok(self.new_dict(mapping))
    }

    fn to_range(&mut self, args: &CallArgs) -> Flow {
        let mut parts: Vec<Value> = Vec::new();
        for value in &args.positional {
            match self.as_index(value).or_else(|| self.expect_integer(value, None)) {
                Some(value) => parts.push(value),
                None => {
                    if let Some(name) = self.exact_type_name(value)
                        && self.lacks_method(value, Name::INDEX)
                    {
                        return self.raise_error(
                            "bad-operand",
                            "TypeError",
                            format!("'{name}' object cannot be interpreted as an integer"),
                        );
                    }
                    // Something that becomes an integer we do not know.
                    parts.push(self.any_int());
                }
            }
        }
        Ok(match parts.as_slice() {
            [stop] => Value::Range(Arc::new([Value::Int(0), stop.clone(), Value::Int(1)])),
            [start, stop] => Value::Range(Arc::new([start.clone(), stop.clone(), Value::Int(1)])),
            [_, _, Value::Int(0)] => {
                return self.raise_error("other-error", "ValueError", "range() arg 3 must not be zero");
            }
            [start, stop, step] => Value::Range(Arc::new([start.clone(), stop.clone(), step.clone()])),
            _ => Value::Unknown(Reason::Call),
        })
    }

    /// The text of a range of the current file.
    pub(crate) fn source_text(&self, range: TextRange) -> String {
        self.current_frame().code.file.slice(range).to_owned()
    }
}
