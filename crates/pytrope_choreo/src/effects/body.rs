//! The summary of one function, from its body and the summaries of what it calls.
//!
//! The body is read without regard to the flow of control. Each local name stands for a set of parameters whose state its value
//! may share (`sharing`); changing a value in place changes all of them (`collecting`).

use pytrope_source::tree::{Arguments, ExprId, ExprKind, FunctionDefinition, StmtId, StmtKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Effects, FunctionSummary, ModuleVariable, ParameterSet, PlainFunction, summary_parameters};
use crate::declaration::{Unit, World};
use crate::value_types::traits_of;

pub(super) fn summarize_function(world: &World, effects: &Effects, key: PlainFunction) -> FunctionSummary {
    collect_function(world, effects, key).effect
}

/// Where a function, choreographic or not, first changes a variable of a module, by itself (`direct`) or by a call.
pub(crate) fn find_change(
    world: &World,
    effects: &Effects,
    key: PlainFunction,
    variable: &ModuleVariable,
    direct: bool,
) -> Option<TextRange> {
    let body = collect_function(world, effects, key);
    let number = effects.number_of(variable)?;
    let found = body.changes.into_iter().find(|change| change.parts.has_variable(number) && change.direct == direct);
    found.map(|change| change.range)
}

/// The parameters of a function whose defaults it changes from call to call, with the places of these.
pub(crate) fn changed_defaults(world: &World, effects: &Effects, key: PlainFunction) -> Vec<(String, TextRange)> {
    let unit = world.unit(key.0);
    let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return Vec::new() };
    let changes = summarize_function(world, effects, key).changes;
    let declared = summary_parameters(unit, function).into_iter().enumerate();
    let kept = declared.filter_map(|(position, parameter)| {
        let default = parameter.default.filter(|&default| !crate::scan::is_immutable(unit, default))?;
        let name = unit.tree.text(parameter.name.name).to_owned();
        changes.contains(position).then(|| (name, unit.tree[default].range))
    });
    kept.collect()
}

fn collect_function<'a>(world: &'a World, effects: &'a Effects, key: PlainFunction) -> EffectCollector<'a> {
    let unit = world.unit(key.0);
    let mut body = EffectCollector::new(world, effects, unit);
    body.stmt = Some(key.1);
    body.class = unit.tree.enclosing(key.1);
    let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return body };
    let name = unit.tree.text(function.name.name);
    body.of_class = body.class.is_some()
        && (matches!(name, "__new__" | "__init_subclass__" | "__class_getitem__")
            || unit.tree[function.decorators].iter().any(|&decorator| {
                unit.tree.as_name(decorator).is_some_and(|name| unit.tree.text(name) == "classmethod")
            }));
    if body.class.is_some_and(|class| effects.replaced.has_attribute((unit.id, class), name)) {
        body.add_variation(function.name.range, format!("is {name}, which an assignment to its class replaces"));
    }
    body.name_parameters(function);
    body.enter_parameters(function);
    body.note_definitions(function);
    let declared = body.unordered.clone();
    body.learn_sharing(function);
    for (position, parameter) in summary_parameters(unit, function).into_iter().enumerate() {
        let name = unit.tree.text(parameter.name.name);
        if body.unordered.contains(name) && !declared.contains(name) {
            body.effect.puts_sets = body.effect.puts_sets.union(ParameterSet::of_position(position));
        }
    }
    body.collect_effects(key.1, function);
    body
}

/// The parameters that a value shares state with.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Share {
    /// Those that the value may be, or be part of: changing it changes them.
    pub whole: ParameterSet,
    /// Those that its parts may be, or be part of: a copy of a list shares the items.
    pub items: ParameterSet,
}

impl Share {
    pub const fn of_parts(parts: ParameterSet) -> Self {
        Self { whole: parts, items: parts }
    }

    pub const fn union(self, other: Self) -> Self {
        Self { whole: self.whole.union(other.whole), items: self.items.union(other.items) }
    }

    /// What a part of the value shares.
    pub const fn of_part(self) -> Self {
        Self::of_parts(self.items)
    }

    /// What a new value shares that has the value as a part.
    pub const fn of_container(self) -> Self {
        Self { whole: ParameterSet::NONE, items: self.whole.union(self.items) }
    }

    /// What a copy of the value shares, one level deep.
    pub const fn of_copy(self) -> Self {
        Self { whole: ParameterSet::NONE, items: self.items }
    }
}

/// A change of state outside of a function.
pub(super) struct OutsideChange {
    pub parts: ParameterSet,
    pub range: TextRange,
    /// Not by a function that is called.
    pub direct: bool,
}

pub(super) struct EffectCollector<'a> {
    pub world: &'a World,
    pub effects: &'a Effects,
    pub unit: &'a Unit,
    /// What each local name may share its state with.
    pub shares: FxHashMap<String, Share>,
    /// Local names that may be sets.
    pub unordered: FxHashSet<String>,
    /// Local names that may be shown by an address.
    pub unshown: FxHashSet<String>,
    /// Local names that may be, or hold, changeable objects made inside.
    pub changeable: FxHashSet<String>,
    /// Functions defined inside, by name.
    pub defined: FxHashMap<String, StmtId>,
    /// The function's parameters, by position.
    pub parameters: Vec<String>,
    /// Names declared `global`.
    pub outer: FxHashSet<String>,
    /// Annotations and handler classes: what they read does not decide a result.
    pub skipped: Vec<TextRange>,
    pub effect: FunctionSummary,
    /// The changes of state outside, with their places.
    pub changes: Vec<OutsideChange>,
    /// The statement that defines the function.
    pub stmt: Option<StmtId>,
    /// The class that the function is a method of.
    pub class: Option<StmtId>,
    /// Its first parameter is that class.
    pub of_class: bool,
}

impl<'a> EffectCollector<'a> {
    /// A collector for code of a file that is in no function.
    pub fn new(world: &'a World, effects: &'a Effects, unit: &'a Unit) -> Self {
        Self {
            world,
            effects,
            unit,
            shares: FxHashMap::default(),
            unordered: FxHashSet::default(),
            unshown: FxHashSet::default(),
            changeable: FxHashSet::default(),
            defined: FxHashMap::default(),
            parameters: Vec::new(),
            outer: FxHashSet::default(),
            skipped: Vec::new(),
            effect: FunctionSummary::default(),
            changes: Vec::new(),
            stmt: None,
            class: None,
            of_class: false,
        }
    }
}

impl EffectCollector<'_> {
    fn enter_parameters(&mut self, function: FunctionDefinition) {
        let unit = self.unit;
        for (position, parameter) in summary_parameters(unit, function).into_iter().enumerate() {
            let name = unit.tree.text(parameter.name.name).to_owned();
            let traits = parameter.annotation.map(|annotation| traits_of(self.world, unit, annotation));
            let frozen = traits.is_some_and(|traits| traits.frozen);
            if traits.is_some_and(|traits| !traits.ordered) {
                self.unordered.insert(name.clone());
            }
            self.shares.insert(
                name,
                Share::of_parts(if frozen { ParameterSet::NONE } else { ParameterSet::of_position(position) }),
            );
        }
        for spread in [function.parameters.vararg, function.parameters.kwarg].into_iter().flatten() {
            self.shares.insert(
                unit.tree.text(spread.name.name).to_owned(),
                Share { whole: ParameterSet::NONE, items: ParameterSet::of_position(62) },
            );
        }
    }

    fn note_definitions(&mut self, function: FunctionDefinition) {
        let tree = &self.unit.tree;
        let mut annotations = vec![];
        for node in tree.suite_nodes(function.body) {
            let Node::Stmt(stmt) = node else { continue };
            match tree[stmt].kind {
                StmtKind::FunctionDef(inner) => {
                    let name = tree.text(inner.name.name).to_owned();
                    self.shares.insert(name.clone(), Share::default());
                    self.defined.insert(name, stmt);
                    annotations.extend(inner.returns);
                    for parameter in summary_parameters(self.unit, inner) {
                        self.shares.entry(tree.text(parameter.name.name).to_owned()).or_default();
                        annotations.extend(parameter.annotation);
                    }
                }
                StmtKind::Global { names } => {
                    for name in &tree[names] {
                        self.outer.insert(tree.text(name.name).to_owned());
                    }
                }
                StmtKind::AnnAssign { annotation, target, .. } => {
                    annotations.push(annotation);
                    if let Some(name) = tree.as_name(target)
                        && !traits_of(self.world, self.unit, annotation).ordered
                    {
                        self.unordered.insert(tree.text(name).to_owned());
                    }
                }
                StmtKind::Try { handlers, .. } => {
                    annotations.extend(tree[handlers].iter().filter_map(|handler| handler.class));
                }
                _ => {}
            }
        }
        self.skipped.extend(annotations.into_iter().map(|expr| tree[expr].range));
    }
}

/// The values given to a function's parameters, by position.
pub(crate) fn given_positions(
    unit: &Unit,
    callee: &Unit,
    function: FunctionDefinition,
    receiver: Option<ExprId>,
    arguments: Arguments,
) -> Vec<(usize, ExprId)> {
    let tree = &unit.tree;
    let declared = summary_parameters(callee, function);
    let mut found: Vec<(usize, ExprId)> = receiver.map(|receiver| (0, receiver)).into_iter().collect();
    let shift = usize::from(receiver.is_some());
    let count = callee.tree[function.parameters.positional_only].len() + callee.tree[function.parameters.regular].len();
    for (at, &argument) in tree[arguments.positional].iter().enumerate() {
        let position = at + shift;
        if matches!(tree[argument].kind, ExprKind::Starred { .. }) {
            found.extend((position..count.max(1)).chain([62]).map(|position| (position, argument)));
            continue;
        }
        found.push((if position < count { position } else { 62 }, argument));
    }
    for keyword in &tree[arguments.keywords] {
        let name = keyword.name.map(|name| tree.text(name.name));
        if name.is_none() {
            // `**options` may be any of them.
            found.extend((shift..declared.len()).chain([62]).map(|position| (position, keyword.value)));
            continue;
        }
        let position = declared.iter().position(|parameter| Some(callee.tree.text(parameter.name.name)) == name);
        found.push((position.unwrap_or(62), keyword.value));
    }
    found
}
