//! `cargo xtask conformance [LIBRARY]`: tables regenerated from the real libraries must equal the committed ones.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::process::{self, command, run_and_show, target_path};
use crate::venv::Venv;

/// The libraries that have tables; `torch` is the pinned release, `torch-current` that of PyPI, of which the differences are kept.
const LIBRARIES: [&str; 9] =
    ["numpy", "einops", "torch", "torch-current", "tensorflow", "jax", "sklearn", "pandas", "scipy"];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let chosen = arguments.first().map(String::as_str);
    let libraries: Vec<&str> =
        LIBRARIES.into_iter().filter(|library| chosen.is_none_or(|chosen| chosen == *library)).collect();
    if libraries.is_empty() {
        bail!("the tables are {}", LIBRARIES.map(|library| format!("`{library}`")).join(", "));
    }
    let mut ok = true;
    for library in libraries {
        println!("==== conformance {library}");
        ok &= is_current(library, &python_with(library)?)?;
    }
    Ok(ok)
}

/// `cargo xtask modelled [--missing]`: which public names of PyTorch the models have, and which not.
pub(crate) fn modelled(arguments: &[String]) -> Result<bool> {
    let mut script = command(python_with("torch-current")?, &["-W", "ignore", "conformance/torch/names.py"]);
    script.args(arguments);
    Ok(run_and_show(script)?.0)
}

/// The Python that has the library: PyPI's releases in environments, Debian's PyTorch with the system's Python.
pub(crate) fn python_with(library: &str) -> Result<PathBuf> {
    match library {
        "tensorflow" => return Ok(Venv::ready("tf-current")?.python()),
        "sklearn" | "pandas" | "scipy" => return Ok(Venv::ready("borders")?.python()),
        "torch" => {}
        other => return Ok(Venv::ready(other)?.python()),
    }
    let python = PathBuf::from("/usr/bin/python3");
    if let Err(error) = process::run(command(&python, &["-c", "import torch"])) {
        bail!("{error:#}; install Debian's python3-torch and libopenblas0-pthread");
    }
    Ok(python)
}

/// Whether the library gives the committed table again.
pub(crate) fn is_current(library: &str, python: &PathBuf) -> Result<bool> {
    let script = format!("conformance/{}/generate.py", library.trim_end_matches("-current"));
    let mut check = command(python, &[&script, "--check"]);
    if library == "tensorflow" {
        // The tables say what this release and TensorFlow 2.13 with Keras 2 agree on.
        check.arg("--beside").arg(target_path("venvs").join("horovod/bin/python"));
    }
    Ok(run_and_show(check)?.0)
}
