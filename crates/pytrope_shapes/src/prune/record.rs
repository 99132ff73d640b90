//! What is written down while the entry runs: how each test was decided in each call, and what was required where.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_dims::Truth;
use pytrope_eval::code::Code;
use pytrope_eval::{BranchEvent, Observer, RequireEvent};
use pytrope_source::tree::ExprId;
use pytrope_source::{Span, TextRange};

/// How one test was decided.
#[derive(Default)]
pub struct Tally {
    /// By activation.
    calls: BTreeMap<u64, Seen>,
    /// An undecided condition, for people.
    pub open: Option<String>,
}

#[derive(Clone, Copy, Default)]
struct Seen {
    yes: bool,
    no: bool,
    open: bool,
}

impl Seen {
    fn decided(self) -> Option<bool> {
        match (self.yes, self.no, self.open) {
            (true, false, false) => Some(true),
            (false, true, false) => Some(false),
            _ => None,
        }
    }
}

impl Tally {
    /// The one answer of every call.
    pub fn decision(&self) -> Option<bool> {
        let mut answers = self.calls.values().map(|seen| seen.decided());
        let first = answers.next()??;
        answers.all(|answer| answer == Some(first)).then_some(first)
    }

    /// Whether calls decide it differently.
    pub fn both(&self) -> bool {
        self.calls.values().any(|seen| seen.yes) && self.calls.values().any(|seen| seen.no)
    }

    pub fn instances(&self) -> usize {
        self.calls.len()
    }

    pub fn decided(&self) -> usize {
        self.calls.values().filter(|seen| seen.decided().is_some()).count()
    }
}

/// All tests and requirements of a run.
#[derive(Default)]
pub struct Branches {
    codes: BTreeMap<u32, Arc<Code>>,
    tallies: BTreeMap<(u32, ExprId), Tally>,
    /// Requirements by place: whether all of them were proved.
    required: Vec<(Span, bool)>,
    unknown: Vec<Span>,
}

impl Branches {
    pub fn codes(&self) -> Vec<&Arc<Code>> {
        self.codes.values().collect()
    }

    pub fn of(&self, code: &Code) -> impl Iterator<Item = (ExprId, &Tally)> {
        let module = code.module;
        self.tallies.range((module, ExprId(0))..=(module, ExprId(u32::MAX))).map(|((_, test), tally)| (*test, tally))
    }

    pub fn unknown(&self) -> &[Span] {
        &self.unknown
    }

    /// Whether evaluating a part of the source cannot fail: something was required in it, all of it was proved, and nothing
    /// unknown was called.
    pub fn all_proved(&self, code: &Code, range: TextRange) -> bool {
        let inside = |span: &Span| {
            span.file.path() == code.file.path() && range.start <= span.range.start && span.range.end <= range.end
        };
        let mut any = false;
        for (span, proved) in &self.required {
            if inside(span) {
                any = true;
                if !proved {
                    return false;
                }
            }
        }
        any && !self.unknown.iter().any(inside)
    }
}

/// Writes down what happens.
#[derive(Clone, Default)]
pub struct Recorder(pub Rc<RefCell<Branches>>);

impl Observer for Recorder {
    fn on_branch(&mut self, event: &BranchEvent<'_>) {
        if event.code.is_model || event.code.file.path() == "<command line>" {
            return;
        }
        let mut branches = self.0.borrow_mut();
        branches.codes.entry(event.code.module).or_insert_with(|| Arc::clone(event.code));
        let tally = branches.tallies.entry((event.code.module, event.test)).or_default();
        let seen = tally.calls.entry(event.path).or_default();
        match event.verdict {
            Truth::True => seen.yes = true,
            Truth::False => seen.no = true,
            Truth::Open => {
                seen.open = true;
                if tally.open.is_none() {
                    tally.open = event
                        .condition
                        .map(|_| format!("`{}`", event.code.file.slice(event.code.tree[event.test].range)));
                }
            }
        }
    }

    fn on_require(&mut self, event: &RequireEvent<'_>) {
        self.0.borrow_mut().required.push((event.span.clone(), event.verdict == Truth::True));
    }

    fn on_unknown(&mut self, span: &Span, _reason: &str) {
        self.0.borrow_mut().unknown.push(span.clone());
    }
}
