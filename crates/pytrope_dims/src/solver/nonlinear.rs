//! Conjunctions with products and symbolic divisors: relaxation first, then values for the symbols that make them linear.

use std::collections::BTreeSet;

use super::Model;
use super::search::{Search, SearchResult};
use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim};
use crate::interval::Interval;
use crate::linear::{self, LinearOutcome};
use crate::store::Store;
use crate::symbol::Sym;

/// The largest range of a symbol that is enumerated completely.
const MAX_RANGE: i128 = 4_096;
/// How many symbols may be fixed one inside the other.
const MAX_DEPTH: u32 = 8;
/// The largest constant whose divisors are listed.
const MAX_DIVIDEND: i128 = 1_000_000_000_000;

/// Sizes that occur, tried when nothing else decides: small ones, powers of two, images.
const CANDIDATES: [i128; 28] =
    [1, 2, 3, 4, 0, 5, 6, 7, 8, 9, 10, 12, 16, 32, 64, 128, 224, 256, 512, 768, 1024, -1, -2, -3, 11, 13, 100, 48];

/// Whether the linear relaxation of a store has no solution.
pub(super) fn is_refuted(store: &Store, budget: &mut u32) -> bool {
    let facts = store.remaining();
    let symbols: BTreeSet<Sym> = facts.iter().flat_map(|fact| fact.dim.symbols()).collect();
    let mut share = (*budget / 4).min(2_000);
    let start = share;
    let (outcome, _) = linear::solve(facts.iter(), &symbols, &|sym| store.interval_of(sym), &mut share);
    *budget = budget.saturating_sub(start - share);
    matches!(outcome, LinearOutcome::Unsat)
}

/// Values to try for a symbol, and whether there are no others.
struct Plan {
    sym: Sym,
    values: Vec<i128>,
    complete: bool,
}

impl Search {
    /// Solves facts that are connected through their symbols.
    pub(super) fn solve_component(
        &mut self,
        store: &Store,
        facts: &[Constraint],
        symbols: &BTreeSet<Sym>,
        depth: u32,
    ) -> SearchResult {
        if !self.spend(4 + 8 * facts.len()) {
            return SearchResult::Unknown;
        }
        // A relaxation gets a share only, so that enumeration has its turn too.
        let linear = facts.iter().all(|fact| nonlinear_symbols(&fact.dim).is_empty());
        let mut share = if linear { self.budget } else { self.budget.min(3_000) };
        let start = share;
        let (outcome, exact) = linear::solve(facts.iter(), symbols, &|sym| store.interval_of(sym), &mut share);
        self.budget = self.budget.saturating_sub(start - share);
        match outcome {
            LinearOutcome::Unsat => return SearchResult::Nothing,
            LinearOutcome::Sat(model) if facts_hold(facts, &model) => return SearchResult::Model(model),
            LinearOutcome::Unknown if exact => return SearchResult::Unknown,
            LinearOutcome::Sat(_) | LinearOutcome::Unknown => {}
        }
        if depth >= MAX_DEPTH {
            return SearchResult::Unknown;
        }
        if let Some((index, cases)) = zero_product(store, facts) {
            // Each case implies the fact it came from.
            let mut others = facts.to_vec();
            others.remove(index);
            return self.solve_cases(store, &others, cases, depth);
        }
        let Some(plan) = plan_branching(store, facts) else {
            return SearchResult::Unknown;
        };
        let mut unknown = !plan.complete;
        for value in plan.values {
            let Some(fixed) = Constraint::equal(&Dim::symbol(plan.sym), &Dim::constant(value)) else {
                continue;
            };
            match self.solve_with(store, facts, fixed, depth) {
                SearchResult::Model(model) => return SearchResult::Model(model),
                SearchResult::Nothing => {}
                SearchResult::Unknown => unknown = true,
            }
            if self.budget == 0 {
                return SearchResult::Unknown;
            }
        }
        if unknown { SearchResult::Unknown } else { SearchResult::Nothing }
    }

    fn solve_cases(&mut self, store: &Store, facts: &[Constraint], cases: Vec<Constraint>, depth: u32) -> SearchResult {
        let mut unknown = false;
        for case in cases {
            match self.solve_with(store, facts, case, depth) {
                SearchResult::Model(model) => return SearchResult::Model(model),
                SearchResult::Nothing => {}
                SearchResult::Unknown => unknown = true,
            }
        }
        if unknown { SearchResult::Unknown } else { SearchResult::Nothing }
    }

    /// Solves the component with one more constraint.
    fn solve_with(&mut self, store: &Store, facts: &[Constraint], extra: Constraint, depth: u32) -> SearchResult {
        let mut narrowed = store.restricted_to(facts);
        if !narrowed.learn_constraint(extra) || !narrowed.propagate_all(4) {
            return SearchResult::Nothing;
        }
        self.solve_conjunction(&narrowed, depth + 1)
    }
}

fn facts_hold(facts: &[Constraint], model: &Model) -> bool {
    facts.iter().all(|fact| fact.eval(&|sym| model.get(&sym).copied()) == Some(true))
}

/// `x * p == 0`: one of the factors is zero.
fn zero_product(store: &Store, facts: &[Constraint]) -> Option<(usize, Vec<Constraint>)> {
    facts.iter().enumerate().find_map(|(index, fact)| {
        if fact.relation != Relation::Zero || fact.dim.constant_term() != 0 {
            return None;
        }
        let content = fact.dim.to_poly().monomial_content();
        let (atom, exponent) = content.factors().first()?;
        let factor = Dim::atom(atom.clone());
        let rest = fact.dim.exact_quotient(&factor.power(*exponent)?)?;
        if rest.as_const().is_some() && *exponent == 1 {
            // The factor is all there is: nothing to split.
            return None;
        }
        let mut cases = Vec::new();
        if store.bounds(&factor).contains(0) {
            cases.push(Constraint::new(Relation::Zero, factor));
        }
        if rest.as_const().is_none() {
            cases.push(Constraint::new(Relation::Zero, rest));
        }
        Some((index, cases))
    })
}

/// The cheapest symbol to fix: divisors of a constant, then small ranges, then likely sizes.
fn plan_branching(store: &Store, facts: &[Constraint]) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    let mut consider = |plan: Plan| {
        let better =
            best.as_ref().is_none_or(|old| (!plan.complete, plan.values.len()) < (!old.complete, old.values.len()));
        if better {
            best = Some(plan);
        }
    };
    let mut symbols = BTreeSet::new();
    for fact in facts {
        symbols.extend(nonlinear_symbols(&fact.dim));
        if fact.relation == Relation::Zero
            && let Some((sym, constant)) = divides_constant(&fact.dim)
        {
            let interval = store.interval_of(sym);
            let values = divisors_of(constant).into_iter().filter(|d| interval.contains(*d)).collect();
            consider(Plan { sym, values, complete: true });
        }
    }
    for sym in symbols {
        let interval = store.interval_of(sym);
        if let (Some(lo), Some(hi)) = (interval.lo, interval.hi)
            && hi.checked_sub(lo).is_some_and(|range| range < MAX_RANGE)
        {
            consider(Plan { sym, values: (lo..=hi).collect(), complete: true });
            continue;
        }
        if let Some(plan) = plan_univariate(store, facts, sym) {
            consider(plan);
            continue;
        }
        consider(Plan { sym, values: likely_values(&interval), complete: false });
    }
    best
}

fn likely_values(interval: &Interval) -> Vec<i128> {
    let mut values: Vec<i128> = Vec::new();
    if let Some(lo) = interval.lo {
        values.extend((0..6).filter_map(|k| lo.checked_add(k)));
    }
    values.extend(CANDIDATES);
    if let Some(hi) = interval.hi {
        values.extend((0..3).filter_map(|k| hi.checked_sub(k)));
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| interval.contains(*value) && seen.insert(*value));
    values
}

/// A symbol that divides every term but a nonzero constant one, and so divides that.
fn divides_constant(dim: &Dim) -> Option<(Sym, i128)> {
    let constant = dim.constant_term();
    if constant == 0 || constant.checked_abs()? > MAX_DIVIDEND {
        return None;
    }
    let rest = dim.plus_const(constant.checked_neg()?)?;
    let content = rest.to_poly().monomial_content();
    let sym = content.factors().iter().find_map(|(atom, _)| match atom {
        Atom::Sym(sym) => Some(*sym),
        Atom::Floor(_) | Atom::Min(_) | Atom::Max(_) => None,
    })?;
    Some((sym, constant))
}

/// All divisors, positive first.
fn divisors_of(number: i128) -> Vec<i128> {
    let number = number.abs();
    let mut found = Vec::new();
    let mut d = 1;
    while d * d <= number {
        if number % d == 0 {
            found.push(d);
            if d != number / d {
                found.push(number / d);
            }
        }
        d += 1;
    }
    found.sort_unstable();
    let negative: Vec<i128> = found.iter().map(|d| -d).collect();
    found.extend(negative);
    found
}

/// When every fact is a polynomial in one symbol: past a bound on all roots no fact changes its
/// truth, so the values up to that bound and one beyond it on each side are all there is to try.
fn plan_univariate(store: &Store, facts: &[Constraint], sym: Sym) -> Option<Plan> {
    let mut reach: i128 = 1;
    for fact in facts {
        let mut largest: i128 = fact.dim.constant_term().checked_abs()?;
        let mut lead: Option<i128> = None;
        for (monomial, coefficient) in fact.dim.terms() {
            let [(Atom::Sym(only), _)] = monomial.factors() else {
                return None;
            };
            if *only != sym {
                return None;
            }
            largest = largest.max(coefficient.checked_abs()?);
            lead = lead.or(Some(coefficient.checked_abs()?));
        }
        // Cauchy: every root is at most 1 + max|a|/|lead|; terms sort by degree.
        reach = reach.max(2 + largest / lead?);
    }
    if reach > MAX_RANGE {
        return None;
    }
    let interval = store.interval_of(sym).intersect(&Interval::new(-reach, reach));
    let mut values: Vec<i128> = match (interval.lo, interval.hi) {
        (Some(lo), Some(hi)) => (lo..=hi).collect(),
        _ => return None,
    };
    values.sort_by_key(|value| value.unsigned_abs());
    Some(Plan { sym, values, complete: true })
}

/// Symbols in products or in divisors: fixing them makes the expression linear.
fn nonlinear_symbols(dim: &Dim) -> BTreeSet<Sym> {
    let mut found = BTreeSet::new();
    collect_symbols(dim, &mut found);
    found
}

fn collect_symbols(dim: &Dim, found: &mut BTreeSet<Sym>) {
    for (monomial, _) in dim.terms() {
        if monomial.as_atom().is_none() {
            monomial.to_dim().collect_symbols(found);
        }
        for (atom, _) in monomial.factors() {
            match atom {
                Atom::Sym(_) => {}
                Atom::Floor(parts) => {
                    collect_symbols(&parts.0, found);
                    parts.1.collect_symbols(found);
                }
                Atom::Min(choices) | Atom::Max(choices) => {
                    for choice in choices.iter() {
                        collect_symbols(choice, found);
                    }
                }
            }
        }
    }
}
