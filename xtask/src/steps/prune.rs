//! Pruned programs in PyTorch: the models of the paper's figures, torchvision's, and random ones.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::conformance::python_with;
use crate::process::{self, command, pytrope_binary, repository_root, run, run_and_show, target_path};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const FIGURES: Step = Step {
    name: "prune",
    about: "Figures 9 and 10: no branch on shapes remains in transformers 4.21.0, and pruned models give the same outputs",
    run: figures,
};

pub(super) const TORCHVISION: Step = Step {
    name: "prune-vision",
    about: "pruned models of torchvision give the same outputs",
    run: || with_torch("tests/peers/torch/prune_vision.py", &[]),
};

pub(super) const RANDOM: Step = Step {
    name: "prune-random",
    about: "400 random programs with branches on shapes, pruned, do what they did before",
    run: || with_torch("tests/peers/torch/prune_random.py", &["--count", "400"]),
};

fn with_torch(script: &str, options: &[&str]) -> Result<StepOutcome> {
    StepOutcome::of_peer(python_with("torch"), |python| {
        let mut compare = command(python, &[script]);
        compare.arg(pytrope_binary()?).args(options);
        let (ok, text) = run_and_show(compare)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn figures() -> Result<StepOutcome> {
    let peers = python_with("torch").and_then(|python| Ok((python, site_packages()?)));
    StepOutcome::of_peer(peers, |(python, packages)| {
        let mut compare = command(python, &["tests/peers/torch/prune.py"]);
        compare.arg(pytrope_binary()?).arg(packages);
        let (ok, text) = run_and_show(compare)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

/// A folder with transformers 4.21.0 and what it imports, for the system's Python 3.11 that has PyTorch.
fn site_packages() -> Result<PathBuf> {
    let requirements = repository_root().join("tests/peers/requirements/transformers.txt");
    let pinned = std::fs::read_to_string(&requirements).context("cannot read the pinned transformers")?;
    let folder = target_path("venvs").join("transformers-4.21");
    let packages = folder.join("lib/python3.11/site-packages");
    let _lock = process::lock_folder(&folder)?;
    let stamp = folder.join("requirements.stamp");
    if std::fs::read_to_string(&stamp).is_ok_and(|old| old == pinned) {
        return Ok(packages);
    }
    println!("unpacking transformers to {}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&packages)?;
    let mut install = command("python3", &["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    install.args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "--python-version", "311"]);
    install.args(["--implementation", "cp", "--abi", "cp311", "--abi", "abi3", "--abi", "none"]);
    for platform in ["manylinux2014_x86_64", "manylinux_2_17_x86_64", "manylinux_2_28_x86_64"] {
        install.args(["--platform", platform]);
    }
    install.arg("--target").arg(&packages).arg("--requirement").arg(&requirements);
    run(install)?;
    std::fs::write(&stamp, pinned)?;
    Ok(packages)
}
