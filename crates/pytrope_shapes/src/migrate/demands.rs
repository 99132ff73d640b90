//! What open sizes must satisfy: collected from runs, with sizes that can only be numbers made numbers, and without what follows.

use std::collections::{BTreeMap, BTreeSet};

use pytrope_dims::{
    Answer, Atom, Constraint, Dim, FactReason, Formula, Interval, Model, Problem, Relation, Sym, python_floor_div,
};
use pytrope_source::Span;

use super::entry_program::EntryRun;

/// Constraints with the place that demands them.
pub(super) type Demanded = Vec<(Constraint, Option<Span>)>;

/// Steps the solver may take for one question here; without an answer a relation stays as it is.
const BUDGET: u32 = 20_000;

/// What a run requires of the open sizes, as constraints that all hold for the sample.
pub(super) fn add_demands(demanded: &mut Demanded, run: &EntryRun, values: &BTreeMap<Sym, i128>) {
    let value = |sym: Sym| values.get(&sym).copied();
    let mut add = |constraint: Constraint, span: Option<&Span>| {
        let is_own = constraint.dim.symbols().iter().all(|sym| values.contains_key(sym));
        if is_own && constraint.as_const().is_none() && constraint.eval(&value) == Some(true) {
            for form in solved_forms(constraint) {
                if !demanded.iter().any(|(known, _)| *known == form) {
                    demanded.push((form, span.cloned()));
                }
            }
        }
    };
    for requirement in &run.requirements {
        let Some(formula) = &requirement.formula else { continue };
        let mut chosen = Vec::new();
        choose_parts(formula, &value, &mut chosen);
        for constraint in chosen {
            add(constraint, Some(&requirement.span));
        }
    }
    for fact in &run.facts {
        add(fact.clone(), None);
    }
}

/// The constraints of a formula; of alternatives the one that the sample satisfies, relations between sizes first.
fn choose_parts(formula: &Formula, value: &dyn Fn(Sym) -> Option<i128>, chosen: &mut Vec<Constraint>) {
    match formula {
        Formula::Constraint(constraint) => chosen.push(constraint.clone()),
        Formula::And(parts) => parts.iter().for_each(|part| choose_parts(part, value, chosen)),
        Formula::Or(parts) => {
            let count = |part: &&Formula| {
                let mut symbols = BTreeSet::new();
                part.collect_symbols(&mut symbols);
                symbols.len()
            };
            let holding = parts.iter().filter(|part| part.eval(value) == Some(true));
            if let Some(part) = holding.max_by_key(count) {
                choose_parts(part, value, chosen);
            }
        }
    }
}

/// A constraint on a rounded quotient says something about what is divided: `h // 4 == 7` is `28 <= h <= 31`.
fn solved_forms(constraint: Constraint) -> Vec<Constraint> {
    if let Some(solved) = without_floor(&constraint) {
        return solved_forms(solved);
    }
    if constraint.relation == Relation::Zero
        && let [(monomial, _)] = constraint.dim.terms()
        && matches!(monomial.as_atom(), Some(Atom::Floor(_)))
    {
        let upper = constraint.dim.negated().map(|dim| Constraint::new(Relation::NonNegative, dim));
        let bounds = [Some(Constraint::new(Relation::NonNegative, constraint.dim.clone())), upper];
        let solved: Option<Vec<Constraint>> = bounds.into_iter().map(|bound| without_floor(&bound?)).collect();
        if let Some(solved) = solved {
            return solved.into_iter().flat_map(solved_forms).collect();
        }
    }
    vec![constraint]
}

/// `a*(p // d) + b >= 0` as a bound of `p`.
fn without_floor(constraint: &Constraint) -> Option<Constraint> {
    let (Relation::NonNegative, [(monomial, factor)]) = (constraint.relation, constraint.dim.terms()) else {
        return None;
    };
    let Atom::Floor(parts) = monomial.as_atom()? else { return None };
    let divisor = parts.1.as_const().filter(|divisor| *divisor > 0)?;
    let constant = constraint.dim.constant_term();
    let dim = if *factor > 0 {
        // p // d >= m, with m = ceil(-b / a)
        let least = python_floor_div(constant, *factor)?.checked_neg()?;
        parts.0.plus_const(least.checked_mul(divisor)?.checked_neg()?)?
    } else {
        // p // d <= m, with m = floor(b / -a)
        let most = python_floor_div(constant, factor.checked_neg()?)?;
        parts.0.negated()?.plus_const(most.checked_add(1)?.checked_mul(divisor)?.checked_sub(1)?)?
    };
    Some(Constraint::new(Relation::NonNegative, dim))
}

/// Sizes that can only be a number become it, and equal ones become one symbol.
pub(super) fn settle_sizes<P>(demanded: &mut Demanded, sizes: &mut BTreeMap<P, Dim>, values: &BTreeMap<Sym, i128>) {
    let mut questions = Questions::about(values);
    let mut kept: Vec<Sym> = Vec::new();
    for (sym, value) in values {
        let is_constrained = demanded.iter().any(|(constraint, _)| constraint.dim.mentions(*sym));
        if !is_constrained {
            continue;
        }
        let own = Dim::symbol(*sym);
        let constant = Dim::constant(*value);
        let all: Vec<&Constraint> = demanded.iter().map(|(constraint, _)| constraint).collect();
        let number = Constraint::equal(&own, &constant).filter(|equal| questions.follows_from(&all, equal));
        let replacement = if number.is_some() {
            Some(constant)
        } else {
            let alike = kept.iter().find(|other| {
                values.get(*other) == Some(value)
                    && Constraint::equal(&own, &Dim::symbol(**other))
                        .is_some_and(|equal| questions.follows_from(&all, &equal))
            });
            alike.map(|other| Dim::symbol(*other))
        };
        let Some(replacement) = replacement else {
            kept.push(*sym);
            continue;
        };
        let replace = |other: Sym| (other == *sym).then(|| replacement.clone());
        for (constraint, _) in demanded.iter_mut() {
            if let Some(replaced) = constraint.substitute(&replace) {
                *constraint = replaced;
            }
        }
        for dim in sizes.values_mut() {
            if let Some(replaced) = dim.substitute(&replace) {
                *dim = replaced;
            }
        }
    }
    demanded.retain(|(constraint, _)| constraint.as_const() != Some(true));
    let mut seen: Vec<Constraint> = Vec::new();
    demanded.retain(|(constraint, _)| {
        let is_new = !seen.contains(constraint);
        seen.push(constraint.clone());
        is_new
    });
}

/// What is left without the constraints that follow from the others.
pub(super) fn drop_implied(demanded: Demanded, values: &BTreeMap<Sym, i128>) -> Demanded {
    let mut questions = Questions::about(values);
    // The longest go first: what is left is what people would write.
    let mut order: Vec<usize> = (0..demanded.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(demanded[*index].0.to_string().len()));
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for index in order {
        let others = demanded.iter().enumerate().filter(|(at, _)| *at != index && !dropped.contains(at));
        let rest: Vec<&Constraint> = others.map(|(_, (constraint, _))| constraint).collect();
        if questions.follows_from(&rest, &demanded[index].0) {
            dropped.insert(index);
        }
    }
    demanded.into_iter().enumerate().filter(|(at, _)| !dropped.contains(at)).map(|(_, own)| own).collect()
}

/// Whether constraints follow from others, for sizes of at least 1. Models that were met before answer most questions.
struct Questions {
    symbols: Vec<Sym>,
    models: Vec<Model>,
}

impl Questions {
    /// Questions about sizes with these values in the sample, which begin with the models near it.
    fn about(values: &BTreeMap<Sym, i128>) -> Self {
        let sample: Model = values.clone();
        let mut models = vec![sample.clone(), values.keys().map(|sym| (*sym, 1)).collect()];
        for (sym, value) in values {
            let near = [value + 1, value - 1, value + 2, value * 2, value + 32, value / 2, 1, 2, 3];
            models.extend(near.into_iter().filter(|other| *other >= 1 && other != value).map(|other| {
                let mut model = sample.clone();
                model.insert(*sym, other);
                model
            }));
        }
        Self { symbols: values.keys().copied().collect(), models }
    }

    fn follows_from(&mut self, given: &[&Constraint], asked: &Constraint) -> bool {
        let refutes = |model: &Model| {
            let value = |sym: Sym| model.get(&sym).copied();
            asked.eval(&value) == Some(false) && given.iter().all(|own| own.eval(&value) == Some(true))
        };
        if self.models.iter().any(refutes) {
            return false;
        }
        let Some(negated) = asked.negated() else { return false };
        let mut problem = Problem::new().with_budget(BUDGET);
        for sym in &self.symbols {
            problem.declare(*sym, Interval::at_least(1));
        }
        for (index, constraint) in given.iter().enumerate() {
            problem.assert((*constraint).clone(), FactReason(index as u32));
        }
        problem.assert(negated, FactReason(u32::MAX));
        match problem.solve() {
            Answer::Unsat => true,
            Answer::Sat(model) => {
                self.models.push(model);
                false
            }
            Answer::Unknown => false,
        }
    }
}
