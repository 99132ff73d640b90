//! What the modules of a program say about all of it: which attributes are stored where, which names tests replace.
//!
//! Analyses ask it yes-or-no questions ([`IndexQuestion`]) and nothing else, so that an answer can be written down beside what was
//! computed from it (`dependencies.rs`), and asked again after an edit.

use std::cell::LazyCell;

use pytrope_source::Node;
use pytrope_source::tree::{Comparison, Context, ExprId, ExprKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Code, ScopeKind};
use crate::names::Name;

/// A place of the program that stores an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct AttributeWriter {
    /// The class whose method stores through its own first parameter.
    own_class: Option<Name>,
    in_init: bool,
}

/// One thing that a module says about the whole program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum IndexEntry {
    Store(Name, AttributeWriter),
    /// A class and one of its bases.
    Base(Name, Name),
    /// A name that a class body binds.
    ClassName(Name),
    Method(Name),
    /// A name that is put among the builtins.
    Builtin(Name),
    /// A class that is given attributes by computed names.
    OpenClass(Name),
    /// A class whose methods store attributes by computed names after construction.
    RewrittenClass(Name),
    /// A name that tests replace.
    Patched(Name),
    /// A function that is given defaults after its definition.
    GivenDefaults(Name),
    /// The module gives defaults to functions that it does not name.
    GivesAnyDefaults,
    /// The module stores names through frames of its callers.
    StoresThroughFrames,
    /// The module writes into the dictionaries of builtin classes, past what Python allows.
    OpensBuiltinTypes,
    /// The module puts modules in the places of others, or gives them computed names.
    RewritesModules,
}

/// A question about the whole program that has a yes or a no for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IndexQuestion {
    /// Does a module put this name where every module finds it, or may it?
    PutIntoNamespaces(Name),
    /// May builtin classes have attributes that Python does not give them?
    OpensBuiltinTypes,
    /// May modules have names that their text does not show?
    RewritesModules,
    /// Does some test replace what this name stands for?
    Patched(Name),
    /// May a function of this name have defaults that its definition does not show?
    GivenDefaults(Name),
    /// Does the program give classes of this name attributes that their definitions do not show?
    OpensClass(Name),
    /// Does some module store an attribute of this name, or does some class have one?
    StoredAttribute(Name),
    /// Does some module store this attribute on something else than a method's own instance?
    StoredFromOutside(Name),
    /// Does some module assign to an attribute of this name?
    AssignedAttribute(Name),
    /// Is it the constructor of this class alone that gives the attribute to its instances?
    SetOnce(Name, Name),
    /// Do methods of this class, or of its relatives, store the attribute?
    StoredByClass(Name, Name),
    /// Has this method more than one definition?
    DefinedTwice(Name),
    NamedTwice(Name),
}

/// All entries of all modules, counted, so that a module can be taken out again.
#[derive(Default)]
pub(crate) struct ProgramIndex {
    stores: FxHashMap<Name, FxHashMap<AttributeWriter, u32>>,
    bases: FxHashMap<Name, FxHashMap<Name, u32>>,
    subclasses: FxHashMap<Name, FxHashMap<Name, u32>>,
    methods: FxHashMap<Name, u32>,
    class_names: FxHashMap<Name, u32>,
    builtins: FxHashMap<Name, u32>,
    open_classes: FxHashMap<Name, u32>,
    rewritten_classes: FxHashMap<Name, u32>,
    patched: FxHashMap<Name, u32>,
    given_defaults: FxHashMap<Name, u32>,
    gives_any_defaults: u32,
    stores_through_frames: u32,
    opens_builtin_types: u32,
    rewrites_modules: u32,
}

impl ProgramIndex {
    pub fn add_code(&mut self, code: &Code) {
        for entry in entries_of(code) {
            self.count_entry(entry, true);
        }
    }

    pub fn remove_code(&mut self, code: &Code) {
        for entry in entries_of(code) {
            self.count_entry(entry, false);
        }
    }

    fn count_entry(&mut self, entry: IndexEntry, is_added: bool) {
        match entry {
            IndexEntry::Store(name, writer) => count_pair(&mut self.stores, name, writer, is_added),
            IndexEntry::Base(class, base) => {
                count_pair(&mut self.bases, class, base, is_added);
                count_pair(&mut self.subclasses, base, class, is_added);
            }
            IndexEntry::ClassName(name) => count_in(&mut self.class_names, name, is_added),
            IndexEntry::Method(name) => count_in(&mut self.methods, name, is_added),
            IndexEntry::Builtin(name) => count_in(&mut self.builtins, name, is_added),
            IndexEntry::OpenClass(name) => count_in(&mut self.open_classes, name, is_added),
            IndexEntry::RewrittenClass(name) => count_in(&mut self.rewritten_classes, name, is_added),
            IndexEntry::Patched(name) => count_in(&mut self.patched, name, is_added),
            IndexEntry::GivenDefaults(name) => count_in(&mut self.given_defaults, name, is_added),
            IndexEntry::GivesAnyDefaults => count_one(&mut self.gives_any_defaults, is_added),
            IndexEntry::StoresThroughFrames => count_one(&mut self.stores_through_frames, is_added),
            IndexEntry::OpensBuiltinTypes => count_one(&mut self.opens_builtin_types, is_added),
            IndexEntry::RewritesModules => count_one(&mut self.rewrites_modules, is_added),
        }
    }

    /// The answer to a question.
    pub fn answer(&self, question: IndexQuestion) -> bool {
        match question {
            IndexQuestion::PutIntoNamespaces(name) => {
                self.stores_through_frames > 0 || self.builtins.contains_key(&name)
            }
            IndexQuestion::OpensBuiltinTypes => self.opens_builtin_types > 0,
            IndexQuestion::RewritesModules => self.rewrites_modules > 0,
            IndexQuestion::Patched(name) => self.patched.contains_key(&name),
            // A lambda has no name of its own.
            IndexQuestion::GivenDefaults(name) => {
                self.gives_any_defaults > 0
                    || self.given_defaults.contains_key(&name)
                    || name.text() == "<lambda>" && !self.given_defaults.is_empty()
            }
            IndexQuestion::OpensClass(name) => self.open_classes.contains_key(&name),
            IndexQuestion::StoredAttribute(name) => {
                self.stores.contains_key(&name) || self.class_names.contains_key(&name)
            }
            IndexQuestion::StoredFromOutside(name) => {
                self.stores.get(&name).is_some_and(|stores| stores.keys().any(|store| store.own_class.is_none()))
            }
            IndexQuestion::AssignedAttribute(name) => self.stores.contains_key(&name),
            IndexQuestion::SetOnce(class, attribute) => {
                self.is_set_once(class, attribute, &LazyCell::new(|| self.relatives(class)))
            }
            IndexQuestion::StoredByClass(class, attribute) => {
                let Some(stores) = self.stores.get(&attribute) else { return false };
                let relatives = self.relatives(class);
                stores.keys().any(|store| store.own_class.is_some_and(|owner| relatives.contains(&owner)))
            }
            IndexQuestion::NamedTwice(name) => self.class_names.get(&name).is_some_and(|count| *count > 1),
            IndexQuestion::DefinedTwice(method) => self.methods.get(&method).is_some_and(|count| *count > 1),
        }
    }

    /// Of a class's attributes those that only its constructor gives to its instances.
    pub fn set_once<'a>(
        &'a self,
        class: Name,
        attributes: impl Iterator<Item = Name> + 'a,
    ) -> impl Iterator<Item = (Name, bool)> + 'a {
        // Most attributes are stored by one class alone, and its relatives need not be known.
        let relatives = LazyCell::new(move || self.relatives(class));
        attributes.map(move |attribute| (attribute, self.is_set_once(class, attribute, &relatives)))
    }

    fn is_set_once<F: FnOnce() -> FxHashSet<Name>>(
        &self,
        class: Name,
        attribute: Name,
        relatives: &LazyCell<FxHashSet<Name>, F>,
    ) -> bool {
        let is_rewritten = !self.rewritten_classes.is_empty()
            && relatives.iter().any(|relative| self.rewritten_classes.contains_key(relative));
        if is_rewritten {
            return false;
        }
        self.stores.get(&attribute).into_iter().flat_map(|stores| stores.keys()).all(|store| match store.own_class {
            None => false,
            Some(owner) if owner == class => store.in_init,
            Some(owner) => !relatives.contains(&owner),
        })
    }

    /// All classes above or below one, by name, and the class itself.
    fn relatives(&self, class: Name) -> FxHashSet<Name> {
        let mut all = FxHashSet::default();
        for related in [&self.bases, &self.subclasses] {
            let mut seen = FxHashSet::from_iter([class]);
            let mut open = vec![class];
            while let Some(next) = open.pop() {
                let near = related.get(&next).into_iter().flat_map(|near| near.keys().copied());
                open.extend(near.filter(|name| seen.insert(*name)));
            }
            all.extend(seen);
        }
        all
    }
}

fn count_one(count: &mut u32, is_added: bool) {
    *count = if is_added { *count + 1 } else { count.saturating_sub(1) };
}

fn count_in<K: std::hash::Hash + Eq>(counts: &mut FxHashMap<K, u32>, key: K, is_added: bool) {
    let count = counts.entry(key);
    match count {
        std::collections::hash_map::Entry::Occupied(mut known) => {
            count_one(known.get_mut(), is_added);
            if *known.get() == 0 {
                known.remove();
            }
        }
        std::collections::hash_map::Entry::Vacant(new) if is_added => {
            new.insert(1);
        }
        std::collections::hash_map::Entry::Vacant(_) => {}
    }
}

fn count_pair<K: std::hash::Hash + Eq>(
    pairs: &mut FxHashMap<Name, FxHashMap<K, u32>>,
    name: Name,
    with: K,
    is_added: bool,
) {
    let counts = pairs.entry(name).or_default();
    count_in(counts, with, is_added);
    if counts.is_empty() {
        pairs.remove(&name);
    }
}

/// What a module says about the whole program, in the order of its scopes.
pub(crate) fn entries_of(code: &Code) -> Vec<IndexEntry> {
    let mut entries = Vec::with_capacity(code.scopes.stores.len() + code.scopes.methods.len());
    for store in &code.scopes.stores {
        let name = code.attribute_name(store.attribute, store.scope);
        let own_class = store.own_class.map(|class| code.name_of(class));
        entries.push(IndexEntry::Store(name, AttributeWriter { own_class, in_init: store.in_init }));
    }
    for (class, bases) in &code.scopes.classes {
        let class = code.name_of(*class);
        entries.extend(bases.iter().map(|base| IndexEntry::Base(class, code.name_of(*base))));
    }
    for (id, scope) in code.scopes.iter().filter(|(_, scope)| scope.kind == ScopeKind::Class) {
        entries.extend(scope.locals.iter().map(|name| IndexEntry::ClassName(code.attribute_name(*name, id))));
    }
    let injections = &code.scopes.injections;
    let outside = AttributeWriter { own_class: None, in_init: false };
    entries.extend(injections.stored.iter().map(|name| IndexEntry::Store(Name::new(name), outside)));
    entries.extend(injections.patched.iter().map(|name| IndexEntry::Patched(Name::new(name))));
    entries.extend(injections.given_defaults.iter().map(|name| IndexEntry::GivenDefaults(Name::new(name))));
    if injections.gives_any_defaults {
        entries.push(IndexEntry::GivesAnyDefaults);
    }
    entries.extend(injections.builtins.iter().map(|name| IndexEntry::Builtin(Name::new(name))));
    entries.extend(injections.open_classes.iter().map(|name| IndexEntry::OpenClass(Name::new(name))));
    entries.extend(injections.rewritten_classes.iter().map(|name| IndexEntry::RewrittenClass(Name::new(name))));
    if injections.stores_through_frames || passes_on_globals(code) {
        entries.push(IndexEntry::StoresThroughFrames);
    }
    // Tests put modules in place for themselves alone.
    if injections.rewrites_modules && !code.is_test {
        entries.push(IndexEntry::RewritesModules);
    }
    // Packages that patch classes of others, PyTorch's too, or name a device of their own that PyTorch gives methods for.
    const PATCHING: [&str; 7] = [
        "PyDict_SetItem",
        "forbiddenfruit",
        "fastai",
        "fastcore",
        "lovely_tensors",
        "rename_privateuse1_backend",
        "sure",
    ];
    let names_patcher =
        || code.tree.strings().any(|text| text.split('.').next().is_some_and(|first| PATCHING.contains(&first)));
    if names_patcher() || gives_builtin_namespace(code) {
        entries.push(IndexEntry::OpensBuiltinTypes);
    }
    let methods = code.scopes.methods.iter();
    entries.extend(methods.map(|(method, class)| IndexEntry::Method(code.attribute_name(*method, *class))));
    entries
}

/// Whether a module has code work on the dictionary behind the namespace of a builtin class, which Python itself lets read alone:
///
/// ```python
/// namespace = gc.get_referents(object.__dict__)[0]
/// namespace = vars(object) == Taker()               # `Taker.__eq__` is given the dictionary
/// ```
fn gives_builtin_namespace(code: &Code) -> bool {
    const TYPES: [&str; 11] =
        ["bool", "bytes", "complex", "dict", "float", "int", "list", "object", "set", "str", "tuple"];
    const READING: [&str; 7] = ["dict", "dir", "len", "list", "print", "set", "sorted"];
    let tree = &code.tree;
    let is_type = |id: ExprId| tree.as_name(id).is_some_and(|name| TYPES.contains(&tree.text(name)));
    let is_namespace = |id: ExprId| match tree[id].kind {
        ExprKind::Attribute { value, attribute, .. } => tree.text(attribute.name) == "__dict__" && is_type(value),
        ExprKind::Call { function, arguments } => {
            tree.as_name(function).is_some_and(|name| tree.text(name) == "vars")
                && matches!(&tree[arguments.positional], [only] if is_type(*only))
        }
        _ => false,
    };
    if code.str_of("__dict__").is_none() && code.str_of("vars").is_none() {
        return false;
    }
    tree.expr_ids().any(|id| match tree[id].kind {
        ExprKind::Call { function, arguments } => {
            !tree.as_name(function).is_some_and(|name| READING.contains(&tree.text(name)))
                && tree[arguments.positional].iter().any(|&given| is_namespace(given))
        }
        ExprKind::Compare { left, ops, .. } => is_namespace(left) && matches!(&tree[ops], [Comparison::Eq]),
        _ => false,
    })
}

/// Whether a module takes the globals of a frame for more than reading one of them: `names = sys._getframe(1).f_globals`, after
/// which it may store into them by any name.
fn passes_on_globals(code: &Code) -> bool {
    code.str_of("f_globals").is_some()
        && code.str_of("_getframe").is_some()
        && code.tree.expr_ids().any(|id| {
            let ExprKind::Attribute { attribute, context: Context::Load, .. } = code.tree[id].kind else {
                return false;
            };
            let reads = match Node::Expr(id).parent(&code.tree) {
                Some(Node::Expr(parent)) => match code.tree[parent].kind {
                    ExprKind::Attribute { attribute, .. } => {
                        ["get", "copy", "items", "keys"].contains(&code.tree.text(attribute.name))
                    }
                    ExprKind::Subscript { context, .. } => context == Context::Load,
                    ExprKind::Compare { .. } => true,
                    _ => false,
                },
                _ => false,
            };
            code.tree.text(attribute.name) == "f_globals" && !reads
        })
}
