//! `--watch` runs again after a change and ends on an interrupt.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::project::{BROKEN, Project};

#[test]
fn a_change_is_seen() {
    let project = Project::with(&[("a.py", "x = 1\n")]);
    let mut command = project.command(&["check", "--output-format", "concise", "--watch"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut progress = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    // The first run is over when it says that it waits.
    let waits = progress.by_ref().map_while(Result::ok).any(|line| line.contains("watching for changes"));
    assert!(waits, "the first run never ended");
    project.write("a.py", BROKEN.as_bytes());
    let mut results = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let first = results.next().expect("a line of the second run").expect("text");
    assert!(first.starts_with("a.py:"), "{first}");
    child.kill().expect("the binary still watches");
    child.wait().expect("the binary ends");
}
