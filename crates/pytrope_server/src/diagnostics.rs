//! Findings as the protocol's diagnostics.

use std::path::Path;

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Url,
};
use pytrope_diagnostics::{Finding, Severity};
use pytrope_source::Span;

use crate::positions::PositionEncoding;

/// A finding in the document that it is about.
pub(crate) fn to_diagnostic(finding: &Finding, encoding: PositionEncoding, rule_page: Option<&str>) -> Diagnostic {
    let file = &finding.primary.file;
    let mut message = finding.headline();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = finding.related.iter().filter_map(|related| {
        let location = to_location(&related.span, encoding)?;
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: encoding.range_of(finding.primary.range, file.lines(), file.text()),
        severity: Some(match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::INFORMATION,
        }),
        code: Some(NumberOrString::String(finding.rule.code.to_owned())),
        code_description: rule_page.and_then(|page| Url::parse(page).ok()).map(|href| CodeDescription { href }),
        source: Some("pytrope".to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: (finding.rule.id == "unused-ignore").then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// The place of a span in its file; none for code of the binary, such as a model.
pub(crate) fn to_location(span: &Span, encoding: PositionEncoding) -> Option<Location> {
    let file = &span.file;
    if file.path().starts_with('<') {
        return None;
    }
    let path = std::path::absolute(Path::new(file.path())).ok()?;
    let uri = Url::from_file_path(path).ok()?;
    Some(Location::new(uri, encoding.range_of(span.range, file.lines(), file.text())))
}
