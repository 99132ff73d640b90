//! `pytrope solve`: answers a file of integer constraints (a developer command).

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use pytrope_dims::Answer;
use pytrope_dims::smt2::solve_smt2;

use crate::args::SolveArgs;
use crate::exit::ExitStatus;
use crate::session::Session;

/// The line that ends a system of a batch.
const SEPARATOR: &str = "; ---";

pub(super) fn run(args: &SolveArgs, session: &Session) -> Result<ExitStatus> {
    let text = read_script(&args.file)?;
    if args.batch {
        let answers = solve_batch(&text);
        session.print(|out| out.write_all(answers.as_bytes()))?;
        return Ok(ExitStatus::Success);
    }
    let (script, answer) = match solve_smt2(&text) {
        Ok(solved) => solved,
        Err(error) => {
            session.print_error(&format!("{}: {error}", args.file.display()));
            return Ok(ExitStatus::Usage);
        }
    };
    session.print(|out| out.write_all(script.print(&answer).as_bytes()))?;
    Ok(match answer {
        Answer::Sat(_) | Answer::Unsat => ExitStatus::Success,
        Answer::Unknown => ExitStatus::Found,
    })
}

fn read_script(file: &Path) -> Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("standard input cannot be read")?;
        return Ok(text);
    }
    crate::input::read_text(file).with_context(|| format!("cannot read {}", file.display()))
}

fn solve_batch(text: &str) -> String {
    let mut answers = String::new();
    let mut system = String::new();
    for line in text.lines() {
        if line.trim_end() != SEPARATOR {
            system.push_str(line);
            system.push('\n');
            continue;
        }
        push_answer(&mut answers, &system);
        system.clear();
    }
    if !system.trim().is_empty() {
        push_answer(&mut answers, &system);
    }
    answers
}

fn push_answer(answers: &mut String, system: &str) {
    let line = match solve_smt2(system) {
        Ok((script, answer)) => script.print_line(&answer),
        Err(error) => format!("error {error}"),
    };
    // Writing to a string does not fail.
    let _ = writeln!(answers, "{line}");
}
