//! Attributes that code computes or stores: descriptors, decorated methods that are read, setters, `__setattr__`.
//!
//! ```python
//! class Desk:
//!     ticket = Counter()  # with `__get__`: `desk.ticket` counts, for all desks of a process
//!     size = property(measure)
//! ```
//!
//! Invariant: what stands in the body of a class is known to be no descriptor, or reading its name gives each role something else.

use pytrope_source::tree::{ExprId, ExprKind, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use super::{Callee, Cause, Effects, ParameterSet, PlainFunction, tables};
use crate::declaration::{Unit, World};

/// Special methods of descriptors.
const DESCRIPTOR_METHODS: &[&str] = &["__delete__", "__get__", "__set__"];

impl Effects {
    /// Whether an attribute of this name may be computed by a descriptor.
    pub fn is_computed(&self, name: &str) -> bool {
        self.computed_attributes.contains(name)
    }

    /// Notes the attributes of plain classes that may be descriptors.
    pub(super) fn note_computed(&mut self, world: &World) {
        let mut found = FxHashSet::default();
        for unit in &world.units {
            for stmt in unit.tree.stmt_ids() {
                let StmtKind::ClassDef(class) = unit.tree[stmt].kind else { continue };
                for &inner in &unit.tree[class.body] {
                    self.note_computed_by(world, unit, inner, &mut found);
                }
            }
            // `Desk.ticket = Counter()`
            for expr in unit.tree.expr_ids().filter(|_| self.has_descriptors()) {
                if let Some(name) = self.stored_in_class(world, unit, expr) {
                    found.insert(name);
                }
            }
        }
        self.computed_attributes = found;
    }

    fn has_descriptors(&self) -> bool {
        DESCRIPTOR_METHODS.iter().any(|name| !self.methods_named(name).is_empty())
    }

    fn note_computed_by(&self, world: &World, unit: &Unit, stmt: StmtId, found: &mut FxHashSet<String>) {
        let tree = &unit.tree;
        let (targets, value) = match tree[stmt].kind {
            StmtKind::Assign { targets, value } => (tree[targets].to_vec(), value),
            StmtKind::AnnAssign { target, value: Some(value), .. } => (vec![target], value),
            StmtKind::FunctionDef(method) => {
                let wrapped =
                    tree[method.decorators].iter().any(|&decorator| !self.has_plain_decorator(world, unit, decorator));
                if wrapped {
                    found.insert(tree.text(method.name.name).to_owned());
                }
                return;
            }
            _ => return,
        };
        if self.may_be_descriptor(world, unit, value) {
            let names = targets.iter().flat_map(|&target| unit.exprs_within(tree[target].range));
            found.extend(names.filter_map(|name| tree.as_name(name)).map(|name| tree.text(name).to_owned()));
        }
    }

    fn stored_in_class(&self, world: &World, unit: &Unit, expr: ExprId) -> Option<String> {
        let ExprKind::Attribute { value, attribute, context } = unit.tree[expr].kind else { return None };
        let is_class = context == pytrope_source::tree::Context::Store
            && matches!(self.resolve_callee(world, unit, value), Callee::Class(_));
        is_class.then(|| unit.tree.text(attribute.name).to_owned())
    }

    fn may_be_descriptor(&self, world: &World, unit: &Unit, value: ExprId) -> bool {
        let tree = &unit.tree;
        match tree[value].kind {
            kind if kind.is_literal() => false,
            // The value of a name may be an instance of a class of the program.
            ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } => {
                self.has_descriptors()
                    && unit.binding(value).is_none_or(|meaning| *meaning == crate::declaration::Meaning::Other)
            }
            ExprKind::IfExp { body, orelse, .. } => {
                self.may_be_descriptor(world, unit, body) || self.may_be_descriptor(world, unit, orelse)
            }
            ExprKind::BoolOp { values, .. } => {
                tree[values].iter().any(|&value| self.may_be_descriptor(world, unit, value))
            }
            ExprKind::Call { function, .. } => match self.resolve_callee(world, unit, function) {
                Callee::Builtin(name) => {
                    !tables::is_pure_builtin(&name)
                        && !matches!(name.as_str(), "classmethod" | "object" | "staticmethod")
                }
                Callee::Class(class) => {
                    DESCRIPTOR_METHODS.iter().any(|name| self.find_method(world, class, name).is_some())
                }
                Callee::Enum => false,
                Callee::Library(path) => {
                    !tables::gives_same(&path) && path != "dataclasses.field" || path.starts_with("functools.")
                }
                Callee::Function(_) => self.has_descriptors(),
                Callee::Unknown => match tree[function].kind {
                    ExprKind::Attribute { attribute, .. } => !tables::is_reading_method(tree.text(attribute.name)),
                    _ => true,
                },
            },
            _ => false,
        }
    }

    /// Why storing an attribute or an item, `o.name = …` and `o[key] = …`, may give each role something else: a setter of the program
    /// depends on more than what it is given.
    pub fn varying_store(&self, unit: &Unit, target: ExprId) -> Option<Cause> {
        self.storing_methods(unit, target).into_iter().find_map(|key| self.of_function(key)?.varies.clone())
    }

    /// The state of the classes that keep a descriptor of this name.
    pub(super) fn descriptor_states(&self, world: &World, name: &str) -> ParameterSet {
        if !self.is_computed(name) {
            return ParameterSet::NONE;
        }
        let classes = self.class_attributes.get(name).map_or(&[][..], Vec::as_slice).iter();
        classes.fold(ParameterSet::NONE, |found, (class, _)| found.union(self.class_variable(world, *class)))
    }

    /// The methods of the program that a store or a deletion may run.
    pub(super) fn storing_methods(&self, unit: &Unit, target: ExprId) -> Vec<PlainFunction> {
        let named = |names: &[&str]| names.iter().flat_map(|name| self.methods_named(name)).copied().collect();
        match unit.tree[target].kind {
            ExprKind::Attribute { attribute, .. } => {
                let name = unit.tree.text(attribute.name);
                let mut methods: Vec<PlainFunction> = named(&["__delattr__", "__setattr__"]);
                if !self.properties_named(name).is_empty() {
                    methods.extend(self.methods_named(name));
                }
                if self.is_computed(name) {
                    methods.extend(named(&["__delete__", "__set__"]));
                }
                methods
            }
            ExprKind::Subscript { .. } => named(&["__delitem__", "__setitem__"]),
            _ => Vec::new(),
        }
    }
}
