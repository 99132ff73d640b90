//! How the language and the array libraries are understood, told in Markdown.

use pytrope_mdtest::{Case, Outcome, run};
use pytrope_shapes::check::{CheckOptions, check};
use pytrope_source::Span;

fn outcome(case: &Case) -> Outcome {
    let checked = check(&case.files, &CheckOptions::default());
    assert!(checked.model_bugs.is_empty(), "bugs of models: {:#?}", checked.model_bugs);
    assert!(
        checked.failures.is_empty(),
        "the analysis failed: {:?}",
        checked.failures.iter().map(|(_, message)| message).collect::<Vec<_>>()
    );
    Outcome::from(checked.findings)
}

/// What is printed for each finding, without the source around it.
fn explained(case: &Case) -> Outcome {
    let checked = check(&case.files, &CheckOptions::default());
    let mut text = String::new();
    for finding in &checked.findings {
        let line = |span: &Span| span.file.lines().line_of(span.range.start) + 1;
        let raises = finding.raises.as_deref().unwrap_or_default();
        text.push_str(&format!("line {}: {raises}: {}\n", line(&finding.primary), finding.message));
        for related in &finding.related {
            text.push_str(&format!("    line {}: {}\n", line(&related.span), related.message));
        }
        if let Some(help) = &finding.help {
            text.push_str(&format!("    help: {help}\n"));
        }
    }
    Outcome { findings: Vec::new(), outputs: vec![("explained".to_owned(), text)] }
}

#[test]
fn explanations() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/explain"), explained);
}

#[test]
fn language() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/language"), outcome);
}

#[test]
fn numpy() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/numpy"), outcome);
}

#[test]
fn torch() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/torch"), outcome);
}
