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

use pytrope_source::Node;
use pytrope_source::tree::{Context, ExprKind, StmtKind, Str};
use rustc_hash::FxHashSet;

use super::Code;

pub(super) fn find_probed_names(code: &Code) -> FxHashSet<Str> {
    let mut probed = FxHashSet::default();
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
