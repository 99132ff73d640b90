//! State of modules: what one role changes in a variable of a module, no other role may use.
//!
//! Every role runs in a process of its own, with its own copy of every module that it imports. A variable, or an object that one leads
//! to, may therefore be changed as long as one role alone has to do with it. The programs of the roles say who has: each of them is
//! read as plain code. The summaries of its functions name the variables that they change, and a program has only what it uses.

use std::path::Path;
use std::sync::Arc;

use pytrope_semantic::ScopeId;
use pytrope_source::tree::StmtKind;
use pytrope_source::{SourceFile, TextRange, parse};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declaration::{UnitId, World};
use crate::effects::{Effects, ModuleVariable, PlainFunction, any_name, find_change, library_path};
use crate::load::load_world;
use crate::module::RoleModule;
use crate::report::{ChoreoRule, Extend, Report};
use crate::scan::Modules;
use crate::unroll::Expanded;

/// A variable by the path of the file that the user wrote, and its name.
type VariablePlace = (String, String);

/// What the program of one role does with variables of modules.
#[derive(Default)]
struct ModuleAccess {
    /// The variables that its functions change.
    changes: FxHashSet<VariablePlace>,
    /// The names that its functions lead to.
    reached: FxHashSet<VariablePlace>,
    /// Those of them that every process computes for itself, and why they may differ.
    varying: FxHashMap<VariablePlace, String>,
}

/// Refuses choreographies in which a role changes a variable of a module that another role uses.
pub(crate) fn refuse_shared_state(
    world: &World,
    programs: &[(UnitId, RoleModule)],
    modules: &dyn Modules,
    report: &mut Report,
) {
    let finder = ProgramModules { programs, modules };
    let accesses: Vec<(UnitId, &str, ModuleAccess)> =
        programs.iter().map(|(unit, program)| (*unit, program.role.as_str(), finder.read_program(program))).collect();
    let access_of = |unit: UnitId, role: &str| {
        accesses.iter().find(|(of, name, _)| *of == unit && *name == role).map(|(_, _, access)| access)
    };
    let mut reported = ReportedPlaces::default();
    for (_, role, access) in &accesses {
        if access.changes.contains(&(String::new(), any_name())) {
            report_lookup(world, role, &mut reported, report);
        }
    }
    for class in &world.classes {
        for (changing, using) in class.roles.iter().flat_map(|a| class.roles.iter().map(move |b| (a, b))) {
            let (Some(first), Some(second)) = (access_of(class.unit, changing), access_of(class.unit, using)) else {
                continue;
            };
            if changing == using {
                continue;
            }
            let mut shared: Vec<&VariablePlace> = first.changes.intersection(&second.reached).collect();
            shared.sort_unstable();
            for place in shared {
                report_place(world, place, changing, using, &mut reported, report);
            }
            let mut varying: Vec<&VariablePlace> =
                first.varying.keys().filter(|place| second.varying.contains_key(*place)).collect();
            varying.sort_unstable();
            for place in varying {
                report_varying(world, place, (changing, using), &first.varying[place], &mut reported, report);
            }
        }
    }
}

/// What has been reported.
#[derive(Default)]
struct ReportedPlaces {
    places: FxHashSet<VariablePlace>,
    /// Where variables are changed: one operation may change several, `add = log.append` both `add` and `log`.
    changes: FxHashSet<(UnitId, TextRange)>,
}

/// A variable that two roles read, though each process computes it for itself.
fn report_varying(
    world: &World,
    place: &VariablePlace,
    (first, second): (&str, &str),
    cause: &str,
    reported: &mut ReportedPlaces,
    report: &mut Report,
) {
    let Some(unit) = world.units.iter().find(|unit| unit.file.path() == place.0) else { return };
    if !reported.places.insert(place.clone()) {
        return;
    }
    let name = &place.1;
    let definition = unit.names.definitions_of(ScopeId::MODULE, name).first();
    let defined = definition.map_or(TextRange::at(0), |&id| unit.names.definition(id).range);
    let message = format!("{first} and {second} both use `{name}`, and each role's process computes it: it {cause}");
    report
        .add_error(ChoreoRule::UnequalCopies, unit, defined, message)
        .add_help("compute it in a function that one role calls, or give each role its own: a parameter At[T, Role]");
}

fn report_place(
    world: &World,
    place: &VariablePlace,
    changing: &str,
    using: &str,
    reported: &mut ReportedPlaces,
    report: &mut Report,
) {
    if !reported.places.insert(place.clone()) {
        return;
    }
    if let Some(path) = library_path(&place.1) {
        report_library(world, &place.1, path, (changing, using), reported, report);
        return;
    }
    let Some(unit) = world.units.iter().find(|unit| unit.file.path() == place.0) else { return };
    let variable = (unit.id, place.1.clone());
    let definition = unit.names.definitions_of(ScopeId::MODULE, &place.1).first();
    let defined = definition.map_or(TextRange::at(0), |&id| unit.names.definition(id).range);
    let (holder, range) = locate_change(world, &variable).unwrap_or((unit.id, defined));
    if !reported.changes.insert((holder, range)) {
        return;
    }
    let name = &place.1;
    report
        .add_error(
            ChoreoRule::UnequalCopies,
            world.unit(holder),
            range,
            format!("{changing} changes `{name}` and {using} uses it, but each role's process has a copy of its own"),
        )
        .annotate_span(unit.span(defined), format!("`{name}` is state of the module"))
        .add_help(format!(
            "keep it at one role, in a field (`self.{}: At[T, {changing}]`), and send what other roles need of it",
            name.to_lowercase()
        ));
}

/// Code that looks names up: a role's program has only those that its text uses.
fn report_lookup(world: &World, role: &str, reported: &mut ReportedPlaces, report: &mut Report) {
    let Some(first) = world.units.first() else { return };
    let Some((holder, range)) = locate_change(world, &(first.id, any_name())) else { return };
    if reported.changes.insert((holder, range)) {
        let message = format!(
            "{role} looks names of a module up here, and its program has only those that stand in what it uses"
        );
        report
            .add_error(ChoreoRule::UnequalCopies, world.unit(holder), range, message)
            .add_help("write the name, or look it up in a dictionary that is passed on");
    }
}

/// An attribute of a library that one role changes and another uses.
fn report_library(
    world: &World,
    name: &str,
    path: &str,
    (changing, using): (&str, &str),
    reported: &mut ReportedPlaces,
    report: &mut Report,
) {
    let Some(first) = world.units.first() else { return };
    let Some((holder, range)) = locate_change(world, &(first.id, name.to_owned())) else { return };
    if reported.changes.insert((holder, range)) {
        let message =
            format!("{changing} changes `{path}` and {using} uses it, but each role's process has a copy of its own");
        report
            .add_error(ChoreoRule::UnequalCopies, world.unit(holder), range, message)
            .add_help("pass what is changed as an argument, and send what other roles need of it");
    }
}

/// Where the source changes a variable: the operation itself, or else a call that does.
fn locate_change(world: &World, variable: &ModuleVariable) -> Option<(UnitId, TextRange)> {
    let effects = Effects::of_world(world);
    let functions: Vec<PlainFunction> = world
        .units
        .iter()
        .flat_map(|unit| {
            let stmts = unit.tree.stmt_ids();
            stmts.filter(|&stmt| matches!(unit.tree[stmt].kind, StmtKind::FunctionDef(_))).map(|stmt| (unit.id, stmt))
        })
        .collect();
    let find = |direct: bool| {
        functions.iter().find_map(|&key| Some((key.0, find_change(world, &effects, key, variable, direct)?)))
    };
    find(true).or_else(|| find(false))
}

/// The modules that programs import: other programs of the role, and plain files as they are.
struct ProgramModules<'a> {
    programs: &'a [(UnitId, RoleModule)],
    modules: &'a dyn Modules,
}

impl ProgramModules<'_> {
    fn program_file(program: &RoleModule) -> Arc<SourceFile> {
        let path = Path::new(&program.origin).with_file_name(&program.name);
        SourceFile::from_text(path.to_string_lossy().replace('\\', "/"), program.source.clone())
    }

    /// The file that the user wrote, for one that was read.
    fn source_path(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or(path);
        let program = self.programs.iter().find(|(_, program)| program.name == name);
        program.map_or_else(|| path.to_owned(), |(_, program)| program.origin.clone())
    }

    fn read_program(&self, program: &RoleModule) -> ModuleAccess {
        let parsed = parse(&Self::program_file(program));
        let world = load_world(parsed, &Expanded::without_expansions(self), &mut Report::default());
        let effects = Effects::of_world(&world);
        let Some(unit) = world.units.last() else { return ModuleAccess::default() };
        let place = |(holder, name): ModuleVariable| match library_path(&name) {
            Some(_) => (String::new(), name),
            None => (self.source_path(world.unit(holder).file.path()), name),
        };
        let mut access = ModuleAccess::default();
        let reached = effects.reached_names(&world, unit);
        let varying = effects.varying_variables(&world, &reached).into_iter();
        access.varying.extend(varying.map(|(variable, cause)| (place(variable), cause.what)));
        access.changes.extend(effects.changed_variables(&world, unit).into_iter().map(place));
        access.reached.extend(reached.into_iter().map(place));
        // What a program changes without naming it, it uses.
        access.reached.extend(access.changes.iter().cloned());
        access
    }
}

impl Modules for ProgramModules<'_> {
    fn find_module(&self, from: &SourceFile, name: &str, level: u32) -> Option<Arc<SourceFile>> {
        let file = format!("{name}.py");
        let program = self.programs.iter().find(|(_, program)| program.name == file);
        match program {
            Some((_, program)) => Some(Self::program_file(program)),
            None => self.modules.find_module(from, name, level),
        }
    }
}
