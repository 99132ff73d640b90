//! What the text of code shows of its effects, without running it.

use pytrope_source::Node;
use pytrope_source::tree::{Context, ExprId, ExprKind, List, StmtId, StmtKind};

use super::library;
use crate::code::Code;
use crate::object::Function;

/// Whether a suite does more than naming things.
pub(crate) fn may_raise_in(code: &Code, suite: List<StmtId>) -> bool {
    code.tree.suite_nodes(suite).any(|node| match node {
        Node::Stmt(stmt) => !matches!(
            code.tree[stmt].kind,
            StmtKind::Pass | StmtKind::Assign { .. } | StmtKind::Expr { .. } | StmtKind::If { .. }
        ),
        Node::Expr(expr) => !matches!(
            code.tree[expr].kind,
            ExprKind::Name { .. }
                | ExprKind::Attribute { .. }
                | ExprKind::None
                | ExprKind::Bool(_)
                | ExprKind::Int(_)
                | ExprKind::Str(_)
        ),
    })
}

/// Whether a function's text shows that it changes nothing: it stores to its own names only and calls nothing that might.
pub(crate) fn changes_nothing(function: &Function) -> bool {
    let code = &function.code;
    let info = code.scope_info(function.id);
    let Some(stmt) = info.stmt else { return false };
    let is_read = |id: ExprId| !matches!(code.tree[id].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. });
    info.globals.is_empty()
        && info.nonlocals.is_empty()
        && !info.is_generator
        && code.tree.descendants(Node::Stmt(stmt)).all(|node| match node {
            Node::Expr(id) => match &code.tree[id].kind {
                ExprKind::Call { function, .. } => match code.tree[*function].kind {
                    ExprKind::Name { name, .. } => library::function(code.tree.text(name)).changes_nothing(),
                    _ => false,
                },
                _ => true,
            },
            Node::Stmt(id) => match &code.tree[id].kind {
                StmtKind::FunctionDef(_) => id == stmt,
                StmtKind::Return { .. } | StmtKind::If { .. } | StmtKind::Expr { .. } | StmtKind::Pass => true,
                StmtKind::Raise { .. } | StmtKind::Assert { .. } => true,
                StmtKind::Assign { targets, .. } => code.tree[*targets].iter().copied().all(is_read),
                _ => false,
            },
        })
}

/// Whether a function's text leaves it open that it returns something true; an `__exit__` that does keeps the exception to itself.
pub(crate) fn may_return_true(function: &Function) -> bool {
    let code = &function.code;
    let Some(stmt) = code.scope_info(function.id).stmt else { return true };
    code.tree.descendants(Node::Stmt(stmt)).any(|node| match node {
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::Return { value: Some(value) } => {
                !matches!(code.tree[value].kind, ExprKind::None | ExprKind::Bool(false))
            }
            _ => false,
        },
        Node::Expr(_) => false,
    })
}

/// Exceptions that findings name, and their bases: a handler of another class says nothing about them.
const CAUGHT: [&str; 16] = [
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "Exception",
    "ImportError",
    "IndexError",
    "KeyError",
    "LookupError",
    "NameError",
    "NotImplementedError",
    "RuntimeError",
    "TypeError",
    "UnboundLocalError",
    "ValueError",
    "ZeroDivisionError",
];

/// Whether a decorator's text may keep an exception of what it wraps to itself: it has a handler of an ordinary exception that
/// does not raise at its end, or uses a manager.
pub(crate) fn may_catch(function: &Function) -> bool {
    let code = &function.code;
    let Some(stmt) = code.scope_info(function.id).stmt else { return false };
    let names_caught = |class: ExprId| {
        code.tree.descendants(Node::Expr(class)).any(|node| match node {
            Node::Expr(id) => code.tree.as_name(id).is_some_and(|name| CAUGHT.contains(&code.tree.text(name))),
            Node::Stmt(_) => false,
        })
    };
    code.tree.descendants(Node::Stmt(stmt)).any(|node| match node {
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::Try { handlers, .. } => code.tree[handlers].iter().any(|handler| {
                let last = code.tree[handler.body].last().map(|&last| &code.tree[last].kind);
                handler.class.is_none_or(names_caught) && !matches!(last, Some(StmtKind::Raise { .. }))
            }),
            StmtKind::With { .. } => true,
            _ => false,
        },
        Node::Expr(_) => false,
    })
}

/// Whether the `__new__` of a metaclass returns the class it makes, as far as its text shows: what `super().__new__(…)`,
/// `type.__new__(…)` or `type(…)` gives, by itself or by a name.
pub(crate) fn returns_new_class(function: &Function) -> bool {
    let code = &function.code;
    let Some(stmt) = code.scope_info(function.id).stmt else { return false };
    let makes = |id: ExprId| match code.tree[id].kind {
        ExprKind::Call { function, .. } => match code.tree[function].kind {
            ExprKind::Attribute { attribute, .. } => code.tree.text(attribute.name) == "__new__",
            ExprKind::Name { name, .. } => code.tree.text(name) == "type",
            _ => false,
        },
        _ => false,
    };
    let mut made = Vec::new();
    for node in code.tree.descendants(Node::Stmt(stmt)) {
        if let Node::Stmt(id) = node
            && let StmtKind::Assign { targets, value } = code.tree[id].kind
            && makes(value)
        {
            made.extend(code.tree[targets].iter().filter_map(|&target| code.tree.as_name(target)));
        }
    }
    code.tree.descendants(Node::Stmt(stmt)).all(|node| match node {
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::Return { value: Some(value) } => {
                makes(value) || code.tree.as_name(value).is_some_and(|name| made.contains(&name))
            }
            _ => true,
        },
        Node::Expr(_) => true,
    })
}

/// Whether a `__new__` may return what was made before: something it reads from an attribute or a container.
///
/// ```python
/// def __new__(cls):
///     if cls.instance is None:
///         cls.instance = super().__new__(cls)
///     return cls.instance      # of another class, if that one was constructed first
/// ```
pub(crate) fn returns_kept_instance(function: &Function) -> bool {
    let code = &function.code;
    let Some(stmt) = code.scope_info(function.id).stmt else { return false };
    code.tree.descendants(Node::Stmt(stmt)).any(|node| match node {
        Node::Stmt(id) => match code.tree[id].kind {
            StmtKind::Return { value: Some(value) } => {
                matches!(code.tree[value].kind, ExprKind::Attribute { .. } | ExprKind::Subscript { .. })
            }
            _ => false,
        },
        Node::Expr(_) => false,
    })
}

/// Whether a name is bound in statements behind one that leaves their suite.
///
/// ```python
/// if rotate:
///     raise NotImplementedError
///     rotation = make()      # dead, as long as rotating is not supported
/// ...
/// if rotate:
///     rotation.apply()
/// ```
pub(crate) fn binds_in_dead_code(code: &Code, suite: List<StmtId>, name: &str) -> bool {
    let statements = &code.tree[suite];
    let leaves = |&stmt: &StmtId| {
        matches!(
            code.tree[stmt].kind,
            StmtKind::Raise { .. } | StmtKind::Return { .. } | StmtKind::Continue | StmtKind::Break
        )
    };
    let dead = statements.iter().position(leaves).map_or(&[][..], |at| &statements[at + 1..]);
    let binds = |node: Node| match node {
        Node::Expr(id) => match code.tree[id].kind {
            ExprKind::Name { name: bound, context: Context::Store } => code.tree.text(bound) == name,
            _ => false,
        },
        Node::Stmt(_) => false,
    };
    dead.iter().any(|&stmt| code.tree.descendants(Node::Stmt(stmt)).any(binds))
        || statements
            .iter()
            .filter(|&&stmt| !matches!(code.tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_)))
            .any(|&stmt| code.tree.suites(stmt).into_iter().any(|inner| binds_in_dead_code(code, inner, name)))
}
