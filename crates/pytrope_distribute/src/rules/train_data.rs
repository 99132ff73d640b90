//! The data of loops: which pipeline, arrays or generator a step reads, and how many steps there are.

use pytrope_diagnostics::{Finding, rule_by_id};
use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use rustc_hash::FxHashSet;

use crate::data::{ArrayName, Chain, Data, DataFinder, strip_passing};
use crate::identify::TrainingPattern;
use crate::index::{Kind, expr_scope, exprs_in, loops_around};
use crate::project::ModuleId;
use crate::rewrite::{Rewrite, Target};
use crate::rules::broadcast::step_statements;
use crate::rules::{shard_arrays, shard_dataset};
use crate::trace::{ExprPlace, argument_of, call_arguments};

const RULE: &str = "divide-steps";

/// The loops around every training step, innermost first, with their modules.
pub fn training_loops(rw: &Rewrite, steps: &[ExprPlace]) -> Vec<(ModuleId, StmtId)> {
    let mut loops = Vec::new();
    for &step in steps {
        for (module, stmt) in step_statements(rw, step) {
            for l in loops_around(rw.trace.tree(module), stmt) {
                if !loops.contains(&(module, l)) {
                    loops.push((module, l));
                }
            }
        }
    }
    loops
}

/// Where a step's samples can be followed from: the loss of a tape, what a session is fed.
fn step_starts(rw: &Rewrite) -> (Vec<ExprPlace>, Vec<ExprPlace>) {
    let mut steps = Vec::new();
    let mut values = Vec::new();
    match rw.training.pattern {
        TrainingPattern::Tape | TrainingPattern::TrainStep | TrainingPattern::Fit | TrainingPattern::Estimator => {
            for tape in &rw.training.tapes {
                let tree = rw.trace.tree(tape.module);
                for &call in &tape.trained {
                    steps.push((tape.module, call));
                    values.extend(argument_of(tree, call, "target", 0).map(|v| (tape.module, v)));
                }
            }
        }
        TrainingPattern::Session | TrainingPattern::Monitored => {
            for (module, call) in session_runs(rw) {
                let tree = rw.trace.tree(module);
                steps.push((module, call));
                let fetches = argument_of(tree, call, "fetches", 0);
                let fed = argument_of(tree, call, "feed_dict", 1)
                    .or(fetches.filter(|&f| matches!(tree[f].kind, ExprKind::Dict { .. })));
                values.extend(fed.map(|v| (module, v)));
            }
        }
        TrainingPattern::Torch => {
            for &(module, call) in &rw.training.steps {
                steps.push((module, call));
                if let Some((receiver, _)) = rw.trace.called_method((module, call)) {
                    values.push((module, receiver));
                }
            }
        }
    }
    (steps, values)
}

/// The runs of a session that train; of a monitored session, all that may.
fn session_runs(rw: &Rewrite) -> Vec<ExprPlace> {
    if rw.training.pattern == TrainingPattern::Session {
        return rw.training.steps.clone();
    }
    let mut runs = Vec::new();
    for module in 0..rw.project.modules.len() {
        for expr in rw.trace.tree(module).expr_ids() {
            let Some((receiver, "run")) = rw.trace.called_method((module, expr)) else { continue };
            let monitored = |api: &str| api.starts_with("tf.train.") && api.ends_with("Session");
            if crate::identify::roots_call(rw.trace, (module, receiver), &monitored) {
                runs.push((module, expr));
            }
        }
    }
    runs
}

/// What was found for the steps.
pub struct FoundData {
    pub steps: Vec<ExprPlace>,
    pub loops: Vec<(ModuleId, StmtId)>,
    pub data: Vec<Data>,
}

pub fn find_data(rw: &Rewrite) -> FoundData {
    let (steps, values) = step_starts(rw);
    let loops = training_loops(rw, &steps);
    let mut finder = DataFinder::new(rw.trace);
    // What a loop iterates is data before anything else is.
    for &(module, l) in &loops {
        if let StmtKind::For { iter, .. } = rw.trace.tree(module)[l].kind {
            let at = strip_passing(rw.trace, (module, iter));
            if rw.trace.called_api(at).as_deref() != Some("builtins.range") {
                finder.visit_value(at, true);
            }
        }
    }
    // A loss function may be shared with evaluation: it is followed only where the loops told nothing.
    if finder.found.is_empty() {
        for value in values {
            finder.visit_value(value, false);
        }
    }
    if matches!(rw.training.pattern, TrainingPattern::Session | TrainingPattern::Monitored) && finder.found.is_empty() {
        // Nothing is fed: the graph reads from an iterator.
        for module in 0..rw.project.modules.len() {
            for expr in rw.trace.tree(module).expr_ids() {
                let by_function = rw.trace.called_api((module, expr)).is_some_and(|api| api.ends_with("_iterator"));
                let by_method = rw
                    .trace
                    .called_method((module, expr))
                    .is_some_and(|(_, m)| m.starts_with("make_") && m.ends_with("_iterator"));
                if by_function || by_method {
                    finder.visit_value((module, expr), true);
                }
            }
        }
    }
    FoundData { steps, loops, data: finder.found }
}

pub fn divide_data(rw: &mut Rewrite) {
    let found = find_data(rw);
    let chains: Vec<Chain> =
        found.data.iter().filter_map(|d| if let Data::Dataset(c) = d { Some(c.clone()) } else { None }).collect();
    let evaluated = evaluated_chains(rw, &found.loops);
    let mut arrays: Vec<ArrayName> =
        found.data.iter().filter_map(|d| if let Data::Array(a) = d { Some(a.clone()) } else { None }).collect();
    let generators: Vec<ExprPlace> =
        found.data.iter().filter_map(|d| if let Data::Generator(g) = d { Some(*g) } else { None }).collect();
    let batched = arrays.iter().any(|a| a.batched);
    if batched {
        arrays.retain(|a| a.batched);
    }
    if !chains.is_empty() {
        shard_dataset::shard_chains(rw, &chains, &evaluated);
        divide_counted(rw, &found, &[], true);
        return;
    }
    if !arrays.is_empty() {
        if let Some(modulus) = wraps_by_number(rw, &found, &arrays) {
            let range = rw.range(modulus);
            rw.refuse_at(
                "untraceable-data",
                modulus.0,
                range,
                "batches begin again after a number of samples that does not follow the arrays' length",
                "use `len` of the array, which is each rank's own when the array is divided",
            );
            return;
        }
        shard_arrays::at_binding(rw, &arrays);
        divide_counted(rw, &found, &arrays, batched);
        return;
    }
    if let Some(&generator) = generators.first() {
        split_iterable(rw, generator);
        divide_counted(rw, &found, &[], true);
        return;
    }
    if let Some(draw) = found.data.iter().find_map(|d| if let Data::Draw(place) = d { Some(*place) } else { None }) {
        draw_batch(rw, draw);
        divide_counted(rw, &found, &[], true);
        return;
    }
    let inner = found.loops.iter().find_map(|&(module, l)| match rw.trace.tree(module)[l].kind {
        StmtKind::For { iter, .. } => {
            let at = strip_passing(rw.trace, (module, iter));
            (rw.trace.called_api(at).as_deref() != Some("builtins.range")).then_some(at)
        }
        _ => None,
    });
    if let Some(iterable) = inner.filter(|_| rw.target == Target::Horovod) {
        split_iterable(rw, iterable);
        return;
    }
    if let Some(&step) = found.steps.first() {
        refuse_lost_samples(rw, &found, step);
    }
}

/// Refuse samples that cannot be followed, with the value that was lost and where.
fn refuse_lost_samples(rw: &mut Rewrite, found: &FoundData, step: ExprPlace) {
    let help = "iterate a tf.data pipeline, a DataLoader, or slices of arrays that are bound to names";
    let counts = |place: ExprPlace| rw.trace.called_api(place).as_deref() == Some("builtins.range");
    let iterated = found.loops.iter().find_map(|&(module, l)| match rw.trace.tree(module)[l].kind {
        StmtKind::For { iter, .. } => {
            let at = strip_passing(rw.trace, (module, iter));
            let roots = rw.trace.value_roots(at);
            let is_counted = counts(at) || !roots.is_empty() && roots.iter().all(|r| counts((r.module, r.expr)));
            (!is_counted).then_some(at)
        }
        _ => None,
    });
    let (at, value) = match (iterated, rw.trace.called_method(step)) {
        (Some(at), _) => (at, at),
        (None, Some((receiver, _))) => match module_input(rw, found) {
            Some(input) => (input, input),
            None => (step, (step.0, receiver)),
        },
        (None, None) => (step, step),
    };
    let first_line = |text: &str| text.lines().next().unwrap_or_default().chars().take(60).collect::<String>();
    let name = first_line(rw.text(value));
    let root = rw.trace.value_roots(value).first().map(|root| (root.module, root.expr)).filter(|&root| root != value);
    let message = match root {
        Some(root) => format!(
            "the samples of this step come from `{name}`, which is `{}`: no dataset, array or generator that can be followed",
            first_line(rw.text(root))
        ),
        None => format!(
            "`{name}` cannot be followed to a dataset, an array or a generator: nothing in this project makes it"
        ),
    };
    let mut finding = Finding::new(rule_by_id("untraceable-data"), rw.span(at.0, rw.range(at)), message).help(help);
    if let Some(root) = root {
        finding = finding.related(rw.span(root.0, rw.range(root)), "its value cannot be followed from here");
    }
    if at != step {
        finding = finding.related(rw.span(step.0, rw.range(step)), "the step that reads it");
    }
    rw.refusals.push(finding);
}

/// What the training loops give to a module: `images` of `model(images)`.
fn module_input(rw: &Rewrite, found: &FoundData) -> Option<ExprPlace> {
    found.loops.iter().find_map(|&(module, l)| {
        let tree = rw.trace.tree(module);
        exprs_in(tree, l).find_map(|e| {
            let ExprKind::Call { function, arguments } = tree[e].kind else { return None };
            let is_module = crate::rules::ddp::is_wrapped(rw, &rw.wrapped, (module, function), 6)
                || rw
                    .trace
                    .class_of((module, function))
                    .is_some_and(|class| rw.trace.descends_from(class, &|api| api.ends_with("nn.Module")));
            let input = tree[arguments.positional].first().copied().filter(|_| is_module)?;
            Some((module, input))
        })
    })
}

/// A remainder by a plain number that places a batch in an array: `start = i * 10 % 200`.
fn wraps_by_number(rw: &Rewrite, found: &FoundData, arrays: &[ArrayName]) -> Option<ExprPlace> {
    use pytrope_source::tree::BinaryOperator;
    found.loops.iter().find_map(|&(module, l)| {
        let tree = rw.trace.tree(module);
        exprs_in(tree, l).find_map(|e| {
            let ExprKind::Subscript { value, index, .. } = tree[e].kind else { return None };
            let ExprKind::Slice { lower: Some(lower), .. } = tree[index].kind else { return None };
            if !arrays.iter().any(|a| a.text == rw.trace.text((module, value))) {
                return None;
            }
            let mut places = vec![(module, lower)];
            places.extend(rw.trace.value_roots((module, lower)).iter().map(|r| (r.module, r.expr)));
            places.into_iter().find_map(|(m, place)| {
                let t = rw.trace.tree(m);
                t.descendants(pytrope_source::Node::Expr(place)).find_map(|node| match node {
                    pytrope_source::Node::Expr(x) => match t[x].kind {
                        ExprKind::BinOp { op: BinaryOperator::Mod, right, .. }
                            if matches!(t[right].kind, ExprKind::Int(_)) =>
                        {
                            Some((m, right))
                        }
                        _ => None,
                    },
                    pytrope_source::Node::Stmt(_) => None,
                })
            })
        })
    })
}

/// Batches from anywhere: each rank takes its own of every group of as many batches as there are ranks.
fn split_iterable(rw: &mut Rewrite, iterable: ExprPlace) {
    if !rw.done.insert(iterable) {
        return;
    }
    let module = iterable.0;
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    let group = rw.edits[module].fresh_name("group");
    rw.wrap_text(iterable, &format!("({group}[{rank}] for {group} in zip(*[iter("), &format!(")] * {size}))"));
    let range = rw.range(iterable);
    rw.log_change(
        "split-batches",
        module,
        range,
        "each rank takes its own batch of every group; an incomplete last group is dropped",
    );
}

/// `source.next_batch(n)` is called once per rank, and each rank keeps its own.
fn draw_batch(rw: &mut Rewrite, draw: ExprPlace) {
    if !rw.done.insert(draw) {
        return;
    }
    let module = draw.0;
    let (rank, size) = (rw.rank_text(module), rw.size_text(module));
    rw.wrap_text(draw, "[", &format!(" for _ in range({size})][{rank}]"));
    let range = rw.range(draw);
    rw.log_change("split-batches", module, range, "of as many batches as there are ranks, each rank keeps its own");
}

/// Pipelines that are read outside the training loops.
pub fn evaluated_chains(rw: &Rewrite, loops: &[(ModuleId, StmtId)]) -> Vec<Chain> {
    let mut chains = Vec::new();
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for stmt in tree.stmt_ids() {
            if let StmtKind::For { iter, .. } = tree[stmt].kind
                && !loops.contains(&(module, stmt))
            {
                chains.extend(DataFinder::dataset_chains(rw.trace, (module, iter)));
            }
        }
        for expr in tree.expr_ids() {
            let Some(given) = call_arguments(tree, expr) else { continue };
            let reads = rw
                .trace
                .called_method((module, expr))
                .is_some_and(|(_, m)| matches!(m, "evaluate" | "predict" | "adapt"));
            if reads && let Some(&first) = tree[given.positional].first() {
                chains.extend(DataFinder::dataset_chains(rw.trace, (module, first)));
            }
            if let Some(validation) = crate::trace::keyword_argument(tree, given, "validation_data") {
                chains.extend(DataFinder::dataset_chains(rw.trace, (module, validation)));
            }
        }
    }
    chains
}

/// The loop whose turns are steps: the innermost, unless the one around it takes another step of its own.
fn stepping_loop(rw: &Rewrite, found: &FoundData) -> Option<(ModuleId, StmtId)> {
    let &(module, innermost) = found.loops.first()?;
    let tree = rw.trace.tree(module);
    let steps: Vec<StmtId> = found
        .steps
        .iter()
        .flat_map(|&step| step_statements(rw, step))
        .filter(|(m, _)| *m == module)
        .map(|(_, stmt)| stmt)
        .collect();
    let around = loops_around(tree, innermost).into_iter().filter(|&l| l != innermost).find(|&outer| {
        steps.iter().any(|&stmt| {
            tree[outer].range.contains_range(tree[stmt].range)
                && !tree[innermost].range.contains_range(tree[stmt].range)
        })
    });
    Some((module, around.unwrap_or(innermost)))
}

/// Divide a fixed number of steps; a number taken from the samples has shrunk with them already.
fn divide_counted(rw: &mut Rewrite, found: &FoundData, arrays: &[ArrayName], batched: bool) {
    let Some((module, innermost)) = stepping_loop(rw, found) else { return };
    // Where a loop runs over the data itself, the counted ones around it are epochs.
    let over_data = found.loops.iter().any(|&(m, l)| match rw.trace.tree(m)[l].kind {
        StmtKind::For { iter, .. } => {
            rw.trace.called_api(strip_passing(rw.trace, (m, iter))).as_deref() != Some("builtins.range")
        }
        _ => false,
    });
    if !batched || over_data {
        return;
    }
    let tree = rw.trace.tree(module);
    if let StmtKind::While { test, .. } = tree[innermost].kind {
        divide_while(rw, module, innermost, test);
        return;
    }
    let StmtKind::For { iter, .. } = tree[innermost].kind else { return };
    let at = strip_passing(rw.trace, (module, iter));
    if rw.trace.called_api(at).as_deref() != Some("builtins.range") {
        return;
    }
    let Some(given) = call_arguments(tree, at.1) else { return };
    let positional = &tree[given.positional];
    let stop = match positional {
        [stop] | [_, stop] | [_, stop, _] => *stop,
        _ => return,
    };
    if derives_from(rw, (module, stop), arrays, &mut FxHashSet::default()) {
        return;
    }
    // Steps that begin later: it is the number of those that are taken that is divided.
    if let [start, _] | [start, _, _] = positional
        && !matches!(tree[*start].kind, ExprKind::Int(0))
    {
        if rw.done.insert((module, stop)) {
            let size = rw.size_text(module);
            let text = |e: ExprId| match tree[e].kind {
                ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Int(_) | ExprKind::Call { .. } => {
                    rw.text((module, e)).to_owned()
                }
                _ => format!("({})", rw.text((module, e))),
            };
            let (first, last) = (text(*start), text(stop));
            rw.edits[module].replace_range(tree[stop].range, format!("{first} + max(1, ({last} - {first}) // {size})"));
            rw.log_change(RULE, module, tree[stop].range, "the number of steps is divided by the number of ranks");
        }
        return;
    }
    rw.divide_count(RULE, (module, stop));
}

/// `while step < limit:` with a counter that the loop itself counts up.
fn divide_while(rw: &mut Rewrite, module: ModuleId, l: StmtId, test: ExprId) {
    use pytrope_source::tree::Comparison;
    let tree = rw.trace.tree(module);
    let ExprKind::Compare { left, ops, comparators } = tree[test].kind else { return };
    let ([Comparison::Lt | Comparison::LtE], [limit]) = (&tree[ops], &tree[comparators]) else { return };
    let Some(counter) = tree.as_name(left).map(|n| tree.text(n)) else { return };
    let index = &rw.project.modules[module].index;
    let counts = index.lookup_name(tree, expr_scope(tree, left), counter).is_some_and(|(_, bindings)| {
        bindings.iter().any(|b| {
            matches!(b.kind, Kind::Augmented(v) if matches!(tree[v].kind, ExprKind::Int(1)))
                && tree[l].range.contains_range(tree[b.stmt].range)
        })
    });
    if counts {
        rw.divide_number(RULE, (module, *limit));
    }
}

/// Whether a count is computed from the length of one of the arrays.
pub fn counts_arrays(rw: &Rewrite, place: ExprPlace, arrays: &[ArrayName]) -> bool {
    derives_from(rw, place, arrays, &mut FxHashSet::default())
}

fn derives_from(rw: &Rewrite, place: ExprPlace, arrays: &[ArrayName], seen: &mut FxHashSet<ExprPlace>) -> bool {
    if seen.len() > 500 || !seen.insert(place) {
        return false;
    }
    let (module, expr) = place;
    let tree = rw.trace.tree(module);
    let names_array = |e: ExprId| {
        let text = rw.trace.text((module, e));
        arrays.iter().any(|a| a.text == text)
            || tree.as_name(e).is_some()
                && rw.trace.value_roots((module, e)).iter().any(|r| {
                    arrays.iter().any(|a| {
                        a.module == r.module
                            && a.bound.iter().any(|&s| rw.trace.tree(r.module).stmt_of(r.expr) == Some(s))
                    })
                })
    };
    tree.descendants(pytrope_source::Node::Expr(expr)).any(|node| {
        let pytrope_source::Node::Expr(e) = node else { return false };
        match tree[e].kind {
            ExprKind::Call { function, arguments: given } => {
                let method = matches!(tree[function].kind, ExprKind::Attribute { value, attribute, .. }
                    if matches!(tree.text(attribute.name), "size" | "__len__") && names_array(value));
                let length = rw.trace.called_api((module, e)).as_deref() == Some("builtins.len")
                    && tree[given.positional].first().is_some_and(|&x| names_array(x));
                method || length
            }
            ExprKind::Attribute { value, attribute, .. } => {
                matches!(tree.text(attribute.name), "shape" | "size") && names_array(value)
            }
            ExprKind::Name { name, .. } => {
                let index = &rw.project.modules[module].index;
                let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, e), tree.text(name)) else {
                    return false;
                };
                bindings.iter().any(|b| match &b.kind {
                    Kind::Value(value) => *value != expr && derives_from(rw, (module, *value), arrays, seen),
                    Kind::Element(value, _) => derives_from(rw, (module, *value), arrays, seen),
                    Kind::Parameter(i) => scope.is_some_and(|f| {
                        rw.trace.arguments_for((module, f), *i).into_iter().any(|g| derives_from(rw, g, arrays, seen))
                    }),
                    _ => false,
                })
            }
            _ => false,
        }
    })
}
