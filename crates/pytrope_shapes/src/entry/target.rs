//! The module an entry is looked up in: a file, or an installed module found by its dotted name.

use std::sync::Arc;

use pytrope_eval::Program;
use pytrope_source::{ModuleResolver, SourceFile};

use crate::module_loader::FileModuleLoader;

/// A program and the module that is asked about.
pub struct EntryTarget {
    pub program: Program,
    pub module: String,
    /// Whether the module belongs to an installed library.
    pub library: bool,
    resolver: ModuleResolver,
}

/// The entry is the whole program, so what modules hold after their import is what it finds.
fn world_of(project: FileModuleLoader) -> Program {
    let mut program = Program::new(Box::new(project), MODULES);
    program.closed_world = true;
    program
}

/// Room for the modules that libraries import.
const MODULES: usize = 4_096;

impl EntryTarget {
    /// A file, with the packages that are followed.
    pub fn from_file(file: &Arc<SourceFile>, resolver: ModuleResolver, follow: Vec<String>) -> Self {
        Self::beside_files(file, &[], resolver, follow)
    }

    /// The same with other files of the program in memory.
    pub fn beside_files(
        file: &Arc<SourceFile>,
        others: &[Arc<SourceFile>],
        resolver: ModuleResolver,
        follow: Vec<String>,
    ) -> Self {
        let mut project = FileModuleLoader::new(Some(resolver.clone()), follow);
        let module = project.add_file(file);
        for other in others {
            project.add_file(other);
        }
        Self { program: world_of(project), module, library: false, resolver }
    }

    /// A module by its dotted name; its own package is followed. `None` if there is no such module.
    pub fn from_module(module: &str, resolver: ModuleResolver, mut follow: Vec<String>) -> Option<Self> {
        let found = resolver.resolve(module)?;
        let top = module.split('.').next().unwrap_or(module).to_owned();
        if !follow.contains(&top) {
            follow.push(top);
        }
        let project = FileModuleLoader::new(Some(resolver.clone()), follow);
        let program = world_of(project);
        program.exists(module).then(|| Self { program, module: module.to_owned(), library: found.external, resolver })
    }

    /// Whether a file of a run belongs to an installed library, given the name of its module.
    pub fn is_library(&self, module: &str) -> bool {
        if module == self.module { self.library } else { self.resolver.resolve(module).is_some_and(|f| f.external) }
    }
}
