//! Projection: a choreography of 1,000 lines and ten roles, from a shell to ten programs.

use std::fmt::Write as _;

use anyhow::Result;

use super::BenchSection;
use super::usage::{describe_machine, measure};
use crate::process::{command, shipped_pytrope, target_path};

const RUNS: usize = 20;
const ROLES: usize = 10;
const LINES: usize = 1000;

pub(super) const SECTION: BenchSection =
    BenchSection { name: "projection", about: "Projecting a large choreography", run };

fn run() -> Result<String> {
    let file = target_path("bench/large_choreography.py");
    std::fs::create_dir_all(target_path("bench"))?;
    let source = choreography();
    std::fs::write(&file, &source)?;
    let out = target_path("bench/projected");
    let mut project = command(shipped_pytrope()?, &["project", "--quiet"]);
    project.arg(&file).arg("-o").arg(&out);
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let usage = measure(&project)?;
        wall.push(usage.wall * 1000.0);
        cpu.push(usage.cpu * 1000.0);
    }
    wall.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    let lines = source.lines().count();
    Ok(format!(
        "{RUNS} runs. {}.\n\n| `pytrope project` of | median wall ms | best wall ms | median CPU ms | target |\n|---|---:|---:|---:|---:|\n| {lines} lines, {ROLES} roles | {:.1} | {:.1} | {:.1} | 50 |\n",
        describe_machine(),
        wall[RUNS / 2],
        wall[0],
        cpu[RUNS / 2]
    ))
}

/// A chain of methods, each with a message between neighbours, a decision told to all, and a loop.
fn choreography() -> String {
    let mut out = String::from("from enum import Enum\n\nfrom pytrope.choreo import At, Ch10, Channel, Role\n");
    let roles: Vec<String> = (0..ROLES).map(|at| format!("R{at}")).collect();
    for role in &roles {
        let _ = write!(out, "\n\nclass {role}(Role): ...\n");
    }
    out.push_str("\n\nclass L(Enum):\n    YES = 1\n    NO = 2\n\n\n");
    let _ = writeln!(out, "class Large(Ch10[{}]):", roles.join(", "));
    let mut channels = Vec::new();
    for one in 0..ROLES {
        for other in one + 1..ROLES {
            channels.push((format!("c{one}{other}"), one, other));
        }
    }
    let parameters: Vec<String> =
        channels.iter().map(|(name, one, other)| format!("{name}: Channel[int, R{one}, R{other}]")).collect();
    let _ = writeln!(out, "    def __init__(self, {}) -> None:", parameters.join(", "));
    for (name, _, _) in &channels {
        let _ = writeln!(out, "        self.{name} = {name}");
    }
    let mut step = 0;
    while out.lines().count() < LINES {
        let _ = writeln!(out, "\n    def step{step}(self, x: At[int, R0]) -> At[int, R9]:");
        for at in 0..ROLES - 1 {
            let sent = if at == 0 { "x".to_owned() } else { format!("y{at}") };
            let next = at + 1;
            let _ = writeln!(out, "        y{next}: At[int, R{next}] = self.c{at}{next}.com({sent} + {at})");
        }
        out.push_str("        if x > 3:\n");
        for at in 1..ROLES {
            let _ = writeln!(out, "            self.c0{at}.select(L.YES @ R0())");
        }
        out.push_str("            for i in range(3):\n                y9 += self.c89.com(y8 * i)\n        else:\n");
        for at in 1..ROLES {
            let _ = writeln!(out, "            self.c0{at}.select(L.NO @ R0())");
        }
        if step > 0 {
            let _ = writeln!(out, "            y9 = self.step{}(x)", step - 1);
        }
        out.push_str("        return y9\n");
        step += 1;
    }
    out
}
