//! Optimizers that decide on the loss: what their closure returns is the ranks' mean, so that all decide alike.
//!
//! ```python
//! def closure():                       # def closure():
//!     loss.backward()                  #     loss.backward()
//!     return loss                      #     return sum_over_ranks(loss.detach()) / dist.get_world_size()
//! optimizer.step(closure)              # optimizer.step(closure)
//! ```

use pytrope_source::tree::ExprKind;

use super::loaders::sum_over_ranks;
use crate::identify::roots_call;
use crate::rewrite::Rewrite;
use crate::trace::argument_of;

pub fn agree_on_losses(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let Some((receiver, "step")) = rw.trace.called_method((module, call)) else { continue };
            let closure = argument_of(tree, call, "closure", 0);
            // A class that is chosen by name may be LBFGS where it is given a closure.
            let decides =
                |api: &str| api.rsplit('.').next() == Some("LBFGS") || api == "torch.optim.?" && closure.is_some();
            if !roots_call(rw.trace, (module, receiver), &decides) {
                continue;
            }
            let def = closure.and_then(|closure| rw.trace.callable_definition((module, closure), false));
            let values = def.map_or_else(Vec::new, |def| rw.trace.returned_values(def));
            let Some(def) = def.filter(|_| !values.is_empty()) else {
                let message = "this optimizer decides on the loss of its closure, which cannot be followed";
                let help = "define the closure in the function that takes the step";
                rw.refuse_at("untraceable-model", module, tree[call].range, message, help);
                continue;
            };
            for value in values {
                if !rw.done.insert((def.0, value)) {
                    continue;
                }
                let t = rw.trace.tree(def.0);
                let plain = matches!(t[value].kind, ExprKind::Name { .. } | ExprKind::Call { .. });
                let (function, size) = (sum_over_ranks(rw, def.0), rw.size_text(def.0));
                let (before, after) = if plain { ("", "") } else { ("(", ")") };
                rw.wrap_text((def.0, value), &format!("{function}({before}"), &format!("{after}.detach()) / {size}"));
                rw.log_change("same-decision", def.0, t[value].range, "all ranks decide on the ranks' mean loss");
            }
        }
    }
}
