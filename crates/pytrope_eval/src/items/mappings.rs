//! Dictionaries and sets.

use std::sync::Arc;

use num_traits::ToPrimitive;
use pytrope_source::tree::BinaryOperator;

use crate::constants::integers;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::{Class, Entry, Key, Mapping, Object};
use crate::value::IntoValue;
use crate::value::{Addr, Reason, Seq, Value};
use pytrope_dims::ThreeValued;

/// Larger dictionaries keep no entries.
const ENTRY_LIMIT: usize = 5_000;

impl Interp<'_> {
    /// The key a value is found under; `None` if its hash or equality is not known.
    pub(crate) fn key_of(&self, value: &Value) -> Option<Key> {
        Some(match value {
            Value::None => Key::None,
            Value::Ellipsis => Key::Ellipsis,
            Value::Bool(value) => Key::Int(i128::from(*value)),
            Value::Int(value) => Key::Int(i128::from(*value)),
            Value::Big(value) => match value.to_i128() {
                Some(small) => Key::Int(small),
                None => Key::Big(Arc::clone(value)),
            },
            Value::Float(value) => match integers::from_float(*value).filter(|_| value.fract() == 0.0) {
                Some(whole) => match whole.to_i128() {
                    Some(small) => Key::Int(small),
                    None => Key::Big(Arc::new(whole)),
                },
                None if value.is_nan() => return None,
                None => Key::Float(value.to_bits()),
            },
            Value::Str(text) => Key::Str(Arc::clone(text)),
            Value::Bytes(bytes) => Key::Bytes(Arc::clone(bytes)),
            Value::Tuple(Seq::Exact(items)) => {
                Key::Tuple(items.iter().map(|item| self.key_of(item)).collect::<Option<_>>()?)
            }
            Value::Native(native) => Key::Native(std::ptr::from_ref(*native) as usize),
            Value::Obj(addr) if addr.is_summary() => return None,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Class(_) | Object::Function(_) => Key::Object(*addr),
                Object::Instance(instance) => {
                    let class = self.class_at(instance.class.addr()?)?;
                    // Members of an enumeration are single; other objects may compare as they like.
                    let is_member = instance.attrs.get(Name::new("_value_")).is_some();
                    if class.features.enumeration && !class.features.is_model && is_member {
                        Key::Object(self.first_member_like(class, *addr))
                    } else {
                        return None;
                    }
                }
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The member of an enumeration that one stands for: of members with one value the later are other names of the first.
    fn first_member_like(&self, class: &Class, member: Addr) -> Addr {
        let value_of = |addr: Addr| match self.object_at(addr) {
            Object::Instance(instance) => instance.attrs.get(Name::new("_value_")).map(|slot| slot.value.clone()),
            _ => None,
        };
        let own = value_of(member);
        let others = class.attrs.iter().filter_map(|(_, slot)| slot.value.addr());
        others.filter(|other| *other < member && value_of(*other) == own).min().unwrap_or(member)
    }

    fn is_unhashable(&self, value: &Value) -> bool {
        match value {
            Value::Obj(addr) => matches!(self.object_at(*addr), Object::List(_) | Object::Dict(_) | Object::Set(_)),
            Value::Tuple(Seq::Exact(items)) => items.iter().any(|item| self.is_unhashable(item)),
            _ => false,
        }
    }

    pub(crate) fn raise_if_unhashable(&mut self, value: &Value) -> Flow<bool> {
        if self.is_unhashable(value) {
            let inner = match value {
                Value::Tuple(Seq::Exact(items)) => items.iter().find(|item| self.is_unhashable(item)).cloned(),
                _ => None,
            };
            let name = self.exact_type_name(inner.as_ref().unwrap_or(value)).unwrap_or_default();
            self.raise_error("bad-operand", "TypeError", format!("unhashable type: '{name}'"))?;
            return Ok(true);
        }
        self.havocs_unseen_methods(value, &[Name::HASH, Name::EQ]);
        Ok(false)
    }

    pub(crate) fn store_entry(&mut self, mapping: &mut Mapping, key: &Value, value: Value) -> Flow<()> {
        if self.raise_if_unhashable(key)? {
            return Ok(());
        }
        match self.key_of(key) {
            Some(known) => {
                if mapping.entries.len() >= ENTRY_LIMIT && !mapping.entries.contains_key(&known) {
                    // Too many to keep: they are forgotten together, so that each is looked at once.
                    self.forget_entries(mapping);
                    mapping.entries = Arc::default();
                }
                let entries = Arc::make_mut(&mut mapping.entries);
                match entries.get_mut(&known) {
                    Some(entry) => {
                        entry.value = value;
                        entry.definite = true;
                    }
                    None => {
                        entries.insert(known, Entry { key: key.clone(), value, definite: true });
                    }
                }
            }
            None => {
                // The key may be any of those that are there.
                let unknown = Value::Unknown(Reason::Joined);
                let old = mapping.entries.values().map(|entry| entry.value.clone()).collect::<Vec<_>>();
                let all_same = old.iter().all(|other| *other == value);
                if !all_same || !mapping.entries.is_empty() {
                    let entries = Arc::make_mut(&mut mapping.entries);
                    for (_, entry) in entries.iter_mut() {
                        if entry.value != value {
                            entry.value = unknown.clone();
                        }
                    }
                    for value in &old {
                        self.havoc_reachable(value);
                    }
                }
                let open = match mapping.open.take() {
                    None => (key.clone(), value),
                    Some(open) => {
                        let key = self.join_loose(&open.0, key);
                        (key, self.join_loose(&open.1, &value))
                    }
                };
                mapping.open = Some(Arc::new(open));
            }
        }
        Ok(())
    }

    /// `{**other}` or `update(other)`.
    pub(crate) fn merge_mapping(&mut self, mapping: &mut Mapping, other: &Value) -> Flow<()> {
        let other = &self.plain_mapping(other)?;
        let source = match other.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Dict(source)) => Some(source.clone()),
            _ => None,
        };
        let Some(source) = source else {
            self.havoc_reachable(other);
            self.forget_entries(mapping);
            return Ok(());
        };
        if source.open.is_some() {
            self.forget_entries(mapping);
            return Ok(());
        }
        let entries = Arc::make_mut(&mut mapping.entries);
        let mut pending = Vec::new();
        for (key, entry) in source.entries.iter() {
            match entries.get_mut(key) {
                Some(old) if !entry.definite => pending.push((key.clone(), old.value.clone(), entry.value.clone())),
                Some(old) => old.value = entry.value.clone(),
                None => {
                    entries.insert(key.clone(), entry.clone());
                }
            }
        }
        for (key, a, b) in pending {
            let joined = self.join_loose(&a, &b);
            if let Some(entry) = Arc::make_mut(&mut mapping.entries).get_mut(&key) {
                entry.value = joined;
            }
        }
        Ok(())
    }

    /// Entries may have been added and changed.
    fn forget_entries(&mut self, mapping: &mut Mapping) {
        let unknown = Value::Unknown(Reason::Changed);
        let entries = Arc::make_mut(&mut mapping.entries);
        let old: Vec<Value> = entries.values().map(|entry| entry.value.clone()).collect();
        for (_, entry) in entries.iter_mut() {
            entry.value = unknown.clone();
        }
        for value in old {
            self.havoc_reachable(&value);
        }
        mapping.open = Some(Arc::new((unknown.clone(), unknown)));
    }

    pub(crate) fn mapping_item(&mut self, mapping: &Mapping, index: &Value) -> Flow {
        match self.find_entry(mapping, index)? {
            Lookup::Found(value) => Ok(self.read_through_summary(None, value)),
            Lookup::Maybe => Ok(self.some_entry(mapping)),
            Lookup::Missing => {
                let shown = self.show_value(index);
                self.raise_error("missing-key", "KeyError", shown)
            }
        }
    }

    /// A value for a key that is not known: any of those that are there.
    pub(crate) fn some_entry(&mut self, mapping: &Mapping) -> Value {
        let mut all: Vec<Value> = mapping.entries.values().map(|entry| entry.value.clone()).collect();
        if let Some(open) = &mapping.open {
            all.push(open.1.clone());
        }
        if let Some(open) = &mapping.open
            && !open.1.addr().is_some_and(Addr::is_summary)
        {
            // One object stands for many: what is done to one of them is not done to all.
            self.havoc_container(&open.1);
        }
        if all.len() <= 8 {
            let joined = self.any_of(&all);
            if !joined.is_unknown() {
                return self.read_through_summary(None, joined);
            }
        }
        for value in &all {
            self.havoc_reachable(value);
        }
        Value::Unknown(Reason::Operand)
    }

    pub(crate) fn find_entry(&mut self, mapping: &Mapping, index: &Value) -> Flow<Lookup> {
        if self.raise_if_unhashable(index)? {
            return Ok(Lookup::Maybe);
        }
        if mapping.entries.is_empty()
            && mapping.open.is_none()
            && !index.is_unknown()
            && !matches!(index, Value::Union(_))
        {
            return Ok(Lookup::Missing);
        }
        let Some(key) = self.key_of(index) else { return Ok(Lookup::Maybe) };
        Ok(match mapping.entries.get(&key) {
            Some(entry) if entry.definite => Lookup::Found(entry.value.clone()),
            Some(_) => Lookup::Maybe,
            None if mapping.open.is_some() => Lookup::Maybe,
            // Objects under other keys may still be equal to this one.
            None if mapping.entries.values().any(|entry| self.python_method(&entry.key, Name::EQ).is_some()) => {
                Lookup::Maybe
            }
            None => Lookup::Missing,
        })
    }

    pub(crate) fn mapping_contains(&mut self, mapping: &Mapping, needle: &Value) -> Value {
        let before = self.run.state.clone();
        let (lookup, _) = self.capture_raises(|interp| interp.find_entry(mapping, needle));
        let verdict = match lookup {
            Ok(Lookup::Found(_)) => ThreeValued::True,
            Ok(Lookup::Missing) => ThreeValued::False,
            Ok(Lookup::Maybe) => ThreeValued::opaque(),
            Err(_) => {
                self.run.state = before;
                ThreeValued::opaque()
            }
        };
        verdict.into_value()
    }

    pub(crate) fn delete_entry(&mut self, addr: Addr, mut mapping: Mapping, index: &Value) -> Flow<()> {
        match self.find_entry(&mapping, index)? {
            Lookup::Missing => {
                let shown = self.show_value(index);
                self.raise_error("missing-key", "KeyError", shown)?;
            }
            Lookup::Found(_) | Lookup::Maybe => match self.key_of(index) {
                Some(key) => {
                    Arc::make_mut(&mut mapping.entries).shift_remove(&key);
                    self.write_object(addr, Object::Dict(mapping));
                }
                None => self.havoc_reachable(&Value::Obj(addr)),
            },
        }
        Ok(())
    }

    /// The keys as a sequence; the order of a set is not known.
    pub(crate) fn mapping_keys(&mut self, mapping: &Mapping, ordered: bool) -> Seq {
        let exact = mapping.open.is_none() && mapping.entries.values().all(|entry| entry.definite);
        let keys: Vec<Value> = mapping.entries.values().map(|entry| entry.key.clone()).collect();
        if exact && (ordered || keys.len() <= 1) {
            return Seq::exact(keys);
        }
        let mut all = keys.clone();
        if let Some(open) = &mapping.open {
            all.push(open.0.clone());
        }
        let element = self.any_of(&all);
        let len = if exact { Value::Int(keys.len() as i64) } else { self.any_natural() };
        Seq::open(Vec::new(), element, len)
    }

    pub(crate) fn set_of(&mut self, seq: &Seq) -> Flow<Mapping> {
        let mut mapping = Mapping::default();
        match seq {
            Seq::Exact(items) => {
                for item in items.iter() {
                    self.store_entry(&mut mapping, item, Value::None)?;
                }
            }
            Seq::Open(open) => mapping.open = Some(Arc::new((open.element.clone(), Value::None))),
        }
        Ok(mapping)
    }

    pub(crate) fn combine_sets(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Value {
        let mapping_of = |value: &Value| match value.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Set(mapping) | Object::FrozenSet(mapping)) => Some(mapping.clone()),
            _ => None,
        };
        let frozen = a.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::FrozenSet(_)));
        let unknown = || Mapping {
            entries: Arc::default(),
            open: Some(Arc::new((Value::Unknown(Reason::Operand), Value::None))),
        };
        let mapping = match (mapping_of(a), mapping_of(b)) {
            (Some(x), Some(y)) if x.open.is_none() && y.open.is_none() => {
                let mut entries = (*x.entries).clone();
                match op {
                    BinaryOperator::BitOr => {
                        entries.extend(y.entries.iter().map(|(key, entry)| (key.clone(), entry.clone())));
                    }
                    BinaryOperator::BitAnd => entries.retain(|key, _| y.entries.contains_key(key)),
                    BinaryOperator::Sub => entries.retain(|key, _| !y.entries.contains_key(key)),
                    _ => {
                        entries.retain(|key, _| !y.entries.contains_key(key));
                        let others = y.entries.iter().filter(|(key, _)| !x.entries.contains_key(*key));
                        entries.extend(others.map(|(key, entry)| (key.clone(), entry.clone())));
                    }
                }
                Mapping { entries: Arc::new(entries), open: None }
            }
            _ => unknown(),
        };
        self.new_object(if frozen { Object::FrozenSet(mapping) } else { Object::Set(mapping) })
    }
}

/// What a dictionary says about a key.
pub(crate) enum Lookup {
    Found(Value),
    Maybe,
    Missing,
}
