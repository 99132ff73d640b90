//! Shape errors found: programs with one seeded error each, before Pytrope, mypy, pyright and Pyrefly in one run.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Section;
use super::usage::{Usage, best_of, machine};
use crate::corpus::version_of;
use crate::process::{command, root, shipped_pytrope};
use crate::venv::Venv;

pub(super) const SECTION: Section =
    Section { name: "checkers", about: "Seeded shape errors found, beside type checkers", run };

/// A place that raises: file name and line.
type Place = (String, u32);

fn run() -> Result<String> {
    let folder = root().join("tests/bench/seeded");
    let numpy = Venv::ready("numpy")?;
    let linters = Venv::ready("linters")?;
    let seeded = seeded(&folder, &numpy)?;
    let python = numpy.python();
    let python = python.to_string_lossy();
    let binary = shipped_pytrope()?;
    let tools: [(String, Command); 4] = [
        ("pytrope check".into(), command(&binary, &["check", "--isolated", "--output-format", "concise"])),
        named(
            &linters,
            "mypy",
            &["--no-incremental", "--cache-dir", "/dev/null", "--no-error-summary", "--python-executable", &python],
        )?,
        named(&linters, "pyright", &["--pythonpath", &python])?,
        named(&linters, "pyrefly", &["check", "--output-format", "min-text", "--python-interpreter-path", &python])?,
    ];
    let mut text = format!(
        "{} programs of `tests/bench/seeded`, each run by NumPy first to see that it raises where it says. {}.\n\n\
         | | found at the line | other lines reported | CPU s | wall s |\n|---|---:|---:|---:|---:|\n",
        seeded.len(),
        machine()
    );
    for (name, mut tool) in tools {
        tool.arg(&folder).current_dir(root());
        let usage: Usage = best_of(2, &tool)?;
        let reported = reported(&usage.stdout);
        let found = reported.intersection(&seeded).count();
        text.push_str(&format!(
            "| `{name}` | {found} | {} | {:.2} | {:.2} |\n",
            reported.len() - found,
            usage.cpu,
            usage.wall
        ));
    }
    Ok(text)
}

fn named(venv: &Venv, program: &str, arguments: &[&str]) -> Result<(String, Command)> {
    let path = venv.program(program);
    Ok((version_of(&path)?, command(path, arguments)))
}

/// Where each program says that it raises, after NumPy agreed.
fn seeded(folder: &Path, numpy: &Venv) -> Result<BTreeSet<Place>> {
    let mut places = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let marked = text.lines().zip(1u32..).find_map(|(line, number)| {
            let (_, class) = line.split_once("# raises ")?;
            Some((number, class.trim().to_owned()))
        });
        let (line, class) = marked.with_context(|| format!("{} has no mark", path.display()))?;
        let mut python = command(numpy.python(), &[]);
        let run = python.arg(&path).output().context("the peers' Python")?;
        let stderr = String::from_utf8_lossy(&run.stderr);
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let innermost = stderr.rsplit(&format!("{file}\", line ")).next().unwrap_or("");
        let last = stderr.lines().last().unwrap_or("");
        let raised = last.split(':').next().unwrap_or("").rsplit('.').next() == Some(class.as_str());
        if !raised || !innermost.starts_with(&format!("{line}, ")) {
            bail!("{file} does not raise {class} in line {line}: {stderr}");
        }
        places.insert((file, line));
    }
    Ok(places)
}

/// The places in `path:line:` messages of errors; notes and summaries have no such start.
fn reported(output: &str) -> BTreeSet<Place> {
    let place = |line: &str| {
        let (before, rest) = line.split_once(".py:")?;
        let file = before.rsplit(['/', ' ']).next()?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some((format!("{file}.py"), number.parse().ok()?))
    };
    output.lines().filter(|line| !line.contains(": note:")).filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_all_four_are_read() {
        let output = "tests/bench/seeded/a.py:3:5: PT201 ValueError: x\n/work/b.py:7:1 - error: y\nERROR /w/c.py:9:2-4: z [bad]\nd.py:1: note: n\nFound 3 errors\n";
        let want = [("a.py", 3), ("b.py", 7), ("c.py", 9)].map(|(file, line)| (file.to_owned(), line));
        assert_eq!(reported(output), BTreeSet::from(want));
    }
}
