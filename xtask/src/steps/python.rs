//! The tests of the Python package: hints, the choreography runtime, its typing surface, the examples.

use anyhow::Result;

use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "python",
    about: "the Python package: runtime, transports, attacks, typing with mypy and pyright, examples",
    run,
};

fn run() -> Result<StepOutcome> {
    let binary = pytrope_binary()?;
    StepOutcome::of_peer(Venv::ready("choreo-runtime"), |venv| {
        let mut tests = command(venv.python(), &["-W", "error::ResourceWarning", "tests/python/run.py"]);
        // The tools of the environment (checkers, mpiexec) come first on PATH.
        tests.env("PYTROPE_BIN", binary).env("PATH", venv.search_path()?);
        let (ok, text) = run_and_show(tests)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
