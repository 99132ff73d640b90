//! The formats findings are printed in, one file each.

mod concise;
mod excerpt;
mod fingerprint;
mod full;
mod github;
mod gitlab;
mod hyperlink;
mod json;
mod junit;
mod sarif;

use std::io::{self, Write};
use std::path::PathBuf;

pub use json::finding_to_json;

use crate::Finding;

/// An output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// Headline, source excerpts with underlines, help.
    Full,
    /// `path:line:col: CODE Class: message`.
    Concise,
    /// One JSON object.
    Json,
    /// One JSON object per finding and line.
    JsonLines,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
    /// GitLab's code quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
}

impl OutputFormat {
    pub const ALL: [Self; 8] =
        [Self::Full, Self::Concise, Self::Json, Self::JsonLines, Self::Sarif, Self::Github, Self::Gitlab, Self::Junit];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Concise => "concise",
            Self::Json => "json",
            Self::JsonLines => "json-lines",
            Self::Sarif => "sarif",
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Junit => "junit",
        }
    }

    /// Whether a program rather than a person reads it, so that nothing else may be on the same stream.
    pub fn is_for_machines(self) -> bool {
        match self {
            Self::Full | Self::Concise => false,
            Self::Json | Self::JsonLines | Self::Sarif | Self::Github | Self::Gitlab | Self::Junit => true,
        }
    }
}

/// What rendering depends on besides the findings.
#[derive(Debug, Clone)]
pub struct RenderContext {
    /// Paths are shown relative to this folder, the working directory.
    pub base: PathBuf,
    pub colour: bool,
    /// Where links in a terminal lead; none where it does not show them.
    pub links: Option<Links>,
}

/// Links that a terminal opens (OSC 8).
#[derive(Debug, Clone, Default)]
pub struct Links {
    /// The address of the documentation site, below which a rule has its page.
    pub documentation: Option<String>,
}

/// Prints sorted findings in a format.
pub fn render(
    format: OutputFormat,
    findings: &[Finding],
    context: &RenderContext,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        OutputFormat::Full => full::render(findings, context, out),
        OutputFormat::Concise => concise::render(findings, context, out),
        OutputFormat::Json => json::render(findings, context, out),
        OutputFormat::JsonLines => json::render_lines(findings, context, out),
        OutputFormat::Sarif => sarif::render(findings, context, out),
        OutputFormat::Github => github::render(findings, context, out),
        OutputFormat::Gitlab => gitlab::render(findings, context, out),
        OutputFormat::Junit => junit::render(findings, context, out),
    }
}
