//! `junit`: one test suite per file, one failed case per finding.

use std::io::{self, Write};

use super::RenderContext;
use super::concise::place;
use crate::place::display_path;
use crate::{Finding, Place, Severity};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    // Notes answer questions; a report of failed tests has no place for them.
    let failures: Vec<&Finding> = findings.iter().filter(|finding| finding.severity.fails()).collect();
    let total = failures.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(out, r#"<testsuites name="pytrope" tests="{}" failures="{total}" errors="0">"#, total.max(1))?;
    if failures.is_empty() {
        // Some readers take a report without cases for a failed run.
        writeln!(out, r#"  <testsuite name="pytrope" tests="1" failures="0" errors="0">"#)?;
        writeln!(out, r#"    <testcase name="no findings" classname="pytrope"/>"#)?;
        writeln!(out, "  </testsuite>")?;
    }
    for file in failures.chunk_by(|left, right| left.primary.file.path() == right.primary.file.path()) {
        let path = escape_attribute(&display_path(file[0].primary.file.path(), &context.base));
        let count = file.len();
        writeln!(out, r#"  <testsuite name="{path}" tests="{count}" failures="{count}" errors="0">"#)?;
        for finding in file {
            let Place { line, column, .. } = Place::of(&finding.primary);
            let name = format!("{} {}", finding.rule.code, finding.rule.id);
            let kind = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            };
            writeln!(
                out,
                r#"    <testcase name="{}" classname="{path}" file="{path}" line="{line}" column="{column}">"#,
                escape_attribute(&name)
            )?;
            let mut text = format!("{}: {}", place(finding, context), finding.headline());
            for related in &finding.related {
                text.push_str(&format!(
                    "\n{}: {}",
                    super::concise::span_place(&related.span, context),
                    related.message
                ));
            }
            if let Some(help) = &finding.help {
                text.push_str(&format!("\nhelp: {help}"));
            }
            writeln!(
                out,
                r#"      <failure type="{kind}" message="{}">{}</failure>"#,
                escape_attribute(&finding.headline()),
                escape_attribute(&text)
            )?;
            writeln!(out, "    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Escapes text for XML; characters that XML 1.0 cannot hold become U+FFFD.
fn escape_attribute(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}
