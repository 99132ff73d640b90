//! The modules of a run: files that are analysed, files they import, and the models of libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pytrope_eval::value::BuiltinType;
use pytrope_eval::{ModuleLoader, ModuleSource, Native};
use pytrope_models::Library;
use pytrope_source::{ModuleFile, ModuleKind, ModuleResolver, ScopedTree, SourceFile, Tree, parse, probes};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::roots::{ImportPlace, ImportRoots, top_package};

/// Libraries whose model is used even where their own sources are analysed.
const MODEL_FIRST: [&str; 4] = ["builtins", "numpy", "torch", "pytrope"];

/// More files than this are likely to use much of the models they use.
const FEW: usize = 4;

/// Trees of files by their paths; each is taken out once.
pub type Trees = Mutex<FxHashMap<String, Tree>>;

/// Installed packages that a run has asked for and not read.
pub type UnreadPackages = Mutex<BTreeSet<String>>;

/// Where the modules of a project come from.
pub struct FileModuleLoader {
    /// The files that are analysed, by key; an edit puts another text in place of one.
    files: RwLock<FxHashMap<String, ModuleSource>>,
    resolver: Option<ModuleResolver>,
    roots: ImportRoots,
    /// Installed packages that are interpreted rather than modelled.
    follow: Vec<String>,
    /// Installed packages that were asked for and are neither followed nor modelled.
    unread: Arc<UnreadPackages>,
    library: Library,
    trees: Arc<Trees>,
    /// Paths of files that do not compile.
    broken: RwLock<FxHashSet<String>>,
    /// Folders of model files that users wrote for their own libraries.
    models: ModuleResolver,
    versions: BTreeMap<String, String>,
    notebook: bool,
    /// The minor version of Python 3 that the code is for.
    target: u8,
    /// The versions that the code is for include one that evaluates annotations at once.
    annotations: bool,
}

/// The first minor version of Python 3 that evaluates annotations only on demand.
const LAZY_ANNOTATIONS: u8 = 14;

/// The version of Python that code is for unless it is said.
pub const DEFAULT_TARGET: u8 = 13;

impl Default for FileModuleLoader {
    fn default() -> Self {
        Self {
            files: RwLock::default(),
            resolver: None,
            roots: ImportRoots::default(),
            follow: Vec::new(),
            unread: Arc::default(),
            library: Library,
            trees: Arc::default(),
            broken: RwLock::default(),
            models: ModuleResolver::default(),
            versions: BTreeMap::new(),
            notebook: false,
            target: DEFAULT_TARGET,
            annotations: false,
        }
    }
}

impl FileModuleLoader {
    /// With a resolver, imported modules are read from disk; without one there are only the files that are added.
    pub fn new(resolver: Option<ModuleResolver>, follow: Vec<String>) -> Self {
        let shared = resolver.as_ref().map(|resolver| resolver.roots().to_vec()).unwrap_or_default();
        Self { resolver, roots: ImportRoots::new(shared), follow, ..Self::default() }
    }

    /// The minor version of Python 3 that the code is for.
    pub fn with_target(mut self, minor: Option<u8>) -> Self {
        self.target = minor.unwrap_or(DEFAULT_TARGET);
        self.annotations = minor.is_some_and(|minor| minor < LAZY_ANNOTATIONS);
        self
    }

    /// The releases of libraries that the code is for, by name; others are looked up among the installed ones.
    pub fn with_versions(mut self, versions: BTreeMap<String, String>) -> Self {
        self.versions = versions;
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
    pub fn without_broken_files(mut self, broken: FxHashSet<String>) -> Self {
        self.broken = RwLock::new(broken);
        self
    }

    /// Adds a file that is analysed; returns the key it is loaded by.
    pub fn add_file(&mut self, file: &Arc<SourceFile>) -> String {
        let path = file.path();
        let is_notebook = file.kind() == pytrope_source::SourceKind::Notebook;
        self.notebook |= is_notebook;
        let is_module = !is_notebook && !has_dotted_stem(Path::new(path));
        let library = &self.library;
        let key = match &self.resolver {
            _ if !is_module => stem_of(path),
            Some(_) => self.roots.add_file(Path::new(path), file.text(), |top| library.has_package(top)),
            None => name_of(path),
        };
        let is_package = Path::new(path).file_stem().is_some_and(|stem| stem == "__init__");
        let source = ModuleSource { file: Arc::clone(file), is_package, is_model: false };
        // Two files of one name and folder, a file whose name a model takes, and what no import finds (notebooks, names with dots in
        // them) are known by their paths.
        let modelled = !key.contains('!') && MODEL_FIRST.contains(&top_package(&key));
        let files = self.files.get_mut().unwrap_or_else(PoisonError::into_inner);
        let taken = modelled || !is_module || files.contains_key(&key);
        let key = if taken { format!("{path}!{}", key.rsplit('!').next().unwrap_or(&key)) } else { key };
        files.insert(key.clone(), source);
        key
    }

    /// Puts another text in the place of a file that was added, with its tree if it was parsed.
    pub(crate) fn replace_file(&self, key: &str, file: &Arc<SourceFile>, is_broken: bool, tree: Option<Tree>) {
        let path = file.path();
        let mut broken = self.broken.write().unwrap_or_else(PoisonError::into_inner);
        if is_broken {
            broken.insert(path.to_owned());
        } else {
            broken.remove(path);
        }
        // A tree that was not asked for is of the text before.
        let mut trees = self.lock_trees();
        trees.remove(path);
        trees.extend(tree.map(|tree| (path.to_owned(), tree)));
        if let Some(source) = self.files.write().unwrap_or_else(PoisonError::into_inner).get_mut(key) {
            source.file = Arc::clone(file);
        }
    }

    fn file_count(&self) -> usize {
        self.files.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn file_of(&self, key: &str) -> Option<ModuleSource> {
        self.files.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    fn lock_trees(&self) -> MutexGuard<'_, FxHashMap<String, Tree>> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a file does not compile. What was not parsed before is parsed here, once.
    fn is_broken(&self, source: &ModuleSource) -> bool {
        let path = source.file.path();
        if self.broken.read().unwrap_or_else(PoisonError::into_inner).contains(path) {
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

    /// Whether a key leads to a package that is installed beside a followed one and is not followed itself.
    fn is_beside_followed(&self, key: &str) -> bool {
        let folder = key.split_once('!').and_then(|(root, _)| self.roots.root_folder(root.parse().ok()?));
        folder
            .is_some_and(|folder| self.follow.iter().any(|package| probes::exists(&folder.join(top_package(package)))))
    }

    /// Whether a model of ours or of the user says what a module is.
    fn is_modelled(&self, dotted: &str) -> bool {
        self.library.has_package(top_package(dotted)) || self.models.resolve(dotted).is_some()
    }

    /// Whether a top-level name is that of a module of the standard library or of a library that has a model.
    pub fn is_library(&self, top: &str) -> bool {
        self.library.has_package(top) || self.library.is_standard_module(top)
    }

    /// Whether a top-level name is that of a library with a model that is not part of Python.
    pub fn is_third_party(&self, top: &str) -> bool {
        self.library.has_package(top) && !self.library.is_standard_module(top)
    }

    /// The set that packages are noted in which were asked for and not read.
    pub fn unread_packages(&self) -> Arc<UnreadPackages> {
        Arc::clone(&self.unread)
    }

    fn note_unread(&self, key: &str) {
        let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        if !unread.contains(top_package(key)) {
            unread.insert(top_package(key).to_owned());
        }
    }

    fn is_followed(&self, dotted: &str) -> bool {
        self.follow.iter().any(|package| dotted == package || dotted.starts_with(&format!("{package}.")))
    }
}

/// The key of a module that is not known, though a file of its name may be found elsewhere.
fn unknown_key(dotted: &str) -> String {
    format!("?!{dotted}")
}

/// The dotted name of a file that stands in no folder on disk.
fn name_of(path: &str) -> String {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    stem.trim_start_matches("./").replace('/', ".")
}

/// Whether a file cannot be imported: `dataclasses.dataclass.py` is no module of a package `dataclasses`.
fn has_dotted_stem(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.to_string_lossy().contains('.'))
}

/// The name of a file that is no module of a package.
fn stem_of(path: &str) -> String {
    let stem = Path::new(path).file_stem().and_then(std::ffi::OsStr::to_str);
    stem.unwrap_or(path).replace('.', "_")
}

/// Where a module was found.
enum ModulePlace {
    /// A file that is analysed.
    File(ModuleSource),
    /// What models may ask about the run itself.
    Target,
    /// Which releases of libraries the program runs with.
    Versions,
    UserModel(ModuleFile),
    Model,
    Disk(ModuleFile),
}

impl FileModuleLoader {
    /// Where the module of a key is. A key is a dotted name, behind the number of its root where that is needed.
    fn locate_module(&self, key: &str) -> Option<ModulePlace> {
        let is_modelled = !key.contains('!') && MODEL_FIRST.contains(&top_package(key));
        if let Some(source) = self.file_of(key).filter(|_| !is_modelled) {
            return Some(ModulePlace::File(source));
        }
        if let Some((root, dotted)) = key.split_once('!') {
            let folder = self.roots.root_folder(root.parse().ok()?)?;
            let found = ModuleResolver::with_roots(vec![folder]).resolve(dotted)?;
            return (found.kind != ModuleKind::Namespace).then_some(ModulePlace::Disk(found));
        }
        if key == "_target" {
            return Some(ModulePlace::Target);
        }
        if key == "_versions" {
            return Some(ModulePlace::Versions);
        }
        if let Some(found) = self.models.resolve(key).filter(|found| found.kind != ModuleKind::Namespace) {
            return Some(ModulePlace::UserModel(found));
        }
        // In a followed package those modules have a model whose source says nothing about shapes; what is modelled for
        // programs that do not follow it is read from source by those that do.
        let reads_source = self.is_followed(key) && FROM_SOURCE.contains(&top_package(key));
        if self.library.has(key) && !reads_source {
            return Some(ModulePlace::Model);
        }
        if self.library.has_package(top_package(key)) && !self.is_followed(key) {
            // A part of a modelled library that has no model is not known.
            if FROM_SOURCE.contains(&top_package(key)) {
                self.note_unread(key);
            }
            return None;
        }
        let found = self.resolver.as_ref()?.resolve(key)?;
        if found.external && found.kind != ModuleKind::Namespace && !self.is_followed(key) {
            self.note_unread(key);
        }
        let is_known = found.kind != ModuleKind::Namespace && (!found.external || self.is_followed(key));
        is_known.then_some(ModulePlace::Disk(found))
    }
}

fn read(found: &ModuleFile, is_model: bool) -> Option<ModuleSource> {
    let bytes = probes::read(&found.path).ok()?;
    let (file, _) = SourceFile::from_bytes(found.path.to_string_lossy().into_owned(), &bytes);
    Some(ModuleSource { file, is_package: found.is_package(), is_model })
}

impl FileModuleLoader {
    /// Whether a key leads to the installed sources of a modelled library, from a package that is checked where it is installed.
    fn is_installed_beside(&self, importer: &str, key: &str) -> bool {
        let Some((root, dotted)) = key.split_once('!') else { return false };
        let top = top_package(dotted);
        if !self.library.has_package(top) {
            return false;
        }
        let Some(folder) = root.parse().ok().and_then(|root| self.roots.root_folder(root)) else { return false };
        let prefix = format!("{top}-");
        let is_metadata = |name: &String| name.starts_with(&prefix) && name.ends_with(".dist-info");
        !Path::new(importer).starts_with(folder.join(top))
            && probes::names_in(&folder).is_some_and(|names| names.iter().any(is_metadata))
    }

    /// A module that binds the release of each library whose models tell releases apart: `torch = (2, 15)`, or Unknown.
    fn versions_text(&self) -> String {
        let mut text = String::from("from _pytrope import unknown\n");
        for library in VERSIONED {
            let known = self.versions.get(library).cloned().or_else(|| self.installed_version(library));
            match known.as_deref().and_then(release_of) {
                Some((major, minor)) => text.push_str(&format!("{library} = ({major}, {minor})\n")),
                None => text.push_str(&format!("{library} = unknown(\"the release of {library}\")\n")),
            }
        }
        text
    }

    /// What the metadata beside an installed package says: `torch-2.15.0.dist-info`.
    fn installed_version(&self, library: &str) -> Option<String> {
        let prefix = format!("{library}-");
        let mut found = self.resolver.as_ref()?.packages().iter().filter_map(|root| {
            let names = probes::names_in(root).filter(|_| probes::is_dir(&root.join(library)))?;
            names.iter().find_map(|name| Some(name.strip_prefix(&prefix)?.strip_suffix(".dist-info")?.to_owned()))
        });
        found.next()
    }
}

/// Packages whose sources come before their models where they are followed.
const FROM_SOURCE: [&str; 5] = ["einops", "matplotlib", "omegaconf", "torchvision", "tqdm"];

/// Libraries whose models tell releases apart.
const VERSIONED: [&str; 1] = ["torch"];

/// Major and minor number of a release: `2.15.0+cu132` is `(2, 15)`.
fn release_of(version: &str) -> Option<(u32, u32)> {
    let mut numbers = version.split(['.', '+', 'a', 'b', 'r']);
    Some((numbers.next()?.trim().parse().ok()?, numbers.next()?.trim().parse().ok()?))
}

impl ModuleLoader for FileModuleLoader {
    fn find_source(&self, dotted: &str) -> Option<ModuleSource> {
        match self.locate_module(dotted)? {
            ModulePlace::File(source) => (!self.is_broken(&source)).then_some(source),
            ModulePlace::Target => {
                let file = SourceFile::from_text("_target.py", format!("minor = {}\n", self.target));
                Some(ModuleSource { file, is_package: false, is_model: true })
            }
            ModulePlace::Versions => {
                let file = SourceFile::from_text("_versions.py", self.versions_text());
                Some(ModuleSource { file, is_package: false, is_model: true })
            }
            ModulePlace::UserModel(found) => read(&found, true),
            ModulePlace::Model => self.library.find_source(dotted),
            ModulePlace::Disk(found) => {
                let source = read(&found, false)?;
                (!self.is_broken(&source)).then_some(source)
            }
        }
    }

    fn resolve(&self, importer: &str, dotted: &str) -> String {
        let top = top_package(dotted);
        if self.resolver.is_none() || MODEL_FIRST.contains(&top) || self.is_followed(dotted) {
            return dotted.to_owned();
        }
        let is_beside = |key: &str| self.is_beside_followed(key) || self.is_installed_beside(importer, key);
        match self.roots.resolve_import(Path::new(importer), dotted) {
            ImportPlace::Read(key) if !is_beside(&key) => key,
            ImportPlace::Installed if !self.is_modelled(dotted) => {
                self.note_unread(dotted);
                unknown_key(dotted)
            }
            // What no root has is a model, or not known: never the file of that name in some other folder.
            ImportPlace::Read(_) | ImportPlace::Nowhere if self.roots.has_plain(top) => {
                self.note_unread(dotted);
                unknown_key(dotted)
            }
            ImportPlace::Read(_) | ImportPlace::Installed | ImportPlace::Nowhere => dotted.to_owned(),
        }
    }

    fn resolve_beside(&self, importer: &str, dotted: &str) -> String {
        let found = match &self.resolver {
            Some(_) => self.roots.resolve_beside(Path::new(importer), dotted),
            None => self.file_of(dotted).map(|_| dotted.to_owned()),
        };
        found.unwrap_or_else(|| unknown_key(dotted))
    }

    fn has_submodule(&self, package: &str, name: &str) -> bool {
        let folder = Path::new(package).parent().unwrap_or(Path::new(""));
        self.resolver.is_some()
            && (probes::is_file(&folder.join(format!("{name}.py"))) || probes::is_dir(&folder.join(name)))
    }

    fn exists(&self, dotted: &str) -> bool {
        self.locate_module(dotted).is_some()
    }

    fn is_model(&self, dotted: &str) -> bool {
        !matches!(self.locate_module(dotted), Some(ModulePlace::File(_) | ModulePlace::Disk(_)))
    }

    fn take_tree(&self, dotted: &str, source: &ModuleSource) -> Option<ScopedTree> {
        if !source.is_model {
            let known = self.lock_trees().remove(source.file.path());
            return known.map(|tree| ScopedTree::of(tree, &source.file));
        }
        match self.locate_module(dotted)? {
            ModulePlace::Model => self.library.model_tree(dotted, self.file_count() > FEW),
            ModulePlace::File(_)
            | ModulePlace::Disk(_)
            | ModulePlace::Target
            | ModulePlace::Versions
            | ModulePlace::UserModel(_) => None,
        }
    }

    fn primitive(&self, name: &str) -> Option<&'static Native> {
        self.library.primitive(name)
    }

    fn lacks_standard_name(&self, dotted: &str, name: &str) -> bool {
        self.library.lacks_standard_name(dotted, name)
            && matches!(self.locate_module(dotted), None | Some(ModulePlace::Model))
    }

    fn is_name_of_operand(&self, owner: &str, name: &str) -> bool {
        self.library.is_name_of_operand(owner, name)
    }

    fn lacks_listed_name(&self, owner: &str, name: &str) -> bool {
        self.library.lacks_listed_name(owner, name)
            && matches!(self.locate_module(owner), None | Some(ModulePlace::Model))
    }

    fn attribute_tables(&self) -> &'static [&'static str] {
        self.library.attribute_tables()
    }

    fn subclass_methods(&self, kind: BuiltinType) -> &'static [&'static str] {
        self.library.subclass_methods(kind)
    }

    fn nearest_name(&self, owner: &str, name: &str) -> Option<&'static str> {
        self.library.nearest_name(owner, name)
    }

    fn listed_class(&self, module: &str, class: &str) -> Option<&'static str> {
        self.library.listed_class(module, class)
    }

    fn refused_construction(&self, class: &str, positional: usize, keywords: &[&str]) -> Option<String> {
        self.library.refused_construction(class, positional, keywords)
    }

    fn evaluates_annotations(&self) -> bool {
        self.annotations
    }

    fn target(&self) -> u8 {
        self.target
    }

    fn is_injected(&self, name: &str) -> bool {
        // IPython puts the first three among the builtins, so that every module it runs has them.
        // Class bodies have the second pair; LibreOffice and Ghidra run scripts with the third, editors of fonts with the fourth group.
        matches!(name, "display" | "get_ipython" | "__IPYTHON__" | "__module__" | "__qualname__")
            || matches!(name, "XSCRIPTCONTEXT" | "currentProgram")
            // Installers of Windows run a script with these after copying the files.
            || matches!(name, "create_shortcut" | "file_created" | "directory_created" | "get_special_folder_path")
            || matches!(name, "AllFonts" | "CurrentFont" | "CurrentGlyph" | "CurrentLayer" | "NewFont" | "OpenFont")
            || self.notebook && matches!(name, "In" | "Out" | "exit" | "quit" | "__" | "___")
    }
}
