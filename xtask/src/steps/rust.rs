//! All tests of all crates, in the profile of the released binary.

use crate::process::{cargo_command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "rust",
    about: "cargo test --release --workspace",
    run: || {
        pytrope_binary()?;
        let (ok, text) = run_and_show(cargo_command(&["test", "--release", "--workspace", "--no-fail-fast"]))?;
        Ok(StepOutcome::Ran(Tally::of_libtest(&text, ok)))
    },
};
