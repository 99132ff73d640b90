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
use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtId, StmtKind};

use super::metrics::{added_value, reduced_names, starts_anew, summed_names};
use super::scale::{Scale, Scales};
use super::sizes::whole_shape;
use super::sum_over_ranks;
use crate::index::{Kind, exprs_in, scope_of};
use crate::outputs::is_shown;
use crate::project::ModuleId;
use crate::restrict::same_everywhere;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, call_arguments, keyword_argument};

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
    let feeds_loss = |list: ExprId| {
        tree.stmt_ids().any(|other| match tree[other].kind {
            StmtKind::Assign { value, .. } => {
                let names = crate::identify::assigned_names(rw.trace, module, other);
                let is_loss = rw.training.steps.iter().any(|&step| {
                    step.0 == module
                        && rw
                            .trace
                            .called_method(step)
                            .is_some_and(|(loss, _)| names.contains(&rw.text((module, loss))))
                });
                is_loss
                    && tree
                        .descendants(Node::Expr(value))
                        .any(|node| matches!(node, Node::Expr(e) if rw.text((module, e)) == rw.text((module, list))))
            }
            _ => false,
        })
    };
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
            if let Some((list, "append")) = rw.trace.called_method((module, call)) {
                let items = &tree[given.positional];
                let is_kept = if is_after {
                    !has_graph(rw, module, items) || !feeds_loss(list)
                } else {
                    items.iter().all(|&item| is_number(rw, module, item)) && is_read_by_item(rw, module, list)
                };
                return is_kept.then(|| items.to_vec());
            }
            if !is_after && is_meter_update(rw, module, call) {
                let keywords = tree[given.keywords].iter().map(|k| k.value);
                return Some(tree[given.positional].iter().copied().chain(keywords).collect());
            }
            if is_archive(rw, (module, call)) {
                return Some(tree[given.positional].first().copied().into_iter().collect());
            }
            let is_read = (is_shown(rw.trace, (module, call)) || crate::outputs::writes_text(rw.trace, (module, call)))
                && keyword_argument(tree, given, "file").is_none();
            let arguments = tree[given.positional].iter().copied().chain(tree[given.keywords].iter().map(|k| k.value));
            is_read.then(|| arguments.collect())
        }
        StmtKind::Return { value: Some(value) } if is_after && !has_graph(rw, module, &[value]) => Some(vec![value]),
        _ => None,
    }
}

/// Whether a call gives numbers to an object that is shown as a whole: `meter.update(loss.item(), len(x))` before `display(meter)`.
fn is_meter_update(rw: &Rewrite, module: ModuleId, call: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    let Some((meter, _)) = rw.trace.called_method((module, call)) else { return false };
    let (Some(_), Some(given)) = (tree.as_name(meter), call_arguments(tree, call)) else { return false };
    let is_meter = rw.trace.class_of((module, meter)).is_some_and(|class| {
        !rw.trace.descends_from(class, &|api| api.ends_with("nn.Module"))
            && rw.trace.project_callee((module, call)).is_some()
    });
    let is_plain = |e: ExprId| {
        is_number(rw, module, e)
            || tree[e].kind.is_literal()
            || rw.trace.called_api((module, e)).as_deref() == Some("builtins.len")
            || rw.trace.called_method((module, e)).is_some_and(|(_, method)| method == "size")
            || matches!(tree[e].kind, ExprKind::Subscript { value, .. }
                if matches!(tree[value].kind, ExprKind::Attribute { attribute, .. } if tree.text(attribute.name) == "shape"))
    };
    let mut given = tree[given.positional].iter().copied().chain(tree[given.keywords].iter().map(|k| k.value));
    let scope = crate::index::expr_scope(tree, meter);
    let is_whole = |e: ExprId| {
        tree.as_name(e).is_some()
            && rw.text((module, e)) == rw.text((module, meter))
            && crate::index::expr_scope(tree, e) == scope
            && matches!(tree[e].kind, ExprKind::Name { context: Context::Load, .. })
            && !crate::index::parent_expr(tree, e)
                .is_some_and(|parent| matches!(tree[parent].kind, ExprKind::Attribute { .. }))
    };
    is_meter && given.all(is_plain) && tree.expr_ids().any(is_whole)
}

/// Whether a call puts numbers by name into a file.
fn is_archive(rw: &Rewrite, place: ExprPlace) -> bool {
    rw.trace.called_api(place).is_some_and(|api| matches!(api.as_str(), "torch.save" | "json.dump" | "pickle.dump"))
}

/// Whether a list of numbers is read otherwise than by its sum, mean or length, as a plot or a file does: then each of its numbers
/// must be that of all ranks.
fn is_read_by_item(rw: &Rewrite, module: ModuleId, list: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    let Some(path) = tree.dotted(list) else { return false };
    let Some(&last) = path.last() else { return false };
    let attribute = (path.len() > 1).then_some(last);
    let scope = crate::index::expr_scope(tree, list);
    let is_total = |e: ExprId, tree: &pytrope_source::Tree, module: ModuleId| {
        crate::index::parent_expr(tree, e).is_some_and(|parent| match tree[parent].kind {
            ExprKind::Call { .. } => rw.trace.called_api((module, parent)).is_some_and(|api| {
                matches!(
                    api.as_str(),
                    "builtins.sum" | "builtins.len" | "np.mean" | "np.sum" | "np.average" | "statistics.mean"
                )
            }),
            ExprKind::Attribute { attribute, .. } => {
                matches!(tree.text(attribute.name), "append" | "clear" | "pop" | "extend")
            }
            _ => false,
        })
    };
    let mut modules = if attribute.is_some() { 0..rw.project.modules.len() } else { module..module + 1 };
    modules.any(|m| {
        let tree = rw.trace.tree(m);
        tree.expr_ids().any(|e| {
            let is_it = match (tree[e].kind, attribute) {
                (ExprKind::Attribute { attribute: named, context: Context::Load, .. }, Some(attribute)) => {
                    tree.text(named.name) == attribute
                }
                (ExprKind::Name { name, context: Context::Load }, None) => {
                    tree.text(name) == last && crate::index::expr_scope(tree, e) == scope
                }
                _ => false,
            };
            is_it && !is_total(e, tree, m)
        })
    })
}

/// `loss.item()`, `float(loss)`, or a tuple of such: what is handed on is a number, and no tensor that a loss may be computed of.
fn is_number(rw: &Rewrite, module: ModuleId, expr: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::Name { .. } => {
            let reaching = rw.project.modules[module].index.reaching_bindings(expr);
            !reaching.is_empty()
                && reaching.iter().all(|binding| match binding.kind {
                    Kind::Value(value) => value != expr && is_number(rw, module, value),
                    _ => false,
                })
        }
        ExprKind::Tuple { elements, .. } => tree[elements].iter().all(|&e| is_number(rw, module, e)),
        ExprKind::Call { .. } => {
            let plain = |method: &str| matches!(method, "item" | "numpy" | "detach" | "tolist");
            rw.trace.called_method((module, expr)).is_some_and(|(receiver, method)| {
                plain(method) || matches!(method, "cpu" | "clone" | "squeeze") && is_number(rw, module, receiver)
            }) || rw.trace.called_api((module, expr)).as_deref() == Some("builtins.float")
        }
        ExprKind::BinOp { left, right, .. } => is_number(rw, module, left) || is_number(rw, module, right),
        ExprKind::Attribute { attribute, .. } => tree.text(attribute.name) == "data",
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
            // Whether an exception comes is taken to be the same on all ranks, but not what it is.
            StmtKind::Try { handlers, .. } => {
                let is_inside = |s: StmtId| tree[s].range.contains_range(tree[stmt].range);
                if tree[handlers].iter().any(|handler| tree[handler.body].iter().any(|&s| is_inside(s))) {
                    return false;
                }
                None
            }
            StmtKind::Match { .. } => return false,
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
    let mut bound: Vec<(StmtId, ExprId)> = Vec::new();
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
                bound.extend(shown_binding(rw, module, l, expr));
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
    for (stmt, value) in bound {
        if rw.done.insert((module, value)) && decided_alike(rw, module, stmt) {
            reduce_read(rw, module, l, stmt, vec![value], reduced, divided);
        }
    }
}

/// Where a name that is shown gets its value, if the value is for nothing else: its parts are reduced there.
///
/// ```python
/// loss, current = loss.item(), batch * 64 + len(x)
/// print(loss, current)
/// ```
fn shown_binding(rw: &Rewrite, module: ModuleId, l: StmtId, expr: ExprId) -> Option<(StmtId, ExprId)> {
    let tree = rw.trace.tree(module);
    let name = tree.text(tree.as_name(expr)?);
    let index = &rw.project.modules[module].index;
    let reaching = index.reaching_bindings(expr);
    let [binding] = reaching[..] else { return None };
    let value = match binding.kind {
        Kind::Value(value) => value,
        Kind::Element(value, i) => match tree[value].kind {
            ExprKind::Tuple { elements, .. } => *tree[elements].get(i)?,
            _ => return None,
        },
        _ => return None,
    };
    let is_later = tree[binding.stmt].range.start > tree[l].range.start;
    let scope = scope_of(tree, binding.stmt);
    let is_only_shown = tree.expr_ids().all(|e| {
        let is_read = matches!(tree[e].kind, ExprKind::Name { name: n, context: Context::Load } if tree.text(n) == name)
            && crate::index::expr_scope(tree, e) == scope
            && index.reaching_bindings(e).iter().any(|other| other.stmt == binding.stmt);
        !is_read
            || tree.stmt_of(e).is_some_and(
                |stmt| matches!(tree[stmt].kind, StmtKind::Expr { value } if is_shown(rw.trace, (module, value))),
            )
    });
    (is_later && scope == scope_of(tree, l) && is_only_shown).then_some((binding.stmt, value))
}

/// The parts of a value that is computed of several: where it is none that can be reduced, its parts may be. What is not computed in
/// every case has none.
fn shown_parts(rw: &Rewrite, module: ModuleId, expr: ExprId) -> Vec<ExprId> {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::FString { parts } => tree.interpolated_values(parts).collect(),
        ExprKind::BinOp { left, right, .. } => vec![left, right],
        ExprKind::UnaryOp { operand: part, .. }
        | ExprKind::Starred { value: part, .. }
        | ExprKind::Attribute { value: part, .. } => vec![part],
        ExprKind::Subscript { value, index, .. } => vec![value, index],
        ExprKind::Compare { left, comparators, .. } => [&[left][..], &tree[comparators]].concat(),
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].to_vec(),
        ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
        ExprKind::Call { function, arguments: given } => {
            let receiver = match tree[function].kind {
                ExprKind::Attribute { value, .. } => Some(value),
                _ => None,
            };
            let keywords = tree[given.keywords].iter().map(|k| k.value);
            receiver.into_iter().chain(tree[given.positional].iter().copied()).chain(keywords).collect()
        }
        _ => Vec::new(),
    }
}

/// A word for what is shown: the first name of its expression.
pub(super) fn reduced_subject(rw: &Rewrite, module: ModuleId, expr: ExprId) -> String {
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
