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

/// Checks one file and asserts that a limit of ours is all that is reported.
#[track_caller]
fn limited(content: &[u8], finding: &str) {
    let project = Project::new();
    project.write("a.py", content);
    let run = project.check(&["a.py"]).out(finding);
    assert!(!run.stdout.contains("SyntaxError"), "{run:#?}");
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
    // Python stops at the first.
    assert_eq!(run.stdout.matches("PT001").count(), 1);
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
        limited(format!("x = 1{}\n", "+1".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = {}1\n", "-".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = {}True\n", "not ".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = a{}\n", ".b".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = f{}\n", "()".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = {}1\n", "lambda: ".repeat(depth)).as_bytes(), "PT004");
        limited(format!("x = {}1\n", "1 if 1 else ".repeat(depth)).as_bytes(), "PT004");
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

/// Checks one file and asserts what `reveal_type` and the findings say, in their order.
#[track_caller]
fn found(content: &str, lines: &[&str]) {
    let project = Project::new();
    project.write("a.py", content.as_bytes());
    let run = project.check(&["a.py"]);
    let shown: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_once(": ").map(|(_, text)| text)).collect();
    assert_eq!(shown, lines, "{}", run.stdout);
}

#[test]
fn huge_constants() {
    found(
        "import numpy as np\nreveal_type(10 ** 10 ** 10)\nreveal_type('a' * 10 ** 12)\n\
         reveal_type(np.zeros(10 ** 15))\nreveal_type(2 << 10 ** 10)\nreveal_type(len([0] * 10 ** 9))\n\
         reveal_type((10 ** 4000) % 7)\n",
        &["PT113 int", "PT113 str", "PT113 ndarray[1000000000000000]", "PT113 int", "PT113 1000000000", "PT113 4"],
    );
}

#[test]
fn literals_of_a_hundred_thousand_items() {
    let numbers: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let pairs: Vec<String> = (0..60_000).map(|i| format!("[{i}, -{i}.5]")).collect();
    let entries: Vec<String> = (0..100_000).map(|i| format!("'k{i}': {i}")).collect();
    found(
        &format!(
            "import numpy as np\nxs = [{}]\nreveal_type(np.array(xs))\nxs[100000]\nys = [{}]\n\
             reveal_type(np.array(ys))\nd = {{{}}}\nd['other']\n",
            numbers.join(","),
            pairs.join(","),
            entries.join(",")
        ),
        &["PT113 ndarray[100000]", "PT107 IndexError: list index out of range", "PT113 ndarray[60000, 2]"],
    );
}

#[test]
fn functions_of_ten_thousand_statements() {
    let body: Vec<String> = (0..10_000).map(|i| format!("    v{i} = x + {i}\n")).collect();
    let body = body.concat();
    found(
        &format!("def f(x):\n{body}    return v9999\ndef g():\n    return [1][2]\nf(1)\n"),
        &["PT107 IndexError: list index out of range: index 2, length 1"],
    );
}

#[test]
fn endless_loops_and_recursion() {
    found(
        "i = 0\ndef deep(n):\n    return deep(n + 1)\ndef even(n):\n    return n == 0 or odd(n - 1)\n\
         def odd(n):\n    return n != 0 and even(n - 1)\nreveal_type(deep(0))\nreveal_type(even(100000))\n\
         def forever():\n    xs = [1]\n    for x in xs:\n        xs.append(x)\n\
         while True:\n    i += 1\n    if i == 10:\n        i = 0\n",
        &["PT113 Unknown", "PT113 Unknown"],
    );
}

#[test]
fn constructs_nobody_knows_are_unknown() {
    found(
        "import ctypes, mmap\nfrom nowhere import thing\nx = thing @ thing[..., None](*thing, **thing)\nreveal_type(x)\n\
         exec('y = 1')\nreveal_type(y)\ntype T[X] = list[X]\nreveal_type(ctypes.c_int(3))\n",
        &["PT113 Unknown", "PT113 Unknown", "PT113 Unknown"],
    );
}
