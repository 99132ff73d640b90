//! Trying a few sizes before proving anything: a state that exists cannot be refuted, and finding one is quick.

use std::collections::BTreeSet;

use super::Store;
use crate::constraint::Constraint;
use crate::interval::Interval;
use crate::symbol::Sym;

/// First value of each sample, and by how much each symbol differs from the one before it: all alike, growing, and falling. An
/// index is younger than the length that it stays below, so that falling values meet what is known of the two.
const SAMPLES: [(i128, i128); 11] =
    [(0, 0), (1, 0), (1000, -37), (224, 0), (5, 2), (64, -1), (64, 0), (100, 37), (2, 0), (7, 0), (4, -1)];

/// What samples showed about a constraint.
#[derive(Clone, Copy, Default)]
pub(super) struct SeenAnswers {
    /// It holds in some state that the facts admit.
    pub holds: bool,
    /// It fails in some state that the facts admit.
    pub fails: bool,
}

impl Store {
    /// Looks for states that the facts admit, one where the constraint holds and one where it does not.
    pub(super) fn sample_states(
        &self,
        constraint: &Constraint,
        facts: &[&Constraint],
        symbols: &BTreeSet<Sym>,
    ) -> SeenAnswers {
        let mut seen = SeenAnswers::default();
        let bounded: Vec<(Sym, Interval)> = symbols.iter().map(|sym| (*sym, self.symbol_bounds(*sym))).collect();
        if bounded.iter().any(|(_, interval)| interval.is_empty()) {
            return seen;
        }
        let mut values: Vec<i128> = vec![0; bounded.len()];
        for (first, step) in SAMPLES {
            let mut next = first;
            for (value, (_, interval)) in values.iter_mut().zip(&bounded) {
                *value = next.max(interval.lo.unwrap_or(next));
                *value = (*value).min(interval.hi.unwrap_or(*value));
                next += step;
            }
            let at = |sym: Sym| bounded.binary_search_by_key(&sym, |(own, _)| *own).ok().map(|place| values[place]);
            let Some(truth) = constraint.eval(&at) else { continue };
            if (truth && seen.holds) || (!truth && seen.fails) {
                continue;
            }
            if facts.iter().all(|fact| fact.eval(&at) == Some(true)) {
                if truth {
                    seen.holds = true;
                } else {
                    seen.fails = true;
                }
                if seen.holds && seen.fails {
                    break;
                }
            }
        }
        seen
    }
}
