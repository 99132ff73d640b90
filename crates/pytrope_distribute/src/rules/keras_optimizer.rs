//! Keras optimizers in `compile`: they average the gradients before they apply them.
//!
//! ```python
//! model.compile(optimizer="adam")
//! # model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam(learning_rate=0.001 * hvd.size())))
//! ```

use pytrope_source::tree::ExprKind;

use crate::identify::{TrainingPattern, is_keras_model_class, is_optimizer, roots_call};
use crate::rewrite::Rewrite;
use crate::rules::learning_rate::default_rate;
use crate::trace::{ExprPlace, argument_of, call_arguments};

const RULE: &str = "distributed-optimizer";

pub fn distribute_compiled(rw: &mut Rewrite) {
    for compile in rw.training.compiles.clone() {
        let tree = rw.trace.tree(compile.0);
        // A `compile` of the project's own takes what it likes.
        if rw.trace.project_callee(compile).is_some() {
            continue;
        }
        let own = has_own_step(rw, compile);
        match argument_of(tree, compile.1, "optimizer", 0) {
            Some(optimizer) => distribute_given(rw, (compile.0, optimizer), own),
            // With a step of its own a model may well have its optimizers elsewhere.
            None if own => {}
            None => {
                let text = optimizer_text(rw, compile.0, "RMSprop", own);
                rw.add_argument(compile, &format!("optimizer={text}"));
                let range = rw.range(compile);
                rw.log_change(RULE, compile.0, range, "the default optimizer is written out and distributed");
            }
        }
    }
}

/// Whether a model takes its steps by a tape of its own, where a distributed optimizer would not reduce.
fn has_own_step(rw: &Rewrite, (module, compile): ExprPlace) -> bool {
    match rw.training.pattern {
        TrainingPattern::Tape => return true,
        TrainingPattern::TrainStep => {}
        TrainingPattern::Fit
        | TrainingPattern::Session
        | TrainingPattern::Monitored
        | TrainingPattern::Estimator
        | TrainingPattern::Torch => return false,
    }
    let Some((receiver, _)) = rw.trace.called_method((module, compile)) else { return true };
    let own = |def| rw.trace.method_of(def, "train_step", 8).is_some();
    match rw.trace.class_of((module, receiver)) {
        Some(class) => own(class),
        // `super().compile(...)`, or a model from somewhere else.
        None => !roots_call(rw.trace, (module, receiver), &is_keras_model_class),
    }
}

/// `hvd.DistributedOptimizer(keras.optimizers.Adam(learning_rate=0.001 * hvd.size()))`.
fn optimizer_text(rw: &mut Rewrite, module: usize, class: &str, own: bool) -> String {
    let (keras, size) = (rw.keras_namespace(module), rw.size_text(module));
    let made = format!("{keras}.optimizers.{class}(learning_rate={} * {size})", default_rate(class));
    if own { made } else { format!("{}.DistributedOptimizer({made})", rw.keras_engine) }
}

fn distribute_given(rw: &mut Rewrite, optimizer: ExprPlace, own: bool) {
    let (module, expr) = optimizer;
    let tree = rw.trace.tree(module);
    let range = rw.range(optimizer);
    if let ExprKind::Str(name) = tree[expr].kind {
        let Some(class) = class_of_string(tree.text(name)) else {
            rw.refuse_at(
                "untraceable-optimizer",
                module,
                range,
                "no Keras optimizer has this name",
                "give an optimizer object",
            );
            return;
        };
        let text = optimizer_text(rw, module, class, own);
        rw.edits[module].replace_range(range, text);
        rw.log_change(RULE, module, range, format!("the optimizer's name becomes `{class}` with a scaled rate"));
        return;
    }
    if own {
        return;
    }
    let roots = rw.trace.value_roots(optimizer);
    let made: Vec<ExprPlace> = roots
        .iter()
        .map(|r| (r.module, r.expr))
        .filter(|&at| rw.trace.called_api(at).is_some_and(|api| is_optimizer(&api)))
        .collect();
    if made.len() == roots.len() && !made.is_empty() {
        for at in made {
            if call_arguments(rw.trace.tree(at.0), at.1).is_some() && rw.done.insert(at) {
                rw.engine_name(at.0);
                let engine = rw.keras_engine.clone();
                rw.wrap_text(at, &format!("{engine}.DistributedOptimizer("), ")");
                let range = rw.range(at);
                rw.log_change(RULE, at.0, range, "the optimizer averages gradients over the ranks");
            }
        }
        return;
    }
    // A name, a string in a variable or a parameter: Keras itself makes an optimizer of it.
    rw.engine_name(module);
    let (engine, keras) = (rw.keras_engine.clone(), rw.keras_namespace(module));
    rw.wrap_text(optimizer, &format!("{engine}.DistributedOptimizer({keras}.optimizers.get("), "))");
    rw.log_change(RULE, module, range, "the optimizer averages gradients over the ranks");
}

fn class_of_string(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "adam" => "Adam",
        "sgd" => "SGD",
        "rmsprop" => "RMSprop",
        "adagrad" => "Adagrad",
        "adadelta" => "Adadelta",
        "adamax" => "Adamax",
        "nadam" => "Nadam",
        "ftrl" => "Ftrl",
        "adamw" => "AdamW",
        "adafactor" => "Adafactor",
        "lion" => "Lion",
        _ => return None,
    })
}
