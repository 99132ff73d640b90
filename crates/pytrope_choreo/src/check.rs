//! The checker of located types: where every expression lives, and what crosses from role to role.
//!
//! Checking runs quietly until nothing new is learned about fields, results and involvement, then once
//! more aloud. Places of variables do not depend on the flow of control: a variable has one place.

mod assignment;
mod attempt;
mod call;
mod communicate;
mod expression;
mod local_code;
mod name;
mod overriding;
mod purity;
mod statement;

use std::rc::Rc;

use pytrope_source::tree::{ExprId, List, StmtId};
use pytrope_source::{Span, TextRange};
use rustc_hash::FxHashMap;

pub(crate) use attempt::passes_on;

use crate::declaration::{Class, ClassId, Method, Unit, World};
use crate::facts::{Facts, Info, Local};
use crate::located::{At, Free, Located};
use crate::report::{Extend, Report, Rule};
use crate::role::{RoleId, RoleSet};

/// Rounds of inference; each adds a fact, real programs need two or three.
const ROUNDS: usize = 40;

/// Checks every class and returns what was learned.
pub(crate) fn check(world: &World, report: &mut Report) -> Facts {
    let mut facts = Facts::new(world);
    let mut silent = Report { quiet: true, ..Report::default() };
    for _ in 0..ROUNDS {
        let before = summary(&facts);
        for class in &world.classes {
            check_class(world, class, &mut facts, &mut silent);
            overriding::widen(world, class, &mut facts);
        }
        if summary(&facts) == before {
            break;
        }
    }
    for class in &world.classes {
        check_class(world, class, &mut facts, report);
        overriding::check(world, class, &facts, report);
    }
    for unit in &world.units {
        let table = facts.table_mut(unit.id);
        table.strips.sort_unstable();
        table.strips.dedup();
    }
    facts
}

/// What inference is after; when it stays the same, inference is done.
fn summary(facts: &Facts) -> String {
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
                    (&method.returns, method.involved, method.communicates, method.may_raise, format!("{locals:?}"))
                })
                .collect::<Vec<_>>()
        })
        .collect();
    format!("{fields:?}{methods:?}")
}

fn check_class(world: &World, class: &Class, facts: &mut Facts, report: &mut Report) {
    let unit = Rc::clone(world.unit(class.unit));
    let init = class.methods.values().filter(|method| method.name == "__init__");
    let others = class.methods.values().filter(|method| method.name != "__init__");
    for method in init.chain(others) {
        if method.plain {
            continue;
        }
        let known = facts.method(class.id, &method.name).expect("every method has facts").clone();
        let mut checker = Checker {
            world,
            unit: Rc::clone(&unit),
            class,
            method,
            facts,
            report,
            receiver: crate::declare::self_name(&unit, method).map(str::to_owned),
            locals: known.locals,
            barrier: None,
            unused: None,
            involved: known.involved,
            communicates: known.communicates,
            may_raise: known.may_raise,
            returns: known.returns,
            frames: Vec::new(),
        };
        checker.method();
        let Checker { locals, involved, communicates, may_raise, returns, .. } = checker;
        let facts = &mut facts.methods[class.id.0 as usize][&method.name];
        facts.locals = locals;
        facts.involved = involved;
        facts.communicates = communicates;
        facts.may_raise = may_raise;
        facts.returns = returns;
    }
}

/// The value of an expression as seen by the checker.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub located: Located,
    /// Made here: nobody else holds it, so a single role may take it.
    pub fresh: bool,
}

impl Value {
    fn constant() -> Self {
        Self { located: Located::CONSTANT, fresh: true }
    }

    fn unknown() -> Self {
        Self { located: Located::Unknown, fresh: true }
    }

    fn fresh(located: Located) -> Self {
        Self { located, fresh: true }
    }

    fn held(located: Located) -> Self {
        Self { located, fresh: false }
    }
}

/// A suite being checked: what follows in it may be interrupted by what stands in it.
#[derive(Clone, Copy)]
struct Frame {
    body: List<StmtId>,
    at: usize,
    is_loop: bool,
}

/// Checks one method.
pub(crate) struct Checker<'a> {
    world: &'a World,
    unit: Rc<Unit>,
    class: &'a Class,
    method: &'a Method,
    facts: &'a mut Facts,
    report: &'a mut Report,
    receiver: Option<String>,
    locals: FxHashMap<String, Local>,
    /// Why no message may pass here: "a comprehension", "a lambda".
    barrier: Option<&'static str>,
    /// The call whose result nobody uses.
    unused: Option<ExprId>,
    involved: RoleSet,
    communicates: bool,
    may_raise: bool,
    returns: Located,
    frames: Vec<Frame>,
}

impl Checker<'_> {
    fn method(&mut self) {
        let unit = Rc::clone(&self.unit);
        let method = self.method;
        for parameter in &method.parameters {
            let local = Local { located: parameter.located.clone(), annotated: true, range: parameter.range };
            self.locals.insert(parameter.name.clone(), local);
            if let Some(default) = parameter.default {
                let value = self.expr(default);
                self.assignable(default, &value, &parameter.located.clone(), "the default of this parameter");
            }
        }
        if method.returns.is_none() && self.returns == Located::Unknown && !has_result(&unit, method) {
            self.returns = Located::Nothing;
        }
        self.suite(method.function.body, false);
        if self.communicates {
            self.refuse_caching();
        }
        if self.involved.is_empty() && self.class.roles.len() == 1 {
            self.involved = self.class.role_set();
        }
    }

    /// A cache answers at one role and calls at another, whose arguments differ.
    fn refuse_caching(&mut self) {
        let unit = Rc::clone(&self.unit);
        for &decorator in &unit.tree[self.method.function.decorators] {
            let called = match unit.tree[decorator].kind {
                pytrope_source::tree::ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let name = unit.tree.dotted(called).and_then(|parts| parts.last().copied()).unwrap_or_default();
            if matches!(name, "cache" | "lru_cache" | "cached_property" | "contextmanager" | "singledispatchmethod") {
                let message = format!(
                    "{name} on a method with messages: one role might be answered from a cache while another sends"
                );
                self.error(Rule::Unsupported, unit.tree[decorator].range, message);
            }
        }
    }

    fn range(&self, expr: ExprId) -> TextRange {
        self.unit.tree[expr].range
    }

    fn info(&self, expr: ExprId) -> &Info {
        self.facts.table(self.unit.id).of(expr)
    }

    fn info_mut(&mut self, expr: ExprId) -> &mut Info {
        &mut self.facts.table_mut(self.unit.id).info[expr.index()]
    }

    fn show(&self, located: &Located) -> String {
        located.show(&self.class.roles, self.world)
    }

    fn role_name(&self, role: RoleId) -> &str {
        &self.class.roles[role.index()]
    }

    fn error(&mut self, rule: Rule, range: TextRange, message: impl Into<String>) -> &mut pytrope_diagnostics::Finding {
        self.report.error(rule, &self.unit, range, message)
    }

    fn involve(&mut self, roles: RoleSet) {
        self.involved = self.involved.union(roles);
    }

    /// The roles that a free value is computed by: all of the class.
    fn everyone(&self) -> RoleSet {
        self.class.role_set()
    }

    fn class_id(&self) -> ClassId {
        self.class.id
    }

    /// Whether a value may be used where `target` is required; reports why not.
    fn assignable(&mut self, expr: ExprId, value: &Value, target: &Located, what: &str) -> bool {
        let range = self.range(expr);
        if let (Located::Tuple(targets), Some(parts)) = (target, self.display(expr))
            && value.located != Located::Unknown
            && parts.len() == targets.len()
        {
            return self.assign_display(expr, value, &parts, targets, what);
        }
        match (&value.located, target) {
            (Located::Unknown, _) | (_, Located::Unknown) => true,
            (Located::Free(free), Located::At(at)) => {
                if at.roles.len() > 1 && !free.certain {
                    let roles = at.roles.show(&self.class.roles);
                    self.error(
                        Rule::UnequalCopies,
                        range,
                        format!("{roles} would each compute this, and may get different values"),
                    )
                    .advise("compute it at one role and send it to the others");
                    return false;
                }
                true
            }
            (Located::At(from), Located::At(to)) => {
                if !to.roles.is_subset(from.roles) {
                    self.mismatch(expr, value, target, what);
                    return false;
                }
                self.narrowing(range, value, *from, to.roles)
            }
            (Located::Free(free), Located::Free(_)) => {
                if !free.certain {
                    self.error(Rule::NoRole, range, "no role is known to compute this".to_owned())
                        .advise("annotate the target with At[T, Role], or write `value @ Role()`");
                    return false;
                }
                true
            }
            (Located::At(at), Located::Free(_)) => {
                if self.everyone().is_subset(at.roles) {
                    return true;
                }
                self.mismatch(expr, value, target, what);
                false
            }
            (Located::Tuple(parts), Located::Tuple(targets)) => {
                if parts.len() != targets.len() {
                    self.mismatch(expr, value, target, what);
                    return false;
                }
                let parts: Vec<Value> =
                    parts.iter().map(|part| Value { located: part.clone(), fresh: value.fresh }).collect();
                let targets = targets.clone();
                parts.iter().zip(&targets).all(|(part, target)| self.assignable(expr, part, target, what))
            }
            (Located::Tuple(_), Located::At(_) | Located::Free(_)) => {
                let Some(plain) = value.located.as_plain() else {
                    self.mismatch(expr, value, target, what);
                    return false;
                };
                let plain = Value { located: plain, fresh: value.fresh };
                self.assignable(expr, &plain, target, what)
            }
            (Located::At(_) | Located::Free(_), Located::Tuple(targets)) => {
                let targets = targets.clone();
                let value = value.clone();
                targets.iter().all(|target| self.assignable(expr, &value, target, what))
            }
            (Located::Object { class, roles }, Located::Object { class: wanted, roles: places }) => {
                let lineage = self.world.lineage(*class);
                let fits = lineage.iter().any(|(base, formal)| {
                    let actual: Vec<RoleId> = formal.iter().map(|role| roles[role.index()]).collect();
                    base == wanted && actual == *places
                });
                if !fits {
                    self.mismatch(expr, value, target, what);
                }
                fits
            }
            (Located::Channel(given), Located::Channel(wanted)) => {
                let same = given.from == wanted.from && given.to == wanted.to;
                let swapped = given.from == wanted.to && given.to == wanted.from;
                let fits = match (given.directed, wanted.directed) {
                    (false, _) => same || swapped,
                    (true, true) => same,
                    (true, false) => false,
                };
                if !fits {
                    self.mismatch(expr, value, target, what);
                }
                fits
            }
            (Located::Free(_), Located::Object { .. }) => {
                matches!(self.unit.tree[expr].kind, pytrope_source::tree::ExprKind::None) || {
                    self.mismatch(expr, value, target, what);
                    false
                }
            }
            (Located::Nothing, Located::Nothing) => true,
            (Located::Free(_), Located::Nothing) => true,
            _ => {
                self.mismatch(expr, value, target, what);
                false
            }
        }
    }

    /// The elements of a tuple written out.
    fn display(&self, expr: ExprId) -> Option<Vec<ExprId>> {
        use pytrope_source::tree::{Context, ExprKind};
        let tree = &self.unit.tree;
        let ExprKind::Tuple { elements, context: Context::Load, .. } = tree[expr].kind else {
            return None;
        };
        let whole = tree[elements].iter().all(|&part| !matches!(tree[part].kind, ExprKind::Starred { .. }));
        whole.then(|| tree[elements].to_vec())
    }

    /// A tuple written out where a tuple of located parts is required: each part takes its own place.
    fn assign_display(
        &mut self,
        expr: ExprId,
        value: &Value,
        parts: &[ExprId],
        targets: &[Located],
        what: &str,
    ) -> bool {
        let mut fits = true;
        let mut placed = Vec::new();
        for (&part, target) in parts.iter().zip(targets) {
            let found = Value { located: self.info(part).located.clone(), fresh: value.fresh };
            fits &= self.assignable(part, &found, target, what);
            // A part that acts keeps the place where it acts.
            if matches!(target, Located::At(_)) && !self.info(part).rewritten {
                self.info_mut(part).located = target.clone();
            }
            placed.push(self.info(part).located.clone());
        }
        let info = self.info_mut(expr);
        info.located = Located::Tuple(placed);
        info.rewritten = true;
        fits
    }

    /// As [`Self::assignable`], showing also where the place is required.
    fn required(&mut self, expr: ExprId, value: &Value, target: &Located, what: &str, span: Span) -> bool {
        let before = self.report.findings.len();
        let fits = self.assignable(expr, value, target, what);
        if self.report.findings.len() > before {
            let message = format!("{} is required here", self.show(target));
            self.report.findings.last_mut().expect("a finding was added").also(span, message);
        }
        fits
    }

    /// A changeable value of several roles must not end up in the hands of some of them.
    fn narrowing(&mut self, range: TextRange, value: &Value, from: At, to: RoleSet) -> bool {
        if from.frozen || value.fresh || from.roles == to {
            return true;
        }
        let (all, some) = (from.roles.show(&self.class.roles), to.show(&self.class.roles));
        self.error(
            Rule::UnequalCopies,
            range,
            format!("the copies at {all} could come apart: this hands the one at {some} on, where it may be changed"),
        )
        .advise("use a type that cannot change (int, str, tuple[…], an enum), or copy the value");
        false
    }

    fn mismatch(&mut self, expr: ExprId, value: &Value, target: &Located, what: &str) {
        let unit = Rc::clone(&self.unit);
        let (found, required) = (self.show(&value.located), self.show(target));
        let help = self.transport(&value.located, target);
        let origin = self.origin(expr);
        let finding =
            self.error(Rule::RoleMismatch, unit.tree[expr].range, format!("{what} requires {required}, found {found}"));
        if let Some((name, range)) = origin {
            finding.also(unit.span(range), format!("{name} is {found}"));
        }
        if let Some(help) = help {
            finding.advise(help);
        }
    }

    /// Where a variable or a field got its place.
    fn origin(&self, expr: ExprId) -> Option<(String, TextRange)> {
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
    fn transport(&self, from: &Located, to: &Located) -> Option<String> {
        let (from, to) = match (from, to) {
            (Located::At(from), Located::At(to)) => (from, to),
            (Located::At(from), Located::Free(_)) => {
                return Some(format!("say where it lives: At[…, {}]", from.roles.show(&self.class.roles)));
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
    fn join(&self, before: &Located, now: &Located) -> Located {
        match (before, now) {
            (Located::Unknown, other) | (other, Located::Unknown) => other.clone(),
            (Located::Free(a), Located::Free(b)) => {
                Located::Free(Free { certain: a.certain && b.certain, frozen: a.frozen && b.frozen })
            }
            (Located::Free(free), Located::At(at)) | (Located::At(at), Located::Free(free)) => {
                Located::at(at.roles, at.frozen && free.frozen)
            }
            (Located::At(a), Located::At(b)) => {
                let meet = a.roles.intersection(b.roles);
                let roles = if meet.is_empty() { a.roles } else { meet };
                Located::at(roles, a.frozen && b.frozen)
            }
            (Located::Tuple(a), Located::Tuple(b)) if a.len() == b.len() => {
                Located::Tuple(a.iter().zip(b).map(|(a, b)| self.join(a, b)).collect())
            }
            (Located::Object { class: a, .. }, Located::Object { class: b, .. })
                if a != b && self.world.is_subclass(*a, *b) =>
            {
                now.clone()
            }
            (Located::Object { .. }, Located::Free(_)) => before.clone(),
            (Located::Free(_), Located::Object { .. }) => now.clone(),
            _ => before.clone(),
        }
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
    facts: &Facts,
    class: &Class,
    method: &Method,
    sender: RoleId,
    receiver: RoleId,
) -> Option<String> {
    let joins = |located: &Located| {
        let Located::Channel(channel) = located else {
            return false;
        };
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
            .find(|(_, field)| joins(&field.located.substitute(roles)))
            .map(|(name, _)| format!("self.{name}"))
    })
}
