//! Splitting disjunctions: constraints go into a store, which decides most disjuncts; the rest is tried.

use std::collections::{BTreeMap, BTreeSet};

use super::{Model, any_value};
use super::{flatten, nonlinear};
use crate::constraint::Constraint;
use crate::formula::Formula;
use crate::interval::Interval;
use crate::store::Store;
use crate::symbol::Sym;
use crate::three_valued::ThreeValued;

/// What a search found.
#[derive(Debug)]
pub(crate) enum SearchResult {
    /// Values of at least the symbols that are constrained.
    Model(Model),
    Nothing,
    Unknown,
}

pub(super) fn run(formulas: &[&Formula], bounds: &BTreeMap<Sym, Interval>, budget: u32) -> SearchResult {
    let Some((store, pending)) = assume_formulas(formulas, bounds) else {
        return SearchResult::Nothing;
    };
    let mut search = Search { budget, next: fresh_from(formulas, bounds) };
    search.split(store, pending)
}

/// What the formulas say at once, and the disjunctions that wait; `None` on a contradiction.
pub(super) fn assume_formulas(
    formulas: &[&Formula],
    bounds: &BTreeMap<Sym, Interval>,
) -> Option<(Store, Vec<Vec<Formula>>)> {
    let mut store = Store::new();
    for (sym, interval) in bounds {
        if interval.is_empty() {
            return None;
        }
        store.declare_in(*sym, *interval);
    }
    let mut pending = Vec::new();
    let consistent = formulas.iter().all(|formula| assert_formula(formula, &mut store, &mut pending));
    consistent.then_some((store, pending))
}

pub(super) struct Search {
    pub(super) budget: u32,
    /// The next symbol that occurs nowhere in the problem.
    next: u32,
}

fn fresh_from(formulas: &[&Formula], bounds: &BTreeMap<Sym, Interval>) -> u32 {
    let mut symbols: BTreeSet<Sym> = bounds.keys().copied().collect();
    for formula in formulas {
        formula.collect_symbols(&mut symbols);
    }
    symbols.last().map_or(0, |sym| sym.0.saturating_add(1))
}

/// Adds a formula to the store, or to the disjunctions that wait; `false` on a contradiction.
fn assert_formula(formula: &Formula, store: &mut Store, pending: &mut Vec<Vec<Formula>>) -> bool {
    match formula {
        Formula::Constraint(constraint) => store.learn_constraint(constraint.clone()),
        Formula::And(parts) => parts.iter().all(|part| assert_formula(part, store, pending)),
        Formula::Or(parts) => {
            pending.push(parts.clone());
            !parts.is_empty()
        }
    }
}

impl Search {
    /// Charges steps; `false` when there are none left.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.budget = self.budget.saturating_sub(u32::try_from(steps).unwrap_or(u32::MAX));
        self.budget > 0
    }

    fn split(&mut self, mut store: Store, mut pending: Vec<Vec<Formula>>) -> SearchResult {
        if !self.spend(1 + pending.len() + 2 * store.remaining().len()) {
            return SearchResult::Unknown;
        }
        loop {
            if !store.propagate_all(4) {
                return SearchResult::Nothing;
            }
            let mut forced = Vec::new();
            let mut waiting = Vec::new();
            for mut parts in pending {
                let mut holds = false;
                parts.retain(|part| match part.decide_quickly(&store) {
                    ThreeValued::True => {
                        holds = true;
                        true
                    }
                    ThreeValued::False => false,
                    ThreeValued::Open(()) => true,
                });
                match parts.len() {
                    _ if holds => {}
                    0 => return SearchResult::Nothing,
                    1 => forced.extend(parts),
                    _ => waiting.push(parts),
                }
            }
            pending = waiting;
            if forced.is_empty() {
                break;
            }
            for formula in &forced {
                if !assert_formula(formula, &mut store, &mut pending) {
                    return SearchResult::Nothing;
                }
            }
        }
        let Some(index) = (0..pending.len()).min_by_key(|index| pending[*index].len()) else {
            return match flatten::flatten_divisions(&store, &mut self.next) {
                Some(flat) => self.solve_conjunction(&flat, 0),
                None => SearchResult::Nothing,
            };
        };
        if nonlinear::is_refuted(&store, &mut self.budget) {
            return SearchResult::Nothing;
        }
        let parts = pending.swap_remove(index);
        let mut unknown = false;
        for part in parts {
            let (mut store, mut pending) = (store.clone(), pending.clone());
            if !assert_formula(&part, &mut store, &mut pending) {
                continue;
            }
            match self.split(store, pending) {
                SearchResult::Model(model) => return SearchResult::Model(model),
                SearchResult::Nothing => {}
                SearchResult::Unknown => unknown = true,
            }
        }
        if unknown { SearchResult::Unknown } else { SearchResult::Nothing }
    }

    /// Solves what a store says, one connected component after the other.
    pub(super) fn solve_conjunction(&mut self, store: &Store, depth: u32) -> SearchResult {
        let mut model = Model::new();
        let mut unknown = false;
        let facts = store.remaining();
        let mut done: BTreeSet<Sym> = BTreeSet::new();
        for fact in facts {
            let symbols = fact.dim.symbols();
            if symbols.iter().any(|sym| done.contains(sym)) {
                continue;
            }
            let (component, reached): (Vec<Constraint>, _) = store.component_of(&symbols);
            match self.solve_component(store, &component, &reached, depth) {
                // A component speaks for its own symbols only.
                SearchResult::Model(found) => {
                    model.extend(found.into_iter().filter(|(sym, _)| reached.contains(sym)));
                }
                SearchResult::Nothing => return SearchResult::Nothing,
                SearchResult::Unknown => unknown = true,
            }
            done.extend(reached);
        }
        if unknown {
            return SearchResult::Unknown;
        }
        for (sym, interval) in store.intervals() {
            model.entry(sym).or_insert_with(|| any_value(&interval));
        }
        for (sym, dim) in store.solutions() {
            for inner in dim.symbols() {
                model.entry(inner).or_insert(1);
            }
            let Some(value) = dim.eval(&|sym| model.get(&sym).copied()) else {
                return SearchResult::Unknown;
            };
            model.insert(sym, value);
        }
        SearchResult::Model(model)
    }
}
