//! Where the training samples come from: tf.data pipelines, arrays, generators, loaders.

mod array;
mod chain;

use pytrope_source::tree::{BinaryOperator, Comparison, ExprId, ExprKind, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::index::{Binding, Kind, Scope, expr_scope, exprs_in, loops_around, scope_of};
use crate::project::ModuleId;
use crate::trace::{Def, Place, Trace, argument, arguments, import_marker, keyword};

/// A tf.data pipeline from its source call to where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    pub source: Place,
    /// Method calls on the pipeline, the first applied first.
    pub operations: Vec<(Place, String)>,
    /// Calls of project functions that the pipeline was returned from, innermost first.
    pub through: Vec<Place>,
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
    Generator(Place),
    /// A `DataLoader(...)` call.
    Loader(Place),
    /// A call inside the loop that draws the next batch from something unknown.
    Draw(Place),
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
    seen: FxHashSet<(Place, Option<usize>, Option<Place>)>,
    /// The calls that functions were entered by, so that their parameters mean what those calls give.
    entered: Vec<(Def, Place)>,
    pub found: Vec<Data>,
}

impl<'a, 'p> DataFinder<'a, 'p> {
    pub fn new(trace: &'a Trace<'p>) -> Self {
        Self { trace, seen: FxHashSet::default(), entered: Vec::new(), found: Vec::new() }
    }

    /// The pipelines that an expression's value comes from.
    pub fn chains(trace: &Trace, place: Place) -> Vec<Chain> {
        chain::Walk::from(trace, place)
    }

    fn push(&mut self, data: Data) {
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
    pub fn visit(&mut self, place: Place, batched: bool) {
        self.follow(place, How { batched, ..How::default() });
    }

    fn follow(&mut self, place: Place, how: How) {
        let entered = self.entered.last().map(|(_, call)| *call);
        if self.seen.len() > 2_000 || !self.seen.insert((place, how.element, entered)) {
            return;
        }
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                // A pipeline is what its name was last bound to, not all that it ever was.
                if self.dataset(place) {
                    return;
                }
                let name = tree.text(name);
                let index = &self.trace.project.modules[module].index;
                if let Some((scope, bindings)) = index.lookup(tree, expr_scope(tree, expr), name) {
                    // What the name is bound to later, such as predictions for other samples, is not read here.
                    let reaching = index.reaching(expr);
                    let is_read = |binding: &&Binding| {
                        tree[binding.stmt].range.start < tree[expr].range.start
                            || scope != expr_scope(tree, expr)
                            || reaching.is_empty()
                            || reaching.iter().any(|reached| reached.stmt == binding.stmt)
                    };
                    let read: Vec<Binding> = bindings.iter().filter(is_read).cloned().collect();
                    self.bindings(module, scope, &read, name, how);
                } else if let Some(id) = self.trace.star_home(module, name)
                    && let Some((scope, bindings)) =
                        self.trace.project.modules[id].index.lookup(self.trace.tree(id), None, name)
                {
                    self.bindings(id, scope, bindings, name, how);
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                self.attribute(place, value, tree.text(attribute.name), how);
            }
            ExprKind::Subscript { value, .. } => {
                let windows = how.windows || is_window(self.trace, place);
                self.follow((module, value), How { windows, ..how.batched() });
            }
            ExprKind::Call { .. } => self.call(place, how),
            ExprKind::BinOp { left, right, .. } => {
                self.follow((module, left), how.whole());
                self.follow((module, right), how.whole());
            }
            ExprKind::UnaryOp { operand: value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Named { value, .. } => self.follow((module, value), how),
            ExprKind::IfExp { test, body, orelse } => {
                let decided = self.decided((module, test));
                for branch in [(true, body), (false, orelse)] {
                    if decided.is_none_or(|taken| taken == branch.0) {
                        self.follow((module, branch.1), how);
                    }
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                if let Some(&part) = how.element.and_then(|i| tree[elements].get(i)) {
                    return self.follow((module, part), how.whole());
                }
                for &element in &tree[elements] {
                    self.follow((module, element), how.whole());
                }
            }
            ExprKind::Dict { items } => {
                for item in &tree[items] {
                    self.follow((module, item.value), how.whole());
                }
            }
            ExprKind::DictComp { value, .. } => self.follow((module, value), how.whole()),
            ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } => {
                self.follow((module, element), how.whole());
                for generator in &tree[generators] {
                    self.follow((module, generator.iter), how.batched());
                }
            }
            _ => {}
        }
    }

    /// Take the pipelines that a value comes from, if it comes from any.
    fn dataset(&mut self, place: Place) -> bool {
        let chains = Self::chains(self.trace, place);
        let found = !chains.is_empty();
        for chain in chains {
            self.push(Data::Dataset(chain));
        }
        found
    }

    fn attribute(&mut self, place: Place, value: ExprId, name: &str, how: How) {
        let module = place.0;
        let Some(class) = self.trace.class_of((module, value)) else {
            return self.follow((module, value), how);
        };
        if let Some(getter) = self.trace.property(class, name) {
            for value in self.trace.returns(getter) {
                self.follow((getter.0, value), how);
            }
            return;
        }
        let tree = self.trace.tree(class.0);
        let bindings = self.trace.project.modules[class.0].index.attribute(class.1, name);
        let scope = bindings.first().and_then(|b| scope_of(tree, b.stmt));
        // What the constructor is given is data where it is made.
        let before = self.found.len();
        for binding in bindings {
            if let Kind::Value(given) = binding.kind
                && let Some((found, parameters)) = tree.as_name(given).and_then(|n| {
                    self.trace.project.modules[class.0].index.lookup(tree, scope_of(tree, binding.stmt), tree.text(n))
                })
                && found.is_some()
                && found == scope_of(tree, binding.stmt)
                && matches!(parameters, [Binding { kind: Kind::Parameter(_), .. }])
            {
                self.bindings(class.0, found, parameters, tree.text(tree.as_name(given).expect("asked above")), how);
            }
        }
        if self.found.len() > before {
            return;
        }
        let text = match self.trace.self_class((module, value)) {
            Some(_) => self.trace.text(place).to_owned(),
            None => format!("self.{name}"),
        };
        self.bindings(class.0, scope, bindings, &text, how);
    }

    fn call(&mut self, place: Place, how: How) {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        let ExprKind::Call { function, arguments } = tree[expr].kind else { return };
        if self.dataset(place) {
            return;
        }
        let api = self.trace.called(place).unwrap_or_default();
        if is_loader(&api) {
            self.push(Data::Loader(place));
            return;
        }
        let values: Vec<ExprId> = tree[arguments.positional]
            .iter()
            .copied()
            .chain(tree[arguments.keywords].iter().map(|k| k.value))
            .collect();
        if let Some(def) = self.trace.callee(place)
            && matches!(self.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
        {
            if self.trace.is_generator(def) {
                let before = self.found.len();
                for value in values {
                    self.follow((module, value), how.batched());
                }
                if self.found.len() == before {
                    self.push(Data::Generator(place));
                }
                return;
            }
            self.entered.push((def, place));
            for value in self.trace.returns(def) {
                self.follow((def.0, value), how);
            }
            self.entered.pop();
            return;
        }
        if is_index_maker(&api) {
            return;
        }
        if let Some((receiver, method)) = self.trace.method(place)
            && ["batch", "sample", "next"].iter().any(|word| method.contains(word))
            && values.iter().all(|&v| !matches!(tree[v].kind, ExprKind::Lambda { .. }))
        {
            let before = self.found.len();
            self.follow((module, receiver), how.batched());
            if self.found.len() == before {
                self.push(Data::Draw(place));
            }
            return;
        }
        let iterates = how.batched || is_passing(&api) || api == "builtins.zip";
        if let ExprKind::Attribute { value, .. } = tree[function].kind {
            self.follow((module, value), how.whole());
        }
        for value in values {
            self.follow((module, value), How { batched: iterates, ..how.whole() });
        }
    }

    /// Whether `name == "word"` holds where the name is a parameter that the call here gives as a word.
    fn decided(&self, (module, test): Place) -> Option<bool> {
        let tree = self.trace.tree(module);
        let ExprKind::Compare { left, ops, comparators } = tree[test].kind else { return None };
        let ([op @ (Comparison::Eq | Comparison::NotEq)], [right]) = (&tree[ops], &tree[comparators]) else {
            return None;
        };
        let ExprKind::Str(wanted) = tree[*right].kind else { return None };
        let index = &self.trace.project.modules[module].index;
        let (scope, bindings) = index.lookup(tree, expr_scope(tree, left), tree.text(tree.as_name(left)?))?;
        let [Binding { kind: Kind::Parameter(i), .. }] = bindings else { return None };
        let def = (module, scope?);
        let (_, call) = self.entered.iter().rev().find(|(entered, _)| *entered == def)?;
        let (m, given) = self.trace.argument_at(def, *i, *call)?;
        let ExprKind::Str(word) = self.trace.tree(m)[given].kind else { return None };
        let equal = self.trace.tree(m).text(word) == tree.text(wanted);
        Some(equal == (*op == Comparison::Eq))
    }

    /// What a parameter stands for: what the call gives that led here, else what any call gives.
    fn parameter(&mut self, def: Def, i: usize, how: How) {
        let Some(at) = self.entered.iter().rposition(|(entered, _)| *entered == def) else {
            for given in self.trace.arguments_for(def, i) {
                self.follow(given, how);
            }
            return;
        };
        if let Some(given) = self.trace.argument_at(def, i, self.entered[at].1) {
            // The argument belongs to the caller, which was entered before.
            let inner = self.entered.split_off(at);
            self.follow(given, how);
            self.entered.extend(inner);
        }
    }

    fn bindings(&mut self, module: ModuleId, scope: Scope, bindings: &[Binding], text: &str, how: How) {
        let tree = self.trace.tree(module);
        let mut outside: Vec<StmtId> = Vec::new();
        let mut values: Vec<(ExprId, How)> = Vec::new();
        for binding in bindings {
            let repeated = !loops_around(tree, binding.stmt).is_empty()
                && !matches!(tree[binding.stmt].kind, StmtKind::With { .. })
                || scope.is_some_and(|f| self.runs_in_loop((module, f), &mut FxHashSet::default()));
            match &binding.kind {
                Kind::Value(value) | Kind::Context(value) if repeated => self.follow((module, *value), how),
                Kind::Element(value, i) if repeated => self.follow((module, *value), how.part(*i)),
                Kind::Value(value) | Kind::Context(value) => {
                    outside.push(binding.stmt);
                    values.push((*value, how));
                }
                Kind::Element(value, i) => {
                    outside.push(binding.stmt);
                    values.push((*value, how.part(*i)));
                }
                Kind::Iteration(iter, _) => self.follow((module, *iter), how.batched()),
                Kind::Parameter(i) => {
                    let Some(function) = scope else { continue };
                    self.parameter((module, function), *i, how);
                }
                Kind::Augmented(_) | Kind::Function | Kind::Class | Kind::Opaque => {}
                Kind::Import(origin) => {
                    if let Some((home, name)) = origin.rsplit_once('.')
                        && let Some(id) = self.trace.project.by_name(home)
                        && self.seen.insert(((module, import_marker(binding)), how.element, None))
                        && let Some((scope, found)) =
                            self.trace.project.modules[id].index.lookup(self.trace.tree(id), None, name)
                    {
                        self.bindings(id, scope, found, name, how);
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
            self.push(Data::Array(ArrayName {
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
            self.follow((module, value), how);
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
                self.follow((module, part), how.batched());
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
fn is_window(trace: &Trace, (module, expr): Place) -> bool {
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
pub fn strip_passing(trace: &Trace, place: Place) -> Place {
    let mut at = place;
    for _ in 0..6 {
        let tree = trace.tree(at.0);
        let Some(api) = trace.called(at) else { return at };
        if !is_passing(&api) {
            return at;
        }
        let Some(first) = argument(tree, at.1, "iterable", 0) else { return at };
        at = (at.0, first);
    }
    at
}

/// The value a call gives for `name`, if it gives one.
pub fn keyword_of(trace: &Trace, (module, call): Place, name: &str) -> Option<ExprId> {
    let tree = trace.tree(module);
    arguments(tree, call).and_then(|given| keyword(tree, given, name))
}
