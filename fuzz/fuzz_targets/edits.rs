//! Statements inserted before any statement of valid Python: the result is still valid Python.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pytrope_source::{Edits, Node, SourceFile, parse};

fuzz_target!(|input: (u16, &str)| {
    let (choice, text) = input;
    let file = SourceFile::from_text("a.py", text);
    let parsed = parse(&file);
    if !parsed.errors.is_empty() {
        return;
    }
    let statements: Vec<_> = parsed
        .tree
        .suite_nodes(parsed.tree.body())
        .filter_map(|node| match node {
            Node::Stmt(statement) => Some(statement),
            Node::Expr(_) => None,
        })
        .collect();
    let Some(&statement) = statements.get(usize::from(choice) % statements.len().max(1)) else { return };
    let mut edits = Edits::new(&parsed);
    edits.insert_before(statement, "pass");
    let changed = edits.apply().expect("one edit does not overlap itself");
    let again = parse(&SourceFile::from_text("a.py", changed.as_str()));
    assert_eq!(again.errors, [], "{text:?} became {changed:?}");
});
