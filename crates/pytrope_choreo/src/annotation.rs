//! Annotations: `At[T, R]`, `Channel[T, A, B]`, `tuple[…]`, choreographic classes, and what they say of a place.

use pytrope_source::tree::{BinaryOperator, ExprId, ExprKind, StmtId, StmtKind};
use pytrope_source::{SourceFile, TextRange, parse};
use rustc_hash::FxHashMap;

use crate::attribute_stores::AttributeStores;
use crate::declaration::{self, ChoreographicClass, ClassId, Meaning, Surface, Unit, UnitId, World};
use crate::located::{Channel, ChannelShape, Located};
use crate::report::{ChoreoRule, Extend, Report};
use crate::role::{RoleId, RoleSet};
use crate::surface;
use crate::value_types::traits_of;

/// Reads annotations of one class.
pub(crate) struct Annotations<'a> {
    pub world: &'a World,
    pub unit: &'a Unit,
    pub class: &'a ChoreographicClass,
    /// Where to point when the annotation is a string with a tree of its own, or the text of an alias.
    anchor: Option<(&'a Unit, TextRange)>,
    /// The roles that the parameters of an alias stand for.
    given: Vec<(String, RoleSet)>,
    /// How many aliases have been looked through.
    depth: usize,
}

/// Aliases of aliases beyond this are taken for a circle.
const ALIASES: usize = 16;

impl<'a> Annotations<'a> {
    pub fn new(world: &'a World, unit: &'a Unit, class: &'a ChoreographicClass) -> Self {
        Self { world, unit, class, anchor: None, given: Vec::new(), depth: 0 }
    }

    fn report_error<'r>(
        &self,
        report: &'r mut Report,
        rule: ChoreoRule,
        expr: ExprId,
        message: String,
    ) -> &'r mut pytrope_diagnostics::Finding {
        match self.anchor {
            Some((unit, range)) => report.add_error(rule, unit, range, message),
            None => report.add_error(rule, self.unit, self.unit.tree[expr].range, message),
        }
    }

    /// The place an annotation gives; `None` for a plain type.
    pub fn read_location(&self, expr: ExprId, report: &mut Report) -> Option<Located> {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::None => Some(Located::Nothing),
            ExprKind::Str(text) => self.read_quoted(expr, tree.text(text), report),
            ExprKind::Name { .. } | ExprKind::Attribute { .. } => {
                if let Some(Meaning::Alias { unit, stmt }) = self.unit.binding(expr) {
                    return self.expand_alias(expr, *unit, *stmt, &[], report);
                }
                let class = self.named_choreography(expr)?;
                self.read_instance_type(class, None, expr, report)
            }
            ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } => {
                match (self.read_location(left, report), self.read_location(right, report)) {
                    (Some(Located::Nothing), other) | (other, Some(Located::Nothing)) => other,
                    (Some(left), Some(right)) if left == right => Some(left),
                    (None, None) => None,
                    _ => {
                        let message = "a union of values at different roles has no role of its own".to_owned();
                        self.report_error(report, ChoreoRule::RoleMismatch, expr, message);
                        None
                    }
                }
            }
            ExprKind::Subscript { value, index, .. } => self.read_subscript(expr, value, index, report),
            _ => None,
        }
    }

    fn read_subscript(&self, expr: ExprId, value: ExprId, index: ExprId, report: &mut Report) -> Option<Located> {
        let arguments = surface::subscript_elements(self.unit, index);
        if let Some(Meaning::Alias { unit, stmt }) = self.unit.binding(value) {
            return self.expand_alias(expr, *unit, *stmt, &arguments, report);
        }
        if let Some(name) = surface::missing_import(self.unit, value) {
            let message = format!("{name} is not imported");
            self.report_error(report, ChoreoRule::UnknownMember, value, message)
                .add_help(format!("from pytrope.choreo import {name}"));
            return Some(Located::Unknown);
        }
        match surface::surface_of_expr(self.unit, value) {
            Some(Surface::At) => {
                let &[payload, roles] = arguments.as_slice() else {
                    let message = format!("At takes a type and a role, found {} argument(s)", arguments.len());
                    self.report_error(report, ChoreoRule::BadRoles, expr, message);
                    return Some(Located::Unknown);
                };
                let roles = self.read_roles(roles, report)?;
                if self.read_location(payload, report).is_some_and(|payload| payload != Located::Nothing) {
                    let message = "a value that is placed already cannot be placed again".to_owned();
                    self.report_error(report, ChoreoRule::BadRoles, payload, message);
                }
                return Some(Located::at(roles, traits_of(self.world, self.unit, payload)));
            }
            Some(kind @ (Surface::Channel | Surface::DiChannel)) => {
                let &[_, from, to] = arguments.as_slice() else {
                    let message =
                        format!("a channel has a payload type and two roles, found {} argument(s)", arguments.len());
                    let help = "write Channel[T, A, B]; Channel[object, A, B] carries anything";
                    self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(help);
                    return Some(Located::Unknown);
                };
                let (from_role, to_role) = (self.read_role(from, report)?, self.read_role(to, report)?);
                if let Some(family) = [from, to]
                    .into_iter()
                    .find(|&end| self.read_role(end, report).is_some_and(|role| self.class.families.contains(role)))
                {
                    let name = self.unit.role_name(family).to_owned();
                    let message = format!("{name} is a family of roles, and a channel joins two processes");
                    self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(format!(
                        "write Star[T, Role, {name}], or Mesh[T, {name}] for its members among themselves"
                    ));
                    return Some(Located::Unknown);
                }
                if from_role == to_role {
                    let message = format!("role {} is at both ends of the channel", self.unit.expr_text(to));
                    self.report_error(report, ChoreoRule::BadRoles, expr, message);
                    return Some(Located::Unknown);
                }
                return Some(Located::Channel(Channel {
                    from: from_role,
                    to: to_role,
                    directed: kind == Surface::DiChannel,
                    shape: ChannelShape::Pair,
                }));
            }
            Some(kind @ (Surface::Star | Surface::Mesh)) => return self.family_channel(expr, kind, &arguments, report),
            _ => {}
        }
        if let Some(class) = self.named_choreography(value) {
            return self.read_instance_type(class, Some(&arguments), expr, report);
        }
        let name = self.unit.tree.dotted(value).and_then(|parts| parts.last().map(|&last| last.to_owned()));
        match name.as_deref() {
            Some("tuple" | "Tuple") => {
                let parts: Vec<Option<Located>> =
                    arguments.iter().map(|&part| self.read_location(part, report)).collect();
                if parts.iter().all(|part| matches!(part, None | Some(Located::Nothing))) {
                    return None;
                }
                let variadic =
                    matches!(arguments.last().map(|&last| self.unit.tree[last].kind), Some(ExprKind::Ellipsis));
                if variadic {
                    return parts.into_iter().next().flatten();
                }
                Some(Located::Tuple(parts.into_iter().map(|part| part.unwrap_or(Located::CONSTANT)).collect()))
            }
            Some("Literal") => None,
            Some("Callable") => self.read_callable(&arguments, report),
            _ => {
                // `Final[At[…]]`, `list[At[…]]`: the place of the parts, which must be one.
                let mut found: Option<Located> = None;
                for &argument in &arguments {
                    let Some(part) = self.read_location(argument, report) else {
                        continue;
                    };
                    match (&found, &part) {
                        (_, Located::Nothing) => {}
                        (None, _) => found = Some(part),
                        (Some(before), _) if before.roles() == part.roles() => {}
                        (Some(_), _) => {
                            let message = "the parts of a container must live at one role".to_owned();
                            self.report_error(report, ChoreoRule::RoleMismatch, expr, message)
                                .add_help("a tuple[…] or a role-parameterised class may have parts at several roles");
                        }
                    }
                }
                if matches!(found, Some(Located::Object { .. } | Located::Channel(_) | Located::Function { .. }))
                    && name.as_deref() != Some("Final")
                    && name.as_deref() != Some("Optional")
                {
                    let message = "choreographic objects and channels cannot be kept in containers".to_owned();
                    self.report_error(report, ChoreoRule::Unsupported, expr, message);
                }
                found
            }
        }
    }

    /// `Callable[[At[int, A]], At[int, B]]`: a choreographic method as a value; of one role, a value there.
    fn read_callable(&self, arguments: &[ExprId], report: &mut Report) -> Option<Located> {
        let &[parameters, returns] = arguments else { return None };
        let ExprKind::List { elements, .. } = self.unit.tree[parameters].kind else { return None };
        let place = |expr: ExprId, report: &mut Report| {
            self.read_location(expr, report).unwrap_or_else(|| {
                let traits = traits_of(self.world, self.unit, expr);
                Located::Free(crate::located::Free { certain: true, traits })
            })
        };
        let parameters = self.unit.tree[elements].iter().map(|&part| place(part, report)).collect();
        let function = Located::Function { parameters, returns: Box::new(place(returns, report)) };
        let roles = function.roles();
        match roles.len() {
            0 => None,
            1 => Some(Located::at(roles, crate::located::Traits::FROZEN)),
            _ => Some(function),
        }
    }

    /// `Star[T, Server, Workers]` or `Mesh[T, Workers]`.
    fn family_channel(
        &self,
        expr: ExprId,
        kind: Surface,
        arguments: &[ExprId],
        report: &mut Report,
    ) -> Option<Located> {
        let (hub, family) = match (kind, arguments) {
            (Surface::Star, &[_, hub, family]) => (hub, family),
            (Surface::Mesh, &[_, family]) => (family, family),
            _ => {
                let message = format!("{} argument(s) do not fit", arguments.len());
                let help = "write Star[T, Role, Family] or Mesh[T, Family]";
                self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(help);
                return Some(Located::Unknown);
            }
        };
        let (from, to) = (self.read_role(hub, report)?, self.read_role(family, report)?);
        let shape = if kind == Surface::Star { ChannelShape::Star } else { ChannelShape::Mesh };
        let hub_is_one = shape == ChannelShape::Mesh || !self.class.families.contains(from);
        if !self.class.families.contains(to) || !hub_is_one {
            let name = self.unit.role_name(if hub_is_one { family } else { hub }).to_owned();
            let message = if hub_is_one {
                format!("{name} is a single role, not a family")
            } else {
                format!("{name} is a family; the middle of a star is one role")
            };
            self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(format!(
                "declare families by `class {name}(Family): ...`, or as type parameters `{name}: Family`, `*{name}`"
            ));
            return Some(Located::Unknown);
        }
        Some(Located::Channel(Channel { from, to, directed: false, shape }))
    }

    /// What an alias stands for, its parameters played by the arguments.
    fn expand_alias(
        &self,
        expr: ExprId,
        unit: UnitId,
        stmt: StmtId,
        arguments: &[ExprId],
        report: &mut Report,
    ) -> Option<Located> {
        let declared = self.world.unit(unit);
        let tree = &declared.tree;
        let (value, parameters) = match tree[stmt].kind {
            StmtKind::TypeAlias { value, type_params, .. } => (value, &tree[type_params]),
            StmtKind::Assign { value, .. } | StmtKind::AnnAssign { value: Some(value), .. } => (value, &[][..]),
            _ => return None,
        };
        if parameters.len() != arguments.len() || self.depth == ALIASES {
            let message = format!(
                "{} takes {} argument(s), found {}",
                self.unit.expr_text(expr).split('[').next().unwrap_or_default(),
                parameters.len(),
                arguments.len()
            );
            self.report_error(report, ChoreoRule::BadRoles, expr, message);
            return Some(Located::Unknown);
        }
        let mut given = Vec::new();
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            if parameter.bound.is_some_and(|bound| surface::surface_of_expr(declared, bound) == Some(Surface::Role)) {
                given.push((tree.text(parameter.name.name).to_owned(), self.read_roles(argument, report)?));
            }
        }
        let anchor = self.anchor.unwrap_or((self.unit, self.unit.tree[expr].range));
        let inner = Annotations {
            world: self.world,
            unit: declared,
            class: self.class,
            anchor: Some(anchor),
            given,
            depth: self.depth + 1,
        };
        inner.read_location(value, report)
    }

    fn read_quoted(&self, expr: ExprId, text: &str, report: &mut Report) -> Option<Located> {
        let file = SourceFile::from_text(self.unit.file.path(), text);
        let parsed = parse(&file);
        let &first = parsed.tree[parsed.tree.body()].first()?;
        let StmtKind::Expr { value } = parsed.tree[first].kind else {
            return None;
        };
        let (scopes, names) = declaration::names_of(&parsed.tree, &file);
        let inner = Unit {
            id: self.unit.id,
            file,
            order: Vec::new(),
            tree: parsed.tree,
            scopes,
            names,
            meanings: self.unit.meanings.clone(),
            roles: indexmap::IndexMap::new(),
            families: rustc_hash::FxHashSet::default(),
            enums: indexmap::IndexMap::new(),
            items: Vec::new(),
            docstring: None,
            comments: Vec::new(),
            source_map: None,
            sources: FxHashMap::default(),
            local_modules: FxHashMap::default(),
            stores: AttributeStores::default(),
        };
        let anchor = self.anchor.unwrap_or((self.unit, self.unit.tree[expr].range));
        let annotations = Annotations {
            world: self.world,
            unit: &inner,
            class: self.class,
            anchor: Some(anchor),
            given: self.given.clone(),
            depth: self.depth,
        };
        annotations.read_location(value, report)
    }

    /// The choreographic class a name means.
    pub fn named_choreography(&self, expr: ExprId) -> Option<ClassId> {
        if self.unit.tree.as_name(expr).is_some_and(|name| self.unit.tree.text(name) == "Self") {
            return Some(self.class.id);
        }
        match self.unit.binding(expr)? {
            Meaning::Choreography(class) => Some(*class),
            _ => None,
        }
    }

    fn read_instance_type(
        &self,
        class: ClassId,
        arguments: Option<&[ExprId]>,
        expr: ExprId,
        report: &mut Report,
    ) -> Option<Located> {
        let roles = self.instance_roles(class, arguments, expr, report)?;
        Some(Located::Object { class, roles })
    }

    /// The roles given to a class, in the order of its formal roles; without arguments its formal names.
    pub fn instance_roles(
        &self,
        class: ClassId,
        arguments: Option<&[ExprId]>,
        expr: ExprId,
        report: &mut Report,
    ) -> Option<Vec<RoleId>> {
        let declared = self.world.class(class);
        let Some(arguments) = arguments else {
            let mut roles = Vec::new();
            for name in &declared.roles {
                let Some(role) = self.class.role_by_name(name) else {
                    let message =
                        format!("{} has the role {name}, which {} does not have", declared.name, self.class.name);
                    let help = if declared.function {
                        format!(
                            "make its roles type parameters, which its arguments say: def {}[{name}: Role, …](…)",
                            declared.name
                        )
                    } else {
                        format!("name the roles: {}[…]", declared.name)
                    };
                    self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(help);
                    return None;
                };
                roles.push(role);
            }
            return Some(roles);
        };
        let given: Vec<ExprId> = match &declared.role_positions {
            None => arguments.to_vec(),
            Some(positions) => positions.iter().filter_map(|&at| arguments.get(at).copied()).collect(),
        };
        if given.len() != declared.roles.len() || (declared.role_positions.is_none() && arguments.len() != given.len())
        {
            let message = format!(
                "{} has {} role(s) ({}), found {}",
                declared.name,
                declared.roles.len(),
                declared.roles.join(", "),
                arguments.len()
            );
            self.report_error(report, ChoreoRule::BadRoles, expr, message);
            return None;
        }
        let mut roles = Vec::new();
        for &argument in &given {
            let role = self.read_role(argument, report)?;
            if roles.contains(&role) {
                let message = format!(
                    "role {} must be played once in {}, found twice",
                    self.unit.expr_text(argument),
                    declared.name
                );
                self.report_error(report, ChoreoRule::BadRoles, argument, message);
                return None;
            }
            let (formal, family) = (RoleId(roles.len() as u8), self.class.families.contains(role));
            if declared.families.contains(formal) != family {
                let kind = if family { "a family" } else { "one role" };
                let message = format!(
                    "{} is {kind}, and the role {} of {} is not",
                    self.unit.expr_text(argument),
                    declared.roles[formal.index()],
                    declared.name
                );
                self.report_error(report, ChoreoRule::BadRoles, argument, message);
                return None;
            }
            roles.push(role);
        }
        Some(roles)
    }

    /// `A`, or `A | B`.
    pub fn read_roles(&self, expr: ExprId, report: &mut Report) -> Option<RoleSet> {
        match self.unit.tree[expr].kind {
            ExprKind::BinOp { left, op: BinaryOperator::BitOr, right } => {
                Some(self.read_roles(left, report)?.union(self.read_roles(right, report)?))
            }
            _ => match self.given.iter().find(|(name, _)| name == self.unit.expr_text(expr)) {
                Some((_, roles)) => Some(*roles),
                None => Some(RoleSet::of_role(self.read_role(expr, report)?)),
            },
        }
    }

    pub fn read_role(&self, expr: ExprId, report: &mut Report) -> Option<RoleId> {
        let name = match self.unit.tree[expr].kind {
            ExprKind::Str(value) => self.unit.tree.text(value).to_owned(),
            _ => self.unit.role_name(expr).to_owned(),
        };
        if let Some((_, roles)) = self.given.iter().find(|(given, roles)| *given == name && roles.len() == 1) {
            return roles.iter().next();
        }
        if let Some(role) = self.class.role_by_name(&name) {
            return Some(role);
        }
        let declared = self.unit.binding(expr) == Some(&Meaning::Role);
        let message = if declared {
            format!("{name} is not a role of {}", self.class.name)
        } else {
            format!("{name} is not a role")
        };
        let help = format!("the roles of {} are {}", self.class.name, self.class.roles.join(", "));
        self.report_error(report, ChoreoRule::BadRoles, expr, message).add_help(help);
        None
    }
}
