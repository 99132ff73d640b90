//! Boolean combinations of constraints, in negation normal form.

use std::collections::BTreeSet;

use crate::constraint::Constraint;
use crate::store::Store;
use crate::symbol::Sym;
use crate::three_valued::ThreeValued;

/// A boolean combination of constraints. Negation is pushed to the constraints when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    Constraint(Constraint),
    /// True when empty.
    And(Vec<Self>),
    /// False when empty.
    Or(Vec<Self>),
}

impl Formula {
    pub fn truth(value: bool) -> Self {
        if value { Self::And(Vec::new()) } else { Self::Or(Vec::new()) }
    }

    pub fn and(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::And(inner) => all.extend(inner),
                Self::Or(inner) if inner.is_empty() => return Self::truth(false),
                part => match part.as_const() {
                    Some(true) => {}
                    Some(false) => return Self::truth(false),
                    None => all.push(part),
                },
            }
        }
        if all.len() == 1 { all.swap_remove(0) } else { Self::And(all) }
    }

    pub fn or(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut all = Vec::new();
        for part in parts {
            match part {
                Self::Or(inner) => all.extend(inner),
                Self::And(inner) if inner.is_empty() => return Self::truth(true),
                part => match part.as_const() {
                    Some(false) => {}
                    Some(true) => return Self::truth(true),
                    None => all.push(part),
                },
            }
        }
        if all.len() == 1 { all.swap_remove(0) } else { Self::Or(all) }
    }

    /// `None` where a constraint's negation overflows.
    pub fn negated(&self) -> Option<Self> {
        Some(match self {
            Self::Constraint(constraint) => Self::Constraint(constraint.negated()?),
            Self::And(parts) => Self::or(parts.iter().map(Self::negated).collect::<Option<Vec<_>>>()?),
            Self::Or(parts) => Self::and(parts.iter().map(Self::negated).collect::<Option<Vec<_>>>()?),
        })
    }

    pub fn as_const(&self) -> Option<bool> {
        match self {
            Self::Constraint(constraint) => constraint.as_const(),
            Self::And(parts) => parts.is_empty().then_some(true),
            Self::Or(parts) => parts.is_empty().then_some(false),
        }
    }

    pub fn eval(&self, value: &dyn Fn(Sym) -> Option<i128>) -> Option<bool> {
        // A decided part decides, even where another part has no value (a division by zero).
        let (parts, decisive) = match self {
            Self::Constraint(constraint) => return constraint.eval(value),
            Self::And(parts) => (parts, false),
            Self::Or(parts) => (parts, true),
        };
        let mut undefined = false;
        for part in parts {
            match part.eval(value) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => undefined = true,
            }
        }
        (!undefined).then_some(!decisive)
    }

    /// What a store says without searching.
    pub fn decide_quickly(&self, store: &Store) -> ThreeValued {
        let (parts, decisive) = match self {
            Self::Constraint(constraint) => return store.decide_quickly(constraint),
            Self::And(parts) => (parts, ThreeValued::False),
            Self::Or(parts) => (parts, ThreeValued::True),
        };
        let mut open = false;
        for part in parts {
            let truth = part.decide_quickly(store);
            if truth == decisive {
                return decisive;
            }
            open |= truth == ThreeValued::Open(());
        }
        if open { ThreeValued::Open(()) } else { decisive.negated() }
    }

    pub fn collect_symbols(&self, found: &mut BTreeSet<Sym>) {
        match self {
            Self::Constraint(constraint) => constraint.dim.collect_symbols(found),
            Self::And(parts) | Self::Or(parts) => {
                for part in parts {
                    part.collect_symbols(found);
                }
            }
        }
    }
}

impl From<Constraint> for Formula {
    fn from(constraint: Constraint) -> Self {
        Self::Constraint(constraint)
    }
}
