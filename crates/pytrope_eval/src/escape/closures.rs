//! Functions, methods and classes that unknown code may call, and the variables they change when it does.
//!
//! ```python
//! total = 0
//! def add(x):
//!     global total
//!     total += x
//! register(add)    # `add` escapes, and with it the binding `total`
//! run()            # unknown code runs: `total` is not known any more
//! ```

use pytrope_trie::Trie;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Class, Instance, Object};
use crate::value::{Addr, Reason, Value};

/// How unknown code can change a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    /// An escaped function may change the object that a variable of a function holds.
    Local,
    /// The same for a variable of a module.
    Global,
    /// An escaped function may rebind the variable.
    Binding,
}

/// Functions, classes and receivers that have escaped, and the variables that they capture.
#[derive(Clone, Default)]
pub(super) struct EscapedClosures {
    variables: Vec<(Addr, Name, Access)>,
    accesses: FxHashMap<(Addr, Name), Vec<Access>>,
    pub functions: FxHashSet<Addr>,
    pub classes: FxHashSet<Addr>,
    /// Objects whose methods unknown code may call, in the order of their escape.
    receivers: Vec<Addr>,
    is_receiver: FxHashSet<Addr>,
    /// The heap as unknown code left it the last time.
    heap_after_foreign_run: Option<Trie<Object>>,
}

impl EscapedClosures {
    pub fn record_variable(&mut self, scope: Addr, name: Name, access: Access) {
        let accesses = self.accesses.entry((scope, name)).or_default();
        if !accesses.contains(&access) {
            accesses.push(access);
            self.variables.push((scope, name, access));
            // Its object has not been looked at yet.
            self.heap_after_foreign_run = None;
        }
    }

    pub fn record_receiver(&mut self, addr: Addr) {
        if self.is_receiver.insert(addr) {
            self.receivers.push(addr);
            self.heap_after_foreign_run = None;
        }
    }

    pub fn extend_to_summary(&mut self, addr: Addr, summary: Addr) {
        if self.functions.contains(&addr) {
            self.functions.insert(summary);
        }
        if self.classes.contains(&addr) {
            self.classes.insert(summary);
        }
        if self.is_receiver.contains(&addr) {
            self.record_receiver(summary);
        }
        for at in 0..self.variables.len() {
            let (scope, name, access) = self.variables[at];
            if scope == addr {
                self.record_variable(summary, name, access);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.receivers.is_empty()
    }
}

impl Interp<'_> {
    /// Unknown code runs, and with it perhaps closures that escaped earlier: forgets what these may change. In a closed
    /// world nothing runs but what the entry calls.
    pub(crate) fn havoc_escaped_closures(&mut self) {
        if self.run.escape.closures.is_empty() || self.analysis.program.closed_world {
            return;
        }
        // What has not been written since unknown code ran last is as unknown as it was then.
        let written = self.run.escape.closures.heap_after_foreign_run.as_ref().map(|left| {
            // Differences come in the order of their keys.
            let mut written = Vec::new();
            left.for_each_difference(&self.run.state.heap, &mut |key, _| written.push(key));
            written
        });
        let is_written = |addr: Addr| written.as_ref().is_none_or(|written| written.binary_search(&addr.0).is_ok());
        if written.as_ref().is_some_and(Vec::is_empty) {
            return;
        }
        for at in 0..self.run.escape.closures.receivers.len() {
            let addr = self.run.escape.closures.receivers[at];
            if is_written(addr) {
                self.havoc_mutable_fields(&Value::Obj(addr));
            }
        }
        for at in 0..self.run.escape.closures.variables.len() {
            let (scope, name, access) = self.run.escape.closures.variables[at];
            let Some(slot) = self.scope_slots(scope).and_then(|slots| slots.get(name)) else { continue };
            let value = slot.value.clone();
            match access {
                Access::Binding => {
                    if is_written(scope) && !value.is_unknown() {
                        self.forget_binding(scope, name);
                    }
                }
                Access::Local => {
                    if self.is_known_container(&value) {
                        self.havoc_reachable(&value);
                    }
                }
                Access::Global => {
                    if is_written(scope) || value.alternatives().iter().filter_map(Value::addr).any(is_written) {
                        self.havoc_mutable_fields(&value);
                    }
                }
            }
        }
        self.run.escape.closures.heap_after_foreign_run = Some(self.run.state.heap.clone());
    }

    pub(super) fn forget_binding(&mut self, scope: Addr, name: Name) {
        let Object::Scope(slots) = self.object_at(scope) else { return };
        if slots.get(name).is_some() {
            let mut slots = slots.clone();
            slots.set(name, Value::Unknown(Reason::Changed));
            self.run.state.set(scope, Object::Scope(slots));
        }
    }

    /// Closures may run that use an object by its name. Of its attributes they change those that the program stores to after
    /// construction; the contents of containers are forgotten.
    pub(crate) fn havoc_mutable_fields(&mut self, value: &Value) {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<Value> = value.alternatives().to_vec();
        while let Some(value) = pending.pop() {
            let Some(addr) = value.addr() else { continue };
            if !seen.insert(addr) {
                continue;
            }
            match self.object_at(addr).clone() {
                Object::List(_) | Object::Dict(_) | Object::Set(_) => self.havoc_known(&value),
                Object::Instance(instance) => self.havoc_instance_fields(addr, &instance, &mut pending),
                Object::Class(class) if !class.features.is_model && class.kind.is_none() => {
                    self.havoc_class_fields(addr, &class, &mut pending);
                }
                Object::Function(function) if !function.attrs.map.is_empty() => self.havoc_reachable(&value),
                _ => {}
            }
        }
    }

    /// Whether methods of a model change what its instances are (`frame["x"] = values`, `estimator.fit(…)`).
    pub(super) fn is_volatile(&self, instance: &Instance) -> bool {
        let mark = Name::new("_pytrope_volatile");
        let has_mark =
            |base: &Addr| self.class_at(*base).is_none_or(|class| class.attrs.open || class.attrs.get(mark).is_some());
        instance.class.addr().is_some_and(|class| self.mro_of(class).iter().any(has_mark))
    }

    fn havoc_instance_fields(&mut self, addr: Addr, instance: &Instance, pending: &mut Vec<Value>) {
        if self.is_volatile(instance) {
            self.havoc_reachable(&Value::Obj(addr));
            return;
        }
        let class = instance.class.addr().and_then(|class| self.class_at(class)).cloned();
        let Some(class) = class.filter(|class| class.code.as_ref().is_none_or(|(code, _)| !code.stores_by_name()))
        else {
            if !instance.attrs.iter().all(|(_, slot)| slot.value.is_unknown()) {
                self.havoc_reachable(&Value::Obj(addr));
            }
            return;
        };
        if class.features.is_model {
            return;
        }
        let names = instance.attrs.iter().map(|(name, _)| name);
        let fixed = self.analysis.program.set_once(Name::new(&class.name), names);
        let changed: Vec<Name> = instance
            .attrs
            .iter()
            .filter(|(name, slot)| !fixed.contains(name) && !slot.value.is_unknown())
            .map(|(name, _)| name)
            .collect();
        pending.extend(instance.attrs.iter().flat_map(|(_, slot)| slot.value.alternatives().to_vec()));
        if !changed.is_empty() {
            self.change_instance(addr, |instance| {
                for name in changed {
                    instance.attrs.set(name, Value::Unknown(Reason::Changed));
                }
            });
        }
    }

    fn havoc_class_fields(&mut self, addr: Addr, class: &Class, pending: &mut Vec<Value>) {
        let changed: Vec<Name> = class
            .attrs
            .iter()
            .filter(|(name, slot)| {
                !slot.value.is_unknown()
                    && !self.is_function(&slot.value)
                    && self.analysis.program.is_assigned_attribute(*name)
            })
            .map(|(name, _)| name)
            .collect();
        pending.extend(
            class.attrs.iter().filter(|(_, slot)| self.is_container(&slot.value)).map(|(_, s)| s.value.clone()),
        );
        if !changed.is_empty() {
            let mut class = class.clone();
            for name in changed {
                class.attrs.set(name, Value::Unknown(Reason::Changed));
            }
            self.run.state.set(addr, Object::Class(std::sync::Arc::new(class)));
        }
    }
}
