//! What an observer is told about bindings: the value as it is shown, and how much of an array is known.

use pytrope_source::{Span, TextRange};

use crate::interp::{ArrayKnowledge, BindEvent, BindingKind, Interp};
use crate::object::{AllocSpan, Object};
use crate::value::Value;

impl Interp<'_> {
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
        let origin = self.array_origin(value);
        let span = self.current_frame().code.span_of(range);
        if let Some(observer) = &mut self.report.observer {
            observer.on_bind(&BindEvent { span, name, shown: &shown, kind, reason, array, origin });
        }
    }

    /// Where an array was made, or the first of several.
    fn array_origin(&self, value: &Value) -> Option<Span> {
        value.alternatives().iter().find_map(|value| match self.object_at(value.addr()?) {
            Object::Array(array) => array.born.as_ref().map(|AllocSpan(span)| span.clone()),
            _ => None,
        })
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
