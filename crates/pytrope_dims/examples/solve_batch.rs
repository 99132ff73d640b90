//! Answers many SMT-LIB scripts in one process: the other half of `tests/peers/z3/fuzz.py`.
//!
//! Scripts come on standard input, each ended by a line `; ---`; each answer is one line:
//! `sat NAME=VALUE …`, `unsat`, `unknown`, or `error MESSAGE`, followed by a tab and microseconds.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use pytrope_dims::smt2::solve_smt2;

fn main() -> io::Result<()> {
    let mut text = String::new();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line != "; ---" {
            text.push_str(&line);
            text.push('\n');
            continue;
        }
        let start = Instant::now();
        let answer = match solve_smt2(&text) {
            Ok((script, answer)) => script.print_line(&answer),
            Err(error) => format!("error {error}"),
        };
        writeln!(out, "{answer}\t{}", start.elapsed().as_micros())?;
        out.flush()?;
        text.clear();
    }
    Ok(())
}
