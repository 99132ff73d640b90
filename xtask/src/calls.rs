//! `cargo xtask calls`: random valid calls of builtins, the standard library, NumPy and PyTorch, of which nothing may be reported.

use anyhow::{Result, bail};

use crate::conformance::python_with;
use crate::option_value;
use crate::process::{command, pytrope_binary, repository_root, run_and_show};
use crate::tally::Tally;

/// The libraries, each with what its calls are run by.
pub(crate) const LIBRARIES: [&str; 5] = ["builtins", "standard", "numpy", "torch", "torch-current"];

/// `--count N` calls of each library (`--library L` of one), with a fresh seed or `--seed S`.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let chosen = option_value(arguments, "--library");
    let libraries: Vec<&str> =
        LIBRARIES.into_iter().filter(|name| chosen.is_none_or(|chosen| chosen == *name)).collect();
    if libraries.is_empty() {
        bail!("the libraries are {}", LIBRARIES.join(", "));
    }
    let mut ok = true;
    for library in libraries {
        println!("==== calls of {library}");
        let count = option_value(arguments, "--count").unwrap_or("25000");
        ok &= compare(library, count, option_value(arguments, "--seed"))?.failed == 0;
    }
    Ok(ok)
}

/// Draws valid calls and checks them.
pub(crate) fn compare(library: &str, count: &str, seed: Option<&str>) -> Result<Tally> {
    let python = match library {
        "numpy" | "torch" | "torch-current" => python_with(library)?,
        _ => "python3".into(),
    };
    let mut script = command(python, &["-W", "ignore"]);
    script.arg(repository_root().join("tests/peers/calls/run.py")).arg("--binary").arg(pytrope_binary()?);
    script.args(["--library", library.trim_end_matches("-current"), "--count", count]);
    if let Some(seed) = seed {
        script.args(["--seed", seed]);
    }
    let (ok, text) = run_and_show(script)?;
    Ok(Tally::of_last_line(&text, ok))
}
