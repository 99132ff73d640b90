//! `cargo xtask release --dry-run`: the checklist of docs/internals/releasing.md, each point built and tried.
//!
//! Nothing is uploaded. Without `--dry-run` the tree must have no uncommitted changes; `--profile NAME` builds the wheel
//! in another profile than `dist`, and `--no-zig` links against the C library of this machine.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cross::{Checked, check_target};
use crate::process::{
    command, command_output, pytrope_binary, repository_root, run as run_command, run_and_show, target_path,
};
use crate::venv::Venv;
use crate::{docs, option_value};

/// The platforms that a release is built for.
const TARGETS: [&str; 5] = [
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

/// The platform of the machine that releases are built on.
const OWN_TARGET: &str = "x86_64-unknown-linux-gnu";

/// One point of the checklist: whether it holds, and what to say about it.
struct Point {
    name: &'static str,
    holds: bool,
    detail: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut points = vec![check_versions()?];
    if !has("--dry-run") {
        let changes = command_output(command("git", &["status", "--porcelain"]))?;
        let holds = changes.trim().is_empty();
        points.push(Point { name: "no uncommitted changes", holds, detail: changes });
    }
    let venv = Venv::ready("wheel")?;
    let folder = target_path("release-check");
    write_data()?;
    points.push(build_and_use_wheel(&venv, &folder, option_value(arguments, "--profile"), !has("--no-zig"))?);
    let docs_venv = Venv::ready("docs")?;
    let built = docs::build_site(&docs_venv)?.failed == 0;
    points.push(Point { name: "documentation site", holds: built, detail: String::new() });
    points.extend(check_targets()?);
    println!();
    for Point { name, holds, detail } in &points {
        println!(
            "{} {name}{}{detail}",
            if *holds { "ok    " } else { "FAILED" },
            if detail.is_empty() { "" } else { ": " }
        );
    }
    let failed = points.iter().filter(|point| !point.holds).count();
    println!("{} passed, {failed} failed; nothing was uploaded", points.len() - failed);
    Ok(failed == 0)
}

/// Man pages and completions, where the wheel takes them from (`share/` of the environment it is installed into).
pub(crate) fn write_data() -> Result<()> {
    let binary = pytrope_binary()?;
    let share = repository_root().join("pytrope.data/data/share");
    if share.exists() {
        std::fs::remove_dir_all(&share)?;
    }
    let mut man = command(&binary, &["man", "-o"]);
    man.arg(share.join("man/man1"));
    run_command(man)?;
    let places = [
        ("bash", "bash-completion/completions/pytrope"),
        ("zsh", "zsh/site-functions/_pytrope"),
        ("fish", "fish/vendor_completions.d/pytrope.fish"),
    ];
    for (shell, place) in places {
        let script = command_output(command(&binary, &["completions", shell]))?;
        let path = share.join(place);
        std::fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        std::fs::write(path, script)?;
    }
    Ok(())
}

/// One version everywhere, and a section about it in the changelog.
fn check_versions() -> Result<Point> {
    let manifest = std::fs::read_to_string(repository_root().join("Cargo.toml"))?;
    let version = manifest.split("version = \"").nth(1).and_then(|rest| rest.split('"').next());
    let version = version.context("Cargo.toml has a version")?;
    let package = std::fs::read_to_string(repository_root().join("python/pytrope/__init__.py"))?;
    let changelog = std::fs::read_to_string(repository_root().join("CHANGELOG.md"))?;
    let holds =
        package.contains(&format!("__version__ = \"{version}\"")) && changelog.contains(&format!("## {version}"));
    Ok(Point { name: "version and changelog", holds, detail: version.to_owned() })
}

/// The source distribution, a wheel built from it, and both used in fresh environments.
fn build_and_use_wheel(venv: &Venv, folder: &Path, profile: Option<&str>, zig: bool) -> Result<Point> {
    let mut check = command(venv.python(), &["tests/wheel/check.py", "--from-sdist"]);
    check.arg("--maturin").arg(venv.program("maturin")).arg("--folder").arg(folder);
    check.args(["--profile", profile.unwrap_or("dist")]);
    if zig {
        check.arg("--zig");
        let own: PathBuf = venv.program("maturin").parent().map(PathBuf::from).unwrap_or_default();
        let others = std::env::var_os("PATH").unwrap_or_default();
        check.env("PATH", std::env::join_paths(std::iter::once(own).chain(std::env::split_paths(&others)))?);
    }
    let (holds, text) = run_and_show(check)?;
    let wheel = text.lines().find_map(|line| line.strip_prefix("wheel: ")).unwrap_or("no wheel").to_owned();
    Ok(Point { name: "wheel from the source distribution, used in fresh environments", holds, detail: wheel })
}

/// `cargo check` for every platform. What cannot be checked here is said with its reason and does not fail the checklist.
fn check_targets() -> Result<Vec<Point>> {
    let mut points = Vec::new();
    for name in TARGETS {
        match check_target(name, name == OWN_TARGET)? {
            Checked::Done { holds, how } => {
                points.push(Point { name: "cargo check", holds, detail: format!("{name}: {how}") });
            }
            Checked::NotChecked(reason) => println!("!!!! NOT CHECKED: {name}: {reason}"),
        }
    }
    if points.is_empty() {
        bail!("not even this machine's own target is installed");
    }
    Ok(points)
}
