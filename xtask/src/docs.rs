//! `cargo xtask docs`: every code block of README.md and docs/ is run, and the site is built without a warning.
//!
//! `--update` writes what the commands print into the pages, and the text that the wheel carries; `--no-site` and `--no-blocks` leave out one half.

use anyhow::Result;

use crate::long_description::check_or_write;
use crate::process::{command, pytrope_binary, run_and_show, target_path};
use crate::tally::Tally;
use crate::venv::Venv;

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let venv = Venv::ready("docs")?;
    let mut ok = check_or_write(has("--update"))?.failed == 0;
    if !has("--no-blocks") {
        ok &= run_blocks(&venv, has("--update"))?.failed == 0;
    }
    if !has("--no-site") {
        ok &= build_site(&venv)?.failed == 0;
    }
    Ok(ok)
}

/// Runs every code block of the pages, or writes what their commands print.
pub(crate) fn run_blocks(venv: &Venv, update: bool) -> Result<Tally> {
    let mut blocks = command(venv.python(), &["tests/docs/run.py"]);
    blocks.arg(pytrope_binary()?);
    if update {
        blocks.arg("--update");
    }
    let (ok, text) = run_and_show(blocks)?;
    Ok(Tally::of_last_line(&text, ok))
}

/// Builds the site; a link that leads nowhere is a failure.
pub(crate) fn build_site(venv: &Venv) -> Result<Tally> {
    let mut build = command(venv.program("mkdocs"), &["build", "--strict", "--quiet", "--clean", "--site-dir"]);
    build.arg(target_path("site")).env("PYTROPE_BIN", pytrope_binary()?).env("NO_MKDOCS_2_WARNING", "1");
    let (ok, _) = run_and_show(build)?;
    if ok {
        println!("the site is in {}", target_path("site").display());
    }
    Ok(Tally::one(ok))
}
