//! Turns an SMT-LIB file of Int and Bool constants into a problem.

use std::collections::BTreeMap;

use super::Smt2Error;
use super::sexpr::{Sexpr, error};
use crate::constraint::{Cmp, Constraint};
use crate::dim::Dim;
use crate::formula::Formula;
use crate::interval::Interval;
use crate::solver::Problem;
use crate::symbol::{FactReason, Sym};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptSort {
    Int,
    Bool,
}

/// A `div` or `mod` whose divisor may be zero, and the symbol that stands for its value.
#[derive(Clone, Debug)]
pub struct ZeroDivision {
    pub modulo: bool,
    pub numerator: Dim,
    pub divisor: Dim,
    pub result: Sym,
}

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Script {
    /// `None` when a term has no representation (overflow, size): the answer is unknown.
    pub(super) problem: Option<Problem>,
    pub(super) declared: Vec<(Sym, String, ScriptSort)>,
    pub(super) zero_divisions: Vec<ZeroDivision>,
}

/// Formulas larger than this are named by a fresh symbol where they would be copied.
const NAMED_SIZE: usize = 12;
/// Past this many parts a script is not read further, and the answer is unknown.
const MAX_PARTS: usize = 200_000;

#[derive(Clone)]
enum ScriptValue {
    Int(Dim),
    Bool(Formula),
}

/// Reading stops for a mistake in the file, or because a term has no representation.
enum ScriptStop {
    Error(Smt2Error),
    NoRepresentation,
}

impl From<Smt2Error> for ScriptStop {
    fn from(error: Smt2Error) -> Self {
        Self::Error(error)
    }
}

fn fit_value<T>(value: Option<T>) -> Result<T, ScriptStop> {
    value.ok_or(ScriptStop::NoRepresentation)
}

type LetScope = Vec<(String, ScriptValue)>;

#[derive(Default)]
struct ScriptReader {
    problem: Problem,
    declared: Vec<(Sym, String, ScriptSort)>,
    zero_divisions: Vec<ZeroDivision>,
    names: BTreeMap<String, ScriptValue>,
    macros: BTreeMap<String, (Vec<String>, Sexpr)>,
    next: u32,
    parts: usize,
}

impl Script {
    pub(super) fn read(commands: &[Sexpr]) -> Result<Self, Smt2Error> {
        let mut reader = ScriptReader::default();
        let mut representable = true;
        for command in commands {
            match reader.read_command(command) {
                Ok(true) => {}
                Ok(false) => break,
                Err(ScriptStop::Error(error)) => return Err(error),
                Err(ScriptStop::NoRepresentation) => representable = false,
            }
        }
        Ok(Self {
            problem: representable.then_some(reader.problem),
            declared: reader.declared,
            zero_divisions: reader.zero_divisions,
        })
    }
}

impl ScriptReader {
    /// `false` at `(exit)`.
    fn read_command(&mut self, command: &Sexpr) -> Result<bool, ScriptStop> {
        let line = command.line();
        let items = command.list().ok_or_else(|| error(line, "a command stands in parentheses"))?;
        let name = items.first().and_then(Sexpr::atom).unwrap_or("");
        match (name, &items[items.len().min(1)..]) {
            ("exit", _) => return Ok(false),
            ("set-logic" | "set-option" | "set-info" | "check-sat" | "get-model" | "get-value", _) => {}
            ("declare-const", [name, sort]) => self.declare_constant(name, sort)?,
            ("declare-fun", [name, Sexpr::List(arguments, _), sort]) if arguments.is_empty() => {
                self.declare_constant(name, sort)?;
            }
            ("define-fun", [name, Sexpr::List(parameters, _), _, body]) => {
                let name = word_of(name)?;
                if parameters.is_empty() {
                    let value = self.read_term(body, &mut Vec::new())?;
                    self.names.insert(name, value);
                } else {
                    let parameters = parameters
                        .iter()
                        .map(|parameter| match parameter.list() {
                            Some([name, _]) => word_of(name),
                            _ => Err(error(line, "a parameter is `(name Sort)`").into()),
                        })
                        .collect::<Result<Vec<_>, ScriptStop>>()?;
                    self.macros.insert(name, (parameters, body.clone()));
                }
            }
            ("assert", [term]) => {
                let formula = self.read_boolean(term, &mut Vec::new())?;
                self.problem.assert(formula, FactReason(line));
            }
            _ => return Err(error(line, format!("`{name}` is not understood here")).into()),
        }
        Ok(true)
    }

    fn declare_constant(&mut self, name: &Sexpr, sort: &Sexpr) -> Result<(), ScriptStop> {
        let line = name.line();
        let name = word_of(name)?;
        if self.names.contains_key(&name) {
            return Err(error(line, format!("`{name}` is declared twice")).into());
        }
        let sort = match sort.atom() {
            Some("Int") => ScriptSort::Int,
            Some("Bool") => ScriptSort::Bool,
            _ => return Err(error(sort.line(), "only Int and Bool are known").into()),
        };
        let sym = self.fresh(match sort {
            ScriptSort::Int => Interval::ALL,
            ScriptSort::Bool => Interval::new(0, 1),
        });
        let value = match sort {
            ScriptSort::Int => ScriptValue::Int(Dim::symbol(sym)),
            ScriptSort::Bool => ScriptValue::Bool(fit_value(flag_formula(sym))?),
        };
        self.names.insert(name.clone(), value);
        self.declared.push((sym, name, sort));
        Ok(())
    }

    fn fresh(&mut self, interval: Interval) -> Sym {
        let sym = Sym(self.next);
        self.next += 1;
        self.problem.declare(sym, interval);
        sym
    }

    fn require_formula(&mut self, formula: Formula) {
        self.problem.assert(formula, FactReason(0));
    }

    /// A formula that may be copied without copying much.
    fn named(&mut self, formula: Formula) -> Result<Formula, ScriptStop> {
        if formula_size(&formula) <= NAMED_SIZE {
            return Ok(formula);
        }
        let sym = self.fresh(Interval::new(0, 1));
        let name = Formula::from(fit_value(Constraint::at_least(&Dim::symbol(sym), 1))?);
        let negated = fit_value(formula.negated())?;
        let not_name = fit_value(name.negated())?;
        self.require_formula(Formula::or([not_name.clone(), formula]));
        self.require_formula(Formula::or([name.clone(), negated]));
        Ok(name)
    }

    fn integer(&mut self, term: &Sexpr, scope: &mut LetScope) -> Result<Dim, ScriptStop> {
        match self.read_term(term, scope)? {
            ScriptValue::Int(dim) => Ok(dim),
            ScriptValue::Bool(_) => Err(error(term.line(), "an Int is needed here").into()),
        }
    }

    fn read_boolean(&mut self, term: &Sexpr, scope: &mut LetScope) -> Result<Formula, ScriptStop> {
        match self.read_term(term, scope)? {
            ScriptValue::Bool(formula) => Ok(formula),
            ScriptValue::Int(_) => Err(error(term.line(), "a Bool is needed here").into()),
        }
    }

    fn read_term(&mut self, term: &Sexpr, scope: &mut LetScope) -> Result<ScriptValue, ScriptStop> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(ScriptStop::NoRepresentation);
        }
        match term {
            Sexpr::Atom(text, line) => self.read_name(text, *line, scope),
            Sexpr::List(items, line) => {
                let Some((head, arguments)) = items.split_first() else {
                    return Err(error(*line, "an empty term").into());
                };
                match head {
                    Sexpr::Atom(operator, _) => self.apply(operator, arguments, *line, scope),
                    Sexpr::List(indexed, _) => match (indexed.as_slice(), arguments) {
                        ([Sexpr::Atom(a, _), Sexpr::Atom(b, _), Sexpr::Atom(k, _)], [number])
                            if a == "_" && b == "divisible" =>
                        {
                            let number = self.integer(number, scope)?;
                            let k = fit_value(k.parse::<i128>().ok().filter(|k| *k > 0))?;
                            let constraint = fit_value(Constraint::divisible(&number, &Dim::constant(k)))?;
                            Ok(ScriptValue::Bool(constraint.into()))
                        }
                        _ => Err(error(*line, "this operator is not understood").into()),
                    },
                }
            }
        }
    }

    fn read_name(&mut self, text: &str, line: u32, scope: &LetScope) -> Result<ScriptValue, ScriptStop> {
        if let Some((_, value)) = scope.iter().rev().find(|(name, _)| name == text) {
            self.parts += value_size(value);
            return Ok(value.clone());
        }
        if let Some(value) = self.names.get(text) {
            return Ok(value.clone());
        }
        match text {
            "true" => Ok(ScriptValue::Bool(Formula::truth(true))),
            "false" => Ok(ScriptValue::Bool(Formula::truth(false))),
            _ if text.bytes().all(|b| b.is_ascii_digit()) => {
                Ok(ScriptValue::Int(Dim::constant(fit_value(text.parse().ok())?)))
            }
            _ => Err(error(line, format!("`{text}` is not declared")).into()),
        }
    }

    fn apply(
        &mut self,
        operator: &str,
        arguments: &[Sexpr],
        line: u32,
        scope: &mut LetScope,
    ) -> Result<ScriptValue, ScriptStop> {
        let arity = |allowed: bool| -> Result<(), ScriptStop> {
            if allowed {
                Ok(())
            } else {
                Err(error(line, format!("`{operator}` does not take {} arguments", arguments.len())).into())
            }
        };
        match operator {
            "let" => return self.let_in(arguments, line, scope),
            "!" => {
                arity(!arguments.is_empty())?;
                return self.read_term(&arguments[0], scope);
            }
            "and" | "or" => {
                let parts = arguments
                    .iter()
                    .map(|argument| self.read_boolean(argument, scope))
                    .collect::<Result<Vec<_>, _>>()?;
                let formula = if operator == "and" { Formula::and(parts) } else { Formula::or(parts) };
                return Ok(ScriptValue::Bool(formula));
            }
            "not" => {
                arity(arguments.len() == 1)?;
                let formula = self.read_boolean(&arguments[0], scope)?;
                return Ok(ScriptValue::Bool(fit_value(formula.negated())?));
            }
            "=>" => {
                arity(arguments.len() >= 2)?;
                let mut parts = arguments
                    .iter()
                    .map(|argument| self.read_boolean(argument, scope))
                    .collect::<Result<Vec<_>, _>>()?;
                let last = parts.len() - 1;
                for part in &mut parts[..last] {
                    *part = fit_value(part.negated())?;
                }
                return Ok(ScriptValue::Bool(Formula::or(parts)));
            }
            "ite" => {
                arity(arguments.len() == 3)?;
                return self.read_choice(arguments, line, scope);
            }
            _ => {}
        }
        if let Some((parameters, body)) = self.macros.get(operator).cloned() {
            arity(parameters.len() == arguments.len())?;
            let mut inner = Vec::new();
            for (parameter, argument) in parameters.into_iter().zip(arguments) {
                inner.push((parameter, self.read_term(argument, scope)?));
            }
            return self.read_term(&body, &mut inner);
        }
        let values = arguments.iter().map(|argument| self.read_term(argument, scope)).collect::<Result<Vec<_>, _>>()?;
        if values.iter().any(|value| matches!(value, ScriptValue::Bool(_))) {
            arity(values.len() >= 2)?;
            return self.compare_booleans(operator, values, line);
        }
        let dims: Vec<Dim> = values
            .into_iter()
            .filter_map(|value| match value {
                ScriptValue::Int(dim) => Some(dim),
                ScriptValue::Bool(_) => None,
            })
            .collect();
        self.apply_arithmetic(operator, &dims, line)
    }

    fn let_in(&mut self, arguments: &[Sexpr], line: u32, scope: &mut LetScope) -> Result<ScriptValue, ScriptStop> {
        let [Sexpr::List(bindings, _), body] = arguments else {
            return Err(error(line, "`let` is `(let ((name term) …) body)`").into());
        };
        let mut bound = Vec::new();
        for binding in bindings {
            let Some([name, term]) = binding.list() else {
                return Err(error(line, "a binding is `(name term)`").into());
            };
            bound.push((word_of(name)?, self.read_term(term, scope)?));
        }
        let depth = scope.len();
        scope.extend(bound);
        let value = self.read_term(body, scope);
        scope.truncate(depth);
        value
    }

    fn read_choice(&mut self, arguments: &[Sexpr], line: u32, scope: &mut LetScope) -> Result<ScriptValue, ScriptStop> {
        let condition = self.read_boolean(&arguments[0], scope)?;
        let (then, otherwise) = (self.read_term(&arguments[1], scope)?, self.read_term(&arguments[2], scope)?);
        if let Some(truth) = condition.as_const() {
            return Ok(if truth { then } else { otherwise });
        }
        let condition = self.named(condition)?;
        let negated = fit_value(condition.negated())?;
        match (then, otherwise) {
            (ScriptValue::Int(then), ScriptValue::Int(otherwise)) => {
                let result = Dim::symbol(self.fresh(Interval::ALL));
                let is = |dim: &Dim| fit_value(Constraint::equal(&result, dim)).map(Formula::from);
                let (is_then, is_otherwise) = (is(&then)?, is(&otherwise)?);
                self.require_formula(Formula::or([
                    Formula::and([condition, is_then]),
                    Formula::and([negated, is_otherwise]),
                ]));
                Ok(ScriptValue::Int(result))
            }
            (ScriptValue::Bool(then), ScriptValue::Bool(otherwise)) => Ok(ScriptValue::Bool(Formula::or([
                Formula::and([condition, then]),
                Formula::and([negated, otherwise]),
            ]))),
            _ => Err(error(line, "both sides of `ite` have the same sort").into()),
        }
    }

    /// `=`, `distinct` and `xor` of Bools.
    fn compare_booleans(
        &mut self,
        operator: &str,
        values: Vec<ScriptValue>,
        line: u32,
    ) -> Result<ScriptValue, ScriptStop> {
        let mut formulas = Vec::new();
        for value in values {
            match value {
                ScriptValue::Bool(formula) => formulas.push(self.named(formula)?),
                ScriptValue::Int(_) => return Err(error(line, "an Int among Bools").into()),
            }
        }
        let same = |a: &Formula, b: &Formula| -> Result<Formula, ScriptStop> {
            let (na, nb) = (fit_value(a.negated())?, fit_value(b.negated())?);
            Ok(Formula::or([Formula::and([a.clone(), b.clone()]), Formula::and([na, nb])]))
        };
        let formula = match operator {
            "=" => {
                let pairs = formulas.windows(2).map(|pair| same(&pair[0], &pair[1]));
                Formula::and(pairs.collect::<Result<Vec<_>, _>>()?)
            }
            "distinct" | "xor" if formulas.len() == 2 => fit_value(same(&formulas[0], &formulas[1])?.negated())?,
            "distinct" => Formula::truth(false),
            _ => return Err(error(line, format!("`{operator}` is not understood")).into()),
        };
        Ok(ScriptValue::Bool(formula))
    }

    fn apply_arithmetic(&mut self, operator: &str, dims: &[Dim], line: u32) -> Result<ScriptValue, ScriptStop> {
        let Some((first, rest)) = dims.split_first() else {
            return Err(error(line, format!("`{operator}` is not understood")).into());
        };
        let comparison = match operator {
            "=" => Some(Cmp::Eq),
            "<" => Some(Cmp::Lt),
            "<=" => Some(Cmp::Le),
            ">" => Some(Cmp::Gt),
            ">=" => Some(Cmp::Ge),
            _ => None,
        };
        if let Some(cmp) = comparison {
            if rest.is_empty() {
                return Err(error(line, format!("`{operator}` compares at least two terms")).into());
            }
            let pairs = dims.windows(2).map(|pair| Constraint::compare(&pair[0], cmp, &pair[1]));
            let constraints = fit_value(pairs.collect::<Option<Vec<_>>>())?;
            return Ok(ScriptValue::Bool(Formula::and(constraints.into_iter().map(Formula::from))));
        }
        let dim = match operator {
            "+" => fit_value(rest.iter().try_fold(first.clone(), |sum, dim| sum.plus(dim)))?,
            "-" if rest.is_empty() => fit_value(first.negated())?,
            "-" => fit_value(rest.iter().try_fold(first.clone(), |sum, dim| sum.minus(dim)))?,
            "*" => fit_value(rest.iter().try_fold(first.clone(), |sum, dim| sum.times(dim)))?,
            "div" => {
                let mut quotient = first.clone();
                for divisor in rest {
                    quotient = self.euclidean_quotient(&quotient, divisor)?;
                }
                quotient
            }
            "mod" if rest.len() == 1 => self.euclidean_remainder(first, &rest[0])?,
            "abs" if rest.is_empty() => fit_value(first.greater(&fit_value(first.negated())?))?,
            "distinct" => {
                let mut parts = Vec::new();
                for (index, a) in dims.iter().enumerate() {
                    for b in &dims[index + 1..] {
                        parts.push(fit_value(Constraint::compare(a, Cmp::Ne, b))?.into());
                    }
                }
                return Ok(ScriptValue::Bool(Formula::and(parts)));
            }
            _ => return Err(error(line, format!("`{operator}` is not understood")).into()),
        };
        Ok(ScriptValue::Int(dim))
    }

    /// SMT-LIB's `div`: the remainder is never negative.
    fn euclidean_quotient(&mut self, a: &Dim, b: &Dim) -> Result<Dim, ScriptStop> {
        match b.as_const() {
            Some(d) if d > 0 => return fit_value(a.floor_div(b)),
            Some(d) if d < 0 => {
                let positive = Dim::constant(fit_value(d.checked_neg())?);
                return fit_value(fit_value(a.floor_div(&positive))?.negated());
            }
            _ => {}
        }
        let result = self.fresh(Interval::ALL);
        let symbol = Dim::symbol(result);
        self.zero_divisions.push(ZeroDivision { modulo: false, numerator: a.clone(), divisor: b.clone(), result });
        self.by_sign(b, &symbol, |positive, negative| {
            Some((a.floor_div(positive)?, a.floor_div(negative)?.negated()?))
        })?;
        Ok(symbol)
    }

    fn euclidean_remainder(&mut self, a: &Dim, b: &Dim) -> Result<Dim, ScriptStop> {
        match b.as_const() {
            Some(d) if d != 0 => return fit_value(a.modulo(&Dim::constant(fit_value(d.checked_abs())?))),
            _ => {}
        }
        let result = self.fresh(Interval::ALL);
        let symbol = Dim::symbol(result);
        self.zero_divisions.push(ZeroDivision { modulo: true, numerator: a.clone(), divisor: b.clone(), result });
        self.by_sign(b, &symbol, |positive, negative| Some((a.modulo(positive)?, a.modulo(negative)?)))?;
        Ok(symbol)
    }

    /// Requires `result` to be the first value where `b > 0`, the second (given `-b`) where `b < 0`.
    fn by_sign(
        &mut self,
        b: &Dim,
        result: &Dim,
        values: impl Fn(&Dim, &Dim) -> Option<(Dim, Dim)>,
    ) -> Result<(), ScriptStop> {
        if b.as_const() == Some(0) {
            return Ok(());
        }
        let opposite = fit_value(b.negated())?;
        let (positive, negative) = fit_value(values(b, &opposite))?;
        let when = |sign: &Dim, value: &Dim| -> Result<Formula, ScriptStop> {
            Ok(Formula::and([
                fit_value(Constraint::at_least(sign, 1))?.into(),
                fit_value(Constraint::equal(result, value))?.into(),
            ]))
        };
        let zero = Formula::from(fit_value(Constraint::equal(b, &Dim::ZERO))?);
        let cases = Formula::or([when(b, &positive)?, when(&opposite, &negative)?, zero]);
        self.require_formula(cases);
        Ok(())
    }
}

fn flag_formula(sym: Sym) -> Option<Formula> {
    Constraint::at_least(&Dim::symbol(sym), 1).map(Formula::from)
}

fn word_of(term: &Sexpr) -> Result<String, ScriptStop> {
    match term.atom() {
        Some(text) => Ok(text.to_owned()),
        None => Err(error(term.line(), "a name is needed here").into()),
    }
}

fn formula_size(formula: &Formula) -> usize {
    match formula {
        Formula::Constraint(_) => 1,
        Formula::And(parts) | Formula::Or(parts) => 1 + parts.iter().map(formula_size).sum::<usize>(),
    }
}

fn value_size(value: &ScriptValue) -> usize {
    match value {
        ScriptValue::Int(_) => 1,
        ScriptValue::Bool(formula) => formula_size(formula),
    }
}
