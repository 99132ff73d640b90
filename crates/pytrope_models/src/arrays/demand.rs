//! Requirements of the primitives: proved, refuted with an explanation, or taken as a fact.

use pytrope_diagnostics::Finding;
use pytrope_dims::{Cmp, Constraint, Dim, ThreeValued};
use pytrope_eval::cond::Cond;
use pytrope_eval::interp::{Flow, Interp, RequireEvent};
use pytrope_eval::native::CallArgs;
use pytrope_eval::value::{Addr, Value};
use pytrope_source::Span;

use super::operand_fixes::{OperandEdit, Suggestion, operand_fix};

/// The primitive ends here, with this outcome.
pub(super) struct DemandStop(pub(super) Flow);

/// A computation that a failed requirement cuts short.
pub(super) type DemandStep<T> = Result<T, DemandStop>;

/// What a primitive's computation means to its caller.
pub(super) fn finish_primitive(result: DemandStep<Value>) -> Flow {
    match result {
        Ok(value) => Ok(value),
        Err(DemandStop(outcome)) => outcome,
    }
}

/// The class of the exception that a primitive raises.
#[derive(Clone, Debug)]
pub(super) struct ErrorClass {
    addr: Option<Addr>,
    name: String,
}

impl ErrorClass {
    /// The `error` keyword of a primitive, or a builtin exception.
    pub(super) fn of(interp: &Interp<'_>, args: &CallArgs, default: &str) -> Self {
        let given = args.keyword("error").and_then(Value::addr);
        let named = given.and_then(|addr| interp.class_at(addr).map(|class| (addr, class.name.to_string())));
        match named {
            Some((addr, name)) => Self { addr: Some(addr), name },
            None => Self::builtin_class(interp, default),
        }
    }

    pub(super) fn builtin_class(interp: &Interp<'_>, name: &str) -> Self {
        Self { addr: interp.analysis.program.exception_class(name), name: name.to_owned() }
    }
}

/// How a requirement fails, for people.
pub(super) struct DemandFailure {
    pub(super) rule: &'static str,
    pub(super) message: String,
    pub(super) related: Vec<(Span, String)>,
    pub(super) help: Option<String>,
    pub(super) edit: Option<OperandEdit>,
}

impl DemandFailure {
    pub(super) fn new(rule: &'static str, message: String) -> Self {
        Self { rule, message, related: Vec::new(), help: None, edit: None }
    }

    /// Shows where an operand was made.
    pub(super) fn with_birth(mut self, span: Option<Span>, shape: &str) -> Self {
        if let Some(span) = span {
            self.related.push((span, format!("shape {shape} created here")));
        }
        self
    }

    pub(super) fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Says what would make the operands fit.
    pub(super) fn with_suggestion(mut self, suggestion: Option<Suggestion>) -> Self {
        if let Some(Suggestion { help, edit }) = suggestion {
            self.help = Some(help);
            self.edit = edit;
        }
        self
    }

    fn into_finding(self, interp: &Interp<'_>, class: &ErrorClass) -> Finding {
        let mut finding = interp.new_finding(self.rule, self.message).raises(class.name.clone());
        for (span, message) in self.related {
            // A literal operand is made where the operation is: that says nothing new.
            let inside = span.file.path() == finding.primary.file.path()
                && span.range.start >= finding.primary.range.start
                && span.range.end <= finding.primary.range.end;
            if !inside {
                finding = finding.related(span, message);
            }
        }
        finding.help = self.help;
        finding.fix = self.edit.and_then(|edit| operand_fix(interp, &finding.primary, edit));
        finding
    }
}

/// The operation fails.
pub(super) fn fail_operation<T>(interp: &mut Interp<'_>, class: &ErrorClass, failure: DemandFailure) -> DemandStep<T> {
    let finding = failure.into_finding(interp, class);
    Err(DemandStop(interp.fail_class(class.addr, finding)))
}

/// Requires a condition: nothing if it is proved, a failure if it is refuted, a fact if it is open.
pub(super) fn demand_condition(
    interp: &mut Interp<'_>,
    cond: &Cond,
    class: &ErrorClass,
    failure: impl FnOnce(&Interp<'_>) -> DemandFailure,
) -> DemandStep<()> {
    let verdict = interp.decide_condition(cond);
    if interp.report.is_observed() {
        let failure = failure(interp);
        observe_requirement(interp, cond, &verdict, class, &failure);
        return match verdict {
            ThreeValued::True => Ok(()),
            ThreeValued::False => fail_operation(interp, class, failure),
            ThreeValued::Open(open) => {
                interp.leave_requirement_open(class.addr);
                interp.assume_condition(&open);
                Ok(())
            }
        };
    }
    match verdict {
        ThreeValued::True => Ok(()),
        ThreeValued::False => {
            let failure = failure(interp);
            fail_operation(interp, class, failure)
        }
        ThreeValued::Open(open) => {
            report_doubt(interp, &open, class, failure);
            interp.assume_condition(&open);
            Ok(())
        }
    }
}

/// Reports an open condition where what may fail is asked for.
pub(super) fn report_doubt(
    interp: &mut Interp<'_>,
    open: &Cond,
    class: &ErrorClass,
    failure: impl FnOnce(&Interp<'_>) -> DemandFailure,
) {
    interp.leave_requirement_open(class.addr);
    if interp.reports_possible(class.addr) {
        let refuted = failure(interp).into_finding(interp, class);
        interp.report_possible(open, refuted);
    }
}

/// Tells a client of the interpreter about a requirement.
pub(super) fn observe_requirement(
    interp: &mut Interp<'_>,
    cond: &Cond,
    verdict: &ThreeValued<Cond>,
    class: &ErrorClass,
    failure: &DemandFailure,
) {
    let Some(mut observer) = interp.report.observer.take() else { return };
    let verdict = match verdict {
        ThreeValued::True => ThreeValued::True,
        ThreeValued::False => ThreeValued::False,
        ThreeValued::Open(_) => ThreeValued::Open(()),
    };
    let (span, certain) = (interp.user_span(), interp.is_certain());
    let (rule, exception, message) = (failure.rule, class.name.as_str(), failure.message.as_str());
    observer.on_require(&RequireEvent { span, condition: cond, rule, verdict, exception, message, certain });
    interp.report.observer = Some(observer);
}

/// Requires two sizes to be equal.
pub(super) fn demand_equal(
    interp: &mut Interp<'_>,
    a: &Dim,
    b: &Dim,
    class: &ErrorClass,
    failure: impl FnOnce(&Interp<'_>) -> DemandFailure,
) -> DemandStep<()> {
    if a == b {
        return Ok(());
    }
    demand_condition(interp, &compare_sizes(a, Cmp::Eq, b), class, failure)
}

/// A comparison as a condition.
pub(super) fn compare_sizes(a: &Dim, cmp: Cmp, b: &Dim) -> Cond {
    Constraint::compare(a, cmp, b).map_or(Cond::Opaque, Cond::Atom)
}
