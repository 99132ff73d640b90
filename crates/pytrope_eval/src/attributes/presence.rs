//! Attributes that are there on some paths only, and those that the program asks for without being sure of them.

use crate::cond::Cond;
use crate::interp::{Flow, Interp, Raised};
use crate::names::Name;
use crate::object::{Class, Instance, Iter, IterSource, Object};
use crate::state::State;
use crate::value::{Addr, Reason, Value};
use pytrope_dims::ThreeValued;

/// What instances of classes written in Python may have besides what every object has.
const OF_INSTANCES: [&str; 7] = [
    "__annotations__",
    "__dict__",
    "__firstlineno__",
    "__module__",
    "__orig_bases__",
    "__type_params__",
    "__weakref__",
];

impl Interp<'_> {
    /// Whether an instance certainly lacks a special attribute that is asked for by name.
    pub(crate) fn lacks_special(&self, object: &Value, name: Name) -> bool {
        name.is_dunder()
            && !OF_INSTANCES.contains(&name.text())
            && !crate::builtin_types::OF_OBJECTS.contains(&name.text())
            && self.instance_of(object).is_some_and(|instance| instance.attrs.get(name).is_none())
            && self.lacks_method(object, name)
            && !(self.analysis.uncalled_entry && self.analysis.program.is_stored_attribute(name))
    }

    /// `hasattr(object, name)`, for one object.
    pub(crate) fn has_attribute(&mut self, object: &Value, name: Name) -> ThreeValued<Cond> {
        if object.is_unknown() {
            return ThreeValued::opaque();
        }
        if self.lacks_listed(object, name) {
            return ThreeValued::False;
        }
        if let Some(Object::Iter(iter)) = object.addr().map(|addr| self.object_at(addr))
            && let Some(answer) = iterator_has(iter, name)
        {
            return answer;
        }
        let before = self.run.state.clone();
        let (result, raised) = self.capture_raises(|interp| interp.read_attribute(object, name));
        self.run.state = before;
        match result {
            Ok(_) if self.lacks_special(object, name) => ThreeValued::False,
            Ok(value) if value.is_unknown() || !raised.is_empty() || self.may_lack(object, name) => {
                ThreeValued::opaque()
            }
            Ok(_) => ThreeValued::True,
            Err(_) if raised.is_empty() => ThreeValued::opaque(),
            Err(_) => ThreeValued::False,
        }
    }

    /// `getattr(object, name, default)`.
    pub(crate) fn attribute_or(&mut self, object: &Value, name: Name, default: &Value) -> Flow {
        self.for_each_alternative(object, |interp, object| interp.attribute_of_one_or(object, name, default))
    }

    fn attribute_of_one_or(&mut self, object: &Value, name: Name, default: &Value) -> Flow {
        if self.lacks_listed(object, name) {
            return Ok(default.clone());
        }
        if let Some(part) = self.part_like_default(object, name, default) {
            return Ok(part);
        }
        self.value_or("AttributeError", default, |interp| {
            Ok((interp.read_attribute(object, name)?, interp.may_lack(object, name)))
        })
    }

    /// Whether an instance of a library's class has no attribute of a name, in a closed world: the program gives it none, and the
    /// library's class lists in `_pytrope_names` what it has beside what the model says.
    fn lacks_listed(&self, object: &Value, name: Name) -> bool {
        if !self.analysis.program.closed_world || self.in_model() {
            return false;
        }
        let Some(instance) = self.instance_of(object).filter(|instance| !instance.attrs.open) else { return false };
        let Some(class) = instance.class.addr() else { return false };
        if instance.attrs.get(name).is_some() || self.find_in_mro(class, name).is_some() {
            return false;
        }
        let Some((Value::Str(names), _)) = self.find_in_mro(class, Name::new("_pytrope_names")) else { return false };
        let is_plain = |base: &Class| {
            base.features.is_model
                || !base.open && [Name::GETATTR, Name::GETATTRIBUTE].iter().all(|hook| base.attrs.get(*hook).is_none())
        };
        // Private names of the library are not listed.
        !name.text().starts_with('_')
            && !names.split_whitespace().any(|listed| listed == name.text())
            && !self.may_be_registered(instance, name)
            && self.mro_of(class).iter().all(|base| self.class_at(*base).is_some_and(|base| is_plain(base)))
    }

    /// What something gives, or the default where it raises that class. It says itself whether it may raise unseen, and then
    /// does so before it changes anything.
    pub(crate) fn value_or(
        &mut self,
        class: &str,
        default: &Value,
        f: impl FnOnce(&mut Self) -> Flow<(Value, bool)>,
    ) -> Flow {
        let before = self.run.state.clone();
        self.run.expected_failures += 1;
        let (result, raised) = self.capture_raises(f);
        self.run.expected_failures -= 1;
        if result.is_err() && raised.is_empty() {
            self.run.state = before;
            return Ok(Value::Unknown(Reason::Call));
        }
        let mut outcome: Option<(State, Value)> = None;
        if let Ok((value, may_lack)) = result {
            outcome = Some((self.run.state.clone(), value));
            if may_lack {
                outcome = Some(self.join_outcome(outcome, &before, default));
            }
        }
        let handled = self.analysis.program.exception_class(class);
        let (missing, others): (Vec<Raised>, Vec<Raised>) =
            raised.into_iter().partition(|raised| self.may_catch(handled, raised.class));
        for raised in missing {
            outcome = Some(self.join_outcome(outcome, &raised.state, default));
        }
        let Some((state, value)) = outcome else { return self.raise_captured(others) };
        if !others.is_empty() {
            self.record_may_raise();
        }
        self.run.state = state;
        Ok(value)
    }

    fn join_outcome(&mut self, outcome: Option<(State, Value)>, state: &State, value: &Value) -> (State, Value) {
        match outcome {
            None => (state.clone(), value.clone()),
            Some((other, so_far)) => self.join_valued(&other, &so_far, state, value),
        }
    }

    /// What is found where an instance lacks an attribute that it has on other paths; nothing if that path raises.
    pub(super) fn behind_instance(
        &mut self,
        receiver: &Value,
        instance: &Instance,
        name: Name,
        found: Option<(Value, Addr)>,
    ) -> Option<Value> {
        let unknown = Value::Unknown(Reason::Lookup(name));
        let class = instance.class.addr()?;
        if instance.attrs.open || self.class_at(class).is_none_or(|class| class.open) {
            return Some(unknown);
        }
        match found {
            Some((value, owner)) => {
                let value = self.settle_class_attribute(value, owner, name, false);
                Some(self.bind_to(value, receiver, Value::Obj(class), owner).unwrap_or(unknown))
            }
            None => {
                let hooked =
                    [Name::GETATTR, Name::GETATTRIBUTE].iter().any(|hook| self.find_in_mro(class, *hook).is_some());
                hooked.then_some(unknown)
            }
        }
    }

    /// Whether asking for an attribute that is known may still end in an `AttributeError`: it is there on some paths only, or
    /// code of the program computes it.
    pub(crate) fn may_lack(&self, object: &Value, name: Name) -> bool {
        object.alternatives().iter().any(|object| {
            let Some(addr) = object.addr() else { return false };
            let (class, attrs) = match self.object_at(addr) {
                Object::Instance(instance) => (&instance.class, &instance.attrs),
                Object::Array(array) => (&array.class, &array.attrs),
                _ => return false,
            };
            let Some(class) = class.addr() else { return true };
            match self.find_in_mro(class, name) {
                Some((Value::Obj(found), _)) => match self.object_at(found) {
                    Object::Property(property) => {
                        let getter = property.get.addr().map(|addr| self.object_at(addr));
                        !matches!(getter, Some(Object::Function(function)) if function.code.is_model)
                    }
                    _ => false,
                },
                Some(_) => false,
                None => {
                    attrs.get(name).is_some_and(|slot| !slot.definite) || self.attribute_hook(class, name).is_some()
                }
            }
        })
    }
}

/// Whether an iterator has a special method that others have: reading one gives a method of any name.
fn iterator_has(iter: &Iter, name: Name) -> Option<ThreeValued<Cond>> {
    let is_view = matches!(iter.source, IterSource::View(_));
    match name.text() {
        "__next__" => Some(ThreeValued::of(!is_view)),
        "__len__" | "__contains__" => Some(ThreeValued::of(is_view)),
        "__getitem__" | "__setitem__" | "__delitem__" | "__call__" => Some(ThreeValued::False),
        _ => None,
    }
}
