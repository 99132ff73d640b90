//! The harness tested on a toy analysis: every line that starts with `bad` has an undefined name.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_mdtest::{TestCase, TestOutcome, run};
use pytrope_source::{Span, TextRange};

fn toy(case: &TestCase) -> TestOutcome {
    let mut outcome = TestOutcome::default();
    for file in &case.files {
        let text = file.text();
        let bad = |at: usize| at == 0 || text[..at].ends_with('\n');
        for (at, _) in text.match_indices("bad").filter(|&(at, _)| bad(at)) {
            let span = Span::new(file, TextRange::new(at as u32, at as u32 + 3));
            let finding = Finding::new(rule_by_id("undefined-name"), span, "name 'bad' is not defined");
            outcome.findings.push(finding.raises("NameError"));
        }
        outcome.outputs.push((file.path().replace(".py", ".out"), file.text().to_uppercase()));
    }
    outcome
}

/// Whether a document passes.
fn passes(markdown: &str) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("case.md"), markdown).expect("a writable folder");
    catch_unwind(AssertUnwindSafe(|| run(folder.path(), toy))).is_ok()
}

#[test]
fn expected_findings_pass() {
    assert!(passes("# T\n\n```python\nok\nbad  # error: [undefined-name] \"NameError: name 'bad'\"\n```\n"));
    assert!(passes("# T\n\n`a.py`:\n\n```python\nbad  # error: 1 [PT100]\n```\n\n```python\nok\n```\n"));
}

#[test]
fn missing_unexpected_and_different_findings_fail() {
    assert!(!passes("# T\n\n```python\nbad\n```\n"));
    assert!(!passes("# T\n\n```python\nok  # error: [undefined-name]\n```\n"));
    assert!(!passes("# T\n\n```python\nbad  # error: [missing-key]\n```\n"));
    assert!(!passes("# T\n\n```python\nbad  # error: \"other\"\n```\n"));
    assert!(!passes("# T\n\n```python\nbad  # warning: [undefined-name]\n```\n"));
    assert!(!passes("# T\n\nNo block at all.\n"));
}

#[test]
fn snapshots_and_outputs_are_compared() {
    let document = |snapshot: &str, output: &str| {
        format!(
            "# T\n\n```python\nbad\n```\n\n```snapshot concise\n{snapshot}\n```\n\n```python output=\"main.out\"\n{output}\n```\n"
        )
    };
    let concise = "main.py:1:1: PT100 NameError: name 'bad' is not defined";
    assert!(passes(&document(concise, "BAD")));
    assert!(!passes(&document("other", "BAD")));
    assert!(!passes(&document(concise, "other")));
}

#[test]
fn panics_of_the_analysis_are_failures_of_their_section() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("case.md"), "# T\n\n```python\nx\n```\n").expect("a writable folder");
    let result =
        catch_unwind(AssertUnwindSafe(|| run(folder.path(), |_: &TestCase| -> TestOutcome { panic!("boom") })));
    assert!(result.is_err());
}
