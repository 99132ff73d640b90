//! `check`: the errors that are certain to happen.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pytrope_diagnostics::Finding;
use pytrope_eval::Limits;
use pytrope_source::{ModuleResolver, SourceFile};
use rustc_hash::FxHashSet;

use crate::incremental::IncrementalCheck;
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
    /// Paths of files whose code at the top level takes more steps than an analysis may: what stands behind is not judged.
    pub cut_short: Vec<String>,
    /// How many files were analysed; the results of the others were known.
    pub analysed: usize,
}

/// The stack an analysis needs for the deepest program it follows.
pub const STACK: usize = 512 << 20;

/// Checks files together: each is a module the others can import.
pub fn check_files(files: &[Arc<SourceFile>], options: &CheckOptions) -> Checked {
    let mut once = IncrementalCheck::once();
    let checked = once.check_files(files, options);
    if options.is_last {
        std::mem::forget(once);
    }
    checked
}

/// The modules of a run, and the keys that they are loaded by: of the files, then of those beside them.
pub(crate) fn project_of(files: &[Arc<SourceFile>], options: &CheckOptions) -> (FileModuleLoader, Vec<String>) {
    let mut project = FileModuleLoader::new(options.resolver.clone(), options.follow.clone())
        .with_models(options.models.clone())
        .with_target(options.target)
        .with_versions(options.versions.clone())
        .with_trees(Arc::clone(&options.trees))
        .without_broken_files(options.broken.clone());
    let keys = files.iter().chain(&options.beside).map(|file| project.add_file(file)).collect();
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
pub(crate) fn in_parallel<T: Send>(keys: &[String], threads: usize, step: impl Fn(&str) -> T + Sync) -> Vec<T> {
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
