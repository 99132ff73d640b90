//! Where the arrays that a finding speaks of were made.

use pytrope_diagnostics::Finding;
use pytrope_source::Span;

use super::Interp;
use crate::object::{AllocSpan, Object};
use crate::value::{Seq, Value};

/// How many births a finding shows.
const SHOWN: usize = 3;

/// How many arguments, and items of them, are looked at.
const LOOKED_AT: usize = 32;

impl Interp<'_> {
    /// Adds the births of the arrays that a model was given and whose shapes the message names.
    pub(super) fn with_provenance(&self, mut finding: Finding) -> Finding {
        if self.report.is_muted() || !finding.rule.code.starts_with("PT2") {
            return finding;
        }
        let Some(innermost_user) = self.innermost_user() else { return finding };
        let mut arrays = Vec::new();
        for value in self.given_values(innermost_user) {
            self.collect_arrays(value, &mut arrays);
        }
        let mut born: Vec<(&Span, String)> = Vec::new();
        for array in &arrays {
            let Some(Object::Array(array)) = array.addr().map(|addr| self.object_at(addr)) else { continue };
            let Some(AllocSpan(span)) = &array.born else { continue };
            born.push((span, self.show_shape(&array.shape)));
        }
        // As one reads them: the order of the slots depends on which names were met first.
        born.sort_by_key(|(span, _)| (span.file.path(), span.range.start, span.range.end));
        let mut shown = finding.related.len();
        for (span, shape) in born {
            let primary = &finding.primary;
            let inside = span.file.path() == primary.file.path()
                && span.range.start >= primary.range.start
                && span.range.end <= primary.range.end;
            let repeated = finding.related.iter().any(|related| related.span == *span);
            if shown < SHOWN && !inside && !repeated && finding.message.contains(&shape) {
                finding = finding.related(span.clone(), format!("shape {shape} created here"));
                shown += 1;
            }
        }
        self.with_receiver(finding, innermost_user)
    }

    /// Where the arrays were created that the user's code gives to the model which is running.
    pub fn births_of_given_arrays(&self) -> Vec<Span> {
        let values = self.innermost_user().into_iter().flat_map(|user| self.given_values(user));
        let births = values.filter_map(|value| self.array_of(value)?.born.as_ref());
        births.map(|AllocSpan(span)| span.clone()).collect()
    }

    /// The place of the innermost frame outside models.
    fn innermost_user(&self) -> Option<usize> {
        self.run.frames.iter().rposition(|frame| !frame.code.is_model)
    }

    /// The parameters of the model that the user's code in a frame has called.
    fn given_values(&self, user: usize) -> impl Iterator<Item = &Value> {
        let slots = self.run.frames.get(user + 1).and_then(|called| self.scope_slots(called.scope()));
        slots.into_iter().flat_map(|slots| slots.iter().take(LOOKED_AT).map(|(_, slot)| &slot.value))
    }

    /// Adds where the object was created whose method failed, and which item of its container it is: a layer has a name
    /// for people. Objects do not know where they were created; the arrays that they hold do.
    fn with_receiver(&self, finding: Finding, innermost_user: usize) -> Finding {
        let frames = &self.run.frames[innermost_user + 1..];
        let receivers: Vec<&Value> = frames
            .iter()
            .filter_map(|frame| frame.first_argument.as_ref())
            .filter(|value| value.addr().is_some_and(|addr| matches!(self.object_at(addr), Object::Instance(_))))
            .collect();
        let Some((receiver, around)) = receivers.split_last() else { return finding };
        let Some(Object::Instance(instance)) = receiver.addr().map(|addr| self.object_at(addr)) else { return finding };
        let created = instance.attrs.iter().find_map(|(_, slot)| self.array_of(&slot.value)?.born.as_ref());
        let Some(AllocSpan(span)) = created else { return finding };
        let Some(class) = instance.class.addr().and_then(|class| self.class_at(class)) else { return finding };
        let is_known = finding.related.iter().any(|related| related.span == *span);
        if is_known || span.file.path().starts_with('<') {
            return finding;
        }
        let container = around.iter().rev().find_map(|outer| self.item_of(outer, receiver));
        let message = match container {
            Some((key, container)) => format!("{} created here, index {key} of {container}", class.name),
            None => format!("{} created here", class.name),
        };
        finding.related(span.clone(), message)
    }

    /// The key under which an object holds another in one of its dictionaries, and the class of the holder.
    fn item_of(&self, holder: &Value, item: &Value) -> Option<(String, String)> {
        let Some(Object::Instance(instance)) = holder.addr().map(|addr| self.object_at(addr)) else { return None };
        let class = instance.class.addr().and_then(|class| self.class_at(class))?;
        let key = instance.attrs.iter().find_map(|(_, slot)| match self.object_at(slot.value.addr()?) {
            Object::Dict(mapping) => mapping
                .entries
                .values()
                .find(|entry| entry.value.addr().is_some() && entry.value.addr() == item.addr())
                .map(|entry| self.show_value(&entry.key)),
            _ => None,
        })?;
        Some((key.trim_matches('\'').to_owned(), class.name.to_string()))
    }

    fn collect_arrays(&self, value: &Value, found: &mut Vec<Value>) {
        let items = match value {
            Value::Tuple(Seq::Exact(items)) => items,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Array(_) => {
                    found.push(value.clone());
                    return;
                }
                Object::List(Seq::Exact(items)) => items,
                _ => return,
            },
            _ => return,
        };
        for item in items.iter().take(LOOKED_AT) {
            if self.array_of(item).is_some() {
                found.push(item.clone());
            }
        }
    }
}
