//! Start-up: the time from a shell to the answer about an empty file.

use anyhow::Result;

use super::Section;
use super::usage::{machine, measure};
use crate::process::{command, pytrope, target};

const RUNS: usize = 40;

pub(super) const SECTION: Section = Section { name: "startup", about: "Start-up on an empty file", run };

fn run() -> Result<String> {
    let file = target("bench/empty.py");
    std::fs::create_dir_all(target("bench"))?;
    std::fs::write(&file, "")?;
    let binary = pytrope()?;
    let mut check = command(&binary, &["check", "--isolated", "--quiet"]);
    check.arg(&file);
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(measure(&check)?.wall * 1000.0);
    }
    times.sort_by(f64::total_cmp);
    Ok(format!(
        "`pytrope check empty.py`, {RUNS} runs: median {:.1} ms, best {:.1} ms, worst {:.1} ms (target: at most 10 ms). {}.",
        times[RUNS / 2],
        times[0],
        times[RUNS - 1],
        machine()
    ))
}
