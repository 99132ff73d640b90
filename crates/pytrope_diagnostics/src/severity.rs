//! How sure and how bad a finding is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// `Error` is certain, `Warning` is suspicious though it may run, `Note` answers a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

impl Severity {
    /// The word that formats and people use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// Whether a finding of this severity makes the exit code 1.
    pub fn fails(self) -> bool {
        match self {
            Self::Note => false,
            Self::Warning | Self::Error => true,
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
