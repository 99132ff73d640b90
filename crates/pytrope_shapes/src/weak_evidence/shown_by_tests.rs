//! Claims about values that tests make doubtful.
//!
//! Tests run. A test that calls a working function of the program shows what the function does with these arguments, and one that
//! reads an attribute of a plain value in three files or more shows that the value is none: a method is generated when its
//! class is made, a library gives attributes to builtin types.
//!
//! ```python
//! def test_rows(reader):
//!     table = load(reader)
//!     assert table.rows[0].name == "a"       # that `table.rows` is empty is refuted by the test itself
//! ```
//!
//! What a test has made itself, by literals, builtins and libraries, is as certain there as anywhere. Errors of shapes and of arguments do
//! not depend on what a value is, and stay.

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_eval::code::Code;
use rustc_hash::{FxHashMap, FxHashSet};

use super::origins::Origins;
use super::{FORMER_ATTRIBUTES, PLAIN_TYPES, expression_at, function_names_around, is_claim, operands_of_finding};
use crate::blame::RAISED;

/// How many files of tests must read an attribute that a plain value lacks.
const TEST_FILES: usize = 3;

/// Takes out claims about values in tests that the tests themselves make doubtful.
pub(super) fn drop_what_tests_refute(codes: &FxHashMap<&str, &Arc<Code>>, findings: &mut Vec<Finding>) {
    let is_test = |path: &str| codes.get(path).is_some_and(|code| code.is_test);
    let is_raised_elsewhere = |finding: &Finding| {
        let mut raised = finding.related.iter().filter(|related| related.message == RAISED);
        raised.any(|related| !is_test(related.span.file.path()))
    };
    findings.retain(|finding| {
        let is_of_value = !finding.rule.code.starts_with("PT2") && finding.rule.id != "wrong-arguments";
        !(is_of_value && is_test(finding.primary.file.path()) && is_raised_elsewhere(finding))
    });
    let mut files: FxHashMap<String, FxHashSet<String>> = FxHashMap::default();
    for finding in findings.iter().filter(|finding| is_test(finding.primary.file.path())) {
        for claim in claims_about_value(finding) {
            files.entry(claim).or_default().insert(finding.primary.file.path().to_owned());
        }
    }
    files.retain(|_, paths| paths.len() >= TEST_FILES);
    if files.is_empty() {
        return;
    }
    let is_refuted = |finding: &Finding| claims_about_value(finding).any(|claim| files.contains_key(&claim));
    findings.retain(|finding| !is_test(finding.primary.file.path()) || !is_refuted(finding));
}

/// Takes out claims about values that tests get from the code under test.
pub(super) fn drop_claims_about_tested_values(
    codes: &FxHashMap<&str, &Arc<Code>>,
    is_library: &dyn Fn(&str) -> bool,
    findings: &mut Vec<Finding>,
) {
    findings.retain(|finding| {
        let code = codes.get(finding.primary.file.path());
        !code.is_some_and(|code| code.is_test && is_about_tested_value(code, is_library, finding))
    });
}

/// Whether a finding in a function that a runner of tests calls says what a value is that the function did not make itself.
fn is_about_tested_value(code: &Code, is_library: &dyn Fn(&str) -> bool, finding: &Finding) -> bool {
    let is_of_value = match finding.rule.id {
        "bad-operand" | "not-callable" | "not-iterable" | "index-range" | "missing-key" | "unpack-count" => true,
        "missing-attribute" => {
            let owner = finding.message.split('\'').nth(1).unwrap_or_default();
            finding.message.contains("' object has") && PLAIN_TYPES.contains(&owner)
        }
        _ => false,
    };
    if !is_of_value || !is_claim(finding) {
        return false;
    }
    let runs = function_names_around(code, finding.primary.range).any(|name| {
        name.starts_with("test") || matches!(name, "setUp" | "tearDown" | "setUpClass" | "setup_method" | "setup")
    });
    let Some(read) = expression_at(code, finding.primary.range).filter(|_| runs) else { return false };
    let origins = Origins { code, is_library };
    !operands_of_finding(code, finding, read).into_iter().all(|operand| origins.is_made_here(operand))
}

/// What a finding says of a plain value: that it lacks an attribute, whatever it is, and that None is there.
fn claims_about_value(finding: &Finding) -> impl Iterator<Item = String> {
    let mut quoted = finding.message.split('\'').skip(1).step_by(2);
    let (value, attribute) = (quoted.next().unwrap_or_default(), quoted.next().unwrap_or_default());
    let is_plain = finding.rule.id == "missing-attribute"
        && finding.message.contains("' object has")
        && PLAIN_TYPES.contains(&value)
        && !FORMER_ATTRIBUTES.contains(&attribute);
    let lacks = is_plain.then(|| format!(".{attribute}"));
    let is_none = (is_plain && value == "NoneType").then(|| value.to_owned());
    lacks.into_iter().chain(is_none)
}
