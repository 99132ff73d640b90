//! Searching for what normal forms, intervals and known facts do not decide: how long it took, which no answer depends
//! on, and how many steps it may take, which is counted the same way on every machine.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static SEARCHING: Cell<bool> = const { Cell::new(false) };
    static ALLOWANCE: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The time this thread has spent in decision procedures so far.
pub fn spent() -> Duration {
    SPENT.get()
}

/// Runs a search and counts its time, once where searches nest.
pub(crate) fn counted<T>(search: impl FnOnce() -> T) -> T {
    if SEARCHING.replace(true) {
        return search();
    }
    let started = Instant::now();
    let result = search();
    SPENT.set(SPENT.get() + started.elapsed());
    SEARCHING.set(false);
    result
}

/// Runs an analysis whose questions together may take this many steps; those that come later stay open.
pub fn limited<T>(steps: u64, analysis: impl FnOnce() -> T) -> T {
    let outer = ALLOWANCE.replace(steps);
    let result = analysis();
    ALLOWANCE.set(outer);
    result
}

/// Runs a search that may take up to `most` steps of what is left; it takes those it uses from the number it is given.
pub(crate) fn within_allowance<T>(most: u32, search: impl FnOnce(&mut u32) -> T) -> T {
    let left = ALLOWANCE.get();
    let given = u32::try_from(left).map_or(most, |left| most.min(left));
    let mut steps = given;
    let result = search(&mut steps);
    ALLOWANCE.set(left.saturating_sub(u64::from(given - steps)));
    result
}

#[cfg(test)]
mod tests {
    use super::limited;
    use crate::{Cmp, Dim, FactReason, Store, Sym, ThreeValued};

    /// That order carries over from `a <= b` and `b <= c` neither bounds nor single facts show.
    #[test]
    fn questions_stay_open_when_the_steps_are_used_up() {
        let [a, b, c] = [1, 2, 3].map(|number| Dim::symbol(Sym(number)));
        let mut store = Store::new();
        store.assume_compare(&a, Cmp::Le, &b, FactReason(0));
        store.assume_compare(&b, Cmp::Le, &c, FactReason(0));
        assert_eq!(store.compare(&a, Cmp::Le, &c), ThreeValued::True);
        assert_eq!(limited(0, || store.compare(&a, Cmp::Le, &c)), ThreeValued::Open(()));
        assert_eq!(store.compare(&a, Cmp::Le, &c), ThreeValued::True, "the limit ends with the analysis");
    }
}
