//! What a part of a function does for the function as a whole: a name it makes local, a `yield` that makes it a generator.

use std::collections::BTreeSet;

use pytrope_source::tree::{Context, ExprId, ExprKind, Parent, StmtId, StmtKind};
use pytrope_source::{TextRange, Tree};

/// Whether a function keeps its meaning without some of its parts (`gone` together with `parts`).
///
/// A name that only they bind becomes a global one for the rest; without its last `yield` a generator is none.
pub fn may_go(tree: &Tree, function: StmtId, parts: &[TextRange], gone: &[TextRange]) -> bool {
    let inside = |range: TextRange, within: &[TextRange]| {
        within.iter().any(|part| part.start <= range.start && range.end <= part.end)
    };
    let is_gone = |range: TextRange| inside(range, parts) || inside(range, gone);
    let whole = tree[function].range;
    let mut lost: BTreeSet<&str> = BTreeSet::new();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let (mut lost_yield, mut kept_yield) = (false, false);
    if let StmtKind::FunctionDef(definition) = tree[function].kind {
        let parameters = definition.parameters;
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        kept.extend(lists.iter().flat_map(|list| &tree[*list]).map(|parameter| tree.text(parameter.name.name)));
        kept.extend(parameters.vararg.iter().chain(&parameters.kwarg).map(|one| tree.text(one.name.name)));
    }
    for id in tree.expr_ids() {
        let range = tree[id].range;
        if !inside(range, &[whole]) {
            continue;
        }
        match tree[id].kind {
            ExprKind::Name { name, context } => {
                let own = context != Context::Load && function_of(tree, id) == Some(function);
                match (is_gone(range), own) {
                    (true, true) => drop(lost.insert(tree.text(name))),
                    (true, false) => {}
                    (false, own) => {
                        if own {
                            kept.insert(tree.text(name));
                        }
                        used.insert(tree.text(name));
                    }
                }
            }
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } if function_of(tree, id) == Some(function) => {
                if is_gone(range) {
                    lost_yield = true;
                } else {
                    kept_yield = true;
                }
            }
            _ => {}
        }
    }
    for id in tree.stmt_ids() {
        let range = tree[id].range;
        if !inside(range, &[whole]) || id == function || enclosing_function(tree, id) != Some(function) {
            continue;
        }
        let into = if is_gone(range) { &mut lost } else { &mut kept };
        match tree[id].kind {
            // What a name means in the whole function is said there.
            StmtKind::Global { .. } | StmtKind::Nonlocal { .. } if inside(range, parts) => return false,
            StmtKind::FunctionDef(inner) => drop(into.insert(tree.text(inner.name.name))),
            StmtKind::ClassDef(inner) => drop(into.insert(tree.text(inner.name.name))),
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    let text = tree.text(alias.asname.unwrap_or(alias.name).name);
                    into.insert(text.split('.').next().unwrap_or(text));
                }
            }
            StmtKind::Try { handlers, .. } => {
                into.extend(tree[handlers].iter().filter_map(|handler| handler.name).map(|name| tree.text(name.name)));
            }
            StmtKind::Match { cases, .. } => {
                for case in &tree[cases] {
                    into.extend(tree.pattern_captures(case.pattern).iter().map(|name| tree.text(name.name)));
                }
            }
            _ => {}
        }
    }
    let makes_local = lost.iter().any(|name| !kept.contains(name) && used.contains(name));
    !makes_local && (!lost_yield || kept_yield)
}

/// The function definition an expression stands in; none inside a lambda, whose names are its own.
fn function_of(tree: &Tree, mut id: ExprId) -> Option<StmtId> {
    loop {
        match tree[id].parent {
            Parent::Expr(parent) => {
                if matches!(tree[parent].kind, ExprKind::Lambda { .. }) {
                    return None;
                }
                id = parent;
            }
            Parent::Stmt(stmt) if matches!(tree[stmt].kind, StmtKind::FunctionDef(_)) => {
                // A default or a decorator belongs to the function around the definition.
                return enclosing_function(tree, stmt);
            }
            Parent::Stmt(stmt) => return enclosing_function(tree, stmt),
            Parent::Module => return None,
        }
    }
}

/// The function whose body a statement stands in.
pub fn enclosing_function(tree: &Tree, stmt: StmtId) -> Option<StmtId> {
    let mut at = stmt;
    loop {
        at = tree.enclosing(at)?;
        match tree[at].kind {
            StmtKind::FunctionDef(_) => return Some(at),
            StmtKind::ClassDef(_) => return None,
            _ => {}
        }
    }
}
