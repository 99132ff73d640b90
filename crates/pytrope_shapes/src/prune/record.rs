//! What is written down while the entry runs: how each test was decided in each call, and what was required, called and
//! doubted where.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_eval::code::Code;
use pytrope_eval::{BranchEvent, CallEvent, Observer, RequireEvent};
use pytrope_source::tree::ExprId;
use pytrope_source::{SourceFile, Span, TextRange};
use rustc_hash::FxHashSet;

use pytrope_models::effects::{ModelEffect, declared_effect};

use super::effects::EvaluationEvidence;
use crate::entry::session::COMMAND_LINE;

/// How one test was decided.
#[derive(Default)]
pub struct BranchTally {
    /// By evaluation: a call path, and the iterations of the loops on it.
    calls: BTreeMap<u64, SeenBranch>,
    /// The evaluations while the entry is made.
    constructions: Vec<SeenBranch>,
    /// An undecided condition, for people.
    pub open: Option<String>,
    /// What was compared where it was decided, for people.
    pub compared: Option<String>,
}

#[derive(Clone, Copy, Default)]
struct SeenBranch {
    yes: bool,
    no: bool,
    open: bool,
}

impl SeenBranch {
    fn decided(self) -> Option<bool> {
        match (self.yes, self.no, self.open) {
            (true, false, false) => Some(true),
            (false, true, false) => Some(false),
            _ => None,
        }
    }
}

impl BranchTally {
    /// The one answer of every call.
    pub fn decision(&self) -> Option<bool> {
        let mut answers = self.calls.values().chain(&self.constructions).map(|seen| seen.decided());
        let first = answers.next()??;
        answers.all(|answer| answer == Some(first)).then_some(first)
    }

    /// Whether calls decide it differently.
    pub fn is_decided_both_ways(&self) -> bool {
        let all = || self.calls.values().chain(&self.constructions);
        all().any(|seen| seen.yes) && all().any(|seen| seen.no)
    }

    pub fn instances(&self) -> usize {
        self.calls.len()
    }

    pub fn decided(&self) -> usize {
        self.calls.values().filter(|seen| seen.decided().is_some()).count()
    }
}

/// A place in a file that is held in memory once.
type BranchPlace = (*const SourceFile, TextRange);

/// All tests and requirements of a run.
#[derive(Default)]
pub struct Branches {
    codes: BTreeMap<u32, Arc<Code>>,
    tallies: BTreeMap<(u32, ExprId), BranchTally>,
    /// Places where something may raise or is not known.
    doubted: FxHashSet<BranchPlace>,
    /// Places where code of the program runs, or a model that may do more than give a value.
    effectful: FxHashSet<BranchPlace>,
    /// Places where only models run that read shapes.
    queries: FxHashSet<BranchPlace>,
    /// Places where other models without effects run.
    pure: FxHashSet<BranchPlace>,
    /// Places where a requirement was proved.
    proved: FxHashSet<BranchPlace>,
    unknown: Vec<Span>,
    unknown_seen: FxHashSet<BranchPlace>,
}

impl Branches {
    pub fn analysed_codes(&self) -> Vec<&Arc<Code>> {
        self.codes.values().collect()
    }

    /// A file takes part even if no test of it was reached.
    pub fn add(&mut self, code: &Arc<Code>) {
        self.codes.entry(code.module).or_insert_with(|| Arc::clone(code));
    }

    pub fn has_test(&self, code: &Code, test: ExprId) -> bool {
        self.tallies.contains_key(&(code.module, test))
    }

    pub fn tests_of(&self, code: &Code) -> impl Iterator<Item = (ExprId, &BranchTally)> {
        let module = code.module;
        self.tallies.range((module, ExprId(0))..=(module, ExprId(u32::MAX))).map(|((_, test), tally)| (*test, tally))
    }

    /// What every evaluation of a test says, if they agree.
    pub fn decision_of(&self, code: &Code, test: ExprId) -> Option<bool> {
        self.tallies.get(&(code.module, test))?.decision()
    }

    /// Counts the evaluations that making the entry needs, for tests that its calls evaluate too.
    pub fn absorb_construction(&mut self, construction: &Self) {
        for (place, tally) in &construction.tallies {
            if let Some(own) = self.tallies.get_mut(place) {
                // Call paths of the two are told apart by where they begin.
                own.constructions.extend(tally.calls.values().copied());
            }
        }
        self.doubted.extend(&construction.doubted);
        self.effectful.extend(&construction.effectful);
    }

    pub fn unknown_calls(&self) -> &[Span] {
        &self.unknown
    }

    /// What is known of evaluating a part of the source.
    pub fn evidence_at(&self, code: &Code, range: TextRange) -> EvaluationEvidence {
        let place = (Arc::as_ptr(&code.file), range);
        if self.doubted.contains(&place) || self.effectful.contains(&place) {
            EvaluationEvidence::Needed
        } else if self.proved.contains(&place) {
            EvaluationEvidence::Proved
        } else if self.pure.contains(&place) {
            EvaluationEvidence::Unproved
        } else if self.queries.contains(&place) {
            EvaluationEvidence::Query
        } else {
            EvaluationEvidence::None
        }
    }
}

/// Writes down what happens.
#[derive(Clone, Default)]
pub struct BranchRecorder(pub Rc<RefCell<Branches>>);

fn place_of(span: &Span) -> BranchPlace {
    (Arc::as_ptr(&span.file), span.range)
}

impl Observer for BranchRecorder {
    fn on_branch(&mut self, event: &BranchEvent<'_>) {
        if event.code.is_model || event.code.file.path() == COMMAND_LINE {
            return;
        }
        let mut branches = self.0.borrow_mut();
        branches.codes.entry(event.code.module).or_insert_with(|| Arc::clone(event.code));
        let tally = branches.tallies.entry((event.code.module, event.test)).or_default();
        let seen = tally.calls.entry(event.instance).or_default();
        let (flag, shown) = match event.verdict {
            ThreeValued::True => (&mut seen.yes, &mut tally.compared),
            ThreeValued::False => (&mut seen.no, &mut tally.compared),
            ThreeValued::Open(()) => (&mut seen.open, &mut tally.open),
        };
        *flag = true;
        if shown.is_none() {
            shown.clone_from(&event.shown);
        }
    }

    fn on_require(&mut self, event: &RequireEvent<'_>) {
        let mut branches = self.0.borrow_mut();
        let places = if event.verdict == ThreeValued::True { &mut branches.proved } else { &mut branches.doubted };
        places.insert(place_of(&event.span));
    }

    fn on_call(&mut self, event: &CallEvent<'_>) {
        let place = (Arc::as_ptr(&event.code.file), event.range);
        let mut branches = self.0.borrow_mut();
        let places = match declared_effect(event.name.text(), event.receiver) {
            ModelEffect::Query if event.is_model => &mut branches.queries,
            ModelEffect::Pure if event.is_model => &mut branches.pure,
            ModelEffect::Query | ModelEffect::Pure | ModelEffect::Other => &mut branches.effectful,
        };
        places.insert(place);
    }

    fn on_may_raise(&mut self, span: &Span) {
        self.0.borrow_mut().doubted.insert(place_of(span));
    }

    fn on_unknown(&mut self, span: &Span, _reason: &str) {
        let mut branches = self.0.borrow_mut();
        branches.doubted.insert(place_of(span));
        if branches.unknown_seen.insert(place_of(span)) {
            branches.unknown.push(span.clone());
        }
    }
}
