//! The full decision procedure: formulas with reasons, models, and shrunk explanations.

mod flatten;
mod nonlinear;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use crate::constraint::Constraint;
use crate::dim::Dim;
use crate::effort::counted;
use crate::formula::Formula;
use crate::interval::Interval;
use crate::symbol::{FactReason, Sym};

pub(crate) use search::SearchResult;

/// Values of symbols that satisfy a problem.
pub type Model = BTreeMap<Sym, i128>;

/// What came of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Values that satisfy every assertion; checked by evaluation before they are given out.
    Sat(Model),
    /// No values do.
    Unsat,
    /// Outside the fragments that are decided, or out of budget.
    Unknown,
}

/// Steps a problem may take; about a tenth of a second in a release build.
const BUDGET: u32 = 300_000;

/// A conjunction of formulas, each with the reason it is there.
///
/// Decided completely (up to the budget): boolean combinations of linear constraints, with floor
/// division and modulo by constants, `min` and `max`. Products and division by symbols are decided
/// where intervals, cancellation, divisors or enumeration of bounded symbols suffice.
#[derive(Clone, Debug)]
pub struct Problem {
    assertions: Vec<(Formula, FactReason)>,
    bounds: BTreeMap<Sym, Interval>,
    preferences: Vec<(Sym, Vec<i128>)>,
    budget: u32,
}

impl Default for Problem {
    fn default() -> Self {
        Self { assertions: Vec::new(), bounds: BTreeMap::new(), preferences: Vec::new(), budget: BUDGET }
    }
}

impl Problem {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with_budget(mut self, steps: u32) -> Self {
        self.budget = steps;
        self
    }

    /// Introduces a symbol within an interval; others are unbounded.
    pub fn declare(&mut self, sym: Sym, interval: Interval) {
        self.bounds.insert(sym, interval);
    }

    pub fn assert(&mut self, formula: impl Into<Formula>, reason: FactReason) {
        self.assertions.push((formula.into(), reason));
    }

    /// Values to try for a symbol, best first, once the problem is known to have a model.
    pub fn prefer(&mut self, sym: Sym, values: impl IntoIterator<Item = i128>) {
        self.preferences.push((sym, values.into_iter().collect()));
    }

    pub fn assertions(&self) -> &[(Formula, FactReason)] {
        &self.assertions
    }

    pub fn bounds(&self) -> &BTreeMap<Sym, Interval> {
        &self.bounds
    }

    /// All symbols declared or mentioned.
    pub fn symbols(&self) -> BTreeSet<Sym> {
        let mut found: BTreeSet<Sym> = self.bounds.keys().copied().collect();
        for (formula, _) in &self.assertions {
            formula.collect_symbols(&mut found);
        }
        found
    }

    /// Whether values satisfy the problem; `None` where a division by zero leaves that open.
    pub fn eval(&self, model: &Model) -> Option<bool> {
        let value = |sym: Sym| model.get(&sym).copied();
        let in_bounds = self.bounds.iter().all(|(sym, interval)| model.get(sym).is_some_and(|v| interval.contains(*v)));
        if !in_bounds {
            return Some(false);
        }
        for (formula, _) in &self.assertions {
            if !formula.eval(&value)? {
                return Some(false);
            }
        }
        Some(true)
    }

    pub fn solve(&self) -> Answer {
        counted(|| self.search_answer())
    }

    fn search_answer(&self) -> Answer {
        let all: Vec<&Formula> = self.assertions.iter().map(|(formula, _)| formula).collect();
        if let Some(model) = self.guess_model(&all) {
            return Answer::Sat(model);
        }
        match self.attempt(&all, self.budget) {
            Answer::Sat(model) => Answer::Sat(self.prefer_natural_values(&all, model)),
            answer => answer,
        }
    }

    /// The model that has every preferred value that intervals allow, if it is one: most are.
    /// Nothing is more natural, so there is nothing to search for.
    fn guess_model(&self, formulas: &[&Formula]) -> Option<Model> {
        if self.preferences.is_empty() {
            return None;
        }
        let (store, _) = search::assume_formulas(formulas, &self.bounds)?;
        let mut model = Model::new();
        for (sym, values) in &self.preferences {
            let interval = store.bounds(&Dim::symbol(*sym));
            if let Some(value) = values.iter().find(|value| interval.contains(**value)) {
                model.entry(*sym).or_insert(*value);
            }
        }
        for sym in self.symbols() {
            let interval = store.bounds(&Dim::symbol(sym));
            model.entry(sym).or_insert_with(|| any_value(&interval));
        }
        // Symbols that equations give follow from the others.
        for (sym, solution) in store.solutions() {
            let value = solution.eval(&|sym| model.get(&sym).copied())?;
            model.insert(sym, value);
        }
        (self.eval(&model) == Some(true)).then_some(model)
    }

    fn attempt(&self, formulas: &[&Formula], budget: u32) -> Answer {
        match search::run(formulas, &self.bounds, budget) {
            SearchResult::Model(mut model) => {
                let symbols = self.symbols();
                // The search may have named quotients.
                model.retain(|sym, _| symbols.contains(sym));
                for sym in symbols {
                    let interval = self.bounds.get(&sym).copied().unwrap_or(Interval::ALL);
                    model.entry(sym).or_insert_with(|| any_value(&interval));
                }
                let value = |sym: Sym| model.get(&sym).copied();
                let holds = formulas.iter().all(|formula| formula.eval(&value) == Some(true));
                if holds { Answer::Sat(model) } else { Answer::Unknown }
            }
            SearchResult::Nothing => Answer::Unsat,
            SearchResult::Unknown => Answer::Unknown,
        }
    }

    /// Moves a model towards the preferred values, one symbol after the other.
    fn prefer_natural_values(&self, formulas: &[&Formula], mut model: Model) -> Model {
        let mut fixed: Vec<Formula> = Vec::new();
        for (sym, values) in &self.preferences {
            for value in values {
                let constraint = Constraint::equal(&Dim::symbol(*sym), &Dim::constant(*value));
                let Some(constraint) = constraint else {
                    continue;
                };
                let wish = Formula::from(constraint);
                if model.get(sym) != Some(value) {
                    let mut all = formulas.to_vec();
                    all.extend(&fixed);
                    all.push(&wish);
                    match self.attempt(&all, self.budget / 16) {
                        Answer::Sat(better) => model = better,
                        Answer::Unsat | Answer::Unknown => continue,
                    }
                }
                fixed.push(wish);
                break;
            }
        }
        model
    }

    /// For an unsatisfiable problem, reasons that suffice for that, shrunk by deletion.
    pub fn explain(&self) -> Option<Vec<FactReason>> {
        counted(|| self.shrink_reasons())
    }

    fn shrink_reasons(&self) -> Option<Vec<FactReason>> {
        let mut kept: Vec<&(Formula, FactReason)> = self.assertions.iter().collect();
        let refuted = |kept: &[&(Formula, FactReason)]| {
            let formulas: Vec<&Formula> = kept.iter().map(|(formula, _)| formula).collect();
            self.attempt(&formulas, self.budget / 4) == Answer::Unsat
        };
        if !refuted(&kept) {
            return None;
        }
        // Large halves first, then one by one.
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let mut end = kept.len();
            while end > 0 {
                let start = end.saturating_sub(size);
                let mut fewer = kept.clone();
                fewer.drain(start..end);
                if refuted(&fewer) {
                    kept = fewer;
                }
                end = start.min(kept.len());
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
        let mut reasons: Vec<FactReason> = kept.iter().map(|(_, reason)| *reason).collect();
        reasons.sort_unstable();
        reasons.dedup();
        Some(reasons)
    }
}

/// A value of the interval, 1 if possible.
pub(crate) fn any_value(interval: &Interval) -> i128 {
    match (interval.lo, interval.hi) {
        (Some(lo), _) if lo > 1 => lo,
        (_, Some(hi)) if hi < 1 => hi,
        _ => 1,
    }
}
