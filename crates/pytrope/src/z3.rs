//! A second opinion: the `z3` binary on PATH, in a fresh process for each question.

use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use pytrope_dims::smt2::{read_answer, to_smt2};
use pytrope_dims::{Answer, Problem, Sym};

/// Seconds that one question may take.
const PATIENCE: &str = "-T:10";

/// Whether there is a `z3`: a second opinion that was asked for and cannot be given is an error.
pub(crate) fn find() -> Result<()> {
    let found = Command::new("z3").arg("--version").stdin(Stdio::null()).output();
    let output = found.context("--solver z3 needs a `z3` on PATH (PyPI's z3-solver has one)")?;
    if !output.status.success() {
        bail!("the `z3` on PATH does not run: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// Asks z3; whatever goes wrong there is "unknown", and a model is believed only if it satisfies the problem here.
pub(crate) fn ask_z3(problem: &Problem) -> Answer {
    let name = |sym: Sym| format!("d{}", sym.0);
    match run_z3(&to_smt2(problem, &name)) {
        Ok(output) => read_answer(&output, problem, &name),
        Err(_) => Answer::Unknown,
    }
}

fn run_z3(question: &str) -> std::io::Result<String> {
    let mut process = Command::new("z3")
        .args(["-in", PATIENCE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = process.stdin.take() {
        stdin.write_all(question.as_bytes())?;
    }
    let output = process.wait_with_output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
