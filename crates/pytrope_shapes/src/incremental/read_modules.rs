//! Modules that were not given: files on disk that the imports of the given ones have led to.
//!
//! Their results are never asked for, their bodies are: like a given module that can only be imported, each is kept with what its
//! body depends on. Two things besides texts and answers decide whether they may be kept:
//!
//! - the files must be those that were read ([`FileStamp`]);
//! - the same files must be part of the program as in a run from nothing, since the index describes all of them. They follow from the
//!   imports that are written in the given files (`program/import_closure.rs`), so that these must be the same after an edit.

use std::path::Path;
use std::sync::Arc;

use pytrope_eval::program::import_closure::written_imports;
use pytrope_source::reading::FileStamp;
use rustc_hash::FxHashSet;

use super::{CheckedModule, CheckedProgram};

impl CheckedProgram {
    /// Whether the files that were read from disk are still what they were.
    pub(super) fn has_read_files_unchanged(&self) -> bool {
        let is_same = |module: &CheckedModule| {
            module.stamp.is_some() && FileStamp::of_path(Path::new(module.file.path())) == module.stamp
        };
        self.modules[self.given..].iter().all(is_same)
    }

    /// Takes the files that the program has read beside the given ones among its modules.
    pub(super) fn adopt_read_modules(&mut self) {
        let known: FxHashSet<&str> = self.modules.iter().map(|module| module.file.path()).collect();
        let parsed = self.program.parsed_modules();
        let mut adopted = Vec::new();
        for (key, code) in parsed.into_iter().filter(|(_, code)| !known.contains(code.file.path())) {
            let body = self.program.evaluation_of(&key).map(|evaluated| evaluated.dependencies.clone());
            let stamp = FileStamp::of_path(Path::new(code.file.path()));
            let module = CheckedModule { is_beside: true, body, stamp, ..CheckedModule::of_file(&code.file, &key) };
            adopted.push(module);
        }
        for module in adopted {
            let at = self.modules.len();
            for key in module.body.iter().flat_map(|body| &body.modules) {
                self.importers.entry(Arc::clone(key)).or_default().insert(at);
            }
            self.modules.push(module);
        }
    }

    /// Whether the program consists of other files now that some modules have changed: those imports lead elsewhere. The changed
    /// modules are parsed, and the index is open.
    pub(super) fn reaches_other_files(&mut self, changed: &[usize]) -> bool {
        let has_read_modules = self.modules.len() > self.given;
        let is_idle = self.has_broken_files_alone();
        let mut differs = false;
        for &at in changed {
            let module = &mut self.modules[at];
            match self.program.parsed_module(&module.key) {
                Some(code) => {
                    let imports = written_imports(code);
                    differs |= imports != module.imports;
                    module.imports = imports;
                }
                // What a half-typed file imported is compared when it compiles again.
                None => differs |= !is_idle,
            }
        }
        if !differs {
            self.program.close_index();
            return false;
        }
        // An edited import may lead to a file that was not there before, or away from one.
        let keys: Vec<String> = changed.iter().map(|at| self.modules[*at].key.clone()).collect();
        self.program.read_imports(&keys);
        has_read_modules || self.reads_new_files()
    }

    fn reads_new_files(&self) -> bool {
        let known: FxHashSet<&str> = self.modules.iter().map(|module| module.file.path()).collect();
        self.program.parsed_modules().iter().any(|(_, code)| !known.contains(code.file.path()))
    }
}
