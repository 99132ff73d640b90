//! The steps of `cargo xtask test`, one file each.
//!
//! To add a step: a file here with `pub(super) const STEP: Step`, and its line in [`STEPS`].

mod browser;
mod calls;
mod choreo;
mod clippy;
mod conformance;
mod cpython;
mod distribute;
mod docs;
mod editors;
mod fmt;
mod house;
mod migrate;
mod models;
mod mutants;
mod observed;
mod parse_corpus;
mod pipelines;
mod prune;
mod python;
mod rust;
mod sarif;
mod third_party;
mod vscode;
mod wheel;
mod z3;

use anyhow::Result;

use crate::tally::Tally;

/// One thing that must hold.
pub(crate) struct Step {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn() -> Result<StepOutcome>,
}

/// What became of a step.
pub(crate) enum StepOutcome {
    Ran(Tally),
    /// A peer that the step compares with is not here; a failure if PYTROPE_REQUIRE_PEERS=1.
    Missing(String),
}

impl StepOutcome {
    /// The result of a peer that pip or cargo fetches: if it cannot be fetched, it is missing.
    pub fn of_peer<T>(peer: Result<T>, step: impl FnOnce(T) -> Result<Tally>) -> Result<Self> {
        match peer {
            Ok(peer) => step(peer).map(Self::Ran),
            Err(error) => Ok(Self::Missing(format!("{error:#}"))),
        }
    }
}

/// In the order in which they run: the quick ones first.
pub(crate) const STEPS: &[Step] = &[
    fmt::STEP,
    house::STEP,
    models::STEP,
    clippy::STEP,
    rust::STEP,
    parse_corpus::STEP,
    python::STEP,
    choreo::COMMAND_LINE,
    choreo::STYLES,
    choreo::FAMILIES,
    choreo::SHAPES,
    choreo::RANDOM,
    choreo::MUTANTS,
    docs::STEP,
    browser::STEP,
    vscode::STEP,
    editors::STEP,
    wheel::STEP,
    sarif::STEP,
    conformance::NUMPY,
    conformance::EINOPS,
    conformance::TORCH,
    conformance::JAX,
    conformance::SKLEARN,
    conformance::PANDAS,
    conformance::SCIPY,
    mutants::STEP,
    mutants::OF_FRAMEWORKS,
    pipelines::STEP,
    mutants::PROJECTS,
    observed::STEP,
    third_party::STEP,
    z3::STEP,
    z3::SECOND_OPINION,
    prune::FIGURES,
    prune::TORCHVISION,
    prune::RANDOM,
    migrate::STEP,
    migrate::RANDOM,
    migrate::MUTANTS,
    distribute::STEP,
    cpython::BUILTINS,
    cpython::BASICS,
    cpython::EXPRESSIONS,
    cpython::PROGRAMS,
    cpython::ARRAYS,
    cpython::SHARED,
    calls::PLAIN,
    calls::NUMPY,
    calls::TORCH,
];

/// Run only where `--only` names them: their environments take gigabytes (PyTorch with its CUDA libraries, two TensorFlows). What
/// they regenerate is committed, and the steps above hold the models to it.
pub(crate) const LONG_STEPS: &[Step] =
    &[conformance::TORCH_CURRENT, conformance::TENSORFLOW, calls::TORCH_CURRENT, pipelines::OUTCOMES, migrate::STYLES];
