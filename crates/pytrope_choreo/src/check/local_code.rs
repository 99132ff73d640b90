//! Code that runs at one place: lambdas, comprehensions, nested functions, and what they use from outside.

use std::rc::Rc;

use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::FxHashSet;

use super::effect::root_of;
use super::expression::parameter_names;
use super::{Checker, LocatedValue};
use crate::declaration::{MethodKind, Unit};
use crate::effects::Cause;
use crate::facts::Local;
use crate::located::{ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Checker<'_> {
    /// Code that runs at one place and must not communicate: a lambda, a comprehension.
    pub(super) fn local_code(&mut self, expr: ExprId, range: TextRange, what: &'static str) -> LocatedValue {
        let operands = self.free_operands(range, what);
        let mut value = self.meet_locations(expr, &operands, what, true);
        let at = match &value.located {
            Located::At(at) => Some(at.roles),
            _ => None,
        };
        let is_lambda = matches!(self.unit.tree[expr].kind, ExprKind::Lambda { .. });
        let captured =
            operands.iter().fold(Traits::FROZEN, |traits, (_, operand)| traits.both(operand.located.traits()));
        let inner = self.inner_effects(range, &operands, captured);
        let changes = !inner.changed.is_empty();
        for (call, operand) in inner.changed {
            self.note_change(call, operand.0, &operand.1, at);
        }
        value.located.set_traits(match self.unit.tree[expr].kind {
            // A function may change what it has captured whenever it is called.
            ExprKind::Lambda { .. } => Traits { frozen: captured.frozen && !changes, ..captured },
            ExprKind::SetComp { .. } => Traits { ordered: false, ..Traits::CONTAINER },
            _ => Traits { frozen: false, frozen_items: captured.frozen_items && !inner.makes_objects, ordered: true },
        });
        value.holders = if value.located.traits().frozen || (captured.frozen_items && !is_lambda) {
            RoleSet::EMPTY
        } else {
            let kept = |traits: Traits| if is_lambda { !traits.frozen } else { !traits.frozen_items };
            let kept = operands.iter().filter(|(_, operand)| kept(operand.located.traits()));
            kept.fold(RoleSet::EMPTY, |holders, (_, operand)| holders.union(operand.holders))
        };
        self.bind_leaking_names(range, expr, &value, is_lambda);
        if let (Some(cause), false) = (inner.varies, is_lambda) {
            self.mark_uncertain(&mut value, cause, range);
        }
        value
    }

    /// `[(last := x) for x in xs]` binds `last` in the method.
    fn bind_leaking_names(&mut self, range: TextRange, expr: ExprId, value: &LocatedValue, is_lambda: bool) {
        let unit = Rc::clone(&self.unit);
        if is_lambda {
            return;
        }
        for inner in unit.exprs_within(range) {
            if let ExprKind::Named { target, .. } = unit.tree[inner].kind {
                let mut item = value.clone();
                item.located.set_traits(value.located.traits().of_items());
                self.bind_target(target, &item, expr);
            }
        }
    }

    /// A nested function or class: the value of its name.
    pub(super) fn local_definition(&mut self, name: String, range: TextRange, what: &'static str) {
        let operands = self.free_operands(range, what);
        let located = match operands.first() {
            Some(&(first, _)) => self.meet_locations(first, &operands, what, true).located,
            None => Located::CONSTANT,
        };
        let at = match &located {
            Located::At(at) => Some(at.roles),
            _ => None,
        };
        let captured =
            operands.iter().fold(Traits::FROZEN, |traits, (_, operand)| traits.both(operand.located.traits()));
        let inner = self.inner_effects(range, &operands, captured);
        let frozen = captured.frozen && inner.changed.is_empty();
        for (call, operand) in inner.changed {
            self.note_change(call, operand.0, &operand.1, at);
        }
        self.refuse_rebinding(range);
        let mut located = match located {
            Located::Free(_) => Located::CONSTANT,
            other => other,
        };
        located.set_traits(Traits { frozen, ..captured });
        self.involve_roles(located.roles());
        self.locals.insert(name, Local { located, annotated: false, range });
    }

    /// `nonlocal` in a nested function: the variable must be of one role, since the function is called where it is called.
    fn refuse_rebinding(&mut self, range: TextRange) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        for stmt in tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)) {
            let (StmtKind::Nonlocal { names } | StmtKind::Global { names }) = tree[stmt].kind else { continue };
            for name in &tree[names] {
                let text = tree.text(name.name);
                let placed = self
                    .locals
                    .get(text)
                    .is_some_and(|local| matches!(local.located, Located::At(at) if at.roles.len() == 1));
                if !placed {
                    let roles = self.all_roles().describe_roles(&self.class.roles);
                    self.report_error(
                        ChoreoRule::UnequalCopies,
                        name.range,
                        format!(
                            "this rebinds `{text}` where the function is called, and {roles} each have a copy of it"
                        ),
                    )
                    .add_help(format!("give it a role: `{text}: At[T, Role] = …`"));
                }
            }
        }
    }

    /// What the calls and assignments inside local code do to the values that it uses from outside.
    fn inner_effects(&self, range: TextRange, operands: &[(ExprId, LocatedValue)], captured: Traits) -> InnerEffects {
        let tree = &self.unit.tree;
        let bound = bound_inside(&self.unit, range);
        let is_local = |name: &str| {
            bound.contains(name) || self.locals.contains_key(name) || Some(name) == self.receiver.as_deref()
        };
        let items = captured.of_items();
        let traits = |expr: ExprId| self.inner_traits(expr, &bound, items);
        let mut found = InnerEffects::default();
        let mut change = |call: ExprId, changed: ExprId| {
            let root = root_of(tree, changed);
            let from_inside = root.is_none_or(|root| bound.contains(root));
            for operand in operands {
                let own = tree[changed].range.contains_range(tree[operand.0].range);
                let part = from_inside && !operand.1.located.traits().frozen_items;
                if (own || part) && !operand.1.located.traits().frozen {
                    found.changed.push((call, operand.clone()));
                }
            }
        };
        let mut varies = None;
        let mut makes_objects = false;
        for expr in self.unit.exprs_within(range) {
            match tree[expr].kind {
                ExprKind::Call { function, arguments } => {
                    let effect = self.call_effect(expr, function, arguments, &is_local, &traits);
                    makes_objects |= !effect.traits.unwrap_or(Traits::OPAQUE).frozen;
                    varies = varies.or(effect.varies);
                    for changed in effect.changed {
                        change(expr, changed);
                    }
                }
                ExprKind::Attribute { value, context: Context::Store | Context::Del, .. }
                | ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => change(expr, value),
                ExprKind::List { .. } | ExprKind::Dict { .. } | ExprKind::Set { .. } => makes_objects = true,
                ExprKind::ListComp { generators, .. }
                | ExprKind::DictComp { generators, .. }
                | ExprKind::Generator { generators, .. } => {
                    makes_objects |= tree[expr].range != range;
                    for generator in &tree[generators] {
                        if !traits(generator.iter).ordered && varies.is_none() {
                            varies = Some(Cause {
                                unit: self.unit.id,
                                range: tree[generator.iter].range,
                                what: "iterates over a set, whose order differs between processes".to_owned(),
                            });
                        }
                    }
                }
                _ => {}
            }
        }
        found.varies = varies;
        found.makes_objects = makes_objects;
        found
    }

    /// What is known of the type of an expression inside local code, whose own names are not followed.
    fn inner_traits(&self, expr: ExprId, bound: &FxHashSet<&str>, items: Traits) -> Traits {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                match self.locals.get(name) {
                    _ if bound.contains(name) => items,
                    Some(local) => local.located.traits(),
                    None => Traits::FROZEN,
                }
            }
            ExprKind::Set { .. } | ExprKind::SetComp { .. } => Traits { ordered: false, ..Traits::OPAQUE },
            ExprKind::List { .. } | ExprKind::Dict { .. } | ExprKind::ListComp { .. } | ExprKind::DictComp { .. } => {
                Traits::OPAQUE
            }
            ExprKind::Compare { .. } | ExprKind::FString { .. } => Traits::FROZEN,
            ExprKind::Subscript { value, .. } => self.inner_traits(value, bound, items).of_items(),
            ExprKind::Attribute { value, attribute, .. } => {
                let own = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                match self.facts.field_of_instance(self.world, self.class.id, tree.text(attribute.name)) {
                    Some((field, _)) if own => field.located.traits(),
                    _ => self.inner_traits(value, bound, items).of_items(),
                }
            }
            ExprKind::Call { function, .. } => match tree.as_name(function).map(|name| tree.text(name)) {
                Some("set" | "frozenset") => Traits { ordered: false, ..Traits::OPAQUE },
                _ => Traits::OPAQUE,
            },
            _ => tree.children(Node::Expr(expr)).into_iter().fold(Traits::FROZEN, |traits, child| match child {
                Node::Expr(child) => traits.both(self.inner_traits(child, bound, items)),
                Node::Stmt(_) => traits,
            }),
        }
    }

    /// Whether an expression is a star or a mesh, by its name or field.
    fn joins_family(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        let located = match tree[expr].kind {
            ExprKind::Name { name, .. } => self.locals.get(tree.text(name)).map(|local| local.located.clone()),
            ExprKind::Attribute { value, attribute, .. } => {
                let own = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                let field = self.facts.field_of_instance(self.world, self.class.id, tree.text(attribute.name));
                field.filter(|_| own).map(|(field, _)| field.located)
            }
            _ => None,
        };
        matches!(located, Some(Located::Channel(channel)) if channel.shape != ChannelShape::Pair)
    }

    /// The located names and fields that local code uses from outside.
    pub(super) fn free_operands(&mut self, range: TextRange, what: &'static str) -> Vec<(ExprId, LocatedValue)> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let bound = bound_inside(&unit, range);
        let mut operands = Vec::new();
        let mut skip_until = range.start;
        for inner in unit.exprs_within(range) {
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
                    let value = self.check_name(inner, tree.text(name));
                    self.local_operand(inner, value, what, &mut operands);
                }
                ExprKind::Attribute { value, attribute, .. }
                    if matches!(tree.text(attribute.name), "count" | "rank") && self.joins_family(value) =>
                {
                    let found = self.check_expr(inner);
                    operands.push((inner, found));
                    skip_until = tree[inner].range.end;
                }
                ExprKind::Attribute { value, attribute, .. } => {
                    let of_self =
                        tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                    if of_self {
                        let owner = self.check_expr(value);
                        let found = match self.one_role_method(tree.text(attribute.name)) {
                            Some(located) => LocatedValue::of_held_object(located),
                            None => self.check_attribute(inner, value, &owner, tree.text(attribute.name)),
                        };
                        self.local_operand(inner, found, what, &mut operands);
                    }
                }
                ExprKind::BinOp { op: BinaryOperator::MatMult, left, right } if self.marker_roles(right).is_some() => {
                    let found = self.check_expr(inner);
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
        let (class, formal, method) = self.world.find_method(self.class_id(), name)?;
        if method.plain || method.kind == MethodKind::Property {
            return None;
        }
        let facts = self.facts.method_facts(class, name)?;
        let single = !facts.communicates && !facts.may_raise && facts.involved.len() == 1;
        single.then(|| Located::at(facts.involved.substitute_roles(&formal), Traits::FROZEN))
    }

    fn marker_parent(&self, name: ExprId) -> bool {
        use pytrope_source::tree::Parent;
        match self.unit.tree[name].parent {
            Parent::Expr(parent) => self.marker_roles(parent).is_some(),
            _ => false,
        }
    }

    fn local_operand(
        &mut self,
        expr: ExprId,
        value: LocatedValue,
        what: &str,
        operands: &mut Vec<(ExprId, LocatedValue)>,
    ) {
        match value.located {
            Located::Channel(_) => {
                self.report_error(
                    ChoreoRule::MisplacedCommunication,
                    self.expr_range(expr),
                    format!("no message may pass inside {what}"),
                )
                .add_help("communicate before it, and use the received value in it");
                // Where the whole lives is not known then, and not worth a second complaint.
                operands.push((expr, LocatedValue::of_unknown()));
            }
            Located::Object { .. } => {
                self.report_error(
                    ChoreoRule::MisplacedCommunication,
                    self.expr_range(expr),
                    format!("a choreographic object cannot be used inside {what}"),
                );
            }
            Located::Unknown => {}
            _ => operands.push((expr, value)),
        }
    }
}

/// What local code does to what it uses from outside.
#[derive(Default)]
struct InnerEffects {
    varies: Option<Cause>,
    /// The call or target, and the value from outside that it changes.
    changed: Vec<(ExprId, (ExprId, LocatedValue))>,
    /// Values that can change are made inside.
    makes_objects: bool,
}

/// The names that local code binds for itself.
fn bound_inside(unit: &Unit, range: TextRange) -> FxHashSet<&str> {
    let tree = &unit.tree;
    let mut bound: FxHashSet<&str> = FxHashSet::default();
    for inner in unit.exprs_within(range) {
        match tree[inner].kind {
            ExprKind::Name { name, context: Context::Store } => {
                bound.insert(tree.text(name));
            }
            ExprKind::Lambda { parameters, .. } => bound.extend(parameter_names(tree, tree[parameters])),
            _ => {}
        }
    }
    for stmt in tree.stmt_ids() {
        if let StmtKind::FunctionDef(function) = tree[stmt].kind
            && range.contains_range(tree[stmt].range)
        {
            bound.insert(tree.text(function.name.name));
            bound.extend(parameter_names(tree, function.parameters));
        }
    }
    bound
}
