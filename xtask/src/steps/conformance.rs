//! The conformance tables are what the real libraries answer.

use anyhow::Result;

use crate::conformance::{is_current, python_with};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const NUMPY: Step =
    Step { name: "numpy-table", about: "the table of NumPy, regenerated", run: || table("numpy") };

pub(super) const TORCH: Step =
    Step { name: "torch-table", about: "the table of PyTorch, regenerated", run: || table("torch") };

pub(super) const TENSORFLOW: Step = Step {
    name: "tensorflow-table",
    about: "the table of TensorFlow and Keras, regenerated",
    run: || table("tensorflow"),
};

pub(super) const JAX: Step = Step { name: "jax-table", about: "the table of JAX, regenerated", run: || table("jax") };

pub(super) const SKLEARN: Step =
    Step { name: "sklearn-table", about: "the table of scikit-learn, regenerated", run: || table("sklearn") };

pub(super) const PANDAS: Step =
    Step { name: "pandas-table", about: "the table of pandas, regenerated", run: || table("pandas") };

pub(super) const SCIPY: Step =
    Step { name: "scipy-table", about: "the table of SciPy, regenerated", run: || table("scipy") };

pub(super) const EINOPS: Step =
    Step { name: "einops-table", about: "the table of einops, regenerated", run: || table("einops") };

pub(super) const TORCH_CURRENT: Step = Step {
    name: "torch-current-table",
    about: "what differs in the current PyTorch, regenerated",
    run: || table("torch-current"),
};

fn table(library: &str) -> Result<StepOutcome> {
    StepOutcome::of_peer(python_with(library), |python| Ok(Tally::one(is_current(library, &python)?)))
}
