//! Branches: each side starts from the same state, and what the sides leave is joined.
//!
//! A journal remembers the first old value of every cell that is written. To run the other side, the old values are put
//! back; cells that neither side wrote are never touched.

use rustc_hash::FxHashMap;

use super::{FlowRun, FlowValue, ObjectCell};
use crate::trace::ExprPlace;

/// Cells and what they held before; `None` for a cell that did not exist.
pub(super) type Journal = FxHashMap<ObjectCell, Option<FlowValue>>;

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The next statement runs.
    Falls,
    /// `break` and `continue`.
    LeavesLoop,
    /// `return` and `raise`.
    LeavesFunction,
}

impl FlowRun<'_> {
    /// FlowRun several ways of which one is taken, and join what those leave that go on.
    pub(super) fn run_alternatives(&mut self, ways: &mut [&mut dyn FnMut(&mut Self) -> Ending]) -> Ending {
        let mut results: Vec<Journal> = Vec::new();
        let mut ending: Option<Ending> = None;
        for way in ways.iter_mut() {
            self.journals.push(Journal::default());
            self.conditional += 1;
            let end = way(self);
            self.conditional -= 1;
            let result = self.roll_back();
            match end {
                Ending::Falls => results.push(result),
                Ending::LeavesLoop | Ending::LeavesFunction => {
                    if let Some(left) = self.left.last_mut() {
                        left.push(result);
                    }
                }
            }
            ending = Some(match (ending, end) {
                (None, end) => end,
                (Some(Ending::Falls), _) | (_, Ending::Falls) => Ending::Falls,
                (Some(Ending::LeavesLoop), _) | (_, Ending::LeavesLoop) => Ending::LeavesLoop,
                (Some(Ending::LeavesFunction), Ending::LeavesFunction) => Ending::LeavesFunction,
            });
        }
        self.join_results(&results);
        ending.unwrap_or(Ending::Falls)
    }

    /// FlowRun something that may not happen.
    pub(super) fn run_perhaps(&mut self, way: &mut dyn FnMut(&mut Self) -> Ending) -> Ending {
        self.run_alternatives(&mut [way, &mut |_| Ending::Falls])
    }

    /// Take back what the last journal recorded, and give the new values.
    fn roll_back(&mut self) -> Journal {
        let journal = self.journals.pop().expect("every way opens a journal");
        let mut result = Journal::default();
        for (cell, old) in journal {
            let new = match old {
                Some(old) => self.cells.insert(cell, old),
                None => self.cells.remove(&cell),
            };
            result.insert(cell, new);
        }
        result
    }

    /// Write the join of what several ways left; a way that did not write a cell left the old value there.
    pub(super) fn join_results(&mut self, results: &[Journal]) {
        let mut cells: Vec<ObjectCell> = results.iter().flat_map(|result| result.keys().copied()).collect();
        cells.sort_unstable();
        cells.dedup();
        for cell in cells {
            let mut joined: Option<FlowValue> = None;
            for result in results {
                let value = match result.get(&cell) {
                    Some(value) => value.clone(),
                    None => self.cells.get(&cell).cloned(),
                };
                joined = match (joined, value) {
                    (Some(known), Some(value)) => Some(known.join(&value)),
                    (known, value) => known.or(value),
                };
            }
            self.write_interned(cell, joined);
        }
    }

    /// FlowRun a loop's body or a function's, and join at its end the states of the ways that left it early.
    pub(super) fn collect_endings(&mut self, body: &mut dyn FnMut(&mut Self) -> Ending) -> Ending {
        self.left.push(Vec::new());
        let ending = body(self);
        let left = self.left.pop().expect("pushed above");
        if !left.is_empty() {
            // What the ways left is relative to states that later statements have changed: it is joined into those.
            let mut results = left;
            results.push(Journal::default());
            self.join_results(&results);
        }
        ending
    }

    /// FlowRun something under a condition that differs between ranks.
    pub(super) fn run_under_condition(
        &mut self,
        condition: Option<ExprPlace>,
        way: &mut dyn FnMut(&mut Self) -> Ending,
    ) -> Ending {
        if let Some(condition) = condition {
            self.divergent.push(condition);
        }
        let ending = way(self);
        if condition.is_some() {
            self.divergent.pop();
        }
        ending
    }
}
