//! What an earlier run of a long list has found to hold, so that `--resume` need not repeat it.
//!
//! A record belongs to one state of the repository: the commit and the options. Changed files have no name, so that nothing is
//! remembered of a tree with uncommitted changes. Only what held is written down; a failure is always repeated.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{command, command_output};

/// What held in earlier runs on the same state, and where to write down what holds now.
pub(crate) struct Record {
    path: PathBuf,
    /// None where the tree has uncommitted changes.
    state: Option<String>,
    /// Whether what held before is taken over.
    resume: bool,
    entries: Vec<(String, String)>,
}

impl Record {
    /// Opens the record of this commit and these options; where the file is of another state, it is empty.
    pub fn open(path: PathBuf, options: &str, resume: bool) -> Result<Self> {
        let changes = command_output(command("git", &["status", "--porcelain"]))?;
        let commit = command_output(command("git", &["rev-parse", "HEAD"]))?;
        let state = changes.trim().is_empty().then(|| format!("{} {options}", commit.trim()));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let entries = state.as_ref().map_or_else(Vec::new, |state| entries_of_state(&text, state));
        Ok(Self { path, state, resume, entries })
    }

    /// What an earlier run wrote down about this name, if that run is resumed. Otherwise it is forgotten until it holds again.
    pub fn recall_result(&mut self, name: &str) -> Result<Option<String>> {
        let Some(at) = self.entries.iter().position(|(entry, _)| entry == name) else { return Ok(None) };
        if self.resume {
            return Ok(Some(self.entries[at].1.clone()));
        }
        self.entries.remove(at);
        self.write_entries()?;
        Ok(None)
    }

    /// Writes down that something held.
    pub fn add_result(&mut self, name: &str, detail: &str) -> Result<()> {
        self.entries.push((name.to_owned(), detail.replace(['\n', '\t'], " ")));
        self.write_entries()
    }

    fn write_entries(&self) -> Result<()> {
        let Some(state) = &self.state else { return Ok(()) };
        let lines = self.entries.iter().map(|(name, detail)| format!("{name}\t{detail}\n"));
        let text: String = std::iter::once(format!("{state}\n")).chain(lines).collect();
        write_file(&self.path, &text)
    }
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    std::fs::create_dir_all(path.parent().context("a file in a folder")?)?;
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// The entries of a record, if it is of the given state.
fn entries_of_state(text: &str, state: &str) -> Vec<(String, String)> {
    let mut lines = text.lines();
    if lines.next() != Some(state) {
        return Vec::new();
    }
    lines.filter_map(|line| line.split_once('\t')).map(|(name, detail)| (name.to_owned(), detail.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_only_for_its_own_state() {
        let text = "abc dist\nwheel\t22 passed\nsite\t\n";
        let found = vec![("wheel".to_owned(), "22 passed".to_owned()), ("site".to_owned(), String::new())];
        assert_eq!(entries_of_state(text, "abc dist"), found);
        assert_eq!(entries_of_state(text, "abd dist"), Vec::new());
        assert_eq!(entries_of_state(text, "abc release"), Vec::new());
        assert_eq!(entries_of_state("", "abc dist"), Vec::new());
    }
}
