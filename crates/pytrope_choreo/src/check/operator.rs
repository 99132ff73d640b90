//! Operators on classes over roles: `account + deposit` calls `Account.__add__` at every role that it concerns.
//!
//! Python asks the left operand first, then the right one for the reflected method. Which of them answers is decided here, by the
//! classes: methods of choreographies answer or fail, and do not return `NotImplemented`. A role may have only one of the operands,
//! so what is projected is the call of the method, `account.__add__(deposit)`.

use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{Arguments, BinaryOperator, Comparison, ExprId, ExprKind, UnaryOperator};

use super::{Checker, LocatedValue};
use crate::declaration::ClassId;
use crate::facts::Argument;
use crate::located::Located;
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleId;

/// An operand and its value.
type Operand<'a> = (ExprId, &'a LocatedValue);

impl Checker<'_> {
    /// `left + right`, if a class over roles says what it means.
    pub(super) fn binary_operator(
        &mut self,
        expr: ExprId,
        op: BinaryOperator,
        operands: &[(ExprId, LocatedValue); 2],
    ) -> Option<LocatedValue> {
        let [left, right] = operands;
        let (own, reflected) = (format!("__{}__", op.method()), format!("__r{}__", op.method()));
        if self.has_operator(&left.1, &own) {
            self.refuse_overtaking(expr, &left.1, &right.1, &reflected);
            return self.call_operator(expr, (left.0, &left.1), &own, Some((right.0, &right.1)));
        }
        if self.has_operator(&right.1, &reflected) {
            self.refuse_swapped(expr, left.0, right.0);
            return self.call_operator(expr, (right.0, &right.1), &reflected, Some((left.0, &left.1)));
        }
        None
    }

    pub(super) fn unary_operator(
        &mut self,
        expr: ExprId,
        op: UnaryOperator,
        operand: Operand<'_>,
    ) -> Option<LocatedValue> {
        let method = match op {
            UnaryOperator::Minus => "__neg__",
            UnaryOperator::Plus => "__pos__",
            UnaryOperator::Invert => "__invert__",
            UnaryOperator::Not => return None,
        };
        self.call_operator(expr, operand, method, None)
    }

    /// One comparison; a chain of them would evaluate its parts on conditions.
    pub(super) fn check_comparison(
        &mut self,
        expr: ExprId,
        ops: &[Comparison],
        operands: &[(ExprId, LocatedValue)],
    ) -> Option<LocatedValue> {
        let (&[op], [left, right]) = (ops, operands) else { return None };
        let method = match op {
            Comparison::Eq => "__eq__",
            Comparison::NotEq => "__ne__",
            Comparison::Lt => "__lt__",
            Comparison::LtE => "__le__",
            Comparison::Gt => "__gt__",
            Comparison::GtE => "__ge__",
            Comparison::In => {
                if self.has_operator(&right.1, "__contains__") {
                    self.refuse_swapped(expr, left.0, right.0);
                }
                return self.call_operator(expr, (right.0, &right.1), "__contains__", Some((left.0, &left.1)));
            }
            Comparison::NotIn | Comparison::Is | Comparison::IsNot => return None,
        };
        self.call_operator(expr, (left.0, &left.1), method, Some((right.0, &right.1)))
    }

    /// `owner[index]`; a slice is no value that could be handed on.
    pub(super) fn subscript_operator(
        &mut self,
        expr: ExprId,
        owner: Operand<'_>,
        index: Operand<'_>,
    ) -> Option<LocatedValue> {
        if matches!(self.unit.tree[index.0].kind, ExprKind::Slice { .. }) {
            return None;
        }
        self.call_operator(expr, owner, "__getitem__", Some(index))
    }

    /// `len(x)` and `abs(x)` of an object by name.
    pub(super) fn builtin_operator(
        &mut self,
        expr: ExprId,
        function: ExprId,
        arguments: Arguments,
    ) -> Option<LocatedValue> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let name = tree.text(tree.as_name(function)?);
        let method = match name {
            "len" => "__len__",
            "abs" => "__abs__",
            _ => return None,
        };
        let (&[argument], true) = (&tree[arguments.positional], arguments.keywords.is_empty()) else { return None };
        if self.locals.contains_key(name) || unit.meanings.contains(name) || tree.dotted(argument).is_none() {
            return None;
        }
        let value = self.check_expr(argument);
        self.call_operator(expr, (argument, &value), method, None)
    }

    fn has_operator(&self, value: &LocatedValue, method: &str) -> bool {
        match &value.located {
            Located::Object { class, .. } => self.world.find_method(*class, method).is_some_and(|found| !found.2.plain),
            _ => false,
        }
    }

    fn call_operator(
        &mut self,
        expr: ExprId,
        receiver: Operand<'_>,
        name: &str,
        argument: Option<Operand<'_>>,
    ) -> Option<LocatedValue> {
        let Located::Object { class, roles } = &receiver.1.located else { return None };
        let world = self.world;
        let (defined, formal, method) = world.find_method(*class, name).filter(|found| !found.2.plain)?;
        let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
        let unit = world.unit(world.class(defined).unit);
        let shown = world.class(defined).method_title(name);
        let bound = match (method.parameters.as_slice(), argument) {
            ([], None) => Some(Vec::new()),
            ([parameter], Some((value, found))) => {
                let located = parameter.located.seen_from(&actual, self.all_roles());
                let what = format!("the parameter {} of {shown}", parameter.name);
                self.check_required(value, found, &located, &what, unit.span(parameter.range));
                Some(vec![Argument { value, keyword: None, located }])
            }
            (parameters, argument) => {
                let given = usize::from(argument.is_some());
                let message = format!("{shown} takes {} argument(s), the operator gives {given}", parameters.len());
                self.report_error(ChoreoRule::BadCall, self.expr_range(expr), message);
                None
            }
        };
        Some(self.finish_invoke(expr, Some(receiver.0), (defined, name, &actual), bound))
    }

    /// The reflected method of the right operand is called on it, so it would be evaluated before the left one.
    fn refuse_swapped(&mut self, expr: ExprId, left: ExprId, right: ExprId) {
        let acts = |checker: &Self, expr: ExprId| checker.recorded_info(expr).rewritten || !is_steady(checker, expr);
        if acts(self, left) && acts(self, right) {
            self.report_error(
                ChoreoRule::Unsupported,
                self.expr_range(expr),
                "both operands communicate, and the right one is the object that is called",
            )
            .add_help("keep one of them in a variable first");
        }
    }

    /// Python asks the right operand first if its class is derived from the left one's and has a reflected method of its own.
    fn refuse_overtaking(&mut self, expr: ExprId, left: &LocatedValue, right: &LocatedValue, reflected: &str) {
        let (Located::Object { class: left, .. }, Located::Object { class: right, .. }) =
            (&left.located, &right.located)
        else {
            return;
        };
        let world = self.world;
        let overtakes = |class: ClassId| {
            class != *left
                && world.is_subclass(class, *left)
                && world.is_subclass(class, *right)
                && world.class(class).methods.contains_key(reflected)
        };
        let found = (0..world.classes.len() as u32).map(ClassId).find(|&class| overtakes(class));
        if let Some(class) = found {
            let name = &world.class(class).name;
            let message = format!("Python would first call {reflected} of the right operand, whose class is {name}");
            self.report_error(ChoreoRule::Unsupported, self.expr_range(expr), message)
                .add_help("define the reflected method in the base class, or call a method by name");
        }
    }

    /// `a += b` on an object: there is no expression that a call could stand in for.
    pub(super) fn refuse_augmented(&mut self, range: TextRange, target: ExprId, symbol: &str, value: ExprId) {
        let (target, value) = (self.unit.expr_text(target).to_owned(), self.unit.expr_text(value).to_owned());
        self.report_error(
            ChoreoRule::Unsupported,
            range,
            format!("{target} is an object over roles, and {symbol}= assigns to it"),
        )
        .add_help(format!("write `{target} = {target} {symbol} {value}`"));
    }
}

/// A name or a literal, which gives the same whenever it is evaluated.
fn is_steady(checker: &Checker<'_>, expr: ExprId) -> bool {
    let tree = &checker.unit.tree;
    tree.dotted(expr).is_some() || crate::scan::is_immutable(&checker.unit, expr)
}
