//! What `draw` and `report` write, opened in a headless browser.

use anyhow::{Result, bail};

use crate::process::{command, command_output, pytrope_binary, run_and_show, target_path};
use crate::steps::{Step, StepOutcome};
use crate::tally::Tally;

pub(super) const STEP: Step =
    Step { name: "browser", about: "pictures and reports in a headless browser, light and dark", run };

fn run() -> Result<StepOutcome> {
    StepOutcome::of_peer(find_browser(), |browser| {
        let mut check = command("python3", &["tests/browser/check.py"]);
        check.arg(pytrope_binary()?).arg(browser).arg(target_path("browser"));
        let (ok, text) = run_and_show(check)?;
        Ok(Tally::of_last_line(&text, ok))
    })
}

/// Debian's chromium, or what it is called elsewhere.
fn find_browser() -> Result<&'static str> {
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        if command_output(command(name, &["--version"])).is_ok() {
            return Ok(name);
        }
    }
    bail!("there is no chromium on PATH; install Debian's chromium")
}
