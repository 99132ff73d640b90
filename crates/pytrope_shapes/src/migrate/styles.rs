//! How each style writes types: annotations, guards at the top of a function, a table for its docstring, and what
//! exporters are given.

use std::collections::BTreeSet;

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_dims::{Cmp, Dim, Relation, Sym};

use super::annotate::Style;
use super::general::{GeneralType, bound_of};
use super::report::sizes;

/// A parameter with its type.
pub struct ParameterType {
    pub name: String,
    /// The sample, `Dyn` where no number fits.
    pub shape: TensorType,
    pub dtype: Option<&'static str>,
    /// The sizes of the general type, where one was shown.
    pub sizes: Option<Vec<Dim>>,
}

/// The annotation of a parameter; none in styles that write none.
pub fn annotation_text(parameter: &ParameterType, general: Option<&GeneralType>, style: Style) -> Option<String> {
    match style {
        Style::TensorType => Some(match &parameter.shape {
            TensorType::Dyn => "Dyn".to_owned(),
            TensorType::Dims(dims) => format!("TensorType([{}])", sizes(dims)),
        }),
        Style::Jaxtyping => {
            let axes = named_axes(parameter, general, "_", &|name| name.to_owned());
            let text = axes.map_or_else(|| "...".to_owned(), |axes| axes.join(" "));
            Some(format!("{}[Tensor, \"{text}\"]", jaxtyping_class(parameter.dtype)))
        }
        Style::Pyrefly => {
            let axes = named_axes(parameter, general, "Any", &pyrefly_name)?;
            Some(format!("Tensor[[{}]]", axes.join(", ")))
        }
        Style::Export | Style::Onnx | Style::Asserts | Style::Doc | Style::Json => None,
    }
}

/// The class of jaxtyping that has this dtype.
pub fn jaxtyping_class(dtype: Option<&str>) -> &'static str {
    match dtype {
        Some("float32" | "float16" | "bfloat16") => "Float",
        Some("float64") => "Float64",
        Some("int64" | "int32" | "int16" | "int8") => "Int",
        Some("uint8") => "UInt8",
        Some("bool") => "Bool",
        Some("complex64" | "complex128") => "Complex",
        _ => "Shaped",
    }
}

/// Names of type parameters begin with a capital: `batch` is `Batch`, `h` is `H`.
pub fn pyrefly_name(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Each size as a number, a name, or what the style has for any size; none without a rank.
fn named_axes(
    parameter: &ParameterType,
    general: Option<&GeneralType>,
    any: &str,
    named: &dyn Fn(&str) -> String,
) -> Option<Vec<String>> {
    if let (Some(general), Some(dims)) = (general, &parameter.sizes) {
        let axis = |dim: &Dim| match (dim.as_const(), dim.as_symbol()) {
            (Some(size), _) => size.to_string(),
            (None, Some(sym)) => named(&general.name_of(sym)),
            (None, None) => any.to_owned(),
        };
        return Some(dims.iter().map(axis).collect());
    }
    let axis = |dim: &DimType| match dim {
        DimType::Dyn => any.to_owned(),
        DimType::Size(size) => size.to_string(),
    };
    parameter.shape.dims().map(|dims| dims.iter().map(axis).collect())
}

/// The names that a function's annotations use, in the order of their first use.
pub fn used_names(parameters: &[ParameterType], general: &GeneralType) -> Vec<String> {
    let mut names = Vec::new();
    for sym in parameters.iter().flat_map(|parameter| parameter.sizes.iter().flatten()).filter_map(Dim::as_symbol) {
        let name = general.name_of(sym);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Assertions that hold for exactly the inputs of the general type, or of the sample where there is none.
pub fn guard_lines(parameters: &[ParameterType], general: Option<&GeneralType>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut places: Vec<(Sym, String)> = Vec::new();
    for parameter in parameters {
        let name = &parameter.name;
        let Some(dims) = typed_sizes(parameter) else { continue };
        lines.push(format!("assert {name}.ndim == {}", dims.len()));
        for (axis, dim) in dims.iter().enumerate() {
            let Some(dim) = dim else { continue };
            let place = format!("{name}.shape[{axis}]");
            match (dim.as_const(), dim.as_symbol()) {
                (Some(size), _) => lines.push(format!("assert {place} == {size}")),
                (None, Some(sym)) => match places.iter().find(|(known, _)| *known == sym) {
                    Some((_, first)) => lines.push(format!("assert {place} == {first}")),
                    None => places.push((sym, place)),
                },
                (None, None) => {}
            }
        }
    }
    let place_of =
        |sym: Sym| places.iter().find(|(known, _)| *known == sym).map_or_else(String::new, |(_, place)| place.clone());
    for relation in general.iter().flat_map(|general| &general.relations) {
        let bounds: Vec<(Sym, Cmp, i128)> = relation.constraints.iter().filter_map(bound_of).collect();
        match bounds.first() {
            Some((sym, ..)) if bounds.len() == relation.constraints.len() => {
                lines.push(format!("assert {}", range_text(&place_of(*sym), &bounds)));
            }
            _ => lines.extend(
                relation.constraints.iter().map(|constraint| format!("assert {}", constraint.display_with(&place_of))),
            ),
        }
    }
    lines
}

/// `32 <= h <= 35`: bounds of one size as one comparison.
pub fn range_text(name: &str, bounds: &[(Sym, Cmp, i128)]) -> String {
    let of = |cmp: Cmp| bounds.iter().filter(move |(_, own, _)| *own == cmp).map(|(.., bound)| *bound);
    match (of(Cmp::Ge).max(), of(Cmp::Le).min()) {
        (Some(least), Some(most)) => format!("{least} <= {name} <= {most}"),
        (Some(least), None) => format!("{name} >= {least}"),
        (None, Some(most)) => format!("{name} <= {most}"),
        (None, None) => String::new(),
    }
}

/// Sizes that are numbers or names; `None` where any size will do.
fn typed_sizes(parameter: &ParameterType) -> Option<Vec<Option<Dim>>> {
    if let Some(sizes) = &parameter.sizes {
        return Some(sizes.iter().cloned().map(Some).collect());
    }
    let size = |dim: &DimType| match dim {
        DimType::Dyn => None,
        DimType::Size(size) => Some(Dim::constant(i128::from(*size))),
    };
    parameter.shape.dims().map(|dims| dims.iter().map(size).collect())
}

/// A table of shapes for a docstring.
pub fn doc_lines(parameters: &[ParameterType], general: Option<&GeneralType>) -> Vec<String> {
    let mut rows = vec![("tensor".to_owned(), "shape".to_owned(), "dtype".to_owned())];
    for parameter in parameters {
        let axes = named_axes(parameter, general, "any", &|name| name.to_owned());
        let shape = axes.map_or_else(|| "any".to_owned(), |axes| format!("({})", axes.join(", ")));
        rows.push((parameter.name.clone(), shape, parameter.dtype.unwrap_or("any").to_owned()));
    }
    let widths = (
        rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0),
        rows.iter().map(|(_, shape, _)| shape.len()).max().unwrap_or(0),
    );
    let line = |(name, shape, dtype): &(String, String, String)| {
        format!("{name:<first$}  {shape:<second$}  {dtype}", first = widths.0, second = widths.1)
    };
    let mut lines: Vec<String> =
        std::iter::once("Shapes:".to_owned()).chain(rows.iter().map(|row| format!("    {}", line(row)))).collect();
    if let Some(general) = general {
        lines.extend(general.relations.iter().map(|relation| format!("    {}", relation.text)));
    }
    lines
}

/// What `torch.export` is given: a `dynamic_shapes` with ranges and multiples of sizes. Sizes whose relations it has no words
/// for stay as they are in the example.
pub fn export_text(parameters: &[ParameterType], general: Option<&GeneralType>) -> String {
    let mut text = String::from("from torch.export import Dim\n\n");
    let mut defined: BTreeSet<Sym> = BTreeSet::new();
    let mut entries = Vec::new();
    for parameter in parameters {
        let mut axes = Vec::new();
        let dims = parameter.sizes.iter().flatten().enumerate();
        for (axis, dim) in dims {
            let (Some(general), Some(sym)) = (general, dim.as_symbol()) else { continue };
            let Some(definition) = export_dimension(general, sym) else { continue };
            if defined.insert(sym) {
                text.push_str(&format!("{definition}\n"));
            }
            axes.push(format!("{axis}: {}", general.name_of(sym)));
        }
        entries.push(format!("    \"{}\": {{{}}},\n", parameter.name, axes.join(", ")));
    }
    format!("{text}\ndynamic_shapes = {{\n{}}}\n", entries.concat())
}

/// `h = 32 * Dim("h_32", min=2)`: none where a relation is neither a bound nor a divisibility of this size alone.
fn export_dimension(general: &GeneralType, sym: Sym) -> Option<String> {
    let name = general.name_of(sym);
    let (mut least, mut most, mut factor) = (1i128, None, 1i128);
    let constraints = general.relations.iter().flat_map(|relation| &relation.constraints);
    for constraint in constraints.filter(|constraint| constraint.dim.mentions(sym)) {
        if let Some((_, cmp, bound)) = bound_of(constraint) {
            match cmp {
                Cmp::Ge => least = least.max(bound),
                _ => most = Some(most.map_or(bound, |most: i128| most.min(bound))),
            }
            continue;
        }
        // `h - 4*(h//4) == 0`
        let divisor = (2..=1024).find(|divisor| {
            constraint.relation == Relation::Zero
                && Dim::symbol(sym).modulo(&Dim::constant(*divisor)).is_some_and(|rest| rest == constraint.dim)
        })?;
        if factor != 1 {
            return None;
        }
        factor = divisor;
    }
    let least = (least + factor - 1) / factor;
    let range = match most {
        Some(most) => format!(", min={least}, max={}", most / factor),
        None => format!(", min={least}"),
    };
    Some(if factor == 1 {
        format!("{name} = Dim(\"{name}\"{range})")
    } else {
        format!("{name} = {factor} * Dim(\"{name}_{factor}\"{range})")
    })
}

/// What `torch.onnx.export` is given: the names of dynamic axes.
pub fn onnx_text(parameters: &[ParameterType], general: Option<&GeneralType>) -> String {
    let entry = |parameter: &ParameterType| {
        let axes = parameter
            .sizes
            .iter()
            .flatten()
            .enumerate()
            .filter_map(|(axis, dim)| Some(format!("{axis}: \"{}\"", general?.name_of(dim.as_symbol()?))));
        format!("    \"{}\": {{{}}},\n", parameter.name, axes.collect::<Vec<_>>().join(", "))
    };
    let names: Vec<String> = parameters.iter().map(|parameter| format!("\"{}\"", parameter.name)).collect();
    let entries: String = parameters.iter().map(entry).collect();
    format!("input_names = [{}]\ndynamic_axes = {{\n{entries}}}\n", names.join(", "))
}
