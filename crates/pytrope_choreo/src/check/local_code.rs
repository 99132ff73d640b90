//! Code that runs at one place: lambdas, comprehensions, nested functions, and what they use from outside.

use std::rc::Rc;

use pytrope_semantic::is_predefined;
use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind, Parent, StmtKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effect::{CallEffect, root_of};
use super::expression::parameter_names;
use super::{Checker, LocatedValue};
use crate::declaration::{Meaning, MethodKind, Unit};
use crate::effects::{self, Callee, Cause};
use crate::facts::Local;
use crate::located::{ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;

impl Checker<'_> {
    /// Code that runs at one place and must not communicate: a lambda, a comprehension.
    pub(super) fn local_code(&mut self, expr: ExprId, range: TextRange, what: &'static str) -> LocatedValue {
        let operands = self.free_operands(range, what);
        let mut value = self.meet_locations(expr, &operands, what, true);
        let at = match &value.located {
            Located::At(at) => Some(at.roles),
            _ => None,
        };
        let is_lambda = matches!(self.unit.tree[expr].kind, ExprKind::Lambda { .. });
        let keeps = is_lambda && self.keeps_default(range);
        let captured =
            operands.iter().fold(Traits::FROZEN, |traits, (_, operand)| traits.both(operand.located.traits()));
        let inner = self.inner_effects(range, &operands, captured);
        for &(container, stored) in &inner.stored {
            self.note_stored(container, stored);
        }
        let changes = !inner.changed.is_empty();
        for (call, operand) in inner.changed {
            self.note_change(call, operand.0, &operand.1, at);
        }
        value.located.set_traits(match self.unit.tree[expr].kind {
            // A function may change what it has captured whenever it is called.
            ExprKind::Lambda { .. } => {
                Traits { frozen: captured.frozen && !changes && !keeps, shown: false, ..captured }
            }
            ExprKind::SetComp { .. } => {
                Traits { ordered: false, frozen_items: inner.element.frozen, ..Traits::CONTAINER }
            }
            ExprKind::Generator { .. } => {
                Traits { frozen: false, frozen_items: inner.element.frozen, ordered: true, shown: false }
            }
            _ => Traits {
                frozen: false,
                frozen_items: inner.element.frozen,
                ordered: true,
                shown: captured.shown && inner.element.shown,
            },
        });
        let whole = value.located.traits();
        value.holders = if whole.frozen || whole.frozen_items && !is_lambda {
            RoleSet::EMPTY
        } else {
            let kept = operands.iter().filter(|(_, operand)| !operand.located.traits().frozen);
            kept.fold(RoleSet::EMPTY, |holders, (_, operand)| holders.union(operand.holders))
        };
        if keeps {
            value.holders = self.all_roles();
        }
        self.bind_leaking_names(range, expr, &value, is_lambda);
        let kept = matches!(self.unit.tree[expr].kind, ExprKind::Generator { .. })
            && !self.effects.is_gone_through(self.world, &self.unit, expr);
        let cause = inner.varies.or_else(|| kept.then(|| self.cause_at(expr, effects::ITERATOR_KEPT)));
        if let (Some(cause), false) = (cause, is_lambda) {
            self.mark_uncertain(&mut value, cause, range);
        }
        value
    }

    /// `[(last := x) for x in xs]` binds `last` in the method.
    fn bind_leaking_names(&mut self, range: TextRange, expr: ExprId, value: &LocatedValue, is_lambda: bool) {
        let unit = Rc::clone(&self.unit);
        if is_lambda {
            return;
        }
        for inner in unit.exprs_within(range) {
            if let ExprKind::Named { target, .. } = unit.tree[inner].kind {
                let mut item = value.clone();
                item.located.set_traits(value.located.traits().of_items());
                self.bind_target(target, &item, expr);
            }
        }
    }

    /// A nested function or class: the value of its name.
    pub(super) fn local_definition(&mut self, name: String, range: TextRange, what: &'static str) {
        let operands = self.free_operands(range, what);
        let located = match operands.first() {
            Some(&(first, _)) => self.meet_locations(first, &operands, what, true).located,
            None => Located::CONSTANT,
        };
        let at = match &located {
            Located::At(at) => Some(at.roles),
            _ => None,
        };
        let captured =
            operands.iter().fold(Traits::FROZEN, |traits, (_, operand)| traits.both(operand.located.traits()));
        let inner = self.inner_effects(range, &operands, captured);
        for &(container, stored) in &inner.stored {
            self.note_stored(container, stored);
        }
        let frozen = captured.frozen && inner.changed.is_empty() && !self.keeps_default(range);
        for (call, operand) in inner.changed {
            self.note_change(call, operand.0, &operand.1, at);
        }
        self.refuse_rebinding(range);
        let mut located = match located {
            Located::Free(_) => Located::CONSTANT,
            other => other,
        };
        located.set_traits(Traits { frozen, shown: false, ..captured });
        self.involve_roles(located.roles());
        self.locals.insert(name, Local { located, annotated: false, range });
    }

    /// Whether a function that the method defines keeps an object from call to call: a default that can change.
    fn keeps_default(&self, range: TextRange) -> bool {
        let tree = &self.unit.tree;
        let keeps = |parameters: pytrope_source::tree::Parameters| {
            [parameters.positional_only, parameters.regular, parameters.keyword_only].into_iter().any(|list| {
                let defaults = tree[list].iter().filter_map(|parameter| parameter.default);
                defaults
                    .into_iter()
                    .any(|default| !crate::scan::is_immutable(&self.unit, default) && tree.as_name(default).is_none())
            })
        };
        self.unit.exprs_within(range).any(|expr| match tree[expr].kind {
            ExprKind::Lambda { parameters, .. } => keeps(tree[parameters]),
            _ => false,
        }) || tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)).any(|stmt| match tree[stmt].kind {
            StmtKind::FunctionDef(function) => keeps(function.parameters),
            _ => false,
        })
    }

    /// `nonlocal` in a nested function: the variable must be of one role, since the function is called where it is called.
    fn refuse_rebinding(&mut self, range: TextRange) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        for stmt in tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)) {
            let (StmtKind::Nonlocal { names } | StmtKind::Global { names }) = tree[stmt].kind else { continue };
            for name in &tree[names] {
                let text = tree.text(name.name);
                let placed = self
                    .locals
                    .get(text)
                    .is_some_and(|local| matches!(local.located, Located::At(at) if at.roles.len() == 1));
                if !placed {
                    let roles = self.all_roles().describe_roles(&self.class.roles);
                    self.report_error(
                        ChoreoRule::UnequalCopies,
                        name.range,
                        format!(
                            "this rebinds `{text}` where the function is called, and {roles} each have a copy of it"
                        ),
                    )
                    .add_help(format!("give it a role: `{text}: At[T, Role] = …`"));
                }
            }
        }
    }

    /// What a call of a function that the method itself defines does, if it changes nothing and is bound to its name for good.
    pub(super) fn local_function_effect(
        &self,
        function: ExprId,
        given: &[ExprId],
        local: &dyn Fn(&str) -> bool,
        traits: &dyn Fn(ExprId) -> Traits,
    ) -> Option<CallEffect> {
        let tree = &self.unit.tree;
        let name = tree.text(tree.as_name(function)?);
        let range = self.local_function(name).filter(|_| local(name))?;
        if !self.followed.borrow_mut().insert(name.to_owned()) {
            // It calls itself: what else it does is found where it was called first.
            return Some(CallEffect { traits: Some(Traits::FROZEN), ..CallEffect::default() });
        }
        let captured = self.captured_traits(range);
        let inner = self.inner_effects(range, &[], captured);
        self.followed.borrow_mut().remove(name);
        let parts = given.iter().fold(captured, |parts, &argument| parts.both(traits(argument)));
        let is_known = !inner.changes && inner.stored.is_empty() && parts.ordered && parts.shown;
        is_known.then(|| CallEffect {
            varies: inner.varies,
            returned: given.iter().copied().chain([function]).collect(),
            traits: Some(if parts.frozen && !inner.makes_objects { Traits::FROZEN } else { Traits::OPAQUE }),
            ..CallEffect::default()
        })
    }

    /// The one function or lambda that a name of this method is bound to; no generator, and nothing that rebinds other names.
    fn local_function(&self, name: &str) -> Option<TextRange> {
        let tree = &self.unit.tree;
        let within = tree[self.method.stmt].range;
        let mut bindings = Vec::new();
        for stmt in tree.stmt_ids().filter(|&stmt| within.contains_range(tree[stmt].range)) {
            match tree[stmt].kind {
                StmtKind::FunctionDef(inner) if tree.text(inner.name.name) == name => {
                    bindings.push((!inner.is_async && inner.decorators.is_empty()).then_some(tree[stmt].range));
                }
                StmtKind::Assign { targets, value }
                    if tree[targets].len() == 1 && matches!(tree[value].kind, ExprKind::Lambda { .. }) =>
                {
                    let target = tree.as_name(tree[targets][0]);
                    bindings
                        .extend(target.filter(|&target| tree.text(target) == name).map(|_| Some(tree[value].range)));
                }
                _ => {}
            }
        }
        let stores = self.unit.exprs_within(within).filter(|&expr| {
            matches!(tree[expr].kind, ExprKind::Name { name: found, context: Context::Store | Context::Del }
                if tree.text(found) == name)
        });
        let lambdas = bindings.iter().flatten().filter(|range| {
            self.unit
                .exprs_within(**range)
                .next()
                .is_some_and(|expr| tree[expr].range == **range && matches!(tree[expr].kind, ExprKind::Lambda { .. }))
        });
        let [Some(range)] = bindings[..] else { return None };
        let rebinds = tree.stmt_ids().any(|stmt| {
            range.contains_range(tree[stmt].range)
                && match tree[stmt].kind {
                    StmtKind::Nonlocal { .. }
                    | StmtKind::Global { .. }
                    | StmtKind::ClassDef(_)
                    | StmtKind::With { .. }
                    | StmtKind::Import { .. }
                    | StmtKind::ImportFrom { .. } => true,
                    // A list that is a parameter is changed in place.
                    StmtKind::AugAssign { target, .. } => !self.is_assigned_within(range, target),
                    _ => false,
                }
        });
        let yields = self.unit.exprs_within(range).any(|expr| {
            matches!(tree[expr].kind, ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } | ExprKind::Await { .. })
        });
        let settled = stores.count() == lambdas.count() && !rebinds && !yields && !self.reads_module_state(range);
        settled.then_some(range)
    }

    /// Whether `n` of `n += 1` is a variable that code inside assigns before.
    fn is_assigned_within(&self, range: TextRange, target: ExprId) -> bool {
        let tree = &self.unit.tree;
        let Some(name) = tree.as_name(target).map(|name| tree.text(name)) else { return true };
        tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)).any(|stmt| match tree[stmt].kind {
            StmtKind::Assign { targets, .. } => tree[targets]
                .iter()
                .any(|&assigned| tree.as_name(assigned).is_some_and(|assigned| tree.text(assigned) == name)),
            _ => false,
        })
    }

    /// Whether code inside reads what may differ from process to process without calling it.
    fn reads_module_state(&self, range: TextRange) -> bool {
        let tree = &self.unit.tree;
        let bound = bound_inside(&self.unit, range);
        self.unit.exprs_within(range).any(|expr| {
            if effects::compares_identity(&self.unit, expr)
                || matches!(tree[expr].kind, ExprKind::Attribute { attribute, .. }
                    if effects::is_hidden_attribute(tree.text(attribute.name)))
            {
                return true;
            }
            let Some(parts) = tree.dotted(expr) else { return false };
            if bound.contains(parts[0]) || self.locals.contains_key(parts[0]) {
                return false;
            }
            match self.effects.resolve_path(self.world, &self.unit, &parts) {
                Callee::Function(_) | Callee::Class(_) | Callee::Enum => false,
                Callee::Builtin(name) => !effects::is_same_builtin(&name),
                // Calls are looked at where they are; a module alone is no value.
                Callee::Library(path) => {
                    let called = matches!(tree[expr].parent, Parent::Expr(parent)
                        if matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr));
                    !called && parts.len() > 1 && !effects::is_same_name(&path)
                }
                Callee::Unknown => match self.unit.meanings.get(parts[0]) {
                    Some(Meaning::Other) => true,
                    Some(_) => parts.last().is_some_and(|name| effects::is_hidden_attribute(name)),
                    None => !is_predefined(parts[0]) || parts[0].starts_with("__"),
                },
            }
        })
    }

    /// What is known of the variables of the method that code inside it uses.
    fn captured_traits(&self, range: TextRange) -> Traits {
        let tree = &self.unit.tree;
        let bound = bound_inside(&self.unit, range);
        self.unit.exprs_within(range).fold(Traits::FROZEN, |found, expr| match tree[expr].kind {
            ExprKind::Name { name, .. } if !bound.contains(tree.text(name)) => {
                let name = tree.text(name);
                match self.locals.get(name) {
                    _ if self.local_function(name).is_some() => found,
                    Some(local) => found.both(local.located.traits()),
                    None if Some(name) == self.receiver.as_deref() => Traits::UNKNOWN,
                    None => found,
                }
            }
            _ => found,
        })
    }

    /// What the calls and assignments inside local code do to the values that it uses from outside.
    fn inner_effects(&self, range: TextRange, operands: &[(ExprId, LocatedValue)], captured: Traits) -> InnerEffects {
        let tree = &self.unit.tree;
        let bound = bound_inside(&self.unit, range);
        let is_local = |name: &str| {
            bound.contains(name) || self.locals.contains_key(name) || Some(name) == self.receiver.as_deref()
        };
        let items = captured.of_items();
        let unknown = FxHashMap::default();
        let traits = |expr: ExprId| self.inner_traits(expr, &bound, items, &unknown);
        let mut found = InnerEffects {
            varies: None,
            changed: Vec::new(),
            changes: false,
            makes_objects: false,
            element: Traits::UNKNOWN,
            stored: Vec::new(),
        };
        let mut change = |call: ExprId, changed: ExprId| {
            found.changes = true;
            let root = root_of(tree, changed);
            let from_inside = root.is_none_or(|root| bound.contains(root));
            for operand in operands {
                let own = tree[changed].range.contains_range(tree[operand.0].range);
                let part = from_inside && !operand.1.located.traits().frozen_items;
                if (own || part) && !operand.1.located.traits().frozen {
                    found.changed.push((call, operand.clone()));
                }
            }
        };
        let mut varies = None;
        let mut makes_objects = false;
        let elements = match self.unit.exprs_within(range).next().map(|outer| tree[outer].kind) {
            Some(
                ExprKind::ListComp { element, .. }
                | ExprKind::SetComp { element, .. }
                | ExprKind::Generator { element, .. },
            ) => vec![element],
            Some(ExprKind::DictComp { key, value, .. }) => key.into_iter().chain([value]).collect(),
            _ => Vec::new(),
        };
        let mut results: FxHashMap<ExprId, Traits> = FxHashMap::default();
        for expr in self.unit.exprs_within(range) {
            match tree[expr].kind {
                ExprKind::Call { function, arguments } => {
                    let effect = self.call_effect(expr, function, arguments, &is_local, &traits);
                    let made = effect.traits.unwrap_or(Traits::OPAQUE);
                    makes_objects |= !made.frozen;
                    results.insert(expr, made);
                    varies = varies.or(effect.varies);
                    found.stored.extend(effect.stored);
                    for changed in effect.changed {
                        change(expr, changed);
                    }
                }
                ExprKind::Attribute { value, context: Context::Store | Context::Del, .. }
                | ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => change(expr, value),
                ExprKind::Attribute { value, attribute, .. } => {
                    let name = tree.text(attribute.name);
                    let properties = self.effects.properties_named(name).iter();
                    for summary in properties.filter_map(|&key| self.effects.of_function(key)) {
                        varies = varies.or_else(|| summary.varies.clone());
                        if summary.changes.contains(0) {
                            change(expr, value);
                        }
                    }
                    let hidden = effects::is_hidden_attribute(name) || self.effects.is_computed(name);
                    if hidden || self.effects.reads_open_enum(name) {
                        varies = varies.or_else(|| Some(self.cause_at(expr, format!("reads {name}"))));
                    }
                }
                ExprKind::Compare { .. } if effects::compares_identity(&self.unit, expr) => {
                    let what = "compares identities, which copies do not share";
                    varies = varies.or_else(|| Some(self.cause_at(expr, what)));
                }
                ExprKind::List { .. } | ExprKind::Dict { .. } | ExprKind::Set { .. } => makes_objects = true,
                ExprKind::ListComp { generators, .. }
                | ExprKind::DictComp { generators, .. }
                | ExprKind::Generator { generators, .. } => {
                    makes_objects |= tree[expr].range != range;
                    for generator in &tree[generators] {
                        if !traits(generator.iter).ordered && varies.is_none() {
                            varies = Some(self.cause_at(generator.iter, effects::TAKES_ORDER));
                        }
                    }
                }
                _ => {}
            }
        }
        found.varies = varies;
        found.makes_objects = makes_objects;
        // What the comprehension goes through gives its names.
        let iterated = self.unit.exprs_within(range).flat_map(|expr| match tree[expr].kind {
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => tree[generators].iter().map(|part| part.iter).collect(),
            _ => Vec::new(),
        });
        let given =
            iterated.fold(items, |found, iter| found.both(self.inner_traits(iter, &bound, items, &results).of_items()));
        let known = elements.iter().map(|&element| self.inner_traits(element, &bound, given, &results));
        found.element = known.reduce(Traits::both).unwrap_or(Traits::UNKNOWN);
        found
    }

    fn cause_at(&self, expr: ExprId, what: impl Into<String>) -> Cause {
        Cause { unit: self.unit.id, range: self.unit.tree[expr].range, what: what.into() }
    }

    /// What is known of the type of an expression inside local code, whose own names are not followed.
    ///
    /// `results`: what is known of the results of calls.
    fn inner_traits(
        &self,
        expr: ExprId,
        bound: &FxHashSet<&str>,
        items: Traits,
        results: &FxHashMap<ExprId, Traits>,
    ) -> Traits {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                match self.locals.get(name) {
                    _ if bound.contains(name) => items,
                    Some(local) => local.located.traits(),
                    None => Traits::FROZEN,
                }
            }
            ExprKind::Tuple { elements, .. } => {
                let parts = self.inner_parts(&tree[elements], bound, items, results);
                Traits { frozen_items: parts.frozen, ..parts }
            }
            ExprKind::List { elements, .. } => self.inner_parts(&tree[elements], bound, items, results).of_container(),
            ExprKind::Set { .. } | ExprKind::SetComp { .. } => Traits { ordered: false, ..Traits::OPAQUE },
            ExprKind::BinOp { .. } if effects::makes_view_set(&self.unit, expr) => {
                Traits { ordered: false, ..Traits::OPAQUE }
            }
            ExprKind::Dict { .. } | ExprKind::ListComp { .. } | ExprKind::DictComp { .. } => Traits::OPAQUE,
            ExprKind::Generator { .. } => Traits::UNKNOWN,
            ExprKind::Lambda { .. } => {
                let names: Vec<ExprId> = self
                    .unit
                    .exprs_within(tree[expr].range)
                    .filter(|&inner| tree.as_name(inner).is_some_and(|name| self.locals.contains_key(tree.text(name))))
                    .collect();
                let captured = self.inner_parts(&names, bound, items, results);
                if captured.frozen { Traits::CODE } else { Traits::FUNCTION }
            }
            ExprKind::Compare { .. } | ExprKind::FString { .. } => Traits::FROZEN,
            ExprKind::BinOp { left, op, right } if self.effects.gives_number(&self.unit, left, op, right) => {
                Traits::FROZEN
            }
            ExprKind::Subscript { value, .. } => self.inner_traits(value, bound, items, results).of_items(),
            // A method changes its object wherever it is called.
            ExprKind::Attribute { attribute, .. } if self.effects.is_method_name(tree.text(attribute.name)) => {
                Traits::FUNCTION
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let own = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                match self.facts.field_of_instance(self.world, self.class.id, tree.text(attribute.name)) {
                    Some((field, _)) if own => field.located.traits(),
                    _ => self.inner_traits(value, bound, items, results).of_items(),
                }
            }
            ExprKind::Call { .. } if let Some(&known) = results.get(&expr) => known,
            ExprKind::Call { function, .. } => match tree.as_name(function).map(|name| tree.text(name)) {
                Some("set" | "frozenset") => Traits { ordered: false, ..Traits::OPAQUE },
                _ => Traits::OPAQUE,
            },
            _ => tree.children(Node::Expr(expr)).into_iter().fold(Traits::FROZEN, |traits, child| match child {
                Node::Expr(child) => traits.both(self.inner_traits(child, bound, items, results)),
                Node::Stmt(_) => traits,
            }),
        }
    }

    fn inner_parts(
        &self,
        parts: &[ExprId],
        bound: &FxHashSet<&str>,
        items: Traits,
        results: &FxHashMap<ExprId, Traits>,
    ) -> Traits {
        parts.iter().fold(Traits::FROZEN, |found, &part| found.both(self.inner_traits(part, bound, items, results)))
    }

    /// Whether an expression is a star or a mesh, by its name or field.
    fn joins_family(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        let located = match tree[expr].kind {
            ExprKind::Name { name, .. } => self.locals.get(tree.text(name)).map(|local| local.located.clone()),
            ExprKind::Attribute { value, attribute, .. } => {
                let own = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                let field = self.facts.field_of_instance(self.world, self.class.id, tree.text(attribute.name));
                field.filter(|_| own).map(|(field, _)| field.located)
            }
            _ => None,
        };
        matches!(located, Some(Located::Channel(channel)) if channel.shape != ChannelShape::Pair)
    }

    /// The located names and fields that local code uses from outside.
    pub(super) fn free_operands(&mut self, range: TextRange, what: &'static str) -> Vec<(ExprId, LocatedValue)> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let bound = bound_inside(&unit, range);
        let mut operands = Vec::new();
        let mut skip_until = range.start;
        for inner in unit.exprs_within(range) {
            if tree[inner].range.start < skip_until {
                continue;
            }
            match tree[inner].kind {
                ExprKind::Name { name, context: Context::Load } if !bound.contains(tree.text(name)) => {
                    if Some(tree.text(name)) == self.receiver.as_deref() {
                        let is_owner = matches!(tree[inner].parent, Parent::Expr(parent)
                            if matches!(tree[parent].kind, ExprKind::Attribute { .. }));
                        if !is_owner {
                            let found = self.check_name(inner, tree.text(name));
                            self.local_operand(inner, found, what, &mut operands);
                        }
                        continue;
                    }
                    if self.marker_parent(inner) {
                        continue;
                    }
                    let value = self.check_name(inner, tree.text(name));
                    self.local_operand(inner, value, what, &mut operands);
                }
                ExprKind::Attribute { value, attribute, .. }
                    if matches!(tree.text(attribute.name), "count" | "rank") && self.joins_family(value) =>
                {
                    let found = self.check_expr(inner);
                    operands.push((inner, found));
                    skip_until = tree[inner].range.end;
                }
                ExprKind::Attribute { value, attribute, .. } => {
                    let of_self =
                        tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                    if of_self {
                        let owner = self.check_expr(value);
                        let found = match self.one_role_method(tree.text(attribute.name)) {
                            Some(located) => LocatedValue::of_held_object(located),
                            None => self.check_attribute(inner, value, &owner, tree.text(attribute.name)),
                        };
                        self.local_operand(inner, found, what, &mut operands);
                    }
                }
                ExprKind::BinOp { op: BinaryOperator::MatMult, left, right } if self.marker_roles(right).is_some() => {
                    let found = self.check_expr(inner);
                    operands.push((inner, found));
                    let _ = left;
                    skip_until = tree[inner].range.end;
                }
                ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {}
                _ => {}
            }
        }
        operands
    }

    /// A method of this class that one role runs on its own may be called in its local code.
    fn one_role_method(&self, name: &str) -> Option<Located> {
        let (class, formal, method) = self.world.find_method(self.class_id(), name)?;
        if method.plain || method.kind == MethodKind::Property {
            return None;
        }
        let facts = self.facts.method_facts(class, name)?;
        let single = !facts.communicates && !facts.may_raise && facts.involved.len() == 1;
        single.then(|| Located::at(facts.involved.substitute_roles(&formal), Traits::FROZEN))
    }

    fn marker_parent(&self, name: ExprId) -> bool {
        match self.unit.tree[name].parent {
            Parent::Expr(parent) => self.marker_roles(parent).is_some(),
            _ => false,
        }
    }

    fn local_operand(
        &mut self,
        expr: ExprId,
        value: LocatedValue,
        what: &str,
        operands: &mut Vec<(ExprId, LocatedValue)>,
    ) {
        match value.located {
            Located::Channel(_) => {
                self.report_error(
                    ChoreoRule::MisplacedCommunication,
                    self.expr_range(expr),
                    format!("no message may pass inside {what}"),
                )
                .add_help("communicate before it, and use the received value in it");
                // Where the whole lives is not known then, and not worth a second complaint.
                operands.push((expr, LocatedValue::of_unknown()));
            }
            Located::Object { .. } => {
                self.report_error(
                    ChoreoRule::MisplacedCommunication,
                    self.expr_range(expr),
                    format!("a choreographic object cannot be used inside {what}"),
                );
            }
            Located::Unknown => {}
            _ => operands.push((expr, value)),
        }
    }
}

/// What local code does to what it uses from outside.
struct InnerEffects {
    varies: Option<Cause>,
    /// The call or target, and the value from outside that it changes.
    changed: Vec<(ExprId, (ExprId, LocatedValue))>,
    /// Something is changed inside, parameters included.
    changes: bool,
    /// Values that can change are made inside.
    makes_objects: bool,
    /// What is known of what a comprehension gives.
    element: Traits,
    /// The containers that are changed, and what is put into them.
    stored: Vec<(Traits, Traits)>,
}

/// The names that local code binds for itself.
fn bound_inside(unit: &Unit, range: TextRange) -> FxHashSet<&str> {
    let tree = &unit.tree;
    let mut bound: FxHashSet<&str> = FxHashSet::default();
    for inner in unit.exprs_within(range) {
        match tree[inner].kind {
            ExprKind::Name { name, context: Context::Store } => {
                bound.insert(tree.text(name));
            }
            ExprKind::Lambda { parameters, .. } => bound.extend(parameter_names(tree, tree[parameters])),
            _ => {}
        }
    }
    for stmt in tree.stmt_ids() {
        if let StmtKind::FunctionDef(function) = tree[stmt].kind
            && range.contains_range(tree[stmt].range)
        {
            bound.insert(tree.text(function.name.name));
            bound.extend(parameter_names(tree, function.parameters));
        }
    }
    bound
}
