//! `cargo check` for platforms other than this machine's.
//!
//! A target that `rustup` has installed is checked with its standard library. For others the standard library is built from its
//! sources, which Debian packages beside a compiler of the same release (`rustc-web`, `rust-web-src`): they are unpacked
//! under `target/rust-web`, and nothing is installed. mimalloc is left out. The assembler and C files of `psm` and `stacker`, which
//! ruff's parser stands on, are compiled by zig, which knows all platforms.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{cargo_command, command, command_output, lock_folder, run, run_and_show, target_path};
use crate::venv::Venv;

/// The packages that are unpacked, with what they depend on of these families.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];
const FAMILIES: [&str; 4] = ["rustc-web", "rust-web-src", "libstd-rust-web", "libllvm"];

/// The script in the compiler's place passes on all arguments but the names of platforms.
const COMPILER_HEAD: &str = r#"#!/bin/sh
for argument do
    shift
    case "$argument" in
        --target=* | -mmacosx-version-min=*) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
"#;

/// How a target was checked.
pub(crate) enum TargetCheck {
    /// Whether it passed, and with which standard library.
    Done { holds: bool, how: String },
    /// Why it could not be checked.
    NotChecked(String),
}

/// Checks the program for a platform.
pub(crate) fn check_target(target: &str, is_own: bool, zig: &Venv) -> Result<TargetCheck> {
    let sysroot = command_output(command("rustc", &["--print", "sysroot"]))?;
    let is_installed = Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib").is_dir();
    let mut check = cargo_command(&["check", "--locked", "--quiet", "--package", "pytrope", "--target", target]);
    if !is_own {
        check.arg("--no-default-features");
        use_zig(&mut check, target, &zig.python())?;
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

/// What zig calls a platform.
fn zig_target(target: &str) -> String {
    let mut parts = target.split('-');
    let arch = parts.next().unwrap_or_default();
    match target {
        _ if target.contains("apple") => format!("{arch}-macos"),
        _ if target.contains("windows") => format!("{arch}-windows-gnu"),
        _ => format!("{arch}-linux-gnu"),
    }
}

/// Lets build scripts compile C and assembler files for a platform by zig. The names of platforms that they give are left out: zig has
/// its own, and objects are only archived here, never linked.
fn use_zig(check: &mut Command, target: &str, python: &Path) -> Result<()> {
    let folder = target_path("cross-zig");
    std::fs::create_dir_all(&folder)?;
    let (compiler, archiver) = (folder.join(format!("cc-{target}")), folder.join(format!("ar-{target}")));
    let python = python.display();
    let call = format!("exec \"{python}\" -m ziglang cc -target {} \"$@\"\n", zig_target(target));
    write_script(&compiler, &format!("{COMPILER_HEAD}{call}"))?;
    // For MSVC build scripts give the archiver the options of Microsoft's `lib.exe`.
    let archiver_name = if target.ends_with("msvc") { "lib" } else { "ar" };
    write_script(&archiver, &format!("#!/bin/sh\nexec \"{python}\" -m ziglang {archiver_name} \"$@\"\n"))?;
    let name = target.replace('-', "_");
    check.env(format!("CC_{name}"), compiler).env(format!("AR_{name}"), archiver);
    check.env("ZIG_GLOBAL_CACHE_DIR", folder.join("cache"));
    if target.contains("apple") {
        // Without it build scripts ask Apple's `xcrun`; zig brings the headers.
        check.env("SDKROOT", &folder);
    }
    Ok(())
}

fn write_script(path: &Path, text: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, text)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))?;
    Ok(())
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
fn with_libraries(mut command: Command, folder: &Path) -> Command {
    command.env("LD_LIBRARY_PATH", folder.join("usr/lib/x86_64-linux-gnu"));
    command
}
