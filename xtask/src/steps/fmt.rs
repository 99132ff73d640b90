//! Every Rust file is formatted as `cargo fmt` formats it.

use crate::process::{cargo_command, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "fmt",
    about: "Rust files are formatted",
    run: || {
        let (ok, _) = run_and_show(cargo_command(&["fmt", "--all", "--check"]))?;
        Ok(StepOutcome::Ran(Tally::one(ok)))
    },
};
