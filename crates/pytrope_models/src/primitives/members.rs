//! What the constructors of model classes store in `self`, in one step where each assignment would ask `__setattr__`.

use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_eval::object::{Entry, Key, Mapping};
use pytrope_eval::{Addr, CallArgs, Flow, Interp, Name, Object, Reason, Value};

use super::copies::may_hold;

/// `set_attrs(object, name=value, …)`: plain attributes, as `object.__setattr__` stores them. With the name of a dictionary
/// behind the object (`"_parameters"` of a module) they are listed there too.
pub(super) fn set_attrs(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(object) = args.first() else { return Ok(Value::None) };
    if let Some(Value::Str(listed)) = args.positional.get(1)
        && let Some(listed) = held_in(interp, object, listed)
    {
        list_entries(interp, listed, &args.keywords);
    }
    store_attributes(interp, object, &args.keywords)?;
    Ok(Value::None)
}

/// `set_module_attr(self, name, value, Module, Parameter)`: what `Module.__setattr__` comes to where it is clear what the value is and
/// that nothing else has a say in it, and True; False, and nothing done, elsewhere.
pub(super) fn set_module_attr(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let [module, Value::Str(name), value, module_class, parameter_class] = args.positional.as_slice() else {
        return Ok(Value::FALSE);
    };
    let name = Name::new(name);
    if !stores_plainly(interp, module, module_class) {
        return Ok(Value::FALSE);
    }
    let modules = held_in(interp, module, "_modules");
    if value.is_unknown() {
        // It may be a module or a parameter.
        let (Some(modules), Some(parameters)) = (modules, held_in(interp, module, "_parameters")) else {
            return Ok(Value::FALSE);
        };
        for listed in [modules, parameters] {
            may_hold(interp, &CallArgs::of(vec![Value::Obj(listed), Value::Str(Arc::clone(name.shared()))]))?;
        }
    } else {
        match (interp.is_instance(value, module_class), interp.is_instance(value, parameter_class)) {
            (ThreeValued::False, ThreeValued::False) => {
                if !matches!(value, Value::None) && holds_kind(interp, module, name) {
                    return Ok(Value::FALSE);
                }
            }
            (ThreeValued::True, ThreeValued::False) => match modules {
                Some(modules) => list_entries(interp, modules, &[(name, value.clone())]),
                None => return Ok(Value::FALSE),
            },
            _ => return Ok(Value::FALSE),
        }
    }
    if let Some(addr) = module.addr() {
        interp.change_instance(addr, |instance| instance.attrs.set(name, value.clone()));
    }
    Ok(Value::TRUE)
}

/// Whether an object is an instance whose class has, past the module's, no `__setattr__` that wants to be asked.
fn stores_plainly(interp: &Interp<'_>, object: &Value, module_class: &Value) -> bool {
    let Some(class) = interp.instance_of(object).and_then(|instance| instance.class.addr()) else { return false };
    let mro = interp.mro_of(class);
    let Some(own) = mro.iter().position(|base| Some(*base) == module_class.addr()) else { return false };
    mro[own + 1..]
        .iter()
        .all(|base| interp.class_at(*base).is_some_and(|base| !base.open && base.attrs.get(Name::SETATTR).is_none()))
}

/// Whether a name certainly stands for a parameter or a module, which nothing of another kind replaces.
fn holds_kind(interp: &Interp<'_>, module: &Value, name: Name) -> bool {
    let key = Key::Str(Arc::clone(name.shared()));
    ["_parameters", "_modules"].into_iter().filter_map(|table| held_in(interp, module, table)).any(|table| {
        let Object::Dict(mapping) = interp.object_at(table) else { return false };
        mapping.entries.get(&key).is_some_and(|entry| entry.definite)
    })
}

/// A dictionary that an object certainly has as an attribute.
fn held_in(interp: &Interp<'_>, object: &Value, name: &str) -> Option<Addr> {
    let slot = interp.instance_of(object)?.attrs.get(Name::new(name)).filter(|slot| slot.definite)?;
    slot.value.addr().filter(|addr| matches!(interp.object_at(*addr), Object::Dict(_)))
}

/// Puts entries into a dictionary.
fn list_entries(interp: &mut Interp<'_>, dictionary: Addr, listed: &[(Name, Value)]) {
    if let Object::Dict(mapping) = interp.object_at(dictionary) {
        let mut mapping = mapping.clone();
        let entries = Arc::make_mut(&mut mapping.entries);
        for (name, value) in listed {
            let text = name.shared();
            let entry = Entry { key: Value::Str(Arc::clone(text)), value: value.clone(), definite: true };
            entries.insert(Key::Str(Arc::clone(text)), entry);
        }
        interp.write_object(dictionary, Object::Dict(mapping));
    }
}

/// Stores attributes; a program's class that has a `__setattr__` of its own is asked for each.
fn store_attributes(interp: &mut Interp<'_>, object: &Value, attributes: &[(Name, Value)]) -> Flow<()> {
    let hook = interp.class_of(object).and_then(|class| interp.find_in_mro(class, Name::SETATTR));
    let is_plain = hook.is_none_or(|(_, owner)| interp.class_at(owner).is_some_and(|class| class.features.is_model));
    if is_plain
        && let Some(addr) = object.addr()
        && let Object::Instance(_) = interp.object_at(addr)
    {
        interp.change_instance(addr, |instance| {
            for (name, value) in attributes {
                instance.attrs.set(*name, value.clone());
            }
        });
        return Ok(());
    }
    for (name, value) in attributes {
        interp.set_attribute(object, *name, value.clone())?;
    }
    Ok(())
}

/// `own_attributes(x)`: a new dictionary of what an instance holds.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn own_attributes(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let found = args.first().and_then(|object| interp.own_attributes(object));
    Ok(found.map_or(Value::Unknown(Reason::Call), |mapping| interp.new_dict(mapping)))
}

/// `update_own_attributes(x, entries)`: stores past `__setattr__`.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn update_own_attributes(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [object, entries] = args.positional.as_slice() {
        match entries.addr().map(|addr| interp.object_at(addr).clone()) {
            Some(Object::Dict(mapping)) => interp.update_own_attributes(object, &mapping),
            _ => interp.update_own_attributes(object, &Mapping::unknown_entries()),
        }
    }
    Ok(Value::None)
}

/// `delete_own_attribute(x, name)`: deletes past `__delattr__`.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn delete_own_attribute(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    if let [object, name] = args.positional.as_slice() {
        interp.delete_own_attribute(object, name);
    }
    Ok(Value::None)
}

/// `plain_mapping(x)`: the entries of a mapping that a model writes.
pub(super) fn plain_mapping(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    args.first().map_or(Ok(Value::None), |value| interp.plain_mapping(value))
}
