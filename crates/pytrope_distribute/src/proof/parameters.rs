//! What an optimizer is given: parameters of modules, or something else.

use crate::flow::{Object, ObjectId, Run, Value};
use crate::trace::Place;

/// The modules whose parameters a value holds.
pub fn modules(run: &Run, given: &Value) -> Vec<ObjectId> {
    let mut found = Vec::new();
    for object in run.reachable(given) {
        if let Object::Parameters { module } = run.objects[object as usize]
            && !found.contains(&module)
        {
            found.push(module);
        }
    }
    found
}

/// Something among an optimizer's parameters that is no parameter of a module, or not known.
pub fn lost(run: &Run, given: &Value, by: Place) -> Option<Place> {
    lost_within(run, given, by, 4)
}

fn lost_within(run: &Run, value: &Value, by: Place, depth: u32) -> Option<Place> {
    if value.unknown.is_some() {
        return value.unknown;
    }
    if value.objects.is_empty() {
        // A tensor of its own.
        return Some(by);
    }
    for &object in &value.objects {
        match &run.objects[object as usize] {
            Object::Items { .. } if depth > 0 => {
                // A group is a dictionary; its other entries are settings.
                let group = run.field(object, "params");
                if let Some(group) = group {
                    if let Some(lost) = lost_within(run, group, by, depth - 1) {
                        return Some(lost);
                    }
                    continue;
                }
                for item in run.fields_of(object) {
                    if let Some(lost) = lost_within(run, item, by, depth - 1) {
                        return Some(lost);
                    }
                }
            }
            Object::Made { api, by, .. } if api.ends_with("nn.Parameter") => return Some(*by),
            Object::Made { .. } | Object::Parameters { .. } | Object::Items { .. } | Object::Optimizer { .. } => {}
            _ => return Some(by),
        }
    }
    None
}
