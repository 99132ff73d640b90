//! Names, fields and role markers: what is read, and where it lives.

use std::rc::Rc;

use pytrope_semantic::is_predefined;
use pytrope_source::TextRange;
use pytrope_source::tree::{ExprId, ExprKind};
use rustc_hash::FxHashSet;

use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::declaration::{ClassId, Meaning, MethodKind, Surface};
use crate::effects::{Callee, Cause, declared_result, is_hidden_attribute, is_same_value};
use crate::facts::{Action, ReplicatedWrite};
use crate::located::{ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};
use crate::surface;

impl Checker<'_> {
    pub(super) fn check_name(&mut self, expr: ExprId, name: &str) -> LocatedValue {
        if Some(name) == self.receiver.as_deref() {
            let roles = self.all_roles().iter().collect();
            return LocatedValue::of_held_object(Located::Object { class: self.class_id(), roles });
        }
        if let Some(local) = self.locals.get(name) {
            return LocatedValue::of_held_object(local.located.clone());
        }
        let range = self.expr_range(expr);
        match self.unit.meanings.get(name).cloned() {
            Some(Meaning::Role) => {
                self.report_error(ChoreoRule::BadRoles, range, format!("the role {name} is not a value"))
                    .add_help(format!("write `value @ {name}()` to place a value at {name}"));
                LocatedValue::of_unknown()
            }
            Some(Meaning::RoleFunction(_)) => {
                let message = format!("{name} is a function over roles, which code of one role cannot use");
                self.report_error(ChoreoRule::MisplacedCommunication, range, message)
                    .add_help("call it before, and use its result here");
                LocatedValue::of_unknown()
            }
            Some(Meaning::Choreography(_)) => {
                self.report_error(
                    ChoreoRule::Unsupported,
                    range,
                    format!("{name} is a choreography; it can be instantiated, not passed around"),
                );
                LocatedValue::of_unknown()
            }
            Some(Meaning::Alias { .. }) => {
                self.report_error(ChoreoRule::RoleMismatch, range, format!("{name} is a type and not a value"));
                LocatedValue::of_unknown()
            }
            Some(Meaning::Other) => match self.effects.resolve_path(self.world, &self.unit, &[name]) {
                // Functions and classes of other files are the same at every role; what calls of them give is another question.
                Callee::Function(_) | Callee::Class(_) => LocatedValue::of_code(),
                Callee::Enum => LocatedValue::of_constant(),
                Callee::Library(path) if is_same_value(&path) => LocatedValue::of_code(),
                Callee::Builtin(_) | Callee::Library(_) | Callee::Unknown => {
                    let what = format!("reads {name}, which may differ between the roles");
                    self.cause = Some(Cause { unit: self.unit.id, range, what });
                    LocatedValue::newly_created(Located::OPEN)
                }
            },
            Some(Meaning::Module(module)) if module != "math" && !module.starts_with("math.") => {
                LocatedValue::newly_created(Located::OPEN)
            }
            Some(Meaning::Function(_) | Meaning::PlainClass(_)) => LocatedValue::of_code(),
            Some(Meaning::Constant | Meaning::Enum | Meaning::Module(_) | Meaning::Surface(_)) => {
                LocatedValue::of_constant()
            }
            None => {
                if self.class.role_by_name(name).is_some() {
                    self.report_error(ChoreoRule::BadRoles, range, format!("the role {name} is not a value"))
                        .add_help(format!("write `value @ On[{name}]` to place a value at {name}"));
                    return LocatedValue::of_unknown();
                }
                let bound = self.unit.names.owner_of_use(expr).is_some();
                if self.report.quiet && bound {
                    return LocatedValue::of_unknown();
                }
                if !bound && !is_predefined(name) && !self.unit.meanings.has_unknown_star_import() {
                    let own = |name: &str| {
                        self.facts.field_of_instance(self.world, self.class_id(), name).is_some()
                            || self.world.find_method(self.class_id(), name).is_some()
                    };
                    let known = self.unit.meanings.all();
                    let help = if own(name) {
                        Some(format!("did you mean self.{name}?"))
                    } else if surface::NAMES.contains(&name) {
                        Some(format!("from pytrope.choreo import {name}"))
                    } else {
                        let module = known.iter().map(|(name, _)| name.as_str());
                        let mut known: Vec<&str> = self.locals.keys().map(String::as_str).chain(module).collect();
                        known.sort_unstable();
                        pytrope_diagnostics::nearest(name, known).map(|near| format!("did you mean {near}?"))
                    };
                    let finding =
                        self.report_error(ChoreoRule::UnknownMember, range, format!("no name {name} is known here"));
                    if let Some(help) = help {
                        finding.add_help(help);
                    }
                    return LocatedValue::of_unknown();
                }
                if name.starts_with("__") || !is_predefined(name) {
                    return LocatedValue::newly_created(Located::OPEN);
                }
                LocatedValue::of_constant()
            }
        }
    }

    /// The roles of `A()` or `On[A | B]` behind an `@`.
    pub(super) fn marker_roles(&self, expr: ExprId) -> Option<ExprId> {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Call { function, arguments }
                if arguments.positional.is_empty() && arguments.keywords.is_empty() =>
            {
                let first = *tree.dotted(function)?.first()?;
                let is_role = self.class.role_by_name(self.unit.expr_text(function)).is_some()
                    || self.unit.binding(function) == Some(&Meaning::Role);
                (is_role && !self.locals.contains_key(first)).then_some(function)
            }
            ExprKind::Subscript { value, index, .. }
                if surface::surface_of_expr(&self.unit, value) == Some(Surface::On)
                    || surface::missing_import(&self.unit, value) == Some("On") =>
            {
                Some(index)
            }
            _ => None,
        }
    }

    /// `value @ A()`: a free value placed at A, or a value checked to be there.
    pub(super) fn check_placement(&mut self, expr: ExprId, left: ExprId, right: ExprId) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let marker = self.marker_roles(right).expect("the caller saw a marker");
        if let ExprKind::Subscript { value, .. } = tree[right].kind
            && surface::surface_of_expr(&unit, value).is_none()
            && !self.report.findings.iter().any(|finding| finding.message == "On is not imported")
        {
            self.report_error(ChoreoRule::UnknownMember, tree[value].range, "On is not imported")
                .add_help("from pytrope.choreo import On");
        }
        let annotations = Annotations::new(self.world, &unit, self.class);
        let roles = annotations.read_roles(marker, self.report);
        let value = self.check_expr(left);
        let table = self.facts.table_mut(unit.id);
        table.actions.insert(expr, Action::Locate { value: left });
        table.strips.push(strip_range(unit.file.text(), tree[left].range, tree[right].range));
        let Some(roles) = roles else {
            return LocatedValue::of_unknown();
        };
        // `7 @ A() @ B()` is at both: the inner marker has placed a literal, the outer adds a role.
        let mut base = left;
        while let Some(Action::Locate { value }) = self.facts.file_table(unit.id).action_of(base) {
            base = *value;
        }
        let base_located = self.recorded_info(base).located.clone();
        match &value.located {
            Located::At(at)
                if base != left && matches!(base_located, Located::Free(_)) && !roles.is_subset(at.roles) =>
            {
                let target = Located::at(at.roles.union(roles), at.traits);
                self.check_assignable(base, &value.with_location(base_located), &target, "this place");
                value.with_location(target)
            }
            located => {
                let target = Located::at(roles, located.traits());
                self.check_assignable(left, &LocatedValue::newly_created(value.located.clone()), &target, "this place");
                value.with_location(target)
            }
        }
    }

    /// Whether a method of a choreographic class, or one that it names, writes what every role has a copy of.
    fn changes_copies(&self, class: ClassId, name: &str, seen: &mut FxHashSet<String>) -> bool {
        let Some((owner, _, method)) = self.world.find_method(class, name) else { return false };
        if !seen.insert(name.to_owned()) {
            return false;
        }
        let unit = self.world.unit(self.world.class(owner).unit);
        let writes = &self.facts.file_table(unit.id).writes;
        unit.exprs_within(unit.tree[method.stmt].range).any(|expr| {
            let is_shared = |written: &ReplicatedWrite| matches!(written, ReplicatedWrite::Shared(_));
            writes.get(&expr).is_some_and(|written| written.iter().any(is_shared))
                || match unit.tree[expr].kind {
                    ExprKind::Attribute { attribute, .. } => {
                        self.changes_copies(class, unit.tree.text(attribute.name), seen)
                    }
                    _ => false,
                }
        })
    }

    fn is_plain_class(&self, expr: ExprId) -> bool {
        let local = self.unit.tree.dotted(expr).is_none_or(|parts| self.locals.contains_key(parts[0]));
        !local && matches!(self.effects.resolve_callee(self.world, &self.unit, expr), Callee::Class(_))
    }

    /// What reading an attribute does where some class of plain code computes it.
    fn property_effects(&mut self, expr: ExprId, owner: ExprId, name: &str, value: &mut LocatedValue) {
        let effects = self.effects;
        if effects.is_computed(name) {
            let range = self.expr_range(expr);
            value.located.set_traits(Traits::UNKNOWN);
            let what = format!("reads {name}, which a descriptor or a decorator may compute");
            self.mark_uncertain(value, Cause { unit: self.unit.id, range, what }, range);
        }
        for &key in effects.properties_named(name) {
            let Some(effect) = effects.of_function(key) else { continue };
            if effect.changes.contains(0) {
                let at = match &value.located {
                    Located::At(at) => Some(at.roles),
                    _ => None,
                };
                let holder = value.with_location(self.recorded_info(owner).located.clone());
                self.note_change(expr, owner, &holder, at);
            }
            if let [only] = effects.properties_named(name)
                && let Some(frozen) = declared_result(self.world, *only).filter(|traits| traits.frozen)
            {
                value.located.set_traits(frozen);
            }
            if let Some(cause) = &effect.varies {
                self.mark_uncertain(value, cause.clone(), self.expr_range(expr));
            }
        }
    }

    pub(super) fn check_attribute(
        &mut self,
        expr: ExprId,
        owner_expr: ExprId,
        owner: &LocatedValue,
        name: &str,
    ) -> LocatedValue {
        if let (Located::Free(_), Callee::Library(path)) =
            (&owner.located, self.effects.resolve_callee(self.world, &self.unit, expr))
            && is_same_value(&path)
            && self.unit.is_of_module(expr)
        {
            return LocatedValue::of_code();
        }
        match &owner.located {
            Located::Object { class, roles } => {
                let (class, roles) = (*class, roles.clone());
                let players = |formal: &[RoleId]| formal.iter().map(|role| roles[role.index()]).collect::<Vec<_>>();
                if let Some((field, formal)) = self.facts.field_of_instance(self.world, class, name) {
                    let located = field.located.seen_from(&players(&formal), self.all_roles());
                    return LocatedValue::of_held_object(located);
                }
                if let Some((owner_class, formal, method)) = self.world.find_method(class, name) {
                    if method.plain {
                        return self.constant_at(players(&formal).into_iter().collect());
                    }
                    if method.kind == MethodKind::Property {
                        let facts = self.facts.method_facts(owner_class, name).cloned();
                        let Some(facts) = facts else { return LocatedValue::of_unknown() };
                        if facts.communicates {
                            self.report_error(
                                ChoreoRule::MisplacedCommunication,
                                self.expr_range(expr),
                                format!("the property {name} communicates, and reading an attribute must not"),
                            )
                            .add_help("make it a method");
                        }
                        if self.changes_copies(class, name, &mut FxHashSet::default()) {
                            // Only the roles that need the value read it; a method is called by all that it involves.
                            self.report_error(
                                ChoreoRule::UnequalCopies,
                                self.expr_range(expr),
                                format!("the property {name} changes state that every role has a copy of"),
                            )
                            .add_help("make it a method");
                        }
                        if facts.may_raise {
                            self.raise_point(self.expr_range(expr), Some(name));
                        }
                        return LocatedValue::of_held_object(
                            facts.returns.seen_from(&players(&formal), self.all_roles()),
                        );
                    }
                    return self.method_value(expr, owner_class, name, &players(&formal));
                }
                if name.starts_with("__") && name.ends_with("__") {
                    // `self.__class__` is another class in the program of each role.
                    let (range, mut value) = (self.expr_range(expr), LocatedValue::of_constant());
                    let what = "differs between the programs of the roles".to_owned();
                    self.mark_uncertain(&mut value, Cause { unit: self.unit.id, range, what }, range);
                    return value;
                }
                if self.world.lineage(class).iter().any(|(class, _)| !self.world.class(*class).plain_bases.is_empty()) {
                    return LocatedValue::of_constant();
                }
                if self.report.quiet {
                    return LocatedValue::of_unknown();
                }
                let class_name = self.world.class(class).name.clone();
                let known: Vec<String> = self
                    .world
                    .lineage(class)
                    .iter()
                    .flat_map(|(class, _)| {
                        let fields = self.facts.fields[class.0 as usize].keys();
                        fields.chain(self.world.class(*class).methods.keys()).cloned().collect::<Vec<_>>()
                    })
                    .collect();
                let near = pytrope_diagnostics::nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                let range = self.expr_range(expr);
                let finding = self.report_error(
                    ChoreoRule::UnknownMember,
                    range,
                    format!("{class_name} has no field or method {name}"),
                );
                if let Some(near) = near {
                    finding.add_help(format!("did you mean {near}?"));
                }
                LocatedValue::of_unknown()
            }
            Located::Channel(channel) if channel.shape != ChannelShape::Pair && matches!(name, "count" | "rank") => {
                // How many members there are is the same for all ends; each member has its own rank.
                let roles = if name == "count" { channel.ends() } else { RoleSet::of_role(channel.to) };
                LocatedValue::newly_created(Located::at(roles, Traits::FROZEN))
            }
            Located::Channel(_) => {
                let message = match name {
                    "com" | "select" => format!("{name} of a channel can be called, not passed around"),
                    _ => format!("a channel has com and select, not {name}"),
                };
                self.report_error(ChoreoRule::BadChannel, self.expr_range(expr), message);
                LocatedValue::of_unknown()
            }
            Located::Tuple(_) | Located::Function { .. } => {
                self.meet_locations(expr, &[(owner_expr, owner.clone())], "this attribute", false)
            }
            Located::Nothing => {
                self.report_error(ChoreoRule::RoleMismatch, self.expr_range(owner_expr), "this call returns nothing");
                LocatedValue::of_unknown()
            }
            Located::Unknown => LocatedValue::of_unknown(),
            Located::Free(_) | Located::At(_) if is_hidden_attribute(name) || self.effects.reads_open_enum(name) => {
                let mut located = owner.located.clone();
                located.set_traits(Traits::UNKNOWN);
                let (range, mut value) = (self.expr_range(expr), owner.with_location(located));
                if is_hidden_attribute(name) || matches!(value.located, Located::Free(_)) {
                    // A member is the same object for all code of a process.
                    value.holders = self.all_roles();
                    self.mark_uncertain(
                        &mut value,
                        Cause { unit: self.unit.id, range, what: format!("reads {name}") },
                        range,
                    );
                }
                value
            }
            Located::Free(_) if self.is_plain_class(owner_expr) => {
                let what = format!("reads {name} of a class, which can be set anywhere");
                self.cause = Some(Cause { unit: self.unit.id, range: self.expr_range(expr), what });
                LocatedValue::newly_created(Located::OPEN)
            }
            Located::Free(_) | Located::At(_) => {
                let mut located = owner.located.clone();
                let is_method = self.effects.is_method_name(name);
                // A bound method may change its object wherever it is called.
                located.set_traits(if is_method { Traits::OPAQUE } else { located.traits().of_items() });
                if let Some(declared) = self.effects.traits_of_attribute(name).filter(|traits| traits.frozen) {
                    located.set_traits(declared);
                }
                let mut value = owner.with_location(located);
                self.property_effects(expr, owner_expr, name, &mut value);
                value
            }
        }
    }
}

/// From the end of the value (its closing parentheses kept) to the end of the marker.
fn strip_range(text: &str, left: TextRange, right: TextRange) -> TextRange {
    let between = &text[left.end as usize..right.start as usize];
    let at = between.rfind('@').unwrap_or(0);
    let kept = between[..at].trim_end().len();
    TextRange::new(left.end + kept as u32, right.end)
}
