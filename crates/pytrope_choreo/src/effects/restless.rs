//! Objects that change when they are looked at: by special methods that operations call unseen, by descriptors, by being gone through.
//!
//! ```python
//! class Box:
//!     def __len__(self):  # `len(box)`, `if box:` and `while box:` change the box
//!         self.n += 1
//!         return self.n
//! ```
//!
//! Whatever a function does with a variable that holds such an object counts as a change of it.

use pytrope_source::tree::{Arguments, ExprId, ExprKind, Parent, StmtId, StmtKind};

use super::{Callee, Cause, Effects, ParameterSet, PlainFunction, library_names, tables};
use crate::declaration::{Unit, World};

/// Special methods that are called where the program says so, or that store.
const SEEN: &[&str] = &[
    "__delitem__",
    "__enter__",
    "__exit__",
    "__iadd__",
    "__init__",
    "__new__",
    "__post_init__",
    "__set__",
    "__setattr__",
    "__setitem__",
];

/// Why a call whose result is an iterator depends on more than its arguments.
pub(crate) const ITERATOR_KEPT: &str = "creates an iterator, which iteration exhausts";

impl Effects {
    /// Why objects of a class may differ from role to role though nothing changes them by name: a special method
    /// that runs unseen, such as `__bool__`, changes the object or depends on more than it.
    pub fn restless_class(&self, world: &World, class: PlainFunction) -> Option<Cause> {
        let methods = self.class_lineage(world, class).into_iter().flat_map(|class| special_methods(world, class));
        methods.into_iter().find_map(|key| {
            let unit = world.unit(key.0);
            let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return None };
            let name = unit.tree.text(function.name.name);
            let effect = self.of_function(key).filter(|_| !SEEN.contains(&name))?;
            (effect.changes.contains(0) || effect.varies.is_some()).then(|| Cause {
                unit: unit.id,
                range: function.name.range,
                what: format!("runs implicitly, and {name} changes its object or depends on other state"),
            })
        })
    }

    /// Whether a call makes an iterator by a generator of the program.
    pub fn makes_iterator(&self, unit: &Unit, function: ExprId, called: &Callee) -> bool {
        let gives = |key: PlainFunction| self.of_function(key).is_some_and(|effect| effect.gives_iterator);
        match (called, unit.tree[function].kind) {
            (Callee::Function(key), _) => gives(*key),
            (Callee::Builtin(name), _) => name != "object" && tables::makes_iterator(name),
            (Callee::Library(path), _) => library_names::makes_iterator(path),
            (Callee::Unknown, ExprKind::Attribute { attribute, .. }) => {
                self.methods_named(unit.tree.text(attribute.name)).iter().any(|&key| gives(key))
            }
            _ => false,
        }
    }

    /// Whether a value that a module or a class holds changes by being looked at: an iterator, an open file, an object of a restless
    /// class, or what has one as a part.
    pub(super) fn keeps_restless(&self, world: &World, unit: &Unit, value: ExprId) -> bool {
        let tree = &unit.tree;
        let keeps = |part: &ExprId| self.keeps_restless(world, unit, *part);
        match tree[value].kind {
            ExprKind::Generator { .. } => true,
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => tree[elements].iter().any(keeps),
            ExprKind::Call { function, arguments } => match self.resolve_callee(world, unit, function) {
                Callee::Builtin(name) => tables::makes_iterator(&name) || name == "open",
                // Looking for a key in a `defaultdict` enters it.
                Callee::Library(path) => library_names::makes_iterator(&path) || path == "collections.defaultdict",
                Callee::Function(key) => {
                    self.of_function(key).is_some_and(|effect| effect.gives_iterator || effect.makes_restless)
                }
                Callee::Class(key) => {
                    let init = super::find_constructor(world, self, key);
                    let makes = init.and_then(|init| self.of_function(init)).is_some_and(|init| init.makes_restless);
                    makes || self.restless_class(world, key).is_some() || tree[arguments.positional].iter().any(keeps)
                }
                Callee::Enum | Callee::Unknown => false,
            },
            _ => false,
        }
    }

    /// The classes whose instances share an attribute of this name that changes when it is read.
    pub(super) fn restless_attributes(&self, world: &World, name: &str) -> Vec<PlainFunction> {
        let held = self.class_attributes.get(name).map_or(&[][..], Vec::as_slice);
        let keeps =
            |&&(class, value): &&(PlainFunction, ExprId)| self.keeps_restless(world, world.unit(class.0), value);
        held.iter().filter(keeps).map(|(class, _)| *class).collect()
    }
}

impl Effects {
    /// Methods of the program that a function of a library runs without their names being read: `replace` makes an instance,
    /// `attrgetter("size")` reads properties.
    pub fn called_unseen(&self, unit: &Unit, path: &str, arguments: Arguments) -> Vec<PlainFunction> {
        let tree = &unit.tree;
        match path {
            "copy.replace" | "dataclasses.replace" => ["__init__", "__new__", "__post_init__"]
                .iter()
                .flat_map(|name| self.methods_named(name))
                .copied()
                .collect(),
            "operator.attrgetter" => {
                let names = tree[arguments.positional].iter().flat_map(|&name| {
                    unit.expr_text(name).trim_matches(|quote| matches!(quote, '"' | '\'')).split('.')
                });
                names.flat_map(|name| self.properties_named(name)).copied().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The properties that `format` reads: those that its text names, `"{0.size}"`, or any if the text is not in sight.
    pub fn read_by_format(&self, unit: &Unit, text: ExprId) -> Vec<PlainFunction> {
        match unit.tree[text].kind {
            ExprKind::Str(_) => {
                let text = unit.expr_text(text);
                let is_read = |name: &&String| text.contains(&format!(".{name}"));
                self.properties.keys().filter(is_read).flat_map(|name| self.properties_named(name)).copied().collect()
            }
            _ => self.properties.values().flatten().copied().collect(),
        }
    }

    /// Whether an attribute may be the value of an enum's member that is more than a literal.
    pub fn reads_open_enum(&self, name: &str) -> bool {
        !self.open_enums.is_empty() && matches!(name, "value" | "_value_")
    }

    /// The state that values of such members are part of.
    pub(super) fn open_enum_state(&self, name: &str) -> ParameterSet {
        if !self.reads_open_enum(name) {
            return ParameterSet::NONE;
        }
        let states = self.open_enums.iter().map(|declared| self.state_of(declared.clone()));
        states.fold(ParameterSet::NONE, ParameterSet::union)
    }
}

/// Builtins that go through what they are given, and keep nothing of it but its items.
const GOING_THROUGH: &[&str] =
    &["all", "any", "bytes", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"];

impl Effects {
    /// Whether the one use of an iterator is to be gone through where it is made: `list(pairs(n))`, `for pair in zip(a, b):`.
    pub fn is_gone_through(&self, world: &World, unit: &Unit, iterator: ExprId) -> bool {
        let tree = &unit.tree;
        match tree[iterator].parent {
            Parent::Stmt(stmt) => match tree[stmt].kind {
                StmtKind::For { iter, .. } => iter == iterator,
                // `a, b = map(int, words)`
                StmtKind::Assign { targets, value } => {
                    value == iterator
                        && tree[targets]
                            .iter()
                            .all(|&target| matches!(tree[target].kind, ExprKind::Tuple { .. } | ExprKind::List { .. }))
                }
                StmtKind::Expr { .. } => true,
                _ => false,
            },
            Parent::Expr(parent) => match tree[parent].kind {
                ExprKind::Call { function, arguments } => {
                    function != iterator && self.goes_through(world, unit, parent, (function, arguments), iterator)
                }
                ExprKind::ListComp { generators, .. }
                | ExprKind::SetComp { generators, .. }
                | ExprKind::DictComp { generators, .. } => {
                    tree[generators].iter().any(|generator| generator.iter == iterator)
                }
                ExprKind::Generator { generators, .. } => {
                    tree[generators].iter().any(|generator| generator.iter == iterator)
                        && self.is_gone_through(world, unit, parent)
                }
                ExprKind::Compare { .. } | ExprKind::Starred { .. } | ExprKind::YieldFrom { .. } => true,
                _ => false,
            },
            Parent::Module => false,
        }
    }

    /// Whether a call goes through an iterator that is one of its arguments.
    fn goes_through(
        &self,
        world: &World,
        unit: &Unit,
        call: ExprId,
        (function, arguments): (ExprId, Arguments),
        iterator: ExprId,
    ) -> bool {
        let tree = &unit.tree;
        match self.resolve_callee(world, unit, function) {
            Callee::Builtin(name) => {
                GOING_THROUGH.contains(&name.as_str())
                    || tables::makes_iterator(&name) && self.is_gone_through(world, unit, call)
            }
            Callee::Library(path) if path.starts_with("itertools.") => self.is_gone_through(world, unit, call),
            Callee::Library(path) => super::is_pure_path(&path),
            Callee::Function(key) => {
                let callee = world.unit(key.0);
                let (Some(summary), StmtKind::FunctionDef(declared)) = (self.of_function(key), callee.tree[key.1].kind)
                else {
                    return false;
                };
                let given_on = summary.gives_iterator && self.is_gone_through(world, unit, call);
                let results = summary.returns.union(summary.returns_items);
                let kept = if given_on { summary.changes } else { results.union(summary.changes) };
                let given = super::given_positions(unit, callee, declared, None, arguments);
                let mut positions = given.into_iter().filter(|(_, value)| *value == iterator);
                positions.all(|(position, _)| !kept.contains(position))
            }
            Callee::Unknown => match tree[function].kind {
                ExprKind::Attribute { attribute, .. } => matches!(
                    tree.text(attribute.name),
                    "extend" | "extendleft" | "intersection" | "join" | "difference" | "union" | "update"
                ),
                _ => false,
            },
            Callee::Class(_) | Callee::Enum => false,
        }
    }
}

/// The special methods that a plain class itself defines.
pub(super) fn special_methods(world: &World, class: PlainFunction) -> Vec<PlainFunction> {
    let tree = &world.unit(class.0).tree;
    let StmtKind::ClassDef(declared) = tree[class.1].kind else { return Vec::new() };
    let is_special = |stmt: StmtId| match tree[stmt].kind {
        StmtKind::FunctionDef(function) => {
            let name = tree.text(function.name.name);
            name.starts_with("__") && name.ends_with("__")
        }
        _ => false,
    };
    tree[declared.body].iter().copied().filter(|&stmt| is_special(stmt)).map(|stmt| (class.0, stmt)).collect()
}
