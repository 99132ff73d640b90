//! What goes to which stream, colour, files of output, and readers that go away.

use std::io::Read;
use std::process::Stdio;

use crate::project::{BROKEN, Project};

#[test]
fn results_go_to_stdout_and_the_summary_to_stderr() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", "x = 1\n")]);
    let run = project.check(&[]).code(1).err("in 2 files");
    assert!(!run.stdout.contains("in 2 files"), "{run:?}");
    let quiet = project.check(&["--quiet"]).code(1);
    assert_eq!(quiet.stderr, "");
    let json = project.run(&["check", "--output-format", "json"]).code(1);
    assert_eq!(json.stderr, "", "nothing but results for programs");
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let project = Project::with(&[("a.py", BROKEN)]);
    assert!(!project.run(&["check"]).stdout.contains('\u{1b}'));
    assert!(project.run(&["check", "--color", "always"]).stdout.contains("\u{1b}["));
    assert!(!project.run(&["check", "--color", "never"]).stdout.contains('\u{1b}'));
}

#[test]
fn source_text_cannot_steer_the_terminal() {
    let project = Project::with(&[("a.py", "x = = '\u{1b}[31mred'\n")]);
    let run = project.run(&["check"]).code(1);
    assert!(!run.stdout.contains('\u{1b}'), "{run:?}");
}

#[test]
fn findings_can_be_written_to_a_file() {
    let project = Project::with(&[("a.py", BROKEN)]);
    let run = project.run(&["check", "--output-format", "json", "-o", "report.json"]).code(1);
    assert_eq!(run.stdout, "");
    let report: serde_json::Value = serde_json::from_str(&project.read("report.json")).expect("JSON");
    assert_eq!(report["version"], 1);
    project.run(&["check", "-o", "missing/report.json"]).code(2).err("cannot write missing/report.json");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let project = Project::with(&[("a.py", &"x = = 1\n".repeat(20_000))]);
    let mut command = project.command(&["check", "--output-format", "full"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut first = [0; 16];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("some output");
    // The pipe is closed here, long before everything is written.
    let output = child.wait_with_output().expect("the binary ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(!stderr.contains("panic") && !stderr.contains("pipe"), "{stderr}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let project = Project::with(&[("a.py", BROKEN), ("b.py", "def f(:\n"), ("c/d.py", "x = 1  # pytrope: ignore\n")]);
    for format in ["full", "concise", "json", "json-lines", "sarif", "github", "gitlab", "junit"] {
        let first = project.run(&["check", "--output-format", format]).stdout;
        assert!(!first.is_empty(), "{format}");
        assert_eq!(first, project.run(&["check", "--output-format", format]).stdout, "{format}");
    }
}
