//! What Python computes on constants: pure functions on numbers and strings, exact to the last digit and the exception's class.
//!
//! Nothing here knows the interpreter's values; it maps them to [`Const`] and back. Results that would
//! take more than a few kilobytes are [`Computed::TooBig`], so no constant can exhaust memory.

pub mod floats;
pub mod formatting;
pub mod integers;
pub mod mathematics;
pub mod percent;
pub mod strings;

use std::sync::Arc;

use num_bigint::BigInt;

/// A constant that can be computed with.
#[derive(Clone, PartialEq, Debug)]
pub enum Const {
    None,
    Bool(bool),
    Int(BigInt),
    Float(f64),
    Str(Arc<str>),
    Tuple(Vec<Const>),
}

impl Const {
    /// The integer that an integer or bool stands for.
    pub fn as_int(&self) -> Option<BigInt> {
        match self {
            Self::Bool(value) => Some(BigInt::from(u8::from(*value))),
            Self::Int(value) => Some(value.clone()),
            Self::None | Self::Float(_) | Self::Str(_) | Self::Tuple(_) => None,
        }
    }

    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Tuple(_) => "tuple",
        }
    }
}

/// An exception that Python raises for certain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConstantError {
    pub class: &'static str,
    pub message: String,
}

impl ConstantError {
    pub fn new(class: &'static str, message: impl Into<String>) -> Self {
        Self { class, message: message.into() }
    }
}

/// What a computation gives.
#[derive(Clone, PartialEq, Debug)]
pub enum Computed<T> {
    Value(T),
    Raises(ConstantError),
    /// There is a result, but it is too large or too special to be written down here.
    TooBig,
}

impl<T> Computed<T> {
    pub fn raises(class: &'static str, message: impl Into<String>) -> Self {
        Self::Raises(ConstantError::new(class, message))
    }

    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Computed<U> {
        match self {
            Self::Value(value) => Computed::Value(f(value)),
            Self::Raises(raised) => Computed::Raises(raised),
            Self::TooBig => Computed::TooBig,
        }
    }
}

/// The result of a named pure function of the standard library (`math.sqrt`); `None` for a name or arguments it does not know.
pub fn compute(name: &str, args: &[Const]) -> Option<Computed<Const>> {
    mathematics::call(name.strip_prefix("math.")?, args)
}
