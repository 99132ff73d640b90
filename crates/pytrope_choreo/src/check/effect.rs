//! What calls of plain code do to copies: which arguments they change, and whether roles that make them get equal results.

use std::rc::Rc;

use pytrope_source::TextRange;
use pytrope_source::tree::{Arguments, ExprId, ExprKind, Parent, StmtKind};

use super::contents::stored_by_method;
use super::{Checker, LocatedValue};
use crate::effects::{self, Callee, Cause, PlainFunction, given_positions};
use crate::facts::ReplicatedWrite;
use crate::located::{Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;
use crate::value_types::traits_of;

/// What one call does.
#[derive(Default)]
pub(super) struct CallEffect {
    pub varies: Option<Cause>,
    /// The arguments, or the receiver, that it may change in place.
    pub changed: Vec<ExprId>,
    /// The arguments whose attributes it stores into, whatever their types say.
    pub marked: Vec<ExprId>,
    /// Those that its result may be, or be part of.
    pub returned: Vec<ExprId>,
    /// Those that parts of its result may be, or be part of.
    pub returned_items: Vec<ExprId>,
    /// What is known of its result's type.
    pub traits: Option<Traits>,
    /// The containers that it changes, and what it puts into them.
    pub stored: Vec<(Traits, Traits)>,
}

impl CallEffect {
    pub fn add_variation(&mut self, checker: &Checker<'_>, range: TextRange, what: impl Into<String>) {
        if self.varies.is_none() {
            self.varies = Some(Cause { unit: checker.unit.id, range, what: what.into() });
        }
    }
}

impl Checker<'_> {
    /// The effect of a call, from the summaries of what it may call. `local`: names that shadow those of the module.
    pub(super) fn call_effect(
        &self,
        expr: ExprId,
        function: ExprId,
        arguments: Arguments,
        local: &dyn Fn(&str) -> bool,
        traits: &dyn Fn(ExprId) -> Traits,
    ) -> CallEffect {
        let mut effect = self.callee_effect(expr, function, arguments, local, traits);
        let shadowed = root_of(&self.unit.tree, function).is_some_and(local);
        let called =
            if shadowed { Callee::Unknown } else { self.effects.resolve_callee(self.world, &self.unit, function) };
        if self.effects.makes_iterator(&self.unit, function, &called)
            && !self.effects.is_gone_through(self.world, &self.unit, expr)
        {
            effect.add_variation(self, self.expr_range(expr), effects::ITERATOR_KEPT);
        }
        effect
    }

    fn callee_effect(
        &self,
        expr: ExprId,
        function: ExprId,
        arguments: Arguments,
        local: &dyn Fn(&str) -> bool,
        traits: &dyn Fn(ExprId) -> Traits,
    ) -> CallEffect {
        let tree = &self.unit.tree;
        let mut effect = CallEffect::default();
        let all = argument_values(tree, arguments);
        let on_value = match tree[function].kind {
            ExprKind::Attribute { value, attribute, .. } => match root_of(tree, value) {
                Some(name) => {
                    let of_value = local(name) || !self.unit.meanings.contains(name) || self.reads_open_member(value);
                    of_value.then(|| (value, tree.text(attribute.name)))
                }
                None => Some((value, tree.text(attribute.name))),
            },
            _ => None,
        };
        self.pass_functions(&mut effect, &all, local, traits);
        if let Some((receiver, name)) = on_value {
            // A function that a field holds may change whatever it was made of.
            if self.is_field_of_object(receiver, name) {
                effect.changed.push(function);
            }
            self.method_effect(&mut effect, expr, (receiver, name), (arguments, local), traits);
            return effect;
        }
        if let Some(found) = self.local_function_effect(function, &all, local, traits) {
            return found;
        }
        if tree.as_name(function).is_some_and(|name| local(tree.text(name))) || tree.dotted(function).is_none() {
            effect.add_variation(
                self,
                tree[expr].range,
                format!("calls {}, which is not known", self.unit.expr_text(function)),
            );
            effect.changed.clone_from(&all);
            effect.changed.push(function);
            effect.returned.clone_from(&effect.changed);
            return effect;
        }
        let called = self.effects.resolve_callee(self.world, &self.unit, function);
        let handed = effects::called_arguments(&self.unit, &called, arguments);
        self.add_handed(&mut effect, &handed, &all, local, traits);
        match called {
            Callee::Function(key) => self.add_summary(&mut effect, key, None, (arguments, local), traits),
            Callee::Class(key) => {
                if let Some(init) = effects::find_constructor(self.world, self.effects, key) {
                    self.add_summary(&mut effect, init, Some(function), (arguments, local), traits);
                }
                let made = self.effects.summarize_construction(self.world, key);
                effect.varies = effect.varies.take().or(made.varies);
                if let Some(cause) = self.effects.restless_class(self.world, key) {
                    effect.varies = effect.varies.take().or(Some(cause));
                }
                effect.changed.retain(|&changed| changed != function);
                effect.returned.clear();
                effect.returned_items = all;
                effect.traits = Some(self.instance_traits(key));
            }
            Callee::Enum => effect.traits = Some(Traits::FROZEN),
            // The class of a value.
            Callee::Builtin(name) if name == "type" && all.len() == 1 => effect.traits = Some(Traits::CODE),
            Callee::Builtin(name) if effects::is_pure_builtin(&name) || effects::is_exception_name(&name) => {
                if effects::shows_arguments(&name) || self.hands_on_text(&all) {
                    for &argument in &all {
                        self.show_text(&mut effect, argument, traits);
                    }
                }
                if !effects::ignores_order(&name) || !effects::keeps_total_order(&self.unit, arguments) {
                    for &argument in &all {
                        self.go_through(&mut effect, argument, traits);
                    }
                }
                if effects::gives_items(&name) {
                    // What orders the items, `key=…`, is no part of the result.
                    let all = match name.as_str() {
                        "max" | "min" | "sorted" => tree[arguments.positional].to_vec(),
                        _ => all,
                    };
                    let parts = all.iter().fold(Traits::FROZEN, |found, &argument| found.both(traits(argument)));
                    let items = parts.of_items();
                    effect.traits = Some(match name.as_str() {
                        "max" | "min" | "sum" if all.len() == 1 => items,
                        "max" | "min" | "sum" => parts,
                        "tuple" => Traits { ordered: true, ..items },
                        "frozenset" => Traits { ordered: false, ..items },
                        "set" => Traits { ordered: false, ..items.of_container() },
                        _ => Traits {
                            ordered: true,
                            shown: items.shown && !effects::makes_iterator(&name),
                            ..items.of_container()
                        },
                    });
                    effect.returned_items = all;
                } else {
                    effect.traits = Some(Traits::FROZEN);
                }
            }
            Callee::Library(path) if effects::is_changing_path(&path) => {
                if let Some((&first, rest)) = all.split_first() {
                    let stored = rest.iter().fold(Traits::FROZEN, |found, &argument| found.both(traits(argument)));
                    effect.stored.push((traits(first), stored));
                }
                effect.changed.extend(all.first());
                effect.returned = all;
            }
            // A copy of all that it holds shares nothing.
            Callee::Library(path) if path == "copy.deepcopy" => {
                effect.traits = all.first().map(|&copied| traits(copied));
            }
            Callee::Library(path) if effects::makes_known_array(&path) => {
                effect.traits = Some(Traits::CONTAINER);
                effect.returned = all;
            }
            Callee::Library(path) if effects::is_pure_path(&path) => {
                for key in self.effects.called_unseen(&self.unit, &path, arguments) {
                    let summary = self.effects.of_function(key);
                    effect.varies = effect.varies.take().or_else(|| summary.and_then(|summary| summary.varies.clone()));
                }
                for &argument in &all {
                    self.go_through(&mut effect, argument, traits);
                }
                let numeric = effects::gives_plain_value(&path);
                let frozen = numeric || effects::makes_frozen(&path) || self.folds_frozen(&path, &all, traits);
                effect.traits = frozen.then_some(Traits::FROZEN);
                effect.returned = if frozen { Vec::new() } else { all };
            }
            Callee::Builtin(name) if !effects::changes_arguments(&name) => {
                effect.add_variation(self, tree[expr].range, format!("calls {name}"));
                effect.returned = all;
            }
            Callee::Builtin(_) | Callee::Library(_) | Callee::Unknown => {
                effect.add_variation(self, tree[expr].range, format!("calls {}", self.unit.expr_text(function)));
                effect.changed.clone_from(&all);
                effect.returned = all;
            }
        }
        effect
    }

    fn is_field_of_object(&self, receiver: ExprId, name: &str) -> bool {
        let Located::Object { class, .. } = &self.recorded_info(receiver).located else { return false };
        self.world.find_method(*class, name).is_none()
    }

    /// Whether an expression leads through the value of an enum's member that is more than a literal.
    pub(super) fn reads_open_member(&self, expr: ExprId) -> bool {
        match self.unit.tree[expr].kind {
            ExprKind::Attribute { value, attribute, .. } => {
                self.effects.reads_open_enum(self.unit.tree.text(attribute.name)) || self.reads_open_member(value)
            }
            _ => false,
        }
    }

    /// `reduce(operator.add, xs, 0)`: what a function that makes nothing changeable is called with cannot change.
    fn folds_frozen(&self, path: &str, given: &[ExprId], traits: &dyn Fn(ExprId) -> Traits) -> bool {
        let ("functools.reduce", Some((&called, rest))) = (path, given.split_first()) else { return false };
        let makes_nothing = match self.effects.resolve_callee(self.world, &self.unit, called) {
            Callee::Library(path) => path.starts_with("operator.") && effects::is_pure_path(&path),
            Callee::Function(key) => self.effects.of_function(key).is_some_and(|summary| !summary.makes_changeable),
            _ => false,
        };
        makes_nothing && rest.iter().all(|&argument| traits(argument).frozen_items)
    }

    /// Whether an argument of a call says a type: `isinstance(x, Decimal)`.
    pub(super) fn names_type(&self, argument: ExprId) -> bool {
        let tree = &self.unit.tree;
        let Parent::Expr(parent) = tree[argument].parent else { return false };
        match tree[parent].kind {
            ExprKind::Call { function, .. } => {
                tree.as_name(function).is_some_and(|name| matches!(tree.text(name), "isinstance" | "issubclass"))
            }
            _ => false,
        }
    }

    fn method_effect(
        &self,
        effect: &mut CallEffect,
        expr: ExprId,
        (receiver, name): (ExprId, &str),
        (arguments, local): (Arguments, &dyn Fn(&str) -> bool),
        traits: &dyn Fn(ExprId) -> Traits,
    ) {
        let tree = &self.unit.tree;
        let all = argument_values(tree, arguments);
        let own = traits(receiver);
        let methods = self.effects.methods_named(name);
        for &key in methods {
            self.add_summary(effect, key, Some(receiver), (arguments, local), traits);
        }
        let handed = effects::called_by_method(&self.unit, name, arguments);
        self.add_handed(effect, &handed, &all, local, traits);
        if self.effects.holds_function(name) {
            let what = format!("calls {name}, by which an object of the program may hold a function");
            effect.add_variation(self, tree[expr].range, what);
            effect.changed.push(receiver);
            effect.changed.extend(&all);
            effect.returned.clone_from(&effect.changed);
            effect.traits = Some(Traits::UNKNOWN);
        }
        if own.ordered {
            for &argument in &all {
                self.go_through(effect, argument, traits);
            }
        }
        if effects::is_changing_method(name) {
            effect.changed.push(receiver);
            effect.stored.push((own, stored_by_method(name, all.iter().map(|&argument| traits(argument)))));
            effect.returned_items.push(receiver);
            // What is put into the receiver is part of it from now on.
            effect.changed.extend(all.iter().copied().filter(|&argument| !traits(argument).frozen));
            // `pop` and `setdefault` may give their default.
            effect.returned.extend(&all);
            let given = all.iter().fold(own.of_items(), |found, &argument| found.both(traits(argument)));
            effect.traits.get_or_insert(given);
            if name == "pop" {
                self.go_through(effect, receiver, traits);
            }
        } else if effects::is_reading_method(name) {
            let items = effects::is_item_method(name);
            if name == "format" {
                for &argument in &all {
                    self.show_text(effect, argument, traits);
                }
                let read = self.effects.read_by_format(&self.unit, receiver).into_iter();
                for summary in read.filter_map(|key| self.effects.of_function(key)) {
                    effect.varies = effect.varies.take().or_else(|| summary.varies.clone());
                    if summary.changes.contains(0) {
                        effect.changed.extend(&all);
                    }
                }
            }
            if name == "get" {
                effect.returned_items.push(receiver);
                effect.returned.extend(&all);
            } else if items {
                effect.returned_items.push(receiver);
                effect.returned_items.extend(&all);
            }
            let found = match name {
                "get" => all.iter().fold(own.of_items(), |found, &argument| found.both(traits(argument))),
                "split" | "rsplit" | "splitlines" | "most_common" => Traits::CONTAINER,
                _ if items => Traits { frozen: false, ..own },
                _ => Traits::FROZEN,
            };
            effect.traits = Some(effect.traits.map_or(found, |known| known.both(found)));
        } else if methods.is_empty() {
            effect.add_variation(self, tree[expr].range, format!("calls {name} of a value whose class is not known"));
            effect.changed.push(receiver);
            effect.changed.extend(&all);
            effect.returned.clone_from(&effect.changed);
        }
    }

    fn add_summary(
        &self,
        effect: &mut CallEffect,
        key: PlainFunction,
        receiver: Option<ExprId>,
        (arguments, local): (Arguments, &dyn Fn(&str) -> bool),
        traits: &dyn Fn(ExprId) -> Traits,
    ) {
        let callee = self.world.unit(key.0);
        let (Some(summary), StmtKind::FunctionDef(function)) = (self.effects.of_function(key), callee.tree[key.1].kind)
        else {
            effect.add_variation(self, arguments.range, "calls something that is not known");
            return;
        };
        if effect.varies.is_none() {
            effect.varies.clone_from(&summary.varies);
        }
        let declared = effects::summary_parameters(callee, function);
        let mut shares_changeable = summary.makes_changeable || effect.traits.is_some();
        let mut shares_more = summary.holds_changeable || effect.traits.is_some();
        let mut handed = Vec::new();
        for (position, value) in given_positions(&self.unit, callee, function, receiver, arguments) {
            let annotation = declared.get(position).and_then(|parameter| parameter.annotation);
            let taken = annotation.map(|annotation| traits_of(self.world, callee, annotation));
            if summary.changes.contains(position) {
                effect.changed.push(value);
                // Of what a function puts into a parameter of no declared type, sets are known.
                let unknown = Traits { ordered: !summary.puts_sets.contains(position), ..Traits::OPAQUE };
                let holds = taken.map_or(unknown, Traits::of_items);
                effect.stored.push((traits(value), holds));
            }
            if summary.marks.contains(position) && Some(value) != receiver {
                effect.marked.push(value);
            }
            if summary.shows.contains(position) {
                self.show_text(effect, value, traits);
            }
            if summary.calls.contains(position) {
                handed.push(value);
            }
            let shared = summary.returns.union(summary.returns_items).contains(position);
            let shares_argument = shared && !taken.is_some_and(|taken| taken.frozen) && !traits(value).frozen;
            // An argument may be an item of the result.
            shares_more |= shares_argument;
            shares_changeable |= shares_argument;
            if summary.returns.contains(position) {
                effect.returned.push(value);
            }
            if summary.returns_items.contains(position) {
                effect.returned_items.push(value);
            }
            if taken.is_none_or(|taken| taken.ordered) {
                self.go_through(effect, value, traits);
            }
        }
        self.add_handed(effect, &handed, &argument_values(&self.unit.tree, arguments), local, traits);
        let found = match function.returns {
            Some(returns) => traits_of(self.world, callee, returns),
            None if summary.returns.union(summary.returns_items).is_outside() => Traits::OPAQUE,
            // A list whose items cannot change.
            None if shares_changeable && !shares_more => Traits::CONTAINER,
            None if shares_changeable => Traits::OPAQUE,
            None if summary.gives_iterator => Traits::CONTAINER,
            None => Traits::FROZEN,
        };
        // A generator of the program has the order of its statements, whatever `Iterator` says.
        let found = Traits {
            ordered: (found.ordered || summary.gives_iterator) && !summary.unordered,
            shown: found.shown && !summary.unshown,
            ..found
        };
        effect.traits = Some(effect.traits.map_or(found, |known| known.both(found)));
    }

    /// `map(str, rows)`: a builtin that shows what it is given is handed on.
    fn hands_on_text(&self, arguments: &[ExprId]) -> bool {
        arguments.iter().any(|&argument| {
            matches!(self.effects.resolve_callee(self.world, &self.unit, argument),
                Callee::Builtin(name) if effects::shows_arguments(&name))
        })
    }

    /// Going through a set gives each process another order.
    fn go_through(&self, effect: &mut CallEffect, value: ExprId, traits: &dyn Fn(ExprId) -> Traits) {
        if !traits(value).ordered {
            effect.add_variation(self, self.expr_range(value), effects::TAKES_ORDER);
        }
    }

    /// The text of a set has its order, that of a function or of some objects an address.
    fn show_text(&self, effect: &mut CallEffect, value: ExprId, traits: &dyn Fn(ExprId) -> Traits) {
        self.go_through(effect, value, traits);
        if !traits(value).shown {
            effect.add_variation(self, self.expr_range(value), effects::SHOWS_ADDRESS);
        }
    }

    fn instance_traits(&self, class: PlainFunction) -> Traits {
        let unit = self.world.unit(class.0);
        match unit.tree[class.1].kind {
            StmtKind::ClassDef(declared) => crate::value_types::class_traits(self.world, unit, declared, 4),
            _ => Traits::OPAQUE,
        }
    }

    /// What is made once in each process, whatever roles come to share it, must not be changed: what the body of a choreographic class
    /// binds, and the default of a parameter.
    pub(super) fn refuse_made_once(&mut self, expr: ExprId, changed: ExprId) {
        let unit = Rc::clone(&self.unit);
        let Some(what) = self.made_once(changed) else { return };
        self.report_error(
            ChoreoRule::UnequalCopies,
            self.expr_range(expr),
            format!(
                "`{}` is made once in every process, as {what}, and this changes it for all that use it there",
                unit.expr_text(changed)
            ),
        )
        .add_help("make it in __init__, or in the method");
    }

    fn made_once(&self, changed: ExprId) -> Option<&'static str> {
        let tree = &self.unit.tree;
        match tree[changed].kind {
            ExprKind::Subscript { value, .. } => self.made_once(value),
            ExprKind::Attribute { value, attribute, .. } => {
                let Located::Object { class, .. } = &self.recorded_info(value).located else {
                    return self.made_once(value);
                };
                let name = tree.text(attribute.name);
                let shared = self.world.lineage(*class).into_iter().any(|(class, _)| {
                    let declared = self.world.class(class);
                    effects::is_class_attribute(self.world.unit(declared.unit), declared.stmt, name)
                });
                shared.then_some("an attribute of its class")
            }
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                let default = self.method.parameters.iter().find(|parameter| parameter.name == name)?.default?;
                (!crate::scan::is_immutable(&self.unit, default)).then_some("the default of a parameter")
            }
            _ => None,
        }
    }

    /// Records that a call or an assignment changes copies that several roles have, and refuses it where only some would.
    ///
    /// `at`: the roles where it happens, if its value has a place; otherwise projection sees to it that all holders do it.
    pub(super) fn note_change(&mut self, expr: ExprId, changed: ExprId, value: &LocatedValue, at: Option<RoleSet>) {
        if value.located.traits().frozen || value.is_fresh() {
            return;
        }
        let holders = value.holders.intersection(self.all_roles());
        let is_free = matches!(value.located.as_plain(), Some(Located::Free(_)));
        if let Some(roles) = at
            && !holders.is_subset(roles)
        {
            let some = roles.describe_roles(&self.class.roles);
            let others = holders.without(roles).describe_roles(&self.class.roles);
            let text = self.unit.expr_text(changed).to_owned();
            let message = if is_free {
                format!(
                    "every role has a copy of `{text}`; this would change the one at {some} and not the one at {others}"
                )
            } else {
                format!(
                    "the copies of `{text}` would come to differ: this changes the one at {some} and not the one at {others}"
                )
            };
            self.report_error(ChoreoRule::UnequalCopies, self.expr_range(expr), message)
                .add_help(format!("annotate it: At[…, {some}], or change it where every role that has it does so"));
            return;
        }
        if is_free && at.is_none() {
            self.refuse_made_once(expr, changed);
            self.note_write(expr, changed);
        }
    }

    /// Refuses that only some roles store into the attributes of a value whose type says that it has none to store into.
    pub(super) fn refuse_marked(&mut self, expr: ExprId, marked: ExprId, value: &LocatedValue, at: Option<RoleSet>) {
        // A class or a function is state of the module.
        let is_local = root_of(&self.unit.tree, marked).is_some_and(|name| self.locals.contains_key(name));
        let (Some(roles), true, true) = (at, is_local, value.located.traits().frozen) else { return };
        let holders = match value.located.as_plain() {
            Some(Located::Free(_)) => self.all_roles(),
            Some(Located::At(at)) => at.roles,
            _ => return,
        };
        if value.is_fresh() || holders.is_subset(roles) {
            return;
        }
        let (some, text) = (roles.describe_roles(&self.class.roles), self.unit.expr_text(marked).to_owned());
        self.report_error(
            ChoreoRule::UnequalCopies,
            self.expr_range(expr),
            format!("only {some} would store into attributes of `{text}` here, and other roles have a copy of it"),
        )
        .add_help(format!("annotate it: At[…, {some}], or store where every role that has it does so"));
    }

    /// Records a change of state that every role may have a copy of.
    pub(super) fn note_write(&mut self, expr: ExprId, changed: ExprId) {
        let unit = Rc::clone(&self.unit);
        let name = root_of(&unit.tree, changed).unwrap_or_default();
        let owned = self.locals.contains_key(name) && self.is_owned(name);
        let written = if owned {
            ReplicatedWrite::Variable(name.to_owned())
        } else {
            // Not known whose state it is: all roles take part in changing it.
            self.involve_roles(self.all_roles());
            ReplicatedWrite::Shared(unit.expr_text(changed).to_owned())
        };
        let writes = self.facts.table_mut(unit.id).writes.entry(expr).or_default();
        if !writes.contains(&written) {
            writes.push(written);
        }
    }

    /// Whether a variable is the only name for what it holds: bound to new values, and never stored or passed on as a whole.
    fn is_owned(&self, name: &str) -> bool {
        let tree = &self.unit.tree;
        let holds_frozen = self.locals.get(name).is_some_and(|local| local.located.traits().frozen_items);
        if !holds_frozen || self.method.parameters.iter().any(|parameter| parameter.name == name) {
            return false;
        }
        let is_new = |value: ExprId| {
            matches!(
                tree[value].kind,
                ExprKind::List { .. }
                    | ExprKind::Dict { .. }
                    | ExprKind::Set { .. }
                    | ExprKind::ListComp { .. }
                    | ExprKind::DictComp { .. }
                    | ExprKind::SetComp { .. }
                    | ExprKind::Int(_)
                    | ExprKind::Float(_)
                    | ExprKind::Str(_)
                    | ExprKind::Bool(_)
                    | ExprKind::None
                    | ExprKind::BinOp { .. }
            )
        };
        self.unit.exprs_within(tree[self.method.stmt].range).all(|expr| {
            if tree.as_name(expr).is_none_or(|found| tree.text(found) != name) {
                return true;
            }
            match tree[expr].parent {
                Parent::Expr(parent) => match tree[parent].kind {
                    ExprKind::Tuple { .. }
                    | ExprKind::List { .. }
                    | ExprKind::Dict { .. }
                    | ExprKind::Set { .. }
                    | ExprKind::IfExp { .. }
                    | ExprKind::BoolOp { .. }
                    | ExprKind::Named { .. }
                    | ExprKind::Starred { .. }
                    | ExprKind::Lambda { .. } => false,
                    ExprKind::Call { function, arguments } => {
                        match self.effects.resolve_callee(self.world, &self.unit, function) {
                            Callee::Builtin(name) => effects::is_pure_builtin(&name),
                            Callee::Function(key) => self.is_not_returned(key, arguments, expr),
                            _ => false,
                        }
                    }
                    _ => true,
                },
                Parent::Stmt(stmt) => match tree[stmt].kind {
                    StmtKind::Assign { targets, value } => value != expr && tree[targets].len() == 1 && is_new(value),
                    StmtKind::AnnAssign { value, .. } => value.is_none_or(|value| value != expr && is_new(value)),
                    StmtKind::AugAssign { .. } | StmtKind::Delete { .. } | StmtKind::Expr { .. } => true,
                    StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Assert { .. } => true,
                    StmtKind::For { iter, .. } => iter == expr,
                    _ => false,
                },
                Parent::Module => true,
            }
        })
    }

    /// Whether a function keeps what it is given out of its result.
    fn is_not_returned(&self, key: PlainFunction, arguments: Arguments, argument: ExprId) -> bool {
        let callee = self.world.unit(key.0);
        let (Some(summary), StmtKind::FunctionDef(function)) = (self.effects.of_function(key), callee.tree[key.1].kind)
        else {
            return false;
        };
        given_positions(&self.unit, callee, function, None, arguments)
            .into_iter()
            .filter(|(_, value)| *value == argument)
            .all(|(position, _)| {
                !summary.returns.union(summary.returns_items).union(summary.changes).contains(position)
            })
    }

    /// Makes a value that roles compute each for itself uncertain if it has the text of values that may differ in it.
    pub(super) fn doubt_text(
        &mut self,
        value: &mut LocatedValue,
        operands: &[(ExprId, LocatedValue)],
        range: TextRange,
    ) {
        self.doubt_unordered(value, operands, range);
        if operands.iter().any(|(_, operand)| !operand.located.traits().shown) {
            self.mark_uncertain(value, Cause { unit: self.unit.id, range, what: effects::SHOWS_ADDRESS.into() }, range);
        }
    }

    /// Makes a value that roles compute each for itself uncertain if it depends on the order of a set.
    pub(super) fn doubt_unordered(
        &mut self,
        value: &mut LocatedValue,
        operands: &[(ExprId, LocatedValue)],
        range: TextRange,
    ) {
        if operands.iter().any(|(_, operand)| !operand.located.traits().ordered) {
            self.mark_uncertain(value, Cause { unit: self.unit.id, range, what: effects::TAKES_ORDER.into() }, range);
        }
    }

    /// Makes a value uncertain: roles that compute it each for itself may get different ones.
    pub(super) fn mark_uncertain(&mut self, value: &mut LocatedValue, cause: Cause, range: TextRange) {
        self.cause = Some(cause);
        match &mut value.located {
            Located::Free(free) => free.certain = false,
            Located::At(at) if at.roles.len() > 1 => {
                let roles = at.roles.describe_roles(&self.class.roles);
                self.report_error(
                    ChoreoRule::UnequalCopies,
                    range,
                    format!("{roles} each make this call, and may get different results"),
                )
                .add_help("call it at one role and send the result to the others");
                self.attach_cause();
            }
            _ => {}
        }
    }

    /// Adds to the last finding why the value of an expression may differ from role to role.
    pub(super) fn explain_cause(&mut self, expr: ExprId) {
        let range = self.expr_range(expr);
        let within = self.cause.as_ref().is_some_and(|cause| cause.unit != self.unit.id)
            || self.cause.as_ref().is_some_and(|cause| {
                range.contains_range(cause.range) || !self.unit.tree[self.method.stmt].range.contains_range(cause.range)
            });
        if within {
            self.attach_cause();
        }
    }

    fn attach_cause(&mut self) {
        let Some(cause) = self.cause.clone() else { return };
        let span = self.world.unit(cause.unit).span(cause.range);
        if let Some(finding) = self.report.findings.last_mut()
            && finding.primary.range != cause.range
        {
            finding.annotate_span(span, format!("this {}", cause.what));
        }
    }
}

/// The values of a call's arguments, in the order of the parameters' kinds.
fn argument_values(tree: &pytrope_source::Tree, arguments: Arguments) -> Vec<ExprId> {
    let named = tree[arguments.keywords].iter().map(|keyword| keyword.value);
    tree[arguments.positional].iter().copied().chain(named).collect()
}

/// The name at the bottom of `name.a[0].b()`.
pub(super) fn root_of(tree: &pytrope_source::Tree, expr: ExprId) -> Option<&str> {
    match tree[expr].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name)),
        ExprKind::Attribute { value, .. }
        | ExprKind::Subscript { value, .. }
        | ExprKind::Starred { value, .. }
        | ExprKind::Call { function: value, .. } => root_of(tree, value),
        _ => None,
    }
}
