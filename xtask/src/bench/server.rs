//! Language servers: the time from an edit to its diagnostics, and the memory that a server takes.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use super::BenchSection;
use super::usage::{describe_build, describe_machine};
use crate::corpus::version_of;
use crate::corpus_tree;
use crate::process::{command, command_output, repository_root, shipped_pytrope, target_path};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "server", about: "From an edit to its diagnostics, beside other servers", run };

/// How many edits are made in each project.
const EDITS: &str = "300";

fn run() -> Result<String> {
    let tree = corpus_tree::ready_tree()?;
    let venv = Venv::ready("linters")?;
    let binary = shipped_pytrope()?;
    // A package becomes a project of its own, so that no server reads more than another.
    let small = copied(&tree.join("torchvision/transforms"), "transforms")?;
    let large = copied(&tree.join("transformers"), "transformers")?;
    let mut text = format!(
        "Statements are inserted and removed at the top level of open files, {EDITS} times, and the diagnostics of the new text are \
         awaited after each edit. {}. Milliseconds on a clock, and of processor time.\n{}\n",
        describe_machine(),
        describe_build()
    );
    text.push_str(
        "| | | first diagnostics | p50 | p95 | most | CPU, mean | MiB |\n|---|---|---:|---:|---:|---:|---:|---:|\n",
    );
    for (title, folder, file) in [
        ("torchvision.transforms, 20 files of 16,000 lines", &small, None),
        ("one file of transformers", &large, Some("transformers/models/bert/modeling_bert.py")),
    ] {
        for (program, arguments) in [
            (binary.clone(), "server"),
            (venv.program("ty"), "server"),
            (venv.program("pyrefly"), "lsp"),
            (venv.program("ruff"), "server"),
        ] {
            let mut client = command("python3", &[]);
            client.arg(repository_root().join("tests/bench/edit_latency.py")).arg(folder).arg(EDITS);
            client.args(file).arg("--").arg(&program).arg(arguments);
            let line = command_output(client)?;
            let times: Value = serde_json::from_str(line.trim()).context("the client prints a line of JSON")?;
            let figure = |key: &str| times[key].to_string();
            text.push_str(&format!(
                "| {title} | `{} {arguments}` | {} | {} | {} | {} | {} | {} |\n",
                version_of(&program)?,
                figure("first"),
                figure("p50"),
                figure("p95"),
                figure("most"),
                figure("cpu"),
                figure("mib")
            ));
        }
    }
    text.push_str(
        "\nTargets: p50 ≤ 5 and p95 ≤ 25 in the project, p50 ≤ 10 in the file of transformers, at most 2 GiB.\n",
    );
    Ok(text)
}

/// A fresh copy of a package's sources.
fn copied(package: &Path, name: &str) -> Result<std::path::PathBuf> {
    let folder = target_path("bench-server").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    let mut copy = command("cp", &["-r"]);
    copy.arg(package).arg(&folder);
    command_output(copy)?;
    Ok(folder)
}
