//! Devices: each rank keeps to the GPU of its local rank, and inputs that DataParallel moved are moved by its successor.
//!
//! ```python
//! device = torch.device("cuda:0")     # device = torch.device("cuda")
//! model.cuda(0)                       # model.cuda()
//! net = nn.DataParallel(net)          # net = DDP(net, device_ids=[…] if next(net.parameters()).is_cuda else None)
//! ```

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StringPart};

use crate::index::exprs_in;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, Trace, call_arguments, positional_argument};

const RULE: &str = "pin-device";

/// A device with a number becomes the current device, which is the local rank's.
pub fn use_current_device(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for expr in tree.expr_ids() {
            let range = tree[expr].range;
            if names_numbered_gpu(rw, (module, expr)) {
                rw.edits[module].replace_range(range, "\"cuda\"");
            } else if let Some(number) = numbered_argument(rw, (module, expr)) {
                rw.edits[module].delete_range(number);
            } else {
                continue;
            }
            rw.log_change(RULE, module, range, "the device of the local rank is used");
        }
    }
}

/// `"cuda:0"`, `f"cuda:{gpu}"` and `"cuda:" + number`.
fn names_numbered_gpu(rw: &Rewrite, (module, expr): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    let is_numbered = |text: &str| text.strip_prefix("cuda:").is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()));
    match tree[expr].kind {
        ExprKind::Str(text) => {
            let text = tree.text(text);
            is_numbered(text) && text != "cuda:" && !compares_devices(rw, (module, expr))
        }
        ExprKind::FString { parts } => match &tree[parts] {
            [StringPart::Literal(text), StringPart::Interpolation { .. }] => tree.text(*text) == "cuda:",
            _ => false,
        },
        ExprKind::BinOp { left, .. } => matches!(tree[left].kind, ExprKind::Str(text) if tree.text(text) == "cuda:"),
        _ => false,
    }
}

fn compares_devices(rw: &Rewrite, (module, expr): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    crate::index::parent_expr(tree, expr).is_some_and(|parent| matches!(tree[parent].kind, ExprKind::Compare { .. }))
}

/// The number in `x.cuda(0)`, and the number with its comma in `torch.device("cuda", 0)`.
fn numbered_argument(rw: &Rewrite, (module, call): ExprPlace) -> Option<TextRange> {
    let tree = rw.trace.tree(module);
    let given = call_arguments(tree, call)?;
    let is_number = |e: ExprId| matches!(tree[e].kind, ExprKind::Int(_));
    if rw.trace.called_api((module, call)).as_deref() == Some("torch.device") {
        let (name, number) = (positional_argument(tree, given, 0)?, positional_argument(tree, given, 1)?);
        let is_cuda = matches!(tree[name].kind, ExprKind::Str(text) if tree.text(text) == "cuda");
        return (is_cuda && is_number(number)).then(|| TextRange::new(tree[name].range.end, tree[number].range.end));
    }
    let number = positional_argument(tree, given, 0)?;
    let moves = rw.trace.called_method((module, call)).is_some_and(|(_, method)| method == "cuda");
    (moves && is_number(number)).then(|| tree[number].range)
}

pub fn is_data_parallel(trace: &Trace, place: ExprPlace) -> bool {
    trace.called_api(place).is_some_and(|api| api == "torch.nn.DataParallel" || api == "torch.nn.parallel.DataParallel")
}

/// Whether the script left it to DataParallel to move inputs to the GPU.
pub fn has_data_parallel(rw: &Rewrite) -> bool {
    (0..rw.project.modules.len())
        .any(|module| rw.trace.tree(module).expr_ids().any(|e| is_data_parallel(rw.trace, (module, e))))
}

/// The argument that lets DistributedDataParallel move inputs as DataParallel did; `inner` is the module that it wraps.
pub fn device_ids(rw: &mut Rewrite, module: ModuleId, inner: &str) -> String {
    if !has_data_parallel(rw) {
        return String::new();
    }
    let torch = rw.import_alias(module, "torch").unwrap_or_else(|| {
        rw.add_import(module, "import torch");
        "torch".to_owned()
    });
    let is_name = inner.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let on_gpu =
        if is_name { format!("next({inner}.parameters()).is_cuda") } else { format!("{torch}.cuda.is_available()") };
    format!(", device_ids=[{torch}.cuda.current_device()] if {on_gpu} else None")
}

/// Whether a loop calls modules with inputs that only a wrapped module would move to the GPU.
pub fn leaves_inputs_behind(rw: &Rewrite, module: ModuleId, l: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    has_data_parallel(rw)
        && !exprs_in(tree, l)
            .any(|e| rw.trace.called_method((module, e)).is_some_and(|(_, method)| matches!(method, "to" | "cuda")))
}
