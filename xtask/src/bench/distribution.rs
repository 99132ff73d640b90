//! Rewriting: a script of a thousand lines, and a project of two hundred files.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::BenchSection;
use super::usage::{describe_machine, measure};
use crate::process::{command, repository_root, shipped_pytrope, target_path};

const RUNS: usize = 20;

pub(super) const SECTION: BenchSection = BenchSection { name: "distribution", about: "Distributing scripts", run };

fn run() -> Result<String> {
    let script = std::fs::read_to_string(repository_root().join("tests/distribute/scripts/tape/dcgan.py"))?;
    let folder = target_path("bench/distribution");
    std::fs::create_dir_all(&folder)?;
    let mark = "BUFFER_SIZE = 256";
    let long = script.replace(mark, &format!("{}\n{mark}", functions(116)));
    let lines = long.lines().count();
    std::fs::write(folder.join("long.py"), long)?;
    let project = folder.join("project");
    std::fs::create_dir_all(&project)?;
    for i in 0..199 {
        let next = if i < 198 { format!("import part_{}\n", i + 1) } else { String::new() };
        std::fs::write(project.join(format!("part_{i}.py")), format!("import numpy as np\n{next}\n{}", functions(20)))?;
    }
    let entry = script.replace("import numpy as np\n", "import numpy as np\nimport part_0\n");
    std::fs::write(project.join("main.py"), entry)?;
    let mut text = format!("{RUNS} runs each. {}.\n\n", describe_machine());
    text.push_str("| `pytrope distribute` of | median wall ms | best wall ms | median CPU ms | target |\n|---|---:|---:|---:|---:|\n");
    text.push_str(&row(&format!("a script of {lines} lines"), &folder.join("long.py"), "20")?);
    text.push_str(&row("a project of 200 files", &project.join("main.py"), "1000")?);
    Ok(text)
}

/// Functions of eight lines that train nothing.
fn functions(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        let _ = write!(
            text,
            "\ndef helper_{i}(a, b={i}):\n    total = a + b\n    for k in range({i}):\n        total += k * b\n    \
             values = [total, a, b]\n    values.append({i})\n    return values\n"
        );
    }
    text
}

fn row(name: &str, file: &Path, goal: &str) -> Result<String> {
    let binary = shipped_pytrope()?;
    let mut distribute = command(&binary, &["distribute", "--diff", "--quiet"]);
    distribute.arg(file);
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let usage = measure(&distribute)?;
        wall.push(usage.wall * 1000.0);
        cpu.push(usage.cpu * 1000.0);
    }
    wall.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    Ok(format!("| {name} | {:.1} | {:.1} | {:.1} | {goal} |\n", wall[RUNS / 2], wall[0], cpu[RUNS / 2]))
}
