//! The registry of rules: one per page in `rules/`, embedded by the build script.

use crate::Severity;

/// What a finding is an instance of: a stable code, a readable id and a page of explanation.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// `PT201`; the first digit names the family.
    pub code: &'static str,
    /// `broadcast-mismatch`.
    pub id: &'static str,
    /// The level unless configuration says otherwise.
    pub level: Severity,
    /// The version the rule first appeared in.
    pub since: &'static str,
    /// One line for lists.
    pub summary: &'static str,
    /// The Markdown page that `pytrope explain` prints.
    pub page: &'static str,
}

static RULES: &[Rule] = include!(concat!(env!("OUT_DIR"), "/rules.rs"));

/// Every rule, sorted by code.
pub fn rules() -> &'static [Rule] {
    RULES
}

/// The rule with this id, for code that names a rule of its own.
///
/// # Panics
/// If no page has the id: the name of a rule in our code is wrong, which a test of that code shows.
#[track_caller]
pub fn rule_by_id(id: &str) -> &'static Rule {
    RULES.iter().find(|rule| rule.id == id).unwrap_or_else(|| panic!("no rule page has the id `{id}`"))
}

/// The address of a rule's page on a built documentation site, which may be a folder on this machine.
pub fn page_address(site: &str, code: &str) -> String {
    format!("{}/rules/{code}.html", site.trim_end_matches('/'))
}

/// The rule a person named, by id or by code in any case.
pub fn find_rule(name: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == name || rule.code.eq_ignore_ascii_case(name))
}

/// The known name nearest to a mistyped one, if one is near enough to suggest.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Digits are numbers, not letters: PT999 is no misspelling of PT109.
    let is_code = name.ends_with(|last: char| last.is_ascii_digit());
    let limit = if is_code { 1 } else { name.chars().count().div_ceil(3) };
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|candidate| (edit_distance(name, candidate), *candidate));
    let near = near.filter(|&(distance, _)| distance <= limit).min_by_key(|&(distance, _)| distance);
    // `matmul` is short for the only name that starts so.
    let mut longer = known.iter().filter(|candidate| name.len() >= 3 && candidate.starts_with(name));
    near.map(|(_, candidate)| candidate).or(longer.next().filter(|_| longer.next().is_none()).copied())
}

/// The distance between two short words in edits: a character more, less or other, or two neighbours in the wrong order.
fn edit_distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for row in 1..=left.len() {
        let mut current = vec![row];
        for column in 1..=right.len() {
            let substitute = last[column - 1] + usize::from(left[row - 1] != right[column - 1]);
            let mut least = substitute.min(current[column - 1] + 1).min(last[column] + 1);
            let are_swapped =
                row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1];
            if are_swapped {
                least = least.min(before_last[column - 2] + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_ids_are_unique_and_well_formed() {
        for pair in rules().windows(2) {
            assert!(pair[0].code < pair[1].code, "{} is repeated or unsorted", pair[1].code);
        }
        let mut ids: Vec<_> = rules().iter().map(|rule| rule.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), rules().len(), "an id is used twice");
        for rule in rules() {
            let digits = rule.code.strip_prefix("PT").expect("codes begin with PT");
            assert!(digits.len() == 3 && digits.chars().all(|c| c.is_ascii_digit()), "{}", rule.code);
            assert!(rule.id.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", rule.id);
        }
    }

    #[test]
    fn every_page_has_the_four_sections_and_an_example() {
        for rule in rules() {
            let title = format!("# {} ({})", rule.id, rule.code);
            assert_eq!(rule.page.lines().next(), Some(title.as_str()), "{}: title", rule.code);
            for section in ["## What it does", "## Why", "## Example", "## How to fix"] {
                assert!(rule.page.contains(&format!("\n{section}\n")), "{}: no `{section}`", rule.code);
            }
            let example = rule.page.split("\n## Example\n").nth(1).unwrap_or_default();
            let example = example.split("\n## ").next().unwrap_or_default();
            assert!(example.contains("```python\n"), "{}: no Python example", rule.code);
        }
    }

    #[test]
    fn rules_are_found_by_id_and_by_code() {
        let rule = rule_by_id("broadcast-mismatch");
        assert_eq!(rule.code, "PT201");
        assert_eq!(find_rule("pt201"), Some(rule));
        assert_eq!(find_rule("broadcast"), None);
    }

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let ids = || rules().iter().map(|rule| rule.id);
        assert_eq!(nearest("brodcast-mismatch", ids()), Some("broadcast-mismatch"));
        assert_eq!(nearest("matmul", ids()), Some("matmul-mismatch"));
        assert_eq!(nearest("quux", ids()), None);
        assert_eq!(nearest("Nte", ["Net", "Encoder"]), Some("Net"));
        assert_eq!(nearest("PT20", ["PT109", "PT209"]), Some("PT209"));
        assert_eq!(nearest("PT999", rules().iter().map(|rule| rule.code)), None);
    }
}
