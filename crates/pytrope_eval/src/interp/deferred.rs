//! Code that runs more than once: an operation in it is blamed only if no run can pass it for good.
//!
//! A loop is run iteration by iteration while its iterations are decided, so one operation is met several times. That it raises in one of
//! them proves little: the path may have been left before, or the branch not taken. A finding made there is therefore *held*
//! until the outermost loop is over, and reported if the operation raised each time it was met; or at once if it passed
//! before, and nothing since then can have ended, left or diverted the path (no [hazard](crate::effects), no branch newly open).

use indexmap::IndexMap;
use pytrope_diagnostics::Finding;
use pytrope_source::TextRange;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Interp;

/// A place of the analysed code; statements and expressions may have the same range.
pub(crate) type ProgramPoint = (u32, TextRange, bool);

/// How often a place was met.
#[derive(Clone, Copy)]
struct Visit {
    count: u32,
    /// The hazards and branches there had been when it was met first.
    hazards: u64,
    branches: u64,
}

/// A finding that waits for the end of the outermost loop.
#[derive(Clone)]
struct DeferredFinding {
    spot: ProgramPoint,
    /// The calls inside the loop that led to it.
    calls: Vec<ProgramPoint>,
    finding: Finding,
    failures: u32,
}

impl DeferredFinding {
    /// Whether everything that was met on the way to the operation, and the operation itself, failed each time. A call that comes back, or
    /// is not followed because nothing is known of what it is given, is met and does not fail:
    ///
    /// ```python
    /// last = None
    /// while True:
    ///     token = read()
    ///     if token.kind == DOT:
    ///         use(last)       # not with None, as the first token is no dot
    ///     last = token
    /// ```
    fn failed_each_time(&self, spots: &FxHashMap<ProgramPoint, Visit>) -> bool {
        let fails = |spot: &ProgramPoint| spots.get(spot).is_none_or(|visit| self.failures >= visit.count);
        fails(&self.spot) && self.calls.iter().all(fails)
    }
}

/// What is remembered while some code runs more than once.
#[derive(Clone, Default)]
pub(crate) struct Visits {
    /// How many pieces of such code are going on, one inside the other.
    depth: u32,
    /// The depth of the outermost one that is no loop over items that are counted.
    uncounted: Option<u32>,
    spots: FxHashMap<ProgramPoint, Visit>,
    held: IndexMap<(ProgramPoint, &'static str), DeferredFinding, FxBuildHasher>,
    /// What may have ended a path so far.
    hazards: u64,
    /// Undecided branches opened so far, and those that are open, by number.
    branches: u64,
    open: Vec<u64>,
    /// The exceptions on the path, the hazards and the branches at the outermost start.
    start: (u32, u64, u64),
    /// The degree of muting at which visits count nevertheless.
    quiet: Option<u32>,
    /// What was met, in order, while some call is being summarised.
    log: Vec<ProgramPoint>,
    logging: u32,
}

impl Visits {
    /// Something may have ended, left or diverted the path.
    pub(crate) fn record_hazard(&mut self) {
        self.hazards += 1;
    }
}

impl Interp<'_> {
    /// From here on code runs more than once; `is_counted` says that it runs once for each of several known items.
    pub(crate) fn enter_repeated(&mut self, is_counted: bool) {
        let certain_raises = self.run.state.certain_raises;
        let visits = &mut self.run.deferred;
        if visits.depth == 0 {
            visits.spots.clear();
            visits.held.clear();
            visits.start = (certain_raises, visits.hazards, visits.branches);
        }
        visits.depth += 1;
        if !is_counted && visits.uncounted.is_none() {
            visits.uncounted = Some(visits.depth);
        }
    }

    /// Whether an unknown call is no reason to doubt that the next iteration comes: the number of iterations says when the loop is
    /// over, and no exception that the call raises is caught in sight. A `while` loop may be there for the call to end it.
    ///
    /// ```python
    /// for i in range(4):
    ///     play(i)             # nothing is known of it
    ///     print(names[i])     # three names
    /// ```
    pub(crate) fn goes_on_behind_unknown(&self) -> bool {
        self.run.deferred.uncounted.is_none() && self.run.catchers.is_empty()
    }

    /// The code that ran more than once is over: at the outermost end, what was held is decided.
    pub(crate) fn leave_repeated(&mut self) {
        let visits = &mut self.run.deferred;
        visits.depth = visits.depth.saturating_sub(1);
        visits.uncounted = visits.uncounted.filter(|depth| *depth <= visits.depth);
        if visits.depth > 0 {
            return;
        }
        let held = std::mem::take(&mut visits.held);
        let spots = std::mem::take(&mut visits.spots);
        // Without fuel the iterations that could have passed were not all looked at.
        if self.is_exhausted() {
            return;
        }
        for held in held.into_values() {
            if held.failed_each_time(&spots) {
                self.report.publish_finding(held.spot.0, held.finding);
            }
        }
    }

    /// Where the analysis of visits stands, to come back to when a call is given up.
    pub(crate) fn visits_mark(&self) -> (u32, usize) {
        (self.run.deferred.depth, self.run.deferred.open.len())
    }

    /// Gives up what has run since the mark: nothing that is held can be trusted to have failed each time.
    pub(crate) fn visits_reset(&mut self, (depth, open): (u32, usize)) {
        self.run.deferred.depth = depth;
        self.run.deferred.uncounted = self.run.deferred.uncounted.filter(|uncounted| *uncounted <= depth);
        self.run.deferred.open.truncate(open);
        self.run.deferred.held.clear();
        self.run.deferred.spots.values_mut().for_each(|visit| visit.count = u32::MAX);
        self.run.deferred.record_hazard();
        self.run.deferred.quiet = None;
    }

    /// Whether visits and hazards are of interest here.
    #[inline]
    pub(crate) fn is_tracking(&self) -> bool {
        self.counts_at_all() && !self.in_model()
    }

    /// Whether places of the analysed code are counted when they are met.
    #[inline]
    pub(super) fn counts_at_all(&self) -> bool {
        self.run.deferred.depth > 0 && (!self.report.is_muted() || self.run.deferred.quiet == Some(self.report.mute))
    }

    /// The evaluation meets a place.
    #[inline]
    pub(crate) fn record_visit(&mut self, range: TextRange, is_statement: bool) {
        if self.run.deferred.depth > 0 {
            self.record_repeated_visit(range, is_statement);
        }
    }

    fn record_repeated_visit(&mut self, range: TextRange, is_statement: bool) {
        if !self.is_tracking() || self.run.state.certain_raises > self.run.deferred.start.0 {
            return;
        }
        let spot = (self.current_frame().code.module, range, is_statement);
        let (hazards, branches) = (self.run.deferred.hazards, self.run.deferred.branches);
        let visit = self.run.deferred.spots.entry(spot).or_insert(Visit { count: 0, hazards, branches });
        visit.count = visit.count.saturating_add(1);
        if self.run.deferred.logging > 0 {
            self.run.deferred.log.push(spot);
        }
    }

    /// Whether places that are met from here on are counted.
    pub(crate) fn counts_visits(&self) -> bool {
        self.run.deferred.depth > 0 && self.is_tracking() && self.run.state.certain_raises <= self.run.deferred.start.0
    }

    /// From here on it is written down what is met.
    pub(crate) fn log_visits(&mut self) -> usize {
        self.run.deferred.logging += 1;
        self.run.deferred.log.len()
    }

    /// What was met since then.
    pub(crate) fn logged_visits(&mut self, since: usize) -> Vec<ProgramPoint> {
        let met = self.run.deferred.log[since..].to_vec();
        self.run.deferred.logging -= 1;
        if self.run.deferred.logging == 0 {
            self.run.deferred.log.clear();
        }
        met
    }

    /// Meets places again that an earlier call has met.
    pub(crate) fn visit_again(&mut self, met: &[ProgramPoint]) {
        let (hazards, branches) = (self.run.deferred.hazards, self.run.deferred.branches);
        for spot in met {
            let visit = self.run.deferred.spots.entry(*spot).or_insert(Visit { count: 0, hazards, branches });
            visit.count = visit.count.saturating_add(1);
        }
        if self.run.deferred.logging > 0 {
            self.run.deferred.log.extend_from_slice(met);
        }
    }

    /// How many pieces of code that may or may not run are open.
    pub(crate) fn open_branches(&self) -> usize {
        self.run.deferred.open.len()
    }

    /// `break`, `continue` and `return`: under an undecided branch of the same function they may or may not be taken.
    pub(crate) fn record_jump(&mut self) {
        let own = self.run.deferred.open.get(self.current_frame().around..).and_then(<[u64]>::last);
        if own.is_some_and(|open| *open >= self.run.deferred.start.2) {
            self.record_may_raise();
        }
    }

    /// From here on code may or may not run.
    pub(crate) fn open_branch(&mut self) {
        self.run.deferred.open.push(self.run.deferred.branches);
        self.run.deferred.branches += 1;
    }

    pub(crate) fn close_branch(&mut self) {
        self.run.deferred.open.pop();
    }

    /// Runs code whose findings are muted but whose visits count.
    pub(crate) fn run_with_visits_only<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.run.deferred.quiet;
        if !self.report.is_muted() {
            self.run.deferred.quiet = Some(1);
        }
        let result = self.run_muted(f);
        self.run.deferred.quiet = outer;
        result
    }

    /// An operation raises for certain in muted code whose visits count.
    pub(super) fn failed_quietly(&mut self, finding: &Finding) {
        if self.run.deferred.quiet == Some(self.report.mute)
            && self.run.state.certain_raises == self.run.deferred.start.0
        {
            let spot = self.finding_point(finding);
            if let Some(held) = self.run.deferred.held.get_mut(&(spot, finding.rule.id)) {
                held.failures += 1;
            }
        }
    }

    /// The place a finding is about, as it was visited.
    fn finding_point(&self, finding: &Finding) -> ProgramPoint {
        let frame = self.run.frames.iter().rev().find(|frame| !frame.code.is_model);
        let Some(frame) = frame else { return (self.analysis.module, finding.primary.range, false) };
        let module = frame.code.module;
        let exact = (module, finding.primary.range, false);
        if self.run.deferred.spots.contains_key(&exact) { exact } else { (module, frame.statement, true) }
    }

    /// The places of the calls that are going on, apart from those of library code.
    fn calls_on_the_way(&self) -> Vec<ProgramPoint> {
        let callers = self.run.frames.iter().rev().filter(|frame| !frame.code.is_model).skip(1);
        callers.map(|frame| (frame.code.module, frame.node, false)).collect()
    }

    /// Reports what does not hold for all sizes of a signature. Later iterations pass, since they assume what the first one
    /// required: on a path that is certain to be taken the first iteration decides.
    pub(crate) fn report_by_first_visit(&mut self, finding: Finding) {
        let visits = &self.run.deferred;
        let behind = self.run.state.certain_raises > visits.start.0;
        let is_first = visits.spots.get(&self.finding_point(&finding)).is_none_or(|visit| visit.count <= 1);
        if visits.depth > 0 && !behind && is_first {
            self.run.effects.record_report();
            self.note_silence();
            self.report_finding(finding);
        } else {
            self.report_or_hold(finding);
        }
    }

    /// Reports a finding now, or holds it; true if it is certain whatever comes.
    pub fn report_or_hold(&mut self, finding: Finding) -> bool {
        self.run.effects.record_report();
        self.note_silence();
        if self.run.deferred.depth == 0 {
            self.report_finding(finding);
            return true;
        }
        let spot = self.finding_point(&finding);
        let key = (spot, finding.rule.id);
        let visits = &self.run.deferred;
        let (certain_raises, hazards, branches) = visits.start;
        let behind = self.run.state.certain_raises > certain_raises;
        let visit = visits.spots.get(&spot).copied().unwrap_or(Visit { count: 1, hazards, branches });
        let failures = visits.held.get(&key).map_or(0, |held| held.failures) + u32::from(!behind);
        let since = if visit.count == 1 { branches } else { visit.branches };
        let before = if visit.count == 1 { hazards } else { visit.hazards };
        let straight = visits.hazards == before && visits.open.last().is_none_or(|open| *open < since);
        if !behind && straight && (visit.count == 1 || visit.count > failures) {
            self.report_finding(finding);
            return true;
        }
        if let Some(held) = self.run.deferred.held.get_mut(&key) {
            held.failures = failures;
        } else if let Some(finding) = self.complete_finding(finding) {
            let calls = self.calls_on_the_way();
            self.run.deferred.held.insert(key, DeferredFinding { spot, calls, finding, failures });
        }
        false
    }
}
