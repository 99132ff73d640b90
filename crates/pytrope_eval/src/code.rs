//! A parsed module ready to be interpreted: its tree, its names, and what each of its scopes binds.

mod scopes;

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use pytrope_source::tree::{ExprId, List, Parameters, StmtId, Str};
use pytrope_source::{SourceFile, Span, TextRange, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Name;
use crate::value::Value;

/// Texts of this length and more are no names.
const LONGEST_NAME: usize = 200;

/// A scope of a module: the module itself, a function, a lambda, a comprehension or a class body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FunctionId(pub u32);

impl FunctionId {
    pub const MODULE: Self = Self(0);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    Module,
    Function,
    Lambda,
    Comprehension,
    Class,
}

/// What a scope is made of.
#[derive(Clone, Debug)]
pub struct ScopeInfo {
    pub kind: ScopeKind,
    pub parent: FunctionId,
    pub name: Option<Str>,
    pub parameters: Option<Parameters>,
    pub body: Option<List<StmtId>>,
    /// The body of a lambda.
    pub expr: Option<ExprId>,
    pub stmt: Option<StmtId>,
    /// Names bound here, sorted.
    pub locals: Vec<Str>,
    /// Names bound at more than one place, or in a loop, or deleted.
    pub repeated: Vec<Str>,
    /// Names read here or in scopes inside, sorted, other than to call or to return what they stand for.
    pub mentions: Vec<Str>,
    /// Names of what is called or returned, here or in scopes inside, sorted.
    pub calls: Vec<Str>,
    pub globals: Vec<Str>,
    pub nonlocals: Vec<Str>,
    pub is_generator: bool,
    pub is_async: bool,
    /// Functions, lambdas or classes are defined inside, so the scope may outlive the call.
    pub has_inner: bool,
    /// `locals()`, `exec`, `vars()` or a star-import: names may be bound in ways not seen.
    pub is_open: bool,
    pub range: TextRange,
}

impl ScopeInfo {
    pub fn binds(&self, name: Str) -> bool {
        self.locals.binary_search(&name).is_ok()
    }
}

/// `target.name = …` somewhere in a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AttributeStore {
    pub name: Name,
    /// The class whose method stores through its own first parameter.
    pub own_class: Option<Name>,
    pub in_init: bool,
}

/// A module's code.
pub struct Code {
    /// Its number in the world; addresses made by it carry the number.
    pub module: u32,
    pub name: Arc<str>,
    pub is_package: bool,
    pub is_model: bool,
    pub file: Arc<SourceFile>,
    pub tree: Tree,
    pub names: Vec<Name>,
    by_name: OnceLock<FxHashMap<Name, Str>>,
    pub scopes: Vec<ScopeInfo>,
    pub scope_of_stmt: FxHashMap<StmtId, FunctionId>,
    pub scope_of_expr: FxHashMap<ExprId, FunctionId>,
    /// How often each name is bound at module level or through `global`.
    pub global_bindings: FxHashMap<Str, u32>,
    /// Names some function of the module rebinds through `global`.
    pub rebound_globals: FxHashSet<Str>,
    /// What `globals()` returns is changed or given away.
    pub rebinds_names: bool,
    /// Stores to attributes, wherever they stand.
    pub stores: Vec<AttributeStore>,
    /// Classes by name, with the names of their bases.
    pub classes: Vec<(Name, Vec<Name>)>,
    /// The names of methods, once for each definition.
    pub methods: Vec<Name>,
    /// Functions that are handed to something that expects them to fail (`assert_raises(ValueError, f)`).
    pub expected_to_fail: FxHashSet<Str>,
    /// Names of type parameters (PEP 695), which are in scope in ways that matter to types only.
    pub type_parameters: FxHashSet<Str>,
    /// `from __future__ import annotations`.
    pub lazy_annotations: bool,
    /// Names such as `__x`, which mean `_C__x` inside a class `C`.
    pub private: FxHashSet<Str>,
    /// Local names that a function may rebind at times nobody sees: through `nonlocal` in a method, a coroutine, a
    /// generator, or a function that others are given.
    pub volatile: FxHashSet<Str>,
    /// Local names of containers that a function changes which others may call at times nobody sees.
    pub shared: FxHashSet<(FunctionId, Str)>,
    /// Names of functions that are used otherwise than by calling them at once, or whose decorator may.
    pub handed_on: FxHashSet<Str>,
    /// Whether the file holds tests, by its name or its folder's.
    pub is_test: bool,
}

/// A module's code as the frames of one thread share it: taking it counts without touching what other threads count.
#[expect(clippy::redundant_allocation, reason = "the outer count belongs to one thread alone")]
#[derive(Clone, Debug)]
pub struct SharedCode(Rc<Arc<Code>>);

impl SharedCode {
    pub fn new(code: &Arc<Code>) -> Self {
        Self(Rc::new(Arc::clone(code)))
    }
}

impl std::ops::Deref for SharedCode {
    type Target = Arc<Code>;

    fn deref(&self) -> &Arc<Code> {
        &self.0
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.module == other.module
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Code({})", self.name)
    }
}

impl Code {
    pub fn new(module: u32, name: &str, is_package: bool, is_model: bool, file: Arc<SourceFile>, tree: Tree) -> Self {
        let names = tree
            .strings()
            .map(|text| if text.len() < LONGEST_NAME { Name::new(text) } else { Name::UNDERSCORE })
            .collect();
        let mut code = Self {
            module,
            name: Arc::from(name),
            is_package,
            is_model,
            file,
            tree,
            names,
            by_name: OnceLock::new(),
            scopes: Vec::new(),
            scope_of_stmt: FxHashMap::default(),
            scope_of_expr: FxHashMap::default(),
            global_bindings: FxHashMap::default(),
            rebound_globals: FxHashSet::default(),
            rebinds_names: false,
            stores: Vec::new(),
            classes: Vec::new(),
            methods: Vec::new(),
            expected_to_fail: FxHashSet::default(),
            type_parameters: FxHashSet::default(),
            lazy_annotations: false,
            private: FxHashSet::default(),
            volatile: FxHashSet::default(),
            shared: FxHashSet::default(),
            handed_on: FxHashSet::default(),
            is_test: false,
        };
        code.is_test = is_test_file(code.file.path());
        let private = code.tree.strings().enumerate().filter(|(_, text)| is_private(text));
        code.private = private.map(|(id, _)| Str(id as u32)).collect();
        scopes::collect(&mut code);
        code
    }

    /// The name of an attribute as code in a scope means it: private names carry the name of the class around.
    pub fn attribute_name(&self, attribute: Str, mut scope: FunctionId) -> Name {
        if self.private.is_empty() || !self.private.contains(&attribute) {
            return self.name_of(attribute);
        }
        loop {
            let info = self.scope(scope);
            match (info.kind, info.name) {
                (ScopeKind::Class, Some(class)) => {
                    return mangled(self.name_of(class).text(), self.name_of(attribute).text());
                }
                (ScopeKind::Module, _) => return self.name_of(attribute),
                _ => scope = info.parent,
            }
        }
    }

    /// A string literal.
    pub fn string(&self, text: Str) -> Value {
        let written = self.tree.text(text);
        // Shorter ones are names, too, whose texts are shared.
        if written.len() < LONGEST_NAME {
            Value::Str(Arc::clone(self.name_of(text).shared()))
        } else {
            Value::str(written)
        }
    }

    #[inline]
    pub fn name_of(&self, text: Str) -> Name {
        self.names[text.index()]
    }

    /// The string of the tree that a name is written by, if it is in the tree.
    pub fn str_of(&self, name: Name) -> Option<Str> {
        let by_name = self
            .by_name
            .get_or_init(|| self.names.iter().enumerate().rev().map(|(at, name)| (*name, Str(at as u32))).collect());
        by_name.get(&name).copied()
    }

    pub fn scope(&self, id: FunctionId) -> &ScopeInfo {
        &self.scopes[id.0 as usize]
    }

    pub fn span(&self, range: TextRange) -> Span {
        Span::new(&self.file, range)
    }
}

/// `__x` in a class `C` is `_C__x`.
pub(crate) fn mangled(class: &str, name: &str) -> Name {
    let class = class.trim_start_matches('_');
    if class.is_empty() { Name::new(name) } else { Name::new(&format!("_{class}{name}")) }
}

pub(crate) fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__") && !name.contains('.')
}

fn is_test_file(path: &str) -> bool {
    let mut parts = path.rsplit(['/', '\\']);
    let file = parts.next().unwrap_or_default();
    let stem = file.strip_suffix(".py").unwrap_or(file);
    stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || matches!(stem, "test" | "tests" | "conftest")
        || parts.any(|folder| matches!(folder, "test" | "tests"))
}
