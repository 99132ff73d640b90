//! `cargo xtask wild`: released packages drawn at random are checked, and each finding is tried against the real thing.
//!
//! The work is done by `tests/wild/run.py`; what it fetches and writes lies under `target/wild`.

use anyhow::Result;

use crate::process::{command, pytrope_binary, repository_root, run_and_show, target_path};

/// `--count N --seed S` draws packages, `--only A,B` names them, paths stand for folders, files and notebooks instead.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let mut script = command("python3", &[]);
    script.arg(repository_root().join("tests/wild/run.py")).arg("--pytrope").arg(pytrope_binary()?);
    script.arg("--cache").arg(target_path("wild")).args(arguments);
    Ok(run_and_show(script)?.0)
}
