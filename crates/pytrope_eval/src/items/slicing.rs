//! Slices of lists and tuples: exact where the length is known, and counted from either end where the sequence is long enough.

use pytrope_dims::{Cmp, Dim, ThreeValued};

use super::constant_slice;
use crate::constants::strings;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::value::{OpenSeq, Reason, Seq, Value};

/// How many items of a sequence of open length a slice may name one by one.
const MOST_SLICED: i128 = 64;

impl Interp<'_> {
    /// `seq[start:stop:step]`; `None` if the parts are no integers.
    pub(super) fn slice_seq(&mut self, seq: &Seq, parts: &[Value; 3]) -> Flow<Option<Seq>> {
        let mut resolved = [Value::None, Value::None, Value::None];
        for (to, from) in resolved.iter_mut().zip(parts) {
            *to = match from {
                Value::None => Value::None,
                other => match self.as_index(other) {
                    Some(value) => value,
                    None if other.is_unknown() || matches!(other, Value::Union(_)) => Value::Unknown(Reason::Operand),
                    None => {
                        if self.lacks_method(other, Name::INDEX) {
                            self.raise_error(
                                "bad-operand",
                                "TypeError",
                                "slice indices must be integers or None or have an __index__ method",
                            )?;
                        }
                        return Ok(None);
                    }
                },
            };
        }
        if resolved[2] == Value::Int(0) {
            self.raise_error("other-error", "ValueError", "slice step cannot be zero")?;
            return Ok(None);
        }
        if matches!(seq, Seq::Exact(items) if items.is_empty()) {
            return Ok(Some(seq.clone()));
        }
        let constant = constant_slice(&resolved);
        if let (Seq::Exact(items), Some((start, stop, step))) = (seq, constant) {
            let picked = strings::slice_indices(items.len(), start, stop, step);
            return Ok(Some(Seq::exact(picked.into_iter().map(|at| items[at].clone()).collect())));
        }
        if let (Seq::Open(open), Some((start, stop, 1))) = (seq, constant) {
            let start = start.unwrap_or(0);
            if start >= 0 && (start as usize) <= open.prefix.len() {
                if let Some(stop) = stop
                    && stop >= 0
                    && (stop as usize) <= open.prefix.len()
                {
                    let (start, stop) = (start as usize, (stop as usize).max(start as usize));
                    return Ok(Some(Seq::exact(open.prefix[start..stop].to_vec())));
                }
                if stop.is_none() {
                    let len = open.len.as_dim().and_then(|len| len.plus_const(-start)).map(Value::dim);
                    let enough = open.prefix.len() as i128 >= start;
                    if let (Some(len), true) = (len, enough) {
                        return Ok(Some(Seq::open(open.prefix[start as usize..].to_vec(), open.element.clone(), len)));
                    }
                }
            }
            if let Some(part) = self.slice_by_length(open, start, stop) {
                return Ok(Some(part));
            }
        }
        let element = self.element_of(seq);
        if let (Seq::Open(open), Some((None, None, -1))) = (seq, constant)
            && let Some(len) = open.len.as_dim()
        {
            // Turned round: as long as before, and never shorter than what is known of it.
            let least = Dim::constant(open.prefix.len() as i128);
            let reason = pytrope_dims::FactReason(self.current_frame().node.start);
            self.run.state.store.assume_compare(&len, Cmp::Ge, &least, reason);
            return Ok(Some(Seq::open(Vec::new(), element, Value::dim(len))));
        }
        Ok(Some(self.open_seq(element)))
    }

    /// A slice with a step takes as many items as it names: `a[::2] = [9]`.
    pub(super) fn require_extended_slice(&mut self, seq: &Seq, index: &Value, value: &Value) -> Flow<()> {
        let (Seq::Exact(items), Value::Slice(parts)) = (seq, index) else { return Ok(()) };
        let Some((start, stop, step)) = constant_slice(parts).filter(|(.., step)| *step != 1 && *step != 0) else {
            return Ok(());
        };
        let named = strings::slice_indices(items.len(), start, stop, step).len();
        let Some(Seq::Exact(given)) = self.iterate_quietly(value) else { return Ok(()) };
        if given.len() != named {
            let given = given.len();
            let message = format!("attempt to assign sequence of size {given} to extended slice of size {named}");
            self.raise_error("other-error", "ValueError", message)?;
        }
        Ok(())
    }

    /// A slice of a sequence of open length, counted from its end or beyond what is known of it, if the sequence is long enough.
    ///
    /// ```python
    /// batch, length = x.shape[:-1]    # `x` has three axes
    /// x.view(-1, *x.shape[-2:])       # two more
    /// ```
    fn slice_by_length(&mut self, open: &OpenSeq, start: i128, stop: Option<i128>) -> Option<Seq> {
        let len = open.len.as_dim()?;
        let from_end = |at: i128| at < 0;
        let least = match stop {
            None => -start,
            Some(stop) if from_end(stop) == from_end(start) => start.abs().max(stop.abs()),
            Some(stop) if from_end(stop) => start - stop,
            Some(_) => return None,
        };
        if !(1..=MOST_SLICED).contains(&least) || !self.is_at_least(&len, least) {
            return None;
        }
        match stop {
            Some(stop) if from_end(stop) && !from_end(start) => {
                let kept = open.prefix.len().saturating_sub(usize::try_from(-stop).ok()?);
                let prefix = open.prefix.get(usize::try_from(start).ok()?..kept).unwrap_or_default().to_vec();
                let len = Value::dim(len.plus_const(stop - start)?);
                Some(Seq::open(prefix, open.element.clone(), len))
            }
            _ => {
                let count = stop.unwrap_or(0) - start;
                let known = |at: i128| usize::try_from(at).ok().and_then(|at| open.prefix.get(at).cloned());
                let items = (start..start + count.max(0)).map(|at| match known(at) {
                    Some(item) => item,
                    None => self.instantiate_element(&open.element),
                });
                Some(Seq::exact(items.collect()))
            }
        }
    }

    /// Whether a length is not less than a number. Where shapes are shown, arrays have the axes that are asked for.
    fn is_at_least(&mut self, len: &Dim, least: i128) -> bool {
        match self.compare_dims(len, Cmp::Ge, &Dim::constant(least)) {
            ThreeValued::True => true,
            ThreeValued::False => false,
            ThreeValued::Open(cond) => self.analysis.assumes && self.assume_condition(&cond),
        }
    }
}
