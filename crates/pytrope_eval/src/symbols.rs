//! Symbols of unknown integers, and the names they are shown by.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use pytrope_dims::{Dim, Sym};
use rustc_hash::FxHashSet;

use pytrope_trie::Trie;

/// Symbols are unique in the process, so that frozen modules can be shared; within one interpreter later ones are larger.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// The number the next symbol will have or exceed.
pub fn next_symbol_number() -> u32 {
    NEXT.load(Ordering::Relaxed)
}

pub fn fresh_symbol() -> Sym {
    Sym(Sym(NEXT.fetch_add(1, Ordering::Relaxed)).number())
}

/// A symbol that is never negative.
pub fn fresh_natural() -> Sym {
    Sym(fresh_symbol().0 | Sym::NATURAL)
}

/// A symbol that stands for the integers of many objects.
pub fn summary_symbol(sym: Sym) -> Sym {
    Sym(sym.0 | Sym::SUMMARY)
}

/// A fresh symbol of the same sort.
pub fn symbol_like(sym: Sym) -> Sym {
    Sym(fresh_symbol().0 | (sym.0 ^ sym.number()))
}

/// Whether a symbol was made after a mark.
pub fn is_younger(sym: Sym, mark: u32) -> bool {
    sym.number() >= mark
}

/// How symbols are shown. Copies are O(1).
#[derive(Clone, Default, Debug)]
pub struct SymbolNames {
    names: Trie<Arc<str>>,
    /// Symbols that keep the name they have.
    pinned: FxHashSet<Sym>,
}

impl SymbolNames {
    /// Names a symbol.
    pub fn set(&mut self, sym: Sym, name: &str) {
        if self.pinned.contains(&sym) {
            return;
        }
        self.names.insert(u64::from(sym.0), Arc::from(name));
    }

    /// Keeps the name that a symbol has.
    pub fn pin(&mut self, sym: Sym) {
        self.pinned.insert(sym);
    }

    /// A symbol has no name any more.
    pub fn forget_name(&mut self, sym: Sym) {
        if !self.pinned.contains(&sym) {
            self.names.remove(u64::from(sym.0));
        }
    }

    /// The name a symbol has been given.
    pub fn given(&self, sym: Sym) -> Option<Arc<str>> {
        self.names.get(u64::from(sym.0)).cloned()
    }

    /// Whether a symbol takes the name of the variable that it is bound to: it has none, or one made of other names.
    pub fn is_nameable(&self, sym: Sym) -> bool {
        self.given(sym).is_none_or(|given| given.contains('.') || given.contains('('))
    }

    /// `?` for symbols without a name.
    pub fn show(&self, dim: &Dim) -> String {
        if let Some(sym) = dim.as_symbol() {
            return self.given(sym).map_or_else(|| "?".to_owned(), |name| name.to_string());
        }
        let unnamed = dim.any_symbol(&mut |sym| self.names.get(u64::from(sym.0)).is_none());
        if unnamed {
            return "?".to_owned();
        }
        let name = |sym: Sym| self.given(sym).map_or_else(|| "?".to_owned(), |name| name.to_string());
        dim.display(&name).to_string()
    }

    pub fn absorb(&mut self, other: &Self) {
        self.names = Trie::join(&self.names, &other.names, &(0..u64::MAX), &mut |_, _, _| None, &mut |_, _| None);
    }
}
