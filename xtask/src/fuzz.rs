//! `cargo xtask fuzz`: the libFuzzer targets in `fuzz/`, with the nightly toolchain and cargo-fuzz.

use anyhow::{Result, bail};

use crate::option;
use crate::process::{self, command, run_and_show};

/// The targets, each a file in `fuzz/fuzz_targets`.
const TARGETS: [&str; 2] = ["parse", "edits"];

fn run_target(target: &str, seconds: &str) -> Result<bool> {
    println!("==== fuzz {target} for {seconds} s");
    let time = format!("-max_total_time={seconds}");
    let fuzz = command("cargo", &["+nightly", "fuzz", "run", target, "--", &time, "-timeout=10", "-rss_limit_mb=4096"]);
    Ok(run_and_show(fuzz)?.0)
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if process::run(command("cargo", &["+nightly", "fuzz", "--version"])).is_err() {
        println!("installing cargo-fuzz");
        if process::run(command("cargo", &["+nightly", "install", "--quiet", "--locked", "cargo-fuzz"])).is_err() {
            bail!("fuzzing needs a nightly toolchain: rustup toolchain install nightly");
        }
    }
    let seconds = option(arguments, "--seconds").unwrap_or("60");
    let mut ok = true;
    for target in TARGETS {
        ok &= run_target(target, seconds)?;
    }
    Ok(ok)
}
