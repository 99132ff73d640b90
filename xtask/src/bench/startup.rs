//! Start-up: the time from a shell to the answer about an empty file, and about a small one that uses NumPy.

use std::path::Path;

use anyhow::Result;

use super::BenchSection;
use super::usage::{describe_machine, measure};
use crate::process::{command, repository_root, shipped_pytrope, target_path};

const RUNS: usize = 40;

pub(super) const SECTION: BenchSection = BenchSection { name: "startup", about: "Start-up and small files", run };

fn run() -> Result<String> {
    let empty = target_path("bench/empty.py");
    std::fs::create_dir_all(target_path("bench"))?;
    std::fs::write(&empty, "")?;
    let small = repository_root().join("tests/bench/regression.py");
    let lines = std::fs::read_to_string(&small)?.lines().count();
    let mut text = format!("{RUNS} runs each. {}.\n\n", describe_machine());
    text.push_str(
        "| `pytrope check` of | median wall ms | best wall ms | median CPU ms | target |\n|---|---:|---:|---:|---:|\n",
    );
    text.push_str(&row("an empty file", &empty, "10")?);
    text.push_str(&row(&format!("a NumPy program of {lines} lines"), &small, "15")?);
    Ok(text)
}

fn row(name: &str, file: &Path, goal: &str) -> Result<String> {
    let binary = shipped_pytrope()?;
    let mut check = command(&binary, &["check", "--isolated", "--quiet"]);
    check.arg(file);
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let usage = measure(&check)?;
        wall.push(usage.wall * 1000.0);
        cpu.push(usage.cpu * 1000.0);
    }
    wall.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    Ok(format!("| {name} | {:.1} | {:.1} | {:.1} | {goal} |\n", wall[RUNS / 2], wall[0], cpu[RUNS / 2]))
}
