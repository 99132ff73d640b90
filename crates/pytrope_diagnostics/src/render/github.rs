//! `github`: workflow commands that annotate a pull request.

use std::io::{self, Write};

use super::RenderContext;
use crate::place::display_path;
use crate::{Finding, Place, Severity};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let path = display_path(finding.primary.file.path(), &context.base);
        let Place { cell, line, column, end_line, end_column } = Place::of(&finding.primary);
        let title = format!("{} {}", finding.rule.code, finding.rule.id);
        let mut message = finding.headline();
        if let Some(cell) = cell {
            // Annotations know lines of files only, so the cell is said in words.
            message = format!("cell {cell}, line {line}: {message}");
        }
        if let Some(help) = &finding.help {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
        write!(out, "::{command} file={}", escape_property(&path))?;
        if cell.is_none() {
            write!(out, ",line={line},col={column},endLine={end_line}")?;
            // GitHub reads an end column only where the annotation ends on its first line.
            if end_line == line {
                write!(out, ",endColumn={end_column}")?;
            }
        }
        writeln!(out, ",title={}::{}", escape_property(&title), escape_data(&message))?;
    }
    Ok(())
}

fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}
