//! What holds of a name once a condition that mentions it is known.

use pytrope_source::tree::{BoolOperator, Comparison, ExprId, ExprKind, StmtKind, UnaryOperator};

use crate::interp::Interp;
use crate::native::CallArgs;
use crate::object::Object;
use crate::value::{Reason, Value};
use pytrope_dims::ThreeValued;

impl Interp<'_> {
    /// Narrows the names in a condition; false if no value is left for one of them.
    pub(crate) fn refine_by_condition(&mut self, test: ExprId, positive: bool) -> bool {
        let code = self.current_code();
        match code.tree[test].kind {
            ExprKind::UnaryOp { op: UnaryOperator::Not, operand } => self.refine_by_condition(operand, !positive),
            ExprKind::BoolOp { op, values } => {
                let all = (op == BoolOperator::And) == positive;
                !all || code.tree[values].iter().all(|&value| self.refine_by_condition(value, positive))
            }
            ExprKind::Named { target: place, .. } => self.refine_truth(place, positive),
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => self.refine_truth(test, positive),
            ExprKind::Compare { left, ops, comparators } => {
                let (&[op], &[right]) = (&code.tree[ops], &code.tree[comparators]) else { return true };
                let is_none = matches!(code.tree[right].kind, ExprKind::None);
                match op {
                    Comparison::Is | Comparison::IsNot if is_none => {
                        let wanted = (op == Comparison::Is) == positive;
                        self.exclude_none(left, !wanted);
                        self.narrow_alternatives(left, &|interp, value| {
                            interp.is_same(value, &Value::None) != ThreeValued::of(!wanted)
                        }) && (!wanted || self.set_if_unknown(left, &Value::None))
                    }
                    Comparison::Eq | Comparison::NotEq => {
                        if (op == Comparison::Eq) == positive && !self.shapes_are_equal(left, right) {
                            return false;
                        }
                        let Some(constant) = self.literal_value(right) else { return true };
                        let wanted = (op == Comparison::Eq) == positive;
                        self.exclude_none(left, wanted != (constant == Value::None));
                        self.narrow_alternatives(left, &|interp, value| {
                            interp.equal_quietly(value, &constant) != ThreeValued::of(!wanted)
                        })
                    }
                    _ => true,
                }
            }
            ExprKind::Call { function, arguments } => {
                let is_isinstance =
                    code.tree.as_name(function).is_some_and(|name| code.tree.text(name) == "isinstance");
                let positional = &code.tree[arguments.positional];
                if let (false, &[place], true) = (is_isinstance, positional, arguments.keywords.is_empty()) {
                    return self.refine_by_predicate(function, place, positive);
                }
                if !is_isinstance || positional.len() != 2 {
                    return true;
                }
                let class = self.eval_annotation(positional[1]);
                let none_is_instance = self.is_instance(&Value::None, &class);
                // A class that is not known (`list | dict`) is hardly that of None.
                let none_is_excluded = none_is_instance == ThreeValued::of(!positive)
                    || positive && matches!(none_is_instance, ThreeValued::Open(_));
                if none_is_excluded && self.read_place(positional[0]) == Some(Value::None) {
                    return false;
                }
                self.exclude_none(positional[0], none_is_excluded);
                self.narrow_alternatives(positional[0], &|interp, value| match value {
                    Value::None => !none_is_excluded,
                    _ => interp.is_instance(value, &class) != ThreeValued::of(!positive),
                })
            }
            _ => true,
        }
    }

    /// After `exists(x)`, where the program defines `def exists(v): return v is not None`: what `x` can be, given what the
    /// function answers for each alternative.
    fn refine_by_predicate(&mut self, function: ExprId, place: ExprId, positive: bool) -> bool {
        let Some(value) = self.read_place(place) else { return true };
        if self.in_model() || !matches!(value, Value::Union(_) | Value::Unknown(_)) {
            return true;
        }
        let Ok(predicate) = self.attempt_muted(|interp| interp.eval_expr(function)) else { return true };
        if !self.is_one_expression(&predicate) {
            return true;
        }
        let is_excluded = |interp: &mut Self, given: &Value| {
            let before = interp.run.state.clone();
            let answer = interp.attempt_muted(|interp| {
                let answer = interp.call_value(&predicate, CallArgs::of(vec![given.clone()]))?;
                interp.truth_of(&answer)
            });
            interp.run.state = before;
            answer == Ok(ThreeValued::of(!positive))
        };
        if value.is_unknown() {
            let excluded = is_excluded(self, &Value::None);
            self.exclude_none(place, excluded);
            return true;
        }
        self.narrow_alternatives(place, &|interp, value| !is_excluded(interp, value))
    }

    /// Whether a value is a function of the program that returns one expression of its parameters and does nothing else.
    fn is_one_expression(&self, function: &Value) -> bool {
        let Some(Object::Function(function)) = function.addr().map(|addr| self.object_at(addr)) else { return false };
        let code = &function.code;
        let info = code.scope_info(function.id);
        let Some(StmtKind::FunctionDef(definition)) = info.stmt.map(|stmt| code.tree[stmt].kind) else { return false };
        !code.is_model
            && !info.is_generator
            && code.tree[definition.decorators].is_empty()
            && code.tree[definition.body]
                .iter()
                .all(|&stmt| matches!(code.tree[stmt].kind, StmtKind::Return { value: Some(_) }))
    }

    fn refine_truth(&mut self, place: ExprId, positive: bool) -> bool {
        self.exclude_none(place, positive);
        self.narrow_alternatives(place, &|interp, value| interp.truth_is(value, positive))
    }

    /// A condition under which nothing at the place can be None.
    pub(crate) fn exclude_none(&mut self, place: ExprId, holds: bool) {
        if holds && let Some(Value::Unknown(reason)) = self.read_place(place) {
            self.narrow_place(place, Value::UnknownNotNone(reason));
        }
    }

    fn literal_value(&self, expr: ExprId) -> Option<Value> {
        let code = self.current_code();
        Some(match code.tree[expr].kind {
            ExprKind::Str(text) => Value::str(code.tree.text(text)),
            ExprKind::Int(value) => Value::Int(value),
            ExprKind::Bool(value) => Value::Bool(value),
            ExprKind::None => Value::None,
            _ => return None,
        })
    }

    fn truth_is(&mut self, value: &Value, wanted: bool) -> bool {
        let (tri, _) = self.capture_raises(|interp| interp.truth_of(value));
        !matches!(tri, Ok(verdict) if verdict == ThreeValued::of(!wanted))
    }

    /// Keeps the alternatives of a name or attribute that pass.
    fn narrow_alternatives(&mut self, target: ExprId, keep: &dyn Fn(&mut Self, &Value) -> bool) -> bool {
        let Some(value) = self.read_place(target) else { return true };
        let Value::Union(alternatives) = &value else { return true };
        let kept: Vec<Value> = alternatives.iter().filter(|value| keep(self, value)).cloned().collect();
        if kept.is_empty() {
            return false;
        }
        if kept.len() < alternatives.len() {
            let narrowed = if kept.len() == 1 { kept[0].clone() } else { Value::Union(std::sync::Arc::new(kept)) };
            self.narrow_place(target, narrowed);
        }
        true
    }

    fn set_if_unknown(&mut self, target: ExprId, value: &Value) -> bool {
        if matches!(self.current_code().tree[target].kind, ExprKind::Name { .. })
            && self.read_place(target).is_some_and(|old| old.is_unknown())
        {
            self.narrow_place(target, value.clone());
        }
        true
    }

    /// The value of a plain name, or of an attribute stored in an instance, without evaluating anything.
    pub(crate) fn read_place(&mut self, target: ExprId) -> Option<Value> {
        let value = self.stored_at(target)?;
        Some(self.resolve_lazy(value))
    }

    fn stored_at(&mut self, target: ExprId) -> Option<Value> {
        let code = self.current_code();
        match code.tree[target].kind {
            ExprKind::Name { name, .. } => {
                let scope = self.binding_scope(name);
                match self.object_at(scope) {
                    Object::Scope(slots) => {
                        slots.get(code.name_of(name)).filter(|slot| slot.definite).map(|slot| slot.value.clone())
                    }
                    _ => None,
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let object = self.read_place(value)?;
                let instance = self.instance_of(&object)?;
                instance
                    .attrs
                    .get(code.attribute_name(attribute.name, self.current_frame().id))
                    .filter(|slot| slot.definite)
                    .map(|slot| slot.value.clone())
            }
            ExprKind::Named { target, .. } => self.read_place(target),
            _ => None,
        }
    }

    pub(crate) fn narrow_place(&mut self, target: ExprId, narrowed: Value) {
        let code = self.current_code();
        match code.tree[target].kind {
            // What others rebind at any time is not what it was when it was tested.
            ExprKind::Name { name, .. } if code.scopes.volatile.contains(name) => {}
            ExprKind::Name { name, .. } => {
                let scope = self.binding_scope(name);
                self.bind_in(scope, code.name_of(name), narrowed);
            }
            ExprKind::Attribute { value, attribute, .. } => {
                if let Some(object) = self.read_place(value)
                    && let Some(addr) = object.addr()
                {
                    let name = code.attribute_name(attribute.name, self.current_frame().id);
                    self.change_instance(addr, |instance| instance.attrs.set(name, narrowed));
                }
            }
            ExprKind::Named { target, .. } => self.narrow_place(target, narrowed),
            _ => {}
        }
    }

    /// The part of a value that has the given truth.
    pub(crate) fn narrow_truth(&mut self, value: &Value, wanted: bool) -> Value {
        match value {
            Value::Union(alternatives) => {
                let kept: Vec<Value> =
                    alternatives.iter().filter(|value| self.truth_is(value, wanted)).cloned().collect();
                match kept.len() {
                    0 => Value::Unknown(Reason::Operand),
                    1 => kept[0].clone(),
                    _ => Value::Union(std::sync::Arc::new(kept)),
                }
            }
            Value::Dim(_) if !wanted => Value::Int(0),
            Value::Unknown(reason) if wanted => Value::UnknownNotNone(*reason),
            other => other.clone(),
        }
    }
}
