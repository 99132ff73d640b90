//! `--possible`: requirements that hold for some sizes and fail for others, reported with sizes that make them fail.

use pytrope_diagnostics::Finding;
use pytrope_dims::Sym;

use crate::cond::Cond;
use crate::interp::{Catcher, Interp};
use crate::value::Addr;

/// Sizes that are named in one message.
const MOST_SIZES: usize = 4;

impl Interp<'_> {
    /// Whether open requirements are to be reported here: asked for, on a path that is certain to be taken, and not caught.
    pub fn reports_possible(&self, class: Option<Addr>) -> bool {
        self.analysis.possible
            && self.is_certain()
            && !self.run.catchers.iter().any(|catcher| match catcher {
                Catcher::Capture(_) => false,
                Catcher::Finally { swallows, .. } => *swallows,
                Catcher::Try { classes, .. } => classes.iter().any(|handled| self.may_catch(*handled, class)),
            })
    }

    /// Reports a requirement that is neither proved nor refuted, if there are sizes that the code allows and for which it fails.
    /// The finding is the one that would be reported if it were refuted.
    pub fn report_possible(&mut self, condition: &Cond, refuted: Finding) {
        let Some(failing) = condition.negated().formula() else { return };
        let Some(witness) = self.run.state.store.witness(&failing) else { return };
        let mut sizes: Vec<String> = witness.iter().map(|(sym, size)| self.show_sized(*sym, *size)).collect();
        sizes.truncate(MOST_SIZES);
        let message = format!("may fail, for instance with {}: {}", sizes.join(", "), refuted.message);
        let mut finding = self.new_finding("possible-mismatch", message);
        finding.raises = refuted.raises;
        finding.related = refuted.related;
        finding.help = refuted.help;
        self.report_finding(finding);
    }

    fn show_sized(&self, sym: Sym, size: i128) -> String {
        format!("{} = {size}", self.run.symbols.given(sym).as_deref().unwrap_or("?"))
    }
}
