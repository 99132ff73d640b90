//! Panics caught where they cost one file only, and reported as what they are: defects of Pytrope.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Where the last panic of this thread happened; the payload alone does not say.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics quiet until [`catch`] reports them.
pub(crate) fn install_hook() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string);
        PLACE.with_borrow_mut(|slot| *slot = place);
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            eprintln!("{info}\n{}", std::backtrace::Backtrace::force_capture());
        }
    }));
}

/// A caught panic as a message for people.
#[derive(Debug)]
pub(crate) struct Caught(String);

impl std::fmt::Display for Caught {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "internal error: {}. This is a defect of Pytrope, please report it.", self.0)
    }
}

impl Caught {
    /// A panic that a library caught itself.
    pub fn new(message: &str) -> Self {
        Self(message.to_owned())
    }
}

/// Runs a step and turns its panic into a value.
pub(crate) fn catch_panic<T>(step: impl FnOnce() -> T) -> Result<T, Caught> {
    panic::catch_unwind(AssertUnwindSafe(step)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("a panic without a message");
        let place = PLACE.with_borrow_mut(Option::take).unwrap_or_default();
        Caught(format!("{message} ({place})"))
    })
}
