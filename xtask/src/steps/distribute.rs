//! At least two scripts of every training pattern are distributed and run on two ranks, and one for every engine on two and
//! three; `cargo xtask e2e distribute` runs all.

use anyhow::Result;

use crate::e2e::distribute::{ENGINES, engine_scripts, scripts};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "distribute",
    about: "two scripts of every training pattern and one for every engine, rewritten and run on ranks",
    run,
};

/// The script that an engine's sample is, of PyTorch or of Keras.
const SAMPLES: [&str; 2] = ["torch/mlp.py", "fit/error_3_optimizer.py"];

fn run() -> Result<StepOutcome> {
    let (ok, text) = scripts(&["--quick".to_owned()])?;
    let mut tally = Tally::of_last_line(&text, ok);
    for (engine, environment) in ENGINES {
        let (ok, text) = engine_scripts(engine, environment, &["--only".to_owned(), SAMPLES.join(",")])?;
        tally.add(Tally::of_last_line(&text, ok));
    }
    Ok(StepOutcome::Ran(tally))
}
