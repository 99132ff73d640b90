//! What functions in the hands of unknown code can change: the variables they use.

use pytrope_source::Node;
use pytrope_source::tree::{StmtKind, Str};

use super::Interp;
use super::escaped::Hold;
use crate::code::{ScopeId, ScopeKind};
use crate::names::Name;
use crate::object::{Class, Function, Object};
use crate::value::{Addr, Bound, Reason, Value};

impl Interp<'_> {
    /// Whether another function than the one that runs declares a name `global`: in code that nobody calls here, everything
    /// that is called may run it.
    pub(crate) fn is_rebound_elsewhere(&self, name: Str) -> bool {
        let frame = self.frame();
        let scopes = &frame.code.scopes;
        scopes.rebound_globals.contains(name)
            && scopes.iter().any(|(id, scope)| id != frame.id && id != ScopeId::MODULE && scope.globals.contains(&name))
    }

    /// What the variables around a function hold, as far as its code mentions them; they may change from now on
    /// whenever unknown code runs.
    pub(super) fn captured_by(&mut self, function: &Function) -> Vec<Value> {
        let code = &function.code;
        let names: Vec<Name> = code.scope(function.id).mentions.iter().map(|name| code.name_of(*name)).collect();
        let called: Vec<Name> = code.scope(function.id).calls.iter().map(|name| code.name_of(*name)).collect();
        let mut values = Vec::new();
        let mut id = function.id;
        for &scope in function.scopes.iter().rev() {
            id = function.code.scope(id).parent;
            if function.code.scope(id).kind == ScopeKind::Class {
                continue;
            }
            let Some(slots) = self.scope_slots(scope) else { continue };
            let is_local = id != ScopeId::MODULE;
            let info = function.code.scope(id);
            let unbound = info.locals.iter().filter(|_| is_local).map(|name| function.code.name_of(*name));
            let unbound: Vec<Name> =
                unbound.filter(|name| names.contains(name) && slots.get(*name).is_none()).collect();
            let found: Vec<(Name, Value)> =
                names.iter().filter_map(|name| Some((*name, slots.get(*name)?.value.clone()))).collect();
            let runs: Vec<Value> = called.iter().filter_map(|name| Some(slots.get(*name)?.value.clone())).collect();
            // What is bound later is in its hands as well.
            for name in unbound {
                self.run.escaped.variable(scope, name, Hold::Local);
            }
            for (name, value) in found {
                if is_local {
                    if self.is_known_container(&value) || self.is_container(&value) {
                        self.run.escaped.variable(scope, name, Hold::Local);
                    }
                    values.push(value);
                } else if self.is_container(&value) {
                    self.run.escaped.variable(scope, name, Hold::Global);
                    values.push(value);
                } else if !self.analysis.uncalled_entry && self.is_own_object(&value) {
                    // In code that runs at any time, globals are not known anyway.
                    self.run.escaped.variable(scope, name, Hold::Global);
                    self.havoc_mutable_fields(&value);
                } else if !self.analysis.uncalled_entry && self.is_own_code(&value) {
                    values.push(value);
                }
            }
            // What it calls runs with it.
            values.extend(
                runs.into_iter().filter(|value| (is_local || !self.analysis.uncalled_entry) && self.is_own_code(value)),
            );
        }
        values
    }

    /// Who has a function may call it: what it binds in the scopes around is no longer known.
    pub(super) fn forget_rebound(&mut self, function: &Function) {
        let mut id = function.id;
        let info = function.code.scope(id);
        let written: Vec<Name> =
            info.nonlocals.iter().chain(&info.globals).map(|name| function.code.name_of(*name)).collect();
        if written.is_empty() {
            return;
        }
        for &scope in function.scopes.iter().rev() {
            id = function.code.scope(id).parent;
            if function.code.scope(id).kind == ScopeKind::Class {
                continue;
            }
            for &name in &written {
                if self.scope_slots(scope).is_some_and(|slots| slots.get(name).is_some()) {
                    self.run.escaped.variable(scope, name, Hold::Binding);
                    self.forget_binding(scope, name);
                }
            }
        }
    }

    /// Who has a method may call it at any time: it works on an object that others see.
    pub(super) fn hold_receiver(&mut self, bound: &Bound) {
        let function = bound.function.addr().map(|addr| self.object(addr));
        let is_own = matches!(function, Some(Object::Function(function)) if !function.code.is_model);
        if is_own && let Some(addr) = bound.receiver.addr() {
            self.run.escaped.object(addr);
        }
    }

    /// What of a class may change variables around it: the methods, and its bases. In code that runs at any time, globals are
    /// not known anyway, so that only classes inside functions matter.
    pub(super) fn methods_with_variables(&mut self, addr: Addr, class: &Class) -> Vec<Value> {
        // Once is enough: the variables are remembered, and change whenever unknown code runs.
        if class.features.is_model || class.kind.is_some() || !self.run.escaped.classes.insert(addr) {
            return Vec::new();
        }
        let mut found: Vec<Value> = Vec::new();
        if addr.module() == self.analysis.module && (!self.analysis.uncalled_entry || is_inside_function(class)) {
            self.run.escaped.object(addr);
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
        self.write(scope, Object::Scope(slots));
    }

    pub(super) fn is_container(&self, value: &Value) -> bool {
        let is_one = |addr: Addr| matches!(self.object(addr), Object::List(_) | Object::Dict(_) | Object::Set(_));
        value.alternatives().iter().filter_map(Value::addr).any(is_one)
    }

    /// Whether a value is an instance of a class of the program, or may be.
    fn is_own_object(&self, value: &Value) -> bool {
        let is_own = |addr: Addr| match self.object(addr) {
            Object::Instance(instance) if addr.module() == self.analysis.module => {
                instance.class.addr().and_then(|class| self.class(class)).is_none_or(|class| !class.features.is_model)
            }
            _ => false,
        };
        value.alternatives().iter().filter_map(Value::addr).any(is_own)
    }

    /// Whether a value is a function or a class of this module that unknown code had no way to yet. What such a one
    /// uses is remembered, so that once is enough; what other modules hold may change at any time anyway.
    fn is_own_code(&mut self, value: &Value) -> bool {
        let Some(addr) = value.addr().filter(|addr| addr.module() == self.analysis.module) else { return false };
        match self.object(addr) {
            Object::Function(function) => !function.code.is_model && self.run.escaped.functions.insert(addr),
            Object::Class(class) => !class.features.is_model && !self.run.escaped.classes.contains(&addr),
            _ => false,
        }
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
