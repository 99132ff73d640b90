//! Batches that are cut from arrays: the arrays are divided among the ranks, so the size of a batch is too, and as many
//! steps are taken as in one process.
//!
//! ```python
//! size = 32                                # size = max(1, 32 // dist.get_world_size())
//! for i in range(0, len(x), size):         # for i in range(0, len(x), size):
//!     step(x[i:i + size], y[i:i + size])   #     step(x[i:i + size], y[i:i + size])
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtId, StmtKind};

use super::batch::{self, RULE};
use crate::data::{ArrayName, strip_passing};
use crate::index::{exprs_in, loops_around, parent_expr, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::train_data::counts_arrays;
use crate::trace::{ExprPlace, argument_of, call_arguments, keyword_argument, positional_argument};

/// The training loops, and those that cut batches for them: of the script's own generators, and of lists that are filled before.
///
/// ```python
/// def batches(x, y, size):
///     for i in range(0, len(x), size):     # this loop
///         yield x[i:i + size], y[i:i + size]
/// ```
pub fn cutting_loops(rw: &Rewrite, loops: &[(ModuleId, StmtId)]) -> Vec<(ModuleId, StmtId)> {
    let mut all = loops.to_vec();
    for &(module, l) in loops {
        let tree = rw.trace.tree(module);
        let StmtKind::For { iter, .. } = tree[l].kind else { continue };
        let at = strip_passing(rw.trace, (module, iter));
        let mut inner: Vec<(ModuleId, StmtId)> = Vec::new();
        if let Some(def) = rw.trace.project_callee(at)
            && rw.trace.is_generator(def)
        {
            let body = rw.trace.tree(def.0);
            inner.extend(body.descendants(Node::Stmt(def.1)).filter_map(|node| match node {
                Node::Stmt(stmt) => {
                    matches!(body[stmt].kind, StmtKind::For { .. } | StmtKind::While { .. }).then_some((def.0, stmt))
                }
                Node::Expr(_) => None,
            }));
        }
        for root in rw.trace.value_roots(at) {
            inner.extend(filling_loops(rw, (root.module, root.expr)));
        }
        for place in inner {
            if !all.contains(&place) {
                all.push(place);
            }
        }
    }
    all
}

/// The loops that fill an empty list that has a name.
fn filling_loops(rw: &Rewrite, (module, list): ExprPlace) -> Vec<(ModuleId, StmtId)> {
    let tree = rw.trace.tree(module);
    let Some(stmt) = tree.stmt_of(list) else { return Vec::new() };
    let (StmtKind::Assign { targets, .. }, ExprKind::List { .. }) = (tree[stmt].kind, tree[list].kind) else {
        return Vec::new();
    };
    let [target] = &tree[targets] else { return Vec::new() };
    let Some(name) = tree.as_name(*target) else { return Vec::new() };
    let values = rw.trace.appended_values(module, scope_of(tree, stmt), tree.text(name));
    let loops = values.iter().filter_map(|&value| tree.stmt_of(value)).flat_map(|s| loops_around(tree, s));
    loops.map(|l| (module, l)).collect()
}

/// Divide the size of the batches that training loops cut from arrays, or refuse where it is not known.
pub fn divide_batches(rw: &mut Rewrite, loops: &[(ModuleId, StmtId)], arrays: &[ArrayName]) {
    let mut sizes: Vec<ExprPlace> = Vec::new();
    for &(module, l) in loops {
        sizes.extend(sizes_of(rw, module, l).into_iter().map(|size| (module, size)));
    }
    sizes.sort_unstable();
    sizes.dedup();
    let Some(&first) = sizes.first() else {
        return refuse_batches(rw, loops, "each step takes one sample, or an unknown number of samples");
    };
    let text = rw.text(first).to_owned();
    if sizes.iter().any(|&size| rw.text(size) != text || size.0 != first.0) || text == "1" {
        return refuse_batches(rw, loops, "the batches of a step differ in size");
    }
    let is_literal = matches!(rw.trace.tree(first.0)[first.1].kind, ExprKind::Int(_));
    for &(module, l) in loops {
        if !divide_bound(rw, module, l, &text, arrays) {
            return refuse_batches(rw, loops, "the number of batches does not follow from the length of the arrays");
        }
        if is_literal {
            sizes.extend(divisors_of_bound(rw, module, l, &text));
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    if !is_literal && batch::divide_at_home(rw, first) {
        return;
    }
    if !is_literal && used_elsewhere(rw, &sizes, &text) {
        return refuse_batches(
            rw,
            loops,
            "the size of a batch is used elsewhere too, and where it is set is not known",
        );
    }
    for size in sizes {
        rw.divide_number(RULE, size);
    }
}

fn refuse_batches(rw: &mut Rewrite, loops: &[(ModuleId, StmtId)], message: &str) {
    let Some(&(module, l)) = loops.first() else { return };
    let tree = rw.trace.tree(module);
    let range = match tree[l].kind {
        StmtKind::For { iter, .. } => tree[iter].range,
        _ => tree[l].range,
    };
    let message = format!("{message}, so a step cannot be divided among the ranks");
    let help = "read the arrays by `DataLoader(TensorDataset(x, y), batch_size=…)`";
    rw.refuse_at("untraceable-data", module, range, message, help);
}

/// The expressions in a loop that say how many samples a batch has.
fn sizes_of(rw: &Rewrite, module: ModuleId, l: StmtId) -> Vec<ExprId> {
    let tree = rw.trace.tree(module);
    let mut sizes = Vec::new();
    if let StmtKind::For { iter, .. } = tree[l].kind {
        let at = strip_passing(rw.trace, (module, iter));
        if rw.trace.called_api(at).as_deref() == Some("builtins.range")
            && let Some(given) = call_arguments(tree, at.1)
            && let [_, _, step] = &tree[given.positional]
        {
            sizes.push(*step);
        }
    }
    for e in exprs_in(tree, l) {
        match tree[e].kind {
            ExprKind::Subscript { value, index, .. } => {
                let ExprKind::Slice { lower, upper: Some(upper), step: None } = tree[index].kind else { continue };
                match lower {
                    Some(lower) => sizes.extend(slice_lengths(rw, module, lower, upper)),
                    // `torch.randperm(n)[:size]`
                    None if rw.trace.called_api((module, value)).is_some_and(|api| is_permutation(&api)) => {
                        sizes.push(upper);
                    }
                    None => {}
                }
            }
            ExprKind::Call { .. } => sizes.extend(drawn_count(rw, (module, e))),
            _ => {}
        }
    }
    sizes
}

fn is_permutation(api: &str) -> bool {
    matches!(api, "torch.randperm" | "np.random.permutation")
}

/// `n` of `[i:i + n]`, and both of `[i * n:(i + 1) * n]`.
fn slice_lengths(rw: &Rewrite, module: ModuleId, lower: ExprId, upper: ExprId) -> Vec<ExprId> {
    let tree = rw.trace.tree(module);
    let text = |e: ExprId| rw.text((module, e));
    match (tree[lower].kind, tree[upper].kind) {
        (_, ExprKind::BinOp { left, op: BinaryOperator::Add, right }) if text(left) == text(lower) => vec![right],
        (
            ExprKind::BinOp { left: a, op: BinaryOperator::Mult, right: b },
            ExprKind::BinOp { left: c, op: BinaryOperator::Mult, right: d },
        ) => {
            let shared = [c, d].into_iter().find(|&e| text(e) == text(a) || text(e) == text(b));
            let is_shared = |&e: &ExprId| shared.is_some_and(|found| text(e) == text(found));
            [a, b, c, d].into_iter().filter(is_shared).collect()
        }
        _ => Vec::new(),
    }
}

/// How many indices a call draws: `torch.randint(0, n, (size,))`, `np.random.choice(n, size)`.
fn drawn_count(rw: &Rewrite, (module, call): ExprPlace) -> Option<ExprId> {
    let tree = rw.trace.tree(module);
    let api = rw.trace.called_api((module, call))?;
    let given = call_arguments(tree, call)?;
    let size = match api.as_str() {
        "torch.randint" => keyword_argument(tree, given, "size").or_else(|| {
            let last = tree[given.positional].last().copied()?;
            matches!(tree[last].kind, ExprKind::Tuple { .. } | ExprKind::List { .. }).then_some(last)
        }),
        "np.random.randint" => keyword_argument(tree, given, "size").or_else(|| positional_argument(tree, given, 2)),
        "np.random.choice" => argument_of(tree, call, "size", 1),
        "random.sample" | "random.choices" => argument_of(tree, call, "k", 1),
        _ => None,
    }?;
    match tree[size].kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].first().copied(),
        _ => Some(size),
    }
}

/// Keep the number of steps: a bound in samples that does not follow the arrays is divided as they are. False where the number
/// of batches is computed from the size of a batch and not from the arrays.
fn divide_bound(rw: &mut Rewrite, module: ModuleId, l: StmtId, size: &str, arrays: &[ArrayName]) -> bool {
    let tree = rw.trace.tree(module);
    let StmtKind::For { iter, .. } = tree[l].kind else { return true };
    let at = strip_passing(rw.trace, (module, iter));
    if rw.trace.called_api(at).as_deref() != Some("builtins.range") {
        return true;
    }
    let Some(given) = call_arguments(tree, at.1) else { return true };
    match tree[given.positional] {
        [_, stop, step] if rw.text((module, step)) == size => {
            if !counts_arrays(rw, (module, stop), arrays) {
                rw.divide_number(RULE, (module, stop));
            }
            true
        }
        [stop] | [_, stop] => {
            let divides = !divisors_of_bound(rw, module, l, size).is_empty();
            !divides || counts_arrays(rw, (module, stop), arrays)
        }
        _ => true,
    }
}

/// The sizes that the number of a loop's batches is divided by: `range(len(x) // 32)`.
fn divisors_of_bound(rw: &Rewrite, module: ModuleId, l: StmtId, size: &str) -> Vec<ExprPlace> {
    let tree = rw.trace.tree(module);
    let StmtKind::For { iter, .. } = tree[l].kind else { return Vec::new() };
    let at = strip_passing(rw.trace, (module, iter));
    if rw.trace.called_api(at).as_deref() != Some("builtins.range") {
        return Vec::new();
    }
    let Some(given) = call_arguments(tree, at.1) else { return Vec::new() };
    let ([stop] | [_, stop]) = tree[given.positional] else { return Vec::new() };
    let mut places = vec![(module, stop)];
    places.extend(rw.trace.value_roots((module, stop)).iter().map(|root| (root.module, root.expr)));
    let mut found = Vec::new();
    for (m, place) in places {
        let t = rw.trace.tree(m);
        for node in t.descendants(Node::Expr(place)) {
            if let Node::Expr(e) = node
                && let ExprKind::BinOp { op: BinaryOperator::Div | BinaryOperator::FloorDiv, right, .. } = t[e].kind
                && rw.text((m, right)) == size
            {
                found.push((m, right));
            }
        }
    }
    found
}

/// Whether the size is read at other places than those that are divided.
fn used_elsewhere(rw: &Rewrite, sizes: &[ExprPlace], text: &str) -> bool {
    let module = sizes[0].0;
    let tree = rw.trace.tree(module);
    tree.expr_ids().any(|e| {
        matches!(
            tree[e].kind,
            ExprKind::Name { context: Context::Load, .. } | ExprKind::Attribute { context: Context::Load, .. }
        ) && rw.text((module, e)) == text
            && !sizes.contains(&(module, e))
            && parent_expr(tree, e).is_none_or(|parent| !sizes.contains(&(module, parent)))
    })
}
