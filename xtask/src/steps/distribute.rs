//! At least two scripts of every training pattern are distributed and run on two ranks; `cargo xtask e2e distribute` runs all.

use anyhow::Result;

use crate::e2e::distribute::scripts;
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step =
    Step { name: "distribute", about: "two scripts of every training pattern, rewritten and run on two ranks", run };

fn run() -> Result<StepOutcome> {
    let (ok, text) = scripts(&["--quick".to_owned()])?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}
