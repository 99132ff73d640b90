//! What iterating a value gives.

use std::sync::Arc;

use pytrope_dims::{Cmp, Dim, FactReason};

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Iter, IterSource, Object};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// Ranges up to this length are spelled out.
const RANGE_LIMIT: i64 = 5_000;

/// What taking the next item of an iterator gives.
pub(crate) enum Taken {
    One(Value),
    /// This, if there is another item at all.
    Perhaps(Value),
    Nothing,
}

impl Interp<'_> {
    /// The items of an iterable, in order; `None` if nothing is known about them.
    pub fn iterate_value(&mut self, value: &Value) -> Flow<Option<Seq>> {
        if let Value::Union(alternatives) = value {
            let mut joined: Option<Seq> = None;
            let mut unknown = false;
            for alternative in alternatives.iter() {
                let (seq, _) = self.capture_raises(|interp| interp.iterate_value(alternative));
                match (seq, joined.take()) {
                    (Ok(Some(seq)), None) => joined = Some(seq),
                    (Ok(Some(seq)), Some(other)) => {
                        joined = Some(if seq == other {
                            other
                        } else {
                            let (a, b) = (Value::Tuple(other), Value::Tuple(seq));
                            match self.join_loose(&a, &b) {
                                Value::Tuple(seq) => seq,
                                _ => {
                                    unknown = true;
                                    Seq::empty()
                                }
                            }
                        });
                    }
                    (Ok(None), other) => {
                        unknown = true;
                        joined = other;
                    }
                    (Err(_), other) => joined = other,
                }
            }
            if unknown {
                // An item that is taken aliases something of one of them.
                self.havoc_reachable(value);
                return Ok(None);
            }
            return Ok(joined);
        }
        Ok(Some(match value {
            Value::Unknown(_) | Value::UnknownNotNone(_) => return Ok(None),
            Value::Tuple(seq) => seq.clone(),
            Value::Str(text) => Seq::exact(text.chars().map(|c| Value::str(&c.to_string())).collect()),
            Value::Top(BuiltinType::Str) => self.open_seq(Value::Top(BuiltinType::Str)),
            Value::Bytes(bytes) => Seq::exact(bytes.iter().map(|byte| Value::Int(i64::from(*byte))).collect()),
            Value::Range(parts) => {
                let parts = Arc::clone(parts);
                self.range_items(&parts)
            }
            Value::Obj(addr) => return self.iterate_object(value, *addr),
            Value::None
            | Value::Bool(_)
            | Value::SymbolicBool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Dim(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Ellipsis
            | Value::NotImplemented => {
                return self.not_iterable(value);
            }
            Value::Top(BuiltinType::Float | BuiltinType::Int | BuiltinType::Bool | BuiltinType::Complex) => {
                return self.not_iterable(value);
            }
            Value::Top(_)
            | Value::Slice(_)
            | Value::Native(_)
            | Value::Bound(_)
            | Value::Method(_)
            | Value::Union(_) => return Ok(None),
        }))
    }

    /// The items without findings and without consuming an iterator.
    pub fn iterate_quietly(&mut self, value: &Value) -> Option<Seq> {
        let before = self.run.state.clone();
        let (seq, _) = self.capture_raises(|interp| interp.iterate_value(value));
        self.run.state = before;
        seq.ok().flatten()
    }

    /// Whether a sequence certainly has an item.
    pub(crate) fn has_some_item(&mut self, seq: &Seq) -> bool {
        match seq {
            Seq::Exact(items) => !items.is_empty(),
            Seq::Open(open) => match open.len.as_dim() {
                Some(len) => self.compare_dims(&len, Cmp::Gt, &Dim::ZERO) == ThreeValued::True,
                None => false,
            },
        }
    }

    /// `key=` of a sort or a maximum is called with each item.
    pub(crate) fn refuse_key(&mut self, args: &CallArgs, seq: &Seq) -> Flow<()> {
        if args.is_exact()
            && let Some(key) = args.keyword("key")
            && self.has_some_item(seq)
            && let Some(message) = self.refused_callback(key, 1)
        {
            self.raise_error("wrong-arguments", "TypeError", message)?;
        }
        Ok(())
    }

    /// A loop takes the first item before anything else.
    pub(crate) fn raise_if_refused(&mut self, value: &Value) -> Flow<()> {
        if let Some(addr) = value.addr()
            && let Object::Iter(Iter { source: IterSource::Refused(message), .. }) = self.object_at(addr)
        {
            let message = message.to_string();
            self.raise_error("wrong-arguments", "TypeError", message)?;
        }
        Ok(())
    }

    /// An iterator that nothing can be taken from.
    pub(crate) fn refused_iter(&mut self, message: &str) -> Value {
        let source = IterSource::Refused(Arc::from(message));
        self.new_object(Object::Iter(Iter { source, taken: Some(0), watched: Arc::default() }))
    }

    fn not_iterable(&mut self, value: &Value) -> Flow<Option<Seq>> {
        if let Some(name) = self.exact_type_name(value) {
            self.raise_error("not-iterable", "TypeError", format!("'{name}' object is not iterable"))?;
        }
        Ok(None)
    }

    fn range_items(&mut self, parts: &[Value; 3]) -> Seq {
        let len = self.range_length(parts);
        if let (Value::Int(start), Value::Int(len), Value::Int(step)) = (&parts[0], &len, &parts[2])
            && *len <= RANGE_LIMIT
        {
            return Seq::exact((0..*len).map(|i| Value::Int(start + i * step)).collect());
        }
        let element = self.fresh_dim(None, None);
        let reason = FactReason(self.current_frame().node.start);
        if let (Some(start), Some(stop), Value::Int(step)) = (parts[0].as_dim(), parts[1].as_dim(), &parts[2]) {
            let (low, high) = if *step > 0 { (Cmp::Ge, Cmp::Lt) } else { (Cmp::Le, Cmp::Gt) };
            // An element below the end exists only if the range is not empty: that must be known before.
            let has_items = self.compare_dims(&start, high, &stop) == pytrope_dims::ThreeValued::True;
            self.run.state.store.assume_compare(&element, low, &start, reason);
            if has_items {
                self.run.state.store.assume_compare(&element, high, &stop, reason);
            }
        }
        Seq::open(Vec::new(), Value::Dim(element), len)
    }

    fn iterate_object(&mut self, value: &Value, addr: Addr) -> Flow<Option<Seq>> {
        match self.object_at(addr).clone() {
            Object::List(seq) => Ok(Some(seq)),
            Object::Dict(mapping) => Ok(Some(self.mapping_keys(&mapping, true))),
            Object::Set(mapping) | Object::FrozenSet(mapping) => Ok(Some(self.mapping_keys(&mapping, false))),
            Object::Iter(iter) => {
                // What computes its items may run only now.
                self.forget_escaped_lengths();
                self.take_all(addr, &iter)
            }
            Object::Instance(_) | Object::Array(_) => {
                if let Some(method) = self.python_method(value, Name::ITER) {
                    let iterator = self.call_value(&method, CallArgs::none())?;
                    if iterator == *value {
                        return Ok(None);
                    }
                    return match &iterator {
                        Value::Obj(addr) if matches!(self.object_at(*addr), Object::Instance(_)) => Ok(None),
                        other => self.iterate_value(other),
                    };
                }
                if self.lacks_method(value, Name::ITER)
                    && self.lacks_method(value, Name::GETITEM)
                    && !self.has_open_class(value)
                {
                    return self.not_iterable(value);
                }
                Ok(None)
            }
            Object::Function(_) | Object::Module(_) => self.not_iterable(value),
            _ => Ok(None),
        }
    }

    /// The items for something that takes them one by one, later or until it stops: how far an iterator has come
    /// afterwards is not known.
    pub(crate) fn iterate_lazily(&mut self, value: &Value) -> Flow<Option<Seq>> {
        let outer = std::mem::replace(&mut self.run.lazily, true);
        let seq = self.iterate_value(value);
        self.run.lazily = outer;
        let seq = seq?;
        // An iterator of the program changes with every item that is taken: `for i, trial in enumerate(handler)`.
        if seq.is_none() && self.instance_of(value).is_some() {
            self.havoc_reachable(value);
        }
        if let Some(addr) = value.addr()
            && let Object::Iter(iter) = self.object_at(addr)
            && !matches!(iter.source, IterSource::View(_))
        {
            let watched = Arc::clone(&iter.watched);
            self.write_object(addr, Object::Iter(Iter { source: IterSource::Unknown, taken: None, watched }));
        }
        Ok(seq)
    }

    /// Everything an iterator still has; it is spent afterwards.
    fn take_all(&mut self, addr: Addr, iter: &Iter) -> Flow<Option<Seq>> {
        let seq = match &iter.source {
            _ if !self.is_current(&iter.watched) => None,
            IterSource::View(seq) => return Ok(Some(seq.clone())),
            IterSource::Items(seq) => Some(seq.clone()),
            IterSource::Refused(_) if self.run.lazily => None,
            IterSource::Refused(message) => {
                self.raise_error("wrong-arguments", "TypeError", message.to_string())?;
                None
            }
            IterSource::Unknown => None,
            IterSource::Generator { function, scope } => self.drain_generator(addr, *function, *scope)?,
        };
        let watched = match self.object_at(addr) {
            Object::Iter(iter) => Arc::clone(&iter.watched),
            _ => Arc::default(),
        };
        let Some(taken) = iter.taken else { return Ok(None) };
        let Some(seq) = seq else {
            self.write_object(
                addr,
                Object::Iter(Iter { source: IterSource::Unknown, taken: None, watched: Arc::default() }),
            );
            return Ok(None);
        };
        let rest = match &seq {
            Seq::Exact(items) => Seq::exact(items.iter().skip(taken).cloned().collect()),
            Seq::Open(_) if taken > 0 => self.open_seq(Value::Unknown(Reason::Operand)),
            Seq::Open(_) => seq.clone(),
        };
        let source = IterSource::Items(Seq::empty());
        self.write_object(addr, Object::Iter(Iter { source, taken: Some(0), watched }));
        Ok(Some(rest))
    }

    /// `next(iterator)`.
    pub(crate) fn take_one(&mut self, addr: Addr) -> Flow<Taken> {
        let Object::Iter(iter) = self.object_at(addr).clone() else {
            return Ok(Taken::Perhaps(Value::Unknown(Reason::Operand)));
        };
        self.forget_escaped_lengths();
        let unknown = Ok(Taken::Perhaps(Value::Unknown(Reason::Operand)));
        let seq = match &iter.source {
            IterSource::Items(seq) => seq.clone(),
            IterSource::Refused(message) => {
                self.raise_error("wrong-arguments", "TypeError", message.to_string())?;
                return unknown;
            }
            IterSource::Unknown | IterSource::View(_) => return unknown,
            IterSource::Generator { function, scope } => match self.drain_generator(addr, *function, *scope)? {
                Some(seq) => seq,
                None => return unknown,
            },
        };
        let watched = match self.object_at(addr) {
            Object::Iter(iter) => Arc::clone(&iter.watched),
            _ => Arc::default(),
        };
        if !self.is_current(&watched) {
            self.write_object(
                addr,
                Object::Iter(Iter { source: IterSource::Unknown, taken: None, watched: Arc::default() }),
            );
            return unknown;
        }
        let Some(taken) = iter.taken else { return unknown };
        match &seq {
            Seq::Exact(items) => match items.get(taken) {
                Some(item) => {
                    let item = self.read_through_summary(None, item.clone());
                    self.write_object(
                        addr,
                        Object::Iter(Iter { source: IterSource::Items(seq.clone()), taken: Some(taken + 1), watched }),
                    );
                    Ok(Taken::One(item))
                }
                None => Ok(Taken::Nothing),
            },
            Seq::Open(open) => {
                let element = if open.prefix.is_empty() {
                    self.instantiate_element(&open.element)
                } else {
                    Value::Unknown(Reason::Operand)
                };
                self.write_object(
                    addr,
                    Object::Iter(Iter { source: IterSource::Items(seq.clone()), taken: None, watched }),
                );
                // The first item is there if any is.
                let some = match open.len.as_dim() {
                    Some(len) => self.compare_dims(&len, Cmp::Gt, &Dim::ZERO) == ThreeValued::True,
                    None => false,
                };
                Ok(if some && taken == 0 { Taken::One(element) } else { Taken::Perhaps(element) })
            }
        }
    }

    /// The dimension of a length, where it is one.
    pub fn length_dim(&mut self, value: &Value) -> Option<Dim> {
        let (len, _) = self.capture_raises(|interp| interp.length_of(value));
        len.ok().flatten().and_then(|len| len.as_dim())
    }
}
