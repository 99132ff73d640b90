//! How the language is understood, told in Markdown: one test for each page of `tests/mdtest`.
//!
//! `cargo test -p pytrope_eval --test mdtest -- loops/` runs the pages whose path holds the words. The pages run through
//! `check` with the models of the libraries: this crate knows none itself.

use std::process::ExitCode;

use pytrope_mdtest::{Suites, TestCase, TestOutcome};
use pytrope_shapes::check::{CheckOptions, check_files};

fn outcome(case: &TestCase) -> TestOutcome {
    let checked = check_files(&case.files, &CheckOptions::default());
    assert!(checked.model_bugs.is_empty(), "bugs of models: {:#?}", checked.model_bugs);
    assert!(
        checked.failures.is_empty(),
        "the analysis failed: {:?}",
        checked.failures.iter().map(|(_, message)| message).collect::<Vec<_>>()
    );
    TestOutcome::from(checked.findings)
}

fn main() -> ExitCode {
    Suites::below(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest")).add("", outcome).run()
}
