//! Accelerate: one `Accelerator` prepares module, optimizer and training loader, and runs the backward pass.
//!
//! ```python
//! loader = DataLoader(data, batch_size=64)   # loader = accelerator.prepare(DataLoader(data, batch_size=64 // …))
//! optimizer = SGD(model.parameters())        # model = accelerator.prepare(model)
//!                                            # optimizer = accelerator.prepare(SGD(model.parameters()))
//! loss.backward()                            # accelerator.backward(loss)
//! ```

use pytrope_source::TextRange;
use pytrope_source::tree::ExprKind;

use crate::rewrite::Rewrite;
use crate::rules::ddp::place_start;
use crate::rules::prelude::{self, PreludeFacts};
use crate::trace::{ExprPlace, call_arguments};

pub fn start_accelerator(rw: &mut Rewrite, facts: &PreludeFacts) {
    let start = format!("{} = {}", rw.engine, accelerator_call(rw));
    let imports = prelude::entry_imports(rw, facts);
    place_start(rw, facts, &imports, &start);
    rw.log_change(
        "initialise",
        0,
        TextRange::at(0),
        "the Accelerator starts the ranks from the launcher's environment",
    );
}

/// Whether a script keeps everything on the CPU: it stays there, on machines with GPUs too.
pub fn stays_on_cpu(rw: &Rewrite) -> bool {
    !(0..rw.project.modules.len()).any(|module| {
        rw.trace.tree(module).expr_ids().any(|e| {
            rw.trace.called_method((module, e)).is_some_and(|(_, method)| matches!(method, "to" | "cuda"))
                || rw.trace.called_api((module, e)).is_some_and(|api| api == "torch.set_default_device")
        })
    })
}

/// The constructor of the Accelerator with its options.
pub fn accelerator_call(rw: &Rewrite) -> String {
    let mut given: Vec<String> = Vec::new();
    if stays_on_cpu(rw) {
        given.push("cpu=True".to_owned());
    }
    // Accelerate wraps the module itself, with the options that DistributedDataParallel would be given.
    if !rw.wrapper_options.is_empty() {
        given.push(format!("kwargs_handlers=[{HANDLER}({})]", rw.wrapper_options.join(", ")));
    }
    format!("Accelerator({})", given.join(", "))
}

const HANDLER: &str = "DistributedDataParallelKwargs";

/// What a module imports that makes the Accelerator.
pub fn import_line(rw: &Rewrite) -> String {
    let handler = if rw.wrapper_options.is_empty() { String::new() } else { format!(", {HANDLER}") };
    format!("from accelerate import Accelerator{handler}")
}

/// `loss.backward()` goes through the Accelerator, and optimizers are prepared; a script with a `GradScaler` keeps both.
pub fn rewrite_backward(rw: &mut Rewrite) {
    let scales = (0..rw.project.modules.len()).any(|module| {
        rw.trace
            .tree(module)
            .expr_ids()
            .any(|e| rw.trace.called_api((module, e)).is_some_and(|api| api.ends_with("amp.GradScaler")))
    });
    if scales {
        for loss in rw.summed_losses.clone() {
            let size = rw.size_text(loss.0);
            rw.wrap_text(loss, "(", &format!(" * {size})"));
        }
        return;
    }
    for step in rw.training.steps.clone() {
        let (module, call) = step;
        let tree = rw.trace.tree(module);
        let (Some((receiver, "backward")), Some(given)) = (rw.trace.called_method(step), call_arguments(tree, call))
        else {
            continue;
        };
        let engine = rw.engine_name(module);
        let loss = tree[receiver].range;
        let has_more = !tree[given.positional].is_empty() || !tree[given.keywords].is_empty();
        rw.edits[module].insert(loss.start, format!("{engine}.backward("));
        let opening = TextRange::new(loss.end, given.range.start + 1);
        let mut more = String::new();
        if rw.summed_losses.contains(&(module, receiver)) {
            more = format!(" * {}", rw.size_text(module));
        }
        more.push_str(if has_more { ", " } else { "" });
        rw.edits[module].replace_range(opening, more);
        rw.log_change("accelerate-backward", module, tree[call].range, "the Accelerator runs the backward pass");
    }
    if steps_by_closure(rw) {
        return;
    }
    for optimizer in rw.training.optimizers.clone() {
        let (module, call) = optimizer;
        if matches!(rw.trace.tree(module)[call].kind, ExprKind::Call { .. }) {
            prepare_call(rw, optimizer, "the Accelerator steps the optimizer");
        }
    }
}

/// `optimizer.step(closure)`: a prepared optimizer would not give back the closure's loss.
pub fn steps_by_closure(rw: &Rewrite) -> bool {
    (0..rw.project.modules.len()).any(|module| {
        let tree = rw.trace.tree(module);
        tree.expr_ids().any(|e| {
            rw.trace.called_method((module, e)).is_some_and(|(receiver, method)| {
                method == "step"
                    && call_arguments(tree, e)
                        .is_some_and(|given| !given.positional.is_empty() || !given.keywords.is_empty())
                    && rw
                        .trace
                        .value_roots((module, receiver))
                        .iter()
                        .any(|root| rw.training.optimizers.contains(&(root.module, root.expr)))
            })
        })
    })
}

/// A training loader gives each rank its own samples.
pub fn prepare_call(rw: &mut Rewrite, call: ExprPlace, what: &str) {
    let engine = rw.engine_name(call.0);
    rw.wrap_text(call, &format!("{engine}.prepare("), ")");
    let range = rw.range(call);
    rw.log_change("accelerate-prepare", call.0, range, what);
}
