//! The bindings of scopes: which scope a name belongs to, and how names are bound and declared in it.

use pytrope_source::tree::Str;

use super::Interp;
use crate::code::{ScopeId, ScopeKind};
use crate::names::Name;
use crate::object::{Declaration, Object, Slots};
use crate::value::{Addr, Value};

impl Interp<'_> {
    /// The scope that a name of the current scope is bound in.
    pub(crate) fn binding_scope(&self, name: Str) -> Addr {
        let frame = self.current_frame();
        let mut id = frame.id;
        let mut at = frame.chain.len() - 1;
        loop {
            let info = frame.code.scope_info(id);
            if info.globals.contains(&name) || info.kind == ScopeKind::Module {
                return frame.chain[0];
            }
            if info.binds(name) || id == ScopeId::MODULE || at == 0 {
                return frame.chain[at];
            }
            // A name of `nonlocal`, or a walrus in a comprehension, belongs further out.
            at -= 1;
            id = info.parent;
        }
    }

    pub fn bind_in(&mut self, scope: Addr, name: Name, value: Value) {
        self.change_scope(scope, |slots| slots.set(name, value));
    }

    /// Declares something of a name in a scope, beside its value.
    pub(crate) fn declare_in(&mut self, scope: Addr, kind: Declaration, name: Name, value: Value) {
        self.change_scope(scope, |slots| slots.declare(kind, name, value));
    }

    pub(crate) fn change_scope(&mut self, scope: Addr, change: impl FnOnce(&mut Slots)) {
        if !scope.is_summary()
            && let Some(Object::Scope(slots)) = self.run.state.heap.get_mut(scope.0)
        {
            change(slots);
            return;
        }
        let mut slots = match self.object_at(scope) {
            Object::Scope(slots) => slots.clone(),
            _ => Slots::default(),
        };
        change(&mut slots);
        self.write_object(scope, Object::Scope(slots));
    }

    /// A scope as a value, for `vars` and the like.
    pub(crate) fn scope_slots(&self, addr: Addr) -> Option<&Slots> {
        match self.object_at(addr) {
            Object::Scope(slots) => Some(slots),
            _ => None,
        }
    }
}
