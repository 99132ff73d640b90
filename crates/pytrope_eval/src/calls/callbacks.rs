//! What the program hands to library code: functions and special methods, which it may run unfollowed.

use rustc_hash::FxHashSet;

use crate::effects::library;
use crate::escape::push_seq;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{IterSource, Object, Slots};
use crate::special_methods::{Handed, LOOKED_AT};
use crate::value::{Addr, Value};

/// Special methods that library code runs on objects it is given.
const SPECIAL: [Name; 12] = [
    Name::STR,
    Name::REPR,
    Name::FORMAT,
    Name::EQ,
    Name::HASH,
    Name::LT,
    Name::GT,
    Name::LE,
    Name::GE,
    Name::ARRAY,
    Name::INDEX,
    Name::CALL,
];

impl Interp<'_> {
    /// Runs library code, and applies the effects of what it may have run without being followed: a function that was neither run nor kept
    /// in sight may be called at any time.
    pub(super) fn call_with_callbacks(
        &mut self,
        name: &str,
        receiver: Option<&Value>,
        args: &CallArgs,
        run: impl FnOnce(&mut Self) -> Flow,
    ) -> Flow {
        if self.in_model() || self.analysis.program.closed_world || library::function(name).runs_nothing() {
            return run(self);
        }
        let mut functions = Vec::new();
        let mut objects = Vec::new();
        let indifferent = receiver.is_some() && library::method(name).looks_at_no_item();
        for value in args.values().chain(receiver) {
            self.find_handed(value, 1, &mut functions, &mut objects);
        }
        if functions.is_empty() && (objects.is_empty() || indifferent) {
            return run(self);
        }
        let outer = self.run.ran.replace(FxHashSet::default());
        let result = run(self);
        let ran = std::mem::replace(&mut self.run.ran, outer).unwrap_or_default();
        if let Some(outer) = &mut self.run.ran {
            outer.extend(&ran);
        }
        let Ok(result) = result else { return result };
        functions.retain(|handed: &Handed| !ran.contains(&handed.function));
        if !functions.is_empty() {
            let kept = self.in_sight(&result, receiver);
            for handed in functions {
                if !kept.contains(&handed.function) {
                    self.havoc_reachable(&handed.given);
                }
            }
        }
        if !indifferent {
            for object in objects {
                self.havoc_special_methods(&object, &SPECIAL, &ran);
            }
        }
        Ok(result)
    }

    /// The functions that the result of library code, or the object it worked on, still shows.
    fn in_sight(&self, result: &Value, receiver: Option<&Value>) -> FxHashSet<Addr> {
        let mut seen = FxHashSet::default();
        // What is asked about shows nothing by itself.
        let receiver = receiver.filter(|value| !self.is_function(value) && !matches!(value, Value::Bound(_)));
        let mut pending: Vec<Value> = std::iter::once(result).chain(receiver).cloned().collect();
        let holds = |slots: &Slots, pending: &mut Vec<Value>| {
            pending.extend(slots.iter().map(|(_, slot)| slot.value.clone()));
        };
        while let Some(value) = pending.pop() {
            if seen.len() > LOOKED_AT {
                break;
            }
            match value {
                Value::Obj(addr) if seen.insert(addr) => match self.object_at(addr) {
                    Object::Function(function) => {
                        holds(&function.attrs, &mut pending);
                        if function.code.is_model {
                            for scope in function.scopes.iter().skip(1) {
                                if let Some(slots) = self.scope_slots(*scope) {
                                    holds(slots, &mut pending);
                                }
                            }
                        }
                    }
                    Object::Instance(instance) => holds(&instance.attrs, &mut pending),
                    Object::List(seq) => push_seq(seq, &mut pending),
                    Object::Dict(mapping) | Object::Set(mapping) => {
                        pending.extend(mapping.entries.values().map(|entry| entry.value.clone()));
                        pending.extend(mapping.open.iter().map(|open| open.1.clone()));
                    }
                    Object::Property(property) => {
                        pending.extend([property.get.clone(), property.set.clone(), property.delete.clone()]);
                    }
                    Object::StaticMethod(inner) | Object::ClassMethod(inner) => pending.push(inner.clone()),
                    Object::Iter(iter) => match &iter.source {
                        IterSource::Items(seq) | IterSource::View(seq) => push_seq(seq, &mut pending),
                        IterSource::Generator { function, .. } => pending.push(Value::Obj(*function)),
                        IterSource::Refused(_) | IterSource::Unknown => {}
                    },
                    _ => {}
                },
                Value::Tuple(seq) => push_seq(&seq, &mut pending),
                Value::Bound(bound) => pending.extend([bound.receiver.clone(), bound.function.clone()]),
                Value::Union(values) => pending.extend(values.iter().cloned()),
                _ => {}
            }
        }
        seen
    }
}
