//! `and`, `or`, and what a condition comes to.

use std::sync::Arc;

use pytrope_source::tree::{BoolOperator, ExprId, ExprKind, UnaryOperator};

use crate::cond::Cond;
use crate::effects::Operation;
use crate::interp::{Flow, Interp, Unreachable};
use crate::value::Value;
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    pub(super) fn bool_op(&mut self, op: BoolOperator, values: &[ExprId]) -> Flow {
        let (first, rest) = values.split_first().expect("a boolean operation has operands");
        let value = self.eval_expr(*first)?;
        if rest.is_empty() {
            return Ok(value);
        }
        let outcome = self.perform_here(Operation::Operand { value: &value }, |interp| interp.truth_of(&value))?;
        self.observe_branch(*first, &outcome);
        let stops_on = op == BoolOperator::Or;
        match outcome {
            ThreeValued::True if stops_on => Ok(value),
            ThreeValued::False if !stops_on => Ok(value),
            ThreeValued::True | ThreeValued::False => {
                self.refine_by_condition(*first, !stops_on);
                self.bool_op(op, rest)
            }
            ThreeValued::Open(cond) => {
                let (go_on, stop) =
                    if stops_on { (cond.negated(), cond.clone()) } else { (cond.clone(), cond.negated()) };
                let first_is_bool = value.kind() == Some(crate::value::BuiltinType::Bool);
                if first_is_bool {
                    // Both parts may be conditions: keep them as one.
                    let before = self.run.state.clone();
                    let feasible = self.assume_condition(&go_on) && self.refine_by_condition(*first, !stops_on);
                    if !feasible {
                        self.run.state = before;
                        return Ok(Value::Bool(stops_on));
                    }
                    let asked = self.asked_about(*first);
                    self.forget_asked(&asked);
                    let second = self.run_branch(|interp| interp.bool_op(op, rest));
                    self.restore_asked(&asked);
                    let Ok(second) = second else {
                        self.run.state = before;
                        self.assume_condition(&stop);
                        return Ok(Value::Bool(stops_on));
                    };
                    let after = self.run.state.clone();
                    let joined = self.join_states(&before, &after);
                    self.run.state = joined;
                    return Ok(match &second {
                        // `c or True` is True, `c and False` is False.
                        Value::Bool(value) if *value == stops_on => Value::Bool(stops_on),
                        Value::Bool(_) => Value::SymbolicBool(Arc::new(cond)),
                        Value::SymbolicBool(other) => {
                            let parts = vec![cond, (**other).clone()];
                            Value::SymbolicBool(Arc::new(if stops_on { Cond::Any(parts) } else { Cond::All(parts) }))
                        }
                        Value::Unknown(_) | Value::UnknownNotNone(_) => second,
                        _ => {
                            let stopped = Value::Bool(stops_on);
                            self.join_loose(&stopped, &second)
                        }
                    });
                }
                let kept = value.clone();
                let asked = self.asked_about(*first);
                self.run_both_arms(
                    |interp| {
                        if !interp.assume_condition(&stop) || !interp.refine_by_condition(*first, stops_on) {
                            return Err(Unreachable);
                        }
                        Ok(interp.narrow_truth(&kept, stops_on))
                    },
                    |interp| {
                        if !interp.assume_condition(&go_on) || !interp.refine_by_condition(*first, !stops_on) {
                            return Err(Unreachable);
                        }
                        interp.forget_asked(&asked);
                        let value = interp.bool_op(op, rest);
                        interp.restore_asked(&asked);
                        value
                    },
                )
            }
        }
    }

    /// Evaluates a condition.
    pub fn eval_condition(&mut self, id: ExprId) -> Flow<ThreeValued<Cond>> {
        let code = self.current_code();
        match code.tree[id].kind {
            ExprKind::BoolOp { op, values } => return self.test_all(op, &code.tree[values]),
            ExprKind::UnaryOp { op: UnaryOperator::Not, operand } => {
                return Ok(self.eval_condition(operand)?.negated());
            }
            _ => {}
        }
        let value = self.eval_expr(id)?;
        let operation = Operation::Operand { value: &value };
        self.perform(code.tree[id].range, operation, |interp| interp.truth_of(&value))
    }

    /// The truth of `a and b`, `a or b`, where the value does not matter: `unknown and False` is false.
    fn test_all(&mut self, op: BoolOperator, values: &[ExprId]) -> Flow<ThreeValued<Cond>> {
        let (first, rest) = values.split_first().expect("a boolean operation has operands");
        let outcome = self.eval_condition(*first)?;
        self.observe_branch(*first, &outcome);
        if rest.is_empty() {
            return Ok(outcome);
        }
        let stops_on = op == BoolOperator::Or;
        let cond = match outcome {
            ThreeValued::True if stops_on => return Ok(ThreeValued::True),
            ThreeValued::False if !stops_on => return Ok(ThreeValued::False),
            ThreeValued::True | ThreeValued::False => {
                self.refine_by_condition(*first, !stops_on);
                return self.test_all(op, rest);
            }
            ThreeValued::Open(cond) => cond,
        };
        let (go_on, stop) = if stops_on { (cond.negated(), cond.clone()) } else { (cond.clone(), cond.negated()) };
        let before = self.run.state.clone();
        if !self.assume_condition(&go_on) || !self.refine_by_condition(*first, !stops_on) {
            self.run.state = before;
            return Ok(ThreeValued::of(stops_on));
        }
        let asked = self.asked_about(*first);
        self.forget_asked(&asked);
        let second = self.run_branch(|interp| interp.test_all(op, rest));
        self.restore_asked(&asked);
        let Ok(second) = second else {
            // The rest raises: only the first operand's word remains.
            if self.is_exhausted() {
                return Err(Unreachable);
            }
            self.run.state = before;
            self.assume_condition(&stop);
            return Ok(ThreeValued::of(stops_on));
        };
        let after = self.run.state.clone();
        let joined = self.join_states(&before, &after);
        self.run.state = joined;
        Ok(match second {
            ThreeValued::True if stops_on => ThreeValued::True,
            ThreeValued::False if !stops_on => ThreeValued::False,
            ThreeValued::True | ThreeValued::False => ThreeValued::Open(cond),
            ThreeValued::Open(other) => {
                ThreeValued::Open(if stops_on { Cond::Any(vec![cond, other]) } else { Cond::All(vec![cond, other]) })
            }
        })
    }
}
