//! Exit codes, as DESIGN fixes them.

use std::process::ExitCode;

/// How a run ended; of two, the worse one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Nothing to report, or rewritten.
    Success,
    /// An error or a warning was found, or the rewrite was refused.
    Found,
    /// Usage, input/output or configuration.
    Usage,
    /// A defect of Pytrope.
    Internal,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Internal => 101,
        })
    }
}
