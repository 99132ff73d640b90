//! Findings of the projector, with the rules they belong to.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::{Span, TextRange};

use crate::declaration::Unit;

/// What to write in place of the `else` clause of a loop.
pub(crate) const WITHOUT_ELSE: &str =
    "put its statements after the loop; if break can leave the loop, record that in a variable and test it there";

/// The rules about choreographies, by what is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoreoRule {
    NotAChoreography,
    RoleMismatch,
    MixedRoles,
    BadRoles,
    NoRole,
    BadChannel,
    BadLabel,
    CannotMerge,
    LoopNotShared,
    MisplacedCommunication,
    InterruptedCommunication,
    Unsupported,
    BadOverride,
    UnequalCopies,
    ImportCycle,
    UnknownMember,
    BadCall,
}

impl ChoreoRule {
    pub const fn rule_id(self) -> &'static str {
        match self {
            Self::NotAChoreography => "not-a-choreography",
            Self::RoleMismatch => "role-mismatch",
            Self::MixedRoles => "mixed-roles",
            Self::BadRoles => "bad-roles",
            Self::NoRole => "no-role",
            Self::BadChannel => "bad-channel",
            Self::BadLabel => "bad-label",
            Self::CannotMerge => "cannot-merge",
            Self::LoopNotShared => "loop-not-shared",
            Self::MisplacedCommunication => "misplaced-communication",
            Self::InterruptedCommunication => "interrupted-communication",
            Self::Unsupported => "unsupported-in-choreography",
            Self::BadOverride => "bad-override",
            Self::UnequalCopies => "unequal-copies",
            Self::ImportCycle => "choreography-import-cycle",
            Self::UnknownMember => "unknown-member",
            Self::BadCall => "bad-choreography-call",
        }
    }
}

/// Collects findings; a quiet report drops them (inference looks at code more than once).
#[derive(Default)]
pub struct Report {
    pub findings: Vec<Finding>,
    pub quiet: bool,
}

impl Report {
    pub fn add_error(
        &mut self,
        rule: ChoreoRule,
        unit: &Unit,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Finding {
        self.error_at(rule, unit.span(range), message)
    }

    pub fn error_at(&mut self, rule: ChoreoRule, span: Span, message: impl Into<String>) -> &mut Finding {
        let finding = Finding::new(rule_by_id(rule.rule_id()), span, message);
        // What is wrong in every turn of a loop that was written out is said once.
        let is_known = |known: &Finding| known.primary == finding.primary && known.message == finding.message;
        self.findings.retain(|known| !is_known(known));
        if self.quiet {
            self.findings.clear();
        }
        self.findings.push(finding);
        self.findings.last_mut().expect("a finding was just pushed")
    }
}

/// Builder steps on a finding that is already in a report.
pub trait Extend {
    fn annotate_span(&mut self, span: Span, message: impl Into<String>) -> &mut Self;
    fn add_help(&mut self, help: impl Into<String>) -> &mut Self;
}

impl Extend for Finding {
    fn annotate_span(&mut self, span: Span, message: impl Into<String>) -> &mut Self {
        self.related.push(pytrope_diagnostics::Related { span, message: message.into() });
        self
    }

    fn add_help(&mut self, help: impl Into<String>) -> &mut Self {
        self.help = Some(help.into());
        self
    }
}
