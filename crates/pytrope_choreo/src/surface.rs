//! The names of `pytrope.choreo` that a choreography is written with.

use pytrope_source::tree::{ExprId, ExprKind};

use crate::declaration::{Meaning, Surface, Unit};

pub(crate) const LIBRARY: &str = "pytrope.choreo";

/// The names of the library that say something about roles.
pub(crate) const NAMES: &[&str] = &[
    "Role",
    "At",
    "On",
    "Channel",
    "DiChannel",
    "Family",
    "Star",
    "Mesh",
    "Ch",
    "Ch1",
    "Ch2",
    "Ch3",
    "Ch4",
    "Ch5",
    "Ch6",
    "Ch7",
    "Ch8",
    "Ch9",
    "Ch10",
];

/// What a name of the library means.
pub(crate) fn surface_of_name(name: &str) -> Surface {
    match name {
        "Role" => Surface::Role,
        "At" => Surface::At,
        "On" => Surface::On,
        "Channel" => Surface::Channel,
        "DiChannel" => Surface::DiChannel,
        "Family" => Surface::Family,
        "Star" => Surface::Star,
        "Mesh" => Surface::Mesh,
        "Ch" => Surface::Ch(None),
        _ => {
            let arity = name.strip_prefix("Ch").and_then(|digits| digits.parse::<u8>().ok());
            match arity {
                Some(arity @ 1..=10) => Surface::Ch(Some(arity)),
                _ => Surface::Other,
            }
        }
    }
}

/// The library name an expression is, if any: `At`, `pc.At`, `pytrope.choreo.At`.
pub(crate) fn surface_of_expr(unit: &Unit, expr: ExprId) -> Option<Surface> {
    let parts = unit.tree.dotted(expr)?;
    let (&first, rest) = parts.split_first()?;
    if !unit.is_of_module(expr) {
        return None;
    }
    match (unit.meanings.get(first)?, rest) {
        (Meaning::Surface(surface), []) => Some(*surface),
        (Meaning::Surface(Surface::Library), [name]) => Some(surface_of_name(name)),
        (Meaning::Module(module), ["choreo", name]) if module == LIBRARY => Some(surface_of_name(name)),
        _ => None,
    }
}

/// A name of the library that is used and not imported.
pub(crate) fn missing_import(unit: &Unit, expr: ExprId) -> Option<&str> {
    let name = unit.tree.text(unit.tree.as_name(expr)?);
    let known = unit.meanings.contains(name) || unit.meanings.has_unknown_star_import();
    (NAMES.contains(&name) && !known).then_some(name)
}

/// The elements of a subscript: `X[a, b]` has two.
pub(crate) fn subscript_elements(unit: &Unit, index: ExprId) -> Vec<ExprId> {
    match unit.tree[index].kind {
        ExprKind::Tuple { elements, .. } => unit.tree[elements].to_vec(),
        _ => vec![index],
    }
}
