//! A project that an editor has open: the files that `pytrope check` would find, with the texts of open documents in their places.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, bail};
use pytrope_diagnostics::{Finding, sort_findings};
use pytrope_server::{DocumentReport, DocumentText, ProgressStep};
use pytrope_shapes::{CheckOptions, IncrementalCheck, ShownBinding, Trees};
use pytrope_source::SourceFile;
use pytrope_source::reading::FileStamp;

use super::{CheckSource, Setup};
use crate::args::{CheckArgs, ServerArgs};
use crate::discovery::discover_files;
use crate::guard::Caught;
use crate::session::Session;
use crate::{sources, workers};

/// Projects with more text than this are not analysed as a whole: in a large package most modules import most others, so that an
/// edit would have all of them analysed again.
const LARGEST: u64 = 2 << 20;

/// A folder, or a file that is analysed alone: it lies in no folder that is open, or in one that is too large.
pub(crate) struct Workspace {
    pub target: PathBuf,
    /// The folder has more text than is analysed as a whole; none of it is read.
    pub is_large: bool,
    /// Other open documents, which a file that is analysed alone can import.
    beside: Vec<WorkspaceSource>,
    args: CheckArgs,
    setup: Setup,
    options: CheckOptions,
    sources: BTreeMap<PathBuf, WorkspaceSource>,
    engine: IncrementalCheck,
    /// What the last analysis found, by the paths that findings have; none if something has changed since.
    findings: Option<HashMap<String, Vec<Finding>>>,
    /// Files whose analysis failed inside, with the message.
    failures: HashMap<String, String>,
}

struct WorkspaceSource {
    checked: CheckSource,
    /// The text that the editor has; none where the file counts.
    open: Option<Arc<str>>,
    /// When the file was written, and how long it is.
    stamp: Option<FileStamp>,
}

impl Workspace {
    /// Reads the files of a project.
    pub fn open(target: &Path, args: &ServerArgs, session: &Session) -> Result<Self> {
        let args = CheckArgs {
            paths: vec![target.to_owned()],
            environment: args.environment.clone(),
            levels: args.levels.clone(),
            possible: args.possible,
            // Something comes after each analysis.
            watch: true,
            ..CheckArgs::default()
        };
        let setup = Setup::new(&args, session)?;
        let options = setup.check_options(&args, session)?;
        let mut workspace = Self {
            target: target.to_owned(),
            is_large: false,
            beside: Vec::new(),
            args,
            setup,
            options,
            sources: BTreeMap::new(),
            engine: IncrementalCheck::default(),
            findings: None,
            failures: HashMap::new(),
        };
        workspace.read_files(session)?;
        Ok(workspace)
    }

    /// Whether a file is one of the project's.
    pub fn has_file(&self, path: &Path) -> bool {
        self.sources.contains_key(path)
    }

    /// Reads the configuration and the files again, as far as they have changed; `changed` are paths that are known to have.
    pub fn rescan(&mut self, changed: &[PathBuf], session: &Session) -> Result<()> {
        self.setup = Setup::new(&self.args, session)?;
        self.options = self.setup.check_options(&self.args, session)?;
        // What is not checked may be imported, or say how modules are found.
        if changed.iter().any(|path| !self.has_file(path)) {
            self.engine.forget_all();
        }
        self.findings = None;
        self.read_files(session)
    }

    /// Finds the project's files, reads those that are new or have changed, and drops those that are gone.
    fn read_files(&mut self, session: &Session) -> Result<()> {
        let found = discover_files(&self.args.paths, &self.setup.config, &[], session.thread_count())?;
        let found: Vec<PathBuf> = found.files;
        let lengths = found.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|found| found.len());
        self.is_large = self.target.is_dir() && lengths.sum::<u64>() > LARGEST;
        if self.is_large {
            self.sources.clear();
            return Ok(());
        }
        self.sources.retain(|path, source| source.open.is_some() || found.binary_search(path).is_ok());
        let stale = |path: &&PathBuf| match self.sources.get(*path) {
            Some(source) => source.open.is_none() && source.stamp != FileStamp::of_path(path),
            None => true,
        };
        let waiting: Vec<PathBuf> = found.iter().filter(stale).cloned().collect();
        let read = workers::map(&waiting, session.thread_count(), |path| {
            // The stamp is taken before: a file that is written meanwhile is read once more.
            let stamp = FileStamp::of_path(path);
            let checked = sources::load(path, None).map(CheckSource::of).ok()?;
            Some(WorkspaceSource { checked, open: None, stamp })
        });
        for (path, source) in waiting.into_iter().zip(read) {
            match source {
                Some(source) => drop(self.sources.insert(path, source)),
                // What cannot be read is as if it were not there.
                None => drop(self.sources.remove(&path)),
            }
            self.findings = None;
        }
        Ok(())
    }

    /// Puts the texts of open documents in the places of the files, and the files back where documents were closed.
    pub fn set_texts(&mut self, open: &[DocumentText]) {
        if self.is_large {
            return;
        }
        if !self.target.is_dir() {
            self.set_beside(open);
        }
        for document in open {
            let source = self.sources.get(&document.path);
            let is_below = self.target.is_dir() && document.path.starts_with(&self.target);
            let is_new = is_below && !document.path.exists();
            if source.is_none() && !is_new && document.path != self.target {
                continue;
            }
            let is_same = source.and_then(|source| source.open.as_ref()).is_some_and(|text| *text == document.text);
            if !is_same {
                let loaded = sources::from_bytes(&document.path, document.text.as_bytes().to_vec());
                let checked = CheckSource::of(loaded);
                let source = WorkspaceSource { checked, open: Some(Arc::clone(&document.text)), stamp: None };
                self.sources.insert(document.path.clone(), source);
                self.findings = None;
            }
        }
        let is_open = |path: &Path| open.iter().any(|document| document.path == path);
        let closed = |(path, source): (&PathBuf, &WorkspaceSource)| {
            (source.open.is_some() && !is_open(path)).then(|| path.clone())
        };
        for path in self.sources.iter().filter_map(closed).collect::<Vec<_>>() {
            self.findings = None;
            let stamp = FileStamp::of_path(&path);
            match sources::load(&path, None).map(CheckSource::of) {
                Ok(checked) => {
                    self.sources.insert(path, WorkspaceSource { checked, open: None, stamp });
                }
                Err(_) => drop(self.sources.remove(&path)),
            }
        }
    }

    /// Takes in the other open documents of a file that is analysed alone.
    fn set_beside(&mut self, open: &[DocumentText]) {
        let others: Vec<&DocumentText> = open.iter().filter(|document| document.path != self.target).collect();
        let known = self.beside.iter().map(|source| (&source.checked.path, source.open.as_ref()));
        if known.eq(others.iter().map(|document| (&document.path, Some(&document.text)))) {
            return;
        }
        let beside = others.into_iter().map(|document| {
            let loaded = sources::from_bytes(&document.path, document.text.as_bytes().to_vec());
            WorkspaceSource { checked: CheckSource::of(loaded), open: Some(Arc::clone(&document.text)), stamp: None }
        });
        self.beside = beside.collect();
        self.findings = None;
    }

    /// Analyses what has changed since the last time.
    pub fn analyse(&mut self, progress: Option<ProgressStep>) {
        if self.findings.is_some() {
            return;
        }
        let total = self.sources.len();
        let done = AtomicUsize::new(0);
        let progress = progress.map(|step| -> Arc<dyn Fn() + Send + Sync> {
            Arc::new(move || step(done.fetch_add(1, Ordering::Relaxed) + 1, total))
        });
        let checked = self.sources.values_mut().chain(&mut self.beside).map(|source| &mut source.checked);
        let trees = checked.filter_map(|source| Some((source.file.path().to_owned(), source.tree.take()?)));
        let trees = Arc::new(Trees::new(trees.collect()));
        // What has syntax errors does not run, so that nothing else about it is certain.
        let broken = self.sources.values().chain(&self.beside).filter(|source| !source.checked.findings.is_empty());
        let broken = broken.map(|source| source.checked.file.path().to_owned()).collect();
        let beside = self.beside.iter().map(|source| Arc::clone(&source.checked.file)).collect();
        let options = CheckOptions { progress, trees, broken, beside, ..self.options.clone() };
        let files: Vec<Arc<SourceFile>> =
            self.sources.values().map(|source| Arc::clone(&source.checked.file)).collect();
        let checked = self.engine.check_files(&files, &options);
        let mut by_file: HashMap<String, Vec<Finding>> = HashMap::new();
        for finding in checked.findings {
            by_file.entry(finding.primary.file.path().to_owned()).or_default().push(finding);
        }
        self.failures = checked.failures.into_iter().map(|(file, message)| (file.path().to_owned(), message)).collect();
        self.findings = Some(by_file);
    }

    /// The report of one file, after [`Self::analyse`].
    pub fn report_of(&self, path: &Path) -> Result<DocumentReport> {
        let Some(source) = self.sources.get(path) else { bail!("the file cannot be read") };
        let source = &source.checked;
        if let Some(message) = self.failures.get(source.file.path()) {
            bail!("{}", Caught::new(message));
        }
        let mut findings = source.findings.clone();
        let known = self.findings.as_ref().and_then(|by_file| by_file.get(source.file.path()));
        findings.extend(known.into_iter().flatten().cloned());
        let mut findings = self.setup.filter_findings(source, findings);
        sort_findings(&mut findings);
        Ok(DocumentReport { file: Arc::clone(&source.file), findings })
    }

    /// The reports of all files, after [`Self::analyse`].
    pub fn reports(&self) -> Vec<DocumentReport> {
        self.sources.keys().filter_map(|path| self.report_of(path).ok()).collect()
    }

    /// What the names of one file are bound to, after [`Self::analyse`].
    pub fn shapes_of(&self, path: &Path) -> Vec<ShownBinding> {
        self.sources.get(path).map(|source| self.engine.shapes_of_file(source.checked.file.path())).unwrap_or_default()
    }
}
