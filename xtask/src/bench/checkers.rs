//! Shape errors found: programs with one seeded error each, before Pytrope, type checkers and torchtyc in one run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::BenchSection;
use super::usage::{Usage, best_of, describe_build, describe_machine};
use crate::conformance::python_with;
use crate::corpus::version_of;
use crate::process::{command, command_output, repository_root, shipped_pytrope, target_path};
use crate::venv::Venv;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "checkers", about: "Seeded shape errors found, beside type checkers", run };

/// A place that raises: file name and line.
type SeededPlace = (String, u32);

/// A folder of programs with one seeded error each, and the Python that has their library.
struct Material {
    title: &'static str,
    folder: &'static str,
    python: PathBuf,
}

fn run() -> Result<String> {
    let numpy = Venv::ready("numpy")?;
    let linters = Venv::ready("linters")?;
    let mut text = format!(
        "Programs with one shape error each and without annotations, run first to see that they raise where they say. \
         Every checker runs with its defaults and with the library installed, Pyrefly without the shape stubs that it offers \
         as an experiment. jaxtyping (as its import hook with beartype) and \
         `torchtyc check` look at annotations, of which there are none here; `torchtyc run` executes \
         the program on tensors without data. {}.\n",
        describe_machine()
    );
    text.push_str(describe_build());
    let mut materials = vec![Material { title: "NumPy", folder: "tests/bench/seeded", python: numpy.python() }];
    match python_with("torch") {
        Ok(python) => materials.push(Material { title: "PyTorch", folder: "tests/bench/seeded_torch", python }),
        Err(error) => println!("!!!! MISSING PEER: the programs for PyTorch are left out: {error:#}"),
    }
    for material in materials {
        text.push_str(&checker_table(&material, &linters)?);
    }
    Ok(text)
}

/// One row for each tool.
fn checker_table(material: &Material, linters: &Venv) -> Result<String> {
    let folder = repository_root().join(material.folder);
    let seeded = seeded_places(&folder, &material.python)?;
    let python = material.python.to_string_lossy();
    let binary = shipped_pytrope()?;
    let mut tools: Vec<(String, Vec<Command>)> = Vec::new();
    let whole = |mut tool: Command| {
        tool.arg(&folder);
        vec![tool]
    };
    let check = command(&binary, &["check", "--isolated", "--output-format", "concise"]);
    tools.push(("pytrope check".to_owned(), whole(check)));
    let mypy = ["--no-incremental", "--cache-dir", "/dev/null", "--no-error-summary", "--python-executable", &python];
    for (name, arguments) in [
        ("mypy", &mypy[..]),
        ("pyright", &["--pythonpath", &python]),
        ("pyrefly", &["check", "--output-format", "min-text", "--python-interpreter-path", &python]),
        ("ty", &["check", "--output-format", "concise", "--python", &python]),
    ] {
        let (label, tool) = named(linters, name, arguments)?;
        tools.push((label, whole(tool)));
    }
    let (site_packages, version) = jaxtyping_of(linters)?;
    let each = std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    let jaxtyping = each.iter().map(|file| {
        let mut tool = command(&material.python, &["tests/bench/with_jaxtyping.py", &site_packages]);
        tool.arg(file);
        tool
    });
    tools.push((format!("jaxtyping {version} with beartype (executes)"), jaxtyping.collect()));
    if material.title == "PyTorch" {
        let version = command_output(command(linters.program("torchtyc"), &["version"]))?.trim().to_owned();
        let current = current_torch().unwrap_or_else(|| material.python.clone());
        let torchtyc = |arguments: &[&str]| {
            let mut tool = command(linters.program("torchtyc"), arguments);
            tool.args(["--format", "concise", "--python"]).arg(&current);
            tool
        };
        tools.push((format!("{version} check"), whole(torchtyc(&["check"]))));
        let runs = each.iter().map(|file| {
            let mut tool = torchtyc(&["run"]);
            tool.arg(file);
            tool
        });
        if current_torch().is_some() {
            tools.push((format!("{version} run (executes)"), runs.collect()));
        } else {
            println!("!!!! MISSING PEER: `torchtyc run` needs PyTorch 2, in the environment `torch-current`");
        }
    }
    let mut text = format!(
        "\n{}, {} programs:\n\n| | found at the line | other lines reported | CPU s | wall s |\n|---|---:|---:|---:|---:|\n",
        material.title,
        seeded.len()
    );
    for (name, commands) in tools {
        let (mut places, mut cpu, mut wall) = (BTreeSet::new(), 0.0, 0.0);
        for tool in &commands {
            let usage: Usage = best_of(2, tool)?;
            places.extend(reported_places(&usage.stdout));
            cpu += usage.cpu;
            wall += usage.wall;
        }
        let found = places.intersection(&seeded).count();
        text.push_str(&format!("| `{name}` | {found} | {} | {cpu:.2} | {wall:.2} |\n", places.len() - found));
    }
    Ok(text)
}

/// The folder that an environment's packages are in, and which jaxtyping is among them.
fn jaxtyping_of(venv: &Venv) -> Result<(String, String)> {
    let code =
        "import importlib.metadata as m, sysconfig; print(sysconfig.get_path('purelib'), m.version('jaxtyping'))";
    let printed = command_output(command(venv.python(), &["-c", code]))?;
    let (folder, version) = printed.trim().rsplit_once(' ').context("a folder and a version")?;
    Ok((folder.to_owned(), version.to_owned()))
}

/// A Python with the current PyTorch, if the environment of another step has it: Debian's is too old for torchtyc.
fn current_torch() -> Option<PathBuf> {
    let python = target_path("venvs/torch-current/bin/python");
    python.is_file().then_some(python)
}

fn named(venv: &Venv, program: &str, arguments: &[&str]) -> Result<(String, Command)> {
    let path = venv.program(program);
    Ok((version_of(&path)?, command(path, arguments)))
}

/// Where each program says that it raises, after its library agreed.
fn seeded_places(folder: &Path, python: &Path) -> Result<BTreeSet<SeededPlace>> {
    let mut places = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let marked = text.lines().zip(1u32..).find_map(|(line, number)| {
            let (_, class) = line.split_once("# raises ")?;
            Some((number, class.trim().to_owned()))
        });
        let (line, class) = marked.with_context(|| format!("{} has no mark", path.display()))?;
        let mut program = command(python, &[]);
        let run = program.arg(&path).output().context("the peers' Python")?;
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
fn reported_places(output: &str) -> BTreeSet<SeededPlace> {
    let place = |line: &str| {
        let (before, rest) = line.split_once(".py:")?;
        let file = before.rsplit(['/', ' ']).next()?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some((format!("{file}.py"), number.parse().ok()?))
    };
    // Summaries of torchtyc name the place a second time, after words.
    let is_message = |line: &&str| !line.contains(": note:") && !line.starts_with("run ");
    output.lines().filter(is_message).filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_all_four_are_read() {
        let output = "tests/bench/seeded/a.py:3:5: PT201 ValueError: x\n/work/b.py:7:1 - error: y\nERROR /w/c.py:9:2-4: z [bad]\nd.py:1: note: n\nFound 3 errors\n";
        let want = [("a.py", 3), ("b.py", 7), ("c.py", 9)].map(|(file, line)| (file.to_owned(), line));
        assert_eq!(reported_places(output), BTreeSet::from(want));
    }
}
