//! Arrays that differ in nothing but their identity: one stands for all.

use crate::interp::Interp;
use crate::value::Value;

impl Interp<'_> {
    /// Of several arrays of one class, shape and dtype (a variable that a loop rebinds to ever new arrays), the first is enough:
    /// nothing the analysis follows tells them apart once their elements are forgotten.
    pub(crate) fn alike_arrays_as_one(&mut self, value: Value) -> Value {
        let Value::Union(alternatives) = &value else { return value };
        let Some((first, rest)) = alternatives.split_first() else { return value };
        let Some(model) = self.array(first).cloned() else { return value };
        let alike = rest.iter().all(|other| {
            self.array(other).is_some_and(|array| {
                array.class == model.class && array.shape == model.shape && array.dtype == model.dtype
            })
        });
        if !alike {
            return value;
        }
        let chosen = first.clone();
        for other in alternatives.iter() {
            self.update_array(other, |array| array.values = None);
        }
        chosen
    }
}
