//! `pytrope solve`: SMT-LIB files in, verdicts and models out.

use std::io::Write;
use std::process::Stdio;

use crate::project::{Project, Run};

const WINDOW: &str = "(declare-const h Int)
(assert (>= h 0))
(assert (= (+ (div (- h 3) 2) 1) 5))
(assert (= (mod h 2) 0))
(check-sat)
(get-model)
";

#[test]
fn sat_comes_with_a_model_and_unsat_without() {
    let project =
        Project::with(&[("sat.smt2", WINDOW), ("unsat.smt2", "(declare-const n Int)\n(assert (= (* 2 n) 7))\n")]);
    let run = project.run(&["solve", "sat.smt2"]).code(0);
    assert_eq!(run.stdout, "sat\n(\n  (define-fun h () Int 12)\n)\n");
    assert_eq!(project.run(&["solve", "unsat.smt2"]).code(0).stdout, "unsat\n");
}

#[test]
fn an_undecided_file_says_so_and_ends_with_one() {
    // Fermat's last theorem for cubes, in positive numbers.
    let cubes = "(declare-const a Int)(declare-const b Int)(declare-const c Int)
(assert (> a 0))(assert (> b 0))(assert (> c 0))
(assert (= (+ (* a a a) (* b b b)) (* c c c)))";
    let project = Project::with(&[("cubes.smt2", cubes)]);
    assert_eq!(project.run(&["solve", "cubes.smt2"]).code(1).stdout, "unknown\n");
}

#[test]
fn mistakes_in_a_file_are_usage_errors_with_their_line() {
    let project = Project::with(&[("bad.smt2", "(declare-const x Int)\n(assert (= x y))\n")]);
    project.run(&["solve", "bad.smt2"]).code(2).err("bad.smt2: line 2: `y` is not declared");
    project.run(&["solve", "nowhere.smt2"]).code(2).err("nowhere.smt2");
}

#[test]
fn a_batch_is_answered_line_by_line() {
    let project = Project::new();
    let mut child = project
        .command(&["solve", "-", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let text = format!("{WINDOW}; ---\n(assert false)\n; ---\n(assert (oops))\n; ---\n");
    let mut stdin = child.stdin.take().expect("standard input is piped");
    stdin.write_all(text.as_bytes()).expect("the binary reads");
    drop(stdin);
    let run = Run::of(&child.wait_with_output().expect("the binary ends")).code(0);
    assert_eq!(run.stdout, "sat h=12\nunsat\nerror line 1: `oops` is not understood\n");
}
