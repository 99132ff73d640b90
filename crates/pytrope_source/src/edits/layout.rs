//! How a file is laid out: its line ending, its indentation, and what shares a line with what.

use crate::parse::Parsed;
use crate::text::TextRange;
use crate::tree::{List, StmtId, StmtKind};

pub(super) struct TextLayout<'a> {
    parsed: &'a Parsed,
    text: &'a str,
    pub(super) newline: &'static str,
    /// One level of indentation.
    pub(super) unit: String,
}

/// Where a line ends: the offset after it, and whether a newline ends it.
pub(super) struct LineEnd {
    pub(super) after: u32,
    pub(super) terminated: bool,
}

impl<'a> TextLayout<'a> {
    pub(super) fn new(parsed: &'a Parsed) -> Self {
        let text = parsed.file.text();
        let newline = match text.find(['\n', '\r']) {
            Some(at) if text[at..].starts_with("\r\n") => "\r\n",
            Some(at) if text[at..].starts_with('\r') => "\r",
            _ => "\n",
        };
        let unit = indentation_unit(parsed, text);
        Self { parsed, text, newline, unit }
    }

    pub(super) fn line_start(&self, offset: u32) -> u32 {
        let lines = self.parsed.file.lines();
        lines.line_start(lines.line_of(offset), self.text)
    }

    /// Only white space stands before the offset in its line.
    pub(super) fn starts_line(&self, offset: u32) -> bool {
        let before = TextRange::new(self.line_start(offset), offset).of(self.text);
        before.bytes().all(|b| matches!(b, b' ' | b'\t' | b'\x0c'))
    }

    /// Nothing but white space and a comment stands after the offset in its line.
    pub(super) fn ends_line(&self, offset: u32) -> bool {
        let rest = TextRange::new(offset, self.line_end(offset).after).of(self.text).trim();
        rest.is_empty() || rest.starts_with('#')
    }

    /// The end of the logical line: a backslash carries it on.
    pub(super) fn line_end(&self, offset: u32) -> LineEnd {
        let lines = self.parsed.file.lines();
        let mut line = lines.line_of(offset);
        loop {
            let range = lines.line_range(line, self.text);
            let rest = TextRange::new(range.start.max(offset), range.end).of(self.text);
            let body = rest.trim_end_matches(['\n', '\r']);
            if body.ends_with('\\') && body.len() < rest.len() && !body.contains('#') {
                line += 1;
                continue;
            }
            let terminated = body.len() < rest.len();
            return LineEnd { after: range.end, terminated };
        }
    }

    /// `start` lies in a line that the other range ends or starts in.
    pub(super) fn same_line(&self, start: u32, other: TextRange) -> bool {
        let lines = self.parsed.file.lines();
        let line = lines.line_of(start);
        line == lines.line_of(other.start) || line == lines.line_of(other.end)
    }

    /// The white space, and the `;` if there is one, between the statement before and this one.
    pub(super) fn gap_before(&self, start: u32) -> TextRange {
        let before = &self.text[..start as usize];
        let mut kept = before;
        loop {
            let bare = kept.trim_end_matches([' ', '\t', '\x0c', ';']);
            let joined = ["\\\r\n", "\\\n", "\\\r"].iter().find_map(|end| bare.strip_suffix(end));
            if let Some(shorter) = joined {
                kept = shorter;
            } else {
                kept = bare;
                break;
            }
        }
        TextRange::new(kept.len() as u32, start)
    }

    /// The indentation of a suite's statements, also of one that stands on its header's line.
    pub(super) fn suite_indent(&self, suite: List<StmtId>) -> String {
        let tree = &self.parsed.tree;
        let Some(&first) = tree[suite].first() else {
            return String::new();
        };
        let start = tree[first].range.start;
        if self.starts_line(start) {
            return TextRange::new(self.line_start(start), start).of(self.text).to_owned();
        }
        match tree.enclosing(first) {
            // `a; b` at the start of a file after something odd, such as a form feed.
            None => String::new(),
            Some(outer) => format!("{}{}", self.header_indent(outer, suite), self.unit),
        }
    }

    /// The indentation of the line that opens a suite: a `case` stands deeper than its `match`.
    fn header_indent(&self, outer: StmtId, suite: List<StmtId>) -> String {
        let tree = &self.parsed.tree;
        if let StmtKind::Match { cases, .. } = tree[outer].kind
            && let Some(case) = tree[cases].iter().find(|case| case.body == suite)
        {
            let start = case.range.start;
            return TextRange::new(self.line_start(start), start).of(self.text).to_owned();
        }
        self.suite_indent(tree.siblings(outer).0)
    }

    /// Lines with an indentation before each that is not empty, in the file's line ending, without a last newline.
    pub(super) fn indent_lines(&self, code: &str, indent: &str) -> String {
        let lines: Vec<String> = code
            .trim_end_matches('\n')
            .split('\n')
            .map(|line| if line.is_empty() { String::new() } else { format!("{indent}{}", self.in_unit(line)) })
            .collect();
        lines.join(self.newline)
    }

    /// New code is written with four spaces a level; the file may use another unit.
    fn in_unit(&self, line: &str) -> String {
        let body = line.trim_start_matches(' ');
        let width = line.len() - body.len();
        format!("{}{}{body}", self.unit.repeat(width / 4), " ".repeat(width % 4))
    }

    /// Starts of the lines inside a range that may be indented: not those within a string, and not blank ones.
    pub(super) fn line_starts_within(&self, range: TextRange) -> Vec<u32> {
        let strings = &self.parsed.multiline_strings;
        let lines = self.parsed.file.lines();
        (lines.line_of(range.start) + 1..=lines.line_of(range.end))
            .map(|line| lines.line_range(line, self.text))
            .filter(|line| !line.of(self.text).trim().is_empty())
            .map(|line| line.start)
            .filter(|&start| start < range.end)
            .filter(|&start| !strings.iter().any(|string| string.start < start && start < string.end))
            .collect()
    }
}

/// The first indentation that a suite adds to its header, or four spaces.
fn indentation_unit(parsed: &Parsed, text: &str) -> String {
    let tree = &parsed.tree;
    let lines = parsed.file.lines();
    let indent = |stmt: StmtId| {
        let start = tree[stmt].range.start;
        let line = lines.line_start(lines.line_of(start), text);
        let before = TextRange::new(line, start).of(text);
        before.bytes().all(|b| matches!(b, b' ' | b'\t')).then_some(before)
    };
    tree.stmt_ids()
        .find_map(|stmt| {
            let outer = indent(tree.enclosing(stmt)?)?;
            let inner = indent(stmt)?;
            inner.strip_prefix(outer).filter(|unit| !unit.is_empty())
        })
        .unwrap_or("    ")
        .to_owned()
}
