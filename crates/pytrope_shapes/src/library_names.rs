//! Which names of a module stand for libraries, or for what is imported from them.

use pytrope_eval::code::Code;
use pytrope_source::tree::StmtKind;

/// Whether an import of the module binds a name to a library or to a part of one: `import numpy as np`, `from os import path`.
pub(crate) fn is_bound_by_library(code: &Code, is_library: &dyn Fn(&str) -> bool, name: &str) -> bool {
    let tree = &code.tree;
    let is_of_library = |module: &str| is_library(module.split('.').next().unwrap_or(module));
    tree.stmt_ids().any(|id| {
        let (names, module) = match tree[id].kind {
            StmtKind::Import { names } => (names, None),
            StmtKind::ImportFrom { names, module: Some(module), level: 0 } => (names, Some(tree.text(module.name))),
            _ => return false,
        };
        tree[names].iter().any(|alias| {
            let bound = tree.text(alias.asname.unwrap_or(alias.name).name);
            bound.split('.').next() == Some(name) && is_of_library(module.unwrap_or(tree.text(alias.name.name)))
        })
    })
}
