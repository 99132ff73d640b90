//! Random choreographies, projected and run: results as the global program's, no deadlock, in process and over TCP.

use anyhow::Result;

use crate::process::{command, pytrope, run_and_show};
use crate::steps::{Outcome, Step};
use crate::tally::Tally;

pub(super) const STEP: Step =
    Step { name: "choreo", about: "2,000 random choreographies in process, 100 over TCP, 400 damaged ones", run };

fn run() -> Result<Outcome> {
    let binary = pytrope()?;
    let mut tests = command("python3", &["tests/choreo/random_choreographies.py"]);
    tests.env("PYTROPE_BIN", binary);
    let (ok, text) = run_and_show(tests)?;
    Ok(Outcome::Ran(Tally::of_last_line(&text, ok)))
}
