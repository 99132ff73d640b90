//! Names that a module asks for: where `except NameError` stands, the name may be missing, and code elsewhere relies on the answer.
//!
//! ```python
//! def setUp(self):
//!     try:
//!         frozendict
//!     except NameError:
//!         self.skipTest("no frozendict here")
//! def test(self):
//!     frozendict(x=1)      # runs only where the name is defined
//! ```
//!
//! A test whether the builtins have a name asks for it too: `hasattr(__builtins__, "file")`, `"file" in dir(builtins)`.

use pytrope_source::Node;
use pytrope_source::tree::{Context, ExprId, ExprKind, StmtKind, Str};
use rustc_hash::FxHashSet;

use super::Code;

pub(super) fn find_probed_names(code: &Code) -> FxHashSet<Str> {
    let mut probed = FxHashSet::default();
    if BUILTINS.iter().any(|name| code.str_of(name).is_some()) {
        probed.extend(code.tree.expr_ids().filter_map(|id| asked_of_builtins(code, id)));
    }
    if code.str_of("NameError").is_none() {
        return probed;
    }
    for id in code.tree.stmt_ids() {
        let StmtKind::Try { body, handlers, .. } = code.tree[id].kind else { continue };
        let asks = code.tree[handlers].iter().filter_map(|handler| handler.class).any(|class| {
            code.tree.descendants(Node::Expr(class)).any(|node| match node {
                Node::Expr(id) => code.tree.as_name(id).is_some_and(|name| code.tree.text(name) == "NameError"),
                Node::Stmt(_) => false,
            })
        });
        if !asks {
            continue;
        }
        for node in code.tree.suite_nodes(body) {
            if let Node::Expr(id) = node
                && let ExprKind::Name { name, context: Context::Load } = code.tree[id].kind
            {
                probed.insert(name);
            }
        }
    }
    probed
}

/// Names of the module that holds what is built in.
const BUILTINS: [&str; 3] = ["builtins", "__builtin__", "__builtins__"];

/// The name that an expression looks for among the builtins.
fn asked_of_builtins(code: &Code, id: ExprId) -> Option<Str> {
    let tree = &code.tree;
    let mentions_builtins = |id: ExprId| {
        tree.descendants(Node::Expr(id)).any(|node| match node {
            Node::Expr(id) => tree.as_name(id).is_some_and(|name| BUILTINS.contains(&tree.text(name))),
            Node::Stmt(_) => false,
        })
    };
    let (namespace, name) = match tree[id].kind {
        ExprKind::Call { function, arguments } => {
            let asks = tree.as_name(function).is_some_and(|name| matches!(tree.text(name), "hasattr" | "getattr"));
            let &[namespace, name, ..] = &tree[arguments.positional] else { return None };
            asks.then_some((namespace, name))?
        }
        ExprKind::Compare { left, comparators, .. } => (*tree[comparators].first()?, left),
        _ => return None,
    };
    let ExprKind::Str(text) = tree[name].kind else { return None };
    // The string of the name, which is another one than that of the text if the two are kept apart.
    mentions_builtins(namespace).then(|| code.str_of(tree.text(text)).unwrap_or(text))
}
