//! A parsed module ready to be interpreted: its tree, its names, and what each of its scopes binds.

mod callback_stores;
mod probed_names;
mod replaced_names;

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use pytrope_source::tree::{ExprId, StmtId, StmtKind, Str};
use pytrope_source::{ScopedTree, SourceFile, Span, TextRange, Tree};

pub use pytrope_source::scopes::{ScopeId, ScopeInfo, ScopeKind, Scopes};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Name;
use crate::program::ModuleSource;
use crate::value::Value;

/// Texts of this length and more are no names.
const LONGEST_NAME: usize = 200;

/// Literals of this length and more are taken for texts, not names.
const LONGEST_LITERAL: usize = 32;

/// A module's code.
pub struct Code {
    /// Its number in the program; addresses made by it carry the number.
    pub module: u32,
    pub name: Arc<str>,
    pub is_package: bool,
    pub is_model: bool,
    pub file: Arc<SourceFile>,
    pub tree: Tree,
    /// By string, its name once it was asked for.
    names: Box<[OnceLock<Name>]>,
    pub scopes: Scopes,
    /// Whether the file holds tests, by its name or its folder's.
    pub is_test: bool,
    callback_stores: OnceLock<FxHashSet<Name>>,
    probed_names: OnceLock<FxHashSet<Str>>,
    replaced_names: OnceLock<FxHashSet<Name>>,
    stores_by_name: OnceLock<bool>,
}

/// A module's code as the frames of one thread share it: taking it counts without touching what other threads count.
#[derive(Clone, Debug)]
pub struct SharedCode(Rc<CodeInUse>);

#[derive(Debug)]
struct CodeInUse {
    code: Arc<Code>,
    /// By condition that was met: the names that it gives to calls.
    names_given_to_calls: RefCell<FxHashMap<ExprId, Rc<[Name]>>>,
}

impl SharedCode {
    pub fn new(code: &Arc<Code>) -> Self {
        Self(Rc::new(CodeInUse { code: Arc::clone(code), names_given_to_calls: RefCell::default() }))
    }

    /// The names that a condition gives to calls, found once.
    pub(crate) fn names_given_to_calls(&self, test: ExprId, find: impl FnOnce() -> Vec<Name>) -> Rc<[Name]> {
        if let Some(names) = self.0.names_given_to_calls.borrow().get(&test) {
            return Rc::clone(names);
        }
        let names: Rc<[Name]> = find().into();
        self.0.names_given_to_calls.borrow_mut().insert(test, Rc::clone(&names));
        names
    }
}

impl std::ops::Deref for SharedCode {
    type Target = Arc<Code>;

    #[inline]
    fn deref(&self) -> &Arc<Code> {
        &self.0.code
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
    pub fn new(module: u32, name: &str, source: ModuleSource, parsed: ScopedTree) -> Self {
        let ModuleSource { file, is_package, is_model } = source;
        let ScopedTree { tree, scopes } = parsed;
        Self {
            module,
            name: Arc::from(name),
            is_package,
            is_model,
            is_test: is_test_file(file.path()),
            callback_stores: OnceLock::new(),
            probed_names: OnceLock::new(),
            replaced_names: OnceLock::new(),
            stores_by_name: OnceLock::new(),
            names: std::iter::repeat_with(OnceLock::new).take(tree.string_count()).collect(),
            file,
            tree,
            scopes,
        }
    }

    /// The name of an attribute as code in a scope means it: private names carry the name of the class around.
    pub fn attribute_name(&self, attribute: Str, scope: ScopeId) -> Name {
        if self.scopes.private.is_empty() {
            return self.name_of(attribute);
        }
        match self.scopes.class_of_private(attribute, scope) {
            Some(class) => mangle_name(self.tree.text(class), self.tree.text(attribute)),
            None => self.name_of(attribute),
        }
    }

    /// A string literal. What may be a name shares the text of that name; other texts are not entered in the table of names, which
    /// lives as long as the process and is slower than making the text.
    pub fn string_literal(&self, text: Str) -> Value {
        let written = self.tree.text(text);
        let is_name = || written.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if written.len() < LONGEST_LITERAL && is_name() {
            Value::Str(Arc::clone(self.name_of(text).shared()))
        } else {
            Value::str(written)
        }
    }

    #[inline]
    pub fn name_of(&self, text: Str) -> Name {
        *self.names[text.index()].get_or_init(|| {
            let text = self.tree.text(text);
            if text.len() < LONGEST_NAME { Name::new(text) } else { Name::UNDERSCORE }
        })
    }

    /// The string of the tree that a name is written by, if it is in the tree.
    pub fn str_of(&self, name: &str) -> Option<Str> {
        self.tree.strings().position(|text| text == name).map(|at| Str(at as u32))
    }

    /// Whether a class definition names a metaclass.
    pub fn has_metaclass(&self, class: StmtId) -> bool {
        let StmtKind::ClassDef(class) = self.tree[class].kind else { return false };
        let keywords = class.arguments.map(|arguments| arguments.keywords);
        keywords.is_some_and(|keywords| {
            self.tree[keywords]
                .iter()
                .any(|keyword| keyword.name.is_some_and(|name| self.tree.text(name.name) == "metaclass"))
        })
    }

    /// Names of attributes that methods store which others may call at any time; found on first use.
    pub(crate) fn callback_stores(&self) -> &FxHashSet<Name> {
        self.callback_stores.get_or_init(|| callback_stores::find_callback_stores(self))
    }

    /// Whether the module asks somewhere if a name is defined.
    pub(crate) fn is_probed(&self, name: Str) -> bool {
        self.probed_names.get_or_init(|| probed_names::find_probed_names(self)).contains(&name)
    }

    /// The names that this file of tests may replace while what it tests runs.
    pub(crate) fn replaced_names(&self) -> &FxHashSet<Name> {
        self.replaced_names.get_or_init(|| replaced_names::find_replaced_names(self))
    }

    /// Whether attributes are stored in the module by names that are not written there.
    pub(crate) fn stores_by_name(&self) -> bool {
        let ways = ["setattr", "__dict__", "vars", "__setstate__"];
        *self.stores_by_name.get_or_init(|| self.tree.strings().any(|text| ways.contains(&text)))
    }

    #[inline]
    pub fn scope_info(&self, id: ScopeId) -> &ScopeInfo {
        &self.scopes[id]
    }

    /// The dotted name that an import in the module means, by the dots before it.
    pub(crate) fn absolute_name(&self, module: Option<&str>, level: u32) -> Option<String> {
        if level == 0 {
            return module.map(str::to_owned);
        }
        let mut parts: Vec<&str> = self.name.split('.').collect();
        let drop = level as usize - usize::from(self.is_package);
        if drop > parts.len() {
            return None;
        }
        parts.truncate(parts.len() - drop);
        if let Some(module) = module {
            parts.push(module);
        }
        if parts.is_empty() || parts == [""] { None } else { Some(parts.join(".")) }
    }

    pub fn span_of(&self, range: TextRange) -> Span {
        Span::new(&self.file, range)
    }
}

/// `__x` in a class `C` is `_C__x`.
pub(crate) fn mangle_name(class: &str, name: &str) -> Name {
    let class = class.trim_start_matches('_');
    if class.is_empty() { Name::new(name) } else { Name::new(&format!("_{class}{name}")) }
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
