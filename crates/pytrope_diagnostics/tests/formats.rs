//! Every output format on the same findings, compared with `tests/snapshots` (`PYTROPE_UPDATE=1` rewrites them).

use std::path::Path;
use std::sync::Arc;

use pytrope_diagnostics::{
    Applicability, Baseline, Finding, Fix, Level, Levels, OutputFormat, RenderContext, Severity, TextChange, render,
    rule_by_id, sort_findings,
};
use pytrope_source::{SourceFile, Span, TextRange};

const TRAIN: &str = "\
import numpy as np
from model import weights

x = np.ones((2, 3))
w = weights()
h = x @ w
数 = x + np.ones(
    (4, 5),
)
reveal_type(x)
loss = mse(x[:, :1], x[:, 0])  # <tag> & \"quote\"
";

const MODEL: &str = "import numpy as np\n\ndef weights():\n\treturn np.ones((4, 5))\n";

const NOTEBOOK: &str = r##"{"cells": [
 {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
 {"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["a = 1\n", "b = [1, 2][2]\n"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"##;

fn span(file: &Arc<SourceFile>, text: &str) -> Span {
    let start = file.text().find(text).expect("the marked text is there");
    Span::new(file, TextRange::new(start as u32, (start + text.len()) as u32))
}

/// Findings that use everything a finding can have, in no order.
fn findings() -> Vec<Finding> {
    let train = SourceFile::from_text("/project/src/train.py", TRAIN);
    let model = SourceFile::from_text("/project/src/model.py", MODEL);
    let elsewhere = SourceFile::from_text("/other place/100%.py", "print(vlaues)\n");
    let (notebook, errors) = SourceFile::from_bytes("/project/n.ipynb", NOTEBOOK.as_bytes());
    assert_eq!(errors, []);
    let transpose = Fix {
        title: "transpose w".to_owned(),
        applicability: Applicability::Unsafe,
        changes: vec![TextChange { span: span(&train, "w\n数"), text: "w.T\n数".to_owned() }],
    };
    vec![
        Finding::new(rule_by_id("reveal-type"), span(&train, "x)"), "ndarray[2, 3]"),
        Finding::new(
            rule_by_id("broadcast-mismatch"),
            span(&train, "x + np.ones(\n    (4, 5),\n)"),
            "operands of shapes (2, 3) and (4, 5) do not broadcast",
        )
        .raises("ValueError")
        .related(span(&train, "np.ones((2, 3))"), "(2, 3) created here"),
        Finding::new(
            rule_by_id("matmul-mismatch"),
            span(&train, "x @ w"),
            "matrix product of (2, 3) and (4, 5): 3 ≠ 4",
        )
        .raises("ValueError")
        .related(span(&train, "np.ones((2, 3))"), "(2, 3) created here")
        .related(span(&model, "np.ones((4, 5))"), "(4, 5) created here")
        .help("the right operand needs 3 rows")
        .fix(transpose),
        Finding::new(
            rule_by_id("silent-broadcast"),
            span(&train, "mse(x[:, :1], x[:, 0])"),
            "(2, 1) and (2,) broadcast to (2, 2): <a> & \"b\"",
        )
        .severity(Severity::Warning),
        Finding::new(rule_by_id("index-range"), span(&notebook, "[1, 2][2]"), "index 2 of a list of 2")
            .raises("IndexError"),
        Finding::new(rule_by_id("undefined-name"), span(&elsewhere, "vlaues"), "name 'vlaues' is not defined")
            .raises("NameError"),
    ]
}

fn sorted() -> Vec<Finding> {
    let mut findings = findings();
    sort_findings(&mut findings);
    findings
}

fn rendered(format: OutputFormat, colour: bool, findings: &[Finding]) -> String {
    let context = RenderContext { base: "/project".into(), colour, links: None };
    let mut out = Vec::new();
    render(format, findings, &context, &mut out).expect("memory can be written");
    String::from_utf8(out).expect("every format is UTF-8")
}

#[track_caller]
fn snapshot(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots").join(name);
    if std::env::var_os("PYTROPE_UPDATE").is_some() {
        std::fs::write(&path, actual).expect("a writable snapshot");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == actual, "{name} differs from its snapshot (PYTROPE_UPDATE=1 rewrites it):\n{actual}");
}

#[test]
fn full() {
    snapshot("full.txt", &rendered(OutputFormat::Full, false, &sorted()));
    // Escapes are written out, so that the file stays text.
    snapshot("full_colour.txt", &rendered(OutputFormat::Full, true, &sorted()[..1]).replace('\u{1b}', "\\e"));
}

#[test]
fn concise() {
    let text = rendered(OutputFormat::Concise, false, &sorted());
    snapshot("concise.txt", &text);
    for line in text.lines() {
        // errorformat's %f:%l:%c: %m
        let numbers = line.split(": ").next().expect("a place");
        let mut parts = numbers.rsplitn(3, ':');
        assert!(parts.next().is_some_and(|column| column.parse::<u32>().is_ok()), "{line}");
        assert!(parts.next().is_some_and(|line| line.parse::<u32>().is_ok()), "{line}");
    }
}

#[test]
fn json() {
    let text = rendered(OutputFormat::Json, false, &sorted());
    snapshot("report.json", &text);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let lines = rendered(OutputFormat::JsonLines, false, &sorted());
    snapshot("report.jsonl", &lines);
    let each: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("a JSON object per line")).collect();
    assert_eq!(value["diagnostics"].as_array(), Some(&each), "both formats hold the same objects");
}

#[test]
fn sarif() {
    let text = rendered(OutputFormat::Sarif, false, &sorted());
    let mut report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    // The pages of rules are long and change on their own.
    for rule in report["runs"][0]["tool"]["driver"]["rules"].as_array_mut().expect("rules") {
        let help = rule.as_object_mut().expect("a rule").remove("help").expect("its page");
        assert!(help["markdown"].as_str().is_some_and(|page| page.starts_with("# ")), "{help}");
    }
    snapshot("report.sarif", &format!("{report:#}\n"));
}

#[test]
fn github() {
    snapshot("github.txt", &rendered(OutputFormat::Github, false, &sorted()));
}

#[test]
fn gitlab() {
    snapshot("gitlab.json", &rendered(OutputFormat::Gitlab, false, &sorted()));
}

#[test]
fn junit() {
    snapshot("junit.xml", &rendered(OutputFormat::Junit, false, &sorted()));
    snapshot("junit_empty.xml", &rendered(OutputFormat::Junit, false, &[]));
}

#[test]
fn findings_sort_by_path_line_column_and_repetitions_go() {
    let mut twice = findings();
    twice.extend(findings());
    sort_findings(&mut twice);
    assert_eq!(rendered(OutputFormat::Concise, false, &twice), rendered(OutputFormat::Concise, false, &sorted()));
}

#[test]
fn columns_are_code_points() {
    let place = pytrope_diagnostics::Place::of(&sorted().iter().find(|f| f.rule.code == "PT201").expect("it").primary);
    assert_eq!((place.line, place.column, place.end_line, place.end_column), (7, 5, 9, 2));
}

#[test]
fn a_baseline_knows_its_findings_after_a_round_trip() {
    let base = Path::new("/project");
    let known = Baseline::of(&sorted(), base, base);
    let read = Baseline::parse(&known.to_json()).expect("what was written can be read");
    assert_eq!(read, known);
    let left = read.filter(sorted(), base, base);
    let rules: Vec<_> = left.iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["reveal-type"], "notes are answers, not debts");
}

#[test]
fn levels_apply_to_their_rule_only() {
    let mut levels = Levels::default();
    levels.set(rule_by_id("matmul-mismatch"), Level::Ignore);
    levels.set(rule_by_id("index-range"), Level::Note);
    let left: Vec<Finding> = sorted().into_iter().filter_map(|finding| levels.apply(finding)).collect();
    assert!(left.iter().all(|finding| finding.rule.id != "matmul-mismatch"));
    let severity = |id: &str| left.iter().find(|finding| finding.rule.id == id).map(|finding| finding.severity);
    assert_eq!(severity("index-range"), Some(Severity::Note));
    assert_eq!(severity("broadcast-mismatch"), Some(Severity::Error));
}
