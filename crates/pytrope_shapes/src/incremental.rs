//! The incremental engine: results per module, kept across edits, and computed again where an edit can have changed them.
//!
//! A module's result is what its body and its functions come to when they are run. It depends on the configuration, on the
//! module's text, on the modules it asked for and theirs in turn, and on the answers of the program's index that it used
//! (`pytrope_eval::program::dependencies`). Findings are made of the results of all modules, in a last step that is done anew each
//! time: a finding may stand in another file than the one whose run has made it. docs/internals/incremental.md has the whole argument.
//!
//! ```text
//! edit → changed texts → invalid bodies → invalid results → analysis → merge → findings
//!                         ↑ importers      ↑ function-level imports, answers of the index
//! ```
//!
//! Invariant: what a check returns is what a run from nothing over the same files returns (`tests/incremental.rs`). Where that
//! cannot be told from the recorded dependencies, everything is done anew.

mod invalidation;
mod read_modules;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pytrope_diagnostics::sort_findings;
use pytrope_eval::program::dependencies::{Dependencies, recorded};
use pytrope_eval::program::import_closure::written_imports;
use pytrope_eval::{ModuleRequest, Program};
use pytrope_source::reading::FileStamp;
use pytrope_source::{SourceFile, SourceKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::check::{CheckOptions, Checked, in_parallel, on_large_stack, project_of};
use crate::hosts::{drop_host_names, is_compiled_by_cython};
use crate::module_loader::FileModuleLoader;
use crate::module_results::{AnalysedModule, analyse_module, merge_findings};
use crate::shown::{ShownBinding, observe_files};
use crate::weak_evidence::{Evidence, drop_weak_findings};

/// Checks files again and again, and analyses what an edit can have changed.
pub struct IncrementalCheck {
    /// There will be another check, so that dependencies are recorded.
    is_repeated: bool,
    program: Option<CheckedProgram>,
}

/// A program with the results of its modules.
struct CheckedProgram {
    loader: Arc<FileModuleLoader>,
    program: Program,
    configuration: CheckOptions,
    /// The files that are checked, in the order of their paths, then those that can only be imported: the given ones, then
    /// what imports have led to on disk.
    modules: Vec<CheckedModule>,
    /// How many of the modules were given.
    given: usize,
    /// By key, the places of the modules that have asked for it.
    importers: FxHashMap<Arc<str>, FxHashSet<usize>>,
    /// The places of the modules that are evaluated anew in this round, or that rounds without an analysis have left.
    invalid_bodies: FxHashSet<usize>,
    /// In the last round there was nothing to analyse.
    is_idle: bool,
    /// The index has changed while there was nothing to analyse.
    is_index_unchecked: bool,
}

/// A module with what is known of it; without a result, it has to be analysed.
struct CheckedModule {
    file: Arc<SourceFile>,
    key: String,
    is_broken: bool,
    /// It is only there to be imported.
    is_beside: bool,
    result: Option<ModuleOutcome>,
    /// Of the evaluation of its body; none before that.
    body: Option<Dependencies>,
    /// What its functions asked for when they were last run.
    requests: Vec<Arc<str>>,
    /// The imports of its last text that compiled.
    imports: Vec<String>,
    /// Of a file that was read from disk, when it was.
    stamp: Option<FileStamp>,
}

impl CheckedModule {
    /// A module of which nothing is known but its file.
    fn of_file(file: &Arc<SourceFile>, key: &str) -> Self {
        Self {
            file: Arc::clone(file),
            key: key.to_owned(),
            is_broken: false,
            is_beside: false,
            result: None,
            body: None,
            requests: Vec::new(),
            imports: Vec::new(),
            stamp: None,
        }
    }
}

struct ModuleOutcome {
    /// None where the module could not be loaded.
    analysed: Option<AnalysedModule>,
    /// Of the analysis of its functions.
    dependencies: Dependencies,
    /// The message of a panic; what it depended on is not known then.
    failure: Option<String>,
    is_compiled: bool,
    time: Duration,
}

impl Default for IncrementalCheck {
    fn default() -> Self {
        Self { is_repeated: true, program: None }
    }
}

impl IncrementalCheck {
    /// For a single check: nothing is recorded.
    pub fn once() -> Self {
        Self { is_repeated: false, program: None }
    }

    /// Checks files together, as [`crate::check_files`] does. Whatever may have changed on disk beside the given files must
    /// be announced by [`Self::forget_all`].
    pub fn check_files(&mut self, files: &[Arc<SourceFile>], options: &CheckOptions) -> Checked {
        // Stubs are never run: their syntax is all that can be wrong.
        let given: Vec<Arc<SourceFile>> =
            files.iter().filter(|file| file.kind() != SourceKind::Stub).map(Arc::clone).collect();
        // What is found does not depend on the order in which the files are named.
        let mut sorted = given.clone();
        sorted.sort_by(|a, b| a.path().cmp(b.path()));
        let known = self.program.take().filter(|program| program.is_of(&sorted, options));
        let mut program = match known {
            Some(mut program) => {
                if program.has_read_files_unchanged() && program.replace_texts(&sorted, options) {
                    program
                } else {
                    CheckedProgram::new(&sorted, options, self.is_repeated)
                }
            }
            None => CheckedProgram::new(&sorted, options, self.is_repeated),
        };
        let mut analysed = program.analyse_invalid(options);
        if program.may_enter_cycles_elsewhere(&analysed) {
            program = CheckedProgram::new(&sorted, options, self.is_repeated);
            analysed = program.analyse_invalid(options);
        }
        if self.is_repeated {
            program.adopt_read_modules();
        }
        let mut checked = program.collect_findings(&analysed.places);
        let times: FxHashMap<&str, Duration> = program.times(&analysed.places);
        checked.times = given.iter().map(|file| times.get(file.path()).copied().unwrap_or_default()).collect();
        self.program = Some(program);
        checked
    }

    /// Whether the last check was given the file at an absolute path.
    pub fn has_file(&self, path: &Path) -> bool {
        let is_it = |module: &CheckedModule| std::path::absolute(module.file.path()).is_ok_and(|own| own == path);
        self.program.as_ref().is_some_and(|program| program.modules[..program.given].iter().any(is_it))
    }

    /// Forgets everything: files were added, removed or changed that were not given.
    pub fn forget_all(&mut self) {
        self.program = None;
    }

    /// The bindings of one of the files that were checked last, for showing shapes.
    pub fn shapes_of_file(&self, path: &str) -> Vec<ShownBinding> {
        let Some(checked) = &self.program else { return Vec::new() };
        let Some(module) = checked.modules.iter().find(|module| module.file.path() == path) else { return Vec::new() };
        let (keys, files) = ([module.key.clone()], [Arc::clone(&module.file)]);
        let limits = checked.configuration.limits;
        on_large_stack(|| observe_files(&checked.program, &keys, &files, limits)).pop().unwrap_or_default()
    }
}

/// What a round of analyses has done.
#[derive(Default)]
struct AnalysisRound {
    /// The places of the modules that were analysed.
    places: FxHashSet<usize>,
    /// Some body asked for other modules than before, or in another order.
    imports_changed: bool,
}

impl CheckedProgram {
    fn new(files: &[Arc<SourceFile>], options: &CheckOptions, is_repeated: bool) -> Self {
        let (loader, mut keys) = project_of(files, options);
        let loader = Arc::new(loader);
        let mut program = Program::new(Box::new(Arc::clone(&loader)), files.len() + options.beside.len());
        program.possible = options.possible;
        program.summarises = !options.runs_every_call;
        program.records = is_repeated;
        let module = |(at, (file, key)): (usize, (&Arc<SourceFile>, &String))| CheckedModule {
            is_broken: options.broken.contains(file.path()),
            is_beside: at >= files.len(),
            ..CheckedModule::of_file(file, key)
        };
        let mut modules: Vec<_> = files.iter().chain(&options.beside).zip(&keys).enumerate().map(module).collect();
        keys.truncate(files.len());
        program.set_order(&keys);
        let threads = options.threads.clamp(1, files.len().max(1));
        // Parsing everything first tells which attributes are stored where.
        in_parallel(&keys, threads, |key| drop(program.parse_module(key)));
        program.read_imports(&keys);
        if is_repeated {
            for module in &mut modules {
                module.imports =
                    program.parsed_module(&module.key).map(|code| written_imports(code)).unwrap_or_default();
            }
        }
        let given = modules.len();
        let configuration = CheckOptions { trees: Arc::default(), progress: None, ..options.clone() };
        let invalid_bodies = (0..modules.len()).collect();
        Self {
            loader,
            program,
            configuration,
            modules,
            given,
            importers: FxHashMap::default(),
            invalid_bodies,
            is_idle: false,
            is_index_unchecked: false,
        }
    }

    /// Runs the modules that have no result.
    fn analyse_invalid(&mut self, options: &CheckOptions) -> AnalysisRound {
        self.program.restart_order();
        let waiting = |module: &CheckedModule| !module.is_beside && module.result.is_none();
        let places: Vec<usize> = (0..self.modules.len()).filter(|at| waiting(&self.modules[*at])).collect();
        let keys: Vec<String> = places.iter().map(|at| self.modules[*at].key.clone()).collect();
        let threads = options.threads.clamp(1, keys.len().max(1));
        let (program, records) = (&self.program, self.program.records);
        let outcomes = in_parallel(&keys, threads, |key| {
            let started = Instant::now();
            let run = || recorded(records, || analyse_module(program, key, options));
            let outcome = catch_unwind(AssertUnwindSafe(run));
            options.progress.iter().for_each(|step| step());
            let time = started.elapsed();
            match outcome {
                Ok((analysed, dependencies)) => {
                    let is_compiled = analysed.as_ref().is_some_and(|module| is_compiled_by_cython(&module.code));
                    ModuleOutcome { analysed, dependencies, failure: None, is_compiled, time }
                }
                Err(panic) => {
                    let message = panic.downcast_ref::<String>().cloned();
                    let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                    let failure = Some(message.unwrap_or_default());
                    let dependencies = Dependencies::default();
                    ModuleOutcome { analysed: None, dependencies, failure, is_compiled: false, time }
                }
            }
        });
        let mut round = AnalysisRound::default();
        for (&at, outcome) in places.iter().zip(outcomes) {
            round.places.insert(at);
            self.modules[at].result = Some(outcome);
        }
        if records {
            self.record_importers(&mut round);
        }
        round
    }

    /// The findings of the results of all modules.
    fn collect_findings(&self, analysed: &FxHashSet<usize>) -> Checked {
        let mut checked = Checked { analysed: analysed.len(), ..Checked::default() };
        let mut results: Vec<&AnalysedModule> = Vec::with_capacity(self.modules.len());
        let mut compiled: FxHashSet<&str> = FxHashSet::default();
        let own: Vec<&CheckedModule> = self.modules.iter().filter(|module| !module.is_beside).collect();
        for (module, outcome) in own.iter().filter_map(|module| Some((module, module.result.as_ref()?))) {
            if let Some(failure) = &outcome.failure {
                checked.failures.push((Arc::clone(&module.file), failure.clone()));
            }
            if matches!(self.program.load_module(&module.key), ModuleRequest::EvaluatedModule(body) if body.exhausted) {
                checked.cut_short.push(module.file.path().to_owned());
            }
            if let Some(analysed) = &outcome.analysed {
                checked.model_bugs.extend(analysed.reported.model_bugs.iter().cloned());
                results.push(analysed);
            }
            if outcome.is_compiled {
                compiled.insert(module.file.path());
            }
        }
        checked.model_bugs.append(&mut self.program.bugs_of_model_bodies());
        let files: Vec<&Arc<SourceFile>> = own.iter().map(|module| &module.file).collect();
        checked.findings = merge_findings(&self.program, &files, &results);
        let codes: Vec<_> = own.iter().filter_map(|module| self.program.parsed_module(&module.key)).collect();
        let is_library = |top: &str| self.loader.is_library(top);
        drop_host_names(&codes, &compiled, &is_library, &mut checked.findings);
        let is_third_party = |top: &str| self.loader.is_third_party(top);
        let evidence = Evidence {
            codes: &codes,
            is_library: &is_library,
            is_third_party: &is_third_party,
            opens_builtin_types: self.program.opens_builtin_types(),
            possible: self.configuration.possible,
        };
        drop_weak_findings(&evidence, &mut checked.findings);
        sort_findings(&mut checked.findings);
        checked.summaries_used = self.program.summaries_used();
        checked
    }

    /// How long each file took that was analysed, by path.
    fn times(&self, analysed: &FxHashSet<usize>) -> FxHashMap<&str, Duration> {
        let module = |at: &usize| &self.modules[*at];
        let timed = analysed.iter().map(module).filter_map(|module| Some((module, module.result.as_ref()?)));
        timed.map(|(module, outcome)| (module.file.path(), outcome.time)).collect()
    }
}
