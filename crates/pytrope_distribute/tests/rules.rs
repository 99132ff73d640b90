//! Before and after, in prose: every `python` block of `tests/rules/*.md` and of
//! `docs/distribute.md` that is followed by "becomes" and a second block is
//! rewritten and compared; one followed by "is refused" names the rule and the line. A block that opens with
//! ```` ```python --to fsdp2 ```` is rewritten for that engine. `PYTROPE_BLESS=1` writes the answers.

use std::path::{Path, PathBuf};

use pytrope_distribute::{Project, Target, distribute};

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let mut pages: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the pages are here").map(|entry| entry.expect("an entry").path()).collect();
    pages.sort();
    pages.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/distribute.md"));
    pages
}

/// The answer to a script as the pages write it.
fn answer(text: &str, to: Option<Target>) -> String {
    let project = Project::from_texts(&[("train.py", text)]);
    let outcome = distribute(&project, to);
    if let Some((_, text)) = outcome.files.first() {
        return format!("becomes\n\n```python\n{text}```\n");
    }
    let finding = outcome.findings.first().expect("a refusal has a reason");
    let line = finding.primary.start().position.line;
    format!("is refused: `{}` at line {line}, “{}”.\n", finding.rule.id, finding.message)
}

#[test]
fn scripts_become_what_the_pages_say() {
    let bless = std::env::var_os("PYTROPE_BLESS").is_some();
    let mut cases = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        let mut out = String::new();
        let mut rest = text.as_str();
        while let Some(start) = rest.find("```python") {
            let code_start = start + rest[start..].find('\n').expect("a block begins with a line") + 1;
            let option = rest[start..code_start].trim_start_matches("```python").trim();
            let to = option.strip_prefix("--to ").map(|name| {
                Target::ALL.into_iter().find(|target| target.option() == name).expect("a page names an engine")
            });
            assert!(option.is_empty() || to.is_some(), "{}: {option}", page.display());
            let code_end = code_start + rest[code_start..].find("```\n").expect("a block ends");
            let code = &rest[code_start..code_end];
            let after = &rest[code_end + 4..];
            let known_end = match after.trim_start() {
                tail if tail.starts_with("becomes") => {
                    let block = after.find("```python\n").expect("an answer is a block") + "```python\n".len();
                    block + after[block..].find("```\n").expect("a block ends") + 4
                }
                tail if tail.starts_with("is refused") => after.find(".\n").map_or(after.len(), |i| i + 2),
                _ => 0,
            };
            let known = after[..known_end].trim_start();
            let now = answer(code, to);
            cases += 1;
            if known != now {
                wrong.push(format!("{}: the answer to\n{code}\nis now\n{now}", page.display()));
            }
            out.push_str(&rest[..code_end + 4]);
            out.push('\n');
            out.push_str(&now);
            rest = &after[known_end..];
        }
        out.push_str(rest);
        if bless {
            std::fs::write(&page, out).expect("a page can be written");
        }
    }
    assert!(cases > 20, "only {cases} cases were found");
    assert!(bless || wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/distribute/scripts");
    let mut found = Vec::new();
    for pattern in std::fs::read_dir(folder).expect("the scripts are here") {
        let pattern = pattern.expect("an entry").path();
        for script in std::fs::read_dir(pattern).expect("a pattern is a folder") {
            let script = script.expect("an entry").path();
            if script.is_dir() {
                found.push(script.join("main.py"));
            } else if script.extension().is_some_and(|extension| extension == "py") {
                found.push(script);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn outputs_parse_keep_comments_and_are_refused_again() {
    let scripts = scripts();
    assert!(scripts.len() >= 40, "only {} scripts", scripts.len());
    for script in scripts {
        let shown = script.to_string_lossy().into_owned();
        let resolver = pytrope_source::ModuleResolver::for_project(script.parent().expect("a file has a folder"));
        let project = Project::load(&script, &shown, resolver).expect("a script can be read");
        let outcome = distribute(&project, None);
        assert!(!outcome.files.is_empty(), "{shown}: {:?}", outcome.findings.first().map(|f| &f.message));
        let again = distribute(&project, None);
        assert!(outcome.files == again.files, "{shown}: the same input gives the same bytes");
        for (id, text) in &outcome.files {
            let parsed = pytrope_source::parse(&pytrope_source::SourceFile::from_text("out.py", text.clone()));
            assert_eq!(parsed.errors, [], "{shown}");
            let before = &project.modules[*id].parsed;
            for &comment in &before.comments {
                let comment = before.file.slice(comment);
                assert!(text.contains(comment), "{shown}: the comment {comment:?} is lost");
            }
        }
        let (_, entry) = outcome.files.iter().find(|(id, _)| *id == 0).expect("the entry changes");
        let second = distribute(&Project::from_texts(&[("out.py", entry)]), None);
        assert_eq!(second.findings.first().map(|f| f.rule.id), Some("already-distributed"), "{shown}");
        assert!(second.files.is_empty(), "{shown}");
    }
}

#[test]
fn every_output_of_every_engine_is_python() {
    let (mut written, mut refused) = ([0; Target::ALL.len()], [0; Target::ALL.len()]);
    for script in scripts() {
        let shown = script.to_string_lossy().into_owned();
        let resolver = pytrope_source::ModuleResolver::for_project(script.parent().expect("a file has a folder"));
        let project = Project::load(&script, &shown, resolver).expect("a script can be read");
        for (i, target) in Target::ALL.into_iter().enumerate() {
            let outcome = distribute(&project, Some(target));
            if outcome.files.is_empty() {
                refused[i] += 1;
                let finding = outcome.findings.first().expect("a refusal has a reason");
                assert_ne!(
                    finding.rule.id,
                    "conflicting-edits",
                    "{shown} --to {}: {}",
                    target.option(),
                    finding.message
                );
            }
            for (_, text) in &outcome.files {
                written[i] += 1;
                let parsed = pytrope_source::parse(&pytrope_source::SourceFile::from_text("out.py", text.clone()));
                assert_eq!(parsed.errors, [], "{shown} --to {}", target.option());
            }
        }
    }
    // Each engine takes scripts, and each is asked for some that it does not take.
    assert!(written.iter().chain(&refused).all(|&count| count > 5), "{written:?} {refused:?}");
}

#[test]
fn examples_of_rule_pages_are_refused_by_their_rule() {
    let mut pages = 0;
    for rule in pytrope_diagnostics::rules().iter().filter(|rule| rule.code.starts_with("PT4")) {
        let example = rule.page.split("\n## Example\n").nth(1).expect("a page has an example");
        let example = example.split("\n## ").next().expect("a text has a beginning");
        let blocks: Vec<&str> =
            example.split("```python\n").skip(1).filter_map(|code| code.split("```").next()).collect();
        let project = match (rule.id, &blocks[..]) {
            ("loops-apart", [script, module]) => {
                Project::from_texts(&[("train.py", script), ("pretraining.py", module)])
            }
            ("notebook-training", [cell]) => Project::from_texts(&[("train.ipynb", &notebook(cell))]),
            (_, [code]) => Project::from_texts(&[("train.py", code)]),
            _ => panic!("{}: {} blocks", rule.code, blocks.len()),
        };
        let outcome = distribute(&project, (rule.id == "wrong-engine").then_some(Target::Horovod));
        let found: Vec<&str> = outcome.findings.iter().map(|finding| finding.rule.id).collect();
        assert!(found.contains(&rule.id), "{}: {found:?}", rule.code);
        pages += 1;
    }
    assert!(pages >= 19, "only {pages} pages");
}

/// A notebook with one code cell.
fn notebook(cell: &str) -> String {
    let lines: Vec<String> = cell.lines().map(|line| format!("{:?}", format!("{line}\n"))).collect();
    format!(
        r#"{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [{{"cell_type": "code", "metadata": {{}}, "outputs": [], "execution_count": null, "source": [{}]}}]}}"#,
        lines.join(", ")
    )
}
