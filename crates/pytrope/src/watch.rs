//! `--watch`: runs again whenever a source or configuration file changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result};
use notify::{EventKind, RecursiveMode, Watcher};

/// Editors write a file in several steps; a run starts when they have been quiet for this long.
const QUIET: Duration = Duration::from_millis(80);

/// Runs once, and again after every change with the paths that changed, until the process is stopped.
pub(crate) fn run(targets: &[PathBuf], mut step: impl FnMut(&[PathBuf]) -> Result<()>) -> Result<()> {
    let (sender, changes) = mpsc::channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if let Ok(event) = event
            && may_change_findings(&event)
        {
            // The receiver is gone only when the run has ended.
            let _ = sender.send(event.paths);
        }
    })
    .context("changes of files cannot be watched")?;
    for target in targets {
        // A file that an editor replaces has a new identity, so its folder is watched.
        let (path, mode) = if target.is_dir() {
            (target.as_path(), RecursiveMode::Recursive)
        } else {
            let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
            (folder.unwrap_or(Path::new(".")), RecursiveMode::NonRecursive)
        };
        watcher.watch(path, mode).with_context(|| format!("{} cannot be watched", path.display()))?;
    }
    let mut changed = Vec::new();
    loop {
        step(&changed)?;
        changed = match changes.recv() {
            Ok(paths) => paths,
            Err(_) => return Ok(()),
        };
        while let Ok(paths) = changes.recv_timeout(QUIET) {
            changed.extend(paths);
        }
    }
}

/// Whether an event may change findings.
fn may_change_findings(event: &notify::Event) -> bool {
    let writes = match event.kind {
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
        EventKind::Any | EventKind::Access(_) | EventKind::Other => false,
    };
    let relevant = |path: &PathBuf| {
        path.extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| ["py", "pyi", "ipynb", "toml"].contains(&extension))
    };
    writes && event.paths.iter().any(relevant)
}
