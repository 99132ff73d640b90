//! Which folder an import starts from: for each file what Python's path would be, never the union of all folders.
//!
//! A file's own root comes first: the folder above its outermost package, or the script's folder. Then come the roots of the project
//! it lies in (the nearest folder with a `pyproject.toml` or the like, and its `src`), as an installed project has them, and last the
//! roots of the run. The first that has the top-level module decides, so that files of one name in sibling folders never mix.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pytrope_source::probes;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a folder that imports start from.
type RootNumber = u32;

/// The roots of a run.
#[derive(Default)]
pub(crate) struct ImportRoots {
    shared: Vec<PathBuf>,
    numbers: Mutex<FxHashMap<PathBuf, RootNumber>>,
    /// Top-level names of the files that are analysed, by root.
    tops: FxHashSet<(RootNumber, String)>,
    /// The root whose modules go by their plain names.
    plain: FxHashMap<String, RootNumber>,
    /// Folders without `__init__.py` whose files import each other by the folder's name: namespace packages.
    namespaces: FxHashSet<PathBuf>,
    /// Where a top-level name leads from files of a folder.
    found: Mutex<FxHashMap<(PathBuf, String), ImportPlace<RootNumber>>>,
    /// Whether a root is a folder that packages were installed into.
    installed: Mutex<FxHashMap<RootNumber, bool>>,
}

/// Where an import leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ImportPlace<T> {
    /// To a module that is read.
    Read(T),
    /// To a package that is installed beside the importer's own, and is read only on request.
    Installed,
    /// No root has it.
    Nowhere,
}

/// What marks the folder of a project.
const MARKS: [&str; 4] = ["pyproject.toml", "setup.py", "setup.cfg", ".git"];

/// Folders of a project that often are the roots of its packages.
const SOURCES: [&str; 3] = ["src", "lib", "python"];

impl ImportRoots {
    pub fn new(shared: Vec<PathBuf>) -> Self {
        Self { shared, ..Self::default() }
    }

    fn root_number(&self, root: &Path) -> RootNumber {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let next = numbers.len() as RootNumber;
        *numbers.entry(root.to_owned()).or_insert(next)
    }

    /// The folder that a numbered key starts from.
    pub fn root_folder(&self, number: RootNumber) -> Option<PathBuf> {
        let numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.iter().find(|(_, known)| **known == number).map(|(folder, _)| folder.clone())
    }

    /// The key of a file that is analysed. Names that models have are left to them.
    pub fn add_file(&mut self, path: &Path, text: &str, is_modelled: impl Fn(&str) -> bool) -> String {
        let (root, dotted) = place_on_disk(path);
        if imports_past_files(path, (&root, &dotted), text) {
            self.namespaces.insert(root.clone());
        }
        let number = self.root_number(&root);
        let top = top_package(&dotted).to_owned();
        if !is_modelled(&top) {
            self.plain.entry(top.clone()).or_insert(number);
        }
        self.tops.insert((number, top));
        self.module_key(number, &dotted)
    }

    /// Whether some root's modules have plain names under this top-level name.
    pub fn has_plain(&self, top: &str) -> bool {
        self.plain.contains_key(top)
    }

    fn module_key(&self, root: RootNumber, dotted: &str) -> String {
        if self.plain.get(top_package(dotted)) == Some(&root) { dotted.to_owned() } else { format!("{root}!{dotted}") }
    }

    /// The key that a dotted name stands for in a file.
    pub fn resolve_import(&self, importer: &Path, dotted: &str) -> ImportPlace<String> {
        let folder = importer.parent().unwrap_or(Path::new("")).to_owned();
        let asked = (folder, top_package(dotted).to_owned());
        let known = self.found.lock().unwrap_or_else(PoisonError::into_inner).get(&asked).copied();
        let root = known.unwrap_or_else(|| {
            let root = self.root_of(importer, &asked.1);
            self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(asked, root);
            root
        });
        match root {
            ImportPlace::Read(root) => ImportPlace::Read(self.module_key(root, dotted)),
            ImportPlace::Installed => ImportPlace::Installed,
            ImportPlace::Nowhere => ImportPlace::Nowhere,
        }
    }

    /// The key of a module in the folder of a file, for `from .dotted import name` in a file of no package.
    pub fn resolve_beside(&self, importer: &Path, dotted: &str) -> Option<String> {
        let (own, _) = place_on_disk(importer);
        let base = own.join(top_package(dotted));
        let has_code = probes::is_file(&base.join("__init__.py")) || probes::is_file(&base.with_extension("py"));
        (has_code || probes::is_dir(&base)).then(|| self.module_key(self.root_number(&own), dotted))
    }

    /// The first root with a module of that name; a folder without code of its own (a namespace package) comes after all others.
    /// A file of a namespace package hides nothing of its name from the files beside it: `from typing import Any` in `graph/state.py`
    /// is not answered by `graph/typing.py`, nor `from vunit import VUnit` by `graph/vunit.py`.
    fn root_of(&self, importer: &Path, top: &str) -> ImportPlace<RootNumber> {
        let (own, _) = place_on_disk(importer);
        let own = Some(own).filter(|own| !self.namespaces.contains(own));
        // What lies in a folder of others' sources is installed by their build, not by this project's.
        let around = if is_foreign(importer) { Vec::new() } else { project_roots(importer) };
        let shared = if is_foreign(importer) { &[] } else { self.shared.as_slice() };
        let roots = own.into_iter().chain(around).chain(shared.iter().cloned());
        let mut namespace = None;
        for root in roots {
            let number = self.root_number(&root);
            let folder = root.join(top);
            let is_code =
                probes::is_file(&folder.join("__init__.py")) || probes::is_file(&root.join(format!("{top}.py")));
            let is_analysed = self.tops.contains(&(number, top.to_owned()));
            if is_code && !is_analysed && self.holds_installed(number, &root) {
                return ImportPlace::Installed;
            }
            if is_code || is_analysed && !probes::is_dir(&folder) {
                return ImportPlace::Read(number);
            }
            if namespace.is_none() && probes::is_dir(&folder) {
                namespace = Some(number);
            }
        }
        namespace.map_or(ImportPlace::Nowhere, ImportPlace::Read)
    }

    /// Whether packages were installed into a root: it holds their metadata (`NAME-VERSION.dist-info`). That of a project under
    /// development has no version in its name.
    fn holds_installed(&self, number: RootNumber, root: &Path) -> bool {
        let mut installed = self.installed.lock().unwrap_or_else(PoisonError::into_inner);
        *installed.entry(number).or_insert_with(|| {
            let is_metadata = |name: &String| {
                let stem = name.strip_suffix(".dist-info").or_else(|| name.strip_suffix(".egg-info"));
                stem.is_some_and(|stem| stem.contains('-'))
            };
            let folder = if root.as_os_str().is_empty() { Path::new(".") } else { root };
            probes::names_in(folder).is_some_and(|names| names.iter().any(is_metadata))
        })
    }
}

/// Whether two texts of a file show different things about the names of the files beside it.
pub(crate) fn moves_names(path: &Path, before: &str, after: &str) -> bool {
    let (root, dotted) = place_on_disk(path);
    imports_past_files(path, (&root, &dotted), before) != imports_past_files(path, (&root, &dotted), after)
}

/// Whether a text shows that the files beside it hide no libraries of their names.
fn imports_past_files(path: &Path, (root, dotted): (&Path, &str), text: &str) -> bool {
    imports_by_folder(root, text) || imports_own_name(path, dotted, text)
}

pub(crate) fn top_package(dotted: &str) -> &str {
    dotted.split('.').next().unwrap_or(dotted)
}

/// Whether a text imports from a package that has the name of a folder.
fn imports_by_folder(folder: &Path, text: &str) -> bool {
    let Some(name) = folder.file_name().and_then(std::ffi::OsStr::to_str) else { return false };
    let is_import = |line: &str| {
        let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
        rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('.'))
    };
    text.lines().any(|line| is_import(line.trim_start()))
}

/// Whether a file without a package imports the name that it has itself: it means a library, and so do the files beside it.
///
/// ```python
/// import socket                      # in `utils/socket.py`
/// ```
fn imports_own_name(path: &Path, dotted: &str, text: &str) -> bool {
    let is_module = !dotted.contains('.') && path.file_stem().is_some_and(|stem| stem != "__init__");
    let is_import = |line: &str| {
        let rest = line.strip_prefix("from ").or_else(|| line.strip_prefix("import "));
        let rest = rest.and_then(|rest| rest.strip_prefix(dotted));
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    is_module && text.lines().any(is_import)
}

/// Whether a file lies in a folder of others' sources, which is no package of the project:
///
/// ```text
/// src/fastjet/__init__.py                             the project
/// extern/fastjet-core/example/python/events.py        `import fastjet` means what the build of fastjet-core makes
/// ```
fn is_foreign(file: &Path) -> bool {
    const FOLDERS: [&str; 8] =
        ["3rdparty", "extern", "external", "externals", "submodules", "subprojects", "third_party", "thirdparty"];
    let is_named = |folder: &&Path| {
        folder.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| FOLDERS.contains(&name))
    };
    let holder = file.ancestors().skip(1).find(is_named);
    holder.is_some_and(|folder| !probes::is_file(&folder.join("__init__.py")))
}

/// The roots of the project that a file lies in.
fn project_roots(file: &Path) -> Vec<PathBuf> {
    let marked = |folder: &&Path| MARKS.iter().any(|mark| probes::exists(&folder.join(mark)));
    let Some(project) = file.ancestors().skip(1).take(16).find(marked) else { return Vec::new() };
    let sources = SOURCES.iter().map(|name| project.join(name));
    let sources = sources.filter(|folder| probes::is_dir(folder) && !probes::is_file(&folder.join("__init__.py")));
    sources.chain([project.to_owned()]).collect()
}

/// The folder that imports start from, and the dotted name below it: packages are folders with `__init__.py`.
pub(crate) fn place_on_disk(path: &Path) -> (PathBuf, String) {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut parts = if stem == "__init__" { Vec::new() } else { vec![stem] };
    let mut folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    while probes::is_file(&folder.join("__init__.py")) {
        let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) else { break };
        // No import leads through a folder with a dot in its name.
        if name.contains('.') {
            break;
        }
        parts.insert(0, name);
        if !folder.pop() {
            break;
        }
    }
    // The working directory may lie inside a package, which goes on above it.
    if folder.as_os_str().is_empty()
        && probes::is_file(Path::new("__init__.py"))
        && let Ok(whole) = std::path::absolute(path)
    {
        return place_on_disk(&whole);
    }
    (folder, parts.join("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files, all empty.
    fn project(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            std::fs::write(path, "").expect("written");
        }
        folder
    }

    fn roots_of(folder: &Path, files: &[&str]) -> ImportRoots {
        let mut roots = ImportRoots::new(vec![folder.to_owned()]);
        for file in files.iter().filter(|file| Path::new(file).extension().is_some_and(|extension| extension == "py")) {
            roots.add_file(&folder.join(file), "", |top| top == "numpy");
        }
        roots
    }

    /// The key of a module that is read.
    fn key_of(roots: &ImportRoots, importer: &Path, dotted: &str) -> Option<String> {
        match roots.resolve_import(importer, dotted) {
            ImportPlace::Read(key) => Some(key),
            ImportPlace::Installed | ImportPlace::Nowhere => None,
        }
    }

    #[test]
    fn packages_that_are_installed_beside_the_importer_are_not_read() {
        let files = ["own/__init__.py", "own/use.py", "other/__init__.py", "single.py", "other-1.0.dist-info/METADATA"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &["own/__init__.py", "own/use.py"]);
        let from = |name: &str| roots.resolve_import(&folder.path().join("own/use.py"), name);
        assert_eq!(from("own.part"), ImportPlace::Read("own.part".to_owned()));
        assert_eq!(from("other.part"), ImportPlace::Installed);
        assert_eq!(from("single"), ImportPlace::Installed);
        assert_eq!(from("absent"), ImportPlace::Nowhere);
    }

    #[test]
    fn a_project_under_development_reads_what_it_imports() {
        let files = ["pkg/__init__.py", "pkg.egg-info/PKG-INFO", "tests/test_it.py", "setup.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &["tests/test_it.py"]);
        let found = roots.resolve_import(&folder.path().join("tests/test_it.py"), "pkg");
        assert!(matches!(found, ImportPlace::Read(key) if key.ends_with("!pkg")));
    }

    #[test]
    fn siblings_of_one_name_are_not_mixed() {
        let files = ["a/main.py", "a/lib.py", "b/main.py", "b/lib.py", "c/use.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |file: &str| key_of(&roots, &folder.path().join(file), "lib");
        assert_eq!(from("a/main.py").as_deref(), Some("lib"));
        assert!(from("b/main.py").is_some_and(|key| key.ends_with("!lib")));
        assert_eq!(from("c/use.py"), None);
    }

    #[test]
    fn packages_of_one_name_keep_to_themselves() {
        let files = ["one/t/__init__.py", "one/t/views.py", "two/t/__init__.py", "two/t/views.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let first = key_of(&roots, &folder.path().join("one/t/x.py"), "t.views");
        let second = key_of(&roots, &folder.path().join("two/t/x.py"), "t.views");
        assert!(first.is_some() && second.is_some() && first != second, "{first:?} {second:?}");
    }

    #[test]
    fn tests_see_the_project_and_its_sources() {
        let files = ["p/pyproject.toml", "p/src/pkg/__init__.py", "p/tests/test_it.py", "p/tool.py", "other/helper.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |name: &str| key_of(&roots, &folder.path().join("p/tests/test_it.py"), name);
        assert_eq!(from("pkg").as_deref(), Some("pkg"));
        assert_eq!(from("tool").as_deref(), Some("tool"));
        assert_eq!(from("helper"), None);
    }

    #[test]
    fn a_file_with_the_name_of_a_model_is_found_where_python_finds_it() {
        let files = ["a/numpy.py", "a/use.py", "b/use.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |file: &str| key_of(&roots, &folder.path().join(file), "numpy");
        assert!(from("a/use.py").is_some_and(|key| key.ends_with("!numpy")));
        assert_eq!(from("b/use.py"), None);
    }

    #[test]
    fn sources_of_others_do_not_see_the_project() {
        let files =
            ["pyproject.toml", "src/jets/__init__.py", "extern/core/example/use.py", "extern/core/example/own.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |file: &str, name: &str| key_of(&roots, &folder.path().join(file), name);
        assert_eq!(from("extern/core/example/use.py", "jets"), None);
        assert_eq!(from("extern/core/example/use.py", "own").as_deref(), Some("own"));
        assert_eq!(from("use.py", "jets").as_deref(), Some("jets"));
        let inside = ["pyproject.toml", "src/jets/__init__.py", "tool/extern/__init__.py", "tool/extern/use.py"];
        let folder = project(&inside);
        let roots = roots_of(folder.path(), &inside);
        assert_eq!(key_of(&roots, &folder.path().join("tool/extern/use.py"), "jets").as_deref(), Some("jets"));
    }

    #[test]
    fn a_relative_import_in_a_folder_without_init_never_means_a_library() {
        let files =
            ["sdk/_hooks/types.py", "sdk/_hooks/registration.py", "sdk/_hooks/textwrap/part.py", "sdk/other.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |name: &str| roots.resolve_beside(&folder.path().join("sdk/_hooks/registration.py"), name);
        assert!(from("types").is_some_and(|key| key.ends_with("types")));
        assert!(from("textwrap.part").is_some_and(|key| key.ends_with("textwrap.part")));
        assert_eq!(from("enum"), None);
        assert_eq!(from("other"), None);
    }

    #[test]
    fn a_folder_with_a_dot_in_its_name_is_no_package() {
        let files = ["a.b/__init__.py", "a.b/c/__init__.py", "a.b/c/use.py"];
        let folder = project(&files);
        let (root, dotted) = place_on_disk(&folder.path().join("a.b/c/use.py"));
        assert_eq!((root, dotted.as_str()), (folder.path().join("a.b"), "c.use"));
    }

    #[test]
    fn a_file_of_a_namespace_package_hides_no_library() {
        let files = [
            "graph/numpy.py",
            "graph/tool.py",
            "graph/state.py",
            "graph/types.py",
            "scripts/numpy.py",
            "scripts/use.py",
        ];
        let folder = project(&files);
        let mut roots = ImportRoots::new(vec![folder.path().to_owned()]);
        for file in files {
            let text = if file == "graph/types.py" { "import os\nfrom graph.state import State\n" } else { "" };
            roots.add_file(&folder.path().join(file), text, |top| top == "numpy");
        }
        let from = |file: &str| key_of(&roots, &folder.path().join(file), "numpy");
        assert_eq!(from("graph/state.py"), None);
        assert_eq!(key_of(&roots, &folder.path().join("graph/state.py"), "tool"), None);
        assert!(from("scripts/use.py").is_some_and(|key| key.ends_with("!numpy")));
    }
}
