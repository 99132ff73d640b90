//! Exceptions: who catches them, and when one becomes a finding.

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_source::SourceFile;

use super::{Flow, HandlerEntryState, Interp, Unreachable};
use crate::effects::Effect;
use crate::state::State;
use crate::value::{Addr, Reason, Value};

/// An exception on its way.
#[derive(Clone)]
pub struct Raised {
    /// Its exact class, if known.
    pub class: Option<Addr>,
    pub value: Value,
    /// What to report if it is not caught; `None` for the program's own `raise`.
    pub finding: Option<Box<Finding>>,
    pub state: State,
}

/// What surrounds the code that runs.
#[derive(Clone)]
pub enum Catcher {
    /// Takes everything, to decide later.
    Capture(Vec<Raised>),
    /// A `try` (or a `with` that may swallow).
    Try {
        /// The classes handled; `None` handles everything.
        classes: Vec<Option<Addr>>,
        raised: Vec<Raised>,
        /// The join of the states in which something unknown may have been raised.
        anytime: Option<HandlerEntryState>,
    },
    /// A `finally`: its suite runs before anybody further out takes the exception.
    Finally {
        raised: Vec<Raised>,
        anytime: Option<HandlerEntryState>,
        /// A jump in the suite may swallow the exception.
        swallows: bool,
    },
}

impl Interp<'_> {
    /// Runs something and keeps the exceptions it raises.
    pub fn capture_raises<T>(&mut self, f: impl FnOnce(&mut Self) -> Flow<T>) -> (Flow<T>, Vec<Raised>) {
        self.run.catchers.push(Catcher::Capture(Vec::new()));
        let result = f(self);
        match self.run.catchers.pop() {
            Some(Catcher::Capture(raised)) => (result, raised),
            _ => (result, Vec::new()),
        }
    }

    /// Runs something that need not have happened: nothing is said of it, and what it raises ends it alone.
    pub fn attempt_muted<T>(&mut self, f: impl FnOnce(&mut Self) -> Flow<T>) -> Flow<T> {
        self.run_muted(|interp| interp.capture_raises(f).0)
    }

    /// Lets captured exceptions go on: nothing else came of the operation, so the first is certain.
    pub fn raise_captured(&mut self, mut raised: Vec<Raised>) -> Flow {
        if raised.is_empty() {
            return Err(Unreachable);
        }
        let all_operations = raised.iter().all(|raised| raised.finding.is_some());
        let one_class = raised.iter().all(|other| other.class == raised[0].class);
        let mut first = raised.remove(0);
        for other in &raised {
            let joined = self.join_states(&first.state, &other.state);
            first.state = joined;
            if other.class != first.class && !self.is_subclass_of(first.class, other.class) {
                first.class = if self.is_subclass_of(other.class, first.class) { other.class } else { first.class };
            }
        }
        self.run.state = first.state.clone();
        if !all_operations {
            first.finding = None;
        } else if !one_class {
            return self.throw_unnamed(first);
        }
        self.raise_exception(first)
    }

    /// An operation raises for certain, but of which class depends: nothing will be said, and the analysis goes on behind it.
    fn throw_unnamed(&mut self, mut raised: Raised) -> Flow {
        raised.class = None;
        if let Some(finding) = &mut raised.finding {
            finding.raises = None;
        }
        self.raise_exception(raised)
    }

    fn is_subclass_of(&self, class: Option<Addr>, of: Option<Addr>) -> bool {
        matches!((class, of), (Some(class), Some(of)) if self.mro_of(class).contains(&of))
    }

    /// An exception leaves the current operation. If it is certain and not caught, it is reported and the analysis goes on
    /// with Unknown; the program's own exceptions end the path.
    pub fn raise_exception(&mut self, raised: Raised) -> Flow {
        self.record_effect(Effect::RAISES);
        let mut through = None;
        for at in (0..self.run.catchers.len()).rev() {
            let takes = match &self.run.catchers[at] {
                Catcher::Capture(_) => true,
                Catcher::Try { classes, .. } => classes.iter().any(|class| self.may_catch(*class, raised.class)),
                Catcher::Finally { swallows, .. } => {
                    through = through.or(Some(at));
                    // What its suite raises takes the place of the exception, and may be handled further out.
                    *swallows || self.run.catchers[..at].iter().any(|outer| matches!(outer, Catcher::Try { .. }))
                }
            };
            if takes {
                if let (Some(finding), Catcher::Try { .. } | Catcher::Finally { swallows: true, .. }) =
                    (&raised.finding, &self.run.catchers[at])
                    && let Some(module) = self.module_of_file(&finding.primary.file)
                {
                    self.report.caught.insert((module, finding.primary.range, finding.rule.id));
                }
                if let Catcher::Try { classes, .. } = &self.run.catchers[at]
                    && !classes.iter().any(|class| self.must_catch(*class, raised.class))
                {
                    self.record_may_raise();
                }
                match &mut self.run.catchers[through.unwrap_or(at)] {
                    Catcher::Capture(list)
                    | Catcher::Try { raised: list, .. }
                    | Catcher::Finally { raised: list, .. } => list.push(raised),
                }
                return Err(Unreachable);
            }
        }
        match raised.finding {
            Some(finding) => {
                if self.is_speculative(&finding) {
                    // The path may not exist: it is not taken to end here, in a pass that reports nothing either.
                    self.record_may_raise();
                    return Ok(Value::Unknown(Reason::Finding));
                }
                if self.report.is_muted() {
                    self.note_silence();
                    self.failed_quietly(&finding);
                    self.record_may_raise();
                } else if finding.raises.is_none() || !self.report_or_hold(*finding) {
                    self.record_may_raise();
                }
                self.run.state.certain_raises += 1;
                Ok(Value::Unknown(Reason::Finding))
            }
            None => {
                self.record_may_raise();
                Err(Unreachable)
            }
        }
    }

    /// The module that a file of the code that runs is.
    fn module_of_file(&self, file: &Arc<SourceFile>) -> Option<u32> {
        let frame = self.run.frames.iter().rev().find(|frame| Arc::ptr_eq(&frame.code.file, file))?;
        Some(frame.code.module)
    }

    /// Whether a handler for `handled` may take an exception of class `raised`.
    pub(crate) fn may_catch(&self, handled: Option<Addr>, raised: Option<Addr>) -> bool {
        match (handled, raised) {
            (None, _) | (_, None) => true,
            (Some(handled), Some(raised)) => {
                self.mro_of(raised).contains(&handled) || self.class_at(raised).is_none_or(|class| class.open)
            }
        }
    }

    /// Whether the handler certainly takes it.
    pub(crate) fn must_catch(&self, handled: Option<Addr>, raised: Option<Addr>) -> bool {
        match (handled, raised) {
            (None, _) => true,
            (_, None) => false,
            (Some(handled), Some(raised)) => !handled.is_summary() && self.mro_of(raised).contains(&handled),
        }
    }

    /// An operation fails, whatever the unknowns are.
    pub fn raise_error(&mut self, rule: &str, class: &str, message: impl Into<String>) -> Flow {
        let message = message.into();
        if self.in_library_model() && self.run.expected_failures == 0 {
            // A model states what a library refuses (`require`, `raise`). Any other exception in it shows a way of calling that
            // the model does not know: that is a defect of ours, and never the program's.
            self.model_bug(&format!("{class}: {message}"));
            self.record_may_raise();
            return Ok(Value::Unknown(Reason::Call));
        }
        let finding = self.new_finding(rule, message).raises(class);
        self.fail_with(finding)
    }

    /// Whether the code that runs is the model of a library. Models of Python's own functions do what Python does, operation by
    /// operation, and their exceptions are meant.
    fn in_library_model(&self) -> bool {
        const PYTHON: [&str; 20] = [
            "builtins",
            "abc",
            "bisect",
            "collections",
            "contextlib",
            "copy",
            "dataclasses",
            "enum",
            "functools",
            "heapq",
            "inspect",
            "itertools",
            "json",
            "math",
            "operator",
            "os",
            "sys",
            "typing",
            "typing_extensions",
            "warnings",
        ];
        self.run.frames.last().is_some_and(|frame| {
            let top = frame.code.name.split('.').next().unwrap_or_default();
            frame.code.is_model && !PYTHON.contains(&top)
        })
    }

    /// An operation fails; the finding says how, and its `raises` with what.
    pub fn fail_with(&mut self, finding: Finding) -> Flow {
        let class = finding.raises.as_deref().and_then(|name| self.analysis.program.exception_class(name));
        self.fail_class(class, finding)
    }

    pub fn fail_class(&mut self, class: Option<Addr>, finding: Finding) -> Flow {
        let state = self.run.state.clone();
        let value = Value::Unknown(Reason::Call);
        // Now, since the arguments and the calls are gone once the exception has left them.
        let finding = self.with_calls(self.with_provenance(finding));
        // Another exception may come first: no class can be named. Who observes requirements sees both.
        let ambiguous = !self.report.is_observed() && self.in_model() && self.run.effects.may_raise_other_than(class);
        let raised = Raised { class, value, finding: Some(Box::new(finding)), state };
        if ambiguous { self.throw_unnamed(raised) } else { self.raise_exception(raised) }
    }

    /// Something unknown may be raised here: the innermost handler may be entered with the current state.
    pub(crate) fn join_into_handlers(&mut self) {
        let at = self.run.catchers.iter().rposition(|catcher| !matches!(catcher, Catcher::Capture(_)));
        let Some(at) = at else { return };
        let previous = match &mut self.run.catchers[at] {
            Catcher::Try { anytime, .. } | Catcher::Finally { anytime, .. } => anytime.take(),
            Catcher::Capture(_) => None,
        };
        let joined = match previous {
            None => HandlerEntryState::new(&self.run.state),
            Some(previous) => self.join_here(previous),
        };
        if let Catcher::Try { anytime, .. } | Catcher::Finally { anytime, .. } = &mut self.run.catchers[at] {
            *anytime = Some(joined);
        }
    }
}
