//! What each name of a module is bound to, scope by scope.

use pytrope_source::tree::{ExprId, ExprKind, Parameters, Parent, StmtId, StmtKind, Tree};
use pytrope_source::{ModuleResolver, Node};
use rustc_hash::{FxHashMap, FxHashSet};

/// The function a name belongs to; `None` is the module.
pub type Scope = Option<StmtId>;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Value(ExprId),
    /// The `index`-th part of an unpacked value.
    Element(ExprId, usize),
    /// An element of an iterated value; `Some(i)` when the target unpacks it.
    Iteration(ExprId, Option<usize>),
    /// `with value as name`.
    Context(ExprId),
    /// `name += value`.
    Augmented(ExprId),
    /// A dotted module or member.
    Import(String),
    Function,
    Class,
    Parameter(usize),
    Opaque,
}

#[derive(Clone, Debug)]
pub struct Binding {
    pub stmt: StmtId,
    pub kind: Kind,
}

pub struct Index {
    names: FxHashMap<(Scope, String), Vec<Binding>>,
    /// `self.attribute = …` and class-level names, by class.
    attributes: FxHashMap<(StmtId, String), Vec<Binding>>,
    globals: FxHashSet<(StmtId, String)>,
    pub stars: Vec<String>,
}

struct Builder<'a> {
    tree: &'a Tree,
    index: Index,
}

impl Index {
    pub fn new(tree: &Tree, module: &str, is_package: bool) -> Self {
        let index = Self {
            names: FxHashMap::default(),
            attributes: FxHashMap::default(),
            globals: FxHashSet::default(),
            stars: Vec::new(),
        };
        let mut builder = Builder { tree, index };
        builder.globals();
        for stmt in tree.stmt_ids() {
            builder.stmt(stmt, module, is_package);
        }
        for expr in tree.expr_ids() {
            builder.expr(expr);
        }
        builder.index
    }

    /// The bindings of a name seen from a scope, from the innermost scope that has any.
    pub fn lookup(&self, tree: &Tree, scope: Scope, name: &str) -> Option<(Scope, &[Binding])> {
        let mut at = scope;
        loop {
            if let Some(found) = self.names.get(&(at, name.to_owned())) {
                return Some((at, found));
            }
            at = scope_of(tree, at?);
        }
    }

    pub fn attribute(&self, class: StmtId, name: &str) -> &[Binding] {
        self.attributes.get(&(class, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// All names of a scope, sorted for determinism.
    pub fn scope_names(&self, scope: Scope) -> Vec<(&str, &[Binding])> {
        let mut found: Vec<_> =
            self.names.iter().filter(|((s, _), _)| *s == scope).map(|((_, n), b)| (n.as_str(), b.as_slice())).collect();
        found.sort_by_key(|(name, _)| *name);
        found
    }
}

/// The function that a statement stands in.
pub fn scope_of(tree: &Tree, stmt: StmtId) -> Scope {
    let mut at = tree.enclosing(stmt);
    while let Some(outer) = at {
        if matches!(tree[outer].kind, StmtKind::FunctionDef(_)) {
            return Some(outer);
        }
        at = tree.enclosing(outer);
    }
    None
}

/// The class whose body a statement directly stands in.
pub fn class_of(tree: &Tree, stmt: StmtId) -> Option<StmtId> {
    let mut at = tree.enclosing(stmt);
    while let Some(outer) = at {
        match tree[outer].kind {
            StmtKind::ClassDef(_) => return Some(outer),
            StmtKind::FunctionDef(_) => return None,
            _ => at = tree.enclosing(outer),
        }
    }
    None
}

/// The scope that an expression's names are looked up in.
pub fn expr_scope(tree: &Tree, expr: ExprId) -> Scope {
    tree.stmt_of(expr).and_then(|stmt| scope_of(tree, stmt))
}

/// The first parameter of a method, that is `self`, and the method's class.
pub fn self_of(tree: &Tree, function: StmtId) -> Option<(&str, StmtId)> {
    let StmtKind::FunctionDef(def) = tree[function].kind else { return None };
    let class = class_of(tree, function)?;
    let first = tree[def.parameters.positional_only].first().or_else(|| tree[def.parameters.regular].first())?;
    Some((tree.text(first.name.name), class))
}

/// Positional parameters in order, then keyword-only ones.
pub fn parameter_names<'a>(tree: &'a Tree, parameters: &Parameters) -> Vec<&'a str> {
    [parameters.positional_only, parameters.regular, parameters.keyword_only]
        .into_iter()
        .flat_map(|list| &tree[list])
        .map(|parameter| tree.text(parameter.name.name))
        .collect()
}

impl Builder<'_> {
    fn globals(&mut self) {
        for stmt in self.tree.stmt_ids() {
            if let StmtKind::Global { names } = self.tree[stmt].kind
                && let Some(function) = scope_of(self.tree, stmt)
            {
                for name in &self.tree[names] {
                    self.index.globals.insert((function, self.tree.text(name.name).to_owned()));
                }
            }
        }
    }

    fn bind(&mut self, stmt: StmtId, name: &str, kind: Kind) {
        let mut scope = scope_of(self.tree, stmt);
        if let Some(class) = class_of(self.tree, stmt) {
            self.index.attributes.entry((class, name.to_owned())).or_default().push(Binding { stmt, kind });
            return;
        }
        if let Some(function) = scope
            && self.index.globals.contains(&(function, name.to_owned()))
        {
            scope = None;
        }
        self.index.names.entry((scope, name.to_owned())).or_default().push(Binding { stmt, kind });
    }

    fn target(&mut self, stmt: StmtId, target: ExprId, kind: &Kind) {
        match self.tree[target].kind {
            ExprKind::Name { name, .. } => {
                let name = self.tree.text(name).to_owned();
                self.bind(stmt, &name, kind.clone());
            }
            ExprKind::Attribute { value, attribute, .. } => {
                let Some(function) = scope_of(self.tree, stmt) else { return };
                let Some((receiver, class)) = self_of(self.tree, function) else { return };
                let is_self = self.tree.as_name(value).is_some_and(|name| self.tree.text(name) == receiver);
                if is_self {
                    let attribute = self.tree.text(attribute.name).to_owned();
                    self.index
                        .attributes
                        .entry((class, attribute))
                        .or_default()
                        .push(Binding { stmt, kind: kind.clone() });
                }
            }
            ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } => {
                let elements = self.tree[elements].to_vec();
                let starred = elements.iter().any(|&e| matches!(self.tree[e].kind, ExprKind::Starred { .. }));
                for (i, &element) in elements.iter().enumerate() {
                    let part = if starred { Kind::Opaque } else { self.part(kind, i, elements.len()) };
                    self.target(stmt, element, &part);
                }
            }
            ExprKind::Starred { value, .. } => self.target(stmt, value, &Kind::Opaque),
            _ => {}
        }
    }

    fn part(&self, kind: &Kind, i: usize, count: usize) -> Kind {
        match kind {
            Kind::Value(value) => match self.tree[*value].kind {
                ExprKind::Tuple { elements, .. } | ExprKind::List { elements, .. } if elements.len() == count => {
                    Kind::Value(self.tree[elements][i])
                }
                _ => Kind::Element(*value, i),
            },
            Kind::Iteration(iter, None) => Kind::Iteration(*iter, Some(i)),
            // A part of a part keeps the outermost place: `(x, y), (a, b) = load()`.
            Kind::Element(value, outer) => Kind::Element(*value, *outer),
            Kind::Iteration(iter, Some(outer)) => Kind::Iteration(*iter, Some(*outer)),
            Kind::Context(_)
            | Kind::Augmented(_)
            | Kind::Import(_)
            | Kind::Function
            | Kind::Class
            | Kind::Parameter(_)
            | Kind::Opaque => Kind::Opaque,
        }
    }

    fn stmt(&mut self, stmt: StmtId, module: &str, is_package: bool) {
        let tree = self.tree;
        match tree[stmt].kind {
            StmtKind::Assign { targets, value } => {
                for &target in &tree[targets] {
                    self.target(stmt, target, &Kind::Value(value));
                }
            }
            StmtKind::AnnAssign { target, value: Some(value), .. } => self.target(stmt, target, &Kind::Value(value)),
            StmtKind::AugAssign { target, value, .. } => self.target(stmt, target, &Kind::Augmented(value)),
            StmtKind::For { target, iter, .. } => self.target(stmt, target, &Kind::Iteration(iter, None)),
            StmtKind::With { items, .. } => {
                for item in &tree[items] {
                    if let Some(target) = item.target {
                        self.target(stmt, target, &Kind::Context(item.context));
                    }
                }
            }
            StmtKind::Import { names } => {
                for alias in &tree[names] {
                    let full = tree.text(alias.name.name);
                    let first = full.split('.').next().unwrap_or(full);
                    let (name, origin) = alias.asname.map_or((first, first), |asname| (tree.text(asname.name), full));
                    self.bind(stmt, name, Kind::Import(origin.to_owned()));
                }
            }
            StmtKind::ImportFrom { module: from, names, level } => {
                let from = from.map(|from| tree.text(from.name));
                let Some(base) = ModuleResolver::absolute(module, is_package, level, from) else { return };
                for alias in &tree[names] {
                    let name = tree.text(alias.name.name);
                    if name == "*" {
                        self.index.stars.push(base.clone());
                        continue;
                    }
                    let bound = alias.asname.map_or(name, |asname| tree.text(asname.name));
                    self.bind(stmt, bound, Kind::Import(format!("{base}.{name}")));
                }
            }
            StmtKind::FunctionDef(function) => {
                self.bind(stmt, tree.text(function.name.name), Kind::Function);
                let parameters = function.parameters;
                let all = parameter_names(tree, &parameters);
                for (i, name) in all.into_iter().enumerate() {
                    self.index
                        .names
                        .entry((Some(stmt), name.to_owned()))
                        .or_default()
                        .push(Binding { stmt, kind: Kind::Parameter(i) });
                }
                for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
                    let name = tree.text(spread.name.name).to_owned();
                    self.index.names.entry((Some(stmt), name)).or_default().push(Binding { stmt, kind: Kind::Opaque });
                }
            }
            StmtKind::ClassDef(class) => self.bind(stmt, tree.text(class.name.name), Kind::Class),
            StmtKind::Try { handlers, .. } => {
                for handler in &tree[handlers] {
                    if let Some(name) = handler.name {
                        self.bind(stmt, tree.text(name.name), Kind::Opaque);
                    }
                }
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: ExprId) {
        let tree = self.tree;
        let Some(stmt) = tree.stmt_of(expr) else { return };
        match tree[expr].kind {
            ExprKind::Named { target, value } => self.target(stmt, target, &Kind::Value(value)),
            ExprKind::Lambda { parameters, .. } => {
                for name in parameter_names(tree, &tree[parameters]) {
                    self.bind(stmt, name, Kind::Opaque);
                }
            }
            ExprKind::ListComp { generators, .. }
            | ExprKind::SetComp { generators, .. }
            | ExprKind::DictComp { generators, .. }
            | ExprKind::Generator { generators, .. } => {
                for generator in &tree[generators] {
                    self.target(stmt, generator.target, &Kind::Iteration(generator.iter, None));
                }
            }
            _ => {}
        }
    }
}

/// The bindings that may hold where a name is read, in the scope that binds it: those after the last one that always runs.
pub fn reaching<'a>(tree: &Tree, scope: Scope, bindings: &'a [Binding], read: ExprId) -> Vec<&'a Binding> {
    let Some(stmt) = tree.stmt_of(read) else { return bindings.iter().collect() };
    // What a loop binds may hold at its next turn.
    let again = loops_around(tree, stmt)
        .last()
        .is_some_and(|&l| bindings.iter().any(|b| tree[l].range.contains_range(tree[b.stmt].range)));
    if scope_of(tree, stmt) != scope || bindings.len() < 2 || again {
        return bindings.iter().collect();
    }
    let mut before: Vec<&Binding> =
        bindings.iter().filter(|b| tree[b.stmt].range.end <= tree[stmt].range.start).collect();
    before.sort_by_key(|b| tree[b.stmt].range.start);
    let always = before.iter().rposition(|b| {
        matches!(tree[b.stmt].kind, StmtKind::Assign { .. } | StmtKind::AnnAssign { .. })
            && match tree.enclosing(b.stmt) {
                None => true,
                Some(outer) => {
                    tree[outer].range.contains_range(tree[stmt].range)
                        && tree.siblings(b.stmt).0 == suite_of(tree, outer, stmt)
                }
            }
    });
    match always {
        Some(first) => before.split_off(first),
        None => bindings.iter().collect(),
    }
}

/// The suite of an outer statement that a statement stands in.
fn suite_of(tree: &Tree, outer: StmtId, stmt: StmtId) -> pytrope_source::tree::List<StmtId> {
    let mut at = stmt;
    while let Some(next) = tree.enclosing(at).filter(|&next| next != outer) {
        at = next;
    }
    tree.siblings(at).0
}

/// Whether one statement stands inside another (or is it).
pub fn inside(tree: &Tree, stmt: StmtId, outer: StmtId) -> bool {
    tree[outer].range.contains_range(tree[stmt].range)
}

/// The loops around a statement within its function, innermost first.
pub fn loops_around(tree: &Tree, stmt: StmtId) -> Vec<StmtId> {
    let mut loops = Vec::new();
    let mut at = Some(stmt);
    while let Some(here) = at {
        match tree[here].kind {
            StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) if here != stmt => break,
            StmtKind::For { .. } | StmtKind::While { .. } => loops.push(here),
            _ => {}
        }
        at = tree.enclosing(here);
    }
    loops
}

/// All expressions below a statement, functions inside it included.
pub fn exprs_in(tree: &Tree, stmt: StmtId) -> impl Iterator<Item = ExprId> + '_ {
    tree.descendants(Node::Stmt(stmt)).filter_map(|node| match node {
        Node::Expr(expr) => Some(expr),
        Node::Stmt(_) => None,
    })
}

/// The parent expression, if the parent is one.
pub fn parent_expr(tree: &Tree, expr: ExprId) -> Option<ExprId> {
    match tree[expr].parent {
        Parent::Expr(parent) => Some(parent),
        Parent::Stmt(_) | Parent::Module => None,
    }
}
