//! What stays the same over all runs of one analysis: the program, the limits, and what is asked for.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Interp;
use super::given_arrays::GivenArrays;
use crate::code::{Code, ScopeId, SharedCode};
use crate::program::Program;
use crate::value::{Addr, Value};

/// Limits of one analysis, in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub fuel: u64,
    pub depth: u32,
    pub loop_iterations: u32,
    pub loop_fuel: u64,
    /// Steps one inlined call may take.
    pub call_fuel: u64,
    /// Steps that all calls together may take which an uncalled function makes, directly or not.
    pub inlining: u64,
    /// In models one step in so many counts: they are cheap and many.
    pub model_steps: u32,
}

impl Limits {
    /// Those of a file that is run as a script: loops over batches inside loops over epochs call the same network many times,
    /// and nearly all steps are those of its layers.
    pub fn of_script() -> Self {
        Self { model_steps: 64, ..Self::default() }
    }
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
            model_steps: 8,
        }
    }
}

/// What was asked of a class as its module left it, and stays true for the whole analysis.
#[derive(Clone, Default)]
pub(crate) struct EvaluatedClass {
    /// Whether a method of it has a special name that only a metaclass calls.
    pub serves_metaclass: Option<bool>,
    /// The attributes that may hold functions, which escape with the class.
    pub held: Option<Arc<[Value]>>,
}

/// What lives for the whole analysis of a module. Nothing in it depends on what a run has computed, except for
/// [`Analysis::costly`], which holds code and no values, and for [`GivenArrays`], which only decide what is shown.
pub struct Analysis<'w> {
    pub program: &'w Program,
    /// The module whose code is analysed.
    pub module: u32,
    pub limits: Limits,
    /// Report what may fail.
    pub possible: bool,
    /// Uncalled functions are analysed: globals may have changed.
    pub uncalled_entry: bool,
    /// Nothing is reported, and what annotations and defaults suggest is taken for true.
    pub assumes: bool,
    /// What functions of the module are given by others, where shapes are shown.
    pub(crate) given_arrays: GivenArrays,
    /// In modules of packages: functions that used up what a call may take, which are not followed again.
    costly: Option<FxHashSet<(u32, ScopeId)>>,
    /// What was asked of classes of evaluated modules, which no run has changed.
    pub(crate) evaluated_classes: FxHashMap<Addr, EvaluatedClass>,
    /// The code of the functions that have run.
    codes: FxHashMap<u32, SharedCode>,
}

impl<'w> Analysis<'w> {
    pub fn new(program: &'w Program, module: u32, limits: Limits) -> Self {
        Self {
            program,
            module,
            limits,
            possible: false,
            uncalled_entry: false,
            assumes: false,
            given_arrays: GivenArrays::default(),
            costly: None,
            evaluated_classes: FxHashMap::default(),
            codes: FxHashMap::default(),
        }
    }

    /// From here on functions that use up what a call may take are not followed again.
    pub(crate) fn avoid_costly(&mut self) {
        self.costly = Some(FxHashSet::default());
    }

    pub(crate) fn avoids_costly(&self) -> bool {
        self.costly.is_some()
    }

    pub(crate) fn is_costly(&self, function: (u32, ScopeId)) -> bool {
        self.costly.as_ref().is_some_and(|costly| costly.contains(&function))
    }

    /// A function has used up what one call may take.
    pub(crate) fn record_costly(&mut self, function: (u32, ScopeId)) {
        if let Some(costly) = &mut self.costly {
            costly.insert(function);
        }
    }
}

impl Interp<'_> {
    /// A function's code, for its frame.
    pub(crate) fn shared_code(&mut self, code: &Arc<Code>) -> SharedCode {
        let known = self.analysis.codes.entry(code.module).or_insert_with(|| SharedCode::new(code));
        // What the command line asks for has code of its own in the module it is asked about.
        if Arc::ptr_eq(known, code) { known.clone() } else { SharedCode::new(code) }
    }
}
