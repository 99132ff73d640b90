//! `--show-shapes`: the source with what each assignment binds beside it, as comments.

use std::collections::BTreeMap;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use pytrope_diagnostics::{Finding, OutputFormat, Place};
use pytrope_shapes::{BindingKind, CheckOptions, ShownBinding, show_all_shapes};
use pytrope_source::{Notebook, SourceFile};
use serde_json::{Value, json};

use crate::session::Session;

/// Comments start at this column, or behind a longer line.
const COLUMN: usize = 48;

/// Prints every file with its shapes and findings; as JSON, a list of bindings.
pub(super) fn print(
    files: &[Arc<SourceFile>],
    findings: &[Finding],
    options: &CheckOptions,
    format: OutputFormat,
    session: &Session,
) -> Result<()> {
    let shown: Vec<Vec<ShownBinding>> = show_all_shapes(files, options);
    if format.is_for_machines() {
        let shapes: Vec<Value> = shown.iter().flatten().map(to_json).collect();
        return session.print(|out| writeln!(out, "{:#}", json!({"version": 1, "shapes": shapes})));
    }
    let colour = session.colours_stdout();
    session.print(|out| {
        for (file, bindings) in files.iter().zip(&shown) {
            if files.len() > 1 {
                writeln!(out, "# ---- {} ----", file.path())?;
            }
            let notes = line_notes(file, bindings, findings);
            let cells = cell_lines(file);
            for (number, line) in (0..).zip(file.text().lines()) {
                if let Some(cell) = cells.get(&number) {
                    writeln!(out, "# ---- cell {cell} ----")?;
                }
                match notes.get(&number) {
                    Some(notes) => {
                        let padding = COLUMN.saturating_sub(line.chars().count()).max(2);
                        let style = if colour { AnsiColor::Cyan.on_default() } else { Style::new() };
                        writeln!(out, "{line}{:padding$}{style}# {}{style:#}", "", notes.join("; "))?;
                    }
                    None => writeln!(out, "{line}")?,
                }
            }
        }
        Ok(())
    })
}

/// The numbers of a notebook's cells, as findings name them, by the 0-based line of the text at which each starts. Cells of other
/// languages have no lines.
fn cell_lines(file: &SourceFile) -> BTreeMap<u32, u32> {
    let starts = file.notebook().into_iter().flat_map(Notebook::cell_starts);
    starts.filter_map(|start| Some((file.lines().line_of(start), file.location(start).cell?))).collect()
}

/// What stands beside each line of a file, by its 0-based number.
fn line_notes(file: &SourceFile, bindings: &[ShownBinding], findings: &[Finding]) -> BTreeMap<u32, Vec<String>> {
    let mut notes: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let last_line = |offset: u32| file.lines().line_of(offset);
    // A parameter that may be anything says nothing worth a line.
    let is_said = |binding: &&ShownBinding| binding.kind != BindingKind::Parameter || binding.values != ["Unknown"];
    for binding in bindings.iter().filter(is_said) {
        let note = format!("{}: {}", binding.name, shown_value(binding));
        notes.entry(last_line(binding.span.range.start)).or_default().push(note);
    }
    for finding in findings.iter().filter(|finding| finding.primary.file.path() == file.path()) {
        let note = format!("{}[{}]: {}", finding.severity, finding.rule.code, finding.headline());
        notes.entry(last_line(finding.primary.range.start)).or_default().push(note);
    }
    notes
}

fn shown_value(binding: &ShownBinding) -> String {
    match &binding.reason {
        Some(reason) if binding.values == ["Unknown"] => format!("{} ({reason})", binding.values.join(" | ")),
        _ => binding.values.join(" | "),
    }
}

fn to_json(binding: &ShownBinding) -> Value {
    let place = Place::of(&binding.span);
    json!({
        "path": binding.span.file.path(),
        "cell": place.cell,
        "line": place.line,
        "column": place.column,
        "name": binding.name,
        "value": binding.values.join(" | "),
        "reason": binding.reason,
        "kind": kind_name(binding.kind),
    })
}

fn kind_name(kind: BindingKind) -> &'static str {
    match kind {
        BindingKind::Variable => "variable",
        BindingKind::Parameter => "parameter",
        BindingKind::Attribute => "attribute",
        BindingKind::Return => "return",
    }
}
