//! The answer written into the source: annotations of parameters, guards or a docstring, and the imports they need.

use pytrope_dims::gradual::{DimType, TensorType};
use pytrope_source::tree::{ExprKind, FunctionDefinition, Parameter, StmtId, StmtKind};
use pytrope_source::{Edits, Overlap, Parsed};

use super::general::GeneralType;
use super::styles::{
    ParameterType, annotation_text, doc_lines, guard_lines, jaxtyping_class, pyrefly_name, used_names,
};

/// How types are written.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Style {
    /// `TensorType([1, 3, Dyn])` of `torch.fx.tensor_type`.
    #[default]
    TensorType,
    /// `Float[Tensor, "batch 3 h w"]` of jaxtyping.
    Jaxtyping,
    /// `Tensor[[Batch, 3, H, W]]` of Pyrefly.
    Pyrefly,
    /// A `dynamic_shapes` for `torch.export`, as a program of its own.
    Export,
    /// The `dynamic_axes` for `torch.onnx.export`, as a program of its own.
    Onnx,
    /// Assertions at the top of the function.
    Asserts,
    /// A table in the function's docstring.
    Doc,
    /// The report as JSON, as a text of its own.
    Json,
}

impl Style {
    /// Whether the answer is a text of its own, and the source stays as it is.
    pub fn is_separate(self) -> bool {
        matches!(self, Self::Export | Self::Onnx | Self::Json)
    }
}

/// A function with the types of its parameters.
pub struct TypedFunction<'a> {
    pub definition: FunctionDefinition,
    pub types: &'a [ParameterType],
    pub general: Option<&'a GeneralType>,
}

/// The source with the types of functions' parameters.
pub fn annotate_functions(parsed: &Parsed, functions: &[TypedFunction<'_>], style: Style) -> Result<String, Overlap> {
    let mut edits = Edits::new(parsed);
    match style {
        Style::TensorType | Style::Jaxtyping | Style::Pyrefly => {
            write_annotations(&mut edits, parsed, functions, style);
        }
        Style::Asserts => {
            for function in functions {
                let lines = guard_lines(function.types, function.general);
                insert_lines(&mut edits, parsed, &function.definition, &lines);
            }
        }
        Style::Doc => {
            for function in functions.iter().filter(|function| !function.types.is_empty()) {
                let lines = doc_lines(function.types, function.general);
                insert_docstring(&mut edits, parsed, &function.definition, &lines);
            }
        }
        Style::Export | Style::Onnx | Style::Json => {}
    }
    edits.apply()
}

fn write_annotations(edits: &mut Edits<'_>, parsed: &Parsed, functions: &[TypedFunction<'_>], style: Style) {
    let tree = &parsed.tree;
    let mut written: Vec<&ParameterType> = Vec::new();
    for TypedFunction { definition, types, general } in functions {
        let parameters = &definition.parameters;
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        let before = written.len();
        for parameter in lists.iter().flat_map(|list| tree[*list].iter()) {
            let name = tree.text(parameter.name.name);
            let Some(own) = types.iter().find(|own| own.name == name) else { continue };
            if let Some(text) = annotation_text(own, *general, style) {
                write_annotation(edits, parsed, parameter, &text);
                written.push(own);
            }
        }
        let names = general.map(|general| used_names(types, general)).unwrap_or_default();
        let takes_names = style == Style::Pyrefly && written.len() > before && definition.type_params.is_empty();
        if takes_names && !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| pyrefly_name(name)).collect();
            edits.insert(definition.name.range.end, format!("[{}]", names.join(", ")));
        }
    }
    if written.is_empty() {
        return;
    }
    let import_missing = |edits: &mut Edits<'_>, module: &str, names: &[&str]| {
        let missing: Vec<&str> = names.iter().copied().filter(|name| !is_imported(parsed, name)).collect();
        if !missing.is_empty() {
            edits.add_import(&format!("from {module} import {}", missing.join(", ")));
        }
    };
    match style {
        Style::TensorType => {
            let has_dyn = written.iter().any(|own| match &own.shape {
                TensorType::Dyn => true,
                TensorType::Dims(dims) => dims.contains(&DimType::Dyn),
            });
            let has_type = written.iter().any(|own| own.shape != TensorType::Dyn);
            let names: Vec<&str> = [(has_dyn, "Dyn"), (has_type, "TensorType")]
                .iter()
                .filter(|(used, _)| *used)
                .map(|(_, name)| *name)
                .collect();
            import_missing(edits, "torch.fx.tensor_type", &names);
        }
        Style::Jaxtyping => {
            let mut classes: Vec<&str> = written.iter().map(|own| jaxtyping_class(own.dtype)).collect();
            classes.sort_unstable();
            classes.dedup();
            import_missing(edits, "jaxtyping", &classes);
            import_missing(edits, "torch", &["Tensor"]);
        }
        Style::Pyrefly => {
            // PyTorch's class cannot be subscripted while a program runs.
            edits.add_import("from __future__ import annotations");
            import_missing(edits, "torch", &["Tensor"]);
        }
        Style::Export | Style::Onnx | Style::Asserts | Style::Doc | Style::Json => {}
    }
}

/// The statement that is the function's docstring.
fn docstring(parsed: &Parsed, function: &FunctionDefinition) -> Option<StmtId> {
    let first = *parsed.tree[function.body].first()?;
    match parsed.tree[first].kind {
        StmtKind::Expr { value } if matches!(parsed.tree[value].kind, ExprKind::Str(_)) => Some(first),
        _ => None,
    }
}

/// Puts lines in front of the function's first statement; a function in one line stays as it is.
fn insert_lines(edits: &mut Edits<'_>, parsed: &Parsed, function: &FunctionDefinition, lines: &[String]) {
    let documented = usize::from(docstring(parsed, function).is_some());
    let Some(first) = parsed.tree[function.body].get(documented).copied() else { return };
    if !lines.is_empty() && begins_line(parsed, first) {
        edits.insert_before(first, &lines.join("\n"));
    }
}

/// Adds lines to the end of the docstring, or makes one.
fn insert_docstring(edits: &mut Edits<'_>, parsed: &Parsed, function: &FunctionDefinition, lines: &[String]) {
    let Some(first) = parsed.tree[function.body].first().copied() else { return };
    if !begins_line(parsed, first) {
        return;
    }
    let Some(documented) = docstring(parsed, function) else {
        edits.insert_before(first, &format!("\"\"\"{}\n\"\"\"", lines.join("\n")));
        return;
    };
    let range = parsed.tree[documented].range;
    let text = parsed.file.slice(range);
    let indent = " ".repeat(column_of(parsed, documented));
    if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| text.ends_with(quotes)) {
        let added = lines.iter().map(|line| format!("\n{indent}{line}")).collect::<Vec<_>>().concat();
        let end = range.end - quotes.len() as u32;
        let body = text[..text.len() - quotes.len()].trim_end();
        let start = range.start + body.len() as u32;
        edits.replace_range(pytrope_source::TextRange { start, end }, format!("\n{added}\n{indent}"));
    }
}

/// Whether nothing but white space is in front of a statement on its line.
fn begins_line(parsed: &Parsed, stmt: StmtId) -> bool {
    let start = parsed.tree[stmt].range.start as usize;
    let before = &parsed.file.text()[..start];
    before.rsplit('\n').next().is_none_or(|line| line.trim().is_empty())
}

fn column_of(parsed: &Parsed, stmt: StmtId) -> usize {
    let start = parsed.tree[stmt].range.start as usize;
    parsed.file.text()[..start].rsplit('\n').next().map_or(0, str::len)
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
