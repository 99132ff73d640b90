//! Metrics of evaluation loops: each rank evaluates its part, and the sums are reduced over the ranks.
//!
//! ```python
//! for x, y in test_loader:                 # for x, y in test_loader:
//!     correct += (model(x) == y).sum()     #     correct += (model.module(x) == y).sum()
//!                                          # correct = sum_over_ranks(correct)
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtId, StmtKind, Tree};

use super::numbers::only_totals;
use super::{add_sampler, is_shared, sum_over_ranks, whole};
use crate::data::{Data, DataFinder, strip_passing};
use crate::index::{exprs_in, loops_around, parent_expr, scope_of};
use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::rules::ddp::{Wrapped, devices, is_wrapped, may_be_plain, unwrap_module};
use crate::trace::ExprPlace;

const RULE: &str = "reduce-metrics";

/// A loop over the batches of loaders that does not train.
pub struct EvaluationLoop {
    pub module: ModuleId,
    pub stmt: StmtId,
    /// The loader as the loop names it.
    pub at: ExprPlace,
    /// The calls that may have made it.
    loaders: Vec<ExprPlace>,
}

impl EvaluationLoop {
    /// Whether a function makes this loop's loader and one that is trained with.
    fn shares_maker(&self, rw: &Rewrite, trained: &[ExprPlace]) -> bool {
        self.loaders.iter().any(|loader| trained.contains(loader) && is_shared(rw, *loader))
    }

    /// Whether what leaves the loop can be reduced over the ranks.
    fn is_reducible(&self, rw: &Rewrite, wrapped: &[Wrapped]) -> bool {
        only_sums(rw, self.module, self.stmt)
            && only_totals(rw, self.module, self.stmt)
            && sees_modules(rw, self.module, self.stmt, wrapped).is_some()
    }
}

/// The loops over loaders, besides those that train.
pub fn evaluation_loops(rw: &Rewrite, training: &[(ModuleId, StmtId)]) -> Vec<EvaluationLoop> {
    let mut loops = Vec::new();
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for stmt in tree.stmt_ids() {
            let StmtKind::For { iter, .. } = tree[stmt].kind else { continue };
            if training.contains(&(module, stmt)) {
                continue;
            }
            let at = strip_passing(rw.trace, (module, iter));
            let mut finder = DataFinder::new(rw.trace);
            finder.visit_value(at, true);
            let loaders: Vec<ExprPlace> =
                finder.found.iter().filter_map(|d| if let Data::Loader(l) = d { Some(*l) } else { None }).collect();
            if !loaders.is_empty() {
                loops.push(EvaluationLoop { module, stmt, at, loaders });
            }
        }
    }
    loops
}

/// Loops whose loader a function has divided with the training's, and whose results are more than sums, read all samples.
pub fn undo_division(rw: &mut Rewrite, loops: &[EvaluationLoop], trained: &[ExprPlace], wrapped: &[Wrapped]) {
    for found in loops {
        if found.shares_maker(rw, trained)
            && !found.is_reducible(rw, wrapped)
            && !leaves_loop(rw, found.module, found.stmt)
        {
            whole::read_whole(rw, found);
        }
    }
}

/// Evaluation loops whose only results are sums: their loaders are divided too.
pub fn divide_evaluation(rw: &mut Rewrite, loops: &[EvaluationLoop], trained: &[ExprPlace], wrapped: &[Wrapped]) {
    let clean = |rw: &Rewrite, loader: &ExprPlace| {
        !trained.contains(loader)
            && loops.iter().filter(|found| found.loaders.contains(loader)).all(|found| {
                found.loaders.iter().all(|other| !trained.contains(other))
                    && rw.target != Target::Fsdp2
                    && !devices::leaves_inputs_behind(rw, found.module, found.stmt)
                    && found.is_reducible(rw, wrapped)
                    && rw.trace.tree(found.at.0).dotted(found.at.1).is_some()
            })
    };
    let mut divided: Vec<ExprPlace> = Vec::new();
    for loader in loops.iter().flat_map(|found| &found.loaders) {
        if !divided.contains(loader) && clean(rw, loader) && !has_sampler(rw, *loader) {
            add_sampler(rw, *loader, false);
            divided.push(*loader);
        }
    }
    for found in loops {
        let (module, l) = (found.module, found.stmt);
        let reduced = found.shares_maker(rw, trained) && found.is_reducible(rw, wrapped);
        if found.loaders.iter().all(|loader| divided.contains(loader)) || reduced {
            // The parts differ in length, and a wrapped module's forward pass may wait for the other ranks.
            for called in sees_modules(rw, module, l, wrapped).unwrap_or_default() {
                unwrap_module(rw, wrapped, (module, called));
            }
            reduce_sums(rw, module, l);
        }
    }
}

/// The wrapped modules that a loop calls; `None` where one is handed to a function, or may be another module.
fn sees_modules(rw: &Rewrite, module: ModuleId, l: StmtId, wrapped: &[Wrapped]) -> Option<Vec<ExprId>> {
    let tree = rw.trace.tree(module);
    let mut called = Vec::new();
    for e in exprs_in(tree, l) {
        if !is_wrapped(rw, wrapped, (module, e), 6) {
            continue;
        }
        match parent_expr(tree, e).map(|parent| tree[parent].kind) {
            Some(ExprKind::Call { function, .. }) if function == e => {
                if may_be_plain(rw, wrapped, (module, e)) {
                    return None;
                }
                called.push(e);
            }
            Some(ExprKind::Attribute { .. }) => {}
            _ => return None,
        }
    }
    Some(called)
}

fn has_sampler(rw: &Rewrite, loader: ExprPlace) -> bool {
    ["sampler", "batch_sampler"].iter().any(|name| crate::rules::ddp::has_keyword(rw, loader, name))
}

/// The names that a loop adds to.
pub(super) fn summed_names(rw: &Rewrite, module: ModuleId, l: StmtId) -> Vec<String> {
    let tree = rw.trace.tree(module);
    let mut names: Vec<String> = Vec::new();
    for node in tree.descendants(Node::Stmt(l)) {
        if let Node::Stmt(stmt) = node
            && let Some((name, _)) = added_value(tree, stmt)
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// The name that a statement adds to, and what it adds: `total += x`, `total = total + x`, `total = x + total`.
pub(super) fn added_value(tree: &Tree, stmt: StmtId) -> Option<(&str, ExprId)> {
    let name_of = |e: ExprId| tree.as_name(e).map(|name| tree.text(name));
    match tree[stmt].kind {
        StmtKind::AugAssign { target, op: BinaryOperator::Add, value } => Some((name_of(target)?, value)),
        StmtKind::Assign { targets, value } => {
            let [target] = tree[targets][..] else { return None };
            let ExprKind::BinOp { left, op: BinaryOperator::Add, right } = tree[value].kind else { return None };
            let name = name_of(target)?;
            if name_of(left) == Some(name) {
                Some((name, right))
            } else if name_of(right) == Some(name) {
                Some((name, left))
            } else {
                None
            }
        }
        _ => None,
    }
}

/// Whether nothing but sums leaves a loop: no list grows in it, no name that it binds is read after it.
fn only_sums(rw: &Rewrite, module: ModuleId, l: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    let added = summed_names(rw, module, l);
    if added.is_empty() {
        return false;
    }
    let grows = exprs_in(tree, l).any(|e| {
        rw.trace
            .called_method((module, e))
            .is_some_and(|(_, m)| matches!(m, "append" | "extend" | "update" | "add" | "write" | "step"))
    });
    let mut bound: Vec<&str> = Vec::new();
    for node in tree.descendants(Node::Stmt(l)) {
        if let Node::Stmt(s) = node {
            bound.extend(crate::identify::assigned_names(rw.trace, module, s));
        }
    }
    let read_after = tree.expr_ids().any(|e| {
        let after = tree[e].range.start > tree[l].range.end && crate::index::expr_scope(tree, e) == scope_of(tree, l);
        after
            && matches!(tree[e].kind, ExprKind::Name { name, context: pytrope_source::tree::Context::Load }
                if bound.contains(&tree.text(name)) && !added.iter().any(|a| a == tree.text(name)) && !rebound_after(rw, module, l, tree.text(name)))
    });
    // What is shown of each batch would be that of a rank's part.
    let shows = exprs_in(tree, l).any(|e| {
        matches!(tree[e].kind, ExprKind::Call { .. }) && crate::outputs::effect_of_call(rw.trace, (module, e)).is_some()
    });
    !grows && !shows && !leaves_loop(rw, module, l) && !read_after
}

/// Whether a loop ends before its data does.
fn leaves_loop(rw: &Rewrite, module: ModuleId, l: StmtId) -> bool {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Stmt(l))
        .any(|n| matches!(n, Node::Stmt(s) if matches!(tree[s].kind, StmtKind::Break | StmtKind::Return { .. })))
}

/// Whether a name is bound again after a loop, so that later reads mean another value.
fn rebound_after(rw: &Rewrite, module: ModuleId, l: StmtId, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    tree.stmt_ids().any(|s| {
        tree[s].range.start > tree[l].range.end
            && scope_of(tree, s) == scope_of(tree, l)
            && crate::identify::assigned_names(rw.trace, module, s).contains(&name)
    })
}

fn reduce_sums(rw: &mut Rewrite, module: ModuleId, l: StmtId) {
    let tree = rw.trace.tree(module);
    let names: Vec<String> =
        summed_names(rw, module, l).into_iter().filter(|name| starts_anew(rw, module, l, name)).collect();
    if names.is_empty() || !rw.reduced_loops.insert((module, l)) {
        return;
    }
    let function = sum_over_ranks(rw, module);
    let lines: Vec<String> = names.iter().map(|name| format!("{name} = {function}({name})")).collect();
    rw.edits[module].insert_after(l, &lines.join("\n"));
    let range = tree[l].range;
    rw.log_change(RULE, module, range, reduced_names(&names));
}

/// What is said of numbers that are reduced.
pub(super) fn reduced_names(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb} reduced over the ranks", names.join(", "))
}

/// Whether a sum begins before its loop and not before a loop around it: else it would be reduced again and again.
pub(super) fn starts_anew(rw: &Rewrite, module: ModuleId, l: StmtId, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    let around = loops_around(tree, l).into_iter().find(|&outer| outer != l);
    tree.stmt_ids().any(|stmt| {
        tree[stmt].range.end <= tree[l].range.start
            && scope_of(tree, stmt) == scope_of(tree, l)
            && around.is_none_or(|outer| tree[outer].range.contains_range(tree[stmt].range))
            && crate::identify::assigned_names(rw.trace, module, stmt).contains(&name)
    })
}
