//! Joins and widening of values, objects and states: the thesis' joinVal and merge, alias-aware.
//!
//! Addresses are never merged: two objects that meet in one variable become a union of two addresses, so
//! that later writes through it reach both (each in its own fork). Objects under one address are joined part by part.

mod assumed;
mod exclusive;
mod objects;

use std::ops::Range;
use std::sync::Arc;

use pytrope_dims::{Dim, Store, Sym};
use rustc_hash::FxHashMap;

pub use self::assumed::AssumedJoins;
use crate::cond::Cond;
use crate::object::Object;
use crate::state::State;
use crate::symbols;
use crate::value::{Addr, BuiltinType, OpenSeq, Reason, Seq, UNION_LIMIT, Value};
use pytrope_trie::Trie;

/// A place in the state, mixed down to a number: widened integers are named by it, so that widening ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct JoinPlace(pub u64);

impl JoinPlace {
    pub fn child_place(self, step: u64) -> Self {
        let mixed =
            (self.0 ^ step.wrapping_mul(0x9E37_79B9_7F4A_7C15)).rotate_left(23).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        Self(mixed ^ (mixed >> 29))
    }
}

/// The memory of one loop under widening.
#[derive(Default, Debug)]
pub struct Widening {
    /// Symbols from this number on were born in the loop.
    pub first_symbol: u32,
    /// The symbol that stands for the integer at a place.
    pub symbols: FxHashMap<JoinPlace, Sym>,
    /// The array that stands for what meets at a place, where shapes are shown.
    pub arrays: FxHashMap<JoinPlace, Addr>,
    /// Give up on everything that still changes.
    pub force_top: bool,
}

/// Joins two states into one; remembers what escaped into Unknown on the way.
pub struct Joiner<'a> {
    pub widening: Option<&'a mut Widening>,
    /// Objects that may now be reached through an Unknown.
    pub escaped: Vec<Addr>,
    /// Arrays of which one stands for another from now on.
    pub confused: Vec<Addr>,
    /// Symbols made that are greater than natural numbers need be, with the least value they may have.
    pub declared: Vec<(Sym, i128)>,
    /// Objects of frozen modules, where a state has no copy of its own.
    pub frozen: &'a dyn Fn(Addr) -> Option<Object>,
    /// Keys of objects that no frozen module holds: made during this run.
    pub fresh: Range<u64>,
    /// The two states, for what their objects have in common.
    pub sides: Option<(&'a State, &'a State)>,
    /// What each side brings besides its state.
    pub brought: Option<(&'a Value, &'a Value)>,
    /// Greater than zero within what stands for many objects or elements: so do the integers in it.
    many: u32,
    /// Everything that is in use is held by a state, as between statements of the analysed code.
    pub settled: bool,
    /// Where shapes are shown: what is unknown is like what it meets.
    pub assumed: Option<AssumedJoins>,
}

impl<'a> Joiner<'a> {
    pub fn new(frozen: &'a dyn Fn(Addr) -> Option<Object>, fresh: Range<u64>) -> Self {
        Self {
            widening: None,
            escaped: Vec::new(),
            confused: Vec::new(),
            declared: Vec::new(),
            frozen,
            fresh,
            sides: None,
            brought: None,
            many: 0,
            settled: false,
            assumed: None,
        }
    }

    pub fn join_states(&mut self, a: &State, b: &State) -> State {
        let shared = self.fresh.clone();
        let joiner = std::cell::RefCell::new(&mut *self);
        let heap = Trie::join(
            &a.heap,
            &b.heap,
            &shared,
            &mut |key, x, y| {
                let joined = joiner.borrow_mut().join_objects(Addr(key), x, y);
                (joined != *x).then_some(joined)
            },
            &mut |key, object| {
                let mut joiner = joiner.borrow_mut();
                let frozen = (joiner.frozen)(Addr(key))?;
                Some(joiner.join_objects(Addr(key), object, &frozen))
            },
        );
        let mut heap = heap;
        for (addr, object) in self.assumed.iter_mut().flat_map(|assumed| assumed.made.drain(..)) {
            heap.insert(addr.0, object);
        }
        let mut store = Store::join(&a.store, &b.store);
        for (sym, least) in self.declared.drain(..) {
            if least > i128::MIN {
                store.declare(sym, least);
            }
        }
        let refined = if self.assumed.is_some() { a.all_refinements(b) } else { a.common_refinements(b) };
        State {
            heap,
            store,
            refined,
            certain_raises: a.certain_raises.min(b.certain_raises),
            settings: a.settings.join_settings(&b.settings),
        }
    }

    fn joined_integer(&mut self, place: JoinPlace, least: i128) -> Value {
        Value::Dim(Dim::symbol(self.joined_symbol(place, least)))
    }

    /// A symbol for the integer at a place.
    fn joined_symbol(&mut self, place: JoinPlace, least: i128) -> Sym {
        let many = self.many > 0;
        let make = || {
            let sym = if least >= 0 { symbols::fresh_natural() } else { symbols::fresh_symbol() };
            if many { symbols::summary_symbol(sym) } else { sym }
        };
        let sym = match &mut self.widening {
            Some(widening) => *widening.symbols.entry(place).or_insert_with(make),
            None => make(),
        };
        if least > 0 {
            self.declared.push((sym, least));
        }
        sym
    }

    /// Joins what stands for many.
    pub(super) fn among_many<T>(&mut self, join: impl FnOnce(&mut Self) -> T) -> T {
        self.many += 1;
        let joined = join(self);
        self.many -= 1;
        joined
    }

    /// Whether an expression may not survive the back edge of the loop at this place.
    fn is_stale(&self, place: JoinPlace, dim: &Dim) -> bool {
        let Some(widening) = &self.widening else { return false };
        let own = widening.symbols.get(&place).copied();
        if own.is_some() && dim.as_symbol() == own {
            return false;
        }
        dim.any_symbol(&mut |sym| symbols::is_younger(sym, widening.first_symbol))
    }

    /// Whether a value that did not change since the loop's head may stay.
    fn value_is_stale(&self, place: JoinPlace, value: &Value) -> bool {
        if self.widening.is_none() {
            return false;
        }
        match value {
            Value::Dim(dim) => self.is_stale(place, dim),
            Value::SymbolicBool(cond) => **cond != Cond::Opaque,
            Value::Tuple(Seq::Exact(items)) => {
                items.iter().enumerate().any(|(i, item)| self.value_is_stale(place.child_place(i as u64), item))
            }
            Value::Range(parts) | Value::Slice(parts) => {
                parts.iter().enumerate().any(|(i, item)| self.value_is_stale(place.child_place(i as u64), item))
            }
            Value::Union(values) => values.iter().any(|value| self.value_is_stale(place, value)),
            _ => false,
        }
    }

    pub fn join_values(&mut self, place: JoinPlace, a: &Value, b: &Value) -> Value {
        if a == b && !self.value_is_stale(place, a) {
            return a.clone();
        }
        let widen = self.widening.is_some();
        match (a, b) {
            (Value::Unknown(reason) | Value::UnknownNotNone(reason), other)
            | (other, Value::Unknown(reason) | Value::UnknownNotNone(reason)) => {
                if let Some(like) = self.like_known(place, other) {
                    return like;
                }
                self.escape_value(other);
                let present = a.excludes_none() && b.excludes_none();
                let same = a.reason() == b.reason();
                let reason = if same { *reason } else { reason.joined() };
                return if present { Value::UnknownNotNone(reason) } else { Value::Unknown(reason) };
            }
            (Value::Tuple(x), Value::Tuple(y)) => {
                let same_length = matches!((x.as_exact(), y.as_exact()), (Some(x), Some(y)) if x.len() == y.len());
                if same_length || widen {
                    return Value::Tuple(self.join_seqs(place, x, y));
                }
            }
            (Value::Range(x), Value::Range(y)) => return Value::Range(Arc::new(self.join_triples(place, x, y))),
            (Value::Slice(x), Value::Slice(y)) => return Value::Slice(Arc::new(self.join_triples(place, x, y))),
            _ => {}
        }
        let mut all: Vec<Value> = Vec::new();
        for value in a.alternatives().iter().chain(b.alternatives()) {
            if !all.contains(value) {
                all.push(value.clone());
            }
        }
        self.join_alternatives(place, all)
    }

    fn join_triples(&mut self, place: JoinPlace, x: &[Value; 3], y: &[Value; 3]) -> [Value; 3] {
        std::array::from_fn(|i| self.join_values(place.child_place(i as u64), &x[i], &y[i]))
    }

    /// One value for several alternatives, none of them a union or Unknown, in their order.
    pub fn join_alternatives(&mut self, place: JoinPlace, all: Vec<Value>) -> Value {
        let widen = self.widening.is_some();
        let of_builtin = |kind: BuiltinType| all.iter().filter(move |value| value.kind() == Some(kind));
        let strings = of_builtin(BuiltinType::Str).count();
        let any_str = strings > 1 && (widen || strings > 3 || all.contains(&Value::Top(BuiltinType::Str)));
        let ints = of_builtin(BuiltinType::Int).count();
        let any_int = ints > 3
            || ints > 1 && widen
            || of_builtin(BuiltinType::Int).any(|value| self.value_is_stale(place, value));
        let natural = !widen && of_builtin(BuiltinType::Int).all(is_natural);
        let mut kept: Vec<Value> = Vec::new();
        let mut integer = None;
        for value in &all {
            match value.kind() {
                Some(BuiltinType::Int) if any_int => {
                    if integer.is_none() {
                        let made = self.joined_integer(place, if natural { 0 } else { i128::MIN });
                        kept.push(made.clone());
                        integer = Some(made);
                    }
                }
                Some(BuiltinType::Str) if any_str => {
                    if !kept.contains(&Value::Top(BuiltinType::Str)) {
                        kept.push(Value::Top(BuiltinType::Str));
                    }
                }
                Some(kind @ (BuiltinType::Bool | BuiltinType::Float | BuiltinType::Complex | BuiltinType::Bytes)) => {
                    merge_kind(&mut kept, value.clone(), kind);
                }
                _ => kept.push(value.clone()),
            }
        }
        if kept.len() == 1 {
            return kept.swap_remove(0);
        }
        if kept.len() > UNION_LIMIT {
            self.merge_alike_arrays(&mut kept);
        }
        if kept.len() == 1 {
            return kept.swap_remove(0);
        }
        if kept.len() > UNION_LIMIT
            && let Some(one) = self.one_for_many(place, &kept)
        {
            return one;
        }
        if kept.len() > UNION_LIMIT {
            for value in &kept {
                self.escape_value(value);
            }
            return Value::Unknown(Reason::Joined);
        }
        Value::Union(Arc::new(kept))
    }

    /// Of arrays of one class, shape and dtype one stands for all, as where a name is read; its elements are forgotten.
    fn merge_alike_arrays(&mut self, values: &mut Vec<Value>) {
        let Some((a, b)) = self.sides else { return };
        let array = |addr: Addr| match a.get(addr).or_else(|| b.get(addr)) {
            Some(Object::Array(array)) => Some(array),
            _ => None,
        };
        let mut models: Vec<(Addr, &crate::object::Array)> = Vec::new();
        let mut forgotten: Vec<Addr> = Vec::new();
        values.retain(|value| {
            let Some((addr, found)) = value.addr().and_then(|addr| array(addr).map(|found| (addr, found))) else {
                return true;
            };
            let alike = models.iter().find(|(_, model)| {
                model.class == found.class && model.shape == found.shape && model.dtype == found.dtype
            });
            match alike {
                None => {
                    models.push((addr, found));
                    true
                }
                Some((model, _)) => {
                    forgotten.extend([*model, addr]);
                    false
                }
            }
        });
        self.confused.extend(&forgotten);
        forgotten.retain(|addr| array(*addr).is_some_and(|array| array.values.is_some()));
        self.escaped.append(&mut forgotten);
    }

    pub fn join_seqs(&mut self, place: JoinPlace, a: &Seq, b: &Seq) -> Seq {
        match (a, b) {
            (Seq::Exact(x), Seq::Exact(y)) if x.len() == y.len() => {
                if x.len() > 64 && x == y && self.widening.is_none() {
                    return a.clone();
                }
                Seq::exact(
                    x.iter()
                        .zip(y.iter())
                        .enumerate()
                        .map(|(i, (x, y))| self.join_values(place.child_place(i as u64), x, y))
                        .collect(),
                )
            }
            _ => {
                let (x, y) = (open_parts(a), open_parts(b));
                let shared = x.prefix.len().min(y.prefix.len());
                let shared = if self.widening.is_some() { shared.min(8) } else { shared };
                let prefix: Vec<Value> = (0..shared)
                    .map(|i| self.join_values(place.child_place(i as u64), &x.prefix[i], &y.prefix[i]))
                    .collect();
                let mut element: Option<Value> = None;
                let rest = x.prefix[shared..].iter().chain(&y.prefix[shared..]);
                for item in rest.chain(x.element.iter()).chain(y.element.iter()) {
                    element = Some(match element {
                        None => item.clone(),
                        Some(so_far) => {
                            self.among_many(|joiner| joiner.join_values(place.child_place(u64::MAX), &so_far, item))
                        }
                    });
                }
                let len = self.join_lengths(place.child_place(u64::MAX - 1), &x.len, &y.len);
                Seq::open(prefix, element.unwrap_or(Value::Unknown(Reason::Joined)), len)
            }
        }
    }

    fn join_lengths(&mut self, place: JoinPlace, a: &Value, b: &Value) -> Value {
        if a == b && !self.value_is_stale(place, a) {
            return a.clone();
        }
        self.joined_integer(place, 0)
    }

    /// Remembers objects that an Unknown may now stand for. Where shapes are shown, what is done to such an Unknown leaves them as
    /// they are: `for m in self.modules(): nn.init.zeros_(m.weight)`.
    pub fn escape_value(&mut self, value: &Value) {
        match value {
            _ if self.assumed.is_some() => {}
            Value::Obj(addr) => self.escaped.push(*addr),
            Value::Tuple(Seq::Exact(items)) => items.iter().for_each(|item| self.escape_value(item)),
            Value::Tuple(Seq::Open(open)) => {
                open.prefix.iter().for_each(|item| self.escape_value(item));
                self.escape_value(&open.element);
            }
            Value::Bound(bound) => self.escape_value(&bound.receiver),
            Value::Method(method) => self.escape_value(&method.receiver),
            Value::Union(values) => values.iter().for_each(|value| self.escape_value(value)),
            _ => {}
        }
    }
}

struct OpenParts {
    prefix: Vec<Value>,
    element: Option<Value>,
    len: Value,
}

fn open_parts(seq: &Seq) -> OpenParts {
    match seq {
        Seq::Exact(items) => OpenParts { prefix: items.to_vec(), element: None, len: Value::Int(items.len() as i64) },
        Seq::Open(open) => {
            let OpenSeq { prefix, element, len } = &**open;
            OpenParts { prefix: prefix.clone(), element: Some(element.clone()), len: len.clone() }
        }
    }
}

fn is_natural(value: &Value) -> bool {
    matches!(value, Value::Int(0..) | Value::Big(_))
}

/// Two different values of a kind become any value of it.
fn merge_kind(kept: &mut Vec<Value>, value: Value, kind: BuiltinType) {
    match kept.iter_mut().find(|other| other.kind() == Some(kind)) {
        None => kept.push(value),
        Some(other) if *other == value => {}
        Some(other) if kind == BuiltinType::Bool => *other = Value::SymbolicBool(Arc::new(Cond::Opaque)),
        Some(other) => *other = Value::Top(kind),
    }
}
