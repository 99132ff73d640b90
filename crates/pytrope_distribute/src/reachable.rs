//! Which functions of imported modules the script may run: others are left as they are, so that only files change that
//! training needs, and loops in them are not this script's.
//!
//! A function runs if its name is mentioned in code that runs: at the level of a module, or in a function that runs. This
//! takes in more than is called, never less: special methods, and methods of classes with a library's base, run when their
//! class is mentioned; a name in a string counts, for `getattr`.

use pytrope_source::Node;
use pytrope_source::tree::{ExprKind, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::index::{class_of, expr_scope, scope_of};
use crate::project::ModuleId;
use crate::trace::{ExprPlace, Trace};

pub struct Reached {
    functions: FxHashSet<(ModuleId, StmtId)>,
}

impl Reached {
    pub fn of(trace: &Trace) -> Self {
        let mut by_name: FxHashMap<&str, Vec<(ModuleId, StmtId)>> = FxHashMap::default();
        let mut names: Vec<&str> = Vec::new();
        for module in 0..trace.project.modules.len() {
            let tree = trace.tree(module);
            for stmt in tree.stmt_ids() {
                if let StmtKind::FunctionDef(function) = tree[stmt].kind {
                    let name = tree.text(function.name.name);
                    by_name.entry(name).or_default().push((module, stmt));
                    // What a library calls by itself.
                    let class = class_of(tree, stmt);
                    let called = class.is_some_and(|class| {
                        name.starts_with("__")
                            || trace.base_classes((module, class)).is_empty() && has_bases(trace, module, class)
                    });
                    if let Some(class) = class.filter(|_| called)
                        && let StmtKind::ClassDef(def) = tree[class].kind
                    {
                        by_name.entry(tree.text(def.name.name)).or_default().push((module, stmt));
                    }
                }
            }
            let at_import = tree
                .expr_ids()
                .filter(|&e| expr_scope(tree, e).is_none() && !in_other_main(trace, module, tree.stmt_of(e)));
            for expr in at_import {
                collect_mentions(trace, (module, expr), &mut names);
            }
        }
        let mut functions = FxHashSet::default();
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        while let Some(name) = names.pop() {
            if !seen.insert(name) {
                continue;
            }
            for &(module, function) in by_name.get(name).into_iter().flatten() {
                if functions.insert((module, function)) {
                    for node in trace.tree(module).descendants(Node::Stmt(function)) {
                        if let Node::Expr(expr) = node {
                            collect_mentions(trace, (module, expr), &mut names);
                        }
                    }
                }
            }
        }
        Self { functions }
    }

    /// Whether an expression may be evaluated when the script runs.
    pub fn is_run(&self, trace: &Trace, (module, expr): ExprPlace) -> bool {
        if module == 0 {
            return true;
        }
        let tree = trace.tree(module);
        if in_other_main(trace, module, tree.stmt_of(expr)) {
            return false;
        }
        let mut scope = expr_scope(tree, expr);
        while let Some(function) = scope {
            if !self.functions.contains(&(module, function)) {
                return false;
            }
            scope = scope_of(tree, function);
        }
        true
    }
}

fn has_bases(trace: &Trace, module: ModuleId, class: StmtId) -> bool {
    let StmtKind::ClassDef(def) = trace.tree(module)[class].kind else { return false };
    def.arguments.is_some_and(|given| !given.positional.is_empty())
}

fn collect_mentions<'a>(trace: &Trace<'a>, (module, expr): ExprPlace, names: &mut Vec<&'a str>) {
    let tree = trace.tree(module);
    match tree[expr].kind {
        ExprKind::Name { name, .. } => names.push(tree.text(name)),
        ExprKind::Attribute { attribute, .. } => names.push(tree.text(attribute.name)),
        ExprKind::Str(text) => names.push(tree.text(text)),
        _ => {}
    }
    // `from helpers import log as note`: the function keeps its own name.
    if let ExprKind::Name { name, .. } = tree[expr].kind
        && let Some((_, bindings)) =
            trace.project.modules[module].index.lookup_name(tree, expr_scope(tree, expr), tree.text(name))
    {
        for binding in bindings {
            if let StmtKind::ImportFrom { names: aliases, .. } = tree[binding.stmt].kind {
                names.extend(tree[aliases].iter().map(|alias| tree.text(alias.name.name)));
            }
        }
    }
}

/// Whether a statement stands under `if __name__ == "__main__"` of a module that is imported.
fn in_other_main(trace: &Trace, module: ModuleId, stmt: Option<StmtId>) -> bool {
    if module == 0 {
        return false;
    }
    let tree = trace.tree(module);
    let mut at = stmt;
    while let Some(here) = at {
        if let StmtKind::If { test, .. } = tree[here].kind
            && tree.enclosing(here).is_none()
            && tree.descendants(Node::Expr(test)).any(
                |node| matches!(node, Node::Expr(e) if tree.as_name(e).is_some_and(|n| tree.text(n) == "__name__")),
            )
        {
            return true;
        }
        at = tree.enclosing(here);
    }
    false
}
