//! Functions that a program translates to another language.
//!
//! ```python
//! @annotate(n="int", x="doublep")
//! def velocity(n, x):
//!     x[GID_0] = floor(x[GID_0])          # names of C
//! ```
//!
//! A package that reads the sources of functions and walks their trees gives them other meanings than Python's. Names that lack a
//! binding in a function which such a package decorates are names of the other language.

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::library_names::is_bound_by_library;

/// Takes out the findings about names in decorated functions, where a module of the run translates functions.
pub(super) fn drop_names_in_translated_functions(
    codes: &[&Arc<Code>],
    is_library: &dyn Fn(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    if !codes.iter().any(|code| translates_functions(code)) {
        return;
    }
    findings.retain(|finding| {
        let code = codes.iter().find(|code| code.file.path() == finding.primary.file.path());
        finding.rule.id != "undefined-name"
            || !code.is_some_and(|code| is_decorated_by_program(code, is_library, finding.primary.range))
    });
}

/// Whether a module reads the sources of functions and walks their trees.
fn translates_functions(code: &Code) -> bool {
    let mentions = |name: &str| code.str_of(name).is_some();
    ["getsource", "getsourcelines"].iter().any(|name| mentions(name))
        && ["NodeVisitor", "NodeTransformer"].iter().any(|name| mentions(name))
}

/// Whether a function around a place has a decorator that is neither Python's nor a library's.
fn is_decorated_by_program(code: &Code, is_library: &dyn Fn(&str) -> bool, range: TextRange) -> bool {
    let tree = &code.tree;
    let is_of_program = |decorator: ExprId| {
        let called = match tree[decorator].kind {
            ExprKind::Call { function, .. } => function,
            _ => decorator,
        };
        let path = tree.dotted(called).unwrap_or_default();
        let is_of_python = match path.as_slice() {
            [only] => matches!(*only, "classmethod" | "property" | "staticmethod"),
            [_, last] => matches!(*last, "deleter" | "getter" | "setter"),
            _ => false,
        };
        !is_of_python && !path.first().is_some_and(|first| is_bound_by_library(code, is_library, first))
    };
    code.scopes.iter().map(|(_, info)| info).any(|info| {
        let around = info.kind == ScopeKind::Function && info.range.start <= range.start && range.end <= info.range.end;
        let Some(stmt) = info.stmt.filter(|_| around) else { return false };
        match tree[stmt].kind {
            StmtKind::FunctionDef(function) => {
                tree[function.decorators].iter().any(|&decorator| is_of_program(decorator))
            }
            _ => false,
        }
    })
}
