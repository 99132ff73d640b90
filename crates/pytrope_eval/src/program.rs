//! All modules of one run: found by a provider, evaluated once each, then frozen and shared read-only.
//!
//! After an edit, modules can be taken out again (`replacement.rs`), by what others were seen to depend on (`dependencies.rs`).

pub mod dependencies;
pub mod import_closure;
pub mod index;
mod replacement;

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use pytrope_diagnostics::Finding;
use pytrope_source::{ScopedTree, SourceFile};
use pytrope_trie::Trie;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::builtins::natives;
use crate::call_summaries::Summaries;
use crate::code::{Code, ScopeId};
use crate::interp::RunResult;
use crate::names::Name;
use crate::native::Native;
use crate::object::{Class, Features, Object, Slots};
use crate::program::dependencies::Dependencies;
use crate::program::index::{IndexQuestion, ProgramIndex};
use crate::symbols::SymbolNames;
use crate::value::{Addr, BuiltinType, Value};

/// Where modules and primitives come from.
pub trait ModuleLoader: Send + Sync {
    /// The source of a module by its dotted name: of the project, of a followed package, or a model.
    fn find_source(&self, dotted: &str) -> Option<ModuleSource>;
    /// Whether there is such a module, without reading it.
    fn exists(&self, dotted: &str) -> bool {
        self.find_source(dotted).is_some()
    }
    /// The key of the module that a dotted name stands for in the file at a path: modules of one name in different folders have
    /// different keys. A key is a dotted name, perhaps behind a mark that ends in `!`.
    fn resolve(&self, _importer: &str, dotted: &str) -> String {
        dotted.to_owned()
    }
    /// The key of a module beside the file at a path, for a relative import outside packages: never that of a library.
    fn resolve_beside(&self, importer: &str, dotted: &str) -> String {
        self.resolve(importer, dotted)
    }
    /// Whether the package whose `__init__` file is at a path has a submodule of that name.
    fn has_submodule(&self, _package: &str, _name: &str) -> bool {
        false
    }
    /// Whether a dotted name leads to a model.
    fn is_model(&self, dotted: &str) -> bool {
        self.find_source(dotted).is_some_and(|source| source.is_model)
    }
    /// The tree of a module whose source was found, if it was parsed before; ownership moves to the caller.
    fn take_tree(&self, _dotted: &str, _source: &ModuleSource) -> Option<ScopedTree> {
        None
    }
    /// A primitive of the module `_pytrope`.
    fn primitive(&self, name: &str) -> Option<&'static Native>;
    /// Whether a dotted name is a module of the standard library that has no such name, whatever the version and platform.
    fn lacks_standard_name(&self, _dotted: &str, _name: &str) -> bool {
        false
    }
    /// Whether a module or class of a library is listed and lacks a name, whatever the release.
    fn lacks_listed_name(&self, _owner: &str, _name: &str) -> bool {
        false
    }
    /// Dictionaries of instances in which classes of libraries look attributes up, besides the instance's own.
    fn attribute_tables(&self) -> &'static [&'static str] {
        &[]
    }
    /// Methods that a library's subclass of a builtin type adds, where models give its instances as plain values of that type.
    fn subclass_methods(&self, _kind: BuiltinType) -> &'static [&'static str] {
        &[]
    }
    /// The listed name of a library's module or class that a mistyped one is nearest to.
    fn nearest_name(&self, _owner: &str, _name: &str) -> Option<&'static str> {
        None
    }
    /// Whether a name that a listed class lacks is one of the values that the library's functions take: who asks a layer for it has
    /// taken the layer for such a value.
    fn is_name_of_operand(&self, _owner: &str, _name: &str) -> bool {
        false
    }
    /// The name under which a library's class is listed, by the module and the name of its model.
    fn listed_class(&self, _module: &str, _class: &str) -> Option<&'static str> {
        None
    }
    /// What Python says of a construction of a listed class that every release refuses.
    fn refused_construction(&self, _class: &str, _positional: usize, _keywords: &[&str]) -> Option<String> {
        None
    }
    /// Whether a global name may be there though nothing binds it (`display` in notebooks).
    fn is_injected(&self, _name: &str) -> bool {
        false
    }
    /// The minor version of Python 3 that the code is for.
    fn target(&self) -> u8 {
        13
    }
    /// Whether the code is for a version that evaluates annotations where they stand.
    fn evaluates_annotations(&self) -> bool {
        false
    }
}

impl<L: ModuleLoader + ?Sized> ModuleLoader for Arc<L> {
    fn find_source(&self, dotted: &str) -> Option<ModuleSource> {
        (**self).find_source(dotted)
    }

    fn exists(&self, dotted: &str) -> bool {
        (**self).exists(dotted)
    }

    fn resolve(&self, importer: &str, dotted: &str) -> String {
        (**self).resolve(importer, dotted)
    }

    fn resolve_beside(&self, importer: &str, dotted: &str) -> String {
        (**self).resolve_beside(importer, dotted)
    }

    fn has_submodule(&self, package: &str, name: &str) -> bool {
        (**self).has_submodule(package, name)
    }

    fn is_model(&self, dotted: &str) -> bool {
        (**self).is_model(dotted)
    }

    fn take_tree(&self, dotted: &str, source: &ModuleSource) -> Option<ScopedTree> {
        (**self).take_tree(dotted, source)
    }

    fn primitive(&self, name: &str) -> Option<&'static Native> {
        (**self).primitive(name)
    }

    fn lacks_standard_name(&self, dotted: &str, name: &str) -> bool {
        (**self).lacks_standard_name(dotted, name)
    }

    fn lacks_listed_name(&self, owner: &str, name: &str) -> bool {
        (**self).lacks_listed_name(owner, name)
    }

    fn attribute_tables(&self) -> &'static [&'static str] {
        (**self).attribute_tables()
    }

    fn subclass_methods(&self, kind: BuiltinType) -> &'static [&'static str] {
        (**self).subclass_methods(kind)
    }

    fn nearest_name(&self, owner: &str, name: &str) -> Option<&'static str> {
        (**self).nearest_name(owner, name)
    }

    fn is_name_of_operand(&self, owner: &str, name: &str) -> bool {
        (**self).is_name_of_operand(owner, name)
    }

    fn listed_class(&self, module: &str, class: &str) -> Option<&'static str> {
        (**self).listed_class(module, class)
    }

    fn refused_construction(&self, class: &str, positional: usize, keywords: &[&str]) -> Option<String> {
        (**self).refused_construction(class, positional, keywords)
    }

    fn is_injected(&self, name: &str) -> bool {
        (**self).is_injected(name)
    }

    fn target(&self) -> u8 {
        (**self).target()
    }

    fn evaluates_annotations(&self) -> bool {
        (**self).evaluates_annotations()
    }
}

/// A module's source.
#[derive(Clone)]
pub struct ModuleSource {
    pub file: Arc<SourceFile>,
    pub is_package: bool,
    pub is_model: bool,
}

/// The objects a module has made, by the second half of their addresses.
#[derive(Default)]
pub struct FrozenHeap {
    /// The number of the first object.
    first: u32,
    /// By number, the place of an object; numbers without one have a place past the end.
    places: Vec<u32>,
    /// The places of objects that stand for many.
    many: FxHashMap<Addr, u32>,
    objects: Vec<Object>,
}

impl FrozenHeap {
    /// The objects of a heap, by numbers that grow.
    pub(crate) fn of(objects: impl IntoIterator<Item = (Addr, Object)>) -> Self {
        let mut heap = Self::default();
        for (addr, object) in objects {
            let place = heap.objects.len() as u32;
            heap.objects.push(object);
            if addr.is_summary() {
                heap.many.insert(addr, place);
                continue;
            }
            if place == 0 {
                heap.first = addr.number();
            }
            heap.places.resize((addr.number() - heap.first) as usize, u32::MAX);
            heap.places.push(place);
        }
        heap.places.shrink_to_fit();
        heap.objects.shrink_to_fit();
        heap
    }

    pub fn get(&self, addr: Addr) -> Option<&Object> {
        let place = if addr.is_summary() {
            self.many.get(&addr)?
        } else {
            self.places.get(addr.number().wrapping_sub(self.first) as usize)?
        };
        self.objects.get(*place as usize)
    }
}

/// A module after evaluation.
pub struct EvaluatedModule {
    pub code: Arc<Code>,
    pub scope: Addr,
    pub heap: FrozenHeap,
    /// What its scope binds, for fast reading.
    pub(crate) globals: FxHashMap<Name, Value>,
    pub symbols: SymbolNames,
    /// Names it does not bind do not exist.
    pub complete: bool,
    /// What running its body has left.
    pub reported: RunResult,
    /// The exception that ends every run of its body, and with it every import of the module.
    pub(crate) import_failure: Option<Finding>,
    /// Functions of the program, in the order of their definition.
    pub defined: Vec<Addr>,
    /// Those of them that unknown decorators were applied to.
    pub(crate) given_away: FxHashSet<ScopeId>,
    /// Those of them whose errors say nothing: a library compiles them, or their decorator catches what they raise.
    pub(crate) not_judged: FxHashSet<ScopeId>,
    pub next_addr: u32,
    /// Evaluation ran out of fuel.
    pub exhausted: bool,
    /// What its evaluation has asked of the program.
    pub dependencies: Dependencies,
}

impl EvaluatedModule {
    /// The value of a global name, if the module binds it.
    pub fn global_value(&self, name: Name) -> Option<&Value> {
        self.globals.get(&name)
    }
}

/// The number of a module's own scope.
const MODULE_SCOPE: u32 = 999;

/// The scope of a module's globals.
pub(crate) fn module_scope(module: u32) -> Addr {
    Addr::new(module, MODULE_SCOPE)
}

/// What became of a request for a module.
pub enum ModuleRequest<'w> {
    EvaluatedModule(&'w EvaluatedModule),
    /// It is being evaluated, under this number: an import cycle.
    InProgress(u32),
    Missing,
}

#[derive(Default)]
struct IndexState {
    numbers: FxHashMap<Arc<str>, Option<u32>>,
    next: u32,
}

/// The modules of a run.
pub struct Program {
    pub provider: Box<dyn ModuleLoader>,
    index: Mutex<IndexState>,
    codes: Vec<OnceLock<Arc<Code>>>,
    /// Boxed, so that room for many modules takes little before they are there.
    frozen: Vec<OnceLock<Box<EvaluatedModule>>>,
    /// The modules whose evaluation is over, with that of all which they were evaluated in the middle of.
    finished: Vec<AtomicBool>,
    /// Held while modules are evaluated: how many of `order` have had their turn.
    evaluating: Mutex<usize>,
    /// The modules that are analysed, in the order in which they are evaluated.
    order: Vec<Arc<str>>,
    knowledge: RwLock<ProgramIndex>,
    /// All modules that the index describes have been read (`import_closure.rs`).
    index_is_closed: AtomicBool,
    builtin_heap: FrozenHeap,
    /// In a closed world: the heap on its way from an importer to the module that is evaluated for it, and back.
    travelling: Mutex<Trie<Object>>,
    /// Types, functions and constants of the `builtins` module that are written in Rust.
    builtin_names: FxHashMap<Name, Value>,
    /// What modules hold stays as their import left it: no other code runs before the entry that is asked about.
    pub closed_world: bool,
    /// Report what may fail, in the bodies of modules too.
    pub possible: bool,
    /// Calls that are given the same are run once.
    pub summarises: bool,
    pub(crate) summaries: Summaries,
    /// Write down what each analysis depends on, so that it can be kept across edits.
    pub records: bool,
}

thread_local! {
    /// How many modules this thread is in the middle of.
    static LOADING: Cell<u32> = const { Cell::new(0) };
}

/// The number of the `builtins` model.
const BUILTINS: u32 = 0;

impl Program {
    /// A program with room for `modules` project modules beside the models.
    pub fn new(provider: Box<dyn ModuleLoader>, modules: usize) -> Self {
        let capacity = modules + 4_096;
        let program = Self {
            provider,
            index: Mutex::new(IndexState { numbers: FxHashMap::default(), next: 1 }),
            codes: std::iter::repeat_with(OnceLock::new).take(capacity).collect(),
            frozen: std::iter::repeat_with(OnceLock::new).take(capacity).collect(),
            finished: std::iter::repeat_with(AtomicBool::default).take(capacity).collect(),
            evaluating: Mutex::new(0),
            travelling: Mutex::default(),
            order: Vec::new(),
            knowledge: RwLock::new(ProgramIndex::default()),
            index_is_closed: AtomicBool::default(),
            builtin_heap: builtin_classes(),
            builtin_names: builtin_names(),
            possible: false,
            closed_world: false,
            summarises: true,
            summaries: Summaries::default(),
            records: false,
        };
        if let Ok(mut index) = program.index.lock() {
            index.numbers.insert(Arc::from("builtins"), Some(BUILTINS));
        }
        program.load_module("builtins");
        program
    }

    fn module_number(&self, dotted: &str) -> Option<u32> {
        let mut index = self.index.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((key, number)) = index.numbers.get_key_value(dotted) {
            dependencies::record_module(key);
            return *number;
        }
        let found = self.provider.exists(dotted);
        let number = if found && (index.next as usize) < self.frozen.len() {
            let number = index.next;
            index.next += 1;
            Some(number)
        } else {
            None
        };
        let key: Arc<str> = Arc::from(dotted);
        dependencies::record_module(&key);
        index.numbers.insert(key, number);
        number
    }

    /// Whether a module can be loaded.
    pub fn exists(&self, dotted: &str) -> bool {
        self.module_number(dotted).is_some()
    }

    /// The parsed module; made on first use.
    pub fn parse_module(&self, dotted: &str) -> Option<Arc<Code>> {
        let number = self.module_number(dotted)?;
        let slot = &self.codes[number as usize];
        if let Some(code) = slot.get() {
            return Some(Arc::clone(code));
        }
        let source = self.provider.find_source(dotted)?;
        let parse = || ScopedTree::of(pytrope_source::parse(&source.file).tree, &source.file);
        let scoped = self.provider.take_tree(dotted, &source).unwrap_or_else(parse);
        // A file whose name a model takes is known by its path and its name.
        let name = dotted.rsplit('!').next().unwrap_or(dotted);
        let code = Arc::new(Code::new(number, name, source, scoped));
        // Threads that parse the same module at the same time count it once.
        let kept = slot.get_or_init(|| {
            if !code.is_model && !self.index_is_closed.load(Ordering::Acquire) {
                let mut knowledge = self.knowledge.write().unwrap_or_else(std::sync::PoisonError::into_inner);
                knowledge.add_code(&code);
            }
            code
        });
        Some(Arc::clone(kept))
    }

    /// Evaluates a module, or finds it evaluated.
    pub fn load_module(&self, dotted: &str) -> ModuleRequest<'_> {
        let Some(number) = self.module_number(dotted) else { return ModuleRequest::Missing };
        let slot = &self.frozen[number as usize];
        // What another thread has evaluated in the middle of an import cycle is not looked at before the cycle is finished.
        let is_finished = || self.finished[number as usize].load(Ordering::Acquire) || LOADING.get() > 0;
        if let Some(frozen) = slot.get().filter(|_| is_finished()) {
            return ModuleRequest::EvaluatedModule(frozen);
        }
        // One thread evaluates at a time: cycles cannot deadlock, and their outcome does not depend on scheduling.
        let outermost = LOADING.get() == 0;
        let mut guard = outermost.then(|| self.evaluating.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        if let Some(turn) = &mut guard {
            // Their turn is a matter of order: what asks for this module does not depend on them.
            dependencies::recorded(self.records, || self.evaluate_predecessors(dotted, turn));
        }
        if let Some(frozen) = slot.get() {
            return ModuleRequest::EvaluatedModule(frozen);
        }
        if IN_PROGRESS.with_borrow(|stack| stack.contains(&number)) {
            dependencies::record_cycle();
            return ModuleRequest::InProgress(number);
        }
        let Some(code) = self.parse_module(dotted) else { return ModuleRequest::Missing };
        LOADING.set(LOADING.get() + 1);
        // Python imports a package before its parts. That is followed where a part asks its own package for names:
        // otherwise the package would find the part unfinished when it imports from it.
        if let Some((parent, _)) = dotted.rsplit_once('.')
            && asks_its_package(&code)
        {
            self.load_module(parent);
        }
        if let Some(frozen) = slot.get() {
            LOADING.set(LOADING.get() - 1);
            return ModuleRequest::EvaluatedModule(frozen);
        }
        IN_PROGRESS.with_borrow_mut(|stack| stack.push(number));
        let (mut frozen, dependencies) =
            dependencies::recorded(self.records, || crate::analysis::evaluate_module(self, &code));
        frozen.dependencies = dependencies;
        IN_PROGRESS.with_borrow_mut(|stack| stack.retain(|other| *other != number));
        LOADING.set(LOADING.get() - 1);
        let frozen = slot.get_or_init(|| Box::new(frozen));
        EVALUATED.with_borrow_mut(|evaluated| evaluated.push(number));
        if LOADING.get() == 0 {
            for number in EVALUATED.take() {
                self.finished[number as usize].store(true, Ordering::Release);
            }
        }
        ModuleRequest::EvaluatedModule(frozen)
    }

    /// What modules have changed of each other's objects, as a registry that others enter themselves in.
    pub fn shared_heap(&self) -> Trie<Object> {
        self.lock_travelling().clone()
    }

    pub(crate) fn hand_heap_over(&self, heap: Trie<Object>) {
        *self.lock_travelling() = heap;
    }

    pub(crate) fn take_heap(&self) -> Trie<Object> {
        std::mem::take(&mut *self.lock_travelling())
    }

    fn lock_travelling(&self) -> std::sync::MutexGuard<'_, Trie<Object>> {
        self.travelling.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What the bodies of evaluated models use and do not have, such as a primitive that does not exist.
    pub fn bugs_of_model_bodies(&self) -> Vec<String> {
        let evaluated = self.frozen.iter().filter_map(|slot| slot.get());
        let of_models = evaluated.filter(|module| module.code.is_model);
        let mut bugs: Vec<String> = of_models.flat_map(|module| module.reported.model_bugs.iter().cloned()).collect();
        // Modules are numbered in the order in which threads ask for them.
        bugs.sort();
        bugs
    }

    /// Fixes the order in which the modules that are analysed are evaluated. Which module of an import cycle finds the other one
    /// unfinished depends on where the cycle is entered, and must not depend on threads.
    pub fn set_order(&mut self, keys: &[String]) {
        self.order = keys.iter().map(|key| Arc::from(&**key)).collect();
    }

    /// Evaluates the modules whose turn comes before that of a module; a module of the program that has no turn comes after all.
    fn evaluate_predecessors(&self, dotted: &str, turn: &mut usize) {
        if *turn >= self.order.len() || self.parse_module(dotted).is_none_or(|code| code.is_model) {
            return;
        }
        LOADING.set(LOADING.get() + 1);
        while let Some(next) = self.order.get(*turn) {
            if **next == *dotted {
                break;
            }
            *turn += 1;
            self.load_module(next);
        }
        LOADING.set(LOADING.get() - 1);
        for number in EVALUATED.take() {
            self.finished[number as usize].store(true, Ordering::Release);
        }
    }

    /// The code of the module that a file is, if it was parsed.
    pub fn code_of_file(&self, file: &Arc<SourceFile>) -> Option<&Arc<Code>> {
        self.codes.iter().filter_map(OnceLock::get).find(|code| Arc::ptr_eq(&code.file, file))
    }

    #[inline]
    pub fn evaluated_module(&self, number: u32) -> Option<&EvaluatedModule> {
        self.frozen.get(number as usize)?.get().map(|frozen| &**frozen)
    }

    /// Whether the body of an evaluated module may bind names that its text does not show.
    pub(crate) fn is_open_module(&self, number: u32) -> bool {
        self.evaluated_module(number).is_some_and(|module| module.code.scope_info(ScopeId::MODULE).is_open)
    }

    /// The scope of a module whose import has begun.
    pub(crate) fn scope_of_loaded(&self, dotted: &str) -> Option<Addr> {
        // A key may have a mark that the program does not know of.
        let is_it = |number: &usize| {
            let code = self.codes[*number].get();
            let is_loading = || IN_PROGRESS.with_borrow(|stack| stack.contains(&(*number as u32)));
            code.is_some_and(|code| *code.name == *dotted) && (self.frozen[*number].get().is_some() || is_loading())
        };
        (0..self.codes.len()).find(is_it).map(|number| module_scope(number as u32))
    }

    /// How many calls were not run because their outcome was known.
    pub fn summaries_used(&self) -> usize {
        self.summaries.used()
    }

    /// Whether a module is a model, and evaluated.
    pub fn is_model(&self, number: u32) -> bool {
        number == BUILTINS || self.evaluated_module(number).is_some_and(|frozen| frozen.code.is_model)
    }

    /// An object of a frozen module.
    #[inline]
    pub fn frozen_object(&self, addr: Addr) -> Option<&Object> {
        if addr.module() == BUILTINS
            && let Some(object) = self.builtin_heap.get(addr)
        {
            return Some(object);
        }
        self.evaluated_module(addr.module())?.heap.get(addr)
    }

    /// A name of the `builtins` module.
    pub fn builtin_value(&self, name: Name) -> Option<Value> {
        if let Some(value) = self.builtin_names.get(&name) {
            return Some(value.clone());
        }
        let value = self.evaluated_module(BUILTINS)?.globals.get(&name)?;
        (!name.text().starts_with("__")).then(|| value.clone())
    }

    /// What the model of `builtins` holds beside the names that programs see.
    pub(crate) fn builtin_global(&self, name: Name) -> Option<Value> {
        self.evaluated_module(BUILTINS)?.globals.get(&name).cloned()
    }

    /// The class of a builtin exception.
    pub fn exception_class(&self, name: &str) -> Option<Addr> {
        self.builtin_value(Name::new(name)).and_then(|value| value.addr())
    }

    /// Whether the code is for a version that evaluates annotations where they stand.
    pub fn evaluates_annotations(&self) -> bool {
        self.provider.evaluates_annotations()
    }

    /// The minor version of Python 3 that the code is for.
    pub fn target(&self) -> u8 {
        self.provider.target()
    }

    pub fn is_injected(&self, name: Name) -> bool {
        let text = name.text();
        matches!(text, "_" | "__class__" | "__path__" | "WindowsError" | "unicode" | "reveal_locals" | "get_config")
            || is_name_of_setup(text)
            || self.provider.is_injected(text)
    }

    fn index_of_program(&self) -> std::sync::RwLockReadGuard<'_, ProgramIndex> {
        self.knowledge.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The answer to a question about the whole program, which is written down as something that the analysis depends on.
    fn ask_index(&self, question: IndexQuestion) -> bool {
        let answer = self.index_of_program().answer(question);
        dependencies::record_answer(question, answer);
        answer
    }

    /// Whether a question has another answer than it had.
    pub fn answers_otherwise(&self, question: IndexQuestion, answer: bool) -> bool {
        self.index_of_program().answer(question) != answer
    }

    /// Whether a module of the program puts this name where every module finds it, or may.
    pub fn is_put_into_namespaces(&self, name: Name) -> bool {
        !self.closed_world && self.ask_index(IndexQuestion::PutIntoNamespaces(name))
    }

    /// Whether builtin classes, and with `object` all others, may have attributes that Python does not give them.
    pub fn opens_builtin_types(&self) -> bool {
        !self.closed_world && self.ask_index(IndexQuestion::OpensBuiltinTypes)
    }

    /// Whether the program puts modules in the places of others, or gives them computed names.
    pub fn rewrites_modules(&self) -> bool {
        self.ask_index(IndexQuestion::RewritesModules)
    }

    /// Whether some test replaces what a name stands for.
    pub fn is_patched(&self, name: Name) -> bool {
        !self.closed_world && self.ask_index(IndexQuestion::Patched(name))
    }

    /// Whether a function of this name may have defaults that its definition does not show.
    pub fn is_given_defaults(&self, function: Name) -> bool {
        self.ask_index(IndexQuestion::GivenDefaults(function))
    }

    /// Whether the program gives classes of this name attributes that their definitions do not show.
    pub fn opens_class(&self, class: &str) -> bool {
        !self.closed_world && self.ask_index(IndexQuestion::OpensClass(Name::new(class)))
    }

    /// The key of the module that a dotted name stands for in a module.
    pub fn resolve(&self, importer: &Code, dotted: &str) -> String {
        if importer.is_model { dotted.to_owned() } else { self.provider.resolve(importer.file.path(), dotted) }
    }

    /// The key of the module that the names of an import come from, by the dots before it; none where it climbs out of its package.
    pub fn resolve_import(&self, importer: &Code, module: Option<&str>, level: u32) -> Option<String> {
        let dotted = importer.absolute_name(module, level)?;
        // The folder of a file that is in no package is one without `__init__.py`, whose modules have no longer names here.
        let is_beside = level > 0 && !importer.is_model && module == Some(dotted.as_str());
        let path = importer.file.path();
        Some(if is_beside { self.provider.resolve_beside(path, &dotted) } else { self.resolve(importer, &dotted) })
    }

    /// Whether some module of the program stores an attribute of this name, or some class has one.
    pub fn is_stored_attribute(&self, name: Name) -> bool {
        self.ask_index(IndexQuestion::StoredAttribute(name))
    }

    /// Whether a module of the program binds a global of this name, or may.
    pub fn binds_global(&self, dotted: &str, name: &str) -> bool {
        self.parse_module(dotted).is_some_and(|code| {
            !code.is_model
                && (code.scope_info(ScopeId::MODULE).is_open
                    || code.scopes.global_bindings.iter().any(|bound| code.tree.text(bound) == name))
        })
    }

    /// Whether a module's global is, for everybody else, still what the module's body has bound it to: no function
    /// rebinds it, no code outside stores to it, and it is no placeholder for something that comes later.
    pub fn is_settled(&self, code: &Code, name: Name, value: &Value) -> bool {
        code.is_model
            || self.closed_world
            || (*value != Value::None
                && !code.scopes.rebound_globals.iter().any(|global| code.name_of(global) == name)
                && !self.is_stored_from_outside(name))
    }

    /// Whether some module stores an attribute of this name on something else than a method's own instance.
    pub fn is_stored_from_outside(&self, name: Name) -> bool {
        self.ask_index(IndexQuestion::StoredFromOutside(name))
    }

    /// Whether some module of the program assigns to an attribute of this name.
    pub fn is_assigned_attribute(&self, name: Name) -> bool {
        self.ask_index(IndexQuestion::AssignedAttribute(name))
    }

    /// Of a class's attributes those that only its constructor gives to its instances: no other method of it or
    /// of its relatives does, and no code outside.
    pub fn set_once(&self, class: Name, attributes: impl Iterator<Item = Name>) -> FxHashSet<Name> {
        let index = self.index_of_program();
        let answers = index.set_once(class, attributes);
        let recorded = answers.inspect(|(attribute, answer)| {
            dependencies::record_answer(IndexQuestion::SetOnce(class, *attribute), *answer);
        });
        recorded.filter(|(_, answer)| *answer).map(|(attribute, _)| attribute).collect()
    }

    /// Whether methods of a class, or of its relatives, store an attribute of this name.
    pub fn is_stored_by_class(&self, class: Name, attribute: Name) -> bool {
        self.ask_index(IndexQuestion::StoredByClass(class, attribute))
    }

    /// Whether a method may be overridden by, or mean another one than, the definition at hand.
    pub fn is_defined_twice(&self, method: Name) -> bool {
        self.ask_index(IndexQuestion::DefinedTwice(method))
    }

    /// Whether the bodies of several classes bind a name.
    pub fn is_named_twice(&self, name: Name) -> bool {
        self.ask_index(IndexQuestion::NamedTwice(name))
    }
}

thread_local! {
    /// The modules that were evaluated since this thread began with one from outside.
    static EVALUATED: std::cell::RefCell<Vec<u32>> = const { std::cell::RefCell::new(Vec::new()) };
    static IN_PROGRESS: std::cell::RefCell<Vec<u32>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Whether a module has `from . import name` at its top, and is not itself a package.
fn asks_its_package(code: &Code) -> bool {
    use pytrope_source::tree::StmtKind;
    !code.is_package
        && !code.is_model
        && code.tree[code.tree.body()]
            .iter()
            .any(|stmt| matches!(code.tree[*stmt].kind, StmtKind::ImportFrom { module: None, level: 1, .. }))
}

fn builtin_names() -> FxHashMap<Name, Value> {
    let mut names: FxHashMap<Name, Value> = FxHashMap::default();
    for hidden in ["__build_class__", "__builtins__", "__loader__", "__spec__", "__package__", "__annotations__"] {
        let name = Name::new(hidden);
        names.insert(name, Value::Unknown(crate::value::Reason::Lookup(name)));
    }
    names.insert(Name::new("NotImplemented"), Value::NotImplemented);
    names.insert(Name::new("Ellipsis"), Value::Ellipsis);
    names.insert(Name::DEBUG, Value::TRUE);
    names.extend(natives().iter().map(|native| (Name::new(native.name), Value::Native(native))));
    let types = BuiltinType::ALL.into_iter().filter(|kind| kind.is_builtin_name());
    names.extend(types.map(|kind| (Name::new(kind.name()), Value::Obj(Addr::of_builtin(kind)))));
    names
}

/// The classes of the builtin types.
fn builtin_classes() -> FrozenHeap {
    let object = Addr::of_builtin(BuiltinType::Object);
    FrozenHeap::of(BuiltinType::ALL.into_iter().map(|kind| {
        let addr = Addr::of_builtin(kind);
        let mut mro = vec![addr];
        if kind == BuiltinType::Bool {
            mro.push(Addr::of_builtin(BuiltinType::Int));
        }
        if kind != BuiltinType::Object {
            mro.push(object);
        }
        let class = Class {
            name: Arc::from(kind.name()),
            bases: Vec::new(),
            mro,
            open: false,
            attrs: Slots::default(),
            kind: Some(kind),
            metaclass: None,
            features: Features { is_model: true, ..Features::default() },
            code: None,
        };
        (addr, Object::Class(Arc::new(class)))
    }))
}

/// Whether a name is one that build scripts put among the builtins: `_ASTROPY_SETUP_`, `__NUMPY_SETUP__`.
fn is_name_of_setup(text: &str) -> bool {
    text.len() > 4
        && text.starts_with('_')
        && text.ends_with('_')
        && text.chars().all(|c| c == '_' || c.is_ascii_uppercase())
}
