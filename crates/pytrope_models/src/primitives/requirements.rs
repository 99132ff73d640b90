//! `require`, `proved`, `refuted`, `warn`: the hinge between models and findings.

use pytrope_diagnostics::find_rule;
use pytrope_dims::ThreeValued;
use pytrope_eval::{CallArgs, Cond, Flow, Interp, RequireEvent, Value};
use pytrope_source::Span;

fn condition_verdict(interp: &mut Interp<'_>, args: &CallArgs) -> ThreeValued<Cond> {
    let Some(cond) = args.first() else { return ThreeValued::opaque() };
    let (tri, _) = interp.capture_raises(|interp| interp.truth_of(cond));
    tri.unwrap_or(ThreeValued::opaque())
}

/// `proved(cond)`: always decided; does not fork.
pub(super) fn proved(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(Value::Bool(condition_verdict(interp, args) == ThreeValued::True))
}

/// `refuted(cond)`: always decided; does not fork.
pub(super) fn refuted(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    Ok(Value::Bool(condition_verdict(interp, args) == ThreeValued::False))
}

/// The id of the rule that a model names, by id or code. A model that names none of ours is wrong, and its findings are those of
/// the most general rule.
fn named_rule(interp: &mut Interp<'_>, name: Option<&str>) -> &'static str {
    const GENERAL: &str = "shape-argument";
    let Some(name) = name else { return GENERAL };
    if let Some(rule) = find_rule(name) {
        return rule.id;
    }
    interp.model_bug(&format!("there is no rule `{name}`"));
    GENERAL
}

/// `require(cond, ExceptionClass, message, rule="shape-argument", help=None)`.
pub(super) fn require(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let outcome = condition_verdict(interp, args);
    let class = args.get(1, "error").and_then(Value::addr);
    let class_name = class
        .and_then(|addr| interp.class_at(addr))
        .map_or_else(|| "ValueError".to_owned(), |class| class.name.to_string());
    let message = match args.get(2, "message") {
        Some(Value::Str(text)) => text.to_string(),
        Some(other) => interp.show_value(other),
        None => "the library does not accept these arguments".to_owned(),
    };
    let rule = named_rule(interp, args.get(3, "rule").and_then(Value::as_str));
    let (truth, cond) = match &outcome {
        ThreeValued::True => (ThreeValued::True, Cond::Opaque),
        ThreeValued::False => (ThreeValued::False, Cond::Opaque),
        ThreeValued::Open(cond) => (ThreeValued::Open(()), cond.clone()),
    };
    if let Some(mut observer) = interp.report.observer.take() {
        let span = interp.user_span();
        let certain = interp.is_certain();
        observer.on_require(&RequireEvent {
            span,
            condition: &cond,
            rule,
            verdict: truth,
            exception: &class_name,
            message: &message,
            certain,
        });
        interp.report.observer = Some(observer);
    }
    let help = args.keyword("help").and_then(Value::as_str).map(str::to_owned);
    match outcome {
        ThreeValued::True => Ok(Value::None),
        ThreeValued::False => {
            let mut finding = interp.new_finding(rule, message).raises(class_name);
            if let Some(help) = help {
                finding = finding.help(help);
            }
            if let Some((place, label)) = place_within(interp, args) {
                finding = finding.related(place, label);
            }
            interp.fail_class(class, finding)
        }
        ThreeValued::Open(cond) => {
            interp.leave_requirement_open(class);
            if interp.reports_possible(class) {
                let refuted = interp.new_finding(rule, message.clone()).raises(class_name.clone());
                interp.report_possible(&cond, refuted);
            }
            if cond != Cond::Opaque && !interp.assume_condition(&cond) {
                // The requirement contradicts what is known, though it could not be refuted directly.
                let finding = interp.new_finding(rule, message).raises(class_name);
                return interp.fail_class(class, finding);
            }
            Ok(Value::None)
        }
    }
}

/// `within=(text, start, end, label)`: a part of a text that the call is given, and what to say of it.
fn place_within(interp: &mut Interp<'_>, args: &CallArgs) -> Option<(Span, String)> {
    let said = interp.exact_items(args.keyword("within")?)?;
    let [text, Value::Int(start), Value::Int(end), label] = said.as_slice() else { return None };
    let (start, end) = (usize::try_from(*start).ok()?, usize::try_from(*end).ok()?);
    let place = super::patterns::place_in_call(interp, text.as_str()?, start, end)?;
    Some((place, label.as_str().map_or_else(|| interp.show_value(label), str::to_owned)))
}

/// `warn(rule, message, help=None)`: suspicious though it runs.
pub(super) fn warn(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let (Some(rule), Some(message)) = (args.get(0, "rule").and_then(Value::as_str), args.get(1, "message")) {
        let message = match message {
            Value::Str(text) => text.to_string(),
            other => interp.show_value(other),
        };
        let rule = named_rule(interp, Some(rule));
        let finding = interp.new_finding(rule, message);
        let help = args.keyword("help").and_then(Value::as_str);
        interp.report_or_hold(match help {
            Some(help) => finding.help(help),
            None => finding,
        });
    }
    Ok(Value::None)
}
