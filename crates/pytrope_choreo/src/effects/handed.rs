//! Functions that are handed to others, which call them: `map(f, xs)`, `sorted(xs, key=f)`, `apply(f, x)`.
//!
//! Invariant: what is handed to be called is a definition whose effect is known, or else the call depends on more than its arguments and may
//! change whatever the function has captured.

use pytrope_source::TextRange;
use pytrope_source::tree::{Arguments, ExprId, ExprKind, StmtKind};

use super::body::{EffectCollector, Share, given_positions};
use super::{Callee, Effects, ParameterSet, PlainFunction, is_pure_path};
use crate::declaration::{Unit, World};

/// Builtins and functions of libraries, and the position of the argument that they call.
const CALLED_POSITIONS: &[(&str, usize)] = &[
    ("filter", 0),
    ("functools.cmp_to_key", 0),
    ("functools.partial", 0),
    ("functools.reduce", 0),
    ("itertools.accumulate", 1),
    ("itertools.dropwhile", 0),
    ("itertools.filterfalse", 0),
    ("itertools.groupby", 1),
    ("itertools.starmap", 0),
    ("itertools.takewhile", 0),
    ("map", 0),
    ("re.sub", 1),
    ("re.subn", 1),
];

/// Names of arguments that are called.
const CALLED_NAMES: &[&str] = &[
    "charjunk",
    "cls",
    "default",
    "default_factory",
    "func",
    "function",
    "isjunk",
    "key",
    "linejunk",
    "object_hook",
    "object_pairs_hook",
    "parse_constant",
    "parse_float",
    "parse_int",
    "repl",
];

/// Methods of values of libraries and builtins that call their first argument.
const CALLING_METHODS: &[&str] = &["sub", "subn"];

/// The arguments that a call of a builtin or of a function of a library calls in turn.
pub(crate) fn called_arguments(unit: &Unit, called: &Callee, arguments: Arguments) -> Vec<ExprId> {
    let (Callee::Builtin(path) | Callee::Library(path)) = called else { return Vec::new() };
    let positional = &unit.tree[arguments.positional];
    if path.starts_with("difflib.") {
        return positional.iter().copied().chain(unit.tree[arguments.keywords].iter().map(|word| word.value)).collect();
    }
    let position = CALLED_POSITIONS.iter().find(|(known, _)| known == path).map(|(_, position)| *position);
    let starred = positional.iter().position(|&given| matches!(unit.tree[given].kind, ExprKind::Starred { .. }));
    let given = position.and_then(|position| positional.get(starred.map_or(position, |starred| starred.min(position))));
    given.copied().into_iter().chain(called_by_name(unit, arguments, path != "dict")).collect()
}

/// The arguments that a method of a builtin value or of a library calls: `xs.sort(key=f)`, `pattern.sub(f, text)`.
pub(crate) fn called_by_method(unit: &Unit, name: &str, arguments: Arguments) -> Vec<ExprId> {
    let first = unit.tree[arguments.positional].first().filter(|_| CALLING_METHODS.contains(&name));
    let named = if name == "sort" { called_by_name(unit, arguments, true) } else { Vec::new() };
    first.copied().into_iter().chain(named).collect()
}

fn called_by_name(unit: &Unit, arguments: Arguments, takes_functions: bool) -> Vec<ExprId> {
    let named = unit.tree[arguments.keywords].iter().filter(|keyword| {
        keyword.name.is_none_or(|name| CALLED_NAMES.contains(&unit.tree.text(name.name))) && takes_functions
    });
    named.map(|keyword| keyword.value).collect()
}

/// Functions of libraries whose result calls what they are given.
pub(crate) fn wraps_function(path: &str) -> bool {
    matches!(path, "functools.cmp_to_key" | "functools.partial")
}

/// What calling a value that is handed on means.
pub(crate) enum HandedValue {
    /// Its effect is that of the definition that it names, which is looked at where it is named; or it is not called.
    Known,
    /// What calling these parts means.
    Parts(Vec<ExprId>),
    /// A name of the function or method around it.
    Local,
    Unknown,
}

impl Effects {
    /// What a value is that is handed on to be called. `local`: names that shadow those of the module.
    pub fn classify_handed(
        &self,
        world: &World,
        unit: &Unit,
        value: ExprId,
        local: &dyn Fn(&str) -> bool,
    ) -> HandedValue {
        let tree = &unit.tree;
        match tree[value].kind {
            kind if kind.is_literal() => HandedValue::Known,
            ExprKind::Lambda { .. } | ExprKind::FString { .. } => HandedValue::Known,
            ExprKind::Name { name, .. } if local(tree.text(name)) => HandedValue::Local,
            ExprKind::IfExp { body, orelse, .. } => HandedValue::Parts(vec![body, orelse]),
            ExprKind::BoolOp { values, .. } => HandedValue::Parts(tree[values].to_vec()),
            ExprKind::Named { value, .. } => HandedValue::Parts(vec![value]),
            ExprKind::Name { .. } => match self.resolve_callee(world, unit, value) {
                Callee::Unknown => HandedValue::Unknown,
                _ => HandedValue::Known,
            },
            ExprKind::Attribute { attribute, .. } => {
                let name = tree.text(attribute.name);
                let shadowed = tree.dotted(value).is_none_or(|parts| local(parts[0]));
                let is_named = !shadowed && self.resolve_callee(world, unit, value) != Callee::Unknown;
                let is_method = !self.methods_named(name).is_empty()
                    || super::is_reading_method(name)
                    || super::is_changing_method(name);
                if is_named || is_method && !self.holds_function(name) {
                    HandedValue::Known
                } else {
                    HandedValue::Unknown
                }
            }
            ExprKind::Call { function, arguments } if tree.dotted(function).is_some_and(|parts| !local(parts[0])) => {
                match self.resolve_callee(world, unit, function) {
                    called @ Callee::Library(_) => match &called {
                        Callee::Library(path) if wraps_function(path) => {
                            HandedValue::Parts(called_arguments(unit, &called, arguments))
                        }
                        Callee::Library(path) if is_pure_path(path) => HandedValue::Known,
                        _ => HandedValue::Unknown,
                    },
                    _ => HandedValue::Unknown,
                }
            }
            _ => HandedValue::Unknown,
        }
    }

    /// What making an instance of a class does that is handed on, its arguments being unknown.
    pub fn summarize_handed_class(&self, world: &World, class: PlainFunction) -> super::FunctionSummary {
        let mut made = self.summarize_construction(world, class);
        let init = super::find_constructor(world, self, class).and_then(|init| self.of_function(init));
        if let Some(init) = init {
            made.varies = made.varies.or_else(|| init.varies.clone());
            made.changes = made.changes.union(init.changes);
        }
        made.varies = made.varies.or_else(|| self.restless_class(world, class));
        made
    }
}

impl EffectCollector<'_> {
    /// A value that is called out of sight.
    pub(super) fn collect_handed(&mut self, value: ExprId, range: TextRange) {
        let local = |name: &str| self.shares.contains_key(name) && !self.outer.contains(name);
        match self.effects.classify_handed(self.world, self.unit, value, &local) {
            HandedValue::Known => self.call_method_value(value, range),
            HandedValue::Parts(parts) => parts.into_iter().for_each(|part| self.collect_handed(part, range)),
            HandedValue::Local => {
                let name = self.unit.expr_text(value);
                // The body of a function defined inside has been looked at with this one.
                if self.defined.contains_key(name) {
                    return;
                }
                let state = self.shared_state(value);
                self.record_change(state.union(state.of_part()), range);
                self.call_local(value, range);
            }
            HandedValue::Unknown => {
                let state = self.shared_state(value);
                self.record_change(state.union(state.of_part()), range);
                self.add_variation(range, format!("calls {}, which is not known", self.unit.expr_text(value)));
            }
        }
    }

    /// A local name is called: one of the caller's functions if it is a parameter, and what it is otherwise is not known.
    pub(super) fn call_local(&mut self, name: ExprId, range: TextRange) {
        let Some((position, default)) = self.kept_parameter(name) else {
            self.add_variation(range, format!("calls {}, which is not known", self.unit.expr_text(name)));
            return;
        };
        self.effect.calls = self.effect.calls.union(ParameterSet::of_position(position));
        // The default is called if the caller gives nothing.
        let Some(default) = default.filter(|&default| !self.unit.tree[default].kind.is_literal()) else { return };
        match self.effects.resolve_callee(self.world, self.unit, default) {
            Callee::Function(key) => self.apply_callee_effect(key, None, None, range),
            _ => self.add_variation(range, format!("calls {}, which is not known", self.unit.expr_text(default))),
        }
    }

    /// The position of the parameter that a name stands for and that nothing else is bound to, and its default.
    fn kept_parameter(&self, expr: ExprId) -> Option<(usize, Option<ExprId>)> {
        let tree = &self.unit.tree;
        let name = tree.text(tree.as_name(expr)?);
        let [only] = self.unit.names.definitions_of(self.unit.names.owner_of_use(expr)?, name) else { return None };
        let definition = self.unit.names.definition(*only);
        let StmtKind::FunctionDef(function) = tree[definition.stmt].kind else { return None };
        let declared = super::summary_parameters(self.unit, function);
        let position = declared.iter().position(|parameter| parameter.name.range == definition.range)?;
        (self.stmt == Some(definition.stmt) && position < 62).then_some((position, declared[position].default))
    }

    /// `xs.append`, `o.rank`: a method that is called out of sight.
    fn call_method_value(&mut self, value: ExprId, range: TextRange) {
        let tree = &self.unit.tree;
        match tree[value].kind {
            ExprKind::Attribute { value: owner, attribute, .. } if self.is_local(owner) => {
                for &key in self.effects.methods_named(tree.text(attribute.name)) {
                    self.apply_callee_effect(key, Some(owner), None, range);
                }
            }
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                if let Callee::Class(class) = self.effects.resolve_callee(self.world, self.unit, value) {
                    let made = self.effects.summarize_handed_class(self.world, class);
                    self.effect.varies = self.effect.varies.take().or(made.varies);
                    self.record_change(Share::of_parts(made.changes.outside_part()), range);
                }
            }
            _ => {}
        }
    }

    /// What a function of the program calls of what it is given.
    pub(super) fn hand_to_callee(
        &mut self,
        callee: PlainFunction,
        receiver: Option<ExprId>,
        arguments: Arguments,
        range: TextRange,
    ) {
        let unit = self.world.unit(callee.0);
        let (Some(summary), StmtKind::FunctionDef(function)) =
            (self.effects.of_function(callee), unit.tree[callee.1].kind)
        else {
            return;
        };
        for (position, value) in given_positions(self.unit, unit, function, receiver, arguments) {
            if summary.calls.contains(position) {
                self.collect_handed(value, range);
            }
        }
    }
}
