//! What an optimizer is given: parameters of modules, or something else.

use crate::flow::{AbstractObject, FlowRun, FlowValue, ObjectId};
use crate::trace::ExprPlace;

/// The modules whose parameters a value holds.
pub fn optimized_modules(run: &FlowRun, given: &FlowValue) -> Vec<ObjectId> {
    let mut found = Vec::new();
    for object in run.reachable_objects(given) {
        if let AbstractObject::Parameters { module } = run.objects[object as usize]
            && !found.contains(&module)
        {
            found.push(module);
        }
    }
    found
}

/// Something among an optimizer's parameters that is no parameter of a module, or not known.
pub fn lost_parameter(run: &FlowRun, given: &FlowValue, by: ExprPlace) -> Option<ExprPlace> {
    lost_within(run, given, by, 4)
}

fn lost_within(run: &FlowRun, value: &FlowValue, by: ExprPlace, depth: u32) -> Option<ExprPlace> {
    if value.unknown.is_some() {
        return value.unknown;
    }
    if value.objects.is_empty() {
        // A tensor of its own.
        return Some(by);
    }
    for &object in &value.objects {
        match &run.objects[object as usize] {
            AbstractObject::Items { .. } if depth > 0 => {
                // A group is a dictionary; its other entries are settings.
                let group = run.field_value(object, "params");
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
            AbstractObject::Made { api, by, .. } if api.ends_with("nn.Parameter") => return Some(*by),
            AbstractObject::Made { .. }
            | AbstractObject::Parameters { .. }
            | AbstractObject::Items { .. }
            | AbstractObject::Optimizer { .. } => {}
            _ => return Some(by),
        }
    }
    None
}
