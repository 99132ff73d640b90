//! The modules that a training script consists of: the entry file and what it imports from its own project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_semantic::{ModuleNames, Scopes};
use pytrope_source::reading::read_bytes;
use pytrope_source::tree::StmtKind;
use pytrope_source::{Edits, ModuleKind, ModuleResolver, Parsed, ReadError, SourceFile, SourceKind, parse};

use crate::index::Index;

/// A module's place in [`Project::modules`].
pub type ModuleId = usize;

pub struct ScriptModule {
    /// The dotted name that imports use; the entry is known by its stem.
    pub name: String,
    pub path: PathBuf,
    pub parsed: Parsed,
    pub names: ModuleNames,
    pub index: Index,
    pub is_package: bool,
    pub read_errors: Vec<ReadError>,
}

/// The entry is module 0; the others follow in the order of their first import.
pub struct Project {
    pub modules: Vec<ScriptModule>,
    pub resolver: ModuleResolver,
    /// The module that `python -m` runs, where the entry is part of a package and imports from it.
    pub run_as: Option<String>,
    /// Whether the entry's text is the script that a notebook's cells make.
    pub from_notebook: bool,
    /// The folder that the package of `run_as` is in.
    root: Option<PathBuf>,
}

impl Project {
    /// Read a script and, transitively, the modules of its own folder that it imports.
    pub fn load(entry: &Path, shown: &str, resolver: ModuleResolver) -> std::io::Result<Self> {
        let bytes = read_bytes(entry)?;
        let (file, read_errors) = SourceFile::from_bytes(shown, &bytes);
        let mut entry = entry.to_path_buf();
        let (parsed, from_notebook) = parse_script(&file);
        if from_notebook {
            entry.set_extension("py");
        }
        let package = package_of(&entry, &parsed);
        let stem = entry.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let resolver = package.as_ref().map_or(resolver, |(root, _)| ModuleResolver::for_project(root));
        let name = match &package {
            Some((_, name)) => name.clone(),
            None if stem == "__init__" => resolver.name_of(&entry),
            None => stem,
        };
        let is_package = entry.ends_with("__init__.py");
        let mut project = Self {
            modules: Vec::new(),
            resolver,
            run_as: package.as_ref().map(|(_, name)| name.trim_end_matches(".__main__").to_owned()),
            from_notebook,
            root: package.map(|(root, _)| root),
        };
        project.push_module(name, entry, parsed, is_package, read_errors);
        let mut next = 0;
        while next < project.modules.len() {
            for wanted in project.imports_of(next) {
                project.add_import(&wanted);
            }
            next += 1;
        }
        Ok(project)
    }

    /// The folder that paths of modules are told from: the entry's, or the one that its package is in.
    pub fn folder(&self) -> &Path {
        let beside = self.modules[0].path.parent().unwrap_or(Path::new(""));
        self.root.as_deref().unwrap_or(beside)
    }

    /// A project from texts, the entry first: for tests and for standard input.
    pub fn from_texts(texts: &[(&str, &str)]) -> Self {
        let mut project = Self::without_modules(ModuleResolver::default());
        for (path, text) in texts {
            let (file, read_errors) = SourceFile::from_bytes(*path, text.as_bytes());
            let name = path.trim_end_matches(".py").replace('/', ".");
            let (parsed, from_notebook) = parse_script(&file);
            project.from_notebook |= from_notebook;
            project.push_module(name, PathBuf::from(path), parsed, false, read_errors);
        }
        project
    }

    fn without_modules(resolver: ModuleResolver) -> Self {
        Self { modules: Vec::new(), resolver, run_as: None, from_notebook: false, root: None }
    }

    /// The same modules with other texts.
    pub fn with_texts(&self, texts: Vec<Option<String>>) -> Self {
        let mut project = Self {
            run_as: self.run_as.clone(),
            root: self.root.clone(),
            from_notebook: self.from_notebook,
            ..Self::without_modules(self.resolver.clone())
        };
        for (module, text) in self.modules.iter().zip(texts) {
            let text = text.unwrap_or_else(|| module.parsed.file.text().to_owned());
            let file = SourceFile::from_text(module.parsed.file.path(), text);
            project.push_module(module.name.clone(), module.path.clone(), parse(&file), module.is_package, Vec::new());
        }
        project
    }

    fn push_module(
        &mut self,
        name: String,
        path: PathBuf,
        parsed: Parsed,
        is_package: bool,
        read_errors: Vec<ReadError>,
    ) {
        let scopes = Scopes::of(&parsed.tree, parsed.file.text().len() as u32);
        let names = ModuleNames::of(&parsed.tree, &scopes, &name, is_package);
        let index = Index::new(&parsed.tree, &scopes, &names);
        self.modules.push(ScriptModule { name, path, parsed, names, index, is_package, read_errors });
    }

    fn imports_of(&self, id: ModuleId) -> Vec<String> {
        let module = &self.modules[id];
        let tree = &module.parsed.tree;
        let mut wanted = Vec::new();
        for stmt in tree.stmt_ids() {
            match tree[stmt].kind {
                StmtKind::Import { names } => {
                    wanted.extend(tree[names].iter().map(|alias| tree.text(alias.name.name).to_owned()));
                }
                StmtKind::ImportFrom { module: from, names, level } => {
                    let from = from.map(|from| tree.text(from.name));
                    let Some(base) = ModuleResolver::absolute(&module.name, module.is_package, level, from) else {
                        continue;
                    };
                    // `from package import module` names a module as often as an attribute.
                    wanted.extend(tree[names].iter().map(|alias| format!("{base}.{}", tree.text(alias.name.name))));
                    wanted.push(base);
                }
                _ => {}
            }
        }
        wanted
    }

    fn add_import(&mut self, name: &str) {
        if self.modules.iter().any(|module| module.name == name) {
            return;
        }
        let Some(found) = self.resolver.resolve(name) else { return };
        if found.external || found.kind == ModuleKind::Namespace || found.path.extension().is_some_and(|e| e != "py") {
            return;
        }
        if self.modules.iter().any(|module| module.path == found.path) {
            return;
        }
        let Ok(bytes) = read_bytes(&found.path) else { return };
        let shown = self.shown_path(&found.path);
        let (file, read_errors) = SourceFile::from_bytes(shown, &bytes);
        let is_package = found.is_package();
        self.push_module(name.to_owned(), found.path, parse(&file), is_package, read_errors);
    }

    /// A module's path as findings show it: beside the entry's own.
    fn shown_path(&self, path: &Path) -> String {
        let entry = &self.modules[0];
        let folder = self.folder();
        // As many folders above the entry's shown path as above the entry itself.
        let depth = entry.path.strip_prefix(folder).map_or(1, |below| below.components().count());
        let prefix = Path::new(entry.parsed.file.path()).ancestors().nth(depth).unwrap_or(Path::new(""));
        let shown = path.strip_prefix(folder).map_or_else(|_| path.to_path_buf(), |rest| prefix.join(rest));
        shown.to_string_lossy().replace('\\', "/")
    }

    pub fn by_name(&self, name: &str) -> Option<ModuleId> {
        self.modules.iter().position(|module| module.name == name)
    }
}

/// The root and dotted name of a file that must be run with `python -m`: it imports relatively, or by the name of a package
/// that it lies in.
fn package_of(entry: &Path, parsed: &Parsed) -> Option<(PathBuf, String)> {
    let tree = &parsed.tree;
    let entry = if entry.is_absolute() { entry.to_path_buf() } else { std::env::current_dir().ok()?.join(entry) };
    let mut climb = 0;
    for stmt in tree.stmt_ids() {
        match tree[stmt].kind {
            StmtKind::ImportFrom { level, .. } if level > 0 => climb = climb.max(level as usize),
            StmtKind::ImportFrom { module: Some(from), .. } => {
                climb = climb.max(holding_package(&entry, tree.text(from.name)));
            }
            StmtKind::Import { names } => {
                for alias in &tree[names] {
                    climb = climb.max(holding_package(&entry, tree.text(alias.name.name)));
                }
            }
            _ => {}
        }
    }
    if climb == 0 {
        return None;
    }
    let mut root = entry.ancestors().nth(climb + 1)?;
    while root.join("__init__.py").is_file() {
        root = root.parent()?;
    }
    let below = entry.strip_prefix(root).ok()?.with_extension("");
    let name: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    Some((root.to_path_buf(), name.join(".")))
}

/// How many folders above a file the package is that an absolute import names, where it holds what is imported; 0 where none is.
fn holding_package(entry: &Path, imported: &str) -> usize {
    let mut parts = imported.split('.');
    let (Some(package), Some(inner)) = (parts.next(), parts.next()) else { return 0 };
    // A folder beside the script of the same name is meant first.
    if entry.parent().is_some_and(|folder| folder.join(package).exists()) {
        return 0;
    }
    entry
        .ancestors()
        .skip(1)
        .position(|folder| {
            folder.file_name().is_some_and(|name| name == package)
                && (folder.join(inner).is_dir() || folder.join(format!("{inner}.py")).is_file())
        })
        .map_or(0, |above| above + 1)
}

/// The tree of a file, or of the script that a notebook's cells make.
fn parse_script(file: &Arc<SourceFile>) -> (Parsed, bool) {
    let parsed = parse(file);
    if file.kind() != SourceKind::Notebook || file.notebook().is_none() {
        return (parsed, false);
    }
    let path = file.path().trim_end_matches(".ipynb").to_owned() + ".py";
    (parse(&SourceFile::from_text(path, script_of(&parsed))), true)
}

/// The script that a notebook's cells make: commands to the notebook become comments.
fn script_of(parsed: &Parsed) -> String {
    let mut edits = Edits::new(parsed);
    let tree = &parsed.tree;
    for stmt in tree.stmt_ids() {
        if matches!(tree[stmt].kind, StmtKind::IpyEscape(_)) {
            let range = tree[stmt].range;
            let text = range.of(parsed.file.text()).replace('\n', "\n# ");
            let is_nested = tree.enclosing(stmt).is_some();
            edits.replace_range(range, format!("{}# {text}", if is_nested { "pass  " } else { "" }));
        }
    }
    edits.apply().unwrap_or_else(|_| parsed.file.text().to_owned())
}
