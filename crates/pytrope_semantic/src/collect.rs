//! One pass over a tree that finds its definitions.

use pytrope_source::scopes::{ScopeId, ScopeKind, Scopes};
use pytrope_source::tree::{Context, ExprId, ExprKind, Identifier, Parameters, PatternId, StmtId, StmtKind, Tree};
use pytrope_source::{ModuleResolver, TextRange};

use crate::definition::{Definition, DefinitionKind};
use crate::scoping::{scope_of_expr, scope_of_stmt};

/// A definition of an attribute: `self.name = …` in a method, or a name of the class body.
pub(crate) struct AttributeDefinition {
    pub class: StmtId,
    pub definition: Definition,
}

/// What a tree defines.
#[derive(Default)]
pub(crate) struct Collected {
    /// Statements first, in the order of their ids, then expressions.
    pub definitions: Vec<Definition>,
    pub attributes: Vec<AttributeDefinition>,
    /// The modules of star-imports at any depth.
    pub stars: Vec<String>,
}

/// Finds the definitions of a module.
pub(crate) fn collect_definitions(tree: &Tree, scopes: &Scopes, module: &str, is_package: bool) -> Collected {
    let mut collector = Collector { tree, scopes, module, is_package, found: Collected::default() };
    for stmt in tree.stmt_ids() {
        collector.add_stmt(stmt);
    }
    for expr in tree.expr_ids() {
        collector.add_expr(expr);
    }
    collector.found
}

struct Collector<'a> {
    tree: &'a Tree,
    scopes: &'a Scopes,
    module: &'a str,
    is_package: bool,
    found: Collected,
}

impl Collector<'_> {
    /// Binds a name by code of a scope; `global` and `nonlocal` say where.
    fn bind(&mut self, site: ScopeId, stmt: StmtId, name: &str, range: TextRange, kind: DefinitionKind) {
        let scope = self.binding_scope(site, name);
        let definition = Definition { name: name.into(), scope, site, stmt, kind, range };
        if let (ScopeKind::Class, Some(class)) = (self.scopes[scope].kind, self.scopes[scope].stmt) {
            self.found.attributes.push(AttributeDefinition { class, definition: definition.clone() });
        }
        self.found.definitions.push(definition);
    }

    fn bind_identifier(&mut self, site: ScopeId, stmt: StmtId, identifier: Identifier, kind: DefinitionKind) {
        let tree = self.tree;
        self.bind(site, stmt, tree.text(identifier.name), identifier.range, kind);
    }

    fn binding_scope(&self, site: ScopeId, name: &str) -> ScopeId {
        let is_name = |id| self.tree.text(id) == name;
        let info = &self.scopes[site];
        if info.globals.iter().any(|&id| is_name(id)) {
            return ScopeId::MODULE;
        }
        if !info.nonlocals.iter().any(|&id| is_name(id)) {
            return site;
        }
        let mut at = info.parent;
        while at != ScopeId::MODULE {
            let outer = &self.scopes[at];
            if outer.kind != ScopeKind::Class && outer.locals.iter().any(|&id| is_name(id)) {
                return at;
            }
            at = outer.parent;
        }
        // `nonlocal` without a function that binds the name is a syntax error of Python.
        site
    }

    fn bind_target(&mut self, site: ScopeId, stmt: StmtId, target: ExprId, kind: &DefinitionKind) {
        let tree = self.tree;
        match tree[target].kind {
            ExprKind::Name { name, .. } => {
                self.bind(site, stmt, tree.text(name), tree[target].range, kind.clone());
            }
            ExprKind::Attribute { value, attribute, .. } => {
                if let Some(class) = self.class_of_receiver(site, value) {
                    let definition = Definition {
                        name: tree.text(attribute.name).into(),
                        scope: site,
                        site,
                        stmt,
                        kind: kind.clone(),
                        range: attribute.range,
                    };
                    self.found.attributes.push(AttributeDefinition { class, definition });
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                let elements = &tree[elements];
                let has_star = elements.iter().any(|&e| matches!(tree[e].kind, ExprKind::Starred { .. }));
                for (i, &element) in elements.iter().enumerate() {
                    let part = if has_star { DefinitionKind::Unpacked } else { self.part(kind, i, elements.len()) };
                    self.bind_target(site, stmt, element, &part);
                }
            }
            ExprKind::Starred { value, .. } => self.bind_target(site, stmt, value, &DefinitionKind::Starred),
            _ => {}
        }
    }

    /// The class whose method a scope is, when an expression is the method's first parameter.
    fn class_of_receiver(&self, site: ScopeId, receiver: ExprId) -> Option<StmtId> {
        let mut scope = site;
        while self.scopes[scope].kind == ScopeKind::Comprehension {
            scope = self.scopes[scope].parent;
        }
        let info = &self.scopes[scope];
        let class = &self.scopes[info.parent];
        if info.kind != ScopeKind::Function || class.kind != ScopeKind::Class {
            return None;
        }
        let parameters = info.parameters?;
        let first = self.tree[parameters.positional_only].first().or_else(|| self.tree[parameters.regular].first())?;
        (self.tree.as_name(receiver)? == first.name.name).then_some(class.stmt?)
    }

    fn part(&self, kind: &DefinitionKind, i: usize, count: usize) -> DefinitionKind {
        match kind {
            DefinitionKind::Value(value) => match self.tree[*value].kind {
                ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } if elements.len() == count => {
                    DefinitionKind::Value(self.tree[elements][i])
                }
                _ => DefinitionKind::Element(*value, i),
            },
            DefinitionKind::Iteration(iter, None) => DefinitionKind::Iteration(*iter, Some(i)),
            DefinitionKind::Element(value, outer) => DefinitionKind::Element(*value, *outer),
            DefinitionKind::Iteration(iter, Some(outer)) => DefinitionKind::Iteration(*iter, Some(*outer)),
            DefinitionKind::Deletion => DefinitionKind::Deletion,
            DefinitionKind::Context(_)
            | DefinitionKind::Augmented(_)
            | DefinitionKind::Import(_)
            | DefinitionKind::Function
            | DefinitionKind::Class
            | DefinitionKind::Parameter(_)
            | DefinitionKind::Spread
            | DefinitionKind::LambdaParameter
            | DefinitionKind::Handler
            | DefinitionKind::Capture
            | DefinitionKind::TypeAlias(_)
            | DefinitionKind::Declaration(_)
            | DefinitionKind::Starred
            | DefinitionKind::Unpacked => DefinitionKind::Unpacked,
        }
    }

    fn add_stmt(&mut self, stmt: StmtId) {
        let tree = self.tree;
        let site = scope_of_stmt(tree, self.scopes, stmt);
        match tree[stmt].kind {
            StmtKind::Assign { targets, value } => {
                for &target in &tree[targets] {
                    self.bind_target(site, stmt, target, &DefinitionKind::Value(value));
                }
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => {
                self.bind_target(site, stmt, target, &DefinitionKind::Value(value));
            }
            StmtKind::AnnAssign { target, annotation, value: None, .. } => {
                self.bind_target(site, stmt, target, &DefinitionKind::Declaration(annotation));
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.bind_target(site, stmt, target, &DefinitionKind::Augmented(value));
            }
            StmtKind::TypeAlias { name, value, .. } => {
                self.bind_target(site, stmt, name, &DefinitionKind::TypeAlias(value));
            }
            StmtKind::For { target, iter, .. } => {
                self.bind_target(site, stmt, target, &DefinitionKind::Iteration(iter, None));
            }
            StmtKind::With { items, .. } => {
                for item in &tree[items] {
                    if let Some(target) = item.target {
                        self.bind_target(site, stmt, target, &DefinitionKind::Context(item.context));
                    }
                }
            }
            StmtKind::Import { names } => {
                for alias in &tree[names] {
                    let full = tree.text(alias.name.name);
                    let first = full.split('.').next().unwrap_or(full);
                    let (name, range, origin) = alias.asname.map_or((first, alias.name.range, first), |asname| {
                        (tree.text(asname.name), asname.range, full)
                    });
                    self.bind(site, stmt, name, range, DefinitionKind::Import(origin.to_owned()));
                }
            }
            StmtKind::ImportFrom { module: from, names, level } => {
                let from = from.map(|from| tree.text(from.name));
                // Dots that lead out of the program stay: the name is bound, whatever it is.
                let base = ModuleResolver::absolute(self.module, self.is_package, level, from)
                    .unwrap_or_else(|| ".".repeat(level as usize) + from.unwrap_or_default());
                for alias in &tree[names] {
                    let name = tree.text(alias.name.name);
                    if name == "*" {
                        self.found.stars.push(base.clone());
                        continue;
                    }
                    let bound = alias.asname.unwrap_or(alias.name);
                    self.bind_identifier(site, stmt, bound, DefinitionKind::Import(format!("{base}.{name}")));
                }
            }
            StmtKind::FunctionDef(function) => {
                self.bind_identifier(site, stmt, function.name, DefinitionKind::Function);
                if let Some(&scope) = self.scopes.of_stmt.get(&stmt) {
                    self.bind_parameters(scope, stmt, &function.parameters, DefinitionKind::Parameter);
                }
            }
            StmtKind::ClassDef(class) => self.bind_identifier(site, stmt, class.name, DefinitionKind::Class),
            StmtKind::Try { handlers, .. } => {
                for handler in &tree[handlers] {
                    if let Some(name) = handler.name {
                        self.bind_identifier(site, stmt, name, DefinitionKind::Handler);
                    }
                }
            }
            StmtKind::Match { cases, .. } => {
                for case in &tree[cases] {
                    self.bind_pattern(site, stmt, case.pattern);
                }
            }
            StmtKind::Delete { targets } => {
                for &target in &tree[targets] {
                    self.bind_target(site, stmt, target, &DefinitionKind::Deletion);
                }
            }
            _ => {}
        }
    }

    fn bind_parameters(
        &mut self,
        scope: ScopeId,
        stmt: StmtId,
        parameters: &Parameters,
        kind: impl Fn(usize) -> DefinitionKind,
    ) {
        let tree = self.tree;
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        for (i, parameter) in lists.into_iter().flat_map(|list| &tree[list]).enumerate() {
            self.bind_identifier(scope, stmt, parameter.name, kind(i));
        }
        for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
            self.bind_identifier(scope, stmt, spread.name, DefinitionKind::Spread);
        }
    }

    fn bind_pattern(&mut self, site: ScopeId, stmt: StmtId, pattern: PatternId) {
        for capture in self.tree.pattern_captures(pattern) {
            self.bind_identifier(site, stmt, capture, DefinitionKind::Capture);
        }
    }

    fn add_expr(&mut self, expr: ExprId) {
        let tree = self.tree;
        let Some(stmt) = tree.stmt_of(expr) else { return };
        match tree[expr].kind {
            ExprKind::Named { target, value } => {
                // A walrus binds in the function around its comprehensions.
                let mut site = scope_of_expr(tree, self.scopes, expr);
                while self.scopes[site].kind == ScopeKind::Comprehension {
                    site = self.scopes[site].parent;
                }
                self.bind_target(site, stmt, target, &DefinitionKind::Value(value));
            }
            ExprKind::Lambda { parameters, .. } => {
                if let Some(&scope) = self.scopes.of_expr.get(&expr) {
                    self.bind_parameters(scope, stmt, &tree[parameters], |_| DefinitionKind::LambdaParameter);
                }
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => {
                let Some(&scope) = self.scopes.of_expr.get(&expr) else { return };
                for generator in &tree[generators] {
                    self.bind_target(scope, stmt, generator.target, &DefinitionKind::Iteration(generator.iter, None));
                }
            }
            _ => {}
        }
    }
}

/// Whether an expression reads a name: loads, and the target of `name += value`.
pub(crate) fn is_read(tree: &Tree, expr: ExprId) -> bool {
    let ExprKind::Name { context, .. } = tree[expr].kind else { return false };
    context == Context::Load
        || matches!(tree[expr].parent, pytrope_source::tree::Parent::Stmt(stmt)
            if matches!(tree[stmt].kind, StmtKind::AugAssign { target, .. } if target == expr))
}
