//! The shapes of what an entry returns, and what of them is known.

use pytrope_dims::Dim;
use pytrope_eval::object::{IterSource, Key, Object};
use pytrope_eval::{BuiltinType, Interp, Name, Shape, Value};

/// What a run returns, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Returned {
    /// Sizes as numbers or, in an open run, as expressions.
    Tensor(Vec<Dim>),
    Unranked,
    Several(Vec<Returned>),
    /// A dictionary, or an object with attributes.
    Named(Vec<(String, Returned)>),
    /// One of these, as a condition that types do not decide says.
    Either(Vec<Returned>),
    /// No tensor: a number, a text, None.
    Plain,
    /// Nothing is known.
    Other,
}

impl Returned {
    /// Whether something is known of it, or of a part of it.
    pub fn is_known(&self) -> bool {
        match self {
            Self::Tensor(_) | Self::Unranked | Self::Plain => true,
            Self::Several(parts) => parts.is_empty() || parts.iter().any(Self::is_known),
            Self::Named(parts) => parts.is_empty() || parts.iter().any(|(_, part)| part.is_known()),
            Self::Either(choices) => choices.iter().all(Self::is_known),
            Self::Other => false,
        }
    }

    /// Whether every tensor in it has numbers for all its sizes.
    pub fn is_complete(&self) -> bool {
        match self {
            Self::Tensor(sizes) => sizes.iter().all(|size| size.as_const().is_some()),
            Self::Plain => true,
            Self::Several(parts) | Self::Either(parts) => parts.iter().all(Self::is_complete),
            Self::Named(parts) => parts.iter().all(|(_, part)| part.is_complete()),
            Self::Unranked | Self::Other => false,
        }
    }

    /// Whether it has one shape or another.
    pub fn is_undecided(&self) -> bool {
        match self {
            Self::Either(_) => true,
            Self::Several(parts) => parts.iter().any(Self::is_undecided),
            Self::Named(parts) => parts.iter().any(|(_, part)| part.is_undecided()),
            Self::Tensor(_) | Self::Plain | Self::Unranked | Self::Other => false,
        }
    }

    /// What is there on some paths alone is this or nothing.
    fn if_present(self, definite: bool) -> Self {
        if definite { self } else { Self::one_of([self, Self::Plain].into_iter()) }
    }

    /// One of several results: alike ones are one, and of what may be anything nothing is known.
    fn one_of(choices: impl Iterator<Item = Self>) -> Self {
        let mut different: Vec<Self> = Vec::new();
        for choice in choices {
            match choice {
                Self::Other => return Self::Other,
                choice if different.contains(&choice) => {}
                choice => different.push(choice),
            }
        }
        match different.len() {
            1 => different.remove(0),
            _ => Self::Either(different),
        }
    }
}

/// The shapes of what came out.
pub fn returned_shapes(interp: &Interp<'_>, value: &Value, depth: u32) -> Returned {
    let several = |items: &[Value]| {
        if depth == 0 {
            return Returned::Other;
        }
        Returned::Several(items.iter().map(|item| returned_shapes(interp, item, depth - 1)).collect())
    };
    match value {
        Value::Unknown(_) | Value::UnknownNotNone(_) => Returned::Other,
        Value::Union(choices) => Returned::one_of(choices.iter().map(|choice| returned_shapes(interp, choice, depth))),
        Value::Tuple(items) => items.as_exact().map_or(Returned::Other, several),
        Value::Top(kind) if holds_others(*kind) => Returned::Other,
        Value::Obj(addr) => match interp.object_at(*addr) {
            Object::Array(array) => match &array.shape {
                Shape::Known(dims) => {
                    let store = &interp.run.state.store;
                    let size = |dim: &Dim| store.value(dim).map_or_else(|| store.simplify(dim), Dim::constant);
                    Returned::Tensor(dims.iter().map(size).collect())
                }
                Shape::Prefix(_) | Shape::Suffix(_) => Returned::Unranked,
            },
            Object::List(items) => items.as_exact().map_or(Returned::Other, several),
            Object::Dict(mapping) if mapping.open.is_none() && depth > 0 => {
                let named = mapping.entries.iter().map(|(key, entry)| {
                    let name = match key {
                        Key::Str(name) => name.to_string(),
                        Key::Int(number) => number.to_string(),
                        _ => "…".to_owned(),
                    };
                    (name, returned_shapes(interp, &entry.value, depth - 1).if_present(entry.definite))
                });
                Returned::Named(named.collect())
            }
            Object::Instance(instance) => match wrapped_container(interp, value) {
                Some(inside) => returned_shapes(interp, &inside, depth),
                None if depth == 0 => Returned::Other,
                None => {
                    let named = instance.attrs.iter().map(|(name, slot)| {
                        let shapes = returned_shapes(interp, &slot.value, depth - 1);
                        (name.to_string(), shapes.if_present(slot.definite))
                    });
                    Returned::Named(named.collect())
                }
            },
            // The body of a generator or a coroutine has not run, so that nothing it requires was met.
            Object::Iter(iter) if matches!(iter.source, IterSource::Generator { .. } | IterSource::Unknown) => {
                Returned::Other
            }
            Object::Unknown | Object::Dict(_) | Object::Coroutine { .. } => Returned::Other,
            _ => Returned::Plain,
        },
        _ => Returned::Plain,
    }
}

/// What an object of a container class keeps its contents in: the tuple inside a named tuple, the dictionary inside an `OrderedDict`.
pub(crate) fn wrapped_container(interp: &Interp<'_>, value: &Value) -> Option<Value> {
    let Object::Instance(instance) = interp.object_at(value.addr()?) else { return None };
    let kept = |name: &str| instance.attrs.get(Name::new(name)).map(|slot| slot.value.clone());
    let items = kept("_items").filter(|items| matches!(items, Value::Tuple(_)));
    items.or_else(|| {
        let is_dictionary =
            |entries: &Value| entries.addr().is_some_and(|addr| matches!(interp.object_at(addr), Object::Dict(_)));
        kept("_entries").filter(is_dictionary)
    })
}

/// Whether a value of this type, of which no more is known, may hold tensors or be code that has not run.
fn holds_others(kind: BuiltinType) -> bool {
    !matches!(
        kind,
        BuiltinType::NoneType
            | BuiltinType::Ellipsis
            | BuiltinType::NotImplemented
            | BuiltinType::Bool
            | BuiltinType::Int
            | BuiltinType::Float
            | BuiltinType::Complex
            | BuiltinType::Str
            | BuiltinType::Bytes
            | BuiltinType::ByteArray
            | BuiltinType::Range
            | BuiltinType::Slice
    )
}
