//! The module of one role: its classes, and of the plain code what they use.

use std::rc::Rc;

use pytrope_source::tree::{Alias, ExprKind, List, StmtKind};
use pytrope_source::{SourceFile, parse};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::class::{PrintedClass, print_class};
use crate::compatible;
use crate::declaration::{ClassId, ItemKind, Meaning, PlainItem, Surface, Unit, UnitId, World};
use crate::digest::sha256;
use crate::facts::LocationFacts;
use crate::report::{ChoreoRule, Report};
use crate::role::RoleId;
use crate::site;
use crate::surface;

/// A role's program for one source file.
#[derive(Clone, Debug)]
pub struct RoleModule {
    /// The role's name as written.
    pub role: String,
    /// `auth_client.py`.
    pub name: String,
    /// The file it was projected from.
    pub origin: String,
    pub source: String,
}

/// Names of plain code that the modules of a file must have because other modules import them, by file and role.
pub(crate) type Demands = FxHashMap<(UnitId, String), Vec<String>>;

/// The modules of a file, one per role, in order of first appearance.
pub(crate) fn project_modules(
    world: &World,
    facts: &LocationFacts,
    unit: UnitId,
    demands: &mut Demands,
    report: &mut Report,
) -> Vec<RoleModule> {
    let mut roles: Vec<&str> = Vec::new();
    for class in world.classes.iter().filter(|class| class.unit == unit) {
        for role in &class.roles {
            if !roles.contains(&role.as_str()) {
                roles.push(role);
            }
        }
    }
    let roles: Vec<String> = roles.into_iter().map(str::to_owned).collect();
    let file = world.unit(unit).original_file();
    let bytes = file.encode(file.text()).unwrap_or_else(|_| file.text().as_bytes().to_vec());
    let digest = sha256(&bytes);
    roles.iter().map(|role| project_module(world, facts, unit, role, &digest, demands, report)).collect()
}

/// `auth.py` and `Client` give `auth_client`.
pub(crate) fn module_name(path: &str, role: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    format!("{stem}_{}", role.to_lowercase())
}

fn project_module(
    world: &World,
    facts: &LocationFacts,
    id: UnitId,
    role: &str,
    digest: &str,
    demands: &mut Demands,
    report: &mut Report,
) -> RoleModule {
    let unit = Rc::clone(world.unit(id));
    let mut wanted: Vec<(ClassId, RoleId)> = world
        .classes
        .iter()
        .filter(|class| class.unit == id)
        .filter_map(|class| Some((class.id, class.role_by_name(role)?)))
        .collect();
    let mut printed: Vec<((ClassId, RoleId), PrintedClass)> = Vec::new();
    let mut foreign: Vec<(ClassId, RoleId)> = Vec::new();
    while let Some(next) = wanted.pop() {
        if printed.iter().any(|(done, _)| *done == next) || foreign.contains(&next) {
            continue;
        }
        let class = world.class(next.0);
        if class.unit != id {
            foreign.push(next);
            continue;
        }
        let done = print_class(world, facts, class, next.1, report);
        wanted.extend(done.classes.iter().copied());
        printed.push((next, done));
    }
    printed.sort_by_key(|(key, _)| *key);
    foreign.sort_unstable();
    let texts: Vec<String> = printed.iter().map(|(_, class)| format!("\n\n{}", class.text)).collect();
    let classes = texts.concat();
    let mut names = names_in(&classes);
    for (_, class) in &printed {
        names.extend(class.payloads.iter().cloned());
    }
    names.extend(demands.get(&(id, role.to_owned())).into_iter().flatten().cloned());
    let items = needed_items(&unit, &mut names);
    let source =
        assemble_module(world, &unit, role, digest, &items, &names, &printed, &foreign, &classes, demands, report);
    RoleModule {
        role: role.to_owned(),
        name: format!("{}.py", module_name(unit.file.path(), role)),
        origin: unit.file.path().to_owned(),
        source,
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of a module, put in order once")]
fn assemble_module(
    world: &World,
    unit: &Unit,
    role: &str,
    digest: &str,
    items: &[&PlainItem],
    names: &FxHashSet<String>,
    printed: &[((ClassId, RoleId), PrintedClass)],
    foreign: &[(ClassId, RoleId)],
    classes: &str,
    demands: &mut Demands,
    report: &mut Report,
) -> String {
    let file = unit.file.path().rsplit('/').next().unwrap_or_default();
    let mut out =
        format!("# The program of role {role}, projected by pytrope from {file}: edit that file, not this one.\n");
    if let Some(docstring) = unit.docstring {
        out.push_str(unit.source_text(docstring));
        out.push('\n');
    }
    out.push_str("\nfrom __future__ import annotations\n");
    let mut imports = String::new();
    let mut library: Vec<String> = Vec::new();
    for item in items.iter().filter(|item| item.kind == ItemKind::Import) {
        if let StmtKind::Import { names: aliases } = unit.tree[item.stmt].kind {
            imports.push_str(&module_imports(world, unit, role, aliases, names, foreign, classes, demands));
            continue;
        }
        if let StmtKind::ImportFrom { module: Some(module), level: 0, names: aliases } = unit.tree[item.stmt].kind
            && unit.tree.text(module.name) == surface::LIBRARY
        {
            library.extend(kept_names(unit, aliases, names));
            continue;
        }
        let module = unit.sources.get(&item.stmt).and_then(|&source| counterpart_module(world, source, role, foreign));
        imports.push_str(&import_text(unit, item, names, module, demands));
    }
    let variables: Vec<String> =
        items.iter().flat_map(|item| compatible::type_variables(unit, unit.tree[item.stmt].range)).collect();
    let mut typing: Vec<&str> = variables.iter().filter_map(|line| line.split([' ', '(']).nth(2)).collect();
    typing.sort_unstable();
    typing.dedup();
    if !typing.is_empty() {
        imports.push_str(&format!("from typing import Generic, {}\n", typing.join(", ")));
    }
    library.extend(library_names(classes, printed).into_iter().map(str::to_owned));
    library.sort_unstable();
    library.dedup();
    if !library.is_empty() {
        imports.push_str(&format!("from {} import {}\n", surface::LIBRARY, library.join(", ")));
    }
    for &(class, formal) in foreign {
        let declared = world.class(class);
        let origin = world.unit(declared.unit);
        let module = module_name(origin.file.path(), &declared.roles[formal.index()]);
        imports.push_str(&format!("from {module} import {}\n", declared.projected_name(formal)));
    }
    if !imports.is_empty() {
        out.push('\n');
        out.push_str(&imports);
    }
    out.push_str(&format!("\nCHOREOGRAPHY = \"{digest}\"\n"));
    out.push_str(site::TABLE);
    let mut declared: Vec<&str> = Vec::new();
    for line in &variables {
        if !declared.contains(&line.as_str()) {
            out.push_str(line);
            out.push('\n');
            declared.push(line);
        }
    }
    // Definitions stand apart by two lines, constants together.
    let mut was_definition = None;
    for item in items.iter().filter(|item| item.kind != ItemKind::Import) {
        let choreographic = item
            .uses
            .iter()
            .find(|name| matches!(unit.meanings.get(name), Some(Meaning::Choreography(_) | Meaning::RoleFunction(_))));
        if let Some(name) = choreographic {
            let message =
                format!("plain code that a role uses mentions the choreography {name}, which exists at no single role");
            report.add_error(ChoreoRule::Unsupported, unit, unit.tree[item.stmt].range, message);
        }
        let definition = matches!(unit.tree[item.stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_));
        out.push_str(match (was_definition, definition) {
            (Some(false), false) => "",
            (None, false) => "\n",
            _ => "\n\n",
        });
        was_definition = Some(definition);
        out.push_str(&item_text(unit, item));
        out.push('\n');
    }
    out.push_str(classes);
    let check = SourceFile::from_text("projected.py", out.clone());
    if let Some(error) = parse(&check).errors.first() {
        // A program that does not parse is a bug of ours; the user should not find it out by running it.
        let line = check.line_column(error.range.start).line;
        let shown = out.lines().nth(line as usize - 1).unwrap_or_default().trim().to_owned();
        let message = format!("the program of {role} would not be valid Python near `{shown}` ({})", error.message);
        let whole = pytrope_source::TextRange::at(0);
        report.add_error(ChoreoRule::Unsupported, unit, whole, message);
    }
    out
}

/// Which names of the runtime a program uses.
fn library_names(classes: &str, printed: &[((ClassId, RoleId), PrintedClass)]) -> Vec<&'static str> {
    let mut names = Vec::new();
    if classes.contains("ELSEWHERE") {
        names.push("ELSEWHERE");
    }
    for attempt in ["Attempt", "AsyncAttempt"] {
        if classes.contains(&format!("_attempt = {attempt}(")) {
            names.push(attempt);
        }
    }
    if printed.iter().any(|(_, class)| class.offers) || classes.contains("raise UnexpectedLabel(") {
        names.push("UnexpectedLabel");
    }
    names
}

/// The names that code reads.
fn names_in(code: &str) -> FxHashSet<String> {
    let parsed = parse(&SourceFile::from_text("projected.py", code));
    let tree = &parsed.tree;
    tree.expr_ids()
        .filter_map(|expr| match tree[expr].kind {
            ExprKind::Name { name, .. } => Some(tree.text(name).to_owned()),
            _ => None,
        })
        .collect()
}

/// The statements of the module that bind a needed name, and those they need in turn, in source order.
fn needed_items<'a>(unit: &'a Unit, names: &mut FxHashSet<String>) -> Vec<&'a PlainItem> {
    let mut kept = vec![false; unit.items.len()];
    loop {
        let mut changed = false;
        for (item, kept) in unit.items.iter().zip(&mut kept) {
            if *kept {
                continue;
            }
            let star = item.binds.iter().any(|name| name == "*");
            let needed = item.kind == ItemKind::Effect || star || item.binds.iter().any(|name| names.contains(name));
            if needed {
                *kept = true;
                changed = true;
                if item.kind != ItemKind::Import {
                    names.extend(item.uses.iter().cloned());
                }
            }
        }
        if !changed {
            break;
        }
    }
    unit.items.iter().zip(kept).filter(|(_, kept)| *kept).map(|(item, _)| item).collect()
}

/// The module of another choreography's file that serves a role: the one whose classes it uses, or the one of its name.
fn counterpart_module(world: &World, source: UnitId, role: &str, foreign: &[(ClassId, RoleId)]) -> Option<Counterpart> {
    let used = foreign.iter().find(|(class, _)| world.class(*class).unit == source);
    let of_name = || {
        world
            .classes
            .iter()
            .filter(|class| class.unit == source)
            .find_map(|class| Some((class.id, class.role_by_name(role)?)))
    };
    let (class, formal) = used.copied().or_else(of_name)?;
    let role = world.class(class).roles[formal.index()].clone();
    let module = module_name(world.unit(source).file.path(), &role);
    Some(Counterpart { unit: source, role, module })
}

struct Counterpart {
    unit: UnitId,
    role: String,
    module: String,
}

/// An import with only the names that are used; plain code of another choreography comes from that one's module of the role,
/// so that one role has one copy of an enum.
fn import_text(
    unit: &Unit,
    item: &PlainItem,
    names: &FxHashSet<String>,
    module: Option<Counterpart>,
    demands: &mut Demands,
) -> String {
    let tree = &unit.tree;
    let (prefix, aliases) = match tree[item.stmt].kind {
        StmtKind::ImportFrom { module, names, level } => {
            let dots = ".".repeat(level as usize);
            let module = module.map_or("", |module| tree.text(module.name));
            (format!("from {dots}{module} import "), names)
        }
        _ => return String::new(),
    };
    let kept: Vec<&Alias> = tree[aliases].iter().filter(|alias| is_kept(unit, alias, names)).collect();
    let texts: Vec<&str> = kept.iter().map(|alias| unit.source_text(alias.range)).collect();
    if let (Some(Counterpart { unit: source, role, module }), false) = (module, kept.is_empty()) {
        let wanted = kept.iter().map(|alias| tree.text(alias.name.name).to_owned());
        demands.entry((source, role)).or_default().extend(wanted);
        return format!("from {module} import {}\n", texts.join(", "));
    }
    if kept.is_empty() {
        return String::new();
    }
    format!("{prefix}{}\n", texts.join(", "))
}

/// Whether a role's program needs an imported name: what is about roles has gone into its text.
fn is_kept(unit: &Unit, alias: &Alias, names: &FxHashSet<String>) -> bool {
    let bound = alias.asname.unwrap_or(alias.name);
    let bound = unit.tree.text(bound.name).split('.').next().unwrap_or_default();
    let choreographic = match unit.meanings.get(bound) {
        Some(Meaning::Role | Meaning::Choreography(_) | Meaning::RoleFunction(_) | Meaning::Alias { .. }) => true,
        Some(Meaning::Surface(found)) => *found != Surface::Other,
        _ => false,
    };
    !choreographic && (bound == "*" || names.contains(bound))
}

fn kept_names(unit: &Unit, aliases: List<Alias>, names: &FxHashSet<String>) -> Vec<String> {
    let kept = unit.tree[aliases].iter().filter(|alias| is_kept(unit, alias, names));
    kept.map(|alias| unit.source_text(alias.range).to_owned()).collect()
}

/// `import other`: where `other` is a choreography's file, this role's module of it under the same name.
#[expect(clippy::too_many_arguments, reason = "an import, and all that says what it is for")]
fn module_imports(
    world: &World,
    unit: &Unit,
    role: &str,
    aliases: List<Alias>,
    names: &FxHashSet<String>,
    foreign: &[(ClassId, RoleId)],
    classes: &str,
    demands: &mut Demands,
) -> String {
    let tree = &unit.tree;
    let mut out = String::new();
    for alias in &tree[aliases] {
        let bound = tree.text(alias.asname.unwrap_or(alias.name).name).split('.').next().unwrap_or_default();
        let is_surface = matches!(unit.meanings.get(bound), Some(Meaning::Surface(_)));
        if is_surface || !names.contains(bound) {
            continue;
        }
        let source = unit.meanings.module(bound);
        match source.and_then(|source| counterpart_module(world, source.id, role, foreign)) {
            Some(Counterpart { unit: source, role, module }) => {
                let received = names.iter().filter_map(|name| name.strip_prefix(bound)?.strip_prefix('.'));
                let demanded = demands.entry((source, role)).or_default();
                demanded.extend(received.map(str::to_owned));
                demanded.extend(attributes_of(classes, bound));
                demanded.sort_unstable();
                demanded.dedup();
                out.push_str(&format!("import {module} as {bound}\n"));
            }
            None => out.push_str(&format!("import {}\n", unit.source_text(alias.range))),
        }
    }
    out
}

/// The names that code reads from a module.
fn attributes_of(code: &str, module: &str) -> Vec<String> {
    let parsed = parse(&SourceFile::from_text("projected.py", code));
    let tree = &parsed.tree;
    tree.expr_ids()
        .filter_map(|expr| match tree.dotted(expr)?.as_slice() {
            [first, name, ..] if *first == module => Some((*name).to_owned()),
            _ => None,
        })
        .collect()
}

/// A definition as it stands, in the syntax of Python 3.11.
fn item_text(unit: &Unit, item: &PlainItem) -> String {
    let tree = &unit.tree;
    let range = tree[item.stmt].range;
    let mut out = String::new();
    for comment in crate::comments::comments_around(unit, range).leading {
        out.push_str(&comment);
        out.push('\n');
    }
    out.push_str(&compatible::compatible_text(unit, range));
    let trailing = crate::comments::comments_around(unit, range).trailing;
    if let (Some(comment), false) =
        (trailing, matches!(tree[item.stmt].kind, StmtKind::ClassDef(_) | StmtKind::FunctionDef(_)))
    {
        out.push_str("  ");
        out.push_str(&comment);
    }
    out
}
