//! The VS Code extension compiles, and its tests pass with the binary.

use crate::process::{command, pytrope_binary, run_and_show};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;
use crate::venv::Venv;

const FOLDER: &str = "editors/vscode";

pub(super) const STEP: Step = Step {
    name: "vscode",
    about: "the VS Code extension: compiled, and its command lines run",
    run: || {
        StepOutcome::of_peer(Venv::ready("node"), |venv| {
            let mut tally = Tally::default();
            for arguments in [&["ci", "--no-audit", "--no-fund"][..], &["run", "compile"][..], &["test"][..]] {
                let mut npm = command(venv.program("npm"), arguments);
                npm.current_dir(FOLDER).env("PATH", venv.search_path()?).env("PYTROPE_BIN", pytrope_binary()?);
                let (ok, _) = run_and_show(npm)?;
                tally.add(Tally::one(ok));
                if !ok {
                    break;
                }
            }
            Ok(tally)
        })
    },
};
