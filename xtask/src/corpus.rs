//! `cargo xtask corpus`: the sources of released libraries and of CPython's own Lib give no panic and no finding
//! that is not written up, within the limits of time and memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::bench::usage::{self, Usage};
use crate::process::{command, output, pytrope, root};
use crate::{corpus_tree, only};

/// No file may take longer, in seconds.
const SLOWEST_FILE: f64 = 5.0;
/// All of it may take so long on two cores, in seconds.
const LONGEST: f64 = 60.0;
/// And so much memory, in MiB.
const LARGEST: f64 = 4096.0;

/// `--only numpy,lib` checks some packages; `lib` is CPython's.
pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let tree = corpus_tree::ready()?;
    let parsed = parse_and_round_trip(&tree)?;
    let chosen = only(arguments);
    let wanted = |name: &str| chosen.as_ref().is_none_or(|chosen| chosen.contains(&name));
    let mut packages: Vec<String> =
        corpus_tree::PACKAGES.into_iter().filter(|name| wanted(name)).map(str::to_owned).collect();
    let mut ok = parsed;
    let mut total = Total::default();
    if !packages.is_empty() {
        ok &= check(&tree, &packages, &mut total)?;
    }
    if wanted("lib") {
        let lib = standard_library()?;
        packages = vec!["--exclude".into(), "site-packages".into(), "--exclude".into(), "lib2to3".into(), ".".into()];
        ok &= check(&lib, &packages, &mut total)?;
    }
    println!(
        "in all: {:.1} s (limit {LONGEST}), {:.1} CPU s, {:.0} MiB (limit {LARGEST}), {} findings not written up",
        total.wall, total.cpu, total.peak_mib, total.open
    );
    Ok(ok && total.wall <= LONGEST && total.peak_mib <= LARGEST)
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
    let mut parse = command(pytrope()?, &["parse", "--round-trip"]);
    parse.arg(tree);
    let text = String::from_utf8_lossy(&parse.output()?.stdout).into_owned();
    let report: Value = serde_json::from_str(&text)?;
    println!("{}", text.trim_end());
    let empty = |key: &str| report[key].as_array().is_some_and(Vec::is_empty);
    Ok(empty("panicked") && empty("not_identical") && report["files"].as_u64() > Some(0))
}

/// The folder of the running CPython's own modules.
fn standard_library() -> Result<PathBuf> {
    let script = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    Ok(PathBuf::from(output(command("python3", &["-c", script]))?.trim()))
}

/// Findings that docs/corpus.md writes up as true defects, one `` - `path: CODE` `` per line there.
fn written_up() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/corpus.md")).unwrap_or_default();
    let entries = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    entries.map(|(entry, _)| entry.to_owned()).collect()
}

fn check(folder: &Path, targets: &[String], total: &mut Total) -> Result<bool> {
    let arguments = ["check", "--isolated", "--exit-zero", "--verbose", "--output-format", "json"];
    let mut check = command(pytrope()?, &arguments);
    check.args(targets).current_dir(folder);
    println!("---- check {} {}", folder.display(), targets.join(" "));
    let usage = usage::measure(&check)?;
    let report: Value = serde_json::from_str(&usage.stdout).context("the report of check")?;
    let known = written_up();
    let mut by_rule: BTreeMap<String, u64> = BTreeMap::new();
    let mut open = 0;
    for finding in report["diagnostics"].as_array().into_iter().flatten() {
        let word = |key: &str| finding[key].as_str().unwrap_or_default();
        if word("severity") == "note" {
            continue;
        }
        *by_rule.entry(format!("{} {}", word("code"), word("rule"))).or_default() += 1;
        if !known.contains(&format!("{}: {}", word("path"), word("code"))) {
            open += 1;
            println!("{}:{}: {} {}", word("path"), finding["line"], word("code"), word("message"));
        }
    }
    for (rule, count) in &by_rule {
        println!("{count:>6}  {rule}");
    }
    for line in usage.stderr.lines().filter(|line| line.starts_with("error") || line.starts_with("model")).take(20) {
        println!("{line}");
    }
    let slowest = slowest(&usage);
    println!(
        "exit {}, {:.1} s, {:.1} CPU s, {:.0} MiB, slowest file {slowest:.2} s (limit {SLOWEST_FILE}), {open} findings not written up",
        usage.code, usage.wall, usage.cpu, usage.peak_mib
    );
    total.wall += usage.wall;
    total.cpu += usage.cpu;
    total.peak_mib = total.peak_mib.max(usage.peak_mib);
    total.open += open;
    Ok(open == 0 && usage.code == 0 && slowest <= SLOWEST_FILE)
}

/// The longest time of a file that `--verbose` names.
fn slowest(usage: &Usage) -> f64 {
    let times = usage.stderr.lines().filter_map(|line| line.split_once(" s  ")?.0.trim().parse().ok());
    times.fold(0.0, f64::max)
}

/// The version that a tool prints of itself.
pub(crate) fn version_of(program: &Path) -> Result<String> {
    Ok(output(command(program, &["--version"]))?.trim().to_owned())
}
