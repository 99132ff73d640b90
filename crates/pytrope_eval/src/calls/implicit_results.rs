//! What a call gives whose function comes to its end without a `return`.

use pytrope_source::tree::{ExprKind, List, StmtId, StmtKind};

use crate::code::Code;
use crate::value::{Reason, Value};

/// None, unless the body ends in a call that may not come back.
pub(super) fn implicit_result(code: &Code, body: List<StmtId>) -> Value {
    if ends_in_abort(code, body) { Value::Unknown(Reason::Call) } else { Value::None }
}

/// Whether a body ends in a call that, by its name, does not return: `abort(404)`, `self.fail()`. Its caller gets nothing then, not even None.
fn ends_in_abort(code: &Code, body: List<StmtId>) -> bool {
    const ENDS: [&str; 10] = ["abort", "bail", "die", "error", "exit", "fail", "quit", "raise", "redirect", "throw"];
    let Some(StmtKind::Expr { value }) = code.tree[body].last().map(|last| code.tree[*last].kind) else { return false };
    let ExprKind::Call { function, .. } = code.tree[value].kind else { return false };
    let called = match code.tree[function].kind {
        ExprKind::Name { name, .. } => code.tree.text(name),
        ExprKind::Attribute { attribute, .. } => code.tree.text(attribute.name),
        _ => return false,
    };
    let called = called.to_ascii_lowercase();
    !code.is_model && called.split('_').any(|word| ENDS.contains(&word))
}
