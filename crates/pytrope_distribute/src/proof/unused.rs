//! Parameters that a backward pass may not reach: DistributedDataParallel must be told to look for them.

use rustc_hash::FxHashSet;

use crate::flow::{AbstractObject, EventKind, FlowRun, FlowValue, ObjectId, PassId};
use crate::trace::ExprPlace;

/// The calls of the wrapper whose modules have parameters that some loss does not depend on.
pub fn wrappers_with_unused(run: &FlowRun) -> Vec<ExprPlace> {
    let mut found = Vec::new();
    for event in &run.events {
        let EventKind::Backward { loss, .. } = &event.kind else { continue };
        for &pass in &loss.passes {
            let wrapper = run.passes[pass as usize].module;
            let AbstractObject::Wrapped { inner, by } = &run.objects[wrapper as usize] else { continue };
            let used = used_by(run, &loss.passes, wrapper);
            let idle =
                run.reachable_objects(inner).into_iter().any(|part| has_weights(run, part) && !used.contains(&part));
            if idle && !found.contains(by) {
                found.push(*by);
            }
        }
    }
    found
}

/// The parts of a wrapped module that surely take part in a loss.
fn used_by(run: &FlowRun, passes: &[PassId], wrapper: ObjectId) -> FxHashSet<ObjectId> {
    let mut used = FxHashSet::default();
    for &id in passes {
        let pass = &run.passes[id as usize];
        let mut root = pass.within;
        while let Some(outer) = root {
            if run.passes[outer as usize].module == wrapper {
                break;
            }
            root = run.passes[outer as usize].within;
        }
        if root.is_none() || pass.conditional {
            continue;
        }
        // A library's module uses all that it has; a class of the project calls its parts itself.
        match &run.objects[pass.module as usize] {
            AbstractObject::Made { .. } => {
                used.extend(run.reachable_objects(&FlowValue { objects: vec![pass.module], ..FlowValue::default() }));
            }
            AbstractObject::Instance { class } => {
                used.insert(pass.module);
                if run.trace.method_of(*class, "forward", 8).is_none() {
                    used.extend(
                        run.reachable_objects(&FlowValue { objects: vec![pass.module], ..FlowValue::default() }),
                    );
                }
            }
            _ => {}
        }
    }
    used
}

/// Whether an object is a module of PyTorch with parameters of its own.
pub fn has_weights(run: &FlowRun, object: ObjectId) -> bool {
    const LAYERS: &[&str] = &[
        "Linear",
        "Conv",
        "BatchNorm",
        "LSTM",
        "GRU",
        "RNN",
        "Embedding",
        "LayerNorm",
        "GroupNorm",
        "Attention",
        "Transformer",
        "Bilinear",
        "PReLU",
        "Cell",
    ];
    match &run.objects[object as usize] {
        AbstractObject::Made { api, .. } => {
            api.starts_with("torch.nn.") && LAYERS.iter().any(|layer| api.contains(layer))
                || api.starts_with("torchvision.models.")
        }
        _ => false,
    }
}
