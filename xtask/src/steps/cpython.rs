//! The interpreter against CPython on random expressions and programs.

use anyhow::Result;

use crate::process::{command, pytrope, run_and_show};
use crate::steps::{Outcome, Step};
use crate::tally::Tally;

pub(super) const EXPRESSIONS: Step = Step {
    name: "expressions",
    about: "20,000 random expressions give CPython's value or exception",
    run: || compare("tests/peers/cpython/expressions.py", "20000"),
};

pub(super) const PROGRAMS: Step = Step {
    name: "programs",
    about: "2,000 random programs end in a state that ours covers",
    run: || compare("tests/peers/cpython/programs.py", "2000"),
};

fn compare(script: &str, count: &str) -> Result<Outcome> {
    let mut python = command("python3", &[script, "--count", count, "--binary"]);
    python.arg(pytrope()?);
    let (ok, text) = run_and_show(python)?;
    Ok(Outcome::Ran(Tally::of_last_line(&text, ok)))
}
