//! What the test that is analysed may have replaced: attributes, constructors and globals of the code under test.
//!
//! Which names a file of tests replaces is found in its text (`code/replaced_names.rs`).

use crate::interp::Interp;
use crate::names::Name;
use crate::object::Class;
use crate::value::Addr;

impl Interp<'_> {
    /// Whether the test that is analysed may have put something else in the place of a class's attribute.
    pub(crate) fn is_replaced_by_test(&self, class: &Class, name: Name) -> bool {
        let entry = self.run.frames.first();
        !class.features.is_model
            && entry.is_some_and(|entry| entry.code.is_test && entry.code.replaced_names().contains(&name))
    }

    /// Whether the test that is analysed may have put something else in the place of a global of the module whose code runs.
    pub(crate) fn is_replaced_global(&self, name: Name) -> bool {
        let code = &self.current_frame().code;
        self.run.frames.first().is_some_and(|entry| {
            entry.code.is_test
                && !code.is_model
                && entry.code.module != code.module
                && entry.code.replaced_names().contains(&name)
        })
    }

    /// Whether a test that runs here may replace the constructor of a class or of one above it: some test does so, and this one
    /// mentions the class.
    pub(crate) fn has_patched_constructor(&self, addr: Addr, class: &Class) -> bool {
        let program = self.analysis.program;
        if class.features.is_model || !(program.is_patched(Name::INIT) || program.is_patched(Name::NEW)) {
            return false;
        }
        let above = self.mro_of(addr).iter().filter_map(|above| self.class_at(*above));
        let own = above.filter(|above| !above.features.is_model && above.kind.is_none());
        let methods = own.flat_map(|above| ["__init__", "__new__"].map(|method| format!("{}.{method}", above.name)));
        let methods: Vec<String> = methods.collect();
        self.run.frames.iter().filter(|frame| frame.code.is_test).any(|frame| {
            let code = &frame.code;
            code.tree.strings().any(|text| methods.iter().any(|method| text.ends_with(method)))
                || [Name::INIT, Name::NEW].iter().any(|method| code.replaced_names().contains(method))
                    && code.str_of(&class.name).is_some()
        })
    }
}
