//! The module an entry is looked up in: a file, or an installed module found by its dotted name.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use pytrope_eval::Program;
use pytrope_source::{ModuleResolver, SourceFile};

use crate::module_loader::{FileModuleLoader, UnreadPackages};

/// How packages are read that are not part of the program itself.
#[derive(Clone, Default)]
pub struct PackageReading {
    /// Installed packages that are interpreted.
    pub follow: Vec<String>,
    /// Folders of models that users wrote.
    pub models: Vec<PathBuf>,
}

impl PackageReading {
    fn module_loader(&self, resolver: &ModuleResolver) -> FileModuleLoader {
        FileModuleLoader::new(Some(resolver.clone()), self.follow.clone()).with_models(self.models.clone())
    }
}

/// A program and the module that is asked about.
pub struct EntryTarget {
    pub program: Program,
    pub module: String,
    /// Whether the module belongs to an installed library.
    pub library: bool,
    resolver: ModuleResolver,
    /// The files that are in memory, the target first; none where it is a module of the environment.
    files: Vec<Arc<SourceFile>>,
    packages: PackageReading,
    unread: Arc<UnreadPackages>,
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
    pub fn from_file(file: &Arc<SourceFile>, resolver: ModuleResolver, packages: PackageReading) -> Self {
        Self::beside_files(file, &[], resolver, packages)
    }

    /// The same with other files of the program in memory.
    pub fn beside_files(
        file: &Arc<SourceFile>,
        others: &[Arc<SourceFile>],
        resolver: ModuleResolver,
        packages: PackageReading,
    ) -> Self {
        let mut project = packages.module_loader(&resolver);
        let module = project.add_file(file);
        for other in others {
            project.add_file(other);
        }
        let files = std::iter::once(file).chain(others).cloned().collect();
        let unread = project.unread_packages();
        Self { program: world_of(project), module, library: false, resolver, files, packages, unread }
    }

    /// A module by its dotted name; its own package is followed. `None` if there is no such module.
    pub fn from_module(module: &str, resolver: ModuleResolver, mut packages: PackageReading) -> Option<Self> {
        let found = resolver.resolve(module)?;
        let top = module.split('.').next().unwrap_or(module).to_owned();
        if !packages.follow.contains(&top) {
            packages.follow.push(top);
        }
        let project = packages.module_loader(&resolver);
        let unread = project.unread_packages();
        let program = world_of(project);
        program.exists(module).then(|| Self {
            program,
            module: module.to_owned(),
            library: found.external,
            resolver,
            files: Vec::new(),
            packages,
            unread,
        })
    }

    /// The same target with the installed packages followed that it has asked for so far and that were not read; `None` if there
    /// are none.
    pub fn with_unread_followed(&self) -> Option<Self> {
        let unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if unread.is_empty() {
            return None;
        }
        let mut packages = self.packages.clone();
        packages.follow.extend(unread);
        match self.files.split_first() {
            Some((file, others)) => Some(Self::beside_files(file, others, self.resolver.clone(), packages)),
            None => Self::from_module(&self.module, self.resolver.clone(), packages),
        }
    }

    /// Whether a file of a run belongs to an installed library, given the name of its module.
    pub fn is_library(&self, module: &str) -> bool {
        if module == self.module { self.library } else { self.resolver.resolve(module).is_some_and(|f| f.external) }
    }
}
