//! What an observer is told about calls and bindings.

use std::sync::Arc;

use pytrope_source::TextRange;

use crate::interp::{ArrayKnowledge, BindEvent, BindingKind, CallEvent, Interp};
use crate::object::{Function, Object};
use crate::value::{Addr, Value};

impl Interp<'_> {
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

    /// Tells the observer what a name of the program is bound to.
    pub(crate) fn observe_binding(&mut self, range: TextRange, name: &str, kind: BindingKind, value: &Value) {
        if !self.report.is_observed() || self.in_model() || self.report.is_muted() {
            return;
        }
        if self.analysis.assumes && self.is_inlined() {
            // Another caller may give something else: code that is not called is shown as it is run for itself.
            return;
        }
        let value = &self.resolve_lazy(value.clone());
        let shown = self.show_value(value);
        let reason = if let Value::Unknown(reason) = value { Some(*reason) } else { None };
        let array = self.array_knowledge(value);
        let span = self.current_frame().code.span_of(range);
        if let Some(observer) = &mut self.report.observer {
            observer.on_bind(&BindEvent { span, name, shown: &shown, kind, reason, array });
        }
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
            }
        }
    }

    /// How much is known of a value that is an array, or one of several arrays.
    fn array_knowledge(&self, value: &Value) -> Option<ArrayKnowledge> {
        let of_one = |value: &Value| match value.addr().map(|addr| self.object_at(addr)) {
            Some(Object::Array(array)) => {
                let sizes = self.show_shape(&array.shape);
                let is_scalar = array.shape.rank() == Some(0) && !self.show_value(value).contains('[');
                let known = match array.shape.rank() {
                    None => ArrayKnowledge::Class,
                    Some(_) if sizes.contains('?') => ArrayKnowledge::Rank,
                    Some(_) => ArrayKnowledge::Shape,
                };
                (!is_scalar).then_some(known)
            }
            _ => None,
        };
        let alternatives = value.alternatives();
        let known = alternatives.iter().filter_map(of_one).min()?;
        Some(if alternatives.iter().any(Value::is_unknown) { ArrayKnowledge::Class } else { known })
    }
}
