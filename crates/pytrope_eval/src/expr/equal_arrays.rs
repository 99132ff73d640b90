//! Arrays that differ in nothing but their identity: one stands for all.

use crate::interp::Interp;
use crate::names::Name;
use crate::object::Object;
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// The same for what a name holds: it holds the one from then on, so that a loop does not gather ever more of them.
    #[inline]
    pub(crate) fn alike_arrays_in(&mut self, name: Name, value: Value) -> Value {
        if !matches!(value, Value::Union(_)) {
            return value;
        }
        let one = self.collapse_equal_arrays(value.clone());
        let scope = self.current_frame().scope();
        if !matches!(one, Value::Union(_))
            && let Object::Scope(slots) = self.object_at(scope)
            && slots.get(name).is_some_and(|slot| slot.definite && slot.value == value)
        {
            let mut slots = slots.clone();
            slots.set(name, one.clone());
            self.write_object(scope, Object::Scope(slots));
        }
        one
    }

    /// Of several arrays of one class and shape (a variable that a loop rebinds to ever new arrays), the first is enough:
    /// nothing the analysis follows tells them apart once their elements and differing dtypes are forgotten.
    pub(crate) fn collapse_equal_arrays(&mut self, value: Value) -> Value {
        let Value::Union(alternatives) = &value else { return value };
        let Some((first, rest)) = alternatives.split_first() else { return value };
        let Some(model) = self.array_of(first).cloned() else { return value };
        let alike = rest.iter().all(|other| {
            self.array_of(other).is_some_and(|array| array.class == model.class && array.shape == model.shape)
        });
        if !alike {
            return value;
        }
        let chosen = first.clone();
        let one_dtype = rest.iter().all(|other| self.array_of(other).is_some_and(|array| array.dtype == model.dtype));
        self.mark_may_alias(alternatives);
        for other in alternatives.iter() {
            self.update_array(other, |array| {
                array.values = None;
                if !one_dtype {
                    array.dtype = Value::Unknown(Reason::Joined);
                }
            });
        }
        chosen
    }
}
