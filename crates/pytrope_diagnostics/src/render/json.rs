//! `json` and `json-lines`: findings for programs.

use std::io::{self, Write};

use pytrope_source::Span;
use serde_json::{Map, Value, json};

use super::RenderContext;
use crate::place::display_path;
use crate::{Applicability, Finding, Fix, Place};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics: Vec<Value> = findings.iter().map(|finding| finding_to_json(finding, context)).collect();
    let document = json!({"version": 1, "diagnostics": diagnostics});
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

pub(super) fn render_lines(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    for finding in findings {
        serde_json::to_writer(&mut *out, &finding_to_json(finding, context))?;
        writeln!(out)?;
    }
    Ok(())
}

/// A finding as the object that every JSON report of Pytrope holds.
pub fn finding_to_json(finding: &Finding, context: &RenderContext) -> Value {
    let mut object = Map::new();
    object.insert("code".into(), finding.rule.code.into());
    object.insert("rule".into(), finding.rule.id.into());
    object.insert("severity".into(), finding.severity.name().into());
    object.insert("message".into(), finding.message.as_str().into());
    object.insert("raises".into(), finding.raises.as_deref().into());
    put_span(&mut object, &finding.primary, context);
    let related = finding.related.iter().map(|related| {
        let mut object = Map::new();
        put_span(&mut object, &related.span, context);
        object.insert("message".into(), related.message.as_str().into());
        Value::Object(object)
    });
    object.insert("related".into(), related.collect());
    object.insert("help".into(), finding.help.as_deref().into());
    if let Some(fix) = &finding.fix {
        object.insert("fix".into(), fix_to_json(fix, context));
    }
    Value::Object(object)
}

fn fix_to_json(fix: &Fix, context: &RenderContext) -> Value {
    let edits = fix.changes.iter().map(|change| {
        let mut object = Map::new();
        put_span(&mut object, &change.span, context);
        object.insert("text".into(), change.text.as_str().into());
        Value::Object(object)
    });
    let applicability = match fix.applicability {
        Applicability::Safe => "safe",
        Applicability::Unsafe => "unsafe",
    };
    json!({"title": fix.title, "applicability": applicability, "edits": edits.collect::<Vec<_>>()})
}

fn put_span(object: &mut Map<String, Value>, span: &Span, context: &RenderContext) {
    let location = Place::of(span);
    object.insert("path".into(), display_path(span.file.path(), &context.base).into());
    if let Some(cell) = location.cell {
        object.insert("cell".into(), cell.into());
    }
    object.insert("line".into(), location.line.into());
    object.insert("column".into(), location.column.into());
    object.insert("end_line".into(), location.end_line.into());
    object.insert("end_column".into(), location.end_column.into());
}
