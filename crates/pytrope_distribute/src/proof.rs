//! What was written is proved before it is handed out: a bounded run of the output ([`crate::flow`]) must show that every
//! optimizer updates modules that DistributedDataParallel watches, that every loss goes through them once, on samples of
//! this rank, and that all ranks come to the same collective calls. For TensorFlow, every update must be by gradients that
//! are averaged once, of variables that all ranks take from rank 0 (`tensorflow`).
//!
//! Wrong acceptance is the worst outcome, so that what cannot be followed is a refusal that names the value and its line.

mod findings;
mod parameters;
mod tensorflow;
#[cfg(test)]
mod tests;
mod unused;

pub use findings::Failure;

use pytrope_source::tree::StmtId;
use rustc_hash::FxHashSet;

use crate::flow::{AbstractObject, BatchAxis, EventKind, FlowEvent, FlowRun, FlowValue, ObjectId, PassId, Reduction};
use crate::project::{ModuleId, Project};
use crate::target::Target;
use crate::trace::{ExprPlace, Trace};
use findings::FailureReason;

/// What a proof shows: what stands in its way, or calls of the wrapper that need `find_unused_parameters=True`.
pub struct Verdict {
    pub failures: Vec<Failure>,
    pub unused: Vec<ExprPlace>,
    /// Statements before which all ranks must wait until rank 0 has written its files, and what waits.
    pub unwritten: Vec<(ModuleId, StmtId, String)>,
    /// Backward passes of losses that are sums over the samples.
    pub sums: Vec<ExprPlace>,
    /// What is shown of a rank's samples, and how it is reduced.
    pub shown: Vec<(ExprPlace, Reduction)>,
}

/// Prove the output for an engine.
pub fn prove_output(output: &Project, target: Target) -> Verdict {
    let trace = Trace::new(output);
    let mut run = FlowRun::of(&trace, target);
    let trains = |event: &FlowEvent| matches!(event.kind, EventKind::Backward { .. } | EventKind::Update(_));
    if !run.events.iter().any(trains) {
        run.run_uncalled();
    }
    let mut proof = OutputProof {
        run: &run,
        target,
        failures: Vec::new(),
        unwritten: Vec::new(),
        sums: Vec::new(),
        shown: Vec::new(),
        refused: Vec::new(),
    };
    proof.check_output();
    let refused = std::mem::take(&mut proof.refused);
    proof.shown.retain(|(place, _)| !refused.contains(place));
    let unused =
        if proof.failures.is_empty() && target.is_torch() { unused::wrappers_with_unused(&run) } else { Vec::new() };
    Verdict { failures: proof.failures, unused, unwritten: proof.unwritten, sums: proof.sums, shown: proof.shown }
}

struct OutputProof<'a, 'p> {
    run: &'a FlowRun<'p>,
    target: Target,
    failures: Vec<Failure>,
    unwritten: Vec<(ModuleId, StmtId, String)>,
    sums: Vec<ExprPlace>,
    shown: Vec<(ExprPlace, Reduction)>,
    /// What is shown and cannot be reduced.
    refused: Vec<ExprPlace>,
}

impl OutputProof<'_, '_> {
    fn record_failure(&mut self, reason: FailureReason, at: ExprPlace) {
        let failure = findings::explain_failure(self.run.trace, reason, at);
        if !self.failures.iter().any(|known| known.at == failure.at && known.message == failure.message) {
            self.failures.push(failure);
        }
    }

    fn check_output(&mut self) {
        if let Some(at) = self.run.exhausted {
            return self.record_failure(FailureReason::TooLong, at);
        }
        self.check_agreement();
        if !self.target.is_torch() {
            return self.check_updates();
        }
        let trained = self.check_optimizers();
        self.check_losses(&trained);
        self.check_wrappers();
    }

    fn events(&self) -> Vec<FlowEvent> {
        self.run.events.clone()
    }

    /// Every rank comes to every collective call.
    fn check_agreement(&mut self) {
        let mut started = false;
        for event in self.events() {
            // Until a module is wrapped, ranks may differ: all begin with what rank 0 has then.
            started |= matches!(event.kind, EventKind::Wrap { .. } | EventKind::Hook);
            if let EventKind::Change { differs } = event.kind
                && started
                && (differs || event.divergent.is_some())
            {
                self.record_failure(FailureReason::RankChange { condition: event.divergent }, event.at);
            }
            let collective = matches!(
                event.kind,
                EventKind::Forward
                    | EventKind::Backward { .. }
                    | EventKind::Step { .. }
                    | EventKind::Wrap { .. }
                    | EventKind::Hook
                    | EventKind::Collective
                    | EventKind::Update(_)
                    | EventKind::Broadcast { .. }
            );
            match (event.divergent, event.kind) {
                (Some(condition), _) if collective => {
                    self.record_failure(FailureReason::Divergent { condition }, event.at);
                }
                (_, EventKind::Leaves { target }) => {
                    let meets = self.run.events.iter().any(|other| {
                        other.inside.contains(&target)
                            && matches!(
                                other.kind,
                                EventKind::Forward
                                    | EventKind::Backward { .. }
                                    | EventKind::Collective
                                    | EventKind::Step { .. }
                                    | EventKind::Update(_)
                                    | EventKind::Broadcast { .. }
                            )
                    });
                    if meets {
                        self.record_failure(FailureReason::Leaves, event.at);
                    }
                }
                (_, EventKind::Output { condition, shown, reduces }) => {
                    // What is reduced in one run of a place and not in another is refused.
                    self.shown.extend(reduces.map(|reduction| (shown, reduction)));
                    if reduces.is_none() {
                        self.refused.push(shown);
                    }
                    self.record_failure(FailureReason::PartShown { condition }, shown);
                }
                (None, EventKind::ReadsUnwritten) => self.wait_before(event.at),
                (Some(_), EventKind::ReadsUnwritten) => {
                    self.record_failure(FailureReason::ReadsUnwritten, event.at);
                }
                (_, EventKind::NumberedApart) => self.record_failure(FailureReason::NumberedApart, event.at),
                (_, EventKind::DividedTwice) => self.record_failure(FailureReason::DividedTwice, event.at),
                _ => {}
            }
        }
    }

    /// All ranks wait before the statement of a call, where they can.
    fn wait_before(&mut self, at: ExprPlace) {
        let module = &self.run.trace.project.modules[at.0].parsed;
        let engine = module.file.text().lines().find_map(|line| line.strip_prefix("import torch.distributed as "));
        match (module.tree.stmt_of(at.1), engine) {
            (Some(stmt), Some(engine)) => {
                let place = (at.0, stmt, format!("{engine}.barrier()"));
                if !self.unwritten.contains(&place) {
                    self.unwritten.push(place);
                }
            }
            _ => self.record_failure(FailureReason::ReadsUnwritten, at),
        }
    }

    /// The modules that optimizers update, all of them watched by a wrapper.
    fn check_optimizers(&mut self) -> FxHashSet<ObjectId> {
        let mut trained: FxHashSet<ObjectId> = FxHashSet::default();
        let mut watched: FxHashSet<ObjectId> =
            self.wrapped_modules().into_iter().flat_map(|w| self.inside_of(w)).collect();
        watched.extend(&self.run.hooked);
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        for event in self.events() {
            let EventKind::Step { optimizer } = event.kind else { continue };
            if let Some(lost) = optimizer.unknown.filter(|_| optimizer.objects.is_empty()) {
                self.record_failure(FailureReason::LostOptimizer { lost }, event.at);
            }
            for object in optimizer.objects {
                if !seen.insert(object) {
                    continue;
                }
                let (given, by) = match &self.run.objects[object as usize] {
                    AbstractObject::Optimizer { given, by } | AbstractObject::Made { given, by, .. } => {
                        (given.clone(), *by)
                    }
                    _ => continue,
                };
                if let Some(lost) = parameters::lost_parameter(self.run, &given, by) {
                    self.record_failure(FailureReason::LostParameters { lost }, by);
                    continue;
                }
                let modules = parameters::optimized_modules(self.run, &given);
                if modules.is_empty() {
                    self.record_failure(FailureReason::NoModule, by);
                }
                for module in modules {
                    if !watched.contains(&module) {
                        self.record_failure(FailureReason::Unwatched, by);
                    }
                    trained.extend(
                        self.run.reachable_objects(&FlowValue { objects: vec![module], ..FlowValue::default() }),
                    );
                }
            }
        }
        trained
    }

    fn wrapped_modules(&self) -> Vec<ObjectId> {
        (0..self.run.objects.len() as ObjectId)
            .filter(|&o| matches!(self.run.objects[o as usize], AbstractObject::Wrapped { .. }))
            .collect()
    }

    fn inside_of(&self, wrapper: ObjectId) -> Vec<ObjectId> {
        match &self.run.objects[wrapper as usize] {
            AbstractObject::Wrapped { inner, .. } => self.run.reachable_objects(inner),
            _ => Vec::new(),
        }
    }

    /// Whether a call of an object is one whose gradients are averaged over the ranks.
    fn is_averaged(&self, object: ObjectId) -> bool {
        matches!(self.run.objects[object as usize], AbstractObject::Wrapped { .. }) || self.run.hooked.contains(&object)
    }

    /// Every loss goes through wrappers, once, on samples of this rank.
    fn check_losses(&mut self, trained: &FxHashSet<ObjectId>) {
        let mut found = false;
        for event in self.events() {
            let EventKind::Backward { loss, stale } = event.kind else { continue };
            found = true;
            if stale.is_some() {
                self.record_failure(FailureReason::SecondBackward, event.at);
                continue;
            }
            let passes: Vec<PassId> = loss.passes;
            let direct: Vec<PassId> =
                passes.iter().copied().filter(|&p| self.is_averaged(self.run.passes[p as usize].module)).collect();
            for &pass in &passes {
                let pass = &self.run.passes[pass as usize];
                if pass.within.is_some() || self.is_averaged(pass.module) {
                    continue;
                }
                let parts =
                    self.run.reachable_objects(&FlowValue { objects: vec![pass.module], ..FlowValue::default() });
                if parts.iter().any(|part| trained.contains(part)) {
                    let at = pass.at;
                    self.record_failure(FailureReason::PlainCall, at);
                }
            }
            let mut compared = false;
            for other in &self.run.events {
                if let EventKind::MixesSamples { passes: mixed } = &other.kind
                    && mixed.iter().any(|pass| passes.contains(pass))
                {
                    let at = other.at;
                    self.record_failure(FailureReason::MixesSamples, at);
                    compared = true;
                }
            }
            if let Some(at) = loss.mixed {
                self.record_failure(FailureReason::NeedsWholeBatch, at);
            } else if loss.part.is_some() && loss.batch != BatchAxis::Mean && !direct.is_empty() && !compared {
                match loss.batch {
                    BatchAxis::Sum => {
                        self.sums.push(event.at);
                        self.record_failure(FailureReason::UnscaledSum, event.at);
                    }
                    BatchAxis::Quotient => {
                        self.record_failure(FailureReason::UnequalDivisors, loss.blurred.unwrap_or(event.at));
                    }
                    _ => self.record_failure(FailureReason::NoMean, loss.blurred.unwrap_or(event.at)),
                }
            }
            if direct.is_empty() {
                match loss.unknown {
                    Some(lost) => self.record_failure(FailureReason::LostLoss { lost }, event.at),
                    None => self.record_failure(FailureReason::NoPass, event.at),
                }
            } else if !direct.iter().any(|&p| self.run.passes[p as usize].varies) {
                let at = self.run.passes[direct[0] as usize].at;
                self.record_failure(FailureReason::SameData, at);
            }
        }
        if !found {
            let at = self.run.trace.tree(0).expr_ids().next().map(|e| (0, e));
            if let Some(at) = at {
                self.record_failure(FailureReason::NotReached, at);
            }
        }
    }

    /// Wrapped modules have something to train, keep what is trained, and are wrapped once.
    fn check_wrappers(&mut self) {
        let mut wrapped: Vec<(ObjectId, Vec<ObjectId>)> = Vec::new();
        let mut frozen: Vec<(ObjectId, ObjectId)> = Vec::new();
        for event in self.events() {
            match event.kind {
                EventKind::Wrap { wrapper } => {
                    let inside = self.inside_of(wrapper);
                    if wrapped.iter().any(|(_, other)| other.iter().any(|o| inside.contains(o) && self.has_weights(*o)))
                    {
                        self.record_failure(FailureReason::WrappedTwice, event.at);
                    }
                    let AbstractObject::Wrapped { inner, .. } = &self.run.objects[wrapper as usize] else { continue };
                    let idle = inner.objects.iter().any(|module| {
                        frozen.iter().any(|(m, since)| m == module && inside.iter().all(|part| part < since))
                    });
                    if idle {
                        self.record_failure(FailureReason::Frozen, event.at);
                    }
                    wrapped.push((wrapper, inside));
                }
                EventKind::Freeze { module, to } => {
                    if wrapped.iter().any(|(_, inside)| inside.contains(&module)) {
                        self.record_failure(FailureReason::ChangedAfterWrap, event.at);
                    }
                    if to == Some(true) {
                        // Some of it is trained.
                        let parts =
                            self.run.reachable_objects(&FlowValue { objects: vec![module], ..FlowValue::default() });
                        let run = self.run;
                        frozen.retain(|(m, _)| {
                            *m != module
                                && !parts.contains(m)
                                && !run
                                    .reachable_objects(&FlowValue { objects: vec![*m], ..FlowValue::default() })
                                    .contains(&module)
                        });
                    } else {
                        frozen.push((module, event.objects));
                    }
                }
                _ => {}
            }
        }
    }

    fn has_weights(&self, object: ObjectId) -> bool {
        unused::has_weights(self.run, object) || self.run.is_module(object)
    }
}
