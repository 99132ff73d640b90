//! How the language and the array libraries are understood, told in Markdown.

use pytrope_mdtest::{Case, Outcome, run};
use pytrope_shapes::check::{CheckOptions, check};

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
