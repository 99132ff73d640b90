//! Every example script of `distribute`, rewritten and run on two ranks and on one.

use anyhow::Result;

use crate::process::{command, pytrope, run_and_show};

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let mut arguments = arguments.to_vec();
    arguments.push("--launcher".to_owned());
    Ok(scripts(&arguments)?.0)
}

/// Runs `tests/distribute/run.py`; the peers' environment is made first, and one that cannot be is reported by the runner.
pub(crate) fn scripts(arguments: &[String]) -> Result<(bool, String)> {
    let binary = pytrope()?;
    let _ = run_and_show(command("python3", &["tests/distribute/environment.py"]))?;
    let mut tests = command("python3", &["tests/distribute/run.py", "--pytrope"]);
    tests.arg(binary).args(arguments);
    run_and_show(tests)
}
