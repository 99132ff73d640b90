//! The corpus: `check` on four libraries, computed and remembered, against Pyrefly's type check and ruff's syntax check of
//! the same files.

use anyhow::{Result, bail};
use serde_json::Value;

use super::BenchSection;
use super::usage::{Usage, describe_machine, measure};
use crate::corpus::version_of;
use crate::corpus_tree;
use crate::process::{command, shipped_pytrope, target_path};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection = BenchSection { name: "corpus", about: "Check four libraries", run };

fn run() -> Result<String> {
    let tree = corpus_tree::ready_tree()?;
    let packages = corpus_tree::PARSING.map(|name| tree.join(name));
    let venv = Venv::ready("linters")?;
    let binary = shipped_pytrope()?;
    let (pyrefly, ruff) = (venv.program("pyrefly"), venv.program("ruff"));

    let options = ["check", "--isolated", "--exit-zero", "--output-format", "json"];
    let mut ours = command(&binary, &options);
    ours.args(&packages);
    let cache = target_path("bench-cache");
    if cache.exists() {
        std::fs::remove_dir_all(&cache)?;
    }
    let mut remembered = command(&binary, &options);
    remembered.arg("--cache-dir").arg(&cache).args(&packages);
    let mut types = command(&pyrefly, &["check", "--summary=none", "--output-format=omit-errors"]);
    types.args(&packages);
    let mut syntax = command(&ruff, &["check", "--select", "E9", "--no-cache", "--quiet", "--isolated", "--exit-zero"]);
    syntax.args(&packages);

    let (ours, types, syntax) = (measure(&ours)?, measure(&types)?, measure(&syntax)?);
    // The first run writes the cache, the second one reads it.
    let (writing, reading) = (measure(&remembered)?, measure(&remembered)?);
    if writing.stdout != ours.stdout || reading.stdout != ours.stdout {
        bail!("the cache changes what is found");
    }
    let report: Value = serde_json::from_str(&ours.stdout)?;
    let found = report["diagnostics"].as_array().map_or(0, Vec::len);
    let row = |name: &str, usage: &Usage| {
        let Usage { cpu, wall, peak_mib, .. } = usage;
        let (types, syntax) = (cpu / types.cpu, cpu / syntax.cpu);
        format!("| {name} | {cpu:.1} | {wall:.1} | {peak_mib:.0} | {types:.2} | {syntax:.2} |\n")
    };
    let mut text = format!("{}. {}.\n\n", corpus_tree::PARSING.join(", "), describe_machine());
    text.push_str(
        "| | CPU s | wall s | MiB | CPU against Pyrefly | CPU against ruff |\n|---|---:|---:|---:|---:|---:|\n",
    );
    text.push_str(&row(&format!("`pytrope check` ({found} findings)"), &ours));
    text.push_str(&row("`pytrope check`, writing the cache", &writing));
    text.push_str(&row("`pytrope check`, unchanged files in the cache", &reading));
    text.push_str(&row(&format!("`{} check`", version_of(&pyrefly)?), &types));
    text.push_str(&row(&format!("`{} check --select E9 --no-cache`", version_of(&ruff)?), &syntax));
    text.push_str("\nTargets: at most Pyrefly's CPU time, the goal is half of it; 6 times ruff's without the cache, and 1 with it.\n");
    Ok(text)
}
