//! SMT-LIB files: what is read, what is answered, what is written, and what mistakes are told.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use pytrope_dims::smt2::{read_answer, solve_smt2, to_smt2};
use pytrope_dims::{Answer, Cmp, Constraint, Dim, FactReason, Formula, Interval, Problem, Sym};

fn verdict(text: &str) -> String {
    let (script, answer) = solve_smt2(text).expect("a readable script");
    script.print_line(&answer)
}

#[test]
fn every_operator_of_the_fragment() {
    let cases = [
        ("(declare-const x Int) (assert (and (> x 3) (< x 5)))", "sat x=4"),
        ("(declare-fun x () Int) (assert (distinct x 0 1)) (assert (<= 0 x 1))", "unsat"),
        ("(declare-const x Int) (assert (= (div x 3) 2 (- x 5)))", "sat x=7"),
        ("(declare-const x Int) (assert (= (mod x (- 4)) 3)) (assert (<= 0 x 4))", "sat x=3"),
        ("(declare-const x Int) (assert (= (div (- 7) 2) x))", "sat x=-4"),
        ("(declare-const x Int) (assert (= (div (- 7) (- 2)) x))", "sat x=4"),
        ("(declare-const x Int) (assert (= (mod (- 7) 2) x))", "sat x=1"),
        ("(declare-const x Int) (assert (= (ite (> x 2) 13 20) (+ x 10)))", "sat x=3"),
        ("(declare-const b Bool) (declare-const x Int) (assert (=> b (= x 1))) (assert b)", "sat b=1 x=1"),
        ("(declare-const a Bool) (declare-const b Bool) (assert (= a b)) (assert (xor a b))", "unsat"),
        ("(declare-const x Int) (assert (let ((y (+ x 1))) (let ((x y)) (= (* x y) 49)))) (assert (> x 0))", "sat x=6"),
        ("(declare-const x Int) (assert (! (not (or (< x 0) (> x 0))) :named zero))", "sat x=0"),
        ("(define-fun f ((a Int)) Int (* 2 a)) (declare-const x Int) (assert (= (f (f x)) 12))", "sat x=3"),
        ("(declare-const x Int) (assert ((_ divisible 7) x)) (assert (< 0 x 8))", "sat x=7"),
        ("(declare-const |x y| Int) (assert (= (abs |x y|) 5)) (assert (< |x y| 0))", "sat |x y|=-5"),
        ("(declare-const x Int) (assert (= (* 2 x) 7))", "unsat"),
        ("(assert true) (check-sat) (exit) (garbage", "error"),
        ("(assert false)", "unsat"),
        ("", "sat"),
    ];
    for (text, expected) in cases {
        match solve_smt2(text) {
            Ok((script, answer)) => assert_eq!(script.print_line(&answer), expected, "{text}"),
            Err(_) => assert_eq!(expected, "error", "{text}"),
        }
    }
}

#[test]
fn division_by_zero_may_be_anything_but_one_thing() {
    assert_eq!(verdict("(declare-const x Int) (assert (= (div x 0) 5)) (assert (= x 1))"), "sat x=1");
    let clash = "(declare-const x Int) (assert (= (div x 0) 5)) (assert (distinct (div x 0) 5))";
    assert_ne!(verdict(clash).split(' ').next(), Some("sat"));
}

#[test]
fn mistakes_name_their_line() {
    for (text, expected) in [
        ("(declare-const x Real)", "line 1: only Int and Bool are known"),
        ("\n(assert (= y 1))", "line 2: `y` is not declared"),
        ("(assert 1)", "line 1: a Bool is needed here"),
        ("(push 1)", "line 1: `push` is not understood here"),
        ("(assert (= 1 1)", "line 1: `(` without `)`"),
        (")", "line 1: `)` without `(`"),
        ("(declare-const x Int)\n(assert (frob x))", "line 2: `frob` is not understood"),
        ("(declare-const x Int) (assert (< x |never", "line 1: a quotation that never ends"),
    ] {
        let error = solve_smt2(text).map(|_| ()).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
    let deep = format!("{}{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(solve_smt2(&deep).map(|_| ()).expect_err("deep").message, "nested too deeply");
}

#[test]
fn huge_numbers_are_unknown_not_wrong() {
    let digits = "9".repeat(60);
    assert_eq!(verdict(&format!("(declare-const x Int) (assert (= x {digits}))")), "unknown");
    let big = "(declare-const x Int) (assert (= x 170141183460469231731687303715884105727)) (assert (= (+ x 1) 0))";
    assert_ne!(verdict(big).split(' ').next(), Some("sat"));
}

#[test]
fn lets_that_double_do_not_explode() {
    let mut text = "(declare-const p Bool) (declare-const x Int) (assert ".to_owned();
    let mut last = "(= p (> x 0))".to_owned();
    for index in 0..60 {
        text.push_str(&format!("(let ((v{index} {last})) "));
        last = format!("(and v{index} v{index})");
    }
    text.push_str(&last);
    text.push_str(&")".repeat(61));
    // Whatever the verdict, it comes at once.
    solve_smt2(&text).expect("readable");
}

#[test]
fn another_solvers_model_is_checked() {
    let mut problem = Problem::new();
    problem.declare(Sym(0), Interval::at_least(0));
    problem.assert(Constraint::at_least(&Dim::symbol(Sym(0)), 3).unwrap(), FactReason(0));
    let name = |sym: Sym| format!("d{}", sym.0);
    let good = "sat\n(\n  (define-fun d0 () Int\n    7)\n)\n";
    assert_eq!(read_answer(good, &problem, &name), Answer::Sat([(Sym(0), 7)].into()));
    let wrong = "sat\n(\n  (define-fun d0 () Int\n    (- 7))\n)\n";
    assert_eq!(read_answer(wrong, &problem, &name), Answer::Unknown);
    assert_eq!(read_answer("unsat\n(error \"no model\")", &problem, &name), Answer::Unsat);
    assert_eq!(read_answer("timeout", &problem, &name), Answer::Unknown);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(0x5eed),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// What is written is read back as a problem with the same answer.
    #[test]
    fn written_problems_read_back(
        rows in prop::collection::vec((-4..5i128, -4..5i128, 1..5i128, -9..10i128, 0..3usize), 1..5),
    ) {
        let mut problem = Problem::new();
        let (x, y) = (Dim::symbol(Sym(0)), Dim::symbol(Sym(1)));
        for sym in [Sym(0), Sym(1)] {
            problem.declare(sym, Interval::new(0, 12));
        }
        for (a, b, d, k, relation) in rows {
            let left = x.times_const(a).unwrap().plus(&y.floor_div(&Dim::constant(d)).unwrap()).unwrap();
            let right = y.times_const(b).unwrap().plus_const(k).unwrap().lesser(&x).unwrap();
            let cmp = [Cmp::Eq, Cmp::Le, Cmp::Ne][relation];
            let one = Constraint::compare(&left, cmp, &right).unwrap();
            let other = Constraint::compare(&y, Cmp::Eq, &Dim::constant(k)).unwrap();
            problem.assert(Formula::or([one.into(), other.into()]), FactReason(0));
        }
        let text = to_smt2(&problem, &|sym| format!("x.shape[{}]", sym.0));
        let (_, answer) = solve_smt2(&text).expect("our own output is readable");
        let sat = |answer: &Answer| matches!(answer, Answer::Sat(_));
        prop_assert_eq!(sat(&answer), sat(&problem.solve()), "{}", text);
    }
}

#[test]
fn deep_terms_within_the_limit_are_read() {
    let nots = format!("(assert {}true{})", "(not ".repeat(700), ")".repeat(700));
    assert_eq!(verdict(&nots), "sat");
    let sums = format!("(declare-const x Int) (assert (= x {}0{}))", "(+ 1 ".repeat(700), ")".repeat(700));
    assert_eq!(verdict(&sums), "sat x=700");
    let choices = format!(
        "(declare-const x Int) (assert (>= 9 x 0)) (assert {}false{})",
        "(or (< x 0) (and (< x 10) ".repeat(300),
        "))".repeat(300)
    );
    assert_eq!(verdict(&choices), "unsat");
}
