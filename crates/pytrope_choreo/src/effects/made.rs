//! Changeable objects that a function makes, and its result may be or hold.
//!
//! Where a function makes none, and what of its arguments is in the result cannot change, its result cannot change either, though
//! no annotation says so: `def area(w, h): return w * h`.

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};

use super::body::EffectCollector;
use super::{Callee, PlainFunction, tables};
use crate::declaration::{Meaning, World};
use crate::located::Traits;
use crate::value_types::{class_traits, traits_of};

/// What the declared type of a function's result says.
pub(crate) fn declared_result(world: &World, key: PlainFunction) -> Option<Traits> {
    let unit = world.unit(key.0);
    let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return None };
    Some(traits_of(world, unit, function.returns?))
}

impl EffectCollector<'_> {
    /// Whether a value may be a changeable object that this function has made, or hold one.
    pub(super) fn is_changeable(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            kind if kind.is_literal() => false,
            ExprKind::Compare { .. } | ExprKind::FString { .. } => false,
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if self.shares.contains_key(name) {
                    return self.changeable.contains(name) || self.defined.contains_key(name);
                }
                !matches!(
                    self.unit.meanings.get(name),
                    Some(Meaning::Constant | Meaning::Enum | Meaning::Function(_) | Meaning::PlainClass(_))
                )
            }
            ExprKind::Attribute { value, .. } if self.unit.binding(value) == Some(&Meaning::Enum) => false,
            ExprKind::Attribute { .. } if !self.is_local(expr) => true,
            ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } | ExprKind::Named { value, .. } => {
                self.is_changeable(value)
            }
            ExprKind::UnaryOp { operand, .. } => self.is_changeable(operand),
            ExprKind::BinOp { left, op, right } if self.effects.gives_number(self.unit, left, op, right) => false,
            ExprKind::BinOp { left, right, .. } => self.is_changeable(left) || self.is_changeable(right),
            ExprKind::IfExp { body, orelse, .. } => self.is_changeable(body) || self.is_changeable(orelse),
            ExprKind::BoolOp { .. } | ExprKind::Tuple { .. } | ExprKind::Starred { .. } => tree
                .children(Node::Expr(expr))
                .into_iter()
                .any(|child| matches!(child, Node::Expr(child) if self.is_changeable(child))),
            ExprKind::Call { function, .. } => self.gives_changeable(expr, function),
            _ => true,
        }
    }

    fn gives_changeable(&self, call: ExprId, function: ExprId) -> bool {
        let tree = &self.unit.tree;
        let ExprKind::Call { arguments, .. } = tree[call].kind else { return true };
        let of_arguments = || tree[arguments.positional].iter().any(|&argument| self.items_changeable(argument));
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && (self.is_local(value) || tree.dotted(value).is_none())
        {
            let name = tree.text(attribute.name);
            let methods = self.effects.methods_named(name);
            return if !methods.is_empty() {
                methods.iter().any(|&key| self.gives_changeable_result(key))
            } else if tables::is_item_method(name) || tables::is_changing_method(name) {
                !matches!(name, "get" | "group" | "pop" | "popleft") || self.is_changeable(value) || of_arguments()
            } else {
                !tables::is_reading_method(name) || matches!(name, "split" | "rsplit" | "splitlines" | "findall")
            };
        }
        if self.is_local(function) {
            return true;
        }
        match self.effects.resolve_callee(self.world, self.unit, function) {
            Callee::Builtin(name) if tables::gives_frozen(&name) || name == "type" => false,
            Callee::Builtin(name) if matches!(name.as_str(), "frozenset" | "max" | "min" | "sum" | "tuple") => {
                of_arguments()
            }
            Callee::Enum => false,
            Callee::Function(key) => self.gives_changeable_result(key),
            Callee::Class(class) => {
                let unit = self.world.unit(class.0);
                match unit.tree[class.1].kind {
                    StmtKind::ClassDef(declared) => !class_traits(self.world, unit, declared, 4).frozen,
                    _ => true,
                }
            }
            Callee::Library(path) => !tables::makes_frozen(&path) && !tables::gives_plain_value(&path),
            Callee::Builtin(_) | Callee::Unknown => true,
        }
    }

    /// Whether the items of a value may be changeable objects made inside: those of `[a, b]` are not, though the list is.
    pub(super) fn items_changeable(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } | ExprKind::Set { elements } => {
                tree[elements].iter().any(|&element| self.is_changeable(element))
            }
            ExprKind::ListComp { element, .. }
            | ExprKind::SetComp { element, .. }
            | ExprKind::Generator { element, .. } => self.is_changeable(element),
            ExprKind::Call { function, arguments } if !self.is_local(function) => {
                match self.effects.resolve_callee(self.world, self.unit, function) {
                    Callee::Function(key) => self.effects.of_function(key).is_none_or(|summary| {
                        summary.makes_changeable || !summary.gives_iterator && !self.returns_frozen_items(key)
                    }),
                    Callee::Builtin(name)
                        if matches!(name.as_str(), "list" | "sorted" | "reversed" | "set" | "range") =>
                    {
                        tree[arguments.positional].iter().any(|&argument| self.items_changeable(argument))
                    }
                    _ => self.is_changeable(expr),
                }
            }
            _ => self.is_changeable(expr),
        }
    }

    /// Whether a value may be an iterator that this function has made.
    pub(super) fn may_be_iterator(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Generator { .. } => true,
            ExprKind::Call { function, .. } if !self.is_local(function) => {
                let called = self.effects.resolve_callee(self.world, self.unit, function);
                self.effects.makes_iterator(self.unit, function, &called)
            }
            ExprKind::IfExp { body, orelse, .. } => self.may_be_iterator(body) || self.may_be_iterator(orelse),
            ExprKind::Name { name, .. } if self.shares.contains_key(tree.text(name)) => {
                let Some(owner) = self.unit.names.owner_of_use(expr) else { return false };
                self.unit.names.definitions_of(owner, tree.text(name)).iter().any(|&id| {
                    match tree[self.unit.names.definition(id).stmt].kind {
                        StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => {
                            !matches!(tree[value].kind, ExprKind::Name { .. }) && self.may_be_iterator(value)
                        }
                        _ => false,
                    }
                })
            }
            _ => false,
        }
    }

    fn gives_changeable_result(&self, key: PlainFunction) -> bool {
        let declared_frozen = declared_result(self.world, key).is_some_and(|traits| traits.frozen);
        !declared_frozen
            && self.effects.of_function(key).is_none_or(|summary| summary.makes_changeable || summary.gives_iterator)
    }

    fn returns_frozen_items(&self, key: PlainFunction) -> bool {
        declared_result(self.world, key).is_some_and(|traits| traits.frozen_items)
    }

    /// The variable or the part of one that is assigned a value may hold changeable objects from now on.
    pub(super) fn hold_changeable(&mut self, holder: ExprId) {
        let tree = &self.unit.tree;
        match tree[holder].kind {
            ExprKind::Name { name, .. } => {
                self.changeable.insert(tree.text(name).to_owned());
            }
            ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } | ExprKind::Starred { value, .. } => {
                self.hold_changeable(value);
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                tree[elements].iter().for_each(|&element| self.hold_changeable(element));
            }
            _ => {}
        }
    }

    /// What an assignment, or going through a value, makes its target hold.
    pub(super) fn assign_changeable(&mut self, target: ExprId, value: ExprId, items: bool) {
        let tree = &self.unit.tree;
        let unpacks = items || matches!(tree[target].kind, ExprKind::Tuple { .. } | ExprKind::List { .. });
        // `a, b = b, a + b`
        if let (ExprKind::Tuple { elements: targets, .. }, ExprKind::Tuple { elements: values, .. }) =
            (tree[target].kind, tree[value].kind)
            && !items
            && tree[targets].len() == tree[values].len()
        {
            for (&target, &value) in tree[targets].iter().zip(&tree[values]) {
                self.assign_changeable(target, value, false);
            }
            return;
        }
        if if unpacks { self.items_changeable(value) } else { self.is_changeable(value) } {
            self.hold_changeable(target);
        }
    }
}
