//! Every example script of `distribute`, rewritten for each engine and run on two and three ranks and on one.

use anyhow::Result;

use crate::process::{command, pytrope_binary, run_and_show};
use crate::venv::Venv;

/// The engines besides those of the default run, with the environment that runs their outputs; DDP with the current PyTorch is one.
pub(crate) const ENGINES: [(&str, &str); 4] = [
    ("ddp", "torch-current"),
    ("fsdp2", "torch-current"),
    ("accelerate", "torch-current"),
    ("tf-distribute", "tf-current"),
];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|argument| argument == "--to") {
        return Ok(scripts(arguments)?.0);
    }
    let mut good = scripts(&[arguments, &["--launcher".to_owned()]].concat())?.0;
    for (engine, environment) in ENGINES {
        good &= engine_scripts(engine, environment, &[arguments, &["--launcher".to_owned()]].concat())?.0;
    }
    Ok(good)
}

/// Runs the outputs for one engine in its environment, which is made first.
pub(crate) fn engine_scripts(engine: &str, environment: &str, arguments: &[String]) -> Result<(bool, String)> {
    println!("--to {engine}");
    // An environment that cannot be made is reported by the runner, as a missing peer.
    if let Err(error) = Venv::ready(environment) {
        println!("{error:#}");
    }
    scripts(&[&["--to".to_owned(), engine.to_owned()], arguments].concat())
}

/// Runs `tests/distribute/run.py`; the peers' environment is made first, and one that cannot be is reported by the runner.
pub(crate) fn scripts(arguments: &[String]) -> Result<(bool, String)> {
    let binary = pytrope_binary()?;
    let _ = run_and_show(command("python3", &["tests/distribute/environment.py"]))?;
    let mut tests = command("python3", &["tests/distribute/run.py", "--pytrope"]);
    tests.arg(binary).args(arguments);
    run_and_show(tests)
}
