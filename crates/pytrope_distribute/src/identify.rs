//! Which file and statement holds the training loop, of which pattern, with which models and optimizers.
//!
//! The papers' summaries (section 3.2) propagate a loop's type through module, function and class summaries.
//! Here the same question is asked backwards: every update of weights is found first, and its tape,
//! optimizer, session or model is followed to where it is made.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};

use crate::index::{expr_scope, exprs_in, parent_expr, scope_of, self_of};
use crate::project::ModuleId;
use crate::reachable::Reached;
use crate::trace::{Def, ExprPlace, Trace, argument_of, call_arguments, keyword_argument};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrainingPattern {
    Tape,
    Fit,
    TrainStep,
    Session,
    Monitored,
    Estimator,
    Torch,
}

impl TrainingPattern {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tape => "TF2 gradient tape",
            Self::Fit => "Keras fit",
            Self::TrainStep => "Keras fit with its own train_step",
            Self::Session => "TF1 session",
            Self::Monitored => "TF1 monitored session",
            Self::Estimator => "TF1 estimator",
            Self::Torch => "PyTorch loop",
        }
    }

    /// The word that reports use.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tape => "tape",
            Self::Fit => "fit",
            Self::TrainStep => "train_step",
            Self::Session => "session",
            Self::Monitored => "monitored",
            Self::Estimator => "estimator",
            Self::Torch => "torch",
        }
    }
}

/// A gradient tape that trains.
#[derive(Clone, Debug)]
pub struct Tape {
    pub module: ModuleId,
    pub with: StmtId,
    pub context: ExprId,
    pub name: String,
    /// The calls of `gradient` whose result updates weights.
    pub trained: Vec<ExprId>,
    /// Other calls of `gradient`, such as a penalty on an input.
    pub other: Vec<ExprId>,
    /// A trained gradient is taken inside the `with` itself.
    pub inside: bool,
}

/// A place where weights change: `apply_gradients`, `minimize`, `assign_sub`.
#[derive(Clone, Debug)]
pub struct TrainingUpdate {
    pub module: ModuleId,
    pub call: ExprId,
    /// The optimizer's expression at the call; `None` for a variable updated by hand.
    pub optimizer: Option<ExprId>,
    /// The variables' expression at the call.
    pub variables: Option<ExprId>,
}

#[derive(Clone, Debug)]
pub struct Training {
    pub pattern: TrainingPattern,
    pub home: ModuleId,
    pub at: StmtId,
    pub tapes: Vec<Tape>,
    pub updates: Vec<TrainingUpdate>,
    /// Calls that make the optimizers.
    pub optimizers: Vec<ExprPlace>,
    /// `model.fit(...)`, `estimator.train(...)`, training runs of a session, `loss.backward()`.
    pub steps: Vec<ExprPlace>,
    pub compiles: Vec<ExprPlace>,
    /// Calls that make sessions or estimators.
    pub sessions: Vec<ExprPlace>,
    /// Classes with a `train_step` of their own.
    pub step_classes: Vec<Def>,
}

/// What a project trains with, or what stands in the way.
pub enum FoundTraining {
    Training(Box<Training>),
    /// Loops of two patterns, with a place for each.
    Mixed(Vec<(TrainingPattern, ExprPlace)>),
    /// Loops in two files.
    Apart(Vec<(ModuleId, ExprPlace)>),
    Nothing,
}

pub fn is_keras_model_class(api: &str) -> bool {
    matches!(
        api,
        "tf.keras.Model"
            | "tf.keras.models.Model"
            | "tf.keras.Sequential"
            | "tf.keras.models.Sequential"
            | "tf.keras.engine.training.Model"
    )
}

pub fn is_optimizer(api: &str) -> bool {
    let keras = api
        .strip_prefix("tf.keras.optimizers.")
        .is_some_and(|name| !name.starts_with("schedules") && name.starts_with(|c: char| c.is_ascii_uppercase()));
    let v1 = api.strip_prefix("tf.train.").is_some_and(|name| name.ends_with("Optimizer"));
    let torch = api.strip_prefix("torch.optim.").is_some_and(|name| {
        !name.starts_with("lr_scheduler")
            && name.rsplit('.').next().is_some_and(|n| n == "?" || n.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    keras || v1 || torch
}

/// Whether a call makes a PyTorch optimizer of another library, or of a class that a parameter names: a class that is
/// given `model.parameters()` first.
fn takes_parameters(trace: &Trace, (id, call): ExprPlace) -> bool {
    let tree = trace.tree(id);
    let ExprKind::Call { function, .. } = tree[call].kind else { return false };
    if matches!(tree[function].kind, ExprKind::Attribute { value, .. } if trace.origin((id, value)).is_none()) {
        return false;
    }
    let Some(first) = argument_of(tree, call, "params", 0) else { return false };
    let parameters = trace.called_method((id, first)).is_some_and(|(_, m)| m == "parameters");
    if !parameters || trace.project_callee((id, call)).is_some() {
        return false;
    }
    if let Some(api) = trace.api_name((id, function)) {
        let name = api.rsplit('.').next().unwrap_or(&api);
        return !api.starts_with("builtins.") && name.starts_with(|c: char| c.is_ascii_uppercase());
    }
    // Whatever `step` is called on is an optimizer, wherever its class comes from.
    let targets: Vec<&str> = match tree.stmt_of(call).map(|stmt| tree[stmt].kind) {
        Some(StmtKind::Assign { targets, .. }) => tree[targets].iter().map(|&t| trace.text((id, t))).collect(),
        _ => Vec::new(),
    };
    tree.expr_ids().any(|e| {
        trace
            .called_method((id, e))
            .is_some_and(|(receiver, method)| method == "step" && targets.contains(&trace.text((id, receiver))))
    })
}

/// Whether an expression's value is a Keras model.
pub fn is_keras_model(trace: &Trace, place: ExprPlace) -> bool {
    if let Some(class) = trace.self_class(place) {
        return trace.descends_from((place.0, class), &is_keras_model_class);
    }
    trace.value_roots(place).iter().any(|root| {
        let at = (root.module, root.expr);
        if let Some(def) = trace.project_callee(at) {
            return trace.descends_from(def, &is_keras_model_class);
        }
        trace.called_api(at).is_some_and(|api| {
            is_keras_model_class(&api)
                || api.starts_with("tf.keras.applications.")
                || api.ends_with("models.load_model")
        })
    })
}

pub fn identify_training(trace: &Trace) -> FoundTraining {
    let mut finder = Finder {
        trace,
        tapes: Vec::new(),
        updates: Vec::new(),
        found: Vec::new(),
        compiles: Vec::new(),
        sessions: Vec::new(),
        step_classes: Vec::new(),
    };
    for id in 0..trace.project.modules.len() {
        finder.visit_module(id);
    }
    finder.choose_training()
}

struct Finder<'a, 'p> {
    trace: &'a Trace<'p>,
    tapes: Vec<Tape>,
    updates: Vec<TrainingUpdate>,
    found: Vec<(TrainingPattern, ExprPlace)>,
    compiles: Vec<ExprPlace>,
    sessions: Vec<ExprPlace>,
    step_classes: Vec<Def>,
}

impl Finder<'_, '_> {
    fn visit_module(&mut self, id: ModuleId) {
        let tree = self.trace.tree(id);
        for stmt in tree.stmt_ids() {
            match tree[stmt].kind {
                StmtKind::With { .. } => self.visit_tape(id, stmt),
                StmtKind::ClassDef(_)
                    if self.trace.descends_from((id, stmt), &is_keras_model_class)
                        && self.trace.method_of((id, stmt), "train_step", 0).is_some() =>
                {
                    self.step_classes.push((id, stmt));
                }
                _ => {}
            }
        }
        for expr in tree.expr_ids() {
            if matches!(tree[expr].kind, ExprKind::Call { .. }) {
                self.visit_call((id, expr));
            }
        }
    }

    fn visit_tape(&mut self, id: ModuleId, with: StmtId) {
        let tree = self.trace.tree(id);
        let StmtKind::With { items, body, .. } = tree[with].kind else { return };
        for item in &tree[items] {
            if self.trace.called_api((id, item.context)).as_deref() != Some("tf.GradientTape") {
                continue;
            }
            let Some(name) = item.target.and_then(|target| tree.as_name(target)) else { continue };
            let name = tree.text(name).to_owned();
            let scope = scope_of(tree, with);
            let end = self.next_tape(id, with, &name);
            let mut tape = Tape {
                module: id,
                with,
                context: item.context,
                name: name.clone(),
                trained: Vec::new(),
                other: Vec::new(),
                inside: false,
            };
            for expr in tree.expr_ids() {
                let Some((receiver, method)) = self.trace.called_method((id, expr)) else { continue };
                let is_tape = tree.as_name(receiver).is_some_and(|n| tree.text(n) == name);
                let at = tree[expr].range.start;
                if !is_tape || expr_scope(tree, expr) != scope || at < tree[with].range.start || at >= end {
                    continue;
                }
                if method != "gradient" {
                    continue;
                }
                if self.changes_weights(id, expr, &name) {
                    tape.trained.push(expr);
                    let within = tree[body].iter().any(|&s| tree[s].range.contains_range(tree[expr].range));
                    tape.inside |= within;
                } else {
                    tape.other.push(expr);
                }
            }
            // `optimizer.minimize(loss, variables, tape=tape)` takes the gradient itself.
            for expr in tree.expr_ids() {
                let Some((_, "minimize")) = self.trace.called_method((id, expr)) else { continue };
                let at = tree[expr].range.start;
                let given = call_arguments(tree, expr).and_then(|a| keyword_argument(tree, a, "tape"));
                let uses = given.and_then(|g| tree.as_name(g)).is_some_and(|n| tree.text(n) == name);
                if uses && expr_scope(tree, expr) == scope && at > tree[with].range.start && at < end {
                    tape.trained.push(expr);
                    tape.inside |= tree[body].iter().any(|&s| tree[s].range.contains_range(tree[expr].range));
                }
            }
            if !tape.trained.is_empty() {
                self.tapes.push(tape);
            }
        }
    }

    /// Where the next tape of the same name in the same function begins.
    fn next_tape(&self, id: ModuleId, with: StmtId, name: &str) -> u32 {
        let tree = self.trace.tree(id);
        let mut end = u32::MAX;
        for stmt in tree.stmt_ids() {
            let StmtKind::With { items, .. } = tree[stmt].kind else { continue };
            let rebinds = tree[items]
                .iter()
                .any(|item| item.target.and_then(|t| tree.as_name(t)).is_some_and(|n| tree.text(n) == name));
            if rebinds && tree[stmt].range.start > tree[with].range.end && scope_of(tree, stmt) == scope_of(tree, with)
            {
                end = end.min(tree[stmt].range.start);
            }
        }
        end
    }

    /// Whether a gradient's result changes weights: its sources are trainable variables, or it flows into an update.
    fn changes_weights(&self, id: ModuleId, call: ExprId, tape: &str) -> bool {
        let tree = self.trace.tree(id);
        let Some(sources) = argument_of(tree, call, "sources", 1) else { return false };
        let text = self.trace.text((id, sources));
        let watched = tree.expr_ids().any(|expr| {
            self.trace.called_method((id, expr)).is_some_and(|(receiver, method)| {
                method == "watch"
                    && self.trace.text((id, receiver)) == tape
                    && argument_of(tree, expr, "tensor", 0).is_some_and(|t| self.trace.text((id, t)) == text)
            })
        });
        if watched {
            return false;
        }
        if names_variables(self.trace, (id, sources)) {
            return true;
        }
        // The names that the result reaches, then the updates that read one of them.
        let scope = expr_scope(tree, call);
        let mut names: Vec<&str> = Vec::new();
        let mut at = call;
        loop {
            if self.is_update((id, at)) {
                return true;
            }
            match parent_expr(tree, at) {
                Some(parent) => at = parent,
                None => break,
            }
        }
        let Some(stmt) = tree.stmt_of(call) else { return false };
        names.extend(assigned_names(self.trace, id, stmt));
        if matches!(tree[stmt].kind, StmtKind::Return { .. }) {
            return true;
        }
        for other in tree.stmt_ids() {
            if scope_of(tree, other) != scope || tree[other].range.start <= tree[stmt].range.start {
                continue;
            }
            let reads =
                |name: &&str| exprs_in(tree, other).any(|e| tree.as_name(e).is_some_and(|n| tree.text(n) == *name));
            if !tree.suites(other).is_empty() || !names.iter().any(reads) {
                continue;
            }
            if exprs_in(tree, other).any(|e| self.is_update((id, e))) {
                return true;
            }
            names.extend(assigned_names(self.trace, id, other));
        }
        false
    }

    fn is_update(&self, place: ExprPlace) -> bool {
        self.trace
            .called_method(place)
            .is_some_and(|(_, method)| matches!(method, "apply_gradients" | "assign_sub" | "assign_add" | "assign"))
    }

    fn visit_call(&mut self, place: ExprPlace) {
        let (id, call) = place;
        let tree = self.trace.tree(id);
        if let Some(api) = self.trace.called_api(place) {
            match api.as_str() {
                "tf.Session" | "tf.InteractiveSession" => self.sessions.push(place),
                "tf.train.MonitoredTrainingSession"
                | "tf.train.MonitoredSession"
                | "tf.train.SingularMonitoredSession" => {
                    self.sessions.push(place);
                    self.found.push((TrainingPattern::Monitored, place));
                }
                "tf.estimator.train_and_evaluate" => self.found.push((TrainingPattern::Estimator, place)),
                api if api.starts_with("tf.estimator.") && is_estimator(api) => self.sessions.push(place),
                _ => {}
            }
        }
        let Some((receiver, method)) = self.trace.called_method(place) else { return };
        let at = (id, receiver);
        match method {
            "fit" | "fit_generator" if self.looks_like_model(at) => self.found.push((TrainingPattern::Fit, place)),
            "compile" if self.looks_like_model(at) => self.compiles.push(place),
            "train" if self.roots_call(at, &is_estimator) => self.found.push((TrainingPattern::Estimator, place)),
            "run"
                if self.roots_call(at, &|api| matches!(api, "tf.Session" | "tf.InteractiveSession"))
                    && self.runs_training(place) =>
            {
                self.found.push((TrainingPattern::Session, place));
            }
            // `train_op.run(feed_dict=...)` runs in the default session.
            "run" if self.makes_update(at) => self.found.push((TrainingPattern::Session, place)),
            "backward" if self.uses_torch(id) && call_arguments(tree, call).is_some() => {
                self.found.push((TrainingPattern::Torch, place));
            }
            "apply_gradients" => {
                let variables = argument_of(tree, call, "grads_and_vars", 0)
                    .and_then(|pairs| variables_of_pairs(self.trace, (id, pairs)));
                self.updates.push(TrainingUpdate { module: id, call, optimizer: Some(receiver), variables });
            }
            "minimize" if self.roots_call(at, &is_optimizer) || has_tape(tree, call) => {
                let variables = argument_of(tree, call, "var_list", 1);
                self.updates.push(TrainingUpdate { module: id, call, optimizer: Some(receiver), variables });
            }
            "assign_sub" => {
                self.updates.push(TrainingUpdate { module: id, call, optimizer: None, variables: Some(receiver) });
            }
            _ => {}
        }
    }

    fn uses_torch(&self, id: ModuleId) -> bool {
        uses_package(self.trace, id, "torch")
    }

    fn looks_like_model(&self, place: ExprPlace) -> bool {
        if is_keras_model(self.trace, place) {
            return true;
        }
        // An unknown maker, such as a hub's: a receiver that is both compiled and fitted is a Keras model.
        let roots = self.trace.value_roots(place);
        let unknown = roots.iter().all(|root| {
            self.trace
                .called_api((root.module, root.expr))
                .is_none_or(|api| !api.starts_with("sklearn") && !api.starts_with("tf."))
                && self.trace.project_callee((root.module, root.expr)).is_none()
        });
        if !unknown || !uses_package(self.trace, place.0, "tensorflow") && !uses_package(self.trace, place.0, "keras") {
            return false;
        }
        let text = self.trace.text(place);
        let tree = self.trace.tree(place.0);
        tree.expr_ids().any(|expr| {
            self.trace
                .called_method((place.0, expr))
                .is_some_and(|(receiver, method)| method == "compile" && self.trace.text((place.0, receiver)) == text)
        })
    }

    fn roots_call(&self, place: ExprPlace, test: &dyn Fn(&str) -> bool) -> bool {
        roots_call(self.trace, place, test)
    }

    /// Whether a session's run fetches what an optimizer made.
    fn runs_training(&self, (id, call): ExprPlace) -> bool {
        let tree = self.trace.tree(id);
        let Some(fetches) = argument_of(tree, call, "fetches", 0) else { return false };
        let parts = match tree[fetches].kind {
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => tree[elements].to_vec(),
            ExprKind::Dict { items } => tree[items].iter().map(|item| item.value).collect(),
            _ => vec![fetches],
        };
        parts.into_iter().any(|part| self.makes_update((id, part)))
    }

    /// Whether a value is the operation that an optimizer made.
    fn makes_update(&self, place: ExprPlace) -> bool {
        self.trace.value_roots(place).iter().any(|root| {
            self.trace.called_method((root.module, root.expr)).is_some_and(|(receiver, method)| {
                matches!(method, "minimize" | "apply_gradients")
                    && self.roots_call((root.module, receiver), &is_optimizer)
            })
        })
    }

    fn choose_training(mut self) -> FoundTraining {
        let trace = self.trace;
        // A loop that the script never comes to, such as one of a module that it takes a class from, is not its own.
        let reached = Reached::of(trace);
        let runs = |place: &ExprPlace| reached.is_run(trace, *place);
        if self.found.iter().any(|(pattern, place)| *pattern == TrainingPattern::Torch && runs(place)) {
            self.found.retain(|(pattern, place)| *pattern != TrainingPattern::Torch || runs(place));
        }
        let fits = self.found.iter().any(|(pattern, _)| *pattern == TrainingPattern::Fit);
        for tape in &self.tapes {
            let function = scope_of(trace.tree(tape.module), tape.with);
            // A step that no `fit` runs is called by a loop of the script.
            let in_step = fits
                && function
                    .and_then(|f| self_of(trace.tree(tape.module), f))
                    .is_some_and(|(_, class)| self.step_classes.contains(&(tape.module, class)));
            let pattern = if in_step { TrainingPattern::TrainStep } else { TrainingPattern::Tape };
            self.found.push((pattern, (tape.module, tape.trained[0])));
        }
        // Fit on a model with its own step is one pattern, not two; so is a monitored session's run.
        let has_step = self.found.iter().any(|(pattern, _)| *pattern == TrainingPattern::TrainStep);
        if has_step && self.found.iter().any(|(pattern, _)| *pattern == TrainingPattern::Fit) {
            for (pattern, _) in &mut self.found {
                if *pattern == TrainingPattern::Fit {
                    *pattern = TrainingPattern::TrainStep;
                }
            }
        }
        let mut patterns: Vec<TrainingPattern> = self.found.iter().map(|(pattern, _)| *pattern).collect();
        patterns.sort_unstable();
        patterns.dedup();
        let [pattern] = patterns[..] else {
            if patterns.is_empty() {
                return FoundTraining::Nothing;
            }
            let firsts = patterns.iter().filter_map(|p| self.found.iter().find(|(q, _)| q == p).copied()).collect();
            return FoundTraining::Mixed(firsts);
        };
        // The step of a model may live beside its class; the loop is where fit is called.
        let mut homes: Vec<(ModuleId, ExprPlace)> = Vec::new();
        for (_, place) in &self.found {
            let is_step_tape = pattern == TrainingPattern::TrainStep
                && trace.called_method(*place).is_some_and(|(_, m)| m == "gradient" || m == "minimize");
            if !is_step_tape && !homes.iter().any(|(home, _)| *home == place.0) {
                homes.push((place.0, *place));
            }
        }
        // What is written for PyTorch is proved as a whole, wherever its loops are.
        if homes.len() > 1 && pattern != TrainingPattern::Torch {
            return FoundTraining::Apart(homes);
        }
        let Some(&(home, first)) = homes.first() else { return FoundTraining::Nothing };
        let Some(at) = trace.tree(home).stmt_of(first.1) else { return FoundTraining::Nothing };
        let mut optimizers: Vec<ExprPlace> = Vec::new();
        for id in 0..trace.project.modules.len() {
            for expr in trace.tree(id).expr_ids() {
                let made = trace.called_api((id, expr)).is_some_and(|api| is_optimizer(&api));
                if made || pattern == TrainingPattern::Torch && takes_parameters(trace, (id, expr)) {
                    optimizers.push((id, expr));
                }
            }
        }
        if pattern == TrainingPattern::Torch && optimizers.iter().any(runs) {
            optimizers.retain(runs);
        }
        FoundTraining::Training(Box::new(Training {
            pattern,
            home,
            at,
            tapes: self.tapes,
            updates: self.updates,
            optimizers,
            steps: self.found.iter().map(|(_, place)| *place).collect(),
            compiles: self.compiles,
            sessions: self.sessions,
            step_classes: self.step_classes,
        }))
    }
}

pub fn roots_call(trace: &Trace, place: ExprPlace, test: &dyn Fn(&str) -> bool) -> bool {
    trace.value_roots(place).iter().any(|root| trace.called_api((root.module, root.expr)).is_some_and(|api| test(&api)))
}

pub fn is_estimator(api: &str) -> bool {
    const CANNED: &[&str] = &["Estimator", "Classifier", "Regressor"];
    api.starts_with("tf.estimator.") && CANNED.iter().any(|end| api.ends_with(end))
}

fn has_tape(tree: &pytrope_source::Tree, call: ExprId) -> bool {
    call_arguments(tree, call).is_some_and(|a| keyword_argument(tree, a, "tape").is_some())
}

/// Whether a module imports a package or something of it.
pub fn uses_package(trace: &Trace, id: ModuleId, package: &str) -> bool {
    let tree = trace.tree(id);
    tree.stmt_ids().any(|stmt| match tree[stmt].kind {
        StmtKind::Import { names } => {
            tree[names].iter().any(|alias| tree.text(alias.name.name).split('.').next() == Some(package))
        }
        StmtKind::ImportFrom { module: Some(module), level: 0, .. } => {
            tree.text(module.name).split('.').next() == Some(package)
        }
        _ => false,
    })
}

/// The plain names that a statement assigns.
pub fn assigned_names<'a>(trace: &Trace<'a>, id: ModuleId, stmt: StmtId) -> Vec<&'a str> {
    let tree = trace.tree(id);
    let StmtKind::Assign { targets, .. } = tree[stmt].kind else { return Vec::new() };
    let mut names = Vec::new();
    for &target in &tree[targets] {
        match tree[target].kind {
            ExprKind::Name { name, .. } => names.push(tree.text(name)),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                names.extend(tree[elements].iter().filter_map(|&e| tree.as_name(e)).map(|n| tree.text(n)));
            }
            _ => {}
        }
    }
    names
}

/// Whether an expression is a model's variables, or variables themselves.
fn names_variables(trace: &Trace, place: ExprPlace) -> bool {
    trace.value_roots(place).iter().any(|root| {
        let tree = trace.tree(root.module);
        match tree[root.expr].kind {
            ExprKind::Attribute { attribute, .. } => {
                matches!(
                    tree.text(attribute.name),
                    "trainable_variables" | "trainable_weights" | "variables" | "weights"
                )
            }
            ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
                tree[elements].iter().any(|&e| names_variables(trace, (root.module, e)))
            }
            ExprKind::BinOp { left, right, .. } => {
                names_variables(trace, (root.module, left)) || names_variables(trace, (root.module, right))
            }
            ExprKind::Call { .. } => trace.called_api((root.module, root.expr)).as_deref() == Some("tf.Variable"),
            _ => false,
        }
    })
}

/// The variables in what `apply_gradients` is given: the second part of the `zip` that made it.
fn variables_of_pairs(trace: &Trace, pairs: ExprPlace) -> Option<ExprId> {
    let tree = trace.tree(pairs.0);
    let zipped = |expr: ExprId| -> Option<ExprId> {
        tree.descendants(pytrope_source::Node::Expr(expr)).find_map(|node| match node {
            pytrope_source::Node::Expr(e) if trace.called_api((pairs.0, e)).as_deref() == Some("builtins.zip") => {
                argument_of(tree, e, "", 1)
            }
            _ => None,
        })
    };
    if let Some(found) = zipped(pairs.1) {
        return Some(found);
    }
    let scope = expr_scope(tree, pairs.1);
    trace.value_roots(pairs).iter().find_map(|root| {
        // Only a value made in the same function can be named again there.
        if root.module != pairs.0 || expr_scope(tree, root.expr) != scope {
            return None;
        }
        if root.iterated { None } else { zipped(root.expr) }
    })
}
