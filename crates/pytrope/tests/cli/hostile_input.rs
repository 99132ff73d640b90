//! Files that break parsers: each gives a clear finding and exit code, never a crash or a hang.

use crate::project::Project;

/// Checks one file and asserts that its only outcome is the finding, with exit code 1.
#[track_caller]
fn refused(content: &[u8], finding: &str) {
    let project = Project::new();
    project.write("a.py", content);
    let run = project.check(&["a.py"]).code(1).out(finding);
    assert!(run.stdout.len() < 10_000, "the output is as long as the input");
}

/// Checks one file and asserts that nothing is found.
#[track_caller]
fn accepted(content: &[u8]) {
    let project = Project::new();
    project.write("a.py", content);
    project.check(&["a.py"]).code(0);
}

#[test]
fn bytes_that_are_not_utf_8() {
    refused(b"x = '\xff\xfe'\n", "a.py:1:6: PT003 SyntaxError:");
}

#[test]
fn null_bytes_and_other_control_characters() {
    refused(b"x = 1\0\n", "a.py:1:");
    refused(b"\x1b[31m\n", "a.py:1:1: PT001");
}

#[test]
fn a_declared_encoding_that_does_not_exist() {
    refused(b"# -*- coding: klingon -*-\nx = 1\n", "PT003 SyntaxError: unknown encoding: klingon");
}

#[test]
fn one_line_of_five_megabytes() {
    let list = format!("x = [{}]\n", "1234567, ".repeat(560_000));
    accepted(list.as_bytes());
    let string = format!("x = '{}'\n", "y".repeat(5_000_000));
    accepted(string.as_bytes());
    let broken = format!("x = '{}\n", "y".repeat(5_000_000));
    refused(broken.as_bytes(), "a.py:1:");
}

#[test]
fn the_excerpt_of_a_long_line_is_short() {
    let project = Project::new();
    let broken = format!("x = [{}] + = 1\n", "1234567, ".repeat(560_000));
    project.write("a.py", broken.as_bytes());
    let run = project.run(&["check", "a.py"]).code(1).out("…");
    assert!(run.stdout.len() < 30_000, "{} bytes", run.stdout.len());
}

#[test]
fn half_a_million_syntax_errors() {
    let project = Project::new();
    let broken = format!("x = [{}] = = 1\n", "1234567, ".repeat(560_000));
    project.write("a.py", broken.as_bytes());
    let run = project.run(&["check", "a.py"]).code(1);
    let run = run.out("more syntax errors in this file are not shown");
    assert!(run.stdout.len() < 30_000, "{} bytes", run.stdout.len());
}

#[test]
fn thousands_of_nested_brackets() {
    for depth in [20_000, 2_500_000] {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            refused(format!("x = {}{}\n", open.repeat(depth), close.repeat(depth)).as_bytes(), "PT001 SyntaxError:");
            refused(open.repeat(depth).as_bytes(), "PT001 SyntaxError:");
        }
    }
}

#[test]
fn thousands_of_terms_operators_and_calls() {
    for depth in [20_000, 2_500_000] {
        refused(format!("x = 1{}\n", "+1".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = {}1\n", "-".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = {}True\n", "not ".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = a{}\n", ".b".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = f{}\n", "()".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = {}1\n", "lambda: ".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
        refused(format!("x = {}1\n", "1 if 1 else ".repeat(depth)).as_bytes(), "PT001 SyntaxError:");
    }
}

#[test]
fn thousands_of_nested_statements() {
    let mut nested = String::new();
    for depth in 0..5_000 {
        nested.push_str(&" ".repeat(depth));
        nested.push_str("if x:\n");
    }
    refused(nested.as_bytes(), "PT001 SyntaxError:");
    let chain = format!("if x:\n    pass\n{}", "elif x:\n    pass\n".repeat(20_000));
    accepted(format!("x = 0\n{chain}").as_bytes());
    accepted("x = 1\n".repeat(200_000).as_bytes());
}

#[test]
fn deep_strings_and_patterns() {
    refused(format!("x = {}\n", "f'{".repeat(20_000)).as_bytes(), "PT001 SyntaxError:");
    let pattern = format!("match x:\n    case {}1{}:\n        pass\n", "[".repeat(20_000), "]".repeat(20_000));
    refused(pattern.as_bytes(), "PT001 SyntaxError:");
}

#[test]
fn odd_line_endings_and_missing_ends() {
    accepted(b"x = 1\r\ny = 2\rz = 3\n");
    accepted(b"\xef\xbb\xbfx = 1");
    accepted(b"");
    accepted(b"\x0c\nx = 1\n");
    accepted(b"if True:\n\tx = 1\n");
}

#[test]
fn notebooks_that_are_not_notebooks() {
    let project = Project::with(&[("a.ipynb", "{\"cells\": [")]);
    project.check(&["a.ipynb"]).code(1).out("a.ipynb:");
    project.write("a.ipynb", b"[]");
    project.check(&["a.ipynb"]).code(1).out("a.ipynb:");
    project.write("a.ipynb", format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)).as_bytes());
    project.check(&["a.ipynb"]).code(1).out("a.ipynb:");
}

#[test]
fn a_finding_in_a_notebook_names_its_cell() {
    let cells = r##"{"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["%matplotlib inline\n", "x = 1"]},
        {"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["y = 2\n", "z = = 3"]}
    ], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;
    let project = Project::with(&[("a.ipynb", cells)]);
    project.check(&["a.ipynb"]).code(1).out("a.ipynb:cell 3:2:5: PT001");
    project.run(&["check", "--output-format", "json", "a.ipynb"]).code(1).out("\"cell\": 3");
}
