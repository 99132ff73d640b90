//! A sample of the mutation test: every eighth NumPy program, mutated, run under NumPy and checked; and the programs of
//! the frameworks, whose outcomes are committed.

use anyhow::Result;

use crate::mutants::{FRAMEWORKS, judge_framework};
use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step { name: "mutants", about: "a sample of the mutated NumPy programs", run };
pub(super) const PROJECTS: Step =
    Step { name: "project-mutants", about: "a sample of them, split over several files", run: run_projects };

pub(super) const OF_FRAMEWORKS: Step = Step {
    name: "framework-mutants",
    about: "mutated programs of PyTorch, Keras and JAX, by committed outcomes",
    run: run_frameworks,
};

fn run_frameworks() -> Result<StepOutcome> {
    let mut total = Tally::default();
    for framework in FRAMEWORKS {
        total.add(judge_framework(framework, &[])?);
    }
    Ok(StepOutcome::Ran(total))
}

fn run() -> Result<StepOutcome> {
    run_script("tests/mutants/run.py", &["--sample", "8"])
}

fn run_projects() -> Result<StepOutcome> {
    run_script("tests/mutants/projects.py", &["--sample", "6", "--most", "8"])
}

fn run_script(file: &str, arguments: &[&str]) -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("numpy"), |venv| {
        let mut script = command(venv.python(), &[file, "--pytrope"]);
        script.arg(pytrope_binary()?).args(arguments);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
