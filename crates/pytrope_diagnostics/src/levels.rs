//! The level of each rule as configuration and command line set it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Finding, Rule, Severity};

/// What becomes of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Error,
    Warning,
    Note,
    Ignore,
}

/// Levels that differ from the rules' defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Levels {
    set: BTreeMap<&'static str, Level>,
}

impl Levels {
    /// Sets the level of one rule; a later setting wins.
    pub fn set(&mut self, rule: &'static Rule, level: Level) {
        self.set.insert(rule.code, level);
    }

    /// The finding at its configured severity, or nothing if its rule is ignored.
    pub fn apply(&self, mut finding: Finding) -> Option<Finding> {
        match self.set.get(finding.rule.code) {
            None => {}
            Some(Level::Ignore) => return None,
            Some(Level::Error) => finding.severity = Severity::Error,
            Some(Level::Warning) => finding.severity = Severity::Warning,
            Some(Level::Note) => finding.severity = Severity::Note,
        }
        Some(finding)
    }
}
