//! Finding modules: which file a dotted name stands for, and which name a file has.

mod environment;

use std::path::{Path, PathBuf};

pub use environment::{EnvironmentError, site_packages};

use crate::probes;

/// A module found on disk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleFile {
    pub name: String,
    /// The source file, or the folder of a namespace package.
    pub path: PathBuf,
    pub kind: ModuleKind,
    /// It was found in an environment's packages and not in the project.
    pub external: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModuleKind {
    Module,
    /// A folder with an `__init__` file.
    Package,
    /// A folder without one.
    Namespace,
}

impl ModuleFile {
    pub fn is_package(&self) -> bool {
        self.kind != ModuleKind::Module
    }
}

/// Where modules are looked for, first match wins: the project's roots, then an environment's packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleResolver {
    roots: Vec<PathBuf>,
    packages: Vec<PathBuf>,
}

impl ModuleResolver {
    /// The roots of a project folder: its `src` folder when that is a source root, then the folder itself.
    pub fn for_project(folder: &Path) -> Self {
        let mut roots = Vec::new();
        let src = folder.join("src");
        if probes::is_dir(&src) && !probes::is_file(&src.join("__init__.py")) {
            roots.push(src);
        }
        roots.push(folder.to_path_buf());
        Self { roots, packages: Vec::new() }
    }

    pub fn with_roots(roots: Vec<PathBuf>) -> Self {
        Self { roots, packages: Vec::new() }
    }

    pub fn with_packages(mut self, packages: Vec<PathBuf>) -> Self {
        self.packages = packages;
        self
    }

    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    pub fn packages(&self) -> &[PathBuf] {
        &self.packages
    }

    /// The file of a dotted module name.
    pub fn resolve(&self, name: &str) -> Option<ModuleFile> {
        let places = self.roots.iter().map(|root| (root, false));
        let places = places.chain(self.packages.iter().map(|root| (root, true)));
        let mut namespace = None;
        for (root, external) in places {
            match look_up(root, name) {
                Some((path, ModuleKind::Namespace)) => {
                    let found = ModuleFile { name: name.to_owned(), path, kind: ModuleKind::Namespace, external };
                    namespace = namespace.or(Some(found));
                }
                Some((path, kind)) => {
                    return Some(ModuleFile { name: name.to_owned(), path, kind, external });
                }
                None => {}
            }
        }
        namespace
    }

    /// The dotted name of a file, by the innermost root that holds it. `pkg/__init__.py` is `pkg`.
    /// A script outside every root, or in a folder that is not a package, is named by its stem.
    pub fn name_of(&self, path: &Path) -> String {
        let roots = self.roots.iter().chain(&self.packages);
        let below = roots.filter_map(|root| path.strip_prefix(root).ok()).min_by_key(|rest| rest.components().count());
        let Some(below) = below else {
            return stem_of(path);
        };
        let mut parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let last = stem_of(path);
        parts.pop();
        if last != "__init__" {
            parts.push(last);
        }
        parts.join(".")
    }

    /// The absolute name of `from ..module import x` in a module; `None` when it climbs out of its package.
    pub fn absolute(current: &str, is_package: bool, level: u32, module: Option<&str>) -> Option<String> {
        if level == 0 {
            return module.map(str::to_owned);
        }
        let mut parts: Vec<&str> = current.split('.').collect();
        let climb = level as usize - usize::from(is_package);
        if climb >= parts.len() + usize::from(is_package) {
            return None;
        }
        parts.truncate(parts.len() - climb);
        parts.extend(module);
        (!parts.is_empty()).then(|| parts.join("."))
    }
}

fn stem_of(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// One root's answer: code only, as analyses read it.
fn look_up(root: &Path, name: &str) -> Option<(PathBuf, ModuleKind)> {
    if name.is_empty() || name.split('.').any(|part| part.is_empty() || part.contains(['/', '\\'])) {
        return None;
    }
    let base = name.split('.').fold(root.to_path_buf(), |path, part| path.join(part));
    let package = base.join("__init__.py");
    if probes::is_file(&package) {
        return Some((package, ModuleKind::Package));
    }
    let module = base.with_file_name(format!("{}.py", base.file_name()?.to_string_lossy()));
    if probes::is_file(&module) {
        return Some((module, ModuleKind::Module));
    }
    // A stub stands for compiled code: it has names and types, but nothing that could be interpreted.
    if probes::is_file(&base.join("__init__.pyi")) || probes::is_file(&module.with_extension("pyi")) {
        return None;
    }
    probes::is_dir(&base).then_some((base, ModuleKind::Namespace))
}
