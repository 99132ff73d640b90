//! FSDP2: `fully_shard` divides parameters, gradients and optimizer states among the ranks.
//!
//! ```python
//! optimizer = AdamW(model.parameters())   # for block in model.blocks:
//!                                         #     fully_shard(block, mesh=mesh)
//!                                         # fully_shard(model, mesh=mesh)
//!                                         # optimizer = AdamW(model.parameters())
//! torch.save(model.state_dict(), "m.pt")  # result = state.get_model_state_dict(model, options=…)   # on every rank
//! ```
//!
//! A forward pass gathers parameters, so every rank must run every forward pass: evaluation is not divided, and no module is
//! called on rank 0 alone.

mod blocks;

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use crate::index::{exprs_in, parent_expr};
use crate::rewrite::Rewrite;
use crate::rules::ddp::{Wrapped, is_wrapped};
use crate::trace::{ExprPlace, argument_of};

const RULE: &str = "shard-module";
const OPTIMIZERS: &[&str] =
    &["SGD", "Adam", "AdamW", "RMSprop", "Adagrad", "Adamax", "NAdam", "RAdam", "Adadelta", "getattr"];

/// What divides a module among the ranks: all start from rank 0's weights, repeated blocks are gathered one by one.
pub fn sharding_lines(rw: &mut Rewrite, at: ExprPlace, name: &str) -> String {
    let module = at.0;
    let engine = rw.engine_name(module);
    let size = rw.size_text(module);
    rw.add_import(module, "from torch.distributed.device_mesh import init_device_mesh");
    let tensor = rw.edits[module].fresh_name("tensor");
    let mesh = rw.edits[module].fresh_name("mesh");
    let mut lines = vec![
        format!("for {tensor} in {name}.state_dict().values():  # all ranks start from rank 0's weights"),
        format!("    {engine}.broadcast({tensor}, src=0)"),
        format!("{mesh} = init_device_mesh(next({name}.parameters()).device.type, ({size},))"),
    ];
    rw.add_import(module, "from torch.distributed.fsdp import fully_shard");
    // Without a precision of its own: what autocast computes in float32 (norms, sums, losses) needs its parameters so.
    let options = format!("mesh={mesh}");
    for path in blocks::repeated_blocks(rw, at) {
        let block = rw.edits[module].fresh_name("block");
        lines.push(format!("for {block} in {name}.{path}:"));
        lines.push(format!("    fully_shard({block}, {options})"));
    }
    lines.push(format!("fully_shard({name}, {options})"));
    lines.join("\n")
}

/// An attribute of a sharded module: its parameters are parts here, and its methods gather nothing.
pub fn rewrite_attribute(rw: &mut Rewrite, place: ExprPlace, name: &str, trains_through: bool) {
    if trains_through && !matches!(name, "state_dict" | "load_state_dict") {
        let range = rw.range(place);
        rw.refuse_at(
            "untraceable-model",
            place.0,
            range,
            format!(
                "the module is trained through `{name}`, and `fully_shard` gathers parameters in its forward pass only"
            ),
            "compute the loss from a call of the module itself",
        );
    }
}

/// A sharded module can be neither pickled nor copied whole.
pub fn refuse_whole(rw: &mut Rewrite, place: ExprPlace) {
    let range = rw.range(place);
    rw.refuse_at(
        "untraceable-model",
        place.0,
        range,
        "a whole module is saved or copied, and each rank has only its part of it",
        "save and copy `model.state_dict()`",
    );
}

/// State dictionaries are gathered when saved and divided when loaded; what else reads parameters is refused.
pub fn rewrite_states(rw: &mut Rewrite, wrapped: &[Wrapped]) {
    known_optimizers(rw);
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let Some((receiver, method)) = rw.trace.called_method((module, call)) else { continue };
            let receiver = behind_data_parallel(rw, wrapped, (module, receiver));
            let of_model = is_wrapped(rw, wrapped, (module, receiver), 6);
            let of_optimizer = !of_model && is_optimizer(rw, (module, receiver));
            match method {
                "state_dict" | "load_state_dict" if of_model || of_optimizer => {
                    rewrite_state(rw, wrapped, (module, call), of_optimizer);
                }
                "parameters" | "named_parameters" if of_model => clip_sharded(rw, (module, call)),
                _ => {}
            }
        }
    }
}

/// `net` for `net.module`, which DataParallel had.
fn behind_data_parallel(rw: &Rewrite, wrapped: &[Wrapped], (module, receiver): ExprPlace) -> ExprId {
    let tree = rw.trace.tree(module);
    match tree[receiver].kind {
        ExprKind::Attribute { value, attribute, .. }
            if tree.text(attribute.name) == "module" && is_wrapped(rw, wrapped, (module, value), 6) =>
        {
            value
        }
        _ => receiver,
    }
}

fn is_optimizer(rw: &Rewrite, place: ExprPlace) -> bool {
    rw.trace.value_roots(place).iter().any(|root| rw.training.optimizers.contains(&(root.module, root.expr)))
}

fn known_optimizers(rw: &mut Rewrite) {
    for optimizer in rw.training.optimizers.clone() {
        let api = rw.trace.called_api(optimizer).unwrap_or_default();
        let name = api.rsplit('.').next().unwrap_or_default();
        if !OPTIMIZERS.contains(&name) {
            let range = rw.range(optimizer);
            let message = format!("`{name}` may need more of a parameter than the part that a rank has");
            rw.refuse_at(
                "wrong-engine",
                optimizer.0,
                range,
                message,
                "use `--to ddp`, or an optimizer of `torch.optim` that works on single elements",
            );
        }
    }
}

/// `model.state_dict()` is the whole model's, on rank 0; `load_state_dict` is given rank 0's.
fn rewrite_state(rw: &mut Rewrite, wrapped: &[Wrapped], (module, call): ExprPlace, of_optimizer: bool) {
    let tree = rw.trace.tree(module);
    let Some((receiver, method)) = rw.trace.called_method((module, call)) else { return };
    let receiver = behind_data_parallel(rw, wrapped, (module, receiver));
    let range = tree[call].range;
    let text = rw.text((module, receiver)).to_owned();
    let is_read = parent_expr(tree, call).is_some_and(|parent| matches!(tree[parent].kind, ExprKind::Attribute { .. }));
    if is_read {
        let message = "a state is read here, and only rank 0 has the whole of it";
        rw.refuse_at("untraceable-model", module, range, message, "use `--to ddp`");
        return;
    }
    let subject = if of_optimizer {
        let Some(model) = model_in_sight(rw, wrapped, (module, call)) else {
            let message = "the state of a sharded optimizer is gathered with its module, which has no name here";
            rw.refuse_at("untraceable-model", module, range, message, "save the optimizer where the module has a name");
            return;
        };
        format!("{model}, {text}")
    } else {
        text
    };
    let of = if of_optimizer { "optimizer" } else { "model" };
    let states = rw.free_everywhere("full_state");
    rw.add_import(module, &format!("import torch.distributed.checkpoint.state_dict as {states}"));
    rw.engine_name(module);
    if method == "state_dict" {
        let options = format!("{states}.StateDictOptions(full_state_dict=True, cpu_offload=True)");
        rw.edits[module].replace_range(range, format!("{states}.get_{of}_state_dict({subject}, options={options})"));
        rw.log_change(RULE, module, range, "the whole state is gathered on rank 0");
        return;
    }
    let Some(given) = argument_of(tree, call, "state_dict", 0) else { return };
    if let Some(stmt) = tree.stmt_of(call).filter(|_| !of_optimizer) {
        // A forward pass without a backward pass, as in evaluation, leaves the root's parameters whole.
        rw.edits[module].insert_before(stmt, &format!("{subject}.reshard()"));
    }
    let options = format!("{states}.StateDictOptions(full_state_dict=True, broadcast_from_rank0=True)");
    let opening = pytrope_source::TextRange::new(range.start, tree[given].range.start);
    rw.edits[module].replace_range(opening, format!("{states}.set_{of}_state_dict({subject}, "));
    let closing = pytrope_source::TextRange::new(tree[given].range.end, range.end);
    rw.edits[module].replace_range(closing, format!(", options={options})"));
    rw.log_change(RULE, module, range, "each rank takes its part of the state that rank 0 has");
}

/// The one sharded module that a name means at a place.
fn model_in_sight(rw: &Rewrite, wrapped: &[Wrapped], (module, at): ExprPlace) -> Option<String> {
    let tree = rw.trace.tree(module);
    let scope = crate::index::expr_scope(tree, at);
    let mut names: Vec<&str> = Vec::new();
    for e in tree.expr_ids() {
        let near = crate::index::expr_scope(tree, e) == scope;
        if near && is_wrapped(rw, wrapped, (module, e), 6) && !names.contains(&rw.text((module, e))) {
            names.push(rw.text((module, e)));
        }
    }
    match names[..] {
        [name] => Some(name.to_owned()),
        _ => None,
    }
}

/// Parameters may be counted, clipped and given to optimizers; other code would see the rank's part of them.
fn clip_sharded(rw: &mut Rewrite, (module, call): ExprPlace) {
    let tree = rw.trace.tree(module);
    let mut outer = call;
    let mut is_known = false;
    while let Some(parent) = parent_expr(tree, outer) {
        let api = rw.trace.called_api((module, parent)).unwrap_or_default();
        if api.contains("clip_grad_") {
            is_known = true;
            let is_statement = tree
                .stmt_of(parent)
                .is_some_and(|s| matches!(tree[s].kind, StmtKind::Expr { value } if value == parent));
            if !is_statement && api.ends_with("norm_") && rw.done.insert((module, parent)) {
                rw.wrap_text((module, parent), "", ".full_tensor()");
            }
        }
        is_known |= rw.training.optimizers.contains(&(module, parent)) || api == "builtins.next";
        outer = parent;
    }
    is_known |=
        tree.descendants(Node::Expr(outer)).any(|node| matches!(node, Node::Expr(e) if reads_size(rw, (module, e))));
    let is_given = rw.training.optimizers.iter().any(|&(m, optimizer)| {
        argument_of(rw.trace.tree(m), optimizer, "params", 0).is_some_and(|params| {
            rw.trace
                .value_roots((m, params))
                .iter()
                .any(|root| root.module == module && tree[root.expr].range.contains_range(tree[call].range))
        })
    });
    if !is_known && !is_given {
        let range = tree[call].range;
        rw.refuse_at(
            "untraceable-model",
            module,
            range,
            "parameters are read here, and each rank has only its part of them",
            "use `--to ddp`",
        );
    }
}

fn reads_size(rw: &Rewrite, (module, e): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    matches!(tree[e].kind, ExprKind::Attribute { attribute, .. }
        if matches!(tree.text(attribute.name), "numel" | "nelement" | "requires_grad" | "device" | "dtype"))
}

/// No module is called in a statement that only rank 0 runs.
pub fn refuse_guarded_calls(rw: &mut Rewrite, wrapped: &[Wrapped]) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        let guarded: Vec<_> = rw.guarded[module].iter().copied().collect();
        let mut calls: Vec<ExprId> = guarded
            .iter()
            .flat_map(|&stmt| exprs_in(tree, stmt))
            .filter(|&e| matches!(tree[e].kind, ExprKind::Call { function, .. } if is_wrapped(rw, wrapped, (module, function), 6)))
            .collect();
        calls.sort();
        for call in calls {
            let range = tree[call].range;
            let message = "only rank 0 would run this forward pass, and the others have parts of the parameters";
            rw.refuse_at("untraceable-model", module, range, message, "compute it before, in a statement of its own");
        }
    }
}
