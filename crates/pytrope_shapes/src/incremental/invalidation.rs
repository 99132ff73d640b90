//! Which results an edit can have changed.
//!
//! Two things of a module are kept, and they are invalid for different reasons:
//!
//! - its *body*, evaluated into a heap that importers read: invalid if its text changed, if a module that it asked for has an
//!   invalid body, or if an answer of the index that it used is another one;
//! - its *result*: invalid if its body is, if a module that its functions asked for has an invalid body, or if an answer that
//!   they used is another one. An invalid result invalidates nothing else.
//!
//! ```python
//! # a.py               # b.py                  # c.py
//! import b             def f(x):               from a import run
//! def run(): b.f(1)        import d; d.g(x)
//! ```
//!
//! A changed `d.py` leaves the body of `b` valid. Its result is invalid, and so is that of `a`, whose functions called `f`.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use pytrope_eval::Program;
use pytrope_eval::program::dependencies::Dependencies;
use pytrope_source::SourceFile;
use rustc_hash::FxHashSet;

use super::{AnalysisRound, CheckedModule, CheckedProgram};
use crate::check::CheckOptions;
use crate::roots::moves_names;

impl CheckedProgram {
    /// Whether the same files are checked, by path, with the same configuration.
    pub(super) fn is_of(&self, files: &[Arc<SourceFile>], options: &CheckOptions) -> bool {
        let known = &self.configuration;
        let given = &self.modules[..self.given];
        let own = given.iter().filter(|module| !module.is_beside);
        let beside = given.iter().filter(|module| module.is_beside);
        own.map(|module| module.file.path()).eq(files.iter().map(|file| file.path()))
            && beside.map(|module| module.file.path()).eq(options.beside.iter().map(|file| file.path()))
            && known.resolver == options.resolver
            && known.follow == options.follow
            && known.target == options.target
            && known.versions == options.versions
            && known.models == options.models
            && known.possible == options.possible
            && known.limits == options.limits
            && known.runs_every_call == options.runs_every_call
    }

    /// Takes in new texts, and drops what they invalidate; `false` if everything has to be done anew.
    pub(super) fn replace_texts(&mut self, files: &[Arc<SourceFile>], options: &CheckOptions) -> bool {
        if !self.is_idle {
            self.invalid_bodies.clear();
        }
        let moves_names = files.iter().chain(&options.beside).zip(&self.modules).any(|(file, module)| {
            let (before, after) = (module.file.text(), file.text());
            before != after && moves_names(Path::new(file.path()), before, after)
        });
        if moves_names {
            return false;
        }
        let mut trees = options.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let mut changed = Vec::new();
        for (at, file) in files.iter().chain(&options.beside).enumerate() {
            let module = &mut self.modules[at];
            let is_broken = options.broken.contains(file.path());
            // The cells of a notebook may be others though their code is the same.
            let is_same = Arc::ptr_eq(file, &module.file)
                || file.notebook().is_none() && module.file.notebook().is_none() && file.text() == module.file.text();
            if is_same && is_broken == module.is_broken {
                continue;
            }
            module.file = Arc::clone(file);
            module.is_broken = is_broken;
            self.loader.replace_file(&module.key, file, is_broken, trees.remove(file.path()));
            changed.push(at);
        }
        drop(trees);
        // A panic has left results of which nothing is known.
        let has_failed = |at: &usize| self.modules[*at].result.as_ref().is_some_and(|result| result.failure.is_some());
        changed.extend((0..self.modules.len()).filter(has_failed).collect::<Vec<_>>());
        if changed.is_empty() {
            return true;
        }
        let mut index_changed = false;
        for &at in &changed {
            let key = self.modules[at].key.clone();
            index_changed |= self.program.replace_module(&key);
        }
        if self.reaches_other_files(&changed) {
            return false;
        }
        // Without anything to analyse no answer is used; those that are known are asked again once there is.
        index_changed |= std::mem::take(&mut self.is_index_unchecked);
        self.is_idle = self.has_broken_files_alone();
        if self.is_idle {
            self.is_index_unchecked = std::mem::take(&mut index_changed);
        }
        if index_changed && self.program.models_see_changes() {
            return false;
        }
        self.invalidate(changed, index_changed);
        true
    }

    /// Whether no checked file compiles: one that is open alone is half typed.
    pub(super) fn has_broken_files_alone(&self) -> bool {
        self.modules[..self.given].iter().all(|module| module.is_beside || module.is_broken)
    }

    /// Drops the bodies and results that changed texts, and with them a changed index, invalidate.
    fn invalidate(&mut self, changed: Vec<usize>, index_changed: bool) {
        let mut bodies: FxHashSet<usize> = changed.iter().copied().collect();
        let mut open = changed;
        let mut results: FxHashSet<usize> = FxHashSet::default();
        if index_changed {
            let program = &self.program;
            let sees_change = |dependencies: &Dependencies| {
                dependencies.answers.iter().any(|(question, answer)| program.answers_otherwise(*question, *answer))
            };
            for (at, module) in self.modules.iter().enumerate() {
                if module.body.as_ref().is_some_and(sees_change) {
                    if bodies.insert(at) {
                        open.push(at);
                    }
                } else if module.result.as_ref().is_some_and(|result| sees_change(&result.dependencies)) {
                    results.insert(at);
                }
            }
        }
        while let Some(at) = open.pop() {
            let key = self.modules[at].key.as_str();
            for &importer in self.importers.get(key).into_iter().flatten() {
                let module = &self.modules[importer];
                if module.body.as_ref().is_some_and(|body| body.modules.contains(key)) {
                    if bodies.insert(importer) {
                        open.push(importer);
                    }
                } else if module.result.as_ref().is_some_and(|result| result.dependencies.modules.contains(key)) {
                    results.insert(importer);
                }
            }
        }
        for at in &bodies {
            self.program.forget_evaluation(&self.modules[*at].key);
        }
        for at in bodies.iter().copied().chain(results) {
            self.modules[at].result = None;
        }
        self.invalid_bodies.extend(bodies);
    }

    /// Notes what the modules of a round have asked for.
    pub(super) fn record_importers(&mut self, round: &mut AnalysisRound) {
        // What a half-typed file asked for before is what it will most likely ask for again.
        if self.is_idle {
            return;
        }
        let has_read_modules = self.modules.len() > self.given;
        let program = &self.program;
        for (at, module) in self.modules.iter_mut().enumerate() {
            if !round.places.contains(&at) && module.body.is_some() && !self.invalid_bodies.contains(&at) {
                continue;
            }
            // What can only be imported is evaluated when something asks for it.
            let evaluated = program.evaluation_of(&module.key).map(|evaluated| evaluated.dependencies.clone());
            let is_waiting = module.is_beside && evaluated.is_none();
            let (old, new) = (module.body.take().unwrap_or_default(), evaluated.unwrap_or_default());
            round.imports_changed |= own_requests(program, &new) != own_requests(program, &old);
            let functions = module.result.as_ref().map(|result| own_requests(program, &result.dependencies));
            let requests = functions.unwrap_or_default();
            // The bodies of files on disk are evaluated when they are first asked for.
            round.imports_changed |= has_read_modules && requests != module.requests;
            let functions = module.result.iter().flat_map(|result| &result.dependencies.modules);
            for key in new.modules.iter().chain(functions) {
                self.importers.entry(Arc::clone(key)).or_default().insert(at);
            }
            module.body = (!is_waiting).then_some(new);
            module.requests = requests;
        }
    }

    /// Whether modules that kept their bodies have seen an import cycle which may now be entered at another module: some
    /// module asks for other modules than before, or in another order.
    pub(super) fn may_enter_cycles_elsewhere(&self, round: &AnalysisRound) -> bool {
        let mut modules = self.modules.iter().enumerate();
        let met_cycle = |module: &CheckedModule| module.body.as_ref().is_some_and(|body| body.met_cycle);
        round.imports_changed && modules.any(|(at, module)| met_cycle(module) && !self.invalid_bodies.contains(&at))
    }
}

/// The modules of the program that an analysis asked for, models excepted: a call of a model that is remembered does not ask for the
/// model's modules again.
fn own_requests(program: &Program, dependencies: &Dependencies) -> Vec<Arc<str>> {
    let is_own = |key: &&Arc<str>| program.parsed_module(key).is_some_and(|code| !code.is_model);
    dependencies.modules.iter().filter(is_own).cloned().collect()
}
