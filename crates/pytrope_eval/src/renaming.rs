//! Copies of values and objects in which every address and every size is replaced by another one.

use std::sync::Arc;

use pytrope_dims::Dim;

use crate::cond::Cond;
use crate::object::{Array, Entries, Entry, Instance, Iter, IterSource, Key, Mapping, Object, Shape, Slot, Slots};
use crate::value::{Addr, Bound, NativeMethod, OpenSeq, Seq, Value};

/// What replaces addresses and sizes; `None` where something cannot be replaced, and then there is no copy.
pub(crate) trait Renaming {
    fn addr(&mut self, addr: Addr) -> Option<Addr>;
    fn dim(&mut self, dim: &Dim) -> Option<Dim>;

    /// Called for each value on the way: there may be too many.
    fn goes_on(&mut self) -> Option<()> {
        Some(())
    }

    fn value(&mut self, value: &Value) -> Option<Value> {
        self.goes_on()?;
        Some(match value {
            Value::Unknown(_)
            | Value::UnknownNotNone(_)
            | Value::None
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
            Value::SymbolicBool(cond) => Value::SymbolicBool(self.test(cond)?),
            Value::Dim(dim) => Value::dim(self.dim(dim)?),
            Value::Tuple(seq) => Value::Tuple(self.seq(seq)?),
            Value::Range(parts) => Value::Range(self.three(parts)?),
            Value::Slice(parts) => Value::Slice(self.three(parts)?),
            Value::Obj(addr) => Value::Obj(self.addr(*addr)?),
            Value::Bound(bound) => Value::Bound(Arc::new(Bound {
                receiver: self.value(&bound.receiver)?,
                function: self.value(&bound.function)?,
            })),
            Value::Method(method) => {
                Value::Method(Arc::new(NativeMethod { receiver: self.value(&method.receiver)?, ..**method }))
            }
            Value::Union(values) => Value::Union(Arc::new(self.values(values)?)),
        })
    }

    fn test(&mut self, cond: &Arc<Cond>) -> Option<Arc<Cond>> {
        match **cond {
            Cond::Opaque => Some(Arc::clone(cond)),
            Cond::Atom(_) | Cond::All(_) | Cond::Any(_) => None,
        }
    }

    fn values(&mut self, values: &[Value]) -> Option<Vec<Value>> {
        values.iter().map(|value| self.value(value)).collect()
    }

    /// The copy of a value that may be absent.
    #[expect(clippy::option_option, reason = "no value and a value that cannot be copied are different answers")]
    fn option(&mut self, value: Option<&Value>) -> Option<Option<Value>> {
        match value {
            Some(value) => Some(Some(self.value(value)?)),
            None => Some(None),
        }
    }

    fn three(&mut self, [a, b, c]: &[Value; 3]) -> Option<Arc<[Value; 3]>> {
        Some(Arc::new([self.value(a)?, self.value(b)?, self.value(c)?]))
    }

    fn seq(&mut self, seq: &Seq) -> Option<Seq> {
        Some(match seq {
            Seq::Exact(items) if items.iter().all(Value::is_scalar_constant) => seq.clone(),
            Seq::Exact(items) => Seq::exact(self.values(items)?),
            Seq::Open(open) => {
                let OpenSeq { prefix, element, len } = &**open;
                Seq::open(self.values(prefix)?, self.value(element)?, self.value(len)?)
            }
        })
    }

    fn dims(&mut self, dims: &Arc<Vec<Dim>>) -> Option<Arc<Vec<Dim>>> {
        if dims.iter().all(|dim| dim.as_const().is_some()) {
            return Some(Arc::clone(dims));
        }
        dims.iter().map(|dim| self.dim(dim)).collect::<Option<Vec<Dim>>>().map(Arc::new)
    }

    fn shape(&mut self, shape: &Shape) -> Option<Shape> {
        Some(match shape {
            Shape::Known(dims) => Shape::Known(self.dims(dims)?),
            Shape::Prefix(dims) => Shape::Prefix(self.dims(dims)?),
            Shape::Suffix(dims) => Shape::Suffix(self.dims(dims)?),
        })
    }

    fn slots(&mut self, slots: &Slots) -> Option<Slots> {
        let mut copy = Slots { open: slots.open, ..Slots::default() };
        for (from, to) in [(&slots.map, &mut copy.map), (&slots.declared, &mut copy.declared)] {
            for (key, slot) in from.iter() {
                let value = self.value(&slot.value)?;
                to.insert(key, Slot { value, definite: slot.definite });
            }
        }
        Some(copy)
    }

    fn mapping(&mut self, mapping: &Mapping) -> Option<Mapping> {
        let mut entries = Entries::default();
        for (key, entry) in mapping.entries.iter() {
            if !is_plain(key) {
                return None;
            }
            let (value, inner) = (self.value(&entry.value)?, self.value(&entry.key)?);
            entries.insert(key.clone(), Entry { key: inner, value, definite: entry.definite });
        }
        let open = match &mapping.open {
            Some(open) => Some(Arc::new((self.value(&open.0)?, self.value(&open.1)?))),
            None => None,
        };
        Some(Mapping { entries: Arc::new(entries), open })
    }

    /// Where an array was made is left as it is.
    fn object(&mut self, object: &Object) -> Option<Object> {
        Some(match object {
            Object::List(seq) => Object::List(self.seq(seq)?),
            Object::Dict(mapping) => Object::Dict(self.mapping(mapping)?),
            Object::Set(mapping) => Object::Set(self.mapping(mapping)?),
            Object::FrozenSet(mapping) => Object::FrozenSet(self.mapping(mapping)?),
            Object::Instance(instance) => Object::Instance(Arc::new(Instance {
                class: self.value(&instance.class)?,
                attrs: self.slots(&instance.attrs)?,
                content: self.option(instance.content.as_ref())?,
            })),
            Object::Array(array) => Object::Array(Arc::new(self.array(array)?)),
            Object::Iter(iter) => Object::Iter(self.iterator(iter)?),
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

    fn iterator(&mut self, iter: &Iter) -> Option<Iter> {
        if !iter.watched.is_empty() {
            return None;
        }
        let source = match &iter.source {
            IterSource::Items(seq) => IterSource::Items(self.seq(seq)?),
            IterSource::View(seq) => IterSource::View(self.seq(seq)?),
            IterSource::Unknown => IterSource::Unknown,
            IterSource::Generator { .. } => return None,
        };
        Some(Iter { source, taken: iter.taken, watched: Arc::clone(&iter.watched) })
    }

    /// Scopes, classes, functions, and what else is more than data.
    fn code_object(&mut self, _: &Object) -> Option<Object> {
        None
    }

    /// The rank of an array that has been asked for is known by more than the array.
    fn rank(&mut self, _: &Dim) -> Option<Dim> {
        None
    }

    fn array(&mut self, array: &Array) -> Option<Array> {
        let rank = match &array.rank {
            Some(rank) => Some(self.rank(rank)?),
            None => None,
        };
        let values = match &array.values {
            Some(values) if values.iter().all(Value::is_scalar_constant) => Some(Arc::clone(values)),
            Some(values) => Some(Arc::new(self.values(values)?)),
            None => None,
        };
        Some(Array {
            class: self.value(&array.class)?,
            shape: self.shape(&array.shape)?,
            rank,
            dtype: self.value(&array.dtype)?,
            values,
            attrs: self.slots(&array.attrs)?,
            memory: self.option(array.memory.as_ref())?,
            may_equal: self.option(array.may_equal.as_ref())?,
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
