//! Objects that unknown code reaches: it may change them whenever it runs, not only when it is given them.
//!
//! What an operation of the program makes known of such an object holds until unknown code runs again. An object
//! that is stored in an Unknown has escaped too: what is stored through the Unknown may be stored in it.

use std::sync::Arc;

use indexmap::IndexSet;
use pytrope_dims::Store;
use pytrope_trie::{Pair, Trie};
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::ForeignEffect;
use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Object, Shape, Slots};
use crate::value::{Addr, Reason, Seq, Value};

/// The objects that have escaped.
#[derive(Clone, Default)]
pub(super) struct EscapedObjects {
    addresses: FxHashSet<Addr>,
    /// The heap as unknown code left it the last time: what has not been written since is as unknown as it was then.
    heap_after_foreign_run: Option<Trie<Object>>,
    /// The lists among them, in the order in which they escaped.
    lists: IndexSet<Addr, FxBuildHasher>,
    /// When their lengths were forgotten the last time.
    lengths_forgotten: Option<LengthsForgotten>,
}

/// How things stood when nothing was known of the lengths of the escaped lists.
#[derive(Clone)]
struct LengthsForgotten {
    store: Store,
    heap: Trie<Object>,
    /// How many lists had escaped.
    lists: usize,
}

impl EscapedObjects {
    pub fn extend_to_summary(&mut self, addr: Addr, summary: Addr) {
        if self.addresses.contains(&addr) {
            self.addresses.insert(summary);
        }
        if self.lists.contains(&addr) {
            self.lists.insert(summary);
        }
    }
}

impl Interp<'_> {
    /// Records that unknown code reaches an object from now on.
    pub(super) fn record_escaped_object(&mut self, addr: Addr) {
        self.run.escape.objects.addresses.insert(addr);
    }

    /// Records that unknown code reaches a list, and may make it longer or shorter whenever it runs.
    pub(super) fn record_escaped_list(&mut self, addr: Addr) {
        self.run.escape.objects.lists.insert(addr);
    }

    /// Unknown code runs: what conditions have told of the lengths of escaped lists since it ran last is no longer known.
    ///
    /// ```python
    /// calls = []
    /// listen(calls.append)
    /// assert len(calls) == 0    # a fact about a symbol, which changes nothing on the heap
    /// wait()
    /// calls[0]
    /// ```
    pub(crate) fn forget_escaped_lengths(&mut self) {
        let (state, lists) = (&self.run.state, &self.run.escape.objects.lists);
        if lists.is_empty() {
            return;
        }
        let is_told = |addr: &Addr| match state.get(*addr) {
            Some(Object::List(Seq::Open(open))) => match &open.len {
                Value::Dim(len) => len.any_symbol(&mut |sym| state.store.mentions(sym)),
                _ => false,
            },
            _ => false,
        };
        // Under the same facts only lists can be told of that have been written or have escaped since.
        let same_facts = self.run.escape.objects.lengths_forgotten.as_ref();
        let same_facts = same_facts.filter(|last| last.store.identity() == state.store.identity());
        let told: Vec<Addr> = match same_facts {
            Some(last) => {
                let mut told: IndexSet<Addr, FxBuildHasher> =
                    lists.iter().skip(last.lists).filter(|addr| is_told(addr)).copied().collect();
                last.heap.for_each_difference(&state.heap, &mut |key, _| {
                    if lists.contains(&Addr(key)) && is_told(&Addr(key)) {
                        told.insert(Addr(key));
                    }
                });
                // In the order in which they escaped, in which their new lengths are numbered.
                told.sort_by_key(|addr| lists.get_index_of(addr));
                told.into_iter().collect()
            }
            None => lists.iter().filter(|addr| is_told(addr)).copied().collect(),
        };
        for addr in told {
            let seq = self.open_seq(Value::Unknown(Reason::Changed));
            self.run.state.set(addr, Object::List(seq));
        }
        let lists = self.run.escape.objects.lists.len();
        let (store, heap) = (self.run.state.store.clone(), self.run.state.heap.clone());
        self.run.escape.objects.lengths_forgotten = Some(LengthsForgotten { store, heap, lists });
    }

    /// Whether unknown code has been given an object, or may have.
    pub(crate) fn has_escaped(&self, addr: Addr) -> bool {
        self.run.escape.objects.addresses.contains(&addr)
    }

    /// Records that unknown code reaches what a value stands for from now on.
    pub(crate) fn record_escaped_value(&mut self, value: &Value) {
        for addr in value.alternatives().iter().filter_map(Value::addr) {
            self.record_escaped_object(addr);
        }
    }

    /// Unknown code runs, or something is stored through an Unknown: applies the effect to every escaped object that has been
    /// written since unknown code ran last, and to what these reach.
    pub(crate) fn havoc_escaped_objects(&mut self, effect: ForeignEffect<'_>) {
        if !matches!(effect, ForeignEffect::Attribute(_)) {
            self.forget_escaped_lengths();
        }
        let own = self.run.frames.first().map(|frame| frame.code.module);
        // What belongs to another module of the program is reached by every importer of that module, unless nothing runs
        // beside the entry: then registries of other modules are changed by what is seen alone.
        let is_open_world = !self.analysis.program.closed_world && matches!(effect, ForeignEffect::Anything);
        let is_foreign = |addr: Addr| {
            is_open_world
                && Some(addr.module()) != own
                && !self.analysis.program.is_model(addr.module())
                && self.analysis.program.evaluated_module(addr.module()).is_some()
        };
        // Importers of this module reach the containers that its body has made.
        let is_global_container = |addr: Addr, object: Option<&Object>| {
            is_open_world
                && self.analysis.uncalled_entry
                && matches!(object, Some(Object::List(_) | Object::Dict(_) | Object::Set(_)))
                && self
                    .analysis
                    .program
                    .evaluated_module(addr.module())
                    .is_some_and(|module| !module.code.is_model && module.heap.get(addr).is_some())
        };
        let nothing = Trie::default();
        let mut pending: Vec<Addr> = Vec::new();
        self.run.escape.objects.heap_after_foreign_run.as_ref().unwrap_or(&nothing).for_each_difference(
            &self.run.state.heap,
            &mut |key, pair| {
                let addr = Addr(key);
                let object = match pair {
                    Pair::Left(_) => None,
                    Pair::Right(object) | Pair::Both(_, object) => Some(object),
                };
                let is_reached = self.run.escape.objects.addresses.contains(&addr);
                if is_reached || is_foreign(addr) || is_global_container(addr, object) {
                    pending.push(addr);
                }
            },
        );
        let mut seen = FxHashSet::default();
        while let Some(addr) = pending.pop() {
            if seen.insert(addr) {
                self.record_escaped_object(addr);
                self.apply_foreign_effect(addr, effect, &mut pending);
            }
        }
        if matches!(effect, ForeignEffect::Anything) {
            self.run.escape.objects.heap_after_foreign_run = Some(self.run.state.heap.clone());
        }
    }

    fn apply_foreign_effect(&mut self, addr: Addr, effect: ForeignEffect<'_>, pending: &mut Vec<Addr>) {
        match (self.object_at(addr), effect) {
            (Object::List(_) | Object::Dict(_) | Object::Set(_), ForeignEffect::Anything | ForeignEffect::Contents)
                if !self.is_havocked_container(addr) =>
            {
                self.havoc_reachable(&Value::Obj(addr));
            }
            (Object::Instance(instance), ForeignEffect::Anything) => {
                let mut changed: Vec<Name> = Vec::new();
                for (name, slot) in instance.attrs.iter() {
                    match &slot.value {
                        Value::Unknown(_) => {}
                        Value::Obj(held) => pending.push(*held),
                        // `logger.error = errors.append`: every call of the method changes the list.
                        Value::Bound(bound) => pending.extend(bound.receiver.addr()),
                        Value::Method(method) => pending.extend(method.receiver.addr()),
                        Value::Native(_) => {}
                        _ => changed.push(name),
                    }
                }
                let held: Vec<Value> = changed
                    .iter()
                    .filter_map(|name| instance.attrs.get(*name).map(|slot| slot.value.clone()))
                    .filter(|value| matches!(value, Value::Tuple(_) | Value::Union(_)))
                    .collect();
                if !changed.is_empty() || !instance.attrs.open {
                    self.change_instance(addr, |instance| {
                        instance.attrs.open = true;
                        for name in changed {
                            instance.attrs.set(name, Value::Unknown(Reason::Changed));
                        }
                    });
                }
                for value in held {
                    self.havoc_reachable(&value);
                }
            }
            (Object::Instance(instance), ForeignEffect::Attribute(name))
                if instance.attrs.get(*name).is_some_and(|slot| !slot.value.is_unknown()) =>
            {
                self.change_instance(addr, |instance| instance.attrs.set(*name, Value::Unknown(Reason::Changed)));
            }
            (Object::Function(function), ForeignEffect::Anything) if !function.attrs.map.is_empty() => {
                let mut function = (**function).clone();
                function.attrs = Slots { open: true, ..Slots::default() };
                self.write_object(addr, Object::Function(Arc::new(function)));
            }
            (Object::Class(class), ForeignEffect::Anything) if !class.features.is_model && class.kind.is_none() => {
                // Methods stay as they are defined; what else a class holds is state.
                let is_state = |value: &Value| !matches!(value, Value::Unknown(_) | Value::Obj(_) | Value::Native(_));
                let attributes = class.attrs.iter().filter(|(name, slot)| !name.is_dunder() && is_state(&slot.value));
                let changed: Vec<Name> = attributes.map(|(name, _)| name).collect();
                if !changed.is_empty() {
                    let mut class = (**class).clone();
                    for name in changed {
                        class.attrs.set(name, Value::Unknown(Reason::Changed));
                    }
                    self.write_object(addr, Object::Class(Arc::new(class)));
                }
            }
            (Object::Class(class), ForeignEffect::Attribute(name)) => {
                let has_it = class.attrs.get(*name).is_some_and(|slot| !slot.value.is_unknown());
                if has_it && !class.features.is_model && class.kind.is_none() {
                    let mut class = (**class).clone();
                    class.attrs.set(*name, Value::Unknown(Reason::Changed));
                    self.write_object(addr, Object::Class(Arc::new(class)));
                }
            }
            (Object::Array(_), ForeignEffect::Attribute(name)) if matches!(name.text(), "shape" | "dtype") => {
                self.update_array(&Value::Obj(addr), |array| {
                    array.shape = Shape::unknown();
                    array.dtype = Value::Unknown(Reason::Changed);
                });
            }
            (Object::Array(array), ForeignEffect::Anything | ForeignEffect::Contents)
                if array.values.is_some() || !array.attrs.map.is_empty() =>
            {
                self.forget_values(&Value::Obj(addr));
                if matches!(effect, ForeignEffect::Anything) {
                    self.havoc_array_attrs(addr);
                }
            }
            _ => {}
        }
    }

    /// Whether nothing is known of the contents of a container.
    fn is_havocked_container(&self, addr: Addr) -> bool {
        match self.object_at(addr) {
            Object::List(Seq::Exact(_)) => false,
            Object::List(Seq::Open(open)) => open.prefix.is_empty() && open.element.is_unknown(),
            Object::Dict(mapping) | Object::Set(mapping) => {
                mapping.entries.is_empty()
                    && mapping.open.as_ref().is_some_and(|open| open.0.is_unknown() && open.1.is_unknown())
            }
            _ => true,
        }
    }
}
