//! Whether a function has made a value itself: by literals, builtins, libraries, and what it computes from such values.
//!
//! ```python
//! rows = [1, 2]; rows.push(3)             # made here
//! table.rows.push(3)                      # made by others, who may have put anything there
//! ```

use pytrope_eval::code::{Code, ScopeInfo, ScopeKind};
use pytrope_source::tree::{ExprId, ExprKind, StmtKind, Str};
use pytrope_source::{Node, TextRange};

use super::contains;
use crate::library_names::is_bound_by_library;

/// How many steps values are gone back.
const DEPTH: u32 = 6;

/// Where the values of one file come from, by their text.
pub(super) struct Origins<'a> {
    pub code: &'a Code,
    /// Whether a name is that of a library, by models and tables.
    pub is_library: &'a dyn Fn(&str) -> bool,
}

impl Origins<'_> {
    pub(super) fn is_made_here(&self, id: ExprId) -> bool {
        self.is_made(id, DEPTH)
    }

    fn is_made(&self, id: ExprId, depth: u32) -> bool {
        let tree = &self.code.tree;
        let Some(depth) = depth.checked_sub(1) else { return false };
        let made = |id: ExprId| self.is_made(id, depth);
        match tree[id].kind {
            ExprKind::Name { name, .. } => self.is_made_name(name, tree[id].range, depth),
            ExprKind::Attribute { value, .. }
            | ExprKind::Subscript { value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Named { value, .. } => made(value),
            ExprKind::BinOp { left, right, .. } => made(left) && made(right),
            ExprKind::UnaryOp { operand, .. } => made(operand),
            ExprKind::IfExp { body, orelse, .. } => made(body) && made(orelse),
            ExprKind::BoolOp { values, .. } => tree[values].iter().all(|&value| made(value)),
            ExprKind::Call { function, .. } => match tree[function].kind {
                ExprKind::Attribute { value, .. } => made(value),
                _ => made(function),
            },
            ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => false,
            // Literals, displays, comprehensions, lambdas.
            _ => true,
        }
    }

    /// Whether a name stands for a builtin, a library or what is imported from one, or for what the function has made.
    fn is_made_name(&self, name: Str, range: TextRange, depth: u32) -> bool {
        let scopes = self.code.scopes.iter().map(|(_, info)| info);
        let around = scopes.filter(|info| info.kind == ScopeKind::Module || contains(info.range, range));
        let binding = around.filter(|info| info.kind != ScopeKind::Class && info.binds(name));
        match binding.min_by_key(|info| info.range.end - info.range.start) {
            None => true,
            Some(binder) if binder.kind == ScopeKind::Module => {
                is_bound_by_library(self.code, self.is_library, self.code.tree.text(name))
            }
            Some(binder) => self.is_bound_to_made(name, binder, depth),
        }
    }

    /// Whether everything that a function binds to a name is made there; parameters, loops and `with` bind what comes from elsewhere.
    fn is_bound_to_made(&self, name: Str, binder: &ScopeInfo, depth: u32) -> bool {
        let tree = &self.code.tree;
        let is_it = |target: ExprId| tree.as_name(target) == Some(name);
        let mut bound = 0;
        let mut made = 0;
        for id in tree.stmt_ids().filter(|&id| contains(binder.range, tree[id].range)) {
            match tree[id].kind {
                StmtKind::Assign { targets, value } if tree[targets].iter().any(|&target| is_it(target)) => {
                    bound += 1;
                    made += u32::from(self.is_made(value, depth));
                }
                StmtKind::AnnAssign { target, value: Some(value), .. } if is_it(target) => {
                    bound += 1;
                    made += u32::from(self.is_made(value, depth));
                }
                StmtKind::AugAssign { target, .. } if is_it(target) => {}
                StmtKind::FunctionDef(function) if function.name.name == name => {
                    bound += 1;
                    made += u32::from(tree[function.decorators].is_empty());
                }
                _ => {}
            }
        }
        let stores = tree.descendants(Node::Stmt(match binder.stmt {
            Some(stmt) => stmt,
            None => return false,
        }));
        let stores = stores.filter(|node| match node {
            Node::Expr(id) => is_it(*id) && super::is_stored_at(self.code, *id),
            Node::Stmt(_) => false,
        });
        // A name that is bound in other ways too, as in a loop or by unpacking, is not followed.
        bound > 0 && made == bound && stores.count() as u32 <= bound
    }
}
