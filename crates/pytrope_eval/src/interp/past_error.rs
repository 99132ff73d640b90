//! Paths that only the analysis follows, behind an exception, where they meet one that arrives.

use crate::interp::Interp;
use crate::object::{Object, Slot};
use crate::state::State;
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// The state that arrives. Names that only the other path binds count as perhaps bound: that they are not is told
    /// by the finding on that path, and often the same condition that led to it leads to their use. Also whether any was.
    pub(super) fn join_past_error(&self, arrives: &State, behind: &State) -> (State, bool) {
        if self.run.frames.is_empty() || self.in_model() {
            return (arrives.clone(), false);
        }
        let scope = self.current_frame().scope();
        let (Some(Object::Scope(here)), Some(Object::Scope(there))) = (arrives.get(scope), behind.get(scope)) else {
            return (arrives.clone(), false);
        };
        let mut slots = here.clone();
        let mut changed = false;
        let frame = self.current_frame();
        let names = frame.info().locals.iter().map(|name| frame.code.name_of(*name));
        for name in names.filter(|name| there.get(*name).is_some() && here.get(*name).is_none()) {
            let slot = Slot { value: Value::Unknown(Reason::Finding), definite: false };
            slots.map.insert(u64::from(name.0), slot);
            changed = true;
        }
        let mut state = arrives.clone();
        if changed {
            state.set(scope, Object::Scope(slots));
        }
        (state, changed)
    }
}
