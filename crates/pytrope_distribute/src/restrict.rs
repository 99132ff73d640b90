//! The restrictions: what cannot be rewritten safely is refused, with the line and the reason.
//!
//! The papers' restrictions 2.1 (1–10) and 3.1 (1–5) are met here or relaxed: several optimizers, datasets and
//! checkpoints, chained datasets, imports anywhere at module level and aliases by import are fine.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{Node, SourceKind, Span, TextRange};

use crate::identify::{Training, TrainingPattern, uses_package};
use crate::index::{Kind, expr_scope, is_inside, loops_around};
use crate::project::{ModuleId, Project};
use crate::rewrite::Rewrite;
use crate::rules::train_data::training_loops;
use crate::trace::{ExprPlace, Trace, argument_of, is_open_namespace};

fn make_finding(
    project: &Project,
    rule: &str,
    module: ModuleId,
    range: TextRange,
    message: impl Into<String>,
) -> Finding {
    Finding::new(rule_by_id(rule), Span::new(&project.modules[module].parsed.file, range), message)
}

/// Files that are no plain Python: syntax errors, undecodable bytes, notebooks.
pub fn unreadable_sources(project: &Project) -> Vec<Finding> {
    let mut found = Vec::new();
    for (id, module) in project.modules.iter().enumerate() {
        if project.from_notebook && id == 0 && !module.parsed.errors.is_empty() {
            let range = module.parsed.errors[0].range;
            let message = "the notebook cannot be written as a script: the result of one of its commands is used";
            found.push(
                make_finding(project, "notebook-training", id, range, message)
                    .help("write the command in Python, such as `os.listdir()` for `!ls`"),
            );
            continue;
        }
        if module.parsed.file.kind() == SourceKind::Notebook {
            let message = "a notebook is imported, and not started once per rank";
            found.push(
                make_finding(project, "notebook-training", id, TextRange::at(0), message)
                    .help("distribute the notebook itself: its cells become a script"),
            );
        }
        for error in &module.read_errors {
            found.push(make_finding(project, "bad-encoding", id, error.range, error.message.clone()));
        }
        for error in &module.parsed.errors {
            found.push(make_finding(project, "syntax-error", id, error.range, error.message.clone()));
        }
    }
    found
}

/// A script that some engine distributes already.
pub fn already_distributed(trace: &Trace) -> Option<Finding> {
    const PACKAGES: &[&str] = &[
        "horovod",
        "accelerate",
        "deepspeed",
        "byteps",
        "mpi4py",
        "pytorch_lightning",
        "lightning",
        "ray",
        "fairscale",
        "bagua",
        "colossalai",
        "torchelastic",
        "elephas",
        "tensorflowonspark",
        "smdistributed",
        "torch_xla",
    ];
    let project = trace.project;
    for (id, module) in project.modules.iter().enumerate() {
        let tree = &module.parsed.tree;
        let report = |range: TextRange, by: &str| {
            Some(
                make_finding(project, "already-distributed", id, range, format!("already distributed: it uses {by}"))
                    .help("distribute the single-process version of the script instead"),
            )
        };
        for stmt in tree.stmt_ids() {
            let names: Vec<String> = match tree[stmt].kind {
                StmtKind::Import { names } => tree[names].iter().map(|a| tree.text(a.name.name).to_owned()).collect(),
                StmtKind::ImportFrom { module: Some(from), names, level: 0 } => {
                    let from = tree.text(from.name);
                    tree[names].iter().map(|a| format!("{from}.{}", tree.text(a.name.name))).collect()
                }
                _ => continue,
            };
            for name in names {
                let package = name.split('.').next().unwrap_or_default();
                if PACKAGES.contains(&package) && project.by_name(package).is_none() {
                    return report(tree[stmt].range, &format!("`{package}`"));
                }
                if name.starts_with("torch.distributed")
                    || name.contains("DistributedDataParallel")
                    || name.contains("tensorflow.distribute")
                {
                    return report(tree[stmt].range, &format!("`{name}`"));
                }
            }
        }
        for expr in tree.expr_ids() {
            let Some(api) = trace.called_api((id, expr)) else { continue };
            let engine = api.starts_with("tf.distribute.")
                || api.starts_with("torch.distributed.")
                || api.ends_with(".DistributedDataParallel")
                || matches!(
                    api.as_str(),
                    "tf.train.ClusterSpec"
                        | "tf.train.Server"
                        | "tf.train.SyncReplicasOptimizer"
                        | "tf.keras.utils.multi_gpu_model"
                );
            if engine {
                return report(tree[expr].range, &format!("`{api}`"));
            }
        }
    }
    None
}

/// Code that is not what it seems: `exec`, `eval`, `getattr` on a framework, a framework bound by hand.
pub fn dynamic_code(trace: &Trace) -> Vec<Finding> {
    let project = trace.project;
    let mut found = Vec::new();
    for (id, module) in project.modules.iter().enumerate() {
        let tree = &module.parsed.tree;
        for expr in tree.expr_ids() {
            let Some(api) = trace.called_api((id, expr)) else { continue };
            let range = tree[expr].range;
            let first = argument_of(tree, expr, "", 0);
            match api.as_str() {
                "builtins.exec" | "builtins.eval" => found.push(
                    make_finding(
                        project,
                        "dynamic-code",
                        id,
                        range,
                        format!("`{}` runs code that cannot be read here", &api[9..]),
                    )
                    .help("write the code out"),
                ),
                "builtins.getattr" | "builtins.setattr" => {
                    let constant =
                        argument_of(tree, expr, "", 1).is_some_and(|n| matches!(tree[n].kind, ExprKind::Str(_)));
                    let framework = first
                        .and_then(|f| trace.api_name((id, f)))
                        .filter(|a| api == "builtins.setattr" || !is_open_namespace(a))
                        .is_some_and(|a| matches!(a.split('.').next(), Some("tf" | "torch")));
                    if framework && (!constant || api == "builtins.setattr") {
                        found.push(
                            make_finding(
                                project,
                                "dynamic-code",
                                id,
                                range,
                                format!("`{}` on a framework's module hides what is used", &api[9..]),
                            )
                            .help("name the function or class"),
                        );
                    }
                }
                "builtins.__import__" | "importlib.import_module" => {
                    let name = first.and_then(|f| match tree[f].kind {
                        ExprKind::Str(s) => Some(tree.text(s)),
                        _ => None,
                    });
                    // A helper that nothing calls imports nothing.
                    let function = expr_scope(tree, expr).filter(|&f| crate::index::self_of(tree, f).is_none());
                    let runs = function.is_none_or(|f| {
                        !trace.calls_of((id, f)).is_empty() || trace.handed.iter().any(|(def, _)| *def == (id, f))
                    });
                    if runs
                        && name.is_none_or(|n| matches!(n.split('.').next(), Some("tensorflow" | "torch" | "keras")))
                    {
                        found.push(
                            make_finding(project, "module-alias", id, range, "a framework is imported by a call")
                                .help("use an import statement"),
                        );
                    }
                }
                _ => {}
            }
        }
        for (name, bindings) in module.index.scope_names(None) {
            let framework = bindings.iter().any(|b| {
                matches!(&b.kind, Kind::Import(o) if matches!(o.as_str(), "tensorflow" | "torch" | "tensorflow.compat.v1" | "tensorflow.keras"))
            });
            let rebound = bindings.iter().find(|b| !matches!(b.kind, Kind::Import(_)));
            if framework && let Some(binding) = rebound {
                found.push(
                    make_finding(
                        project,
                        "module-alias",
                        id,
                        tree[binding.stmt].range,
                        format!("`{name}` is a framework's module and is bound a second time"),
                    )
                    .help("keep the module under one name"),
                );
            }
        }
    }
    found
}

/// Updates of weights that no rule would see: under another name, or beside the loop that is distributed.
pub fn hidden_updates(trace: &Trace, training: &Training) -> Vec<Finding> {
    let mut found = Vec::new();
    if training.pattern == crate::identify::TrainingPattern::Torch {
        return found;
    }
    for (id, module) in trace.project.modules.iter().enumerate() {
        let tree = &module.parsed.tree;
        for expr in tree.expr_ids() {
            let range = tree[expr].range;
            let kept = match tree[expr].kind {
                ExprKind::Attribute { attribute, context: pytrope_source::tree::Context::Load, .. } => {
                    let called = crate::index::parent_expr(tree, expr).is_some_and(
                        |parent| matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr),
                    );
                    !called && matches!(tree.text(attribute.name), "apply_gradients" | "minimize")
                }
                ExprKind::Call { .. } => {
                    trace.called_api((id, expr)).as_deref() == Some("builtins.getattr")
                        && argument_of(tree, expr, "", 1).is_some_and(|name| {
                            matches!(tree[name].kind, ExprKind::Str(s)
                                if matches!(tree.text(s), "apply_gradients" | "minimize" | "train_on_batch"))
                        })
                }
                _ => false,
            };
            if kept {
                let message = "the optimizer's update is kept as a value, and cannot be followed to where it is called";
                found.push(
                    make_finding(trace.project, "update-position", id, range, message)
                        .help("call the optimizer's method where the step is taken"),
                );
            }
            if trace.called_method((id, expr)).is_some_and(|(_, m)| m == "train_on_batch")
                && trace.project_callee((id, expr)).is_none()
            {
                let message = "`train_on_batch` updates weights beside the loop that is distributed";
                found.push(
                    make_finding(trace.project, "mixed-patterns", id, range, message)
                        .help("train this model by `fit` or a gradient tape, or in a script of its own"),
                );
            }
        }
    }
    found
}

/// A function that holds a training loop, passed as a value.
pub fn handed_loops(trace: &Trace, training: &Training) -> Vec<Finding> {
    let mut found = Vec::new();
    for (def, call) in &trace.handed {
        let tree = trace.tree(def.0);
        // At the top level the name stands for something else until the function is defined.
        if call.0 == def.0
            && crate::index::expr_scope(tree, call.1).is_none()
            && tree[call.1].range.start < tree[def.1].range.start
        {
            continue;
        }
        let holds = training
            .steps
            .iter()
            .any(|&(m, e)| m == def.0 && tree.stmt_of(e).is_some_and(|s| is_inside(tree, s, def.1)))
            && training.tapes.iter().all(|t| t.module == def.0);
        let api = trace.called_api(*call).unwrap_or_default();
        let starts = matches!(
            api.as_str(),
            "tf.app.run"
                | "absl.app.run"
                | "fire.Fire"
                | "builtins.callable"
                | "tf.function"
                | "tf.autograph.experimental.do_not_convert"
        ) || api.starts_with("tf.estimator.")
            || api.starts_with("functools.")
            || api.ends_with("timeit.timeit")
            || trace.project_callee(*call) == Some(*def);
        let runs_parallel = ["multiprocessing", "threading", "concurrent", "torch.multiprocessing", "joblib"]
            .iter()
            .any(|p| api.starts_with(p));
        if holds && (runs_parallel || (!starts && trace.project_callee(*call).is_some())) {
            found.push(
                make_finding(
                    trace.project,
                    "loop-as-value",
                    call.0,
                    trace.tree(call.0)[call.1].range,
                    "a function that holds the training loop is passed as a value",
                )
                .help("call the function here"),
            );
        }
    }
    found
}

/// A way out of a training loop, or past its step, that one rank may take and another not.
pub struct Exit {
    pub module: ModuleId,
    /// The statement that leaves, or the step itself.
    pub stmt: StmtId,
    /// The statement whose condition decides, and the condition.
    pub decider: StmtId,
    pub test: ExprId,
    /// It is a step that is not always taken.
    pub step: bool,
    /// Other conditions up to the loop differ too.
    pub nested: bool,
}

impl Exit {
    pub fn make_finding(&self, rw: &Rewrite) -> Finding {
        let tree = rw.trace.tree(self.module);
        let message = if self.step {
            "the step is taken on a condition that may differ between ranks, and the other ranks would wait forever"
        } else {
            "the training loop exits on a condition that may differ between ranks, and the other ranks would wait forever"
        };
        make_finding(rw.project, "rank-dependent-exit", self.module, tree[self.stmt].range, message)
            .related(rw.span(self.module, tree[self.test].range), "this condition")
            .help("decide by the epoch or step, or by a value that is reduced over the ranks")
    }
}

/// Exits from a training loop that one rank may take and another not.
pub fn early_exits(rw: &Rewrite) -> Vec<Exit> {
    let mut found: Vec<Exit> = Vec::new();
    let steps: Vec<ExprPlace> =
        rw.training.tapes.iter().map(|t| (t.module, t.trained[0])).chain(rw.training.steps.iter().copied()).collect();
    let loops = training_loops(rw, &steps);
    for &(module, l) in &loops {
        let tree = rw.trace.tree(module);
        if let StmtKind::While { test, .. } = tree[l].kind
            && !same_everywhere(rw, module, test, 4)
            && !asks_the_framework(rw, module, test)
        {
            found.push(Exit { module, stmt: l, decider: l, test, step: false, nested: false });
        }
        for node in tree.descendants(Node::Stmt(l)) {
            let Node::Stmt(stmt) = node else { continue };
            let leaves = match tree[stmt].kind {
                StmtKind::Break | StmtKind::Continue => loops_around(tree, stmt).first() == Some(&l),
                StmtKind::Return { .. } => crate::index::scope_of(tree, stmt) == crate::index::scope_of(tree, l),
                StmtKind::Raise { .. } => false,
                StmtKind::Expr { value } => rw
                    .trace
                    .called_api((module, value))
                    .is_some_and(|a| matches!(a.as_str(), "sys.exit" | "builtins.exit" | "builtins.quit")),
                _ => false,
            };
            let step = steps.iter().any(|&(m, e)| m == module && tree.stmt_of(e) == Some(stmt));
            if !leaves && !step {
                continue;
            }
            let mut at = tree.enclosing(stmt);
            let mut exit: Option<Exit> = None;
            while let Some(outer) = at.filter(|&outer| outer != l) {
                let test = match tree[outer].kind {
                    StmtKind::If { test, .. } | StmtKind::While { test, .. } => Some(test),
                    _ => None,
                };
                if let Some(test) = test
                    && !same_everywhere(rw, module, test, 4)
                    && (!step || reads_the_loop(rw, module, l, test))
                {
                    match &mut exit {
                        Some(exit) => exit.nested = true,
                        None => exit = Some(Exit { module, stmt, decider: outer, test, step, nested: false }),
                    }
                }
                at = tree.enclosing(outer);
            }
            found.extend(exit.filter(|e| !found.iter().any(|f| f.module == e.module && f.stmt == e.stmt)));
        }
    }
    found
}

/// `while not session.should_stop()`: counted by the framework, on every rank alike.
fn asks_the_framework(rw: &Rewrite, module: ModuleId, test: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Expr(test)).any(
        |node| matches!(node, Node::Expr(e) if rw.trace.called_method((module, e)).is_some_and(|(_, m)| m == "should_stop")),
    )
}

/// Whether a condition reads a value that the loop itself computes or iterates; settings from outside are the same everywhere.
fn reads_the_loop(rw: &Rewrite, module: ModuleId, l: StmtId, test: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Expr(test)).any(|node| {
        let Node::Expr(e) = node else { return false };
        let Some(name) = tree.as_name(e) else { return false };
        let index = &rw.project.modules[module].index;
        index.lookup_name(tree, expr_scope(tree, e), tree.text(name)).is_some_and(|(_, bindings)| {
            bindings.iter().any(|b| {
                is_inside(tree, b.stmt, l)
                    && !matches!(b.kind, Kind::Augmented(_))
                    && !name_is_same(rw, module, e, tree.text(name), 4)
            })
        })
    })
}

/// Whether an expression has one value on all ranks: constants, counters, arguments of the command line.
pub fn same_everywhere(rw: &Rewrite, module: ModuleId, expr: ExprId, fuel: u32) -> bool {
    same_apart_from(rw, module, expr, fuel, None)
}

/// Whether a value is the same on all ranks if what a name had before is: `step = step + 1`.
fn same_apart_from(rw: &Rewrite, module: ModuleId, expr: ExprId, fuel: u32, known: Option<&str>) -> bool {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Expr(expr)).all(|node| {
        let Node::Expr(e) = node else { return true };
        if tree.as_name(e).is_some_and(|name| Some(tree.text(name)) == known) {
            return true;
        }
        if counts_samples(rw, module, e) {
            return true;
        }
        match tree[e].kind {
            ExprKind::Call { .. } => rw.trace.called_api((module, e)).is_some_and(|a| {
                matches!(
                    a.as_str(),
                    "builtins.len"
                        | "builtins.int"
                        | "builtins.max"
                        | "builtins.min"
                        | "builtins.abs"
                        | "builtins.range"
                )
            }),
            ExprKind::Name { name, .. } => name_is_same(rw, module, e, tree.text(name), fuel),
            _ => true,
        }
    })
}

/// Sizes of batches agree on all ranks, because shards are equally long.
fn counts_samples(rw: &Rewrite, module: ModuleId, expr: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    let mut at = expr;
    while let Some(parent) = crate::index::parent_expr(tree, at) {
        match tree[parent].kind {
            ExprKind::Call { .. } if rw.trace.called_api((module, parent)).as_deref() == Some("builtins.len") => {
                return true;
            }
            ExprKind::Attribute { attribute, .. } if matches!(tree.text(attribute.name), "shape" | "size") => {
                return true;
            }
            _ => at = parent,
        }
    }
    false
}

fn name_is_same(rw: &Rewrite, module: ModuleId, expr: ExprId, name: &str, fuel: u32) -> bool {
    let tree = rw.trace.tree(module);
    let index = &rw.project.modules[module].index;
    let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, expr), name) else { return true };
    // A name that is bound many times is no setting.
    if fuel == 0 || bindings.len() > 8 {
        return false;
    }
    bindings.iter().all(|b| match &b.kind {
        Kind::Value(value) => {
            let parsed = rw.trace.called_method((module, *value)).is_some_and(|(_, m)| m == "parse_args");
            parsed || same_apart_from(rw, module, *value, fuel - 1, Some(name))
        }
        Kind::Augmented(value) => same_everywhere(rw, module, *value, fuel - 1),
        Kind::Iteration(iter, i) => {
            let api = rw.trace.called_api((module, *iter));
            match api.as_deref() {
                Some("builtins.range") => true,
                Some("builtins.enumerate") => *i == Some(0),
                // A list that is written out, such as the phases of an epoch.
                _ => match tree[*iter].kind {
                    ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
                        tree[elements].iter().all(|&e| same_everywhere(rw, module, e, fuel - 1))
                    }
                    _ => false,
                },
            }
        }
        Kind::Parameter(i) => scope.is_some_and(|f| {
            let given = rw.trace.arguments_for((module, f), *i);
            !given.is_empty() && given.into_iter().all(|(m, e)| same_everywhere(rw, m, e, fuel - 1))
        }),
        Kind::Import(_) | Kind::Function | Kind::Class => true,
        Kind::Element(..) | Kind::Context(_) | Kind::Opaque => false,
    })
}

/// Frameworks imported inside functions are seen by the rules, but the prelude must be able to follow one at module level.
pub fn misplaced_imports(trace: &Trace, training: &Training) -> Vec<Finding> {
    let mut found = Vec::new();
    for (id, module) in trace.project.modules.iter().enumerate() {
        // A helper that takes PyTorch's SummaryWriter inside a function has no part in the loop.
        if training.pattern == TrainingPattern::Torch && !training.steps.iter().any(|step| step.0 == id) {
            continue;
        }
        let tree = &module.parsed.tree;
        // A suite of `try` or `if` at module level runs when the module is imported.
        let top: Vec<StmtId> = tree.stmt_ids().filter(|&s| crate::index::scope_of(tree, s).is_none()).collect();
        let frameworks = ["tensorflow", "torch", "keras"];
        let used = frameworks.iter().any(|f| uses_package(trace, id, f));
        let at_top = top.iter().any(|&s| names_framework(trace, id, s));
        if used && !at_top {
            let inner = tree.stmt_ids().find(|&s| names_framework(trace, id, s));
            if let Some(stmt) = inner {
                found.push(
                    make_finding(
                        trace.project,
                        "import-position",
                        id,
                        tree[stmt].range,
                        "the framework is imported inside a function or a condition only",
                    )
                    .help("import it at module level"),
                );
            }
        }
    }
    found
}

fn names_framework(trace: &Trace, id: ModuleId, stmt: StmtId) -> bool {
    let tree = trace.tree(id);
    let is = |name: &str| matches!(name.split('.').next(), Some("tensorflow" | "keras" | "torch"));
    match tree[stmt].kind {
        StmtKind::Import { names } => tree[names].iter().any(|a| is(tree.text(a.name.name))),
        StmtKind::ImportFrom { module: Some(from), level: 0, .. } => is(tree.text(from.name)),
        _ => false,
    }
}
