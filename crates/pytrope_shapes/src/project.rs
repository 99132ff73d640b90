//! The modules of a run: files that are analysed, files they import, and the models of libraries.

use std::path::Path;
use std::sync::Arc;

use pytrope_eval::{ModuleSource, Native, Provider};
use pytrope_models::Library;
use pytrope_source::{ModuleKind, ModuleResolver, SourceFile};
use rustc_hash::FxHashMap;

/// Libraries whose model is used even where their own sources are analysed.
const MODEL_FIRST: [&str; 4] = ["builtins", "numpy", "torch", "pytrope"];

/// Where the modules of a project come from.
#[derive(Default)]
pub struct Project {
    files: FxHashMap<String, ModuleSource>,
    resolver: Option<ModuleResolver>,
    /// Installed packages that are interpreted rather than modelled.
    follow: Vec<String>,
    library: Library,
    notebook: bool,
}

impl Project {
    pub fn new(resolver: Option<ModuleResolver>, follow: Vec<String>) -> Self {
        Self { resolver, follow, ..Self::default() }
    }

    /// Adds a file that is analysed; returns the key it is loaded by.
    pub fn add(&mut self, file: &Arc<SourceFile>) -> String {
        let path = file.path();
        self.notebook |= path.ends_with(".ipynb");
        let dotted = match &self.resolver {
            Some(resolver) => resolver.name_of(Path::new(path)),
            None => name_of(path),
        };
        let is_package = Path::new(path).file_stem().is_some_and(|stem| stem == "__init__");
        let source = ModuleSource { file: Arc::clone(file), is_package, is_model: false };
        let modelled = MODEL_FIRST.contains(&top(&dotted));
        let key = if modelled || self.files.contains_key(&dotted) { format!("{path}!{dotted}") } else { dotted };
        self.files.insert(key.clone(), source);
        key
    }

    fn is_followed(&self, dotted: &str) -> bool {
        self.follow.iter().any(|package| dotted == package || dotted.starts_with(&format!("{package}.")))
    }
}

fn top(dotted: &str) -> &str {
    dotted.split('.').next().unwrap_or(dotted)
}

/// The dotted name of a file that stands in no folder on disk.
fn name_of(path: &str) -> String {
    let stem = path.strip_suffix(".py").unwrap_or(path);
    let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
    stem.trim_start_matches("./").replace('/', ".")
}

impl Provider for Project {
    fn find(&self, dotted: &str) -> Option<ModuleSource> {
        if !MODEL_FIRST.contains(&top(dotted))
            && let Some(source) = self.files.get(dotted)
        {
            return Some(source.clone());
        }
        if dotted.contains('!') {
            return self.files.get(dotted).cloned();
        }
        let modelled = self.library.find(dotted);
        if modelled.is_some() && !self.is_followed(dotted) {
            return modelled;
        }
        if self.library.has_package(top(dotted)) && !self.is_followed(dotted) {
            // A part of a modelled library that has no model is not known.
            return None;
        }
        let found = self.resolver.as_ref()?.resolve(dotted)?;
        if found.kind == ModuleKind::Namespace || (found.external && !self.is_followed(dotted)) {
            return modelled;
        }
        let bytes = std::fs::read(&found.path).ok()?;
        let (file, _) = SourceFile::from_bytes(found.path.to_string_lossy().into_owned(), &bytes);
        Some(ModuleSource { file, is_package: found.is_package(), is_model: false })
    }

    fn primitive(&self, name: &str) -> Option<&'static Native> {
        self.library.primitive(name)
    }

    fn is_injected(&self, name: &str) -> bool {
        self.notebook && matches!(name, "display" | "get_ipython" | "In" | "Out" | "exit" | "quit" | "__" | "___")
    }
}
