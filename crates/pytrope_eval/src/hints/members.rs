//! Sizes at the members of a family of roles: a choreography has one array for all of them, and each member has its own.
//!
//! ```python
//! def fit(self, start: At[NdArray["d"], Server], rows: At[NdArray["n", "d"], Clients]) -> None:
//!     everyone = self.star.gather(rows)  # arrays of (?, d): every client has an n of its own, and they agree on d
//! ```
//!
//! Invariant: a size that only hints at a family name differs from member to member, so that nothing that a member learned
//! of its own holds for what comes from another one.

use pytrope_dims::{Dim, Sym};
use rustc_hash::FxHashMap;

use crate::interp::Interp;

impl Interp<'_> {
    /// Notes, while the signature of the analysed function is read, whose array has a named size.
    pub(super) fn note_holder(&mut self, named: &Dim, at_members: bool) {
        if !self.run.hints.promises {
            return;
        }
        if let Some(sym) = named.as_symbol() {
            let holders = if at_members { &mut self.run.hints.at_members } else { &mut self.run.hints.at_one_role };
            holders.insert(sym);
        }
    }

    /// What a size of one member is at another one; `renamed` keeps sizes that are equal there equal here.
    pub fn size_at_other_member(&mut self, dim: &Dim, renamed: &mut FxHashMap<Sym, Dim>) -> Dim {
        let own: Vec<Sym> = dim
            .symbols()
            .into_iter()
            .filter(|sym| self.run.hints.at_members.contains(sym) && !self.run.hints.at_one_role.contains(sym))
            .collect();
        for sym in own {
            renamed.entry(sym).or_insert_with(|| self.fresh_dim(None, Some(0)));
        }
        let known = dim.substitute(&|sym| renamed.get(&sym).cloned());
        known.unwrap_or_else(|| self.fresh_dim(None, Some(0)))
    }
}
