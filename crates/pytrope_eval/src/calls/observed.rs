//! What an observer is told about calls.

use std::sync::Arc;

use crate::interp::{BindingKind, CallEvent, Interp};
use crate::object::{Function, Object};
use crate::value::{Addr, Value};

impl Interp<'_> {
    /// A library calls code of the program that takes too long: `model(images)` runs `forward`.
    pub(super) fn tell_given_up(&mut self, callee: &Value) {
        let Some(Object::Function(function)) = callee.addr().map(|addr| self.object_at(addr)) else { return };
        if function.code.is_model {
            return;
        }
        let reason = format!("`{}` is not followed: a limit of the analysis was reached", function.name);
        let span = self.user_span();
        if let Some(observer) = &mut self.report.observer {
            observer.on_unknown(&span, &reason);
        }
    }

    /// Tells the observer what the program calls.
    pub(crate) fn observe_call(&mut self, function: &Function, first: Option<&Value>) {
        if !self.report.is_observed() || self.in_model() && function.code.is_model {
            return;
        }
        let receiver = first.and_then(|first| self.class_of(first)).and_then(|class| self.class_at(class));
        let receiver = receiver.map(|class| Arc::clone(&class.name));
        let Some(mut observer) = self.report.observer.take() else { return };
        // What a model calls back runs where the program called the model.
        let frame =
            self.run.frames.iter().rev().find(|frame| !frame.code.is_model).unwrap_or_else(|| self.current_frame());
        observer.on_call(&CallEvent {
            code: &frame.code,
            range: frame.node,
            name: function.name,
            receiver: receiver.as_deref(),
            is_model: function.code.is_model,
        });
        self.report.observer = Some(observer);
    }

    /// Tells the observer what a function of the program was given; methods' own first parameter says nothing new.
    pub(crate) fn observe_parameters(&mut self, function: &Function, scope: Addr) {
        if !self.report.is_observed() || self.report.is_muted() {
            return;
        }
        let code = Arc::clone(&function.code);
        let Some(parameters) = code.scope_info(function.id).parameters else { return };
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &code.tree[list] {
                let name = code.name_of(parameter.name.name);
                if matches!(name.text(), "self" | "cls") {
                    continue;
                }
                let Some(value) =
                    self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone())
                else {
                    continue;
                };
                self.observe_binding(parameter.name.range, name.text(), BindingKind::Parameter, &value);
                if self.analysis.assumes && !self.is_inlined() {
                    self.name_axes_of_parameter(name, &value);
                }
            }
        }
    }
}
