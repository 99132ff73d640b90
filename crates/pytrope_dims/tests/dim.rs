//! Normal forms of dimensions, and that every operation agrees with Python's on numbers.

use pytrope_dims::{Dim, Sym, python_floor_div, python_mod};

fn s(id: u32) -> Dim {
    Dim::symbol(Sym(id))
}

fn c(value: i128) -> Dim {
    Dim::constant(value)
}

fn show(dim: &Dim) -> String {
    dim.display(&|sym| ["n", "m", "k", "h"][sym.0 as usize].to_owned()).to_string()
}

#[test]
fn python_division_of_every_sign() {
    let cases = [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1), (6, -3, -2, 0)];
    for (a, b, quotient, remainder) in cases {
        assert_eq!(python_floor_div(a, b), Some(quotient));
        assert_eq!(python_mod(a, b), Some(remainder));
    }
    assert_eq!(python_floor_div(1, 0), None);
    assert_eq!(python_floor_div(i128::MIN, -1), None);
}

#[test]
fn nested_floors_merge() {
    // Two convolutions of stride 2 in a row.
    let inner = s(0).plus(&c(3)).unwrap().floor_div(&c(2)).unwrap();
    let outer = inner.plus(&c(1)).unwrap().floor_div(&c(2)).unwrap();
    assert_eq!(outer, s(0).plus(&c(5)).unwrap().floor_div(&c(4)).unwrap());
    assert_eq!(show(&outer), "(n + 1)//4 + 1");
}

#[test]
fn exact_division_for_view() {
    let n = s(0).times(&s(1)).unwrap().times(&c(12)).unwrap();
    assert_eq!(n.floor_div(&s(0)).unwrap(), s(1).times(&c(12)).unwrap());
    assert_eq!(n.floor_div(&s(1).times(&c(4)).unwrap()).unwrap(), s(0).times(&c(3)).unwrap());
    let sum = s(0).plus(&s(1)).unwrap();
    let product = sum.times(&s(2)).unwrap();
    assert_eq!(product.floor_div(&sum).unwrap(), s(2));
}

#[test]
fn display_reads_as_python() {
    let half = s(0).floor_div(&c(2)).unwrap();
    assert_eq!(show(&half), "n//2");
    assert_eq!(show(&half.times_const(3).unwrap()), "3*(n//2)");
    assert_eq!(show(&half.negated().unwrap()), "-(n//2)");
    assert_eq!(show(&s(1).minus(&s(0)).unwrap()), "m - n");
    assert_eq!(show(&s(0).modulo(&c(4)).unwrap()), "n % 4");
    assert_eq!(show(&s(0).ceil_div(&c(2)).unwrap()), "(n + 1)//2");
    assert_eq!(show(&s(0).lesser(&s(1)).unwrap()), "min(n, m)");
    assert_eq!(show(&s(0).times(&s(0)).unwrap().plus_const(-1).unwrap()), "n**2 - 1");
}

#[test]
fn overflow_is_none() {
    assert_eq!(c(i128::MAX).plus(&c(1)), None);
    assert_eq!(s(0).times_const(i128::MAX).unwrap().times_const(2), None);
    let mut grown = s(0);
    let mut limit = 0;
    while let Some(next) = grown.times(&s(0)) {
        grown = next;
        limit += 1;
        assert!(limit < 100, "degrees are capped");
    }
}

/// The table of normal forms in `docs/theory.md`.
#[test]
fn normal_forms_of_the_theory_page() {
    let linear = |a: i128, b: i128| s(0).times_const(a).unwrap().plus_const(b).unwrap();
    let by = |dim: &Dim, d: i128| dim.floor_div(&c(d)).unwrap();
    assert_eq!(show(&by(&linear(5, 7), 2)), "2*n + (n + 1)//2 + 3");
    assert_eq!(show(&by(&linear(6, 3), 9)), "(2*n + 1)//3");
    assert_eq!(show(&by(&linear(-1, 0), -2)), "n//2");
}
