//! Reaching definitions: which definitions of a name may hold where it is read.
//!
//! A may-analysis per activation (the module, a function, a lambda, with the class bodies and comprehensions that run
//! in it). Branches join, loops are run to a fixed point, a handler starts from the join of all states in its `try`.
//!
//! ```python
//! x = 1
//! for i in items:
//!     use(x)      # x = 1 or x = i
//!     x = i
//! ```
//!
//! Assumptions: context managers do not swallow exceptions; every statement may raise; a call does not rebind locals
//! except through `global` and `nonlocal` of the module's own functions, whose definitions always may hold.

mod activation;

use pytrope_source::Tree;
use pytrope_source::scopes::{ScopeId, ScopeKind, Scopes};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use rustc_hash::FxHashMap;

use crate::collect::is_read;
use crate::definition::DefinitionId;
use crate::names::ModuleNames;
use crate::scoping::scope_of_expr;
use activation::Activation;

/// What may hold where a name is read.
#[derive(Clone, Debug, Default)]
struct Reaching {
    definitions: Vec<DefinitionId>,
    may_be_unbound: bool,
}

/// The definitions that reach the reads of a module's names.
#[derive(Debug, Default)]
pub struct ReachingDefinitions {
    at: FxHashMap<ExprId, Reaching>,
}

impl ReachingDefinitions {
    /// Runs the analysis over every activation of a module.
    pub fn of(tree: &Tree, scopes: &Scopes, names: &ModuleNames) -> Self {
        let mut found = Self::default();
        Activation::of_suite(tree, scopes, names, ScopeId::MODULE, tree.body()).finish(&mut found);
        for stmt in tree.stmt_ids() {
            if let (StmtKind::FunctionDef(function), Some(&scope)) = (tree[stmt].kind, scopes.of_stmt.get(&stmt)) {
                Activation::of_suite(tree, scopes, names, scope, function.body).finish(&mut found);
            }
        }
        for expr in tree.expr_ids() {
            if let (ExprKind::Lambda { body, .. }, Some(&scope)) = (tree[expr].kind, scopes.of_expr.get(&expr)) {
                Activation::of_expr(tree, scopes, names, scope, body).finish(&mut found);
            }
        }
        found.add_captured(tree, scopes, names);
        found
    }

    /// The definitions that may hold where a name is read, in the order of their ids; none in unreachable code, for
    /// built-ins and for what star-imports bring.
    pub fn at(&self, read: ExprId) -> &[DefinitionId] {
        self.at.get(&read).map_or(&[], |reaching| reaching.definitions.as_slice())
    }

    /// Whether the name may have no value there (or be a built-in that the scope shadows later).
    pub fn may_be_unbound(&self, read: ExprId) -> bool {
        self.at.get(&read).is_some_and(|reaching| reaching.may_be_unbound)
    }

    /// Whether any path of its activation leads to the read.
    pub fn is_reachable(&self, read: ExprId) -> bool {
        self.at.contains_key(&read)
    }

    /// The one definition that holds there, if it is certain.
    pub fn only(&self, read: ExprId) -> Option<DefinitionId> {
        match (self.at(read), self.may_be_unbound(read)) {
            ([only], false) => Some(*only),
            _ => None,
        }
    }

    /// Names of other activations: the function may run at any time, so that every definition may hold.
    fn add_captured(&mut self, tree: &Tree, scopes: &Scopes, names: &ModuleNames) {
        for read in tree.expr_ids().filter(|&expr| is_read(tree, expr)) {
            let (Some(name), Some(owner)) = (tree.as_name(read), names.owner_of_use(read)) else { continue };
            let here = activation_of(scopes, scope_of_expr(tree, scopes, read));
            if activation_of(scopes, owner) != here {
                let ids = names.definitions_of(owner, tree.text(name)).iter().copied();
                let definitions = ids.filter(|&id| names.definition(id).kind.binds_value()).collect();
                self.at.insert(read, Reaching { definitions, may_be_unbound: false });
            }
        }
    }
}

/// The scope whose activation a scope's code runs in: class bodies and comprehensions run in the one around them.
pub(crate) fn activation_of(scopes: &Scopes, mut scope: ScopeId) -> ScopeId {
    while matches!(scopes[scope].kind, ScopeKind::Class | ScopeKind::Comprehension) {
        scope = scopes[scope].parent;
    }
    scope
}

/// Whether a test never fails: `while True`.
pub(crate) fn is_constant_true(tree: &Tree, test: ExprId) -> bool {
    match tree[test].kind {
        ExprKind::Bool(value) => value,
        ExprKind::Int(value) => value != 0,
        _ => false,
    }
}
