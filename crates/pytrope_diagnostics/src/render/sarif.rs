//! `sarif`: SARIF 2.1.0, read by code scanning services and editors.

use std::io::{self, Write};
use std::path::Path;

use pytrope_source::Span;
use serde_json::{Value, json};

use super::RenderContext;
use super::fingerprint::fingerprints;
use crate::place::display_path;
use crate::{Finding, Fix, Place, Rule, Severity, rules};

pub(super) fn render(findings: &[Finding], context: &RenderContext, out: &mut dyn Write) -> io::Result<()> {
    // Only the rules that occur are described, so that a short report stays short.
    let used: Vec<&Rule> =
        rules().iter().filter(|rule| findings.iter().any(|finding| finding.rule.code == rule.code)).collect();
    let results: Vec<Value> = findings
        .iter()
        .zip(fingerprints(findings, context))
        .map(|(finding, fingerprint)| result_of(finding, &fingerprint, &used, context))
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "pytrope",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": used.iter().map(|rule| describe_rule(rule)).collect::<Vec<_>>(),
            }},
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {"SRCROOT": {"uri": folder_uri(&context.base)}},
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn level_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

fn describe_rule(rule: &Rule) -> Value {
    json!({
        "id": rule.code,
        "name": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": level_of(rule.level)},
    })
}

fn result_of(finding: &Finding, fingerprint: &str, used: &[&Rule], context: &RenderContext) -> Value {
    let index = used.iter().position(|rule| rule.code == finding.rule.code).expect("every finding's rule is used");
    let mut result = json!({
        "ruleId": finding.rule.code,
        "ruleIndex": index,
        "level": level_of(finding.severity),
        "message": {"text": finding.headline()},
        "locations": [location_of(&finding.primary, None, context)],
        "partialFingerprints": {"pytrope/v1": fingerprint},
    });
    let object = result.as_object_mut().expect("made as an object");
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|related| location_of(&related.span, Some(&related.message), context));
        object.insert("relatedLocations".into(), related.collect());
    }
    if let Some(fix) = &finding.fix {
        object.insert("fixes".into(), json!([fix_to_sarif(fix, context)]));
    }
    let properties: serde_json::Map<String, Value> = [("raises", &finding.raises), ("help", &finding.help)]
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value.as_deref()?.into())))
        .collect();
    if !properties.is_empty() {
        object.insert("properties".into(), properties.into());
    }
    result
}

fn location_of(span: &Span, message: Option<&str>, context: &RenderContext) -> Value {
    let mut value = json!({"physicalLocation": {
        "artifactLocation": artifact_of(span.file.path(), &context.base),
        "region": region_of(span),
    }});
    let object = value.as_object_mut().expect("made as an object");
    if let Some(message) = message {
        object.insert("message".into(), json!({"text": message}));
    }
    if let Some(cell) = Place::of(span).cell {
        object.insert("logicalLocations".into(), json!([{"name": format!("cell {cell}"), "kind": "member"}]));
    }
    value
}

fn region_of(span: &Span) -> Value {
    let Place { line, column, end_line, end_column, .. } = Place::of(span);
    json!({"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column})
}

fn fix_to_sarif(fix: &Fix, context: &RenderContext) -> Value {
    let changes: Vec<Value> = fix
        .changes
        .iter()
        .map(|change| {
            json!({
                "artifactLocation": artifact_of(change.span.file.path(), &context.base),
                "replacements": [{"deletedRegion": region_of(&change.span), "insertedContent": {"text": change.text}}],
            })
        })
        .collect();
    json!({"description": {"text": fix.title}, "artifactChanges": changes})
}

/// A path under the working directory is relative to SRCROOT; any other is a `file:` URI.
fn artifact_of(path: &str, base: &Path) -> Value {
    let shown = display_path(path, base);
    if shown.starts_with('/') {
        json!({"uri": format!("file://{}", percent_encode(&shown))})
    } else {
        json!({"uri": percent_encode(&shown), "uriBaseId": "SRCROOT"})
    }
}

fn folder_uri(base: &Path) -> String {
    let path = percent_encode(&base.to_string_lossy().replace('\\', "/"));
    format!("file://{path}{}", if path.ends_with('/') { "" } else { "/" })
}

/// Percent-encodes what a URI path may not hold.
fn percent_encode(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=@".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}
