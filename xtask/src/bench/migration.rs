//! Figure 8 of the paper: migrate beside torch.fx's gradual types with z3, both on torchvision's own models.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use super::BenchSection;
use super::usage::{describe_machine, measure};
use crate::conformance::python_with;
use crate::process::{command, command_output, shipped_pytrope};
use crate::venv::Venv;

const RUNS: usize = 5;

/// The arithmetic constraints of the second question; `fx_migrate.py` asks the same.
const RANGES: &str = "5 <= x.shape[0] <= 20 and 100 <= x.shape[2] <= 300 and 100 <= x.shape[3] <= 300";

pub(super) const SECTION: BenchSection =
    BenchSection { name: "migrate", about: "Figure 8: static types of AlexNet and ResNet50", run };

fn run() -> Result<String> {
    let python = python_with("torch")?;
    let venv = Venv::ready("z3")?;
    let packages =
        command_output(command(venv.python(), &["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]))?;
    let peer = command_output(command(&python, &["tests/peers/torch/fx_migrate.py", packages.trim()]))?;
    let binary = shipped_pytrope()?;
    let mut table = String::from(
        "| question | pytrope: answer | CPU s in all | solving ms | torch.fx + z3: answer | runs | CPU s in all | solving s | ratio of solving |\n|---|---|---:|---:|---|---|---:|---:|---:|\n",
    );
    let mut version = String::new();
    for line in peer.lines() {
        let theirs: Value = serde_json::from_str(line).with_context(|| format!("fx_migrate.py prints JSON: {line}"))?;
        let (name, question) = (theirs["model"].as_str().unwrap_or("?"), theirs["question"].as_str().unwrap_or("?"));
        theirs["z3"].as_str().unwrap_or("?").clone_into(&mut version);
        let mut ours = command(&binary, &["migrate", "torchvision.models", "--output-format", "json", "--python"]);
        ours.arg(&python).args(["--entry", &format!("{name}()")]);
        if question == "Q2" {
            ours.args(["--assume", RANGES]);
        }
        let (mut cpu, mut solving, mut sizes) = (f64::INFINITY, f64::INFINITY, Value::Null);
        for _ in 0..RUNS {
            let usage = measure(&ours)?;
            let report: Value = serde_json::from_str(&usage.stdout).context("migrate prints JSON")?;
            cpu = cpu.min(usage.cpu);
            solving = solving.min(report["solving_seconds"].as_f64().unwrap_or(f64::NAN));
            sizes = report["parameters"]["x"]["dims"].clone();
        }
        let seconds = |key: &str| theirs[key].as_f64().unwrap_or(f64::NAN);
        let _ = writeln!(
            table,
            "| {name} {question} | {sizes} | {cpu:.2} | {:.3} | {} {} | {} | {:.2} | {:.3} | {:.0} × |",
            solving * 1000.0,
            theirs["verdict"].as_str().unwrap_or("?"),
            theirs["sizes"],
            if theirs["runs"] == Value::Bool(true) { "yes" } else { "no" },
            seconds("making_seconds") + seconds("solving_seconds"),
            seconds("solving_seconds"),
            seconds("solving_seconds") / solving,
        );
    }
    Ok(format!(
        "Both read torchvision's models in the same run; z3 {version} with a fresh solver for each question; best of {RUNS}. {}. \
         That every answer of pytrope runs is shown by `cargo xtask test --only migrate`. torch.fx's CPU time is without \
         importing PyTorch and building the model. pytrope's solving time is all its decision procedures, those that \
         decide conditions on the way included.\n\n{table}",
        describe_machine()
    ))
}
