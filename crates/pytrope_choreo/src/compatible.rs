//! Plain code in the syntax of Python 3.11: type parameters become type variables or go.

use pytrope_source::TextRange;
use pytrope_source::tree::{ClassDefinition, ExprKind, StmtKind, TypeParam, TypeParamKind};

use crate::declaration::Unit;
use crate::surface;

/// The source at a range, in older syntax, and without bases that are roles' business.
pub(crate) fn compatible_text(unit: &Unit, range: TextRange) -> String {
    let tree = &unit.tree;
    let mut cuts: Vec<(TextRange, String)> = Vec::new();
    for stmt in tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)) {
        match tree[stmt].kind {
            StmtKind::FunctionDef(function) if !function.type_params.is_empty() => {
                cuts.push((TextRange::new(function.name.range.end, function.parameters.range.start), String::new()));
            }
            StmtKind::TypeAlias { name, value, .. } => {
                let assignment = format!("{} = {}", unit.expr_text(name), unit.expr_text(value));
                cuts.push((tree[stmt].range, assignment));
            }
            StmtKind::ClassDef(class) => cuts.extend(compatible_class_head(unit, class)),
            _ => {}
        }
    }
    cuts.sort_by_key(|(range, _)| range.start);
    let source = unit.file.text();
    let mut out = String::new();
    let mut at = range.start;
    for (cut, replacement) in cuts {
        if cut.start < at {
            continue;
        }
        out.push_str(TextRange::new(at, cut.start).of(source));
        out.push_str(&replacement);
        at = cut.end;
    }
    out.push_str(TextRange::new(at, range.end).of(source));
    out
}

/// What stands between a class's name and its colon, if it has to change.
fn compatible_class_head(unit: &Unit, class: ClassDefinition) -> Option<(TextRange, String)> {
    let tree = &unit.tree;
    let parameters = &tree[class.type_params];
    let mut bases: Vec<&str> = Vec::new();
    let mut dropped = false;
    if let Some(arguments) = class.arguments {
        for &base in &tree[arguments.positional] {
            let name = match tree[base].kind {
                ExprKind::Subscript { value, .. } => value,
                _ => base,
            };
            if surface::surface_of_expr(unit, name).is_some() {
                dropped = true;
            } else {
                bases.push(unit.expr_text(base));
            }
        }
        bases.extend(tree[arguments.keywords].iter().map(|keyword| unit.source_text(keyword.range)));
    }
    if parameters.is_empty() && !dropped {
        return None;
    }
    let names: Vec<&str> = parameters.iter().map(|parameter| tree.text(parameter.name.name)).collect();
    let generic = format!("Generic[{}]", names.join(", "));
    if !parameters.is_empty() {
        // Keywords such as `metaclass=` come last.
        let at = bases.iter().position(|base| base.contains('=')).unwrap_or(bases.len());
        bases.insert(at, &generic);
    }
    let start = class.name.range.end;
    let end = match (class.arguments, parameters.last()) {
        (Some(arguments), _) => arguments.range.end,
        (None, Some(last)) => closing_bracket(unit, last),
        (None, None) => start,
    };
    Some((TextRange::new(start, end), format!("({})", bases.join(", "))))
}

/// The end of `[T]`, just behind its bracket.
fn closing_bracket(unit: &Unit, last: &TypeParam) -> u32 {
    let rest = &unit.file.text()[last.range.end as usize..];
    last.range.end + rest.find(']').map_or(0, |at| at as u32 + 1)
}

/// The type variables that classes of a range need, as assignments.
pub(crate) fn type_variables(unit: &Unit, range: TextRange) -> Vec<String> {
    let tree = &unit.tree;
    let mut found = Vec::new();
    for stmt in tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)) {
        if let StmtKind::ClassDef(class) = tree[stmt].kind {
            for parameter in &tree[class.type_params] {
                let name = tree.text(parameter.name.name);
                let kind = match parameter.kind {
                    TypeParamKind::TypeVar => "TypeVar",
                    TypeParamKind::TypeVarTuple => "TypeVarTuple",
                    TypeParamKind::ParamSpec => "ParamSpec",
                };
                found.push(format!("{name} = {kind}(\"{name}\")"));
            }
        }
    }
    found
}
