//! Abstract values: constants, symbolic integers, one top per builtin type, references to heap objects, small unions, Unknown.

use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use pytrope_dims::{Dim, ThreeValued};

use crate::cond::Cond;
use crate::names::Name;
use crate::native::Native;
use crate::sharing::is_walkable;

/// How many alternatives a union keeps before it is summarised.
pub const UNION_LIMIT: usize = 4;

/// The address of a heap object: the module that made it, and a number within it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Addr(pub u64);

impl Addr {
    /// Numbers with this bit are those of objects that stand for many.
    pub const SUMMARY: u32 = 1 << 31;

    pub const fn new(module: u32, number: u32) -> Self {
        Self(((module as u64) << 32) | number as u64)
    }

    /// The module whose frozen heap holds the object unless the state has its own copy.
    pub const fn module(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The object that stands for all those a place of the program has made in earlier iterations of a loop, of which this is the
    /// one of the current iteration.
    pub const fn summary(self) -> Self {
        Self(self.0 | Self::SUMMARY as u64)
    }

    /// Whether one object stands for many: what is done to one of them is not done to all.
    pub const fn is_summary(self) -> bool {
        self.number() & Self::SUMMARY != 0
    }

    /// The class of a builtin type.
    pub const fn of_builtin(kind: BuiltinType) -> Self {
        Self::new(0, kind as u32)
    }
}

/// The builtin types whose operations are written in Rust.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u32)]
pub enum BuiltinType {
    Object = 1,
    Type,
    NoneType,
    Ellipsis,
    NotImplemented,
    Bool,
    Int,
    Float,
    Complex,
    Str,
    Bytes,
    ByteArray,
    MemoryView,
    Tuple,
    List,
    Dict,
    Set,
    FrozenSet,
    Range,
    Slice,
    Function,
    Method,
    Builtin,
    Module,
    Generator,
    Iterator,
    Property,
    StaticMethod,
    ClassMethod,
    Super,
    Coroutine,
}

impl BuiltinType {
    pub const ALL: [BuiltinType; 31] = [
        BuiltinType::Object,
        BuiltinType::Type,
        BuiltinType::NoneType,
        BuiltinType::Ellipsis,
        BuiltinType::NotImplemented,
        BuiltinType::Bool,
        BuiltinType::Int,
        BuiltinType::Float,
        BuiltinType::Complex,
        BuiltinType::Str,
        BuiltinType::Bytes,
        BuiltinType::ByteArray,
        BuiltinType::MemoryView,
        BuiltinType::Tuple,
        BuiltinType::List,
        BuiltinType::Dict,
        BuiltinType::Set,
        BuiltinType::FrozenSet,
        BuiltinType::Range,
        BuiltinType::Slice,
        BuiltinType::Function,
        BuiltinType::Method,
        BuiltinType::Builtin,
        BuiltinType::Module,
        BuiltinType::Generator,
        BuiltinType::Iterator,
        BuiltinType::Property,
        BuiltinType::StaticMethod,
        BuiltinType::ClassMethod,
        BuiltinType::Super,
        BuiltinType::Coroutine,
    ];

    /// The name Python gives the type.
    pub const fn name(self) -> &'static str {
        match self {
            BuiltinType::Object => "object",
            BuiltinType::Type => "type",
            BuiltinType::NoneType => "NoneType",
            BuiltinType::Ellipsis => "ellipsis",
            BuiltinType::NotImplemented => "NotImplementedType",
            BuiltinType::Bool => "bool",
            BuiltinType::Int => "int",
            BuiltinType::Float => "float",
            BuiltinType::Complex => "complex",
            BuiltinType::Str => "str",
            BuiltinType::Bytes => "bytes",
            BuiltinType::ByteArray => "bytearray",
            BuiltinType::MemoryView => "memoryview",
            BuiltinType::Tuple => "tuple",
            BuiltinType::List => "list",
            BuiltinType::Dict => "dict",
            BuiltinType::Set => "set",
            BuiltinType::FrozenSet => "frozenset",
            BuiltinType::Range => "range",
            BuiltinType::Slice => "slice",
            BuiltinType::Function => "function",
            BuiltinType::Method => "method",
            BuiltinType::Builtin => "builtin_function_or_method",
            BuiltinType::Module => "module",
            BuiltinType::Generator => "generator",
            BuiltinType::Iterator => "iterator",
            BuiltinType::Property => "property",
            BuiltinType::StaticMethod => "staticmethod",
            BuiltinType::ClassMethod => "classmethod",
            BuiltinType::Super => "super",
            BuiltinType::Coroutine => "coroutine",
        }
    }

    /// Whether the type is a name of the `builtins` module.
    pub const fn is_builtin_name(self) -> bool {
        !matches!(
            self,
            BuiltinType::NoneType
                | BuiltinType::Ellipsis
                | BuiltinType::NotImplemented
                | BuiltinType::Function
                | BuiltinType::Method
                | BuiltinType::Builtin
                | BuiltinType::Module
                | BuiltinType::Generator
                | BuiltinType::Iterator
                | BuiltinType::Coroutine
        )
    }
}

/// Why nothing is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// A parameter of an uncalled function.
    Parameter,
    /// The same, told apart from all others by the address that is reserved for the object it may turn out to be: what an
    /// operation requires of it holds from then on wherever it is held ([`crate::lazy`]).
    Lazy(Addr),
    /// The result of calling something that is not modelled.
    Call,
    /// An attribute, item or name that is not known.
    Lookup(Name),
    /// Different values met at a join.
    Joined,
    /// Something unknown may have changed it.
    Changed,
    /// A limit of the analysis was reached.
    Limit,
    /// A finding was reported where it was made.
    Finding,
    /// A library that is neither modelled nor followed.
    Import(Name),
    /// The result of an operation on something unknown.
    Operand,
    /// An undecidable condition has asked about what this name stands for.
    Tested(Name),
    /// An object of the standard library: as a manager it leaves exceptions alone.
    Standard,
    /// What a model says.
    Model(Name),
}

impl Reason {
    /// Which lazy parameter an Unknown is.
    #[inline]
    pub fn lazy_address(self) -> Option<Addr> {
        match self {
            Self::Lazy(addr) => Some(addr),
            _ => None,
        }
    }

    /// What tells an Unknown from others: a lazy parameter, or the value that a name had before a condition asked about it.
    pub fn unknown_identity(self) -> Option<Self> {
        matches!(self, Self::Lazy(_) | Self::Tested(_)).then_some(self)
    }

    /// The reason of something that may be this value or another one.
    #[must_use]
    pub fn joined(self) -> Self {
        match self {
            Self::Lazy(_) | Self::Tested(_) => Self::Joined,
            other => other,
        }
    }
}

/// The items of a tuple or list.
#[derive(Clone, Debug)]
pub enum Seq {
    Exact(Arc<Vec<Value>>),
    Open(Arc<OpenSeq>),
}

/// Tuples may share their parts: what is the same is not looked through.
impl PartialEq for Seq {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exact(a), Self::Exact(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Open(a), Self::Open(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}

/// A sequence whose first items may be known, and whose length is `len`.
#[derive(Clone, PartialEq, Debug)]
pub struct OpenSeq {
    pub prefix: Vec<Value>,
    /// What each further item may be.
    pub element: Value,
    /// An integer value, symbolic as a rule.
    pub len: Value,
}

impl Seq {
    /// How many items there are, if all of them are integers.
    pub fn count_integers(&self) -> Option<Dim> {
        let is_integer = |item: &Value| item.kind() == Some(BuiltinType::Int);
        match self {
            Self::Exact(items) => items.iter().all(is_integer).then(|| Dim::constant(items.len() as i128)),
            Self::Open(open) if open.prefix.iter().chain([&open.element]).all(is_integer) => open.len.as_dim(),
            Self::Open(_) => None,
        }
    }

    pub fn exact(items: Vec<Value>) -> Self {
        if !is_walkable(&[&items]) {
            let len = Value::Int(items.len() as i64);
            return Self::open(Vec::new(), Value::Unknown(Reason::Limit), len);
        }
        Self::Exact(Arc::new(items))
    }

    pub fn empty() -> Self {
        Self::exact(Vec::new())
    }

    pub fn open(prefix: Vec<Value>, element: Value, len: Value) -> Self {
        if !is_walkable(&[&prefix, std::slice::from_ref(&element)]) {
            return Self::Open(Arc::new(OpenSeq { prefix: Vec::new(), element: Value::Unknown(Reason::Limit), len }));
        }
        Self::Open(Arc::new(OpenSeq { prefix, element, len }))
    }

    pub fn as_exact(&self) -> Option<&[Value]> {
        match self {
            Self::Exact(items) => Some(items),
            Self::Open(_) => None,
        }
    }
}

/// A function together with what it is called on.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundMethod {
    pub receiver: Value,
    pub function: Value,
}

/// A method of a builtin type, taken from a value.
#[derive(Clone, PartialEq, Debug)]
pub struct NativeMethod {
    pub receiver: Value,
    pub kind: BuiltinType,
    pub name: Name,
}

#[derive(Clone, Debug)]
pub enum Value {
    /// Any value at all.
    Unknown(Reason),
    /// Any value but None: what a condition has left of an Unknown. That holds of the value for good, whatever happens to it.
    UnknownNotNone(Reason),
    None,
    Ellipsis,
    NotImplemented,
    Bool(bool),
    /// A truth value that is not decided, with what it means.
    SymbolicBool(Arc<Cond>),
    Int(i64),
    /// Beyond `i64`.
    Big(Arc<BigInt>),
    /// A symbolic integer; never a constant.
    Dim(Dim),
    Float(f64),
    Complex(Arc<(f64, f64)>),
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
    /// Some value of exactly this builtin type.
    Top(BuiltinType),
    Tuple(Seq),
    Range(Arc<[Value; 3]>),
    Slice(Arc<[Value; 3]>),
    Obj(Addr),
    Native(&'static Native),
    Bound(Arc<BoundMethod>),
    Method(Arc<NativeMethod>),
    /// One of these; between two and [`UNION_LIMIT`], none itself a union or Unknown.
    Union(Arc<Vec<Value>>),
}

impl Value {
    pub const TRUE: Value = Value::Bool(true);
    pub const FALSE: Value = Value::Bool(false);

    pub fn str(text: &str) -> Self {
        Self::Str(Arc::from(text))
    }

    pub fn tuple(items: Vec<Value>) -> Self {
        Self::Tuple(Seq::exact(items))
    }

    pub fn big(value: BigInt) -> Self {
        match value.to_i64() {
            Some(small) => Self::Int(small),
            None => Self::Big(Arc::new(value)),
        }
    }

    /// An integer from a dimension: constant if the dimension is.
    pub fn dim(dim: Dim) -> Self {
        match dim.as_const() {
            Some(value) => match i64::try_from(value) {
                Ok(small) => Self::Int(small),
                Err(_) => Self::Big(Arc::new(BigInt::from(value))),
            },
            None => Self::Dim(dim),
        }
    }

    /// The integer as a dimension; bools count as integers, as in Python.
    pub fn as_dim(&self) -> Option<Dim> {
        match self {
            Self::Int(value) => Some(Dim::constant(i128::from(*value))),
            Self::Bool(value) => Some(Dim::constant(i128::from(*value))),
            Self::Dim(dim) => Some(dim.clone()),
            Self::Big(value) => value.to_i128().map(Dim::constant),
            _ => None,
        }
    }

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_) | Self::UnknownNotNone(_))
    }

    /// Why nothing is known of it.
    #[inline]
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Unknown(reason) | Self::UnknownNotNone(reason) => Some(*reason),
            _ => None,
        }
    }

    /// Whether it is known not to be None without a look at the heap.
    pub fn excludes_none(&self) -> bool {
        match self {
            Self::UnknownNotNone(_) => true,
            Self::Union(values) => values.iter().all(Self::excludes_none),
            other => other.kind().is_some_and(|kind| kind != BuiltinType::NoneType),
        }
    }

    pub fn addr(&self) -> Option<Addr> {
        match self {
            Self::Obj(addr) => Some(*addr),
            _ => None,
        }
    }

    /// The alternatives of a union, or the value itself.
    pub fn alternatives(&self) -> &[Value] {
        match self {
            Self::Union(values) => values,
            other => std::slice::from_ref(other),
        }
    }

    /// The builtin type a value is exactly of; `None` for heap objects and what is not known.
    pub fn kind(&self) -> Option<BuiltinType> {
        Some(match self {
            Self::Unknown(_) | Self::UnknownNotNone(_) | Self::Obj(_) | Self::Union(_) => return None,
            Self::None => BuiltinType::NoneType,
            Self::Ellipsis => BuiltinType::Ellipsis,
            Self::NotImplemented => BuiltinType::NotImplemented,
            Self::Bool(_) | Self::SymbolicBool(_) => BuiltinType::Bool,
            Self::Int(_) | Self::Big(_) | Self::Dim(_) => BuiltinType::Int,
            Self::Float(_) => BuiltinType::Float,
            Self::Complex(_) => BuiltinType::Complex,
            Self::Str(_) => BuiltinType::Str,
            Self::Bytes(_) => BuiltinType::Bytes,
            Self::Top(kind) => *kind,
            Self::Tuple(_) => BuiltinType::Tuple,
            Self::Range(_) => BuiltinType::Range,
            Self::Slice(_) => BuiltinType::Slice,
            Self::Native(_) | Self::Method(_) => BuiltinType::Builtin,
            Self::Bound(_) => BuiltinType::Method,
        })
    }

    /// A concrete constant: number, string, bytes, None, Ellipsis.
    pub fn is_scalar_constant(&self) -> bool {
        matches!(
            self,
            Self::None
                | Self::Ellipsis
                | Self::NotImplemented
                | Self::Bool(_)
                | Self::Int(_)
                | Self::Big(_)
                | Self::Float(_)
                | Self::Complex(_)
                | Self::Str(_)
                | Self::Bytes(_)
        )
    }
}

/// What stands for a value of Python.
pub trait IntoValue {
    fn into_value(self) -> Value;
}

impl IntoValue for ThreeValued<Cond> {
    fn into_value(self) -> Value {
        match self {
            Self::True => Value::TRUE,
            Self::False => Value::FALSE,
            Self::Open(cond) => Value::SymbolicBool(Arc::new(cond)),
        }
    }
}

/// Equality of abstract values (floats by their bits, so that NaN equals itself and loops end).
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown(a), Self::Unknown(b)) | (Self::UnknownNotNone(a), Self::UnknownNotNone(b)) => {
                a.unknown_identity() == b.unknown_identity()
            }
            (Self::None, Self::None)
            | (Self::Ellipsis, Self::Ellipsis)
            | (Self::NotImplemented, Self::NotImplemented) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::SymbolicBool(a), Self::SymbolicBool(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Big(a), Self::Big(b)) => a == b,
            (Self::Dim(a), Self::Dim(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a.to_bits() == b.to_bits(),
            (Self::Complex(a), Self::Complex(b)) => a.0.to_bits() == b.0.to_bits() && a.1.to_bits() == b.1.to_bits(),
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::Top(a), Self::Top(b)) => a == b,
            (Self::Tuple(a), Self::Tuple(b)) => a == b,
            (Self::Range(a), Self::Range(b)) | (Self::Slice(a), Self::Slice(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Obj(a), Self::Obj(b)) => a == b,
            (Self::Native(a), Self::Native(b)) => std::ptr::eq(*a, *b),
            (Self::Bound(a), Self::Bound(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Method(a), Self::Method(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Union(a), Self::Union(b)) => Arc::ptr_eq(a, b) || a == b,
            _ => false,
        }
    }
}
