//! States in which something may be raised: a `try` is entered with the join of all of them, which grows statement by statement.

use pytrope_dims::Store;
use pytrope_trie::Pair;

use super::Interp;
use crate::join::Joiner;
use crate::state::State;
use crate::value::Addr;

/// The join of some states, and the last of them: of the next state only what differs from the last need be joined.
#[derive(Clone)]
pub struct HandlerEntryState {
    joined: State,
    last: State,
}

impl HandlerEntryState {
    pub fn new(state: &State) -> Self {
        Self { joined: state.clone(), last: state.clone() }
    }

    pub fn into_state(self) -> State {
        self.joined
    }
}

impl Interp<'_> {
    /// Adds the current state.
    pub(super) fn join_here(&mut self, so_far: HandlerEntryState) -> HandlerEntryState {
        let here = self.run.state.clone();
        // A path that only the analysis follows, behind an exception, says nothing where another one arrives.
        match so_far.joined.certain_raises.cmp(&here.certain_raises) {
            std::cmp::Ordering::Less => return so_far,
            std::cmp::Ordering::Greater => return HandlerEntryState::new(&here),
            std::cmp::Ordering::Equal => {}
        }
        let HandlerEntryState { joined, last } = so_far;
        let program = self.analysis.program;
        let frozen = |addr: Addr| program.frozen_object(addr).cloned();
        let fresh = self.fresh_keys();
        let mut joiner = Joiner::new(&frozen, fresh.clone());
        joiner.sides = Some((&joined, &here));
        let mut heap = joined.heap.clone();
        last.heap.for_each_difference(&here.heap, &mut |key, pair| {
            let addr = Addr(key);
            let known = joined.heap.get(key);
            let object = match (pair, known) {
                (Pair::Both(before, now), Some(known)) => joiner.objects_since(addr, known, before, now),
                (Pair::Right(now), Some(known)) => joiner.join_objects(addr, known, now),
                (Pair::Both(_, now) | Pair::Right(now), None) => match frozen(addr) {
                    Some(other) if !fresh.contains(&key) => joiner.join_objects(addr, now, &other),
                    _ => now.clone(),
                },
                // What the state no longer has is as its module left it.
                (Pair::Left(_), Some(known)) if !fresh.contains(&key) => match frozen(addr) {
                    Some(other) => joiner.join_objects(addr, known, &other),
                    None => return,
                },
                (Pair::Left(_), _) => return,
            };
            if known != Some(&object) {
                heap.insert(key, object);
            }
        });
        let mut store =
            if here.store.same(&last.store) { joined.store.clone() } else { Store::join(&joined.store, &here.store) };
        for (sym, least) in joiner.declared {
            store.declare(sym, least);
        }
        let (escaped, confused) = (joiner.escaped, joiner.confused);
        let refined = joined.common_refinements(&here);
        let settings = joined.settings.join_settings(&here.settings);
        let state = State { heap, store, refined, certain_raises: here.certain_raises, settings };
        HandlerEntryState { joined: self.after_join(state, &escaped, &confused), last: here }
    }
}
