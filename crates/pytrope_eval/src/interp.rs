//! The interpreter: an [`Analysis`], the [`Run`] that is going on and its [`RunReport`]; and its basic moves: fork, join, raise.

mod analysis;
pub(crate) mod arity;
mod bindings;
mod checkpoint;
mod deferred;
mod dependencies;
mod facts;
mod frame;
mod fuel;
pub(crate) mod given_arrays;
mod handler_entry;
mod heap;
mod lazy_parameters;
mod observer;
mod open_ranks;
mod passes;
mod past_error;
mod provenance;
mod raising;
mod report;
mod run;
mod value_joins;

use crate::code::SharedCode;
use crate::join::{AssumedJoins, JoinPlace, Joiner, Widening};
use crate::object::{Function, Object};
use crate::state::State;
use crate::value::{Addr, Reason, Value};

pub use analysis::{Analysis, Limits};
pub(crate) use deferred::ProgramPoint;
pub use dependencies::Dependency;
pub(crate) use frame::iteration_instance;
pub use frame::{Frame, LoopExits, Yields};
pub use fuel::Fuel;
pub(crate) use fuel::ModelSteps;
pub use handler_entry::HandlerEntryState;
pub(crate) use lazy_parameters::{LazyParameter, LazyParameters, LazyParts};
pub use observer::{
    ArrayKnowledge, BindEvent, BindingKind, BranchEvent, CallEvent, Observer, ObserverPair, RequireEvent,
};
pub(crate) use open_ranks::MOST_AXES;
pub(crate) use passes::BeforePass;
pub use raising::{Catcher, Raised};
pub use report::{CALLED, CaughtError, FunctionKey, RunReport, RunResult};
pub(crate) use run::Hinted;
pub use run::{Addresses, Run};

/// There is no normal continuation: what there was to say is with the catchers, loops and frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreachable;

pub type Flow<T = Value> = Result<T, Unreachable>;

/// An abstract interpreter, in three parts with lifetimes of their own.
pub struct Interp<'w> {
    /// What lives for the whole analysis.
    pub analysis: Analysis<'w>,
    /// What lives for one run.
    pub run: Run,
    /// What is reported of the run.
    pub report: RunReport<'w>,
}

impl<'w> Interp<'w> {
    pub fn new(analysis: Analysis<'w>, run: Run) -> Self {
        Self { analysis, run, report: RunReport::default() }
    }

    #[inline]
    pub fn current_frame(&self) -> &Frame {
        self.run.frames.last().expect("code runs in a frame")
    }

    #[inline]
    pub fn frame_mut(&mut self) -> &mut Frame {
        self.run.frames.last_mut().expect("code runs in a frame")
    }

    pub fn current_code(&self) -> SharedCode {
        self.current_frame().code.clone()
    }

    #[inline]
    pub fn in_model(&self) -> bool {
        self.run.frames.last().is_some_and(|frame| frame.code.is_model)
    }

    /// Whether no undecided branch is open in any frame.
    pub fn is_certain(&self) -> bool {
        self.run.frames.iter().all(|frame| frame.undecided == 0)
    }

    /// From here on a function counts as compiled by something else than Python.
    pub fn leave_to_compiler(&mut self, function: &Function) {
        if function.code.module == self.analysis.module {
            self.run.definitions.not_judged.insert(function.id);
        }
    }

    /// Keys of objects that this interpreter has made.
    pub(crate) fn fresh_keys(&self) -> std::ops::Range<u64> {
        Addr::new(self.analysis.module, self.run.addresses.first).0..Addr::new(self.analysis.module, Addr::SUMMARY).0
    }

    // Joins.

    pub fn join_states(&mut self, a: &State, b: &State) -> State {
        self.join_with(a, b, None).0
    }

    /// Joins two states, and a value that each brought.
    pub fn join_valued(&mut self, a: &State, x: &Value, b: &State, y: &Value) -> (State, Value) {
        // A path that only the analysis follows, behind an exception, says nothing where another one arrives.
        match a.certain_raises.cmp(&b.certain_raises) {
            std::cmp::Ordering::Less => return (self.join_past_error(a, b).0, x.clone()),
            std::cmp::Ordering::Greater => return (self.join_past_error(b, a).0, y.clone()),
            std::cmp::Ordering::Equal => {}
        }
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        joiner.sides = Some((a, b));
        joiner.brought = Some((x, y));
        joiner.assumed = self.assumed_joins();
        joiner.settled = !self.in_model();
        let value = joiner.join_values(JoinPlace(1), x, y);
        let state = joiner.join_states(a, b);
        self.end_assumed_joins(joiner.assumed.as_ref());
        let (escaped, confused) = (joiner.escaped, joiner.confused);
        (self.after_join(state, &escaped, &confused), value)
    }

    pub(crate) fn join_with(&mut self, a: &State, b: &State, widening: Option<&mut Widening>) -> (State, bool) {
        match a.certain_raises.cmp(&b.certain_raises) {
            std::cmp::Ordering::Less => {
                let (state, changed) = self.join_past_error(a, b);
                return (state, !changed);
            }
            std::cmp::Ordering::Greater => return (self.join_past_error(b, a).0, false),
            std::cmp::Ordering::Equal => {}
        }
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        joiner.widening = widening;
        joiner.sides = Some((a, b));
        joiner.assumed = self.assumed_joins();
        joiner.settled = !self.in_model();
        let state = joiner.join_states(a, b);
        self.end_assumed_joins(joiner.assumed.as_ref());
        let (escaped, confused) = (joiner.escaped, joiner.confused);
        let stable = state.heap == a.heap && state.refined == a.refined && state.settings == a.settings;
        (self.after_join(state, &escaped, &confused), stable)
    }

    /// What joins may make where shapes are shown.
    fn assumed_joins(&self) -> Option<AssumedJoins> {
        let new = || AssumedJoins::new(self.analysis.module, self.run.addresses.next, self.is_in_alternative());
        self.analysis.assumes.then(new)
    }

    fn end_assumed_joins(&mut self, assumed: Option<&AssumedJoins>) {
        if let Some(assumed) = assumed {
            self.run.addresses.next = assumed.next;
        }
    }

    pub(crate) fn after_join(&mut self, state: State, escaped: &[Addr], confused: &[Addr]) -> State {
        if escaped.is_empty() && confused.is_empty() {
            return state;
        }
        let saved = std::mem::replace(&mut self.run.state, state);
        for addr in escaped {
            self.havoc_reachable(&Value::Obj(*addr));
        }
        let confused: Vec<Value> = confused.iter().map(|addr| Value::Obj(*addr)).collect();
        self.mark_may_alias(&confused);
        std::mem::replace(&mut self.run.state, saved)
    }

    pub fn join_into(&mut self, into: Option<State>, state: &State) -> State {
        match into {
            None => state.clone(),
            Some(other) => self.join_states(&other, state),
        }
    }

    /// Runs both arms from the current state and joins what comes out.
    pub fn run_both_arms(
        &mut self,
        first: impl FnOnce(&mut Self) -> Flow,
        second: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        let before = self.run.state.clone();
        let (x, after_first, y) = self.run_branch(|interp| {
            let x = first(interp);
            let after_first = std::mem::replace(&mut interp.run.state, before);
            (x, after_first, second(interp))
        });
        match (x, y) {
            (Ok(x), Ok(y)) => {
                let after_second = self.run.state.clone();
                let (state, value) = self.join_valued(&after_first, &x, &after_second, &y);
                self.run.state = state;
                Ok(value)
            }
            (Ok(x), Err(Unreachable)) => {
                self.run.state = after_first;
                self.frame_mut().exits += 1;
                Ok(x)
            }
            (Err(Unreachable), y) => {
                self.frame_mut().exits += 1;
                y
            }
        }
    }

    /// Runs code that may or may not be reached: the arm of an undecided condition, the body of a loop whose length is not known.
    pub(crate) fn run_branch<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        self.enter_undecided();
        self.open_branch();
        self.frame_mut().branches += 1;
        let result = f(self);
        self.frame_mut().branches -= 1;
        self.close_branch();
        self.leave_undecided();
        result
    }

    pub(crate) fn enter_undecided(&mut self) {
        if let Some(frame) = self.run.frames.last_mut() {
            frame.undecided += 1;
        }
    }

    pub(crate) fn leave_undecided(&mut self) {
        if let Some(frame) = self.run.frames.last_mut() {
            frame.undecided -= 1;
        }
    }

    /// Whether what runs is called by one of several alternatives of a value.
    pub fn is_in_alternative(&self) -> bool {
        self.run.frames.iter().any(|frame| frame.undecided > frame.branches)
    }

    /// Does something for each alternative of a value, each in a fork of its own. It raises only if every alternative does.
    pub fn for_each_alternative(&mut self, value: &Value, mut f: impl FnMut(&mut Self, &Value) -> Flow) -> Flow {
        let Value::Union(alternatives) = value else { return f(self, value) };
        let before = self.run.state.clone();
        let mut result: Option<(State, Value)> = None;
        let mut failures: Vec<Raised> = Vec::new();
        self.enter_undecided();
        for alternative in alternatives.iter() {
            self.run.state = before.clone();
            let (outcome, mut raised) = self.capture_raises(|interp| f(interp, alternative));
            failures.append(&mut raised);
            if let Ok(value) = outcome {
                let after = self.run.state.clone();
                result = Some(match result {
                    None => (after, value),
                    Some((state, so_far)) => self.join_valued(&state, &so_far, &after, &value),
                });
            }
        }
        self.leave_undecided();
        match result {
            Some((state, value)) => {
                if !failures.is_empty() {
                    self.record_may_raise();
                }
                self.run.state = state;
                Ok(value)
            }
            None => self.raise_captured(failures),
        }
    }

    /// The object at an address, if it is one the analysis has seen made.
    #[inline]
    pub fn object_at(&self, addr: Addr) -> &Object {
        match self.run.state.get(addr).or_else(|| self.analysis.program.frozen_object(addr)) {
            Some(object) => object,
            None => &Object::Unknown,
        }
    }

    pub fn unknown_value(&self, reason: Reason) -> Value {
        Value::Unknown(reason)
    }
}
