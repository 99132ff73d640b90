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
    /// Where a top-level name leads from files of a folder.
    found: Mutex<FxHashMap<(PathBuf, String), Option<RootNumber>>>,
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
    pub fn add(&mut self, path: &Path, is_modelled: impl Fn(&str) -> bool) -> String {
        let (root, dotted) = place_on_disk(path);
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

    /// The key that a dotted name stands for in a file; none if no root has it.
    pub fn resolve_import(&self, importer: &Path, dotted: &str) -> Option<String> {
        let folder = importer.parent().unwrap_or(Path::new("")).to_owned();
        let asked = (folder, top_package(dotted).to_owned());
        let known = self.found.lock().unwrap_or_else(PoisonError::into_inner).get(&asked).copied();
        let root = known.unwrap_or_else(|| {
            let root = self.root_of(importer, &asked.1);
            self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(asked, root);
            root
        });
        root.map(|root| self.module_key(root, dotted))
    }

    /// The first root with a module of that name; a folder without code of its own (a namespace package) comes after all others.
    fn root_of(&self, importer: &Path, top: &str) -> Option<RootNumber> {
        let (own, _) = place_on_disk(importer);
        let roots = [own].into_iter().chain(project_roots(importer)).chain(self.shared.iter().cloned());
        let mut namespace = None;
        for root in roots {
            let number = self.root_number(&root);
            let folder = root.join(top);
            let is_code =
                probes::is_file(&folder.join("__init__.py")) || probes::is_file(&root.join(format!("{top}.py")));
            if is_code || self.tops.contains(&(number, top.to_owned())) && !probes::is_dir(&folder) {
                return Some(number);
            }
            if namespace.is_none() && probes::is_dir(&folder) {
                namespace = Some(number);
            }
        }
        namespace
    }
}

pub(crate) fn top_package(dotted: &str) -> &str {
    dotted.split('.').next().unwrap_or(dotted)
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
            roots.add(&folder.join(file), |top| top == "numpy");
        }
        roots
    }

    #[test]
    fn siblings_of_one_name_are_not_mixed() {
        let files = ["a/main.py", "a/lib.py", "b/main.py", "b/lib.py", "c/use.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |file: &str| roots.resolve_import(&folder.path().join(file), "lib");
        assert_eq!(from("a/main.py").as_deref(), Some("lib"));
        assert!(from("b/main.py").is_some_and(|key| key.ends_with("!lib")));
        assert_eq!(from("c/use.py"), None);
    }

    #[test]
    fn packages_of_one_name_keep_to_themselves() {
        let files = ["one/t/__init__.py", "one/t/views.py", "two/t/__init__.py", "two/t/views.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let first = roots.resolve_import(&folder.path().join("one/t/x.py"), "t.views");
        let second = roots.resolve_import(&folder.path().join("two/t/x.py"), "t.views");
        assert!(first.is_some() && second.is_some() && first != second, "{first:?} {second:?}");
    }

    #[test]
    fn tests_see_the_project_and_its_sources() {
        let files = ["p/pyproject.toml", "p/src/pkg/__init__.py", "p/tests/test_it.py", "p/tool.py", "other/helper.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        let from = |name: &str| roots.resolve_import(&folder.path().join("p/tests/test_it.py"), name);
        assert_eq!(from("pkg").as_deref(), Some("pkg"));
        assert_eq!(from("tool").as_deref(), Some("tool"));
        assert_eq!(from("helper"), None);
    }

    #[test]
    fn a_file_with_the_name_of_a_model_is_found_where_python_finds_it() {
        let files = ["a/numpy.py", "a/use.py", "b/use.py"];
        let folder = project(&files);
        let roots = roots_of(folder.path(), &files);
        assert!(
            roots.resolve_import(&folder.path().join("a/use.py"), "numpy").is_some_and(|key| key.ends_with("!numpy"))
        );
        assert_eq!(roots.resolve_import(&folder.path().join("b/use.py"), "numpy"), None);
    }
}
