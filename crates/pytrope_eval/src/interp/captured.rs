//! What functions in the hands of unknown code can change: the variables they use.

use super::Interp;
use crate::code::{FunctionId, ScopeKind};
use crate::names::Name;
use crate::object::{Function, Object};
use crate::value::{Addr, Value};

/// How many variables of escaped functions are remembered.
const ESCAPED: usize = 64;

impl Interp<'_> {
    /// What the variables around a function hold, as far as its code mentions them; they may change from now on
    /// whenever unknown code runs.
    pub(super) fn captured_by(&mut self, function: &Function) -> Vec<Value> {
        let code = &function.code;
        let names: Vec<Name> = code.scope(function.id).mentions.iter().map(|name| code.name_of(*name)).collect();
        let mut values = Vec::new();
        let mut id = function.id;
        for &scope in function.scopes.iter().rev() {
            id = function.code.scope(id).parent;
            if function.code.scope(id).kind == ScopeKind::Class {
                continue;
            }
            let Some(slots) = self.scope_slots(scope) else { continue };
            let found: Vec<(Name, Value)> =
                names.iter().filter_map(|name| Some((*name, slots.get(*name)?.value.clone()))).collect();
            for (name, value) in found {
                if self.is_container(&value) && self.escaped.len() < ESCAPED && !self.escaped.contains(&(scope, name)) {
                    self.escaped.push((scope, name));
                }
                // Globals of other kinds are what other modules may change at any time, which is not assumed.
                if id != FunctionId::MODULE || self.is_container(&value) {
                    values.push(value);
                }
            }
        }
        values
    }

    fn is_container(&self, value: &Value) -> bool {
        value.addr().is_some_and(|addr| matches!(self.object(addr), Object::List(_) | Object::Dict(_) | Object::Set(_)))
    }

    /// Unknown code runs, and with it perhaps functions that it was given earlier.
    pub(crate) fn havoc_escaped(&mut self) {
        for (scope, name) in self.escaped.clone() {
            let value = self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone());
            if let Some(value) = value
                && self.is_known_container(&value)
            {
                self.havoc(&value);
            }
        }
    }

    fn is_known_container(&self, value: &Value) -> bool {
        let known = |addr: Addr| match self.object(addr) {
            Object::List(seq) => seq.as_exact().is_some(),
            Object::Dict(mapping) | Object::Set(mapping) => mapping.open.is_none() || !mapping.entries.is_empty(),
            _ => false,
        };
        value.addr().is_some_and(known)
    }
}
