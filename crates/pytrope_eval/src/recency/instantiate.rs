//! Reading through a summary: the value is one of many, and its sizes have symbols of their own.

use std::sync::Arc;

use pytrope_dims::{Dim, Sym};

use crate::interp::Interp;
use crate::names::Name;
use crate::object::{Array, Object, Shape};
use crate::value::{Addr, Seq, Value};

impl Interp<'_> {
    /// Whether a value, or a size in it, stands for many.
    fn is_general(&self, value: &Value) -> bool {
        match value {
            Value::Dim(dim) => dim.any_symbol(&mut Sym::is_summary),
            Value::Obj(addr) => addr.is_summary() && self.is_general_array(*addr),
            Value::Tuple(Seq::Exact(items)) => items.iter().any(|item| self.is_general(item)),
            Value::Union(values) => values.iter().any(|value| self.is_general(value)),
            _ => false,
        }
    }

    /// Whether arrays that one stands for may differ in shape.
    fn is_general_array(&self, addr: Addr) -> bool {
        let Object::Array(array) = self.object_at(addr) else { return false };
        match &array.shape {
            Shape::Known(dims) => dims.iter().any(|dim| dim.any_symbol(&mut Sym::is_summary)),
            Shape::Prefix(_) | Shape::Suffix(_) => true,
        }
    }

    /// One of the many that a value stands for, as it is when it is looked at: its sizes have names of their own.
    pub(crate) fn instantiate_summary(&mut self, value: Value) -> Value {
        if !self.is_general(&value) {
            return value;
        }
        match &value {
            Value::Dim(_) => self.instantiate_element(&value),
            Value::Tuple(Seq::Exact(items)) => {
                let items = items.clone();
                Value::tuple(items.iter().map(|item| self.instantiate_summary(item.clone())).collect())
            }
            Value::Obj(addr) => self.one_array(*addr),
            Value::Union(values) => {
                let values = Arc::clone(values);
                let values = values.iter().map(|value| self.instantiate_summary(value.clone())).collect();
                Value::Union(Arc::new(values))
            }
            _ => value,
        }
    }

    /// An array of which it is known that it is one of many, and no more: what becomes known of it is known of it alone.
    fn one_array(&mut self, origin: Addr) -> Value {
        let Object::Array(array) = self.object_at(origin) else { return Value::Obj(origin) };
        let mut one = Array::clone(array);
        let mut dims: Vec<Dim> = one.shape.dims().to_vec();
        for dim in &mut dims {
            if dim.any_symbol(&mut Sym::is_summary)
                && let Some(fresh) = self.instantiate_element(&Value::Dim(dim.clone())).as_dim()
            {
                *dim = fresh;
            }
        }
        one.shape = one.shape.with_dims(dims);
        one.values = None;
        one.rank = None;
        one.may_equal = Some(Value::Obj(origin));
        self.new_object(Object::Array(Arc::new(one)))
    }

    /// The value of a name, an attribute or an item where one of many is looked at.
    pub(crate) fn read_through_summary(&mut self, owner: Option<Addr>, value: Value) -> Value {
        if may_be_summary(owner, &value) { self.instantiate_summary(value) } else { value }
    }

    /// The value of a name: where it is one of many, the name holds that one from then on.
    #[inline]
    pub(crate) fn read_name_through_summary(&mut self, scope: Addr, name: Name, value: Value) -> Value {
        if !may_be_summary(Some(scope), &value) {
            return value;
        }
        let one = self.instantiate_summary(value.clone());
        if one != value
            && !scope.is_summary()
            && let Object::Scope(slots) = self.object_at(scope)
            && slots.get(name).is_some_and(|slot| slot.definite)
        {
            self.bind_in(scope, name, one.clone());
        }
        one
    }

    /// One item of many: a symbolic integer that stands for each gets a name of its own.
    pub(crate) fn instantiate_element(&mut self, element: &Value) -> Value {
        match element {
            Value::Dim(dim) => {
                let bounds = self.run.state.store.bounds(dim);
                let name = dim.as_symbol().and_then(|sym| self.run.symbols.given(sym));
                Value::Dim(self.fresh_dim(name.as_deref(), bounds.lo))
            }
            other => self.instantiate_summary(other.clone()),
        }
    }
}

/// Whether a reachable value may stand for many, itself or by a size in it.
fn may_be_summary(owner: Option<Addr>, value: &Value) -> bool {
    match value {
        Value::Obj(addr) => addr.is_summary(),
        Value::Union(_) => true,
        Value::Dim(_) | Value::Tuple(_) => owner.is_none_or(Addr::is_summary),
        _ => false,
    }
}
