//! Training scripts and errors injected into them: what `check` finds, and that it is silent where they run.

use anyhow::Result;

use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step =
    Step { name: "pipelines", about: "training scripts keep their shapes, and errors in them are found", run };

pub(super) const OUTCOMES: Step = Step {
    name: "pipeline-outcomes",
    about: "the training scripts and their errors do what is recorded",
    run: || {
        StepOutcome::of_peer(Venv::ready("torch-current"), |venv| {
            let script = command(venv.python(), &["-W", "ignore", "tests/pipelines/run_scripts.py"]);
            Ok(Tally::one(run_and_show(script)?.0))
        })
    },
};

fn run() -> Result<StepOutcome> {
    let mut script = command("python3", &["tests/pipelines/judge.py", "--binary"]);
    script.arg(pytrope_binary()?);
    let (ok, text) = run_and_show(script)?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}
