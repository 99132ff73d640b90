//! How long a walk over nested tuples takes.
//!
//! Tuples are values and share their parts, so that a few objects can stand for a tree that no walk finishes:
//!
//! ```python
//! x = ()
//! for _ in range(200):
//!     x = (x, x)  # 201 objects, 2 ** 200 paths
//! ```
//!
//! A sequence whose walk is much longer than what it holds, or too long altogether, keeps its length only. Every
//! traversal of a value may therefore follow all paths without remembering where it has been.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::value::{Seq, Value};

/// The longest walk of a sequence whose parts are known.
const LONGEST_WALK: usize = 300_000;
/// A walk up to this length is not compared with what the sequence holds.
const SHORT_WALK: usize = 2_048;
/// How many times longer than what is held a walk may be.
const LARGEST_SHARING: usize = 16;

/// Whether a walk over these items is short enough for their parts to be kept.
pub(crate) fn is_walkable(items: &[&[Value]]) -> bool {
    if !items.iter().any(|items| items.iter().any(holds_tuples)) {
        return true;
    }
    let mut left = SHORT_WALK;
    if items.iter().all(|items| is_within(items, &mut left)) {
        return true;
    }
    let flat: usize = items.iter().map(|items| items.len()).sum();
    let mut walk = MeasuredWalk::default();
    let steps = items.iter().fold(0, |sum: usize, items| sum.saturating_add(walk.measure_items(items)));
    steps <= LONGEST_WALK.max(2 * flat) && steps <= LARGEST_SHARING.saturating_mul(walk.held)
}

/// Whether a value holds tuples, so that walking it may take long.
fn holds_tuples(value: &Value) -> bool {
    match value {
        Value::Tuple(_) => true,
        Value::Union(values) => values.iter().any(holds_tuples),
        _ => false,
    }
}

/// Subtracts the steps of a walk over the items from a budget; whether it was enough.
fn is_within(items: &[Value], left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(items.len()) else { return false };
    *left = rest;
    items.iter().all(|item| match item {
        Value::Tuple(Seq::Exact(items)) => is_within(items, left),
        Value::Tuple(Seq::Open(open)) => {
            is_within(&open.prefix, left) && is_within(std::slice::from_ref(&open.element), left)
        }
        Value::Union(values) => is_within(values, left),
        _ => true,
    })
}

/// Computes the length of a walk without making it: each shared part is measured once.
#[derive(Default)]
struct MeasuredWalk {
    /// The values held, each counted once.
    held: usize,
    /// The steps of parts with several owners, by their address. The caller's borrow keeps them alive.
    shared: FxHashMap<usize, usize>,
}

impl MeasuredWalk {
    fn measure_items(&mut self, items: &[Value]) -> usize {
        self.held += items.len();
        let mut steps = items.len();
        for item in items {
            let inner = match item {
                Value::Tuple(Seq::Exact(items)) => self.measure_part(items, |walk| walk.measure_items(items)),
                Value::Tuple(Seq::Open(open)) => self.measure_part(open, |walk| {
                    let prefix = walk.measure_items(&open.prefix);
                    prefix.saturating_add(walk.measure_items(std::slice::from_ref(&open.element)))
                }),
                Value::Union(values) => self.measure_part(values, |walk| walk.measure_items(values)),
                _ => 0,
            };
            steps = steps.saturating_add(inner);
        }
        steps
    }

    fn measure_part<T>(&mut self, part: &Arc<T>, measure: impl FnOnce(&mut Self) -> usize) -> usize {
        if Arc::strong_count(part) == 1 {
            return measure(self);
        }
        let key = Arc::as_ptr(part) as usize;
        if let Some(steps) = self.shared.get(&key) {
            return *steps;
        }
        let steps = measure(self);
        self.shared.insert(key, steps);
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_count_each_time_they_are_reached() {
        let mut value = Value::Tuple(Seq::exact(Vec::new()));
        let mut depth = 0;
        while let Value::Tuple(Seq::Exact(_)) = &value {
            value = Value::Tuple(Seq::exact(vec![value.clone(), value.clone()]));
            depth += 1;
            assert!(depth < 20, "a tuple of 2 ** {depth} paths is still walked");
        }
    }

    #[test]
    fn a_long_list_of_separate_tuples_is_kept() {
        let pair = || Value::Tuple(Seq::exact(vec![Value::Int(1), Value::Int(2)]));
        let items: Vec<Value> = (0..50_000).map(|_| pair()).collect();
        assert!(is_walkable(&[&items]));
        let shared = pair();
        let items: Vec<Value> = (0..50_000).map(|_| shared.clone()).collect();
        assert!(is_walkable(&[&items]), "[(1, 2)] * 50000 is as long as it looks");
    }
}
