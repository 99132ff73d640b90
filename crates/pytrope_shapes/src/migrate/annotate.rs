//! The answer written into the source: annotations of parameters, and the imports they need.

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_source::tree::{Function, Parameter, StmtKind};
use pytrope_source::{Edits, Overlap, Parsed};

use super::report::sizes;

/// How annotations are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Style {
    /// `TensorType([1, 3, Dyn])` of `torch.fx.tensor_type`.
    #[default]
    TensorType,
    /// `Shaped[Tensor, "1 3 _"]` of jaxtyping.
    Jaxtyping,
}

/// The source with the types of a function's parameters.
pub fn annotate_parameters(
    parsed: &Parsed,
    function: &Function,
    types: &[(String, TensorType)],
    style: Style,
) -> Result<String, Overlap> {
    let tree = &parsed.tree;
    let mut edits = Edits::new(parsed);
    let (mut has_type, mut has_dyn) = (false, false);
    let lists = [function.parameters.positional_only, function.parameters.regular, function.parameters.keyword_only];
    for parameter in lists.iter().flat_map(|list| tree[*list].iter()) {
        let name = tree.text(parameter.name.name);
        let Some((_, shape)) = types.iter().find(|(known, _)| known == name) else { continue };
        match shape {
            TensorType::Dyn => has_dyn = true,
            TensorType::Dims(dims) => {
                has_type = true;
                has_dyn |= dims.contains(&DimType::Dyn);
            }
        }
        write_annotation(&mut edits, parsed, parameter, &annotation_text(shape, style));
    }
    match style {
        Style::TensorType => {
            let names: Vec<&str> = [(has_dyn, "Dyn"), (has_type, "TensorType")]
                .iter()
                .filter(|(used, name)| *used && !is_imported(parsed, name))
                .map(|(_, name)| *name)
                .collect();
            if !names.is_empty() && !edits.is_empty() {
                edits.add_import(&format!("from torch.fx.tensor_type import {}", names.join(", ")));
            }
        }
        Style::Jaxtyping => {
            if !edits.is_empty() {
                if !is_imported(parsed, "Shaped") {
                    edits.add_import("from jaxtyping import Shaped");
                }
                if !is_imported(parsed, "Tensor") {
                    edits.add_import("from torch import Tensor");
                }
            }
        }
    }
    edits.apply()
}

/// Whether the module imports a name at its top.
fn is_imported(parsed: &Parsed, name: &str) -> bool {
    let tree = &parsed.tree;
    tree[tree.body()].iter().any(|stmt| match tree[*stmt].kind {
        StmtKind::ImportFrom { names, .. } => {
            tree[names].iter().any(|alias| alias.asname.is_none() && tree.text(alias.name.name) == name)
        }
        _ => false,
    })
}

fn write_annotation(edits: &mut Edits<'_>, parsed: &Parsed, parameter: &Parameter, text: &str) {
    if let Some(annotation) = parameter.annotation {
        edits.replace_range(parsed.tree[annotation].range, text);
        return;
    }
    // `x=None` becomes `x: T = None`, with the spaces that annotated defaults have.
    let end = parameter.name.range.end;
    match parameter.default {
        None => edits.insert(end, format!(": {text}")),
        Some(default) => {
            let start = parsed.tree[default].range.start;
            edits.replace_range(pytrope_source::TextRange { start: end, end: start }, format!(": {text} = "));
        }
    }
}

fn annotation_text(shape: &TensorType, style: Style) -> String {
    match (style, shape) {
        (Style::TensorType, TensorType::Dyn) => "Dyn".to_owned(),
        (Style::TensorType, TensorType::Dims(dims)) => format!("TensorType([{}])", sizes(dims)),
        (Style::Jaxtyping, TensorType::Dyn) => "Shaped[Tensor, \"...\"]".to_owned(),
        (Style::Jaxtyping, TensorType::Dims(dims)) => {
            let dims: Vec<String> = dims
                .iter()
                .map(|dim| match dim {
                    DimType::Dyn => "_".to_owned(),
                    DimType::Size(size) => size.to_string(),
                })
                .collect();
            format!("Shaped[Tensor, \"{}\"]", dims.join(" "))
        }
    }
}
