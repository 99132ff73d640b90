//! Exit codes, as DESIGN fixes them.

use std::process::ExitCode;

/// How a run ended; of two, the worse one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    /// Nothing to report, or rewritten.
    Success,
    /// An error or a warning was found, or the rewrite was refused.
    Found,
    /// Usage, input/output or configuration.
    Usage,
    /// A defect of Pytrope.
    Internal,
}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        Self::from(match exit {
            ExitStatus::Success => 0,
            ExitStatus::Found => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Internal => 101,
        })
    }
}
