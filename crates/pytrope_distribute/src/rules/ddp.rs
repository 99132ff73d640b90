//! PyTorch: a process group from the launcher's environment, and DDP around every trained module.
//!
//! ```python
//! optimizer = optim.SGD(model.parameters(), lr=0.1)    # model = DDP(model)
//!                                                      # optimizer = optim.SGD(model.parameters(), lr=0.1)
//! torch.save(model.state_dict(), "m.pt")               # torch.save(model.module.state_dict(), "m.pt")
//! ```

pub mod devices;
mod owners;
mod placement;
mod process_group;

pub use process_group::{end_process_group, needs_early, place_start, start_process_group};

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind, Tree};
use pytrope_source::{Node, TextRange};

use crate::index::{Kind, NameBinding, Scope, expr_scope, exprs_in, loops_around, scope_of};
use crate::project::ModuleId;
use crate::rewrite::{GradientReduction, Rewrite, Target};
use crate::rules::train_data::training_loops;
use crate::trace::{ExprPlace, Trace, argument_of, call_arguments};
use devices::is_data_parallel;
use owners::{kept_as_attribute, made_for_callers};
use placement::{chosen_between, compiled_before, kept_elsewhere, last_setting, moved_after};

/// A variable whose module is wrapped, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrapped {
    module: ModuleId,
    /// The scope of a name; the class of an attribute.
    scope: Scope,
    class: Option<StmtId>,
    name: String,
    /// The offset in its own scope from which it is wrapped.
    from: u32,
}

pub fn wrap_modules(rw: &mut Rewrite) -> Vec<Wrapped> {
    let mut wrapped: Vec<Wrapped> = Vec::new();
    refuse_lazy_layers(rw);
    for optimizer in rw.training.optimizers.clone() {
        for module_expr in trained_modules(rw.trace, optimizer) {
            wrap_module(rw, optimizer, module_expr, &mut wrapped);
        }
    }
    if wrapped.is_empty() && rw.refusals.is_empty() {
        let range = rw.trace.tree(rw.training.home)[rw.training.at].range;
        rw.refuse_at(
            "untraceable-model",
            rw.training.home,
            range,
            "no optimizer is given `model.parameters()` of a module that can be named",
            "make the optimizer by `optim.X(model.parameters())`",
        );
    }
    data_parallel(rw);
    rewrite_uses(rw, &wrapped);
    average_plateau_metrics(rw);
    devices::use_current_device(rw);
    wrapped
}

/// `nn.LazyLinear(10)` has no parameters before its first forward pass, and so cannot be wrapped.
fn refuse_lazy_layers(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        let lazy = |e: &ExprId| rw.trace.called_api((module, *e)).is_some_and(|api| api.starts_with("torch.nn.Lazy"));
        if let Some(layer) = tree.expr_ids().find(lazy) {
            let message =
                "this layer has no parameters before its first forward pass, and only parameters can be wrapped";
            let help = "give the layer its number of inputs, `nn.Linear(64, 10)`";
            rw.refuse_at("untraceable-model", module, tree[layer].range, message, help);
        }
    }
}

/// A scheduler that decides on a metric must decide alike on every rank.
fn average_plateau_metrics(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for call in tree.expr_ids() {
            let Some((receiver, "step")) = rw.trace.called_method((module, call)) else { continue };
            let Some(metric) = argument_of(tree, call, "metrics", 0) else { continue };
            let plateau = |api: &str| api.ends_with("lr_scheduler.ReduceLROnPlateau");
            if !crate::identify::roots_call(rw.trace, (module, receiver), &plateau) {
                continue;
            }
            let (function, size) = (super::loaders::sum_over_ranks(rw, module), rw.size_text(module));
            rw.wrap_text((module, metric), &format!("{function}("), &format!(") / {size}"));
            rw.log_change("average-metric", module, tree[call].range, "all ranks lower the learning rate together");
        }
    }
}

/// The modules whose parameters an optimizer is given.
fn trained_modules(trace: &Trace, optimizer: ExprPlace) -> Vec<ExprPlace> {
    let (module, call) = optimizer;
    let tree = trace.tree(module);
    let Some(parameters) = argument_of(tree, call, "params", 0) else { return Vec::new() };
    let mut found = Vec::new();
    let mut seen = vec![(module, parameters)];
    let mut todo = seen.clone();
    // Groups name lists, and lists are filled: `decay.append(p)` for `p` of `model.named_parameters()`.
    while let Some((m, expr)) = todo.pop() {
        let t = trace.tree(m);
        let mut places: Vec<ExprPlace> = trace.value_roots((m, expr)).iter().map(|r| (r.module, r.expr)).collect();
        let own = names_bound_inside(t, expr);
        for node in t.descendants(Node::Expr(expr)) {
            let Node::Expr(e) = node else { continue };
            if let Some((receiver, "parameters" | "named_parameters")) = trace.called_method((m, e)) {
                if !found.contains(&(m, receiver)) {
                    found.push((m, receiver));
                }
                continue;
            }
            let Some(name) = t.as_name(e).filter(|name| !own.contains(&t.text(*name))) else { continue };
            let index = &trace.project.modules[m].index;
            if let Some((scope, bindings)) = index.lookup_name(t, expr_scope(t, e), t.text(name)) {
                places.extend(bindings.iter().filter_map(|b| match b.kind {
                    Kind::Iteration(iter, _) => Some((m, iter)),
                    Kind::Value(value) => Some((m, value)),
                    _ => None,
                }));
                places.extend(trace.appended_values(m, scope, t.text(name)).into_iter().map(|value| (m, value)));
            }
        }
        for place in places {
            if seen.len() < 60 && !seen.contains(&place) {
                seen.push(place);
                todo.push(place);
            }
        }
    }

    found
}

/// The names of lambdas and comprehensions inside an expression: `filter(lambda p: p.requires_grad, model.parameters())`. A loop elsewhere may
/// have a variable of that name.
fn names_bound_inside(tree: &Tree, expr: ExprId) -> Vec<&str> {
    let mut names = Vec::new();
    let mut targets = Vec::new();
    for node in tree.descendants(Node::Expr(expr)) {
        let Node::Expr(e) = node else { continue };
        match tree[e].kind {
            ExprKind::Lambda { parameters, .. } => {
                names.extend(crate::index::parameter_names(tree, &tree[parameters]));
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => targets.extend(tree[generators].iter().map(|g| g.target)),
            _ => {}
        }
    }
    for target in targets {
        names.extend(tree.descendants(Node::Expr(target)).filter_map(|node| match node {
            Node::Expr(e) => tree.as_name(e).map(|name| tree.text(name)),
            Node::Stmt(_) => None,
        }));
    }
    names
}

fn wrap_module(rw: &mut Rewrite, optimizer: ExprPlace, at: ExprPlace, wrapped: &mut Vec<Wrapped>) {
    let (module, expr) = at;
    let tree = rw.trace.tree(module);
    let range = rw.range(at);
    // `net.module.parameters()` and `net.fc.parameters()` train a part of `net`.
    let mut base = expr;
    while let ExprKind::Attribute { value, .. } = tree[base].kind
        && rw.trace.self_class((module, value)).is_none()
    {
        base = value;
    }
    let Some(stmt) = rw.stmt_of((module, base)) else { return };
    let text = rw.text((module, base)).to_owned();
    let class = match tree[base].kind {
        ExprKind::Attribute { value, .. } => rw.trace.self_class((module, value)),
        _ => None,
    };
    if class.is_none() && tree.as_name(base).is_none() {
        rw.refuse_at(
            "untraceable-model",
            module,
            range,
            "the trained module has no name here",
            "bind it to a name first",
        );
        return;
    }
    let scope_here = expr_scope(tree, base);
    let (scope, name, bindings) = if let (Some(_), ExprKind::Attribute { attribute, .. }) = (class, tree[base].kind) {
        (scope_here, tree.text(attribute.name).to_owned(), Vec::new())
    } else {
        let index = &rw.project.modules[module].index;
        let Some((scope, bindings)) = index.lookup_name(tree, scope_here, &text) else { return };
        (scope, text.clone(), bindings.to_vec())
    };
    if class.is_none()
        && base == expr
        && let Some(callers) = made_for_callers(rw, optimizer, module, scope, &bindings)
    {
        for (call, given) in callers {
            wrap_module(rw, call, given, wrapped);
        }
        return;
    }
    // `self.model = model.to(device)` before the optimizer is made from `model`: the class uses its own name for it.
    let mut text = text;
    let (mut class, mut name) = (class, name);
    if class.is_none()
        && let Some((owner, target)) = kept_as_attribute(rw, module, scope_here, stmt, &name)
        && let ExprKind::Attribute { attribute, .. } = tree[target].kind
    {
        class = Some(owner);
        tree.text(attribute.name).clone_into(&mut name);
        rw.text((module, target)).clone_into(&mut text);
    }
    let bindings = if class.is_some() { Vec::new() } else { bindings };
    let here = tree[base].range.start;
    if wrapped.iter().any(|w| {
        w.module == module
            && w.name == name
            && w.class == class
            // A name that is bound to another module since is wrapped again.
            && (class.is_some() || w.scope == scope && !bound_anew(rw, module, &bindings, &name, w.from, here))
    }) {
        return;
    }
    // An unconditional DataParallel is replaced where it stands.
    let parallel = bindings.iter().find_map(|b| match b.kind {
        Kind::Value(value) if is_data_parallel(rw.trace, (module, value)) => Some((b.stmt, value)),
        _ => None,
    });
    if let Some((at_stmt, value)) = parallel
        && tree.enclosing(at_stmt).is_none_or(|outer| matches!(tree[outer].kind, StmtKind::FunctionDef(_)))
        && let Some(inner) = argument_of(tree, value, "module", 0)
        && rw.target == Target::Ddp
        && rw.reduction == GradientReduction::Wrapper
        && moved_after(rw, module, at_stmt, &name).is_none()
    {
        let inner = rw.text((module, inner)).to_owned();
        let (ddp, devices) = (ddp_name(rw, module), devices::device_ids(rw, module, &inner));
        rw.edits[module].replace_range(tree[value].range, format!("{ddp}({inner}{devices})"));
        rw.done.insert((module, value));
        wrapped.push(Wrapped { module, scope, class, name, from: tree[at_stmt].range.end });
        rw.log_change("wrap-module", module, tree[at_stmt].range, "DataParallel becomes DistributedDataParallel");
        return;
    }
    let mut line = wrapping_lines(rw, at, &text);
    if let Some(device) = placement::moved_by_keeper(rw, module, scope, &name).filter(|_| class.is_none()) {
        line.insert_str(0, &format!("{text}.to({device})\n"));
    }
    let from = if class.is_some() || scope == scope_here {
        // Where the parameters go to a function that makes the optimizer, its call is what comes after.
        let made = rw.stmt_of(optimizer).filter(|&s| optimizer.0 == module && scope_of(tree, s) == scope_here);
        let made = chosen_between(rw, module, made.unwrap_or(stmt), &text);
        let before = compiled_before(rw, module, made, &text).unwrap_or(made);
        if let Some(set) = kept_elsewhere(rw, module, scope_here, before, &text).filter(|_| class.is_none()) {
            rw.edits[module].insert_after(set, &line);
            tree[set].range.end
        } else if let Some(moved) = moved_after(rw, module, before, &text) {
            rw.edits[module].insert_after(moved, &line);
            tree[moved].range.end
        } else {
            rw.edits[module].insert_before(before, &line);
            tree[before].range.start
        }
    } else {
        // The name belongs to an outer scope: it is wrapped after the last statement there that makes or moves it.
        let Some(last) = last_setting(rw, module, scope, &name) else { return };
        rw.edits[module].insert_after(last, &line);
        tree[last].range.end
    };
    let what = match rw.reduction {
        GradientReduction::Wrapper => format!("`{text}` is wrapped in DistributedDataParallel"),
        GradientReduction::Hooks => format!("the gradients of `{text}` are averaged by hooks"),
    };
    rw.log_change("wrap-module", module, range, what);
    wrapped.push(Wrapped { module, scope, class, name, from });
}

/// What makes the module under a name a distributed one.
fn wrapping_lines(rw: &mut Rewrite, at: ExprPlace, name: &str) -> String {
    let module = at.0;
    if rw.reduction == GradientReduction::Hooks {
        return super::gradient_hooks::hook_call(rw, module, name);
    }
    match rw.target {
        Target::Fsdp2 => super::fsdp2::sharding_lines(rw, at, name),
        Target::Accelerate => format!("{name} = {}.prepare({name})", rw.engine_name(module)),
        Target::Ddp | Target::Horovod | Target::TfDistribute => {
            let (ddp, devices) = (ddp_name(rw, module), devices::device_ids(rw, module, name));
            format!("{name} = {ddp}({name}{devices}{})", ddp_options(rw, at))
        }
    }
}

fn ddp_name(rw: &mut Rewrite, module: ModuleId) -> String {
    rw.engine_name(module);
    let name = rw.free_everywhere("DDP");
    rw.add_import(module, &format!("from torch.nn.parallel import DistributedDataParallel as {name}"));
    name
}

/// A module that is called more than once before one backward pass must not have its buffers overwritten in between.
fn ddp_options(rw: &Rewrite, at: ExprPlace) -> &'static str {
    let text = rw.text(at);
    let calls_between = rw.training.steps.len() > 1
        || rw.project.modules.iter().enumerate().any(|(id, m)| {
            let tree = &m.parsed.tree;
            rw.training.steps.iter().filter(|s| s.0 == id).any(|&(_, step)| {
                let Some(stmt) = tree.stmt_of(step) else { return false };
                let Some(&innermost) = loops_around(tree, stmt).first() else { return false };
                exprs_in(tree, innermost)
                    .filter(|&e| matches!(tree[e].kind, ExprKind::Call { function, .. } if rw.trace.text((id, function)) == text))
                    .count()
                    > 1
            })
        });
    if calls_between { ", broadcast_buffers=False" } else { "" }
}

/// Conditional DataParallel goes: the wrapping does its work.
fn data_parallel(rw: &mut Rewrite) {
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for expr in tree.expr_ids() {
            if !is_data_parallel(rw.trace, (module, expr)) || rw.done.contains(&(module, expr)) {
                continue;
            }
            let Some(inner) = argument_of(tree, expr, "module", 0) else { continue };
            let text = rw.text((module, inner)).to_owned();
            match tree.stmt_of(expr).map(|stmt| (stmt, tree[stmt].kind)) {
                Some((stmt, StmtKind::Assign { targets, value }))
                    if value == expr && tree[targets].iter().all(|&t| rw.text((module, t)) == text) =>
                {
                    rw.edits[module].delete_stmt(stmt);
                }
                _ => rw.edits[module].replace_range(tree[expr].range, text),
            }
            rw.log_change(
                "wrap-module",
                module,
                tree[expr].range,
                "DataParallel is replaced by DistributedDataParallel",
            );
        }
    }
}

/// Whether an expression's value is a wrapped module.
pub fn is_wrapped(rw: &Rewrite, wrapped: &[Wrapped], place: ExprPlace, fuel: u32) -> bool {
    let (module, expr) = place;
    let tree = rw.trace.tree(module);
    let is_named = match tree[expr].kind {
        ExprKind::Name { name, .. } => {
            let name = tree.text(name);
            let scope_here = expr_scope(tree, expr);
            let Some((scope, bindings)) = rw.project.modules[module].index.lookup_name(tree, scope_here, name) else {
                return false;
            };
            wrapped.iter().any(|w| {
                w.module == module
                    && w.class.is_none()
                    && w.scope == scope
                    && w.name == name
                    && (scope_here != scope || tree[expr].range.start >= w.from)
                    && !(scope_here == scope && bound_anew(rw, module, bindings, name, w.from, tree[expr].range.start))
            })
        }
        ExprKind::Attribute { value, attribute, .. } => {
            let attribute = tree.text(attribute.name);
            rw.trace.class_of((module, value)).is_some_and(|(m, class)| {
                wrapped.iter().any(|w| {
                    w.module == m
                        && w.class == Some(class)
                        && w.name == attribute
                        && (expr_scope(tree, expr) != w.scope || tree[expr].range.start >= w.from || m != module)
                })
            })
        }
        _ => return false,
    };
    is_named
        || fuel > 0 && module_sources(rw, place).into_iter().any(|source| is_wrapped(rw, wrapped, source, fuel - 1))
}

/// The expressions that a name or an attribute may have its module from: what callers give for a parameter, another name for
/// it, what a function gives back.
///
/// ```python
/// trainer = Trainer(model)                 # `model` is a source of the parameter `net`,
///
/// class Trainer:
///     def __init__(self, net):
///         self.net = net.to(device)        # which is a source of `self.net`
/// ```
fn module_sources(rw: &Rewrite, (module, expr): ExprPlace) -> Vec<ExprPlace> {
    let tree = rw.trace.tree(module);
    let mut sources: Vec<ExprPlace> = Vec::new();
    match tree[expr].kind {
        ExprKind::Name { name, .. } => {
            let index = &rw.project.modules[module].index;
            let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, expr), tree.text(name)) else {
                return sources;
            };
            for binding in bindings {
                match binding.kind {
                    Kind::Parameter(i) => {
                        sources.extend(scope.into_iter().flat_map(|f| rw.trace.arguments_for((module, f), i)));
                    }
                    Kind::Value(value) if tree[binding.stmt].range.end <= tree[expr].range.start => {
                        sources.extend(bound_sources(rw, (module, value)));
                    }
                    _ => {}
                }
            }
        }
        ExprKind::Attribute { value, attribute, .. } => {
            let Some(class) = rw.trace.class_of((module, value)) else { return sources };
            for (home, binding) in rw.trace.attribute_values(class, tree.text(attribute.name)) {
                sources.extend(bound_sources(rw, (home, binding)));
            }
        }
        _ => {}
    }
    sources.retain(|&source| source != (module, expr));
    sources
}

/// What an assigned value has its module from: the name that is assigned, moved or not, or what a function returns.
fn bound_sources(rw: &Rewrite, (module, value): ExprPlace) -> Vec<ExprPlace> {
    let tree = rw.trace.tree(module);
    if let Some((receiver, method)) = rw.trace.called_method((module, value))
        && placement::moves_in_place(method)
    {
        return bound_sources(rw, (module, receiver));
    }
    match (tree[value].kind, rw.trace.project_callee((module, value))) {
        (ExprKind::Name { .. } | ExprKind::Attribute { .. }, _) => vec![(module, value)],
        (ExprKind::Call { .. }, Some(def)) => {
            rw.trace.returned_values(def).into_iter().map(|returned| (def.0, returned)).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an expression's value may also be a module that is not wrapped: a parameter that some callers give another one.
pub fn may_be_plain(rw: &Rewrite, wrapped: &[Wrapped], place: ExprPlace) -> bool {
    !is_wrapped(rw, wrapped, place, 0)
        && module_sources(rw, place)
            .into_iter()
            .any(|source| !is_wrapped(rw, wrapped, source, 6) || may_be_plain(rw, wrapped, source))
}

/// Mean the module inside a wrapped one.
pub fn unwrap_module(rw: &mut Rewrite, wrapped: &[Wrapped], place: ExprPlace) {
    // Hooks leave the module as it is.
    if rw.reduction == GradientReduction::Hooks {
        return;
    }
    match rw.target {
        // `fully_shard` changes a module in place.
        Target::Fsdp2 => {}
        Target::Accelerate => {
            let engine = rw.engine_name(place.0);
            rw.wrap_text(place, &format!("{engine}.unwrap_model("), ")");
        }
        Target::Ddp | Target::Horovod | Target::TfDistribute => {
            if may_be_plain(rw, wrapped, place) {
                let text = rw.text(place).to_owned();
                let range = rw.range(place);
                rw.edits[place.0].replace_range(range, format!("getattr({text}, \"module\", {text})"));
            } else {
                rw.wrap_text(place, "", ".module");
            }
        }
    }
}

/// Whether a name gets another module between its wrapping and a use of it.
fn bound_anew(rw: &Rewrite, module: ModuleId, bindings: &[NameBinding], name: &str, from: u32, to: u32) -> bool {
    let tree = rw.trace.tree(module);
    bindings.iter().any(|b| {
        let at = tree[b.stmt].range;
        let Kind::Value(value) = b.kind else { return false };
        let itself = tree.descendants(Node::Expr(value)).any(|n| match n {
            Node::Expr(e) => tree.as_name(e).is_some_and(|n| tree.text(n) == name),
            Node::Stmt(_) => false,
        });
        at.start > from && at.end <= to && !itself
    })
}

/// What DistributedDataParallel answers itself, as the module inside would.
const FORWARDED: &[&str] = &[
    "parameters",
    "named_parameters",
    "train",
    "eval",
    "zero_grad",
    "to",
    "cuda",
    "cpu",
    "modules",
    "named_modules",
    "children",
    "named_children",
    "apply",
    "requires_grad_",
    "buffers",
    "named_buffers",
    "module",
    "training",
    "no_sync",
    "half",
    "float",
    "double",
    "register_forward_hook",
    "__class__",
    "device",
    "forward",
];

fn rewrite_uses(rw: &mut Rewrite, wrapped: &[Wrapped]) {
    let steps = rw.training.steps.clone();
    let loops = training_loops(rw, &steps);
    // Where one forward pass is followed by its backward pass: the innermost loop, or the function without one.
    let passes: Vec<(ModuleId, TextRange)> = steps
        .iter()
        .filter_map(|&(m, step)| {
            let tree = rw.trace.tree(m);
            let stmt = tree.stmt_of(step)?;
            let around = loops_around(tree, stmt).first().copied().or(scope_of(tree, stmt)).unwrap_or(stmt);
            Some((m, tree[around].range))
        })
        .collect();
    for module in 0..rw.project.modules.len() {
        let tree = rw.trace.tree(module);
        for expr in tree.expr_ids() {
            match tree[expr].kind {
                ExprKind::Attribute { value, attribute, .. } if is_wrapped(rw, wrapped, (module, value), 6) => {
                    let name = tree.text(attribute.name);
                    // The module inside DataParallel, which other engines reach otherwise.
                    if name == "module" && matches!(rw.target, Target::Fsdp2 | Target::Accelerate) {
                        inner_module(rw, wrapped, (module, expr), value);
                        continue;
                    }
                    if FORWARDED.contains(&name) {
                        continue;
                    }
                    let range = tree[expr].range;
                    let in_training = passes.iter().any(|&(m, pass)| m == module && pass.contains_range(range));
                    let called = matches!(tree[expr].parent, pytrope_source::tree::Parent::Expr(p)
                        if matches!(tree[p].kind, ExprKind::Call { function, .. } if function == expr));
                    if rw.target == Target::Fsdp2 {
                        super::fsdp2::rewrite_attribute(rw, (module, expr), name, in_training && called);
                        continue;
                    }
                    if in_training
                        && called
                        && rw.reduction == GradientReduction::Wrapper
                        && !matches!(name, "state_dict" | "load_state_dict")
                        && !under_no_grad(rw, module, expr)
                        && !computes_nothing(rw, (module, value), name)
                    {
                        rw.unwatched += 1;
                        rw.refuse_at(
                            "untraceable-model",
                            module,
                            range,
                            format!("the module is trained through `{name}`, and DistributedDataParallel only watches its forward pass"),
                            "compute the loss from a call of the module itself",
                        );
                        continue;
                    }
                    unwrap_module(rw, wrapped, (module, value));
                    if name == "load_state_dict" && in_training_function(rw, module, expr, &loops) {
                        same_state(rw, module, expr, value);
                    }
                    if rw.reduction == GradientReduction::Wrapper {
                        rw.log_change("unwrap-module", module, range, format!("`{name}` belongs to the module inside"));
                    }
                }
                // DistributedDataParallel is no container, whatever it wraps.
                ExprKind::Subscript { value, .. }
                    if rw.reduction == GradientReduction::Wrapper && is_wrapped(rw, wrapped, (module, value), 6) =>
                {
                    unwrap_module(rw, wrapped, (module, value));
                    rw.log_change("unwrap-module", module, tree[expr].range, "a part of the module inside is meant");
                }
                ExprKind::Call { .. } => whole_saves(rw, wrapped, (module, expr)),
                _ => {}
            }
        }
    }
}

/// `net.module` of a DataParallel that is no more: the module itself, or what Accelerate unwraps.
fn inner_module(rw: &mut Rewrite, wrapped: &[Wrapped], (module, expr): ExprPlace, value: ExprId) {
    let tree = rw.trace.tree(module);
    let of_state = matches!(tree[expr].parent, pytrope_source::tree::Parent::Expr(parent)
        if matches!(tree[parent].kind, ExprKind::Attribute { attribute, .. }
            if matches!(tree.text(attribute.name), "state_dict" | "load_state_dict")));
    if rw.target == Target::Accelerate {
        unwrap_module(rw, wrapped, (module, value));
    }
    // A state of a sharded module is rewritten as a whole.
    if rw.target == Target::Accelerate || !of_state {
        rw.edits[module].delete_range(TextRange::new(tree[value].range.end, tree[expr].range.end));
    }
}

/// A method such as `init_hidden` that calls no part of its module trains nothing.
fn computes_nothing(rw: &Rewrite, place: ExprPlace, method: &str) -> bool {
    let Some(class) = rw.trace.class_of(place) else { return false };
    let Some((m, function)) = rw.trace.method_of(class, method, 8) else { return false };
    let tree = rw.trace.tree(m);
    !exprs_in(tree, function).any(|e| match tree[e].kind {
        ExprKind::Call { function, .. } => match tree[function].kind {
            ExprKind::Attribute { value, .. } => rw.trace.self_class((m, value)).is_some(),
            ExprKind::Name { .. } => rw.trace.self_class((m, function)).is_some(),
            _ => false,
        },
        _ => false,
    })
}

fn in_training_function(rw: &Rewrite, module: ModuleId, expr: ExprId, loops: &[(ModuleId, StmtId)]) -> bool {
    let tree = rw.trace.tree(module);
    loops.iter().any(|&(m, l)| m == module && tree[expr].range.start > tree[l].range.start)
}

/// A state kept in memory was chosen by each rank for itself: all take the one of rank 0.
fn same_state(rw: &mut Rewrite, module: ModuleId, expr: ExprId, value: ExprId) {
    let tree = rw.trace.tree(module);
    let pytrope_source::tree::Parent::Expr(call) = tree[expr].parent else { return };
    let Some(state) = argument_of(tree, call, "state_dict", 0) else { return };
    let from_file = rw.trace.value_roots((module, state)).iter().any(|r| {
        rw.trace.called_api((r.module, r.expr)).as_deref() == Some("torch.load")
            || matches!(rw.trace.tree(r.module)[r.expr].kind, ExprKind::Subscript { .. })
    });
    let Some(stmt) = tree.stmt_of(expr).filter(|_| !from_file) else { return };
    let engine = rw.engine_name(module);
    let tensor = rw.edits[module].fresh_name("tensor");
    let text = rw.text((module, value)).to_owned();
    let lines = if rw.target == Target::Accelerate {
        rw.add_import(module, "from accelerate.utils import broadcast");
        format!(
            "for {tensor} in {engine}.unwrap_model({text}).state_dict().values():\n    {tensor}.copy_(broadcast({tensor}))"
        )
    } else {
        let inner = match rw.reduction {
            GradientReduction::Wrapper => format!("{text}.module"),
            GradientReduction::Hooks => text,
        };
        format!("for {tensor} in {inner}.state_dict().values():\n    {engine}.broadcast({tensor}, src=0)")
    };
    rw.edits[module].insert_after(stmt, &lines);
    rw.log_change("same-state", module, tree[expr].range, "every rank takes the state that rank 0 chose");
}

/// Whether no gradients are kept of what is computed at an expression.
pub fn under_no_grad(rw: &Rewrite, module: ModuleId, expr: ExprId) -> bool {
    let tree = rw.trace.tree(module);
    let mut at = tree.stmt_of(expr);
    while let Some(stmt) = at {
        if let StmtKind::With { items, .. } = tree[stmt].kind
            && tree[items].iter().any(|i| {
                rw.trace
                    .called_api((module, i.context))
                    .is_some_and(|a| a.ends_with("no_grad") || a.ends_with("inference_mode"))
            })
        {
            return true;
        }
        at = tree.enclosing(stmt);
    }
    false
}

/// `torch.save(model, path)` saves the module inside; `torch.load` reads onto the CPU first.
fn whole_saves(rw: &mut Rewrite, wrapped: &[Wrapped], place: ExprPlace) {
    let (module, call) = place;
    let tree = rw.trace.tree(module);
    match rw.trace.called_api(place).as_deref() {
        Some("torch.save") => {
            if let Some(object) = argument_of(tree, call, "obj", 0)
                && is_wrapped(rw, wrapped, (module, object), 6)
            {
                if rw.target == Target::Fsdp2 {
                    super::fsdp2::refuse_whole(rw, place);
                    return;
                }
                unwrap_module(rw, wrapped, (module, object));
                let range = rw.range(place);
                if rw.reduction == GradientReduction::Wrapper {
                    rw.log_change("unwrap-module", module, range, "the module inside is saved");
                }
            }
        }
        Some("builtins.len" | "builtins.list" | "builtins.isinstance" | "builtins.enumerate" | "copy.deepcopy") => {
            if let Some(object) = argument_of(tree, call, "", 0)
                && is_wrapped(rw, wrapped, (module, object), 6)
            {
                let is_copy = rw.trace.called_api(place).as_deref() == Some("copy.deepcopy");
                if rw.target == Target::Fsdp2 && is_copy {
                    super::fsdp2::refuse_whole(rw, place);
                    return;
                }
                unwrap_module(rw, wrapped, (module, object));
            }
        }
        Some("torch.load") if argument_of(tree, call, "map_location", 1).is_none() => {
            rw.add_argument(place, "map_location=\"cpu\"");
            let range = rw.range(place);
            rw.log_change(
                "map-location",
                module,
                range,
                "a checkpoint is read onto the CPU, not onto the GPU that wrote it",
            );
        }
        _ => {}
    }
}

/// The arguments of a call, for rules beside this one.
pub fn has_keyword(rw: &Rewrite, (module, call): ExprPlace, name: &str) -> bool {
    let tree = rw.trace.tree(module);
    call_arguments(tree, call).is_some_and(|a| crate::trace::keyword_argument(tree, a, name).is_some())
}
