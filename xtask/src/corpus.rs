//! `cargo xtask corpus`: the sources of released libraries and of CPython's own Lib give no panic and no finding
//! that is not written up, within the limits of time and memory.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::bench::usage::{self, Usage};
use crate::process::{command, command_output, pytrope_binary, repository_root, run_and_show};
use crate::venv::Venv;
use crate::{corpus_tree, only_names};

/// No file may take longer, in seconds.
const SLOWEST_FILE: f64 = 5.0;
/// All of it may take so long on two cores, in seconds.
const LONGEST: f64 = 60.0;
/// And so much memory, in MiB.
const LARGEST: f64 = 4096.0;

/// `--only numpy,lib` checks some packages (`lib` is CPython's), `--more` those nothing was tuned on, `--reproduce` runs
/// what is written up in the released libraries themselves (with `--more` in those).
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|argument| argument == "--reproduce") {
        return reproduce_findings(arguments);
    }
    let chosen = only_names(arguments);
    let wanted = |name: &str| chosen.as_ref().is_none_or(|chosen| chosen.contains(&name));
    if arguments.iter().any(|argument| argument == "--more") {
        return check_further_packages(wanted);
    }
    let tree = corpus_tree::ready_tree()?;
    let parsed = parse_and_round_trip(&tree)?;
    let packages: Vec<String> =
        corpus_tree::PACKAGES.into_iter().filter(|name| wanted(name)).map(str::to_owned).collect();
    let mut ok = parsed;
    let mut total = Total::default();
    // Each by itself, as its authors would check it: what one package does to names, attributes and frames concerns no other.
    for package in packages {
        let targets = [package];
        ok &= check(&tree, &targets, &WrittenUp::read("packages.txt", &targets)?, &mut total)?;
    }
    if wanted("lib") {
        let (lib, version) = standard_library()?;
        let targets = ["--exclude", "site-packages", "--exclude", "lib2to3", "."].map(str::to_owned);
        let mut written_up = WrittenUp::read("lib.txt", &[])?;
        // Other versions have other lines.
        written_up.is_exact = written_up.about.contains(&version);
        ok &= check(&lib, &targets, &written_up, &mut total)?;
    }
    println!(
        "in all: {:.1} s (limit {LONGEST}), {:.1} CPU s, {:.0} MiB (limit {LARGEST}), {} findings not written up",
        total.wall, total.cpu, total.peak_mib, total.open
    );
    Ok(ok && total.wall <= LONGEST && total.peak_mib <= LARGEST)
}

/// Every package that nothing was tuned on, one by one; no limit of time for all of them.
fn check_further_packages(wanted: impl Fn(&str) -> bool) -> Result<bool> {
    let tree = corpus_tree::ready_from("corpus-more")?;
    let mut packages: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&tree)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Beside packages and modules, wheels hold folders such as `NAME-VERSION.dist-info`.
        let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned());
        let holds_code = if path.is_dir() { extension.is_none() } else { extension.as_deref() == Some("py") };
        if holds_code && wanted(&name) {
            packages.push(name);
        }
    }
    packages.sort();
    let mut ok = true;
    let mut total = Total::default();
    for package in packages {
        let targets = [package];
        ok &= check(&tree, &targets, &WrittenUp::read("more.txt", &targets)?, &mut total)?;
    }
    println!("in all: {:.1} CPU s, {} findings not written up", total.cpu, total.open);
    Ok(ok)
}

/// Runs the programs of `tests/corpus` in an environment with the released libraries.
fn reproduce_findings(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|argument| argument == "--more") {
        let tree = corpus_tree::ready_from("corpus-more")?;
        let venv = Venv::ready("more")?;
        let mut reproduce = command(venv.python(), &[]);
        reproduce
            .arg(repository_root().join("tests/corpus/reproduce.py"))
            .arg(repository_root().join("tests/corpus/more.txt"));
        reproduce.arg("--apart").arg("--tree").arg(tree);
        if let Some(only) = crate::option_value(arguments, "--only") {
            reproduce.args(["--only", only]);
        }
        return Ok(run_and_show(reproduce)?.0);
    }
    let venv = Venv::ready("defects")?;
    let script = repository_root().join("tests/corpus/reproduce.py");
    let mut ok = true;
    for list in ["packages.txt", "lib.txt"] {
        let mut reproduce = command(venv.python(), &[]);
        reproduce.arg(&script).arg(repository_root().join("tests/corpus").join(list));
        if let Some(only) = crate::option_value(arguments, "--only") {
            reproduce.args(["--only", only]);
        }
        let (passed, _) = run_and_show(reproduce)?;
        ok &= passed;
    }
    Ok(ok)
}

/// The findings that docs/true-defects.md writes up, as `concise` prints them.
struct WrittenUp {
    /// The comment at the list's top.
    about: String,
    findings: BTreeSet<String>,
    /// Whether a finding of the list must be there.
    is_exact: bool,
}

impl WrittenUp {
    /// The part of a list in `tests/corpus` that is about some packages; all of it without.
    fn read(list: &str, packages: &[String]) -> Result<Self> {
        let path = repository_root().join("tests/corpus").join(list);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let about = text.lines().take_while(|line| line.starts_with('#')).collect();
        let wanted = |line: &&str| {
            let path = line.split(':').next().unwrap_or_default();
            let package = path.split('/').next().unwrap_or_default();
            !line.starts_with('#') && (packages.is_empty() || packages.iter().any(|name| name == package))
        };
        let findings = text.lines().filter(|line| !line.is_empty()).filter(wanted).map(str::to_owned).collect();
        Ok(Self { about, findings, is_exact: true })
    }
}

#[derive(Default)]
struct Total {
    wall: f64,
    cpu: f64,
    peak_mib: f64,
    open: usize,
}

/// Parses, lowers and walks every file and writes it back in memory.
pub(crate) fn parse_and_round_trip(tree: &Path) -> Result<bool> {
    let mut parse = command(pytrope_binary()?, &["parse", "--round-trip"]);
    parse.arg(tree);
    let text = String::from_utf8_lossy(&parse.output()?.stdout).into_owned();
    let report: Value = serde_json::from_str(&text)?;
    println!("{}", text.trim_end());
    let empty = |key: &str| report[key].as_array().is_some_and(Vec::is_empty);
    Ok(empty("panicked") && empty("not_identical") && report["files"].as_u64() > Some(0))
}

/// The folder of the running CPython's own modules, and its version.
fn standard_library() -> Result<(PathBuf, String)> {
    let script = "import platform, sysconfig; print(sysconfig.get_path('stdlib'), platform.python_version())";
    let text = command_output(command("python3", &["-c", script]))?;
    let (path, version) = text.trim().rsplit_once(' ').context("the answer of python3")?;
    Ok((PathBuf::from(path), version.to_owned()))
}

fn check(folder: &Path, targets: &[String], written_up: &WrittenUp, total: &mut Total) -> Result<bool> {
    let arguments = ["check", "--isolated", "--exit-zero", "--verbose", "--output-format", "json"];
    let mut check = command(pytrope_binary()?, &arguments);
    check.args(targets).current_dir(folder);
    println!("---- check {} {}", folder.display(), targets.join(" "));
    let usage = usage::measure(&check)?;
    let report: Value = serde_json::from_str(&usage.stdout).context("the report of check")?;
    let mut by_rule: BTreeMap<String, u64> = BTreeMap::new();
    let mut open = 0;
    let mut found: BTreeSet<String> = BTreeSet::new();
    for finding in report["diagnostics"].as_array().into_iter().flatten() {
        let word = |key: &str| finding[key].as_str().unwrap_or_default();
        if word("severity") == "note" {
            continue;
        }
        *by_rule.entry(format!("{} {}", word("code"), word("rule"))).or_default() += 1;
        let place = format!("{}:{}:{}", word("path"), finding["line"], finding["column"]);
        let shown = format!("{place}: {} {}: {}", word("code"), word("raises"), word("message"));
        if !written_up.findings.contains(&shown) {
            open += 1;
            println!("{shown}");
        }
        found.insert(shown);
    }
    let stale: Vec<&String> = written_up.findings.difference(&found).filter(|_| written_up.is_exact).collect();
    for entry in &stale {
        println!("written up, but not found: {entry}");
    }
    for (rule, count) in &by_rule {
        println!("{count:>6}  {rule}");
    }
    for line in usage.stderr.lines().filter(|line| line.starts_with("error") || line.starts_with("model")).take(20) {
        println!("{line}");
    }
    let slowest = slowest_file(&usage);
    println!(
        "exit {}, {:.1} s, {:.1} CPU s, {:.0} MiB, slowest file {slowest:.2} s (limit {SLOWEST_FILE}), {open} findings not written up",
        usage.code, usage.wall, usage.cpu, usage.peak_mib
    );
    total.wall += usage.wall;
    total.cpu += usage.cpu;
    total.peak_mib = total.peak_mib.max(usage.peak_mib);
    total.open += open;
    Ok(open == 0 && stale.is_empty() && usage.code == 0 && slowest <= SLOWEST_FILE)
}

/// The longest time of a file that `--verbose` names.
fn slowest_file(usage: &Usage) -> f64 {
    let times = usage.stderr.lines().filter_map(|line| line.split_once(" s  ")?.0.trim().parse().ok());
    times.fold(0.0, f64::max)
}

/// The version that a tool prints of itself.
pub(crate) fn version_of(program: &Path) -> Result<String> {
    Ok(command_output(command(program, &["--version"]))?.trim().to_owned())
}
