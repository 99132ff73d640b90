//! Joins where shapes are shown: what is not known on one path is taken to be like what it is on the other.
//!
//! An optional step of a model (`if self.rotary is not None: q = self.rotary(q)`) that cannot be followed mostly leaves the number
//! of axes as it is. Kept are the class and the rank of arrays, the type of numbers and text, functions and classes as they are;
//! sizes and values are not. No finding rests on it.

use std::sync::Arc;

use pytrope_dims::Dim;

use super::{JoinPlace, Joiner};
use crate::cond::Cond;
use crate::object::{Array, Object, Shape, Slots};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};

/// Where arrays that joins make get their addresses from, and those that were made.
pub struct AssumedJoins {
    module: u32,
    pub next: u32,
    pub made: Vec<(Addr, Object)>,
    /// The paths are those of several values that one expression may have.
    of_alternatives: bool,
}

impl AssumedJoins {
    pub fn new(module: u32, next: u32, of_alternatives: bool) -> Self {
        Self { module, next, made: Vec::new(), of_alternatives }
    }

    fn reserve_address(&mut self) -> Addr {
        let addr = Addr::new(self.module, self.next);
        self.next += 1;
        addr
    }
}

impl Joiner<'_> {
    /// What a value of which nothing is known is taken for where a known one meets it.
    pub(super) fn like_known(&mut self, place: JoinPlace, known: &Value) -> Option<Value> {
        self.assumed.as_ref()?;
        let mut kept: Vec<Value> = Vec::new();
        let mut arrays: Vec<Arc<Array>> = Vec::new();
        for alternative in known.alternatives() {
            let like = match alternative {
                Value::Obj(addr) => match self.object_on_a_side(*addr)? {
                    Object::Array(array) => {
                        arrays.push(array);
                        continue;
                    }
                    // An optional layer that is not known need not be like the one that stands in for it (`nn.Identity()`).
                    Object::Function(_) | Object::Class(_) | Object::Module(_) => alternative.clone(),
                    _ => return None,
                },
                Value::Tuple(Seq::Exact(items)) => {
                    let items = items.iter().enumerate().map(|(i, item)| {
                        self.like_known(place.child_place(i as u64), item).unwrap_or(Value::Unknown(Reason::Joined))
                    });
                    Value::tuple(items.collect())
                }
                _ => match alternative.kind()? {
                    BuiltinType::Int => self.joined_integer(place, i128::MIN),
                    BuiltinType::Bool => Value::SymbolicBool(Arc::new(Cond::Opaque)),
                    kind @ (BuiltinType::Float | BuiltinType::Str) => Value::Top(kind),
                    BuiltinType::NoneType | BuiltinType::Builtin | BuiltinType::Method => alternative.clone(),
                    _ => return None,
                },
            };
            let is_repeated = |other: &Value| other.kind() == Some(BuiltinType::Int) && like.kind() == other.kind();
            if !kept.iter().any(|other| *other == like || is_repeated(other)) {
                kept.push(like);
            }
        }
        if let Some(first) = arrays.first() {
            if arrays.iter().any(|array| array.class != first.class) {
                return None;
            }
            kept.push(self.array_like(place, &arrays));
        }
        match kept.as_slice() {
            [] | [Value::None] => None,
            [one] => Some(one.clone()),
            _ => Some(Value::Union(Arc::new(kept))),
        }
    }

    /// An array of the class of some others, and of their rank where it is one.
    fn array_like(&mut self, place: JoinPlace, arrays: &[Arc<Array>]) -> Value {
        let first = &arrays[0];
        let rank = first.shape.rank().filter(|rank| arrays.iter().all(|array| array.shape.rank() == Some(*rank)));
        let shape = match rank {
            Some(rank) => self.fresh_shape(place, rank),
            None => Shape::unknown(),
        };
        let array = Array {
            class: first.class.clone(),
            shape,
            rank: None,
            dtype: Value::Unknown(Reason::Joined),
            values: None,
            attrs: Slots::default(),
            memory: None,
            may_equal: None,
            born: None,
        };
        let Some(assumed) = &mut self.assumed else { return Value::Unknown(Reason::Joined) };
        let addr = match &mut self.widening {
            Some(widening) => *widening.arrays.entry(place).or_insert_with(|| assumed.reserve_address()),
            None => assumed.reserve_address(),
        };
        assumed.made.push((addr, Object::Array(Arc::new(array))));
        Value::Obj(addr)
    }

    /// What one path has learned of an array's rank holds on the other, unless the program has asked for the rank, or the paths are
    /// those of layers for arrays of different ranks: `norm = nn.BatchNorm2d(dim) if use_conv else nn.LayerNorm(dim)`.
    pub(super) fn rank_of_one_side(&mut self, place: JoinPlace, a: &Array, b: &Array) -> Option<Shape> {
        self.assumed.as_ref().filter(|assumed| !assumed.of_alternatives)?;
        let dims = match (&a.shape, &b.shape) {
            (Shape::Known(dims), Shape::Prefix(_) | Shape::Suffix(_)) if b.rank.is_none() => dims,
            (Shape::Prefix(_) | Shape::Suffix(_), Shape::Known(dims)) if a.rank.is_none() => dims,
            _ => return None,
        };
        // What a loop has learned in one iteration says nothing of the sizes in the next.
        Some(if self.widening.is_some() { self.fresh_shape(place, dims.len()) } else { Shape::Known(Arc::clone(dims)) })
    }

    fn fresh_shape(&mut self, place: JoinPlace, rank: usize) -> Shape {
        let axes = (0..rank as u64).map(|axis| place.child_place(u64::MAX - 2 - axis));
        Shape::known(axes.map(|axis| Dim::symbol(self.joined_symbol(axis, 0))).collect())
    }

    /// One array for several of one class and rank, where there are too many to be told apart.
    pub(super) fn one_for_many(&mut self, place: JoinPlace, values: &[Value]) -> Option<Value> {
        self.assumed.as_ref()?;
        let mut arrays: Vec<Arc<Array>> = Vec::new();
        for value in values.iter().filter(|value| **value != Value::None) {
            match self.object_on_a_side(value.addr()?)? {
                Object::Array(array) if arrays.first().is_none_or(|first| first.class == array.class) => {
                    arrays.push(array);
                }
                _ => return None,
            }
        }
        let one = (!arrays.is_empty()).then(|| self.array_like(place, &arrays))?;
        let or_none = values.contains(&Value::None);
        Some(if or_none { Value::Union(Arc::new(vec![Value::None, one])) } else { one })
    }

    fn object_on_a_side(&self, addr: Addr) -> Option<Object> {
        let (a, b) = self.sides?;
        a.get(addr).or_else(|| b.get(addr)).cloned().or_else(|| (self.frozen)(addr))
    }
}
