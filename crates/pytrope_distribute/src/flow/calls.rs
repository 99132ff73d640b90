//! Calls: functions and classes of the project are entered, modules make a pass, the rest is a library's.

use pytrope_source::tree::{Arguments, ExprId, ExprKind, Parameters, StmtKind};

use super::branch::Ending;
use super::{Constant, DEEPEST, ELEMENTS, Frame, Object, ObjectId, Run, Value};
use crate::trace::{Def, Place};

/// What a call is given.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    pub positional: Vec<Value>,
    pub keywords: Vec<(String, Value)>,
    /// What `*items` and `**options` may bring in.
    pub spread: Option<Value>,
}

impl Given {
    pub fn get(&self, name: &str, place: usize) -> Option<&Value> {
        self.keywords.iter().find(|(k, _)| k == name).map(|(_, v)| v).or_else(|| self.positional.get(place))
    }

    /// Everything that is given, as one value.
    pub fn all(&self) -> Value {
        let mut all = Value::default();
        for value in self.positional.iter().chain(self.keywords.iter().map(|(_, v)| v)).chain(&self.spread) {
            all.add(value);
        }
        all
    }
}

impl Run<'_> {
    pub(super) fn call(&mut self, frame: usize, expr: ExprId) -> Value {
        let module = self.frames[frame].module;
        let tree = self.trace.tree(module);
        let at = (module, expr);
        let ExprKind::Call { function, arguments } = tree[expr].kind else { return Value::default() };
        // `super().method(…)`.
        if let ExprKind::Attribute { value, .. } = tree[function].kind
            && self.trace.called((module, value)).as_deref() == Some("builtins.super")
        {
            let given = self.given(frame, arguments);
            let receiver = self.receiver_here(frame);
            return match self.trace.callable((module, function), false) {
                Some(def) => self.enter(def, receiver, at, given),
                None => given.all().computed(),
            };
        }
        let callee = self.eval(frame, function);
        let given = self.given(frame, arguments);
        // What is reduced in place is the same on all ranks from now on.
        if let Some(&first) = tree[arguments.positional].first()
            && self.is_collective(&callee)
            && let Some(name) = tree.as_name(first)
            && let Some(value) = given.positional.first()
        {
            let owner = self.owner_of(frame, tree.text(name), crate::index::expr_scope(tree, first));
            let agreed = Value { varies: false, uneven: false, random: false, ..value.clone() };
            for &object in &value.objects {
                self.agree(object);
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
                self.write_cell(owner, tree.text(name), Value { passes: Vec::new(), ..known });
            }
        }
        self.call_value(&callee, at, &given)
    }

    /// The items of a container have been made the same on all ranks.
    fn agree(&mut self, object: ObjectId) {
        for name in self.fields.get(&object).cloned().unwrap_or_default() {
            if let Some(value) = self.cells.get(&(object, name)).cloned() {
                let agreed = Value { varies: false, uneven: false, random: false, ..value };
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

    pub(super) fn given(&mut self, frame: usize, arguments: Arguments) -> Given {
        let tree = self.trace.tree(self.frames[frame].module);
        let mut given = Given::default();
        for &argument in &tree[arguments.positional] {
            let value = self.eval(frame, argument);
            if !matches!(tree[argument].kind, ExprKind::Starred { .. }) {
                given.positional.push(value);
            } else if let Some(items) = self.known_items(&value) {
                given.positional.extend(items);
            } else {
                let item = self.iterate(&value);
                given.spread.get_or_insert_default().add(&item);
            }
        }
        for keyword in &tree[arguments.keywords] {
            let value = self.eval(frame, keyword.value);
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
                given.spread.get_or_insert_default().add(&value.computed());
            }
        }
        given
    }

    pub(super) fn call_value(&mut self, callee: &Value, at: Place, given: &Given) -> Value {
        if callee.objects.is_empty() {
            let mut value = given.all().computed();
            self.run_callbacks(given, at);
            value.add(&callee.computed());
            value.unknown = value.unknown.or(callee.unknown).or(Some(at));
            return self.without_grad(value);
        }
        let mut result: Option<Value> = None;
        let several = callee.objects.len() > 1;
        for &object in &callee.objects {
            let mut found: Option<Value> = None;
            // Whichever module it is, it is called, and the loss is its own.
            let is_module = matches!(self.objects[object as usize], Object::Made { .. } | Object::Wrapped { .. })
                || self.is_module(object);
            if several && !is_module {
                self.perhaps(&mut |run| {
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

    fn without_grad(&self, mut value: Value) -> Value {
        if !self.grad {
            value.passes.clear();
        }
        value
    }

    fn call_object(&mut self, object: ObjectId, callee: &Value, at: Place, given: Given) -> Value {
        match self.objects[object as usize].clone() {
            Object::Function { def, frame, receiver } => self.enter_in(def, frame, receiver, at, given),
            Object::Lambda { at: lambda, frame } => {
                let tree = self.trace.tree(lambda.0);
                let ExprKind::Lambda { parameters, body } = tree[lambda.1].kind else { return Value::default() };
                let owner = self.add_object(Object::Frame);
                // The index gives a lambda's parameters to the function around it.
                let scope = self.frames[frame].scope;
                let new = Frame { module: lambda.0, scope, parent: Some(frame), owner, returns: None, yields: None };
                if self.calls.len() >= DEEPEST {
                    return Value::lost(at);
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
            Object::Class { def } => self.construct(def, at, given),
            Object::Library(origin) => self.call_library(&crate::trace::canonical(&origin), at, given),
            Object::Method { receiver, name } => self.call_builtin_method(&receiver, &name, at, &given),
            Object::Instance { class } => {
                if self.is_module(object) {
                    return self.forward(object, at, given);
                }
                match self.trace.method_of(class, "__call__", 8) {
                    Some(def) => self.enter(def, Some(object), at, given),
                    None => Value { unknown: Some(at), ..given.all().computed() },
                }
            }
            Object::Made { .. } | Object::Wrapped { .. } => self.forward(object, at, given),
            // `optimizer.variables()` of Keras 2.
            Object::Parameters { .. } if self.tensorflow => super::eval::one(object, &Value::default()),
            Object::Items { .. }
            | Object::Parameters { .. }
            | Object::Gradients { .. }
            | Object::Optimizer { .. }
            | Object::Frame => {
                let mut value = given.all().computed();
                value.add(&callee.computed());
                value
            }
        }
    }

    /// A lambda's parameters are cells of the function around it for as long as it runs.
    fn eval_in_lambda(&mut self, inner: usize, outer: usize, body: ExprId) -> Value {
        let (from, to) = (self.frames[inner].owner, self.frames[outer].owner);
        let names = self.fields.get(&from).cloned().unwrap_or_default();
        let mut saved = Vec::new();
        for name in names {
            saved.push((name, self.cells.get(&(to, name)).cloned()));
            let value = self.cells.get(&(from, name)).cloned();
            self.write_interned((to, name), value);
        }
        let value = self.eval(outer, body);
        for (name, old) in saved {
            self.write_interned((to, name), old);
        }
        value
    }

    fn construct(&mut self, class: Def, at: Place, given: Given) -> Value {
        let value = self.make_value(Object::Instance { class });
        let object = value.objects[0];
        let all = given.all();
        self.mark_scope(object);
        if let Some(init) = self.trace.method_of(class, "__init__", 8) {
            self.enter(init, Some(object), at, given);
        } else {
            // A dataclass or a library's class keeps what it is given.
            for (name, value) in &given.keywords {
                self.write_cell(object, name, value.clone());
            }
            for value in &given.positional {
                self.join_cell(object, ELEMENTS, value.clone());
            }
        }
        Value { varies: all.varies, uneven: all.uneven, ..value }
    }

    /// Call a method of a project's class by name.
    pub(super) fn call_method(&mut self, object: ObjectId, name: &str, at: Place, given: Given) -> Value {
        let Object::Instance { class } = self.objects[object as usize] else { return Value::lost(at) };
        match self.trace.method_of(class, name, 8) {
            Some(def) => self.enter(def, Some(object), at, given),
            None => Value::lost(at),
        }
    }

    pub(super) fn enter(&mut self, def: Def, receiver: Option<ObjectId>, at: Place, given: Given) -> Value {
        let frame = self.enter_module(def.0);
        self.enter_in(def, frame, receiver, at, given)
    }

    fn enter_in(&mut self, def: Def, parent: usize, receiver: Option<ObjectId>, at: Place, mut given: Given) -> Value {
        let tree = self.trace.tree(def.0);
        let StmtKind::FunctionDef(function) = tree[def.1].kind else { return Value::lost(at) };
        let again = self.calls.iter().filter(|&&c| c == def).count();
        if self.calls.len() >= DEEPEST || again >= 2 || self.fuel == 0 {
            return Value { unknown: Some(at), ..given.all().computed() };
        }
        let is = |name: &str| {
            tree[function.decorators].iter().any(|&d| {
                let named = match tree[d].kind {
                    ExprKind::Call { function, .. } => function,
                    _ => d,
                };
                self.trace.api((def.0, named)).as_deref() == Some(name)
            })
        };
        let (is_static, is_class) = (is("builtins.staticmethod"), is("builtins.classmethod"));
        let no_grad = is("torch.no_grad") || is("torch.inference_mode");
        let method = crate::index::self_of(tree, def.1);
        if let Some((_, class)) = method.filter(|_| is_class) {
            let class = self.make_value(Object::Class { def: (def.0, class) });
            given.positional.insert(0, class);
        } else if let Some(receiver) = receiver.filter(|_| !is_static) {
            given.positional.insert(0, Value { objects: vec![receiver], ..Value::default() });
        }
        let owner = self.add_object(Object::Frame);
        self.frames.push(Frame {
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
        self.collecting(&mut |run| run.block(frame, function.body));
        self.grad = grad;
        self.leave_inside();
        self.calls.pop();
        let frame = &mut self.frames[frame];
        if let Some(yields) = frame.yields.take() {
            let (varies, uneven) = (yields.varies, yields.uneven);
            let value = self.make_value(Object::Items { count: None });
            self.write_cell(value.objects[0], ELEMENTS, yields);
            return Value { varies, uneven, ..value };
        }
        frame.returns.take().unwrap_or_else(|| Value::constant(Constant::None))
    }

    fn bind_parameters(
        &mut self,
        frame: usize,
        outer: usize,
        parameters: &Parameters,
        given: Given,
        lose: bool,
        at: Place,
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
                    (None, Some(default)) => self.eval(outer, default),
                    (None, None) if lose => Value::lost(at),
                    (None, None) => Value::default(),
                };
                self.write_cell(owner, name, value);
            }
        }
        if let Some(rest) = parameters.vararg {
            let rest_values: Vec<Value> = positional.collect();
            let count = given.spread.is_none().then_some(rest_values.len());
            let value = self.make_value(Object::Items { count });
            for (i, item) in rest_values.into_iter().enumerate() {
                self.write_cell(value.objects[0], &i.to_string(), item);
            }
            if let Some(spread) = &given.spread {
                self.join_cell(value.objects[0], ELEMENTS, spread.clone());
            }
            self.write_cell(owner, tree.text(rest.name.name), value);
        }
        if let Some(rest) = parameters.kwarg {
            let value = self.make_value(Object::Items { count: None });
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
    pub(super) fn run_callbacks(&mut self, given: &Given, at: Place) {
        let all = given.all();
        for object in all.objects {
            if matches!(self.objects[object as usize], Object::Function { .. } | Object::Lambda { .. }) {
                let callee = Value { objects: vec![object], ..Value::default() };
                self.perhaps(&mut |run| {
                    run.call_value(&callee, at, &Given { spread: Some(Value::lost(at)), ..Given::default() });
                    Ending::Falls
                });
            }
        }
    }
}
