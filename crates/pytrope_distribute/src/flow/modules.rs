//! Modules, wrappers, optimizers and losses: what their methods do.

use super::calls::CallArguments;
use super::eval::single_object;
use super::{AbstractObject, Constant, ELEMENTS, EventKind, FlowRun, FlowValue, ForwardPass, ObjectId, PassId};
use crate::trace::ExprPlace;

/// How many containers inside each other are looked into.
const NESTED: u32 = 3;

impl FlowRun<'_> {
    /// Whether an instance of a project's class is an `nn.Module`.
    pub fn is_module(&self, object: ObjectId) -> bool {
        let AbstractObject::Instance { class } = self.objects[object as usize] else { return false };
        *self.module_classes.borrow_mut().entry(class).or_insert_with(|| {
            self.trace.descends_from(class, &|api| {
                api.ends_with("nn.Module")
                    || api.starts_with("torch.nn.")
                    || api.starts_with("torchvision.models.")
                    || api.ends_with("PreTrainedModel")
                    || api == "tf.Module"
                    || api.starts_with("tf.keras.layers.")
                    || crate::identify::is_keras_model_class(api)
                    || api.starts_with("tf.keras.applications.")
            })
        })
    }

    /// Whether an object is a library's, and may be a module.
    pub(super) fn is_plain_module(&self, object: ObjectId) -> bool {
        matches!(&self.objects[object as usize], AbstractObject::Made { api, .. }
            if (api.starts_with("torch.nn.") && !api.ends_with("Parameter")) || api.contains("models.") || api.is_empty())
    }

    /// A part of a library's module: always the same object for the same name.
    pub(super) fn part_of(&mut self, object: ObjectId, name: &str, at: ExprPlace) -> FlowValue {
        if let Some(part) = self.read_cell(object, name) {
            return part;
        }
        // One item of a list of modules may be any of them.
        let given = if name.starts_with('[') {
            FlowValue { objects: vec![object], ..FlowValue::default() }
        } else {
            FlowValue::default()
        };
        let part = self.make_value(AbstractObject::Made { api: String::new(), by: at, given });
        self.write_cell(object, name, part.clone());
        part
    }

    /// `model.fc` of a library's module, where more than a call is made of it.
    pub(super) fn settle_parts(&mut self, value: &FlowValue, at: ExprPlace) -> FlowValue {
        let mut settled = FlowValue { objects: Vec::new(), ..value.clone() };
        for &object in &value.objects {
            let AbstractObject::Method { receiver, name } = self.objects[object as usize].clone() else {
                settled.objects.push(object);
                continue;
            };
            let receiver = self.settle_parts(&receiver, at);
            let holders: Vec<ObjectId> =
                receiver.objects.iter().copied().filter(|&o| self.is_plain_module(o) || self.is_module(o)).collect();
            if holders.is_empty() {
                settled.objects.push(object);
            }
            for holder in holders {
                let part = self.part_of(holder, &name, at);
                settled.objects.extend(part.objects);
            }
        }
        settled.objects.sort_unstable();
        settled.objects.dedup();
        settled
    }

    /// A call of a module.
    pub(super) fn run_forward(&mut self, object: ObjectId, at: ExprPlace, given: CallArguments) -> FlowValue {
        let all = given.joined_arguments();
        let pass = self.passes.len() as PassId;
        self.passes.push(ForwardPass {
            module: object,
            at,
            varies: all.varies || all.random && self.draws_in_step(),
            conditional: self.conditional > 0 && self.within.is_some(),
            within: self.within,
        });
        let mut result = self.computed_from(&all);
        let mut rows = self.rows_of_module(&given);
        let hooked = self.hooked.contains(&object);
        match self.objects[object as usize].clone() {
            AbstractObject::Wrapped { inner, .. } => {
                self.record_event(at, EventKind::Forward);
                if self.grad {
                    self.set_stale(object, false);
                }
                let (within, conditional) = (self.within.replace(pass), std::mem::take(&mut self.conditional));
                result = self.call_value(&inner, at, &given);
                (self.within, self.conditional) = (within, conditional);
            }
            AbstractObject::Instance { class } => {
                // Without the class's own forward pass, its base class is called with all its parts.
                let forward = if self.tensorflow { ["call", "__call__"] } else { ["forward", "forward"] };
                let own = forward.iter().find_map(|name| self.trace.method_of(class, name, 8));
                if let Some(def) = own {
                    let outer = (self.within, self.conditional);
                    if hooked && self.within.is_none() {
                        (self.within, self.conditional) = (Some(pass), 0);
                    }
                    result = self.enter_function(def, Some(object), at, given);
                    (self.within, self.conditional) = outer;
                }
            }
            AbstractObject::Made { given: kept, api, by } => {
                self.run_callbacks(&given, at);
                self.note_layer_call(object, at);
                // What a library's object was given takes part in what it computes.
                result.varies |= kept.varies;
                result.part = result.part.or(kept.part);
                result.mixed = result.mixed.or(kept.mixed);
                let name = api.rsplit('.').next().unwrap_or(&api);
                let loss = if api.starts_with("torch.") { self.batch_of_loss(name, by, &given) } else { None };
                if loss.is_some() || name.ends_with("Loss") {
                    rows = super::batches::BatchAxis::Unknown;
                }
                let labelled = super::reductions::batch_of_model_loss(&api)
                    .filter(|_| given.keywords.iter().any(|(name, _)| name.ends_with("labels")));
                if let Some(batch) = labelled {
                    result = self.labelled_output(&result, batch);
                }
                let (batch, mixed) = loss.unwrap_or_else(|| {
                    let axis = given.positional.first().and_then(|first| self.axis_of(first));
                    (super::reductions::batch_of_layer(&api, axis), None)
                });
                if super::reductions::gives_pair(&api) {
                    // The axes of the state are in another order, and those of the output may be.
                    let pair = self.make_value(AbstractObject::Items { count: Some(2) });
                    let known = self.axis_of(&result).is_some() || result.part.is_some();
                    let axis = if known { super::batches::BatchAxis::Scattered } else { result.batch };
                    for name in ["0", "1"] {
                        self.write_cell(pair.objects[0], name, FlowValue { batch: axis, ..result.as_computed() });
                    }
                    result.objects = pair.objects;
                } else if labelled.is_none() {
                    result.set_axis((batch, mixed.map(|_| at)), at);
                }
                self.call_kept(&kept, pass, at);
            }
            _ => {}
        }
        result.unknown = None;
        result.constant = None;
        // A loss is a module too: of what the project computes itself, nothing is assumed.
        let is_trained = hooked || !matches!(self.objects[object as usize], AbstractObject::Instance { .. });
        if self.within.is_none() && is_trained {
            self.settle_rows(&mut result, rows, NESTED);
        }
        if self.grad {
            self.add_pass(&mut result, pass, NESTED);
        } else {
            result.passes.clear();
        }
        result
    }

    /// What a model that computes its own loss gives: the loss, and a row for each sample.
    fn labelled_output(&mut self, result: &FlowValue, batch: super::batches::BatchAxis) -> FlowValue {
        let output = self.make_value(AbstractObject::Items { count: None });
        let loss = FlowValue { batch, ..result.as_computed() };
        let rows = FlowValue { batch: super::batches::BatchAxis::Rows, ..result.as_computed() };
        for (name, value) in [("0", &loss), ("loss", &loss), ("1", &rows), ("logits", &rows)] {
            self.write_cell(output.objects[0], name, value.clone());
        }
        FlowValue { objects: output.objects, ..result.as_computed() }
    }

    /// What a module gives has a row for each row that it was given, where nothing is known of it.
    fn settle_rows(&mut self, value: &mut FlowValue, rows: super::batches::BatchAxis, depth: u32) {
        if value.part.is_some() && value.batch == super::batches::BatchAxis::Unknown {
            value.batch = rows;
            value.blurred = None;
        }
        for object in value.objects.clone() {
            if depth == 0 || !matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                continue;
            }
            for name in self.fields.get(&object).cloned().unwrap_or_default() {
                if let Some(mut item) = self.cells.get(&(object, name)).cloned() {
                    self.settle_rows(&mut item, rows, depth - 1);
                    self.write_interned((object, name), Some(item));
                }
            }
        }
    }

    /// The modules that a library's object holds are called with it.
    fn call_kept(&mut self, kept: &FlowValue, pass: PassId, at: ExprPlace) {
        if kept.objects.is_empty() {
            return;
        }
        for object in self.reachable_objects(kept) {
            if matches!(self.objects[object as usize], AbstractObject::Wrapped { .. }) {
                self.record_event(at, EventKind::Forward);
                if self.grad {
                    self.set_stale(object, false);
                }
                // The wrapper's pass is this one.
                self.passes[pass as usize].module = object;
            }
        }
    }

    fn add_pass(&mut self, value: &mut FlowValue, pass: PassId, depth: u32) {
        if !value.passes.contains(&pass) {
            value.passes.push(pass);
            value.passes.sort_unstable();
        }
        if depth == 0 {
            return;
        }
        for object in value.objects.clone() {
            if !matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                continue;
            }
            for name in self.fields.get(&object).cloned().unwrap_or_default() {
                if let Some(mut item) = self.cells.get(&(object, name)).cloned() {
                    self.add_pass(&mut item, pass, depth - 1);
                    self.write_interned((object, name), Some(item));
                }
            }
        }
        // The items know their own graphs.
        if value.objects.iter().any(|&o| matches!(self.objects[o as usize], AbstractObject::Items { .. })) {
            value.passes.clear();
        }
    }

    /// Whether a wrapper has reduced its gradients since it was last called: a cell like others, so that branches join.
    fn set_stale(&mut self, wrapper: ObjectId, stale: bool) {
        self.write_cell(wrapper, "<stale>", FlowValue { uneven: stale, ..FlowValue::default() });
    }

    fn run_backward(&mut self, at: ExprPlace, loss: &FlowValue) {
        let mut loss = loss.clone();
        // A loss in a container: all its items.
        for object in loss.objects.clone() {
            if let AbstractObject::Items { .. } = self.objects[object as usize] {
                let items: Vec<FlowValue> = self.fields_of(object).cloned().collect();
                loss.batch = self.axis_of(&loss).unwrap_or_default();
                for item in items {
                    loss.add(&item);
                }
            }
        }
        let mut stale = None;
        let mut wrappers: Vec<ObjectId> = Vec::new();
        for &pass in &loss.passes {
            let module = self.passes[pass as usize].module;
            if !matches!(self.objects[module as usize], AbstractObject::Wrapped { .. }) {
                continue;
            }
            if !wrappers.contains(&module) {
                wrappers.push(module);
            }
            let used = format!("<used {pass}>");
            if self.read_cell(module, &used).is_some_and(|cell| cell.uneven) {
                stale = Some(module);
            }
            self.write_cell(module, &used, FlowValue { uneven: true, ..FlowValue::default() });
        }
        for wrapper in wrappers {
            if self.read_cell(wrapper, "<stale>").is_some_and(|cell| cell.uneven) {
                stale = Some(wrapper);
            }
            self.set_stale(wrapper, true);
        }
        self.record_event(at, EventKind::Backward { loss, stale });
    }

    /// What a computation over a value gives: it belongs to the graphs of all tensors in the containers that it is given,
    /// as `torch.cat([a, b])` does.
    pub(super) fn computed_from(&self, value: &FlowValue) -> FlowValue {
        let mut result = value.as_computed();
        let mut todo: Vec<(ObjectId, u32)> = value.objects.iter().map(|&object| (object, NESTED)).collect();
        while let Some((object, depth)) = todo.pop() {
            if !matches!(self.objects[object as usize], AbstractObject::Items { .. }) {
                continue;
            }
            for field in self.fields_of(object) {
                result.add(&field.as_computed());
                if depth > 0 {
                    todo.extend(field.objects.iter().map(|&inner| (inner, depth - 1)));
                }
            }
        }
        result
    }

    /// The parameters of a module; of a wrapper, those of the module inside.
    fn parameters_of(&mut self, object: ObjectId) -> FlowValue {
        let modules = match &self.objects[object as usize] {
            AbstractObject::Wrapped { inner, .. } => inner.objects.clone(),
            _ => vec![object],
        };
        let mut value = FlowValue::default();
        for module in modules {
            let made = self.make_value(AbstractObject::Parameters { module });
            value.add(&made);
        }
        value
    }

    /// A method that is no function of the project.
    pub(super) fn call_builtin_method(
        &mut self,
        receiver: &FlowValue,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> FlowValue {
        if name == "backward" {
            self.run_backward(at, receiver);
            return FlowValue::constant(Constant::None);
        }
        let settled = self.settle_parts(receiver, at);
        let receiver = &settled;
        let mut result: Option<FlowValue> = None;
        for &object in &receiver.objects {
            let value = match self.tensorflow_method(object, name, at, given) {
                Some(value) => value,
                None => self.object_method(object, receiver, name, at, given),
            };
            result = Some(match result {
                Some(known) => known.join(&value),
                None => value,
            });
        }
        match result {
            Some(value) => value,
            None => self.tensor_method(receiver, name, at, given),
        }
    }

    /// `parameter.register_hook(average)`: a hook that makes a collective call averages the gradients.
    fn add_hook(&mut self, module: ObjectId, at: ExprPlace, given: &CallArguments) {
        let before = self.events.len();
        self.run_callbacks(given, at);
        if self.events[before..].iter().any(|event| matches!(event.kind, EventKind::Collective)) {
            let parts = self.reachable_objects(&FlowValue { objects: vec![module], ..FlowValue::default() });
            self.hooked.extend(parts);
            self.record_event(at, EventKind::Hook);
        }
    }

    fn tensor_method(&mut self, receiver: &FlowValue, name: &str, at: ExprPlace, given: &CallArguments) -> FlowValue {
        self.run_callbacks(given, at);
        self.note_product_call(at, name, Some(receiver), given);
        let mut value = receiver.as_computed();
        value.add(&self.computed_from(&given.joined_arguments()));
        value.set_axis(self.batch_of_method(at, name, receiver, given), at);
        match name {
            "size" | "dim" | "numel" => Self::size_of_tensor(receiver, name, given),
            // The number may come back into a loss as a weight.
            "detach" | "detach_" | "item" | "numpy" | "tolist" => {
                FlowValue { batch: value.batch, mixed: value.mixed, ..value.without_graph() }
            }
            "argmax" | "argmin" | "eq" => FlowValue { batch: value.batch, ..value.without_graph() },
            "step" if receiver.unknown.is_some() => {
                self.record_event(at, EventKind::Step { optimizer: receiver.clone() });
                FlowValue::default()
            }
            _ => value,
        }
    }

    fn object_method(
        &mut self,
        object: ObjectId,
        receiver: &FlowValue,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> FlowValue {
        match self.objects[object as usize].clone() {
            AbstractObject::Items { .. } => self.items_method(object, name, given),
            AbstractObject::Optimizer { .. } => self.optimizer_method(object, receiver, name, at, given),
            AbstractObject::Parameters { module } => {
                if name == "register_hook" {
                    self.add_hook(module, at, given);
                }
                if name == "requires_grad_" {
                    let to = given.get("requires_grad", 0).map_or(Some(true), FlowValue::known_truth);
                    self.record_event(at, EventKind::Freeze { module, to });
                }
                // `parameter.add_(noise)`
                if name.ends_with('_') && name != "requires_grad_" {
                    let all = given.joined_arguments();
                    self.record_event(at, EventKind::Change { differs: all.varies || all.random || is_drawn(name) });
                }
                single_object(object, receiver)
            }
            AbstractObject::Made { .. } => self.made_method(object, receiver, name, at, given),
            AbstractObject::Wrapped { .. } | AbstractObject::Instance { .. } => {
                self.module_method(object, receiver, name, at, given)
            }
            AbstractObject::Method { receiver: inner, .. } => {
                // A method of what a method or attribute of something unknown gave.
                let mut value = inner.as_computed();
                value.add(&given.joined_arguments().as_computed());
                value
            }
            _ => {
                let mut value = given.joined_arguments().as_computed();
                value.add(&receiver.as_computed());
                value
            }
        }
    }

    /// A value is written into an optimizer's settings, `group["lr"] = value`, or over a parameter's data or gradient.
    pub(super) fn note_change(&mut self, at: ExprPlace, base: &FlowValue, value: &FlowValue) {
        let is_shared = base.objects.iter().any(|&o| {
            matches!(self.objects[o as usize], AbstractObject::Optimizer { .. } | AbstractObject::Parameters { .. })
        });
        if is_shared {
            self.record_event(at, EventKind::Change { differs: value.varies || value.random });
        }
    }

    fn optimizer_method(
        &mut self,
        object: ObjectId,
        receiver: &FlowValue,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> FlowValue {
        match name {
            "step" => {
                if let Some(closure) = given.get("closure", 0).cloned() {
                    self.call_value(&closure, at, &CallArguments::default());
                }
                self.record_event(at, EventKind::Step { optimizer: single_object(object, receiver) });
                FlowValue::default()
            }
            "add_param_group" => {
                let mut all = given.joined_arguments();
                if let AbstractObject::Optimizer { given, .. } = &mut self.objects[object as usize] {
                    all.add(given);
                    *given = all;
                }
                FlowValue::default()
            }
            _ => FlowValue::default(),
        }
    }

    fn made_method(
        &mut self,
        object: ObjectId,
        receiver: &FlowValue,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> FlowValue {
        let AbstractObject::Made { api, given: kept, .. } = self.objects[object as usize].clone() else {
            return FlowValue::lost_at(at);
        };
        let all = given.joined_arguments();
        if name == "step" {
            let optimizers = |run: &Self, value: &FlowValue| -> Vec<ObjectId> {
                run.reachable_objects(value)
                    .into_iter()
                    .filter(|&o| matches!(run.objects[o as usize], AbstractObject::Optimizer { .. }))
                    .collect()
            };
            // `scaler.step(optimizer)`, or an optimizer of a library that is not known.
            let found = optimizers(self, &all);
            if !found.is_empty() {
                self.record_event(
                    at,
                    EventKind::Step { optimizer: FlowValue { objects: found, ..FlowValue::default() } },
                );
            } else if api.contains("lr_scheduler") {
                self.record_event(at, EventKind::Change { differs: all.varies || all.random });
            } else if self.holds_parameters(&kept) {
                if let Some(closure) = given.get("closure", 0).cloned() {
                    self.call_value(&closure, at, &CallArguments::default());
                }
                self.record_event(at, EventKind::Step { optimizer: single_object(object, receiver) });
            }
            return FlowValue::default();
        }
        self.module_method(object, receiver, name, at, given)
    }

    pub fn holds_parameters(&self, value: &FlowValue) -> bool {
        self.reachable_objects(value)
            .iter()
            .any(|&o| matches!(self.objects[o as usize], AbstractObject::Parameters { .. }))
    }

    fn module_method(
        &mut self,
        object: ObjectId,
        receiver: &FlowValue,
        name: &str,
        at: ExprPlace,
        given: &CallArguments,
    ) -> FlowValue {
        match name {
            "parameters" | "named_parameters" => self.parameters_of(object),
            "to" | "cuda" | "cpu" | "train" | "eval" | "double" | "float" | "half" | "share_memory" | "bfloat16"
            | "type" | "xpu" | "compile" => single_object(object, receiver),
            "apply" => {
                self.run_callbacks(given, at);
                single_object(object, receiver)
            }
            "requires_grad_" => {
                let to = given.get("requires_grad", 0).map_or(Some(true), FlowValue::known_truth);
                self.record_event(at, EventKind::Freeze { module: object, to });
                single_object(object, receiver)
            }
            "children" | "modules" | "named_children" | "named_modules" => {
                let value = self.make_value(AbstractObject::Items { count: None });
                let mut parts: Vec<ObjectId> = self.fields_of(object).flat_map(|v| v.objects.clone()).collect();
                if name.ends_with("modules") {
                    parts.push(object);
                }
                parts.retain(|&o| self.is_module(o) || self.is_plain_module(o));
                if parts.is_empty() {
                    parts = self.part_of(object, "[0]", at).objects;
                }
                parts.sort_unstable();
                parts.dedup();
                self.write_cell(value.objects[0], ELEMENTS, FlowValue { objects: parts, ..FlowValue::default() });
                value
            }
            "state_dict"
            | "load_state_dict"
            | "zero_grad"
            | "buffers"
            | "named_buffers"
            | "register_forward_hook"
            | "set_epoch"
            | "extra_repr"
            | "summary"
            | "size" => FlowValue::default(),
            "forward" | "__call__" => self.run_forward(object, at, given.clone()),
            "append" | "extend" | "add_module" | "register_module" | "insert" | "register_parameter" => {
                let all = given.joined_arguments();
                self.join_cell(object, ELEMENTS, all);
                FlowValue::default()
            }
            "item" | "detach" | "numpy" | "tolist" => {
                let mut value = receiver.without_graph();
                value.add(&given.joined_arguments().without_graph());
                value
            }
            _ => {
                self.run_callbacks(given, at);
                let mut value = receiver.as_computed();
                let all = given.joined_arguments();
                value.add(&all.as_computed());
                // A metric or a meter of a library keeps what it is given.
                if matches!(self.objects[object as usize], AbstractObject::Made { .. }) {
                    let part = self.part_within(&all);
                    if all.varies || part.is_some() {
                        self.write_cell(
                            object,
                            "<state>",
                            FlowValue { varies: all.varies, part, ..FlowValue::default() },
                        );
                    }
                    let state = self.read_cell(object, "<state>").unwrap_or_default();
                    value.varies |= state.varies;
                    value.part = value.part.or(state.part);
                }
                // Another method of a library's module may compute with it.
                if self.is_plain_module(object) || self.is_module(object) {
                    let known =
                        matches!(self.objects[object as usize], AbstractObject::Made { ref api, .. } if api.is_empty());
                    if !known {
                        let computed = self.run_forward(object, at, given.clone());
                        value.add(&computed);
                    }
                } else if matches!(self.objects[object as usize], AbstractObject::Made { .. }) {
                    // What a library's object gives may be anything that it was given.
                    let kept = self.make_value(AbstractObject::Made {
                        api: format!("?.{name}"),
                        by: at,
                        given: {
                            let mut kept = single_object(object, receiver);
                            kept.add(&all);
                            kept
                        },
                    });
                    // `scaler.scale(loss)`
                    let batch = given.positional.first().filter(|_| name == "scale").map(|loss| loss.batch);
                    return FlowValue {
                        batch: batch.unwrap_or_default(),
                        passes: value.passes,
                        varies: value.varies,
                        part: value.part,
                        uneven: value.uneven,
                        random: value.random,
                        ..kept
                    };
                }
                value
            }
        }
    }

    /// The keys and values of a dictionary whose keys are all known.
    fn known_entries(&self, object: ObjectId) -> Option<Vec<(String, FlowValue)>> {
        if !matches!(self.objects[object as usize], AbstractObject::Items { count: None }) {
            return None;
        }
        let names = self.fields.get(&object)?;
        let entries: Vec<(String, FlowValue)> = names
            .iter()
            .filter_map(|name| Some((self.spelled[*name as usize].clone(), self.cells.get(&(object, *name))?.clone())))
            .filter(|(key, _)| !key.starts_with('<'))
            .collect();
        let known = !entries.is_empty() && entries.iter().all(|(key, _)| key != ELEMENTS);
        known.then_some(entries)
    }

    fn items_method(&mut self, object: ObjectId, name: &str, given: &CallArguments) -> FlowValue {
        let whole = FlowValue { objects: vec![object], ..FlowValue::default() };
        match name {
            "append" | "add" | "appendleft" => {
                if let Some(item) = given.positional.first() {
                    // How many items a set has depends on what they are; what a part decides may be added or not.
                    let length = item.part.filter(|_| name == "add").or(self.deciding_part());
                    self.mark_length(object, length);
                    self.add_item(object, item.clone());
                }
                FlowValue::default()
            }
            "insert" | "setdefault" => {
                if let Some(item) = given.positional.get(1) {
                    self.add_item(object, item.clone());
                }
                self.iterate_value(&whole)
            }
            "extend" => {
                if let Some(items) = given.positional.first() {
                    let length = self.part_of_length(items);
                    self.mark_count(object, length);
                    let item = self.iterate_value(items);
                    self.add_item(object, item);
                }
                FlowValue::default()
            }
            "update" => {
                if let Some(items) = given.positional.first() {
                    let length = self.part_of_length(items);
                    self.mark_length(object, length);
                    self.copy_items(object, &items.clone());
                    if items.objects.is_empty() && items.part.is_some() {
                        let item = self.iterate_value(items);
                        self.add_item(object, item);
                    }
                }
                for (name, value) in given.keywords.clone() {
                    self.write_cell(object, &name, value);
                }
                FlowValue::default()
            }
            "values" | "items" if self.known_entries(object).is_some() => {
                let entries = self.known_entries(object).unwrap_or_default();
                let rows: Vec<Vec<FlowValue>> =
                    entries.into_iter().map(|(key, value)| vec![FlowValue::text(&key), value]).collect();
                if name == "items" {
                    return self.make_rows(rows, true, &FlowValue::default());
                }
                let value = self.make_value(AbstractObject::Items { count: Some(rows.len()) });
                for (i, row) in rows.into_iter().enumerate() {
                    self.write_cell(value.objects[0], &i.to_string(), row[1].clone());
                }
                value
            }
            "values" | "copy" => whole,
            "items" => {
                let item = self.iterate_value(&whole);
                let pair = self.make_value(AbstractObject::Items { count: Some(2) });
                self.write_cell(pair.objects[0], "0", FlowValue::default());
                self.write_cell(pair.objects[0], "1", item);
                let value = self.make_value(AbstractObject::Items { count: None });
                self.write_cell(value.objects[0], ELEMENTS, pair);
                value
            }
            "get" | "pop" => {
                let key = given.positional.first().and_then(|key| key.constant.clone());
                let item = self.item_of(&whole, key.as_ref());
                match given.positional.get(1) {
                    Some(default) => item.join(default),
                    None => item,
                }
            }
            "index" | "count" => {
                let part = self.part_within(&whole).or(given.joined_arguments().part);
                FlowValue { part, ..FlowValue::default() }
            }
            "keys" | "clear" | "sort" | "reverse" | "remove" => FlowValue::default(),
            _ => self.iterate_value(&whole),
        }
    }
}

/// Methods that fill a parameter with random numbers.
fn is_drawn(method: &str) -> bool {
    matches!(method, "normal_" | "uniform_" | "bernoulli_" | "exponential_" | "random_" | "log_normal_" | "cauchy_")
}
