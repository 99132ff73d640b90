//! Points of a run to come back to when what follows them is given up.

use super::{Fuel, Interp};
use crate::recency::AllocSites;

/// How far the stacks of a run reach. State and fuel are the caller's: what was spent stays spent, and whether what was
/// learned stays depends on what is given up.
pub(crate) struct Checkpoint {
    frames: usize,
    catchers: usize,
    mute: u32,
    visits: (u32, usize),
    fuel: Fuel,
}

impl Interp<'_> {
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            frames: self.run.frames.len(),
            catchers: self.run.catchers.len(),
            mute: self.report.mute,
            visits: self.visits_mark(),
            fuel: self.run.fuel,
        }
    }

    /// Gives up what has run since a checkpoint: the stacks are as they were, and nothing that is held back from then on
    /// can be trusted to have failed each time.
    pub(crate) fn roll_back(&mut self, to: &Checkpoint) {
        self.run.fuel.recover_part();
        self.run.frames.truncate(to.frames);
        self.run.catchers.truncate(to.catchers);
        self.report.mute = to.mute;
        self.visits_reset(to.visits);
    }

    /// As [`Interp::roll_back`], for a function that was run for itself: the next one has the same fuel and stands in no loop.
    pub(crate) fn end_entry(&mut self, entry: &Checkpoint) {
        self.roll_back(entry);
        self.run.sites = AllocSites::default();
        self.run.fuel.restore_level(&entry.fuel);
    }
}
