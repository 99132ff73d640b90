//! Expectations written as comments in Python blocks.

use pytrope_diagnostics::{Finding, Place, Severity};

/// A finding that a line of a file must have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Assertion {
    /// The 1-based line of the file that the finding must start on.
    pub line: usize,
    /// The 1-based line of the file that holds the comment.
    pub written: usize,
    pub expected: Expected,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Finding { severity: Severity, column: Option<u32>, rule: Option<String>, text: Option<String> },
    Revealed(String),
}

/// The words that open an expectation after `# `.
const MARKERS: [(&str, Option<Severity>); 4] = [
    ("error:", Some(Severity::Error)),
    ("warning:", Some(Severity::Warning)),
    ("note:", Some(Severity::Note)),
    ("revealed:", None),
];

/// The expectations of a file, in order.
pub(crate) fn read_assertions(text: &str) -> Result<Vec<Assertion>, String> {
    let mut all = Vec::new();
    let mut waiting: Vec<(usize, Expected)> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let (code, found) = of_line(content).map_err(|error| format!("line {line}: {error}"))?;
        if code.trim().is_empty() {
            waiting.extend(found.into_iter().map(|expected| (line, expected)));
            continue;
        }
        for (written, expected) in waiting.drain(..).chain(found.into_iter().map(|expected| (line, expected))) {
            all.push(Assertion { line, written, expected });
        }
    }
    match waiting.first() {
        Some((line, _)) => Err(format!("line {line}: no code follows the expectation")),
        None => Ok(all),
    }
}

/// Splits a line into its code and the expectations behind it.
fn of_line(line: &str) -> Result<(&str, Vec<Expected>), String> {
    let Some(start) = next_marker(line) else {
        return Ok((line, Vec::new()));
    };
    let mut expectations = Vec::new();
    let mut rest = &line[start..];
    while !rest.is_empty() {
        let end = next_marker(&rest[1..]).map_or(rest.len(), |next| next + 1);
        expectations.push(read_expectation(rest[..end].trim())?);
        rest = &rest[end..];
    }
    Ok((&line[..start], expectations))
}

fn next_marker(text: &str) -> Option<usize> {
    text.match_indices("# ")
        .find(|(at, mark)| MARKERS.iter().any(|(word, _)| text[at + mark.len()..].starts_with(word)))
        .map(|(at, _)| at)
}

fn read_expectation(text: &str) -> Result<Expected, String> {
    let text = text.strip_prefix("# ").unwrap_or(text);
    let (severity, rest) = MARKERS
        .iter()
        .find_map(|(word, severity)| Some((severity, text.strip_prefix(word)?.trim())))
        .ok_or_else(|| format!("`{text}` is not an expectation"))?;
    let Some(severity) = *severity else {
        return Ok(Expected::Revealed(rest.to_owned()));
    };
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let (column, rest) = (rest[..digits].parse().ok(), rest[digits..].trim_start());
    let (rule, rest) = match rest.strip_prefix('[') {
        Some(after) => {
            let (rule, rest) = after.split_once(']').ok_or("the rule's bracket is never closed")?;
            if pytrope_diagnostics::find_rule(rule).is_none() {
                return Err(format!("there is no rule `{rule}`"));
            }
            (Some(rule.to_owned()), rest.trim_start())
        }
        None => (None, rest),
    };
    let message = match rest.strip_prefix('"') {
        Some(after) => Some(after.strip_suffix('"').ok_or("the text's quote is never closed")?.to_owned()),
        None if rest.is_empty() => None,
        None => return Err(format!("`{rest}` is neither a [rule] nor a \"text\"")),
    };
    Ok(Expected::Finding { severity, column, rule, text: message })
}

impl Expected {
    /// Whether a finding on the right line is the expected one.
    pub fn matches(&self, finding: &Finding) -> bool {
        match self {
            Self::Revealed(value) => finding.rule.id == "reveal-type" && finding.message == *value,
            Self::Finding { severity, column, rule, text } => {
                finding.severity == *severity
                    && column.is_none_or(|column| Place::of(&finding.primary).column == column)
                    && rule.as_deref().is_none_or(|rule| rule == finding.rule.id || rule == finding.rule.code)
                    && text.as_deref().is_none_or(|text| finding.headline().contains(text))
            }
        }
    }
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Revealed(value) => write!(f, "revealed: {value}"),
            Self::Finding { severity, column, rule, text } => {
                write!(f, "{severity}:")?;
                if let Some(column) = column {
                    write!(f, " {column}")?;
                }
                if let Some(rule) = rule {
                    write!(f, " [{rule}]")?;
                }
                if let Some(text) = text {
                    write!(f, " \"{text}\"")?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_expects_on_its_own_line_or_on_the_next_code() {
        let text =
            "# error: [matmul-mismatch]\n# a comment is code enough\nx @ y  # error: 3 \"3 ≠ 2\" # revealed: int\n";
        let found = read_assertions(text).unwrap();
        let lines: Vec<_> = found.iter().map(|assertion| (assertion.line, assertion.written)).collect();
        assert_eq!(lines, [(2, 1), (3, 3), (3, 3)]);
        assert_eq!(found[2].expected, Expected::Revealed("int".into()));
        let Expected::Finding { column, ref text, .. } = found[1].expected else { panic!("a finding") };
        assert_eq!((column, text.as_deref()), (Some(3), Some("3 ≠ 2")));
    }

    #[test]
    fn mistakes_in_expectations_are_errors() {
        for (text, error) in [
            ("x  # error: [no-such-rule]", "line 1: there is no rule `no-such-rule`"),
            ("x  # error: \"open", "line 1: the text's quote is never closed"),
            ("x  # error: what", "line 1: `what` is neither a [rule] nor a \"text\""),
            ("# error: [matmul-mismatch]\n", "line 1: no code follows the expectation"),
        ] {
            assert_eq!(read_assertions(text).unwrap_err(), error);
        }
    }
}
