//! The join of two objects under one address.

use std::sync::Arc;

use pytrope_dims::Dim;

use super::{JoinPlace, Joiner};
use crate::object::{
    Array, Class, Entry, Function, Instance, Iter, IterSource, Mapping, Object, Property, Shape, Slot, Slots,
};
use crate::value::{Addr, Reason, Value};
use pytrope_trie::{Pair, Trie};

impl Joiner<'_> {
    pub fn join_objects(&mut self, addr: Addr, a: &Object, b: &Object) -> Object {
        if addr.is_summary() {
            return self.among_many(|joiner| joiner.join_parts(addr, a, b));
        }
        self.join_parts(addr, a, b)
    }

    fn join_parts(&mut self, addr: Addr, a: &Object, b: &Object) -> Object {
        let place = JoinPlace(addr.0);
        match (a, b) {
            (Object::Scope(x), Object::Scope(y)) => Object::Scope(self.join_slots(place, x, y)),
            (Object::List(x), Object::List(y)) => Object::List(self.join_seqs(place, x, y)),
            (Object::Dict(x), Object::Dict(y)) => Object::Dict(self.join_mappings(place, x, y)),
            (Object::Set(x), Object::Set(y)) => Object::Set(self.join_mappings(place, x, y)),
            (Object::FrozenSet(x), Object::FrozenSet(y)) => Object::FrozenSet(self.join_mappings(place, x, y)),
            (Object::Instance(x), Object::Instance(y)) => Object::Instance(Arc::new(Instance {
                class: self.join_values(place.child_place(1), &x.class, &y.class),
                attrs: self.join_slots(place, &x.attrs, &y.attrs),
                content: match (&x.content, &y.content) {
                    (Some(x), Some(y)) => Some(self.join_values(place.child_place(2), x, y)),
                    _ => None,
                },
            })),
            (Object::Class(x), Object::Class(y)) => {
                if Arc::ptr_eq(x, y) {
                    return a.clone();
                }
                if x.mro != y.mro {
                    return Object::Unknown;
                }
                Object::Class(Arc::new(Class {
                    attrs: self.join_slots(place, &x.attrs, &y.attrs),
                    open: x.open || y.open,
                    ..(**x).clone()
                }))
            }
            (Object::Function(x), Object::Function(y)) => {
                if Arc::ptr_eq(x, y) || x == y {
                    return a.clone();
                }
                if x.id != y.id || x.code != y.code || x.scopes != y.scopes {
                    return Object::Unknown;
                }
                let defaults = x.defaults.iter().zip(y.defaults.iter()).enumerate();
                let defaults = defaults
                    .map(|(i, ((name, x), (_, y)))| (*name, self.join_values(place.child_place(i as u64), x, y)))
                    .collect();
                Object::Function(Arc::new(Function {
                    attrs: self.join_slots(place, &x.attrs, &y.attrs),
                    defaults: Arc::new(defaults),
                    ..(**x).clone()
                }))
            }
            (Object::Module(x), Object::Module(y)) if x == y => a.clone(),
            (Object::Array(x), Object::Array(y)) => Object::Array(match self.only_holder(addr, x, y) {
                Some(array) => Arc::clone(array),
                None => Arc::new(self.join_arrays(place, x, y)),
            }),
            (Object::Iter(x), Object::Iter(y)) => Object::Iter(self.join_iterators(place, x, y)),
            (Object::Property(x), Object::Property(y)) => Object::Property(Arc::new(Property {
                get: self.join_values(place.child_place(1), &x.get, &y.get),
                set: self.join_values(place.child_place(2), &x.set, &y.set),
                delete: self.join_values(place.child_place(3), &x.delete, &y.delete),
            })),
            (Object::StaticMethod(x), Object::StaticMethod(y)) => Object::StaticMethod(self.join_values(place, x, y)),
            (Object::ClassMethod(x), Object::ClassMethod(y)) => Object::ClassMethod(self.join_values(place, x, y)),
            _ if a == b => a.clone(),
            _ => Object::Unknown,
        }
    }

    /// The join with an object of which what was there before is joined already.
    pub fn objects_since(&mut self, addr: Addr, so_far: &Object, before: &Object, now: &Object) -> Object {
        match (so_far, before, now) {
            (Object::Scope(so_far), Object::Scope(before), Object::Scope(now)) if before.open == now.open => {
                Object::Scope(self.slots_since(JoinPlace(addr.0), so_far, before, now))
            }
            _ => self.join_objects(addr, so_far, now),
        }
    }

    fn slots_since(&mut self, place: JoinPlace, so_far: &Slots, before: &Slots, now: &Slots) -> Slots {
        let is_open = (so_far.open, now.open);
        Slots {
            map: self.bindings_since(place, [&so_far.map, &before.map, &now.map], is_open),
            declared: self.bindings_since(place, [&so_far.declared, &before.declared, &now.declared], is_open),
            open: so_far.open,
        }
    }

    fn bindings_since(
        &mut self,
        place: JoinPlace,
        [so_far, before, now]: [&Trie<Slot>; 3],
        (so_far_open, now_open): (bool, bool),
    ) -> Trie<Slot> {
        let mut joined = so_far.clone();
        before.for_each_difference(now, &mut |key, pair| {
            let slot = match (so_far.get(key), pair) {
                (Some(x), Pair::Both(_, y) | Pair::Right(y)) => {
                    let value = self.join_values(place.child_place(key), &x.value, &y.value);
                    Slot { value, definite: x.definite && y.definite }
                }
                (None, Pair::Both(_, y) | Pair::Right(y)) => self.slot_alone(y, so_far_open),
                (Some(x), Pair::Left(_)) => self.slot_alone(x, now_open),
                (None, Pair::Left(_)) => return,
            };
            if so_far.get(key) != Some(&slot) {
                joined.insert(key, slot);
            }
        });
        joined
    }

    /// A slot that only one side has.
    fn slot_alone(&mut self, slot: &Slot, other_open: bool) -> Slot {
        let value = if other_open {
            self.escape_value(&slot.value);
            Value::Unknown(Reason::Joined)
        } else {
            slot.value.clone()
        };
        Slot { value, definite: false }
    }

    pub fn join_slots(&mut self, place: JoinPlace, a: &Slots, b: &Slots) -> Slots {
        let is_open = (a.open, b.open);
        Slots {
            map: self.join_bindings(place, &a.map, &b.map, is_open),
            declared: self.join_bindings(place, &a.declared, &b.declared, is_open),
            open: a.open || b.open,
        }
    }

    fn join_bindings(&mut self, place: JoinPlace, a: &Trie<Slot>, b: &Trie<Slot>, is_open: (bool, bool)) -> Trie<Slot> {
        let mut map = a.clone();
        let mut changes = Vec::new();
        a.for_each_difference(b, &mut |key, pair| {
            let (slot, other_open) = match pair {
                Pair::Left(slot) => (slot, is_open.1),
                Pair::Right(slot) => (slot, is_open.0),
                Pair::Both(x, y) => {
                    let value = self.join_values(place.child_place(key), &x.value, &y.value);
                    let joined = Slot { value, definite: x.definite && y.definite };
                    if joined != *x {
                        changes.push((key, joined));
                    }
                    return;
                }
            };
            changes.push((key, self.slot_alone(slot, other_open)));
        });
        for (key, slot) in changes {
            map.insert(key, slot);
        }
        map
    }

    fn join_mappings(&mut self, place: JoinPlace, a: &Mapping, b: &Mapping) -> Mapping {
        if a == b && self.widening.is_none() {
            return a.clone();
        }
        let mut entries = (*a.entries).clone();
        for (i, (key, entry)) in entries.iter_mut().enumerate() {
            match b.entries.get(key) {
                Some(other) => {
                    entry.value = self.join_values(place.child_place(i as u64), &entry.value, &other.value);
                    entry.definite &= other.definite;
                }
                None => entry.definite = false,
            }
        }
        for (key, entry) in b.entries.iter() {
            if !a.entries.contains_key(key) {
                entries.insert(key.clone(), Entry { definite: false, ..entry.clone() });
            }
        }
        let mut open = match (&a.open, &b.open) {
            (Some(x), Some(y)) => Some(Arc::new(self.among_many(|joiner| {
                let key = joiner.join_values(place.child_place(u64::MAX), &x.0, &y.0);
                (key, joiner.join_values(place.child_place(u64::MAX - 1), &x.1, &y.1))
            }))),
            (Some(x), None) | (None, Some(x)) => Some(Arc::clone(x)),
            (None, None) => None,
        };
        if self.widening.is_some() && entries.len() > a.entries.len() && a.entries.len() > 8 {
            // A dictionary that grows from one iteration to the next.
            for entry in entries.values() {
                self.escape_value(&entry.value);
            }
            entries.clear();
            open = Some(Arc::new((Value::Unknown(Reason::Joined), Value::Unknown(Reason::Joined))));
        }
        Mapping { entries: Arc::new(entries), open }
    }

    fn join_dims(&mut self, place: JoinPlace, a: &[Dim], b: &[Dim]) -> Vec<Dim> {
        a.iter()
            .zip(b)
            .enumerate()
            .map(|(axis, (x, y))| {
                let place = place.child_place(axis as u64);
                if x == y && !self.is_stale(place, x) { x.clone() } else { Dim::symbol(self.joined_symbol(place, 0)) }
            })
            .collect()
    }

    pub fn join_shapes(&mut self, place: JoinPlace, a: &Shape, b: &Shape) -> Shape {
        match (a, b) {
            (Shape::Known(x), Shape::Known(y)) if x.len() == y.len() => Shape::known(self.join_dims(place, x, y)),
            (Shape::Known(x) | Shape::Prefix(x), Shape::Known(y) | Shape::Prefix(y)) => {
                Shape::Prefix(Arc::new(self.join_dims(place, x, y)))
            }
            (Shape::Known(x) | Shape::Suffix(x), Shape::Known(y) | Shape::Suffix(y)) => {
                let common = x.len().min(y.len());
                Shape::ending(self.join_dims(place, &x[x.len() - common..], &y[y.len() - common..]))
            }
            (Shape::Prefix(_), Shape::Suffix(_)) | (Shape::Suffix(_), Shape::Prefix(_)) => Shape::unknown(),
        }
    }

    fn join_arrays(&mut self, place: JoinPlace, a: &Array, b: &Array) -> Array {
        Array {
            class: self.join_values(place.child_place(101), &a.class, &b.class),
            shape: match self.rank_of_one_side(place, a, b) {
                Some(shape) => shape,
                None => self.join_shapes(place, &a.shape, &b.shape),
            },
            rank: self.join_ranks(place.child_place(104), a, b),
            dtype: self.join_values(place.child_place(102), &a.dtype, &b.dtype),
            values: if a.values == b.values { a.values.clone() } else { None },
            attrs: self.join_slots(place.child_place(103), &a.attrs, &b.attrs),
            memory: self.join_links(place.child_place(105), a.memory.as_ref(), b.memory.as_ref()),
            may_equal: self.join_links(place.child_place(106), a.may_equal.as_ref(), b.may_equal.as_ref()),
            born: a.born.clone(),
        }
    }

    /// The symbol of an open rank that both paths know; where shapes are shown, that of the one path on which it was asked for. An array
    /// that another path has made with a rank of its own (`x = x.flatten(2)`) does not have that rank.
    fn join_ranks(&mut self, place: JoinPlace, a: &Array, b: &Array) -> Option<Dim> {
        let is_open = a.shape.rank().is_none() && b.shape.rank().is_none();
        let rank = match (&a.rank, &b.rank) {
            (Some(x), Some(y)) if x == y => x,
            // Asked for on both paths, each by itself.
            (Some(_), Some(_)) if self.assumed.is_some() && is_open => {
                return Some(Dim::symbol(self.joined_symbol(place, 0)));
            }
            (Some(rank), None) if self.assumed.is_some() && b.shape.rank().is_none() => rank,
            (None, Some(rank)) if self.assumed.is_some() && a.shape.rank().is_none() => rank,
            _ => return None,
        };
        (!self.is_stale(place, rank)).then(|| rank.clone())
    }

    /// What an array is related to on either path.
    fn join_links(&mut self, place: JoinPlace, a: Option<&Value>, b: Option<&Value>) -> Option<Value> {
        match (a, b) {
            (Some(x), Some(y)) => Some(self.join_values(place, x, y)),
            (x, y) => x.or(y).cloned(),
        }
    }

    fn join_iterators(&mut self, place: JoinPlace, a: &Iter, b: &Iter) -> Iter {
        let source = match (&a.source, &b.source) {
            (IterSource::Items(x), IterSource::Items(y)) => IterSource::Items(self.join_seqs(place, x, y)),
            (IterSource::View(x), IterSource::View(y)) => IterSource::View(self.join_seqs(place, x, y)),
            (x, y) if x == y => x.clone(),
            _ => IterSource::Unknown,
        };
        let same = a.taken == b.taken && a.watched == b.watched;
        let watched = if same { std::sync::Arc::clone(&a.watched) } else { std::sync::Arc::default() };
        let source = if a.watched == b.watched { source } else { IterSource::Unknown };
        Iter { source, taken: if same { a.taken } else { None }, watched }
    }
}
