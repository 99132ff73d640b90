//! Code actions: a finding's own fix, and a comment that ignores the rule on its line.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Position, Range, TextEdit, Url, WorkspaceEdit};
use pytrope_diagnostics::{Applicability, Finding, Fix};

use crate::analyzer::DocumentReport;
use crate::diagnostics::{to_diagnostic, to_location};
use crate::positions::PositionEncoding;

/// What can be done about the findings that touch a range.
pub(crate) fn actions_in(
    report: &DocumentReport,
    uri: &Url,
    range: Range,
    encoding: PositionEncoding,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for finding in &report.findings {
        let diagnostic = to_diagnostic(finding, encoding, None);
        if diagnostic.range.end < range.start || range.end < diagnostic.range.start {
            continue;
        }
        let action = |title: String, edit: WorkspaceEdit, is_preferred: bool| {
            CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(edit),
                is_preferred: Some(is_preferred),
                ..CodeAction::default()
            })
        };
        if let Some(fix) = &finding.fix
            && let Some(edit) = fix_edit(fix, encoding)
        {
            actions.push(action(fix.title.clone(), edit, fix.applicability == Applicability::Safe));
        }
        let title = format!("Ignore {} on this line", finding.rule.code);
        actions.push(action(title, ignore_edit(report, uri, finding, encoding), false));
    }
    actions
}

/// The changes of a fix, by file; none if one of them is in code of the binary.
fn fix_edit(fix: &Fix, encoding: PositionEncoding) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for change in &fix.changes {
        let location = to_location(&change.span, encoding)?;
        changes.entry(location.uri).or_default().push(TextEdit::new(location.range, change.text.clone()));
    }
    Some(WorkspaceEdit::new(changes))
}

/// Adds `# pytrope: ignore[CODE]` to the line of a finding, or its code to the comment that is there.
fn ignore_edit(report: &DocumentReport, uri: &Url, finding: &Finding, encoding: PositionEncoding) -> WorkspaceEdit {
    let (file, code) = (&report.file, finding.rule.code);
    let line = file.lines().line_of(finding.primary.range.start);
    let range = file.lines().line_range(line, file.text());
    let text = range.of(file.text()).trim_end_matches(['\r', '\n']);
    let existing = text.find("# pytrope: ignore[").and_then(|at| Some(at + text[at..].find(']')?));
    let (at, added) = match existing {
        Some(bracket) => (bracket, format!(", {code}")),
        None => (text.len(), format!("  # pytrope: ignore[{code}]")),
    };
    let offset = range.start + u32::try_from(at).unwrap_or_default();
    let position: Position = encoding.position_of(offset, file.lines(), file.text());
    let edit = TextEdit::new(Range::new(position, position), added);
    WorkspaceEdit::new(HashMap::from([(uri.clone(), vec![edit])]))
}
