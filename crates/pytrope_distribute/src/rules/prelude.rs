//! The prelude: the engine is imported where it is named, started once, and given one device per rank.

use pytrope_source::tree::{StmtId, StmtKind};

use crate::identify::TrainingPattern;
use crate::project::ModuleId;
use crate::rewrite::{HelperNames, Rewrite, Target};

/// What a first pass of all rules has learnt, so that a second can begin with the prelude.
pub struct PreludeFacts {
    uses_engine: Vec<bool>,
    imports: Vec<Vec<String>>,
    /// The first module-level statement that needs the engine.
    need: Vec<Option<usize>>,
    /// Something outside the entry's main guard needs the engine.
    pub early: bool,
    helpers: Vec<HelperNames>,
}

impl PreludeFacts {
    pub fn of(rw: &Rewrite) -> Self {
        Self {
            uses_engine: rw.uses_engine.clone(),
            imports: rw.imports.clone(),
            need: (0..rw.project.modules.len()).map(|module| first_need(rw, module)).collect(),
            early: super::ddp::needs_early(rw),
            helpers: rw.helpers.clone(),
        }
    }
}

pub fn write_prelude(rw: &mut Rewrite, facts: &PreludeFacts) {
    rw.imports.clone_from(&facts.imports);
    match rw.target {
        Target::Horovod => start_horovod(rw, facts),
        Target::Ddp | Target::Fsdp2 => super::ddp::start_process_group(rw, facts),
        Target::Accelerate => super::accelerate::start_accelerator(rw, facts),
        Target::TfDistribute => super::strategy::start_strategy(rw, facts),
    }
    for module in 1..rw.project.modules.len() {
        if facts.uses_engine[module] {
            let mut text = import_lines(rw, module).join("\n");
            text.push_str(&engine_lines(rw, module));
            text.push_str(&helper_text(rw, facts, module));
            after_imports(rw, facts, module, &text);
        } else {
            for line in facts.imports[module].clone() {
                rw.edits[module].add_import(&line);
            }
        }
    }
}

/// The imports that a module needs for what was written into it.
fn import_lines(rw: &Rewrite, module: ModuleId) -> Vec<String> {
    let mut lines = unsorted_lines(rw, module);
    lines.sort_by_key(|line| line.starts_with("from "));
    lines
}

fn unsorted_lines(rw: &Rewrite, module: ModuleId) -> Vec<String> {
    let mut lines = rw.imports[module].clone();
    match (rw.target, rw.training.pattern) {
        (Target::Ddp | Target::Fsdp2, _) => lines.push(format!("import torch.distributed as {}", rw.engine)),
        (Target::Accelerate, _) => lines.push(super::accelerate::import_line(rw)),
        (Target::TfDistribute, _) => {}
        (Target::Horovod, TrainingPattern::Fit) => {
            lines.push(format!("import horovod.tensorflow.keras as {}", rw.engine));
        }
        (Target::Horovod, TrainingPattern::TrainStep) => {
            lines.push(format!("import horovod.tensorflow as {}", rw.engine));
            lines.push(format!("import horovod.tensorflow.keras as {}", rw.keras_engine));
        }
        (Target::Horovod, _) => lines.push(format!("import horovod.tensorflow as {}", rw.engine)),
    }
    lines
}

pub fn entry_imports(rw: &Rewrite, facts: &PreludeFacts) -> String {
    format!("{}{}", import_lines(rw, 0).join("\n"), helper_text(rw, facts, 0))
}

/// The functions that a module's rewrite calls.
fn helper_text(rw: &Rewrite, facts: &PreludeFacts, module: ModuleId) -> String {
    let HelperNames { sum, average, whole } = &facts.helpers[module];
    let torch = rw.import_alias(module, "torch").unwrap_or_else(|| "torch".to_owned());
    let sum = sum.as_ref().map(|name| super::collective::sum_text(rw.target, name, &torch, &rw.engine));
    let average = average.as_ref().map(|name| super::gradient_hooks::helper_text(rw, name, &torch));
    let whole = whole.as_ref().map(|name| super::loaders::whole::helper_text(name, &torch, &rw.engine));
    let definitions: Vec<String> = [sum, whole, average].into_iter().flatten().collect();
    if definitions.is_empty() { String::new() } else { format!("\n\n\n{}\n", definitions.join("\n\n\n")) }
}

/// What makes the engine known in a module besides the entry, where an import is not enough.
fn engine_lines(rw: &mut Rewrite, module: ModuleId) -> String {
    match rw.target {
        // Every Accelerator of a process shares the state of the first.
        Target::Accelerate => format!("\n\n{} = {}", rw.engine, super::accelerate::accelerator_call(rw)),
        Target::TfDistribute => format!("\n\n{}", super::strategy::worker_line(rw, module)),
        Target::Horovod | Target::Ddp | Target::Fsdp2 => String::new(),
    }
}

fn start_horovod(rw: &mut Rewrite, facts: &PreludeFacts) {
    let mut lines = import_lines(rw, 0);
    let tf1 = matches!(
        rw.training.pattern,
        TrainingPattern::Session | TrainingPattern::Monitored | TrainingPattern::Estimator
    );
    let engine = rw.engine.clone();
    let mut body = vec![format!("{engine}.init()")];
    if !tf1 {
        let tf = rw.import_alias(0, "tensorflow").unwrap_or_else(|| {
            let line = "import tensorflow as tf".to_owned();
            if !lines.contains(&line) {
                lines.insert(0, line);
            }
            "tf".to_owned()
        });
        let gpus = rw.edits[0].fresh_name("gpus");
        let gpu = rw.edits[0].fresh_name("gpu");
        body.push(format!("{gpus} = {tf}.config.list_physical_devices(\"GPU\")"));
        body.push(format!("for {gpu} in {gpus}:"));
        body.push(format!("    {tf}.config.experimental.set_memory_growth({gpu}, True)"));
        body.push(format!("if {gpus}:"));
        body.push(format!("    {tf}.config.set_visible_devices({gpus}[{engine}.local_rank()], \"GPU\")"));
        if reads_folders(rw) {
            let mut import = |name: &str| {
                rw.import_alias(0, name).unwrap_or_else(|| {
                    lines.insert(0, format!("import {name}"));
                    name.to_owned()
                })
            };
            let (sys, os) = (import("sys"), import("os"));
            body.push(format!("if {engine}.rank() != 0:  # Keras prints what it finds in a folder"));
            body.push(format!("    {sys}.stdout = open({os}.devnull, \"w\")"));
        }
    }
    let text = format!("{}\n\n{}", lines.join("\n"), body.join("\n"));
    after_imports(rw, facts, 0, &text);
    let range = pytrope_source::TextRange::at(0);
    rw.log_change("initialise", 0, range, "Horovod is started, and each rank takes the GPU of its local rank");
}

/// Whether Keras looks through a folder, and says what it finds there.
fn reads_folders(rw: &Rewrite) -> bool {
    (0..rw.project.modules.len()).any(|module| {
        rw.trace.tree(module).expr_ids().any(|e| {
            rw.trace.called_api((module, e)).is_some_and(|api| api.ends_with("_dataset_from_directory"))
                || rw.trace.called_method((module, e)).is_some_and(|(_, method)| method == "flow_from_directory")
        })
    })
}

/// Put lines after the imports: after the run of imports that holds the framework's, but before anything that needs them.
pub fn after_imports(rw: &mut Rewrite, facts: &PreludeFacts, module: ModuleId, text: &str) {
    match place_of_lines(rw, facts, module) {
        PreludePlace::AmongImports => {
            for line in text.lines().filter(|l| l.contains("import ")) {
                rw.edits[module].add_import(line);
            }
        }
        PreludePlace::Before(stmt) => rw.edits[module].insert_before(stmt, text),
        PreludePlace::After(stmt) => rw.edits[module].insert_after(stmt, text),
    }
}

enum PreludePlace {
    /// The module imports nothing.
    AmongImports,
    Before(StmtId),
    After(StmtId),
}

fn place_of_lines(rw: &Rewrite, facts: &PreludeFacts, module: ModuleId) -> PreludePlace {
    let tree = rw.trace.tree(module);
    let body = &tree[tree.body()];
    let is_import = |stmt: StmtId| matches!(tree[stmt].kind, StmtKind::Import { .. } | StmtKind::ImportFrom { .. });
    let framework = body.iter().position(|&stmt| names_framework(rw, module, stmt));
    let limit = facts.need[module];
    let Some(start) = framework.or_else(|| body.iter().rposition(|&s| is_import(s))) else {
        return PreludePlace::AmongImports;
    };
    let mut end = start;
    while let Some(&next) = body.get(end + 1)
        && is_import(next)
        && limit.is_none_or(|l| end + 1 < l)
    {
        end += 1;
    }
    match limit {
        // Something before the imports' end already needs the engine.
        Some(limit) if limit <= end => PreludePlace::Before(body[limit]),
        _ => PreludePlace::After(body[end]),
    }
}

/// Where the lines after the imports are written: what is imported later is not known in them.
pub fn prelude_place(rw: &Rewrite, facts: &PreludeFacts, module: ModuleId) -> u32 {
    let tree = rw.trace.tree(module);
    match place_of_lines(rw, facts, module) {
        PreludePlace::AmongImports => 0,
        PreludePlace::Before(stmt) => tree[stmt].range.start,
        PreludePlace::After(stmt) => tree[stmt].range.end,
    }
}

fn names_framework(rw: &Rewrite, module: ModuleId, stmt: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    let is = |name: &str| matches!(name.split('.').next(), Some("tensorflow" | "keras" | "torch"));
    match tree[stmt].kind {
        StmtKind::Import { names } => tree[names].iter().any(|alias| is(tree.text(alias.name.name))),
        StmtKind::ImportFrom { module: Some(from), level: 0, .. } => is(tree.text(from.name)),
        _ => false,
    }
}

/// The first module-level statement that an edit, or an imported module's, makes depend on the engine.
fn first_need(rw: &Rewrite, module: ModuleId) -> Option<usize> {
    let tree = rw.trace.tree(module);
    let body = &tree[tree.body()];
    let edited = |stmt: StmtId| {
        !matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
            && rw.edits[module].list().iter().any(|e| {
                e.text.contains(rw.engine.as_str())
                    && tree[stmt].range.start <= e.range.start
                    && e.range.start <= tree[stmt].range.end
            })
    };
    let imports_user = |stmt: StmtId| {
        // A project module that names the engine while it is imported must find it started.
        let names: Vec<String> = match tree[stmt].kind {
            StmtKind::Import { names } => tree[names].iter().map(|a| tree.text(a.name.name).to_owned()).collect(),
            StmtKind::ImportFrom { module: Some(from), .. } => vec![tree.text(from.name).to_owned()],
            _ => Vec::new(),
        };
        module == 0
            && names.iter().any(|n| {
                rw.project
                    .modules
                    .iter()
                    .position(|m| m.name == *n || m.name.ends_with(&format!(".{n}")))
                    .is_some_and(|id| id != 0 && needs_when_imported(rw, id, &mut Vec::new()))
            })
    };
    body.iter().position(|&stmt| edited(stmt) || imports_user(stmt))
}

/// Whether a module, or one that it imports in turn, names the engine while it is imported.
fn needs_when_imported(rw: &Rewrite, module: ModuleId, seen: &mut Vec<ModuleId>) -> bool {
    if seen.contains(&module) {
        return false;
    }
    seen.push(module);
    if rw.uses_engine[module] && needs_at_import(rw, module) {
        return true;
    }
    let tree = rw.trace.tree(module);
    let home = &rw.project.modules[module];
    let imported: Vec<String> = tree[tree.body()]
        .iter()
        .flat_map(|&stmt| match tree[stmt].kind {
            StmtKind::Import { names } => tree[names].iter().map(|a| tree.text(a.name.name).to_owned()).collect(),
            StmtKind::ImportFrom { module: from, names, level } => {
                let from = from.map(|from| tree.text(from.name));
                let base = pytrope_source::ModuleResolver::absolute(&home.name, home.is_package, level, from);
                let members = tree[names].iter().map(|a| tree.text(a.name.name));
                base.map_or_else(Vec::new, |base| {
                    members.map(|name| format!("{base}.{name}")).chain([base.clone()]).collect()
                })
            }
            _ => Vec::new(),
        })
        .collect();
    imported.iter().filter_map(|name| rw.project.by_name(name)).any(|id| needs_when_imported(rw, id, seen))
}

/// Whether a module names the engine while it is imported.
pub fn needs_at_import(rw: &Rewrite, module: ModuleId) -> bool {
    let tree = rw.trace.tree(module);
    let body = &tree[tree.body()];
    body.iter().any(|&stmt| {
        !matches!(tree[stmt].kind, StmtKind::FunctionDef(_) | StmtKind::ClassDef(_))
            && rw.edits[module].list().iter().any(|e| {
                e.text.contains(rw.engine.as_str())
                    && tree[stmt].range.start <= e.range.start
                    && e.range.start <= tree[stmt].range.end
            })
    })
}
