//! Expressions.

use pytrope_source::tree::{
    BinaryOperator, BoolOperator, Comparison, Comprehension, ExprId, ExprKind, List, StringPart, UnaryOperator,
};

use super::batches::BatchAxis;
use super::branch::Ending;
use super::calls::CallArguments;
use super::{AbstractObject, Constant, ELEMENTS, EventKind, FlowRun, FlowValue, ObjectId};
use crate::trace::ExprPlace;

impl FlowRun<'_> {
    pub(super) fn eval_expr(&mut self, frame: usize, expr: ExprId) -> FlowValue {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        let at = (module, expr);
        match tree[expr].kind {
            ExprKind::None => FlowValue::constant(Constant::None),
            ExprKind::Bool(b) => FlowValue::constant(Constant::Bool(b)),
            ExprKind::Int(i) => FlowValue::constant(Constant::Int(i)),
            ExprKind::Str(text) => FlowValue::text(tree.text(text)),
            ExprKind::Name { name, .. } => self.eval_name(frame, at, tree.text(name)),
            ExprKind::Attribute { value, attribute, .. } => {
                let base = self.eval_expr(frame, value);
                self.attribute_value(at, &base, tree.text(attribute.name))
            }
            ExprKind::Call { .. } => self.eval_call(frame, expr),
            ExprKind::Subscript { value, index, .. } => {
                let base = self.eval_expr(frame, value);
                let base = self.settle_parts(&base, at);
                let index = self.eval_expr(frame, index);
                self.eval_subscript(at, &base, &index)
            }
            ExprKind::BinOp { left, op, right } => {
                let mut value = self.eval_expr(frame, left);
                let other = self.eval_expr(frame, right);
                if op == BinaryOperator::MatMult {
                    self.note_product(at, [left, right], &value, &other);
                }
                let (batch, mixed) = self.batch_of_operator(at, op, &value, &other);
                let (part, count) = super::shares::part_of_operator(op, &value, &other);
                value.add(&other);
                value.part = part;
                value.set_axis((count.unwrap_or(batch), mixed), at);
                value.constant = None;
                value.uneven = false;
                // Lists are put together; whatever else an object is, an operator gives another value.
                value.objects.retain(|&o| {
                    matches!(
                        self.objects[o as usize],
                        AbstractObject::Items { .. }
                            | AbstractObject::Parameters { .. }
                            | AbstractObject::Gradients { .. }
                    )
                });
                value
            }
            ExprKind::UnaryOp { op, operand } => {
                let value = self.eval_expr(frame, operand);
                let constant = match (op, value.known_truth()) {
                    (UnaryOperator::Not, Some(truth)) => Some(Constant::Bool(!truth)),
                    (UnaryOperator::Minus, _) => match value.constant {
                        Some(Constant::Int(i)) => Some(Constant::Int(-i)),
                        _ => None,
                    },
                    _ => None,
                };
                FlowValue { constant, batch: value.batch, ..value.as_computed() }
            }
            ExprKind::BoolOp { op, values } => self.bool_op(frame, op, values),
            ExprKind::Compare { left, ops, comparators } => {
                let first = self.eval_expr(frame, left);
                let rest: Vec<FlowValue> = tree[comparators].iter().map(|&e| self.eval_expr(frame, e)).collect();
                let constant = match (&tree[ops], &rest[..]) {
                    ([op], [right]) => compare_constants(*op, &first, right),
                    _ => None,
                };
                let mut value = first.without_graph();
                for other in &rest {
                    value.add(&other.without_graph());
                }
                value.part = super::shares::part_of_comparison(&first, &rest);
                let axes: Vec<BatchAxis> = rest
                    .iter()
                    .chain([&first])
                    .filter_map(|side| self.axis_of(side))
                    .map(BatchAxis::with_rows)
                    .collect();
                if axes.contains(&BatchAxis::Rows) {
                    value.batch = BatchAxis::Mask;
                } else if axes.contains(&BatchAxis::Scattered) {
                    value.batch = BatchAxis::Scattered;
                }
                // Whether something is given at all is not a matter of its value.
                if matches!(tree[ops], [Comparison::Is | Comparison::IsNot]) {
                    value.varies = first.constant == Some(Constant::None) && first.varies;
                    value.part = None;
                }
                FlowValue { constant: constant.map(Constant::Bool), ..value }
            }
            ExprKind::IfExp { test, body, orelse } => {
                let condition = self.eval_expr(frame, test);
                match condition.known_truth() {
                    Some(true) => return self.eval_expr(frame, body),
                    Some(false) => return self.eval_expr(frame, orelse),
                    None => {}
                }
                let divergent = (condition.varies || condition.random).then_some((module, test));
                let mut found: Vec<FlowValue> = Vec::new();
                for branch in [body, orelse] {
                    self.conditional += 1;
                    self.run_under_condition(divergent, &mut |run| {
                        let value = run.run_decided(Self::decision_of(&condition, (module, test)), |run| {
                            run.eval_expr(frame, branch)
                        });
                        found.push(value);
                        Ending::Falls
                    });
                    self.conditional -= 1;
                }
                let mut value = found[0].join(&found[1]);
                value.varies |= condition.varies;
                value.part = value.part.or(condition.part);
                if condition.part.is_some() {
                    // Ranks may choose differently.
                    value.forget_reduction();
                }
                value
            }
            ExprKind::Named { target, value } => {
                let value = self.eval_expr(frame, value);
                self.assign_target(frame, target, value.clone());
                value
            }
            ExprKind::Lambda { .. } => self.make_value(AbstractObject::Lambda { at, frame }),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } | ExprKind::Set { elements } => {
                let parts: Vec<(FlowValue, bool)> = tree[elements]
                    .iter()
                    .map(|&e| (self.eval_expr(frame, e), matches!(tree[e].kind, ExprKind::Starred { .. })))
                    .collect();
                let starred = parts.iter().any(|(_, starred)| *starred);
                let value = self.make_value(AbstractObject::Items { count: (!starred).then_some(parts.len()) });
                let object = value.objects[0];
                let mut varies = false;
                for (i, (part, is_starred)) in parts.into_iter().enumerate() {
                    varies |= part.varies;
                    if is_starred {
                        let item = self.iterate_value(&part);
                        self.join_cell(object, ELEMENTS, item);
                    } else {
                        self.write_cell(object, &i.to_string(), part);
                    }
                }
                FlowValue { varies, ..value }
            }
            ExprKind::Dict { items } => {
                let value = self.make_value(AbstractObject::Items { count: None });
                let object = value.objects[0];
                for item in &tree[items] {
                    let key = item.key.map(|key| self.eval_expr(frame, key));
                    let given = self.eval_expr(frame, item.value);
                    match key {
                        Some(key) => self.put_item(object, &key, given),
                        None => self.copy_items(object, &given),
                    }
                }
                value
            }
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => self.eval_comprehension(frame, None, element, generators),
            ExprKind::DictComp { key, value, generators } => self.eval_comprehension(frame, key, value, generators),
            ExprKind::Await { value } | ExprKind::Starred { value, .. } => self.eval_expr(frame, value),
            ExprKind::Yield { value } => {
                let value = value.map_or_else(FlowValue::default, |value| self.eval_expr(frame, value));
                self.add_yield(frame, value);
                FlowValue::lost_at(at)
            }
            ExprKind::YieldFrom { value } => {
                let value = self.eval_expr(frame, value);
                let item = self.iterate_value(&value);
                self.add_yield(frame, item);
                FlowValue::lost_at(at)
            }
            ExprKind::FString { parts } | ExprKind::TString { parts } => {
                let mut value = FlowValue::default();
                for part in &tree[parts] {
                    if let StringPart::Interpolation { value: inner, .. } = part {
                        let inner = self.eval_expr(frame, *inner);
                        value.varies |= inner.varies;
                        value.random |= inner.random;
                        value.part = value.part.or_else(|| self.part_within(&inner));
                        if inner.batch == BatchAxis::Named {
                            value.batch = BatchAxis::Named;
                        }
                    }
                }
                value
            }
            ExprKind::Slice { lower, upper, step } => {
                let mut value = FlowValue::default();
                for part in [lower, upper, step].into_iter().flatten() {
                    let part = self.eval_expr(frame, part);
                    value.add(&part.without_graph());
                    value.batch = match part.batch {
                        BatchAxis::Sample => BatchAxis::Sample,
                        BatchAxis::Count | BatchAxis::Positions if value.batch != BatchAxis::Sample => BatchAxis::Count,
                        _ => value.batch,
                    };
                }
                value
            }
            ExprKind::Bytes(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Ellipsis
            | ExprKind::IpyEscape(_) => FlowValue::default(),
        }
    }

    fn add_yield(&mut self, frame: usize, value: FlowValue) {
        let yields = &mut self.frames[frame].yields;
        *yields = Some(match yields.take() {
            Some(known) => known.join(&value),
            None => value,
        });
    }

    fn eval_name(&mut self, frame: usize, at: ExprPlace, name: &str) -> FlowValue {
        let Some(scope) = self.owning_scope(at, name) else {
            if let Some(home) = self.trace.star_home(at.0, name) {
                let home = self.trace.project.modules[home].name.clone();
                return self.member_of(&home, name);
            }
            if name == "__name__" {
                let owner = self.frames[self.module_frames[at.0].unwrap_or(frame)].owner;
                return self.read_cell(owner, name).unwrap_or_default();
            }
            let origin = self.trace.origin(at).unwrap_or_else(|| format!("builtins.{name}"));
            return self.make_value(AbstractObject::Library(origin));
        };
        let owner = self.owner_in(frame, scope);
        if let Some(value) = self.read_cell(owner, name) {
            return value;
        }
        // A function that is used before its module has run so far.
        match self.trace.callable_definition(at, false) {
            Some(def) => self.definition_object(def),
            None => FlowValue::lost_at(at),
        }
    }

    /// The object of a function or class of the project.
    pub(super) fn definition_object(&mut self, def: crate::trace::Def) -> FlowValue {
        let frame = self.enter_module(def.0);
        match self.trace.tree(def.0)[def.1].kind {
            pytrope_source::tree::StmtKind::ClassDef(_) => self.make_value(AbstractObject::Class { def }),
            _ => self.make_value(AbstractObject::Function { def, frame, receiver: None }),
        }
    }

    fn bool_op(&mut self, frame: usize, op: BoolOperator, values: List<ExprId>) -> FlowValue {
        let tree = self.trace.tree(self.frames[frame].module);
        let mut joined: Option<FlowValue> = None;
        for &part in &tree[values] {
            let value = self.eval_expr(frame, part);
            let decides = match (op, value.known_truth()) {
                (BoolOperator::And, Some(false)) | (BoolOperator::Or, Some(true)) => true,
                // A part that cannot decide leaves it to the next.
                (_, Some(_)) if joined.is_none() && tree[values].last() != Some(&part) => continue,
                _ => false,
            };
            joined = Some(match joined {
                None => value,
                Some(known) => known.join(&value),
            });
            if decides {
                break;
            }
        }
        joined.unwrap_or_default()
    }

    pub(super) fn put_item(&mut self, object: ObjectId, key: &FlowValue, value: FlowValue) {
        self.mark_length(object, key.part);
        match &key.constant {
            Some(Constant::Str(key)) => {
                let key = key.to_string();
                self.write_cell(object, &key, value);
            }
            Some(Constant::Int(i)) => self.write_cell(object, &i.to_string(), value),
            _ => self.join_cell(object, ELEMENTS, value),
        }
    }

    /// Take over the items of a dictionary.
    pub(super) fn copy_items(&mut self, object: ObjectId, from: &FlowValue) {
        for &source in &from.objects {
            let names = self.fields.get(&source).cloned().unwrap_or_default();
            for name in names {
                if let Some(value) = self.cells.get(&(source, name)).cloned() {
                    self.write_interned((object, name), Some(value));
                }
            }
        }
        if let Some(at) = from.unknown {
            self.join_cell(object, ELEMENTS, FlowValue::lost_at(at));
        }
    }

    fn eval_comprehension(
        &mut self,
        frame: usize,
        key: Option<ExprId>,
        element: ExprId,
        generators: List<Comprehension>,
    ) -> FlowValue {
        let tree = self.trace.tree(self.frames[frame].module);
        let value = self.make_value(AbstractObject::Items { count: None });
        let object = value.objects[0];
        let generators = &tree[generators];
        let Some((first, rest)) = generators.split_first() else { return value };
        let iterated = self.eval_expr(frame, first.iter);
        let known = if rest.is_empty() && first.conditions.is_empty() { self.known_items(&iterated) } else { None };
        let exact = known.is_some();
        let items = known.unwrap_or_else(|| vec![self.iterate_value(&iterated)]);
        let mut varies = false;
        let mut length = self.part_of_length(&iterated);
        let is_counted = rest.is_empty() && first.conditions.is_empty() && key.is_none();
        let count = items.len();
        for (i, item) in items.into_iter().enumerate() {
            self.assign_target(frame, first.target, item);
            for generator in rest {
                let iterated = self.eval_expr(frame, generator.iter);
                let item = self.iterate_value(&iterated);
                self.assign_target(frame, generator.target, item);
            }
            for generator in generators {
                for &condition in &tree[generator.conditions] {
                    let decides = self.eval_expr(frame, condition);
                    length = length.or(decides.part);
                }
            }
            let key = key.map(|key| self.eval_expr(frame, key));
            let part = self.eval_expr(frame, element);
            if part.batch == BatchAxis::Named && part.part.is_none() {
                length = None;
            }
            varies |= part.varies;
            match key {
                Some(key) => self.put_item(object, &key, part),
                None if exact => self.write_cell(object, &i.to_string(), part),
                None => self.join_cell(object, ELEMENTS, part),
            }
        }
        if exact && key.is_none() {
            self.objects[object as usize] = AbstractObject::Items { count: Some(count) };
        }
        if is_counted {
            self.mark_count(object, length);
        } else {
            self.mark_length(object, length);
        }
        FlowValue { varies, uneven: iterated.uneven, ..value }
    }

    /// An item of a value by its index or key; any of them where that is not known.
    pub(super) fn item_of(&mut self, value: &FlowValue, index: Option<&Constant>) -> FlowValue {
        if value.batch == BatchAxis::Sizes && value.objects.is_empty() {
            let place = CallArguments {
                positional: index.cloned().map(FlowValue::constant).into_iter().collect(),
                ..CallArguments::default()
            };
            return Self::size_of_tensor(value, "item", &place);
        }
        let mut item: Option<FlowValue> = None;
        let batch = if value.batch == BatchAxis::Handed { BatchAxis::Rows } else { value.batch };
        let rest = FlowValue { objects: Vec::new(), constant: None, batch, ..value.clone() };
        for &object in &value.objects {
            let found = match self.objects[object as usize] {
                AbstractObject::Items { .. } => {
                    let key = match index {
                        Some(Constant::Int(i)) => Some(i.to_string()),
                        Some(Constant::Str(key)) => Some(key.to_string()),
                        _ => None,
                    };
                    let exact = key.and_then(|key| self.read_cell(object, &key));
                    match exact {
                        Some(found) => found,
                        None => self.iterate_value(&FlowValue { objects: vec![object], ..FlowValue::default() }),
                    }
                }
                // A parameter or a module of a list of modules is a part of it.
                // What an optimizer's groups hold by name is a number.
                AbstractObject::Optimizer { .. } if !matches!(index, Some(Constant::Str(_))) => {
                    single_object(object, &rest)
                }
                AbstractObject::Parameters { .. } | AbstractObject::Made { .. } | AbstractObject::Gradients { .. } => {
                    FlowValue { objects: vec![object], constant: None, ..value.clone() }
                }
                _ => rest.clone(),
            };
            item = Some(match item {
                Some(known) => known.join(&found),
                None => found,
            });
        }
        let mut item = item.unwrap_or_else(|| rest.clone());
        item.passes.extend(&value.passes);
        item.passes.sort_unstable();
        item.passes.dedup();
        item.unknown = item.unknown.or(value.unknown);
        item
    }

    fn eval_subscript(&mut self, at: ExprPlace, base: &FlowValue, index: &FlowValue) -> FlowValue {
        let tree = self.trace.tree(at.0);
        if base.varies && index.varies && !index.random && base.passes.is_empty() && self.is_shard_index(at) {
            self.record_event(at, EventKind::DividedTwice);
        }
        if base.batch == BatchAxis::Sizes && base.objects.is_empty() {
            return self.item_of_sizes(base, at);
        }
        if index.part.is_some() && self.holds_names(base) {
            return FlowValue { batch: BatchAxis::Named, ..FlowValue::default() };
        }
        if self.is_numbered_apart(at, base, index) {
            self.record_event(at, EventKind::NumberedApart);
        }
        let mut item =
            if base.objects.iter().any(|&o| matches!(self.objects[o as usize], AbstractObject::Wrapped { .. })) {
                FlowValue::lost_at(at)
            } else {
                let parts: Vec<ObjectId> = base.objects.clone();
                let mut item = self.item_of(base, index.constant.as_ref());
                // `model[0]` of a library's container is a part of it.
                for object in parts {
                    if self.is_plain_module(object) {
                        let part = self.part_of(object, "[0]", at);
                        item.objects.retain(|&o| o != object);
                        item.objects.extend(part.objects);
                    }
                }
                item
            };
        item.objects.sort_unstable();
        item.varies |= index.varies;
        item.random |= index.random;
        item.part = item.part.or(index.part);
        if index.varies && !index.random {
            item.part = item.part.or(Some(at));
        }
        let is_stretch = match tree[at.1].kind {
            ExprKind::Subscript { index, .. } => matches!(tree[index].kind, ExprKind::Slice { .. }),
            _ => false,
        };
        if self.is_shard_index(at) {
            item.part = Some(at);
            item.batch = BatchAxis::Rows;
        } else if is_stretch
            && index.part.is_some()
            && index.batch != BatchAxis::Sample
            && !index.varies
            && self.part_within(base).is_none()
        {
            item.batch = BatchAxis::Apart;
        } else if !self.is_container(base) {
            let is_made = |&o: &ObjectId| matches!(self.objects[o as usize], AbstractObject::Made { .. });
            if matches!(index.batch.with_rows(), BatchAxis::Rows | BatchAxis::Chosen)
                && item.objects.iter().all(is_made)
            {
                // Rows of a tensor that a library's object holds: `criterion.weight[labels]`.
                item.objects.clear();
            }
            item.set_axis((self.axis_of_item(at, base, index), None), at);
        }
        item
    }

    /// Whether an index names the engine's rank itself or a slice made from it.
    pub(super) fn is_shard_index(&self, (module, expr): ExprPlace) -> bool {
        let tree = self.trace.tree(module);
        let ExprKind::Subscript { index, .. } = tree[expr].kind else { return false };
        tree.as_name(index).is_some_and(|name| tree.text(name).starts_with("shard"))
    }

    pub(super) fn attribute_value(&mut self, at: ExprPlace, base: &FlowValue, name: &str) -> FlowValue {
        let mut found: Option<FlowValue> = None;
        for &object in &base.objects {
            let value = self.attribute_of(at, object, name, base);
            found = Some(match found {
                Some(known) => known.join(&value),
                None => value,
            });
        }
        let mut value = match found {
            Some(value) => value,
            None => match name {
                "device" | "dtype" => FlowValue { part: None, ..base.without_graph() },
                "data" | "grad" | "grad_fn" => base.without_graph(),
                "shape" => Self::size_of_tensor(base, "size", &CallArguments::default()),
                "ndim" => FlowValue::default(),
                _ => self.make_value(AbstractObject::Method { receiver: base.clone(), name: name.to_owned() }),
            },
        };
        if base.objects.is_empty() {
            if !matches!(name, "data" | "grad" | "shape" | "ndim") {
                value.passes.clone_from(&base.passes);
            }
            value.varies |= base.varies && !matches!(name, "shape" | "ndim");
            if !matches!(name, "shape" | "ndim" | "device" | "dtype" | "requires_grad" | "is_cuda") {
                value.part = value.part.or(base.part);
            }
            value.unknown = value.unknown.or(base.unknown);
        } else if self.has_part_named(base, name) {
            value.part = value.part.or(base.part);
        }
        value
    }

    fn attribute_of(&mut self, at: ExprPlace, object: ObjectId, name: &str, base: &FlowValue) -> FlowValue {
        if let Some(value) = self.read_cell(object, name) {
            return value;
        }
        if let Some(variables) = self.variables_of(object, name) {
            return variables;
        }
        match self.objects[object as usize].clone() {
            AbstractObject::Library(origin) => {
                if name == "__dict__"
                    && let Some(module) = self.trace.project.by_name(&origin)
                {
                    return self.namespace_of(module);
                }
                if self.trace.project.by_name(&origin).is_some()
                    || self.trace.project.by_name(&format!("{origin}.{name}")).is_some()
                {
                    return self.member_of(&origin, name);
                }
                self.make_value(AbstractObject::Library(format!("{origin}.{name}")))
            }
            AbstractObject::Wrapped { inner, .. } if name == "module" => inner,
            AbstractObject::Optimizer { .. } if name == "param_groups" => single_object(object, base),
            AbstractObject::Parameters { .. } if matches!(name, "data" | "grad") => single_object(object, base),
            AbstractObject::Instance { class } => {
                if let Some(getter) = self.trace.property_getter(class, name) {
                    return self.enter_function(getter, Some(object), at, CallArguments::default());
                }
                if let Some(def) = self.trace.method_of(class, name, 8) {
                    let frame = self.enter_module(def.0);
                    return self.make_value(AbstractObject::Function { def, frame, receiver: Some(object) });
                }
                if let Some(value) = self.class_attribute(class, name) {
                    return value;
                }
                if self.is_module(object) {
                    return self.make_value(AbstractObject::Method {
                        receiver: single_object(object, base),
                        name: name.to_owned(),
                    });
                }
                FlowValue {
                    unknown: Some(at),
                    ..self.make_value(AbstractObject::Method {
                        receiver: single_object(object, base),
                        name: name.to_owned(),
                    })
                }
            }
            AbstractObject::Class { def } => {
                if let Some(method) = self.trace.method_of(def, name, 8) {
                    let frame = self.enter_module(method.0);
                    return self.make_value(AbstractObject::Function { def: method, frame, receiver: None });
                }
                self.class_attribute(def, name).unwrap_or_else(|| FlowValue::lost_at(at))
            }
            _ => {
                self.make_value(AbstractObject::Method { receiver: single_object(object, base), name: name.to_owned() })
            }
        }
    }

    /// A value that a class body or one of its bases gives to all instances.
    fn class_attribute(&mut self, class: crate::trace::Def, name: &str) -> Option<FlowValue> {
        let owners = self.class_objects.get(&class).cloned().unwrap_or_default();
        for owner in owners {
            if let Some(value) = self.read_cell(owner, name) {
                return Some(value);
            }
        }
        self.trace.base_classes(class).into_iter().find_map(|base| self.class_attribute(base, name))
    }
}

/// One object of a value, with the value's other properties.
pub(super) fn single_object(object: ObjectId, value: &FlowValue) -> FlowValue {
    FlowValue { objects: vec![object], constant: None, ..value.clone() }
}

fn never_none(value: &FlowValue) -> bool {
    value.passes.is_empty() && !value.optional
}

/// What a comparison gives where both sides are known.
fn compare_constants(op: Comparison, left: &FlowValue, right: &FlowValue) -> Option<bool> {
    if let (Some(a), Some(b)) = (&left.constant, &right.constant) {
        return match op {
            Comparison::Eq | Comparison::Is => Some(a == b),
            Comparison::NotEq | Comparison::IsNot => Some(a != b),
            Comparison::Lt | Comparison::LtE | Comparison::Gt | Comparison::GtE => match (a, b) {
                (Constant::Int(a), Constant::Int(b)) => Some(match op {
                    Comparison::Lt => a < b,
                    Comparison::LtE => a <= b,
                    Comparison::Gt => a > b,
                    _ => a >= b,
                }),
                _ => None,
            },
            Comparison::In | Comparison::NotIn => None,
        };
    }
    // An object is not `None`.
    // Nor is what is computed of samples.
    let is_object = |v: &FlowValue| {
        let is_made = !v.objects.is_empty() || v.part.is_some() && v.batch != BatchAxis::Unknown;
        is_made && v.unknown.is_none() && v.constant.is_none()
    };
    let is_none = |v: &FlowValue| v.constant == Some(Constant::None);
    match op {
        Comparison::Is | Comparison::Eq if is_none(right) && never_none(left) && is_object(left) => Some(false),
        Comparison::IsNot | Comparison::NotEq if is_none(right) && never_none(left) && is_object(left) => Some(true),
        _ => None,
    }
}
