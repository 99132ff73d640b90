//! Unknown keys: named with their line and, where one is near, with the key that was meant.

use pytrope_diagnostics::nearest;

/// Every key of the configuration; a test compares it with the schema.
pub(super) const KEYS: [&str; 14] = [
    "baseline",
    "exclude",
    "follow",
    "include",
    "models",
    "output-format",
    "per-file-ignores",
    "possible",
    "python",
    "respect-gitignore",
    "roots",
    "rules",
    "target-version",
    "versions",
];

/// The first unknown key as `line: message`, for a path to stand before.
pub(super) fn check(table: &toml::Table, text: &str) -> Result<(), String> {
    let Some(unknown) = table.keys().find(|key| !KEYS.contains(&key.as_str())) else {
        return Ok(());
    };
    let line = line_of(text, unknown).map_or(String::new(), |line| format!("{line}:"));
    let hint = match nearest(unknown, KEYS) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys are {}", KEYS.join(", ")),
    };
    Err(format!("{line} unknown key `{unknown}`; {hint}"))
}

/// What is wrong with a value as `line: message`, for a path to stand before.
pub(super) fn explain_value(error: &toml::de::Error, text: &str) -> String {
    let whole = error.to_string();
    let key = whole.rsplit_once("\nin `").and_then(|(_, rest)| rest.trim_end().strip_suffix('`')).unwrap_or_default();
    let last = key.rsplit('.').next().unwrap_or(key).split('[').next().unwrap_or(key);
    let line = line_of(text, last).map_or(String::new(), |line| format!("{line}:"));
    // serde's words for TOML's arrays and tables.
    let message = error.message().replace("a sequence", "an array").replace("a map", "a table");
    let message = message.replace("unknown variant", "unknown value").replace("invalid type: ", "wrong type: ");
    if key.is_empty() { format!("{line} {message}") } else { format!("{line} `{key}`: {message}") }
}

/// The 1-based line on which a key is set.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let sets = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("[tool.pytrope.").or(line.strip_prefix('[')).unwrap_or(line);
        let after = line.trim_start_matches(['"', '\'']).strip_prefix(key)?;
        after.trim_start_matches(['"', '\'', ' ', '\t']).starts_with(['=', ']', '.']).then_some(())
    };
    (1..).zip(text.lines()).find_map(|(number, line)| sets(line).map(|()| number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_keys_are_those_of_the_schema() {
        let schema: serde_json::Value = serde_json::from_str(&super::super::Config::json_schema()).unwrap();
        let mut keys: Vec<_> = schema["properties"].as_object().unwrap().keys().cloned().collect();
        keys.sort();
        assert_eq!(keys, KEYS);
    }

    #[test]
    fn a_wrong_value_is_named_with_its_key_and_line() {
        let explained = |text: &str| {
            let table: toml::Table = text.parse().unwrap();
            explain_value(&table.try_into::<super::super::Config>().unwrap_err(), text)
        };
        assert_eq!(
            explained("possible = true\nroots = 'a'\n"),
            "2: `roots`: wrong type: string \"a\", expected an array"
        );
        assert_eq!(
            explained("[rules]\nPT202 = 'off'\n"),
            "2: `rules.PT202`: unknown value `off`, expected one of `error`, `warning`, `note`, `ignore`"
        );
    }

    #[test]
    fn an_unknown_key_is_named_with_its_line() {
        let text = "possible = true\nexlude = ['a']\n";
        let error = check(&text.parse().unwrap(), text).unwrap_err();
        assert_eq!(error, "2: unknown key `exlude`; did you mean `exclude`?");
    }
}
