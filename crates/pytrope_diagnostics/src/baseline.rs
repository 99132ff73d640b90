//! Baselines: findings that are already known, so that a run reports only new ones.
//!
//! An entry is a path (from the baseline's own folder, so that the working directory does not matter), a rule and the
//! text of the line, with a count: it survives edits elsewhere in the file and new wordings of messages, and goes stale
//! when its line changes.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Finding;
use crate::place::{line_text, path_from};

/// The known findings of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    known: BTreeMap<BaselineKey, usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct BaselineKey {
    path: String,
    rule: String,
    text: String,
}

/// The file as it is written: sorted, so that its diffs are small.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    findings: Vec<BaselineEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineEntry {
    path: String,
    rule: String,
    text: String,
    count: usize,
}

impl Baseline {
    /// The baseline that makes a run with these findings silent; it will be written to `folder`.
    pub fn of(findings: &[Finding], folder: &Path, base: &Path) -> Self {
        let mut known = BTreeMap::new();
        for finding in findings.iter().filter(|finding| finding.severity.fails()) {
            *known.entry(BaselineKey::of(finding, folder, base)).or_default() += 1;
        }
        Self { known }
    }

    /// Takes over what an older baseline knows of files for which `is_kept` holds, by their paths from the baseline's folder; how many
    /// findings that is.
    pub fn keep_files(&mut self, older: Self, is_kept: &mut dyn FnMut(&str) -> bool) -> usize {
        let mut kept = 0;
        for (key, count) in older.known {
            if is_kept(&key.path) {
                kept += count;
                *self.known.entry(key).or_default() += count;
            }
        }
        kept
    }

    /// Reads a baseline file's text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if document.version != 1 {
            return Err(format!("version {} is not one that this Pytrope reads (1)", document.version));
        }
        let mut known = BTreeMap::new();
        for BaselineEntry { path, rule, text, count } in document.findings {
            *known.entry(BaselineKey { path, rule, text }).or_default() += count;
        }
        Ok(Self { known })
    }

    /// The baseline file's text.
    pub fn to_json(&self) -> String {
        let findings = self.known.iter().map(|(key, &count)| BaselineEntry {
            path: key.path.clone(),
            rule: key.rule.clone(),
            text: key.text.clone(),
            count,
        });
        let document = Document { version: 1, findings: findings.collect() };
        let mut text = serde_json::to_string_pretty(&document).expect("strings and numbers always serialise");
        text.push('\n');
        text
    }

    /// The findings that are not known; of several alike, the first ones are the known ones.
    pub fn filter(&self, findings: Vec<Finding>, folder: &Path, base: &Path) -> Vec<Finding> {
        let mut left = self.known.clone();
        findings
            .into_iter()
            .filter(|finding| match left.get_mut(&BaselineKey::of(finding, folder, base)) {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            })
            .collect()
    }
}

impl BaselineKey {
    fn of(finding: &Finding, folder: &Path, base: &Path) -> Self {
        Self {
            path: path_from(folder, finding.primary.file.path(), base),
            rule: finding.rule.id.to_owned(),
            text: line_text(&finding.primary).trim().to_owned(),
        }
    }
}
