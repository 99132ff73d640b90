//! Writes problems as SMT-LIB 2.

use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim};
use crate::formula::Formula;
use crate::solver::Problem;
use crate::symbol::Sym;

/// The problem as a script that any solver of QF_NIA reads.
pub fn to_smt2(problem: &Problem, name: &dyn Fn(Sym) -> String) -> String {
    let mut text = String::from("(set-logic QF_NIA)\n");
    let symbols = problem.symbols();
    for sym in &symbols {
        text.push_str(&format!("(declare-const {} Int)\n", quote_name(&name(*sym))));
    }
    for (sym, interval) in problem.bounds() {
        let symbol = quote_name(&name(*sym));
        if let Some(lo) = interval.lo {
            text.push_str(&format!("(assert (<= {} {symbol}))\n", number(lo)));
        }
        if let Some(hi) = interval.hi {
            text.push_str(&format!("(assert (<= {symbol} {}))\n", number(hi)));
        }
    }
    for (formula, _) in problem.assertions() {
        text.push_str("(assert ");
        write_formula(&mut text, formula, name);
        text.push_str(")\n");
    }
    text.push_str("(check-sat)\n(get-model)\n");
    text
}

pub(super) fn number(value: i128) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

/// A name as SMT-LIB takes it: `x.shape[0]` stands between bars.
fn quote_name(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_.~!@$%^&*+=<>?/-".contains(c))
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty();
    if plain { name.to_owned() } else { format!("|{}|", name.replace(['|', '\\'], "_")) }
}

fn write_formula(text: &mut String, formula: &Formula, name: &dyn Fn(Sym) -> String) {
    let (operator, parts, empty) = match formula {
        Formula::Constraint(constraint) => return write_constraint(text, constraint, name),
        Formula::And(parts) => ("and", parts, "true"),
        Formula::Or(parts) => ("or", parts, "false"),
    };
    if parts.is_empty() {
        text.push_str(empty);
        return;
    }
    text.push('(');
    text.push_str(operator);
    for part in parts {
        text.push(' ');
        write_formula(text, part, name);
    }
    text.push(')');
}

fn write_constraint(text: &mut String, constraint: &Constraint, name: &dyn Fn(Sym) -> String) {
    let (open, close) = match constraint.relation {
        Relation::Zero => ("(= ", " 0)"),
        Relation::NonZero => ("(not (= ", " 0))"),
        Relation::NonNegative => ("(>= ", " 0)"),
    };
    text.push_str(open);
    write_dim(text, &constraint.dim, name);
    text.push_str(close);
}

fn write_dim(text: &mut String, dim: &Dim, name: &dyn Fn(Sym) -> String) {
    if let Some(value) = dim.as_const() {
        text.push_str(&number(value));
        return;
    }
    text.push_str("(+ ");
    text.push_str(&number(dim.constant_term()));
    for (monomial, coefficient) in dim.terms() {
        text.push_str(" (* ");
        text.push_str(&number(*coefficient));
        for (atom, exponent) in monomial.factors() {
            for _ in 0..*exponent {
                text.push(' ');
                write_atom(text, atom, name);
            }
        }
        text.push(')');
    }
    text.push(')');
}

fn write_atom(text: &mut String, atom: &Atom, name: &dyn Fn(Sym) -> String) {
    match atom {
        Atom::Sym(sym) => text.push_str(&quote_name(&name(*sym))),
        Atom::Floor(parts) => {
            let mut numerator = String::new();
            write_dim(&mut numerator, &parts.0, name);
            let mut divisor = String::new();
            write_dim(&mut divisor, &parts.1, name);
            // SMT-LIB's div rounds down for positive divisors only.
            if parts.1.as_const().is_some_and(|d| d > 0) {
                text.push_str(&format!("(div {numerator} {divisor})"));
            } else {
                text.push_str(&format!(
                    "(ite (> {divisor} 0) (div {numerator} {divisor}) (div (- {numerator}) (- {divisor})))"
                ));
            }
        }
        Atom::Min(choices) => write_extremum(text, choices, "<=", name),
        Atom::Max(choices) => write_extremum(text, choices, ">=", name),
    }
}

fn write_extremum(text: &mut String, choices: &[Dim], operator: &str, name: &dyn Fn(Sym) -> String) {
    let mut written = choices.iter().map(|choice| {
        let mut one = String::new();
        write_dim(&mut one, choice, name);
        one
    });
    let first = written.next().unwrap_or_default();
    let all = written.fold(first, |best, next| format!("(ite ({operator} {best} {next}) {best} {next})"));
    text.push_str(&all);
}
