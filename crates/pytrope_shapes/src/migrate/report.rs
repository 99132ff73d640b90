//! What migrate answers.

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_source::Span;

use super::entry_program::{Requirement, Returned};

/// The answer in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MigrateVerdict {
    /// All dimensions are numbers, and the program runs with them.
    Static,
    /// Well typed, though some dimensions can only be Dyn.
    Partial,
    /// No types at all.
    IllTyped,
    /// Neither was shown.
    Unknown,
}

impl MigrateVerdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Partial => "partial",
            Self::IllTyped => "ill-typed",
            Self::Unknown => "unknown",
        }
    }
}

/// One of the requirements that cannot hold together.
#[derive(Clone, PartialEq, Debug)]
pub struct RequirementConflict {
    pub span: Span,
    pub message: String,
}

impl RequirementConflict {
    pub(super) fn of(requirement: &Requirement) -> Self {
        Self { span: requirement.span.clone(), message: requirement.message.clone() }
    }
}

/// A dimension that can only be Dyn, or with no dimension a tensor whose rank can only be Dyn.
#[derive(Clone, PartialEq, Debug)]
pub struct Blocking {
    pub parameter: String,
    pub dimension: Option<usize>,
    pub reasons: Vec<RequirementConflict>,
}

/// `[1, 3, Dyn]` for people.
pub fn show_type(shape: &TensorType) -> String {
    match shape {
        TensorType::Dyn => "Dyn".to_owned(),
        TensorType::Dims(dims) => format!("TensorType([{}])", sizes(dims)),
    }
}

/// `1, 3, Dyn`
pub fn sizes(dims: &[DimType]) -> String {
    let shown = dims.iter().map(|dim| match dim {
        DimType::Dyn => "Dyn".to_owned(),
        DimType::Size(size) => size.to_string(),
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// A result for people: `(1, 1000)`, `(?, 3)`, `[…]`.
pub fn shown_result(returned: &Returned) -> String {
    match returned {
        Returned::Tensor(dims) => {
            let dims: Vec<String> =
                dims.iter().map(|dim| dim.map_or_else(|| "?".to_owned(), |size| size.to_string())).collect();
            format!("({}{})", dims.join(", "), if dims.len() == 1 { "," } else { "" })
        }
        Returned::Unranked => "(...)".to_owned(),
        Returned::Several(parts) => format!("[{}]", parts.iter().map(shown_result).collect::<Vec<_>>().join(", ")),
        Returned::Named(parts) => {
            let parts = parts.iter().map(|(name, part)| format!("{name}: {}", shown_result(part)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Returned::Plain => "no tensor".to_owned(),
        Returned::Other => "?".to_owned(),
    }
}
