//! Functions of the module over roles: `def hop(ch: Channel[int, A, B], x: At[int, A]) -> At[int, B]`.
//!
//! Such a function is read as a class over the roles of its signature whose only method it is. Its roles are its type parameters
//! (`def hop[X: Role, Y: Role](…)`), which each call gives anew, or else the roles that its signature names, which the caller must
//! have too.

use indexmap::IndexMap;
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, StmtId, StmtKind, TypeParamKind};

use crate::declaration::{ChoreographicClass, Meaning, Surface, Unit, World};
use crate::declare::refuse_bad_roles;
use crate::report::Report;
use crate::role::RoleId;
use crate::scan::Candidate;
use crate::surface;

/// The functions of a module that take channels, located values or choreographic objects, with their names.
pub(crate) fn role_functions(unit: &Unit) -> Vec<(StmtId, TextRange)> {
    let tree = &unit.tree;
    let functions = tree[tree.body()].iter().filter_map(|&stmt| match tree[stmt].kind {
        StmtKind::FunctionDef(function) => Some((stmt, function)),
        _ => None,
    });
    functions
        .filter(|(_, function)| parameter_annotations(unit, *function).iter().any(|&at| is_placed(unit, at)))
        .map(|(stmt, function)| (stmt, function.name.range))
        .collect()
}

fn parameter_annotations(unit: &Unit, function: FunctionDefinition) -> Vec<ExprId> {
    let tree = &unit.tree;
    let parameters = function.parameters;
    let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
    let spreads = [parameters.vararg, parameters.kwarg].into_iter().flatten().filter_map(|spread| spread.annotation);
    lists.iter().flat_map(|&list| &tree[list]).filter_map(|parameter| parameter.annotation).chain(spreads).collect()
}

fn is_placed(unit: &Unit, annotation: ExprId) -> bool {
    unit.exprs_within(unit.tree[annotation].range).any(|expr| {
        matches!(
            surface::surface_of_expr(unit, expr),
            Some(Surface::At | Surface::Channel | Surface::DiChannel | Surface::Star | Surface::Mesh)
        ) || matches!(unit.binding(expr), Some(Meaning::Alias { .. } | Meaning::Choreography(_)))
    })
}

/// The class that stands for a function.
pub(crate) fn declare_function(
    world: &World,
    unit: &Unit,
    candidate: &Candidate,
    function: FunctionDefinition,
    report: &mut Report,
) -> ChoreographicClass {
    let tree = &unit.tree;
    let mut roles: Vec<String> = Vec::new();
    let mut families: Vec<String> = Vec::new();
    let mut positions = Vec::new();
    for (at, parameter) in tree[function.type_params].iter().enumerate() {
        let bound = parameter.bound.and_then(|bound| surface::surface_of_expr(unit, bound));
        let is_family = bound == Some(Surface::Family) || parameter.kind == TypeParamKind::TypeVarTuple;
        if !is_family && bound != Some(Surface::Role) {
            continue;
        }
        let name = tree.text(parameter.name.name).to_owned();
        positions.push(at);
        if is_family {
            families.push(name.clone());
        }
        roles.push(name);
    }
    let generic = !positions.is_empty();
    if !generic {
        for annotation in parameter_annotations(unit, function).into_iter().chain(function.returns) {
            collect_roles(world, unit, tree[annotation].range, &mut roles);
        }
        families.extend(roles.iter().filter(|role| unit.families.contains(*role)).cloned());
    }
    refuse_bad_roles(unit, function.name, &mut roles, report);
    ChoreographicClass {
        id: candidate.id,
        unit: unit.id,
        stmt: candidate.stmt,
        name: tree.text(function.name.name).to_owned(),
        families: (0..roles.len()).filter(|&at| families.contains(&roles[at])).map(|at| RoleId(at as u8)).collect(),
        roles,
        role_positions: generic.then_some(positions),
        bases: Vec::new(),
        plain_bases: Vec::new(),
        methods: IndexMap::new(),
        dataclass: false,
        function: true,
        protocol: false,
        attributes: IndexMap::new(),
        // It is the docstring of the method.
        docstring: None,
    }
}

/// The roles that a type names, in order; those of a class or an alias where it names them for all its users.
fn collect_roles(world: &World, unit: &Unit, range: TextRange, roles: &mut Vec<String>) {
    let mut add = |role: &str| {
        if !roles.iter().any(|known| known == role) {
            roles.push(role.to_owned());
        }
    };
    let mut aliases = Vec::new();
    for expr in unit.exprs_within(range) {
        match unit.binding(expr) {
            Some(Meaning::Role) => add(unit.role_name(expr)),
            Some(Meaning::Choreography(class)) if !is_subscripted(unit, expr) => {
                if let Some(class) = world.classes.get(class.0 as usize) {
                    class.roles.iter().for_each(|role| add(role));
                }
            }
            Some(Meaning::Alias { unit: declared, stmt }) => aliases.push((*declared, *stmt)),
            _ => {}
        }
    }
    for (declared, stmt) in aliases {
        // The file itself is not in the world yet.
        let declared = world.units.get(declared.0 as usize).map_or(unit, |known| &**known);
        let (StmtKind::TypeAlias { value, .. }
        | StmtKind::Assign { value, .. }
        | StmtKind::AnnAssign { value: Some(value), .. }) = declared.tree[stmt].kind
        else {
            continue;
        };
        collect_roles(world, declared, declared.tree[value].range, roles);
    }
}

fn is_subscripted(unit: &Unit, expr: ExprId) -> bool {
    let range = unit.tree[expr].range;
    unit.exprs_within(TextRange::new(range.start, unit.file.text().len() as u32))
        .take_while(|&other| unit.tree[other].range.start == range.start)
        .any(|other| matches!(unit.tree[other].kind, ExprKind::Subscript { value, .. } if value == expr))
}
