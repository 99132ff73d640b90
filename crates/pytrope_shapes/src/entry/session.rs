//! An entry evaluated in its module's namespace, and runs of it from the same state with different arguments.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use pytrope_dims::ThreeValued;
use pytrope_dims::{Dim, Formula, Sym};
use pytrope_eval::code::Code;
use pytrope_eval::interp::{Frame, ObserverPair, Raised};
use pytrope_eval::object::{Entries, Entry, Function, Key, Mapping, Object, Slots};
use pytrope_eval::{
    Addr, Addresses, Analysis, CallArgs, Cond, EvaluatedModule, Interp, Limits, ModuleRequest, ModuleSource, Name,
    Observer, OpenTail, Program, Reason, Run, RunReport, Seq, Shape, Value, symbols,
};
use pytrope_source::tree::{Parameter, StmtKind};
use pytrope_source::{ScopedTree, SourceFile, Span, parse};
use pytrope_trie::Pair;
use rustc_hash::FxHashSet;

use super::error::{EntryEnd, EntryError};
use super::expression::Expression;

/// Steps one run may take.
const FUEL: u64 = 60_000_000;

/// How often a loop whose condition is decided goes round.
const ITERATIONS: u32 = 20_000;

/// Frames one run may have.
const DEPTH: u32 = 200;

/// What is passed for one parameter.
#[derive(Clone, Debug)]
pub enum EntryArgument {
    /// The parameter keeps its default.
    Omitted,
    Unknown,
    Constant(Value),
    /// A tensor with these sizes, of a dtype where that is said.
    Tensor(Vec<Dim>, Option<&'static str>),
    /// A tensor of unknown rank.
    Unranked,
    List(Vec<EntryArgument>),
    Tuple(Vec<EntryArgument>),
    Dict(Vec<(String, EntryArgument)>),
}

impl EntryArgument {
    /// The same, where it is a tensor with elements of this type.
    pub fn with_dtype(&self, dtype: &'static str) -> Self {
        match self {
            Self::Tensor(dims, _) => Self::Tensor(dims.clone(), Some(dtype)),
            other => other.clone(),
        }
    }
}

/// The symbols of sizes, what each is at least, and what else holds of them.
#[derive(Clone, Copy, Default)]
pub struct SizeFacts<'a> {
    pub sizes: &'a [(Sym, i64)],
    pub assumed: &'a [Formula],
}

fn condition_of(formula: &Formula) -> Cond {
    match formula {
        Formula::Constraint(constraint) => Cond::Atom(constraint.clone()),
        Formula::And(parts) => Cond::All(parts.iter().map(condition_of).collect()),
        Formula::Or(parts) => Cond::Any(parts.iter().map(condition_of).collect()),
    }
}

/// How a run ended.
pub enum SessionOutcome {
    /// The result, and the exceptions that leave the entry under conditions that are not decided.
    Returned(Value, Vec<Raised>),
    Raised(Vec<Raised>),
    /// An assumption cannot hold.
    Contradiction(String),
    OutOfFuel,
}

/// The entry, ready to be run.
pub struct EntrySession<'w> {
    pub interp: Interp<'w>,
    /// The point behind the evaluation of the entry, where every run of it begins.
    base: Run,
    callee: Value,
    tensor_class: Value,
    /// The function whose parameters are typed.
    pub function: Arc<Function>,
    /// Whether its first parameter is the receiver.
    pub is_method: bool,
    assumptions: Vec<(Value, Vec<String>, String)>,
    scope: Addr,
    /// Whether `*args` and `**kwargs` of the entry may be given anything; else they are empty.
    pub open_arguments: bool,
    /// Objects that runs have changed, with what is the same before and after.
    changed: Vec<(u64, Object)>,
    /// What was called while the entry was made, and is not modelled.
    pub unmodelled: Vec<(Span, String)>,
    /// What was computed while the entry was made, with a result that is not known.
    pub lost: Vec<(Span, String)>,
}

impl<'w> EntrySession<'w> {
    /// Gives the entry arrays of another class than PyTorch's, if there is a model of it.
    pub fn pass_arrays_of(&mut self, module: &str, class: &str) {
        if let Some(class) = class_named(self.interp.analysis.program, module, class) {
            self.tensor_class = class;
        }
    }

    /// Evaluates an entry in a module's namespace.
    pub fn open_entry(
        program: &'w Program,
        module: &str,
        entry: &Expression,
        assumptions: &[Expression],
    ) -> Result<Self, EntryError> {
        Self::open_observed(program, module, entry, assumptions, None)
    }

    /// The same for a client that wants to see how the entry is made.
    pub fn open_observed(
        program: &'w Program,
        module: &str,
        entry: &Expression,
        assumptions: &[Expression],
        observer: Option<Box<dyn Observer + 'w>>,
    ) -> Result<Self, EntryError> {
        let frozen = match program.load_module(module) {
            ModuleRequest::EvaluatedModule(frozen) => frozen,
            ModuleRequest::InProgress(_) | ModuleRequest::Missing => {
                return Err(EntryError::Module(format!("there is no module `{module}`")));
            }
        };
        if frozen.exhausted {
            return Err(EntryError::Module(format!("evaluating `{module}` took too long")));
        }
        let mut interp = fresh_interp(program, frozen);
        let driver = driver_code(frozen, entry, assumptions);
        interp.run.frames.push(Frame::of_module(&driver, frozen.scope));
        let recorder = RunRecorder::default();
        interp.report.observer = Some(match observer {
            Some(other) => Box::new(ObserverPair(Box::new(recorder.clone()), other)),
            None => Box::new(recorder.clone()),
        });
        let (flow, raised) = interp.capture_raises(|interp| interp.exec_block(driver.tree.body()));
        if flow.is_err() {
            return Err(EntryError::Unmade(entry.shown.clone(), end_of(&interp, &raised)));
        }
        let tensor_class = class_named(program, "torch._tensor", "Tensor").unwrap_or(Value::Unknown(Reason::Call));
        let mut value = read_global(&interp, frozen.scope, "__pytrope_entry__").unwrap_or(Value::Unknown(Reason::Call));
        if let Some(addr) = value.addr()
            && interp.class_at(addr).is_some()
        {
            let (made, raised) = interp.capture_raises(|interp| interp.call_value(&value, CallArgs::none()));
            value = made.map_err(|_| {
                EntryError::Entry(format!(
                    "`{}` cannot be constructed without arguments: {}",
                    entry.shown,
                    end_of(&interp, &raised)
                ))
            })?;
        }
        interp.report.observer = None;
        let Recording { unknowns: unmodelled, lost, first_lost, .. } = recorder.0.take();
        let (function, is_method) = callable_signature(&mut interp, &value).ok_or_else(|| {
            let lost = first_lost.iter().chain(&unmodelled).chain(&lost).next();
            EntryError::Entry(explain_no_entry(&interp, &entry.shown, &value, lost))
        })?;
        let parameters = parameter_names(&function);
        for assumption in assumptions {
            for name in assumption.read_names() {
                let known = parameters.contains(&name)
                    || read_global(&interp, frozen.scope, &name).is_some()
                    || program.builtin_value(Name::new(&name)).is_some();
                if !known {
                    return Err(EntryError::Entry(format!(
                        "`{name}` is not a parameter of the entry, whose parameters are: {}",
                        parameters.iter().filter(|name| *name != "self").cloned().collect::<Vec<_>>().join(", ")
                    )));
                }
            }
        }
        let assumptions = assumptions
            .iter()
            .enumerate()
            .filter_map(|(index, assumption)| {
                let function = read_global(&interp, frozen.scope, &format!("__pytrope_assume_{index}__"))?;
                Some((function, assumption.read_names(), assumption.text.clone()))
            })
            .collect();
        let base = interp.run.clone().with_full_fuel(&interp.analysis.limits);
        Ok(Self {
            interp,
            base,
            callee: value,
            tensor_class,
            function,
            is_method,
            assumptions,
            scope: frozen.scope,
            open_arguments: false,
            changed: Vec::new(),
            unmodelled,
            lost,
        })
    }

    /// Forgets whether modules train: both are possible for a model once it is made.
    pub fn forget_mode(&mut self) {
        let training = Name::new("training");
        let modules: Vec<(u64, Arc<pytrope_eval::object::Instance>)> = self
            .base
            .state
            .heap
            .iter()
            .filter_map(|(key, object)| match object {
                Object::Instance(instance) if instance.attrs.get(training).is_some() => Some((key, instance.clone())),
                _ => None,
            })
            .collect();
        for (key, mut instance) in modules {
            Arc::make_mut(&mut instance).attrs.set(training, Value::Top(pytrope_eval::BuiltinType::Bool));
            self.base.state.heap.insert(key, Object::Instance(instance));
        }
    }

    /// Runs the functions that code which is not seen may call, with nothing known of what they are given.
    /// False when that does not come to an end.
    pub fn run_escaped(&mut self, observer: Box<dyn Observer + 'w>) -> bool {
        self.interp.report.observer = Some(observer);
        // What a method does depends on its object.
        let mut seen: FxHashSet<(Addr, Option<Addr>)> = FxHashSet::default();
        while let Some((state, value)) = self.interp.take_entry_point() {
            let (function, receiver) = match &value {
                Value::Bound(bound) => (bound.function.addr(), bound.receiver.addr()),
                other => (other.addr(), None),
            };
            if !function.is_some_and(|addr| seen.insert((addr, receiver))) {
                continue;
            }
            self.interp.run.state = state;
            let args = CallArgs { more_positional: Some(OpenTail::Anything), more_keywords: true, ..CallArgs::none() };
            let _ = self.interp.capture_raises(|interp| interp.call_value(&value, args));
            if self.interp.is_exhausted() {
                break;
            }
            self.note_changes();
        }
        self.interp.report.observer = None;
        !self.interp.is_exhausted()
    }

    /// Writes down what the state that was reached has changed of what a run begins with.
    pub fn note_changes(&mut self) {
        let program = self.interp.analysis.program;
        let reached = &self.interp.run.state.heap;
        let mut changed: Vec<(u64, Object)> = Vec::new();
        self.base.state.heap.for_each_difference(reached, &mut |key, pair| match pair {
            Pair::Both(before, after) if before != after => changed.push((key, forget_difference(before, after))),
            Pair::Right(after) => {
                if let Some(before) = program.frozen_object(Addr(key)).filter(|before| *before != after) {
                    changed.push((key, forget_difference(before, after)));
                }
            }
            Pair::Both(..) | Pair::Left(_) => {}
        });
        self.changed.extend(changed);
    }

    /// What later calls find: everything that one call or the code that may run beside it changes is not known. False where
    /// nothing is changed that is not known already.
    pub fn begin_with_changes(&mut self) -> bool {
        let mut is_new = false;
        for (key, object) in std::mem::take(&mut self.changed) {
            let known = self.base.state.heap.get(key).or_else(|| self.interp.analysis.program.frozen_object(Addr(key)));
            let merged = known.map_or_else(|| object.clone(), |known| forget_difference(known, &object));
            if known != Some(&merged) {
                is_new = true;
                self.base.state.heap.insert(key, merged);
            }
        }
        is_new
    }

    /// The parameters of the entry, without a receiver.
    pub fn entry_parameters(&self) -> Vec<Parameter> {
        let code = &self.function.code;
        let Some(parameters) = code.scope_info(self.function.id).parameters else { return Vec::new() };
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        lists.iter().flat_map(|list| code.tree[*list].iter().copied()).skip(usize::from(self.is_method)).collect()
    }

    /// Whether the entry is a function without any parameters.
    pub fn takes_nothing(&self) -> bool {
        !self.is_method && parameter_names(&self.function).is_empty()
    }

    /// The name of the parameter that takes any number of arguments.
    pub fn takes_any_number(&self) -> Option<String> {
        let code = &self.function.code;
        let vararg = code.scope_info(self.function.id).parameters?.vararg?;
        Some(code.tree.text(vararg.name.name).to_owned())
    }

    pub fn name_of(&self, parameter: &Parameter) -> &str {
        self.function.code.tree.text(parameter.name.name)
    }

    /// A new symbol for a size, shown by this name.
    pub fn size(&mut self, name: &str) -> (Sym, Dim) {
        let sym = symbols::fresh_symbol();
        self.base.symbols.set(sym, name);
        (sym, Dim::symbol(sym))
    }

    /// Variables that a size is bound to do not change the name it is shown by.
    pub fn pin_name(&mut self, size: Sym) {
        self.base.symbols.pin(size);
    }

    /// Runs the entry from its first state, whatever ran before; `sizes` are the symbols of sizes and what holds
    /// of them.
    pub fn run_entry(
        &mut self,
        arguments: &[EntryArgument],
        sizes: &SizeFacts<'_>,
        dynamic: FxHashSet<Sym>,
        observer: Box<dyn Observer + 'w>,
        assumed: &mut dyn FnMut(&Cond, &str),
    ) -> SessionOutcome {
        self.interp.begin_run(self.base.clone().with_dynamic(dynamic), RunReport::default());
        for (sym, smallest) in sizes.sizes {
            self.interp.run.state.store.declare(*sym, i128::from(*smallest));
        }
        for formula in sizes.assumed {
            self.interp.assume_condition(&condition_of(formula));
        }
        let parameters = self.entry_parameters();
        let mut values: Vec<(String, Option<Value>, bool)> = Vec::new();
        let keyword_from = self.positional_count();
        for (position, (parameter, argument)) in parameters.iter().zip(arguments).enumerate() {
            let value = self.value_of(argument);
            values.push((self.name_of(parameter).to_owned(), value, position >= keyword_from));
        }
        // Assumptions come first: they say which inputs are meant.
        for index in 0..self.assumptions.len() {
            if let Some(outcome) = self.assume_expression(index, &values, assumed) {
                return outcome;
            }
        }
        self.interp.report.observer = Some(observer);
        let mut args = CallArgs::none();
        let mut gap = false;
        for (name, value, keyword_only) in values {
            match value {
                None => gap = true,
                Some(value) if gap || keyword_only => args.keywords.push((Name::new(&name), value)),
                Some(value) => args.positional.push(value),
            }
        }
        for argument in arguments.iter().skip(parameters.len()) {
            let more = self.value_of(argument);
            args.positional.extend(more);
        }
        // What else may be passed is not known.
        if let Some(parameters) = self.function.code.scope_info(self.function.id).parameters {
            if parameters.vararg.is_some() && self.open_arguments {
                args.more_positional = Some(OpenTail::Anything);
            }
            args.more_keywords |= parameters.kwarg.is_some() && self.open_arguments;
        }
        let callee = self.callee.clone();
        let (result, raised) = self.interp.capture_raises(|interp| interp.call_value(&callee, args));
        self.interp.report.observer = None;
        if self.interp.is_exhausted() {
            return SessionOutcome::OutOfFuel;
        }
        match result {
            Ok(value) => SessionOutcome::Returned(value, raised),
            Err(_) => SessionOutcome::Raised(raised),
        }
    }

    fn positional_count(&self) -> usize {
        let code = &self.function.code;
        let Some(parameters) = code.scope_info(self.function.id).parameters else { return 0 };
        parameters.positional_only.len() + parameters.regular.len() - usize::from(self.is_method)
    }

    fn value_of(&mut self, argument: &EntryArgument) -> Option<Value> {
        let dtype = Value::Unknown(Reason::Parameter);
        let class = self.tensor_class.clone();
        match argument {
            EntryArgument::Omitted => None,
            EntryArgument::Unknown => Some(Value::Unknown(Reason::Parameter)),
            EntryArgument::Constant(value) => Some(value.clone()),
            EntryArgument::Tensor(dims, said) => {
                let dtype = said.map_or(dtype, Value::str);
                Some(self.interp.new_array(class, Shape::known(dims.clone()), dtype, None))
            }
            EntryArgument::Unranked => Some(self.interp.new_array(class, Shape::unknown(), dtype, None)),
            EntryArgument::List(items) => {
                let items = items.iter().filter_map(|item| self.value_of(item)).collect();
                Some(self.interp.new_list(items))
            }
            EntryArgument::Tuple(items) => {
                Some(Value::tuple(items.iter().filter_map(|item| self.value_of(item)).collect()))
            }
            EntryArgument::Dict(entries) => {
                let entry = |(name, item): &(String, EntryArgument)| {
                    let (key, value) = (Value::str(name), self.value_of(item)?);
                    Some((Key::Str(name.as_str().into()), Entry { key, value, definite: true }))
                };
                let entries: Entries = entries.iter().filter_map(entry).collect();
                Some(self.interp.new_dict(Mapping { entries: Arc::new(entries), open: None }))
            }
        }
    }

    fn assume_expression(
        &mut self,
        index: usize,
        values: &[(String, Option<Value>, bool)],
        assumed: &mut dyn FnMut(&Cond, &str),
    ) -> Option<SessionOutcome> {
        let (function, names, text) = self.assumptions[index].clone();
        let passed = names.iter().map(|name| {
            let own = values.iter().find(|(known, ..)| known == name).and_then(|(_, value, _)| value.clone());
            let own = own.or_else(|| (name == "self" && self.is_method).then(|| self.callee.clone()));
            own.or_else(|| read_global(&self.interp, self.scope, name))
                .or_else(|| self.interp.analysis.program.builtin_value(Name::new(name)))
                .unwrap_or(Value::Unknown(Reason::Parameter))
        });
        let args = CallArgs::of(passed.collect());
        let contradiction = || Some(SessionOutcome::Contradiction(format!("`{text}` cannot hold")));
        let (result, raised) = self.interp.capture_raises(|interp| {
            let value = interp.call_value(&function, args)?;
            interp.truth_of(&value)
        });
        match result {
            Err(_) => {
                let why = raised
                    .first()
                    .and_then(|raised| raised.finding.as_ref())
                    .map_or_else(String::new, |finding| format!(": {}", finding.message));
                Some(SessionOutcome::Contradiction(format!("`{text}` cannot hold{why}")))
            }
            Ok(ThreeValued::True) => None,
            Ok(ThreeValued::False) => contradiction(),
            Ok(ThreeValued::Open(cond)) => {
                assumed(&cond, &text);
                if self.interp.assume_condition(&cond) { None } else { contradiction() }
            }
        }
    }

    /// The definition of the entry's function in its file.
    pub fn entry_definition(&self) -> Option<pytrope_source::tree::FunctionDefinition> {
        let code = &self.function.code;
        match code.tree[code.scope_info(self.function.id).stmt?].kind {
            StmtKind::FunctionDef(function) => Some(function),
            _ => None,
        }
    }
}

/// An object of which one call leaves another one: what both have in common is known, and nothing else.
fn forget_difference(before: &Object, after: &Object) -> Object {
    let unknown = || Value::Unknown(Reason::Changed);
    let merge_slots = |before: &Slots, after: &Slots| {
        let mut merged = before.clone();
        merged.open |= after.open;
        for (name, slot) in before.iter() {
            if after.get(name) != Some(slot) {
                merged.set(name, unknown());
            }
        }
        // A name that is bound later is not there in the first call.
        merged.open |= after.iter().any(|(name, _)| before.get(name).is_none());
        merged
    };
    match (before, after) {
        (Object::Instance(before), Object::Instance(after)) => {
            let mut merged = (**before).clone();
            merged.attrs = merge_slots(&before.attrs, &after.attrs);
            if before.content != after.content {
                merged.content = None;
            }
            Object::Instance(Arc::new(merged))
        }
        (Object::Scope(before), Object::Scope(after)) => Object::Scope(merge_slots(before, after)),
        (Object::Class(before), Object::Class(after)) => {
            let mut merged = (**before).clone();
            merged.attrs = merge_slots(&before.attrs, &after.attrs);
            Object::Class(Arc::new(merged))
        }
        (Object::Array(before), Object::Array(after)) => {
            let mut merged = (**before).clone();
            if before.shape != after.shape {
                merged.shape = Shape::unknown();
                merged.rank = None;
            }
            if before.dtype != after.dtype {
                merged.dtype = unknown();
            }
            merged.values = None;
            merged.attrs = merge_slots(&before.attrs, &after.attrs);
            Object::Array(Arc::new(merged))
        }
        // Of one that has been changed before nothing is known already.
        (Object::List(Seq::Open(open)), _) if open.prefix.is_empty() && open.element.is_unknown() => before.clone(),
        (Object::List(_), _) => {
            let len = Value::Dim(Dim::symbol(symbols::fresh_natural()));
            Object::List(Seq::open(Vec::new(), unknown(), len))
        }
        (Object::Dict(_), _) => Object::Dict(Mapping::unknown_entries()),
        (Object::Set(_), _) => Object::Set(Mapping::unknown_entries()),
        (before, after) if before == after => before.clone(),
        _ => Object::Unknown,
    }
}

/// The name of the text that the entry is evaluated in.
pub(crate) const COMMAND_LINE: &str = "<command line>";

/// Why an entry cannot be called, for people: what it is, or where it was lost.
fn explain_no_entry(interp: &Interp<'_>, entry: &str, value: &Value, lost: Option<&(Span, String)>) -> String {
    let (Value::Unknown(reason) | Value::UnknownNotNone(reason)) = value else {
        let shown = interp.show_value(value);
        return format!("`{entry}` is neither a function nor a model, which has a `forward` or `call`: it is {shown}");
    };
    let first = lost.map_or_else(String::new, |(span, why)| {
        let line = span.start().position.line;
        format!("; the first value that is not known is at {}:{line}: {why}", span.file.path())
    });
    format!("the value of `{entry}` is unknown: {}{first}", reason.reason_text())
}

/// What ended an evaluation, for people.
fn end_of(interp: &Interp<'_>, raised: &[Raised]) -> EntryEnd {
    let without_exception = |message: &str| EntryEnd { class: String::new(), message: message.to_owned(), place: None };
    if interp.is_exhausted() {
        return without_exception("the analysis ran out of steps");
    }
    let Some(last) = raised.last() else { return without_exception("it does not end") };
    let class = last.class.and_then(|class| interp.class_at(class));
    let class = class.map_or_else(|| "an exception".to_owned(), |class| class.name.to_string());
    let Some(finding) = &last.finding else { return EntryEnd { class, message: String::new(), place: None } };
    // What is wrong in the entry itself needs no place: it is on the command line, in full.
    let path = finding.primary.file.path();
    let line = finding.primary.start().position.line;
    let place = (path != COMMAND_LINE).then(|| (path.to_owned(), line));
    EntryEnd { class, message: finding.message.clone(), place }
}

fn fresh_interp<'w>(program: &'w Program, frozen: &EvaluatedModule) -> Interp<'w> {
    let limits = Limits {
        fuel: FUEL,
        call_fuel: FUEL,
        loop_fuel: FUEL,
        depth: DEPTH,
        loop_iterations: ITERATIONS,
        ..Limits::default()
    };
    let module = frozen.code.module;
    let mut run = Run::new(&limits, Addresses::of_module(program, module));
    run.symbols = frozen.symbols.clone();
    run.state.heap = program.shared_heap();
    Interp::new(Analysis::new(program, module, limits), run)
}

/// The code that evaluates the entry and holds the assumptions as functions.
fn driver_code(frozen: &EvaluatedModule, entry: &Expression, assumptions: &[Expression]) -> Arc<Code> {
    let mut text = format!("__pytrope_entry__ = (\n{}\n)\n", entry.text);
    for (index, assumption) in assumptions.iter().enumerate() {
        text.push_str(&format!(
            "def __pytrope_assume_{index}__({}): return (\n{}\n)\n",
            assumption.read_names().join(", "),
            assumption.text
        ));
    }
    let file = SourceFile::from_text(COMMAND_LINE, text);
    let parsed = parse(&file);
    let scoped = ScopedTree::of(parsed.tree, &file);
    let source = ModuleSource { file, is_package: false, is_model: false };
    Arc::new(Code::new(frozen.code.module, &frozen.code.name, source, scoped))
}

fn read_global(interp: &Interp<'_>, scope: Addr, name: &str) -> Option<Value> {
    match interp.object_at(scope) {
        Object::Scope(slots) => slots.get(Name::new(name)).map(|slot| slot.value.clone()),
        _ => None,
    }
}

/// The names of all parameters, a receiver and those for any number of arguments included.
fn parameter_names(function: &Function) -> Vec<String> {
    let code = &function.code;
    let Some(parameters) = code.scope_info(function.id).parameters else { return Vec::new() };
    let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
    let named = lists.iter().flat_map(|list| code.tree[*list].iter().map(|one| one.name));
    let rest = parameters.vararg.iter().chain(&parameters.kwarg).map(|one| one.name);
    named.chain(rest).map(|name| code.tree.text(name.name).to_owned()).collect()
}

fn class_named(program: &Program, module: &str, name: &str) -> Option<Value> {
    let ModuleRequest::EvaluatedModule(frozen) = program.load_module(module) else { return None };
    match frozen.heap.get(frozen.scope)? {
        Object::Scope(slots) => slots.get(Name::new(name)).map(|slot| slot.value.clone()),
        _ => None,
    }
}

/// The function that is called behind decorators that take anything and say what they wrap: its parameters are those of the
/// entry.
///
/// ```python
/// def logged(function):
///     @functools.wraps(function)
///     def wrapper(*args, **kwargs): ...
/// ```
fn wrapped_function(interp: &Interp<'_>, mut function: Arc<Function>) -> Arc<Function> {
    const MOST_WRAPPERS: usize = 16;
    for _ in 0..MOST_WRAPPERS {
        let takes_anything = function
            .code
            .scope_info(function.id)
            .parameters
            .is_some_and(|parameters| parameters.vararg.is_some() && parameters.kwarg.is_some());
        let wrapped = function.attrs.get(Name::WRAPPED).filter(|slot| takes_anything && slot.definite);
        let Some(Object::Function(inner)) = wrapped.and_then(|slot| Some(interp.object_at(slot.value.addr()?))) else {
            break;
        };
        function = Arc::clone(inner);
    }
    function
}

/// The function that a call of the value ends in, and whether it is a method.
fn callable_signature(interp: &mut Interp<'_>, value: &Value) -> Option<(Arc<Function>, bool)> {
    let function_at = |interp: &Interp<'_>, value: &Value| match interp.object_at(value.addr()?) {
        Object::Function(function) => Some(wrapped_function(interp, Arc::clone(function))),
        _ => None,
    };
    match value {
        Value::Bound(bound) => function_at(interp, &bound.function).map(|function| (function, true)),
        Value::Obj(_) => {
            if let Some(function) = function_at(interp, value) {
                return Some((function, false));
            }
            let class = interp.class_of(value)?;
            let method = |name| {
                let (method, _) = interp.find_in_mro(class, Name::new(name))?;
                function_at(interp, &method)
            };
            if let Some(forward) = method("forward") {
                return Some((forward, true));
            }
            let called = method("__call__")?;
            // What takes anything gives it on: layers of Keras to `call`.
            let parameters = called.code.scope_info(called.id).parameters;
            let takes_anything = parameters.is_some_and(|list| list.vararg.is_some() && list.kwarg.is_some());
            let inner = if takes_anything { method("call") } else { None };
            Some((inner.unwrap_or(called), true))
        }
        _ => None,
    }
}

/// What a client wrote down while the entry ran.
#[derive(Default)]
pub struct Recording {
    /// Requirements that were not proved, and what was not known, in the order they were met.
    pub events: Vec<RunEvent>,
    pub unknowns: Vec<(Span, String)>,
    /// Modelled operations whose result is not known.
    pub lost: Vec<(Span, String)>,
    /// The first name that was bound to something of which nothing is known.
    pub first_lost: Option<(Span, String)>,
    /// Where the program raises by itself.
    pub raises: Vec<Span>,
}

/// Something that keeps a run from being a proof.
pub enum RunEvent {
    Requirement(RecordedRequirement),
    /// Something of which nothing is known was used.
    Unknown(Span, String),
}

/// A requirement that was not proved.
#[derive(Clone)]
pub struct RecordedRequirement {
    pub formula: Option<Formula>,
    pub span: Span,
    pub message: String,
    /// Every run of the entry gets there.
    pub certain: bool,
}

/// How many unknown values are written down; the first ones explain the rest.
const NOTED_UNKNOWNS: usize = 64;

impl Recording {
    fn note_unknown(&mut self, span: &Span, reason: &str) {
        if self.events.iter().filter(|event| matches!(event, RunEvent::Unknown(..))).take(NOTED_UNKNOWNS).count()
            < NOTED_UNKNOWNS
        {
            self.events.push(RunEvent::Unknown(span.clone(), reason.to_owned()));
        }
    }
}

/// Writes requirements down.
#[derive(Clone, Default)]
pub struct RunRecorder(pub Rc<RefCell<Recording>>);

impl Observer for RunRecorder {
    fn on_require(&mut self, event: &pytrope_eval::RequireEvent<'_>) {
        if event.verdict != pytrope_dims::ThreeValued::True {
            self.0.borrow_mut().events.push(RunEvent::Requirement(RecordedRequirement {
                formula: formula_of(event.condition),
                span: event.span.clone(),
                message: event.message.to_owned(),
                certain: event.certain,
            }));
        }
    }

    fn on_unknown(&mut self, span: &Span, reason: &str) {
        self.0.borrow_mut().unknowns.push((span.clone(), reason.to_owned()));
    }

    fn on_passed_over(&mut self, span: &Span, reason: &str) {
        self.0.borrow_mut().note_unknown(span, reason);
    }

    fn on_assert(&mut self, span: &Span, condition: &Cond) {
        self.0.borrow_mut().events.push(RunEvent::Requirement(RecordedRequirement {
            formula: formula_of(condition),
            span: span.clone(),
            message: format!("`{}`", span.text().lines().next().unwrap_or_default()),
            certain: true,
        }));
    }

    fn on_raise(&mut self, span: &Span) {
        self.0.borrow_mut().raises.push(span.clone());
    }

    fn on_bind(&mut self, event: &pytrope_eval::interp::BindEvent<'_>) {
        let mut recording = self.0.borrow_mut();
        if let (Some(reason), None) = (event.reason, &recording.first_lost)
            && event.span.file.path() != COMMAND_LINE
        {
            let why = format!("`{}` is not known: {}", event.name, reason.reason_text());
            recording.first_lost = Some((event.span.clone(), why));
        }
    }

    fn on_lost(&mut self, span: &Span, reason: &str) {
        // It matters where a rule needs it, which is told by itself.
        self.0.borrow_mut().lost.push((span.clone(), reason.to_owned()));
    }
}

/// A condition as a formula; `None` where a part of it is opaque.
pub fn formula_of(cond: &Cond) -> Option<Formula> {
    cond.formula()
}
