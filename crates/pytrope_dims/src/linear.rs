//! The linear procedure: constraints as linear systems over monomials, decided by the Omega test.
//!
//! Floor divisions by constants are linear (`d*q <= n < d*q + d`), so systems of sums, constant
//! factors, divisions by constants, `min` and `max` are decided completely, up to the budget. A
//! product of symbols becomes a variable of its own with what intervals say about it: a refutation
//! of such a system is a refutation, while a solution may be none.

mod omega;
mod translate;

use std::collections::{BTreeMap, BTreeSet};

use crate::constraint::Constraint;
use crate::effort::within_allowance;
use crate::interval::Interval;
use crate::symbol::Sym;

use omega::{LinearRow, System};
use translate::Translation;

/// Past this many variables a system is not worth starting.
const MAX_VARIABLES: usize = 120;
/// The same for questions that must be answered at once.
const QUICK_VARIABLES: usize = 32;

/// What became of a linear system.
#[derive(Debug)]
pub(crate) enum LinearOutcome {
    /// Values of the symbols; a true solution if the system was exact.
    Sat(BTreeMap<Sym, i128>),
    Unsat,
    Unknown,
}

/// Whether no integers satisfy all constraints together. `false` also when the budget ends.
pub(crate) fn refute_constraints<'a>(
    constraints: impl Iterator<Item = &'a Constraint>,
    symbols: &BTreeSet<Sym>,
    bounds: &dyn Fn(Sym) -> Interval,
    budget: u32,
) -> bool {
    within_allowance(budget, |steps| {
        *steps > 0 && {
            let (outcome, _) = solve_within(QUICK_VARIABLES, constraints, symbols, bounds, steps);
            matches!(outcome, LinearOutcome::Unsat)
        }
    })
}

/// Solves the linear system of the constraints; the flag says whether that system is equivalent to them.
pub(crate) fn solve<'a>(
    constraints: impl Iterator<Item = &'a Constraint>,
    symbols: &BTreeSet<Sym>,
    bounds: &dyn Fn(Sym) -> Interval,
    budget: &mut u32,
) -> (LinearOutcome, bool) {
    solve_within(MAX_VARIABLES, constraints, symbols, bounds, budget)
}

fn solve_within<'a>(
    max_variables: usize,
    constraints: impl Iterator<Item = &'a Constraint>,
    symbols: &BTreeSet<Sym>,
    bounds: &dyn Fn(Sym) -> Interval,
    budget: &mut u32,
) -> (LinearOutcome, bool) {
    let Some(translation) = Translation::of(constraints, symbols, bounds, max_variables) else {
        return (LinearOutcome::Unknown, false);
    };
    let exact = translation.exact;
    let outcome = match solve_branch(&translation, &translation.system, budget) {
        omega::OmegaOutcome::Sat(values) => LinearOutcome::Sat(translation.values_of_symbols(&values)),
        omega::OmegaOutcome::Unsat => LinearOutcome::Unsat,
        omega::OmegaOutcome::Unknown => LinearOutcome::Unknown,
    };
    (outcome, exact)
}

/// Solves without disequalities and choices, then splits on one that the solution violates.
fn solve_branch(translation: &Translation, system: &System, budget: &mut u32) -> omega::OmegaOutcome {
    let values = match omega::solve(system.clone(), budget) {
        omega::OmegaOutcome::Sat(values) => values,
        refuted => return refuted,
    };
    let Some(cases) = translation.violated_cases(&values) else {
        return omega::OmegaOutcome::Sat(values);
    };
    let mut unknown = false;
    for case in cases {
        let mut narrowed = system.clone();
        case.add_to(&mut narrowed);
        match solve_branch(translation, &narrowed, budget) {
            omega::OmegaOutcome::Sat(values) => return omega::OmegaOutcome::Sat(values),
            omega::OmegaOutcome::Unsat => {}
            omega::OmegaOutcome::Unknown => unknown = true,
        }
    }
    if unknown { omega::OmegaOutcome::Unknown } else { omega::OmegaOutcome::Unsat }
}

/// One side of a split.
enum LinearCase {
    NonNegative(LinearRow),
    Zero(LinearRow),
}

impl LinearCase {
    fn add_to(self, system: &mut System) {
        match self {
            Self::NonNegative(row) => system.inequalities.push(row),
            Self::Zero(row) => system.equations.push(row),
        }
    }
}
