//! Activations: what is known of the code that runs, beside the state.

use std::sync::Arc;

use pytrope_source::TextRange;
use pytrope_source::tree::ExprId;

use crate::code::{Code, ScopeId, ScopeInfo, SharedCode};
use crate::state::State;
use crate::value::{Addr, Value};

/// Where `break` and `continue` of a loop arrive.
#[derive(Clone, Default)]
pub struct LoopExits {
    pub breaks: Option<State>,
    pub continues: Option<State>,
}

/// What a generator has yielded so far.
#[derive(Clone, Default)]
pub struct Yields {
    pub items: Vec<Value>,
    /// The order or number of items is not known.
    pub inexact: bool,
}

/// An activation.
#[derive(Clone)]
pub struct Frame {
    pub code: SharedCode,
    pub id: ScopeId,
    /// The module's scope first, the frame's own last.
    pub chain: Arc<[Addr]>,
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
    /// How many of the branches are bodies of loops over items, of which there may be none.
    pub item_loops: u32,
    /// How many pieces of code that may or may not run are open around it.
    pub around: usize,
    /// How many undecided branches were left by `return` or `raise`: what follows them may not be reached.
    pub exits: u32,
    /// How many handlers of exceptions are open around the current point.
    pub handlers: u32,
    /// The statement that is being run.
    pub statement: TextRange,
    /// A model calls a function of the program with what the library gives it: `jax.lax.fori_loop` gives an index and a value.
    pub calls_back: bool,
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
        self.code.scope_info(self.id)
    }

    /// The activation of a module's own code.
    pub fn of_module(code: &Arc<Code>, scope: Addr) -> Self {
        Self {
            code: SharedCode::new(code),
            id: ScopeId::MODULE,
            chain: Arc::from([scope]),
            function: None,
            class: None,
            first_argument: None,
            node: TextRange::new(0, 0),
            returns: None,
            loops: Vec::new(),
            path: 0,
            instance: 0,
            yields: None,
            undecided: 0,
            branches: 0,
            item_loops: 0,
            around: 0,
            exits: 0,
            handlers: 0,
            statement: TextRange::new(0, 0),
            calls_back: false,
            excluded_branches: Vec::new(),
        }
    }
}
