//! TensorFlow: every update is by gradients that are averaged once, of samples that the ranks have divided, and all ranks
//! take the updated variables and the optimizer's from rank 0. Under tf.distribute, models are mirrored and all workers read
//! the same samples.

use rustc_hash::FxHashSet;

use super::{Proof, Reason};
use crate::flow::{EventKind, Object, ObjectId, Update, Value};
use crate::target::Target;
use crate::trace::Place;

impl Proof<'_, '_> {
    pub(super) fn check_updates(&mut self) {
        let events = self.events();
        let mut found = false;
        // A step that is also taken on divided samples may be shown all ranks' samples once, as in one process.
        let divided: FxHashSet<Place> = events
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
                EventKind::DividedShuffled => self.fail(Reason::DividedShuffled, event.at),
                EventKind::UnevenFit => self.fail(Reason::UnevenFit, event.at),
                EventKind::Evaluate { part: true } => self.fail(Reason::EvaluatedPart, event.at),
                EventKind::Evaluate { part: false } => {
                    if let Some(condition) = event.divergent {
                        self.fail(Reason::Divergent { condition }, event.at);
                    }
                }
                _ => {}
            }
        }
        if !found && let Some(first) = self.run.trace.tree(0).expr_ids().next() {
            self.fail(Reason::NotReached, (0, first));
        }
    }

    fn check_update(&mut self, update: &Update, divided: bool, at: Place) {
        if let Some(lost) = update.lost {
            return self.fail(Reason::LostGradients { lost }, at);
        }
        if self.target == Target::TfDistribute {
            if !update.mirrored {
                self.fail(Reason::OutsideScope, at);
            }
            if update.varies {
                self.fail(Reason::DifferentData, at);
            }
            return;
        }
        if update.twice {
            self.fail(Reason::ReducedTwice, at);
        } else if !update.reduced {
            self.fail(Reason::NotReduced, at);
        }
        if !divided {
            self.fail(Reason::SameData, at);
        }
    }

    /// All ranks take the variables and those of the optimizer from rank 0; in a graph before the first step, else around it.
    fn check_broadcast(&mut self, update: &Update, at_event: usize, at: Place) {
        let events = &self.run.events;
        if update.everything {
            let before =
                events[..at_event].iter().any(|e| matches!(e.kind, EventKind::Broadcast { everything: true, .. }));
            if !before {
                self.fail(Reason::NotBroadcast, at);
            }
            return;
        }
        let mut broadcast: FxHashSet<ObjectId> = FxHashSet::default();
        for event in events {
            if let EventKind::Broadcast { variables, everything } = &event.kind {
                if *everything {
                    return;
                }
                broadcast.extend(self.holders(variables));
            }
        }
        let covered = |object: ObjectId| broadcast.contains(&object);
        let updated = self.updated(&update.variables);
        if updated.is_empty() || !updated.iter().all(|&object| covered(object)) {
            self.fail(Reason::NotBroadcast, at);
        } else if update.optimizer.is_some_and(|optimizer| !covered(optimizer) && self.is_reused(optimizer)) {
            self.fail(Reason::OptimizerNotBroadcast, at);
        }
    }

    /// The variables that objects stand for, and everything that holds them or is held by them.
    fn holders(&self, objects: &[ObjectId]) -> FxHashSet<ObjectId> {
        let mut found = FxHashSet::default();
        for &object in objects {
            let holder = match self.run.objects[object as usize] {
                Object::Parameters { module } => module,
                _ => object,
            };
            found.insert(holder);
            found.extend(self.run.reachable(&Value { objects: vec![holder], ..Value::default() }));
        }
        found
    }

    fn updated(&self, objects: &[ObjectId]) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for &object in objects {
            match self.run.objects[object as usize] {
                Object::Parameters { module } => found.push(module),
                Object::Made { .. } | Object::Instance { .. } => found.push(object),
                _ => {}
            }
        }
        found
    }

    /// Whether an optimizer is the script's own object, which has variables from its first step on.
    fn is_reused(&self, optimizer: ObjectId) -> bool {
        matches!(self.run.objects[optimizer as usize], Object::Optimizer { .. } | Object::Made { .. })
    }
}
