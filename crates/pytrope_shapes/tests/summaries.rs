//! What is remembered of calls changes nothing but the time: every program gives the same findings, revealed types and places
//! included, as when every call is run.

#[path = "summaries/programs.rs"]
mod programs;

use std::fs;
use std::sync::Arc;

use pytrope_mdtest::{TestCase, TestOutcome, run};
use pytrope_shapes::check::{CheckOptions, Checked, check_files};
use pytrope_source::SourceFile;

/// Everything that people see of a check, one line for each finding.
fn shown(checked: &Checked) -> Vec<String> {
    assert!(checked.failures.is_empty(), "the analysis failed");
    checked
        .findings
        .iter()
        .map(|finding| {
            let related: Vec<_> =
                finding.related.iter().map(|related| (related.span.range, related.message.as_str())).collect();
            format!(
                "{} {} {:?} {:?} {} {:?} {:?} {related:?}",
                finding.primary.file.path(),
                finding.rule.id,
                finding.primary.range,
                finding.severity,
                finding.message,
                finding.raises,
                finding.help
            )
        })
        .collect()
}

/// Checks files with and without summaries; gives what was found, and how many calls were not run.
fn both_ways(name: &str, files: &[Arc<SourceFile>], possible: bool) -> (Checked, usize) {
    let options = CheckOptions { possible, ..CheckOptions::default() };
    let summarised = check_files(files, &options);
    let plain = check_files(files, &CheckOptions { runs_every_call: true, ..options });
    assert_eq!(plain.summaries_used, 0, "every call is run");
    for (summarised, plain) in shown(&summarised).iter().zip(&shown(&plain)) {
        assert_eq!(summarised, plain, "{name}");
    }
    assert_eq!(summarised.findings.len(), plain.findings.len(), "{name}");
    let used = summarised.summaries_used;
    (summarised, used)
}

/// A file told twice: what its first half calls, its second half calls again.
fn twice(file: &Arc<SourceFile>) -> Arc<SourceFile> {
    SourceFile::from_text(file.path(), format!("{0}\n{0}", file.text()))
}

fn outcome(case: &TestCase) -> TestOutcome {
    for possible in [false, true] {
        let files: Vec<Arc<SourceFile>> = case.files.iter().map(twice).collect();
        both_ways(&case.name, &files, possible);
    }
    TestOutcome::from(both_ways(&case.name, &case.files, false).0.findings)
}

#[test]
fn language() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/../pytrope_eval/tests/mdtest"), outcome);
}

#[test]
fn numpy() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/numpy"), outcome);
}

#[test]
fn torch() {
    run(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mdtest/torch"), outcome);
}

#[test]
fn tutorials() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/mutants/programs");
    let mut used = 0;
    for entry in fs::read_dir(folder).expect("the programs are there") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let mut text = fs::read_to_string(&path).expect("a program is readable");
            let names: Vec<String> = text
                .lines()
                .filter_map(|line| line.split_once(" = "))
                .map(|(name, _)| name.to_owned())
                .filter(|name| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_'))
                .collect();
            for name in names {
                text.push_str(&format!("reveal_type({name})\n"));
            }
            let name = path.display().to_string();
            used += both_ways(&name, &[SourceFile::from_text("program.py", text)], false).1;
        }
    }
    assert!(used > 1_000, "calls are remembered: {used}");
}

/// Many files at once share what is remembered, which must not be seen either.
#[test]
fn random_programs() {
    let mut used = 0;
    for first in (0..600).step_by(60) {
        let file = |seed| SourceFile::from_text(format!("program_{seed}.py"), programs::random(seed));
        let files: Vec<Arc<SourceFile>> = (first..first + 60).map(file).collect();
        used += both_ways(&format!("seeds from {first}"), &files, first % 240 == 0).1;
    }
    assert!(used > 4_000, "calls are remembered: {used}");
}

/// How many calls of a program are not run, if nothing of that shows.
fn used_in(text: &str) -> usize {
    both_ways("program.py", &[SourceFile::from_text("program.py", text)], false).1
}

#[test]
fn a_constructor_of_a_layer_is_remembered_at_any_count_of_steps() {
    for before in 0..9 {
        let steps = "x = 1\n".repeat(before);
        let layers = "nn.Conv2d(3, 8, 3)\nnn.Linear(4, 2)\n".repeat(2);
        let used = used_in(&format!("import torch.nn as nn\n\n{steps}{layers}"));
        assert!(used >= 2, "after {before} statements: {used}");
    }
}

#[test]
fn a_call_is_remembered_for_other_sizes_in_the_same_intervals() {
    let function = |name: &str, least: u32| {
        format!(
            "def {name}(a: Float[np.ndarray, \"n m\"]):\n    if a.shape[0] > {least}:\n        return np.concatenate([a, a])\n"
        )
    };
    let program =
        |functions: &[String]| format!("import numpy as np\nfrom jaxtyping import Float\n\n{}", functions.concat());
    let [same, other] = [3, 4].map(|least| used_in(&program(&[function("first", 3), function("second", least)])));
    assert!(same > other, "{same} calls of the same intervals, {other} of different ones");
}
