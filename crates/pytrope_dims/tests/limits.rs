//! Expressions at the size limits are still answered in bounded work: each test ends at once or not at all.

use pytrope_dims::{Cmp, Dim, Store, Sym, ThreeValued};

fn s(id: u32) -> Dim {
    Dim::symbol(Sym(id))
}

fn by(dim: &Dim, divisor: i128) -> Option<Dim> {
    dim.floor_div(&Dim::constant(divisor))
}

/// Applies a step until the result has no representation; the last result that has one.
fn grown(step: impl Fn(&Dim, u32) -> Option<Dim>) -> Dim {
    let mut dim = s(0);
    for id in 1..40 {
        match step(&dim, id) {
            Some(next) => dim = next,
            None => return dim,
        }
    }
    dim
}

fn answered(dim: &Dim) {
    let mut store = Store::new();
    for id in 0..40 {
        store.declare(Sym(id), 0);
    }
    assert_eq!(store.bounds(dim).lo, Some(0), "{dim}");
    assert_eq!(store.compare(dim, Cmp::Ge, &Dim::ZERO), ThreeValued::True);
    // Both are possible, so this goes through every step of the procedure.
    assert_eq!(store.compare(dim, Cmp::Ge, &Dim::constant(7)), ThreeValued::Open(()));
}

#[test]
fn many_divisions_beside_each_other() {
    answered(&grown(|dim, id| dim.plus(&by(&s(id).plus(&s(id - 1))?, 2 + i128::from(id))?)));
}

#[test]
fn divisions_inside_each_other() {
    answered(&grown(|dim, id| by(&dim.plus(&by(dim, 3)?)?, 5)?.plus(&s(id))));
}

#[test]
fn maxima_inside_each_other() {
    answered(&grown(|dim, id| by(&dim.greater(&s(id))?, 2)?.plus(dim)));
}

#[test]
fn products_of_sums() {
    answered(&grown(|dim, id| dim.times(&s(id).plus_const(1)?)));
}

#[test]
fn divisions_by_symbols() {
    answered(&grown(|dim, id| dim.plus(&dim.floor_div(&s(id).plus_const(1)?)?)));
}
