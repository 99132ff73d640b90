//! `cargo xtask mutants`: mutated NumPy programs, run under real NumPy and checked by us.

use anyhow::Result;

use crate::process::{command, pytrope, root, run_and_show};
use crate::tally::Tally;
use crate::venv::Venv;

/// The script that mutates, runs and compares; it prints the figures for docs/benchmarks.md.
const SCRIPT: &str = "tests/mutants/run.py";

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    anyhow::ensure!(root().join(SCRIPT).is_file(), "{SCRIPT} is not written yet");
    let venv = Venv::ready("numpy")?;
    let mut script = command(venv.python(), &[SCRIPT, "--pytrope"]);
    script.arg(pytrope()?).args(arguments);
    let (ok, text) = run_and_show(script)?;
    Ok(Tally::of_last_line(&text, ok).failed == 0)
}
