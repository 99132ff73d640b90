//! Primitives about classes.

use std::sync::Arc;

use pytrope_eval::{CallArgs, Flow, Interp, Object, Reason, Value, settle_fields};

/// `dataclass(cls, init, kw_only)`: instances are constructed from the annotated fields, if `init` says so.
pub(super) fn dataclass(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let Some(value) = args.first() else { return Ok(Value::None) };
    if let Some(addr) = value.addr() {
        settle_fields(interp, addr);
    }
    if let Some(addr) = value.addr()
        && let Some(class) = interp.class_at(addr)
    {
        let mut class = (**class).clone();
        class.features.dataclass = true;
        match (args.positional.get(1), args.positional.get(2)) {
            (Some(Value::Bool(init)), Some(Value::Bool(keywords))) => {
                class.features.generated_init = *init;
                class.features.keyword_fields = *keywords;
            }
            _ => class.open = true,
        }
        interp.write_object(addr, Object::Class(Arc::new(class)));
    }
    Ok(value.clone())
}

/// `fields_of(x)`: `(name, taken by the constructor, has a default, default, has a factory, factory, metadata)` for each field of a data
/// class or of an instance of one; False for what is none, Unknown where that is not known.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn fields_of(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let unknown = Value::Unknown(Reason::Call);
    let Some(value) = args.first() else { return Ok(unknown) };
    let class = match value.addr() {
        Some(addr) if interp.class_at(addr).is_some() => Some(addr),
        _ => interp.class_of(value),
    };
    let Some(class) = class else { return Ok(unknown) };
    let mut is_record = false;
    for base in interp.mro_of(class) {
        match interp.class_at(*base) {
            Some(class) if class.features.dataclass => is_record = true,
            Some(class) if !class.open => {}
            _ => return Ok(unknown),
        }
    }
    if !is_record {
        return Ok(Value::Bool(false));
    }
    let Some(fields) = interp.fields_of(class) else { return Ok(unknown) };
    let shown = fields.into_iter().map(|field| {
        let (has_default, has_factory) = (field.default.is_some(), field.factory.is_some());
        Value::tuple(vec![
            Value::str(field.name.text()),
            Value::Bool(field.is_taken),
            Value::Bool(has_default),
            field.default.unwrap_or(Value::None),
            Value::Bool(has_factory),
            field.factory.unwrap_or(Value::None),
            field.metadata.unwrap_or(Value::None),
        ])
    });
    Ok(Value::tuple(shown.collect()))
}

/// `loaded_module(name)`: the module of this name if its import has begun; Unknown otherwise.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn loaded_module(interp: &mut Interp<'_>, args: &CallArgs) -> Flow {
    let name = args.first().and_then(Value::as_str).map(str::to_owned);
    Ok(name.and_then(|name| interp.loaded_module(&name)).unwrap_or(Value::Unknown(Reason::Call)))
}

/// `closed_world()`: whether an entry is the whole program, so that nothing runs beside it.
#[expect(clippy::unnecessary_wraps, reason = "a primitive")]
pub(super) fn closed_world(interp: &mut Interp<'_>, _: &CallArgs) -> Flow {
    Ok(Value::Bool(interp.analysis.program.closed_world))
}
