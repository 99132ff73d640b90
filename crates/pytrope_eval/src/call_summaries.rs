//! What is remembered of calls: summaries by a description of everything the call depends on.
//!
//! How a call is described, and when a summary may stand for it, is in `calls/summaries.rs`; this is what a program and a
//! run keep.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use num_bigint::BigInt;
use pytrope_dims::{Dim, Interval, Store, Sym};
use rustc_hash::FxHashMap;

use crate::code::ScopeId;
use crate::interp::{ModelSteps, ProgramPoint};
use crate::names::Name;
use crate::object::Object;
use crate::program::index::IndexQuestion;
use crate::value::{Addr, BuiltinType, Reason, Value};

/// How many calls are remembered.
const MOST: usize = 1 << 16;

/// One word of a description.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Token {
    /// What comes next, and how many parts it has.
    Of(TokenSort, u32),
    Int(i64),
    Wide(i128),
    Big(Arc<BigInt>),
    Float(u64),
    Text(Arc<str>),
    Bytes(Arc<[u8]>),
    BuiltinType(BuiltinType),
    Name(Name),
    Reason(Reason),
    /// In terms of numbered symbols.
    Dim(Dim),
    /// The number of an object met before.
    Again(u32),
    /// An object of a model, which never changes.
    EvaluatedModule(Addr),
    /// A function of the interpreter, by where it lies.
    Native(usize),
    /// A symbol of which the facts say intervals alone.
    Intervals([Option<Interval>; 2]),
    /// A symbol that the facts relate to others.
    Symbol(Sym),
    /// A function's code, by its module.
    Code(u32, ScopeId),
}

/// Kinds of parts of a description.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TokenSort {
    Call,
    Declared,
    Positional,
    Keyword,
    None,
    Ellipsis,
    NotImplemented,
    Bool,
    Test,
    Complex,
    Any,
    Tuple,
    OpenTuple,
    Range,
    Slice,
    Bound,
    Method,
    Union,
    List,
    Dict,
    Set,
    FrozenSet,
    Instance,
    Array,
    Many,
    Known,
    Prefix,
    Suffix,
    Slots,
    Absent,
    Present,
    Order,
    Module,
    Function,
    Class,
    Property,
    StaticMethod,
    ClassMethod,
}

/// What came of a call, in terms of numbered objects and symbols.
pub(crate) struct CallSummary {
    pub value: Value,
    /// New objects that the value reaches.
    pub made: Vec<Made>,
    /// How many objects were made, including unreachable ones.
    pub allocated: u32,
    /// New symbols, the oldest first, with their names.
    pub symbols: Vec<(Sym, Option<Arc<str>>)>,
    pub steps: SummarySteps,
    /// For the program's own functions: the places that were met.
    pub met: Vec<ProgramPoint>,
    /// How many frames it had on top of its caller's.
    pub depth: usize,
    pub last_call_unknown: bool,
    /// What the program's index answered when the call was run, if that was recorded.
    pub answers: Vec<(IndexQuestion, bool)>,
    /// Kept so that the identity of the facts in the description stays theirs.
    pub _facts: Option<Store>,
}

/// The steps that running a call takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SummarySteps {
    OfModel(ModelSteps),
    /// Those of the program's own function, and the fuel that they took.
    OfProgram {
        count: u32,
        fuel: u64,
    },
}

/// A new object: how many were made before it, and whether it is said to be born where the program called.
pub(crate) struct Made {
    pub number: u32,
    pub object: Object,
    pub is_born_here: bool,
}

/// The summaries of a run.
#[derive(Default)]
pub(crate) struct Summaries {
    pub known: RwLock<FxHashMap<Box<[Token]>, Arc<CallSummary>>>,
    pub used: AtomicUsize,
}

impl Summaries {
    /// How many calls were not run.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    pub fn get(&self, tokens: &[Token]) -> Option<Arc<CallSummary>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(tokens).cloned()
    }

    /// Forgets all if there are more than so many.
    pub fn trim(&mut self, most: usize) {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        if known.len() > most {
            known.clear();
        }
    }

    pub fn insert(&self, tokens: Vec<Token>, summary: CallSummary) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST {
            known.insert(tokens.into_boxed_slice(), Arc::new(summary));
        }
    }
}

/// The summaries of the program's own functions in one interpreter.
#[derive(Clone, Default)]
pub(crate) struct OwnCalls {
    pub known: FxHashMap<Box<[Token]>, Arc<CallSummary>>,
    /// How often it is still worth to describe a call of a function, for those that have been called.
    pub miss_budget: FxHashMap<(u32, ScopeId), u32>,
}
