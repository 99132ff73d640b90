//! The decision procedure of dimensions against z3, on random systems made from a fixed seed.

use anyhow::Result;

use crate::process::{cargo_command, command, pytrope_binary, run as run_command, run_and_show, target_path};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "z3",
    about: "20,000 random systems of shape arithmetic against z3 (PYTROPE_Z3_COUNT, PYTROPE_Z3_SEED change that)",
    run,
};

pub(super) const SECOND_OPINION: Step = Step {
    name: "second-opinion",
    about: "migrate's queries, answered by z3, by `pytrope solve` and with `--solver z3`, do not contradict each other",
    run: second_opinion,
};

fn second_opinion() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("z3"), |venv| {
        let mut opinions = command(venv.python(), &["tests/peers/z3/second_opinion.py"]);
        opinions.arg(pytrope_binary()?).arg(venv.program("z3"));
        let (ok, text) = run_and_show(opinions)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("z3"), |venv| {
        run_command(cargo_command(&[
            "build",
            "--release",
            "--quiet",
            "--package",
            "pytrope_dims",
            "--example",
            "solve_batch",
        ]))?;
        let mut fuzz = command(venv.python(), &["tests/peers/z3/fuzz.py"]);
        fuzz.arg(target_path("release/examples").join(format!("solve_batch{}", std::env::consts::EXE_SUFFIX)));
        for (option, variable) in [("--count", "PYTROPE_Z3_COUNT"), ("--seed", "PYTROPE_Z3_SEED")] {
            if let Some(value) = std::env::var_os(variable) {
                fuzz.arg(option).arg(value);
            }
        }
        let (ok, text) = run_and_show(fuzz)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
