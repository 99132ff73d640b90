//! Where a trained module is wrapped: after all that makes and moves it, and before all that keeps or trains it.

use pytrope_source::Node;
use pytrope_source::tree::{ExprKind, StmtId, StmtKind};

use super::{module_sources, trained_modules};
use crate::index::{Scope, expr_scope, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

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

/// The device that other code moves a module to after it is wrapped, as an expression that can be written anywhere: a wrapper
/// must not change its device.
///
/// ```python
/// trainer = Trainer(model, torch.device("cuda"))       # model.to(torch.device("cuda"))
///                                                      # model = DDP(model)
/// class Trainer:
///     def __init__(self, net, device):
///         self.net = net.to(device)
/// ```
pub fn moved_by_keeper(rw: &Rewrite, module: ModuleId, scope: Scope, name: &str) -> Option<String> {
    let is_moved = |place: ExprPlace| has_source(rw, place, (module, scope), name, 4);
    for home in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(home);
        for call in tree.expr_ids() {
            let Some((receiver, method @ ("to" | "cuda"))) = rw.trace.called_method((home, call)) else { continue };
            if (home, expr_scope(tree, call)) == (module, scope) || !is_moved((home, receiver)) {
                continue;
            }
            let device = argument_of(tree, call, "device", 0);
            let Some(device) = device.filter(|_| method == "to") else { return Some("\"cuda\"".to_owned()) };
            let roots = rw.trace.value_roots((home, device));
            let [root] = roots[..] else { return None };
            return is_closed(rw, (root.module, root.expr))
                .then(|| rw.text((root.module, root.expr)).replace("cuda:0", "cuda"));
        }
    }
    None
}

/// Whether a module comes from a name of another scope, through parameters and attributes.
fn has_source(rw: &Rewrite, place: ExprPlace, scope: (ModuleId, Scope), name: &str, fuel: u32) -> bool {
    fuel > 0
        && module_sources(rw, place).into_iter().any(|source| {
            let tree = rw.trace.tree(source.0);
            (source.0, expr_scope(tree, source.1)) == scope
                && tree.as_name(source.1).is_some_and(|n| tree.text(n) == name)
                || has_source(rw, source, scope, name, fuel - 1)
        })
}

/// Whether an expression reads nothing but constants and PyTorch.
fn is_closed(rw: &Rewrite, (module, expr): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    tree.descendants(Node::Expr(expr)).all(|node| match node {
        Node::Expr(e) => tree.as_name(e).is_none_or(|n| tree.text(n) == "torch"),
        Node::Stmt(_) => true,
    })
}

/// Methods that move or convert a module, and give the same module back.
pub fn moves_in_place(method: &str) -> bool {
    matches!(method, "to" | "cuda" | "cpu" | "double" | "float" | "half")
}

/// Whether a statement moves or converts a module: `model.to(device)`, also under a condition.
fn moves_module(rw: &Rewrite, module: ModuleId, stmt: StmtId, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    match tree[stmt].kind {
        StmtKind::Expr { value } | StmtKind::Assign { value, .. } => rw
            .trace
            .called_method((module, value))
            .is_some_and(|(receiver, method)| rw.trace.text((module, receiver)) == name && moves_in_place(method)),
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
