//! Work spread over threads with large stacks; results come back in the order of the input.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Analyses recurse over source text. The pages of a stack are committed only when they are touched.
pub(crate) const STACK: usize = 256 << 20;

/// Maps every item, on as many threads as are useful; a single item gets a single thread.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], threads: usize, step: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return on_large_stack(|| items.iter().map(&step).collect());
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let work = || {
                let mut own = Vec::new();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    own.push((index, step(item)));
                }
                results.lock().expect("no worker panics while it holds the lock").append(&mut own);
            };
            std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, work)
                .expect("the system can start a few threads");
        }
    });
    let mut results = results.into_inner().expect("no worker panics while it holds the lock");
    results.sort_by_key(|&(index, _)| index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Runs a step on a thread with a large stack and returns its result.
pub(crate) fn on_large_stack<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, step)
            .expect("the system can start a thread");
        match thread.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The number of threads to use unless it is set.
pub(crate) fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        for threads in [1, 4] {
            assert_eq!(map(&items, threads, |item| item * 2), items.iter().map(|item| item * 2).collect::<Vec<_>>());
        }
    }
}
