//! Lazy initialisation: a parameter of code that is not called here is a symbol that becomes what its use requires.
//!
//! A *lazy parameter* is an Unknown with an identity. An operation that ends normally only for an integer, or only for an
//! array of one library, refines it: from there on, every name, attribute and item that holds the parameter holds
//! that integer or that array. What refines is written where a model or a builtin lifts its argument; an operator on an
//! Unknown refines nothing, since any class may overload it. Its result is lazy too: `n + 1` is an integer once it is used as a
//! size, and then so is `n`; and `dim // heads` is what it must be once both are integers.
//!
//! ```python
//! class Attention(nn.Module):
//!     def __init__(self, dim, heads):
//!         self.heads = heads                  # Unknown
//!         self.qkv = nn.Linear(dim, 3 * dim)  # `dim` is an integer from here on
//! ```
//!
//! Refinements are part of the state: where paths meet, those that only one path has are lost, and the value is the
//! Unknown it was. The symbol of an integer and the address of an array belong to the parameter and not to the path, so
//! that two paths that require the same agree.
//!
//! What holds wherever a function ends normally is a *requirement* of the function. It is run a second time with
//! parameters that are from the start what every call that succeeds needs them to be: `B, N, C = x.shape` comes before
//! `self.qkv(x)` says that `x` is a tensor, and `head = dim // heads` before `dim` is known to be an integer.

mod assumed;
mod given;

use std::sync::Arc;

use pytrope_dims::{Cmp, Dim, ThreeValued};
use pytrope_source::tree::BinaryOperator;

use crate::interp::{Interp, LazyParameter};
use crate::names::Name;
use crate::object::{Array, Object, Shape, Slots};
use crate::state::State;
use crate::symbols;
use crate::value::{Addr, Reason, Value};
use pytrope_trie::Pair;

/// The lazy parameter that something is required of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RequiredOf {
    /// A parameter of the function itself.
    Parameter(Name),
    /// What the constructor of the receiver was given, by the address it reserves.
    Receiver(Addr),
}

/// What every call that ends normally needs a parameter to be.
#[derive(Clone, Debug)]
pub(crate) enum Requirement {
    /// An integer, not less than this.
    Integer(Option<i128>),
    /// An array of a class, and how many axes it has.
    Array(Value, Option<usize>),
}

impl Interp<'_> {
    /// A parameter of which nothing is known, and that can be told from others.
    pub(crate) fn lazy_parameter(&mut self, name: Name) -> Value {
        self.new_lazy(LazyParameter { name: Some(name), ..LazyParameter::default() })
    }

    /// What an operator makes of a lazy parameter and an integer, or of two such parameters: an integer if they are. In a
    /// loop each iteration computes another one, which one identity cannot stand for.
    pub(crate) fn lazy_arithmetic(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Value> {
        use BinaryOperator::{Add, FloorDiv, Mult, Sub};
        let is_lazy = |value: &Value| value.reason().and_then(Reason::lazy_address).is_some();
        let is_operand = |value: &Value| is_lazy(value) || matches!(value, Value::Int(_) | Value::Dim(_));
        let is_followed = self.analysis.uncalled_entry && !self.in_model() && self.run.sites.open_iterations == 0;
        if !is_followed || !matches!(op, Add | Sub | Mult | FloorDiv) || !is_operand(a) || !is_operand(b) {
            return None;
        }
        let computed = Some((op, a.clone(), b.clone()));
        Some(self.new_lazy(LazyParameter { computed, ..LazyParameter::default() }))
    }

    /// Where shapes are shown: an attribute of a parameter that nothing is known of, which is the same wherever it is read
    /// (`config.hidden_size`).
    pub(crate) fn part_of_lazy(&mut self, object: &Value, attribute: Name) -> Option<Value> {
        let whole = object.reason().and_then(Reason::lazy_address).filter(|_| self.analysis.assumes)?;
        if let Some(&part) = self.run.lazy_parts.get(&(whole, attribute)) {
            return Some(Value::Unknown(Reason::Lazy(part)));
        }
        let LazyParameter { name, part, .. } = self.run.lazy.get(&whole)?;
        let shown = Name::new(&format!("{}.{}", part.or(*name)?.text(), attribute.text()));
        let made = self.new_lazy(LazyParameter { part: Some(shown), ..LazyParameter::default() });
        self.run.lazy_parts.insert((whole, attribute), made.reason().and_then(Reason::lazy_address)?);
        Some(made)
    }

    /// Where shapes are shown: `getattr(config, "head_dim", dim // heads)` is an attribute of the parameter, and an integer if the default
    /// is one.
    pub(crate) fn part_like_default(&mut self, object: &Value, attribute: Name, default: &Value) -> Option<Value> {
        let is_integer = matches!(default, Value::Int(_) | Value::Dim(_));
        if !is_integer && default.reason().and_then(Reason::lazy_address).is_none() {
            return None;
        }
        let part = self.part_of_lazy(object, attribute)?;
        let part = self.resolve_lazy(part);
        if is_integer { self.expect_integer(&part, None).or(Some(part)) } else { Some(part) }
    }

    /// Where shapes are shown: what is bound to a name and of which nothing is known can be told from others from here on, and
    /// becomes what its use requires: `heads = config.heads or dim // 64`. In a loop each iteration binds another one.
    pub(crate) fn told_apart(&mut self, name: Name, value: Value) -> Value {
        let is_entry = self.analysis.assumes && self.analysis.uncalled_entry;
        let is_followed = is_entry && !self.in_model() && self.run.sites.open_iterations == 0;
        match value {
            Value::Unknown(reason) | Value::UnknownNotNone(reason) if is_followed && has_no_identity(reason) => {
                self.new_lazy(LazyParameter { part: Some(name), reason: Some(reason), ..LazyParameter::default() })
            }
            other => other,
        }
    }

    /// Why nothing is known of a value that can be told from others.
    pub(crate) fn reason_of_lazy(&self, reason: Reason) -> Reason {
        let parameter = reason.lazy_address().and_then(|addr| self.run.lazy.get(&addr));
        parameter.and_then(|parameter| parameter.reason).unwrap_or(reason)
    }

    fn new_lazy(&mut self, parameter: LazyParameter) -> Value {
        let addr = self.reserve_address();
        self.run.lazy.insert(addr, parameter);
        Value::Unknown(Reason::Lazy(addr))
    }

    /// What a lazy parameter has turned out to be on this path.
    pub(crate) fn refinement_of(&self, value: &Value) -> Option<&Value> {
        self.run.state.refined.get(value.reason()?.lazy_address()?.0)
    }

    /// A value as this path knows it.
    #[inline]
    pub fn resolve_lazy(&mut self, value: Value) -> Value {
        match value.reason().and_then(Reason::lazy_address) {
            Some(addr) => self.resolve_lazy_at(addr, value),
            None => value,
        }
    }

    fn resolve_lazy_at(&mut self, addr: Addr, value: Value) -> Value {
        if let Some(known) = self.run.state.refined.get(addr.0) {
            return known.clone();
        }
        let Some((op, a, b)) = self.run.lazy.get(&addr).and_then(|parameter| parameter.computed.clone()) else {
            return value;
        };
        let [a, b] = [a, b].map(|operand| self.resolve_lazy(operand));
        if a.is_unknown() || b.is_unknown() {
            return value;
        }
        // The operands have turned out to be integers since, and so is what was computed from them.
        match self.computed_integer(op, &a, &b) {
            Some(integer) => {
                self.run.state.refined.insert(addr.0, integer.clone());
                integer
            }
            None => value,
        }
    }

    /// An operation takes integers alone: a lazy parameter is one from here on. The integer, if the value is such a parameter.
    pub fn expect_integer(&mut self, value: &Value, least: Option<i128>) -> Option<Value> {
        let addr = value.reason()?.lazy_address()?;
        let integer = match self.run.state.refined.get(addr.0) {
            Some(known @ Value::Dim(_)) => known.clone(),
            Some(_) => return None,
            None => {
                let parameter = self.run.lazy.get_mut(&addr)?;
                let integer = match parameter.computed.clone() {
                    Some((op, a, b)) => self.computed_integer(op, &a, &b)?,
                    None => {
                        let sym = *parameter.symbol.get_or_insert_with(symbols::fresh_symbol);
                        if let Some(name) = parameter.name.or(parameter.part) {
                            self.run.symbols.set(sym, name.text());
                        }
                        Value::Dim(Dim::symbol(sym))
                    }
                };
                self.run.state.refined.insert(addr.0, integer.clone());
                integer
            }
        };
        if let Some(least) = least {
            self.assume_at_least(&integer, least);
        }
        Some(integer)
    }

    /// An operation ends normally, or is of use, only for integers from a bound on.
    pub fn assume_at_least(&mut self, integer: &Value, least: i128) {
        if let Some(dim) = integer.as_dim()
            && let ThreeValued::Open(cond) = self.compare_dims(&dim, Cmp::Ge, &Dim::constant(least))
        {
            self.assume_condition(&cond);
        }
    }

    /// The integer that an operator has made, whose operands must then have been integers.
    fn computed_integer(&mut self, op: BinaryOperator, a: &Value, b: &Value) -> Option<Value> {
        let [a, b] = [a, b].map(|operand| self.resolve_lazy(operand.clone()));
        let a = if a.is_unknown() { self.expect_integer(&a, None)? } else { a };
        let b = if b.is_unknown() { self.expect_integer(&b, None)? } else { b };
        let are_integers = a.as_dim().is_some() && b.as_dim().is_some();
        let result = self.capture_raises(|interp| interp.eval_binary(op, &a, &b)).0.ok().filter(|_| are_integers)?;
        result.as_dim().is_some().then_some(result)
    }

    /// An operation takes arrays of a class alone: a lazy parameter is one from here on. The array, if the value is such a
    /// parameter.
    pub fn expect_array(&mut self, value: &Value, class: &Value) -> Option<Value> {
        let addr = value.reason()?.lazy_address()?;
        match self.run.state.refined.get(addr.0) {
            Some(known) => return self.array_of(known).is_some().then(|| known.clone()),
            None if self.run.lazy.get(&addr).is_none_or(|parameter| parameter.computed.is_some()) => return None,
            None => {}
        }
        let array = Array {
            class: class.clone(),
            shape: Shape::unknown(),
            rank: None,
            dtype: Value::Unknown(Reason::Parameter),
            values: None,
            attrs: Slots::default(),
            memory: None,
            may_equal: None,
            born: None,
        };
        self.run.state.set(addr, Object::Array(Arc::new(array)));
        self.run.state.refined.insert(addr.0, Value::Obj(addr));
        Some(Value::Obj(addr))
    }

    /// Whether a value is an array that an operation has made. That a parameter is one is what other operations say of it, and one
    /// of them may be the wrong one.
    pub(crate) fn is_made_array(&self, value: &Value) -> bool {
        self.array_of(value).is_some() && value.addr().is_some_and(|addr| !self.run.lazy.contains_key(&addr))
    }

    /// An array gets another shape in place.
    pub fn record_reshaped(&mut self, array: &Value) {
        if let Some(parameter) = array.addr().and_then(|addr| self.run.lazy.get_mut(&addr)) {
            parameter.reshaped = true;
        }
    }

    /// What the current state, in which a function has ended normally, says of the lazy parameters that were as they are
    /// in a state before: those the function was given, by name, and those that its receiver was constructed with.
    pub(crate) fn requirements_since(&self, before: &State, given: &Slots) -> Vec<(RequiredOf, Requirement)> {
        let mut found = Vec::new();
        before.refined.for_each_difference(&self.run.state.refined, &mut |key, pair| {
            let is_parameter = self.run.lazy.get(&Addr(key)).is_some_and(|parameter| parameter.name.is_some());
            if let Pair::Right(_) = pair
                && is_parameter
                && let Some(requirement) = self.requirement_at(Addr(key))
            {
                let held = Value::Unknown(Reason::Lazy(Addr(key)));
                let whose = match given.iter().find(|(_, slot)| slot.value.reason() == held.reason()) {
                    Some((name, _)) => RequiredOf::Parameter(name),
                    None => RequiredOf::Receiver(Addr(key)),
                };
                found.push((whose, requirement));
            }
        });
        if self.analysis.assumes {
            self.add_assumed_arrays(given, &mut found);
        }
        found
    }

    /// Where shapes are shown, parameters are taken for arrays from the start: what the function then requires of them.
    fn add_assumed_arrays(&self, given: &Slots, found: &mut Vec<(RequiredOf, Requirement)>) {
        for (name, slot) in given.iter() {
            for alternative in slot.value.alternatives() {
                if let Value::Obj(addr) = alternative
                    && self.run.lazy.contains_key(addr)
                    && let Some(requirement @ Requirement::Array(_, Some(_))) = self.requirement_at(*addr)
                {
                    found.push((RequiredOf::Parameter(name), requirement));
                }
            }
        }
    }

    fn requirement_at(&self, addr: Addr) -> Option<Requirement> {
        let refined = self.run.state.refined.get(addr.0)?;
        if let Some(dim) = refined.as_dim() {
            let least = self.run.state.store.bounds(&dim).lo.filter(|least| (0..=1).contains(least));
            return Some(Requirement::Integer(least));
        }
        let array = self.array_of(refined)?;
        let reshaped = self.run.lazy.get(&addr).is_some_and(|parameter| parameter.reshaped);
        Some(Requirement::Array(array.class.clone(), array.shape.rank().filter(|_| !reshaped)))
    }

    /// A lazy parameter is what is required of it.
    pub(crate) fn meet_requirement(&mut self, value: &Value, requirement: &Requirement) {
        match requirement {
            Requirement::Integer(least) => {
                self.expect_integer(value, *least);
            }
            Requirement::Array(class, rank) => {
                if let (Some(Value::Obj(addr)), Some(rank)) = (self.expect_array(value, class), rank) {
                    self.settle_rank(addr, *rank);
                }
            }
        }
    }
}

/// Whether an Unknown is like any other: told apart already, or its reason says something of it, are others.
fn has_no_identity(reason: Reason) -> bool {
    let says_more = matches!(reason, Reason::Finding | Reason::Standard | Reason::Lookup(Name::SHAPE));
    reason.unknown_identity().is_none() && !says_more
}
