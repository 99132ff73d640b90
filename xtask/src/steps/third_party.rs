//! Programs from public sources: nothing is found in those that work, and most of the mistakes that are put into them.

use anyhow::Result;

use crate::conformance::python_with;
use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "third-party",
    about: "programs from public sources, run and checked as they are and with mistakes in them",
    run,
};

fn run() -> Result<StepOutcome> {
    let peers = Venv::ready("numpy").and_then(|venv| Ok((venv, python_with("torch")?)));
    StepOutcome::of_peer(peers, |(venv, torch)| {
        let mut script = command(venv.python(), &["tests/third_party/run.py", "--pytrope"]);
        script.arg(pytrope_binary()?).arg("--torch").arg(torch);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
