//! Fuel: steps of the analysis, counted so that results depend on neither time nor threads.

use super::{Flow, Interp, Limits, Unreachable};

/// The steps of a call of a model: those in the model, and at most one outside it, which a class that is called takes for its
/// constructor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ModelSteps {
    count: u32,
    /// Which of the steps is outside the model, counted from one.
    outside: Option<u32>,
}

/// What is left to spend in a run.
#[derive(Clone, Copy, Debug)]
pub struct Fuel {
    left: u64,
    /// The analysis stops: results from here on mean nothing.
    exhausted: bool,
    /// Steps so far, those included that cost nothing.
    ticks: u32,
    /// How many of them were outside models, and which was the last one.
    outside: u32,
    last_outside: u32,
    /// In models one step in so many counts.
    model_steps: u32,
    /// What all calls together may still take which an uncalled function makes, directly or not.
    inlining: u64,
}

impl Fuel {
    pub fn full(limits: &Limits) -> Self {
        let (left, inlining, model_steps) = (limits.fuel, limits.inlining, limits.model_steps);
        Self { left, exhausted: false, ticks: 0, outside: 0, last_outside: 0, model_steps, inlining }
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

    #[inline]
    fn take_step(&mut self, in_model: bool) -> Flow<()> {
        if self.left == 0 || self.exhausted {
            self.exhausted = true;
            return Err(Unreachable);
        }
        self.ticks = self.ticks.wrapping_add(1);
        if !in_model {
            self.outside = self.outside.wrapping_add(1);
            self.last_outside = self.ticks;
        }
        if !in_model || self.ticks.is_multiple_of(self.model_steps) {
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

    /// The steps since an earlier point, if they are those of a call of a model and took all the fuel that was spent.
    pub(crate) fn model_steps_since(&self, before: &Self) -> Option<ModelSteps> {
        // The count may have begun anew.
        let count = self.ticks.checked_sub(before.ticks)?;
        let outside = match self.outside.wrapping_sub(before.outside) {
            0 => None,
            1 => Some(self.last_outside - before.ticks),
            _ => return None,
        };
        let steps = ModelSteps { count, outside };
        (self.spent_since(before) == before.cost_of_model_steps(steps)).then_some(steps)
    }

    /// The fuel that some steps of a call of a model take from here.
    pub(crate) fn cost_of_model_steps(&self, steps: ModelSteps) -> u64 {
        let each = u64::from(self.model_steps);
        let from = u64::from(self.ticks);
        let in_model = (from + u64::from(steps.count)) / each - from / each;
        let outside = steps.outside.is_some_and(|at| !(from + u64::from(at)).is_multiple_of(each));
        in_model + u64::from(outside)
    }

    /// The steps since an earlier point, unless the count has begun anew.
    pub(crate) fn steps_since(&self, before: &Self) -> Option<u32> {
        self.ticks.checked_sub(before.ticks)
    }

    /// Pays for the steps of a model that need not be taken again.
    pub(crate) fn charge_model_steps(&mut self, steps: ModelSteps) {
        let cost = self.cost_of_model_steps(steps);
        if let Some(at) = steps.outside {
            self.outside = self.outside.wrapping_add(1);
            self.last_outside = self.ticks.wrapping_add(at);
        }
        self.ticks = self.ticks.wrapping_add(steps.count);
        self.left -= cost;
    }

    /// Pays for steps that need not be taken again and are not those of a call of a model.
    pub(crate) fn charge_steps(&mut self, steps: u32, cost: u64) {
        self.outside = self.outside.wrapping_add(2);
        self.ticks = self.ticks.wrapping_add(steps);
        self.left -= cost;
    }

    /// Pays once more for what was done since an earlier point.
    pub(super) fn charge_again(&mut self, before: &Self) {
        let inlined = before.inlining - self.inlining;
        self.outside = self.outside.wrapping_add(self.outside.wrapping_sub(before.outside));
        self.left -= self.spent_since(before);
        self.ticks = self.ticks.wrapping_add(self.ticks.wrapping_sub(before.ticks));
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
    #[inline]
    pub fn consume_step(&mut self) -> Flow<()> {
        let in_model = self.in_model();
        self.run.fuel.take_step(in_model)
    }

    /// Whether the analysis stops: results from here on mean nothing.
    pub fn is_exhausted(&self) -> bool {
        self.run.fuel.is_exhausted()
    }
}
