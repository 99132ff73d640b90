//! Code lenses: above each function what it takes and returns, as far as arrays are concerned.

use std::sync::Arc;

use lsp_types::{CodeLens, Command, Url};
use pytrope_shapes::{BindingKind, ShownBinding};
use pytrope_source::tree::StmtKind;
use pytrope_source::{SourceFile, Span, TextRange, parse};

use crate::places::Places;
use crate::shape_hints::array_shape;

/// `(x: [n, 3], w: [3, 5]) → [n, 5]` above each function of a document that takes or returns an array of known shape.
pub(crate) fn signature_lenses(
    file: &Arc<SourceFile>,
    bindings: &[ShownBinding],
    uri: &Url,
    places: Places<'_>,
) -> Vec<CodeLens> {
    let tree = parse(file).tree;
    let functions: Vec<(TextRange, TextRange)> = tree
        .stmt_ids()
        .filter_map(|id| match tree[id].kind {
            StmtKind::FunctionDef(function) => Some((function.name.range, tree[id].range)),
            _ => None,
        })
        .collect();
    let innermost = |at: u32| {
        let around = functions.iter().filter(|(_, range)| range.start <= at && at < range.end);
        around.min_by_key(|(_, range)| range.end - range.start).map(|(name, _)| *name)
    };
    let lens = |(name, _): &(TextRange, TextRange)| {
        let own = bindings.iter().filter(|binding| innermost(binding.span.range.start) == Some(*name));
        let title = signature_of(&own.collect::<Vec<_>>())?;
        let location = places.location_of(&Span::new(file, *name)).filter(|location| location.uri == *uri)?;
        // Without a command the editor shows the title and does nothing when it is chosen.
        let command = Command { title, command: String::new(), arguments: None };
        Some(CodeLens { range: location.range, command: Some(command), data: None })
    };
    functions.iter().filter_map(lens).collect()
}

/// The signature of a function by what was seen in it; none if no array is in it.
fn signature_of(bindings: &[&ShownBinding]) -> Option<String> {
    let shape = |binding: &ShownBinding| {
        let shapes: Option<Vec<&str>> = binding.values.iter().map(|value| array_shape(value)).collect();
        shapes.filter(|shapes| !shapes.is_empty()).map(|shapes| shapes.join(" | "))
    };
    let of_kind = |kind: BindingKind| bindings.iter().filter(move |binding| binding.kind == kind);
    let parameter = |binding: &&&ShownBinding| Some(format!("{}: {}", binding.name, shape(binding)?));
    let parameters: Vec<String> = of_kind(BindingKind::Parameter).filter_map(|binding| parameter(&binding)).collect();
    let mut returned: Vec<String> = of_kind(BindingKind::Return).filter_map(|binding| shape(binding)).collect();
    returned.dedup();
    if parameters.is_empty() && returned.is_empty() {
        return None;
    }
    let arrow = if returned.is_empty() { String::new() } else { format!(" → {}", returned.join(" | ")) };
    Some(format!("({}){arrow}", parameters.join(", ")))
}
