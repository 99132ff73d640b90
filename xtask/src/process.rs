//! Starting other programs, and where things are in the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub(crate) fn repository_root() -> PathBuf {
    // `cargo run` says where xtask is now; where it was built would be another tree if its build folder was copied.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    xtask.parent().expect("xtask is a folder of the repository").to_owned()
}

/// A path under the build folder.
pub(crate) fn target_path(path: &str) -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository_root().join("target"), PathBuf::from);
    folder.join(path)
}

/// A lock on making a folder, held until the value is dropped.
pub(crate) fn lock_folder(folder: &Path) -> Result<std::fs::File> {
    let path = folder.with_extension("lock");
    std::fs::create_dir_all(path.parent().context("a folder under the build folder")?)?;
    let file = std::fs::File::create(&path)?;
    file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
    Ok(file)
}

/// The binary that tests use, built if it is not current; `PYTROPE_BIN` names another.
pub(crate) fn pytrope_binary() -> Result<PathBuf> {
    build_binary("release")
}

/// The binary as people install it, for measurements; the one that tests use where the figures are not kept.
pub(crate) fn shipped_pytrope() -> Result<PathBuf> {
    build_binary(if IS_TRIAL.load(Ordering::Relaxed) { "release" } else { "dist" })
}

static IS_TRIAL: AtomicBool = AtomicBool::new(false);

/// Says that what is measured from here on is thrown away.
pub(crate) fn only_try() {
    IS_TRIAL.store(true, Ordering::Relaxed);
}

fn build_binary(profile: &str) -> Result<PathBuf> {
    if let Some(binary) = std::env::var_os("PYTROPE_BIN") {
        return Ok(PathBuf::from(binary));
    }
    run(cargo_command(&["build", "--profile", profile, "--quiet", "--package", "pytrope"]))?;
    Ok(target_path(profile).join(format!("pytrope{}", std::env::consts::EXE_SUFFIX)))
}

/// A cargo command in the repository.
pub(crate) fn cargo_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(repository_root());
    command
}

/// Any command in the repository.
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(repository_root());
    command
}

/// Runs a command; an exit code other than 0 is an error.
pub(crate) fn run(mut command: Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}

/// Runs a command, shows what it prints and returns it with whether it succeeded.
pub(crate) fn run_and_show(mut command: Command) -> Result<(bool, String)> {
    use std::io::{BufRead, BufReader};
    command.stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let mut text = String::new();
    let out = child.stdout.take().context("standard output is piped")?;
    for line in BufReader::new(out).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        text.push_str(&line);
        text.push('\n');
    }
    Ok((child.wait()?.success(), text))
}

/// Runs a command and returns what it prints; an exit code other than 0 is an error.
pub(crate) fn command_output(mut command: Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
