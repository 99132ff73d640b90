//! State that decorators keep: a function that they wrap may answer otherwise in every call.
//!
//! ```python
//! def counted(f):
//!     def wrapped(*args):
//!         wrapped.calls += 1  # `counted` keeps this; whoever calls a decorated function changes it
//!         return f(*args)
//!     wrapped.calls = 0
//!     return wrapped
//! ```
//!
//! A decorator of the program is known to keep nothing if it is a function in which the functions that it defines neither change nor
//! use objects that it has made. Decorators of libraries are taken to keep nothing but caches.

use pytrope_semantic::ScopeId;
use pytrope_source::Node;
use pytrope_source::TextRange;
use pytrope_source::tree::{Context, ExprId, ExprKind, FunctionDefinition, StmtId, StmtKind};

use super::body::EffectCollector;
use super::{Callee, Effects, PlainFunction, is_reading_use, library_names, tables};
use crate::declaration::{Unit, World};
use crate::value_types::traits_of;

impl Effects {
    /// Whether a decorator leaves what a function computes alone: one of a closed list, told by what its name stands for.
    pub fn has_plain_decorator(&self, world: &World, unit: &Unit, decorator: ExprId) -> bool {
        let tree = &unit.tree;
        let called = match tree[decorator].kind {
            ExprKind::Call { function, .. } => function,
            _ => decorator,
        };
        match self.resolve_callee(world, unit, called) {
            Callee::Library(path) | Callee::Builtin(path) => library_names::is_plain_decorator(&path),
            // `@size.setter` of the property `size`
            Callee::Unknown => match tree[called].kind {
                ExprKind::Attribute { value, attribute, .. } => {
                    matches!(tree.text(attribute.name), "setter" | "getter" | "deleter")
                        && tree.as_name(value).is_some()
                }
                _ => false,
            },
            Callee::Function(_) | Callee::Class(_) | Callee::Enum => false,
        }
    }
}

impl EffectCollector<'_> {
    /// A function whose decorator keeps state changes it in every call.
    pub(super) fn record_own_state(&mut self, stmt: StmtId, function: FunctionDefinition) {
        let unit = self.unit;
        let tree = &unit.tree;
        for &decorator in &tree[function.decorators] {
            let called = match tree[decorator].kind {
                ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let keeps = match self.effects.resolve_callee(self.world, unit, called) {
                Callee::Function(key) => keeps_state(self.world.unit(key.0), key.1),
                Callee::Class(class) => self.changes_by_call(class),
                Callee::Library(_) | Callee::Builtin(_) | Callee::Enum => false,
                Callee::Unknown => match tree[called].kind {
                    ExprKind::Attribute { attribute, .. } => {
                        let name = tree.text(attribute.name);
                        let methods = self.effects.methods_named(name);
                        !matches!(name, "setter" | "getter" | "deleter") && !methods.is_empty()
                    }
                    _ => true,
                },
            };
            if keeps {
                self.change_own_state(stmt, tree[decorator].range);
            }
        }
    }

    /// Whether calling an instance of a class may change it.
    fn changes_by_call(&self, class: PlainFunction) -> bool {
        let call = self.effects.find_method(self.world, class, "__call__");
        call.and_then(|call| self.effects.of_function(call)).is_none_or(|call| call.changes.contains(0))
    }

    /// A cache gives out the same object again: what changes a result that can change, changes state.
    pub(super) fn share_cached_result(&mut self, stmt: StmtId, function: FunctionDefinition) {
        let unit = self.unit;
        let tree = &unit.tree;
        let is_cached = tree[function.decorators].iter().any(|&decorator| {
            let called = match tree[decorator].kind {
                ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let name = tree.dotted(called).and_then(|parts| parts.last().copied()).unwrap_or_default();
            matches!(name, "cache" | "lru_cache")
        });
        let frozen = function.returns.is_some_and(|returns| traits_of(self.world, unit, returns).frozen);
        if is_cached && !frozen {
            let state = self.own_state(stmt);
            self.effect.returns = self.effect.returns.union(state);
            self.effect.returns_items = self.effect.returns_items.union(state);
        }
    }
}

/// Whether functions defined inside a function change what they share with it: a decorator's cache, a counter.
pub(super) fn keeps_state(unit: &Unit, stmt: StmtId) -> bool {
    let tree = &unit.tree;
    let StmtKind::FunctionDef(outer) = tree[stmt].kind else { return false };
    let inner: Vec<TextRange> = tree
        .suite_nodes(outer.body)
        .filter_map(|node| match node {
            Node::Stmt(stmt) if matches!(tree[stmt].kind, StmtKind::FunctionDef(_)) => Some(tree[stmt].range),
            _ => None,
        })
        .collect();
    let is_captured = |expr: ExprId, within: TextRange| {
        let mut root = expr;
        while let ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } = tree[root].kind {
            root = value;
        }
        let (Some(name), Some(owner)) = (tree.as_name(root), unit.names.owner_of_use(root)) else { return false };
        owner != ScopeId::MODULE
            && unit.names.definitions_of(owner, tree.text(name)).iter().any(|&id| {
                // A function inside that stores into itself, `wrapped.calls += 1`, keeps that too.
                let defined = tree[unit.names.definition(id).stmt].range;
                defined == within || !within.contains_range(defined)
            })
    };
    let is_made = |expr: ExprId| {
        let (Some(name), Some(owner)) = (tree.as_name(expr), unit.names.owner_of_use(expr)) else { return false };
        unit.names.definitions_of(owner, tree.text(name)).iter().any(|&id| {
            match tree[unit.names.definition(id).stmt].kind {
                StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => {
                    match tree[value].kind {
                        ExprKind::Call { .. } | ExprKind::Generator { .. } => true,
                        _ => !crate::scan::is_immutable(unit, value) && !is_reading_use(unit, expr),
                    }
                }
                _ => false,
            }
        })
    };
    tree.suite_nodes(outer.body).any(|node| match node {
        Node::Stmt(stmt) => matches!(tree[stmt].kind, StmtKind::Nonlocal { .. }),
        Node::Expr(expr) => {
            inner.iter().filter(|within| within.contains_range(tree[expr].range)).any(|&within| match tree[expr].kind {
                ExprKind::Attribute { value, context: Context::Store | Context::Del, .. }
                | ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                    is_captured(value, within)
                }
                ExprKind::Call { function, .. } => match tree[function].kind {
                    ExprKind::Attribute { value, attribute, .. } => {
                        tables::is_changing_method(tree.text(attribute.name)) && is_captured(value, within)
                    }
                    _ => false,
                },
                ExprKind::Name { context: Context::Load, .. } => is_captured(expr, within) && is_made(expr),
                _ => false,
            })
        }
    })
}

/// Whether all that a function returns are functions that it defines.
pub(super) fn gives_own_functions(unit: &Unit, stmt: StmtId) -> bool {
    let tree = &unit.tree;
    let StmtKind::FunctionDef(outer) = tree[stmt].kind else { return false };
    let defines = |name: &str| {
        tree.suite_nodes(outer.body).any(|node| {
            matches!(node, Node::Stmt(inner)
                if matches!(tree[inner].kind, StmtKind::FunctionDef(function) if tree.text(function.name.name) == name))
        })
    };
    tree.suite_nodes(outer.body).all(|node| match node {
        Node::Stmt(inner) => match tree[inner].kind {
            StmtKind::Return { value: Some(value) } => {
                tree.as_name(value).is_some_and(|name| defines(tree.text(name)))
                    || matches!(tree[value].kind, ExprKind::Lambda { .. })
            }
            _ => true,
        },
        Node::Expr(_) => true,
    })
}
