//! Learning rate: the global batch grows with the ranks, and the rate with it.
//!
//! ```python
//! Adam(0.001)                          # Adam(0.001 * hvd.size())
//! Adam()                               # Adam(learning_rate=0.001 * hvd.size())
//! ExponentialDecay(0.1, 1000, 0.9)     # ExponentialDecay(0.1 * hvd.size(), 1000 // hvd.size(), 0.9)
//! ```

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::tree::ExprKind;

use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of, call_arguments, keyword_argument};

const RULE: &str = "scale-learning-rate";

/// The rate that an optimizer has when none is given.
pub fn default_rate(class: &str) -> &'static str {
    match class {
        "SGD" | "GradientDescentOptimizer" => "0.01",
        "Lion" => "0.0001",
        "AdagradOptimizer" => "0.05",
        _ => "0.001",
    }
}

pub fn scale_rates(rw: &mut Rewrite) {
    for optimizer in rw.training.optimizers.clone() {
        scale_optimizer(rw, optimizer);
    }
    one_parameter_schedulers(rw);
}

fn scale_optimizer(rw: &mut Rewrite, optimizer: ExprPlace) {
    let (module, call) = optimizer;
    let tree = rw.trace.tree(module);
    let Some(api) = rw.trace.called_api(optimizer) else { return };
    let class = api.rsplit('.').next().unwrap_or_default().to_owned();
    let given = argument_of(tree, call, "learning_rate", 0)
        .or_else(|| call_arguments(tree, call).and_then(|a| keyword_argument(tree, a, "lr")));
    match given {
        Some(rate) => scale_rate(rw, (module, rate)),
        None if call_arguments(tree, call).is_some_and(|a| tree[a.keywords].iter().any(|k| k.name.is_none())) => {
            let range = rw.range(optimizer);
            rw.refuse_at(
                "untraceable-optimizer",
                module,
                range,
                "the optimizer's arguments come from a mapping, so its learning rate cannot be scaled",
                "name the learning rate at the call",
            );
        }
        None => {
            let size = rw.size_text(module);
            rw.add_argument(optimizer, &format!("learning_rate={} * {size}", default_rate(&class)));
            let range = rw.range(optimizer);
            rw.log_change(
                RULE,
                module,
                range,
                format!("the default rate of `{class}` is multiplied by the number of ranks"),
            );
        }
    }
}

fn scale_rate(rw: &mut Rewrite, rate: ExprPlace) {
    let roots = rw.trace.value_roots(rate);
    let mut elsewhere = false;
    for root in &roots {
        let at = (root.module, root.expr);
        let tree = rw.trace.tree(at.0);
        let api = rw.trace.called_api(at).unwrap_or_default();
        let name = match tree[at.1].kind {
            ExprKind::Call { function, .. } => rw.text((at.0, function)).rsplit('.').next().unwrap_or_default(),
            _ => "",
        };
        let known = api.starts_with("tf.keras.optimizers.schedules.") || api.starts_with("tf.keras.experimental.");
        if known || api == "tf.Variable" {
            elsewhere = true;
            scale_schedule(rw, at, &api);
        } else if rw.trace.project_callee(at).is_some()
            || (!api.starts_with("tf.train.") && ["Schedule", "Decay", "LR"].iter().any(|word| name.contains(word)))
        {
            // A schedule of the project's own or of another library: its formula is the author's to scale.
            elsewhere = true;
            let span = rw.span(at.0, tree[at.1].range);
            let message = "the formula of this schedule is not known, and its rate is left as it is";
            rw.notes.push(Finding::new(rule_by_id("unscaled-rate"), span, message));
        } else if matches!(
            api.as_str(),
            "tf.train.exponential_decay" | "tf.train.polynomial_decay" | "tf.train.cosine_decay"
        ) && let Some(steps) = argument_of(tree, at.1, "decay_steps", 2)
        {
            rw.divide_number(RULE, (at.0, steps));
        }
    }
    if !elsewhere {
        multiply_rate(rw, rate);
    }
}

fn multiply_rate(rw: &mut Rewrite, rate: ExprPlace) {
    if !rw.done.insert(rate) {
        return;
    }
    let size = rw.size_text(rate.0);
    rw.append_operator(rate, &format!(" * {size}"));
    let range = rw.range(rate);
    rw.log_change(RULE, rate.0, range, format!("`{}` is multiplied by the number of ranks", rw.text(rate)));
}

fn scale_schedule(rw: &mut Rewrite, at: ExprPlace, api: &str) {
    let tree = rw.trace.tree(at.0);
    let class = api.rsplit('.').next().unwrap_or_default();
    if class == "PiecewiseConstantDecay" {
        if let Some(boundaries) = argument_of(tree, at.1, "boundaries", 0) {
            scale_elements(rw, (at.0, boundaries), true);
        }
        if let Some(values) = argument_of(tree, at.1, "values", 1) {
            scale_elements(rw, (at.0, values), false);
        }
        return;
    }
    let (name, place) = if class == "Variable" { ("initial_value", 0) } else { ("initial_learning_rate", 0) };
    if let Some(initial) = argument_of(tree, at.1, name, place) {
        multiply_rate(rw, (at.0, initial));
    }
    let steps = match class {
        "CosineDecayRestarts" => argument_of(tree, at.1, "first_decay_steps", 1),
        "ExponentialDecay" | "PolynomialDecay" | "InverseTimeDecay" | "CosineDecay" => {
            argument_of(tree, at.1, "decay_steps", 1)
        }
        _ => None,
    };
    if let Some(steps) = steps {
        rw.divide_number(RULE, (at.0, steps));
    }
    if class == "PolynomialDecay"
        && let Some(end) = argument_of(tree, at.1, "end_learning_rate", 2)
    {
        multiply_rate(rw, (at.0, end));
    }
}

/// Scale each number of a list: boundaries go down, values go up.
fn scale_elements(rw: &mut Rewrite, list: ExprPlace, down: bool) {
    let tree = rw.trace.tree(list.0);
    if let ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } = tree[list.1].kind {
        for &element in &tree[elements] {
            if down {
                rw.divide_number(RULE, (list.0, element));
            } else {
                multiply_rate(rw, (list.0, element));
            }
        }
        return;
    }
    let size = rw.size_text(list.0);
    let name = rw.edits[list.0].fresh_name("value");
    let operator = if down { "//" } else { "*" };
    rw.wrap_text(list, &format!("[{name} {operator} {size} for {name} in "), "]");
    let range = rw.range(list);
    rw.log_change(RULE, list.0, range, "the schedule's list is scaled by the number of ranks");
}

/// `LearningRateScheduler(f)` sets an absolute rate when `f` takes only the epoch.
fn one_parameter_schedulers(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let is_scheduler = rw
                .trace
                .called_api((module, call))
                .is_some_and(|api| api == "tf.keras.callbacks.LearningRateScheduler");
            if !is_scheduler {
                continue;
            }
            let Some(schedule) = argument_of(tree, call, "schedule", 0) else { continue };
            let one = match tree[schedule].kind {
                ExprKind::Lambda { parameters, .. } => {
                    crate::index::parameter_names(tree, &tree[parameters]).len() == 1
                }
                _ => rw.trace.callable_definition((module, schedule), false).is_some_and(|(m, def)| {
                    match rw.trace.tree(m)[def].kind {
                        pytrope_source::tree::StmtKind::FunctionDef(f) => {
                            crate::index::parameter_names(rw.trace.tree(m), &f.parameters).len() == 1
                        }
                        _ => false,
                    }
                }),
            };
            if !one {
                continue;
            }
            let size = rw.size_text(module);
            let text = rw.text((module, schedule)).to_owned();
            let function =
                if matches!(tree[schedule].kind, ExprKind::Lambda { .. }) { format!("({text})") } else { text };
            let range = tree[schedule].range;
            rw.edits[module].replace_range(range, format!("lambda epoch: {function}(epoch) * {size}"));
            rw.log_change(RULE, module, range, "the scheduler's rate is multiplied by the number of ranks");
        }
    }
}
