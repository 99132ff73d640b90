//! A sample of random valid calls: nothing is reported of them. The long run is `cargo xtask calls`.

use crate::calls::compare;
use crate::steps::{Step, StepOutcome};

/// How many calls of each library the step draws, and from which seed: what must hold does not depend on luck. Fresh seeds are
/// for `cargo xtask calls`.
const SAMPLE: &str = "500";
const SEED: Option<&str> = Some("1");

pub(super) const PLAIN: Step = Step {
    name: "valid-calls",
    about: "random valid calls of builtins and the standard library are not reported",
    run: || {
        let mut tally = compare("builtins", SAMPLE, SEED)?;
        tally.add(compare("standard", SAMPLE, SEED)?);
        Ok(StepOutcome::Ran(tally))
    },
};

pub(super) const NUMPY: Step = Step {
    name: "valid-numpy-calls",
    about: "random valid calls of NumPy are not reported",
    run: || StepOutcome::of_peer(crate::conformance::python_with("numpy"), |_| compare("numpy", SAMPLE, SEED)),
};

pub(super) const TORCH: Step = Step {
    name: "valid-torch-calls",
    about: "random valid calls of PyTorch are not reported",
    run: || StepOutcome::of_peer(crate::conformance::python_with("torch"), |_| compare("torch", SAMPLE, SEED)),
};

pub(super) const TORCH_CURRENT: Step = Step {
    name: "valid-current-torch-calls",
    about: "random valid calls of the current PyTorch are not reported",
    run: || {
        StepOutcome::of_peer(crate::conformance::python_with("torch-current"), |_| {
            compare("torch-current", SAMPLE, SEED)
        })
    },
};
