//! The model files, by dotted name.

use pytrope_eval::{ModuleSource, Native};
use pytrope_source::SourceFile;

use crate::{arrays, primitives};

/// `(dotted name, is a package, text)`, sorted by name.
static MODELS: &[(&str, bool, &str)] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What is built in.
#[derive(Clone, Copy, Default)]
pub struct Library;

impl Library {
    /// A model by its dotted name.
    pub fn find(self, dotted: &str) -> Option<ModuleSource> {
        let at = MODELS.binary_search_by(|(name, _, _)| (*name).cmp(dotted)).ok()?;
        let (name, is_package, text) = MODELS[at];
        let path = format!("<model>/{}.py", name.replace('.', "/"));
        Some(ModuleSource { file: SourceFile::from_text(path, text), is_package, is_model: true })
    }

    /// A primitive of the module `_pytrope`.
    pub fn primitive(self, name: &str) -> Option<&'static Native> {
        primitives::PRIMITIVES.iter().chain(arrays::PRIMITIVES).find(|native| native.name == name)
    }

    /// The names of all models.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        MODELS.iter().map(|(name, _, _)| *name)
    }

    /// Whether a top-level package is modelled.
    pub fn has_package(self, top: &str) -> bool {
        self.find(top).is_some()
    }
}
