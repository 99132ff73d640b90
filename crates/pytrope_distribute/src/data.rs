//! Where the training samples come from: tf.data pipelines, arrays, generators, loaders.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::index::{Binding, Kind, Scope, expr_scope, loops_around, scope_of};
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
    class || api == "tensorflow_datasets.load" || api.ends_with("_dataset_from_directory")
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

pub struct DataFinder<'a, 'p> {
    trace: &'a Trace<'p>,
    seen: FxHashSet<Place>,
    pub found: Vec<Data>,
}

impl<'a, 'p> DataFinder<'a, 'p> {
    pub fn new(trace: &'a Trace<'p>) -> Self {
        Self { trace, seen: FxHashSet::default(), found: Vec::new() }
    }

    /// The pipelines that an expression's value comes from.
    pub fn chains(trace: &Trace, place: Place) -> Vec<Chain> {
        let mut out = Vec::new();
        let mut seen = FxHashSet::default();
        chains_of(trace, place, &mut Vec::new(), &mut Vec::new(), &mut seen, &mut out);
        out
    }

    fn push(&mut self, data: Data) {
        if let Data::Array(array) = &data
            && let Some(Data::Array(known)) = self.found.iter_mut().find(
                |d| matches!(d, Data::Array(k) if k.text == array.text && k.scope == array.scope && k.module == array.module),
            )
        {
            known.batched |= array.batched;
            return;
        }
        if !self.found.contains(&data) {
            self.found.push(data);
        }
    }

    /// Follow an expression to the data that it is computed from.
    pub fn visit(&mut self, place: Place, batched: bool) {
        if self.seen.len() > 2_000 || !self.seen.insert(place) {
            return;
        }
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                let index = &self.trace.project.modules[module].index;
                if let Some((scope, bindings)) = index.lookup(tree, expr_scope(tree, expr), name) {
                    self.bindings(module, scope, bindings, name, batched);
                }
            }
            ExprKind::Attribute { value, attribute, .. } => {
                if let Some(class) = self.trace.self_class((module, value)) {
                    let attribute = tree.text(attribute.name);
                    let bindings = self.trace.project.modules[module].index.attribute(class, attribute);
                    let text = self.trace.text(place).to_owned();
                    let scope = bindings.first().and_then(|b| scope_of(tree, b.stmt));
                    self.bindings(module, scope, bindings, &text, batched);
                } else {
                    self.visit((module, value), batched);
                }
            }
            ExprKind::Subscript { value, .. } => self.visit((module, value), true),
            ExprKind::Call { function, arguments } => {
                let chains = Self::chains(self.trace, place);
                if !chains.is_empty() {
                    for chain in chains {
                        self.push(Data::Dataset(chain));
                    }
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
                            self.visit((module, value), true);
                        }
                        if self.found.len() == before {
                            self.push(Data::Generator(place));
                        }
                        return;
                    }
                    for value in self.trace.returns(def) {
                        self.visit((def.0, value), batched);
                    }
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
                    self.visit((module, receiver), true);
                    if self.found.len() == before {
                        self.push(Data::Draw(place));
                    }
                    return;
                }
                let iterates = batched || is_passing(&api) || api == "builtins.zip";
                if let ExprKind::Attribute { value, .. } = tree[function].kind {
                    self.visit((module, value), batched);
                }
                for value in values {
                    self.visit((module, value), iterates);
                }
            }
            ExprKind::BinOp { left, right, .. } => {
                self.visit((module, left), batched);
                self.visit((module, right), batched);
            }
            ExprKind::UnaryOp { operand: value, .. }
            | ExprKind::Starred { value, .. }
            | ExprKind::Named { value, .. } => {
                self.visit((module, value), batched);
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.visit((module, body), batched);
                self.visit((module, orelse), batched);
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                for &element in &tree[elements] {
                    self.visit((module, element), batched);
                }
            }
            ExprKind::Dict { items } => {
                for item in &tree[items] {
                    self.visit((module, item.value), batched);
                }
            }
            ExprKind::DictComp { value, .. } => self.visit((module, value), batched),
            ExprKind::ListComp { element, generators } | ExprKind::Generator { element, generators } => {
                self.visit((module, element), batched);
                for generator in &tree[generators] {
                    self.visit((module, generator.iter), true);
                }
            }
            _ => {}
        }
    }

    fn bindings(&mut self, module: ModuleId, scope: Scope, bindings: &[Binding], text: &str, batched: bool) {
        let tree = self.trace.tree(module);
        let mut outside: Vec<StmtId> = Vec::new();
        let mut values: Vec<(ExprId, Option<usize>)> = Vec::new();
        for binding in bindings {
            let repeated = !loops_around(tree, binding.stmt).is_empty()
                && !matches!(tree[binding.stmt].kind, StmtKind::With { .. })
                || scope.is_some_and(|f| self.runs_in_loop((module, f), &mut FxHashSet::default()));
            match &binding.kind {
                Kind::Value(value) | Kind::Context(value) if repeated => self.visit((module, *value), batched),
                Kind::Element(value, _) if repeated => self.visit((module, *value), batched),
                Kind::Value(value) | Kind::Context(value) => {
                    outside.push(binding.stmt);
                    values.push((*value, None));
                }
                Kind::Element(value, i) => {
                    outside.push(binding.stmt);
                    values.push((*value, Some(*i)));
                }
                Kind::Iteration(iter, _) => self.visit((module, *iter), true),
                Kind::Parameter(i) => {
                    let Some(function) = scope else { continue };
                    for given in self.trace.arguments_for((module, function), *i) {
                        self.visit(given, batched);
                    }
                }
                Kind::Augmented(_) | Kind::Function | Kind::Class | Kind::Opaque => {}
                Kind::Import(origin) => {
                    if let Some((home, name)) = origin.rsplit_once('.')
                        && let Some(id) = self.trace.project.by_name(home)
                        && self.seen.insert((module, import_marker(binding)))
                        && let Some((scope, found)) =
                            self.trace.project.modules[id].index.lookup(self.trace.tree(id), None, name)
                    {
                        self.bindings(id, scope, found, name, batched);
                    }
                }
            }
        }
        if values.is_empty() {
            return;
        }
        if values.iter().any(|&(value, element)| self.is_array((module, value), element)) {
            outside.sort_by_key(|&stmt| tree[stmt].range.start);
            outside.dedup();
            self.push(Data::Array(ArrayName { module, scope, text: text.to_owned(), bound: outside, batched }));
            return;
        }
        for (value, _) in values {
            self.visit((module, value), batched);
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

    /// Whether a value is an array of samples: made by NumPy or torch, loaded, or computed from such.
    pub fn is_array(&self, place: Place, element: Option<usize>) -> bool {
        self.array_at(place, element, &mut FxHashSet::default())
    }

    fn array_at(&self, place: Place, element: Option<usize>, seen: &mut FxHashSet<(Place, Option<usize>)>) -> bool {
        let (module, expr) = place;
        let tree = self.trace.tree(module);
        // What was asked before on the way here has not been found to be one.
        if seen.len() > 500 || !seen.insert((place, element)) {
            return false;
        }
        match tree[expr].kind {
            ExprKind::Call { function, arguments } => {
                if let Some(def) = self.trace.callee(place) {
                    if !matches!(self.trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_))
                        || self.trace.is_generator(def)
                    {
                        return false;
                    }
                    return self.trace.returns(def).into_iter().any(|value| {
                        let t = self.trace.tree(def.0);
                        match (t[value].kind, element) {
                            (ExprKind::Tuple { elements, .. }, Some(i)) => {
                                t[elements].get(i).is_some_and(|&part| self.array_at((def.0, part), None, seen))
                            }
                            _ => self.array_at((def.0, value), element, seen),
                        }
                    });
                }
                if let Some(api) = self.trace.called(place) {
                    if makes_array(&api) {
                        return !(tree[arguments.positional].is_empty()
                            && tree[arguments.keywords].is_empty()
                            && api.contains("random"))
                            || api.ends_with("load_data");
                    }
                    if !api.starts_with("builtins.") && !api.starts_with("np.") {
                        return false;
                    }
                }
                let ExprKind::Attribute { value, .. } = tree[function].kind else { return false };
                let random = self.trace.roots((module, value)).iter().any(|r| {
                    self.trace.called((r.module, r.expr)).is_some_and(|api| {
                        matches!(
                            api.as_str(),
                            "np.random.default_rng" | "np.random.RandomState" | "np.random.Generator"
                        )
                    })
                });
                let sized = !arguments.positional.is_empty() || !arguments.keywords.is_empty();
                (random && sized) || self.array_at((module, value), None, seen)
            }
            ExprKind::BinOp { left, right, .. } => {
                self.array_at((module, left), None, seen) || self.array_at((module, right), None, seen)
            }
            ExprKind::UnaryOp { operand, .. } => self.array_at((module, operand), None, seen),
            ExprKind::Compare { left, .. } => self.array_at((module, left), None, seen),
            ExprKind::Subscript { value, index, .. } => {
                if matches!(tree[index].kind, ExprKind::Str(_)) {
                    // An archive of arrays.
                    return crate::identify::roots_call(self.trace, (module, value), &|api| api == "np.load");
                }
                // One item of a shape is a number; a slice of an array is an array.
                !matches!(tree[index].kind, ExprKind::Int(_) | ExprKind::Str(_))
                    && self.array_at((module, value), None, seen)
            }
            ExprKind::Attribute { value, attribute, .. } => {
                matches!(tree.text(attribute.name), "T" | "values" | "data" | "target" | "images" | "labels")
                    && (self.array_at((module, value), None, seen) || self.is_bunch((module, value)))
            }
            ExprKind::Name { name, .. } => {
                let index = &self.trace.project.modules[module].index;
                let Some((scope, bindings)) = index.lookup(tree, expr_scope(tree, expr), tree.text(name)) else {
                    return false;
                };
                bindings.iter().any(|binding| match &binding.kind {
                    Kind::Value(value) => *value != expr && self.array_at((module, *value), None, seen),
                    Kind::Element(value, i) => self.array_at((module, *value), Some(*i), seen),
                    Kind::Parameter(i) => scope.is_some_and(|f| {
                        self.trace
                            .arguments_for((module, f), *i)
                            .into_iter()
                            .any(|given| self.array_at(given, None, seen))
                    }),
                    _ => false,
                })
            }
            _ => false,
        }
    }

    fn is_bunch(&self, place: Place) -> bool {
        self.trace
            .roots(place)
            .iter()
            .any(|r| self.trace.called((r.module, r.expr)).is_some_and(|api| api.starts_with("sklearn.datasets.")))
    }
}

fn is_index_maker(api: &str) -> bool {
    matches!(api, "torch.randperm" | "np.random.permutation" | "builtins.range" | "builtins.len")
}

fn makes_array(api: &str) -> bool {
    const TORCH: &[&str] = &[
        "randn",
        "rand",
        "tensor",
        "from_numpy",
        "linspace",
        "arange",
        "randint",
        "cat",
        "stack",
        "zeros",
        "ones",
        "normal",
        "as_tensor",
        "FloatTensor",
        "LongTensor",
        "Tensor",
        "sin",
        "cos",
        "unsqueeze",
    ];
    const NUMPY_NOT: &[&str] = &[
        "random.default_rng",
        "random.RandomState",
        "random.seed",
        "load",
        "random.permutation",
        "prod",
        "sum",
        "mean",
        "log",
        "sqrt",
        "float32",
        "int64",
    ];
    if let Some(name) = api.strip_prefix("np.") {
        return name == "load" || !NUMPY_NOT.contains(&name);
    }
    if let Some(name) = api.strip_prefix("torch.") {
        return TORCH.contains(&name);
    }
    api.ends_with(".load_data")
        || api.ends_with("train_test_split")
        || api.starts_with("sklearn.datasets.")
        || api.ends_with("pad_sequences")
        || api.ends_with("to_categorical")
        || api == "pandas.read_csv"
}

fn chains_of(
    trace: &Trace,
    place: Place,
    operations: &mut Vec<(Place, String)>,
    through: &mut Vec<Place>,
    seen: &mut FxHashSet<Place>,
    out: &mut Vec<Chain>,
) {
    if seen.len() > 300 || !seen.insert(place) {
        return;
    }
    let (module, expr) = place;
    let tree = trace.tree(module);
    match tree[expr].kind {
        ExprKind::Call { arguments: given, .. } => {
            let api = trace.called(place).unwrap_or_default();
            if api == "tf.data.Dataset.zip" {
                // The parts of a zip are cut together, after it.
                let reaches = tree.descendants(pytrope_source::Node::Expr(expr)).count() > 1;
                if reaches {
                    push_chain(place, operations, through, out);
                }
                return;
            }
            if is_dataset_source(&api) {
                push_chain(place, operations, through, out);
                return;
            }
            if let Some(def) = trace.callee(place) {
                if matches!(trace.tree(def.0)[def.1].kind, StmtKind::FunctionDef(_)) {
                    through.push(place);
                    for value in trace.returns(def) {
                        chains_of(trace, (def.0, value), operations, through, seen, out);
                    }
                    through.pop();
                }
                return;
            }
            if is_passing(&api) {
                if let Some(&first) = tree[given.positional].first() {
                    chains_of(trace, (module, first), operations, through, seen, out);
                }
                return;
            }
            if let Some((receiver, method)) = trace.method(place)
                && (DATASET_METHODS.contains(&method) || method == "get_next")
            {
                operations.push((place, method.to_owned()));
                chains_of(trace, (module, receiver), operations, through, seen, out);
                operations.pop();
            }
        }
        ExprKind::Tuple { elements, .. } => {
            if let Some(&first) = tree[elements].first() {
                chains_of(trace, (module, first), operations, through, seen, out);
            }
        }
        ExprKind::Name { name, .. } => {
            let index = &trace.project.modules[module].index;
            if let Some((scope, bindings)) = index.lookup(tree, expr_scope(tree, expr), tree.text(name)) {
                chain_bindings(trace, module, scope, bindings, operations, through, seen, out);
            }
        }
        ExprKind::Attribute { value, attribute, .. } => {
            let attribute = tree.text(attribute.name);
            if let Some(class) = trace.class_of((module, value)) {
                let index = &trace.project.modules[class.0].index;
                let bindings = index.attribute(class.1, attribute);
                let scope = bindings.first().and_then(|b| scope_of(trace.tree(class.0), b.stmt));
                chain_bindings(trace, class.0, scope, bindings, operations, through, seen, out);
            }
        }
        ExprKind::IfExp { body, orelse, .. } => {
            chains_of(trace, (module, body), operations, through, seen, out);
            chains_of(trace, (module, orelse), operations, through, seen, out);
        }
        _ => {}
    }
}

fn push_chain(source: Place, operations: &[(Place, String)], through: &[Place], out: &mut Vec<Chain>) {
    let mut applied = operations.to_vec();
    applied.reverse();
    let chain = Chain { source, operations: applied, through: through.to_vec() };
    if !out.contains(&chain) {
        out.push(chain);
    }
}

#[expect(clippy::too_many_arguments, reason = "one walk's state, handed down")]
fn chain_bindings(
    trace: &Trace,
    module: ModuleId,
    scope: Scope,
    bindings: &[Binding],
    operations: &mut Vec<(Place, String)>,
    through: &mut Vec<Place>,
    seen: &mut FxHashSet<Place>,
    out: &mut Vec<Chain>,
) {
    for binding in bindings {
        match &binding.kind {
            Kind::Value(value) | Kind::Element(value, _) => {
                chains_of(trace, (module, *value), operations, through, seen, out);
            }
            Kind::Parameter(i) => {
                let Some(function) = scope else { continue };
                for given in trace.arguments_for((module, function), *i) {
                    chains_of(trace, given, operations, through, seen, out);
                }
            }
            Kind::Import(origin) => {
                if let Some((home, name)) = origin.rsplit_once('.')
                    && let Some(id) = trace.project.by_name(home)
                    && seen.insert((module, import_marker(binding)))
                    && let Some((scope, found)) = trace.project.modules[id].index.lookup(trace.tree(id), None, name)
                {
                    chain_bindings(trace, id, scope, found, operations, through, seen, out);
                }
            }
            Kind::Context(_)
            | Kind::Augmented(_)
            | Kind::Function
            | Kind::Class
            | Kind::Opaque
            | Kind::Iteration(..) => {}
        }
    }
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
