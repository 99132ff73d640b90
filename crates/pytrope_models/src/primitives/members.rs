//! What the constructors of model classes store in `self`, in one step where each assignment would ask `__setattr__`.

use std::sync::Arc;

use pytrope_eval::object::{Entry, Key};
use pytrope_eval::{CallArgs, Eval, Interp, Name, Object, Value};

/// `keep(self, name=value, …)`: plain attributes, as `object.__setattr__` stores them.
pub(super) fn keep(interp: &mut Interp<'_>, args: &CallArgs) -> Eval {
    if let Some(object) = args.first() {
        store(interp, object, &args.keywords)?;
    }
    Ok(Value::None)
}

/// `own(self, name=parameter, …)`: parameters of a module, each possibly None, which it lists in `_parameters`.
pub(super) fn own(interp: &mut Interp<'_>, args: &CallArgs) -> Eval {
    let Some(module) = args.first() else { return Ok(Value::None) };
    let listed = interp
        .instance(module)
        .and_then(|instance| instance.attrs.get(Name::new("_parameters")))
        .and_then(|slot| slot.value.addr());
    if let Some(addr) = listed
        && let Object::Dict(mapping) = interp.object(addr)
    {
        let mut mapping = mapping.clone();
        let entries = Arc::make_mut(&mut mapping.entries);
        for (name, value) in &args.keywords {
            let text = name.shared();
            let entry = Entry { key: Value::Str(Arc::clone(text)), value: value.clone(), definite: true };
            entries.insert(Key::Str(Arc::clone(text)), entry);
        }
        interp.write(addr, Object::Dict(mapping));
    }
    store(interp, module, &args.keywords)?;
    Ok(Value::None)
}

/// Stores attributes; a program's class that has a `__setattr__` of its own is asked for each.
fn store(interp: &mut Interp<'_>, object: &Value, attributes: &[(Name, Value)]) -> Eval<()> {
    let hook = interp.class_of(object).and_then(|class| interp.find_in_mro(class, Name::SETATTR));
    let is_plain = hook.is_none_or(|(_, owner)| interp.class(owner).is_some_and(|class| class.features.is_model));
    if is_plain
        && let Some(addr) = object.addr()
        && let Object::Instance(_) = interp.object(addr)
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
