//! Modules as values.

use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Module, Object};
use crate::program::{ModuleRequest, module_scope};
use crate::value::Value;

impl Interp<'_> {
    /// A module as a value.
    pub fn module_value(&mut self, dotted: &str) -> Value {
        let scope = match self.analysis.program.load_module(dotted) {
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
            && program.provider.lacks_standard_name(dotted, name.text())
            && !program.is_stored_from_outside(name)
            && !program.is_patched(name)
            && !program.is_put_into_namespaces(name)
    }
}

/// The name of a module as the program knows it: its key without the mark of its folder.
pub(crate) fn shown_name(key: &str) -> &str {
    key.rsplit('!').next().unwrap_or(key)
}
