//! Which scope the names of a statement or an expression are looked up in.
//!
//! Decorators, defaults, annotations and bases belong to the scope around a definition, and so does the first iterable
//! of a comprehension:
//!
//! ```python
//! def outer(items):
//!     def inner(x=len(items)):    # `items` is read in outer
//!         return [x for x in items if x]  # `items` in inner, `x` in the comprehension
//! ```

use pytrope_source::Tree;
use pytrope_source::scopes::{ScopeId, ScopeKind, Scopes};
use pytrope_source::tree::{ExprId, ExprKind, Parent, StmtId};

/// The scope that a statement stands in; a function or class stands in the one around it.
pub fn scope_of_stmt(tree: &Tree, scopes: &Scopes, stmt: StmtId) -> ScopeId {
    let mut at = tree.enclosing(stmt);
    while let Some(outer) = at {
        if let Some(&scope) = scopes.of_stmt.get(&outer) {
            return scope;
        }
        at = tree.enclosing(outer);
    }
    ScopeId::MODULE
}

/// The scope that an expression's names are looked up in.
pub fn scope_of_expr(tree: &Tree, scopes: &Scopes, expr: ExprId) -> ScopeId {
    let mut at = expr;
    loop {
        match tree[at].parent {
            Parent::Module => return ScopeId::MODULE,
            Parent::Stmt(stmt) => return scope_of_stmt(tree, scopes, stmt),
            Parent::Expr(outer) => {
                if let Some(&scope) = scopes.of_expr.get(&outer)
                    && is_evaluated_inside(tree, outer, at)
                {
                    return scope;
                }
                at = outer;
            }
        }
    }
}

/// Whether a direct child of a lambda or comprehension is evaluated in its scope.
fn is_evaluated_inside(tree: &Tree, outer: ExprId, child: ExprId) -> bool {
    match tree[outer].kind {
        ExprKind::Lambda { body, .. } => body == child,
        ExprKind::ListComp { generators, .. }
        | ExprKind::SetComp { generators, .. }
        | ExprKind::DictComp { generators, .. }
        | ExprKind::Generator { generators, .. } => tree[generators].first().is_none_or(|first| first.iter != child),
        _ => true,
    }
}

/// The function whose activation a scope's code runs in: comprehensions and class bodies run in the one around them.
/// `None` for the module; a lambda counts as part of the function around it.
pub fn enclosing_function(scopes: &Scopes, mut scope: ScopeId) -> Option<StmtId> {
    loop {
        let info = &scopes[scope];
        match info.kind {
            ScopeKind::Module => return None,
            ScopeKind::Function => return info.stmt,
            ScopeKind::Class | ScopeKind::Lambda | ScopeKind::Comprehension => scope = info.parent,
        }
    }
}

/// The scope that binds a name which code of a scope binds or reads, by `global`, `nonlocal` and the nesting of scopes;
/// `None` if no scope of the module binds it.
pub(crate) fn owner_of(
    scopes: &Scopes,
    from: ScopeId,
    binds: &dyn Fn(ScopeId) -> bool,
    is_name: &dyn Fn(pytrope_source::tree::Str) -> bool,
) -> Option<ScopeId> {
    let mut at = from;
    loop {
        let info = &scopes[at];
        if info.globals.iter().any(|&name| is_name(name)) {
            return binds(ScopeId::MODULE).then_some(ScopeId::MODULE);
        }
        // The names of a class are seen by its own body alone, not by the functions in it.
        let is_visible = at == from || info.kind != ScopeKind::Class;
        if is_visible && !info.nonlocals.iter().any(|&name| is_name(name)) && binds(at) {
            return Some(at);
        }
        if at == ScopeId::MODULE {
            return None;
        }
        at = info.parent;
    }
}
