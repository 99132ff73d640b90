//! Walking a tree: the direct children of a node, and all nodes below it.

use crate::tree::{
    Arguments, Comprehension, ExprId, ExprKind, Identifier, List, Parameters, Parent, PatternId, PatternKind, StmtId,
    StmtKind, StringPart, Tree, TypeParam,
};

/// A statement or an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    Stmt(StmtId),
    Expr(ExprId),
}

impl Node {
    pub fn range(self, tree: &Tree) -> crate::TextRange {
        match self {
            Self::Stmt(id) => tree[id].range,
            Self::Expr(id) => tree[id].range,
        }
    }

    /// What holds the node; `None` for a statement of the module.
    pub fn parent(self, tree: &Tree) -> Option<Node> {
        let parent = match self {
            Self::Stmt(id) => tree[id].parent,
            Self::Expr(id) => tree[id].parent,
        };
        match parent {
            Parent::Module => None,
            Parent::Stmt(id) => Some(Self::Stmt(id)),
            Parent::Expr(id) => Some(Self::Expr(id)),
        }
    }
}

impl Tree {
    /// Visits the node's direct children, in evaluation order where Python fixes one and else in source order.
    pub fn visit_children(&self, node: Node, visit: impl FnMut(Node)) {
        let mut children = Children { tree: self, visit };
        match node {
            Node::Stmt(id) => children.stmt(id),
            Node::Expr(id) => children.expr(id),
        }
    }

    /// The expressions in the braces of an f-string, without those of their format specifications.
    pub fn interpolated_values(&self, parts: List<StringPart>) -> impl Iterator<Item = ExprId> {
        self[parts].iter().filter_map(|part| match part {
            StringPart::Interpolation { value, .. } => Some(*value),
            StringPart::Literal(_) => None,
        })
    }

    /// The node's direct children, in the order of `visit_children`.
    pub fn children(&self, node: Node) -> Vec<Node> {
        let mut found = Vec::new();
        self.visit_children(node, |child| found.push(child));
        found
    }

    /// All nodes below a node, the node itself first, parents before children, without recursion.
    pub fn descendants(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let mut stack = vec![node];
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            // Children are pushed where they are needed, so that a walk allocates nothing per node.
            let first = stack.len();
            self.visit_children(next, |child| stack.push(child));
            stack[first..].reverse();
            Some(next)
        })
    }

    /// The expressions that a pattern evaluates, in source order.
    pub fn pattern_exprs(&self, pattern: PatternId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut children = Children {
            tree: self,
            visit: |child| {
                if let Node::Expr(expr) = child {
                    found.push(expr);
                }
            },
        };
        children.pattern(pattern);
        found
    }

    /// The names that a pattern captures, in source order: `a`, `rest` and `all` in `case {"k": a, **rest} as all`.
    pub fn pattern_captures(&self, pattern: PatternId) -> Vec<Identifier> {
        let mut found = Vec::new();
        let mut stack = vec![pattern];
        while let Some(pattern) = stack.pop() {
            match self[pattern].kind {
                PatternKind::Value(_) | PatternKind::Singleton(_) => {}
                PatternKind::Sequence(list) | PatternKind::Or(list) => stack.extend(&self[list]),
                PatternKind::Mapping { patterns, rest, .. } => {
                    found.extend(rest);
                    stack.extend(&self[patterns]);
                }
                PatternKind::Class { positional, keywords, .. } => {
                    stack.extend(&self[positional]);
                    stack.extend(self[keywords].iter().map(|keyword| keyword.pattern));
                }
                PatternKind::Star(name) => found.extend(name),
                PatternKind::As { pattern, name } => {
                    stack.extend(pattern);
                    found.extend(name);
                }
            }
        }
        found.sort_by_key(|name| name.range.start);
        found
    }

    /// All nodes of a suite, in source order.
    pub fn suite_nodes(&self, body: List<StmtId>) -> impl Iterator<Item = Node> + '_ {
        self[body].iter().flat_map(|&stmt| self.descendants(Node::Stmt(stmt)))
    }

    /// Every suite directly inside a statement, with `else`, handlers and cases.
    pub fn suites(&self, stmt: StmtId) -> Vec<List<StmtId>> {
        match self[stmt].kind {
            StmtKind::FunctionDef(function) => vec![function.body],
            StmtKind::ClassDef(class) => vec![class.body],
            StmtKind::For { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                vec![body, orelse]
            }
            StmtKind::If { body, clauses, .. } => {
                std::iter::once(body).chain(self[clauses].iter().map(|clause| clause.body)).collect()
            }
            StmtKind::With { body, .. } => vec![body],
            StmtKind::Match { cases, .. } => self[cases].iter().map(|case| case.body).collect(),
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => std::iter::once(body)
                .chain(self[handlers].iter().map(|handler| handler.body))
                .chain([orelse, finalbody])
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The suite a statement stands in, and its place there.
    pub fn siblings(&self, stmt: StmtId) -> (List<StmtId>, usize) {
        let place = |suite: List<StmtId>| self[suite].iter().position(|&other| other == stmt).map(|i| (suite, i));
        match self.enclosing(stmt) {
            None => place(self.body()),
            Some(outer) => self.suites(outer).into_iter().find_map(place),
        }
        .expect("a statement stands in its parent's suites")
    }
}

struct Children<'a, V> {
    tree: &'a Tree,
    visit: V,
}

impl<V: FnMut(Node)> Children<'_, V> {
    fn push(&mut self, expr: ExprId) {
        (self.visit)(Node::Expr(expr));
    }

    fn maybe(&mut self, expr: Option<ExprId>) {
        if let Some(expr) = expr {
            self.push(expr);
        }
    }

    fn exprs(&mut self, list: List<ExprId>) {
        for &id in &self.tree[list] {
            self.push(id);
        }
    }

    fn suite(&mut self, list: List<StmtId>) {
        for &id in &self.tree[list] {
            (self.visit)(Node::Stmt(id));
        }
    }

    fn arguments(&mut self, arguments: Arguments) {
        self.exprs(arguments.positional);
        for keyword in &self.tree[arguments.keywords] {
            self.push(keyword.value);
        }
    }

    fn parameters(&mut self, parameters: Parameters) {
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        for parameter in lists.into_iter().flat_map(|list| &self.tree[list]) {
            self.maybe(parameter.annotation);
            self.maybe(parameter.default);
        }
        for spread in [parameters.vararg, parameters.kwarg].into_iter().flatten() {
            self.maybe(spread.annotation);
        }
    }

    fn type_params(&mut self, list: List<TypeParam>) {
        for param in &self.tree[list] {
            self.maybe(param.bound);
            self.maybe(param.default);
        }
    }

    fn comprehensions(&mut self, list: List<Comprehension>) {
        for generator in &self.tree[list] {
            self.push(generator.iter);
            self.push(generator.target);
            self.exprs(generator.conditions);
        }
    }

    fn parts(&mut self, list: List<StringPart>) {
        for part in &self.tree[list] {
            if let StringPart::Interpolation { value, format, .. } = *part {
                self.push(value);
                if let Some(format) = format {
                    self.parts(format);
                }
            }
        }
    }

    fn pattern(&mut self, id: PatternId) {
        match self.tree[id].kind {
            PatternKind::Value(value) => self.push(value),
            PatternKind::Singleton(_) | PatternKind::Star(_) => {}
            PatternKind::Sequence(list) | PatternKind::Or(list) => self.patterns(list),
            PatternKind::Mapping { keys, patterns, .. } => {
                self.exprs(keys);
                self.patterns(patterns);
            }
            PatternKind::Class { class, positional, keywords } => {
                self.push(class);
                self.patterns(positional);
                for keyword in &self.tree[keywords] {
                    self.pattern(keyword.pattern);
                }
            }
            PatternKind::As { pattern, .. } => {
                if let Some(inner) = pattern {
                    self.pattern(inner);
                }
            }
        }
    }

    fn patterns(&mut self, list: List<PatternId>) {
        for &id in &self.tree[list] {
            self.pattern(id);
        }
    }

    fn expr(&mut self, id: ExprId) {
        match self.tree[id].kind {
            ExprKind::BoolOp { values, .. } => self.exprs(values),
            ExprKind::Named { target, value } => {
                self.push(value);
                self.push(target);
            }
            ExprKind::BinOp { left, right, .. } => {
                self.push(left);
                self.push(right);
            }
            ExprKind::UnaryOp { operand, .. } => self.push(operand),
            ExprKind::Lambda { parameters, body } => {
                self.parameters(self.tree[parameters]);
                self.push(body);
            }
            ExprKind::IfExp { test, body, orelse } => {
                self.push(test);
                self.push(body);
                self.push(orelse);
            }
            ExprKind::Dict { items } => {
                for item in &self.tree[items] {
                    self.maybe(item.key);
                    self.push(item.value);
                }
            }
            ExprKind::Set { elements } | ExprKind::List { elements, .. } | ExprKind::Tuple { elements, .. } => {
                self.exprs(elements);
            }
            ExprKind::ListComp { element, generators }
            | ExprKind::SetComp { element, generators }
            | ExprKind::Generator { element, generators } => {
                self.comprehensions(generators);
                self.push(element);
            }
            ExprKind::DictComp { key, value, generators } => {
                self.comprehensions(generators);
                self.maybe(key);
                self.push(value);
            }
            ExprKind::Await { value }
            | ExprKind::YieldFrom { value }
            | ExprKind::Starred { value, .. }
            | ExprKind::Attribute { value, .. } => self.push(value),
            ExprKind::Yield { value } => self.maybe(value),
            ExprKind::Compare { left, comparators, .. } => {
                self.push(left);
                self.exprs(comparators);
            }
            ExprKind::Call { function, arguments } => {
                self.push(function);
                self.arguments(arguments);
            }
            ExprKind::FString { parts } | ExprKind::TString { parts } => self.parts(parts),
            ExprKind::Subscript { value, index, .. } => {
                self.push(value);
                self.push(index);
            }
            ExprKind::Slice { lower, upper, step } => {
                self.maybe(lower);
                self.maybe(upper);
                self.maybe(step);
            }
            ExprKind::Str(_)
            | ExprKind::Bytes(_)
            | ExprKind::Int(_)
            | ExprKind::BigInt(_)
            | ExprKind::Float(_)
            | ExprKind::Imaginary(_)
            | ExprKind::Bool(_)
            | ExprKind::None
            | ExprKind::Ellipsis
            | ExprKind::Name { .. }
            | ExprKind::IpyEscape(_) => {}
        }
    }

    fn stmt(&mut self, id: StmtId) {
        match self.tree[id].kind {
            StmtKind::FunctionDef(function) => {
                self.exprs(function.decorators);
                self.type_params(function.type_params);
                self.parameters(function.parameters);
                self.maybe(function.returns);
                self.suite(function.body);
            }
            StmtKind::ClassDef(class) => {
                self.exprs(class.decorators);
                self.type_params(class.type_params);
                if let Some(arguments) = class.arguments {
                    self.arguments(arguments);
                }
                self.suite(class.body);
            }
            StmtKind::Return { value } => self.maybe(value),
            StmtKind::Delete { targets } => self.exprs(targets),
            StmtKind::TypeAlias { name, type_params, value } => {
                self.push(name);
                self.type_params(type_params);
                self.push(value);
            }
            StmtKind::Assign { targets, value } => {
                self.push(value);
                self.exprs(targets);
            }
            StmtKind::AugAssign { target, value, .. } => {
                self.push(target);
                self.push(value);
            }
            StmtKind::AnnAssign { target, annotation, value, .. } => {
                self.maybe(value);
                self.push(target);
                self.push(annotation);
            }
            StmtKind::For { target, iter, body, orelse, .. } => {
                self.push(iter);
                self.push(target);
                self.suite(body);
                self.suite(orelse);
            }
            StmtKind::While { test, body, orelse } => {
                self.push(test);
                self.suite(body);
                self.suite(orelse);
            }
            StmtKind::If { test, body, clauses } => {
                self.push(test);
                self.suite(body);
                for clause in &self.tree[clauses] {
                    self.maybe(clause.test);
                    self.suite(clause.body);
                }
            }
            StmtKind::With { items, body, .. } => {
                for item in &self.tree[items] {
                    self.push(item.context);
                    self.maybe(item.target);
                }
                self.suite(body);
            }
            StmtKind::Match { subject, cases } => {
                self.push(subject);
                for case in &self.tree[cases] {
                    self.pattern(case.pattern);
                    self.maybe(case.guard);
                    self.suite(case.body);
                }
            }
            StmtKind::Raise { exception, cause } => {
                self.maybe(exception);
                self.maybe(cause);
            }
            StmtKind::Try { body, handlers, orelse, finalbody, .. } => {
                self.suite(body);
                for handler in &self.tree[handlers] {
                    self.maybe(handler.class);
                    self.suite(handler.body);
                }
                self.suite(orelse);
                self.suite(finalbody);
            }
            StmtKind::Assert { test, message } => {
                self.push(test);
                self.maybe(message);
            }
            StmtKind::Expr { value } => self.push(value),
            StmtKind::Import { .. }
            | StmtKind::ImportFrom { .. }
            | StmtKind::Global { .. }
            | StmtKind::Nonlocal { .. }
            | StmtKind::Pass
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::IpyEscape(_) => {}
        }
    }
}
