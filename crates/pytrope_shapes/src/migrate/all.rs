//! Every module and function of a file: each is typed for itself, and what cannot be shown is left alone.
//!
//! A class is constructed as it can be without arguments or as the file itself constructs it. Another construction may have
//! other sizes, so that a size which is a parameter of the constructor gets the name of that parameter:
//!
//! ```python
//! class Head(nn.Module):
//!     def __init__(self, dim=64): ...
//!     def forward(self, x): ...  # x: (batch, dim)
//! ```

use std::sync::Arc;

use pytrope_dims::Dim;
use pytrope_eval::code::Code;
use pytrope_eval::{ModuleRequest, Program};
use pytrope_source::tree::{Arguments, ExprId, ExprKind, FunctionDefinition, Keyword, Parameter, StmtId, StmtKind};
use pytrope_source::{SourceFile, parse};

use super::annotate::{Style, TypedFunction, annotate_functions};
use super::general::GeneralType;
use super::report::MigrateVerdict;
use super::solve::Solving;
use super::styles::ParameterType;
use super::{MigrateRequest, migrate_entry};
use crate::entry::EntryError;

/// What was found out about one definition.
pub struct TypedDefinition {
    /// `Net.forward` or the function's name.
    pub name: String,
    pub line: usize,
    pub verdict: MigrateVerdict,
    /// The shapes of its parameters, for people.
    pub shown: Vec<(String, String)>,
    /// Why there is no type.
    pub reason: Option<String>,
    types: Vec<ParameterType>,
    general: Option<GeneralType>,
    definition: Option<FunctionDefinition>,
}

/// The definitions of a file and its text with all types.
pub struct AllAnswer {
    pub definitions: Vec<TypedDefinition>,
    pub file: Arc<SourceFile>,
    pub annotated: Option<String>,
}

/// Types every module and function of a file.
pub fn migrate_all(
    program: &Program,
    module: &str,
    style: Style,
    solving: &mut Solving<'_>,
) -> Result<AllAnswer, EntryError> {
    let ModuleRequest::EvaluatedModule(frozen) = program.load_module(module) else {
        return Err(EntryError::Module(format!("there is no module `{module}`")));
    };
    let code = Arc::clone(&frozen.code);
    let mut definitions = Vec::new();
    for &stmt in &code.tree[code.tree.body()] {
        let Some(candidate) = candidate_of(&code, stmt) else { continue };
        definitions.push(type_candidate(program, module, style, solving, &code, candidate));
    }
    let functions: Vec<TypedFunction<'_>> = definitions
        .iter()
        .filter_map(|one| {
            Some(TypedFunction { definition: one.definition?, types: &one.types, general: one.general.as_ref() })
        })
        .collect();
    let annotated = annotate_functions(&parse(&code.file), &functions, style).ok();
    Ok(AllAnswer { definitions, file: Arc::clone(&code.file), annotated })
}

/// A definition at the top of a file that may have tensor parameters.
struct TensorDefinition {
    name: String,
    function: FunctionDefinition,
    /// Expressions that make it, the first that works is taken.
    entries: Vec<String>,
    /// The constructor's parameters and what they are in each entry.
    constructor: Vec<Vec<(String, i128)>>,
}

fn candidate_of(code: &Code, stmt: StmtId) -> Option<TensorDefinition> {
    let tree = &code.tree;
    match tree[stmt].kind {
        StmtKind::FunctionDef(function) => {
            let name = tree.text(function.name.name).to_owned();
            Some(TensorDefinition { entries: vec![name.clone()], name, function, constructor: vec![Vec::new()] })
        }
        StmtKind::ClassDef(class) => {
            let methods = |name: &str| {
                tree[class.body].iter().find_map(|&stmt| match tree[stmt].kind {
                    StmtKind::FunctionDef(method) if tree.text(method.name.name) == name => Some(method),
                    _ => None,
                })
            };
            let function = methods("forward")?;
            let name = tree.text(class.name.name).to_owned();
            let parameters: Vec<Parameter> = methods("__init__").map_or_else(Vec::new, |init| {
                let lists = [init.parameters.positional_only, init.parameters.regular, init.parameters.keyword_only];
                lists.iter().flat_map(|list| tree[*list].iter().copied()).skip(1).collect()
            });
            let mut calls: Vec<Option<Arguments>> = Vec::new();
            if parameters.iter().all(|parameter| parameter.default.is_some()) {
                calls.push(None);
            }
            calls.extend(literal_calls(code, &name).into_iter().map(Some));
            let text = |arguments: &Option<Arguments>| {
                let Some(arguments) = arguments else { return format!("{name}()") };
                let positional =
                    tree[arguments.positional].iter().map(|id| code.file.slice(tree[*id].range).to_owned());
                let keywords = tree[arguments.keywords].iter().filter_map(|keyword| {
                    let value = code.file.slice(tree[keyword.value].range);
                    Some(format!("{}={value}", tree.text(keyword.name?.name)))
                });
                format!("{name}({})", positional.chain(keywords).collect::<Vec<_>>().join(", "))
            };
            Some(TensorDefinition {
                entries: calls.iter().map(text).collect(),
                constructor: calls.iter().map(|call| constructor_numbers(code, &parameters, *call)).collect(),
                name: format!("{name}.forward"),
                function,
            })
        }
        _ => None,
    }
}

/// The calls of a class in its own file that are given constants alone.
fn literal_calls(code: &Code, class: &str) -> Vec<Arguments> {
    let tree = &code.tree;
    let is_literal = |id: ExprId| {
        matches!(
            tree[id].kind,
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_) | ExprKind::Str(_) | ExprKind::None
        )
    };
    let mut found: Vec<Arguments> = Vec::new();
    for id in tree.expr_ids() {
        if let ExprKind::Call { function, arguments } = tree[id].kind
            && tree.as_name(function).is_some_and(|name| tree.text(name) == class)
            && tree[arguments.positional].iter().all(|id| is_literal(*id))
            && tree[arguments.keywords].iter().all(|keyword| keyword.name.is_some() && is_literal(keyword.value))
        {
            found.push(arguments);
        }
    }
    found.truncate(CALLS);
    found
}

/// How many constructions of a class are tried.
const CALLS: usize = 3;

/// The whole numbers that a constructor is given, by the names of its parameters.
fn constructor_numbers(code: &Code, parameters: &[Parameter], call: Option<Arguments>) -> Vec<(String, i128)> {
    let tree = &code.tree;
    let number = |id: ExprId| code.file.slice(tree[id].range).replace('_', "").parse::<i128>().ok();
    let value_of = |(place, parameter): (usize, &Parameter)| {
        let name = tree.text(parameter.name.name);
        let given = call.and_then(|call| {
            let by_place = tree[call.positional].get(place).copied();
            let is_it = |keyword: &&Keyword| keyword.name.is_some_and(|own| tree.text(own.name) == name);
            by_place.or_else(|| tree[call.keywords].iter().find(is_it).map(|keyword| keyword.value))
        });
        let value = given.or(parameter.default)?;
        Some((name.to_owned(), number(value)?))
    };
    parameters.iter().enumerate().filter_map(value_of).collect()
}

fn type_candidate(
    program: &Program,
    module: &str,
    style: Style,
    solving: &mut Solving<'_>,
    code: &Code,
    candidate: TensorDefinition,
) -> TypedDefinition {
    let mut one = TypedDefinition {
        line: code.file.line_column(candidate.function.name.range.start).line as usize,
        name: candidate.name,
        verdict: MigrateVerdict::Unknown,
        shown: Vec::new(),
        reason: Some("the file does not construct it with constants".to_owned()),
        types: Vec::new(),
        general: None,
        definition: None,
    };
    for (entry, numbers) in candidate.entries.iter().zip(&candidate.constructor) {
        let request = MigrateRequest { module, entry, assume: &[], style };
        let answer = match migrate_entry(program, &request, solving) {
            Ok(answer) => answer,
            Err(error) => {
                one.reason = Some(error.to_string());
                continue;
            }
        };
        one.verdict = answer.verdict;
        one.reason = answer.findings.first().map(|finding| finding.message.clone());
        // A parameter that is written with a type keeps it; what is inherited belongs to another definition.
        let is_own = answer.definition.is_some_and(|own| own.name.range == candidate.function.name.range);
        let has_answer = matches!(answer.verdict, MigrateVerdict::Static | MigrateVerdict::Partial);
        if !has_answer || !is_own || !Arc::ptr_eq(&answer.file, &code.file) {
            continue;
        }
        one.definition = answer.definition;
        one.types = answer.types;
        one.general = answer.general.map(|(_, general)| general);
        name_constructor_sizes(&mut one, numbers);
        one.shown = one.types.iter().map(|own| (own.name.clone(), shown_sizes(own, one.general.as_ref()))).collect();
        break;
    }
    one
}

/// Sizes that are parameters of the constructor get their names; those that may be computed from them stay open.
fn name_constructor_sizes(one: &mut TypedDefinition, numbers: &[(String, i128)]) {
    let Some(general) = &mut one.general else { return };
    for parameter in &mut one.types {
        for size in parameter.sizes.iter_mut().flatten() {
            let Some(value) = size.as_const().filter(|value| *value > 1) else { continue };
            let equal: Vec<&String> = numbers.iter().filter(|(_, own)| *own == value).map(|(name, _)| name).collect();
            let is_related = |own: i128| own > 1 && (own % value == 0 || value % own == 0);
            match equal.as_slice() {
                [name] => *size = general.add_name(name),
                [] if !numbers.iter().any(|(_, own)| is_related(*own)) => {}
                _ => *size = general.add_name(&format!("size_{value}")),
            }
        }
    }
}

fn shown_sizes(parameter: &ParameterType, general: Option<&GeneralType>) -> String {
    match (&parameter.sizes, general) {
        (Some(sizes), Some(general)) => {
            let shown = sizes.iter().map(|size: &Dim| general.show_size(size));
            format!("({})", super::report::tuple_text(shown))
        }
        _ => super::report::show_type(&parameter.shape),
    }
}
