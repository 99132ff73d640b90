//! Rules, findings, and the formats they are printed in.
//!
//! A [`Rule`] is one Markdown page in `rules/`; a [`Finding`] is an instance of a rule at a [`Span`] of a
//! source file. Analyses return findings and know nothing of output; [`render`] knows the formats, one file each.
//! Promises: findings sort by path, line, column, code; every format prints the same bytes for the same findings.
//!
//! Start reading at [`finding`].
//!
//! [`Span`]: pytrope_source::Span

#![forbid(unsafe_code)]

pub mod baseline;
pub mod finding;
pub mod levels;
pub mod place;
pub mod render;
mod rule;
mod severity;
pub mod suppress;

pub use baseline::Baseline;
pub use finding::{Applicability, Finding, Fix, Related, TextChange, sort_findings};
pub use levels::{Level, Levels};
pub use place::Place;
pub use render::{Links, OutputFormat, RenderContext, render};
pub use rule::{Rule, find_rule, nearest, page_address, rule_by_id, rules};
pub use severity::Severity;
pub use suppress::suppress;
