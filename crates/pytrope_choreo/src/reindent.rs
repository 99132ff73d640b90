//! Moving source text to another indentation without touching the insides of strings.

use pytrope_source::TextRange;
use pytrope_source::tree::ExprKind;

use crate::declaration::Unit;

/// The lines of a statement's text, as if it stood at the margin. `text` is the source at `range`, or an edited form of it with the same lines.
pub(crate) fn dedented_lines(unit: &Unit, range: TextRange, text: &str) -> Vec<String> {
    let source = unit.file.text();
    let line = unit.file.lines().line_of(range.start);
    let indent = (range.start - unit.file.lines().line_start(line, source)) as usize;
    let same_lines = text.lines().count() == range.of(source).lines().count();
    let mut offset = range.start;
    let mut lines = Vec::new();
    for (at, (line, original)) in text.lines().zip(range.of(source).lines()).enumerate() {
        if at == 0 {
            lines.push(line.to_owned());
        } else if same_lines && in_string(unit, offset) {
            // A line inside a string cannot move; mark it so that the printer does not indent it.
            lines.push(format!("{KEEP}{line}"));
        } else {
            let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
            lines.push(line[spaces.min(indent)..].to_owned());
        }
        offset += original.len() as u32;
        offset += match &source.as_bytes()[offset as usize..] {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
    }
    lines
}

/// Begins a line that is printed as it is, whatever the indentation.
pub(crate) const KEEP: char = '\u{1}';

fn in_string(unit: &Unit, offset: u32) -> bool {
    let tree = &unit.tree;
    let upto = unit.order.partition_point(|&expr| tree[expr].range.start < offset);
    unit.order[..upto].iter().rev().take(200).any(|&expr| {
        matches!(
            tree[expr].kind,
            ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::FString { .. } | ExprKind::TString { .. }
        ) && tree[expr].range.end > offset
            && tree[expr].range.of(unit.file.text()).contains('\n')
    })
}
