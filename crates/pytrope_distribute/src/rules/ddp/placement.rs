//! Where a trained module is wrapped: after all that makes and moves it, and before all that keeps or trains it.

use pytrope_source::tree::{ExprKind, StmtId, StmtKind};

use super::trained_modules;
use crate::index::{Scope, expr_scope, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::argument_of;

/// The `if` that chooses between optimizers of one module, of which `optimizer` makes one: the module is wrapped before it,
/// whichever is chosen.
///
/// ```python
/// if name == "sgd":                                  # model = DDP(model)
///     optimizer = SGD(model.parameters(), lr)        # if name == "sgd": …
/// else:
///     optimizer = Adam(model.parameters(), lr)
/// ```
pub fn chosen_between(rw: &Rewrite, module: ModuleId, optimizer: StmtId, name: &str) -> StmtId {
    let tree = rw.trace.tree(module);
    let mut chosen = optimizer;
    let mut inner = optimizer;
    while let Some(outer) = tree.enclosing(inner) {
        if !matches!(tree[outer].kind, StmtKind::If { .. }) {
            break;
        }
        let range = tree[outer].range;
        let is_inside = |stmt: &StmtId| *stmt != outer && range.contains_range(tree[*stmt].range);
        let sets = |stmt: StmtId| {
            moves_module(rw, module, stmt, name)
                || matches!(tree[stmt].kind, StmtKind::Assign { targets, .. }
                    if tree[targets].iter().any(|&target| rw.text((module, target)) == name))
        };
        if tree.stmt_ids().filter(is_inside).any(sets) {
            break;
        }
        let makers = rw.training.optimizers.iter().filter(|(m, call)| {
            *m == module
                && range.contains_range(tree[*call].range)
                && trained_modules(rw.trace, (*m, *call)).iter().any(|&trained| rw.text(trained) == name)
        });
        if makers.count() > 1 {
            chosen = outer;
        }
        inner = outer;
    }
    chosen
}

/// Where a module that another object keeps before its optimizer is made is wrapped: after it was last set, so that the
/// list, the trainer or the second name has the wrapper too.
pub fn kept_elsewhere(rw: &Rewrite, module: ModuleId, scope: Scope, optimizer: StmtId, name: &str) -> Option<StmtId> {
    let tree = rw.trace.tree(module);
    let end = tree[optimizer].range.start;
    let sets = |stmt: &StmtId| {
        tree[*stmt].range.end <= end
            && scope_of(tree, *stmt) == scope
            && (crate::identify::assigned_names(rw.trace, module, *stmt).contains(&name)
                || moves_module(rw, module, *stmt, name))
    };
    let set = tree.stmt_ids().filter(sets).max_by_key(|&stmt| tree[stmt].range.start)?;
    // In the optimizer's own suite: a wrapper under a condition would not always be there.
    if tree.siblings(set).0 != tree.siblings(optimizer).0 {
        return None;
    }
    let is_kept = tree.expr_ids().any(|e| {
        let range = tree[e].range;
        let between = range.start >= tree[set].range.end && range.end <= end && expr_scope(tree, e) == scope;
        if !between || tree.as_name(e).is_none_or(|n| tree.text(n) != name) {
            return false;
        }
        match tree[e].parent {
            pytrope_source::tree::Parent::Expr(parent) => match tree[parent].kind {
                ExprKind::List { .. } | ExprKind::Tuple { .. } | ExprKind::Dict { .. } | ExprKind::Set { .. } => true,
                ExprKind::Call { function, .. } if function != e => rw
                    .trace
                    .project_callee((module, parent))
                    .is_some_and(|def| matches!(rw.trace.tree(def.0)[def.1].kind, StmtKind::ClassDef(_))),
                _ => false,
            },
            pytrope_source::tree::Parent::Stmt(stmt) => {
                matches!(tree[stmt].kind, StmtKind::Assign { value, .. } if value == e)
            }
            pytrope_source::tree::Parent::Module => false,
        }
    });
    is_kept.then_some(set)
}

/// `model = torch.compile(model)` before the optimizer: what is compiled is the distributed module, so that the compiler can
/// let communication run beside computation. State dictionaries of a compiled module have names of their own, so a script
/// that saves or loads them keeps its order.
pub fn compiled_before(rw: &Rewrite, module: ModuleId, optimizer: StmtId, name: &str) -> Option<StmtId> {
    let tree = rw.trace.tree(module);
    let (suite, place) = tree.siblings(optimizer);
    let keeps_states = tree.expr_ids().any(|e| {
        rw.trace.called_method((module, e)).is_some_and(|(receiver, method)| {
            matches!(method, "state_dict" | "load_state_dict") && rw.trace.text((module, receiver)) == name
        })
    });
    let is_compiled = |&stmt: &StmtId| match tree[stmt].kind {
        StmtKind::Assign { targets, value } => {
            tree[targets].iter().all(|&t| rw.trace.text((module, t)) == name)
                && rw.trace.called_api((module, value)).as_deref() == Some("torch.compile")
                && argument_of(tree, value, "model", 0).is_some_and(|m| rw.trace.text((module, m)) == name)
        }
        _ => false,
    };
    tree[suite][..place].iter().copied().rfind(is_compiled).filter(|_| !keeps_states)
}

/// The statement that moves a module to its device after its optimizer was made: a wrapped module must not move.
pub fn moved_after(rw: &Rewrite, module: ModuleId, optimizer: StmtId, name: &str) -> Option<StmtId> {
    let tree = rw.trace.tree(module);
    let (suite, place) = tree.siblings(optimizer);
    let until_loop = tree[suite][place + 1..]
        .iter()
        .take_while(|&&stmt| !matches!(tree[stmt].kind, StmtKind::For { .. } | StmtKind::While { .. }));
    until_loop.copied().filter(|&stmt| moves_module(rw, module, stmt, name)).last()
}

/// Whether a statement moves or converts a module: `model.to(device)`, also under a condition.
fn moves_module(rw: &Rewrite, module: ModuleId, stmt: StmtId, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    match tree[stmt].kind {
        StmtKind::Expr { value } | StmtKind::Assign { value, .. } => {
            rw.trace.called_method((module, value)).is_some_and(|(receiver, method)| {
                rw.trace.text((module, receiver)) == name
                    && matches!(method, "to" | "cuda" | "cpu" | "double" | "float" | "half")
            })
        }
        StmtKind::If { body, .. } => tree[body].iter().any(|&inner| moves_module(rw, module, inner, name)),
        _ => false,
    }
}

/// The last statement of a scope, outside loops, that makes, moves or fills a module.
pub fn last_setting(rw: &Rewrite, module: ModuleId, scope: Scope, name: &str) -> Option<StmtId> {
    let tree = rw.trace.tree(module);
    let mut last: Option<StmtId> = None;
    for stmt in tree.stmt_ids() {
        if scope_of(tree, stmt) != scope || !loops_around(tree, stmt).is_empty() {
            continue;
        }
        let sets = crate::identify::assigned_names(rw.trace, module, stmt).contains(&name)
            || match tree[stmt].kind {
                StmtKind::Expr { value } => {
                    rw.trace.called_method((module, value)).is_some_and(|(receiver, method)| {
                        rw.trace.text((module, receiver)) == name
                            && matches!(method, "to" | "cuda" | "apply" | "load_state_dict" | "double" | "float")
                    })
                }
                _ => false,
            };
        if sets && last.is_none_or(|l| tree[stmt].range.start > tree[l].range.start) {
            last = Some(stmt);
        }
    }
    last
}
