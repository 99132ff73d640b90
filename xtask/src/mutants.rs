//! `cargo xtask mutants`: mutated NumPy programs, run under real NumPy and checked by us; with `--projects` first, split over
//! several files.

use anyhow::Result;

use crate::process::{command, pytrope, root, run_and_show};
use crate::tally::Tally;
use crate::venv::Venv;

/// The script that mutates, runs and compares; it prints the figures for docs/benchmarks.md.
const SCRIPT: &str = "tests/mutants/run.py";

/// The same for programs that are split into a package and a file that calls it.
const PROJECTS: &str = "tests/mutants/projects.py";

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let (file, arguments) = match arguments.split_first() {
        Some((first, rest)) if first == "--projects" => (PROJECTS, rest),
        _ => (SCRIPT, arguments),
    };
    anyhow::ensure!(root().join(file).is_file(), "{file} is not written yet");
    let venv = Venv::ready("numpy")?;
    let mut script = command(venv.python(), &[file, "--pytrope"]);
    script.arg(pytrope()?).args(arguments);
    let (ok, text) = run_and_show(script)?;
    Ok(Tally::of_last_line(&text, ok).failed == 0)
}
