//! Documents that are texts of the program: what Python's `json` refuses in one, whatever it is told to make of it.

use pytrope_eval::{CallArgs, Flow, Interp, Value};

/// Longer texts, and deeper ones, are not read.
const LONGEST: usize = 100_000;
const DEEPEST: usize = 200;

/// `json_problem(text)`: why Python refuses a document, or None.
pub(super) fn json_problem(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let problem = args.get(0, "text").and_then(Value::as_str).and_then(problem_of_json);
    Ok(problem.map_or(Value::None, Value::str))
}

fn problem_of_json(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST || text.starts_with('\u{feff}') {
        return None;
    }
    let mut reader = JsonGrammar { rest: text, depth: 0 };
    reader.skip_spaces();
    match reader.read_value() {
        Some(Ok(())) => {
            reader.skip_spaces();
            (!reader.rest.is_empty()).then_some("Extra data")
        }
        Some(Err(problem)) => Some(problem),
        None => None,
    }
}

struct JsonGrammar<'a> {
    rest: &'a str,
    depth: usize,
}

/// Nothing where the reader gives up.
type JsonOutcome = Option<Result<(), &'static str>>;

impl JsonGrammar<'_> {
    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn take_word(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn read_value(&mut self) -> JsonOutcome {
        const WORDS: [&str; 6] = ["null", "true", "false", "NaN", "Infinity", "-Infinity"];
        if WORDS.iter().any(|word| self.take_word(word)) {
            return Some(Ok(()));
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let read = match self.rest.chars().next() {
            Some('"') => self.read_text(),
            Some('{') => self.read_items('}', true),
            Some('[') => self.read_items(']', false),
            Some('-' | '0'..='9') => self.read_number(),
            _ => Some(Err("Expecting value")),
        };
        self.depth -= 1;
        read
    }

    fn read_items(&mut self, end: char, has_keys: bool) -> JsonOutcome {
        self.rest = &self.rest[1..];
        self.skip_spaces();
        if self.rest.starts_with(end) {
            self.rest = &self.rest[1..];
            return Some(Ok(()));
        }
        loop {
            if has_keys {
                if !self.rest.starts_with('"') {
                    return Some(Err("Expecting property name enclosed in double quotes"));
                }
                if let other @ (None | Some(Err(_))) = self.read_text() {
                    return other;
                }
                self.skip_spaces();
                if !self.take_word(":") {
                    return Some(Err("Expecting ':' delimiter"));
                }
                self.skip_spaces();
            }
            if let other @ (None | Some(Err(_))) = self.read_value() {
                return other;
            }
            self.skip_spaces();
            if self.rest.starts_with(end) {
                self.rest = &self.rest[1..];
                return Some(Ok(()));
            }
            if !self.take_word(",") {
                return Some(Err("Expecting ',' delimiter"));
            }
            self.skip_spaces();
        }
    }

    fn read_text(&mut self) -> JsonOutcome {
        let mut chars = self.rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 2..];
                    return Some(Ok(()));
                }
                // What stands behind a backslash, and control characters, which an option allows, are not judged.
                '\\' => {
                    chars.next();
                }
                c if c < ' ' => return None,
                _ => {}
            }
        }
        Some(Err("Unterminated string"))
    }

    fn read_number(&mut self) -> JsonOutcome {
        let length = self.rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'));
        let number = &self.rest[..length.unwrap_or(self.rest.len())];
        let digits = number.strip_prefix('-').unwrap_or(number);
        // Only plain numbers are judged: where `01`, `1.` and the like end is left to Python.
        let is_plain = match digits.split_once('.') {
            None => is_digits(digits),
            Some((whole, part)) => is_digits(whole) && is_digits(part),
        };
        if !is_plain || digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.") {
            return None;
        }
        self.rest = &self.rest[number.len()..];
        Some(Ok(()))
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::problem_of_json;

    #[test]
    fn documents_are_read_as_python_reads_them() {
        for text in [r#"{"a": [1, -2.5, null]}"#, " [] ", r#""a\"b""#, "NaN", "1e5", "[1E400]"] {
            assert_eq!(problem_of_json(text), None, "{text}");
        }
        for text in ["{'a': 1}", "[1, 2,]", "", "{\"a\" 1}", "\"a", "[1] 2", "nul"] {
            assert!(problem_of_json(text).is_some(), "{text}");
        }
    }
}
