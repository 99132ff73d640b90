//! `concise`: one line per finding, readable by errorformat `%f:%l:%c: %m`.

use std::io::{self, Write};

use super::RenderContext;
use super::excerpt::printable;
use crate::place::display_path;
use crate::{Finding, Place};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        let place = place(finding, context);
        writeln!(out, "{place}: {} {}", finding.rule.code, printable(&finding.headline()))?;
    }
    Ok(())
}

/// `path:line:col`, or `path:cell N:line:col` in a notebook.
pub(super) fn place(finding: &Finding, context: &RenderContext) -> String {
    span_place(&finding.primary, context)
}

/// The same for any span.
pub(super) fn span_place(span: &pytrope_source::Span, context: &RenderContext) -> String {
    let path = display_path(span.file.path(), &context.base);
    let path = printable(&path);
    let Place { cell, line, column, .. } = Place::of(span);
    match cell {
        Some(cell) => format!("{path}:cell {cell}:{line}:{column}"),
        None => format!("{path}:{line}:{column}"),
    }
}
