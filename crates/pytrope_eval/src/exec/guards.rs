//! Calls that stand guard: `self.fail(…)`, `check(x is not None)`, `assertIsNotNone(x)` may not come back, so that what
//! they refuse is excluded from what follows.

use pytrope_source::Node;
use pytrope_source::tree::{Arguments, Comparison, ExprId, ExprKind, List, StmtId, StmtKind};

use crate::interp::Interp;
use crate::value::{Reason, Value};

impl Interp<'_> {
    /// A branch for certain taken has ended with an unknown call: if the program goes on, the condition may
    /// have been changed, so what it was about is forgotten.
    pub(super) fn after_refusal(&mut self, test: ExprId, body: List<StmtId>) {
        let code = self.current_code();
        if code.is_model || !self.run.last_call_unknown {
            return;
        }
        let ends_with_call = code.tree[body].last().is_some_and(|&stmt| match code.tree[stmt].kind {
            StmtKind::Expr { value } => matches!(code.tree[value].kind, ExprKind::Call { .. }),
            _ => false,
        });
        if !ends_with_call {
            return;
        }
        let tested: Vec<ExprId> = std::iter::once(Node::Expr(test))
            .chain(code.tree.descendants(Node::Expr(test)))
            .filter_map(|node| match node {
                Node::Expr(id) => Some(id),
                Node::Stmt(_) => None,
            })
            .collect();
        for id in tested {
            self.forget_if_none(id);
            self.forget_contents(id);
        }
    }

    /// A call has come back though one of its arguments says `x is not None` of something that is None.
    pub(super) fn after_guard(&mut self, function: ExprId, arguments: Arguments, result: &Value) {
        self.run.last_call_unknown = result.is_unknown();
        let code = self.current_code();
        let callee = match code.tree[function].kind {
            ExprKind::Name { name, .. } => code.tree.text(name),
            ExprKind::Attribute { attribute, .. } => code.tree.text(attribute.name),
            _ => return,
        };
        let asserts = callee.to_lowercase().starts_with("assert");
        for &argument in &code.tree[arguments.positional] {
            match code.tree[argument].kind {
                ExprKind::Compare { left, ops, .. } if code.tree[ops].first() == Some(&Comparison::IsNot) => {
                    self.forget_if_none(left);
                }
                ExprKind::Name { .. } | ExprKind::Attribute { .. } if asserts => self.forget_if_none(argument),
                _ => {}
            }
        }
    }

    /// A function that is given nothing but constants and returns nothing works on what it finds, such as the attributes
    /// of the instance under construction (`store_attr()`).
    pub(super) fn after_inspection(&mut self, function: ExprId, arguments: Arguments, result: &Value) {
        let code = self.current_code();
        let tree = &code.tree;
        let is_constant = |id: ExprId| matches!(tree[id].kind, ExprKind::Str(_) | ExprKind::Int(_) | ExprKind::Bool(_));
        let finds = result.is_unknown()
            && matches!(tree[function].kind, ExprKind::Name { .. })
            && tree[arguments.positional].iter().all(|&argument| is_constant(argument))
            && tree[arguments.keywords].iter().all(|keyword| is_constant(keyword.value));
        if finds && let Some(receiver) = self.current_frame().first_argument.clone() {
            self.havoc_known(&receiver);
        }
    }

    /// `self.skipTest(…)` ends a test.
    pub(super) fn is_skipped(&self, function: ExprId) -> bool {
        let tree = &self.current_frame().code.tree;
        matches!(tree[function].kind, ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) == "skipTest")
    }

    fn forget_if_none(&mut self, place: ExprId) {
        let code = self.current_code();
        if matches!(code.tree[place].kind, ExprKind::Name { .. } | ExprKind::Attribute { .. })
            && self.read_place(place) == Some(Value::None)
        {
            self.narrow_place(place, Value::Unknown(Reason::Changed));
        }
    }

    /// What a container holds was found wanting, and the program goes on: it has been filled meanwhile.
    fn forget_contents(&mut self, place: ExprId) {
        if let Some(value) = self.read_place(place) {
            self.havoc_container(&value);
        }
    }
}
