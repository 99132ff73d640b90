//! Fuel: steps of the analysis, counted so that results depend on neither time nor threads.

use super::{Flow, Interp, Limits, Unreachable};

/// In models one step in so many counts: they are cheap and many.
const MODEL_STEPS: u32 = 8;

/// What is left to spend in a run.
#[derive(Clone, Copy, Debug)]
pub struct Fuel {
    left: u64,
    /// The analysis stops: results from here on mean nothing.
    exhausted: bool,
    /// Steps so far, those included that cost nothing.
    ticks: u32,
    /// What all calls together may still take which an uncalled function makes, directly or not.
    inlining: u64,
}

impl Fuel {
    pub fn full(limits: &Limits) -> Self {
        Self { left: limits.fuel, exhausted: false, ticks: 0, inlining: limits.inlining }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    pub(crate) fn inlining(&self) -> u64 {
        self.inlining
    }

    fn take_step(&mut self, in_model: bool) -> Flow<()> {
        if self.left == 0 || self.exhausted {
            self.exhausted = true;
            return Err(Unreachable);
        }
        self.ticks = self.ticks.wrapping_add(1);
        if !in_model || self.ticks.is_multiple_of(MODEL_STEPS) {
            self.left -= 1;
        }
        Ok(())
    }

    /// Leaves no more than a budget for what comes; what is kept back is given back after it.
    pub(crate) fn keep_back_all_but(&mut self, budget: u64) -> u64 {
        let kept_back = self.left.saturating_sub(budget);
        self.left -= kept_back;
        kept_back
    }

    pub(crate) fn give_back(&mut self, kept_back: u64) {
        self.left += kept_back;
    }

    /// A call in an uncalled function is over.
    pub(crate) fn charge_inlining(&mut self, spent: u64) {
        self.inlining = self.inlining.saturating_sub(spent);
    }

    /// Only a part of the fuel was used up, and what used it up is given up.
    pub(super) fn recover_part(&mut self) {
        self.exhausted = false;
    }

    /// What was left at an earlier point is left again.
    pub(super) fn restore_level(&mut self, before: &Self) {
        self.left = before.left;
    }

    /// What was spent since an earlier point.
    pub(crate) fn spent_since(&self, before: &Self) -> u64 {
        before.left - self.left
    }

    /// The steps since an earlier point, unless the count has begun anew.
    pub(crate) fn ticks_since(&self, before: &Self) -> Option<u32> {
        self.ticks.checked_sub(before.ticks)
    }

    /// Whether a model took all the fuel that was spent since an earlier point.
    pub(crate) fn is_spent_by_model(&self, before: &Self) -> bool {
        self.spent_since(before) == before.cost_in_model(self.ticks.wrapping_sub(before.ticks))
    }

    /// The fuel that some steps of a model take from here.
    pub(crate) fn cost_in_model(&self, steps: u32) -> u64 {
        let (from, to) = (u64::from(self.ticks), u64::from(self.ticks) + u64::from(steps));
        let each = u64::from(MODEL_STEPS);
        to / each - from / each
    }

    /// Pays for steps that need not be taken again.
    pub(crate) fn charge_steps(&mut self, steps: u32, cost: u64) {
        self.ticks = self.ticks.wrapping_add(steps);
        self.left -= cost;
    }

    /// Pays once more for what was done since an earlier point.
    pub(super) fn charge_again(&mut self, before: &Self) {
        let inlined = before.inlining - self.inlining;
        self.charge_steps(self.ticks.wrapping_sub(before.ticks), self.spent_since(before));
        self.charge_inlining(inlined);
    }

    /// What is left is not enough for what comes.
    pub(super) fn exhaust(&mut self) {
        self.left = 0;
        self.exhausted = true;
    }
}

impl Interp<'_> {
    /// One step of the analysis; `Err` when there is no fuel left.
    pub fn consume_step(&mut self) -> Flow<()> {
        let in_model = self.in_model();
        self.run.fuel.take_step(in_model)
    }

    /// Whether the analysis stops: results from here on mean nothing.
    pub fn is_exhausted(&self) -> bool {
        self.run.fuel.is_exhausted()
    }
}
