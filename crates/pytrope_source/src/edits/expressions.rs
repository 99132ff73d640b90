//! When a replaced expression needs parentheses.

use crate::SourceFile;
use crate::parse::parse;
use crate::tree::{BinaryOperator, BoolOperator, ExprId, ExprKind, Parent, StmtKind, Tree, UnaryOperator};

/// How tightly an expression binds; Python's table, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BindingPower {
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

fn binding_power(kind: ExprKind) -> BindingPower {
    match kind {
        ExprKind::Tuple { parenthesized: false, .. } | ExprKind::Starred { .. } | ExprKind::Slice { .. } => {
            BindingPower::Tuple
        }
        ExprKind::Named { .. } => BindingPower::Named,
        ExprKind::Yield { .. } | ExprKind::YieldFrom { .. } => BindingPower::Yield,
        ExprKind::Lambda { .. } => BindingPower::Lambda,
        ExprKind::IfExp { .. } => BindingPower::Conditional,
        ExprKind::BoolOp { op: BoolOperator::Or, .. } => BindingPower::Or,
        ExprKind::BoolOp { op: BoolOperator::And, .. } => BindingPower::And,
        ExprKind::UnaryOp { op: UnaryOperator::Not, .. } => BindingPower::Not,
        ExprKind::Compare { .. } => BindingPower::Comparison,
        ExprKind::BinOp { op, .. } => power_of_operator(op),
        ExprKind::UnaryOp { .. } => BindingPower::Sign,
        ExprKind::Await { .. } => BindingPower::Await,
        _ => BindingPower::Atom,
    }
}

fn power_of_operator(op: BinaryOperator) -> BindingPower {
    match op {
        BinaryOperator::BitOr => BindingPower::BitOr,
        BinaryOperator::BitXor => BindingPower::BitXor,
        BinaryOperator::BitAnd => BindingPower::BitAnd,
        BinaryOperator::LShift | BinaryOperator::RShift => BindingPower::Shift,
        BinaryOperator::Add | BinaryOperator::Sub => BindingPower::Sum,
        BinaryOperator::Mult
        | BinaryOperator::MatMult
        | BinaryOperator::Div
        | BinaryOperator::Mod
        | BinaryOperator::FloorDiv => BindingPower::Product,
        BinaryOperator::Pow => BindingPower::Power,
    }
}

/// The loosest binding that may stand unparenthesised where `expr` stands.
fn needed_power(tree: &Tree, expr: ExprId) -> BindingPower {
    let Parent::Expr(parent) = tree[expr].parent else {
        return needed_in_statement(tree, expr);
    };
    match tree[parent].kind {
        ExprKind::BinOp { left, op, .. } => {
            let own = power_of_operator(op);
            // Left operands of `**` and right operands of the others must bind tighter than the operator itself.
            let strict = (left == expr) == (op == BinaryOperator::Pow);
            if strict {
                tighter_power(own)
            } else if op == BinaryOperator::Pow {
                BindingPower::Sign
            } else {
                own
            }
        }
        ExprKind::UnaryOp { op: UnaryOperator::Not, .. } => BindingPower::Not,
        ExprKind::UnaryOp { .. } => BindingPower::Sign,
        ExprKind::BoolOp { op, .. } => {
            tighter_power(if op == BoolOperator::Or { BindingPower::Or } else { BindingPower::And })
        }
        ExprKind::Compare { .. } => BindingPower::BitOr,
        ExprKind::IfExp { orelse, .. } => {
            if orelse == expr {
                BindingPower::Lambda
            } else {
                BindingPower::Or
            }
        }
        ExprKind::Attribute { .. } => BindingPower::Atom,
        ExprKind::Call { function, .. } if function == expr => BindingPower::Atom,
        ExprKind::Subscript { value, .. } if value == expr => BindingPower::Atom,
        ExprKind::Subscript { .. } => BindingPower::Tuple,
        ExprKind::Await { .. } => BindingPower::Atom,
        ExprKind::Starred { .. } => BindingPower::BitOr,
        ExprKind::ListComp { .. }
        | ExprKind::SetComp { .. }
        | ExprKind::DictComp { .. }
        | ExprKind::Generator { .. } => BindingPower::Or,
        _ => BindingPower::Lambda,
    }
}

fn needed_in_statement(tree: &Tree, expr: ExprId) -> BindingPower {
    let Parent::Stmt(stmt) = tree[expr].parent else {
        return BindingPower::Lambda;
    };
    match tree[stmt].kind {
        StmtKind::Return { .. } | StmtKind::Expr { .. } | StmtKind::For { .. } => BindingPower::Tuple,
        StmtKind::Assign { value, .. } if value == expr => BindingPower::Tuple,
        StmtKind::If { .. } | StmtKind::While { .. } => BindingPower::Named,
        _ => BindingPower::Lambda,
    }
}

fn tighter_power(binding: BindingPower) -> BindingPower {
    match binding {
        BindingPower::Or => BindingPower::And,
        BindingPower::And => BindingPower::Not,
        BindingPower::BitOr => BindingPower::BitXor,
        BindingPower::BitXor => BindingPower::BitAnd,
        BindingPower::BitAnd => BindingPower::Shift,
        BindingPower::Shift => BindingPower::Sum,
        BindingPower::Sum => BindingPower::Product,
        BindingPower::Product => BindingPower::Sign,
        BindingPower::Power => BindingPower::Await,
        _ => BindingPower::Atom,
    }
}

/// `text`, in parentheses if it could not stand bare in the place of `expr`.
pub(super) fn parenthesise_if_needed(tree: &Tree, expr: ExprId, text: &str) -> String {
    let parsed = parse(&SourceFile::from_text("<expression>", text));
    let own = match parsed.tree[parsed.tree.body()] {
        [stmt] if parsed.errors.is_empty() => match parsed.tree[stmt].kind {
            StmtKind::Expr { value } => Some(binding_power(parsed.tree[value].kind)),
            _ => None,
        },
        // More than an expression, or lines that only brackets would join.
        _ => None,
    };
    let needed = needed_power(tree, expr);
    // `1 .real` needs a space or parentheses.
    let number = text.bytes().all(|b| b.is_ascii_digit()) && needed == BindingPower::Atom;
    if own.is_some_and(|own| own >= needed) && !number { text.to_owned() } else { format!("({text})") }
}
