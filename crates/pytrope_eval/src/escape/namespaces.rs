//! Namespaces that escape as a whole: `locals()`, `exec` and the like let unknown code rebind names.

use crate::code::ScopeKind;
use crate::interp::Interp;
use crate::names::Name;
use crate::object::Object;
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// Unknown code gets every variable that is visible here (`locals()`, `exec`): what they hold may be changed.
    pub(crate) fn havoc_visible_names(&mut self) -> Value {
        let scopes = std::sync::Arc::clone(&self.current_frame().chain);
        for &scope in scopes.iter() {
            let values: Vec<Value> = match self.scope_slots(scope) {
                Some(slots) => slots.iter().map(|(_, slot)| slot.value.clone()).collect(),
                None => Vec::new(),
            };
            for value in values.iter().filter(|value| self.is_known_container(value)).cloned().collect::<Vec<_>>() {
                self.havoc_reachable(&value);
            }
        }
        if self.current_frame().code.scopes.rebinds_names {
            self.havoc_scope_bindings();
            self.havoc_module_state();
        }
        Value::Unknown(Reason::Call)
    }

    /// Names of the module may be bound anew through its namespace. Functions, classes and modules keep theirs: it is state that is
    /// put in place so.
    fn havoc_module_state(&mut self) {
        let scope = self.current_frame().chain[0];
        let Some(slots) = self.scope_slots(scope) else { return };
        let is_definition = |value: &Value| {
            value.addr().is_some_and(|addr| {
                matches!(self.object_at(addr), Object::Module(_) | Object::Function(_) | Object::Class(_))
            })
        };
        let names: Vec<Name> =
            slots.iter().filter(|(_, slot)| !is_definition(&slot.value)).map(|(name, _)| name).collect();
        let mut slots = slots.clone();
        for name in names {
            slots.set(name, Value::Unknown(Reason::Changed));
        }
        slots.open = true;
        self.write_object(scope, Object::Scope(slots));
    }

    /// Unknown code runs in this scope: outside functions it may rebind every name.
    pub(crate) fn havoc_scope_bindings(&mut self) {
        if matches!(
            self.current_frame().info().kind,
            ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Comprehension
        ) {
            return;
        }
        let scope = self.current_frame().scope();
        let Some(slots) = self.scope_slots(scope) else { return };
        let mut slots = slots.clone();
        let names: Vec<Name> = slots.iter().map(|(name, _)| name).collect();
        for name in names {
            slots.set(name, Value::Unknown(Reason::Changed));
        }
        slots.open = true;
        self.write_object(scope, Object::Scope(slots));
    }
}
