//! The checker of located types: where every expression lives, and what crosses from role to role.
//!
//! Checking runs quietly until nothing new is learned about fields, results and involvement, then once
//! more aloud. Places of variables do not depend on the flow of control: a variable has one place.

mod assignment;
mod attempt;
mod call;
mod census;
mod communicate;
mod contents;
mod effect;
mod expression;
mod function_value;
mod handed;
mod local_code;
mod loop_over_channels;
mod name;
mod operator;
mod overriding;
mod plain_method;
mod protocol;
mod recovery;
mod role_function;
mod statement;

use std::cell::RefCell;
use std::rc::Rc;

use pytrope_source::tree::{ExprId, List, StmtId};
use pytrope_source::{Span, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use attempt::passes_on;

use crate::declaration::{ChoreographicClass, ClassId, Method, Unit, World};
use crate::effects::{Callee, Cause, Effects};
use crate::facts::{Info, Local, LocationFacts};
use crate::located::{ChannelShape, Free, Located, Traits};
use crate::report::{ChoreoRule, Extend, Report};
use crate::role::{RoleId, RoleSet};

/// Rounds of inference; each adds a fact, real programs need two or three.
const ROUNDS: usize = 40;

/// Checks every class and returns what was learned.
pub(crate) fn check_world(world: &World, report: &mut Report) -> LocationFacts {
    let mut facts = LocationFacts::new(world);
    let effects = Effects::of_world(world);
    let mut silent = Report { quiet: true, ..Report::default() };
    for _ in 0..ROUNDS {
        let before = inference_state(&facts);
        for class in &world.classes {
            check_class(world, &effects, class, &mut facts, &mut silent);
            overriding::widen_overridden_methods(world, class, &mut facts);
        }
        protocol::widen_protocols(world, &mut facts);
        if !facts.unrollings.is_empty() {
            return facts;
        }
        if inference_state(&facts) == before {
            break;
        }
    }
    for class in &world.classes {
        check_class(world, &effects, class, &mut facts, report);
        overriding::check_overrides(world, class, &facts, report);
    }
    for unit in &world.units {
        let table = facts.table_mut(unit.id);
        table.strips.sort_unstable();
        table.strips.dedup();
    }
    facts
}

/// What inference is after; when it stays the same, inference is done.
fn inference_state(facts: &LocationFacts) -> String {
    let fields: Vec<_> = facts
        .fields
        .iter()
        .map(|fields| fields.iter().map(|(name, field)| (name, &field.located)).collect::<Vec<_>>())
        .collect();
    let methods: Vec<_> = facts
        .methods
        .iter()
        .map(|methods| {
            methods
                .values()
                .map(|method| {
                    let mut locals: Vec<_> = method.locals.iter().map(|(name, local)| (name, &local.located)).collect();
                    locals.sort_by_key(|(name, _)| *name);
                    (
                        &method.returns,
                        method.involved,
                        method.communicates,
                        method.may_raise,
                        method.recovers,
                        format!("{locals:?}"),
                    )
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let recoveries: usize = facts.file_tables().map(|table| table.recoveries.len()).sum();
    format!("{fields:?}{methods:?}{}{recoveries}{:?}", facts.implementations.len(), facts.stored)
}

fn check_class(
    world: &World,
    effects: &Effects,
    class: &ChoreographicClass,
    facts: &mut LocationFacts,
    report: &mut Report,
) {
    let unit = Rc::clone(world.unit(class.unit));
    let init = class.methods.values().filter(|method| method.name == "__init__");
    let others = class.methods.values().filter(|method| method.name != "__init__");
    for method in init.chain(others) {
        if method.plain {
            plain_method::refuse_kept_state(world, effects, &unit, method, report);
            continue;
        }
        let known = facts.method_facts(class.id, &method.name).expect("every method has facts").clone();
        let mut checker = Checker {
            world,
            effects,
            unit: Rc::clone(&unit),
            class,
            method,
            facts,
            report,
            receiver: crate::declare::self_name(&unit, method).map(str::to_owned),
            locals: known.locals,
            barrier: None,
            cause: None,
            unused: None,
            wanted: None,
            followed: RefCell::default(),
            checked_ahead: FxHashMap::default(),
            involved: known.involved,
            communicates: known.communicates,
            // Found anew in each round: a `try` may turn out to be one from which all roles recover.
            may_raise: known.others_may_raise,
            recovers: known.recovers,
            attempts: Vec::new(),
            returns: known.returns,
            frames: Vec::new(),
        };
        checker.check_method();
        let Checker { locals, involved, communicates, may_raise, recovers, returns, .. } = checker;
        let facts = &mut facts.methods[class.id.0 as usize][&method.name];
        facts.locals = locals;
        facts.involved = involved;
        facts.communicates = communicates;
        facts.may_raise = may_raise;
        facts.recovers = recovers;
        facts.returns = returns;
    }
}

/// The value of an expression as seen by the checker.
#[derive(Clone, Debug)]
pub(crate) struct LocatedValue {
    pub located: Located,
    /// The roles that have a copy of what the value is, or is part of; none if it was made here, so that a single role may take it.
    pub holders: RoleSet,
}

impl LocatedValue {
    fn of_constant() -> Self {
        Self::newly_created(Located::CONSTANT)
    }

    /// A function or a class of plain code.
    fn of_code() -> Self {
        Self::newly_created(Located::Free(Free { certain: true, traits: Traits::CODE }))
    }

    fn of_unknown() -> Self {
        Self::newly_created(Located::Unknown)
    }

    fn newly_created(located: Located) -> Self {
        Self { located, holders: RoleSet::EMPTY }
    }

    fn of_held_object(located: Located) -> Self {
        let holders = match &located {
            Located::Free(_) => RoleSet::first_roles(RoleSet::LIMIT),
            other => other.roles(),
        };
        Self { located, holders }
    }

    /// The value with another place or other traits, and the same holders.
    fn with_location(&self, located: Located) -> Self {
        Self { located, holders: self.holders }
    }

    fn is_fresh(&self) -> bool {
        self.holders.is_empty()
    }
}

/// A suite being checked: what follows in it may be interrupted by what stands in it.
#[derive(Clone, Copy)]
struct SuiteFrame {
    body: List<StmtId>,
    at: usize,
    is_loop: bool,
}

/// Checks one method.
pub(crate) struct Checker<'a> {
    world: &'a World,
    effects: &'a Effects,
    unit: Rc<Unit>,
    class: &'a ChoreographicClass,
    method: &'a Method,
    facts: &'a mut LocationFacts,
    report: &'a mut Report,
    receiver: Option<String>,
    locals: FxHashMap<String, Local>,
    /// Why no message may pass here: "a comprehension", "a lambda".
    barrier: Option<&'static str>,
    /// The call whose result is not used.
    unused: Option<ExprId>,
    /// An argument, and the type that its parameter asks for.
    wanted: Option<(ExprId, Located)>,
    /// The functions of the method that are being followed, so that recursion ends.
    followed: RefCell<FxHashSet<String>>,
    /// Arguments that were looked at to find the roles of their callee.
    checked_ahead: FxHashMap<ExprId, LocatedValue>,
    /// Why the last value that no role is known to compute could differ from role to role.
    cause: Option<Cause>,
    involved: RoleSet,
    communicates: bool,
    may_raise: bool,
    recovers: bool,
    /// The frames that are bodies of `try` statements from which all roles recover.
    attempts: Vec<usize>,
    returns: Located,
    frames: Vec<SuiteFrame>,
}

impl Checker<'_> {
    fn check_method(&mut self) {
        let unit = Rc::clone(&self.unit);
        let method = self.method;
        for parameter in &method.parameters {
            self.refuse_restless(parameter);
            let local = Local { located: parameter.located.clone(), annotated: true, range: parameter.range };
            self.locals.insert(parameter.name.clone(), local);
            if let Some(default) = parameter.default {
                let value = self.check_expr(default);
                self.check_assignable(default, &value, &parameter.located.clone(), "the default of this parameter");
            }
        }
        if method.returns.is_none() && self.returns == Located::Unknown && !has_result(&unit, method) {
            self.returns = Located::Nothing;
        }
        self.check_suite(method.function.body, false);
        self.refuse_decorators();
        self.refuse_early_exits();
        // A method without any role is the same at every role that calls it.
        let replicated = matches!(self.returns, Located::Free(_)) && self.method.name != "__init__";
        if self.involved.is_empty() || replicated && !self.involved.is_empty() {
            self.involved = self.all_roles();
        }
    }

    /// A decorator could call the method at one role and not at another, as a cache does.
    fn refuse_decorators(&mut self) {
        let unit = Rc::clone(&self.unit);
        let alone = !self.communicates && self.involved.len() == 1;
        for &decorator in &unit.tree[self.method.function.decorators] {
            let called = match unit.tree[decorator].kind {
                pytrope_source::tree::ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let name = unit.tree.dotted(called).and_then(|parts| parts.last().copied()).unwrap_or_default();
            let caches = matches!(name, "cache" | "lru_cache" | "cached_property");
            let plain = self.effects.has_plain_decorator(self.world, &unit, decorator);
            if alone || plain && !caches || is_transparent(&unit, called) {
                continue;
            }
            let roles = self.involved.describe_roles(&self.class.roles);
            let message = format!(
                "{name} decorates a method of several roles ({roles}): it might return at one role, as a cache does, and call the method at another"
            );
            self.report_error(ChoreoRule::Unsupported, unit.tree[decorator].range, message)
                .add_help("decorate plain helper functions, and call them where their arguments are");
        }
    }

    /// A parameter without a role whose copies would change by being looked at.
    fn refuse_restless(&mut self, parameter: &crate::declaration::MethodParameter) {
        let several = match &parameter.located {
            Located::Free(_) => true,
            Located::At(at) => at.roles.len() > 1,
            _ => false,
        };
        let Some(annotation) = parameter.annotation.filter(|_| several) else { return };
        let unit = Rc::clone(&self.unit);
        for expr in unit.exprs_within(unit.tree[annotation].range) {
            let Some(named) = unit.tree.dotted(expr).and_then(|parts| parts.last().copied()) else { continue };
            let restless = match self.effects.resolve_callee(self.world, &unit, expr) {
                Callee::Class(key) => self.effects.restless_class(self.world, key).is_some(),
                Callee::Library(path) => !crate::value_types::is_known_type(&path),
                Callee::Function(_) | Callee::Enum | Callee::Builtin(_) | Callee::Unknown => {
                    matches!(named, "defaultdict" | "DefaultDict" | "Iterator" | "Generator")
                }
            };
            if restless {
                let roles = self.all_roles().describe_roles(&self.class.roles);
                let message =
                    format!("{roles} each have a copy of {}, and reading a {named} can change it", parameter.name);
                self.report_error(ChoreoRule::UnequalCopies, parameter.range, message)
                    .add_help(format!("give it a role: {}: At[{named}, …]", parameter.name));
                return;
            }
        }
    }

    fn expr_range(&self, expr: ExprId) -> TextRange {
        self.unit.tree[expr].range
    }

    fn recorded_info(&self, expr: ExprId) -> &Info {
        self.facts.file_table(self.unit.id).info_of(expr)
    }

    fn info_mut(&mut self, expr: ExprId) -> &mut Info {
        &mut self.facts.table_mut(self.unit.id).info[expr.index()]
    }

    fn describe_location(&self, located: &Located) -> String {
        located.describe_location(&self.class.roles, self.world)
    }

    fn role_name(&self, role: RoleId) -> &str {
        &self.class.roles[role.index()]
    }

    fn report_error(
        &mut self,
        rule: ChoreoRule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut pytrope_diagnostics::Finding {
        self.report.add_error(rule, &self.unit, range, message)
    }

    fn involve_roles(&mut self, roles: RoleSet) {
        self.involved = self.involved.union(roles);
    }

    /// The roles that a free value is computed by: all of the class.
    fn all_roles(&self) -> RoleSet {
        self.class.role_set()
    }

    fn class_id(&self) -> ClassId {
        self.class.id
    }

    /// Whether a value may be used where `target` is required; reports why not.
    fn check_assignable(&mut self, expr: ExprId, value: &LocatedValue, target: &Located, what: &str) -> bool {
        let range = self.expr_range(expr);
        if self.refuse_changing_code(expr, value, target) {
            return false;
        }
        if let (Located::Tuple(targets), Some(parts)) = (target, self.tuple_elements(expr))
            && value.located != Located::Unknown
            && parts.len() == targets.len()
        {
            return self.assign_display(expr, &parts, targets, what);
        }
        match (&value.located, target) {
            (Located::Unknown, _) | (_, Located::Unknown) => true,
            (Located::Free(free), Located::At(at)) => {
                if at.roles.len() > 1 && !free.certain {
                    let roles = at.roles.describe_roles(&self.class.roles);
                    self.report_error(
                        ChoreoRule::UnequalCopies,
                        range,
                        format!("{roles} would each compute this, and may get different values"),
                    )
                    .add_help("compute it at one role and send it to the others");
                    self.explain_cause(expr);
                    return false;
                }
                self.refuse_narrowing(range, value, at.roles)
            }
            (Located::At(from), Located::At(to)) => {
                if !to.roles.is_subset(from.roles) {
                    self.report_mismatch(expr, value, target, what);
                    return false;
                }
                self.refuse_narrowing(range, value, to.roles)
            }
            (Located::Free(free), Located::Free(_)) => {
                if !free.certain {
                    let message = self.no_role_message("compute");
                    self.report_error(ChoreoRule::NoRole, range, message)
                        .add_help("annotate the target with At[T, Role], or write `value @ Role()`");
                    self.explain_cause(expr);
                    return false;
                }
                true
            }
            (Located::At(at), Located::Free(_)) => {
                if self.all_roles().is_subset(at.roles) {
                    return true;
                }
                self.report_mismatch(expr, value, target, what);
                false
            }
            (Located::Tuple(parts), Located::Tuple(targets)) => {
                if parts.len() != targets.len() {
                    self.report_mismatch(expr, value, target, what);
                    return false;
                }
                let parts: Vec<LocatedValue> =
                    parts.iter().map(|part| LocatedValue::of_held_object(part.clone())).collect();
                let targets = targets.clone();
                parts.iter().zip(&targets).all(|(part, target)| self.check_assignable(expr, part, target, what))
            }
            (Located::Tuple(_), Located::At(_) | Located::Free(_)) => {
                let Some(plain) = value.located.as_plain() else {
                    self.report_mismatch(expr, value, target, what);
                    return false;
                };
                let plain = value.with_location(plain);
                self.check_assignable(expr, &plain, target, what)
            }
            (Located::At(_) | Located::Free(_), Located::Tuple(targets)) => {
                let targets = targets.clone();
                let value = value.clone();
                targets.iter().all(|target| self.check_assignable(expr, &value, target, what))
            }
            (Located::Object { class, roles }, Located::Object { class: wanted, roles: places }) => {
                let lineage = self.world.lineage(*class);
                let fits = lineage.iter().any(|(base, formal)| {
                    let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
                    base == wanted && actual == *places
                });
                if !fits && self.world.class(*wanted).protocol {
                    return self.check_implements(expr, (*class, roles), (*wanted, places));
                }
                if !fits {
                    self.report_mismatch(expr, value, target, what);
                }
                fits
            }
            (Located::Function { .. }, Located::Function { .. }) if value.located.has_places_of(target) => true,
            (Located::Object { class, roles }, Located::Function { .. }) => {
                let fits = self.called_as(*class, roles).is_some_and(|found| found.has_places_of(target));
                if !fits {
                    self.report_mismatch(expr, value, target, what);
                }
                fits
            }
            (Located::Channel(given), Located::Channel(wanted)) => {
                let same = given.from == wanted.from && given.to == wanted.to && given.shape == wanted.shape;
                let swapped = given.from == wanted.to && given.to == wanted.from && given.shape == wanted.shape;
                let fits = match (given.directed, wanted.directed) {
                    (false, _) => same || swapped,
                    (true, true) => same,
                    (true, false) => false,
                };
                if !fits {
                    self.report_mismatch(expr, value, target, what);
                }
                fits
            }
            (Located::Free(_), Located::Object { .. }) => {
                matches!(self.unit.tree[expr].kind, pytrope_source::tree::ExprKind::None) || {
                    self.report_mismatch(expr, value, target, what);
                    false
                }
            }
            (Located::Nothing, Located::Nothing) => true,
            (Located::Free(_), Located::Nothing) => true,
            _ => {
                self.report_mismatch(expr, value, target, what);
                false
            }
        }
    }

    /// The elements of a tuple written out.
    fn tuple_elements(&self, expr: ExprId) -> Option<Vec<ExprId>> {
        use pytrope_source::tree::{Context, ExprKind};
        let tree = &self.unit.tree;
        let ExprKind::Tuple { elements, context: Context::Load, .. } = tree[expr].kind else {
            return None;
        };
        let whole = tree[elements].iter().all(|&part| !matches!(tree[part].kind, ExprKind::Starred { .. }));
        whole.then(|| tree[elements].to_vec())
    }

    /// A tuple written out where a tuple of located parts is required: each part takes its own place.
    fn assign_display(&mut self, expr: ExprId, parts: &[ExprId], targets: &[Located], what: &str) -> bool {
        let mut fits = true;
        let mut placed = Vec::new();
        for (&part, target) in parts.iter().zip(targets) {
            let info = self.recorded_info(part);
            let found = LocatedValue { located: info.located.clone(), holders: info.holders };
            fits &= self.check_assignable(part, &found, target, what);
            // A part that acts keeps the place where it acts.
            if matches!(target, Located::At(_)) && !self.recorded_info(part).rewritten {
                self.info_mut(part).located = target.clone();
            }
            placed.push(self.recorded_info(part).located.clone());
        }
        let info = self.info_mut(expr);
        info.located = Located::Tuple(placed);
        info.rewritten = true;
        fits
    }

    /// As [`Self::check_assignable`], showing also where the place is required.
    fn check_required(&mut self, expr: ExprId, value: &LocatedValue, target: &Located, what: &str, span: Span) -> bool {
        let before = self.report.findings.len();
        let fits = self.check_assignable(expr, value, target, what);
        if self.report.findings.len() > before {
            let message = format!("{} is required here", self.describe_location(target));
            self.report.findings.last_mut().expect("a finding was added").annotate_span(span, message);
        }
        fits
    }

    /// Why something that each role would do on its own is refused: the roles of which any two could differ.
    fn no_role_message(&self, verb: &str) -> String {
        let roles = self.all_roles();
        if roles.len() < 2 {
            return format!("no role is known to {verb} this");
        }
        let roles = roles.describe_roles(&self.class.roles);
        format!("no role is known to {verb} this, and {roles} could come to differ if each did")
    }

    /// A value that several roles have a copy of, and that can change, must not be kept by some of them only.
    fn refuse_narrowing(&mut self, range: TextRange, value: &LocatedValue, to: RoleSet) -> bool {
        let holders = value.holders.intersection(self.all_roles());
        if value.located.traits().frozen || holders.is_subset(to) {
            return true;
        }
        let (all, some) = (holders.describe_roles(&self.class.roles), to.describe_roles(&self.class.roles));
        self.report_error(
            ChoreoRule::UnequalCopies,
            range,
            format!("the copies at {all} could come to differ: this keeps the one at {some}, where it may be changed"),
        )
        .add_help("use a type that cannot change (int, str, tuple[…], an enum), or copy the value");
        false
    }

    fn report_mismatch(&mut self, expr: ExprId, value: &LocatedValue, target: &Located, what: &str) {
        let unit = Rc::clone(&self.unit);
        let (found, required) = (self.describe_location(&value.located), self.describe_location(target));
        let help = self.suggest_transport(&value.located, target);
        let origin = self.place_origin(expr);
        let finding = self.report_error(
            ChoreoRule::RoleMismatch,
            unit.tree[expr].range,
            format!("{what} requires {required}, found {found}"),
        );
        if let Some((name, range)) = origin {
            finding.annotate_span(unit.span(range), format!("{name} is {found}"));
        }
        if let Some(help) = help {
            finding.add_help(help);
        }
    }

    /// Where a variable or a field got its place.
    fn place_origin(&self, expr: ExprId) -> Option<(String, TextRange)> {
        use pytrope_source::tree::ExprKind;
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                Some((name.to_owned(), self.locals.get(name)?.range))
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let own = tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                let name = tree.text(attribute.name);
                let field = self.facts.fields[self.class.id.0 as usize].get(name)?;
                own.then(|| (format!("self.{name}"), field.range))
            }
            _ => None,
        }
    }

    /// The communication that would bring a value where it is needed.
    fn suggest_transport(&self, from: &Located, to: &Located) -> Option<String> {
        let (from, to) = match (from, to) {
            (Located::At(from), Located::At(to)) => (from, to),
            (Located::At(from), Located::Free(_)) => {
                return Some(format!("say where it lives: At[…, {}]", from.roles.describe_roles(&self.class.roles)));
            }
            _ => return None,
        };
        let (sender, receiver) = (from.roles.iter().next()?, to.roles.without(from.roles).iter().next()?);
        let channel = self.channel_between(sender, receiver);
        let (sender, receiver) = (self.role_name(sender), self.role_name(receiver));
        Some(channel.map_or_else(
            || format!("no channel joins {sender} and {receiver}: add one, `Channel[…, {sender}, {receiver}]`"),
            |channel| format!("{channel}.com(…) sends it from {sender} to {receiver}"),
        ))
    }

    /// A channel in scope from one role to another, as one would write it.
    pub(crate) fn channel_between(&self, sender: RoleId, receiver: RoleId) -> Option<String> {
        channel_between(self.world, self.facts, self.class, self.method, sender, receiver)
    }

    /// The least upper bound of the places a variable is given.
    fn join_locations(&self, before: &Located, now: &Located) -> Located {
        match (before, now) {
            (Located::Unknown, other) | (other, Located::Unknown) => other.clone(),
            (Located::Free(a), Located::Free(b)) => {
                Located::Free(Free { certain: a.certain && b.certain, traits: a.traits.both(b.traits) })
            }
            (Located::Free(free), Located::At(at)) | (Located::At(at), Located::Free(free)) => {
                Located::at(at.roles, at.traits.both(free.traits))
            }
            (Located::At(a), Located::At(b)) => {
                let meet = a.roles.intersection(b.roles);
                let roles = if meet.is_empty() { a.roles } else { meet };
                Located::at(roles, a.traits.both(b.traits))
            }
            (Located::Tuple(a), Located::Tuple(b)) if a.len() == b.len() => {
                Located::Tuple(a.iter().zip(b).map(|(a, b)| self.join_locations(a, b)).collect())
            }
            (Located::Object { class: a, .. }, Located::Object { class: b, .. })
                if a != b && self.world.is_subclass(*a, *b) =>
            {
                now.clone()
            }
            // What looked like a value of one role may turn out to concern several.
            (_, Located::Function { .. }) => now.clone(),
            (Located::Object { .. }, Located::Free(_)) => before.clone(),
            (Located::Free(_), Located::Object { .. }) => now.clone(),
            _ => before.clone(),
        }
    }
}

/// A decorator of the module that calls what it decorates once, whatever happens, or returns it as it is.
fn is_transparent(unit: &Unit, decorator: ExprId) -> bool {
    use pytrope_source::tree::{ExprKind, StmtKind};
    use pytrope_source::{Node, tree::Parent};
    let tree = &unit.tree;
    let Some(crate::declaration::Meaning::Function(stmt)) = unit.binding(decorator) else { return false };
    let StmtKind::FunctionDef(function) = tree[*stmt].kind else { return false };
    let [parameter] = &tree[function.parameters.regular] else { return false };
    let name = tree.text(parameter.name.name);
    let is_wrapped = |expr: ExprId| tree.as_name(expr).is_some_and(|found| tree.text(found) == name);
    let mut calls = Vec::new();
    for node in tree.suite_nodes(function.body) {
        if let Node::Expr(expr) = node
            && let ExprKind::Call { function, .. } = tree[expr].kind
            && is_wrapped(function)
        {
            calls.push(expr);
        }
    }
    match calls.as_slice() {
        [] => tree[function.body]
            .iter()
            .all(|&stmt| matches!(tree[stmt].kind, StmtKind::Return { value: Some(value) } if is_wrapped(value))),
        [call] => {
            // The call is (part of) a statement of the wrapper's own body that always runs as a whole.
            let plain = match tree[*call].parent {
                Parent::Stmt(stmt) => matches!(
                    tree[stmt].kind,
                    StmtKind::Return { .. }
                        | StmtKind::Expr { .. }
                        | StmtKind::Assign { .. }
                        | StmtKind::AnnAssign { .. }
                ),
                _ => false,
            };
            let Some(wrapper) = tree.stmt_of(*call).and_then(|stmt| tree.enclosing(stmt)) else { return false };
            let direct =
                matches!(tree[wrapper].kind, StmtKind::FunctionDef(_)) && tree.enclosing(wrapper) == Some(*stmt);
            let early = tree.descendants(Node::Stmt(wrapper)).any(|node| {
                matches!(node, Node::Stmt(inner) if tree[inner].range.end <= tree[*call].range.start
                    && matches!(tree[inner].kind, StmtKind::Return { .. } | StmtKind::Raise { .. }))
            });
            plain && direct && !early
        }
        _ => false,
    }
}

fn has_result(unit: &Unit, method: &Method) -> bool {
    use pytrope_source::Node;
    use pytrope_source::tree::StmtKind;
    let mut stack: Vec<StmtId> = unit.tree[method.function.body].to_vec();
    while let Some(stmt) = stack.pop() {
        match unit.tree[stmt].kind {
            StmtKind::Return { value: Some(_) } => return true,
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => {}
            _ => stack.extend(unit.tree.children(Node::Stmt(stmt)).into_iter().filter_map(|node| match node {
                Node::Stmt(stmt) => Some(stmt),
                Node::Expr(_) => None,
            })),
        }
    }
    false
}

/// A channel that a method can reach, from one role to another: a parameter or a field.
pub(crate) fn channel_between(
    world: &World,
    facts: &LocationFacts,
    class: &ChoreographicClass,
    method: &Method,
    sender: RoleId,
    receiver: RoleId,
) -> Option<String> {
    let joins = |located: &Located| {
        let Located::Channel(channel) = located else {
            return false;
        };
        if channel.shape != ChannelShape::Pair {
            return false;
        }
        (channel.from == sender && channel.to == receiver)
            || (!channel.directed && channel.from == receiver && channel.to == sender)
    };
    let parameter = method.parameters.iter().find(|parameter| joins(&parameter.located));
    if let Some(parameter) = parameter {
        return Some(parameter.name.clone());
    }
    world.lineage(class.id).iter().find_map(|(base, roles)| {
        facts.fields[base.0 as usize]
            .iter()
            .find(|(_, field)| joins(&field.located.substitute_roles(roles)))
            .map(|(name, _)| format!("self.{name}"))
    })
}
