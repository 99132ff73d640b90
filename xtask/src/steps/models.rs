//! Model files are formatted as `ruff format` formats them, no line is longer than its limit, and imported names exist.

use crate::process::{command, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

/// The settings of the formatter and of the line length are in `ruff.toml` of the folder.
const FOLDER: &str = "crates/pytrope_models/python";

pub(super) const STEP: Step = Step {
    name: "models-fmt",
    about: "model files: formatted by ruff, lines of at most 120 columns, imported names defined",
    run: || {
        StepOutcome::of_peer(Venv::ready("formatter"), |venv| {
            let mut tally = Tally::default();
            for arguments in [&["format", "--check", "--no-cache", FOLDER][..], &["check", "--no-cache", FOLDER][..]] {
                let (ok, _) = run_and_show(command(venv.program("ruff"), arguments))?;
                tally.add(Tally::one(ok));
            }
            let (ok, text) = run_and_show(command("python3", &["crates/pytrope_models/imports.py"]))?;
            tally.add(Tally::of_last_line(&text, ok));
            Ok(tally)
        })
    },
};
