//! One walk over a tree that finds its scopes and what each binds.

use crate::scopes::{AttributeStore, ScopeId, ScopeInfo, ScopeKind, Scopes, is_private};
use crate::text::TextRange;
use crate::tree::{
    Arguments, Comprehension, Context, ExprId, ExprKind, List, Parameters, StmtId, StmtKind, Str, Tree, TypeParam,
};
use crate::walk::Node;

/// Finds all scopes of a tree; its text ends at `end`.
pub(super) fn collect(tree: &Tree, end: u32) -> Scopes {
    let mut scopes = Scopes::default();
    let private = tree.strings().enumerate().filter(|(_, text)| is_private(text));
    scopes.private = private.map(|(id, _)| Str(id as u32)).collect();
    let mut walker =
        Walker { tree, scopes, current: ScopeId::MODULE, loops: 0, changes: Vec::new(), calls: Vec::new() };
    walker.open_scope(ScopeKind::Module, TextRange::new(0, end));
    walker.block(tree.body());
    let Walker { mut scopes, changes, calls, .. } = walker;
    for scope in &mut scopes.all {
        scope.locals.sort_unstable();
        scope.repeated = scope.locals.chunk_by(|a, b| a == b).filter(|run| run.len() > 1).map(|run| run[0]).collect();
        scope.locals.dedup();
        scope.mentions.sort_unstable();
        scope.mentions.dedup();
        scope.calls.sort_unstable();
        scope.calls.dedup();
        let (globals, nonlocals) = (&scope.globals, &scope.nonlocals);
        scope.locals.retain(|name| !globals.contains(name) && !nonlocals.contains(name));
    }
    if scopes.rebinds_names {
        let names = scopes.all[0].locals.clone();
        scopes.rebound_globals.extend(names);
    }
    // What a method or a coroutine calls runs when it runs.
    for (id, callee) in calls {
        let mut at = id;
        while at != ScopeId::MODULE {
            if runs_unseen(&scopes, at) {
                scopes.handed_on.insert(callee);
                break;
            }
            at = scopes[at].parent;
        }
    }
    let is_unseen = |scopes: &Scopes, id: ScopeId| runs_unseen(scopes, id) || is_handed_on(scopes, id);
    let rebound =
        (0u32..).zip(&scopes.all).flat_map(|(id, scope)| scope.nonlocals.iter().map(move |name| (ScopeId(id), *name)));
    let volatile = rebound
        .filter(|(id, name)| owner_if_unseen(&scopes, *id, *name, is_unseen).is_some())
        .map(|(_, name)| name)
        .collect();
    let shared = changes
        .into_iter()
        .filter_map(|(id, name)| Some((owner_if_unseen(&scopes, id, name, is_unseen)?, name)))
        .collect();
    scopes.volatile = volatile;
    scopes.shared = shared;
    scopes
}

/// Methods that change what they are called on.
const CHANGING: [&str; 18] = [
    "add",
    "append",
    "appendleft",
    "clear",
    "discard",
    "extend",
    "extendleft",
    "insert",
    "pop",
    "popitem",
    "popleft",
    "put",
    "remove",
    "reverse",
    "setdefault",
    "sort",
    "update",
    "write",
];

/// Whether a function runs at other times than its calls show: methods of classes, coroutines, generators.
fn runs_unseen(scopes: &Scopes, id: ScopeId) -> bool {
    let scope = &scopes[id];
    scope.kind == ScopeKind::Class || scope.kind == ScopeKind::Function && (scope.is_async || scope.is_generator)
}

/// Whether a function is given to others, who may call it whenever they like.
fn is_handed_on(scopes: &Scopes, id: ScopeId) -> bool {
    let scope = &scopes[id];
    scope.kind == ScopeKind::Lambda
        || scope.kind == ScopeKind::Function && scope.name.is_some_and(|name| scopes.handed_on.contains(name))
}

/// The function whose local a name is that an inner function uses, if some function in between runs unseen.
fn owner_if_unseen(
    scopes: &Scopes,
    inner: ScopeId,
    name: Str,
    unseen: impl Fn(&Scopes, ScopeId) -> bool,
) -> Option<ScopeId> {
    let mut at = inner;
    let mut runs_unseen = false;
    loop {
        let scope = &scopes[at];
        if scope.kind == ScopeKind::Module || scope.globals.contains(&name) {
            return None;
        }
        if scope.binds(name) && scope.kind != ScopeKind::Class {
            return (runs_unseen && scope.kind == ScopeKind::Function).then_some(at);
        }
        runs_unseen |= unseen(scopes, at);
        at = scope.parent;
    }
}

struct Walker<'a> {
    tree: &'a Tree,
    scopes: Scopes,
    current: ScopeId,
    /// How many loops of the current function are around.
    loops: u32,
    /// Where a name is used to change what it stands for.
    changes: Vec<(ScopeId, Str)>,
    /// Where a name is called.
    calls: Vec<(ScopeId, Str)>,
}

impl Walker<'_> {
    fn scope(&mut self) -> &mut ScopeInfo {
        &mut self.scopes[self.current]
    }

    /// Makes a scope inside the current one and enters it; the caller restores `current`.
    fn open_scope(&mut self, kind: ScopeKind, range: TextRange) -> ScopeId {
        let id = ScopeId(self.scopes.all.len() as u32);
        if kind != ScopeKind::Module && kind != ScopeKind::Comprehension {
            let mut at = self.current;
            loop {
                let scope = &mut self.scopes[at];
                scope.has_inner = true;
                if matches!(scope.kind, ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Module) {
                    break;
                }
                at = scope.parent;
            }
        }
        self.scopes.all.push(ScopeInfo {
            kind,
            parent: self.current,
            name: None,
            parameters: None,
            body: None,
            expr: None,
            stmt: None,
            locals: Vec::new(),
            repeated: Vec::new(),
            mentions: Vec::new(),
            calls: Vec::new(),
            globals: Vec::new(),
            nonlocals: Vec::new(),
            is_generator: false,
            is_async: false,
            has_inner: false,
            is_open: false,
            range,
        });
        self.current = id;
        id
    }

    /// Does something to the current scope and those around it, except the module's.
    fn in_each_scope(&mut self, mut note: impl FnMut(&mut ScopeInfo)) {
        let mut at = self.current;
        while at != ScopeId::MODULE {
            let scope = &mut self.scopes[at];
            note(scope);
            at = scope.parent;
        }
    }

    /// What a name stands for is called or returned.
    fn note_call(&mut self, name: Str) {
        self.in_each_scope(|scope| {
            if scope.calls.last() != Some(&name) {
                scope.calls.push(name);
            }
        });
    }

    fn bind(&mut self, name: Str) {
        self.scope().locals.push(name);
        if self.loops > 0 {
            // What a loop binds has many values.
            self.scope().locals.push(name);
        }
        let scope = self.scope();
        let is_global = scope.kind == ScopeKind::Module || scope.globals.contains(&name);
        let through_global = scope.kind != ScopeKind::Module && is_global;
        if is_global {
            self.scopes.global_bindings.insert(name);
        }
        if through_global {
            self.scopes.rebound_globals.insert(name);
        }
    }

    /// Who stores an attribute: a method of a class on its own instance, or anyone.
    fn attribute_store(&self, target: ExprId, attribute: Str) -> AttributeStore {
        let scope = &self.scopes[self.function_scope()];
        let parent = &self.scopes[scope.parent];
        let first = scope.parameters.and_then(|parameters| {
            let list =
                if parameters.positional_only.is_empty() { parameters.regular } else { parameters.positional_only };
            self.tree[list].first().map(|parameter| parameter.name.name)
        });
        let through_self = first.is_some() && self.tree.as_name(target) == first && parent.kind == ScopeKind::Class;
        let own_class = if through_self { parent.name } else { None };
        let in_init = scope.name.is_some_and(|name| self.tree.text(name) == "__init__");
        AttributeStore { attribute, scope: self.current, own_class, in_init }
    }

    /// `assert_raises(ValueError, f)`: `f` is meant to fail.
    fn note_expected_failures(&mut self, function: ExprId, arguments: Arguments) {
        let callee = match self.tree[function].kind {
            ExprKind::Name { name, .. } => name,
            ExprKind::Attribute { attribute, .. } => attribute.name,
            _ => return,
        };
        if speaks_of_failure(self.tree.text(callee)) {
            let keywords = self.tree[arguments.keywords].iter().map(|keyword| keyword.value);
            for argument in self.tree[arguments.positional].iter().copied().chain(keywords) {
                self.scopes.expected_to_fail.extend(self.tree.as_name(argument));
            }
        }
    }

    /// The scope that `yield` and a walrus belong to.
    fn function_scope(&self) -> ScopeId {
        let mut at = self.current;
        while self.scopes[at].kind == ScopeKind::Comprehension {
            at = self.scopes[at].parent;
        }
        at
    }

    fn walk_node(&mut self, node: Node) {
        match node {
            Node::Stmt(id) => self.stmt(id),
            Node::Expr(id) => self.expr(id),
        }
    }

    /// Walks what stands directly below a node that itself neither binds a name nor opens a scope.
    fn children_of(&mut self, node: Node) {
        let tree = self.tree;
        tree.visit_children(node, |child| self.walk_node(child));
    }

    fn block(&mut self, body: List<StmtId>) {
        for &stmt in &self.tree[body] {
            self.stmt(stmt);
        }
    }

    fn exprs(&mut self, list: List<ExprId>) {
        for &expr in &self.tree[list] {
            self.expr(expr);
        }
    }

    fn optional(&mut self, expr: Option<ExprId>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn arguments(&mut self, arguments: Arguments) {
        self.exprs(arguments.positional);
        for keyword in &self.tree[arguments.keywords] {
            self.expr(keyword.value);
        }
    }

    fn defaults(&mut self, parameters: Parameters) {
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &self.tree[list] {
                self.optional(parameter.default);
                self.optional(parameter.annotation);
            }
        }
        for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
            self.optional(spread.annotation);
        }
    }

    fn bind_parameters(&mut self, parameters: Parameters) {
        for list in [parameters.positional_only, parameters.regular, parameters.keyword_only] {
            for parameter in &self.tree[list] {
                self.bind(parameter.name.name);
            }
        }
        for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
            self.bind(spread.name.name);
        }
    }

    fn type_params(&mut self, params: List<TypeParam>) {
        for param in &self.tree[params] {
            self.scopes.type_parameters.insert(param.name.name);
        }
    }

    fn stmt(&mut self, id: StmtId) {
        let stmt = self.tree[id];
        match stmt.kind {
            StmtKind::FunctionDef(function) => {
                self.exprs(function.decorators);
                if !function.decorators.is_empty() {
                    self.scopes.handed_on.insert(function.name.name);
                }
                self.bind(function.name.name);
                if self.scope().kind == ScopeKind::Class {
                    self.scopes.methods.push((function.name.name, self.current));
                }
                self.defaults(function.parameters);
                self.optional(function.returns);
                let outer = self.current;
                let inner = self.open_scope(ScopeKind::Function, stmt.range);
                self.scopes.of_stmt.insert(id, inner);
                let scope = self.scope();
                scope.name = Some(function.name.name);
                scope.parameters = Some(function.parameters);
                scope.body = Some(function.body);
                scope.stmt = Some(id);
                scope.is_async = function.is_async;
                self.type_params(function.type_params);
                let loops = std::mem::take(&mut self.loops);
                self.bind_parameters(function.parameters);
                self.block(function.body);
                self.loops = loops;
                self.current = outer;
            }
            StmtKind::ClassDef(class) => {
                self.exprs(class.decorators);
                self.bind(class.name.name);
                let bases = class.arguments.map_or(List::EMPTY, |arguments| arguments.positional);
                let bases = self.tree[bases].iter().filter_map(|&base| {
                    let base = match self.tree[base].kind {
                        ExprKind::Subscript { value, .. } => value,
                        _ => base,
                    };
                    match self.tree[base].kind {
                        ExprKind::Name { name, .. } => Some(name),
                        ExprKind::Attribute { attribute, .. } => Some(attribute.name),
                        _ => None,
                    }
                });
                let bases = bases.collect();
                self.scopes.classes.push((class.name.name, bases));
                if let Some(arguments) = class.arguments {
                    self.arguments(arguments);
                }
                let outer = self.current;
                let inner = self.open_scope(ScopeKind::Class, stmt.range);
                self.scopes.of_stmt.insert(id, inner);
                let scope = self.scope();
                scope.name = Some(class.name.name);
                scope.body = Some(class.body);
                scope.stmt = Some(id);
                let loops = std::mem::take(&mut self.loops);
                self.type_params(class.type_params);
                self.block(class.body);
                self.loops = loops;
                self.current = outer;
            }
            // A closure that is returned is called in the open, as far as that is seen.
            StmtKind::Return { value: Some(value) } if self.tree.as_name(value).is_some() => {
                self.tree.as_name(value).into_iter().for_each(|name| self.note_call(name));
            }
            StmtKind::TypeAlias { name, type_params, value } => {
                self.expr(name);
                let outer = self.current;
                self.open_scope(ScopeKind::Comprehension, stmt.range);
                self.type_params(type_params);
                self.expr(value);
                self.current = outer;
            }
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.expr(iter);
                self.loops += 1;
                self.expr(target);
                self.block(body);
                self.loops -= 1;
                self.block(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.expr(test);
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
                self.block(orelse);
            }
            StmtKind::Match { cases, .. } => {
                for case in &self.tree[cases] {
                    for name in self.tree.pattern_captures(case.pattern) {
                        self.bind(name.name);
                    }
                }
                self.children_of(Node::Stmt(id));
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.block(body);
                for handler in &self.tree[handlers] {
                    self.optional(handler.class);
                    if let Some(name) = handler.name {
                        self.bind(name.name);
                    }
                    self.block(handler.body);
                }
                self.block(orelse);
                self.block(finalbody);
            }
            StmtKind::Import { names } => {
                for alias in &self.tree[names] {
                    match alias.asname {
                        Some(asname) => self.bind(asname.name),
                        None => self.bind_first_part(alias.name.name),
                    }
                }
            }
            StmtKind::ImportFrom { module, names, level } => {
                for alias in &self.tree[names] {
                    let text = self.tree.text(alias.name.name);
                    if text == "*" {
                        self.scope().is_open = true;
                        continue;
                    }
                    if level == 0
                        && text == "annotations"
                        && module.is_some_and(|module| self.tree.text(module.name) == "__future__")
                    {
                        self.scopes.lazy_annotations = true;
                    }
                    self.bind(alias.asname.unwrap_or(alias.name).name);
                }
            }
            StmtKind::Global { names } => {
                for identifier in &self.tree[names] {
                    self.scope().globals.push(identifier.name);
                    self.scopes.global_bindings.insert(identifier.name);
                    if self.current != ScopeId::MODULE {
                        self.scopes.rebound_globals.insert(identifier.name);
                    }
                }
            }
            StmtKind::Nonlocal { names } => {
                for identifier in &self.tree[names] {
                    self.scope().nonlocals.push(identifier.name);
                }
            }
            StmtKind::IpyEscape(_) => self.scope().is_open = true,
            StmtKind::Return { .. }
            | StmtKind::Delete { .. }
            | StmtKind::Assign { .. }
            | StmtKind::AugAssign { .. }
            | StmtKind::AnnAssign { .. }
            | StmtKind::If { .. }
            | StmtKind::With { .. }
            | StmtKind::Raise { .. }
            | StmtKind::Assert { .. }
            | StmtKind::Expr { .. }
            | StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue => self.children_of(Node::Stmt(id)),
        }
    }

    /// `import a.b.c` binds `a`.
    fn bind_first_part(&mut self, dotted: Str) {
        let text = self.tree.text(dotted);
        if let Some((first, _)) = text.split_once('.') {
            // The first part is a string of the tree only if it occurs alone; otherwise no expression of the file can name it.
            if let Some(id) = self.tree.strings().position(|text| text == first) {
                self.bind(Str(id as u32));
            }
        } else {
            self.bind(dotted);
        }
    }

    fn comprehension(&mut self, id: ExprId, generators: List<Comprehension>, parts: &[ExprId]) {
        let outer = self.current;
        let generators = &self.tree[generators];
        if let Some(first) = generators.first() {
            self.expr(first.iter);
        }
        let range = self.tree[id].range;
        let inner = self.open_scope(ScopeKind::Comprehension, range);
        self.scopes.of_expr.insert(id, inner);
        for (i, generator) in generators.iter().enumerate() {
            if i > 0 {
                self.expr(generator.iter);
            }
            self.expr(generator.target);
            self.exprs(generator.conditions);
        }
        for &part in parts {
            self.expr(part);
        }
        self.current = outer;
    }

    /// The current scope, and those around it, read a name.
    fn mention(&mut self, name: Str) {
        self.in_each_scope(|scope| {
            if scope.mentions.last() != Some(&name) {
                scope.mentions.push(name);
            }
        });
    }

    fn expr(&mut self, id: ExprId) {
        let expr = self.tree[id];
        match expr.kind {
            ExprKind::Named { target, value } => {
                self.expr(value);
                if let Some(name) = self.tree.as_name(target) {
                    let here = self.current;
                    self.current = self.function_scope();
                    self.bind(name);
                    self.current = here;
                }
            }
            ExprKind::Lambda { parameters, body } => {
                let parameters = self.tree[parameters];
                self.defaults(parameters);
                let outer = self.current;
                let inner = self.open_scope(ScopeKind::Lambda, expr.range);
                self.scopes.of_expr.insert(id, inner);
                let scope = self.scope();
                scope.parameters = Some(parameters);
                scope.expr = Some(body);
                self.bind_parameters(parameters);
                self.expr(body);
                self.current = outer;
            }
            ExprKind::ListComp { element, generators } | ExprKind::SetComp { element, generators } => {
                self.comprehension(id, generators, &[element]);
            }
            ExprKind::Generator { element, generators } => self.comprehension(id, generators, &[element]),
            ExprKind::DictComp { key, value, generators } => {
                let parts: Vec<ExprId> = key.into_iter().chain([value]).collect();
                self.comprehension(id, generators, &parts);
            }
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {
                let scope = self.function_scope();
                self.scopes[scope].is_generator = true;
                self.children_of(Node::Expr(id));
            }
            ExprKind::Call { function, arguments } => {
                if let Some(name) = self.tree.as_name(function) {
                    let opens = matches!(self.tree.text(name), "exec" | "locals" | "vars" | "eval" | "globals" | "dir");
                    if opens {
                        self.scopes.rebinds_names |= rebinds_names(self.tree, id);
                        self.scopes[self.current].is_open = true;
                        self.scopes[ScopeId::MODULE].is_open |= self.tree.text(name) != "locals";
                    }
                }
                self.note_expected_failures(function, arguments);
                if let ExprKind::Attribute { value, attribute, .. } = self.tree[function].kind
                    && let Some(name) = self.tree.as_name(value)
                    && CHANGING.contains(&self.tree.text(attribute.name))
                {
                    self.changes.push((self.current, name));
                }
                // A function that is only called is not handed on.
                match self.tree.as_name(function) {
                    Some(name) => {
                        self.calls.push((self.current, name));
                        self.note_call(name);
                        self.mention(name);
                    }
                    None => self.expr(function),
                }
                self.arguments(arguments);
            }
            ExprKind::IpyEscape(_) => self.scope().is_open = true,
            ExprKind::Attribute { value, attribute, context } => {
                self.expr(value);
                // These put names into modules: members of enumerations, or anything through the module's own object.
                if matches!(self.tree.text(attribute.name), "global_enum" | "_convert_" | "_convert" | "modules") {
                    self.scopes[ScopeId::MODULE].is_open = true;
                }
                if context != Context::Load {
                    let store = self.attribute_store(value, attribute.name);
                    self.scopes.stores.push(store);
                }
            }
            ExprKind::Subscript { value, index, context } => {
                if context != Context::Load
                    && let Some(name) = self.tree.as_name(value)
                {
                    self.changes.push((self.current, name));
                }
                self.expr(value);
                self.expr(index);
            }
            ExprKind::Name { name, context } => {
                if context == Context::Load {
                    self.scopes.handed_on.insert(name);
                    self.mention(name);
                } else {
                    self.bind(name);
                }
                if context == Context::Del {
                    self.bind(name);
                }
            }
            ExprKind::BoolOp { .. }
            | ExprKind::BinOp { .. }
            | ExprKind::UnaryOp { .. }
            | ExprKind::IfExp { .. }
            | ExprKind::Dict { .. }
            | ExprKind::Set { .. }
            | ExprKind::List { .. }
            | ExprKind::Tuple { .. }
            | ExprKind::Await { .. }
            | ExprKind::Starred { .. }
            | ExprKind::Compare { .. }
            | ExprKind::FString { .. }
            | ExprKind::TString { .. }
            | ExprKind::Slice { .. } => self.children_of(Node::Expr(id)),
            ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Ellipsis => {}
        }
    }
}

/// Whether a name has to do with raising or failing.
fn speaks_of_failure(name: &str) -> bool {
    // Few names have these letters together, and this is asked for every call.
    let bytes = name.as_bytes();
    bytes.len() >= 4 && bytes.windows(2).any(|pair| pair.eq_ignore_ascii_case(b"ai")) && {
        let name = name.to_ascii_lowercase();
        name.contains("raise") || name.contains("fail")
    }
}

/// Functions that only look at what they are given.
const LOOKING: [&str; 11] =
    ["dict", "list", "sorted", "set", "len", "tuple", "print", "any", "all", "iter", "frozenset"];

/// Whether what `globals()` returns is used for more than reading: names of the module may be bound through it.
fn rebinds_names(tree: &Tree, call: ExprId) -> bool {
    let ExprKind::Call { function, .. } = tree[call].kind else { return false };
    let is_namespace =
        tree.as_name(function).is_some_and(|name| matches!(tree.text(name), "globals" | "vars" | "locals"));
    if !is_namespace {
        return false;
    }
    match Node::Expr(call).parent(tree) {
        Some(Node::Expr(user)) => match tree[user].kind {
            ExprKind::Subscript { context, .. } => context != Context::Load,
            ExprKind::Attribute { attribute, .. } => {
                matches!(
                    tree.text(attribute.name),
                    "update" | "setdefault" | "pop" | "clear" | "__setitem__" | "popitem"
                )
            }
            ExprKind::Call { function, .. } => {
                !tree.as_name(function).is_some_and(|name| LOOKING.contains(&tree.text(name)))
            }
            _ => false,
        },
        Some(Node::Stmt(user)) => matches!(tree[user].kind, StmtKind::Assign { .. } | StmtKind::Return { .. }),
        None => false,
    }
}
