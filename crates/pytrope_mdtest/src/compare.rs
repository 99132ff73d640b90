//! What a section expects against what the analysis found.

use std::path::Path;

use pytrope_diagnostics::{Finding, OutputFormat, RenderContext, render};
use similar::TextDiff;

use crate::assertion::{Assertion, read_assertions};
use crate::document::{CodeBlock, DocumentSection, Role};
use crate::{TestCase, TestOutcome};

/// One difference, at a line of the Markdown file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TestFailure {
    pub line: usize,
    pub message: String,
}

/// A block whose text must be replaced for the section to hold.
pub(crate) struct ExpectationUpdate {
    /// The 1-based line of the block's first line of text.
    pub line: usize,
    pub old_lines: usize,
    pub text: String,
}

/// The differences of a section, and the blocks that `PYTROPE_UPDATE` would rewrite.
pub(crate) fn compare_section(
    section: &DocumentSection,
    case: &TestCase,
    outcome: &TestOutcome,
) -> (Vec<TestFailure>, Vec<ExpectationUpdate>) {
    let mut failures = Vec::new();
    let mut updates = Vec::new();
    compare_findings(section, case, &outcome.findings, &mut failures);
    for block in &section.blocks {
        let (name, actual) = match &block.role {
            Role::Snapshot { format } => match render_findings(format, &outcome.findings) {
                Ok(text) => (format!("the {format} snapshot"), text),
                Err(message) => {
                    failures.push(TestFailure { line: block.line - 1, message });
                    continue;
                }
            },
            Role::Output { path } => {
                let Some((_, text)) = outcome.outputs.iter().find(|(name, _)| name == path) else {
                    let written: Vec<_> = outcome.outputs.iter().map(|(name, _)| name.as_str()).collect();
                    let message = format!("`{path}` was not written; what was: {written:?}");
                    failures.push(TestFailure { line: block.line - 1, message });
                    continue;
                };
                (format!("`{path}`"), text.clone())
            }
            Role::Input { .. } | Role::Config => continue,
        };
        let actual = if actual.is_empty() || actual.ends_with('\n') { actual } else { actual + "\n" };
        if actual != block.text {
            failures.push(TestFailure {
                line: block.line,
                message: format!("{name} differs\n{}", diff(&block.text, &actual)),
            });
            updates.push(ExpectationUpdate { line: block.line, old_lines: block.text.lines().count(), text: actual });
        }
    }
    failures.sort_by_key(|failure| failure.line);
    (failures, updates)
}

fn compare_findings(section: &DocumentSection, case: &TestCase, findings: &[Finding], failures: &mut Vec<TestFailure>) {
    let mut left: Vec<&Finding> = findings.iter().collect();
    for file in &case.files {
        let blocks = || section.blocks.iter().filter(|block| is_input(block, file.path()));
        let expected = match read_assertions(file.text()) {
            Ok(expected) => expected,
            Err(message) => {
                let line = blocks().next().map_or(section.line, |block| block.line);
                failures.push(TestFailure { line, message: format!("`{}`, {message}", file.path()) });
                continue;
            }
        };
        for Assertion { line, written, expected } in expected {
            let matching = left.iter().position(|finding| {
                finding.primary.file.path() == file.path()
                    && absolute_line(finding) == line
                    && expected.matches(finding)
            });
            match matching {
                Some(index) => {
                    left.remove(index);
                }
                None => failures.push(TestFailure {
                    line: markdown_line(section, file.path(), written),
                    message: format!("nothing found is `{expected}`"),
                }),
            }
        }
    }
    if section.blocks.iter().any(|block| matches!(block.role, Role::Snapshot { .. })) {
        return;
    }
    for finding in left {
        let path = finding.primary.file.path();
        let place =
            if case.files.iter().any(|file| file.path() == path) { String::new() } else { format!(" in `{path}`") };
        failures.push(TestFailure {
            line: markdown_line(section, path, absolute_line(finding)),
            message: format!(
                "unexpected{place}: {}: {} [{}] \"{}\"",
                finding.severity,
                pytrope_diagnostics::Place::of(&finding.primary).column,
                finding.rule.id,
                finding.headline()
            ),
        });
    }
}

fn is_input(block: &CodeBlock, path: &str) -> bool {
    matches!(&block.role, Role::Input { path: own } if own == path)
}

/// The 1-based line of the file's whole text, whatever its cells.
fn absolute_line(finding: &Finding) -> usize {
    let span = &finding.primary;
    span.file.lines().line_of(span.range.start) as usize + 1
}

/// The line of the Markdown file that holds a line of a case's file.
fn markdown_line(section: &DocumentSection, path: &str, line: usize) -> usize {
    let mut before = 0;
    for block in section.blocks.iter().filter(|block| is_input(block, path)) {
        let count = block.text.lines().count();
        if line <= before + count {
            return block.line + line - before - 1;
        }
        before += count;
    }
    section.line
}

fn render_findings(format: &str, findings: &[Finding]) -> Result<String, String> {
    let format = OutputFormat::ALL
        .into_iter()
        .find(|known| known.name() == format)
        .ok_or_else(|| format!("`{format}` is not an output format"))?;
    let context = RenderContext { base: Path::new("/").to_owned(), colour: false, links: None };
    let mut bytes = Vec::new();
    render(format, findings, &context, &mut bytes).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn diff(expected: &str, actual: &str) -> String {
    TextDiff::from_lines(expected, actual).unified_diff().header("expected", "actual").context_radius(3).to_string()
}
