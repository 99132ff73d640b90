//! Parameters that a backward pass may not reach: DistributedDataParallel must be told to look for them.

use rustc_hash::FxHashSet;

use crate::flow::{EventKind, Object, ObjectId, PassId, Run, Value};
use crate::trace::Place;

/// The calls of the wrapper whose modules have parameters that some loss does not depend on.
pub fn wrappers(run: &Run) -> Vec<Place> {
    let mut found = Vec::new();
    for event in &run.events {
        let EventKind::Backward { loss, .. } = &event.kind else { continue };
        for &pass in &loss.passes {
            let wrapper = run.passes[pass as usize].module;
            let Object::Wrapped { inner, by } = &run.objects[wrapper as usize] else { continue };
            let used = used_by(run, &loss.passes, wrapper);
            let idle = run.reachable(inner).into_iter().any(|part| has_weights(run, part) && !used.contains(&part));
            if idle && !found.contains(by) {
                found.push(*by);
            }
        }
    }
    found
}

/// The parts of a wrapped module that surely take part in a loss.
fn used_by(run: &Run, passes: &[PassId], wrapper: ObjectId) -> FxHashSet<ObjectId> {
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
            Object::Made { .. } => {
                used.extend(run.reachable(&Value { objects: vec![pass.module], ..Value::default() }));
            }
            Object::Instance { class } => {
                used.insert(pass.module);
                if run.trace.method_of(*class, "forward", 8).is_none() {
                    used.extend(run.reachable(&Value { objects: vec![pass.module], ..Value::default() }));
                }
            }
            _ => {}
        }
    }
    used
}

/// Whether an object is a module of PyTorch with parameters of its own.
pub fn has_weights(run: &Run, object: ObjectId) -> bool {
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
        Object::Made { api, .. } => {
            api.starts_with("torch.nn.") && LAYERS.iter().any(|layer| api.contains(layer))
                || api.starts_with("torchvision.models.")
        }
        _ => false,
    }
}
