//! What a lazy iterator depends on: its items were computed when it was made, and hold as long as nothing of this has changed.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::Interp;
use crate::code::{Code, ScopeId};
use crate::names::Name;
use crate::object::{Array, Function, Iter, Key, Object};
use crate::state::State;
use crate::value::{Addr, Seq, Value};
use pytrope_trie::Pair;

/// How many objects one iterator may depend on before it is given up.
const LIMIT: usize = 400;

/// Something that must stay as it was.
#[derive(Clone, PartialEq, Debug)]
pub enum Dependency {
    Object(Addr, Object),
    /// The keys of a dictionary, whose values may change.
    Keys(Addr, Vec<Key>),
    Name(Addr, Name, Value),
}

impl Interp<'_> {
    /// Whether everything is as it was.
    pub(crate) fn is_current(&self, watched: &[Dependency]) -> bool {
        watched.iter().all(|watched| match watched {
            Dependency::Object(addr, then) => self.object_at(*addr) == then,
            Dependency::Keys(addr, keys) => match self.object_at(*addr) {
                Object::Dict(now) => now.open.is_none() && now.entries.keys().eq(keys),
                _ => false,
            },
            Dependency::Name(scope, name, then) => {
                self.scope_slots(*scope).and_then(|slots| slots.get(*name)).is_some_and(|slot| slot.value == *then)
            }
        })
    }

    /// Whether objects from before have changed, other than one scope.
    pub(crate) fn has_changed_since(&self, before: &State, own: Option<Addr>) -> bool {
        self.has_changed_among(before, before, own)
    }

    /// Whether objects that are there in one state have changed since another.
    pub(crate) fn has_changed_among(&self, there: &State, before: &State, own: Option<Addr>) -> bool {
        let mut changed = false;
        before.heap.for_each_difference(&self.run.state.heap, &mut |key, pair| {
            if let Pair::Both(x, y) = pair
                && Some(Addr(key)) != own
                && x != y
                && !has_forgotten(x, y)
                && !(self.analysis.assumes && has_learned(x, y))
                && there.get(Addr(key)).is_some()
            {
                changed = true;
            }
        });
        changed
    }

    /// A lazy iterator that was made from some values depends on them.
    pub(crate) fn watch_result(&mut self, result: &Value, inputs: &[Value]) {
        let Value::Obj(addr) = result else { return };
        let Object::Iter(iter) = self.object_at(*addr) else { return };
        if !iter.watched.is_empty() || inputs.contains(result) {
            return;
        }
        let watched = self.record_dependencies(inputs.iter());
        if !watched.is_empty() {
            let iter = Iter { watched: Arc::new(watched), ..iter.clone() };
            self.write_object(*addr, Object::Iter(iter));
        }
    }

    /// The containers among some values, and what iterators among them depend on.
    pub(crate) fn record_dependencies<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Vec<Dependency> {
        let mut watched = Vec::new();
        for value in values.flat_map(Value::alternatives) {
            let Value::Obj(addr) = value else { continue };
            match self.object_at(*addr) {
                object @ (Object::List(_) | Object::Dict(_) | Object::Set(_)) => {
                    watched.push(Dependency::Object(*addr, object.clone()));
                }
                Object::Iter(iter) => watched.extend(iter.watched.iter().cloned()),
                _ => {}
            }
        }
        watched
    }

    /// What a loop over a value depends on while it runs.
    pub(crate) fn watch_loop(&self, iterable: &Value) -> Vec<Dependency> {
        if let Value::Obj(addr) = iterable
            && let Object::Dict(mapping) = self.object_at(*addr)
            && mapping.open.is_none()
        {
            return vec![Dependency::Keys(*addr, mapping.entries.keys().cloned().collect())];
        }
        self.record_dependencies(std::iter::once(iterable))
    }

    /// Everything that a call of a function can look at; `None` if that is too much.
    pub(crate) fn watch_call(&self, function: &Function, scope: Addr) -> Option<Vec<Dependency>> {
        let mut pending: Vec<Value> = Vec::new();
        if let Some(slots) = self.scope_slots(scope) {
            pending.extend(slots.iter().map(|(_, slot)| slot.value.clone()));
        }
        self.watch_code(&function.code, function.id, &function.scopes, pending)
    }

    /// Everything that some code can look at through the names it mentions and through these values.
    pub(crate) fn watch_code(
        &self,
        code: &Code,
        id: ScopeId,
        scopes: &[Addr],
        mut pending: Vec<Value>,
    ) -> Option<Vec<Dependency>> {
        let mut watched = Vec::new();
        let mut seen = FxHashSet::default();
        self.watch_names(code, id, scopes, &mut watched, &mut pending);
        while let Some(value) = pending.pop() {
            if watched.len() > LIMIT {
                return None;
            }
            match value {
                Value::Obj(addr) if seen.insert(addr) => {
                    let object = self.object_at(addr);
                    match object {
                        Object::List(seq) => push_items(seq, &mut pending),
                        Object::Dict(mapping) | Object::Set(mapping) => {
                            pending.extend(mapping.entries.values().map(|entry| entry.value.clone()));
                        }
                        Object::Instance(instance) => {
                            pending.extend(instance.attrs.iter().map(|(_, slot)| slot.value.clone()));
                            pending.push(instance.class.clone());
                        }
                        Object::Function(inner) => {
                            if !inner.code.is_model {
                                self.watch_names(&inner.code, inner.id, &inner.scopes, &mut watched, &mut pending);
                            }
                            continue;
                        }
                        Object::Class(class) if class.features.is_model || class.kind.is_some() => continue,
                        Object::Module(_) => continue,
                        _ => {}
                    }
                    watched.push(Dependency::Object(addr, object.clone()));
                }
                Value::Tuple(seq) => push_items(&seq, &mut pending),
                Value::Bound(bound) => pending.extend([bound.receiver.clone(), bound.function.clone()]),
                Value::Method(method) => pending.push(method.receiver.clone()),
                Value::Union(values) => pending.extend(values.iter().cloned()),
                _ => {}
            }
        }
        Some(watched)
    }

    /// The names from outside that a function mentions.
    fn watch_names(
        &self,
        code: &Code,
        id: ScopeId,
        scopes: &[Addr],
        watched: &mut Vec<Dependency>,
        pending: &mut Vec<Value>,
    ) {
        for (scope, name, value) in self.mentioned_names(code, id, scopes) {
            pending.push(value.clone());
            watched.push(Dependency::Name(scope, name, value));
        }
    }

    /// The names from outside that a function mentions, where they are bound and to what.
    fn mentioned_names(&self, code: &Code, id: ScopeId, scopes: &[Addr]) -> Vec<(Addr, Name, Value)> {
        let info = code.scope_info(id);
        let mut found = Vec::new();
        for &name in &info.mentions {
            if info.binds(name) {
                continue;
            }
            let name = code.name_of(name);
            for scope in scopes.iter().rev() {
                if let Some(slot) = self.scope_slots(*scope).and_then(|slots| slots.get(name)) {
                    found.push((*scope, name, slot.value.clone()));
                    break;
                }
            }
        }
        found
    }
}

/// Whether less is known of an array than before, and nothing else: that holds at any time.
fn has_forgotten(before: &Object, after: &Object) -> bool {
    let (Object::Array(before), Object::Array(after)) = (before, after) else { return false };
    let dtype = if after.dtype.is_unknown() { after.dtype.clone() } else { before.dtype.clone() };
    **after == Array { values: None, dtype, ..Array::clone(before) }
}

fn push_items(seq: &Seq, pending: &mut Vec<Value>) {
    match seq {
        Seq::Exact(items) => pending.extend(items.iter().cloned()),
        Seq::Open(open) => {
            pending.extend(open.prefix.iter().cloned());
            pending.push(open.element.clone());
        }
    }
}

/// Whether more is known of an array than before, and it is the same array.
fn has_learned(before: &Object, after: &Object) -> bool {
    match (before, after) {
        (Object::Array(x), Object::Array(y)) => x.class == y.class && x.shape.rank().is_none(),
        _ => false,
    }
}
