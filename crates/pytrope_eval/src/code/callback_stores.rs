//! Attributes that methods store which others may call: a scheduler, a signal, a thread.
//!
//! ```python
//! class Loop:
//!     def __init__(self):
//!         self.queue.enter(0, 0, self.step)    # `step` is taken as a value: others call it
//!     def step(self):
//!         self.state = torch.ones(2)           # so `state` changes whenever unknown code runs
//! ```

use pytrope_source::tree::{Context, ExprId, ExprKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::FxHashSet;

use super::{Code, ScopeInfo, ScopeKind};
use crate::names::Name;

/// An attribute that is read somewhere, and what for.
struct AttributeRead {
    range: TextRange,
    name: Name,
    /// It is called at once.
    is_called: bool,
    /// A method of it is called, which may change it.
    is_used: bool,
}

/// Names of the attributes that such methods, and functions inside methods, store or use, with the methods that they call.
pub(super) fn find_callback_stores(code: &Code) -> FxHashSet<Name> {
    let is_method = |scope: &ScopeInfo| code.scopes[scope.parent].kind == ScopeKind::Class;
    let is_function = |scope: &ScopeInfo| matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda);
    let methods: Vec<(Name, &ScopeInfo)> = code
        .scopes
        .iter()
        .filter(|(_, scope)| scope.kind == ScopeKind::Function && is_method(scope))
        .filter_map(|(_, scope)| Some((code.name_of(scope.name?), scope)))
        .collect();
    let names: FxHashSet<Name> = methods.iter().map(|(name, _)| *name).collect();
    let reads: Vec<AttributeRead> = code.tree.expr_ids().filter_map(|id| read_at(code, id)).collect();
    // Functions inside methods see `self`: others may be given them.
    let inner = code.scopes.iter().map(|(_, scope)| scope).filter(|scope| {
        is_function(scope) && is_function(&code.scopes[scope.parent]) && is_method(&code.scopes[scope.parent])
    });
    let mut pending: Vec<&ScopeInfo> = inner.collect();
    let mut reached: FxHashSet<Name> = FxHashSet::default();
    let mut wanted: Vec<Name> = reads.iter().filter(|read| !read.is_called).map(|read| read.name).collect();
    let mut changed = FxHashSet::default();
    loop {
        while let Some(name) = wanted.pop() {
            if names.contains(&name) && reached.insert(name) {
                pending.extend(methods.iter().filter(|(method, _)| *method == name).map(|(_, scope)| *scope));
            }
        }
        let Some(scope) = pending.pop() else { break };
        let is_inside = |range: TextRange| scope.range.start <= range.start && range.end <= scope.range.end;
        for read in reads.iter().filter(|read| is_inside(read.range)) {
            if read.is_called {
                wanted.push(read.name);
            }
            if read.is_used {
                changed.insert(read.name);
            }
        }
        for store in code.scopes.stores.iter().filter(|store| is_inside(code.scopes[store.scope].range)) {
            changed.insert(code.attribute_name(store.attribute, store.scope));
        }
    }
    changed
}

fn read_at(code: &Code, id: ExprId) -> Option<AttributeRead> {
    let ExprKind::Attribute { attribute, context: Context::Load, .. } = code.tree[id].kind else { return None };
    let parent = match Node::Expr(id).parent(&code.tree) {
        Some(Node::Expr(parent)) => Some(&code.tree[parent].kind),
        _ => None,
    };
    Some(AttributeRead {
        range: code.tree[id].range,
        name: code.name_of(attribute.name),
        is_called: matches!(parent, Some(ExprKind::Call { function, .. }) if *function == id),
        is_used: matches!(parent, Some(ExprKind::Attribute { .. } | ExprKind::Subscript { .. })),
    })
}
