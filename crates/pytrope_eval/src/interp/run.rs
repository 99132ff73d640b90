//! One run: everything that evaluating code reads and changes. It is made for the run and goes with it.
//!
//! A run that is to be repeated from the same point is cloned there ([`Interp::begin_run`] takes the copy): heaps, facts and
//! names are persistent, so that a copy costs little, and nothing of one run is left for the next. A call that is given up
//! is unwound to a [`Checkpoint`](super::Checkpoint).

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_dims::{Dim, Sym};
use pytrope_source::tree::ExprId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::deferred::Visits;
use super::fuel::Fuel;
use super::{Catcher, Frame, Interp, LazyParameters, LazyParts, Limits, RunReport};
use crate::call_summaries::OwnCalls;
use crate::code::ScopeId;
use crate::effects::EffectLog;
use crate::escape::Escape;
use crate::names::Name;
use crate::program::Program;
use crate::recency::AllocSites;
use crate::state::State;
use crate::symbols::SymbolNames;
use crate::value::{Addr, Value};

/// See the module's documentation.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    pub frames: Vec<Frame>,
    pub(crate) catchers: Vec<Catcher>,
    pub fuel: Fuel,
    pub(crate) addresses: Addresses,
    pub(crate) sites: AllocSites,
    /// How symbols are shown: they take the names of variables they are bound to.
    pub symbols: SymbolNames,
    /// Sizes in gradual reading (`Dyn`): each use satisfies its requirement separately, so nothing is learnt about them.
    pub dynamic: FxHashSet<Sym>,
    pub(crate) ranks: OpenRanks,
    pub(crate) definitions: Definitions,
    /// What is remembered of code that runs more than once.
    pub(crate) deferred: Visits,
    /// What code has done beside giving values and changing the heap.
    pub(crate) effects: EffectLog,
    /// What unknown code can reach.
    pub(crate) escape: Escape,
    /// The program's functions that the library code going on has run, if they are recorded.
    pub(crate) ran: Option<FxHashSet<Addr>>,
    /// An instance that a class's constructor has made, for the methods of the class.
    pub(crate) receiver: Option<(Addr, Value)>,
    /// Instances of exactly their class, though not all of their attributes are known.
    pub(crate) exact: FxHashSet<Addr>,
    pub(crate) hints: HintReading,
    pub(crate) comparison: ComparisonProgress,
    /// The parameters that become what their use requires.
    pub(crate) lazy: LazyParameters,
    /// What was read of them where shapes are shown.
    pub(crate) lazy_parts: LazyParts,
    /// How many operations are open whose failure has a default: `getattr(x, name, default)`.
    pub(crate) expected_failures: u32,
    /// What is iterated is consumed bit by bit, not at once.
    pub(crate) lazily: bool,
    /// Whether the last call that was a statement of its own gave something unknown.
    pub(crate) last_call_unknown: bool,
    /// The most frames that have stood on the stack.
    pub(crate) deepest: usize,
    /// What is remembered of calls of the program's own functions, by what they were given in this run.
    pub(crate) own_calls: OwnCalls,
}

/// The numbers of objects.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// The number the next object will have.
    pub(crate) next: u32,
    /// Addresses from this number on were made here.
    pub(crate) first: u32,
}

impl Addresses {
    /// The number of the first object that a module's body makes; its scope comes before.
    const FIRST: u32 = 1000;

    /// Whether an address is that of a module's scope.
    pub(crate) fn is_scope(addr: Addr) -> bool {
        addr.number() < Self::FIRST
    }

    /// Objects made from here on have numbers that nothing in the module has.
    pub fn of_module(program: &Program, module: u32) -> Self {
        let first = program.evaluated_module(module).map_or(Self::FIRST, |frozen| frozen.next_addr);
        Self { next: first, first }
    }
}

/// What a run has met of definitions.
#[derive(Clone, Default)]
pub(crate) struct Definitions {
    /// Functions of the analysed program, in the order of their definition.
    pub functions: Vec<Addr>,
    /// Those of them whose errors say nothing: a library compiles them, or their decorator catches what they raise.
    pub not_judged: FxHashSet<ScopeId>,
}

/// The shape hints in the signature of a function.
#[derive(Default, Debug)]
pub(crate) struct Hinted {
    pub parameters: Vec<(Name, ExprId)>,
    /// `*args`: each of them.
    pub spread: Option<(Name, ExprId)>,
    pub returns: Option<ExprId>,
}

/// Shape hints that are being read.
#[derive(Clone, Default)]
pub(crate) struct HintReading {
    /// What is wrong with a hint that was just read.
    pub pending: Option<Finding>,
    /// The names of sizes in the signature of the function that is analysed for itself: it promises to take all sizes.
    pub promised: FxHashSet<Sym>,
    /// Those of them that arrays of a family's members have, and those that some other array has: the members agree on them.
    pub at_members: FxHashSet<Sym>,
    pub at_one_role: FxHashSet<Sym>,
    /// The signature whose hints are being read is that function's.
    pub promises: bool,
    /// That signature left something open (`*batch`, several types of elements, `| None`), and one choice of it is to be tried.
    pub left_open: bool,
    pub chooses: bool,
    /// What is held to a hint is the result of a function.
    pub of_result: bool,
    /// The instance whose field is held to its hint.
    pub owner: Option<Value>,
    /// The scope of the function whose names the hint of a field shares; that of the current function otherwise.
    pub scope: Option<Addr>,
    /// Some name has a hint that was declared apart from its value.
    pub declares: bool,
    /// The shape hints of functions that have been called.
    pub of_functions: FxHashMap<(u32, ScopeId), Arc<Hinted>>,
}

/// Comparisons that are going on.
#[derive(Clone, Default)]
pub(crate) struct ComparisonProgress {
    /// How many sequences the comparison that is going on may still look into.
    pub budget: Option<u32>,
    /// The comparison that was evaluated last, for an observer.
    pub last: Option<(ExprId, Value, Value)>,
}

/// Arrays whose number of axes is open.
#[derive(Clone, Default)]
pub(crate) struct OpenRanks {
    /// The arrays whose number of axes a symbol is: those that an operation has made with the rank of another too.
    pub arrays: FxHashMap<Sym, Vec<Addr>>,
    /// Sizes of the axes of such arrays, by the symbol of the rank and the axis (from the end if negative).
    pub axes: FxHashMap<(Sym, i64), Dim>,
    /// Ranks that differ from a rank by a constant: after `y = x.unsqueeze(0)`, that of `y` is one more than that of `x`.
    pub related: FxHashMap<Sym, Vec<(Sym, i64)>>,
}

impl Run {
    /// A run from the empty state, with all the fuel there is.
    pub fn new(limits: &Limits, addresses: Addresses) -> Self {
        Self {
            state: State::default(),
            frames: Vec::new(),
            catchers: Vec::new(),
            fuel: Fuel::full(limits),
            addresses,
            sites: AllocSites::default(),
            symbols: SymbolNames::default(),
            dynamic: FxHashSet::default(),
            ranks: OpenRanks::default(),
            definitions: Definitions::default(),
            deferred: Visits::default(),
            effects: EffectLog::default(),
            escape: Escape::default(),
            ran: None,
            receiver: None,
            exact: FxHashSet::default(),
            hints: HintReading::default(),
            comparison: ComparisonProgress::default(),
            lazy: LazyParameters::default(),
            lazy_parts: LazyParts::default(),
            expected_failures: 0,
            lazily: false,
            last_call_unknown: false,
            deepest: 0,
            own_calls: OwnCalls::default(),
        }
    }

    /// The same run with these sizes in gradual reading.
    #[must_use]
    pub fn with_dynamic(mut self, dynamic: FxHashSet<Sym>) -> Self {
        self.dynamic = dynamic;
        self
    }

    /// The same point as the start of a run of its own, with all the fuel there is.
    #[must_use]
    pub fn with_full_fuel(mut self, limits: &Limits) -> Self {
        self.fuel = Fuel::full(limits);
        self
    }
}

impl<'w> Interp<'w> {
    /// Begins a run, and gives back the report of the one before.
    pub fn begin_run(&mut self, run: Run, report: RunReport<'w>) -> RunReport<'w> {
        self.run = run;
        std::mem::replace(&mut self.report, report)
    }
}
