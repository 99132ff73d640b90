//! Rewriting one file: decided branches go, their suites move out, every other byte stays.
//!
//! Edits are fine enough not to overlap when decided branches nest: headers and dropped suites are deleted, and how far a
//! line moves to the left is added up over all branches around it.

mod expressions;

use std::collections::BTreeMap;

use pytrope_source::edits::apply;
use pytrope_source::tree::{Clause, ExprId, ExprKind, List, StmtId, StmtKind};
use pytrope_source::{Edit, Overlap, Parsed, TextRange};

use super::bindings;

/// What to do with the tests of one file.
pub struct Decisions<'a> {
    /// The tests that are decided, and how.
    pub decided: &'a BTreeMap<ExprId, bool>,
    /// What must stay of a dropped test, as expressions to be evaluated; `None` if it cannot be dropped.
    pub effects: &'a dyn Fn(ExprId) -> Option<Vec<String>>,
}

/// The source without its decided branches, and the tests that really went.
pub fn rewrite_source(
    parsed: &Parsed,
    decisions: &Decisions<'_>,
    guard: Option<(StmtId, String)>,
) -> Result<(String, Vec<ExprId>), Overlap> {
    let mut rewriter = Rewriter {
        parsed,
        decisions,
        edits: Vec::new(),
        dedent: BTreeMap::new(),
        gone: Vec::new(),
        dropped: Vec::new(),
    };
    rewriter.rewrite_suite(parsed.tree.body());
    rewriter.rewrite_expressions();
    if let Some((stmt, code)) = guard {
        rewriter.guard(stmt, &code);
    }
    rewriter.settle_line_breaks();
    let Rewriter { mut edits, dedent, mut gone, .. } = rewriter;
    // A line whose start was deleted with a header has no indentation left to lose.
    for (line, columns) in dedent {
        let range = TextRange { start: line, end: line + columns };
        if !edits.iter().any(|edit| edit.range.start <= range.start && range.start < edit.range.end) {
            edits.push(Edit { range, text: String::new() });
        }
    }
    gone.sort_unstable();
    Ok((apply(parsed.file.text(), &edits)?, gone))
}

/// In the text of an edit: a line break, and the indentation that the edit's line ends up with.
const LINE_BREAK: char = '\0';

struct Rewriter<'a> {
    parsed: &'a Parsed,
    decisions: &'a Decisions<'a>,
    edits: Vec<Edit>,
    dedent: BTreeMap<u32, u32>,
    gone: Vec<ExprId>,
    /// Suites that go, by their ranges.
    dropped: Vec<TextRange>,
}

/// A clause of an `if` chain that stays.
enum KeptClause {
    Tested {
        keyword: u32,
        body: List<StmtId>,
    },
    /// `else`, or a test that always holds.
    Always {
        start: u32,
        body: List<StmtId>,
    },
}

impl Rewriter<'_> {
    fn text(&self) -> &str {
        self.parsed.file.text()
    }

    fn delete_range(&mut self, start: u32, end: u32) {
        if start < end {
            self.edits.push(Edit { range: TextRange { start, end }, text: String::new() });
        }
    }

    fn replace_range(&mut self, start: u32, end: u32, text: String) {
        self.edits.push(Edit { range: TextRange { start, end }, text });
    }

    /// How a pure or preservable test is decided.
    fn test_decision(&self, test: ExprId) -> Option<(bool, Vec<String>)> {
        let decided = *self.decisions.decided.get(&test)?;
        let effects = (self.decisions.effects)(test)?;
        Some((decided, effects))
    }

    fn rewrite_suite(&mut self, body: List<StmtId>) {
        let tree = &self.parsed.tree;
        let statements = tree[body].to_vec();
        for stmt in &statements {
            self.statement(*stmt, statements.len() == 1);
        }
    }

    fn statement(&mut self, id: StmtId, alone: bool) {
        let tree = &self.parsed.tree;
        match tree[id].kind {
            StmtKind::If { test, body, clauses } => self.rewrite_chain(id, test, body, clauses, alone),
            StmtKind::Assert { test, .. } => {
                if let Some((true, effects)) = self.test_decision(test) {
                    self.gone.push(test);
                    self.drop_statement(id, &effects, alone);
                }
            }
            StmtKind::FunctionDef(function) => self.rewrite_suite(function.body),
            StmtKind::ClassDef(class) => self.rewrite_suite(class.body),
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                self.rewrite_suite(body);
                self.rewrite_suite(orelse);
            }
            StmtKind::With { body, .. } => self.rewrite_suite(body),
            StmtKind::Match { cases, .. } => {
                for case in tree[cases].iter().copied() {
                    self.rewrite_suite(case.body);
                }
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.rewrite_suite(body);
                for handler in tree[handlers].iter().copied() {
                    self.rewrite_suite(handler.body);
                }
                self.rewrite_suite(orelse);
                self.rewrite_suite(finalbody);
            }
            _ => {}
        }
    }

    fn rewrite_chain(&mut self, id: StmtId, test: ExprId, body: List<StmtId>, clauses: List<Clause>, alone: bool) {
        let tree = &self.parsed.tree;
        let range = tree[id].range;
        let mut links: Vec<(u32, Option<ExprId>, List<StmtId>)> = vec![(range.start, Some(test), body)];
        links.extend(tree[clauses].iter().map(|clause| (clause.range.start, clause.test, clause.body)));
        let mut kept: Vec<KeptClause> = Vec::new();
        let mut effects: Vec<String> = Vec::new();
        let mut tests: Vec<ExprId> = Vec::new();
        let mut dropped: Vec<TextRange> = Vec::new();
        let mut over = false;
        for (position, (start, test, body)) in links.iter().enumerate() {
            if over {
                dropped.push(self.suite_range(*body));
                continue;
            }
            let Some(test) = *test else {
                kept.push(KeptClause::Always { start: *start, body: *body });
                break;
            };
            match self.test_decision(test) {
                // Only the first test is evaluated in every case, so only its effects can stand before the statement.
                Some((decided, left)) if left.is_empty() || position == 0 => {
                    effects.extend(left);
                    tests.push(test);
                    if decided {
                        kept.push(KeptClause::Always { start: *start, body: *body });
                        over = true;
                    } else {
                        dropped.push(self.suite_range(*body));
                    }
                }
                _ => kept.push(KeptClause::Tested { keyword: *start, body: *body }),
            }
        }
        let function = bindings::enclosing_function(tree, id);
        let may_go = function.is_none_or(|function| bindings::may_go(tree, function, &dropped, &self.dropped));
        if tests.is_empty() || !may_go {
            for (_, _, body) in &links {
                self.rewrite_suite(*body);
            }
            return;
        }
        self.gone.extend(tests);
        self.dropped.extend(dropped);
        match kept.first() {
            None => self.drop_statement(id, &effects, alone),
            Some(KeptClause::Always { body, .. }) => self.unwrap_suite(range, *body, &effects),
            Some(KeptClause::Tested { .. }) => self.shorten_chain(range, &kept, &effects),
        }
        for link in &kept {
            match link {
                KeptClause::Tested { body, .. } | KeptClause::Always { body, .. } => self.rewrite_suite(*body),
            }
        }
    }

    /// Writes out line breaks, now that it is known how far each line moves.
    fn settle_line_breaks(&mut self) {
        let mut edits = std::mem::take(&mut self.edits);
        for edit in edits.iter_mut().filter(|edit| edit.text.contains(LINE_BREAK)) {
            let moved = self.dedent.get(&self.line_start(edit.range.start)).copied().unwrap_or(0);
            let indent = self.indent_of(edit.range.start);
            let indent = indent.get(moved as usize..).unwrap_or_default();
            edit.text = edit.text.replace(LINE_BREAK, &format!("\n{indent}"));
        }
        self.edits = edits;
    }

    fn suite_range(&self, body: List<StmtId>) -> TextRange {
        let tree = &self.parsed.tree;
        let statements = &tree[body];
        TextRange { start: tree[statements[0]].range.start, end: tree[statements[statements.len() - 1]].range.end }
    }

    /// Replaces a statement by one of its suites.
    fn unwrap_suite(&mut self, range: TextRange, body: List<StmtId>, effects: &[String]) {
        let tree = &self.parsed.tree;
        let statements = &tree[body];
        let (first, last) = (tree[statements[0]].range, tree[statements[statements.len() - 1]].range);
        let prefix = effects.iter().map(|effect| format!("{effect}{LINE_BREAK}")).collect::<Vec<_>>().concat();
        let first_line = self.line_start(first.start);
        if first_line <= self.line_start(range.start) || !self.is_blank(first_line, first.start) {
            // `if x: y`: the suite stands on the header's line.
            self.replace_range(range.start, first.start, prefix);
        } else {
            let header_end = self.line_end(self.before_suite(range.start, first.start));
            let outer = self.line_start(range.start);
            if effects.is_empty() {
                self.delete_range(outer, header_end);
            } else {
                self.replace_range(range.start, header_end, format!("{}\n", effects.join(&LINE_BREAK.to_string())));
            }
            self.move_left(header_end, last.end, self.column_of(first.start) - self.column_of(range.start));
        }
        self.delete_range(last.end, range.end);
    }

    /// Where the header of the suite that starts at `first` ends: its colon.
    fn before_suite(&self, start: u32, first: u32) -> u32 {
        let text = &self.text()[start as usize..first as usize];
        let mut at = text.len();
        // Comment and blank lines between header and suite belong to the suite.
        for (index, line) in
            text.rmatch_indices('\n').map(|(index, _)| (index, &text[index + 1..at])).collect::<Vec<_>>()
        {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') || index + 1 + line.len() >= text.len() {
                at = index;
            } else {
                break;
            }
        }
        start + at as u32
    }

    /// Keeps some clauses of a chain; the first of them becomes its `if`.
    fn shorten_chain(&mut self, range: TextRange, kept: &[KeptClause], effects: &[String]) {
        let tree = &self.parsed.tree;
        let prefix = effects.iter().map(|effect| format!("{effect}{LINE_BREAK}")).collect::<Vec<_>>().concat();
        let mut end = range.start;
        for (position, link) in kept.iter().enumerate() {
            let (start, body) = match link {
                KeptClause::Tested { keyword, body, .. } => (*keyword, *body),
                KeptClause::Always { start, body } => (*start, *body),
            };
            if position == 0 {
                // `elif` without its first two letters is `if`.
                if start > range.start {
                    self.replace_range(range.start, start + 2, prefix.clone());
                } else if !prefix.is_empty() {
                    self.replace_range(start, start, prefix.clone());
                }
            } else {
                let line = self.line_start(start);
                self.delete_range(self.line_end(end), line);
                if let KeptClause::Always { .. } = link
                    && !self.text()[start as usize..].starts_with("else")
                {
                    let colon = self.colon_before(body, start);
                    self.replace_range(start, colon, "else".to_owned());
                }
            }
            let statements = &tree[body];
            end = tree[statements[statements.len() - 1]].range.end;
        }
        self.delete_range(end, range.end);
    }

    /// The colon before a suite.
    fn colon_before(&self, body: List<StmtId>, from: u32) -> u32 {
        let first = self.parsed.tree[self.parsed.tree[body][0]].range.start;
        let header_end = if self.line_start(first) > from { self.before_suite(from, first) } else { first };
        let header = &self.text()[from as usize..header_end as usize];
        let code = header.split_once('#').map_or(header, |(code, _)| code);
        from + code.rfind(':').unwrap_or(code.len()) as u32
    }

    fn drop_statement(&mut self, id: StmtId, effects: &[String], alone: bool) {
        let range = self.parsed.tree[id].range;
        if !effects.is_empty() {
            self.replace_range(range.start, range.end, effects.join(&LINE_BREAK.to_string()));
            return;
        }
        let line = self.line_start(range.start);
        let own_line = self.is_blank(line, range.start) && self.rest_is_blank(range.end);
        if alone || !own_line {
            self.replace_range(range.start, range.end, "pass".to_owned());
        } else {
            self.delete_range(line, self.line_end(range.end));
        }
    }

    /// Writes a statement at the start of a function, after its docstring.
    fn guard(&mut self, function: StmtId, code: &str) {
        let tree = &self.parsed.tree;
        let StmtKind::FunctionDef(definition) = tree[function].kind else { return };
        let statements = &tree[definition.body];
        let docstring = matches!(tree[statements[0]].kind, StmtKind::Expr { value } if matches!(tree[value].kind, ExprKind::Str(_)));
        let indent = self.indent_of(tree[statements[0]].range.start);
        if docstring {
            let end = tree[statements[0]].range.end;
            self.replace_range(end, end, format!("\n{indent}{code}"));
        } else {
            let start = tree[statements[0]].range.start;
            let line = self.line_start(start);
            if self.is_blank(line, start) {
                self.replace_range(line, line, format!("{indent}{code}\n"));
            } else {
                // The body stands on the line of the definition.
                self.replace_range(start, start, format!("{code}; "));
            }
        }
    }

    /// Moves the lines of a range to the left, but for the insides of strings.
    fn move_left(&mut self, start: u32, end: u32, columns: u32) {
        let strings: Vec<TextRange> = self.multi_line_strings(start, end);
        let mut line = start;
        while line < end {
            let inside = strings.iter().any(|range| range.start < line && line < range.end);
            let blank = self.text().as_bytes()[line as usize..]
                .iter()
                .take(columns as usize)
                .filter(|byte| matches!(byte, b' ' | b'\t'))
                .count();
            if !inside && blank as u32 == columns {
                *self.dedent.entry(line).or_default() += columns;
            }
            let next = self.line_end(line);
            if next == line {
                break;
            }
            line = next;
        }
    }

    fn multi_line_strings(&self, start: u32, end: u32) -> Vec<TextRange> {
        let tree = &self.parsed.tree;
        let within = |range: &TextRange| start <= range.start && range.end <= end;
        tree.expr_ids()
            .filter(|id| {
                matches!(
                    tree[*id].kind,
                    ExprKind::Str(_) | ExprKind::Bytes(_) | ExprKind::FString { .. } | ExprKind::TString { .. }
                )
            })
            .map(|id| tree[id].range)
            .filter(|range| within(range) && self.parsed.file.slice(*range).contains('\n'))
            .filter(|range| {
                self.parsed.file.slice(*range).contains("\"\"\"") || self.parsed.file.slice(*range).contains("'''")
            })
            .collect()
    }

    fn line_start(&self, offset: u32) -> u32 {
        self.text()[..offset as usize].rfind('\n').map_or(0, |at| at as u32 + 1)
    }

    /// After the line break that ends the line of an offset.
    fn line_end(&self, offset: u32) -> u32 {
        self.text()[offset as usize..].find('\n').map_or(self.text().len() as u32, |at| offset + at as u32 + 1)
    }

    fn column_of(&self, offset: u32) -> u32 {
        offset - self.line_start(offset)
    }

    fn indent_of(&self, offset: u32) -> String {
        let line = &self.text()[self.line_start(offset) as usize..offset as usize];
        line.chars().take_while(|c| c.is_whitespace()).collect()
    }

    fn is_blank(&self, start: u32, end: u32) -> bool {
        self.text()[start as usize..end as usize].trim().is_empty()
    }

    fn rest_is_blank(&self, offset: u32) -> bool {
        let rest = &self.text()[offset as usize..self.line_end(offset) as usize];
        rest.trim().is_empty() || rest.trim_start().starts_with('#')
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pytrope_source::{SourceFile, parse};

    /// Decides tests named `T…` as true and `F…` as false; those with an `x` have an effect.
    fn pruned(source: &str) -> String {
        let file = SourceFile::from_text("a.py", source);
        let parsed = parse(&file);
        let tree = &parsed.tree;
        let mut decided = BTreeMap::new();
        for id in tree.expr_ids() {
            if let ExprKind::Name { name, .. } = tree[id].kind {
                match tree.text(name).as_bytes()[0] {
                    b'T' => drop(decided.insert(id, true)),
                    b'F' => drop(decided.insert(id, false)),
                    _ => {}
                }
            }
        }
        let effects = |id: ExprId| {
            let text = file.slice(tree[id].range);
            Some(if text.ends_with('x') { vec![format!("{text}()")] } else { Vec::new() })
        };
        let decisions = Decisions { decided: &decided, effects: &effects };
        rewrite_source(&parsed, &decisions, None).expect("edits do not overlap").0
    }

    #[test]
    fn a_suite_moves_out() {
        assert_eq!(pruned("if T:\n    # why\n    a()\n    b()\nelse:\n    c()\nd()\n"), "# why\na()\nb()\nd()\n");
        assert_eq!(pruned("if F:\n    a()\nelse:\n    c()\nd()\n"), "c()\nd()\n");
        assert_eq!(pruned("if F:\n    a()\nd()\n"), "d()\n");
        assert_eq!(pruned("def f():\n    if F:\n        a()\n"), "def f():\n    pass\n");
    }

    #[test]
    fn nested_branches_move_together() {
        assert_eq!(pruned("if T:\n    if T2:\n        a()\n        b()\n    c()\n"), "a()\nb()\nc()\n");
        assert_eq!(pruned("if q:\n    if T:\n        a()\n"), "if q:\n    a()\n");
    }

    #[test]
    fn chains_get_shorter() {
        assert_eq!(pruned("if F:\n    a()\nelif q:\n    b()\nelse:\n    c()\n"), "if q:\n    b()\nelse:\n    c()\n");
        assert_eq!(pruned("if q:\n    a()\nelif T:\n    b()\nelse:\n    c()\n"), "if q:\n    a()\nelse:\n    b()\n");
        assert_eq!(pruned("if q:\n    a()\nelif F:\n    b()\nelse:\n    c()\n"), "if q:\n    a()\nelse:\n    c()\n");
        assert_eq!(pruned("if F:\n    a()\nelif T:\n    b()\nelse:\n    c()\n"), "b()\n");
    }

    #[test]
    fn effects_of_tests_stay() {
        assert_eq!(
            pruned("def f():\n    if Fx:\n        a()\n    else:\n        b()\n"),
            "def f():\n    Fx()\n    b()\n"
        );
        assert_eq!(pruned("assert Tx\nb()\n"), "Tx()\nb()\n");
        assert_eq!(pruned("assert T\nb()\n"), "b()\n");
    }

    #[test]
    fn effects_move_with_the_lines_around_them() {
        assert_eq!(pruned("if T:\n    a()\n    if Tx:\n        b()\n    c()\n"), "a()\nTx()\nb()\nc()\n");
        assert_eq!(pruned("if T:\n    assert Tx\n    if Fx:\n        b()\n    c()\n"), "Tx()\nFx()\nc()\n");
        assert_eq!(pruned("if T:\n    if Fx:\n        a()\n    elif q:\n        b()\n"), "Fx()\nif q:\n    b()\n");
    }

    #[test]
    fn expressions_lose_what_is_decided() {
        assert_eq!(pruned("y = a if T else b\n"), "y = a\n");
        assert_eq!(pruned("y = a if F else (b, c)\n"), "y = (b, c)\n");
        assert_eq!(pruned("y = T and q\nz = F or q\nw = q and T\n"), "y = q\nz = q\nw = q and T\n");
        assert_eq!(pruned("y = (T) and q\nz = (F) or (q)\n"), "y = q\nz = (q)\n");
        assert_eq!(pruned("y = (a +\n     b) if T else c\n"), "y = (a +\n     b)\n");
    }

    #[test]
    fn where_truth_is_all_that_counts_a_last_operand_goes_too() {
        assert_eq!(pruned("if q and T:\n    a()\n"), "if q:\n    a()\n");
        assert_eq!(pruned("if q and (T) and T2:\n    a()\n"), "if q:\n    a()\n");
        assert_eq!(pruned("if not (q or F):\n    a()\n"), "if not (q):\n    a()\n");
        assert_eq!(pruned("y = q and F and r\n"), "y = q and F\n");
        assert_eq!(pruned("while (q or F) and r:\n    a()\n"), "while (q) and r:\n    a()\n");
    }

    #[test]
    fn what_makes_a_name_local_or_a_function_a_generator_stays() {
        for source in [
            "def f():\n    if F:\n        x = 1\n    return x\n",
            "def f():\n    if F:\n        yield 1\n    return 2\n",
            "def f():\n    if F:\n        global g\n    g = 2\n",
            "def f():\n    if F:\n        import os\n    return os\n",
            "def f(y):\n    return (z := 1) if F else y\n",
        ] {
            assert_eq!(pruned(source), source);
        }
        assert_eq!(pruned("def f(x):\n    if F:\n        x = 1\n    return x\n"), "def f(x):\n    return x\n");
        assert_eq!(
            pruned("def f():\n    if F:\n        x = 1\n    else:\n        x = 2\n    return x\n"),
            "def f():\n    x = 2\n    return x\n"
        );
    }

    #[test]
    fn strings_keep_their_lines() {
        assert_eq!(pruned("if T:\n    s = \"\"\"a\n    b\"\"\"\n    t()\n"), "s = \"\"\"a\n    b\"\"\"\nt()\n");
        assert_eq!(pruned("if T: a()\nb()\n"), "a()\nb()\n");
    }
}
