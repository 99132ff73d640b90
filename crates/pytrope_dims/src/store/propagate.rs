//! Bounds from facts: an expression's interval narrows those of its parts.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::Store;
use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim, Monomial};
use crate::interval::Interval;
use crate::number::{ceil, floor};
use crate::symbol::Sym;

/// How deep divisions and products are looked into.
const DEPTH: u32 = 4;

impl Store {
    /// Narrows symbols by the facts that mention `touched`; `false` on a contradiction.
    pub(crate) fn propagate_bounds(&mut self, touched: &BTreeSet<Sym>) -> bool {
        let mut found: Vec<(Sym, Interval)> = Vec::new();
        for fact in self.0.rest.iter() {
            let interval = match fact.relation {
                Relation::NonNegative => Interval::at_least(0),
                Relation::Zero => Interval::exactly(0),
                Relation::NonZero => continue,
            };
            if fact.dim.any_symbol(&mut |sym| touched.contains(&sym)) {
                self.narrow_dim(&fact.dim, interval, DEPTH, &mut found);
            }
        }
        let mut settled = Vec::new();
        for (sym, bound) in found {
            let known = self.symbol_bounds(sym);
            let tighter = known.intersect(&bound);
            if tighter.is_empty() {
                return false;
            }
            if tighter == known {
                continue;
            }
            // A single value is substituted; as an interval it would stay unsolved.
            match tighter.as_const() {
                Some(value) => settled.extend(Constraint::equal(&Dim::symbol(sym), &Dim::constant(value))),
                None => {
                    Arc::make_mut(&mut self.0).set_bounds(sym, tighter);
                }
            }
        }
        settled.is_empty() || self.settle_queue(settled)
    }

    /// Narrows until nothing changes or `rounds` are over; `false` on a contradiction.
    pub(crate) fn propagate_all(&mut self, rounds: u32) -> bool {
        for _ in 0..rounds {
            let before = self.clone();
            let symbols: BTreeSet<Sym> = self.0.rest.iter().flat_map(|fact| fact.dim.symbols()).collect();
            if !self.propagate_bounds(&symbols) {
                return false;
            }
            if !self.cancel_again() {
                return false;
            }
            if before == *self {
                break;
            }
        }
        true
    }

    /// Cancels factors that have become positive since their fact was learned.
    fn cancel_again(&mut self) -> bool {
        let simpler: Vec<(usize, Constraint)> = (self.0.rest.iter().enumerate())
            .filter_map(|(index, fact)| Some((index, self.cancel_common_factor(fact)?)))
            .collect();
        if simpler.is_empty() {
            return true;
        }
        let rest = Arc::make_mut(&mut Arc::make_mut(&mut self.0).rest);
        for (index, _) in simpler.iter().rev() {
            rest.remove(*index);
        }
        self.settle_queue(simpler.into_iter().map(|(_, fact)| fact).collect())
    }

    fn narrow_dim(&self, dim: &Dim, interval: Interval, depth: u32, found: &mut Vec<(Sym, Interval)>) {
        if depth == 0 || (interval.lo.is_none() && interval.hi.is_none()) {
            return;
        }
        for (monomial, coefficient) in dim.terms() {
            let rest = monomial.to_dim().times_const(*coefficient).and_then(|term| dim.minus(&term));
            let Some(rest) = rest else { continue };
            let product = interval.plus(&self.bounds(&rest).negated());
            self.narrow_monomial(monomial, divide_interval(&product, *coefficient), depth, found);
        }
    }

    fn narrow_monomial(&self, monomial: &Monomial, interval: Interval, depth: u32, found: &mut Vec<(Sym, Interval)>) {
        if interval.lo.is_none() && interval.hi.is_none() {
            return;
        }
        match monomial.as_atom() {
            Some(Atom::Sym(sym)) => found.push((*sym, interval)),
            Some(Atom::Floor(parts)) => {
                if let Some(d) = parts.1.as_const().filter(|d| *d >= 1) {
                    let numerator = Interval {
                        lo: interval.lo.and_then(|lo| lo.checked_mul(d)),
                        hi: interval.hi.and_then(|hi| hi.checked_mul(d)?.checked_add(d - 1)),
                    };
                    self.narrow_dim(&parts.0, numerator, depth - 1, found);
                }
            }
            Some(Atom::Min(choices)) => {
                for choice in choices.iter() {
                    let least = Interval { lo: interval.lo, hi: None };
                    self.narrow_dim(choice, least, depth - 1, found);
                }
            }
            Some(Atom::Max(choices)) => {
                for choice in choices.iter() {
                    let most = Interval { lo: None, hi: interval.hi };
                    self.narrow_dim(choice, most, depth - 1, found);
                }
            }
            None => self.narrow_factors(monomial, interval, depth, found),
        }
    }

    /// `s^e * r` within an interval, with `r >= 1`, bounds `s`.
    fn narrow_factors(&self, monomial: &Monomial, interval: Interval, depth: u32, found: &mut Vec<(Sym, Interval)>) {
        let whole = monomial.to_dim();
        for (atom, exponent) in monomial.factors() {
            let base = Dim::atom(atom.clone());
            let rest = base.power(*exponent).and_then(|power| whole.exact_quotient(&power));
            let Some(rest) = rest else { continue };
            let others = self.bounds(&rest);
            let Some(least) = others.lo.filter(|lo| *lo >= 1) else {
                continue;
            };
            let power = Interval {
                lo: interval.lo.map(|lo| match others.hi {
                    _ if lo <= 0 => ceil(lo, least),
                    Some(hi) => ceil(lo, hi),
                    None => 1,
                }),
                hi: interval.hi.map(|hi| match others.hi {
                    _ if hi >= 0 => floor(hi, least),
                    Some(most) => floor(hi, most),
                    None => -1,
                }),
            };
            let value = match exponent {
                1 => power,
                // s^e <= h bounds |s| by √h for even e, and s by h for odd ones.
                e if e.is_multiple_of(2) => match power.hi {
                    Some(hi) if hi < 0 => Interval::new(1, 0),
                    Some(hi) => Interval::new(-hi.isqrt(), hi.isqrt()),
                    None => continue,
                },
                _ => Interval { lo: None, hi: power.hi.map(|hi| hi.max(0)) },
            };
            self.narrow_dim(&base, value, depth - 1, found);
        }
    }
}

/// The integers whose product with `factor` lies in the interval.
fn divide_interval(interval: &Interval, factor: i128) -> Interval {
    let (interval, factor) = match factor.checked_neg() {
        Some(positive) if factor < 0 => (interval.negated(), positive),
        Some(_) => (*interval, factor),
        None => return Interval::ALL,
    };
    Interval { lo: interval.lo.map(|lo| ceil(lo, factor)), hi: interval.hi.map(|hi| floor(hi, factor)) }
}
