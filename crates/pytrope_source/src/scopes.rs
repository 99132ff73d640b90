//! What each scope of a tree binds and mentions, and what the whole of a module says about names.

mod injection;
mod names;
mod walker;

use std::ops::{Index, IndexMut};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::source_file::SourceFile;
use crate::text::TextRange;
use crate::tree::{ExprId, List, Parameters, StmtId, Str, Tree};
pub use injection::Injections;
pub use names::NameSet;

/// A scope of a module: the module itself, a function, a lambda, a comprehension or a class body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub u32);

impl ScopeId {
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
    pub parent: ScopeId,
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
    #[inline]
    pub fn binds(&self, name: Str) -> bool {
        self.locals.binary_search(&name).is_ok()
    }
}

/// `target.name = …` somewhere in a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttributeStore {
    pub attribute: Str,
    /// Where it stands.
    pub scope: ScopeId,
    /// The class whose method stores through its own first parameter.
    pub own_class: Option<Str>,
    pub in_init: bool,
}

/// The scopes of a module: `scopes[id]` is one of them.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    pub(crate) all: Vec<ScopeInfo>,
    pub of_stmt: FxHashMap<StmtId, ScopeId>,
    pub of_expr: FxHashMap<ExprId, ScopeId>,
    /// Names bound at module level or through `global`.
    pub global_bindings: NameSet,
    /// Names some function of the module rebinds through `global`.
    pub rebound_globals: NameSet,
    /// What `globals()` returns is changed or given away.
    pub rebinds_names: bool,
    /// Stores to attributes, wherever they stand.
    pub stores: Vec<AttributeStore>,
    /// Classes by name, with the names of their bases.
    pub classes: Vec<(Str, Vec<Str>)>,
    /// The names of methods, once for each definition, and the scopes of their classes.
    pub methods: Vec<(Str, ScopeId)>,
    /// Functions that are handed to something that expects them to fail (`assert_raises(ValueError, f)`).
    pub expected_to_fail: NameSet,
    /// Names of type parameters (PEP 695), which are in scope in ways that matter to types only.
    pub type_parameters: NameSet,
    /// `from __future__ import annotations`.
    pub lazy_annotations: bool,
    /// Names such as `__x`, which mean `_C__x` inside a class `C`.
    pub private: NameSet,
    /// Local names that a function may rebind at unknown times: through `nonlocal` in a method, a coroutine, a
    /// generator, or a function that others are given.
    pub volatile: NameSet,
    /// Local names of containers that a function changes which others may call at unknown times.
    pub shared: FxHashSet<(ScopeId, Str)>,
    /// Names of functions that are used otherwise than by calling them at once, or whose decorator may.
    pub handed_on: NameSet,
    /// What the module does to namespaces of others.
    pub injections: Injections,
}

impl Scopes {
    /// The scopes of a tree whose text is `len` bytes long.
    pub fn of(tree: &Tree, len: u32) -> Self {
        walker::collect(tree, len)
    }

    pub fn iter(&self) -> impl Iterator<Item = (ScopeId, &ScopeInfo)> {
        (0u32..).map(ScopeId).zip(&self.all)
    }

    /// The class whose name a private attribute carries in a scope.
    pub fn class_of_private(&self, attribute: Str, mut scope: ScopeId) -> Option<Str> {
        if !self.private.contains(attribute) {
            return None;
        }
        loop {
            let info = &self[scope];
            match (info.kind, info.name) {
                (ScopeKind::Class, Some(class)) => return Some(class),
                (ScopeKind::Module, _) => return None,
                _ => scope = info.parent,
            }
        }
    }
}

/// `__x`, which means `_C__x` inside a class `C`.
pub fn is_private(name: &str) -> bool {
    name.starts_with("__") && !name.ends_with("__") && !name.contains('.')
}

/// A tree and its scopes.
#[derive(Debug)]
pub struct ScopedTree {
    pub tree: Tree,
    pub scopes: Scopes,
}

impl ScopedTree {
    /// A file's tree with its scopes.
    pub fn of(tree: Tree, file: &SourceFile) -> Self {
        let mut scopes = Scopes::of(&tree, file.text().len() as u32);
        injection::note(&tree, file, &mut scopes);
        Self { tree, scopes }
    }
}

impl Index<ScopeId> for Scopes {
    type Output = ScopeInfo;

    #[inline]
    fn index(&self, id: ScopeId) -> &ScopeInfo {
        &self.all[id.0 as usize]
    }
}

impl IndexMut<ScopeId> for Scopes {
    fn index_mut(&mut self, id: ScopeId) -> &mut ScopeInfo {
        &mut self.all[id.0 as usize]
    }
}
