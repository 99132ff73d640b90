//! Calls of modules of the program.
//!
//! ```python
//! from .parts import wheel        # `parts/wheel.py` holds a function `wheel`
//! wheel(4)
//! ```
//!
//! That a package binds the name of a module inside it to what that module holds is common, and there are many ways to do so: on demand, by
//! a table of names, by a loader. Which of the two an import finds is certain for libraries whose names are known, and for modules that
//! `import` names.

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprKind, StmtKind};

use super::{expression_at, is_claim};

/// Whether a finding is about the call of a module that was imported from a package of the program.
pub(super) fn is_of_package(code: &Code, is_library: &dyn Fn(&str) -> bool, finding: &Finding) -> bool {
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
            (level > 0 || !top.is_some_and(is_library))
                && tree[names].iter().any(|alias| is_it(tree.text(alias.asname.unwrap_or(alias.name).name)))
        }
        _ => false,
    })
}
