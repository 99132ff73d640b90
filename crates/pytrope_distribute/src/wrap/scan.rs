//! Physical lines with the brackets and strings that they stand in.

/// A line without its end, and what surrounds it.
pub struct Line<'a> {
    pub text: &'a str,
    pub end: &'a str,
    /// How many brackets are open where it begins.
    pub depth: usize,
    /// It begins or ends inside a string, or goes on by a backslash.
    pub opaque: bool,
    /// Where its comment begins.
    comment: Option<usize>,
}

impl<'a> Line<'a> {
    pub fn code_and_comment(&self) -> (&'a str, &'a str) {
        match self.comment {
            Some(at) => (&self.text[..at], &self.text[at..]),
            None => (self.text, ""),
        }
    }
}

/// A pair of brackets in a piece of code.
pub struct Bracket {
    pub open: usize,
    pub close: usize,
    /// A comma may follow its last part without changing what it means.
    pub call: bool,
}

/// The state of reading code: open brackets, and the quotes of the string that is open.
#[derive(Default)]
struct Reader {
    depth: usize,
    string: Option<&'static str>,
}

enum ScannedPart {
    Open,
    Close,
    Comment,
    Other,
}

impl Reader {
    /// Read one character (or one quote); the answer is how many bytes it took, and what it was.
    fn read_character(&mut self, text: &str, at: usize) -> (usize, ScannedPart) {
        let rest = &text[at..];
        let first = rest.chars().next().map_or(1, char::len_utf8);
        if let Some(quote) = self.string {
            if let Some(escaped) = rest.strip_prefix('\\') {
                return (1 + escaped.chars().next().map_or(0, char::len_utf8), ScannedPart::Other);
            }
            if rest.starts_with(quote) {
                self.string = None;
                return (quote.len(), ScannedPart::Other);
            }
            return (first, ScannedPart::Other);
        }
        for quote in ["\"\"\"", "'''", "\"", "'"] {
            if rest.starts_with(quote) {
                self.string = Some(quote);
                return (quote.len(), ScannedPart::Other);
            }
        }
        match rest.as_bytes()[0] {
            b'(' | b'[' | b'{' => {
                self.depth += 1;
                (1, ScannedPart::Open)
            }
            b')' | b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                (1, ScannedPart::Close)
            }
            b'#' => (1, ScannedPart::Comment),
            _ => (first, ScannedPart::Other),
        }
    }
}

pub fn scan_lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut reader = Reader::default();
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\r', '\n']);
        let (depth, began) = (reader.depth, reader.string.is_some());
        let mut comment = None;
        let mut at = 0;
        while at < line.len() {
            let (taken, seen) = reader.read_character(line, at);
            if matches!(seen, ScannedPart::Comment) {
                comment = Some(at);
                break;
            }
            at += taken;
        }
        // A plain string ends with its line, whatever it says.
        reader.string = reader.string.filter(|quote| quote.len() == 3);
        let opaque = began || reader.string.is_some() || line.ends_with('\\');
        lines.push(Line { text: line, end: &whole[line.len()..], depth, opaque, comment });
    }
    lines
}

/// Cutting a piece of code at its outermost commas, dots and brackets.
pub mod parts {
    use super::{Bracket, Reader, ScannedPart};

    /// Walk over a piece of code; `visit` is told of each place outside strings, with the depth before it.
    fn walk_code(code: &str, mut visit: impl FnMut(usize, usize, &Reader)) {
        let mut reader = Reader::default();
        let mut at = 0;
        while at < code.len() {
            let depth = reader.depth;
            let inside = reader.string.is_some();
            let (taken, _) = reader.read_character(code, at);
            if !inside {
                visit(at, depth, &reader);
            }
            at += taken;
        }
    }

    /// Whether code before ` = ` is a plain target.
    pub fn is_target(code: &str) -> bool {
        code.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | ' '))
    }

    /// The places before the dots of a chain of calls; `None` if the code is more than one chain.
    pub fn chain_breaks(code: &str) -> Option<Vec<usize>> {
        let mut dots = Vec::new();
        let mut plain = true;
        walk_code(code, |at, depth, _| {
            let byte = code.as_bytes()[at];
            if depth == 0 {
                if byte == b'.' && at > 0 && code.as_bytes()[at - 1] == b')' {
                    dots.push(at);
                }
                plain &= !byte.is_ascii_whitespace() && byte != b',';
            }
        });
        plain.then_some(dots)
    }

    /// The last bracket at the outermost level that closes and holds something; no subscript.
    pub fn last_bracket(code: &str) -> Option<Bracket> {
        let mut found = None;
        let mut open = None;
        walk_code(code, |at, depth, reader| {
            let before = code[..at].chars().next_back();
            let follows = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'));
            match code.as_bytes()[at] {
                b'(' | b'[' | b'{' if depth == 0 => open = Some((at, follows)),
                b')' | b']' | b'}' if reader.depth == 0 => {
                    if let Some((start, follows)) = open.take() {
                        let subscript = follows && code.as_bytes()[start] == b'[';
                        let body = code[start + 1..at].trim();
                        if !subscript && body.len() > 8 {
                            let call = follows && code.as_bytes()[start] == b'(' && !has_for(body)
                                || code.as_bytes()[start] != b'(' && !has_for(body);
                            found = Some(Bracket { open: start, close: at, call });
                        }
                    }
                }
                _ => {}
            }
        });
        found
    }

    fn has_for(code: &str) -> bool {
        let mut found = false;
        walk_code(code, |at, depth, _| found |= depth == 0 && code[at..].starts_with(" for "));
        found
    }

    /// The parts between outermost commas; a comprehension or a lambda's parameters are not cut.
    pub fn split_elements(code: &str) -> Vec<&str> {
        if has_for(code) {
            return vec![code.trim()];
        }
        let mut cuts = Vec::new();
        let mut lambda = false;
        walk_code(code, |at, depth, _| {
            if depth > 0 {
                return;
            }
            let begins = at == 0 || !code.as_bytes()[at - 1].is_ascii_alphanumeric();
            if begins && (code[at..].starts_with("lambda ") || code[at..].starts_with("lambda:")) {
                lambda = true;
            }
            match code.as_bytes()[at] {
                b':' => lambda = false,
                b',' if !lambda => cuts.push(at),
                _ => {}
            }
        });
        let mut found = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([code.len()]) {
            let part = code[from..cut.max(from)].trim();
            if !part.is_empty() {
                found.push(part);
            }
            from = cut + 1;
        }
        found
    }

    /// A line inside brackets, cut before the bracket that closes what an earlier line opened.
    pub fn before_closing(code: &str) -> (&str, &str) {
        let mut at = 0;
        let mut reader = Reader::default();
        while at < code.len() {
            let depth = reader.depth;
            let (taken, seen) = reader.read_character(code, at);
            if matches!(seen, ScannedPart::Close) && depth == 0 {
                return (code[..at].trim_end(), &code[at..]);
            }
            at += taken;
        }
        (code, "")
    }

    /// The outermost bracket that is still open at the end.
    pub fn unclosed_bracket(code: &str) -> Option<usize> {
        let mut open: Vec<usize> = Vec::new();
        walk_code(code, |at, _, _| match code.as_bytes()[at] {
            b'(' | b'[' | b'{' => open.push(at),
            b')' | b']' | b'}' => {
                open.pop();
            }
            _ => {}
        });
        open.first().copied()
    }

    /// Whether a bracket is still open at the end.
    pub fn ends_open(code: &str) -> bool {
        let mut open = false;
        walk_code(code, |_, _, reader| open = reader.depth > 0);
        open
    }
}
