//! `check`: the errors that are certain to happen.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pytrope_diagnostics::{Finding, sort_findings};
use pytrope_eval::{Limits, Loaded, World, analysis};
use pytrope_source::{ModuleResolver, SourceFile};

use crate::project::Project;

/// What a check may be told.
#[derive(Clone, Default)]
pub struct CheckOptions {
    /// Where imported modules are found; without it only the given files and the models are.
    pub resolver: Option<ModuleResolver>,
    /// Installed packages to interpret.
    pub follow: Vec<String>,
    /// Also report what may fail.
    pub possible: bool,
    pub limits: Limits,
}

/// What a check found.
#[derive(Default)]
pub struct Checked {
    pub findings: Vec<Finding>,
    /// Defects of model files.
    pub model_bugs: Vec<String>,
    /// Files whose analysis failed inside, with the message of the panic.
    pub failures: Vec<(Arc<SourceFile>, String)>,
}

/// The stack an analysis needs for the deepest program it follows.
pub const STACK: usize = 512 << 20;

/// Checks files together: each is a module the others can import.
pub fn check(files: &[Arc<SourceFile>], options: &CheckOptions) -> Checked {
    let mut project = Project::new(options.resolver.clone(), options.follow.clone());
    let keys: Vec<String> = files.iter().map(|file| project.add(file)).collect();
    let world = World::new(Box::new(project), files.len());
    on_large_stack(|| {
        let mut checked = Checked::default();
        // Parsing everything first tells which attributes are stored where.
        for key in &keys {
            world.code(key);
        }
        for (file, key) in files.iter().zip(&keys) {
            let outcome = catch_unwind(AssertUnwindSafe(|| check_module(&world, key, options)));
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
        checked
    })
}

fn check_module(world: &World, key: &str, options: &CheckOptions) -> (Vec<Finding>, Vec<String>) {
    let Loaded::Frozen(frozen) = world.load(key) else { return (Vec::new(), Vec::new()) };
    let mut findings = frozen.findings.clone();
    let mut bugs = frozen.model_bugs.clone();
    let (more, more_bugs) = analysis::analyse_functions(world, frozen, options.limits, options.possible);
    for finding in more {
        let known = findings.iter().any(|other| other.primary == finding.primary && other.rule == finding.rule);
        if !known {
            findings.push(finding);
        }
    }
    bugs.extend(more_bugs);
    // What an imported module does wrong is reported where that module is checked.
    findings.retain(|finding| finding.primary.file.path() == frozen.code.file.path());
    (findings, bugs)
}

/// Runs an analysis with room for deep recursion.
pub fn on_large_stack<T: Send>(f: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, f).expect("the system gives a thread");
        match thread.join() {
            Ok(value) => value,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
