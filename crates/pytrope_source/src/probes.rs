//! Questions about the file system that decide how modules are found, written down while a run may be remembered.
//!
//! What a run finds depends on more than the files it is given: on whether `pkg/__init__.py` exists, on the text of a model that a user
//! wrote, on which release is installed. Whatever asks such questions asks them here. A remembered run is believed when all of
//! them still have their answers.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::reading::read_bytes;

/// Enough of a hash of some bytes to tell them from all others.
pub type ContentHash = [u8; 16];

/// The hash of some bytes.
pub fn hash_bytes(bytes: &[u8]) -> ContentHash {
    let mut hash = ContentHash::default();
    hash.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    hash
}

/// What is asked about a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum ProbeSort {
    /// Is it a file, a folder, or nothing?
    Kind,
    /// What is in the file?
    Content,
    /// Which names are in the folder?
    Listing,
}

/// A question with its answer, as a hash.
pub type AnsweredProbe = (PathBuf, ProbeSort, ContentHash);

static IS_RECORDING: AtomicBool = AtomicBool::new(false);
static RECORDED: Mutex<Option<FxHashMap<(PathBuf, ProbeSort), ContentHash>>> = Mutex::new(None);

/// Begins to write down what is asked, in all threads.
pub fn record_probes() {
    *RECORDED.lock().unwrap_or_else(PoisonError::into_inner) = Some(FxHashMap::default());
    IS_RECORDING.store(true, Ordering::Relaxed);
}

/// What was asked since [`record_probes`], in the order of the paths.
pub fn take_probes() -> Vec<AnsweredProbe> {
    IS_RECORDING.store(false, Ordering::Relaxed);
    let recorded = RECORDED.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
    let mut probes: Vec<_> = recorded.into_iter().map(|((path, sort), answer)| (path, sort, answer)).collect();
    probes.sort();
    probes
}

/// The present answer to a question.
pub fn answer_probe(path: &Path, sort: ProbeSort) -> ContentHash {
    match sort {
        ProbeSort::Kind => kind_answer(kind_of(path)),
        ProbeSort::Content => std::fs::read(path).map_or(ContentHash::default(), |bytes| hash_bytes(&bytes)),
        ProbeSort::Listing => listing_answer(list_names(path).as_deref()),
    }
}

fn record_probe(path: &Path, sort: ProbeSort, answer: impl FnOnce() -> ContentHash) {
    if IS_RECORDING.load(Ordering::Relaxed)
        && let Some(recorded) = &mut *RECORDED.lock().unwrap_or_else(PoisonError::into_inner)
    {
        recorded.entry((path.to_owned(), sort)).or_insert_with(answer);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PathKind {
    Missing,
    File,
    Folder,
    Other,
}

fn kind_of(path: &Path) -> PathKind {
    match std::fs::metadata(path) {
        Ok(found) if found.is_file() => PathKind::File,
        Ok(found) if found.is_dir() => PathKind::Folder,
        Ok(_) => PathKind::Other,
        Err(_) => PathKind::Missing,
    }
}

fn kind_answer(kind: PathKind) -> ContentHash {
    let mut answer = ContentHash::default();
    answer[0] = match kind {
        PathKind::Missing => 1,
        PathKind::File => 2,
        PathKind::Folder => 3,
        PathKind::Other => 4,
    };
    answer
}

fn ask_kind(path: &Path) -> PathKind {
    let kind = kind_of(path);
    record_probe(path, ProbeSort::Kind, || kind_answer(kind));
    kind
}

pub fn is_file(path: &Path) -> bool {
    ask_kind(path) == PathKind::File
}

pub fn is_dir(path: &Path) -> bool {
    ask_kind(path) == PathKind::Folder
}

pub fn exists(path: &Path) -> bool {
    ask_kind(path) != PathKind::Missing
}

/// The bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_bytes(path);
    record_probe(path, ProbeSort::Content, || bytes.as_ref().map_or(ContentHash::default(), |bytes| hash_bytes(bytes)));
    bytes
}

/// The names in a folder, sorted; none if it cannot be read.
pub fn names_in(folder: &Path) -> Option<Vec<String>> {
    let names = list_names(folder);
    record_probe(folder, ProbeSort::Listing, || listing_answer(names.as_deref()));
    names
}

fn list_names(folder: &Path) -> Option<Vec<String>> {
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Some(names)
}

fn listing_answer(names: Option<&[String]>) -> ContentHash {
    names.map_or(ContentHash::default(), |names| hash_bytes(names.join("\0").as_bytes()))
}
