//! No warning of the compiler or of clippy, with the lints of the workspace.

use crate::process::{cargo_command, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "clippy",
    about: "no warnings",
    run: || {
        // The profile of the tests is used, so that what both need is compiled once.
        let arguments = ["clippy", "--release", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"];
        let (ok, _) = run_and_show(cargo_command(&arguments))?;
        Ok(StepOutcome::Ran(Tally::one(ok)))
    },
};
