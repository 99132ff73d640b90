//! Locals that are bound under the same condition as they are read.
//!
//! ```python
//! if iscoroutinefunction(f):
//!     async def later(): ...
//! else:
//!     def now(): ...
//! return later if iscoroutinefunction(f) else now
//! ```
//!
//! What a call or an attribute gives is not known to be the same twice, so that each arm of the second question is run behind each
//! of the first. The author who asks twice takes it to be the same.

use pytrope_diagnostics::Finding;
use pytrope_eval::code::{Code, ScopeKind};
use pytrope_source::tree::{ExprId, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use super::conditions::conditions_around;
use super::{contains, expression_at, is_stored_at};

/// Whether a local that is not bound here is bound, above, under a condition that is asked again around the place.
pub(super) fn is_bound_under_condition_asked_again(code: &Code, finding: &Finding) -> bool {
    if finding.rule.id != "unbound-local" {
        return false;
    }
    let Some(read) = expression_at(code, finding.primary.range) else { return false };
    let Some(name) = code.tree.as_name(read) else { return false };
    let scopes = code.scopes.iter().map(|(_, info)| info);
    let own = scopes.filter(|info| info.kind == ScopeKind::Function && info.binds(name));
    let own = own.filter(|info| contains(info.range, finding.primary.range));
    let Some(function) = own.min_by_key(|info| info.range.end - info.range.start).and_then(|info| info.stmt) else {
        return false;
    };
    let is_bound_by = |node: Node| match node {
        Node::Expr(id) => code.tree.as_name(id) == Some(name) && is_bound_anew(code, id),
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::FunctionDef(function) => function.name.name == name,
            StmtKind::ClassDef(class) => class.name.name == name,
            _ => false,
        },
    };
    let range_of = |id: StmtId| code.tree[id].range;
    // The statements that come one after the other, the later of which holds the place.
    let suites = code.tree.descendants(Node::Stmt(function)).filter_map(|node| match node {
        Node::Stmt(id) => Some(code.tree.suites(id)),
        Node::Expr(_) => None,
    });
    suites.flatten().any(|suite| {
        let suite = &code.tree[suite];
        let Some(at) = suite.iter().position(|&stmt| contains(range_of(stmt), finding.primary.range)) else {
            return false;
        };
        let again = conditions_within(code, Node::Expr(read), range_of(suite[at]));
        !again.is_empty()
            && suite[..at].iter().any(|&earlier| {
                code.tree.descendants(Node::Stmt(earlier)).filter(|&node| is_bound_by(node)).any(|node| {
                    let asked = conditions_within(code, node, range_of(earlier));
                    asked.iter().any(|text| again.contains(text))
                })
            })
    })
}

/// The conditions around a node that a statement holds.
fn conditions_within(code: &Code, node: Node, stmt: TextRange) -> Vec<&str> {
    let around = conditions_around(code, node).into_iter();
    around.filter(|(test, _)| contains(stmt, code.tree[*test].range)).map(|(_, text)| text).collect()
}

/// Whether a name is stored to, by a statement that does not read it.
fn is_bound_anew(code: &Code, id: ExprId) -> bool {
    is_stored_at(code, id)
        && !Node::Expr(id).parent(&code.tree).is_some_and(|parent| match parent {
            Node::Stmt(stmt) => matches!(code.tree[stmt].kind, StmtKind::AugAssign { .. }),
            Node::Expr(_) => false,
        })
}
