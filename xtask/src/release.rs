//! `cargo xtask release --dry-run`: the checklist of docs/internals/releasing.md, each point built and tried.
//!
//! Nothing is uploaded. Without `--dry-run` the tree must have no uncommitted changes; `--profile NAME` builds the wheel
//! in another profile than `dist`, and `--no-zig` links against the C library of this machine. `--no-tests` leaves out the tests in
//! a fresh clone, the longest point; `--only wheel,site,targets,image,tests` goes through the named points. What is left out or cannot be done
//! here is listed with its reason and counted apart.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::cross::{TargetCheck, check_target};
use crate::image::{Image, build_image};
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
    verdict: StepVerdict,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepVerdict {
    Holds,
    Fails,
    /// Left out, or not possible on this machine.
    NotChecked,
}

impl Point {
    fn of(name: &'static str, holds: bool, detail: impl Into<String>) -> Self {
        Self { name, verdict: if holds { StepVerdict::Holds } else { StepVerdict::Fails }, detail: detail.into() }
    }

    fn not_checked(name: &'static str, reason: impl Into<String>) -> Self {
        Self { name, verdict: StepVerdict::NotChecked, detail: reason.into() }
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let mut points = vec![check_versions()?];
    if !has("--dry-run") {
        let changes = command_output(command("git", &["status", "--porcelain"]))?;
        points.push(Point::of("no uncommitted changes", changes.trim().is_empty(), changes));
    }
    let only: Option<Vec<&str>> = option_value(arguments, "--only").map(|names| names.split(',').collect());
    let is_wanted = |name: &str| only.as_ref().is_none_or(|names| names.contains(&name));
    let venv = Venv::ready("wheel")?;
    let folder = target_path("release-check");
    if is_wanted("wheel") {
        write_data()?;
        let profile = option_value(arguments, "--profile").unwrap_or("dist");
        let (point, wheel) = build_and_use_wheel(&venv, &Venv::ready("docs")?, &folder, profile, !has("--no-zig"))?;
        points.push(point);
        points.push(match &wheel {
            Some(wheel) => use_fresh_machine(wheel, &folder.join("machine"))?,
            None => Point::not_checked("tutorial and how-to pages on a fresh machine", "there is no wheel"),
        });
    }
    if is_wanted("site") {
        let built = docs::build_site(&Venv::ready("docs")?)?.failed == 0;
        points.push(Point::of("documentation site", built, ""));
    }
    if is_wanted("targets") {
        points.extend(check_targets(&venv)?);
    }
    if is_wanted("image") {
        points.push(match build_image()? {
            Image::Built { holds, engine } => Point::of("container image", holds, format!("built by {engine}")),
            Image::NotBuilt(reason) => Point::not_checked("container image", reason),
        });
    }
    if has("--no-tests") {
        points.push(Point::not_checked("all tests in a fresh clone", "left out by --no-tests"));
    } else if is_wanted("tests") {
        points.push(test_fresh_clone(&folder.join("clone"))?);
    }
    if let Some(only) = &only {
        points.push(Point::not_checked("other points", format!("left out by --only {}", only.join(","))));
    }
    println!();
    for Point { name, verdict, detail } in &points {
        let word = match verdict {
            StepVerdict::Holds => "ok",
            StepVerdict::Fails => "FAILED",
            StepVerdict::NotChecked => "NOT CHECKED",
        };
        println!("{word:<12}{name}{}{detail}", if detail.is_empty() { "" } else { ": " });
    }
    let count = |wanted: StepVerdict| points.iter().filter(|point| point.verdict == wanted).count();
    let (passed, failed, open) = (count(StepVerdict::Holds), count(StepVerdict::Fails), count(StepVerdict::NotChecked));
    println!("nothing was uploaded");
    println!("{passed} passed, {failed} failed, {open} skipped");
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
    Ok(Point::of("version and changelog", holds, version))
}

/// The source distribution, a wheel built from it, and both used in fresh environments.
fn build_and_use_wheel(
    venv: &Venv,
    docs_venv: &Venv,
    folder: &Path,
    profile: &str,
    zig: bool,
) -> Result<(Point, Option<PathBuf>)> {
    let mut check = command(venv.python(), &["tests/wheel/check.py", "--from-sdist"]);
    check.arg("--maturin").arg(venv.program("maturin")).arg("--folder").arg(folder);
    check.arg("--docs-python").arg(docs_venv.python());
    check.args(["--profile", profile]);
    if zig {
        check.arg("--zig").env("PATH", venv.search_path()?);
    }
    let (holds, text) = run_and_show(check)?;
    let wheel = text.lines().find_map(|line| line.strip_prefix("wheel: "));
    let point =
        Point::of("wheel from the source distribution, used in fresh environments", holds, wheel.unwrap_or("no wheel"));
    Ok((point, wheel.map(|name| folder.join(name))))
}

/// What the tutorial and the how-to pages say, done on a system that has nothing but Debian, Python and the wheel.
fn use_fresh_machine(wheel: &Path, folder: &Path) -> Result<Point> {
    const NAME: &str = "tutorial and how-to pages on a fresh machine";
    const CANNOT_BE_MADE: i32 = 3;
    let mut script = command("python3", &["tests/wheel/fresh_machine.py", "--wheel"]);
    script.arg(wheel).arg("--folder").arg(folder);
    let output = script.output().context("python3")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap_or_default();
    Ok(match output.status.code() {
        Some(CANNOT_BE_MADE) => Point::not_checked(NAME, last),
        code => Point::of(NAME, code == Some(0), last),
    })
}

/// `cargo check` for every platform. What cannot be checked here is said with its reason and does not fail the checklist.
fn check_targets(zig: &Venv) -> Result<Vec<Point>> {
    const NAME: &str = "cargo check";
    let mut points = Vec::new();
    for name in TARGETS {
        points.push(match check_target(name, name == OWN_TARGET, zig)? {
            TargetCheck::Done { holds, how } => Point::of(NAME, holds, format!("{name}: {how}")),
            TargetCheck::NotChecked(reason) => Point::not_checked(NAME, format!("{name}: {reason}")),
        });
    }
    if points.iter().all(|point| point.verdict == StepVerdict::NotChecked) {
        bail!("not even this machine's own target is installed");
    }
    Ok(points)
}

/// All tests, with every peer required, in a clone of the last commit: cold build, new environments.
fn test_fresh_clone(folder: &Path) -> Result<Point> {
    let mut clone = command("git", &["clone", "--quiet", "--no-local", "."]);
    clone.arg(folder).current_dir(repository_root());
    run_command(clone)?;
    let commit = command_output(command("git", &["rev-parse", "--short", "HEAD"]))?;
    let mut test = command("cargo", &["xtask", "test"]);
    test.current_dir(folder).env("PYTROPE_REQUIRE_PEERS", "1").env("CARGO_INCREMENTAL", "0");
    test.env_remove("CARGO_TARGET_DIR");
    let (holds, text) = run_and_show(test)?;
    let last = text.lines().last().unwrap_or_default();
    let point = Point::of("all tests in a fresh clone", holds, format!("commit {}: {last}", commit.trim()));
    if holds {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(point)
}
