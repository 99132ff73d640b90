//! `cargo xtask fuzz`: frames of the runtime, random choreographies, programs that share structures, then the libFuzzer targets in `fuzz/`, with the nightly toolchain and cargo-fuzz.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};

use crate::option_value;
use crate::process::{self, command, run_and_show};
use crate::venv::Venv;

/// The targets, each a file in `fuzz/fuzz_targets`.
const TARGETS: [&str; 2] = ["parse", "edits"];

fn run_target(target: &str, seconds: &str) -> Result<bool> {
    println!("==== fuzz {target} for {seconds} s");
    let time = format!("-max_total_time={seconds}");
    let fuzz = command("cargo", &["+nightly", "fuzz", "run", target, "--", &time, "-timeout=10", "-rss_limit_mb=4096"]);
    Ok(run_and_show(fuzz)?.0)
}

/// Damaged frames for the runtime of choreographies; some 20,000 are read in a second.
fn run_frames(seconds: &str) -> Result<bool> {
    let cases = seconds.parse::<u64>().unwrap_or(60) * 20_000;
    println!("==== fuzz frames with {cases} cases");
    let venv = Venv::ready("choreo-runtime")?;
    let fuzz = command(venv.python(), &["tests/choreo/fuzz_frames.py", "--cases", &cases.to_string()]);
    Ok(run_and_show(fuzz)?.0)
}

/// Random choreographies against their global meaning, from a fresh seed: 20 in a second, of which one over TCP, and two damaged ones.
fn run_choreographies(seconds: &str) -> Result<bool> {
    let seconds = seconds.parse::<u64>().unwrap_or(60);
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs());
    let [in_process, tcp, damaged, seed] = [seconds * 19, seconds, seconds * 2, seed].map(|number| number.to_string());
    println!(
        "==== fuzz choreographies with {in_process} in process, {tcp} over TCP and {damaged} damaged ones, seed {seed}"
    );
    let options = ["--in-process", &in_process, "--tcp", &tcp, "--damaged", &damaged, "--seed", &seed];
    let mut fuzz = command("python3", &["tests/choreo/random_choreographies.py"]);
    fuzz.args(options).env("PYTROPE_BIN", process::pytrope_binary()?);
    Ok(run_and_show(fuzz)?.0)
}

/// Programs that grow shared structures, from a fresh seed; a few are analysed in a second.
fn run_structures(seconds: &str) -> Result<bool> {
    let count = (seconds.parse::<u64>().unwrap_or(60) * 5).to_string();
    println!("==== fuzz structures with {count} programs");
    let mut fuzz = command("python3", &["tests/peers/cpython/shared.py", "--count", &count]);
    fuzz.arg("--binary").arg(process::pytrope_binary()?);
    Ok(run_and_show(fuzz)?.0)
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let seconds = option_value(arguments, "--seconds").unwrap_or("60");
    match option_value(arguments, "--only") {
        Some("frames") => return run_frames(seconds),
        Some("choreographies") => return run_choreographies(seconds),
        Some("structures") => return run_structures(seconds),
        _ => {}
    }
    if process::run(command("cargo", &["+nightly", "fuzz", "--version"])).is_err() {
        println!("installing cargo-fuzz");
        if process::run(command("cargo", &["+nightly", "install", "--quiet", "--locked", "cargo-fuzz"])).is_err() {
            bail!("fuzzing needs a nightly toolchain: rustup toolchain install nightly");
        }
    }
    let mut ok = run_frames(seconds)? & run_choreographies(seconds)? & run_structures(seconds)?;
    for target in TARGETS {
        ok &= run_target(target, seconds)?;
    }
    Ok(ok)
}
