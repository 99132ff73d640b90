//! Standard input as a file.

use std::io::Write;
use std::process::Stdio;

use crate::project::{BROKEN, Project, Run};

fn piped(project: &Project, arguments: &[&str], input: &[u8]) -> Run {
    let mut command = project.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the binary starts");
    child.stdin.take().expect("a pipe").write_all(input).expect("the binary reads its input");
    Run::of(&child.wait_with_output().expect("the binary ends"))
}

#[test]
fn standard_input_goes_by_the_name_it_is_given() {
    let project = Project::new();
    let run = piped(&project, &["check", "--output-format", "concise", "-"], BROKEN.as_bytes());
    run.code(1).out("<stdin>:1:");
    let named = ["check", "--output-format", "concise", "-", "--stdin-filename", "pkg/a.py"];
    piped(&project, &named, BROKEN.as_bytes()).code(1).out("pkg/a.py:1:");
    piped(&project, &named, b"x = 1\n").code(0);
}

#[test]
fn the_name_decides_what_kind_of_file_it_is() {
    let project = Project::new();
    let notebook = br#"{"cells": [{"cell_type": "code", "source": "%timeit x = = 1", "metadata": {}, "outputs": [], "execution_count": null}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
    let run = piped(&project, &["check", "-q", "-", "--stdin-filename", "n.ipynb"], notebook);
    assert_eq!(run.code, Some(0), "a line magic is not Python: {run:?}");
}

#[test]
fn other_files_can_stand_beside_it() {
    let project = Project::with(&[("a.py", BROKEN)]);
    let run = piped(&project, &["check", "--output-format", "concise", "a.py", "-"], b"y = = 1\n");
    run.code(1).out("a.py:1:").out("<stdin>:1:5:");
}

#[test]
fn standard_input_cannot_be_watched() {
    piped(&Project::new(), &["check", "--watch", "-"], b"").code(2).err("cannot be watched");
}
