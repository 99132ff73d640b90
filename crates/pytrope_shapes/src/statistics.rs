//! `check --statistics`: how much is known of the arrays of a program, and why not more.

use pytrope_eval::interp::{ArrayKnowledge, BindingKind};
use pytrope_source::Span;

use crate::shown::ShownBinding;

/// Array-valued variables, by what is known of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct ArrayCounts {
    /// Every size is known, as a number or by name.
    pub shape: usize,
    /// The rank is known, and not every size.
    pub rank: usize,
    /// Neither is known.
    pub unknown: usize,
}

impl ArrayCounts {
    /// The variables of some bindings that are arrays or are used as arrays; what is returned is no variable.
    pub fn of(bindings: &[ShownBinding]) -> Self {
        let mut counts = Self::default();
        for binding in bindings.iter().filter(|binding| binding.kind != BindingKind::Return) {
            match binding.array {
                Some(ArrayKnowledge::Shape) => counts.shape += 1,
                Some(ArrayKnowledge::Rank) => counts.rank += 1,
                Some(ArrayKnowledge::Class) => counts.unknown += 1,
                None => {}
            }
        }
        counts
    }

    pub fn total(self) -> usize {
        self.shape + self.rank + self.unknown
    }

    pub fn add(&mut self, other: Self) {
        self.shape += other.shape;
        self.rank += other.rank;
        self.unknown += other.unknown;
    }
}

/// A cause of unknown arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCause {
    pub reason: String,
    pub span: Option<Span>,
    /// How many variables are unknown because of it.
    pub count: usize,
}

/// The causes of unknown arrays, the most frequent first.
pub fn unknown_causes<'a>(bindings: impl IntoIterator<Item = &'a ShownBinding>) -> Vec<UnknownCause> {
    let mut causes: Vec<UnknownCause> = Vec::new();
    let unknown = bindings
        .into_iter()
        .filter(|binding| binding.kind != BindingKind::Return && binding.array == Some(ArrayKnowledge::Class));
    for binding in unknown {
        let reason = binding.reason.clone().unwrap_or_else(|| "different values are joined here".to_owned());
        match causes.iter_mut().find(|cause| cause.reason == reason && cause.span == binding.cause) {
            Some(cause) => cause.count += 1,
            None => causes.push(UnknownCause { reason, span: binding.cause.clone(), count: 1 }),
        }
    }
    // Places come in the order of the files, and stay so among equals.
    causes.sort_by_key(|cause| std::cmp::Reverse(cause.count));
    causes
}
