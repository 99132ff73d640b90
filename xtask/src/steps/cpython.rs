//! The interpreter against CPython on random expressions and programs, the tables that CPython wrote, and against NumPy on random programs with arrays.

use std::path::Path;

use anyhow::Result;

use crate::conformance::python_with;
use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const BASICS: Step = Step {
    name: "basics",
    about: "small programs with one mistake each, by what CPython raises, and the same without it",
    run: || Ok(StepOutcome::Ran(compare("python3", &["tests/basics/judge.py"])?)),
};

pub(super) const EXPRESSIONS: Step = Step {
    name: "expressions",
    about: "20,000 random expressions give CPython's value or exception",
    run: || Ok(StepOutcome::Ran(compare("python3", &["tests/peers/cpython/expressions.py", "--count", "20000"])?)),
};

pub(super) const PROGRAMS: Step = Step {
    name: "programs",
    about: "1,500 random programs end in a state that ours covers",
    run: || Ok(StepOutcome::Ran(compare("python3", &["tests/peers/cpython/programs.py", "--count", "1500"])?)),
};

pub(super) const SHARED: Step = Step {
    name: "shared-structures",
    about: "60 random programs that grow shared structures are analysed within a limit of processor time",
    run: || {
        Ok(StepOutcome::Ran(compare("python3", &["tests/peers/cpython/shared.py", "--count", "60", "--seed", "1"])?))
    },
};

pub(super) const ARRAYS: Step = Step {
    name: "array-programs",
    about: "1,000 random programs with NumPy arrays end in a state that ours covers",
    run: || {
        StepOutcome::of_peer(python_with("numpy"), |python: std::path::PathBuf| {
            let script = ["-W", "ignore", "tests/peers/cpython/programs.py", "--arrays", "--count", "1000"];
            compare(&python, &script)
        })
    },
};

pub(super) const BUILTINS: Step = Step {
    name: "builtins-tables",
    about: "CPython takes no call of a builtin, and has no name of the standard library, that the committed tables refuse",
    run: || {
        let mut tally = Tally::default();
        for script in ["conformance/python/signatures.py", "conformance/python/standard_names.py"] {
            let (ok, text) = run_and_show(command("python3", &["-W", "ignore", script, "--check"]))?;
            tally.add(Tally::of_last_line(&text, ok));
        }
        Ok(StepOutcome::Ran(tally))
    },
};

fn compare(python: impl AsRef<Path>, script: &[&str]) -> Result<Tally> {
    let mut python = command(python.as_ref(), script);
    python.arg("--binary").arg(pytrope_binary()?);
    let (ok, text) = run_and_show(python)?;
    Ok(Tally::of_last_line(&text, ok))
}
