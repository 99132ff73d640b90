//! What PyTorch itself says: types that `migrate` finds for torchvision's models, and mutated programs for `check`.

use anyhow::{Context, Result};

use crate::conformance::python_with;
use crate::e2e::migrate::models;
use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step = Step {
    name: "migrate",
    about: "shape types of one torchvision model of each family, found from its source and run in PyTorch",
    run,
};

pub(super) const MUTANTS: Step = Step {
    name: "torch-mutants",
    about: "a sample of mutated PyTorch programs, run under PyTorch and checked",
    run: mutants,
};

pub(super) const RANDOM: Step = Step {
    name: "migrate-random",
    about: "what migrate answers on random PyTorch functions holds when they are run",
    run: random,
};

pub(super) const STYLES: Step = Step {
    name: "migrate-styles",
    about: "what migrate writes is accepted by jaxtyping with beartype, Pyrefly, torch.export and ONNX export",
    run: styles,
};

fn styles() -> Result<StepOutcome> {
    StepOutcome::of_peer(
        Venv::ready("styles").and_then(|venv| Ok((venv, python_with("torch-current")?))),
        |(venv, torch)| {
            let beside =
                torch.parent().and_then(|bin| bin.parent()).context("an interpreter is in a folder")?.join("lib");
            let libraries = std::fs::read_dir(&beside)?.next().context("an environment has libraries")??.path();
            let mut script = command(venv.python(), &["-W", "ignore", "tests/peers/torch/styles.py"]);
            script.arg(pytrope_binary()?).env("PYTHONPATH", libraries.join("site-packages"));
            let (ok, text) = run_and_show(script)?;
            Ok(Tally::of_last_line(&text, ok))
        },
    )
}

fn random() -> Result<StepOutcome> {
    StepOutcome::of_peer(python_with("torch"), |python| {
        let mut script = command(python, &["tests/peers/torch/migrate_random.py"]);
        script.arg(pytrope_binary()?).args(["--count", "150"]);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn mutants() -> Result<StepOutcome> {
    StepOutcome::of_peer(python_with("torch"), |python| {
        let mut script = command(python, &["tests/peers/torch/mutants.py", "--sample", "8", "--pytrope"]);
        script.arg(pytrope_binary()?);
        let (ok, text) = run_and_show(script)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(python_with("torch"), |_| {
        let (ok, text) = models(&[])?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
