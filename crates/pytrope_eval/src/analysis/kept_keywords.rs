//! Keyword dictionaries of closures that nothing changes: `def register(**options)` whose inner functions only read `options`.
//!
//! A container that a module has made may be changed by any importer that reaches it. The dictionary of a `**` parameter is new in
//! each call and is reached through the parameter alone, so that its entries stay if every use of the name reads one of them:
//!
//! ```python
//! def legacy(**renamed):
//!     def decorate(function):
//!         def call(**given):
//!             for new, old in renamed.items():  # what the decorator was given
//!                 ...
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{Context, ExprId, ExprKind, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, ScopeId, ScopeKind};
use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Function, Object};
use crate::value::Addr;

/// The dictionaries of `**` parameters that functions of the heap close over and nothing changes.
pub(super) fn unchanged_keywords(interp: &Interp<'_>) -> FxHashSet<Addr> {
    let mut read_only: FxHashMap<(u32, ScopeId), Option<Name>> = FxHashMap::default();
    let mut found = FxHashSet::default();
    for (_, object) in interp.run.state.heap.iter() {
        let Object::Function(function) = object else { continue };
        if function.code.is_model || function.scopes.len() < 2 {
            continue;
        }
        for (id, scope) in enclosing_scopes(function) {
            let key = (function.code.module, id);
            let name = *read_only.entry(key).or_insert_with(|| read_only_keywords(&function.code, id));
            if let Some(name) = name
                && let Object::Scope(slots) = interp.object_at(scope)
                && let Some(held) = slots.get(name).and_then(|slot| slot.value.addr())
            {
                found.insert(held);
            }
        }
    }
    found
}

/// The functions around a function, each with the scope of the call that has made it.
fn enclosing_scopes(function: &Function) -> Vec<(ScopeId, Addr)> {
    let mut ids = Vec::new();
    let mut at = function.code.scope_info(function.id).parent;
    while at != ScopeId::MODULE {
        let info = function.code.scope_info(at);
        if matches!(info.kind, ScopeKind::Function | ScopeKind::Lambda) {
            ids.push(at);
        }
        at = info.parent;
    }
    let scopes: Vec<Addr> = function.scopes.iter().skip(1).rev().copied().collect();
    if ids.len() == scopes.len() { ids.into_iter().zip(scopes).collect() } else { Vec::new() }
}

/// The `**` parameter of a function, if the function and those inside it only read entries of it.
fn read_only_keywords(code: &Code, id: ScopeId) -> Option<Name> {
    let info = code.scope_info(id);
    let name = info.parameters?.kwarg?.name.name;
    let stmt = info.stmt.filter(|_| !info.is_open)?;
    let tree = &code.tree;
    let reads_entry = |expr: ExprId| match Node::Expr(expr).parent(tree) {
        Some(Node::Expr(parent)) => match tree[parent].kind {
            ExprKind::Attribute { attribute, context: Context::Load, .. } => {
                ["items", "keys", "values", "get"].contains(&tree.text(attribute.name))
            }
            ExprKind::Subscript { value, context: Context::Load, .. } => value == expr,
            ExprKind::Compare { .. } => true,
            _ => false,
        },
        Some(Node::Stmt(parent)) => matches!(tree[parent].kind, StmtKind::For { iter, .. } if iter == expr),
        None => false,
    };
    let mut uses = tree.descendants(Node::Stmt(stmt)).filter_map(|node| match node {
        Node::Expr(expr) if tree.as_name(expr) == Some(name) => Some(expr),
        _ => None,
    });
    uses.all(reads_entry).then(|| code.name_of(name))
}
