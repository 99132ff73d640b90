//! What an observer is told about bindings: the value as it is shown, and how much of an array is known.

use std::collections::BTreeSet;
use std::sync::Arc;

use pytrope_dims::{Dim, Sym};
use pytrope_source::{Span, TextRange};

use crate::interp::{ArrayKnowledge, BindEvent, BindingKind, Interp};
use crate::names::Name;
use crate::object::{AllocSpan, Object, Shape};
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
        if self.analysis.assumes {
            self.separate_names(value);
        }
        let shown = self.show_value(value);
        let reason = if let Value::Unknown(reason) = value { Some(self.reason_of_lazy(*reason)) } else { None };
        let array = self.array_knowledge(value);
        let element_type = self.element_type(value);
        let origin = self.array_origin(value);
        let span = self.current_frame().code.span_of(range);
        if let Some(observer) = &mut self.report.observer {
            observer.on_bind(&BindEvent { span, name, shown: &shown, kind, reason, array, element_type, origin });
        }
    }

    /// The sizes of a parameter that have no name are `x.shape[0]` in what is shown after it, until they are bound to one.
    pub(crate) fn name_axes_of_parameter(&mut self, name: Name, value: &Value) {
        let value = self.resolve_lazy(value.clone());
        let [array] = value.alternatives() else { return };
        let Some(dims) = self.array_of(array).filter(|array| array.shape.rank().is_some()).map(|array| &array.shape)
        else {
            return;
        };
        let symbols: Vec<Option<Sym>> = dims.dims().iter().map(Dim::as_symbol).collect();
        for (axis, sym) in symbols.into_iter().enumerate() {
            if let Some(sym) = sym
                && self.run.symbols.given(sym).is_none()
            {
                let shown = format!("{}.shape[{axis}]", name.text());
                self.run.symbols.set(sym, &shown);
                self.report.shown_names.insert(shown.into(), sym);
            }
        }
    }

    /// Where an array was made, or the first of several.
    fn array_origin(&self, value: &Value) -> Option<Span> {
        value.alternatives().iter().find_map(|value| match self.object_at(value.addr()?) {
            Object::Array(array) => array.born.as_ref().map(|AllocSpan(span)| span.clone()),
            _ => None,
        })
    }

    /// One name stands for one size in all that is shown of a function. Names come from wherever a size was first bound, also from
    /// functions that are called twice:
    ///
    /// ```python
    /// def attend(x):
    ///     B, N, C = x.shape  # `N` names another size in each call
    ///     return x
    ///
    /// coarse, fine = attend(coarse), attend(fine)  # [B, N, C] and [B_2, N_2, C_2]
    /// ```
    fn separate_names(&mut self, value: &Value) {
        let mut symbols = BTreeSet::new();
        for alternative in value.alternatives() {
            if let Some(array) = self.array_of(alternative) {
                let (Shape::Known(dims) | Shape::Prefix(dims) | Shape::Suffix(dims)) = &array.shape;
                symbols.extend(dims.iter().flat_map(|dim| self.run.state.store.simplify(dim).symbols()));
            }
        }
        for sym in symbols {
            let Some(name) = self.run.symbols.given(sym) else { continue };
            let claimed = self.report.shown_names.get(&name).is_some_and(|first| *first != sym);
            if !claimed && !self.is_bound_otherwise(&name, sym) {
                self.report.shown_names.insert(name, sym);
                continue;
            }
            // Beyond a few, and where a name is made of others (`x.shape[0]`), the size has none.
            let numbers = if name.contains(['.', '(', '[']) { 2..2_u32 } else { 2..10 };
            let free = numbers
                .map(|number| Arc::<str>::from(format!("{name}_{number}")))
                .find(|free| !self.report.shown_names.contains_key(free));
            if let Some(free) = free {
                self.run.symbols.set(sym, &free);
                self.report.shown_names.insert(free, sym);
            } else {
                self.run.symbols.forget_name(sym);
            }
        }
    }

    /// Whether the function itself has a variable of this name that holds another integer.
    fn is_bound_otherwise(&self, name: &str, sym: Sym) -> bool {
        let Some(&scope) = self.current_frame().chain.last() else { return false };
        let Object::Scope(slots) = self.object_at(scope) else { return false };
        match slots.get(Name::new(name)).map(|slot| &slot.value) {
            Some(Value::Dim(dim)) => self.run.state.store.simplify(dim).as_symbol() != Some(sym),
            Some(Value::Int(_)) => true,
            _ => false,
        }
    }

    /// The type of the elements of an array, or that of all arrays that a value may be.
    fn element_type(&self, value: &Value) -> Option<Arc<str>> {
        let mut found: Option<Arc<str>> = None;
        for alternative in value.alternatives() {
            let Some(array) = self.array_of(alternative) else { continue };
            match &array.dtype {
                Value::Str(name) if found.as_ref().is_none_or(|known| known == name) => found = Some(Arc::clone(name)),
                _ => return None,
            }
        }
        found
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
