//! Names: the scope that binds one, the module, the builtins.

use pytrope_source::tree::{ExprId, ExprKind, StmtKind, Str};
use pytrope_source::{Node, TextRange};

use crate::code::{Code, ScopeId, ScopeKind};
use crate::effects::binds_in_dead_code;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::{Declaration, Object, Slot, Slots};
use crate::value::{Addr, Reason, Value};

impl Interp<'_> {
    /// Looks a name up as Python does: the scope that binds it, the module, the builtins.
    pub fn load_name(&mut self, name: Str, range: TextRange) -> Flow {
        let text_name = self.current_frame().code.name_of(name);
        let frame = self.current_frame();
        let mut id = frame.id;
        let mut at = frame.chain.len() - 1;
        let innermost = at;
        loop {
            let info = frame.code.scope_info(id);
            if info.kind == ScopeKind::Module || at == 0 {
                break;
            }
            let is_class = info.kind == ScopeKind::Class;
            if info.globals.contains(&name) {
                break;
            }
            if info.binds(name) && (!is_class || at == innermost) {
                let scope = frame.chain[at];
                let shared = !frame.code.scopes.shared.is_empty() && frame.code.scopes.shared.contains(&(id, name));
                let found = self.find_slot(scope, text_name);
                let perhaps = matches!(found, NameLookup::Perhaps(_));
                match found {
                    NameLookup::Value(value) | NameLookup::Perhaps(value) => {
                        if perhaps {
                            self.record_perhaps_unbound();
                        }
                        if shared {
                            self.havoc_container(&value);
                        }
                        return Ok(self.read_name_through_summary(scope, text_name, value));
                    }
                    NameLookup::Open => return Ok(Value::Unknown(Reason::Lookup(text_name))),
                    NameLookup::Missing if is_class => {}
                    NameLookup::Missing => {
                        if info.is_open || frame.code.scopes.volatile.contains(name) {
                            return Ok(Value::Unknown(Reason::Lookup(text_name)));
                        }
                        let here = at == innermost;
                        return self.raise_unbound(text_name, range, here);
                    }
                }
            }
            at -= 1;
            id = info.parent;
        }
        let module = self.current_frame().chain[0];
        let found = self.find_slot(module, text_name);
        let perhaps = matches!(found, NameLookup::Perhaps(_));
        let is_inner = innermost > 0;
        match found {
            // Never bound: a use at the top of the module was reported, this scope has its own.
            NameLookup::Value(Value::Unknown(Reason::Finding))
                if is_inner && !self.current_frame().code.scope_info(ScopeId::MODULE).binds(name) => {}
            NameLookup::Value(value) | NameLookup::Perhaps(value)
                if self.run.state.get(module).is_none()
                    && !self.analysis.program.is_settled(&self.current_frame().code, text_name, &value) =>
            {
                return Ok(Value::Unknown(Reason::Changed));
            }
            // A test replaces it while this function runs, perhaps.
            NameLookup::Value(_) | NameLookup::Perhaps(_)
                if is_inner && (self.analysis.program.is_patched(text_name) || self.is_replaced_global(text_name)) =>
            {
                return Ok(Value::Unknown(Reason::Changed));
            }
            NameLookup::Value(value) | NameLookup::Perhaps(value) => {
                if perhaps {
                    self.record_perhaps_unbound();
                }
                if is_inner && self.analysis.uncalled_entry && self.is_rebound_elsewhere(name) {
                    if self.is_known_container(&value) {
                        self.havoc_container(&value);
                    } else {
                        return Ok(Value::Unknown(Reason::Changed));
                    }
                }
                return Ok(self.read_name_through_summary(module, text_name, value));
            }
            // A star-import that brings a `super` of its own brings one that does the same.
            NameLookup::Open if text_name == Name::SUPER => {}
            // So does one that brings what questions about types are asked with; without them no branch would be decided.
            NameLookup::Open if asks_for_types(text_name) => {}
            NameLookup::Open => return Ok(Value::Unknown(Reason::Lookup(text_name))),
            NameLookup::Missing => {}
        }
        if let Some(value) = self.analysis.program.builtin_value(text_name) {
            return Ok(value);
        }
        let code = self.current_code();
        if code.is_model {
            if &*code.name != "builtins" {
                self.model_bug(&format!("name `{text_name}` is not defined"));
            }
            return Ok(Value::Unknown(Reason::Lookup(text_name)));
        }
        if self.may_be_defined(name, text_name) {
            return Ok(Value::Unknown(Reason::Lookup(text_name)));
        }
        // Reported once in a scope: from there on it is Unknown.
        let scope = self.current_frame().scope();
        let is_reported = |slots: &Slots| slots.declaration(Declaration::Undefined, text_name).is_some();
        if is_inner && self.scope_slots(scope).is_some_and(is_reported) {
            return Ok(Value::Unknown(Reason::Finding));
        }
        self.frame_mut().node = range;
        let value = self.raise_error("undefined-name", "NameError", format!("name '{text_name}' is not defined"))?;
        if is_inner {
            self.declare_in(scope, Declaration::Undefined, text_name, Value::TRUE);
        } else {
            self.bind_in(scope, text_name, Value::Unknown(Reason::Finding));
        }
        Ok(value)
    }

    /// Whether something that is not seen could define a global name.
    fn may_be_defined(&self, name: Str, text: Name) -> bool {
        let code = &self.current_frame().code;
        // A metaclass may prepare the names of a class body.
        let frame = self.current_frame();
        let in_prepared = code.scope_info(frame.id).kind == ScopeKind::Class
            && code.scope_info(frame.id).stmt.is_some_and(|stmt| code.has_metaclass(stmt));
        if code.scope_info(ScopeId::MODULE).is_open
            || in_prepared
            || self.analysis.program.is_injected(text)
            || code.scopes.type_parameters.contains(name)
            || code.is_probed(name)
            || lists_export(code, text.text())
        {
            return true;
        }
        // A package has its submodules as attributes once they were imported.
        if code.is_package
            && (self.analysis.program.exists(&format!("{}.{text}", code.name))
                || self.analysis.program.provider.has_submodule(code.file.path(), text.text()))
        {
            return true;
        }
        // `builtins.name = …` in some other module.
        if self.analysis.program.is_stored_from_outside(text) || self.analysis.program.is_put_into_namespaces(text) {
            return true;
        }
        // `if __name__ == "__channelexec__"`: a host executes the file under that name, and gives it names.
        if code.str_of("__channelexec__").is_some() {
            return true;
        }
        // A module that loads modules by their names may load itself anew, as replacements of `site` do.
        if code.str_of("load_module").is_some() {
            return true;
        }
        // `gettext.install` puts these where every module finds them.
        let translated = matches!(text.text(), "gettext" | "ngettext" | "pgettext" | "npgettext");
        if translated && code.tree.strings().any(|name| name == "gettext") {
            return true;
        }
        // Bound somewhere in the module: code that is not run in order may see it.
        let bound = code.scopes.global_bindings.contains(name);
        bound
            && (self.analysis.uncalled_entry || self.run.frames.len() > 1 || code.scopes.rebound_globals.contains(name))
    }

    fn raise_unbound(&mut self, name: Name, range: TextRange, local: bool) -> Flow {
        if self.in_model() {
            self.model_bug(&format!("local `{name}` is unbound"));
            return Ok(Value::Unknown(Reason::Lookup(name)));
        }
        let info = self.current_frame().info();
        if local && info.body.is_some_and(|body| binds_in_dead_code(&self.current_frame().code, body, name.text())) {
            // What binds it stands behind a `raise`, and its use most likely behind the same condition.
            return Ok(Value::Unknown(Reason::Lookup(name)));
        }
        self.frame_mut().node = range;
        let (class, message) = if local {
            (
                "UnboundLocalError",
                format!("cannot access local variable '{name}' where it is not associated with a value"),
            )
        } else {
            // A closure may be called later, when the name is bound.
            return Ok(Value::Unknown(Reason::Lookup(name)));
        };
        self.raise_error("unbound-local", class, message)
    }

    pub(crate) fn find_slot(&self, scope: Addr, name: Name) -> NameLookup {
        let object = match self.run.state.get(scope) {
            Some(object) => object,
            None => {
                let Some(frozen) = self.analysis.program.evaluated_module(scope.module()) else {
                    return NameLookup::Open;
                };
                if frozen.scope == scope {
                    // These are all the names that the module's scope has.
                    return match (frozen.globals.get(&name), frozen.heap.get(scope)) {
                        (Some(value), _) => NameLookup::Value(value.clone()),
                        (None, Some(Object::Scope(slots))) if !slots.open => NameLookup::Missing,
                        (None, _) => NameLookup::Open,
                    };
                }
                match frozen.heap.get(scope) {
                    Some(object) => object,
                    None => return NameLookup::Open,
                }
            }
        };
        match object {
            Object::Scope(slots) => match slots.get(name) {
                Some(Slot { value, definite: true }) => NameLookup::Value(value.clone()),
                Some(Slot { value, definite: false }) => NameLookup::Perhaps(value.clone()),
                None if slots.open => NameLookup::Open,
                None => NameLookup::Missing,
            },
            _ => NameLookup::Open,
        }
    }
}

/// Whether the body of a module lists a name in its `__all__`: what nothing in it binds is put there by other means, a compiled half or a
/// table of what is made on demand.
fn lists_export(code: &Code, name: &str) -> bool {
    let tree = &code.tree;
    let is_all = |id: ExprId| matches!(tree[id].kind, ExprKind::Name { name, .. } if tree.text(name) == "__all__");
    let lists = |value: ExprId| {
        tree.descendants(Node::Expr(value)).any(|node| match node {
            Node::Expr(id) => matches!(tree[id].kind, ExprKind::Str(text) if tree.text(text) == name),
            Node::Stmt(_) => false,
        })
    };
    tree[tree.body()].iter().any(|&stmt| match tree[stmt].kind {
        StmtKind::Assign { targets, value } => tree[targets].iter().any(|&target| is_all(target)) && lists(value),
        StmtKind::AugAssign { target, value, .. } => is_all(target) && lists(value),
        StmtKind::AnnAssign { target, value: Some(value), .. } => is_all(target) && lists(value),
        _ => false,
    })
}

/// Whether a name is a builtin that asks for the type of a value, or a type that is asked for.
fn asks_for_types(name: Name) -> bool {
    matches!(name.text(), "isinstance" | "issubclass" | "hasattr" | "callable")
        || matches!(
            name.text(),
            "str" | "bytes" | "int" | "float" | "bool" | "list" | "tuple" | "dict" | "set" | "frozenset"
        )
}

/// What a scope says about a name.
pub(crate) enum NameLookup {
    Value(Value),
    /// It is bound on some paths.
    Perhaps(Value),
    /// It may be bound to anything.
    Open,
    Missing,
}
