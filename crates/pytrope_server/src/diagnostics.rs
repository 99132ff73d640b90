//! Findings as the protocol's diagnostics.

use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString, Url,
};
use pytrope_diagnostics::{Finding, Severity};

use crate::places::Places;

/// A finding in the document that it is about.
pub(crate) fn to_diagnostic(finding: &Finding, places: Places<'_>, rule_page: Option<&str>) -> Diagnostic {
    let mut message = finding.headline();
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let related = finding.related.iter().filter_map(|related| {
        let location = places.location_of(&related.span)?;
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related: Vec<_> = related.collect();
    Diagnostic {
        range: places.range_of(&finding.primary),
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
