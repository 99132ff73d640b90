//! Which steps a wrapped module takes part in.

use pytrope_source::tree::{ExprId, StmtKind};

use super::{Wrapped, is_wrapped};
use crate::index::{Scope, expr_scope};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::Place;

/// Whether a wrapped module is in sight of a step: in its function, in functions around the call of it or called from it,
/// or in its class.
pub fn reaches_wrapped(rw: &Rewrite, wrapped: &[Wrapped], (module, step): Place) -> bool {
    let mut todo: Vec<(ModuleId, Scope, u32)> = vec![(module, expr_scope(rw.trace.tree(module), step), 3)];
    let mut seen: Vec<(ModuleId, Scope)> = Vec::new();
    while let Some((m, scope, fuel)) = todo.pop() {
        if seen.contains(&(m, scope)) {
            continue;
        }
        seen.push((m, scope));
        let tree = rw.trace.tree(m);
        let in_scope = |e: &ExprId| scope.is_none_or(|f| tree[f].range.contains_range(tree[*e].range));
        for e in tree.expr_ids().filter(in_scope) {
            if is_wrapped(rw, wrapped, (m, e), 6) {
                return true;
            }
            if fuel > 0
                && let Some((home, def)) = rw.trace.callee((m, e))
                && matches!(rw.trace.tree(home)[def].kind, StmtKind::FunctionDef(_))
            {
                todo.push((home, Some(def), fuel - 1));
            }
        }
        let Some(function) = scope.filter(|_| fuel > 0) else { continue };
        if let Some((_, class)) = crate::index::self_of(tree, function)
            && wrapped.iter().any(|w| w.module == m && w.class == Some(class))
        {
            return true;
        }
        for &(caller, call) in rw.trace.calls_of((m, function)) {
            todo.push((caller, expr_scope(rw.trace.tree(caller), call), fuel - 1));
        }
    }
    false
}
