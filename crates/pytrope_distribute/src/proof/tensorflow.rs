//! TensorFlow: every update is by gradients that are averaged once, of samples that the ranks have divided, and all ranks
//! take the updated variables and the optimizer's from rank 0. Under tf.distribute, models are mirrored and all workers read
//! the same samples.

use rustc_hash::FxHashSet;

use super::{FailureReason, OutputProof};
use crate::flow::{AbstractObject, EventKind, FlowValue, ObjectId, ParameterUpdate};
use crate::target::Target;
use crate::trace::ExprPlace;

impl OutputProof<'_, '_> {
    pub(super) fn check_updates(&mut self) {
        let events = self.events();
        let mut found = false;
        // A step that is also taken on divided samples may be shown all ranks' samples once, as in one process.
        let divided: FxHashSet<ExprPlace> = events
            .iter()
            .filter(|event| matches!(&event.kind, EventKind::Update(update) if update.varies))
            .map(|event| event.at)
            .collect();
        for (i, event) in events.iter().enumerate() {
            match &event.kind {
                EventKind::Update(update) => {
                    found = true;
                    self.check_update(update, divided.contains(&event.at), event.at);
                    if self.target == Target::Horovod {
                        self.check_broadcast(update, i, event.at);
                    }
                }
                EventKind::DividedShuffled => self.record_failure(FailureReason::DividedShuffled, event.at),
                EventKind::UnevenFit => self.record_failure(FailureReason::UnevenFit, event.at),
                EventKind::Evaluate { part: true } => self.record_failure(FailureReason::EvaluatedPart, event.at),
                EventKind::Evaluate { part: false } => {
                    if let Some(condition) = event.divergent {
                        self.record_failure(FailureReason::Divergent { condition }, event.at);
                    }
                }
                _ => {}
            }
        }
        if !found && let Some(first) = self.run.trace.tree(0).expr_ids().next() {
            self.record_failure(FailureReason::NotReached, (0, first));
        }
    }

    fn check_update(&mut self, update: &ParameterUpdate, divided: bool, at: ExprPlace) {
        if let Some(lost) = update.lost {
            return self.record_failure(FailureReason::LostGradients { lost }, at);
        }
        if self.target == Target::TfDistribute {
            if !update.mirrored {
                self.record_failure(FailureReason::OutsideScope, at);
            }
            if update.varies {
                self.record_failure(FailureReason::DifferentData, at);
            }
            return;
        }
        if update.twice {
            self.record_failure(FailureReason::ReducedTwice, at);
        } else if !update.reduced {
            self.record_failure(FailureReason::NotReduced, at);
        }
        if !divided {
            self.record_failure(FailureReason::SameData, at);
        }
    }

    /// All ranks take the variables and those of the optimizer from rank 0; in a graph before the first step, else around it.
    fn check_broadcast(&mut self, update: &ParameterUpdate, at_event: usize, at: ExprPlace) {
        let events = &self.run.events;
        if update.everything {
            let before =
                events[..at_event].iter().any(|e| matches!(e.kind, EventKind::Broadcast { everything: true, .. }));
            if !before {
                self.record_failure(FailureReason::NotBroadcast, at);
            }
            return;
        }
        let mut broadcast: FxHashSet<ObjectId> = FxHashSet::default();
        for event in events {
            if let EventKind::Broadcast { variables, everything } = &event.kind {
                if *everything {
                    return;
                }
                broadcast.extend(self.variable_holders(variables));
            }
        }
        let covered = |object: ObjectId| broadcast.contains(&object);
        let updated = self.updated_objects(&update.variables);
        if updated.is_empty() || !updated.iter().all(|&object| covered(object)) {
            self.record_failure(FailureReason::NotBroadcast, at);
        } else if update.optimizer.is_some_and(|optimizer| !covered(optimizer) && self.is_reused(optimizer)) {
            self.record_failure(FailureReason::OptimizerNotBroadcast, at);
        }
    }

    /// The variables that objects stand for, and everything that holds them or is held by them.
    fn variable_holders(&self, objects: &[ObjectId]) -> FxHashSet<ObjectId> {
        let mut found = FxHashSet::default();
        for &object in objects {
            let holder = match self.run.objects[object as usize] {
                AbstractObject::Parameters { module } => module,
                _ => object,
            };
            found.insert(holder);
            found.extend(self.run.reachable_objects(&FlowValue { objects: vec![holder], ..FlowValue::default() }));
        }
        found
    }

    fn updated_objects(&self, objects: &[ObjectId]) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for &object in objects {
            match self.run.objects[object as usize] {
                AbstractObject::Parameters { module } => found.push(module),
                AbstractObject::Made { .. } | AbstractObject::Instance { .. } => found.push(object),
                _ => {}
            }
        }
        found
    }

    /// Whether an optimizer is the script's own object, which has variables from its first step on.
    fn is_reused(&self, optimizer: ObjectId) -> bool {
        matches!(self.run.objects[optimizer as usize], AbstractObject::Optimizer { .. } | AbstractObject::Made { .. })
    }
}
