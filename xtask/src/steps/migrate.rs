//! Types that `migrate` finds for torchvision's models, run in PyTorch.

use anyhow::Result;

use crate::conformance::python_with;
use crate::e2e::migrate::models;
use crate::steps::{Outcome, Step};
use crate::tally::Tally;

pub(super) const STEP: Step = Step {
    name: "migrate",
    about: "shape types of one torchvision model of each family, found from its source and run in PyTorch",
    run,
};

fn run() -> Result<Outcome> {
    Outcome::of_peer(python_with("torch"), |_| {
        let (ok, text) = models(&[])?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
