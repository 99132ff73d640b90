//! What a closure that escapes takes along: the variables it captures, rebinds and reaches through what it calls.

use std::sync::Arc;

use pytrope_source::Node;
use pytrope_source::tree::{StmtKind, Str};
use smallvec::SmallVec;

use super::closures::Access;
use crate::code::{ScopeId, ScopeKind};
use crate::interp::{Addresses, Interp};
use crate::names::Name;
use crate::object::{Class, Function, Object};
use crate::value::{Addr, BoundMethod, Value};

impl Interp<'_> {
    /// Whether another function than the one that runs declares a name `global`: in code that is not called here, every
    /// call may run it.
    pub(crate) fn is_rebound_elsewhere(&self, name: Str) -> bool {
        let frame = self.current_frame();
        let scopes = &frame.code.scopes;
        scopes.rebound_globals.contains(name)
            && scopes.iter().any(|(id, scope)| id != frame.id && id != ScopeId::MODULE && scope.globals.contains(&name))
    }

    /// What the variables around a function hold, as far as its code mentions them; they may change from now on
    /// whenever unknown code runs.
    pub(super) fn captured_values(&mut self, function: &Function) -> Vec<Value> {
        let code = &function.code;
        let info = code.scope_info(function.id);
        let mut values = Vec::new();
        let mut id = function.id;
        for &scope in function.scopes.iter().rev() {
            id = code.scope_info(id).parent;
            let around = code.scope_info(id);
            if around.kind == ScopeKind::Class {
                continue;
            }
            let Some(slots) = self.scope_slots(scope) else { continue };
            let is_local = id != ScopeId::MODULE;
            let bound = |name: &Str| slots.get(code.name_of(*name)).map(|slot| &slot.value);
            let mut unbound: SmallVec<[Name; 8]> = SmallVec::new();
            if is_local {
                let locals = around.locals.iter();
                let captured = locals.filter(|name| info.mentions.contains(name) && bound(name).is_none());
                unbound.extend(captured.map(|name| code.name_of(*name)));
            }
            // Of a global only the objects matter.
            let found: SmallVec<[(Name, Value); 8]> = info
                .mentions
                .iter()
                .filter_map(|name| Some((code.name_of(*name), bound(name)?)))
                .filter(|(_, value)| is_local || value.alternatives().iter().any(|one| one.addr().is_some()))
                .map(|(name, value)| (name, value.clone()))
                .collect();
            // What is bound later is captured as well.
            for name in unbound {
                self.run.escape.closures.record_variable(scope, name, Access::Local);
            }
            for (name, value) in found {
                if is_local {
                    if self.is_known_container(&value) || self.is_container(&value) {
                        self.run.escape.closures.record_variable(scope, name, Access::Local);
                    }
                    values.push(value);
                } else if self.is_container(&value) {
                    self.run.escape.closures.record_variable(scope, name, Access::Global);
                    values.push(value);
                } else if self.is_known_global(&value) && self.is_own_object(&value) {
                    self.run.escape.closures.record_variable(scope, name, Access::Global);
                    self.havoc_mutable_fields(&value);
                } else if self.is_known_global(&value) && self.is_own_code(&value) {
                    values.push(value);
                }
            }
            // What it calls runs with it.
            if is_local || !self.analysis.uncalled_entry || self.has_written_globals() {
                let Some(slots) = self.scope_slots(scope) else { continue };
                let bound = |name: &Str| slots.get(code.name_of(*name)).map(|slot| &slot.value);
                let runs: SmallVec<[Value; 8]> =
                    info.calls.iter().filter_map(bound).filter(|value| value.addr().is_some()).cloned().collect();
                values.extend(runs.into_iter().filter(|value| self.is_own_code(value)));
            }
        }
        values
    }

    /// Whether something is known of the object that a global holds. In code that runs at any time, that is only so if
    /// this run created or wrote it:
    ///
    /// ```python
    /// def main(n):
    ///     main.found = []
    ///     search(n)    # not followed, and may append to `main.found`
    /// ```
    fn is_known_global(&self, value: &Value) -> bool {
        let is_ours = |addr: Addr| self.run.state.get(addr).is_some();
        !self.analysis.uncalled_entry || value.alternatives().iter().filter_map(Value::addr).any(is_ours)
    }

    /// Whether this run has written to objects that it did not create, or may have rebound a global.
    fn has_written_globals(&self) -> bool {
        let own = Addr::new(self.analysis.module, self.run.addresses.first).0..Addr::new(self.analysis.module + 1, 0).0;
        !self.current_frame().code.scopes.rebound_globals.is_empty()
            || self.run.state.heap.any_outside(&own, &mut |key| {
                let addr = Addr(key);
                !Addresses::is_scope(addr) && !self.analysis.program.is_model(addr.module())
            })
    }

    /// Unknown code may call a function: what it binds in the scopes around is no longer known.
    pub(super) fn havoc_rebound_names(&mut self, function: &Function) {
        let mut id = function.id;
        let info = function.code.scope_info(id);
        let written: Vec<Name> =
            info.nonlocals.iter().chain(&info.globals).map(|name| function.code.name_of(*name)).collect();
        if written.is_empty() {
            return;
        }
        for &scope in function.scopes.iter().rev() {
            id = function.code.scope_info(id).parent;
            if function.code.scope_info(id).kind == ScopeKind::Class {
                continue;
            }
            for &name in &written {
                if self.scope_slots(scope).is_some_and(|slots| slots.get(name).is_some()) {
                    self.run.escape.closures.record_variable(scope, name, Access::Binding);
                    self.forget_binding(scope, name);
                }
            }
        }
    }

    /// Unknown code may call a bound method: its receiver may change whenever unknown code runs.
    pub(super) fn record_escaped_receiver(&mut self, bound: &BoundMethod) {
        let function = bound.function.addr().map(|addr| self.object_at(addr));
        let is_own = matches!(function, Some(Object::Function(function)) if !function.code.is_model);
        if is_own && let Some(addr) = bound.receiver.addr() {
            self.run.escape.closures.record_receiver(addr);
        }
    }

    /// What of a class may change variables around it: the methods, and its bases. In code that runs at any time, globals are
    /// not known anyway, so that only classes inside functions matter.
    pub(super) fn escaping_methods(&mut self, addr: Addr, class: &Class) -> Vec<Value> {
        // Once is enough: the variables are remembered, and change whenever unknown code runs.
        if class.features.is_model || class.kind.is_some() || !self.run.escape.closures.classes.insert(addr) {
            return Vec::new();
        }
        let mut found: Vec<Value> = Vec::new();
        if addr.module() == self.analysis.module
            && (self.is_known_global(&Value::Obj(addr)) || is_inside_function(class))
        {
            self.run.escape.closures.record_receiver(addr);
            found.extend(self.values_held_by_class(addr, class).iter().cloned());
        }
        found.extend(class.bases.iter().filter(|base| base.addr().is_some()).cloned());
        found
    }

    /// The attributes of a class that may hold functions: methods, tables of hooks, instances with callbacks.
    fn values_held_by_class(&mut self, addr: Addr, class: &Class) -> Arc<[Value]> {
        // Of a class that this run has not changed they stay the same.
        let is_unchanged = self.run.state.get(addr).is_none();
        let known = self.analysis.evaluated_classes.get(&addr).and_then(|known| known.held.as_ref());
        if let Some(held) = known.filter(|_| is_unchanged) {
            return Arc::clone(held);
        }
        let holds = |value: &&Value| matches!(value, Value::Obj(_) | Value::Tuple(_) | Value::Bound(_));
        let held: Arc<[Value]> = class.attrs.iter().map(|(_, slot)| &slot.value).filter(holds).cloned().collect();
        if is_unchanged {
            self.analysis.evaluated_classes.entry(addr).or_default().held = Some(Arc::clone(&held));
        }
        held
    }

    pub(super) fn is_container(&self, value: &Value) -> bool {
        let is_one = |addr: Addr| matches!(self.object_at(addr), Object::List(_) | Object::Dict(_) | Object::Set(_));
        value.alternatives().iter().filter_map(Value::addr).any(is_one)
    }

    /// Whether a value is an instance of a class of the program, or may be, or of a model's class whose methods change it.
    fn is_own_object(&self, value: &Value) -> bool {
        let is_own = |addr: Addr| match self.object_at(addr) {
            Object::Instance(instance) if addr.module() == self.analysis.module => {
                let class = instance.class.addr().and_then(|class| self.class_at(class));
                class.is_none_or(|class| !class.features.is_model) || self.is_volatile(instance)
            }
            _ => false,
        };
        value.alternatives().iter().filter_map(Value::addr).any(is_own)
    }

    /// Whether a value is a function or a class of this module that has not escaped yet. What it captures is recorded, so
    /// that once is enough; the state of other modules may change at any time anyway.
    fn is_own_code(&mut self, value: &Value) -> bool {
        let Some(addr) = value.addr().filter(|addr| addr.module() == self.analysis.module) else { return false };
        match self.object_at(addr) {
            Object::Function(function) => !function.code.is_model && self.run.escape.closures.functions.insert(addr),
            Object::Class(class) => !class.features.is_model && !self.run.escape.closures.classes.contains(&addr),
            _ => false,
        }
    }

    /// As [`Interp::havoc_reachable`], unless nothing was known of the object anyway.
    pub(crate) fn havoc_known(&mut self, value: &Value) {
        if self.is_known_container(value) {
            self.havoc_reachable(value);
        }
    }

    pub(crate) fn is_known_container(&self, value: &Value) -> bool {
        let known = |addr: Addr| match self.object_at(addr) {
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
