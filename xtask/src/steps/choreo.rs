//! `pytrope project` with its real runtime: the command line, and random choreographies against their global meaning.

use std::path::PathBuf;

use anyhow::Result;

use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const COMMAND_LINE: Step =
    Step { name: "project", about: "pytrope project: files, refusals, diagrams, mypy and pyright", run: command_line };

pub(super) const RANDOM: Step = Step {
    name: "choreo",
    about: "2,000 random choreographies in process, 100 over TCP, 400 damaged ones, with replicated state",
    run: random,
};

pub(super) const MUTANTS: Step = Step {
    name: "choreo-mutants",
    about: "damaged projections in process and over TCP: every role that diverges ends in a typed error",
    run: mutants,
};

pub(super) const STYLES: Step = Step {
    name: "choreo-styles",
    about: "choreographies in many styles, in process, over TCP and ZeroMQ, some with a process for each role, against their global meaning",
    run: styles,
};

pub(super) const FAMILIES: Step = Step {
    name: "choreo-families",
    about: "choreographies over families: one to four members in threads, three in processes, one with PyTorch; ports with three",
    run: families,
};

pub(super) const SHAPES: Step = Step {
    name: "choreo-shapes",
    about: "errors about shapes seeded into choreographies over arrays: what `check` finds, and 0 false alarms",
    run: shapes,
};

/// PyTorch is Debian's, so this runs in Debian's Python.
fn shapes() -> Result<StepOutcome> {
    let mut tests = command("/usr/bin/python3", &["tests/choreo/shape_mutants.py", "--most", "20"]);
    tests.env("PYTROPE_BIN", pytrope_binary()?).env("OMP_NUM_THREADS", "1");
    let (ok, text) = run_and_show(tests)?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}

/// PyTorch is Debian's, so this runs in Debian's Python.
fn families() -> Result<StepOutcome> {
    let mut tests = command("/usr/bin/python3", &["tests/choreo/families.py"]);
    tests.env("PYTROPE_BIN", pytrope_binary()?);
    let (ok, text) = run_and_show(tests)?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}

fn styles() -> Result<StepOutcome> {
    let binary = pytrope_binary()?;
    StepOutcome::of_peer(Venv::ready("choreo-runtime"), |venv| {
        let mut tests = command(venv.python(), &["tests/choreo/strangers.py"]);
        tests.env("PYTROPE_BIN", binary);
        let (ok, text) = run_and_show(tests)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn command_line() -> Result<StepOutcome> {
    let binary = pytrope_binary()?;
    StepOutcome::of_peer(Venv::ready("choreo"), |venv| {
        let mut tests = command(venv.python(), &["tests/choreo/command_line.py"]);
        // The checkers of the environment come first on PATH.
        let own = venv.program("mypy").parent().map(PathBuf::from).unwrap_or_default();
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others)))?;
        tests.env("PYTROPE_BIN", binary).env("PATH", path);
        let (ok, text) = run_and_show(tests)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

fn random() -> Result<StepOutcome> {
    let binary = pytrope_binary()?;
    let mut tests = command("python3", &["tests/choreo/random_choreographies.py"]);
    tests.env("PYTROPE_BIN", binary);
    let (ok, text) = run_and_show(tests)?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}

fn mutants() -> Result<StepOutcome> {
    let binary = pytrope_binary()?;
    let mut tests = command("python3", &["tests/choreo/projection_mutants.py", "--mutants", "200"]);
    tests.env("PYTROPE_BIN", binary);
    let (ok, text) = run_and_show(tests)?;
    Ok(StepOutcome::Ran(Tally::of_last_line(&text, ok)))
}
