//! The batch of a training loader is divided among the ranks, where its size is named if code elsewhere relies on it.
//!
//! ```python
//! DataLoader(data, batch_size=64)      # DataLoader(data, batch_size=max(1, 64 // dist.get_world_size()))
//! size = 64                            # size = max(1, 64 // dist.get_world_size())
//! DataLoader(data, batch_size=size)    # DataLoader(data, batch_size=size)
//! hidden = net.start(size)             # hidden = net.start(size)
//! ```

use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtId, StmtKind};

use crate::data::is_loader;
use crate::index::{Kind, Scope, expr_scope, loops_around, parent_expr};
use crate::rewrite::Rewrite;
use crate::trace::ExprPlace;

pub const RULE: &str = "divide-batch";

/// How the rest of a program uses the size of a batch.
#[derive(Default)]
struct Uses {
    /// As the number of samples in one batch: a shape, a range.
    local: bool,
    /// As what the number of all samples is divided by.
    divisors: Vec<ExprId>,
    /// To show the samples of one batch.
    shown: Vec<ExprId>,
}

pub fn divide_batch(rw: &mut Rewrite, batch: ExprPlace) {
    let (module, expr) = batch;
    let tree = rw.trace.tree(module);
    if let ExprKind::Int(size) = tree[expr].kind {
        divide_literal(rw, batch, size);
    }
    let Some(home) = size_home(rw, batch) else { return rw.divide_number(RULE, batch) };
    let uses = size_uses(rw, batch);
    if !uses.local {
        for shown in uses.shown {
            rw.divide_number(RULE, (module, shown));
        }
        return rw.divide_number(RULE, batch);
    }
    divide_home(rw, batch, home);
    let size = rw.size_text(module);
    // The steps of an epoch are those of all ranks together.
    for divisor in uses.divisors {
        if rw.done.insert((module, divisor)) {
            rw.wrap_text((module, divisor), "(", &format!(" * {size})"));
        }
    }
}

/// Divide a size where it gets its value; false where that is not known.
pub fn divide_at_home(rw: &mut Rewrite, batch: ExprPlace) -> bool {
    let Some(home) = size_home(rw, batch) else { return false };
    divide_home(rw, batch, home);
    true
}

fn divide_home(rw: &mut Rewrite, batch: ExprPlace, home: Home) {
    let (module, expr) = batch;
    let text = rw.text(batch).to_owned();
    let size = rw.size_text(module);
    let (stmt, before) = match home {
        Home::Value(value) => return rw.divide_number(RULE, (module, value)),
        Home::After(stmt) => (stmt, false),
        Home::Before(stmt) => (stmt, true),
    };
    if rw.done.insert((module, ExprId(u32::MAX - stmt.0))) {
        let line = format!("{text} = max(1, {text} // {size})");
        if before {
            rw.edits[module].insert_before(stmt, &line);
        } else {
            rw.edits[module].insert_after(stmt, &line);
        }
        let range = rw.trace.tree(module)[expr].range;
        rw.log_change(RULE, module, range, format!("`{text}` is divided by the number of ranks"));
    }
}

/// The same number elsewhere: where samples of a batch are counted it is divided too, in a shape it is refused.
fn divide_literal(rw: &mut Rewrite, (module, expr): ExprPlace, size: i64) {
    let tree = rw.trace.tree(module);
    if size < 2 {
        return;
    }
    for e in tree.expr_ids() {
        if e == expr || !matches!(tree[e].kind, ExprKind::Int(n) if n == size) {
            continue;
        }
        let Some(call) = parent_expr(tree, e) else { continue };
        if rw.trace.called_api((module, call)).as_deref() == Some("builtins.range") {
            if counts_samples(rw, (module, call)) {
                rw.divide_number(RULE, (module, e));
            }
            continue;
        }
        let shapes =
            rw.trace.called_method((module, call)).is_some_and(|(_, m)| matches!(m, "view" | "reshape" | "expand"))
                || rw.trace.called_api((module, call)).is_some_and(|api| {
                    matches!(api.as_str(), "torch.zeros" | "torch.ones" | "torch.randn" | "torch.rand" | "torch.full")
                });
        let first = crate::trace::argument_of(tree, call, "", 0) == Some(e);
        let stands_in_step = rw.training.steps.iter().any(|&(m, step)| {
            m == module
                && tree.stmt_of(step).is_some_and(|stmt| {
                    loops_around(tree, stmt).first().is_some_and(|&l| tree[l].range.contains_range(tree[e].range))
                })
        });
        let in_forward = expr_scope(tree, e).is_some_and(
            |f| matches!(tree[f].kind, StmtKind::FunctionDef(def) if tree.text(def.name.name) == "forward"),
        );
        if shapes && first && (stands_in_step || in_forward) {
            rw.refuse_at(
                "untraceable-data",
                module,
                tree[e].range,
                format!("`{size}` is the size of a batch here, which is divided among the ranks"),
                "take the size from the batch, `x.size(0)`, or give it a name",
            );
        }
    }
}

/// Whether what counts to a number picks samples of a batch: `labels[j] for j in range(4)`.
fn counts_samples(rw: &Rewrite, (module, range): ExprPlace) -> bool {
    let tree = rw.trace.tree(module);
    let index = &rw.project.modules[module].index;
    tree.expr_ids().any(|e| {
        let ExprKind::Subscript { value, index: by, .. } = tree[e].kind else { return false };
        let (Some(by), Some(of)) = (tree.as_name(by), tree.as_name(value)) else { return false };
        let scope = expr_scope(tree, e);
        let counted = index.lookup_name(tree, scope, tree.text(by)).is_some_and(|(_, bindings)| {
            bindings.iter().any(|b| matches!(b.kind, Kind::Iteration(iter, _) if iter == range))
        });
        counted
            && index.lookup_name(tree, scope, tree.text(of)).is_some_and(|(_, bindings)| {
                bindings.iter().any(|b| match b.kind {
                    Kind::Element(value, _) | Kind::Value(value) => draws_samples(rw, (module, value)),
                    Kind::Iteration(iter, _) => iter != range && draws_samples(rw, (module, iter)),
                    _ => false,
                })
            })
    })
}

/// Whether a value comes from a loader or is computed from what does.
fn draws_samples(rw: &Rewrite, place: ExprPlace) -> bool {
    let mut finder = crate::data::DataFinder::new(rw.trace);
    finder.visit_value(place, true);
    finder.found.iter().any(|data| matches!(data, crate::data::Data::Loader(_)))
}

/// Where a size gets its value, once and outside of loops.
#[derive(Clone, Copy)]
enum Home {
    Value(ExprId),
    After(StmtId),
    Before(StmtId),
}

fn size_home(rw: &Rewrite, (module, expr): ExprPlace) -> Option<Home> {
    let tree = rw.trace.tree(module);
    let index = &rw.project.modules[module].index;
    let (name, attribute) = match tree[expr].kind {
        ExprKind::Name { name, .. } => (tree.text(name), false),
        ExprKind::Attribute { value, .. } => (tree.text(tree.as_name(value)?), true),
        _ => return None,
    };
    let (scope, bindings) = index.lookup_name(tree, expr_scope(tree, expr), name)?;
    let [binding] = bindings else { return None };
    if !loops_around(tree, binding.stmt).is_empty() {
        return None;
    }
    match binding.kind {
        Kind::Value(value) if !attribute => Some(Home::Value(value)),
        // `args = parser.parse_args()`, then `args.batch_size`.
        Kind::Value(value) => {
            let parsed = rw.trace.called_method((module, value)).is_some_and(|(_, m)| m == "parse_args");
            let written = tree.expr_ids().any(|e| {
                matches!(tree[e].kind, ExprKind::Attribute { context: Context::Store, .. })
                    && rw.text((module, e)) == rw.text((module, expr))
            });
            (parsed && !written).then_some(Home::After(binding.stmt))
        }
        Kind::Parameter(_) if !attribute => {
            let StmtKind::FunctionDef(def) = tree[scope?].kind else { return None };
            let first = tree[def.body].iter().copied().find(|&stmt| {
                !matches!(tree[stmt].kind, StmtKind::Expr { value } if matches!(tree[value].kind, ExprKind::Str(_)))
            })?;
            Some(Home::Before(first))
        }
        _ => None,
    }
}

fn size_uses(rw: &Rewrite, (module, expr): ExprPlace) -> Uses {
    let tree = rw.trace.tree(module);
    let text = rw.text((module, expr));
    let scope = |e: ExprId| -> Scope {
        let name = text.split('.').next().unwrap_or(text);
        rw.project.modules[module].index.lookup_name(tree, expr_scope(tree, e), name).and_then(|(scope, _)| scope)
    };
    let home = scope(expr);
    let mut uses = Uses::default();
    for e in tree.expr_ids() {
        let loads = matches!(
            tree[e].kind,
            ExprKind::Name { context: Context::Load, .. } | ExprKind::Attribute { context: Context::Load, .. }
        );
        if e == expr || !loads || rw.text((module, e)) != text || scope(e) != home {
            continue;
        }
        if let Some(parent) = parent_expr(tree, e)
            && let ExprKind::BinOp { op: BinaryOperator::Div | BinaryOperator::FloorDiv, right, .. } = tree[parent].kind
            && right == e
        {
            uses.divisors.push(e);
        } else {
            match reported_size(rw, (module, e)) {
                Told::No => uses.local = true,
                Told::Named => {}
                Told::Counted => uses.shown.push(e),
            }
        }
    }
    uses
}

/// Whether a use only tells something to people or to another loader.
enum Told {
    No,
    Named,
    /// The samples of a batch are told one by one: `for i in range(batch_size)`.
    Counted,
}

fn reported_size(rw: &Rewrite, (module, expr): ExprPlace) -> Told {
    let tree = rw.trace.tree(module);
    let mut at = expr;
    let mut counted = false;
    while let Some(parent) = parent_expr(tree, at) {
        if let Some(api) = rw.trace.called_api((module, parent)) {
            if is_loader(&api) || api == "builtins.print" || api.starts_with("logging.") {
                return if counted { Told::Counted } else { Told::Named };
            }
            counted |= api == "builtins.range";
        }
        at = parent;
    }
    Told::No
}
