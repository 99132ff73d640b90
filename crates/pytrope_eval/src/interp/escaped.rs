//! What is in the hands of code nobody sees, which may change it whenever such code runs.

use pytrope_trie::Trie;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Interp;
use crate::names::Name;
use crate::object::{Class, Instance, Object};
use crate::value::{Addr, Reason, Value};

/// How unknown code can get at a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// A function it was given may change what the variable of a function holds.
    Local,
    /// The same for a variable of a module.
    Global,
    /// A function it was given may bind the variable anew.
    Binding,
}

/// Functions, classes, objects and variables that unknown code has been given and may work on at any time.
#[derive(Clone, Default)]
pub(crate) struct Escaped {
    variables: Vec<(Addr, Name, Hold)>,
    known: FxHashMap<(Addr, Name), Vec<Hold>>,
    pub functions: FxHashSet<Addr>,
    pub classes: FxHashSet<Addr>,
    objects: Vec<Addr>,
    held: FxHashSet<Addr>,
    /// The heap as unknown code has left it the last time.
    left: Option<Trie<Object>>,
}

impl Escaped {
    pub fn variable(&mut self, scope: Addr, name: Name, hold: Hold) {
        let holds = self.known.entry((scope, name)).or_default();
        if !holds.contains(&hold) {
            holds.push(hold);
            self.variables.push((scope, name, hold));
            // What it holds has not been looked at.
            self.left = None;
        }
    }

    pub fn object(&mut self, addr: Addr) {
        if self.held.insert(addr) {
            self.objects.push(addr);
            self.left = None;
        }
    }

    /// What holds of an object holds of the one that stands for it from now on.
    pub fn extend_to_summary(&mut self, addr: Addr, many: Addr) {
        if self.functions.contains(&addr) {
            self.functions.insert(many);
        }
        if self.classes.contains(&addr) {
            self.classes.insert(many);
        }
        if self.held.contains(&addr) {
            self.object(many);
        }
        for at in 0..self.variables.len() {
            let (scope, name, hold) = self.variables[at];
            if scope == addr {
                self.variable(many, name, hold);
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.objects.is_empty()
    }
}

impl Interp<'_> {
    /// Unknown code runs, and with it perhaps functions that it was given earlier. Clients that take their entry for the
    /// whole program take it that nothing runs which they do not call.
    pub(crate) fn havoc_escaped(&mut self) {
        if self.run.escaped.is_empty() || self.analysis.program.closed_world {
            return;
        }
        // What has not been written since such code ran last is as unknown as it was then.
        let written = self.run.escaped.left.as_ref().map(|left| {
            let mut written = FxHashSet::default();
            left.for_each_difference(&self.run.state.heap, &mut |key, _| {
                written.insert(Addr(key));
            });
            written
        });
        let is_written = |addr: Addr| written.as_ref().is_none_or(|written| written.contains(&addr));
        if written.as_ref().is_some_and(FxHashSet::is_empty) {
            return;
        }
        for at in 0..self.run.escaped.objects.len() {
            let addr = self.run.escaped.objects[at];
            if is_written(addr) {
                self.havoc_mutable_fields(&Value::Obj(addr));
            }
        }
        for at in 0..self.run.escaped.variables.len() {
            let (scope, name, hold) = self.run.escaped.variables[at];
            let Some(slot) = self.scope_slots(scope).and_then(|slots| slots.get(name)) else { continue };
            let value = slot.value.clone();
            match hold {
                Hold::Binding => {
                    if is_written(scope) && !value.is_unknown() {
                        self.forget_binding(scope, name);
                    }
                }
                Hold::Local => {
                    if self.is_known_container(&value) {
                        self.havoc(&value);
                    }
                }
                Hold::Global => {
                    if is_written(scope) || value.alternatives().iter().filter_map(Value::addr).any(is_written) {
                        self.havoc_mutable_fields(&value);
                    }
                }
            }
        }
        self.run.escaped.left = Some(self.run.state.heap.clone());
    }

    pub(super) fn forget_binding(&mut self, scope: Addr, name: Name) {
        let Object::Scope(slots) = self.object(scope) else { return };
        if slots.get(name).is_some() {
            let mut slots = slots.clone();
            slots.set(name, Value::Unknown(Reason::Changed));
            self.run.state.set(scope, Object::Scope(slots));
        }
    }

    /// Functions of the program may run that use an object by its name. Of its attributes they change those that the program
    /// stores to after construction; what containers hold is not known any more.
    pub(crate) fn havoc_mutable_fields(&mut self, value: &Value) {
        let mut seen = FxHashSet::default();
        let mut pending: Vec<Value> = value.alternatives().to_vec();
        while let Some(value) = pending.pop() {
            let Some(addr) = value.addr() else { continue };
            if !seen.insert(addr) {
                continue;
            }
            match self.object(addr).clone() {
                Object::List(_) | Object::Dict(_) | Object::Set(_) => self.havoc_known(&value),
                Object::Instance(instance) => self.havoc_instance_fields(addr, &instance, &mut pending),
                Object::Class(class) if !class.features.is_model && class.kind.is_none() => {
                    self.havoc_class_fields(addr, &class, &mut pending);
                }
                _ => {}
            }
        }
    }

    fn havoc_instance_fields(&mut self, addr: Addr, instance: &Instance, pending: &mut Vec<Value>) {
        let class = instance.class.addr().and_then(|class| self.class(class)).cloned();
        let Some(class) = class.filter(|class| !stores_by_name(class)) else {
            if !instance.attrs.iter().all(|(_, slot)| slot.value.is_unknown()) {
                self.havoc(&Value::Obj(addr));
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

/// Whether attributes are stored in the class's module by names that are not written there.
fn stores_by_name(class: &Class) -> bool {
    let Some((code, _)) = &class.code else { return false };
    ["setattr", "__dict__", "vars", "__setstate__"].iter().any(|name| code.str_of(name).is_some())
}
