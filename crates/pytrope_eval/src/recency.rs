//! Recency: one abstract object for the current iteration of a loop, and one *summary* for those of all earlier iterations.
//!
//! ```python
//! points = []
//! for i in range(n):
//!     p = Point()        # this iteration's object: what is written to it is written to it alone (strong update)
//!     points.append(p)
//! points[0].x = None     # through the summary: what was there before stays possible (weak update)
//! ```
//!
//! At the end of an iteration the objects that it allocated are joined into the summaries of their allocation sites
//! ([`summarize`]), whose addresses are [`Addr::summary`]. Sizes that differ from one to the next are symbols of which nothing is
//! learned ([`Sym::SUMMARY`]); reading one of them gives it symbols of its own ([`instantiate`]). [`sites`] gives a site the
//! same address in each pass over a loop. Invariant: objects are written through [`Interp::write_object`], which
//! updates weakly where an address is a summary.
//!
//! This is the recency abstraction of Balakrishnan and Reps (SAS 2006), kept loop by loop.

mod instantiate;
mod may_alias;
mod sites;
mod summarize;

use pytrope_dims::Dim;
use pytrope_trie::Pair;
use rustc_hash::FxHashMap;

use crate::interp::{Flow, Interp};
use crate::join::{Joiner, Widening};
use crate::object::Object;
use crate::renaming::Renaming;
use crate::state::State;
use crate::value::{Addr, Value};

pub(crate) use sites::AllocSites;
use summarize::IterationSummary;

/// The allocations at the beginning of an iteration that stands for many.
pub(crate) struct IterationMark(usize);

/// How a piece of code stands for many runs of it.
pub(crate) enum IterationKind<'a> {
    /// It runs from wider and wider states.
    Widened(&'a mut Widening),
    /// It runs once; symbols from this mark on were made in it.
    Once(u32),
}

/// What stands for an object of an iteration once the iteration is over.
fn iteration_successor(addr: Addr, state: &State) -> Addr {
    let Some(Object::Array(array)) = state.get(addr) else { return addr.summary() };
    // One of many that has been looked at is one of many again.
    match &array.may_equal {
        Some(Value::Obj(origin)) if origin.is_summary() => *origin,
        _ => addr.summary(),
    }
}

impl Interp<'_> {
    /// Code runs once from here in place of many times.
    pub(crate) fn begin_iteration(&mut self) -> IterationMark {
        self.run.sites.open_iterations += 1;
        IterationMark(self.run.sites.made.len())
    }

    pub(crate) fn end_iteration(&mut self, _: IterationMark) {
        self.run.sites.open_iterations -= 1;
        if self.run.sites.open_iterations == 0 {
            self.run.sites.made.clear();
        }
    }

    /// Runs code once that stands for many runs of it; symbols from the mark on are those of one of them.
    pub(crate) fn run_once_for_many(&mut self, first_symbol: u32, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.run.state.clone();
        let iteration = self.begin_iteration();
        let mut result = run(self);
        if let Ok(value) = &mut result {
            let after = std::mem::take(&mut self.run.state);
            self.run.state =
                self.summarize_iteration(&iteration, &before, after, [value], IterationKind::Once(first_symbol));
        }
        self.end_iteration(iteration);
        result
    }

    /// What the iteration has made joins what the same places made in earlier iterations. The values that come with the state are
    /// changed along with it.
    pub(crate) fn summarize_iteration<'v>(
        &mut self,
        iteration: &IterationMark,
        before: &State,
        after: State,
        values: impl IntoIterator<Item = &'v mut Value>,
        iterations: IterationKind<'_>,
    ) -> State {
        let made: FxHashMap<Addr, Addr> =
            self.run.sites.made[iteration.0..].iter().map(|addr| (*addr, iteration_successor(*addr, &after))).collect();
        let (widening, first_symbol) = match iterations {
            IterationKind::Widened(widening) => (Some(widening), None),
            IterationKind::Once(first_symbol) => (None, Some(first_symbol)),
        };
        let mut renaming = IterationSummary::new(&made, first_symbol);
        for value in values {
            renaming.replace_value(value);
        }
        let mut changed: Vec<(Addr, Object)> = Vec::new();
        before.heap.for_each_difference(&after.heap, &mut |key, pair| {
            if let Pair::Both(_, object) | Pair::Right(object) = pair {
                let addr = Addr(key);
                let renamed = if made.contains_key(&addr) {
                    renaming.rename_object(object)
                } else {
                    renaming.rename_older_object(object)
                };
                changed.extend(renamed.map(|object| (addr, object)));
            }
        });
        let IterationSummary { symbols, mut escaped, .. } = renaming;
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        let widens = widening.is_some();
        joiner.widening = widening;
        let mut state = after;
        for (sym, summary) in symbols {
            let bounds = state.store.bounds(&Dim::symbol(sym));
            state.store.declare_in(summary, bounds);
            if let Some(name) = self.run.symbols.given(sym) {
                self.run.symbols.set(summary, &name);
            }
        }
        for (addr, object) in changed {
            let Some(&summary) = made.get(&addr) else {
                state.set(addr, object);
                continue;
            };
            state.heap.remove(addr.0);
            let joined = match state.get(summary) {
                Some(old) => joiner.join_objects(summary, old, &object),
                // With itself, so that what is known of this iteration alone is forgotten.
                None if widens => joiner.join_objects(summary, &object, &object),
                None => object,
            };
            state.set(summary, joined);
            self.run.escape.extend_to_summary(addr, summary);
        }
        for (sym, least) in joiner.declared {
            if least > i128::MIN {
                state.store.declare(sym, least);
            }
        }
        escaped.append(&mut joiner.escaped);
        self.after_join(state, &escaped, &[])
    }

    /// Changes an object; where it stands for many, what was there before stays possible.
    pub fn write_object(&mut self, addr: Addr, object: Object) {
        if !addr.is_summary() {
            self.run.state.set(addr, object);
            return;
        }
        let old = self.object_at(addr).clone();
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let mut joiner = Joiner::new(&frozen, self.fresh_keys());
        let joined = joiner.join_objects(addr, &old, &object);
        for (sym, least) in joiner.declared {
            if least > i128::MIN {
                self.run.state.store.declare(sym, least);
            }
        }
        let escaped = joiner.escaped;
        self.run.state.set(addr, joined);
        for addr in escaped {
            self.havoc_reachable(&Value::Obj(addr));
        }
    }

    /// Where to find an object that was made here, once the iteration may be over.
    pub(crate) fn current_address(&self, addr: Addr) -> Addr {
        let is_there = self.run.state.get(addr).is_some() || self.analysis.program.frozen_object(addr).is_some();
        if is_there { addr } else { addr.summary() }
    }
}
