//! Asking the full procedure about a store: proofs beyond the linear ones, and concrete sizes.

use std::collections::BTreeSet;

use super::Store;
use crate::constraint::Constraint;
use crate::dim::Dim;
use crate::formula::Formula;
use crate::solver::{Answer, Model, Problem};
use crate::symbol::{FactReason, Sym};
use crate::three_valued::ThreeValued;

/// Steps of the full procedure for one question to a store.
const BUDGET: u32 = 20_000;

impl Store {
    /// What is known about the symbols of a formula, as a problem to solve or write out.
    pub fn problem_about(&self, formula: &Formula) -> Problem {
        let mut symbols = BTreeSet::new();
        formula.collect_symbols(&mut symbols);
        let asked = symbols.clone();
        for sym in &asked {
            if let Some(solution) = self.0.solved.get(*sym) {
                solution.collect_symbols(&mut symbols);
            }
        }
        let (facts, reached) = self.component(&symbols, usize::MAX);
        let mut problem = Problem::new().with_budget(BUDGET);
        for sym in &reached {
            problem.declare(*sym, self.symbol_bounds(*sym));
        }
        for fact in facts {
            problem.assert(fact.clone(), FactReason(0));
        }
        for (sym, solution) in self.0.solved.iter() {
            let equality = Constraint::equal(&Dim::symbol(sym), solution);
            if asked.contains(&sym)
                && let Some(equality) = equality
            {
                problem.assert(equality, FactReason(0));
            }
        }
        problem
    }

    /// Sizes that satisfy all facts and the formula: how it can come to that.
    pub fn witness(&self, formula: &Formula) -> Option<Model> {
        if self.is_contradictory() {
            return None;
        }
        let mut problem = self.problem_about(formula);
        problem.assert(formula.clone(), FactReason(1));
        // Small sizes above 1 make the best examples.
        for sym in problem.symbols() {
            problem.prefer(sym, [2, 3, 4, 1]);
        }
        match problem.solve() {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown => None,
        }
    }

    /// Decides a formula with the full procedure: products and symbolic divisors too, at more cost.
    pub fn decide_formula(&self, formula: &Formula) -> ThreeValued {
        match formula.decide_quickly(self) {
            ThreeValued::Open(()) => {}
            decided => return decided,
        }
        let mut problem = self.problem_about(formula);
        problem.assert(formula.clone(), FactReason(1));
        if problem.solve() == Answer::Unsat {
            return ThreeValued::False;
        }
        let Some(negation) = formula.negated() else {
            return ThreeValued::Open(());
        };
        let mut problem = self.problem_about(&negation);
        problem.assert(negation, FactReason(1));
        match problem.solve() {
            Answer::Unsat => ThreeValued::True,
            Answer::Sat(_) | Answer::Unknown => ThreeValued::Open(()),
        }
    }

    /// The symbols that are known here, declared or mentioned by a fact.
    pub fn known_symbols(&self) -> BTreeSet<Sym> {
        let facts = &self.0;
        let mut found: BTreeSet<Sym> = facts.bounds.keys().chain(facts.solved.keys()).collect();
        for fact in facts.rest.iter() {
            fact.dim.collect_symbols(&mut found);
        }
        found
    }
}
