//! Modules, wrappers, optimizers and losses: what their methods do.

use super::calls::Given;
use super::eval::one;
use super::{Constant, ELEMENTS, EventKind, Object, ObjectId, Pass, PassId, Run, Value};
use crate::trace::Place;

impl Run<'_> {
    /// Whether an instance of a project's class is an `nn.Module`.
    pub fn is_module(&self, object: ObjectId) -> bool {
        let Object::Instance { class } = self.objects[object as usize] else { return false };
        *self.module_classes.borrow_mut().entry(class).or_insert_with(|| {
            self.trace.descends(class, &|api| {
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
        matches!(&self.objects[object as usize], Object::Made { api, .. }
            if (api.starts_with("torch.nn.") && !api.ends_with("Parameter")) || api.contains("models.") || api.is_empty())
    }

    /// A part of a library's module: always the same object for the same name.
    pub(super) fn part_of(&mut self, object: ObjectId, name: &str, at: Place) -> Value {
        if let Some(part) = self.read_cell(object, name) {
            return part;
        }
        // One item of a list of modules may be any of them.
        let given =
            if name.starts_with('[') { Value { objects: vec![object], ..Value::default() } } else { Value::default() };
        let part = self.make_value(Object::Made { api: String::new(), by: at, given });
        self.write_cell(object, name, part.clone());
        part
    }

    /// `model.fc` of a library's module, where more than a call is made of it.
    pub(super) fn settle_parts(&mut self, value: &Value, at: Place) -> Value {
        let mut settled = Value { objects: Vec::new(), ..value.clone() };
        for &object in &value.objects {
            let Object::Method { receiver, name } = self.objects[object as usize].clone() else {
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
    pub(super) fn forward(&mut self, object: ObjectId, at: Place, given: Given) -> Value {
        let all = given.all();
        let pass = self.passes.len() as PassId;
        self.passes.push(Pass {
            module: object,
            at,
            varies: all.varies || all.random && self.draws_in_step(),
            conditional: self.conditional > 0 && self.within.is_some(),
            within: self.within,
        });
        let mut result = all.computed();
        match self.objects[object as usize].clone() {
            Object::Wrapped { inner, .. } => {
                self.record(at, EventKind::Forward);
                if self.grad {
                    self.set_stale(object, false);
                }
                let (within, conditional) = (self.within.replace(pass), std::mem::take(&mut self.conditional));
                result = self.call_value(&inner, at, &given);
                (self.within, self.conditional) = (within, conditional);
            }
            Object::Instance { class } => {
                // Without the class's own forward pass, its base class is called with all its parts.
                let forward = if self.tensorflow { ["call", "__call__"] } else { ["forward", "forward"] };
                let own = forward.iter().find_map(|name| self.trace.method_of(class, name, 8));
                if let Some(def) = own {
                    result = self.enter(def, Some(object), at, given);
                }
            }
            Object::Made { given: kept, .. } => {
                self.run_callbacks(&given, at);
                self.note_layer_call(object, at);
                // What a library's object was given takes part in what it computes.
                result.varies |= kept.varies;
                self.call_kept(&kept, pass, at);
            }
            _ => {}
        }
        result.unknown = None;
        result.constant = None;
        if self.grad {
            self.add_pass(&mut result, pass, 3);
        } else {
            result.passes.clear();
        }
        result
    }

    /// The modules that a library's object holds are called with it.
    fn call_kept(&mut self, kept: &Value, pass: PassId, at: Place) {
        if kept.objects.is_empty() {
            return;
        }
        for object in self.reachable(kept) {
            if matches!(self.objects[object as usize], Object::Wrapped { .. }) {
                self.record(at, EventKind::Forward);
                if self.grad {
                    self.set_stale(object, false);
                }
                // The wrapper's pass is this one.
                self.passes[pass as usize].module = object;
            }
        }
    }

    fn add_pass(&mut self, value: &mut Value, pass: PassId, depth: u32) {
        if !value.passes.contains(&pass) {
            value.passes.push(pass);
            value.passes.sort_unstable();
        }
        if depth == 0 {
            return;
        }
        for object in value.objects.clone() {
            if !matches!(self.objects[object as usize], Object::Items { .. }) {
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
        if value.objects.iter().any(|&o| matches!(self.objects[o as usize], Object::Items { .. })) {
            value.passes.clear();
        }
    }

    /// Whether a wrapper has reduced its gradients since it was last called: a cell like others, so that branches join.
    fn set_stale(&mut self, wrapper: ObjectId, stale: bool) {
        self.write_cell(wrapper, "<stale>", Value { uneven: stale, ..Value::default() });
    }

    fn backward(&mut self, at: Place, loss: &Value) {
        let mut loss = loss.clone();
        // A loss in a container: all its items.
        for object in loss.objects.clone() {
            if let Object::Items { .. } = self.objects[object as usize] {
                let items: Vec<Value> = self.fields_of(object).cloned().collect();
                for item in items {
                    loss.add(&item);
                }
            }
        }
        let mut stale = None;
        let mut wrappers: Vec<ObjectId> = Vec::new();
        for &pass in &loss.passes {
            let module = self.passes[pass as usize].module;
            if !matches!(self.objects[module as usize], Object::Wrapped { .. }) {
                continue;
            }
            if !wrappers.contains(&module) {
                wrappers.push(module);
            }
            let used = format!("<used {pass}>");
            if self.read_cell(module, &used).is_some_and(|cell| cell.uneven) {
                stale = Some(module);
            }
            self.write_cell(module, &used, Value { uneven: true, ..Value::default() });
        }
        for wrapper in wrappers {
            if self.read_cell(wrapper, "<stale>").is_some_and(|cell| cell.uneven) {
                stale = Some(wrapper);
            }
            self.set_stale(wrapper, true);
        }
        self.record(at, EventKind::Backward { loss, stale });
    }

    /// The parameters of a module; of a wrapper, those of the module inside.
    fn parameters(&mut self, object: ObjectId) -> Value {
        let modules = match &self.objects[object as usize] {
            Object::Wrapped { inner, .. } => inner.objects.clone(),
            _ => vec![object],
        };
        let mut value = Value::default();
        for module in modules {
            let made = self.make_value(Object::Parameters { module });
            value.add(&made);
        }
        value
    }

    /// A method that is no function of the project.
    pub(super) fn call_builtin_method(&mut self, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        if name == "backward" {
            self.backward(at, receiver);
            return Value::constant(Constant::None);
        }
        let settled = self.settle_parts(receiver, at);
        let receiver = &settled;
        let mut result: Option<Value> = None;
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

    fn tensor_method(&mut self, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        self.run_callbacks(given, at);
        let mut value = receiver.computed();
        value.add(&given.all().computed());
        match name {
            "size" | "dim" | "numel" => Value::default(),
            "detach" | "detach_" | "item" | "numpy" | "tolist" | "argmax" | "argmin" | "eq" => value.detached(),
            "step" if receiver.unknown.is_some() => {
                self.record(at, EventKind::Step { optimizer: receiver.clone() });
                Value::default()
            }
            _ => value,
        }
    }

    fn object_method(&mut self, object: ObjectId, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        match self.objects[object as usize].clone() {
            Object::Items { .. } => self.items_method(object, name, given),
            Object::Optimizer { .. } => self.optimizer_method(object, receiver, name, at, given),
            Object::Parameters { module } => {
                if name == "requires_grad_" {
                    let to = given.get("requires_grad", 0).map_or(Some(true), Value::truth);
                    self.record(at, EventKind::Freeze { module, to });
                }
                one(object, receiver)
            }
            Object::Made { .. } => self.made_method(object, receiver, name, at, given),
            Object::Wrapped { .. } | Object::Instance { .. } => self.module_method(object, receiver, name, at, given),
            Object::Method { receiver: inner, .. } => {
                // A method of what a method or attribute of something unknown gave.
                let mut value = inner.computed();
                value.add(&given.all().computed());
                value
            }
            _ => {
                let mut value = given.all().computed();
                value.add(&receiver.computed());
                value
            }
        }
    }

    fn optimizer_method(&mut self, object: ObjectId, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        match name {
            "step" => {
                if let Some(closure) = given.get("closure", 0).cloned() {
                    self.call_value(&closure, at, &Given::default());
                }
                self.record(at, EventKind::Step { optimizer: one(object, receiver) });
                Value::default()
            }
            "add_param_group" => {
                let mut all = given.all();
                if let Object::Optimizer { given, .. } = &mut self.objects[object as usize] {
                    all.add(given);
                    *given = all;
                }
                Value::default()
            }
            _ => Value::default(),
        }
    }

    fn made_method(&mut self, object: ObjectId, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        let Object::Made { api, given: kept, .. } = self.objects[object as usize].clone() else {
            return Value::lost(at);
        };
        let all = given.all();
        if name == "step" {
            let optimizers = |run: &Self, value: &Value| -> Vec<ObjectId> {
                run.reachable(value)
                    .into_iter()
                    .filter(|&o| matches!(run.objects[o as usize], Object::Optimizer { .. }))
                    .collect()
            };
            // `scaler.step(optimizer)`, or an optimizer of a library that is not known.
            let found = optimizers(self, &all);
            if !found.is_empty() {
                self.record(at, EventKind::Step { optimizer: Value { objects: found, ..Value::default() } });
            } else if !api.contains("lr_scheduler") && self.holds_parameters(&kept) {
                if let Some(closure) = given.get("closure", 0).cloned() {
                    self.call_value(&closure, at, &Given::default());
                }
                self.record(at, EventKind::Step { optimizer: one(object, receiver) });
            }
            return Value::default();
        }
        self.module_method(object, receiver, name, at, given)
    }

    pub fn holds_parameters(&self, value: &Value) -> bool {
        self.reachable(value).iter().any(|&o| matches!(self.objects[o as usize], Object::Parameters { .. }))
    }

    fn module_method(&mut self, object: ObjectId, receiver: &Value, name: &str, at: Place, given: &Given) -> Value {
        match name {
            "parameters" | "named_parameters" => self.parameters(object),
            "to" | "cuda" | "cpu" | "train" | "eval" | "double" | "float" | "half" | "share_memory" | "bfloat16"
            | "type" | "xpu" | "compile" => one(object, receiver),
            "apply" => {
                self.run_callbacks(given, at);
                one(object, receiver)
            }
            "requires_grad_" => {
                let to = given.get("requires_grad", 0).map_or(Some(true), Value::truth);
                self.record(at, EventKind::Freeze { module: object, to });
                one(object, receiver)
            }
            "children" | "modules" | "named_children" | "named_modules" => {
                let value = self.make_value(Object::Items { count: None });
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
                self.write_cell(value.objects[0], ELEMENTS, Value { objects: parts, ..Value::default() });
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
            | "size" => Value::default(),
            "forward" | "__call__" => self.forward(object, at, given.clone()),
            "append" | "extend" | "add_module" | "register_module" | "insert" | "register_parameter" => {
                let all = given.all();
                self.join_cell(object, ELEMENTS, all);
                Value::default()
            }
            "item" | "detach" | "numpy" | "tolist" => {
                let mut value = receiver.detached();
                value.add(&given.all().detached());
                value
            }
            _ => {
                self.run_callbacks(given, at);
                let mut value = receiver.computed();
                let all = given.all();
                value.add(&all.computed());
                // A metric or a meter of a library keeps what it is given.
                if matches!(self.objects[object as usize], Object::Made { .. }) {
                    if all.varies {
                        self.write_cell(object, "<state>", Value { varies: true, ..Value::default() });
                    }
                    value.varies |= self.read_cell(object, "<state>").is_some_and(|state| state.varies);
                }
                // Another method of a library's module may compute with it.
                if self.is_plain_module(object) || self.is_module(object) {
                    let known = matches!(self.objects[object as usize], Object::Made { ref api, .. } if api.is_empty());
                    if !known {
                        let computed = self.forward(object, at, given.clone());
                        value.add(&computed);
                    }
                } else if matches!(self.objects[object as usize], Object::Made { .. }) {
                    // What a library's object gives may be anything that it was given.
                    let kept = self.make_value(Object::Made {
                        api: format!("?.{name}"),
                        by: at,
                        given: {
                            let mut kept = one(object, receiver);
                            kept.add(&all);
                            kept
                        },
                    });
                    return Value {
                        passes: value.passes,
                        varies: value.varies,
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
    fn known_entries(&self, object: ObjectId) -> Option<Vec<(String, Value)>> {
        if !matches!(self.objects[object as usize], Object::Items { count: None }) {
            return None;
        }
        let names = self.fields.get(&object)?;
        let entries: Vec<(String, Value)> = names
            .iter()
            .filter_map(|name| Some((self.spelled[*name as usize].clone(), self.cells.get(&(object, *name))?.clone())))
            .collect();
        let known = !entries.is_empty() && entries.iter().all(|(key, _)| key != ELEMENTS);
        known.then_some(entries)
    }

    fn items_method(&mut self, object: ObjectId, name: &str, given: &Given) -> Value {
        let whole = Value { objects: vec![object], ..Value::default() };
        match name {
            "append" | "add" | "appendleft" => {
                if let Some(item) = given.positional.first() {
                    self.add_item(object, item.clone());
                }
                Value::default()
            }
            "insert" | "setdefault" => {
                if let Some(item) = given.positional.get(1) {
                    self.add_item(object, item.clone());
                }
                self.iterate(&whole)
            }
            "extend" => {
                if let Some(items) = given.positional.first() {
                    let item = self.iterate(items);
                    self.add_item(object, item);
                }
                Value::default()
            }
            "update" => {
                if let Some(items) = given.positional.first() {
                    self.copy_items(object, &items.clone());
                }
                for (name, value) in given.keywords.clone() {
                    self.write_cell(object, &name, value);
                }
                Value::default()
            }
            "values" | "items" if self.known_entries(object).is_some() => {
                let entries = self.known_entries(object).unwrap_or_default();
                let rows: Vec<Vec<Value>> =
                    entries.into_iter().map(|(key, value)| vec![Value::text(&key), value]).collect();
                if name == "items" {
                    return self.rows(rows, true, &Value::default());
                }
                let value = self.make_value(Object::Items { count: Some(rows.len()) });
                for (i, row) in rows.into_iter().enumerate() {
                    self.write_cell(value.objects[0], &i.to_string(), row[1].clone());
                }
                value
            }
            "values" | "copy" => whole,
            "items" => {
                let item = self.iterate(&whole);
                let pair = self.make_value(Object::Items { count: Some(2) });
                self.write_cell(pair.objects[0], "0", Value::default());
                self.write_cell(pair.objects[0], "1", item);
                let value = self.make_value(Object::Items { count: None });
                self.write_cell(value.objects[0], ELEMENTS, pair);
                value
            }
            "get" | "pop" => {
                let key = given.positional.first().and_then(|key| key.constant.clone());
                let item = self.item(&whole, key.as_ref());
                match given.positional.get(1) {
                    Some(default) => item.join(default),
                    None => item,
                }
            }
            "keys" | "index" | "count" | "clear" | "sort" | "reverse" | "remove" => Value::default(),
            _ => self.iterate(&whole),
        }
    }
}
