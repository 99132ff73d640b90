//! Heap objects: everything that has an identity or can change.

mod children;
pub(crate) mod declarations;

use std::sync::Arc;

use indexmap::IndexMap;
use pytrope_dims::Dim;
use pytrope_source::Span;
use rustc_hash::FxBuildHasher;

use crate::code::{Code, ScopeId};
use crate::names::Name;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
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

/// What is declared of a name in a namespace, beside its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Declaration {
    /// `x: NdArray[3]` without a value: what is bound to the name later is held to the hint.
    Hint,
    /// The size that a name in a shape hint stands for (`"n"` in `Float[Tensor, "n 3"]`).
    Dimension,
    /// What `field(…)` said of a field of a data class.
    Field,
    /// The name has been reported as undefined in this scope.
    Undefined,
    /// A parameter whose argument contradicts its hint.
    BrokenHint,
}

/// Names bound in a scope, or attributes of an object.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Slots {
    pub map: Trie<Slot>,
    /// Names that are not in the map may still be bound, to anything.
    pub open: bool,
    /// What is declared of names, by kind and name; empty in most namespaces. It is joined and renamed as bindings are.
    pub declared: Trie<Slot>,
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

    fn declaration_key(kind: Declaration, name: Name) -> u64 {
        (u64::from(kind as u32) << 32) | u64::from(name.0)
    }

    pub fn declaration(&self, kind: Declaration, name: Name) -> Option<&Slot> {
        self.declared.get(Self::declaration_key(kind, name))
    }

    pub fn declare(&mut self, kind: Declaration, name: Name, value: Value) {
        self.declared.insert(Self::declaration_key(kind, name), Slot::new(value));
    }

    /// Whether anything of this kind is declared of some name.
    pub fn declares(&self, kind: Declaration) -> bool {
        self.declared.iter().any(|(key, _)| key >> 32 == u64::from(kind as u32))
    }

    /// The values of all names, and of what is declared of them.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.map.iter().chain(self.declared.iter()).map(|(_, slot)| &slot.value)
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

impl Mapping {
    pub fn is_certainly_empty(&self) -> bool {
        self.entries.is_empty() && self.open.is_none()
    }

    /// Any entries, as code that is not seen may leave them.
    pub fn unknown_entries() -> Self {
        let unknown = || Value::Unknown(Reason::Changed);
        Self { entries: Arc::default(), open: Some(Arc::new((unknown(), unknown()))) }
    }
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
    pub scopes: Arc<[Addr]>,
    /// Values of defaults in the order of parameters that have one.
    pub defaults: Arc<Vec<(Name, Value)>>,
    /// The class whose body defined it, for `super()` and `__class__`.
    pub class: Option<Addr>,
    pub attrs: Slots,
    pub name: Name,
    /// Models only: what is done to the arguments before the body runs.
    pub lifting: Option<Arc<Lifting>>,
}

/// What a model function's decorator `lifted` says about its parameters, so that the body is left with the rule.
///
/// ```python
/// @lifted(as_array_arg, "a", "b", known=("axis",))
/// def cross(a, b, axis=-1): ...
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Lifting {
    /// Called with an argument; gives what the body sees.
    pub converter: Value,
    /// Whether the converter has a parameter `name`, which gets the name of the parameter.
    pub passes_name: bool,
    /// The parameters that are converted.
    pub lifted: Vec<Name>,
    /// Parameters without whose value the rule has no answer.
    pub known: Vec<Name>,
    /// Parameters that must be constants through and through.
    pub constant: Vec<Name>,
    /// Whether the converted arrays must have a known rank.
    pub needs_rank: bool,
    /// Called with the converted arguments where the rule has no answer; without it the answer is Unknown.
    pub otherwise: Option<Value>,
    /// The attribute of arguments that results inherit.
    pub inherited: Option<Inherited>,
}

/// A mark on arrays that operations pass on: where a converted argument has this attribute, the function is called with the
/// result, the name of the operation and the converted arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Inherited {
    pub attribute: Name,
    pub pass_on: Value,
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
    /// The number of axes as a symbol, once it was asked for while open.
    pub rank: Option<Dim>,
    pub dtype: Value,
    /// All elements in row order, when few and known.
    pub values: Option<Arc<Vec<Value>>>,
    pub attrs: Slots,
    /// The array whose memory it shares: what is written to one is seen in both. Unknown where it is not known which.
    pub memory: Option<Value>,
    /// What it may be the same as: the summary it was read from, or the first of the arrays that met at a join.
    pub may_equal: Option<Value>,
    /// Where it was created, for findings.
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

/// Allocation spans do not tell values apart.
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

impl Iter {
    /// What it is, for messages.
    pub(crate) fn kind_name(&self) -> &'static str {
        match self.source {
            IterSource::View(_) => "a view of a dictionary",
            IterSource::Generator { .. } => "a generator",
            IterSource::Items(_) | IterSource::Refused(_) | IterSource::Unknown => "an iterator",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum IterSource {
    /// These items.
    Items(Seq),
    /// A view of a dictionary, which is not used up.
    View(Seq),
    /// A generator function that was called, and its scope, not yet started.
    Generator { function: Addr, scope: Addr },
    /// Taking its first item raises this TypeError: `map` with a function that does not take what it is given.
    Refused(Arc<str>),
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
