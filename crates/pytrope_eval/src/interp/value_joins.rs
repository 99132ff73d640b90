//! Joins of values within one state: one of several items.

use pytrope_dims::{Cmp, Dim};

use super::Interp;
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// Joins two values outside a state join; what escapes is forgotten.
    pub fn join_loose(&mut self, a: &Value, b: &Value) -> Value {
        let state = self.run.state.clone();
        let (state, value) = self.join_valued(&state, a, &state.clone(), b);
        self.run.state = state;
        value
    }

    /// One value that covers all of these.
    pub(crate) fn any_of(&mut self, items: &[Value]) -> Value {
        let Some(first) = items.first() else { return Value::Unknown(Reason::Operand) };
        if items.len() > 8
            && let (Some(lo), Some(hi)) =
                (int_of(items.iter().min_by_key(|v| int_key(v))), int_of(items.iter().max_by_key(|v| int_key(v))))
            && items.iter().all(|item| matches!(item, Value::Int(_)))
        {
            let dim = self.fresh_dim(None, Some(i128::from(lo)));
            let reason = pytrope_dims::FactReason(self.current_frame().node.start);
            self.run.state.store.assume_compare(&dim, Cmp::Le, &Dim::constant(i128::from(hi)), reason);
            return Value::Dim(dim);
        }
        let mut joined = first.clone();
        for (at, item) in items.iter().enumerate().skip(1) {
            joined = self.join_loose(&joined, item);
            if joined.is_unknown() {
                if self.analysis.assumes {
                    break;
                }
                // The others may be changed through it as well.
                for item in &items[at..] {
                    self.havoc_reachable(item);
                }
                break;
            }
        }
        joined
    }
}

fn int_of(value: Option<&Value>) -> Option<i64> {
    match value {
        Some(Value::Int(value)) => Some(*value),
        _ => None,
    }
}

fn int_key(value: &Value) -> i64 {
    match value {
        Value::Int(value) => *value,
        _ => 0,
    }
}
