//! What an analysis depends on beside the text of its module and the configuration: the modules it asked for, and the answers of the
//! program's index that it used.
//!
//! The recording is of what was asked, not of what could be: an answer that was never asked for cannot have changed anything. A module
//! that is evaluated in the middle of another analysis has a recording of its own, and the analysis around it depends on the module.
//! Recordings lie on a stack of the thread, since a question is asked wherever code is evaluated.

use std::cell::RefCell;
use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::index::IndexQuestion;

/// What one analysis has asked for.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Dependencies {
    /// Keys of modules, in the order in which they were first asked for; also of those that do not exist.
    pub modules: IndexSet<Arc<str>, FxBuildHasher>,
    pub answers: FxHashMap<IndexQuestion, bool>,
    /// It met a module whose evaluation was going on: what it saw depends on where the import cycle was entered.
    pub met_cycle: bool,
}

thread_local! {
    static RECORDINGS: RefCell<Vec<Dependencies>> = const { RefCell::new(Vec::new()) };
}

/// Runs an analysis and records what it depends on, if that is wanted.
pub fn recorded<T>(is_wanted: bool, analysis: impl FnOnce() -> T) -> (T, Dependencies) {
    if !is_wanted {
        return (analysis(), Dependencies::default());
    }
    let depth = RECORDINGS.with_borrow_mut(|recordings| {
        recordings.push(Dependencies::default());
        recordings.len()
    });
    let result = analysis();
    let recording = RECORDINGS.with_borrow_mut(|recordings| {
        // What a panic has left above belongs to analyses that did not end.
        recordings.truncate(depth);
        recordings.pop()
    });
    (result, recording.unwrap_or_default())
}

/// Runs a step and tells which answers it used; they count for the analysis around it too.
pub(crate) fn answers_used<T>(step: impl FnOnce() -> T) -> (T, Vec<(IndexQuestion, bool)>) {
    let Some(outer) = swap_answers(FxHashMap::default()) else { return (step(), Vec::new()) };
    let result = step();
    let used = swap_answers(outer).unwrap_or_default();
    let used: Vec<_> = used.into_iter().collect();
    record_answers(&used);
    (result, used)
}

fn swap_answers(answers: FxHashMap<IndexQuestion, bool>) -> Option<FxHashMap<IndexQuestion, bool>> {
    RECORDINGS.with_borrow_mut(|recordings| {
        recordings.last_mut().map(|recording| std::mem::replace(&mut recording.answers, answers))
    })
}

/// Records answers that were used when something was computed which is now used again.
pub(crate) fn record_answers(answers: &[(IndexQuestion, bool)]) {
    for (question, answer) in answers {
        record_answer(*question, *answer);
    }
}

pub(super) fn record_answer(question: IndexQuestion, answer: bool) {
    RECORDINGS.with_borrow_mut(|recordings| {
        if let Some(recording) = recordings.last_mut() {
            recording.answers.insert(question, answer);
        }
    });
}

pub(super) fn record_module(key: &Arc<str>) {
    RECORDINGS.with_borrow_mut(|recordings| {
        if let Some(recording) = recordings.last_mut()
            && !recording.modules.contains(key)
        {
            recording.modules.insert(Arc::clone(key));
        }
    });
}

pub(super) fn record_cycle() {
    RECORDINGS.with_borrow_mut(|recordings| {
        if let Some(recording) = recordings.last_mut() {
            recording.met_cycle = true;
        }
    });
}
