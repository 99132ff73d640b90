//! How a number depends on the samples that a rank has seen: what makes it the number of the one-process run.
//!
//! A batch is divided among the ranks. A *sum* over the samples of a batch (a count of hits, `loss * len(x)`) is a part of
//! the whole: the ranks' sums are added. A *mean* over a batch (a loss, an accuracy) is averaged. Numbers that no sample
//! enters are the same everywhere. The rules are those of quantities and densities: a mean times a number of samples is a
//! sum, a sum divided by a sum is a mean, and either keeps its scale when it is divided by a constant.

use pytrope_source::Node;
use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtId, StmtKind};

use crate::index::{Kind, expr_scope, parameter_names};
use crate::project::ModuleId;
use crate::rewrite::Rewrite;
use crate::trace::{ExprPlace, argument_of};

/// How many expressions one may be computed of, one inside the other.
const DEPTH: u32 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// The same on all ranks.
    Same,
    /// An average over the samples of a rank.
    Mean,
    /// A total over the samples of a rank.
    Sum,
    /// One value per sample.
    Batch,
    /// It depends on the samples, and it is not known how.
    Open,
}

use Scale::{Batch, Mean, Open, Same, Sum};

impl Scale {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Same | Mean, Batch) | (Batch, Same | Mean) => Batch,
            (Same, Mean) | (Mean, Same) => Mean,
            _ => Open,
        }
    }

    fn times(self, other: Self) -> Self {
        match (self, other) {
            (a, Same) | (Same, a) => a,
            (Batch, Batch | Mean) | (Mean, Batch) => Batch,
            (Mean, Mean) => Open,
            (Mean, Sum) | (Sum, Mean) => Sum,
            _ => Open,
        }
    }

    fn over(self, other: Self) -> Self {
        match (self, other) {
            (a, Same) => a,
            (Sum, Sum) => Mean,
            (Batch, Batch) => Batch,
            _ => Open,
        }
    }
}

/// A question for scales around one training loop.
pub struct Scales<'a, 'p> {
    pub rw: &'a Rewrite<'p>,
    pub module: ModuleId,
    /// The loop over batches.
    pub looped: StmtId,
    /// Names that have been reduced where the loop ends.
    pub reduced: &'a [String],
    /// Arrays of which this rank has its own rows.
    pub divided: &'a [String],
    /// What a function's parameters are, where its body is asked about.
    pub parameters: &'a [(String, Scale)],
}

impl Scales<'_, '_> {
    pub fn of(&self, expr: ExprId) -> Scale {
        self.scale_within(expr, DEPTH)
    }

    /// The scale of a loss itself, from what it is computed of.
    pub fn of_loss(&self, loss: ExprId) -> Scale {
        let tree = self.rw.trace.tree(self.module);
        match tree[loss].kind {
            ExprKind::Name { name, .. } => self.scale_of_name(loss, tree.text(name), DEPTH),
            // `scaler.scale(loss)`
            ExprKind::Call { .. }
                if self.rw.trace.called_method((self.module, loss)).is_some_and(|(_, m)| m == "scale") =>
            {
                argument_of(tree, loss, "outputs", 0).map_or(Open, |scaled| self.of_loss(scaled))
            }
            _ => self.of(loss),
        }
    }

    fn scale_within(&self, expr: ExprId, fuel: u32) -> Scale {
        let tree = self.rw.trace.tree(self.module);
        if fuel == 0 {
            return Open;
        }
        match tree[expr].kind {
            ExprKind::Name { name, .. } if self.divided.iter().any(|array| array == tree.text(name)) => {
                let is_cut = |(module, cut_for): (ModuleId, StmtId)| {
                    module == self.module && tree[cut_for].range.contains_range(tree[expr].range)
                };
                let is_whole = crate::rules::shard_arrays::divides_total(
                    self.rw,
                    self.module,
                    expr,
                    &[(self.module, self.looped)],
                );
                if self.rw.cut_for.is_none_or(is_cut) && !(self.rw.cut_for.is_some() && is_whole) {
                    Batch
                } else {
                    Same
                }
            }
            ExprKind::Name { name, .. } => match self.scale_of_name(expr, tree.text(name), fuel) {
                // What all ranks minimise together is the mean of their losses, also where no sample enters it, only noise.
                Same | Open | Batch if self.is_loss(tree.text(name)) => Mean,
                Open | Batch if self.is_term_of_loss(tree.text(name)) => Mean,
                scale => scale,
            },
            ExprKind::Attribute { value, attribute, .. } => match tree.text(attribute.name) {
                "data" | "T" | "grad" | "shape" => self.scale_within(value, fuel - 1),
                // A meter's average; what it shows last is an average over a batch.
                "avg" | "val" | "average" | "global_avg" if self.is_meter(value) => Mean,
                _ if self.rw.trace.self_class((self.module, value)).is_some() => Same,
                _ => match self.scale_within(value, fuel - 1) {
                    Same => Same,
                    _ => Open,
                },
            },
            ExprKind::Subscript { value, index, .. } => match self.scale_within(value, fuel - 1) {
                Batch if self.is_size(value) => match tree[index].kind {
                    ExprKind::Int(0) => Sum,
                    _ => Same,
                },
                // The numbers of a batch's samples, `order[i:i + size]`: as many as there are samples.
                Same | Sum | Open if self.cuts_batch(expr, index) => Batch,
                // `loss.data[0]`
                scale @ (Mean | Sum) if matches!(tree[index].kind, ExprKind::Int(0)) => scale,
                Same => Same,
                Batch => Batch,
                _ => Open,
            },
            ExprKind::BinOp { left, op, right } => {
                let (a, b) = (self.scale_within(left, fuel - 1), self.scale_within(right, fuel - 1));
                match op {
                    BinaryOperator::Add | BinaryOperator::Sub => a.plus(b),
                    BinaryOperator::Mult => a.times(b),
                    BinaryOperator::Div | BinaryOperator::FloorDiv => a.over(b),
                    _ if a == Same && b == Same => Same,
                    _ if a == Batch => Batch,
                    _ => Open,
                }
            }
            ExprKind::UnaryOp { operand, .. } => self.scale_within(operand, fuel - 1),
            ExprKind::Compare { left, comparators, .. } => {
                let mut sides = vec![self.scale_within(left, fuel - 1)];
                sides.extend(tree[comparators].iter().map(|&e| self.scale_within(e, fuel - 1)));
                match &sides {
                    sides if sides.contains(&Batch) => Batch,
                    sides if sides.iter().all(|&s| s == Same) => Same,
                    _ => Open,
                }
            }
            ExprKind::Call { .. } => self.scale_of_call(expr, fuel),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Str(_) | ExprKind::Bool(_) | ExprKind::None => Same,
            ExprKind::IfExp { body, orelse, .. } => {
                let (a, b) = (self.scale_within(body, fuel - 1), self.scale_within(orelse, fuel - 1));
                if a == b { a } else { Open }
            }
            _ => Open,
        }
    }

    /// Whether a name is what the loop calls `backward` on.
    fn is_loss(&self, name: &str) -> bool {
        let tree = self.rw.trace.tree(self.module);
        self.rw.training.steps.iter().any(|&step| {
            step.0 == self.module
                && tree[self.looped].range.contains_range(tree[step.1].range)
                && self
                    .rw
                    .trace
                    .called_method(step)
                    .is_some_and(|(receiver, _)| self.rw.text((step.0, receiver)) == name)
        })
    }

    /// Whether the loss is a sum of which a name is a term, `loss = content + 0.5 * style`: it is a mean as the loss is.
    fn is_term_of_loss(&self, name: &str) -> bool {
        let tree = self.rw.trace.tree(self.module);
        tree.descendants(Node::Stmt(self.looped)).any(|node| match node {
            Node::Stmt(stmt) => match tree[stmt].kind {
                StmtKind::Assign { value, .. } => {
                    crate::identify::assigned_names(self.rw.trace, self.module, stmt).iter().any(|n| self.is_loss(n))
                        && self
                            .terms_of(value)
                            .iter()
                            .any(|&term| tree.as_name(term).is_some_and(|n| tree.text(n) == name))
                }
                _ => false,
            },
            Node::Expr(_) => false,
        })
    }

    /// The terms of a sum, without the factors that are settings.
    fn terms_of(&self, expr: ExprId) -> Vec<ExprId> {
        let tree = self.rw.trace.tree(self.module);
        match tree[expr].kind {
            ExprKind::BinOp { left, op: BinaryOperator::Add | BinaryOperator::Sub, right } => {
                [self.terms_of(left), self.terms_of(right)].concat()
            }
            ExprKind::BinOp { left, op: BinaryOperator::Mult, right } if self.is_setting(left) => self.terms_of(right),
            ExprKind::BinOp { left, op: BinaryOperator::Mult | BinaryOperator::Div, right }
                if self.is_setting(right) =>
            {
                self.terms_of(left)
            }
            _ => vec![expr],
        }
    }

    /// Whether an expression is a number or a name that the loop does not bind.
    fn is_setting(&self, expr: ExprId) -> bool {
        let tree = self.rw.trace.tree(self.module);
        if tree[expr].kind.is_literal() {
            return true;
        }
        let Some(path) = tree.dotted(expr) else { return false };
        !tree.descendants(Node::Stmt(self.looped)).any(|node| match node {
            Node::Stmt(stmt) => {
                crate::identify::assigned_names(self.rw.trace, self.module, stmt).iter().any(|name| *name == path[0])
            }
            Node::Expr(_) => false,
        })
    }

    /// Whether an expression is the size of a tensor: `x.shape` or `x.size()`.
    pub fn is_size(&self, expr: ExprId) -> bool {
        let tree = self.rw.trace.tree(self.module);
        match tree[expr].kind {
            ExprKind::Attribute { attribute, .. } => tree.text(attribute.name) == "shape",
            ExprKind::Call { .. } => self.rw.trace.called_method((self.module, expr)).is_some_and(|(_, m)| m == "size"),
            _ => false,
        }
    }

    fn is_meter(&self, value: ExprId) -> bool {
        let class = self.rw.trace.class_of((self.module, value));
        class.is_some_and(|class| self.rw.trace.method_of(class, "update", 4).is_some())
    }

    fn scale_of_name(&self, expr: ExprId, name: &str, fuel: u32) -> Scale {
        let rw = self.rw;
        let tree = rw.trace.tree(self.module);
        let here = tree[expr].range.start;
        if self.reduced.iter().any(|reduced| reduced == name) && here > tree[self.looped].range.end {
            return Same;
        }
        let scope = expr_scope(tree, expr);
        let Some((found, bindings)) = rw.project.modules[self.module].index.lookup_name(tree, scope, name) else {
            return Same;
        };
        // What is bound elsewhere is a setting, a module or a loader.
        if found != scope {
            return Same;
        }
        let mut scale: Option<Scale> = None;
        let mut join = |other: Scale| {
            scale = Some(match scale {
                // A sum starts at zero.
                None | Some(Same) => other,
                Some(known) if other == Same || known == other => known,
                Some(_) => Open,
            });
        };
        // Inside a loop that binds the name, the loop's item is meant.
        let innermost = bindings
            .iter()
            .filter(|b| matches!(b.kind, Kind::Iteration(..)) && tree[b.stmt].range.contains_range(tree[expr].range))
            .min_by_key(|b| tree[b.stmt].range.end - tree[b.stmt].range.start);
        let reaching = match innermost {
            Some(binding) => vec![binding],
            None => rw.project.modules[self.module].index.reaching_bindings(expr),
        };
        for binding in reaching {
            let bound_here = match &binding.kind {
                Kind::Value(value) if *value == expr => continue,
                Kind::Value(value) => self.scale_within(*value, fuel - 1),
                Kind::Augmented(value) => self.scale_within(*value, fuel - 1),
                Kind::Element(value, i) => self.scale_of_element(*value, *i, fuel),
                Kind::Iteration(iter, i) => {
                    if binding.stmt == self.looped {
                        let counted =
                            rw.trace.called_api((self.module, *iter)).as_deref() == Some("builtins.enumerate");
                        if counted && *i == Some(0) { Same } else { Batch }
                    } else {
                        Same
                    }
                }
                Kind::Parameter(_) => {
                    self.parameters.iter().find(|(parameter, _)| parameter == name).map_or(Same, |(_, scale)| *scale)
                }
                Kind::Import(_) | Kind::Function | Kind::Class | Kind::Context(_) => Same,
                Kind::Opaque => Open,
            };
            join(bound_here);
        }
        scale.unwrap_or(Same)
    }

    /// A part of an unpacked value: `_, predicted = torch.max(out, 1)`.
    fn scale_of_element(&self, value: ExprId, _part: usize, fuel: u32) -> Scale {
        match self.scale_within(value, fuel - 1) {
            Batch => Batch,
            Same => Same,
            _ => Open,
        }
    }

    fn scale_of_call(&self, call: ExprId, fuel: u32) -> Scale {
        let rw = self.rw;
        let tree = rw.trace.tree(self.module);
        let ExprKind::Call { function, arguments } = tree[call].kind else { return Open };
        let given: Vec<Scale> = tree[arguments.positional]
            .iter()
            .copied()
            .chain(tree[arguments.keywords].iter().map(|k| k.value))
            .map(|e| self.scale_within(e, fuel - 1))
            .collect();
        let any = given.iter().any(|&s| s != Same);
        let first = given.first().copied().unwrap_or(Same);
        let api = rw.trace.called_api((self.module, call)).unwrap_or_default();
        let along = argument_of(tree, call, "dim", 1).or_else(|| argument_of(tree, call, "axis", 1)).is_some();
        match api.as_str() {
            "builtins.len" => {
                let whole = tree[arguments.positional].first().is_some_and(|&of| self.has_parts(of));
                return if first == Batch && !whole { Sum } else { Same };
            }
            // Numbers or losses that were kept in a list.
            "torch.stack" | "torch.hstack" | "torch.as_tensor" | "torch.tensor" | "torch.Tensor"
            | "torch.FloatTensor" | "np.array" | "np.asarray" => {
                return match tree[arguments.positional].first() {
                    Some(&list) if first == Open && tree.dotted(list).is_some() => self.scale_of_list(list, fuel),
                    _ => first,
                };
            }
            "builtins.abs" if matches!(first, Mean | Sum) => return Open,
            "builtins.float" | "builtins.int" | "builtins.round" | "builtins.abs" | "np.float64" => return first,
            "torch.sum" | "np.sum" | "builtins.sum" if first == Batch => return if along { Batch } else { Sum },
            "torch.mean" | "np.mean" if first == Batch => return if along { Batch } else { Mean },
            "torch.sum" | "np.sum" | "builtins.sum" | "np.mean" | "torch.mean" | "statistics.mean" => {
                return match tree[arguments.positional].first() {
                    Some(&list) => self.scale_of_list(list, fuel),
                    None => Open,
                };
            }
            _ => {}
        }
        // Noise or labels of the size of a batch.
        if is_creation(&api) {
            let has_rows = tree[arguments.positional].iter().any(|&size| match tree[size].kind {
                ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                    tree[elements].first().is_some_and(|&rows| self.scale_within(rows, fuel - 1) == Sum)
                }
                _ => self.scale_within(size, fuel - 1) == Sum,
            });
            if has_rows {
                return Batch;
            }
        }
        if api.starts_with("torch.nn.functional.") && any {
            let loss = api.contains("loss") || api.contains("entropy") || api.ends_with("kl_div");
            return if loss { self.scale_of_reduction(call) } else { Batch };
        }
        if let Some((receiver, method)) = rw.trace.called_method((self.module, call))
            && rw.trace.project_callee((self.module, call)).is_none()
            && !api.starts_with("torch.")
            && !api.starts_with("np.")
        {
            let on = self.scale_within(receiver, fuel - 1);
            if on != Same || !self.is_module((self.module, function)) {
                let along = argument_of(tree, call, "dim", 0).or_else(|| argument_of(tree, call, "axis", 0)).is_some();
                return match (method, on) {
                    (_, Same) if !any => Same,
                    (
                        "item" | "cpu" | "detach" | "numpy" | "float" | "double" | "to" | "clone" | "tolist" | "long"
                        | "int",
                        on,
                    ) => on,
                    ("sum", Batch) => {
                        if along {
                            Batch
                        } else {
                            Sum
                        }
                    }
                    ("mean", Batch) => {
                        if along {
                            Batch
                        } else {
                            Mean
                        }
                    }
                    ("size", Batch) => match argument_of(tree, call, "dim", 0).map(|d| tree[d].kind) {
                        Some(ExprKind::Int(0)) => Sum,
                        Some(_) => Same,
                        None => Batch,
                    },
                    ("numel", Batch) => Sum,
                    ("sum" | "mean", on) => on,
                    ("div", on) => on.over(first),
                    ("mul", on) => on.times(first),
                    (_, Batch) => Batch,
                    _ if self.is_trained_loss(call) => Mean,
                    _ => Open,
                };
            }
        }
        // A loss module, a metric or a network: what becomes of a batch.
        if any && given.contains(&Batch) {
            if self.is_criterion(function) {
                return self.criterion_scale(function);
            }
            let returned = rw
                .trace
                .project_callee((self.module, call))
                .or_else(|| self.handed_function(function))
                .map_or(Open, |def| self.scale_of_returned(def, call, fuel));
            if self.is_trained_loss(call) {
                return if returned == Sum { Sum } else { Mean };
            }
            if api.starts_with("torch.") || self.is_module((self.module, function)) {
                return Batch;
            }
            return returned;
        }
        if any { Open } else { Same }
    }

    /// Whether a slice inside a loop that cuts its batches from arrays takes as many items as a batch has samples.
    fn cuts_batch(&self, expr: ExprId, index: ExprId) -> bool {
        let tree = self.rw.trace.tree(self.module);
        let moves = |bound: ExprId| !matches!(tree[bound].kind, ExprKind::Int(_) | ExprKind::UnaryOp { .. });
        !self.divided.is_empty()
            && tree[self.looped].range.contains_range(tree[expr].range)
            && matches!(tree[index].kind, ExprKind::Slice { lower: Some(lower), upper: Some(upper), step: None }
                if moves(lower) && moves(upper))
    }

    /// Whether a name is the loop's whole item, and that has parts: `batch[0]`, `x, y = batch`. Its length is their number.
    fn has_parts(&self, expr: ExprId) -> bool {
        let tree = self.rw.trace.tree(self.module);
        let Some(name) = tree.as_name(expr).map(|n| tree.text(n)) else { return false };
        let is_item = self.rw.project.modules[self.module]
            .index
            .reaching_bindings(expr)
            .iter()
            .any(|binding| matches!(binding.kind, Kind::Iteration(..)) && binding.stmt == self.looped);
        let is_named = |e: ExprId| tree.as_name(e).is_some_and(|n| tree.text(n) == name);
        is_item
            && tree.descendants(Node::Stmt(self.looped)).any(|node| match node {
                Node::Expr(e) => matches!(tree[e].kind, ExprKind::Subscript { value, index, .. }
                    if is_named(value) && matches!(tree[index].kind, ExprKind::Int(_) | ExprKind::Str(_))),
                Node::Stmt(stmt) => match tree[stmt].kind {
                    StmtKind::Assign { targets, value } => {
                        is_named(value)
                            && tree[targets]
                                .iter()
                                .any(|&t| matches!(tree[t].kind, ExprKind::Tuple { .. } | ExprKind::List { .. }))
                    }
                    _ => false,
                },
            })
    }

    /// The mean or sum of a list: what was appended to it.
    fn scale_of_list(&self, list: ExprId, fuel: u32) -> Scale {
        let rw = self.rw;
        let tree = rw.trace.tree(self.module);
        let text = rw.trace.text((self.module, list));
        if tree.dotted(list).is_none() {
            return self.scale_within(list, fuel - 1);
        }
        let mut scale: Option<Scale> = None;
        for e in tree.expr_ids() {
            let Some((receiver, "append")) = rw.trace.called_method((self.module, e)) else { continue };
            if rw.trace.text((self.module, receiver)) != text || !tree[self.looped].range.contains_range(tree[e].range)
            {
                continue;
            }
            // Its numbers were reduced where they were kept.
            if rw.done.contains(&(self.module, e)) {
                return Same;
            }
            let Some(item) = argument_of(tree, e, "", 0) else { return Open };
            let item = self.scale_within(item, fuel - 1);
            scale = Some(if scale.is_none_or(|known| known == item) { item } else { Open });
        }
        // Sums over samples, averaged over steps, are still sums.
        scale.unwrap_or(Same)
    }

    /// Whether a call's value is what `backward` is called on: the loss of a step.
    fn is_trained_loss(&self, call: ExprId) -> bool {
        let rw = self.rw;
        let tree = rw.trace.tree(self.module);
        let Some(stmt) = tree.stmt_of(call) else { return false };
        let StmtKind::Assign { value, .. } = tree[stmt].kind else { return false };
        if value != call {
            return false;
        }
        let names = crate::identify::assigned_names(rw.trace, self.module, stmt);
        rw.training.steps.iter().any(|&(m, step)| {
            m == self.module
                && rw
                    .trace
                    .called_method((m, step))
                    .and_then(|(receiver, _)| tree.as_name(receiver))
                    .is_some_and(|n| names.contains(&tree.text(n)))
        })
    }

    /// The function of the project that every caller gives for a parameter: `accuracy_fn(y, prediction)`.
    fn handed_function(&self, function: ExprId) -> Option<crate::trace::Def> {
        let tree = self.rw.trace.tree(self.module);
        let name = tree.text(tree.as_name(function)?);
        let index = &self.rw.project.modules[self.module].index;
        let (scope, bindings) = index.lookup_name(tree, expr_scope(tree, function), name)?;
        let [crate::index::NameBinding { kind: Kind::Parameter(i), .. }] = bindings else { return None };
        let given = self.rw.trace.arguments_for((self.module, scope?), *i);
        let mut defs = given.into_iter().map(|place| self.rw.trace.callable_definition(place, false));
        let first = defs.next()??;
        defs.all(|def| def == Some(first)).then_some(first)
    }

    fn is_module(&self, place: ExprPlace) -> bool {
        self.rw
            .trace
            .class_of(place)
            .is_some_and(|class| self.rw.trace.descends_from(class, &|api| api.ends_with("nn.Module")))
            || crate::identify::roots_call(self.rw.trace, place, &|api| api.starts_with("torch.nn."))
            || crate::rules::ddp::is_wrapped(self.rw, &self.rw.wrapped, place, 6)
    }

    fn is_criterion(&self, function: ExprId) -> bool {
        crate::identify::roots_call(self.rw.trace, (self.module, function), &|api| {
            api.starts_with("torch.nn.") && api.ends_with("Loss")
        })
    }

    fn criterion_scale(&self, function: ExprId) -> Scale {
        let roots = self.rw.trace.value_roots((self.module, function));
        let scales: Vec<Scale> = roots.iter().map(|r| reduction_of(self.rw, (r.module, r.expr))).collect();
        match scales[..] {
            [first, ref rest @ ..] if rest.iter().all(|&s| s == first) => first,
            _ => Open,
        }
    }

    fn scale_of_reduction(&self, call: ExprId) -> Scale {
        reduction_of(self.rw, (self.module, call))
    }

    /// What a function of the project returns for what a call gives it: a mean, a sum, or not known.
    fn scale_of_returned(&self, def: crate::trace::Def, call: ExprId, fuel: u32) -> Scale {
        let rw = self.rw;
        let (module, function) = def;
        let StmtKind::FunctionDef(signature) = rw.trace.tree(module)[function].kind else { return Open };
        let names = parameter_names(rw.trace.tree(module), &signature.parameters);
        let parameters: Vec<(String, Scale)> = names
            .iter()
            .enumerate()
            .map(|(i, name)| {
                let given = rw.trace.argument_at(def, i, (self.module, call));
                let scale = match given {
                    Some((site, value)) if site == self.module && value != call => self.scale_within(value, fuel - 1),
                    _ => Same,
                };
                ((*name).to_owned(), scale)
            })
            .collect();
        let mut scale: Option<Scale> = None;
        for value in rw.trace.returned_values(def) {
            let inner = Scales { rw, module, looped: function, reduced: &[], divided: &[], parameters: &parameters };
            let one = match inner.scale_within(value, fuel - 1) {
                known @ (Mean | Sum) => known,
                _ => inner.scale_inside(value),
            };
            scale = Some(if scale.is_none_or(|known| known == one) { one } else { Open });
        }
        scale.unwrap_or(Open)
    }

    /// A returned value, where the parameters stand for batches.
    fn scale_inside(&self, value: ExprId) -> Scale {
        let tree = self.rw.trace.tree(self.module);
        match tree[value].kind {
            ExprKind::Call { .. } => {
                let reduces = self.rw.trace.called_method((self.module, value)).map(|(_, m)| m);
                match reduces {
                    Some("mean") => Mean,
                    Some("sum") => Sum,
                    Some("item" | "float") => match self.rw.trace.called_method((self.module, value)) {
                        Some((receiver, _)) => self.scale_inside(receiver),
                        None => Open,
                    },
                    _ => Open,
                }
            }
            ExprKind::BinOp { left, op: BinaryOperator::Div, right } => {
                let sizes = self.is_length(right);
                match self.scale_inside(left) {
                    Sum if sizes => Mean,
                    Sum => Open,
                    other => other,
                }
            }
            _ => Open,
        }
    }

    fn is_length(&self, expr: ExprId) -> bool {
        let tree = self.rw.trace.tree(self.module);
        self.rw.trace.called_api((self.module, expr)).as_deref() == Some("builtins.len")
            || self.rw.trace.called_method((self.module, expr)).is_some_and(|(_, m)| m == "size")
            || matches!(tree[expr].kind, ExprKind::Subscript { value, .. } if self.is_size(value))
    }
}

/// How a loss is reduced over its batch.
fn reduction_of(rw: &Rewrite, place: ExprPlace) -> Scale {
    let tree = rw.trace.tree(place.0);
    match crate::data::keyword_of(rw.trace, place, "reduction").map(|r| tree[r].kind) {
        None => match crate::data::keyword_of(rw.trace, place, "size_average").map(|r| tree[r].kind) {
            Some(ExprKind::Bool(false)) => Sum,
            _ => Mean,
        },
        Some(ExprKind::Str(s)) => match tree.text(s) {
            "sum" => Sum,
            "mean" | "batchmean" => Mean,
            "none" => Batch,
            _ => Open,
        },
        Some(_) => Open,
    }
}

/// Functions that make a tensor of a size.
fn is_creation(api: &str) -> bool {
    matches!(
        api,
        "torch.randn" | "torch.rand" | "torch.zeros" | "torch.ones" | "torch.full" | "torch.empty" | "torch.randint"
    )
}
