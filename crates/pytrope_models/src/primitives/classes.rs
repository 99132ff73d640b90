//! Primitives about classes.

use std::sync::Arc;

use pytrope_eval::{CallArgs, Flow, Interp, Object, Value, settle_fields};

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
