//! What the grammar accepts and Python's compiler refuses: `return` outside a function, `await` outside an async one, and the like.

use rustc_hash::FxHashSet;

use crate::parse::SyntaxError;
use crate::source_file::SourceKind;
use crate::text::TextRange;
use crate::tree::{ExprId, ExprKind, FunctionDefinition, Parameters, Parent, StmtId, StmtKind, Tree};

/// The statement that a name or a `yield` would belong to.
#[derive(Clone, Copy)]
enum MisplacedScope {
    Module,
    Class,
    Function {
        is_async: bool,
    },
    /// A lambda or comprehension, whose rules are finer than this pass.
    Nested,
}

/// Every misplaced statement and expression, in source order.
pub(crate) fn misplaced(tree: &Tree, kind: SourceKind) -> Vec<SyntaxError> {
    let mut found = MisplacedStatement { tree, kind, errors: Vec::new() };
    for stmt in tree.stmt_ids() {
        found.stmt(stmt);
    }
    for expr in tree.expr_ids() {
        found.expr(expr);
    }
    found.errors.sort_by_key(|error| error.range.start);
    found.errors
}

struct MisplacedStatement<'a> {
    tree: &'a Tree,
    kind: SourceKind,
    errors: Vec<SyntaxError>,
}

impl MisplacedStatement<'_> {
    fn error(&mut self, range: TextRange, message: impl Into<String>) {
        self.errors.push(SyntaxError::new(range, message.into()));
    }

    fn stmt(&mut self, stmt: StmtId) {
        let tree = self.tree;
        let range = tree[stmt].range;
        match tree[stmt].kind {
            StmtKind::Return { .. } if !matches!(self.scope_of_stmt(stmt), MisplacedScope::Function { .. }) => {
                self.error(range, "'return' outside function");
            }
            StmtKind::Break if !self.in_loop(stmt) => self.error(range, "'break' outside loop"),
            StmtKind::Continue if !self.in_loop(stmt) => {
                self.error(range, "'continue' not properly in loop");
            }
            StmtKind::For { is_async: true, .. } => self.needs_async(stmt, "'async for'"),
            StmtKind::With { is_async: true, .. } => self.needs_async(stmt, "'async with'"),
            StmtKind::Nonlocal { .. } if matches!(self.scope_of_stmt(stmt), MisplacedScope::Module) => {
                self.error(range, "nonlocal declaration not allowed at module level");
            }
            StmtKind::ImportFrom { module, names, level } => {
                let star = tree[names].iter().any(|alias| tree.text(alias.name.name) == "*");
                if star && !matches!(self.scope_of_stmt(stmt), MisplacedScope::Module) {
                    self.error(range, "import * only allowed at module level");
                }
                let future = module.is_some_and(|module| tree.text(module.name) == "__future__");
                if future && level == 0 && !self.opens_file(stmt) && self.kind == SourceKind::Module {
                    self.error(range, "from __future__ imports must occur at the beginning of the file");
                }
            }
            StmtKind::FunctionDef(FunctionDefinition { parameters, .. }) => self.parameters(parameters),
            _ => {}
        }
    }

    fn expr(&mut self, expr: ExprId) {
        let range = self.tree[expr].range;
        match self.tree[expr].kind {
            ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => {
                if matches!(self.scope_of_expr(expr), MisplacedScope::Module | MisplacedScope::Class) {
                    self.error(range, "'yield' outside function");
                }
            }
            ExprKind::Await { .. } => match self.scope_of_expr(expr) {
                MisplacedScope::Module if self.kind == SourceKind::Notebook => {}
                MisplacedScope::Module | MisplacedScope::Class => self.error(range, "'await' outside function"),
                MisplacedScope::Function { is_async: false } => {
                    self.error(range, "'await' outside async function");
                }
                MisplacedScope::Function { is_async: true } | MisplacedScope::Nested => {}
            },
            ExprKind::Lambda { parameters, .. } => self.parameters(self.tree[parameters]),
            _ => {}
        }
    }

    fn needs_async(&mut self, stmt: StmtId, what: &str) {
        let fine = match self.scope_of_stmt(stmt) {
            MisplacedScope::Function { is_async } => is_async,
            MisplacedScope::Module => self.kind == SourceKind::Notebook,
            MisplacedScope::Class | MisplacedScope::Nested => false,
        };
        if !fine {
            self.error(self.tree[stmt].range, format!("{what} outside async function"));
        }
    }

    fn parameters(&mut self, parameters: Parameters) {
        let tree = self.tree;
        let lists = [parameters.positional_only, parameters.regular, parameters.keyword_only];
        let named = lists.into_iter().flat_map(|list| &tree[list]).map(|parameter| parameter.name);
        let spread = [parameters.vararg, parameters.kwarg].into_iter().flatten().map(|spread| spread.name);
        let mut seen = FxHashSet::default();
        for name in named.chain(spread) {
            if !seen.insert(name.name) {
                let message = format!("duplicate argument '{}' in function definition", tree.text(name.name));
                self.error(name.range, message);
            }
        }
    }

    fn scope_of_stmt(&self, stmt: StmtId) -> MisplacedScope {
        let mut at = stmt;
        while let Some(outer) = self.tree.enclosing(at) {
            match self.tree[outer].kind {
                StmtKind::FunctionDef(function) => {
                    return MisplacedScope::Function { is_async: function.is_async };
                }
                StmtKind::ClassDef(_) => return MisplacedScope::Class,
                _ => at = outer,
            }
        }
        MisplacedScope::Module
    }

    /// Decorators, defaults, annotations and bases belong to the scope around their definition.
    fn scope_of_expr(&self, expr: ExprId) -> MisplacedScope {
        let mut at = expr;
        loop {
            match self.tree[at].parent {
                Parent::Module => return MisplacedScope::Module,
                Parent::Stmt(stmt) => return self.scope_of_stmt(stmt),
                Parent::Expr(outer) => match self.tree[outer].kind {
                    ExprKind::Lambda { .. }
                    | ExprKind::ListComp { .. }
                    | ExprKind::SetComp { .. }
                    | ExprKind::DictComp { .. }
                    | ExprKind::Generator { .. } => return MisplacedScope::Nested,
                    _ => at = outer,
                },
            }
        }
    }

    fn in_loop(&self, stmt: StmtId) -> bool {
        let mut at = stmt;
        while let Some(outer) = self.tree.enclosing(at) {
            match self.tree[outer].kind {
                StmtKind::For { body, .. } | StmtKind::While { body, .. } if self.tree[body].contains(&at) => {
                    return true;
                }
                StmtKind::FunctionDef(_) | StmtKind::ClassDef(_) => return false,
                _ => at = outer,
            }
        }
        false
    }

    /// Only a docstring and other `__future__` imports stand before it.
    fn opens_file(&self, stmt: StmtId) -> bool {
        let tree = self.tree;
        let body = &tree[tree.body()];
        let Some(place) = body.iter().position(|&other| other == stmt) else {
            return false;
        };
        body[..place].iter().enumerate().all(|(i, &before)| match tree[before].kind {
            StmtKind::Expr { value } => i == 0 && matches!(tree[value].kind, ExprKind::Str(_)),
            StmtKind::ImportFrom { module: Some(module), .. } => tree.text(module.name) == "__future__",
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{SourceFile, parse};

    fn messages(text: &str) -> Vec<String> {
        let parsed = parse(&SourceFile::from_text("t.py", text));
        parsed.errors.into_iter().map(|error| error.message).collect()
    }

    #[test]
    fn misplaced_statements_are_syntax_errors() {
        assert_eq!(messages("return 1\n"), ["'return' outside function"]);
        assert_eq!(messages("def f():\n    class C:\n        return 1\n"), ["'return' outside function"]);
        assert_eq!(messages("for x in y:\n    pass\nelse:\n    break\n"), ["'break' outside loop"]);
        assert_eq!(messages("while x:\n    def f():\n        continue\n"), ["'continue' not properly in loop"]);
        assert_eq!(messages("await x\n"), ["'await' outside function"]);
        assert_eq!(messages("def f():\n    await x\n"), ["'await' outside async function"]);
        assert_eq!(messages("def f(a, *, a): pass\n"), ["duplicate argument 'a' in function definition"]);
        assert_eq!(messages("x = 1\nfrom __future__ import annotations\n").len(), 1);
        assert_eq!(messages("def f():\n    from x import *\n"), ["import * only allowed at module level"]);
        assert_eq!(messages("class C:\n    x = yield\n"), ["'yield' outside function"]);
    }

    #[test]
    fn well_placed_ones_are_not() {
        let text = "'doc'\nfrom __future__ import annotations\nasync def f(a, *b, c):\n    async with a: pass\n    async for x in b:\n        if x: continue\n        \
                    else: break\n    await c\n    return [await y for y in b], (lambda: (yield))\ndef g():\n    nonlocal_ = 1\n    while 1:\n        try: break\n        finally: pass\n    yield from g()\n";
        assert_eq!(messages(text), Vec::<String>::new());
    }
}
