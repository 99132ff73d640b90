//! How long a thread has searched: for what normal forms, intervals and known facts do not decide. No answer depends on it.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static SPENT: Cell<Duration> = const { Cell::new(Duration::ZERO) };
    static SEARCHING: Cell<bool> = const { Cell::new(false) };
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
