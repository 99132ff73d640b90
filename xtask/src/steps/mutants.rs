//! A sample of the mutation test: every eighth NumPy program, mutated, run under NumPy and checked.

use anyhow::Result;

use crate::process::{command, pytrope, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step { name: "mutants", about: "a sample of the mutated NumPy programs", run };

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("numpy"), |venv| {
        let mut script = command(venv.python(), &["tests/mutants/run.py", "--sample", "8", "--pytrope"]);
        script.arg(pytrope()?);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
