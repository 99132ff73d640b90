//! Regular expressions on texts that are known: where a pattern matches, as Python's `re` says it.
//!
//! The engine is not Python's, so that what the two read differently is not answered: look-around and references back, which the
//! engine refuses, set operations in brackets, `$` before a last line break, and empty matches beside others.

use pytrope_eval::{CallArgs, Flow, Interp, Value};
use regex_automata::meta::Regex;
use regex_automata::util::captures::Captures;

/// Longer texts are not searched.
const LONGEST_TEXT: usize = 10_000;

/// `regex_matches(pattern, text, mode)`: `(names, matches)`, where `names` has a name or None for each group and each match has
/// `(start, end)` or None for each group, the whole match first. Modes are `"match"`, `"fullmatch"`, `"search"` and `"all"`.
/// Unknown where an argument is not known or the pattern may mean something else to Python.
pub(super) fn regex_matches(_: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let unknown = || Ok(super::unknown_because("a regular expression"));
    let (Some(pattern), Some(text), Some(mode)) = (
        args.get(0, "pattern").and_then(Value::as_str),
        args.get(1, "text").and_then(Value::as_str),
        args.get(2, "mode").and_then(Value::as_str),
    ) else {
        return unknown();
    };
    let Some((names, found)) = find_matches(pattern, text, mode) else { return unknown() };
    let names = names.into_iter().map(|name| name.map_or(Value::None, |name| Value::str(&name))).collect();
    let group = |span: Option<(usize, usize)>| match span {
        Some((start, end)) => Value::tuple(vec![Value::Int(start as i64), Value::Int(end as i64)]),
        None => Value::None,
    };
    let found = found.into_iter().map(|groups| Value::tuple(groups.into_iter().map(group).collect())).collect();
    Ok(Value::tuple(vec![Value::tuple(names), Value::tuple(found)]))
}

/// The names of the groups, and the spans of the groups of each match.
type FoundMatches = (Vec<Option<String>>, Vec<Vec<Option<(usize, usize)>>>);

fn find_matches(pattern: &str, text: &str, mode: &str) -> Option<FoundMatches> {
    // Positions are counted in characters by Python and in bytes here.
    if !pattern.is_ascii() || !text.is_ascii() || text.len() > LONGEST_TEXT || reads_differently(pattern, text) {
        return None;
    }
    let anchored = match mode {
        "match" => format!("\\A(?:{pattern})"),
        "fullmatch" => format!("\\A(?:{pattern})\\z"),
        _ => pattern.to_owned(),
    };
    let regex = Regex::new(&anchored).ok()?;
    let groups = regex.captures_len();
    let names = regex.group_info().pattern_names(regex_automata::PatternID::ZERO);
    let names = names.map(|name| name.map(str::to_owned)).collect();
    let spans_of = |captures: &Captures| -> Vec<Option<(usize, usize)>> {
        (0..groups).map(|group| captures.get_group(group).map(|span| (span.start, span.end))).collect()
    };
    if mode != "all" {
        let mut captures = regex.create_captures();
        regex.captures(text, &mut captures);
        return Some((names, if captures.is_match() { vec![spans_of(&captures)] } else { Vec::new() }));
    }
    let mut found = Vec::new();
    for captures in regex.captures_iter(text) {
        let whole = captures.get_match()?;
        if whole.is_empty() {
            return None;
        }
        found.push(spans_of(&captures));
    }
    // An empty match beside another one is left out by the engine and not by Python.
    let matches_nothing = regex.is_match("") && !found.is_empty();
    (!matches_nothing).then_some((names, found))
}

fn reads_differently(pattern: &str, text: &str) -> bool {
    let ends_lines = pattern.contains('$') && text.contains('\n');
    let other_syntax =
        ["[[", "&&", "--", "~~", "{,", "(?x", "(?#", "(?u", "(?L", "(?a", "\\<", "\\>", "\\z", "\\p", "\\P"];
    ends_lines || other_syntax.iter().any(|part| pattern.contains(part))
}

#[cfg(test)]
mod tests {
    use super::find_matches;

    type GroupSpans = Vec<Option<(usize, usize)>>;

    fn matched_spans(pattern: &str, text: &str, mode: &str) -> Option<Vec<GroupSpans>> {
        find_matches(pattern, text, mode).map(|(_, found)| found)
    }

    #[test]
    fn matches_are_those_of_python() {
        assert_eq!(matched_spans(r"(\d.*)", "se0.25", "all"), Some(vec![vec![Some((2, 6)), Some((2, 6))]]));
        assert_eq!(matched_spans("b|a", "ba", "match"), Some(vec![vec![Some((0, 1))]]));
        assert_eq!(matched_spans("a|ab", "ab", "fullmatch"), Some(vec![vec![Some((0, 2))]]));
        assert_eq!(matched_spans("(x)?b", "b", "search"), Some(vec![vec![Some((0, 1)), None]]));
        assert_eq!(matched_spans("c", "ab", "search"), Some(Vec::new()));
    }

    #[test]
    fn what_python_reads_differently_is_not_answered() {
        assert_eq!(matched_spans("a*", "baac", "all"), None);
        assert_eq!(matched_spans("(?=a)", "a", "search"), None);
        assert_eq!(matched_spans("a$", "a\n", "search"), None);
        assert_eq!(matched_spans("é", "é", "search"), None);
    }
}
