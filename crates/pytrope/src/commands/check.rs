//! `pytrope check`: finds the errors that are certain to happen.

mod baseline;
mod fixes;
mod remembered;
mod shapes;
mod statistics;
pub(super) mod workspace;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use globset::GlobSet;
use pytrope_diagnostics::{
    Finding, Level, Levels, OutputFormat, Rule, Severity, find_rule, render, rules, sort_findings, suppress,
};
use pytrope_shapes::{CheckOptions, IncrementalCheck, Trees};
use pytrope_source::{SourceFile, Suppression, Tree, suppressions, write_atomic};

use crate::args::{CheckArgs, LevelArgs};
use crate::config::{Config, known_rule};
use crate::discovery::{self, discover_files};
use crate::exit::ExitStatus;
use crate::guard::{self, Caught};
use crate::progress::Progress;
use crate::session::{Session, io_message};
use crate::sources::{self, LoadedSource};
use crate::{environment, output, watch, workers};

/// Everything a run needs that does not change between files.
struct Setup {
    config: Config,
    levels: Levels,
    format: OutputFormat,
    per_file: Vec<(GlobSet, Vec<&'static Rule>)>,
    baseline_path: Option<PathBuf>,
}

/// What was found in all files.
#[derive(Default)]
struct CheckOutcome {
    findings: Vec<Finding>,
    files: usize,
    /// The files that could not be read.
    unread: Vec<PathBuf>,
    exit: Option<ExitStatus>,
    /// Something was said on the way that is no finding.
    said_more: bool,
    /// How many findings the baseline leaves out.
    left_out: usize,
}

impl CheckOutcome {
    fn worsen_exit(&mut self, exit: ExitStatus) {
        self.exit = self.exit.max(Some(exit));
    }
}

pub(super) fn run(args: &CheckArgs, session: &Session) -> Result<ExitStatus> {
    if args.watch {
        if args.paths.iter().any(|path| sources::is_stdin(path)) {
            bail!("standard input cannot be watched");
        }
        let mut engine = IncrementalCheck::default();
        watch::run(&args.paths, |changed| {
            session.clear_screen();
            // A file that is not checked may be imported, or say how others are.
            if changed.iter().any(|path| !engine.has_file(path)) {
                engine.forget_all();
            }
            // A configuration that is broken for a moment is reported, and the next change tried.
            if let Err(error) = check_once(args, session, &mut engine) {
                crate::session::report_error(&error);
            }
            session.summary("watching for changes; Ctrl-C stops");
            Ok(())
        })?;
        return Ok(ExitStatus::Success);
    }
    let mut engine = IncrementalCheck::once();
    let status = check_once(args, session, &mut engine);
    // What it took is left for the system to take back, which is faster.
    std::mem::forget(engine);
    status
}

/// What a check of some arguments comes to, for those who show it in their own way.
pub(super) struct CollectedFiles {
    pub findings: Vec<Finding>,
    pub files: Vec<Arc<SourceFile>>,
    pub options: CheckOptions,
    pub exit: Option<ExitStatus>,
}

/// Checks without printing.
pub(super) fn collect(args: &CheckArgs, session: &Session) -> Result<CollectedFiles> {
    let setup = Setup::new(args, session)?;
    let (mut outcome, files) = analyse_files(args, &setup, session, &mut IncrementalCheck::once())?;
    sort_findings(&mut outcome.findings);
    let options = setup.check_options(args, session)?;
    Ok(CollectedFiles { findings: outcome.findings, files, options, exit: outcome.exit })
}

fn check_once(args: &CheckArgs, session: &Session, engine: &mut IncrementalCheck) -> Result<ExitStatus> {
    let setup = Setup::new(args, session)?;
    let (mut outcome, files) = analyse_files(args, &setup, session, engine)?;
    // A report must never take the place of a source: `-o` is easily forgotten before a second path.
    let outputs = args.output.output_file.iter().chain(setup.baseline_path.iter().filter(|_| args.update_baseline));
    for output in outputs {
        output::refuse_inputs(output, files.iter().map(|file| Path::new(file.path())))?;
    }
    sort_findings(&mut outcome.findings);
    if let Some(path) = &setup.baseline_path {
        if args.update_baseline {
            baseline::update_baseline(path, &outcome, &files, &args.paths, session)?;
            return Ok(outcome.exit.unwrap_or(ExitStatus::Success));
        }
        let found = outcome.findings.len();
        outcome.findings =
            baseline::read_baseline(path)?.filter(outcome.findings, baseline::folder_of(path), &session.base);
        outcome.left_out = found - outcome.findings.len();
    }
    if args.fix {
        let fixed = fixes::apply(&mut outcome.findings, args.unsafe_fixes, args.diff, session)?;
        session.summary(&fixed);
        if args.diff {
            return Ok(outcome.exit.unwrap_or(ExitStatus::Success));
        }
    }
    if args.show_shapes {
        shapes::print(&files, &outcome.findings, &setup.check_options(args, session)?, setup.format, session)?;
    } else if args.statistics {
        let known = statistics::Statistics::of(&files, &setup.check_options(args, session)?);
        if setup.format == OutputFormat::Json {
            let document = known.document(&outcome.findings, session);
            session.print(|out| writeln!(out, "{document:#}"))?;
        } else {
            session.print_findings(setup.format, &outcome.findings)?;
            if !setup.format.is_for_machines() {
                session.print(|out| known.print(out))?;
                session.summary(&format!("{}; {}", summary_line(&outcome), known.summary()));
            }
        }
    } else {
        print_findings(args, &setup, &outcome, session)?;
    }
    let fails = outcome.findings.iter().any(|finding| finding.severity.fails());
    if fails && !args.exit_zero {
        outcome.worsen_exit(ExitStatus::Found);
    }
    Ok(outcome.exit.unwrap_or(ExitStatus::Success))
}

impl Setup {
    fn new(args: &CheckArgs, session: &Session) -> Result<Self> {
        let first = args.paths.first().map_or(Path::new("."), PathBuf::as_path);
        let target = match (sources::is_stdin(first), &args.stdin_filename) {
            (true, Some(name)) => name,
            (true, None) => Path::new("."),
            (false, _) => first,
        };
        let mut config = Config::find(session.global.config.as_deref(), session.global.isolated, target)?;
        config.possible |= args.possible;
        config.follow.extend(args.environment.follow.iter().cloned());
        if let Some(version) = &args.environment.target_version {
            config.target_version = Some(version.parse().map_err(|error| anyhow!("--target-version: {error}"))?);
        }
        if let Some(python) = &args.environment.python {
            config.python = Some(python.clone());
        }
        let mut levels = config.rule_levels();
        apply_level_options(&args.levels, &mut levels)?;
        let configured = config.output_format.as_deref();
        let configured = configured.and_then(|name| OutputFormat::ALL.into_iter().find(|format| format.name() == name));
        let per_file = config
            .per_file_ignores
            .iter()
            .map(|(glob, names)| {
                Ok((discovery::glob_set([glob])?, names.iter().filter_map(|name| find_rule(name)).collect()))
            })
            .collect::<Result<_>>()?;
        let baseline_path = args.baseline.clone().or_else(|| config.baseline.clone());
        if args.update_baseline && baseline_path.is_none() {
            bail!("--update-baseline needs --baseline FILE, or `baseline` in the configuration");
        }
        let format = args.output.output_format.or(configured).unwrap_or(OutputFormat::Full);
        Ok(Self { config, levels, format, per_file, baseline_path })
    }

    /// What the interpreter is told.
    fn check_options(&self, args: &CheckArgs, session: &Session) -> Result<CheckOptions> {
        Ok(CheckOptions {
            resolver: Some(environment::module_resolver(&args.paths, &self.config)?),
            follow: self.config.follow.clone(),
            models: self.config.models.clone(),
            versions: self.config.versions.clone(),
            target: self.config.target_version.map(|version| version.minor),
            possible: self.config.possible,
            threads: session.thread_count(),
            is_last: !args.watch,
            ..CheckOptions::default()
        })
    }

    /// The findings of a file after comments, per-file ignores and levels.
    fn filter_findings(&self, source: &CheckSource, findings: Vec<Finding>) -> Vec<Finding> {
        let findings = suppress(findings, &source.file, &source.suppressions);
        let base = self.config.folder.clone().unwrap_or_default();
        let ignored: Vec<&Rule> = self
            .per_file
            .iter()
            .filter(|(glob, _)| discovery::matches_globs(glob, &source.path, &base))
            .flat_map(|(_, rules)| rules.iter().copied())
            .collect();
        findings
            .into_iter()
            .filter(|finding| !ignored.contains(&finding.rule))
            .filter_map(|finding| self.levels.apply(finding))
            .collect()
    }
}

fn apply_level_options(options: &LevelArgs, levels: &mut Levels) -> Result<()> {
    let given = [(&options.error, Level::Error), (&options.warn, Level::Warning), (&options.ignore, Level::Ignore)];
    let named = || given.iter().flat_map(|(names, level)| names.iter().map(move |name| (name, *level)));
    for (_, level) in named().filter(|(name, _)| *name == "all") {
        for rule in rules() {
            levels.set(rule, level);
        }
    }
    let mut seen: Vec<&Rule> = Vec::new();
    for (name, level) in named().filter(|(name, _)| *name != "all") {
        let rule = known_rule(name)?;
        if seen.contains(&rule) {
            bail!("`{}` is given more than one level", rule.id);
        }
        seen.push(rule);
        levels.set(rule, level);
    }
    Ok(())
}

fn analyse_files(
    args: &CheckArgs,
    setup: &Setup,
    session: &Session,
    engine: &mut IncrementalCheck,
) -> Result<(CheckOutcome, Vec<Arc<SourceFile>>)> {
    let mut outcome = CheckOutcome::default();
    let (stdin, paths): (Vec<PathBuf>, Vec<PathBuf>) =
        args.paths.iter().cloned().partition(|path| sources::is_stdin(path));
    let mut found = discover_files(&paths, &setup.config, &args.exclude, session.thread_count())?;
    found.files.extend(stdin.into_iter().take(1));
    for warning in found.warnings.iter().cloned().chain(setup.config.missing_folders()) {
        session.print_warning(&warning);
    }
    for (path, error) in &found.errors {
        session.print_error(&format!("{}: {error}", path.display()));
        outcome.worsen_exit(ExitStatus::Usage);
    }
    if found.files.is_empty() && found.errors.is_empty() {
        session.print_warning("no Python files found");
    }

    let cached = remembered::CachedRun::of(args, setup, session, &found.files)?;
    if let Some(cached) = &cached
        && let Some((findings, sources)) = cached.load(session.thread_count())
    {
        outcome.files = sources.len();
        outcome.findings = findings;
        return Ok((outcome, sources));
    }
    // Every file is gone through twice: once for its syntax, once by the interpreter.
    let progress = Arc::new(Progress::new(2 * found.files.len(), session.global.quiet));
    let read = workers::map(&found.files, session.thread_count(), |path| {
        let load = || match cached.as_ref().and_then(|cached| cached.take_bytes(path)) {
            Some(bytes) => Ok(sources::from_bytes(path, bytes)),
            None => sources::load(path, args.stdin_filename.as_deref()),
        };
        let read = guard::catch_panic(|| load().map(CheckSource::of));
        progress.count_step();
        read
    });
    let mut files = Vec::with_capacity(read.len());
    for (path, read) in found.files.iter().zip(read) {
        match read {
            Ok(Ok(source)) => files.push(source),
            Ok(Err(error)) => {
                session.print_error(&format!("{}: {}", path.display(), io_message(&error)));
                outcome.unread.push(path.clone());
                outcome.worsen_exit(ExitStatus::Usage);
            }
            Err(panic) => {
                session.print_error(&format!("{}: {panic}", path.display()));
                outcome.unread.push(path.clone());
                outcome.worsen_exit(ExitStatus::Internal);
            }
        }
    }
    outcome.files = files.len();
    drop_findings_of_registered_codecs(&mut files);
    let mut by_file = interpret_files(&mut files, args, setup, session, &progress, engine, &mut outcome)?;
    let mut sources = Vec::with_capacity(files.len());
    for mut source in files {
        sources.push(Arc::clone(&source.file));
        let mut findings = std::mem::take(&mut source.findings);
        findings.extend(by_file.remove(source.file.path()).unwrap_or_default());
        outcome.findings.extend(setup.filter_findings(&source, findings));
    }
    // What was said beside the findings is said only by a run that computes them.
    if let Some(cached) = cached.filter(|_| outcome.exit.is_none() && !outcome.said_more) {
        cached.store(&sources, &outcome.findings);
    }
    Ok((outcome, sources))
}

/// A file as far as it is kept while all are interpreted.
struct CheckSource {
    path: PathBuf,
    file: Arc<SourceFile>,
    suppressions: Vec<Suppression>,
    findings: Vec<Finding>,
    /// It is written in an encoding of the program's own.
    is_unread: bool,
    /// Until the interpreter takes it.
    tree: Option<Tree>,
}

impl CheckSource {
    fn of(loaded: LoadedSource) -> Self {
        Self {
            path: loaded.path,
            file: Arc::clone(&loaded.parsed.file),
            suppressions: suppressions(&loaded.parsed),
            findings: loaded.findings,
            is_unread: false,
            tree: Arc::try_unwrap(loaded.parsed).ok().map(|parsed| parsed.tree),
        }
    }
}

/// Where a file of the run registers a codec, an encoding that Python does not know may be the one. Nothing is said of such files, which
/// are not read.
fn drop_findings_of_registered_codecs(files: &mut [CheckSource]) {
    let is_found = files.iter().any(|source| source.findings.iter().any(sources::is_of_unknown_encoding));
    if is_found && files.iter().filter_map(|source| source.tree.as_ref()).any(sources::registers_codec) {
        for source in files {
            let found = source.findings.len();
            source.findings.retain(|finding| !sources::is_of_unknown_encoding(finding));
            source.is_unread = source.findings.len() < found;
        }
    }
}

/// Runs the abstract interpreter over all files together; returns what it found, by path.
fn interpret_files(
    files: &mut [CheckSource],
    args: &CheckArgs,
    setup: &Setup,
    session: &Session,
    progress: &Arc<Progress>,
    engine: &mut IncrementalCheck,
    outcome: &mut CheckOutcome,
) -> Result<HashMap<String, Vec<Finding>>> {
    let step = Arc::clone(progress);
    let progress: Arc<dyn Fn() + Send + Sync> = Arc::new(move || step.count_step());
    let trees = files.iter_mut().filter_map(|source| Some((source.file.path().to_owned(), source.tree.take()?)));
    let trees = Arc::new(Trees::new(trees.collect()));
    // What has syntax errors does not run, so that nothing else about it is certain.
    let broken = files.iter().filter(|source| source.is_unread || !source.findings.is_empty());
    let broken = broken.map(|source| source.file.path().to_owned()).collect();
    let options = CheckOptions { progress: Some(progress), trees, broken, ..setup.check_options(args, session)? };
    let sources: Vec<_> = files.iter().map(|source| Arc::clone(&source.file)).collect();
    let checked = engine.check_files(&sources, &options);
    for (file, message) in &checked.failures {
        session.print_error(&format!("{}: {}", file.path(), Caught::new(message)));
        outcome.worsen_exit(ExitStatus::Internal);
    }
    let run = sources.iter().filter(|file| file.kind() != pytrope_source::SourceKind::Stub);
    let mut slowest: Vec<_> = run.zip(&checked.times).collect();
    slowest.sort_by_key(|&(_, time)| std::cmp::Reverse(*time));
    for (file, time) in slowest.into_iter().take(10) {
        session.print_detail(&format!("{:8.3} s  {}", time.as_secs_f64(), file.path()));
    }
    if !checked.cut_short.is_empty() {
        let files = count_with_noun(checked.cut_short.len(), "file");
        session.print_warning(&format!(
            "{files} took too many steps and {} not analysed to the end (-v names {})",
            if checked.cut_short.len() == 1 { "was" } else { "were" },
            if checked.cut_short.len() == 1 { "it" } else { "them" },
        ));
        for path in &checked.cut_short {
            session.print_detail(&format!("not analysed to the end: {path}"));
        }
    }
    for bug in &checked.model_bugs {
        // Ours are tested; one's own models are worth a word.
        if setup.config.models.is_empty() {
            session.print_detail(&format!("model: {bug}"));
        } else {
            session.print_warning(&format!("model: {bug}"));
            outcome.said_more = true;
        }
    }
    let mut by_file: HashMap<String, Vec<Finding>> = HashMap::new();
    for finding in checked.findings {
        let path = finding.primary.file.path().to_owned();
        by_file.entry(path).or_default().push(finding);
    }
    Ok(by_file)
}

fn print_findings(args: &CheckArgs, setup: &Setup, outcome: &CheckOutcome, session: &Session) -> Result<()> {
    let shown = &outcome.findings[..outcome.findings.len().min(args.max_findings.unwrap_or(usize::MAX))];
    match &args.output.output_file {
        Some(path) if !sources::is_stdin(path) => {
            let mut text = Vec::new();
            render(setup.format, shown, &session.render_context(false), &mut text)?;
            write_atomic(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
        }
        // `-o -` is standard output.
        _ => session.print_findings(setup.format, shown)?,
    }
    if shown.len() < outcome.findings.len() {
        session.print_warning(&format!(
            "{} more not shown (--max-findings)",
            count_with_noun(outcome.findings.len() - shown.len(), "finding")
        ));
    }
    // Where no file was read, that was said.
    if !setup.format.is_for_machines() && outcome.files > 0 {
        session.summary(&summary_line(outcome));
    }
    Ok(())
}

fn summary_line(outcome: &CheckOutcome) -> String {
    let count = |severity| outcome.findings.iter().filter(|finding| finding.severity == severity).count();
    let parts: Vec<String> = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")]
        .into_iter()
        .map(|(severity, word)| (count(severity), word))
        .filter(|&(count, _)| count > 0)
        .map(|(count, word)| count_with_noun(count, word))
        .collect();
    let found = if parts.is_empty() { "nothing found".to_owned() } else { parts.join(", ") };
    let known = match outcome.left_out {
        0 => String::new(),
        count => format!("; the baseline leaves out {}", count_with_noun(count, "finding")),
    };
    format!("{found} in {}{known}", count_with_noun(outcome.files, "file"))
}

pub(crate) fn count_with_noun(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
