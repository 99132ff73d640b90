//! A loss that is divided by the weights of its samples, or by the number of those that count: a rank would divide by those of its
//! own. It is multiplied by the rank's share of them, so that the mean over the ranks is the loss of the whole batch.
//!
//! ```python
//! criterion = nn.CrossEntropyLoss(weight=weights)
//! loss = criterion(model(x), y)
//! # weight = float(criterion.weight[y].sum())
//! # share = weight * dist.get_world_size() / sum_over_ranks(weight)  # of the weights of all ranks
//! # loss = criterion(model(x), y) * share
//! ```

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use super::sum_over_ranks;
use crate::data::keyword_of;
use crate::index::exprs_in;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

const RULE: &str = "weighted-loss";

/// What a loss divides by, besides the number of its samples.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Divisor {
    weights: bool,
    ignored: bool,
}

/// Weights the losses of training loops by the rank's share.
pub fn weight_losses(rw: &mut Rewrite, loops: &[(ModuleId, StmtId)]) {
    for &(module, l) in loops {
        let calls: Vec<ExprId> = exprs_in(rw.trace.tree(module), l).collect();
        for call in calls {
            if let Some(weight) = weight_text(rw, (module, call))
                && rw.done.insert((module, call))
            {
                weight_loss(rw, module, call, &weight);
            }
        }
    }
}

fn weight_loss(rw: &mut Rewrite, module: ModuleId, call: ExprId, weight: &str) {
    let tree = rw.trace.tree(module);
    let Some(stmt) = tree.stmt_of(call) else { return };
    let StmtKind::Assign { value, .. } = tree[stmt].kind else { return };
    let (function, size) = (sum_over_ranks(rw, module), rw.size_text(module));
    let name = rw.edits[module].fresh_name("weight");
    let share = rw.edits[module].fresh_name("share");
    let lines = format!(
        "{name} = float({weight})\n{share} = {name} * {size} / {function}({name})  # of the weights of all ranks"
    );
    rw.edits[module].insert_before(stmt, &lines);
    let (open, close) = if value == call { ("", "") } else { ("(", ")") };
    rw.wrap_text((module, call), open, &format!(" * {share}{close}"));
    let range = tree[call].range;
    rw.log_change(RULE, module, range, "the loss is weighted by the rank's share of the batch's weights");
}

/// The sum of the weights of the samples that a loss is given, where it divides by it.
fn weight_text(rw: &Rewrite, place: ExprPlace) -> Option<String> {
    let (module, call) = place;
    let tree = rw.trace.tree(module);
    let ExprKind::Call { function, .. } = tree[call].kind else { return None };
    let target = argument_of(tree, call, "target", 1).filter(|&target| is_repeatable(rw, (module, target)))?;
    let target = rw.text((module, target));
    let api = rw.trace.called_api(place).unwrap_or_default();
    let (divisor, weights, ignored) = if is_class_loss(&api) && api.starts_with("torch.nn.functional.") {
        let text = |name| keyword_of(rw.trace, place, name).map(|e| rw.text((module, e)).to_owned());
        (divisor_of(rw, place)?, text("weight"), text("ignore_index").or_else(|| Some("-100".to_owned())))
    } else {
        let criterion = rw.text((module, function));
        tree.dotted(function)?;
        let roots = rw.trace.value_roots((module, function));
        let mut divisors = roots.iter().map(|root| {
            let place = (root.module, root.expr);
            rw.trace.called_api(place).filter(|api| is_class_loss(api)).and_then(|_| divisor_of(rw, place))
        });
        let first = divisors.next()??;
        if !divisors.all(|divisor| divisor == Some(first)) {
            return None;
        }
        (first, Some(format!("{criterion}.weight")), Some(format!("{criterion}.ignore_index")))
    };
    let counted = match ignored.filter(|_| divisor.ignored) {
        Some(ignored) => format!("{target} != {ignored}"),
        None => String::new(),
    };
    Some(match weights.filter(|_| divisor.weights) {
        Some(weights) if counted.is_empty() => format!("{weights}[{target}].sum()"),
        Some(weights) => format!("{weights}[{target}[{counted}]].sum()"),
        None => format!("({counted}).sum()"),
    })
}

fn is_class_loss(api: &str) -> bool {
    matches!(
        api,
        "torch.nn.CrossEntropyLoss"
            | "torch.nn.NLLLoss"
            | "torch.nn.functional.cross_entropy"
            | "torch.nn.functional.nll_loss"
    )
}

/// What a call that makes or computes a loss says of its divisor; `None` where it is the number of samples, or the loss is no mean.
fn divisor_of(rw: &Rewrite, place: ExprPlace) -> Option<Divisor> {
    let tree = rw.trace.tree(place.0);
    let given = |name| keyword_of(rw.trace, place, name).filter(|&e| !matches!(tree[e].kind, ExprKind::None));
    if given("reduction").is_some_and(|e| !matches!(tree[e].kind, ExprKind::Str(text) if tree.text(text) == "mean")) {
        return None;
    }
    let ignored = given("ignore_index").is_some() || crate::trace::writes_ignored_label(rw.trace);
    let divisor = Divisor { weights: given("weight").is_some(), ignored };
    (divisor.weights || divisor.ignored).then_some(divisor)
}

/// Whether an expression may be computed twice: a name, or a view of one.
fn is_repeatable(rw: &Rewrite, (module, expr): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    tree.dotted(expr).is_some()
        || rw.trace.called_method((module, expr)).is_some_and(|(receiver, method)| {
            matches!(method, "view" | "reshape" | "flatten" | "contiguous" | "long" | "to" | "squeeze")
                && is_repeatable(rw, (module, receiver))
        })
}
