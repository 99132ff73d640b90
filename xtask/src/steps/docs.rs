//! The documentation: every code block does what its page says, and the site builds without a warning.

use anyhow::Result;

use crate::docs::{build_site, run_blocks};
use crate::long_description::check_or_write;
use crate::steps::{Step, StepOutcome};
use crate::venv::Venv;

pub(super) const STEP: Step =
    Step { name: "docs", about: "every code block of the documentation is run, and the site is built", run };

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(Venv::ready("docs"), |venv| {
        let mut tally = check_or_write(false)?;
        tally.add(run_blocks(&venv, false)?);
        tally.add(build_site(&venv)?);
        Ok(tally)
    })
}
