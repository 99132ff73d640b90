//! TensorFlow, Keras and Horovod: gradients, updates and broadcasts, and what divides a data set.
//!
//! ```python
//! tape = hvd.DistributedGradientTape(tape)
//! gradients = tape.gradient(loss, model.trainable_variables)      # an object: reduced, of a loss that differs between ranks
//! optimizer.apply_gradients(zip(gradients, model.variables))      # an update of the model by that object
//! hvd.broadcast_variables(model.variables, root_rank=0)           # a broadcast of the model
//! ```
//!
//! Variables of a model, a layer or an optimizer are [`AbstractObject::Parameters`] of it. A graph's train operation is an object
//! that a session runs. Invariant: an update records the gradients that it applies, or the place where they were lost.

use super::calls::CallArguments;
use super::{AbstractObject, Constant, ELEMENTS, EventKind, FlowRun, FlowValue, ObjectId, ParameterUpdate};
use crate::trace::ExprPlace;

/// What a graph's optimizer gives to a session.
const TRAIN_OPERATION: &str = "<train operation>";
/// A data set of tf.data.
const DATASET: &str = "<data set>";
/// The cell of a data set whose elements come in an order that ranks do not share.
const SHUFFLED: &str = "<shuffled>";
/// The cell of a data set whose number of elements the number of ranks divides.
const DIVISIBLE: &str = "<divisible>";
/// The cell of a model that holds what `compile` was given.
const COMPILED: &str = "<optimizer>";
/// The cell of an object that is made inside the scope of a strategy.
const IN_SCOPE: &str = "<scope>";

fn flag_value(set: bool) -> FlowValue {
    FlowValue { uneven: set, ..FlowValue::default() }
}

/// The name that Horovod gives a function under any of its three packages.
pub(super) fn horovod_name(api: &str) -> Option<&str> {
    ["horovod.tensorflow.keras.", "horovod.tensorflow.", "horovod.keras."]
        .iter()
        .find_map(|package| api.strip_prefix(package))
}

impl FlowRun<'_> {
    /// Calls of TensorFlow, Keras and Horovod; `None` for those that only compute.
    pub(super) fn call_tensorflow(&mut self, api: &str, at: ExprPlace, given: &CallArguments) -> Option<FlowValue> {
        if !self.tensorflow {
            return None;
        }
        if let Some(name) = horovod_name(api) {
            return Some(self.call_horovod(name, api, at, given));
        }
        let all = given.joined_arguments();
        if let Some(name) = api.strip_prefix("tf.") {
            match name {
                "function" | "autograph.experimental.do_not_convert" => {
                    let first = given.positional.first().cloned();
                    return Some(first.unwrap_or_else(|| self.make_library("<decorator>", at, FlowValue::default())));
                }
                "app.run" => {
                    self.run_main(at, given);
                    return Some(FlowValue::default());
                }
                "keras.utils.set_random_seed" => self.seeded = true,
                "Variable" | "get_variable" => return Some(self.make_library("tf.Variable", at, all)),
                "estimator.train_and_evaluate" => {
                    self.train_and_evaluate(at, given);
                    return Some(FlowValue::default());
                }
                "train.MonitoredTrainingSession" | "train.MonitoredSession" => {
                    if self.holds_broadcast(&all) {
                        self.record_broadcast(at, &FlowValue::default(), true);
                    }
                    return Some(self.make_library(api, at, all));
                }
                "distribute.MultiWorkerMirroredStrategy" => {
                    return Some(self.make_library(api, at, FlowValue::default()));
                }
                _ => {}
            }
            if crate::data::is_dataset_source(api) {
                return Some(self.make_dataset(at, &all));
            }
            if super::library::is_random(api) {
                self.draws.fill(true);
                return Some(FlowValue { random: true, ..all.as_computed() });
            }
        } else if crate::data::is_dataset_source(api) {
            return Some(self.make_dataset(at, &all));
        } else if api.ends_with("train_test_split") {
            let parts = self.make_value(AbstractObject::Items { count: None });
            self.write_cell(parts.objects[0], ELEMENTS, all.as_computed());
            return Some(parts);
        } else {
            return None;
        }
        if crate::identify::is_optimizer(api) {
            return None;
        }
        let name = api.rsplit('.').next().unwrap_or(api);
        let computes = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
            && !api.starts_with("tf.keras.")
            && !api.starts_with("tf.data.")
            && !api.starts_with("tf.estimator.");
        if computes {
            self.run_callbacks(given, at);
            return Some(self.keep_gradients(&all));
        }
        let made = self.make_library(api, at, all.clone());
        if self.scopes > 0 {
            self.write_cell(made.objects[0], IN_SCOPE, flag_value(true));
        }
        Some(FlowValue { varies: all.varies, uneven: all.uneven, random: all.random, passes: all.passes, ..made })
    }

    fn make_library(&mut self, api: &str, at: ExprPlace, given: FlowValue) -> FlowValue {
        self.make_value(AbstractObject::Made { api: api.to_owned(), by: at, given })
    }

    /// What is computed from gradients is gradients, and what is made from train operations is run with them.
    fn keep_gradients(&self, value: &FlowValue) -> FlowValue {
        let mut objects: Vec<ObjectId> = Vec::new();
        for object in self.flat_items(value) {
            let kept = match &self.objects[object as usize] {
                AbstractObject::Gradients { .. } => true,
                AbstractObject::Made { api, .. } => api == TRAIN_OPERATION,
                _ => false,
            };
            if kept {
                objects.push(object);
            }
        }
        let (varies, random) = self.deep_differences(value);
        FlowValue { objects, varies, random, ..value.as_computed() }
    }

    /// Whether anything inside a value differs between ranks, or is drawn.
    fn deep_differences(&self, value: &FlowValue) -> (bool, bool) {
        let (mut varies, mut random) = (value.varies, value.random);
        let mut todo: Vec<(ObjectId, u32)> = value.objects.iter().map(|&object| (object, 4)).collect();
        while let Some((object, depth)) = todo.pop() {
            if depth == 0 || !matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                continue;
            }
            for field in self.fields_of(object) {
                varies |= field.varies;
                random |= field.random;
                todo.extend(field.objects.iter().map(|&object| (object, depth - 1)));
            }
        }
        (varies, random)
    }

    /// The objects inside lists, tuples and dictionaries.
    fn flat_items(&self, value: &FlowValue) -> Vec<ObjectId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut todo = value.objects.clone();
        while let Some(object) = todo.pop() {
            if !seen.insert(object) {
                continue;
            }
            if matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                todo.extend(self.fields_of(object).flat_map(|field| field.objects.iter().copied()));
            } else {
                found.push(object);
            }
        }
        found.sort_unstable();
        found
    }

    fn lost_inside(&self, value: &FlowValue) -> Option<ExprPlace> {
        let inside = value.objects.iter().flat_map(|&object| {
            let items = matches!(self.objects[object as usize], AbstractObject::Items { .. });
            self.fields_of(object).filter(move |_| items).filter_map(|field| field.unknown)
        });
        value.unknown.or_else(|| inside.into_iter().next())
    }

    fn call_horovod(&mut self, name: &str, api: &str, at: ExprPlace, given: &CallArguments) -> FlowValue {
        match name {
            "rank" | "local_rank" => FlowValue { varies: true, ..FlowValue::default() },
            "size" | "local_size" | "init" | "shutdown" => FlowValue::default(),
            "DistributedOptimizer" | "DistributedGradientTape" => {
                self.make_library(&format!("hvd.{name}"), at, given.joined_arguments())
            }
            "broadcast_variables" => {
                let variables = given.positional.first().cloned().unwrap_or_default();
                self.record_broadcast(at, &variables, false);
                FlowValue::default()
            }
            // An operation of a graph, which a session runs.
            "broadcast_global_variables" => {
                self.make_library("hvd.broadcast_global_variables", at, FlowValue::default())
            }
            _ if name.ends_with("Callback") || name.ends_with("Hook") => {
                // One that only some ranks are given would wait for the others for ever.
                let name = if self.divergent.is_empty() { name } else { "?" };
                self.make_library(&format!("hvd.{name}"), at, FlowValue::default())
            }
            "allreduce" | "allgather" | "broadcast" | "broadcast_object" | "allgather_object" | "join" => {
                self.record_event(at, EventKind::Collective);
                FlowValue { varies: false, random: false, uneven: false, ..given.joined_arguments().as_computed() }
            }
            _ => self.make_library(api, at, given.joined_arguments()),
        }
    }

    fn holds_broadcast(&self, value: &FlowValue) -> bool {
        self.reachable_objects(value).iter().any(|&object| {
            matches!(&self.objects[object as usize], AbstractObject::Made { api, .. }
                if api.starts_with("hvd.") && api.contains("BroadcastGlobalVariables"))
        })
    }

    fn record_broadcast(&mut self, at: ExprPlace, variables: &FlowValue, everything: bool) {
        let objects = self.flat_items(variables);
        self.record_event(at, EventKind::Broadcast { variables: objects, everything });
    }

    /// `tf.app.run()` calls `main` of the script that is started.
    fn run_main(&mut self, at: ExprPlace, given: &CallArguments) {
        let main = given.get("main", 0).cloned().or_else(|| {
            let owner = self.frames[self.module_frames[0]?].owner;
            self.read_cell(owner, "main")
        });
        if let Some(main) = main {
            self.call_value(
                &main,
                at,
                &CallArguments { spread: Some(FlowValue::default()), ..CallArguments::default() },
            );
        }
    }

    /// Variables of a model, a layer, or an optimizer.
    pub(super) fn variables_of(&mut self, object: ObjectId, name: &str) -> Option<FlowValue> {
        let named = matches!(name, "trainable_variables" | "trainable_weights" | "variables" | "weights");
        if !self.tensorflow {
            return None;
        }
        // The number of a worker of tf.distribute.
        if name == "task_id" {
            return Some(FlowValue { varies: true, ..FlowValue::default() });
        }
        let holds = match &self.objects[object as usize] {
            AbstractObject::Made { .. } | AbstractObject::Optimizer { .. } => true,
            AbstractObject::Instance { .. } => self.is_module(object),
            _ => false,
        };
        if named && holds {
            return Some(self.make_value(AbstractObject::Parameters { module: object }));
        }
        if name == "optimizer" && holds {
            return self.read_cell(object, COMPILED);
        }
        None
    }

    /// Methods of TensorFlow's objects; `None` for those that are like any library's.
    pub(super) fn tensorflow_method(
        &mut self,
        object: ObjectId,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> Option<FlowValue> {
        if !self.tensorflow {
            return None;
        }
        match self.objects[object as usize].clone() {
            AbstractObject::Optimizer { .. } => self.update_method(object, false, name, at, given),
            AbstractObject::Made { api, given: kept, .. } => match api.as_str() {
                "hvd.DistributedOptimizer" => self.update_method(object, true, name, at, given),
                "tf.GradientTape" if name == "gradient" => Some(self.take_gradients(false, at, given)),
                "hvd.DistributedGradientTape" if name == "gradient" => Some(self.take_gradients(true, at, given)),
                "tf.Variable" if name.starts_with("assign") => {
                    self.assign_variable(object, at, given);
                    Some(FlowValue::default())
                }
                TRAIN_OPERATION if name == "run" => {
                    self.run_operations(&super::eval::single_object(object, &FlowValue::default()), at, given);
                    Some(FlowValue::default())
                }
                "hvd.broadcast_global_variables" if name == "run" => {
                    self.record_broadcast(at, &FlowValue::default(), true);
                    Some(FlowValue::default())
                }
                _ if api.contains("Session") && name == "run" => {
                    let fetches = given.get("fetches", 0).cloned().unwrap_or_default();
                    self.run_operations(&fetches, at, given);
                    let (varies, random) = self.deep_differences(&given.joined_arguments());
                    Some(FlowValue { varies, random, ..FlowValue::default() })
                }
                DATASET => self.dataset_method(object, name, at, given),
                _ if api.starts_with("tf.estimator.") && name == "train" => {
                    self.train_estimator(&kept, at, given);
                    Some(FlowValue::default())
                }
                _ if name == "scope" && api.starts_with("tf.distribute.") => {
                    Some(self.make_library("<scope>", at, FlowValue::default()))
                }
                _ if name.starts_with("flow_from_") => {
                    Some(FlowValue { varies: true, ..self.make_library(DATASET, at, FlowValue::default()) })
                }
                _ => self.model_method(object, name, at, given),
            },
            AbstractObject::Instance { .. } if self.is_module(object) => self.model_method(object, name, at, given),
            _ => None,
        }
    }

    fn take_gradients(&mut self, reduced: bool, at: ExprPlace, given: &CallArguments) -> FlowValue {
        let loss = given.get("target", 0).cloned().unwrap_or_default();
        let sources = given.get("sources", 1).cloned().unwrap_or_default();
        let (varies, random) = self.deep_differences(&loss);
        let varies = varies || random && self.draws_in_step();
        if let Some(items) = self.known_items(&sources) {
            let list = self.make_value(AbstractObject::Items { count: Some(items.len()) });
            for i in 0..items.len() {
                let part = self.make_value(AbstractObject::Gradients { reduced, varies, by: at });
                self.write_cell(list.objects[0], &i.to_string(), FlowValue { varies, ..part });
            }
            return list;
        }
        let gradients = self.make_value(AbstractObject::Gradients { reduced, varies, by: at });
        FlowValue { varies, ..gradients }
    }

    /// `variable.assign_sub(rate * gradient)`.
    fn assign_variable(&mut self, variable: ObjectId, at: ExprPlace, given: &CallArguments) {
        let all = given.joined_arguments();
        let gradients = self.flat_items(&all).into_iter().filter(|&o| self.is_gradients(o)).collect::<Vec<_>>();
        if gradients.is_empty() {
            return;
        }
        let update = ParameterUpdate { variables: vec![variable], ..self.update_by(&gradients, false) };
        self.record_event(at, EventKind::Update(update));
    }

    fn is_gradients(&self, object: ObjectId) -> bool {
        matches!(self.objects[object as usize], AbstractObject::Gradients { .. })
    }

    /// What is known of an update by the gradients that it applies.
    fn update_by(&self, gradients: &[ObjectId], by_optimizer: bool) -> ParameterUpdate {
        let mut update = ParameterUpdate {
            varies: !gradients.is_empty(),
            reduced: !gradients.is_empty() || by_optimizer,
            ..ParameterUpdate::default()
        };
        for &object in gradients {
            if let AbstractObject::Gradients { reduced, varies, .. } = self.objects[object as usize] {
                update.reduced &= reduced || by_optimizer;
                update.twice |= reduced && by_optimizer;
                update.varies &= varies;
            }
        }
        update
    }

    fn update_method(
        &mut self,
        object: ObjectId,
        distributed: bool,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> Option<FlowValue> {
        match name {
            "apply_gradients" => {
                let pairs = given.get("grads_and_vars", 0).cloned().unwrap_or_default();
                let inside = self.flat_items(&pairs);
                let gradients: Vec<ObjectId> = inside.iter().copied().filter(|&o| self.is_gradients(o)).collect();
                let graph = gradients.iter().any(
                    |&o| matches!(self.objects[o as usize], AbstractObject::Gradients { by, .. } if self.of_graph(by)),
                );
                let variables: Vec<ObjectId> = inside.into_iter().filter(|&o| !self.is_gradients(o)).collect();
                let lost = if gradients.is_empty() { Some(self.lost_inside(&pairs).unwrap_or(at)) } else { None };
                let update = ParameterUpdate {
                    variables,
                    optimizer: Some(object),
                    lost,
                    ..self.update_by(&gradients, distributed && !graph)
                };
                if graph {
                    return Some(self.train_operation(at, update));
                }
                self.record_event(at, EventKind::Update(update));
                Some(FlowValue::default())
            }
            "compute_gradients" | "get_gradients" => {
                let (varies, random) = self.deep_differences(&given.joined_arguments());
                // The optimizer that computes them has reduced them; it does not so again when it applies them.
                let pair = self.make_value(AbstractObject::Items { count: Some(2) });
                let gradients = self.make_value(AbstractObject::Gradients {
                    reduced: distributed,
                    varies: varies || random && self.draws_in_step(),
                    by: at,
                });
                self.write_cell(pair.objects[0], "0", gradients);
                let variables = self.make_value(AbstractObject::Parameters { module: object });
                self.write_cell(pair.objects[0], "1", variables);
                let list = self.make_value(AbstractObject::Items { count: None });
                self.write_cell(list.objects[0], ELEMENTS, pair);
                Some(list)
            }
            "minimize" => {
                let loss = given.get("loss", 0).cloned().unwrap_or_default();
                let tape = given.get("tape", usize::MAX).map(|tape| tape.objects.clone()).unwrap_or_default();
                let by_tape = tape.iter().any(|&o| {
                    matches!(&self.objects[o as usize], AbstractObject::Made { api, .. } if api == "hvd.DistributedGradientTape")
                });
                let is_callable = loss.objects.iter().any(|&o| {
                    matches!(self.objects[o as usize], AbstractObject::Lambda { .. } | AbstractObject::Function { .. })
                });
                let value = if is_callable { self.call_value(&loss, at, &CallArguments::default()) } else { loss };
                let (varies, random) = self.deep_differences(&value);
                let variables = given.get("var_list", 1).map(|list| self.flat_items(list)).unwrap_or_default();
                let update = ParameterUpdate {
                    varies: varies || random && self.draws_in_step(),
                    reduced: distributed || by_tape,
                    twice: distributed && by_tape,
                    variables,
                    optimizer: Some(object),
                    ..ParameterUpdate::default()
                };
                if is_callable || !tape.is_empty() {
                    self.record_event(at, EventKind::Update(update));
                    return Some(FlowValue::default());
                }
                Some(self.train_operation(at, update))
            }
            _ => None,
        }
    }

    /// Whether gradients were computed by an optimizer of a graph: `compute_gradients` gives pairs, a tape gives gradients.
    fn of_graph(&self, (module, call): ExprPlace) -> bool {
        self.trace.called_method((module, call)).is_some_and(|(_, method)| method == "compute_gradients")
            || self.trace.called_api((module, call)).as_deref() == Some("tf.gradients")
    }

    fn train_operation(&mut self, at: ExprPlace, update: ParameterUpdate) -> FlowValue {
        let varies = update.varies;
        let operation = self.make_library(TRAIN_OPERATION, at, FlowValue::default());
        self.operations.insert(operation.objects[0], update);
        FlowValue { varies, ..operation }
    }

    /// A session runs train operations and broadcasts.
    fn run_operations(&mut self, fetches: &FlowValue, at: ExprPlace, given: &CallArguments) {
        let (fed, drawn) = self.deep_differences(&given.joined_arguments());
        for object in self.flat_items(fetches) {
            let AbstractObject::Made { api, .. } = &self.objects[object as usize] else { continue };
            if api == "hvd.broadcast_global_variables" {
                self.record_broadcast(at, &FlowValue::default(), true);
            } else if let Some(mut update) = self.operations.get(&object).cloned() {
                update.varies |= fed || drawn && self.draws_in_step();
                update.everything = true;
                self.record_event(at, EventKind::Update(update));
            }
        }
    }

    fn make_dataset(&mut self, at: ExprPlace, all: &FlowValue) -> FlowValue {
        let (varies, random) = self.deep_differences(all);
        let made = self.make_library(DATASET, at, all.clone());
        FlowValue { varies, random, unknown: all.unknown, ..made }
    }

    /// What a method of a data set changes of what is known of its elements.
    fn dataset_method(
        &mut self,
        object: ObjectId,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> Option<FlowValue> {
        let AbstractObject::Made { given: kept, .. } = self.objects[object as usize].clone() else { return None };
        let is = |run: &mut Self, cell: &str| run.read_cell(object, cell).is_some_and(|value| value.uneven);
        let (mut divided, mut uneven) = (is(self, "<divided>"), is(self, "<uneven>"));
        let (mut shuffled, mut divisible) = (is(self, SHUFFLED), is(self, DIVISIBLE));
        self.run_callbacks(given, at);
        match name {
            "shard" => {
                if divided || kept.varies {
                    self.record_event(at, EventKind::DividedTwice);
                }
                if shuffled {
                    self.record_event(at, EventKind::DividedShuffled);
                }
                uneven |= !divisible;
                divided = true;
            }
            "shuffle" => {
                shuffled |=
                    given.get("seed", 1).is_none_or(|seed| seed.constant == Some(Constant::None)) && !self.seeded;
            }
            // `take(n // size * size)` and `batch(size, drop_remainder=True)` leave a number that the ranks divide.
            "take" | "batch" => divisible = divisible || self.names_size(at),
            "filter" | "flat_map" | "interleave" => divisible = false,
            _ => {}
        }
        let mut value = self.make_library(DATASET, at, kept.clone());
        for (cell, set) in [("<divided>", divided), ("<uneven>", uneven), (SHUFFLED, shuffled), (DIVISIBLE, divisible)]
        {
            self.write_cell(value.objects[0], cell, flag_value(set));
        }
        let (varies, random) = self.deep_differences(&given.joined_arguments());
        let name_divides = name == "shard";
        value.varies = divided || kept.varies || (varies && !name_divides);
        value.random = kept.random || random;
        value.uneven = uneven;
        value.unknown = kept.unknown;
        Some(value)
    }

    /// Whether a call names the number of ranks.
    fn names_size(&self, (module, call): ExprPlace) -> bool {
        let tree = self.trace.tree(module);
        tree.descendants(pytrope_source::Node::Expr(call)).any(|node| {
            matches!(node, pytrope_source::Node::Expr(e)
                if self.trace.called_api((module, e)).is_some_and(|api| horovod_name(&api) == Some("size")))
        })
    }

    /// `compile`, `fit`, `evaluate` of Keras models.
    fn model_method(
        &mut self,
        object: ObjectId,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> Option<FlowValue> {
        match name {
            "compile" => {
                let optimizer = given.get("optimizer", 0).cloned().unwrap_or_default();
                let inside = self.scopes > 0;
                self.write_cell(object, COMPILED, FlowValue { uneven: inside, ..optimizer });
                Some(FlowValue::default())
            }
            // An `ImageDataGenerator` or a scaler learns statistics, no variables of a model.
            "fit" if self.is_preprocessor(object) => Some(FlowValue::default()),
            "fit" | "fit_generator" => {
                self.fit_model(object, at, given);
                Some(self.make_library("<history>", at, FlowValue::default()))
            }
            "train_on_batch" => {
                let update = ParameterUpdate { lost: Some(at), ..ParameterUpdate::default() };
                self.record_event(at, EventKind::Update(update));
                Some(FlowValue::default())
            }
            "evaluate" | "evaluate_generator" => {
                let data = given.get("x", 0).cloned().unwrap_or_default();
                if self.deep_differences(&data).0 || self.strategy {
                    self.record_event(at, EventKind::Evaluate { part: self.deep_differences(&data).0 });
                }
                Some(FlowValue::default())
            }
            _ => None,
        }
    }

    fn is_preprocessor(&self, object: ObjectId) -> bool {
        matches!(&self.objects[object as usize], AbstractObject::Made { api, .. }
            if api.contains("preprocessing.") || api.starts_with("sklearn."))
    }

    fn fit_model(&mut self, model: ObjectId, at: ExprPlace, given: &CallArguments) {
        let data = given.get("x", 0).or_else(|| given.get("generator", 0)).cloned().unwrap_or_default();
        let (varies, random) = self.deep_differences(&data);
        let everything = given.joined_arguments();
        let compiled = self.read_cell(model, COMPILED);
        let optimizers = compiled.as_ref().map(|value| value.objects.clone()).unwrap_or_default();
        if self.holds_broadcast(&everything) {
            let mut variables = vec![model];
            variables.extend(&optimizers);
            variables.extend(self.reachable_objects(&FlowValue { objects: variables.clone(), ..FlowValue::default() }));
            self.record_event(at, EventKind::Broadcast { variables, everything: false });
        }
        if data.uneven {
            self.record_event(at, EventKind::UnevenFit);
        }
        let own_step = match self.objects[model as usize] {
            AbstractObject::Instance { class } => self.trace.method_of(class, "train_step", 8),
            _ => None,
        };
        if let Some(step) = own_step {
            let item = FlowValue { varies, ..FlowValue::default() };
            self.enter_function(
                step,
                Some(model),
                at,
                CallArguments { positional: vec![item], ..CallArguments::default() },
            );
            return;
        }
        let distributed = |run: &Self, object: ObjectId| matches!(&run.objects[object as usize], AbstractObject::Made { api, .. } if api == "hvd.DistributedOptimizer");
        let mut update = ParameterUpdate {
            varies,
            reduced: !optimizers.is_empty() && optimizers.iter().all(|&o| distributed(self, o)),
            variables: vec![model],
            lost: compiled.is_none().then_some(at),
            ..ParameterUpdate::default()
        };
        if self.strategy {
            // The strategy divides each batch: all workers must read the same, and hold mirrored variables.
            let parts = self.reachable_objects(&FlowValue { objects: vec![model], ..FlowValue::default() });
            let is_layer = |run: &Self, object: ObjectId| matches!(&run.objects[object as usize], AbstractObject::Made { api, .. } if api.starts_with("tf.keras.layers."));
            let model_inside = self.is_mirrored(model)
                && self.layer_outside.is_none()
                && parts.into_iter().all(|part| !is_layer(self, part) || self.is_mirrored(part));
            update.mirrored = model_inside && compiled.is_some_and(|value| value.uneven);
            update.varies = varies || (random && !self.seeded);
        }
        self.record_event(at, EventKind::Update(update));
    }

    fn is_mirrored(&self, object: ObjectId) -> bool {
        self.field_value(object, IN_SCOPE).is_some_and(|cell| cell.uneven)
    }

    /// A layer makes its variables when it is first called; outside the scope of a strategy they are not mirrored.
    pub(super) fn note_layer_call(&mut self, object: ObjectId, at: ExprPlace) {
        let is_layer = matches!(&self.objects[object as usize], AbstractObject::Made { api, .. } if api.starts_with("tf.keras.layers."));
        if self.strategy && is_layer && self.scopes == 0 && !self.is_mirrored(object) {
            self.layer_outside.get_or_insert(at);
        }
    }

    /// An instance that is made inside the scope of a strategy has mirrored variables.
    pub(super) fn mark_scope(&mut self, object: ObjectId) {
        if self.tensorflow && self.scopes > 0 {
            self.write_cell(object, IN_SCOPE, flag_value(true));
        }
    }

    pub(super) fn is_scope(&self, context: &FlowValue) -> bool {
        context
            .objects
            .iter()
            .any(|&o| matches!(&self.objects[o as usize], AbstractObject::Made { api, .. } if api == "<scope>"))
    }

    fn train_and_evaluate(&mut self, at: ExprPlace, given: &CallArguments) {
        let estimator = given.get("estimator", 0).cloned().unwrap_or_default();
        let specification = given.get("train_spec", 1).cloned().unwrap_or_default();
        for object in estimator.objects {
            let AbstractObject::Made { given: kept, .. } = self.objects[object as usize].clone() else { continue };
            for &spec in &specification.objects {
                let AbstractObject::Made { given: parts, .. } = self.objects[spec as usize].clone() else { continue };
                self.train_estimator(&kept, at, &CallArguments { positional: vec![parts], ..CallArguments::default() });
            }
        }
    }

    /// `estimator.train(input_fn, hooks=…)`: the model's function is run on what the input function gives.
    fn train_estimator(&mut self, model: &FlowValue, at: ExprPlace, given: &CallArguments) {
        let all = given.joined_arguments();
        if self.holds_broadcast(&all) {
            self.record_broadcast(at, &FlowValue::default(), true);
        }
        let functions = |run: &Self, value: &FlowValue| -> Vec<ObjectId> {
            let inside = run.flat_items(value);
            inside
                .into_iter()
                .filter(|&o| {
                    matches!(run.objects[o as usize], AbstractObject::Function { .. } | AbstractObject::Lambda { .. })
                })
                .collect()
        };
        let mut features = all.clone();
        for function in functions(self, &all) {
            let callee = FlowValue { objects: vec![function], ..FlowValue::default() };
            let data = self.call_value(&callee, at, &CallArguments::default());
            if data.uneven {
                self.record_event(at, EventKind::UnevenFit);
            }
            features.add(&data);
        }
        let (varies, _) = self.deep_differences(&features);
        let item = FlowValue { varies, ..FlowValue::default() };
        for function in functions(self, model) {
            let callee = FlowValue { objects: vec![function], ..FlowValue::default() };
            let spread = Some(item.clone());
            let given =
                CallArguments { positional: vec![item.clone(), item.clone()], spread, ..CallArguments::default() };
            let specification = self.call_value(&callee, at, &given);
            for object in self.reachable_objects(&specification) {
                if let Some(mut update) = self.operations.get(&object).cloned() {
                    update.everything = true;
                    self.record_event(at, EventKind::Update(update));
                }
            }
        }
    }
}
