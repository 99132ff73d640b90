//! The summary of one function, from its body and the summaries of what it calls.
//!
//! The body is read without regard to the flow of control. Each local name stands for a set of parameters whose state its value
//! may share; changing a value in place changes all of them.

use pytrope_source::tree::{
    Arguments, BinaryOperator, Comprehension, Context, ExprId, ExprKind, Function, List, PatternId, PatternKind,
    StmtId, StmtKind,
};
use pytrope_source::{Node, TextRange};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Callee, Cause, Effect, Effects, FunctionKey, Parts, positions, tables};
use crate::declaration::{Binding, Unit, World};
use crate::value_types::traits_of;

pub(super) fn summarize(world: &World, effects: &Effects, key: FunctionKey) -> Effect {
    let unit = world.unit(key.0);
    let StmtKind::FunctionDef(function) = unit.tree[key.1].kind else { return Effect::default() };
    let mut body = Body {
        world,
        effects,
        unit,
        shares: FxHashMap::default(),
        unordered: FxHashSet::default(),
        defined: FxHashMap::default(),
        outer: FxHashSet::default(),
        skipped: Vec::new(),
        effect: Effect::default(),
    };
    body.enter_parameters(function);
    body.note_definitions(function);
    body.learn_sharing(function);
    body.collect_effects(key.1, function);
    body.effect
}

/// The parameters that a value shares state with.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Share {
    /// Those that the value may be, or be part of: changing it changes them.
    whole: Parts,
    /// Those that its parts may be, or be part of: a copy of a list shares the items.
    items: Parts,
}

impl Share {
    const fn both(parts: Parts) -> Self {
        Self { whole: parts, items: parts }
    }

    const fn union(self, other: Self) -> Self {
        Self { whole: self.whole.union(other.whole), items: self.items.union(other.items) }
    }

    /// What a part of the value shares.
    const fn of_part(self) -> Self {
        Self::both(self.items)
    }

    /// What a new value shares that has the value as a part.
    const fn of_container(self) -> Self {
        Self { whole: Parts::NONE, items: self.whole.union(self.items) }
    }

    /// What a copy of the value shares, one level deep.
    const fn of_copy(self) -> Self {
        Self { whole: Parts::NONE, items: self.items }
    }
}

struct Body<'a> {
    world: &'a World,
    effects: &'a Effects,
    unit: &'a Unit,
    /// What each local name may share its state with.
    shares: FxHashMap<String, Share>,
    /// Local names that may be sets.
    unordered: FxHashSet<String>,
    /// Functions defined inside, by name.
    defined: FxHashMap<String, StmtId>,
    /// Names declared `global`.
    outer: FxHashSet<String>,
    /// Annotations, handler classes and raised exceptions: what they read does not decide a result.
    skipped: Vec<TextRange>,
    effect: Effect,
}

impl Body<'_> {
    fn enter_parameters(&mut self, function: Function) {
        let unit = self.unit;
        for (position, parameter) in positions(unit, function).into_iter().enumerate() {
            let name = unit.tree.text(parameter.name.name).to_owned();
            let traits = parameter.annotation.map(|annotation| traits_of(self.world, unit, annotation));
            let frozen = traits.is_some_and(|traits| traits.frozen);
            if traits.is_some_and(|traits| !traits.ordered) {
                self.unordered.insert(name.clone());
            }
            self.shares.insert(name, Share::both(if frozen { Parts::NONE } else { Parts::one(position) }));
        }
        for spread in [function.parameters.vararg, function.parameters.kwarg].into_iter().flatten() {
            self.shares.insert(
                unit.tree.text(spread.name.name).to_owned(),
                Share { whole: Parts::NONE, items: Parts::one(62) },
            );
        }
    }

    fn note_definitions(&mut self, function: Function) {
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
                    for parameter in positions(self.unit, inner) {
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
                StmtKind::Raise { .. } => self.skipped.push(tree[stmt].range),
                StmtKind::Try { handlers, .. } => {
                    annotations.extend(tree[handlers].iter().filter_map(|handler| handler.class));
                }
                _ => {}
            }
        }
        self.skipped.extend(annotations.into_iter().map(|expr| tree[expr].range));
    }

    /// Lets names share what is assigned to them, until nothing is added.
    fn learn_sharing(&mut self, function: Function) {
        let unit = self.unit;
        let tree = &unit.tree;
        loop {
            let before = self.size();
            for node in tree.suite_nodes(function.body) {
                match node {
                    Node::Stmt(stmt) => match tree[stmt].kind {
                        StmtKind::Assign { targets, value } => {
                            for &target in &tree[targets] {
                                self.assign(target, value, false);
                            }
                        }
                        StmtKind::AnnAssign { target, value: Some(value), .. }
                        | StmtKind::AugAssign { target, value, .. } => {
                            self.assign(target, value, false);
                        }
                        StmtKind::For { target, iter, .. } => self.assign(target, iter, true),
                        StmtKind::With { items, .. } => {
                            for item in &tree[items] {
                                if let Some(target) = item.target {
                                    self.assign(target, item.context, true);
                                }
                            }
                        }
                        StmtKind::Match { subject, cases } => {
                            let share = self.share(subject);
                            for case in &tree[cases] {
                                self.capture(case.pattern, share.union(share.of_part()));
                            }
                        }
                        _ => {}
                    },
                    Node::Expr(expr) => match tree[expr].kind {
                        ExprKind::Named { target, value } => self.assign(target, value, false),
                        ExprKind::ListComp { generators, .. }
                        | ExprKind::SetComp { generators, .. }
                        | ExprKind::DictComp { generators, .. }
                        | ExprKind::Generator { generators, .. } => self.enter_generators(generators),
                        ExprKind::Call { function, arguments } => self.pass_arguments(function, arguments),
                        _ => {}
                    },
                }
            }
            if before == self.size() {
                return;
            }
        }
    }

    /// How much has been learned, which only grows.
    fn size(&self) -> (u32, usize) {
        let ones = |share: &Share| share.whole.0.count_ones() + share.items.0.count_ones();
        (self.shares.values().map(ones).sum(), self.unordered.len())
    }

    /// The names that a pattern captures share what it is matched with.
    fn capture(&mut self, pattern: PatternId, share: Share) {
        let tree = &self.unit.tree;
        let mut stack = vec![pattern];
        let mut names = Vec::new();
        while let Some(pattern) = stack.pop() {
            match tree[pattern].kind {
                PatternKind::Value(_) | PatternKind::Singleton(_) => {}
                PatternKind::Sequence(parts) | PatternKind::Or(parts) => stack.extend(&tree[parts]),
                PatternKind::Mapping { patterns, rest, .. } => {
                    stack.extend(&tree[patterns]);
                    names.extend(rest);
                }
                PatternKind::Class { positional, keywords, .. } => {
                    stack.extend(&tree[positional]);
                    stack.extend(tree[keywords].iter().map(|keyword| keyword.pattern));
                }
                PatternKind::Star(name) => names.extend(name),
                PatternKind::As { pattern, name } => {
                    stack.extend(pattern);
                    names.extend(name);
                }
            }
        }
        for name in names {
            let known = self.shares.entry(tree.text(name.name).to_owned()).or_default();
            *known = known.union(share);
        }
    }

    fn enter_generators(&mut self, generators: List<Comprehension>) {
        for generator in &self.unit.tree[generators] {
            self.assign(generator.target, generator.iter, true);
        }
    }

    /// Parameters of functions defined inside share what these are called with; `xs.append(y)` makes `xs` share `y`.
    fn pass_arguments(&mut self, function: ExprId, arguments: Arguments) {
        let tree = &self.unit.tree;
        let given = self.arguments_share(arguments);
        match tree[function].kind {
            ExprKind::Name { name, .. } => {
                if let Some(&stmt) = self.defined.get(tree.text(name))
                    && let StmtKind::FunctionDef(inner) = tree[stmt].kind
                {
                    for parameter in positions(self.unit, inner) {
                        let name = tree.text(parameter.name.name).to_owned();
                        let known = self.shares.entry(name).or_default();
                        *known = known.union(given);
                    }
                }
            }
            ExprKind::Attribute { value, attribute, .. } if !tables::is_reading_method(tree.text(attribute.name)) => {
                if let Some(name) = root_name(tree, value)
                    && let Some(known) = self.shares.get_mut(name)
                {
                    // The receiver has them as parts from now on.
                    known.items = known.items.union(given.whole).union(given.items);
                }
            }
            _ => {}
        }
    }

    fn arguments_share(&self, arguments: Arguments) -> Share {
        let tree = &self.unit.tree;
        let positional = tree[arguments.positional].iter().copied();
        let named = tree[arguments.keywords].iter().map(|keyword| keyword.value);
        positional.chain(named).fold(Share::default(), |found, argument| found.union(self.share(argument)))
    }

    fn assign(&mut self, target: ExprId, value: ExprId, items: bool) {
        let tree = &self.unit.tree;
        let unpacked = matches!(tree[target].kind, ExprKind::Tuple { .. } | ExprKind::List { .. });
        let whole = self.share(value);
        let given = if items || unpacked { whole.of_part() } else { whole };
        let unordered = !items && !unpacked && self.is_unordered(value);
        for node in tree.descendants(Node::Expr(target)) {
            let Node::Expr(expr) = node else { continue };
            if let ExprKind::Name { name, context } = tree[expr].kind {
                let name = tree.text(name).to_owned();
                let direct = context == Context::Store;
                if direct && unordered {
                    self.unordered.insert(name.clone());
                }
                if direct {
                    let known = self.shares.entry(name).or_default();
                    *known = known.union(given);
                } else if let Some(known) = self.shares.get_mut(&name) {
                    // Storing into `x.a` or `x[0]` makes the value a part of `x`.
                    *known = known.union(given.of_container());
                }
            }
        }
    }

    /// What a value may share its state with.
    fn share(&self, expr: ExprId) -> Share {
        let tree = &self.unit.tree;
        let over_children = |of: &dyn Fn(Share) -> Share| {
            tree.children(Node::Expr(expr)).into_iter().fold(Share::default(), |found, child| match child {
                Node::Expr(child) => found.union(of(self.share(child))),
                Node::Stmt(_) => found,
            })
        };
        match tree[expr].kind {
            ExprKind::Name { name, .. } => {
                let name = tree.text(name);
                if self.outer.contains(name) {
                    return Share::both(Parts::OUTSIDE);
                }
                match self.shares.get(name) {
                    Some(share) => *share,
                    None => match self.unit.scope.get(name) {
                        Some(Binding::Other) => Share::both(Parts::OUTSIDE),
                        _ => Share::default(),
                    },
                }
            }
            ExprKind::Subscript { value, index, .. } if matches!(tree[index].kind, ExprKind::Slice { .. }) => {
                self.share(value).of_copy()
            }
            ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => self.share(value).of_part(),
            ExprKind::Compare { .. } | ExprKind::FString { .. } => Share::default(),
            ExprKind::Call { function, arguments } => self.call_shares(function, arguments),
            ExprKind::BinOp { .. } => over_children(&Share::of_copy),
            ExprKind::Tuple { .. }
            | ExprKind::List { .. }
            | ExprKind::Set { .. }
            | ExprKind::Dict { .. }
            | ExprKind::ListComp { .. }
            | ExprKind::SetComp { .. }
            | ExprKind::DictComp { .. }
            | ExprKind::Generator { .. } => over_children(&Share::of_container),
            ExprKind::Starred { value, .. } => self.share(value).of_part(),
            _ => over_children(&|share| share),
        }
    }

    fn call_shares(&self, function: ExprId, arguments: Arguments) -> Share {
        let tree = &self.unit.tree;
        let given = self.arguments_share(arguments);
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && self.is_local(value)
        {
            let name = tree.text(attribute.name);
            let receiver = self.share(value);
            if !self.effects.methods_named(name).is_empty() {
                return receiver.union(given);
            }
            return match name {
                "copy" | "items" | "keys" | "values" | "union" | "intersection" | "difference" | "most_common" => {
                    receiver.of_copy().union(given.of_copy())
                }
                "get" | "pop" | "setdefault" | "popitem" | "popleft" => receiver.of_part().union(given),
                _ if tables::is_reading_method(name) => Share::default(),
                _ => receiver.union(given),
            };
        }
        if self.is_local(function) {
            return self.share(function).union(given).union(self.captured());
        }
        match self.effects.resolve(self.world, self.unit, function) {
            Callee::Builtin(name) if tables::gives_frozen(&name) => Share::default(),
            Callee::Builtin(name) if matches!(name.as_str(), "max" | "min" | "sum") => given.union(given.of_part()),
            Callee::Builtin(name) if tables::gives_items(&name) => given.of_copy(),
            Callee::Enum => Share::default(),
            Callee::Function(key) => match self.effects.of_function(key) {
                Some(effect) => Share {
                    whole: self.passed(key, effect.returns, None, arguments).whole,
                    items: self.passed(key, effect.returns_items, None, arguments).items,
                },
                None => given.union(Share::both(Parts::OUTSIDE)),
            },
            Callee::Class(_) => given.of_container(),
            Callee::Library(path) if path == "copy.deepcopy" => Share::default(),
            Callee::Library(path) if path == "copy.copy" => given.of_copy(),
            Callee::Builtin(_) | Callee::Library(_) => given,
            Callee::Unknown => given.union(Share::both(Parts::OUTSIDE)),
        }
    }

    /// Everything a function defined inside may reach.
    fn captured(&self) -> Share {
        self.shares.values().fold(Share::default(), |found, share| found.union(*share))
    }

    /// What the parts of a callee are here.
    fn passed(&self, callee: FunctionKey, parts: Parts, receiver: Option<ExprId>, arguments: Arguments) -> Share {
        let mut found = if parts.is_outside() { Share::both(Parts::OUTSIDE) } else { Share::default() };
        let unit = self.world.unit(callee.0);
        let StmtKind::FunctionDef(function) = unit.tree[callee.1].kind else { return found };
        for (position, value) in given_positions(self.unit, unit, function, receiver, arguments) {
            if parts.contains(position) {
                found = found.union(self.share(value));
            }
        }
        found
    }

    /// Whether an expression begins with a name of this function.
    fn is_local(&self, expr: ExprId) -> bool {
        match root_name(&self.unit.tree, expr) {
            Some(name) => self.shares.contains_key(name) && !self.outer.contains(name),
            None => true,
        }
    }

    fn is_unordered(&self, expr: ExprId) -> bool {
        let tree = &self.unit.tree;
        match tree[expr].kind {
            ExprKind::Set { .. } | ExprKind::SetComp { .. } => true,
            ExprKind::Name { name, .. } => self.unordered.contains(tree.text(name)),
            ExprKind::BinOp { left, op, right } => {
                matches!(
                    op,
                    BinaryOperator::BitOr | BinaryOperator::BitAnd | BinaryOperator::BitXor | BinaryOperator::Sub
                ) && (self.is_unordered(left) || self.is_unordered(right))
            }
            ExprKind::IfExp { body, orelse, .. } => self.is_unordered(body) || self.is_unordered(orelse),
            ExprKind::BoolOp { values, .. } => tree[values].iter().any(|&value| self.is_unordered(value)),
            ExprKind::Named { value, .. } => self.is_unordered(value),
            ExprKind::Call { function, .. } => {
                if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
                    && self.is_local(value)
                {
                    return tables::is_item_method(tree.text(attribute.name)) && self.is_unordered(value);
                }
                if self.is_local(function) {
                    return false;
                }
                match self.effects.resolve(self.world, self.unit, function) {
                    Callee::Builtin(name) => matches!(name.as_str(), "set" | "frozenset"),
                    Callee::Function(key) => self.effects.of_function(key).is_some_and(|effect| effect.unordered),
                    Callee::Class(_) | Callee::Enum | Callee::Library(_) | Callee::Unknown => false,
                }
            }
            _ => false,
        }
    }

    fn vary(&mut self, range: TextRange, what: impl Into<String>) {
        if self.effect.varies.is_none() {
            self.effect.varies = Some(Cause { unit: self.unit.id, range, what: what.into() });
        }
    }

    fn change(&mut self, share: Share) {
        self.effect.changes = self.effect.changes.union(share.whole);
    }

    fn collect_effects(&mut self, stmt: StmtId, function: Function) {
        let unit = self.unit;
        let tree = &unit.tree;
        if function.is_async {
            self.vary(function.name.range, "is async");
        }
        for &decorator in &tree[function.decorators] {
            let called = match tree[decorator].kind {
                ExprKind::Call { function, .. } => function,
                _ => decorator,
            };
            let name = tree.dotted(called).and_then(|parts| parts.last().copied()).unwrap_or_default();
            let setter = matches!(name, "setter" | "getter" | "deleter");
            if !tables::is_plain_decorator(name) && !setter {
                self.vary(tree[decorator].range, format!("has the decorator {name}"));
            }
        }
        for node in tree.suite_nodes(function.body) {
            match node {
                Node::Stmt(inner) => self.stmt_effects(inner),
                Node::Expr(expr) => {
                    if !self.skipped.iter().any(|range| range.contains_range(tree[expr].range)) {
                        self.expr_effects(expr);
                    }
                }
            }
        }
        // A default is made once: changing it is state from call to call.
        for (position, parameter) in positions(unit, function).into_iter().enumerate() {
            let Some(default) = parameter.default else { continue };
            // Evaluated where the function is defined, in every process.
            let called = unit.within(tree[default].range).find(|&expr| match tree[expr].kind {
                ExprKind::Call { function, .. } => !matches!(
                    self.effects.resolve(self.world, unit, function),
                    Callee::Builtin(name) if tables::is_pure_builtin(&name)
                ),
                _ => false,
            });
            if let Some(called) = called {
                self.vary(tree[called].range, "is evaluated once in every process, as a default");
            }
            if self.effect.changes.contains(position) && !crate::scan::is_immutable(unit, default) {
                let name = tree.text(parameter.name.name);
                self.vary(tree[default].range, format!("changes the default of {name} from call to call"));
            }
        }
        if self.effect.changes.is_outside() {
            let name = tree.text(function.name.name).to_owned();
            self.vary(tree[stmt].range, format!("changes state outside of {name}"));
        }
    }

    fn stmt_effects(&mut self, stmt: StmtId) {
        let unit = self.unit;
        let tree = &unit.tree;
        match tree[stmt].kind {
            StmtKind::Return { value: Some(value) } => {
                let share = self.share(value);
                self.effect.returns = self.effect.returns.union(share.whole);
                self.effect.returns_items = self.effect.returns_items.union(share.items);
                self.effect.unordered |= self.is_unordered(value);
            }
            StmtKind::AugAssign { target, .. } => {
                // `xs += [1]` changes a list in place.
                let parts = self.share(target);
                self.change(parts);
            }
            StmtKind::For { iter, is_async, .. } => {
                self.iterate(iter);
                if is_async {
                    self.vary(tree[stmt].range, "is async");
                }
            }
            StmtKind::With { items, .. } => {
                for item in &tree[items] {
                    let parts = self.share(item.context);
                    self.change(parts);
                }
            }
            StmtKind::Global { .. } => self.vary(tree[stmt].range, "rebinds a variable of the module"),
            StmtKind::Import { names } | StmtKind::ImportFrom { names, .. } => {
                for alias in &tree[names] {
                    let module = tree.text(alias.name.name);
                    if !tables::is_pure_module(module.split('.').next().unwrap_or_default()) {
                        self.vary(tree[stmt].range, format!("imports {module}"));
                    }
                }
            }
            StmtKind::ClassDef(_) => self.vary(tree[stmt].range, "defines a class"),
            _ => {}
        }
    }

    fn iterate(&mut self, iter: ExprId) {
        if self.is_unordered(iter) {
            self.vary(self.unit.tree[iter].range, "goes through a set, whose order differs between processes");
        }
    }

    fn expr_effects(&mut self, expr: ExprId) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        match tree[expr].kind {
            ExprKind::Name { name, context: Context::Load } => {
                let name = tree.text(name);
                if self.shares.contains_key(name) && !self.outer.contains(name) {
                    return;
                }
                if let Some(what) = self.outside_name(name) {
                    self.vary(range, what);
                }
                // A function that is passed on may be called.
                let called = matches!(tree[expr].parent, pytrope_source::tree::Parent::Expr(parent)
                    if matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr));
                if let (false, Callee::Function(key)) = (called, self.effects.resolve(self.world, unit, expr))
                    && let Some(effect) = self.effects.of_function(key)
                    && self.effect.varies.is_none()
                {
                    self.effect.varies.clone_from(&effect.varies);
                }
            }
            ExprKind::Attribute { value, attribute, context } => {
                if context != Context::Load {
                    let parts = if self.is_local(value) { self.share(value) } else { Share::both(Parts::OUTSIDE) };
                    self.change(parts);
                    return;
                }
                self.attribute_effects(expr, value, tree.text(attribute.name));
            }
            ExprKind::Subscript { value, context: Context::Store | Context::Del, .. } => {
                let parts = if self.is_local(value) { self.share(value) } else { Share::both(Parts::OUTSIDE) };
                self.change(parts);
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => {
                for generator in &tree[generators] {
                    self.iterate(generator.iter);
                }
            }
            ExprKind::Starred { value, .. } => self.iterate(value),
            ExprKind::FString { .. } => {
                for child in tree.children(Node::Expr(expr)) {
                    if let Node::Expr(child) = child {
                        self.iterate(child);
                    }
                }
            }
            ExprKind::Await { .. } | ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {
                self.vary(range, "is a generator or a coroutine");
            }
            ExprKind::Call { function, arguments } => self.call_effects(expr, function, arguments),
            _ => {}
        }
    }

    /// Why reading a name of the module may give each role something else.
    fn outside_name(&self, name: &str) -> Option<String> {
        match self.unit.scope.get(name) {
            Some(Binding::Other) => match self.effects.resolve_path(self.world, self.unit, &[name]) {
                Callee::Function(_) | Callee::Class(_) | Callee::Enum => None,
                Callee::Library(path) if tables::is_pure_path(&path) || tables::is_changing_path(&path) => None,
                // A type to test against, or a class of a library: calls of it are looked at where they are.
                Callee::Library(path)
                    if path.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase)) =>
                {
                    None
                }
                Callee::Library(path) => Some(format!("uses {path}")),
                Callee::Builtin(_) | Callee::Unknown => {
                    Some(format!("reads the variable {name} of the module, which can change"))
                }
            },
            Some(Binding::Surface(_) | Binding::Role | Binding::Choreography(_)) => Some(format!("uses {name}")),
            Some(
                Binding::Constant
                | Binding::Enum
                | Binding::Alias { .. }
                | Binding::Function(_)
                | Binding::PlainClass(_)
                | Binding::Module(_),
            )
            | None => None,
        }
    }

    fn attribute_effects(&mut self, expr: ExprId, value: ExprId, name: &str) {
        let unit = self.unit;
        let tree = &unit.tree;
        if self.is_local(value) {
            for &key in self.effects.properties_named(name) {
                self.apply(key, Some(value), None, tree[expr].range);
            }
            return;
        }
        // The callee of a call is looked at with the call, the inner part of a path with the whole.
        if let pytrope_source::tree::Parent::Expr(parent) = tree[expr].parent {
            let called = matches!(tree[parent].kind, ExprKind::Call { function, .. } if function == expr);
            if called || matches!(tree[parent].kind, ExprKind::Attribute { .. }) {
                return;
            }
        }
        let Some(parts) = tree.dotted(expr) else { return };
        match self.effects.resolve(self.world, unit, expr) {
            Callee::Library(path) if tables::is_pure_path(&path) => {}
            Callee::Library(path) => self.vary(tree[expr].range, format!("reads {path}")),
            Callee::Unknown if unit.scope.get(parts[0]) == Some(&Binding::Enum) => {}
            Callee::Unknown => self.vary(tree[expr].range, format!("reads {}", parts.join("."))),
            Callee::Function(_) | Callee::Class(_) | Callee::Enum | Callee::Builtin(_) => {}
        }
    }

    /// Takes over the effect of a function of plain code that is called here.
    fn apply(&mut self, key: FunctionKey, receiver: Option<ExprId>, arguments: Option<Arguments>, range: TextRange) {
        let effects = self.effects;
        let Some(effect) = effects.of_function(key) else {
            self.vary(range, "calls something that is not known");
            return;
        };
        if let (Some(cause), None) = (&effect.varies, &self.effect.varies) {
            self.effect.varies = Some(cause.clone());
        }
        let changed = match arguments {
            Some(arguments) => self.passed(key, effect.changes, receiver, arguments),
            None => match receiver {
                Some(receiver) if effect.changes.contains(0) => self.share(receiver),
                _ => Share::default(),
            },
        };
        self.change(changed);
        if let Some(arguments) = arguments {
            self.pass_unordered(key, receiver, arguments);
        }
    }

    /// A set given to a parameter that is not declared as one may be gone through there.
    fn pass_unordered(&mut self, key: FunctionKey, receiver: Option<ExprId>, arguments: Arguments) {
        let callee = self.world.unit(key.0);
        let StmtKind::FunctionDef(function) = callee.tree[key.1].kind else { return };
        let declared = positions(callee, function);
        for (position, value) in given_positions(self.unit, callee, function, receiver, arguments) {
            let known = declared
                .get(position)
                .and_then(|parameter| parameter.annotation)
                .is_some_and(|annotation| !traits_of(self.world, callee, annotation).ordered);
            if !known {
                self.iterate(value);
            }
        }
    }

    fn call_effects(&mut self, expr: ExprId, function: ExprId, arguments: Arguments) {
        let unit = self.unit;
        let tree = &unit.tree;
        let range = tree[expr].range;
        if let ExprKind::Attribute { value, attribute, .. } = tree[function].kind
            && self.is_local(value)
        {
            self.method_effects(value, tree.text(attribute.name), arguments, range);
            return;
        }
        if let ExprKind::Name { name, .. } = tree[function].kind
            && self.shares.contains_key(tree.text(name))
        {
            // The body of a function defined inside has been looked at with this one.
            if !self.defined.contains_key(tree.text(name)) {
                let parts = self.arguments_share(arguments).union(self.share(function));
                self.change(parts);
                self.vary(range, format!("calls {}, which is not known", tree.text(name)));
            }
            return;
        }
        match self.effects.resolve(self.world, unit, function) {
            Callee::Function(key) => self.apply(key, None, Some(arguments), range),
            Callee::Class(key) if self.effects.restless_class(self.world, key).is_some() => {
                self.vary(range, "makes an object that changes when it is looked at");
            }
            Callee::Class(key) => match super::constructor(self.world, key) {
                // The callee stands for the new instance, which is not anything's part yet.
                Some(init) => self.apply(init, Some(function), Some(arguments), range),
                None => self.iterate_arguments(arguments),
            },
            Callee::Enum => {}
            Callee::Builtin(name)
                if tables::is_pure_builtin(&name) || name.ends_with("Error") || name == "Exception" =>
            {
                if !tables::ignores_order(&name) || !arguments.keywords.is_empty() && name != "sorted" {
                    self.iterate_arguments(arguments);
                }
            }
            Callee::Library(path) if tables::is_changing_path(&path) => {
                if let Some(&first) = tree[arguments.positional].first() {
                    let parts = self.share(first);
                    self.change(parts);
                }
            }
            Callee::Library(path) if tables::is_pure_path(&path) => self.iterate_arguments(arguments),
            Callee::Builtin(name) if !tables::changes_arguments(&name) => self.vary(range, format!("calls {name}")),
            Callee::Builtin(name) | Callee::Library(name) => self.unknown_call(arguments, range, &name),
            Callee::Unknown => {
                let name = unit.expr_text(function).to_owned();
                self.unknown_call(arguments, range, &name);
            }
        }
    }

    fn iterate_arguments(&mut self, arguments: Arguments) {
        for &argument in &self.unit.tree[arguments.positional] {
            self.iterate(argument);
        }
    }

    fn unknown_call(&mut self, arguments: Arguments, range: TextRange, name: &str) {
        let parts = self.arguments_share(arguments);
        self.change(parts.union(parts.of_part()));
        self.vary(range, format!("calls {name}"));
    }

    fn method_effects(&mut self, value: ExprId, name: &str, arguments: Arguments, range: TextRange) {
        let effects = self.effects;
        let methods = effects.methods_named(name);
        for &key in methods {
            self.apply(key, Some(value), Some(arguments), range);
        }
        if tables::is_changing_method(name) {
            let parts = self.share(value);
            self.change(parts);
            if name == "pop" {
                self.iterate(value);
            }
        } else if !tables::is_reading_method(name) && methods.is_empty() {
            let parts = self.share(value);
            self.change(parts);
            self.unknown_call(arguments, range, name);
        }
        // Sets take sets; other receivers go through what they are given.
        if !self.is_unordered(value) {
            self.iterate_arguments(arguments);
        }
    }
}

/// The values given to a function's parameters, by position.
pub(crate) fn given_positions(
    unit: &Unit,
    callee: &Unit,
    function: Function,
    receiver: Option<ExprId>,
    arguments: Arguments,
) -> Vec<(usize, ExprId)> {
    let tree = &unit.tree;
    let declared = positions(callee, function);
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

/// The name at the bottom of `name.a[0].b()`.
fn root_name(tree: &pytrope_source::Tree, expr: ExprId) -> Option<&str> {
    match tree[expr].kind {
        ExprKind::Name { name, .. } => Some(tree.text(name)),
        ExprKind::Attribute { value, .. } | ExprKind::Subscript { value, .. } => root_name(tree, value),
        ExprKind::Call { function, .. } => root_name(tree, function),
        _ => None,
    }
}
