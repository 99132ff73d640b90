//! Long and repetitive files: none of them may take more than a second or two.

use anyhow::Result;

use super::BenchSection;
use super::usage::{describe_machine, measure};
use crate::process::{command, command_output, repository_root, shipped_pytrope, target_path};

/// No file should take longer, in seconds of processor time.
const LIMIT: f64 = 2.0;

pub(super) const SECTION: BenchSection = BenchSection { name: "long-inputs", about: "Long and repetitive files", run };

fn run() -> Result<String> {
    let folder = target_path("bench/long-inputs");
    let mut generate = command("python3", &[]);
    generate.arg(repository_root().join("xtask/long_inputs.py")).arg(&folder);
    command_output(generate)?;
    let binary = shipped_pytrope()?;
    let mut times = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let mut check = command(&binary, &["check", "--isolated", "--quiet", "--exit-zero", "--output-format", "json"]);
        check.arg(&path);
        let usage = measure(&check)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        times.push((usage.cpu, usage.peak_mib, usage.code, name));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    let slow = times.iter().filter(|(cpu, ..)| *cpu > LIMIT).count();
    let failed = times.iter().filter(|(_, _, code, _)| *code != 0).count();
    let mut text = format!(
        "{} files that `xtask/long_inputs.py` writes (20,000 statements, literals and parameter lists of 125,000 items, \
         10,000-statement functions, huge constants): {slow} over {LIMIT} CPU s, {failed} failed. The slowest, {}:\n\n\
         | | CPU s | MiB |\n|---|---:|---:|\n",
        times.len(),
        describe_machine()
    );
    for (cpu, mib, _, name) in times.iter().take(8) {
        text.push_str(&format!("| {name} | {cpu:.2} | {mib:.0} |\n"));
    }
    Ok(text)
}
