//! Hints of what is no array itself: containers of arrays, and objects that a model says a parameter is.
//!
//! `list[H]` and `tuple[H, K]` evaluate to a list and a tuple of hints where one of the items is a hint:
//! `def mean(xs: list[NdArray["d"]]) -> NdArray["d"]` knows the shape of every item of `xs`.

use std::sync::Arc;

use pytrope_source::Span;

use super::ShapeHint;
use crate::interp::{Flow, Interp};
use crate::names::Name;
use crate::object::Object;
use crate::value::{BuiltinType, Reason, Seq, Value};

/// How deep containers of hints are read.
const DEPTH: u32 = 4;

/// What an annotation says of a value.
pub(super) enum Hint {
    Shape(ShapeHint),
    /// `Float[Tensor, "n"] | None`
    Optional(Box<Hint>),
    /// A model's `ObjectHint`: the object itself, for code that nothing calls.
    Object(Value),
    /// As many items; `None` for one of which nothing is said.
    Tuple(Vec<Option<Hint>>),
    /// Any number of items, each as this.
    Items(BuiltinType, Box<Hint>),
}

impl Interp<'_> {
    /// Reads what an annotation evaluates to; `None` if it is no hint.
    pub(super) fn read_hint(&mut self, hint: &Value) -> Option<Hint> {
        self.read_hint_within(hint, DEPTH)
    }

    fn read_hint_within(&mut self, hint: &Value, depth: u32) -> Option<Hint> {
        if depth == 0 {
            return None;
        }
        if let Some(shape) = self.shape_hint(hint) {
            return Some(Hint::Shape(shape));
        }
        if let Some(inner) = self.model_attribute(hint, "OptionalHint", "hint") {
            return Some(Hint::Optional(Box::new(self.read_hint_within(&inner, depth - 1)?)));
        }
        if let Some(object) = self.model_attribute(hint, "ObjectHint", "value") {
            return Some(Hint::Object(object));
        }
        match hint {
            Value::Tuple(Seq::Exact(items)) => {
                let items: Vec<_> = items.iter().map(|item| self.read_hint_within(item, depth - 1)).collect();
                items.iter().any(Option::is_some).then_some(Hint::Tuple(items))
            }
            Value::Tuple(Seq::Open(open)) => {
                let item = self.read_hint_within(&open.element, depth - 1)?;
                Some(Hint::Items(BuiltinType::Tuple, Box::new(item)))
            }
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::List(Seq::Open(open)) => {
                    let item = self.read_hint_within(&open.element, depth - 1)?;
                    Some(Hint::Items(BuiltinType::List, Box::new(item)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// An attribute of an instance of a model class with this name.
    pub(super) fn model_attribute(&self, value: &Value, class_name: &str, attribute: &str) -> Option<Value> {
        let instance = self.instance_of(value)?;
        let class = self.class_at(instance.class.addr()?)?;
        if !class.features.is_model || &*class.name != class_name {
            return None;
        }
        Some(instance.attrs.get(Name::new(attribute))?.value.clone())
    }

    /// `list[H]`, `tuple[H, K]` and `tuple[H, ...]` of hints; `None` where no item is one.
    pub(crate) fn container_of_hints(&mut self, kind: Option<BuiltinType>, index: &Value) -> Option<Value> {
        match (kind?, index) {
            (BuiltinType::List, item) => {
                self.read_hint(item)?;
                let seq = self.open_seq(item.clone());
                Some(self.new_object(Object::List(seq)))
            }
            (BuiltinType::Tuple, Value::Tuple(Seq::Exact(items))) => match items.as_slice() {
                [item, Value::Ellipsis] => {
                    self.read_hint(item)?;
                    let seq = self.open_seq(item.clone());
                    Some(Value::Tuple(seq))
                }
                items => items.iter().any(|item| self.read_hint(item).is_some()).then(|| index.clone()),
            },
            (BuiltinType::Tuple, item) => {
                self.read_hint(item)?;
                Some(Value::tuple(vec![item.clone()]))
            }
            _ => None,
        }
    }

    /// A value of which nothing but its hint is known; `None` if that says nothing of it.
    pub(super) fn value_of(&mut self, hint: &Hint) -> Option<Value> {
        Some(match hint {
            Hint::Shape(shape) => self.array_of_hint(shape),
            Hint::Object(object) => object.clone(),
            Hint::Optional(inner) => {
                if self.run.hints.promises {
                    self.run.hints.left_open = true;
                }
                if !self.tries_one_choice() {
                    return None;
                }
                self.value_of(inner)?
            }
            Hint::Tuple(items) => {
                let mut values = Vec::new();
                for item in items {
                    let value = item.as_ref().and_then(|item| self.value_of(item));
                    values.push(value.unwrap_or(Value::Unknown(Reason::Parameter)));
                }
                Value::tuple(values)
            }
            Hint::Items(kind, item) => {
                let item = self.value_of(item).unwrap_or(Value::Unknown(Reason::Parameter));
                let seq = self.open_seq(item);
                match kind {
                    BuiltinType::List => self.new_object(Object::List(seq)),
                    _ => Value::Tuple(seq),
                }
            }
        })
    }

    /// Whether a list that is returned has items for all sizes of the signature but the empty ones.
    fn promises_items(&self, len: &Value) -> bool {
        let Some(symbols) = len.as_dim().map(|len| len.symbols()) else { return false };
        self.run.hints.of_result
            && !symbols.is_empty()
            && symbols.iter().all(|sym| self.run.hints.promised.contains(sym))
    }

    /// A value with what its hint says; one that contradicts it is a finding.
    pub(super) fn refine(&mut self, hint: &Hint, value: Value, place: &Span) -> Flow {
        if let Hint::Shape(shape) = hint {
            return self.refine_shape(shape, value, place);
        }
        if value.is_unknown() {
            return Ok(self.value_of(hint).unwrap_or(value));
        }
        if let Hint::Optional(inner) = hint {
            return if value == Value::None { Ok(value) } else { self.refine(inner, value, place) };
        }
        match (hint, &value) {
            (Hint::Tuple(hints), Value::Tuple(Seq::Exact(items))) if hints.len() == items.len() => {
                let mut refined = Vec::new();
                for (hint, item) in hints.iter().zip(items.iter()) {
                    refined.push(match hint {
                        Some(hint) => self.refine(hint, item.clone(), place)?,
                        None => item.clone(),
                    });
                }
                Ok(Value::tuple(refined))
            }
            (Hint::Items(BuiltinType::Tuple, hint), Value::Tuple(Seq::Exact(items))) => {
                let items = Arc::clone(items);
                let refined: Flow<Vec<_>> = items.iter().map(|item| self.refine(hint, item.clone(), place)).collect();
                Ok(Value::tuple(refined?))
            }
            (Hint::Items(BuiltinType::List, hint), Value::Obj(addr)) => {
                match self.object_at(*addr).clone() {
                    // Arrays learn their sizes where they are; an item that is unknown stays so, since others may hold the list.
                    Object::List(Seq::Exact(items)) => {
                        for item in items.iter().filter(|item| !item.is_unknown()) {
                            self.refine(hint, item.clone(), place)?;
                        }
                    }
                    Object::List(Seq::Open(open)) if self.promises_items(&open.len) => {
                        // One array stands for all items, so nothing is learned of it.
                        let before = self.run.state.clone();
                        let refined = self.refine(hint, open.element.clone(), place);
                        self.run.state = before;
                        refined?;
                    }
                    _ => {}
                }
                Ok(value)
            }
            _ => Ok(value),
        }
    }
}
