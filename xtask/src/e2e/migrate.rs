//! Models typed from their source and run in PyTorch with these types: every classification model of torchvision, or with
//! `--wild` the modules of packages.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use crate::conformance::python_with;
use crate::process::{self, command, pytrope_binary, run_and_show, target_path};

/// Packages whose modules are typed with `--wild` where none is named.
const PACKAGES: [&str; 7] = [
    "efficientnet-pytorch",
    "segmentation-models-pytorch",
    "pytorchcv",
    "vit-pytorch",
    "pretrainedmodels",
    "x-transformers",
    "timm",
];

/// What these packages import; PyTorch comes from the environment `torch-current`.
const IMPORTED: [&str; 13] = [
    "einops",
    "safetensors",
    "huggingface-hub",
    "pyyaml",
    "tqdm",
    "packaging",
    "munch",
    "requests",
    "filelock",
    "fsspec",
    "typing_extensions",
    "six",
    "loguru",
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

/// A Python with these packages beside the current PyTorch.
fn environment_with(packages: &[String]) -> Result<PathBuf> {
    let torch = python_with("torch-current")?;
    let folder = target_path("venvs").join("wild-models");
    if !folder.exists() {
        let mut made = command(&torch, &["-m", "venv", "--without-pip"]);
        made.arg(&folder);
        process::run(made)?;
    }
    let libraries = std::fs::read_dir(folder.join("lib"))?.next().context("an environment has libraries")??.path();
    let site = libraries.join("site-packages");
    let beside = torch.parent().and_then(|bin| bin.parent()).context("an interpreter is in a folder")?;
    let beside = beside.join("lib").join(libraries.file_name().unwrap_or_default()).join("site-packages");
    std::fs::write(site.join("torch.pth"), format!("{}\n", beside.display()))?;
    let missing: Vec<&str> = packages
        .iter()
        .map(String::as_str)
        .chain(IMPORTED)
        .filter(|package| {
            let name = package.replace('-', "_");
            let spelled = [name.clone(), format!("{name}.py"), name.trim_start_matches("py").to_owned()];
            !spelled.iter().any(|name| site.join(name).exists())
        })
        .collect();
    if !missing.is_empty() {
        let mut install = command("python3", &["-m", "pip", "install", "--quiet", "--no-deps", "--target"]);
        install.arg(&site).args(&missing);
        process::run(install)?;
    }
    let python = folder.join("bin/python");
    if !python.exists() {
        bail!("{} has no interpreter", folder.display());
    }
    Ok(python)
}
