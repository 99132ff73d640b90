//! A sample of the mutation test: every eighth NumPy program, mutated, run under NumPy and checked.

use anyhow::Result;

use crate::process::{command, pytrope, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step { name: "mutants", about: "a sample of the mutated NumPy programs", run };
pub(super) const PROJECTS: Step =
    Step { name: "project-mutants", about: "a sample of them, split over several files", run: run_projects };

fn run() -> Result<StepOutcome> {
    run_script("tests/mutants/run.py", &["--sample", "8"])
}

fn run_projects() -> Result<StepOutcome> {
    run_script("tests/mutants/projects.py", &["--sample", "6", "--most", "8"])
}

fn run_script(file: &str, arguments: &[&str]) -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("numpy"), |venv| {
        let mut script = command(venv.python(), &[file, "--pytrope"]);
        script.arg(pytrope()?).args(arguments);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
