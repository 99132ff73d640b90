//! Learning a constraint: solved equalities, intervals, and the remaining facts.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Assumed, Contradiction, Facts, Store};
use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim};
use crate::interval::Interval;
use crate::number::{ceil, floor};
use crate::symbol::{FactReason, Sym};
use crate::three_valued::ThreeValued;

/// Facts past this number are not remembered: a store stays small, at the price of precision.
const MAX_FACTS: usize = 400;

impl Store {
    /// Adds a fact. After a contradiction the store is dead ([`Store::is_contradictory`]).
    pub fn assume(&mut self, constraint: &Constraint, reason: FactReason) -> Assumed {
        if self.is_contradictory() {
            return Assumed::Contradiction;
        }
        let truth = self.decide(constraint);
        if truth == ThreeValued::True {
            return Assumed::Feasible;
        }
        if truth == ThreeValued::Open(()) && constraint.dim.any_symbol(&mut Sym::is_summary) {
            return Assumed::Feasible;
        }
        let before = self.clone();
        if truth == ThreeValued::Open(()) && self.learn_constraint(constraint.clone()) {
            let facts = Arc::make_mut(&mut self.0);
            if facts.log.len() < MAX_FACTS {
                facts.log.push((constraint.clone(), reason));
            }
            return Assumed::Feasible;
        }
        Arc::make_mut(&mut self.0).contradiction =
            Some(Box::new(Contradiction { before, constraint: constraint.clone(), reason }));
        Assumed::Contradiction
    }

    /// For a contradictory store, reasons that together leave no state, shrunk by deletion.
    /// Found on demand: most contradictions are dead branches whose reason is never asked for.
    pub fn why_contradictory(&self) -> Vec<FactReason> {
        match &self.0.contradiction {
            Some(found) => found.before.explain(&found.constraint, found.reason),
            None => Vec::new(),
        }
    }

    /// `false` on a contradiction.
    pub(crate) fn learn_constraint(&mut self, constraint: Constraint) -> bool {
        let mut touched = BTreeSet::new();
        self.simplify(&constraint.dim).collect_symbols(&mut touched);
        self.settle_queue(vec![constraint]) && self.propagate_bounds(&touched)
    }

    pub(super) fn settle_queue(&mut self, mut queue: Vec<Constraint>) -> bool {
        // Each round solves a symbol or tightens a bound; the count guards against slow convergence.
        let mut rounds = 0;
        while let Some(next) = queue.pop() {
            rounds += 1;
            if rounds > 4 * MAX_FACTS {
                return true;
            }
            let mut next = self.simplify_constraint(&next);
            while let Some(simpler) = next.without_floor().or_else(|| self.cancel_common_factor(&next)) {
                next = simpler;
            }
            match self.decide_quickly(&next) {
                ThreeValued::True => continue,
                ThreeValued::False => return false,
                ThreeValued::Open(()) => {}
            }
            let facts = Arc::make_mut(&mut self.0);
            match next.relation {
                Relation::Zero => match solve_for(&next.dim) {
                    Some((sym, value)) => facts.eliminate_symbol(sym, value, &mut queue),
                    None => facts.remember_fact(next, &mut queue),
                },
                Relation::NonNegative | Relation::NonZero => match single_symbol(&next.dim) {
                    Some((sym, a, b)) => facts.narrow_symbol(sym, a, b, next, &mut queue),
                    None => facts.remember_fact(next, &mut queue),
                },
            }
            if self.0.empty {
                return false;
            }
        }
        true
    }

    /// Reasons that together contradict the constraint, shrunk by deletion.
    pub fn explain(&self, constraint: &Constraint, reason: FactReason) -> Vec<FactReason> {
        let contradicts = |kept: &[&(Constraint, FactReason)]| {
            let mut store = self.declarations();
            for (fact, _) in kept {
                if store.decide(fact) == ThreeValued::False || !store.learn_constraint(fact.clone()) {
                    return true;
                }
            }
            store.decide(constraint) == ThreeValued::False || !store.learn_constraint(constraint.clone())
        };
        let mut kept: Vec<&(Constraint, FactReason)> = self.0.log.entries();
        // Past this size deletion would cost more than the message is worth.
        if kept.len() <= 48 && contradicts(&kept) {
            let mut index = kept.len();
            while index > 0 {
                index -= 1;
                let mut fewer = kept.clone();
                fewer.remove(index);
                if contradicts(&fewer) {
                    kept = fewer;
                }
            }
        }
        let mut reasons: Vec<FactReason> = kept.iter().map(|(_, reason)| *reason).collect();
        reasons.push(reason);
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// A store with the signs of symbols only: what was declared rather than assumed.
    fn declarations(&self) -> Self {
        let declared = self.0.declared.clone();
        let empty = declared.values().any(Interval::is_empty);
        Self(Arc::new(Facts { bounds: declared.clone(), declared, empty, ..Facts::default() }))
    }
}

impl Facts {
    pub(super) fn set_bounds(&mut self, sym: Sym, interval: Interval) {
        self.empty |= interval.is_empty();
        self.bounds.insert(sym, interval);
    }

    /// Takes facts out of those that remain.
    fn take_facts(&mut self, wanted: impl Fn(&Constraint) -> bool) -> Vec<Constraint> {
        if !self.rest.iter().any(&wanted) {
            return Vec::new();
        }
        let (about, others) = self.rest.iter().cloned().partition(|fact| wanted(fact));
        self.rest = Arc::new(others);
        about
    }

    /// Replaces a symbol everywhere; facts about it are learned again in their new form.
    fn eliminate_symbol(&mut self, sym: Sym, value: Dim, queue: &mut Vec<Constraint>) {
        let replacement = |other: Sym| (other == sym).then(|| value.clone());
        let mut replaced = Vec::new();
        for (other, known) in self.solved.iter().filter(|(_, known)| known.mentions(sym)) {
            match known.substitute(&replacement) {
                Some(known) => replaced.push((other, known)),
                // Past the limits: the old form stays true, only less useful.
                None => return,
            }
        }
        for (other, known) in replaced {
            self.solved.insert(other, known);
        }
        if let Some(interval) = self.bounds.remove(sym) {
            queue.extend(interval.lo.and_then(|lo| Constraint::at_least(&value, lo)));
            queue.extend(
                interval
                    .hi
                    .and_then(|hi| Some(Constraint::new(Relation::NonNegative, Dim::constant(hi).minus(&value)?))),
            );
        }
        let about = self.take_facts(|fact| fact.dim.mentions(sym));
        queue.extend(about.iter().filter_map(|fact| fact.substitute(&replacement)));
        self.solved.insert(sym, value);
    }

    /// Learns `a*sym + b >= 0` or `!= 0`.
    fn narrow_symbol(&mut self, sym: Sym, a: i128, b: i128, fact: Constraint, queue: &mut Vec<Constraint>) {
        let known = self.bounds.get(sym).copied().unwrap_or(Interval::ALL);
        let mut tighter = known;
        if fact.relation == Relation::NonNegative {
            let bound = if a > 0 {
                Interval { lo: Some(ceil(b.saturating_neg(), a)), hi: None }
            } else {
                Interval { lo: None, hi: Some(floor(b, a.saturating_neg())) }
            };
            tighter = tighter.intersect(&bound);
        } else if b % a == 0 {
            let hole = -(b / a);
            if known.lo == Some(hole) {
                tighter.lo = hole.checked_add(1);
            } else if known.hi == Some(hole) {
                tighter.hi = hole.checked_sub(1);
            } else {
                self.remember_fact(fact, queue);
                return;
            }
        }
        if tighter != known {
            self.set_bounds(sym, tighter);
            // A hole may now lie at an end.
            queue.extend(self.take_facts(|fact| fact.relation == Relation::NonZero && fact.dim.mentions(sym)));
        }
        if let Some(value) = tighter.as_const() {
            self.bounds.remove(sym);
            self.eliminate_symbol(sym, Dim::constant(value), queue);
        }
    }

    fn remember_fact(&mut self, fact: Constraint, queue: &mut Vec<Constraint>) {
        let opposite = fact.dim.negated();
        let mut fact = fact;
        let mut index = 0;
        while index < self.rest.len() {
            let old = &self.rest[index];
            if old.dim.terms() == fact.dim.terms() && old.relation == fact.relation {
                match fact.relation {
                    // Of two lower bounds the stronger has the smaller constant.
                    Relation::NonNegative if fact.dim.constant_term() < old.dim.constant_term() => {
                        Arc::make_mut(&mut self.rest).remove(index);
                        continue;
                    }
                    Relation::NonNegative => return,
                    Relation::Zero | Relation::NonZero if old.dim == fact.dim => return,
                    Relation::Zero | Relation::NonZero => {}
                }
            }
            // e >= 0 and -e >= 0 make an equation; e >= 0 and e != 0 make e - 1 >= 0.
            if fact.relation == Relation::NonNegative
                && old.relation == Relation::NonNegative
                && opposite.as_ref() == Some(&old.dim)
            {
                Arc::make_mut(&mut self.rest).remove(index);
                queue.push(Constraint::new(Relation::Zero, fact.dim));
                return;
            }
            let strict = match (fact.relation, old.relation) {
                (Relation::NonNegative, Relation::NonZero) => Some((fact.dim.clone(), &old.dim)),
                (Relation::NonZero, Relation::NonNegative) => Some((old.dim.clone(), &fact.dim)),
                _ => None,
            };
            if let Some((low, hole)) = strict
                && (low == *hole || low.negated().as_ref() == Some(hole))
                && let Some(above) = low.plus_const(-1)
            {
                Arc::make_mut(&mut self.rest).remove(index);
                fact = Constraint::new(Relation::NonNegative, above);
                queue.push(fact);
                return;
            }
            index += 1;
        }
        if self.rest.len() < MAX_FACTS {
            Arc::make_mut(&mut self.rest).push(fact);
        }
    }
}

/// `sym = value`, if the equation `dim == 0` gives the youngest such symbol with coefficient ±1.
fn solve_for(dim: &Dim) -> Option<(Sym, Dim)> {
    let mut best: Option<(Sym, i128)> = None;
    for (monomial, coefficient) in dim.terms() {
        let Some(sym) = monomial.as_symbol() else {
            continue;
        };
        if coefficient.unsigned_abs() != 1 || best.is_some_and(|(other, _)| other > sym) {
            continue;
        }
        let elsewhere = dim.terms().iter().any(|(other, _)| {
            other != monomial
                && other.factors().iter().any(|(atom, _)| match atom {
                    Atom::Sym(inner) => *inner == sym,
                    Atom::Floor(_) | Atom::Min(_) | Atom::Max(_) => Dim::atom(atom.clone()).mentions(sym),
                })
        });
        if !elsewhere {
            best = Some((sym, *coefficient));
        }
    }
    let (sym, coefficient) = best?;
    // c*s + rest == 0 with c = ±1, so s = -c*rest.
    let rest = dim.minus(&Dim::symbol(sym).times_const(coefficient)?)?;
    Some((sym, rest.times_const(-coefficient)?))
}

/// `(s, a, b)` for `a*s + b`.
pub(super) fn single_symbol(dim: &Dim) -> Option<(Sym, i128, i128)> {
    match dim.terms() {
        [(monomial, a)] => Some((monomial.as_symbol()?, *a, dim.constant_term())),
        _ => None,
    }
}
