//! Parsing: parse, lower and walk a large tree, against ruff's syntax check and CPython's `ast.parse`.

use anyhow::Result;
use serde_json::Value;

use super::BenchSection;
use super::usage::{Usage, best_of, describe_machine};
use crate::corpus::version_of;
use crate::corpus_tree;
use crate::process::{command, repository_root, shipped_pytrope};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "parsing", about: "Parse, lower and walk four libraries", run };

fn run() -> Result<String> {
    let tree = corpus_tree::ready_tree()?;
    let packages = corpus_tree::PARSING.map(|name| tree.join(name));
    let venv = Venv::ready("linters")?;
    let binary = shipped_pytrope()?;
    let ruff = venv.program("ruff");

    let mut ours = command(&binary, &["parse"]);
    ours.args(&packages);
    let mut theirs = command(&ruff, &["check", "--select", "E9", "--no-cache", "--quiet", "--isolated", "--exit-zero"]);
    theirs.args(&packages);
    let mut cpython = command("python3", &[]);
    cpython.arg(repository_root().join("xtask/ast_parse.py")).args(&packages);

    // One round to fill the page cache, then in turn, so that all see the same machine.
    let warm = best_of(1, &ours)?;
    let ours = best_of(3, &ours)?;
    let theirs = best_of(3, &theirs)?;
    let cpython = best_of(1, &cpython)?;
    let report: Value = serde_json::from_str(&warm.stdout)?;
    let row = |name: &str, usage: &Usage| {
        format!(
            "| {name} | {:.2} | {:.2} | {:.0} | {:.2} |\n",
            usage.cpu,
            usage.wall,
            usage.peak_mib,
            usage.cpu / theirs.cpu
        )
    };
    let mut text = format!(
        "{} files, {} lines, {:.1} MB of {}. {}.\n\n",
        report["files"],
        report["lines"],
        report["bytes"].as_f64().unwrap_or(0.0) / 1e6,
        corpus_tree::PARSING.join(", "),
        describe_machine()
    );
    text.push_str("| | CPU s | wall s | MiB | CPU against ruff |\n|---|---:|---:|---:|---:|\n");
    text.push_str(&row("`pytrope parse` (parse, lower, walk)", &ours));
    text.push_str(&row(&format!("`{} check --select E9 --no-cache`", version_of(&ruff)?), &theirs));
    text.push_str(&row(&format!("`ast.parse`, {}", version_of(std::path::Path::new("python3"))?), &cpython));
    text.push_str("\nTarget: at most 1.2 times ruff's CPU time.\n");
    Ok(text)
}
