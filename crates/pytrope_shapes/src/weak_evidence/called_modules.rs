//! Calls of modules of the program.
//!
//! ```python
//! from .parts import wheel        # `parts/wheel.py` holds a function `wheel`
//! wheel(4)
//! ```
//!
//! That a package binds the name of a module inside it to what that module holds is common, and there are many ways to do so: on demand, by
//! a table of names, by a loader. Which of the two an import finds is certain for libraries whose names are known, for modules that
//! `import` names, and where the file of the package is empty.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprKind, StmtKind};
use rustc_hash::FxHashMap;

use super::{expression_at, is_claim};

/// Whether a finding is about the call of a module that was imported from a package of the program.
pub(super) fn is_of_package(
    codes: &FxHashMap<&str, &Arc<Code>>,
    code: &Code,
    is_library: &dyn Fn(&str) -> bool,
    finding: &Finding,
) -> bool {
    if finding.rule.id != "not-callable" || !is_claim(finding) || !finding.message.starts_with("'module'") {
        return false;
    }
    let tree = &code.tree;
    let Some(read) = expression_at(code, finding.primary.range) else { return false };
    let called = match tree[read].kind {
        ExprKind::Call { function, .. } => function,
        _ => read,
    };
    let Some(first) = tree.dotted(called).and_then(|path| path.first().copied()) else { return true };
    tree.stmt_ids().any(|id| match tree[id].kind {
        StmtKind::ImportFrom { names, module, level } => {
            let top = module.map(|module| tree.text(module.name)).and_then(|module| module.split('.').next());
            let is_it = |name: &str| name == first;
            let dotted = module.map_or("", |module| tree.text(module.name));
            (level > 0 || !top.is_some_and(is_library))
                && tree[names].iter().any(|alias| is_it(tree.text(alias.asname.unwrap_or(alias.name).name)))
                && !is_empty_package(codes, code, level, dotted)
        }
        _ => false,
    })
}

/// Whether the package that an import names is of the run, and its file has no statement.
fn is_empty_package(codes: &FxHashMap<&str, &Arc<Code>>, importer: &Code, level: u32, dotted: &str) -> bool {
    let parts = dotted.split('.').filter(|part| !part.is_empty());
    let file = parts.collect::<PathBuf>().join("__init__.py");
    let is_it = |path: &Path| {
        let folder = Path::new(importer.file.path()).ancestors().nth(level as usize);
        if level > 0 { folder.is_some_and(|folder| folder.join(&file) == path) } else { path.ends_with(&file) }
    };
    codes.iter().any(|(path, code)| is_it(Path::new(path)) && code.tree[code.tree.body()].is_empty())
}
