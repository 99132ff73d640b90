//! Where a run's modules are looked for: the roots of its targets, the configuration's, and an environment's packages.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use anyhow::{Result, anyhow};
use pytrope_diagnostics::place::display_path;
use pytrope_source::ModuleResolver;
use pytrope_source::modules::site_packages;

use crate::config::Config;
use crate::sources::is_stdin;

static WORKING_DIRECTORY: LazyLock<PathBuf> = LazyLock::new(|| std::env::current_dir().unwrap_or_default());

/// A path as it is shown: relative to the working directory where it lies under it. Files and roots both
/// go by this form, so that one can be found below the other.
pub(crate) fn shown(path: &Path) -> String {
    display_path(&path.to_string_lossy(), &WORKING_DIRECTORY)
}

/// The resolver of imports for some targets.
pub(crate) fn module_resolver(targets: &[PathBuf], config: &Config) -> Result<ModuleResolver> {
    let mut roots: Vec<PathBuf> = config.roots.iter().map(|root| normalise_path(root)).collect();
    let targets = targets.iter().filter(|target| !is_stdin(target)).map(|target| root_of(target));
    // A working directory inside a package is no root: there `import random` is the library's, whatever files lie beside.
    let project = config.folder.clone().into_iter().chain([root_of(Path::new("."))]);
    for folder in targets.chain(project) {
        roots.extend(ModuleResolver::for_project(&normalise_path(&folder)).roots().iter().cloned());
    }
    let mut seen = std::collections::HashSet::new();
    roots.retain(|root| seen.insert(root.clone()));
    let resolver = ModuleResolver::with_roots(roots);
    let resolver = match &config.python {
        Some(python) => {
            let packages = site_packages(python).map_err(|error| anyhow!("--python: {error}"))?;
            resolver.with_packages(packages)
        }
        None => resolver,
    };
    // Following a package that does not exist would leave all its values Unknown without a word.
    if let Some(package) = config.follow.iter().find(|package| resolver.resolve(package).is_none()) {
        return Err(match &config.python {
            Some(python) => anyhow!("--follow: there is no package `{package}` in {}", python.display()),
            None => anyhow!("--follow: there is no package `{package}`; --python says where packages are installed"),
        });
    }
    Ok(resolver)
}

/// The working directory itself is the empty path, below which relative paths lie.
fn normalise_path(path: &Path) -> PathBuf {
    match shown(path) {
        here if here == "." => PathBuf::new(),
        other => PathBuf::from(other),
    }
}

/// The folder that a target's modules are imported from: the one that holds its outermost package.
fn root_of(target: &Path) -> PathBuf {
    let target = std::path::absolute(target).unwrap_or_else(|_| target.to_owned());
    let mut folder = if target.is_dir() { target.as_path() } else { target.parent().unwrap_or(&target) };
    while folder.join("__init__.py").is_file() {
        match folder.parent() {
            Some(parent) => folder = parent,
            None => break,
        }
    }
    folder.to_owned()
}
