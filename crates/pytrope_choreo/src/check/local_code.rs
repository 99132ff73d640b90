//! Code that runs at one place: lambdas, comprehensions, nested functions, and what they use from outside.

use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind};
use rustc_hash::FxHashSet;

use super::expression::{parameter_names, set_frozen};
use super::{Checker, Value};
use crate::declaration::MethodKind;
use crate::located::Located;
use crate::report::{Extend, Rule};

impl Checker<'_> {
    /// Code that runs at one place and must not communicate: a lambda, a comprehension, a nested function.
    pub(super) fn local_code(&mut self, expr: ExprId, range: TextRange, what: &'static str) -> Value {
        let operands = self.free_operands(range, what);
        let mut value = self.meet(expr, &operands, what, true);
        self.forbid_narrow_code(&operands, &value.located);
        set_frozen(&mut value.located, false);
        value
    }

    /// Local code at some of the roles that hold a changeable value could change their copies only.
    pub(super) fn forbid_narrow_code(&mut self, operands: &[(ExprId, Value)], result: &Located) {
        let Located::At(result) = result else { return };
        for (operand, value) in operands {
            if let Located::At(at) = value.located {
                let held = Value::held(value.located.clone());
                self.narrowing(self.range(*operand), &held, at, result.roles);
            }
        }
    }

    /// The located names and fields that local code uses from outside.
    pub(super) fn free_operands(&mut self, range: TextRange, what: &'static str) -> Vec<(ExprId, Value)> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let mut bound: FxHashSet<&str> = FxHashSet::default();
        for inner in unit.within(range) {
            match tree[inner].kind {
                ExprKind::Name { name, context: Context::Store } => {
                    bound.insert(tree.text(name));
                }
                ExprKind::Lambda { parameters, .. } => bound.extend(parameter_names(tree, tree[parameters])),
                _ => {}
            }
        }
        for stmt in tree.stmt_ids() {
            if let pytrope_source::tree::StmtKind::FunctionDef(function) = tree[stmt].kind
                && range.contains_range(tree[stmt].range)
            {
                bound.insert(tree.text(function.name.name));
                bound.extend(parameter_names(tree, function.parameters));
            }
        }
        let mut operands = Vec::new();
        let mut skip_until = range.start;
        for inner in unit.within(range) {
            if tree[inner].range.start < skip_until {
                continue;
            }
            match tree[inner].kind {
                ExprKind::Name { name, context: Context::Load } if !bound.contains(tree.text(name)) => {
                    if Some(tree.text(name)) == self.receiver.as_deref() {
                        continue;
                    }
                    if self.marker_parent(inner) {
                        continue;
                    }
                    let value = self.name(inner, tree.text(name));
                    self.local_operand(inner, value, what, &mut operands);
                }
                ExprKind::Attribute { value, attribute, .. } => {
                    let of_self =
                        tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                    if of_self {
                        let owner = self.expr(value);
                        let found = match self.one_role_method(tree.text(attribute.name)) {
                            Some(located) => Value::held(located),
                            None => self.attribute(inner, value, &owner, tree.text(attribute.name)),
                        };
                        self.local_operand(inner, found, what, &mut operands);
                    }
                }
                ExprKind::BinOp { op: BinaryOperator::MatMult, left, right } if self.marker(right).is_some() => {
                    let found = self.expr(inner);
                    operands.push((inner, found));
                    let _ = left;
                    skip_until = tree[inner].range.end;
                }
                ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {}
                _ => {}
            }
        }
        operands
    }

    /// A method of this class that one role runs on its own may be called in its local code.
    fn one_role_method(&self, name: &str) -> Option<Located> {
        let (class, formal, method) = self.world.method(self.class_id(), name)?;
        if method.plain || method.kind == MethodKind::Property {
            return None;
        }
        let facts = self.facts.method(class, name)?;
        let single = !facts.communicates && !facts.may_raise && facts.involved.len() == 1;
        single.then(|| Located::at(facts.involved.substitute(&formal), true))
    }

    fn marker_parent(&self, name: ExprId) -> bool {
        use pytrope_source::tree::Parent;
        match self.unit.tree[name].parent {
            Parent::Expr(parent) => self.marker(parent).is_some(),
            _ => false,
        }
    }

    fn local_operand(&mut self, expr: ExprId, value: Value, what: &str, operands: &mut Vec<(ExprId, Value)>) {
        match value.located {
            Located::Channel(_) => {
                self.error(
                    Rule::MisplacedCommunication,
                    self.range(expr),
                    format!("no message may pass inside {what}"),
                )
                .advise("communicate before it, and use the received value in it");
                // Where the whole lives is not known then, and not worth a second complaint.
                operands.push((expr, Value::unknown()));
            }
            Located::Object { .. } => {
                self.error(
                    Rule::MisplacedCommunication,
                    self.range(expr),
                    format!("a choreographic object cannot be used inside {what}"),
                );
            }
            Located::Unknown => {}
            _ => operands.push((expr, Value { located: value.located, fresh: true })),
        }
    }
}
