//! What the library does, beside what the analysis says.

use pytrope_diagnostics::{Finding, Severity};

/// How a row went.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// All that the table says is known.
    Exact,
    /// Some sizes or types are not known.
    Partial,
    /// Nothing is known.
    Unknown,
    /// It raises, and we are silent.
    Missed,
    Wrong,
}

/// Judges a row by its findings, and says what they are.
pub fn judge(expected: &str, found: &[&Finding]) -> (Verdict, String) {
    let errors: Vec<&&Finding> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
    let revealed: Vec<&str> = found
        .iter()
        .filter(|finding| finding.severity == Severity::Note)
        .map(|finding| finding.message.as_str())
        .collect();
    if let Some(error) = errors.first() {
        let class = error.raises.as_deref().unwrap_or("?");
        // Releases that raise different classes are written `!A/B`.
        let right = expected.strip_prefix('!').is_some_and(|classes| classes.split('/').any(|one| one == class));
        let verdict = if right { Verdict::Exact } else { Verdict::Wrong };
        return (verdict, format!("!{class}: {}", error.message));
    }
    let shown = revealed.join(" : ");
    if expected.starts_with('!') {
        return (Verdict::Missed, shown);
    }
    let Some(value) = revealed.first() else { return (Verdict::Wrong, "nothing: the row does not end".to_owned()) };
    let mut verdict = compare(expected, value);
    if verdict < Verdict::Missed
        && let (Some(dtype), Some((_, wanted))) = (revealed.get(1), expected.rsplit_once(' '))
        && verdict != Verdict::Unknown
    {
        let wanted = format!("'{wanted}'");
        verdict = match *dtype {
            "Unknown" | "str" => verdict.max(Verdict::Partial),
            known if known == wanted => verdict,
            _ => Verdict::Wrong,
        };
    }
    (verdict, shown)
}

/// The parts of a bracketed list, separated at the top level.
fn split(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            c if c == separator && depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

fn compare(expected: &str, shown: &str) -> Verdict {
    if shown == "Unknown" {
        return Verdict::Unknown;
    }
    // Alternatives: one of them must be right, and that is only partly known.
    let alternatives = split(shown, '|');
    if alternatives.len() > 1 {
        let fits = alternatives.iter().any(|one| compare(expected, one) != Verdict::Wrong);
        return if fits { Verdict::Partial } else { Verdict::Wrong };
    }
    if let Some(value) = expected.strip_prefix("= ") {
        return python_value(value, shown);
    }
    if let Some(inner) = expected.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let parts = split(inner, ';');
        // Named tuples of a library are instances of a model class.
        if !shown.is_empty() && shown.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Verdict::Partial;
        }
        let open = |c: char| c == '(' || c == '[';
        let Some(own) = shown.strip_prefix(open).and_then(|rest| rest.strip_suffix([')', ']'])) else {
            return Verdict::Wrong;
        };
        let own = split(own, ',');
        if own.len() != parts.len() {
            return Verdict::Wrong;
        }
        return parts.iter().zip(own).map(|(part, own)| compare(part, own)).max().unwrap_or(Verdict::Exact);
    }
    if let Some(dtype) = expected.strip_prefix("scalar ") {
        let name = shown.split('(').next().unwrap_or_default();
        let name = if name == "bool_" { "bool" } else { name };
        return if name == dtype { Verdict::Exact } else { Verdict::Wrong };
    }
    if let Some(shape) = expected.rsplit_once(' ').map(|(shape, _)| shape) {
        return array(shape, shown);
    }
    Verdict::Wrong
}

/// An unknown integer is shown by the name it was bound to, which is `value` in all rows.
fn python_value(value: &str, shown: &str) -> Verdict {
    let listed = |text: &'_ str| text.starts_with('[') && text.ends_with(']');
    if listed(value) && listed(shown) {
        let items = split(&value[1..value.len() - 1], ',');
        let own = split(&shown[1..shown.len() - 1], ',');
        if items.len() != own.len() {
            return Verdict::Wrong;
        }
        return items.iter().zip(own).map(|(item, own)| python_value(item, own)).max().unwrap_or(Verdict::Exact);
    }
    let kind = match value {
        "float" | "complex" => {
            let number = shown == value || shown.parse::<f64>().is_ok();
            return if number { Verdict::Exact } else { Verdict::Wrong };
        }
        "True" | "False" => "bool",
        "None" => "NoneType",
        text if text.starts_with('(') => "tuple",
        text if text.starts_with('[') => "list",
        text if text.starts_with('\'') => "str",
        _ => "int",
    };
    if shown == value {
        Verdict::Exact
    } else if shown == kind
        || shown == "value"
        || (kind == "tuple" && shown == "Size")
        || (kind == "tuple" && shown.starts_with('(') && shown.contains("int"))
    {
        Verdict::Partial
    } else {
        Verdict::Wrong
    }
}

fn array(shape: &str, shown: &str) -> Verdict {
    // Arrays without axes of other classes than NumPy's are shown by their class alone.
    if shape == "()" && !shown.is_empty() && shown.chars().all(|c| c.is_ascii_alphabetic()) {
        return Verdict::Exact;
    }
    let Some(own) = shown.find('[').map(|at| &shown[at + 1..shown.len() - 1]) else { return Verdict::Wrong };
    if own == "..." {
        return Verdict::Partial;
    }
    let sizes = split(shape.trim_start_matches('(').trim_end_matches(')'), ',');
    let own = if own == "()" { Vec::new() } else { split(own, ',') };
    if own.len() != sizes.len() {
        return Verdict::Wrong;
    }
    let mut verdict = Verdict::Exact;
    for (size, own) in sizes.iter().zip(own) {
        let is_open = own.parse::<i128>().is_err();
        if is_open && *size == "None" {
            // A size that the library does not know in advance either.
        } else if is_open {
            verdict = Verdict::Partial;
        } else if *size != own {
            return Verdict::Wrong;
        }
    }
    verdict
}
