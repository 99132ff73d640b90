//! Lines that choose a GPU for the process, such as `CUDA_VISIBLE_DEVICES`: the launcher and the local rank do that now.

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

pub fn remove_choices(rw: &mut Rewrite) {
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
                        .called_api((module, value))
                        .is_some_and(|api| matches!(api.as_str(), "os.environ.setdefault" | "os.putenv"))
                        && argument_of(tree, value, "", 0).is_some_and(is_name)
                        || chooses_devices(rw, (module, value))
                }
                _ => false,
            };
            if sets {
                rw.edits[module].delete_stmt(stmt);
                let range = tree[stmt].range;
                rw.log_change("visible-devices", module, range, "each rank takes the GPU of its local rank");
            }
        }
    }
}

/// `torch.cuda.set_device(0)` and `tf.config.set_visible_devices(gpus[1], "GPU")`.
fn chooses_devices(rw: &Rewrite, call: ExprPlace) -> bool {
    let tree = rw.trace.tree(call.0);
    let gpu = |e: pytrope_source::tree::ExprId| matches!(tree[e].kind, ExprKind::Str(s) if tree.text(s).eq_ignore_ascii_case("gpu"));
    rw.trace.called_api(call).is_some_and(|api| match api.as_str() {
        "torch.cuda.set_device" => true,
        "tf.config.set_visible_devices" | "tf.config.experimental.set_visible_devices" => {
            argument_of(tree, call.1, "device_type", 1).is_some_and(gpu)
        }
        _ => false,
    })
}
