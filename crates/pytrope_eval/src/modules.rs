//! Modules as values.

use pytrope_source::tree::StmtKind;

use crate::code::Code;
use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Module, Object};
use crate::program::{ModuleRequest, module_scope};
use crate::value::Value;

impl<'w> Interp<'w> {
    /// A module as a value.
    pub fn module_value(&mut self, dotted: &str) -> Value {
        let scope = match self.import_module(dotted) {
            ModuleRequest::EvaluatedModule(frozen) => {
                self.run.symbols.absorb(&frozen.symbols);
                Some(frozen.scope)
            }
            // What it will have bound is found once it is finished.
            ModuleRequest::InProgress(number) => Some(module_scope(number)),
            ModuleRequest::Missing => None,
        };
        self.new_object(Object::Module(Module { name: dotted.into(), scope }))
    }

    /// Whether a module of the standard library certainly lacks a name: no version has it, and no code of the program puts it there.
    pub(crate) fn lacks_standard_name(&self, dotted: &str, name: Name) -> bool {
        let program = self.analysis.program;
        !self.in_model()
            && !name.text().starts_with('_')
            // Other implementations of Python have names of their own.
            && !name.text().starts_with("pypy")
            // Few names are lacking, so that what looks through whole files comes after this.
            && program.provider.lacks_standard_name(dotted, name.text())
            && !runs_elsewhere(&self.current_frame().code)
            // A text that another interpreter runs may store it.
            && !self.current_frame().code.file.text().contains(&format!(".{name} ="))
            && !program.is_stored_from_outside(name)
            && !program.is_patched(name)
            && !program.is_put_into_namespaces(name)
    }

    /// Loads a module. In a closed world its body runs on the importer's heap, as in Python: it finds modules that are in the
    /// middle of their own import as far as they are, and what it changes elsewhere, the importer finds changed.
    pub(crate) fn import_module(&mut self, dotted: &str) -> ModuleRequest<'w> {
        let program = self.analysis.program;
        if !program.closed_world || self.in_model() {
            return program.load_module(dotted);
        }
        // Where nothing is evaluated, later runs begin where this one did: what it has changed is its own.
        let is_loaded = program.scope_of_loaded(dotted).is_some();
        let start_of_runs = program.shared_heap();
        program.hand_heap_over(self.run.state.heap.clone());
        let request = program.load_module(dotted);
        self.run.state.heap = program.take_heap();
        program.hand_heap_over(if is_loaded { start_of_runs } else { self.run.state.heap.clone() });
        request
    }

    /// The module of a name as `sys.modules` has it: evaluated, or in the middle of its import.
    pub fn loaded_module(&mut self, dotted: &str) -> Option<Value> {
        let program = self.analysis.program;
        let scope = program.scope_of_loaded(dotted)?;
        Some(self.new_object(Object::Module(Module { name: dotted.into(), scope: Some(scope) })))
    }
}

/// Whether a module imports what only Jython or IronPython has: packages of Java, or .NET's bridge.
fn runs_elsewhere(code: &Code) -> bool {
    let is_foreign = |name: &str| {
        matches!(name, "clr" | "java" | "javax") || name.starts_with("java.") || name.starts_with("com.sun")
    };
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::Import { names } => code.tree[names].iter().any(|alias| is_foreign(code.tree.text(alias.name.name))),
        StmtKind::ImportFrom { module: Some(module), level: 0, .. } => is_foreign(code.tree.text(module.name)),
        _ => false,
    })
}

/// Whether an import of a module names another one: `import a.b`, `from a import b`.
pub(crate) fn names_module(code: &Code, key: &str) -> bool {
    let dotted = shown_name(key);
    let last = dotted.rsplit('.').next().unwrap_or(dotted);
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::Import { names } => code.tree[names].iter().any(|alias| code.tree.text(alias.name.name) == dotted),
        StmtKind::ImportFrom { names, .. } => code.tree[names]
            .iter()
            .any(|alias| matches!(code.tree.text(alias.name.name), "*") || code.tree.text(alias.name.name) == last),
        _ => false,
    })
}

/// The name of a module as the program knows it: its key without the mark of its folder.
pub(crate) fn shown_name(key: &str) -> &str {
    key.rsplit('!').next().unwrap_or(key)
}
