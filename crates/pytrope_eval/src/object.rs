//! Heap objects: everything that has an identity or can change.

use std::sync::Arc;

use indexmap::IndexMap;
use pytrope_dims::Dim;
use pytrope_source::Span;
use rustc_hash::FxBuildHasher;

use crate::code::{Code, ScopeId};
use crate::names::Name;
use crate::value::{Addr, BuiltinType, Seq, Value};
use pytrope_trie::Trie;

/// A binding: its value, and whether it is there on every path.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    pub value: Value,
    pub definite: bool,
}

impl Slot {
    pub fn new(value: Value) -> Self {
        Self { value, definite: true }
    }
}

/// Names bound in a scope, or attributes of an object.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Slots {
    pub map: Trie<Slot>,
    /// Names that are not in the map may still be bound, to anything.
    pub open: bool,
}

impl Slots {
    pub fn get(&self, name: Name) -> Option<&Slot> {
        self.map.get(u64::from(name.0))
    }

    pub fn set(&mut self, name: Name, value: Value) {
        self.map.insert(u64::from(name.0), Slot::new(value));
    }

    pub fn remove(&mut self, name: Name) {
        self.map.remove(u64::from(name.0));
    }

    pub fn iter(&self) -> impl Iterator<Item = (Name, &Slot)> {
        self.map.iter().map(|(key, slot)| (Name(key as u32), slot))
    }
}

/// What a dictionary knows itself by: constants by value (1 == 1.0 == True), objects by identity.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    None,
    Ellipsis,
    Int(i128),
    Big(Arc<num_bigint::BigInt>),
    Float(u64),
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
    Tuple(Vec<Key>),
    Object(Addr),
    Native(usize),
}

impl Key {
    pub fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        match self {
            Self::Object(addr) => test(*addr),
            Self::Tuple(keys) => keys.iter().any(|key| key.any_address(test)),
            _ => false,
        }
    }
}

/// One entry of a dictionary.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub key: Value,
    pub value: Value,
    /// Whether the entry is there on every path.
    pub definite: bool,
}

pub type Entries = IndexMap<Key, Entry, FxBuildHasher>;

/// The contents of a dictionary or set (which ignores the values).
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Mapping {
    pub entries: Arc<Entries>,
    /// Further entries may exist, and those listed may have other values.
    pub open: Option<Arc<(Value, Value)>>,
}

/// An instance of a class written in Python.
#[derive(Clone, PartialEq, Debug)]
pub struct Instance {
    pub class: Value,
    pub attrs: Slots,
    /// For instances of subclasses of builtin containers and numbers: their contents, if known.
    pub content: Option<Value>,
}

/// A class.
#[derive(Clone, PartialEq, Debug)]
pub struct Class {
    pub name: Arc<str>,
    pub bases: Vec<Value>,
    /// This class first, `object` last; cut short where a base is unknown.
    pub mro: Vec<Addr>,
    /// Some base, decorator or metaclass is unknown: what is not found may still be there.
    pub open: bool,
    pub attrs: Slots,
    /// For the classes of builtin types.
    pub kind: Option<BuiltinType>,
    pub metaclass: Option<Value>,
    pub features: Features,
    pub code: Option<(Arc<Code>, pytrope_source::tree::StmtId)>,
}

/// What decorators and bases make of a class.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Features {
    pub is_model: bool,
    pub dataclass: bool,
    /// A data class whose `__init__` is made from its fields.
    pub generated_init: bool,
    /// A data class whose fields are given by keyword.
    pub keyword_fields: bool,
    pub enumeration: bool,
    /// Fields have shape hints, here or in a base.
    pub hinted: bool,
}

/// A function written in Python.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub code: Arc<Code>,
    pub id: ScopeId,
    /// The scopes around it, innermost last; the first is the module's.
    pub scopes: Arc<Vec<Addr>>,
    /// Values of defaults in the order of parameters that have one.
    pub defaults: Arc<Vec<(Name, Value)>>,
    /// The class whose body defined it, for `super()` and `__class__`.
    pub class: Option<Addr>,
    pub attrs: Slots,
    pub name: Name,
}

/// A shape as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// All dimensions, each symbolic or constant; `None` is a size of which nothing is known.
    Known(Arc<Vec<Dim>>),
    /// The first dimensions; the rank is open.
    Prefix(Arc<Vec<Dim>>),
    /// The last dimensions, at least one; the rank is open.
    Suffix(Arc<Vec<Dim>>),
}

impl Shape {
    pub fn known(dims: Vec<Dim>) -> Self {
        Self::Known(Arc::new(dims))
    }

    pub fn unknown() -> Self {
        Self::Prefix(Arc::new(Vec::new()))
    }

    /// The last dimensions of a shape whose rank is open.
    pub fn ending(dims: Vec<Dim>) -> Self {
        if dims.is_empty() { Self::unknown() } else { Self::Suffix(Arc::new(dims)) }
    }

    /// The dimensions that are known.
    pub fn dims(&self) -> &[Dim] {
        match self {
            Self::Known(dims) | Self::Prefix(dims) | Self::Suffix(dims) => dims,
        }
    }

    /// As much of a shape, with other dimensions.
    #[must_use]
    pub fn with_dims(&self, dims: Vec<Dim>) -> Self {
        match self {
            Self::Known(_) => Self::Known(Arc::new(dims)),
            Self::Prefix(_) => Self::Prefix(Arc::new(dims)),
            Self::Suffix(_) => Self::Suffix(Arc::new(dims)),
        }
    }

    pub fn rank(&self) -> Option<usize> {
        match self {
            Self::Known(dims) => Some(dims.len()),
            Self::Prefix(_) | Self::Suffix(_) => None,
        }
    }
}

/// An array of a modelled library.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub class: Value,
    pub shape: Shape,
    /// The number of axes as a symbol, once somebody has asked for it while it was open.
    pub rank: Option<Dim>,
    pub dtype: Value,
    /// All elements in row order, when few and known.
    pub values: Option<Arc<Vec<Value>>>,
    pub attrs: Slots,
    /// Where it was made, for findings.
    pub born: Option<AllocSpan>,
}

impl Array {
    /// The elements, if each is known exactly; a tuple among them stands for the bounds of one that is not.
    pub fn exact_values(&self) -> Option<&Arc<Vec<Value>>> {
        self.values.as_ref().filter(|values| !values.iter().any(|value| matches!(value, Value::Tuple(_))))
    }
}

/// Where an object was made.
#[derive(Clone, Debug)]
pub struct AllocSpan(pub Span);

/// Births do not tell values apart.
impl PartialEq for AllocSpan {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// An iterator over known or unknown items.
#[derive(Clone, PartialEq, Debug)]
pub struct Iter {
    pub source: IterSource,
    /// How many items have been taken; `None` when that is not known.
    pub taken: Option<usize>,
    /// What the items depend on.
    pub watched: Arc<Vec<crate::interp::Dependency>>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum IterSource {
    /// These items.
    Items(Seq),
    /// A view of a dictionary, which is not used up.
    View(Seq),
    /// A generator function that was called, and its scope, not yet started.
    Generator { function: Addr, scope: Addr },
    /// Anything.
    Unknown,
}

/// A module as a value.
#[derive(Clone, PartialEq, Debug)]
pub struct Module {
    pub name: Arc<str>,
    /// Its globals; `None` for a module that is neither modelled nor followed.
    pub scope: Option<Addr>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    pub get: Value,
    pub set: Value,
    pub delete: Value,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Object {
    Scope(Slots),
    List(Seq),
    Dict(Mapping),
    Set(Mapping),
    FrozenSet(Mapping),
    Instance(Arc<Instance>),
    Class(Arc<Class>),
    Function(Arc<Function>),
    Module(Module),
    Array(Arc<Array>),
    Iter(Iter),
    Property(Arc<Property>),
    StaticMethod(Value),
    ClassMethod(Value),
    /// `super()`: the class to look behind, and the receiver.
    Super {
        class: Addr,
        receiver: Value,
    },
    /// A coroutine not yet awaited: the function and its bound scope.
    Coroutine {
        function: Addr,
        scope: Addr,
    },
    /// Objects of different kinds met under one address.
    Unknown,
}

impl Slots {
    fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        self.iter().any(|(_, slot)| slot.value.any_address(test))
    }
}

impl Mapping {
    fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        self.entries.values().any(|entry| entry.value.any_address(test) || entry.key.any_address(test))
            || self.open.as_ref().is_some_and(|open| open.0.any_address(test) || open.1.any_address(test))
    }
}

impl Object {
    /// Whether some address in the object passes a test.
    pub fn any_address(&self, test: &mut dyn FnMut(Addr) -> bool) -> bool {
        match self {
            Self::Scope(slots) => slots.any_address(test),
            Self::List(seq) => seq.any_address(test),
            Self::Dict(mapping) | Self::Set(mapping) | Self::FrozenSet(mapping) => mapping.any_address(test),
            Self::Instance(instance) => {
                instance.class.any_address(test)
                    || instance.attrs.any_address(test)
                    || instance.content.as_ref().is_some_and(|content| content.any_address(test))
            }
            Self::Class(class) => {
                class.mro.iter().any(|addr| test(*addr))
                    || class.attrs.any_address(test)
                    || class.bases.iter().chain(&class.metaclass).any(|value| value.any_address(test))
            }
            Self::Function(function) => {
                function.scopes.iter().chain(&function.class).any(|addr| test(*addr))
                    || function.attrs.any_address(test)
                    || function.defaults.iter().any(|(_, value)| value.any_address(test))
            }
            Self::Module(module) => module.scope.is_some_and(test),
            Self::Array(array) => {
                array.class.any_address(test)
                    || array.dtype.any_address(test)
                    || array.attrs.any_address(test)
                    || array.values.as_ref().is_some_and(|values| values.iter().any(|value| value.any_address(test)))
            }
            Self::Iter(iter) => {
                let source = match &iter.source {
                    IterSource::Items(seq) | IterSource::View(seq) => seq.any_address(test),
                    IterSource::Generator { function, scope } => test(*function) || test(*scope),
                    IterSource::Unknown => false,
                };
                source || iter.watched.iter().any(|watched| watched.any_address(test))
            }
            Self::Property(property) => {
                [&property.get, &property.set, &property.delete].into_iter().any(|value| value.any_address(test))
            }
            Self::StaticMethod(value) | Self::ClassMethod(value) => value.any_address(test),
            Self::Super { class, receiver } => test(*class) || receiver.any_address(test),
            Self::Coroutine { function, scope } => test(*function) || test(*scope),
            Self::Unknown => false,
        }
    }
}
