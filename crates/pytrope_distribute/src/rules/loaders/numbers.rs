//! Numbers of the training loop that people read are those of all ranks.
//!
//! ```python
//! for x, y in loader:                      # for x, y in loader:
//!     total += loss.item() * len(x)        #     total += loss.item() * len(x)
//! print(total / len(data))                 # total = sum_over_ranks(total)
//!                                          # if dist.get_rank() == 0:
//!                                          #     print(total / len(data))
//!
//! print(loss.item())                       # mean_loss = sum_over_ranks(loss.item()) / dist.get_world_size()
//!                                          # if dist.get_rank() == 0:
//!                                          #     print(mean_loss)
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtId, StmtKind, StringPart};

use super::metrics::{added_value, reduced_names, starts_anew, summed_names};
use super::scale::{Scale, Scales};
use super::sizes::whole_shape;
use super::sum_over_ranks;
use crate::index::{exprs_in, scope_of};
use crate::project::ModuleId;
use crate::restrict::same_everywhere;
use crate::rewrite::Rewrite;
use crate::rules::rank_zero::is_shown;
use crate::trace::{call_arguments, keyword_argument};

const RULE: &str = "reduce-metrics";

/// Reduce what a loop over the training samples adds up, and what is shown of it.
///
/// `divided` names arrays of which this rank has its own rows.
pub fn reduce_numbers(rw: &mut Rewrite, module: ModuleId, l: StmtId, divided: &[String]) {
    let reduced = reduce_totals(rw, module, l, divided);
    let tree = rw.trace.tree(module);
    let read: Vec<(StmtId, Vec<ExprId>)> = tree
        .stmt_ids()
        .filter(|&stmt| scope_of(tree, stmt) == scope_of(tree, l) && tree[stmt].range.start > tree[l].range.start)
        .filter_map(|stmt| Some((stmt, numbers_read(rw, module, l, stmt)?)))
        .collect();
    for (stmt, numbers) in read {
        if decided_alike(rw, module, stmt) {
            reduce_read(rw, module, l, stmt, numbers, &reduced, divided);
        }
    }
}

/// The numbers of a statement that are read by people, or that leave the loop: what is shown; after the loop, what is kept in a
/// list or returned.
///
/// ```python
/// for x, y in loader:
///     losses.append(step(x, y))
/// history.append(np.mean(losses))          # history.append(mean_losses)
/// return np.mean(losses)                   # return mean_losses
/// ```
///
/// What a generator yields leaves its loop too.
fn numbers_read(rw: &Rewrite, module: ModuleId, l: StmtId, stmt: StmtId) -> Option<Vec<ExprId>> {
    let tree = rw.trace.tree(module);
    let is_after = tree[stmt].range.start > tree[l].range.end;
    match tree[stmt].kind {
        StmtKind::Expr { value } if matches!(tree[value].kind, ExprKind::Yield { .. }) => match tree[value].kind {
            ExprKind::Yield { value: Some(number) } if is_number(rw, module, number) => Some(vec![number]),
            _ => None,
        },
        StmtKind::Expr { value: call } => {
            let given = call_arguments(tree, call)?;
            if rw.done.contains(&(module, call)) {
                return None;
            }
            let is_kept = is_after
                && rw.trace.called_method((module, call)).is_some_and(|(_, method)| method == "append")
                && !has_graph(rw, module, &tree[given.positional]);
            if is_kept {
                return Some(tree[given.positional].to_vec());
            }
            let is_read = is_shown(rw, (module, call)) && keyword_argument(tree, given, "file").is_none();
            let arguments = tree[given.positional].iter().copied().chain(tree[given.keywords].iter().map(|k| k.value));
            is_read.then(|| arguments.collect())
        }
        StmtKind::Return { value: Some(value) } if is_after && !has_graph(rw, module, &[value]) => Some(vec![value]),
        _ => None,
    }
}

/// `loss.item()`, `float(loss)`, or a tuple of such: what is handed on is a number, and no tensor that a loss may be computed of.
fn is_number(rw: &Rewrite, module: ModuleId, expr: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::Tuple { elements, .. } => tree[elements].iter().all(|&e| is_number(rw, module, e)),
        ExprKind::Call { .. } => {
            rw.trace.called_method((module, expr)).is_some_and(|(_, method)| method == "item")
                || rw.trace.called_api((module, expr)).as_deref() == Some("builtins.float")
        }
        ExprKind::BinOp { left, right, .. } => is_number(rw, module, left) || is_number(rw, module, right),
        _ => false,
    }
}

/// Whether a number that is kept may still be a tensor that a loss is computed of.
fn has_graph(rw: &Rewrite, module: ModuleId, numbers: &[ExprId]) -> bool {
    let tree = rw.trace.tree(module);
    numbers.iter().any(|&number| match tree[number].kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => has_graph(rw, module, &tree[elements]),
        ExprKind::Dict { items } => {
            has_graph(rw, module, &tree[items].iter().map(|item| item.value).collect::<Vec<_>>())
        }
        ExprKind::Name { .. } => {
            let steps = &rw.training.steps;
            steps.iter().any(|&step| {
                step.0 == module
                    && rw
                        .trace
                        .called_method(step)
                        .is_some_and(|(loss, _)| rw.text((module, loss)) == rw.text((module, number)))
            })
        }
        _ => false,
    })
}

/// The sums of a loop that are read after it, reduced where it ends.
fn reduce_totals(rw: &mut Rewrite, module: ModuleId, l: StmtId, divided: &[String]) -> Vec<String> {
    let tree = rw.trace.tree(module);
    let mut found: Vec<(String, Scale)> = Vec::new();
    for name in summed_names(rw, module, l) {
        if starts_anew(rw, module, l, &name) && read_after(rw, module, l, &name) {
            let scale = added_scale(rw, module, l, &name, divided);
            found.push((name, scale));
        }
    }
    // Sums are divided by each other: reducing some of them would be worse than none.
    let open = found.iter().any(|(_, scale)| matches!(scale, Scale::Open | Scale::Batch));
    found.retain(|(_, scale)| *scale == Scale::Mean || *scale == Scale::Sum && !open);
    let mut lines: Vec<String> = Vec::new();
    for (name, scale) in &found {
        let function = sum_over_ranks(rw, module);
        let size = rw.size_text(module);
        let divisor = if *scale == Scale::Mean { format!(" / {size}") } else { String::new() };
        lines.push(format!("{name} = {function}({name}){divisor}"));
    }
    let reduced: Vec<String> = found.into_iter().map(|(name, _)| name).collect();
    if !lines.is_empty() && rw.reduced_loops.insert((module, l)) {
        rw.edits[module].insert_after(l, &lines.join("\n"));
        let range = tree[l].range;
        rw.log_change(RULE, module, range, reduced_names(&reduced));
    }
    reduced
}

/// The scale of what a loop adds to a name.
fn added_scale(rw: &Rewrite, module: ModuleId, l: StmtId, name: &str, divided: &[String]) -> Scale {
    let tree = rw.trace.tree(module);
    let scales = Scales { rw, module, looped: l, reduced: &[], divided, parameters: &[] };
    let mut scale: Option<Scale> = None;
    for node in tree.descendants(Node::Stmt(l)) {
        if let Node::Stmt(stmt) = node
            && let Some((_, value)) = added_value(tree, stmt).filter(|(added, _)| *added == name)
        {
            let added = scales.of(value);
            scale = Some(if scale.is_none_or(|known| known == added) { added } else { Scale::Open });
        }
    }
    scale.unwrap_or(Scale::Open)
}

fn read_after(rw: &Rewrite, module: ModuleId, l: StmtId, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    tree.expr_ids().any(|e| {
        tree[e].range.start > tree[l].range.end
            && matches!(tree[e].kind, ExprKind::Name { name: n, context: Context::Load } if tree.text(n) == name)
            && crate::index::expr_scope(tree, e) == scope_of(tree, l)
    })
}

/// Whether all ranks come to a statement together.
pub(super) fn decided_alike(rw: &Rewrite, module: ModuleId, stmt: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    let mut at = tree.enclosing(stmt);
    while let Some(outer) = at {
        let test = match tree[outer].kind {
            StmtKind::If { test, clauses, .. } => {
                if tree[clauses].iter().filter_map(|c| c.test).any(|t| !same_everywhere(rw, module, t, 4)) {
                    return false;
                }
                Some(test)
            }
            StmtKind::While { test, .. } => Some(test),
            StmtKind::Try { .. } | StmtKind::Match { .. } => return false,
            StmtKind::FunctionDef(_) => return true,
            _ => None,
        };
        if test.is_some_and(|test| !same_everywhere(rw, module, test, 4)) {
            return false;
        }
        at = tree.enclosing(outer);
    }
    true
}

/// Reduce the numbers that a statement reads.
fn reduce_read(
    rw: &mut Rewrite,
    module: ModuleId,
    l: StmtId,
    stmt: StmtId,
    mut todo: Vec<ExprId>,
    reduced: &[String],
    divided: &[String],
) {
    let tree = rw.trace.tree(module);
    todo.reverse();
    let mut lines: Vec<String> = Vec::new();
    let mut known: Vec<(String, String)> = Vec::new();
    while let Some(expr) = todo.pop() {
        let scales = Scales { rw, module, looped: l, reduced, divided, parameters: &[] };
        let scale = scales.of(expr);
        if scale == Scale::Batch && scales.is_size(expr) {
            if let Some(text) = whole_shape(rw, module, expr, &mut lines) {
                rw.edits[module].replace_range(tree[expr].range, text);
            }
            continue;
        }
        let word = match scale {
            Scale::Mean => "mean",
            Scale::Sum => "total",
            Scale::Same | Scale::Batch => continue,
            Scale::Open => {
                todo.extend(shown_parts(rw, module, expr).into_iter().rev());
                continue;
            }
        };
        let text = rw.text((module, expr)).to_owned();
        if text.contains('\n') || rw.edits[module].list().iter().any(|e| tree[expr].range.contains_range(e.range)) {
            continue;
        }
        let name = if let Some((_, name)) = known.iter().find(|(of, _)| *of == text) {
            name.clone()
        } else {
            let base = format!("{word}_{}", reduced_subject(rw, module, expr));
            let name = rw.edits[module].fresh_name(&base);
            let function = sum_over_ranks(rw, module);
            let size = rw.size_text(module);
            let divisor = if scale == Scale::Mean { format!(" / {size}") } else { String::new() };
            lines.push(format!("{name} = {function}({text}){divisor}"));
            known.push((text, name.clone()));
            name
        };
        rw.edits[module].replace_range(tree[expr].range, name);
    }
    if !lines.is_empty() {
        rw.edits[module].insert_before(stmt, &lines.join("\n"));
        rw.starts_group(module, stmt);
        if let StmtKind::Expr { value: call } = tree[stmt].kind {
            rw.done.insert((module, call));
        }
        rw.log_change(RULE, module, tree[stmt].range, "what is shown is reduced over the ranks");
    }
}

/// The parts of a text that is put together: of an f-string, of `%` and of `format`.
fn shown_parts(rw: &Rewrite, module: ModuleId, expr: ExprId) -> Vec<ExprId> {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::FString { parts } => tree[parts]
            .iter()
            .filter_map(|part| match part {
                StringPart::Interpolation { value, .. } => Some(*value),
                StringPart::Literal(_) => None,
            })
            .collect(),
        ExprKind::BinOp { left, op: BinaryOperator::Mod | BinaryOperator::Add, right } => vec![left, right],
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].to_vec(),
        ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
        ExprKind::Call { arguments: given, .. } => {
            let formats = rw.trace.called_method((module, expr)).is_some_and(|(_, m)| m == "format")
                || rw
                    .trace
                    .called_api((module, expr))
                    .is_some_and(|api| matches!(api.as_str(), "builtins.str" | "builtins.round" | "builtins.format"));
            if !formats {
                return Vec::new();
            }
            tree[given.positional].iter().copied().chain(tree[given.keywords].iter().map(|k| k.value)).collect()
        }
        _ => Vec::new(),
    }
}

/// A word for what is shown: the first name of its expression.
fn reduced_subject(rw: &Rewrite, module: ModuleId, expr: ExprId) -> String {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Expr(expr))
        .find_map(|node| match node {
            Node::Expr(e) => {
                tree.as_name(e).map(|n| tree.text(n)).filter(|n| n.starts_with(|c: char| c.is_ascii_lowercase()))
            }
            Node::Stmt(_) => None,
        })
        .filter(|name| !matches!(*name, "np" | "torch" | "sum" | "self" | "len" | "float"))
        .unwrap_or("value")
        .to_owned()
}

/// Whether a number is a mean over the samples of a rank, as a loss of a training loop of the same module is.
pub fn is_mean_over_samples(rw: &Rewrite, module: ModuleId, expr: ExprId) -> bool {
    let loops = crate::rules::train_data::training_loops(rw, &rw.training.steps);
    loops.iter().any(|&(home, looped)| {
        home == module
            && Scales { rw, module, looped, reduced: &[], divided: &[], parameters: &[] }.of(expr) == Scale::Mean
    })
}

/// Whether all sums of a loop are totals over samples, which parts of the samples add up to.
pub fn only_totals(rw: &Rewrite, module: ModuleId, l: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    let scales = Scales { rw, module, looped: l, reduced: &[], divided: &[], parameters: &[] };
    tree.descendants(Node::Stmt(l)).all(|node| match node {
        Node::Stmt(stmt) => match (tree[stmt].kind, added_value(tree, stmt)) {
            (StmtKind::AugAssign { op: BinaryOperator::Add, value, .. }, _) | (_, Some((_, value))) => {
                scales.of(value) == Scale::Sum
            }
            (StmtKind::AugAssign { .. }, None) => false,
            _ => true,
        },
        Node::Expr(_) => true,
    }) && exprs_in(tree, l).next().is_some()
}
