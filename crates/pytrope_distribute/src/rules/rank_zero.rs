//! Rank 0 alone prints, logs, draws and saves.
//!
//! ```python
//! print("loss", loss)                  # if hvd.rank() == 0:
//!                                      #     print("loss", loss)
//! path = checkpoint.save("c")          # path = checkpoint.save("c") if hvd.rank() == 0 else None
//! open("log.txt", "w")                 # open("log.txt" if hvd.rank() == 0 else os.devnull, "w")
//! ```

mod purity;

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::identify::{TrainingPattern, roots_call};
use crate::outputs::{OutputEffect, effect_of_call, is_progress_bar, is_summary_writer, reads_saved};
use crate::project::ModuleId;
use crate::reachable::Reached;
use crate::rewrite::{Rewrite, Target};
use crate::trace::{ExprPlace, argument_of, call_arguments, keyword_argument};

pub fn guard_effects(rw: &mut Rewrite) {
    let reached = Reached::of(rw.trace);
    for module in 0..rw.project.modules.len() {
        for expr in rw.trace.tree(module).expr_ids() {
            if matches!(rw.trace.tree(module)[expr].kind, ExprKind::Call { .. })
                && reached.is_run(rw.trace, (module, expr))
            {
                guard_call(rw, (module, expr));
            }
        }
    }
    insert_barriers(rw);
}

/// Give names to what every rank must compute inside statements that only rank 0 runs. Nothing else may be edited yet.
pub fn hoist_computations(rw: &mut Rewrite) {
    let reached = Reached::of(rw.trace);
    for module in 0..rw.project.modules.len() {
        for expr in rw.trace.tree(module).expr_ids() {
            let place = (module, expr);
            if matches!(rw.trace.tree(module)[expr].kind, ExprKind::Call { .. })
                && reached.is_run(rw.trace, place)
                && effect_of_call(rw.trace, place).is_some()
                && let Some(stmt) = expression_statement(rw, place)
            {
                purity::hoist_call(rw, place, stmt);
            }
        }
    }
}

fn guard_call(rw: &mut Rewrite, place: ExprPlace) {
    let (module, expr) = place;
    if rw.target == Target::TfDistribute && rw.done.contains(&place) {
        return;
    }
    let tree = rw.trace.tree(module);
    let api = rw.trace.called_api(place).unwrap_or_default();
    if is_progress_bar(&api) || matches!(api.as_str(), "rich.progress.track" | "rich.progress.Progress") {
        if call_arguments(tree, expr).is_some_and(|a| keyword_argument(tree, a, "disable").is_none()) {
            let rank = rw.rank_text(module);
            rw.add_argument(place, &format!("disable={rank} != 0"));
            let range = rw.range(place);
            rw.log_change("rank-zero-output", module, range, "only rank 0 shows progress");
        }
        return;
    }
    match api.as_str() {
        "builtins.open" => return guard_opened_file(rw, place),
        "os.makedirs" => return guard_directories(rw, place),
        "logging.basicConfig" => return log_level(rw, place),
        "logging.FileHandler" => {
            if let Some(path) = argument_of(tree, expr, "filename", 0) {
                open_devnull(rw, (module, path));
            }
            return;
        }
        // A run that is switched off takes everything that is logged to it, and keeps nothing.
        "wandb.init" => {
            if call_arguments(tree, expr).is_some_and(|a| keyword_argument(tree, a, "mode").is_none()) {
                let rank = rw.rank_text(module);
                rw.add_argument(place, &format!("mode=None if {rank} == 0 else \"disabled\""));
                let range = rw.range(place);
                rw.log_change("rank-zero-files", module, range, "only rank 0 logs the run");
            }
            return;
        }
        "tf.keras.utils.Progbar" => {
            if call_arguments(tree, expr).is_some_and(|a| keyword_argument(tree, a, "verbose").is_none()) {
                let rank = rw.rank_text(module);
                rw.add_argument(place, &format!("verbose=1 if {rank} == 0 else 0"));
            }
            return;
        }
        "tf.summary.create_file_writer" => {
            let rank = rw.rank_text(module);
            let text = rw.text(place).to_owned();
            let noop = text.split('(').next().unwrap_or_default().replace("create_file_writer", "create_noop_writer");
            choose_by_rank(rw, place, &format!(" if {rank} == 0 else {noop}()"));
            let range = rw.range(place);
            rw.log_change("rank-zero-files", module, range, "only rank 0 writes summaries");
            return;
        }
        name if name.starts_with("tf.keras.callbacks.") => {
            let given = call_arguments(tree, expr).and_then(|given| keyword_argument(tree, given, "verbose"));
            if let Some(verbose) = given.filter(|&v| !matches!(tree[v].kind, ExprKind::Int(0)))
                && !super::fit::is_writing_callback(name)
            {
                let rank = rw.rank_text(module);
                rw.wrap_text((module, verbose), "", &format!(" if {rank} == 0 else 0"));
                let range = rw.range(place);
                rw.log_change("rank-zero-output", module, range, "only rank 0 prints");
            }
            return;
        }
        name if is_summary_writer(name) => {
            let rank = rw.rank_text(module);
            let other = if is_context(rw, place) {
                rw.add_import(module, "import contextlib");
                "contextlib.nullcontext()"
            } else {
                "None"
            };
            choose_by_rank(rw, place, &format!(" if {rank} == 0 else {other}"));
            let range = rw.range(place);
            rw.log_change("rank-zero-files", module, range, "only rank 0 writes summaries");
            return;
        }
        _ => {}
    }
    if is_append_of_writer(rw, place)
        && let Some(stmt) = expression_statement(rw, place)
    {
        rw.guard_statement("fit-callbacks", module, stmt, "only rank 0 has a callback that writes");
        return;
    }
    if rw.trace.called_method(place).is_some_and(|(_, m)| m == "mkdir")
        && rw.trace.project_callee(place).is_none()
        && api != "os.mkdir"
    {
        return guard_directories(rw, place);
    }
    let Some(effect) = effect_of_call(rw.trace, place) else { return };
    let (rule, what) = match effect {
        OutputEffect::Prints => ("rank-zero-output", "only rank 0 prints"),
        OutputEffect::Writes => ("rank-zero-files", "only rank 0 writes"),
    };
    if let Some(stmt) = expression_statement(rw, place) {
        rw.guard_statement(rule, module, stmt, what);
        return;
    }
    let stmt = rw.stmt_of(place);
    // `print(model.summary())`: rank 0 alone runs the whole statement.
    if let Some(StmtKind::Expr { value }) = stmt.map(|stmt| tree[stmt].kind)
        && effect_of_call(rw.trace, (module, value)).is_some()
    {
        return;
    }
    let range = rw.range(place);
    let rank = rw.rank_text(module);
    // The value is used: every rank has one, `None` where nothing was written.
    let whole = stmt.is_some_and(|s| matches!(tree[s].kind, StmtKind::Assign { value, .. } if value == expr));
    if whole {
        rw.wrap_text(place, "", &format!(" if {rank} == 0 else None"));
        if let Some(stmt) = stmt {
            share_path(rw, module, stmt);
        }
    } else {
        rw.wrap_text(place, "(", &format!(" if {rank} == 0 else None)"));
    }
    rw.log_change(rule, module, range, what);
}

/// A saved path that is read again must be the same on every rank.
fn share_path(rw: &mut Rewrite, module: ModuleId, stmt: StmtId) {
    let tree = rw.trace.tree(module);
    let names = crate::identify::assigned_names(rw.trace, module, stmt);
    let [name] = names[..] else { return };
    let loads: Vec<ExprId> = tree
        .expr_ids()
        .filter(|&e| {
            reads_saved(rw.trace, (module, e))
                && tree
                    .descendants(Node::Expr(e))
                    .any(|n| matches!(n, Node::Expr(x) if tree.as_name(x).is_some_and(|s| tree.text(s) == name)))
        })
        .collect();
    // Who receives the path has waited for the file.
    rw.done.extend(loads.iter().map(|&load| (module, load)));
    if !loads.is_empty() {
        let line = match rw.target {
            Target::Horovod => format!("{name} = {}({name}, root_rank=0)", broadcast_object(rw, module)),
            Target::Ddp | Target::Fsdp2 | Target::Accelerate => {
                let broadcast = super::collective::broadcast_list(rw, module, name);
                format!("{name} = [{name}]\n{broadcast}\n{name} = {name}[0]")
            }
            Target::TfDistribute => return super::strategy::refuse_wait(rw, module, tree[stmt].range),
        };
        rw.edits[module].insert_after(stmt, &line);
    }
}

/// Horovod's Keras module lacks this function of the other one.
fn broadcast_object(rw: &mut Rewrite, module: ModuleId) -> String {
    if rw.training.pattern == TrainingPattern::Fit {
        rw.add_import(module, "from horovod.tensorflow import broadcast_object");
        return "broadcast_object".to_owned();
    }
    format!("{}.broadcast_object", rw.engine_name(module))
}

fn expression_statement(rw: &Rewrite, place: ExprPlace) -> Option<StmtId> {
    let tree = rw.trace.tree(place.0);
    let stmt = rw.stmt_of(place)?;
    matches!(tree[stmt].kind, StmtKind::Expr { value } if value == place.1).then_some(stmt)
}

fn is_append_of_writer(rw: &Rewrite, place: ExprPlace) -> bool {
    rw.trace.called_method(place).is_some_and(|(_, m)| m == "append")
        && argument_of(rw.trace.tree(place.0), place.1, "", 0)
            .is_some_and(|a| roots_call(rw.trace, (place.0, a), &super::fit::is_writing_callback))
}

fn guard_opened_file(rw: &mut Rewrite, place: ExprPlace) {
    let (module, expr) = place;
    let tree = rw.trace.tree(module);
    let mode = argument_of(tree, expr, "mode", 1);
    let writes =
        mode.is_some_and(|m| matches!(tree[m].kind, ExprKind::Str(s) if tree.text(s).contains(['w', 'a', 'x', '+'])));
    if let Some(path) = argument_of(tree, expr, "file", 0).filter(|_| writes) {
        open_devnull(rw, (module, path));
    }
}

/// A path that other ranks write to the null device.
fn open_devnull(rw: &mut Rewrite, path: ExprPlace) {
    let module = path.0;
    let rank = rw.rank_text(module);
    let os = rw.import_alias(module, "os").unwrap_or_else(|| {
        rw.add_import(module, "import os");
        "os".to_owned()
    });
    rw.wrap_text(path, "", &format!(" if {rank} == 0 else {os}.devnull"));
    let range = rw.range(path);
    rw.log_change("rank-zero-files", module, range, "only rank 0 writes the file");
}

/// Whether an expression is what a `with` enters, which `None` cannot be.
fn is_context(rw: &Rewrite, place: ExprPlace) -> bool {
    let tree = rw.trace.tree(place.0);
    rw.stmt_of(place).is_some_and(|stmt| match tree[stmt].kind {
        StmtKind::With { items, .. } => tree[items].iter().any(|item| item.context == place.1),
        _ => false,
    })
}

/// Put a condition behind a value, in parentheses unless it is all that a statement assigns.
fn choose_by_rank(rw: &mut Rewrite, place: ExprPlace, condition: &str) {
    let tree = rw.trace.tree(place.0);
    let whole = rw
        .stmt_of(place)
        .is_some_and(|stmt| matches!(tree[stmt].kind, StmtKind::Assign { value, .. } if value == place.1));
    if whole {
        rw.wrap_text(place, "", condition);
    } else {
        rw.wrap_text(place, "(", &format!("{condition})"));
    }
}

/// What libraries log below warnings is told by rank 0 only.
fn log_level(rw: &mut Rewrite, place: ExprPlace) {
    let (module, call) = place;
    let tree = rw.trace.tree(module);
    let Some(given) = call_arguments(tree, call) else { return };
    if let Some(path) = keyword_argument(tree, given, "filename") {
        open_devnull(rw, (module, path));
    }
    let Some(level) = keyword_argument(tree, given, "level") else { return };
    let rank = rw.rank_text(module);
    let logging = rw.import_alias(module, "logging");
    let warning = logging.map_or_else(|| "\"WARNING\"".to_owned(), |logging| format!("{logging}.WARNING"));
    rw.wrap_text((module, level), "", &format!(" if {rank} == 0 else {warning}"));
    let range = rw.range(place);
    rw.log_change("rank-zero-output", module, range, "only rank 0 logs below warnings");
}

/// Every rank may make a folder, if none minds that it exists.
fn guard_directories(rw: &mut Rewrite, place: ExprPlace) {
    let tree = rw.trace.tree(place.0);
    let Some(given) = call_arguments(tree, place.1) else { return };
    match keyword_argument(tree, given, "exist_ok") {
        None => rw.add_argument(place, "exist_ok=True"),
        Some(value) if matches!(tree[value].kind, ExprKind::Bool(false)) => {
            rw.edits[place.0].replace_range(tree[value].range, "True");
        }
        Some(_) => {}
    }
}

/// What rank 0 has saved is read only after it is written.
fn insert_barriers(rw: &mut Rewrite) {
    let tf1 = matches!(
        rw.training.pattern,
        TrainingPattern::Session | TrainingPattern::Monitored | TrainingPattern::Estimator
    );
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        let saves: Vec<ExprId> = tree
            .expr_ids()
            .filter(|&e| {
                matches!(tree[e].kind, ExprKind::Call { .. })
                    && effect_of_call(rw.trace, (module, e)) == Some(OutputEffect::Writes)
            })
            .filter(|&e| {
                rw.trace.called_method((module, e)).is_some_and(|(_, m)| m.starts_with("save"))
                    || rw.trace.called_api((module, e)).is_some_and(|a| a.contains("save"))
            })
            .collect();
        let callbacks = tree.expr_ids().filter(|&e| {
            rw.trace.called_api((module, e)).is_some_and(|api| api == "tf.keras.callbacks.ModelCheckpoint")
        });
        let Some(first) = saves.iter().copied().chain(callbacks).map(|e| tree[e].range.start).min() else { continue };
        let loads: Vec<ExprId> =
            tree.expr_ids().filter(|&e| reads_saved(rw.trace, (module, e)) && tree[e].range.start > first).collect();
        for load in loads {
            let Some(stmt) = rw.stmt_of((module, load)) else { continue };
            if !rw.done.insert((module, load)) || !rw.is_simple(module, stmt) {
                continue;
            }
            let range = tree[load].range;
            if tf1 {
                rw.refuse_at(
                    "checkpoint-in-session",
                    module,
                    range,
                    "a checkpoint is saved and restored in one TF1 run, where ranks cannot wait for each other",
                    "restore in a script of its own",
                );
                continue;
            }
            let line = match rw.target {
                Target::Horovod => {
                    format!("{}(None, root_rank=0)  # wait until rank 0 has written", broadcast_object(rw, module))
                }
                Target::Ddp | Target::Fsdp2 | Target::Accelerate => {
                    format!("{}  # wait until rank 0 has written", super::collective::barrier_call(rw, module))
                }
                Target::TfDistribute => {
                    super::strategy::refuse_wait(rw, module, range);
                    continue;
                }
            };
            rw.edits[module].insert_before(stmt, &line);
            rw.starts_group(module, stmt);
            rw.log_change("wait-for-files", module, range, "all ranks wait until rank 0 has written");
        }
    }
}
