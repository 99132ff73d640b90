//! The interpreter's own state: frames, catchers of exceptions, findings, fuel; and its basic moves: fork, join, raise.

mod captured;
mod deferred;
mod dependencies;
mod escaped;
mod given;
mod handler_entry;
mod hazards;
mod heap;
mod observer;
mod passes;
mod past_error;
mod provenance;
mod raising;
mod recency;
mod summarize_iteration;

use std::sync::Arc;

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_dims::{Cmp, Constraint, Dim, Interval, Reason as FactReason, Sym, Truth};
use pytrope_source::tree::ExprId;
use pytrope_source::{Span, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::calls::OwnCalls;
use crate::code::{Code, ScopeId, ScopeInfo, SharedCode};
use crate::cond::Cond;
use crate::join::{Joiner, Place, Widening};
use crate::object::{Function, Object};
use crate::program::Program;
use crate::state::State;
use crate::symbols::{self, SymbolNames};
use crate::value::{Addr, Reason, Value};

pub(crate) use deferred::ProgramPoint;
pub use dependencies::Dependency;
pub(crate) use given::ForeignEffect;
pub use handler_entry::HandlerEntryState;
pub(crate) use heap::push_seq;
pub use observer::{BranchEvent, CallEvent, Observer, RequireEvent};
pub use raising::{Catcher, Raised};
pub(crate) use recency::{IterationKind, Sites};

/// How many alternatives of one size are looked through.
const HULL_LIMIT: usize = 8;

/// What a finding says of the calls that led to it.
const CALLED: &str = "called from here";

/// There is no normal continuation: what there was to say is with the catchers, loops and frames.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unreachable;

pub type Flow<T = Value> = Result<T, Unreachable>;

/// The three answers to a condition.
#[derive(Clone, PartialEq, Debug)]
pub enum ThreeValued {
    True,
    False,
    Open(Cond),
}

impl ThreeValued {
    pub fn of(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }

    pub fn opaque() -> Self {
        Self::Open(Cond::Opaque)
    }

    pub fn negated(&self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Open(cond) => Self::Open(cond.negated()),
        }
    }

    pub fn into_value(self) -> Value {
        match self {
            Self::True => Value::TRUE,
            Self::False => Value::FALSE,
            Self::Open(cond) => Value::SymbolicBool(Arc::new(cond)),
        }
    }
}

/// Where `break` and `continue` of a loop arrive.
#[derive(Default)]
pub struct LoopExits {
    pub breaks: Option<State>,
    pub continues: Option<State>,
}

/// What a generator has yielded so far.
#[derive(Default)]
pub struct Yields {
    pub items: Vec<Value>,
    /// The order or number of items is not known.
    pub inexact: bool,
}

/// An activation.
pub struct Frame {
    pub code: SharedCode,
    pub id: ScopeId,
    /// The module's scope first, the frame's own last.
    pub chain: Arc<Vec<Addr>>,
    pub function: Option<Addr>,
    pub class: Option<Addr>,
    pub first_argument: Option<Value>,
    /// What is being evaluated.
    pub node: TextRange,
    pub returns: Option<(State, Value)>,
    pub loops: Vec<LoopExits>,
    /// Names the activation, for allocation under widening.
    pub path: u64,
    /// Names the activation and the iterations of loops around the current point, for observers.
    pub instance: u64,
    pub yields: Option<Yields>,
    /// How many undecided branches and loops are open in it.
    pub undecided: u32,
    /// How many of them are branches.
    pub branches: u32,
    /// How many pieces of code that may or may not run are open around it.
    pub around: usize,
    /// How many undecided branches were left by `return` or `raise`: what follows them may not be reached.
    pub exits: u32,
    /// The statement that is being run.
    pub statement: TextRange,
    /// Conditions in the blocks around that cannot have this answer any more, since that arm was left.
    pub excluded_branches: Vec<(ExprId, bool)>,
}

/// Names a iteration of a loop within an activation.
pub(crate) fn iteration_instance(instance: u64, iteration: usize) -> u64 {
    (instance ^ (iteration as u64 + 1)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

impl Frame {
    pub fn scope(&self) -> Addr {
        *self.chain.last().expect("a frame has its module's scope at least")
    }

    pub fn info(&self) -> &ScopeInfo {
        self.code.scope(self.id)
    }
}

/// Limits of one analysis, in steps.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub fuel: u64,
    pub depth: u32,
    pub loop_iterations: u32,
    pub loop_fuel: u64,
    /// Steps one inlined call may take.
    pub call_fuel: u64,
    /// Steps that all calls together may take which a function nobody calls makes, directly or not.
    pub inlining: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 200_000,
            depth: 60,
            loop_iterations: 100,
            loop_fuel: 20_000,
            call_fuel: 20_000,
            inlining: u64::MAX,
        }
    }
}

pub struct Interp<'w> {
    pub program: &'w Program,
    pub module: u32,
    pub state: State,
    pub frames: Vec<Frame>,
    pub(crate) catchers: Vec<Catcher>,
    pub findings: Vec<Finding>,
    seen: FxHashSet<(u32, TextRange, &'static str)>,
    /// Greater than zero in passes whose findings do not count.
    pub mute: u32,
    pub symbols: SymbolNames,
    pub(crate) next_addr: u32,
    /// Addresses from this number on were made here.
    pub(crate) first_addr: u32,
    pub(crate) sites: Sites,
    pub limits: Limits,
    pub fuel: u64,
    /// The analysis stops: results from here on mean nothing.
    pub exhausted: bool,
    pub observer: Option<Box<dyn Observer + 'w>>,
    /// Functions of the program that code which is not seen may call, for clients with an observer.
    pub escapes: Vec<(State, Value)>,
    /// How many sequences the comparison that is going on may still look into.
    pub(crate) comparing: Option<u32>,
    /// The comparison that was evaluated last, for an observer.
    pub(crate) compared: Option<(pytrope_source::tree::ExprId, Value, Value)>,
    /// Report what may fail.
    pub possible: bool,
    /// Code of functions nobody calls here is analysed: globals may have changed.
    pub uncalled_entry: bool,
    /// In modules of packages: functions that used up what a call may take, which are not followed again.
    pub(crate) costly: Option<FxHashSet<(u32, ScopeId)>>,
    /// Functions of the analysed program, in the order of their definition.
    pub(crate) defined: Vec<Addr>,
    /// Those of them that decorators were given of which nobody says what they make of them.
    pub(crate) given_away: FxHashSet<ScopeId>,
    /// Those of them that a library compiles: Python does not run them.
    pub(crate) compiled: FxHashSet<ScopeId>,
    pub(crate) ticks: u32,
    /// Counts what a piece of code does beside giving a value and changing the heap: raising, reporting, leaving requirements open.
    pub(crate) effects: u64,
    /// The muted passes over loops that are going on, and what muting has held back in them.
    passes: passes::Passes,
    /// The most frames that have stood on the stack.
    pub(crate) deepest: usize,
    /// Whether the last call that was a statement of its own gave something unknown.
    pub(crate) last_call_unknown: bool,
    /// Exceptions of this module's operations that a `try` takes: places and rules.
    pub(crate) caught: FxHashSet<(TextRange, &'static str)>,
    /// The classes of requirements that the library call going on has left open.
    pub(crate) doubted: Vec<Option<Addr>>,
    /// What is remembered of code that runs more than once.
    pub(crate) deferred: deferred::Visits,
    /// What is iterated is consumed bit by bit, not at once.
    pub(crate) lazily: bool,
    /// What is wrong with a hint that was just read.
    pub(crate) pending_hint: Option<Finding>,
    /// The instance whose field is held to its hint.
    pub(crate) hint_owner: Option<Value>,
    /// Some name has a hint that was declared apart from its value.
    pub(crate) declares: bool,
    /// An instance that a class's constructor has made, for the methods of the class.
    pub(crate) receiver: Option<(Addr, Value)>,
    /// Names and attributes a model uses and does not have.
    pub model_bugs: Vec<String>,
    /// Sizes in gradual reading (`Dyn`): each use satisfies its requirement separately, so nothing is learnt about them.
    pub dynamic: FxHashSet<pytrope_dims::Sym>,
    /// What unknown code has been given and may work on at any time.
    pub(crate) escaped: escaped::Escaped,
    /// Objects that unknown code has been given.
    pub(crate) given: given::Given,
    /// The program's functions that the library code going on has run, if somebody wants to know.
    pub(crate) ran: Option<FxHashSet<Addr>>,
    /// The shape hints of functions that have been called.
    pub(crate) hinted: FxHashMap<(u32, ScopeId), Arc<crate::hints::Hinted>>,
    /// The array of open rank whose number of axes a symbol is.
    pub(crate) ranked: FxHashMap<pytrope_dims::Sym, Addr>,
    /// Sizes of the axes of such arrays, by the symbol of the rank and the axis (from the end if negative).
    pub(crate) axes: FxHashMap<(pytrope_dims::Sym, i64), Dim>,
    /// What is remembered of calls of the program's own functions.
    pub(crate) own_calls: OwnCalls,
    /// The code of the functions that have run.
    codes: FxHashMap<u32, SharedCode>,
}

impl<'w> Interp<'w> {
    pub fn new(program: &'w Program, module: u32) -> Self {
        let first_addr = program.frozen(module).map_or(1000, |frozen| frozen.next_addr);
        Self {
            program,
            module,
            state: State::default(),
            frames: Vec::new(),
            catchers: Vec::new(),
            findings: Vec::new(),
            seen: FxHashSet::default(),
            mute: 0,
            symbols: SymbolNames::default(),
            next_addr: first_addr,
            first_addr,
            sites: Sites::default(),
            limits: Limits::default(),
            fuel: Limits::default().fuel,
            exhausted: false,
            observer: None,
            escapes: Vec::new(),
            comparing: None,
            compared: None,
            possible: false,
            uncalled_entry: false,
            costly: None,
            defined: Vec::new(),
            given_away: FxHashSet::default(),
            compiled: FxHashSet::default(),
            receiver: None,
            last_call_unknown: false,
            pending_hint: None,
            hint_owner: None,
            declares: false,
            lazily: false,
            caught: FxHashSet::default(),
            doubted: Vec::new(),
            deferred: deferred::Visits::default(),
            ticks: 0,
            effects: 0,
            passes: passes::Passes::default(),
            deepest: 0,
            model_bugs: Vec::new(),
            dynamic: FxHashSet::default(),
            escaped: escaped::Escaped::default(),
            given: given::Given::default(),
            ran: None,
            hinted: FxHashMap::default(),
            ranked: FxHashMap::default(),
            axes: FxHashMap::default(),
            own_calls: OwnCalls::default(),
            codes: FxHashMap::default(),
        }
    }

    pub fn frame(&self) -> &Frame {
        self.frames.last().expect("code runs in a frame")
    }

    pub fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("code runs in a frame")
    }

    pub fn code(&self) -> SharedCode {
        self.frame().code.clone()
    }

    /// A function's code, for its frame.
    pub(crate) fn shared_code(&mut self, code: &Arc<Code>) -> SharedCode {
        let known = self.codes.entry(code.module).or_insert_with(|| SharedCode::new(code));
        // What the command line asks for has code of its own in the module it is asked about.
        if Arc::ptr_eq(known, code) { known.clone() } else { SharedCode::new(code) }
    }

    pub fn in_model(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.code.is_model)
    }

    /// One step of the analysis; `Err` when there is no fuel left.
    pub fn step(&mut self) -> Flow<()> {
        if self.fuel == 0 || self.exhausted {
            self.exhausted = true;
            return Err(Unreachable);
        }
        // Steps inside models are cheap and many: one in eight counts.
        self.ticks = self.ticks.wrapping_add(1);
        if !self.in_model() || self.ticks.is_multiple_of(8) {
            self.fuel -= 1;
        }
        Ok(())
    }

    // Symbols and facts.

    /// A new symbolic integer.
    pub fn fresh_dim(&mut self, name: Option<&str>, least: Option<i128>) -> Dim {
        let natural = least.is_some_and(|least| least >= 0);
        let sym = if natural { symbols::fresh_natural() } else { symbols::fresh() };
        if let Some(name) = name {
            self.symbols.set(sym, name);
        }
        if let Some(least) = least
            && least != 0
        {
            self.state.store.declare(sym, least);
        }
        Dim::symbol(sym)
    }

    pub fn any_int(&mut self) -> Value {
        Value::Dim(self.fresh_dim(None, None))
    }

    pub fn any_natural(&mut self) -> Value {
        Value::Dim(self.fresh_dim(None, Some(0)))
    }

    pub fn compare_dims(&self, a: &Dim, cmp: Cmp, b: &Dim) -> ThreeValued {
        if a.any_symbol(&mut Sym::is_summary) && b.any_symbol(&mut Sym::is_summary) {
            // Each is the size of one of many, and not of the same one.
            let apart = b.substitute(&|sym| sym.is_summary().then(|| Dim::symbol(symbols::like(sym))));
            return match apart.map(|b| self.state.store.compare(a, cmp, &b)) {
                Some(Truth::True) => ThreeValued::True,
                Some(Truth::False) => ThreeValued::False,
                Some(Truth::Open) | None => ThreeValued::opaque(),
            };
        }
        match self.state.store.compare(a, cmp, b) {
            Truth::True => ThreeValued::True,
            Truth::False => ThreeValued::False,
            Truth::Open => ThreeValued::Open(Constraint::compare(a, cmp, b).map_or(Cond::Opaque, Cond::Atom)),
        }
    }

    pub fn decide(&self, cond: &Cond) -> ThreeValued {
        match cond {
            Cond::Opaque => ThreeValued::opaque(),
            Cond::Atom(constraint) => match self.state.store.decide(constraint) {
                Truth::True => ThreeValued::True,
                Truth::False => ThreeValued::False,
                Truth::Open => ThreeValued::Open(cond.clone()),
            },
            Cond::All(parts) => {
                let mut open = Vec::new();
                for part in parts {
                    match self.decide(part) {
                        ThreeValued::True => {}
                        ThreeValued::False => return ThreeValued::False,
                        ThreeValued::Open(cond) => open.push(cond),
                    }
                }
                match open.len() {
                    0 => ThreeValued::True,
                    1 => ThreeValued::Open(open.swap_remove(0)),
                    _ => ThreeValued::Open(Cond::All(open)),
                }
            }
            Cond::Any(parts) => {
                let mut open = Vec::new();
                for part in parts {
                    match self.decide(part) {
                        ThreeValued::False => {}
                        ThreeValued::True => return ThreeValued::True,
                        ThreeValued::Open(cond) => open.push(cond),
                    }
                }
                match open.len() {
                    0 => ThreeValued::False,
                    1 => ThreeValued::Open(open.swap_remove(0)),
                    _ => ThreeValued::Open(Cond::Any(open)),
                }
            }
        }
    }

    /// Takes a condition as a fact; false if that leaves no state.
    pub fn assume(&mut self, cond: &Cond) -> bool {
        match cond {
            Cond::Opaque => true,
            Cond::Atom(constraint) if self.is_dynamic(constraint) => true,
            Cond::Atom(constraint) => {
                let reason = FactReason(self.frame().node.start);
                // Natural symbols enter the store when something is learned about them.
                for sym in constraint.dim.symbols() {
                    if sym.is_natural() {
                        self.state.store.declare(sym, 0);
                    }
                }
                if !self.state.store.assume(constraint, reason).is_feasible() {
                    return false;
                }
                self.settle_ranks(constraint);
                true
            }
            Cond::All(parts) => parts.iter().all(|part| self.assume(part)),
            Cond::Any(_) => match self.decide(cond) {
                ThreeValued::True => true,
                ThreeValued::False => false,
                ThreeValued::Open(Cond::Any(parts)) => self.assume_hull(&parts),
                ThreeValued::Open(Cond::Opaque) => true,
                ThreeValued::Open(simpler) => self.assume(&simpler),
            },
        }
    }

    /// Of several alternatives, what all of them say about the range of a size (`x.ndim in (1, 2)`).
    fn assume_hull(&mut self, alternatives: &[Cond]) -> bool {
        let atoms: Option<Vec<&Constraint>> = alternatives
            .iter()
            .map(|part| match part {
                Cond::Atom(constraint) => Some(constraint),
                Cond::Opaque | Cond::All(_) | Cond::Any(_) => None,
            })
            .collect();
        let Some([first, ..]) = atoms.as_deref() else { return true };
        let Some(sym) = first.dim.symbols().into_iter().next() else { return true };
        let about_one = |constraint: &&Constraint| {
            let symbols = constraint.dim.symbols();
            symbols.len() == 1 && symbols.contains(&sym) && !self.is_dynamic(constraint)
        };
        let atoms = atoms.unwrap_or_default();
        if atoms.len() > HULL_LIMIT || !atoms.iter().all(about_one) {
            return true;
        }
        let reason = FactReason(self.frame().node.start);
        let dim = Dim::symbol(sym);
        let mut hull: Option<Interval> = None;
        for constraint in atoms {
            let mut store = self.state.store.clone();
            if sym.is_natural() {
                store.declare(sym, 0);
            }
            if store.assume(constraint, reason).is_feasible() {
                let bounds = store.bounds(&dim);
                hull = Some(hull.map_or(bounds, |so_far| so_far.hull(&bounds)));
            }
        }
        let Some(hull) = hull else { return false };
        let bounds = [(Cmp::Ge, hull.lo), (Cmp::Le, hull.hi)];
        bounds.into_iter().all(|(cmp, bound)| {
            let known = bound.and_then(|bound| Constraint::compare(&dim, cmp, &Dim::constant(bound)));
            known.is_none_or(|constraint| self.assume(&Cond::Atom(constraint)))
        })
    }

    /// Whether a constraint is about a size in gradual reading.
    fn is_dynamic(&self, constraint: &Constraint) -> bool {
        self.is_dynamic_size(&constraint.dim)
    }

    /// Whether a size is in gradual reading, or computed from one that is.
    pub fn is_dynamic_size(&self, size: &Dim) -> bool {
        !self.dynamic.is_empty() && size.any_symbol(&mut |sym| self.dynamic.contains(&sym))
    }

    /// Whether no undecided branch is open in any frame.
    pub fn is_certain(&self) -> bool {
        self.frames.iter().all(|frame| frame.undecided == 0)
    }

    /// From here on a function counts as compiled by somebody else than Python.
    pub fn leave_to_compiler(&mut self, function: &Function) {
        if function.code.module == self.module {
            self.compiled.insert(function.id);
        }
    }

    /// The number the next object will have.
    pub fn next_address(&self) -> u32 {
        self.next_addr
    }

    /// Goes back to the numbers of an earlier state.
    pub fn reset_address(&mut self, next: u32) {
        self.next_addr = next;
    }

    /// Keys of objects that this interpreter has made.
    fn fresh_keys(&self) -> std::ops::Range<u64> {
        Addr::new(self.module, self.first_addr).0..Addr::new(self.module, Addr::SUMMARY).0
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
        let program = self.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        joiner.sides = Some((a, b));
        joiner.brought = Some((x, y));
        joiner.settled = !self.in_model();
        let value = joiner.values(Place(1), x, y);
        let state = joiner.states(a, b);
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
        let program = self.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        joiner.widening = widening;
        joiner.sides = Some((a, b));
        joiner.settled = !self.in_model();
        let state = joiner.states(a, b);
        let (escaped, confused) = (joiner.escaped, joiner.confused);
        let stable = state.heap == a.heap;
        (self.after_join(state, &escaped, &confused), stable)
    }

    fn after_join(&mut self, state: State, escaped: &[Addr], confused: &[Addr]) -> State {
        if escaped.is_empty() && confused.is_empty() {
            return state;
        }
        let saved = std::mem::replace(&mut self.state, state);
        for addr in escaped {
            self.havoc(&Value::Obj(*addr));
        }
        let confused: Vec<Value> = confused.iter().map(|addr| Value::Obj(*addr)).collect();
        self.mark_may_alias(&confused);
        std::mem::replace(&mut self.state, saved)
    }

    pub fn join_into(&mut self, into: Option<State>, state: &State) -> State {
        match into {
            None => state.clone(),
            Some(other) => self.join_states(&other, state),
        }
    }

    /// Runs both arms from the current state and joins what comes out.
    pub fn either(&mut self, first: impl FnOnce(&mut Self) -> Flow, second: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.state.clone();
        self.enter_undecided();
        self.open_branch();
        self.frame_mut().branches += 1;
        let x = first(self);
        let after_first = std::mem::replace(&mut self.state, before);
        let y = second(self);
        self.leave_undecided();
        self.close_branch();
        self.frame_mut().branches -= 1;
        match (x, y) {
            (Ok(x), Ok(y)) => {
                let after_second = self.state.clone();
                let (state, value) = self.join_valued(&after_first, &x, &after_second, &y);
                self.state = state;
                Ok(value)
            }
            (Ok(x), Err(Unreachable)) => {
                self.state = after_first;
                self.frame_mut().exits += 1;
                Ok(x)
            }
            (Err(Unreachable), y) => {
                self.frame_mut().exits += 1;
                y
            }
        }
    }

    pub(crate) fn enter_undecided(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.undecided += 1;
        }
    }

    pub(crate) fn leave_undecided(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.undecided -= 1;
        }
    }

    /// Does something for each alternative of a value, each in a fork of its own. It raises only if every alternative does.
    pub fn each(&mut self, value: &Value, mut f: impl FnMut(&mut Self, &Value) -> Flow) -> Flow {
        let Value::Union(alternatives) = value else { return f(self, value) };
        let before = self.state.clone();
        let mut result: Option<(State, Value)> = None;
        let mut failures: Vec<Raised> = Vec::new();
        self.enter_undecided();
        for alternative in alternatives.iter() {
            self.state = before.clone();
            let (outcome, mut raised) = self.capture(|interp| f(interp, alternative));
            failures.append(&mut raised);
            if let Ok(value) = outcome {
                let after = self.state.clone();
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
                    self.hazard();
                }
                self.state = state;
                Ok(value)
            }
            None => self.release(failures),
        }
    }

    // Findings.

    /// The innermost place in the analysed code, outside models.
    pub fn user_span(&self) -> Span {
        let frame = self.frames.iter().rev().find(|frame| !frame.code.is_model).or(self.frames.last());
        let frame = frame.expect("code runs in a frame");
        frame.code.span(frame.node)
    }

    /// Makes a finding at the current place of the analysed code.
    pub fn finding(&self, rule: &str, message: impl Into<String>) -> Finding {
        Finding::new(rule_by_id(rule), self.user_span(), message)
    }

    /// Records a finding, once for each place.
    pub fn report(&mut self, finding: Finding) {
        self.effects += 1;
        self.note_silence();
        let module =
            self.frames.iter().rev().find(|frame| !frame.code.is_model).map_or(self.module, |frame| frame.code.module);
        if let Some(finding) = self.complete(finding) {
            self.publish(module, finding);
        }
    }

    fn publish(&mut self, module: u32, finding: Finding) {
        if self.seen.insert((module, finding.primary.range, finding.rule.id)) {
            self.findings.push(finding);
        }
    }

    /// A finding with the calls that led to it; none where findings do not count.
    fn complete(&self, finding: Finding) -> Option<Finding> {
        if self.mute > 0 || self.exhausted || self.state.store.is_contradictory() {
            return None;
        }
        if self.is_speculative() && finding.severity.fails() {
            return None;
        }
        // What is abstract says so when it is called, and in code nobody calls here it may be meant for subclasses.
        let is_abstract = finding.rule.id == "shape-argument";
        if self.uncalled_entry && is_abstract && finding.raises.as_deref() == Some("NotImplementedError") {
            return None;
        }
        let finding = self.with_provenance(finding);
        Some(self.with_calls(finding))
    }

    /// Adds the calls that led to the current point, unless the finding has those that led to where it was made.
    fn with_calls(&self, mut finding: Finding) -> Finding {
        if self.mute > 0 || finding.related.iter().any(|related| related.message == CALLED) {
            return finding;
        }
        let users: Vec<&Frame> = self.frames.iter().filter(|frame| !frame.code.is_model).collect();
        for caller in users.iter().rev().skip(1).take(3) {
            let called_from = caller.code.span(caller.node);
            if called_from != finding.primary && !caller.node.is_empty() {
                finding = finding.related(called_from, CALLED);
            }
        }
        finding
    }

    /// Whether the current point lies in an undecided branch of a function that was called from the code under
    /// analysis, or behind one that ends the function: what its caller knows may well exclude that path.
    fn is_speculative(&self) -> bool {
        let mut users = self.frames.iter().filter(|frame| !frame.code.is_model && frame.function.is_some());
        // A function that is analysed for itself has its module's frame below, and nothing called it.
        if self.uncalled_entry {
            users.next();
        }
        users.any(|frame| frame.branches > 0 || frame.exits > 0)
    }

    /// A name, attribute or argument that model code lacks: a bug of the model, shown by tests.
    pub fn model_bug(&mut self, what: &str) {
        let frame = self.frame();
        let line = frame.code.file.line_column(frame.node.start).line;
        let bug = format!("{}:{line}: {what}", frame.code.file.path());
        if !self.model_bugs.contains(&bug) {
            self.model_bugs.push(bug);
        }
    }

    /// The object at an address, if it is one the analysis has seen made.
    pub fn object(&self, addr: Addr) -> &Object {
        match self.state.get(addr).or_else(|| self.program.frozen_object(addr)) {
            Some(object) => object,
            None => &Object::Unknown,
        }
    }

    pub fn unknown(&self, reason: Reason) -> Value {
        Value::Unknown(reason)
    }
}
