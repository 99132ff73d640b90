//! What making an instance of a plain class runs besides the constructor that takes the arguments: `__new__`, `__post_init__`,
//! factories and defaults of fields, a metaclass, decorators of the class, bases that are not read.
//!
//! ```python
//! @dataclass
//! class Ticket:
//!     number: int = field(default_factory=lambda: next(NUMBERS))  # `Ticket()` changes NUMBERS
//! ```

use pytrope_source::TextRange;
use pytrope_source::tree::{ClassDefinition, ExprId, ExprKind, StmtKind};

use super::body::{EffectCollector, Share};
use super::{Callee, Effects, FunctionSummary, ParameterSet, PlainFunction, library_names, tables};
use crate::declaration::World;

/// Builtin bases that make instances of their arguments alone.
const PLAIN_BASES: &[&str] = &["dict", "float", "frozenset", "int", "list", "object", "set", "str", "tuple"];

impl Effects {
    /// What making an instance does, apart from the constructor that takes the arguments: whether it varies, and the state outside
    /// that it changes.
    pub fn summarize_construction(&self, world: &World, class: PlainFunction) -> FunctionSummary {
        self.summarize_making(world, class, &mut Vec::new())
    }

    /// `seen`: the classes whose factories led here.
    fn summarize_making(&self, world: &World, class: PlainFunction, seen: &mut Vec<PlainFunction>) -> FunctionSummary {
        if seen.contains(&class) {
            return FunctionSummary::default();
        }
        seen.push(class);
        let taking = super::find_constructor(world, self, class);
        let mut found = FunctionSummary::default();
        for special in ["__new__", "__init__", "__post_init__"] {
            let method = self.find_method(world, class, special);
            if let Some(summary) = method.filter(|_| method != taking).and_then(|method| self.of_function(method)) {
                found.varies = found.varies.take().or_else(|| summary.varies.clone());
                found.changes = found.changes.union(summary.changes.outside_part());
            }
        }
        for (unit, class) in self.class_lineage(world, class) {
            let unit = world.unit(unit);
            let StmtKind::ClassDef(declared) = unit.tree[class].kind else { continue };
            let mut collector = EffectCollector::new(world, self, unit);
            collector.collect_construction(declared, seen);
            found.varies = found.varies.take().or(collector.effect.varies);
            found.changes = found.changes.union(collector.effect.changes.outside_part());
        }
        found
    }
}

impl EffectCollector<'_> {
    fn collect_construction(&mut self, class: ClassDefinition, seen: &mut Vec<PlainFunction>) {
        let unit = self.unit;
        let tree = &unit.tree;
        for &decorator in &tree[class.decorators] {
            let called = match tree[decorator].kind {
                ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let plain = match self.effects.resolve_callee(self.world, unit, called) {
                Callee::Library(path) => library_names::is_plain_class_decorator(&path),
                _ => false,
            };
            if !plain {
                let name = unit.expr_text(called);
                self.add_variation(tree[decorator].range, format!("has the decorator {name}"));
            }
        }
        for keyword in class.arguments.map_or(&[][..], |arguments| &tree[arguments.keywords]) {
            let name = keyword.name.map(|name| tree.text(name.name)).unwrap_or_default();
            let abstract_class = tree.dotted(keyword.value).is_some_and(|parts| parts.last() == Some(&"ABCMeta"));
            if name == "metaclass" && !abstract_class {
                self.add_variation(tree[keyword.value].range, "has a metaclass, which may do anything");
            }
        }
        for &base in class.arguments.map_or(&[][..], |arguments| &tree[arguments.positional]) {
            self.collect_base(base);
        }
        for &stmt in &tree[class.body] {
            if let StmtKind::AnnAssign { value: Some(value), .. } = tree[stmt].kind {
                self.collect_default(value, seen);
            }
        }
    }

    fn collect_base(&mut self, base: ExprId) {
        let (unit, tree) = (self.unit, &self.unit.tree);
        let head = match tree[base].kind {
            ExprKind::Subscript { value, .. } => value,
            _ => base,
        };
        let last = tree.dotted(head).and_then(|parts| parts.last().copied()).unwrap_or_default();
        let known = match self.effects.resolve_callee(self.world, unit, head) {
            Callee::Class(_) | Callee::Enum => true,
            Callee::Library(path) => library_names::is_pure_path(&path) || path.starts_with("collections.abc."),
            Callee::Builtin(name) => PLAIN_BASES.contains(&name.as_str()) || tables::is_exception_name(&name),
            Callee::Function(_) | Callee::Unknown => false,
        };
        if !known {
            self.add_variation(tree[base].range, format!("has the base {last}, which is not known"));
        }
    }

    /// A default is made where the class is defined, in every process; a factory runs for each instance.
    fn collect_default(&mut self, value: ExprId, seen: &mut Vec<PlainFunction>) {
        let (unit, tree) = (self.unit, &self.unit.tree);
        let ExprKind::Call { function, arguments } = tree[value].kind else { return };
        let is_field = tree.dotted(function).is_some_and(|parts| parts.last() == Some(&"field"));
        if !is_field {
            for expr in unit.exprs_within(tree[value].range) {
                self.expr_effects(expr);
            }
            return;
        }
        for keyword in &tree[arguments.keywords] {
            match keyword.name.map(|name| tree.text(name.name)) {
                Some("default_factory") => self.collect_factory(keyword.value, seen),
                Some("default") => self.collect_default(keyword.value, seen),
                _ => {}
            }
        }
    }

    /// A factory that gives out what the module has: a change of the instance's part changes that.
    fn share_made_object(&mut self, given: ParameterSet, range: TextRange) {
        let state = given.outside_part();
        if state != ParameterSet::NONE {
            self.add_variation(range, "gives each instance a part of the state of the module");
            self.record_change(Share::of_parts(state), range);
        }
    }

    fn collect_factory(&mut self, factory: ExprId, seen: &mut Vec<PlainFunction>) {
        let (unit, effects, tree) = (self.unit, self.effects, &self.unit.tree);
        let range = tree[factory].range;
        if let ExprKind::Lambda { body, .. } = tree[factory].kind {
            unit.exprs_within(range).filter(|&inner| inner != factory).for_each(|inner| self.expr_effects(inner));
            self.share_made_object(self.shared_state(body).whole, range);
            return;
        }
        let summary = match effects.resolve_callee(self.world, unit, factory) {
            Callee::Function(key) => effects.of_function(key).cloned(),
            Callee::Class(key) => {
                let made = effects.summarize_making(self.world, key, seen);
                let taking = super::find_constructor(self.world, effects, key).and_then(|key| effects.of_function(key));
                let taking = taking.cloned().unwrap_or_default();
                Some(FunctionSummary {
                    varies: made.varies.or(taking.varies),
                    changes: made.changes.union(taking.changes),
                    ..FunctionSummary::default()
                })
            }
            Callee::Builtin(name) if tables::is_pure_builtin(&name) => Some(FunctionSummary::default()),
            Callee::Library(path) if library_names::is_pure_path(&path) => Some(FunctionSummary::default()),
            _ => None,
        };
        let given = summary.as_ref().map_or(ParameterSet::NONE, |summary| summary.returns.union(summary.returns_items));
        self.share_made_object(given, range);
        let Some(summary) = summary else {
            self.add_variation(range, format!("is made for each instance by {}", unit.expr_text(factory)));
            return;
        };
        if let (Some(cause), None) = (summary.varies, &self.effect.varies) {
            self.effect.varies = Some(cause);
        }
        self.record_change(Share::of_parts(summary.changes.outside_part()), range);
    }
}
