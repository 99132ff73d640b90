//! Copies of values and objects in which every address and every size is replaced by another one.

use std::sync::Arc;

use pytrope_dims::Dim;

use crate::cond::Cond;
use crate::object::{Array, Entries, Entry, Instance, Iter, IterSource, Key, Mapping, Object, Shape, Slot, Slots};
use crate::value::{Addr, BoundMethod, NativeMethod, OpenSeq, Reason, Seq, Value};

/// What replaces addresses and sizes; `None` where something cannot be replaced, and then there is no copy.
pub(crate) trait Renaming {
    fn rename_addr(&mut self, addr: Addr) -> Option<Addr>;
    fn rename_dim(&mut self, dim: &Dim) -> Option<Dim>;

    /// Called for each Unknown: one with an identity may have no copy.
    fn rename_reason(&mut self, _reason: Reason) -> Option<()> {
        Some(())
    }

    /// Called for each value on the way: there may be too many.
    fn goes_on(&mut self) -> Option<()> {
        Some(())
    }

    fn rename_value(&mut self, value: &Value) -> Option<Value> {
        self.goes_on()?;
        Some(match value {
            Value::Unknown(reason) | Value::UnknownNotNone(reason) => {
                self.rename_reason(*reason)?;
                value.clone()
            }
            Value::None
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Bytes(_)
            | Value::Top(_)
            | Value::Native(_) => value.clone(),
            Value::SymbolicBool(cond) => Value::SymbolicBool(self.rename_cond(cond)?),
            Value::Dim(dim) => Value::dim(self.rename_dim(dim)?),
            Value::Tuple(seq) => Value::Tuple(self.rename_seq(seq)?),
            Value::Range(parts) => Value::Range(self.rename_triple(parts)?),
            Value::Slice(parts) => Value::Slice(self.rename_triple(parts)?),
            Value::Obj(addr) => Value::Obj(self.rename_addr(*addr)?),
            Value::Bound(bound) => Value::Bound(Arc::new(BoundMethod {
                receiver: self.rename_value(&bound.receiver)?,
                function: self.rename_value(&bound.function)?,
            })),
            Value::Method(method) => {
                Value::Method(Arc::new(NativeMethod { receiver: self.rename_value(&method.receiver)?, ..**method }))
            }
            Value::Union(values) => Value::Union(Arc::new(self.rename_values(values)?)),
        })
    }

    fn rename_cond(&mut self, cond: &Arc<Cond>) -> Option<Arc<Cond>> {
        match **cond {
            Cond::Opaque => Some(Arc::clone(cond)),
            Cond::Atom(_) | Cond::All(_) | Cond::Any(_) => None,
        }
    }

    fn rename_values(&mut self, values: &[Value]) -> Option<Vec<Value>> {
        values.iter().map(|value| self.rename_value(value)).collect()
    }

    /// The copy of a value that may be absent.
    #[expect(clippy::option_option, reason = "no value and a value that cannot be copied are different answers")]
    fn rename_option(&mut self, value: Option<&Value>) -> Option<Option<Value>> {
        match value {
            Some(value) => Some(Some(self.rename_value(value)?)),
            None => Some(None),
        }
    }

    fn rename_triple(&mut self, [a, b, c]: &[Value; 3]) -> Option<Arc<[Value; 3]>> {
        Some(Arc::new([self.rename_value(a)?, self.rename_value(b)?, self.rename_value(c)?]))
    }

    fn rename_seq(&mut self, seq: &Seq) -> Option<Seq> {
        Some(match seq {
            Seq::Exact(items) if items.iter().all(Value::is_scalar_constant) => seq.clone(),
            Seq::Exact(items) => Seq::exact(self.rename_values(items)?),
            Seq::Open(open) => {
                let OpenSeq { prefix, element, len } = &**open;
                Seq::open(self.rename_values(prefix)?, self.rename_value(element)?, self.rename_value(len)?)
            }
        })
    }

    fn rename_dims(&mut self, dims: &Arc<Vec<Dim>>) -> Option<Arc<Vec<Dim>>> {
        if dims.iter().all(|dim| dim.as_const().is_some()) {
            return Some(Arc::clone(dims));
        }
        dims.iter().map(|dim| self.rename_dim(dim)).collect::<Option<Vec<Dim>>>().map(Arc::new)
    }

    fn rename_shape(&mut self, shape: &Shape) -> Option<Shape> {
        Some(match shape {
            Shape::Known(dims) => Shape::Known(self.rename_dims(dims)?),
            Shape::Prefix(dims) => Shape::Prefix(self.rename_dims(dims)?),
            Shape::Suffix(dims) => Shape::Suffix(self.rename_dims(dims)?),
        })
    }

    fn rename_slots(&mut self, slots: &Slots) -> Option<Slots> {
        let mut copy = Slots { open: slots.open, ..Slots::default() };
        for (from, to) in [(&slots.map, &mut copy.map), (&slots.declared, &mut copy.declared)] {
            for (key, slot) in from.iter() {
                let value = self.rename_value(&slot.value)?;
                to.insert(key, Slot { value, definite: slot.definite });
            }
        }
        Some(copy)
    }

    fn rename_mapping(&mut self, mapping: &Mapping) -> Option<Mapping> {
        let mut entries = Entries::default();
        for (key, entry) in mapping.entries.iter() {
            if !is_plain(key) {
                return None;
            }
            let (value, inner) = (self.rename_value(&entry.value)?, self.rename_value(&entry.key)?);
            entries.insert(key.clone(), Entry { key: inner, value, definite: entry.definite });
        }
        let open = match &mapping.open {
            Some(open) => Some(Arc::new((self.rename_value(&open.0)?, self.rename_value(&open.1)?))),
            None => None,
        };
        Some(Mapping { entries: Arc::new(entries), open })
    }

    /// Where an array was made is left as it is.
    fn rename_object(&mut self, object: &Object) -> Option<Object> {
        Some(match object {
            Object::List(seq) => Object::List(self.rename_seq(seq)?),
            Object::Dict(mapping) => Object::Dict(self.rename_mapping(mapping)?),
            Object::Set(mapping) => Object::Set(self.rename_mapping(mapping)?),
            Object::FrozenSet(mapping) => Object::FrozenSet(self.rename_mapping(mapping)?),
            Object::Instance(instance) => Object::Instance(Arc::new(Instance {
                class: self.rename_value(&instance.class)?,
                attrs: self.rename_slots(&instance.attrs)?,
                content: self.rename_option(instance.content.as_ref())?,
            })),
            Object::Array(array) => Object::Array(Arc::new(self.rename_array(array)?)),
            Object::Iter(iter) => Object::Iter(self.rename_iterator(iter)?),
            Object::Scope(_)
            | Object::Class(_)
            | Object::Function(_)
            | Object::Module(_)
            | Object::Property(_)
            | Object::StaticMethod(_)
            | Object::ClassMethod(_)
            | Object::Super { .. }
            | Object::Coroutine { .. }
            | Object::Unknown => return self.code_object(object),
        })
    }

    fn rename_iterator(&mut self, iter: &Iter) -> Option<Iter> {
        if !iter.watched.is_empty() {
            return None;
        }
        let source = match &iter.source {
            IterSource::Items(seq) => IterSource::Items(self.rename_seq(seq)?),
            IterSource::View(seq) => IterSource::View(self.rename_seq(seq)?),
            IterSource::Refused(_) | IterSource::Unknown => iter.source.clone(),
            IterSource::Generator { .. } => return None,
        };
        Some(Iter { source, taken: iter.taken, watched: Arc::clone(&iter.watched) })
    }

    /// Scopes, classes, functions, and what else is more than data.
    fn code_object(&mut self, _: &Object) -> Option<Object> {
        None
    }

    /// The rank of an array that has been asked for is known by more than the array.
    fn rename_rank(&mut self, _: &Dim) -> Option<Dim> {
        None
    }

    fn rename_array(&mut self, array: &Array) -> Option<Array> {
        let rank = match &array.rank {
            Some(rank) => Some(self.rename_rank(rank)?),
            None => None,
        };
        let values = match &array.values {
            Some(values) if values.iter().all(Value::is_scalar_constant) => Some(Arc::clone(values)),
            Some(values) => Some(Arc::new(self.rename_values(values)?)),
            None => None,
        };
        Some(Array {
            class: self.rename_value(&array.class)?,
            shape: self.rename_shape(&array.shape)?,
            rank,
            dtype: self.rename_value(&array.dtype)?,
            values,
            attrs: self.rename_slots(&array.attrs)?,
            memory: self.rename_option(array.memory.as_ref())?,
            may_equal: self.rename_option(array.may_equal.as_ref())?,
            born: array.born.clone(),
        })
    }
}

/// Whether a key of a dictionary says nothing about addresses.
pub(crate) fn is_plain(key: &Key) -> bool {
    match key {
        Key::None | Key::Ellipsis | Key::Int(_) | Key::Big(_) | Key::Float(_) | Key::Str(_) | Key::Bytes(_) => true,
        Key::Tuple(keys) => keys.iter().all(is_plain),
        Key::Object(_) | Key::Native(_) => false,
    }
}
