//! Any bytes are read without a panic, and edits keep what they do not touch.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use pytrope_source::{Edits, Node, SourceFile, TextRange, edits, parse};

/// Fragments that together make more interesting Python than random letters do.
const FRAGMENTS: &[&str] = &[
    "def f(x, *a, y=1, **k):",
    "\n",
    "\n    ",
    "\r\n\t",
    "if x:",
    " else:",
    "elif y:",
    "return ",
    "x",
    "y = ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    ";",
    "'s'",
    "\"\"\"doc\nstring\"\"\"",
    "f'{x!r:>{y}}'",
    "rb'\\x00'",
    "1",
    "0x_f",
    "1e400",
    "2j",
    " + ",
    " ** ",
    "@",
    " if z else ",
    "lambda: ",
    "not ",
    "await ",
    "yield ",
    "*",
    "**",
    "# comment",
    "\\\n",
    "\u{feff}",
    "é",
    "😀",
    "\0",
    "\x0c",
    "class C(B, k=2):",
    "match x:",
    "case [a, *b]:",
    "try:",
    "except* E as e:",
    "finally:",
    "with a as b:",
    "import a.b as c",
    "from . import *",
    "type X[T] = T",
    "x: int = 1",
    "x += 1",
    "del x",
    "global g",
    "async ",
    "for i in x:",
    "while x:",
    "pass",
    "break",
    "raise E from e",
    "assert x, y",
    ":=",
    "...",
    "->",
    "%time",
    "!ls",
    "?",
];

/// Whole statements, in the layouts that make edits hard.
const STATEMENTS: &[&str] = &[
    "x = 1",
    "x = 1; y = 2;",
    "p; q; r  # three",
    "if x: y",
    "if x: y; z  # end",
    "if x: y\nelse: z; w",
    "while x: pass",
    "class C: a = 1; b = 2",
    "@d\n@e(1)\ndef f(x, y=2): return x",
    "def g():\n    \"\"\"Doc\n  string.\"\"\"\n    return (\n        1,\n    )  # one",
    "x = '''a\n b\n'''; y = 1",
    "try: a\nexcept E: b\nfinally: c",
    "for i in x:\n\tif y: z\n\telse:\n\t\tw; v",
    "x = 1 + \\\n    2; y = 3",
    "# comment",
    "",
    "with a as b, c: d",
    "match x:\n  case 1: y\n  case _:\n    z",
    "if a:\n    # inner\n    b\n\n    c\n# outer",
    "async def h():\n    await x; await y",
    "print(f'''{\nx\n}''')",
    "\"\"\"Doc.\"\"\"",
    "from __future__ import annotations",
    "import os; import sys",
];

fn runner(cases: u32) -> TestRunner {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

fn python() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(FRAGMENTS), 0..40).prop_map(|parts| parts.concat())
}

/// Files that are mostly valid, with one line ending and perhaps no last newline.
fn program() -> impl Strategy<Value = String> {
    let parts = prop::collection::vec(prop::sample::select(STATEMENTS), 1..6);
    let ending = prop::sample::select(&["\n", "\r\n", "\r"][..]);
    (parts, ending, any::<bool>()).prop_map(|(parts, ending, last)| {
        let text = parts.join("\n") + if last { "\n" } else { "" };
        text.replace('\n', ending)
    })
}

#[test]
fn any_bytes_parse_without_panic() {
    let bytes = prop_oneof![prop::collection::vec(any::<u8>(), 0..200), python().prop_map(String::into_bytes)];
    let name = prop::sample::select(&["a.py", "a.pyi", "a.ipynb"][..]);
    runner(4_000)
        .run(&(bytes, name), |(bytes, name)| {
            let (file, errors) = SourceFile::from_bytes(name, &bytes);
            if errors.is_empty() {
                prop_assert_eq!(file.encode(file.text()), Ok(bytes));
            }
            let parsed = parse(&file);
            let nodes: Vec<Node> = parsed.tree.suite_nodes(parsed.tree.body()).collect();
            prop_assert_eq!(nodes.len(), parsed.tree.expr_count() + parsed.tree.stmt_count());
            for node in nodes {
                let range = node.range(&parsed.tree);
                prop_assert!(range.start <= range.end && range.end as usize <= file.text().len());
                let place = file.line_column(range.start);
                prop_assert_eq!(file.lines().offset(place, file.text()), range.start);
            }
            prop_assert_eq!(Edits::new(&parsed).apply().expect("no edits"), file.text());
            Ok(())
        })
        .expect("holds");
}

#[test]
fn statement_edits_of_valid_files_stay_valid() {
    let tried = std::cell::Cell::new(0);
    runner(4_000)
        .run(&(program(), any::<prop::sample::Index>(), 0..6), |(text, which, action)| {
            let parsed = parse(&SourceFile::from_text("a.py", text));
            let count = parsed.tree.stmt_count();
            if !parsed.errors.is_empty() || count == 0 {
                return Ok(());
            }
            let stmt = parsed.tree.stmt_ids().nth(which.index(count)).expect("within count");
            let mut edits = Edits::new(&parsed);
            match action {
                0 => edits.insert_before(stmt, "if new:\n    before()"),
                1 => edits.insert_after(stmt, "after()"),
                2 => edits.wrap_statements(stmt, stmt, "if new:"),
                3 => edits.replace_stmt(stmt, "if new:\n    other()"),
                4 => edits.delete_stmt(stmt),
                _ => edits.add_import("import new"),
            }
            tried.set(tried.get() + 1);
            let after = edits.apply().expect("edits of one statement do not overlap");
            let again = parse(&SourceFile::from_text("a.py", after.clone()));
            // A statement put before a `__future__` import is the caller's mistake.
            let mut errors = again.errors;
            errors.retain(|error| !error.message.contains("__future__"));
            prop_assert_eq!(&errors, &vec![], "{:?}", after);
            Ok(())
        })
        .expect("holds");
    assert!(tried.get() > 1_000, "only {} of the random files were valid", tried.get());
}

#[test]
fn bytes_outside_edits_survive() {
    let case = ("[a-zé\n]{0,40}", prop::collection::vec((0u32..40, 0u32..4, "[X]{0,3}"), 0..5));
    runner(2_000)
        .run(&case, |(text, wanted)| {
            let mut list = Vec::new();
            let mut at = 0;
            for (gap, len, new) in wanted {
                let range = TextRange::new(at + gap, at + gap + len);
                at = range.end;
                list.push(edits::Edit { range, text: new });
            }
            let fits = |at: u32| at as usize <= text.len() && text.is_char_boundary(at as usize);
            if !list.iter().all(|edit| fits(edit.range.start) && fits(edit.range.end)) {
                return Ok(());
            }
            let after = edits::apply(&text, &list).expect("apart from each other");
            let mut rest = after.as_str();
            let mut last = 0;
            for edit in &list {
                let kept = &text[last..edit.range.start as usize];
                rest = rest.strip_prefix(kept).and_then(|rest| rest.strip_prefix(edit.text.as_str())).expect("kept");
                last = edit.range.end as usize;
            }
            prop_assert_eq!(rest, &text[last..]);
            Ok(())
        })
        .expect("holds");
}
