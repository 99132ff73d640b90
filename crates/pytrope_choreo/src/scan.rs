//! Reading a file's declarations: the names of the module, its roles, labels and plain code.

use std::rc::Rc;
use std::sync::Arc;

use indexmap::IndexMap;
use pytrope_semantic::{DefinitionId, ScopeId};
use pytrope_source::tree::{Alias, Context, ExprId, ExprKind, List, StmtId, StmtKind};
use pytrope_source::{Parsed, SourceFile, TextRange, Tree, parse};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::attribute_stores::{AttributeStores, find_attribute_stores};
use crate::declaration::{ClassId, Enum, ItemKind, Meaning, PlainItem, Surface, Unit, UnitId, World, names_of};
use crate::function;
use crate::meanings::Meanings;
use crate::surface::{self, LIBRARY};
use crate::value_types;

/// The file of an imported module, if it belongs to the project.
pub trait Modules {
    /// `level` counts the leading dots; the name may be empty after dots.
    fn find_module(&self, from: &SourceFile, name: &str, level: u32) -> Option<Arc<SourceFile>>;
}

/// No other files: a choreography on its own.
pub struct NoImports;

impl Modules for NoImports {
    fn find_module(&self, _from: &SourceFile, _name: &str, _level: u32) -> Option<Arc<SourceFile>> {
        None
    }
}

/// A class or function that will become choreographic, before its roles are read.
pub(crate) struct Candidate {
    pub id: ClassId,
    pub stmt: StmtId,
}

/// Reads one parsed file. Classes are entered into the world by `enter_class`, in order.
pub(crate) fn scan_unit(
    world: &World,
    id: UnitId,
    parsed: Parsed,
    imported: &dyn Fn(&str, u32) -> Option<UnitId>,
) -> (Unit, Vec<Candidate>) {
    let Parsed { file, tree, comments, .. } = parsed;
    let mut order: Vec<ExprId> = tree.expr_ids().collect();
    order.sort_by_key(|&expr| (tree[expr].range.start, std::cmp::Reverse(tree[expr].range.end), expr));
    let (scopes, names) = names_of(&tree, &file);
    let mut unit = Unit {
        id,
        file,
        tree,
        scopes,
        meanings: Meanings::new(Rc::clone(&names)),
        names,
        roles: IndexMap::new(),
        families: FxHashSet::default(),
        enums: IndexMap::new(),
        items: Vec::new(),
        docstring: None,
        order,
        comments,
        source_map: None,
        sources: FxHashMap::default(),
        local_modules: FxHashMap::default(),
        stores: AttributeStores::default(),
    };
    let mut candidates = Vec::new();
    let mut next_class = world.classes.len() as u32;
    let body: Vec<StmtId> = unit.tree[unit.tree.body()].to_vec();
    unit.docstring = docstring_range(&unit.tree, unit.tree.body());
    note_local_imports(&mut unit, imported);
    let rebound = rebound_names(&unit);
    for (position, &stmt) in body.iter().enumerate() {
        match unit.tree[stmt].kind {
            StmtKind::Import { names } => read_import(world, &mut unit, stmt, names, imported),
            StmtKind::ImportFrom { module, names, level } => {
                let module = module.map_or(String::new(), |module| unit.tree.text(module.name).to_owned());
                import_from(world, &mut unit, stmt, &module, level, names, imported);
            }
            StmtKind::ClassDef(class) => {
                let name = unit.tree.text(class.name.name).to_owned();
                let start = class.name.range.start;
                let bases: Vec<ExprId> =
                    class.arguments.map_or(Vec::new(), |arguments| unit.tree[arguments.positional].to_vec());
                let is_family =
                    bases.iter().any(|&base| surface::surface_of_expr(&unit, base) == Some(Surface::Family));
                if is_family || bases.iter().any(|&base| surface::surface_of_expr(&unit, base) == Some(Surface::Role)) {
                    if is_family {
                        unit.families.insert(name.clone());
                    }
                    unit.roles.insert(name, class.name.range);
                    unit.meanings.classify_at(start, Meaning::Role);
                } else if bases.iter().any(|&base| is_enum_base(&unit, base)) {
                    let mut found = read_enum(&unit, class.body);
                    found.closed &= !bases.iter().any(|&base| is_flag_base(&unit, base));
                    found.place = Some((unit.id, stmt));
                    unit.enums.insert(name.clone(), found);
                    unit.meanings.classify_at(start, Meaning::Enum);
                    add_item(&mut unit, stmt, vec![name], ItemKind::Definition);
                } else if bases.iter().any(|&base| is_choreographic_base(&unit, base))
                    || is_protocol_of_roles(&unit, class)
                {
                    let id = ClassId(next_class);
                    next_class += 1;
                    unit.meanings.classify_at(start, Meaning::Choreography(id));
                    candidates.push(Candidate { id, stmt });
                } else {
                    unit.meanings.classify_at(start, Meaning::PlainClass(stmt));
                    add_item(&mut unit, stmt, vec![name], ItemKind::Definition);
                }
            }
            StmtKind::FunctionDef(function) => {
                let name = unit.tree.text(function.name.name).to_owned();
                unit.meanings.classify_at(function.name.range.start, Meaning::Function(stmt));
                add_item(&mut unit, stmt, vec![name], ItemKind::Definition);
            }
            StmtKind::Assign { targets, value } if is_role_variable(&unit, value) => {
                for &target in &unit.tree[targets].to_vec() {
                    if let Some(name) = unit.tree.as_name(target) {
                        let (name, range) = (unit.tree.text(name).to_owned(), unit.tree[target].range);
                        unit.roles.insert(name, range);
                        unit.meanings.classify_at(range.start, Meaning::Role);
                    }
                }
            }
            StmtKind::Expr { value } if position == 0 && matches!(unit.tree[value].kind, ExprKind::Str(_)) => {}
            StmtKind::If { test, .. } if is_main_guard(&unit, test) => {}
            StmtKind::TypeAlias { name, value, .. } if is_located_type(&unit, value) => {
                let start = unit.tree[name].range.start;
                unit.meanings.classify_at(start, Meaning::Alias { unit: id, stmt });
            }
            StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. }
                if is_located_type(&unit, value) =>
            {
                for (definition, _) in bound_names(&unit, unit.tree[stmt].range) {
                    unit.meanings.classify(definition, Meaning::Alias { unit: id, stmt });
                }
            }
            StmtKind::TypeAlias { name, .. } => {
                let name = unit.tree.as_name(name).map(|name| unit.tree.text(name).to_owned());
                add_item(&mut unit, stmt, name.into_iter().collect(), ItemKind::TypeAlias);
            }
            _ => {
                let binds = bound_names(&unit, unit.tree[stmt].range);
                let constant = match unit.tree[stmt].kind {
                    StmtKind::Assign { value, .. } => Some(value),
                    StmtKind::AnnAssign { value, .. } => value,
                    _ => None,
                };
                for (definition, name) in &binds {
                    let certain = constant.is_some_and(|value| is_immutable(&unit, value)) && !rebound.contains(name);
                    let meaning = if certain { Meaning::Constant } else { Meaning::Other };
                    unit.meanings.classify(*definition, meaning);
                }
                let mut binds: Vec<String> = binds.into_iter().map(|(_, name)| name).collect();
                if !binds.is_empty() {
                    binds.extend(changed_variables(&unit, unit.tree[stmt].range));
                }
                let kind = if binds.is_empty() { ItemKind::Effect } else { ItemKind::Definition };
                add_item(&mut unit, stmt, binds, kind);
            }
        }
    }
    unit.stores = find_attribute_stores(&unit);
    for (stmt, name) in function::role_functions(&unit) {
        let id = ClassId(next_class);
        next_class += 1;
        unit.meanings.classify_at(name.start, Meaning::RoleFunction(id));
        unit.items.retain(|item| item.stmt != stmt);
        candidates.push(Candidate { id, stmt });
    }
    (unit, candidates)
}

fn add_item(unit: &mut Unit, stmt: StmtId, binds: Vec<String>, kind: ItemKind) {
    let uses = used_names(unit, unit.tree[stmt].range);
    unit.items.push(PlainItem { stmt, binds, uses, kind });
}

fn read_import(
    world: &World,
    unit: &mut Unit,
    stmt: StmtId,
    names: List<Alias>,
    imported: &dyn Fn(&str, u32) -> Option<UnitId>,
) {
    let mut binds = Vec::new();
    let aliases: Vec<Alias> = unit.tree[names].to_vec();
    for alias in aliases {
        let full = unit.tree.text(alias.name.name).to_owned();
        let bound = match alias.asname {
            Some(asname) => unit.tree.text(asname.name).to_owned(),
            None => full.split('.').next().unwrap_or_default().to_owned(),
        };
        let binding = if full == LIBRARY && alias.asname.is_some() {
            Meaning::Surface(Surface::Library)
        } else {
            Meaning::Module(full.clone())
        };
        let start = alias.asname.unwrap_or(alias.name).range.start;
        unit.meanings.classify_at(start, binding);
        // `import pkg.other` binds `pkg`; the file itself has no name of one word then.
        if let (Some(source), false) = (imported(&full, 0), alias.asname.is_none() && full.contains('.')) {
            let source = Rc::clone(world.unit(source));
            qualified_enums(unit, &bound, &source);
            unit.meanings.add_module(bound.clone(), source);
        }
        if full != LIBRARY {
            binds.push(bound);
        }
    }
    if !binds.is_empty() {
        add_item(unit, stmt, binds, ItemKind::Import);
    }
}

/// Notes the files of the project that functions import.
fn note_local_imports(unit: &mut Unit, imported: &dyn Fn(&str, u32) -> Option<UnitId>) {
    let body: FxHashSet<StmtId> = unit.tree[unit.tree.body()].iter().copied().collect();
    for stmt in unit.tree.stmt_ids().filter(|stmt| !body.contains(stmt)).collect::<Vec<_>>() {
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::Import { names } => {
                for alias in &tree[names] {
                    let full = tree.text(alias.name.name);
                    let bound = tree.text(alias.asname.unwrap_or(alias.name).name).to_owned();
                    if let Some(source) = imported(full, 0) {
                        unit.local_modules.insert(bound, source);
                    }
                }
            }
            StmtKind::ImportFrom { module, level, .. } => {
                let module = module.map_or("", |module| tree.text(module.name));
                if let Some(source) = imported(module, level) {
                    unit.sources.insert(stmt, source);
                }
            }
            _ => {}
        }
    }
}

/// Enters the enums of an imported file as they are written: `other.Answer`.
fn qualified_enums(unit: &mut Unit, bound: &str, source: &Unit) {
    for (name, found) in &source.enums {
        unit.enums.insert(format!("{bound}.{name}"), found.clone());
    }
}

/// Whether a type says where its values live.
fn is_located_type(unit: &Unit, value: ExprId) -> bool {
    unit.exprs_within(unit.tree[value].range).any(|expr| {
        matches!(
            surface::surface_of_expr(unit, expr),
            Some(Surface::At | Surface::Channel | Surface::DiChannel | Surface::Star | Surface::Mesh)
        ) || matches!(unit.binding(expr), Some(Meaning::Alias { .. }))
    }) && matches!(
        unit.tree[value].kind,
        ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } | ExprKind::BinOp { .. }
    )
}

fn import_from(
    world: &World,
    unit: &mut Unit,
    stmt: StmtId,
    module: &str,
    level: u32,
    names: List<Alias>,
    imported: &dyn Fn(&str, u32) -> Option<UnitId>,
) {
    if module == "__future__" {
        return;
    }
    let source = imported(module, level).map(|id| world.unit(id));
    if let Some(source) = source {
        unit.sources.insert(stmt, source.id);
    }
    let mut binds = Vec::new();
    for alias in unit.tree[names].iter().copied() {
        let name = unit.tree.text(alias.name.name).to_owned();
        let bound = alias.asname.map_or_else(|| name.clone(), |asname| unit.tree.text(asname.name).to_owned());
        if level == 0 && module == LIBRARY && name == "*" {
            continue;
        }
        let start = alias.asname.unwrap_or(alias.name).range.start;
        if level == 0 && module == LIBRARY {
            let surface = surface::surface_of_name(&name);
            if surface == Surface::Other {
                binds.push(bound.clone());
            }
            unit.meanings.classify_at(start, Meaning::Surface(surface));
            continue;
        }
        if level == 0 && module == "pytrope" && name == "choreo" {
            unit.meanings.classify_at(start, Meaning::Surface(Surface::Library));
            continue;
        }
        let binding = source.and_then(|source| {
            let binding = source.meanings.get(&name)?;
            Some(match binding {
                Meaning::Role => {
                    if source.families.contains(&name) {
                        unit.families.insert(bound.clone());
                    }
                    unit.roles.insert(bound.clone(), alias.range);
                    Meaning::Role
                }
                Meaning::Enum => {
                    let found = source.enums.get(&name).cloned().unwrap_or_default();
                    unit.enums.insert(bound.clone(), found);
                    Meaning::Enum
                }
                Meaning::Choreography(class) => Meaning::Choreography(*class),
                Meaning::RoleFunction(class) => Meaning::RoleFunction(*class),
                Meaning::Constant => Meaning::Constant,
                Meaning::Alias { unit, stmt } => Meaning::Alias { unit: *unit, stmt: *stmt },
                Meaning::Surface(_)
                | Meaning::Function(_)
                | Meaning::PlainClass(_)
                | Meaning::Module(_)
                | Meaning::Other => Meaning::Other,
            })
        });
        let binding = binding
            .unwrap_or_else(|| if module == "math" { Meaning::Module(format!("math.{name}")) } else { Meaning::Other });
        if !matches!(
            binding,
            Meaning::Role | Meaning::Choreography(_) | Meaning::RoleFunction(_) | Meaning::Alias { .. }
        ) {
            binds.push(bound.clone());
        }
        unit.meanings.classify_at(start, binding);
    }
    if !binds.is_empty() {
        add_item(unit, stmt, binds, ItemKind::Import);
    }
}

/// The docstring of a suite.
pub(crate) fn docstring_range(tree: &Tree, body: List<StmtId>) -> Option<TextRange> {
    let &first = tree[body].first()?;
    let StmtKind::Expr { value } = tree[first].kind else {
        return None;
    };
    matches!(tree[value].kind, ExprKind::Str(_)).then(|| tree[first].range)
}

fn is_enum_base(unit: &Unit, base: ExprId) -> bool {
    let Some(parts) = unit.tree.dotted(base) else {
        return false;
    };
    matches!(parts.last(), Some(&("Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag" | "ReprEnum")))
}

/// Sets of flags have values that are no members of their class.
fn is_flag_base(unit: &Unit, base: ExprId) -> bool {
    unit.tree.dotted(base).is_some_and(|parts| matches!(parts.last(), Some(&("Flag" | "IntFlag"))))
}

fn is_choreographic_base(unit: &Unit, base: ExprId) -> bool {
    let head = match unit.tree[base].kind {
        ExprKind::Subscript { value, .. } => value,
        _ => base,
    };
    if matches!(surface::surface_of_expr(unit, head), Some(Surface::Ch(_))) {
        return true;
    }
    matches!(unit.binding(head), Some(Meaning::Choreography(_)))
}

/// `class Greeter[A: Role, B: Role](Protocol)`: a protocol can have no base that is none, so its roles are its type parameters.
fn is_protocol_of_roles(unit: &Unit, class: pytrope_source::tree::ClassDefinition) -> bool {
    let tree = &unit.tree;
    let bases = class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]);
    bases.iter().any(|&base| is_protocol_base(tree, base))
        && tree[class.type_params].iter().any(|parameter| {
            let bound = parameter.bound.and_then(|bound| surface::surface_of_expr(unit, bound));
            matches!(bound, Some(Surface::Role | Surface::Family))
        })
}

pub(crate) fn is_protocol_base(tree: &Tree, base: ExprId) -> bool {
    tree.dotted(base).is_some_and(|parts| parts.last() == Some(&"Protocol"))
}

fn read_enum(unit: &Unit, body: List<StmtId>) -> Enum {
    let tree = &unit.tree;
    let mut found = Enum::default();
    let mut values: Vec<(&str, String)> = Vec::new();
    found.closed = true;
    found.constant = true;
    for &stmt in &tree[body] {
        let StmtKind::Assign { targets, value } = tree[stmt].kind else {
            found.closed &=
                matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::Expr { .. } | StmtKind::Pass);
            continue;
        };
        found.constant &= is_immutable(unit, value) || is_numbered(unit, value);
        for &target in &tree[targets] {
            let Some(name) = tree.as_name(target) else {
                found.closed = false;
                continue;
            };
            let name = tree.text(name).to_owned();
            let text = unit.expr_text(value);
            let earlier = values.iter().find(|(before, _)| *before == text && is_immutable(unit, value));
            match earlier {
                Some((_, first)) => found.aliases.push((name.clone(), first.clone())),
                None => values.push((text, name.clone())),
            }
            found.members.push(name);
        }
    }
    found
}

/// `OK = auto()`.
fn is_numbered(unit: &Unit, value: ExprId) -> bool {
    let ExprKind::Call { function, arguments } = unit.tree[value].kind else { return false };
    let is_auto = unit.tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"auto"));
    is_auto && arguments.positional.is_empty() && arguments.keywords.is_empty()
}

/// `A = TypeVar("A", bound=Role)`.
fn is_role_variable(unit: &Unit, value: ExprId) -> bool {
    let ExprKind::Call { function, arguments } = unit.tree[value].kind else {
        return false;
    };
    let is_variable = unit.tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"TypeVar"));
    is_variable
        && unit.tree[arguments.keywords].iter().any(|keyword| {
            keyword.name.is_some_and(|name| unit.tree.text(name.name) == "bound")
                && surface::surface_of_expr(unit, keyword.value) == Some(Surface::Role)
        })
}

fn is_main_guard(unit: &Unit, test: ExprId) -> bool {
    let ExprKind::Compare { left, .. } = unit.tree[test].kind else {
        return false;
    };
    unit.tree.as_name(left).is_some_and(|name| unit.tree.text(name) == "__name__")
}

/// Names of the module, and names that nothing binds, that are read in a range.
fn used_names(unit: &Unit, range: TextRange) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let mut names = Vec::new();
    for expr in unit.exprs_within(range) {
        if let Some(name) = unit.tree.as_name(expr)
            && unit.names.owner_of_use(expr).is_none_or(|owner| owner == ScopeId::MODULE)
            && seen.insert(name)
        {
            names.push(unit.tree.text(name).to_owned());
        }
    }
    names
}

/// Names of the module that the statements of a range bind, with their last definitions there, in order.
fn bound_names(unit: &Unit, range: TextRange) -> Vec<(DefinitionId, String)> {
    let mut found: Vec<_> = unit
        .names
        .iter()
        .filter(|(_, definition)| definition.site == ScopeId::MODULE && range.contains_range(definition.range))
        .collect();
    found.sort_by_key(|(_, definition)| definition.range.start);
    let mut names: IndexMap<String, DefinitionId> = IndexMap::new();
    for (id, definition) in found {
        names.insert(definition.name.to_string(), id);
    }
    names.into_iter().map(|(name, id)| (id, name)).collect()
}

/// The variables of the module that a statement which binds other names may change: `first = queue.pop()`,
/// `for word in words: table[word] = 1`.
fn changed_variables(unit: &Unit, range: TextRange) -> Vec<String> {
    let tree = &unit.tree;
    let is_variable = |name: &str| {
        let definitions = unit.names.definitions_of(ScopeId::MODULE, name);
        !definitions.is_empty()
            && definitions.iter().all(|&id| {
                let stmt = unit.names.definition(id).stmt;
                matches!(tree[stmt].kind, StmtKind::Assign { .. } | StmtKind::AnnAssign { .. })
            })
    };
    let mut found = Vec::new();
    for expr in unit.exprs_within(range) {
        let mut root = match tree[expr].kind {
            ExprKind::Attribute { value, context: Context::Store | Context::Del, .. }
            | ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => value,
            ExprKind::Call { function, .. } => match tree[function].kind {
                ExprKind::Attribute { value, attribute, .. }
                    if !crate::effects::is_reading_method(tree.text(attribute.name)) =>
                {
                    value
                }
                _ => continue,
            },
            _ => continue,
        };
        while let ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } = tree[root].kind {
            root = value;
        }
        if let Some(name) = tree.as_name(root).map(|name| tree.text(name)).filter(|name| is_variable(name)) {
            found.push(name.to_owned());
        }
    }
    found
}

/// Names bound more than once at module level, or declared `global` somewhere: no constants.
fn rebound_names(unit: &Unit) -> FxHashSet<String> {
    let through_global = unit.scopes.rebound_globals.iter().map(|name| unit.tree.text(name).to_owned());
    let names = unit.names.names_of(ScopeId::MODULE).into_iter();
    names.filter(|(_, ids)| ids.len() > 1).map(|(name, _)| name.to_owned()).chain(through_global).collect()
}

/// Whether an expression is built from literals that cannot change: its value is the same at every role.
pub(crate) fn is_immutable(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].kind {
        kind if kind.is_literal() => true,
        ExprKind::Tuple { elements, .. } => tree[elements].iter().all(|&element| is_immutable(unit, element)),
        ExprKind::BinOp { left, right, .. } => is_immutable(unit, left) && is_immutable(unit, right),
        ExprKind::UnaryOp { operand, .. } => is_immutable(unit, operand),
        ExprKind::Name { name, .. } => {
            matches!(unit.meanings.get(tree.text(name)), Some(Meaning::Constant | Meaning::Enum))
        }
        ExprKind::Attribute { value, .. } => tree
            .as_name(value)
            .is_some_and(|name| matches!(unit.meanings.get(tree.text(name)), Some(Meaning::Enum | Meaning::Constant))),
        ExprKind::Call { function, arguments } => {
            let pure = tree
                .as_name(function)
                .is_some_and(|name| matches!(tree.text(name), "range" | "len" | "int" | "float" | "str" | "bool"));
            let plain = tree[arguments.positional].iter().all(|&argument| is_immutable(unit, argument));
            let named = tree[arguments.keywords].iter().all(|keyword| is_immutable(unit, keyword.value));
            plain && (pure && arguments.keywords.is_empty() || named && makes_frozen_instance(unit, function))
        }
        _ => false,
    }
}

/// Whether a call makes an instance of a frozen dataclass or a named tuple whose fields are of types that cannot change, and
/// which nothing but its fields makes: `CONFIG = Config(rounds=3)` is the same at every role.
fn makes_frozen_instance(unit: &Unit, function: ExprId) -> bool {
    let tree = &unit.tree;
    let Some(Meaning::PlainClass(stmt)) = unit.binding(function) else { return false };
    let StmtKind::ClassDef(class) = tree[*stmt].kind else { return false };
    !unit.stores.is_hidden()
        && value_types::frozen_lineage(unit, class).is_some_and(|lineage| {
            lineage.iter().flat_map(|class| &tree[class.body]).all(|&stmt| match tree[stmt].kind {
                StmtKind::AnnAssign { annotation, value, .. } => {
                    value_types::is_frozen_type(tree, annotation) && value.is_none_or(|value| is_immutable(unit, value))
                }
                StmtKind::FunctionDef(function) => !matches!(
                    tree.text(function.name.name),
                    "__init__" | "__new__" | "__post_init__" | "__getattribute__"
                ),
                StmtKind::Expr { .. } | StmtKind::Pass => true,
                _ => false,
            })
        })
}

/// Parses a file for scanning.
pub(crate) fn parse_unit(file: &Arc<SourceFile>) -> Parsed {
    parse(file)
}

/// Whether a statement runs only where its file is the program.
pub(crate) fn is_main_guarded(unit: &Unit, stmt: StmtId) -> bool {
    matches!(unit.tree[stmt].kind, StmtKind::If { test, .. } if is_main_guard(unit, test))
}
