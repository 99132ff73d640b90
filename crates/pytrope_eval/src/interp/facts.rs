//! Facts about symbolic integers: new symbols, what is decided of them, what is assumed.

use pytrope_dims::{Cmp, Constraint, Dim, FactReason, Interval, Sym, ThreeValued};

use super::Interp;
use crate::cond::Cond;
use crate::symbols;
use crate::value::Value;

/// How many alternatives of one size are looked through.
const HULL_LIMIT: usize = 8;

impl Interp<'_> {
    /// A new symbolic integer.
    pub fn fresh_dim(&mut self, name: Option<&str>, least: Option<i128>) -> Dim {
        let natural = least.is_some_and(|least| least >= 0);
        let sym = if natural { symbols::fresh_natural() } else { symbols::fresh_symbol() };
        if let Some(name) = name {
            self.run.symbols.set(sym, name);
        }
        if let Some(least) = least
            && least != 0
        {
            self.run.state.store.declare(sym, least);
        }
        Dim::symbol(sym)
    }

    pub fn any_int(&mut self) -> Value {
        Value::Dim(self.fresh_dim(None, None))
    }

    pub fn any_natural(&mut self) -> Value {
        Value::Dim(self.fresh_dim(None, Some(0)))
    }

    pub fn compare_dims(&self, a: &Dim, cmp: Cmp, b: &Dim) -> ThreeValued<Cond> {
        if a.any_symbol(&mut Sym::is_summary) && b.any_symbol(&mut Sym::is_summary) {
            // Each is the size of one of many, and not of the same one.
            let apart = b.substitute(&|sym| sym.is_summary().then(|| Dim::symbol(symbols::symbol_like(sym))));
            return match apart.map(|b| self.run.state.store.compare(a, cmp, &b)) {
                Some(ThreeValued::True) => ThreeValued::True,
                Some(ThreeValued::False) => ThreeValued::False,
                Some(ThreeValued::Open(())) | None => ThreeValued::opaque(),
            };
        }
        match self.run.state.store.compare(a, cmp, b) {
            ThreeValued::True => ThreeValued::True,
            ThreeValued::False => ThreeValued::False,
            ThreeValued::Open(()) => ThreeValued::Open(Constraint::compare(a, cmp, b).map_or(Cond::Opaque, Cond::Atom)),
        }
    }

    pub fn decide_condition(&self, cond: &Cond) -> ThreeValued<Cond> {
        match cond {
            Cond::Opaque => ThreeValued::opaque(),
            Cond::Atom(constraint) => match self.run.state.store.decide(constraint) {
                ThreeValued::True => ThreeValued::True,
                ThreeValued::False => ThreeValued::False,
                ThreeValued::Open(()) => ThreeValued::Open(cond.clone()),
            },
            Cond::All(parts) => {
                let mut open = Vec::new();
                for part in parts {
                    match self.decide_condition(part) {
                        ThreeValued::True => {}
                        ThreeValued::False => return ThreeValued::False,
                        ThreeValued::Open(cond) => open.push(cond),
                    }
                }
                match open.len() {
                    0 => ThreeValued::True,
                    1 => ThreeValued::Open(open.swap_remove(0)),
                    _ => ThreeValued::Open(Cond::All(open)),
                }
            }
            Cond::Any(parts) => {
                let mut open = Vec::new();
                for part in parts {
                    match self.decide_condition(part) {
                        ThreeValued::False => {}
                        ThreeValued::True => return ThreeValued::True,
                        ThreeValued::Open(cond) => open.push(cond),
                    }
                }
                match open.len() {
                    0 => ThreeValued::False,
                    1 => ThreeValued::Open(open.swap_remove(0)),
                    _ => ThreeValued::Open(Cond::Any(open)),
                }
            }
        }
    }

    /// Takes a condition as a fact; false if that leaves no state.
    pub fn assume_condition(&mut self, cond: &Cond) -> bool {
        match cond {
            Cond::Opaque => true,
            Cond::Atom(constraint) if self.is_dynamic(constraint) => true,
            Cond::Atom(constraint) => {
                let reason = FactReason(self.current_frame().node.start);
                // Natural symbols enter the store when something is learned about them.
                for sym in constraint.dim.symbols() {
                    if sym.is_natural() {
                        self.run.state.store.declare(sym, 0);
                    }
                }
                if !self.run.state.store.assume(constraint, reason).is_feasible() {
                    return false;
                }
                self.settle_ranks(constraint);
                true
            }
            Cond::All(parts) => parts.iter().all(|part| self.assume_condition(part)),
            Cond::Any(_) => match self.decide_condition(cond) {
                ThreeValued::True => true,
                ThreeValued::False => false,
                ThreeValued::Open(Cond::Any(parts)) => self.assume_hull(&parts),
                ThreeValued::Open(Cond::Opaque) => true,
                ThreeValued::Open(simpler) => self.assume_condition(&simpler),
            },
        }
    }

    /// Of several alternatives, what all of them say about the range of a size (`x.ndim in (1, 2)`).
    fn assume_hull(&mut self, alternatives: &[Cond]) -> bool {
        let atoms: Option<Vec<&Constraint>> = alternatives
            .iter()
            .map(|part| match part {
                Cond::Atom(constraint) => Some(constraint),
                Cond::Opaque | Cond::All(_) | Cond::Any(_) => None,
            })
            .collect();
        let Some([first, ..]) = atoms.as_deref() else { return true };
        let Some(sym) = first.dim.symbols().into_iter().next() else { return true };
        let about_one = |constraint: &&Constraint| {
            let symbols = constraint.dim.symbols();
            symbols.len() == 1 && symbols.contains(&sym) && !self.is_dynamic(constraint)
        };
        let atoms = atoms.unwrap_or_default();
        if atoms.len() > HULL_LIMIT || !atoms.iter().all(about_one) {
            return true;
        }
        let reason = FactReason(self.current_frame().node.start);
        let dim = Dim::symbol(sym);
        let mut hull: Option<Interval> = None;
        for constraint in atoms {
            let mut store = self.run.state.store.clone();
            if sym.is_natural() {
                store.declare(sym, 0);
            }
            if store.assume(constraint, reason).is_feasible() {
                let bounds = store.bounds(&dim);
                hull = Some(hull.map_or(bounds, |so_far| so_far.hull(&bounds)));
            }
        }
        let Some(hull) = hull else { return false };
        let bounds = [(Cmp::Ge, hull.lo), (Cmp::Le, hull.hi)];
        bounds.into_iter().all(|(cmp, bound)| {
            let known = bound.and_then(|bound| Constraint::compare(&dim, cmp, &Dim::constant(bound)));
            known.is_none_or(|constraint| self.assume_condition(&Cond::Atom(constraint)))
        })
    }

    /// Whether a constraint is about a size in gradual reading.
    fn is_dynamic(&self, constraint: &Constraint) -> bool {
        self.is_dynamic_size(&constraint.dim)
    }

    /// Whether a size is in gradual reading, or computed from one that is.
    pub fn is_dynamic_size(&self, size: &Dim) -> bool {
        !self.run.dynamic.is_empty() && size.any_symbol(&mut |sym| self.run.dynamic.contains(&sym))
    }
}
