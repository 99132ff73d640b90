//! `cargo xtask mutants`: mutated NumPy programs, run under real NumPy and checked by us; with `--projects` first, split over
//! several files; with `torch`, `keras`, `jax` or `borders` first, programs of that framework, judged by committed outcomes of the library.

use anyhow::Result;

use crate::process::{command, pytrope_binary, repository_root, run_and_show};
use crate::tally::Tally;
use crate::venv::Venv;

/// The script that mutates, runs and compares; it prints the figures for docs/benchmarks.md.
const SCRIPT: &str = "tests/mutants/run.py";

/// The same for programs that are split into a package and a file that calls it.
const PROJECTS: &str = "tests/mutants/projects.py";

/// The same for frameworks, whose outcomes are committed.
const FRAMEWORKS_SCRIPT: &str = "tests/mutants/frameworks.py";
pub(crate) const FRAMEWORKS: [&str; 4] = ["torch", "keras", "jax", "borders"];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if let Some(framework) = arguments.first().filter(|first| FRAMEWORKS.contains(&first.as_str())) {
        return Ok(judge_framework(framework, &arguments[1..])?.failed == 0);
    }
    let (file, arguments) = match arguments.split_first() {
        Some((first, rest)) if first == "--projects" => (PROJECTS, rest),
        _ => (SCRIPT, arguments),
    };
    anyhow::ensure!(repository_root().join(file).is_file(), "{file} is not written yet");
    let venv = Venv::ready("numpy")?;
    let mut script = command(venv.python(), &[file, "--pytrope"]);
    script.arg(pytrope_binary()?).args(arguments);
    let (ok, text) = run_and_show(script)?;
    Ok(Tally::of_last_line(&text, ok).failed == 0)
}

/// Checks the mutants of one framework against what the real library did.
pub(crate) fn judge_framework(framework: &str, arguments: &[String]) -> Result<Tally> {
    let mut script = command("python3", &[FRAMEWORKS_SCRIPT, framework, "--pytrope"]);
    script.arg(pytrope_binary()?).args(arguments);
    let (ok, text) = run_and_show(script)?;
    Ok(Tally::of_last_line(&text, ok))
}
