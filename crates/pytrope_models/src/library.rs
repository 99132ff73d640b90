//! The model files, by dotted name.

use pytrope_eval::value::BuiltinType;
use pytrope_eval::{ModuleSource, Native};
use pytrope_source::{ScopedTree, SourceFile};

use crate::effects::SIZE_METHODS;
use crate::{arrays, primitives};

/// `(dotted name, is a package, text, tree)`, sorted by name.
static MODELS: &[(&str, bool, &str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/models.rs"));

/// What is built in.
#[derive(Clone, Copy, Default)]
pub struct Library;

impl Library {
    /// A model by its dotted name.
    pub fn find_source(self, dotted: &str) -> Option<ModuleSource> {
        let (name, is_package, text, _) = MODELS[model_position(dotted)?];
        let path = format!("<model>/{}.py", name.replace('.', "/"));
        Some(ModuleSource { file: SourceFile::from_static(path, text), is_package, is_model: true })
    }

    /// The tree of a model, parsed when the binary was built. One that much of will be run is better read at once.
    pub fn model_tree(self, dotted: &str, at_once: bool) -> Option<ScopedTree> {
        let (_, _, _, tree) = MODELS[model_position(dotted)?];
        if at_once { ScopedTree::from_all_bytes(tree) } else { ScopedTree::from_bytes(tree) }
    }

    /// Whether there is a model of this name.
    pub fn has(self, dotted: &str) -> bool {
        model_position(dotted).is_some()
    }

    /// A primitive of the module `_pytrope`.
    pub fn primitive(self, name: &str) -> Option<&'static Native> {
        primitives::PRIMITIVES.iter().chain(arrays::PRIMITIVES).find(|native| native.name == name)
    }

    /// Whether a name is a module of the standard library.
    pub fn is_standard_module(self, name: &str) -> bool {
        crate::standard_names::is_listed(name)
    }

    /// Whether a dotted name is a module of the standard library that has no such name.
    pub fn lacks_standard_name(self, dotted: &str, name: &str) -> bool {
        crate::standard_names::lacks_name(dotted, name)
    }

    /// Whether a module or class of a library is listed and lacks a name in every release.
    pub fn lacks_listed_name(self, owner: &str, name: &str) -> bool {
        crate::library_names::lacks_name(owner, name)
    }

    /// Dictionaries of instances in which classes of libraries look attributes up: those of `torch.nn.Module`.
    pub fn attribute_tables(self) -> &'static [&'static str] {
        &["_modules", "_parameters", "_buffers"]
    }

    /// Methods of classes of libraries that derive from a builtin type, whose instances models give as plain values of it.
    pub fn subclass_methods(self, kind: BuiltinType) -> &'static [&'static str] {
        if kind == BuiltinType::Tuple { SIZE_METHODS } else { &[] }
    }

    /// The listed name that a mistyped one is nearest to.
    pub fn nearest_name(self, owner: &str, name: &str) -> Option<&'static str> {
        crate::library_names::nearest_name(owner, name)
    }

    /// Whether a layer is asked for a name of tensors.
    pub fn is_name_of_operand(self, owner: &str, name: &str) -> bool {
        owner.starts_with("torch.nn.") && !crate::library_names::lacks_name("torch.Tensor", name)
    }

    /// The name under which a model class is listed.
    pub fn listed_class(self, module: &str, class: &str) -> Option<&'static str> {
        crate::library_names::listed_class(module, class)
    }

    /// What Python says of a construction that every release of a library refuses.
    pub fn refused_construction(self, class: &str, positional: usize, keywords: &[&str]) -> Option<String> {
        crate::library_names::refused_construction(class, positional, keywords)
    }

    /// The names of all models.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        MODELS.iter().map(|(name, ..)| *name)
    }

    /// Whether a top-level package is modelled.
    pub fn has_package(self, top: &str) -> bool {
        self.has(top)
    }
}

fn model_position(dotted: &str) -> Option<usize> {
    MODELS.binary_search_by(|(name, ..)| (*name).cmp(dotted)).ok()
}

#[cfg(test)]
mod tests {
    use pytrope_source::tree::{ExprKind, StmtKind};

    use super::*;

    /// The names that the interface file of the primitives documents.
    fn documented() -> Vec<String> {
        let text = include_str!("../python/support/_pytrope.pyi");
        let file = SourceFile::from_text("_pytrope.pyi", text);
        let parsed = pytrope_source::parse(&file);
        assert_eq!(parsed.errors, []);
        let tree = &parsed.tree;
        let mut names = Vec::new();
        for &stmt in &tree[tree.body()] {
            if let StmtKind::FunctionDef(function) = tree[stmt].kind {
                let first = tree[function.body].first().map(|&first| tree[first].kind);
                let name = tree.text(function.name.name).to_owned();
                let is_documented =
                    matches!(first, Some(StmtKind::Expr { value }) if matches!(tree[value].kind, ExprKind::Str(_)));
                assert!(is_documented, "{name} has no docstring");
                names.push(name);
            }
        }
        names.sort();
        names
    }

    #[test]
    fn every_primitive_is_documented() {
        let mut names: Vec<&str> =
            primitives::PRIMITIVES.iter().chain(arrays::PRIMITIVES).map(|native| native.name).collect();
        names.sort_unstable();
        assert_eq!(documented(), names);
    }

    #[test]
    fn stored_trees_are_those_of_the_texts() {
        for name in Library.names() {
            let source = Library.find_source(name).expect("a listed model");
            let parsed = pytrope_source::parse(&source.file);
            assert_eq!(parsed.errors, [], "{name}");
            let stored = Library.model_tree(name, false).expect("a stored tree");
            let tree = pytrope_source::parse_to_store(&source.file);
            assert_eq!(format!("{:?}", stored.tree), format!("{tree:?}"), "{name}");
            let again = ScopedTree::of(tree, &source.file).to_bytes();
            assert!(again == stored.to_bytes(), "{name}");
        }
    }
}
