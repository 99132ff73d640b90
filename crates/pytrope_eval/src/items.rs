//! Subscripts, lengths, membership and iteration of containers.

mod iteration;
mod mappings;
mod slicing;

pub(crate) use iteration::Taken;
pub(crate) use mappings::Lookup;

use std::sync::Arc;

use num_traits::ToPrimitive;
use pytrope_dims::{Cmp, Dim};

use crate::constants::strings;
use crate::escape::{ForeignEffect, push_seq};
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Iter, IterSource, Mapping, Object};
use crate::value::IntoValue;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    pub fn item_at(&mut self, object: &Value, index: &Value) -> Flow {
        self.for_each_alternative(object, |interp, object| {
            interp.for_each_alternative(index, |interp, index| interp.item_of_one(object, index))
        })
    }

    fn item_of_one(&mut self, object: &Value, index: &Value) -> Flow {
        let unknown = Value::Unknown(Reason::Operand);
        match object {
            Value::Unknown(_) | Value::UnknownNotNone(_) => Ok(unknown),
            Value::Tuple(seq) => {
                let seq = seq.clone();
                if let Value::Slice(parts) = index {
                    let parts = Arc::clone(parts);
                    return match self.slice_seq(&seq, &parts)? {
                        Some(seq) => Ok(Value::Tuple(seq)),
                        None => Ok(self.lose_item(&seq)),
                    };
                }
                self.seq_item(&seq, index, "tuple")
            }
            Value::Str(text) => {
                let text = Arc::clone(text);
                self.str_item(&text, index)
            }
            Value::Top(BuiltinType::Str) => Ok(if index.is_unknown() { unknown } else { Value::Top(BuiltinType::Str) }),
            Value::Bytes(_) | Value::Top(_) | Value::Range(_) => {
                if let (Value::Range(_), Some(Seq::Exact(items))) = (object, self.iterate_quietly(object)) {
                    if let Value::Slice(_) = index {
                        return Ok(unknown);
                    }
                    return self.seq_item(&Seq::Exact(items), index, "range object");
                }
                Ok(unknown)
            }
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(seq) => {
                    if let Value::Slice(parts) = index {
                        let parts = Arc::clone(parts);
                        return match self.slice_seq(&seq, &parts)? {
                            Some(seq) => Ok(self.new_object(Object::List(seq))),
                            None => Ok(self.lose_item(&seq)),
                        };
                    }
                    self.seq_item(&seq, index, "list")
                }
                Object::Dict(mapping) => self.mapping_item(&mapping, index),
                Object::Instance(_) | Object::Array(_) => {
                    let is_model = self.class_of(object).is_some_and(|class| {
                        self.find_in_mro(class, Name::GETITEM)
                            .is_some_and(|(_, owner)| self.class_at(owner).is_some_and(|owner| owner.features.is_model))
                    });
                    if index.is_unknown() && self.array_of(object).is_none() && !is_model && !self.in_model() {
                        return Ok(unknown);
                    }
                    match self.python_method(object, Name::GETITEM) {
                        Some(method) => self.call_value(&method, CallArgs::of(vec![index.clone()])),
                        None if self.lacks_method(object, Name::GETITEM) => self.not_subscriptable(object),
                        None => Ok(unknown),
                    }
                }
                Object::Class(class) => match self.find_in_mro(*addr, Name::CLASS_GETITEM) {
                    Some((Value::Obj(method), _)) if class.features.is_model => {
                        let function = match self.object_at(method) {
                            Object::ClassMethod(inner) => inner.clone(),
                            _ => Value::Obj(method),
                        };
                        self.call_value(&function, CallArgs::of(vec![object.clone(), index.clone()]))
                    }
                    // A generic alias makes the same instances as its class.
                    _ if class.kind.is_none() && !class.features.enumeration && class.metaclass.is_none() => {
                        Ok(object.clone())
                    }
                    _ => Ok(self.container_of_hints(class.kind, index).unwrap_or(unknown)),
                },
                Object::Function(_) | Object::Module(_) | Object::Set(_) => self.not_subscriptable(object),
                Object::Iter(iter) if !self.in_model() => {
                    let message = format!("{} is not subscriptable", iter.kind_name());
                    self.raise_error("bad-operand", "TypeError", message)
                }
                _ => Ok(unknown),
            },
            Value::None
            | Value::Bool(_)
            | Value::SymbolicBool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Dim(_)
            | Value::Float(_)
            | Value::Ellipsis => self.not_subscriptable(object),
            // `x.size[0]`: the method was meant to be called.
            Value::Bound(bound)
                if bound.function.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Function(_))) =>
            {
                let kind = match bound.function.addr().map(|addr| self.object_at(addr)) {
                    Some(Object::Function(function)) if function.code.is_model => "builtin_function_or_method",
                    _ => "method",
                };
                self.raise_error("bad-operand", "TypeError", format!("'{kind}' object is not subscriptable"))
            }
            Value::NotImplemented
            | Value::Complex(_)
            | Value::Slice(_)
            | Value::Native(_)
            | Value::Bound(_)
            | Value::Method(_)
            | Value::Union(_) => Ok(unknown),
        }
    }

    fn not_subscriptable(&mut self, object: &Value) -> Flow {
        match self.exact_type_name(object) {
            Some(name) => self.raise_error("bad-operand", "TypeError", format!("'{name}' object is not subscriptable")),
            None => Ok(Value::Unknown(Reason::Operand)),
        }
    }

    fn seq_item(&mut self, seq: &Seq, index: &Value, kind: &str) -> Flow {
        if index.is_unknown() {
            // It may be a slice.
            return Ok(self.lose_item(seq));
        }
        let Some(position) = self.as_index(index) else {
            if let Some(name) = self.exact_type_name(index)
                && self.lacks_method(index, Name::INDEX)
            {
                let what = if kind == "tuple" { "tuple" } else { kind };
                return self.raise_error(
                    "bad-operand",
                    "TypeError",
                    format!("{what} indices must be integers or slices, not {name}"),
                );
            }
            // A number of a library: `rows[np.argmax(x)]`.
            return Ok(self.lose_item(seq));
        };
        let Some(position) = position.as_dim() else {
            return self.raise_error("index-range", "IndexError", format!("{kind} index out of range"));
        };
        match seq {
            Seq::Exact(items) => {
                let len = items.len() as i128;
                match position.as_const() {
                    Some(at) => {
                        let at = if at < 0 { at + len } else { at };
                        match usize::try_from(at).ok().and_then(|at| items.get(at)) {
                            Some(item) => Ok(self.read_through_summary(None, item.clone())),
                            None => {
                                let shown = self.show_value(index);
                                let message = format!("{kind} index out of range: index {shown}, length {len}");
                                self.raise_error("index-range", "IndexError", message)
                            }
                        }
                    }
                    None => {
                        if self.is_outside(&position, &Dim::constant(len)) {
                            return self.raise_error(
                                "index-range",
                                "IndexError",
                                format!("{kind} index out of range: length {len}"),
                            );
                        }
                        let items = items.clone();
                        Ok(self.any_of(&items))
                    }
                }
            }
            Seq::Open(open) => {
                if let Some(at) = position.as_const()
                    && let Some(item) = usize::try_from(at).ok().and_then(|at| open.prefix.get(at))
                {
                    return Ok(self.read_through_summary(None, item.clone()));
                }
                if let Some(len) = open.len.as_dim()
                    && self.is_outside(&position, &len)
                {
                    return self.raise_error("index-range", "IndexError", format!("{kind} index out of range"));
                }
                // One object stands for many: what is done to one of them is not done to all.
                if !open.element.addr().is_some_and(Addr::is_summary) {
                    self.havoc_container(&open.element);
                }
                if position.as_const().is_some_and(|at| at >= 0) || open.prefix.is_empty() {
                    return Ok(self.instantiate_element(&open.element));
                }
                let mut all = open.prefix.clone();
                all.push(open.element.clone());
                Ok(self.any_of(&all))
            }
        }
    }

    /// Some part of a sequence, of which nothing is known: each of its items may be changed through it.
    fn lose_item(&mut self, seq: &Seq) -> Value {
        let mut items = Vec::new();
        push_seq(seq, &mut items);
        for item in &items {
            self.havoc_reachable(item);
        }
        Value::Unknown(Reason::Operand)
    }

    /// Whether an index is certainly outside `-len .. len`.
    fn is_outside(&self, index: &Dim, len: &Dim) -> bool {
        if self.compare_dims(index, Cmp::Ge, len) == ThreeValued::True {
            return true;
        }
        match len.negated() {
            Some(least) => self.compare_dims(index, Cmp::Lt, &least) == ThreeValued::True,
            None => false,
        }
    }

    fn str_item(&mut self, text: &str, index: &Value) -> Flow {
        match index {
            Value::Slice(parts) => {
                let Some((start, stop, step)) = constant_slice(parts) else { return Ok(Value::Top(BuiltinType::Str)) };
                if step == 0 {
                    return self.raise_error("other-error", "ValueError", "slice step cannot be zero");
                }
                Ok(Value::str(&strings::slice(text, start, stop, step)))
            }
            Value::Int(at) => match strings::at(text, i128::from(*at)) {
                Ok(c) => Ok(Value::str(&c.to_string())),
                Err(raised) => self.raise_error("index-range", raised.class, raised.message),
            },
            Value::Str(_) | Value::None | Value::Float(_) => {
                let name = self.exact_type_name(index).unwrap_or_default();
                self.raise_error("bad-operand", "TypeError", format!("string indices must be integers, not '{name}'"))
            }
            _ => Ok(if index.is_unknown() { Value::Unknown(Reason::Operand) } else { Value::Top(BuiltinType::Str) }),
        }
    }

    pub fn set_item(&mut self, object: &Value, index: &Value, value: Value) -> Flow<()> {
        self.for_each_alternative(object, |interp, object| {
            interp.set_item_of_one(object, index, value.clone())?;
            Ok(Value::None)
        })?;
        Ok(())
    }

    fn set_item_of_one(&mut self, object: &Value, index: &Value, value: Value) -> Flow<()> {
        match object {
            Value::Unknown(_) | Value::UnknownNotNone(_) => {
                self.havoc_reachable(&value);
                self.havoc_escaped_objects(ForeignEffect::Contents);
                Ok(())
            }
            Value::Obj(addr) if matches!(self.object_at(*addr), Object::Dict(_)) => {
                if self.raise_if_unhashable(index)? {
                    return Ok(());
                }
                // The heap gives the dictionary away for the time being, so that it can be changed without being copied.
                let mut mapping = match self.run.state.heap.get_mut(addr.0) {
                    Some(Object::Dict(mapping)) if !addr.is_summary() => std::mem::take(mapping),
                    _ => match self.object_at(*addr) {
                        Object::Dict(mapping) => mapping.clone(),
                        _ => Mapping::default(),
                    },
                };
                let stored = self.store_entry(&mut mapping, index, value);
                self.write_object(*addr, Object::Dict(mapping));
                stored
            }
            Value::Obj(addr) if self.set_in_place(*addr, index, &value) => Ok(()),
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(seq) => self.set_list_item(*addr, &seq, index, value),
                Object::Instance(_) | Object::Array(_) => {
                    match self.python_method(object, Name::SETITEM) {
                        Some(method) => {
                            self.call_value(&method, CallArgs::of(vec![index.clone(), value]))?;
                        }
                        None if self.lacks_method(object, Name::SETITEM) => {
                            if let Some(name) = self.exact_type_name(object) {
                                let message = format!("'{name}' object does not support item assignment");
                                self.raise_error("bad-operand", "TypeError", message)?;
                            }
                        }
                        None => {
                            self.havoc_reachable(object);
                            self.havoc_reachable(&value);
                        }
                    }
                    Ok(())
                }
                _ => {
                    self.havoc_reachable(&value);
                    Ok(())
                }
            },
            Value::Tuple(_)
            | Value::Str(_)
            | Value::Top(BuiltinType::Str)
            | Value::None
            | Value::Int(_)
            | Value::Float(_)
            | Value::Bool(_)
            | Value::Range(_) => {
                if let Some(name) = self.exact_type_name(object) {
                    let message = format!("'{name}' object does not support item assignment");
                    self.raise_error("bad-operand", "TypeError", message)?;
                }
                Ok(())
            }
            _ => {
                self.havoc_reachable(&value);
                Ok(())
            }
        }
    }

    /// Replaces an item of a list without copying it; whether there is one to replace.
    fn set_in_place(&mut self, addr: Addr, index: &Value, value: &Value) -> bool {
        let Value::Int(at) = index else { return false };
        let Some(Object::List(Seq::Exact(items))) = self.run.state.get(addr) else { return false };
        let len = items.len() as i64;
        let position = if *at < 0 { at + len } else { *at };
        if position < 0 || position >= len {
            return false;
        }
        if addr.is_summary() {
            return false;
        }
        if let Some(Object::List(Seq::Exact(items))) = self.run.state.heap.get_mut(addr.0) {
            Arc::make_mut(items)[position as usize] = value.clone();
        }
        true
    }

    fn set_list_item(&mut self, addr: Addr, seq: &Seq, index: &Value, value: Value) -> Flow<()> {
        if let Value::Int(at) = index
            && let Seq::Exact(items) = seq
        {
            let len = items.len() as i64;
            let position = if *at < 0 { at + len } else { *at };
            if position < 0 || position >= len {
                let message = format!("list assignment index out of range: index {at}, length {len}");
                self.raise_error("index-range", "IndexError", message)?;
                return Ok(());
            }
            let mut items = items.to_vec();
            items[position as usize] = value;
            self.write_object(addr, Object::List(Seq::exact(items)));
            return Ok(());
        }
        if let (Value::Dim(_), Seq::Exact(items)) = (index, seq)
            && items.len() <= 64
        {
            let items: Vec<Value> = items.iter().map(|item| self.join_loose(item, &value)).collect();
            self.write_object(addr, Object::List(Seq::exact(items)));
            return Ok(());
        }
        if matches!(index, Value::Slice(_))
            && self.lacks_method(&value, Name::ITER)
            && self.lacks_method(&value, Name::GETITEM)
        {
            self.raise_error("not-iterable", "TypeError", "can only assign an iterable")?;
        }
        self.require_extended_slice(seq, index, &value)?;
        if self.as_index(index).is_none()
            && let Some(kind) = self.exact_type_name(index)
            && !matches!(index, Value::Slice(_))
            && self.lacks_method(index, Name::INDEX)
        {
            let message = format!("list indices must be integers or slices, not {kind}");
            self.raise_error("bad-operand", "TypeError", message)?;
        }
        let (element, len) = match (index, seq) {
            (Value::Slice(_) | Value::Unknown(_) | Value::UnknownNotNone(_) | Value::Union(_), _) => {
                self.havoc_reachable(&value);
                (Value::Unknown(Reason::Changed), self.any_natural())
            }
            (_, Seq::Exact(items)) => {
                let mut all = items.to_vec();
                all.push(value);
                (self.any_of(&all), Value::Int(items.len() as i64))
            }
            (_, Seq::Open(open)) => {
                let mut all = open.prefix.clone();
                all.extend([open.element.clone(), value]);
                (self.any_of(&all), open.len.clone())
            }
        };
        self.write_object(addr, Object::List(Seq::open(Vec::new(), element, len)));
        Ok(())
    }

    pub fn delete_item(&mut self, object: &Value, index: &Value) -> Flow<()> {
        self.for_each_alternative(object, |interp, object| {
            interp.delete_item_of_one(object, index)?;
            Ok(Value::None)
        })?;
        Ok(())
    }

    fn delete_item_of_one(&mut self, object: &Value, index: &Value) -> Flow<()> {
        let Some(addr) = object.addr() else {
            if object.is_unknown() {
                self.havoc_escaped_objects(ForeignEffect::Contents);
            }
            return Ok(());
        };
        match self.object_at(addr).clone() {
            Object::List(Seq::Exact(items)) => {
                let len = items.len() as i64;
                if let Value::Int(at) = index {
                    let position = if *at < 0 { at + len } else { *at };
                    if position < 0 || position >= len {
                        self.raise_error("index-range", "IndexError", "list assignment index out of range")?;
                        return Ok(());
                    }
                    let mut items = items.to_vec();
                    items.remove(position as usize);
                    self.write_object(addr, Object::List(Seq::exact(items)));
                } else {
                    self.havoc_reachable(object);
                }
            }
            Object::Dict(mapping) => self.delete_entry(addr, mapping, index)?,
            Object::Instance(_) => match self.python_method(object, Name::DELITEM) {
                Some(method) => {
                    self.call_value(&method, CallArgs::of(vec![index.clone()]))?;
                }
                None => self.havoc_reachable(object),
            },
            _ => self.havoc_reachable(object),
        }
        Ok(())
    }

    /// `len(value)`; `None` if nothing is known.
    pub fn length_of(&mut self, value: &Value) -> Flow<Option<Value>> {
        Ok(Some(match value {
            Value::Tuple(seq) => self.seq_len(seq),
            Value::Str(text) => Value::Int(strings::len(text) as i64),
            Value::Bytes(bytes) => Value::Int(bytes.len() as i64),
            Value::Top(
                BuiltinType::Str
                | BuiltinType::Bytes
                | BuiltinType::ByteArray
                | BuiltinType::Tuple
                | BuiltinType::List
                | BuiltinType::Dict
                | BuiltinType::Set,
            ) => self.any_natural(),
            Value::Range(parts) => {
                let parts = Arc::clone(parts);
                self.range_length(&parts)
            }
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(seq) => self.seq_len(&seq),
                Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => {
                    if mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite) {
                        Value::Int(mapping.entries.len() as i64)
                    } else {
                        self.any_natural()
                    }
                }
                Object::Instance(_) | Object::Array(_) => match self.python_method(value, Name::LEN) {
                    Some(method) => {
                        let length = self.call_value(&method, CallArgs::none())?;
                        self.require_integer(&length)?;
                        length
                    }
                    None if self.lacks_method(value, Name::LEN) => return self.no_length(value),
                    None => return Ok(None),
                },
                Object::Function(_) | Object::Module(_) => return self.no_length(value),
                Object::Iter(Iter { source: IterSource::View(seq), watched, .. }) if self.is_current(&watched) => {
                    self.seq_len(&seq)
                }
                Object::Iter(iter) if !matches!(iter.source, IterSource::View(_)) && !self.in_model() => {
                    let message = format!("{} has no len()", iter.kind_name());
                    self.raise_error("bad-operand", "TypeError", message)?;
                    return Ok(None);
                }
                _ => return Ok(None),
            },
            Value::None
            | Value::Bool(_)
            | Value::SymbolicBool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Dim(_)
            | Value::Float(_)
            | Value::Complex(_) => {
                return self.no_length(value);
            }
            Value::Top(BuiltinType::Float | BuiltinType::Int | BuiltinType::Bool | BuiltinType::Complex) => {
                return self.no_length(value);
            }
            _ => return Ok(None),
        }))
    }

    /// What `__len__` gives is an integer.
    fn require_integer(&mut self, length: &Value) -> Flow<()> {
        let is_none = |value: &Value| match value {
            Value::Tuple(_) | Value::Str(_) | Value::None | Value::Float(_) | Value::Bytes(_) => true,
            Value::Obj(addr) => {
                matches!(self.object_at(*addr), Object::List(_) | Object::Dict(_) | Object::Set(_))
            }
            _ => false,
        };
        if is_none(length) && !self.in_model() {
            let message = match self.exact_type_name(length) {
                Some(name) => format!("'{name}' object cannot be interpreted as an integer"),
                None => "the result of __len__ cannot be interpreted as an integer".to_owned(),
            };
            self.raise_error("bad-operand", "TypeError", message)?;
        }
        Ok(())
    }

    fn no_length(&mut self, value: &Value) -> Flow<Option<Value>> {
        if let Some(name) = self.exact_type_name(value) {
            self.raise_error("bad-operand", "TypeError", format!("object of type '{name}' has no len()"))?;
        }
        Ok(None)
    }

    pub(crate) fn range_length(&mut self, parts: &[Value; 3]) -> Value {
        let [start, stop, step] = parts;
        if let (Value::Int(start), Value::Int(stop), Value::Int(step)) = (start, stop, step)
            && *step != 0
        {
            let (start, stop, step) = (i128::from(*start), i128::from(*stop), i128::from(*step));
            let len = if step > 0 {
                (stop - start + step - 1).div_euclid(step)
            } else {
                (start - stop - step - 1).div_euclid(-step)
            };
            return Value::dim(Dim::constant(len.max(0)));
        }
        if let (Some(start), Some(stop), Value::Int(1)) = (start.as_dim(), stop.as_dim(), step)
            && let Some(difference) = stop.minus(&start)
        {
            if self.compare_dims(&difference, Cmp::Ge, &Dim::ZERO) == ThreeValued::True {
                return Value::dim(difference);
            }
            if let Some(len) = difference.greater(&Dim::ZERO) {
                return Value::dim(len);
            }
        }
        self.any_natural()
    }

    /// `needle in container`.
    pub fn contains(&mut self, container: &Value, needle: &Value) -> Flow {
        self.for_each_alternative(container, |interp, container| interp.contains_one(container, needle))
    }

    fn contains_one(&mut self, container: &Value, needle: &Value) -> Flow {
        let opaque = ThreeValued::opaque().into_value();
        match container {
            Value::Unknown(_) | Value::UnknownNotNone(_) => Ok(Value::Unknown(Reason::Operand)),
            Value::Str(text) => match needle {
                Value::Str(part) => Ok(Value::Bool(text.contains(&**part))),
                Value::Int(_) | Value::Float(_) | Value::None | Value::Bool(_) => {
                    let name = self.exact_type_name(needle).unwrap_or_default();
                    self.raise_error(
                        "bad-operand",
                        "TypeError",
                        format!("'in <string>' requires string as left operand, not {name}"),
                    )
                }
                _ => Ok(opaque),
            },
            Value::Tuple(Seq::Exact(items)) => {
                let items = items.clone();
                Ok(self.any_equal(&items, needle))
            }
            Value::Range(parts) => Ok(match (&**parts, needle) {
                ([Value::Int(start), Value::Int(stop), Value::Int(step)], Value::Int(number)) if *step != 0 => {
                    let is_inside =
                        if *step > 0 { start <= number && number < stop } else { stop < number && number <= start };
                    Value::Bool(is_inside && (number - start) % step == 0)
                }
                _ => opaque,
            }),
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(Seq::Exact(items)) => Ok(self.any_equal(&items, needle)),
                // `k in d.keys()`: the view shows what the dictionary holds now.
                Object::Iter(Iter { source: IterSource::View(Seq::Exact(items)), watched, .. })
                    if self.is_current(&watched) =>
                {
                    Ok(self.any_equal(&items, needle))
                }
                Object::Dict(mapping) | Object::Set(mapping) | Object::FrozenSet(mapping) => {
                    // A set is looked for in a set as a frozen one.
                    let is_dict = matches!(self.object_at(*addr), Object::Dict(_));
                    let is_set = needle.addr().is_some_and(|needle| matches!(self.object_at(needle), Object::Set(_)));
                    if (is_dict || !is_set) && self.raise_if_unhashable(needle)? {
                        return Ok(opaque);
                    }
                    Ok(self.mapping_contains(&mapping, needle))
                }
                Object::Instance(_) | Object::Array(_) => match self.python_method(container, Name::CONTAINS) {
                    Some(method) => {
                        let result = self.call_value(&method, CallArgs::of(vec![needle.clone()]))?;
                        let (tri, _) = self.capture_raises(|interp| interp.truth_of(&result));
                        Ok(tri.unwrap_or(ThreeValued::opaque()).into_value())
                    }
                    None if self.lacks_method(container, Name::CONTAINS)
                        && self.lacks_method(container, Name::ITER)
                        && self.lacks_method(container, Name::GETITEM) =>
                    {
                        self.not_iterable_operand(container)
                    }
                    None => Ok(opaque),
                },
                _ => Ok(opaque),
            },
            Value::None | Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Dim(_) => {
                self.not_iterable_operand(container)
            }
            _ => Ok(opaque),
        }
    }

    fn not_iterable_operand(&mut self, container: &Value) -> Flow {
        let name = self.exact_type_name(container).unwrap_or_default();
        self.raise_error("not-iterable", "TypeError", format!("argument of type '{name}' is not iterable"))
    }

    fn any_equal(&mut self, items: &[Value], needle: &Value) -> Value {
        let mut open = Vec::new();
        for item in items.iter().take(2_000) {
            if item == needle
                && (needle.is_scalar_constant() && !matches!(needle, Value::Float(_)) || needle.addr().is_some())
            {
                return Value::TRUE;
            }
            match self.equal_quietly(item, needle) {
                ThreeValued::True => return Value::TRUE,
                ThreeValued::False => {}
                ThreeValued::Open(cond) => open.push(cond),
            }
        }
        if items.len() > 2_000 {
            return ThreeValued::opaque().into_value();
        }
        match open.len() {
            0 => Value::FALSE,
            _ => ThreeValued::Open(crate::cond::Cond::Any(open)).into_value(),
        }
    }
}

/// Start, stop and step of a slice; `None` for a start or stop that is left out.
pub(crate) type SliceParts = (Option<i128>, Option<i128>, i128);

/// The parts of a slice, if all are constant.
pub(crate) fn constant_slice(parts: &[Value; 3]) -> Option<SliceParts> {
    let part = |value: &Value| match value {
        Value::None => Some(None),
        Value::Int(value) => Some(Some(i128::from(*value))),
        Value::Bool(value) => Some(Some(i128::from(*value))),
        Value::Big(value) => value.to_i128().map(Some),
        _ => None,
    };
    Some((part(&parts[0])?, part(&parts[1])?, part(&parts[2])?.unwrap_or(1)))
}
