//! Joining stores at a merge of paths, and forgetting symbols that die.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::log::Log;
use super::map::SymMap;
use super::{Facts, Store};
use crate::constraint::Constraint;
use crate::dim::Dim;
use crate::interval::Interval;
use crate::symbol::Sym;
use crate::three_valued::ThreeValued;

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
        let Common { facts, symbols, unsolved } = common(&a.0, &b.0);
        let of_both = Arc::clone(&facts.rest);
        let mut joined = Self(Arc::new(facts));
        for sym in symbols {
            if joined.0.solved.contains(sym) {
                continue;
            }
            // A symbol that only one side declared was born there: what is known of it stays.
            let interval = match (a.declares(sym), b.declares(sym)) {
                (true, false) => a.bounds_of(sym),
                (false, true) => b.bounds_of(sym),
                (true, true) | (false, false) => a.bounds_of(sym).hull(&b.bounds_of(sym)),
            };
            joined.declare_bounds(sym, interval);
        }
        let mut searches = MAX_SEARCHES;
        for (own, other) in [(a, b), (b, a)] {
            for fact in own.facts_apart(&unsolved, &of_both) {
                if joined.0.rest.contains(&fact) || joined.decide_quickly(&fact) == ThreeValued::True {
                    continue;
                }
                let foreign = !fact.dim.any_symbol(&mut |sym| other.declares(sym) || !own.declares(sym));
                let mut holds = foreign || other.decide_quickly(&fact) == ThreeValued::True;
                if !holds && searches > 0 {
                    searches -= 1;
                    holds = other.decide(&fact) == ThreeValued::True;
                }
                if holds {
                    joined.learn_constraint(fact);
                }
            }
        }
        joined
    }

    /// The interval of one symbol, solved or not.
    fn bounds_of(&self, sym: Sym) -> Interval {
        match self.0.solved.get(sym) {
            Some(solution) => self.bounds(solution),
            None => self.symbol_bounds(sym),
        }
    }

    /// Whether a symbol was there before the paths parted, as far as this side can tell. A natural symbol enters a
    /// store only when something is learned about it, so its absence says nothing about its birth.
    fn declares(&self, sym: Sym) -> bool {
        sym.is_natural() || self.0.declared.contains(sym)
    }

    /// Equalities and facts; intervals are joined on their own.
    pub(crate) fn own_facts(&self) -> Vec<Constraint> {
        let equalities = self.0.solved.iter().filter_map(|(sym, dim)| Constraint::equal(&Dim::symbol(sym), dim));
        equalities.chain(self.0.rest.iter().cloned()).collect()
    }

    /// Equalities of these symbols, and the facts that are not of both sides.
    fn facts_apart(&self, unsolved: &[Sym], of_both: &[Constraint]) -> Vec<Constraint> {
        let equalities =
            unsolved.iter().filter_map(|sym| Constraint::equal(&Dim::symbol(*sym), self.0.solved.get(*sym)?));
        let mut shared = of_both.iter().peekable();
        // What both have is a part of each, in order.
        let own = self.0.rest.iter().filter(|fact| shared.next_if_eq(fact).is_none());
        equalities.chain(own.cloned()).collect()
    }

    /// Drops symbols (those born in a loop's body, at its back edge) and every fact about them,
    /// keeping what follows for the others where an equality shows it.
    pub fn forget(&mut self, dead: &dyn Fn(Sym) -> bool) {
        let any = |dim: &Dim| dim.any_symbol(&mut |sym| dead(sym));
        let touched = self.0.bounds.keys().chain(self.0.solved.keys()).chain(self.0.declared.keys()).any(dead)
            || self.0.rest.iter().any(|fact| any(&fact.dim))
            || self.0.solved.values().any(any)
            || self.0.log.any(|(fact, _)| any(&fact.dim));
        if !touched {
            return;
        }
        let facts = Arc::make_mut(&mut self.0);
        facts.solved.retain(|sym, _| !dead(sym));
        // `n = s + 1` with s dying: s = n - 1 first, everywhere, so that facts pass from s to n.
        let mut requeue = Vec::new();
        let replaceable = |(kept, dim): (Sym, &Dim)| {
            dim.terms().iter().find_map(|(monomial, coefficient)| {
                let gone = monomial.as_symbol().filter(|sym| dead(*sym))?;
                if coefficient.unsigned_abs() != 1 {
                    return None;
                }
                let rest = dim.minus(&Dim::symbol(gone).times_const(*coefficient)?)?;
                if rest.mentions(gone) {
                    return None;
                }
                let value = Dim::symbol(kept).minus(&rest)?.times_const(*coefficient)?;
                Some((kept, gone, value))
            })
        };
        loop {
            let found = facts.solved.iter().find_map(replaceable);
            let Some((kept, gone, value)) = found else { break };
            facts.solved.remove(kept);
            let replacement = |sym: Sym| (sym == gone).then(|| value.clone());
            let mentioning = facts.solved.iter().filter(|(_, known)| known.mentions(gone));
            let replaced: Vec<(Sym, Dim)> =
                mentioning.filter_map(|(sym, known)| Some((sym, known.substitute(&replacement)?))).collect();
            for (sym, known) in replaced {
                facts.solved.insert(sym, known);
            }
            if let Some(interval) = facts.bounds.remove(gone) {
                requeue.extend(interval.lo.and_then(|lo| Constraint::at_least(&value, lo)));
                requeue.extend(interval.hi.and_then(|hi| Constraint::at_least(&value.negated()?, hi.checked_neg()?)));
            }
            for fact in Arc::make_mut(&mut facts.rest) {
                if let Some(replaced) = fact.substitute(&replacement) {
                    *fact = replaced;
                }
            }
        }
        facts.solved.retain(|_, dim| !any(dim));
        facts.bounds.retain(|sym, _| !dead(sym));
        facts.empty = facts.bounds.values().any(Interval::is_empty);
        facts.declared.retain(|sym, _| !dead(sym));
        facts.log.retain(|(fact, _)| !any(&fact.dim));
        let kept = std::mem::take(&mut facts.rest);
        let rest: Vec<_> = kept.iter().cloned().chain(requeue).filter(|fact| !any(&fact.dim)).collect();
        for fact in rest {
            self.learn_constraint(fact);
        }
    }
}

/// What two stores have in common, and where they differ.
struct Common {
    /// What stands in both word for word. The solved form of each side is one of this part too.
    facts: Facts,
    /// Symbols whose intervals or solutions differ, in order.
    symbols: Vec<Sym>,
    /// Of these, the symbols that one side has solved, at least.
    unsolved: Vec<Sym>,
}

fn common(a: &Facts, b: &Facts) -> Common {
    let (bounds, unlike) = SymMap::common(&a.bounds, &b.bounds);
    let (solved, unsolved) = SymMap::common(&a.solved, &b.solved);
    let mut symbols = [unlike.as_slice(), &unsolved].concat();
    symbols.sort_unstable();
    symbols.dedup();
    let facts = Facts {
        bounds,
        solved,
        rest: common_facts(&a.rest, &b.rest),
        declared: SymMap::union(&a.declared, &b.declared, Interval::hull),
        log: Log::common(&a.log, &b.log),
        empty: a.empty && b.empty,
        contradiction: None,
    };
    Common { facts, symbols, unsolved }
}

/// The facts that are in both lists, in the order of the first.
fn common_facts(a: &Arc<Vec<Constraint>>, b: &Arc<Vec<Constraint>>) -> Arc<Vec<Constraint>> {
    if Arc::ptr_eq(a, b) {
        return Arc::clone(a);
    }
    // Stores that come from one have the beginning in common.
    let same = a.iter().zip(b.iter()).take_while(|(x, y)| x == y).count();
    if same == a.len() {
        return Arc::clone(a);
    }
    if same == b.len() {
        return Arc::clone(b);
    }
    let theirs: FxHashSet<&Constraint> = b[same..].iter().collect();
    let more = a[same..].iter().filter(|fact| theirs.contains(fact));
    Arc::new(a[..same].iter().chain(more).cloned().collect())
}
