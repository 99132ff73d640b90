//! `--fix`: applies the fixes that findings offer; with `--diff`, prints them and changes nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use pytrope_diagnostics::{Applicability, Finding};
use pytrope_source::{SourceFile, TextRange, unified_diff, write_atomic};

use super::count_with_noun;
use crate::diff;
use crate::environment::shown;
use crate::session::Session;

/// A replacement of some bytes of a file.
type FileChange = (TextRange, String);

/// The changes of one file.
struct Changed {
    file: Arc<SourceFile>,
    changes: Vec<FileChange>,
}

/// Applies fixes and drops the findings that they settle; returns a line about it.
pub(super) fn apply(
    findings: &mut Vec<Finding>,
    with_unsafe: bool,
    only_show: bool,
    session: &Session,
) -> Result<String> {
    let mut files: BTreeMap<String, Changed> = BTreeMap::new();
    let mut fixed = 0;
    let mut held_back = 0;
    findings.retain(|finding| {
        let Some(fix) = &finding.fix else { return true };
        if fix.applicability == Applicability::Unsafe && !with_unsafe {
            held_back += 1;
            return true;
        }
        let taken = add_fix(&mut files, finding);
        fixed += usize::from(taken);
        !taken
    });
    for Changed { file, changes } in files.values() {
        let text = with_changes(file.text(), changes);
        if only_show || file.path() == "<stdin>" {
            let diff = unified_diff(&shown(Path::new(file.path())), file.text(), &text);
            session.print(|out| write!(out, "{}", diff::paint_diff(&diff, session.colours_stdout())))?;
            continue;
        }
        let bytes = file.encode(&text).map_err(|error| anyhow::anyhow!("{}: {error}", file.path()))?;
        write_atomic(Path::new(file.path()), &bytes).with_context(|| format!("cannot write {}", file.path()))?;
    }
    let verb = if only_show { "Would fix" } else { "Fixed" };
    let mut line = format!("{verb} {} in {}", count_with_noun(fixed, "finding"), count_with_noun(files.len(), "file"));
    if held_back > 0 {
        let fixes = if held_back == 1 { "fix" } else { "fixes" };
        line.push_str(&format!("; --unsafe-fixes applies {held_back} more {fixes}"));
    }
    Ok(line)
}

/// Takes over a finding's changes, unless they touch what another fix changes.
fn add_fix(files: &mut BTreeMap<String, Changed>, finding: &Finding) -> bool {
    let Some(fix) = &finding.fix else { return false };
    let is_free = fix.changes.iter().all(|change| {
        let taken = files.get(change.span.file.path()).map_or(&[][..], |changed| &changed.changes);
        let range = change.span.range;
        taken.iter().all(|(other, _)| range.end <= other.start || other.end <= range.start)
    });
    if !is_free {
        return false;
    }
    for change in &fix.changes {
        let file = &change.span.file;
        let changed = files
            .entry(file.path().to_owned())
            .or_insert_with(|| Changed { file: Arc::clone(file), changes: Vec::new() });
        changed.changes.push((change.span.range, change.text.clone()));
    }
    true
}

/// A text after changes that do not overlap.
fn with_changes(text: &str, changes: &[FileChange]) -> String {
    let mut sorted: Vec<&FileChange> = changes.iter().collect();
    sorted.sort_by_key(|(range, _)| (range.start, range.end));
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for (range, replacement) in sorted {
        new.push_str(&text[done..range.start as usize]);
        new.push_str(replacement);
        done = range.end as usize;
    }
    new.push_str(&text[done..]);
    new
}
