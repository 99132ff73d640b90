//! `cargo xtask test`: every step in turn, each with its time; the last line counts tests.
//!
//! `--resume` leaves out the steps that passed in an earlier run on the same commit, so that an interrupted run is continued.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::only_names;
use crate::process::target_path;
use crate::record::Record;
use crate::steps::{LONG_STEPS, STEPS, Step, StepOutcome};
use crate::tally::Tally;

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    if arguments.iter().any(|argument| argument == "--list") {
        for Step { name, about, .. } in STEPS {
            println!("{name:14} {about}");
        }
        println!("\nonly when named (large environments):");
        for Step { name, about, .. } in LONG_STEPS {
            println!("{name:14} {about}");
        }
        return Ok(true);
    }
    let chosen = only_names(arguments);
    let all = || STEPS.iter().chain(LONG_STEPS);
    if let Some(unknown) = chosen.iter().flatten().find(|name| all().all(|step| step.name != **name)) {
        bail!("there is no step `{unknown}`; --list shows them");
    }
    let is_long = |step: &Step| LONG_STEPS.iter().any(|long| long.name == step.name);
    let peers_required = std::env::var_os("PYTROPE_REQUIRE_PEERS").is_some_and(|value| value == "1");
    let resume = arguments.iter().any(|argument| argument == "--resume");
    let options = format!("peers_required={peers_required}");
    let mut record = Record::open(target_path("passed-steps.tsv"), &options, resume)?;
    let mut total = Tally::default();
    let mut lines = Vec::new();
    let is_chosen = |step: &&Step| chosen.as_ref().map_or(!is_long(step), |chosen| chosen.contains(&step.name));
    for step in all().filter(is_chosen) {
        if let Some(line) = record.recall_result(step.name)? {
            total.add(Tally::of_last_line(&line, true));
            lines.push(format!("{line} in an earlier run"));
            continue;
        }
        println!("\n==== {}: {}", step.name, step.about);
        let started = Instant::now();
        let (word, tally) = match (step.run)() {
            Ok(StepOutcome::Ran(tally)) => (if tally.failed == 0 { "ok" } else { "FAILED" }, tally),
            Ok(StepOutcome::Missing(peer)) => {
                println!("!!!! {}: MISSING PEER: {peer}", step.name);
                let tally = if peers_required { Tally::one(false) } else { Tally::default() };
                (if peers_required { "FAILED (peer missing)" } else { "NOT RUN (peer missing)" }, tally)
            }
            Err(error) => {
                println!("!!!! {}: {error:#}", step.name);
                ("FAILED", Tally::one(false))
            }
        };
        let line = format!(
            "{:14} {:>6.1} s  {:>6} passed {:>4} failed  {word}",
            step.name,
            started.elapsed().as_secs_f64(),
            tally.passed,
            tally.failed
        );
        println!("---- {line}");
        if word == "ok" {
            record.add_result(step.name, &line)?;
        }
        lines.push(line);
        total.add(tally);
    }
    println!("\n{}", lines.join("\n"));
    println!("{} passed, {} failed", total.passed, total.failed);
    Ok(total.failed == 0)
}
