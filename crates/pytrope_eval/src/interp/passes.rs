//! The last pass over a widened loop is there for what it reports: where it would report nothing, it need not be run.
//!
//! Passes that search the head of a loop are muted. The one that finds the head covering its own back edge starts where the
//! last pass will, so that the two come to the same. Every time muting holds a finding back, that is counted; if none was
//! held back, the pass stands for the last one, and is charged for it.

use pytrope_dims::Sym;

use super::{Fuel, Interp};
use crate::names::Name;

/// What is going on in muted passes.
#[derive(Default)]
pub(crate) struct Passes {
    /// How many muted passes are going on, one inside the other.
    depth: u32,
    /// How often muting has held a finding back.
    silenced: u64,
    /// Names that symbols would have been given.
    names: Vec<(Sym, Name)>,
}

/// How things stood before a pass.
pub(crate) struct BeforePass {
    silenced: u64,
    names: usize,
    fuel: Fuel,
}

impl Interp<'_> {
    /// Whether it is passes alone that mute what is said here.
    fn is_muted_by_passes(&self) -> bool {
        self.report.is_muted() && self.report.mute == self.report.passes.depth
    }

    /// A finding is about to be made, or held back.
    pub(super) fn note_silence(&mut self) {
        if self.is_muted_by_passes() {
            self.report.passes.silenced += 1;
        }
    }

    /// A symbol without a name takes that of the variable it is bound to. In passes that only search the head of a loop,
    /// symbols go through many names, which are given if the pass turns out to stand for the last.
    /// `_` names nothing: `_, _, height, width = x.shape`.
    pub fn name_symbol(&mut self, sym: Sym, name: Name) {
        if name.text().bytes().all(|byte| byte == b'_') {
            return;
        }
        if !self.report.is_muted() {
            if self.run.symbols.is_nameable(sym) {
                self.run.symbols.set(sym, name.text());
            }
        } else if self.is_muted_by_passes() {
            self.report.passes.names.push((sym, name));
        }
    }

    /// From here on a loop is run to find its head.
    pub(crate) fn enter_pass(&mut self) -> BeforePass {
        self.report.mute += 1;
        self.report.passes.depth += 1;
        BeforePass { silenced: self.report.passes.silenced, names: self.report.passes.names.len(), fuel: self.run.fuel }
    }

    pub(crate) fn leave_pass(&mut self) {
        self.report.mute -= 1;
        self.report.passes.depth -= 1;
    }

    /// Whether a finding was held back since a pass began.
    pub(crate) fn has_silenced_since(&self, before: &BeforePass) -> bool {
        self.report.passes.silenced != before.silenced
    }

    /// Nothing of what a pass came to is used.
    pub(crate) fn forget_pass(&mut self, before: &BeforePass) {
        self.report.passes.names.truncate(before.names);
    }

    /// Whether a pass that would be run once more from the same head, and is muted no more, would only come to the same
    /// again. If so it is paid for; where there is not enough to pay with, the analysis ends here as it would in the pass.
    pub(crate) fn can_skip_report_pass(&mut self, before: &BeforePass) -> bool {
        let is_quiet =
            self.report.passes.silenced == before.silenced && !self.report.is_observed() && !self.is_exhausted();
        if !is_quiet {
            return false;
        }
        let spent = self.run.fuel.spent_since(&before.fuel);
        if self.run.fuel.left() + 1 < spent {
            self.run.fuel.exhaust();
            return true;
        }
        if self.run.fuel.left() <= spent || self.counts_at_all() {
            return false;
        }
        self.run.fuel.charge_again(&before.fuel);
        if !self.is_muted_by_passes() {
            for (sym, name) in self.report.passes.names.split_off(before.names) {
                self.name_symbol(sym, name);
            }
        }
        true
    }
}
