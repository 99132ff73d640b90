//! Attributes that are stored into parameters which take classes, functions and members of enums: state of the module that the
//! argument stands for; and failed asserts that a handler catches.

use pytrope_source::tree::{Arguments, ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use super::body::{EffectCollector, Share, given_positions};
use super::{Callee, ParameterSet, PlainFunction, summary_parameters};

impl EffectCollector<'_> {
    /// A store into an attribute of a parameter, also of one whose type says that it cannot change in place: `def mark(c: type[T])`.
    pub(super) fn mark_parameter(&mut self, object: ExprId) {
        let marked = self.marked_positions(object);
        self.effect.marks = self.effect.marks.union(marked);
    }

    fn marked_positions(&self, object: ExprId) -> ParameterSet {
        let tree = &self.unit.tree;
        let Some(name) = tree.as_name(object).map(|name| tree.text(name)) else { return ParameterSet::NONE };
        let position = self.parameters.iter().position(|parameter| parameter == name);
        position.map_or(ParameterSet::NONE, ParameterSet::of_position)
    }

    /// `mark(Ticket, 3)` changes what `Ticket` stands for, if `mark` stores into attributes of its parameter.
    pub(super) fn mark_arguments(
        &mut self,
        callee: PlainFunction,
        marks: ParameterSet,
        receiver: Option<ExprId>,
        arguments: Arguments,
        range: TextRange,
    ) {
        let unit = self.world.unit(callee.0);
        let StmtKind::FunctionDef(function) = unit.tree[callee.1].kind else { return };
        for (position, value) in given_positions(self.unit, unit, function, receiver, arguments) {
            if !marks.contains(position) || Some(value) == receiver {
                continue;
            }
            self.mark_parameter(value);
            if self.stands_for_code(value) {
                let state = Share::of_parts(self.root_state(value));
                self.record_change(state, range);
            }
        }
    }

    fn stands_for_code(&self, value: ExprId) -> bool {
        !self.is_local(value)
            && matches!(
                self.effects.resolve_callee(self.world, self.unit, value),
                Callee::Function(_) | Callee::Class(_) | Callee::Enum
            )
    }

    /// A handler that a failed `assert` leads to decides by how the interpreter was started: `python -O` has no asserts.
    pub(super) fn record_caught_asserts(&mut self, stmt: StmtId) {
        let tree = &self.unit.tree;
        let StmtKind::Try { body, handlers, .. } = tree[stmt].kind else { return };
        let catches = tree[handlers].iter().any(|handler| {
            handler.class.is_none_or(|class| {
                let names = self.unit.exprs_within(tree[class].range).filter_map(|part| tree.as_name(part));
                names
                    .map(|name| tree.text(name))
                    .any(|name| matches!(name, "AssertionError" | "BaseException" | "Exception"))
            })
        });
        if catches && tree.suite_nodes(body).any(|node| self.may_fail_assert(node)) {
            self.add_variation(tree[stmt].range, "catches a failed assert, which python -O leaves out");
        }
    }

    fn may_fail_assert(&self, node: Node) -> bool {
        let tree = &self.unit.tree;
        let asserts = |key: &PlainFunction| self.effects.of_function(*key).is_some_and(|effect| effect.asserts);
        match node {
            Node::Stmt(stmt) => matches!(tree[stmt].kind, StmtKind::Assert { .. }),
            Node::Expr(expr) => {
                let ExprKind::Call { function, .. } = tree[expr].kind else { return false };
                match (self.effects.resolve_callee(self.world, self.unit, function), tree[function].kind) {
                    (Callee::Function(key), _) => asserts(&key),
                    (Callee::Unknown, ExprKind::Attribute { attribute, .. }) => {
                        self.effects.methods_named(tree.text(attribute.name)).iter().any(asserts)
                    }
                    _ => false,
                }
            }
        }
    }

    pub(super) fn name_parameters(&mut self, function: pytrope_source::tree::FunctionDefinition) {
        let declared = summary_parameters(self.unit, function).into_iter();
        self.parameters = declared.map(|parameter| self.unit.tree.text(parameter.name.name).to_owned()).collect();
    }
}
