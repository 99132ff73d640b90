//! References of the interpreter lead down its layers, and no source file is too long.

use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "house",
    about: "the interpreter's modules: no reference against the layers; no Rust file over 800 lines",
    run: || {
        let mut tally = Tally::one(crate::graph::run(&[])?);
        let long_files = crate::names::find_long_files()?;
        for (path, lines) in &long_files {
            println!("{path}: {lines} lines");
        }
        tally.add(Tally::one(long_files.is_empty()));
        Ok(StepOutcome::Ran(tally))
    },
};
