//! Escape: what unknown code can reach, and what it may therefore have changed whenever it runs.
//!
//! ```python
//! queue = []
//! listen(queue)    # `listen` is unknown: the list escapes
//! queue.clear()
//! wait()           # unknown code runs again, and may append
//! queue[0]         # not an IndexError that is certain
//! ```
//!
//! Two things escape. *Objects* ([`objects`]) are reached directly: an argument, an item of it, an object stored in an
//! Unknown. *Closures* ([`closures`]) are functions and methods that unknown code may call: what escapes with them are the variables they
//! capture and rebind. [`havoc`] is the one traversal that makes an object and all it reaches escape, and forgets
//! what can change in them. Invariant: once an address has escaped it stays escaped for the rest of the run, and for
//! the summary address that stands for it after an iteration ([`Escape::extend_to_summary`]).
//!
//! The literature calls the analysis escape analysis (Choi et al., OOPSLA 1999) and the forgetting *havoc* (Boogie).

mod captured;
mod closures;
mod entry_points;
mod havoc;
mod namespaces;
mod objects;

pub(crate) use havoc::push_seq;

use rustc_hash::FxHashSet;

use crate::code::ScopeId;
use crate::interp::Interp;
use crate::state::State;
use crate::value::{Addr, Value};

use closures::EscapedClosures;
use objects::EscapedObjects;

/// What has escaped in one run.
#[derive(Clone, Default)]
pub(crate) struct Escape {
    closures: EscapedClosures,
    objects: EscapedObjects,
    /// Functions of the program that were passed to decorators whose result is unknown.
    pub definitions: FxHashSet<ScopeId>,
    /// Functions of the program that unknown code may call, with the state at that point, for clients with an observer.
    pub entry_points: Vec<(State, Value)>,
}

/// What unknown code does with the objects that have escaped.
#[derive(Clone, Copy)]
pub(crate) enum ForeignEffect<'a> {
    /// Anything. Attributes that hold arrays, instances, classes or functions are assumed to hold them still, as arrays
    /// keep their shapes; what these hold may change.
    Anything,
    /// It stores an attribute of this name.
    Attribute(&'a crate::names::Name),
    /// It changes the contents of a container.
    Contents,
}

impl Escape {
    /// What has escaped of an object has escaped of the summary that stands for it from now on.
    pub fn extend_to_summary(&mut self, addr: Addr, summary: Addr) {
        self.closures.extend_to_summary(addr, summary);
        self.objects.extend_to_summary(addr, summary);
    }
}

impl Interp<'_> {
    /// Unknown code runs: it may call every closure that has escaped, and change every object.
    pub(crate) fn havoc_escaped(&mut self) {
        self.havoc_escaped_closures();
        self.havoc_escaped_objects(ForeignEffect::Anything);
    }
}
