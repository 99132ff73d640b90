//! The modules of a run: files that are analysed, files they import, and the models of libraries.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pytrope_eval::{ModuleLoader, ModuleSource, Native};
use pytrope_models::Library;
use pytrope_source::{ModuleFile, ModuleKind, ModuleResolver, ScopedTree, SourceFile, Tree, parse};
use rustc_hash::{FxHashMap, FxHashSet};

/// Libraries whose model is used even where their own sources are analysed.
const MODEL_FIRST: [&str; 4] = ["builtins", "numpy", "torch", "pytrope"];

/// More files than this are likely to use much of the models they use.
const FEW: usize = 4;

/// Trees of files by their paths, given away one by one.
pub type Trees = Mutex<FxHashMap<String, Tree>>;

/// Where the modules of a project come from.
pub struct FileModuleLoader {
    files: FxHashMap<String, ModuleSource>,
    resolver: Option<ModuleResolver>,
    /// Installed packages that are interpreted rather than modelled.
    follow: Vec<String>,
    library: Library,
    trees: Arc<Trees>,
    /// Paths of files that do not compile.
    broken: FxHashSet<String>,
    /// Folders of model files that users wrote for their own libraries.
    models: ModuleResolver,
    notebook: bool,
    /// The minor version of Python 3 that the code is for.
    target: u8,
    /// The versions that the code is for include one that evaluates annotations at once.
    annotations: bool,
}

/// The first minor version of Python 3 that evaluates annotations only when somebody asks for them.
const LAZY_ANNOTATIONS: u8 = 14;

/// The version of Python that code is for unless it is said.
pub const DEFAULT_TARGET: u8 = 13;

impl Default for FileModuleLoader {
    fn default() -> Self {
        Self {
            files: FxHashMap::default(),
            resolver: None,
            follow: Vec::new(),
            library: Library,
            trees: Arc::default(),
            broken: FxHashSet::default(),
            models: ModuleResolver::default(),
            notebook: false,
            target: DEFAULT_TARGET,
            annotations: false,
        }
    }
}

impl FileModuleLoader {
    /// With a resolver, imported modules are read from disk; without one there are only the files that are added.
    pub fn new(resolver: Option<ModuleResolver>, follow: Vec<String>) -> Self {
        Self { resolver, follow, ..Self::default() }
    }

    /// The minor version of Python 3 that the code is for.
    pub fn with_target(mut self, minor: Option<u8>) -> Self {
        self.target = minor.unwrap_or(DEFAULT_TARGET);
        self.annotations = minor.is_some_and(|minor| minor < LAZY_ANNOTATIONS);
        self
    }

    /// Models in these folders come before ours and before the libraries they stand for.
    pub fn with_models(mut self, folders: Vec<PathBuf>) -> Self {
        self.models = ModuleResolver::with_roots(folders);
        self
    }

    /// Trees of files that were parsed before, by path.
    pub fn with_trees(mut self, trees: Arc<Trees>) -> Self {
        self.trees = trees;
        self
    }

    /// Files with syntax errors, by path: importing one gives nothing that is known.
    pub fn without(mut self, broken: FxHashSet<String>) -> Self {
        self.broken = broken;
        self
    }

    /// Adds a file that is analysed; returns the key it is loaded by.
    pub fn add(&mut self, file: &Arc<SourceFile>) -> String {
        let path = file.path();
        self.notebook |= file.kind() == pytrope_source::SourceKind::Notebook;
        let dotted = match self.resolver.take() {
            Some(resolver) => {
                let (root, dotted) = place_on_disk(Path::new(path));
                self.resolver = Some(if resolver.roots().contains(&root) {
                    resolver
                } else {
                    let packages = resolver.packages().to_vec();
                    let roots = resolver.roots().iter().cloned().chain([root]).collect();
                    ModuleResolver::with_roots(roots).with_packages(packages)
                });
                dotted
            }
            None => name_of(path),
        };
        let is_package = Path::new(path).file_stem().is_some_and(|stem| stem == "__init__");
        let source = ModuleSource { file: Arc::clone(file), is_package, is_model: false };
        let modelled = MODEL_FIRST.contains(&top(&dotted));
        let key = if modelled || self.files.contains_key(&dotted) { format!("{path}!{dotted}") } else { dotted };
        self.files.insert(key.clone(), source);
        key
    }

    fn lock_trees(&self) -> MutexGuard<'_, FxHashMap<String, Tree>> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file does not compile. What was not parsed before is parsed here, once.
    fn is_broken(&self, source: &ModuleSource) -> bool {
        let path = source.file.path();
        if self.broken.contains(path) {
            return true;
        }
        if self.lock_trees().contains_key(path) {
            return false;
        }
        let parsed = parse(&source.file);
        let compiles = parsed.errors.is_empty();
        if compiles {
            self.lock_trees().insert(path.to_owned(), parsed.tree);
        }
        !compiles
    }

    fn is_followed(&self, dotted: &str) -> bool {
        self.follow.iter().any(|package| dotted == package || dotted.starts_with(&format!("{package}.")))
    }
}

fn top(dotted: &str) -> &str {
    dotted.split('.').next().unwrap_or(dotted)
}

/// The folder that imports start from, and the dotted name below it: packages are folders with `__init__.py`.
fn place_on_disk(path: &Path) -> (PathBuf, String) {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut parts = if stem == "__init__" { Vec::new() } else { vec![stem] };
    let mut folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    while folder.join("__init__.py").is_file() {
        let Some(name) = folder.file_name().map(|name| name.to_string_lossy().into_owned()) else { break };
        parts.insert(0, name);
        if !folder.pop() {
            break;
        }
    }
    (folder, parts.join("."))
}

/// The dotted name of a file that stands in no folder on disk.
fn name_of(path: &str) -> String {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    stem.trim_start_matches("./").replace('/', ".")
}

/// Where a module was found.
enum Place<'p> {
    /// A file that is analysed.
    File(&'p ModuleSource),
    /// What models may ask about the run itself.
    Target,
    UserModel(ModuleFile),
    Model,
    Disk(ModuleFile),
}

impl FileModuleLoader {
    fn locate(&self, dotted: &str) -> Option<Place<'_>> {
        if (dotted.contains('!') || !MODEL_FIRST.contains(&top(dotted)))
            && let Some(source) = self.files.get(dotted)
        {
            return Some(Place::File(source));
        }
        if dotted.contains('!') {
            return None;
        }
        if dotted == "_target" {
            return Some(Place::Target);
        }
        if let Some(found) = self.models.resolve(dotted).filter(|found| found.kind != ModuleKind::Namespace) {
            return Some(Place::UserModel(found));
        }
        // In a followed package those modules have a model whose source says nothing about shapes.
        if self.library.has(dotted) {
            return Some(Place::Model);
        }
        if self.library.has_package(top(dotted)) && !self.is_followed(dotted) {
            // A part of a modelled library that has no model is not known.
            return None;
        }
        let found = self.resolver.as_ref()?.resolve(dotted)?;
        let is_known = found.kind != ModuleKind::Namespace && (!found.external || self.is_followed(dotted));
        is_known.then_some(Place::Disk(found))
    }
}

fn read(found: &ModuleFile, is_model: bool) -> Option<ModuleSource> {
    let bytes = std::fs::read(&found.path).ok()?;
    let (file, _) = SourceFile::from_bytes(found.path.to_string_lossy().into_owned(), &bytes);
    Some(ModuleSource { file, is_package: found.is_package(), is_model })
}

impl ModuleLoader for FileModuleLoader {
    fn find(&self, dotted: &str) -> Option<ModuleSource> {
        match self.locate(dotted)? {
            Place::File(source) => (!self.is_broken(source)).then(|| source.clone()),
            Place::Target => {
                let file = SourceFile::from_text("_target.py", format!("minor = {}\n", self.target));
                Some(ModuleSource { file, is_package: false, is_model: true })
            }
            Place::UserModel(found) => read(&found, true),
            Place::Model => self.library.find(dotted),
            Place::Disk(found) => {
                let source = read(&found, false)?;
                (!self.is_broken(&source)).then_some(source)
            }
        }
    }

    fn exists(&self, dotted: &str) -> bool {
        self.locate(dotted).is_some()
    }

    fn tree(&self, dotted: &str) -> Option<ScopedTree> {
        match self.locate(dotted)? {
            Place::File(source) => {
                let known = self.lock_trees().remove(source.file.path());
                known.map(|tree| ScopedTree::of(tree, &source.file))
            }
            Place::Disk(found) => {
                let source = read(&found, false)?;
                let known = self.lock_trees().remove(source.file.path());
                known.map(|tree| ScopedTree::of(tree, &source.file))
            }
            Place::Model => self.library.tree(dotted, self.files.len() > FEW),
            Place::Target | Place::UserModel(_) => None,
        }
    }

    fn primitive(&self, name: &str) -> Option<&'static Native> {
        self.library.primitive(name)
    }

    fn evaluates_annotations(&self) -> bool {
        self.annotations
    }

    fn target(&self) -> u8 {
        self.target
    }

    fn is_injected(&self, name: &str) -> bool {
        // IPython puts the first three among the builtins, so that every module it runs has them.
        matches!(name, "display" | "get_ipython" | "__IPYTHON__")
            || self.notebook && matches!(name, "In" | "Out" | "exit" | "quit" | "__" | "___")
    }
}
