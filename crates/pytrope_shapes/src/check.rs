//! `check`: the errors that are certain to happen.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pytrope_diagnostics::{Finding, Severity, sort_findings};
use pytrope_eval::code::Code;
use pytrope_eval::interp::RunResult;
use pytrope_eval::{Limits, ModuleRequest, Program, analysis};
use pytrope_source::{ModuleResolver, SourceFile, SourceKind, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::blame::Blame;
use crate::hosts::drop_host_names;
use crate::module_loader::{FileModuleLoader, Trees};

/// What a check may be told.
#[derive(Clone, Default)]
pub struct CheckOptions {
    /// Where imported modules are found; without it only the given files and the models are.
    pub resolver: Option<ModuleResolver>,
    /// Installed packages to interpret.
    pub follow: Vec<String>,
    /// The minor version of Python 3 that the code is for.
    pub target: Option<u8>,
    /// Releases of libraries that the code is for, by name.
    pub versions: BTreeMap<String, String>,
    /// Folders of models that users wrote.
    pub models: Vec<PathBuf>,
    /// Also report what may fail.
    pub possible: bool,
    pub limits: Limits,
    /// Run every call, also those whose outcome is known: slower, and no different.
    pub runs_every_call: bool,
    /// How many threads to use; none counts as one.
    pub threads: usize,
    /// Further files that can be imported and are not checked, such as unsaved documents of an editor.
    pub beside: Vec<Arc<SourceFile>>,
    /// Trees of the files that were parsed before.
    pub trees: Arc<Trees>,
    /// Paths of the files that do not compile: nothing is said of them, and nothing is known of what is imported from them.
    pub broken: FxHashSet<String>,
    /// Nothing comes after this: what it took is left for the system to take back, which is faster.
    pub is_last: bool,
    /// Called after each file, from any thread.
    pub progress: Option<Arc<dyn Fn() + Send + Sync>>,
}

/// What a check found.
#[derive(Default)]
pub struct Checked {
    pub findings: Vec<Finding>,
    /// Defects of model files.
    pub model_bugs: Vec<String>,
    /// How many calls were not run because their outcome was known.
    pub summaries_used: usize,
    /// How long each file took, in the order of the files.
    pub times: Vec<Duration>,
    /// Files whose analysis failed inside, with the message of the panic.
    pub failures: Vec<(Arc<SourceFile>, String)>,
}

/// The stack an analysis needs for the deepest program it follows.
pub const STACK: usize = 512 << 20;

/// Checks files together: each is a module the others can import.
pub fn check_files(files: &[Arc<SourceFile>], options: &CheckOptions) -> Checked {
    // Stubs are never run: their syntax is all that can be wrong.
    let given: Vec<Arc<SourceFile>> =
        files.iter().filter(|file| file.kind() != SourceKind::Stub).map(Arc::clone).collect();
    // What is found does not depend on the order in which the files are named.
    let mut files = given.clone();
    files.sort_by(|a, b| a.path().cmp(b.path()));
    let (project, keys) = project_of(&files, options);
    let mut program = Program::new(Box::new(project), files.len());
    program.possible = options.possible;
    program.summarises = !options.runs_every_call;
    program.set_order(&keys);
    let threads = options.threads.clamp(1, files.len().max(1));
    // Parsing everything first tells which attributes are stored where.
    in_parallel(&keys, threads, |key| drop(program.parse_module(key)));
    let outcomes = in_parallel(&keys, threads, |key| {
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| check_module(&program, key, options)));
        options.progress.iter().for_each(|step| step());
        (outcome, started.elapsed())
    });
    let mut checked = Checked::default();
    let mut times: FxHashMap<&str, Duration> = FxHashMap::default();
    let mut analysed: Vec<AnalysedModule> = Vec::with_capacity(files.len());
    for (file, (outcome, time)) in files.iter().zip(outcomes) {
        times.insert(file.path(), time);
        match outcome {
            Ok(Some(mut module)) => {
                checked.model_bugs.append(&mut module.reported.model_bugs);
                analysed.push(module);
            }
            Ok(None) => {}
            Err(panic) => {
                let message = panic.downcast_ref::<String>().cloned();
                let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                checked.failures.push((Arc::clone(file), message.unwrap_or_default()));
            }
        }
    }
    checked.model_bugs.append(&mut program.bugs_of_model_bodies());
    checked.times = given.iter().filter_map(|file| times.get(file.path()).copied()).collect();
    checked.findings = merge_findings(&program, &files, &analysed);
    let codes: Vec<_> = keys.iter().filter_map(|key| program.parse_module(key)).collect();
    drop_host_names(&codes, &mut checked.findings);
    sort_findings(&mut checked.findings);
    checked.summaries_used = program.summaries_used();
    if options.is_last {
        std::mem::forget(program);
    }
    checked
}

/// The modules of a run, and the keys that the files are loaded by.
pub(crate) fn project_of(files: &[Arc<SourceFile>], options: &CheckOptions) -> (FileModuleLoader, Vec<String>) {
    let mut project = FileModuleLoader::new(options.resolver.clone(), options.follow.clone())
        .with_models(options.models.clone())
        .with_target(options.target)
        .with_versions(options.versions.clone())
        .with_trees(Arc::clone(&options.trees))
        .without_broken_files(options.broken.clone());
    let keys: Vec<String> = files.iter().map(|file| project.add_file(file)).collect();
    for file in &options.beside {
        project.add_file(file);
    }
    (project, keys)
}

/// Runs an analysis with room for deep recursion.
pub(crate) fn on_large_stack<T: Send>(step: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, step);
        match thread.expect("the system gives a thread").join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Maps keys on threads with large stacks; results keep their order.
fn in_parallel<T: Send>(keys: &[String], threads: usize, step: impl Fn(&str) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(keys.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                while let Some((at, key)) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|at| keys.get(at).map(|key| (at, key)))
                {
                    let result = step(key);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("the system gives a thread");
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What the analysis of one module gives, before what others say of its functions is known.
struct AnalysedModule {
    code: Arc<Code>,
    reported: RunResult,
}

fn check_module(program: &Program, key: &str, options: &CheckOptions) -> Option<AnalysedModule> {
    let ModuleRequest::EvaluatedModule(frozen) = program.load_module(key) else { return None };
    let mut functions = analysis::analyse_functions(program, frozen, options.limits, options.possible);
    let module = frozen.code.module;
    // A call in the module that catches the exception asks a question; it is no error.
    functions.findings.retain(|finding| {
        let is_own = finding.primary.file.path() == frozen.code.file.path();
        !(is_own && frozen.reported.caught.contains(&(module, finding.primary.range, finding.rule.id)))
    });
    let mut reported = frozen.reported.clone();
    for finding in std::mem::take(&mut functions.findings) {
        let known =
            reported.findings.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule);
        if !known {
            reported.findings.push(finding);
        }
    }
    reported.absorb(functions);
    Some(AnalysedModule { code: Arc::clone(&frozen.code), reported })
}

/// The findings of a run: those of each file's own code, and those that calls from other files lead to, each place once.
fn merge_findings(program: &Program, files: &[Arc<SourceFile>], analysed: &[AnalysedModule]) -> Vec<Finding> {
    let checked = files.iter().map(|file| file.path()).collect();
    let completed = analysed.iter().flat_map(|module| module.reported.completed.iter().copied()).collect();
    let blame = Blame { program, checked, completed };
    let mut by_file: FxHashMap<&str, Vec<Finding>> = FxHashMap::default();
    let mut from_elsewhere: Vec<Finding> = Vec::new();
    for AnalysedModule { code, reported } in analysed {
        let (own, others): (Vec<_>, Vec<_>) =
            reported.findings.iter().cloned().partition(|finding| finding.primary.file.path() == code.file.path());
        by_file.entry(code.file.path()).or_default().extend(own);
        // What is not certain is said of a file's own code only.
        let others =
            others.into_iter().filter(|finding| finding.raises.is_some() && finding.severity == Severity::Error);
        from_elsewhere.extend(others.filter_map(|finding| blame.place_finding(finding, &code.file)));
    }
    // Of several callers that lead to a place the first in the order of paths is named.
    let position = |span: &Span| (span.file.path().to_owned(), span.range.start, span.range.end);
    from_elsewhere.sort_by_cached_key(|finding| finding.calls.iter().rev().map(position).collect::<Vec<_>>());
    for finding in from_elsewhere {
        let Some(file) = files.iter().find(|file| file.path() == finding.primary.file.path()) else { continue };
        let known = by_file.entry(file.path()).or_default();
        if !known.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule) {
            known.push(finding);
        }
    }
    for AnalysedModule { code, .. } in analysed {
        if let Some(findings) = by_file.get_mut(code.file.path()) {
            analysis::names_once(code, findings);
        }
    }
    by_file.into_values().flatten().collect()
}
