//! The groups of a regular expression as Python's `re` reads it, and what it refuses in one.

use pytrope_eval::{CallArgs, Flow, Interp, Value};

/// What the parts of a pattern say before any text is searched.
#[derive(Debug, PartialEq, Eq)]
enum ReadPattern {
    /// A name or none for each group.
    Groups(Vec<Option<String>>),
    /// Python compiles no such pattern.
    Refused(&'static str),
    /// It uses syntax that is not followed here.
    Open,
}

/// `regex_groups(pattern)`: a tuple with a name or None for each group, a text that says why Python refuses the pattern, or Unknown.
/// What depends on flags (`#` begins a comment with one of them) is not answered.
pub(super) fn regex_groups(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let read = args.get(0, "pattern").and_then(Value::as_str).map_or(ReadPattern::Open, read_pattern);
    Ok(match read {
        ReadPattern::Groups(names) => {
            Value::tuple(names.into_iter().map(|name| name.map_or(Value::None, |name| Value::str(&name))).collect())
        }
        ReadPattern::Refused(problem) => Value::str(problem),
        ReadPattern::Open => return Ok(super::unknown_because("a regular expression")),
    })
}

fn read_pattern(pattern: &str) -> ReadPattern {
    if pattern.contains('#') || pattern.contains("(?(") {
        return ReadPattern::Open;
    }
    let chars: Vec<char> = pattern.chars().collect();
    let mut names = Vec::new();
    let mut depth = 0_u32;
    let mut at = 0;
    while let Some(&c) = chars.get(at) {
        at += 1;
        match c {
            '\\' if at == chars.len() => return ReadPattern::Refused("bad escape (end of pattern)"),
            '\\' => at += 1,
            '[' => match end_of_set(&chars, at) {
                Some(end) => at = end,
                None => return ReadPattern::Refused("unterminated character set"),
            },
            '(' => {
                depth += 1;
                if chars.get(at) != Some(&'?') {
                    names.push(None);
                } else if chars.get(at + 1) == Some(&'P') && chars.get(at + 2) == Some(&'<') {
                    let rest = &chars[at + 3..];
                    let Some(end) = rest.iter().position(|c| *c == '>') else { return ReadPattern::Open };
                    let name: String = rest[..end].iter().collect();
                    if names.contains(&Some(name.clone())) {
                        return ReadPattern::Refused("redefinition of a group's name");
                    }
                    names.push(Some(name));
                }
            }
            ')' if depth == 0 => return ReadPattern::Refused("unbalanced parenthesis"),
            ')' => depth -= 1,
            _ => {}
        }
    }
    if depth > 0 {
        return ReadPattern::Refused("missing ), unterminated subpattern");
    }
    ReadPattern::Groups(names)
}

/// Where a set in brackets ends, which was opened before a place: a `]` at its beginning is one of its members.
fn end_of_set(chars: &[char], start: usize) -> Option<usize> {
    let mut at = start + usize::from(chars.get(start) == Some(&'^'));
    at += usize::from(chars.get(at) == Some(&']'));
    loop {
        match chars.get(at)? {
            '\\' => at += 2,
            ']' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ReadPattern, read_pattern};

    fn counted_groups(pattern: &str) -> Option<usize> {
        match read_pattern(pattern) {
            ReadPattern::Groups(names) => Some(names.len()),
            _ => None,
        }
    }

    #[test]
    fn groups_are_counted_as_python_counts_them() {
        assert_eq!(counted_groups(r"(\d+)-(\d+)"), Some(2));
        assert_eq!(counted_groups(r"(?:a)(?=b)(?P<x>c)(?P=x)\("), Some(1));
        assert_eq!(counted_groups(r"[](](a)[^]()]"), Some(1));
        assert_eq!(counted_groups(r"(a(b(c)))"), Some(3));
    }

    #[test]
    fn what_python_refuses_is_said() {
        for pattern in ["(a", "a)", "[a", "a\\", "(?P<x>a)(?P<x>b)"] {
            assert!(matches!(read_pattern(pattern), ReadPattern::Refused(_)), "{pattern}");
        }
        assert_eq!(read_pattern("(a # ("), ReadPattern::Open);
    }
}
