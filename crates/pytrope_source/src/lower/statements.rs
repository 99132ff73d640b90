//! Lowering of statements.

use ruff_python_ast as ast;

use super::expressions::binary_operator;
use super::{Lowering, pool, range};
use crate::tree::{
    Alias, Case, ClassDefinition, Clause, FunctionDefinition, Handler, List, Parent, StmtId, StmtKind, WithItem,
};

impl Lowering {
    pub(super) fn stmt(&mut self, stmt: &ast::Stmt, parent: Parent) -> StmtId {
        let id = self.new_stmt(range(stmt), parent);
        let kind = self.stmt_kind(stmt, Parent::Stmt(id));
        self.tree.stmts[id.index()].kind = kind;
        id
    }

    fn stmt_kind(&mut self, stmt: &ast::Stmt, me: Parent) -> StmtKind {
        match stmt {
            ast::Stmt::FunctionDef(node) => StmtKind::FunctionDef(FunctionDefinition {
                name: self.identifier(&node.name),
                is_async: node.is_async,
                decorators: self.exprs(node.decorator_list.iter().map(|decorator| &decorator.expression), me),
                type_params: self.type_params(node.type_params.as_deref(), me),
                parameters: self.parameters(&node.parameters, me),
                returns: self.optional(node.returns.as_deref(), me),
                body: self.body_of(&node.body, me),
            }),
            ast::Stmt::ClassDef(node) => StmtKind::ClassDef(ClassDefinition {
                name: self.identifier(&node.name),
                decorators: self.exprs(node.decorator_list.iter().map(|decorator| &decorator.expression), me),
                type_params: self.type_params(node.type_params.as_deref(), me),
                arguments: node.arguments.as_deref().map(|arguments| self.arguments(arguments, me)),
                body: self.suite(&node.body, me),
            }),
            ast::Stmt::Return(node) => StmtKind::Return { value: self.optional(node.value.as_deref(), me) },
            ast::Stmt::Delete(node) => StmtKind::Delete { targets: self.exprs(&node.targets, me) },
            ast::Stmt::TypeAlias(node) => StmtKind::TypeAlias {
                name: self.expr(&node.name, me),
                type_params: self.type_params(node.type_params.as_deref(), me),
                value: self.expr(&node.value, me),
            },
            ast::Stmt::Assign(node) => {
                StmtKind::Assign { targets: self.exprs(&node.targets, me), value: self.expr(&node.value, me) }
            }
            ast::Stmt::AugAssign(node) => StmtKind::AugAssign {
                target: self.expr(&node.target, me),
                op: binary_operator(node.op),
                value: self.expr(&node.value, me),
            },
            ast::Stmt::AnnAssign(node) => StmtKind::AnnAssign {
                target: self.expr(&node.target, me),
                annotation: self.expr(&node.annotation, me),
                value: self.optional(node.value.as_deref(), me),
                simple: node.simple,
            },
            ast::Stmt::For(node) => StmtKind::For {
                target: self.expr(&node.target, me),
                iter: self.expr(&node.iter, me),
                body: self.suite(&node.body, me),
                orelse: self.suite(&node.orelse, me),
                is_async: node.is_async,
            },
            ast::Stmt::While(node) => StmtKind::While {
                test: self.expr(&node.test, me),
                body: self.suite(&node.body, me),
                orelse: self.suite(&node.orelse, me),
            },
            ast::Stmt::If(node) => StmtKind::If {
                test: self.expr(&node.test, me),
                body: self.suite(&node.body, me),
                clauses: self.clauses(&node.elif_else_clauses, me),
            },
            ast::Stmt::With(node) => StmtKind::With {
                items: self.with_items(&node.items, me),
                body: self.suite(&node.body, me),
                is_async: node.is_async,
            },
            ast::Stmt::Match(node) => {
                StmtKind::Match { subject: self.expr(&node.subject, me), cases: self.cases(&node.cases, me) }
            }
            ast::Stmt::Raise(node) => StmtKind::Raise {
                exception: self.optional(node.exc.as_deref(), me),
                cause: self.optional(node.cause.as_deref(), me),
            },
            ast::Stmt::Try(node) => StmtKind::Try {
                body: self.suite(&node.body, me),
                handlers: self.handlers(&node.handlers, me),
                orelse: self.suite(&node.orelse, me),
                finalbody: self.suite(&node.finalbody, me),
                is_star: node.is_star,
            },
            ast::Stmt::Assert(node) => {
                StmtKind::Assert { test: self.expr(&node.test, me), message: self.optional(node.msg.as_deref(), me) }
            }
            ast::Stmt::Import(node) => StmtKind::Import { names: self.aliases(&node.names) },
            ast::Stmt::ImportFrom(node) => StmtKind::ImportFrom {
                module: node.module.as_ref().map(|module| self.identifier(module)),
                names: self.aliases(&node.names),
                level: node.level,
            },
            ast::Stmt::Global(node) => {
                let names: Vec<_> = node.names.iter().map(|name| self.identifier(name)).collect();
                StmtKind::Global { names: pool!(self.identifiers, names) }
            }
            ast::Stmt::Nonlocal(node) => {
                let names: Vec<_> = node.names.iter().map(|name| self.identifier(name)).collect();
                StmtKind::Nonlocal { names: pool!(self.identifiers, names) }
            }
            ast::Stmt::Expr(node) => StmtKind::Expr { value: self.expr(&node.value, me) },
            ast::Stmt::Pass(_) => StmtKind::Pass,
            ast::Stmt::Break(_) => StmtKind::Break,
            ast::Stmt::Continue(_) => StmtKind::Continue,
            ast::Stmt::IpyEscapeCommand(node) => StmtKind::IpyEscape(self.intern(&node.value)),
        }
    }

    fn clauses(&mut self, clauses: &[ast::ElifElseClause], me: Parent) -> List<Clause> {
        let mut items = Vec::with_capacity(clauses.len());
        for clause in clauses {
            items.push(Clause {
                test: self.optional(clause.test.as_ref(), me),
                body: self.suite(&clause.body, me),
                range: range(clause),
            });
        }
        pool!(self.clauses, items)
    }

    fn with_items(&mut self, list: &[ast::WithItem], me: Parent) -> List<WithItem> {
        let mut items = Vec::with_capacity(list.len());
        for item in list {
            items.push(WithItem {
                context: self.expr(&item.context_expr, me),
                target: self.optional(item.optional_vars.as_deref(), me),
                range: range(item),
            });
        }
        pool!(self.with_items, items)
    }

    fn cases(&mut self, cases: &[ast::MatchCase], me: Parent) -> List<Case> {
        let mut items = Vec::with_capacity(cases.len());
        for case in cases {
            items.push(Case {
                pattern: self.pattern(&case.pattern, me),
                guard: self.optional(case.guard.as_deref(), me),
                body: self.suite(&case.body, me),
                range: range(case),
            });
        }
        pool!(self.cases, items)
    }

    fn handlers(&mut self, handlers: &[ast::ExceptHandler], me: Parent) -> List<Handler> {
        let mut items = Vec::with_capacity(handlers.len());
        for ast::ExceptHandler::ExceptHandler(handler) in handlers {
            items.push(Handler {
                class: self.optional(handler.type_.as_deref(), me),
                name: handler.name.as_ref().map(|name| self.identifier(name)),
                body: self.suite(&handler.body, me),
                range: range(handler),
            });
        }
        pool!(self.handlers, items)
    }

    fn aliases(&mut self, aliases: &[ast::Alias]) -> List<Alias> {
        let mut items = Vec::with_capacity(aliases.len());
        for alias in aliases {
            items.push(Alias {
                name: self.identifier(&alias.name),
                asname: alias.asname.as_ref().map(|name| self.identifier(name)),
                range: range(alias),
            });
        }
        pool!(self.aliases, items)
    }
}
