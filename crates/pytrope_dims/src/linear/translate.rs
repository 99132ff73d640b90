//! Turns constraints into rows over numbered variables, one variable for each monomial.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::LinearCase;
use super::omega::{LinearRow, System};
use crate::constraint::{Constraint, Relation};
use crate::dim::{Atom, Dim, Monomial};
use crate::interval::{self, Interval};
use crate::symbol::Sym;

pub(super) struct Translation<'a> {
    pub(super) system: System,
    /// Rows that must not be zero.
    holes: Vec<LinearRow>,
    /// Groups of non-negative rows of which one must be zero: `min` and `max` equal one of their choices.
    choices: Vec<Vec<LinearRow>>,
    /// Whether the system says all that the constraints say.
    pub(super) exact: bool,
    variables: FxHashMap<Monomial, usize>,
    symbols: Vec<(Sym, usize)>,
    pending: Vec<Monomial>,
    bounds: &'a dyn Fn(Sym) -> Interval,
}

impl<'a> Translation<'a> {
    pub(super) fn of<'c>(
        constraints: impl Iterator<Item = &'c Constraint>,
        symbols: &BTreeSet<Sym>,
        bounds: &'a dyn Fn(Sym) -> Interval,
        max_variables: usize,
    ) -> Option<Self> {
        let mut this = Self {
            system: System::default(),
            holes: Vec::new(),
            choices: Vec::new(),
            exact: true,
            variables: FxHashMap::default(),
            symbols: Vec::new(),
            pending: Vec::new(),
            bounds,
        };
        for constraint in constraints {
            let row = this.translate_dim(&constraint.dim);
            match constraint.relation {
                Relation::Zero => this.system.equations.push(row),
                Relation::NonNegative => this.system.inequalities.push(row),
                Relation::NonZero => this.holes.push(row),
            }
        }
        for sym in symbols {
            this.translate_dim(&Dim::symbol(*sym));
        }
        while let Some(monomial) = this.pending.pop() {
            if this.variables.len() > max_variables {
                return None;
            }
            this.add_axioms(&monomial);
        }
        let count = this.variables.len();
        this.system.pad(count);
        for row in this.holes.iter_mut().chain(this.choices.iter_mut().flatten()) {
            row.pad(count);
        }
        let in_range = this.system.in_range()
            && this.holes.iter().all(LinearRow::in_range)
            && this.choices.iter().flatten().all(LinearRow::in_range);
        in_range.then_some(this)
    }

    fn translate_dim(&mut self, dim: &Dim) -> LinearRow {
        let mut row = LinearRow::constant(dim.constant_term());
        for (monomial, coefficient) in dim.terms() {
            let variable = self.variable(monomial);
            row.set(variable, *coefficient);
        }
        row
    }

    fn variable(&mut self, monomial: &Monomial) -> usize {
        if let Some(variable) = self.variables.get(monomial) {
            return *variable;
        }
        let variable = self.variables.len();
        self.variables.insert(monomial.clone(), variable);
        self.pending.push(monomial.clone());
        if let Some(sym) = monomial.as_symbol() {
            self.symbols.push((sym, variable));
        }
        variable
    }

    fn non_negative(&mut self, dim: Option<Dim>) {
        match dim {
            Some(dim) => {
                let row = self.translate_dim(&dim);
                self.system.inequalities.push(row);
            }
            None => self.exact = false,
        }
    }

    /// What a monomial's variable must satisfy for being that monomial.
    fn add_axioms(&mut self, monomial: &Monomial) {
        let this = monomial.to_dim();
        match monomial.as_atom() {
            Some(Atom::Sym(sym)) => {
                let interval = (self.bounds)(*sym);
                self.within(&this, &interval);
            }
            Some(Atom::Floor(parts)) => {
                let (numerator, divisor) = (&parts.0, &parts.1);
                let positive = interval::bounds(divisor, self.bounds).lo.is_some_and(|lo| lo >= 1);
                if divisor.as_const().is_none() {
                    self.exact = false;
                    let interval = interval::bounds(&this, self.bounds);
                    self.within(&this, &interval);
                }
                if positive {
                    // divisor*this <= numerator <= divisor*this + divisor - 1
                    let remainder = divisor.times(&this).and_then(|product| numerator.minus(&product));
                    let room = remainder.as_ref().and_then(|rest| divisor.plus_const(-1)?.minus(rest));
                    self.non_negative(remainder);
                    self.non_negative(room);
                }
            }
            Some(Atom::Min(choices)) => {
                self.add_extremum(choices, |choice| choice.minus(&this));
            }
            Some(Atom::Max(choices)) => {
                self.add_extremum(choices, |choice| this.minus(choice));
            }
            None => {
                self.exact = false;
                let interval = interval::bounds(&this, self.bounds);
                self.within(&this, &interval);
                // Each split makes monomials of its own; past cubes they are too many for what they say.
                if monomial.degree() <= 3 {
                    self.add_envelope(monomial);
                }
            }
        }
    }

    fn within(&mut self, dim: &Dim, interval: &Interval) {
        if let Some(lo) = interval.lo {
            self.non_negative(lo.checked_neg().and_then(|lo| dim.plus_const(lo)));
        }
        if let Some(hi) = interval.hi {
            self.non_negative(Dim::constant(hi).minus(dim));
        }
    }

    fn add_extremum(&mut self, choices: &[Dim], slack: impl Fn(&Dim) -> Option<Dim>) {
        let mut rows = Vec::new();
        for choice in choices {
            let Some(dim) = slack(choice) else {
                self.exact = false;
                return;
            };
            let row = self.translate_dim(&dim);
            self.system.inequalities.push(row.clone());
            rows.push(row);
        }
        self.choices.push(rows);
    }

    /// `(x - lo(x)) * (y - lo(y)) >= 0` and its relatives, for each way to split off one factor.
    fn add_envelope(&mut self, monomial: &Monomial) {
        let whole = monomial.to_dim();
        for (atom, _) in monomial.factors() {
            let x = Dim::atom(atom.clone());
            let Some(y) = whole.exact_quotient(&x) else {
                continue;
            };
            let (bx, by) = (interval::bounds(&x, self.bounds), interval::bounds(&y, self.bounds));
            for (x_end, x_sign) in [(bx.lo, 1), (bx.hi, -1)] {
                for (y_end, y_sign) in [(by.lo, 1), (by.hi, -1)] {
                    let (Some(x_end), Some(y_end)) = (x_end, y_end) else {
                        continue;
                    };
                    let product = || {
                        let left = x.plus_const(x_end.checked_neg()?)?;
                        let right = y.plus_const(y_end.checked_neg()?)?;
                        left.times(&right)?.times_const(x_sign * y_sign)
                    };
                    if let Some(dim) = product() {
                        self.non_negative(Some(dim));
                    }
                }
            }
        }
    }

    /// The cases of a disequality or choice that the values violate.
    pub(super) fn violated_cases(&self, values: &[i128]) -> Option<Vec<LinearCase>> {
        for hole in &self.holes {
            if hole.eval(values) == Some(0) {
                let above = hole.plus_const(-1)?;
                let below = hole.negated()?.plus_const(-1)?;
                return Some(vec![LinearCase::NonNegative(above), LinearCase::NonNegative(below)]);
            }
        }
        for rows in &self.choices {
            if rows.iter().all(|row| row.eval(values) != Some(0)) {
                return Some(rows.iter().cloned().map(LinearCase::Zero).collect());
            }
        }
        None
    }

    pub(super) fn values_of_symbols(&self, values: &[i128]) -> BTreeMap<Sym, i128> {
        self.symbols.iter().map(|(sym, variable)| (*sym, values[*variable])).collect()
    }
}
