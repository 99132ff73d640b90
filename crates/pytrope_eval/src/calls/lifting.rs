//! Arguments of model functions are converted before the body runs, as their decorator `lifted` says.
//!
//! ```python
//! @lifted(as_array_arg, "a", known=("axis",))
//! def flip(a, axis=None):     # here `a` is an array and `axis` a value of which something is known
//! ```
//!
//! It happens in the frame of the function, so that what a converter raises is raised by the function.

use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Function, Lifting, Shape, Slot};
use crate::value::{Addr, Reason, Value};

impl Interp<'_> {
    /// Converts the bound arguments in place, and lists them; gives the answer of the call where the body has none to give.
    pub(super) fn lift_arguments(
        &mut self,
        lifting: &Lifting,
        scope: Addr,
        converted: &mut Vec<Value>,
    ) -> Flow<Option<Value>> {
        for name in &lifting.lifted {
            let Some(value) = self.argument_in(scope, *name) else { continue };
            let mut args = CallArgs::of(vec![self.resolve_lazy(value)]);
            if lifting.passes_name {
                args.keywords.push((Name::new("name"), Value::str(name.text())));
            }
            let lifted = self.call_value(&lifting.converter, args)?;
            self.change_scope(scope, |slots| slots.set(*name, lifted.clone()));
            converted.push(lifted);
        }
        let Some(why) = self.missing_knowledge(lifting, scope, converted) else { return Ok(None) };
        self.tell_passed_over(|_| why.reason().map_or_else(String::new, Reason::reason_text));
        match &lifting.otherwise {
            Some(otherwise) => self.call_value(otherwise, CallArgs::of(converted.clone())).map(Some),
            None => Ok(Some(why)),
        }
    }

    /// What a model's converter gives back as it is, by the primitive that it names for that: its body need not run.
    ///
    /// ```python
    /// tensor_arg.keeps = is_tensor
    /// ```
    pub(super) fn kept_argument(&mut self, converter: &Function, args: &CallArgs) -> Flow<Option<Value>> {
        let Some(Slot { value: keeps, .. }) = converter.attrs.get(Name::KEEPS) else { return Ok(None) };
        let Some(given) = args.first() else { return Ok(None) };
        let is_kept = self.call_value(keeps, CallArgs::of(vec![given.clone()]))? == Value::TRUE;
        Ok(is_kept.then(|| given.clone()))
    }

    /// The result of an operation, with the marks that it inherits from its converted arguments.
    pub(super) fn pass_marks_on(
        &mut self,
        lifting: &Lifting,
        operation: Name,
        converted: Vec<Value>,
        result: Value,
    ) -> Flow {
        let Some(inherited) = &lifting.inherited else { return Ok(result) };
        let is_marked =
            |value: &Value| self.array_of(value).is_some_and(|array| array.attrs.get(inherited.attribute).is_some());
        if !converted.iter().any(is_marked) {
            return Ok(result);
        }
        let mut args = vec![result, Value::str(operation.text())];
        args.extend(converted);
        self.call_value(&inherited.pass_on, CallArgs::of(args))
    }

    fn argument_in(&self, scope: Addr, name: Name) -> Option<Value> {
        self.scope_slots(scope)?.get(name).map(|slot| slot.value.clone())
    }

    /// The first Unknown that keeps the rule from an answer.
    fn missing_knowledge(&self, lifting: &Lifting, scope: Addr, converted: &[Value]) -> Option<Value> {
        let missing = |reason: &str| Value::Unknown(Reason::Model(Name::new(reason)));
        if let Some(unknown) = converted.iter().find(|value| value.is_unknown()) {
            return Some(unknown.clone());
        }
        let is_unranked =
            |value: &&Value| self.array_of(value).is_none_or(|array| !matches!(array.shape, Shape::Known(_)));
        if lifting.needs_rank && converted.iter().any(|value| is_unranked(&value)) {
            return Some(missing("the rank is not known"));
        }
        let given =
            |names: &[Name]| -> Vec<Value> { names.iter().filter_map(|name| self.argument_in(scope, *name)).collect() };
        if let Some(unknown) = given(&lifting.known).into_iter().find(Value::is_unknown) {
            return Some(unknown);
        }
        let open = given(&lifting.constant).into_iter().find(|value| !self.is_constant(value))?;
        Some(if open.is_unknown() { open } else { missing("an argument is not a constant") })
    }
}
