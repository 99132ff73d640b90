//! Lines that set `CUDA_VISIBLE_DEVICES`: the launcher and the local rank decide that now.

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::rewrite::Rewrite;
use crate::trace::argument;

pub fn remove(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for stmt in tree.stmt_ids() {
            let is_name = |e: pytrope_source::tree::ExprId| matches!(tree[e].kind, ExprKind::Str(s) if tree.text(s) == "CUDA_VISIBLE_DEVICES");
            let sets = match tree[stmt].kind {
                StmtKind::Assign { targets, .. } => tree[targets].iter().any(|&t| match tree[t].kind {
                    ExprKind::Subscript { value, index, .. } => {
                        is_name(index) && rw.trace.origin((module, value)).as_deref() == Some("os.environ")
                    }
                    _ => false,
                }),
                StmtKind::Expr { value } => {
                    rw.trace
                        .called((module, value))
                        .is_some_and(|api| matches!(api.as_str(), "os.environ.setdefault" | "os.putenv"))
                        && argument(tree, value, "", 0).is_some_and(is_name)
                }
                _ => false,
            };
            if sets {
                rw.edits[module].delete_stmt(stmt);
                let range = tree[stmt].range;
                rw.log("visible-devices", module, range, "each rank takes the GPU of its local rank");
            }
        }
    }
}
