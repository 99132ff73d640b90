//! `cargo check` for platforms other than this machine's.
//!
//! A target that `rustup` has installed is checked with its standard library. For others the standard library is built from its
//! sources, which Debian packages beside a compiler of the same release (`rustc-web`, `rust-web-src`): they are unpacked
//! under `target/rust-web`, and nothing is installed. mimalloc is left out, since its C code would need a compiler for the platform.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::process::{cargo_command, command, command_output, lock_folder, run, run_and_show, target_path};

/// The packages that are unpacked, with what they depend on of these families.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
const FAMILIES: [&str; 4] = ["rustc-web", "rust-web-src", "libstd-rust-web", "libllvm"];

/// How a target was checked.
pub(crate) enum TargetCheck {
    /// Whether it passed, and with which standard library.
    Done { holds: bool, how: String },
    /// Why it could not be checked.
    NotChecked(String),
}

/// Checks the program for a platform.
pub(crate) fn check_target(target: &str, is_own: bool) -> Result<TargetCheck> {
    let sysroot = command_output(command("rustc", &["--print", "sysroot"]))?;
    let is_installed = Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib").is_dir();
    let mut check = cargo_command(&["check", "--locked", "--quiet", "--package", "pytrope", "--target", target]);
    if !is_own {
        check.arg("--no-default-features");
    }
    if is_installed {
        let (holds, _) = run_and_show(check)?;
        let how = if is_own { "rustup's standard library" } else { "rustup's standard library, without mimalloc" };
        return Ok(TargetCheck::Done { holds, how: how.to_owned() });
    }
    let folder = match unpack_debian_rust() {
        Ok(folder) => folder,
        Err(error) => return Ok(TargetCheck::NotChecked(format!("no standard library for it: {error:#}"))),
    };
    let version = command_output(with_libraries(command(folder.join("usr/bin/rustc"), &["--version"]), &folder))?;
    check.args(["-Z", "build-std=std,panic_abort,panic_unwind"]);
    check.arg("--target-dir").arg(target_path("cross"));
    check.env("RUSTC", folder.join("usr/bin/rustc")).env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    let (holds, _) = run_and_show(with_libraries(check, &folder))?;
    let release = version.split_whitespace().nth(1).unwrap_or("unknown").to_owned();
    Ok(TargetCheck::Done {
        holds,
        how: format!("standard library {release} built from Debian's sources, without mimalloc"),
    })
}

/// The folder of Debian's compiler and sources, fetched and unpacked once.
fn unpack_debian_rust() -> Result<PathBuf> {
    let folder = target_path("rust-web");
    let _lock = lock_folder(&folder)?;
    if folder.join("unpacked").is_file() {
        return Ok(folder);
    }
    let packages = needed_packages()?;
    if std::fs::exists(&folder)? {
        std::fs::remove_dir_all(&folder)?;
    }
    let archives = folder.join("archives");
    std::fs::create_dir_all(&archives)?;
    println!("fetching {}", packages.join(", "));
    let mut download = command("apt-get", &["download", "-qq"]);
    download.args(&packages).current_dir(&archives);
    run(download).context("Debian's packages cannot be fetched")?;
    for archive in std::fs::read_dir(&archives)? {
        let mut unpack = command("dpkg-deb", &["--extract"]);
        unpack.arg(archive?.path()).arg(&folder);
        run(unpack)?;
    }
    std::fs::remove_dir_all(&archives)?;
    std::fs::write(folder.join("unpacked"), packages.join("\n"))?;
    Ok(folder)
}

/// The packages and what they need of their families, which depends on the release.
fn needed_packages() -> Result<Vec<String>> {
    let mut waiting: Vec<String> = PACKAGES.map(str::to_owned).to_vec();
    let mut needed = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if !needed.insert(name.clone()) {
            continue;
        }
        let listed = command_output(command("apt-cache", &["depends", &name]))
            .with_context(|| format!("`apt-cache` does not know {name}"))?;
        let names = listed.lines().filter_map(|line| line.trim().strip_prefix("Depends: "));
        let families = names.filter(|name| FAMILIES.iter().any(|family| name.starts_with(family)));
        waiting.extend(families.map(str::to_owned));
    }
    if needed.len() == PACKAGES.len() {
        bail!("Debian's rustc-web is not known to `apt-cache`");
    }
    Ok(needed.into_iter().collect())
}

/// The compiler finds its own libraries in its folder, not in the system.
fn with_libraries(mut command: std::process::Command, folder: &Path) -> std::process::Command {
    command.env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"));
    command
}
