//! When a replaced expression needs parentheses.

use crate::SourceFile;
use crate::parse::parse;
use crate::tree::{BinaryOperator, BoolOperator, ExprId, ExprKind, Parent, StmtKind, Tree, UnaryOperator};

/// How tightly an expression binds; Python's table, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Tuple,
    Named,
    Yield,
    Lambda,
    Conditional,
    Or,
    And,
    Not,
    Comparison,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Sign,
    Power,
    Await,
    Atom,
}

fn binding(kind: ExprKind) -> Binding {
    match kind {
        ExprKind::Tuple { parenthesized: false, .. } | ExprKind::Starred { .. } | ExprKind::Slice { .. } => {
            Binding::Tuple
        }
        ExprKind::Named { .. } => Binding::Named,
        ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => Binding::Yield,
        ExprKind::Lambda { .. } => Binding::Lambda,
        ExprKind::IfExp { .. } => Binding::Conditional,
        ExprKind::BoolOp { op: BoolOperator::Or, .. } => Binding::Or,
        ExprKind::BoolOp { op: BoolOperator::And, .. } => Binding::And,
        ExprKind::UnaryOp { op: UnaryOperator::Not, .. } => Binding::Not,
        ExprKind::Compare { .. } => Binding::Comparison,
        ExprKind::BinOp { op, .. } => binary(op),
        ExprKind::UnaryOp { .. } => Binding::Sign,
        ExprKind::Await { .. } => Binding::Await,
        _ => Binding::Atom,
    }
}

fn binary(op: BinaryOperator) -> Binding {
    match op {
        BinaryOperator::BitOr => Binding::BitOr,
        BinaryOperator::BitXor => Binding::BitXor,
        BinaryOperator::BitAnd => Binding::BitAnd,
        BinaryOperator::LShift | BinaryOperator::RShift => Binding::Shift,
        BinaryOperator::Add | BinaryOperator::Sub => Binding::Sum,
        BinaryOperator::Mult
        | BinaryOperator::MatMult
        | BinaryOperator::Div
        | BinaryOperator::Mod
        | BinaryOperator::FloorDiv => Binding::Product,
        BinaryOperator::Pow => Binding::Power,
    }
}

/// The loosest binding that may stand unparenthesised where `expr` stands.
fn needed(tree: &Tree, expr: ExprId) -> Binding {
    let Parent::Expr(parent) = tree[expr].parent else {
        return needed_in_statement(tree, expr);
    };
    match tree[parent].kind {
        ExprKind::BinOp { left, op, .. } => {
            let own = binary(op);
            // Left operands of `**` and right operands of the others must bind tighter than the operator itself.
            let strict = (left == expr) == (op == BinaryOperator::Pow);
            if strict {
                tighter(own)
            } else if op == BinaryOperator::Pow {
                Binding::Sign
            } else {
                own
            }
        }
        ExprKind::UnaryOp { op: UnaryOperator::Not, .. } => Binding::Not,
        ExprKind::UnaryOp { .. } => Binding::Sign,
        ExprKind::BoolOp { op, .. } => tighter(if op == BoolOperator::Or { Binding::Or } else { Binding::And }),
        ExprKind::Compare { .. } => Binding::BitOr,
        ExprKind::IfExp { orelse, .. } => {
            if orelse == expr {
                Binding::Lambda
            } else {
                Binding::Or
            }
        }
        ExprKind::Attribute { .. } => Binding::Atom,
        ExprKind::Call { function, .. } if function == expr => Binding::Atom,
        ExprKind::Subscript { value, .. } if value == expr => Binding::Atom,
        ExprKind::Subscript { .. } => Binding::Tuple,
        ExprKind::Await { .. } => Binding::Atom,
        ExprKind::Starred { .. } => Binding::BitOr,
        ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. } => Binding::Or,
        _ => Binding::Lambda,
    }
}

fn needed_in_statement(tree: &Tree, expr: ExprId) -> Binding {
    let Parent::Stmt(stmt) = tree[expr].parent else {
        return Binding::Lambda;
    };
    match tree[stmt].kind {
        StmtKind::Return { .. } | StmtKind::Expr { .. } | StmtKind::For { .. } => Binding::Tuple,
        StmtKind::Assign { value, .. } if value == expr => Binding::Tuple,
        StmtKind::If { .. } | StmtKind::While { .. } => Binding::Named,
        _ => Binding::Lambda,
    }
}

fn tighter(binding: Binding) -> Binding {
    match binding {
        Binding::Or => Binding::And,
        Binding::And => Binding::Not,
        Binding::BitOr => Binding::BitXor,
        Binding::BitXor => Binding::BitAnd,
        Binding::BitAnd => Binding::Shift,
        Binding::Shift => Binding::Sum,
        Binding::Sum => Binding::Product,
        Binding::Product => Binding::Sign,
        Binding::Power => Binding::Await,
        _ => Binding::Atom,
    }
}

/// `text`, in parentheses if it could not stand bare in the place of `expr`.
pub(super) fn parenthesise(tree: &Tree, expr: ExprId, text: &str) -> String {
    let parsed = parse(&SourceFile::from_text("<expression>", text));
    let own = match parsed.tree[parsed.tree.body()] {
        [stmt] if parsed.errors.is_empty() => match parsed.tree[stmt].kind {
            StmtKind::Expr { value } => Some(binding(parsed.tree[value].kind)),
            _ => None,
        },
        // More than an expression, or lines that only brackets would join.
        _ => None,
    };
    let needed = needed(tree, expr);
    // `1 .real` needs a space or parentheses.
    let number = text.bytes().all(|b| b.is_ascii_digit()) && needed == Binding::Atom;
    if own.is_some_and(|own| own >= needed) && !number { text.to_owned() } else { format!("({text})") }
}
