//! What migrate answers.

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_source::Span;

use super::entry_program::EntryRequirement;
use super::general::GeneralType;
use super::returned::Returned;

/// The answer in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MigrateVerdict {
    /// All dimensions are numbers, and the program runs with them.
    Static,
    /// Well typed, though some dimensions can only be Dyn, or the result has one shape or another.
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
    pub(super) fn of(requirement: &EntryRequirement) -> Self {
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
                dims.iter().map(|dim| dim.as_const().map_or_else(|| "?".to_owned(), |size| size.to_string())).collect();
            format!("({}{})", dims.join(", "), if dims.len() == 1 { "," } else { "" })
        }
        Returned::Unranked => "(...)".to_owned(),
        Returned::Several(parts) => format!("[{}]", parts.iter().map(shown_result).collect::<Vec<_>>().join(", ")),
        Returned::Named(parts) => {
            let parts = parts.iter().map(|(name, part)| format!("{name}: {}", shown_result(part)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Returned::Either(choices) => choices.iter().map(shown_result).collect::<Vec<_>>().join(" or "),
        Returned::Plain => "no tensor".to_owned(),
        Returned::Other => "?".to_owned(),
    }
}

/// A general type for people: the sizes by name, each relation with its line, and the result.
pub fn shown_general(names: &[String], general: &GeneralType) -> String {
    let mut text = String::from("  for all sizes:\n");
    for (name, sizes) in names.iter().zip(&general.parameters) {
        if let Some(sizes) = sizes {
            text.push_str(&format!("    {name}: ({})\n", tuple_text(sizes.iter().map(|size| general.show_size(size)))));
        }
    }
    for relation in &general.relations {
        let place = relation.span.as_ref().map_or_else(String::new, |span| {
            format!("    (line {} of {})", span.start().position.line, span.file.path())
        });
        text.push_str(&format!("    {}{place}\n", relation.text));
    }
    if let Returned::Tensor(sizes) = &general.result {
        text.push_str(&format!("    returns ({})\n", tuple_text(sizes.iter().map(|size| general.show_size(size)))));
    }
    text
}

/// The items of a tuple as Python writes them.
pub fn tuple_text(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("{}{}", items.join(", "), if items.len() == 1 { "," } else { "" })
}
