//! Calls of libraries: what they make, pass on, or make the same on all ranks.

use super::batches::BatchAxis;
use super::calls::CallArguments;
use super::{AbstractObject, Constant, ELEMENTS, EventKind, FlowRun, FlowValue};
use crate::identify::is_optimizer;
use crate::trace::ExprPlace;

impl FlowRun<'_> {
    /// Whether gradients are kept inside a context.
    pub(super) fn grad_inside(&self, context: &FlowValue) -> Option<bool> {
        context.objects.iter().find_map(|&object| match &self.objects[object as usize] {
            AbstractObject::Made { api, given, .. } => match api.rsplit('.').next().unwrap_or(api) {
                "no_grad" | "inference_mode" => Some(false),
                "enable_grad" => Some(true),
                "set_grad_enabled" => Some(given.known_truth().unwrap_or(true)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether a callee makes its first argument the same on all ranks.
    pub(super) fn is_collective(&self, callee: &FlowValue) -> bool {
        callee.objects.iter().any(|&object| match &self.objects[object as usize] {
            AbstractObject::Library(origin) => origin.strip_prefix("torch.distributed.").is_some_and(|name| {
                matches!(
                    name,
                    "all_reduce" | "broadcast" | "broadcast_object_list" | "all_gather_object" | "all_gather"
                )
            }),
            _ => false,
        })
    }

    /// Whether a callee makes the value of all ranks of what ranks have.
    pub(super) fn is_reduction(&self, callee: &FlowValue) -> bool {
        callee.objects.iter().any(|&object| match &self.objects[object as usize] {
            AbstractObject::Library(origin) => origin.strip_prefix("torch.distributed.").is_some_and(is_reduction),
            _ => false,
        })
    }

    pub(super) fn call_library(&mut self, api: &str, at: ExprPlace, given: CallArguments) -> FlowValue {
        if let Some(name) = api.strip_prefix("builtins.") {
            return self.call_builtin(name, at, given);
        }
        if let Some(value) = self.call_tensorflow(api, at, &given) {
            return value;
        }
        if let Some(name) = api.strip_prefix("torch.distributed.") {
            return self.call_engine(name, at, &given);
        }
        self.note_product_call(at, api, None, &given);
        let all = given.joined_arguments();
        let name = api.rsplit('.').next().unwrap_or(api);
        if name == "DistributedDataParallel" {
            let inner = given.get("module", 0).cloned().unwrap_or_default();
            let wrapper = self.add_object(AbstractObject::Wrapped { inner, by: at });
            self.record_event(at, EventKind::Wrap { wrapper });
            return FlowValue { objects: vec![wrapper], ..FlowValue::default() };
        }
        if name == "DistributedSampler" {
            if given.get("dataset", 0).is_some_and(|data| data.varies) {
                self.record_event(at, EventKind::DividedTwice);
            }
            let made = self.make_value(AbstractObject::Made { api: api.to_owned(), by: at, given: all });
            return FlowValue { varies: true, part: Some(at), ..made };
        }
        if is_optimizer(api) || api.starts_with("torch.optim.?") {
            // Rates and other settings are of no interest here.
            let mut kept = given.get("params", 0).cloned().unwrap_or_default();
            if let Some(spread) = &given.spread {
                kept.add(spread);
            }
            return self.make_value(AbstractObject::Optimizer { given: kept, by: at });
        }
        match api {
            "torch.compile"
            | "torch.jit.script"
            | "copy.copy"
            | "torch.autograd.Variable"
            | "tqdm.tqdm"
            | "tqdm.auto.tqdm"
            | "tqdm.notebook.tqdm"
            | "itertools.chain"
            | "itertools.cycle"
            | "tqdm.std.tqdm"
            | "torch.nn.SyncBatchNorm.convert_sync_batchnorm"
            | "itertools.islice"
            | "itertools.chain.from_iterable" => {
                return if api.starts_with("itertools.chain") {
                    let item = given.positional.iter().map(|v| self.iterate_value(&v.clone())).collect::<Vec<_>>();
                    let value = self.make_value(AbstractObject::Items { count: None });
                    for item in item {
                        let item = if api.ends_with("from_iterable") { self.iterate_value(&item) } else { item };
                        self.join_cell(value.objects[0], ELEMENTS, item);
                    }
                    value
                } else {
                    given.positional.into_iter().next().unwrap_or_default()
                };
            }
            "collections.defaultdict" | "collections.OrderedDict" | "collections.Counter" | "collections.deque" => {
                return self.make_container(api, &given);
            }
            "copy.deepcopy" => {
                let first = given.positional.into_iter().next().unwrap_or_default();
                // A copy is another module, which is not trained.
                if first.objects.is_empty() {
                    return first;
                }
                return self.make_value(AbstractObject::Made {
                    api: String::new(),
                    by: at,
                    given: FlowValue::default(),
                });
            }
            "functools.partial" => {
                let Some(function) = given.positional.first().cloned() else { return FlowValue::default() };
                self.run_callbacks(&given, at);
                return FlowValue { objects: function.objects, ..all.as_computed() };
            }
            "tqdm.trange" | "tqdm.auto.trange" | "tqdm.notebook.trange" | "tqdm.std.trange" => {
                // Other ranks than 0 show no bar (`disable=`), and count as far.
                let bounds = CallArguments { positional: given.positional, ..CallArguments::default() };
                return self.call_builtin("range", at, bounds);
            }
            "torch.autograd.backward" => {
                return self.call_builtin_method(&all, "backward", at, &CallArguments::default());
            }
            "torch.autograd.grad" => {
                let mut slopes = self.computed_from(&all);
                slopes.set_axis(self.batch_of_function(at, name, &given), at);
                return slopes;
            }
            "torch.save" | "numpy.save" | "time.time" | "torch.manual_seed" => return FlowValue::default(),
            "absl.app.run" | "fire.Fire" => {
                self.run_entry(&given, at);
                return FlowValue::default();
            }
            "torch.nn.utils.parameters_to_vector" => return all.as_computed(),
            _ => {}
        }
        if api.starts_with("torch.nn.init.") {
            let is_fixed = matches!(name, "constant_" | "ones_" | "zeros_" | "eye_" | "dirac_");
            self.record_event(at, EventKind::Change { differs: !is_fixed });
            return FlowValue::default();
        }
        if api.starts_with("torch.nn.utils.clip_grad") {
            return FlowValue::default();
        }
        if is_random(api) {
            self.draws.fill(true);
            let like =
                given.positional.first().filter(|_| name.ends_with("_like")).and_then(|tensor| self.axis_of(tensor));
            let batch = like.unwrap_or_else(|| self.batch_of_made(name, &given));
            return FlowValue { random: true, batch, ..all.as_computed() };
        }
        let lower = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        let is_tensor = api
            .strip_prefix("torch.")
            .is_some_and(|name| name == "Tensor" || name.strip_prefix("cuda.").unwrap_or(name).ends_with("Tensor"));
        let computes = (lower || is_tensor)
            && (api.starts_with("torch.") || api.starts_with("np.") || api.starts_with("math."))
            && !matches!(name, "no_grad" | "enable_grad" | "set_grad_enabled" | "inference_mode")
            && !api.starts_with("torch.hub")
            && !api.starts_with("torch.utils.data");
        self.run_callbacks(&given, at);
        if computes {
            let mut value = self.computed_from(&all);
            value.set_axis(self.batch_of_function(at, name, &given), at);
            let batch = value.batch;
            return if matches!(name, "argmax" | "argmin" | "eq") {
                FlowValue { batch, ..value.without_graph() }
            } else {
                value
            };
        }
        let mut kept = if name == "set_grad_enabled" {
            given.positional.first().cloned().unwrap_or_default()
        } else {
            all.clone()
        };
        // A layer or loss that is made of what a rank's samples say, such as the weights of their classes.
        if api.starts_with("torch.nn.") && all.part.is_some() && self.within.is_none() {
            kept.mixed = kept.mixed.or(Some(at));
        }
        let made = self.make_value(AbstractObject::Made { api: api.to_owned(), by: at, given: kept });
        // What a loader hands out is this rank's where it reads by numbers of this rank.
        let mut part = all.part;
        if api == "torch.utils.data.DataLoader" {
            part = Some(at).filter(|_| all.varies);
            if part.is_none() {
                let length = given.get("batch_size", 1).and_then(|size| size.part);
                self.mark_length(made.objects[0], length);
            }
        }
        FlowValue { objects: made.objects, constant: None, part, ..all }
    }

    /// A dictionary or list of the library's: `defaultdict(list)`, `Counter(labels)`, `deque(maxlen=100)`.
    fn make_container(&mut self, api: &str, given: &CallArguments) -> FlowValue {
        let container = self.make_value(AbstractObject::Items { count: None });
        let object = container.objects[0];
        let is_factory = api == "collections.defaultdict";
        for (i, value) in given.positional.iter().enumerate() {
            if i == 0 && is_factory {
                let makes_list = value.objects.iter().any(|&o| {
                    matches!(&self.objects[o as usize], AbstractObject::Library(origin)
                        if matches!(origin.as_str(), "builtins.list" | "builtins.set" | "builtins.dict"))
                });
                if makes_list {
                    let item = self.make_value(AbstractObject::Items { count: None });
                    self.write_cell(object, ELEMENTS, item);
                }
                continue;
            }
            let length = self.part_of_length(value);
            self.mark_length(object, length);
            self.copy_items(object, value);
            if let Some(part) = self.part_within(value) {
                self.join_cell(object, ELEMENTS, FlowValue { part: Some(part), ..FlowValue::default() });
            }
        }
        container
    }

    /// A library that runs the script's main function.
    fn run_entry(&mut self, given: &CallArguments, at: ExprPlace) {
        let Some(entry) = given.positional.first().cloned() else { return };
        self.call_value(
            &entry,
            at,
            &CallArguments { spread: Some(FlowValue::lost_at(at)), ..CallArguments::default() },
        );
    }

    fn call_engine(&mut self, name: &str, at: ExprPlace, given: &CallArguments) -> FlowValue {
        match name {
            "get_rank" => FlowValue { varies: true, ..FlowValue::default() },
            "get_world_size" => FlowValue { part: Some(at), batch: BatchAxis::Ranks, ..FlowValue::default() },
            "init_process_group" | "destroy_process_group" | "is_initialized" | "is_available" | "HashStore" => {
                FlowValue::default()
            }
            _ => {
                self.record_event(at, EventKind::Collective);
                self.note_meeting();
                let value = given.joined_arguments().as_computed();
                FlowValue { varies: false, part: value.part.filter(|_| !is_reduction(name)), ..value }
            }
        }
    }

    fn call_builtin(&mut self, name: &str, at: ExprPlace, given: CallArguments) -> FlowValue {
        let all = given.joined_arguments();
        let first = given.positional.first().cloned();
        match name {
            "list" | "tuple" | "iter" | "reversed" | "set" | "frozenset" => match first {
                Some(first) if !first.objects.is_empty() => {
                    // A copy: what is added to it later is not in the other.
                    if let Some(items) = self.known_items(&first) {
                        let value = self.make_value(AbstractObject::Items { count: Some(items.len()) });
                        for (i, item) in items.into_iter().enumerate() {
                            self.write_cell(value.objects[0], &i.to_string(), item);
                        }
                        return FlowValue { varies: first.varies, part: first.part, uneven: first.uneven, ..value };
                    }
                    first
                }
                Some(first) if first.varies || !first.passes.is_empty() || first.unknown.is_some() => first,
                Some(first) => {
                    let value = self.make_value(AbstractObject::Items { count: None });
                    let item = self.iterate_value(&first);
                    self.write_cell(value.objects[0], ELEMENTS, item);
                    value
                }
                None => self.make_value(AbstractObject::Items { count: None }),
            },
            "sorted" => first.unwrap_or_default(),
            "next" => first.map(|first| self.iterate_value(&first)).unwrap_or_default(),
            "filter" => given.positional.get(1).cloned().unwrap_or_default(),
            "map" => {
                let items: Vec<FlowValue> = given.positional[1.min(given.positional.len())..]
                    .iter()
                    .map(|v| self.iterate_value(&v.clone()))
                    .collect();
                let item = match first {
                    Some(function) => {
                        self.call_value(&function, at, &CallArguments { positional: items, ..CallArguments::default() })
                    }
                    None => FlowValue::default(),
                };
                let value = self.make_value(AbstractObject::Items { count: None });
                self.write_cell(value.objects[0], ELEMENTS, item);
                FlowValue { varies: all.varies, uneven: all.uneven, ..value }
            }
            "enumerate" => {
                let Some(first) = first else { return FlowValue::default() };
                let known = self.known_items(&first);
                let pairs: Vec<FlowValue> = match known {
                    Some(items) => items,
                    None => vec![self.iterate_value(&first)],
                };
                let exact = self.known_items(&first).is_some();
                self.make_rows(pairs.into_iter().map(|item| vec![FlowValue::default(), item]).collect(), exact, &first)
            }
            "zip" => {
                let known: Option<Vec<Vec<FlowValue>>> =
                    given.positional.iter().map(|v| self.known_items(&v.clone())).collect();
                if given.spread.is_some() || given.positional.is_empty() {
                    let value = self.make_value(AbstractObject::Items { count: None });
                    self.write_cell(value.objects[0], ELEMENTS, all.clone());
                    return FlowValue { varies: all.varies, uneven: all.uneven, unknown: all.unknown, ..value };
                }
                let exact = known.is_some();
                let columns = known
                    .unwrap_or_else(|| given.positional.iter().map(|v| vec![self.iterate_value(&v.clone())]).collect());
                let count = columns.iter().map(Vec::len).min().unwrap_or(0);
                let rows = (0..count).map(|i| columns.iter().map(|c| c[i].clone()).collect()).collect();
                self.make_rows(rows, exact, &all)
            }
            "dict" => {
                let value = self.make_value(AbstractObject::Items { count: None });
                if let Some(first) = first {
                    self.copy_items(value.objects[0], &first);
                }
                for (name, item) in given.keywords {
                    self.write_cell(value.objects[0], &name, item);
                }
                value
            }
            "getattr" => {
                let Some(base) = first else { return FlowValue::default() };
                let name = given.positional.get(1).and_then(FlowValue::as_text);
                let library =
                    base.objects.iter().any(|&o| matches!(self.objects[o as usize], AbstractObject::Library(_)));
                let value = match name {
                    Some(name) => self.attribute_value(at, &base, &name),
                    // One of a library's classes or functions.
                    None if library => self.attribute_value(at, &base, "?"),
                    None => {
                        let mut value = FlowValue::lost_at(at);
                        for object in base.objects {
                            let fields: Vec<FlowValue> = self.fields_of(object).cloned().collect();
                            for field in fields {
                                value.add(&field);
                            }
                        }
                        value
                    }
                };
                match given.positional.get(2) {
                    Some(default) => value.join(default),
                    None => value,
                }
            }
            "setattr" => {
                if let (Some(base), Some(value)) = (first, given.positional.get(2)) {
                    let name = given.positional.get(1).and_then(FlowValue::as_text);
                    self.store_attribute(at, &base, name.as_deref().unwrap_or(ELEMENTS), value);
                }
                FlowValue::default()
            }
            // `type(value)(…)` makes another number of it.
            "type" if first.as_ref().is_some_and(|value| value.objects.is_empty()) => {
                self.make_value(AbstractObject::Library("builtins.float".to_owned()))
            }
            "isinstance" | "hasattr" | "callable" | "issubclass" | "id" | "hash" | "type" | "print" | "open"
            | "input" | "super" | "vars" | "dir" => FlowValue { constant: None, ..FlowValue::default() },
            "len" => first.map_or_else(FlowValue::default, |first| self.length_of(&first, at)),
            "range" => {
                let mut value = all.without_graph();
                value.uneven = all.varies;
                value.batch = Self::range_axis(&given);
                // Numbers that are counted from the rank are this rank's.
                value.part = value.part.or_else(|| Some(at).filter(|_| all.varies && !all.random));
                value
            }
            "float" | "int" | "str" | "bool" | "round" | "abs" | "repr" | "format" => {
                let constant = match (name, &first) {
                    ("bool", Some(v)) => v.known_truth().map(Constant::Bool),
                    ("int" | "str", Some(v)) => v
                        .constant
                        .clone()
                        .filter(|c| matches!((name, c), ("int", Constant::Int(_)) | ("str", Constant::Str(_)))),
                    _ => None,
                };
                let batch = first.as_ref().map_or(BatchAxis::Unknown, |first| first.batch);
                let is_text = matches!(name, "str" | "repr" | "format");
                let part = all.part.or_else(|| self.part_within(&all).filter(|_| is_text));
                // Counts stay whole numbers; means are rounded after they were reduced.
                let is_number = match batch {
                    BatchAxis::Count => true,
                    BatchAxis::Sum => name != "round",
                    BatchAxis::Mean | BatchAxis::Quotient => name == "float",
                    _ => false,
                };
                let has_rows = name == "abs" && batch.with_rows() == BatchAxis::Rows;
                let kept = (is_number && name != "abs" || has_rows || batch == BatchAxis::Total) && !is_text;
                FlowValue {
                    constant,
                    part,
                    batch: if kept { batch } else { BatchAxis::Unknown },
                    ..all.without_graph()
                }
            }
            "max" | "min" | "sum" | "pow" | "divmod" => {
                let mut value = self.computed_from(&all);
                let is_number = |v: &FlowValue| v.batch == BatchAxis::Count || v.constant.is_some();
                if given.positional.len() > 1
                    && matches!(name, "max" | "min")
                    && value.part.is_some()
                    && given.positional.iter().all(is_number)
                {
                    value.batch = BatchAxis::Count;
                }
                for object in all.objects.clone() {
                    if matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                        let item = self.iterate_value(&FlowValue { objects: vec![object], ..FlowValue::default() });
                        value.add(&item);
                    }
                }
                if name == "sum" {
                    value.set_axis((self.batch_of_sum(&given, &all), None), at);
                }
                value
            }
            "any" | "all" => self.computed_from(&all).without_graph(),
            _ => {
                self.run_callbacks(&given, at);
                self.computed_from(&all)
            }
        }
    }

    /// `sum(losses)`: so many numbers as all ranks have, or the numbers of a rank's samples.
    fn batch_of_sum(&self, given: &CallArguments, all: &FlowValue) -> BatchAxis {
        let Some(summed) = given.positional.first() else { return BatchAxis::Unknown };
        match self.axis_of(summed) {
            Some(BatchAxis::Column | BatchAxis::Mask) => BatchAxis::Sum,
            Some(axis @ (BatchAxis::Mean | BatchAxis::Sum | BatchAxis::Quotient | BatchAxis::Weights))
                if self.part_of_length(all).is_none() || !self.is_container(summed) =>
            {
                axis
            }
            _ => BatchAxis::Unknown,
        }
    }

    pub(super) fn make_rows(&mut self, rows: Vec<Vec<FlowValue>>, exact: bool, from: &FlowValue) -> FlowValue {
        let value = self.make_value(AbstractObject::Items { count: exact.then_some(rows.len()) });
        let length = self.part_of_length(from);
        self.mark_count(value.objects[0], length);
        for (i, row) in rows.into_iter().enumerate() {
            let pair = self.make_value(AbstractObject::Items { count: Some(row.len()) });
            let varies = row.iter().any(|v| v.varies);
            for (k, item) in row.into_iter().enumerate() {
                self.write_cell(pair.objects[0], &k.to_string(), item);
            }
            let name = if exact { i.to_string() } else { ELEMENTS.to_owned() };
            self.join_cell(value.objects[0], &name, FlowValue { varies, ..pair });
        }
        FlowValue { varies: from.varies, uneven: from.uneven, random: from.random, ..value }
    }
}

fn is_reduction(name: &str) -> bool {
    name.starts_with("all_reduce") || name.starts_with("all_gather")
}

pub(super) fn is_random(api: &str) -> bool {
    if let Some(name) = api.strip_prefix("tf.") {
        return name.starts_with("random.") && !name.ends_with("set_seed")
            || name.starts_with("random_")
            || name == "truncated_normal";
    }
    if let Some(name) = api.strip_prefix("torch.") {
        return matches!(
            name,
            "rand"
                | "randn"
                | "randint"
                | "rand_like"
                | "randn_like"
                | "normal"
                | "bernoulli"
                | "randperm"
                | "multinomial"
        );
    }
    (api.starts_with("random.") || api.starts_with("np.random.")) && !api.ends_with("seed")
}
