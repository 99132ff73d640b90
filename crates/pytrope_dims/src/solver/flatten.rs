//! Names divisions by symbols, so that facts about a quotient are facts about a symbol.

use std::collections::BTreeSet;

use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim};
use crate::store::Store;
use crate::symbol::Sym;

/// Divisions named in one problem.
const MAX_NAMES: usize = 8;

/// The store with each `n // d`, where `d` is a positive expression, replaced by a fresh symbol `q`
/// with `0 <= n - d*q < d`; `None` on a contradiction. Without such divisions, the store itself.
pub(super) fn flatten_divisions(store: &Store, next: &mut u32) -> Option<Store> {
    let mut flat = store.clone();
    for _ in 0..MAX_NAMES {
        let Some((atom, numerator, divisor)) = innermost_division(&flat) else {
            break;
        };
        let name = Sym(*next);
        *next += 1;
        let quotient = Dim::symbol(name);
        let definition = || {
            let remainder = numerator.minus(&divisor.times(&quotient)?)?;
            let room = divisor.minus(&remainder)?.plus_const(-1)?;
            Some([Constraint::new(Relation::NonNegative, remainder), Constraint::new(Relation::NonNegative, room)])
        };
        let Some(definition) = definition() else {
            break;
        };
        let mut named = flat.without_facts();
        named.declare_in(name, flat.bounds(&Dim::atom(atom.clone())));
        for fact in flat.own_facts() {
            let Some(dim) = replace_atom(&fact.dim, &atom, &quotient) else {
                return Some(flat);
            };
            if !named.learn_constraint(Constraint::new(fact.relation, dim)) {
                return None;
            }
        }
        for fact in definition {
            if !named.learn_constraint(fact) {
                return None;
            }
        }
        flat = named;
    }
    Some(flat)
}

/// A division by a positive expression, with no other such division inside.
fn innermost_division(store: &Store) -> Option<(Atom, Dim, Dim)> {
    let mut found = BTreeSet::new();
    for fact in store.own_facts() {
        collect_atoms(&fact.dim, &mut found);
    }
    found.into_iter().find_map(|atom| {
        let Atom::Floor(parts) = &atom else {
            return None;
        };
        let positive = store.bounds(&parts.1).lo.is_some_and(|lo| lo >= 1);
        positive.then(|| (atom.clone(), parts.0.clone(), parts.1.clone()))
    })
}

fn collect_atoms(dim: &Dim, found: &mut BTreeSet<Atom>) {
    for (monomial, _) in dim.terms() {
        for (atom, _) in monomial.factors() {
            match atom {
                Atom::Sym(_) => {}
                Atom::Floor(parts) => {
                    let before = found.len();
                    collect_atoms(&parts.0, found);
                    collect_atoms(&parts.1, found);
                    if found.len() == before && parts.1.as_const().is_none() {
                        found.insert(atom.clone());
                    }
                }
                Atom::Min(choices) | Atom::Max(choices) => {
                    for choice in choices.iter() {
                        collect_atoms(choice, found);
                    }
                }
            }
        }
    }
}

fn replace_atom(dim: &Dim, old: &Atom, new: &Dim) -> Option<Dim> {
    dim.map_atoms(&mut |atom| {
        if atom == old { Some(new.clone()) } else { atom.rebuild(&mut |inner| replace_atom(inner, old, new)) }
    })
}
