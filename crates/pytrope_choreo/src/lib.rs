//! Choreographies projected to one program per role.
//!
//! A choreography is a Python class over roles (`class Auth(Ch3[Client, Service, IP])`) whose methods say what all
//! of them do together. [`project`] reads it, never runs it, and returns one module per role in which messages are explicit
//! sends and receives, or findings that say why not.
//!
//! Promise: programs that are returned never wait for each other for ever, if channels are reliable and in order, local code
//! ends without raising, and nothing else connects the roles.
//!
//! The way of a file: `load` reads it and what it imports, `declare` its classes, `check` finds where every expression lives,
//! `project` writes what one role does, `merge` and `normalise` make it one program, `module` prints it.

#![forbid(unsafe_code)]

mod annotation;
mod attribute_stores;
mod check;
mod class;
mod comments;
mod compatible;
mod declaration;
mod declare;
mod diagram;
mod digest;
mod effects;
mod endpoint;
mod exhaustive;
mod facts;
mod function;
mod load;
mod located;
mod meanings;
mod merge;
mod module;
mod module_state;
mod normalise;
mod payload;
mod print;
mod project;
mod reindent;
mod report;
mod role;
mod scan;
mod site;
mod surface;
mod type_text;
mod unique_names;
mod unroll;
mod value_types;

use std::sync::Arc;

use pytrope_diagnostics::{Finding, rule_by_id, sort_findings};
use pytrope_source::{SourceFile, Span, TextRange, parse};

pub use diagram::Diagram;
pub use load::Siblings;
pub use module::RoleModule;
pub use scan::{Modules, NoImports};

use declaration::UnitId;
use report::{ChoreoRule, Extend, Report};
use unroll::Expanded;

/// How deep loops over channels may be nested.
const EXPANSIONS: usize = 8;

/// What projecting a file gives.
#[derive(Default)]
pub struct Projection {
    /// Why it was refused; empty if it was not.
    pub findings: Vec<Finding>,
    /// One module per role and source file, the file's own first; empty if there are findings.
    pub modules: Vec<RoleModule>,
    /// A diagram for each method of the file in which messages pass, if asked for.
    pub diagrams: Vec<Diagram>,
}

/// What to make of a file.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Options {
    pub diagrams: bool,
    /// Programs for asyncio: methods in which messages pass are coroutines.
    pub asynchronous: bool,
}

/// The choreographies that a file declares or imports, by the names it has for them.
pub fn choreography_names(file: &Arc<SourceFile>, modules: &dyn Modules) -> Vec<String> {
    let world = load::load_world(parse(file), &Expanded::without_expansions(modules), &mut Report::default());
    let Some(unit) = world.units.last() else { return Vec::new() };
    let mut names: Vec<String> = unit
        .meanings
        .all()
        .into_iter()
        .filter(|(_, meaning)| matches!(meaning, declaration::Meaning::Choreography(_)))
        .map(|(name, _)| name)
        .collect();
    names.sort_unstable();
    names
}

/// The Python that a file's syntax needs, if that is newer than what projected programs need.
pub fn needed_version(file: &Arc<SourceFile>) -> Option<&'static str> {
    use pytrope_source::tree::StmtKind;
    let parsed = parse(file);
    let tree = &parsed.tree;
    let modern = tree.stmt_ids().any(|stmt| match tree[stmt].kind {
        StmtKind::ClassDef(class) => !class.type_params.is_empty(),
        StmtKind::FunctionDef(function) => !function.type_params.is_empty(),
        StmtKind::TypeAlias { .. } => true,
        _ => false,
    });
    modern.then_some("3.12")
}

/// Projects a choreography and the choreographies it imports.
pub fn project_file(file: &Arc<SourceFile>, modules: &dyn Modules, options: Options) -> Projection {
    let parsed = parse(file);
    if !parsed.errors.is_empty() {
        let rule = rule_by_id("syntax-error");
        let findings = parsed
            .errors
            .iter()
            .map(|error| Finding::new(rule, Span::new(file, error.range), error.message.clone()).raises("SyntaxError"))
            .collect();
        return Projection { findings, ..Projection::default() };
    }
    let mut report = Report::default();
    let mut expanded = Expanded::without_expansions(modules);
    let mut world = load::load_world(parsed, &expanded, &mut report);
    let mut checked = None;
    for _ in 0..=EXPANSIONS {
        if !report.findings.is_empty() {
            break;
        }
        let facts = check::check_world(&world, &mut report);
        if facts.unrollings.is_empty() {
            checked = Some(facts);
            break;
        }
        if !expanded.write_out_loops(&world, &facts, &mut report) {
            break;
        }
        let longer = expanded.files.get(file.path()).map_or(file, |longer| &longer.file);
        world = load::load_world(parse(longer), &expanded, &mut report);
    }
    let target = UnitId(world.units.len() as u32 - 1);
    if !world.classes.iter().any(|class| class.unit == target) && report.findings.is_empty() {
        let unit = world.unit(target);
        let forgotten = unit.tree.expr_ids().find_map(|expr| Some((expr, surface::missing_import(unit, expr)?)));
        match forgotten {
            Some((expr, name)) => report
                .add_error(ChoreoRule::NotAChoreography, unit, unit.tree[expr].range, format!("{name} is not imported"))
                .add_help(format!("from pytrope.choreo import {name}")),
            None => report
                .add_error(ChoreoRule::NotAChoreography, unit, TextRange::at(0), "no class of this file is a choreography")
                .add_help(
                    "a choreography is a class over roles: `class Greeting(Ch2[A, B]): ...` with Ch2 from pytrope.choreo",
                ),
        };
    }
    let mut projection = Projection::default();
    if let (Some(mut facts), true) = (checked, report.findings.is_empty()) {
        facts.asynchronous = options.asynchronous;
        // Importers come first: they say what they need of the modules of the files they import.
        let mut demands = module::Demands::default();
        let mut modules = Vec::new();
        for unit in world.units.iter().rev() {
            let printed = module::project_modules(&world, &facts, unit.id, &mut demands, &mut report);
            modules.extend(printed.into_iter().map(|module| (unit.id, module)));
        }
        site::number_sites(&world, &facts, &mut modules);
        if report.findings.is_empty() {
            module_state::refuse_shared_state(&world, &modules, &expanded, &mut report);
        }
        projection.modules = modules.into_iter().map(|(_, module)| module).collect();
        if options.diagrams {
            projection.diagrams = diagram::draw_diagrams(&world, &facts, target);
        }
    }
    projection.findings = report.findings;
    sort_findings(&mut projection.findings);
    if !projection.findings.is_empty() {
        projection.modules.clear();
        projection.diagrams.clear();
    }
    projection
}
