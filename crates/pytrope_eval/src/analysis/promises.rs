//! What a signature promises for every choice that it leaves open is tried with one.
//!
//! ```python
//! def scale(x: Float[Tensor, "*batch n"], w: Float[Tensor, "n m"]) -> Float[Tensor, "*batch n"]:
//!     return x @ w
//! ```
//!
//! `*batch` is any number of axes, `Float` any of several types of elements, and `m: Float[Tensor, "n"] | None` may be None. The
//! function is run once more with two axes, one type, the array, and 1 for a size that may be broadcast.
//!
//! Invariant: what fails for one choice breaks a promise for all, and no more than that is said: of this run only findings that
//! hold something against a hint count.

use std::sync::Arc;

use pytrope_source::tree::Parameters;

use crate::interp::Interp;
use crate::lazy::{RequiredOf, Requirement};
use crate::object::Function;
use crate::value::Addr;

impl Interp<'_> {
    /// Runs a function with one choice of what its signature left open as it was run before.
    pub(super) fn try_open_choices(
        &mut self,
        addr: Addr,
        function: &Arc<Function>,
        parameters: Parameters,
        required: &[(RequiredOf, Requirement)],
    ) {
        let is_left_open = std::mem::take(&mut self.run.hints.left_open);
        if !is_left_open || self.report.is_observed() {
            return;
        }
        let before = self.run.state.clone();
        let entry = self.checkpoint();
        let first_defined = self.run.definitions.functions.len();
        let reported = self.report.findings().len();
        self.run.hints.chooses = true;
        self.run_with_requirements(Some(addr), function, parameters, required);
        self.end_entry(&entry);
        self.run.hints.chooses = false;
        self.run.hints.left_open = false;
        self.report.keep_only("hint-mismatch", reported);
        self.run.definitions.functions.truncate(first_defined);
        self.run.state = before;
    }
}
