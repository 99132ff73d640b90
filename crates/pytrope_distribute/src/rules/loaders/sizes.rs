//! Sizes of batches that people read are those of the whole batch: a rank's part is shorter.
//!
//! ```python
//! images, labels = next(iter(train_loader))    # images, labels = next(iter(train_loader))
//! print(images.shape, len(labels))             # total_images = sum_over_ranks(len(images))
//!                                              # total_labels = sum_over_ranks(len(labels))
//!                                              # if dist.get_rank() == 0:
//!                                              #     print(torch.Size((total_images, *images.shape[1:])), total_labels)
//! ```

use pytrope_source::Node;
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use super::numbers::decided_alike;
use super::{loaders_of, sum_over_ranks};
use crate::data::strip_passing;
use crate::index::Kind;
use crate::outputs::is_shown;
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

const RULE: &str = "reduce-metrics";

/// What a name holds of a loader's batch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BatchPart {
    /// All that the loader hands out: a tensor, or a tuple or dictionary of tensors.
    Whole,
    /// One tensor of it, with a row for each sample.
    Rows,
}

/// How an expression tells the size of a batch.
enum BatchSize {
    /// `len(x)`, `x.shape[0]`, `x.size(0)`.
    Count,
    /// `x.shape`, `x.size()`.
    Shape,
}

/// Shows whole sizes in every statement that tells the size of what a training loader hands out.
pub fn show_whole_sizes(rw: &mut Rewrite, loaders: &[ExprPlace]) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        let shown: Vec<(StmtId, ExprId)> = tree
            .stmt_ids()
            .filter_map(|stmt| match tree[stmt].kind {
                StmtKind::Expr { value } if is_shown(rw.trace, (module, value)) => Some((stmt, value)),
                _ => None,
            })
            .collect();
        for (stmt, call) in shown {
            if !rw.done.contains(&(module, call)) && decided_alike(rw, module, stmt) {
                show_sizes_in(rw, module, (stmt, call), loaders);
            }
        }
    }
}

fn show_sizes_in(rw: &mut Rewrite, module: ModuleId, (stmt, call): (StmtId, ExprId), loaders: &[ExprPlace]) {
    let tree = rw.trace.tree(module);
    let mut lines: Vec<String> = Vec::new();
    let mut seen: Vec<ExprId> = Vec::new();
    for node in tree.descendants(Node::Expr(call)) {
        let Node::Expr(expr) = node else { continue };
        if seen.iter().any(|&outer| tree[outer].range.contains_range(tree[expr].range)) {
            continue;
        }
        let Some((of, size)) = size_of_value(rw, (module, expr)) else {
            // Other items of a shape are the same on all ranks.
            if let ExprKind::Subscript { value, .. } = tree[expr].kind
                && size_of_value(rw, (module, value)).is_some()
            {
                seen.push(expr);
            }
            continue;
        };
        let drawn = drawn_batch(rw, (module, of), loaders, 6);
        let has_rows = match size {
            BatchSize::Shape => drawn.is_some(),
            BatchSize::Count => drawn == Some(BatchPart::Rows),
        };
        if has_rows && let Some(text) = whole_size(rw, module, of, &size, &mut lines) {
            rw.edits[module].replace_range(tree[expr].range, text);
            seen.push(expr);
        }
    }
    if !lines.is_empty() {
        rw.edits[module].insert_before(stmt, &lines.join("\n"));
        rw.starts_group(module, stmt);
        rw.done.insert((module, call));
        rw.log_change(RULE, module, tree[stmt].range, "the size that is shown is that of the whole batch");
    }
}

/// The text of a whole shape, `torch.Size((total, *x.shape[1:]))`; the line that adds the ranks' rows up is put before it.
pub(super) fn whole_shape(
    rw: &mut Rewrite,
    module: ModuleId,
    shape: ExprId,
    lines: &mut Vec<String>,
) -> Option<String> {
    let (of, size) = size_of_value(rw, (module, shape))?;
    whole_size(rw, module, of, &size, lines)
}

fn whole_size(
    rw: &mut Rewrite,
    module: ModuleId,
    of: ExprId,
    size: &BatchSize,
    lines: &mut Vec<String>,
) -> Option<String> {
    let tree = rw.trace.tree(module);
    let base = match tree[of].kind {
        ExprKind::Subscript { value, index, .. } if matches!(tree[index].kind, ExprKind::Int(_) | ExprKind::Str(_)) => {
            value
        }
        _ => of,
    };
    tree.dotted(base)?;
    let text = rw.text((module, of)).to_owned();
    if rw.edits[module].list().iter().any(|e| tree[of].range.contains_range(e.range)) {
        return None;
    }
    let function = sum_over_ranks(rw, module);
    let value = format!("{function}(len({text}))");
    let known = lines.iter().find_map(|line| line.strip_suffix(&format!(" = {value}")).map(str::to_owned));
    let total = known.unwrap_or_else(|| {
        let name = rw.text((module, base)).rsplit('.').next().unwrap_or("rows");
        let total = rw.edits[module].fresh_name(&format!("total_{name}"));
        lines.push(format!("{total} = {value}"));
        total
    });
    Some(match size {
        BatchSize::Count => total,
        BatchSize::Shape => {
            let torch = rw.import_alias(module, "torch").unwrap_or_else(|| {
                rw.add_import(module, "import torch");
                "torch".to_owned()
            });
            format!("{torch}.Size(({total}, *{text}.shape[1:]))")
        }
    })
}

/// The value whose size an expression tells.
fn size_of_value(rw: &Rewrite, (module, expr): ExprPlace) -> Option<(ExprId, BatchSize)> {
    let tree = rw.trace.tree(module);
    match tree[expr].kind {
        ExprKind::Attribute { value, attribute, .. } if tree.text(attribute.name) == "shape" => {
            Some((value, BatchSize::Shape))
        }
        ExprKind::Subscript { value, index, .. } if matches!(tree[index].kind, ExprKind::Int(0)) => {
            match size_of_value(rw, (module, value))? {
                (of, BatchSize::Shape) => Some((of, BatchSize::Count)),
                (_, BatchSize::Count) => None,
            }
        }
        ExprKind::Call { .. } => {
            if rw.trace.called_api((module, expr)).as_deref() == Some("builtins.len") {
                return Some((argument_of(tree, expr, "", 0)?, BatchSize::Count));
            }
            let (receiver, "size") = rw.trace.called_method((module, expr))? else { return None };
            match argument_of(tree, expr, "dim", 0).map(|dim| tree[dim].kind) {
                None => Some((receiver, BatchSize::Shape)),
                Some(ExprKind::Int(0)) => Some((receiver, BatchSize::Count)),
                Some(_) => None,
            }
        }
        _ => None,
    }
}

/// What a value is of a batch that a training loader hands out.
fn drawn_batch(rw: &Rewrite, (module, expr): ExprPlace, loaders: &[ExprPlace], fuel: u32) -> Option<BatchPart> {
    let fuel = fuel.checked_sub(1)?;
    let tree = rw.trace.tree(module);
    let trains = |at: ExprPlace| {
        let at = strip_passing(rw.trace, at);
        loaders_of(rw, at).iter().any(|loader| loaders.contains(loader))
    };
    match tree[expr].kind {
        ExprKind::Name { .. } => {
            let mut found: Option<BatchPart> = None;
            for binding in rw.project.modules[module].index.reaching_bindings(expr) {
                let drawn = match binding.kind {
                    Kind::Iteration(iter, _) if trains((module, iter)) => {
                        drawn_by_loop(rw, module, binding.stmt, expr)?
                    }
                    Kind::Value(value) if value != expr => drawn_batch(rw, (module, value), loaders, fuel)?,
                    Kind::Element(value, _) => match drawn_batch(rw, (module, value), loaders, fuel)? {
                        BatchPart::Whole => BatchPart::Rows,
                        BatchPart::Rows => return None,
                    },
                    _ => return None,
                };
                if found.is_some_and(|known| known != drawn) {
                    return None;
                }
                found = Some(drawn);
            }
            found
        }
        // `batch["image"]` and `batch[0]`; an item of rows is a sample.
        ExprKind::Subscript { value, .. } => match drawn_batch(rw, (module, value), loaders, fuel)? {
            BatchPart::Whole => Some(BatchPart::Rows),
            BatchPart::Rows => None,
        },
        ExprKind::Call { .. } => {
            if rw.trace.called_api((module, expr)).as_deref() == Some("builtins.next") {
                let iterator = argument_of(tree, expr, "", 0)?;
                let places = rw.trace.value_roots((module, iterator));
                let drawn = places.iter().any(|root| {
                    rw.trace.called_api((root.module, root.expr)).as_deref() == Some("builtins.iter")
                        && argument_of(rw.trace.tree(root.module), root.expr, "", 0)
                            .is_some_and(|loader| trains((root.module, loader)))
                });
                return drawn.then_some(BatchPart::Whole);
            }
            let (receiver, method) = rw.trace.called_method((module, expr))?;
            matches!(method, "to" | "cuda" | "cpu" | "float" | "double" | "long" | "detach" | "numpy" | "clone")
                .then(|| drawn_batch(rw, (module, receiver), loaders, fuel))
                .flatten()
        }
        _ => None,
    }
}

/// What a name is of the batch that a loop hands out: `for batch in loader`, `for i, (x, y) in enumerate(loader)`.
fn drawn_by_loop(rw: &Rewrite, module: ModuleId, l: StmtId, name: ExprId) -> Option<BatchPart> {
    let tree = rw.trace.tree(module);
    let StmtKind::For { target, iter, .. } = tree[l].kind else { return None };
    let elements = |e: ExprId| match tree[e].kind {
        ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => Some(tree[elements].to_vec()),
        _ => None,
    };
    let counted = rw.trace.called_api((module, iter)).as_deref() == Some("builtins.enumerate");
    let item = match elements(target) {
        Some(parts) if counted => *parts.get(1)?,
        _ => target,
    };
    let is_named = |e: ExprId| tree.as_name(e).map(|n| tree.text(n)) == tree.as_name(name).map(|n| tree.text(n));
    if is_named(item) {
        return Some(BatchPart::Whole);
    }
    elements(item)?.into_iter().any(is_named).then_some(BatchPart::Rows)
}
