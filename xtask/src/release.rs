//! `cargo xtask release --dry-run`: the checklist of docs/internals/releasing.md, each point built and tried.
//!
//! Nothing is uploaded. Without `--dry-run` the tree must have no uncommitted changes; `--profile NAME` builds the wheel
//! in another profile than `dist`, and `--no-zig` links against the C library of this machine. `--no-tests` leaves out the tests in
//! a fresh clone, the longest point; `--only wheel,site,targets,image,tests` goes through the named points; `--resume` takes over the points
//! that held in an earlier run on the same commit. What is left out or cannot be done here is listed with its reason and counted apart.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::cross::{TargetCheck, check_target};
use crate::image::{Image, build_image};
use crate::process::{
    command, command_output, pytrope_binary, repository_root, run as run_command, run_and_show, target_path,
};
use crate::record::Record;
use crate::venv::Venv;
use crate::{docs, only_names, option_value};

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

/// Where everything is built and tried, under the build folder.
const FOLDER: &str = "release-check";

/// One point of the checklist, gone through.
struct Point {
    name: String,
    verdict: StepVerdict,
    /// What to say about it: what was built, or why it was not checked.
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StepVerdict {
    Holds,
    Fails,
    /// Left out, or not possible on this machine.
    NotChecked,
}

impl StepVerdict {
    fn where_holds(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// The points so far, and those that held in an earlier run.
struct Checklist {
    points: Vec<Point>,
    record: Record,
}

impl Checklist {
    /// Goes through a point, unless it held in the run that is resumed. An error in it is a point that fails: the others are gone through all the same.
    fn check(&mut self, name: &str, check: impl FnOnce() -> Result<(StepVerdict, String)>) -> Result<()> {
        if let Some(detail) = self.record.recall_result(name)? {
            let detail = format!("held in an earlier run; {detail}");
            self.add_point(name, StepVerdict::Holds, detail.trim_end_matches("; "));
            return Ok(());
        }
        println!("\n==== {name}");
        let (verdict, detail) = check().unwrap_or_else(|error| (StepVerdict::Fails, format!("{error:#}")));
        if verdict == StepVerdict::Holds {
            self.record.add_result(name, &detail)?;
        }
        self.add_point(name, verdict, &detail);
        Ok(())
    }

    fn add_point(&mut self, name: &str, verdict: StepVerdict, detail: &str) {
        self.points.push(Point { name: name.to_owned(), verdict, detail: detail.to_owned() });
    }

    /// Lists all points; whether none fails.
    fn print_summary(&self) -> bool {
        println!();
        for Point { name, verdict, detail } in &self.points {
            let word = match verdict {
                StepVerdict::Holds => "ok",
                StepVerdict::Fails => "FAILED",
                StepVerdict::NotChecked => "NOT CHECKED",
            };
            println!("{word:<12}{name}{}{detail}", if detail.is_empty() { "" } else { ": " });
        }
        let count = |wanted: StepVerdict| self.points.iter().filter(|point| point.verdict == wanted).count();
        let (passed, failed, open) =
            (count(StepVerdict::Holds), count(StepVerdict::Fails), count(StepVerdict::NotChecked));
        println!("nothing was uploaded");
        println!("{passed} passed, {failed} failed, {open} skipped");
        failed == 0
    }
}

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let only = only_names(arguments);
    let is_wanted = |name: &str| only.as_ref().is_none_or(|names| names.contains(&name));
    let profile = option_value(arguments, "--profile").unwrap_or("dist");
    let (zig, resume) = (!has("--no-zig"), has("--resume"));
    let folder = target_path(FOLDER);
    let record = Record::open(folder.join("held.tsv"), &format!("{profile} zig={zig}"), resume)?;
    let mut list = Checklist { points: Vec::new(), record };
    list.check("version and changelog", check_versions)?;
    if !has("--dry-run") {
        list.check("no uncommitted changes", check_changes)?;
    }
    let venv = Venv::ready("wheel")?;
    if is_wanted("wheel") {
        let built = folder.join("wheel");
        list.check("wheel from the source distribution, used in fresh environments", || {
            write_data()?;
            build_and_use_wheel(&venv, &Venv::ready("docs")?, &built, profile, zig)
        })?;
        list.check("tutorial and how-to pages on a fresh machine", || match find_wheel(&built) {
            Some(wheel) => use_fresh_machine(&wheel, &folder.join("machine")),
            None => Ok((StepVerdict::NotChecked, "there is no wheel".to_owned())),
        })?;
    }
    if is_wanted("site") {
        list.check("documentation site", || {
            let built = docs::build_site(&Venv::ready("docs")?)?.failed == 0;
            Ok((StepVerdict::where_holds(built), target_path("site").display().to_string()))
        })?;
    }
    if is_wanted("targets") {
        for name in TARGETS {
            list.check(&format!("cargo check for {name}"), || check_platform(name, &venv))?;
        }
    }
    if is_wanted("image") {
        list.check("container image", || {
            Ok(match build_image()? {
                Image::Built { holds, engine } => (StepVerdict::where_holds(holds), format!("built by {engine}")),
                Image::NotBuilt(reason) => (StepVerdict::NotChecked, reason),
            })
        })?;
    }
    let tests = "all tests in a fresh clone";
    if has("--no-tests") {
        list.add_point(tests, StepVerdict::NotChecked, "left out by --no-tests");
    } else if is_wanted("tests") {
        list.check(tests, || test_fresh_clone(&folder.join("clone"), resume))?;
    }
    if let Some(only) = &only {
        list.add_point("other points", StepVerdict::NotChecked, &format!("left out by --only {}", only.join(",")));
    }
    Ok(list.print_summary())
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
fn check_versions() -> Result<(StepVerdict, String)> {
    let manifest = std::fs::read_to_string(repository_root().join("Cargo.toml"))?;
    let version = manifest.split("version = \"").nth(1).and_then(|rest| rest.split('"').next());
    let version = version.context("Cargo.toml has a version")?;
    let package = std::fs::read_to_string(repository_root().join("python/pytrope/__init__.py"))?;
    let changelog = std::fs::read_to_string(repository_root().join("CHANGELOG.md"))?;
    let holds =
        package.contains(&format!("__version__ = \"{version}\"")) && changelog.contains(&format!("## {version}"));
    Ok((StepVerdict::where_holds(holds), version.to_owned()))
}

fn check_changes() -> Result<(StepVerdict, String)> {
    let changes = command_output(command("git", &["status", "--porcelain"]))?;
    Ok((StepVerdict::where_holds(changes.trim().is_empty()), changes))
}

/// The source distribution, a wheel built from it, and both used in fresh environments.
fn build_and_use_wheel(
    venv: &Venv,
    docs_venv: &Venv,
    folder: &Path,
    profile: &str,
    zig: bool,
) -> Result<(StepVerdict, String)> {
    let mut check = command(venv.python(), &["tests/wheel/check.py", "--from-sdist"]);
    check.arg("--maturin").arg(venv.program("maturin")).arg("--folder").arg(folder);
    check.arg("--docs-python").arg(docs_venv.python());
    check.args(["--profile", profile]);
    if zig {
        check.arg("--zig").env("PATH", venv.search_path()?);
    }
    let (holds, text) = run_and_show(check)?;
    let wheel = find_wheel(folder).map_or_else(|| "no wheel".to_owned(), |path| path.display().to_string());
    Ok((StepVerdict::where_holds(holds), format!("{wheel}, {}", last_line(&text))))
}

/// The wheel that was built in a folder.
fn find_wheel(folder: &Path) -> Option<PathBuf> {
    let mut paths = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    paths.find(|path| path.extension().is_some_and(|extension| extension == "whl"))
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// What the tutorial and the how-to pages say, done on a system that has nothing but Debian, Python and the wheel.
fn use_fresh_machine(wheel: &Path, folder: &Path) -> Result<(StepVerdict, String)> {
    const CANNOT_BE_MADE: i32 = 3;
    let mut script = command("python3", &["tests/wheel/fresh_machine.py", "--wheel"]);
    script.arg(wheel).arg("--folder").arg(folder);
    let output = script.output().context("python3")?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let verdict = match output.status.code() {
        Some(CANNOT_BE_MADE) => StepVerdict::NotChecked,
        code => StepVerdict::where_holds(code == Some(0)),
    };
    Ok((verdict, last_line(&text).to_owned()))
}

/// `cargo check` for one platform. What cannot be checked here is said with its reason and does not fail the checklist.
fn check_platform(name: &str, zig: &Venv) -> Result<(StepVerdict, String)> {
    Ok(match check_target(name, name == OWN_TARGET, zig)? {
        TargetCheck::Done { holds, how } => (StepVerdict::where_holds(holds), how),
        TargetCheck::NotChecked(reason) => (StepVerdict::NotChecked, reason),
    })
}

/// All tests, with every peer required, in a clone of the last commit: cold build, new environments. With `resume` the clone of an
/// interrupted run is used again if it is of the same commit.
fn test_fresh_clone(folder: &Path, resume: bool) -> Result<(StepVerdict, String)> {
    let commit = command_output(command("git", &["rev-parse", "HEAD"]))?;
    let is_same = || {
        let mut head = command("git", &["rev-parse", "HEAD"]);
        head.current_dir(folder);
        command_output(head).is_ok_and(|cloned| cloned == commit)
    };
    if !(resume && folder.join(".git").exists() && is_same()) {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        let mut clone = command("git", &["clone", "--quiet", "--no-local", "."]);
        clone.arg(folder);
        run_command(clone)?;
    }
    let mut test = command("cargo", &["xtask", "test", "--resume"]);
    test.current_dir(folder).env("PYTROPE_REQUIRE_PEERS", "1").env("CARGO_INCREMENTAL", "0");
    test.env_remove("CARGO_TARGET_DIR");
    let (holds, text) = run_and_show(test)?;
    if holds {
        std::fs::remove_dir_all(folder)?;
    }
    Ok((StepVerdict::where_holds(holds), format!("commit {}: {}", &commit[..8], last_line(&text))))
}
