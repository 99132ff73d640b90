//! What is reported: findings, once for each place, and where they are held back.
//!
//! Three things hold a finding back: a pass whose findings do not count (muting, [`RunReport::is_muted`]), a path that the
//! caller may exclude ([`Interp::is_speculative`]), and code that runs more than once (`deferred.rs`), which decides when it is over.

use std::sync::Arc;

use pytrope_diagnostics::{Applicability, Finding, rule_by_id};
use pytrope_dims::Sym;
use pytrope_source::{Span, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::passes::Passes;
use super::{Frame, Interp, Observer};
use crate::code::ScopeId;
use crate::native::CallArgs;
use crate::object::Function;
use crate::value::Value;

/// What a finding says of the calls that led to it.
pub const CALLED: &str = "called from here";

/// How many of the calls that led to a finding it shows.
const SHOWN_CALLS: usize = 3;

/// What comes out of a run, and who is told of it.
#[derive(Default)]
pub struct RunReport<'w> {
    findings: Vec<Finding>,
    /// The places that have been reported, by module and rule.
    seen: FxHashSet<(u32, TextRange, &'static str)>,
    /// Greater than zero in passes whose findings do not count.
    pub(super) mute: u32,
    /// The muted passes over loops that are going on, and what muting has held back in them.
    pub(super) passes: Passes,
    /// Exceptions of the program's operations that a `try` takes.
    pub(super) caught: FxHashSet<CaughtError>,
    /// The functions that some call with known arguments has come back from without an error.
    completed: FxHashSet<FunctionKey>,
    /// Names and attributes a model uses and does not have.
    model_bugs: Vec<String>,
    /// The first exception that every run of the module's body comes to.
    first_failure: Option<Finding>,
    /// A client that wants to see more than findings.
    pub observer: Option<Box<dyn Observer + 'w>>,
    /// The size that each name stands for in what the observer was shown.
    pub(crate) shown_names: FxHashMap<Arc<str>, Sym>,
}

/// A function of the program, by its module and its scope there.
pub type FunctionKey = (u32, ScopeId);

/// An error that something catches: its module, place and rule.
pub type CaughtError = (u32, TextRange, &'static str);

/// What a run leaves behind when it is over.
#[derive(Clone, Default)]
pub struct RunResult {
    pub findings: Vec<Finding>,
    pub caught: FxHashSet<CaughtError>,
    pub completed: FxHashSet<FunctionKey>,
    pub model_bugs: Vec<String>,
}

impl RunResult {
    /// Takes in what another run has left.
    pub fn absorb(&mut self, mut other: Self) {
        self.findings.append(&mut other.findings);
        self.caught.extend(other.caught);
        self.completed.extend(other.completed);
        self.model_bugs.append(&mut other.model_bugs);
    }
}

impl<'w> RunReport<'w> {
    /// A report for a run with an observer.
    pub fn observed_by(observer: Box<dyn Observer + 'w>) -> Self {
        Self { observer: Some(observer), ..Self::default() }
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub fn is_muted(&self) -> bool {
        self.mute > 0
    }

    pub fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// The exception that ends every run of a module's body, if the paths that come to the body's end have all met one. A name that
    /// a module lacks may be given to it by a host; signs of that are looked for where the file is checked.
    pub(crate) fn failure_of_body(&self, certain_raises: u32) -> Option<Finding> {
        let is_lack = |finding: &Finding| {
            finding
                .raises
                .as_deref()
                .is_some_and(|class| matches!(class, "NameError" | "AttributeError" | "ImportError"))
        };
        self.first_failure.clone().filter(|finding| certain_raises > 0 && !is_lack(finding))
    }

    /// The run is over.
    pub fn into_reported(self) -> RunResult {
        let Self { findings, caught, completed, model_bugs, .. } = self;
        RunResult { findings, caught, completed, model_bugs }
    }

    /// Withdraws what has been reported since there were so many findings: the code is run once more, and more is known.
    pub(crate) fn withdraw_findings(&mut self, first: usize) {
        for finding in self.findings.drain(first..) {
            self.seen.retain(|(_, range, rule)| (*range, *rule) != (finding.primary.range, finding.rule.id));
        }
    }

    /// Withdraws what has been reported since there were so many findings, but for that of one rule.
    pub(crate) fn keep_only(&mut self, rule: &str, first: usize) {
        let kept: Vec<Finding> = self.findings[first..].iter().filter(|one| one.rule.id == rule).cloned().collect();
        let places: Vec<_> = kept.iter().map(|one| (one.primary.range, one.rule.id)).collect();
        let known = self.seen.clone();
        self.withdraw_findings(first);
        self.seen.extend(known.into_iter().filter(|(_, range, rule)| places.contains(&(*range, *rule))));
        self.findings.extend(kept);
    }

    /// Adds a finding, once for each place and rule.
    pub(super) fn publish_finding(&mut self, module: u32, finding: Finding) {
        if self.seen.insert((module, finding.primary.range, finding.rule.id)) {
            self.findings.push(finding);
        }
    }
}

impl Interp<'_> {
    /// Runs code whose findings do not count.
    pub fn run_muted<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.report.mute;
        self.report.mute += 1;
        let result = f(self);
        self.report.mute = outer;
        result
    }

    /// The innermost place in the analysed code, outside models.
    pub fn user_span(&self) -> Span {
        let frame = self.run.frames.iter().rev().find(|frame| !frame.code.is_model).or(self.run.frames.last());
        let frame = frame.expect("code runs in a frame");
        frame.code.span_of(frame.node)
    }

    /// Tells the observer that a rule of a library was left out here, so that what follows is not shown to run.
    pub fn tell_passed_over(&mut self, reason: impl FnOnce(&Self) -> String) {
        let Some(mut observer) = self.report.observer.take() else { return };
        observer.on_passed_over(&self.user_span(), &reason(self));
        self.report.observer = Some(observer);
    }

    /// Makes a finding at the current place of the analysed code.
    pub fn new_finding(&self, rule: &str, message: impl Into<String>) -> Finding {
        Finding::new(rule_by_id(rule), self.user_span(), message)
    }

    /// Records a finding, once for each place.
    pub fn report_finding(&mut self, finding: Finding) {
        self.run.effects.record_report();
        self.note_silence();
        let module = self
            .run
            .frames
            .iter()
            .rev()
            .find(|frame| !frame.code.is_model)
            .map_or(self.analysis.module, |frame| frame.code.module);
        if let Some(finding) = self.complete_finding(finding) {
            if self.report.first_failure.is_none() && finding.raises.is_some() && self.is_on_every_path() {
                self.report.first_failure = Some(finding.clone());
            }
            self.report.publish_finding(module, finding);
        }
    }

    /// Whether every run of the module's body that has not failed before comes to the current point.
    fn is_on_every_path(&self) -> bool {
        let is_certain = |frame: &Frame| frame.undecided == 0 && frame.exits == 0 && frame.handlers == 0;
        !self.analysis.uncalled_entry && self.run.frames.iter().all(is_certain)
    }

    /// A finding with the calls that led to it; none where findings do not count.
    pub(super) fn complete_finding(&self, finding: Finding) -> Option<Finding> {
        if self.report.is_muted() || self.is_exhausted() || self.run.state.store.is_contradictory() {
            return None;
        }
        if self.is_speculative(&finding) && finding.severity.fails() {
            return None;
        }
        // What is abstract says so when it is called, and in uncalled code it may be meant for subclasses.
        let is_abstract = finding.rule.id == "shape-argument";
        if self.analysis.uncalled_entry && is_abstract && finding.raises.as_deref() == Some("NotImplementedError") {
            return None;
        }
        let finding = self.with_provenance(finding);
        Some(self.with_calls(finding))
    }

    /// Adds the calls that led to the current point, unless the finding has those that led to where it was made.
    pub(super) fn with_calls(&self, mut finding: Finding) -> Finding {
        if self.report.is_muted() || !finding.calls.is_empty() {
            return finding;
        }
        let users = self.run.frames.iter().rev().filter(|frame| !frame.code.is_model);
        for (depth, caller) in users.skip(1).enumerate() {
            let called_from = caller.code.span_of(caller.node);
            if called_from == finding.primary || caller.node.is_empty() {
                continue;
            }
            finding.calls.push(called_from.clone());
            if depth < SHOWN_CALLS {
                finding = finding.related(called_from, CALLED);
            }
        }
        // What fails for this call may work for another one, whose result an edit would change.
        if let Some(fix) = finding.fix.as_mut().filter(|_| !finding.calls.is_empty()) {
            fix.applicability = Applicability::Unsafe;
        }
        finding
    }

    /// A call of a function of the program has come back, and nothing in it failed. It shows that the function works for some
    /// callers if what it was given is known.
    pub(crate) fn record_completed(&mut self, function: &Function, args: &CallArgs) {
        if !self.report.is_muted() && !self.is_exhausted() && !args.values().any(Value::is_unknown) {
            self.report.completed.insert((function.code.module, function.id));
        }
    }

    /// Whether a finding at the current point lies in an undecided branch of a function that was called from the code under
    /// analysis, or behind one that ends the function: what its caller knows may well exclude that path.
    ///
    /// Whether a loop has items at all is hardly ever decided by the sizes of the arrays in its body, so that in a script sizes
    /// which do not fit are told:
    ///
    /// ```python
    /// def train(model, loader):
    ///     for images in loader:          # how many batches there are is not known
    ///         model(images) @ weights
    /// ```
    pub(super) fn is_speculative(&self, finding: &Finding) -> bool {
        let enters_loops = !self.analysis.avoids_costly() && finding.rule.code.starts_with("PT2");
        let mut users = self.run.frames.iter().filter(|frame| !frame.code.is_model && frame.function.is_some());
        // A function that is analysed for itself has its module's frame below, and nothing called it. What a script's body knows
        // when it calls `main()` is what the run knows.
        if self.analysis.uncalled_entry || self.is_in_main() {
            users.next();
        }
        users.any(|frame| {
            let loops = if enters_loops { frame.item_loops } else { 0 };
            frame.branches > loops || frame.exits > 0
        })
    }

    /// Whether the body of a script has called a function without parameters, which is running.
    fn is_in_main(&self) -> bool {
        let Some(frame) = self.run.frames.get(1) else { return false };
        let is_own = frame.function.is_some() && frame.code.module == self.analysis.module;
        let takes_nothing = || {
            frame.code.scope_info(frame.id).parameters.is_some_and(|parameters| {
                let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
                let spreads = [parameters.vararg, parameters.kwarg];
                lists.iter().all(|list| list.is_empty()) && spreads.iter().all(Option::is_none)
            })
        };
        is_own && !self.analysis.avoids_costly() && takes_nothing()
    }

    /// Whether the current code is that of a function which the code that is analysed for itself calls.
    pub(crate) fn is_inlined(&self) -> bool {
        let users = self.run.frames.iter().filter(|frame| !frame.code.is_model && frame.function.is_some());
        users.count() > usize::from(self.analysis.uncalled_entry)
    }

    /// A name, attribute or argument that model code lacks: a bug of the model, shown by tests.
    pub fn model_bug(&mut self, what: &str) {
        let frame = self.current_frame();
        let line = frame.code.file.line_column(frame.node.start).line;
        let bug = format!("{}:{line}: {what}", frame.code.file.path());
        if !self.report.model_bugs.contains(&bug) {
            self.report.model_bugs.push(bug);
        }
    }
}
