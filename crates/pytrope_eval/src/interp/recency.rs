//! Objects that stand for many: what a place of the program has made in the earlier iterations of a loop.
//!
//! Within a iteration, an object that was made in it is one object, and what is done to it is done to it alone. At the end of
//! the iteration it joins those of the earlier iterations: from then on one object, with an address of its own ([`Addr::many`]),
//! stands for all of them. What is written through that address may be written to any of them, so that what was there
//! before stays possible; sizes that differ from one to the next are symbols that nothing is learned of ([`Sym::SUMMARY`]).
//! This is the recency abstraction of Balakrishnan and Reps, kept loop by loop.

use std::sync::Arc;

use pytrope_dims::{Dim, Sym};
use pytrope_trie::Pair;
use rustc_hash::FxHashMap;

use super::summarize_iteration::Retiring;
use super::{Flow, Interp};
use crate::join::{Joiner, Widening};
use crate::names::Name;
use crate::object::{Array, Object, Shape};
use crate::renaming::Renaming;
use crate::state::State;
use crate::value::{Addr, Reason, Seq, Value};

/// Allocation while some loop is widened: the same site gets the same address in each pass.
#[derive(Clone, Default)]
pub(crate) struct Sites {
    /// How many loops are being widened.
    pub depth: u32,
    memo: FxHashMap<(u64, u32), Addr>,
    counts: FxHashMap<u64, u32>,
    /// How many pieces of code are open that run once in place of many times.
    iterations: u32,
    /// What has been made in them.
    made: Vec<Addr>,
}

/// How often each place had made something before a pass.
pub(crate) struct Counts(FxHashMap<u64, u32>);

/// The beginning of a iteration that stands for many.
pub(crate) struct Turn(usize);

/// How a piece of code stands for many runs of it.
pub(crate) enum IterationKind<'a> {
    /// It runs from wider and wider states.
    Widened(&'a mut Widening),
    /// It runs once; symbols from this mark on were made in it.
    Once(u32),
}

/// What stands for an object of a iteration once the iteration is over.
fn successor(addr: Addr, state: &State) -> Addr {
    let Some(Object::Array(array)) = state.get(addr) else { return addr.summary() };
    // One of many that has been looked at is one of many again.
    match array.attrs.get(Name::ORIGIN).map(|slot| &slot.value) {
        Some(Value::Obj(origin)) if origin.is_summary() => *origin,
        _ => addr.summary(),
    }
}

impl Interp<'_> {
    /// Puts a new object on the heap.
    pub fn alloc(&mut self, object: Object) -> Addr {
        if self.run.sites.iterations == 0 {
            let addr = self.next_address_here();
            self.run.state.set(addr, object);
            return addr;
        }
        let addr = if self.run.sites.depth == 0 { self.next_address_here() } else { self.address_of_site() };
        self.run.sites.made.push(addr);
        self.run.state.set(addr, object);
        addr
    }

    fn next_address_here(&mut self) -> Addr {
        let addr = Addr::new(self.analysis.module, self.run.addresses.next);
        self.run.addresses.next += 1;
        addr
    }

    /// The address that this place of the program had in earlier passes of the loop, or a new one.
    fn address_of_site(&mut self) -> Addr {
        let (path, node) = match self.run.frames.last() {
            Some(frame) => (frame.path, (u64::from(frame.node.start) << 32) | u64::from(frame.node.end)),
            None => (0, 0),
        };
        let site = path.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ node.wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let count = self.run.sites.counts.entry(site).or_default();
        *count += 1;
        let key = (site, *count);
        match self.run.sites.memo.get(&key) {
            Some(addr) if self.run.state.get(*addr).is_none() => *addr,
            _ => {
                let addr = self.next_address_here();
                self.run.sites.memo.insert(key, addr);
                addr
            }
        }
    }

    /// Addresses that are given out without [`Self::alloc`].
    pub(crate) fn record_made(&mut self, first: Addr, count: u32) {
        if self.run.sites.iterations > 0 {
            self.run.sites.made.extend((0..count).map(|number| Addr(first.0 + u64::from(number))));
        }
    }

    pub(crate) fn enter_widened(&mut self) -> Counts {
        self.run.sites.depth += 1;
        Counts(self.run.sites.counts.clone())
    }

    pub(crate) fn restart_counts(&mut self, counts: &Counts) {
        self.run.sites.counts.clone_from(&counts.0);
    }

    pub(crate) fn leave_widened(&mut self) {
        self.run.sites.depth -= 1;
        if self.run.sites.depth == 0 {
            self.run.sites.memo.clear();
            self.run.sites.counts.clear();
        }
    }

    /// Code runs once from here in place of many times.
    pub(crate) fn begin_iteration(&mut self) -> Turn {
        self.run.sites.iterations += 1;
        Turn(self.run.sites.made.len())
    }

    pub(crate) fn end_iteration(&mut self, _: Turn) {
        self.run.sites.iterations -= 1;
        if self.run.sites.iterations == 0 {
            self.run.sites.made.clear();
        }
    }

    /// Runs code once that stands for many runs of it; symbols from the mark on are those of one of them.
    pub(crate) fn once_for_many(&mut self, first_symbol: u32, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.run.state.clone();
        let iteration = self.begin_iteration();
        let mut result = run(self);
        if let Ok(value) = &mut result {
            let after = std::mem::take(&mut self.run.state);
            self.run.state =
                self.summarize_iteration(&iteration, &before, after, [value], IterationKind::Once(first_symbol));
        }
        self.end_iteration(iteration);
        result
    }

    /// What the iteration has made joins what the same places made in earlier iterations. The values that come with the state are
    /// changed along with it.
    pub(crate) fn summarize_iteration<'v>(
        &mut self,
        iteration: &Turn,
        before: &State,
        after: State,
        values: impl IntoIterator<Item = &'v mut Value>,
        iterations: IterationKind<'_>,
    ) -> State {
        let made: FxHashMap<Addr, Addr> =
            self.run.sites.made[iteration.0..].iter().map(|addr| (*addr, successor(*addr, &after))).collect();
        let (widening, first_symbol) = match iterations {
            IterationKind::Widened(widening) => (Some(widening), None),
            IterationKind::Once(first_symbol) => (None, Some(first_symbol)),
        };
        let mut retiring = Retiring::new(&made, first_symbol);
        for value in values {
            retiring.replace(value);
        }
        let mut changed: Vec<(Addr, Object)> = Vec::new();
        before.heap.for_each_difference(&after.heap, &mut |key, pair| {
            if let Pair::Both(_, object) | Pair::Right(object) = pair {
                let addr = Addr(key);
                let renamed = if made.contains_key(&addr) { retiring.object(object) } else { retiring.renamed(object) };
                changed.extend(renamed.map(|object| (addr, object)));
            }
        });
        let Retiring { symbols, mut escaped, .. } = retiring;
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        let widens = widening.is_some();
        joiner.widening = widening;
        let mut state = after;
        for (sym, many) in symbols {
            let bounds = state.store.bounds(&Dim::symbol(sym));
            state.store.declare_in(many, bounds);
            if let Some(name) = self.run.symbols.given(sym) {
                self.run.symbols.set(many, &name);
            }
        }
        for (addr, object) in changed {
            let Some(&many) = made.get(&addr) else {
                state.set(addr, object);
                continue;
            };
            state.heap.remove(addr.0);
            let joined = match state.get(many) {
                Some(old) => joiner.objects(many, old, &object),
                // With itself, so that what is known of this iteration alone is forgotten.
                None if widens => joiner.objects(many, &object, &object),
                None => object,
            };
            state.set(many, joined);
            self.run.escaped.extend_to_summary(addr, many);
            self.extend_given_to_summary(addr, many);
        }
        for (sym, least) in joiner.declared {
            if least > i128::MIN {
                state.store.declare(sym, least);
            }
        }
        escaped.append(&mut joiner.escaped);
        self.after_join(state, &escaped, &[])
    }

    /// Changes an object; where it stands for many, what was there before stays possible.
    pub fn write(&mut self, addr: Addr, object: Object) {
        if !addr.is_summary() {
            self.run.state.set(addr, object);
            return;
        }
        let old = self.object(addr).clone();
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        let joined = joiner.objects(addr, &old, &object);
        for (sym, least) in joiner.declared {
            if least > i128::MIN {
                self.run.state.store.declare(sym, least);
            }
        }
        let escaped = joiner.escaped;
        self.run.state.set(addr, joined);
        for addr in escaped {
            self.havoc(&Value::Obj(addr));
        }
    }

    /// Where to find an object that was made here, once the iteration may be over.
    pub(crate) fn latest(&self, addr: Addr) -> Addr {
        let is_there = self.run.state.get(addr).is_some() || self.analysis.program.frozen_object(addr).is_some();
        if is_there { addr } else { addr.summary() }
    }

    /// Whether a value, or a size in it, stands for many.
    fn is_general(&self, value: &Value) -> bool {
        match value {
            Value::Dim(dim) => dim.any_symbol(&mut Sym::is_summary),
            Value::Obj(addr) => addr.is_summary() && self.is_general_array(*addr),
            Value::Tuple(Seq::Exact(items)) => items.iter().any(|item| self.is_general(item)),
            Value::Union(values) => values.iter().any(|value| self.is_general(value)),
            _ => false,
        }
    }

    /// Whether arrays that one stands for may differ in shape.
    fn is_general_array(&self, addr: Addr) -> bool {
        let Object::Array(array) = self.object(addr) else { return false };
        match &array.shape {
            Shape::Known(dims) => dims.iter().any(|dim| dim.any_symbol(&mut Sym::is_summary)),
            Shape::Prefix(_) | Shape::Suffix(_) => true,
        }
    }

    /// One of the many that a value stands for, as it is when it is looked at: its sizes have names of their own.
    pub(crate) fn one_of_many(&mut self, value: Value) -> Value {
        if !self.is_general(&value) {
            return value;
        }
        match &value {
            Value::Dim(_) => self.instantiate(&value),
            Value::Tuple(Seq::Exact(items)) => {
                let items = items.clone();
                Value::tuple(items.iter().map(|item| self.one_of_many(item.clone())).collect())
            }
            Value::Obj(addr) => self.one_array(*addr),
            Value::Union(values) => {
                let values = Arc::clone(values);
                let values = values.iter().map(|value| self.one_of_many(value.clone())).collect();
                Value::Union(Arc::new(values))
            }
            _ => value,
        }
    }

    /// An array of which it is known that it is one of many, and no more: what becomes known of it is known of it alone.
    fn one_array(&mut self, origin: Addr) -> Value {
        let Object::Array(array) = self.object(origin) else { return Value::Obj(origin) };
        let mut one = Array::clone(array);
        let mut dims: Vec<Dim> = one.shape.dims().to_vec();
        for dim in &mut dims {
            if dim.any_symbol(&mut Sym::is_summary)
                && let Some(fresh) = self.instantiate(&Value::Dim(dim.clone())).as_dim()
            {
                *dim = fresh;
            }
        }
        one.shape = one.shape.with_dims(dims);
        one.values = None;
        one.rank = None;
        one.attrs.set(Name::ORIGIN, Value::Obj(origin));
        self.new_object(Object::Array(Arc::new(one)))
    }

    /// Whether an object may be the same as others of another address.
    pub(crate) fn is_one_of_many(&self, addr: Addr) -> bool {
        matches!(self.object(addr), Object::Array(array) if array.attrs.get(Name::ORIGIN).is_some())
    }

    /// Of these arrays it cannot be told which is meant by one of them, or whether they are the same.
    pub fn mark_may_alias(&mut self, arrays: &[Value]) {
        let Some(first) = arrays.first() else { return };
        for array in arrays {
            if !array.addr().is_some_and(|addr| self.may_alias(addr)) {
                self.update_array(array, |array| array.attrs.set(Name::ORIGIN, first.clone()));
            }
        }
    }

    /// Whether what is done to this array may be done to another instead.
    pub fn may_alias(&self, addr: Addr) -> bool {
        let Object::Array(array) = self.object(addr) else { return false };
        array.attrs.get(Name::ORIGIN).is_some_and(|slot| !slot.value.addr().is_some_and(Addr::is_summary))
    }

    /// An array has got another shape or dtype in place: so have all that may be the same.
    pub fn reshaped_in_place(&mut self, value: &Value) {
        let Some(addr) = value.addr() else { return };
        if !addr.is_summary() && !self.is_one_of_many(addr) {
            return;
        }
        let others: Vec<Addr> = self
            .run
            .state
            .heap
            .iter()
            .map(|(key, _)| Addr(key))
            .filter(|other| {
                (*other != addr || self.may_alias(addr)) && (other.is_summary() || self.is_one_of_many(*other))
            })
            .collect();
        for other in others {
            self.update_array(&Value::Obj(other), |array| {
                array.shape = Shape::unknown();
                array.dtype = Value::Unknown(Reason::Changed);
            });
        }
    }

    /// The value of a name, an attribute or an item where one of many is looked at.
    pub(crate) fn looked_up(&mut self, owner: Option<Addr>, value: Value) -> Value {
        if may_stand_for_many(owner, &value) { self.one_of_many(value) } else { value }
    }

    /// The value of a name: where it is one of many, the name holds that one from then on.
    pub(crate) fn name_looked_up(&mut self, scope: Addr, name: Name, value: Value) -> Value {
        if !may_stand_for_many(Some(scope), &value) {
            return value;
        }
        let one = self.one_of_many(value.clone());
        if one != value
            && !scope.is_summary()
            && let Object::Scope(slots) = self.object(scope)
            && slots.get(name).is_some_and(|slot| slot.definite)
        {
            self.bind_in(scope, name, one.clone());
        }
        one
    }
}

/// Whether a value that somebody holds may stand for many, itself or by a size in it.
fn may_stand_for_many(owner: Option<Addr>, value: &Value) -> bool {
    match value {
        Value::Obj(addr) => addr.is_summary(),
        Value::Union(_) => true,
        Value::Dim(_) | Value::Tuple(_) => owner.is_none_or(Addr::is_summary),
        _ => false,
    }
}
