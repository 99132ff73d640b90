//! `x.__dict__` of an instance: in a closed world a view of its attributes, which is read and written as a dictionary.
//!
//! The view is an instance of the model class `__InstanceDict__` of `builtins`, which holds the instance and nothing else, so that
//! what reaches the one reaches the other. It is kept on the instance: `x.__dict__ is x.__dict__`.

use std::sync::Arc;

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Entries, Entry, Instance, Key, Mapping, Object};
use crate::value::{Addr, BuiltinType, Reason, Value};

/// The class of views, among the globals of the model of `builtins`.
const VIEW_CLASS: &str = "__InstanceDict__";

/// Where an instance keeps its view, and where the view keeps the instance.
const VIEW: &str = "_pytrope_dict";
const OWNER: &str = "_owner";

/// What model classes write for instances that are mappings: a method that gives their entries as a plain dictionary.
const ENTRIES: &str = "_pytrope_entries";

impl Interp<'_> {
    /// The view of an instance's attributes; None where others may see or change them, or where they are more than the program stores.
    pub(super) fn instance_dict(&mut self, receiver: &Value) -> Flow<Option<Value>> {
        let Some(addr) = receiver.addr().filter(|addr| !addr.is_summary()) else { return Ok(None) };
        if !self.analysis.program.closed_world || !self.instance_of(receiver).is_some_and(|one| self.is_listed(one)) {
            return Ok(None);
        }
        let kept = self.instance_of(receiver).and_then(|one| one.attrs.get(Name::new(VIEW)));
        if let Some(kept) = kept.filter(|slot| slot.definite).map(|slot| slot.value.clone())
            && self.owner_of_view(&kept).as_ref() == Some(receiver)
        {
            return Ok(Some(kept));
        }
        let Some(class) = self.analysis.program.builtin_global(Name::new(VIEW_CLASS)) else { return Ok(None) };
        let view = self.call_value(&class, CallArgs::of(vec![receiver.clone()]))?;
        self.change_instance(addr, |instance| instance.attrs.set(Name::new(VIEW), view.clone()));
        Ok(Some(view))
    }

    /// Whether the attributes of an instance are all that the program has stored there.
    fn is_listed(&self, instance: &Instance) -> bool {
        let Some(class) = instance.class.addr() else { return false };
        // A model's own attributes are not those of the library.
        let is_written = |base: &Addr| {
            self.class_at(*base).is_some_and(|base| {
                base.kind == Some(BuiltinType::Object)
                    || base.kind.is_none()
                        && !base.open
                        && !base.features.enumeration
                        && (!base.features.is_model || base.attrs.get(Name::COMPLETE).is_some())
            })
        };
        !instance.attrs.open
            && self.mro_of(class).iter().all(is_written)
            && self.find_in_mro(class, Name::SLOTS).is_none()
    }

    fn owner_of_view(&self, view: &Value) -> Option<Value> {
        self.instance_of(view)?.attrs.get(Name::new(OWNER)).map(|slot| slot.value.clone())
    }

    /// The attributes of an instance as the entries of a new dictionary; None where there may be others.
    pub fn own_attributes(&self, object: &Value) -> Option<Mapping> {
        let instance = self.instance_of(object).filter(|instance| !instance.attrs.open)?;
        let entries = instance.attrs.iter().filter(|(name, _)| !name.text().starts_with("_pytrope"));
        let entries: Entries = entries
            .map(|(name, slot)| {
                let key = Arc::clone(name.shared());
                let entry =
                    Entry { key: Value::Str(Arc::clone(&key)), value: slot.value.clone(), definite: slot.definite };
                (Key::Str(key), entry)
            })
            .collect();
        Some(Mapping { entries: Arc::new(entries), open: None })
    }

    /// Stores the entries of a mapping as attributes of an instance, past its `__setattr__`.
    pub fn update_own_attributes(&mut self, object: &Value, entries: &Mapping) {
        let named: Option<Vec<(Name, Value, bool)>> = entries
            .entries
            .values()
            .map(|entry| Some((Name::new(entry.key.as_str()?), entry.value.clone(), entry.definite)))
            .collect();
        let (Some(named), None, Some(addr)) = (named, &entries.open, object.addr()) else {
            self.forget_attributes(object);
            return;
        };
        for (name, value, definite) in named {
            let value = if definite { value } else { Value::Unknown(Reason::Lookup(name)) };
            self.change_instance(addr, |instance| instance.attrs.set(name, value));
        }
    }

    /// Deletes an attribute that an instance may have, past its `__delattr__`.
    pub fn delete_own_attribute(&mut self, object: &Value, key: &Value) {
        match (key.as_str(), object.addr()) {
            (Some(name), Some(addr)) => {
                let name = Name::new(name);
                self.change_instance(addr, |instance| instance.attrs.remove(name));
            }
            _ => self.forget_attributes(object),
        }
    }

    /// What `{**x}`, `dict(x)` and `update(x)` copy: the entries of a mapping that a model writes, everything else itself.
    pub fn plain_mapping(&mut self, value: &Value) -> Flow {
        let class = self.instance_of(value).and_then(|instance| instance.class.addr());
        let method = class.and_then(|class| self.find_in_mro(class, Name::new(ENTRIES)));
        match method {
            Some((method, _)) if self.is_function(&method) => {
                let entries = self.call_value(&method, CallArgs::of(vec![value.clone()]))?;
                let is_dict = entries.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Dict(_)));
                Ok(if is_dict { entries } else { value.clone() })
            }
            _ => Ok(value.clone()),
        }
    }
}
