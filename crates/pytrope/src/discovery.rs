//! Which files a run is about: targets expanded, folders walked as git sees them.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result};
use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::{WalkBuilder, WalkState};
use pytrope_diagnostics::nearest;
use pytrope_source::reading::may_read;

use crate::config::Config;
use crate::session::io_message;

/// The files found, sorted, and what went wrong on the way.
#[derive(Debug, Default)]
pub(crate) struct Discovered {
    pub files: Vec<PathBuf>,
    /// Paths that could not be read, with the reason.
    pub errors: Vec<(PathBuf, String)>,
    /// What was left out on purpose and is worth a word, such as loops of symbolic links.
    pub warnings: Vec<String>,
}

/// Files that folders are searched for unless `include` says otherwise.
const PYTHON: [&str; 3] = ["py", "pyi", "ipynb"];

/// Expands targets. A file that is named is taken whatever its name and whatever is ignored.
pub(crate) fn discover_files(
    targets: &[PathBuf],
    config: &Config,
    excluded: &[String],
    threads: usize,
) -> Result<Discovered> {
    let mut found = Discovered::default();
    let mut folders = Vec::new();
    for target in targets {
        match std::fs::metadata(target) {
            Ok(metadata) if metadata.is_dir() => folders.push(target),
            Ok(_) => found.files.push(target.clone()),
            Err(error) => found.errors.push((target.clone(), io_message(&error) + &suggest_path(target))),
        }
    }
    if let Some((first, rest)) = folders.split_first() {
        let mut walk = WalkBuilder::new(first);
        for folder in rest {
            walk.add(folder);
        }
        FileWalk::new(config, excluded)?.run(&mut walk, threads, &mut found);
    }
    found.files.sort();
    found.files.dedup();
    found.errors.sort();
    found.warnings.sort();
    Ok(found)
}

/// For a path that does not exist: `; did you mean …?` with the nearest name in its folder, if one is near.
pub(crate) fn suggest_path(path: &Path) -> String {
    let (Some(name), false) = (path.file_name().map(OsStr::to_string_lossy), path.exists()) else {
        return String::new();
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = if may_read(listed) { std::fs::read_dir(listed).ok() } else { None };
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort();
    match nearest(&name, names.iter().map(String::as_str)) {
        Some(near) => format!("; did you mean `{}`?", folder.join(near).display()),
        None => String::new(),
    }
}

/// What of a folder is taken.
struct FileWalk {
    include: Option<GlobSet>,
    exclude: GlobSet,
    base: PathBuf,
    respect_gitignore: bool,
}

impl FileWalk {
    fn new(config: &Config, excluded: &[String]) -> Result<Self> {
        let base = match &config.folder {
            Some(folder) => folder.clone(),
            None => std::env::current_dir().unwrap_or_default(),
        };
        Ok(Self {
            include: config.include.as_deref().map(glob_set).transpose()?,
            exclude: glob_set(config.exclude.iter().chain(excluded))?,
            base,
            respect_gitignore: config.respect_gitignore.unwrap_or(true),
        })
    }

    fn run(self, walk: &mut WalkBuilder, threads: usize, found: &mut Discovered) {
        let respect = self.respect_gitignore;
        walk.follow_links(true)
            .git_ignore(respect)
            .git_global(respect)
            .git_exclude(respect)
            .ignore(respect)
            .parents(respect)
            .threads(threads);
        let results = Mutex::new((Vec::new(), Discovered::default(), false));
        let this = &self;
        walk.build_parallel().run(|| {
            let results = &results;
            Box::new(move |entry| {
                let mut results = results.lock().expect("no walker panics while it holds the lock");
                match entry {
                    Ok(entry) => {
                        let path = entry.path();
                        if entry.depth() > 0 && this.is_excluded(path) {
                            return WalkState::Skip;
                        }
                        results.2 |= entry.path_is_symlink();
                        // Pipes and devices are not source, and reading one may never end.
                        if entry.file_type().is_some_and(|kind| kind.is_file()) && this.is_included(path) {
                            results.0.push(path.to_owned());
                        }
                    }
                    Err(error) => note_error(&error, None, &mut results.1),
                }
                WalkState::Continue
            })
        });
        let (mut files, noted, links) = results.into_inner().expect("no walker panics while it holds the lock");
        files.sort();
        if links {
            // A folder that is linked to from elsewhere is analysed once, under its first path.
            let mut seen = HashSet::new();
            files.retain(|path| may_read(path) && std::fs::canonicalize(path).map_or(true, |real| seen.insert(real)));
        }
        found.files.extend(files);
        found.errors.extend(noted.errors);
        found.warnings.extend(noted.warnings);
    }

    fn is_excluded(&self, path: &Path) -> bool {
        !self.exclude.is_empty() && matches_globs(&self.exclude, path, &self.base)
    }

    fn is_included(&self, path: &Path) -> bool {
        match &self.include {
            Some(include) => matches_globs(include, path, &self.base),
            None => path.extension().and_then(OsStr::to_str).is_some_and(|extension| PYTHON.contains(&extension)),
        }
    }
}

/// Takes an error of the walk apart: the path may be in any layer of it.
fn note_error(error: &ignore::Error, path: Option<&Path>, found: &mut Discovered) {
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            note_error(err, path, found);
        }
        ignore::Error::WithPath { path, err } => note_error(err, Some(path), found),
        ignore::Error::Partial(errors) => errors.iter().for_each(|error| note_error(error, path, found)),
        ignore::Error::Loop { ancestor, child } => found.warnings.push(format!(
            "{}: a symbolic link back to {}, not followed",
            child.display(),
            ancestor.display()
        )),
        ignore::Error::Io(io) => found.errors.push((path.unwrap_or(Path::new("?")).to_owned(), io_message(io))),
        other => found.warnings.push(other.to_string()),
    }
}

/// Whether a set of globs matches a path, its name, or its path from the configuration's folder.
pub(crate) fn matches_globs(globs: &GlobSet, path: &Path, base: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let relative = absolute.strip_prefix(base).unwrap_or(path);
    globs.is_match(relative) || path.file_name().is_some_and(|name| globs.is_match(name))
}

/// Compiles globs.
pub(crate) fn glob_set<S: AsRef<str>>(globs: impl IntoIterator<Item = S>) -> Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        let glob = glob.as_ref();
        let parsed = Glob::new(glob.trim_end_matches('/')).with_context(|| format!("`{glob}` is not a glob"))?;
        set.add(parsed);
    }
    Ok(set.build()?)
}
