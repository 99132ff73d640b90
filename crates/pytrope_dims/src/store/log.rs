//! What was assumed, in order: a list whose copies share what they have in common.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::constraint::Constraint;
use crate::symbol::FactReason;

type Assumption = (Constraint, FactReason);

#[derive(Clone, Debug, Default)]
pub(super) struct Log(Option<Arc<LogEntry>>);

#[derive(Debug)]
struct LogEntry {
    assumption: Assumption,
    /// How many there are up to this one.
    len: usize,
    before: Log,
}

impl Log {
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |entry| entry.len)
    }

    pub fn push(&mut self, assumption: Assumption) {
        let before = std::mem::take(self);
        self.0 = Some(Arc::new(LogEntry { assumption, len: before.len() + 1, before }));
    }

    /// From the latest to the first.
    fn backwards(&self) -> impl Iterator<Item = &Assumption> {
        std::iter::successors(self.0.as_deref(), |entry| entry.before.0.as_deref()).map(|entry| &entry.assumption)
    }

    pub fn entries(&self) -> Vec<&Assumption> {
        let mut entries: Vec<&Assumption> = self.backwards().collect();
        entries.reverse();
        entries
    }

    pub fn any(&self, test: impl FnMut(&Assumption) -> bool) -> bool {
        self.backwards().any(test)
    }

    pub fn retain(&mut self, keep: impl Fn(&Assumption) -> bool) {
        let mut kept = Self::default();
        for entry in self.entries().into_iter().filter(|entry| keep(entry)) {
            kept.push(entry.clone());
        }
        *self = kept;
    }

    /// What was assumed on both sides, in the order of the first.
    pub fn common(a: &Self, b: &Self) -> Self {
        let (mut left, mut right) = (a, b);
        let (mut of_a, mut of_b): (Vec<&Assumption>, Vec<&Assumption>) = (Vec::new(), Vec::new());
        while let (Some(x), Some(y)) = (&left.0, &right.0) {
            if Arc::ptr_eq(x, y) {
                break;
            }
            if x.len >= y.len {
                of_a.push(&x.assumption);
                left = &x.before;
            }
            if y.len >= x.len {
                of_b.push(&y.assumption);
                right = &y.before;
            }
        }
        if left.0.is_none() || right.0.is_none() {
            of_a.extend(left.backwards());
            of_b.extend(right.backwards());
            left = const { &Self(None) };
        }
        let mut common = left.clone();
        if of_b.is_empty() {
            return common;
        }
        let theirs: FxHashSet<&Assumption> = of_b.into_iter().collect();
        for assumption in of_a.into_iter().rev().filter(|assumption| theirs.contains(assumption)) {
            common.push(assumption.clone());
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dim::Dim;
    use crate::symbol::Sym;

    fn fact(number: u32) -> Assumption {
        (Constraint::at_least(&Dim::symbol(Sym(number)), 1).expect("a small number"), FactReason(number))
    }

    fn log(before: &Log, numbers: &[u32]) -> Log {
        let mut log = before.clone();
        for number in numbers {
            log.push(fact(*number));
        }
        log
    }

    fn numbers(log: &Log) -> Vec<u32> {
        log.entries().iter().map(|(_, reason)| reason.0).collect()
    }

    #[test]
    fn both_sides_keep_what_they_share() {
        let shared = log(&Log::default(), &[1, 2, 3]);
        let (a, b) = (log(&shared, &[4, 5, 6]), log(&shared, &[6, 4]));
        assert_eq!(numbers(&Log::common(&a, &b)), [1, 2, 3, 4, 6]);
        assert_eq!(numbers(&Log::common(&a, &shared)), [1, 2, 3]);
        assert_eq!(numbers(&Log::common(&shared, &b)), [1, 2, 3]);
    }

    #[test]
    fn what_was_assumed_twice_in_different_places_is_common() {
        let (a, b) = (log(&Log::default(), &[1, 2]), log(&Log::default(), &[2, 3, 1]));
        assert_eq!(numbers(&Log::common(&a, &b)), [1, 2]);
        assert_eq!(numbers(&Log::common(&a, &Log::default())), [0; 0]);
    }

    #[test]
    fn what_is_kept_stays_in_order() {
        let mut kept = log(&Log::default(), &[1, 2, 3, 4]);
        kept.retain(|(_, reason)| reason.0 != 2);
        assert_eq!((numbers(&kept), kept.len()), (vec![1, 3, 4], 3));
    }
}
