//! Answers many SMT-LIB scripts in one process: the other half of `tests/peers/z3/fuzz.py`.
//!
//! Scripts come on standard input, each ended by a line `;;end`; each answer is one line:
//! `sat NAME=VALUE …`, `unsat`, `unknown`, or `error MESSAGE`, followed by a tab and microseconds.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use pytrope_dims::Answer;
use pytrope_dims::smt2::{Script, solve_smt2};

fn main() -> io::Result<()> {
    let mut text = String::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line != ";;end" {
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        let start = Instant::now();
        let answer = match solve_smt2(&text) {
            Ok((script, answer)) => show(&script, &answer),
            Err(error) => format!("error {error}"),
        };
        writeln!(out, "{answer}\t{}", start.elapsed().as_micros())?;
        out.flush()?;
        text.clear();
    }
    Ok(())
}

fn show(script: &Script, answer: &Answer) -> String {
    match answer {
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown => "unknown".to_owned(),
        Answer::Sat(model) => {
            let mut text = "sat".to_owned();
            for (sym, name, _) in script.declarations() {
                let value = model.get(sym).copied().unwrap_or(0);
                text.push_str(&format!(" {name}={value}"));
            }
            text
        }
    }
}
