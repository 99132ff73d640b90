//! The modules that a training script consists of: the entry file and what it imports from its own project.

use std::path::{Path, PathBuf};

use pytrope_semantic::{ModuleNames, Scopes};
use pytrope_source::tree::StmtKind;
use pytrope_source::{ModuleKind, ModuleResolver, Parsed, ReadError, SourceFile, parse};

use crate::index::Index;

/// A module's place in [`Project::modules`].
pub type ModuleId = usize;

pub struct Module {
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
    pub modules: Vec<Module>,
    pub resolver: ModuleResolver,
}

impl Project {
    /// Read a script and, transitively, the modules of its own folder that it imports.
    pub fn load(entry: &Path, shown: &str, resolver: ModuleResolver) -> std::io::Result<Self> {
        let bytes = std::fs::read(entry)?;
        let (file, read_errors) = SourceFile::from_bytes(shown, &bytes);
        let stem = entry.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = if stem == "__init__" { resolver.name_of(entry) } else { stem };
        let is_package = entry.ends_with("__init__.py");
        let mut project = Self { modules: Vec::new(), resolver };
        project.push(name, entry.to_path_buf(), parse(&file), is_package, read_errors);
        let mut next = 0;
        while next < project.modules.len() {
            for wanted in project.imports_of(next) {
                project.add_import(&wanted);
            }
            next += 1;
        }
        Ok(project)
    }

    /// A project from texts, the entry first: for tests and for standard input.
    pub fn from_texts(texts: &[(&str, &str)]) -> Self {
        let mut project = Self { modules: Vec::new(), resolver: ModuleResolver::default() };
        for (path, text) in texts {
            let (file, read_errors) = SourceFile::from_bytes(*path, text.as_bytes());
            let name = path.trim_end_matches(".py").replace('/', ".");
            project.push(name, PathBuf::from(path), parse(&file), false, read_errors);
        }
        project
    }

    /// The same modules with other texts.
    pub fn with_texts(&self, texts: Vec<Option<String>>) -> Self {
        let mut project = Self { modules: Vec::new(), resolver: self.resolver.clone() };
        for (module, text) in self.modules.iter().zip(texts) {
            let text = text.unwrap_or_else(|| module.parsed.file.text().to_owned());
            let file = SourceFile::from_text(module.parsed.file.path(), text);
            project.push(module.name.clone(), module.path.clone(), parse(&file), module.is_package, Vec::new());
        }
        project
    }

    fn push(&mut self, name: String, path: PathBuf, parsed: Parsed, is_package: bool, read_errors: Vec<ReadError>) {
        let scopes = Scopes::of(&parsed.tree, parsed.file.text().len() as u32);
        let names = ModuleNames::of(&parsed.tree, &scopes, &name, is_package);
        let index = Index::new(&parsed.tree, &scopes, &names);
        self.modules.push(Module { name, path, parsed, names, index, is_package, read_errors });
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
        let Ok(bytes) = std::fs::read(&found.path) else { return };
        let shown = self.shown(&found.path);
        let (file, read_errors) = SourceFile::from_bytes(shown, &bytes);
        let is_package = found.is_package();
        self.push(name.to_owned(), found.path, parse(&file), is_package, read_errors);
    }

    /// A module's path as findings show it: beside the entry's own.
    fn shown(&self, path: &Path) -> String {
        let entry = &self.modules[0];
        let folder = entry.path.parent().unwrap_or(Path::new(""));
        let prefix = Path::new(entry.parsed.file.path()).parent().unwrap_or(Path::new(""));
        let shown = path.strip_prefix(folder).map_or_else(|_| path.to_path_buf(), |rest| prefix.join(rest));
        shown.to_string_lossy().replace('\\', "/")
    }

    pub fn by_name(&self, name: &str) -> Option<ModuleId> {
        self.modules.iter().position(|module| module.name == name)
    }
}
