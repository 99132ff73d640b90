//! What the modules of a run import, read before anything is evaluated, so that the program's index is whole when it is first asked.
//!
//! Invariant: an answer of the index does not depend on which module another thread has met by then. Modules that only a computed
//! name leads to (`importlib.import_module(name)`) are met while others are analysed, and are no part of the index.

use std::sync::atomic::Ordering;

use pytrope_source::Node;
use pytrope_source::tree::{StmtId, StmtKind};
use rustc_hash::FxHashSet;

use super::Program;
use crate::code::Code;

impl Program {
    /// Parses what modules import, and what that imports in turn, and closes the index. Of the given modules every import counts, of
    /// others those that run when the module is imported.
    pub fn read_imports(&self, given: &[String]) {
        let mut met: FxHashSet<String> = given.iter().cloned().collect();
        let mut open: Vec<(String, bool)> = given.iter().map(|key| (key.clone(), true)).collect();
        while let Some((key, is_given)) = open.pop() {
            // A model is parsed when it is used; it is no part of the index.
            if self.provider.is_model(&key) {
                continue;
            }
            let Some(code) = self.parse_module(&key).filter(|code| !code.is_model) else { continue };
            for imported in self.imported_keys(&code, is_given) {
                if met.insert(imported.clone()) && self.provider.exists(&imported) {
                    open.push((imported, false));
                }
            }
        }
        self.close_index();
    }

    /// From now on modules that are met are no part of the index.
    pub fn close_index(&self) {
        self.index_is_closed.store(true, Ordering::Release);
    }

    /// The keys of the modules that the imports of a module may load.
    fn imported_keys(&self, code: &Code, includes_functions: bool) -> Vec<String> {
        let mut keys = Vec::new();
        let mut push = |key: String| {
            keys.extend(key.match_indices('.').map(|(at, _)| key[..at].to_owned()));
            keys.push(key);
        };
        for stmt in code.tree.stmt_ids() {
            match code.tree[stmt].kind {
                StmtKind::Import { names } if includes_functions || runs_at_import(code, stmt) => {
                    code.tree[names].iter().for_each(|alias| push(self.resolve(code, code.tree.text(alias.name.name))));
                }
                StmtKind::ImportFrom { module, names, level } if includes_functions || runs_at_import(code, stmt) => {
                    let module = module.map(|module| code.tree.text(module.name));
                    let Some(key) = self.resolve_import(code, module, level) else { continue };
                    push(key.clone());
                    // A module that is no package has no modules in it: its names need not be looked for on disk.
                    let may_have_modules = self.parsed_module(&key).is_none_or(|module| module.is_package);
                    for alias in code.tree[names].iter().filter(|_| may_have_modules) {
                        push(format!("{key}.{}", code.tree.text(alias.name.name)));
                    }
                }
                _ => {}
            }
        }
        keys
    }
}

/// The imports of a module as they are written, one line each, in order: while the files on disk stay, the same imports lead to the same
/// modules.
pub fn written_imports(code: &Code) -> Vec<String> {
    let mut lines = Vec::new();
    for stmt in code.tree.stmt_ids() {
        let line = match code.tree[stmt].kind {
            StmtKind::Import { names } => {
                code.tree[names].iter().map(|alias| code.tree.text(alias.name.name)).collect::<Vec<_>>().join(",")
            }
            StmtKind::ImportFrom { module, names, level } => {
                let module = module.map_or("", |module| code.tree.text(module.name));
                let names: Vec<&str> = code.tree[names].iter().map(|alias| code.tree.text(alias.name.name)).collect();
                format!("{level} {module} {}", names.join(","))
            }
            _ => continue,
        };
        lines.push(format!("{}{line}", if runs_at_import(code, stmt) { "" } else { "later " }));
    }
    lines
}

/// Whether a statement stands in no function, and in no branch that only type checkers see.
fn runs_at_import(code: &Code, stmt: StmtId) -> bool {
    let mut at = Node::Stmt(stmt);
    while let Some(parent) = at.parent(&code.tree) {
        if let Node::Stmt(above) = parent {
            match code.tree[above].kind {
                StmtKind::FunctionDef(_) => return false,
                StmtKind::If { test, .. }
                    if code.tree.dotted(test).is_some_and(|parts| parts.last() == Some(&"TYPE_CHECKING")) =>
                {
                    return false;
                }
                _ => {}
            }
        }
        at = parent;
    }
    true
}
