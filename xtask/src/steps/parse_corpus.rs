//! The sources of released libraries parse without a panic and are written back byte for byte.

use anyhow::Result;

use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::{corpus, corpus_tree};

pub(super) const STEP: Step = Step { name: "parse-corpus", about: "released sources parse and round-trip", run };

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(corpus_tree::ready_tree(), |tree| Ok(Tally::one(corpus::parse_and_round_trip(&tree)?)))
}
