//! The instances that uncalled methods are run on: what every constructor's run leaves, whatever it was given.
//!
//! An attribute keeps its value only if nothing but the constructor stores it; the same holds of the program's own
//! instances that it holds, directly or inside a library's (`nn.Sequential(Block(dim), …)`).

use std::sync::Arc;

use pytrope_dims::effort;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{SEARCH, is_library_object};
use crate::interp::{Analysis, Interp, Run};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Mapping, Object, Slot};
use crate::value::{Addr, Reason, Seq, Value};

/// The runs that methods begin with, by class.
#[derive(Default)]
pub(super) struct Receivers {
    made: FxHashMap<Addr, Option<Run>>,
    /// Constructors in which nothing failed.
    pub passed: FxHashSet<Addr>,
}

impl Receivers {
    /// The run that a method begins with, if the class's constructor can be followed.
    pub(super) fn run_for<'w>(
        &mut self,
        interp: &Interp<'w>,
        function: Addr,
        analysis: impl FnOnce() -> Analysis<'w>,
        base: &Run,
    ) -> Option<&Run> {
        let Object::Function(function) = interp.object_at(function) else { return None };
        let class = function.class?;
        let is_constructor = function.name == Name::INIT;
        let made = self.made.entry(class).or_insert_with(|| {
            let interp = Interp::new(analysis(), base.clone());
            let (made, clean) = effort::limited(SEARCH, || construct_with_unknown_arguments(interp, class, base));
            self.passed.extend(clean);
            made
        });
        made.as_ref().filter(|_| !is_constructor)
    }
}

/// Runs a class's constructor with unknown arguments; gives the run that methods of the instance begin with, and the
/// constructor if nothing failed in it and it defines no functions, which would be analysed after it.
fn construct_with_unknown_arguments(mut interp: Interp<'_>, class: Addr, base: &Run) -> (Option<Run>, Option<Addr>) {
    let Some((init, instance)) = run_constructor(&mut interp, class) else { return (None, None) };
    let is_clean = interp.report.findings().is_empty() && interp.run.definitions.functions.is_empty();
    (with_receiver(interp, class, &instance, base), init.filter(|_| is_clean))
}

/// The constructor, if it is a program's, and the instance it has made.
fn run_constructor(interp: &mut Interp<'_>, class: Addr) -> Option<(Option<Addr>, Value)> {
    let (init, _) = interp.find_in_mro(class, Name::INIT)?;
    let instance = interp.new_instance(class, false);
    interp.run.receiver = Some((class, instance.clone()));
    let Object::Function(function) = interp.object_at(init.addr()?).clone() else { return None };
    let parameters = function.code.scope_info(function.id).parameters?;
    if function.code.is_model {
        let takes_more = parameters.vararg.is_some()
            || parameters.positional_only.len() + parameters.regular.len() > 1
            || !parameters.keyword_only.is_empty();
        if takes_more {
            // What a library keeps of unknown arguments is not known.
            return None;
        }
        interp.call_value(&init, CallArgs::of(vec![instance.clone()])).ok()?;
        return (!interp.is_exhausted()).then_some((None, instance));
    }
    let start = interp.run.clone();
    let required = interp.run_with_requirements(init.addr(), &function, parameters, &[])?;
    if !required.is_empty() {
        // Every instance that there is was constructed with arguments that meet them.
        interp.run = start;
        interp.run_with_requirements(init.addr(), &function, parameters, &required)?;
    }
    (!interp.is_exhausted()).then_some((init.addr(), instance))
}

/// A run that knows of an instance what no other code can have changed since it was made.
fn with_receiver(mut interp: Interp<'_>, class: Addr, instance: &Value, base: &Run) -> Option<Run> {
    interp.instance_of(instance)?;
    interp.class_at(class)?;
    let mut kept = KeptParts::default();
    kept.pending.push((instance.clone(), false));
    kept.forget_what_others_change(&mut interp);
    if let Some(own) = instance.addr().filter(|_| !interp.analysis.assumes) {
        // It may be an instance of a subclass.
        kept.exact.remove(&own);
    }
    Some(Run {
        state: interp.run.state,
        symbols: interp.run.symbols,
        addresses: interp.run.addresses,
        lazy: interp.run.lazy,
        lazy_parts: interp.run.lazy_parts,
        exact: kept.exact,
        receiver: Some((class, instance.clone())),
        ..base.clone()
    })
}

/// What an instance holds and nothing but its constructor stores.
#[derive(Default)]
struct KeptParts {
    /// Values to look into, each with whether a library's object holds it.
    pending: Vec<(Value, bool)>,
    seen: FxHashSet<Addr>,
    /// The instances that the constructor has made with a call of their class.
    exact: FxHashSet<Addr>,
}

impl KeptParts {
    fn forget_what_others_change(&mut self, interp: &mut Interp<'_>) {
        while let Some((value, in_library)) = self.pending.pop() {
            match &value {
                Value::Tuple(Seq::Exact(items)) => {
                    self.pending.extend(items.iter().map(|item| (item.clone(), in_library)));
                }
                Value::Union(values) => self.pending.extend(values.iter().map(|value| (value.clone(), in_library))),
                Value::Obj(addr) if !self.seen.insert(*addr) => {}
                Value::Obj(addr) => match interp.object_at(*addr).clone() {
                    Object::Instance(instance) => {
                        let class = instance.class.addr().and_then(|class| interp.class_at(class)).cloned();
                        match class {
                            Some(class) if is_library_object(&class) => {
                                let held = instance.attrs.iter().map(|(_, slot)| (slot.value.clone(), true));
                                self.pending.extend(held);
                            }
                            Some(class) if class.features.is_model => interp.havoc_unless_modelled(&value),
                            Some(class) => self.keep_stored_once(interp, *addr, Name::new(&class.name)),
                            None => interp.havoc_unless_modelled(&value),
                        }
                    }
                    // What a library's object holds is changed through that object.
                    Object::Dict(mapping) if in_library => {
                        let held = mapping.entries.values().map(|entry| (entry.value.clone(), true));
                        self.pending.extend(held);
                        self.pending.extend(mapping.open.iter().map(|open| (open.1.clone(), true)));
                    }
                    _ => interp.havoc_unless_modelled(&value),
                },
                _ => interp.havoc_unless_modelled(&value),
            }
        }
    }

    /// Leaves of an instance the attributes that only its class's constructor stores.
    fn keep_stored_once(&mut self, interp: &mut Interp<'_>, addr: Addr, class: Name) {
        let Object::Instance(instance) = interp.object_at(addr) else { return };
        let mut object = instance.as_ref().clone();
        let slots: Vec<(Name, Slot)> = object.attrs.iter().map(|(name, slot)| (name, slot.clone())).collect();
        let set_once = interp.analysis.program.set_once(class, slots.iter().map(|(attribute, _)| *attribute));
        for (attribute, slot) in slots {
            let assumes = interp.analysis.assumes;
            let stays = slot.value != Value::None
                && ((slot.definite || assumes) && set_once.contains(&attribute)
                    // Where shapes are shown, a part is taken to be what the constructor made.
                    || assumes && slot.value.alternatives().iter().all(|part| interp.instance_of(part).is_some()));
            if let Value::Obj(held) = slot.value
                && !interp.analysis.program.is_assigned_attribute(attribute)
                && matches!(interp.object_at(held), Object::Dict(_))
            {
                // What a library keeps in order of what the program has stored (`_modules`) is changed with it.
                let unknown = Value::Unknown(Reason::Changed);
                let open = Some(Arc::new((unknown.clone(), unknown)));
                interp.run.state.set(held, Object::Dict(Mapping { entries: Arc::default(), open }));
            } else if stays {
                if assumes && !slot.definite {
                    // Code that reads what only a branch stores runs where that branch was taken.
                    object.attrs.set(attribute, slot.value.clone());
                }
                self.pending.push((slot.value, false));
            } else {
                object.attrs.set(attribute, Value::Unknown(Reason::Changed));
                interp.havoc_unless_modelled(&slot.value);
            }
        }
        object.attrs.open = true;
        self.exact.insert(addr);
        interp.run.state.set(addr, Object::Instance(Arc::new(object)));
    }
}
