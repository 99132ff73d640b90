//! How long lists are behind a loop whose iterations are counted: what every iteration adds, it adds as often as there are iterations.

use pytrope_dims::{Cmp, Dim, FactReason};
use pytrope_trie::Pair;

use crate::interp::Interp;
use crate::object::Object;
use crate::state::State;
use crate::value::{Addr, OpenSeq, Seq, Value};

/// The states of a loop that has settled.
pub(super) struct Settled<'a> {
    /// Before its first iteration.
    pub entry: &'a State,
    /// At its head, whatever the iteration.
    pub head: &'a State,
    /// At the end of a iteration that began there, if one comes to its end.
    pub back: &'a Option<State>,
}

impl Interp<'_> {
    /// Lists that each iteration makes longer by the same amount have a length that follows from the number of iterations: it is right
    /// before the first one, and stays right from one to the next.
    pub(super) fn settle_lengths(&mut self, settled: &Settled<'_>, iterations: Option<Dim>, left: &mut Option<State>) {
        let (Some(iterations), Some(back), Some(left)) = (iterations, settled.back, left) else { return };
        let mut grown: Vec<(Addr, Dim, Dim)> = Vec::new();
        settled.entry.heap.for_each_difference(&settled.head.heap, &mut |key, pair| {
            let addr = Addr(key);
            let Pair::Both(Object::List(before), Object::List(at_head)) = pair else { return };
            if addr.is_summary() {
                return;
            }
            let (Some(first), Some(length)) = (length_of(before), length_of(at_head)) else { return };
            let Some(Object::List(after)) = back.get(addr) else { return };
            let step = length_of(after).and_then(|after| after.minus(&length)).filter(|step| step.as_const().is_some());
            let total = step.and_then(|step| step.times(&iterations)).and_then(|added| first.plus(&added));
            if let Some(total) = total
                && length.as_symbol().is_some()
            {
                grown.push((addr, length, total));
            }
        });
        for (addr, length, total) in grown {
            let Some(Object::List(Seq::Open(open))) = left.get(addr).cloned() else { continue };
            if open.len.as_dim().as_ref() != Some(&length) {
                continue;
            }
            let reason = FactReason(self.current_frame().node.start);
            left.store.assume_compare(&length, Cmp::Eq, &total, reason);
            let open = OpenSeq { len: Value::dim(total), ..OpenSeq::clone(&open) };
            left.set(addr, Object::List(Seq::Open(std::sync::Arc::new(open))));
        }
    }
}

fn length_of(seq: &Seq) -> Option<Dim> {
    match seq {
        Seq::Exact(items) => Some(Dim::constant(items.len() as i128)),
        Seq::Open(open) => open.len.as_dim(),
    }
}
