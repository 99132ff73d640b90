//! `cargo xtask samples`: a short piece of every long run, for each change; the whole runs are for releases.

use std::time::Instant;

use anyhow::Result;

use crate::{bench, corpus, fuzz, mutants};

/// A long run with the arguments that make it short.
struct Sample {
    name: &'static str,
    arguments: &'static [&'static str],
    run: fn(&[String]) -> Result<bool>,
}

// End-to-end runs and conformance tables have their samples among the steps of `test`.
const SAMPLES: [Sample; 4] = [
    Sample { name: "corpus", arguments: &["--only", "torchvision"], run: corpus::run },
    Sample { name: "mutants", arguments: &["--sample", "6"], run: mutants::run },
    Sample { name: "bench", arguments: &["--only", "startup", "--dry-run"], run: bench::run },
    Sample { name: "fuzz", arguments: &["--seconds", "20"], run: fuzz::run },
];

#[expect(clippy::unnecessary_wraps, reason = "every chore has this signature")]
pub(crate) fn run(_: &[String]) -> Result<bool> {
    let mut lines = Vec::new();
    let (mut passed, mut failed) = (0, 0);
    for Sample { name, arguments, run } in SAMPLES {
        println!("\n==== {name} {}", arguments.join(" "));
        let started = Instant::now();
        let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let ok = run(&arguments).unwrap_or_else(|error| {
            println!("!!!! {name}: {error:#}");
            false
        });
        if ok {
            passed += 1;
        } else {
            failed += 1;
        }
        let word = if ok { "ok" } else { "FAILED" };
        lines.push(format!("{name:10} {:>6.1} s  {word}", started.elapsed().as_secs_f64()));
    }
    println!("\n{}\n{passed} passed, {failed} failed", lines.join("\n"));
    Ok(failed == 0)
}
