//! `.pytrope_cache`: what a check found is remembered, and not computed again while nothing that it depends on has changed.
//!
//! An entry belongs to one program, configuration, working directory and list of targets. It holds the hash of every file that was
//! checked, every question about the file system that finding modules has asked (`pytrope_source::probes`), and the findings. It is
//! believed if it is whole, was written by this very program, and all hashes and answers are what they were; otherwise it is
//! as if it were not there.
//!
//! An entry is written beside its place and renamed, so that a run sees an old entry or a new one, never a part. Two runs that
//! write the same entry write the same findings, or findings of different texts, of which only one is believed.

mod stored;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_source::probes::{ContentHash, answer_probe, hash_bytes, record_probes, take_probes};
use pytrope_source::{SourceFile, write_atomic};

use self::stored::StoredRun;

/// The name of the folder.
pub(crate) const FOLDER: &str = ".pytrope_cache";

/// Says to other programs what the folder is (<https://bford.info/cachedir/>), and to `cache clear` that it is ours.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder was made by Pytrope and can be removed.\n";
const TAG_FILE: &str = "CACHEDIR.TAG";

/// The form of entries; others are not read.
const FORM: &str = "pytrope-cache-1";

/// How many entries are kept.
const MOST_ENTRIES: usize = 64;

/// The place of one run's entry.
pub(crate) struct RunCache {
    folder: PathBuf,
    entry: PathBuf,
}

/// A file as it was read, with its hash.
pub(crate) struct HashedFile {
    pub file: Arc<SourceFile>,
    pub hash: ContentHash,
}

impl RunCache {
    /// The entry of a run that is described by everything which the findings depend on, beside files.
    pub fn new(folder: PathBuf, description: &str) -> Self {
        let program = std::env::current_exe().ok().and_then(|program| std::fs::metadata(program).ok());
        let program = program.and_then(|found| Some((found.len(), found.modified().ok()?)));
        let place = std::env::current_dir().unwrap_or_default();
        let whole = format!("{FORM} {} {program:?} {} {description}", env!("CARGO_PKG_VERSION"), place.display());
        let name = hex(&hash_bytes(whole.as_bytes()));
        Self { entry: folder.join(format!("{name}.json")), folder }
    }

    /// The findings of a remembered run over exactly these files; none if anything has changed or is not as it was written.
    pub fn load(&self, read: impl FnOnce() -> Vec<HashedFile>) -> Option<(Vec<Finding>, Vec<Arc<SourceFile>>)> {
        let bytes = std::fs::read(&self.entry).ok()?;
        let (head, body) = bytes.split_at_checked(FORM.len() + 34)?;
        // A line with the form and the hash of what follows.
        if head != header_of(body).as_bytes() {
            return None;
        }
        let stored: StoredRun = serde_json::from_slice(body).ok()?;
        let files = read();
        let is_same = stored.files.len() == files.len()
            && stored
                .files
                .iter()
                .zip(&files)
                .all(|(stored, file)| stored.path == file.file.path() && stored.hash == hex(&file.hash))
            && stored.probes.iter().all(|probe| hex(&answer_probe(&probe.path, probe.sort())) == probe.answer);
        if !is_same {
            return None;
        }
        let sources: Vec<Arc<SourceFile>> = files.into_iter().map(|file| file.file).collect();
        Some((stored.findings(&sources)?, sources))
    }

    /// Begins to note what the run asks of the file system.
    pub fn begin_run() {
        record_probes();
    }

    /// Writes the entry of a run. A cache that cannot be written is no error: the next run is as slow as this one.
    pub fn store(&self, files: &[(Arc<SourceFile>, ContentHash)], findings: &[Finding]) {
        let probes = take_probes();
        let Some(stored) = StoredRun::of(files, &probes, findings) else { return };
        let Ok(body) = serde_json::to_vec(&stored) else { return };
        let mut bytes = header_of(&body).into_bytes();
        bytes.extend_from_slice(&body);
        if make_folder(&self.folder).is_ok() && write_atomic(&self.entry, &bytes).is_ok() {
            drop_oldest(&self.folder);
        }
    }
}

fn header_of(body: &[u8]) -> String {
    format!("{FORM} {}\n", hex(&hash_bytes(body)))
}

pub(crate) fn hex(hash: &ContentHash) -> String {
    use std::fmt::Write;
    hash.iter().fold(String::with_capacity(2 * hash.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Makes the folder, with a mark for programs that make copies and one for git.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    if folder.join(TAG_FILE).is_file() {
        return Ok(());
    }
    std::fs::create_dir_all(folder)?;
    write_atomic(&folder.join(".gitignore"), b"*\n")?;
    write_atomic(&folder.join(TAG_FILE), TAG.as_bytes())
}

/// Removes the entries that were written first where there are too many.
fn drop_oldest(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let entries = entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "json"));
    let mut entries: Vec<_> =
        entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    entries.sort();
    let extra = entries.len().saturating_sub(MOST_ENTRIES);
    for (_, path) in entries.into_iter().take(extra) {
        // Another run may have removed it.
        let _ = std::fs::remove_file(path);
    }
}

/// Removes a cache; whether there was one. A folder of that name which is not a cache stays.
pub(crate) fn clear(folder: &Path) -> std::io::Result<bool> {
    let is_ours = std::fs::read_to_string(folder.join(TAG_FILE)).is_ok_and(|tag| tag == TAG);
    if is_ours {
        std::fs::remove_dir_all(folder)?;
    }
    Ok(is_ours)
}
