//! A sample of random valid calls: nothing is reported of them. The long run is `cargo xtask calls`.

use crate::calls::compare;
use crate::steps::{Outcome, Step};

/// How many calls of each library the step draws.
const SAMPLE: &str = "500";

pub(super) const PLAIN: Step = Step {
    name: "valid-calls",
    about: "random valid calls of builtins and the standard library, fresh in every run, are not reported",
    run: || {
        let mut tally = compare("builtins", SAMPLE, None)?;
        tally.add(compare("standard", SAMPLE, None)?);
        Ok(Outcome::Ran(tally))
    },
};

pub(super) const NUMPY: Step = Step {
    name: "valid-numpy-calls",
    about: "random valid calls of NumPy, fresh in every run, are not reported",
    run: || Outcome::of_peer(crate::conformance::python_with("numpy"), |_| compare("numpy", SAMPLE, None)),
};

pub(super) const TORCH: Step = Step {
    name: "valid-torch-calls",
    about: "random valid calls of PyTorch, fresh in every run, are not reported",
    run: || Outcome::of_peer(crate::conformance::python_with("torch"), |_| compare("torch", SAMPLE, None)),
};
