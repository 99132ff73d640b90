//! Deciding one constraint: folding, intervals, known facts, cancellation, then the linear procedure.

use std::collections::BTreeSet;

use super::Store;
use super::assume::single_symbol;
use crate::constraint::{Constraint, Relation};
use crate::dim::Dim;
use crate::effort::counted;
use crate::interval::Interval;
use crate::linear;
use crate::three_valued::ThreeValued;

/// Steps that the linear procedure may take for one question.
const BUDGET: u32 = 2_000;
/// Facts that the linear procedure looks at for one question: fewer facts refute less, and sooner.
const NEAR: usize = 16;

impl Store {
    /// Whether the constraint holds in every state, in none, or neither is known.
    pub fn decide(&self, constraint: &Constraint) -> ThreeValued {
        match self.decide_quickly(constraint) {
            ThreeValued::Open(()) => counted(|| self.decide_linearly(&self.simplify_constraint(constraint))),
            decided => decided,
        }
    }

    /// The steps that take microseconds: no search.
    pub fn decide_quickly(&self, constraint: &Constraint) -> ThreeValued {
        if let Some(value) = constraint.as_const() {
            return ThreeValued::of(value);
        }
        if let Some(decided) = self.decide_one_symbol(constraint) {
            return decided;
        }
        let constraint = self.simplify_constraint(constraint);
        if let Some(value) = constraint.as_const() {
            return ThreeValued::of(value);
        }
        if let Some(simpler) = constraint.without_floor() {
            return self.decide_quickly(&simpler);
        }
        let interval = self.bounds(&constraint.dim);
        match by_interval(constraint.relation, &interval) {
            ThreeValued::Open(()) => {}
            decided => return decided,
        }
        match self.by_known_fact(&constraint) {
            ThreeValued::Open(()) => {}
            decided => return decided,
        }
        match self.cancel_common_factor(&constraint) {
            Some(simpler) => self.decide_quickly(&simpler),
            None => ThreeValued::Open(()),
        }
    }

    /// `a*s + b` against zero, from what is known of `s` alone, without building expressions;
    /// `None` where that does not settle it.
    fn decide_one_symbol(&self, constraint: &Constraint) -> Option<ThreeValued> {
        let [(monomial, a)] = constraint.dim.terms() else {
            return None;
        };
        let sym = monomial.as_symbol()?;
        let interval = match self.0.solved.get(sym) {
            Some(solution) => Interval::exactly(solution.as_const()?),
            None => self.symbol_bounds(sym),
        };
        let value = interval.scaled(*a).plus(&Interval::exactly(constraint.dim.constant_term()));
        match by_interval(constraint.relation, &value) {
            ThreeValued::Open(()) if self.0.rest.is_empty() => Some(ThreeValued::Open(())),
            ThreeValued::Open(()) => None,
            decided => Some(decided),
        }
    }

    pub(super) fn simplify_constraint(&self, constraint: &Constraint) -> Constraint {
        if self.0.solved.is_empty() {
            return constraint.clone();
        }
        Constraint::new(constraint.relation, self.simplify(&constraint.dim))
    }

    /// Compares with each fact whose expression differs by a constant (or is the opposite of one).
    fn by_known_fact(&self, constraint: &Constraint) -> ThreeValued {
        let opposite = constraint.dim.negated();
        let mut known = Interval::ALL;
        for fact in self.0.rest.iter() {
            let difference = |dim: &Dim| {
                (dim.terms() == fact.dim.terms())
                    .then(|| dim.constant_term().checked_sub(fact.dim.constant_term()))
                    .flatten()
            };
            // The constraint's expression is the fact's plus k, or minus it plus k.
            let (k, flipped) = match (difference(&constraint.dim), opposite.as_ref().and_then(difference)) {
                (Some(k), _) => (k, false),
                (None, Some(k)) => (k, true),
                (None, None) => continue,
            };
            let value = match fact.relation {
                Relation::Zero => Interval::exactly(k),
                Relation::NonNegative => Interval::at_least(k),
                Relation::NonZero => {
                    if k == 0 {
                        match constraint.relation {
                            Relation::Zero => return ThreeValued::False,
                            Relation::NonZero => return ThreeValued::True,
                            Relation::NonNegative => {}
                        }
                    }
                    continue;
                }
            };
            known = known.intersect(&if flipped { value.negated() } else { value });
        }
        by_interval(constraint.relation, &known)
    }

    /// Divides by a common monomial of known sign: `n*m == n*k` is `m == k` where `n >= 1`.
    /// A fact is never its own reason.
    pub(super) fn cancel_common_factor(&self, constraint: &Constraint) -> Option<Constraint> {
        // f*p >= 1 with f >= 1 is p >= 1, so a strict inequality cancels too.
        let constant = constraint.dim.constant_term();
        let strict = constraint.relation == Relation::NonNegative && constant == -1;
        if constant != 0 && !strict {
            return None;
        }
        let mut dim = constraint.dim.plus_const(-constant)?;
        let content = dim.to_poly().monomial_content();
        let mut changed = false;
        for (atom, exponent) in content.factors() {
            let factor = Dim::atom(atom.clone());
            let interval = self.bounds(&factor);
            let positive = interval.lo.is_some_and(|lo| lo >= 1);
            let nonzero = positive
                || interval.hi.is_some_and(|hi| hi <= -1)
                || self
                    .0
                    .rest
                    .iter()
                    .any(|fact| fact != constraint && fact.relation == Relation::NonZero && fact.dim == factor);
            let usable = match constraint.relation {
                Relation::Zero | Relation::NonZero => nonzero,
                Relation::NonNegative => positive,
            };
            if usable {
                dim = dim.exact_quotient(&factor.power(*exponent)?)?;
                changed = true;
            }
        }
        let dim = dim.plus_const(constant)?;
        changed.then(|| Constraint::new(constraint.relation, dim))
    }

    /// Refutes the constraint, or its negation, together with the facts that bear on it.
    fn decide_linearly(&self, constraint: &Constraint) -> ThreeValued {
        let mut symbols = BTreeSet::new();
        constraint.dim.collect_symbols(&mut symbols);
        let (facts, reached) = self.component(&symbols, NEAR);
        // Without facts, intervals have said all there is to say of one symbol.
        if facts.is_empty() && single_symbol(&constraint.dim).is_some() {
            return ThreeValued::Open(());
        }
        let of = |sym| self.symbol_bounds(sym);
        let refuted = |extra: &Constraint| {
            linear::refute_constraints(facts.iter().copied().chain(std::iter::once(extra)), &reached, &of, BUDGET)
        };
        let seen = self.sample_states(constraint, &facts, &reached);
        if !seen.holds && refuted(constraint) {
            return ThreeValued::False;
        }
        if seen.fails {
            return ThreeValued::Open(());
        }
        match constraint.negated() {
            Some(negation) if refuted(&negation) => ThreeValued::True,
            _ => ThreeValued::Open(()),
        }
    }
}

pub(super) fn by_interval(relation: Relation, interval: &Interval) -> ThreeValued {
    if interval.is_empty() {
        // No state at all: leave it to who assumes, rather than answer anything.
        return ThreeValued::Open(());
    }
    match relation {
        Relation::NonNegative => match (interval.lo, interval.hi) {
            (Some(lo), _) if lo >= 0 => ThreeValued::True,
            (_, Some(hi)) if hi < 0 => ThreeValued::False,
            _ => ThreeValued::Open(()),
        },
        Relation::Zero => match interval.as_const() {
            Some(0) => ThreeValued::True,
            _ if !interval.contains(0) => ThreeValued::False,
            _ => ThreeValued::Open(()),
        },
        Relation::NonZero => by_interval(Relation::Zero, interval).negated(),
    }
}
