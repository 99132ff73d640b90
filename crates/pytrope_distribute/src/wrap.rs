//! Lines that edits have made too long are broken as a careful person would break them.
//!
//! A chain of calls goes into parentheses, one call to a line; else the last bracket is opened, its parts on one line
//! where they fit, or on one each. Lines of the given text are left as they are, however long.

mod scan;

use pytrope_source::{SourceFile, parse};
use rustc_hash::FxHashSet;

use scan::{Bracket, Line, parts, scan_lines};

const WIDTH: usize = 100;
const WIDEST: usize = 120;

/// Break the long lines of `after` that `before` does not have.
pub fn long_lines(before: &str, after: &str) -> String {
    let known: FxHashSet<&str> = before.lines().map(str::trim).collect();
    let own = before.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let layout = Layout { width: own.clamp(WIDTH, WIDEST), unit: indent_unit(before) };
    let newline = if after.contains("\r\n") { "\r\n" } else { "\n" };
    let mut out = String::with_capacity(after.len());
    let mut changed = false;
    let scanned = scan_lines(after);
    for (i, line) in scanned.iter().enumerate() {
        let next = scanned.get(i + 1).map_or("", |next| next.text);
        let long = line.text.chars().count() > layout.width && !known.contains(line.text.trim()) && !line.opaque;
        match long.then(|| layout.break_line(line, next)).flatten() {
            Some(lines) => {
                changed = true;
                out.push_str(&lines.join(newline));
            }
            None => out.push_str(line.text),
        }
        out.push_str(line.end);
    }
    if changed && !same_program(after, &out) { after.to_owned() } else { out }
}

/// Whether two texts have trees of the same size: neither is broken, and no tuple came or went.
fn same_program(one: &str, other: &str) -> bool {
    let size = |text: &str| {
        let parsed = parse(&SourceFile::from_text("out.py", text.to_owned()));
        parsed.errors.is_empty().then(|| (parsed.tree.stmt_count(), parsed.tree.expr_count()))
    };
    size(one).is_some_and(|before| Some(before) == size(other))
}

fn indent_unit(text: &str) -> String {
    text.lines()
        .find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty())
        .map(|line| line[..line.len() - line.trim_start().len()].to_owned())
        .filter(|indent| indent.len() <= 8)
        .unwrap_or_else(|| "    ".to_owned())
}

struct Layout {
    width: usize,
    unit: String,
}

impl Layout {
    fn line_fits(&self, line: &str) -> bool {
        line.chars().count() <= self.width
    }

    fn break_line(&self, line: &Line, next: &str) -> Option<Vec<String>> {
        let indent = &line.text[..line.text.len() - line.text.trim_start().len()];
        let (code, comment) = line.code_and_comment();
        let code = code.trim();
        if self.line_fits(&format!("{indent}{code}")) {
            return None;
        }
        let mut lines = if let Some(open) = parts::unclosed_bracket(code) {
            self.break_aligned(indent, code, open, next)?
        } else if line.depth == 0 {
            self.break_statement(indent, code)?
        } else {
            self.break_inside(indent, code)?
        };
        if let (Some(last), false) = (lines.last_mut(), comment.is_empty()) {
            last.push_str("  ");
            last.push_str(comment);
        }
        Some(lines)
    }

    fn break_statement(&self, indent: &str, code: &str) -> Option<Vec<String>> {
        self.break_value(indent, code).or_else(|| self.break_after_bracket(indent, code))
    }

    /// `name = a(…).b(…).c(…)` and `return a(…), b(…)` get parentheses, a call or an element to a line.
    fn break_value(&self, indent: &str, code: &str) -> Option<Vec<String>> {
        let start = match code.strip_prefix("return ") {
            Some(_) => "return ".len(),
            None => code.find(" = ").filter(|&i| parts::is_target(&code[..i]))? + 3,
        };
        let (head, value) = code.split_at(start);
        let inner = format!("{indent}{}", self.unit);
        let elements = parts::split_elements(value);
        let body = if elements.len() > 1 {
            elements.iter().flat_map(|element| self.break_element(&inner, element, ",")).collect()
        } else {
            self.break_chain(&inner, value)?
        };
        let mut lines = vec![format!("{indent}{head}(")];
        lines.extend(body);
        lines.push(format!("{indent})"));
        Some(lines)
    }

    /// The calls of a chain, inside brackets, on a line each.
    fn break_chain(&self, indent: &str, code: &str) -> Option<Vec<String>> {
        let breaks = parts::chain_breaks(code).filter(|breaks| breaks.len() > 1)?;
        let mut lines = Vec::new();
        let mut from = 0;
        for &at in breaks.iter().chain([&code.len()]) {
            let line = format!("{indent}{}", &code[from..at]);
            if self.line_fits(&line) {
                lines.push(line);
            } else {
                lines.extend(self.break_after_bracket(indent, &code[from..at]).unwrap_or_else(|| vec![line]));
            }
            from = at;
        }
        Some(lines)
    }

    /// Arguments that go on below the first one: `call(a, b,` with the next line under `a`.
    fn break_aligned(&self, indent: &str, code: &str, open: usize, next: &str) -> Option<Vec<String>> {
        let column = indent.chars().count() + code[..=open].chars().count();
        if next.len() - next.trim_start().len() != column || !code.ends_with(',') {
            return None;
        }
        let inner = " ".repeat(column);
        let elements = parts::split_elements(code[open + 1..].trim_end_matches(','));
        let mut lines: Vec<String> =
            elements.iter().flat_map(|element| self.break_element(&inner, element, ",")).collect();
        let first = lines.first_mut()?;
        *first = format!("{indent}{}{}", &code[..=open], first.trim_start());
        Some(lines)
    }

    /// Open the last bracket that has something in it.
    fn break_after_bracket(&self, indent: &str, code: &str) -> Option<Vec<String>> {
        let bracket = parts::last_bracket(code)?;
        let Bracket { open, close, call } = bracket;
        let body = code[open + 1..close].trim().trim_end_matches(',').trim_end();
        let inner = format!("{indent}{}", self.unit);
        let mut lines = vec![format!("{indent}{}", &code[..=open])];
        let whole = format!("{inner}{body}");
        let elements = parts::split_elements(body);
        if self.line_fits(&whole) || elements.len() == 1 {
            if self.line_fits(&whole) {
                lines.push(whole);
            } else {
                let broken = self.break_chain(&inner, body).or_else(|| self.break_after_bracket(&inner, body));
                lines.extend(broken.unwrap_or_else(|| vec![whole]));
            }
        } else {
            let comma = call || elements.len() > 1;
            for (i, element) in elements.iter().enumerate() {
                let comma = if comma || i + 1 < elements.len() { "," } else { "" };
                lines.extend(self.break_element(&inner, element, comma));
            }
        }
        lines.push(format!("{indent}{}", &code[close..]));
        Some(lines)
    }

    fn break_element(&self, indent: &str, element: &str, comma: &str) -> Vec<String> {
        let line = format!("{indent}{element}{comma}");
        if self.line_fits(&line) {
            return vec![line];
        }
        match self.break_chain(indent, element).or_else(|| self.break_after_bracket(indent, element)) {
            Some(mut lines) => {
                if let Some(last) = lines.last_mut() {
                    last.push_str(comma);
                }
                lines
            }
            None => vec![line],
        }
    }

    /// A line between brackets: its elements on a line each.
    fn break_inside(&self, indent: &str, code: &str) -> Option<Vec<String>> {
        let (body, tail) = parts::before_closing(code);
        let comma = if body.ends_with(',') { "," } else { "" };
        let elements = parts::split_elements(body.trim_end_matches(','));
        if parts::ends_open(body) {
            return None;
        }
        let mut lines = Vec::new();
        for (i, element) in elements.iter().enumerate() {
            let comma = if i + 1 < elements.len() { "," } else { comma };
            lines.extend(self.break_element(indent, element, comma));
        }
        if lines.len() < 2 {
            return None;
        }
        lines.last_mut()?.push_str(tail);
        Some(lines)
    }
}
