//! What functions in the hands of unknown code can change: the variables they use.

use pytrope_source::Node;
use pytrope_source::tree::StmtKind;

use super::Interp;
use crate::code::{FunctionId, ScopeKind};
use crate::names::Name;
use crate::object::{Class, Function, Object};
use crate::value::{Addr, Reason, Value};

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
            let is_local = id != FunctionId::MODULE;
            let info = function.code.scope(id);
            let unbound = info.locals.iter().filter(|_| is_local).map(|name| function.code.name_of(*name));
            let unbound: Vec<Name> =
                unbound.filter(|name| names.contains(name) && slots.get(*name).is_none()).collect();
            let found: Vec<(Name, Value)> =
                names.iter().filter_map(|name| Some((*name, slots.get(*name)?.value.clone()))).collect();
            // What is bound later is in its hands as well.
            for name in unbound {
                self.remember_escaped(scope, name);
            }
            for (name, value) in found {
                if self.is_container(&value) || is_local && self.is_known_container(&value) {
                    self.remember_escaped(scope, name);
                }
                // Globals of other kinds are what other modules may change at any time, which is not assumed.
                if is_local || self.is_container(&value) {
                    values.push(value);
                }
            }
        }
        values
    }

    /// What of a class may change variables around it: the methods, and its bases. In code that runs at any time, globals are
    /// not known anyway, so that only classes inside functions matter.
    pub(super) fn methods_with_variables(&mut self, addr: Addr, class: &Class) -> Vec<Value> {
        // Once is enough: the variables are remembered, and change whenever unknown code runs.
        if class.features.is_model || class.kind.is_some() || !self.escaped_classes.insert(addr) {
            return Vec::new();
        }
        let mut found: Vec<Value> = Vec::new();
        if !self.standalone || is_inside_function(class) {
            found
                .extend(class.attrs.iter().map(|(_, slot)| &slot.value).filter(|value| self.is_method(value)).cloned());
        }
        found.extend(class.bases.iter().filter(|base| base.addr().is_some()).cloned());
        found
    }

    /// Code has all variables that are visible here in its hands: what they hold may be changed.
    pub(crate) fn namespace(&mut self) -> Value {
        let scopes = std::sync::Arc::clone(&self.frame().chain);
        for &scope in scopes.iter() {
            let values: Vec<Value> = match self.scope_slots(scope) {
                Some(slots) => slots.iter().map(|(_, slot)| slot.value.clone()).collect(),
                None => Vec::new(),
            };
            for value in values.iter().filter(|value| self.is_known_container(value)).cloned().collect::<Vec<_>>() {
                self.havoc(&value);
            }
        }
        if self.frame().code.scopes.rebinds_names {
            self.rebind_all();
        }
        Value::Unknown(Reason::Call)
    }

    /// Code that is not seen runs in this scope: outside functions it may bind every name anew.
    pub(crate) fn rebind_all(&mut self) {
        if matches!(self.frame().info().kind, ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Comprehension) {
            return;
        }
        let scope = self.frame().scope();
        let Some(slots) = self.scope_slots(scope) else { return };
        let mut slots = slots.clone();
        let names: Vec<Name> = slots.iter().map(|(name, _)| name).collect();
        for name in names {
            slots.set(name, Value::Unknown(Reason::Changed));
        }
        slots.open = true;
        self.state.set(scope, Object::Scope(slots));
    }

    fn is_container(&self, value: &Value) -> bool {
        let is_one = |addr: Addr| matches!(self.object(addr), Object::List(_) | Object::Dict(_) | Object::Set(_));
        value.alternatives().iter().filter_map(Value::addr).any(is_one)
    }

    /// As [`Interp::havoc`], unless nothing was known of the object anyway.
    pub(crate) fn havoc_known(&mut self, value: &Value) {
        if self.is_known_container(value) {
            self.havoc(value);
        }
    }

    fn is_method(&self, value: &Value) -> bool {
        let object = value.addr().map(|addr| self.object(addr));
        matches!(
            object,
            Some(Object::Function(_) | Object::StaticMethod(_) | Object::ClassMethod(_) | Object::Property(_))
        )
    }

    fn remember_escaped(&mut self, scope: Addr, name: Name) {
        if self.escaped.len() < ESCAPED && !self.escaped.contains(&(scope, name)) {
            self.escaped.push((scope, name));
        }
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

    pub(crate) fn is_known_container(&self, value: &Value) -> bool {
        let known = |addr: Addr| match self.object(addr) {
            Object::List(seq) => seq.as_exact().is_some(),
            Object::Dict(mapping) | Object::Set(mapping) => mapping.open.is_none() || !mapping.entries.is_empty(),
            Object::Instance(instance) => !instance.attrs.open,
            _ => false,
        };
        value.alternatives().iter().filter_map(Value::addr).any(known)
    }
}

/// Whether a class is defined in the body of a function.
fn is_inside_function(class: &Class) -> bool {
    let Some((code, stmt)) = &class.code else { return true };
    let mut around = std::iter::successors(Node::Stmt(*stmt).parent(&code.tree), |node| node.parent(&code.tree));
    around.any(|node| match node {
        Node::Stmt(id) => matches!(code.tree[id].kind, StmtKind::FunctionDef(_)),
        Node::Expr(_) => false,
    })
}
