//! Conditions that cannot be decided: what they say of the values they ask about, and of the same condition asked again.

use pytrope_source::Node;
use pytrope_source::tree::{Context, ExprId, ExprKind, Str, UnaryOperator};

use crate::code::Code;
use crate::interp::Interp;
use crate::names::Name;
use crate::program::Program;
use crate::value::{Addr, Reason, Seq, Value};

/// A name that a condition has asked about, and the value it had.
pub(crate) struct OpaquePredicate {
    scope: Addr,
    name: Name,
    value: Value,
}

/// Whether a value is a constant, or some value of one builtin type: nothing that unknown code could have changed.
fn is_constant(value: &Value) -> bool {
    match value {
        Value::Tuple(Seq::Exact(items)) => items.iter().all(is_constant),
        Value::Unknown(_)
        | Value::UnknownNotNone(_)
        | Value::Tuple(Seq::Open(_))
        | Value::Obj(_)
        | Value::Native(_)
        | Value::Bound(_)
        | Value::Method(_)
        | Value::SymbolicBool(_) => false,
        Value::Union(values) => values.iter().all(is_constant),
        _ => true,
    }
}

/// The names that a condition gives to calls, in the order of the text. What builtins answer is known as far as it can be.
fn names_given_to_calls(code: &Code, program: &Program, test: ExprId) -> Vec<Name> {
    let mut names = Vec::new();
    for node in code.tree.descendants(Node::Expr(test)) {
        let Node::Expr(id) = node else { continue };
        let ExprKind::Call { function, arguments } = code.tree[id].kind else { continue };
        if matches!(code.tree[function].kind, ExprKind::Name { name, .. }
            if program.builtin_value(code.name_of(name)).is_some())
        {
            continue;
        }
        let given = code.tree[arguments.positional].iter().copied();
        let given = given.chain(code.tree[arguments.keywords].iter().map(|keyword| keyword.value));
        names.extend(given.filter_map(|argument| match code.tree[argument].kind {
            ExprKind::Name { name, .. } => Some(code.name_of(name)),
            _ => None,
        }));
    }
    names
}

impl Interp<'_> {
    /// The names that an undecided condition gives to calls, where they stand for constants. Each call has one answer for
    /// these values, so that one of the two arms is not theirs; which one is unknown.
    pub(crate) fn asked_about(&self, test: ExprId) -> Vec<OpaquePredicate> {
        let mut asked: Vec<OpaquePredicate> = Vec::new();
        // Findings alone gain from it; where an entry is the whole program, constants stay what they are.
        if self.report.is_observed() || self.in_model() || self.analysis.program.closed_world {
            return asked;
        }
        let code = &self.current_frame().code;
        let scope = self.current_frame().scope();
        let Some(slots) = self.scope_slots(scope) else { return asked };
        for &name in code.names_given_to_calls(test, || names_given_to_calls(code, self.analysis.program, test)).iter()
        {
            if let Some(slot) = slots.get(name).filter(|slot| slot.definite && is_constant(&slot.value)) {
                asked.push(OpaquePredicate { scope, name, value: slot.value.clone() });
            }
        }
        asked
    }

    /// On an arm of the condition the values that were asked about may be others.
    pub(crate) fn forget_asked(&mut self, asked: &[OpaquePredicate]) {
        for OpaquePredicate { scope, name, .. } in asked {
            self.bind_in(*scope, *name, Value::Unknown(Reason::Tested(*name)));
        }
    }

    /// At the end of an arm the names that were not rebound stand for what they stood for. A name that was rebound, if only on a
    /// path inside the arm, has another Unknown (`Reason::identity`).
    pub(crate) fn restore_asked(&mut self, asked: &[OpaquePredicate]) {
        for OpaquePredicate { scope, name, value } in asked {
            let slot = self.scope_slots(*scope).and_then(|slots| slots.get(*name));
            if slot.is_some_and(|slot| slot.definite && slot.value == Value::Unknown(Reason::Tested(*name))) {
                self.bind_in(*scope, *name, value.clone());
            }
        }
    }

    /// One arm was left: who comes out of the other may have other values.
    pub(super) fn forget_unless_bound(&mut self, asked: &[OpaquePredicate]) {
        for OpaquePredicate { scope, name, value } in asked {
            let slot = self.scope_slots(*scope).and_then(|slots| slots.get(*name));
            if slot.is_some_and(|slot| slot.value == *value) {
                self.bind_in(*scope, *name, Value::Unknown(Reason::Tested(*name)));
            }
        }
    }

    /// An arm of an undecided condition was left: in the rest of the block the condition has the other answer.
    pub(super) fn assume_left_arm(&mut self, test: ExprId, answer: bool) {
        let (test, answer) = self.without_not(test, answer);
        self.frame_mut().excluded_branches.push((test, answer));
    }

    /// Whether the arm with this answer cannot be, since an earlier one of the same condition was left.
    pub(super) fn is_refused(&self, test: ExprId, answer: bool) -> bool {
        let frame = self.current_frame();
        if frame.excluded_branches.is_empty() {
            return false;
        }
        let (test, answer) = self.without_not(test, answer);
        let text = |id: ExprId| frame.code.file.slice(frame.code.tree[id].range);
        let words = text(test);
        frame.excluded_branches.iter().any(|&(earlier, excluded_answer)| {
            excluded_answer == answer && text(earlier) == words && !self.is_rebound_between(earlier, test)
        })
    }

    fn without_not(&self, mut test: ExprId, mut answer: bool) -> (ExprId, bool) {
        while let ExprKind::UnaryOp { op: UnaryOperator::Not, operand } = self.current_frame().code.tree[test].kind {
            (test, answer) = (operand, !answer);
        }
        (test, answer)
    }

    /// Whether a name that a condition mentions is bound between two places where it is asked.
    fn is_rebound_between(&self, earlier: ExprId, test: ExprId) -> bool {
        let frame = self.current_frame();
        let tree = &frame.code.tree;
        let names: Vec<Str> = tree
            .descendants(Node::Expr(test))
            .filter_map(|node| match node {
                Node::Expr(id) => tree.as_name(id),
                Node::Stmt(_) => None,
            })
            .collect();
        let (from, to) = (tree[earlier].range.end, tree[test].range.start);
        let Some(function) = frame.info().stmt else { return true };
        tree.descendants(Node::Stmt(function)).any(|node| match node {
            Node::Expr(id) => {
                let range = tree[id].range;
                range.start >= from
                    && range.end <= to
                    && matches!(tree[id].kind, ExprKind::Name { name, context }
                        if context != Context::Load && names.contains(&name))
            }
            Node::Stmt(_) => false,
        })
    }
}
