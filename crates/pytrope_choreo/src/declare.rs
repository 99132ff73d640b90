//! Declarations of choreographic classes: their roles, bases, attributes and methods' located signatures.

use std::rc::Rc;

use indexmap::IndexMap;
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, Identifier, StmtId, StmtKind, TypeParamKind};
use rustc_hash::FxHashSet;

use crate::annotation::Annotations;
use crate::declaration::{
    Attribute, Base, ChoreographicClass, ClassId, Meaning, Method, MethodKind, MethodParameter, ParameterKind, Surface,
    Unit, World,
};
use crate::function;
use crate::located::{Free, Located, Traits};
use crate::report::{ChoreoRule, Extend, Report};
use crate::role::{RoleId, RoleSet};
use crate::scan::{Candidate, docstring_range};
use crate::surface;
use crate::unique_names;
use crate::value_types::traits_of;

/// The name, roles and documentation of a class; the rest follows when all heads are known.
pub(crate) fn declare_head(
    world: &World,
    unit: &Unit,
    candidate: &Candidate,
    report: &mut Report,
) -> ChoreographicClass {
    let tree = &unit.tree;
    let class = match tree[candidate.stmt].kind {
        StmtKind::ClassDef(class) => class,
        StmtKind::FunctionDef(function) => return function::declare_function(world, unit, candidate, function, report),
        _ => unreachable!("candidates are classes and functions"),
    };
    let name = tree.text(class.name.name).to_owned();
    let bases: Vec<ExprId> = class.arguments.map_or(Vec::new(), |arguments| tree[arguments.positional].to_vec());
    let mut roles: Vec<String> = Vec::new();
    let mut role_positions = None;
    let mut families: Vec<String> = Vec::new();
    if !class.type_params.is_empty() {
        let mut positions = Vec::new();
        for (at, parameter) in tree[class.type_params].iter().enumerate() {
            let bound = parameter.bound.and_then(|bound| surface::surface_of_expr(unit, bound));
            let is_family = bound == Some(Surface::Family) || parameter.kind == TypeParamKind::TypeVarTuple;
            if is_family || bound == Some(Surface::Role) {
                roles.push(tree.text(parameter.name.name).to_owned());
                positions.push(at);
                if is_family {
                    families.push(tree.text(parameter.name.name).to_owned());
                }
            }
        }
        if !positions.is_empty() {
            role_positions = Some(positions);
        }
    }
    for &base in &bases {
        let ExprKind::Subscript { value, index, .. } = tree[base].kind else {
            continue;
        };
        let Some(Surface::Ch(arity)) = surface::surface_of_expr(unit, value) else {
            continue;
        };
        let given: Vec<String> =
            surface::subscript_elements(unit, index).iter().map(|&role| unit.role_name(role).to_owned()).collect();
        if let Some(arity) = arity
            && usize::from(arity) != given.len()
        {
            let message = format!("Ch{arity} takes {arity} role(s), found {}", given.len());
            let help = format!("write Ch{}[{}], or Ch[…] for any number of roles", given.len(), given.join(", "));
            report.add_error(ChoreoRule::BadRoles, unit, tree[base].range, message).add_help(help);
        }
        for (at, &role) in surface::subscript_elements(unit, index).iter().enumerate() {
            let text = unit.role_name(role);
            let known = roles.iter().any(|known| known == text)
                || unit.binding(role) == Some(&Meaning::Role)
                || unit.meanings.get(text) == Some(&Meaning::Role);
            if !known {
                let message = format!("{text} is not a role");
                report
                    .add_error(ChoreoRule::BadRoles, unit, tree[role].range, message)
                    .add_help(format!("declare it: class {text}(Role): ..."));
            } else if given[..at].iter().any(|before| before == text) {
                let message = format!("role {text} must be played once in {name}, found twice");
                report.add_error(ChoreoRule::BadRoles, unit, tree[role].range, message);
            }
        }
        if role_positions.is_none() {
            roles = given;
            roles.dedup();
        } else if given.iter().any(|role| !roles.contains(role)) || given.len() != roles.len() {
            let message = format!(
                "the type parameters of {name} are the roles {}, but its base has {}",
                roles.join(", "),
                given.join(", ")
            );
            report.add_error(ChoreoRule::BadRoles, unit, tree[base].range, message);
        }
    }
    if roles.is_empty() {
        // Only a choreographic base: its roles, as given there, are the roles of this class.
        for &base in &bases {
            let (value, index) = match tree[base].kind {
                ExprKind::Subscript { value, index, .. } => (value, Some(index)),
                _ => (base, None),
            };
            let Some(Meaning::Choreography(parent)) = unit.binding(value) else {
                continue;
            };
            roles = match index {
                Some(index) => surface::subscript_elements(unit, index)
                    .iter()
                    .map(|&role| unit.role_name(role).to_owned())
                    .collect(),
                None => world.classes.get(parent.0 as usize).map_or(Vec::new(), |parent| parent.roles.clone()),
            };
            break;
        }
    }
    if roles.is_empty() {
        let message = format!("the choreography {name} has no roles");
        report
            .add_error(ChoreoRule::BadRoles, unit, class.name.range, message)
            .add_help(format!("class {name}(Ch2[A, B]): ..."));
    }
    refuse_bad_roles(unit, class.name, &mut roles, report);
    let is_family = |role: &String| families.contains(role) || role_positions.is_none() && unit.families.contains(role);
    let families = (0..roles.len()).filter(|&at| is_family(&roles[at])).map(|at| RoleId(at as u8)).collect();
    let dataclass = tree[class.decorators].iter().any(|&decorator| {
        let called = match tree[decorator].kind {
            ExprKind::Call { function, .. } => function,
            _ => decorator,
        };
        tree.dotted(called).is_some_and(|parts| parts.last() == Some(&"dataclass"))
    });
    ChoreographicClass {
        id: candidate.id,
        unit: unit.id,
        stmt: candidate.stmt,
        name,
        roles,
        families,
        role_positions,
        bases: Vec::new(),
        plain_bases: Vec::new(),
        methods: IndexMap::new(),
        dataclass,
        function: false,
        protocol: bases.iter().any(|&base| crate::scan::is_protocol_base(tree, base)),
        attributes: IndexMap::new(),
        docstring: docstring_range(tree, class.body),
    }
}

/// Refuses too many roles, and roles whose programs would have one name.
pub(crate) fn refuse_bad_roles(unit: &Unit, owner: Identifier, roles: &mut Vec<String>, report: &mut Report) {
    let name = unit.tree.text(owner.name);
    if roles.len() > RoleSet::LIMIT {
        let message = format!("{name} has {} roles; the limit is {}", roles.len(), RoleSet::LIMIT);
        report.add_error(ChoreoRule::BadRoles, unit, owner.range, message);
        roles.truncate(RoleSet::LIMIT);
    }
    let lowered: FxHashSet<String> = roles.iter().map(|role| role.to_lowercase()).collect();
    if lowered.len() < roles.len() {
        let message =
            format!("roles of {name} differ in case only ({}): their modules would have one name", roles.join(", "));
        report.add_error(ChoreoRule::BadRoles, unit, owner.range, message);
    }
}

/// Reads the bases and bodies of all classes.
pub(crate) fn declare_bodies(world: &mut World, report: &mut Report) {
    for at in 0..world.classes.len() {
        let (bases, plain_bases) = read_bases(world, ClassId(at as u32), report);
        world.classes[at].bases = bases;
        world.classes[at].plain_bases = plain_bases;
    }
    for at in 0..world.classes.len() {
        let (methods, attributes) = read_body(world, ClassId(at as u32), report);
        world.classes[at].methods = methods;
        world.classes[at].attributes = attributes;
    }
    unique_names::refuse_shared_private_names(world, report);
}

fn read_bases(world: &World, id: ClassId, report: &mut Report) -> (Vec<Base>, Vec<ExprId>) {
    let class = world.class(id);
    let unit = Rc::clone(world.unit(class.unit));
    let tree = &unit.tree;
    let StmtKind::ClassDef(declared) = tree[class.stmt].kind else {
        return (Vec::new(), Vec::new());
    };
    let annotations = Annotations::new(world, &unit, class);
    let mut found = Vec::new();
    let mut plain = Vec::new();
    let Some(arguments) = declared.arguments else {
        return (found, plain);
    };
    for keyword in &tree[arguments.keywords] {
        let message = "a choreographic class takes no keyword arguments such as metaclass".to_owned();
        report.add_error(ChoreoRule::Unsupported, &unit, keyword.range, message);
    }
    for &base in &tree[arguments.positional] {
        let (value, index) = match tree[base].kind {
            ExprKind::Subscript { value, index, .. } => (value, Some(index)),
            _ => (base, None),
        };
        if surface::surface_of_expr(&unit, value).is_some() {
            continue;
        }
        let is_generic = tree.dotted(value).is_some_and(|parts| parts.last() == Some(&"Generic"));
        if is_generic {
            continue;
        }
        match annotations.named_choreography(value) {
            Some(parent) => {
                let arguments = index.map(|index| surface::subscript_elements(&unit, index));
                if let Some(roles) = annotations.instance_roles(parent, arguments.as_deref(), base, report) {
                    found.push(Base { class: parent, roles });
                }
            }
            None => plain.push(base),
        }
    }
    (found, plain)
}

type ClassBody = (IndexMap<String, Method>, IndexMap<String, Attribute>);

fn read_body(world: &World, id: ClassId, report: &mut Report) -> ClassBody {
    let class = world.class(id);
    let unit = Rc::clone(world.unit(class.unit));
    let tree = &unit.tree;
    let annotations = Annotations::new(world, &unit, class);
    let declared = match tree[class.stmt].kind {
        StmtKind::ClassDef(declared) => declared,
        StmtKind::FunctionDef(function) => {
            let method = read_method(&annotations, class.stmt, "__call__".to_owned(), function, report);
            return (IndexMap::from([(method.name.clone(), method)]), IndexMap::new());
        }
        _ => unreachable!("choreographies are classes and functions"),
    };
    let mut methods: IndexMap<String, Method> = IndexMap::new();
    let mut attributes = IndexMap::new();
    for &stmt in &tree[declared.body] {
        let range = tree[stmt].range;
        match tree[stmt].kind {
            StmtKind::FunctionDef(function) => {
                let name = tree.text(function.name.name).to_owned();
                if methods.contains_key(&name) {
                    let message = format!("{name} is defined twice in {}", class.name);
                    report.add_error(ChoreoRule::Unsupported, &unit, function.name.range, message);
                    continue;
                }
                methods.insert(name.clone(), read_method(&annotations, stmt, name, function, report));
            }
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                let Some(name) = tree.as_name(target) else { continue };
                let located = annotations.read_location(annotation, report);
                let attribute = Attribute {
                    stmt,
                    range: tree[target].range,
                    annotated: located.is_some(),
                    located: located.unwrap_or_else(|| replicated_location(&annotations, Some(annotation))),
                    annotation: Some(annotation),
                    value,
                };
                attributes.insert(tree.text(name).to_owned(), attribute);
            }
            StmtKind::Assign { targets, value } => {
                for &target in &tree[targets] {
                    let Some(name) = tree.as_name(target) else { continue };
                    let located = match tree[value].kind {
                        _ if crate::scan::is_immutable(&unit, value) => Located::CONSTANT,
                        // One container per process, which every role makes alike.
                        ExprKind::List { .. } | ExprKind::Dict { .. } => {
                            Located::Free(Free { certain: true, traits: Traits::OPAQUE })
                        }
                        _ => Located::OPEN,
                    };
                    let attribute = Attribute {
                        stmt,
                        range: tree[target].range,
                        annotated: false,
                        located,
                        annotation: None,
                        value: Some(value),
                    };
                    attributes.insert(tree.text(name).to_owned(), attribute);
                }
            }
            StmtKind::Expr { value } if matches!(tree[value].kind, ExprKind::Str(_) | ExprKind::Ellipsis) => {}
            StmtKind::Pass => {}
            _ => {
                let message = "the body of a choreographic class has methods and attributes only";
                report
                    .add_error(ChoreoRule::Unsupported, &unit, range, message)
                    .add_help("write it at the top level of the module, before the class");
            }
        }
    }
    mark_plain(&unit, &mut methods, &attributes);
    (methods, attributes)
}

fn read_method(
    annotations: &Annotations<'_>,
    stmt: StmtId,
    name: String,
    function: FunctionDefinition,
    report: &mut Report,
) -> Method {
    let unit = annotations.unit;
    let tree = &unit.tree;
    let is_function = annotations.class.function;
    let mut kind = if is_function { MethodKind::Static } else { MethodKind::Instance };
    for &decorator in &tree[function.decorators] {
        match tree.dotted(decorator).and_then(|parts| parts.last().copied()) {
            Some("staticmethod") => kind = MethodKind::Static,
            Some("classmethod") => kind = MethodKind::Class,
            Some("property" | "cached_property") => kind = MethodKind::Property,
            _ => {}
        }
    }
    if function.is_async {
        let message = format!("{name} is async: the order of its messages would depend on the event loop");
        report
            .add_error(ChoreoRule::Unsupported, unit, function.name.range, message)
            .add_help("write it as an ordinary method; every endpoint may still run in a thread or task of its own");
    }
    if !function.type_params.is_empty() && !is_function {
        let role = tree[function.type_params].iter().any(|parameter| {
            parameter.bound.is_some_and(|bound| surface::surface_of_expr(unit, bound) == Some(Surface::Role))
        });
        if role {
            let message = format!("{name} has roles of its own: roles belong to the class");
            report
                .add_error(ChoreoRule::Unsupported, unit, function.name.range, message)
                .add_help("a function of the module may have roles as type parameters");
        }
    }
    let mut parameters = Vec::new();
    let declared = function.parameters;
    let skip_first = kind != MethodKind::Static;
    let mut skipped = !skip_first;
    let mut read = |parameter: &pytrope_source::tree::Parameter, kind: ParameterKind, report: &mut Report| {
        if !skipped {
            skipped = true;
            return;
        }
        let located = parameter.annotation.and_then(|annotation| annotations.read_location(annotation, report));
        parameters.push(MethodParameter {
            name: tree.text(parameter.name.name).to_owned(),
            range: parameter.name.range,
            located: match (located, parameter.annotation) {
                (Some(located), _) if located != Located::Nothing => located,
                (_, annotation) => replicated_location(annotations, annotation),
            },
            annotation: parameter.annotation,
            default: parameter.default,
            kind,
        });
    };
    for parameter in &tree[declared.positional_only] {
        read(parameter, ParameterKind::PositionalOnly, report);
    }
    for parameter in &tree[declared.regular] {
        read(parameter, ParameterKind::Regular, report);
    }
    for parameter in &tree[declared.keyword_only] {
        read(parameter, ParameterKind::KeywordOnly, report);
    }
    for (spread, kind) in [(declared.vararg, ParameterKind::Spread), (declared.kwarg, ParameterKind::KeywordSpread)] {
        let Some(spread) = spread else { continue };
        let located = spread.annotation.and_then(|annotation| annotations.read_location(annotation, report));
        parameters.push(MethodParameter {
            name: tree.text(spread.name.name).to_owned(),
            range: spread.name.range,
            located: match located {
                Some(located) => located,
                // A spread parameter is a new container for every call.
                None => Located::Free(Free { certain: true, traits: Traits::CONTAINER }),
            },
            annotation: spread.annotation,
            default: None,
            kind,
        });
    }
    let returns = function.returns.map(|returns| {
        annotations.read_location(returns, report).unwrap_or_else(|| replicated_location(annotations, Some(returns)))
    });
    Method {
        stmt,
        name,
        function,
        kind,
        parameters,
        returns,
        plain: false,
        docstring: docstring_range(tree, function.body),
    }
}

/// A value of a plain type, of which every role has a copy.
fn replicated_location(annotations: &Annotations<'_>, annotation: Option<ExprId>) -> Located {
    let traits =
        annotation.map_or(Traits::OPAQUE, |annotation| traits_of(annotations.world, annotations.unit, annotation));
    // What is assigned to it is checked to be a function that changes no copies.
    let traits = if traits == Traits::FUNCTION { Traits::CODE } else { traits };
    Located::Free(Free { certain: true, traits })
}

/// Methods that name no role, no located field and no choreographic method are plain code, usable at any role.
fn mark_plain(unit: &Unit, methods: &mut IndexMap<String, Method>, attributes: &IndexMap<String, Attribute>) {
    let mut plain: FxHashSet<String> = methods
        .values()
        .filter(|method| {
            let unplaced = |located: &Located| matches!(located, Located::Free(_) | Located::Nothing);
            method.name != "__init__"
                && method.parameters.iter().all(|parameter| unplaced(&parameter.located))
                && method.returns.as_ref().is_none_or(unplaced)
        })
        .map(|method| method.name.clone())
        .collect();
    loop {
        let before = plain.len();
        let kept: FxHashSet<String> = plain
            .iter()
            .filter(|name| is_plain_body(unit, &methods[name.as_str()], &plain, attributes))
            .cloned()
            .collect();
        plain = kept;
        if plain.len() == before {
            break;
        }
    }
    for method in methods.values_mut() {
        method.plain = plain.contains(&method.name);
    }
}

fn is_plain_body(
    unit: &Unit,
    method: &Method,
    plain: &FxHashSet<String>,
    attributes: &IndexMap<String, Attribute>,
) -> bool {
    let tree = &unit.tree;
    let receiver = self_name(unit, method);
    for expr in unit.exprs_within(tree[method.stmt].range) {
        match tree[expr].kind {
            ExprKind::Attribute { value, attribute, context } => {
                let of_self = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == receiver);
                let name = tree.text(attribute.name);
                let constant = attributes.get(name).is_some_and(
                    |attribute| matches!(attribute.located, Located::Free(free) if free.certain && free.traits.frozen),
                );
                // A method that changes a field of the object does so at every role that has the field.
                let read = context == pytrope_source::tree::Context::Load;
                if of_self && (!read || !plain.contains(name) && !constant) {
                    return false;
                }
            }
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if name == "super" {
                    return false;
                }
                let placed = match unit.meanings.get(name) {
                    Some(
                        Meaning::Choreography(_) | Meaning::RoleFunction(_) | Meaning::Role | Meaning::Alias { .. },
                    ) => true,
                    Some(Meaning::Surface(surface)) => *surface != Surface::Other,
                    _ => false,
                };
                if placed {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

/// The name of a method's first parameter.
pub(crate) fn self_name<'a>(unit: &'a Unit, method: &Method) -> Option<&'a str> {
    if method.kind == MethodKind::Static {
        return None;
    }
    let parameters = method.function.parameters;
    let first = unit.tree[parameters.positional_only].first().or_else(|| unit.tree[parameters.regular].first())?;
    Some(unit.tree.text(first.name.name))
}
