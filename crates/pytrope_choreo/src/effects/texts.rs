//! Texts of values: functions and objects without a representation of their own are shown by their address, which no two processes share.

use pytrope_source::Node;
use pytrope_source::tree::{Arguments, Context, ExprId, ExprKind, FunctionDefinition, Parent, StmtKind};

use super::body::{EffectCollector, given_positions};
use super::{Callee, PlainFunction, SHOWS_ADDRESS, tables};
use crate::value_types::class_traits;

impl EffectCollector<'_> {
    /// Whether a value may be a function or an object that is shown by its address, or hold one.
    pub(super) fn is_unshown(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        let resolve = |expr: ExprId| self.effects.resolve_callee(self.world, self.unit, expr);
        match tree[expr].kind {
            ExprKind::Lambda { .. } | ExprKind::Generator { .. } => true,
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if self.shares.contains_key(name) {
                    return self.unshown.contains(name) || self.defined.contains_key(name);
                }
                matches!(resolve(expr), Callee::Function(_) | Callee::Class(_))
            }
            ExprKind::Attribute { attribute, .. } => {
                let name = tree.text(attribute.name);
                let is_method = !self.effects.methods_named(name).is_empty();
                is_method || self.effects.unshown_attributes.borrow().contains(name)
            }
            ExprKind::Call { function, arguments } => match resolve(function) {
                Callee::Class(class) => self.makes_unshown(class),
                Callee::Function(key) => {
                    self.effects.of_function(key).is_some_and(|summary| summary.unshown || summary.gives_iterator)
                }
                // An exception says what it is made of.
                Callee::Builtin(name) if name.ends_with("Error") || name == "Exception" => {
                    tree[arguments.positional].iter().any(|&argument| self.is_unshown(argument))
                }
                Callee::Builtin(name) => tables::makes_iterator(&name) || name == "type",
                _ => false,
            },
            ExprKind::Subscript { value, .. } | ExprKind::Named { value, .. } => self.is_unshown(value),
            ExprKind::ListComp { element, .. } | ExprKind::SetComp { element, .. } => self.is_unshown(element),
            ExprKind::IfExp { body, orelse, .. } => self.is_unshown(body) || self.is_unshown(orelse),
            ExprKind::BoolOp { .. }
            | ExprKind::Tuple { .. }
            | ExprKind::List { .. }
            | ExprKind::Set { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Starred { .. } => tree
                .children(Node::Expr(expr))
                .into_iter()
                .any(|child| matches!(child, Node::Expr(child) if self.is_unshown(child))),
            _ => false,
        }
    }

    /// Whether a function raises an exception that is made of what is shown by its address.
    pub(super) fn raises_unshown(&self, function: FunctionDefinition) -> bool {
        let tree = &self.unit.tree;
        tree.suite_nodes(function.body).any(|node| match node {
            Node::Stmt(stmt) => matches!(tree[stmt].kind, StmtKind::Raise { exception: Some(raised), .. }
                if self.is_unshown(raised)),
            Node::Expr(_) => false,
        })
    }

    /// Whether instances of a class are shown by their address.
    fn makes_unshown(&self, class: PlainFunction) -> bool {
        let unit = self.world.unit(class.0);
        match unit.tree[class.1].kind {
            StmtKind::ClassDef(declared) => !class_traits(self.world, unit, declared, 4).shown,
            _ => true,
        }
    }

    /// The variable or the attribute that is assigned a value may be shown by an address from now on.
    pub(super) fn hold_unshown(&mut self, holder: ExprId) {
        let tree = &self.unit.tree;
        match tree[holder].kind {
            ExprKind::Name { name, .. } => {
                self.unshown.insert(tree.text(name).to_owned());
            }
            ExprKind::Attribute { attribute, .. } => {
                self.effects.unshown_attributes.borrow_mut().insert(tree.text(attribute.name).to_owned());
            }
            ExprKind::Subscript { value, .. } | ExprKind::Starred { value, .. } => self.hold_unshown(value),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                tree[elements].iter().for_each(|&element| self.hold_unshown(element));
            }
            _ => {}
        }
    }

    /// The text of a value is taken.
    fn record_text(&mut self, value: ExprId) {
        if self.is_unshown(value) {
            self.add_variation(self.unit.tree[value].range, SHOWS_ADDRESS);
        }
        // A part of a parameter is told by its attribute's name.
        if !matches!(self.unit.tree[value].kind, ExprKind::Attribute { .. }) {
            self.effect.shows = self.effect.shows.union(self.shared_state(value).whole);
        }
    }

    /// Texts that an expression makes by itself: f-strings, `%`, `str(x)`, `"{}".format(x)`.
    pub(super) fn record_texts(&mut self, expr: ExprId) {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::FString { .. } => {
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        self.record_text(child);
                    }
                }
            }
            ExprKind::BinOp { left, right, .. } if matches!(tree[left].kind, ExprKind::Str(_)) => {
                self.record_text(right);
            }
            ExprKind::Call { function, arguments } => {
                let shows = match tree[function].kind {
                    ExprKind::Attribute { attribute, .. } => tree.text(attribute.name) == "format",
                    _ => matches!(self.effects.resolve_callee(self.world, self.unit, function),
                        Callee::Builtin(name) if tables::shows_arguments(&name)),
                };
                if shows {
                    tree[arguments.positional].iter().for_each(|&argument| self.record_text(argument));
                }
            }
            // `map(str, rows)` takes the text of all that it is given with.
            ExprKind::Name { context: Context::Load, .. } => {
                let Parent::Expr(parent) = tree[expr].parent else { return };
                let ExprKind::Call { function, arguments } = tree[parent].kind else { return };
                let shows = matches!(self.effects.resolve_callee(self.world, self.unit, expr),
                    Callee::Builtin(name) if tables::shows_arguments(&name));
                if function != expr && shows {
                    tree[arguments.positional].iter().for_each(|&argument| self.record_text(argument));
                }
            }
            _ => {}
        }
    }

    /// What a function takes the text of.
    pub(super) fn pass_shown(&mut self, key: PlainFunction, receiver: Option<ExprId>, arguments: Arguments) {
        let callee = self.world.unit(key.0);
        let (Some(summary), StmtKind::FunctionDef(function)) = (self.effects.of_function(key), callee.tree[key.1].kind)
        else {
            return;
        };
        for (position, value) in given_positions(self.unit, callee, function, receiver, arguments) {
            if summary.shows.contains(position) {
                self.record_text(value);
            }
        }
    }
}
