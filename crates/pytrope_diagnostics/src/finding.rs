//! Findings: a rule broken at a place, with what explains it and what would fix it.

use std::cmp::Ordering;

use pytrope_source::Span;

use crate::{Place, Rule, Severity};

/// An instance of a rule at a place in the source.
#[derive(Debug, Clone)]
pub struct Finding {
    pub rule: &'static Rule,
    pub severity: Severity,
    /// The headline, without the rule or the exception's class.
    pub message: String,
    /// The exact class that Python would raise here.
    pub raises: Option<String>,
    pub primary: Span,
    pub related: Vec<Related>,
    /// The calls that lead to the primary place, innermost first; those worth showing are among the related places.
    pub calls: Vec<Span>,
    pub help: Option<String>,
    pub fix: Option<Fix>,
}

/// Another place that explains a finding, such as where a shape was born.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    pub span: Span,
    pub message: String,
}

/// Edits that would fix a finding.
#[derive(Debug, Clone)]
pub struct Fix {
    pub title: String,
    pub applicability: Applicability,
    pub changes: Vec<TextChange>,
}

/// Whether a fix may be applied without a person looking at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applicability {
    /// The program does what was meant, and nothing else changes.
    Safe,
    /// One way to fix it; a person decides whether it is the right one.
    Unsafe,
}

/// One replacement of a span by a text.
#[derive(Debug, Clone)]
pub struct TextChange {
    pub span: Span,
    pub text: String,
}

impl Finding {
    /// A finding at the rule's default level.
    pub fn new(rule: &'static Rule, primary: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            severity: rule.level,
            message: message.into(),
            raises: None,
            primary,
            related: Vec::new(),
            calls: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Names the class of the exception that is raised here.
    pub fn raises(mut self, class: impl Into<String>) -> Self {
        self.raises = Some(class.into());
        self
    }

    /// Overrides the rule's default severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Adds a place that explains the finding; an operand used twice is explained once.
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        let related = Related { span, message: message.into() };
        if !self.related.contains(&related) {
            self.related.push(related);
        }
        self
    }

    /// Says what a person can do.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers edits that would fix it.
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix);
        self
    }

    /// The headline with the exception's class before it, as a traceback ends.
    pub fn headline(&self) -> String {
        match &self.raises {
            Some(class) => format!("{class}: {}", self.message),
            None => self.message.clone(),
        }
    }

    fn order(&self, other: &Self) -> Ordering {
        let (file, other_file) = (&self.primary.file, &other.primary.file);
        file.path()
            .cmp(other_file.path())
            .then_with(|| Place::of(&self.primary).cmp(&Place::of(&other.primary)))
            .then_with(|| self.rule.code.cmp(other.rule.code))
            .then_with(|| self.message.cmp(&other.message))
    }
}

/// Sorts by path, line, column, code, and drops exact repetitions.
pub fn sort_findings(findings: &mut Vec<Finding>) {
    findings.sort_by(Finding::order);
    findings.dedup_by(|next, kept| next.order(kept) == Ordering::Equal);
}
