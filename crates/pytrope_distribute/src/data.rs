//! Where the training samples come from: tf.data pipelines, arrays, generators, loaders.

mod array;
mod chain;
pub mod literals;

use pytrope_source::tree::{BinaryOperator, Comparison, ExprId, ExprKind, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::index::{Kind, NameBinding, Scope, expr_scope, exprs_in, loops_around, scope_of};
use crate::project::ModuleId;
use crate::trace::{Def, ExprPlace, Trace, argument_of, call_arguments, import_marker, keyword_argument};

/// A tf.data pipeline from its source call to where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    pub source: ExprPlace,
    /// Method calls on the pipeline, the first applied first.
    pub operations: Vec<(ExprPlace, String)>,
    /// Calls of project functions that the pipeline was returned from, innermost first.
    pub through: Vec<ExprPlace>,
}

/// A variable that holds samples along its first axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayName {
    pub module: ModuleId,
    pub scope: Scope,
    /// `x_train` or `self.x`.
    pub text: String,
    /// The statements that bind it outside of loops, in source order.
    pub bound: Vec<StmtId>,
    /// It is indexed, iterated or given to a generator, not only used whole.
    pub batched: bool,
    /// Its order matters: what follows a window of it, such as the next character of a text, is read with it.
    pub windows: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    Dataset(Chain),
    Array(ArrayName),
    /// A call of a project's generator function that takes no arrays.
    Generator(ExprPlace),
    /// A `DataLoader(...)` call.
    Loader(ExprPlace),
    /// A call inside the loop that draws the next batch from something unknown.
    Draw(ExprPlace),
}

const DATASET_METHODS: &[&str] = &[
    "shuffle",
    "batch",
    "map",
    "prefetch",
    "repeat",
    "take",
    "skip",
    "cache",
    "shard",
    "filter",
    "padded_batch",
    "interleave",
    "flat_map",
    "zip",
    "with_options",
    "apply",
    "enumerate",
    "unbatch",
    "window",
    "concatenate",
    "as_numpy_iterator",
    "ignore_errors",
    "snapshot",
    "ragged_batch",
    "rebatch",
    "scan",
    "take_while",
    "unique",
    "make_one_shot_iterator",
    "make_initializable_iterator",
    "bucket_by_sequence_length",
    "shuffle_and_repeat",
    "map_and_batch",
];

pub fn is_dataset_source(api: &str) -> bool {
    let class = api.strip_prefix("tf.data.").is_some_and(|rest| {
        rest.starts_with("Dataset.")
            || rest.ends_with("Dataset")
            || rest.contains("make_csv_dataset")
            || rest.contains("experimental.CsvDataset")
    });
    class || api == "tensorflow_datasets.load" || gives_batches(api)
}

/// Whether a function gives a finished dataset of batches that knows its length.
pub fn gives_batches(api: &str) -> bool {
    api.ends_with("_dataset_from_directory") || api.ends_with("timeseries_dataset_from_array")
}

/// Calls that only pass on what they iterate.
pub fn is_passing(api: &str) -> bool {
    matches!(
        api,
        "builtins.enumerate"
            | "builtins.iter"
            | "builtins.list"
            | "builtins.next"
            | "builtins.reversed"
            | "builtins.tuple"
    ) || api.rsplit('.').next().is_some_and(|name| matches!(name, "tqdm" | "trange" | "tqdm_notebook" | "track"))
        || api.ends_with("make_one_shot_iterator")
        || api.ends_with("make_initializable_iterator")
}

pub fn is_loader(api: &str) -> bool {
    api.ends_with("utils.data.DataLoader") || api.ends_with("utils.data.dataloader.DataLoader")
}

/// How a value is asked for on the way to its data.
#[derive(Clone, Copy, Default)]
struct How {
    batched: bool,
    windows: bool,
    /// The part of a tuple that is meant.
    element: Option<usize>,
}

impl How {
    const fn whole(self) -> Self {
        Self { element: None, ..self }
    }

    const fn part(self, element: usize) -> Self {
        Self { element: Some(element), ..self }
    }

    const fn batched(self) -> Self {
        Self { batched: true, element: None, ..self }
    }
}

pub struct DataFinder<'a, 'p> {
    trace: &'a Trace<'p>,
    seen: FxHashSet<(ExprPlace, Option<usize>, Option<ExprPlace>)>,
    /// The calls that functions were entered by, so that their parameters mean what those calls give.
    entered: Vec<(Def, ExprPlace)>,
    pub found: Vec<Data>,
}

impl<'a, 'p> DataFinder<'a, 'p> {
    pub fn new(trace: &'a Trace<'p>) -> Self {
        Self { trace, seen: FxHashSet::default(), entered: Vec::new(), found: Vec::new() }
    }

    /// The pipelines that an expression's value comes from.
    pub fn dataset_chains(trace: &Trace, place: ExprPlace) -> Vec<Chain> {
        chain::Walk::from(trace, place)
    }

    fn push_data(&mut self, data: Data) {
        if let Data::Array(array) = &data
            && let Some(Data::Array(known)) = self.found.iter_mut().find(
                |d| matches!(d, Data::Array(k) if k.text == array.text && k.scope == array.scope && k.module == array.module),
            )
        {
            known.batched |= array.batched;
            known.windows |= array.windows;
            return;
        }
        if !self.found.contains(&data) {
            self.found.push(data);
        }
    }

    /// Follow an expression to the data that it is computed from.
    pub fn visit_value(&mut self, place: ExprPlace, batched: bool) {
        self.follow_value(place, How { batched, ..How::default() });
    }

    fn follow_value(&mut self, place: ExprPlace, how: How) {
        let entered = self.entered.last().map(|(_, call)| *call);
        if self.seen.len() > 2_000 || !self.seen.insert((place, how.element, entered)) {
            return;
        }
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                // A pipeline is what its name was last bound to, not all that it ever was.
                if self.follow_dataset(place) {
                    return;
                }
                let name = tree.text(name);
                let index = &self.trace.project.modules[module].index;
                if let Some((scope, bindings)) = index.lookup_name(tree, expr_scope(tree, expr), name) {
                    // What the name is bound to later, such as predictions for other samples, is not read here.
                    let reaching = index.reaching_bindings(expr);
                    let is_read = |binding: &&NameBinding| {
                        tree[binding.stmt].range.start < tree[expr].range.start
                            || scope != expr_scope(tree, expr)
                            || reaching.is_empty()
                            || reaching.iter().any(|reached| reached.stmt == binding.stmt)
                    };
                    let read: Vec<NameBinding> = bindings.iter().filter(is_read).cloned().collect();
                    self.follow_bindings(module, scope, &read, name, how);
                } else if let Some(id) = self.trace.star_home(module, name)
                    && let Some((scope, bindings)) =
                        self.trace.project.modules[id].index.lookup_name(self.trace.tree(id), None, name)
                {
                    self.follow_bindings(id, scope, bindings, name, how);
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                self.follow_attribute(place, value, tree.text(attribute.name), how);
            }
            ExprKind::Subscript { value, .. } => {
                let windows = how.windows || is_window(self.trace, place);
                self.follow_value((module, value), How { windows, ..how.batched() });
            }
            ExprKind::Call { .. } => self.follow_call(place, how),
            ExprKind::BinOp { left, right, .. } => {
                self.follow_value((module, left), how.whole());
                self.follow_value((module, right), how.whole());
            }
            ExprKind::UnaryOp { operand: value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Named { value, .. } => self.follow_value((module, value), how),
            ExprKind::IfExp { test, body, orelse } => {
                let decided = self.decided_branch((module, test));
                for branch in [(true, body), (false, orelse)] {
                    if decided.is_none_or(|taken| taken == branch.0) {
                        self.follow_value((module, branch.1), how);
                    }
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                if let Some(&part) = how.element.and_then(|i| tree[elements].get(i)) {
                    return self.follow_value((module, part), how.whole());
                }
                for &element in &tree[elements] {
                    self.follow_value((module, element), how.whole());
                }
            }
            ExprKind::Dict { items } => {
                for item in &tree[items] {
                    self.follow_value((module, item.value), how.whole());
                }
            }
            ExprKind::DictComp { value, .. } => self.follow_value((module, value), how.whole()),
            ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } => {
                self.follow_value((module, element), how.whole());
                for generator in &tree[generators] {
                    self.follow_value((module, generator.iter), how.batched());
                }
            }
            _ => {}
        }
    }

    /// Take the pipelines that a value comes from, if it comes from any.
    fn follow_dataset(&mut self, place: ExprPlace) -> bool {
        let chains = Self::dataset_chains(self.trace, place);
        let found = !chains.is_empty();
        for chain in chains {
            self.push_data(Data::Dataset(chain));
        }
        found
    }

    fn follow_attribute(&mut self, place: ExprPlace, value: ExprId, name: &str, how: How) {
        let module = place.0;
        let Some(class) = self.trace.class_of((module, value)) else {
            return self.follow_value((module, value), how);
        };
        if let Some(getter) = self.trace.property_getter(class, name) {
            for value in self.trace.returned_values(getter) {
                self.follow_value((getter.0, value), how);
            }
            return;
        }
        let tree = self.trace.tree(class.0);
        let bindings = self.trace.project.modules[class.0].index.attribute_bindings(class.1, name);
        let scope = bindings.first().and_then(|b| scope_of(tree, b.stmt));
        // What the constructor is given is data where it is made.
        let before = self.found.len();
        for binding in bindings {
            if let Kind::Value(given) = binding.kind
                && let Some((found, parameters)) = tree.as_name(given).and_then(|n| {
                    self.trace.project.modules[class.0].index.lookup_name(
                        tree,
                        scope_of(tree, binding.stmt),
                        tree.text(n),
                    )
                })
                && found.is_some()
                && found == scope_of(tree, binding.stmt)
                && matches!(parameters, [NameBinding { kind: Kind::Parameter(_), .. }])
            {
                self.follow_bindings(
                    class.0,
                    found,
                    parameters,
                    tree.text(tree.as_name(given).expect("asked above")),
                    how,
                );
            }
        }
        if self.found.len() > before {
            return;
        }
        let text = match self.trace.self_class((module, value)) {
            Some(_) => self.trace.text(place).to_owned(),
            None => format!("self.{name}"),
        };
        self.follow_bindings(class.0, scope, bindings, &text, how);
    }

    fn follow_call(&mut self, place: ExprPlace, how: How) {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        let ExprKind::Call { function, arguments } = tree[expr].kind else { return };
        if self.follow_dataset(place) {
            return;
        }
        let api = self.trace.called_api(place).unwrap_or_default();
        if is_loader(&api) {
            self.push_data(Data::Loader(place));
            return;
        }
        let values: Vec<ExprId> = tree[arguments.positional]
            .iter()
            .copied()
            .chain(tree[arguments.keywords].iter().map(|k| k.value))
            .collect();
        if let Some(def) = self.trace.project_callee(place)
            && matches!(self.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
        {
            if self.trace.is_generator(def) {
                let before = self.found.len();
                for value in values {
                    self.follow_value((module, value), how.batched());
                }
                if self.found.len() == before {
                    self.push_data(Data::Generator(place));
                }
                return;
            }
            self.entered.push((def, place));
            for value in self.trace.returned_values(def) {
                self.follow_value((def.0, value), how);
            }
            self.entered.pop();
            return;
        }
        if is_index_maker(&api) {
            return;
        }
        if let Some((receiver, method)) = self.trace.called_method(place)
            && ["batch", "sample", "next"].iter().any(|word| method.contains(word))
            && values.iter().all(|&v| !matches!(tree[v].kind, ExprKind::Lambda { .. }))
        {
            let before = self.found.len();
            self.follow_value((module, receiver), how.batched());
            if self.found.len() == before {
                self.push_data(Data::Draw(place));
            }
            return;
        }
        let iterates = how.batched || is_passing(&api) || api == "builtins.zip";
        if let ExprKind::Attribute { value, .. } = tree[function].kind {
            self.follow_value((module, value), how.whole());
        }
        for value in values {
            self.follow_value((module, value), How { batched: iterates, ..how.whole() });
        }
    }

    /// Whether `name == "word"` holds where the name is a parameter that the call here gives as a word.
    fn decided_branch(&self, (module, test): ExprPlace) -> Option<bool> {
        let tree = self.trace.tree(module);
        let ExprKind::Compare { left, ops, comparators } = tree[test].kind else { return None };
        let ([op @ (Comparison::Eq | Comparison::NotEq)], [right]) = (&tree[ops], &tree[comparators]) else {
            return None;
        };
        let ExprKind::Str(wanted) = tree[*right].kind else { return None };
        let index = &self.trace.project.modules[module].index;
        let (scope, bindings) = index.lookup_name(tree, expr_scope(tree, left), tree.text(tree.as_name(left)?))?;
        let [NameBinding { kind: Kind::Parameter(i), .. }] = bindings else { return None };
        let def = (module, scope?);
        let (_, call) = self.entered.iter().rev().find(|(entered, _)| *entered == def)?;
        let (m, given) = self.trace.argument_at(def, *i, *call)?;
        let ExprKind::Str(word) = self.trace.tree(m)[given].kind else { return None };
        let equal = self.trace.tree(m).text(word) == tree.text(wanted);
        Some(equal == (*op == Comparison::Eq))
    }

    /// What a parameter stands for: what the call gives that led here, else what any call gives.
    fn follow_parameter(&mut self, def: Def, i: usize, how: How) {
        let Some(at) = self.entered.iter().rposition(|(entered, _)| *entered == def) else {
            for given in self.trace.arguments_for(def, i) {
                self.follow_value(given, how);
            }
            return;
        };
        if let Some(given) = self.trace.argument_at(def, i, self.entered[at].1) {
            // The argument belongs to the caller, which was entered before.
            let inner = self.entered.split_off(at);
            self.follow_value(given, how);
            self.entered.extend(inner);
        }
    }

    fn follow_bindings(&mut self, module: ModuleId, scope: Scope, bindings: &[NameBinding], text: &str, how: How) {
        let tree = self.trace.tree(module);
        let mut outside: Vec<StmtId> = Vec::new();
        let mut values: Vec<(ExprId, How)> = Vec::new();
        for binding in bindings {
            let repeated = !loops_around(tree, binding.stmt).is_empty()
                && !matches!(tree[binding.stmt].kind, StmtKind::With { .. })
                || scope.is_some_and(|f| self.runs_in_loop((module, f), &mut FxHashSet::default()));
            match &binding.kind {
                Kind::Value(value) | Kind::Context(value) if repeated => self.follow_value((module, *value), how),
                Kind::Element(value, i) if repeated => self.follow_value((module, *value), how.part(*i)),
                Kind::Value(value) | Kind::Context(value) => {
                    outside.push(binding.stmt);
                    values.push((*value, how));
                }
                Kind::Element(value, i) => {
                    outside.push(binding.stmt);
                    values.push((*value, how.part(*i)));
                }
                Kind::Iteration(iter, _) => self.follow_value((module, *iter), how.batched()),
                Kind::Parameter(i) => {
                    let Some(function) = scope else { continue };
                    self.follow_parameter((module, function), *i, how);
                }
                Kind::Augmented(_) | Kind::Function | Kind::Class | Kind::Opaque => {}
                Kind::Import(origin) => {
                    if let Some((home, name)) = origin.rsplit_once('.')
                        && let Some(id) = self.trace.project.by_name(home)
                        && self.seen.insert(((module, import_marker(binding)), how.element, None))
                        && let Some((scope, found)) =
                            self.trace.project.modules[id].index.lookup_name(self.trace.tree(id), None, name)
                    {
                        self.follow_bindings(id, scope, found, name, how);
                    }
                }
            }
        }
        if values.is_empty() {
            return;
        }
        if values.iter().any(|&(value, how)| self.is_array((module, value), how.element)) {
            outside.sort_by_key(|&stmt| tree[stmt].range.start);
            outside.dedup();
            let How { batched, windows, .. } = how;
            self.push_data(Data::Array(ArrayName {
                module,
                scope,
                text: text.to_owned(),
                bound: outside,
                batched,
                windows,
            }));
            return;
        }
        for (value, how) in values {
            if matches!(tree[value].kind, ExprKind::List { elements, .. } if elements.is_empty()) {
                self.follow_batches(module, scope, text, how);
            }
            self.follow_value((module, value), how);
        }
    }

    /// A list of batches that are cut before the loop: `batches.append((x[i:i + n], y[i:i + n]))`.
    fn follow_batches(&mut self, module: ModuleId, scope: Scope, name: &str, how: How) {
        let tree = self.trace.tree(module);
        let is_slice = |e: ExprId| matches!(tree[e].kind, ExprKind::Subscript { index, .. } if matches!(tree[index].kind, ExprKind::Slice { .. }));
        let values = self.trace.appended_values(module, scope, name);
        let parts: Vec<ExprId> = values
            .iter()
            .flat_map(|&value| match tree[value].kind {
                ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].to_vec(),
                _ => vec![value],
            })
            .collect();
        if parts.iter().all(|&part| is_slice(part)) {
            for part in parts {
                self.follow_value((module, part), how.batched());
            }
        }
    }

    /// Whether a function is called, directly or not, from a loop.
    fn runs_in_loop(&self, def: Def, seen: &mut FxHashSet<Def>) -> bool {
        if !seen.insert(def) {
            return false;
        }
        self.trace.calls_of(def).iter().any(|&(module, call)| {
            let tree = self.trace.tree(module);
            let Some(stmt) = tree.stmt_of(call) else { return false };
            if loops_around(tree, stmt).iter().any(|&l| l != stmt) {
                return true;
            }
            scope_of(tree, stmt).is_some_and(|caller| self.runs_in_loop((module, caller), seen))
        })
    }
}

/// Whether a slice has a twin that begins a constant later, as inputs and their targets in one sequence do:
/// `text[i:i + n]` beside `text[i + 1:i + n + 1]`.
fn is_window(trace: &Trace, (module, expr): ExprPlace) -> bool {
    let tree = trace.tree(module);
    let lower_of = |e: ExprId| match tree[e].kind {
        ExprKind::Subscript { value, index, .. } => match tree[index].kind {
            ExprKind::Slice { lower: Some(lower), .. } => Some((trace.text((module, value)), lower)),
            _ => None,
        },
        _ => None,
    };
    let Some((base, lower)) = lower_of(expr) else { return false };
    // The part of a lower bound that varies.
    let varying = |e: ExprId| match tree[e].kind {
        ExprKind::BinOp { left, op: BinaryOperator::Add, right } if matches!(tree[right].kind, ExprKind::Int(_)) => {
            trace.text((module, left))
        }
        ExprKind::Int(_) => "",
        _ => trace.text((module, e)),
    };
    let start = varying(lower);
    let Some(function) = expr_scope(tree, expr) else { return false };
    !start.is_empty()
        && exprs_in(tree, function).any(|other| {
            other != expr
                && lower_of(other).is_some_and(|(b, l)| {
                    b == base
                        && varying(l) == start
                        && trace.text((module, l)).replace(' ', "") != trace.text((module, lower)).replace(' ', "")
                })
        })
}

fn is_index_maker(api: &str) -> bool {
    matches!(api, "torch.randperm" | "np.random.permutation" | "builtins.range" | "builtins.len")
}

/// Strip `enumerate(...)`, `tqdm(...)` and the like from what a loop iterates.
pub fn strip_passing(trace: &Trace, place: ExprPlace) -> ExprPlace {
    let mut at = place;
    for _ in 0..6 {
        let tree = trace.tree(at.0);
        let Some(api) = trace.called_api(at) else { return at };
        if !is_passing(&api) {
            return at;
        }
        let Some(first) = argument_of(tree, at.1, "iterable", 0) else { return at };
        at = (at.0, first);
    }
    at
}

/// The value a call gives for `name`, if it gives one.
pub fn keyword_of(trace: &Trace, (module, call): ExprPlace, name: &str) -> Option<ExprId> {
    let tree = trace.tree(module);
    call_arguments(tree, call).and_then(|given| keyword_argument(tree, given, name))
}
