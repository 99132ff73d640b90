//! Every classification model of torchvision, typed from its source and run in PyTorch with these types.

use anyhow::Result;

use crate::conformance::python_with;
use crate::process::{command, pytrope_binary, run_and_show};

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
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
