//! The Omega test (Pugh 1991): integer solutions of linear equations and inequalities.
//!
//! Equations go by unimodular substitution. Inequalities go variable by variable: exactly where a
//! coefficient is 1; else the real shadow refutes, the dark shadow confirms, and splinters decide
//! what lies between. A solution is built on the way back.

use crate::number::{ceil, floor, gcd};

/// Numbers past this count as overflow, which leaves room for negation and small sums.
const LIMIT: i128 = 1 << 120;

fn limit_number(number: i128) -> Option<i128> {
    (-LIMIT..=LIMIT).contains(&number).then_some(number)
}

/// `coefficients · x + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinearRow {
    coefficients: Vec<i128>,
    constant: i128,
}

impl LinearRow {
    pub(super) fn constant(constant: i128) -> Self {
        Self { coefficients: Vec::new(), constant }
    }

    /// Whether all numbers are small enough to compute with.
    pub(super) fn in_range(&self) -> bool {
        self.coefficients.iter().all(|c| limit_number(*c).is_some()) && limit_number(self.constant).is_some()
    }

    pub(super) fn set(&mut self, variable: usize, coefficient: i128) {
        if self.coefficients.len() <= variable {
            self.coefficients.resize(variable + 1, 0);
        }
        self.coefficients[variable] = coefficient;
    }

    pub(super) fn pad(&mut self, count: usize) {
        self.coefficients.resize(count, 0);
    }

    pub(super) fn plus_const(&self, value: i128) -> Option<Self> {
        let constant = self.constant.checked_add(value)?;
        Some(Self { coefficients: self.coefficients.clone(), constant })
    }

    pub(super) fn negated(&self) -> Option<Self> {
        self.combine_rows(-1, self, 0)
    }

    pub(super) fn eval(&self, values: &[i128]) -> Option<i128> {
        let mut sum = self.constant;
        for (coefficient, value) in self.coefficients.iter().zip(values) {
            if *coefficient != 0 {
                sum = sum.checked_add(coefficient.checked_mul(*value)?)?;
            }
        }
        Some(sum)
    }

    /// `a*self + b*other`.
    fn combine_rows(&self, a: i128, other: &Self, b: i128) -> Option<Self> {
        let mix = |x: i128, y: i128| -> Option<i128> {
            match (x, y) {
                (0, 0) => Some(0),
                _ => limit_number(a.checked_mul(x)?.checked_add(b.checked_mul(y)?)?),
            }
        };
        let coefficients =
            self.coefficients.iter().zip(&other.coefficients).map(|(x, y)| mix(*x, *y)).collect::<Option<Vec<_>>>()?;
        Some(Self { coefficients, constant: mix(self.constant, other.constant)? })
    }

    fn divisor(&self) -> i128 {
        let mut divisor = 0;
        for coefficient in self.coefficients.iter().filter(|coefficient| **coefficient != 0) {
            divisor = gcd(divisor, *coefficient);
            if divisor == 1 {
                break;
            }
        }
        divisor
    }

    fn divide(&mut self, g: i128, constant: i128) {
        if g != 1 {
            for coefficient in self.coefficients.iter_mut().filter(|coefficient| **coefficient != 0) {
                *coefficient = floor(*coefficient, g);
            }
        }
        self.constant = constant;
    }

    /// Replaces a variable by a row over the others (and perhaps itself).
    fn substitute(&mut self, variable: usize, by: &Self) -> Option<()> {
        let factor = self.coefficients[variable];
        if factor != 0 {
            self.coefficients[variable] = 0;
            *self = self.combine_rows(1, by, factor)?;
        }
        Some(())
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    /// Rows that are zero.
    pub(super) equations: Vec<LinearRow>,
    /// Rows that are not negative.
    pub(super) inequalities: Vec<LinearRow>,
    count: usize,
}

impl System {
    pub(super) fn in_range(&self) -> bool {
        self.equations.iter().chain(&self.inequalities).all(LinearRow::in_range)
    }

    pub(super) fn pad(&mut self, count: usize) {
        self.count = count;
        for row in self.equations.iter_mut().chain(&mut self.inequalities) {
            row.pad(count);
        }
    }
}

pub(super) enum OmegaOutcome {
    Sat(Vec<i128>),
    Unsat,
    Unknown,
}

/// Why a step ended early.
enum OmegaStop {
    Unsat,
    /// Overflow or the end of the budget.
    Unknown,
}

pub(super) fn solve(system: System, budget: &mut u32) -> OmegaOutcome {
    match find_solution(system, budget) {
        Ok(values) => OmegaOutcome::Sat(values),
        Err(OmegaStop::Unsat) => OmegaOutcome::Unsat,
        Err(OmegaStop::Unknown) => OmegaOutcome::Unknown,
    }
}

fn spend_budget(budget: &mut u32, steps: usize) -> Result<(), OmegaStop> {
    *budget = budget.checked_sub(u32::try_from(steps).unwrap_or(u32::MAX)).ok_or(OmegaStop::Unknown)?;
    Ok(())
}

fn find_solution(mut system: System, budget: &mut u32) -> Result<Vec<i128>, OmegaStop> {
    // Each entry says what a variable is in terms of those that remained after it.
    let mut trail: Vec<(usize, LinearRow)> = Vec::new();
    loop {
        eliminate_equations(&mut system, &mut trail, budget)?;
        if !normalise_rows(&mut system)? {
            break;
        }
    }
    let mut values = eliminate_inequalities(system, budget)?;
    for (variable, row) in trail.iter().rev() {
        values[*variable] = row.eval(&values).ok_or(OmegaStop::Unknown)?;
    }
    Ok(values)
}

fn eliminate_equations(
    system: &mut System,
    trail: &mut Vec<(usize, LinearRow)>,
    budget: &mut u32,
) -> Result<(), OmegaStop> {
    while let Some(mut equation) = system.equations.pop() {
        loop {
            spend_budget(budget, 1 + (system.equations.len() + system.inequalities.len()) * system.count / 256)?;
            let g = equation.divisor();
            if g == 0 {
                if equation.constant != 0 {
                    return Err(OmegaStop::Unsat);
                }
                break;
            }
            if equation.constant % g != 0 {
                return Err(OmegaStop::Unsat);
            }
            let constant = equation.constant / g;
            equation.divide(g, constant);
            let (variable, pivot) = equation
                .coefficients
                .iter()
                .copied()
                .enumerate()
                .filter(|(_, c)| *c != 0)
                .min_by_key(|(_, c)| c.unsigned_abs())
                .expect("a divisor that is not zero comes from a coefficient");
            // With x = x' - Σ qᵢ·xᵢ - q the other coefficients shrink below the pivot; with a unit
            // pivot they vanish and the equation gives x itself.
            let mut definition = LinearRow::constant(0);
            definition.pad(system.count);
            for (index, coefficient) in equation.coefficients.iter().enumerate() {
                if index != variable {
                    definition.coefficients[index] = -nearest_quotient(*coefficient, pivot);
                }
            }
            definition.constant = -nearest_quotient(equation.constant, pivot);
            if pivot.unsigned_abs() > 1 {
                definition.coefficients[variable] = 1;
            }
            for row in system.equations.iter_mut().chain(&mut system.inequalities) {
                row.substitute(variable, &definition).ok_or(OmegaStop::Unknown)?;
            }
            equation.substitute(variable, &definition).ok_or(OmegaStop::Unknown)?;
            trail.push((variable, definition));
            if pivot.unsigned_abs() == 1 {
                break;
            }
        }
    }
    Ok(())
}

/// The quotient rounded to nearest, so that remainders are small on both sides.
fn nearest_quotient(a: i128, b: i128) -> i128 {
    let (a, b) = if b < 0 { (a.saturating_neg(), -b) } else { (a, b) };
    let quotient = a.div_euclid(b);
    let remainder = a.rem_euclid(b);
    if remainder > b / 2 { quotient + 1 } else { quotient }
}

/// Tightens rows, drops weaker ones, and turns opposite pairs into equations (`true` if any arose).
fn normalise_rows(system: &mut System) -> Result<bool, OmegaStop> {
    let mut kept: Vec<LinearRow> = Vec::with_capacity(system.inequalities.len());
    for mut row in system.inequalities.drain(..) {
        let g = row.divisor();
        if g == 0 {
            if row.constant < 0 {
                return Err(OmegaStop::Unsat);
            }
            continue;
        }
        if g > 1 {
            let constant = floor(row.constant, g);
            row.divide(g, constant);
        }
        kept.push(row);
    }
    // Rows with the same direction stand together, the tightest first.
    kept.sort_by(|a, b| a.coefficients.cmp(&b.coefficients).then(a.constant.cmp(&b.constant)));
    kept.dedup_by(|b, a| a.coefficients == b.coefficients);
    let mut found = false;
    let mut opposite = vec![false; kept.len()];
    for index in 0..kept.len() {
        let row = &kept[index];
        // Look once per pair: from the row whose first coefficient is negative.
        if row.coefficients.iter().find(|c| **c != 0).is_none_or(|c| *c > 0) {
            continue;
        }
        let mirror: Vec<i128> = row.coefficients.iter().map(|c| -c).collect();
        if let Ok(other) = kept.binary_search_by(|row| row.coefficients.cmp(&mirror)) {
            let room = row.constant.checked_add(kept[other].constant).ok_or(OmegaStop::Unknown)?;
            if room < 0 {
                return Err(OmegaStop::Unsat);
            }
            if room == 0 {
                found = true;
                opposite[index] = true;
                opposite[other] = true;
                system.equations.push(row.clone());
            }
        }
    }
    let mut flags = opposite.iter();
    kept.retain(|_| !flags.next().copied().unwrap_or(false));
    system.inequalities = kept;
    Ok(found)
}

/// How one variable stands in the inequalities.
struct Occurrence {
    variable: usize,
    lower: usize,
    upper: usize,
    exact: bool,
}

fn count_occurrences(system: &System) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for variable in 0..system.count {
        let (mut lower, mut upper) = (0, 0);
        let (mut unit_lower, mut unit_upper) = (true, true);
        for row in &system.inequalities {
            let coefficient = row.coefficients[variable];
            if coefficient > 0 {
                lower += 1;
                unit_lower &= coefficient == 1;
            } else if coefficient < 0 {
                upper += 1;
                unit_upper &= coefficient == -1;
            }
        }
        if lower + upper > 0 {
            let exact = lower == 0 || upper == 0 || unit_lower || unit_upper;
            found.push(Occurrence { variable, lower, upper, exact });
        }
    }
    found
}

/// Expects a normalised system without equations.
fn eliminate_inequalities(mut system: System, budget: &mut u32) -> Result<Vec<i128>, OmegaStop> {
    // Rows of variables that went exactly, last one last.
    let mut gone: Vec<(usize, Vec<LinearRow>)> = Vec::new();
    let mut values = loop {
        // Looking at all rows costs too, and more than a combination where they are many.
        spend_budget(budget, system.inequalities.len() * system.count / 64)?;
        let candidates = count_occurrences(&system);
        let Some(best) = candidates.iter().min_by_key(|one| {
            let growth = (one.lower * one.upper) as i64 - (one.lower + one.upper) as i64;
            (!one.exact, growth)
        }) else {
            break vec![0; system.count];
        };
        let variable = best.variable;
        let (about, others): (Vec<LinearRow>, Vec<LinearRow>) =
            system.inequalities.drain(..).partition(|row| row.coefficients[variable] != 0);
        system.inequalities = others;
        if !best.exact {
            break solve_inexact(&system, variable, &about, budget)?;
        }
        add_shadow(&mut system, variable, &about, 0, budget)?;
        gone.push((variable, about));
        if normalise_rows(&mut system)? {
            break find_solution(system, budget)?;
        }
    };
    for (variable, about) in gone.iter().rev() {
        values[*variable] = choose_value(*variable, about, &values)?.ok_or(OmegaStop::Unknown)?;
    }
    Ok(values)
}

/// Adds the combinations of lower and upper bounds; `darkness` 1 makes the dark shadow.
fn add_shadow(
    system: &mut System,
    variable: usize,
    about: &[LinearRow],
    darkness: i128,
    budget: &mut u32,
) -> Result<(), OmegaStop> {
    for low in about.iter().filter(|row| row.coefficients[variable] > 0) {
        for high in about.iter().filter(|row| row.coefficients[variable] < 0) {
            spend_budget(budget, 1)?;
            let (a, b) = (low.coefficients[variable], -high.coefficients[variable]);
            let g = if darkness == 0 { gcd(a, b) } else { 1 };
            let mut row = low.combine_rows(b / g, high, a / g).ok_or(OmegaStop::Unknown)?;
            row.constant = row
                .constant
                .checked_sub(darkness * (a - 1).checked_mul(b - 1).ok_or(OmegaStop::Unknown)?)
                .ok_or(OmegaStop::Unknown)?;
            system.inequalities.push(row);
        }
    }
    Ok(())
}

/// A value within all bounds: near 1 where there is room; `None` if there is no integer.
fn choose_value(variable: usize, about: &[LinearRow], values: &[i128]) -> Result<Option<i128>, OmegaStop> {
    let (mut lo, mut hi) = (i128::MIN, i128::MAX);
    let mut values = values.to_vec();
    values[variable] = 0;
    for row in about {
        let rest = row.eval(&values).ok_or(OmegaStop::Unknown)?;
        let coefficient = row.coefficients[variable];
        if coefficient > 0 {
            lo = lo.max(ceil(rest.checked_neg().ok_or(OmegaStop::Unknown)?, coefficient));
        } else {
            hi = hi.min(floor(rest, coefficient.checked_neg().ok_or(OmegaStop::Unknown)?));
        }
    }
    Ok((lo <= hi).then(|| 1.clamp(lo, hi)))
}

fn solve_inexact(
    others: &System,
    variable: usize,
    about: &[LinearRow],
    budget: &mut u32,
) -> Result<Vec<i128>, OmegaStop> {
    // The real shadow refutes; and its solution may leave room for an integer already.
    let mut real = others.clone();
    add_shadow(&mut real, variable, about, 0, budget)?;
    let mut unknown = false;
    match find_solution(real, budget) {
        Ok(mut values) => {
            if let Some(value) = choose_value(variable, about, &values)? {
                values[variable] = value;
                return Ok(values);
            }
        }
        Err(OmegaStop::Unsat) => return Err(OmegaStop::Unsat),
        Err(OmegaStop::Unknown) => unknown = true,
    }
    let mut dark = others.clone();
    add_shadow(&mut dark, variable, about, 1, budget)?;
    match find_solution(dark, budget) {
        Ok(mut values) => {
            values[variable] = choose_value(variable, about, &values)?.ok_or(OmegaStop::Unknown)?;
            return Ok(values);
        }
        Err(OmegaStop::Unsat) => {}
        Err(OmegaStop::Unknown) => unknown = true,
    }
    // Outside the dark shadow a solution lies close above some lower bound.
    let largest = about.iter().map(|row| row.coefficients[variable].saturating_neg()).max().unwrap_or(1);
    for low in about.iter().filter(|row| row.coefficients[variable] > 0) {
        let b = low.coefficients[variable];
        let product = largest.checked_mul(b).ok_or(OmegaStop::Unknown)?;
        let last = floor(product - largest - b, largest);
        let mut offset = 0;
        while offset <= last {
            spend_budget(budget, 1)?;
            let mut splinter = others.clone();
            splinter.inequalities.extend(about.iter().cloned());
            let row = low.plus_const(-offset).ok_or(OmegaStop::Unknown)?;
            splinter.equations.push(row);
            match find_solution(splinter, budget) {
                Ok(values) => return Ok(values),
                Err(OmegaStop::Unsat) => {}
                Err(OmegaStop::Unknown) => unknown = true,
            }
            offset += 1;
        }
    }
    Err(if unknown { OmegaStop::Unknown } else { OmegaStop::Unsat })
}
