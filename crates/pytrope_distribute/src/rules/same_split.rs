//! Random splits: they must be the same on every rank, or one rank trains on what another validates.
//!
//! ```python
//! train_test_split(x, y)               # train_test_split(x, y, random_state=0)
//! random_split(data, [80, 20])         # random_split(data, [80, 20], generator=torch.Generator().manual_seed(0))
//! np.random.shuffle(indices)           # np.random.shuffle(indices)
//!                                      # split = [indices]
//!                                      # dist.broadcast_object_list(split)
//!                                      # indices = split[0]
//! ```

use pytrope_source::tree::{ExprKind, StmtKind};

use crate::index::{loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

pub fn seed_splits(rw: &mut Rewrite) {
    if rw.target.is_torch() {
        seed_choices(rw);
    }
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for expr in tree.expr_ids() {
            let api = rw.trace.called_api((module, expr)).unwrap_or_default();
            if is_seeded(rw, (module, expr), &api) {
                continue;
            }
            if api.ends_with("utils.data.random_split") && argument_of(tree, expr, "generator", 2).is_none() {
                let torch = rw.import_alias(module, "torch").unwrap_or_else(|| {
                    rw.add_import(module, "import torch");
                    "torch".to_owned()
                });
                rw.add_argument((module, expr), &format!("generator={torch}.Generator().manual_seed(0)"));
            } else if is_random_split(rw, (module, expr), &api) {
                rw.add_argument((module, expr), "random_state=0");
            } else {
                continue;
            }
            rw.log_change("same-split", module, tree[expr].range, "all ranks split the data in the same way");
        }
    }
}

/// Whether the script has given the generator that a split draws from a seed before: the ranks split as one process does.
fn is_seeded(rw: &Rewrite, (module, call): ExprPlace, api: &str) -> bool {
    let seed = match api {
        _ if api.ends_with("utils.data.random_split") => "torch.manual_seed",
        _ if api.starts_with("sklearn.") => "np.random.seed",
        _ => return false,
    };
    let tree = rw.trace.tree(module);
    let Some(stmt) = tree.stmt_of(call) else { return false };
    let runs_once = scope_of(tree, stmt).is_none() && loops_around(tree, stmt).iter().all(|&l| l == stmt);
    runs_once
        && tree[tree.body()].iter().any(|&before| {
            tree[before].range.end <= tree[stmt].range.start
                && matches!(tree[before].kind, StmtKind::Expr { value }
                    if rw.trace.called_api((module, value)).as_deref() == Some(seed))
        })
}

/// `train_test_split(x, y)`, `KFold(5, shuffle=True)` and `ShuffleSplit(5)` without a seed of their own.
fn is_random_split(rw: &Rewrite, (module, call): ExprPlace, api: &str) -> bool {
    let tree = rw.trace.tree(module);
    let given = |name| crate::data::keyword_of(rw.trace, (module, call), name);
    let shuffles = given("shuffle").is_some_and(|s| !matches!(tree[s].kind, ExprKind::Bool(false)));
    api.starts_with("sklearn.")
        && (api.ends_with("train_test_split") || api.ends_with("KFold") && shuffles || api.ends_with("ShuffleSplit"))
        && given("random_state").is_none()
}

/// Indices in random order that choose the samples of a subset are rank 0's on every rank.
fn seed_choices(rw: &mut Rewrite) {
    let subset = |api: &str| api.ends_with(".SubsetRandomSampler") || api.ends_with("utils.data.Subset");
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        let chooses = tree.expr_ids().any(|e| rw.trace.called_api((module, e)).is_some_and(|api| subset(&api)));
        if !chooses {
            continue;
        }
        for stmt in tree.stmt_ids() {
            if !loops_around(tree, stmt).is_empty() {
                continue;
            }
            let name = match tree[stmt].kind {
                StmtKind::Expr { value }
                    if rw
                        .trace
                        .called_api((module, value))
                        .is_some_and(|api| matches!(api.as_str(), "np.random.shuffle" | "random.shuffle")) =>
                {
                    argument_of(tree, value, "x", 0)
                        .filter(|&x| tree.as_name(x).is_some())
                        .map(|x| rw.text((module, x)))
                }
                StmtKind::Assign { value, .. } => {
                    let random = tree.descendants(pytrope_source::Node::Expr(value)).any(|node| {
                        matches!(node, pytrope_source::Node::Expr(e) if rw.trace.called_api((module, e)).is_some_and(
                            |api| matches!(api.as_str(), "np.random.permutation" | "torch.randperm" | "random.sample")))
                    });
                    match crate::identify::assigned_names(rw.trace, module, stmt)[..] {
                        [name] if random => Some(name),
                        _ => None,
                    }
                }
                _ => None,
            };
            if let Some(name) = name {
                broadcast_split(rw, module, stmt, name);
            }
        }
    }
}

fn broadcast_split(rw: &mut Rewrite, module: ModuleId, stmt: pytrope_source::tree::StmtId, name: &str) {
    let split = rw.edits[module].fresh_name("split");
    let broadcast = super::collective::broadcast_list(rw, module, &split);
    let lines = format!("{split} = [{name}]\n{broadcast}\n{name} = {split}[0]");
    rw.edits[module].insert_after(stmt, &lines);
    let range = rw.trace.tree(module)[stmt].range;
    rw.log_change("same-split", module, range, "all ranks split the data in the same way");
}
