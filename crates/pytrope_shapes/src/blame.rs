//! Where a finding stands that a call into another file has led to.
//!
//! ```python
//! # model.py                          # train.py
//! def forward(x, w):                  from model import forward
//!     return x @ w   # raises         forward(a, b)
//! ```
//!
//! It stands at the line that raises, with the calls as related places. Two things move it to the call that leads into that file:
//! the file is not among those that are checked, or the function called there comes back for another call of the program, so that it
//! is the call that is wrong. The rule is applied again at the call, which may lie in a file that was called into as well.
//! Within a file nothing moves: `check` of one file and of a project say the same of it.

use std::sync::Arc;

use pytrope_diagnostics::{Finding, Related};
use pytrope_eval::Program;
use pytrope_eval::code::{ScopeId, ScopeKind};
use pytrope_eval::interp::{CALLED, FunctionKey};
use pytrope_source::{SourceFile, Span, TextRange};
use rustc_hash::FxHashSet;

use crate::module_results::AnalysedModule;

/// How many calls are shown beside the one that leads into the file.
const SHOWN_CALLS: usize = 3;

/// How the place is called that raises, where the finding stands at a call.
pub(crate) const RAISED: &str = "raised here";

/// What is known of a whole run when findings are placed.
pub(crate) struct Blame<'w> {
    pub program: &'w Program,
    /// Paths of the files that are checked.
    pub checked: FxHashSet<&'w str>,
    /// The results of all modules, which know the functions that come back for some call.
    pub analysed: &'w [&'w AnalysedModule],
}

impl Blame<'_> {
    fn is_completed(&self, function: FunctionKey) -> bool {
        self.analysed.iter().any(|module| module.reported.completed.contains(&function))
    }

    /// The finding at the place it stands at, seen from the module whose run has made it; none if no place is in a checked file.
    pub fn place_finding(&self, finding: Finding, from: &SourceFile) -> Option<Finding> {
        let places: Vec<Span> = std::iter::once(finding.primary.clone()).chain(finding.calls.iter().cloned()).collect();
        let mut at = 0;
        loop {
            let file = &places.get(at)?.file;
            if file.path() == from.path() {
                break;
            }
            // The last place in this file is in the function that another file called.
            let inside = places[at..].iter().take_while(|place| Arc::ptr_eq(&place.file, file)).count();
            let entered = &places[at + inside - 1];
            if self.checked.contains(file.path()) && !self.works_elsewhere(entered) {
                break;
            }
            at += inside;
        }
        Some(if at == 0 { with_crossing(finding) } else { moved_to(finding, &places, at) })
    }

    /// Whether the function around a place comes back for some call.
    fn works_elsewhere(&self, place: &Span) -> bool {
        let Some(code) = self.program.code_of_file(&place.file) else { return false };
        function_around(code, place.range).is_some_and(|function| self.is_completed((code.module, function)))
    }
}

/// The innermost function around a place.
fn function_around(code: &pytrope_eval::code::Code, range: TextRange) -> Option<ScopeId> {
    let around = code.scopes.iter().filter(|(_, scope)| {
        matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda)
            && scope.range.start <= range.start
            && range.end <= scope.range.end
    });
    around.min_by_key(|(_, scope)| scope.range.end - scope.range.start).map(|(at, _)| at)
}

/// A finding that stands where it is raised shows the call that leads into its file, however many are between.
fn with_crossing(finding: Finding) -> Finding {
    let crossing = finding.calls.iter().find(|call| call.file.path() != finding.primary.file.path()).cloned();
    match crossing {
        Some(crossing) => finding.related(crossing, CALLED),
        None => finding,
    }
}

/// A finding at one of the calls that lead to it.
fn moved_to(mut finding: Finding, places: &[Span], at: usize) -> Finding {
    finding.related.retain(|related| related.message != CALLED && related.span != places[at]);
    let raised = Related { span: finding.primary.clone(), message: RAISED.to_owned() };
    finding.related.insert(0, raised);
    finding.primary = places[at].clone();
    finding.calls = places[at + 1..].to_vec();
    // What would change another line than the one that is shown is no fix for it.
    finding.fix = None;
    for call in places[1..at].iter().rev().take(SHOWN_CALLS).chain(&places[at + 1..]).take(2 * SHOWN_CALLS) {
        finding = finding.related(call.clone(), CALLED);
    }
    finding
}
