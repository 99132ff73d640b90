//! Models typed from their source and run in PyTorch with these types: every classification model of torchvision, or with
//! `--wild` the modules of packages.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::conformance::python_with;
use crate::process::{self, command, pytrope_binary, repository_root, run_and_show, target_path};

/// Packages whose modules are typed with `--wild` where none is named.
const PACKAGES: [&str; 8] = [
    "efficientnet-pytorch",
    "segmentation-models-pytorch",
    "pytorchcv",
    "vit-pytorch",
    "pretrainedmodels",
    "x-transformers",
    "timm",
    "transformers",
];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if let Some(at) = arguments.iter().position(|argument| argument == "--wild") {
        let rest: Vec<String> =
            arguments.iter().enumerate().filter(|(own, _)| *own != at).map(|(_, own)| own.clone()).collect();
        return wild(&rest);
    }
    let mut arguments = arguments.to_vec();
    if arguments.is_empty() {
        arguments.push("--all".to_owned());
    }
    Ok(models(&arguments)?.0)
}

/// Runs `tests/peers/torch/migrate.py`.
pub(crate) fn models(arguments: &[String]) -> Result<(bool, String)> {
    let mut tests = command(python_with("torch")?, &["tests/peers/torch/migrate.py"]);
    tests.arg(pytrope_binary()?).args(arguments);
    run_and_show(tests)
}

/// Runs `tests/peers/torch/wild_models.py` on packages of PyPI: `--wild [--limit N] [--seed N] [PACKAGE …]`.
fn wild(arguments: &[String]) -> Result<bool> {
    let mut options = Vec::new();
    let mut packages = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if argument.starts_with("--") {
            options.push(argument.clone());
            options.push(rest.next().with_context(|| format!("{argument} needs a value"))?.clone());
        } else {
            packages.push(argument.clone());
        }
    }
    if packages.is_empty() {
        packages = PACKAGES.map(str::to_owned).to_vec();
    }
    let mut tests = command(environment_with(&packages)?, &["tests/peers/torch/wild_models.py"]);
    tests.arg(pytrope_binary()?);
    tests.args(packages.iter().map(|package| package.replace('-', "_"))).args(options);
    Ok(run_and_show(tests)?.0)
}

/// A Python with these packages beside the current PyTorch, which stays the release it is.
fn environment_with(packages: &[String]) -> Result<PathBuf> {
    let torch = python_with("torch-current")?;
    let folder = target_path("venvs").join("wild-models");
    let _lock = process::lock_folder(&folder)?;
    let python = folder.join("bin/python");
    if !python.exists() {
        let mut made = command(&torch, &["-m", "venv"]);
        made.arg(&folder);
        process::run(made)?;
    }
    let libraries = std::fs::read_dir(folder.join("lib"))?.next().context("an environment has libraries")??.path();
    let beside = torch.parent().and_then(|bin| bin.parent()).context("an interpreter is in a folder")?;
    let beside = beside.join("lib").join(libraries.file_name().unwrap_or_default()).join("site-packages");
    std::fs::write(libraries.join("site-packages/torch.pth"), format!("{}\n", beside.display()))?;
    let pinned = repository_root().join("tests/peers/requirements/torch-current.txt");
    for package in packages {
        let pip = |arguments: &[&str]| {
            let mut pip = command(&python, &["-m", "pip", "--quiet", "--disable-pip-version-check"]);
            pip.args(arguments).arg(package);
            pip
        };
        if process::run(pip(&["show", "--quiet"])).is_ok() {
            continue;
        }
        let mut install = pip(&["install", "--only-binary", ":all:"]);
        install.arg("--constraint").arg(&pinned);
        // What wants another PyTorch, or is no wheel, is read without what it depends on.
        if process::run(install).is_err() {
            process::run(pip(&["install", "--no-deps"]))?;
        }
    }
    Ok(python)
}
