//! `Store`: what is known about symbols at one point of a program.

mod assume;
mod decide;
mod join;
mod log;
mod map;
mod propagate;
mod sample;
mod witness;

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::constraint::{Cmp, Constraint};
use crate::dim::Dim;
use crate::interval::{self, Interval};
use crate::symbol::{FactReason, Sym};
use crate::three_valued::ThreeValued;
use log::Log;
use map::SymMap;

/// What came of an assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assumed {
    /// As far as is known, some state remains.
    Feasible,
    /// No state remains; [`Store::why_contradictory`] says why.
    Contradiction,
}

impl Assumed {
    pub fn is_feasible(&self) -> bool {
        matches!(self, Self::Feasible)
    }
}

/// A conjunction of facts about symbols. Cloning is cheap; changes copy what is shared.
///
/// What is assumed is kept in solved form: equalities become substitutions (`n = m + 1` removes
/// the younger symbol), facts of one symbol become intervals, the rest is a list.
#[derive(Clone, Debug, Default)]
pub struct Store(Arc<Facts>);

#[derive(Clone, Debug, Default)]
struct Facts {
    /// Intervals of unsolved symbols; a missing one is unbounded.
    bounds: SymMap<Interval>,
    /// Symbols that equalities have removed. No solved symbol occurs on a right-hand side, in `bounds` or in `rest`.
    solved: SymMap<Dim>,
    /// Everything else that is known.
    rest: Arc<Vec<Constraint>>,
    /// Intervals that symbols were declared with, for explanations.
    declared: SymMap<Interval>,
    /// What was assumed, as given, for explanations.
    log: Log,
    /// Some interval has no value in it: no state is described.
    empty: bool,
    /// What was assumed last, and the store it contradicted.
    contradiction: Option<Box<Contradiction>>,
}

#[derive(Clone, Debug)]
struct Contradiction {
    before: Store,
    constraint: Constraint,
    reason: FactReason,
}

impl Store {
    pub fn new() -> Self {
        Self::default()
    }

    /// The same number for copies without a change since; it may be reused once all of them are dropped.
    pub fn identity(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Whether anything is known of a symbol beside what every symbol of its sort is.
    pub fn mentions(&self, sym: Sym) -> bool {
        let facts = &*self.0;
        facts.bounds.contains(sym)
            || facts.solved.contains(sym)
            || facts.declared.contains(sym)
            || facts.rest.iter().any(|constraint| constraint.dim.any_symbol(&mut |other| other == sym))
    }

    /// All that is known of a symbol, where that is intervals alone: the one that its values lie in, and the one that it was declared
    /// with. What is decided of such symbols is the same in every store that has the same intervals for them.
    pub fn intervals_alone(&self, sym: Sym) -> Option<[Option<Interval>; 2]> {
        let facts = &*self.0;
        let mentions = |dim: &Dim| dim.any_symbol(&mut |other| other == sym);
        let is_related = facts.solved.contains(sym)
            || facts.rest.iter().any(|constraint| mentions(&constraint.dim))
            || facts.solved.values().any(mentions);
        (!is_related).then(|| [facts.bounds.get(sym).copied(), facts.declared.get(sym).copied()])
    }

    /// Introduces a symbol that is at least `lower` (dimensions are at least 0).
    /// Declare every symbol where it is born: a join tells by this which side knows it.
    pub fn declare(&mut self, sym: Sym, lower: i128) {
        self.declare_in(sym, Interval::at_least(lower));
    }

    pub fn declare_in(&mut self, sym: Sym, interval: Interval) {
        let known = self.0.declared.get(sym).copied();
        let declared = known.unwrap_or(Interval::ALL).intersect(&interval);
        if known != Some(declared) {
            Arc::make_mut(&mut self.0).declared.insert(sym, declared);
        }
        self.declare_bounds(sym, interval);
    }

    fn declare_bounds(&mut self, sym: Sym, interval: Interval) {
        let listed = self.0.bounds.get(sym).copied();
        let known = listed.unwrap_or(Interval::ALL);
        let tighter = known.intersect(&interval);
        let equality = tighter.as_const().and_then(|value| Constraint::equal(&Dim::symbol(sym), &Dim::constant(value)));
        match equality {
            // A single value is substituted; as an interval it would stay unsolved.
            Some(equality) if known.as_const().is_none() => {
                if listed.is_none() {
                    Arc::make_mut(&mut self.0).bounds.insert(sym, known);
                }
                self.learn_constraint(equality);
            }
            _ if listed == Some(tighter) => {}
            _ => Arc::make_mut(&mut self.0).set_bounds(sym, tighter),
        }
    }

    /// Whether a contradiction was assumed: no state is described, the path is dead.
    pub fn is_contradictory(&self) -> bool {
        self.0.contradiction.is_some()
    }

    /// The expression with solved symbols replaced: equal expressions become identical more often.
    pub fn simplify(&self, dim: &Dim) -> Dim {
        if self.0.solved.is_empty() {
            return dim.clone();
        }
        dim.substitute(&|sym| self.0.solved.get(sym).cloned()).unwrap_or_else(|| dim.clone())
    }

    /// An interval that holds every value of the expression.
    pub fn bounds(&self, dim: &Dim) -> Interval {
        if let Some(value) = dim.as_const() {
            return Interval::exactly(value);
        }
        interval::bounds(&self.simplify(dim), &|sym| self.symbol_bounds(sym))
    }

    fn symbol_bounds(&self, sym: Sym) -> Interval {
        match self.0.bounds.get(sym) {
            Some(interval) => *interval,
            None if sym.is_natural() => Interval::at_least(0),
            None => Interval::ALL,
        }
    }

    /// The value, where only one is possible.
    pub fn value(&self, dim: &Dim) -> Option<i128> {
        dim.as_const().or_else(|| self.bounds(dim).as_const())
    }

    /// `a cmp b` in every state; `Open` when it has no representation.
    pub fn compare(&self, a: &Dim, cmp: Cmp, b: &Dim) -> ThreeValued {
        match Constraint::compare(a, cmp, b) {
            Some(constraint) => self.decide(&constraint),
            None => ThreeValued::Open(()),
        }
    }

    /// Assumes `a cmp b`; what has no representation is not remembered.
    pub fn assume_compare(&mut self, a: &Dim, cmp: Cmp, b: &Dim, reason: FactReason) -> Assumed {
        match Constraint::compare(a, cmp, b) {
            Some(constraint) => self.assume(&constraint, reason),
            None => Assumed::Feasible,
        }
    }

    /// All that is known, as constraints.
    pub fn facts(&self) -> Vec<Constraint> {
        let mut all: Vec<Constraint> = Vec::new();
        for (sym, dim) in self.0.solved.iter() {
            all.extend(Constraint::equal(&Dim::symbol(sym), dim));
        }
        for (sym, interval) in self.0.bounds.iter() {
            let symbol = Dim::symbol(sym);
            all.extend(interval.lo.and_then(|lo| Constraint::at_least(&symbol, lo)));
            all.extend(interval.hi.and_then(|hi| Constraint::compare(&symbol, Cmp::Le, &Dim::constant(hi))));
        }
        all.extend(self.0.rest.iter().cloned());
        all
    }

    /// The facts that can bear on given symbols: those reachable through shared symbols, the
    /// nearest `limit` of them or a few more.
    fn component(&self, symbols: &BTreeSet<Sym>, limit: usize) -> (Vec<&Constraint>, BTreeSet<Sym>) {
        let mut reached = symbols.clone();
        let mut taken = vec![false; self.0.rest.len()];
        let mut facts = Vec::new();
        let mut grew = true;
        while grew && facts.len() < limit {
            grew = false;
            let nearer = reached.clone();
            for (index, fact) in self.0.rest.iter().enumerate() {
                if !taken[index] && fact.dim.any_symbol(&mut |sym| nearer.contains(&sym)) {
                    taken[index] = true;
                    grew = true;
                    facts.push(fact);
                    fact.dim.collect_symbols(&mut reached);
                }
            }
        }
        (facts, reached)
    }

    pub(crate) fn component_of(&self, symbols: &BTreeSet<Sym>) -> (Vec<Constraint>, BTreeSet<Sym>) {
        let (facts, reached) = self.component(symbols, usize::MAX);
        (facts.into_iter().cloned().collect(), reached)
    }

    /// The facts that are neither intervals nor solved equalities.
    pub(crate) fn remaining(&self) -> &[Constraint] {
        &self.0.rest
    }

    pub(crate) fn interval_of(&self, sym: Sym) -> Interval {
        self.symbol_bounds(sym)
    }

    pub(crate) fn intervals(&self) -> impl Iterator<Item = (Sym, Interval)> + '_ {
        self.0.bounds.iter().map(|(sym, interval)| (sym, *interval))
    }

    pub(crate) fn solutions(&self) -> impl Iterator<Item = (Sym, &Dim)> + '_ {
        self.0.solved.iter()
    }

    /// Everything that is known about these symbols, and about what their facts mention.
    pub fn facts_about(&self, symbols: &BTreeSet<Sym>) -> Vec<Constraint> {
        let mut wanted = symbols.clone();
        let mut facts: Vec<Constraint> = Vec::new();
        for (sym, solution) in self.solutions() {
            if symbols.contains(&sym) {
                facts.extend(Constraint::equal(&Dim::symbol(sym), solution));
                solution.collect_symbols(&mut wanted);
            }
        }
        let (rest, reached) = self.component_of(&wanted);
        facts.extend(rest);
        for sym in reached {
            let interval = self.symbol_bounds(sym);
            let dim = Dim::symbol(sym);
            facts.extend(interval.lo.and_then(|lo| Constraint::at_least(&dim, lo)));
            facts.extend(interval.hi.and_then(|hi| Constraint::compare(&dim, crate::Cmp::Le, &Dim::constant(hi))));
        }
        facts
    }

    /// The intervals only.
    pub(crate) fn without_facts(&self) -> Self {
        self.restricted_to(&[])
    }

    /// A store of the given facts and all intervals only.
    pub(crate) fn restricted_to(&self, facts: &[Constraint]) -> Self {
        Self(Arc::new(Facts {
            rest: Arc::new(facts.to_vec()),
            bounds: self.0.bounds.clone(),
            empty: self.0.empty,
            ..Facts::default()
        }))
    }

    /// Whether two stores are the same object: a cheap test for "nothing was learned".
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl PartialEq for Store {
    fn eq(&self, other: &Self) -> bool {
        self.same(other)
            || (self.is_contradictory() == other.is_contradictory()
                && self.0.bounds == other.0.bounds
                && self.0.solved == other.0.solved
                && self.0.rest == other.0.rest)
    }
}

impl Eq for Store {}
