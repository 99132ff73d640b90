//! Which files may be read: all of them, or those below one folder only, links resolved.
//!
//! A program that reads on behalf of others (`pytrope mcp`) is confined to the folder that it was started for. Invariant: whatever a
//! user's code or configuration names is read through [`read_bytes`] or after [`may_read`].

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::SystemTime;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// From now on only files below a folder are read. The first call counts; it comes before anything is read.
pub fn confine_reading(folder: &Path) -> io::Result<()> {
    let whole = folder.canonicalize()?;
    FOLDER.get_or_init(|| whole);
    Ok(())
}

/// Whether a file may be read. What does not exist may be asked for.
pub fn may_read(path: &Path) -> bool {
    match FOLDER.get() {
        Some(folder) => path.canonicalize().map_or(true, |whole| whole.starts_with(folder)),
        None => true,
    }
}

/// The bytes of a file that may be read.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    check_readable(path)?;
    std::fs::read(path)
}

/// The error for a file that may not be read.
pub fn check_readable(path: &Path) -> io::Result<()> {
    if may_read(path) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "outside of the folder that may be read"))
}

/// When a file was written, and how long it is: what tells cheaply that it is the one that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileStamp {
    modified: SystemTime,
    length: u64,
}

impl FileStamp {
    /// The stamp of what lies at a path now.
    pub fn of_path(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok()?, length: metadata.len() })
    }
}
