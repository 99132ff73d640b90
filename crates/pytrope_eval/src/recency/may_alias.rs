//! Arrays that may be the same as others of another address: one read through a summary, or one of several after a join.

use crate::interp::Interp;
use crate::object::{Object, Shape};
use crate::value::{Addr, Reason, Value};

impl Interp<'_> {
    /// Whether an object may be the same as others of another address.
    pub(crate) fn is_one_of_many(&self, addr: Addr) -> bool {
        matches!(self.object_at(addr), Object::Array(array) if array.may_equal.is_some())
    }

    /// Of these arrays it cannot be told which is meant by one of them, or whether they are the same.
    pub fn mark_may_alias(&mut self, arrays: &[Value]) {
        let Some(first) = arrays.first() else { return };
        for array in arrays {
            if !array.addr().is_some_and(|addr| self.may_alias(addr)) {
                self.update_array(array, |array| array.may_equal = Some(first.clone()));
            }
        }
    }

    /// Whether what is done to this array may be done to another instead.
    pub fn may_alias(&self, addr: Addr) -> bool {
        let Object::Array(array) = self.object_at(addr) else { return false };
        array.may_equal.as_ref().is_some_and(|other| !other.addr().is_some_and(Addr::is_summary))
    }

    /// An array has got another shape or dtype in place: so have all that may be the same.
    pub fn reshaped_in_place(&mut self, value: &Value) {
        let Some(addr) = value.addr() else { return };
        if !addr.is_summary() && !self.is_one_of_many(addr) {
            return;
        }
        let others: Vec<Addr> = self
            .run
            .state
            .heap
            .iter()
            .map(|(key, _)| Addr(key))
            .filter(|other| {
                (*other != addr || self.may_alias(addr)) && (other.is_summary() || self.is_one_of_many(*other))
            })
            .collect();
        for other in others {
            self.update_array(&Value::Obj(other), |array| {
                array.shape = Shape::unknown();
                array.dtype = Value::Unknown(Reason::Changed);
            });
        }
    }
}
