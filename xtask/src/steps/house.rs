//! References of the interpreter lead down its layers, no source file is too long, and every type has a name of its own.

use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "house",
    about: "the interpreter's modules: no reference against the layers; no Rust file over 800 lines; no type name defined twice",
    run: || {
        let mut tally = Tally::one(crate::graph::run(&[])?);
        let violations = crate::names::find_violations()?;
        for violation in &violations {
            println!("{violation}");
        }
        tally.add(Tally::one(violations.is_empty()));
        Ok(StepOutcome::Ran(tally))
    },
};
