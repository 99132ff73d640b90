//! What a store learns, decides, joins and forgets.

use pytrope_dims::{Assumed, Cmp, Constraint, Dim, FactReason, Interval, Store, Sym, ThreeValued};

fn s(id: u32) -> Dim {
    Dim::symbol(Sym(id))
}

fn c(value: i128) -> Dim {
    Dim::constant(value)
}

fn dims(count: u32) -> Store {
    let mut store = Store::new();
    for id in 0..count {
        store.declare(Sym(id), 0);
    }
    store
}

#[test]
fn equalities_substitute() {
    let mut store = dims(3);
    store.assume_compare(&s(1), Cmp::Eq, &s(0).plus_const(1).unwrap(), FactReason(0));
    store.assume_compare(&s(2), Cmp::Eq, &s(1).times_const(2).unwrap(), FactReason(1));
    assert_eq!(store.simplify(&s(2)).to_string(), "2*s0 + 2");
    assert_eq!(store.compare(&s(2), Cmp::Gt, &s(0)), ThreeValued::True);
    assert_eq!(store.compare(&s(2), Cmp::Eq, &c(3)), ThreeValued::False);
    assert_eq!(store.compare(&s(2), Cmp::Eq, &c(4)), ThreeValued::Open(()));
}

#[test]
fn a_factor_known_positive_cancels() {
    let (nm, nk) = (s(0).times(&s(1)).unwrap(), s(0).times(&s(2)).unwrap());
    let mut store = dims(3);
    store.assume_compare(&nm, Cmp::Eq, &nk, FactReason(0));
    assert_eq!(store.compare(&s(1), Cmp::Eq, &s(2)), ThreeValued::Open(()), "n may be 0");
    store.assume_compare(&s(0), Cmp::Gt, &c(0), FactReason(1));
    let mut store = dims(3);
    store.assume_compare(&s(0), Cmp::Gt, &c(0), FactReason(1));
    store.assume_compare(&nm, Cmp::Eq, &nk, FactReason(0));
    assert_eq!(store.compare(&s(1), Cmp::Eq, &s(2)), ThreeValued::True);
}

#[test]
fn contradictions_name_their_reasons() {
    let mut store = dims(3);
    store.assume_compare(&s(0), Cmp::Ge, &c(10), FactReason(1));
    store.assume_compare(&s(2), Cmp::Ge, &c(10), FactReason(2));
    store.assume_compare(&s(1), Cmp::Gt, &s(0), FactReason(3));
    let answer = store.assume_compare(&s(1), Cmp::Eq, &c(5), FactReason(4));
    assert_eq!(answer, Assumed::Contradiction);
    assert!(store.is_contradictory());
    assert_eq!(store.why_contradictory(), vec![FactReason(1), FactReason(3), FactReason(4)]);
}

#[test]
fn join_keeps_what_both_sides_know() {
    let base = dims(2);
    let (mut a, mut b) = (base.clone(), base.clone());
    a.assume_compare(&s(0), Cmp::Eq, &c(3), FactReason(0));
    a.assume_compare(&s(1), Cmp::Eq, &s(0), FactReason(0));
    b.assume_compare(&s(0), Cmp::Eq, &c(5), FactReason(0));
    b.assume_compare(&s(1), Cmp::Eq, &c(5), FactReason(0));
    let joined = Store::join(&a, &b);
    assert_eq!(joined.bounds(&s(0)), Interval::new(3, 5));
    assert_eq!(joined.compare(&s(0), Cmp::Eq, &c(7)), ThreeValued::False);
    assert_eq!(joined.compare(&s(0), Cmp::Eq, &c(3)), ThreeValued::Open(()));
}

#[test]
fn what_one_path_learns_of_a_natural_symbol_dies_at_the_join() {
    let size = Sym(Sym::NATURAL | 3);
    let n = Dim::symbol(size);
    let before = Store::default();
    let mut after = before.clone();
    after.declare(size, 0);
    after.assume_compare(&n, Cmp::Lt, &c(1), FactReason(1));
    assert_eq!(after.compare(&n, Cmp::Eq, &c(0)), ThreeValued::True);
    for joined in [Store::join(&before, &after), Store::join(&after, &before)] {
        assert_eq!(joined.compare(&n, Cmp::Eq, &c(0)), ThreeValued::Open(()));
        assert_eq!(joined.compare(&n, Cmp::Ge, &c(0)), ThreeValued::True);
    }
}

#[test]
fn forgetting_passes_facts_on() {
    let mut store = dims(3);
    store.assume_compare(&s(1), Cmp::Ge, &c(4), FactReason(0));
    store.assume_compare(&s(2), Cmp::Eq, &s(1).plus_const(1).unwrap(), FactReason(1));
    store.forget(&|sym| sym == Sym(1));
    assert_eq!(store.compare(&s(2), Cmp::Ge, &c(5)), ThreeValued::True);
    assert_eq!(store.compare(&s(1), Cmp::Ge, &c(0)), ThreeValued::Open(()));
}

#[test]
fn modulo_and_halves_are_bounded() {
    let store = dims(1);
    let half = s(0).floor_div(&c(2)).unwrap();
    assert_eq!(store.compare(&half, Cmp::Le, &s(0)), ThreeValued::True);
    assert_eq!(store.bounds(&s(0).modulo(&c(7)).unwrap()), Interval::new(0, 6));
    let divisible = Constraint::divisible(&s(0).times_const(4).unwrap(), &c(2)).unwrap();
    assert_eq!(store.decide(&divisible), ThreeValued::True);
}

#[test]
fn stores_travel_between_threads() {
    fn assert_send_sync<T: Send + Sync>() {}
    assert_send_sync::<Store>();
    assert_send_sync::<Dim>();
}

#[test]
fn witnesses_satisfy_the_facts_and_the_question() {
    let mut store = dims(3);
    store.assume_compare(&s(2), Cmp::Eq, &s(0).times(&s(1)).unwrap(), FactReason(0));
    store.assume_compare(&s(0), Cmp::Ge, &c(5), FactReason(1));
    let twelve = Constraint::compare(&s(2), Cmp::Eq, &c(12)).unwrap();
    let model = store.witness(&twelve.into()).expect("6 by 2, or 12 by 1");
    assert_eq!(model[&Sym(0)] * model[&Sym(1)], 12);
    assert!(model[&Sym(0)] >= 5);
    let seven = Constraint::compare(&s(2), Cmp::Eq, &c(-7)).unwrap();
    assert_eq!(store.witness(&seven.into()), None);
}

#[test]
fn formulas_with_products_are_decided_by_search() {
    let mut store = dims(2);
    store.assume_compare(&s(0), Cmp::Le, &c(3), FactReason(0));
    let product = s(0).times(&s(1)).unwrap();
    store.assume_compare(&product, Cmp::Eq, &c(7), FactReason(1));
    let prime = Constraint::compare(&s(1), Cmp::Eq, &c(7)).unwrap();
    assert_eq!(store.decide_formula(&prime.into()), ThreeValued::True);
}
