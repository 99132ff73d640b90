//! The packages: a wheel with man pages and completions, built, installed where nothing else is, and used; the hooks and
//! templates for others' continuous integration, validated and run.

use anyhow::Result;

use crate::process::{command, pytrope_binary, run_and_show, target_path};
use crate::release::write_data;
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "wheel",
    about: "the wheel in fresh environments of the oldest and newest Python; hooks and templates for other projects",
    run,
};

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("wheel"), |venv| {
        write_data()?;
        let mut check = command(venv.python(), &["tests/wheel/check.py"]);
        check.arg("--maturin").arg(venv.program("maturin")).arg("--folder").arg(target_path("wheel-check"));
        check.arg("--docs-python").arg(Venv::ready("docs")?.python());
        let (ok, text) = run_and_show(check)?;
        let mut tally = Tally::of_last_line(&text, ok);
        let mut hooks = command(venv.python(), &["tests/wheel/integrations.py"]);
        hooks.arg(pytrope_binary()?);
        let (ok, text) = run_and_show(hooks)?;
        tally.add(Tally::of_last_line(&text, ok));
        Ok(tally)
    })
}
