//! `cargo xtask e2e [VERB]`: what the rewriters write is run by the real interpreters and engines.

pub(crate) mod distribute;
pub(crate) mod migrate;

use anyhow::{Result, bail};

/// A verb's runs; owners add theirs in a file `e2e/VERB.rs`.
struct Runs {
    verb: &'static str,
    run: fn(&[String]) -> Result<bool>,
}

const RUNS: &[Runs] = &[Runs { verb: "distribute", run: distribute::run }, Runs { verb: "migrate", run: migrate::run }];

pub(crate) fn run(arguments: &[String]) -> Result<bool> {
    let (verb, rest) = match arguments.split_first() {
        Some((verb, rest)) if !verb.starts_with("--") => (Some(verb.as_str()), rest),
        _ => (None, arguments),
    };
    let chosen: Vec<&Runs> = RUNS.iter().filter(|runs| verb.is_none_or(|verb| verb == runs.verb)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = RUNS.iter().map(|runs| runs.verb).collect();
        bail!("nothing to run; the verbs with end-to-end runs are {known:?}");
    }
    let mut ok = true;
    for runs in chosen {
        println!("==== e2e {}", runs.verb);
        ok &= (runs.run)(rest)?;
    }
    Ok(ok)
}
