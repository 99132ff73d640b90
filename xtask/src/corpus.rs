//! `cargo xtask corpus`: the sources of released libraries give no panic and no finding that is not written up.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde_json::Value;

use crate::process::{command, output, pytrope, root};
use crate::{bench, corpus_tree, option};

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let tree = match option(arguments, "--tree") {
        Some(tree) => tree.into(),
        None => corpus_tree::ready()?,
    };
    let parsed = parse_and_round_trip(&tree)?;
    let silent = check(&tree)?;
    Ok(parsed && silent)
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

/// Findings that docs/corpus.md writes up as true defects, one `path: CODE` per line there.
fn written_up() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/corpus.md")).unwrap_or_default();
    let entries = text.lines().filter_map(|line| line.strip_prefix("- `")?.split_once('`'));
    entries.map(|(entry, _)| entry.to_owned()).collect()
}

fn check(tree: &Path) -> Result<bool> {
    let binary = pytrope()?;
    let arguments = ["check", "--isolated", "--exit-zero", "--output-format", "json", "."];
    let mut check = command(&binary, &arguments);
    check.current_dir(tree);
    let usage = bench::usage::measure(&check)?;
    let report: Value = serde_json::from_str(&usage.stdout)?;
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
    println!(
        "check: exit {}, {:.1} s, {:.1} CPU s, {:.0} MiB, {open} findings not written up",
        usage.code, usage.wall, usage.cpu, usage.peak_mib
    );
    Ok(open == 0 && usage.code == 0)
}

/// The version that a tool prints of itself.
pub(crate) fn version_of(program: &Path) -> Result<String> {
    Ok(output(command(program, &["--version"]))?.trim().to_owned())
}
