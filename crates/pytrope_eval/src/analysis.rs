//! What is run of a module: its body once, then every function with unknown arguments.

mod assumed;
mod kept_keywords;
mod observe;
mod promises;
mod receivers;

use kept_keywords::unchanged_keywords;
pub use observe::observe_module;
use receivers::Receivers;

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_dims::effort;
use pytrope_source::TextRange;
use pytrope_source::tree::{Parameters, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, ScopeId, ScopeKind};
use crate::interp::{Addresses, Analysis, Frame, Interp, Limits, Run, RunReport, RunResult};
use crate::lazy::{RequiredOf, Requirement};
use crate::names::Name;
use crate::object::{Array, Class, Function, Instance, Iter, Mapping, Object, Slots};
use crate::program::dependencies::Dependencies;
use crate::program::{EvaluatedModule, FrozenHeap, Program, module_scope};
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};

/// Steps that all decisions about sizes may take in an uncalled function.
const SEARCH: u64 = 10_000;

/// Makes a module's own scope, with what every module has in it, and enters it.
fn enter_module(interp: &mut Interp<'_>, code: &Arc<Code>) -> Addr {
    let scope = module_scope(code.module);
    let mut slots = Slots::default();
    // The module of an entry is imported, as the others are; elsewhere it may be run as a script.
    let is_imported = code.is_model || interp.analysis.program.closed_world;
    slots.set(Name::NAME, if is_imported { Value::str(&code.name) } else { Value::Top(BuiltinType::Str) });
    for name in [Name::FILE, Name::DOC, Name::PACKAGE, Name::SPEC, Name::LOADER, Name::BUILTINS, Name::PATH] {
        slots.set(name, Value::Unknown(Reason::Lookup(name)));
    }
    interp.run.state.set(scope, Object::Scope(slots));
    interp.run.frames.push(Frame::of_module(code, scope));
    scope
}

/// Runs a module's body.
pub(crate) fn evaluate_module(program: &Program, code: &Arc<Code>) -> EvaluatedModule {
    let mut limits = Limits::default();
    if code.is_model {
        limits.fuel = 20_000_000;
    } else if program.closed_world {
        // What a registry or a table of configurations holds is what the entry is made from.
        limits =
            Limits { fuel: 10_000_000, loop_iterations: 20_000, loop_fuel: 10_000_000, call_fuel: 1_000_000, ..limits };
    } else if is_of_package(code) {
        // What they compute on import is seldom what matters.
        limits = Limits { fuel: 50_000, loop_iterations: 30, loop_fuel: 4_000, call_fuel: 400, ..limits };
    } else {
        limits = Limits::of_script();
    }
    let mut analysis = Analysis::new(program, code.module, limits);
    analysis.possible = program.possible && !code.is_model;
    if !code.is_model && is_of_package(code) {
        analysis.avoid_costly();
    }
    let mut run = Run::new(&limits, Addresses::of_module(program, code.module));
    let travels = program.closed_world && !code.is_model;
    if travels {
        run.state.heap = program.take_heap();
    }
    let mut interp = Interp::new(analysis, run);
    let scope = enter_module(&mut interp, code);
    let flow = effort::limited(u64::MAX, || interp.exec_block(code.tree.body()));
    let exhausted = interp.is_exhausted();
    if flow.is_err() {
        // The body does not end normally (or the analysis gave up): later names are not known.
        let mut slots = match interp.object_at(scope) {
            Object::Scope(slots) => slots.clone(),
            _ => Slots::default(),
        };
        if exhausted {
            let names: Vec<Name> = slots.iter().map(|(name, _)| name).collect();
            for name in names {
                slots.set(name, Value::Unknown(Reason::Limit));
            }
        }
        slots.open = true;
        interp.run.state.set(scope, Object::Scope(slots));
    }
    let own = interp.run.state.heap.iter().filter(|(key, _)| Addr(*key).module() == code.module);
    // What a module says it exports is not a container for others to fill.
    let exported = match interp.object_at(scope) {
        Object::Scope(slots) => slots.get(Name::ALL).and_then(|slot| slot.value.addr()),
        _ => None,
    };
    let all_kept = code.is_model || program.closed_world;
    let unchanged = if all_kept { FxHashSet::default() } else { unchanged_keywords(&interp) };
    let heap = FrozenHeap::of(own.map(|(key, object)| {
        let kept = all_kept || exported == Some(Addr(key)) || unchanged.contains(&Addr(key));
        (Addr(key), if kept { object.clone() } else { general_object(&interp, object) })
    }));
    let complete = match interp.object_at(scope) {
        Object::Scope(slots) => !slots.open && (!code.is_model || slots.get(Name::COMPLETE).is_some()),
        _ => false,
    };
    let globals = match heap.get(scope) {
        Some(Object::Scope(slots)) => slots.iter().map(|(name, slot)| (name, slot.value.clone())).collect(),
        _ => FxHashMap::default(),
    };
    let has_ended = flow.is_ok() && !exhausted && !code.is_model;
    let import_failure = interp.report.failure_of_body(interp.run.state.certain_raises).filter(|_| has_ended);
    let defined = interp.run.definitions.functions.iter().map(|addr| interp.current_address(*addr)).collect();
    let Interp { run, report, .. } = interp;
    let reported = report.into_reported();
    if travels {
        let mut rest = run.state.heap.clone();
        for (key, _) in run.state.heap.iter().filter(|(key, _)| Addr(*key).module() == code.module) {
            rest.remove(key);
        }
        program.hand_heap_over(rest);
    }
    EvaluatedModule {
        code: Arc::clone(code),
        scope,
        heap,
        globals,
        symbols: run.symbols,
        complete,
        reported,
        import_failure,
        defined,
        given_away: run.escape.definitions,
        not_judged: run.definitions.not_judged,
        next_addr: run.addresses.next,
        exhausted,
        dependencies: Dependencies::default(),
    }
}

/// Modules of packages define things for others, and there are many of them; scripts do things.
fn is_of_package(code: &Code) -> bool {
    code.is_package || code.name.contains('.')
}

/// An object as other modules, and functions called later, may find it: what it holds may have changed.
fn general_object(interp: &Interp<'_>, object: &Object) -> Object {
    let unknown = || Value::Unknown(Reason::Changed);
    match object {
        Object::List(_) => {
            let len = Value::Dim(pytrope_dims::Dim::symbol(crate::symbols::fresh_natural()));
            Object::List(Seq::open(Vec::new(), unknown(), len))
        }
        Object::Dict(_) => Object::Dict(Mapping::unknown_entries()),
        Object::Set(_) => Object::Set(Mapping::unknown_entries()),
        Object::Instance(instance) => {
            let class = instance.class.addr().and_then(|addr| interp.class_at(addr));
            if class.is_some_and(|class| is_library_object(class) || class.features.enumeration) {
                return object.clone();
            }
            let attrs = Slots { open: true, ..Slots::default() };
            Object::Instance(Arc::new(Instance { class: instance.class.clone(), attrs, content: None }))
        }
        Object::Array(array) => Object::Array(Arc::new(Array { values: None, ..Array::clone(array) })),
        Object::Iter(iter) => Object::Iter(Iter { taken: None, ..iter.clone() }),
        Object::Scope(_)
        | Object::FrozenSet(_)
        | Object::Class(_)
        | Object::Function(_)
        | Object::Module(_)
        | Object::Property(_)
        | Object::StaticMethod(_)
        | Object::ClassMethod(_)
        | Object::Super { .. }
        | Object::Coroutine { .. }
        | Object::Unknown => object.clone(),
    }
}

/// Whether a class is a library's (a layer, say) and its instances stay what they are; containers are there to be changed.
fn is_library_object(class: &Class) -> bool {
    let is_container = class.code.as_ref().is_some_and(|(code, _)| &*code.name == "collections");
    class.features.is_model && !is_container
}

/// What comes out of the functions of a module, each called with unknown arguments.
pub fn analyse_functions(program: &Program, frozen: &EvaluatedModule, limits: Limits, possible: bool) -> RunResult {
    let mut all = RunResult::default();
    let mut analysis = uncalled_analysis(program, frozen, limits);
    analysis.possible = possible;
    if is_of_package(&frozen.code) {
        analysis.avoid_costly();
    }
    let base = uncalled_run(program, frozen, &analysis.limits);
    let mut receivers = Receivers::default();
    let mut interp = Interp::new(analysis, base.clone());
    for &addr in &frozen.defined {
        interp.begin_run(base.clone(), RunReport::default());
        if is_inner(&interp, addr) {
            // It is analysed with the function around it, whose arguments are unknown too.
            continue;
        }
        let made = receivers.run_for(&interp, addr, || uncalled_analysis(program, frozen, limits), &base).cloned();
        if !possible && receivers.passed.contains(&addr) {
            // What goes well for this class's own instance cannot fail for every one of its subclasses' too.
            continue;
        }
        if let Some(made) = made {
            interp.begin_run(made, RunReport::default());
        }
        effort::limited(SEARCH, || interp.call_unknown(addr, 0));
        all.absorb(std::mem::take(&mut interp.report).into_reported());
    }
    all
}

/// A name that is not defined is reported once in a scope, at its first use; comprehensions and lambdas belong to the scope
/// around them.
pub fn names_once(code: &Code, findings: &mut Vec<Finding>) {
    let scope_of = |range: TextRange| {
        let around = code.scopes.iter().filter(|(_, scope)| {
            matches!(scope.kind, ScopeKind::Function | ScopeKind::Class)
                && scope.range.start <= range.start
                && range.end <= scope.range.end
        });
        around.min_by_key(|(_, scope)| scope.range.end - scope.range.start).map(|(at, _)| at)
    };
    let is_name = |finding: &Finding| finding.rule.id == "undefined-name";
    if findings.iter().filter(|finding| is_name(finding)).count() < 2 {
        return;
    }
    let mut first: FxHashMap<(Option<ScopeId>, String), u32> = FxHashMap::default();
    for finding in findings.iter().filter(|finding| is_name(finding)) {
        let start = finding.primary.range.start;
        let place = first.entry((scope_of(finding.primary.range), finding.message.clone())).or_insert(start);
        *place = start.min(*place);
    }
    findings.retain(|finding| {
        let start = finding.primary.range.start;
        !is_name(finding)
            || first.get(&(scope_of(finding.primary.range), finding.message.clone())).is_none_or(|at| *at == start)
    });
}

/// Whether the program says that a function fails, or is not run: `@XFAIL`, `@skip`, `assert_raises(ValueError, f)`.
fn is_meant_to_fail(function: &Function) -> bool {
    let code = &function.code;
    let info = code.scope_info(function.id);
    if info.name.is_some_and(|name| code.scopes.expected_to_fail.contains(name)) {
        return true;
    }
    let Some(StmtKind::FunctionDef(definition)) = info.stmt.map(|stmt| code.tree[stmt].kind) else { return false };
    code.tree[definition.decorators].iter().any(|&decorator| {
        // `not_yet = pytest.mark.xfail(…)`, and then `@not_yet`.
        let named = code.tree.as_name(decorator).and_then(|name| {
            code.tree[code.tree.body()].iter().find_map(|&stmt| match code.tree[stmt].kind {
                StmtKind::Assign { targets, value }
                    if code.tree[targets].iter().any(|&target| code.tree.as_name(target) == Some(name)) =>
                {
                    Some(value)
                }
                _ => None,
            })
        });
        let text = code.file.slice(code.tree[named.unwrap_or(decorator)].range).to_lowercase();
        ["xfail", "expectedfail", "knownfail", "expected_fail", "skip"].iter().any(|word| text.contains(word))
    })
}

/// Whether a function of a file of tests is there to be handed to what is tested, which may well refuse it.
fn is_material(function: &Function) -> bool {
    let code = &function.code;
    let info = code.scope_info(function.id);
    let Some(StmtKind::FunctionDef(definition)) = info.stmt.map(|stmt| code.tree[stmt].kind) else { return false };
    let path = code.file.path();
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    code.is_test
        && file.starts_with("test")
        && code.tree[definition.decorators].is_empty()
        && info.name.is_some_and(|name| code.scopes.handed_on.contains(name))
}

/// Whether a function is defined inside another one.
fn is_inner(interp: &Interp<'_>, addr: Addr) -> bool {
    let Object::Function(function) = interp.object_at(addr) else { return true };
    let code = &function.code;
    let mut at = code.scope_info(function.id).parent;
    while at != ScopeId::MODULE {
        if matches!(code.scope_info(at).kind, ScopeKind::Function | ScopeKind::Lambda) {
            return true;
        }
        at = code.scope_info(at).parent;
    }
    false
}

/// The analysis of uncalled functions.
fn uncalled_analysis<'w>(program: &'w Program, frozen: &EvaluatedModule, limits: Limits) -> Analysis<'w> {
    // One function among many: a small part of what a module may use, and few exact iterations of its loops.
    let mut own = Limits {
        fuel: limits.fuel / 20,
        loop_iterations: limits.loop_iterations.min(12),
        loop_fuel: limits.loop_fuel / 10,
        call_fuel: limits.call_fuel / 5,
        ..limits
    };
    if is_of_package(&frozen.code) {
        own.call_fuel = limits.call_fuel / 40;
        own.inlining = limits.fuel / 100;
    }
    let mut analysis = Analysis::new(program, frozen.code.module, own);
    analysis.uncalled_entry = true;
    analysis
}

/// The run that each function begins with: the module's globals are as any function may find them.
fn uncalled_run(program: &Program, frozen: &EvaluatedModule, limits: &Limits) -> Run {
    let addresses = Addresses::of_module(program, frozen.code.module);
    let mut run = Run::new(limits, addresses);
    run.symbols = frozen.symbols.clone();
    run.frames.push(Frame::of_module(&frozen.code, frozen.scope));
    let analysis = Analysis::new(program, frozen.code.module, *limits);
    let mut interp = Interp::new(analysis, run.clone());
    interp.generalise_scope(frozen.scope, ScopeId::MODULE);
    run.state.heap = interp.run.state.heap;
    run.symbols = interp.run.symbols;
    run.addresses = interp.run.addresses;
    run
}

impl Interp<'_> {
    /// Forgets what code that runs at another time may have changed: names bound more than once, contents of containers.
    fn generalise_scope(&mut self, scope: Addr, id: ScopeId) {
        let code = self.current_code();
        let Some(slots) = self.scope_slots(scope).cloned() else { return };
        let mut general = slots.clone();
        let repeated: rustc_hash::FxHashSet<Name> =
            code.scope_info(id).repeated.iter().map(|name| code.name_of(*name)).collect();
        let rebound: rustc_hash::FxHashSet<Name> =
            code.scopes.rebound_globals.iter().map(|name| code.name_of(name)).collect();
        for (name, slot) in slots.iter() {
            // A global that is None is a placeholder that is filled in later, if only through `setattr`.
            let stable = slot.definite
                && slot.value != Value::None
                && !repeated.contains(&name)
                && !(id == ScopeId::MODULE && rebound.contains(&name));
            if stable {
                self.havoc_unless_modelled(&slot.value);
            } else {
                general.set(name, Value::Unknown(Reason::Changed));
            }
        }
        self.run.state.set(scope, Object::Scope(general));
    }

    /// Containers and instances may have been changed by anyone; functions, classes and modules are left, and so are
    /// instances of model classes (layers, say).
    fn havoc_unless_modelled(&mut self, value: &Value) {
        let stays = |interp: &Self, addr: Addr| match interp.object_at(addr) {
            Object::Instance(instance) => {
                let class = instance.class.addr().and_then(|addr| interp.class_at(addr));
                class.is_some_and(|class| is_library_object(class))
            }
            _ => false,
        };
        match value {
            Value::Obj(addr)
                if matches!(self.object_at(*addr), Object::Function(_) | Object::Class(_) | Object::Module(_)) => {}
            Value::Obj(_) | Value::Tuple(_) | Value::Bound(_) | Value::Method(_) | Value::Union(_) => {
                self.havoc_except(value, &stays);
            }
            _ => {}
        }
    }

    /// Runs a function with unknown arguments, then the functions it defines.
    fn call_unknown(&mut self, addr: Addr, depth: u32) {
        if depth > 6 {
            return;
        }
        let Object::Function(function) = self.object_at(addr).clone() else { return };
        let code = Arc::clone(&function.code);
        let info = code.scope_info(function.id);
        // A function that another module's decorator made belongs to that module.
        if info.kind == ScopeKind::Lambda || code.module != self.analysis.module {
            return;
        }
        let Some(parameters) = info.parameters else { return };
        let is_judged = !is_meant_to_fail(&function) && !is_material(&function) && !self.is_not_judged(function.id);
        if !is_judged && !self.analysis.assumes {
            return;
        }
        let before = self.run.state.clone();
        let entry = self.checkpoint();
        let first_defined = self.run.definitions.functions.len();
        // The observer sees only the run with the most facts.
        let reported = self.report.findings().len();
        let observer = self.report.observer.take();
        let is_observed = observer.is_some();
        let mut required = self.run_with_requirements(Some(addr), &function, parameters, &[]);
        self.end_entry(&entry);
        self.report.observer = observer;
        if is_observed || required.as_ref().is_some_and(|required| !required.is_empty()) {
            self.report.withdraw_findings(reported);
            self.run.state = before.clone();
            self.run.definitions.functions.truncate(first_defined);
            let met = required.unwrap_or_default();
            required = self.run_with_requirements(Some(addr), &function, parameters, &met);
            self.end_entry(&entry);
        }
        if self.run.hints.left_open {
            let after = std::mem::replace(&mut self.run.state, before.clone());
            self.try_open_choices(addr, &function, parameters, required.as_deref().unwrap_or_default());
            self.run.state = after;
        }
        let inner: Vec<Addr> = self.run.definitions.functions.split_off(first_defined);
        // What a test defines is its material: it is judged where the test calls it in the open.
        // What it returns to a decorator that is not modelled may be compiled in its own way.
        if required.is_some() && !code.is_test && !self.is_given_away(function.id) {
            let mut seen = rustc_hash::FxHashSet::default();
            for addr in inner {
                let addr = self.current_address(addr);
                let Object::Function(defined) = self.object_at(addr) else { continue };
                if defined.code.module != code.module
                    || !seen.insert(defined.id)
                    || defined.code.scope_info(defined.id).kind == ScopeKind::Lambda
                {
                    continue;
                }
                let scopes = Arc::clone(&defined.scopes);
                let mut id = defined.id;
                let saved = self.run.state.clone();
                for scope in scopes.iter().rev() {
                    id = code.scope_info(id).parent;
                    if id != ScopeId::MODULE {
                        self.generalise_scope(*scope, id);
                    }
                }
                self.call_unknown(addr, depth + 1);
                self.run.state = saved;
            }
        }
        self.run.state = before;
    }

    /// Whether a library compiles a function of this module, or its decorator catches what it raises.
    fn is_not_judged(&self, function: ScopeId) -> bool {
        self.run.definitions.not_judged.contains(&function)
            || self
                .analysis
                .program
                .evaluated_module(self.analysis.module)
                .is_some_and(|frozen| frozen.not_judged.contains(&function))
    }

    /// Whether a decorator that is not modelled was given a function of this module.
    fn is_given_away(&self, function: ScopeId) -> bool {
        self.run.escape.definitions.contains(&function)
            || self
                .analysis
                .program
                .evaluated_module(self.analysis.module)
                .is_some_and(|frozen| frozen.given_away.contains(&function))
    }

    /// A scope in which nothing is known of a function's parameters but what is required of them, and what hints say.
    fn unknown_arguments(
        &mut self,
        function: &Arc<Function>,
        parameters: Parameters,
        required: &[(RequiredOf, Requirement)],
    ) -> Addr {
        let code = Arc::clone(&function.code);
        let mut slots = Slots::default();
        let mut hinted = Vec::new();
        let is_method = function.class.is_some() && !self.is_static(function);
        let mut first = true;
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &code.tree[list] {
                let name = code.name_of(parameter.name.name);
                let value = match function.class {
                    Some(class) if first && is_method && name == Name::SELF => self.unknown_receiver(function, class),
                    _ => {
                        let value = self.lazy_parameter(name);
                        let own = |(of, _): &&(RequiredOf, Requirement)| *of == RequiredOf::Parameter(name);
                        let required: Vec<_> = required.iter().filter(own).map(|(_, required)| required).collect();
                        if self.analysis.assumes && !(first && is_method) {
                            self.assumed_parameter(function, parameter, &value, &required)
                        } else {
                            for requirement in required {
                                self.meet_requirement(&value, requirement);
                            }
                            value
                        }
                    }
                };
                first = false;
                slots.set(name, value);
                if let Some(annotation) = parameter.annotation {
                    hinted.push((name, annotation));
                }
            }
        }
        let mut spread = None;
        if let Some(vararg) = parameters.vararg {
            spread = vararg.annotation.map(|annotation| (code.name_of(vararg.name.name), annotation));
            let seq = self.open_seq(Value::Unknown(Reason::Parameter));
            slots.set(code.name_of(vararg.name.name), Value::Tuple(seq));
        }
        if let Some(kwarg) = parameters.kwarg {
            let unknown = Value::Unknown(Reason::Parameter);
            let open = Some(Arc::new((unknown.clone(), unknown)));
            let dict = self.new_dict(Mapping { entries: Arc::default(), open });
            slots.set(code.name_of(kwarg.name.name), dict);
        }
        let scope = self.allocate_object(Object::Scope(slots));
        if !hinted.is_empty() || spread.is_some() {
            // Shape hints are read in the scope of the function, where named dimensions live.
            let mut chain = function.scopes.to_vec();
            chain.push(scope);
            let mut frame = Frame::of_module(&code, scope);
            frame.id = function.id;
            frame.chain = Arc::from(chain);
            self.run.frames.push(frame);
            self.run.hints.promises = true;
            for (name, annotation) in hinted {
                if !crate::hints::may_be_shape_hint(&code, annotation) {
                    continue;
                }
                let hint = self.eval_annotation(annotation);
                if let Some(value) = self.value_of_hint(&hint) {
                    self.bind_in(scope, name, value);
                }
            }
            if let Some((name, annotation)) = spread
                && crate::hints::may_be_shape_hint(&code, annotation)
            {
                let hint = self.eval_annotation(annotation);
                if let Some(value) = self.unknown_vararg(&hint) {
                    self.bind_in(scope, name, value);
                }
            }
            self.run.hints.promises = false;
            self.run.frames.pop();
        }
        scope
    }

    /// Runs a function with parameters of which no more is known than what is required of them. What a call that ends
    /// normally requires; nothing if none does.
    fn run_with_requirements(
        &mut self,
        addr: Option<Addr>,
        function: &Arc<Function>,
        parameters: Parameters,
        required: &[(RequiredOf, Requirement)],
    ) -> Option<Vec<(RequiredOf, Requirement)>> {
        for (of, requirement) in required {
            if let RequiredOf::Receiver(addr) = of {
                self.meet_requirement(&Value::Unknown(Reason::Lazy(*addr)), requirement);
            }
        }
        let scope = self.unknown_arguments(function, parameters, required);
        let given = self.scope_slots(scope)?.clone();
        let before = self.run.state.clone();
        let first = self.first_parameter(function, scope);
        let yields = function.code.scope_info(function.id).is_generator.then(crate::interp::Yields::default);
        self.run_body(addr, function, scope, first, yields).ok()?;
        Some(self.requirements_since(&before, &given))
    }

    /// Reads a function by itself, for the ranks that it needs its parameters to have.
    fn learn_taken_ranks(&mut self, addr: Addr) {
        let Object::Function(function) = self.object_at(addr).clone() else { return };
        let Some(parameters) = function.code.scope_info(function.id).parameters else { return };
        if function.code.module != self.analysis.module {
            return;
        }
        if let Some(mut required) = self.run_with_requirements(Some(addr), &function, parameters, &[]) {
            required.retain(|(of, _)| {
                matches!(of, RequiredOf::Parameter(name) if !assumed::unpacks_several_ranks(&function, *name))
            });
            self.record_taken_ranks(function.id, &required);
        }
    }

    fn first_parameter(&self, function: &Function, scope: Addr) -> Option<Value> {
        let parameters = function.code.scope_info(function.id).parameters?;
        let list = if parameters.positional_only.is_empty() { parameters.regular } else { parameters.positional_only };
        let first = function.code.tree[list].first()?;
        let name = function.code.name_of(first.name.name);
        self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone())
    }

    fn is_static(&self, function: &Function) -> bool {
        let code = &function.code;
        let Some(stmt) = code.scope_info(function.id).stmt else { return false };
        let StmtKind::FunctionDef(definition) = code.tree[stmt].kind else { return false };
        code.tree[definition.decorators]
            .iter()
            .any(|&decorator| code.tree.dotted(decorator).is_some_and(|parts| parts.last() == Some(&"staticmethod")))
    }

    /// `self`, or `cls`, of a method that is called from nowhere we see.
    fn unknown_receiver(&mut self, function: &Function, class: Addr) -> Value {
        let code = &function.code;
        let mut is_class_method = function.name.text() == "__new__"
            || function.name.text() == "__init_subclass__"
            || function.name.text() == "__class_getitem__";
        if let Some(stmt) = code.scope_info(function.id).stmt
            && let StmtKind::FunctionDef(definition) = code.tree[stmt].kind
        {
            for &decorator in &code.tree[definition.decorators] {
                match code.tree.dotted(decorator) {
                    Some(parts) if parts.last() == Some(&"classmethod") => is_class_method = true,
                    Some(parts) if parts.len() == 1 && parts[0] == "property" => {}
                    Some(parts)
                        if matches!(parts.last(), Some(&"setter" | &"getter" | &"abstractmethod" | &"override")) => {}
                    // Where shapes are shown, decorators are taken to keep what they decorate.
                    _ if self.analysis.assumes => {}
                    // An unknown decorator may call it with anything.
                    _ => return Value::Unknown(Reason::Parameter),
                }
            }
        }
        let metaclass = self.mro_of(class).iter().any(|base| *base == Addr::of_builtin(BuiltinType::Type));
        if is_class_method || metaclass {
            return Value::Unknown(Reason::Parameter);
        }
        if let Some((made, value)) = &self.run.receiver
            && *made == class
        {
            return value.clone();
        }
        self.new_instance(class, true)
    }
}
