//! Functions of the program that unknown code may call, for clients that follow such calls (`prune`, `migrate`).

use std::sync::Arc;

use crate::interp::Interp;
use crate::native::CallArgs;
use crate::object::Object;
use crate::state::State;
use crate::value::{Addr, BoundMethod, Seq, Value};

/// How many values of one call are searched for functions.
const VALUES_SEARCHED: usize = 64;

impl Interp<'_> {
    /// A recorded function that has not been followed yet, with the state in which it escaped.
    pub fn take_entry_point(&mut self) -> Option<(State, Value)> {
        self.run.escape.entry_points.pop()
    }

    /// Records the functions of the program that are passed to unknown code: it may call them with anything.
    pub(crate) fn record_entry_points(&mut self, callee: &Value, args: &CallArgs) {
        if self.report.observer.is_none() {
            return;
        }
        let mut values: Vec<Value> = vec![callee.clone()];
        values.extend(args.values().cloned());
        let mut at = 0;
        while at < values.len() && at < VALUES_SEARCHED {
            let value = values[at].clone();
            at += 1;
            match &value {
                Value::Union(alternatives) => values.extend(alternatives.iter().cloned()),
                Value::Tuple(Seq::Exact(items)) => values.extend(items.iter().cloned()),
                Value::Bound(bound) if self.is_own_function(&bound.function) => {
                    self.run.escape.entry_points.push((self.run.state.clone(), value));
                }
                Value::Obj(addr) => match self.object_at(*addr) {
                    Object::Function(function) if !function.code.is_model => {
                        self.run.escape.entry_points.push((self.run.state.clone(), value));
                    }
                    Object::List(Seq::Exact(items)) => values.extend(items.iter().cloned()),
                    Object::Instance(instance) => {
                        if let Some(class) = instance.class.addr() {
                            self.record_methods(class, &value);
                        }
                    }
                    Object::StaticMethod(inner) => values.push(inner.clone()),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    fn is_own_function(&self, value: &Value) -> bool {
        value
            .addr()
            .is_some_and(|addr| matches!(self.object_at(addr), Object::Function(function) if !function.code.is_model))
    }

    /// An instance of a class of the program escapes: any of its methods may be called.
    fn record_methods(&mut self, class: Addr, receiver: &Value) {
        let classes = self.mro_of(class).to_vec();
        let mut methods = Vec::new();
        for class in classes {
            if let Object::Class(class) = self.object_at(class)
                && !class.features.is_model
            {
                methods.extend(class.attrs.iter().map(|(_, slot)| slot.value.clone()));
            }
        }
        for function in methods {
            if self.is_own_function(&function) {
                let bound = BoundMethod { receiver: receiver.clone(), function };
                self.run.escape.entry_points.push((self.run.state.clone(), Value::Bound(Arc::new(bound))));
            }
        }
    }
}
