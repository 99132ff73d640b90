//! The wheel: built, installed where nothing else is, and used.

use anyhow::Result;

use crate::process::{command, run_and_show, target};
use crate::steps::{Outcome, Step};
use crate::tally::Tally;
use crate::venv::Venv;

pub(super) const STEP: Step =
    Step { name: "wheel", about: "the wheel brings the program, the hints and the runtime", run };

fn run() -> Result<Outcome> {
    Outcome::of_peer(Venv::ready("wheel"), |venv| {
        let mut check = command(venv.python(), &["tests/wheel/check.py"]);
        check.arg(venv.program("maturin")).arg(target("wheel-check"));
        let (ok, text) = run_and_show(check)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}
