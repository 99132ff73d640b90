//! The functions of the `builtins` module.

mod iterators;
mod numbers;

use crate::cond::Cond;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::{CallArgs, Native};
use crate::object::{Class, Object, Shape};
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

pub(crate) static DO_NOTHING: Native = Native::new("__init__", |_, _| Ok(Value::None));

/// `object.__new__(cls)`.
pub(crate) static OBJECT_NEW: Native = Native::new("__new__", |interp, args| {
    let class = args.first().and_then(Value::addr).filter(|addr| interp.class_at(*addr).is_some());
    Ok(match class {
        Some(class) => {
            let open = interp.class_at(class).is_none_or(|class| class.open);
            interp.new_instance(class, open)
        }
        None => Value::Unknown(Reason::Call),
    })
});

macro_rules! natives {
    ($($name:literal => $function:expr,)*) => {
        static NATIVES: &[Native] = &[$(Native::new($name, $function)),*];
    };
}

natives! {
    "len" => |interp, args| match args.first() {
        Some(value) => interp.for_each_alternative(value, |interp, value| Ok(match interp.length_of(value)? {
            Some(len) => {
                interp.name_length(value, &len);
                len
            }
            None => interp.any_natural(),
        })),
        None => Ok(Value::Unknown(Reason::Call)),
    },
    "isinstance" => |interp, args| match args.positional.as_slice() {
        [value, class] => Ok(interp.is_instance(value, class).into_value()),
        _ => Ok(Value::Unknown(Reason::Call)),
    },
    "issubclass" => |interp, args| match args.positional.as_slice() {
        [Value::Obj(class), of] if interp.class_at(*class).is_some() => Ok(interp.is_subclass(*class, of).into_value()),
        _ => Ok(Value::Unknown(Reason::Call)),
    },
    "callable" => |interp, args| Ok(match args.first() {
        Some(Value::Native(_) | Value::Bound(_) | Value::Method(_)) => Value::TRUE,
        Some(value @ Value::Obj(addr)) => match interp.object_at(*addr) {
            Object::Function(_) | Object::Class(_) => Value::TRUE,
            Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::Module(_) => Value::FALSE,
            Object::Instance(_) if interp.python_method(value, Name::CALL).is_some() => Value::TRUE,
            Object::Instance(_) if interp.lacks_method(value, Name::CALL) => Value::FALSE,
            Object::Array(_)
                if interp.class_of(value).is_some_and(|class| interp.find_in_mro(class, Name::CALL).is_none()) =>
            {
                Value::FALSE
            }
            _ => ThreeValued::opaque().into_value(),
        },
        Some(value) if value.is_scalar_constant() || matches!(value, Value::Tuple(_) | Value::Dim(_)) => Value::FALSE,
        _ => ThreeValued::opaque().into_value(),
    }),
    "print" => |interp, args| {
        // Printing calls `__str__` of what it is given, which changes nothing as a rule.
        let _ = (interp, args);
        Ok(Value::None)
    },
    "repr" => |interp, args| Ok(match args.first() {
        Some(value) if value.is_scalar_constant() => Value::str(&interp.show_value(value)),
        _ => Value::Top(BuiltinType::Str),
    }),
    "ascii" => |_, _| Ok(Value::Top(BuiltinType::Str)),
    "format" => |interp, args| {
        let spec = args.positional.get(1).map_or(Some(""), Value::as_str);
        let text = match (args.first(), spec) {
            (Some(value), Some(spec)) => interp.format_value(value, spec)?,
            _ => None,
        };
        Ok(text.map_or(Value::Top(BuiltinType::Str), |text| Value::str(&text)))
    },
    "input" => |_, _| Ok(Value::Top(BuiltinType::Str)),
    // `ctypes` finds an object by its address.
    "id" => |interp, args| {
        if let Some(object) = args.first() {
            interp.record_escaped_value(object);
        }
        Ok(interp.any_int())
    },
    "hash" => |interp, _| Ok(interp.any_int()),
    "abs" => numbers::abs,
    "round" => numbers::round,
    "divmod" => numbers::divmod,
    "pow" => numbers::pow,
    "min" => |interp, args| numbers::extreme(interp, args, true),
    "max" => |interp, args| numbers::extreme(interp, args, false),
    "sum" => numbers::sum,
    "ord" => |interp, args| Ok(match args.first() {
        Some(Value::Str(text)) => {
            let mut characters = text.chars();
            match (characters.next(), characters.count()) {
                (Some(character), 0) => Value::Int(i64::from(character as u32)),
                (first, others) => {
                    let length = usize::from(first.is_some()) + others;
                    let message = format!("ord() expected a character, but string of length {length} found");
                    return interp.raise_error("other-error", "TypeError", message);
                }
            }
        }
        _ => interp.any_natural(),
    }),
    "chr" => |interp, args| Ok(match args.first() {
        Some(Value::Int(code)) if !(0..0x11_0000).contains(code) => {
            return interp.raise_error("other-error", "ValueError", "chr() arg not in range(0x110000)");
        }
        Some(Value::Int(code)) => match u32::try_from(*code).ok().and_then(char::from_u32) {
            Some(c) => Value::str(&c.to_string()),
            None => Value::Top(BuiltinType::Str),
        },
        _ => Value::Top(BuiltinType::Str),
    }),
    "bin" => |_, _| Ok(Value::Top(BuiltinType::Str)),
    "hex" => |_, _| Ok(Value::Top(BuiltinType::Str)),
    "oct" => |_, _| Ok(Value::Top(BuiltinType::Str)),
    "sorted" => iterators::sorted,
    "reversed" => iterators::reversed,
    "enumerate" => iterators::enumerate,
    "zip" => iterators::zip,
    "map" => iterators::map,
    "filter" => iterators::filter,
    "any" => |interp, args| iterators::any_or_all(interp, args, true),
    "all" => |interp, args| iterators::any_or_all(interp, args, false),
    "iter" => iterators::iter,
    "next" => iterators::next,
    "getattr" => |interp, args| match args.positional.as_slice() {
        [object, Value::Str(name)] => interp.read_attribute(object, Name::new(name)),
        [object, Value::Str(name), default] => interp.attribute_or(object, Name::new(name), default),
        [object, ..] => {
            // It may be a method, whose call changes the object.
            interp.record_escaped_value(object);
            Ok(Value::Unknown(Reason::Call))
        }
        _ => Ok(Value::Unknown(Reason::Call)),
    },
    "hasattr" => |interp, args| match args.positional.as_slice() {
        [object, Value::Str(name)] => {
            let name = Name::new(name);
            let mut answers = object.alternatives().iter().map(|object| interp.has_attribute(object, name));
            let first = answers.next().unwrap_or(ThreeValued::opaque());
            let agreed = answers.all(|answer| answer == first);
            Ok(if agreed { first } else { ThreeValued::opaque() }.into_value())
        }
        _ => Ok(ThreeValued::opaque().into_value()),
    },
    "setattr" => |interp, args| match args.positional.as_slice() {
        [object, Value::Str(name), value] => {
            interp.set_attribute(object, Name::new(name), value.clone())?;
            Ok(Value::None)
        }
        [object, _, value] => {
            interp.havoc_reachable(value);
            interp.forget_attributes(object);
            Ok(Value::None)
        }
        _ => Ok(Value::None),
    },
    "delattr" => |interp, args| {
        if let Some(object) = args.first() {
            interp.havoc_reachable(object);
        }
        Ok(Value::None)
    },
    "vars" => |interp, args| {
        if args.positional.is_empty() {
            return Ok(interp.havoc_visible_names());
        }
        if let [object @ Value::Obj(_)] = args.positional.as_slice()
            && interp.instance_of(object).is_some()
        {
            return interp.read_attribute(object, Name::DICT);
        }
        if let Some(object) = args.first() {
            interp.havoc_reachable(object);
        }
        Ok(Value::Unknown(Reason::Call))
    },
    "dir" => |interp, args| match args.positional.as_slice() {
        [object] => Ok(interp.listed_names(object)),
        _ => Ok(Value::Unknown(Reason::Call)),
    },
    "globals" => |interp, _| Ok(interp.havoc_visible_names()),
    "locals" => |interp, _| Ok(interp.havoc_visible_names()),
    "exec" => |interp, args| {
        interp.havoc_visible_names();
        if args.positional.len() == 1 && args.keywords.is_empty() {
            interp.havoc_scope_bindings();
        }
        unknown_and_havoc(interp, args)
    },
    "eval" => |interp, args| {
        interp.havoc_visible_names();
        unknown_and_havoc(interp, args)
    },
    "compile" => |_, _| Ok(Value::Unknown(Reason::Call)),
    "open" => |_, _| Ok(Value::Unknown(Reason::Standard)),
    "__import__" => |_, _| Ok(Value::Unknown(Reason::Call)),
    "breakpoint" => |_, _| Ok(Value::None),
    "aiter" => |_, _| Ok(Value::Unknown(Reason::Call)),
    "anext" => |_, _| Ok(Value::Unknown(Reason::Call)),
    "exit" => |_, _| Err(crate::interp::Unreachable),
    "quit" => |_, _| Err(crate::interp::Unreachable),
    "help" => |_, _| Ok(Value::None),
    "copyright" => |_, _| Ok(Value::None),
    "credits" => |_, _| Ok(Value::None),
    "license" => |_, _| Ok(Value::None),
    "reveal_type" => |_, args| Ok(args.first().cloned().unwrap_or(Value::None)),
}

fn unknown_and_havoc(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    for value in args.values() {
        interp.havoc_reachable(value);
    }
    Ok(Value::Unknown(Reason::Call))
}

/// A builtin function by its name.
pub(crate) fn natives() -> &'static [Native] {
    NATIVES
}

impl Interp<'_> {
    /// `len(x)` of a sequence of unknown length is shown as such until it gets a better name.
    fn name_length(&mut self, _value: &Value, len: &Value) {
        if let Value::Dim(dim) = len
            && let Some(sym) = dim.as_symbol()
            && self.run.symbols.given(sym).is_none()
            && !self.in_model()
        {
            let text = self.source_text(self.current_frame().node);
            if text.len() <= 30 && text.starts_with("len(") {
                self.run.symbols.set(sym, &text);
            }
        }
    }

    pub fn is_instance(&self, value: &Value, class: &Value) -> ThreeValued<Cond> {
        if matches!(value, Value::Union(_)) {
            let mut verdict: Option<ThreeValued<Cond>> = None;
            for alternative in value.alternatives() {
                let tri = self.is_instance(alternative, class);
                verdict = Some(match verdict {
                    None => tri,
                    Some(so_far) if so_far == tri && !matches!(tri, ThreeValued::Open(_)) => tri,
                    Some(_) => return ThreeValued::opaque(),
                });
            }
            return verdict.unwrap_or(ThreeValued::opaque());
        }
        match class {
            Value::Tuple(Seq::Exact(classes)) => {
                let mut open = false;
                for class in classes.iter() {
                    match self.is_instance(value, class) {
                        ThreeValued::True => return ThreeValued::True,
                        ThreeValued::False => {}
                        ThreeValued::Open(_) => open = true,
                    }
                }
                if open { ThreeValued::opaque() } else { ThreeValued::False }
            }
            Value::Obj(of) => {
                let Some(target) = self.class_at(*of) else { return ThreeValued::opaque() };
                if let Some(verdict) = self.is_of_protocol(value, target) {
                    return verdict;
                }
                // Abstract base classes decide by methods: `isinstance([], Sequence)`.
                let is_abstract = self.decides_instances(*of);
                // A bound method is an instance of no class that Python code defines.
                if matches!(value, Value::Bound(_)) && target.kind.is_none() && !target.open && !is_abstract {
                    return ThreeValued::False;
                }
                if matches!(value, Value::Native(_) | Value::Bound(_) | Value::Method(_)) {
                    return if matches!(
                        target.kind,
                        Some(
                            BuiltinType::Int
                                | BuiltinType::Float
                                | BuiltinType::Str
                                | BuiltinType::List
                                | BuiltinType::Tuple
                                | BuiltinType::Dict
                        )
                    ) {
                        ThreeValued::False
                    } else if target.kind == Some(BuiltinType::Object) {
                        ThreeValued::True
                    } else {
                        ThreeValued::opaque()
                    };
                }
                let Some(class) = self.class_of(value) else { return ThreeValued::opaque() };
                match self.is_subclass(class, &Value::Obj(*of)) {
                    ThreeValued::False if is_abstract && self.has_layout_of(class, *of) => ThreeValued::opaque(),
                    _ if target.kind != Some(BuiltinType::Object) && self.may_be_scalar(value) => ThreeValued::opaque(),
                    verdict => verdict,
                }
            }
            _ => ThreeValued::opaque(),
        }
    }

    /// What a model class that says which types are among its own decides: `collections.abc.Iterable` lists the builtin types
    /// in `_pytrope_types`, and in `_pytrope_methods` what other classes must have. `None` where ancestors decide.
    fn is_of_protocol(&self, value: &Value, target: &Class) -> Option<ThreeValued<Cond>> {
        if !target.features.is_model {
            return None;
        }
        let names = |attribute: &str| -> Option<Vec<Name>> {
            let slot = target.attrs.get(Name::new(attribute))?;
            let Value::Tuple(Seq::Exact(items)) = &slot.value else { return None };
            Some(items.iter().filter_map(|item| item.as_str().map(Name::new)).collect())
        };
        let types = names("_pytrope_types")?;
        let is_listed = |name: &str| types.iter().any(|listed| listed.text() == name);
        let label = match value {
            Value::Native(_) | Value::Method(_) => Some("builtin_function_or_method"),
            Value::Bound(_) => Some("method"),
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(_) => Some("function"),
                Object::Module(_) => Some("module"),
                Object::List(_) => Some("list"),
                Object::Dict(_) => Some("dict"),
                Object::Set(_) => Some("set"),
                Object::FrozenSet(_) => Some("frozenset"),
                Object::Iter(_) => Some("iterator"),
                Object::Class(class) if class.metaclass.is_none() && !class.features.enumeration => Some("type"),
                Object::Instance(_) | Object::Array(_) => None,
                _ => return Some(ThreeValued::opaque()),
            },
            Value::Unknown(_) | Value::UnknownNotNone(_) | Value::Top(BuiltinType::Object | BuiltinType::Type) => {
                return Some(ThreeValued::opaque());
            }
            _ => value.kind().map(BuiltinType::name),
        };
        if let Some(label) = label {
            return Some(if is_listed(label) { ThreeValued::True } else { ThreeValued::False });
        }
        let class = self.class_of(value)?;
        let mro = self.mro_of(class);
        if mro.iter().filter_map(|base| self.class_at(*base)?.kind).any(|kind| is_listed(kind.name())) {
            return Some(ThreeValued::True);
        }
        let methods = names("_pytrope_methods")?;
        let has = |name: &Name| self.find_in_mro(class, *name).is_some_and(|(value, _)| !value.is_unknown());
        if methods.iter().all(has) {
            return Some(ThreeValued::True);
        }
        let is_closed = mro.iter().all(|base| self.class_at(*base).is_some_and(|base| !base.open && !base.attrs.open));
        let lacks = |name: &Name| self.find_in_mro(class, *name).is_none();
        Some(if is_closed && methods.iter().any(lacks) { ThreeValued::False } else { ThreeValued::opaque() })
    }

    /// Whether a value is an array that may have no axes, of a library that gives a scalar of another class then.
    pub(crate) fn may_be_scalar(&self, value: &Value) -> bool {
        let Some(array) = self.array_of(value) else { return false };
        let is_open = matches!(&array.shape, Shape::Prefix(dims) if dims.is_empty());
        is_open
            && array.class.addr().is_some_and(|class| self.find_in_mro(class, Name::new("_pytrope_scalars")).is_some())
    }

    /// Whether a class may count others among its own: it, or a class it derives from, has a metaclass, is an abstract
    /// base class, or says so in `__subclasshook__`.
    fn decides_instances(&self, class: Addr) -> bool {
        self.mro_of(class).iter().filter_map(|base| self.class_at(*base)).any(|base| {
            let abstract_model = base.features.is_model
                && (base.attrs.get(Name::ABSTRACT).is_some() || matches!(&*base.name, "ABC" | "Protocol"));
            base.metaclass.is_some() || abstract_model || base.attrs.get(Name::SUBCLASSHOOK).is_some()
        })
    }

    /// Whether a class derives from every builtin type that another one derives from. Where it does not, its instances
    /// are none of the other's: no integer is a `torch.Size`, which is a tuple.
    fn has_layout_of(&self, class: Addr, of: Addr) -> bool {
        let builtin = |addr: Addr| self.class_at(addr).is_some_and(|class| class.kind.is_some());
        let is_known = self.class_at(class).is_some_and(|class| !class.open);
        let own = self.mro_of(class);
        !is_known || self.mro_of(of).iter().all(|base| !builtin(*base) || own.contains(base))
    }

    pub fn is_subclass(&self, class: Addr, of: &Value) -> ThreeValued<Cond> {
        match of {
            Value::Tuple(Seq::Exact(classes)) => {
                let mut open = false;
                for of in classes.iter() {
                    match self.is_subclass(class, of) {
                        ThreeValued::True => return ThreeValued::True,
                        ThreeValued::False => {}
                        ThreeValued::Open(_) => open = true,
                    }
                }
                if open { ThreeValued::opaque() } else { ThreeValued::False }
            }
            Value::Obj(of) => {
                if self.mro_of(class).contains(of) {
                    return if of.is_summary() { ThreeValued::opaque() } else { ThreeValued::True };
                }
                match self.class_at(class) {
                    Some(object) if !object.open && self.class_at(*of).is_some() => {
                        let is_open = self.decides_instances(*of) && self.has_layout_of(class, *of);
                        if is_open { ThreeValued::opaque() } else { ThreeValued::False }
                    }
                    _ => ThreeValued::opaque(),
                }
            }
            _ => ThreeValued::opaque(),
        }
    }
}
