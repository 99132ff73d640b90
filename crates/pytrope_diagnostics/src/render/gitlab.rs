//! `gitlab`: GitLab's code quality report.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::RenderContext;
use super::fingerprint::fingerprints;
use crate::place::display_path;
use crate::{Finding, Place, Severity};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    let issues: Vec<Value> = findings
        .iter()
        .zip(fingerprints(findings, context))
        .map(|(finding, fingerprint)| {
            let location = Place::of(&finding.primary);
            let severity = match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            };
            let mut description = finding.headline();
            if let Some(cell) = location.cell {
                description = format!("cell {cell}, line {}: {description}", location.line);
            }
            json!({
                "description": description,
                "check_name": finding.rule.id,
                "fingerprint": fingerprint,
                "severity": severity,
                "location": {
                    "path": display_path(finding.primary.file.path(), &context.base),
                    "positions": {
                        "begin": {"line": location.line, "column": location.column},
                        "end": {"line": location.end_line, "column": location.end_column},
                    },
                },
            })
        })
        .collect();
    serde_json::to_writer_pretty(&mut *out, &issues)?;
    writeln!(out)
}
