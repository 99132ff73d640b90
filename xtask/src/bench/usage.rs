//! Time and memory of a child process, as the kernel counts them.

use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::process::{command, repository_root};

/// What one run of a program took.
#[derive(Debug, Clone)]
pub(crate) struct Usage {
    pub code: i64,
    /// Seconds on the clock.
    pub wall: f64,
    /// Seconds of processor time, user and system, of the process and its children.
    pub cpu: f64,
    pub peak_mib: f64,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command under `measure.py`.
pub(crate) fn measure(measured: &Command) -> Result<Usage> {
    let mut wrapper = command("python3", &[]);
    wrapper.arg(repository_root().join("xtask/measure.py")).arg(measured.get_program()).args(measured.get_args());
    if let Some(folder) = measured.get_current_dir() {
        wrapper.current_dir(folder);
    }
    let output = wrapper.output().context("python3 measures other programs")?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let report = stderr.lines().last().context("measure.py prints a line")?;
    let report: Value = serde_json::from_str(report).with_context(|| format!("measuring {measured:?}: {stderr}"))?;
    let number = |key: &str| report[key].as_f64().unwrap_or(f64::NAN);
    Ok(Usage {
        code: report["code"].as_i64().unwrap_or(-1),
        wall: number("wall"),
        cpu: number("cpu"),
        peak_mib: number("peak_mib"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: stderr.into_owned(),
    })
}

/// The run with the least processor time of several.
pub(crate) fn best_of(count: usize, measured: &Command) -> Result<Usage> {
    let mut best = measure(measured)?;
    for _ in 1..count {
        let next = measure(measured)?;
        if next.cpu < best.cpu {
            best = next;
        }
    }
    Ok(best)
}

/// What a page has to say of Pytrope where another build is measured than the one that is installed.
pub(crate) fn describe_build() -> &'static str {
    if std::env::var_os("PYTROPE_BIN").is_some() {
        "Pytrope was the build of the tests, which is less optimised than the one that is installed.\n"
    } else {
        ""
    }
}

/// The processor, its number of cores and how busy it is, for the page: times on a clock mean little on a busy machine.
pub(crate) fn describe_machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name));
    let cores = std::thread::available_parallelism().map_or(0, Into::into);
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or("unknown");
    format!("{}, {cores} cores, load average {load}", model.unwrap_or("unknown processor"))
}
