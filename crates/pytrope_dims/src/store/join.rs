//! Joining stores at a merge of paths, and forgetting symbols that die.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Facts, Store, Truth};
use crate::constraint::Constraint;
use crate::dim::Dim;
use crate::symbol::{Reason, Sym};

/// Facts of one side that are searched for on the other, in one join.
const MAX_SEARCHES: u32 = 16;

impl Store {
    /// What holds on both sides. A contradictory side describes no state and adds none.
    pub fn join(a: &Self, b: &Self) -> Self {
        if a.same(b) || b.is_contradictory() {
            return a.clone();
        }
        if a.is_contradictory() {
            return b.clone();
        }
        let mut joined = Self(Arc::new(common(&a.0, &b.0)));
        let symbols: BTreeSet<Sym> =
            [a, b].iter().flat_map(|side| side.0.bounds.keys().chain(side.0.solved.keys())).copied().collect();
        for sym in symbols {
            if joined.0.solved.contains_key(&sym) {
                continue;
            }
            // A symbol that only one side declared was born there: what is known of it stays.
            let dim = Dim::symbol(sym);
            let interval = match (a.declares(sym), b.declares(sym)) {
                (true, false) => a.bounds(&dim),
                (false, true) => b.bounds(&dim),
                (true, true) | (false, false) => a.bounds(&dim).hull(&b.bounds(&dim)),
            };
            joined.declare_bounds(sym, interval);
        }
        let mut searches = MAX_SEARCHES;
        for (own, other) in [(a, b), (b, a)] {
            for fact in own.own_facts() {
                if joined.0.rest.contains(&fact) || joined.decide_quickly(&fact) == Truth::True {
                    continue;
                }
                let foreign = !fact.dim.any_symbol(&mut |sym| other.declares(sym) || !own.declares(sym));
                let mut holds = foreign || other.decide_quickly(&fact) == Truth::True;
                if !holds && searches > 0 {
                    searches -= 1;
                    holds = other.decide(&fact) == Truth::True;
                }
                if holds {
                    joined.learn(fact);
                }
            }
        }
        joined
    }

    /// Whether a symbol was there before the paths parted, as far as this side can tell. A natural symbol enters a
    /// store only when something is learned about it, so its absence says nothing about its birth.
    fn declares(&self, sym: Sym) -> bool {
        sym.is_natural() || self.0.declared.contains_key(&sym)
    }

    /// Equalities and facts; intervals are joined on their own.
    pub(crate) fn own_facts(&self) -> Vec<Constraint> {
        let equalities = self.0.solved.iter().filter_map(|(sym, dim)| Constraint::equal(&Dim::symbol(*sym), dim));
        equalities.chain(self.0.rest.iter().cloned()).collect()
    }

    /// Drops symbols (those born in a loop's body, at its back edge) and every fact about them,
    /// keeping what follows for the others where an equality shows it.
    pub fn forget(&mut self, dead: &dyn Fn(Sym) -> bool) {
        let any = |dim: &Dim| dim.any_symbol(&mut |sym| dead(sym));
        let touched = self.0.bounds.keys().chain(self.0.solved.keys()).chain(self.0.declared.keys()).any(|s| dead(*s))
            || self.0.rest.iter().any(|fact| any(&fact.dim))
            || self.0.solved.values().any(any)
            || self.0.log.iter().any(|(fact, _)| any(&fact.dim));
        if !touched {
            return;
        }
        let facts = Arc::make_mut(&mut self.0);
        facts.solved.retain(|sym, _| !dead(*sym));
        // `n = s + 1` with s dying: s = n - 1 first, everywhere, so that facts pass from s to n.
        let mut requeue = Vec::new();
        while let Some((kept, gone, value)) = facts.solved.iter().find_map(|(kept, dim)| {
            dim.terms().iter().find_map(|(monomial, coefficient)| {
                let gone = monomial.as_symbol().filter(|sym| dead(*sym))?;
                if coefficient.unsigned_abs() != 1 {
                    return None;
                }
                let rest = dim.minus(&Dim::symbol(gone).times_const(*coefficient)?)?;
                if rest.mentions(gone) {
                    return None;
                }
                let value = Dim::symbol(*kept).minus(&rest)?.times_const(*coefficient)?;
                Some((*kept, gone, value))
            })
        }) {
            facts.solved.remove(&kept);
            let replacement = |sym: Sym| (sym == gone).then(|| value.clone());
            for known in facts.solved.values_mut() {
                if let Some(replaced) = known.substitute(&replacement) {
                    *known = replaced;
                }
            }
            if let Some(interval) = facts.bounds.remove(&gone) {
                requeue.extend(interval.lo.and_then(|lo| Constraint::at_least(&value, lo)));
                requeue.extend(interval.hi.and_then(|hi| Constraint::at_least(&value.negated()?, hi.checked_neg()?)));
            }
            for fact in &mut facts.rest {
                if let Some(replaced) = fact.substitute(&replacement) {
                    *fact = replaced;
                }
            }
        }
        facts.solved.retain(|_, dim| !any(dim));
        facts.bounds.retain(|sym, _| !dead(*sym));
        facts.declared.retain(|sym, _| !dead(*sym));
        facts.log.retain(|(fact, _)| !any(&fact.dim));
        let rest: Vec<_> = facts.rest.drain(..).chain(requeue).filter(|fact| !any(&fact.dim)).collect();
        for fact in rest {
            self.learn(fact);
        }
    }
}

/// What stands in both stores word for word. The solved form of each side is one of this part too.
fn common(a: &Facts, b: &Facts) -> Facts {
    let mut facts = Facts::default();
    for (sym, interval) in a.declared.iter().chain(&b.declared) {
        let known = facts.declared.entry(*sym).or_insert(*interval);
        *known = known.hull(interval);
    }
    let theirs: FxHashSet<&(Constraint, Reason)> = b.log.iter().collect();
    let log = a.log.iter().filter(|entry| theirs.contains(entry));
    facts.log = log.cloned().collect();
    let theirs: FxHashSet<&Constraint> = b.rest.iter().collect();
    let rest = a.rest.iter().filter(|fact| theirs.contains(fact));
    facts.rest = rest.cloned().collect();
    let solved = a.solved.iter().filter(|(sym, dim)| b.solved.get(sym) == Some(dim));
    facts.solved = solved.map(|(sym, dim)| (*sym, dim.clone())).collect();
    facts
}
