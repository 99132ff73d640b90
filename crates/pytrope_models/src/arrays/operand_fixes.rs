//! What would make two operands fit, in words and as an edit of the one that does not.
//!
//! ```text
//! q @ k                  # (8, 10, 64) and (8, 10, 64)   →   q @ k.mT
//! x / x.sum(axis=1)      # (5, 3) and (5,)               →   x / x.sum(axis=1)[:, None]
//! ```
//!
//! There is an edit only where the source has an operator between the two (what a library's function computes with is not what it was
//! given) and where the operand is an array, not a list that the operator converts. It is safe if the operand is a call on
//! the other one that dropped an axis: no other meaning is left. Every other edit is one of several that fit, such as the
//! transposition of the other operand.

use pytrope_diagnostics::{Applicability, Fix, TextChange};
use pytrope_eval::interp::Interp;
use pytrope_source::tree::{ExprId, ExprKind, StmtKind};
use pytrope_source::{Span, TextRange, Tree};

/// The operand that is changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ChangedOperand {
    Left,
    Right,
}

impl ChangedOperand {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// What is written behind an operand so that it fits.
#[derive(Clone, Copy)]
pub(super) enum Adjustment {
    /// `.T`: the axes in reverse order.
    Transposed,
    /// `.mT`: the last two axes swapped.
    MatrixTransposed,
    /// `[:, None]`: a vector as a column.
    Column,
}

impl Adjustment {
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Transposed => ".T",
            Self::MatrixTransposed => ".mT",
            Self::Column => "[:, None]",
        }
    }
}

/// A help, and the edit that it stands for if there is one.
pub(super) struct Suggestion {
    pub(super) help: String,
    pub(super) edit: Option<OperandEdit>,
}

/// What is to be written behind which operand.
#[derive(Clone, Copy)]
pub(super) struct OperandEdit {
    pub(super) operand: ChangedOperand,
    pub(super) adjustment: Adjustment,
}

/// The operands of an operator in the source, with the range that covers both and their parentheses.
struct OperatorSource {
    left: ExprId,
    right: ExprId,
    range: TextRange,
    /// Whether the left operand is also assigned to, so that nothing can be written behind it.
    assigns_left: bool,
}

/// The edit as a fix of the finding at a place, if the operation is written with an operator there.
pub(super) fn operand_fix(interp: &Interp<'_>, primary: &Span, edit: OperandEdit) -> Option<Fix> {
    let OperandEdit { operand, adjustment } = edit;
    // A list is converted where the operator is; it has no attribute `T` and takes no `None` as an index.
    let births = interp.births_of_given_arrays();
    if births.iter().filter(|born| *born != primary).count() < 2 {
        return None;
    }
    let code = interp.analysis.program.code_of_file(&primary.file)?;
    let operation = operation_at(&code.tree, primary.range)?;
    let (changed, other) = match operand {
        ChangedOperand::Left if operation.assigns_left => return None,
        ChangedOperand::Left => (operation.left, operation.right),
        ChangedOperand::Right => (operation.right, operation.left),
    };
    let text = primary.file.text();
    let range = code.tree[changed].range;
    let suffix = adjustment.suffix();
    let insert = |at: u32, added: String| TextChange { span: Span::new(&primary.file, TextRange::at(at)), text: added };
    let (changes, written) = match end_of_parentheses(text, range, &operation, operand) {
        Some(end) => (vec![insert(end, suffix.to_owned())], format!("({}){suffix}", range.of(text))),
        None if binds_tightly(code.tree[changed].kind) => {
            (vec![insert(range.end, suffix.to_owned())], format!("{}{suffix}", range.of(text)))
        }
        None => (
            vec![insert(range.start, "(".to_owned()), insert(range.end, format!("){suffix}"))],
            format!("({}){suffix}", range.of(text)),
        ),
    };
    let is_evident = matches!(adjustment, Adjustment::Column)
        && births.contains(&Span::new(&primary.file, range))
        && is_computed_from(&code.tree, text, changed, other);
    Some(Fix {
        title: format!("Use `{}`", written.split_whitespace().collect::<Vec<_>>().join(" ")),
        applicability: if is_evident { Applicability::Safe } else { Applicability::Unsafe },
        changes,
    })
}

/// The operator expression or augmented assignment that is exactly at a range.
fn operation_at(tree: &Tree, range: TextRange) -> Option<OperatorSource> {
    let expression = tree.expr_ids().filter(|&id| tree[id].range == range).find_map(|id| match tree[id].kind {
        ExprKind::BinOp { left, right, .. } => Some(OperatorSource { left, right, range, assigns_left: false }),
        _ => None,
    });
    expression.or_else(|| {
        tree.stmt_ids().filter(|&id| tree[id].range == range).find_map(|id| match tree[id].kind {
            StmtKind::AugAssign { target, value, .. } => {
                Some(OperatorSource { left: target, right: value, range, assigns_left: true })
            }
            _ => None,
        })
    })
}

/// The end of the parentheses around an operand, which its own range leaves out; none if there are none.
fn end_of_parentheses(text: &str, operand: TextRange, operation: &OperatorSource, side: ChangedOperand) -> Option<u32> {
    match side {
        ChangedOperand::Right => (operand.end < operation.range.end).then_some(operation.range.end),
        ChangedOperand::Left => {
            // Nothing but parentheses, blanks and comments stands there.
            let opened = &text[operation.range.start as usize..operand.start as usize];
            let depth = opened.matches('(').count();
            let (at, _) = text[operand.end as usize..].match_indices(')').nth(depth.checked_sub(1)?)?;
            Some(operand.end + u32::try_from(at).ok()? + 1)
        }
    }
}

/// Whether an attribute or index written behind an expression belongs to all of it.
fn binds_tightly(kind: ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Name { .. } | ExprKind::Attribute { .. } | ExprKind::Subscript { .. } | ExprKind::Call { .. }
    )
}

/// Whether an operand is a call on the other one: `x.sum(axis=1)` or `np.sum(x, axis=1)` beside `x`.
fn is_computed_from(tree: &Tree, text: &str, operand: ExprId, other: ExprId) -> bool {
    let ExprKind::Call { function, arguments } = tree[operand].kind else { return false };
    let receiver = match tree[function].kind {
        ExprKind::Attribute { value, .. } => Some(value),
        _ => None,
    };
    let first = tree[arguments.positional].first().copied();
    let wanted = tree[other].range.of(text);
    receiver.into_iter().chain(first).any(|source| tree[source].range.of(text) == wanted)
}
