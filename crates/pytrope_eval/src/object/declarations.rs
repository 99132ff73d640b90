//! Definitions that only declare: what a call of one does is written elsewhere.
//!
//! ```python
//! class Serializable:
//!     @classmethod
//!     def from_dict(cls, data) -> Self: ...      # generated for each subclass when it is defined
//!
//! class IRouter(Interface):
//!     def router_from_id(name):                  # an interface: classes that implement it have `self`
//!         """Gives a router."""
//!
//! def covariance(): pass                         # a compiler puts what `@overload(covariance)` marks in its place
//! ```
//!
//! A body of `...` or of a docstring alone gives nothing that is known; a constructor without statements is complete. The parameters of a
//! method that does nothing at all (`pass`, `raise NotImplementedError`), and of such a function that a decorator is given, are not held
//! against calls: a caller who means another function gives what that one takes.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use super::Function;
use crate::names::Name;
use crate::value::Value;

/// Whether a function only says what others should do: a docstring, `pass`, `...`, `raise NotImplementedError`.
pub(crate) fn is_placeholder(function: &Function) -> bool {
    let code = &function.code;
    has_only(function, |statement| match code.tree[statement].kind {
        StmtKind::Pass => true,
        StmtKind::Raise { exception: Some(exception), .. } => {
            code.file.slice(code.tree[exception].range).starts_with("NotImplemented")
        }
        _ => is_text_or_ellipsis(function, statement),
    })
}

/// Whether a function of the program is declared and has no body: a docstring, `...`.
pub(crate) fn is_declaration(function: &Function) -> bool {
    let is_open = !function.code.is_model && function.name != Name::INIT;
    is_open && has_only(function, |statement| is_text_or_ellipsis(function, statement))
}

/// Whether another function may stand in the place of one that does nothing: that of a class below, or what a decorator that is given it
/// marks.
pub(crate) fn may_be_replaced(function: &Function) -> bool {
    is_placeholder(function) && (function.class.is_some() || is_given_to_decorator(function))
}

/// Whether a decorator of the same module is given the function: `@overload(covariance)`.
fn is_given_to_decorator(function: &Function) -> bool {
    let code = &function.code;
    let is_it = |&argument: &ExprId| matches!(code.tree[argument].kind, ExprKind::Name { name, .. } if code.name_of(name) == function.name);
    code.tree.stmt_ids().any(|statement| {
        let StmtKind::FunctionDef(definition) = code.tree[statement].kind else { return false };
        code.tree[definition.decorators].iter().any(|&decorator| match code.tree[decorator].kind {
            ExprKind::Call { arguments, .. } => code.tree[arguments.positional].iter().any(is_it),
            _ => false,
        })
    })
}

/// Whether `abc.abstractmethod` has marked a function.
pub(crate) fn is_abstract(function: &Function) -> bool {
    function.attrs.get(Name::new("__isabstractmethod__")).is_some_and(|slot| slot.value == Value::TRUE)
}

fn is_text_or_ellipsis(function: &Function, statement: StmtId) -> bool {
    let tree = &function.code.tree;
    match tree[statement].kind {
        StmtKind::Expr { value } => matches!(tree[value].kind, ExprKind::Str(_) | ExprKind::Ellipsis),
        _ => false,
    }
}

fn has_only(function: &Function, is_allowed: impl Fn(StmtId) -> bool) -> bool {
    let body = function.code.scope_info(function.id).body;
    body.is_some_and(|body| function.code.tree[body].iter().all(|&statement| is_allowed(statement)))
}
