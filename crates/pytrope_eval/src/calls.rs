//! Calls: functions are inlined, classes make instances, models run behind a boundary that keeps what they raise.

mod abstract_methods;
mod assumed;
mod binding;
mod callbacks;
mod construction;
mod implicit_results;
mod lifting;
mod observed;
mod records;
mod summaries;

pub(crate) use records::{DATACLASS_INIT, DATACLASS_INIT_OF_CLASS};
pub use records::{DataField, settle_fields};

use std::sync::Arc;

use self::assumed::called_expression;
use self::implicit_results::implicit_result;
use crate::code::ScopeKind;
use crate::effects::library;
use crate::interp::{Flow, Frame, Interp, Unreachable, Yields};
use crate::modules::names_module;
use crate::names::Name;
use crate::native::{CallArgs, OpenTail};
use crate::object::declarations::is_declaration;
use crate::object::{Function, Iter, IterSource, Object};
use crate::value::{Addr, Reason, Seq, Value};

/// How deep one function may stand on the stack with arguments that are not all constants.
const RECURSION: usize = 3;

/// The same where all that it is given are objects that are known, in a closed world.
const RECURSION_OVER_OBJECTS: usize = 24;

/// Whether a value is an object or a sequence with parts that are known one by one.
fn has_built_parts(value: &Value) -> bool {
    match value {
        Value::Obj(_) | Value::Bound(_) | Value::Method(_) => true,
        Value::Tuple(seq) => matches!(seq, Seq::Exact(_)),
        Value::Union(members) => members.iter().any(has_built_parts),
        _ => false,
    }
}

/// Whether a value is known, or one of several that are: a layer that depends on a rate.
fn is_one_of_known(value: &Value) -> bool {
    match value {
        Value::Union(values) => values.iter().all(is_one_of_known),
        Value::Top(_) => false,
        _ => !value.is_unknown(),
    }
}

/// What is called in the text of a call, on one line: `pd.Series(x).rolling` of `pd.Series(x).rolling(3)`.
fn callee_text(call: &str) -> String {
    let mut depth = 0_i32;
    let arguments = call.char_indices().rev().find(|&(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        c == '(' && depth == 0
    });
    let callee = arguments.map_or(call, |(at, _)| &call[..at]);
    let line = callee.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 60 { line } else { line.chars().take(60).chain("…".chars()).collect() }
}

impl Interp<'_> {
    /// Calls a function as a library calls back: that it does not take these arguments is an error of the program, and no defect of
    /// the model that runs.
    pub fn call_back(&mut self, callee: &Value, args: CallArgs) -> Flow {
        let depth = self.run.frames.len();
        let outer = std::mem::replace(&mut self.frame_mut().calls_back, true);
        let result = self.call_value(callee, args);
        self.run.frames[depth - 1].calls_back = outer;
        result
    }

    pub fn call_value(&mut self, callee: &Value, mut args: CallArgs) -> Flow {
        if self.analysis.assumes && !self.in_model() {
            args.more_keywords = false;
            if let Some(several) = self.several_arrays(callee, &args) {
                let result = self.for_each_alternative(&several, |interp, one| {
                    interp.call_value(callee, args.clone().with_value_instead(&several, one))
                })?;
                let is_item = args.values().all(|value| *value != several);
                return Ok(if is_item { self.one_of_arrays(&result) } else { result });
            }
        }
        if !matches!(callee, Value::Union(_)) {
            let result = self.call_one(callee, args)?;
            return Ok(self.without_identity(callee, result));
        }
        self.for_each_alternative(callee, |interp, callee| {
            let result = interp.call_one(callee, args.clone())?;
            interp.keep_rank_apart(&result);
            Ok(result)
        })
    }

    /// What a library gives back for an Unknown that it was given is Unknown too, and need not be the same value: `np.prod(size)`.
    fn without_identity(&self, callee: &Value, result: Value) -> Value {
        if result.reason().and_then(Reason::lazy_address).is_none() {
            return result;
        }
        let is_library = match callee {
            Value::Native(_) | Value::Method(_) => true,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Function(function) => function.code.is_model,
                Object::Class(class) => class.kind.is_some() || class.features.is_model,
                _ => false,
            },
            _ => false,
        };
        match result {
            Value::UnknownNotNone(_) if is_library => Value::UnknownNotNone(Reason::Operand),
            _ if is_library => Value::Unknown(Reason::Operand),
            result => result,
        }
    }

    fn call_one(&mut self, callee: &Value, args: CallArgs) -> Flow {
        self.consume_step()?;
        match callee {
            Value::Unknown(_) | Value::UnknownNotNone(_) => Ok(self.unknown_call(callee, &args)),
            Value::Native(native)
                if native.name == "zip" && matches!(args.more_positional, Some(OpenTail::Items(_))) =>
            {
                Ok(match self.transposed_rows(&args) {
                    Some(columns) => self.new_iter(Seq::exact(columns)),
                    None if self.in_model() => self.unknown_iter(),
                    None => self.unknown_call(callee, &args),
                })
            }
            Value::Native(_) | Value::Method(_) if !args.is_exact() && !self.in_model() => {
                Ok(self.unknown_call(callee, &args))
            }
            Value::Native(native) => {
                let native = *native;
                let outer = std::mem::replace(&mut self.run.lazily, library::function(native.name).takes_one_by_one());
                let result = self.call_with_callbacks(native.name, None, &args, |interp| {
                    interp.at_boundary(|interp| {
                        interp.call_by_signature("", native.name, &args, |interp| (native.call)(interp, &args))
                    })
                });
                self.run.lazily = outer;
                let result = result?;
                self.watch_result(&result, &args.positional);
                Ok(result)
            }
            Value::Bound(bound) => {
                let args = args.with_first(bound.receiver.clone());
                self.call_value(&bound.function, args)
            }
            Value::Method(method) => {
                let method = Arc::clone(method);
                let result = self.call_with_callbacks(method.name.text(), Some(&method.receiver), &args, |interp| {
                    interp.at_boundary(|interp| {
                        interp.call_by_signature(method.kind.name(), method.name.text(), &args, |interp| {
                            interp.call_builtin_method(&method, &args)
                        })
                    })
                })?;
                self.watch_result(&result, std::slice::from_ref(&method.receiver));
                Ok(result)
            }
            Value::Obj(addr) => match self.object_at(*addr).clone() {
                Object::Function(function) => {
                    if function.code.is_model && self.analysis.program.closed_world && !self.in_model() {
                        self.call_with_each(&args, &mut |interp, args| {
                            interp.at_boundary(|interp| {
                                interp
                                    .call_summarised(*addr, args, |interp| interp.call_function(*addr, &function, args))
                            })
                        })
                    } else if function.code.is_model {
                        self.call_with_callbacks(function.name.text(), args.positional.first(), &args, |interp| {
                            interp.at_boundary(|interp| {
                                // A method may have the name of a function of its module: `Pattern.match`.
                                let owner = if function.class.is_none() { &*function.code.name } else { "?" };
                                interp.call_by_signature(owner, function.name.text(), &args, |interp| {
                                    interp.call_summarised(*addr, &args, |interp| {
                                        interp.call_function(*addr, &function, &args)
                                    })
                                })
                            })
                        })
                    } else {
                        if let Some(ran) = &mut self.run.ran {
                            ran.insert(*addr);
                        }
                        self.call_own_summarised(*addr, &function, &args)
                    }
                }
                Object::Class(class) => {
                    if let Some(kind) = class.kind {
                        self.call_with_callbacks(&class.name, None, &args, |interp| {
                            interp.at_boundary(|interp| {
                                interp.call_by_signature("", kind.name(), &args, |interp| {
                                    interp.construct_instance(*addr, &class, &args)
                                })
                            })
                        })
                    } else if class.features.is_model {
                        self.call_with_callbacks(&class.name, None, &args, |interp| {
                            interp.at_boundary(|interp| {
                                let module = class.code.as_ref().map_or("", |(code, _)| &code.name);
                                interp.call_by_signature(module, &class.name, &args, |interp| {
                                    interp.call_summarised(*addr, &args, |interp| {
                                        interp.construct_instance(*addr, &class, &args)
                                    })
                                })
                            })
                        })
                    } else {
                        self.construct_instance(*addr, &class, &args)
                    }
                }
                Object::Instance(_) | Object::Array(_) => match self.python_method(callee, Name::CALL) {
                    Some(method) => self.call_value(&method, args),
                    None if self.lacks_method(callee, Name::CALL) || self.is_made_array(callee) => {
                        self.not_callable(callee)
                    }
                    None => Ok(self.unknown_call(callee, &args)),
                },
                Object::StaticMethod(inner) => self.call_value(&inner, args),
                // That `package.name` is a module because there is such a file is no more than likely: the package may be another one.
                Object::Module(module) if !names_module(&self.current_code(), &module.name) => {
                    Ok(self.unknown_call(callee, &args))
                }
                Object::Module(_) | Object::List(_) | Object::Dict(_) | Object::Set(_) | Object::FrozenSet(_) => {
                    self.not_callable(callee)
                }
                _ => Ok(self.unknown_call(callee, &args)),
            },
            Value::None
            | Value::Ellipsis
            | Value::NotImplemented
            | Value::Bool(_)
            | Value::SymbolicBool(_)
            | Value::Int(_)
            | Value::Big(_)
            | Value::Dim(_)
            | Value::Float(_)
            | Value::Complex(_)
            | Value::Str(_)
            | Value::Bytes(_)
            | Value::Tuple(_)
            | Value::Range(_)
            | Value::Slice(_) => self.not_callable(callee),
            Value::Top(_) => self.not_callable(callee),
            Value::Union(_) => Ok(self.unknown_call(callee, &args)),
        }
    }

    fn not_callable(&mut self, callee: &Value) -> Flow {
        match self.exact_type_name(callee) {
            Some(name) => self.raise_error("not-callable", "TypeError", format!("'{name}' object is not callable")),
            None => Ok(Value::Unknown(Reason::Call)),
        }
    }

    /// Something that is not modelled is called: it may do anything to what it is given.
    pub(crate) fn unknown_call(&mut self, callee: &Value, args: &CallArgs) -> Value {
        if self.report.is_observed() && self.in_model() {
            self.tell_given_up(callee);
            self.tell_passed_over(|_| "a model calls an unknown function".to_owned());
        } else if self.report.is_observed() {
            let span = self.user_span();
            let called = callee_text(span.text());
            let reason = match callee {
                Value::Unknown(Reason::Parameter) => format!("`{called}` is a parameter without a known value"),
                Value::Unknown(Reason::Lookup(_)) if called.starts_with("self.") => {
                    format!("`{called}` is not known")
                }
                Value::Unknown(Reason::Import(_) | Reason::Standard | Reason::Lookup(_)) => {
                    format!("`{called}` has no model")
                }
                Value::Unknown(reason @ Reason::Finding) => reason.reason_text(),
                Value::Unknown(reason) => format!("`{called}` is not known: {}", reason.reason_text()),
                Value::Obj(addr) if matches!(self.object_at(*addr), Object::Function(_)) => {
                    format!("`{called}` is not followed: a limit of the analysis was reached")
                }
                _ => format!("`{called}` is not modelled"),
            };
            if let Some(observer) = &mut self.report.observer {
                observer.on_unknown(&span, &reason);
            }
            // What is given numbers and text alone cannot depend on shapes; methods of objects are told by themselves.
            let is_plain = |value: &Value| value.is_scalar_constant() || matches!(value, Value::Top(_) | Value::Dim(_));
            if !(callee.is_unknown() && args.is_exact() && args.values().all(is_plain)) {
                self.tell_passed_over(|_| reason);
            }
        }
        if self.analysis.assumes {
            // Where shapes are shown, code that is not seen is taken to leave what it is given as it is.
            self.record_may_raise();
            let span = self.user_span();
            let called = called_expression(span.text());
            let assumed = self
                .assumed_layer_result(called, args)
                .or_else(|| self.assumed_tuple_update(args))
                .or_else(|| self.assumed_entry(called, args));
            return assumed.unwrap_or(Value::Unknown(Reason::Call));
        }
        self.record_entry_points(callee, args);
        self.record_unknown_code();
        match callee {
            // It runs now, which does not mean that anybody keeps it.
            Value::Bound(bound) => {
                self.havoc_reachable(&bound.receiver);
                self.havoc_reachable(&bound.function);
            }
            _ => self.havoc_reachable(callee),
        }
        for value in args.values() {
            self.havoc_reachable(value);
            self.open_given_class(value);
        }
        self.havoc_escaped();
        self.forget_placeholders();
        match callee {
            Value::Unknown(Reason::Standard | Reason::Finding) => callee.clone(),
            _ => Value::Unknown(Reason::Call),
        }
    }

    /// Who is given a class may give it methods and attributes.
    fn open_given_class(&mut self, value: &Value) {
        let Some(addr) = value.addr() else { return };
        let is_open =
            self.class_at(addr).is_none_or(|class| class.open || class.features.is_model || class.kind.is_some());
        if !is_open {
            self.open_class(addr);
        }
    }

    /// A method works on an instance that others know, so anything that runs may fill in what it has just set to None, and
    /// may call the methods that others were given.
    fn forget_placeholders(&mut self) {
        if !self.analysis.uncalled_entry || self.in_model() {
            return;
        }
        let Some(addr) = self.current_frame().first_argument.as_ref().and_then(Value::addr) else { return };
        let Object::Instance(instance) = self.object_at(addr) else { return };
        if !instance.attrs.open {
            return;
        }
        let stores = self.current_frame().code.callback_stores();
        let is_changed = |name: &Name, value: &Value| {
            *value == Value::None || !value.is_unknown() && !stores.is_empty() && stores.contains(name)
        };
        let changed: Vec<Name> =
            instance.attrs.iter().filter(|(name, slot)| is_changed(name, &slot.value)).map(|(name, _)| name).collect();
        if changed.is_empty() {
            return;
        }
        self.change_instance(addr, |instance| {
            for name in changed {
                instance.attrs.set(name, Value::Unknown(Reason::Changed));
            }
        });
    }

    /// Runs library code for the analysed code: it raises for certain only if it has no other outcome.
    pub(crate) fn at_boundary(&mut self, f: impl FnOnce(&mut Self) -> Flow) -> Flow {
        if self.in_model() {
            return f(self);
        }
        let outer = self.run.effects.replace_open_requirements(Vec::new());
        let (result, raised) = self.capture_raises(f);
        self.run.effects.replace_open_requirements(outer);
        if let Ok(Value::Unknown(Reason::Model(why))) = &result
            && self.report.is_observed()
        {
            let span = self.user_span();
            let reason = format!("`{}`: {why}", span.text().chars().take(60).collect::<String>());
            if let Some(observer) = &mut self.report.observer {
                observer.on_lost(&span, &reason);
            }
        }
        match result {
            Ok(value) => {
                if let Some(first) = raised.first() {
                    self.record_may_raise();
                    self.tell_passed_over(|_| match &first.finding {
                        Some(finding) => format!("not decided: {}", finding.message),
                        None => "the operation may raise".to_owned(),
                    });
                }
                Ok(value)
            }
            Err(Unreachable) if self.is_exhausted() => Err(Unreachable),
            Err(Unreachable) => self.raise_captured(raised),
        }
    }

    fn is_cut(&self, addr: Addr, function: &Function, args: &CallArgs) -> bool {
        let on_stack = self.run.frames.iter().filter(|frame| frame.function == Some(addr)).count();
        let constant = args.is_exact() && args.values().all(|value| self.is_constant(value));
        // A model recurses over what a program has built (modules in modules), which ends; an Unknown has parts for ever.
        let ends = constant || function.code.is_model && args.values().any(has_built_parts);
        // In a closed world objects are there before the run begins: recursion over a tree of them ends.
        let is_over_objects =
            self.analysis.program.closed_world && args.is_exact() && args.values().all(is_one_of_known);
        let limit = if ends {
            self.analysis.limits.depth as usize
        } else if is_over_objects {
            RECURSION_OVER_OBJECTS
        } else {
            RECURSION
        };
        on_stack >= limit
            || self.run.frames.len()
                >= self.analysis.limits.depth as usize + if function.code.is_model { 20 } else { 0 }
    }

    /// Whether a value is a constant through and through.
    pub fn is_constant(&self, value: &Value) -> bool {
        self.is_constant_to(value, 8)
    }

    fn is_constant_to(&self, value: &Value, depth: u32) -> bool {
        if value.is_scalar_constant() {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let seq = match value {
            Value::Tuple(seq) => seq,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::List(seq) => seq,
                _ => return false,
            },
            _ => return false,
        };
        match seq {
            Seq::Exact(items) => items.len() <= 4_096 && items.iter().all(|item| self.is_constant_to(item, depth - 1)),
            Seq::Open(_) => false,
        }
    }

    pub(crate) fn call_function(&mut self, addr: Addr, function: &Arc<Function>, args: &CallArgs) -> Flow {
        let is_model = function.code.is_model;
        let info = function.code.scope_info(function.id);
        if is_model && let Some(kept) = self.kept_argument(function, args)? {
            return Ok(kept);
        }
        if self.is_cut(addr, function, args) {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        if is_declaration(function) {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        if !is_model && self.analysis.is_costly((function.code.module, function.id)) {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        if self.analysis.uncalled_entry
            && !is_model
            && (self.run.fuel.inlining() == 0 || !self.analysis.assumes && !self.worth_inlining(args))
        {
            if self.refuses_arguments(function, args) {
                self.bind_arguments(function, args)?;
            }
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        let Some(scope) = self.bind_arguments(function, args)? else {
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        };
        if info.is_generator {
            if info.is_async {
                // It runs whenever others await its next item, with what it was given.
                self.havoc_reachable(&Value::Obj(addr));
                for value in args.values() {
                    self.havoc_reachable(value);
                }
            }
            let source =
                if info.is_async { IterSource::Unknown } else { IterSource::Generator { function: addr, scope } };
            return Ok(self.new_object(Object::Iter(Iter { source, taken: Some(0), watched: Arc::default() })));
        }
        if info.is_async {
            return Ok(self.new_object(Object::Coroutine { function: addr, scope }));
        }
        let first = args.positional.first().cloned();
        let raises = self.run.state.certain_raises;
        let before = self.keeps_going_past(function).then(|| self.run.state.clone());
        let result = self.run_limited(addr, function, scope, first, args);
        if let (Err(Unreachable), Some(before), false) = (&result, before, self.is_exhausted()) {
            self.run.state = before;
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        if !is_model && result.is_ok() {
            if self.run.state.certain_raises > raises {
                // Every path through the call raises: there is no result, and what is done with it is no error of its own.
                return Ok(Value::Unknown(Reason::Finding));
            }
            self.record_completed(function, args);
        }
        if is_model && function.code.name.starts_with("torch") {
            self.forget_output(args);
        }
        result
    }

    /// PyTorch gives the tensor behind `out=` the shape of the result, whatever it was before.
    fn forget_output(&mut self, args: &CallArgs) {
        let Some(addr) = args.keyword("out").and_then(Value::addr) else { return };
        if matches!(self.object_at(addr), Object::Array(_)) {
            self.write_object(addr, Object::Unknown);
        }
    }

    /// Inlining pays if something is known about the arguments.
    fn worth_inlining(&self, args: &CallArgs) -> bool {
        if self.run.frames.len() > 8 {
            return false;
        }
        if args.positional.is_empty() && args.keywords.is_empty() {
            return args.is_exact() && self.run.frames.len() <= 3;
        }
        args.values().any(|value| match value {
            Value::Unknown(_) | Value::UnknownNotNone(_) => false,
            Value::Obj(addr) => match self.object_at(*addr) {
                Object::Instance(instance) => !instance.attrs.open || self.run.exact.contains(addr),
                Object::Unknown | Object::Iter(_) => false,
                _ => true,
            },
            _ => true,
        })
    }

    /// The steps that a call may take. A script whose body calls `main()` has its statements there: the call may take half of
    /// what is left, as those statements might have taken in the body itself.
    fn call_budget(&self, function: &Function) -> u64 {
        let limit = self.analysis.limits.call_fuel;
        let is_script = !self.analysis.uncalled_entry && !self.analysis.avoids_costly();
        let from_body = is_script
            && function.code.module == self.analysis.module
            && !self.run.frames.iter().any(|frame| frame.function.is_some())
            && self.run.sites.open_iterations == 0;
        let limit = if from_body { limit.max(self.run.fuel.left() / 2) } else { limit };
        // Where shapes are shown, a call that takes too long is given up alone.
        let limit = if self.analysis.assumes { limit.min(self.run.fuel.left() / 2) } else { limit };
        limit.min(self.run.fuel.inlining())
    }

    /// Runs a function's body, giving up on it alone if it takes too long.
    fn run_limited(
        &mut self,
        addr: Addr,
        function: &Arc<Function>,
        scope: Addr,
        first: Option<Value>,
        args: &CallArgs,
    ) -> Flow {
        let budget = self.call_budget(function);
        // Where shapes are shown, library code that takes too long is given up too: a walk over all modules of an open number of blocks.
        let is_unlimited = function.code.is_model && (!self.analysis.assumes || self.in_model());
        if is_unlimited || self.run.fuel.left() <= budget {
            return self.run_body(Some(addr), function, scope, first, None).map(|(value, _)| value);
        }
        let kept_back = self.run.fuel.keep_back_all_but(budget);
        let before = self.run.state.clone();
        let checkpoint = self.checkpoint();
        let result = self.run_body(Some(addr), function, scope, first, None).map(|(value, _)| value);
        if self.analysis.uncalled_entry && !self.run.frames.iter().skip(2).any(|frame| !frame.code.is_model) {
            let spent = budget - self.run.fuel.left();
            self.run.fuel.charge_inlining(spent);
        }
        self.run.fuel.give_back(kept_back);
        if self.is_exhausted() && self.run.fuel.left() > 0 {
            self.roll_back(&checkpoint);
            self.run.state = before;
            if budget == self.analysis.limits.call_fuel {
                self.analysis.record_costly((function.code.module, function.id));
            }
            return Ok(self.unknown_call(&Value::Obj(addr), args));
        }
        result
    }

    /// Runs a body in a scope whose parameters are bound; for generators, with a place for what they yield.
    pub(crate) fn run_body(
        &mut self,
        addr: Option<Addr>,
        function: &Arc<Function>,
        scope: Addr,
        first: Option<Value>,
        yields: Option<Yields>,
    ) -> Flow<(Value, Option<Yields>)> {
        let info = function.code.scope_info(function.id);
        let code = self.shared_code(&function.code);
        let chain = function.scopes.iter().copied().chain([scope]).collect();
        self.observe_call(function, first.as_ref());
        let (path, instance) = match self.run.frames.last() {
            Some(frame) => {
                let node = (u64::from(frame.node.start) << 32) | u64::from(frame.node.end);
                let called = |from: u64| (from ^ node).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(function.id.0);
                (called(frame.path), called(frame.instance))
            }
            None => (u64::from(function.id.0), u64::from(function.id.0)),
        };
        let around = self.open_branches();
        self.run.frames.push(Frame {
            code,
            id: function.id,
            chain,
            function: addr,
            class: function.class,
            first_argument: first,
            node: info.range,
            returns: None,
            loops: Vec::new(),
            path,
            instance,
            yields,
            undecided: 0,
            branches: 0,
            item_loops: 0,
            around,
            exits: 0,
            handlers: 0,
            statement: info.range,
            calls_back: false,
            excluded_branches: Vec::new(),
        });
        self.run.deepest = self.run.deepest.max(self.run.frames.len());
        if !function.code.is_model && info.kind == ScopeKind::Function {
            self.heed_parameter_hints(function, scope);
            self.observe_parameters(function, scope);
            self.record_given_arrays(function, scope);
        }
        let mut converted = Vec::new();
        let lifted = match &function.lifting {
            Some(lifting) => self.lift_arguments(lifting, scope, &mut converted),
            None => Ok(None),
        };
        let flow = match (lifted, info.body, info.expr) {
            (Err(Unreachable), ..) => Err(Unreachable),
            (Ok(Some(answer)), ..) => Ok(answer),
            (Ok(None), _, Some(expr)) => self.eval_expr(expr),
            (Ok(None), Some(body), None) => self.exec_block(body).map(|()| implicit_result(&function.code, body)),
            (Ok(None), None, None) => Ok(Value::None),
        };
        let frame = self.run.frames.pop().expect("the frame pushed above");
        let result = match (flow, frame.returns) {
            (Ok(value), None) => Ok(value),
            (Ok(value), Some((state, returned))) => {
                let here = self.run.state.clone();
                let (state, value) = self.join_valued(&state, &returned, &here, &value);
                self.run.state = state;
                Ok(value)
            }
            (Err(Unreachable), Some((state, returned))) => {
                self.run.state = state;
                Ok(returned)
            }
            (Err(Unreachable), None) => Err(Unreachable),
        };
        if !info.has_inner && !info.is_generator && info.kind != ScopeKind::Class {
            self.run.state.heap.remove(scope.0);
        }
        let value = match (&function.lifting, result) {
            (Some(lifting), Ok(value)) => self.pass_marks_on(lifting, function.name, converted, value)?,
            (_, result) => result?,
        };
        Ok((value, frame.yields))
    }

    /// What an `await` gives.
    pub(crate) fn await_value(&mut self, value: &Value) -> Flow {
        if let Some(addr) = value.addr()
            && let Object::Coroutine { function, scope } = self.object_at(addr)
        {
            let (function, scope) = (*function, *scope);
            if let Object::Function(object) = self.object_at(function).clone() {
                let first = None;
                return self.run_body(Some(function), &object, scope, first, None).map(|(value, _)| value);
            }
        }
        self.havoc_reachable(value);
        Ok(Value::Unknown(Reason::Call))
    }

    /// Runs a generator to its end and keeps what it yields.
    pub(crate) fn drain_generator(&mut self, addr: Addr, function: Addr, scope: Addr) -> Flow<Option<Seq>> {
        let Object::Function(object) = self.object_at(function).clone() else { return Ok(None) };
        // In a closed world a generator that goes through a tree of objects ends as a function does.
        let (most_on_stack, most_frames) = if self.analysis.program.closed_world {
            (RECURSION_OVER_OBJECTS, self.analysis.limits.depth as usize)
        } else {
            (1, 31)
        };
        let on_stack = self.run.frames.iter().filter(|frame| frame.function == Some(function)).count();
        if on_stack >= most_on_stack || self.run.frames.len() >= most_frames {
            self.forget_generator(function, scope);
            return Ok(None);
        }
        let before = self.run.state.clone();
        let lazily = std::mem::replace(&mut self.run.lazily, false);
        let watched = if lazily { self.watch_call(&object, scope) } else { Some(Vec::new()) };
        let kept_back = self.run.fuel.keep_back_all_but(self.analysis.limits.call_fuel);
        let result = self.run_muted(|interp| {
            let checkpoint = interp.checkpoint();
            let body =
                |interp: &mut Self| interp.run_body(Some(function), &object, scope, None, Some(Yields::default()));
            let (result, _) = interp.capture_raises(body);
            interp.run.fuel.give_back(kept_back);
            if interp.is_exhausted() {
                if interp.run.fuel.left() > 0 {
                    interp.roll_back(&checkpoint);
                }
                // It was not followed to its end: what it has yielded so far is not all.
                return Err(Unreachable);
            }
            result
        });
        // What it changes, it changes between the iterations of its consumer.
        let untimely = lazily && (watched.is_none() || self.has_changed_since(&before, Some(scope)));
        let result = if untimely { Err(Unreachable) } else { result };
        let Ok((_, Some(yields))) = result else {
            self.run.state = before;
            self.forget_generator(function, scope);
            self.write_object(
                addr,
                Object::Iter(Iter { source: IterSource::Unknown, taken: None, watched: Arc::default() }),
            );
            return Ok(None);
        };
        let seq = if yields.inexact || yields.items.len() > 4_096 {
            let element = self.any_of(&yields.items);
            self.open_seq(element)
        } else {
            Seq::exact(yields.items)
        };
        let watched = Arc::new(watched.unwrap_or_default());
        self.write_object(addr, Object::Iter(Iter { source: IterSource::Items(seq.clone()), taken: Some(0), watched }));
        Ok(Some(seq))
    }

    /// A generator has run to an unknown point: what it was given and mentions is not known any more.
    fn forget_generator(&mut self, function: Addr, scope: Addr) {
        self.havoc_reachable(&Value::Obj(function));
        let passed: Vec<Value> = match self.scope_slots(scope) {
            Some(slots) => slots.iter().map(|(_, slot)| slot.value.clone()).collect(),
            None => Vec::new(),
        };
        for value in &passed {
            self.havoc_reachable(value);
        }
    }

    /// Does something for each alternative of arguments that are one of several arrays: models see one array at a time.
    pub(crate) fn call_with_each(
        &mut self,
        args: &CallArgs,
        call: &mut dyn FnMut(&mut Self, &CallArgs) -> Flow,
    ) -> Flow {
        let several = |interp: &Self, value: &Value| {
            matches!(value, Value::Union(_)) && value.alternatives().iter().any(|one| interp.array_of(one).is_some())
        };
        if let Some(at) = args.positional.iter().position(|value| several(self, value)) {
            return self.for_each_alternative(&args.positional[at].clone(), |interp, one| {
                let mut args = args.clone();
                args.positional[at] = one.clone();
                interp.call_with_each(&args, call)
            });
        }
        if let Some(at) = args.keywords.iter().position(|(_, value)| several(self, value)) {
            return self.for_each_alternative(&args.keywords[at].1.clone(), |interp, one| {
                let mut args = args.clone();
                args.keywords[at].1 = one.clone();
                interp.call_with_each(&args, call)
            });
        }
        call(self, args)
    }
}
