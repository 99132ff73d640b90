//! Arrays that batches are cut from: each rank keeps its own rows, and all ranks equally many.
//!
//! ```python
//! x_train, y_train = load()            # x_train, y_train = load()
//!                                      # shard = slice(hvd.rank(), len(x_train) // hvd.size() * hvd.size(), hvd.size())
//!                                      # x_train, y_train = x_train[shard], y_train[shard]
//! ```

use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, StmtId, StmtKind};

use crate::data::ArrayName;
use crate::index::{expr_scope, exprs_in, loops_around, parent_expr, scope_of};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::rules::shard_dataset::{array_parts, parameter_of};
use crate::trace::{ExprPlace, call_arguments, keyword_argument, positional_argument};

const RULE: &str = "shard-arrays";

/// The text of the slice that picks this rank's rows of an array.
fn slice_text(rw: &mut Rewrite, module: ModuleId, array: &str) -> String {
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    format!("slice({rank}, len({array}) // {size} * {size}, {size})")
}

/// Cut arrays right after they are bound, so that every count taken later is this rank's.
pub fn at_binding(rw: &mut Rewrite, arrays: &[ArrayName]) {
    let mut groups: Vec<(ModuleId, StmtId, Vec<ArrayName>)> = Vec::new();
    for array in arrays {
        let first = cut_statement(rw, array);
        let same_suite = |stmt: StmtId| {
            let tree = rw.trace.tree(array.module);
            tree.siblings(stmt).0 == tree.siblings(first).0
        };
        match groups.iter_mut().find(|(m, stmt, _)| *m == array.module && same_suite(*stmt)) {
            Some((_, stmt, members)) => {
                let tree = rw.trace.tree(array.module);
                if tree[first].range.start > tree[*stmt].range.start {
                    *stmt = first;
                }
                members.push(array.clone());
            }
            None => groups.push((array.module, first, vec![array.clone()])),
        }
    }
    for (module, stmt, mut members) in groups {
        if let Some(def) = shared_maker(rw, &members[0]) {
            let range = rw.trace.tree(module)[stmt].range;
            let message = "the arrays are created here for more than one caller, and not all of them train";
            let help = "give the training data a function or class of its own";
            rw.refuse_at("untraceable-data", def, range, message, help);
            continue;
        }
        members.sort_by_key(|m| (rw.trace.tree(module)[m.bound[0]].range.start, m.text.clone()));
        if counted_before(rw, module, stmt, &members) {
            let range = rw.trace.tree(module)[stmt].range;
            rw.refuse_at(
                "untraceable-data",
                module,
                range,
                "a count of the training samples is taken before all their arrays exist",
                "load all arrays first, then take their length",
            );
            continue;
        }
        if let Some(slice) = members.iter().find_map(|member| rows_by_number(rw, member, stmt)) {
            let message = "rows are selected by index from an array that is divided among the ranks";
            let help = "split the samples first, and give those that are trained on a name of their own";
            rw.refuse_at("untraceable-data", module, rw.trace.tree(module)[slice].range, message, help);
            continue;
        }
        let range = rw.trace.tree(module)[stmt].range;
        let (sequences, rows): (Vec<ArrayName>, Vec<ArrayName>) = members.into_iter().partition(|m| m.windows);
        for sequence in &sequences {
            let name = rw.edits[module].fresh_name("part");
            let (rank, size) = (rw.rank_text(module), rw.size_text(module));
            let text = &sequence.text;
            let lines =
                format!("{name} = len({text}) // {size}\n{text} = {text}[{rank} * {name}:({rank} + 1) * {name}]");
            rw.edits[module].insert_after(stmt, &lines);
            rw.log_change(
                RULE,
                module,
                range,
                format!("each rank keeps a contiguous part of {text}, whose order matters"),
            );
        }
        let members = rows;
        if members.is_empty() {
            continue;
        }
        let name = rw.edits[module].fresh_name("shard");
        let slice = slice_text(rw, module, &members[0].text);
        let left: Vec<&str> = members.iter().map(|m| m.text.as_str()).collect();
        let right: Vec<String> = members.iter().map(|m| format!("{}[{name}]", m.text)).collect();
        let lines = format!("{name} = {slice}\n{} = {}", left.join(", "), right.join(", "));
        rw.edits[module].insert_after(stmt, &lines);
        rw.log_change(RULE, module, range, format!("each rank keeps its own rows of {}", left.join(", ")));
    }
}

/// After which statement an array is cut: where it is first bound, or, if a name is bound again to some rows of itself, there.
///
/// ```python
/// x = load()
/// x_test = x[800:]
/// x = x[:800]          # the rows that are trained on; 800 is a number of all ranks' rows
/// ```
fn cut_statement(rw: &Rewrite, array: &ArrayName) -> StmtId {
    let tree = rw.trace.tree(array.module);
    let first = array.bound[0];
    let chooses_rows = |stmt: StmtId| {
        tree.siblings(stmt).0 == tree.siblings(first).0
            && exprs_in(tree, stmt).any(|e| slice_of(rw, (array.module, e), &array.text).is_some())
    };
    array.bound.iter().skip(1).copied().rfind(|&stmt| chooses_rows(stmt)).unwrap_or(first)
}

/// The bounds of `array[lower:upper]`.
fn slice_of(rw: &Rewrite, (module, e): ExprPlace, array: &str) -> Option<[Option<ExprId>; 2]> {
    let tree = rw.trace.tree(module);
    let ExprKind::Subscript { value, index, .. } = tree[e].kind else { return None };
    let ExprKind::Slice { lower, upper, .. } = tree[index].kind else { return None };
    (rw.trace.text((module, value)) == array).then_some([lower, upper])
}

/// A name that is given rows of an array by their numbers, after the array was cut and outside loops: `x_test = x[800:]`.
fn rows_by_number(rw: &Rewrite, array: &ArrayName, cut: StmtId) -> Option<ExprId> {
    let module = array.module;
    let tree = rw.trace.tree(module);
    let is_number = |e: ExprId| match tree[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::UnaryOp { operand, .. } => matches!(tree[operand].kind, ExprKind::Int(_)),
        _ => false,
    };
    tree.expr_ids().find(|&e| {
        let Some(stmt) = tree.stmt_of(e) else { return false };
        tree[stmt].range.start > tree[cut].range.start
            && matches!(tree[stmt].kind, StmtKind::Assign { .. })
            && scope_of(tree, stmt) == array.scope
            && loops_around(tree, stmt).is_empty()
            && slice_of(rw, (module, e), &array.text).is_some_and(|bounds| bounds.into_iter().flatten().any(is_number))
    })
}

/// Cut arrays before the loop that trains on them, under names of their own: what reads them elsewhere (a plot, a last
/// prediction) has all rows. False where code outside the loop is part of a step, or counts rows for it.
///
/// ```python
/// for epoch in range(100):      # shard = slice(…)
///     loss = f(net(x), y)       # x_part, y_part = x[shard], y[shard]
///                               # for epoch in range(100):
///                               #     loss = f(net(x_part), y_part)
/// ```
pub fn before_loop(rw: &mut Rewrite, arrays: &[ArrayName], loops: &[(ModuleId, StmtId)], is_whole: bool) -> bool {
    let length = |(m, l): &&(ModuleId, StmtId)| {
        let range = rw.trace.tree(*m)[*l].range;
        range.end - range.start
    };
    let Some(&(module, outer)) = loops.iter().max_by_key(length) else { return false };
    let tree = rw.trace.tree(module);
    let range = tree[outer].range;
    let scope = scope_of(tree, outer);
    let index = &rw.project.modules[module].index;
    let is_here = loops.iter().all(|(m, l)| *m == module && range.contains_range(tree[*l].range))
        && arrays.iter().all(|a| {
            a.module == module
                && a.scope == scope
                && !a.windows
                && !a.text.contains('.')
                && a.bound.iter().all(|&stmt| tree[stmt].range.end <= range.start)
        });
    if !is_here {
        return false;
    }
    let mut reads: Vec<(ExprId, usize)> = Vec::new();
    for e in tree.expr_ids() {
        let ExprKind::Name { name, context: Context::Load } = tree[e].kind else { continue };
        let is_inside = range.contains_range(tree[e].range);
        if let Some(i) = arrays.iter().position(|a| a.text == tree.text(name)) {
            if index.lookup_name(tree, expr_scope(tree, e), tree.text(name)).is_none_or(|(s, _)| s != scope) {
                continue;
            }
            if is_inside && !divides_total(rw, module, e, loops) {
                reads.push((e, i));
            } else if !is_inside && expr_scope(tree, e) != scope {
                return false;
            }
        } else if is_inside && is_computed_from(rw, (module, e), outer, arrays, 4) {
            return false;
        }
    }
    if !arrays.iter().enumerate().all(|(i, _)| reads.iter().any(|(_, of)| *of == i)) {
        return false;
    }
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let first = &arrays[0].text;
    let shard = rw.edits[module].fresh_name("shard");
    // Rows that lie together stay in one piece of memory, as `view` needs; batches are cut from every n-th row, so that the
    // ranks together read what one process reads.
    let mut lines = if is_whole {
        let rows = rw.edits[module].fresh_name("rows");
        format!("{rows} = len({first}) // {size}\n{shard} = slice({rank} * {rows}, ({rank} + 1) * {rows})")
    } else {
        format!("{shard} = {}", slice_text(rw, module, first))
    };
    let names: Vec<String> = arrays.iter().map(|a| rw.edits[module].fresh_name(&format!("{}_part", a.text))).collect();
    let cuts: Vec<String> = arrays.iter().map(|a| format!("{}[{shard}]", a.text)).collect();
    lines.push_str(&format!("\n{} = {}", names.join(", "), cuts.join(", ")));
    rw.edits[module].insert_before(outer, &lines);
    for (e, of) in reads {
        rw.edits[module].replace_range(tree[e].range, names[of].clone());
    }
    rw.cut_for = Some((module, outer));
    let texts: Vec<&str> = arrays.iter().map(|a| a.text.as_str()).collect();
    rw.log_change(RULE, module, range, format!("each rank trains on its own rows of {}", texts.join(", ")));
    true
}

/// `total / len(x)` behind the loop that adds the total up: the total is that of all ranks, and so is the length.
pub fn divides_total(rw: &Rewrite, module: ModuleId, read: ExprId, loops: &[(ModuleId, StmtId)]) -> bool {
    let tree = rw.trace.tree(module);
    let place = tree[read].range;
    let is_behind = loops.iter().any(|&(m, l)| m == module && tree[l].range.end <= place.start)
        && !loops.iter().any(|&(m, l)| {
            m == module
                && tree[l].range.contains_range(place)
                && !loops
                    .iter()
                    .any(|&(n, inner)| n == m && inner != l && tree[l].range.contains_range(tree[inner].range))
        });
    let mut at = read;
    while is_behind && let Some(parent) = parent_expr(tree, at) {
        if let ExprKind::BinOp { op: BinaryOperator::Div, right, .. } = tree[parent].kind
            && right == at
        {
            return true;
        }
        at = parent;
    }
    false
}

/// Whether a name has a value that is computed outside a loop from one of the arrays: from its rows, or their number.
fn is_computed_from(rw: &Rewrite, (module, name): ExprPlace, outer: StmtId, arrays: &[ArrayName], fuel: u32) -> bool {
    let tree = rw.trace.tree(module);
    let Some(text) = tree.as_name(name).map(|n| tree.text(n)) else { return false };
    // A module that was made for the number of columns has no rows.
    let is_part_of_model = |api: &str| api.starts_with("torch.nn.") || api.starts_with("torch.optim.");
    if rw
        .trace
        .class_of((module, name))
        .is_some_and(|class| rw.trace.descends_from(class, &|api| api.ends_with("nn.Module")))
        || crate::identify::roots_call(rw.trace, (module, name), &is_part_of_model)
    {
        return false;
    }
    let Some((_, bindings)) = rw.project.modules[module].index.lookup_name(tree, expr_scope(tree, name), text) else {
        return false;
    };
    let mut outside = bindings.iter().filter(|b| !tree[outer].range.contains_range(tree[b.stmt].range));
    outside.any(|binding| {
        exprs_in(tree, binding.stmt).any(|e| {
            tree.as_name(e).is_some_and(|n| {
                is_array(rw, (module, e), arrays)
                    || fuel > 0 && tree.text(n) != text && is_computed_from(rw, (module, e), outer, arrays, fuel - 1)
            })
        })
    })
}

/// Whether a name is one of the arrays, and not a parameter or a local variable that is called as they are.
fn is_array(rw: &Rewrite, (module, name): ExprPlace, arrays: &[ArrayName]) -> bool {
    let tree = rw.trace.tree(module);
    let Some(text) = tree.as_name(name).map(|n| tree.text(n)) else { return false };
    let owner =
        rw.project.modules[module].index.lookup_name(tree, expr_scope(tree, name), text).map(|(scope, _)| scope);
    arrays.iter().any(|array| array.text == text && owner.is_none_or(|scope| scope == array.scope))
}

/// The module of a function or constructor that makes an array for several callers.
fn shared_maker(rw: &Rewrite, array: &ArrayName) -> Option<ModuleId> {
    let function = array.scope?;
    let def = (array.module, function);
    let constructed = match crate::index::self_of(rw.trace.tree(array.module), function) {
        Some((_, class)) => rw.trace.construction_calls((array.module, class)).len(),
        None => 0,
    };
    let called = rw.trace.calls_of(def).len();
    (constructed > 1 || constructed == 0 && called > 1).then_some(array.module)
}

/// Whether `len(x)` or `x.shape` is read between the first binding of an array and the cut.
fn counted_before(rw: &Rewrite, module: ModuleId, cut: StmtId, members: &[ArrayName]) -> bool {
    let tree = rw.trace.tree(module);
    let scope = scope_of(tree, cut);
    tree.stmt_ids().any(|stmt| {
        if scope_of(tree, stmt) != scope || tree[stmt].range.start >= tree[cut].range.start {
            return false;
        }
        if !tree.suites(stmt).is_empty() {
            return false;
        }
        let names = crate::identify::assigned_names(rw.trace, module, stmt);
        let is_member = |name: &str| members.iter().any(|m| m.text == name);
        if names.iter().any(|n| is_member(n)) {
            return false;
        }
        let value_is_number = exprs_in(tree, stmt).any(|e| match tree[e].kind {
            ExprKind::Call { .. } => {
                rw.trace.called_api((module, e)).as_deref() == Some("builtins.len")
                    && call_arguments(tree, e)
                        .and_then(|a| positional_argument(tree, a, 0))
                        .is_some_and(|x| is_member(rw.trace.text((module, x))))
            }
            ExprKind::Attribute { value, attribute, .. } => {
                tree.text(attribute.name) == "shape" && is_member(rw.trace.text((module, value)))
            }
            _ => false,
        });
        // Shapes used to draw other arrays are harmless; counts that get a name are not.
        value_is_number
            && names.iter().any(|n| {
                !rw.trace.project.modules[module].index.lookup_name(tree, scope, n).is_some_and(|(_, b)| {
                    b.iter().any(|b| match b.kind {
                        crate::index::Kind::Value(v) => {
                            crate::data::DataFinder::new(rw.trace).is_array((module, v), None)
                        }
                        _ => false,
                    })
                })
            })
    })
}

/// Cut the arrays that a call gives to a function which makes a dataset of them.
pub fn at_call(rw: &mut Rewrite, call: ExprPlace, source: ExprPlace) -> bool {
    let (module, site) = call;
    let tree = rw.trace.tree(module);
    let Some(given) = call_arguments(tree, site) else { return false };
    let Some(callee) = rw.trace.project_callee(call) else { return false };
    let method = crate::index::self_of(rw.trace.tree(callee.0), callee.1).is_some();
    let mut values: Vec<ExprId> = Vec::new();
    for part in array_parts(rw, source) {
        let Some((function, i)) = parameter_of(rw, (source.0, part)) else { return false };
        if (source.0, function) != callee {
            return false;
        }
        let callee_tree = rw.trace.tree(callee.0);
        let pytrope_source::tree::StmtKind::FunctionDef(def) = callee_tree[callee.1].kind else { return false };
        let names = crate::index::parameter_names(callee_tree, &def.parameters);
        let place = i.checked_sub(usize::from(method));
        let value =
            place.and_then(|p| positional_argument(tree, given, p)).or_else(|| keyword_argument(tree, given, names[i]));
        let Some(value) = value else { return false };
        values.push(value);
    }
    if values.is_empty() {
        return false;
    }
    in_place(rw, call, &values)
}

/// Cut expressions where they stand, by a slice computed before their statement.
pub fn in_place(rw: &mut Rewrite, at: ExprPlace, values: &[ExprId]) -> bool {
    let module = at.0;
    let tree = rw.trace.tree(module);
    let Some(stmt) = rw.stmt_of(at) else { return false };
    let Some(&first) = values.first() else { return false };
    let subscriptable = |e: ExprId| {
        matches!(
            tree[e].kind,
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } | ExprKind::Call { .. }
        )
    };
    if tree.dotted(first).is_none() && !matches!(tree[first].kind, ExprKind::Subscript { .. })
        || !values.iter().all(|&v| subscriptable(v))
    {
        return false;
    }
    let array = rw.trace.text((module, first));
    let known = rw.shards.iter().find(|(m, text, earlier, _)| {
        *m == module
            && text == array
            && tree.siblings(*earlier).0 == tree.siblings(stmt).0
            && tree[*earlier].range.start < tree[stmt].range.start
            && !tree.stmt_ids().any(|s| {
                tree[s].range.start > tree[*earlier].range.start
                    && tree[s].range.start < tree[stmt].range.start
                    && crate::identify::assigned_names(rw.trace, module, s).contains(&array)
            })
    });
    let name = if let Some((_, _, _, name)) = known {
        name.clone()
    } else {
        let slice = slice_text(rw, module, array);
        let name = rw.edits[module].fresh_name("shard");
        rw.edits[module].insert_before(stmt, &format!("{name} = {slice}"));
        rw.starts_group(module, stmt);
        rw.shards.push((module, array.to_owned(), stmt, name.clone()));
        name
    };
    for &value in values {
        if rw.done.insert((module, value)) {
            rw.wrap_text((module, value), "", &format!("[{name}]"));
        }
    }
    let range = rw.range(at);
    rw.log_change(RULE, module, range, "each rank takes its own rows, all ranks equally many");
    true
}
