//! What is said about each branch: its kind, what became of it, and why.

use std::sync::Arc;

use pytrope_eval::code::Code;
use pytrope_source::tree::{ExprId, ExprKind, Parent, StmtKind};

use super::record::BranchTally;
use super::{Branch, Decision};

/// What a test belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchKind {
    If,
    Elif,
    While,
    Assert,
    Conditional,
    Operand,
}

impl BranchKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::If => "if",
            Self::Elif => "elif",
            Self::While => "while",
            Self::Assert => "assert",
            Self::Conditional => "conditional expression",
            Self::Operand => "operand",
        }
    }

    fn of(code: &Code, test: ExprId) -> Self {
        let tree = &code.tree;
        match tree[test].parent {
            Parent::Stmt(stmt) => match tree[stmt].kind {
                StmtKind::While { .. } => Self::While,
                StmtKind::Assert { .. } => Self::Assert,
                StmtKind::If { test: first, .. } if first != test => Self::Elif,
                _ => Self::If,
            },
            Parent::Expr(parent) => match tree[parent].kind {
                ExprKind::IfExp { .. } => Self::Conditional,
                _ => Self::Operand,
            },
            Parent::Module => Self::If,
        }
    }
}

/// What was found out about a test.
#[derive(Clone, Copy)]
pub struct Fate {
    pub is_gone: bool,
    pub shape: bool,
    pub counts: bool,
}

/// The longest comparison that a reason quotes.
const QUOTED: usize = 160;

/// The report of one test; `open` names the parameters of which nothing is assumed.
pub fn report_branch(code: &Arc<Code>, test: ExprId, tally: &BranchTally, fate: Fate, open: &[String]) -> Branch {
    let Fate { is_gone, shape, counts } = fate;
    let range = code.tree[test].range;
    let kind = BranchKind::of(code, test);
    let decision = match tally.decision() {
        Some(true) if is_gone => Decision::Then,
        Some(false) if is_gone => Decision::Else,
        Some(_) | None => Decision::Keep,
    };
    let place = code.file.line_column(range.start);
    Branch {
        file: Arc::clone(&code.file),
        range,
        line: place.line as usize,
        column: place.column as usize,
        condition: code.file.slice(range).to_owned(),
        kind,
        decision,
        reason: decision_reason(kind, decision, tally, shape, open),
        shape,
        counts,
        instances: tally.instances(),
        decided: tally.decided(),
    }
}

fn decision_reason(kind: BranchKind, decision: Decision, tally: &BranchTally, shape: bool, open: &[String]) -> String {
    let always = |value: bool| if value { "true" } else { "false" };
    match (decision, tally.decision()) {
        (Decision::Then | Decision::Else, _) => {
            let compared = tally.compared.as_ref().filter(|text| !text.contains("Unknown") && text.len() <= QUOTED);
            let because = compared.map_or_else(String::new, |text| format!(" (`{text}`)"));
            format!("{} for every input of the class{because}", always(decision == Decision::Then))
        }
        (Decision::Keep, Some(value)) if !shape => format!("always {}, but not because of shapes", always(value)),
        (Decision::Keep, Some(value)) => {
            let why = match kind {
                BranchKind::While => "it is the test of a loop",
                BranchKind::Assert if !value => "an assertion that fails stays",
                BranchKind::Operand => "the expression around it needs its value",
                BranchKind::If | BranchKind::Elif | BranchKind::Assert | BranchKind::Conditional => {
                    "removing it would change what its function does"
                }
            };
            format!("always {}, but {why}", always(value))
        }
        (Decision::Keep, None) if tally.is_decided_both_ways() => {
            "true in some calls and false in others: the assumptions do not distinguish them".to_owned()
        }
        (Decision::Keep, None) => match &tally.open {
            Some(condition) => format!("not decided: assume `{condition}` or its opposite"),
            None if open.is_empty() => "not decided by what is known about the inputs".to_owned(),
            None => format!(
                "not decided: nothing is assumed about {}",
                open.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
            ),
        },
    }
}
