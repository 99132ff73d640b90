//! `cargo xtask conformance [LIBRARY]`: tables regenerated from the real libraries must equal the committed ones.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{self, command, root, run_and_show, target};
use crate::venv::Venv;

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let chosen = arguments.first().map(String::as_str);
    let mut ok = true;
    let mut ran = false;
    for library in ["numpy", "torch"] {
        if chosen.is_none_or(|chosen| chosen == library) {
            println!("==== conformance {library}");
            ok &= regenerate(library)?;
            ran = true;
        }
    }
    if !ran {
        bail!("the tables are `numpy` and `torch`");
    }
    Ok(ok)
}

/// The Python that has the library: PyPI's NumPy in an environment, Debian's PyTorch with the system's Python.
fn python_with(library: &str) -> Result<PathBuf> {
    if library == "numpy" {
        return Ok(Venv::ready("numpy")?.python());
    }
    let python = PathBuf::from("/usr/bin/python3");
    if let Err(error) = process::run(command(&python, &["-c", "import torch"])) {
        bail!("{error:#}; install Debian's python3-torch and libopenblas0-pthread");
    }
    Ok(python)
}

/// Writes the tables to a fresh folder and compares them with the committed ones.
pub(crate) fn regenerate(library: &str) -> Result<bool> {
    let fresh = target(&format!("conformance/{library}"));
    if fresh.exists() {
        std::fs::remove_dir_all(&fresh)?;
    }
    std::fs::create_dir_all(&fresh)?;
    let script = format!("conformance/{library}/generate.py");
    let mut generate = command(python_with(library)?, &[&script, "--out"]);
    generate.arg(&fresh);
    process::run(generate)?;
    let mut diff = Command::new("diff");
    diff.arg("-rq")
        .arg(root().join(format!("conformance/{library}/table")))
        .arg(&fresh);
    let (same, _) = run_and_show(diff)?;
    println!(
        "{library}: {}",
        if same {
            "the committed tables are current"
        } else {
            "the tables DIFFER"
        }
    );
    Ok(same)
}
