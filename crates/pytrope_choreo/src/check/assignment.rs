//! Assignments: to variables, fields, parts of plain objects, and several targets at once.

use std::rc::Rc;

use pytrope_source::tree::{ExprId, ExprKind};

use super::statement::ONE_OF_SEVERAL;
use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::facts::{Field, Local, ReplicatedWrite};
use crate::located::Located;
use crate::report::{ChoreoRule, Extend};
use crate::role::{RoleId, RoleSet};
use crate::value_types::traits_of;

impl Checker<'_> {
    pub(super) fn check_annotated_assignment(&mut self, target: ExprId, annotation: ExprId, value: Option<ExprId>) {
        let unit = Rc::clone(&self.unit);
        let annotations = Annotations::new(self.world, &unit, self.class);
        let located = annotations.read_location(annotation, self.report);
        let range = self.expr_range(target);
        match (unit.tree[target].kind, located) {
            (ExprKind::Name { name, .. }, Some(located)) if located != Located::Nothing => {
                let name = unit.tree.text(name).to_owned();
                if let Some(before) = self.locals.get(&name)
                    && before.annotated
                    && before.located != located
                    && before.range != range
                {
                    let message = format!(
                        "{name} is {} and cannot become {}",
                        self.describe_location(&before.located),
                        self.describe_location(&located)
                    );
                    let span = unit.span(before.range);
                    self.report_error(ChoreoRule::RoleMismatch, range, message).annotate_span(span, "declared here");
                }
                self.locals.insert(name, Local { located: located.clone(), annotated: true, range });
                self.info_mut(target).located = located.clone();
                self.involve_roles(located.roles());
                if let Some(value) = value {
                    let found = self.check_expr(value);
                    let what = unit.expr_text(target).to_string();
                    let span = unit.span(unit.tree[annotation].range);
                    self.check_required(value, &found, &located, &what, span);
                }
            }
            (ExprKind::Attribute { value: owner, attribute, .. }, Some(located))
                if self.is_self(owner) && located != Located::Nothing =>
            {
                let name = unit.tree.text(attribute.name).to_owned();
                let field = Field { located: located.clone(), annotated: true, range };
                self.facts.fields[self.class.id.0 as usize].insert(name, field);
                self.check_expr(owner);
                self.info_mut(target).located = located.clone();
                self.involve_roles(located.roles());
                if let Some(value) = value {
                    let found = self.check_expr(value);
                    let span = unit.span(unit.tree[annotation].range);
                    self.check_required(value, &found, &located, unit.expr_text(target), span);
                }
            }
            _ => {
                if let Some(value) = value {
                    let mut found = self.check_expr(value);
                    let declared = traits_of(self.world, &unit, annotation);
                    // `type[T]` does not say what calling the value changes.
                    let known = declared.frozen && (declared.shown || found.located.traits().frozen);
                    if known && matches!(found.located, Located::Free(_) | Located::At(_)) {
                        found.located.set_traits(declared);
                        found.holders = RoleSet::EMPTY;
                    }
                    self.bind_target(target, &found, value);
                }
            }
        }
    }

    fn is_self(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        tree.as_name(expr).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref())
    }

    /// `del x`, or a part of a plain object, which is changed in place.
    pub(super) fn check_deletion(&mut self, target: ExprId) {
        let unit = Rc::clone(&self.unit);
        let value = self.check_expr(target);
        self.involve_roles(value.located.roles());
        let (owner, index) = match unit.tree[target].kind {
            ExprKind::Attribute { value, .. } => (value, None),
            ExprKind::Subscript { value, index, .. } => (value, Some(index)),
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                unit.tree[elements].iter().for_each(|&element| self.check_deletion(element));
                return;
            }
            _ => return,
        };
        let owner_value = self.check_expr(owner);
        if !matches!(owner_value.located, Located::Object { .. }) {
            let index = index.map(|index| (index, self.check_expr(index)));
            self.check_store(target, (owner, &owner_value), index, &LocatedValue::of_constant(), target);
        }
    }

    /// Stores a value in a target and records where the target lives.
    pub(super) fn bind_target(&mut self, target: ExprId, value: &LocatedValue, expr: ExprId) {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        match tree[target].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if matches!(value.located, Located::Nothing) {
                    self.report_error(
                        ChoreoRule::RoleMismatch,
                        self.expr_range(expr),
                        "this call returns nothing that could be kept",
                    );
                    return;
                }
                self.bind_variable(name, tree[target].range, value, expr);
                if let Some(local) = self.locals.get(name).cloned() {
                    self.involve_roles(local.located.roles());
                    self.info_mut(target).located = local.located;
                }
            }
            ExprKind::Attribute { value: owner, attribute, .. } => {
                let owner_value = self.check_expr(owner);
                let name = tree.text(attribute.name).to_owned();
                if let Located::Object { class, roles } = owner_value.located.clone() {
                    self.bind_field(target, owner, class, &roles, &name, value, expr);
                } else {
                    self.check_store(target, (owner, &owner_value), None, value, expr);
                }
            }
            ExprKind::Subscript { value: owner, index, .. } => {
                let owner_value = self.check_expr(owner);
                let index_value = self.check_expr(index);
                self.check_store(target, (owner, &owner_value), Some((index, index_value)), value, expr);
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                let elements = tree[elements].to_vec();
                let mut unpacked = value.clone();
                if matches!(value.located, Located::Free(_)) {
                    self.doubt_unordered(&mut unpacked, &[(expr, value.clone())], self.expr_range(expr));
                }
                let value = &unpacked;
                let starred = elements.iter().any(|&element| matches!(tree[element].kind, ExprKind::Starred { .. }));
                for (at, &element) in elements.iter().enumerate() {
                    let part = match &value.located {
                        Located::Tuple(parts) if !starred => {
                            if parts.len() != elements.len() {
                                self.report_error(
                                    ChoreoRule::RoleMismatch,
                                    self.expr_range(target),
                                    format!("{} target(s) for {} part(s)", elements.len(), parts.len()),
                                );
                                return;
                            }
                            parts[at].clone()
                        }
                        Located::Tuple(_) => {
                            if let Some(plain) = value.located.as_plain() {
                                plain
                            } else {
                                self.report_error(
                                    ChoreoRule::MixedRoles,
                                    self.expr_range(target),
                                    "parts at different roles cannot be gathered by a star",
                                );
                                return;
                            }
                        }
                        Located::Object { .. } | Located::Channel(_) | Located::Nothing => {
                            let found = self.describe_location(&value.located);
                            self.report_error(
                                ChoreoRule::RoleMismatch,
                                self.expr_range(expr),
                                format!("{found} cannot be unpacked"),
                            );
                            return;
                        }
                        other => other.clone(),
                    };
                    let parts = self.tuple_elements(expr).filter(|parts| parts.len() == elements.len() && !starred);
                    let mut part = match parts {
                        Some(parts) => LocatedValue { located: part, holders: self.recorded_info(parts[at]).holders },
                        None if matches!(value.located, Located::Tuple(_)) => LocatedValue::of_held_object(part),
                        None => value.with_location(part),
                    };
                    if !matches!(value.located, Located::Tuple(_)) {
                        part.located.set_traits(part.located.traits().of_items());
                    }
                    self.check_behind_barrier(ONE_OF_SEVERAL, |checker| checker.bind_target(element, &part, expr));
                }
                self.info_mut(target).located = value.located.clone();
            }
            ExprKind::Starred { value: inner, .. } => self.bind_target(inner, value, expr),
            _ => {}
        }
    }

    #[expect(clippy::too_many_arguments, reason = "a store has an object, its class and roles, a name and a value")]
    fn bind_field(
        &mut self,
        target: ExprId,
        owner: ExprId,
        class: crate::declaration::ClassId,
        roles: &[RoleId],
        name: &str,
        value: &LocatedValue,
        expr: ExprId,
    ) {
        let range = self.expr_range(target);
        let known = self.facts.field_of_instance(self.world, class, name);
        let own = self.is_self(owner);
        match known {
            Some((field, formal))
                if field.annotated || !own || !self.facts.fields[class.0 as usize].contains_key(name) =>
            {
                let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
                let located = field.located.seen_from(&actual, self.all_roles());
                self.check_assignable(expr, value, &located, &format!("the field {name}"));
                self.info_mut(target).located = located.clone();
                self.involve_writers(target, &located);
            }
            Some((field, _)) => {
                let joined =
                    self.join_locations(&field.located, &self.with_stored_contents(None, value.located.clone()));
                self.facts.fields[class.0 as usize][name].located = joined.clone();
                if !self.report.quiet {
                    let before = self.report.findings.len();
                    self.check_assignable(expr, value, &joined, &format!("the field {name}"));
                    if self.report.findings.len() > before && field.range != range {
                        let span = self.unit.span(field.range);
                        self.report
                            .findings
                            .last_mut()
                            .expect("a finding was added")
                            .annotate_span(span, format!("{name} is first set here"));
                    }
                }
                self.info_mut(target).located = joined.clone();
                self.involve_writers(target, &joined);
            }
            None if own => {
                let located = self.with_stored_contents(None, value.located.clone());
                let field = Field { located: located.clone(), annotated: false, range };
                self.facts.fields[class.0 as usize].insert(name.to_owned(), field);
                self.info_mut(target).located = located.clone();
                self.involve_writers(target, &located);
            }
            None => {
                let class = self.world.class(class).name.clone();
                self.report_error(ChoreoRule::UnknownMember, range, format!("{class} has no field {name}"));
            }
        }
    }

    /// Assigning to a field involves the roles that have it: all of them, if it has no role.
    fn involve_writers(&mut self, target: ExprId, located: &Located) {
        let table = self.facts.table_mut(self.unit.id);
        table.writes.remove(&target);
        match located {
            Located::Free(_) => {
                let text = self.unit.expr_text(target).to_owned();
                self.facts.table_mut(self.unit.id).writes.insert(target, vec![ReplicatedWrite::Shared(text)]);
                self.involve_roles(self.all_roles());
            }
            other => self.involve_roles(other.roles()),
        }
    }

    /// Changes a plain object in place.
    fn check_store(
        &mut self,
        target: ExprId,
        owner: (ExprId, &LocatedValue),
        index: Option<(ExprId, LocatedValue)>,
        value: &LocatedValue,
        expr: ExprId,
    ) {
        let range = self.expr_range(target);
        let (owner_expr, owner) = owner;
        self.facts.table_mut(self.unit.id).writes.remove(&target);
        let is_slice =
            matches!(index, Some((index, _)) if matches!(self.unit.tree[index].kind, ExprKind::Slice { .. }));
        let is_certain = |value: &LocatedValue| !matches!(value.located, Located::Free(free) if !free.certain);
        let takes_order = is_slice && !value.located.traits().ordered;
        let setter = self.effects.varying_store(&self.unit, target);
        let stored_alike = !takes_order
            && setter.is_none()
            && is_certain(value)
            && index.as_ref().is_none_or(|(_, index)| is_certain(index));
        let stored = value.located.traits();
        self.note_stored(owner.located.traits(), if is_slice { stored.of_items() } else { stored });
        let mut operands = vec![(target, owner.clone())];
        operands.extend(index);
        operands.push((expr, value.clone()));
        let met = self.meet_locations(target, &operands, "this assignment", true);
        match (&owner.located, &met.located) {
            (Located::At(at), Located::At(found)) if at.roles != found.roles => {
                let (all, some) =
                    (at.roles.describe_roles(&self.class.roles), found.roles.describe_roles(&self.class.roles));
                self.report_error(
                    ChoreoRule::UnequalCopies,
                    range,
                    format!("the copies at {all} would come to differ: only {some} can store this"),
                );
            }
            (Located::Free(_), Located::At(found)) if !owner.is_fresh() => {
                let roles = found.roles.describe_roles(&self.class.roles);
                let others = self.all_roles().without(found.roles).describe_roles(&self.class.roles);
                self.report_error(
                    ChoreoRule::UnequalCopies,
                    range,
                    format!("every role has a copy of this; {roles} can store the value and {others} cannot"),
                )
                .add_help(format!("annotate the variable: At[…, {roles}]"));
            }
            (Located::At(at), Located::At(_)) if at.roles.len() > 1 && setter.is_some() => {
                let roles = at.roles.describe_roles(&self.class.roles);
                let message = format!("{roles} each store this, and what is stored may come to differ");
                self.report_error(ChoreoRule::UnequalCopies, range, message);
                self.cause = setter;
                self.explain_cause(expr);
            }
            (Located::Free(_), Located::Free(_)) if !stored_alike => {
                self.cause = setter.or(self.cause.take());
                let message = self.no_role_message("store");
                self.report_error(ChoreoRule::NoRole, range, message);
                self.explain_cause(expr);
            }
            (Located::Free(_), Located::Free(_)) => {
                self.refuse_made_once(target, owner_expr);
                self.note_write(target, owner_expr);
            }
            (Located::At(at), _) if !owner.holders.intersection(self.all_roles()).is_subset(at.roles) => {
                self.note_change(target, owner_expr, owner, Some(at.roles));
            }
            _ => {}
        }
        // What is stored is part of the owner from now on.
        if let Located::At(at) = &met.located {
            self.refuse_narrowing(self.expr_range(expr), value, at.roles);
        }
        self.involve_roles(met.located.roles());
        self.info_mut(target).located = met.located;
    }
}
