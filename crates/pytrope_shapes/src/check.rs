//! `check`: the errors that are certain to happen.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pytrope_diagnostics::{Finding, sort_findings};
use pytrope_eval::{Limits, ModuleRequest, Program, analysis};
use pytrope_source::{ModuleResolver, SourceFile, SourceKind};
use rustc_hash::FxHashSet;

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
pub fn check(files: &[Arc<SourceFile>], options: &CheckOptions) -> Checked {
    // Stubs are never run: their syntax is all that can be wrong.
    let files: Vec<Arc<SourceFile>> =
        files.iter().filter(|file| file.kind() != SourceKind::Stub).map(Arc::clone).collect();
    let (project, keys) = project_of(&files, options);
    let mut program = Program::new(Box::new(project), files.len());
    program.possible = options.possible;
    program.summarises = !options.runs_every_call;
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
    for (file, (outcome, time)) in files.iter().zip(outcomes) {
        checked.times.push(time);
        match outcome {
            Ok((mut findings, mut bugs)) => {
                checked.findings.append(&mut findings);
                checked.model_bugs.append(&mut bugs);
            }
            Err(panic) => {
                let message = panic.downcast_ref::<String>().cloned();
                let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                checked.failures.push((Arc::clone(file), message.unwrap_or_default()));
            }
        }
    }
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
        .with_trees(Arc::clone(&options.trees))
        .without(options.broken.clone());
    let keys: Vec<String> = files.iter().map(|file| project.add(file)).collect();
    for file in &options.beside {
        project.add(file);
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

fn check_module(program: &Program, key: &str, options: &CheckOptions) -> (Vec<Finding>, Vec<String>) {
    let ModuleRequest::EvaluatedModule(frozen) = program.load_module(key) else { return (Vec::new(), Vec::new()) };
    let mut findings = frozen.findings.clone();
    let mut bugs = frozen.model_bugs.clone();
    let (more, more_bugs) = analysis::analyse_functions(program, frozen, options.limits, options.possible);
    for finding in more {
        let known = findings.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule);
        if !known {
            findings.push(finding);
        }
    }
    bugs.extend(more_bugs);
    // What an imported module does wrong is reported where that module is checked.
    findings.retain(|finding| finding.primary.file.path() == frozen.code.file.path());
    analysis::names_once(&frozen.code, &mut findings);
    (findings, bugs)
}
