//! Names, fields and role markers: what is read, and where it lives.

use std::rc::Rc;

use pytrope_semantic::is_predefined;
use pytrope_source::TextRange;
use pytrope_source::tree::{Context, ExprId, ExprKind};

use super::{Checker, LocatedValue};
use crate::annotation::Annotations;
use crate::declaration::{Meaning, MethodKind, Surface};
use crate::effects::{Callee, Cause, is_changing_method};
use crate::facts::Action;
use crate::located::{ChannelShape, Located, Traits};
use crate::report::{ChoreoRule, Extend};
use crate::role::RoleSet;
use crate::surface;

impl Checker<'_> {
    pub(super) fn name(&mut self, expr: ExprId, name: &str) -> LocatedValue {
        if Some(name) == self.receiver.as_deref() {
            let roles = self.everyone().iter().collect();
            return LocatedValue::held(Located::Object { class: self.class_id(), roles });
        }
        if let Some(local) = self.locals.get(name) {
            return LocatedValue::held(local.located.clone());
        }
        let range = self.range(expr);
        match self.unit.scope.get(name).cloned() {
            Some(Meaning::Role) => {
                self.error(ChoreoRule::BadRoles, range, format!("the role {name} is not a value"))
                    .advise(format!("write `value @ {name}()` to place a value at {name}"));
                LocatedValue::unknown()
            }
            Some(Meaning::Choreography(_)) => {
                self.error(
                    ChoreoRule::Unsupported,
                    range,
                    format!("{name} is a choreography; it can be instantiated, not passed around"),
                );
                LocatedValue::unknown()
            }
            Some(Meaning::Alias { .. }) => {
                self.error(ChoreoRule::RoleMismatch, range, format!("{name} is a type and not a value"));
                LocatedValue::unknown()
            }
            Some(Meaning::Other) => match self.effects.resolve_path(self.world, &self.unit, &[name]) {
                // Functions and classes of other files are the same at every role; what calls of them give is another question.
                Callee::Function(_) | Callee::Class(_) | Callee::Enum => LocatedValue::constant(),
                Callee::Builtin(_) | Callee::Library(_) | Callee::Unknown => {
                    let what = format!("reads {name}, which may differ between the roles");
                    self.cause = Some(Cause { unit: self.unit.id, range, what });
                    LocatedValue::fresh(Located::OPEN)
                }
            },
            Some(Meaning::Module(module)) if module != "math" && !module.starts_with("math.") => {
                LocatedValue::fresh(Located::OPEN)
            }
            Some(
                Meaning::Constant
                | Meaning::Enum
                | Meaning::Function(_)
                | Meaning::PlainClass(_)
                | Meaning::Module(_)
                | Meaning::Surface(_),
            ) => LocatedValue::constant(),
            None => {
                if self.class.role(name).is_some() {
                    self.error(ChoreoRule::BadRoles, range, format!("the role {name} is not a value"))
                        .advise(format!("write `value @ On[{name}]` to place a value at {name}"));
                    return LocatedValue::unknown();
                }
                let bound = is_bound_somewhere(self, name);
                if self.report.quiet && bound {
                    return LocatedValue::unknown();
                }
                if !bound && !is_predefined(name) && !self.unit.scope.contains_key("*") {
                    let own = |name: &str| {
                        self.facts.field(self.world, self.class_id(), name).is_some()
                            || self.world.method(self.class_id(), name).is_some()
                    };
                    let known = self.locals.keys().chain(self.unit.scope.keys()).map(String::as_str);
                    let help = if own(name) {
                        Some(format!("did you mean self.{name}?"))
                    } else if surface::NAMES.contains(&name) {
                        Some(format!("from pytrope.choreo import {name}"))
                    } else {
                        let mut known: Vec<&str> = known.collect();
                        known.sort_unstable();
                        pytrope_diagnostics::nearest(name, known).map(|near| format!("did you mean {near}?"))
                    };
                    let finding = self.error(ChoreoRule::UnknownMember, range, format!("no name {name} is known here"));
                    if let Some(help) = help {
                        finding.advise(help);
                    }
                    return LocatedValue::unknown();
                }
                if name.starts_with("__") || !is_predefined(name) {
                    return LocatedValue::fresh(Located::OPEN);
                }
                LocatedValue::constant()
            }
        }
    }

    /// The roles of `A()` or `On[A | B]` behind an `@`.
    pub(super) fn marker(&self, expr: ExprId) -> Option<ExprId> {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Call { function, arguments }
                if arguments.positional.is_empty() && arguments.keywords.is_empty() =>
            {
                let first = *tree.dotted(function)?.first()?;
                let is_role = self.class.role(self.unit.expr_text(function)).is_some()
                    || self.unit.binding(function) == Some(&Meaning::Role);
                (is_role && !self.locals.contains_key(first)).then_some(function)
            }
            ExprKind::Subscript { value, index, .. }
                if surface::of(&self.unit, value) == Some(Surface::On)
                    || surface::forgotten(&self.unit, value) == Some("On") =>
            {
                Some(index)
            }
            _ => None,
        }
    }

    /// `value @ A()`: a free value placed at A, or a value checked to be there.
    pub(super) fn locate(&mut self, expr: ExprId, left: ExprId, right: ExprId) -> LocatedValue {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let marker = self.marker(right).expect("the caller saw a marker");
        if let ExprKind::Subscript { value, .. } = tree[right].kind
            && surface::of(&unit, value).is_none()
            && !self.report.findings.iter().any(|finding| finding.message == "On is not imported")
        {
            self.error(ChoreoRule::UnknownMember, tree[value].range, "On is not imported")
                .advise("from pytrope.choreo import On");
        }
        let annotations = Annotations::new(self.world, &unit, self.class);
        let roles = annotations.roles(marker, self.report);
        let value = self.expr(left);
        let table = self.facts.table_mut(unit.id);
        table.actions.insert(expr, Action::Locate { value: left });
        table.strips.push(strip_range(unit.file.text(), tree[left].range, tree[right].range));
        let Some(roles) = roles else {
            return LocatedValue::unknown();
        };
        // `7 @ A() @ B()` is at both: the inner marker has placed a literal, the outer adds a role.
        let mut base = left;
        while let Some(Action::Locate { value }) = self.facts.table(unit.id).action(base) {
            base = *value;
        }
        let base_located = self.info(base).located.clone();
        match &value.located {
            Located::At(at)
                if base != left && matches!(base_located, Located::Free(_)) && !roles.is_subset(at.roles) =>
            {
                let target = Located::at(at.roles.union(roles), at.traits);
                self.assignable(base, &value.with(base_located), &target, "this place");
                value.with(target)
            }
            located => {
                let target = Located::at(roles, located.traits());
                self.assignable(left, &LocatedValue::fresh(value.located.clone()), &target, "this place");
                value.with(target)
            }
        }
    }

    fn is_plain_class(&self, expr: ExprId) -> bool {
        let local = self.unit.tree.dotted(expr).is_none_or(|parts| self.locals.contains_key(parts[0]));
        !local && matches!(self.effects.resolve(self.world, &self.unit, expr), Callee::Class(_))
    }

    /// What reading an attribute does where some class of plain code computes it.
    fn property_effects(&mut self, expr: ExprId, owner: ExprId, name: &str, value: &mut LocatedValue) {
        let effects = self.effects;
        for &key in effects.properties_named(name) {
            let Some(effect) = effects.of_function(key) else { continue };
            if effect.changes.contains(0) {
                let at = match &value.located {
                    Located::At(at) => Some(at.roles),
                    _ => None,
                };
                let holder = value.with(self.info(owner).located.clone());
                self.note_change(expr, owner, &holder, at);
            }
            if let Some(cause) = &effect.varies {
                self.doubt(value, cause.clone(), self.range(expr));
            }
        }
    }

    pub(super) fn attribute(
        &mut self,
        expr: ExprId,
        owner_expr: ExprId,
        owner: &LocatedValue,
        name: &str,
    ) -> LocatedValue {
        match &owner.located {
            Located::Object { class, roles } => {
                let (class, roles) = (*class, roles.clone());
                if let Some((field, formal)) = self.facts.field(self.world, class, name) {
                    return LocatedValue::held(field.located.substitute(&formal).substitute(&roles));
                }
                if let Some((owner_class, formal, method)) = self.world.method(class, name) {
                    if method.plain {
                        return LocatedValue::constant();
                    }
                    if method.kind == MethodKind::Property {
                        let facts = self.facts.method(owner_class, name).cloned();
                        let Some(facts) = facts else { return LocatedValue::unknown() };
                        if facts.communicates {
                            self.error(
                                ChoreoRule::MisplacedCommunication,
                                self.range(expr),
                                format!("the property {name} communicates; reading an attribute must not"),
                            )
                            .advise("make it a method");
                        }
                        if facts.may_raise {
                            self.raise_point(self.range(expr), Some(name));
                        }
                        return LocatedValue::held(facts.returns.substitute(&formal).substitute(&roles));
                    }
                    let actual: Vec<_> = formal.iter().map(|role| roles[role.index()]).collect();
                    return self.method_value(expr, owner_class, name, &actual);
                }
                if name.starts_with("__") && name.ends_with("__") {
                    return LocatedValue::constant();
                }
                if self.world.lineage(class).iter().any(|(class, _)| !self.world.class(*class).plain_bases.is_empty()) {
                    return LocatedValue::constant();
                }
                if self.report.quiet {
                    return LocatedValue::unknown();
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
                let range = self.range(expr);
                let finding =
                    self.error(ChoreoRule::UnknownMember, range, format!("{class_name} has no field or method {name}"));
                if let Some(near) = near {
                    finding.advise(format!("did you mean {near}?"));
                }
                LocatedValue::unknown()
            }
            Located::Channel(channel) if channel.shape != ChannelShape::Pair && matches!(name, "count" | "rank") => {
                // How many members there are is the same for all ends; each member has its own rank.
                let roles = if name == "count" { channel.ends() } else { RoleSet::one(channel.to) };
                LocatedValue::fresh(Located::at(roles, Traits::FROZEN))
            }
            Located::Channel(_) => {
                let message = match name {
                    "com" | "select" => format!("{name} of a channel can be called, not passed around"),
                    _ => format!("a channel has com and select, not {name}"),
                };
                self.error(ChoreoRule::BadChannel, self.range(expr), message);
                LocatedValue::unknown()
            }
            Located::Tuple(_) | Located::Function { .. } => {
                self.meet(expr, &[(owner_expr, owner.clone())], "this attribute", false)
            }
            Located::Nothing => {
                self.error(ChoreoRule::RoleMismatch, self.range(owner_expr), "this call returns nothing");
                LocatedValue::unknown()
            }
            Located::Unknown => LocatedValue::unknown(),
            Located::Free(_) if self.is_plain_class(owner_expr) => {
                let what = format!("reads {name} of a class, which can be set anywhere");
                self.cause = Some(Cause { unit: self.unit.id, range: self.range(expr), what });
                LocatedValue::fresh(Located::OPEN)
            }
            Located::Free(_) | Located::At(_) => {
                let mut located = owner.located.clone();
                let is_method = is_changing_method(name) || !self.effects.methods_named(name).is_empty();
                // A bound method may change its object wherever it is called.
                located.set_traits(if is_method { Traits::OPAQUE } else { located.traits().of_items() });
                let mut value = owner.with(located);
                self.property_effects(expr, owner_expr, name, &mut value);
                value
            }
        }
    }
}

/// Whether the method binds a name anywhere: then a place for it will be learned.
fn is_bound_somewhere(checker: &Checker<'_>, name: &str) -> bool {
    let tree = &checker.unit.tree;
    let range = tree[checker.method.stmt].range;
    let assigned = checker.unit.within(range).any(|expr| {
        matches!(tree[expr].kind, ExprKind::Name { name: found, context: Context::Store } if tree.text(found) == name)
    });
    // Names of handlers, captures of patterns and type parameters are no expressions.
    assigned || tree.strings().any(|text| text == name) && named_otherwise(tree, range, name)
}

fn named_otherwise(tree: &pytrope_source::Tree, range: TextRange, name: &str) -> bool {
    use pytrope_source::tree::StmtKind;
    tree.stmt_ids().filter(|&stmt| range.contains_range(tree[stmt].range)).any(|stmt| match tree[stmt].kind {
        StmtKind::Try { handlers, .. } => {
            tree[handlers].iter().any(|handler| handler.name.is_some_and(|found| tree.text(found.name) == name))
        }
        StmtKind::Match { .. } => true,
        StmtKind::FunctionDef(function) => {
            tree.text(function.name.name) == name
                || tree[function.type_params].iter().any(|found| tree.text(found.name.name) == name)
        }
        StmtKind::ClassDef(class) => tree.text(class.name.name) == name,
        StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => tree[names]
            .iter()
            .any(|alias| tree.text(alias.asname.unwrap_or(alias.name).name).split('.').next() == Some(name)),
        _ => false,
    })
}

/// From the end of the value (its closing parentheses kept) to the end of the marker.
fn strip_range(text: &str, left: TextRange, right: TextRange) -> TextRange {
    let between = &text[left.end as usize..right.start as usize];
    let at = between.rfind('@').unwrap_or(0);
    let kept = between[..at].trim_end().len();
    TextRange::new(left.end + kept as u32, right.end)
}
