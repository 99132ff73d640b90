//! What is run of a module: its body once, then every function with unknown arguments.

mod observe;

pub use observe::observe;

use std::sync::Arc;

use pytrope_diagnostics::Finding;
use pytrope_dims::effort;
use pytrope_source::TextRange;
use pytrope_source::tree::{Parameters, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, ScopeId, ScopeKind, SharedCode};
use crate::interp::{Frame, Interp, Limits};
use crate::names::Name;
use crate::native::CallArgs;
use crate::object::{Array, Class, Function, Instance, Iter, Mapping, Object, Slots};
use crate::program::{EvaluatedModule, FrozenHeap, Program};
use crate::state::State;
use crate::symbols::SymbolNames;
use crate::value::{Addr, BuiltinType, Reason, Seq, Value};
use pytrope_trie::Trie;

/// Steps that all decisions about sizes may take in a function nobody calls.
const SEARCH: u64 = 10_000;

/// The number of a module's own scope.
const MODULE_SCOPE: u32 = 999;

fn module_frame(code: &Arc<Code>, scope: Addr) -> Frame {
    Frame {
        code: SharedCode::new(code),
        id: ScopeId::MODULE,
        chain: Arc::new(vec![scope]),
        function: None,
        class: None,
        first_argument: None,
        node: TextRange::new(0, 0),
        returns: None,
        loops: Vec::new(),
        path: 0,
        instance: 0,
        yields: None,
        undecided: 0,
        branches: 0,
        around: 0,
        exits: 0,
        statement: TextRange::new(0, 0),
        excluded_branches: Vec::new(),
    }
}

/// Makes a module's own scope, with what every module has in it, and enters it.
fn enter_module(interp: &mut Interp<'_>, code: &Arc<Code>) -> Addr {
    let scope = Addr::new(code.module, MODULE_SCOPE);
    let mut slots = Slots::default();
    slots.set(Name::NAME, if code.is_model { Value::str(&code.name) } else { Value::Top(BuiltinType::Str) });
    for name in [Name::FILE, Name::DOC, Name::PACKAGE, Name::SPEC, Name::LOADER, Name::BUILTINS, Name::PATH] {
        slots.set(name, Value::Unknown(Reason::Lookup(name)));
    }
    interp.state.set(scope, Object::Scope(slots));
    interp.frames.push(module_frame(code, scope));
    scope
}

/// Runs a module's body.
pub(crate) fn evaluate_module(program: &Program, code: &Arc<Code>) -> EvaluatedModule {
    let mut interp = Interp::new(program, code.module);
    if code.is_model {
        interp.limits.fuel = 20_000_000;
        interp.fuel = interp.limits.fuel;
    } else if is_of_package(code) {
        // What they compute on import is seldom what matters.
        interp.limits = Limits { fuel: 50_000, loop_iterations: 30, loop_fuel: 4_000, call_fuel: 400, ..interp.limits };
        interp.fuel = interp.limits.fuel;
        interp.costly = Some(FxHashSet::default());
    }
    interp.possible = program.possible && !code.is_model;
    let scope = enter_module(&mut interp, code);
    let flow = effort::limited(u64::MAX, || interp.block(code.tree.body()));
    let exhausted = interp.exhausted;
    if flow.is_err() {
        // The body does not end normally (or the analysis gave up): later names are not known.
        let mut slots = match interp.object(scope) {
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
        interp.state.set(scope, Object::Scope(slots));
    }
    let own = interp.state.heap.iter().filter(|(key, _)| Addr(*key).module() == code.module);
    let heap = FrozenHeap::of(own.map(|(key, object)| {
        let kept = code.is_model || program.closed_world;
        (Addr(key), if kept { object.clone() } else { general_object(&interp, object) })
    }));
    let complete = match interp.object(scope) {
        Object::Scope(slots) => !slots.open && (!code.is_model || slots.get(Name::COMPLETE).is_some()),
        _ => false,
    };
    let globals = match heap.get(scope) {
        Some(Object::Scope(slots)) => slots.iter().map(|(name, slot)| (name, slot.value.clone())).collect(),
        _ => FxHashMap::default(),
    };
    let defined = interp.defined.iter().map(|addr| interp.latest(*addr)).collect();
    EvaluatedModule {
        code: Arc::clone(code),
        scope,
        heap,
        globals,
        symbols: interp.symbols,
        complete,
        findings: interp.findings,
        caught: interp.caught,
        defined,
        given_away: interp.given_away,
        compiled: interp.compiled,
        next_addr: interp.next_addr,
        model_bugs: interp.model_bugs,
        exhausted,
    }
}

/// Modules of packages define things for others, and there are many of them; scripts do things.
fn is_of_package(code: &Code) -> bool {
    code.is_package || code.name.contains('.')
}

/// An object as other modules, and functions called later, may find it: what it holds may have changed.
fn general_object(interp: &Interp<'_>, object: &Object) -> Object {
    let unknown = || Value::Unknown(Reason::Changed);
    let anything = || Mapping { entries: Arc::default(), open: Some(Arc::new((unknown(), unknown()))) };
    match object {
        Object::List(_) => {
            let len = Value::Dim(pytrope_dims::Dim::symbol(crate::symbols::fresh_natural()));
            Object::List(Seq::open(Vec::new(), unknown(), len))
        }
        Object::Dict(_) => Object::Dict(anything()),
        Object::Set(_) => Object::Set(anything()),
        Object::Instance(instance) => {
            let class = instance.class.addr().and_then(|addr| interp.class(addr));
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

/// The findings in functions of a module, each called with unknown arguments.
pub fn analyse_functions(
    program: &Program,
    frozen: &EvaluatedModule,
    limits: Limits,
    possible: bool,
) -> (Vec<Finding>, Vec<String>) {
    let mut findings = Vec::new();
    let mut bugs = Vec::new();
    let base = general_state(program, frozen);
    let mut receivers: FxHashMap<Addr, Option<Receiver>> = FxHashMap::default();
    let mut passed: FxHashSet<Addr> = FxHashSet::default();
    let mut costly = is_of_package(&frozen.code).then(FxHashSet::default);
    for &addr in &frozen.defined {
        let mut interp = uncalled_entry(program, frozen, &base, limits);
        interp.costly = costly.take();
        if is_inner(&interp, addr) {
            // It is analysed with the function around it, whose arguments are unknown too.
            costly = interp.costly;
            continue;
        }
        if let Object::Function(function) = interp.object(addr).clone()
            && let Some(class) = function.class
        {
            let made = receivers.entry(class).or_insert_with(|| {
                let interp = uncalled_entry(program, frozen, &base, limits);
                let (made, clean) = effort::limited(SEARCH, || construct(interp, class));
                passed.extend(clean);
                made
            });
            if !possible && passed.contains(&addr) {
                // What goes well for this class's own instance cannot fail for every one of its subclasses' too.
                costly = interp.costly;
                continue;
            }
            if let Some(made) = made
                && function.name != Name::INIT
            {
                interp.state = made.state.clone();
                interp.symbols = made.symbols.clone();
                interp.next_addr = made.next_addr;
                interp.receiver = Some((class, made.value.clone()));
            }
        }
        interp.possible = possible;
        effort::limited(SEARCH, || interp.call_unknown(addr, 0));
        // What somebody in the module calls and catches is a question, not an error.
        interp.findings.retain(|finding| !frozen.caught.contains(&(finding.primary.range, finding.rule.id)));
        costly = interp.costly;
        findings.append(&mut interp.findings);
        bugs.append(&mut interp.model_bugs);
    }
    (findings, bugs)
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
    let info = code.scope(function.id);
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
    let info = code.scope(function.id);
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
    let Object::Function(function) = interp.object(addr) else { return true };
    let code = &function.code;
    let mut at = code.scope(function.id).parent;
    while at != ScopeId::MODULE {
        if matches!(code.scope(at).kind, ScopeKind::Function | ScopeKind::Lambda) {
            return true;
        }
        at = code.scope(at).parent;
    }
    false
}

/// An instance made by its class's constructor with unknown arguments, and the state around it.
struct Receiver {
    state: State,
    symbols: SymbolNames,
    next_addr: u32,
    value: Value,
}

/// Runs a class's constructor; also gives the constructor if nothing failed in it and it defines no functions, which
/// would be analysed after it.
fn construct(mut interp: Interp<'_>, class: Addr) -> (Option<Receiver>, Option<Addr>) {
    let Some((init, instance)) = run_constructor(&mut interp, class) else { return (None, None) };
    let clean = init.filter(|_| interp.findings.is_empty() && interp.defined.is_empty());
    (receiver(interp, class, &instance), clean)
}

/// The constructor, if it is a program's, and the instance it has made.
fn run_constructor(interp: &mut Interp<'_>, class: Addr) -> Option<(Option<Addr>, Value)> {
    let (init, _) = interp.find_in_mro(class, Name::INIT)?;
    let instance = interp.new_instance(class, false);
    interp.receiver = Some((class, instance.clone()));
    let Object::Function(function) = interp.object(init.addr()?).clone() else { return None };
    let parameters = function.code.scope(function.id).parameters?;
    if function.code.is_model {
        let takes_more = parameters.vararg.is_some()
            || parameters.positional_only.len() + parameters.regular.len() > 1
            || !parameters.keyword_only.is_empty();
        if takes_more {
            // What a library keeps of arguments nobody has seen is not known.
            return None;
        }
        interp.call(&init, CallArgs::of(vec![instance.clone()])).ok()?;
        return (!interp.exhausted).then_some((None, instance));
    }
    let scope = interp.unknown_arguments(&function, parameters);
    let first = interp.first_parameter(&function, scope);
    interp.run_body(init.addr(), &function, scope, first, None).ok()?;
    (!interp.exhausted).then_some((init.addr(), instance))
}

/// Of an instance what no other code can have changed since it was made.
fn receiver(mut interp: Interp<'_>, class: Addr, instance: &Value) -> Option<Receiver> {
    let name = Name::new(&interp.class(class)?.name);
    let mut object = interp.instance(instance)?.clone();
    let slots: Vec<(Name, crate::object::Slot)> =
        object.attrs.iter().map(|(name, slot)| (name, slot.clone())).collect();
    let set_once = interp.program.set_once(name, slots.iter().map(|(attribute, _)| *attribute));
    for (attribute, slot) in slots {
        let stays = slot.definite && slot.value != Value::None && set_once.contains(&attribute);
        if !stays {
            object.attrs.set(attribute, Value::Unknown(Reason::Changed));
        }
        interp.havoc_unless_modelled(&slot.value);
    }
    object.attrs.open = true;
    interp.state.set(instance.addr()?, Object::Instance(Arc::new(object)));
    Some(Receiver {
        state: interp.state,
        symbols: interp.symbols,
        next_addr: interp.next_addr,
        value: instance.clone(),
    })
}

/// The module's globals as any function may find them.
struct General {
    heap: Trie<Object>,
    symbols: SymbolNames,
    next_addr: u32,
}

fn general_state(program: &Program, frozen: &EvaluatedModule) -> General {
    let mut interp = Interp::new(program, frozen.code.module);
    interp.next_addr = frozen.next_addr;
    interp.first_addr = frozen.next_addr;
    interp.symbols = frozen.symbols.clone();
    interp.frames.push(module_frame(&frozen.code, frozen.scope));
    interp.generalise(frozen.scope, ScopeId::MODULE);
    General { heap: interp.state.heap, symbols: interp.symbols, next_addr: interp.next_addr }
}

fn uncalled_entry<'w>(program: &'w Program, frozen: &EvaluatedModule, base: &General, limits: Limits) -> Interp<'w> {
    let mut interp = Interp::new(program, frozen.code.module);
    // One function among many: a small part of what a module may use, and few exact iterations of its loops.
    interp.limits = Limits {
        fuel: limits.fuel / 20,
        loop_iterations: limits.loop_iterations.min(12),
        loop_fuel: limits.loop_fuel / 10,
        call_fuel: limits.call_fuel / 5,
        ..limits
    };
    if is_of_package(&frozen.code) {
        interp.limits.call_fuel = limits.call_fuel / 40;
        interp.limits.inlining = limits.fuel / 100;
    }
    interp.fuel = interp.limits.fuel;
    interp.uncalled_entry = true;
    interp.state.heap = base.heap.clone();
    interp.symbols = base.symbols.clone();
    interp.next_addr = base.next_addr;
    interp.first_addr = frozen.next_addr;
    interp.frames.push(module_frame(&frozen.code, frozen.scope));
    interp
}

impl Interp<'_> {
    /// Forgets what code that runs at another time may have changed: names bound more than once, contents of containers.
    fn generalise(&mut self, scope: Addr, id: ScopeId) {
        let code = self.code();
        let Some(slots) = self.scope_slots(scope).cloned() else { return };
        let mut general = slots.clone();
        let repeated: rustc_hash::FxHashSet<Name> =
            code.scope(id).repeated.iter().map(|name| code.name_of(*name)).collect();
        let rebound: rustc_hash::FxHashSet<Name> =
            code.scopes.rebound_globals.iter().map(|name| code.name_of(name)).collect();
        for (name, slot) in slots.iter() {
            // A global that is None is a placeholder: somebody will fill it in, if only through `setattr`.
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
        self.state.set(scope, Object::Scope(general));
    }

    /// Containers and instances may have been changed by anyone; functions, classes and modules are left, and so are
    /// instances of model classes (layers, say).
    fn havoc_unless_modelled(&mut self, value: &Value) {
        let stays = |interp: &Self, addr: Addr| match interp.object(addr) {
            Object::Instance(instance) => {
                let class = instance.class.addr().and_then(|addr| interp.class(addr));
                class.is_some_and(|class| is_library_object(class))
            }
            _ => false,
        };
        match value {
            Value::Obj(addr)
                if matches!(self.object(*addr), Object::Function(_) | Object::Class(_) | Object::Module(_)) => {}
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
        let Object::Function(function) = self.object(addr).clone() else { return };
        let code = Arc::clone(&function.code);
        let info = code.scope(function.id);
        // A function that another module's decorator made belongs to that module.
        if info.kind == ScopeKind::Lambda || code.module != self.module {
            return;
        }
        let Some(parameters) = info.parameters else { return };
        if is_meant_to_fail(&function) || is_material(&function) || self.is_compiled(function.id) {
            return;
        }
        let before = self.state.clone();
        let fuel = self.fuel;
        let first_defined = self.defined.len();
        let scope = self.unknown_arguments(&function, parameters);
        let yields = info.is_generator.then(crate::interp::Yields::default);
        let first = self.first_parameter(&function, scope);
        let frames = self.frames.len();
        let catchers = self.catchers.len();
        let mute = self.mute;
        let visits = self.visits_mark();
        let result = self.run_body(Some(addr), &function, scope, first, yields);
        self.frames.truncate(frames);
        self.catchers.truncate(catchers);
        self.mute = mute;
        self.visits_reset(visits);
        self.sites = crate::interp::Sites::default();
        self.exhausted = false;
        self.fuel = fuel;
        let inner: Vec<Addr> = self.defined.split_off(first_defined);
        // What a test defines is its material: it is judged where the test calls it in the open.
        // What it returns to a decorator that is not modelled may be compiled in its own way.
        if result.is_ok() && !code.is_test && !self.is_given_away(function.id) {
            let mut seen = rustc_hash::FxHashSet::default();
            for addr in inner {
                let addr = self.latest(addr);
                let Object::Function(defined) = self.object(addr) else { continue };
                if defined.code.module != code.module
                    || !seen.insert(defined.id)
                    || defined.code.scope(defined.id).kind == ScopeKind::Lambda
                {
                    continue;
                }
                let scopes = Arc::clone(&defined.scopes);
                let mut id = defined.id;
                let saved = self.state.clone();
                for scope in scopes.iter().rev() {
                    id = code.scope(id).parent;
                    if id != ScopeId::MODULE {
                        self.generalise(*scope, id);
                    }
                }
                self.call_unknown(addr, depth + 1);
                self.state = saved;
            }
        }
        self.state = before;
    }

    /// Whether a library compiles a function of this module.
    fn is_compiled(&self, function: ScopeId) -> bool {
        self.compiled.contains(&function)
            || self.program.frozen(self.module).is_some_and(|frozen| frozen.compiled.contains(&function))
    }

    /// Whether a decorator that is not modelled was given a function of this module.
    fn is_given_away(&self, function: ScopeId) -> bool {
        self.given_away.contains(&function)
            || self.program.frozen(self.module).is_some_and(|frozen| frozen.given_away.contains(&function))
    }

    fn unknown_arguments(&mut self, function: &Arc<Function>, parameters: Parameters) -> Addr {
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
                    _ => Value::Unknown(Reason::Parameter),
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
        let scope = self.alloc(Object::Scope(slots));
        if !hinted.is_empty() || spread.is_some() {
            // Shape hints are read in the scope of the function, where named dimensions live.
            let mut chain = function.scopes.to_vec();
            chain.push(scope);
            let mut frame = module_frame(&code, scope);
            frame.id = function.id;
            frame.chain = Arc::new(chain);
            self.frames.push(frame);
            for (name, annotation) in hinted {
                if !crate::hints::may_be_shape_hint(&code, annotation) {
                    continue;
                }
                let hint = self.annotation(annotation);
                if let Some(value) = self.value_of_hint(&hint) {
                    self.bind_in(scope, name, value);
                }
            }
            if let Some((name, annotation)) = spread
                && crate::hints::may_be_shape_hint(&code, annotation)
            {
                let hint = self.annotation(annotation);
                if let Some(value) = self.unknown_vararg(&hint) {
                    self.bind_in(scope, name, value);
                }
            }
            self.frames.pop();
        }
        scope
    }

    fn first_parameter(&self, function: &Function, scope: Addr) -> Option<Value> {
        let parameters = function.code.scope(function.id).parameters?;
        let list = if parameters.positional_only.is_empty() { parameters.regular } else { parameters.positional_only };
        let first = function.code.tree[list].first()?;
        let name = function.code.name_of(first.name.name);
        self.scope_slots(scope).and_then(|slots| slots.get(name)).map(|slot| slot.value.clone())
    }

    fn is_static(&self, function: &Function) -> bool {
        let code = &function.code;
        let Some(stmt) = code.scope(function.id).stmt else { return false };
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
        if let Some(stmt) = code.scope(function.id).stmt
            && let StmtKind::FunctionDef(definition) = code.tree[stmt].kind
        {
            for &decorator in &code.tree[definition.decorators] {
                match code.tree.dotted(decorator) {
                    Some(parts) if parts.last() == Some(&"classmethod") => is_class_method = true,
                    Some(parts) if parts.len() == 1 && parts[0] == "property" => {}
                    Some(parts)
                        if matches!(parts.last(), Some(&"setter" | &"getter" | &"abstractmethod" | &"override")) => {}
                    // An unknown decorator may call it with anything.
                    _ => return Value::Unknown(Reason::Parameter),
                }
            }
        }
        let metaclass = self.mro(class).iter().any(|base| *base == Addr::of_builtin(BuiltinType::Type));
        if is_class_method || metaclass {
            return Value::Unknown(Reason::Parameter);
        }
        if let Some((made, value)) = &self.receiver
            && *made == class
        {
            return value.clone();
        }
        self.new_instance(class, true)
    }
}
