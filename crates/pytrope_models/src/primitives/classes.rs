//! Primitives about classes.

use std::sync::Arc;

use pytrope_eval::{CallArgs, Eval, Interp, Object, Value};

/// `dataclass(cls)`: instances are constructed from the annotated fields.
pub(super) fn dataclass(interp: &mut Interp<'_>, args: &CallArgs) -> Eval {
    let Some(value) = args.first() else { return Ok(Value::None) };
    if let Some(addr) = value.addr()
        && let Some(class) = interp.class(addr)
    {
        let mut class = (**class).clone();
        class.features.dataclass = true;
        interp.write(addr, Object::Class(Arc::new(class)));
    }
    Ok(value.clone())
}
