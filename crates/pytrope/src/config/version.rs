//! The version of Python that code is read for.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

/// `3.N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TargetVersion {
    pub minor: u8,
}

impl Default for TargetVersion {
    fn default() -> Self {
        Self { minor: 13 }
    }
}

impl fmt::Display for TargetVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "3.{}", self.minor)
    }
}

impl FromStr for TargetVersion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let minor = text.strip_prefix("3.").and_then(|minor| minor.parse().ok());
        match minor {
            Some(minor @ 7..=14) => Ok(Self { minor }),
            _ => Err(format!("`{text}` is not a version from 3.7 to 3.14")),
        }
    }
}

impl<'de> Deserialize<'de> for TargetVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for TargetVersion {
    fn schema_name() -> Cow<'static, str> {
        "TargetVersion".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": r"^3\.(7|8|9|10|11|12|13|14)$"})
    }
}

/// The lowest version that a project's `requires-python` allows.
pub(super) fn of_pyproject(path: &Path) -> Option<TargetVersion> {
    let document: toml::Table = std::fs::read_to_string(path).ok()?.parse().ok()?;
    lowest_version(document.get("project")?.get("requires-python")?.as_str()?)
}

fn lowest_version(specifier: &str) -> Option<TargetVersion> {
    specifier.split(',').find_map(|clause| {
        let clause = clause.trim();
        let version = [">=", "==", "~="].iter().find_map(|operator| clause.strip_prefix(operator))?.trim();
        let mut parts = version.split('.');
        let major = parts.next()?;
        format!("{major}.{}", parts.next()?.trim_end_matches('*')).parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_version_is_read_from_a_specifier() {
        assert_eq!(lowest_version(">=3.10"), Some(TargetVersion { minor: 10 }));
        assert_eq!(lowest_version("<4, >= 3.9.2"), Some(TargetVersion { minor: 9 }));
        assert_eq!(lowest_version("~=3.12.0"), Some(TargetVersion { minor: 12 }));
        assert_eq!(lowest_version("<4"), None);
    }
}
