//! Exceptions: who catches them, and when one becomes a finding.

use pytrope_diagnostics::Finding;

use super::{Dead, Eval, Interp};
use crate::state::State;
use crate::value::{Addr, Reason, Value};

/// An exception on its way.
#[derive(Clone)]
pub struct Raised {
    /// Its exact class, if known.
    pub class: Option<Addr>,
    pub value: Value,
    /// What to report if nobody catches it; `None` for the program's own `raise`.
    pub finding: Option<Box<Finding>>,
    pub state: State,
}

/// What surrounds the code that runs.
pub enum Catcher {
    /// Takes everything, to decide later.
    Capture(Vec<Raised>),
    /// A `try` (or a `with` that may swallow).
    Try {
        /// The classes handled; `None` handles everything.
        classes: Vec<Option<Addr>>,
        raised: Vec<Raised>,
        /// The join of the states in which something unknown may have been raised.
        anytime: Option<State>,
    },
}

impl Interp<'_> {
    /// Runs something and keeps the exceptions it raises.
    pub fn capture<T>(&mut self, f: impl FnOnce(&mut Self) -> Eval<T>) -> (Eval<T>, Vec<Raised>) {
        self.catchers.push(Catcher::Capture(Vec::new()));
        let result = f(self);
        match self.catchers.pop() {
            Some(Catcher::Capture(raised)) => (result, raised),
            _ => (result, Vec::new()),
        }
    }

    /// Lets captured exceptions go on: nothing else came of the operation, so the first is certain.
    pub fn release(&mut self, mut raised: Vec<Raised>) -> Eval {
        if raised.is_empty() {
            return Err(Dead);
        }
        let all_operations = raised.iter().all(|raised| raised.finding.is_some());
        let mut first = raised.remove(0);
        for other in &raised {
            let joined = self.join_states(&first.state, &other.state);
            first.state = joined;
            if other.class != first.class && !self.is_subclass_of(first.class, other.class) {
                first.class = if self.is_subclass_of(other.class, first.class) { other.class } else { first.class };
            }
        }
        if !all_operations {
            first.finding = None;
        }
        self.state = first.state.clone();
        self.throw(first)
    }

    fn is_subclass_of(&self, class: Option<Addr>, of: Option<Addr>) -> bool {
        matches!((class, of), (Some(class), Some(of)) if self.mro(class).contains(&of))
    }

    /// An exception leaves the current operation. If it is certain and nobody catches it, it is reported and the analysis goes on
    /// with Unknown; the program's own exceptions end the path.
    pub fn throw(&mut self, raised: Raised) -> Eval {
        self.doubt();
        for at in (0..self.catchers.len()).rev() {
            let takes = match &self.catchers[at] {
                Catcher::Capture(_) => true,
                Catcher::Try { classes, .. } => classes.iter().any(|class| self.may_catch(*class, raised.class)),
            };
            if takes {
                match &mut self.catchers[at] {
                    Catcher::Capture(list) | Catcher::Try { raised: list, .. } => list.push(raised),
                }
                return Err(Dead);
            }
        }
        match raised.finding {
            Some(finding) => {
                // Only what is reported is taken to end the path: the rest may be looked at for paths that do not exist.
                let certain = self.mute == 0 && !self.is_speculative();
                self.report(*finding);
                if certain {
                    let depth = self.branch_depth();
                    self.doomed.push(depth);
                } else {
                    self.unreported += 1;
                }
                Ok(Value::Unknown(Reason::Finding))
            }
            None => {
                self.unreported += 1;
                Err(Dead)
            }
        }
    }

    /// Whether a handler for `handled` may take an exception of class `raised`.
    pub(crate) fn may_catch(&self, handled: Option<Addr>, raised: Option<Addr>) -> bool {
        match (handled, raised) {
            (None, _) | (_, None) => true,
            (Some(handled), Some(raised)) => {
                self.mro(raised).contains(&handled) || self.class(raised).is_none_or(|class| class.open)
            }
        }
    }

    /// Whether the handler certainly takes it.
    pub(crate) fn must_catch(&self, handled: Option<Addr>, raised: Option<Addr>) -> bool {
        match (handled, raised) {
            (None, _) => true,
            (_, None) => false,
            (Some(handled), Some(raised)) => self.mro(raised).contains(&handled),
        }
    }

    /// An operation fails, whatever the unknowns are.
    pub fn fail(&mut self, rule: &str, class: &str, message: impl Into<String>) -> Eval {
        let message = message.into();
        let finding = self.finding(rule, message).raises(class);
        self.fail_with(finding)
    }

    /// An operation fails; the finding says how, and its `raises` with what.
    pub fn fail_with(&mut self, finding: Finding) -> Eval {
        let class = finding.raises.as_deref().and_then(|name| self.world.exception(name));
        self.fail_class(class, finding)
    }

    pub fn fail_class(&mut self, class: Option<Addr>, finding: Finding) -> Eval {
        let state = self.state.clone();
        let value = Value::Unknown(Reason::Call);
        // Now, since the arguments are gone once the exception has left the model.
        let finding = self.with_births(finding);
        self.throw(Raised { class, value, finding: Some(Box::new(finding)), state })
    }

    /// Something unknown may be raised here: whoever tries must reckon with the current state.
    pub(crate) fn may_raise(&mut self) {
        self.doubt();
        let at = self.catchers.iter().rposition(|catcher| matches!(catcher, Catcher::Try { .. }));
        let Some(at) = at else { return };
        let previous = match &mut self.catchers[at] {
            Catcher::Try { anytime, .. } => anytime.take(),
            Catcher::Capture(_) => None,
        };
        let here = self.state.clone();
        let joined = self.join_into(previous, &here);
        if let Catcher::Try { anytime, .. } = &mut self.catchers[at] {
            *anytime = Some(joined);
        }
    }
}
