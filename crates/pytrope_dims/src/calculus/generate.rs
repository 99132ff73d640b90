//! Constraint generation: figures 4 and 5 and appendix E. The solutions are the migrations.
//!
//! A type variable is a rank (-1 for Dyn) and, for each axis up to the largest rank, a pair: whether
//! the size is known, and the size. Axes that do not exist and sizes that are not known are held at
//! 0, so that each type has one encoding and solutions can be counted.

use super::{CalculusExpr, CalculusProgram, Conv2d};
use crate::constraint::{Cmp, Constraint};
use crate::dim::Dim;
use crate::formula::Formula;
use crate::gradual::{DimType, TensorType};
use crate::interval::Interval;
use crate::solver::{Answer, Model, Problem};
use crate::symbol::{FactReason, Sym};

/// The constraints of a program, and the variables of its declarations.
#[derive(Clone, Debug)]
pub struct Generation {
    problem: Problem,
    declarations: Vec<TypeVar>,
    max_rank: usize,
}

#[derive(Clone, Debug)]
struct TypeVar {
    rank: Dim,
    axes: Vec<AxisVariable>,
}

#[derive(Clone, Debug)]
struct AxisVariable {
    known: Dim,
    size: Dim,
}

struct Generator {
    problem: Problem,
    next: u32,
    max_rank: usize,
}

impl Generation {
    /// `Gen(P)` for types of at most `max_rank`, and unknown sizes of declarations up to `max_size` if given.
    /// `None` when a constraint has no representation.
    pub fn of(program: &CalculusProgram, max_rank: usize, max_size: Option<u64>) -> Option<Self> {
        let mut generator = Generator { problem: Problem::new(), next: 0, max_rank };
        let mut declarations = Vec::new();
        for declared in &program.declarations {
            // t-decl: τ ⊑ x
            let variable = generator.type_variable(max_rank)?;
            if let Some(most) = max_size {
                for (index, axis) in variable.axes.iter().enumerate() {
                    let given = declared.dims().and_then(|dims| dims.get(index)?.size());
                    let most = Dim::constant(i128::from(given.unwrap_or(most)));
                    generator.require_formula(Constraint::compare(&axis.size, Cmp::Le, &most)?.into());
                }
            }
            let precision = generator.more_precise(declared, &variable)?;
            generator.require_formula(precision);
            declarations.push(variable);
        }
        generator.type_expression(&program.result, &declarations)?;
        Some(Self { problem: generator.problem, declarations, max_rank })
    }

    /// One migration, if there is one.
    pub fn solve(&self) -> Answer {
        self.problem.solve()
    }

    /// Whether the given declarations are a solution; `None` if that is not known.
    pub fn admits(&self, declarations: &[TensorType]) -> Option<bool> {
        let mut problem = self.problem.clone();
        for (variable, declared) in self.declarations.iter().zip(declarations) {
            problem.assert(is_type(variable, declared)?, FactReason(0));
        }
        match problem.solve() {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown => None,
        }
    }

    /// All solutions, as declarations, found one after the other; `None` if the solver does not know.
    pub fn solutions(&self, limit: usize) -> Option<Vec<Vec<TensorType>>> {
        let mut problem = self.problem.clone();
        let mut found = Vec::new();
        loop {
            match problem.solve() {
                Answer::Unsat => return Some(found),
                Answer::Unknown => return None,
                Answer::Sat(model) => {
                    let types: Vec<TensorType> =
                        self.declarations.iter().map(|variable| read_type(variable, &model)).collect::<Option<_>>()?;
                    let mut other = Vec::new();
                    for (variable, declared) in self.declarations.iter().zip(&types) {
                        other.push(is_type(variable, declared)?.negated()?);
                    }
                    problem.assert(Formula::or(other), FactReason(0));
                    found.push(types);
                    if found.len() > limit {
                        return None;
                    }
                }
            }
        }
    }

    pub fn max_rank(&self) -> usize {
        self.max_rank
    }
}

fn equal_dims(a: &Dim, b: &Dim) -> Option<Formula> {
    Constraint::equal(a, b).map(Formula::from)
}

fn is(a: &Dim, value: i128) -> Option<Formula> {
    equal_dims(a, &Dim::constant(value))
}

fn rank_number(rank: usize) -> i128 {
    i128::try_from(rank).unwrap_or(i128::MAX)
}

fn is_type(variable: &TypeVar, declared: &TensorType) -> Option<Formula> {
    match declared {
        TensorType::Dyn => is(&variable.rank, -1),
        TensorType::Dims(dims) => {
            let mut parts = vec![is(&variable.rank, rank_number(dims.len()))?];
            for (axis, dim) in variable.axes.iter().zip(dims) {
                match dim {
                    DimType::Dyn => parts.push(is(&axis.known, 0)?),
                    DimType::Size(size) => {
                        parts.push(is(&axis.known, 1)?);
                        parts.push(is(&axis.size, i128::from(*size))?);
                    }
                }
            }
            Some(Formula::and(parts))
        }
    }
}

fn read_type(variable: &TypeVar, model: &Model) -> Option<TensorType> {
    let value = |dim: &Dim| dim.eval(&|sym: Sym| model.get(&sym).copied());
    let rank = value(&variable.rank)?;
    if rank < 0 {
        return Some(TensorType::Dyn);
    }
    let rank = usize::try_from(rank).ok()?;
    let dims = variable.axes[..rank]
        .iter()
        .map(|axis| match value(&axis.known)? {
            0 => Some(DimType::Dyn),
            _ => Some(DimType::Size(u64::try_from(value(&axis.size)?).ok()?)),
        })
        .collect::<Option<_>>()?;
    Some(TensorType::Dims(dims))
}

impl Generator {
    fn require_formula(&mut self, formula: Formula) {
        self.problem.assert(formula, FactReason(self.next));
    }

    fn symbol(&mut self, interval: Interval) -> Dim {
        let sym = Sym(self.next);
        self.next += 1;
        self.problem.declare(sym, interval);
        Dim::symbol(sym)
    }

    /// A fresh type variable with `|v| <= max_rank`.
    fn type_variable(&mut self, max_rank: usize) -> Option<TypeVar> {
        let rank = self.symbol(Interval::new(-1, rank_number(max_rank)));
        let mut axes = Vec::new();
        for index in 0..max_rank {
            let axis =
                AxisVariable { known: self.symbol(Interval::new(0, 1)), size: self.symbol(Interval::at_least(0)) };
            let exists = Constraint::compare(&rank, Cmp::Gt, &Dim::constant(rank_number(index)))?;
            self.require_formula(Formula::or([exists.into(), is(&axis.known, 0)?]));
            self.require_formula(Formula::or([is(&axis.known, 1)?, is(&axis.size, 0)?]));
            axes.push(axis);
        }
        Some(TypeVar { rank, axes })
    }

    fn more_precise(&self, declared: &TensorType, variable: &TypeVar) -> Option<Formula> {
        let TensorType::Dims(dims) = declared else {
            return Some(Formula::truth(true));
        };
        if dims.len() > self.max_rank {
            return Some(Formula::truth(false));
        }
        let mut parts = vec![is(&variable.rank, rank_number(dims.len()))?];
        for (axis, dim) in variable.axes.iter().zip(dims) {
            if let DimType::Size(size) = dim {
                parts.push(is(&axis.known, 1)?);
                parts.push(is(&axis.size, i128::from(*size))?);
            }
        }
        Some(Formula::and(parts))
    }

    /// The type variable of an expression, with the constraints of figure 5.
    fn type_expression(&mut self, expr: &CalculusExpr, declared: &[TypeVar]) -> Option<TypeVar> {
        match expr {
            CalculusExpr::Var(index) => declared.get(*index).cloned(),
            CalculusExpr::Reshape(inner, target) => {
                let from = self.type_expression(inner, declared)?;
                let possible = can_reshape(&from, target)?;
                self.require_formula(possible);
                Some(literal_type(target))
            }
            CalculusExpr::Conv2d(conv, inner) => {
                let from = self.type_expression(inner, declared)?;
                self.type_convolution(conv, &from)
            }
            CalculusExpr::Add(left, right) => {
                let (a, b) = (self.type_expression(left, declared)?, self.type_expression(right, declared)?);
                self.type_addition(&a, &b)
            }
        }
    }

    fn type_convolution(&mut self, conv: &Conv2d, from: &TypeVar) -> Option<TypeVar> {
        // [e] ▷ TensorType(ζ1, ζ2, ζ3, ζ4): an unknown rank gives unknown sizes.
        let Some([batch, channels, height, width]) = from.axes.first_chunk::<4>() else {
            // No rank 4 within the limits: only an unknown rank passes.
            self.require_formula(is(&from.rank, -1)?);
            let c_out = DimType::Size(conv.c_out);
            return Some(literal_type(&[DimType::Dyn, c_out, DimType::Dyn, DimType::Dyn]));
        };
        self.require_formula(Formula::or([is(&from.rank, -1)?, is(&from.rank, 4)?]));
        self.require_formula(Formula::or([is(&channels.known, 0)?, is(&channels.size, i128::from(conv.c_in))?]));
        let (rows, columns) = (self.window_axis(height, conv.kernel.0)?, self.window_axis(width, conv.kernel.1)?);
        Some(TypeVar {
            rank: Dim::constant(4),
            axes: vec![
                batch.clone(),
                AxisVariable { known: Dim::ONE, size: Dim::constant(i128::from(conv.c_out)) },
                rows,
                columns,
            ],
        })
    }

    /// calc-conv for one axis. (Appendix E prints another formula; appendices B and C have this one.)
    fn window_axis(&mut self, axis: &AxisVariable, kernel: u64) -> Option<AxisVariable> {
        let size = self.symbol(Interval::at_least(0));
        let shrunk = axis.size.plus_const(1 - i128::from(kernel))?;
        self.require_formula(Formula::or([
            Formula::and([is(&axis.known, 0)?, is(&size, 0)?]),
            Formula::and([is(&axis.known, 1)?, equal_dims(&size, &shrunk)?, Constraint::at_least(&size, 1)?.into()]),
        ]));
        Some(AxisVariable { known: axis.known.clone(), size })
    }

    /// apply-broadcasting, `~` and `⊔*`, one case for each pair of ranks.
    fn type_addition(&mut self, a: &TypeVar, b: &TypeVar) -> Option<TypeVar> {
        let result = self.type_variable(a.axes.len().max(b.axes.len()))?;
        let unknown = Formula::and([Formula::or([is(&a.rank, -1)?, is(&b.rank, -1)?]), is(&result.rank, -1)?]);
        let mut cases = vec![unknown];
        for left in 0..=a.axes.len() {
            for right in 0..=b.axes.len() {
                let rank = left.max(right);
                let mut parts = vec![
                    is(&a.rank, rank_number(left))?,
                    is(&b.rank, rank_number(right))?,
                    is(&result.rank, rank_number(rank))?,
                ];
                for axis in 0..rank {
                    let out = &result.axes[axis];
                    let own = |variable: &TypeVar, own: usize| {
                        (axis + own).checked_sub(rank).map(|index| variable.axes[index].clone())
                    };
                    parts.push(match (own(a, left), own(b, right)) {
                        (Some(x), Some(y)) => broadcast_axis(&x, &y, out)?,
                        (Some(only), None) | (None, Some(only)) => equal_axes(out, &only)?,
                        (None, None) => Formula::truth(true),
                    });
                }
                cases.push(Formula::and(parts));
            }
        }
        self.require_formula(Formula::or(cases));
        Some(result)
    }
}

fn literal_type(target: &[DimType]) -> TypeVar {
    let axis = |dim: &DimType| match dim {
        DimType::Dyn => AxisVariable { known: Dim::ZERO, size: Dim::ZERO },
        DimType::Size(size) => AxisVariable { known: Dim::ONE, size: Dim::constant(i128::from(*size)) },
    };
    TypeVar { rank: Dim::constant(rank_number(target.len())), axes: target.iter().map(axis).collect() }
}

fn equal_axes(a: &AxisVariable, b: &AxisVariable) -> Option<Formula> {
    Some(Formula::and([equal_dims(&a.known, &b.known)?, equal_dims(&a.size, &b.size)?]))
}

/// can-reshape: one case for each rank and each set of known axes.
fn can_reshape(from: &TypeVar, target: &[DimType]) -> Option<Formula> {
    let goal = target
        .iter()
        .filter_map(|dim| dim.size())
        .try_fold(1i128, |product, size| product.checked_mul(i128::from(size)))?;
    let open_target = target.iter().any(|dim| dim.is_dyn());
    if open_target && goal == 0 {
        return Some(Formula::truth(false));
    }
    let goal = Dim::constant(goal);
    let mut cases = vec![is(&from.rank, -1)?];
    for rank in 0..=from.axes.len() {
        for known in 0..1u32 << rank {
            let mut parts = vec![is(&from.rank, rank_number(rank))?];
            let mut have = Dim::ONE;
            for (index, axis) in from.axes[..rank].iter().enumerate() {
                let is_known = known >> index & 1 == 1;
                parts.push(is(&axis.known, i128::from(is_known))?);
                if is_known {
                    have = have.times(&axis.size)?;
                }
            }
            let open_input = known + 1 != 1 << rank;
            parts.push(match (open_input, open_target) {
                (false, false) => equal_dims(&have, &goal)?,
                (false, true) => Constraint::divisible(&have, &goal)?.into(),
                (true, false) => divides_evenly(&have, &goal)?,
                (true, true) => Formula::truth(true),
            });
            cases.push(Formula::and(parts));
        }
    }
    Some(Formula::or(cases))
}

/// `goal` is a multiple of `have`.
fn divides_evenly(have: &Dim, goal: &Dim) -> Option<Formula> {
    if let (Some(have), Some(goal)) = (have.as_const(), goal.as_const()) {
        return Some(Formula::truth(if have == 0 { goal == 0 } else { goal % have == 0 }));
    }
    let zero = Formula::and([is(have, 0)?, is(goal, 0)?]);
    let positive = Formula::and([Constraint::at_least(have, 1)?.into(), Constraint::divisible(goal, have)?.into()]);
    Some(Formula::or([zero, positive]))
}

/// One axis of an addition: `out` is the join of both after 1 has been replaced by the other.
fn broadcast_axis(x: &AxisVariable, y: &AxisVariable, out: &AxisVariable) -> Option<Formula> {
    let one = |axis: &AxisVariable| Some(Formula::and([is(&axis.known, 1)?, is(&axis.size, 1)?]));
    let (x_one, y_one) = (one(x)?, one(y)?);
    let neither = Formula::and([x_one.negated()?, y_one.negated()?]);
    Some(Formula::or([
        Formula::and([x_one, equal_axes(out, y)?]),
        Formula::and([y_one, equal_axes(out, x)?]),
        Formula::and([neither.clone(), is(&x.known, 0)?, equal_axes(out, y)?]),
        Formula::and([neither.clone(), is(&y.known, 0)?, equal_axes(out, x)?]),
        Formula::and([neither, equal_axes(x, y)?, equal_axes(out, x)?]),
    ]))
}
