//! Code actions: a finding's own fix, a comment that ignores the rule on its line, and the annotation that was inferred for a name.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, Range, TextEdit, Url, WorkspaceEdit};
use pytrope_diagnostics::{Applicability, Finding, Fix};
use pytrope_shapes::{BindingKind, ShownBinding};
use pytrope_source::{SourceFile, Span, TextRange};

use crate::analyzer::DocumentReport;
use crate::diagnostics::to_diagnostic;
use crate::places::Places;
use crate::shape_hints::{array_shape, name_range};

/// What can be done about the findings that touch a range.
pub(crate) fn actions_in(
    report: &DocumentReport,
    uri: &Url,
    range: Range,
    places: Places<'_>,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for finding in &report.findings {
        if places.location_of(&finding.primary).is_none_or(|location| location.uri != *uri) {
            continue;
        }
        let diagnostic = to_diagnostic(finding, places, None);
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
            && let Some(edit) = fix_edit(fix, places)
        {
            actions.push(action(fix.title.clone(), edit, fix.applicability == Applicability::Safe));
        }
        let title = format!("Ignore {} on this line", finding.rule.code);
        if let Some(edit) = ignore_edit(report, finding, places) {
            actions.push(action(title, edit, false));
        }
    }
    actions
}

/// The changes of a fix, by file; none if one of them is in code of the binary.
fn fix_edit(fix: &Fix, places: Places<'_>) -> Option<WorkspaceEdit> {
    let changes = fix.changes.iter().map(|change| (change.span.clone(), change.text.clone()));
    edit_of(&changes.collect::<Vec<_>>(), places)
}

fn edit_of(changes: &[(Span, String)], places: Places<'_>) -> Option<WorkspaceEdit> {
    let mut by_document: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    for (span, text) in changes {
        let location = places.location_of(span)?;
        by_document.entry(location.uri).or_default().push(TextEdit::new(location.range, text.clone()));
    }
    Some(WorkspaceEdit::new(by_document))
}

/// Adds `# pytrope: ignore[CODE]` to the line of a finding, or its code to the comment that is there.
fn ignore_edit(report: &DocumentReport, finding: &Finding, places: Places<'_>) -> Option<WorkspaceEdit> {
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
    edit_of(&[(Span::new(file, TextRange::at(offset)), added)], places)
}

/// Offers `x: NdArray["n", 3]` for the names in a range that have no annotation and hold an array of known rank.
pub(crate) fn annotation_actions(
    file: &std::sync::Arc<SourceFile>,
    bindings: &[ShownBinding],
    uri: &Url,
    range: Range,
    places: Places<'_>,
) -> Vec<CodeActionOrCommand> {
    let mut actions = Vec::new();
    for binding in bindings {
        let name = name_range(binding);
        let location = places.location_of(&Span::new(file, name));
        let is_meant = location.is_some_and(|location| {
            location.uri == *uri && location.range.start <= range.end && range.start <= location.range.end
        });
        if !is_meant {
            continue;
        }
        let Some((class, hint)) = annotation_of(file, binding, name) else { continue };
        let mut changes = vec![(Span::new(file, TextRange::at(name.end)), format!(": {hint}"))];
        changes.extend(import_of(file, class));
        if let Some(edit) = edit_of(&changes, places) {
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: format!("Annotate `{}` as {hint}", binding.name),
                kind: Some(CodeActionKind::REFACTOR_REWRITE),
                edit: Some(edit),
                ..CodeAction::default()
            }));
        }
    }
    actions
}

/// The class of hints and the hint of a name that can be annotated where it is bound: a parameter, or the target of an
/// assignment that binds nothing else.
fn annotation_of(file: &SourceFile, binding: &ShownBinding, name: TextRange) -> Option<(&'static str, String)> {
    let [value] = binding.values.as_slice() else { return None };
    let sizes = array_shape(value)?;
    let (before, after) = (&file.text()[..name.start as usize], &file.text()[name.end as usize..]);
    let follows = after.trim_start_matches([' ', '\t']);
    let can_follow = match binding.kind {
        BindingKind::Parameter => follows.starts_with([',', ')', '=', '\n', '\r']),
        BindingKind::Variable | BindingKind::Attribute => {
            let line = before.rsplit('\n').next().unwrap_or_default();
            let starts_line = line.trim_start_matches([' ', '\t', '_', '.']).chars().all(char::is_alphanumeric);
            starts_line && follows.starts_with('=') && !follows.starts_with("==")
        }
        BindingKind::Return => false,
    };
    if !can_follow {
        return None;
    }
    let sizes: Vec<&str> = sizes[1..sizes.len() - 1].split(", ").map(str::trim).collect();
    let is_named = |size: &str| {
        size.chars().all(|c| c.is_alphanumeric() || c == '_') && !size.starts_with(|c: char| c.is_ascii_digit())
    };
    let spelled = |dynamic: &str, named: bool| -> Vec<String> {
        sizes
            .iter()
            .map(|size| match *size {
                "..." => "...".to_owned(),
                size if size.parse::<u64>().is_ok() => size.to_owned(),
                size if named && is_named(size) => format!("\"{size}\""),
                _ => dynamic.to_owned(),
            })
            .collect()
    };
    let is_scalar = sizes == ["()"] || sizes == [""];
    if value.starts_with("ndarray") {
        let hint = if is_scalar { "()".to_owned() } else { spelled("int", true).join(", ") };
        return Some(("NdArray", format!("NdArray[{hint}]")));
    }
    let is_tensor = value.starts_with("Tensor") && !sizes.contains(&"...") && !is_scalar;
    is_tensor.then(|| ("TensorType", format!("TensorType([{}])", spelled("Dyn", false).join(", "))))
}

/// The import that a hint needs, before the first import of the file, unless it is there.
fn import_of(file: &std::sync::Arc<SourceFile>, class: &str) -> Option<(Span, String)> {
    let names = if class == "TensorType" { "Dyn, TensorType" } else { class };
    let line = format!("from pytrope.hints import {names}\n");
    let mut offset = 0;
    let mut place = None;
    for text in file.text().split_inclusive('\n') {
        if text.starts_with("from pytrope.hints import") && text.contains(class) {
            return None;
        }
        let is_import = text.starts_with("import ") || text.starts_with("from ");
        if place.is_none() && is_import && !text.starts_with("from __future__") {
            place = Some(offset);
        }
        offset += u32::try_from(text.len()).unwrap_or_default();
    }
    Some((Span::new(file, TextRange::at(place.unwrap_or(0))), line))
}
