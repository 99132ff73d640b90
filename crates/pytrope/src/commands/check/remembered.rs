//! The cache of a check: whether there is one, and which files its entry is about.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use pytrope_diagnostics::Finding;
use pytrope_source::SourceFile;
use pytrope_source::probes::{ContentHash, hash_bytes};

use super::Setup;
use crate::args::CheckArgs;
use crate::cache::{FOLDER, HashedFile, RunCache};
use crate::environment::shown;
use crate::input::read_file;
use crate::session::Session;
use crate::{sources, workers};

/// A run whose findings may be remembered.
pub(super) struct CachedRun {
    cache: RunCache,
    files: Vec<ReadFile>,
    places: HashMap<PathBuf, usize>,
}

struct ReadFile {
    path: PathBuf,
    hash: ContentHash,
    /// Until the file is parsed.
    bytes: Mutex<Option<Vec<u8>>>,
}

impl CachedRun {
    /// None where nothing is remembered: standard input, a run that says how long files took, a file that cannot be read, or no
    /// configuration in whose folder a cache is expected.
    pub fn of(args: &CheckArgs, setup: &Setup, session: &Session, files: &[PathBuf]) -> Result<Option<Self>> {
        let beside_configuration = || setup.config.folder.as_ref().map(|folder| folder.join(FOLDER));
        let folder = args.cache_dir.clone().or_else(beside_configuration);
        let is_wanted = !args.no_cache && !args.watch && !session.global.verbose;
        let Some(folder) = folder.filter(|_| is_wanted && !files.iter().any(|path| sources::is_stdin(path))) else {
            return Ok(None);
        };
        let options = setup.check_options(args, session)?;
        let description = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            args.paths,
            args.environment,
            args.levels,
            args.exclude,
            setup.config,
            options.resolver,
            options.possible,
            options.limits,
        );
        let read = workers::map(files, session.thread_count(), |path| {
            let bytes = read_file(path).ok()?;
            Some(ReadFile { path: path.clone(), hash: hash_bytes(&bytes), bytes: Mutex::new(Some(bytes)) })
        });
        let Some(files) = read.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let places = files.iter().enumerate().map(|(at, file)| (file.path.clone(), at)).collect();
        let cache = RunCache::new(folder, &description);
        Ok(Some(Self { cache, files, places }))
    }

    /// The findings and files of a remembered run; otherwise it is noted from here on what this run asks of the file system.
    pub fn load(&self, threads: usize) -> Option<(Vec<Finding>, Vec<Arc<SourceFile>>)> {
        let found = self.cache.load(|| {
            workers::map(&self.files, threads, |read| {
                let bytes = read.bytes.lock().unwrap_or_else(PoisonError::into_inner);
                let (file, _) = SourceFile::from_bytes(shown(&read.path), bytes.as_deref().unwrap_or_default());
                HashedFile { file, hash: read.hash }
            })
        });
        if found.is_none() {
            RunCache::begin_run();
        }
        found
    }

    /// The bytes of a file, once.
    pub fn take_bytes(&self, path: &Path) -> Option<Vec<u8>> {
        let read = &self.files[*self.places.get(path)?];
        read.bytes.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Remembers what was found in the files.
    pub fn store(&self, sources: &[Arc<SourceFile>], findings: &[Finding]) {
        let files: Vec<_> = sources.iter().zip(&self.files).map(|(file, read)| (Arc::clone(file), read.hash)).collect();
        self.cache.store(&files, findings);
    }
}
