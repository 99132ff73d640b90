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
use crate::trace::Place;

const RULE: &str = "divide-batch";

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

pub fn divide(rw: &mut Rewrite, batch: Place) {
    let (module, expr) = batch;
    let tree = rw.trace.tree(module);
    let Some(home) = home(rw, batch) else { return rw.divide(RULE, batch) };
    let uses = uses(rw, batch);
    if !uses.local {
        for shown in uses.shown {
            rw.divide(RULE, (module, shown));
        }
        return rw.divide(RULE, batch);
    }
    let text = rw.text(batch).to_owned();
    let size = rw.size(module);
    match home {
        Home::Value(value) => rw.divide(RULE, (module, value)),
        Home::After(stmt) => {
            if rw.done.insert((module, ExprId(u32::MAX - stmt.0))) {
                rw.edits[module].insert_after(stmt, &format!("{text} = max(1, {text} // {size})"));
                rw.log(RULE, module, tree[expr].range, format!("`{text}` is divided by the number of ranks"));
            }
        }
        Home::Before(stmt) => {
            if rw.done.insert((module, ExprId(u32::MAX - stmt.0))) {
                rw.edits[module].insert_before(stmt, &format!("{text} = max(1, {text} // {size})"));
                rw.log(RULE, module, tree[expr].range, format!("`{text}` is divided by the number of ranks"));
            }
        }
    }
    // The steps of an epoch are those of all ranks together.
    for divisor in uses.divisors {
        if rw.done.insert((module, divisor)) {
            rw.wrap((module, divisor), "(", &format!(" * {size})"));
        }
    }
}

/// Where a size gets its value, once and outside of loops.
enum Home {
    Value(ExprId),
    After(StmtId),
    Before(StmtId),
}

fn home(rw: &Rewrite, (module, expr): Place) -> Option<Home> {
    let tree = rw.trace.tree(module);
    let index = &rw.project.modules[module].index;
    let (name, attribute) = match tree[expr].kind {
        ExprKind::Name { name, .. } => (tree.text(name), false),
        ExprKind::Attribute { value, .. } => (tree.text(tree.as_name(value)?), true),
        _ => return None,
    };
    let (scope, bindings) = index.lookup(tree, expr_scope(tree, expr), name)?;
    let [binding] = bindings else { return None };
    if !loops_around(tree, binding.stmt).is_empty() {
        return None;
    }
    match binding.kind {
        Kind::Value(value) if !attribute => Some(Home::Value(value)),
        // `args = parser.parse_args()`, then `args.batch_size`.
        Kind::Value(value) => {
            let parsed = rw.trace.method((module, value)).is_some_and(|(_, m)| m == "parse_args");
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

fn uses(rw: &Rewrite, (module, expr): Place) -> Uses {
    let tree = rw.trace.tree(module);
    let text = rw.text((module, expr));
    let scope = |e: ExprId| -> Scope {
        let name = text.split('.').next().unwrap_or(text);
        rw.project.modules[module].index.lookup(tree, expr_scope(tree, e), name).and_then(|(scope, _)| scope)
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
            match told(rw, (module, e)) {
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

fn told(rw: &Rewrite, (module, expr): Place) -> Told {
    let tree = rw.trace.tree(module);
    let mut at = expr;
    let mut counted = false;
    while let Some(parent) = parent_expr(tree, at) {
        if let Some(api) = rw.trace.called((module, parent)) {
            if is_loader(&api) || api == "builtins.print" || api.starts_with("logging.") {
                return if counted { Told::Counted } else { Told::Named };
            }
            counted |= api == "builtins.range";
        }
        at = parent;
    }
    Told::No
}
