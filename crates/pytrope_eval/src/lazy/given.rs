//! Parameters of uncalled code, by the arrays that calls of their own module give them. Only where shapes are shown.

use super::{RequiredOf, Requirement};
use crate::code::ScopeId;
use crate::interp::Interp;
use crate::interp::given_arrays::{GivenArray, GivenRank};
use crate::names::Name;
use crate::object::{Function, Object};
use crate::value::{Addr, Value};

impl Interp<'_> {
    /// Takes note of the arrays in the scope of a function that code of its own module calls.
    pub(crate) fn record_given_arrays(&mut self, function: &Function, scope: Addr) {
        let is_own = !function.code.is_model && function.code.module == self.analysis.module;
        if !self.analysis.assumes || !is_own || !self.is_inlined() {
            return;
        }
        let Some(slots) = self.scope_slots(scope).cloned() else { return };
        for (name, slot) in slots.iter() {
            let value = self.resolve_lazy(slot.value.clone());
            if let Some(&rank) = self.analysis.given_arrays.taken.get(&(function.id, name)) {
                self.settle_open_ranks(&value, rank);
            }
            if self.analysis.given_arrays.is_learning {
                continue;
            }
            for alternative in value.alternatives() {
                self.record_given_array((function.id, name), alternative);
            }
        }
    }

    /// Takes note of the ranks that a function, read by itself, needs its parameters to have.
    pub(crate) fn record_taken_ranks(&mut self, function: ScopeId, required: &[(RequiredOf, Requirement)]) {
        for (of, requirement) in required {
            if let (RequiredOf::Parameter(name), Requirement::Array(_, Some(rank))) = (of, requirement) {
                self.analysis.given_arrays.taken.insert((function, *name), *rank);
            }
        }
    }

    fn settle_open_ranks(&mut self, value: &Value, rank: usize) {
        for alternative in value.alternatives() {
            if let (Value::Obj(addr), Some(None)) =
                (alternative, self.array_of(alternative).map(|array| array.shape.rank()))
            {
                self.settle_rank(*addr, rank);
            }
        }
    }

    fn record_given_array(&mut self, parameter: (ScopeId, Name), value: &Value) {
        if value.is_unknown() {
            return;
        }
        let array = self.array_of(value);
        let class = array.map(|array| array.class.clone());
        let rank = match array {
            // One of several arrays, which was kept apart from those of other ranks.
            Some(array) if array.shape.rank().is_none() && array.rank.is_some() && self.is_in_alternative() => {
                GivenRank::Several
            }
            _ => array.and_then(|array| array.shape.rank()).map_or(GivenRank::Open, GivenRank::One),
        };
        let is_none = *value == Value::None;
        let known = &mut self.analysis.given_arrays.by_parameter;
        match known.get_mut(&parameter) {
            Some(given) => {
                given.or_none |= is_none;
                given.rank = given.rank.join_rank(rank);
                if given.class != class && !is_none {
                    given.class = None;
                }
            }
            // What is None in one call says nothing of the others.
            None if is_none => {}
            None => {
                known.insert(parameter, GivenArray { class, rank, or_none: false });
            }
        }
    }

    /// The value of a parameter that calls of its own module give arrays to, if they all agree; `lazy` is the parameter and
    /// `assumed` what is taken for it otherwise.
    pub(crate) fn assume_given_array(&mut self, parameter: (ScopeId, Name), lazy: &Value, assumed: Value) -> Value {
        let Some(given) = self.analysis.given_arrays.by_parameter.get(&parameter).cloned() else { return assumed };
        let Some(class) = given.class else { return assumed };
        // An annotation that says something else than all calls is wrong: `hidden_states: tuple[Tensor] | None`.
        let is_container = |interp: &Self, value: &Value| match value {
            Value::Tuple(_) => true,
            Value::Obj(addr) => matches!(interp.object_at(*addr), Object::List(_) | Object::Dict(_)),
            _ => false,
        };
        let assumed = match self.resolve_lazy(assumed) {
            wrong if wrong.alternatives().iter().any(|one| is_container(self, one)) => lazy.clone(),
            other => other,
        };
        let assumed = match self.resolve_lazy(assumed) {
            unknown if unknown.is_unknown() => match self.expect_array(lazy, &class) {
                Some(array) if given.or_none => Value::Union(std::sync::Arc::new(vec![Value::None, array])),
                Some(array) => array,
                None => unknown,
            },
            known => known,
        };
        if let GivenRank::One(rank) = given.rank {
            self.settle_open_ranks(&assumed, rank);
        }
        assumed
    }

    /// Where shapes are shown: what one of several callees gives need not have the rank of what the others give
    /// (`norm = nn.BatchNorm2d(dim) if use_conv else nn.LayerNorm(dim)`).
    pub(crate) fn keep_rank_apart(&mut self, value: &Value) {
        if self.analysis.assumes {
            for alternative in value.alternatives() {
                self.rank_symbol(alternative);
            }
        }
    }

    /// Where shapes are shown, what a name stands for has one rank: of several arrays, those whose rank is open have the rank of
    /// the others (`context = context if exists(context) else x`). Where the program asks for the rank, it may have several.
    pub(crate) fn assume_one_rank(&mut self, value: &Value) {
        let Value::Union(alternatives) = value else { return };
        let mut arrays: Vec<(Addr, Option<usize>)> = Vec::new();
        for value in alternatives.iter() {
            let (Some(addr), Some(array)) = (value.addr(), self.array_of(value)) else { continue };
            if array.shape.rank().is_none() && array.rank.is_some() {
                return;
            }
            arrays.push((addr, array.shape.rank()));
        }
        let mut known = arrays.iter().filter_map(|(_, rank)| *rank);
        let Some(first) = known.next() else { return };
        if known.all(|rank| rank == first) {
            for (addr, _) in arrays.iter().filter(|(_, rank)| rank.is_none()) {
                self.settle_rank(*addr, first);
            }
        }
    }
}
