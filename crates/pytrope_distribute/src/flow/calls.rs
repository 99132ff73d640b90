//! Calls: functions and classes of the project are entered, modules make a pass, the rest is a library's.

use pytrope_source::tree::{Arguments, ExprId, ExprKind, Parameters, StmtKind};

use super::batches::BatchAxis;
use super::branch::Ending;
use super::{AbstractObject, Constant, DEEPEST, ELEMENTS, FlowFrame, FlowRun, FlowValue, ObjectId};
use crate::trace::{Def, ExprPlace};

/// What a call is given.
#[derive(Clone, Debug, Default)]
pub(super) struct CallArguments {
    pub positional: Vec<FlowValue>,
    pub keywords: Vec<(String, FlowValue)>,
    /// What `*items` and `**options` may bring in.
    pub spread: Option<FlowValue>,
}

impl CallArguments {
    pub fn get(&self, name: &str, place: usize) -> Option<&FlowValue> {
        self.keywords.iter().find(|(k, _)| k == name).map(|(_, v)| v).or_else(|| self.positional.get(place))
    }

    /// Everything that is given, as one value.
    pub fn joined_arguments(&self) -> FlowValue {
        let mut all = FlowValue::default();
        for value in self.positional.iter().chain(self.keywords.iter().map(|(_, v)| v)).chain(&self.spread) {
            all.add(value);
        }
        all
    }
}

impl FlowRun<'_> {
    pub(super) fn eval_call(&mut self, frame: usize, expr: ExprId) -> FlowValue {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        let at = (module, expr);
        let ExprKind::Call { function, arguments } = tree[expr].kind else { return FlowValue::default() };
        // `super().method(…)`.
        if let ExprKind::Attribute { value, .. } = tree[function].kind
            && self.trace.called_api((module, value)).as_deref() == Some("builtins.super")
        {
            let given = self.eval_arguments(frame, arguments);
            let receiver = self.receiver_here(frame);
            return match self.trace.callable_definition((module, function), false) {
                Some(def) => self.enter_function(def, receiver, at, given),
                None => given.joined_arguments().as_computed(),
            };
        }
        let callee = self.eval_expr(frame, function);
        let given = self.eval_arguments(frame, arguments);
        // What is reduced in place is the same on all ranks from now on.
        if let Some(&first) = tree[arguments.positional].first()
            && self.is_collective(&callee)
            && let Some(name) = tree.as_name(first)
            && let Some(value) = given.positional.first()
        {
            let owner = self.owner_of(frame, tree.text(name), crate::index::expr_scope(tree, first));
            let part = value.part.filter(|_| !self.is_reduction(&callee));
            let batch = if part.is_none() && value.part.is_some() { BatchAxis::Total } else { value.batch };
            let agreed = FlowValue { varies: false, part, batch, uneven: false, random: false, ..value.clone() };
            for &object in &value.objects {
                self.mark_agreed(object, self.is_reduction(&callee));
            }
            self.write_cell(owner, tree.text(name), agreed);
        }
        // `hidden.detach_()` cuts the graph of the name.
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && tree.text(attribute.name) == "detach_"
            && let Some(name) = tree.as_name(value)
        {
            let owner = self.owner_of(frame, tree.text(name), crate::index::expr_scope(tree, value));
            if let Some(known) = self.read_cell(owner, tree.text(name)) {
                self.write_cell(owner, tree.text(name), FlowValue { passes: Vec::new(), ..known });
            }
        }
        self.note_output(frame, at, &callee, &given);
        // `counts.index_add_(0, labels, ones)`
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && tree.text(attribute.name).ends_with('_')
        {
            let given = given.joined_arguments();
            self.mark_changed(frame, value, &given);
        }
        self.note_files(at, &callee);
        self.call_value(&callee, at, &given)
    }

    /// The items of a container have been made the same on all ranks.
    fn mark_agreed(&mut self, object: ObjectId, reduced: bool) {
        for name in self.fields.get(&object).cloned().unwrap_or_default() {
            if let Some(value) = self.cells.get(&(object, name)).cloned() {
                let part = value.part.filter(|_| !reduced);
                let agreed = FlowValue { varies: false, part, uneven: false, random: false, ..value };
                self.write_interned((object, name), Some(agreed));
            }
        }
    }

    /// `self` of the method that a frame belongs to.
    fn receiver_here(&mut self, frame: usize) -> Option<ObjectId> {
        let mut at = Some(frame);
        while let Some(here) = at {
            let (module, scope, owner) = (self.frames[here].module, self.frames[here].scope?, self.frames[here].owner);
            if let Some((name, _)) = crate::index::self_of(self.trace.tree(module), scope) {
                return self.read_cell(owner, name).and_then(|value| value.objects.first().copied());
            }
            at = self.frames[here].parent;
        }
        None
    }

    pub(super) fn eval_arguments(&mut self, frame: usize, arguments: Arguments) -> CallArguments {
        let tree = self.trace.tree(self.frames[frame].module);
        let mut given = CallArguments::default();
        for &argument in &tree[arguments.positional] {
            let value = self.eval_expr(frame, argument);
            if !matches!(tree[argument].kind, ExprKind::Starred { .. }) {
                given.positional.push(value);
            } else if let Some(items) = self.known_items(&value) {
                given.positional.extend(items);
            } else {
                let item = self.iterate_value(&value);
                given.spread = Some(match given.spread.take() {
                    Some(known) => known.join(&item),
                    None => item,
                });
            }
        }
        for keyword in &tree[arguments.keywords] {
            let value = self.eval_expr(frame, keyword.value);
            if let Some(name) = keyword.name {
                given.keywords.push((tree.text(name.name).to_owned(), value));
                continue;
            }
            for &object in &value.objects {
                for name in self.fields.get(&object).cloned().unwrap_or_default() {
                    if let Some(item) = self.cells.get(&(object, name)).cloned() {
                        let name = self.spelled[name as usize].clone();
                        if name == ELEMENTS {
                            given.spread.get_or_insert_default().add(&item);
                        } else {
                            given.keywords.push((name, item));
                        }
                    }
                }
            }
            if value.unknown.is_some() || value.varies {
                given.spread.get_or_insert_default().add(&value.as_computed());
            }
        }
        given
    }

    pub(super) fn call_value(&mut self, callee: &FlowValue, at: ExprPlace, given: &CallArguments) -> FlowValue {
        if callee.objects.is_empty() {
            let mut value = given.joined_arguments().as_computed();
            self.run_callbacks(given, at);
            value.add(&callee.as_computed());
            value.unknown = value.unknown.or(callee.unknown).or(Some(at));
            return self.without_grad(value);
        }
        let mut result: Option<FlowValue> = None;
        let several = callee.objects.len() > 1;
        for &object in &callee.objects {
            let mut found: Option<FlowValue> = None;
            // Whichever module it is, it is called, and the loss is its own.
            let is_module =
                matches!(self.objects[object as usize], AbstractObject::Made { .. } | AbstractObject::Wrapped { .. })
                    || self.is_module(object);
            if several && !is_module {
                self.run_perhaps(&mut |run| {
                    run.conditional -= 1;
                    found = Some(run.call_object(object, callee, at, given.clone()));
                    run.conditional += 1;
                    Ending::Falls
                });
            } else {
                found = Some(self.call_object(object, callee, at, given.clone()));
            }
            result = match (result, found) {
                (Some(known), Some(value)) => Some(known.join(&value)),
                (known, value) => known.or(value),
            };
        }
        let value = result.unwrap_or_default();
        self.without_grad(value)
    }

    fn without_grad(&self, mut value: FlowValue) -> FlowValue {
        if !self.grad {
            value.passes.clear();
        }
        value
    }

    fn call_object(&mut self, object: ObjectId, callee: &FlowValue, at: ExprPlace, given: CallArguments) -> FlowValue {
        match self.objects[object as usize].clone() {
            AbstractObject::Function { def, frame, receiver } => self.enter_in(def, frame, receiver, at, given),
            AbstractObject::Lambda { at: lambda, frame } => {
                let tree = self.trace.tree(lambda.0);
                let ExprKind::Lambda { parameters, body } = tree[lambda.1].kind else { return FlowValue::default() };
                let owner = self.add_object(AbstractObject::Frame);
                // The index gives a lambda's parameters to the function around it.
                let scope = self.frames[frame].scope;
                let new =
                    FlowFrame { module: lambda.0, scope, parent: Some(frame), owner, returns: None, yields: None };
                if self.calls.len() >= DEEPEST {
                    return FlowValue::lost_at(at);
                }
                self.frames.push(new);
                let inner = self.frames.len() - 1;
                self.bind_parameters(inner, frame, &tree[parameters], given, false, at);
                self.calls.push((lambda.0, tree.stmt_of(lambda.1).unwrap_or(pytrope_source::tree::StmtId(0))));
                // Names of the function around are read through the chain of frames.
                let value = self.eval_in_lambda(inner, frame, body);
                self.calls.pop();
                value
            }
            AbstractObject::Class { def } => self.construct_instance(def, at, given),
            AbstractObject::Library(origin) => self.call_library(&crate::trace::canonical_api(&origin), at, given),
            AbstractObject::Method { receiver, name } => self.call_builtin_method(&receiver, &name, at, &given),
            AbstractObject::Instance { class } => {
                if self.is_module(object) {
                    return self.run_forward(object, at, given);
                }
                match self.trace.method_of(class, "__call__", 8) {
                    Some(def) => self.enter_function(def, Some(object), at, given),
                    None => FlowValue { unknown: Some(at), ..given.joined_arguments().as_computed() },
                }
            }
            AbstractObject::Made { .. } | AbstractObject::Wrapped { .. } => self.run_forward(object, at, given),
            // `optimizer.variables()` of Keras 2.
            AbstractObject::Parameters { .. } if self.tensorflow => {
                super::eval::single_object(object, &FlowValue::default())
            }
            AbstractObject::Items { .. }
            | AbstractObject::Parameters { .. }
            | AbstractObject::Gradients { .. }
            | AbstractObject::Optimizer { .. }
            | AbstractObject::Frame => {
                let mut value = given.joined_arguments().as_computed();
                value.add(&callee.as_computed());
                value
            }
        }
    }

    /// A lambda's parameters are cells of the function around it for as long as it runs.
    fn eval_in_lambda(&mut self, inner: usize, outer: usize, body: ExprId) -> FlowValue {
        let (from, to) = (self.frames[inner].owner, self.frames[outer].owner);
        let names = self.fields.get(&from).cloned().unwrap_or_default();
        let mut saved = Vec::new();
        for name in names {
            saved.push((name, self.cells.get(&(to, name)).cloned()));
            let value = self.cells.get(&(from, name)).cloned();
            self.write_interned((to, name), value);
        }
        let value = self.eval_expr(outer, body);
        for (name, old) in saved {
            self.write_interned((to, name), old);
        }
        value
    }

    fn construct_instance(&mut self, class: Def, at: ExprPlace, given: CallArguments) -> FlowValue {
        let value = self.make_value(AbstractObject::Instance { class });
        let object = value.objects[0];
        let all = given.joined_arguments();
        self.mark_scope(object);
        if let Some(init) = self.trace.method_of(class, "__init__", 8) {
            self.enter_function(init, Some(object), at, given);
        } else {
            // A dataclass or a library's class keeps what it is given.
            for (name, value) in &given.keywords {
                self.write_cell(object, name, value.clone());
            }
            for value in &given.positional {
                self.join_cell(object, ELEMENTS, value.clone());
            }
        }
        FlowValue { varies: all.varies, uneven: all.uneven, ..value }
    }

    /// Call a method of a project's class by name.
    pub(super) fn call_method(
        &mut self,
        object: ObjectId,
        name: &str,
        at: ExprPlace,
        given: CallArguments,
    ) -> FlowValue {
        let AbstractObject::Instance { class } = self.objects[object as usize] else { return FlowValue::lost_at(at) };
        match self.trace.method_of(class, name, 8) {
            Some(def) => self.enter_function(def, Some(object), at, given),
            None => FlowValue::lost_at(at),
        }
    }

    pub(super) fn enter_function(
        &mut self,
        def: Def,
        receiver: Option<ObjectId>,
        at: ExprPlace,
        given: CallArguments,
    ) -> FlowValue {
        let frame = self.enter_module(def.0);
        self.enter_in(def, frame, receiver, at, given)
    }

    fn enter_in(
        &mut self,
        def: Def,
        parent: usize,
        receiver: Option<ObjectId>,
        at: ExprPlace,
        mut given: CallArguments,
    ) -> FlowValue {
        let tree = self.trace.tree(def.0);
        let StmtKind::FunctionDef(function) = tree[def.1].kind else { return FlowValue::lost_at(at) };
        let again = self.calls.iter().filter(|&&c| c == def).count();
        if self.calls.len() >= DEEPEST || again >= 2 || self.fuel == 0 {
            return FlowValue { unknown: Some(at), ..given.joined_arguments().as_computed() };
        }
        let is = |name: &str| {
            tree[function.decorators].iter().any(|&d| {
                let named = match tree[d].kind {
                    ExprKind::Call { function, .. } => function,
                    _ => d,
                };
                self.trace.api_name((def.0, named)).as_deref() == Some(name)
            })
        };
        let (is_static, is_class) = (is("builtins.staticmethod"), is("builtins.classmethod"));
        let no_grad = is("torch.no_grad") || is("torch.inference_mode");
        let method = crate::index::self_of(tree, def.1);
        if let Some((_, class)) = method.filter(|_| is_class) {
            let class = self.make_value(AbstractObject::Class { def: (def.0, class) });
            given.positional.insert(0, class);
        } else if let Some(receiver) = receiver.filter(|_| !is_static) {
            given.positional.insert(0, FlowValue { objects: vec![receiver], ..FlowValue::default() });
        }
        let owner = self.add_object(AbstractObject::Frame);
        self.frames.push(FlowFrame {
            module: def.0,
            scope: Some(def.1),
            parent: Some(parent),
            owner,
            returns: None,
            yields: None,
        });
        let frame = self.frames.len() - 1;
        self.bind_parameters(frame, parent, &function.parameters, given, true, at);
        self.calls.push(def);
        self.enter_inside(def);
        let grad = self.grad;
        self.grad &= !no_grad;
        self.collect_endings(&mut |run| run.exec_block(frame, function.body));
        self.grad = grad;
        self.leave_inside();
        self.calls.pop();
        let frame = &mut self.frames[frame];
        if let Some(yields) = frame.yields.take() {
            let (varies, uneven) = (yields.varies, yields.uneven);
            let value = self.make_value(AbstractObject::Items { count: None });
            self.write_cell(value.objects[0], ELEMENTS, yields);
            return FlowValue { varies, uneven, ..value };
        }
        frame.returns.take().unwrap_or_else(|| FlowValue::constant(Constant::None))
    }

    fn bind_parameters(
        &mut self,
        frame: usize,
        outer: usize,
        parameters: &Parameters,
        given: CallArguments,
        lose: bool,
        at: ExprPlace,
    ) {
        let tree = self.trace.tree(self.frames[frame].module);
        let owner = self.frames[frame].owner;
        let mut positional = given.positional.into_iter();
        let mut keywords = given.keywords;
        for (list, by_place) in
            [(parameters.positional_only, true), (parameters.regular, true), (parameters.keyword_only, false)]
        {
            for parameter in &tree[list] {
                let name = tree.text(parameter.name.name);
                let placed = if by_place { positional.next() } else { None };
                let value = placed
                    .or_else(|| keywords.iter().position(|(k, _)| k == name).map(|i| keywords.remove(i).1))
                    .or_else(|| given.spread.clone());
                let value = match (value, parameter.default) {
                    (Some(value), _) => value,
                    (None, Some(default)) => self.eval_expr(outer, default),
                    (None, None) if lose => FlowValue::lost_at(at),
                    (None, None) => FlowValue::default(),
                };
                self.write_cell(owner, name, value);
            }
        }
        if let Some(rest) = parameters.vararg {
            let rest_values: Vec<FlowValue> = positional.collect();
            let count = given.spread.is_none().then_some(rest_values.len());
            let value = self.make_value(AbstractObject::Items { count });
            for (i, item) in rest_values.into_iter().enumerate() {
                self.write_cell(value.objects[0], &i.to_string(), item);
            }
            if let Some(spread) = &given.spread {
                self.join_cell(value.objects[0], ELEMENTS, spread.clone());
            }
            self.write_cell(owner, tree.text(rest.name.name), value);
        }
        if let Some(rest) = parameters.kwarg {
            let value = self.make_value(AbstractObject::Items { count: None });
            for (name, item) in keywords {
                self.write_cell(value.objects[0], &name, item);
            }
            if let Some(spread) = &given.spread {
                self.join_cell(value.objects[0], ELEMENTS, spread.clone());
            }
            self.write_cell(owner, tree.text(rest.name.name), value);
        }
    }

    /// A library that is given functions may call them.
    pub(super) fn run_callbacks(&mut self, given: &CallArguments, at: ExprPlace) {
        let all = given.joined_arguments();
        for object in all.objects {
            if matches!(self.objects[object as usize], AbstractObject::Function { .. } | AbstractObject::Lambda { .. })
            {
                let callee = FlowValue { objects: vec![object], ..FlowValue::default() };
                self.run_perhaps(&mut |run| {
                    run.call_value(
                        &callee,
                        at,
                        &CallArguments { spread: Some(FlowValue::lost_at(at)), ..CallArguments::default() },
                    );
                    Ending::Falls
                });
            }
        }
    }
}
