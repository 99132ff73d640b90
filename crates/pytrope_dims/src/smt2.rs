//! SMT-LIB 2 files of integer arithmetic: read, answered by our procedure, and written.

mod answer;
mod read;
mod sexpr;
mod write;

use std::fmt;

use crate::solver::{Answer, Model, Problem};
use crate::symbol::Sym;

pub use answer::read_answer;
pub use read::{Script, ScriptSort, ZeroDivision};
pub use write::to_smt2;

/// Why a file could not be read: where, and what was met there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smt2Error {
    /// 1-based; 0 where no line applies.
    pub line: u32,
    pub message: String,
}

impl fmt::Display for Smt2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.message),
            line => write!(f, "line {line}: {}", self.message),
        }
    }
}

impl std::error::Error for Smt2Error {}

/// Reads a file and answers it.
pub fn solve_smt2(text: &str) -> Result<(Script, Answer), Smt2Error> {
    let (commands, depth) = sexpr::parse(text)?;
    let answered = move || {
        let script = Script::read(&commands)?;
        let answer = script.solve();
        Ok((script, answer))
    };
    if depth <= SHALLOW {
        return answered();
    }
    // Terms are walked recursively: deep ones on a stack of their own.
    let cramped = || Smt2Error { line: 0, message: "no room for terms this deep".to_owned() };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, answered);
        worker.map_err(|_| cramped())?.join().unwrap_or_else(|_| Err(cramped()))
    })
}

/// Nesting that any thread's stack can take.
const SHALLOW: usize = 100;
/// Bytes of stack for the deepest terms that are read.
const STACK: usize = 256 << 20;

impl Script {
    fn solve(&self) -> Answer {
        let Some(problem) = &self.problem else {
            return Answer::Unknown;
        };
        match problem.solve() {
            Answer::Sat(model) if self.zero_divisions_agree(&model) => Answer::Sat(model),
            Answer::Sat(_) => Answer::Unknown,
            answer => answer,
        }
    }

    /// Division by zero has any value in SMT-LIB, but the same one for the same numerator.
    fn zero_divisions_agree(&self, model: &Model) -> bool {
        let value = |sym: Sym| model.get(&sym).copied();
        let mut seen: Vec<(bool, i128, i128)> = Vec::new();
        for division in &self.zero_divisions {
            if division.divisor.eval(&value) != Some(0) {
                continue;
            }
            let (Some(numerator), Some(result)) = (division.numerator.eval(&value), value(division.result)) else {
                return false;
            };
            if seen.iter().any(|(modulo, n, r)| *modulo == division.modulo && *n == numerator && *r != result) {
                return false;
            }
            seen.push((division.modulo, numerator, result));
        }
        true
    }

    /// What a solver prints: the verdict, and a model for `sat`.
    pub fn print(&self, answer: &Answer) -> String {
        match answer {
            Answer::Unsat => "unsat\n".to_owned(),
            Answer::Unknown => "unknown\n".to_owned(),
            Answer::Sat(model) => {
                let mut text = "sat\n(\n".to_owned();
                for (sym, name, sort) in &self.declared {
                    let value = model.get(sym).copied().unwrap_or(0);
                    let (sort, value) = match sort {
                        ScriptSort::Int => ("Int", write::number(value)),
                        ScriptSort::Bool => ("Bool", (value >= 1).to_string()),
                    };
                    text.push_str(&format!("  (define-fun {name} () {sort} {value})\n"));
                }
                text.push_str(")\n");
                text
            }
        }
    }

    /// The answer on one line: `sat x=1 y=2`, `unsat` or `unknown`.
    pub fn print_line(&self, answer: &Answer) -> String {
        match answer {
            Answer::Unsat => "unsat".to_owned(),
            Answer::Unknown => "unknown".to_owned(),
            Answer::Sat(model) => self.declared.iter().fold("sat".to_owned(), |text, (sym, name, _)| {
                let value = model.get(sym).copied().unwrap_or(0);
                format!("{text} {name}={value}")
            }),
        }
    }

    /// The constants of the file, in its order.
    pub fn declarations(&self) -> &[(Sym, String, ScriptSort)] {
        &self.declared
    }

    pub fn problem(&self) -> Option<&Problem> {
        self.problem.as_ref()
    }
}
