//! The process group: started from the launcher's environment before anything needs it, and ended last.

use pytrope_source::tree::{ExprId, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};

use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::rules::prelude::{self, PreludeFacts};

/// Start the process group before anything needs it, and end it last.
pub fn start_process_group(rw: &mut Rewrite, facts: &PreludeFacts) {
    let engine = rw.engine.clone();
    let place = prelude::prelude_place(rw, facts, 0);
    let os = rw.import_alias_before(0, "os", place).unwrap_or_else(|| {
        rw.add_import(0, "import os");
        "os".to_owned()
    });
    let torch = rw.import_alias(0, "torch").unwrap_or_else(|| {
        rw.add_import(0, "import torch");
        "torch".to_owned()
    });
    let backend = rw.edits[0].fresh_name("backend");
    let imports = prelude::entry_imports(rw, facts);
    // Each tensor is reduced where it lies, by the backend of its device: a script may train on the CPU of a machine with GPUs.
    let start = format!(
        "{backend} = \"cpu:gloo,cuda:nccl\" if {torch}.cuda.is_available() else \"gloo\"\n\
         if \"RANK\" in {os}.environ:  # started by torchrun\n\
         \x20   {engine}.init_process_group({backend})\n\
         else:\n\
         \x20   {engine}.init_process_group({backend}, store={engine}.HashStore(), rank=0, world_size=1)\n\
         if {torch}.cuda.is_available():\n\
         \x20   {torch}.cuda.set_device(int({os}.environ.get(\"LOCAL_RANK\", 0)) % {torch}.cuda.device_count())"
    );
    place_start(rw, facts, &imports, &start);
    rw.log_change("initialise", 0, TextRange::at(0), "the process group is started from the launcher's environment");
}

/// Put what starts the engine under the entry's main guard, or after the imports where something needs it earlier.
pub fn place_start(rw: &mut Rewrite, facts: &PreludeFacts, imports: &str, start: &str) {
    let tree = rw.trace.tree(0);
    match main_guard(rw).filter(|_| !facts.early) {
        Some(main) => {
            prelude::after_imports(rw, facts, 0, imports);
            let StmtKind::If { body, .. } = tree[main].kind else { return };
            rw.edits[0].insert_before(tree[body][0], start);
        }
        None => prelude::after_imports(rw, facts, 0, &format!("{imports}\n\n{start}")),
    }
}

/// End the process group after everything else.
pub fn end_process_group(rw: &mut Rewrite) {
    let tree = rw.trace.tree(0);
    let suite = match main_guard(rw).map(|main| tree[main].kind) {
        Some(StmtKind::If { body, .. }) => body,
        _ => tree.body(),
    };
    if let Some(&last) = tree[suite].last() {
        let line = match rw.target {
            Target::Accelerate => format!("{}.end_training()", rw.engine),
            Target::Ddp | Target::Fsdp2 | Target::Horovod | Target::TfDistribute => {
                format!("{}.destroy_process_group()", rw.engine)
            }
        };
        rw.edits[0].insert_after(last, &line);
        rw.log_change("finish", 0, tree[last].range, "the process group is ended last");
    }
}

/// Whether a statement outside the main guard names the engine when it runs.
pub fn needs_early(rw: &Rewrite) -> bool {
    let Some(main) = main_guard(rw) else { return false };
    let tree = rw.trace.tree(0);
    if (1..rw.project.modules.len()).any(|module| prelude::needs_at_import(rw, module)) {
        return true;
    }
    tree[tree.body()].iter().any(|&stmt| {
        stmt != main
            && !matches!(
                tree[stmt].kind,
                StmtKind::FunctionDef(_)
                    | StmtKind::ClassDef(_)
                    | StmtKind::Import { .. }
                    | StmtKind::ImportFrom { .. }
            )
            && names_engine(rw, 0, stmt, 6)
    })
}

/// Whether what is written into a statement, or into a function that it calls, names the engine.
fn names_engine(rw: &Rewrite, module: ModuleId, stmt: StmtId, fuel: u32) -> bool {
    let tree = rw.trace.tree(module);
    let range = tree[stmt].range;
    rw.edits[module]
        .list()
        .iter()
        .any(|e| e.text.contains(&rw.engine) && range.start <= e.range.start && e.range.start <= range.end)
        || fuel > 0
            && crate::index::exprs_in(tree, stmt).any(|e| {
                rw.trace.project_callee((module, e)).is_some_and(|(other, def)| {
                    (other, def) != (module, stmt) && names_engine(rw, other, def, fuel - 1)
                })
            })
}

/// `if __name__ == "__main__":` of the entry.
fn main_guard(rw: &Rewrite) -> Option<StmtId> {
    let tree = rw.trace.tree(0);
    tree[tree.body()].iter().copied().find(|&stmt| match tree[stmt].kind {
        StmtKind::If { test, .. } => {
            exprs_in_test(rw, test).any(|e| tree.as_name(e).is_some_and(|n| tree.text(n) == "__name__"))
        }
        _ => false,
    })
}

fn exprs_in_test<'a>(rw: &'a Rewrite, test: ExprId) -> impl Iterator<Item = ExprId> + 'a {
    rw.trace.tree(0).descendants(Node::Expr(test)).filter_map(|n| match n {
        Node::Expr(e) => Some(e),
        Node::Stmt(_) => None,
    })
}
