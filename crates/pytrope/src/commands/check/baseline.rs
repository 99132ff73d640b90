//! `--baseline` and `--update-baseline`: the file of findings that are known.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use pytrope_diagnostics::Baseline;
use pytrope_diagnostics::place::path_from;
use pytrope_source::{SourceFile, write_atomic};

use super::{CheckOutcome, count_with_noun};
use crate::environment::shown;
use crate::session::Session;

/// Reads a baseline that must be there.
pub(super) fn read_baseline(path: &Path) -> Result<Baseline> {
    let shown = shown(path);
    let text = crate::input::read_text(path)
        .with_context(|| format!("cannot read the baseline {shown} (--update-baseline writes it)"))?;
    Baseline::parse(&text).map_err(|error| anyhow!("the baseline {shown}: {error}"))
}

/// The folder that the paths in a baseline are relative to.
pub(super) fn folder_of(baseline: &Path) -> &Path {
    baseline.parent().unwrap_or(Path::new(""))
}

/// Writes what a run has found of the files that it has checked, and keeps what is known of others that are still there. What was
/// under a path of the command line and is left out by now (`exclude`) is not kept.
pub(super) fn update_baseline(
    path: &Path,
    outcome: &CheckOutcome,
    files: &[Arc<SourceFile>],
    given: &[PathBuf],
    session: &Session,
) -> Result<()> {
    let (folder, base) = (folder_of(path), session.base.as_path());
    let mut baseline = Baseline::of(&outcome.findings, folder, base);
    let mut kept = 0;
    if path.exists() {
        let older = read_baseline(path).context("it is not overwritten: delete it to begin anew")?;
        let checked: HashSet<String> = files.iter().map(|file| path_from(folder, file.path(), base)).collect();
        let unread: HashSet<String> =
            outcome.unread.iter().map(|path| path_from(folder, &path.to_string_lossy(), base)).collect();
        let is_given = |known: &Path| {
            given
                .iter()
                .any(|given| !path_from(given, &known.to_string_lossy(), base).split('/').any(|part| part == ".."))
        };
        kept = baseline.keep_files(older, &mut |known| {
            let place = folder.join(known);
            unread.contains(known) || (!checked.contains(known) && base.join(&place).exists() && !is_given(&place))
        });
    }
    write_atomic(path, baseline.to_json().as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
    let written = outcome.findings.iter().filter(|finding| finding.severity.fails()).count();
    let others = match kept {
        0 => String::new(),
        count => format!("; {} in files that were not checked stayed", count_with_noun(count, "finding")),
    };
    session.summary(&format!("Wrote {} to {}{others}", count_with_noun(written, "finding"), shown(path)));
    Ok(())
}
