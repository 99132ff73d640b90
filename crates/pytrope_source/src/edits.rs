//! Text edits: small replacements that leave every other byte of a file as it was.

mod expressions;
mod layout;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;

use crate::parse::Parsed;
use crate::text::TextRange;
use crate::tree::{ExprId, ExprKind, StmtId, StmtKind};
use layout::TextLayout;

/// One replacement; an empty range inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    pub range: TextRange,
    pub text: String,
}

/// Two edits want the same bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap {
    pub first: TextRange,
    pub second: TextRange,
}

impl fmt::Display for Overlap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "edits of bytes {:?} and {:?} overlap", self.first, self.second)
    }
}

impl std::error::Error for Overlap {}

/// Where an insertion stands among others at its offset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Placement {
    /// Whole lines behind the statement before, by the width of their indentation: what ends an inner suite comes before what
    /// follows the statement around it, and both before what is put around the next statement.
    LinesBehind(Reverse<usize>),
    /// Whole lines before a statement: nothing that is put around a part of the statement may come before them.
    LinesBefore,
    Inline,
    /// Whole lines behind a last line that has no end.
    LinesAfter,
}

/// The edits of one file. Insertions at one offset keep the order in which they were made, but whole lines stay whole: in
/// front of `model.load(…)`, the line `wait()` comes before the text `unwrap(`, whichever was inserted first.
pub struct Edits<'a> {
    parsed: &'a Parsed,
    layout: TextLayout<'a>,
    list: Vec<Edit>,
    /// For each edit of `list`.
    placements: Vec<Placement>,
    /// Suites already put on lines of their own, by where their gaps start.
    unfolded: BTreeSet<u32>,
    imports: Vec<String>,
    names: Vec<String>,
}

impl<'a> Edits<'a> {
    pub fn new(parsed: &'a Parsed) -> Self {
        Self {
            parsed,
            layout: TextLayout::new(parsed),
            list: Vec::new(),
            placements: Vec::new(),
            unfolded: BTreeSet::new(),
            imports: Vec::new(),
            names: Vec::new(),
        }
    }

    pub fn parsed(&self) -> &'a Parsed {
        self.parsed
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The edits so far.
    pub fn list(&self) -> &[Edit] {
        &self.list
    }

    pub fn replace_range(&mut self, range: TextRange, text: impl Into<String>) {
        self.push_edit(Placement::Inline, range, text.into());
    }

    fn push_edit(&mut self, placement: Placement, range: TextRange, text: String) {
        self.list.push(Edit { range, text });
        self.placements.push(placement);
    }

    fn insert_lines(&mut self, offset: u32, text: String) {
        self.push_edit(Placement::LinesBefore, TextRange::at(offset), text);
    }

    pub fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.replace_range(TextRange::at(offset), text);
    }

    pub fn delete_range(&mut self, range: TextRange) {
        self.replace_range(range, "");
    }

    /// Replace an expression, with parentheses around the new text only where its surroundings need them.
    pub fn replace_expr(&mut self, expr: ExprId, text: &str) {
        let range = self.parsed.tree[expr].range;
        let text = expressions::parenthesise_if_needed(&self.parsed.tree, expr, text);
        self.replace_range(range, text);
    }

    /// Replace a whole statement by other lines (given without indentation).
    pub fn replace_stmt(&mut self, stmt: StmtId, code: &str) {
        let indent = self.unfold_statement(stmt);
        let text = self.layout.indent_lines(code, &indent);
        let text = text.strip_prefix(indent.as_str()).unwrap_or(&text).to_owned();
        self.replace_range(self.parsed.tree[stmt].range, text);
    }

    /// Put lines (given without indentation) before a statement and its decorators.
    pub fn insert_before(&mut self, stmt: StmtId, code: &str) {
        let indent = self.unfold_statement(stmt);
        let lines = self.layout.indent_lines(code, &indent);
        let text = format!("{}{}{indent}", &lines[indent.len()..], self.layout.newline);
        self.insert_lines(self.parsed.tree[stmt].range.start, text);
    }

    /// Put lines (given without indentation) after a statement and the comment that ends its line.
    pub fn insert_after(&mut self, stmt: StmtId, code: &str) {
        let indent = self.unfold_statement(stmt);
        let tree = &self.parsed.tree;
        let (suite, place) = tree.siblings(stmt);
        let next = tree[suite].get(place + 1).copied();
        if let Some(next) = next.filter(|&next| !self.layout.starts_line(tree[next].range.start)) {
            // The two shared a line, which `unfold` has broken before `next`.
            let lines = self.layout.indent_lines(code, &indent);
            let text = format!("{}{}{indent}", &lines[indent.len()..], self.layout.newline);
            self.insert_lines(tree[next].range.start, text);
            return;
        }
        let lines = self.layout.indent_lines(code, &indent);
        let end = self.layout.line_end(tree[stmt].range.end);
        let newline = self.layout.newline;
        if end.terminated {
            let placement = Placement::LinesBehind(Reverse(indent.len()));
            self.push_edit(placement, TextRange::at(end.after), format!("{lines}{newline}"));
        } else {
            self.push_edit(Placement::LinesAfter, TextRange::at(end.after), format!("{newline}{lines}"));
        }
    }

    /// Indent neighbouring statements under a header such as `if rank == 0:`.
    pub fn wrap_statements(&mut self, first: StmtId, last: StmtId, header: &str) {
        let indent = self.unfold_statement(first);
        let tree = &self.parsed.tree;
        let range = tree[first].range.cover(tree[last].range);
        let inner = format!("{indent}{}", self.layout.unit);
        let newline = self.layout.newline;
        let header = self.layout.indent_lines(header, &indent);
        self.insert_lines(range.start, format!("{}{newline}{inner}", &header[indent.len()..]));
        for start in self.layout.line_starts_within(range) {
            self.insert_lines(start, self.layout.unit.clone());
        }
        // Statements that shared the first one's line were put on lines of their own at the outer indentation.
        let (suite, from) = tree.siblings(first);
        let unit = self.layout.unit.clone();
        for &stmt in
            tree[suite][from + 1..].iter().take_while(|&&stmt| tree[stmt].range.start <= tree[last].range.start)
        {
            let start = tree[stmt].range.start;
            if !self.layout.starts_line(start) {
                self.insert_lines(start, unit.clone());
            }
        }
    }

    /// Remove a statement with its line; where its suite would be empty, `pass` takes its place.
    pub fn delete_stmt(&mut self, stmt: StmtId) {
        let tree = &self.parsed.tree;
        let (suite, _) = tree.siblings(stmt);
        let range = tree[stmt].range;
        if suite.len() == 1 && tree.enclosing(stmt).is_some() {
            self.replace_range(range, "pass");
            return;
        }
        self.unfold_statement(stmt);
        if self.layout.starts_line(range.start) && self.layout.ends_line(range.end) {
            let line = self.layout.line_start(range.start);
            let end = self.layout.line_end(range.end);
            self.delete_range(TextRange::new(line, end.after));
        } else {
            self.replace_range(range, "pass");
        }
    }

    /// Add an import (one line) after the docstring and `__future__` imports, unless the module has it already.
    pub fn add_import(&mut self, line: &str) {
        let tree = &self.parsed.tree;
        let present = tree[tree.body()].iter().any(|&stmt| {
            matches!(tree[stmt].kind, StmtKind::Import { .. } | StmtKind::ImportFrom { .. })
                && self.parsed.file.slice(tree[stmt].range) == line
        });
        if present || self.imports.iter().any(|added| added == line) {
            return;
        }
        self.imports.push(line.to_owned());
        let head = tree[tree.body()].iter().take_while(|&&stmt| self.is_prologue(stmt)).count();
        let body = &tree[tree.body()];
        let imports = |stmt: StmtId| matches!(tree[stmt].kind, StmtKind::Import { .. } | StmtKind::ImportFrom { .. });
        match (head.checked_sub(1).map(|i| body[i]), body.get(head)) {
            // Among the imports, below the blank line that follows a docstring.
            (Some(last), Some(&next)) if imports(next) && !imports(last) => self.insert_before(next, line),
            (Some(last), _) => self.insert_after(last, line),
            (None, Some(&first)) => self.insert_before(first, line),
            (None, None) => {
                let end = self.parsed.file.text().len() as u32;
                let newline = self.layout.newline;
                let gap = if self.layout.starts_line(end) { "" } else { newline };
                self.insert(end, format!("{gap}{line}{newline}"));
            }
        }
    }

    /// A docstring or a `__future__` import.
    fn is_prologue(&self, stmt: StmtId) -> bool {
        let tree = &self.parsed.tree;
        match tree[stmt].kind {
            StmtKind::Expr { value } => {
                matches!(tree[value].kind, ExprKind::Str(_)) && tree[tree.body()].first() == Some(&stmt)
            }
            StmtKind::ImportFrom { module: Some(module), .. } => tree.text(module.name) == "__future__",
            _ => false,
        }
    }

    /// A name like `base` that nothing in the file uses.
    pub fn fresh_name(&mut self, base: &str) -> String {
        let taken = |name: &str| {
            self.parsed.tree.strings().any(|used| used == name) || self.names.iter().any(|used| used == name)
        };
        let mut name = base.to_owned();
        for i in 2u32.. {
            if !taken(&name) {
                break;
            }
            name = format!("{base}_{i}");
        }
        self.names.push(name.clone());
        name
    }

    /// Make sure that a statement starts a line of its own, by breaking `if x: a; b` and `a; b` where they need it. Gives its indentation.
    fn unfold_statement(&mut self, stmt: StmtId) -> String {
        let tree = &self.parsed.tree;
        let (suite, _) = tree.siblings(stmt);
        let indent = self.layout.suite_indent(suite);
        let mut before = None;
        for &sibling in &tree[suite] {
            let start = tree[sibling].range.start;
            let shares_line = !self.layout.starts_line(start);
            let concerns = sibling == stmt || before == Some(stmt) || self.layout.same_line(start, tree[stmt].range);
            if shares_line && concerns && self.unfolded.insert(start) {
                let gap = self.layout.gap_before(start);
                self.replace_range(gap, format!("{}{indent}", self.layout.newline));
            }
            before = Some(sibling);
        }
        indent
    }

    /// The text with all edits made.
    pub fn apply(&self) -> Result<String, Overlap> {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&i| (self.list[i].range.start, self.list[i].range.end, self.placements[i]));
        let list: Vec<Edit> = order.into_iter().map(|i| self.list[i].clone()).collect();
        apply(self.parsed.file.text(), &list)
    }
}

/// Where a place in the edited text was before the edits; for inserted text, where it was inserted.
pub fn original_offset(edits: &[Edit], offset: u32) -> u32 {
    let mut order: Vec<&Edit> = edits.iter().collect();
    order.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut before, mut after) = (0, 0);
    for edit in order {
        let kept = edit.range.start - before;
        if offset < after + kept {
            break;
        }
        after += kept;
        before = edit.range.start;
        let written = edit.text.len() as u32;
        if offset < after + written {
            return before;
        }
        after += written;
        before = edit.range.end;
    }
    before + (offset - after)
}

/// Make edits in a text.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, Overlap> {
    let mut order: Vec<&Edit> = edits.iter().collect();
    // A deletion that starts where something is inserted comes after it.
    order.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out = String::with_capacity(text.len() + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut last = TextRange::at(0);
    for edit in order {
        let fits = text.is_char_boundary(edit.range.start as usize) && text.is_char_boundary(edit.range.end as usize);
        if edit.range.start < last.end || !fits {
            return Err(Overlap { first: last, second: edit.range });
        }
        out.push_str(&text[last.end as usize..edit.range.start as usize]);
        out.push_str(&edit.text);
        last = edit.range;
    }
    out.push_str(&text[last.end as usize..]);
    Ok(out)
}
