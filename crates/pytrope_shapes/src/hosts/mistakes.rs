//! Names that a file lacks in its body, and the reasons to take them for mistakes.
//!
//! ```python
//! alien = Actor("alien")            # in one of many files: no reason, a host may give the name
//! trianing_set = load()
//! print(training_set)               # a name like it is bound here
//! start = time.time()               # a module that was not imported
//! ```
//!
//! A file whose body lacks a name cannot even be imported, which its author would have seen: most such files are run by something
//! that gives them the name. In a program of several modules such a finding is made only with a positive reason: the file
//! itself uses the name in another way, the name is that of a library or was a builtin of Python 2, other files import it from a
//! library, or a name like it is bound in the file. Notebooks are run cell by cell, and code behind `if __name__ == "__main__"`
//! only by hand.

use std::sync::Arc;

use pytrope_diagnostics::{Finding, nearest};
use pytrope_eval::code::Code;
use pytrope_source::tree::{Context, ExprId, ExprKind, StmtKind};
use pytrope_source::{SourceKind, TextRange};
use rustc_hash::FxHashMap;

use super::{FORMER_BUILTINS, MODULES, USUAL_IMPORTS, imports_name, is_outside_functions};
use crate::roots::top_package;

/// Names of fewer letters are like too many others.
const SHORTEST: usize = 4;

/// Takes out the findings about names that a module's body lacks and that there is no reason to take for mistakes.
pub(super) fn drop_names_without_reason(
    codes: &[&Arc<Code>],
    is_library: &dyn Fn(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    let by_path: FxHashMap<&str, &Arc<Code>> = codes.iter().map(|code| (code.file.path(), *code)).collect();
    findings.retain(|finding| match finding.rule.id {
        "undefined-name" => {
            let code = by_path.get(finding.primary.file.path());
            !code.is_some_and(|code| is_named_to_unread_code(codes, code, finding.primary.text()))
        }
        "missing-attribute" => {
            let Some((module, name)) = missing_name_of_module(&finding.message) else { return true };
            let last = module.rsplit('.').next().unwrap_or(module);
            let mut named = codes.iter().filter(|code| code.name.rsplit(['.', '!']).next() == Some(last));
            !named.any(|code| is_named_to_unread_code(codes, code, name))
        }
        _ => true,
    });
    if codes.len() < MODULES {
        return;
    }
    findings.retain(|finding| {
        let Some(code) = by_path.get(finding.primary.file.path()) else { return true };
        let (name, range) = (finding.primary.text(), finding.primary.range);
        let is_of_body = finding.rule.id == "undefined-name"
            && code.file.kind() != SourceKind::Notebook
            && is_outside_functions(code, range)
            && !is_run_by_hand(code, range);
        !is_of_body
            || FORMER_BUILTINS.contains(&name)
            || USUAL_IMPORTS.contains(&name)
            || is_library(name)
            || is_used_otherwise(code, name)
            || is_like_another(code, name)
            || codes.iter().any(|other| imports_from_library(other, name, is_library))
    });
}

/// The module and the name of a message about a name that a module lacks.
fn missing_name_of_module(message: &str) -> Option<(&str, &str)> {
    let mut quoted = message.split('\'').skip(1).step_by(2);
    let (first, second) = (quoted.next()?, quoted.next()?);
    if message.starts_with("cannot import name") {
        Some((second, first))
    } else {
        message.starts_with("module ").then_some((first, second))
    }
}

/// Whether the body of a file gives a name, as a text, to an imported function that is not among the modules of the run, and does nothing
/// with the result: `lazy_import("algebra.free", "FreeAlgebra")` binds the name here.
fn is_named_to_unread_code(codes: &[&Arc<Code>], code: &Code, name: &str) -> bool {
    let tree = &code.tree;
    let is_name = |id: ExprId| matches!(tree[id].kind, ExprKind::Str(text) if tree.text(text) == name);
    let gives_name = |id: ExprId| {
        is_name(id)
            || match tree[id].kind {
                ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
                    tree[elements].iter().any(|&element| is_name(element))
                }
                _ => false,
            }
    };
    tree.stmt_ids().any(|stmt| {
        let StmtKind::Expr { value } = tree[stmt].kind else { return false };
        let ExprKind::Call { function, arguments } = tree[value].kind else { return false };
        let Some(callee) = tree.as_name(function).map(|callee| tree.text(callee)) else { return false };
        let given = tree[arguments.positional].iter().copied();
        let mut given = given.chain(tree[arguments.keywords].iter().map(|keyword| keyword.value));
        given.any(gives_name)
            && is_outside_functions(code, tree[stmt].range)
            && imports_name(code, callee)
            && !codes.iter().any(|other| defines_function(other, callee))
    })
}

fn defines_function(code: &Code, name: &str) -> bool {
    code.str_of(name).is_some()
        && code.tree.stmt_ids().any(|stmt| match code.tree[stmt].kind {
            StmtKind::FunctionDef(function) => code.tree.text(function.name.name) == name,
            _ => false,
        })
}

/// Whether code stands behind `if __name__ == "__main__"`.
fn is_run_by_hand(code: &Code, range: TextRange) -> bool {
    code.tree.stmt_ids().any(|id| match code.tree[id].kind {
        StmtKind::If { test, .. } => {
            let around = code.tree[id].range;
            around.start <= range.start
                && range.end <= around.end
                && code.file.slice(code.tree[test].range).contains("__name__")
        }
        _ => false,
    })
}

/// Whether a file has a name in another sense: as that of a local or a parameter, an attribute, a keyword, a part of an import.
fn is_used_otherwise(code: &Code, name: &str) -> bool {
    let Some(id) = code.str_of(name) else { return false };
    let tree = &code.tree;
    code.scopes.iter().any(|(_, scope)| scope.binds(id))
        || tree.expr_ids().any(|expr| match tree[expr].kind {
            ExprKind::Name { name, context } => name == id && context != Context::Load,
            ExprKind::Attribute { attribute, .. } => attribute.name == id,
            ExprKind::Call { arguments, .. } => {
                tree[arguments.keywords].iter().any(|keyword| keyword.name.is_some_and(|name| name.name == id))
            }
            _ => false,
        })
        || tree.stmt_ids().any(|stmt| match tree[stmt].kind {
            StmtKind::Import { names } => {
                tree[names].iter().any(|alias| tree.text(alias.name.name).split('.').any(|part| part == name))
            }
            StmtKind::ImportFrom { module, names, .. } => {
                module.is_some_and(|module| tree.text(module.name).split('.').any(|part| part == name))
                    || tree[names].iter().any(|alias| tree.text(alias.name.name) == name)
            }
            _ => false,
        })
}

/// Whether a file binds a name that differs by a misspelling.
fn is_like_another(code: &Code, name: &str) -> bool {
    let bound = code.scopes.iter().flat_map(|(_, scope)| &scope.locals).map(|&bound| code.tree.text(bound));
    name.len() >= SHORTEST && nearest(name, bound.filter(|bound| bound.len() >= SHORTEST)).is_some()
}

/// Whether a module imports a name from a library.
fn imports_from_library(code: &Code, name: &str, is_library: &dyn Fn(&str) -> bool) -> bool {
    code.str_of(name).is_some()
        && code.tree.stmt_ids().any(|stmt| match code.tree[stmt].kind {
            StmtKind::ImportFrom { module: Some(module), names, level: 0 } => {
                is_library(top_package(code.tree.text(module.name)))
                    && code.tree[names]
                        .iter()
                        .any(|alias| code.tree.text(alias.asname.unwrap_or(alias.name).name) == name)
            }
            _ => false,
        })
}
