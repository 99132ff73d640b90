//! What an observer is told about operations that may raise, and about functions that code which is not seen may call.

use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_source::tree::{BinaryOperator, Comparison};

use crate::interp::{CallEvent, Interp};
use crate::native::CallArgs;
use crate::object::{Function, Object};
use crate::value::{Seq, Value};

impl Interp<'_> {
    /// Whether somebody watches the code that runs.
    fn is_watched(&self) -> bool {
        self.report.is_observed() && !self.in_model()
    }

    /// The current operation of the program may raise.
    pub(crate) fn doubt(&mut self) {
        if !self.report.is_observed() {
            return;
        }
        let span = self.user_span();
        if let Some(observer) = &mut self.report.observer {
            observer.on_doubt(&span);
        }
    }

    pub(crate) fn doubt_name(&mut self, name: crate::names::Name) {
        if !self.is_watched() {
            return;
        }
        let maybe_unbound = match self.object(self.frame().scope()) {
            Object::Scope(slots) => slots.get(name).is_some_and(|slot| !slot.definite),
            _ => false,
        };
        if maybe_unbound {
            self.doubt();
        }
    }

    pub(crate) fn doubt_attribute(&mut self, object: &Value, found: &Value) {
        if self.is_watched() && (found.is_unknown() || object.alternatives().iter().any(Value::is_unknown)) {
            self.doubt();
        }
    }

    pub(crate) fn doubt_item(&mut self, object: &Value, index: &Value) {
        if !self.is_watched() {
            return;
        }
        let is_sure = |interp: &Self, object: &Value| {
            let seq = match object {
                Value::Tuple(seq) => seq,
                Value::Obj(addr) => match interp.object(*addr) {
                    Object::List(seq) => seq,
                    // What arrays require of an index is recorded by itself.
                    Object::Array(_) => return true,
                    _ => return false,
                },
                _ => return false,
            };
            match (seq, index) {
                (_, Value::Slice(_)) => true,
                (Seq::Exact(items), Value::Int(index)) => {
                    let length = i64::try_from(items.len()).unwrap_or(i64::MAX);
                    -length <= *index && *index < length
                }
                _ => false,
            }
        };
        if !object.alternatives().iter().all(|object| is_sure(self, object)) {
            self.doubt();
        }
    }

    pub(crate) fn doubt_binary(&mut self, op: BinaryOperator, left: &Value, right: &Value) {
        if !self.is_watched() {
            return;
        }
        let may_be_zero = |interp: &Self| match right {
            Value::Int(value) => *value == 0,
            Value::Float(value) => *value == 0.0,
            Value::Dim(dim) => {
                interp.run.state.store.compare(dim, pytrope_dims::Cmp::Ne, &pytrope_dims::Dim::ZERO)
                    != ThreeValued::True
            }
            // Arrays do not raise for it.
            Value::Obj(_) => false,
            _ => true,
        };
        let divides = match op {
            BinaryOperator::FloorDiv | BinaryOperator::Mod | BinaryOperator::Div => true,
            BinaryOperator::Pow | BinaryOperator::LShift | BinaryOperator::RShift => {
                !matches!(right, Value::Int(value) if *value >= 0)
            }
            BinaryOperator::Add
            | BinaryOperator::Sub
            | BinaryOperator::Mult
            | BinaryOperator::MatMult
            | BinaryOperator::BitOr
            | BinaryOperator::BitXor
            | BinaryOperator::BitAnd => false,
        };
        let unknown = |value: &Value| value.alternatives().iter().any(Value::is_unknown);
        if unknown(left) || unknown(right) || divides && may_be_zero(self) {
            self.doubt();
        }
    }

    pub(crate) fn doubt_compare(&mut self, op: Comparison, left: &Value, right: &Value) {
        let compares = !matches!(op, Comparison::Is | Comparison::IsNot);
        let unknown = |value: &Value| value.alternatives().iter().any(Value::is_unknown);
        if self.is_watched() && compares && (unknown(left) || unknown(right)) {
            self.doubt();
        }
    }

    pub(crate) fn doubt_truth(&mut self, value: &Value) {
        if self.is_watched() && value.alternatives().iter().any(Value::is_unknown) {
            self.doubt();
        }
    }

    /// Tells the observer what the program calls.
    pub(crate) fn observe_call(&mut self, function: &Function, first: Option<&Value>) {
        if !self.report.is_observed() || self.in_model() && function.code.is_model {
            return;
        }
        let receiver = first.and_then(|first| self.class_of(first)).and_then(|class| self.class(class));
        let receiver = receiver.map(|class| Arc::clone(&class.name));
        let Some(mut observer) = self.report.observer.take() else { return };
        // What a model calls back runs where the program called the model.
        let frame = self.run.frames.iter().rev().find(|frame| !frame.code.is_model).unwrap_or_else(|| self.frame());
        observer.on_call(&CallEvent {
            code: &frame.code,
            range: frame.node,
            name: function.name,
            receiver: receiver.as_deref(),
            is_model: function.code.is_model,
        });
        self.report.observer = Some(observer);
    }

    /// Does something for each alternative of arguments that are one of several arrays: models see one array at a time.
    pub(crate) fn call_with_each(
        &mut self,
        args: &CallArgs,
        call: &mut dyn FnMut(&mut Self, &CallArgs) -> crate::interp::Flow,
    ) -> crate::interp::Flow {
        let several = |interp: &Self, value: &Value| {
            matches!(value, Value::Union(_)) && value.alternatives().iter().any(|one| interp.array(one).is_some())
        };
        if let Some(at) = args.positional.iter().position(|value| several(self, value)) {
            return self.each(&args.positional[at].clone(), |interp, one| {
                let mut args = args.clone();
                args.positional[at] = one.clone();
                interp.call_with_each(&args, call)
            });
        }
        if let Some(at) = args.keywords.iter().position(|(_, value)| several(self, value)) {
            return self.each(&args.keywords[at].1.clone(), |interp, one| {
                let mut args = args.clone();
                args.keywords[at].1 = one.clone();
                interp.call_with_each(&args, call)
            });
        }
        call(self, args)
    }
}
