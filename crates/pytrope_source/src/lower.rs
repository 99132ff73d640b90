//! From the parser's tree to ours: one walk, parents before children.

mod expressions;
mod patterns;
mod statements;

use std::cell::RefCell;

use ruff_python_ast as ast;
use ruff_python_ast::statement_visitor::{StatementVisitor, walk_stmt};
use ruff_text_size::Ranged;
use rustc_hash::FxHashMap;

use crate::text::TextRange;
use crate::tree::{
    Expr, ExprId, ExprKind, Identifier, List, Parent, Pattern, PatternId, Stmt, StmtId, StmtKind, Str, Tree,
};

thread_local! {
    /// The pools that trees are gathered in, large already from one file to the next.
    static POOLS: RefCell<Lowering> = RefCell::default();
}

/// Pools that took more than this many expressions are not kept.
const LARGEST_KEPT: usize = 1 << 20;

/// Lower a module's statements.
pub(crate) fn lower_module(suite: &[ast::Stmt]) -> Tree {
    let mut lowering = POOLS.take();
    let body = lowering.suite(suite, Parent::Module);
    lowering.tree.body = Some(body);
    // A copy takes as much room as it needs, where what grew has room to spare.
    let tree = lowering.tree.clone();
    if lowering.tree.exprs.len() < LARGEST_KEPT {
        lowering.tree.clear();
        lowering.interned.clear();
        POOLS.set(lowering);
    }
    tree
}

/// Lower a module's statements to be stored: the bodies of functions come after everything around them, so that who runs
/// the module, and few of its functions, reads little of it.
pub(crate) fn lower_bodies_last(suite: &[ast::Stmt]) -> Tree {
    let mut lowering = Lowering { later: Some(Vec::new()), ..Lowering::default() };
    let body = lowering.suite(suite, Parent::Module);
    lowering.tree.body = Some(body);
    let later = lowering.later.take().unwrap_or_default();
    let mut functions = Functions(Vec::new());
    functions.visit_body(suite);
    for (id, function) in later.into_iter().zip(functions.0) {
        let body = lowering.suite(&function.body, Parent::Stmt(id));
        if let StmtKind::FunctionDef(lowered) = &mut lowering.tree.stmts[id.index()].kind {
            lowered.body = body;
        }
    }
    lowering.tree
}

/// Functions that stand in no other function, in the order of the text.
struct Functions<'a>(Vec<&'a ast::StmtFunctionDef>);

impl<'a> StatementVisitor<'a> for Functions<'a> {
    fn visit_stmt(&mut self, stmt: &'a ast::Stmt) {
        match stmt {
            ast::Stmt::FunctionDef(function) => self.0.push(function),
            _ => walk_stmt(self, stmt),
        }
    }
}

#[derive(Default)]
struct Lowering {
    tree: Tree,
    /// Functions whose bodies come last, if they do.
    later: Option<Vec<StmtId>>,
    interned: FxHashMap<Box<str>, Str>,
    /// Ids of lists being gathered; lists nest, so each takes what lies above its own mark.
    expr_scratch: Vec<ExprId>,
    stmt_scratch: Vec<StmtId>,
}

fn range(node: &impl Ranged) -> TextRange {
    convert(node.range())
}

fn convert(range: ruff_text_size::TextRange) -> TextRange {
    TextRange::new(range.start().to_u32(), range.end().to_u32())
}

/// Appends already lowered items to one of the tree's pools.
macro_rules! pool {
    ($self:ident . $field:ident, $items:expr) => {{
        let items = $items;
        let start = $self.tree.$field.len() as u32;
        $self.tree.$field.extend(items);
        List::new(start, $self.tree.$field.len() as u32 - start)
    }};
}
use pool;

impl Lowering {
    fn intern(&mut self, text: &str) -> Str {
        if let Some(id) = self.interned.get(text) {
            return *id;
        }
        let strings = &mut self.tree.strings;
        let id = Str(strings.ends.len() as u32);
        strings.buffer.to_mut().push_str(text);
        strings.ends.push(strings.buffer.len() as u32);
        self.interned.insert(text.into(), id);
        id
    }

    fn identifier(&mut self, identifier: &ast::Identifier) -> Identifier {
        Identifier { name: self.intern(identifier.as_str()), range: range(identifier) }
    }

    fn new_expr(&mut self, range: TextRange, parent: Parent) -> ExprId {
        let id = ExprId(self.tree.exprs.len() as u32);
        self.tree.exprs.push(Expr { kind: ExprKind::None, range, parent });
        id
    }

    fn new_stmt(&mut self, range: TextRange, parent: Parent) -> StmtId {
        let id = StmtId(self.tree.stmts.len() as u32);
        self.tree.stmts.push(Stmt { kind: StmtKind::Pass, range, parent });
        id
    }

    fn new_pattern(&mut self, pattern: Pattern) -> PatternId {
        let id = PatternId(self.tree.patterns.len() as u32);
        self.tree.patterns.push(pattern);
        id
    }

    fn suite(&mut self, suite: &[ast::Stmt], parent: Parent) -> List<StmtId> {
        let mark = self.stmt_scratch.len();
        for stmt in suite {
            let id = self.stmt(stmt, parent);
            self.stmt_scratch.push(id);
        }
        let start = self.tree.stmt_ids.len() as u32;
        self.tree.stmt_ids.extend(self.stmt_scratch.drain(mark..));
        List::new(start, self.tree.stmt_ids.len() as u32 - start)
    }

    /// The body of a function, or nothing while bodies are put off.
    fn body_of(&mut self, body: &[ast::Stmt], function: Parent) -> List<StmtId> {
        match (&mut self.later, function) {
            (Some(later), Parent::Stmt(id)) => {
                later.push(id);
                List::EMPTY
            }
            _ => self.suite(body, function),
        }
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a ast::Expr>, parent: Parent) -> List<ExprId> {
        let mark = self.expr_scratch.len();
        for expr in exprs {
            let id = self.expr(expr, parent);
            self.expr_scratch.push(id);
        }
        let start = self.tree.expr_ids.len() as u32;
        self.tree.expr_ids.extend(self.expr_scratch.drain(mark..));
        List::new(start, self.tree.expr_ids.len() as u32 - start)
    }
}
