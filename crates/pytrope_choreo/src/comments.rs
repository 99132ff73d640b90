//! Comments of the source that belong to a statement.

use pytrope_source::TextRange;

use crate::declaration::Unit;

#[derive(Default)]
pub(crate) struct Comments {
    pub leading: Vec<String>,
    pub trailing: Option<String>,
}

/// The comment lines directly above a range and the comment behind it.
pub(crate) fn comments_around(unit: &Unit, range: TextRange) -> Comments {
    if unit.comments.is_empty() {
        return Comments::default();
    }
    let text = unit.file.text();
    let lines = unit.file.lines();
    let mut leading = Vec::new();
    let mut line = lines.line_of(range.start);
    while line > 0 {
        line -= 1;
        let above = lines.line_range(line, text);
        let shown = above.of(text).trim();
        let start = above.start + (above.of(text).len() - above.of(text).trim_start().len()) as u32;
        if !shown.starts_with('#') || !is_comment(unit, start) {
            break;
        }
        if !is_instruction(shown) {
            leading.push(shown.to_owned());
        }
    }
    leading.reverse();
    let last = lines.line_range(lines.line_of(range.end), text);
    let trailing = unit
        .comments
        .iter()
        .find(|comment| comment.start >= range.end && comment.end <= last.end)
        .map(|comment| comment.of(text).to_owned())
        .filter(|comment| !is_instruction(comment));
    Comments { leading, trailing }
}

fn is_comment(unit: &Unit, start: u32) -> bool {
    unit.comments.binary_search_by_key(&start, |comment| comment.start).is_ok()
}

/// Comments that speak to tools about the choreography, not to people about the program.
fn is_instruction(comment: &str) -> bool {
    let words = comment.trim_start_matches('#').trim_start();
    ["type:", "noqa", "pytrope:", "pyright:", "mypy:", "ruff:", "fmt:", "pragma:", "!", "-*-", "error:", "revealed:"]
        .iter()
        .any(|start| words.starts_with(start))
}
