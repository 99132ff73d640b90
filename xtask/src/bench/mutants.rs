//! The mutation test in full: what share of the errors in mutated NumPy programs is found, and what is flagged wrongly.

use anyhow::{Result, ensure};

use super::BenchSection;
use crate::process::{command, run_and_show, shipped_pytrope};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "mutants", about: "Errors found in mutated NumPy programs", run };

fn run() -> Result<String> {
    let venv = Venv::ready("numpy")?;
    let mut script = command(venv.python(), &["tests/mutants/run.py", "--pytrope"]);
    script.arg(shipped_pytrope()?);
    let (ok, text) = run_and_show(script)?;
    ensure!(ok, "the mutation test fails");
    let figures: Vec<&str> = text.lines().filter(|line| !line.contains(" passed, ")).collect();
    Ok(format!(
        "Working programs are changed in one place and run under NumPy; of those that raise an error about shapes, how many does `pytrope check` find at that line with that class?\n\n```text\n{}\n```\n",
        figures.join("\n")
    ))
}
