//! Effects of plain code: what a call depends on beyond its arguments, and what it changes.
//!
//! Several roles may compute a value each for itself only if they get equal results, and a copy that several roles hold may be
//! changed only where all of them do so. Both are questions about the functions that a choreography calls. Every function and
//! method of plain code has one summary, an [`Effect`]; the summaries are the least fixpoint over the call graph, beginning with
//! "depends on nothing and changes nothing". A callee that is not known may do anything.
//!
//! Invariant: an effect only grows, in a finite lattice, so that the iteration ends; what is not recognised is assumed to vary.

mod attribute_types;
mod body;
mod collecting;
mod computed;
mod construction;
mod decorators;
mod handed;
mod held_functions;
mod holdings;
mod identity;
mod import_time;
mod imports;
mod library_names;
mod made;
mod marks;
mod module_variables;
mod numbers;
mod reflection;
mod replaced;
mod restless;
mod sharing;
mod tables;
mod texts;
mod uses;

use std::cell::{Cell, RefCell};

use indexmap::IndexSet;

pub(crate) use body::{changed_defaults, find_change, given_positions};
pub(crate) use collecting::keeps_total_order;
pub(crate) use handed::{HandedValue, called_arguments, called_by_method};
pub(crate) use identity::{compares_identity, makes_view_set};
use imports::{ImportTable, Imported};
pub(crate) use library_names::is_pure_path;
pub(crate) use made::declared_result;
pub(crate) use module_variables::is_class_attribute;
pub(crate) use reflection::{any_name, is_hidden_attribute, library_path};
use replaced::Replaced;
pub(crate) use restless::ITERATOR_KEPT;
pub(crate) use uses::is_reading_use;

use pytrope_semantic::is_predefined;
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind, FunctionDefinition, Parameter, StmtId, StmtKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declaration::{Meaning, Unit, UnitId, World};
use crate::located::Traits;
use crate::value_types::{is_changed_enum, traits_of};

pub(crate) use tables::{
    changes_arguments, gives_items, gives_plain_value, gives_same, ignores_order, is_changing_method, is_changing_path,
    is_exception_name, is_item_method, is_pure_builtin, is_reading_method, is_same_builtin, is_same_name,
    is_same_value, makes_frozen, makes_iterator, makes_known_array, shows_arguments,
};

/// A function or method of plain code.
pub(crate) type PlainFunction = (UnitId, StmtId);

/// What a value may be part of: parameters of a function by position, the state outside of all of them, and of that state the
/// variables of modules, by their numbers in [`Effects`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ParameterSet(u128);

/// The bit of the first variable of a module.
const FIRST_VARIABLE: usize = 64;

impl ParameterSet {
    pub const NONE: Self = Self(0);
    pub const OUTSIDE: Self = Self(1 << 63);

    pub const fn of_position(position: usize) -> Self {
        // Beyond 62 parameters the last bit stands for several, which only makes a summary coarser.
        Self(1 << if position > 62 { 62 } else { position })
    }

    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without_receiver(self) -> Self {
        Self(self.0 & !1)
    }

    pub const fn contains(self, position: usize) -> bool {
        self.0 & Self::of_position(position).0 != 0
    }

    pub const fn is_outside(self) -> bool {
        self.0 & Self::OUTSIDE.0 != 0
    }

    /// A variable of a module, as state outside of the parameters. Beyond 64 of them the last bit stands for several.
    const fn of_variable(number: usize) -> Self {
        let bit = FIRST_VARIABLE + if number > 63 { 63 } else { number };
        Self(Self::OUTSIDE.0 | 1 << bit)
    }

    /// The state outside of the parameters.
    pub const fn outside_part(self) -> Self {
        Self(self.0 >> 63 << 63)
    }

    const fn has_variable(self, number: usize) -> bool {
        self.0 & (Self::of_variable(number).0 ^ Self::OUTSIDE.0) != 0
    }
}

/// Why a call whose result depends on the order of a set varies.
pub(crate) const TAKES_ORDER: &str = "iterates over a set, whose order differs between processes";

/// Why a call whose result is the text of an object varies.
pub(crate) const SHOWS_ADDRESS: &str = "makes a text of an object or a function that is shown by its address";

/// Where and why the result of a call is not determined by its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cause {
    pub unit: UnitId,
    pub range: TextRange,
    /// `reads os.environ`
    pub what: String,
}

/// What calls of a function do.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct FunctionSummary {
    /// Calls with equal arguments may differ in their results or in what they change.
    pub varies: Option<Cause>,
    /// Parameters that are changed in place.
    pub changes: ParameterSet,
    /// Parameters whose attributes are stored into, classes and functions included.
    pub marks: ParameterSet,
    /// Parameters that the result may be, or be part of.
    pub returns: ParameterSet,
    /// Parameters that parts of the result may be, or be part of.
    pub returns_items: ParameterSet,
    /// The result is a set, whose order depends on the process.
    pub unordered: bool,
    /// The result may be a function, or an object that is shown by its address.
    pub unshown: bool,
    /// Parameters into which the call puts sets, or what holds some.
    pub puts_sets: ParameterSet,
    /// Parameters whose text the call takes.
    pub shows: ParameterSet,
    /// Parameters that are called, themselves or by what they are handed to.
    pub calls: ParameterSet,
    /// The result is an iterator that the call has made, which going through it uses up.
    pub gives_iterator: bool,
    /// Some object that it makes changes when it is looked at.
    pub makes_restless: bool,
    /// The result, or what it gives by and by, may be or hold an object made inside that can change.
    pub makes_changeable: bool,
    /// The result may hold such an object.
    pub holds_changeable: bool,
    /// Some `assert` may raise, which `python -O` leaves out.
    pub asserts: bool,
}

/// What an expression that is called stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Callee {
    Function(PlainFunction),
    /// A class of plain code: its instances are new, and hold the arguments.
    Class(PlainFunction),
    Enum,
    Builtin(String),
    /// A name of a module that is not part of the project: `os.getenv`.
    Library(String),
    Unknown,
}

/// The summaries of all plain code of a projection.
#[derive(Default)]
pub(crate) struct Effects {
    summaries: FxHashMap<PlainFunction, FunctionSummary>,
    /// The methods of plain classes by name: what `x.name()` may call, whatever `x` is.
    methods: FxHashMap<String, Vec<PlainFunction>>,
    /// Attributes that are computed when they are read.
    properties: FxHashMap<String, Vec<PlainFunction>>,
    /// What the bodies of plain classes bind, by name: the class, and the value.
    class_attributes: FxHashMap<String, Vec<(PlainFunction, ExprId)>>,
    imports: ImportTable,
    /// Variables of modules that functions share state with, and classes and functions with state of their own, numbered as they
    /// are met.
    variables: RefCell<IndexSet<ModuleVariable>>,
    /// The state that the value of a variable may lead to besides, by the variable's number.
    held: RefCell<FxHashMap<usize, ParameterSet>>,
    /// The variables that some function was seen to change.
    changed: Cell<ParameterSet>,
    /// Attributes that may be sets, or hold some.
    unordered_attributes: RefCell<FxHashSet<String>>,
    /// Attributes that may be functions, or objects that are shown by their address.
    unshown_attributes: RefCell<FxHashSet<String>>,
    /// What is known of the attributes of plain classes, by name, from all statements that bind them.
    attribute_traits: FxHashMap<String, Traits>,
    /// What some statement replaces.
    replaced: Replaced,
    /// Attributes of plain objects that may hold functions, and are called like methods.
    function_attributes: held_functions::FunctionAttributes,
    /// Attributes that descriptors may compute.
    computed_attributes: FxHashSet<String>,
    /// Operators may give more than new numbers and texts.
    open_operators: bool,
    /// Enums some of whose members are more than literals.
    open_enums: Vec<ModuleVariable>,
    /// Other enums whose members change.
    changed_enums: Vec<ModuleVariable>,
}

/// A name of a module that stands for state.
pub(crate) type ModuleVariable = (UnitId, String);

/// Rounds until the summaries are stable; each adds a fact to some summary.
const ROUNDS: usize = 60;

impl Effects {
    pub fn of_world(world: &World) -> Self {
        let mut effects = Self::default();
        let mut keys: Vec<PlainFunction> = Vec::new();
        for unit in &world.units {
            effects.imports.note_imports(unit);
            effects.note_class_attributes(world, unit);
            effects.note_attribute_types(world, unit);
            for (name, declared) in &unit.enums {
                if !declared.constant {
                    effects.open_enums.push((unit.id, name.clone()));
                } else if is_changed_enum(world, unit, name) {
                    effects.changed_enums.push((unit.id, name.clone()));
                }
            }
            let tree = &unit.tree;
            for stmt in tree.stmt_ids() {
                let StmtKind::FunctionDef(function) = tree[stmt].kind else { continue };
                let key = (unit.id, stmt);
                match tree.enclosing(stmt).map(|outer| (outer, tree[outer].kind)) {
                    None => keys.push(key),
                    Some((outer, StmtKind::ClassDef(_))) if !is_choreographic(world, unit, outer) => {
                        keys.push(key);
                        let name = tree.text(function.name.name).to_owned();
                        let known =
                            if is_property(unit, function) { &mut effects.properties } else { &mut effects.methods };
                        known.entry(name).or_default().push(key);
                    }
                    // A function that a branch or a loop of the module defines is not known by its name.
                    Some(_) => {}
                }
            }
        }
        effects.note_operators();
        effects.note_computed(world);
        effects.replaced = replaced::find_replaced(world, &effects);
        effects.function_attributes = held_functions::find_function_attributes(world, &effects);
        for key in &keys {
            effects.summaries.insert(*key, FunctionSummary::default());
        }
        for _ in 0..ROUNDS {
            let held = effects.count_learned();
            let mut stable = true;
            for &key in &keys {
                let found = body::summarize_function(world, &effects, key);
                if effects.summaries[&key] != found {
                    effects.summaries.insert(key, found);
                    stable = false;
                }
            }
            effects.learn_module_holdings(world);
            if stable && held == effects.count_learned() {
                break;
            }
        }
        effects
    }

    fn note_class_attributes(&mut self, world: &World, unit: &Unit) {
        let tree = &unit.tree;
        for stmt in tree.stmt_ids() {
            let StmtKind::ClassDef(class) = tree[stmt].kind else { continue };
            for &inner in &tree[class.body] {
                if let StmtKind::AnnAssign { target, annotation, .. } = tree[inner].kind
                    && let Some(name) = tree.as_name(target)
                {
                    let (name, traits) = (tree.text(name), traits_of(world, unit, annotation));
                    if !traits.ordered {
                        self.unordered_attributes.get_mut().insert(name.to_owned());
                    }
                    if !traits.shown {
                        self.unshown_attributes.get_mut().insert(name.to_owned());
                    }
                }
                let (target, value) = match tree[inner].kind {
                    StmtKind::Assign { targets, value } => (tree[targets].first().copied(), value),
                    StmtKind::AnnAssign { target, value: Some(value), .. } => (Some(target), value),
                    _ => continue,
                };
                if let Some(name) = target.and_then(|target| tree.as_name(target)) {
                    let known = self.class_attributes.entry(tree.text(name).to_owned()).or_default();
                    known.push(((unit.id, stmt), value));
                }
            }
        }
    }

    pub fn of_function(&self, key: PlainFunction) -> Option<&FunctionSummary> {
        self.summaries.get(&key)
    }

    /// The methods that `x.name()` may call, of all classes of plain code.
    pub fn methods_named(&self, name: &str) -> &[PlainFunction] {
        self.methods.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn properties_named(&self, name: &str) -> &[PlainFunction] {
        self.properties.get(name).map_or(&[], Vec::as_slice)
    }

    /// What an expression stands for when it is called, given that none of its names is local.
    pub fn resolve_callee(&self, world: &World, unit: &Unit, expr: ExprId) -> Callee {
        let tree = &unit.tree;
        let head = match tree[expr].kind {
            // `Stack[int]()`
            ExprKind::Subscript { value, .. } => value,
            _ => expr,
        };
        let Some(parts) = tree.dotted(head) else { return Callee::Unknown };
        self.resolve_path(world, unit, &parts)
    }

    pub fn resolve_path(&self, world: &World, unit: &Unit, parts: &[&str]) -> Callee {
        let (&first, rest) = parts.split_first().expect("a path has a first name");
        match self.imports.find_import(world, unit, first) {
            Some(Imported::Library(path)) => {
                let full: Vec<&str> = std::iter::once(path.as_str()).chain(rest.iter().copied()).collect();
                let path = full.join(".");
                return if self.replaced.has_path(&path) { Callee::Unknown } else { Callee::Library(path) };
            }
            Some(Imported::Project(source, Some(name))) => {
                let full: Vec<&str> = std::iter::once(name.as_str()).chain(rest.iter().copied()).collect();
                return self.resolve_path(world, world.unit(source), &full);
            }
            Some(Imported::Project(source, None)) if !rest.is_empty() => {
                return self.resolve_path(world, world.unit(source), rest);
            }
            Some(Imported::Project(..)) | None => {}
        }
        match (unit.meanings.get(first), rest) {
            (Some(Meaning::Function(stmt)), []) => Callee::Function((unit.id, *stmt)),
            (Some(Meaning::PlainClass(stmt)), []) => Callee::Class((unit.id, *stmt)),
            (Some(Meaning::PlainClass(stmt)), [method]) => {
                self.find_method(world, (unit.id, *stmt), method).map_or(Callee::Unknown, Callee::Function)
            }
            (Some(Meaning::Enum), []) => Callee::Enum,
            (None, []) if is_predefined(first) => Callee::Builtin(first.to_owned()),
            _ => Callee::Unknown,
        }
    }
}

/// What making an instance of a plain class calls: its `__init__`, or of a dataclass its `__post_init__`.
pub(crate) fn find_constructor(world: &World, effects: &Effects, class: PlainFunction) -> Option<PlainFunction> {
    ["__init__", "__post_init__", "__new__"].iter().find_map(|name| effects.find_method(world, class, name))
}

/// A method that a class itself defines.
pub(crate) fn method_of(unit: &Unit, class: StmtId, name: &str) -> Option<StmtId> {
    let tree = &unit.tree;
    let StmtKind::ClassDef(class) = tree[class].kind else { return None };
    tree[class.body].iter().copied().find(
        |&stmt| matches!(tree[stmt].kind, StmtKind::FunctionDef(function) if tree.text(function.name.name) == name),
    )
}

impl Effects {
    /// A class of plain code and its bases of the project, nearest first.
    pub fn class_lineage(&self, world: &World, class: PlainFunction) -> Vec<PlainFunction> {
        let mut lineage = vec![class];
        let mut at = 0;
        while let Some(&(unit, stmt)) = lineage.get(at) {
            at += 1;
            let unit = world.unit(unit);
            let StmtKind::ClassDef(declared) = unit.tree[stmt].kind else { continue };
            let Some(arguments) = declared.arguments else { continue };
            for &base in &unit.tree[arguments.positional] {
                if let Callee::Class(base) = self.resolve_callee(world, unit, base)
                    && !lineage.contains(&base)
                {
                    lineage.push(base);
                }
            }
        }
        lineage
    }

    /// A method that a class defines or inherits.
    pub fn find_method(&self, world: &World, class: PlainFunction, name: &str) -> Option<PlainFunction> {
        let lineage = self.class_lineage(world, class);
        lineage.into_iter().find_map(|(unit, class)| Some((unit, method_of(world.unit(unit), class, name)?)))
    }
}

fn is_choreographic(world: &World, unit: &Unit, class: StmtId) -> bool {
    world.classes.iter().any(|known| known.unit == unit.id && known.stmt == class)
}

fn is_property(unit: &Unit, function: FunctionDefinition) -> bool {
    let tree = &unit.tree;
    tree[function.decorators].iter().any(|&decorator| {
        tree.dotted(decorator).is_some_and(|parts| matches!(parts.last(), Some(&("property" | "cached_property"))))
    })
}

/// The parameters of a function in the order of their positions in a summary.
pub(crate) fn summary_parameters(unit: &Unit, function: FunctionDefinition) -> Vec<Parameter> {
    let tree = &unit.tree;
    let declared = function.parameters;
    [declared.positional_only, declared.regular, declared.keyword_only]
        .into_iter()
        .flat_map(|list| tree[list].to_vec())
        .collect()
}
