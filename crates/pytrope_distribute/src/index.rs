//! What each name of a module is bound to, function by function: the semantic layer as rewrites ask it.

use pytrope_semantic::{
    DefinitionKind, ModuleNames, ReachingDefinitions, ScopeId, ScopeKind, Scopes, enclosing_function,
};
use pytrope_source::Node;
use pytrope_source::tree::{ExprId, Parameters, Parent, StmtId, StmtKind, Tree};
use rustc_hash::FxHashMap;

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

impl Kind {
    fn of(kind: &DefinitionKind) -> Self {
        match kind {
            DefinitionKind::Value(value) => Self::Value(*value),
            DefinitionKind::Element(value, i) => Self::Element(*value, *i),
            DefinitionKind::Iteration(iter, i) => Self::Iteration(*iter, *i),
            DefinitionKind::Context(value) => Self::Context(*value),
            DefinitionKind::Augmented(value) => Self::Augmented(*value),
            DefinitionKind::Import(origin) => Self::Import(origin.clone()),
            DefinitionKind::Function => Self::Function,
            DefinitionKind::Class => Self::Class,
            DefinitionKind::Parameter(i) => Self::Parameter(*i),
            DefinitionKind::Spread
            | DefinitionKind::LambdaParameter
            | DefinitionKind::Handler
            | DefinitionKind::Capture
            | DefinitionKind::TypeAlias(_)
            | DefinitionKind::Declaration(_)
            | DefinitionKind::Deletion
            | DefinitionKind::Starred
            | DefinitionKind::Unpacked => Self::Opaque,
        }
    }
}

#[derive(Clone, Debug)]
pub struct NameBinding {
    pub stmt: StmtId,
    pub kind: Kind,
}

/// The names of a module by function: the view of [`ModuleNames`] that rewrites ask.
///
/// Parameters of lambdas and targets of comprehensions count as names of the function around them.
pub struct Index {
    names: FxHashMap<(Scope, String), Vec<NameBinding>>,
    /// `self.attribute = …` and class-level names, by class.
    attributes: FxHashMap<(StmtId, String), Vec<NameBinding>>,
    reaching: ReachingDefinitions,
    bindings: Vec<NameBinding>,
}

impl Index {
    pub fn new(tree: &Tree, scopes: &Scopes, module: &ModuleNames) -> Self {
        let mut names: FxHashMap<(Scope, String), Vec<NameBinding>> = FxHashMap::default();
        let mut attributes: FxHashMap<(StmtId, String), Vec<NameBinding>> = FxHashMap::default();
        let mut bindings = Vec::new();
        for (_, definition) in module.iter() {
            let binding = NameBinding { stmt: definition.stmt, kind: Kind::of(&definition.kind) };
            bindings.push(binding.clone());
            if !definition.kind.binds_value() || is_class_level(scopes, definition.scope) {
                continue;
            }
            let function = enclosing_function(scopes, definition.scope);
            names.entry((function, definition.name.to_string())).or_default().push(binding);
        }
        for (class, definition) in module.attributes() {
            if definition.kind.binds_value() {
                let binding = NameBinding { stmt: definition.stmt, kind: Kind::of(&definition.kind) };
                attributes.entry((class, definition.name.to_string())).or_default().push(binding);
            }
        }
        Self { names, attributes, reaching: ReachingDefinitions::of(tree, scopes, module), bindings }
    }

    /// The bindings that may hold where a name is read.
    pub fn reaching_bindings(&self, read: ExprId) -> Vec<&NameBinding> {
        self.reaching.at(read).iter().map(|id| &self.bindings[id.0 as usize]).collect()
    }

    /// The bindings of a name seen from a scope, from the innermost scope that has any.
    pub fn lookup_name(&self, tree: &Tree, scope: Scope, name: &str) -> Option<(Scope, &[NameBinding])> {
        let mut at = scope;
        loop {
            if let Some(found) = self.names.get(&(at, name.to_owned())) {
                return Some((at, found));
            }
            at = scope_of(tree, at?);
        }
    }

    pub fn attribute_bindings(&self, class: StmtId, name: &str) -> &[NameBinding] {
        self.attributes.get(&(class, name.to_owned())).map_or(&[], Vec::as_slice)
    }

    /// All names of a scope, sorted for determinism.
    pub fn scope_names(&self, scope: Scope) -> Vec<(&str, &[NameBinding])> {
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

/// Whether a scope is a class body or a comprehension in one: no function sees its names.
fn is_class_level(scopes: &Scopes, mut scope: ScopeId) -> bool {
    while scopes[scope].kind == ScopeKind::Comprehension {
        scope = scopes[scope].parent;
    }
    scopes[scope].kind == ScopeKind::Class
}

/// Whether one statement stands inside another (or is it).
pub fn is_inside(tree: &Tree, stmt: StmtId, outer: StmtId) -> bool {
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
