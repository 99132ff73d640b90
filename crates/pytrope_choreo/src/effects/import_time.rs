//! Variables of modules whose value each process computes for itself when the module is imported: `START = time.time()`.
//!
//! Every role's process runs the statements of a module for itself. What they compute from literals, from functions without effects and
//! from other such variables is the same everywhere; of anything else a program may not hand two roles a copy each.

use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, Parent, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use super::body::EffectCollector;
use super::{Callee, Cause, Effects, ModuleVariable, is_reading_use, tables};
use crate::declaration::{Meaning, Unit, World};

impl Effects {
    /// Why processes may have different values of a variable, of all those that a program leads to.
    pub fn varying_variables(
        &self,
        world: &World,
        variables: &FxHashSet<ModuleVariable>,
    ) -> Vec<(ModuleVariable, Cause)> {
        let found = variables.iter().filter_map(|variable| {
            let cause = self.varying_cause(world, variable, &mut FxHashSet::default())?;
            Some((variable.clone(), cause))
        });
        found.collect()
    }

    fn varying_cause(
        &self,
        world: &World,
        variable: &ModuleVariable,
        seen: &mut FxHashSet<ModuleVariable>,
    ) -> Option<Cause> {
        if !seen.insert(variable.clone()) || super::library_path(&variable.1).is_some() {
            return None;
        }
        let unit = world.unit(variable.0);
        let tree = &unit.tree;
        let ranges: Vec<TextRange> = match unit.meanings.get(&variable.1)? {
            Meaning::Other => {
                let making = tree[tree.body()].iter().filter(|&&stmt| makes_variable(unit, stmt, &variable.1));
                making.flat_map(|&stmt| computed_ranges(unit, stmt)).collect()
            }
            Meaning::Function(stmt) | Meaning::PlainClass(stmt) => computed_ranges(unit, *stmt),
            Meaning::Enum => {
                let definitions = unit.names.definitions_of(pytrope_semantic::ScopeId::MODULE, &variable.1);
                definitions.iter().flat_map(|&id| computed_ranges(unit, unit.names.definition(id).stmt)).collect()
            }
            _ => return None,
        };
        let mut skipped: Vec<TextRange> = Vec::new();
        for range in ranges {
            for expr in unit.exprs_within(range) {
                if skipped.iter().any(|skipped| skipped.contains_range(tree[expr].range)) {
                    continue;
                }
                match self.import_time_use(world, unit, expr) {
                    ImportTime::Same => {}
                    ImportTime::Whole => skipped.push(tree[expr].range),
                    ImportTime::Later(part) => skipped.push(part),
                    ImportTime::Varies(what) => {
                        return Some(Cause { unit: unit.id, range: tree[expr].range, what });
                    }
                    ImportTime::Variable(other) => {
                        if let Some(cause) = self.varying_cause(world, &other, seen) {
                            return Some(cause);
                        }
                    }
                }
            }
        }
        None
    }

    fn import_time_use(&self, world: &World, unit: &Unit, expr: ExprId) -> ImportTime {
        let tree = &unit.tree;
        let is_called = matches!(tree[expr].parent, Parent::Expr(parent)
            if matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr));
        if gone_through(unit, expr) && EffectCollector::new(world, self, unit).is_unordered(expr) {
            return ImportTime::Varies(super::TAKES_ORDER.into());
        }
        match tree[expr].kind {
            // The body runs later; the defaults of its parameters do not.
            ExprKind::Lambda { body, .. } => ImportTime::Later(tree[body].range),
            ExprKind::Call { function, arguments } => match self.resolve_callee(world, unit, function) {
                Callee::Builtin(name) if tables::is_pure_builtin(&name) => {
                    let collector = EffectCollector::new(world, self, unit);
                    let mut given = tree[arguments.positional].iter();
                    if !tables::ignores_order(&name) && given.any(|&given| collector.is_unordered(given)) {
                        ImportTime::Varies(super::TAKES_ORDER.into())
                    } else {
                        ImportTime::Same
                    }
                }
                Callee::Builtin(name) if tables::is_exception_name(&name) || name == "object" => ImportTime::Same,
                Callee::Builtin(name) => ImportTime::Varies(format!("calls {name}")),
                Callee::Library(path)
                    if tables::makes_frozen(&path)
                        || tables::tool_methods(&path).is_some()
                        || path == "dataclasses.field" =>
                {
                    ImportTime::Whole
                }
                Callee::Library(path) if tables::gives_same(&path) => ImportTime::Same,
                Callee::Library(path) => ImportTime::Varies(format!("calls {path}")),
                Callee::Function(key) => match self.of_function(key).and_then(|summary| summary.varies.clone()) {
                    Some(cause) => ImportTime::Varies(cause.what),
                    None => ImportTime::Same,
                },
                Callee::Class(key) => {
                    let init = super::find_constructor(world, self, key).and_then(|init| self.of_function(init));
                    let own = init.and_then(|init| init.varies.clone());
                    match own.or_else(|| self.summarize_construction(world, key).varies) {
                        Some(cause) => ImportTime::Varies(cause.what),
                        None => ImportTime::Same,
                    }
                }
                Callee::Enum => ImportTime::Same,
                Callee::Unknown => match tree[function].kind {
                    ExprKind::Attribute { attribute, .. }
                        if tables::is_reading_method(tree.text(attribute.name))
                            || tables::is_changing_method(tree.text(attribute.name)) =>
                    {
                        ImportTime::Same
                    }
                    ExprKind::Attribute { attribute, .. } => {
                        let methods = self.methods_named(tree.text(attribute.name));
                        let varies = methods.iter().find_map(|&key| self.of_function(key)?.varies.clone());
                        match (methods.is_empty(), varies) {
                            (false, None) => ImportTime::Same,
                            (_, varies) => ImportTime::Varies(
                                varies
                                    .map_or_else(|| format!("calls {}", unit.expr_text(function)), |cause| cause.what),
                            ),
                        }
                    }
                    _ => ImportTime::Varies(format!("calls {}", unit.expr_text(function))),
                },
            },
            ExprKind::Name { .. } | ExprKind::Attribute { .. } if !is_called => {
                let Some(parts) = tree.dotted(expr) else { return ImportTime::Same };
                if parts[0].starts_with("__") {
                    return ImportTime::Varies(format!("reads {}", parts[0]));
                }
                if let Callee::Library(path) = self.resolve_callee(world, unit, expr) {
                    let is_inner = matches!(tree[expr].parent, Parent::Expr(parent)
                        if matches!(tree[parent].kind, ExprKind::Attribute { .. }));
                    return if is_inner || tables::is_same_name(&path) {
                        ImportTime::Same
                    } else {
                        ImportTime::Varies(format!("reads {path}"))
                    };
                }
                self.find_name(world, unit, &parts).map_or(ImportTime::Same, ImportTime::Variable)
            }
            _ => ImportTime::Same,
        }
    }
}

/// What an expression adds to a value that is computed when a module is imported.
enum ImportTime {
    /// The same in every process, given that its parts are.
    Same,
    /// The same whatever its parts are.
    Whole,
    /// A part of it is evaluated later, if at all.
    Later(TextRange),
    Varies(String),
    /// What a variable holds.
    Variable(ModuleVariable),
}

/// Whether an expression is what a loop or a comprehension goes through.
fn gone_through(unit: &Unit, expr: ExprId) -> bool {
    let tree = &unit.tree;
    match tree[expr].parent {
        Parent::Stmt(stmt) => matches!(tree[stmt].kind, StmtKind::For { iter, .. } if iter == expr),
        Parent::Expr(parent) => match tree[parent].kind {
            ExprKind::ListComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => tree[generators].iter().any(|generator| generator.iter == expr),
            _ => false,
        },
        Parent::Module => false,
    }
}

/// Whether a statement of a module binds a variable or changes what it holds.
fn makes_variable(unit: &Unit, stmt: StmtId, name: &str) -> bool {
    let tree = &unit.tree;
    let mentions = || {
        unit.exprs_within(tree[stmt].range)
            .any(|expr| tree.as_name(expr).is_some_and(|found| tree.text(found) == name) && !is_reading_use(unit, expr))
    };
    match tree[stmt].kind {
        StmtKind::Assign { targets, .. } => tree[targets].iter().any(|&target| {
            unit.exprs_within(tree[target].range)
                .any(|expr| tree.as_name(expr).is_some_and(|found| tree.text(found) == name))
        }),
        StmtKind::AnnAssign { target, .. } | StmtKind::AugAssign { target, .. } => unit
            .exprs_within(tree[target].range)
            .any(|expr| tree.as_name(expr).is_some_and(|found| tree.text(found) == name)),
        StmtKind::Expr { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::With { .. }
        | StmtKind::If { .. }
        | StmtKind::Try { .. } => !crate::scan::is_main_guarded(unit, stmt) && mentions(),
        _ => false,
    }
}

/// What of a statement is evaluated, apart from annotations.
fn computed_ranges(unit: &Unit, stmt: StmtId) -> Vec<TextRange> {
    let tree = &unit.tree;
    match tree[stmt].kind {
        StmtKind::Assign { value, .. }
        | StmtKind::AnnAssign { value: Some(value), .. }
        | StmtKind::AugAssign { value, .. } => vec![tree[value].range],
        StmtKind::AnnAssign { .. } => Vec::new(),
        StmtKind::FunctionDef(function) => {
            let parameters = super::summary_parameters(unit, function);
            parameters.into_iter().filter_map(|parameter| parameter.default).map(|value| tree[value].range).collect()
        }
        StmtKind::ClassDef(class) => {
            let held = tree[class.body].iter().filter(|&&inner| {
                matches!(
                    tree[inner].kind,
                    StmtKind::Assign { .. } | StmtKind::AnnAssign { .. } | StmtKind::FunctionDef(_)
                )
            });
            held.flat_map(|&inner| computed_ranges(unit, inner)).collect()
        }
        _ => vec![tree[stmt].range],
    }
}
