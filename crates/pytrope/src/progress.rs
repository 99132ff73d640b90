//! A progress bar on standard error, drawn only on a terminal and only when a run takes a while.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

/// Short runs stay without a bar.
const FIRST_DRAW_MS: u64 = 300;
const REDRAW_MS: u64 = 60;
const WIDTH: usize = 30;

/// Whether a bar is on the screen, so that an interrupt can clear it.
static DRAWN: AtomicBool = AtomicBool::new(false);

/// Counts finished steps and draws the bar now and then.
pub(crate) struct Progress {
    total: usize,
    done: AtomicUsize,
    started: Instant,
    next_draw: AtomicU64,
    shown: bool,
}

impl Progress {
    pub fn new(total: usize, quiet: bool) -> Self {
        Self {
            total,
            done: AtomicUsize::new(0),
            started: Instant::now(),
            next_draw: AtomicU64::new(FIRST_DRAW_MS),
            shown: !quiet && stderr().is_terminal(),
        }
    }

    /// One more step is done.
    pub fn count_step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if !self.shown {
            return;
        }
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let due = self.next_draw.load(Ordering::Relaxed);
        if now < due
            || self.next_draw.compare_exchange(due, now + REDRAW_MS, Ordering::Relaxed, Ordering::Relaxed).is_err()
        {
            return;
        }
        DRAWN.store(true, Ordering::Relaxed);
        // A bar that cannot be drawn is not worth an error.
        let _ = write!(stderr(), "\r{}", draw_bar(done, self.total));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        clear_bar();
    }
}

/// Removes the bar from the screen.
pub(crate) fn clear_bar() {
    if DRAWN.swap(false, Ordering::Relaxed) {
        let _ = write!(stderr(), "\r\x1b[2K");
    }
}

fn draw_bar(done: usize, total: usize) -> String {
    let filled = WIDTH * done / total.max(1);
    format!("[{}{}] {} %", "#".repeat(filled), ".".repeat(WIDTH - filled), 100 * done / total.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_fills_up() {
        assert_eq!(draw_bar(0, 4), format!("[{}] 0 %", ".".repeat(30)));
        assert_eq!(draw_bar(2, 4), format!("[{}{}] 50 %", "#".repeat(15), ".".repeat(15)));
        assert_eq!(draw_bar(4, 4), format!("[{}] 100 %", "#".repeat(30)));
    }
}
