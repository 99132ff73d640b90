//! Damaged choreographies are refused or projected to valid Python; nothing panics.

use pytrope_choreo::{NoImports, Options, project_file};
use pytrope_source::{SourceFile, parse};

/// The Python blocks of the Markdown tests, without the expected programs.
fn sources() -> Vec<String> {
    let mut found = Vec::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the tests").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        let page = std::fs::read_to_string(path).expect("a readable page");
        found.extend(page.split("```python\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0.to_owned())));
    }
    found
}

fn check(text: &str) {
    let projection = project_file(
        &SourceFile::from_text("main.py", text),
        &NoImports,
        Options { diagrams: true, asynchronous: false },
    );
    for module in projection.modules {
        let parsed = parse(&SourceFile::from_text("module.py", module.source.as_str()));
        assert!(parsed.errors.is_empty(), "{:?}\n{text}\n{}", parsed.errors, module.source);
    }
}

#[test]
fn any_line_may_be_missing() {
    let sources = sources();
    assert!(sources.len() > 100);
    for source in &sources {
        let lines: Vec<&str> = source.lines().collect();
        for skipped in 0..lines.len() {
            let kept: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != skipped).map(|(_, line)| *line).collect();
            check(&kept.join("\n"));
        }
    }
}

#[test]
fn any_two_words_may_be_swapped() {
    // A small linear generator: the same damage on every run.
    let mut state: u64 = 20_261_115;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit.max(1)
    };
    for source in &sources() {
        for _ in 0..8 {
            let mut words: Vec<&str> = source.split_inclusive([' ', '(', ')', '.', ',', '\n', '[', ']']).collect();
            let (one, other) = (next(words.len()), next(words.len()));
            words.swap(one, other);
            check(&words.concat());
        }
    }
}
