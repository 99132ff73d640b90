//! The place of expressions: names, fields, operators, displays, and local code.

use std::rc::Rc;

use pytrope_source::tree::{BinaryOperator, Context, ExprId, ExprKind};
use pytrope_source::{Node, TextRange};
use rustc_hash::FxHashSet;

use super::{Checker, Value};
use crate::annotation::Annotations;
use crate::builtins::is_builtin;
use crate::declaration::{Binding, MethodKind, Surface};
use crate::facts::{Action, Local};
use crate::located::{Free, Located};
use crate::report::{Extend, Rule};
use crate::role::RoleSet;
use crate::surface;

impl Checker<'_> {
    /// Checks an expression and records what was learned about it.
    pub(super) fn expr(&mut self, expr: ExprId) -> Value {
        let value = self.expr_kind(expr);
        self.record(expr, &value);
        value
    }

    /// Records where an expression lives and who acts in it; its parts were recorded before.
    pub(super) fn record(&mut self, expr: ExprId, value: &Value) {
        let unit = Rc::clone(&self.unit);
        let mut acts = RoleSet::EMPTY;
        let mut communicates = false;
        let mut rewritten = false;
        for child in unit.tree.children(Node::Expr(expr)) {
            if let Node::Expr(child) = child {
                let info = self.info(child);
                acts = acts.union(info.acts);
                communicates |= info.communicates;
                rewritten |= info.rewritten;
            }
        }
        match self.facts.table(unit.id).action(expr).cloned() {
            None | Some(Action::Locate { .. }) => {}
            Some(Action::Com { sender, receiver, .. } | Action::Select { sender, receiver, .. }) => {
                acts.insert(sender);
                acts.insert(receiver);
                communicates = true;
                rewritten = true;
            }
            Some(Action::Construct { class, roles, .. }) => {
                acts = acts.union(roles.iter().copied().collect());
                let init = self.world.method(class, "__init__");
                communicates |= init
                    .and_then(|(owner, _, _)| self.facts.method(owner, "__init__"))
                    .is_some_and(|init| init.communicates);
                rewritten = true;
            }
            Some(Action::Invoke { class, method, roles, .. }) => {
                if let Some(facts) = self.facts.method(class, &method) {
                    acts = acts.union(facts.involved.substitute(&roles));
                    communicates |= facts.communicates;
                }
                rewritten = true;
            }
        }
        if matches!(unit.tree[expr].kind, ExprKind::Tuple { .. }) && matches!(value.located, Located::Tuple(_)) {
            rewritten = true;
        }
        self.involve(acts);
        self.communicates |= communicates;
        let info = self.info_mut(expr);
        info.located = value.located.clone();
        info.acts = acts;
        info.communicates = communicates;
        info.rewritten = rewritten;
    }

    fn expr_kind(&mut self, expr: ExprId) -> Value {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        match tree[expr].kind {
            ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Ellipsis => Value::constant(),
            ExprKind::Name { name, .. } => self.name(expr, tree.text(name)),
            ExprKind::Attribute { value, attribute, .. } => {
                let owner = self.expr(value);
                self.attribute(expr, value, &owner, tree.text(attribute.name))
            }
            ExprKind::Subscript { value, index, .. } => {
                let owner = self.expr(value);
                let key = self.expr(index);
                if let Located::Tuple(parts) = &owner.located {
                    let at = match tree[index].kind {
                        ExprKind::Int(at) => usize::try_from(at).ok(),
                        _ => None,
                    };
                    if let Some(part) = at.and_then(|at| parts.get(at)) {
                        return Value::held(part.clone());
                    }
                }
                self.meet(expr, &[(value, owner), (index, key)], "this subscript", false)
            }
            ExprKind::BinOp { left, op: BinaryOperator::MatMult, right } if self.marker(right).is_some() => {
                self.locate(expr, left, right)
            }
            ExprKind::BinOp { left, op, right } => {
                let operands = [(left, self.expr(left)), (right, self.expr(right))];
                self.meet(expr, &operands, &format!("the operator {}", op.symbol()), true)
            }
            ExprKind::UnaryOp { operand, .. } => {
                let value = self.expr(operand);
                self.meet(expr, &[(operand, value)], "this operator", true)
            }
            ExprKind::Compare { left, comparators, .. } => {
                let mut operands = vec![(left, self.expr(left))];
                for &comparator in &tree[comparators] {
                    operands.push((comparator, self.expr(comparator)));
                }
                let value = self.meet(expr, &operands, "this comparison", true);
                frozen(value)
            }
            ExprKind::BoolOp { values, .. } => {
                let mut operands = Vec::new();
                for (at, &operand) in tree[values].iter().enumerate() {
                    let value = if at == 0 {
                        self.expr(operand)
                    } else {
                        self.behind("a short-circuit operand, which may not be evaluated", |checker| {
                            checker.expr(operand)
                        })
                    };
                    operands.push((operand, value));
                }
                self.meet(expr, &operands, "this short-circuit operator", false)
            }
            ExprKind::IfExp { test, body, orelse } => {
                let mut operands = Vec::new();
                for part in [test, body, orelse] {
                    let value = self.behind("a conditional expression", |checker| checker.expr(part));
                    operands.push((part, value));
                }
                self.meet(expr, &operands, "this conditional expression", false)
            }
            ExprKind::FString { .. } | ExprKind::TString { .. } => {
                let mut operands = Vec::new();
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        operands.push((child, self.expr(child)));
                    }
                }
                let value = self.meet(expr, &operands, "this f-string", true);
                frozen(value)
            }
            ExprKind::Tuple { elements, context: Context::Load, .. } => {
                let mut operands = Vec::new();
                for &element in &tree[elements] {
                    operands.push((element, self.expr(element)));
                }
                self.tuple(expr, &operands)
            }
            ExprKind::List { .. }
            | ExprKind::Set { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Slice { .. }
            | ExprKind::Starred { .. }
            | ExprKind::Tuple { .. } => {
                let mut operands = Vec::new();
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        operands.push((child, self.expr(child)));
                    }
                }
                let fresh = operands.iter().all(|(_, value)| value.fresh || is_frozen(&value.located));
                let mut value = self.meet(expr, &operands, "this display", false);
                value.fresh = fresh;
                set_frozen(&mut value.located, matches!(tree[expr].kind, ExprKind::Slice { .. }));
                // The order of a set differs from process to process.
                if let (ExprKind::Set { .. }, Located::Free(free)) = (tree[expr].kind, &mut value.located) {
                    free.certain = false;
                }
                value
            }
            ExprKind::Lambda { .. } => self.local_code(expr, self.range(expr), "a lambda"),
            ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => self.local_code(expr, self.range(expr), "a comprehension"),
            ExprKind::Named { target, value } => {
                let found = self.behind("an assignment expression", |checker| checker.expr(value));
                self.bind_target(target, &found, value);
                Value::held(found.located)
            }
            ExprKind::Await { .. } => {
                self.error(
                    Rule::Unsupported,
                    self.range(expr),
                    "a choreography cannot await: the order of its messages would depend on the event loop",
                );
                Value::unknown()
            }
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {
                self.error(
                    Rule::Unsupported,
                    self.range(expr),
                    "a choreographic method cannot be a generator: who resumes it at the other roles?",
                )
                .advise("send each value with com, or yield in plain helper code");
                Value::unknown()
            }
            ExprKind::Call { function, arguments } => self.call(expr, function, arguments),
            ExprKind::IpyEscape(_) => Value::unknown(),
        }
    }

    /// Checks something that messages may not be part of.
    pub(super) fn behind<T>(&mut self, barrier: &'static str, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.barrier.replace(barrier);
        let result = check(self);
        self.barrier = outer;
        result
    }

    fn name(&mut self, expr: ExprId, name: &str) -> Value {
        if Some(name) == self.receiver.as_deref() {
            let roles = self.everyone().iter().collect();
            return Value::held(Located::Object { class: self.class_id(), roles });
        }
        if let Some(local) = self.locals.get(name) {
            return Value::held(read_shared(&local.located));
        }
        let range = self.range(expr);
        match self.unit.scope.get(name).cloned() {
            Some(Binding::Role) => {
                self.error(Rule::BadRoles, range, format!("the role {name} is not a value"))
                    .advise(format!("write `value @ {name}()` to place a value at {name}"));
                Value::unknown()
            }
            Some(Binding::Choreography(_)) => {
                self.error(
                    Rule::Unsupported,
                    range,
                    format!("{name} is a choreography; it can be instantiated, not passed around"),
                );
                Value::unknown()
            }
            Some(Binding::Other | Binding::PlainClass(_)) => Value::held(Located::OPEN),
            Some(Binding::Module(module)) if module != "math" && !module.starts_with("math.") => {
                Value::held(Located::OPEN)
            }
            Some(
                Binding::Constant | Binding::Enum | Binding::Function(_) | Binding::Module(_) | Binding::Surface(_),
            ) => Value::constant(),
            None => {
                if self.class.role(name).is_some() {
                    self.error(Rule::BadRoles, range, format!("the role {name} is not a value"))
                        .advise(format!("write `value @ On[{name}]` to place a value at {name}"));
                    return Value::unknown();
                }
                let bound = is_bound_somewhere(self, name);
                if self.report.quiet && bound {
                    return Value::unknown();
                }
                if !bound && !is_builtin(name) && !self.unit.scope.contains_key("*") {
                    let help = self
                        .facts
                        .field(self.world, self.class_id(), name)
                        .map(|_| format!("did you mean self.{name}?"));
                    let finding = self.error(Rule::UnknownMember, range, format!("no name {name} is known here"));
                    if let Some(help) = help {
                        finding.advise(help);
                    }
                    return Value::unknown();
                }
                if name.starts_with("__") || !is_builtin(name) {
                    return Value::held(Located::OPEN);
                }
                Value::constant()
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
                let name = tree.text(tree.as_name(function)?);
                let is_role = self.class.role(name).is_some() || self.unit.scope.get(name) == Some(&Binding::Role);
                (is_role && !self.locals.contains_key(name)).then_some(function)
            }
            ExprKind::Subscript { value, index, .. } if surface::of(&self.unit, value) == Some(Surface::On) => {
                Some(index)
            }
            _ => None,
        }
    }

    /// `value @ A()`: a free value placed at A, or a value checked to be there.
    fn locate(&mut self, expr: ExprId, left: ExprId, right: ExprId) -> Value {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let marker = self.marker(right).expect("the caller saw a marker");
        let annotations = Annotations { world: self.world, unit: &unit, class: self.class, anchor: None };
        let roles = annotations.roles(marker, self.report);
        let value = self.expr(left);
        let table = self.facts.table_mut(unit.id);
        table.actions.insert(expr, Action::Locate { value: left });
        table.strips.push(strip_range(unit.file.text(), tree[left].range, tree[right].range));
        let Some(roles) = roles else {
            return Value::unknown();
        };
        // `7 @ A() @ B()` is at both: the inner marker has placed a literal, the outer adds a role.
        let chained = matches!(self.facts.table(unit.id).action(left), Some(Action::Locate { .. }));
        match &value.located {
            Located::At(at) if chained && !roles.is_subset(at.roles) => {
                Value { located: Located::at(at.roles.union(roles), at.frozen), fresh: value.fresh }
            }
            Located::Free(free) => {
                let target = Located::at(roles, free.frozen);
                self.assignable(left, &value, &target, "this place");
                Value { located: target, fresh: value.fresh }
            }
            located => {
                let frozen = is_frozen(located);
                let target = Located::at(roles, frozen);
                self.assignable(left, &value, &target, "this place");
                Value { located: target, fresh: value.fresh }
            }
        }
    }

    pub(super) fn attribute(&mut self, expr: ExprId, owner_expr: ExprId, owner: &Value, name: &str) -> Value {
        match &owner.located {
            Located::Object { class, roles } => {
                let (class, roles) = (*class, roles.clone());
                if let Some((field, formal)) = self.facts.field(self.world, class, name) {
                    return Value::held(read_shared(&field.located.substitute(&formal).substitute(&roles)));
                }
                if let Some((owner_class, formal, method)) = self.world.method(class, name) {
                    if method.plain {
                        return Value::constant();
                    }
                    if method.kind == MethodKind::Property {
                        let facts = self.facts.method(owner_class, name).cloned();
                        let Some(facts) = facts else { return Value::unknown() };
                        if facts.communicates {
                            self.error(
                                Rule::MisplacedCommunication,
                                self.range(expr),
                                format!("the property {name} communicates; reading an attribute must not"),
                            )
                            .advise("make it a method");
                        }
                        if facts.may_raise {
                            self.raise_point(self.range(expr), Some(name));
                        }
                        return Value::held(facts.returns.substitute(&formal).substitute(&roles));
                    }
                    self.error(
                        Rule::Unsupported,
                        self.range(expr),
                        format!("{name} is a choreographic method; it can be called, not passed around"),
                    );
                    return Value::unknown();
                }
                if name.starts_with("__") && name.ends_with("__") {
                    return Value::constant();
                }
                if self.world.lineage(class).iter().any(|(class, _)| !self.world.class(*class).plain_bases.is_empty()) {
                    return Value::constant();
                }
                if self.report.quiet {
                    return Value::unknown();
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
                    self.error(Rule::UnknownMember, range, format!("{class_name} has no field or method {name}"));
                if let Some(near) = near {
                    finding.advise(format!("did you mean {near}?"));
                }
                Value::unknown()
            }
            Located::Channel(_) => {
                self.error(Rule::BadChannel, self.range(expr), format!("a channel has com and select, not {name}"));
                Value::unknown()
            }
            Located::Tuple(_) => self.meet(expr, &[(owner_expr, owner.clone())], "this attribute", false),
            Located::Nothing => {
                self.error(Rule::RoleMismatch, self.range(owner_expr), "this call returns nothing");
                Value::unknown()
            }
            Located::Unknown => Value::unknown(),
            Located::Free(_) | Located::At(_) => Value::held(owner.located.clone()),
        }
    }

    /// The place where values meet: the roles that have all of them.
    pub(super) fn meet(&mut self, expr: ExprId, operands: &[(ExprId, Value)], what: &str, fresh: bool) -> Value {
        let mut roles: Option<(RoleSet, ExprId)> = None;
        let mut certain = true;
        let mut frozen = true;
        let mut unknown = false;
        for (operand, value) in operands {
            let plain = match value.located.as_plain() {
                Some(plain) => plain,
                None if value.located == Located::Unknown => {
                    unknown = true;
                    continue;
                }
                None => {
                    let found = self.show(&value.located);
                    let range = self.range(*operand);
                    match &value.located {
                        Located::Tuple(_) => {
                            self.error(
                                Rule::MixedRoles,
                                range,
                                format!("{what} takes values at one role, found {found}"),
                            );
                        }
                        _ => {
                            self.error(Rule::MixedRoles, range, format!("{what} takes plain values, found {found}"));
                        }
                    }
                    unknown = true;
                    continue;
                }
            };
            match plain {
                Located::Free(free) => {
                    certain &= free.certain;
                    frozen &= free.frozen || value.fresh;
                }
                Located::At(at) => {
                    frozen &= at.frozen;
                    match roles {
                        None => roles = Some((at.roles, *operand)),
                        Some((before, first)) => {
                            let meet = before.intersection(at.roles);
                            if meet.is_empty() {
                                self.mixed(expr, first, before, *operand, at.roles, what);
                                return Value::unknown();
                            }
                            roles = Some((meet, first));
                        }
                    }
                }
                _ => unknown = true,
            }
        }
        match roles {
            _ if unknown => Value::unknown(),
            None => Value { located: Located::Free(Free { certain, frozen }), fresh },
            Some((roles, _)) => {
                if roles.len() > 1 && !certain {
                    let names = roles.show(&self.class.roles);
                    self.error(
                        Rule::UnequalCopies,
                        self.range(expr),
                        format!("{names} each compute this, and may get different values"),
                    )
                    .advise("compute it at one role and send it to the others");
                }
                Value { located: Located::at(roles, frozen), fresh }
            }
        }
    }

    fn mixed(&mut self, expr: ExprId, first: ExprId, before: RoleSet, second: ExprId, now: RoleSet, what: &str) {
        let unit = Rc::clone(&self.unit);
        let (before_names, now_names) = (before.show(&self.class.roles), now.show(&self.class.roles));
        let from = Located::at(now, true);
        let help = self.transport(&from, &Located::at(before, true));
        let range = self.range(expr);
        let finding = self
            .report
            .error(Rule::MixedRoles, &unit, range, format!("{what} mixes roles: {before_names} and {now_names}"))
            .also(unit.span(unit.tree[first].range), format!("at {before_names}"))
            .also(unit.span(unit.tree[second].range), format!("at {now_names}"));
        if let Some(help) = help {
            finding.advise(help);
        }
    }

    fn tuple(&mut self, expr: ExprId, operands: &[(ExprId, Value)]) -> Value {
        let fresh = operands.iter().all(|(_, value)| value.fresh || is_frozen(&value.located));
        if operands.iter().any(|(_, value)| value.located == Located::Unknown) {
            return Value::unknown();
        }
        let has_channel = operands.iter().find(|(_, value)| matches!(value.located, Located::Channel(_)));
        if let Some((channel, _)) = has_channel {
            self.error(Rule::Unsupported, self.range(*channel), "a channel cannot be kept in a tuple");
            return Value::unknown();
        }
        let places: FxHashSet<u64> = operands
            .iter()
            .filter(|(_, value)| !matches!(value.located, Located::Free(_)))
            .map(|(_, value)| value.located.roles().iter().fold(0, |bits, role| bits | (1 << role.0)))
            .collect();
        let simple = operands.iter().all(|(_, value)| matches!(value.located, Located::Free(_) | Located::At(_)));
        if simple && places.len() <= 1 {
            let mut value = self.meet(expr, operands, "this tuple", true);
            value.fresh = fresh;
            return value;
        }
        let parts = operands.iter().map(|(_, value)| value.located.clone()).collect();
        Value { located: Located::Tuple(parts), fresh }
    }

    /// Code that runs at one place and must not communicate: a lambda, a comprehension, a nested function.
    pub(super) fn local_code(&mut self, expr: ExprId, range: TextRange, what: &'static str) -> Value {
        let operands = self.free_operands(range, what);
        let mut value = self.meet(expr, &operands, what, true);
        self.forbid_narrow_code(&operands, &value.located);
        set_frozen(&mut value.located, false);
        value
    }

    /// Local code at some of the roles that hold a changeable value could change their copies only.
    pub(super) fn forbid_narrow_code(&mut self, operands: &[(ExprId, Value)], result: &Located) {
        let Located::At(result) = result else { return };
        for (operand, value) in operands {
            if let Located::At(at) = value.located {
                let held = Value::held(value.located.clone());
                self.narrowing(self.range(*operand), &held, at, result.roles);
            }
        }
    }

    /// The located names and fields that local code uses from outside.
    pub(super) fn free_operands(&mut self, range: TextRange, what: &'static str) -> Vec<(ExprId, Value)> {
        let unit = Rc::clone(&self.unit);
        let tree = &unit.tree;
        let mut bound: FxHashSet<&str> = FxHashSet::default();
        for inner in unit.within(range) {
            match tree[inner].kind {
                ExprKind::Name { name, context: Context::Store } => {
                    bound.insert(tree.text(name));
                }
                ExprKind::Lambda { parameters, .. } => bound.extend(parameter_names(tree, tree[parameters])),
                _ => {}
            }
        }
        for stmt in tree.stmt_ids() {
            if let pytrope_source::tree::StmtKind::FunctionDef(function) = tree[stmt].kind
                && range.contains_range(tree[stmt].range)
            {
                bound.insert(tree.text(function.name.name));
                bound.extend(parameter_names(tree, function.parameters));
            }
        }
        let mut operands = Vec::new();
        let mut skip_until = range.start;
        for inner in unit.within(range) {
            if tree[inner].range.start < skip_until {
                continue;
            }
            match tree[inner].kind {
                ExprKind::Name { name, context: Context::Load } if !bound.contains(tree.text(name)) => {
                    if Some(tree.text(name)) == self.receiver.as_deref() {
                        continue;
                    }
                    if self.marker_parent(inner) {
                        continue;
                    }
                    let value = self.name(inner, tree.text(name));
                    self.local_operand(inner, value, what, &mut operands);
                }
                ExprKind::Attribute { value, attribute, .. } => {
                    let of_self =
                        tree.as_name(value).is_some_and(|name| Some(tree.text(name)) == self.receiver.as_deref());
                    if of_self {
                        let owner = self.expr(value);
                        let found = match self.one_role_method(tree.text(attribute.name)) {
                            Some(located) => Value::held(located),
                            None => self.attribute(inner, value, &owner, tree.text(attribute.name)),
                        };
                        self.local_operand(inner, found, what, &mut operands);
                    }
                }
                ExprKind::BinOp { op: BinaryOperator::MatMult, left, right } if self.marker(right).is_some() => {
                    let found = self.expr(inner);
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
        let (class, formal, method) = self.world.method(self.class_id(), name)?;
        if method.plain || method.kind == MethodKind::Property {
            return None;
        }
        let facts = self.facts.method(class, name)?;
        let single = !facts.communicates && !facts.may_raise && facts.involved.len() == 1;
        single.then(|| Located::at(facts.involved.substitute(&formal), true))
    }

    fn marker_parent(&self, name: ExprId) -> bool {
        use pytrope_source::tree::Parent;
        match self.unit.tree[name].parent {
            Parent::Expr(parent) => self.marker(parent).is_some(),
            _ => false,
        }
    }

    fn local_operand(&mut self, expr: ExprId, value: Value, what: &str, operands: &mut Vec<(ExprId, Value)>) {
        match value.located {
            Located::Channel(_) => {
                self.error(
                    Rule::MisplacedCommunication,
                    self.range(expr),
                    format!("no message may pass inside {what}"),
                )
                .advise("communicate before it, and use the received value in it");
            }
            Located::Object { .. } => {
                self.error(
                    Rule::MisplacedCommunication,
                    self.range(expr),
                    format!("a choreographic object cannot be used inside {what}"),
                );
            }
            Located::Unknown => {}
            _ => operands.push((expr, Value { located: value.located, fresh: true })),
        }
    }

    /// Gives a variable a value.
    pub(super) fn bind(&mut self, name: &str, range: TextRange, value: &Value, expr: ExprId) {
        let located = stored(value);
        match self.locals.get(name).cloned() {
            Some(local) if local.annotated => {
                self.assignable(expr, value, &local.located, name);
            }
            Some(local) => {
                let joined = self.join(&local.located, &located);
                let first = local.range;
                self.locals.insert(name.to_owned(), Local { located: joined.clone(), annotated: false, range: first });
                if !self.report.quiet {
                    let before = self.report.findings.len();
                    self.assignable(expr, value, &joined, &format!("the variable {name}"));
                    if self.report.findings.len() > before && first != range {
                        let span = self.unit.span(first);
                        let message = format!("{name} is first bound here");
                        self.report.findings.last_mut().expect("a finding was added").also(span, message);
                    }
                }
            }
            None => {
                if !self.report.quiet {
                    self.assignable(expr, value, &located, name);
                }
                self.locals.insert(name.to_owned(), Local { located, annotated: false, range });
            }
        }
    }
}

/// What reading a shared variable gives: one that can change in place may differ by now.
fn read_shared(located: &Located) -> Located {
    match located {
        Located::Free(free) if !free.frozen => Located::OPEN,
        other => other.clone(),
    }
}

/// What a variable holds once a value is stored in it.
fn stored(value: &Value) -> Located {
    match &value.located {
        Located::Free(free) => Located::Free(Free { certain: free.certain, frozen: free.frozen }),
        other => other.clone(),
    }
}

fn frozen(mut value: Value) -> Value {
    set_frozen(&mut value.located, true);
    value
}

pub(super) fn set_frozen(located: &mut Located, frozen: bool) {
    match located {
        Located::Free(free) => free.frozen = frozen,
        Located::At(at) => at.frozen = frozen,
        _ => {}
    }
}

pub(super) fn is_frozen(located: &Located) -> bool {
    match located {
        Located::Free(free) => free.frozen,
        Located::At(at) => at.frozen,
        Located::Tuple(parts) => parts.iter().all(is_frozen),
        _ => true,
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

pub(super) fn parameter_names(tree: &pytrope_source::Tree, parameters: pytrope_source::tree::Parameters) -> Vec<&str> {
    let mut names = Vec::new();
    for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
        names.extend(tree[list].iter().map(|parameter| tree.text(parameter.name.name)));
    }
    for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
        names.push(tree.text(spread.name.name));
    }
    names
}

/// From the end of the value (its closing parentheses kept) to the end of the marker.
fn strip_range(text: &str, left: TextRange, right: TextRange) -> TextRange {
    let between = &text[left.end as usize..right.start as usize];
    let at = between.rfind('@').unwrap_or(0);
    let kept = between[..at].trim_end().len();
    TextRange::new(left.end + kept as u32, right.end)
}
