//! Reads what another solver prints for a problem that [`super::to_smt2`] wrote.

use super::sexpr::{Sexpr, parse};
use crate::solver::{Answer, Model, Problem};
use crate::symbol::Sym;

/// The answer in a solver's output. A model is believed only if it satisfies the problem here.
pub fn read_answer(text: &str, problem: &Problem, name: &dyn Fn(Sym) -> String) -> Answer {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("unsat") => Answer::Unsat,
        Some("sat") => {
            let Some(model) = read_model(text, problem, name) else {
                return Answer::Unknown;
            };
            if problem.eval(&model) == Some(true) { Answer::Sat(model) } else { Answer::Unknown }
        }
        _ => Answer::Unknown,
    }
}

fn read_model(text: &str, problem: &Problem, name: &dyn Fn(Sym) -> String) -> Option<Model> {
    let (items, _) = parse(text).ok()?;
    // `(define-fun x () Int 5)`, within one list or (in old versions) after the word `model`.
    let definitions: Vec<&[Sexpr]> = items.iter().filter_map(Sexpr::list).flatten().filter_map(Sexpr::list).collect();
    let mut model = Model::new();
    for sym in problem.symbols() {
        let wanted = name(sym);
        let value = definitions.iter().find_map(|definition| match definition {
            [head, defined, _, _, value] if head.atom() == Some("define-fun") => {
                let defined = defined.atom()?;
                (defined == wanted || defined.trim_matches('|') == wanted).then(|| read_number(value)).flatten()
            }
            _ => None,
        });
        // A symbol that the solver leaves out may have any value; the check decides.
        let interval = problem.bounds().get(&sym);
        let any = interval.map_or(0, crate::solver::any_value);
        model.insert(sym, value.unwrap_or(any));
    }
    Some(model)
}

fn read_number(term: &Sexpr) -> Option<i128> {
    match term {
        Sexpr::Atom(text, _) => text.parse().ok(),
        Sexpr::List(items, _) => match items.as_slice() {
            [minus, value] if minus.atom() == Some("-") => read_number(value)?.checked_neg(),
            _ => None,
        },
    }
}
